//! One helper process: its start, its connections and its end.

use super::capture::{Capture, Outlet};
use super::system::{Output, Passage, Process, Stream, describe_exit};
use super::wire::Wire;
use crate::keeper;
use crate::scheduler::EngineHandle;
use boxstep_engine::protocol::{Answer, BlockedOn, Request, Wake};
use boxstep_engine::{ObjectId, TaskId};
use boxstep_types::ObjectRef;
use serde_json::json;
use std::collections::BTreeMap;
use std::io::{self, Read as _, Write as _};
use std::net::Shutdown;
use std::path::Path;
use std::process::{Child, Command};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The Python code that runs first in the helper.
const BOOT: &str = include_str!("boot.py");
/// How long the helper may take to end by itself after its connections are closed.
const LEAVE: Duration = Duration::from_millis(300);
/// The maximum length of an answer of the control thread, in bytes.
const LONGEST_ANSWER: usize = 256;
/// How long the process may take to end after its connection has ended.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// How long the keeper may take to end the processes that the helper has left behind; in practice it takes less.
const LAST_CHILDREN: Duration = Duration::from_secs(2);

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A helper process.
pub(super) struct Link {
    child: Mutex<Child>,
    process: Process,
    pub(super) pid: u32,
    /// The way by which the helper gets new connections; `None` once the helper is shutting down.
    passage: Mutex<Option<Passage>>,
    control: Mutex<Option<Stream>>,
    /// Our ends of all connections. They are shut down when the helper has ended, because its child processes may keep
    /// the other ends open.
    connections: Mutex<Connections>,
    end: Mutex<Option<End>>,
    ended: Condvar,
    /// Why Boxstep has killed the helper.
    killed: Mutex<Option<String>>,
    reported: Mutex<bool>,
    pub(super) capture: Capture,
    /// The helper's threads that run a script and do not wait for a reply, with the object that the script belongs to.
    at_work: Mutex<BTreeMap<u64, Option<ObjectId>>>,
    freed: Arc<Mutex<Vec<u64>>>,
    tickets: Mutex<BTreeMap<u64, Ticket>>,
    /// The answers of the control thread.
    answers: Mutex<Option<Answers>>,
}

/// The answers of the control thread. At most one query is outstanding.
struct Answers {
    stream: Stream,
    /// When the outstanding query was sent.
    asked: Option<Instant>,
    /// The part of the next answer that has been read.
    line: Vec<u8>,
    /// A thread, and the number of its latest order whose function it has entered.
    entered: Option<(u64, u64)>,
}

impl Answers {
    fn new(stream: Stream) -> Self {
        Self { stream, asked: None, line: Vec::new(), entered: None }
    }

