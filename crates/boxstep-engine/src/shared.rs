//! The engine behind its mutex, and the two ways to drive it.

use crate::Engine;
use crate::protocol::{Next, Scheduler};
use crate::services::Waker;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

/// An engine (or a model of one) that several threads share; one at a time owns it.
pub struct Shared<S>(Arc<Inner<S>>);

struct Inner<S> {
    state: Mutex<S>,
    /// Counts pokes, so that one that comes before the wait is not lost.
    pokes: Mutex<u64>,
    poked: Condvar,
}

impl<S> Clone for Shared<S> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<S> Shared<S> {
    /// Puts an engine behind a mutex.
    pub fn new(state: S) -> Self {
        Self(Arc::new(Inner { state: Mutex::new(state), pokes: Mutex::new(0), poked: Condvar::new() }))
    }

    /// Creates a waker for the thread in [`Shared::wait`]. It never waits for the engine, and has no effect once the
    /// engine is dropped.
    pub fn waker(&self) -> Waker
    where
        S: Send + 'static,
    {
        let inner: Weak<Inner<S>> = Arc::downgrade(&self.0);
        Arc::new(move || {
            if let Some(inner) = inner.upgrade() {
                Shared(inner).wake();
            }
        })
    }

    /// Locks the engine. A panic in another thread does not poison the lock: the run is ending then, and must still be
    /// able to flush.
    pub fn lock(&self) -> MutexGuard<'_, S> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs a function on the engine, and wakes the thread that drives it.
    pub fn poke<R>(&self, f: impl FnOnce(&mut S) -> R) -> R {
        let result = f(&mut self.lock());
        self.wake();
        result
    }

    /// Wakes the thread in [`Shared::wait`].
    pub fn wake(&self) {
        *self.0.pokes.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.0.poked.notify_all();
    }

    /// The number of pokes so far. Read it before using the engine, then pass it to [`Shared::wait`].
    pub fn pokes(&self) -> u64 {
        *self.0.pokes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a poke after `seen`, or until the timeout has passed.
    pub fn wait(&self, seen: u64, timeout: Option<Duration>) {
        let pokes = self.0.pokes.lock().unwrap_or_else(PoisonError::into_inner);
        match timeout {
            Some(t) => drop(self.0.poked.wait_timeout_while(pokes, t, |p| *p == seen)),
            None => drop(self.0.poked.wait_while(pokes, |p| *p == seen)),
        }
    }
}

impl Shared<Engine> {
    /// Puts a run behind a mutex, and gives its robot a waker for the thread that drives it.
    pub fn of_run(engine: Engine) -> Self {
        let shared = Self::new(engine);
        let waker = shared.waker();
        shared.lock().services.waker(waker);
        shared
    }
}

/// A script host: runs scripts, and so drives an engine to its end.
pub trait Host<S: Scheduler + 'static> {
    /// Drives the engine until the run is over. Returns an error if scripts cannot be run at all.
    fn drive(&self, engine: &Shared<S>) -> Result<(), String>;
}

/// Drives an engine without scripts, on the calling thread.
pub struct NoScripts;

impl<S: Scheduler + 'static> Host<S> for NoScripts {
    fn drive(&self, engine: &Shared<S>) -> Result<(), String> {
        loop {
            let seen = engine.pokes();
            let mut state = engine.lock();
            let next = state.next();
            let now = state.now();
            drop(state);
            match next {
                Next::Ended => return Ok(()),
                Next::Wait(until) => engine.wait(seen, until.map(|t| t.since(now))),
                Next::Job(_) => return Err("a script is to run, and the run has no script host".to_owned()),
                Next::Resume(..) => {}
            }
        }
    }
}
