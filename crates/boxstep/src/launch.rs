//! Decides where a command line runs: in this process, or in a new Python that loads the native module and continues
//! there.
//!
//! This module is part of the binary, which a shell starts, and of the library, which the Python of the package loads.
//! A Python that runs scripts is always a new one, because its hash order and addresses are chosen when it starts.

pub(crate) mod system;

use boxstep_cli::{Program, PythonWish, python};
use boxstep_script::keeper;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

/// The program that Python runs first. Every Python version can parse it, so that an old one gets a readable error.
///
/// Its arguments: the file of the native module (empty: the installed one), the build id that the module must have, the
/// function of the module to call, and the command line for that function.
pub(crate) const BOOT: &str = include_str!("launch/boot.py");

/// Runs a command line and returns its exit code. If scripts are to run, it runs in a new Python with `module`.
pub(crate) fn run(program: &Program, module: Option<PathBuf>) -> i32 {
    boxstep_cli::end_early_at_signal();
    match wish(&program.args) {
        Some(wish) => become_python(&wish, program, module),
        None => without_python(program),
    }
}

/// Returns which Python the arguments need, if they need one.
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
            as_written: false,
            dialect: 2,
            args: Vec::new(),
            robot: String::new(),
        });
    }
    boxstep_cli::needs_python(args.iter().cloned())
}

/// Replaces this process by Python. Returns the exit code only if that fails.
fn become_python(wish: &PythonWish, program: &Program, module: Option<PathBuf>) -> i32 {
    let python = python::choose(wish.python.as_deref(), wish.project_python.as_deref(), program.python());
    let mut command = Command::new(&python.program);
    command.arg("-c").arg(BOOT).arg(module.unwrap_or_default()).args([boxstep_script::BUILD_ID, "main"]);
    command.args(&program.args);
    command.env(keeper::MARK, keeper::marks());
    // The seed also decides the hash order, and with it the order of sets of strings.
    command.env("PYTHONHASHSEED", (wish.seed & 0xffff_ffff).to_string());
    if wish.virtual_time {
        system::fix_addresses();
    }
    let error = system::become_program(&mut command);
    let why = python::not_started(&python, python::Place::Native, &error).to_string();
    eprintln!("boxstep: {}", boxstep_types::printable(&why));
    2
}

/// Runs a command that needs no Python in this process; it may still start a helper process.
fn without_python(program: &Program) -> i32 {
    if program.args.get(1).is_some_and(|a| a == "__selftest") {
        return selftest(program);
    }
    if boxstep_cli::starts_helper_in_virtual_time(program.args.iter().cloned()) {
        system::fix_addresses();
    }
    boxstep_cli::main(program, None)
}

/// Runs `__selftest --process`.
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
