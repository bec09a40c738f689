//! What must come of a run.

use crate::words::{Arg, Method, PathWord, Seconds, Short, TomlValue, from_text, text_or_table};
use boxstep_engine::config::{Probe, ProbeAt};
use boxstep_trace::EndReason;
use schemars::JsonSchema;
use serde::de::{Deserializer, SeqAccess, Visitor};
use serde::{Deserialize, de};
use std::fmt;
use toml::Spanned;

/// What must come of a run. What is not said is not looked at, but for script errors, unsupported calls and a run that
/// fails: those must be expected.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Expect {
    /// The behavior has ended by itself; or has not.
    #[schemars(with = "Option<bool>")]
    pub ended: Option<Spanned<bool>>,
    /// The behavior has ended by itself, at this time at the latest.
    #[schemars(with = "Option<Seconds>")]
    pub ends_by: Option<Spanned<Seconds>>,
    /// How the run ended.
    #[schemars(with = "Option<Reason>")]
    pub reason: Option<Spanned<Reason>>,
    /// All that the robot said, in order.
    #[schemars(with = "Option<Vec<String>>")]
    pub said: Option<Spanned<Vec<String>>>,
    /// Parts of what the robot said, in order; it may have said more.
    #[schemars(with = "Vec<String>")]
    pub said_contains: Vec<Spanned<String>>,
    /// What boxes put out, each by itself.
    #[schemars(with = "Vec<Output>")]
    pub outputs: Vec<Spanned<Output>>,
    /// Calls of services, in this order; there may be others between.
    #[schemars(with = "Vec<CallSchema>")]
    pub calls: Vec<Spanned<Call>>,
    /// Calls of services that must not come.
    #[schemars(with = "Vec<CallSchema>")]
    pub not_called: Vec<Spanned<Call>>,
    /// Boxes that start, or whose inputs are stimulated, in this order; there may be others between. Of a character: behaviors that are
    /// given control, by their names.
    #[schemars(with = "Vec<StartSchema>")]
    pub order: Vec<Spanned<Start>>,
    /// Joint angles at times.
    #[schemars(with = "Vec<Joint>")]
    pub joints: Vec<Spanned<Joint>>,
    /// Values in the robot's memory at times.
    #[schemars(with = "Vec<Memory>")]
    pub memory: Vec<Spanned<Memory>>,
    /// What scripts log and print, in this order; there may be more between.
    #[schemars(with = "Vec<LogSchema>")]
    pub logs: Vec<Spanned<Log>>,
    /// What scripts must neither log nor print.
    #[schemars(with = "Vec<LogSchema>")]
    pub not_logged: Vec<Spanned<Log>>,
    /// Script errors. Every error must be one of these, and each of these must come.
    #[schemars(with = "Vec<ScriptError>")]
    pub errors: Vec<Spanned<ScriptError>>,
    /// Calls of services or methods that are not there: `true` for all, or a list of `SERVICE.METHOD`.
    pub unsupported: Unsupported,
}

/// How a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Reason {
    /// By itself.
    Ended,
    /// Nothing can happen any more unless an event comes.
    Waiting,
    /// By `for`.
    Limit,
    /// By a script error that nobody caught.
    Failed,
    /// Scripts wait for each other, or one runs on without end.
    Deadlock,
    /// Signals go round without time passing.
    Livelock,
}

impl Reason {
    /// The engine's word for it.
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

/// Something a box puts out.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Output {
    /// Which box.
    #[serde(rename = "box")]
    pub path: PathWord,
    /// Name of the output.
    pub output: String,
    /// With this value; without it any.
    pub value: Option<TomlValue>,
    /// With no value: a bang.
    #[serde(default)]
    pub bang: bool,
    /// At this time, in seconds.
    pub at: Option<Seconds>,
    /// How far from `at` it may be, in seconds; 0.001 if nothing is said.
    pub within: Option<Seconds>,
    /// So often; without it at least once.
    pub count: Option<u64>,
}

/// A call of a service.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
#[schemars(!remote)]
pub struct Call {
    /// `SERVICE.METHOD`
    pub call: Method,
    /// It begins with these arguments.
    #[serde(default)]
    pub args: Vec<Arg>,
    /// From this box.
    #[serde(rename = "box")]
    pub path: Option<PathWord>,
    /// At this time, in seconds.
    pub at: Option<Seconds>,
    /// How far from `at` it may be, in seconds; 0.001 if nothing is said.
    pub within: Option<Seconds>,
}

/// A box that starts.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
#[schemars(!remote)]
pub struct Start {
    /// Which box.
    #[serde(rename = "box")]
    pub path: PathWord,
    /// This input is stimulated, instead of: it starts.
    pub input: Option<String>,
    /// At this time, in seconds.
    pub at: Option<Seconds>,
    /// How far from `at` it may be, in seconds; 0.001 if nothing is said.
    pub within: Option<Seconds>,
}

/// The angle of a joint at a time. One of `degrees`, `radians` and `value` says it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Joint {
    /// e.g. `HeadYaw`
    pub name: String,
    /// When, in seconds; without it at the end.
    pub at: Option<Seconds>,
    /// In degrees.
    pub degrees: Option<f64>,
    /// In radians.
    pub radians: Option<f64>,
    /// Of a hand: 0 is closed, 1 is open.
    pub value: Option<f64>,
    /// How far it may be from that, in the same unit: 0.5 degrees, 0.01 else, if nothing is said.
    pub tolerance: Option<f64>,
}

/// A value in the robot's memory.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Memory {
    /// Its key.
    pub key: String,
    /// When, in seconds; without it at the end.
    pub at: Option<Seconds>,
    /// The value.
    pub value: Option<TomlValue>,
    /// There is none.
    #[serde(default)]
    pub absent: bool,
}

/// A line that a script logs or prints.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
#[schemars(!remote)]
pub struct Log {
    /// A part of it.
    pub contains: String,
    /// From this box.
    #[serde(rename = "box")]
    pub path: Option<PathWord>,
    /// `debug`, `info`, `warning`, `error`, `fatal`, or `print`.
    pub level: Option<Level>,
    /// At this time, in seconds.
    pub at: Option<Seconds>,
    /// How far from `at` it may be, in seconds; 0.001 if nothing is said.
    pub within: Option<Seconds>,
}

/// How a line comes.
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
    /// The word for it.
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

/// An exception that leaves a script.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScriptError {
    /// A part of it, e.g. `NameError` or `name 'x' is not defined`.
    pub contains: String,
    /// From this box.
    #[serde(rename = "box")]
    pub path: Option<PathWord>,
}

/// Calls of what is not there that a test puts up with.
#[derive(Clone, Debug, PartialEq, JsonSchema)]
#[schemars(untagged)]
pub enum Unsupported {
    /// All, or none.
    All(bool),
    /// These.
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

/// For each type that may be written as one text: how to read that, and the schema of both.
macro_rules! short {
    ($type:ident, $schema:ident, $expected:literal, |$text:ident| $read:expr) => {
        impl Short for $type {
            const EXPECTED: &'static str = $expected;
            fn short($text: &str) -> Result<Self, String> {
                $read
            }
            fn table<'de, D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                // The derived function, which the attribute `remote` leaves without its trait.
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
    /// When to look at the robot to be able to judge.
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

    /// The boxes that it names, each with its place in the file.
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
