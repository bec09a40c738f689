//! The JSON form of a [`Value`]: one form for traces, tests and the command line.
//!
//! Floats are written with the shortest digits that read back equal. What JSON cannot say is
//! written as an object with one `$` key: `{"$bytes": "…base64…"}`, `{"$float": "nan"}`,
//! `{"$object": 3}`, and `{"$map": [[key, value], …]}` for a map whose keys are not plain text or
//! where a key begins with `$`.

use crate::{ObjectRef, Value};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use serde_json::Value as Json;
use std::fmt;

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Null => s.serialize_unit(),
            Value::Bool(b) => s.serialize_bool(*b),
            Value::Int(i) => s.serialize_i64(*i),
            Value::Float(x) if x.is_finite() => s.serialize_f64(*x),
            Value::Float(x) => tagged(
                s,
                "$float",
                if x.is_nan() {
                    "nan"
                } else if *x > 0.0 {
                    "inf"
                } else {
                    "-inf"
                },
            ),
            Value::Str(t) => s.serialize_str(t),
            Value::Bytes(b) => tagged(s, "$bytes", &STANDARD.encode(b)),
            Value::List(items) => {
                let mut seq = s.serialize_seq(Some(items.len()))?;
                for item in items.iter() {
                    seq.serialize_element(item)?;
                }
                seq.end()
            }
            Value::Map(pairs) => {
                let plain = pairs.iter().all(|(k, _)| k.as_str().is_some_and(|k| !k.starts_with('$')));
                if plain {
                    let mut map = s.serialize_map(Some(pairs.len()))?;
                    for (k, v) in pairs.iter() {
                        map.serialize_entry(k.as_str().unwrap_or_default(), v)?;
                    }
                    map.end()
                } else {
                    tagged(s, "$map", &pairs.iter().map(|(k, v)| (k, v)).collect::<Vec<_>>())
                }
            }
            Value::Object(o) => tagged(s, "$object", &o.id()),
        }
    }
}

fn tagged<S: Serializer, T: Serialize + ?Sized>(s: S, key: &str, value: &T) -> Result<S::Ok, S::Error> {
    let mut map = s.serialize_map(Some(1))?;
    map.serialize_entry(key, value)?;
    map.end()
}

/// JSON that is not a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JsonError {
    /// The text is not JSON; the message says where.
    Syntax(String),
    /// A `$` object that is not one of ours.
    BadTag(String),
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JsonError::Syntax(why) => write!(f, "not JSON: {why}"),
            JsonError::BadTag(tag) => write!(f, "`{tag}` is not a value tag"),
        }
    }
}

impl std::error::Error for JsonError {}

/// Reads the JSON form back.
pub fn value_from_json(text: &str) -> Result<Value, JsonError> {
    let json: Json = serde_json::from_str(text).map_err(|e| JsonError::Syntax(e.to_string()))?;
    from_json(&json)
}

fn from_json(json: &Json) -> Result<Value, JsonError> {
    Ok(match json {
        Json::Null => Value::Null,
        Json::Bool(b) => Value::Bool(*b),
        Json::Number(n) => match n.as_i64() {
            Some(i) => Value::Int(i),
            None => Value::Float(n.as_f64().unwrap_or(f64::NAN)),
        },
        Json::String(s) => Value::from(s.as_str()),
        Json::Array(items) => Value::List(items.iter().map(from_json).collect::<Result<_, _>>()?),
        Json::Object(map) => {
            if let (1, Some((key, inner))) = (map.len(), map.iter().next())
                && key.starts_with('$')
            {
                return from_tag(key, inner);
            }
            let pairs = map.iter().map(|(k, v)| Ok((Value::from(k.as_str()), from_json(v)?)));
            Value::Map(pairs.collect::<Result<_, _>>()?)
        }
    })
}

fn from_tag(key: &str, inner: &Json) -> Result<Value, JsonError> {
    let bad = || JsonError::BadTag(key.to_owned());
    Ok(match (key, inner) {
        ("$float", Json::String(s)) => Value::Float(match s.as_str() {
            "nan" => f64::NAN,
            "inf" => f64::INFINITY,
            "-inf" => f64::NEG_INFINITY,
            _ => return Err(bad()),
        }),
        ("$bytes", Json::String(s)) => Value::Bytes(STANDARD.decode(s).map_err(|_| bad())?.into()),
        ("$object", Json::Number(n)) => Value::Object(ObjectRef::new(n.as_u64().ok_or_else(bad)?)),
        ("$map", Json::Array(items)) => {
            let pairs = items.iter().map(|pair| match pair {
                Json::Array(kv) if kv.len() == 2 => Ok((from_json(&kv[0])?, from_json(&kv[1])?)),
                _ => Err(bad()),
            });
            Value::Map(pairs.collect::<Result<_, _>>()?)
        }
        _ => return Err(bad()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn back(v: &Value) -> Value {
        value_from_json(&v.to_string()).unwrap()
    }

    #[test]
    fn every_kind_comes_back() {
        let all = Value::list([
            Value::Null,
            Value::Bool(true),
            Value::Int(-3),
            Value::Float(1.0),
            Value::Float(0.1),
            Value::Float(f64::NEG_INFINITY),
            Value::from("é\"\\"),
            Value::Bytes([0u8, 255].as_slice().into()),
            Value::map([("a", Value::Int(1))]),
            Value::map([("$a", Value::Int(1))]),
            Value::Map([(Value::Int(1), Value::Null)].as_slice().into()),
            Value::Object(ObjectRef::new(4)),
        ]);
        assert_eq!(back(&all), all);
        assert!(matches!(back(&Value::Float(f64::NAN)), Value::Float(x) if x.is_nan()));
    }

    #[test]
    fn an_int_and_a_float_stay_apart() {
        assert_eq!(Value::Float(1.0).to_string(), "1.0");
        assert_eq!(Value::Int(1).to_string(), "1");
    }

    #[test]
    fn an_unknown_tag_is_refused() {
        assert_eq!(value_from_json(r#"{"$what": 1}"#), Err(JsonError::BadTag("$what".into())));
    }
}
