//! Robots behind the engine's [`Services`](boxstep_engine::services::Services) trait.
//!
//! - [`naoqi`]: a real robot (or whatever speaks as one), over the qi protocol
//! - [`sim`]: a simulated NAO or Pepper that lives on the engine's clock
//! - [`serve`]: a run, or a simulated robot, offered to qi clients
//! - [`wire`]: the engine's values as the qi protocol carries them
//!
//! What the simulation does and leaves out, service by service, is written in `docs/simulation.md`.

pub mod naoqi;
mod scripted;
pub mod serve;
pub mod sim;
pub mod wire;

pub use naoqi::{NaoqiOptions, NaoqiRobot};
pub use scripted::ScriptedRobot;
pub use sim::{Offer, SimOptions, SimRobot, knows_animation};
