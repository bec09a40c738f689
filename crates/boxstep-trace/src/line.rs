//! Events as lines of JSON: writing and reading.

use crate::event::Unread;
use crate::{Event, Footer, Header, Kind, PathId, Paths};
use boxstep_types::{BoxPath, Time};
use serde::de::IgnoredAny;
use serde::ser::Error as _;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::HashMap;

/// An event together with the text of its path, which serializes as a line of a trace.
#[derive(Clone, Copy, Debug)]
pub struct EventLine<'a> {
    event: &'a Event,
    path: Option<&'a str>,
}

impl Event {
    /// Pairs the event with the text of its path (`None` for no box), for serialization.
    pub fn line<'a>(&'a self, path: Option<&'a str>) -> EventLine<'a> {
        EventLine { event: self, path }
    }
}

/// What happened.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Event"))]
pub(crate) struct Fields<'a> {
    /// Counts from 1.
    n: u64,
    /// When.
    t: Time,
    /// The number of the event that caused it; 0 for the start of the run.
    cause: u64,
    /// The box that it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<&'a str>,
    #[serde(flatten)]
    kind: &'a Kind,
}

impl Serialize for EventLine<'_> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let Event { n, t, cause, ref kind, .. } = *self.event;
        match kind {
            Kind::Unread(unread) => match serde_json::from_str::<&RawValue>(&unread.line) {
                Ok(line) => line.serialize(s),
                Err(error) => Err(S::Error::custom(error)),
            },
            kind => Fields { n, t, cause, path: self.path, kind }.serialize(s),
        }
    }
}

/// A line of a trace.
#[derive(Clone, Debug, PartialEq)]
pub enum Line {
    /// The first line.
    Header(Header),
    /// An event.
    Event(Event),
    /// The last line.
    Footer(Footer),
}

/// Reads the lines of a trace one after the other.
#[derive(Clone, Debug, Default)]
pub struct Reader {
    /// The box paths that the events read so far refer to.
    pub paths: Paths,
    known: HashMap<Box<str>, PathId>,
    begun: bool,
}

/// The fields that every event has. A line without `n` is the footer.
#[derive(Deserialize)]
struct Head<'a> {
    n: Option<u64>,
    #[serde(default)]
    t: Time,
    #[serde(default)]
    cause: u64,
    #[serde(borrow, default)]
    path: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    kind: Cow<'a, str>,
    reason: Option<IgnoredAny>,
}

impl Reader {
    /// Reads the next line; `text` excludes the line end. An event becomes [`Kind::Unread`] if this version does not
    /// know its kind or one of its words.
    ///
    /// # Errors
    /// The line is not a JSON object, the first line is not a header or has another [`Schema`](crate::Schema), or a
    /// box path is invalid. The reader's state is unchanged then, and the next line can be read.
    pub fn line(&mut self, text: &str) -> serde_json::Result<Line> {
        if !self.begun {
            let header = serde_json::from_str(text)?;
            self.begun = true;
            return Ok(Line::Header(header));
        }
        let head: Head<'_> = serde_json::from_str(text)?;
        let Some(n) = head.n else {
            return match head.reason {
                Some(_) => serde_json::from_str(text).map(Line::Footer),
                None => Err(serde::de::Error::missing_field("n")),
            };
        };
        let path = head.path.map_or(Ok(PathId(0)), |path| self.path(&path))?;
        let kind = serde_json::from_str(text)
            .unwrap_or_else(|_| Kind::Unread(Box::new(Unread { kind: (*head.kind).into(), line: text.trim().into() })));
        Ok(Line::Event(Event { n, t: head.t, cause: head.cause, path, kind }))
    }

    fn path(&mut self, text: &str) -> serde_json::Result<PathId> {
        if let Some(known) = self.known.get(text) {
            return Ok(*known);
        }
        let path: BoxPath = text.parse().map_err(serde::de::Error::custom)?;
        let id = self.paths.add(&path);
        self.known.insert(text.into(), id);
        Ok(id)
    }
}
