//! What is offered to qi clients, over loopback.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod clock;
mod services;
