//! Hands the process over to the user's own `python3`, which loads the native module and goes on from there.

mod system;

use boxstep_cli::{PythonWish, python};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

/// Runs before anything else in Python. Any Python can read it, so that an old one is refused in words.
const BOOT: &str = include_str!("launch/boot.py");

/// Which Python these arguments need, if they need one.
pub(crate) fn wish(args: &[OsString]) -> Option<PythonWish> {
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
        });
    }
    boxstep_cli::needs_python(args.iter().cloned())
}

/// Becomes Python; returns only if that fails, with the exit code.
pub(crate) fn become_python(wish: &PythonWish, args: &[OsString]) -> i32 {
    let python = python::choose(wish.python.as_deref(), wish.project_python.as_deref());
    let mut command = Command::new(&python.program);
    command.arg("-c").arg(BOOT).arg(native_module().unwrap_or_default()).arg(boxstep_script::BUILD_ID).args(args);
    // Hash order, and with it the order of sets of text, is part of what the seed decides.
    command.env("PYTHONHASHSEED", (wish.seed & 0xffff_ffff).to_string());
    if wish.virtual_time {
        system::fix_addresses();
    }
    let error = system::become_program(&mut command);
    eprintln!("boxstep: {}", python::not_started(&python, &error));
    2
}

/// Runs what needs no Python in this process; it may still start one as a helper.
pub(crate) fn without_python(args: Vec<OsString>) -> i32 {
    #[cfg(unix)]
    if args.get(1).is_some_and(|a| a == "__selftest") {
        return selftest(&args);
    }
    if boxstep_cli::starts_helper_in_virtual_time(args.iter().cloned()) {
        system::fix_addresses();
    }
    boxstep_cli::main(args, None)
}

/// `__selftest --process`
#[cfg(unix)]
fn selftest(args: &[OsString]) -> i32 {
    use boxstep_script::process::ProcessHost;
    use boxstep_script::selftest::{STAND_IN, Selftest};
    let test = Selftest::new(args);
    if test.is_virtual {
        system::fix_addresses();
    }
    let python = python::choose(None, None);
    let argv = args.to_vec();
    match ProcessHost::with_stand_in(python.program, argv, test.options.clone(), test.is_virtual, Some(STAND_IN)) {
        Ok(host) => test.run(&host),
        Err(error) => {
            eprintln!("{error}");
            2
        }
    }
}

/// The native module of this build: `cargo test` leaves it in `deps/`, `cargo build` beside the binary.
fn native_module() -> Option<PathBuf> {
    let name = format!("{}boxstep_native{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let program = std::env::current_exe().ok()?;
    let folder = program.parent()?;
    [folder.join("deps").join(&name), folder.join(&name)].into_iter().find(|path| path.is_file())
}
