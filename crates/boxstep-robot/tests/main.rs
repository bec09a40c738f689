//! The integration tests of this crate, in one program, because linking takes as long as hundreds of tests.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail")]

#[path = "support/cut.rs"]
mod cut;
#[path = "../../boxstep-qi/tests/common/standin.rs"]
mod libqi;
mod support;

mod cuts;
mod health;
mod naoqi;
mod panic_stop;
mod preflight;
mod serve;
mod standin;
