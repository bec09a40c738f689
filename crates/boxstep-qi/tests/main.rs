//! The integration tests of this crate, in one program, because linking takes as long as hundreds of tests.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail")]

mod common;
#[path = "common/standin.rs"]
mod libqi;
#[path = "common/peer.rs"]
mod peer;

mod budget;
mod faults;
mod fixtures;
mod generations;
mod golden;
mod interop;
mod lasting;
mod laws;
mod passing;
mod peers;
mod sims;
mod standin;
mod tls;
mod trouble;
mod vectors;
mod wire;
