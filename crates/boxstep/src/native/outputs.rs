//! The methods of a box that stimulate its outputs. Scripts call them more often than all else that the runtime offers, so
//! they are functions as Python's own are: they cost no frame, no tuple of arguments, and no search for who is meant.
#![allow(unsafe_code)]

use super::engine_handle::{as_box, tell_output};
use super::values;
use boxstep_engine::ObjectId;
use boxstep_types::Value;
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::ffi::{CString, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

type FastCall = unsafe extern "C" fn(
    *mut ffi::PyObject,
    *const *mut ffi::PyObject,
    ffi::Py_ssize_t,
    *mut ffi::PyObject,
) -> *mut ffi::PyObject;

/// `METH_FASTCALL | METH_KEYWORDS`: the same in every Python from 3.7 on, and part of the stable interface from 3.10 on.
const FAST_CALL: c_int = 0x0080 | ffi::METH_KEYWORDS;

/// What `self.onStopped` and its like are methods of.
#[pyclass(frozen, module = "boxstep_runtime.box", name = "GeneratedClass")]
pub(crate) struct Output {
    object: ObjectId,
    name: Arc<str>,
    is_bang: bool,
    definition: Definition,
}

/// How Python calls the method. It reads this, and the name, as long as the method lives, which keeps the [`Output`] alive.
struct Definition {
    method: Box<ffi::PyMethodDef>,
    _name: CString,
}

// SAFETY: nobody writes to it.
unsafe impl Send for Definition {}
// SAFETY: the same.
unsafe impl Sync for Definition {}

impl Definition {
    fn new(name: &str) -> Self {
        // No file can hold a name with a zero in it.
        let name = CString::new(name).unwrap_or_default();
        // SAFETY: pointers to functions are of one size; Python calls it as the flags say.
        let call = unsafe { std::mem::transmute::<FastCall, ffi::PyCFunction>(call) };
        let ml_meth = ffi::PyMethodDefPointer { PyCFunction: call };
        let method =
            ffi::PyMethodDef { ml_name: name.as_ptr(), ml_meth, ml_flags: FAST_CALL, ml_doc: std::ptr::null() };
        Self { method: Box::new(method), _name: name }
    }
}

/// A method that behaves like one of the box's class with the one argument `p`, which a bang need not have.
pub(crate) fn method<'py>(py: Python<'py>, object: ObjectId, name: &str, is_bang: bool) -> PyResult<Bound<'py, PyAny>> {
    let output = Output { object, name: name.into(), is_bang, definition: Definition::new(name) };
    let output = Bound::new(py, output)?;
    let definition = std::ptr::from_ref(&*output.get().definition.method).cast_mut();
    // SAFETY: the definition lives in the heap until the output goes, of which the function takes a reference; Python reads
    // it and does not write.
    unsafe {
        let function = ffi::PyCFunction_NewEx(definition, output.as_ptr(), std::ptr::null_mut());
        Bound::from_owned_ptr_or_err(py, function)
    }
}

/// What Python calls.
///
/// # Safety
/// Python's: attached; an [`Output`]; `count` arguments by position, then the values of `names`, a tuple or null.
unsafe extern "C" fn call(
    output: *mut ffi::PyObject,
    args: *const *mut ffi::PyObject,
    count: ffi::Py_ssize_t,
    names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: Python calls only who is attached.
    let py = unsafe { Python::assume_attached() };
    let done = catch_unwind(AssertUnwindSafe(|| {
        // SAFETY: as the caller promises; the references last as long as the call.
        let (output, arg) = unsafe {
            let arg = |n: isize| Bound::from_borrowed_ptr(py, *args.offset(n));
            (Bound::from_borrowed_ptr(py, output).cast_into_unchecked::<Output>(), arg)
        };
        let output = output.get();
        let value = if count == 1 && names.is_null() {
            Some(arg(0))
        } else {
            let by_position = PyTuple::new(py, (0..count).map(&arg).collect::<Vec<_>>())?;
            let by_name = PyDict::new(py);
            if !names.is_null() {
                // SAFETY: a tuple of strings, as the caller promises.
                let names = unsafe { Bound::from_borrowed_ptr(py, names).cast_into_unchecked::<PyTuple>() };
                for (name, n) in names.iter().zip(count..) {
                    by_name.set_item(name, arg(n))?;
                }
            }
            output.unusual(&by_position, &by_name)?
        };
        let value = value.map_or(Ok(Value::Null), |value| values::to_value(&value))?;
        tell_output(output.object, &output.name, value)
    }));
    match done.unwrap_or_else(|_| Err(PyRuntimeError::new_err("the output panicked"))) {
        Ok(()) => py.None().into_ptr(),
        Err(error) => {
            error.restore(py);
            std::ptr::null_mut()
        }
    }
}

impl Output {
    /// The value of a call that is not written as most are, or the error that Python has for it.
    fn unusual<'py>(
        &self,
        args: &Bound<'py, PyTuple>,
        named: &Bound<'py, PyDict>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let mut args: Vec<_> = args.iter().collect();
        // `GeneratedClass.onStopped(self, p)`.
        if args.len() + named.len() == 2 && as_box(&args[0]) {
            args.remove(0);
        }
        let wrong = |what: String| Err(PyTypeError::new_err(format!("GeneratedClass.{}() {what}", self.name)));
        for (key, value) in named {
            match key.extract::<String>()?.as_str() {
                "p" if args.is_empty() => args.push(value),
                "p" => return wrong("got multiple values for argument 'p'".to_owned()),
                key => return wrong(format!("got an unexpected keyword argument '{key}'")),
            }
        }
        match args.len() {
            0 if !self.is_bang => wrong("missing 1 required positional argument: 'p'".to_owned()),
            0 | 1 => Ok(args.pop()),
            given => {
                let takes = if self.is_bang { "from 1 to 2" } else { "2" };
                wrong(format!("takes {takes} positional arguments but {} were given", given + 1))
            }
        }
    }
}

#[pymethods]
impl Output {
    /// A function that takes as many arguments as its method, for who asks that of functions (`boxstep_runtime.calling`).
    #[classattr]
    fn _boxstep_like(py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(py.eval(c"lambda p=None: None", None, None)?.unbind())
    }
}
