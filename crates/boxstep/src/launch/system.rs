//! What differs between systems.

use std::io;
use std::process::Command;

/// Becomes another program, so that signals, exit code and terminal are simply right. Returns only the failure.
#[cfg(unix)]
pub(super) fn become_program(command: &mut Command) -> io::Error {
    use std::os::unix::process::CommandExt as _;
    command.exec()
}

/// Runs another program and ends with its exit code. Returns only the failure.
#[cfg(not(unix))]
pub(super) fn become_program(command: &mut Command) -> io::Error {
    match command.status() {
        Ok(status) => std::process::exit(status.code().unwrap_or(1)),
        Err(error) => error,
    }
}

/// Has the next program placed at the same addresses every time: some of Python's orders follow addresses. Only a
/// second belt, so that a system that does not allow it is no failure.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
pub(super) fn fix_addresses() {
    /// Asks for the present value (`man 2 personality`).
    const ASK: libc::c_ulong = 0xffff_ffff;
    // SAFETY: takes and returns plain numbers.
    unsafe {
        let now = libc::personality(ASK);
        if now >= 0 {
            libc::personality(now as libc::c_ulong | libc::ADDR_NO_RANDOMIZE as libc::c_ulong);
        }
    }
}

#[cfg(not(target_os = "linux"))]
pub(super) fn fix_addresses() {}
