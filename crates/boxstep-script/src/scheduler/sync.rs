//! Handing messages between threads. Workers wait only on a [`Mailbox`]; nothing else in this crate blocks a thread,
//! except short-lived mutexes.

// Imported from the parent, so that a test can replace the primitives by those of a model checker.
use super::primitives::{
    AtomicBool, Mutex, MutexGuard, Ordering, SPIN, Thread, cores, current, park, park_timeout, spin_loop,
};
use std::sync::PoisonError;
use std::time::{Duration, Instant};

/// A mailbox with one slot, which one thread reads and any thread fills.
///
/// The rules of the pool guarantee that a message is posted only after the last one has been taken.
pub(crate) struct Mailbox<T> {
    full: AtomicBool,
    slot: Mutex<Slot<T>>,
    spin: u32,
}

struct Slot<T> {
    mail: Option<T>,
    /// Set while the reader sleeps or is about to sleep.
    sleeper: Option<Thread>,
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

    /// Puts mail into the slot and wakes the reader.
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

    /// Takes the mail, and waits for it if necessary.
    pub(crate) fn wait(&self) -> T {
        loop {
            if let Some(mail) = self.try_take() {
                return mail;
            }
            park();
        }
    }

    /// Takes the mail; `None` if none has come by the deadline.
    pub(crate) fn wait_until(&self, deadline: Instant) -> Option<T> {
        loop {
            if let Some(mail) = self.try_take() {
                return Some(mail);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left == Duration::ZERO {
                return None;
            }
            park_timeout(left);
        }
    }

    /// Spins, then checks the slot once more and registers the reader as sleeping.
    fn try_take(&self) -> Option<T> {
        for _ in 0..self.spin {
            if self.full.load(Ordering::Acquire) {
                break;
            }
            spin_loop();
        }
        let mut slot = self.slot();
        let mail = slot.mail.take();
        match &mail {
            Some(_) => {
                self.full.store(false, Ordering::Relaxed);
                slot.sleeper = None;
            }
            None => slot.sleeper = Some(current()),
        }
        mail
    }
}
