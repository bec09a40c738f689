//! The interpreter for the scheduler: turns orders into calls of the Python runtime.

use super::threads::OfPython;
use super::{Stopped, crash, forks, pulse, threads, values};
use boxstep_engine::ObjectId;
use boxstep_engine::protocol::{Args, BoxInfo, Order, ScriptError};
use boxstep_script::scheduler::Interpreter;
use boxstep_types::Value;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

/// The Python that loaded this module.
pub(crate) struct Python3;

impl Interpreter for Python3 {
    fn attach(&self, body: &mut dyn FnMut()) {
        crash::with_signal_stack(&mut || Python::attach(|_| body()));
    }

    fn detached(&self, body: &mut (dyn FnMut() + Send)) {
        Python::attach(|py| py.detach(body));
    }

    fn run(&self, order: Order, entered: &Arc<AtomicBool>) -> Result<Value, ScriptError> {
        Python::attach(|py| {
            let result = match run(py, order, entered) {
                Ok(value) => Ok(value),
                Err(error) if error.is_instance_of::<Stopped>(py) => Ok(Value::Null),
                Err(error) => Err(explain(py, error)),
            };
            threads::forget_locals(py);
            values::release_objects(py);
            if forks::is_fork() {
                // A fork has nothing to return to.
                threads::exit_at_once(0);
            }
            result
        })
    }

    fn thread(&self) -> u64 {
        threads::this_thread()
    }

    fn interrupt(&self, thread: u64, still: &dyn Fn() -> bool) {
        Python::attach(|py| {
            if still() {
                threads::raise_in(py, thread, Some(py.get_type::<Stopped>().as_any()));
            }
        });
    }

    fn clear_interrupt(&self) {
        Python::attach(|py| threads::raise_in(py, threads::this_thread(), None));
    }

    fn lost(&self) -> Option<String> {
        crash::lost()
    }

    fn silent(&self) -> Duration {
        pulse::silent()
    }
}

/// The functions of `boxstep_runtime.host` that orders call.
pub(crate) struct Runtime {
    load: Py<PyAny>,
    construct: Py<PyAny>,
    hook: Py<PyAny>,
    up_to: Py<PyAny>,
    callback: Py<PyAny>,
    drop: Py<PyAny>,
    forget_modules: Py<PyAny>,
    explain: Py<PyAny>,
}

static RUNTIME: RwLock<Option<Arc<Runtime>>> = RwLock::new(None);

impl Runtime {
    /// Gets the functions from the module and uses them from now on.
    pub(crate) fn install(host: &Bound<'_, PyAny>) -> PyResult<()> {
        let get = |name| host.getattr(name).map(Bound::unbind);
        let runtime = Runtime {
            load: get("load")?,
            construct: get("construct")?,
            hook: get("hook")?,
            up_to: get("up_to")?,
            callback: get("callback")?,
            drop: get("drop")?,
            forget_modules: get("forget_modules")?,
            explain: get("explain")?,
        };
        *RUNTIME.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(runtime));
        Ok(())
    }

    fn get() -> PyResult<Arc<Runtime>> {
        let runtime = RUNTIME.read().unwrap_or_else(PoisonError::into_inner);
        runtime.clone().ok_or_else(|| pyo3::exceptions::PyRuntimeError::new_err("the script runtime is not installed"))
    }
}

/// A method of a box's object.
struct Hook {
    method: Arc<str>,
    callable: Py<PyAny>,
    /// The number of positional arguments besides `self`; `None` for any number.
    takes: Option<usize>,
}

/// The methods that have been called, by the number of the object, which engines count from 0.
static HOOKS: OfPython<Vec<Vec<Hook>>> = OfPython::new(Vec::new());

