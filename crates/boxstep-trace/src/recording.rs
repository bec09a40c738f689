//! A run in memory: its events, and the chain of causes of each.

use crate::{Event, Footer, Header, Line, Paths, Reader, Sink};
use boxstep_types::Time;
use std::fmt;
use std::io::{self, BufRead};
use std::sync::{Arc, Mutex, PoisonError};

/// The trace of a run, in memory.
///
/// ```
/// use boxstep_trace::Recording;
///
/// let trace = r#"{"schema":1,"body":"nao"}
/// {"n":1,"t":0,"cause":0,"path":"root","kind":"input","port":"onStart","value":null}
/// {"n":2,"t":40000000,"cause":1,"path":"root","kind":"output","port":"onStopped","value":null}
/// "#;
/// let recording = Recording::read(trace.as_bytes())?;
/// let last = recording.event(2).expect("the second event");
/// assert_eq!((recording.path(last), recording.end().as_secs_f64()), ("root".to_owned(), 0.04));
/// let numbers: Vec<u64> = recording.chain(last).events.iter().map(|event| event.n).collect();
/// assert_eq!(numbers, [2, 1]);
/// # Ok::<(), boxstep_trace::ReadError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Recording {
    /// The header; `None` before the run begins.
    pub header: Option<Header>,
    /// Events in the order of their numbers. A recording of bounded size lacks the first ones.
    pub events: Vec<Event>,
    /// The box paths that the events refer to by number.
    pub paths: Paths,
    /// The footer; `None` if the run has not ended.
    pub footer: Option<Footer>,
}

/// Why a recording cannot be read.
#[derive(Debug)]
pub enum ReadError {
    /// The file could not be read.
    Io(io::Error),
    /// A line, counted from 1, is invalid; the text says why.
    Line(usize, String),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Io(error) => error.fmt(f),
            ReadError::Line(line, why) => write!(f, "line {line} is not of a trace: {why}"),
        }
    }
}

impl std::error::Error for ReadError {}

/// An event with the chain of its causes.
#[derive(Debug, Default)]
pub struct Chain<'a> {
    /// The events: the event itself first, its first cause last.
    pub events: Vec<&'a Event>,
    /// The number of events that are left out before the last one.
    pub left_out: usize,
}

/// The maximum number of events in a [`Chain`], since a chain may be as long as the run.
const LONGEST: usize = 1000;

impl Recording {
    /// Reads the lines of a trace. A last line without a line end is ignored: it was cut off or is still being
    /// written.
    ///
    /// # Errors
    /// The file cannot be read, a line is invalid, or there is no header.
    pub fn read(mut trace: impl BufRead) -> Result<Self, ReadError> {
        let (mut reader, mut recording) = (Reader::default(), Self::default());
        let mut text = Vec::new();
        for number in 1.. {
            text.clear();
            trace.read_until(b'\n', &mut text).map_err(ReadError::Io)?;
            let Some(line) = text.strip_suffix(b"\n") else { break };
            let wrong = |error: String| ReadError::Line(number, error);
            let line = std::str::from_utf8(line).map_err(|error| wrong(error.to_string()))?;
            // The reader sees each line separately, so its own line number is always 1.
            match reader
                .line(line)
                .map_err(|error| wrong(error.to_string().replace(" at line 1 column", ", column")))?
            {
                Line::Header(header) => recording.header = Some(header),
                Line::Event(event) => recording.events.push(event),
                Line::Footer(footer) => recording.footer = Some(footer),
            }
        }
        if recording.header.is_none() {
            return Err(ReadError::Line(1, "there is nothing in it".to_owned()));
        }
        recording.paths = reader.paths;
        Ok(recording)
    }

    /// Returns the event with this number.
    pub fn event(&self, n: u64) -> Option<&Event> {
        let first = self.events.first()?.n;
        let at = usize::try_from(n.checked_sub(first)?).ok()?;
        match self.events.get(at) {
            Some(event) if event.n == n => Some(event),
            // The numbers have gaps.
            _ => self.events.get(self.events.binary_search_by_key(&n, |event| event.n).ok()?),
        }
    }

    /// Returns the path of an event's box; empty if it has none.
    pub fn path(&self, event: &Event) -> String {
        self.paths.text(event.path)
    }

    /// Returns the time of the last event, or that of the footer.
    pub fn end(&self) -> Time {
        let last = || self.events.last().map(|event| event.t);
        self.footer.as_ref().map(|footer| footer.t).or_else(last).unwrap_or(Time::ZERO)
    }

    /// Returns the event that caused another one. A cause must be earlier than its event; a later one is ignored,
    /// because it could make the chain endless.
    pub fn cause(&self, event: &Event) -> Option<&Event> {
        self.event(event.cause).filter(|cause| cause.n < event.n)
    }

    /// Returns an event with the chain of its causes. A very long chain is shortened, but still ends with its first
    /// cause.
    pub fn chain<'a>(&'a self, event: &'a Event) -> Chain<'a> {
        let mut chain = Chain::default();
        let mut next = Some(event);
        while let Some(event) = next {
            next = self.cause(event);
            match next {
                Some(_) if chain.events.len() >= LONGEST => chain.left_out += 1,
                _ => chain.events.push(event),
            }
        }
        chain
    }
}

