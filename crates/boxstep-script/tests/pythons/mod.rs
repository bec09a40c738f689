//! The Python interpreters that tests use.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Returns `python3`, or the Pythons that the environment variable `BOXSTEP_TEST_PYTHONS` lists, separated as in
/// `PATH`, if they are of version 3.9 or later. Prints a note if there is none.
pub(crate) fn threes() -> Vec<PathBuf> {
    let named = match std::env::var_os("BOXSTEP_TEST_PYTHONS") {
        Some(list) => std::env::split_paths(&list).collect(),
        None => vec![PathBuf::from("python3")],
    };
    let found: Vec<_> = named.into_iter().filter(|p| runs(p, "sys.version_info >= (3, 9)")).collect();
    if found.is_empty() {
        println!("skipped: no python3 of version 3.9 or later");
    }
    found
}

/// Returns Python 2.7: the one that `BOXSTEP_TEST_PYTHON2` names, `python2.7`, or one that pyenv has installed. Prints
/// a note if there is none.
#[allow(dead_code)] // one of the tests that share this file needs none
pub(crate) fn two() -> Option<PathBuf> {
    let home = std::env::var_os("PYENV_ROOT").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".pyenv")));
    let installed = home.and_then(|home| std::fs::read_dir(home.join("versions")).ok()).into_iter().flatten();
    let installed = installed.filter_map(|entry| Some(entry.ok()?.path().join("bin/python2.7")));
    let named = std::env::var_os("BOXSTEP_TEST_PYTHON2").map(PathBuf::from);
    let found = named.into_iter().chain([PathBuf::from("python2.7")]).chain(installed);
    let found = { found }.find(|p| runs(p, "sys.version_info[:2] == (2, 7)"));
    if found.is_none() {
        println!("skipped: no python2.7");
    }
    found
}

fn runs(python: &Path, condition: &str) -> bool {
    let test = format!("import sys; sys.exit(not ({condition}))");
    let status = Command::new(python).arg("-c").arg(test).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}
