//! Events and their fields.

use crate::TorsoPose;
use crate::serial::{is_default, pairs, result, some};
use crate::words::{
    BehaviorPhase, BoxPhase, DiagramPhase, Dir, DropReason, LogLevel, ReloadPhase, ResourcePhase, TimelinePhase,
    ValueType,
};
use crate::{Control, Delegation, DelegationEnd, DelegationEvent, DialogEvent, Name, PathId, ShowEvent};
use boxstep_types::{BoxPath, Time, Value};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// An event of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// The number of the event; the first event has 1.
    pub n: u64,
    /// When it happened, on the run's clock.
    pub t: Time,
    /// The event that caused it; 0 for the start of the run.
    pub cause: u64,
    /// The path of the box that it belongs to.
    pub path: PathId,
    /// What happened, with its details.
    pub kind: Kind,
}

impl Event {
    /// Releases the script host's objects in the event's values. A store of events must not keep a script's objects
    /// alive, because scripts can observe when their objects end.
    pub fn let_go(&mut self) {
        self.each_value(&mut Value::let_go);
    }

    /// Applies a function to each value of the event that a script or a robot has given.
    pub(crate) fn each_value(&mut self, f: &mut impl FnMut(&mut Value)) {
        match &mut self.kind {
            Kind::Input { value, .. }
            | Kind::Output { value, .. }
            | Kind::Dropped { value, .. }
            | Kind::Mismatch { value, .. }
            | Kind::Parameter { value, .. }
            | Kind::Event { value, .. }
            | Kind::Memory { value: Some(value), .. } => f(value),
            Kind::Service(call) => call.args.iter_mut().for_each(f),
            Kind::ServiceDone(reply) => reply.result.iter_mut().for_each(f),
            Kind::Act(act) => f(&mut act.data),
            Kind::Dialog(event) => {
                if let DialogEvent::Variable { value, .. } = &mut **event {
                    f(value);
                }
            }
            Kind::Control { control, .. } => control.values_mut().for_each(f),
            Kind::Show(told) => {
                if let ShowEvent::Account { entry, .. } = &mut **told {
                    f(entry);
                }
            }
            Kind::Delegation(told) => {
                if let DelegationEvent::Ended { end: DelegationEnd::Done { value }, .. } = &mut told.event {
                    f(value);
                }
            }
            Kind::Behavior { .. }
            | Kind::BehaviorFailed { .. }
            | Kind::Box { .. }
            | Kind::Diagram { .. }
            | Kind::Call { .. }
            | Kind::Returned { .. }
            | Kind::Raised { .. }
            | Kind::Abandoned { .. }
            | Kind::Forced { .. }
            | Kind::Timeline { .. }
            | Kind::Unsupported { .. }
            | Kind::Joints { .. }
            | Kind::Memory { value: None, .. }
            | Kind::Log { .. }
            | Kind::Print { .. }
            | Kind::Resource(_)
            | Kind::Reload(_)
            | Kind::Warning { .. }
            | Kind::Unread(_) => {}
        }
    }
}

const _: () = assert!(size_of::<Event>() <= 80, "events of signals are written often");

