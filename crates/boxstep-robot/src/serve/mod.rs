//! Offers the services of a run to qi clients, as a robot offers its own.
//!
//! - [`Serving`]: the services of an engine, simulated or not, including the engine's own
//! - [`Serving::offer_boxes`]: the boxes of a playing behavior
//! - [`ClientServices`]: the services that clients offer
//! - [`receive`]: behaviors that clients upload
//! - [`version`]: a version of each generation of NAOqi as which the services can be offered
//! - [`clock`]: a simulated robot whose clock the client controls, for tests
//!
//! Calls go to the engine on threads of the qi library. Answers and events come back through one separate thread, so
//! that no client blocks the engine. `docs/reference/served.md` says what clients can rely on.

mod boxes;
pub mod clock;
mod generation;
mod memory;
mod meta;
mod object;
mod others;
mod posts;
pub mod receive;
mod server_state;

pub use generation::version;
pub use others::ClientServices;
pub use server_state::{Serving, ServingError};
