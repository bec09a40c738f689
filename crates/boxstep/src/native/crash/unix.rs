//! Signals of crashes.

use super::{LONGEST, PLAYS};
use std::sync::atomic::{AtomicI32, Ordering};

const SIGNALS: [(libc::c_int, &str); 5] = [
    (libc::SIGSEGV, "SIGSEGV"),
    (libc::SIGBUS, "SIGBUS"),
    (libc::SIGFPE, "SIGFPE"),
    (libc::SIGILL, "SIGILL"),
    (libc::SIGABRT, "SIGABRT"),
];

/// Enough for the handlers, including that of `faulthandler`.
const SIGNAL_STACK: usize = 128 << 10;

static CRASHED: AtomicI32 = AtomicI32::new(0);

/// Returns why no script can run any more, if so.
pub(crate) fn lost() -> Option<String> {
    let signal = CRASHED.load(Ordering::Acquire);
    let (_, name) = SIGNALS.iter().find(|(number, _)| *number == signal)?;
    Some(format!("a script crashed in C code ({name})"))
}

/// Installs the handler. A handler that is installed later must call this one.
pub(crate) fn stay_alive() {
    for (signal, _) in SIGNALS {
        // SAFETY: zero is a valid value of the structure, and the handler uses only async-signal-safe calls.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = crashed as extern "C" fn(libc::c_int) as usize;
            action.sa_flags = libc::SA_ONSTACK | libc::SA_NODEFER;
            libc::sigemptyset(&raw mut action.sa_mask);
            libc::sigaction(signal, &raw const action, std::ptr::null_mut());
        }
    }
}

/// Uses only atomics, `nanosleep`, `signal` and `raise`, which are async-signal-safe.
extern "C" fn crashed(signal: libc::c_int) {
    let _ = CRASHED.compare_exchange(0, signal, Ordering::AcqRel, Ordering::Relaxed);
    let second = libc::timespec { tv_sec: 1, tv_nsec: 0 };
    for _ in 0..if PLAYS.load(Ordering::Acquire) { LONGEST } else { 0 } {
        // SAFETY: a valid time, and no remainder is requested.
        unsafe { libc::nanosleep(&raw const second, std::ptr::null_mut()) };
    }
    // SAFETY: plain numbers.
    unsafe {
        libc::signal(signal, libc::SIG_DFL);
        libc::raise(signal);
    }
}

/// Gives the calling thread a signal stack while `body` runs, because its own stack may have overflowed.
pub(crate) fn with_signal_stack(body: &mut dyn FnMut()) {
    let mut memory = vec![0u8; SIGNAL_STACK];
    let stack = libc::stack_t { ss_sp: memory.as_mut_ptr().cast(), ss_flags: 0, ss_size: memory.len() };
    let none = libc::stack_t { ss_sp: std::ptr::null_mut(), ss_flags: libc::SS_DISABLE, ss_size: 0 };
    // SAFETY: the memory is alive until the stack is removed again.
    unsafe { libc::sigaltstack(&raw const stack, std::ptr::null_mut()) };
    body();
    // SAFETY: as above.
    unsafe { libc::sigaltstack(&raw const none, std::ptr::null_mut()) };
}
