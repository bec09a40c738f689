//! The laws of delegates that run on other robots, over a network in virtual time, with robots that are lost at any
//! instant. A model of a character delegates at random; models of robots do it for some time, fail, and need time to stop.

use boxstep_fleet::elsewhere::{GuestDesk, LeadDesk, Outcome, Presence, Turn};
use boxstep_fleet::message::MemberState;
use boxstep_fleet::player::{PartId, Player, PlayerEvent, SignalId};
use boxstep_fleet::sample::Sample;
use boxstep_fleet::show::{CharacterPart, Lost, Part, Show};
use boxstep_fleet::simulation::{Link, ModelPlayer, ModelShow, Simulation};
use boxstep_types::{Random, Time, Value};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// How many leaves each robot has. Two leaves share a resource if both are even, or both odd.
const LEAVES: u32 = 4;
/// The longest time that a robot needs to stop what it does, in seconds.
const STOPPING: f64 = 0.8;
/// After how many seconds the runner goes on without a robot that has not said that it stands, as it does in characters.
const FORCED: f64 = 5.1;
/// How long something may run at most that nobody wants any more: a second of silence, some messages, and the stop.
const ORPHANED: f64 = 1.0 + 0.5 + STOPPING;
/// How long the scene is.
const SCENE: f64 = 25.0;

/// What is known of all delegations, by their number.
#[derive(Debug, Default)]
struct Account {
    delegations: Vec<Delegation>,
    failures: Vec<String>,
}

#[derive(Debug)]
struct Delegation {
    robot: usize,
    /// How often the robot has begun it.
    begun: u32,
    /// How often the character was told of its end, or has cancelled it.
    ended: u32,
    /// The lead was lost with its character.
    forgotten: bool,
    /// It ran to its end on the robot.
    done: bool,
}

type Shared = Rc<RefCell<Account>>;

/// What a robot does for another one.
#[derive(Clone, Copy, Debug)]
struct Act {
    leaf: u32,
    number: u32,
    until: f64,
    fails: bool,
    stops: bool,
}

/// A robot with a model of a character, or of what it does for one.
struct Robot {
    model: ModelPlayer,
    me: usize,
    robots: usize,
    account: Shared,
    random: Random,
    lead: Option<(usize, LeadDesk)>,
    guest: Option<(usize, GuestDesk)>,
    begins: Time,
    /// What the character runs, and what it has stopped: by robot and leaf, with the number, and since when it stops.
    runs: BTreeMap<(usize, u32), u32>,
    stops: BTreeMap<(usize, u32), f64>,
    acts: Vec<Act>,
}

impl Robot {
    fn chance(&mut self, likely: f64) -> bool {
        self.random.unit() < likely
    }

    fn delegates(&mut self, now: f64) {
        let Some((_, desk)) = self.lead.clone() else { return };
        for ((robot, leaf), number) in self.runs.clone() {
            let end = match desk.poll(robot, leaf) {
                Outcome::Running => continue,
                Outcome::Done(value) => value == Value::Int(i64::from(number)),
                Outcome::Failed(why) => {
                    self.account.borrow_mut().failures.push(why);
                    true
                }
            };
            assert!(end, "the value belongs to another delegation");
            self.account.borrow_mut().delegations[number as usize].ended += 1;
            self.runs.remove(&(robot, leaf));
            // It winds down if the robot is lost.
            self.stops.insert((robot, leaf), now);
        }
        self.stops.retain(|(robot, leaf), since| !desk.settled(*robot, *leaf) && now - *since < FORCED);
        let running: Vec<_> = self.runs.keys().copied().collect();
        for (robot, leaf) in running {
            if self.chance(0.02) {
                let number = self.runs.remove(&(robot, leaf)).unwrap();
                desk.stop(robot, leaf);
                self.account.borrow_mut().delegations[number as usize].ended += 1;
                self.stops.insert((robot, leaf), now);
            }
        }
        for robot in 1..self.robots {
            let leaf = (self.random.next_u64() % u64::from(LEAVES)) as u32;
            let busy = |(other, used): &(usize, u32)| *other == robot && used % 2 == leaf % 2;
            let free = !self.runs.keys().any(busy) && !self.stops.keys().any(busy);
            if free && desk.presence(robot) == Presence::There && self.chance(0.3) {
                let mut account = self.account.borrow_mut();
                let number = account.delegations.len() as u32;
                account.delegations.push(Delegation { robot, begun: 0, ended: 0, forgotten: false, done: false });
                desk.start(robot, leaf, number);
                self.runs.insert((robot, leaf), number);
            }
        }
    }

