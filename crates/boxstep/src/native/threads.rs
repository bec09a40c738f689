//! The few calls of Python's stable C API and of the system that have no safe form.
#![allow(unsafe_code)]

use pyo3::ffi;
use pyo3::prelude::*;

/// Python's own number of the calling thread.
#[allow(clippy::useless_conversion)] // C's `long` has 32 bits on Windows.
pub(crate) fn this_thread() -> u64 {
    // SAFETY: has no preconditions.
    u64::from(unsafe { ffi::PyThread_get_thread_ident() })
}

/// Raises an exception in another thread, at its next instruction of Python code; `None` takes that back.
pub(crate) fn raise_in(_py: Python<'_>, thread: u64, exception: Option<&Bound<'_, PyAny>>) {
    let exception = exception.map_or(std::ptr::null_mut(), Bound::as_ptr);
    // SAFETY: the interpreter is attached (`_py`); the callee takes a reference of its own and looks the number up
    // among the living threads.
    unsafe { ffi::PyThreadState_SetAsyncExc(thread as std::ffi::c_long, exception) };
}

/// Empties what `threading.local` and others keep for the calling thread: the next task on it is another thread to
/// its script.
pub(crate) fn forget_locals(_py: Python<'_>) {
    // SAFETY: the interpreter is attached (`_py`); the borrowed dictionary is null or alive while its thread is.
    unsafe {
        let locals = ffi::PyThreadState_GetDict();
        if !locals.is_null() && ffi::PyDict_Size(locals) > 0 {
            ffi::PyDict_Clear(locals);
        }
    }
}

/// Flushes Python's standard streams.
pub(crate) fn flush() {
    Python::attach(|py| {
        if let Ok(sys) = py.import("sys") {
            for stream in ["stdout", "stderr"] {
                // A closed or replaced stream is its owner's affair.
                let _ = sys.getattr(stream).and_then(|s| s.call_method0("flush"));
            }
        }
    });
}

/// Ends the process without asking anybody.
pub(crate) fn exit_at_once(code: i32) -> ! {
    // SAFETY: has no preconditions.
    unsafe { libc::_exit(code) }
}

/// The reading end of a pipe, by its number. Nobody else closes it.
#[cfg(unix)]
pub(crate) fn pipe(number: i32) -> std::io::PipeReader {
    use std::os::fd::{FromRawFd as _, OwnedFd};
    // SAFETY: Python has made it for us, and has forgotten it.
    unsafe { OwnedFd::from_raw_fd(number) }.into()
}
