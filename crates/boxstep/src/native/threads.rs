//! The few calls of Python's stable C API and of the system that have no safe form.
#![allow(unsafe_code)]

use pyo3::ffi;
use pyo3::prelude::*;
use std::cell::RefCell;

/// Returns Python's own number of the calling thread.
#[cfg(not(windows))]
#[allow(clippy::useless_conversion)] // C's `long` has 32 bits on some systems.
pub(crate) fn this_thread() -> u64 {
    // SAFETY: has no preconditions.
    u64::from(unsafe { ffi::PyThread_get_thread_ident() })
}

/// Returns Python's own number of the calling thread, which is the system's. Python 3.9 does not export its function on
/// Windows, and would not load a module that needs it.
#[cfg(windows)]
pub(crate) fn this_thread() -> u64 {
    // SAFETY: has no preconditions.
    u64::from(unsafe { windows_sys::Win32::System::Threading::GetCurrentThreadId() })
}

/// Raises an exception in another thread, at its next instruction of Python code; `None` withdraws it.
pub(crate) fn raise_in(_py: Python<'_>, thread: u64, exception: Option<&Bound<'_, PyAny>>) {
    let exception = exception.map_or(std::ptr::null_mut(), Bound::as_ptr);
    // SAFETY: the interpreter is attached (`_py`); the callee takes its own reference and looks the number up
    // among the living threads.
    unsafe { ffi::PyThreadState_SetAsyncExc(thread as std::ffi::c_long, exception) };
}

/// Clears what `threading.local` and others store for the calling thread: to scripts, the next task on it is another
/// thread.
pub(crate) fn forget_locals(_py: Python<'_>) {
    // SAFETY: the interpreter is attached (`_py`); the borrowed dictionary is null or alive while its thread is.
    unsafe {
        let locals = ffi::PyThreadState_GetDict();
        if !locals.is_null() && ffi::PyDict_Size(locals) > 0 {
            ffi::PyDict_Clear(locals);
        }
    }
}

/// Calls an object with one argument, without the tuple that a call from outside of Python would need.
pub(crate) fn call_with<'py>(callable: &Bound<'py, PyAny>, arg: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: the interpreter is attached (`py`); the arguments are objects, terminated by null. The result is owned,
    // or null with an exception set.
    unsafe {
        let end = std::ptr::null_mut::<ffi::PyObject>();
        let result = ffi::PyObject_CallFunctionObjArgs(callable.as_ptr(), arg.as_ptr(), end);
        Bound::from_owned_ptr_or_err(callable.py(), result)
    }
}

/// A cell that only threads attached to Python access: Python's lock protects it.
pub(crate) struct OfPython<T>(RefCell<T>);

// SAFETY: all access is through `with`, whose caller is attached, and only one thread is at a time: this is built for
// Pythons with a lock (`abi3`). If `access` lets another thread run, that thread finds the cell borrowed.
unsafe impl<T: Send> Sync for OfPython<T> {}

impl<T> OfPython<T> {
    pub(crate) const fn new(value: T) -> Self {
        Self(RefCell::new(value))
    }

    /// Accesses the value; `access` must not run Python code.
    pub(crate) fn with<R>(&self, _py: Python<'_>, access: impl FnOnce(&mut T) -> R) -> R {
        access(&mut self.0.borrow_mut())
    }
}

/// Flushes Python's standard streams.
pub(crate) fn flush() {
    Python::attach(|py| {
        if let Ok(sys) = py.import("sys") {
            for stream in ["stdout", "stderr"] {
                // Errors of a closed or replaced stream are ignored.
                let _ = sys.getattr(stream).and_then(|s| s.call_method0("flush"));
            }
        }
    });
}

/// Exits the process at once, without cleanup.
pub(crate) fn exit_at_once(code: i32) -> ! {
    // SAFETY: has no preconditions.
    unsafe { libc::_exit(code) }
}

/// Takes over the reading end of a pipe by its file descriptor.
#[cfg(unix)]
pub(crate) fn pipe(number: i32) -> std::io::PipeReader {
    use std::os::fd::{FromRawFd as _, OwnedFd};
    // SAFETY: Python has created the descriptor for us and does not close it.
    unsafe { OwnedFd::from_raw_fd(number) }.into()
}
