//! The options that decide a run. They come from the arguments of `play`, a test file, the first line of a recording,
//! the arguments of a child process, or Python. An option that changes what happens in a run is a field of [`RunSpec`];
//! recordings, replays and child processes then support it without further code.

use super::common::{Qi, Scripts, body_name};
use boxstep_bodies::BodyKind;
use boxstep_engine::config::{ClockKind, Config, STOP_WITHIN};
use boxstep_engine::trace::Header;
use boxstep_test::Given;
use boxstep_types::{BoxPath, Time, Value};
use clap::Args;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Map;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The default of `--patience`: how long a script may compute while nothing else can happen.
const PATIENCE: Time = Time::from_millis(30_000);

/// The default of `--epoch`, the time of the virtual clock at the start: 2020-01-01T00:00:00Z, in seconds since 1970.
const EPOCH: i64 = 1_577_836_800;

/// The options of a run; `None` or false where an option is not set. As JSON its fields have the names of the options
/// of `play`, and numbers are seconds or Hz. The fields that recordings hold come first, in the order in which
/// recordings hold them.
#[derive(Clone, Debug, Default, PartialEq, Args, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub(crate) struct RunSpec {
    /// The behavior to play, if there are several
    #[arg(long, value_name = "NAME")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) behavior: Option<String>,
    /// The name of the character that played. Only recordings have it.
    #[arg(skip)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) character: Option<String>,
    /// Language of speech and of localized parameters [default: the robot's]
    #[arg(long, value_name = "LANGUAGE", value_parser = crate::value_parsers::language, help_heading = "Robot")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) language: Option<String>,
    /// How box scripts run
    #[arg(long, value_enum, value_name = "HOW", help = SCRIPTS, help_heading = "Scripts")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) scripts: Option<Scripts>,
    /// Play one box alone; it becomes the root, and all other paths start with it as `root`
    #[arg(long = "box", value_name = "PATH")]
    #[serde(rename = "box", with = "path", skip_serializing_if = "Option::is_none")]
    pub(crate) alone: Option<BoxPath>,
    /// Arguments for a Python program, as in `boxstep run walk.py left -- --steps 3`
    #[arg(value_name = "ARGS")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) args: Vec<String>,
    /// The real robot of a recorded run, as messages name it. Only recordings have it.
    #[arg(skip)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) robot: Option<String>,
    /// The SHA-256 of the robot's file, if the robot was written in Python. Only recordings have it.
    #[arg(skip)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) robot_file: Option<String>,
    /// The SHA-256 of the body file, if the body was neither NAO nor Pepper. Only recordings have it.
    #[arg(skip)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) body_file: Option<String>,
    /// Stop the behavior after this many seconds of its own time
    #[arg(long = "for", value_name = "SECONDS", allow_negative_numbers = true, value_parser = crate::value_parsers::seconds, help_heading = "Time")]
    #[serde(rename = "for", with = "seconds", skip_serializing_if = "Option::is_none")]
    pub(crate) limit: Option<Time>,
    /// How long a stop may take, on the behavior's own clock, before it is forced; an interrupt has at most 1.5 s [default: 10]
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, value_parser = crate::value_parsers::seconds, help_heading = "Time")]
    #[serde(alias = "stop_within", with = "seconds", skip_serializing_if = "Option::is_none")]
    pub(crate) stop_within: Option<Time>,
    /// Let scripts use the network and other programs in virtual time
    #[arg(long, help_heading = "Scripts")]
    #[serde(skip_serializing_if = "is_not")]
    pub(crate) network: bool,
    /// Let a Python program connect to the robots that it names, in real time
    #[arg(long, help_heading = "Robot")]
    #[serde(skip_serializing_if = "is_not")]
    pub(crate) as_written: bool,
    /// Keep numbers on links in 32 bits, as NAOqi does
    #[arg(long, help_heading = "Behavior")]
    #[serde(skip_serializing_if = "is_not")]
    pub(crate) naoqi_numbers: bool,
    /// Sample joint angles this many times per second
    #[arg(long, value_name = "HZ", allow_negative_numbers = true, value_parser = crate::value_parsers::hertz, help_heading = "Output")]
    #[serde(deserialize_with = "hertz", skip_serializing_if = "Option::is_none")]
    pub(crate) joints: Option<f64>,
    /// The mocks of a recorded run, each with the keys of a test file. Only recordings have them.
    #[arg(skip)]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) mocks: Vec<Value>,
    /// What is around the simulated robot: a world file (.toml) [default: an empty room]
    #[arg(long, value_name = "FILE", help_heading = "Robot")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) world: Option<PathBuf>,
    /// Let the simulated robot fall: its weight, its motors and the floor move it
    #[arg(long, help_heading = "Robot")]
    #[serde(skip_serializing_if = "is_not")]
    pub(crate) physics: bool,

    /// The simulated body: nao, nao-v3.3, pepper, or a file (.toml, .urdf) [default: the one the files were made for]
    #[arg(long, value_name = "BODY", value_parser = body_name, help_heading = "Robot")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) body: Option<String>,
    /// Use virtual time, which passes only when nothing else can happen
    #[arg(long, help_heading = "Time")]
    #[serde(alias = "virtual_time", skip_serializing_if = "is_not")]
    pub(crate) virtual_time: bool,
    /// The time of the virtual clock at the start: seconds since 1970, or a date and time [default:
    /// 2020-01-01T00:00:00Z]
    #[arg(long, value_name = "TIME", allow_negative_numbers = true, value_parser = boxstep_types::calendar::parse_epoch, help_heading = "Time")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) epoch: Option<i64>,
    /// Seed of all random numbers [default: 0]
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true, value_parser = crate::value_parsers::whole::<u64>, help_heading = "Time")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) seed: Option<u64>,
    /// The Python that runs scripts [default: the one of the environment]
    #[arg(long, value_name = "PROGRAM", help_heading = "Scripts")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) python: Option<PathBuf>,
    /// The `qi` package that scripts import [default: own]
    #[arg(long, value_enum, value_name = "WHICH", help_heading = "Scripts")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) qi: Option<Qi>,
    /// How long to wait for the behavior to load and, in virtual time, for a script that computes while nothing else
    /// can happen [default: 30]
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, value_parser = crate::value_parsers::seconds, help_heading = "Scripts")]
    #[serde(with = "seconds", skip_serializing_if = "Option::is_none")]
    pub(crate) patience: Option<Time>,
}

