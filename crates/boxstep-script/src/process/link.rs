//! One helper process: started, talked to, ended.

use super::capture::{Capture, Outlet};
use super::wire::Wire;
use crate::keeper;
use crate::scheduler::EngineHandle;
use boxstep_engine::protocol::{Answer, BlockedOn, Request, Wake};
use boxstep_engine::{ObjectId, TaskId};
use boxstep_types::ObjectRef;
use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags, sendmsg};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, waitid};
use serde_json::json;
use std::collections::BTreeMap;
use std::io::{self, IoSlice, Read as _, Write as _};
use std::mem::MaybeUninit;
use std::net::Shutdown;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Runs before anything else in the helper.
const BOOT: &str = include_str!("boot.py");
/// How long the helper may take to end by itself when its connections are closed.
const LEAVE: Duration = Duration::from_millis(300);
/// Bytes of an answer of the control thread.
const LONGEST_ANSWER: usize = 256;
/// Between the end of a connection and that of the process.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// How long its keeper may take to end what it has left behind: more than that takes.
const LAST_CHILDREN: Duration = Duration::from_secs(2);

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A helper process.
pub(super) struct Link {
    child: Mutex<Child>,
    /// The system's number of the keeper, which ends as the process of the scripts does, when nothing is left of it.
    pub(super) pid: u32,
    /// Over which connections are passed on; `None` at the end.
    sockets: Mutex<Option<UnixStream>>,
    control: Mutex<Option<UnixStream>>,
    /// Our ends of all connections, to be closed when the process has ended: a child of its own may keep the others.
    ends: Mutex<Ends>,
    end: Mutex<Option<End>>,
    ended: Condvar,
    /// Why we have ended it.
    killed: Mutex<Option<String>>,
    told: Mutex<bool>,
    pub(super) capture: Capture,
    /// Threads whose script is at work and not waiting for an answer, with the object it is of.
    at_work: Mutex<BTreeMap<u64, Option<ObjectId>>>,
    freed: Arc<Mutex<Vec<u64>>>,
    tickets: Mutex<BTreeMap<u64, Ticket>>,
    /// What the control thread says.
    answers: Mutex<Option<Answers>>,
}

/// The answers of the control thread. One question at a time is under way.
struct Answers {
    stream: UnixStream,
    /// Since when it owes one.
    asked: Option<Instant>,
    /// What has been read of the next one.
    line: Vec<u8>,
    /// A thread, and the last of its orders whose function it has entered.
    entered: Option<(u64, u64)>,
}

impl Answers {
    fn new(stream: UnixStream) -> Self {
        Self { stream, asked: None, line: Vec::new(), entered: None }
    }

    /// Reads what is there.
    fn read(&mut self) {
        let mut bytes = [0; 64];
        while let Ok(n @ 1..) = self.stream.read(&mut bytes) {
            for &byte in &bytes[..n] {
                if byte == b'\n' {
                    self.asked = None;
                    let line = std::mem::take(&mut self.line);
                    if let Ok(("entered", worker, order)) = serde_json::from_slice(&line) {
                        self.entered = Some((worker, order));
                    }
                } else if self.line.len() < LONGEST_ANSWER {
                    self.line.push(byte);
                }
            }
        }
    }
}

#[derive(Default)]
struct Ends {
    open: BTreeMap<u64, UnixStream>,
    made: u64,
}

impl Ends {
    fn add(&mut self, end: UnixStream) -> u64 {
        self.made += 1;
        self.open.insert(self.made, end);
        self.made
    }
}

/// How a helper came to its end.
#[derive(Clone, Debug)]
pub(super) struct End {
    pub(super) how: String,
    /// We closed the connections first.
    pub(super) wanted: bool,
}

/// A place in the queue of a script's lock.
enum Ticket {
    /// Its task is blocked.
    Waits(TaskId, u32),
    /// It has the lock, and has not asked yet.
    Early,
    /// It waits no longer, and its thread may not have left the queue yet.
    Over,
}

