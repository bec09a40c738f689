//! How the command finds the user's Python, and what it says when it cannot use it.

#![cfg(unix)]
use crate::common;
use crate::common::python3;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// An empty folder of this test's own, below the build's.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("launch").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// A program that says who it is, and with what it was called.
fn pretender(path: &Path) {
    program(path, "#!/bin/sh\necho \"$0 hash=$PYTHONHASHSEED arg=$1\"\n");
}

fn program(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    // Written by another process: a file that is still open for writing in a fork of another test's cannot be started.
    let write = ["-c", "printf %s \"$1\" > \"$0\" && chmod 755 \"$0\""];
    assert!(Command::new("sh").args(write).args([path, Path::new(text)]).status().unwrap().success());
}

fn boxstep(path: &Path, set: &[(&str, &Path)], args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_boxstep"));
    command.args(args).env_remove("BOXSTEP_PYTHON").env_remove("VIRTUAL_ENV").env("PATH", path);
    command.envs(set.iter().copied()).output().unwrap()
}

fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A file that exists, from the folder of this crate: for others no Python is started.
const FILE: &str = "tests/fixtures/legs.xar";

#[test]
fn the_nearest_wish_names_the_python() {
    let here = folder("order");
    let [asked, variable, environment, path] =
        ["asked", "variable", "venv/bin/python", "path/python3"].map(|name| here.join(name));
    for program in [&asked, &variable, &environment, &path] {
        pretender(program);
    }
    let bin = here.join("path");
    let venv = here.join("venv");
    let play = ["play", FILE, "--seed", "7"];
    let said = |program: &Path| format!("{} hash=7 arg=-c\n", program.display());

    assert_eq!(out(&boxstep(&bin, &[], &play)), said(&path));
    assert_eq!(out(&boxstep(&bin, &[("VIRTUAL_ENV", &venv)], &play)), said(&environment));
    let both = [("VIRTUAL_ENV", venv.as_path()), ("BOXSTEP_PYTHON", variable.as_path())];
    assert_eq!(out(&boxstep(&bin, &both, &play)), said(&variable));
    let asked_for = [&play[..], &["--python", asked.to_str().unwrap()]].concat();
    assert_eq!(out(&boxstep(&bin, &both, &asked_for)), said(&asked));
    // An empty variable is none.
    assert_eq!(out(&boxstep(&bin, &[("BOXSTEP_PYTHON", Path::new(""))], &play)), said(&path));
}

#[test]
fn a_project_names_its_python_after_the_user_and_before_the_environment() {
    let here = folder("project");
    let [asked, variable, environment, own] =
        ["asked", "variable", "venv/bin/python", "path/python3.99"].map(|name| here.join(name));
    for program in [&asked, &variable, &environment, &own] {
        pretender(program);
    }
    let (bin, venv) = (here.join("path"), here.join("venv"));
    fs::create_dir_all(here.join("app/inner")).unwrap();
    let toml = here.join("app/boxstep.toml");
    fs::write(&toml, "python = \"python3.99\"\n").unwrap();
    let file = here.join("app/inner/x.xar");
    fs::write(&file, "").unwrap();
    let play = ["play", file.to_str().unwrap()];
    let said = |program: &Path| format!("{} hash=0 arg=-c\n", program.display());

    let venv = ("VIRTUAL_ENV", venv.as_path());
    assert_eq!(out(&boxstep(&bin, &[venv], &play)), said(&own), "boxstep.toml comes before the environment");
    let with_variable = [venv, ("BOXSTEP_PYTHON", variable.as_path())];
    assert_eq!(out(&boxstep(&bin, &with_variable, &play)), said(&variable), "the user's variable comes first");
    let asked_for = [&play[..], &["--python", asked.to_str().unwrap()]].concat();
    assert_eq!(out(&boxstep(&bin, &with_variable, &asked_for)), said(&asked));
    // A project starts no program of its own, and one that tries starts none at all.
    fs::write(&toml, "python = \"./mine\"\n").unwrap();
    let refused = boxstep(&bin, &[venv], &play);
    assert_eq!((refused.status.code(), out(&refused)), (Some(2), String::new()));
    assert!(err(&refused).contains("BS0710"), "{}", err(&refused));
}

#[test]
fn without_python_it_says_how_to_go_on() {
    let output = boxstep(&folder("none"), &[], &["play", FILE]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        err(&output),
        "boxstep: cannot start python3 (found on PATH): No such file or directory (os error 2)\n\
         Name a Python 3.9 or newer with --python or BOXSTEP_PYTHON,\n\
         or play everything but the scripts with --scripts off.\n"
    );
}

