//! Job objects of Windows: a set of processes, with all that they start, that ends together.
#![allow(unsafe_code)]

use std::io;
use std::os::windows::io::{AsRawHandle, FromRawHandle as _, OwnedHandle};
use windows_sys::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JobObjectExtendedLimitInformation, SetInformationJobObject,
    TerminateJobObject,
};
use windows_sys::Win32::System::Threading::{GetCurrentProcess, OpenProcess, PROCESS_SET_QUOTA, PROCESS_TERMINATE};

/// A job. When it is dropped, or this process ends in any way, its processes are killed.
pub struct Job(OwnedHandle);

impl Job {
    /// Creates an empty job.
    ///
    /// # Errors
    /// The system refuses.
    pub fn new() -> io::Result<Self> {
        // SAFETY: no attributes and no name.
        let handle = unsafe { CreateJobObjectW(std::ptr::null(), std::ptr::null()) };
        if handle.is_null() {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the handle is new and belongs to nobody else.
        let job = Self(unsafe { OwnedHandle::from_raw_handle(handle) });
        let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
        limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
        let size = size_of_val(&limits) as u32;
        // SAFETY: the structure is the one of this class of information, with its size.
        let done = unsafe {
            let limits = (&raw const limits).cast();
            SetInformationJobObject(handle, JobObjectExtendedLimitInformation, limits, size)
        };
        done_or_error(done).map(|()| job)
    }

    /// Adds a process. What it starts from now on belongs to the job as well.
    ///
    /// # Errors
    /// The process has ended, or the system refuses.
    pub fn add(&self, process: &impl AsRawHandle) -> io::Result<()> {
        // SAFETY: both handles are open.
        done_or_error(unsafe { AssignProcessToJobObject(self.0.as_raw_handle(), process.as_raw_handle()) })
    }

    /// Adds the process with an id.
    ///
    /// # Errors
    /// There is no such process, or the system refuses.
    pub fn add_id(&self, id: u32) -> io::Result<()> {
        // SAFETY: takes plain numbers.
        let handle = unsafe { OpenProcess(PROCESS_SET_QUOTA | PROCESS_TERMINATE, 0, id) };
        if handle.is_null() {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the handle is new and belongs to nobody else.
        self.add(&unsafe { OwnedHandle::from_raw_handle(handle) })
    }

    /// Adds the calling process, whose children then end with it.
    ///
    /// # Errors
    /// The system refuses.
    pub fn add_this_process(&self) -> io::Result<()> {
        // SAFETY: the handle of the calling process needs no closing.
        done_or_error(unsafe { AssignProcessToJobObject(self.0.as_raw_handle(), GetCurrentProcess()) })
    }

    /// Kills the processes of the job.
    pub fn end(&self) {
        // SAFETY: the handle is open.
        unsafe { TerminateJobObject(self.0.as_raw_handle(), 1) };
    }
}

fn done_or_error(done: i32) -> io::Result<()> {
    if done == 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}
