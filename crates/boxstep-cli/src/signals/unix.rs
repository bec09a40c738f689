//! SIGINT and SIGTERM.

use super::{ENDS, SIGNALLED};
use crate::exit;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Handle;
use signal_hook::{flag, low_level};
use std::io;
use std::sync::Once;
use std::sync::atomic::Ordering;

const SIGNALS: [i32; 2] = [SIGINT, SIGTERM];

/// The signals that arrive from its creation on.
pub(crate) struct Signals(signal_hook::iterator::Signals);

/// Ends the waiting for signals when dropped.
pub(crate) struct SignalWatch(Handle);

impl Signals {
    pub(crate) fn new() -> io::Result<Self> {
        install();
        let signals = signal_hook::iterator::Signals::new(SIGNALS)?;
        ENDS.store(false, Ordering::Release);
        Ok(Self(signals))
    }

    pub(crate) fn watch(&self) -> SignalWatch {
        SignalWatch(self.0.handle())
    }

    /// Waits for the next signal. Returns false once the watch is dropped.
    pub(crate) fn next(&mut self) -> bool {
        self.0.forever().next().is_some()
    }
}

impl Drop for SignalWatch {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// Installs the handlers once. If that fails, a signal still ends the process, by the system's default.
pub(super) fn install() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        for signal in SIGNALS {
            let _ = flag::register_conditional_shutdown(signal, exit::INTERRUPTED, ENDS.clone());
            let _ = flag::register(signal, SIGNALLED.clone());
        }
    });
}

/// Signals this process. Returns whether that was possible.
pub(crate) fn raise() -> bool {
    low_level::raise(SIGINT).is_ok()
}

/// Ends the process at once, without cleanup.
pub(crate) fn exit_now(code: i32) -> ! {
    low_level::exit(code)
}
