//! The engine behind its mutex, and the two ways to drive it.

use crate::Engine;
use crate::protocol::{Next, Scheduler};
use crate::services::Waker;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

/// An engine (or a model of one) that several threads can reach; one at a time owns it.
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

    /// Wakes whoever waits in [`Shared::wait`], without ever waiting for the engine; nothing once the engine is gone.
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

    /// The engine, for as long as the guard lives. A panic of another thread does not poison it:
    /// the run is ending then, and must still be able to flush.
    pub fn lock(&self) -> MutexGuard<'_, S> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does something to the engine from outside and wakes whoever drives it.
    pub fn poke<R>(&self, f: impl FnOnce(&mut S) -> R) -> R {
        let result = f(&mut self.lock());
        self.wake();
        result
    }

    /// Wakes whoever waits in [`Shared::wait`].
    pub fn wake(&self) {
        *self.0.pokes.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.0.poked.notify_all();
    }

    /// The number of pokes so far; read it before looking at the engine, then hand it to
    /// [`Shared::wait`].
    pub fn pokes(&self) -> u64 {
        *self.0.pokes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a poke after `seen`, or for the time to pass.
    pub fn wait(&self, seen: u64, timeout: Option<Duration>) {
        let pokes = self.0.pokes.lock().unwrap_or_else(PoisonError::into_inner);
        match timeout {
            Some(t) => drop(self.0.poked.wait_timeout_while(pokes, t, |p| *p == seen)),
            None => drop(self.0.poked.wait_while(pokes, |p| *p == seen)),
        }
    }
}

impl Shared<Engine> {
    /// Puts a run behind a mutex, and gives its robot the waker that wakes whoever drives it.
    pub fn of_run(engine: Engine) -> Self {
        let shared = Self::new(engine);
        let waker = shared.waker();
        shared.lock().services.waker(waker);
        shared
    }
}

/// Something that can run scripts and so drive an engine to its end.
pub trait Host<S: Scheduler + 'static> {
    /// Returns when the run is over. `Err` if scripts cannot be run at all.
    fn drive(&self, engine: &Shared<S>) -> Result<(), String>;
}

/// Drives an engine that runs no scripts, on the calling thread.
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
                Next::Job(job) => return Err(format!("no script host for {job:?}")),
                Next::Resume(..) => {}
            }
        }
    }
}
