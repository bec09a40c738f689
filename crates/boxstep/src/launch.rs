//! Hands the process over to the user's own `python3`, which loads the native module and goes on from there.

mod system;

use boxstep_cli::PythonWish;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Runs before anything else in Python. Any Python can read it, so that an old one is refused in words.
const BOOT: &str = include_str!("launch/boot.py");

/// Which Python these arguments need, if they need one.
pub(crate) fn wish(args: &[OsString]) -> Option<PythonWish> {
    if args.get(1).is_some_and(|a| a == "__selftest" || a == "__bench") {
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
        });
    }
    boxstep_cli::needs_python(args.iter().cloned())
}

/// Becomes Python; returns only if that fails, with the exit code.
pub(crate) fn become_python(wish: &PythonWish, args: &[OsString]) -> i32 {
    let python = choose(wish.python.as_deref(), wish.project_python.as_deref(), |name| std::env::var_os(name));
    let mut command = Command::new(&python.program);
    command.arg("-c").arg(BOOT).arg(native_module().unwrap_or_default()).arg(boxstep_script::BUILD_ID).args(args);
    // Hash order, and with it the order of sets of text, is part of what the seed decides.
    command.env("PYTHONHASHSEED", (wish.seed & 0xffff_ffff).to_string());
    if wish.virtual_time {
        system::fix_addresses();
    }
    let error = system::become_program(&mut command);
    let name = python.program.display();
    eprintln!("boxstep: cannot start {name} ({}): {error}", python.from);
    eprintln!("Box scripts need Python 3.9 or newer. Name one with --python or BOXSTEP_PYTHON,");
    eprintln!("or play everything but the scripts with --scripts off.");
    2
}

/// An interpreter, and who named it.
#[derive(Debug, PartialEq, Eq)]
struct Python {
    program: PathBuf,
    from: &'static str,
}

/// `--python`, then `BOXSTEP_PYTHON`, the project's `boxstep.toml`, the virtual environment, `PATH`; as `boxstep check`.
fn choose(asked: Option<&Path>, project: Option<&str>, variable: impl Fn(&str) -> Option<OsString>) -> Python {
    let set = |name: &str| variable(name).filter(|value| !value.is_empty());
    if let Some(program) = asked {
        return Python { program: program.to_owned(), from: "--python" };
    }
    if let Some(program) = set("BOXSTEP_PYTHON") {
        return Python { program: program.into(), from: "BOXSTEP_PYTHON" };
    }
    if let Some(program) = project {
        return Python { program: program.into(), from: "boxstep.toml" };
    }
    if let Some(environment) = set("VIRTUAL_ENV") {
        return Python { program: system::python_of_environment(Path::new(&environment)), from: "VIRTUAL_ENV" };
    }
    Python { program: system::PYTHON.into(), from: "found on PATH" }
}

/// The native module of this build: `cargo test` leaves it in `deps/`, `cargo build` beside the binary.
fn native_module() -> Option<PathBuf> {
    let name = format!("{}boxstep_native{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let program = std::env::current_exe().ok()?;
    let folder = program.parent()?;
    [folder.join("deps").join(&name), folder.join(&name)].into_iter().find(|path| path.is_file())
}
