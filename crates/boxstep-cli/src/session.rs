//! A run that a program drives, bit by bit: what the Python package has.
//!
//! The engine runs on threads of its own; its scripts, if there are any, in a helper process. See `docs/python-api.md`.

use crate::args::RunSpec;
use crate::body;
use crate::character::{self, Cast};
use crate::failure::Failure;
use crate::open::{self, Chosen};
use crate::playable::Playable;
use crate::run::{Attachment, Begun, Listener, Run};
use crate::run_setup::{self, Begin, RunSetup, Staged};
use crate::settings::Settings;
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

/// What is to be played, and how. As JSON it has these names.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Wanted {
    /// What holds the behavior; without it a run has only what is made in it.
    pub file: Option<PathBuf>,
    /// The Python that runs scripts.
    pub python: PathBuf,
    /// How it is played, by the names of the options of `play`.
    pub spec: serde_json::Map<String, serde_json::Value>,
    /// What else is given, by the keys of a test file.
    pub given: serde_json::Map<String, serde_json::Value>,
}

impl Wanted {
    /// From a JSON text.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn from_json(text: &str) -> Result<Self, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }
}

/// A run under way.
pub struct Session {
    engine: Shared<Engine>,
    is_virtual: bool,
    waker: Arc<Bell>,
    lines: Lines,
    trace: TraceFile<Lines>,
    thread: Mutex<Option<JoinHandle<Result<(), String>>>>,
    /// Why the run could not go on.
    broken: Arc<Mutex<Option<String>>>,
    /// Of the character that is played.
    character: Option<RunnerId>,
    /// One at a time lets time pass.
    driver: Mutex<()>,
    /// What an archive was unpacked to is there as long as this is.
    _chosen: Option<Chosen>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Rings each time the run comes to rest.
#[derive(Default)]
struct Bell {
    rung: Mutex<u64>,
    rings: Condvar,
}

impl Bell {
    fn ring(&self) {
        *lock(&self.rung) += 1;
        self.rings.notify_all();
    }

    fn rung(&self) -> u64 {
        *lock(&self.rung)
    }

