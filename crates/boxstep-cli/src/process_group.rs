//! Process groups, so that Ctrl-C in the terminal reaches only this program, which stops its children itself.

use std::process::Command;

#[cfg(unix)]
pub(crate) fn separate(command: &mut Command) {
    std::os::unix::process::CommandExt::process_group(command, 0);
}

/// Interrupts a child, which may have ended already.
#[cfg(unix)]
pub(crate) fn interrupt(pid: u32) {
    use rustix::process::{Pid, Signal, kill_process};
    if let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) {
        let _ = kill_process(pid, Signal::INT);
    }
}

/// The child ignores Ctrl-C from now on, but not Ctrl-Break.
#[cfg(windows)]
pub(crate) fn separate(command: &mut Command) {
    use windows_sys::Win32::System::Threading::CREATE_NEW_PROCESS_GROUP;
    std::os::windows::process::CommandExt::creation_flags(command, CREATE_NEW_PROCESS_GROUP);
}

/// Interrupts a child, which may have ended already, through the console that it shares with this process.
#[cfg(windows)]
#[allow(unsafe_code)]
pub(crate) fn interrupt(pid: u32) {
    use windows_sys::Win32::System::Console::{CTRL_BREAK_EVENT, GenerateConsoleCtrlEvent};
    // SAFETY: takes plain numbers.
    unsafe { GenerateConsoleCtrlEvent(CTRL_BREAK_EVENT, pid) };
}
