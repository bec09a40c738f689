//! Boxstep for Rust programs: reads, changes, checks and plays behaviors that Choregraphe saved for NAO and Pepper.
//!
//! This crate is the one dependency of a program that uses Boxstep. It has each library crate as a module, and
//! [`Simulation`], which plays a behavior of a file on a simulated robot.
//!
//! | module | what it is for | feature |
//! |---|---|---|
//! | [`types`] | [`Value`](types::Value), [`Time`](types::Time), [`BoxPath`](types::BoxPath), diagnostics | |
//! | [`format`](mod@format) | reading and writing files: behaviors, projects, archives | |
//! | [`motion`], [`bodies`], [`dynamics`] | curves of joints; robots, their joints and limits; where their parts are, and their balance | |
//! | [`engine`] | [`Engine`](engine::Engine) runs behaviors; [`objects`](engine::objects) are boxes, timelines and state machines | |
//! | [`services`] | what a NAOqi robot offers, and the simulated robot | |
//! | [`dialog`] | QiChat: topics are read and answer, with a robot or without | |
//! | [`trace`], [`record`] | the events of a run; traces as files, and where two differ | |
//! | [`runner`] | characters: behaviors that pass control to each other, from YAML | |
//! | [`play`] | how a behavior of a file gets to an engine | |
//! | `check` | findings about a behavior, before it runs | `check` |
//! | `draw` | trees, drawings and graphs of a behavior | `draw` |
//! | `test` | whether a run came as a test file expects it | `test` |
//! | `script` | the host that runs Python scripts | `script` |
//! | `qi`, `robot` | the protocol of real robots; real robots, and runs that serve qi clients | `robots` |
//!
//! No feature is on by default; `full` is all of them, and `tls` adds encrypted connections to robots.
//!
//! # Read a file and look into it
//!
//! [`format::open`] opens a `.xar`, a folder, a project or an archive; [`format::read_xar`] reads bytes.
//! What a reader could repair is in [`findings`](format::XarFile::findings).
//!
//! ```
//! use boxstep_api::format::{self, Limits, paths};
//!
//! let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/hello");
//! let opened = format::open(path.as_ref(), &Limits::default())?;
//! let file = opened.default_behavior().ok_or("several behaviors")?.read(&Limits::default())?;
//! assert!(file.findings.is_empty());
//!
//! let boxes: Vec<String> = paths::boxes(&file.project).map(|at| at.path.to_string()).collect();
//! assert_eq!(boxes, ["root", "root/Say", "root/Wave", "root/Say bye"]);
//!
//! let say = paths::find(&file.project, &"root/Say".parse()?)?;
//! assert_eq!(&*say.def.parameters[0].value, "Hello, I am a robot.");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Change it and write it
//!
//! A changed model is written as a whole file. [`XarFile::edits`](format::XarFile::edits) changes a file in place
//! instead, and keeps all other bytes.
//!
//! ```
//! use boxstep_api::format::{Limits, paths, read_xar, write::write_xar};
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/hello/behavior.xar");
//! # let bytes = std::fs::read(path)?;
//!
//! let mut file = read_xar("behavior.xar", &bytes, &Limits::default())?;
//! let trail = paths::find(&file.project, &"root/Say".parse()?)?.trail;
//! let say = paths::at_mut(&mut file.project, &trail).ok_or("no box")?;
//! say.parameters[0].value = "Good morning!".into();
//! let text = write_xar(&file.project, &file.sources)?;
//!
//! let again = read_xar("behavior.xar", text.as_bytes(), &Limits::default())?;
//! let say = paths::find(&again.project, &"root/Say".parse()?)?;
//! assert_eq!(&*say.def.parameters[0].value, "Good morning!");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Play it on a simulated robot
//!
//! Time is virtual unless [`Config::clock`](engine::config::Config::clock) says otherwise: ten seconds of the robot pass
//! in milliseconds, and the same run has the same trace each time. Without scripts, boxes that have nothing but a
//! script do nothing; here Rust stands in for them.
//!
//! ```
//! use boxstep_api::Simulation;
//! use boxstep_api::engine::config::Config;
//! use boxstep_api::engine::native::{NativeBox, NativeCx, Natives};
//! use boxstep_api::types::Value;
//!
//! /// A box that is done as soon as it is started.
//! struct Done;
//! impl NativeBox for Done {
//!     fn input(&mut self, cx: &mut NativeCx<'_>, _: usize, _: &Value) {
//!         cx.output(0, Value::Null); // onStopped
//!     }
//! }
//!
//! let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/hello");
//! let mut simulation = Simulation::open(path, Config { scripts: false, ..Config::default() })?;
//! let natives = Natives::new().with("Say", || Box::new(Done)).with("Say bye", || Box::new(Done));
//! simulation.engine.set_natives(Box::new(natives));
//! simulation.play()?;
//!
//! // The robot waves for 3.76 s, and then the behavior has ended.
//! let footer = simulation.run()?;
//! assert_eq!((footer.t.as_secs_f64(), footer.errors), (3.76, 0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Engine::run_for`](engine::Engine::run_for) goes on step by step instead, and
//! [`Engine::control`](engine::Engine::control) raises events, sets parameters and stimulates inputs on the way.
//!
//! With the feature `script`, the Python scripts of boxes run in a process of their own, and their host drives the engine:
#![cfg_attr(all(feature = "script", unix), doc = "```no_run")]
#![cfg_attr(not(all(feature = "script", unix)), doc = "```ignore")]
//! use boxstep_api::Simulation;
//! use boxstep_api::engine::config::Config;
//! use boxstep_api::engine::shared::{Host as _, Shared};
//! use boxstep_api::script::{options::Options, process::ProcessHost};
//! use std::time::Duration;
//!
//! let options = Options {
//!     epoch: 1_577_836_800, // what the virtual clock says at the start: 2020-01-01
//!     seed: 0,
//!     network: false,
//!     patience: Duration::from_secs(30),
//!     dialect: 2,
//!     language: "English".into(),
//!     installed_qi: false,
//!     as_written: false,
//!     args: Vec::new(),
//!     robot: String::new(),
//! };
//! let host = ProcessHost::start("python3".into(), vec!["hello".into()], options, true)?;
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/hello");
//! let mut simulation = Simulation::open(path, Config::default())?;
//! simulation.play()?;
//! host.drive(&Shared::of_run(simulation.engine))?;
//! let footer = simulation.recorded.take().footer.ok_or("no end")?;
//! assert_eq!((footer.t.to_string(), footer.errors), ("4.617".to_owned(), 0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # See what happened
//!
//! Everything that happens in a run is an [`Event`](trace::Event) with a time, a box and a cause.
//! [`JsonLines`](record::JsonLines) writes them to a file, and [`record::open`] reads it.
//!
//! ```
//! use boxstep_api::Simulation;
//! use boxstep_api::engine::config::Config;
//! use boxstep_api::trace::Kind;
//!
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/hello");
//! let mut simulation = Simulation::open(path, Config { scripts: false, ..Config::default() })?;
//! simulation.play()?;
//! simulation.run()?;
//! let recording = simulation.recorded.take();
//!
//! let is_motion = |kind: &Kind| matches!(kind, Kind::Act(act) if act.kind == "joints");
//! let motion = recording.events.iter().find(|event| is_motion(&event.kind)).ok_or("nothing moved")?;
//! let Kind::Act(act) = &motion.kind else { unreachable!() };
//! assert_eq!(act.text, "6 joints over 3.76 s");
//!
//! // Why did it move? The timeline called ALMotion, because the box was started, because the behavior was.
//! let causes = recording.chain(motion).events;
//! assert_eq!(recording.path(causes[1]), "root/Wave");
//! assert_eq!(recording.path(causes[causes.len() - 1]), "root");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Write a box in Rust
//!
//! A box need not come from a file: a [`Draft`](engine::objects::Draft) describes one.
//!
//! ```
//! use boxstep_api::engine::Engine;
//! use boxstep_api::engine::config::Config;
//! use boxstep_api::engine::native::{NativeBox, NativeCx};
//! use boxstep_api::engine::objects::Draft;
//! use boxstep_api::format::model::{InputNature, OutputNature, PortType};
//! use boxstep_api::types::Value;
//! use std::sync::mpsc::channel;
//!
//! /// Adds up the numbers that come in.
//! struct Sum(f64);
//! impl NativeBox for Sum {
//!     fn input(&mut self, cx: &mut NativeCx<'_>, _: usize, value: &Value) {
//!         self.0 += value.as_f64().unwrap_or(0.0);
//!         cx.output(0, self.0.into());
//!     }
//! }
//!
//! let mut engine = Engine::without_robot(Config::default());
//! let draft = Draft::bare("Sum")
//!     .input("add", InputNature::OnEvent, PortType::Number)
//!     .output("sum", OutputNature::Punctual, PortType::Number)
//!     .native(|| Sum(0.0));
//! let sum = engine.objects().new_box(draft)?;
//! let (sender, sums) = channel();
//! engine.objects().get_box(sum)?.on_output("sum", move |_, value| {
//!     let _ = sender.send(value.as_f64());
//! })?;
//! engine.objects().get_box(sum)?.start()?;
//! engine.settle();
//! for number in [1.0, 2.5] {
//!     engine.objects().get_box(sum)?.input("add", number.into())?;
//! }
//! engine.settle();
//! assert_eq!(sums.try_iter().collect::<Vec<_>>(), [Some(1.0), Some(3.5)]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Build a state machine
//!
//! ```
//! use boxstep_api::engine::Engine;
//! use boxstep_api::engine::config::Config;
//! use boxstep_api::engine::objects::When;
//! use boxstep_api::types::Time;
//!
//! let mut engine = Engine::without_robot(Config::default());
//! let light = engine.objects().new_state_machine("light")?;
//! let mut machine = engine.objects().state_machine(light)?;
//! let red = machine.add_state("red", &[])?;
//! let green = machine.add_state("green", &[])?;
//! let go = machine.add_transition(red, green)?;
//! machine.set_initial_state(red)?;
//! machine.run()?;
//! engine.objects().transition(go)?.set_when(When::After(Time::from_millis(3000)));
//!
//! engine.run_for(2.0)?;
//! assert_eq!(engine.objects().state_machine(light)?.current_state(), Some(red));
//! engine.run_for(2.0)?;
//! assert_eq!(engine.objects().state_machine(light)?.current_state(), Some(green));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Load a character
//!
//! A character says in YAML which behavior has control, and when. Its leaves act on the engine's robot.
//!
//! ```
//! use boxstep_api::engine::config::{Config, Control, NoLibrary};
//! use boxstep_api::runner::{Character, Natives};
//! use boxstep_api::services::SimOptions;
//! use boxstep_api::trace::Kind;
//! use boxstep_api::types::{Time, Value};
//!
//! let text = "
//! character: Guide
//! root: guide
//! behaviors:
//!   guide:
//!     priority:
//!       - { name: greet, say: Welcome, when: { event: FaceDetected } }
//! ";
//! let character = Character::read(text, "guide.yaml", &[]).map_err(|found| format!("{found:?}"))?;
//! let (mut engine, recorded) = boxstep_api::simulated_engine(Config::default(), SimOptions::default(), Box::new(NoLibrary));
//! let mut no_files = |name: &str| Err(format!("there is no behavior {name}"));
//! character.run_on(&mut engine, &mut no_files, &Natives::new(), Time::from_millis(1000))?;
//!
//! let face = Control::Event { key: "FaceDetected".into(), value: Value::from(1) };
//! engine.control(Time::from_millis(1000), face)?;
//! engine.run_for(5.0)?;
//! engine.end()?;
//! let recording = recorded.take();
//! let said = |kind: &Kind| matches!(kind, Kind::Act(act) if act.kind == "say" && act.text == "Welcome");
//! assert_eq!(recording.events.iter().filter(|event| said(&event.kind)).count(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Talk to a robot
//!
//! With the feature `robots`, `qi` calls services of real robots and hosts services of its own; `robot::NaoqiRobot`
//! connects an engine to a real robot, in place of the simulated one. Here a server in the same process is the robot.
#![cfg_attr(feature = "robots", doc = "```")]
#![cfg_attr(not(feature = "robots"), doc = "```ignore")]
//! use boxstep_api::qi::{ObjectBuilder, Server, Session, args};
//!
//! let speech = ObjectBuilder::new("Speech.")
//!     .method("say::(s)->s", |args| Ok(format!("said {}", args[0].as_str().unwrap_or_default()).into()))
//!     .build()?;
//! let robot = Server::listen("127.0.0.1:0")?;
//! robot.register("ALTextToSpeech", speech)?;
//!
//! let session = Session::connect(&robot.address().to_string())?; // of a real robot: "tcp://nao.local:9559"
//! let answer = session.service("ALTextToSpeech")?.call("say", &args!["Hello"])?;
//! assert_eq!(answer.as_str(), Some("said Hello"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The same behavior on a real robot:
#![cfg_attr(feature = "robots", doc = "```no_run")]
#![cfg_attr(not(feature = "robots"), doc = "```ignore")]
//! use boxstep_api::engine::config::{ClockKind, Config, NoLibrary};
//! use boxstep_api::engine::shared::{Host as _, NoScripts, Shared};
//! use boxstep_api::engine::{Engine, trace::Header};
//! use boxstep_api::robot::{NaoqiOptions, NaoqiRobot};
//! # let simulation = boxstep_api::Simulation::open("hello", Config::default())?;
//!
//! let robot = NaoqiRobot::connect(NaoqiOptions::new("tcp://nao.local:9559"))?;
//! let config = Config { clock: ClockKind::Real, scripts: false, ..Config::default() };
//! let header = Header::new(ClockKind::Real);
//! let mut engine = Engine::new(config, Box::new(robot), Box::new(NoLibrary), &header, Vec::new());
//! engine.play(simulation.behavior).map_err(|found| format!("{found:?}"))?;
//! NoScripts.drive(&Shared::of_run(engine))?; // until the behavior has ended
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

