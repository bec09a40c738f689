//! Does the interpreter still let anybody in? A thread of its own goes and sees.

use pyo3::prelude::*;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Who goes, as soon as somebody has asked.
static GOES: Mutex<Option<Sender<()>>> = Mutex::new(None);

/// Since when an answer is missing.
static SINCE: Mutex<Option<Instant>> = Mutex::new(None);

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How long the interpreter has let nobody in. Asks, if nobody is asking.
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
        // A script may have taken all the memory: then nobody can go now, and somebody may the next time.
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
