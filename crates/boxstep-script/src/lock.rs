//! The two locks that scripts wait on. Everything else in Python's `threading`, `queue` and `concurrent.futures` is
//! built from them.

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

/// The run is ending: raise the stop exception.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupted;

/// A lock that anybody may release, as Python's `_thread.lock`. Whoever waits longest gets it, straight from the hand
/// of who releases it. Free and uncontended it costs one atomic operation and no engine.
#[derive(Default)]
pub struct Lock {
    state: AtomicU8,
    waiters: Mutex<VecDeque<Waiter>>,
}

enum Waiter {
    Task(TaskId, u32),
    /// A thread that no task runs on.
    Thread(Arc<Mailbox<()>>),
}

impl Lock {
    /// A free lock.
    pub fn new() -> Self {
        Self::default()
    }

    /// Somebody holds it.
    pub fn is_locked(&self) -> bool {
        self.state.load(Ordering::Acquire) != FREE
    }

    /// Takes it if it is free.
    pub fn try_acquire(&self) -> bool {
        self.state.compare_exchange(FREE, HELD, Ordering::Acquire, Ordering::Relaxed).is_ok()
    }

    fn waiters(&self) -> MutexGuard<'_, VecDeque<Waiter>> {
        self.waiters.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// With the queue locked: takes the lock, or says that somebody waits.
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

    /// Waits in the task of `bridge`. `timeout` is in nanoseconds; `Ok(false)` if it passed.
    ///
    /// # Errors
    /// The run is ending and the lock is not held.
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

    /// Waits on a thread that no task runs on, with the interpreter free.
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
            // Not in the queue any more: it was handed over just now.
            got = waiters.len() == before;
        }
        got
    }

    /// Hands the lock to who waits longest, or frees it. False if it was not held.
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

/// A lock that its owner may take again, as Python's `_thread.RLock`.
#[derive(Default)]
pub struct RLock {
    lock: Lock,
    /// The owner's number; 0 if there is none. Only the owner sets it to itself or back.
    owner: AtomicU64,
    depth: AtomicU64,
}

impl RLock {
    /// A free lock.
    pub fn new() -> Self {
        Self::default()
    }

    /// The lock to wait for if [`RLock::again`] says no; [`RLock::own`] must follow.
    pub fn lock(&self) -> &Lock {
        &self.lock
    }

    /// Takes it once more if `me` has it.
    pub fn again(&self, me: u64) -> bool {
        let mine = self.is_owned(me);
        if mine {
            self.depth.fetch_add(1, Ordering::Relaxed);
        }
        mine
    }

    /// Says whose the lock is that was just acquired, and how deep.
    pub fn own(&self, me: u64, depth: u64) {
        self.depth.store(depth, Ordering::Relaxed);
        self.owner.store(me, Ordering::Relaxed);
    }

    /// Gives it back once. False if `me` does not have it.
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

    /// Gives it back altogether; the depth to restore with [`RLock::own`]. `None` if `me` does not have it.
    pub fn release_all(&self, me: u64, bridge: Option<&dyn EngineHandle>) -> Option<u64> {
        if !self.is_owned(me) {
            return None;
        }
        let depth = self.depth.swap(0, Ordering::Relaxed);
        self.owner.store(0, Ordering::Relaxed);
        self.lock.release(bridge);
        Some(depth)
    }

    /// `me` has it.
    pub fn is_owned(&self, me: u64) -> bool {
        self.owner.load(Ordering::Relaxed) == me
    }

    /// Owner (0 if none) and depth.
    pub fn state(&self) -> (u64, u64) {
        (self.owner.load(Ordering::Relaxed), self.depth.load(Ordering::Relaxed))
    }
}
