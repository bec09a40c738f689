//! A run that another program drives step by step: the base of the Python package.
//!
//! The engine runs on its own threads; its scripts, if there are any, run in a helper process. See
//! `docs/reference/python-api.md`.

use crate::args::RunSpec;
use crate::body;
use crate::character::{self, LoadedCharacter};
use crate::failure::Failure;
use crate::open::{self, Chosen};
use crate::playable::Playable;
use crate::run::{Attachment, Listener, Run, StartedRun};
use crate::run_setup::{PreparedRun, RunSetup, RunStart};
use crate::settings::Settings;
use boxstep_api::play::resource_tree;
use boxstep_bodies::BodyKind;
use boxstep_engine::Engine;
use boxstep_engine::config::{Config, Control, NoLibrary};
use boxstep_engine::objects::{Arrival, Error, Goal};
use boxstep_engine::protocol::Scheduler;
use boxstep_engine::runner::RunnerId;
use boxstep_engine::shared::{Host as _, Shared};
use boxstep_engine::trace::{Header, Schema, Sink};
use boxstep_record::{JsonLines, Normal, TraceFile};
use boxstep_script::options::Options;
pub use boxstep_script::process::Functions;
use boxstep_script::process::ProcessHost;
use boxstep_services::{SimOptions, SimRobot};
use boxstep_test::Given;
use boxstep_types::{BoxPath, Time, Value};
use serde::Deserialize;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// What to play, and how. The fields have the same names in JSON.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Wanted {
    /// The file of the behavior or character. Without it a run has only what the caller creates in it.
    pub file: Option<PathBuf>,
    /// The Python that runs scripts.
    pub python: PathBuf,
    /// The options of the run, with the names of the options of `play`.
    pub spec: serde_json::Map<String, serde_json::Value>,
    /// Further inputs, with the keys of a test file.
    pub given: serde_json::Map<String, serde_json::Value>,
}

impl Wanted {
    /// Reads the options from a JSON text.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn from_json(text: &str) -> Result<Self, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }
}

/// A run that is open, whether it is being driven or rests.
pub struct Session {
    engine: Shared<Engine>,
    is_virtual: bool,
    waker: Arc<Waker>,
    lines: Lines,
    trace: TraceFile<Lines>,
    thread: Mutex<Option<JoinHandle<Result<(), String>>>>,
    /// Set when the script host has ended: an empty text, or why the run could not continue.
    broken: Arc<Mutex<Option<String>>>,
    /// The runner of the character that plays, if one plays.
    character: Option<RunnerId>,
    /// Held by the thread that lets time pass; only one may.
    driver: Mutex<()>,
    /// Keeps the folder of an unpacked archive until the session is dropped.
    _chosen: Option<Chosen>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Counts how often the run has come to rest, and wakes the threads that wait for that.
#[derive(Default)]
struct Waker {
    count: Mutex<u64>,
    changed: Condvar,
}

impl Waker {
    fn notify(&self) {
        *lock(&self.count) += 1;
        self.changed.notify_all();
    }

    fn count(&self) -> u64 {
        *lock(&self.count)
    }

    /// Waits until the count differs from `seen`, for at most `most`.
    fn wait(&self, seen: u64, most: Duration) {
        let count = lock(&self.count);
        drop(self.changed.wait_timeout_while(count, most, |count| *count == seen));
    }
}

/// The trace lines that no caller has taken yet.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        lock(&self.0).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// How often a thread that waits for the run calls the caller's check.
const CHECK_INTERVAL: Duration = Duration::from_millis(50);

impl Session {
    /// Opens a run. With a virtual clock nothing happens in it until it is driven; with a real clock its time passes at
    /// once.
    ///
    /// # Errors
    /// A readable description of what is wrong with the file or the inputs.
    pub fn open(wanted: &Wanted, functions: Arc<dyn Functions>) -> Result<Self, String> {
        Self::start(wanted, functions).map_err(|failure| {
            let text = failure.to_string();
            anstream::adapter::strip_str(&text).to_string().trim_end().to_owned()
        })
    }

