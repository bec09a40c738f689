//! The integration tests of the crate.

#![allow(clippy::unwrap_used)]

mod performance;
#[cfg(feature = "zenoh")]
mod zenoh;
