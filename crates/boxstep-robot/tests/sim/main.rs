//! The simulated robot, service by service, in virtual time.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod audio;
mod harness;
mod joints;
mod leds;
mod memory;
mod others;
mod speech;
mod tables;
mod walk;
