//! The types of values, times, boxes and calls in a test file.

use boxstep_types::{BoxPath, Time, Value};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error, IntoDeserializer, MapAccess, Visitor};
use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

/// Implements the schema of a type that is written in the form of another type.
macro_rules! schema {
    ($type:ty, $name:literal, $schema:tt) => {
        impl JsonSchema for $type {
            fn schema_name() -> Cow<'static, str> {
                $name.into()
            }
            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!($schema)
            }
        }
    };
}

/// A value; tables with one `$` key are the tagged forms of JSON values (`docs/reference/trace.md`),
/// and `{ "$null" = true }` is no value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TomlValue(pub Value);

schema!(TomlValue, "Value", { "description": "Any value." });

impl<'de> Deserialize<'de> for TomlValue {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        value(toml::Value::deserialize(d)?).map(Self).map_err(D::Error::custom)
    }
}

fn value(toml: toml::Value) -> Result<Value, String> {
    Ok(match toml {
        toml::Value::String(text) => text.into(),
        toml::Value::Integer(i) => Value::Int(i),
        toml::Value::Float(x) => Value::Float(x),
        toml::Value::Boolean(b) => Value::Bool(b),
        toml::Value::Datetime(at) => at.to_string().into(),
        toml::Value::Array(items) => Value::List(items.into_iter().map(value).collect::<Result<_, _>>()?),
        toml::Value::Table(table) => {
            let tagged = table.len() == 1 && table.keys().all(|key| key.starts_with('$'));
            if tagged && table.contains_key("$null") {
                return Ok(Value::Null);
            }
            if let (true, Some(pairs)) = (tagged, table.get("$map")) {
                return map(pairs.clone());
            }
            if tagged {
                return Value::deserialize(toml::Value::Table(table)).map_err(|e| e.message().to_owned());
            }
            let pairs = table.into_iter().map(|(key, v)| Ok((Value::from(key), value(v)?)));
            Value::Map(pairs.collect::<Result<_, String>>()?)
        }
    })
}

/// Parses `[[key, value], …]`, which is used for keys that are not plain text.
fn map(pairs: toml::Value) -> Result<Value, String> {
    let wrong = || "`$map` is a list of pairs, each a list of key and value".to_owned();
    let toml::Value::Array(pairs) = pairs else { return Err(wrong()) };
    let pair = |pair: toml::Value| match pair {
        toml::Value::Array(items) => match <[toml::Value; 2]>::try_from(items) {
            Ok([key, item]) => Ok((value(key)?, value(item)?)),
            Err(_) => Err(wrong()),
        },
        _ => Err(wrong()),
    };
    pairs.into_iter().map(pair).collect::<Result<_, _>>().map(Value::Map)
}

/// An argument of a call: a value, or `{ any = true }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Arg(pub Option<Value>);

schema!(Arg, "Argument", { "description": "A value, or { any = true } for whatever it is." });

impl<'de> Deserialize<'de> for Arg {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let TomlValue(value) = TomlValue::deserialize(d)?;
        let any = value.as_map().is_some_and(|pairs| pairs.len() == 1) && value.get("any") == Some(&Value::Bool(true));
        Ok(Self((!any).then_some(value)))
    }
}

/// A time or duration of the run, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Seconds(pub Time);

schema!(Seconds, "Seconds", { "type": "number", "minimum": 0, "exclusiveMaximum": 1e9 });

impl<'de> Deserialize<'de> for Seconds {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        match f64::deserialize(d)? {
            s if (0.0..1e9).contains(&s) => Ok(Self(Time::from_secs_f64(s))),
            s => Err(D::Error::custom(format!("`{s}` is not a number of seconds of a run"))),
        }
    }
}

/// The time of the virtual clock at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Epoch(pub i64);

schema!(Epoch, "Epoch", {
    "description": "Seconds since 1970, or a time such as 2020-01-01T00:00:00Z.",
    "type": ["integer", "string"]
});

impl<'de> Deserialize<'de> for Epoch {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let text = match toml::Value::deserialize(d)? {
            toml::Value::String(text) => text,
            toml::Value::Integer(seconds) => seconds.to_string(),
            toml::Value::Datetime(at) => at.to_string(),
            other => return Err(D::Error::custom(format!("a time, not {}", other.type_str()))),
        };
        boxstep_types::calendar::parse_epoch(&text).map(Self).map_err(D::Error::custom)
    }
}

/// A type that is read from a single text.
pub(crate) trait Word: Sized {
    const EXPECTED: &'static str;
    fn read(text: &str) -> Result<Self, String>;
}

