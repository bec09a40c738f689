//! The methods of a box that stimulate its outputs. Scripts call them more often than all else that the runtime offers, so
//! they cost no frame of Python's and no search for who is meant.

use super::door::{as_box, tell_output};
use super::values;
use boxstep_engine::ObjectId;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::sync::Arc;

/// `self.onStopped` and its like. It behaves like a method of the box's class with the one argument `p`, which a bang need
/// not have.
#[pyclass(frozen, module = "boxstep_runtime.box", name = "output")]
pub(crate) struct OutputMethod {
    object: ObjectId,
    name: Arc<str>,
    is_bang: bool,
}

impl OutputMethod {
    pub(crate) fn new(object: ObjectId, name: &str, is_bang: bool) -> Self {
        Self { object, name: name.into(), is_bang }
    }

    /// The value of a call that is not written as most are, or the error that Python has for it.
    fn unusual<'py>(
        &self,
        args: &Bound<'py, PyTuple>,
        named: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let mut args: Vec<_> = args.iter().collect();
        // `GeneratedClass.onStopped(self, p)`.
        if args.len() + named.map_or(0, PyDictMethods::len) == 2 && as_box(&args[0]) {
            args.remove(0);
        }
        let wrong = |what: String| Err(PyTypeError::new_err(format!("{}() {what}", self.__qualname__())));
        for (key, value) in named.into_iter().flatten() {
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
impl OutputMethod {
    #[pyo3(signature = (*args, **named))]
    fn __call__<'py>(&self, args: &Bound<'py, PyTuple>, named: Option<&Bound<'py, PyDict>>) -> PyResult<()> {
        let value = match (named, args.len()) {
            (None, 1) => Some(args.get_item(0)?),
            _ => self.unusual(args, named)?,
        };
        let value = value.map_or(Ok(boxstep_types::Value::Null), |value| values::to_value(&value))?;
        tell_output(self.object, &self.name, value)
    }

    /// A function that takes as many arguments, for who asks that of functions (`boxstep_runtime.calling`).
    #[classattr]
    fn _boxstep_like(py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(py.eval(c"lambda p=None: None", None, None)?.unbind())
    }

    #[getter]
    fn __name__(&self) -> &str {
        &self.name
    }

    #[getter]
    fn __qualname__(&self) -> String {
        format!("GeneratedClass.{}", self.name)
    }

    fn __repr__(&self) -> String {
        format!("<method {}>", self.__qualname__())
    }
}
