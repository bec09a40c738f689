//! The keeper of this process, which ends processes that scripts have started: `boxstep_runtime/keeper.py`.

use super::threads;
use boxstep_script::keeper::Keeper;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::ffi::CString;
use std::sync::OnceLock;

static KEEPER: OnceLock<Keeper> = OnceLock::new();

/// Starts the keeper. It must be called before any thread is started.
pub(crate) fn start(py: Python<'_>) -> PyResult<()> {
    let name = "boxstep_runtime.keeper";
    let text = boxstep_script::python_sources().iter().find(|(module, _)| *module == name).map(|(_, text)| *text);
    let globals = PyDict::new(py);
    globals.set_item("__name__", name)?;
    globals.set_item("__builtins__", py.import("builtins")?)?;
    py.run(&CString::new(text.unwrap_or_default())?, Some(&globals), None)?;
    let watch = globals.get_item("watch")?.ok_or_else(|| pyo3::exceptions::PyImportError::new_err(name))?;
    if let Some((pid, done)) = watch.call0()?.extract::<Option<(i32, i32)>>()?
        && let Some(keeper) = Keeper::of(pid, threads::pipe(done))
    {
        let _ = KEEPER.set(keeper);
    }
    Ok(())
}

/// Ends the processes that scripts have left behind.
pub(crate) fn end() {
    if let Some(keeper) = KEEPER.get() {
        // If a script has ended the keeper, there is nothing more to end.
        let _ = keeper.end();
    }
}
