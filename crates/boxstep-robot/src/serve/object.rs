//! The services of a run as qi objects.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// A panic of another thread leaves nothing half done here.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
