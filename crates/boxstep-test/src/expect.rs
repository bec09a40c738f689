//! What a run is expected to do.

use crate::words::{Arg, Method, PathWord, Seconds, Short, TomlValue, from_text, text_or_table};
use boxstep_engine::config::{Probe, ProbeAt};
use boxstep_trace::EndReason;
use schemars::JsonSchema;
use serde::de::{Deserializer, SeqAccess, Visitor};
use serde::{Deserialize, de};
use std::fmt;
use toml::Spanned;

/// A sentence that the robot hears, and its answer.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Exchange {
    /// What is said to the robot.
    pub hears: String,
    /// What the robot says until it hears the next sentence, without annotations for voice and gestures; empty if it
    /// must not answer. Not checked if it is not set.
    pub says: Option<String>,
    /// When the sentence is said, in seconds [default: one second after the start for the first one; for the others as
    /// soon as the robot has answered].
    pub at: Option<Seconds>,
}

/// What a run is expected to do. Only what is listed is checked, except for script errors, unsupported calls and a run
/// that fails: those must always be expected.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Expect {
    /// Whether the behavior has ended by itself.
    #[schemars(with = "Option<bool>")]
    pub ended: Option<Spanned<bool>>,
    /// The behavior has ended by itself, at this time at the latest.
    #[schemars(with = "Option<Seconds>")]
    pub ends_by: Option<Spanned<Seconds>>,
    /// How the run ended.
    #[schemars(with = "Option<Reason>")]
    pub reason: Option<Spanned<Reason>>,
    /// Everything that the robot said, in order.
    #[schemars(with = "Option<Vec<String>>")]
    pub said: Option<Spanned<Vec<String>>>,
    /// Parts of what the robot said, in order; it may have said more.
    #[schemars(with = "Vec<String>")]
    pub said_contains: Vec<Spanned<String>>,
    /// Outputs of boxes, each checked by itself.
    #[schemars(with = "Vec<Output>")]
    pub outputs: Vec<Spanned<Output>>,
    /// Calls of services, in this order; there may be others in between.
    #[schemars(with = "Vec<CallSchema>")]
    pub calls: Vec<Spanned<Call>>,
    /// Calls of services that must not happen.
    #[schemars(with = "Vec<CallSchema>")]
    pub not_called: Vec<Spanned<Call>>,
    /// Boxes that start, or whose inputs are stimulated, in this order; there may be others in between. For a
    /// character: behaviors that are given control, by name.
    #[schemars(with = "Vec<StartSchema>")]
    pub order: Vec<Spanned<Start>>,
    /// Joint angles at times.
    #[schemars(with = "Vec<Joint>")]
    pub joints: Vec<Spanned<Joint>>,
    /// Values in the robot's memory at times.
    #[schemars(with = "Vec<Memory>")]
    pub memory: Vec<Spanned<Memory>>,
    /// Whether the robot stays on its feet for the whole run. With `true` it never tips over, with `false` it does.
    #[schemars(with = "Option<bool>")]
    pub balanced: Option<Spanned<bool>>,
    /// What scripts log and print, in this order; there may be more in between.
    #[schemars(with = "Vec<LogSchema>")]
    pub logs: Vec<Spanned<Log>>,
    /// What scripts must neither log nor print.
    #[schemars(with = "Vec<LogSchema>")]
    pub not_logged: Vec<Spanned<Log>>,
    /// Script errors. Every error must be one of these, and each of these must occur.
    #[schemars(with = "Vec<ScriptError>")]
    pub errors: Vec<Spanned<ScriptError>>,
    /// Calls of services or methods that do not exist: `true` for all, or a list of `SERVICE.METHOD`.
    pub unsupported: Unsupported,
}

/// How a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Reason {
    /// By itself.
    Ended,
    /// It waits: nothing can happen any more without an event.
    Waiting,
    /// At the time limit (`for`).
    Limit,
    /// By an uncaught script error.
    Failed,
    /// Scripts wait for each other, or one runs without end.
    Deadlock,
    /// Signals loop without time passing.
    Livelock,
}

