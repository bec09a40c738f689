//! All that decides a run, wherever it is said: the arguments of `play`, a test file, the first line of a recording, a child's arguments,
//! Python. An option that changes what happens is a field here; recordings, replays and children have it then.

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
use std::time::Duration;

/// How long a script may compute while nothing else can happen, if nothing says it.
const PATIENCE: Time = Time::from_millis(30_000);

/// What the virtual clock says at the start if nothing says it: 2020-01-01T00:00:00Z.
const EPOCH: i64 = 1_577_836_800;

/// What a run is asked for; `None` or false where nothing says it. As JSON its fields have the names of the options of `play`, and
/// numbers are seconds or Hz; those that recordings have come first, in their order there.
#[derive(Clone, Debug, Default, PartialEq, Args, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub(crate) struct RunSpec {
    /// Which behavior, if there are several
    #[arg(long, value_name = "NAME")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) behavior: Option<String>,
    /// The character that played, in a recording
    #[arg(skip)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) character: Option<String>,
    /// Language of speech and of localized parameters [default: the robot's]
    #[arg(long, value_name = "LANGUAGE", help_heading = "Robot")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) language: Option<String>,
    /// How box scripts run
    #[arg(long, value_enum, value_name = "HOW", help = SCRIPTS, help_heading = "Scripts")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) scripts: Option<Scripts>,
    /// Play one box alone: it is the root of what plays, and all other paths begin with it as `root`
    #[arg(long = "box", value_name = "PATH")]
    #[serde(rename = "box", with = "path", skip_serializing_if = "Option::is_none")]
    pub(crate) alone: Option<BoxPath>,
    /// The robot that a recorded run was on, as messages name it
    #[arg(skip)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) robot: Option<String>,
    /// The SHA-256 of its file, if it was written in Python
    #[arg(skip)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) robot_file: Option<String>,
    /// The SHA-256 of the file of the body, if it was one of one's own
    #[arg(skip)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) body_file: Option<String>,
    /// Stop the behavior after this many seconds of its own time
    #[arg(long = "for", value_name = "SECONDS", value_parser = crate::value_parsers::seconds, help_heading = "Time")]
    #[serde(rename = "for", with = "seconds", skip_serializing_if = "Option::is_none")]
    pub(crate) limit: Option<Time>,
    /// How long a stop may take, on the behavior's own clock, before it is forced; an interrupt has at most 1.5 s [default: 10]
    #[arg(long, value_name = "SECONDS", value_parser = crate::value_parsers::seconds, help_heading = "Time")]
    #[serde(alias = "stop_within", with = "seconds", skip_serializing_if = "Option::is_none")]
    pub(crate) stop_within: Option<Time>,
    /// Let scripts use the network and other programs in virtual time
    #[arg(long, help_heading = "Scripts")]
    #[serde(skip_serializing_if = "is_not")]
    pub(crate) network: bool,
    /// Numbers on links have 32 bits, as in NAOqi
    #[arg(long, help_heading = "Behavior")]
    #[serde(skip_serializing_if = "is_not")]
    pub(crate) naoqi_numbers: bool,
    /// Sample joint angles this many times a second
    #[arg(long, value_name = "HZ", value_parser = crate::value_parsers::hertz, help_heading = "Output")]
    #[serde(deserialize_with = "hertz", skip_serializing_if = "Option::is_none")]
    pub(crate) joints: Option<f64>,
    /// Answers in the place of services, in a recording: each by the keys of a test file
    #[arg(skip)]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) mocks: Vec<Value>,

    /// The simulated body: nao, pepper, or a file of one's own (.toml, .urdf) [default: what the files were made for]
    #[arg(long, value_name = "BODY", value_parser = body_name, help_heading = "Robot")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) body: Option<String>,
    /// Let time pass only when nothing else can happen
    #[arg(long, help_heading = "Time")]
    #[serde(alias = "virtual_time", skip_serializing_if = "is_not")]
    pub(crate) virtual_time: bool,
    /// What the virtual clock says at the start: seconds since 1970, or a time [default: 2020-01-01T00:00:00Z]
    #[arg(long, value_name = "TIME", value_parser = boxstep_types::calendar::parse_epoch, help_heading = "Time")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) epoch: Option<i64>,
    /// Seed of every random number [default: 0]
    #[arg(long, value_name = "NUMBER", help_heading = "Time")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) seed: Option<u64>,
    /// The Python to run them in [default: that of the environment]
    #[arg(long, value_name = "PROGRAM", help_heading = "Scripts")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) python: Option<PathBuf>,
    /// Which package `qi` scripts get [default: own]
    #[arg(long, value_enum, value_name = "WHICH", help_heading = "Scripts")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) qi: Option<Qi>,
    /// How long to wait for the load of the behavior and, in virtual time, for a script that computes while nothing else can happen [default: 30]
    #[arg(long, value_name = "SECONDS", value_parser = crate::value_parsers::seconds, help_heading = "Scripts")]
    #[serde(with = "seconds", skip_serializing_if = "Option::is_none")]
    pub(crate) patience: Option<Time>,
}

