//! The contents of the module; see the crate's documentation.

#[cfg(feature = "bench")]
pub(crate) mod bench;
pub(crate) mod client;
pub(crate) mod crash;
pub(crate) mod engine_handle;
pub(crate) mod forks;
pub(crate) mod host;
pub(crate) mod keeper;
#[cfg(windows)]
mod launcher;
pub(crate) mod locks;
mod outputs;
pub(crate) mod pulse;
pub(crate) mod run;
pub(crate) mod session;
pub(crate) mod threads;
pub(crate) mod values;

use crate::launch::BOOT;
use boxstep_cli::Program;
use boxstep_engine::Engine;
use boxstep_engine::shared::Host;
use boxstep_script::selftest::{STAND_IN, Selftest};
use host::PythonHost;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::ffi::OsString;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

pyo3::create_exception!(boxstep_native, Stopped, pyo3::exceptions::PyBaseException, "The run is ending.");

/// A script has been told to stop.
static STOPPING: AtomicBool = AtomicBool::new(false);

/// Creates the exception that ends a script when the run ends.
pub(crate) fn stop() -> PyErr {
    STOPPING.store(true, Ordering::Relaxed);
    Stopped::new_err(())
}

pub(crate) fn is_stopping() -> bool {
    STOPPING.load(Ordering::Relaxed)
}

pub(crate) fn fill(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("BUILD_ID", boxstep_script::BUILD_ID)?;
    module.add("Stopped", module.py().get_type::<Stopped>())?;
    module.add_class::<session::Session>()?;
    module.add_class::<client::Connection>()?;
    module.add_class::<client::Directory>()?;
    module.add_class::<client::OfferedObject>()?;
    module.add_class::<client::RemoteObject>()?;
    module.add_class::<client::Registration>()?;
    module.add_class::<client::RunningCall>()?;
    module.add_function(wrap_pyfunction!(sources, module)?)?;
    module.add_function(wrap_pyfunction!(tests, module)?)?;
    module.add_function(wrap_pyfunction!(main, module)?)?;
    module.add_function(wrap_pyfunction!(launch, module)?)
}

/// Runs the command line (the first argument is the program's name) in this Python, which was started for it, and
/// exits the process with its exit code.
///
/// Python is not finalized: threads that are stuck in a script would prevent that.
#[pyfunction]
#[pyo3(pass_module)]
fn main(module: &Bound<'_, PyModule>, args: Vec<OsString>) -> PyResult<()> {
    name_process();
    let (program, _) = program(module, args)?;
    leave_signals(module.py())?;
    #[cfg(windows)]
    launcher::end_with_launcher();
    if boxstep_cli::needs_python(program.args.iter().cloned()).is_some() {
        keeper::start(module.py())?;
    }
    // The thread does not attach again before the exit: a script that never releases the interpreter must not block it.
    module.py().detach(|| leave(command(&program)))
}

/// Returns the text of the modules that are embedded, by name.
#[pyfunction]
fn sources() -> std::collections::HashMap<&'static str, &'static str> {
    boxstep_script::python_sources().iter().copied().collect()
}

/// Returns the names of the tests in a test file.
#[pyfunction]
fn tests(py: Python<'_>, file: PathBuf) -> PyResult<Vec<String>> {
    py.detach(|| boxstep_cli::names_of_tests(&file)).map_err(PyValueError::new_err)
}

/// Runs the command line, in a new Python if scripts are to run, and exits the process with its exit code. Called from
/// a Python that was started for something else.
#[pyfunction]
#[pyo3(pass_module)]
fn launch(module: &Bound<'_, PyModule>, args: Vec<OsString>) -> PyResult<()> {
    name_process();
    let (program, file) = program(module, args)?;
    leave_signals(module.py())?;
    module.py().detach(|| leave(crate::launch::run(&program, Some(file))))
}

/// Names this process `boxstep`, as `ps` and `top` show it: the Python in it has its own name. Elsewhere than on Linux
/// only the arguments tell.
fn name_process() {
    // The main thread has the name of the process, and only it calls this.
    #[cfg(target_os = "linux")]
    let _ = rustix::thread::set_name(c"boxstep");
}

/// Describes the program that calls, and returns it with the file of this module.
fn program(module: &Bound<'_, PyModule>, args: Vec<OsString>) -> PyResult<(Program, PathBuf)> {
    let file: PathBuf = module.filename()?.extract()?;
    let python: Option<PathBuf> = module.py().import("sys")?.getattr("executable")?.extract()?;
    let python = python.filter(|python| !python.as_os_str().is_empty());
    let python = python.ok_or_else(|| PyRuntimeError::new_err("this Python does not say where its program is"))?;
    // A process that only starts another one must not load installed packages.
    let mut start: Vec<OsString> = ["-S", "-c", BOOT].map(OsString::from).into();
    start.extend([file.clone().into_os_string(), boxstep_script::BUILD_ID.into(), "launch".into()]);
    // The program's name, as a shell would pass it.
    start.push("boxstep".into());
    Ok((Program::package(args, python, &file, start), file))
}

/// Removes Python's signal handlers, because the command line installs its own: Python's would only set a flag for a
/// main thread that never checks it. An interrupt that was blocked while Python started is handled now.
fn leave_signals(py: Python<'_>) -> PyResult<()> {
    let signal = py.import("signal")?;
    let interrupt = signal.getattr("SIGINT")?;
    // Between the removal of Python's handler and the installation of ours the interrupt stays blocked.
    if signal.hasattr("pthread_sigmask")? {
        signal.call_method1("pthread_sigmask", (signal.getattr("SIG_BLOCK")?, [&interrupt]))?;
    }
    if signal.call_method1("getsignal", (&interrupt,))?.is(&signal.getattr("default_int_handler")?) {
        signal.call_method1("signal", (&interrupt, signal.getattr("SIG_DFL")?))?;
    }
    boxstep_cli::end_early_at_signal();
    if signal.hasattr("pthread_sigmask")? {
        signal.call_method1("pthread_sigmask", (signal.getattr("SIG_UNBLOCK")?, [interrupt]))?;
    }
    Ok(())
}

fn command(program: &Program) -> i32 {
    let args = &program.args;
    match args.get(1).and_then(|a| a.to_str()) {
        Some("__selftest") => {
            let test = Selftest::new(args);
            return test.run(&PythonHost::with_stand_in(test.options.clone(), STAND_IN.0, STAND_IN.1));
        }
        #[cfg(feature = "bench")]
        Some("__bench") => return bench::main(args),
        _ => {}
    }
    let host = boxstep_cli::needs_python(args.iter().cloned()).map(|wish| PythonHost::new(wish.options()));
    boxstep_cli::main(program, host.as_ref().map(|h| h as &dyn Host<Engine>))
}

/// How long flushing Python's own streams may take: a script may hold the interpreter for ever.
const FLUSH: Duration = Duration::from_millis(300);

fn leave(code: i32) -> ! {
    let _ = std::io::stdout().flush();
    let (done, flushed) = std::sync::mpsc::channel();
    let flusher = std::thread::Builder::new().name("flush".to_owned()).spawn(move || {
        threads::flush();
        let _ = done.send(());
    });
    if flusher.is_ok() {
        let _ = flushed.recv_timeout(FLUSH);
    }
    threads::exit_at_once(code)
}
