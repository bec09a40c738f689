//! A line of a run: what a picture needs of it, and how it is kept. Of a recording it is a text; of a run that goes on most are signals, which
//! come faster than texts of them could be made and read.

use crate::picture::About;
use boxstep_engine::trace::{Event, Kind, Paths, PortId};
use boxstep_record::Form;
use boxstep_types::Value;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

/// JSON that stands in a line.
#[derive(Clone, Copy)]
pub(crate) struct Raw<'a>(pub(crate) &'a str);

impl<'de: 'a, 'a> Deserialize<'de> for Raw<'a> {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        <&RawValue>::deserialize(d).map(|raw| Raw(raw.get()))
    }
}

/// What a picture needs of a line. Fields are those of `docs/trace.md`.
#[derive(Default, Deserialize)]
pub(crate) struct Line<'a> {
    pub(crate) n: u64,
    pub(crate) t: i64,
    #[serde(default)]
    pub(crate) cause: u64,
    #[serde(borrow, default)]
    pub(crate) path: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub(crate) kind: Cow<'a, str>,
    #[serde(borrow, default)]
    pub(crate) phase: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(crate) level: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(crate) name: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(crate) layer: Option<Raw<'a>>,
    #[serde(borrow, default)]
    pub(crate) keyframe: Option<Raw<'a>>,
    #[serde(borrow, default)]
    pub(crate) port: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(crate) value: Option<Raw<'a>>,
    #[serde(borrow, default)]
    pub(crate) error: Option<Raw<'a>>,
    #[serde(borrow, default)]
    pub(crate) command: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(crate) frame: Option<Raw<'a>>,
    #[serde(borrow, default)]
    pub(crate) key: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(crate) angles: Option<HashMap<Cow<'a, str>, f64>>,
    /// Of a run that is shown while it goes on.
    #[serde(borrow, default)]
    pub(crate) commands: Option<HashMap<Cow<'a, str>, Option<f64>>>,
    #[serde(borrow, default)]
    pub(crate) act: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(crate) text: Option<Raw<'a>>,
    #[serde(borrow, default)]
    pub(crate) data: Option<Raw<'a>>,
    #[serde(borrow, default)]
    pub(crate) what: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(crate) owner: Option<Raw<'a>>,
    #[serde(borrow, default)]
    pub(crate) to: Option<Raw<'a>>,
    #[serde(borrow, default)]
    pub(crate) how: Option<Raw<'a>>,
    #[serde(borrow, default)]
    pub(crate) why: Option<Raw<'a>>,
}

impl Line<'_> {
    /// Is it something to read, and not only to be shown in the picture?
    pub(crate) fn is_told(&self) -> bool {
        !matches!(
            &*self.kind,
            "input"
                | "output"
                | "box"
                | "diagram"
                | "parameter"
                | "call"
                | "returned"
                | "joints"
                | "timeline"
                | "memory"
        )
    }
}

impl<'a> Line<'a> {
    /// The phase that it tells of.
    pub(crate) fn phase(&self) -> &str {
        self.phase.as_deref().unwrap_or_default()
    }
}

/// An event of those that come most often, so that nobody writes and reads a line for each.
pub(crate) enum Quick<'a> {
    /// A signal: an input or output, its name, and its value as JSON.
    Signal(About, PortId, Cow<'a, str>),
    /// The phase of a box.
    Phase(Box<Line<'a>>),
    /// Of a script: nothing that can be seen.
    Passes,
}

impl<'a> Quick<'a> {
    /// `None` for others, and for values that could name a folder of this machine or hold something.
    pub(crate) fn of(event: &'a Event, path: Option<&'a str>) -> Option<Self> {
        Some(match &event.kind {
            Kind::Input(port, value) => Quick::Signal(About::Input, *port, plain(value)?),
            Kind::Output(port, value) => Quick::Signal(About::Output, *port, plain(value)?),
            Kind::Call(_) | Kind::Returned(_) => Quick::Passes,
            Kind::Box(phase) => Quick::Phase(Box::new(Line {
                n: event.n,
                t: event.t.0,
                cause: event.cause,
                path: path.map(Cow::Borrowed),
                kind: Cow::Borrowed(event.kind.name()),
                phase: Some(Cow::Borrowed(phase)),
                ..Line::default()
            })),
            _ => return None,
        })
    }
}

/// A value that is no text and holds nothing else, as JSON.
fn plain(value: &Value) -> Option<Cow<'static, str>> {
    Some(match value {
        Value::Null => Cow::Borrowed("null"),
        Value::Bool(true) => Cow::Borrowed("true"),
        Value::Bool(false) => Cow::Borrowed("false"),
        Value::Int(_) | Value::Float(_) => Cow::Owned(serde_json::to_string(value).ok()?),
        _ => return None,
    })
}

/// A line as it is kept.
#[derive(Clone)]
pub(crate) enum Kept {
    /// As it stands in the trace.
    Text(Arc<str>),
    /// One of those that are [`Quick`]: its text is made when somebody asks for it.
    Event(Event),
}

/// What the texts of signals are made with.
#[derive(Clone, Default)]
pub(crate) struct Words {
    pub(crate) form: Arc<Form>,
    pub(crate) paths: Arc<Paths>,
}

impl Words {
    /// The line as it stands in the trace.
    pub(crate) fn text<'a>(&self, kept: &'a Kept) -> Cow<'a, str> {
        match kept {
            Kept::Text(text) => Cow::Borrowed(text),
            Kept::Event(event) => {
                let path = self.paths.get(event.path).map(|path| path.to_string());
                Cow::Owned(self.form.event(event, path.as_deref(), &self.paths))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boxstep_types::Time;

    #[test]
    fn what_could_name_a_folder_or_holds_other_things_is_not_quick() {
        let mut paths = Paths::default();
        let port = paths.add_port(&"p".into());
        for value in [Value::Str("a".into()), Value::List([].into()), Value::Map([].into())] {
            let event = Event { n: 1, t: Time(0), cause: 0, path: Default::default(), kind: Kind::Input(port, value) };
            assert!(Quick::of(&event, None).is_none());
        }
    }
}
