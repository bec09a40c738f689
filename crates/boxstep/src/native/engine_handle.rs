//! The `bridge` object, by which the Python runtime sends requests to the engine.

use super::locks::{Lock, RLock};
use super::{Stopped, forks, outputs, stop, values};
use boxstep_engine::protocol::{Answer, Caller, ObjectCall, Request, ScriptError, ServiceRequest, Wake};
use boxstep_engine::{CallId, CallbackId, ObjectId, SubscriptionId, TimerId};
use boxstep_script::requests::{self, Refusal};
use boxstep_script::scheduler;
use boxstep_types::Value;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PySequence, PyType};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

/// The engine handle of the current run, for threads that run no task.
static ENGINE: RwLock<Option<Arc<dyn scheduler::EngineHandle>>> = RwLock::new(None);

pub(crate) fn set_engine(bridge: Option<Arc<dyn scheduler::EngineHandle>>) {
    *ENGINE.write().unwrap_or_else(PoisonError::into_inner) = bridge;
}

/// Returns the engine handle of the calling thread's task. A fork has none.
pub(crate) fn engine_here() -> Option<Arc<dyn scheduler::EngineHandle>> {
    if forks::is_fork() { None } else { scheduler::engine_here() }
}

/// Returns the engine handle of the calling thread's task, or else of the current run.
pub(crate) fn engine() -> Option<Arc<dyn scheduler::EngineHandle>> {
    if forks::is_fork() {
        return None;
    }
    engine_here().or_else(engine_of_the_run)
}

fn engine_of_the_run() -> Option<Arc<dyn scheduler::EngineHandle>> {
    ENGINE.read().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Stimulates an output of a box.
pub(crate) fn tell_output(object: ObjectId, name: &Arc<str>, value: Value) -> PyResult<()> {
    if forks::is_fork() {
        return Err(nobody_plays());
    }
    match scheduler::output_here(object, name, value) {
        Ok(answer) => checked(answer).map(drop),
        Err(value) => send(Request::Output { object, name: name.clone(), value }).map(drop),
    }
}

/// Returns whether an object is that of a box.
pub(crate) fn as_box(object: &Bound<'_, PyAny>) -> bool {
    object.hasattr("_boxstep_box").unwrap_or(false)
}

/// The requests of the Python runtime to the engine. The methods are described where they are called, in
/// `boxstep_runtime`.
#[pyclass(frozen, module = "boxstep.boxstep_native")]
pub(crate) struct EngineHandle;

fn nobody_plays() -> PyErr {
    PyRuntimeError::new_err(if forks::is_fork() {
        "a fork of this process cannot reach the behavior"
    } else {
        "no behavior is being played"
    })
}

fn send(request: Request) -> PyResult<Value> {
    let answer = if forks::is_fork() {
        None
    } else {
        // The caller is nearly always a task, whose handle is at hand.
        match scheduler::request_here(request) {
            Ok(answer) => Some(answer),
            Err(request) => engine_of_the_run().map(|bridge| bridge.request(request)),
        }
    };
    checked(answer.ok_or_else(nobody_plays)?)
}

/// Converts the answer to a request to the result that the script sees.
fn checked(answer: Answer) -> PyResult<Value> {
    requests::value_of(answer).map_err(|refusal| match refusal {
        Refusal::Stopped => stop(),
        Refusal::Failed(why) => PyRuntimeError::new_err(why),
    })
}

/// Sends a request that a script may make while it cleans up: that the run is over is ignored.
fn send_even_when_over(request: Request) -> PyResult<()> {
    if forks::is_fork() {
        return Ok(());
    }
    match send(request) {
        Err(error) if Python::attach(|py| error.is_instance_of::<Stopped>(py)) => Ok(()),
        other => other.map(drop),
    }
}

fn value<'py>(py: Python<'py>, request: Request) -> PyResult<Bound<'py, PyAny>> {
    values::to_script(py, &send(request)?)
}

/// A negative object number means none.
fn caller(object: i64, line: u32) -> Caller {
    Caller { object: u32::try_from(object).ok().map(ObjectId), line }
}

fn service(object: i64, line: u32, service: &str, method: &str, args: &Bound<'_, PyAny>) -> PyResult<ServiceRequest> {
    let args = args.cast::<PySequence>()?.try_iter()?.map(|arg| values::to_value(&arg?)).collect::<PyResult<_>>()?;
    Ok(ServiceRequest { from: caller(object, line), service: service.into(), method: method.into(), args })
}

