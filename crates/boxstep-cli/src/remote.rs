//! Control of a run from other threads: signals, and a standard output that is closed.
//!
//! A run has two threads for it, because the engine may be busy for a while: one handles signals and can always end
//! the process, the other waits for the engine's lock. See `docs/guides/interrupt.md`.

use crate::exit;
use crate::signals::{SignalWatch, Signals, exit_now};
use boxstep_engine::Engine;
use boxstep_engine::config::Control;
use boxstep_engine::protocol::Scheduler;
use boxstep_engine::shared::Shared;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

/// Sends commands to the run; it may be created before the run.
#[derive(Clone)]
pub(crate) struct Remote(Sender<Control>);

impl Remote {
    pub(crate) fn new() -> (Self, Receiver<Control>) {
        let (sender, receiver) = channel();
        (Self(sender), receiver)
    }

    /// Sends a command. Does nothing once the run is over.
    pub(crate) fn send(&self, what: Control) {
        let _ = self.0.send(what);
    }
}

/// Makes a signal remove unfinished output files and end the process, for commands that play nothing.
pub(crate) fn end_at_signal() -> io::Result<SignalWatch> {
    let mut signals = Signals::new()?;
    let watch = signals.watch();
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        if signals.next() {
            boxstep_format::output::clear();
            exit_now(exit::INTERRUPTED);
        }
    })?;
    Ok(watch)
}

/// Waits for a signal.
pub(crate) fn wait_for_signal() -> io::Result<()> {
    Waiting::new()?.wait();
    Ok(())
}

/// Handles signals from now on and waits for one later.
pub(crate) struct Waiting(Signals);

impl Waiting {
    pub(crate) fn new() -> io::Result<Self> {
        Signals::new().map(Self)
    }

    pub(crate) fn wait(mut self) {
        self.0.next();
    }

    /// Waits for a signal, or until the watch that `watched` gets is dropped. Returns whether a signal has come.
    pub(crate) fn wait_or(mut self, watched: impl FnOnce(SignalWatch)) -> bool {
        watched(self.0.watch());
        self.0.next()
    }
}

/// The interval between raised interrupts. An interrupted run has stopped and restored the robot within this time; a
/// second signal before that would cut it short.
const AGAIN: Duration = Duration::from_secs(15);

/// Interrupts this process as Ctrl-C does, again and again in case one is missed.
pub fn interrupt_until_the_end() {
    while crate::signals::raise() {
        std::thread::sleep(AGAIN);
    }
}

/// Ends this process as Ctrl-C does once its standard input is closed, because its parent process is gone.
pub(crate) fn end_with_input() -> io::Result<()> {
    let reads = || {
        // The input is ignored.
        let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
        // Raise it again in case it was missed: between the run and the page that remains, or because a stop had come
        // before.
        interrupt_until_the_end()
    };
    std::thread::Builder::new().name("input".to_owned()).spawn(reads).map(drop)
}

/// How many signals have come, for code that must restore something before there is a run.
pub(crate) struct Noted {
    signals: Arc<AtomicU32>,
    _watch: SignalWatch,
}

impl Noted {
    pub(crate) fn is_set(&self) -> bool {
        self.times() > 0
    }

    pub(crate) fn times(&self) -> u32 {
        self.signals.load(Ordering::Acquire)
    }
}

/// Notes so many signals; one more ends the process at once.
pub(crate) fn note_signals(most: u32) -> io::Result<Noted> {
    let mut signals = Signals::new()?;
    let noted = Noted { signals: Arc::default(), _watch: signals.watch() };
    let count = noted.signals.clone();
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        while signals.next() {
            if count.fetch_add(1, Ordering::AcqRel) >= most {
                boxstep_format::output::clear();
                exit_now(exit::INTERRUPTED);
            }
        }
    })?;
    Ok(noted)
}

/// Connects the remote to the engine, and signals to the remote. A second signal calls `last_words` and ends the
/// process at once.
pub(crate) fn watch(
    engine: Shared<Engine>,
    remote: Remote,
    commands: Receiver<Control>,
    last_words: impl FnOnce() + Send + 'static,
) -> io::Result<SignalWatch> {
    let mut signals = Signals::new()?;
    let watch = signals.watch();
    std::thread::Builder::new().name("control".to_owned()).spawn(move || {
        for what in commands {
            engine.poke(|e| {
                let now = e.now();
                // The engine refuses only controls of boxes that do not exist; these name no box.
                let _ = e.control(now, what);
            });
        }
    })?;
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        if signals.next() {
            remote.send(Control::Interrupt);
            if signals.next() {
                last_words();
                boxstep_format::output::clear();
                exit_now(exit::INTERRUPTED);
            }
        }
    })?;
    Ok(watch)
}