impl Link {
    /// Starts the helper and sends it what it runs. It then answers on the connection that comes with it.
    ///
    /// # Errors
    /// The program cannot be started.
    pub(super) fn start(
        program: &Path,
        args: &[std::ffi::OsString],
        seed: u64,
        hello: &str,
    ) -> io::Result<(Arc<Self>, Wire)> {
        let (mut ours, theirs) = UnixStream::pair()?;
        let ((out, out_end), (err, err_end)) = (io::pipe()?, io::pipe()?);
        let mut command = Command::new(program);
        command.arg("-c").arg(BOOT).arg(hello.len().to_string()).args(args);
        // Hash order, and with it the order of sets of text, is part of what the seed decides.
        command.env(keeper::MARK, keeper::marks());
        command.env("PYTHONHASHSEED", (seed & 0xffff_ffff).to_string());
        command.stdin(Stdio::from(OwnedFd::from(theirs))).stdout(out_end).stderr(err_end);
        // A Ctrl-C is the engine's to hear first.
        command.process_group(0);
        let child = command.spawn()?;
        // With it go the helper's ends of the pipes and the socket, that we would hold open otherwise.
        drop(command);
        let link = Arc::new(Self {
            pid: child.id(),
            child: Mutex::new(child),
            sockets: Mutex::new(Some(ours.try_clone()?)),
            control: Mutex::new(None),
            ends: Mutex::default(),
            end: Mutex::new(None),
            ended: Condvar::new(),
            killed: Mutex::new(None),
            told: Mutex::new(false),
            capture: Capture::new(out, err)?,
            at_work: Mutex::default(),
            freed: Arc::default(),
            tickets: Mutex::default(),
            answers: Mutex::new(None),
        });
        let read = link.clone();
        let thread = |name: &str| std::thread::Builder::new().name(name.to_owned());
        let watched = link.clone();
        let looked_after = thread("helper-says").spawn(move || read.capture.pump());
        let looked_after = looked_after.and_then(|_| thread("helper-end").spawn(move || watched.watch()));
        if let Err(error) = looked_after {
            link.kill("nobody can look after it");
            link.watch();
            return Err(error);
        }
        // A helper that refuses says so on its standard error and is gone: its end is what is told.
        lock(&link.ends).add(ours.try_clone()?);
        let begun = ours.write_all(hello.as_bytes()).and_then(|()| link.connect());
        let (_, stream) = begun.map_err(|error| link.at_start(&error))?;
        Ok((link, Wire::new(stream)))
    }

    /// Why the helper did not come up, in its own words if it had any.
    pub(super) fn at_start(&self, error: &io::Error) -> io::Error {
        let how = self.how_it_ended().how;
        let said = self.capture.take();
        let text = if said.is_empty() { format!("the process for scripts {how} ({error})") } else { said };
        io::Error::other(text)
    }

    /// A new connection, and its number.
    ///
    /// # Errors
    /// The helper is gone.
    pub(super) fn connect(&self) -> io::Result<(u64, UnixStream)> {
        let (ours, theirs) = UnixStream::pair()?;
        let sockets = lock(&self.sockets);
        let socket = sockets.as_ref().ok_or(io::ErrorKind::NotConnected)?;
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
        let mut ancillary = SendAncillaryBuffer::new(&mut space);
        let fds = [theirs.as_fd()];
        ancillary.push(SendAncillaryMessage::ScmRights(&fds));
        sendmsg(socket, &[IoSlice::new(b"+")], &mut ancillary, SendFlags::NOSIGNAL)?;
        let number = lock(&self.ends).add(ours.try_clone()?);
        Ok((number, ours))
    }

    /// Opens the connection that interrupts go over.
    pub(super) fn open_control(&self) -> io::Result<()> {
        let (_, stream) = self.connect()?;
        stream.set_nonblocking(true)?;
        *lock(&self.answers) = Some(Answers::new(stream.try_clone()?));
        *lock(&self.control) = Some(stream);
        Ok(())
    }

    /// Forgets the connection of a thread that has ended.
    pub(super) fn close(&self, number: u64) {
        if let Some(end) = lock(&self.ends).open.remove(&number) {
            let _ = end.shutdown(Shutdown::Both);
        }
    }

