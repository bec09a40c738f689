//! The integration tests of this crate, in one program, because linking one takes as long as hundreds of tests.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail")]

mod archives;
mod corpus;
mod fixtures;
mod formats;
mod hostile;
mod output;
mod patches;
mod projects;
mod seeds;
mod split;
mod updating;
mod writing;
