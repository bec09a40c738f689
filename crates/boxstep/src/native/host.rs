//! A run inside Python: installs the shims, then the runtime, and drives the engine to its end.

use super::engine_handle::{EngineHandle, set_engine};
use super::run::{self, Python3, Runtime};
use super::values;
use super::{crash, forks};
use boxstep_engine::protocol::Scheduler;
use boxstep_engine::shared::{Host, Shared};
use boxstep_script::options::Options;
use boxstep_script::scheduler::WorkerPool;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::ffi::CString;
use std::sync::Arc;

/// Runs scripts in the Python that loaded this module.
pub(crate) struct PythonHost {
    options: Options,
    /// A module that replaces `boxstep_runtime.host`: its name and text.
    stand_in: Option<(&'static str, &'static str)>,
}

impl PythonHost {
    pub(crate) fn new(options: Options) -> Self {
        Self { options, stand_in: None }
    }

    /// Creates a host whose orders another module of functions answers.
    pub(crate) fn with_stand_in(options: Options, name: &'static str, text: &'static str) -> Self {
        Self { options, stand_in: Some((name, text)) }
    }

    fn set_up(&self, is_virtual: bool) -> PyResult<()> {
        Python::attach(|py| {
            // How long a script may hold the interpreter while another one waits for it.
            py.import("sys")?.call_method1("setswitchinterval", (0.0005,))?;
            let bridge = Py::new(py, EngineHandle)?;
            show_crashes(py)?;
            forks::watch();
            let options = PyDict::new(py);
            for (name, value) in self.options.table(is_virtual) {
                options.set_item(name, values::to_python(py, &value)?)?;
            }
            options.set_item("seed", self.options.seed)?;
            options.set_item("shared", true)?;
            let sources = PyDict::new(py);
            for (name, text) in boxstep_script::python_sources() {
                sources.set_item(name, text)?;
            }
            let mut module = "boxstep_runtime.host";
            if let Some((name, text)) = self.stand_in {
                module = name;
                sources.set_item(name, text)?;
            }
            let bootstrap = sources
                .get_item("boxstep_runtime.bootstrap")?
                .ok_or_else(|| pyo3::exceptions::PyImportError::new_err("boxstep_runtime.bootstrap"))?;
            let globals = PyDict::new(py);
            globals.set_item("__name__", "boxstep_runtime.bootstrap")?;
            globals.set_item("__builtins__", py.import("builtins")?)?;
            let code: CString = CString::new(bootstrap.extract::<String>()?)?;
            py.run(&code, Some(&globals), None)?;
            let start = globals
                .get_item("start")?
                .ok_or_else(|| pyo3::exceptions::PyImportError::new_err("boxstep_runtime.bootstrap.start"))?;
            let host = start.call1((bridge, options, sources, module))?;
            Runtime::install(&host)
        })
    }
}

/// Makes `faulthandler` print where a script was when C code crashed; then the engine continues alone.
fn show_crashes(py: Python<'_>) -> PyResult<()> {
    let faulthandler = py.import("faulthandler")?;
    // Its handlers call those that were installed before.
    faulthandler.call_method0("disable")?;
    crash::stay_alive();
    let options = PyDict::new(py);
    options.set_item("all_threads", false)?;
    options.set_item("file", py.import("sys")?.getattr("__stderr__")?)?;
    // Without a standard error nothing can be printed.
    let _ = faulthandler.call_method("enable", (), Some(&options));
    Ok(())
}

impl<S: Scheduler + 'static> Host<S> for PythonHost {
    fn drive(&self, engine: &Shared<S>) -> Result<(), String> {
        let is_virtual = engine.lock().is_virtual();
        let pool = WorkerPool::new(engine, Python3, self.options.patience);
        set_engine(Some(Arc::new(pool.clone())));
        let ready = self.set_up(is_virtual);
        if let Err(error) = &ready {
            let error = Python::attach(|py| run::explain(py, error.clone_ref(py)));
            // An error that the user can fix is a sentence; any other is a bug and comes with its traceback.
            let said = if &*error.kind == "Refused" { error.message } else { error.traceback };
            return Err(said.to_string());
        }
        crash::plays(true);
        pool.drive();
        crash::plays(false);
        super::keeper::end();
        set_engine(None);
        Ok(())
    }
}
