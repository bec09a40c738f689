//! The JSON form of a [`Value`]: one form for traces, tests and the command line.
//!
//! Floats are written with the shortest digits that read back equal. A value that JSON cannot express is written as an
//! object with one `$` key: `{"$bytes": "…base64…"}`, `{"$float": "nan"}`, `{"$object": 3}`, and `{"$map": [[key,
//! value], …]}` for a map in which a key is not a string or begins with `$`; and `{"$digest": {…}}` for a binary value of
//! which only facts are kept, which is read as a map with that key.

use crate::{ObjectRef, Value};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use std::fmt;
use std::sync::Arc;

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
                if let [(Value::Str(key), facts @ Value::Map(_))] = &**pairs
                    && **key == *Value::DIGEST
                {
                    return tagged(s, Value::DIGEST, facts);
                }
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

/// Why text could not be read as a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JsonError {
    /// The text is not JSON; the message says where.
    Syntax(String),
    /// An object with a `$` key that is not one of this module's tags.
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

/// Parses a value from its JSON form.
///
/// # Errors
/// The text is not JSON, or contains an unknown or malformed `$` tag.
pub fn value_from_json(text: &str) -> Result<Value, JsonError> {
    let read: Read = serde_json::from_str(text).map_err(|e| JsonError::Syntax(e.to_string()))?;
    read.0.map_err(JsonError::BadTag)
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        Read::deserialize(d)?.0.map_err(|tag| D::Error::custom(JsonError::BadTag(tag)))
    }
}

/// The value read, or the unknown `$` tag. The pairs of a map keep their order.
struct Read(Result<Value, String>);

impl<'de> Deserialize<'de> for Read {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        d.deserialize_any(ReadVisitor)
    }
}

struct ReadVisitor;

fn read_ok<E>(value: impl Into<Value>) -> Result<Read, E> {
    Ok(Read(Ok(value.into())))
}

impl<'de> Visitor<'de> for ReadVisitor {
    type Value = Read;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Read, E> {
        Ok(Read(Ok(Value::Null)))
    }

    fn visit_bool<E>(self, b: bool) -> Result<Read, E> {
        read_ok(b)
    }

    fn visit_i64<E>(self, n: i64) -> Result<Read, E> {
        read_ok(n)
    }

    /// An integer that does not fit into an `i64` becomes a float.
    fn visit_u64<E>(self, n: u64) -> Result<Read, E> {
        Ok(Read(Ok(i64::try_from(n).map_or(Value::Float(n as f64), Value::Int))))
    }

    fn visit_f64<E>(self, x: f64) -> Result<Read, E> {
        read_ok(x)
    }

    fn visit_str<E>(self, text: &str) -> Result<Read, E> {
        read_ok(text)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Read, A::Error> {
        let mut items = Vec::new();
        while let Some(Read(item)) = seq.next_element()? {
            items.push(item);
        }
        Ok(Read(items.into_iter().collect::<Result<Vec<Value>, String>>().map(Value::list)))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Read, A::Error> {
        let mut pairs: Vec<(Arc<str>, Value)> = Vec::new();
        let mut wrong = None;
        while let Some((key, Read(value))) = map.next_entry::<String, Read>()? {
            match value {
                // If a key occurs twice, the last pair counts.
                Ok(value) => match pairs.iter_mut().find(|(k, _)| **k == *key) {
                    Some(pair) => pair.1 = value,
                    None => pairs.push((key.into(), value)),
                },
                Err(tag) => wrong = wrong.or(Some(tag)),
            }
        }
        if let Some(tag) = wrong {
            return Ok(Read(Err(tag)));
        }
        Ok(Read(match pairs.as_slice() {
            [(key, inner)] if key.starts_with('$') => from_tag(key, inner).ok_or_else(|| key.to_string()),
            _ => Ok(Value::map(pairs)),
        }))
    }
}

fn from_tag(key: &str, inner: &Value) -> Option<Value> {
    Some(match (key, inner) {
        ("$float", Value::Str(s)) => Value::Float(match &**s {
            "nan" => f64::NAN,
            "inf" => f64::INFINITY,
            "-inf" => f64::NEG_INFINITY,
            _ => return None,
        }),
        ("$bytes", Value::Str(s)) => Value::Bytes(STANDARD.decode(&**s).ok()?.into()),
        (Value::DIGEST, facts @ Value::Map(_)) => Value::map([(Value::DIGEST, facts.clone())]),
        ("$object", Value::Int(n)) => Value::Object(ObjectRef::new(u64::try_from(*n).ok()?)),
        ("$map", Value::List(items)) => {
            let pairs = items.iter().map(|pair| match pair.as_list() {
                Some([key, value]) => Some((key.clone(), value.clone())),
                _ => None,
            });
            Value::Map(pairs.collect::<Option<_>>()?)
        }
        _ => return None,
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
            Value::digest([("size", Value::Int(9))]),
            Value::map([("$digest", Value::Int(1))]),
        ]);
        assert_eq!(back(&all), all);
        assert!(matches!(back(&Value::Float(f64::NAN)), Value::Float(x) if x.is_nan()));
    }

    #[test]
    fn the_pairs_of_a_map_keep_their_order_and_every_float_its_last_bit() {
        for text in [r#"{"z":1,"a":{"y":[],"b":null}}"#, "[0.1,2.2250738585072014e-308,123456789.12345679,-0.0]"] {
            assert_eq!(value_from_json(text).unwrap().to_string(), text);
        }
        for n in 0..10_000u64 {
            let x = f64::from_bits(0x3ff0_0000_0000_0000 ^ n.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 4);
            assert_eq!(back(&Value::Float(x)), Value::Float(x));
        }
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
