//! `Session`: a run that Python code drives. `python/boxstep/run.py` wraps it for users.

use super::engine_handle::object;
use super::{run, values};
use boxstep_cli::session::{self, Functions, Wanted};
use boxstep_engine::objects::{Arrival, Error, Goal};
use boxstep_engine::protocol::{Caller, Request, Scheduler as _, ScriptError};
use boxstep_engine::services::Topic;
use boxstep_engine::{CallbackId, SubscriptionId, TaskId};
use boxstep_script::requests::{self, Refusal};
use boxstep_script::scheduler::engine_here;
use boxstep_types::{Time, Value};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyList;
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

thread_local! {
    /// The run whose function the calling thread is in; 0 for none.
    static INSIDE: Cell<u64> = const { Cell::new(0) };
}

/// The Python functions that the run calls, as `call(number, arguments)`.
struct Callbacks {
    number: u64,
    call: Py<PyAny>,
}

impl Functions for Callbacks {
    fn call(&self, function: CallbackId, args: &[Value]) -> Result<Value, ScriptError> {
        Python::attach(|py| {
            let outer = INSIDE.replace(self.number);
            let called = args
                .iter()
                .map(|value| values::to_python(py, value))
                .collect::<PyResult<Vec<_>>>()
                .and_then(|args| self.call.bind(py).call1((function.0, PyList::new(py, args)?)))
                .and_then(|result| values::to_value(&result));
            INSIDE.set(outer);
            let called = called.map_err(|error| run::explain(py, error));
            values::release_objects(py);
            called
        })
    }
}

/// A run that Python code drives.
#[pyclass(frozen, module = "boxstep.boxstep_native")]
pub(crate) struct Session {
    number: u64,
    session: session::Session,
}

/// The error that ends a wait for the run.
enum End {
    Python(PyErr),
    Refused(Error),
}

impl From<Error> for End {
    fn from(error: Error) -> Self {
        End::Refused(error)
    }
}

impl From<End> for PyErr {
    fn from(end: End) -> Self {
        match end {
            End::Python(error) => error,
            End::Refused(error) => PyRuntimeError::new_err(error.to_string()),
        }
    }
}

/// Lets Ctrl-C end a wait.
fn check_signals() -> Result<(), End> {
    Python::attach(|py| py.check_signals()).map_err(End::Python)
}

fn seconds(number: f64) -> Time {
    Time::from_secs_f64(number)
}

impl Session {
    /// Sends a request: inside a function that the run calls as part of the run, otherwise from outside.
    fn request(&self, py: Python<'_>, request: Request) -> PyResult<Value> {
        let answer = py.detach(|| {
            if INSIDE.get() == self.number
                && let Some(bridge) = engine_here()
            {
                return Ok(bridge.request(request));
            }
            self.session.act(|engine| engine.request(TaskId::FOREIGN, request), &mut check_signals)
        });
        values::release_objects(py);
        requests::value_of(answer.map_err(PyErr::from)?).map_err(|refusal| match refusal {
            Refusal::Failed(why) => PyRuntimeError::new_err(why),
            Refusal::Stopped => PyRuntimeError::new_err("the run is over"),
        })
    }

    fn outside(&self, what: &str) -> PyResult<()> {
        if INSIDE.get() == self.number {
            return Err(PyRuntimeError::new_err(format!(
                "a function that the run calls cannot {what} it: it has to return"
            )));
        }
        Ok(())
    }
}

#[pymethods]
impl Session {
    /// Opens a run; `wanted` is JSON.
    #[new]
    fn new(py: Python<'_>, wanted: &str, call: Py<PyAny>) -> PyResult<Self> {
        static NUMBERS: AtomicU64 = AtomicU64::new(1);
        let wanted: Wanted = Wanted::from_json(wanted).map_err(PyValueError::new_err)?;
        let number = NUMBERS.fetch_add(1, Ordering::Relaxed);
        values::keep_apart();
        let functions = Arc::new(Callbacks { number, call });
        let session = py.detach(|| session::Session::open(&wanted, functions)).map_err(PyValueError::new_err)?;
        Ok(Self { number, session })
    }

