//! Robots behind the engine's [`Services`](boxstep_engine::services::Services) trait.
//!
//! - [`naoqi`]: a real robot, or any server that behaves like one, over the qi protocol
//! - [`find`]: robots in the network, and what they say of themselves
//! - [`serve`]: a run, or a simulated robot, offered to qi clients
//! - [`wire`]: conversion between the engine's values and those of the qi protocol
//!
//! The simulated robot is in `boxstep-services`, with the table of the services of robots.
//!
//! A simulated robot that qi clients reach as they reach a real one:
//!
//! ```
//! use boxstep_engine::config::{Config, Control, NoLibrary};
//! use boxstep_engine::shared::{Host as _, NoScripts, Shared};
//! use boxstep_engine::{Engine, protocol::Scheduler as _, trace::{ClockKind, Header}};
//! use boxstep_qi::{Server, Session, args};
//! use boxstep_robot::serve::Serving;
//! use boxstep_services::{SimOptions, SimRobot};
//!
//! let robot = SimRobot::new(SimOptions::default());
//! let services: Vec<_> = robot.services().collect();
//! let header = Header::new(ClockKind::Virtual);
//! let mut engine = Engine::new(Config::default(), Box::new(robot), Box::new(NoLibrary), &header, Vec::new());
//! engine.keep_open(true);
//! let engine = Shared::new(engine);
//! let mut serving = Serving::start(engine.clone(), Server::listen("127.0.0.1:0")?, &services)?;
//! let driver = std::thread::spawn({
//!     let engine = engine.clone();
//!     move || NoScripts.drive(&engine)
//! });
//!
//! let session = Session::connect(&serving.address().to_string())?;
//! let name = session.service("ALSystem")?.call("robotName", &args![])?;
//! assert_eq!(name.as_str(), Some("nao"));
//!
//! serving.close();
//! engine.poke(|engine| engine.control(engine.now(), Control::Stop))?;
//! driver.join().expect("no panic")?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod find;
pub mod naoqi;
mod scripted;
pub mod serve;
pub mod wire;

pub use naoqi::{NaoqiOptions, NaoqiRobot};
pub use scripted::ScriptedRobot;