impl Reason {
    /// Returns the engine's form of the reason.
    pub fn engine(self) -> EndReason {
        match self {
            Reason::Ended => EndReason::Ended,
            Reason::Waiting => EndReason::Waiting,
            Reason::Limit => EndReason::Limit,
            Reason::Failed => EndReason::Failed,
            Reason::Deadlock => EndReason::Deadlock,
            Reason::Livelock => EndReason::Livelock,
        }
    }
}

/// An output of a box.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Output {
    /// The box.
    #[serde(rename = "box")]
    pub path: PathWord,
    /// The name of the output.
    pub output: String,
    /// The value; any value if it is not set.
    pub value: Option<TomlValue>,
    /// The output is a bang, without a value.
    #[serde(default)]
    pub bang: bool,
    /// The time, in seconds.
    pub at: Option<Seconds>,
    /// How far the time may be from `at`, in seconds [default: 0.001].
    pub within: Option<Seconds>,
    /// How often; at least once if it is not set.
    pub count: Option<u64>,
}

/// A call of a service.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
#[schemars(!remote)]
pub struct Call {
    /// `SERVICE.METHOD`
    pub call: Method,
    /// The first arguments.
    #[serde(default)]
    pub args: Vec<Arg>,
    /// The box that calls, logs or fails.
    #[serde(rename = "box")]
    pub path: Option<PathWord>,
    /// The time, in seconds.
    pub at: Option<Seconds>,
    /// How far the time may be from `at`, in seconds [default: 0.001].
    pub within: Option<Seconds>,
}

/// A box that starts.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
#[schemars(!remote)]
pub struct Start {
    /// The box.
    #[serde(rename = "box")]
    pub path: PathWord,
    /// The box's input that is stimulated; if it is not set, the box starts.
    pub input: Option<String>,
    /// The time, in seconds.
    pub at: Option<Seconds>,
    /// How far the time may be from `at`, in seconds [default: 0.001].
    pub within: Option<Seconds>,
}

/// The angle of a joint at a time, given by one of `degrees`, `radians` and `value`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Joint {
    /// The name of the joint, e.g. `HeadYaw`.
    pub name: String,
    /// The time, in seconds [default: the end].
    pub at: Option<Seconds>,
    /// The angle in degrees.
    pub degrees: Option<f64>,
    /// The angle in radians.
    pub radians: Option<f64>,
    /// The opening of a hand: 0 is closed, 1 is open.
    pub value: Option<f64>,
    /// The allowed deviation, in the same unit [default: 0.5 degrees, otherwise 0.01].
    pub tolerance: Option<f64>,
}

/// A value in the robot's memory.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Memory {
    /// The memory key.
    pub key: String,
    /// The time, in seconds [default: the end].
    pub at: Option<Seconds>,
    /// The value.
    pub value: Option<TomlValue>,
    /// There is no value.
    #[serde(default)]
    pub absent: bool,
}

/// A line that a script logs or prints.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
#[schemars(!remote)]
pub struct Log {
    /// A part of the text.
    pub contains: String,
    /// The box that calls, logs or fails.
    #[serde(rename = "box")]
    pub path: Option<PathWord>,
    /// The level: `debug`, `info`, `warning`, `error`, `fatal`, or `print`.
    pub level: Option<Level>,
    /// The time, in seconds.
    pub at: Option<Seconds>,
    /// How far the time may be from `at`, in seconds [default: 0.001].
    pub within: Option<Seconds>,
}

/// The level of a line that a script logs, or `print`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "they are the words themselves")]
pub enum Level {
    Debug,
    Info,
    Warning,
    Error,
    Fatal,
    Print,
}

impl Level {
    /// Returns the name of the level.
    pub fn name(self) -> &'static str {
        match self {
            Level::Debug => "debug",
            Level::Info => "info",
            Level::Warning => "warning",
            Level::Error => "error",
            Level::Fatal => "fatal",
            Level::Print => "print",
        }
    }
}

