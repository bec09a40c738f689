//! The integration tests of this crate, in one program, because linking a program takes as long as running hundreds of
//! tests.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail")]

mod hostile;
mod lines;
mod recordings;
mod shows;
mod signs;
mod why;
