//! The inputs with which a behavior is played.

pub use crate::words::{Arg, BodyWord, Epoch, Method, Parameter, PathWord, Seconds, TomlValue};
use boxstep_engine::Engine;
use boxstep_engine::config::{self, Control};
use boxstep_types::{Time, Value};
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;
use toml::Spanned;

/// The default time limit of a test, so that a behavior without an end does not run for ever.
pub const LONGEST: Time = Time::from_millis(600_000);

/// The inputs of a run. All of them are optional.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Given {
    /// The simulated body [default: the one the files were made for].
    pub body: Option<BodyWord>,
    /// What is around the robot: a world file, relative to the folder of this file [default: an empty room].
    pub world: Option<PathBuf>,
    /// The robot can fall: its weight, its motors and the floor move it.
    pub physics: Option<bool>,
    /// Language of speech and of localized parameters, e.g. `English`.
    pub language: Option<String>,
    /// Seed of all random numbers.
    pub seed: Option<u64>,
    /// The time of the virtual clock at the start.
    pub epoch: Option<Epoch>,
    /// Stop the behavior after this many seconds of its own time [default in a test: 600].
    #[serde(rename = "for")]
    pub limit: Option<Seconds>,
    /// Scripts may use the network and other programs; the run then counts as not repeatable.
    pub network: Option<bool>,
    /// Parameters to set before the start: path and parameter, and the value.
    #[schemars(with = "BTreeMap<String, TomlValue>")]
    pub set: BTreeMap<Spanned<Parameter>, TomlValue>,
    /// Values to store in the robot's memory before the start.
    pub memory: BTreeMap<String, TomlValue>,
    /// Robot memory events, each at a time of the run.
    pub events: Vec<Event>,
    /// The arguments of a program, without its name.
    pub args: Vec<String>,
    /// Sentences that the robot hears.
    pub hears: Vec<Hears>,
    /// Inputs stimulated from outside, like a double-click in the editor.
    #[schemars(with = "Vec<Stimulus>")]
    pub stimulate: Vec<Spanned<Stimulus>>,
    /// Replies that replace those of the robot's services; the first one that matches a call is used.
    pub mocks: Vec<Mock>,
}

/// A robot memory event.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// The memory key, e.g. `FrontTactilTouched`.
    pub name: String,
    /// The value; none if it is not set.
    #[serde(default)]
    pub value: TomlValue,
    /// The time, in seconds.
    pub at: Seconds,
}

/// A sentence that the robot hears.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Hears {
    /// What is said.
    pub text: String,
    /// The time, in seconds [default: one second after the start for the first sentence; for the others as soon as the
    /// robot has answered the one before].
    pub at: Option<Seconds>,
}

/// When the robot hears the first sentence, if no time is given.
const FIRST_SENTENCE: Time = Time::from_millis(1_000);

/// An input stimulated from outside.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Stimulus {
    /// The box.
    #[serde(rename = "box")]
    pub path: PathWord,
    /// The name of the input.
    pub input: String,
    /// The value; a bang if it is not set.
    #[serde(default)]
    pub value: TomlValue,
    /// The time, in seconds.
    pub at: Seconds,
}

/// A reply that replaces the robot's.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Mock {
    /// The calls to answer: `SERVICE.METHOD`. The service need not exist.
    pub call: Method,
    /// Answer only calls that begin with these arguments.
    #[serde(default)]
    pub args: Vec<Arg>,
    /// The value that the call returns; none if it is not set.
    pub returns: Option<TomlValue>,
    /// The text with which the call fails.
    pub raises: Option<String>,
    /// How long the call takes, in seconds.
    pub takes: Option<Seconds>,
    /// How many calls are answered [default: all].
    pub times: Option<u32>,
}

impl Mock {
    fn to_engine(&self) -> config::Mock {
        let returned = || self.returns.clone().unwrap_or_default().0;
        config::Mock {
            service: self.call.service.clone(),
            method: self.call.method.clone(),
            args: self.args.iter().map(|arg| arg.0.clone()).collect(),
            answer: self.raises.clone().map_or_else(|| Ok(returned()), Err),
            takes: self.takes.map_or(Duration::ZERO, |s| s.0.since(Time::ZERO)),
            times: self.times,
        }
    }
}

