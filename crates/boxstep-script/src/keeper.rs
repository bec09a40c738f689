//! Ends the processes that scripts have started and left behind: `boxstep_runtime/keeper.py` finds and ends them, from
//! a process of its own.

use std::ffi::OsString;

/// The environment variable that marks the processes of a run, which child processes inherit. It lists the marks of
/// all runs that a process belongs to, the innermost run last.
pub const MARK: &str = "BOXSTEP_RUN";

/// Returns the marks for scripts that the calling process is about to start: the marks of this process and a new one.
pub fn marks() -> OsString {
    use std::hash::{BuildHasher as _, RandomState};
    let mut marks = std::env::var_os(MARK).unwrap_or_default();
    if !marks.is_empty() {
        marks.push(" ");
    }
    // A fixed width, so that the memory layout of a script's process does not vary.
    marks.push(format!("{:016x}", RandomState::new().hash_one(std::process::id())));
    marks
}

#[cfg(unix)]
pub use unix::Keeper;

#[cfg(unix)]
mod unix {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::process::{Pid, Signal, kill_process};
    use std::io::{self, PipeReader, Read as _};
    use std::sync::{Mutex, PoisonError};

    /// The timeout of the keeper's reply, a little longer than the keeper may take.
    const LONGEST: Timespec = Timespec { tv_sec: 2, tv_nsec: 0 };

    /// The keeper of a process that runs scripts itself.
    pub struct Keeper {
        pid: Pid,
        /// Delivers one byte each time the keeper has ended all processes.
        done: Mutex<PipeReader>,
    }

    impl Keeper {
        /// Creates a keeper from the process id and the pipe that `keeper.watch` returned; `None` if `pid` is invalid.
        pub fn of(pid: i32, done: PipeReader) -> Option<Self> {
            Some(Self { pid: Pid::from_raw(pid)?, done: Mutex::new(done) })
        }

        /// Ends the processes that scripts have started and left behind, and waits until they have ended.
        ///
        /// # Errors
        /// The keeper has ended or does not reply.
        pub fn end(&self) -> io::Result<()> {
            let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
            kill_process(self.pid, Signal::TERM)?;
            if poll(&mut [PollFd::new(&*done, PollFlags::IN)], Some(&LONGEST))? == 0 {
                return Err(io::ErrorKind::TimedOut.into());
            }
            done.read_exact(&mut [0])
        }
    }
}
