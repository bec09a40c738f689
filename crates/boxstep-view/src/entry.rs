//! The entries of a store: the events of a run, and the robot's poses between them.

use crate::severity;
use boxstep_engine::pose::{Pose, TorsoPose};
use boxstep_engine::trace::{Control, Event, Kind, PathTexts};
use boxstep_record::Form;
use boxstep_types::{Time, Value};
use serde::Serialize;
use serde_json::json;
use std::borrow::Cow;

/// An entry of a store.
#[derive(Clone)]
pub(crate) enum StoreEntry {
    /// An event.
    Event(Event),
    /// A pose of the robot, which is not part of a trace.
    Pose(Box<PoseAt>),
}

/// The changes of a robot's pose at a time.
#[derive(Clone)]
pub(crate) struct PoseAt {
    /// The number of the last event before it.
    pub(crate) n: u64,
    pub(crate) t: Time,
    /// Joints in the order of their names, with the angle in radians.
    pub(crate) angles: Vec<(Box<str>, f64)>,
    pub(crate) commands: Vec<(Box<str>, Option<f64>)>,
    pub(crate) torso: Option<TorsoPose>,
}

impl PoseAt {
    pub(crate) fn new(n: u64, t: Time, pose: &Pose) -> Self {
        // A precision that no one can see.
        let round = |x: f64| (x * 1e4).round() / 1e4;
        // A robot's driver may report values that are not finite, which cannot be drawn.
        let is_angle = |angle: &f64| angle.is_finite();
        let angles = pose.angles.iter().filter(|(_, angle)| is_angle(angle));
        let commands = pose.commands.iter().filter(|(_, wanted)| wanted.as_ref().is_none_or(is_angle));
        let mut angles: Vec<_> = angles.map(|(joint, angle)| (name(joint), round(*angle))).collect();
        let mut commands: Vec<_> = commands.map(|(joint, wanted)| (name(joint), wanted.map(round))).collect();
        angles.sort_by(|one, other| one.0.cmp(&other.0));
        commands.sort_by(|one, other| one.0.cmp(&other.0));
        let torso = pose.torso.filter(|torso| torso.iter().all(is_angle)).map(|torso| torso.map(round));
        Self { n, t, angles, commands, torso }
    }
}

fn name(joint: &std::sync::Arc<str>) -> Box<str> {
    (**joint).into()
}

impl StoreEntry {
    /// The time in nanoseconds.
    pub(crate) fn t(&self) -> i64 {
        match self {
            StoreEntry::Event(event) => event.t.0,
            StoreEntry::Pose(pose) => pose.t.0,
        }
    }
}

/// Whether an event belongs to the log, and does not only change the snapshot.
pub(crate) fn is_logged(kind: &Kind) -> bool {
    !matches!(
        kind,
        Kind::Input { .. }
            | Kind::Output { .. }
            | Kind::Box { .. }
            | Kind::Diagram { .. }
            | Kind::Parameter { .. }
            | Kind::Call { .. }
            | Kind::Returned { .. }
            | Kind::Joints { .. }
            | Kind::Timeline { .. }
            | Kind::Memory { .. }
    )
}

/// How values are formatted for a page.
#[derive(Clone, Default)]
pub(crate) struct Texts {
    /// The replacements for folders of this machine; `None` for a recording, in which they are replaced already.
    pub(crate) form: Option<Form>,
}

impl Texts {
    /// Formats a value as JSON.
    pub(crate) fn json(&self, what: &impl Serialize) -> String {
        match &self.form {
            Some(form) => form.line(what),
            // Every traced value has a JSON form.
            None => serde_json::to_string(what).unwrap_or_default(),
        }
    }

    /// Replaces folders in a name.
    pub(crate) fn name<'a>(&self, name: &'a str) -> Cow<'a, str> {
        match &self.form {
            // Most names contain no folder.
            Some(form) if name.contains(['/', '\\']) => form.0.text(name),
            _ => Cow::Borrowed(name),
        }
    }

    /// Formats a value as JSON. Most values have no text that could contain a folder.
    pub(crate) fn value(&self, value: &Value) -> Cow<'static, str> {
        match value {
            Value::Null => Cow::Borrowed("null"),
            Value::Bool(true) => Cow::Borrowed("true"),
            Value::Bool(false) => Cow::Borrowed("false"),
            Value::Int(_) | Value::Float(_) => Cow::Owned(serde_json::to_string(value).unwrap_or_default()),
            value => Cow::Owned(self.json(value)),
        }
    }

    /// Whether the event's values, or what the log says of it, contain all of these words, in lower case. The names of
    /// its fields are not searched.
    pub(crate) fn has_words(&self, event: &Event, path: Option<&str>, words: &[String]) -> bool {
        if words.is_empty() {
            return true;
        }
        severity::has_words(&event.line(path), self.description(event).as_deref(), self.form.as_ref(), words)
    }

    /// Describes an event of a dialog, or a sentence that is said to the robot, for people. The page describes other
    /// events from their fields.
    pub(crate) fn description(&self, event: &Event) -> Option<String> {
        let text = match &event.kind {
            Kind::Dialog(dialog) => dialog.to_string(),
            Kind::Control { control, .. } => match &**control {
                Control::Hear { text } => format!("somebody says “{text}”"),
                _ => return None,
            },
            _ => return None,
        };
        Some(self.name(&text).into_owned())
    }

    /// Formats an entry as a line, with the text of its path.
    pub(crate) fn line(&self, entry: &StoreEntry, path: Option<&str>) -> String {
        match entry {
            StoreEntry::Event(event) => self.json(&event.line(path)),
            StoreEntry::Pose(pose) => {
                let pairs = |pairs: &[(Box<str>, f64)]| -> serde_json::Map<_, _> {
                    pairs.iter().map(|(joint, angle)| (joint.to_string(), json!(angle))).collect()
                };
                let commands: serde_json::Map<_, _> =
                    pose.commands.iter().map(|(joint, wanted)| (joint.to_string(), json!(wanted))).collect();
                let (n, t, angles) = (pose.n, pose.t.0, pairs(&pose.angles));
                let mut line =
                    json!({ "n": n, "t": t, "cause": 0, "kind": "joints", "angles": angles, "commands": commands });
                if let Some(torso) = &pose.torso {
                    line["torso"] = json!(torso);
                }
                line.to_string()
            }
        }
    }
}

/// Returns the path of an entry's box, if it was looked up before.
pub(crate) fn path_of<'a>(entry: &StoreEntry, paths: &'a PathTexts) -> Option<&'a str> {
    match entry {
        StoreEntry::Event(event) => paths.known(event),
        StoreEntry::Pose(_) => None,
    }
}

/// Parses an event from a line.
#[cfg(test)]
pub(crate) fn event(line: &str) -> Event {
    use boxstep_engine::trace::{Line, Reader};
    let mut reader = Reader::default();
    reader.line(r#"{"schema":1}"#).unwrap();
    match reader.line(line).unwrap() {
        Line::Event(event) if !matches!(event.kind, Kind::Unread(_)) => event,
        other => panic!("{other:?}"),
    }
}
