//! Robots that start together, beside the same with PyPI's `eclipse-zenoh` alone.

use crate::Outcome;
use crate::tools::{self, python_with, root, run};
use std::ffi::OsStr;
use std::process::Command;

/// Runs both with eight processes.
pub(super) fn run_both() -> Outcome {
    let example = ["run", "--quiet", "--release", "--package", "boxstep-fleet", "--features", "zenoh", "--example"];
    run(tools::cargo(&example).arg("start_together").env_remove("RUSTFLAGS"))?;
    let python = python_with(OsStr::new("python3"), "peers", "eclipse-zenoh==1.10.2", "zenoh")?;
    println!("\neclipse-zenoh alone, the exchange with the shortest round trip:");
    run(Command::new(python).arg(root().join("xtask/src/bench_peers/start_together.py")))
}
