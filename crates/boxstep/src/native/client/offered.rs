//! Objects of a Python program that robots and other programs may call.

use super::{Hooks, exception, values};
use boxstep_qi::{BuiltObject, ObjectBuilder, Registered, Turns, Value};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};

/// An object of a Python program.
#[pyclass(frozen, module = "boxstep.boxstep_native")]
pub(crate) struct OfferedObject {
    object: Arc<BuiltObject>,
    hooks: Arc<Hooks>,
}

impl OfferedObject {
    pub(crate) fn object(&self) -> Arc<BuiltObject> {
        Arc::clone(&self.object)
    }
}

#[pymethods]
impl OfferedObject {
    /// Methods are described as `name::(parameters)->answer`; signals by name and the tuple of their arguments;
    /// properties by name, type and first value. `call(name, args)` is called for methods, and `set(name, value)` when a
    /// peer sets a property. Calls come one at a time, or side by side if `parallel`.
    #[new]
    #[allow(clippy::too_many_arguments)]
    fn new(
        methods: Vec<String>,
        signals: Vec<(String, String)>,
        properties: Vec<(String, String, Bound<'_, PyAny>)>,
        call: Py<PyAny>,
        set: Py<PyAny>,
        parallel: bool,
        arrived: Py<PyAny>,
        leaving: Py<PyAny>,
    ) -> PyResult<Self> {
        let hooks = Arc::new(Hooks { arrived, leaving });
        let turns = if parallel { Turns::SideBySide } else { Turns::OneByOne };
        let mut builder = ObjectBuilder::new("").turns(turns);
        let (call, set) = (Arc::new(call), Arc::new(set));
        for described in methods {
            let name = described.split("::").next().unwrap_or_default().to_owned();
            let (call, hooks) = (Arc::clone(&call), Arc::clone(&hooks));
            builder = builder.method(&described, move |args| ask(&call, &name, args, &hooks));
        }
        for (name, signature) in signals {
            builder = builder.signal(&name, &signature);
        }
        for (name, signature, first) in properties {
            let first = values::from_python(&first, &hooks)?;
            let (set, hooks, own) = (Arc::clone(&set), Arc::clone(&hooks), name.clone());
            let setter = move |value: &Value| ask(&set, &own, std::slice::from_ref(value), &hooks).map(drop);
            builder = builder.property_with(&name, &signature, first, setter);
        }
        let object = builder.build().map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(Self { object, hooks })
    }

    /// Emits a signal.
    fn emit(&self, py: Python<'_>, signal: &str, args: &Bound<'_, PyAny>) -> PyResult<()> {
        let args = values::from_python_all(args, &self.hooks)?;
        py.detach(|| self.object.emit(signal, &args)).map_err(|error| exception(&error))
    }

    /// Sets a property, and emits its signal.
    fn set_property(&self, py: Python<'_>, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let value = values::from_python(value, &self.hooks)?;
        py.detach(|| self.object.set(name, value)).map_err(|error| exception(&error))
    }
}

/// Calls a function of the program with a name and a list of arguments.
fn ask(function: &Py<PyAny>, name: &str, args: &[Value], hooks: &Arc<Hooks>) -> Result<Value, String> {
    let answer = Python::try_attach(|py| {
        let args = args.iter().map(|arg| values::to_python(py, arg.clone(), hooks)).collect::<PyResult<Vec<_>>>()?;
        let answer = function.bind(py).call1((name, args))?;
        values::from_python(&answer, hooks)
    });
    match answer {
        Some(Ok(value)) => Ok(value),
        Some(Err(error)) => Err(error.to_string()),
        None => Err("the program is ending".to_owned()),
    }
}

/// A service that is registered.
#[pyclass(frozen, module = "boxstep.boxstep_native")]
pub(crate) struct Registration {
    id: u32,
    registered: Mutex<Option<Registered>>,
}

impl Registration {
    pub(crate) fn new(registered: Registered) -> Self {
        Self { id: registered.id(), registered: Mutex::new(Some(registered)) }
    }
}

#[pymethods]
impl Registration {
    /// The number of the service.
    #[getter]
    fn id(&self) -> u32 {
        self.id
    }

    /// Withdraws the service. Does nothing if it is withdrawn already.
    fn unregister(&self, py: Python<'_>) -> PyResult<()> {
        let registered = self.registered.lock().unwrap_or_else(PoisonError::into_inner).take();
        match registered {
            Some(registered) => py.detach(|| registered.unregister()).map_err(|error| exception(&error)),
            None => Ok(()),
        }
    }
}
