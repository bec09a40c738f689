//! `cargo xtask interop`: `boxstep-qi` and libqi itself, both ways. libqi's Python package gets an environment of its own.

use crate::Outcome;
use crate::tools::{cargo, python_with, run};
use std::path::PathBuf;

/// The package and version that `docs/qi.md` speaks of.
const LIBQI: &str = "qi==3.1.5";

/// Tells tests which Python has libqi; without it they leave out what needs it.
pub(crate) const PYTHON: &str = "BOXSTEP_QI_PYTHON";

/// Tells tests which program is a stand-in robot with faults, on libqi. It is not part of the project: where none is named, what needs
/// it is left out.
const STANDIN: &str = "BOXSTEP_STANDIN";

/// A Python that has libqi.
pub(crate) fn python() -> Result<PathBuf, String> {
    let base = std::env::var_os("BOXSTEP_QI_BASE").unwrap_or_else(|| "python3".into());
    python_with(&base, "libqi", LIBQI, "qi")
        .map_err(|why| format!("{why} (BOXSTEP_QI_BASE names another Python to install it in)"))
}

/// Runs the tests that need libqi.
pub(crate) fn all() -> Outcome {
    let python = python()?;
    let tests = |package, modules: &[&str]| {
        let mut command = cargo(&["test", "--quiet", "-p", package, "--test", "tests", "--"]);
        run(command.args(modules).env(PYTHON, &python))
    };
    tests("boxstep-qi", &["interop::", "standin::"])?;
    tests("boxstep-robot", &["serve::interop::"])?;
    if std::env::var_os(STANDIN).is_none() {
        println!("left out: plays on a stand-in robot with faults; {STANDIN} names none");
        return Ok(());
    }
    tests("boxstep-robot", &["standin::"])?;
    tests("boxstep", &["standin::"])
}
