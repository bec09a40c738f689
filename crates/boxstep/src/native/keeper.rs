//! Ends the processes that scripts have started: on Linux and macOS through the keeper, a process that runs
//! `boxstep_runtime/keeper.py`; on Windows through a job that ends with this process.

#[cfg(unix)]
pub(crate) use unix::{end, start};
#[cfg(windows)]
pub(crate) use windows::{end, start};

#[cfg(windows)]
mod windows {
    use boxstep_script::job::Job;
    use pyo3::prelude::*;

    /// Puts this process into a job of its own. Its only handle is closed with the process.
    pub(crate) fn start(_: Python<'_>) -> PyResult<()> {
        let job = Job::new()?;
        job.add_this_process()?;
        std::mem::forget(job);
        Ok(())
    }

    /// Does nothing: the job ends with this process.
    pub(crate) fn end() {}
}

#[cfg(unix)]
mod unix {
    use super::super::threads;
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
}
