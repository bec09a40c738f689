//! Writes a trace as JSON lines.

use crate::Normal;
use boxstep_trace::{ClockKind, Event, Footer, Header, PathTexts, Paths, Sink};
use serde::Serialize;
use std::io::{self, BufWriter, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

/// A [`Sink`] that writes JSON lines: buffered in virtual time, at once in real time. The first error is kept for
/// [`TraceFile`].
///
/// ```
/// use boxstep_record::{JsonLines, Normal};
/// use boxstep_trace::{ClockKind, Event, Header, Kind, PathId, Paths, Sink as _};
/// use boxstep_types::Time;
///
/// let mut trace = Vec::new();
/// let (mut sink, file) = JsonLines::new(&mut trace, Normal::new());
/// sink.begin(&Header::new(ClockKind::Virtual));
/// let event = Event { n: 1, t: Time::from_millis(40), cause: 0, path: PathId(0), kind: Kind::warning("no sound") };
/// sink.events(&[event], &Paths::default());
/// assert!(file.take_error().is_none());
/// drop((sink, file));
/// let last = std::str::from_utf8(&trace)?.lines().last();
/// assert_eq!(last, Some(r#"{"n":1,"t":40000000,"cause":0,"kind":"warning","text":"no sound"}"#));
/// # Ok::<(), std::str::Utf8Error>(())
/// ```
pub struct JsonLines<W: Write + Send> {
    file: TraceFile<W>,
    form: Form,
    paths: PathTexts,
    /// Real time: other programs may follow the file, so each batch is flushed.
    live: bool,
}

/// The file behind a [`JsonLines`], for use after the run.
pub struct TraceFile<W: Write>(Arc<Mutex<WriterState<W>>>);

struct WriterState<W: Write> {
    out: BufWriter<W>,
    error: Option<io::Error>,
}

impl<W: Write> Clone for TraceFile<W> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<W: Write> TraceFile<W> {
    fn lock(&self) -> MutexGuard<'_, WriterState<W>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the first error, if there was one; nothing was written after it.
    pub fn take_error(&self) -> Option<io::Error> {
        self.lock().error.take()
    }

    /// Flushes the buffer, for a run that is cut off. A thread that is writing lines has a tenth of a
    /// second to finish; a thread that hangs (at a pipe without a reader) is not waited for.
    pub fn flush_now(&self) {
        for _ in 0..100 {
            match self.0.try_lock() {
                Ok(mut state) => return state.run(|out| out.flush()),
                Err(TryLockError::Poisoned(state)) => return state.into_inner().run(|out| out.flush()),
                Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(1)),
            }
        }
    }
}

impl<W: Write> WriterState<W> {
    /// Runs an action unless there has been an error, and keeps the first error.
    fn run(&mut self, what: impl FnOnce(&mut BufWriter<W>) -> io::Result<()>) {
        if self.error.is_none() {
            self.error = what(&mut self.out).err();
        }
    }
}

impl<W: Write + Send> JsonLines<W> {
    /// Creates a sink and its file.
    pub fn new(out: W, normal: Normal) -> (Self, TraceFile<W>) {
        let file =
            TraceFile(Arc::new(Mutex::new(WriterState { out: BufWriter::with_capacity(1 << 16, out), error: None })));
        (Self { file: file.clone(), form: Form(normal), paths: PathTexts::default(), live: false }, file)
    }
}

/// Formats the lines of a trace, without line ends.
#[derive(Clone, Debug, Default)]
pub struct Form(pub Normal);

impl Form {
    /// Formats the header.
    pub fn header(&self, header: &Header) -> String {
        self.line(header)
    }

    /// Formats an event, with the text of its path if it has one.
    pub fn event(&self, event: &Event, path: Option<&str>) -> String {
        self.line(&event.line(path))
    }

    /// Formats the footer.
    pub fn footer(&self, footer: &Footer) -> String {
        self.line(footer)
    }

    /// Formats anything as a line of a trace.
    pub fn line(&self, what: &impl Serialize) -> String {
        // Everything in a trace has a JSON form.
        let mut line = serde_json::to_string(what).unwrap_or_default();
        self.0.apply(&mut line);
        line
    }
}

impl<W: Write + Send> Sink for JsonLines<W> {
    fn begin(&mut self, header: &Header) {
        self.live = header.clock == ClockKind::Real;
        let mut state = self.file.lock();
        state.run(|out| writeln!(out, "{}", self.form.header(header)));
    }

    fn events(&mut self, events: &[Event], paths: &Paths) {
        let mut state = self.file.lock();
        state.run(|out| {
            for event in events {
                let path = self.paths.get(event, paths).map(|path| &**path);
                writeln!(out, "{}", self.form.event(event, path))?;
            }
            if self.live { out.flush() } else { Ok(()) }
        });
    }

    fn end(&mut self, footer: &Footer) {
        let mut state = self.file.lock();
        state.run(|out| {
            writeln!(out, "{}", self.form.footer(footer))?;
            out.flush()
        });
    }
}
