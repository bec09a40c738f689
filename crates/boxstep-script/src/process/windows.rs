//! The helper process on Windows: it connects to a port of this process when a byte arrives at its standard input, and
//! proves with a secret that it is no other process. A job object ends everything that scripts have started.
#![allow(unsafe_code)]

use crate::job::Job;
use std::collections::VecDeque;
use std::io::{self, PipeReader, Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::os::windows::io::{AsHandle as _, AsRawHandle as _, OwnedHandle};
use std::os::windows::process::CommandExt as _;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use windows_sys::Win32::System::Pipes::PeekNamedPipe;
use windows_sys::Win32::System::Threading::{CREATE_NEW_PROCESS_GROUP, INFINITE, WaitForSingleObject};

/// One end of a connection.
pub(super) type Stream = TcpStream;

/// Requests connections from the helper.
#[derive(Clone)]
pub(super) struct Passage(Arc<Mutex<Requests>>);

struct Requests {
    listener: TcpListener,
    /// Connections that have not introduced themselves yet, with what they have sent.
    unknown: VecDeque<(TcpStream, Vec<u8>)>,
    secret: String,
    input: ChildStdin,
    job: Arc<Job>,
}

/// How often the standard streams, and the arrival of a connection, are looked for.
const LOOK: Duration = Duration::from_millis(5);
/// How many connections may wait without an introduction. Of more, the oldest is closed: other processes of this
/// computer can connect, too.
const UNKNOWN: usize = 64;
/// The maximum length of an introduction, in bytes: the secret and a process id.
const INTRODUCTION: usize = 64;

impl Passage {
    /// Starts the helper in a process group of its own, so that Ctrl-C reaches only the engine.
    pub(super) fn spawn(mut command: Command) -> io::Result<(Child, Process, Self)> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        listener.set_nonblocking(true)?;
        let (job, secret) = (Arc::new(Job::new()?), secret()?);
        command.stdin(Stdio::piped()).creation_flags(CREATE_NEW_PROCESS_GROUP);
        let mut child = command.spawn()?;
        let started = (|| {
            // Python itself starts nothing before it has read its first message; of a virtual environment it is
            // started by another program, and is added when it introduces itself.
            job.add(&child)?;
            let input = child.stdin.take().ok_or(io::ErrorKind::BrokenPipe)?;
            let handle = child.as_handle().try_clone_to_owned()?;
            let requests = Requests { listener, unknown: VecDeque::new(), secret, input, job: job.clone() };
            Ok((Process { handle, job }, Self(Arc::new(Mutex::new(requests)))))
        })();
        match started {
            Ok((process, passage)) => Ok((child, process, passage)),
            Err(error) => {
                child.kill()?;
                Err(error)
            }
        }
    }

    fn requests(&self) -> MutexGuard<'_, Requests> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends the message that the helper starts with, then where and how to connect.
    pub(super) fn greet(&mut self, hello: &[u8]) -> io::Result<()> {
        let mut requests = self.requests();
        let port = requests.listener.local_addr()?.port();
        let line = format!("{port} {}\n", requests.secret);
        requests.input.write_all(hello)?;
        requests.input.write_all(line.as_bytes())
    }

    /// Returns another handle for the same passage.
    pub(super) fn try_clone(&self) -> io::Result<Self> {
        Ok(self.clone())
    }

    /// The pipe to the helper ends with it, so that no stream needs to be shut down.
    pub(super) fn stream(&self) -> io::Result<Option<Stream>> {
        Ok(None)
    }

    /// Opens a new connection, and returns our end. Gives up when `awaited` returns false.
    pub(super) fn connect(&mut self, awaited: impl Fn() -> bool) -> io::Result<Stream> {
        self.requests().input.write_all(b"+")?;
        while awaited() {
            if let Some(stream) = self.requests().arrived()? {
                return Ok(stream);
            }
            std::thread::sleep(LOOK);
        }
        Err(io::ErrorKind::NotConnected.into())
    }
}