/// Reads a [`Word`].
pub(crate) fn word<'de, D: Deserializer<'de>, W: Word>(d: D) -> Result<W, D::Error> {
    struct Text<W>(PhantomData<W>);
    impl<W: Word> Visitor<'_> for Text<W> {
        type Value = W;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(W::EXPECTED)
        }
        fn visit_str<E: Error>(self, text: &str) -> Result<W, E> {
            W::read(text).map_err(E::custom)
        }
    }
    d.deserialize_str(Text(PhantomData))
}

macro_rules! word {
    ($type:ty, $name:literal) => {
        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                word(d)
            }
        }
        schema!($type, $name, { "type": "string", "description": <$type as Word>::EXPECTED });
    };
}

/// A box by its path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathWord(pub BoxPath);

impl Word for PathWord {
    const EXPECTED: &'static str = "The path of a box, such as `root/Say`.";
    fn read(text: &str) -> Result<Self, String> {
        text.parse().map(Self).map_err(|e: boxstep_types::PathError| e.to_string())
    }
}
word!(PathWord, "BoxPath");

/// A simulated body: `nao`, `nao-v3.3`, `pepper`, or a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BodyWord(pub String);

impl BodyWord {
    /// Returns whether the body is a file.
    pub fn is_file(&self) -> bool {
        [".toml", ".urdf"].iter().any(|ending| self.0.len() > ending.len() && self.0.ends_with(ending))
    }
}

impl Word for BodyWord {
    const EXPECTED: &'static str =
        "`nao`, `nao-v3.3`, `pepper`, or a body file (`.toml` or `.urdf`), relative to the folder of this file.";
    fn read(text: &str) -> Result<Self, String> {
        let word = Self(text.to_owned());
        if word.is_file() || ["nao", "nao-v3.3", "pepper"].contains(&text) {
            return Ok(word);
        }
        Err(format!("there is no body `{text}`: nao, nao-v3.3, pepper, or your own file (.toml or .urdf)"))
    }
}

impl<'de> Deserialize<'de> for BodyWord {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        word(d)
    }
}
schema!(BodyWord, "Body", {
    "type": "string",
    "description": <BodyWord as Word>::EXPECTED,
    "pattern": "^(nao|pepper|.+\\.(toml|urdf))$"
});

/// A box and one of its parameters: `root/Say/Text`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Parameter {
    /// The box.
    pub path: BoxPath,
    /// The parameter.
    pub name: String,
}

impl Word for Parameter {
    const EXPECTED: &'static str = "The path of a box and one of its parameters, such as `root/Say/Text`.";
    fn read(text: &str) -> Result<Self, String> {
        let (path, name) = BoxPath::with_member(text, '/').map_err(|e| match e {
            Some(e) => e.to_string(),
            None => format!("`{text}` has no `/` between box and parameter"),
        })?;
        Ok(Self { path, name })
    }
}
word!(Parameter, "Parameter");

/// A method of a service: `ALMotion.wakeUp`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Method {
    /// `ALMotion`
    pub service: String,
    /// `wakeUp`
    pub method: String,
}

impl Word for Method {
    const EXPECTED: &'static str = "A service and one of its methods, such as `ALMotion.wakeUp`.";
    fn read(text: &str) -> Result<Self, String> {
        let parts = text.rsplit_once('.').filter(|(service, method)| !service.is_empty() && !method.is_empty());
        let (service, method) = parts.ok_or_else(|| format!("`{text}` is not written SERVICE.METHOD"))?;
        Ok(Self { service: service.to_owned(), method: method.to_owned() })
    }
}
word!(Method, "Method");

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.service, self.method)
    }
}

/// A type that may be written as a single text or as a table.
pub(crate) trait Short: Sized {
    const EXPECTED: &'static str;
    fn short(text: &str) -> Result<Self, String>;
    fn table<'de, D: Deserializer<'de>>(d: D) -> Result<Self, D::Error>;
}

/// Reads a [`Short`], either as text or as a table. An untagged enum would not report what is wrong in the table.
pub(crate) fn text_or_table<'de, D: Deserializer<'de>, T: Short>(d: D) -> Result<T, D::Error> {
    struct Either<T>(PhantomData<T>);
    impl<'de, T: Short> Visitor<'de> for Either<T> {
        type Value = T;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(T::EXPECTED)
        }
        fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
            T::short(text).map_err(E::custom)
        }
        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
            T::table(MapAccessDeserializer::new(map))
        }
    }
    d.deserialize_any(Either(PhantomData))
}

/// Parses a type from a text by its `Deserialize` implementation.
pub(crate) fn from_text<T: for<'de> Deserialize<'de>>(text: &str) -> Result<T, String> {
    let d: serde::de::value::StrDeserializer<'_, serde::de::value::Error> = text.into_deserializer();
    T::deserialize(d).map_err(|e| e.to_string())
}
