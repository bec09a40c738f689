//! Plays a robot's part with an engine.

mod noted;
mod run;
mod scene;
#[cfg(test)]
mod tests;

use super::acting::Acting;
use super::character_package::is_character;
use super::part::{Ending, PartCall, PartEnd, PartFile, PartLink, RunClock, is_archive};
use crate::exit;
use crate::failure::Failure;
use boxstep_engine::Engine;
use boxstep_engine::config::Control;
use boxstep_fleet::digest::Digest;
use boxstep_fleet::elsewhere::{GuestDesk, LeadDesk};
use boxstep_fleet::player::{PartId, Player, PlayerEvent, SignalId};
use boxstep_fleet::sample::{Sample, Sampler};
use boxstep_fleet::show::{Show, Signal};
use boxstep_types::{Time, Value};
use scene::{Call, Loaded, Scene};
use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Plays a run whose part a player controls, to its end.
pub(crate) type Launch = Arc<dyn Fn(&Arc<PartLink>) -> Result<i32, Failure> + Send + Sync>;

/// Who stops a robot with Ctrl-C at its own computer, by whatever way others hear of it.
pub(crate) const PERSON: &str = "a person at the robot's computer";
/// How long a run that is stopped has to end.
const WIND_DOWN: Duration = Duration::from_secs(5);
/// The speed with which a robot goes to the posture in which it waits.
const POSTURE_SPEED: f64 = 0.5;

/// Plays a robot's part with an engine. Its run has a thread of its own.
pub(crate) struct EnginePlayer {
    launch: Launch,
    clock: RunClock,
    /// Returns where a file is.
    find: Box<dyn Fn(Digest) -> PathBuf + Send>,
    /// The folder of sounds, which need their names.
    sounds: PathBuf,
    run: Option<PartRun>,
    /// The thread of the run before, which still ends.
    ending: Option<JoinHandle<()>>,
    /// The links of the runs before, which have a recording once they have ended.
    closed: Vec<Arc<PartLink>>,
    happened: Vec<PlayerEvent>,
}

/// The run of a part.
struct PartRun {
    link: Arc<PartLink>,
    thread: JoinHandle<()>,
    show: Show,
    robot: usize,
    sampler: Sampler,
    is_open: bool,
    /// The member's time of the run at which the engine's time was zero.
    zero: Time,
    now: Time,
    /// A scene was started.
    has_started: bool,
    /// The scene that is to be loaded.
    loading: Option<usize>,
    /// The scene that is loaded and not started.
    ready: Option<usize>,
    /// The scene that plays.
    scene: Option<Scene>,
    /// The scene that begins at its time. Until then everything belongs to the one that plays.
    next: Option<Scene>,
    /// The way to the posture in which the robot waits.
    posture: Call,
    /// The behaviors that are being loaded, are loaded, or play.
    loaded: HashMap<Arc<str>, Loaded>,
    /// The characters of scenes.
    acting: Acting,
    trouble: Option<String>,
}

impl EnginePlayer {
    /// Creates a player whose files are where `find` says. Sounds get their names in the folder `sounds`.
    pub(crate) fn new(
        launch: Launch,
        clock: RunClock,
        find: impl Fn(Digest) -> PathBuf + Send + 'static,
        sounds: PathBuf,
    ) -> Self {
        Self {
            launch,
            clock,
            find: Box::new(find),
            sounds,
            run: None,
            ending: None,
            closed: Vec::new(),
            happened: Vec::new(),
        }
    }

    /// Ends the run and waits until it has.
    pub(crate) fn join(&mut self) {
        self.close();
        if let Some(thread) = self.ending.take() {
            // A panic was printed by the thread.
            let _ = thread.join();
        }
    }

    /// Returns the links of the run and of those before it that have not been looked at since they ended.
    fn links(&self) -> impl Iterator<Item = &Arc<PartLink>> {
        self.closed.iter().chain(self.run.iter().map(|run| &run.link))
    }

    /// Keeps what is left of a run that ends, or has ended.
    fn keep(&mut self, run: PartRun) {
        self.ending = Some(run.thread);
        self.closed.push(run.link);
    }

    fn files(&self, show: &Show, robot: usize) -> io::Result<Vec<PartFile>> {
        let mut files = Vec::new();
        for package in show.packages_of(robot) {
            let of = &show.packages[package];
            let (name, mut path) = (of.name.clone(), (self.find)(of.digest));
            if !is_archive(&name) && !is_character(&name) {
                path = named_sound(&self.sounds, &path, &name, of.digest)?;
            }
            files.push(PartFile { package, name, path });
        }
        Ok(files)
    }
}

