//! Robots behind the engine's [`Services`](boxstep_engine::services::Services) trait.
//!
//! - [`naoqi`]: a real robot (or whatever speaks as one), over the qi protocol
//! - [`serve`]: a run, or a simulated robot, offered to qi clients
//! - [`wire`]: the engine's values as the qi protocol carries them
//!
//! The simulated robot is in `boxstep-services`, with the table of what robots offer.

pub mod naoqi;
mod scripted;
pub mod serve;
pub mod wire;

pub use naoqi::{NaoqiOptions, NaoqiRobot};
pub use scripted::ScriptedRobot;