impl From<&Mock> for Value {
    /// Converts a mock to a value with the keys of a test file.
    fn from(mock: &Mock) -> Self {
        let any = || Value::Map([("any".into(), Value::Bool(true))].into());
        let call = format!("{}.{}", mock.call.service, mock.call.method);
        let mut said: Vec<(Value, Value)> = vec![("call".into(), call.into())];
        if !mock.args.is_empty() {
            let args = mock.args.iter().map(|arg| arg.0.clone().unwrap_or_else(any));
            said.push(("args".into(), Value::list(args)));
        }
        if let Some(TomlValue(value)) = &mock.returns {
            said.push(("returns".into(), value.clone()));
        }
        if let Some(why) = &mock.raises {
            said.push(("raises".into(), why.as_str().into()));
        }
        if let Some(takes) = mock.takes {
            said.push(("takes".into(), takes.0.as_secs_f64().into()));
        }
        if let Some(times) = mock.times {
            said.push(("times".into(), i64::from(times).into()));
        }
        Value::Map(said.into())
    }
}

impl TryFrom<&Value> for Mock {
    type Error = String;

    /// Parses the value that [`Value::from`] makes of a mock.
    fn try_from(said: &Value) -> Result<Self, String> {
        let wrong = || format!("{said} is no mock");
        let any =
            |arg: &Value| arg.as_map().is_some_and(|m| m.len() == 1) && arg.get("any") == Some(&Value::Bool(true));
        let (service, method) =
            said.get("call").and_then(Value::as_str).and_then(|call| call.rsplit_once('.')).ok_or_else(wrong)?;
        let args = said.get("args").map_or(Some(&[][..]), Value::as_list).ok_or_else(wrong)?;
        let number = |name| said.get(name).map(|n| n.as_f64().ok_or_else(wrong)).transpose();
        let times = said.get("times").map(|n| n.as_i64().and_then(|n| n.try_into().ok()).ok_or_else(wrong));
        Ok(Self {
            call: Method { service: service.to_owned(), method: method.to_owned() },
            args: args.iter().map(|arg| Arg((!any(arg)).then(|| arg.clone()))).collect(),
            returns: said.get("returns").cloned().map(TomlValue),
            raises: said.get("raises").and_then(Value::as_str).map(str::to_owned),
            takes: number("takes")?.map(|s| Seconds(Time::from_secs_f64(s))),
            times: times.transpose()?,
        })
    }
}

impl Given {
    /// Makes the paths of a body file and a world file absolute or relative to the current folder; in the file they are
    /// relative to `folder`.
    pub(crate) fn in_folder(&mut self, folder: &Path) {
        if let Some(BodyWord(name)) = self.body.as_mut().filter(|body| body.is_file()) {
            *name = folder.join(&*name).to_string_lossy().into_owned();
        }
        if let Some(world) = &mut self.world {
            *world = folder.join(&*world);
        }
    }

    /// Parses a table with the keys of a test file.
    ///
    /// # Errors
    /// A sentence that says what is wrong with the table.
    pub fn from_json(table: &serde_json::Value) -> Result<Self, String> {
        let pairs = table.as_object().into_iter().flatten().filter(|(_, value)| !value.is_null());
        let text: String = pairs.map(|(key, value)| format!("{} = {}\n", quoted(key), as_toml(value))).collect();
        toml::from_str(&text).map_err(|error: toml::de::Error| error.message().to_owned())
    }
}

/// Quotes a text; a JSON string is a TOML string, too.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Formats a value as TOML in one line. TOML has no `null`: it is left out of tables, and becomes an empty list
/// elsewhere.
fn as_toml(value: &serde_json::Value) -> String {
    use serde_json::Value as Json;
    match value {
        Json::Null => "[]".to_owned(),
        Json::Array(items) => format!("[{}]", items.iter().map(as_toml).collect::<Vec<_>>().join(", ")),
        Json::Object(pairs) => {
            let pairs = pairs.iter().filter(|(_, value)| !value.is_null());
            let pairs: Vec<_> = pairs.map(|(key, value)| format!("{} = {}", quoted(key), as_toml(value))).collect();
            format!("{{ {} }}", pairs.join(", "))
        }
        other => other.to_string(),
    }
}