/// Gives a sound the name by which robots recognize its format, in a folder of its own.
fn named_sound(sounds: &Path, path: &Path, name: &str, digest: Digest) -> io::Result<PathBuf> {
    let plain = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_') { c } else { '-' };
    let name: String = name.chars().map(plain).collect();
    let folder = sounds.join(digest.to_string());
    fs::create_dir_all(&folder)?;
    let named = folder.join(name.trim_start_matches('.'));
    if !named.exists() {
        // Another program of this computer may give it its name at the same time.
        let copy = tempfile::NamedTempFile::new_in(&folder)?;
        fs::copy(path, copy.path())?;
        copy.persist(&named).map_err(|e| e.error)?;
    }
    Ok(named)
}

/// A call of a service.
fn call(service: &str, method: &str, args: Vec<Value>) -> Control {
    Control::Call { service: service.to_owned(), method: method.to_owned(), args }
}

fn end_of(result: Result<i32, Failure>) -> PartEnd {
    match result {
        Ok(exit::FAILED) => PartEnd::Failed("the run has failed".to_owned()),
        Ok(_) => PartEnd::Stopped,
        Err(why) => PartEnd::Failed(anstream::adapter::strip_str(&why.to_string()).to_string().trim().to_owned()),
    }
}

impl Drop for EnginePlayer {
    /// Stops the robot in whatever way the program ends.
    fn drop(&mut self) {
        self.stop();
        let until = Instant::now() + WIND_DOWN;
        for link in self.links() {
            link.wait_for_end(until.saturating_duration_since(Instant::now()));
        }
    }
}

impl Player for EnginePlayer {
    fn prepare(&mut self, show: &Show, robot: usize, part: PartId) {
        self.close();
        let files = match self.files(show, robot) {
            Ok(files) => files,
            Err(why) => return self.happened.push(PlayerEvent::Refused(vec![format!("a file of the show: {why}")])),
        };
        let (mut ports, mut keys) = (Vec::new(), Vec::new());
        for cue in show.cues.iter().filter(|cue| cue.from == robot) {
            match &cue.when {
                Signal::Port { port, .. } => ports.push(port.clone()),
                Signal::Event { key } => keys.push(key.clone()),
            }
        }
        let link = PartLink::new(part, files, self.clock.clone(), ports, keys);
        let (launch, of_run, before) = (self.launch.clone(), link.clone(), self.ending.take());
        let run = move || {
            // The robot is free once the run before has ended.
            let _ = before.map(JoinHandle::join);
            let over = match of_run.is_ending() {
                true => PartEnd::Stopped,
                false => end_of(launch(&of_run)),
            };
            of_run.change(|state| (state.engine, state.over) = (None, Some(over)));
        };
        match std::thread::Builder::new().name("part".to_owned()).spawn(run) {
            Ok(thread) => {
                self.run = Some(PartRun {
                    link,
                    thread,
                    show: show.clone(),
                    robot,
                    sampler: Sampler::default(),
                    is_open: false,
                    zero: Time::ZERO,
                    now: Time::ZERO,
                    has_started: false,
                    loading: None,
                    ready: None,
                    scene: None,
                    next: None,
                    posture: Call::Over,
                    loaded: HashMap::new(),
                    acting: Acting::default(),
                    trouble: None,
                });
            }
            Err(why) => self.happened.push(PlayerEvent::Refused(vec![format!("no thread can be started: {why}")])),
        }
    }

    fn load(&mut self, scene: usize) {
        if let Some(run) = &mut self.run {
            run.loading = Some(scene);
            run.load_waiting(&mut self.happened);
        }
    }

    fn start(&mut self, scene: usize, at: Time) {
        let Some(run) = &mut self.run else { return };
        let (behavior, sound) = (run.behavior(scene), run.sound(scene));
        let playing = run.scene.as_ref().and_then(|scene| scene.behavior.as_ref());
        let again = behavior.is_some() && playing == behavior.as_ref();
        run.end_earlier(at);
        let mut begins = Vec::new();
        if let Some(behavior) = &behavior {
            begins.push(call("ALBehaviorManager", "startBehavior", vec![Value::from(&**behavior)]));
        }
        if let Some(sound) = &sound {
            let (service, method) = PartCall::Sound.names();
            begins.push(call(service, method, vec![sound.as_str().into()]));
        }
        run.note_scene(at, scene, begins);
        run.acting.start(scene, at, &run.show, run.robot);
        run.has_started = true;
        run.ready = run.ready.filter(|ready| *ready != scene);
        let sound = if sound.is_some() { Call::Told } else { Call::Over };
        run.next = Some(Scene { index: scene, at, behavior, sound, again, begun: false });
    }

    fn end(&mut self) {
        if let Some(run) = &mut self.run {
            run.end_earlier(run.now);
        }
    }

