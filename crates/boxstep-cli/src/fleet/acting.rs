//! A character in the scene of a robot: its own, or what it does for the character of another robot.

use super::character_package::UnpackedCharacter;
use super::part::{PartFile, Staged};
use boxstep_engine::Engine;
use boxstep_engine::runner::{Progress, Runner, RunnerId};
use boxstep_engine::shared::Shared;
use boxstep_fleet::elsewhere::{self, GuestDesk, LeadDesk, Outcome};
use boxstep_fleet::show::Show;
use boxstep_runner::{Asked, Elsewhere, Presence, Role, Staging, Turn};
use boxstep_types::Time;
use std::collections::HashMap;

/// How long before its beginning a character is put on the engine, which takes a moment.
const EARLY: Time = Time::from_millis(250);

/// The characters of a robot's scenes.
#[derive(Default)]
pub(super) struct Acting {
    /// The characters of scenes that have not begun.
    read: HashMap<usize, UnpackedCharacter>,
    is_read: bool,
    /// That of the scene that plays, also after its end, and that which comes next.
    now: Option<Act>,
    next: Option<Act>,
}

struct Act {
    scene: usize,
    at: Time,
    character: UnpackedCharacter,
    desk: Desk,
    state: State,
    /// When it is to end before its time.
    ends: Option<Time>,
    /// The robot has been told to go to the posture in which it waits for its lead.
    rests: bool,
}

enum Desk {
    Lead(LeadDesk, HashMap<String, usize>),
    Guest(GuestDesk, String),
}

#[derive(PartialEq)]
enum State {
    Waits,
    Runs(RunnerId),
    Stops(RunnerId),
    Over,
}

/// What has become of the characters at a look.
#[derive(Default)]
pub(super) struct Acted {
    /// What has failed.
    pub(super) trouble: Option<String>,
    /// The robot has to go to the posture in which it waits (true), or not any more.
    pub(super) posture: Option<bool>,
}

impl Acting {
    /// Reads the characters of all scenes, once, and checks them on the robot: what cannot be played is refused before
    /// the show begins.
    pub(super) fn read(
        &mut self,
        show: &Show,
        robot: usize,
        files: &[PartFile],
        engine: &Shared<Engine>,
    ) -> Result<(), String> {
        if std::mem::replace(&mut self.is_read, true) {
            return Ok(());
        }
        for scene in 0..show.scenes.len() {
            let part = show.part(scene, robot).and_then(|part| part.character.as_ref());
            let Some(part) = part else { continue };
            let file = files.iter().find(|file| file.package == part.package);
            let file = file.ok_or("a file of the show is missing")?;
            let character = UnpackedCharacter::read(&file.path, &file.name, &part.file)?;
            let contended = engine.poke(|engine| character.loaded.character.contended(engine));
            if let Some(mut finding) = contended.into_iter().next().filter(|_| part.lead == robot) {
                finding.file = part.file.as_str().into();
                return Err(finding.to_string());
            }
            self.read.insert(scene, character);
        }
        Ok(())
    }

    /// Lets the character of a scene begin at a time of the run. The one before it ends then.
    pub(super) fn start(&mut self, scene: usize, at: Time, show: &Show, robot: usize) {
        self.end(at);
        self.next = None;
        let Some(part) = show.part(scene, robot).and_then(|part| part.character.as_ref()) else { return };
        let Some(character) = self.read.remove(&scene) else { return };
        let desk = if part.lead == robot {
            let named = character.loaded.character.elsewhere();
            let robots: HashMap<String, usize> =
                named.filter_map(|(_, on)| Some((on.name.to_string(), show.robot(&on.name)?))).collect();
            Desk::Lead(LeadDesk::new(robots.values().copied()), robots)
        } else {
            Desk::Guest(GuestDesk::default(), show.robots[robot].name.clone())
        };
        self.next = Some(Act { scene, at, character, desk, state: State::Waits, ends: None, rests: false });
    }

    /// Ends the character that plays, at a time of the run.
    pub(super) fn end(&mut self, at: Time) {
        if let Some(act) = &mut self.now {
            act.ends = Some(act.ends.map_or(at, |ends| ends.min(at)));
        }
    }

    /// Lets nobody wait for this robot any more: it is stopped.
    pub(super) fn stop(&mut self) {
        self.next = None;
        match self.now.as_ref().map(|act| &act.desk) {
            Some(Desk::Lead(desk, _)) => desk.end(),
            Some(Desk::Guest(desk, _)) => desk.close("it was stopped"),
            None => {}
        }
    }

    /// Returns whether the character of a scene plays, or is about to.
    pub(super) fn plays(&self, scene: usize) -> bool {
        let acts = self.now.iter().chain(&self.next);
        acts.into_iter().any(|act| act.scene == scene && act.state != State::Over)
    }

    pub(super) fn lead(&self) -> Option<(usize, LeadDesk)> {
        match self.now.as_ref()? {
            Act { scene, desk: Desk::Lead(desk, _), .. } => Some((*scene, desk.clone())),
            _ => None,
        }
    }

    pub(super) fn guest(&self) -> Option<(usize, GuestDesk)> {
        match self.now.as_ref()? {
            Act { scene, desk: Desk::Guest(desk, _), .. } => Some((*scene, desk.clone())),
            _ => None,
        }
    }

