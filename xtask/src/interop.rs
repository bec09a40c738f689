//! `cargo xtask interop`: `boxstep-qi` and libqi itself, both ways. libqi's Python package gets an environment of its own.

use crate::Outcome;
use crate::tools::{python_with, run_tests};
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

/// Runs the tests that need libqi, and those with a stand-in robot where there is one.
pub(crate) fn all() -> Outcome {
    let python = python()?;
    let mut modules = vec!["interop::"];
    match std::env::var_os(STANDIN) {
        Some(_) => modules.push("standin::"),
        None => println!("left out: plays on a stand-in robot with faults; {STANDIN} names none"),
    }
    run_tests(&["--test", "tests"], &modules, &[(PYTHON, python.as_os_str())])
}
