//! The two lock types that scripts wait on. Boxstep builds Python's `threading`, `queue` and `concurrent.futures` from
//! them.

use crate::scheduler::{EngineHandle, Interpreter, Mailbox};
use boxstep_engine::TaskId;
use boxstep_engine::protocol::{Answer, BlockedOn, Request, Wake};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

const FREE: u8 = 0;
const HELD: u8 = 1;
/// Held, and somebody may wait for it.
const WANTED: u8 = 2;

/// The run is ending: the script has to raise the stop exception.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupted;

/// A lock that any thread may release, like Python's `_thread.lock`. `release` hands the lock directly to the waiter
/// that has waited longest. An uncontended lock costs one atomic operation and no request to the engine.
#[derive(Default)]
pub struct Lock {
    state: AtomicU8,
    waiters: Mutex<VecDeque<Waiter>>,
}

enum Waiter {
    Task(TaskId, u32),
    /// A thread that runs no task.
    Thread(Arc<Mailbox<()>>),
}

impl Lock {
    /// Creates a free lock.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether the lock is held.
    pub fn is_locked(&self) -> bool {
        self.state.load(Ordering::Acquire) != FREE
    }

    /// Takes the lock if it is free.
    pub fn try_acquire(&self) -> bool {
        self.state.compare_exchange(FREE, HELD, Ordering::Acquire, Ordering::Relaxed).is_ok()
    }

    fn waiters(&self) -> MutexGuard<'_, VecDeque<Waiter>> {
        self.waiters.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the lock, or marks it as wanted. The queue of waiters must be locked.
    fn take_or_want(&self) -> bool {
        loop {
            if self.try_acquire() {
                return true;
            }
            let wanted = self.state.compare_exchange(HELD, WANTED, Ordering::Relaxed, Ordering::Relaxed);
            if wanted.is_ok() || wanted == Err(WANTED) {
                return false;
            }
        }
    }

    /// Waits in the task of `bridge`, for at most `timeout` nanoseconds. Returns `Ok(false)` on a timeout.
    ///
    /// # Errors
    /// The run is ending, and the lock was not taken.
    pub fn acquire(&self, bridge: &dyn EngineHandle, timeout: Option<i64>) -> Result<bool, Interrupted> {
        let mut waiters = Some(self.waiters());
        if self.take_or_want() {
            return Ok(true);
        }
        let mut place = None;
        let wake = bridge.block(timeout, BlockedOn::Lock, &mut |task, generation| {
            place = Some((task, generation));
            if let Some(mut waiters) = waiters.take() {
                waiters.push_back(Waiter::Task(task, generation));
            }
        });
        drop(waiters);
        if wake == Wake::Notified {
            return Ok(true);
        }
        if let Some(place) = place {
            self.waiters().retain(|w| !matches!(w, Waiter::Task(t, g) if (*t, *g) == place));
        }
        if wake == Wake::TimedOut { Ok(false) } else { Err(Interrupted) }
    }

    /// Waits on a thread that runs no task, with the interpreter released. Returns false on a timeout.
    pub fn acquire_foreign(&self, interpreter: &dyn Interpreter, timeout: Option<Duration>) -> bool {
        let mail = {
            let mut waiters = self.waiters();
            if self.take_or_want() {
                return true;
            }
            let mail = Arc::new(Mailbox::new());
            waiters.push_back(Waiter::Thread(mail.clone()));
            mail
        };
        let deadline = timeout.and_then(|t| Instant::now().checked_add(t));
        let mut got = false;
        interpreter.detached(&mut || {
            got = match deadline {
                Some(deadline) => mail.wait_until(deadline).is_some(),
                None => {
                    mail.wait();
                    true
                }
            };
        });
        if !got {
            let mut waiters = self.waiters();
            let before = waiters.len();
            waiters.retain(|w| !matches!(w, Waiter::Thread(m) if Arc::ptr_eq(m, &mail)));
            // No longer in the queue: the lock was handed over just after the timeout.
            got = waiters.len() == before;
        }
        got
    }

    /// Hands the lock to the waiter that has waited longest, or frees it. Returns false if the lock was not held.
    pub fn release(&self, bridge: Option<&dyn EngineHandle>) -> bool {
        match self.state.compare_exchange(HELD, FREE, Ordering::Release, Ordering::Relaxed) {
            Ok(_) => return true,
            Err(FREE) => return false,
            Err(_) => {}
        }
        let mut waiters = self.waiters();
        if !self.is_locked() {
            return false;
        }
        while let Some(waiter) = waiters.pop_front() {
            let taken = match waiter {
                Waiter::Task(task, generation) => bridge
                    .is_some_and(|bridge| bridge.request(Request::Unblock { task, generation }) == Answer::Flag(true)),
                Waiter::Thread(mail) => {
                    mail.post(());
                    true
                }
            };
            if taken {
                return true;
            }
        }
        self.state.store(FREE, Ordering::Release);
        true
    }
}

/// A lock that its owner may take again, like Python's `_thread.RLock`.
#[derive(Default)]
pub struct RLock {
    lock: Lock,
    /// The owner's number; 0 if there is none. Only the owner itself writes its number and resets it.
    owner: AtomicU64,
    depth: AtomicU64,
}

impl RLock {
    /// Creates a free lock.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the lock to wait for if [`RLock::reacquire`] returns false. After taking it, call [`RLock::set_owner`].
    pub fn lock(&self) -> &Lock {
        &self.lock
    }

    /// Takes the lock once more if `me` owns it.
    pub fn reacquire(&self, me: u64) -> bool {
        let mine = self.is_owned(me);
        if mine {
            self.depth.fetch_add(1, Ordering::Relaxed);
        }
        mine
    }

    /// Sets the owner and the depth of the lock that was just taken.
    pub fn set_owner(&self, me: u64, depth: u64) {
        self.depth.store(depth, Ordering::Relaxed);
        self.owner.store(me, Ordering::Relaxed);
    }

    /// Releases the lock once. Returns false if `me` does not own it.
    pub fn release(&self, me: u64, bridge: Option<&dyn EngineHandle>) -> bool {
        if !self.is_owned(me) {
            return false;
        }
        if self.depth.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.owner.store(0, Ordering::Relaxed);
            self.lock.release(bridge);
        }
        true
    }

    /// Releases the lock completely, and returns the depth to restore with [`RLock::set_owner`]. `None` if `me` does
    /// not own it.
    pub fn release_all(&self, me: u64, bridge: Option<&dyn EngineHandle>) -> Option<u64> {
        if !self.is_owned(me) {
            return None;
        }
        let depth = self.depth.swap(0, Ordering::Relaxed);
        self.owner.store(0, Ordering::Relaxed);
        self.lock.release(bridge);
        Some(depth)
    }

    /// Whether `me` owns the lock.
    pub fn is_owned(&self, me: u64) -> bool {
        self.owner.load(Ordering::Relaxed) == me
    }

    /// Returns the owner (0 if there is none) and the depth.
    pub fn state(&self) -> (u64, u64) {
        (self.owner.load(Ordering::Relaxed), self.depth.load(Ordering::Relaxed))
    }
}
