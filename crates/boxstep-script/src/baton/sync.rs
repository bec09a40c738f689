//! What one thread leaves for another. Every wait of the baton is a wait on a [`Mailbox`]; nothing else in this crate
//! blocks a thread but short mutexes.

#[cfg(not(loom))]
use std::{
    hint,
    sync::atomic::{AtomicBool, Ordering},
    sync::{Mutex, MutexGuard, PoisonError},
    thread,
};

#[cfg(loom)]
use loom::{
    hint,
    sync::atomic::{AtomicBool, Ordering},
    sync::{Mutex, MutexGuard},
    thread,
};

#[cfg(loom)]
use std::sync::PoisonError;

use std::time::{Duration, Instant};

/// Rounds to look for mail before the thread goes to sleep. Waking a sleeping thread costs tens of microseconds, a
/// spin of this length at most about as much; on a single core spinning only keeps the sender from running.
const SPIN: u32 = if cfg!(loom) { 1 } else { 1_000 };

/// A mailbox with one slot, read by one thread and filled by any.
///
/// Senders take turns by the rules of the baton: nobody posts before the last mail was taken.
pub(crate) struct Mailbox<T> {
    full: AtomicBool,
    slot: Mutex<Slot<T>>,
    spin: u32,
}

struct Slot<T> {
    mail: Option<T>,
    /// Set while the reader sleeps or is about to.
    sleeper: Option<thread::Thread>,
}

impl<T> Mailbox<T> {
    pub(crate) fn new() -> Self {
        Self {
            full: AtomicBool::new(false),
            slot: Mutex::new(Slot { mail: None, sleeper: None }),
            spin: if cores() > 1 { SPIN } else { 0 },
        }
    }

    fn slot(&self) -> MutexGuard<'_, Slot<T>> {
        self.slot.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Leaves mail and wakes the reader.
    pub(crate) fn post(&self, mail: T) {
        let sleeper = {
            let mut slot = self.slot();
            slot.mail = Some(mail);
            self.full.store(true, Ordering::Release);
            slot.sleeper.take()
        };
        if let Some(thread) = sleeper {
            thread.unpark();
        }
    }

    /// Takes the mail; waits for it as long as it takes.
    pub(crate) fn wait(&self) -> T {
        loop {
            if let Some(mail) = self.look() {
                return mail;
            }
            thread::park();
        }
    }

    /// Takes the mail; `None` if none came by then.
    #[cfg(not(loom))]
    pub(crate) fn wait_until(&self, deadline: Instant) -> Option<T> {
        loop {
            if let Some(mail) = self.look() {
                return Some(mail);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left == Duration::ZERO {
                return None;
            }
            thread::park_timeout(left);
        }
    }

    /// Spins, then looks once more and leaves word that the reader sleeps.
    fn look(&self) -> Option<T> {
        for _ in 0..self.spin {
            if self.full.load(Ordering::Acquire) {
                break;
            }
            hint::spin_loop();
        }
        let mut slot = self.slot();
        let mail = slot.mail.take();
        match &mail {
            Some(_) => {
                self.full.store(false, Ordering::Relaxed);
                slot.sleeper = None;
            }
            None => slot.sleeper = Some(thread::current()),
        }
        mail
    }
}

#[cfg(not(loom))]
fn cores() -> usize {
    static CORES: std::sync::OnceLock<usize> = std::sync::OnceLock::new();
    *CORES.get_or_init(|| thread::available_parallelism().map_or(1, usize::from))
}

#[cfg(loom)]
fn cores() -> usize {
    2
}
