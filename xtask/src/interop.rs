//! `cargo xtask interop`: tests `boxstep-qi` with libqi itself, in both directions. libqi's Python package gets an
//! environment of its own.

use crate::Outcome;
use crate::tools::{python_with, run_tests};
use std::path::PathBuf;

/// The package and the version that `docs/reference/qi.md` describes.
const LIBQI: &str = "qi==3.1.5";

/// The variable that names a Python with libqi for the tests; without it, tests that need libqi are skipped.
pub(crate) const PYTHON: &str = "BOXSTEP_QI_PYTHON";

/// The variable that names a stand-in robot with faults, based on libqi, for the tests. It is not part of the project;
/// without it, tests that need it are skipped.
const STANDIN: &str = "BOXSTEP_STANDIN";

/// Returns a Python that has libqi.
pub(crate) fn python() -> Result<PathBuf, String> {
    let base = std::env::var_os("BOXSTEP_QI_BASE").unwrap_or_else(|| "python3".into());
    python_with(&base, "libqi", LIBQI, "qi")
        .map_err(|why| format!("{why} (BOXSTEP_QI_BASE names another Python to install it in)"))
}

/// Runs the tests that need libqi, and those with a stand-in robot if there is one.
pub(crate) fn all() -> Outcome {
    let python = python()?;
    let mut modules = vec!["interop::"];
    match std::env::var_os(STANDIN) {
        Some(_) => modules.push("standin::"),
        None => println!("left out: plays on a stand-in robot with faults; {STANDIN} names none"),
    }
    run_tests(&["--test", "tests"], &modules, &[(PYTHON, python.as_os_str())])
}
