//! The primitives that [`super::sync`] and [`super::hub`] use. `tests/mailbox.rs` and `tests/turn.rs` take the same
//! names from a model checker.

pub(super) use std::hint::spin_loop;
pub(super) use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
pub(super) use std::sync::{Mutex, MutexGuard};
pub(super) use std::thread::{Thread, current, park, park_timeout};

/// The number of spins for mail before the thread goes to sleep. Waking a sleeping thread costs tens of microseconds,
/// a spin of this length about as much at most. On a single core, spinning only keeps the sender from running.
pub(super) const SPIN: u32 = 1_000;

/// Returns the number of threads that can run at the same time.
pub(super) fn cores() -> usize {
    static CORES: std::sync::OnceLock<usize> = std::sync::OnceLock::new();
    *CORES.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from))
}
