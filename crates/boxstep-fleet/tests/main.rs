//! The integration tests of the crate.

#[cfg(feature = "zenoh")]
mod zenoh;