    /// Takes the next steps at a time of the run. `zero` is the time of the run at which the engine's was zero.
    pub(super) fn step(&mut self, engine: &Shared<Engine>, staged: &Staged, now: Time, zero: Time) -> Acted {
        let mut acted = Acted::default();
        if let Some(act) = &mut self.now {
            act.step(engine, now);
            acted.posture = act.rest();
        }
        let free = self.now.as_ref().is_none_or(|act| act.state == State::Over);
        if let Some(mut act) = self.next.take_if(|act| free && now + EARLY >= act.at) {
            acted.trouble = act.begin(engine, staged, zero).err();
            self.now = Some(act);
        }
        acted
    }
}

impl Act {
    fn begin(&mut self, engine: &Shared<Engine>, staged: &Staged, zero: Time) -> Result<(), String> {
        let role = match &self.desk {
            Desk::Lead(desk, robots) => Role::Leads(Box::new(Others { desk: desk.clone(), robots: robots.clone() })),
            Desk::Guest(desk, name) => Role::Serves(name.clone(), Box::new(Wishes(desk.clone()))),
        };
        let begins = Time(self.at.0.saturating_sub(zero.0).max(0));
        let staging = Staging { stop_within: staged.stop_within, begins, role };
        let performed =
            engine.poke(|engine| self.character.loaded.perform_staged(engine, &staged.language, staged.body, staging));
        match performed {
            Ok((running, _)) => {
                self.state = State::Runs(running.runner);
                Ok(())
            }
            Err(why) => {
                let why = super::bundle::words(why);
                self.over(&why);
                Err(why)
            }
        }
    }

    fn over(&mut self, why: &str) {
        self.state = State::Over;
        match &self.desk {
            Desk::Lead(desk, _) => desk.end(),
            Desk::Guest(desk, _) => desk.close(why),
        }
    }

    fn step(&mut self, engine: &Shared<Engine>, now: Time) {
        if let (Desk::Guest(desk, _), State::Runs(_)) = (&self.desk, &self.state)
            && desk.is_over()
        {
            self.ends = Some(now);
        }
        if let State::Runs(runner) = self.state
            && self.ends.is_some_and(|ends| now >= ends)
        {
            if let Desk::Guest(desk, _) = &self.desk {
                desk.close("its scene is over");
            }
            engine.poke(|engine| engine.stop_runner(runner));
            self.state = State::Stops(runner);
        }
        if let State::Runs(runner) | State::Stops(runner) = self.state
            && engine.poke(|engine| engine.runner(runner).is_some_and(Runner::is_over))
        {
            self.over("its scene is over");
        }
    }

    /// Returns whether the robot has to begin to wait in a posture, or to end that.
    fn rest(&mut self) -> Option<bool> {
        // The lead may fall silent once the scene is over.
        let (Desk::Guest(desk, _), State::Runs(_)) = (&self.desk, &self.state) else { return None };
        let rests = desk.is_alone() && (self.rests || !desk.is_busy());
        if rests == self.rests {
            return None;
        }
        self.rests = rests;
        desk.hold_back(rests);
        Some(rests)
    }
}

/// The other robots of a show, for a character.
struct Others {
    desk: LeadDesk,
    robots: HashMap<String, usize>,
}

impl Others {
    fn index(&self, robot: &str) -> usize {
        self.robots.get(robot).copied().unwrap_or(usize::MAX)
    }
}

impl Elsewhere for Others {
    fn presence(&mut self, robot: &str) -> Presence {
        match self.desk.presence(self.index(robot)) {
            elsewhere::Presence::Awaited => Presence::Awaited,
            elsewhere::Presence::There => Presence::There,
            elsewhere::Presence::Gone(why) => Presence::Gone(why),
        }
    }

    fn start(&mut self, robot: &str, leaf: u32, choice: u32) {
        self.desk.start(self.index(robot), leaf, choice);
    }

    fn poll(&mut self, robot: &str, leaf: u32) -> Progress {
        match self.desk.poll(self.index(robot), leaf) {
            Outcome::Running => Progress::Running,
            Outcome::Done(value) => Progress::Done(value),
            Outcome::Failed(why) => Progress::Failed(format!("{robot}: {why}").into()),
        }
    }

    fn stop(&mut self, robot: &str, leaf: u32) {
        self.desk.stop(self.index(robot), leaf);
    }

    fn settled(&mut self, robot: &str, leaf: u32) -> bool {
        self.desk.settled(self.index(robot), leaf)
    }
}

/// What the character of another robot wants of this one.
struct Wishes(GuestDesk);

impl Asked for Wishes {
    fn turn(&mut self, leaf: u32) -> Turn {
        match self.0.turn(leaf) {
            elsewhere::Turn::GoOn => Turn::GoOn,
            elsewhere::Turn::Start(choice) => Turn::Start(choice),
            elsewhere::Turn::Stop => Turn::Stop,
        }
    }

    fn wished(&mut self, leaf: u32) -> bool {
        self.0.wants(leaf)
    }

    fn ended(&mut self, leaf: u32, progress: Progress) {
        match progress {
            Progress::Running => {}
            Progress::Done(value) => self.0.ended(leaf, Ok(value)),
            Progress::Failed(why) => self.0.ended(leaf, Err(why.to_string())),
        }
    }

    fn stopped(&mut self, leaf: u32) {
        self.0.stopped(leaf);
    }
}