/// An uncaught exception of a script.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScriptError {
    /// A part of the text, e.g. `NameError` or `name 'x' is not defined`.
    pub contains: String,
    /// The box that calls, logs or fails.
    #[serde(rename = "box")]
    pub path: Option<PathWord>,
}

/// The unsupported calls that a test allows.
#[derive(Clone, Debug, PartialEq, JsonSchema)]
#[schemars(untagged)]
pub enum Unsupported {
    /// All, or none.
    All(bool),
    /// Only these.
    Only(Vec<Method>),
}

impl Default for Unsupported {
    fn default() -> Self {
        Unsupported::All(false)
    }
}

impl<'de> Deserialize<'de> for Unsupported {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = Unsupported;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("true, false, or a list of SERVICE.METHOD")
            }
            fn visit_bool<E: de::Error>(self, all: bool) -> Result<Unsupported, E> {
                Ok(Unsupported::All(all))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Unsupported, A::Error> {
                let mut only = Vec::new();
                while let Some(method) = list.next_element()? {
                    only.push(method);
                }
                Ok(Unsupported::Only(only))
            }
        }
        d.deserialize_any(Either)
    }
}

/// Implements reading for types that may be written as a single text: how to read the text, and the schema of both
/// forms.
macro_rules! short {
    ($type:ident, $schema:ident, $expected:literal, |$text:ident| $read:expr) => {
        impl Short for $type {
            const EXPECTED: &'static str = $expected;
            fn short($text: &str) -> Result<Self, String> {
                $read
            }
            fn table<'de, D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                // The derived function, which the attribute `remote` makes inherent.
                $type::deserialize(d)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                text_or_table(d)
            }
        }

        #[derive(JsonSchema)]
        #[schemars(untagged)]
        #[expect(dead_code, reason = "for the schema")]
        enum $schema {
            Short(String),
            Table($type),
        }
    };
}
short!(Call, CallSchema, "SERVICE.METHOD, or a table with `call`", |text| {
    from_text(text).map(|call| Call { call, args: Vec::new(), path: None, at: None, within: None })
});
short!(Start, StartSchema, "the path of a box, or a table with `box`", |text| {
    from_text(text).map(|path| Start { path, input: None, at: None, within: None })
});
short!(Log, LogSchema, "a text, or a table with `contains`", |text| {
    Ok(Log { contains: text.to_owned(), path: None, level: None, at: None, within: None })
});

impl Expect {
    /// Returns when to sample the robot for the expectations.
    pub fn probes(&self) -> Vec<Probe> {
        let time = |at: Option<Seconds>| at.map(|s| s.0);
        let joints = self.joints.iter().map(|j| Probe { at: time(j.get_ref().at), what: ProbeAt::Joints });
        let memory = self.memory.iter().map(Spanned::get_ref);
        let memory = memory.map(|m| Probe { at: time(m.at), what: ProbeAt::Memory(m.key.as_str().into()) });
        let mut probes: Vec<Probe> = Vec::new();
        for look in joints.chain(memory) {
            if !probes.contains(&look) {
                probes.push(look);
            }
        }
        probes
    }

    /// Returns the boxes in the expectations, each with its position in the file.
    pub(crate) fn paths(&self) -> Vec<(&PathWord, std::ops::Range<usize>)> {
        let outputs = self.outputs.iter().map(|o| (Some(&o.get_ref().path), o.span()));
        let calls = self.calls.iter().chain(&self.not_called).map(|c| (c.get_ref().path.as_ref(), c.span()));
        let order = self.order.iter().map(|s| (Some(&s.get_ref().path), s.span()));
        let logs = self.logs.iter().chain(&self.not_logged).map(|l| (l.get_ref().path.as_ref(), l.span()));
        let errors = self.errors.iter().map(|e| (e.get_ref().path.as_ref(), e.span()));
        let all = outputs.chain(calls).chain(order).chain(logs).chain(errors);
        all.filter_map(|(path, span)| Some((path?, span))).collect()
    }
}
