//! `cargo xtask interop`: `boxstep-qi` and libqi itself, both ways. libqi's Python package gets an environment of its own.

use crate::Outcome;
use crate::tools::{cargo, run, target};
use std::path::PathBuf;
use std::process::Command;

/// The package and version that `docs/qi.md` speaks of.
const LIBQI: &str = "qi==3.1.5";

/// A Python that has libqi.
pub(crate) fn python() -> Result<PathBuf, String> {
    let environment = target().join("libqi").join(LIBQI.replace("==", "-"));
    let bin = environment.join(if cfg!(windows) { "Scripts" } else { "bin" });
    let python = bin.join(format!("python{}", std::env::consts::EXE_SUFFIX));
    // What has been left half made is made anew.
    let is_there = Command::new(&python).args(["-c", "import qi"]).output().is_ok_and(|o| o.status.success());
    if !is_there {
        let own = std::env::var_os("BOXSTEP_QI_BASE").unwrap_or_else(|| "python3".into());
        run(Command::new(own).args(["-m", "venv", "--clear"]).arg(&environment))?;
        run(Command::new(&python).args(["-m", "pip", "install", "--quiet", LIBQI]))
            .map_err(|why| format!("{why} (BOXSTEP_QI_BASE names another Python to install it in)"))?;
    }
    Ok(python)
}

/// Runs the tests that need libqi.
pub(crate) fn all() -> Outcome {
    let python = python()?;
    run(cargo(&["test", "--quiet", "-p", "boxstep-qi", "--test", "interop", "--test", "standin"])
        .env("BOXSTEP_QI_PYTHON", &python))?;
    run(cargo(&["test", "--quiet", "-p", "boxstep-robot", "--test", "serve", "interop"])
        .env("BOXSTEP_QI_PYTHON", &python))
}
