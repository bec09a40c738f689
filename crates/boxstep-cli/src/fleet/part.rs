//! A robot's part in a show as a run: an empty behavior, beside which the behaviors of the show are loaded and started.

use super::trace::PartTrace;
use crate::args::{Accept, AcceptArgs};
use crate::failure::Failure;
use crate::run::{Attachment, StartedRun};
use crate::uploads::UploadStore;
use boxstep_bodies::Body;
use boxstep_engine::Engine;
use boxstep_engine::config::Control;
use boxstep_engine::shared::Shared;
use boxstep_engine::trace::{Event, Footer, Header, Kind, Paths, Sink};
use boxstep_fleet::clock::SlewClock;
use boxstep_fleet::player::PartId;
use boxstep_record::Normal;
use boxstep_trace::BehaviorPhase;
use boxstep_types::{BoxPath, Time, Value};
use boxstep_view::Models;
use std::collections::{HashMap, HashSet};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How the clock of a run passes.
#[derive(Clone)]
pub(crate) enum RunClock {
    /// As the player says, in virtual time.
    Virtual,
    /// As the machine's clock, a little faster or slower.
    #[cfg_attr(not(feature = "fleet"), expect(dead_code, reason = "only members of a real fleet have it"))]
    Real(Arc<RealRunClock>),
}

/// The clock of a run in real time, which the member sets and the engine reads.
pub(crate) struct RealRunClock {
    zero: Instant,
    now: Mutex<SlewClock>,
}

impl RealRunClock {
    #[cfg(feature = "fleet")]
    pub(crate) fn new() -> Self {
        Self { zero: Instant::now(), now: Mutex::new(SlewClock::starting(Time::ZERO)) }
    }

    /// Returns the time of this process.
    pub(crate) fn local(&self) -> Time {
        Time::ZERO + self.zero.elapsed()
    }

    #[cfg(feature = "fleet")]
    pub(crate) fn set(&self, clock: SlewClock) {
        *self.now.lock().unwrap_or_else(PoisonError::into_inner) = clock;
    }

    /// Returns the time of the run.
    pub(crate) fn read(&self) -> Time {
        let clock = *self.now.lock().unwrap_or_else(PoisonError::into_inner);
        clock.at(self.local())
    }
}

/// What has happened in the run of a part.
pub(crate) enum Heard {
    Behavior {
        phase: BehaviorPhase,
        name: Arc<str>,
        root: Option<BoxPath>,
    },
    Failed {
        name: Arc<str>,
        error: String,
    },
    /// A script has raised an exception.
    Raised {
        path: BoxPath,
        error: String,
    },
    /// An output, or an input, of a box was stimulated.
    Port {
        /// The number of the event.
        n: u64,
        path: BoxPath,
        port: Arc<str>,
        value: Value,
    },
    /// An event of the robot's memory.
    Event {
        n: u64,
        key: Arc<str>,
        value: Value,
    },
    /// A call of the player has begun, which has this number.
    Began(u64, PartCall),
    /// The call of this number has ended.
    Done(u64),
}

/// A call of the player that takes time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PartCall {
    /// It plays a sound.
    Sound,
    /// The robot goes to a posture.
    Posture,
}

impl PartCall {
    pub(crate) const ALL: [Self; 2] = [Self::Sound, Self::Posture];

    /// Returns the service and the method.
    pub(crate) fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Sound => ("ALAudioPlayer", "playFile"),
            Self::Posture => ("ALRobotPosture", "goToPosture"),
        }
    }

    fn of(service: &str, method: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|call| call.names() == (service, method))
    }
}

/// How the run of a part has ended.
#[derive(Clone)]
pub(crate) enum PartEnd {
    /// It was stopped.
    Stopped,
    /// It has failed, or could not begin, for this reason.
    Failed(String),
}

/// A file that a part needs.
pub(crate) struct PartFile {
    /// The index of its package in the show.
    pub(crate) package: usize,
    pub(crate) name: String,
    pub(crate) path: PathBuf,
}

/// Connects a player with the run of its part, which has a thread of its own.
pub(crate) struct PartLink {
    /// Whose part it is.
    pub(crate) part: PartId,
    pub(crate) files: Vec<PartFile>,
    pub(crate) clock: RunClock,
    /// The names of ports, and the keys of events, that give signals.
    pub(crate) ports: Vec<String>,
    pub(crate) keys: Vec<String>,
    /// The trace of the run.
    pub(crate) trace: PartTrace,
    state: Mutex<PartState>,
    changed: Condvar,
}

