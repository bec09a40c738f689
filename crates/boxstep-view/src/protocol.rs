//! What goes over the WebSocket: JSON texts, described in `docs/view-protocol.md`.

use crate::queries::Ask;
use crate::snapshot::Shown;
use boxstep_engine::debugger::{Breakpoint, DebuggerState, Step};
use boxstep_types::{BoxPath, Value};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::sync::Arc;

/// Version of the protocol. It is raised when a field changes its meaning or goes away.
pub const PROTOCOL: u32 = 1;

/// What a page asks for.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub(crate) enum Wish {
    /// Show what happens now.
    Live,
    /// Show what could be seen at a time.
    Seek {
        /// Nanoseconds since the start of the run.
        t: i64,
    },
    /// Ready for the next picture. From the first of these on each picture waits for one: who draws slowly gets fewer.
    Ready,
    /// Look something up.
    #[serde(untagged)]
    Ask(Ask),
    /// Change the run.
    #[serde(untagged)]
    Command(Command),
}

/// What a page may change of a run.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Command {
    /// Stimulate a port of a box.
    Stimulate {
        /// The box.
        path: String,
        /// The input or output.
        port: String,
        /// Its value; null is a bang.
        #[serde(default)]
        value: Value,
    },
    /// Set a parameter of a box.
    Set {
        /// The box.
        path: String,
        /// The parameter.
        parameter: String,
        /// Its value.
        value: Value,
    },
    /// Raise an event of the robot's memory.
    Event {
        /// Its key.
        key: String,
        /// Its value.
        #[serde(default)]
        value: Value,
    },
    /// Let the run stand.
    Pause,
    /// Let it go on, as far as a step if there is one.
    Go {
        /// How far.
        #[serde(default, deserialize_with = "step")]
        step: Option<Step>,
    },
    /// Set its speed.
    Speed {
        /// Seconds of the run in a second.
        speed: f64,
    },
    /// Set where it stops by itself, instead of where it did.
    Breaks {
        /// All of them.
        breaks: Vec<Stop>,
    },
    /// End the run.
    Stop,
}

fn step<'de, D: serde::Deserializer<'de>>(d: D) -> Result<Option<Step>, D::Error> {
    match Option::<Cow<'de, str>>::deserialize(d)?.as_deref() {
        None => Ok(None),
        Some("signal") => Ok(Some(Step::Signal)),
        Some("frame") => Ok(Some(Step::Frame)),
        Some("tick") => Ok(Some(Step::Tick)),
        Some(other) => Err(serde::de::Error::unknown_variant(other, &["signal", "frame", "tick"])),
    }
}

/// A [`Breakpoint`] as it goes over the wire.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "at", deny_unknown_fields)]
pub enum Stop {
    /// [`Breakpoint::Box`]
    Box {
        /// Which.
        path: String,
    },
    /// [`Breakpoint::Port`]
    Port {
        /// Of which box.
        path: String,
        /// Which.
        port: Arc<str>,
    },
    /// [`Breakpoint::Link`]
    Link {
        /// Where it begins.
        from: LinkEnd,
        /// Where it ends.
        to: LinkEnd,
    },
    /// [`Breakpoint::State`]
    State {
        /// Of which box.
        path: String,
        /// The name of the state or keyframe.
        state: Arc<str>,
    },
    /// [`Breakpoint::Behavior`]
    Behavior {
        /// Its name.
        name: Arc<str>,
    },
    /// [`Breakpoint::Error`]
    Error,
}

/// A port, as the end of a link.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinkEnd {
    /// Of which box.
    pub path: String,
    /// Which.
    pub port: Arc<str>,
}

impl Stop {
    /// Where that is.
    ///
    /// # Errors
    /// A sentence, if a path is none.
    pub fn place(self) -> Result<Breakpoint, String> {
        let of = |path: String| path.parse().map_err(|why| format!("`{path}`: {why}"));
        Ok(match self {
            Stop::Box { path } => Breakpoint::Box(of(path)?),
            Stop::Port { path, port } => Breakpoint::Port((of(path)?, port)),
            Stop::Link { from, to } => Breakpoint::Link((of(from.path)?, from.port), (of(to.path)?, to.port)),
            Stop::State { path, state } => Breakpoint::State(of(path)?, state),
            Stop::Behavior { name } => Breakpoint::Behavior(name),
            Stop::Error => Breakpoint::Error,
        })
    }
}