    /// Reads the available bytes.
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
struct Connections {
    open: BTreeMap<u64, Stream>,
    made: u64,
}

impl Connections {
    fn add(&mut self, end: Stream) -> u64 {
        self.made += 1;
        self.open.insert(self.made, end);
        self.made
    }
}

/// How a helper has ended.
#[derive(Clone, Debug)]
pub(super) struct End {
    pub(super) how: String,
    /// Whether Boxstep had closed the connections first.
    pub(super) wanted: bool,
}

/// The state of a waiter in the queue of a script's lock.
enum Ticket {
    /// It has got the lock before its task blocked.
    Waits(TaskId, u32),
    /// It has stopped waiting, but its thread may not have left the queue yet.
    Early,
    /// It waits no longer, and its thread may not have left the queue yet.
    Over,
}

impl Link {
    /// Starts the helper and sends it the sources to run. Returns the helper and its first connection.
    ///
    /// # Errors
    /// The program cannot be started.
    pub(super) fn start(
        program: &Path,
        args: &[std::ffi::OsString],
        seed: u64,
        hello: &str,
    ) -> io::Result<(Arc<Self>, Wire)> {
        let ((out, out_end), (err, err_end)) = (io::pipe()?, io::pipe()?);
        let mut command = Command::new(program);
        command.arg("-c").arg(BOOT).arg(hello.len().to_string()).args(args);
        // The seed also determines the hash order, and with it the order of sets of text.
        command.env(keeper::MARK, keeper::marks());
        command.env("PYTHONHASHSEED", (seed & 0xffff_ffff).to_string());
        command.stdout(out_end).stderr(err_end);
        // This also closes our copies of the helper's ends of the pipes.
        let (child, process, mut passage) = Passage::spawn(command)?;
        let link = Arc::new(Self {
            pid: child.id(),
            child: Mutex::new(child),
            process,
            passage: Mutex::new(Some(passage.try_clone()?)),
            control: Mutex::new(None),
            connections: Mutex::default(),
            end: Mutex::new(None),
            ended: Condvar::new(),
            killed: Mutex::new(None),
            reported: Mutex::new(false),
            capture: Capture::new([Output::new(out)?, Output::new(err)?]),
            at_work: Mutex::default(),
            freed: Arc::default(),
            tickets: Mutex::default(),
            answers: Mutex::new(None),
        });
        let read = link.clone();
        let thread = |name: &str| std::thread::Builder::new().name(name.to_owned());
        let watched = link.clone();
        let started = thread("helper-says").spawn(move || read.capture.pump());
        let started = started.and_then(|_| thread("helper-end").spawn(move || watched.watch()));
        if let Err(error) = started {
            link.kill("the threads that watch it cannot be started");
            link.watch();
            return Err(error);
        }
        // A helper that refuses to start writes the reason to its standard error and ends; `startup_error` reports
        // that text.
        if let Some(stream) = passage.stream()? {
            lock(&link.connections).add(stream);
        }
        let begun = passage.greet(hello.as_bytes()).and_then(|()| link.connect());
        let (_, stream) = begun.map_err(|error| link.startup_error(&error))?;
        Ok((link, Wire::new(stream)))
    }

    /// The error of a helper that did not start, in the helper's own words if it has written any.
    pub(super) fn startup_error(&self, error: &io::Error) -> io::Error {
        let how = self.how_it_ended().how;
        let said = self.capture.take();
        let text = if said.is_empty() { format!("the process for scripts {how} ({error})") } else { said };
        io::Error::other(text)
    }

    /// Opens a new connection to the helper, and returns its number and our end.
    ///
    /// # Errors
    /// The helper has ended.
    pub(super) fn connect(&self) -> io::Result<(u64, Stream)> {
        // Not under the lock: the end of the helper takes it, too.
        let passage = lock(&self.passage).as_ref().map(Passage::try_clone);
        let mut passage = passage.ok_or(io::ErrorKind::NotConnected)??;
        let ours = passage.connect(|| self.alive() && lock(&self.passage).is_some())?;
        let number = lock(&self.connections).add(ours.try_clone()?);
        Ok((number, ours))
    }

    /// Opens the connection for interrupts and queries.
    pub(super) fn open_control(&self) -> io::Result<()> {
        let (_, stream) = self.connect()?;
        stream.set_nonblocking(true)?;
        *lock(&self.answers) = Some(Answers::new(stream.try_clone()?));
        *lock(&self.control) = Some(stream);
        Ok(())
    }

    /// Closes the connection of a thread that has ended.
    pub(super) fn close(&self, number: u64) {
        if let Some(end) = lock(&self.connections).open.remove(&number) {
            let _ = end.shutdown(Shutdown::Both);
        }
    }

    /// Sends a message over the control connection, independently of orders. Errors are ignored: a helper that does
    /// not read any more cannot be reached.
    pub(super) fn send_control(&self, message: &serde_json::Value) {
        if let Some(stream) = &mut *lock(&self.control) {
            let _ = stream.write_all(format!("{message}\n").as_bytes());
        }
    }