/// Performs an operation on an object; `send` sends the request.
pub(crate) fn object<'py>(
    py: Python<'py>,
    send: impl FnOnce(Request) -> PyResult<Value>,
    (kind, handle, operation): (&str, Vec<u32>, &str),
    args: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let args = args.cast::<PySequence>()?.try_iter()?.map(|arg| values::to_value(&arg?)).collect::<PyResult<_>>()?;
    let call = ObjectCall { kind: kind.into(), handle, operation: operation.into(), args };
    values::to_python(py, &send(Request::Object(Box::new(call)))?)
}

fn sleep(ns: i64) -> PyResult<()> {
    let Some(bridge) = engine_here() else {
        Python::attach(|py| py.detach(|| std::thread::sleep(Duration::from_nanos(ns.max(0).unsigned_abs()))));
        return Ok(());
    };
    match requests::sleep(&*bridge, ns) {
        end @ (Wake::Interrupted | Wake::Failed(_)) => Err(ended(end)),
        _ => Ok(()),
    }
}

/// Returns the exception that ends a script's wait.
fn ended(wake: Wake) -> PyErr {
    match wake {
        Wake::Failed(why) => PyRuntimeError::new_err(why),
        _ => stop(),
    }
}

#[pymethods]
impl EngineHandle {
    #[classattr]
    #[pyo3(name = "Lock")]
    fn lock_class(py: Python<'_>) -> Py<PyType> {
        py.get_type::<Lock>().unbind()
    }

    #[classattr]
    #[pyo3(name = "RLock")]
    fn rlock_class(py: Python<'_>) -> Py<PyType> {
        py.get_type::<RLock>().unbind()
    }

    #[classattr]
    #[pyo3(name = "Stopped")]
    fn stopped_class(py: Python<'_>) -> Py<PyType> {
        py.get_type::<Stopped>().unbind()
    }

