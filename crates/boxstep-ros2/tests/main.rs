//! Tests of recordings for ROS 2, without ROS. `cargo xtask ros2` has other programs read them.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail")]

mod bags;
#[cfg(feature = "ros2")]
mod behaviors;
mod bytes;
#[cfg(feature = "ros2")]
mod controllers;
mod descriptions;
mod postures;
mod support;
