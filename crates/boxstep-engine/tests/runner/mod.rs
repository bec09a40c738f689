//! Runners on an engine (`docs/reference/runner.md`).

#![allow(unreachable_pub, missing_docs, reason = "a test")]

#[path = "../../../boxstep-kernel/tests/cases.rs"]
mod cases;
mod claims;
mod deferred;
mod hosted;
#[allow(dead_code, reason = "the kernel's tests use more of it")]
#[path = "../../../boxstep-kernel/tests/puppet.rs"]
mod puppet;
mod random;
mod scripted;
mod told;
