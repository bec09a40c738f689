//! The flight recorder: keeps the last minutes of every run on a real robot, in bounded space, and survives a power
//! loss.
//!
//! A recording is a folder of segments, each a trace of about a minute that starts with the run's header. A thread
//! writes them, so that a slow disk delays neither the engine nor the robot. Lines are passed to the system at once,
//! and synced to the disk at least once a second. The oldest segments are removed when the space is used up, or when
//! they are older than the recorder keeps them. `docs/guides/flight-recorder.md` describes contents and location.

mod read;
mod store;

pub use read::{Segments, newest};

use crate::{Form, Normal};
use boxstep_trace::{Event, Footer, Header, PathTexts, Paths, Sink};
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use store::Store;

/// How many bytes of lines may wait for a slow disk; further lines are not recorded.
const WAITING: usize = 16 << 20;

/// Where a flight recorder writes, and how much it keeps.
#[derive(Clone, Debug)]
pub struct FlightOptions {
    /// The folder of all recordings of this robot.
    pub folder: PathBuf,
    /// The name of this recording. Names of later recordings sort after it.
    pub name: String,
    /// How long events of a run are kept while it goes on.
    pub keep: Duration,
    /// How many bytes all recordings of this robot may take.
    pub bytes: u64,
    /// The length of a segment.
    pub segment: Duration,
    /// How often data is synced to the disk.
    pub sync: Duration,
}

impl FlightOptions {
    /// Returns the default options: 15 minutes and 200 MB, in segments of one minute, synced every second.
    pub fn new(folder: PathBuf, name: String) -> Self {
        let seconds = Duration::from_secs;
        Self { folder, name, keep: seconds(15 * 60), bytes: 200_000_000, segment: seconds(60), sync: seconds(1) }
    }
}

/// A [`Sink`] that writes to a flight recording.
pub struct FlightRecorder {
    queue: Arc<Queue>,
    form: Form,
    paths: PathTexts,
}

/// The recording, for use after the run.
pub struct Flight {
    queue: Arc<Queue>,
    writer: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Queue {
    state: Mutex<FlightState>,
    changed: Condvar,
}

#[derive(Default)]
struct FlightState {
    /// The header, with which every segment begins.
    header: String,
    lines: String,
    /// The number of lines that were dropped because there was no space.
    left_out: u64,
    /// The writer is writing lines that it has taken from the queue.
    writing: bool,
    /// No more lines will come.
    over: bool,
    /// The error that stopped the writer.
    failed: Option<io::Error>,
}

impl Queue {
    fn state(&self) -> MutexGuard<'_, FlightState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until all lines are written. Returns false if that takes longer than `most`.
    fn settle(&self, most: Duration) -> bool {
        let until = Instant::now() + most;
        let mut state = self.state();
        while !state.lines.is_empty() || state.writing {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        true
    }
}

impl FlightRecorder {
    /// Starts a recording.
    ///
    /// # Errors
    /// The folder cannot be created or written to, or the thread cannot be started.
    pub fn start(options: FlightOptions, normal: Normal) -> io::Result<(Self, Flight)> {
        let store = Store::create(options.clone())?;
        let queue = Arc::new(Queue::default());
        let taken = queue.clone();
        let writer = std::thread::Builder::new().name("flight".to_owned());
        let writer = writer.spawn(move || write(&taken, store, options.sync))?;
        let recorder = Self { queue: queue.clone(), form: Form(normal), paths: PathTexts::default() };
        Ok((recorder, Flight { queue, writer: Some(writer) }))
    }

    fn put(&self, lines: &str, count: u64, over: bool) {
        let mut state = self.queue.state();
        if state.failed.is_some() || state.lines.len() + lines.len() > WAITING {
            state.left_out += count;
        } else {
            state.lines.push_str(lines);
        }
        state.over |= over;
        drop(state);
        self.queue.changed.notify_all();
    }
}

impl Sink for FlightRecorder {
    fn begin(&mut self, header: &Header) {
        let line = self.form.header(header) + "\n";
        self.queue.state().header = line;
    }

    fn events(&mut self, events: &[Event], paths: &Paths) {
        let mut lines = String::new();
        for event in events {
            let path = self.paths.get(event, paths).map(|path| &**path);
            lines.push_str(&self.form.event(event, path));
            lines.push('\n');
        }
        self.put(&lines, events.len() as u64, false);
    }

    fn end(&mut self, footer: &Footer) {
        self.put(&(self.form.footer(footer) + "\n"), 1, true);
    }
}

/// The result of a recording.
#[derive(Debug, Default)]
pub struct Recorded {
    /// The number of missing lines, because the disk was too slow or could not be written.
    pub left_out: u64,
    /// The error that stopped the writer.
    pub failed: Option<io::Error>,
}

impl Flight {
    /// Returns the work to do in a process that is about to exit: it waits until the recorded lines are written, for at
    /// most `most`.
    pub fn last_words(&self, most: Duration) -> impl FnOnce() + Send + 'static {
        let queue = self.queue.clone();
        move || {
            queue.settle(most);
        }
    }

    /// Ends the recording after the run: waits until everything is on the disk, for at most `most`, and returns the
    /// result.
    pub fn finish(mut self, most: Duration) -> Recorded {
        self.queue.state().over = true;
        self.queue.changed.notify_all();
        let stuck = !self.queue.settle(most);
        // If the disk hangs, the thread is not joined.
        if let Some(writer) = self.writer.take().filter(|_| !stuck) {
            let _ = writer.join();
        }
        let mut state = self.queue.state();
        Recorded { left_out: state.left_out, failed: state.failed.take() }
    }
}

/// The loop of the writer thread.
fn write(queue: &Queue, mut store: Store, sync: Duration) {
    loop {
        let (header, lines, over) = {
            let mut state = queue.state();
            while state.lines.is_empty() && !state.over {
                let (back, waited) = queue.changed.wait_timeout(state, sync).unwrap_or_else(PoisonError::into_inner);
                state = back;
                if waited.timed_out() {
                    break;
                }
            }
            state.writing = true;
            (state.header.clone(), std::mem::take(&mut state.lines), state.over)
        };
        let mut done = if lines.is_empty() { Ok(()) } else { store.write(&header, &lines) };
        if done.is_ok() {
            done = store.sync(over);
        }
        let mut state = queue.state();
        state.writing = false;
        let ends = over && state.lines.is_empty();
        if let Err(error) = done {
            state.failed = Some(error);
            state.left_out += lines.lines().count() as u64 + state.lines.lines().count() as u64;
            state.lines.clear();
        }
        let ends = ends || state.failed.is_some();
        drop(state);
        queue.changed.notify_all();
        if ends {
            return;
        }
    }
}
