//! The integration tests of the crate.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod performance;
mod show_files;
mod wire;
#[cfg(feature = "zenoh")]
mod zenoh;
