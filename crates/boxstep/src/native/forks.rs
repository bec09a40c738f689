//! Detects forks: a script may fork, and the child has a copy of the engine that it must never use.
#![cfg_attr(unix, allow(unsafe_code))]

use std::sync::atomic::{AtomicBool, Ordering};

static FORKED: AtomicBool = AtomicBool::new(false);

/// Returns whether this process is a fork of the one that plays.
pub(crate) fn is_fork() -> bool {
    FORKED.load(Ordering::Relaxed)
}

/// Registers the handler by which forks are detected.
#[cfg(unix)]
pub(crate) fn watch() {
    extern "C" fn in_child() {
        FORKED.store(true, Ordering::Relaxed);
    }
    static ONCE: std::sync::Once = std::sync::Once::new();
    // SAFETY: the handler writes one atomic.
    ONCE.call_once(|| {
        unsafe { libc::pthread_atfork(None, None, Some(in_child)) };
    });
}

#[cfg(not(unix))]
pub(crate) fn watch() {}
