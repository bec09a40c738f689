//! Ctrl-C while files of a robot come or go: it ends what waits for the robot.

use crate::exit;
use crate::failure::Failure;
use crate::signals::{SignalWatch, Signals, exit_now};
use boxstep_rescue::ssh::Stopper;
use std::io::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// Whether a signal has come. A second one ends the program at once.
pub(crate) struct Interrupt {
    shared: Arc<Shared>,
    _watch: SignalWatch,
}

#[derive(Default)]
struct Shared {
    has_come: AtomicBool,
    /// There is nothing to put back.
    at_once: AtomicBool,
    /// What is said when a signal comes.
    says: Mutex<Option<&'static str>>,
    connection: Mutex<Option<Stopper>>,
    come: Condvar,
}

impl Interrupt {
    pub(crate) fn new() -> Result<Self, Failure> {
        let failed = |e: std::io::Error| Failure::Run(e.to_string());
        let mut signals = Signals::new().map_err(failed)?;
        let interrupt = Self { shared: Arc::default(), _watch: signals.watch() };
        let shared = interrupt.shared.clone();
        let watched = std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
            while signals.next() {
                let mut connection = shared.connection.lock().unwrap_or_else(PoisonError::into_inner);
                if shared.has_come.swap(true, Ordering::AcqRel) || shared.at_once.load(Ordering::Acquire) {
                    exit_now(exit::INTERRUPTED);
                }
                if let Some(words) = shared.says.lock().unwrap_or_else(PoisonError::into_inner).take() {
                    // Nobody may read it.
                    let _ = writeln!(crate::terminal::stderr(), "{words}");
                }
                if let Some(stopper) = connection.take() {
                    stopper.stop();
                }
                shared.come.notify_all();
            }
        });
        watched.map_err(failed)?;
        Ok(interrupt)
    }

    pub(crate) fn has_come(&self) -> bool {
        self.shared.has_come.load(Ordering::Acquire)
    }

    /// Sets whether the next signal ends the program at once: nothing has to be put back.
    pub(crate) fn at_once(&self, at_once: bool) {
        self.shared.at_once.store(at_once, Ordering::Release);
    }

    /// Sets what is said when the next signal comes.
    pub(crate) fn says(&self, words: &'static str) {
        *self.shared.says.lock().unwrap_or_else(PoisonError::into_inner) = Some(words);
    }

    /// Takes the next signal for the first: what has to be put back is put back after one.
    pub(crate) fn again(&self) {
        self.shared.has_come.store(false, Ordering::Release);
    }

    /// Says again that a signal has come.
    pub(crate) fn note(&self) {
        self.shared.has_come.store(true, Ordering::Release);
    }

    /// Sets the connection that a signal ends.
    pub(crate) fn ends(&self, stopper: Stopper) {
        let mut connection = self.shared.connection.lock().unwrap_or_else(PoisonError::into_inner);
        if self.has_come() {
            stopper.stop();
        } else {
            *connection = Some(stopper);
        }
    }

    /// Waits this long, or until a signal comes.
    pub(crate) fn wait(&self, most: Duration) {
        let connection = self.shared.connection.lock().unwrap_or_else(PoisonError::into_inner);
        let waits = |_: &mut Option<Stopper>| !self.has_come();
        drop(self.shared.come.wait_timeout_while(connection, most, waits));
    }
}
