//! Checks on a separate thread whether the interpreter still lets other threads run.

use pyo3::prelude::*;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The channel to the checking thread, once there has been a check.
static GOES: Mutex<Option<Sender<()>>> = Mutex::new(None);

/// When the check began that has not finished.
static SINCE: Mutex<Option<Instant>> = Mutex::new(None);

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns how long the interpreter has not let other threads run. Starts a check if none is going on.
pub(crate) fn silent() -> Duration {
    if let Some(since) = *lock(&SINCE) {
        return since.elapsed();
    }
    let mut goes = lock(&GOES);
    if goes.is_none() {
        let (sender, questions) = channel();
        let goer = std::thread::Builder::new().name("pulse".to_owned()).spawn(move || {
            for () in questions {
                Python::attach(|_| ());
                *lock(&SINCE) = None;
            }
        });
        // If a script has used up the memory, the thread cannot start now, but maybe the next time.
        *goes = goer.ok().map(|_| sender);
    }
    if let Some(goes) = &*goes {
        *lock(&SINCE) = Some(Instant::now());
        if goes.send(()).is_err() {
            *lock(&SINCE) = None;
        }
    }
    Duration::ZERO
}
