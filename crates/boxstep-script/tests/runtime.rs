//! The Python runtime of box scripts against a small engine, in whatever `python3` is there (or the ones that the
//! environment variable `BOXSTEP_TEST_PYTHONS` lists, separated like `PATH`), and a little of it in Python 2.7.

#![allow(clippy::unwrap_used)] // a test that cannot go on fails

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn pythons() -> Vec<PathBuf> {
    match std::env::var_os("BOXSTEP_TEST_PYTHONS") {
        Some(list) => std::env::split_paths(&list).collect(),
        None => vec![PathBuf::from("python3")],
    }
}

fn runs(python: &Path, condition: &str) -> bool {
    let test = format!("import sys; sys.exit(not ({condition}))");
    Command::new(python).arg("-c").arg(test).output().is_ok_and(|output| output.status.success())
}

fn run(python: &Path, args: &[&str]) -> Output {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    Command::new(python)
        .args(["-B", "-W", "error"]) // leaves no files behind, overlooks nothing
        .args(args)
        .current_dir(here.join("tests/runtime"))
        .env("PYTHONPATH", here.join("python"))
        .output()
        .unwrap()
}

#[test]
fn python_3() {
    let found: Vec<_> = pythons().into_iter().filter(|p| runs(p, "sys.version_info >= (3, 9)")).collect();
    if found.is_empty() {
        println!("skipped: no python3 of version 3.9 or later");
    }
    for python in found {
        let output = run(&python, &["-m", "unittest"]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{}:\n{said}", python.display());
        let count = said.split("Ran ").nth(1).and_then(|rest| rest.split(' ').next()?.parse::<u32>().ok());
        assert!(count > Some(100), "{} ran too few tests:\n{said}", python.display());
    }
}

#[test]
fn python_2() {
    let python = Path::new("python2.7");
    if !runs(python, "True") {
        println!("skipped: no python2.7");
        return;
    }
    let output = run(python, &["python27.py"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