/// What happened. A line has the variant as `kind`, and its fields beside it.
///
/// Most events of a run are inputs and outputs: what is larger and rare is boxed, so that those stay small.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Kind {
    /// A behavior is in another phase.
    Behavior {
        /// Which.
        phase: BehaviorPhase,
        /// The behavior.
        name: Arc<str>,
    },
    /// A behavior ended because of an exception.
    BehaviorFailed {
        /// The behavior.
        name: Arc<str>,
        /// The exception.
        error: Box<ScriptError>,
    },
    /// A box is in another phase.
    Box {
        /// Which.
        phase: BoxPhase,
    },
    /// The inside of a box is in another phase.
    Diagram {
        /// Which.
        phase: DiagramPhase,
        /// Under a timeline: which of its diagrams.
        #[serde(flatten)]
        place: Option<Arc<Place>>,
    },
    /// An input was stimulated.
    Input {
        /// Which.
        port: Name,
        /// With what; null is a bang.
        value: Value,
    },
    /// An output was stimulated.
    Output {
        /// Which.
        port: Name,
        /// With what; null is a bang.
        value: Value,
    },
    /// A stimulation had no effect.
    Dropped {
        /// Of which port.
        port: Name,
        /// With what.
        value: Value,
        /// Why.
        why: DropReason,
    },
    /// A typed port got a value of another type, which was passed on.
    Mismatch {
        /// Which.
        port: Name,
        /// The value.
        value: Value,
        /// What it takes.
        wanted: ValueType,
    },
    /// A parameter has a new value.
    Parameter {
        /// Which.
        name: Name,
        /// The value.
        value: Value,
    },
    /// A method of the box's script was called.
    Call {
        /// Which.
        method: Arc<str>,
    },
    /// A method of the box's script returned.
    Returned {
        /// Which.
        method: Arc<str>,
    },
    /// A method of the box's script raised.
    Raised {
        /// Which; `script` if it does not compile.
        method: Arc<str>,
        /// The exception.
        error: Box<ScriptError>,
    },
    /// A call of a script was given up: what it does from now on has no effect.
    Abandoned {
        /// Which method.
        method: Arc<str>,
    },
    /// A stop took too long and was ended by force.
    Forced {
        /// Who was still busy.
        busy: Arc<[Busy]>,
    },
    /// A timeline does something.
    Timeline {
        /// What.
        command: TimelinePhase,
        /// At which frame, or which it goes to; −1 if there is none. Of `fps` the rate.
        frame: i64,
    },
    /// A service was called.
    Service(Box<CallEvent>),
    /// A service answered, or failed.
    ServiceDone(Box<ReplyEvent>),
    /// A service or method does not exist.
    Unsupported {
        /// The service.
        service: Arc<str>,
        /// The method; empty if there is no such service.
        method: Arc<str>,
        /// Line of the box's script, from 1; 0 if not known.
        #[serde(default)]
        line: u32,
    },
    /// An event of the robot's memory, or a signal of a service.
    Event {
        /// It comes from outside.
        #[serde(default)]
        dir: Incoming,
        /// The key of the memory, or `Service.signal`.
        key: Arc<str>,
        /// Its value.
        value: Value,
    },
    /// The robot did something that a person would see or hear.
    Act(Box<Act>),
    /// Something happened in a conversation. Its box is the one that has the topic.
    Dialog(Box<DialogEvent>),
    /// How the robot stands.
    Joints {
        /// By joint: radians, hands 0…1.
        #[serde(with = "pairs")]
        #[cfg_attr(feature = "schema", schemars(with = "std::collections::BTreeMap<String, f64>"))]
        angles: Arc<[(Arc<str>, f64)]>,
        /// Where the torso is, if physics moves the robot.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        torso: Option<Box<TorsoPose>>,
    },
    /// A key of the robot's memory when it was looked at, or as a real robot told it.
    Memory {
        /// The key.
        key: Arc<str>,
        /// Its value; `None` if there was none.
        #[serde(default, deserialize_with = "some", skip_serializing_if = "Option::is_none")]
        value: Option<Value>,
    },
    /// A script logged something.
    Log {
        /// How serious it is.
        level: LogLevel,
        /// What.
        text: Arc<str>,
        /// Line of the box's script, from 1; 0 if not known.
        #[serde(default)]
        line: u32,
    },
    /// A script printed something.
    Print {
        /// What.
        text: Arc<str>,
        /// On the error stream.
        #[serde(default)]
        stderr: bool,
        /// Line of the box's script, from 1; 0 if not known.
        #[serde(default)]
        line: u32,
    },
    /// Something came from outside the run.
    Control {
        /// It comes from outside.
        #[serde(default)]
        dir: Incoming,
        /// What.
        #[serde(flatten)]
        control: Box<Control>,
    },
    /// Something happened to a resource.
    Resource(Box<ResourceEvent>),
    /// Something happened to a behavior of a runner, or to the runner.
    Delegation(Box<Delegation>),
    /// A script, or something else of the behavior, has changed.
    Reload(Box<ReloadEvent>),
    /// Something about the show in which this run plays a part.
    Show(Box<ShowEvent>),
    /// Something to tell the user that is no error of a script.
    Warning {
        /// What.
        text: Arc<str>,
    },
    /// A line that this version cannot read, as it stands in its recording: it is of a later version, or damaged.
    #[serde(skip)]
    Unread(Box<Unread>),
}

/// A line that this version of Boxstep cannot read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unread {
    /// The `kind` that the line states.
    pub kind: Box<str>,
    /// The unchanged text of the line.
    pub line: Box<str>,
}

/// The direction of events that come from outside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Incoming {
    /// [`Dir::In`]
    #[default]
    #[serde(rename = "in")]
    In,
}

/// The direction of events that go to the robot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Outgoing {
    /// [`Dir::Out`]
    #[default]
    #[serde(rename = "out")]
    Out,
}

/// Which of the diagrams of a timeline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Place {
    /// Name of the behavior layer.
    pub layer: Arc<str>,
    /// Name of the keyframe.
    pub keyframe: Arc<str>,
}

