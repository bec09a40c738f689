//! `cargo xtask interop`: tests `boxstep-qi` with libqi itself, in both directions, with what libqi 2.1 and 4.0.5 have
//! written, and with another implementation of the protocol. Nothing of theirs becomes a part of the project: libqi's
//! Python package gets an environment of its own, the rest comes into the target folder.

use crate::Outcome;
use crate::tools::{TempDir, cargo, python_with, run, run_tests, target};
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::process::Command;

/// The package and the version that `docs/reference/qi.md` describes.
const LIBQI: &str = "qi==3.1.5";

/// The variable that names a Python with libqi for the tests; without it, tests that need libqi are skipped.
pub(crate) const PYTHON: &str = "BOXSTEP_QI_PYTHON";

/// The variable that names a stand-in robot with faults, based on libqi, for the tests. It is not part of the project;
/// without it, tests that need it are skipped.
const STANDIN: &str = "BOXSTEP_STANDIN";

/// libqi-vibe (BSD-3-Clause): an implementation in Rust, with a simulated robot of each generation.
const VIBE: (&str, &str) = ("libqi-vibe", "1.1.0");

/// Its repository, which has values and messages that libqi 2.1 and 4.0.5 have written. Its package does not.
const VIBE_SOURCES: &str = "https://github.com/victorpaleologue/libqi-rs-vibe";

/// The variable that names its simulated robot for the tests.
const SIM: &str = "BOXSTEP_NAOQI_SIM";

/// The variable that names the folder of what libqi has written.
const VECTORS: &str = "BOXSTEP_QI_VECTORS";

/// Returns a Python that has libqi.
pub(crate) fn python() -> Result<PathBuf, String> {
    let base = std::env::var_os("BOXSTEP_QI_BASE").unwrap_or_else(|| "python3".into());
    python_with(&base, "libqi", LIBQI, "qi")
        .map_err(|why| format!("{why} (BOXSTEP_QI_BASE names another Python to install it in)"))
}

/// Returns the simulated robot, and installs it once.
fn simulated_robot() -> Result<OsString, String> {
    if let Some(named) = std::env::var_os(SIM) {
        return Ok(named);
    }
    let folder = target().join(format!("{}-{}", VIBE.0, VIBE.1));
    let program = folder.join("bin").join(format!("naoqi-sim{}", std::env::consts::EXE_SUFFIX));
    if !program.exists() {
        let features = ["--locked", "--features", "naoqi-sim", "--bin", "naoqi-sim"];
        let which = ["install", VIBE.0, "--version", VIBE.1, "--root"];
        run(cargo(&which)
            .arg(&folder)
            .args(features)
            .env_remove("RUSTFLAGS")
            .env("CARGO_TARGET_DIR", folder.join("build")))?;
    }
    Ok(program.into())
}

/// Returns the folder of what libqi has written; it is fetched anew, into the temporary folder.
fn vectors(temporary: &TempDir) -> Result<OsString, String> {
    if let Some(named) = std::env::var_os(VECTORS) {
        return Ok(named);
    }
    let sources = temporary.path().join("sources");
    run(Command::new("git").args(["clone", "--quiet", "--depth", "1", VIBE_SOURCES]).arg(&sources))?;
    Ok(sources.join("interop").join("vectors").into())
}

/// Runs the tests that need libqi, and those that need something else, as far as that can be had.
pub(crate) fn all() -> Outcome {
    let python = python()?;
    let mut modules = vec!["interop::"];
    match std::env::var_os(STANDIN) {
        Some(_) => modules.push("standin::"),
        None => println!("left out: plays on a stand-in robot with faults; {STANDIN} names none"),
    }
    let temporary = TempDir::new("interop")?;
    let mut set: Vec<(&str, &OsStr)> = vec![(PYTHON, python.as_os_str())];
    let (sim, written) = (simulated_robot(), vectors(&temporary));
    match &sim {
        Ok(program) => {
            modules.push("sims::");
            set.push((SIM, program));
        }
        Err(why) => println!("left out: simulated robots of libqi-vibe: {why}"),
    }
    match &written {
        Ok(folder) => {
            modules.push("vectors::");
            set.push((VECTORS, folder));
        }
        Err(why) => println!("left out: what libqi has written: {why}; {VECTORS} names a folder that has it"),
    }
    run_tests(&["--test", "tests"], &modules, &set)
}