#[test]
fn a_helper_that_does_not_start_says_how_to_go_on() {
    let play = ["play", "examples/hello", "--scripts", "process", "--virtual-time", "--python"];
    let words = "Name a Python 3.9 or newer, or 2.7, with --python or BOXSTEP_PYTHON,\n\
                 or play everything but the scripts with --scripts off.\n";
    let old = folder("helper").join("old");
    program(&old, "#!/bin/sh\necho 'this is Python 3.6' >&2; exit 2\n");
    for (python, why) in
        [("/no/such/python", "No such file or directory (os error 2)"), (old.to_str().unwrap(), "this is Python 3.6")]
    {
        let said = common::say(&[&play[..], &[python]].concat()).code(2);
        assert_eq!(
            (said.out.as_str(), said.err),
            ("", format!("error: cannot start {python} (--python): {why}\n{words}"))
        );
    }
}

/// What scripts need is missing as much as a Python would be.
#[test]
fn without_the_package_that_is_asked_for_the_code_is_that_of_bad_usage() {
    let Some(python) = python3() else { return };
    for scripts in ["native", "process"] {
        let mut command =
            common::boxstep(&["play", "examples/hello", "--virtual-time", "--qi", "installed", "--scripts", scripts]);
        // Isolated from what is installed: no site-packages, and a `qi` that cannot be imported.
        let without = folder("without-qi");
        fs::write(without.join("qi.py"), "raise ImportError('there is none')\n").unwrap();
        let said = common::Said::from(command.env("PYTHONPATH", &without).output().unwrap()).code(2);
        let python = python.display();
        let why = format!(
            "error: the scripts cannot be run: the installed package `qi` is asked for (--qi or boxstep.toml), and {python} \
             cannot import it: there is none. Install it for that Python, or take Boxstep's own with --qi own.\n"
        );
        assert_eq!(said.err, why, "{scripts}");
    }
}

#[test]
fn what_runs_no_scripts_needs_no_python() {
    let output = boxstep(&folder("off"), &[], &["--version"]);
    assert!(output.status.success());
    let output = boxstep(&folder("off"), &[], &["play", "--scripts", "off", "no-such-file.xar"]);
    assert!(err(&output).contains("no-such-file.xar"), "{}", err(&output));
}

#[test]
fn a_file_beside_the_user_does_not_shadow_the_library() {
    let Some(python) = python3() else { return };
    let here = folder("shadow");
    for module in ["signal", "importlib", "threading", "json"] {
        fs::write(here.join(format!("{module}.py")), "raise SystemExit('shadowed')").unwrap();
    }
    fs::write(here.join("script.py"), "# main: 1\nimport json, threading\ndef main0(): log('fine')\n").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_boxstep"))
        .args(["__selftest", "--virtual-time", "script.py"])
        .env("BOXSTEP_PYTHON", python)
        .current_dir(&here)
        .output()
        .unwrap();
    assert_eq!(out(&output), "0.000 info: fine\n", "{}", err(&output));
}

#[test]
fn a_module_of_another_build_is_refused() {
    let Some(python) = python3() else { return };
    let here = folder("build");
    let copy = here.join("boxstep");
    // By another process, as above.
    assert!(Command::new("cp").args([Path::new(env!("CARGO_BIN_EXE_boxstep")), &copy]).status().unwrap().success());
    let play = |set: &[(&str, &Path)]| {
        let all = [&[("BOXSTEP_PYTHON", python.as_path())], set].concat();
        Command::new(&copy).args(["play", FILE]).envs(all).output().unwrap()
    };
    let alone = play(&[]);
    assert_eq!(alone.status.code(), Some(2));
    assert!(err(&alone).contains("cannot load the part of Boxstep that runs scripts"), "{}", err(&alone));

    let installed = here.join("installed");
    let package = installed.join("boxstep");
    fs::create_dir_all(&package).unwrap();
    fs::write(package.join("__init__.py"), "").unwrap();
    fs::write(package.join("boxstep_native.py"), "BUILD_ID = 'another'\n").unwrap();
    let other = play(&[("PYTHONPATH", &installed)]);
    assert_eq!(other.status.code(), Some(2));
    assert!(err(&other).contains("is of another build (another)"), "{}", err(&other));
}

#[test]
fn an_old_python_is_refused_in_words() {
    let Some(python) = python3() else { return };
    // What an old interpreter would see, read by this one.
    let boot = include_str!("../src/launch/boot.py");
    let old = format!("import sys\nsys.version_info = (3, 8, 18)\n{boot}");
    let output = Command::new(python).args(["-c", &old, "", "build", "main", "boxstep", "play"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(err(&output).contains("is Python 3.8; box scripts need CPython 3.9 or newer"), "{}", err(&output));
}
