//! What is offered to qi clients: the services of a run, as a robot offers its own.
//!
//! - [`Serving`]: the services of an engine, simulated or not, the engine's own among them
//! - [`Serving::offer_boxes`]: the boxes of a behavior that plays
//! - [`receive`]: behaviors that others send
//! - [`clock`]: a simulated robot whose clock is its client's, for tests
//!
//! Calls go to the engine from the threads of the qi library, answers and events come back through one thread of their own, so that no
//! client keeps the engine waiting. `docs/served.md` says what clients can rely on.

mod boxes;
pub mod clock;
mod memory;
mod meta;
mod object;
mod posts;
pub mod receive;
mod server_state;

pub use server_state::{Serving, ServingError};
