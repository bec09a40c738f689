//! The header and the footer of a trace.

use crate::ShowHeader;
use crate::serial::{determinism, is_default, pairs};
use crate::words::{ClockKind, EndReason};
use boxstep_types::{Time, Value};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The version of the form of traces. It is raised when a field changes its meaning, not when one is added.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Schema;

impl Schema {
    /// The version that this program writes and reads.
    pub const VERSION: u32 = 1;
}

impl Serialize for Schema {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_u32(Self::VERSION)
    }
}

impl<'de> Deserialize<'de> for Schema {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        match u32::deserialize(d)? {
            Self::VERSION => Ok(Self),
            other => {
                let reads = Self::VERSION;
                Err(serde::de::Error::custom(format!(
                    "the trace has the schema {other}, and this version reads {reads}"
                )))
            }
        }
    }
}

/// The first line of a trace.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Header {
    /// The version of the form.
    #[cfg_attr(feature = "schema", schemars(with = "u32"))]
    pub schema: Schema,
    /// e.g. `boxstep 0.1.0`
    #[serde(default)]
    pub product: String,
    /// Files of the behavior: name as given, SHA-256 in hex.
    #[serde(default, with = "pairs")]
    #[cfg_attr(feature = "schema", schemars(with = "std::collections::BTreeMap<String, String>"))]
    pub files: Vec<(String, String)>,
    /// Body, e.g. `nao`.
    #[serde(default)]
    pub body: String,
    /// Which clock the run had.
    #[serde(default = "virtual_time")]
    pub clock: ClockKind,
    /// Random seed.
    #[serde(default)]
    pub seed: u64,
    /// What the virtual clock says at time zero: seconds since 1970, UTC.
    #[serde(default)]
    pub epoch: i64,
    /// Parameters set from outside: `Path/Parameter` and value.
    #[serde(default, with = "pairs")]
    #[cfg_attr(feature = "schema", schemars(with = "std::collections::BTreeMap<String, Value>"))]
    pub parameters: Vec<(String, Value)>,
    /// Other options that change what happens.
    #[serde(default, with = "pairs")]
    #[cfg_attr(feature = "schema", schemars(with = "std::collections::BTreeMap<String, Value>"))]
    pub options: Vec<(String, Value)>,
    /// Wall-clock time of the start (RFC 3339); in real time only, because it differs each run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started: Option<String>,
    /// Of the recording of a whole show: what it is made of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub show: Option<Box<ShowHeader>>,
}

fn virtual_time() -> ClockKind {
    ClockKind::Virtual
}

impl Header {
    /// Creates a header that states nothing but the clock of the run.
    pub fn new(clock: ClockKind) -> Self {
        Self {
            schema: Schema,
            product: String::new(),
            files: Vec::new(),
            body: String::new(),
            clock,
            seed: 0,
            epoch: 0,
            parameters: Vec::new(),
            options: Vec::new(),
            started: None,
            show: None,
        }
    }

    /// Deserializes all options of the run into one value.
    ///
    /// # Errors
    /// The options do not match the type `T`.
    pub fn options_as<T: DeserializeOwned>(&self) -> Result<T, String> {
        let fields = Options { options: self.options.clone() };
        let value = serde_json::to_value(fields).map_err(|e| e.to_string())?;
        serde_json::from_value::<Whole<T>>(value).map(|whole| whole.options).map_err(|e| format!("options: {e}"))
    }

    /// Converts the fields of one value to options, in the order of the fields.
    ///
    /// # Errors
    /// The value cannot be represented as JSON.
    pub fn options_of(value: &impl Serialize) -> Result<Vec<(String, Value)>, String> {
        // Goes through text, because serde_json's maps do not keep the order of fields.
        let text = serde_json::to_string(&Whole { options: value }).map_err(|e| e.to_string())?;
        serde_json::from_str::<Options>(&text).map(|all| all.options).map_err(|e| e.to_string())
    }

    /// Returns an option of the run by its name.
    pub fn option(&self, name: &str) -> Option<&Value> {
        self.options.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }
}

#[derive(Serialize, Deserialize)]
struct Options {
    #[serde(with = "pairs")]
    options: Vec<(String, Value)>,
}

#[derive(Serialize, Deserialize)]
struct Whole<T> {
    options: T,
}

/// The last line of a trace.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Footer {
    /// How the run ended.
    pub reason: EndReason,
    /// When.
    #[serde(default)]
    pub t: Time,
    /// Number of events.
    #[serde(default)]
    pub events: u64,
    /// Scripts that raised.
    #[serde(default)]
    pub errors: u64,
    /// Stops that took too long and were ended by force.
    #[serde(default, skip_serializing_if = "is_default")]
    pub forced: u64,
    /// Scripts that do not compile, and dialogs that cannot be loaded: their boxes took no part.
    #[serde(default, skip_serializing_if = "is_default")]
    pub not_compiled: u64,
    /// Unsupported calls met.
    #[serde(default)]
    pub unsupported: u64,
    /// Stimulations dropped.
    #[serde(default)]
    pub dropped: u64,
    /// Warnings.
    #[serde(default)]
    pub warnings: u64,
    /// Whether the same run would give the same trace (`deterministic`), and if not, why (`why`).
    #[serde(flatten, with = "determinism")]
    #[cfg_attr(feature = "schema", schemars(with = "determinism::Fields"))]
    pub deterministic: Result<(), String>,
}