    fn start(wanted: &Wanted, functions: Arc<dyn Functions>) -> Result<Self, Failure> {
        let given = Given::from_json(&serde_json::Value::Object(wanted.given.clone())).map_err(Failure::Usage)?;
        let lines = Lines::default();
        let character = wanted.file.as_deref().and_then(character::file_of);
        let spec = RunSpec::read(&wanted.spec).and_then(|spec| spec.with_defaults(&RunSpec::of_file(&given)));
        let spec = spec.map_err(Failure::Usage)?;
        let open = |file: &PathBuf| open::behavior(file, spec.behavior.as_deref());
        let chosen = wanted.file.as_ref().filter(|_| character.is_none()).map(open).transpose()?;
        let load = |file: &PathBuf| LoadedCharacter::read(file, &character::parameters(&given)?);
        let loaded = character.as_ref().map(load).transpose()?;
        let playable = chosen.as_ref().map(Playable::from).or_else(|| loaded.as_ref().map(Playable::from));
        let normal = playable.map_or_else(|| Ok(Normal::new()), Playable::normal)?;
        let (sink, trace) = JsonLines::new(lines.clone(), normal);
        let waker = Arc::new(Waker::default());
        let (mut listener, mut goals) = (Listener::new(sink), Goals { waker: waker.clone(), character: None });
        let prepare = |sinks| prepare(wanted, &spec, &given, playable, sinks);
        let engine = Run::start(prepare, vec![&mut listener, &mut goals])?.engine();
        let character = goals.character;
        let is_virtual = spec.virtual_time;
        let host = ProcessHost::on_demand(
            wanted.python.clone(),
            vec!["boxstep".into()],
            options(wanted, &spec)?,
            is_virtual,
            functions,
        );
        let broken = Arc::new(Mutex::new(None));
        let (driven, why, ended) = (engine.clone(), broken.clone(), waker.clone());
        let thread = std::thread::Builder::new().name("boxstep".to_owned()).spawn(move || {
            let done = host.drive(&driven);
            *lock(&why) = Some(done.clone().err().unwrap_or_default());
            ended.notify();
            done
        })?;
        let thread = Mutex::new(Some(thread));
        let driver = Mutex::default();
        Ok(Self { engine, is_virtual, waker, lines, trace, thread, broken, character, driver, _chosen: chosen })
    }

    /// Returns whether the clock of the run is virtual.
    pub fn is_virtual(&self) -> bool {
        self.is_virtual
    }

    /// Locks the engine until the guard is dropped.
    pub fn engine(&self) -> MutexGuard<'_, Engine> {
        self.engine.lock()
    }

    /// Returns the number of the runner of the character that plays.
    pub fn runner(&self) -> Option<u32> {
        self.character.map(RunnerId::index)
    }

