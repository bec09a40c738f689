//! The integration tests of this crate, in one program, because linking one takes as long as hundreds of tests.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail")]

mod motion;
mod projects;
mod rules;
mod scripts;
mod topic_files;
mod topics;
