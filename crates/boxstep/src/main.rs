//! The `boxstep` command: runs commands that need no Python in this process, and replaces itself by the user's own
//! Python for the others.

mod launch;

use boxstep_cli::Program;
use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    // This comes first; until then signals have the system's default effect.
    boxstep_cli::end_early_at_signal();
    let program = Program::binary(std::env::args_os().collect());
    let code = launch::run(&program, native_module());
    ExitCode::from(u8::try_from(code).unwrap_or(1))
}

/// Returns the native module of this build: `cargo test` leaves it in `deps/`, `cargo build` beside the binary. If it
/// is missing, an installed package may have it.
fn native_module() -> Option<PathBuf> {
    let name = format!("{}boxstep_native{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let program = std::env::current_exe().ok()?;
    let folder = program.parent()?;
    [folder.join("deps").join(&name), folder.join(&name)].into_iter().find(|path| path.is_file())
}