/// The state of a part's run.
#[derive(Default)]
pub(crate) struct PartState {
    /// The engine, while it can be played on.
    pub(crate) engine: Option<Shared<Engine>>,
    /// How characters are put on it.
    pub(crate) staged: Option<Staged>,
    /// What has happened, and when, by the engine's time.
    pub(crate) heard: Vec<(Time, Heard)>,
    /// How the run ended.
    pub(crate) over: Option<PartEnd>,
    /// The run is to end. It may still be connecting, and have no engine.
    ending: Option<Ending>,
    arrivals: u64,
}

/// What a character needs to know of the run that plays it.
#[derive(Clone)]
pub(crate) struct Staged {
    pub(crate) language: String,
    pub(crate) body: &'static Body,
    pub(crate) stop_within: Time,
}

/// How the run of a part is to end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Ending {
    /// In the ordinary way.
    Closed,
    /// At once, with the robot.
    Stopped,
}

impl Ending {
    fn tell(self, engine: &Shared<Engine>) {
        let control = match self {
            Ending::Closed => Control::Stop,
            Ending::Stopped => Control::Interrupt,
        };
        // The engine refuses only controls of boxes that do not exist; these name no box.
        let _ = engine.poke(|engine| engine.control(Time::ZERO, control));
    }
}

impl PartLink {
    pub(crate) fn new(
        part: PartId,
        files: Vec<PartFile>,
        clock: RunClock,
        ports: Vec<String>,
        keys: Vec<String>,
    ) -> Arc<Self> {
        let (trace, state) = (PartTrace::default(), Mutex::default());
        Arc::new(Self { part, files, clock, ports, keys, trace, state, changed: Condvar::new() })
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, PartState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn change(&self, change: impl FnOnce(&mut PartState)) {
        change(&mut self.state());
        self.changed.notify_all();
    }

    /// Waits until the run has ended, for at most this long.
    pub(crate) fn wait_for_end(&self, most: Duration) {
        drop(self.changed.wait_timeout_while(self.state(), most, |state| state.over.is_none()));
    }

    /// Waits until the condition holds.
    pub(crate) fn wait_until(&self, condition: impl Fn(&PartState) -> bool) {
        drop(self.changed.wait_while(self.state(), |state| !condition(state)));
    }

    /// Returns the engine, while it can be played on.
    pub(crate) fn engine(&self) -> Option<Shared<Engine>> {
        self.state().engine.clone()
    }

    /// Ends the run, also one that still connects, unless it was told that already.
    pub(crate) fn end(&self, how: Ending) {
        let mut state = self.state();
        if state.ending >= Some(how) {
            return;
        }
        state.ending = Some(how);
        let engine = state.engine.clone();
        // The engine passes events on to this link while it is locked.
        drop(state);
        if let Some(engine) = engine {
            how.tell(&engine);
        }
    }

    /// Returns whether the run is to end.
    pub(crate) fn is_ending(&self) -> bool {
        self.state().ending.is_some()
    }

    /// Returns whether the run has ended.
    pub(crate) fn is_over(&self) -> bool {
        self.state().over.is_some()
    }

    /// Makes the engine available to the player, which may have ended the run meanwhile.
    pub(super) fn open(&self, engine: &Shared<Engine>) {
        let mut ending = None;
        self.change(|state| (state.engine, ending) = (Some(engine.clone()), state.ending));
        if let Some(how) = ending {
            how.tell(engine);
        }
    }

    /// Lets virtual time pass up to this time. Returns early if the run ends.
    pub(crate) fn drive_until(&self, time: Time) {
        use boxstep_engine::objects::Goal;
        let Some(engine) = self.engine() else { return };
        let before = self.state().arrivals;
        let aims = engine.poke(|engine| engine.aim_at(Goal::Until(time), None)).is_ok();
        // A run that has no goal any more is over soon.
        self.wait_until(|state| state.over.is_some() || aims && state.arrivals > before && state.ending.is_none());
    }
}

/// Makes the engine of a run available to the player.
pub(crate) struct PlayedPart {
    pub(crate) link: Arc<PartLink>,
    pub(crate) uploads: UploadStore,
    pub(crate) staged: Staged,
    pub(crate) models: Option<Models>,
    pub(crate) normal: Normal,
}

impl Attachment for PlayedPart {
    fn sinks(&mut self) -> Vec<Box<dyn Sink>> {
        let trace = self.link.trace.sink(std::mem::take(&mut self.normal));
        vec![Box::new(PartSink { link: self.link.clone(), leaves: HashSet::new() }), Box::new(trace)]
    }

