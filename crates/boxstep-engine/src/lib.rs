//! The Boxstep engine: runs behaviors.
//!
//! [`Engine`] is a `Send` value: arenas with typed ids, a FIFO queue of work, a timer queue and a clock. One thread at
//! a time owns the engine, behind the mutex of [`shared::Shared`]; the mutex is held while
//! native work drains and is free around every script call. Modules:
//!
//! - [`config`]: the configuration of a run
//! - [`protocol`]: the script protocol, as plain data that passes between the engine and a script host
//! - [`mailbox`]: the queue into which a real robot's threads put results for the engine
//! - [`objects`]: boxes, timelines, state machines and transitions, which Rust code creates and controls
//! - [`runner`]: behaviors that decide which of them has control, and delegate it to each other
//! - [`services`]: the trait that a robot implements
//! - [`shared`]: the mutex around an engine, and the functions that drive it
//! - [`state_machine`]: states over frames, made from a timeline's layers
//! - [`stop`]: the boxes, tasks and calls that are still busy while a stop is under way
//! - [`trace`]: the events of a run
//!
//! A behavior of a file plays in virtual time; its trace is recorded:
//!
//! ```
//! use boxstep_engine::Engine;
//! use boxstep_engine::config::{BehaviorSource, Config};
//! use boxstep_engine::shared::{Host as _, NoScripts, Shared};
//! use boxstep_engine::trace::{EndReason, Recorder};
//! use boxstep_format::{Limits, read_xar};
//! use std::sync::Arc;
//!
//! // A timeline of 50 frames, 25 a second, that ends the behavior.
//! let xar = br#"<ChoregrapheProject xar_version="3"><Box name="root" id="-1">
//! <Input name="onStart" type="1" type_size="1" nature="2" inner="0" id="1"/>
//! <Output name="onStopped" type="1" type_size="1" nature="1" inner="0" id="2"/>
//! <Timeline enable="1" fps="25" start_frame="1" end_frame="51"/></Box></ChoregrapheProject>"#;
//! let file = read_xar("behavior.xar", xar, &Limits::default())?;
//! let source = BehaviorSource {
//!     name: "wait".into(),
//!     project: Arc::new(file.project),
//!     sources: Arc::new(file.sources),
//!     folder: ".".into(),
//!     relative_folder: ".".into(),
//!     package_uid: String::new(),
//! };
//! let (recorder, recorded) = Recorder::new();
//! let mut engine = Engine::traced(Config::default(), vec![Box::new(recorder)]);
//! engine.play(source).map_err(|found| found[0].to_string())?;
//! NoScripts.drive(&Shared::of_run(engine))?;
//! let footer = recorded.take().footer.ok_or("it still runs")?;
//! assert_eq!((footer.reason, footer.t.to_string()), (EndReason::Ended, "2.000".to_owned()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod behaviors;
mod callbacks;
mod calls;
mod clock;
pub mod config;
mod construction;
mod context;
mod control;
pub mod debugger;
mod dialog;
mod engine;
mod event_loop;
mod fast_path;
mod follow_up;
mod graph;
mod held_back;
mod held_controls;
mod ids;
mod legacy_api;
mod livelock;
mod machine;
pub mod mailbox;
mod mocks;
mod names;
pub mod native;
pub mod objects;
mod open;
mod own_robot;
mod own_services;
mod package_services;
mod polling;
pub mod pose;
mod probes;
mod procedures;
pub mod protocol;
mod reload;
pub mod remote_clients;
mod resources;
mod run_end;
pub mod runner;
mod scheduler;
mod scripts;
pub mod services;
pub mod shared;
mod shutdown;
mod signals;
pub mod state_machine;
pub mod stop;
mod task_ends;
mod tasks;
mod timeline;
mod tracer;
mod waits;

pub use engine::Engine;
pub use protocol::{CallId, CallbackId, ClassId, ObjectId, SubscriptionId, TaskId, TimerId};
pub use waits::Wait;

/// The order in which a box enters scope, is activated, stops and leaves scope.
pub use boxstep_kernel::lifecycle;
/// The events of a run.
pub use boxstep_trace as trace;

/// The diagnostic codes of this crate.
pub const CODES: &[boxstep_types::Code] = &[open::TOO_MANY_PORTS, open::REAL_ROBOT];