    /// Performs an operation on an object.
    fn object<'py>(
        &self,
        py: Python<'py>,
        kind: &str,
        handle: Vec<u32>,
        operation: &str,
        args: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        object(py, |request| self.request(py, request), (kind, handle, operation), args)
    }

    /// Applies `event`, `memory`, `stimulate` or `set` now.
    fn control(&self, py: Python<'_>, what: &str, path: &str, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let what = session::control(what, path, name, values::to_value(value)?).map_err(PyValueError::new_err)?;
        py.detach(|| {
            let now = |engine: &mut boxstep_engine::Engine| {
                let now = engine.now();
                engine.control(now, what)
            };
            self.session.act(now, &mut check_signals)
        })
        .map_err(PyErr::from)?
        .map_err(PyRuntimeError::new_err)
    }

    /// Subscribes a function to a key of the robot's memory.
    fn subscribe<'py>(&self, py: Python<'py>, key: &str, function: u32) -> PyResult<Bound<'py, PyAny>> {
        let (topic, callback) = (Topic::Memory(key.into()), CallbackId(function));
        let request = Request::Subscribe { from: Caller::default(), topic, callback };
        values::to_python(py, &self.request(py, request)?)
    }

    fn unsubscribe(&self, py: Python<'_>, subscription: u32) -> PyResult<bool> {
        Ok(self.request(py, Request::Unsubscribe(SubscriptionId(subscription)))? == Value::Bool(true))
    }

    /// Returns the value of a key of the robot's memory.
    fn memory<'py>(&self, py: Python<'py>, key: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let value = py.detach(|| self.session.engine().memory(key));
        value.map(|value| values::to_python(py, &value)).transpose()
    }

    /// Returns the time of the run's clock in seconds.
    fn now(&self, py: Python<'_>) -> f64 {
        py.detach(|| self.session.engine().now().as_secs_f64())
    }

    /// Lets the run continue until it reaches its goal: `until` (seconds), `step`, `quiet`; `loaded`, `unloaded`,
    /// `still` (number of a box); `runner` (its number). Returns `there`, `late`, `never` or `over`.
    #[pyo3(signature = (goal, at = 0.0, of = 0, latest = None))]
    fn drive(&self, py: Python<'_>, goal: &str, at: f64, of: u32, latest: Option<f64>) -> PyResult<&'static str> {
        self.outside("let time pass in")?;
        let arrival = py.detach(|| {
            let engine = self.session.engine();
            let (runner, of) = (engine.runner_numbered(of), engine.box_number(of));
            drop(engine);
            let goal = match goal {
                "until" => Goal::Until(seconds(at)),
                "step" => Goal::Step,
                "loaded" => Goal::Loaded(of),
                "unloaded" => Goal::Unloaded(of),
                "still" => Goal::Still(of),
                "runner" => Goal::Over(runner),
                "quiet" => Goal::Quiet,
                other => return Err(End::Refused(Error::Invalid(format!("no goal is called {other}")))),
            };
            self.session.drive(goal, latest.map(seconds), &mut check_signals)
        })?;
        Ok(match arrival {
            Arrival::There => "there",
            Arrival::Late => "late",
            Arrival::Never => "never",
            Arrival::Over => "over",
        })
    }

    /// Returns the number of the runner of the character that plays, if one plays.
    fn runner(&self) -> Option<u32> {
        self.session.runner()
    }

    /// Ends the wait of another thread, or the one that called the function which calls this.
    fn leave(&self, py: Python<'_>) {
        py.detach(|| self.session.leave_goal());
    }

    /// Returns the trace since the last call, as lines of JSON.
    fn take_lines(&self, py: Python<'_>) -> String {
        py.detach(|| self.session.take_lines())
    }

    /// Ends the run.
    #[pyo3(signature = (interrupt = false))]
    fn close(&self, py: Python<'_>, interrupt: bool) -> PyResult<Option<String>> {
        self.outside("close")?;
        py.detach(|| self.session.close(interrupt, &mut check_signals))?;
        values::release_objects(py);
        Ok(self.session.broken())
    }
}
