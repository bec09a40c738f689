//! The integration tests of this crate, in one program, because linking one takes as long as hundreds of tests.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail")]

mod common;

mod corpus;
mod diff;
mod diff_known_again;
mod diff_page;
mod drawings;
mod equality;
mod hostile;
mod schemas;
