//! What [`super::sync`] and [`super::hub`] are made of. `tests/mailbox.rs` and `tests/turn.rs` have the same names from a model checker.

pub(super) use std::hint::spin_loop;
pub(super) use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
pub(super) use std::sync::{Mutex, MutexGuard};
pub(super) use std::thread::{Thread, current, park, park_timeout};

/// Rounds to look for mail before the thread goes to sleep. Waking a sleeping thread costs tens of microseconds, a
/// spin of this length at most about as much; on a single core spinning only keeps the sender from running.
pub(super) const SPIN: u32 = 1_000;

/// Threads that can run at a time.
pub(super) fn cores() -> usize {
    static CORES: std::sync::OnceLock<usize> = std::sync::OnceLock::new();
    *CORES.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from))
}
