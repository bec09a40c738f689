//! The differences between operating systems.

use std::io;
use std::process::Command;

/// Replaces this process by a program (`exec`), so that signals, exit code and terminal need no forwarding. Returns
/// only if that fails.
///
/// SIGINT stays blocked until the native module can handle it: a Python that is just starting would print a traceback.
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

/// Runs a program and exits with its exit code. Returns only if it cannot be started.
///
/// Ctrl-C reaches both processes, and the child decides what it does. The child learns this process's id, so that it
/// ends in an orderly way when this process is killed (`native/launcher.rs`).
#[cfg(windows)]
pub(super) fn become_program(command: &mut Command) -> io::Error {
    boxstep_cli::leave_signals_to_child();
    let mut child = match command.env(LAUNCHER, std::process::id().to_string()).spawn() {
        Ok(child) => child,
        Err(error) => return error,
    };
    if boxstep_cli::was_signalled() {
        // The child may not have been there for the event; it has not begun yet.
        let _ = child.kill();
    }
    match child.wait() {
        Ok(status) => std::process::exit(status.code().unwrap_or(1)),
        Err(error) => error,
    }
}

/// The environment variable with the process id of the program that has started this Python.
#[cfg(windows)]
pub(crate) const LAUNCHER: &str = "BOXSTEP_LAUNCHER";

/// Disables address randomization for the next program: some orders in Python follow addresses. This is an additional
/// measure, so a system that does not allow it is no error.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
pub(super) fn fix_addresses() {
    /// Asks for the current value (`man 2 personality`).
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