impl Requests {
    /// Returns the next connection that has introduced itself, if there is one.
    fn arrived(&mut self) -> io::Result<Option<Stream>> {
        while let Ok((stream, _)) = self.listener.accept() {
            stream.set_nonblocking(true)?;
            self.unknown.push_back((stream, Vec::new()));
            if self.unknown.len() > UNKNOWN {
                self.unknown.pop_front();
            }
        }
        for _ in 0..self.unknown.len() {
            let Some((mut stream, mut said)) = self.unknown.pop_front() else { break };
            let mut byte = [0];
            let open = loop {
                match stream.read(&mut byte) {
                    Ok(1) if byte != *b"\n" && said.len() < INTRODUCTION => said.extend(byte),
                    Ok(1) if byte == *b"\n" => break false,
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => break true,
                    _ => {
                        said.clear();
                        break false;
                    }
                }
            };
            if open {
                self.unknown.push_back((stream, said));
            } else if let Some(id) = self.process_of(&said) {
                // It may be in the job already.
                let _ = self.job.add_id(id);
                stream.set_nonblocking(false)?;
                stream.set_nodelay(true)?;
                return Ok(Some(stream));
            }
        }
        Ok(None)
    }

    /// Returns the process id in an introduction with the right secret.
    fn process_of(&self, said: &[u8]) -> Option<u32> {
        let (secret, id) = std::str::from_utf8(said).ok()?.split_once(' ')?;
        id.parse().ok().filter(|_| secret == self.secret)
    }
}

/// Returns 128 random bits in hexadecimal digits.
fn secret() -> io::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The helper, and the job with all that it has started.
pub(super) struct Process {
    handle: OwnedHandle,
    job: Arc<Job>,
}

impl Process {
    /// Waits for the end of the helper, and ends the processes that it has left behind.
    pub(super) fn wait(&self) {
        // SAFETY: the handle is open as long as `self` is.
        unsafe { WaitForSingleObject(self.handle.as_raw_handle(), INFINITE) };
        self.job.end();
    }

    /// Kills the helper and the processes that it has started.
    pub(super) fn kill(&self) {
        self.job.end();
    }
}

/// The read end of a standard stream of the helper.
pub(super) struct Output(PipeReader);

impl Output {
    pub(super) fn new(pipe: PipeReader) -> io::Result<Self> {
        Ok(Self(pipe))
    }

    /// Reads what is there. Returns 0 at the end, and [`WouldBlock`](io::ErrorKind::WouldBlock) if nothing is there.
    pub(super) fn read(&self, bytes: &mut [u8]) -> io::Result<usize> {
        let (mut available, none) = (0, std::ptr::null_mut());
        // SAFETY: the handle is open, and only the number of bytes is requested.
        let open =
            unsafe { PeekNamedPipe(self.0.as_raw_handle(), none, 0, none.cast(), &raw mut available, none.cast()) };
        match (open, available) {
            (0, _) => Ok(0),
            (_, 0) => Err(io::ErrorKind::WouldBlock.into()),
            _ => (&self.0).read(bytes),
        }
    }

    /// Waits a moment: Windows cannot wait for such a pipe.
    pub(super) fn wait<'a>(_: impl Iterator<Item = &'a Self>) {
        std::thread::sleep(LOOK);
    }
}

/// Describes an exit status: `ended with exit code 3`, `was ended by error 0xc0000005 (access violation, a crash in C
/// code)`.
pub(super) fn describe_exit(status: ExitStatus) -> String {
    let code = status.code().unwrap_or_default();
    let name = match code.cast_unsigned() {
        0xc000_0005 => " (access violation: a crash in C code)",
        0xc000_001d => " (illegal instruction: a crash in C code)",
        0xc000_0094 => " (division by zero: a crash in C code)",
        0xc000_00fd => " (stack overflow)",
        0xc000_0409 => " (C code gave up)",
        0xc000_013a => " (Ctrl-C)",
        0xc000_0000.. => "",
        _ => return format!("ended with exit code {code}"),
    };
    format!("was ended by error {code:#x}{name}")
}