    /// Returns how long the helper has not answered a ping, which any of its threads could answer. Sends a ping if
    /// none is outstanding.
    pub(super) fn unanswered_for(&self) -> Duration {
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
                self.send_control(&json!(["ping"]));
                Duration::ZERO
            }
        }
    }

    /// Whether a thread is known to have entered the function of its `order`th order. Sends a query if none is
    /// outstanding.
    pub(super) fn has_entered(&self, worker: u64, order: u64) -> bool {
        let mut answers = lock(&self.answers);
        let Some(answers) = &mut *answers else { return false };
        answers.read();
        if answers.entered == Some((worker, order)) {
            return true;
        }
        if answers.asked.is_none() {
            answers.asked = Some(Instant::now());
            self.send_control(&json!(["entered", worker]));
        }
        false
    }

    /// Records that a thread runs a script of `object`.
    pub(super) fn set_at_work(&self, worker: u64, object: Option<ObjectId>) {
        lock(&self.at_work).insert(worker, object);
    }

    /// Records that a thread waits for a reply or is done. Returns whether no other thread is at work.
    pub(super) fn set_waiting(&self, worker: u64) -> bool {
        let mut at_work = lock(&self.at_work);
        at_work.remove(&worker);
        at_work.is_empty()
    }

    /// Returns the object whose script is at work, if exactly one thread is at work.
    pub(super) fn only_object_at_work(&self) -> Option<ObjectId> {
        let at_work = lock(&self.at_work);
        let mut all = at_work.values();
        all.next().copied().flatten().filter(|_| all.next().is_none())
    }

    // ---- the end -----------------------------------------------------------------------------------

    /// Waits for the end of the process, then wakes all threads that wait for a message from it.
    fn watch(&self) {
        self.process.wait();
        let status = lock(&self.child).wait();
        let wanted = lock(&self.passage).is_none() && lock(&self.killed).is_none();
        let how = match (lock(&self.killed).take(), status) {
            (Some(why), _) => format!("was ended by force: {why}"),
            (None, Ok(status)) => describe_exit(status),
            (None, Err(error)) => format!("is gone ({error})"),
        };
        *lock(&self.end) = Some(End { how, wanted });
        self.ended.notify_all();
        for (_, end) in std::mem::take(&mut lock(&self.connections).open) {
            let _ = end.shutdown(Shutdown::Both);
        }
    }

    /// Whether the process is still running.
    pub(super) fn alive(&self) -> bool {
        lock(&self.end).is_none()
    }

    /// Returns how the helper ended. To be called after a connection has ended; kills a helper that still runs.
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

    /// Reports the helper's end once, unless it was wanted. A concurrent caller waits until the report is done.
    pub(super) fn report_death(&self, outlet: &Outlet, tell: impl FnOnce(&str)) {
        let Some(end) = lock(&self.end).clone().filter(|end| !end.wanted) else { return };
        let mut reported = lock(&self.reported);
        if !std::mem::replace(&mut *reported, true) {
            self.capture.report(&**outlet, None, true);
            tell(&end.how);
        }
    }

    /// Kills the helper and the processes that it has started.
    pub(super) fn kill(&self, why: &str) {
        let mut child = lock(&self.child);
        lock(&self.killed).get_or_insert_with(|| why.to_owned());
        if child.try_wait().is_ok_and(|status| status.is_none()) {
            self.process.kill();
        }
    }

    /// Lets the helper end by itself, and kills it if it does not.
    pub(super) fn shut_down(&self) {
        *lock(&self.passage) = None;
        *lock(&self.control) = None;
        *lock(&self.answers) = None;
        for end in lock(&self.connections).open.values() {
            let _ = end.shutdown(Shutdown::Write);
        }
        if self.wait_for_end(LEAVE).is_none() {
            self.kill("it did not end");
            self.wait_for_end(LAST_CHILDREN);
        }
    }

    // ---- objects and locks ---------------------------------------------------------------------------

    /// Returns a handle for an object that stays in the helper.
    pub(super) fn object(&self, id: u64) -> ObjectRef {
        let freed = self.freed.clone();
        ObjectRef::with_release(id, move |id| lock(&freed).push(id))
    }

    /// Takes the ids of the objects whose last handle has been dropped.
    pub(super) fn freed(&self) -> Vec<u64> {
        std::mem::take(&mut *lock(&self.freed))
    }

    /// Blocks the calling task until its ticket is unblocked, or for `delay` nanoseconds.
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

    /// Wakes the waiter of a ticket. Returns false if it does not wait any more.
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

    /// Removes a ticket whose thread has left the queue: no caller will unblock it any more.
    pub(super) fn forget(&self, ticket: u64) {
        lock(&self.tickets).remove(&ticket);
    }
}
