//! What is offered to qi clients.
//!
//! - [`clock`]: a simulated robot whose clock is its client's, for tests

pub mod clock;
mod object;