    fn clock(&mut self, sample: Sample) {
        if let Some(run) = &mut self.run {
            run.clock(sample);
        }
    }

    fn gave(&mut self, cue: usize, number: u64, event: u64) {
        if let Some(run) = &mut self.run {
            run.note_given(cue, number, event);
        }
    }

    fn cue(&mut self, cue: usize, signal: SignalId, value: &Value, at: Time) {
        let Some(run) = &mut self.run else { return };
        let Some(then) = run.show.cues.get(cue).map(|cue| cue.then.clone()) else { return };
        let got = run.got(cue, signal);
        match then {
            Signal::Port { path, port } => match run.full_path(&path, at) {
                Some(path) => run.note(at, 0, got, vec![Control::Stimulate { path, port, value: value.clone() }]),
                None => run.trouble = Some(format!("a signal came for {path}, and no scene plays that has it")),
            },
            Signal::Event { key } => run.note(at, 0, got, vec![Control::Event { key, value: value.clone() }]),
        }
    }

    fn hold(&mut self, posture: Option<&str>) {
        let Some(run) = &mut self.run else { return };
        run.end_earlier(run.now);
        run.scene = None;
        run.go_to(posture);
    }

    fn stop(&mut self) {
        if let Some(run) = &mut self.run {
            (run.scene, run.next) = (None, None);
            run.acting.stop();
        }
        // A run that was closed may still move the robot.
        self.links().for_each(|link| link.end(Ending::Stopped));
    }

    fn close(&mut self) {
        if let Some(run) = self.run.take() {
            run.link.end(Ending::Closed);
            self.keep(run);
        }
        self.happened.clear();
    }

    fn lead(&self) -> Option<(usize, LeadDesk)> {
        self.run.as_ref()?.acting.lead()
    }

    fn guest(&self) -> Option<(usize, GuestDesk)> {
        self.run.as_ref()?.acting.guest()
    }

    fn records(&self) -> Option<u64> {
        self.links().next().map(|link| link.part.performance)
    }

    fn take_recording(&mut self) -> Option<(u64, Vec<u8>)> {
        if let (RunClock::Virtual, Some(link)) = (&self.clock, self.closed.first()) {
            // In virtual time nothing waits for a run that still ends.
            link.wait_until(|state| state.over.is_some());
        }
        let over = self.closed.iter().position(|link| link.is_over())?;
        let link = self.closed.remove(over);
        Some((link.part.performance, link.trace.take()?))
    }

    fn poll(&mut self, now: Time) -> Vec<PlayerEvent> {
        let Some(run) = &mut self.run else { return std::mem::take(&mut self.happened) };
        run.now = now;
        if let RunClock::Virtual = run.link.clock {
            // In virtual time nothing waits for a robot that is still being connected.
            run.link.wait_until(|state| state.engine.is_some() || state.over.is_some());
        }
        if let Some(engine) = run.link.engine() {
            match &run.link.clock {
                RunClock::Virtual => {
                    if !run.is_open {
                        run.zero = now;
                    }
                    run.link.drive_until(Time(now.0 - run.zero.0));
                }
                RunClock::Real(clock) => {
                    let time = engine.poke(|engine| {
                        engine.flush_trace();
                        Engine::time(engine)
                    });
                    run.zero = Time(clock.read().0 - time.0);
                }
            }
            if !std::mem::replace(&mut run.is_open, true) {
                run.note_part();
                self.happened.push(PlayerEvent::Prepared);
            }
        }
        run.act();
        let heard = std::mem::take(&mut run.link.state().heard);
        for (at, heard) in heard {
            let at = Time(at.0.saturating_add(run.zero.0));
            run.begin_next(at, &mut self.happened);
            run.heard(at, heard, &mut self.happened);
        }
        run.begin_next(now, &mut self.happened);
        if let Some(scene) = run.scene.as_mut().filter(|scene| now >= scene.at) {
            // What plays has begun one look earlier, so that it is not taken for ended before.
            let over = scene.begun && scene.is_over(&run.acting);
            scene.begun = true;
            if over {
                let index = scene.index;
                run.scene = None;
                self.happened.push(PlayerEvent::Ended(index, run.trouble.take()));
            }
        }
        let over = run.link.state().over.clone();
        if let Some(end) = over {
            let opened = run.is_open;
            if let Some(run) = self.run.take() {
                self.keep(run);
            }
            self.happened.push(match end {
                PartEnd::Stopped => PlayerEvent::Stopped(PERSON.to_owned()),
                PartEnd::Failed(why) if opened => PlayerEvent::Lost(why),
                PartEnd::Failed(why) => PlayerEvent::Refused(vec![why]),
            });
        }
        std::mem::take(&mut self.happened)
    }
}
