//! See the crate's documentation.

pub(crate) mod bench;
pub(crate) mod door;
pub(crate) mod host;
pub(crate) mod locks;
pub(crate) mod run;
pub(crate) mod threads;
pub(crate) mod values;

use boxstep_engine::Engine;
use boxstep_engine::shared::Host;
use boxstep_script::selftest::{STAND_IN, Selftest};
use host::PythonHost;
use pyo3::prelude::*;
use std::ffi::OsString;
use std::io::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

pyo3::create_exception!(boxstep_native, Stopped, pyo3::exceptions::PyBaseException, "The run is ending.");

/// Some script was told to stop.
static STOPPING: AtomicBool = AtomicBool::new(false);

/// The exception that ends a script when the run ends.
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
    module.add_function(wrap_pyfunction!(main, module)?)
}

/// Runs the command line (the first argument is the program's name) and ends the process with its exit code.
///
/// Python is not finalised: threads that are stuck in a script would keep it from ending.
#[pyfunction]
fn main(py: Python<'_>, args: Vec<OsString>) {
    // Not attached again to the end: a script that hogs the interpreter must not keep the process.
    py.detach(|| leave(command(args)))
}

fn command(args: Vec<OsString>) -> i32 {
    match args.get(1).and_then(|a| a.to_str()) {
        Some("__selftest") => {
            let test = Selftest::new(&args);
            return test.run(&PythonHost::with_stand_in(test.options.clone(), STAND_IN.0, STAND_IN.1));
        }
        Some("__bench") => return bench::main(&args),
        _ => {}
    }
    let host = boxstep_cli::needs_python(args.iter().cloned()).map(|wish| PythonHost::new(wish.options()));
    boxstep_cli::main(args, host.as_ref().map(|h| h as &dyn Host<Engine>))
}

/// How long Python's own streams may take to flush: a script may hold the interpreter for ever.
const FLUSH: Duration = Duration::from_millis(300);

fn leave(code: i32) -> ! {
    let _ = std::io::stdout().flush();
    let (done, flushed) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        threads::flush();
        let _ = done.send(());
    });
    let _ = flushed.recv_timeout(FLUSH);
    threads::exit_at_once(code)
}
