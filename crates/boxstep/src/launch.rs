//! What a command line runs in: this process, or a Python of its own that loads the native module and goes on from there.
//!
//! Part of the binary and of the library: the binary is started by a shell, and the Python package by its Python. A
//! Python that runs scripts is always a new one: its hash order and addresses are chosen when it starts.

mod system;

use boxstep_cli::{Program, PythonWish, python};
use boxstep_script::keeper;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

/// Runs before anything else in Python. Any Python can read it, so that an old one is refused in words.
///
/// Its arguments: the file of the native module (nothing: an installed one), the build it has to be of, which of its
/// functions goes on, and the command line for that.
pub(crate) const BOOT: &str = include_str!("launch/boot.py");

/// Runs a command line and gives its exit code; in a Python, with `module`, if scripts are to run.
pub(crate) fn run(program: &Program, module: Option<PathBuf>) -> i32 {
    boxstep_cli::end_early_at_signal();
    match wish(&program.args) {
        Some(wish) => become_python(&wish, program, module),
        None => without_python(program),
    }
}

/// Which Python these arguments need, if they need one.
fn wish(args: &[OsString]) -> Option<PythonWish> {
    if args.get(1).is_some_and(|a| a == "__selftest" || a == "__bench") && !args.iter().any(|a| a == "--process") {
        let virtual_time = args.iter().any(|a| a == "--virtual-time");
        let epoch = 0;
        return Some(PythonWish {
            python: None,
            project_python: None,
            seed: 0,
            epoch,
            virtual_time,
            network: false,
            patience: Duration::ZERO,
            language: None,
            installed_qi: false,
            dialect: 2,
            robot: String::new(),
        });
    }
    boxstep_cli::needs_python(args.iter().cloned())
}

/// Becomes Python; returns only if that fails, with the exit code.
fn become_python(wish: &PythonWish, program: &Program, module: Option<PathBuf>) -> i32 {
    let python = python::choose(wish.python.as_deref(), wish.project_python.as_deref(), program.python());
    let mut command = Command::new(&python.program);
    command.arg("-c").arg(BOOT).arg(module.unwrap_or_default()).args([boxstep_script::BUILD_ID, "main"]);
    command.args(&program.args);
    command.env(keeper::MARK, keeper::marks());
    // Hash order, and with it the order of sets of text, is part of what the seed decides.
    command.env("PYTHONHASHSEED", (wish.seed & 0xffff_ffff).to_string());
    if wish.virtual_time {
        system::fix_addresses();
    }
    let error = system::become_program(&mut command);
    let why = python::not_started(&python, python::Place::Native, &error).to_string();
    eprintln!("boxstep: {}", boxstep_types::printable(&why));
    2
}

/// Runs what needs no Python in this process; it may still start one as a helper.
fn without_python(program: &Program) -> i32 {
    #[cfg(unix)]
    if program.args.get(1).is_some_and(|a| a == "__selftest") {
        return selftest(program);
    }
    if boxstep_cli::starts_helper_in_virtual_time(program.args.iter().cloned()) {
        system::fix_addresses();
    }
    boxstep_cli::main(program, None)
}

/// `__selftest --process`
#[cfg(unix)]
fn selftest(program: &Program) -> i32 {
    use boxstep_script::process::ProcessHost;
    use boxstep_script::selftest::{STAND_IN, Selftest};
    let test = Selftest::new(&program.args);
    if test.is_virtual {
        system::fix_addresses();
    }
    let python = python::choose(None, None, program.python());
    let argv = program.args.clone();
    match ProcessHost::with_stand_in(python.program, argv, test.options.clone(), test.is_virtual, Some(STAND_IN)) {
        Ok(host) => test.run(&host),
        Err(error) => {
            eprintln!("{error}");
            2
        }
    }
}
