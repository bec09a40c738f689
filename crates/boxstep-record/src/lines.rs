//! The lines of a trace in memory, for questions about how one thing led to another.

use boxstep_types::Time;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::io::{self, BufRead};
use std::ops::Range;

/// What is wrong with the lines of a trace.
#[derive(Debug)]
pub(crate) enum LinesError {
    /// It cannot be read.
    Io(io::Error),
    /// A line, from 1, that is not of a trace.
    Line(usize, String),
}

/// A trace. Of one that was cut off, what has no end is left out.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    text: Vec<u8>,
    /// Events: number, time, cause and where its line stands.
    events: Vec<At>,
    pub(crate) header: Map<String, Value>,
    /// The last line, if the run came to its end.
    pub(crate) footer: Option<Map<String, Value>>,
}

#[derive(Debug)]
struct At {
    n: u64,
    t: Time,
    cause: u64,
    line: Range<usize>,
}

/// What every event has, read first: the rest of most lines is of no interest.
#[derive(Deserialize)]
struct Head {
    n: Option<u64>,
    t: Option<i64>,
    cause: Option<u64>,
}

/// How much of a way from an event to its first cause is kept.
const LONGEST: usize = 1000;

/// An event and what led to it.
#[derive(Debug, Default)]
pub(crate) struct Chain {
    /// The last first.
    pub(crate) events: Vec<Event>,
    /// How many there are between the last two that are not kept.
    pub(crate) left_out: usize,
}

/// An event, as far as it is asked for.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub(crate) n: u64,
    pub(crate) t: Time,
    pub(crate) cause: u64,
    fields: Map<String, Value>,
}

impl Event {
    pub(crate) fn field(&self, name: &str) -> Option<&Value> {
        self.fields.get(name)
    }

    /// A text of it; empty if it has none of that name.
    pub(crate) fn text(&self, name: &str) -> &str {
        self.field(name).and_then(Value::as_str).unwrap_or_default()
    }

    pub(crate) fn kind(&self) -> &str {
        self.text("kind")
    }

    pub(crate) fn path(&self) -> &str {
        self.text("path")
    }

    /// The script's line that it tells of; `None` if that is not known.
    pub(crate) fn line(&self) -> Option<u64> {
        self.field("line").and_then(Value::as_u64).filter(|line| *line > 0)
    }

    pub(crate) fn is(&self, kind: &str, field: &str, value: &str) -> bool {
        self.kind() == kind && self.text(field) == value
    }
}

impl Lines {
    /// Reads all that there is.
    pub(crate) fn read(mut trace: impl BufRead) -> Result<Self, LinesError> {
        let mut lines = Self::default();
        trace.read_to_end(&mut lines.text).map_err(LinesError::Io)?;
        let whole = lines.text.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let mut begin = 0;
        for number in 1.. {
            let rest = lines.text.get(begin..whole).unwrap_or_default();
            let Some(end) = rest.iter().position(|byte| *byte == b'\n') else { break };
            let line = rest.get(..end).unwrap_or_default();
            let wrong = |e: serde_json::Error| LinesError::Line(number, e.to_string());
            if number == 1 {
                lines.header = serde_json::from_slice(line).map_err(wrong)?;
                if !lines.header.contains_key("schema") {
                    return Err(LinesError::Line(1, "it has no `schema`".to_owned()));
                }
            } else {
                match serde_json::from_slice(line).map_err(wrong)? {
                    Head { n: Some(n), t: Some(t), cause: Some(cause) } => {
                        lines.events.push(At { n, t: Time(t), cause, line: begin..begin + end });
                    }
                    _ => {
                        let other: Map<String, Value> = serde_json::from_slice(line).map_err(wrong)?;
                        if other.contains_key("reason") {
                            lines.footer = Some(other);
                        }
                    }
                }
            }
            begin += end + 1;
        }
        if lines.header.is_empty() {
            return Err(LinesError::Line(1, "there is nothing in it".to_owned()));
        }
        Ok(lines)
    }

    pub(crate) fn len(&self) -> usize {
        self.events.len()
    }

    /// When the last thing happened that is told of.
    pub(crate) fn last(&self) -> Time {
        let footer = self.footer.as_ref().and_then(|footer| footer.get("t")).and_then(Value::as_i64).map(Time);
        footer.or_else(|| self.events.last().map(|at| at.t)).unwrap_or(Time::ZERO)
    }

    /// The event at a place, counted from 0.
    pub(crate) fn at(&self, index: usize) -> Option<Event> {
        let at = self.events.get(index)?;
        let fields = serde_json::from_slice(self.text.get(at.line.clone())?).ok()?;
        Some(Event { n: at.n, t: at.t, cause: at.cause, fields })
    }

    fn place(&self, n: u64) -> Option<&At> {
        self.events.get(self.events.binary_search_by_key(&n, |at| at.n).ok()?)
    }

    /// The event of this number; of a recording whose beginning is gone there is none for some.
    pub(crate) fn event(&self, n: u64) -> Option<Event> {
        self.at(self.events.binary_search_by_key(&n, |at| at.n).ok()?)
    }

    /// Events of a kind from the end on, those only that have all of these texts in their lines.
    pub(crate) fn backwards<'a>(&'a self, has: &'a [&'a str]) -> impl Iterator<Item = Event> + 'a {
        (0..self.len()).rev().filter(move |index| self.has(*index, has)).filter_map(|index| self.at(index))
    }

    fn has(&self, index: usize, all: &[&str]) -> bool {
        let Some(line) = self.events.get(index).and_then(|at| self.text.get(at.line.clone())) else { return false };
        let Ok(line) = std::str::from_utf8(line) else { return false };
        all.iter().all(|one| line.contains(one))
    }

    /// An event and what led to it, the event first. Of a way that is very long only its first cause follows what fits, and how many
    /// there are in between.
    pub(crate) fn chain(&self, event: Event) -> Chain {
        let mut chain = Chain { events: vec![event], left_out: 0 };
        while let Some(last) = chain.events.last() {
            // A cause is always earlier; what is not would go round for ever.
            let Some(cause) = self.event(last.cause).filter(|cause| cause.n < last.n) else { break };
            if chain.events.len() == LONGEST {
                let mut first = (cause.n, cause.cause);
                while let Some(at) = self.place(first.1).filter(|at| at.n < first.0) {
                    first = (at.n, at.cause);
                    chain.left_out += 1;
                }
                chain.events.extend(self.event(first.0));
                break;
            }
            chain.events.push(cause);
        }
        chain
    }

    /// An option of the run.
    pub(crate) fn option(&self, name: &str) -> Option<&Value> {
        self.header.get("options")?.get(name)
    }
}
