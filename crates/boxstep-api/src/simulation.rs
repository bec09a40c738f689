//! An engine with a simulated robot, on which a behavior of a file plays.

use crate::play::{ProjectLibrary, behavior_source, body_of_files, full_name, resource_tree, whole_project};
use boxstep_bodies::Body;
use boxstep_engine::Engine;
use boxstep_engine::config::{BehaviorSource, Config, Library};
use boxstep_engine::objects::Undriven;
use boxstep_engine::protocol::{Next, Scheduler as _};
use boxstep_format::{FormatError, Limits, Opened};
use boxstep_services::{SimOptions, SimRobot};
use boxstep_trace::{Footer, Header, Recorded, Recorder};
use boxstep_types::Diagnostic;
use std::fmt;
use std::path::Path;

/// A behavior of a file, and an engine with the simulated robot that it was made for.
///
/// The robot speaks English. [`play`](crate::play) has the parts of which a simulation is made, for programs that need
/// another language, body or robot.
///
/// ```
/// use boxstep_api::Simulation;
/// use boxstep_api::engine::config::Config;
///
/// let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/hello");
/// let mut simulation = Simulation::open(path, Config { scripts: false, ..Config::default() })?;
/// assert_eq!(simulation.body.name, "nao");
/// simulation.play()?;
/// simulation.engine.run_for(2.0)?; // and the robot waves
/// let footer = simulation.engine.end()?;
/// assert_eq!((footer.t.as_secs_f64(), footer.errors), (2.0, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Simulation {
    /// The engine. Boxes in Rust are set before the behavior plays: [`Engine::set_natives`].
    pub engine: Engine,
    /// What the engine plays.
    pub behavior: BehaviorSource,
    /// The robot's body: the one that the behavior was made for, or a NAO if the files name none.
    pub body: &'static Body,
    /// The trace of the run. Events come in batches: all of them are there when the run has ended.
    pub recorded: Recorded,
    /// Why translations of the project into English cannot be read; the texts are the original ones then.
    pub untranslated: Option<FormatError>,
    /// Keeps the files of an unpacked archive.
    _opened: Opened,
}

impl Simulation {
    /// Opens a `.xar`, a folder, a project or an archive with one behavior, or with one that counts as the default
    /// ([`Opened::default_behavior`]).
    ///
    /// # Errors
    /// The file cannot be read, or has no behavior to choose.
    pub fn open(path: impl AsRef<Path>, config: Config) -> Result<Self, SimulationError> {
        let opened = boxstep_format::open(path.as_ref(), &Limits::default())?;
        Self::of(opened, None, config)
    }

    /// Like [`Simulation::open`], for a behavior of a project by its name.
    ///
    /// # Errors
    /// The file cannot be read, or has no behavior of this name.
    pub fn open_named(path: impl AsRef<Path>, name: &str, config: Config) -> Result<Self, SimulationError> {
        let opened = boxstep_format::open_named(path.as_ref(), name, &Limits::default())?;
        Self::of(opened, Some(name), config)
    }

    fn of(opened: Opened, name: Option<&str>, config: Config) -> Result<Self, SimulationError> {
        let behavior = match name {
            Some(name) => {
                let full = || opened.behaviors.iter().find(|b| full_name(&opened, b) == name);
                opened.behavior(name).or_else(full)
            }
            None => opened.default_behavior(),
        };
        let behavior = behavior.ok_or_else(|| SimulationError::NoBehavior(opened.names.clone()))?;
        let file = behavior.read(&Limits::default())?;
        let robots = opened.manifest.as_ref().map_or(&[][..], |manifest| &manifest.robot_models);
        let body = body_of_files(robots, &file.project).0.body();
        let language = SimOptions::default().language;
        let (source, untranslated) = behavior_source(&opened, behavior, file, &[], &language, body);
        let robot = SimOptions {
            body,
            language: language.clone(),
            folder: Some(source.folder.clone()),
            topics: opened.collaborative_topics(),
            name: body.to_string(),
            ..SimOptions::default()
        };
        let shared = opened.without_keeping();
        let library = ProjectLibrary::new(move || whole_project(&shared).without_keeping(), language, body);
        let (engine, recorded) = simulated_engine(config, robot, Box::new(library));
        Ok(Self { engine, behavior: source, body, recorded, untranslated, _opened: opened })
    }

    /// Loads and starts the behavior as soon as the engine is driven: [`Engine::play`].
    ///
    /// # Errors
    /// The findings because of which the behavior cannot run at all.
    pub fn play(&mut self) -> Result<(), SimulationError> {
        self.engine.play(self.behavior.clone()).map_err(SimulationError::Unplayable)
    }

