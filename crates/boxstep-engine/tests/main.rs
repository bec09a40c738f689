//! The integration tests of this crate, in one program: each linking takes as long as hundreds of tests.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail")]

mod support;

mod acquisition;
mod claims;
mod contention;
mod corners;
mod defects;
mod ending;
mod kinds;
mod languages;
mod lifecycle;
mod links;
mod loops;
mod machine;
mod many;
mod mocks;
mod natives;
mod objects;
mod pace;
mod parts;
mod polling;
mod preload;
mod programs;
mod random;
mod real_robot;
mod real_time;
mod reload;
mod resources;
mod runner;
mod stopping;
mod timeline;
