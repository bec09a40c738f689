//! What is offered to qi clients, over the loopback interface.

#![allow(unreachable_pub, missing_docs, clippy::unwrap_used, reason = "a test may fail")]

mod boxes;
mod clock;
mod interop;
mod services;
