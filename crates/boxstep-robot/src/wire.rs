//! Conversion between the engine's values and those of the qi protocol. No other file knows both.
//!
//! Values are sent as Python's `qi` sends them, so that a robot receives from Boxstep what it receives from
//! Choregraphe: 64-bit integers, 64-bit floats, lists and maps of dynamics. The owner of a method converts them to the
//! types of its signature.

use boxstep_qi::{self as qi, ObjectValue};
use boxstep_types::{ObjectRef, Value};

/// Converts objects between scripts and the other side.
pub trait Objects {
    /// Returns what scripts get for an object of the other side. `Value::Null` if scripts can do nothing with it.
    fn received(&mut self, object: &ObjectValue) -> Value {
        let _ = object;
        Value::Null
    }

    /// Returns what the other side gets for a local object, or `None` if it cannot be sent.
    fn sent(&mut self, object: &ObjectRef) -> Option<ObjectValue> {
        let _ = object;
        None
    }
}

/// For values without objects: objects become nothing.
pub struct NoObjects;

impl Objects for NoObjects {}

/// Converts a value of a script or a service to the protocol.
///
/// ```
/// use boxstep_robot::wire::{NoObjects, from_wire, to_wire};
/// use boxstep_types::Value;
///
/// let angles = Value::list(["HeadYaw".into(), 0.5.into()]);
/// let wire = to_wire(&angles, &mut NoObjects);
/// assert_eq!(from_wire(&wire, &mut NoObjects), angles);
/// ```
pub fn to_wire(value: &Value, objects: &mut dyn Objects) -> qi::Value {
    match value {
        Value::Null => qi::Value::Void,
        Value::Bool(x) => qi::Value::Bool(*x),
        Value::Int(x) => qi::Value::I64(*x),
        Value::Float(x) => qi::Value::F64(*x),
        Value::Str(text) => qi::Value::from(&**text),
        Value::Bytes(bytes) => qi::Value::Raw(bytes.to_vec()),
        Value::List(items) => qi::Value::list(items.iter().map(|item| to_wire(item, objects))),
        Value::Map(pairs) => qi::Value::map(pairs.iter().map(|(k, v)| (to_wire(k, objects), to_wire(v, objects)))),
        Value::Object(object) => objects.sent(object).map_or(qi::Value::Void, qi::Value::Object),
    }
}

/// Converts a received value. Tuples and structs become lists of their members, a string that is not UTF-8 becomes
/// bytes, and an integer beyond a signed 64-bit one becomes a float.
pub fn from_wire(value: &qi::Value, objects: &mut dyn Objects) -> Value {
    let mut list = |items: &[qi::Value]| Value::list(items.iter().map(|item| from_wire(item, objects)));
    match value {
        qi::Value::Void | qi::Value::Unknown => Value::Null,
        qi::Value::Bool(x) => Value::Bool(*x),
        qi::Value::F32(x) => Value::Float(f64::from(*x)),
        qi::Value::F64(x) => Value::Float(*x),
        qi::Value::Str(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => Value::from(text),
            Err(_) => Value::Bytes(bytes.as_slice().into()),
        },
        qi::Value::Raw(bytes) => Value::Bytes(bytes.as_slice().into()),
        qi::Value::List(of) => list(&of.items),
        qi::Value::Tuple(of) => list(&of.members),
        qi::Value::Map(of) => {
            Value::Map(of.entries.iter().map(|(k, v)| (from_wire(k, objects), from_wire(v, objects))).collect())
        }
        qi::Value::Optional(of) => of.value.as_ref().map_or(Value::Null, |value| from_wire(value, objects)),
        qi::Value::Dynamic(inner) => from_wire(inner, objects),
        qi::Value::Object(object) => objects.received(object),
        number => match number.as_i64() {
            Some(x) => Value::Int(x),
            None => number.as_f64().map_or(Value::Null, Value::Float),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_scripts_survive_a_round_trip() {
        let value = Value::list([
            Value::Null,
            Value::Bool(true),
            Value::Int(-7),
            Value::Float(0.1),
            Value::from("grüß"),
            Value::Bytes([0, 255].into()),
            Value::map([("a", Value::list([Value::Int(1)]))]),
        ]);
        assert_eq!(from_wire(&to_wire(&value, &mut NoObjects), &mut NoObjects), value);
    }

    #[test]
    fn numbers_of_all_widths_are_numbers() {
        let from = |value| from_wire(&value, &mut NoObjects);
        assert_eq!(from(qi::Value::U8(255)), Value::Int(255));
        assert_eq!(from(qi::Value::I32(-1).dynamic()), Value::Int(-1));
        assert_eq!(from(qi::Value::F32(0.5)), Value::Float(0.5));
        assert_eq!(from(qi::Value::U64(u64::MAX)), Value::Float(18_446_744_073_709_551_615.0));
    }

    #[test]
    fn tuples_are_lists_and_bad_text_is_bytes() {
        let from = |value| from_wire(&value, &mut NoObjects);
        assert_eq!(
            from(qi::Value::tuple(vec![1i32.into(), "x".into()])),
            Value::list([Value::Int(1), Value::from("x")])
        );
        assert_eq!(from(qi::Value::Str(vec![0xff])), Value::Bytes([0xff].into()));
    }
}