/// A call of a service.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CallEvent {
    /// It goes to the robot.
    #[serde(default)]
    pub dir: Outgoing,
    /// e.g. `ALMotion`
    pub service: Arc<str>,
    /// e.g. `setAngles`
    pub method: Arc<str>,
    /// The arguments.
    #[serde(default)]
    pub args: Vec<Value>,
    /// Line of the box's script, from 1; 0 if not known.
    #[serde(default)]
    pub line: u32,
}

/// The end of a call of a service.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReplyEvent {
    /// It comes from the robot.
    #[serde(default)]
    pub dir: Incoming,
    /// e.g. `ALMotion`
    pub service: Arc<str>,
    /// e.g. `setAngles`
    pub method: Arc<str>,
    /// What it gave (`value`), or why it failed (`error`).
    #[serde(flatten, with = "result")]
    #[cfg_attr(feature = "schema", schemars(with = "result::Field<Value, String>"))]
    pub result: Result<Value, String>,
    /// A mock answered, and no robot.
    #[serde(default, skip_serializing_if = "is_default")]
    pub mock: bool,
}

/// Something that a person would see or hear the robot do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Act {
    /// What kind: `say`, `move`, `joints`, `leds`, `sound`, `posture`, `tablet`, `listen`, …
    #[serde(rename = "act")]
    pub kind: Cow<'static, str>,
    /// One line for people, e.g. the sentence that is said.
    #[serde(default)]
    pub text: String,
    /// The facts, as a map.
    #[serde(default)]
    pub data: Value,
}

/// Something about a resource.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ResourceEvent {
    /// What happened.
    pub what: ResourcePhase,
    /// The resource.
    pub name: Arc<str>,
    /// Who, if that is not the event's box: the name that a script gave.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<Arc<str>>,
    /// The other side: of `waiting` and `refused` who has it, of `lost`, `paused` and `asked` who asks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<Arc<str>>,
}

/// What became of something that has changed while the run goes on (`docs/guides/reload.md`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReloadEvent {
    /// What became of it.
    pub phase: ReloadPhase,
    /// The same in words, with file and line where there is one.
    pub text: Arc<str>,
    /// Of `refused`: why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ScriptError>,
}

/// An exception that left a script.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ScriptError {
    /// Exception class, e.g. `NameError`.
    pub kind: Arc<str>,
    /// Its text.
    #[serde(default)]
    pub message: Arc<str>,
    /// Line of the box's own script, from 1.
    pub line: Option<u32>,
    /// The whole traceback, as Python prints it, with the author's own lines.
    #[serde(default)]
    pub traceback: Arc<str>,
}

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.kind)?;
        // Python prints an exception without a message, such as `KeyboardInterrupt`, by its class alone.
        if !self.message.is_empty() {
            write!(f, ": {}", self.message)?;
        }
        if let Some(line) = self.line {
            write!(f, " (line {line})")?;
        }
        Ok(())
    }
}

/// Who is not done yet with a stop.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Busy {
    /// The behavior that is being stopped, or a part of it.
    pub behavior: Arc<str>,
    /// The box; `None` for the robot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<BoxPath>,
    /// The script's method (`onUnload`), or what the robot does (`walking`).
    pub does: Arc<str>,
    /// What it waits for: `a lock`, `sleep`, the call of a service; empty if it computes or moves.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub waits_for: String,
    /// Since when, on the run's clock.
    pub since: Time,
    /// It has had its time: nobody waits for it any more.
    #[serde(default, skip_serializing_if = "is_default")]
    pub given_up: bool,
}

impl fmt::Display for Busy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.path {
            Some(path) => write!(f, "{path} {}", self.does)?,
            None => write!(f, "robot: {}", self.does)?,
        }
        write!(f, " (since {}", self.since)?;
        if !self.waits_for.is_empty() {
            write!(f, ", waits for {}", self.waits_for)?;
        }
        f.write_str(if self.given_up { ", given up)" } else { ")" })
    }
}

impl Kind {
    /// Creates an event of the robot's memory or a signal of a service.
    pub fn event(key: impl Into<Arc<str>>, value: Value) -> Self {
        Kind::Event { dir: Incoming::In, key: key.into(), value }
    }

    /// Creates a control event: something that came from outside the run.
    pub fn control(control: Control) -> Self {
        Kind::Control { dir: Incoming::In, control: Box::new(control) }
    }

    /// Creates a warning for the user.
    pub fn warning(text: impl Into<Arc<str>>) -> Self {
        Kind::Warning { text: text.into() }
    }

    /// The direction in which the event crosses the border of the run, if it does.
    pub fn dir(&self) -> Option<Dir> {
        match self {
            Kind::ServiceDone(_) | Kind::Event { .. } | Kind::Control { .. } => Some(Dir::In),
            Kind::Service(_) => Some(Dir::Out),
            _ => None,
        }
    }
}
