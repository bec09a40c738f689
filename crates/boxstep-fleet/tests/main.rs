//! The integration tests of this crate, in one program, because linking takes as long as hundreds of tests.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail")]

mod delegates;
mod leaders;
mod members;
mod performance;
mod samples;
mod show_files;
mod stores;
mod wire;
#[cfg(feature = "zenoh")]
mod zenoh;
