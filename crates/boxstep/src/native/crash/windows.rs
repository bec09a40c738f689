//! Exceptions that nobody handles.

use super::{LONGEST, PLAYS};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use windows_sys::Win32::System::Diagnostics::Debug::{
    EXCEPTION_CONTINUE_SEARCH, EXCEPTION_POINTERS, SetUnhandledExceptionFilter,
};

static CRASHED: AtomicU32 = AtomicU32::new(0);

/// Returns why no script can run any more, if so.
pub(crate) fn lost() -> Option<String> {
    let code = CRASHED.load(Ordering::Acquire);
    (code != 0).then(|| format!("a script crashed in C code (error {code:#x})"))
}

/// Installs the filter for exceptions that nobody handles.
pub(crate) fn stay_alive() {
    // SAFETY: the filter has the required signature and lives as long as the process.
    unsafe { SetUnhandledExceptionFilter(Some(crashed)) };
}

/// Keeps the thread that has crashed from ending the process while an engine plays.
extern "system" fn crashed(exception: *const EXCEPTION_POINTERS) -> i32 {
    // SAFETY: the system passes a valid record.
    let code = unsafe { exception.as_ref().and_then(|e| e.ExceptionRecord.as_ref()) }
        .map_or(1, |record| record.ExceptionCode.cast_unsigned());
    let _ = CRASHED.compare_exchange(0, code, Ordering::AcqRel, Ordering::Relaxed);
    if PLAYS.load(Ordering::Acquire) {
        std::thread::sleep(Duration::from_secs(LONGEST.into()));
    }
    EXCEPTION_CONTINUE_SEARCH
}

/// Runs `body`: a filter needs no stack of its own.
pub(crate) fn with_signal_stack(body: &mut dyn FnMut()) {
    body();
}
