//! The integration tests of this crate, in one program: each linking takes as long as hundreds of tests.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail")]

#[path = "nodes/support.rs"]
#[allow(clippy::unwrap_used, unreachable_pub, reason = "a test may fail; its modules are its own")]
mod support;

mod documents;
mod elsewhere;
mod import;
mod laws;
mod nodes;
mod random;
mod reading;
mod schema;
mod tools;
