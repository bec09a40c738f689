//! Runs behaviors.
//!
//! [`Engine`] is a plain `Send` value: arenas with typed ids, a FIFO of work, a timer queue and a
//! clock. One thread at a time owns it, behind the mutex of [`shared::Shared`]; the mutex is held while
//! native work drains and is free around every script call. Rooms:
//!
//! - [`config`]: what a run is told before it starts
//! - [`protocol`]: what passes between the engine and a script host, as plain data
//! - [`mailbox`]: what a real robot's own threads leave for the engine
//! - [`objects`]: boxes, timelines, state machines and transitions, for Rust code to make and to drive
//! - [`runner`]: behaviors that decide who has control, and delegate it to each other
//! - [`services`]: what a robot offers, as the engine sees it
//! - [`shared`]: the mutex, and driving an engine
//! - [`state_machine`]: states over frames, made from a timeline's layers
//! - [`stop`]: who is still busy while something stops
//! - [`trace`]: what happened, event by event

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
mod scripts;
pub mod services;
pub mod shared;
mod shutdown;
mod signals;
pub mod state_machine;
pub mod stop;
mod tasks;
mod timeline;
mod tracer;
mod waits;

pub use engine::Engine;
pub use protocol::{CallId, CallbackId, ClassId, ObjectId, SubscriptionId, TaskId, TimerId};
pub use waits::Wait;

/// Scope, activation, order of stages.
pub use boxstep_kernel::lifecycle;
/// What happened, event by event.
pub use boxstep_trace as trace;

/// The codes of this crate's diagnostics.
pub const CODES: &[boxstep_types::Code] = &[open::TOO_MANY_PORTS, open::REAL_ROBOT];