impl From<&Breakpoint> for Stop {
    fn from(place: &Breakpoint) -> Self {
        match place {
            Breakpoint::Box(path) => Stop::Box { path: path.to_string() },
            Breakpoint::Port((path, port)) => Stop::Port { path: path.to_string(), port: port.clone() },
            Breakpoint::Link(from, to) => {
                let end = |(path, port): &(BoxPath, Arc<str>)| LinkEnd { path: path.to_string(), port: port.clone() };
                Stop::Link { from: end(from), to: end(to) }
            }
            Breakpoint::State(path, state) => Stop::State { path: path.to_string(), state: state.clone() },
            Breakpoint::Behavior(name) => Stop::Behavior { name: name.clone() },
            Breakpoint::Error => Stop::Error,
        }
    }
}

/// Whether a run goes on, for a page.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct PaceStatus {
    paused: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    hit: Option<Stop>,
    speed: f64,
    /// Seconds of the run in one of the machine, as it goes now.
    rate: f64,
    breaks: Vec<Stop>,
}

impl PaceStatus {
    pub(crate) fn new(pace: &DebuggerState, rate: f64) -> Self {
        let breaks = pace.breaks.iter().map(Stop::from).collect();
        Self { paused: pace.paused, hit: pace.hit.as_ref().map(Stop::from), speed: pace.speed, rate, breaks }
    }
}

/// What a page is told.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum ServerMessage<'a> {
    /// First of all.
    Hello {
        protocol: u32,
        product: &'static str,
        title: &'a str,
        /// Something plays, and can be changed.
        live: bool,
        /// Names of the behaviors; each is at `/model/0` and so on, drawn at `/level/0?path=root/Dance`.
        models: Vec<String>,
    },
    /// Behaviors have come, or others of the same name.
    Models { models: Vec<String> },
    /// What can be seen: of a `whole` one all items, else those that have changed since the last one.
    Picture {
        whole: bool,
        /// The time, nanoseconds since the start.
        t: i64,
        /// The first time that can be looked at.
        begin: i64,
        /// The last time that there is.
        end: i64,
        /// Follows what happens.
        live: bool,
        /// It is over: the run's last line.
        #[serde(skip_serializing_if = "Option::is_none")]
        over: Option<&'a RawValue>,
        /// Whether it goes on, if that can be changed.
        #[serde(skip_serializing_if = "Option::is_none")]
        pace: Option<&'a PaceStatus>,
        /// `[about, path, name, line, t, times, value]`.
        items: Vec<Shown<'a>>,
        /// How many lines the log has until then, and in all.
        told: usize,
        lines: usize,
    },
    /// A wish was not granted.
    Refused { wish: &'a str, why: &'a str },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stops_come_back_as_they_were_sent() {
        for text in [
            r#"{"at":"box","path":"root/A"}"#,
            r#"{"at":"port","path":"root/A","port":"onStart"}"#,
            r#"{"at":"link","from":{"path":"root/A","port":"onStopped"},"to":{"path":"root/B","port":"onStart"}}"#,
            r#"{"at":"state","path":"root/A","state":"k"}"#,
            r#"{"at":"behavior","name":"b"}"#,
            r#"{"at":"error"}"#,
        ] {
            let place = serde_json::from_str::<Stop>(text).unwrap().place().unwrap();
            assert_eq!(serde_json::to_string(&Stop::from(&place)).unwrap(), text);
        }
        assert!(Stop::Box { path: String::new() }.place().is_err());
    }

    #[test]
    fn wishes_and_commands_are_told_apart_by_what_they_do() {
        let read = |text: &str| serde_json::from_str::<Wish>(text);
        assert_eq!(read(r#"{"do":"live"}"#).unwrap(), Wish::Live);
        assert_eq!(read(r#"{"do":"ready"}"#).unwrap(), Wish::Ready);
        assert_eq!(read(r#"{"do":"seek","t":5}"#).unwrap(), Wish::Seek { t: 5 });
        assert_eq!(read(r#"{"do":"stop"}"#).unwrap(), Wish::Command(Command::Stop));
        let bang = Command::Stimulate { path: "root/A".into(), port: "onStart".into(), value: Value::Null };
        assert_eq!(read(r#"{"do":"stimulate","path":"root/A","port":"onStart"}"#).unwrap(), Wish::Command(bang));
        assert!(read(r#"{"do":"dance"}"#).is_err());
        assert_eq!(read(r#"{"do":"go"}"#).unwrap(), Wish::Command(Command::Go { step: None }));
        let step = Command::Go { step: Some(Step::Signal) };
        assert_eq!(read(r#"{"do":"go","step":"signal"}"#).unwrap(), Wish::Command(step));
        assert!(read(r#"{"do":"go","step":"mile"}"#).is_err());
    }
}