/// A [`Sink`] that keeps all events in memory.
pub struct Recorder(Arc<Mutex<Recording>>);

/// The handle that gives access to the [`Recording`] of a [`Recorder`].
pub struct Recorded(Arc<Mutex<Recording>>);

impl Recorder {
    /// Creates a recorder for an engine, and the handle to its recording.
    pub fn new() -> (Self, Recorded) {
        let recording = Arc::new(Mutex::new(Recording::default()));
        (Self(recording.clone()), Recorded(recording))
    }

    fn update(&self, more: impl FnOnce(&mut Recording)) {
        more(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl Recorded {
    /// Takes the events that have been recorded so far.
    pub fn take(&self) -> Recording {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Sink for Recorder {
    fn begin(&mut self, header: &Header) {
        self.update(|recording| recording.header = Some(header.clone()));
    }

    fn events(&mut self, events: &[Event], paths: &Paths) {
        self.update(|recording| {
            let first = recording.events.len();
            recording.events.extend_from_slice(events);
            recording.events[first..].iter_mut().for_each(Event::let_go);
            // The table only grows, so equal lengths mean equal tables.
            if recording.paths.len() != paths.len() {
                recording.paths = paths.clone();
            }
        });
    }

    fn end(&mut self, footer: &Footer) {
        self.update(|recording| recording.footer = Some(footer.clone()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CallEvent, Control, DelegationEnd, DelegationEvent, Kind, Name, Outgoing, PathId};
    use boxstep_types::{ObjectRef, Value};

    fn event(n: u64, cause: u64) -> Event {
        Event { n, t: Time::ZERO, cause, path: PathId(0), kind: Kind::warning("x") }
    }

    fn numbers(recording: &Recording, n: u64) -> Vec<u64> {
        let event = recording.event(n);
        event.map(|event| recording.chain(event).events.iter().map(|e| e.n).collect()).unwrap_or_default()
    }

    #[test]
    fn a_chain_leads_from_an_event_to_its_first_cause() {
        let (mut recorder, recorded) = Recorder::new();
        recorder.events(&[event(1, 0), event(2, 0)], &Paths::default());
        recorder.events(&[event(3, 1), event(4, 3), event(5, 5)], &Paths::default());
        let recording = recorded.take();
        assert_eq!(numbers(&recording, 4), [4, 3, 1]);
        assert_eq!(numbers(&recording, 2), [2]);
        assert_eq!(numbers(&recording, 5), [5]);
        assert_eq!(numbers(&recording, 9), [0u64; 0]);
    }

    #[test]
    fn what_is_kept_holds_no_object_of_a_script() {
        let ended = Arc::new(std::sync::atomic::AtomicU64::new(0));
        let object = || {
            let ended = ended.clone();
            Value::Object(ObjectRef::with_release(7, move |id| {
                ended.fetch_add(id, std::sync::atomic::Ordering::Relaxed);
            }))
        };
        let call = CallEvent {
            dir: Outgoing::Out,
            service: "S".into(),
            method: "m".into(),
            args: vec![Value::list([object()])],
            line: 0,
        };
        let done = DelegationEvent::Ended { ticket: 1, end: DelegationEnd::Done { value: object() } };
        let kinds = [
            Kind::Output { port: Name::new("out"), value: Value::map([("x", object())]) },
            Kind::Service(Box::new(call)),
            Kind::control(Control::Set { parameter: "p".into(), value: object() }),
            Kind::Delegation(Box::new(done.into())),
        ];
        let events: Vec<Event> = kinds.into_iter().map(|kind| Event { kind, ..event(1, 0) }).collect();
        let (mut recorder, recorded) = Recorder::new();
        recorder.events(&events, &Paths::default());
        let recording = recorded.take();
        assert_eq!(recording.events, events);
        drop(events);
        assert_eq!(ended.load(std::sync::atomic::Ordering::Relaxed), 4 * 7);
    }

    #[test]
    fn events_are_found_where_others_are_missing() {
        let events = vec![event(7, 0), event(8, 7), event(12, 8), event(13, 3)];
        let recording = Recording { events, ..Recording::default() };
        assert_eq!(numbers(&recording, 12), [12, 8, 7]);
        assert_eq!(numbers(&recording, 13), [13]);
        assert!(recording.event(9).is_none() && recording.event(1).is_none() && recording.event(99).is_none());
    }

    #[test]
    fn of_a_very_long_chain_the_first_cause_is_given_too() {
        let events = (1..=5000).map(|n| event(n, n - 1)).collect();
        let recording = Recording { events, ..Recording::default() };
        let chain = recording.chain(recording.event(5000).unwrap());
        assert_eq!((chain.events.len(), chain.left_out), (LONGEST + 1, 5000 - LONGEST - 1));
        assert_eq!(chain.events.last().unwrap().n, 1);
    }
}