    /// Sends a word past all orders. A helper that does not read any more is beyond words.
    pub(super) fn say(&self, message: &serde_json::Value) {
        if let Some(stream) = &mut *lock(&self.control) {
            let _ = stream.write_all(format!("{message}\n").as_bytes());
        }
    }

    /// How long the helper has not answered a word that any of its threads could answer. Asks, if it has.
    pub(super) fn silent(&self) -> Duration {
        if !self.alive() {
            return Duration::ZERO;
        }
        let mut answers = lock(&self.answers);
        let Some(answers) = &mut *answers else { return Duration::ZERO };
        answers.read();
        match answers.asked {
            Some(since) => since.elapsed(),
            None => {
                answers.asked = Some(Instant::now());
                self.say(&json!(["ping"]));
                Duration::ZERO
            }
        }
    }

    /// Has a thread entered the function of its `order`th order, as far as is known? Asks, if no question is under way.
    pub(super) fn has_entered(&self, worker: u64, order: u64) -> bool {
        let mut answers = lock(&self.answers);
        let Some(answers) = &mut *answers else { return false };
        answers.read();
        if answers.entered == Some((worker, order)) {
            return true;
        }
        if answers.asked.is_none() {
            answers.asked = Some(Instant::now());
            self.say(&json!(["entered", worker]));
        }
        false
    }

    /// A script goes to work on a thread.
    pub(super) fn works(&self, worker: u64, object: Option<ObjectId>) {
        lock(&self.at_work).insert(worker, object);
    }

    /// It has asked something, or is done. Was it alone?
    pub(super) fn rests(&self, worker: u64) -> bool {
        let mut at_work = lock(&self.at_work);
        at_work.remove(&worker);
        at_work.is_empty()
    }

    /// The object whose script is at work, if that is one.
    pub(super) fn alone_at_work(&self) -> Option<ObjectId> {
        let at_work = lock(&self.at_work);
        let mut all = at_work.values();
        all.next().copied().flatten().filter(|_| all.next().is_none())
    }

    // ---- the end -----------------------------------------------------------------------------------

