//! Control of a run from other threads: signals, and a standard output that is closed.
//!
//! A run has two threads for it, because the engine may be busy for a while: one handles signals and can always end
//! the process, the other waits for the engine's lock. See `docs/guides/interrupt.md`.

use crate::exit;
use boxstep_engine::Engine;
use boxstep_engine::config::Control;
use boxstep_engine::protocol::Scheduler;
use boxstep_engine::shared::Shared;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::{Handle, Signals};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, OnceLock};
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

/// Ends the signal thread when dropped.
pub(crate) struct SignalWatch(Handle);

impl Drop for SignalWatch {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// While it is set, a signal ends the process. It is cleared when a command handles signals itself.
static EARLY: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// Makes a signal end the process with the exit code of an interrupt, until a command handles signals itself. Nothing
/// needs cleaning up until then.
pub fn end_early_at_signal() {
    EARLY.get_or_init(|| {
        let armed = Arc::new(AtomicBool::new(true));
        for signal in [SIGINT, SIGTERM] {
            // If this fails, the signal still ends the process, by the system's default.
            let _ = signal_hook::flag::register_conditional_shutdown(signal, exit::INTERRUPTED, armed.clone());
        }
        armed
    });
}

/// Starts to handle signals.
pub(crate) fn signals() -> io::Result<Signals> {
    let signals = Signals::new([SIGINT, SIGTERM])?;
    if let Some(early) = EARLY.get() {
        early.store(false, Ordering::Release);
    }
    Ok(signals)
}

/// Whether a signal has come since [`end_at_signal`].
static SIGNALLED: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// Returns whether the command was interrupted. In a terminal the signal also ends helper processes, maybe before the
/// signal thread runs here; an error that the command makes of that is not its result.
pub(crate) fn was_signalled() -> bool {
    SIGNALLED.get().is_some_and(|signalled| signalled.load(Ordering::Acquire))
}

/// Makes a signal remove unfinished output files and end the process, for commands that play nothing.
pub(crate) fn end_at_signal() -> io::Result<SignalWatch> {
    let signalled = SIGNALLED.get_or_init(Arc::default);
    for signal in [SIGINT, SIGTERM] {
        signal_hook::flag::register(signal, signalled.clone())?;
    }
    let mut signals = signals()?;
    let handle = signals.handle();
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        if signals.forever().next().is_some() {
            boxstep_format::output::clear();
            signal_hook::low_level::exit(exit::INTERRUPTED);
        }
    })?;
    Ok(SignalWatch(handle))
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
        signals().map(Self)
    }

    pub(crate) fn wait(mut self) {
        self.0.forever().next();
    }
}

/// The interval between raised interrupts. An interrupted run has stopped and restored the robot within this time; a
/// second signal before that would cut it short.
const AGAIN: Duration = Duration::from_secs(15);

/// Ends this process as Ctrl-C does once its standard input is closed, because its parent process is gone.
pub(crate) fn end_with_input() -> io::Result<()> {
    let reads = || {
        // The input is ignored.
        let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
        // Raise it again in case it was missed: between the run and the page that remains, or because a stop had come
        // before.
        while signal_hook::low_level::raise(SIGINT).is_ok() {
            std::thread::sleep(AGAIN);
        }
    };
    std::thread::Builder::new().name("input".to_owned()).spawn(reads).map(drop)
}

/// Whether a signal has come, for code that must restore something before there is a run.
pub(crate) struct Noted(Arc<AtomicBool>, Handle);

impl Noted {
    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

impl Drop for Noted {
    fn drop(&mut self) {
        self.1.close();
    }
}

/// Notes the first signal; a second one ends the process at once.
pub(crate) fn note_signals() -> io::Result<Noted> {
    let mut signals = signals()?;
    let noted = Noted(Arc::default(), signals.handle());
    let flag = noted.0.clone();
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        for _ in signals.forever() {
            if flag.swap(true, Ordering::AcqRel) {
                boxstep_format::output::clear();
                signal_hook::low_level::exit(exit::INTERRUPTED);
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
    let mut signals = signals()?;
    let handle = signals.handle();
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
        let mut arrived = signals.forever();
        if arrived.next().is_some() {
            remote.send(Control::Interrupt);
            if arrived.next().is_some() {
                last_words();
                boxstep_format::output::clear();
                signal_hook::low_level::exit(exit::INTERRUPTED);
            }
        }
    })?;
    Ok(SignalWatch(handle))
}
