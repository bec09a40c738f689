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
    robot: Option<&'a str>,
}

impl Event {
    /// Pairs the event with the text of its path (`None` for no box), for serialization.
    pub fn line<'a>(&'a self, path: Option<&'a str>) -> EventLine<'a> {
        EventLine { event: self, path, robot: None }
    }
}

impl<'a> EventLine<'a> {
    /// Adds the robot, in the recording of a show.
    #[must_use]
    pub fn of_robot(self, robot: Option<&'a str>) -> Self {
        Self { robot, ..self }
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
    /// In the recording of a show: the robot.
    #[serde(skip_serializing_if = "Option::is_none")]
    robot: Option<&'a str>,
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
            kind => Fields { n, t, cause, robot: self.robot, path: self.path, kind }.serialize(s),
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

/// The numbers of the box paths that have been read.
type Known = HashMap<Box<str>, PathId>;

/// Reads the lines of a trace one after the other.
#[derive(Clone, Debug, Default)]
pub struct Reader {
    /// The box paths that the events read so far refer to.
    pub paths: Paths,
    known: Known,
    /// In the recording of a show, the box paths of each robot.
    robots: HashMap<Box<str>, (PathId, Known)>,
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
    robot: Option<Cow<'a, str>>,
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
        let path = self.place(head.robot.as_deref(), head.path.as_deref())?;
        let kind = serde_json::from_str(text)
            .unwrap_or_else(|_| Kind::Unread(Box::new(Unread { kind: (*head.kind).into(), line: text.trim().into() })));
        Ok(Line::Event(Event { n, t: head.t, cause: head.cause, path, kind }))
    }

    fn place(&mut self, robot: Option<&str>, text: Option<&str>) -> serde_json::Result<PathId> {
        let of_robot = robot.and_then(|robot| self.robots.get(robot));
        let known = match robot {
            Some(_) => of_robot.map(|(_, known)| known),
            None => Some(&self.known),
        };
        let id = match text {
            Some(text) => known.and_then(|known| known.get(text)).copied(),
            None => robot.map_or(Some(PathId(0)), |_| of_robot.map(|(id, _)| *id)),
        };
        if let Some(id) = id {
            return Ok(id);
        }
        // An invalid path changes nothing.
        let path = text.map(str::parse::<BoxPath>).transpose().map_err(serde::de::Error::custom)?;
        let (parent, known) = match robot {
            Some(robot) => {
                let new = self.robots.entry(robot.into());
                let (parent, known) = new.or_insert_with(|| (self.paths.add_robot(robot), HashMap::new()));
                (*parent, known)
            }
            None => (PathId(0), &mut self.known),
        };
        let (Some(text), Some(path)) = (text, path) else { return Ok(parent) };
        let id = path.segments().iter().fold(parent, |parent, step| self.paths.add_child(parent, step.clone()));
        known.insert(text.into(), id);
        Ok(id)
    }
}
