//! Objects of a robot.

use super::{Hooks, exception, values};
use boxstep_qi::{Error, Remote, Subscription, Value};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// A service, or another object of the robot.
#[pyclass(frozen, module = "boxstep.boxstep_native")]
pub(crate) struct RemoteObject {
    remote: Remote,
    hooks: Arc<Hooks>,
    subscriptions: Mutex<(u64, HashMap<u64, Subscription>)>,
}

impl RemoteObject {
    pub(crate) fn new(remote: Remote, hooks: Arc<Hooks>) -> Self {
        Self { remote, hooks, subscriptions: Mutex::default() }
    }

    pub(crate) fn remote(&self) -> &Remote {
        &self.remote
    }
}

/// A running call, which can be canceled.
#[pyclass(frozen, module = "boxstep.boxstep_native")]
pub(crate) struct RunningCall {
    cancel: Box<dyn Fn() + Send + Sync>,
}

#[pymethods]
impl RunningCall {
    /// Asks the robot to cancel the call.
    fn cancel(&self, py: Python<'_>) {
        py.detach(|| (self.cancel)());
    }
}

#[pymethods]
impl RemoteObject {
    /// Calls a method and waits for its answer.
    fn call<'py>(&self, py: Python<'py>, method: &str, args: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let args = values::from_python_all(args, &self.hooks)?;
        let interrupt = Mutex::new(None);
        let answer = py.detach(|| {
            self.remote.start(method, &args)?.wait_unless(|| {
                let Err(raised) = Python::attach(|py| py.check_signals()) else { return false };
                *interrupt.lock().unwrap_or_else(PoisonError::into_inner) = Some(raised);
                true
            })
        });
        if let Some(interrupt) = interrupt.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(interrupt);
        }
        let answer = answer.map_err(|error| exception(&error))?;
        values::to_python(py, answer, &self.hooks)
    }

    /// Calls a method; `then(ok, value)` is called with the answer, or with the text of an error, or with None for a
    /// call that was canceled. It is called on a thread of the connection and must not block.
    fn start(&self, py: Python<'_>, method: &str, args: &Bound<'_, PyAny>, then: Py<PyAny>) -> PyResult<RunningCall> {
        let args = values::from_python_all(args, &self.hooks)?;
        let hooks = Arc::clone(&self.hooks);
        py.detach(|| {
            let pending = self.remote.start(method, &args).map_err(|error| exception(&error))?;
            let cancel = Mutex::new(pending.canceler());
            pending.then(move |answer| {
                let _ = Python::try_attach(|py| {
                    if let Err(error) = tell(py, answer, &then, &hooks) {
                        error.write_unraisable(py, None);
                    }
                });
            });
            Ok(RunningCall { cancel: Box::new(move || cancel.lock().unwrap_or_else(PoisonError::into_inner)()) })
        })
    }

    /// Calls a function with the arguments of each emission of a signal, and with each new value of a property; returns
    /// the number for `disconnect`. Calls come one at a time, in the order of the emissions.
    fn connect(&self, py: Python<'_>, signal: &str, function: Py<PyAny>) -> PyResult<u64> {
        let hooks = Arc::clone(&self.hooks);
        let listener = move |args: &[Value]| {
            let _ = Python::try_attach(|py| {
                let args = args.iter().map(|arg| values::to_python(py, arg.clone(), &hooks));
                let called = args
                    .collect::<PyResult<Vec<_>>>()
                    .and_then(|args| pyo3::types::PyTuple::new(py, args))
                    .and_then(|args| function.call1(py, args));
                if let Err(error) = called {
                    error.write_unraisable(py, None);
                }
            });
        };
        let subscription = py.detach(|| self.remote.subscribe(signal, listener)).map_err(|error| exception(&error))?;
        let mut all = self.subscriptions.lock().unwrap_or_else(PoisonError::into_inner);
        all.0 += 1;
        let number = all.0;
        all.1.insert(number, subscription);
        Ok(number)
    }

    /// Ends a subscription; returns whether there was one.
    fn disconnect(&self, py: Python<'_>, number: u64) -> bool {
        let gone = self.subscriptions.lock().unwrap_or_else(PoisonError::into_inner).1.remove(&number);
        py.detach(|| gone.map(drop).is_some())
    }

    /// Emits a signal of the object.
    fn emit(&self, py: Python<'_>, signal: &str, args: &Bound<'_, PyAny>) -> PyResult<()> {
        let args = values::from_python_all(args, &self.hooks)?;
        py.detach(|| self.remote.emit(signal, &args)).map_err(|error| exception(&error))
    }

    fn property<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let value = py.detach(|| self.remote.property(name)).map_err(|error| exception(&error))?;
        values::to_python(py, value, &self.hooks)
    }

    fn set_property(&self, py: Python<'_>, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let value = values::from_python(value, &self.hooks)?;
        py.detach(|| self.remote.set_property(name, value)).map_err(|error| exception(&error))
    }

    /// Returns the methods as (name, parameters, answer, description), and the names of signals and of properties.
    #[allow(clippy::type_complexity)]
    fn members(&self) -> (Vec<(String, String, String, String)>, Vec<String>, Vec<String>) {
        let meta = self.remote.meta();
        let methods = meta.methods.values();
        let methods =
            methods.map(|m| (m.name.clone(), m.parameters.to_string(), m.returns.to_string(), m.description.clone()));
        let signals = meta.signals.values().map(|signal| signal.name.clone());
        let properties = meta.properties.values().map(|property| property.name.clone());
        (methods.collect(), signals.collect(), properties.collect())
    }

    /// Returns whether two objects are the same one of the robot.
    fn is_same(&self, other: &RemoteObject) -> bool {
        self.remote.is_same(&other.remote)
    }
}

fn tell(py: Python<'_>, answer: Result<Value, Error>, then: &Py<PyAny>, hooks: &Arc<Hooks>) -> PyResult<()> {
    match answer {
        Ok(value) => match values::to_python(py, value, hooks) {
            Ok(value) => then.call1(py, (true, value)),
            Err(error) => then.call1(py, (false, PyRuntimeError::new_err(error.to_string()).to_string())),
        },
        Err(Error::Canceled) => then.call1(py, (false, py.None())),
        Err(error) => then.call1(py, (false, error.to_string())),
    }
    .map(drop)
}