/// Returns a method and the number of its arguments, which the runtime is asked for once per method.
fn hook<'py>(py: Python<'py>, object: ObjectId, method: &Arc<str>) -> PyResult<(Bound<'py, PyAny>, Option<usize>)> {
    let known = HOOKS.with(py, |hooks| {
        let hooks = hooks.get(object.0 as usize)?;
        let hook = hooks.iter().find(|hook| Arc::ptr_eq(&hook.method, method) || hook.method == *method)?;
        Some((hook.callable.clone_ref(py), hook.takes))
    });
    if let Some((callable, takes)) = known {
        return Ok((callable.into_bound(py), takes));
    }
    let found = Runtime::get()?.hook.bind(py).call1((object.0, &**method))?;
    let (callable, takes): (Bound<'py, PyAny>, Option<usize>) = found.extract()?;
    let hook = Hook { method: method.clone(), callable: callable.clone().unbind(), takes };
    HOOKS.with(py, |hooks| {
        let index = object.0 as usize;
        if hooks.len() <= index {
            hooks.resize_with(index + 1, Vec::new);
        }
        hooks[index].push(hook);
    });
    Ok((callable, takes))
}

/// Forgets all methods of an object.
fn forget_hooks(py: Python<'_>, object: ObjectId) {
    let forgotten = HOOKS.with(py, |hooks| hooks.get_mut(object.0 as usize).map(std::mem::take));
    // Drop the methods while the table is not borrowed: a `__del__` may call methods.
    drop(forgotten);
}

/// Executes an order. Sets `entered` when Python code starts to run: until then other threads must not be let in.
fn run(py: Python<'_>, order: Order, entered: &AtomicBool) -> PyResult<Value> {
    let enters = || entered.store(true, Ordering::Release);
    if !matches!(order, Order::Call { .. }) {
        enters();
    }
    match order {
        Order::Load { class, source } => {
            let path = source.path.to_string();
            let args = source.args.as_deref();
            Runtime::get()?.load.bind(py).call1((
                class.0,
                &*source.text,
                &*source.file,
                source.is_program,
                path,
                args,
            ))?;
            Ok(Value::Null)
        }
        Order::Construct { object, class, info } => {
            let methods = Runtime::get()?.construct.bind(py).call1((object.0, class.0, describe(py, &info)?))?;
            values::to_value(&methods)
        }
        Order::Call { object, method, args } => {
            let (callable, takes) = hook(py, object, &method)?;
            let result = match args {
                Args::Hook(value) if takes == Some(1) => {
                    let value = values::to_python(py, &value)?;
                    enters();
                    threads::call_with(&callable, &value)?
                }
                Args::Hook(_) => {
                    enters();
                    callable.call0()?
                }
                Args::UpTo(args) => {
                    enters();
                    up_to(py, &callable, &args)?
                }
            };
            values::to_value(&result)
        }
        Order::Deliver { callback, args } => {
            let callable = Runtime::get()?.callback.bind(py).call1((callback.0,))?;
            values::to_value(&up_to(py, &callable, &args)?)
        }
        Order::Drop { object } => {
            forget_hooks(py, object);
            Runtime::get()?.drop.bind(py).call1((object.0,))?;
            Ok(Value::Null)
        }
        Order::Forget { files } => {
            let files = PyList::new(py, files.iter())?;
            values::to_value(&Runtime::get()?.forget_modules.bind(py).call1((files,))?)
        }
    }
}

fn up_to<'py>(py: Python<'py>, callable: &Bound<'py, PyAny>, args: &[Value]) -> PyResult<Bound<'py, PyAny>> {
    let args = PyList::new(py, args.iter().map(|v| values::to_python(py, v)).collect::<PyResult<Vec<_>>>()?)?;
    Runtime::get()?.up_to.bind(py).call1((callable, args))
}

/// Returns the fields of a box's description as a dictionary.
fn describe<'py>(py: Python<'py>, info: &BoxInfo) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    let ports = |ports: &[(Arc<str>, bool)]| {
        PyList::new(
            py,
            ports
                .iter()
                .map(|(name, bang)| {
                    PyTuple::new(
                        py,
                        [name.into_pyobject(py)?.into_any(), bang.into_pyobject(py)?.to_owned().into_any()],
                    )
                })
                .collect::<PyResult<Vec<_>>>()?,
        )
    };
    dict.set_item("path", info.path.to_string())?;
    dict.set_item("box_name", &*info.box_name)?;
    dict.set_item("full_name", &*info.full_name)?;
    dict.set_item("parent_name", &*info.parent_name)?;
    dict.set_item("id", &*info.id)?;
    dict.set_item("parent_id", &*info.parent_id)?;
    dict.set_item("behavior_id", &*info.behavior_id)?;
    dict.set_item("behavior_path", &*info.behavior_path)?;
    dict.set_item("behavior_relative_path", &*info.behavior_relative_path)?;
    dict.set_item("package_uid", &*info.package_uid)?;
    dict.set_item("inputs", ports(&info.inputs)?)?;
    dict.set_item("outputs", ports(&info.outputs)?)?;
    dict.set_item("parameters", PyList::new(py, info.parameters.iter().map(|name| &**name))?)?;
    dict.set_item("has_timeline", info.has_timeline)?;
    dict.set_item("has_parent_timeline", info.has_parent_timeline)?;
    dict.set_item("has_resources", info.has_resources)?;
    Ok(dict)
}

/// Describes an exception with the runtime's help, or more simply if that fails, too.
pub(crate) fn explain(py: Python<'_>, error: PyErr) -> ScriptError {
    let explained = Runtime::get().and_then(|runtime| {
        // `value` would lack the traceback before Python 3.12.
        let explained = runtime.explain.bind(py).call1((error.clone_ref(py).into_value(py),))?;
        explained.extract::<(String, String, Option<u32>, String)>()
    });
    let (kind, message, line, traceback) = explained.unwrap_or_else(|_| {
        let kind = error.get_type(py).name().map_or_else(|_| "Exception".to_owned(), |n| n.to_string());
        let message = error.value(py).str().map_or_else(|_| String::new(), |s| s.to_string_lossy().into_owned());
        let traceback = format!("{kind}: {message}\n");
        (kind, message, None, traceback)
    });
    ScriptError { kind: kind.into(), message: message.into(), line, traceback: traceback.into() }
}