    fn output_method<'py>(
        &self,
        py: Python<'py>,
        object: u32,
        name: &str,
        is_bang: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        outputs::method(py, ObjectId(object), name, is_bang)
    }

    fn stimulate(&self, object: u32, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let value = values::to_value(value)?;
        send(Request::Stimulate { object: ObjectId(object), name: name.into(), value }).map(drop)
    }

    fn get_parameter<'py>(&self, py: Python<'py>, object: u32, name: &str) -> PyResult<Bound<'py, PyAny>> {
        value(py, Request::GetParameter { object: ObjectId(object), name: name.into() })
    }

    fn set_parameter(&self, object: u32, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let value = values::to_value(value)?;
        send(Request::SetParameter { object: ObjectId(object), name: name.into(), value }).map(drop)
    }

    #[pyo3(signature = (object, parent, command, arg = None))]
    fn timeline<'py>(
        &self,
        py: Python<'py>,
        object: u32,
        parent: bool,
        command: &str,
        arg: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        // A number is whatever Python can make a float of, such as those of numpy.
        let argument = arg.map_or(Ok(Value::Null), |arg| match arg.extract::<String>() {
            Ok(name) => Ok(Value::from(name)),
            Err(_) => arg.extract().map(Value::Float),
        })?;
        let command = requests::timeline_command(command, &argument).map_err(PyValueError::new_err)?;
        value(py, Request::Timeline { object: ObjectId(object), parent, command })
    }

    fn object<'py>(
        &self,
        py: Python<'py>,
        kind: &str,
        handle: Vec<u32>,
        operation: &str,
        args: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        object(py, send, (kind, handle, operation), args)
    }

    fn find_service<'py>(&self, py: Python<'py>, object: i64, line: u32, name: &str) -> PyResult<Bound<'py, PyAny>> {
        value(py, Request::FindService { from: caller(object, line), service: name.into() })
    }

    fn call<'py>(
        &self,
        py: Python<'py>,
        object: i64,
        line: u32,
        name: &str,
        method: &str,
        args: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        value(py, Request::Call(service(object, line, name, method, args)?))
    }

    fn post<'py>(
        &self,
        py: Python<'py>,
        object: i64,
        line: u32,
        name: &str,
        method: &str,
        args: &Bound<'_, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        value(py, Request::Post(service(object, line, name, method, args)?))
    }

    fn call_then<'py>(
        &self,
        object: i64,
        line: u32,
        name: &str,
        method: &str,
        args: &Bound<'py, PyAny>,
        callback: u32,
    ) -> PyResult<Bound<'py, PyAny>> {
        value(args.py(), Request::CallThen(service(object, line, name, method, args)?, CallbackId(callback)))
    }

    #[pyo3(signature = (call, timeout = None))]
    fn wait_call<'py>(&self, py: Python<'py>, call: u32, timeout: Option<i64>) -> PyResult<Bound<'py, PyAny>> {
        value(py, Request::WaitCall { call: CallId(call), timeout })
    }

    fn stop_call<'py>(&self, py: Python<'py>, call: u32) -> PyResult<Bound<'py, PyAny>> {
        value(py, Request::StopCall(CallId(call)))
    }

    fn is_running<'py>(&self, py: Python<'py>, call: u32) -> PyResult<Bound<'py, PyAny>> {
        value(py, Request::IsRunning(CallId(call)))
    }

    fn subscribe(&self, object: i64, line: u32, kind: &str, a: &str, b: &str, callback: u32) -> PyResult<i64> {
        let topic = requests::topic(kind, a.into(), b.into()).map_err(PyValueError::new_err)?;
        match send(Request::Subscribe { from: caller(object, line), topic, callback: CallbackId(callback) })? {
            Value::Int(id) => Ok(id),
            other => Err(PyRuntimeError::new_err(format!("the engine answered {other:?}"))),
        }
    }

    fn unsubscribe<'py>(&self, py: Python<'py>, subscription: u32) -> PyResult<Bound<'py, PyAny>> {
        value(py, Request::Unsubscribe(SubscriptionId(subscription)))
    }

    #[pyo3(signature = (callback, delay, period = None))]
    fn after<'py>(
        &self,
        py: Python<'py>,
        callback: u32,
        delay: i64,
        period: Option<i64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        value(py, Request::After { callback: CallbackId(callback), delay, period })
    }

    fn cancel_timer<'py>(&self, py: Python<'py>, timer: u32) -> PyResult<Bound<'py, PyAny>> {
        value(py, Request::CancelTimer(TimerId(timer)))
    }

    fn spawn(&self, callback: u32) -> PyResult<()> {
        send(Request::Spawn { callback: CallbackId(callback) }).map(drop)
    }

    /// Returns the time of the engine's clock in nanoseconds.
    fn now(&self) -> PyResult<i64> {
        let bridge = engine().ok_or_else(nobody_plays)?;
        requests::now(&*bridge).map(|now| now.0).map_err(ended)
    }

    fn sleep(&self, ns: i64) -> PyResult<()> {
        sleep(ns)
    }

    fn log(&self, object: i64, line: u32, level: &str, text: &str) -> PyResult<()> {
        let level = requests::log_level(level).map_err(PyValueError::new_err)?;
        send_even_when_over(Request::Log { from: caller(object, line), level, text: text.into() })
    }

    fn print(&self, object: i64, line: u32, text: &str, error: bool) -> PyResult<()> {
        send_even_when_over(Request::Print { from: caller(object, line), text: text.into(), error })
    }

    #[pyo3(signature = (object, line, kind, message, error_line, traceback))]
    fn uncaught(
        &self,
        object: i64,
        line: u32,
        kind: &str,
        message: &str,
        error_line: Option<u32>,
        traceback: &str,
    ) -> PyResult<()> {
        let error =
            ScriptError { kind: kind.into(), message: message.into(), line: error_line, traceback: traceback.into() };
        send_even_when_over(Request::Uncaught { from: caller(object, line), error })
    }

    fn not_deterministic(&self, why: &str) -> PyResult<()> {
        send_even_when_over(Request::NotDeterministic(why.into()))
    }

    /// Rewrites Python 2 as Python 3, line by line.
    fn rewrite(&self, text: &str) -> String {
        boxstep_script::rewrite::python2(text).text
    }

    /// Returns true on a thread that runs a task, which can wait on the engine's clock.
    fn in_task(&self) -> bool {
        engine_here().is_some()
    }

    /// Returns the number of the calling thread, for `get_ident()`.
    fn ident(&self) -> u64 {
        super::locks::ident()
    }
}
