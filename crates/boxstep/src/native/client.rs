//! A client of robots for Python programs outside of a run: what `qi` and `naoqi` of the package connect with.
//! `python/boxstep/client.py` wraps it.

mod offered;
mod remote;
mod values;

pub(crate) use offered::{OfferedObject, Registration};
pub(crate) use remote::{RemoteObject, RunningCall};

use boxstep_qi::{Credentials, Error, Options, Server, Session, Trust};
use pyo3::exceptions::{PyAttributeError, PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use std::sync::Arc;

/// How Python sees objects: functions of the package.
pub(crate) struct Hooks {
    /// Wraps a [`RemoteObject`] that arrives in a value.
    arrived: Py<PyAny>,
    /// Returns the [`RemoteObject`] or [`OfferedObject`] of an object that leaves in a value; raises `TypeError` for an
    /// object that cannot be sent.
    leaving: Py<PyAny>,
}

/// A connection to a robot.
#[pyclass(frozen, module = "boxstep.boxstep_native")]
pub(crate) struct Connection {
    session: Session,
    hooks: Arc<Hooks>,
}

/// Returns the Python exception for an error.
pub(crate) fn exception(error: &Error) -> PyErr {
    match error {
        Error::NoMember { kind, name } => PyAttributeError::new_err(format!("object has no {kind} '{name}'")),
        Error::Encode(_) => PyTypeError::new_err(error.to_string()),
        _ => PyRuntimeError::new_err(error.to_string()),
    }
}

#[pymethods]
impl Connection {
    /// Connects to an address such as `tcp://nao.local:9559`. `arrived` and `leaving` convert objects within values.
    #[new]
    #[pyo3(signature = (url, arrived, leaving, user=None, password=None))]
    fn new(
        py: Python<'_>,
        url: &str,
        arrived: Py<PyAny>,
        leaving: Py<PyAny>,
        user: Option<&str>,
        password: Option<&str>,
    ) -> PyResult<Self> {
        let credentials =
            password.map(|password| Credentials { user: user.unwrap_or("nao").to_owned(), token: password.to_owned() });
        // As libqi does: robots have certificates that they have signed themselves.
        let options = Options { credentials, trust: Trust::Anybody, ..Options::default() };
        let session = py.detach(|| Session::connect_with(url, options)).map_err(|error| exception(&error))?;
        Ok(Self { session, hooks: Arc::new(Hooks { arrived, leaving }) })
    }

    /// Returns a service.
    fn service(&self, py: Python<'_>, name: &str) -> PyResult<RemoteObject> {
        let remote = py.detach(|| self.session.service(name)).map_err(|error| exception(&error))?;
        Ok(RemoteObject::new(remote, Arc::clone(&self.hooks)))
    }

    /// Offers an object as a service.
    fn register(&self, py: Python<'_>, name: &str, object: &OfferedObject) -> PyResult<Registration> {
        let object = object.object();
        let registered = py.detach(|| self.session.register(name, object)).map_err(|error| exception(&error))?;
        Ok(Registration::new(registered))
    }

    /// Accepts calls of other programs at an address such as `127.0.0.1:0`; returns the address.
    fn listen(&self, py: Python<'_>, address: &str) -> PyResult<String> {
        let address = py.detach(|| self.session.listen(address)).map_err(|error| exception(&error))?;
        Ok(address.to_string())
    }

    /// Whether the robot is on this machine.
    fn is_loopback(&self) -> bool {
        self.session.endpoint().is_loopback()
    }

    /// Calls a function with a text when the connection has ended, whoever ended it.
    fn on_close(&self, function: Py<PyAny>) {
        self.session.connection().on_close(move |gone| {
            let why = gone.to_string();
            let _ = Python::try_attach(|py| {
                if let Err(error) = function.call1(py, (why,)) {
                    error.write_unraisable(py, None);
                }
            });
        });
    }

    fn is_connected(&self) -> bool {
        self.session.connection().gone().is_none()
    }

    fn close(&self, py: Python<'_>) {
        py.detach(|| self.session.close());
    }
}

/// A service directory of a Python program: what a robot has.
#[pyclass(frozen, module = "boxstep.boxstep_native")]
pub(crate) struct Directory(Server);

#[pymethods]
impl Directory {
    /// Listens at an address such as `127.0.0.1:0`.
    #[new]
    fn new(py: Python<'_>, address: &str) -> PyResult<Self> {
        let server = py.detach(|| Server::listen(address)).map_err(|error| exception(&error))?;
        Ok(Self(server))
    }

    /// The address, with the port that was chosen.
    #[getter]
    fn address(&self) -> String {
        self.0.address().to_string()
    }

    fn close(&self, py: Python<'_>) {
        py.detach(|| self.0.close());
    }
}
