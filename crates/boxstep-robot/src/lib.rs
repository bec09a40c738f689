//! Robots behind the engine's [`Services`](boxstep_engine::services::Services) trait.
//!
//! - [`naoqi`]: a real robot, or any server that behaves like one, over the qi protocol
//! - [`serve`]: a run, or a simulated robot, offered to qi clients
//! - [`wire`]: conversion between the engine's values and those of the qi protocol
//!
//! The simulated robot is in `boxstep-services`, with the table of the services of robots.

pub mod naoqi;
mod scripted;
pub mod serve;
pub mod wire;

pub use naoqi::{NaoqiOptions, NaoqiRobot};
pub use scripted::ScriptedRobot;
