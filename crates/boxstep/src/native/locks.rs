//! The locks under `threading`, as Python classes.

use super::engine_handle::engine_here;
use super::run::Python3;
use super::threads;
use boxstep_script::lock;
use boxstep_script::scheduler::worker_here;
use pyo3::exceptions::{PyOverflowError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Returns the result of `get_ident()`: small numbers in a repeatable order for worker threads, Python's own for
/// others.
pub(crate) fn ident() -> u64 {
    worker_here().map_or_else(threads::this_thread, |n| u64::from(n) + 1)
}

/// Returns the next serial number. Locks are compared, and ordered in sets, by their creation.
fn serial() -> u64 {
    static MADE: AtomicU64 = AtomicU64::new(0);
    MADE.fetch_add(1, Ordering::Relaxed)
}

/// Returns nanoseconds; `None` waits for ever, zero not at all.
fn timeout(blocking: bool, seconds: f64) -> PyResult<Option<i64>> {
    match (blocking, seconds) {
        (true, -1.0) => Ok(None),
        (false, -1.0) => Ok(Some(0)),
        (false, _) => Err(PyValueError::new_err("can't specify a timeout for a non-blocking call")),
        (true, s) if s.is_nan() || s < 0.0 => Err(PyValueError::new_err("timeout value must be a non-negative number")),
        (true, s) if s * 1e9 >= i64::MAX as f64 => Err(PyOverflowError::new_err("timeout value is too large")),
        (true, s) => Ok(Some((s * 1e9).round() as i64)),
    }
}

fn acquire(lock: &lock::Lock, timeout: Option<i64>) -> PyResult<bool> {
    if lock.try_acquire() {
        return Ok(true);
    }
    if timeout == Some(0) {
        return Ok(false);
    }
    match engine_here() {
        Some(bridge) => lock.acquire(&*bridge, timeout).map_err(|_| super::stop()),
        None => {
            let timeout = timeout.map(|ns| Duration::from_nanos(ns.unsigned_abs()));
            Ok(lock.acquire_foreign(&Python3, timeout))
        }
    }
}

/// A lock like that of `_thread.allocate_lock()`. A script can wait on it in virtual time, and a stop can end the wait.
#[pyclass(frozen, weakref, module = "_thread", name = "lock")]
pub(crate) struct Lock {
    lock: lock::Lock,
    serial: u64,
}

#[pymethods]
impl Lock {
    #[new]
    fn new() -> Self {
        Self { lock: lock::Lock::new(), serial: serial() }
    }

    #[pyo3(signature = (blocking = true, timeout = -1.0))]
    fn acquire(&self, blocking: bool, timeout: f64) -> PyResult<bool> {
        if blocking && timeout == -1.0 && self.lock.try_acquire() {
            return Ok(true);
        }
        acquire(&self.lock, self::timeout(blocking, timeout)?)
    }

    #[pyo3(signature = (blocking = true, timeout = -1.0))]
    fn acquire_lock(&self, blocking: bool, timeout: f64) -> PyResult<bool> {
        self.acquire(blocking, timeout)
    }

    fn release(&self) -> PyResult<()> {
        let released = self.lock.release(super::engine_handle::engine().as_deref());
        if released { Ok(()) } else { Err(not_held("release unlocked lock")) }
    }

    fn release_lock(&self) -> PyResult<()> {
        self.release()
    }

    fn locked(&self) -> bool {
        self.lock.is_locked()
    }

    fn locked_lock(&self) -> bool {
        self.locked()
    }

    fn __enter__(&self) -> PyResult<bool> {
        self.acquire(true, -1.0)
    }

    #[pyo3(signature = (*_error))]
    fn __exit__(&self, _error: &Bound<'_, PyAny>) -> PyResult<()> {
        self.release()
    }

    /// After a fork there is only one thread, and no other can hold the lock.
    fn _at_fork_reinit(&self) {
        while self.lock.is_locked() {
            self.lock.release(None);
        }
    }

    fn __hash__(&self) -> u64 {
        self.serial
    }

    fn __repr__(&self) -> String {
        let state = if self.locked() { "locked" } else { "unlocked" };
        format!("<{state} _thread.lock object {}>", self.serial)
    }
}

/// A lock like that of `_thread.RLock()`.
#[pyclass(frozen, subclass, weakref, module = "_thread", name = "RLock")]
pub(crate) struct RLock {
    lock: lock::RLock,
    serial: u64,
}

#[pymethods]
impl RLock {
    #[new]
    fn new() -> Self {
        Self { lock: lock::RLock::new(), serial: serial() }
    }

    #[pyo3(signature = (blocking = true, timeout = -1.0))]
    fn acquire(&self, blocking: bool, timeout: f64) -> PyResult<bool> {
        let timeout = self::timeout(blocking, timeout)?;
        let me = ident();
        if self.lock.reacquire(me) {
            return Ok(true);
        }
        let got = acquire(self.lock.lock(), timeout)?;
        if got {
            self.lock.set_owner(me, 1);
        }
        Ok(got)
    }

    fn release(&self) -> PyResult<()> {
        if self.lock.release(ident(), super::engine_handle::engine().as_deref()) {
            Ok(())
        } else {
            Err(not_held(NOT_OWNER))
        }
    }

    fn __enter__(&self) -> PyResult<bool> {
        self.acquire(true, -1.0)
    }

    #[pyo3(signature = (*_error))]
    fn __exit__(&self, _error: &Bound<'_, PyAny>) -> PyResult<()> {
        self.release()
    }

    fn locked(&self) -> bool {
        self.lock.lock().is_locked()
    }

    fn _is_owned(&self) -> bool {
        self.lock.is_owned(ident())
    }

    fn _recursion_count(&self) -> u64 {
        if self._is_owned() { self.lock.state().1 } else { 0 }
    }

    /// For `Condition.wait`: releases the lock completely.
    fn _release_save(&self) -> PyResult<(u64, u64)> {
        let me = ident();
        let depth =
            self.lock.release_all(me, super::engine_handle::engine().as_deref()).ok_or_else(|| not_held(NOT_OWNER))?;
        Ok((depth, me))
    }

    /// For `Condition.wait`: acquires the lock again with the same depth.
    fn _acquire_restore(&self, state: (u64, u64)) -> PyResult<()> {
        acquire(self.lock.lock(), None)?;
        self.lock.set_owner(state.1, state.0);
        Ok(())
    }

    fn _at_fork_reinit(&self) {
        self.lock.set_owner(0, 0);
        while self.lock.lock().is_locked() {
            self.lock.lock().release(None);
        }
    }

    fn __hash__(&self) -> u64 {
        self.serial
    }

    fn __repr__(&self) -> String {
        let (owner, depth) = self.lock.state();
        let state = if self.locked() { "locked" } else { "unlocked" };
        format!("<{state} _thread.RLock object owner={owner} count={depth} {}>", self.serial)
    }
}

const NOT_OWNER: &str = "cannot release un-acquired lock";

/// After a stop that ends a `Condition.wait` another thread holds the lock; the error of the `with` statement must not
/// hide the stop.
fn not_held(message: &'static str) -> PyErr {
    if super::is_stopping() { super::stop() } else { PyRuntimeError::new_err(message) }
}