/// An input that the engine refuses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The kind of input: `set`, `event` or `stimulate`.
    pub what: &'static str,
    /// Why it is refused.
    pub why: String,
}

impl Given {
    /// Returns these inputs, completed by `defaults`. Lists are joined, those of `defaults` first; only mocks of `self`
    /// come first.
    #[must_use]
    pub fn with_defaults(&self, defaults: &Given) -> Given {
        let mut set = defaults.set.clone();
        for (key, value) in &self.set {
            // Otherwise the key would keep its position in the text of the defaults.
            set.remove(key);
            set.insert(key.clone(), value.clone());
        }
        let mut memory = defaults.memory.clone();
        memory.extend(self.memory.clone());
        Given {
            body: self.body.clone().or_else(|| defaults.body.clone()),
            world: self.world.clone().or_else(|| defaults.world.clone()),
            physics: self.physics.or(defaults.physics),
            language: self.language.clone().or_else(|| defaults.language.clone()),
            seed: self.seed.or(defaults.seed),
            epoch: self.epoch.or(defaults.epoch),
            limit: self.limit.or(defaults.limit),
            network: self.network.or(defaults.network),
            set,
            memory,
            events: [&*defaults.events, &*self.events].concat(),
            args: if self.args.is_empty() { &defaults.args } else { &self.args }.clone(),
            hears: [&*defaults.hears, &*self.hears].concat(),
            stimulate: [&*defaults.stimulate, &*self.stimulate].concat(),
            mocks: [&*self.mocks, &*defaults.mocks].concat(),
        }
    }

    /// Returns the mocks in the form that the engine takes.
    pub fn mocks(&self) -> Vec<config::Mock> {
        self.mocks.iter().map(Mock::to_engine).collect()
    }

    /// Returns the parameters to set, under their names in the header of a trace.
    pub fn parameters(&self) -> Vec<(String, Value)> {
        let name = |p: &Parameter| format!("{}/{}", p.path, p.name);
        self.set.iter().map(|(p, value)| (name(p.get_ref()), value.0.clone())).collect()
    }

    /// Applies all inputs to a run that is about to start.
    ///
    /// # Errors
    /// An input names a box, parameter or port that does not exist.
    ///
    /// ```
    /// use boxstep_engine::{Engine, config::Config};
    /// use boxstep_test::Suite;
    ///
    /// let test = r#"
    /// [[test]]
    /// name = "somebody touches the head"
    /// [test.given]
    /// events = [{ name = "FrontTactilTouched", value = 1.0, at = 2 }]
    /// "#;
    /// let suite = Suite::read("touch.test.toml".as_ref(), test).map_err(|wrong| format!("{:?}", wrong.found))?;
    /// let given = &suite.tests[0].given;
    /// assert_eq!(given.events.len(), 1);
    /// let mut engine = Engine::without_robot(Config::default());
    /// given.apply(&mut engine).map_err(|refused| refused.why)?;
    /// # Ok::<(), String>(())
    /// ```
    pub fn apply(&self, engine: &mut Engine) -> Result<(), Refused> {
        let mut control = |what, at, control| engine.control(at, control).map_err(|why| Refused { what, why });
        for (key, value) in &self.memory {
            control("memory", Time::ZERO, Control::Remember { key: key.clone(), value: value.0.clone() })?;
        }
        for (at, value) in &self.set {
            let Parameter { path, name } = at.get_ref().clone();
            control("set", Time::ZERO, Control::SetParameter { path, parameter: name, value: value.0.clone() })?;
        }
        for e in &self.events {
            control("event", e.at.0, Control::Event { key: e.name.clone(), value: e.value.0.clone() })?;
        }
        // The robot takes one sentence after the other: what is said while it speaks waits until it has finished.
        let mut at = FIRST_SENTENCE;
        for said in &self.hears {
            at = said.at.map_or(at, |at| at.0);
            control("hear", at, Control::Hear { text: said.text.clone() })?;
        }
        for s in self.stimulate.iter().map(Spanned::get_ref) {
            let (path, port, value) = (s.path.0.clone(), s.input.clone(), s.value.0.clone());
            control("stimulate", s.at.0, Control::Stimulate { path, port, value })?;
        }
        Ok(())
    }
}