    fn acts(&mut self, now: f64) {
        let Some((_, desk)) = self.guest.clone() else { return };
        for leaf in 0..LEAVES {
            match desk.turn(leaf) {
                Turn::GoOn => {}
                Turn::Start(number) => {
                    // Some take longer than a robot that nobody hears may go on.
                    let (until, fails) = (now + self.random.unit().powi(3) * 12.0, self.chance(0.2));
                    self.acts.push(Act { leaf, number, until, fails, stops: false });
                    self.account.borrow_mut().delegations[number as usize].begun += 1;
                }
                Turn::Stop => {
                    let until = now + self.random.unit() * (STOPPING - 0.1);
                    let act = self.acts.iter_mut().find(|act| act.leaf == leaf).expect("it runs");
                    (act.until, act.stops) = (until, true);
                }
            }
        }
        for act in self.acts.extract_if(.., |act| now >= act.until) {
            match act {
                Act { stops: true, .. } => desk.stopped(act.leaf),
                Act { fails: true, .. } => desk.ended(act.leaf, Err("it fell".to_owned())),
                _ => {
                    self.account.borrow_mut().delegations[act.number as usize].done = true;
                    desk.ended(act.leaf, Ok(Value::Int(i64::from(act.number))));
                }
            }
        }
        if desk.is_alone() && !desk.is_busy() {
            self.model.holds = Some("Crouch".to_owned());
        }
    }

    /// Ends what the robot does in the scene. What is `cut` ends at once.
    fn over(&mut self, why: &str, cut: bool) {
        if let Some((_, desk)) = &self.lead {
            desk.end();
            for number in std::mem::take(&mut self.runs).into_values() {
                self.account.borrow_mut().delegations[number as usize].ended += 1;
            }
        }
        let Some((_, desk)) = &self.guest else { return };
        desk.close(why);
        for act in &mut self.acts {
            (act.until, act.stops) = (act.until.min(f64::MIN_POSITIVE), true);
        }
        if cut {
            self.acts.drain(..).for_each(|act| desk.stopped(act.leaf));
        }
    }
}

impl Player for Robot {
    fn prepare(&mut self, show: &Show, robot: usize, part: PartId) {
        self.model.prepare(show, robot, part);
    }

    fn clock(&mut self, sample: Sample) {
        self.model.clock(sample);
    }

    fn gave(&mut self, cue: usize, number: u64, event: u64) {
        self.model.gave(cue, number, event);
    }

    fn load(&mut self, scene: usize) {
        self.model.load(scene);
    }

    fn start(&mut self, scene: usize, at: Time) {
        self.begins = at;
        match self.me {
            0 => self.lead = Some((scene, LeadDesk::new(1..self.robots))),
            _ => self.guest = Some((scene, GuestDesk::default())),
        }
        self.model.start(scene, at);
    }

    fn end(&mut self) {
        self.over("the scene is over", false);
        self.model.end();
    }

    fn cue(&mut self, cue: usize, signal: SignalId, value: &Value, at: Time) {
        self.model.cue(cue, signal, value, at);
    }

    fn hold(&mut self, posture: Option<&str>) {
        self.over("it waits", false);
        self.model.hold(posture);
    }

    fn stop(&mut self) {
        self.over("it was stopped", true);
        self.model.stop();
    }

    fn close(&mut self) {
        self.over("the show is over", true);
        (self.lead, self.guest) = (None, None);
        self.model.close();
    }

    fn lead(&self) -> Option<(usize, LeadDesk)> {
        self.lead.clone()
    }

    fn guest(&self) -> Option<(usize, GuestDesk)> {
        self.guest.clone()
    }

    fn records(&self) -> Option<u64> {
        self.model.records()
    }

    fn take_recording(&mut self) -> Option<(u64, Vec<u8>)> {
        self.model.take_recording()
    }

    fn poll(&mut self, run: Time) -> Vec<PlayerEvent> {
        if run >= self.begins {
            self.delegates(run.as_secs_f64());
            self.acts(run.as_secs_f64());
        }
        let happened = self.model.poll(run);
        if happened.iter().any(|event| matches!(event, PlayerEvent::Ended(..))) {
            self.over("the scene is over", false);
        }
        happened
    }
}

/// The links of a bad Wi-Fi.
fn wifi(robots: usize) -> Vec<Link> {
    let drift = |n: usize| [100.0, -100.0, 37.0, -61.0][n % 4];
    let robot = |n: usize| Link { up: (0.0005, 0.02), down: (0.0005, 0.06), loss: 0.05, drift: drift(n) };
    std::iter::once(Link::default()).chain((0..robots).map(robot)).collect()
}

