//! The Python package: its tests (`python/tests`), and the examples of its page, with the native module that has been
//! built, in whatever `python3` is there (or the ones that the environment variable `BOXSTEP_TEST_PYTHONS` lists,
//! separated like `PATH`). Nothing has to be installed; the plugin for pytest is tested where pytest is.

#![cfg(unix)]
use crate::common;
use crate::common::root;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The package as it would be installed: the sources, with the module among them.
fn package() -> PathBuf {
    let built = Path::new(env!("CARGO_BIN_EXE_boxstep")).parent().unwrap();
    let name = format!("libboxstep_native{}", std::env::consts::DLL_SUFFIX);
    let module = [built.join("deps").join(&name), built.join(&name)].into_iter().find(|file| file.is_file()).unwrap();
    // Tests of one process run at the same time; each has its own.
    let thread = std::thread::current();
    let name = thread.name().unwrap().replace("::", "-");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("python_api").join(name);
    let _ = fs::remove_dir_all(&folder);
    for package in common::PYTHON_PACKAGES {
        link_files(&root().join("python").join(package), &folder.join(package));
    }
    std::os::unix::fs::symlink(module, folder.join("boxstep/boxstep_native.abi3.so")).unwrap();
    folder
}

fn link_files(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let link = to.join(path.file_name().unwrap());
        if path.is_dir() { link_files(&path, &link) } else { std::os::unix::fs::symlink(&path, link).unwrap() }
    }
}

fn pythons() -> Vec<PathBuf> {
    let listed = std::env::var_os("BOXSTEP_TEST_PYTHONS");
    let all: Vec<PathBuf> = match &listed {
        Some(list) => std::env::split_paths(list).collect(),
        None => vec!["python3".into()],
    };
    let new = |python: &PathBuf| {
        let check = "import sys; sys.exit(sys.version_info < (3, 9))";
        Command::new(python).args(["-c", check]).status().is_ok_and(|status| status.success())
    };
    let found: Vec<PathBuf> = all.into_iter().filter(new).collect();
    if found.is_empty() {
        eprintln!("skipped: there is no Python 3.9 or newer");
    }
    found
}

fn python(program: &Path, package: &Path, folder: &Path, args: &[&str]) -> Output {
    Command::new(program)
        .args(["-B", "-W", "error"])
        .args(args)
        .current_dir(folder)
        .env("PYTHONPATH", package)
        .env("BOXSTEP_ROOT", root())
        .env("BOXSTEP", env!("CARGO_BIN_EXE_boxstep"))
        .env_remove("BOXSTEP_PYTHON")
        .output()
        .unwrap()
}

fn passes(module: &str, at_least: u32) {
    let package = package();
    for program in pythons() {
        let output = python(&program, &package, &root().join("python/tests"), &["-m", "unittest", "-v", module]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{}:\n{said}", program.display());
        let ran = said.split("Ran ").nth(1).and_then(|rest| rest.split(' ').next()?.parse::<u32>().ok());
        assert!(ran >= Some(at_least), "{} ran too few tests:\n{said}", program.display());
        for line in said.lines().filter(|line| line.contains("skipped")) {
            eprintln!("{}: {line}", program.display());
        }
    }
}

#[test]
fn objects() {
    passes("test_objects", 15);
}

#[test]
fn behaviors() {
    passes("test_behaviors", 14);
}

#[test]
fn runs() {
    passes("test_run", 20);
}

#[test]
fn names_of_qicore() {
    passes("test_qicore", 4);
}

#[test]
fn stubs() {
    passes("test_stubs", 7);
}

#[test]
fn tools_and_notebooks() {
    passes("test_tools", 7);
}

#[test]
fn qi_and_naoqi() {
    passes("test_client", 23);
}

#[test]
fn tests_and_pytest() {
    passes("test_testing", 3);
}

/// The blocks of Python on a page, one after another in one program, as a reader would type them.
fn examples(page: &str) -> String {
    let mut text = String::new();
    let mut inside = false;
    for line in page.lines() {
        match (inside, line) {
            (false, "```python") => inside = true,
            (true, "```") => inside = false,
            // What stands outside keeps its lines, so that an error names the line of the page.
            (true, line) => text.push_str(line),
            (false, _) => {}
        }
        text.push('\n');
    }
    text
}

#[test]
fn the_examples_of_the_page_run() {
    page_runs("docs/reference/python-api.md", 10);
}

#[test]
fn the_examples_of_the_page_on_behaviors_run() {
    page_runs("docs/guides/python-behaviors.md", 3);
}

fn page_runs(page: &str, asserts: usize) {
    let package = package();
    let page = fs::read_to_string(root().join(page)).unwrap();
    let text = examples(&page);
    assert!(text.matches("assert ").count() >= asserts, "the examples show too little of what they do");
    let file = package.join("page.py");
    fs::write(&file, &text).unwrap();
    for program in pythons() {
        let output = python(&program, &package, root(), &[file.to_str().unwrap()]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{}:\n{said}", program.display());
    }
}