    /// Waits for the process, then tells everybody who waits for a word of it.
    fn watch(&self) {
        if let Some(pid) = i32::try_from(self.pid).ok().and_then(Pid::from_raw) {
            // Not taken yet, so that nobody else gets its number while somebody means to kill it.
            while waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT)
                .is_err_and(|e| e == rustix::io::Errno::INTR)
            {}
        }
        let status = lock(&self.child).wait();
        let wanted = lock(&self.sockets).is_none() && lock(&self.killed).is_none();
        let how = match (lock(&self.killed).take(), status) {
            (Some(why), _) => format!("was ended by force: {why}"),
            (None, Ok(status)) => in_words(status),
            (None, Err(error)) => format!("is gone ({error})"),
        };
        *lock(&self.end) = Some(End { how, wanted });
        self.ended.notify_all();
        for (_, end) in std::mem::take(&mut lock(&self.ends).open) {
            let _ = end.shutdown(Shutdown::Both);
        }
    }

    /// It still is there.
    pub(super) fn alive(&self) -> bool {
        lock(&self.end).is_none()
    }

    /// How it came to its end; somebody has seen its connection end.
    pub(super) fn how_it_ended(&self) -> End {
        if let Some(end) = self.wait_for_end(LAST_WORDS) {
            return end;
        }
        self.kill("it has closed its connection");
        self.wait_for_end(LAST_WORDS).unwrap_or(End { how: "does not end".to_owned(), wanted: false })
    }

    fn wait_for_end(&self, most: Duration) -> Option<End> {
        let end = lock(&self.end);
        let waited = self.ended.wait_timeout_while(end, most, |end| end.is_none());
        let (end, _) = waited.unwrap_or_else(PoisonError::into_inner);
        end.clone()
    }

    /// Tells its end, once, unless it was wanted. Who comes second waits until it has been told.
    pub(super) fn tell_of_death(&self, outlet: &Outlet, tell: impl FnOnce(&str)) {
        let Some(end) = lock(&self.end).clone().filter(|end| !end.wanted) else { return };
        let mut told = lock(&self.told);
        if !std::mem::replace(&mut *told, true) {
            self.capture.tell(&**outlet, None, true);
            tell(&end.how);
        }
    }

    /// Ends it, and what it has started, by force.
    pub(super) fn kill(&self, why: &str) {
        let mut child = lock(&self.child);
        lock(&self.killed).get_or_insert_with(|| why.to_owned());
        if let Some(keeper) = i32::try_from(self.pid).ok().and_then(Pid::from_raw)
            && child.try_wait().is_ok_and(|status| status.is_none())
        {
            // A script may have stopped it.
            for signal in [Signal::TERM, Signal::CONT] {
                let _ = kill_process(keeper, signal);
            }
        }
    }

    /// Lets it end by itself, or else by force.
    pub(super) fn leave(&self) {
        *lock(&self.sockets) = None;
        *lock(&self.control) = None;
        *lock(&self.answers) = None;
        for end in lock(&self.ends).open.values() {
            let _ = end.shutdown(Shutdown::Write);
        }
        if self.wait_for_end(LEAVE).is_none() {
            self.kill("it did not end");
            self.wait_for_end(LAST_CHILDREN);
        }
    }

    // ---- objects and locks ---------------------------------------------------------------------------

    /// The handle of an object that stays in the helper.
    pub(super) fn object(&self, id: u64) -> ObjectRef {
        let freed = self.freed.clone();
        ObjectRef::with_release(id, move |id| lock(&freed).push(id))
    }

    /// Objects whose last handle is gone.
    pub(super) fn freed(&self) -> Vec<u64> {
        std::mem::take(&mut *lock(&self.freed))
    }

    /// Blocks the calling task until its ticket is called.
    pub(super) fn block(&self, bridge: &dyn EngineHandle, ticket: u64, delay: Option<i64>) -> Wake {
        let mut tickets = Some(lock(&self.tickets));
        if let Some(all) = &mut tickets
            && matches!(all.get(&ticket), Some(Ticket::Early))
        {
            all.remove(&ticket);
            return Wake::Notified;
        }
        let wake = bridge.block(delay, BlockedOn::Lock, &mut |task, generation| {
            if let Some(mut tickets) = tickets.take() {
                tickets.insert(ticket, Ticket::Waits(task, generation));
            }
        });
        drop(tickets);
        let mut tickets = lock(&self.tickets);
        if wake == Wake::Notified {
            tickets.remove(&ticket);
        } else {
            tickets.insert(ticket, Ticket::Over);
        }
        wake
    }

    /// Calls a ticket. False if it waits no longer.
    pub(super) fn unblock(&self, bridge: &dyn EngineHandle, ticket: u64) -> bool {
        let mut tickets = lock(&self.tickets);
        match tickets.get(&ticket) {
            Some(Ticket::Waits(task, generation)) => {
                let (task, generation) = (*task, *generation);
                bridge.request(Request::Unblock { task, generation }) == Answer::Flag(true)
            }
            Some(Ticket::Over | Ticket::Early) => false,
            None => {
                tickets.insert(ticket, Ticket::Early);
                true
            }
        }
    }

    /// The ticket's thread has left the queue: nobody will call it any more.
    pub(super) fn forget(&self, ticket: u64) {
        lock(&self.tickets).remove(&ticket);
    }
}

/// `ended with exit code 3`, `was ended by signal 11 (SIGSEGV, a crash in C code)`.
fn in_words(status: ExitStatus) -> String {
    let Some(signal) = status.signal() else {
        return format!("ended with exit code {}", status.code().unwrap_or_default());
    };
    let name = match signal {
        4 => " (SIGILL: a crash in C code)",
        6 => " (SIGABRT: C code gave up)",
        7 | 10 => " (SIGBUS: a crash in C code)",
        8 => " (SIGFPE: a crash in C code)",
        9 => " (SIGKILL: somebody's kill, or the system was short of memory)",
        11 => " (SIGSEGV: a crash in C code)",
        15 => " (SIGTERM)",
        _ => "",
    };
    format!("was ended by signal {signal}{name}")
}