struct Stage {
    fleet: Simulation<Robot>,
    account: Shared,
    /// Since when each act runs that nobody wants, by robot and number.
    orphans: BTreeMap<(usize, u32), f64>,
    robots: usize,
    seed: u64,
}

impl Stage {
    fn new(robots: usize, seed: u64, lost: Lost) -> Self {
        let mut model = ModelShow::new(robots, &[SCENE], lost);
        let package = 0;
        for part in &mut model.show.scenes[0].parts {
            let character = CharacterPart { package, file: "character.yaml".to_owned(), lead: 0 };
            *part = Part { robot: part.robot, play: None, sound: None, character: Some(character) };
        }
        let (account, players) = (Shared::default(), model.clone());
        let (shared, mut processes) = (account.clone(), 0);
        let make = move |me: usize| {
            processes += 1;
            if me == 0 {
                // The character begins anew, if it does at all: nobody waits for what it wanted.
                shared.borrow_mut().delegations.iter_mut().for_each(|one| one.forgotten = true);
            }
            Robot {
                model: players.player(me),
                me,
                robots,
                account: shared.clone(),
                random: Random::new(seed * 1000 + processes),
                lead: None,
                guest: None,
                begins: Time::ZERO,
                runs: BTreeMap::new(),
                stops: BTreeMap::new(),
                acts: Vec::new(),
            }
        };
        let fleet = Simulation::new(&model.show, model.files.clone(), &wifi(robots), seed, make);
        Self { fleet, account, orphans: BTreeMap::new(), robots, seed }
    }

    /// Lets time pass, and checks the laws at each instant.
    fn pass(&mut self, seconds: f64) {
        let until = self.fleet.seconds() + seconds;
        while self.fleet.seconds() < until {
            self.fleet.run_for(0.02);
            self.check();
        }
    }

    fn check(&mut self) {
        let (now, seed) = (self.fleet.seconds(), self.seed);
        let lead = self.fleet.member(0).map(|member| member.player().runs.clone()).unwrap_or_default();
        let mut orphans = BTreeMap::new();
        for robot in 1..self.robots {
            let Some(member) = self.fleet.member(robot) else { continue };
            let acts = member.player().acts.clone();
            for (at, act) in acts.iter().enumerate() {
                let clash = acts[..at].iter().find(|other| other.leaf % 2 == act.leaf % 2);
                assert!(clash.is_none(), "seed {seed}: two run on one resource: {acts:?}");
                if lead.get(&(robot, act.leaf)) != Some(&act.number) {
                    let key = (robot, act.number);
                    let since = self.orphans.get(&key).copied().unwrap_or(now);
                    orphans.insert(key, since);
                    assert!(now - since < ORPHANED, "seed {seed}: {act:?} runs for {} s for nobody", now - since);
                }
            }
        }
        self.orphans = orphans;
        for (number, one) in self.account.borrow().delegations.iter().enumerate() {
            assert!(one.begun <= 1 && one.ended <= 1, "seed {seed}: {number}: {one:?}");
        }
    }

    fn begin(&mut self) {
        while self.fleet.leader().unwrap().scene().is_none() {
            assert!(self.fleet.seconds() < 100.0, "seed {}: no scene", self.seed);
            self.pass(0.1);
        }
        self.pass(1.5);
    }

    /// Lets the show end, and checks that everything has.
    fn end(&mut self) {
        while !self.fleet.is_finished() {
            assert!(self.fleet.seconds() < 150.0, "seed {}: not finished", self.seed);
            self.pass(0.1);
        }
        self.pass(ORPHANED + 1.0);
        for robot in 1..self.robots {
            let acts = self.fleet.member(robot).map(|member| member.player().acts.clone()).unwrap_or_default();
            assert!(acts.is_empty(), "seed {}: robot {robot} still acts: {acts:?}", self.seed);
        }
        let account = self.account.borrow();
        let lost = account.delegations.iter().position(|one| one.ended == 0 && !one.forgotten);
        let lead = self.fleet.leader().is_some();
        assert!(lost.is_none() || !lead, "seed {}: {lost:?} has no end", self.seed);
    }
}