const SCRIPTS: &str = if cfg!(feature = "native") {
    "How box scripts run [default: native]"
} else {
    "How box scripts run [default: process]"
};

impl RunSpec {
    /// Reads the options from the header of a recording. It leaves out an own body, whose file a trace does not hold,
    /// and how scripts ran, because this program need not have that Python.
    ///
    /// # Errors
    /// An option that this version does not write in that form.
    pub(crate) fn recorded(header: &Header) -> Result<Self, String> {
        let spec: Self = header.options_as()?;
        Ok(Self {
            scripts: spec.scripts.filter(|how| *how == Scripts::Off),
            body: BodyKind::ALL.iter().any(|kind| kind.to_string() == header.body).then(|| header.body.clone()),
            seed: Some(header.seed),
            epoch: Some(header.epoch),
            virtual_time: true,
            ..spec
        })
    }

    /// Reads the options from JSON, by the names of the options of `play`.
    ///
    /// # Errors
    /// The name of the first invalid field, and why it is invalid.
    pub(crate) fn read(fields: &Map<String, serde_json::Value>) -> Result<Self, String> {
        serde_json::from_value(fields.clone().into()).map_err(|whole| {
            let alone = |(name, value): (&String, &serde_json::Value)| {
                let field = Map::from_iter([(name.clone(), value.clone())]);
                serde_json::from_value::<Self>(field.into()).err().map(|why| format!("{name}: {why}"))
            };
            fields.iter().find_map(alone).unwrap_or_else(|| whole.to_string())
        })
    }

    /// Returns these options; options that are not set are taken from `defaults`.
    ///
    /// # Errors
    /// A value that JSON cannot hold.
    pub(crate) fn with_defaults(&self, defaults: &Self) -> Result<Self, String> {
        let message = |e: serde_json::Error| e.to_string();
        let mut all = defaults.fields()?;
        all.extend(self.fields()?);
        serde_json::from_value(all.into()).map_err(message)
    }

    fn fields(&self) -> Result<Map<String, serde_json::Value>, String> {
        match serde_json::to_value(self).map_err(|e| e.to_string())? {
            serde_json::Value::Object(fields) => Ok(fields),
            _ => Ok(Map::new()),
        }
    }

    /// Returns the options that recordings hold: without those that have header fields of their own, and without those
    /// that depend on this machine.
    pub(crate) fn to_record(&self) -> Self {
        Self {
            body: None,
            virtual_time: false,
            epoch: None,
            seed: None,
            python: None,
            qi: None,
            patience: None,
            stop_within: self.stop_within.filter(|time| time.since(Time::ZERO) != STOP_WITHIN),
            ..self.clone()
        }
    }

