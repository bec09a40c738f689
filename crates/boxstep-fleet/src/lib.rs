//! Shows of several robots on several machines.

pub mod network;
pub mod pairing;
#[cfg(feature = "zenoh")]
pub mod zenoh;