const SCRIPTS: &str = if cfg!(feature = "native") {
    "How box scripts run [default: native]"
} else {
    "How box scripts run [default: process]"
};

impl RunSpec {
    /// What the first line of a recording says. A trace does not hold the file of a body of one's own, nor need this program have the
    /// Python that ran the scripts.
    ///
    /// # Errors
    /// An option that is not as this version writes it.
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

    /// From JSON, by the names of the options.
    ///
    /// # Errors
    /// The name of the first field that is not as it should be, and why.
    pub(crate) fn read(fields: &Map<String, serde_json::Value>) -> Result<Self, String> {
        serde_json::from_value(fields.clone().into()).map_err(|whole| {
            let alone = |(name, value): (&String, &serde_json::Value)| {
                let field = Map::from_iter([(name.clone(), value.clone())]);
                serde_json::from_value::<Self>(field.into()).err().map(|why| format!("{name}: {why}"))
            };
            fields.iter().find_map(alone).unwrap_or_else(|| whole.to_string())
        })
    }

    /// What this says, and where it says nothing what `below` says.
    ///
    /// # Errors
    /// A value that JSON cannot hold.
    pub(crate) fn over(&self, below: &Self) -> Result<Self, String> {
        let plain = |e: serde_json::Error| e.to_string();
        let mut all = below.fields()?;
        all.extend(self.fields()?);
        serde_json::from_value(all.into()).map_err(plain)
    }

    fn fields(&self) -> Result<Map<String, serde_json::Value>, String> {
        match serde_json::to_value(self).map_err(|e| e.to_string())? {
            serde_json::Value::Object(fields) => Ok(fields),
            _ => Ok(Map::new()),
        }
    }

    /// What recordings say among their options: neither what their first line has in fields of its own, nor what this machine decides.
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

    /// As arguments of `play`, an option and its value in one word each.
    ///
    /// # Errors
    /// A value that JSON cannot hold.
    pub(crate) fn to_args(&self) -> Result<Vec<OsString>, String> {
        let word = |(name, value)| match value {
            serde_json::Value::Bool(_) => format!("--{name}").into(),
            serde_json::Value::String(text) => format!("--{name}={text}").into(),
            other => format!("--{name}={other}").into(),
        };
        Ok(self.fields()?.into_iter().map(word).collect())
    }

    /// How box scripts run.
    pub(crate) fn how(&self) -> Scripts {
        self.scripts.unwrap_or(Scripts::DEFAULT)
    }

    /// How long a script may compute while nothing else can happen.
    pub(crate) fn patience(&self) -> Duration {
        self.patience.unwrap_or(PATIENCE).since(Time::ZERO)
    }

    /// What a test file says of it. All that is not named here happens to the run, or answers it.
    pub(crate) fn of_file(given: &Given) -> Self {
        let Given { body, language, seed, epoch, limit, network, set: _, memory: _, events: _, stimulate: _, mocks: _ } =
            given.clone();
        Self {
            body: body.map(|body| body.0),
            language,
            seed,
            epoch: epoch.map(|epoch| epoch.0),
            limit: limit.map(|limit| limit.0),
            network: network == Some(true),
            ..Self::default()
        }
    }

    /// What the virtual clock says at the start: seconds since 1970.
    pub(crate) fn epoch(&self) -> i64 {
        self.epoch.unwrap_or(EPOCH)
    }

    /// The engine's options.
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
