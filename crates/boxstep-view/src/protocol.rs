//! The messages over the WebSocket: JSON texts, described in `docs/reference/view-protocol.md`.

use crate::queries::PanelQuery;
use crate::snapshot::KeyedItem;
use crate::trial::TrialWish;
use boxstep_engine::debugger::{Breakpoint, DebuggerState, Step};
use boxstep_types::{BoxPath, Value};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::sync::Arc;

/// The version of the protocol. It is raised when a field changes its meaning or is removed.
pub const PROTOCOL: u32 = 1;

/// A request of a page.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub(crate) enum PageRequest {
    /// Follow the run.
    Live,
    /// Show the snapshot at a time.
    Seek {
        /// Nanoseconds since the start of the run.
        t: i64,
    },
    /// Show a trial run of what is edited, at a frame of a timeline.
    Trial(TrialWish),
    /// The page is ready for the next snapshot. After the first such message, the server sends a snapshot only when
    /// the page is ready, so a slow page gets fewer.
    Ready,
    /// Answer a query.
    #[serde(untagged)]
    Query(PanelQuery),
    /// Control the run.
    #[serde(untagged)]
    Command(Command),
}

/// A command of a page that changes the run.
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
    /// Say a sentence to the robot.
    Hear {
        /// The sentence.
        text: String,
    },
    /// Pause the run.
    Pause,
    /// Resume the run; with a step, only until the step is done.
    Go {
        /// The step.
        #[serde(default, deserialize_with = "step")]
        step: Option<Step>,
    },
    /// Set the speed.
    Speed {
        /// Seconds of the run per second.
        speed: f64,
    },
    /// Replace the breakpoints.
    Breaks {
        /// All breakpoints.
        breaks: Vec<Stop>,
    },
    /// Stop the run.
    Stop,
    /// Load the inside of a box anew, with the change that waits for that.
    RestartPart {
        /// The box.
        path: String,
    },
    /// Play again, from the beginning.
    Restart {
        /// The run that the page shows: if another one has begun since, nothing happens.
        run: u64,
        /// Run as fast as possible until this time, in nanoseconds.
        #[serde(default)]
        from: i64,
    },
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

/// A [`Breakpoint`] in the form that the protocol uses.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "at", deny_unknown_fields)]
pub enum Stop {
    /// [`Breakpoint::Box`]
    Box {
        /// The path of the box.
        path: String,
    },
    /// [`Breakpoint::Port`]
    Port {
        /// The path of its box.
        path: String,
        /// The name of the port.
        port: Arc<str>,
    },
    /// [`Breakpoint::Link`]
    Link {
        /// The port where the link begins.
        from: LinkEnd,
        /// The port where the link ends.
        to: LinkEnd,
    },
    /// [`Breakpoint::State`]
    State {
        /// The path of its box.
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

/// A port as the end of a link.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinkEnd {
    /// The path of the box.
    pub path: String,
    /// The name of the port.
    pub port: Arc<str>,
}

impl Stop {
    /// Converts it to a breakpoint.
    ///
    /// # Errors
    /// A sentence, if a path is invalid.
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

/// The state of the debugger, for a page.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct DebuggerStatus {
    paused: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    hit: Option<Stop>,
    speed: f64,
    /// The current seconds of the run per second.
    rate: f64,
    breaks: Vec<Stop>,
}

impl DebuggerStatus {
    pub(crate) fn new(pace: &DebuggerState, rate: f64) -> Self {
        let breaks = pace.breaks.iter().map(Stop::from).collect();
        Self { paused: pace.paused, hit: pace.hit.as_ref().map(Stop::from), speed: pace.speed, rate, breaks }
    }
}

/// A message to a page.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum ServerMessage<'a> {
    /// The first message.
    Hello {
        protocol: u32,
        product: &'static str,
        title: &'a str,
        /// Whether the run is live and can be controlled.
        live: bool,
        /// Whether another run can be begun on this page.
        restarts: bool,
        /// Whether pages may change the files of behaviors.
        edits: bool,
        /// Whether what is edited can be seen in a trial run.
        trials: bool,
        /// The names of the behaviors; the n-th is at `/model/n`, drawn at `/level/n?path=root/Dance`, counted from 0.
        models: Vec<String>,
    },
    /// Behaviors were added or replaced.
    Models { models: Vec<String> },
    /// A snapshot: all items if it is `whole`, otherwise the items that have changed since the last one.
    Picture {
        /// The number of the run, counted from 0.
        run: u64,
        /// Counts the runs and trial runs that this page has been shown.
        shown: u64,
        whole: bool,
        /// Its time, in nanoseconds since the start of the run.
        t: i64,
        /// The earliest time that can be shown.
        begin: i64,
        /// The time of the last entry.
        end: i64,
        /// Whether the page follows the run.
        live: bool,
        /// The run's footer, if the run is over.
        #[serde(skip_serializing_if = "Option::is_none")]
        over: Option<&'a RawValue>,
        /// The state of the debugger, if the run can be controlled.
        #[serde(skip_serializing_if = "Option::is_none")]
        pace: Option<&'a DebuggerStatus>,
        /// What there is to be said beside the run.
        #[serde(skip_serializing_if = "Option::is_none")]
        notice: Option<&'a str>,
        /// It is of a trial run: whether that `shows` the frame that was asked for, `seeks` it, or was `never` there.
        #[serde(skip_serializing_if = "Option::is_none")]
        trial: Option<&'static str>,
        /// `[about, path, name, line, t, times, value]`.
        items: Vec<KeyedItem<'a>>,
        /// The number of log lines up to that time, and in all.
        told: usize,
        lines: usize,
    },
    /// A request was refused.
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
        let read = |text: &str| serde_json::from_str::<PageRequest>(text);
        assert_eq!(read(r#"{"do":"live"}"#).unwrap(), PageRequest::Live);
        assert_eq!(read(r#"{"do":"ready"}"#).unwrap(), PageRequest::Ready);
        assert_eq!(read(r#"{"do":"seek","t":5}"#).unwrap(), PageRequest::Seek { t: 5 });
        assert_eq!(read(r#"{"do":"stop"}"#).unwrap(), PageRequest::Command(Command::Stop));
        let bang = Command::Stimulate { path: "root/A".into(), port: "onStart".into(), value: Value::Null };
        assert_eq!(read(r#"{"do":"stimulate","path":"root/A","port":"onStart"}"#).unwrap(), PageRequest::Command(bang));
        assert!(read(r#"{"do":"dance"}"#).is_err());
        let said = Command::Hear { text: "hello".into() };
        assert_eq!(read(r#"{"do":"hear","text":"hello"}"#).unwrap(), PageRequest::Command(said));
        assert!(read(r#"{"do":"hear"}"#).is_err());
        assert_eq!(read(r#"{"do":"go"}"#).unwrap(), PageRequest::Command(Command::Go { step: None }));
        let step = Command::Go { step: Some(Step::Signal) };
        assert_eq!(read(r#"{"do":"go","step":"signal"}"#).unwrap(), PageRequest::Command(step));
        assert!(read(r#"{"do":"go","step":"mile"}"#).is_err());
        let again = Command::Restart { run: 2, from: 0 };
        assert_eq!(read(r#"{"do":"restart","run":2}"#).unwrap(), PageRequest::Command(again));
    }
}
