//! Requests from outside to end the process: Ctrl-C and SIGTERM, or on Windows Ctrl-C, Ctrl-Break and the end of the
//! console or of the session.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

#[cfg(unix)]
#[path = "signals/unix.rs"]
mod system;
#[cfg(windows)]
#[path = "signals/windows.rs"]
mod system;

pub(crate) use system::{SignalWatch, Signals, exit_now, raise};

/// Whether a signal ends the process. It does until a command handles signals itself: nothing needs cleaning up until
/// then.
static ENDS: LazyLock<Arc<AtomicBool>> = LazyLock::new(|| Arc::new(AtomicBool::new(true)));

/// Whether a signal has come.
static SIGNALLED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// Makes a signal end the process with the exit code of an interrupt, until a command handles signals itself.
pub fn end_early_at_signal() {
    system::install();
}

/// Makes signals have no effect in this process, because a child process that gets them too decides what they do.
#[cfg(windows)]
pub fn leave_signals_to_child() {
    system::install();
    ENDS.store(false, Ordering::Release);
}

/// Returns whether the command was interrupted. In a terminal the signal also ends helper processes, maybe before the
/// signal thread runs here; an error that the command makes of that is not its result.
pub fn was_signalled() -> bool {
    SIGNALLED.load(Ordering::Acquire)
}
