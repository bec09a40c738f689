//! The integration tests of this crate.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod geometry;
mod kinematics;
mod other_robots;
mod resting;
mod retarget;
mod there_and_back;
