//! The end of a run on Windows when the program that started this Python is killed.
#![allow(unsafe_code)]

use crate::launch::system::LAUNCHER;
use std::os::windows::io::{AsRawHandle as _, FromRawHandle as _, OwnedHandle};
use windows_sys::Win32::Foundation::WAIT_OBJECT_0;
use windows_sys::Win32::System::Threading::{INFINITE, OpenProcess, PROCESS_SYNCHRONIZE, WaitForSingleObject};

/// Interrupts this process, as Ctrl-C does, when the program that started it has ended.
pub(crate) fn end_with_launcher() {
    let Some(id) = std::env::var(LAUNCHER).ok().and_then(|id| id.parse().ok()) else { return };
    // SAFETY: takes plain numbers.
    let handle = unsafe { OpenProcess(PROCESS_SYNCHRONIZE, 0, id) };
    if handle.is_null() {
        // The program that has just started this one can be opened, unless it is gone.
        let interrupt = || boxstep_cli::interrupt_until_the_end();
        let _ = std::thread::Builder::new().name("launcher".to_owned()).spawn(interrupt);
        return;
    }
    // SAFETY: the handle is new and belongs to nobody else.
    let launcher = unsafe { OwnedHandle::from_raw_handle(handle) };
    let wait = move || {
        // SAFETY: the handle is open.
        if unsafe { WaitForSingleObject(launcher.as_raw_handle(), INFINITE) } == WAIT_OBJECT_0 {
            boxstep_cli::interrupt_until_the_end();
        }
    };
    // Without the thread, only the orderly end is missing.
    let _ = std::thread::Builder::new().name("launcher".to_owned()).spawn(wait);
}
