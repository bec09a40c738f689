//! What scripts have started ends with their run: `boxstep_runtime/keeper.py` finds and ends it, in a process of its own.

use std::ffi::OsString;

/// What tells the processes of a run from all others: this variable of the environment, which they inherit. It has the marks
/// of all runs that a process is of, the innermost last.
pub const MARK: &str = "BOXSTEP_RUN";

/// The marks of scripts that the calling process is about to start: its own, and one that no other run has.
pub fn marks() -> OsString {
    use std::hash::{BuildHasher as _, RandomState};
    let mut marks = std::env::var_os(MARK).unwrap_or_default();
    if !marks.is_empty() {
        marks.push(" ");
    }
    // Always as long, so that nothing in the memory of a script's process moves.
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

    /// A little longer than it may take.
    const LONGEST: Timespec = Timespec { tv_sec: 2, tv_nsec: 0 };

    /// The keeper of a process that runs scripts itself.
    pub struct Keeper {
        pid: Pid,
        /// A byte for each time that it has ended all there was.
        done: Mutex<PipeReader>,
    }

    impl Keeper {
        /// By what `keeper.watch` gave; `None` if that is no process.
        pub fn of(pid: i32, done: PipeReader) -> Option<Self> {
            Some(Self { pid: Pid::from_raw(pid)?, done: Mutex::new(done) })
        }

        /// Ends what scripts have started and left behind, and waits for that.
        ///
        /// # Errors
        /// The keeper is gone, or does not answer.
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
