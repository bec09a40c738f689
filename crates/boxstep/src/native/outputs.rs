//! The methods of a box that stimulate its outputs. Scripts call them more often than anything else in the runtime, so
//! they are built-in functions: a call needs no frame, no tuple of arguments and no attribute lookup.
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

/// `METH_FASTCALL | METH_KEYWORDS`: the same in every Python from 3.7 on, and part of the stable ABI from 3.10 on.
const FAST_CALL: c_int = 0x0080 | ffi::METH_KEYWORDS;

/// The object whose method `self.onStopped` or another output is.
#[pyclass(frozen, module = "boxstep_runtime.box", name = "GeneratedClass")]
pub(crate) struct Output {
    object: ObjectId,
    name: Arc<str>,
    is_bang: bool,
    definition: Definition,
}

/// The definition of the method for Python, which reads it and the name as long as the method lives; the method keeps
/// the [`Output`] alive.
struct Definition {
    method: Box<ffi::PyMethodDef>,
    _name: CString,
}

// SAFETY: it is never written to.
unsafe impl Send for Definition {}
// SAFETY: the same.
unsafe impl Sync for Definition {}

impl Definition {
    fn new(name: &str) -> Self {
        // No file can have a name with a zero byte in it.
        let name = CString::new(name).unwrap_or_default();
        // SAFETY: function pointers have one size; Python calls it as the flags say.
        let call = unsafe { std::mem::transmute::<FastCall, ffi::PyCFunction>(call) };
        let ml_meth = ffi::PyMethodDefPointer { PyCFunction: call };
        let method =
            ffi::PyMethodDef { ml_name: name.as_ptr(), ml_meth, ml_flags: FAST_CALL, ml_doc: std::ptr::null() };
        Self { method: Box::new(method), _name: name }
    }
}

/// Returns a method that behaves like one of the box's class with the argument `p`, which is optional for a bang.
pub(crate) fn method<'py>(py: Python<'py>, object: ObjectId, name: &str, is_bang: bool) -> PyResult<Bound<'py, PyAny>> {
    let output = Output { object, name: name.into(), is_bang, definition: Definition::new(name) };
    let output = Bound::new(py, output)?;
    let definition = std::ptr::from_ref(&*output.get().definition.method).cast_mut();
    // SAFETY: the definition lives on the heap as long as the output, to which the function has a reference; Python
    // only reads it.
    unsafe {
        let function = ffi::PyCFunction_NewEx(definition, output.as_ptr(), std::ptr::null_mut());
        Bound::from_owned_ptr_or_err(py, function)
    }
}

/// The function that Python calls.
///
/// # Safety
/// Python guarantees: the thread is attached; `output` is an [`Output`]; `args` has `count` positional arguments, then
/// the values of `names`, which is a tuple or null.
unsafe extern "C" fn call(
    output: *mut ffi::PyObject,
    args: *const *mut ffi::PyObject,
    count: ffi::Py_ssize_t,
    names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: Python calls only on attached threads.
    let py = unsafe { Python::assume_attached() };
    let done = catch_unwind(AssertUnwindSafe(|| {
        // SAFETY: as the caller guarantees; the references last as long as the call.
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
                // SAFETY: a tuple of strings, as the caller guarantees.
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
    /// Returns the value of a call in an unusual form, or raises the error that Python would.
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
    /// A function with the same parameters as the method, for code that inspects functions (`boxstep_runtime.calling`).
    #[classattr]
    fn _boxstep_like(py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(py.eval(c"lambda p=None: None", None, None)?.unbind())
    }
}
