//! Converts values to Python and back.

use boxstep_types::{ObjectRef, Value};
use pyo3::exceptions::{PyRecursionError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyByteArray, PyBytes, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The maximum nesting of lists: a list that contains itself must not overflow the stack.
const DEPTH: u32 = 100;

/// Python objects that are passed as opaque values, by number.
///
/// The last handle may be dropped while the engine is locked, so that only puts the number into `RELEASED`.
#[derive(Default)]
struct Objects {
    held: HashMap<u64, Py<PyAny>>,
    made: u64,
}

static OBJECTS: Mutex<Option<Objects>> = Mutex::new(None);
static RELEASED: Mutex<Vec<u64>> = Mutex::new(Vec::new());
/// `RELEASED` is not empty. Nearly all calls find it empty and need not lock it.
static ANY_RELEASED: AtomicBool = AtomicBool::new(false);

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Releases the objects whose last handle is gone. It runs their `__del__`, so call it with no lock held.
pub(crate) fn release_objects(_py: Python<'_>) {
    if !ANY_RELEASED.load(Ordering::Acquire) {
        return;
    }
    ANY_RELEASED.store(false, Ordering::Release);
    let released = std::mem::take(&mut *lock(&RELEASED));
    let objects: Vec<_> = {
        let mut table = lock(&OBJECTS);
        table.iter_mut().flat_map(|t| released.iter().filter_map(|id| t.held.remove(id)).collect::<Vec<_>>()).collect()
    };
    drop(objects);
}

/// Makes the numbers of objects from here on different from those that the helper process of a run gives.
pub(crate) fn keep_apart() {
    let mut table = lock(&OBJECTS);
    let table = table.get_or_insert_default();
    table.made = table.made.max(1 << 40);
}

fn keep(object: &Bound<'_, PyAny>) -> Value {
    let object = object.clone().unbind();
    let mut table = lock(&OBJECTS);
    let table = table.get_or_insert_default();
    table.made += 1;
    let id = table.made;
    table.held.insert(id, object);
    Value::Object(ObjectRef::with_release(id, |id| {
        lock(&RELEASED).push(id);
        ANY_RELEASED.store(true, Ordering::Release);
    }))
}

/// Converts a Python object to a value. An object without another form becomes an opaque value.
///
/// # Errors
/// Lists or dictionaries nested deeper than 100, such as one that contains itself.
pub(crate) fn to_value(object: &Bound<'_, PyAny>) -> PyResult<Value> {
    convert(object, DEPTH)
}

fn convert(object: &Bound<'_, PyAny>, depth: u32) -> PyResult<Value> {
    if depth == 0 {
        return Err(PyValueError::new_err(format!("a value is nested more than {DEPTH} deep")));
    }
    if object.is_none() {
        return Ok(Value::Null);
    }
    if let Ok(b) = object.cast::<PyBool>() {
        return Ok(Value::Bool(b.is_true()));
    }
    if let Ok(i) = object.cast::<PyInt>() {
        // Integers with more than 64 bits are opaque.
        return Ok(i.extract().map_or_else(|_| keep(object), Value::Int));
    }
    if let Ok(x) = object.cast::<PyFloat>() {
        return Ok(Value::Float(x.value()));
    }
    if let Ok(s) = object.cast::<PyString>() {
        return Ok(Value::Str(s.to_string_lossy().into()));
    }
    if let Ok(b) = object.cast::<PyBytes>() {
        // A subclass is the `str` of a Python 2 script.
        let text = if b.is_exact_instance_of::<PyBytes>() { None } else { std::str::from_utf8(b.as_bytes()).ok() };
        return Ok(text.map_or_else(|| Value::Bytes(b.as_bytes().into()), |text| Value::Str(text.into())));
    }
    if let Ok(b) = object.cast::<PyByteArray>() {
        return Ok(Value::Bytes(b.to_vec().as_slice().into()));
    }
    if let Ok(list) = object.cast::<PyList>() {
        return Ok(Value::List(list.iter().map(|item| convert(&item, depth - 1)).collect::<PyResult<_>>()?));
    }
    if let Ok(tuple) = object.cast::<PyTuple>() {
        return Ok(Value::List(tuple.iter().map(|item| convert(&item, depth - 1)).collect::<PyResult<_>>()?));
    }
    if let Ok(dict) = object.cast::<PyDict>() {
        let pair =
            |(k, v): (Bound<'_, PyAny>, Bound<'_, PyAny>)| Ok((convert(&k, depth - 1)?, convert(&v, depth - 1)?));
        return Ok(Value::Map(dict.iter().map(pair).collect::<PyResult<_>>()?));
    }
    Ok(keep(object))
}

/// Converts a value to a Python object.
///
/// # Errors
/// Not enough memory; a map with a key that Python cannot hash; nesting deeper than Python objects can have.
pub(crate) fn to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    rebuild(py, value, 2 * DEPTH, None)
}

/// Converts a value to a Python object for a script, which gets raw data as `boxstep_runtime.raw` says.
///
/// # Errors
/// As those of [`to_python`].
pub(crate) fn to_script<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    if let Value::Bytes(_) | Value::List(_) | Value::Map(_) = value {
        return rebuild(py, value, 2 * DEPTH, Some(&py.import("boxstep_runtime.raw")?.getattr("received")?));
    }
    rebuild(py, value, 2 * DEPTH, None)
}

fn rebuild<'py>(
    py: Python<'py>,
    value: &Value,
    depth: u32,
    received: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    if depth == 0 {
        return Err(PyRecursionError::new_err("a value is nested too deep"));
    }
    Ok(match value {
        Value::Null => py.None().into_bound(py),
        Value::Bool(b) => PyBool::new(py, *b).to_owned().into_any(),
        Value::Int(i) => PyInt::new(py, *i).into_any(),
        Value::Float(x) => PyFloat::new(py, *x).into_any(),
        Value::Str(s) => PyString::new(py, s).into_any(),
        Value::Bytes(b) => {
            let data = PyBytes::new(py, b).into_any();
            received.map_or(Ok(data.clone()), |received| received.call1((data,)))?
        }
        Value::List(items) => {
            let list = PyList::empty(py);
            for item in items.iter() {
                list.append(rebuild(py, item, depth - 1, received)?)?;
            }
            list.into_any()
        }
        Value::Map(pairs) => {
            let dict = PyDict::new(py);
            for (k, v) in pairs.iter() {
                let key = match k {
                    // A list that is a key was a tuple.
                    Value::List(_) => PyTuple::new(
                        py,
                        rebuild(py, k, depth - 1, received)?.try_iter()?.collect::<PyResult<Vec<_>>>()?,
                    )?
                    .into_any(),
                    _ => rebuild(py, k, depth - 1, received)?,
                };
                dict.set_item(key, rebuild(py, v, depth - 1, received)?)?;
            }
            dict.into_any()
        }
        Value::Object(handle) => {
            if let Some(name) = handle.robot_service() {
                return py.import("boxstep_runtime.proxies")?.getattr("Service")?.call1((name,));
            }
            let held = lock(&OBJECTS).as_ref().and_then(|t| t.held.get(&handle.id()).map(|o| o.clone_ref(py)));
            held.unwrap_or_else(|| py.None()).into_bound(py)
        }
    })
}
