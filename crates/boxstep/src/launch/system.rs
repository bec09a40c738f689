//! What differs between systems.

use std::io;
use std::process::Command;

/// Becomes a Python, so that signals, exit code and terminal are simply right. Returns only the failure.
///
/// An interrupt waits until the native module can take it: a Python that is just starting answers with a traceback.
#[cfg(unix)]
#[allow(unsafe_code)]
pub(super) fn become_program(command: &mut Command) -> io::Error {
    use std::os::unix::process::CommandExt as _;
    let block = || {
        // SAFETY: a zeroed set is memory for `sigemptyset` to fill, and all three may be called between fork and exec.
        unsafe {
            let mut set: libc::sigset_t = std::mem::zeroed();
            libc::sigemptyset(&raw mut set);
            libc::sigaddset(&raw mut set, libc::SIGINT);
            libc::sigprocmask(libc::SIG_BLOCK, &raw const set, std::ptr::null_mut());
        }
        Ok(())
    };
    // SAFETY: it allocates nothing and takes no lock.
    unsafe { command.pre_exec(block) };
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
