//! Running other programs, and finding things in the repository.

use crate::Outcome;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_owned).unwrap_or_default()
}

/// `cargo` with these arguments, in the repository.
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

/// What a program prints.
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

/// Where cargo puts what it builds.
pub(crate) fn target() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(dir) => root().join(dir),
        None => root().join("target"),
    }
}

/// Builds the release binary (and the module it loads) and says where it is.
pub(crate) fn release_binary() -> Result<PathBuf, String> {
    run(cargo(&["build", "--release", "--quiet", "--package", "boxstep"]).env_remove("RUSTFLAGS"))?;
    Ok(target().join("release").join(format!("boxstep{}", std::env::consts::EXE_SUFFIX)))
}

/// The program that was built with this one.
pub(crate) fn beside() -> Result<PathBuf, String> {
    let me = std::env::current_exe().map_err(|e| e.to_string())?;
    Ok(me.with_file_name(format!("boxstep{}", std::env::consts::EXE_SUFFIX)))
}

/// Builds the program and says where it is.
pub(crate) fn program() -> Result<PathBuf, String> {
    run(&mut cargo(&["build", "--quiet", "--package", "boxstep"]))?;
    beside()
}

/// A Python that has a package of this version (`NAME==VERSION`), which it knows as this module: an environment of its own, made once.
pub(crate) fn python_with(base: &OsStr, folder: &str, package: &str, module: &str) -> Result<PathBuf, String> {
    let environment = target().join(folder).join(package.replace("==", "-"));
    let bin = environment.join(if cfg!(windows) { "Scripts" } else { "bin" });
    let python = bin.join(format!("python{}", std::env::consts::EXE_SUFFIX));
    // What has been left half made is made anew.
    let import = format!("import {module}");
    let is_there = Command::new(&python).args(["-c", &import]).output().is_ok_and(|o| o.status.success());
    if !is_there {
        run(Command::new(base).args(["-m", "venv", "--clear"]).arg(&environment))?;
        run(Command::new(&python).args(["-m", "pip", "install", "--quiet", package]))?;
    }
    Ok(python)
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