    /// Waits for one more ring than so many, but not for long.
    fn wait(&self, seen: u64, most: Duration) {
        let rung = lock(&self.rung);
        drop(self.rings.wait_timeout_while(rung, most, |rung| *rung == seen));
    }
}

/// What of the trace nobody has taken yet.
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

/// How often whoever waits for a run looks up.
const LOOK: Duration = Duration::from_millis(50);

impl Session {
    /// Opens a run. Nothing happens in it until it is driven, but on the machine's own clock.
    ///
    /// # Errors
    /// What is wrong with the file or with what is given, for people.
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
        let spec = RunSpec::read(&wanted.spec).and_then(|spec| spec.over(&RunSpec::of_file(&given)));
        let spec = spec.map_err(Failure::Usage)?;
        let open = |file: &PathBuf| open::behavior(file, spec.behavior.as_deref());
        let chosen = wanted.file.as_ref().filter(|_| character.is_none()).map(open).transpose()?;
        let own = |file: &PathBuf| Cast::read(file, &character::parameters(&given)?);
        let cast = character.as_ref().map(own).transpose()?;
        let piece = chosen.as_ref().map(Playable::from).or_else(|| cast.as_ref().map(Playable::from));
        let normal = piece.map_or_else(|| Ok(Normal::new()), Playable::normal)?;
        let (sink, trace) = JsonLines::new(lines.clone(), normal);
        let waker = Arc::new(Bell::default());
        let (mut listener, mut goals) = (Listener::new(sink), Goals { waker: waker.clone(), character: None });
        let staged = |sinks| staged(wanted, &spec, &given, piece, sinks);
        let engine = Run::start(staged, vec![&mut listener, &mut goals])?.engine();
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
            ended.ring();
            done
        })?;
        let thread = Mutex::new(Some(thread));
        let driver = Mutex::default();
        Ok(Self { engine, is_virtual, waker, lines, trace, thread, broken, character, driver, _chosen: chosen })
    }

    /// Its clock is virtual.
    pub fn is_virtual(&self) -> bool {
        self.is_virtual
    }

    /// The engine, for as long as the guard lives.
    pub fn engine(&self) -> MutexGuard<'_, Engine> {
        self.engine.lock()
    }

    /// The number of the runner of the character that is played.
    pub fn runner(&self) -> Option<u32> {
        self.character.map(RunnerId::index)
    }

    /// Does something to the run from outside. With a virtual clock it then does all that is due, so that the next thing
    /// always finds the same state.
    ///
    /// # Errors
    /// What `look` says.
    pub fn act<R, E>(
        &self,
        act: impl FnOnce(&mut Engine) -> R,
        look: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<R, E> {
        // Whoever lets time pass meanwhile sees to what is due.
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
            self.arrive(look)?;
        }
        Ok(result)
    }

    /// Lets the run go on until it has come to its goal. `look` is called now and then, and may end the wait.
    ///
    /// # Errors
    /// What `look` says.
    pub fn drive<E: From<Error>>(
        &self,
        goal: Goal,
        latest: Option<Time>,
        look: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Arrival, E> {
        let _driver = loop {
            if let Ok(driver) = self.driver.try_lock() {
                break driver;
            }
            let seen = self.waker.rung();
            self.waker.wait(seen, LOOK);
            look()?;
        };
        self.engine.poke(|engine| engine.aim_at(goal, latest))?;
        self.arrive(look)
    }

    fn arrive<E>(&self, look: &mut dyn FnMut() -> Result<(), E>) -> Result<Arrival, E> {
        loop {
            let seen = self.waker.rung();
            if let Some(arrival) = self.engine.lock().arrival() {
                return Ok(arrival);
            }
            if lock(&self.broken).is_some() {
                return Ok(Arrival::Over);
            }
            self.waker.wait(seen, LOOK);
            if let Err(why) = look() {
                self.leave_goal();
                return Err(why);
            }
        }
    }

    /// Lets the run rest where it is.
    pub fn leave_goal(&self) {
        self.engine.poke(Engine::leave_goal);
        self.waker.ring();
    }

    /// What has been traced since the last time: whole lines.
    pub fn take_lines(&self) -> String {
        self.engine.lock().flush_trace();
        self.trace.flush_now();
        let bytes = std::mem::take(&mut *lock(&self.lines.0));
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Ends the run: everything is stopped in the ordinary way, or as an interrupt does. Waits for that.
    ///
    /// # Errors
    /// What `look` says; then the run ends by itself.
    pub fn close<E>(&self, interrupt: bool, look: &mut dyn FnMut() -> Result<(), E>) -> Result<(), E> {
        self.engine.poke(|engine| {
            let now = engine.now();
            let how = if interrupt { Control::Interrupt } else { Control::Stop };
            // Refused only for boxes that do not exist; this names none.
            let _ = engine.control(now, how);
        });
        loop {
            let seen = self.waker.rung();
            if lock(&self.broken).is_some() {
                break;
            }
            self.waker.wait(seen, LOOK);
            look()?;
        }
        if let Some(thread) = lock(&self.thread).take() {
            let _ = thread.join();
        }
        Ok(())
    }

    /// Why the run could not go on, if that was so.
    pub fn broken(&self) -> Option<String> {
        lock(&self.broken).clone().filter(|why| !why.is_empty())
    }
}

impl Drop for Session {
    /// Nobody waits for the end of a run that is forgotten; it comes all the same.
    fn drop(&mut self) {
        self.engine.poke(|engine| {
            let now = engine.now();
            // Refused only for boxes that do not exist; this names none.
            let _ = engine.control(now, Control::Stop);
        });
    }
}

fn options(wanted: &Wanted, spec: &RunSpec) -> Result<Options, Failure> {
    let project = wanted.file.as_ref().map(|file| Settings::of(file)).transpose()?.unwrap_or_default();
    let project = &project.config;
    Ok(Options {
        epoch: spec.epoch(),
        seed: spec.seed.unwrap_or_default(),
        network: spec.network,
        patience: spec.patience(),
        dialect: project.dialect,
        language: spec.language.clone().or_else(|| project.language.clone()).unwrap_or_default(),
        installed_qi: project.installed_qi,
        robot: String::new(),
    })
}

/// Has the engine go by goals, and each arrival ring.
struct Goals {
    waker: Arc<Bell>,
    /// Of the character that plays.
    character: Option<RunnerId>,
}

impl Attachment for Goals {
    fn attach(&mut self, begun: &Begun) -> Result<(), Failure> {
        let waker = self.waker.clone();
        begun.engine.lock().go_by_goals(move || waker.ring());
        self.character = begun.performance.take().map(|performance| performance.runner);
        Ok(())
    }
}

fn staged(
    wanted: &Wanted,
    spec: &RunSpec,
    given: &Given,
    piece: Option<Playable<'_>>,
    sinks: Vec<Box<dyn Sink>>,
) -> Result<Staged, Failure> {
    let config = spec.config();
    if let (Some(file), Some(piece)) = (&wanted.file, piece) {
        let settings = Settings::of(file)?;
        let stage = RunSetup::new(piece, spec, given, &settings)?;
        return stage.engine(config, sinks, Begin::Opened);
    }
    let asked = spec.body.as_deref().map(body::asked).transpose()?;
    let body = asked.unwrap_or_else(|| BodyKind::Nao.body());
    let language = spec.language.clone().unwrap_or_else(|| SimOptions::default().language);
    let config = Config { resources: run_setup::resource_tree(), mocks: given.mocks(), ..config };
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
    };
    let robot = SimRobot::new(SimOptions { body, language, folder: None, name: body.to_string() });
    let mut engine = Engine::new(config, Box::new(robot), Box::new(NoLibrary), &header, sinks);
    given.apply(&mut engine).map_err(|refused| Failure::Usage(format!("{}: {}", refused.what, refused.why)))?;
    Ok(Staged { engine, untranslated: None, performance: None })
}

/// What is done from outside, by its word: `event`, `memory`, `stimulate` or `set`. The path is of the box, or the key.
///
/// # Errors
/// What is wrong with the words.
pub fn control(what: &str, path: &str, name: &str, value: Value) -> Result<Control, String> {
    let the_box = || path.parse::<BoxPath>().map_err(|error| error.to_string());
    Ok(match what {
        "event" => Control::Event { key: path.to_owned(), value },
        "memory" => Control::Remember { key: path.to_owned(), value },
        "stimulate" => Control::Stimulate { path: the_box()?, port: name.to_owned(), value },
        "set" => Control::SetParameter { path: the_box()?, parameter: name.to_owned(), value },
        other => return Err(format!("nothing is called {other}")),
    })
}
