//! Converts values of the protocol to Python and back, as PyPI's `qi` does: raw data is a `bytearray`, `bytes` are text.

use super::Hooks;
use super::offered::OfferedObject;
use super::remote::RemoteObject;
use boxstep_qi::{Object, ObjectValue, Value};
use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyByteArray, PyBytes, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use std::sync::Arc;

/// The maximum nesting: a list that contains itself must not overflow the stack.
const DEPTH: u32 = 100;

/// Converts the arguments of a call.
pub(crate) fn from_python_all(args: &Bound<'_, PyAny>, hooks: &Hooks) -> PyResult<Vec<Value>> {
    args.try_iter()?.map(|arg| from_python(&arg?, hooks)).collect()
}

/// Converts a Python object to a value.
///
/// # Errors
/// An object that cannot be sent, an integer of more than 64 bits, nesting deeper than 100.
pub(crate) fn from_python(object: &Bound<'_, PyAny>, hooks: &Hooks) -> PyResult<Value> {
    convert(object, hooks, DEPTH)
}

fn convert(object: &Bound<'_, PyAny>, hooks: &Hooks, depth: u32) -> PyResult<Value> {
    if depth == 0 {
        return Err(PyValueError::new_err(format!("a value is nested more than {DEPTH} deep")));
    }
    if object.is_none() {
        return Ok(Value::Void);
    }
    if let Ok(b) = object.cast::<PyBool>() {
        return Ok(Value::Bool(b.is_true()));
    }
    if let Ok(i) = object.cast::<PyInt>() {
        let signed = i.extract().map(Value::I64);
        return signed
            .or_else(|_| i.extract().map(Value::U64))
            .map_err(|_| PyOverflowError::new_err("an integer has more than 64 bits"));
    }
    if let Ok(x) = object.cast::<PyFloat>() {
        return Ok(Value::F64(x.value()));
    }
    if let Ok(s) = object.cast::<PyString>() {
        return Ok(Value::Str(s.to_string_lossy().into_owned().into_bytes()));
    }
    if let Ok(b) = object.cast::<PyBytes>() {
        return Ok(Value::Str(b.as_bytes().to_vec()));
    }
    if let Ok(b) = object.cast::<PyByteArray>() {
        return Ok(Value::Raw(b.to_vec()));
    }
    if let Ok(list) = object.cast::<PyList>() {
        let items: Vec<Value> = list.iter().map(|item| convert(&item, hooks, depth - 1)).collect::<PyResult<_>>()?;
        return Ok(Value::list(items));
    }
    if let Ok(tuple) = object.cast::<PyTuple>() {
        let members = tuple.iter().map(|item| convert(&item, hooks, depth - 1)).collect::<PyResult<_>>()?;
        return Ok(Value::tuple(members));
    }
    if let Ok(dict) = object.cast::<PyDict>() {
        let pair = |(k, v): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
            Ok((convert(&k, hooks, depth - 1)?, convert(&v, hooks, depth - 1)?))
        };
        let entries: Vec<_> = dict.iter().map(pair).collect::<PyResult<_>>()?;
        return Ok(Value::map(entries));
    }
    // A number or a sequence of another package, such as numpy's.
    if let Ok(item) = object.call_method0("tolist") {
        return convert(&item, hooks, depth - 1);
    }
    let leaving = hooks.leaving.bind(object.py()).call1((object,))?;
    if let Ok(remote) = leaving.cast::<RemoteObject>() {
        return Ok(Value::Object(ObjectValue::Remote(remote.get().remote().clone())));
    }
    let object: Arc<dyn Object> = leaving.cast::<OfferedObject>()?.get().object();
    Ok(object.into())
}

/// Converts a value to a Python object.
pub(crate) fn to_python<'py>(py: Python<'py>, value: Value, hooks: &Arc<Hooks>) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Void | Value::Unknown => py.None().into_bound(py),
        Value::Bool(b) => PyBool::new(py, b).to_owned().into_any(),
        Value::I8(i) => PyInt::new(py, i).into_any(),
        Value::U8(i) => PyInt::new(py, i).into_any(),
        Value::I16(i) => PyInt::new(py, i).into_any(),
        Value::U16(i) => PyInt::new(py, i).into_any(),
        Value::I32(i) => PyInt::new(py, i).into_any(),
        Value::U32(i) => PyInt::new(py, i).into_any(),
        Value::I64(i) => PyInt::new(py, i).into_any(),
        Value::U64(i) => PyInt::new(py, i).into_any(),
        Value::F32(x) => PyFloat::new(py, x.into()).into_any(),
        Value::F64(x) => PyFloat::new(py, x).into_any(),
        Value::Str(text) => PyString::new(py, &String::from_utf8_lossy(&text)).into_any(),
        Value::Raw(bytes) => PyByteArray::new(py, &bytes).into_any(),
        Value::List(list) => {
            let items = list.items.into_iter().map(|item| to_python(py, item, hooks));
            PyList::new(py, items.collect::<PyResult<Vec<_>>>()?)?.into_any()
        }
        Value::Map(map) => {
            let dict = PyDict::new(py);
            for (key, value) in map.entries {
                dict.set_item(to_python(py, key, hooks)?, to_python(py, value, hooks)?)?;
            }
            dict.into_any()
        }
        Value::Tuple(tuple) => {
            // A structure with named fields is a dictionary.
            let names: Option<Vec<String>> =
                tuple.annotation.as_ref().map(|annotation| annotation.fields().map(str::to_owned).collect());
            let members = tuple.members.into_iter().map(|item| to_python(py, item, hooks));
            let members = members.collect::<PyResult<Vec<_>>>()?;
            match names {
                Some(names) if !names.is_empty() && names.len() == members.len() => {
                    let dict = PyDict::new(py);
                    for (name, member) in names.iter().zip(members) {
                        dict.set_item(name, member)?;
                    }
                    dict.into_any()
                }
                _ => PyTuple::new(py, members)?.into_any(),
            }
        }
        Value::Optional(optional) => match optional.value {
            Some(value) => to_python(py, value, hooks)?,
            None => py.None().into_bound(py),
        },
        Value::Dynamic(inner) => to_python(py, *inner, hooks)?,
        Value::Object(ObjectValue::Remote(remote)) => {
            let remote = Bound::new(py, RemoteObject::new(remote, Arc::clone(hooks)))?;
            hooks.arrived.bind(py).call1((remote,))?
        }
        // The protocol has resolved references, and a local object does not come back as one.
        Value::Object(_) => py.None().into_bound(py),
    })
}
