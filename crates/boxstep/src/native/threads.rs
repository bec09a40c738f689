//! The few calls of Python's stable C API and of the system that have no safe form.
#![allow(unsafe_code)]

use pyo3::ffi;
use pyo3::prelude::*;
use std::cell::RefCell;

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

/// Calls something with one argument, without the tuple that a call from outside of Python has otherwise.
pub(crate) fn call_with<'py>(callable: &Bound<'py, PyAny>, arg: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: the interpreter is attached (`py`); the arguments are objects, and a null ends them. The result is ours, or
    // null with an exception set.
    unsafe {
        let end = std::ptr::null_mut::<ffi::PyObject>();
        let result = ffi::PyObject_CallFunctionObjArgs(callable.as_ptr(), arg.as_ptr(), end);
        Bound::from_owned_ptr_or_err(callable.py(), result)
    }
}

/// What only a thread that is attached to Python reaches: its lock is Python's own.
pub(crate) struct OfPython<T>(RefCell<T>);

// SAFETY: all access is through `with`, whose caller is attached, and one thread at a time is: this is built for Pythons
// with a lock (`abi3`). What `look` does with Python may let another thread in, which then finds the cell borrowed.
unsafe impl<T: Send> Sync for OfPython<T> {}

impl<T> OfPython<T> {
    pub(crate) const fn new(value: T) -> Self {
        Self(RefCell::new(value))
    }

    /// `look` must run no code of Python's.
    pub(crate) fn with<R>(&self, _py: Python<'_>, look: impl FnOnce(&mut T) -> R) -> R {
        look(&mut self.0.borrow_mut())
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
