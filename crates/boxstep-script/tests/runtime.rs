//! The Python runtime of box scripts against a small engine, in whatever `python3` is there (or the ones that the
//! environment variable `BOXSTEP_TEST_PYTHONS` lists, separated like `PATH`), and a little of it in Python 2.7.

use crate::pythons;
use std::path::Path;
use std::process::{Command, Output};

fn run(python: &Path, args: &[&str]) -> Output {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    // The runtime, and the package that scripts import.
    let path = std::env::join_paths([here.join("python"), here.join("../../python")]).unwrap();
    Command::new(python)
        .args(["-B", "-W", "error"]) // leaves no files behind, overlooks nothing
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

/// The bootstrap and the shims from memory over a small engine, before and after `threading` and `logging` are there.
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
