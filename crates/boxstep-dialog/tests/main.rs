//! The integration tests of this crate, in one program, because linking one takes as long as hundreds of tests.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail")]

mod chat;

mod answers;
mod cases;
mod corpus;
mod explain;
mod language;
mod laws;
mod lint;
mod results;
mod slips;
mod values;
