//! Tests of the Python runtime with a small engine, in the installed `python3` (or in the Pythons that the environment
//! variable `BOXSTEP_TEST_PYTHONS` lists, separated as in `PATH`), and a few of them in Python 2.7.

use crate::pythons;
use std::path::Path;
use std::process::{Command, Output};

fn run(python: &Path, args: &[&str]) -> Output {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    // The runtime, and the package that scripts import.
    let path = std::env::join_paths([here.join("python"), here.join("../../python")]).unwrap();
    Command::new(python)
        .args(["-B", "-W", "error"]) // leaves no files behind, turns warnings into errors
        .args(args)
        .current_dir(here.join("tests/runtime"))
        .env("PYTHONPATH", path)
        .output()
        .unwrap()
}

#[test]
fn python_3() {
    for python in pythons::threes() {
        let output = run(&python, &["-m", "unittest"]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{}:\n{said}", python.display());
        let count = said.split("Ran ").nth(1).and_then(|rest| rest.split(' ').next()?.parse::<u32>().ok());
        assert!(count > Some(100), "{} ran too few tests:\n{said}", python.display());
    }
}

#[test]
fn python_2_plays_a_box() {
    let Some(python) = pythons::two() else { return };
    let output = run(&python, &["python27.py"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// The bootstrap and the shims with a small engine, before and after `threading` and `logging` have been imported.
#[test]
fn shims_in_every_python() {
    for python in pythons::threes().into_iter().chain(pythons::two()) {
        for more in [&[][..], &["preloaded"]] {
            let output = run(&python, &[&["shims_alone.py", "../../python"], more].concat());
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(output.status.success(), "{} {more:?}:\n{said}", python.display());
            assert!(output.stdout.starts_with(b"14 passed"), "{}", String::from_utf8_lossy(&output.stdout));
        }
    }
}
