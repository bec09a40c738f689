//! A script that crashes in C code takes down its thread and, if that thread holds it, the interpreter. The engine
//! survives: the thread stays in the signal handler for good, and the engine continues without scripts, stops the
//! robot, unloads native boxes and writes the trace to its end.
//!
//! The crash may have broken anything. If the engine does not reach its end either, the process ends as it would have.
#![allow(unsafe_code)]

use std::sync::atomic::{AtomicBool, Ordering};

#[cfg(unix)]
#[path = "crash/unix.rs"]
mod system;
#[cfg(windows)]
#[path = "crash/windows.rs"]
mod system;

pub(crate) use system::{lost, stay_alive, with_signal_stack};

/// How long the engine may take to reach its end, in seconds: longer than any stop.
const LONGEST: u32 = 30;

/// An engine plays that can continue without scripts.
static PLAYS: AtomicBool = AtomicBool::new(false);

/// Records whether an engine plays.
pub(crate) fn plays(plays: bool) {
    PLAYS.store(plays, Ordering::Release);
}