pub mod play;
mod simulation;

pub use simulation::{Simulation, SimulationError, simulated_engine};

/// Robot bodies as data: joints, limits, chains, LEDs, postures, resources.
pub use boxstep_bodies as bodies;
/// Findings about a behavior, before it runs.
#[cfg(feature = "check")]
pub use boxstep_check as check;
/// QiChat, the dialog language of NAO and Pepper: topics, and conversations with them.
pub use boxstep_dialog as dialog;
/// Behaviors as trees, drawings, pages, graphs and plots.
#[cfg(feature = "draw")]
pub use boxstep_draw as draw;
/// Kinematics, inverse dynamics and balance of robot bodies.
pub use boxstep_dynamics as dynamics;
/// What runs behaviors: engine, boxes, timelines, state machines, behaviors that delegate.
pub use boxstep_engine as engine;
/// Reads and writes the files of behaviors and projects.
pub use boxstep_format as format;
/// Curves of joints.
pub use boxstep_motion as motion;
/// The protocol of NAO and Pepper robots: a client, and a host of services.
#[cfg(feature = "robots")]
pub use boxstep_qi as qi;
/// Traces as files, where two differ, and why a behavior runs or not.
pub use boxstep_record as record;
/// Real robots, and runs that are offered to qi clients.
#[cfg(feature = "robots")]
pub use boxstep_robot as robot;
/// Characters as data: who has control, in YAML or JSON.
pub use boxstep_runner as runner;
/// The hosts that run Python scripts.
#[cfg(feature = "script")]
pub use boxstep_script as script;
/// The services of a NAOqi robot, and the simulated robot.
pub use boxstep_services as services;
/// Whether a run came as a test file expects it.
#[cfg(feature = "test")]
pub use boxstep_test as test;
/// The events of a run.
pub use boxstep_trace as trace;
/// The types that all crates share.
pub use boxstep_types as types;