    /// Applies an action to the run from outside. With a virtual clock it then does all work that is due, so that the
    /// next action always finds the same state.
    ///
    /// # Errors
    /// The error of `check`.
    pub fn act<R, E>(
        &self,
        act: impl FnOnce(&mut Engine) -> R,
        check: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<R, E> {
        // If another thread lets time pass at the moment, it does the work that is due.
        let driver = self.is_virtual.then(|| self.driver.try_lock().ok()).flatten();
        let (result, due) = {
            let mut engine = self.engine.lock();
            let result = act(&mut engine);
            let due = driver.is_some() && !engine.at_rest();
            let now = engine.now();
            // Nothing is due once the run is over.
            (result, due && engine.aim_at(Goal::Until(now), None).is_ok())
        };
        self.engine.wake();
        if due {
            self.arrive(check)?;
        }
        Ok(result)
    }

    /// Lets the run continue until it reaches its goal. `check` is called now and then, and can end the wait by an
    /// error.
    ///
    /// # Errors
    /// The error of `check`.
    pub fn drive<E: From<Error>>(
        &self,
        goal: Goal,
        latest: Option<Time>,
        check: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Arrival, E> {
        let _driver = loop {
            if let Ok(driver) = self.driver.try_lock() {
                break driver;
            }
            let seen = self.waker.count();
            self.waker.wait(seen, CHECK_INTERVAL);
            check()?;
        };
        self.engine.poke(|engine| engine.aim_at(goal, latest))?;
        self.arrive(check)
    }

    fn arrive<E>(&self, check: &mut dyn FnMut() -> Result<(), E>) -> Result<Arrival, E> {
        loop {
            let seen = self.waker.count();
            if let Some(arrival) = self.engine.lock().arrival() {
                return Ok(arrival);
            }
            if lock(&self.broken).is_some() {
                return Ok(Arrival::Over);
            }
            self.waker.wait(seen, CHECK_INTERVAL);
            if let Err(why) = check() {
                self.leave_goal();
                return Err(why);
            }
        }
    }

    /// Lets the run rest where it is.
    pub fn leave_goal(&self) {
        self.engine.poke(Engine::leave_goal);
        self.waker.notify();
    }

    /// Returns the trace lines since the last call; only whole lines.
    pub fn take_lines(&self) -> String {
        self.engine.lock().flush_trace();
        self.trace.flush_now();
        let bytes = std::mem::take(&mut *lock(&self.lines.0));
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Ends the run, by a normal stop or like an interrupt, and waits for the end.
    ///
    /// # Errors
    /// The error of `check`; the run then ends in the background.
    pub fn close<E>(&self, interrupt: bool, check: &mut dyn FnMut() -> Result<(), E>) -> Result<(), E> {
        self.engine.poke(|engine| {
            let now = engine.now();
            let how = if interrupt { Control::Interrupt } else { Control::Stop };
            // The engine refuses only controls of boxes that do not exist; this one names no box.
            let _ = engine.control(now, how);
        });
        loop {
            let seen = self.waker.count();
            if lock(&self.broken).is_some() {
                break;
            }
            self.waker.wait(seen, CHECK_INTERVAL);
            check()?;
        }
        if let Some(thread) = lock(&self.thread).take() {
            let _ = thread.join();
        }
        Ok(())
    }

    /// Returns why the run could not continue, if it could not.
    pub fn broken(&self) -> Option<String> {
        lock(&self.broken).clone().filter(|why| !why.is_empty())
    }
}

impl Drop for Session {
    /// Stops a run that is dropped, without waiting for its end.
    fn drop(&mut self) {
        self.engine.poke(|engine| {
            let now = engine.now();
            // The engine refuses only controls of boxes that do not exist; this one names no box.
            let _ = engine.control(now, Control::Stop);
        });
    }
}

fn options(wanted: &Wanted, spec: &RunSpec) -> Result<Options, Failure> {
    let project = wanted.file.as_ref().map(|file| Settings::for_path(file)).transpose()?.unwrap_or_default();
    let project = &project.config;
    Ok(Options {
        epoch: spec.epoch(),
        seed: spec.seed.unwrap_or_default(),
        network: spec.network,
        patience: spec.patience(),
        dialect: project.dialect,
        language: spec.language.clone().or_else(|| project.language.clone()).unwrap_or_default(),
        installed_qi: project.installed_qi,
        as_written: false,
        args: spec.args.clone(),
        robot: String::new(),
    })
}

/// Makes the engine run by goals and notifies the waker at each arrival.
struct Goals {
    waker: Arc<Waker>,
    /// The runner of the character that plays, if one plays.
    character: Option<RunnerId>,
}

impl Attachment for Goals {
    fn attach(&mut self, started: &StartedRun) -> Result<(), Failure> {
        let waker = self.waker.clone();
        started.engine.lock().go_by_goals(move || waker.notify());
        self.character = started.performance.take().map(|performance| performance.runner);
        Ok(())
    }
}

fn prepare(
    wanted: &Wanted,
    spec: &RunSpec,
    given: &Given,
    playable: Option<Playable<'_>>,
    sinks: Vec<Box<dyn Sink>>,
) -> Result<PreparedRun, Failure> {
    let config = spec.config();
    if let (Some(file), Some(playable)) = (&wanted.file, playable) {
        let settings = Settings::for_path(file)?;
        let setup = RunSetup::new(playable, spec, given, &settings)?;
        return setup.engine(config, sinks, RunStart::Opened);
    }
    let asked = spec.body.as_deref().map(body::asked).transpose()?;
    let body = asked.unwrap_or_else(|| BodyKind::Nao.body());
    let language = spec.language.clone().unwrap_or_else(|| SimOptions::default().language);
    let config = Config { resources: resource_tree(), mocks: given.mocks(), ..config };
    let header = Header {
        schema: Schema,
        product: format!("boxstep {}", env!("CARGO_PKG_VERSION")),
        files: Vec::new(),
        body: body.to_string(),
        clock: config.clock,
        seed: config.seed,
        epoch: spec.epoch(),
        parameters: Vec::new(),
        options: vec![("language".to_owned(), Value::from(language.as_str()))],
        started: None,
        show: None,
    };
    let robot = SimRobot::new(SimOptions {
        body,
        language,
        name: body.to_string(),
        epoch: spec.robot_epoch(),
        world: body::world(spec.world.as_deref())?,
        physics: body::physics(spec.physics, body)?,
        ..SimOptions::default()
    });
    let mut engine = Engine::new(config, Box::new(robot), Box::new(NoLibrary), &header, sinks);
    given.apply(&mut engine).map_err(|refused| Failure::Usage(format!("{}: {}", refused.what, refused.why)))?;
    Ok(PreparedRun { engine, untranslated: None, performance: None })
}

/// Returns the control that `what` names: `event`, `memory`, `stimulate` or `set`. `path` is the key of an event or
/// memory value, or the path of the box.
///
/// # Errors
/// Why there is no such control, or why the path is invalid.
pub fn control(what: &str, path: &str, name: &str, value: Value) -> Result<Control, String> {
    let the_box = || path.parse::<BoxPath>().map_err(|error| error.to_string());
    Ok(match what {
        "event" => Control::Event { key: path.to_owned(), value },
        "hear" => Control::Hear { text: path.to_owned() },
        "memory" => Control::Remember { key: path.to_owned(), value },
        "stimulate" => Control::Stimulate { path: the_box()?, port: name.to_owned(), value },
        "set" => Control::SetParameter { path: the_box()?, parameter: name.to_owned(), value },
        other => return Err(format!("nothing is called {other}")),
    })
}
