//! The `boxstep` command: runs what needs no Python itself, and becomes the user's own Python for what does.

mod launch;

use boxstep_cli::Program;
use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    // First of all: until then a signal ends the process as the system has it.
    boxstep_cli::end_early_at_signal();
    let program = Program::binary(std::env::args_os().collect());
    let code = launch::run(&program, native_module());
    ExitCode::from(u8::try_from(code).unwrap_or(1))
}

/// The native module of this build: `cargo test` leaves it in `deps/`, `cargo build` beside the binary. Without one, an
/// installed package may have it.
fn native_module() -> Option<PathBuf> {
    let name = format!("{}boxstep_native{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let program = std::env::current_exe().ok()?;
    let folder = program.parent()?;
    [folder.join("deps").join(&name), folder.join(&name)].into_iter().find(|path| path.is_file())
}