    /// Returns the options as arguments of `play`, each option and its value in one argument.
    ///
    /// # Errors
    /// A value that JSON cannot hold.
    pub(crate) fn to_args(&self) -> Result<Vec<OsString>, String> {
        let word = |(name, value)| match value {
            serde_json::Value::Bool(_) => format!("--{name}").into(),
            serde_json::Value::String(text) => format!("--{name}={text}").into(),
            other => format!("--{name}={other}").into(),
        };
        let mut fields = self.fields()?;
        fields.remove("args");
        let options = fields.into_iter().map(word);
        // Behind the options: each of them may look like one.
        let args = self.args.iter().map(OsString::from);
        Ok(options.chain((!self.args.is_empty()).then(|| "--".into())).chain(args).collect())
    }

    /// Returns how box scripts run.
    pub(crate) fn how(&self) -> Scripts {
        self.scripts.unwrap_or(Scripts::DEFAULT)
    }

    /// Returns how long a script may compute while nothing else can happen.
    pub(crate) fn patience(&self) -> Duration {
        self.patience.unwrap_or(PATIENCE).since(Time::ZERO)
    }

    /// Reads the options from the `given` part of a test file. The keys that are ignored here are inputs of the run or
    /// mocks, not options.
    pub(crate) fn of_file(given: &Given) -> Self {
        let Given {
            body,
            world,
            physics,
            language,
            seed,
            epoch,
            limit,
            network,
            args,
            set: _,
            memory: _,
            events: _,
            hears: _,
            stimulate: _,
            mocks: _,
        } = given.clone();
        Self {
            body: body.map(|body| body.0),
            world,
            physics: physics == Some(true),
            language,
            seed,
            epoch: epoch.map(|epoch| epoch.0),
            limit: limit.map(|limit| limit.0),
            network: network == Some(true),
            args,
            ..Self::default()
        }
    }

    /// Returns the time of the virtual clock at the start, in seconds since 1970.
    pub(crate) fn epoch(&self) -> i64 {
        self.epoch.unwrap_or(EPOCH)
    }

    /// Returns what the robot's clock says at the start: the virtual clock, or that of the machine.
    pub(crate) fn robot_epoch(&self) -> i64 {
        self.epoch.unwrap_or_else(|| if self.virtual_time { EPOCH } else { wall_clock() })
    }

    /// Returns the configuration of the engine.
    pub(crate) fn config(&self) -> Config {
        Config {
            load_patience: self.patience(),
            clock: if self.virtual_time { ClockKind::Virtual } else { ClockKind::Real },
            scripts: self.how() != Scripts::Off,
            stop_within: self.stop_within.map_or(STOP_WITHIN, |time| time.since(Time::ZERO)),
            seed: self.seed.unwrap_or_default(),
            limit: self.limit,
            joints_hz: self.joints,
            naoqi_numbers: self.naoqi_numbers,
            ..Config::default()
        }
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_not(set: &bool) -> bool {
    !set
}

fn hertz<'de, D: Deserializer<'de>>(d: D) -> Result<Option<f64>, D::Error> {
    let hz = Option::<f64>::deserialize(d)?;
    hz.map(|hz| crate::value_parsers::hertz(&hz.to_string()).map_err(D::Error::custom)).transpose()
}

mod seconds {
    use super::{Deserialize, Deserializer, Serializer, Time};
    use serde::de::Error as _;

    pub(super) fn serialize<S: Serializer>(time: &Option<Time>, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_some(&time.map(Time::as_secs_f64))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Option<Time>, D::Error> {
        let seconds = Option::<f64>::deserialize(d)?;
        seconds.map(|s| crate::value_parsers::seconds(&s.to_string()).map_err(D::Error::custom)).transpose()
    }
}

mod path {
    use super::{BoxPath, Deserialize, Deserializer, Serializer};
    use serde::de::Error as _;

    pub(super) fn serialize<S: Serializer>(path: &Option<BoxPath>, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_some(&path.as_ref().map(ToString::to_string))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Option<BoxPath>, D::Error> {
        let text = Option::<String>::deserialize(d)?;
        text.map(|text| text.parse().map_err(D::Error::custom)).transpose()
    }
}

/// What the machine's clock says, in seconds since 1970.
pub(crate) fn wall_clock() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() as i64)
}