fn many() -> u64 {
    std::env::var("BOXSTEP_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(60)
}

#[test]
fn delegates_on_other_robots_run_and_end_once_each() {
    for seed in 0..5 {
        let mut stage = Stage::new(3, seed, Lost::GoOn);
        stage.begin();
        stage.end();
        let account = stage.account.borrow();
        let done = account.delegations.iter().filter(|one| one.done).count();
        assert!(done >= 12, "seed {seed}: {done} of {}", account.delegations.len());
        // Nothing else fails in a fleet that is whole than what falls.
        assert!(account.failures.iter().all(|why| why == "it fell"), "{:?}", account.failures);
    }
}

#[test]
fn a_robot_that_is_cut_off_at_any_instant_stops_and_counts_as_failed() {
    let mut failed = 0;
    for seed in 0..many() {
        let mut stage = Stage::new(3, seed, Lost::GoOn);
        let mut random = Random::new(seed);
        let (at, gone, robot) = (random.unit() * 12.0, random.unit() * 8.0, (seed % 3) as usize);
        stage.begin();
        stage.pass(at);
        stage.fleet.move_to_part(robot, 7);
        stage.pass(gone.max(0.1));
        if gone > 1.0 + ORPHANED {
            let cut: Vec<usize> = if robot == 0 { vec![1, 2] } else { vec![robot] };
            for guest in cut {
                let player = stage.fleet.member(guest).unwrap().player();
                assert!(player.acts.is_empty(), "seed {seed}");
                // Without its lead the scene is over for the show, unless the robot is cut off from that, too.
                if player.guest.is_some() {
                    assert_eq!(player.model.holds.as_deref(), Some("Crouch"), "seed {seed}");
                }
            }
        }
        let began = stage.account.borrow().delegations.len();
        stage.fleet.move_to_part(robot, 0);
        stage.pass(3.0);
        // A robot that is back is asked again, in the same scene.
        let asked = |one: &Delegation| one.robot == robot || robot == 0;
        let again = stage.account.borrow().delegations[began..].iter().any(asked);
        assert!(again || robot == 0 || stage.fleet.seconds() > SCENE - 5.0, "seed {seed}");
        stage.end();
        failed += stage.account.borrow().failures.iter().filter(|why| *why == "it is not heard any more").count();
    }
    assert!(failed > 5, "{failed} delegates were lost with their robot");
}

#[test]
fn a_process_that_is_killed_at_any_instant_does_nothing_twice() {
    for seed in 0..many() {
        let mut stage = Stage::new(3, seed, Lost::GoOn);
        let mut random = Random::new(seed + 77);
        let (at, gone, robot) = (random.unit() * 15.0, random.unit() * 3.0, (seed % 3) as usize);
        stage.begin();
        stage.pass(at);
        stage.fleet.kill(robot);
        stage.pass(gone);
        stage.fleet.start(robot);
        stage.end();
    }
}

#[test]
fn a_stop_at_any_instant_stops_what_others_do() {
    for seed in 0..many() / 2 {
        let mut stage = Stage::new(3, seed, Lost::GoOn);
        let mut random = Random::new(seed + 5);
        stage.begin();
        stage.pass(random.unit() * 15.0);
        stage.fleet.stop_from((seed % 3) as usize);
        stage.pass(0.5);
        for robot in 1..3 {
            let acts = &stage.fleet.member(robot).unwrap().player().acts;
            assert!(acts.is_empty(), "seed {seed}: {acts:?}");
        }
        stage.end();
    }
}

#[test]
fn a_robot_that_a_person_stops_fails_with_the_reason_and_the_character_goes_on() {
    for seed in 0..10 {
        let mut stage = Stage::new(3, seed, Lost::GoOn);
        stage.begin();
        stage.fleet.member(1).unwrap().stop("Ann");
        stage.pass(3.0);
        let before = stage.account.borrow().delegations.len();
        stage.pass(5.0);
        let account = stage.account.borrow();
        assert!(account.delegations[before..].iter().all(|one| one.robot == 2), "seed {seed}");
        assert!(account.delegations.len() > before, "seed {seed}");
        drop(account);
        let state = stage.fleet.member(1).unwrap().status(Time::ZERO).state;
        assert_eq!(state, MemberState::Stopped { by: "Ann".to_owned() });
        stage.end();
    }
}

#[test]
fn the_same_seed_gives_the_same_delegations() {
    let run = |seed| {
        let mut stage = Stage::new(3, seed, Lost::GoOn);
        stage.begin();
        stage.pass(4.0);
        stage.fleet.move_to_part(1, 3);
        stage.pass(2.0);
        stage.fleet.move_to_part(1, 0);
        stage.end();
        let account = stage.account.borrow();
        format!("{account:?} {}", stage.fleet.sent())
    };
    assert_eq!(run(3), run(3));
    assert_ne!(run(3), run(4));
}
