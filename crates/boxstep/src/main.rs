//! The `boxstep` command: runs what needs no Python itself, and becomes the user's own Python for what does.

mod launch;

use std::ffi::OsString;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<OsString> = std::env::args_os().collect();
    let code = match launch::wish(&args) {
        Some(wish) => launch::become_python(&wish, &args),
        None => launch::without_python(args),
    };
    ExitCode::from(u8::try_from(code).unwrap_or(1))
}