    /// Lets virtual time pass until the behavior has ended, nothing can happen any more, or [`Config::limit`] has come,
    /// and returns how the run ended. A behavior that never ends needs a limit.
    ///
    /// # Errors
    /// [`Undriven::RealTime`] on another clock; [`Undriven::Script`] and [`Undriven::Resume`] if a script has to run.
    pub fn run(&mut self) -> Result<Footer, Undriven> {
        if !self.engine.is_virtual() {
            return Err(Undriven::RealTime);
        }
        match self.engine.next() {
            Next::Ended => self.engine.outcome().cloned().ok_or(Undriven::Never),
            Next::Wait(_) => Err(Undriven::Never),
            Next::Job(job) => Err(Undriven::Script(Box::new(job))),
            Next::Resume(task, wake) => Err(Undriven::Resume(task, wake)),
        }
    }
}

/// Creates an engine with a simulated robot, whose trace is recorded. The robots' resource tree is added to the
/// configuration; the library has the behaviors that scripts start by name
/// ([`NoLibrary`](boxstep_engine::config::NoLibrary): none).
///
/// ```
/// use boxstep_api::engine::config::{Config, Control, NoLibrary};
/// use boxstep_api::services::SimOptions;
/// use boxstep_api::trace::Kind;
/// use boxstep_api::types::Time;
///
/// let (mut engine, recorded) = boxstep_api::simulated_engine(Config::default(), SimOptions::default(), Box::new(NoLibrary));
/// let say = Control::Call { service: "ALTextToSpeech".into(), method: "say".into(), args: vec!["Hello".into()] };
/// engine.control(Time::ZERO, say)?;
/// engine.run_for(2.0)?;
/// engine.end()?;
/// let said = recorded.take().events.into_iter().any(|event| matches!(event.kind, Kind::Act(act) if act.text == "Hello"));
/// assert!(said);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn simulated_engine(config: Config, robot: SimOptions, library: Box<dyn Library>) -> (Engine, Recorded) {
    let config = Config { resources: resource_tree(), ..config };
    let product = format!("boxstep {}", env!("CARGO_PKG_VERSION"));
    let body = robot.body.to_string();
    let header = Header { product, body, seed: config.seed, ..Header::new(config.clock) };
    let (recorder, recorded) = Recorder::new();
    let engine = Engine::new(config, Box::new(SimRobot::new(robot)), library, &header, vec![Box::new(recorder)]);
    (engine, recorded)
}

/// Why a behavior of a file does not play on a simulated robot.
#[derive(Debug)]
pub enum SimulationError {
    /// A file cannot be read.
    Unreadable(FormatError),
    /// There is no behavior of the name, or no default one: the names of those that there are.
    NoBehavior(Vec<String>),
    /// The findings because of which the behavior cannot run at all.
    Unplayable(Vec<Diagnostic>),
}

impl fmt::Display for SimulationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SimulationError::Unreadable(why) => why.fmt(f),
            SimulationError::NoBehavior(names) if names.is_empty() => f.write_str("there is no behavior"),
            SimulationError::NoBehavior(names) => write!(f, "choose one of these behaviors: {}", names.join(", ")),
            SimulationError::Unplayable(found) => {
                let lines: Vec<String> = found.iter().map(ToString::to_string).collect();
                f.write_str(&lines.join("\n"))
            }
        }
    }
}

impl std::error::Error for SimulationError {}

impl From<FormatError> for SimulationError {
    fn from(why: FormatError) -> Self {
        SimulationError::Unreadable(why)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boxstep_trace::ClockKind;

    const HELLO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/hello");

    fn hello(name: Option<&str>) -> Result<Simulation, SimulationError> {
        let config = Config { scripts: false, ..Config::default() };
        match name {
            Some(name) => Simulation::open_named(HELLO, name, config),
            None => Simulation::open(HELLO, config),
        }
    }

    #[test]
    fn a_behavior_is_found_by_both_of_its_names() {
        assert_eq!(&*hello(Some(".")).unwrap().behavior.name, "hello");
        assert_eq!(&*hello(Some("hello")).unwrap().behavior.name, "hello");
        let why = hello(Some("dance")).map(|_| ()).unwrap_err();
        assert_eq!(why.to_string(), "choose one of these behaviors: .");
    }

    #[test]
    fn the_trace_has_the_body_and_the_end() {
        let mut simulation = hello(None).unwrap();
        simulation.play().unwrap();
        let footer = simulation.run().unwrap();
        let recording = simulation.recorded.take();
        assert_eq!(recording.header.unwrap().body, "nao");
        assert_eq!(recording.footer, Some(footer));
    }

    #[test]
    fn scripts_and_real_time_need_a_host() {
        let mut simulation = Simulation::open(HELLO, Config::default()).unwrap();
        simulation.play().unwrap();
        assert!(matches!(simulation.run(), Err(Undriven::Script(_))));
        let real = Config { clock: ClockKind::Real, ..Config::default() };
        assert!(matches!(Simulation::open(HELLO, real).unwrap().run(), Err(Undriven::RealTime)));
    }

    #[test]
    fn a_path_that_does_not_exist_is_an_error_with_its_reason() {
        let why = Simulation::open("/nowhere/at/all.xar", Config::default()).map(|_| ()).unwrap_err();
        assert!(matches!(&why, SimulationError::Unreadable(_)), "{why}");
    }
}
