//! Runs other programs, and finds things in the repository.

use crate::Outcome;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns the root of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_owned).unwrap_or_default()
}

/// Returns a `cargo` command with these arguments, in the repository.
pub(crate) fn cargo(args: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(args).current_dir(root());
    command
}

/// Runs a program to its end; anything but success is an error.
pub(crate) fn run(command: &mut Command) -> Outcome {
    let shown = shown(command);
    println!("$ {shown}");
    let status = command.status().map_err(|e| format!("{shown}: {e}"))?;
    if status.success() { Ok(()) } else { Err(format!("{shown}: {status}")) }
}

/// Runs those tests of the whole workspace (so that nothing is built twice with different features) that belong to the
/// test programs that `options` select and contain one of `names`. Each name must occur in the name of a test:
/// otherwise a renamed test would silently not be run.
pub(crate) fn run_tests(options: &[&str], names: &[&str], set: &[(&str, &OsStr)]) -> Outcome {
    let args = [&["test", "--quiet", "--workspace"], options, &["--"], names].concat();
    each_has_a_test(names, &output(cargo(&args).arg("--list"))?)?;
    run(cargo(&args).envs(set.iter().copied()))
}

/// Checks that a list of tests has at least one test, and one for each name.
fn each_has_a_test(names: &[&str], listed: &str) -> Outcome {
    let tests: Vec<&str> = listed.lines().filter_map(|line| line.strip_suffix(": test")).collect();
    match names.iter().find(|name| !tests.iter().any(|test| test.contains(**name))) {
        Some(name) => Err(format!("no test has `{name}` in its name")),
        None if tests.is_empty() => Err("there are no tests".to_owned()),
        None => Ok(()),
    }
}

/// Returns the output of a program.
pub(crate) fn output(command: &mut Command) -> Result<String, String> {
    let shown = shown(command);
    let output = command.output().map_err(|e| format!("{shown}: {e}"))?;
    if !output.status.success() {
        return Err(format!("{shown}: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr)));
    }
    String::from_utf8(output.stdout).map_err(|e| format!("{shown}: {e}"))
}

fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or_default().to_string_lossy().into_owned();
    let args = command.get_args().map(|a| a.to_string_lossy().into_owned());
    std::iter::once(program).chain(args).collect::<Vec<_>>().join(" ")
}

/// Returns cargo's target folder.
pub(crate) fn target() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(dir) => root().join(dir),
        None => root().join("target"),
    }
}

/// Builds the release binary (and the module it loads) and returns its path.
pub(crate) fn release_binary() -> Result<PathBuf, String> {
    run(cargo(&["build", "--release", "--quiet", "--package", "boxstep"]).env_remove("RUSTFLAGS"))?;
    Ok(target().join("release").join(format!("boxstep{}", std::env::consts::EXE_SUFFIX)))
}

/// Returns the program that was built together with this one.
pub(crate) fn beside() -> Result<PathBuf, String> {
    let me = std::env::current_exe().map_err(|e| e.to_string())?;
    Ok(me.with_file_name(format!("boxstep{}", std::env::consts::EXE_SUFFIX)))
}

/// Builds the program and returns its path.
pub(crate) fn program() -> Result<PathBuf, String> {
    // Built with the whole workspace: alone it would be built with other features, and the rest would be rebuilt.
    run(&mut cargo(&["build", "--quiet", "--workspace", "--all-targets"]))?;
    beside()
}

/// Returns a Python with packages of these versions (`NAME==VERSION`, separated by spaces), one of which is imported as
/// `module`: an environment of its own, created once.
pub(crate) fn python_with(base: &OsStr, folder: &str, package: &str, module: &str) -> Result<PathBuf, String> {
    let environment = target().join(folder).join(package.replace("==", "-").replace(' ', "-"));
    let bin = environment.join(if cfg!(windows) { "Scripts" } else { "bin" });
    let python = bin.join(format!("python{}", std::env::consts::EXE_SUFFIX));
    // An incomplete environment is created again.
    let import = format!("import {module}");
    let is_there = Command::new(&python).args(["-c", &import]).output().is_ok_and(|o| o.status.success());
    if !is_there {
        run(Command::new(base).args(["-m", "venv", "--clear"]).arg(&environment))?;
        run(Command::new(&python).args(["-m", "pip", "install", "--quiet"]).args(package.split(' ')))?;
    }
    Ok(python)
}

/// Adds the target's standard library with `rustup`, if it manages the compiler; otherwise users have to install it
/// themselves.
pub(crate) fn add_target(target: &str) -> Outcome {
    let installed = Command::new("rustup").args(["target", "list", "--installed"]).current_dir(root()).output();
    match installed {
        Ok(answer) if !String::from_utf8_lossy(&answer.stdout).lines().any(|line| line == target) => {
            run(Command::new("rustup").args(["target", "add", target]).current_dir(root()))
        }
        _ => Ok(()),
    }
}

/// A new empty folder that is removed when dropped.
pub(crate) struct TempDir(PathBuf);

impl TempDir {
    pub(crate) fn new(name: &str) -> Result<Self, String> {
        let dir = std::env::temp_dir().join(format!("boxstep-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&dir).map_err(|e| format!("{}: {e}", dir.display()))?;
        Ok(Self(dir))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for TempDir {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_no_test_has_are_told() {
        let listed = "cuts::each: test\ncuts::bench: benchmark\n\n1 test, 1 benchmark\n0 tests, 0 benchmarks\n";
        assert_eq!(each_has_a_test(&["cuts::"], listed), Ok(()));
        assert_eq!(each_has_a_test(&[], listed), Ok(()));
        let none = |name: &str| Err(format!("no test has `{name}` in its name"));
        assert_eq!(each_has_a_test(&["cuts::", "cut::"], listed), none("cut::"));
        assert_eq!(each_has_a_test(&["bench"], listed), none("bench"));
        assert_eq!(each_has_a_test(&[], "0 tests, 0 benchmarks\n"), Err("there are no tests".to_owned()));
    }
}