    fn attach(&mut self, started: &StartedRun) -> Result<(), Failure> {
        // Only this process installs; the address says that nobody else is asked.
        let (accept, here) = (AcceptArgs { accept_behaviors: Accept::Always }, (Ipv4Addr::LOCALHOST, 0));
        let inbox =
            self.uploads.inbox(&accept, SocketAddr::from(here), started.engine.clone(), None, self.models.clone());
        let mut packages: HashMap<String, &PartFile> = HashMap::new();
        let archives = || self.link.files.iter().filter(|file| is_archive(&file.name));
        self.uploads.make_room(archives().count());
        for file in archives() {
            let bytes = std::fs::read(&file.path).map_err(|e| Failure::io(&file.path, &e))?;
            let installed = inbox.install(&file.name, &bytes).map_err(Failure::Usage)?;
            for (_, behavior) in installed.behaviors {
                let other = packages.insert(behavior.clone(), file);
                if let Some(other) = other.filter(|other| other.package != file.package) {
                    let why = format!("{} and {} both have a behavior {behavior}", other.name, file.name);
                    return Err(Failure::Usage(why));
                }
            }
        }
        let link = self.link.clone();
        let mut engine = started.engine.lock();
        engine.keep_open(true);
        match &self.link.clock {
            RunClock::Virtual => engine.go_by_goals(move || link.change(|state| state.arrivals += 1)),
            RunClock::Real(clock) => {
                let (clock, zero) = (clock.clone(), clock.read());
                engine.set_machine_clock(move || Time::ZERO + clock.read().since(zero));
            }
        }
        drop(engine);
        self.link.change(|state| state.staged = Some(self.staged.clone()));
        self.link.open(&started.engine);
        Ok(())
    }

    fn detach(&mut self) {
        self.link.change(|state| state.engine = None);
        self.uploads.clear();
    }
}

/// Returns whether a file of a show is an archive with behaviors, and not a sound.
pub(crate) fn is_archive(name: &str) -> bool {
    boxstep_format::archive::ArchiveKind::of_path(name.as_ref()).is_some()
}

/// Passes on what the player wants to know.
struct PartSink {
    link: Arc<PartLink>,
    /// The leaves of characters. What they play is not a behavior of a scene, whatever its name.
    leaves: HashSet<BoxPath>,
}

impl PartSink {
    fn heard(&mut self, event: &Event, paths: &Paths) -> Option<Heard> {
        match &event.kind {
            Kind::Delegation(_) => {
                self.leaves.extend(paths.get(event.path));
                None
            }
            Kind::Behavior { phase, name } => {
                let root = paths.get(event.path);
                let of_leaf = root.as_ref().and_then(BoxPath::parent).is_some_and(|leaf| self.leaves.contains(&leaf));
                (!of_leaf).then(|| Heard::Behavior { phase: *phase, name: name.clone(), root })
            }
            Kind::BehaviorFailed { name, error } => {
                Some(Heard::Failed { name: name.clone(), error: error.to_string() })
            }
            Kind::Raised { error, .. } => {
                Some(Heard::Raised { path: paths.get(event.path)?, error: error.to_string() })
            }
            Kind::Output { port, value } | Kind::Input { port, value } => {
                self.link.ports.iter().find(|wanted| **wanted == **port)?;
                let (path, port) = (paths.get(event.path)?, port.to_string().into());
                Some(Heard::Port { n: event.n, path, port, value: value.clone() })
            }
            Kind::Event { key, value, .. } => {
                self.link.keys.iter().find(|wanted| **wanted == **key)?;
                Some(Heard::Event { n: event.n, key: key.clone(), value: value.clone() })
            }
            // The player's calls belong to no box.
            Kind::Service(call) if paths.get(event.path).is_none() => {
                PartCall::of(&call.service, &call.method).map(|call| Heard::Began(event.n, call))
            }
            Kind::ServiceDone(done) => PartCall::of(&done.service, &done.method).map(|_| Heard::Done(event.cause)),
            Kind::Unsupported { service, method, .. } => {
                PartCall::of(service, method).map(|_| Heard::Done(event.cause))
            }
            _ => None,
        }
    }
}

impl Sink for PartSink {
    fn begin(&mut self, _: &Header) {}

    fn events(&mut self, events: &[Event], paths: &Paths) {
        let heard: Vec<(Time, Heard)> =
            events.iter().filter_map(|event| Some((event.t, self.heard(event, paths)?))).collect();
        if !heard.is_empty() {
            self.link.change(|state| state.heard.extend(heard));
        }
    }

    fn end(&mut self, _: &Footer) {}
}
