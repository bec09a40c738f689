//! The trace of a part's run, which the leader may collect when the run is over.

use boxstep_engine::trace::{Event, Footer, Header, Kind, PathId, PathTexts, Paths, Sink};
use boxstep_record::{Form, Normal};
use std::fs::File;
use std::io::{BufWriter, Read as _, Seek as _, Write as _};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How many bytes of a trace are kept.
const MOST_TRACE: u64 = 64 << 20;

/// A trace in a temporary file, of about 64 MiB at most: some hours. A longer one is cut off, and its last event, a
/// warning, says so.
#[derive(Clone, Default)]
pub(crate) struct PartTrace(Arc<Mutex<Kept>>);

#[derive(Default)]
struct Kept {
    /// `None` before the run begins, and if the file cannot be written: it is only for whoever wants to look at it later.
    out: Option<BufWriter<File>>,
    bytes: u64,
}

impl PartTrace {
    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a sink that writes the trace.
    pub(crate) fn sink(&self, normal: Normal) -> impl Sink + use<> {
        self.sink_of(normal, MOST_TRACE)
    }

    fn sink_of(&self, normal: Normal, most: u64) -> TraceSink {
        TraceSink { trace: self.clone(), form: Form(normal), paths: PathTexts::default(), most, cut: false }
    }

    /// Takes the trace of a run that has ended; `None` if it could not begin, or not be recorded.
    pub(crate) fn take(&self) -> Option<Vec<u8>> {
        let mut file = self.lock().out.take()?.into_inner().ok()?;
        let mut bytes = Vec::new();
        file.rewind().and_then(|()| file.read_to_end(&mut bytes)).ok()?;
        Some(bytes)
    }
}

impl Kept {
    fn line(&mut self, line: &str) {
        let Some(out) = &mut self.out else { return };
        self.bytes += line.len() as u64 + 1;
        if writeln!(out, "{line}").is_err() {
            self.out = None;
        }
    }
}

struct TraceSink {
    trace: PartTrace,
    form: Form,
    paths: PathTexts,
    most: u64,
    cut: bool,
}

impl Sink for TraceSink {
    fn begin(&mut self, header: &Header) {
        let mut kept = self.trace.lock();
        kept.out = tempfile::tempfile().map(BufWriter::new).ok();
        kept.line(&self.form.header(header));
    }

    fn events(&mut self, events: &[Event], paths: &Paths) {
        let mut kept = self.trace.lock();
        for event in events {
            if self.cut {
                return;
            }
            let path = self.paths.get(event, paths).map(|path| &**path);
            let line = self.form.event(event, path);
            self.cut = kept.bytes + line.len() as u64 > self.most;
            if self.cut {
                let why = "the recording ends here, although the run went on: it has as many bytes as it may have";
                let Event { n, t, cause, .. } = *event;
                let last = Event { n, t, cause, path: PathId(0), kind: Kind::warning(why) };
                kept.line(&self.form.event(&last, None));
            } else {
                kept.line(&line);
            }
        }
    }

    fn end(&mut self, footer: &Footer) {
        self.trace.lock().line(&self.form.footer(footer));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boxstep_engine::trace::{ClockKind, EndReason, Recording};
    use boxstep_types::Time;

    /// Records a run with so many events, of which about `most` bytes are kept.
    fn recorded(events: u64, most: u64) -> Recording {
        let trace = PartTrace::default();
        assert!(trace.take().is_none(), "the run has not begun");
        let mut sink = trace.sink_of(Normal::new(), most);
        sink.begin(&Header::new(ClockKind::Virtual));
        for n in 1..=events {
            let kind = Kind::warning("much");
            sink.events(&[Event { n, t: Time(n as i64), cause: 0, path: PathId(0), kind }], &Paths::default());
        }
        sink.end(&Footer {
            reason: EndReason::Ended,
            t: Time(events as i64),
            events,
            errors: 0,
            forced: 0,
            not_compiled: 0,
            unsupported: 0,
            dropped: 0,
            warnings: events,
            deterministic: Ok(()),
        });
        let bytes = trace.take().unwrap();
        assert!((bytes.len() as u64) < most + 1000, "{}", bytes.len());
        Recording::read(bytes.as_slice()).unwrap()
    }

    #[test]
    fn a_long_trace_is_cut_off_and_says_so() {
        let whole = recorded(100, 1 << 20);
        assert_eq!((whole.events.len(), whole.events[99].n), (100, 100));
        let cut = recorded(1000, 10_000);
        let last = cut.events.last().unwrap();
        assert!(cut.events.len() < 1000 && last.n == cut.events.len() as u64);
        assert!(matches!(&last.kind, Kind::Warning { text } if text.contains("the recording ends here")));
        assert_eq!(cut.footer.map(|footer| footer.events), Some(1000));
    }
}
