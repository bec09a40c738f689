//! The helper process on Linux and macOS: connections are socket pairs, passed over the socket that is its standard
//! input.

use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags, sendmsg};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, waitid};
use std::io::{self, IoSlice, PipeReader, Read as _, Write as _};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{Child, Command, ExitStatus, Stdio};

/// One end of a connection.
pub(super) type Stream = UnixStream;

/// Passes connections to the helper.
pub(super) struct Passage(UnixStream);

impl Passage {
    /// Starts the helper in a process group of its own, so that Ctrl-C reaches only the engine.
    pub(super) fn spawn(mut command: Command) -> io::Result<(Child, Process, Self)> {
        let (ours, theirs) = UnixStream::pair()?;
        command.stdin(Stdio::from(OwnedFd::from(theirs))).process_group(0);
        let child = command.spawn()?;
        let process = Process(i32::try_from(child.id()).ok().and_then(Pid::from_raw));
        Ok((child, process, Self(ours)))
    }

    /// Sends the message that the helper starts with.
    pub(super) fn greet(&mut self, hello: &[u8]) -> io::Result<()> {
        self.0.write_all(hello)
    }

    /// Returns another handle for the same passage.
    pub(super) fn try_clone(&self) -> io::Result<Self> {
        self.0.try_clone().map(Self)
    }

    /// Returns the stream under the passage, which is shut down when the helper has ended.
    pub(super) fn stream(&self) -> io::Result<Option<Stream>> {
        self.0.try_clone().map(Some)
    }

    /// Opens a new connection, and returns our end. It never waits, so that nobody needs to say whether it is still
    /// awaited.
    pub(super) fn connect(&mut self, _awaited: impl Fn() -> bool) -> io::Result<Stream> {
        let (ours, theirs) = UnixStream::pair()?;
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
        let mut ancillary = SendAncillaryBuffer::new(&mut space);
        let fds = [theirs.as_fd()];
        ancillary.push(SendAncillaryMessage::ScmRights(&fds));
        sendmsg(&self.0, &[IoSlice::new(b"+")], &mut ancillary, SendFlags::NOSIGNAL)?;
        Ok(ours)
    }
}

/// The keeper process, which ends with the status of the script process once all processes of the helper have ended.
pub(super) struct Process(Option<Pid>);

impl Process {
    /// Waits for the end of the process, which stays unreaped: its id is not reused while another thread may be about
    /// to kill it.
    pub(super) fn wait(&self) {
        let Some(pid) = self.0 else { return };
        while waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT)
            .is_err_and(|e| e == rustix::io::Errno::INTR)
        {}
    }

    /// Has the keeper kill the helper and the processes that it has started. A script may have stopped (`SIGSTOP`) the
    /// keeper.
    pub(super) fn kill(&self) {
        let Some(keeper) = self.0 else { return };
        for signal in [Signal::TERM, Signal::CONT] {
            let _ = kill_process(keeper, signal);
        }
    }
}

/// The read end of a standard stream of the helper.
pub(super) struct Output(PipeReader);

impl Output {
    pub(super) fn new(pipe: PipeReader) -> io::Result<Self> {
        fcntl_setfl(&pipe, fcntl_getfl(&pipe)? | OFlags::NONBLOCK)?;
        Ok(Self(pipe))
    }

    /// Reads what is there. Returns 0 at the end, and [`WouldBlock`](io::ErrorKind::WouldBlock) if nothing is there.
    pub(super) fn read(&self, bytes: &mut [u8]) -> io::Result<usize> {
        (&self.0).read(bytes)
    }

    /// Waits until one of them has something to read, or has ended.
    pub(super) fn wait<'a>(outputs: impl Iterator<Item = &'a Self>) {
        let mut waiting: Vec<_> = outputs.map(|output| PollFd::new(&output.0, PollFlags::IN)).collect();
        // After an interrupt, too, everything that is available is read.
        let _ = poll(&mut waiting, None);
    }
}

/// Describes an exit status: `ended with exit code 3`, `was ended by signal 11 (SIGSEGV, a crash in C code)`.
pub(super) fn describe_exit(status: ExitStatus) -> String {
    let Some(signal) = status.signal() else {
        return format!("ended with exit code {}", status.code().unwrap_or_default());
    };
    let name = match signal {
        4 => " (SIGILL: a crash in C code)",
        6 => " (SIGABRT: C code gave up)",
        7 | 10 => " (SIGBUS: a crash in C code)",
        8 => " (SIGFPE: a crash in C code)",
        9 => " (SIGKILL: killed by another process, or the system was short of memory)",
        11 => " (SIGSEGV: a crash in C code)",
        15 => " (SIGTERM)",
        _ => "",
    };
    format!("was ended by signal {signal}{name}")
}
