//! The control events of the console (`SetConsoleCtrlHandler`), through tokio: it keeps a console that closes from
//! ending the process before the run has stopped. Windows gives a process about five seconds for that.

use super::{ENDS, SIGNALLED};
use crate::exit;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, Once, PoisonError};
use std::time::{Duration, Instant};
use tokio::signal::windows;

/// The number of events so far.
static ARRIVED: Mutex<u64> = Mutex::new(0);
/// Events that are closer together are one: Ctrl-Break and the end of a console reach a child as well as its parent,
/// which passes them on.
const ONE: Duration = Duration::from_millis(300);
static CHANGED: Condvar = Condvar::new();

/// The events that arrive from its creation on.
pub(crate) struct Signals {
    seen: u64,
    closed: Arc<AtomicBool>,
}

/// Ends the waiting for events when dropped.
pub(crate) struct SignalWatch(Arc<AtomicBool>);

fn arrived() -> MutexGuard<'static, u64> {
    ARRIVED.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Signals {
    pub(crate) fn new() -> io::Result<Self> {
        install();
        let seen = *arrived();
        ENDS.store(false, Ordering::Release);
        Ok(Self { seen, closed: Arc::default() })
    }

    pub(crate) fn watch(&self) -> SignalWatch {
        SignalWatch(self.closed.clone())
    }

    /// Waits for the next event. Returns false once the watch is dropped.
    pub(crate) fn next(&mut self) -> bool {
        let waits = |count: &mut u64| *count == self.seen && !self.closed.load(Ordering::Acquire);
        drop(CHANGED.wait_while(arrived(), waits).unwrap_or_else(PoisonError::into_inner));
        if self.closed.load(Ordering::Acquire) {
            return false;
        }
        self.seen += 1;
        true
    }
}

impl Drop for SignalWatch {
    fn drop(&mut self) {
        let count = arrived();
        self.0.store(true, Ordering::Release);
        drop(count);
        CHANGED.notify_all();
    }
}

/// Begins to receive events, once. If that fails, an event ends the process, by the system's default.
pub(super) fn install() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let (ready, installed) = std::sync::mpsc::channel::<()>();
        let receive = move || {
            let runtime = tokio::runtime::Builder::new_current_thread().build()?;
            runtime.block_on(async {
                let (mut c, mut pause) = (windows::ctrl_c()?, windows::ctrl_break()?);
                let (mut close, mut logoff) = (windows::ctrl_close()?, windows::ctrl_logoff()?);
                let mut shutdown = windows::ctrl_shutdown()?;
                drop(ready);
                let mut last: Option<Instant> = None;
                loop {
                    tokio::select! {
                        _ = c.recv() => {}
                        _ = pause.recv() => {}
                        _ = close.recv() => {}
                        _ = logoff.recv() => {}
                        _ = shutdown.recv() => {}
                    }
                    if last.replace(Instant::now()).is_none_or(|last| last.elapsed() > ONE) {
                        raise();
                    }
                }
            })
        };
        let receive = move || -> io::Result<()> { receive() };
        if std::thread::Builder::new().name("console".to_owned()).spawn(receive).is_ok() {
            let _ = installed.recv();
        }
    });
}

/// Signals this process. Returns whether that was possible.
pub(crate) fn raise() -> bool {
    if ENDS.load(Ordering::Acquire) {
        exit_now(exit::INTERRUPTED);
    }
    SIGNALLED.store(true, Ordering::Release);
    *arrived() += 1;
    CHANGED.notify_all();
    true
}

/// Ends the process at once, without cleanup.
pub(crate) fn exit_now(code: i32) -> ! {
    signal_hook::low_level::exit(code)
}
