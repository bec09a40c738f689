//! Values of the protocol.

use crate::object::ObjectValue;
use crate::signature::{Annotation, Signature, TupleType};
use std::sync::Arc;

/// A value together with its type. A decoded value can be encoded to the same bytes: integer widths, element types and
/// the field names of structs are kept.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(missing_docs)] // The names say it.
pub enum Value {
    #[default]
    Void,
    /// A dynamic that holds nothing, not even a type.
    Unknown,
    Bool(bool),
    I8(i8),
    U8(u8),
    I16(i16),
    U16(u16),
    I32(i32),
    U32(u32),
    I64(i64),
    U64(u64),
    F32(f32),
    F64(f64),
    /// A string: bytes that are usually UTF-8; see [`Value::as_str`].
    Str(Vec<u8>),
    Raw(Vec<u8>),
    List(Box<List>),
    Map(Box<Map>),
    Tuple(Box<Tuple>),
    Optional(Box<Optional>),
    /// A value that travels with its signature.
    Dynamic(Box<Value>),
    Object(ObjectValue),
}

/// A list, with the type of its elements.
#[derive(Clone, Debug, PartialEq)]
pub struct List {
    /// The type of every item.
    pub element: Signature,
    /// The items.
    pub items: Vec<Value>,
}

/// A map, with its entries in the order in which the sender wrote them.
#[derive(Clone, Debug, PartialEq)]
pub struct Map {
    /// The type of the keys.
    pub key: Signature,
    /// The type of the values.
    pub value: Signature,
    /// The keys and values.
    pub entries: Vec<(Value, Value)>,
}

/// A tuple, or a struct if it has an annotation.
#[derive(Clone, Debug)]
pub struct Tuple {
    /// The members.
    pub members: Vec<Value>,
    /// The names of the struct and its fields, for a struct.
    pub annotation: Option<Annotation>,
}

impl PartialEq for Tuple {
    fn eq(&self, other: &Tuple) -> bool {
        self.members == other.members
    }
}

/// An optional value.
#[derive(Clone, Debug, PartialEq)]
pub struct Optional {
    /// The type of the value if it is present.
    pub inner: Signature,
    /// The value, if it is present.
    pub value: Option<Value>,
}

impl Value {
    /// Returns a list of dynamics, as Python and NAOqi send lists.
    pub fn list(items: impl IntoIterator<Item = Value>) -> Value {
        let items = items.into_iter().map(Value::dynamic).collect();
        Value::List(Box::new(List { element: Signature::Dynamic, items }))
    }

    /// Returns a list whose items all have the type `element`.
    pub fn list_of(element: Signature, items: Vec<Value>) -> Value {
        Value::List(Box::new(List { element, items }))
    }

    /// Returns a map of dynamics to dynamics, as Python sends dictionaries.
    pub fn map(entries: impl IntoIterator<Item = (Value, Value)>) -> Value {
        let entries = entries.into_iter().map(|(k, v)| (k.dynamic(), v.dynamic())).collect();
        Value::Map(Box::new(Map { key: Signature::Dynamic, value: Signature::Dynamic, entries }))
    }

    /// Returns a map with keys and values of these types.
    pub fn map_of(key: Signature, value: Signature, entries: Vec<(Value, Value)>) -> Value {
        Value::Map(Box::new(Map { key, value, entries }))
    }

    /// Returns a tuple without names.
    pub fn tuple(members: Vec<Value>) -> Value {
        Value::Tuple(Box::new(Tuple { members, annotation: None }))
    }

    /// Wraps this value in a dynamic; a value that is already dynamic stays as it is.
    #[must_use]
    pub fn dynamic(self) -> Value {
        match self {
            Value::Dynamic(_) => self,
            other => Value::Dynamic(Box::new(other)),
        }
    }

    /// Returns the value inside a dynamic, however deeply dynamics are nested, or this value itself if it is not
    /// dynamic.
    pub fn plain(&self) -> &Value {
        let mut value = self;
        while let Value::Dynamic(inner) = value {
            value = inner;
        }
        value
    }

    /// Like [`Value::plain`], but consumes and returns the value.
    #[must_use]
    pub fn into_plain(self) -> Value {
        let mut value = self;
        while let Value::Dynamic(inner) = value {
            value = *inner;
        }
        value
    }

    /// Returns the type of this value.
    pub fn signature(&self) -> Signature {
        match self {
            Value::Void => Signature::Void,
            Value::Unknown => Signature::Unknown,
            Value::Bool(_) => Signature::Bool,
            Value::I8(_) => Signature::I8,
            Value::U8(_) => Signature::U8,
            Value::I16(_) => Signature::I16,
            Value::U16(_) => Signature::U16,
            Value::I32(_) => Signature::I32,
            Value::U32(_) => Signature::U32,
            Value::I64(_) => Signature::I64,
            Value::U64(_) => Signature::U64,
            Value::F32(_) => Signature::F32,
            Value::F64(_) => Signature::F64,
            Value::Str(_) => Signature::Str,
            Value::Raw(_) => Signature::Raw,
            Value::List(list) => Signature::list(list.element.clone()),
            Value::Map(map) => Signature::map(map.key.clone(), map.value.clone()),
            Value::Tuple(tuple) => Signature::Tuple(Arc::new(TupleType {
                members: tuple.members.iter().map(Value::signature).collect(),
                annotation: tuple.annotation.clone(),
            })),
            Value::Optional(optional) => Signature::Optional(Arc::new(optional.inner.clone())),
            Value::Dynamic(_) => Signature::Dynamic,
            Value::Object(_) => Signature::Object,
        }
    }

    /// Returns the number as an `i64`, if it fits. A boolean is 0 or 1, and a float converts if it has no fraction.
    /// Like all `as_…` methods, this one looks inside dynamics.
    pub fn as_i64(&self) -> Option<i64> {
        match self.plain() {
            Value::Bool(x) => Some(i64::from(*x)),
            Value::I8(x) => Some(i64::from(*x)),
            Value::U8(x) => Some(i64::from(*x)),
            Value::I16(x) => Some(i64::from(*x)),
            Value::U16(x) => Some(i64::from(*x)),
            Value::I32(x) => Some(i64::from(*x)),
            Value::U32(x) => Some(i64::from(*x)),
            Value::I64(x) => Some(*x),
            Value::U64(x) => i64::try_from(*x).ok(),
            Value::F32(x) => whole(f64::from(*x)),
            Value::F64(x) => whole(*x),
            _ => None,
        }
    }

    /// Returns the number as a `u64`, if it fits.
    pub fn as_u64(&self) -> Option<u64> {
        match self.plain() {
            Value::U64(x) => Some(*x),
            other => u64::try_from(other.as_i64()?).ok(),
        }
    }

    /// Returns the number as a `u32`, if it fits.
    pub fn as_u32(&self) -> Option<u32> {
        u32::try_from(self.as_i64()?).ok()
    }

    /// Returns the number as an `f64`; large integers lose precision.
    #[allow(clippy::cast_precision_loss)]
    pub fn as_f64(&self) -> Option<f64> {
        match self.plain() {
            Value::F32(x) => Some(f64::from(*x)),
            Value::F64(x) => Some(*x),
            Value::U64(x) => Some(*x as f64),
            other => other.as_i64().map(|x| x as f64),
        }
    }

    /// Returns the boolean; the number 0 is false and 1 is true.
    pub fn as_bool(&self) -> Option<bool> {
        match self.as_i64() {
            Some(0) => Some(false),
            Some(1) => Some(true),
            _ => None,
        }
    }

    /// Returns the text of a string, if it is UTF-8.
    pub fn as_str(&self) -> Option<&str> {
        match self.plain() {
            Value::Str(bytes) => std::str::from_utf8(bytes).ok(),
            _ => None,
        }
    }

    /// Returns the bytes of a string or of raw data.
    pub fn as_bytes(&self) -> Option<&[u8]> {
        match self.plain() {
            Value::Str(bytes) | Value::Raw(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// Returns the items of a list or the members of a tuple.
    pub fn as_slice(&self) -> Option<&[Value]> {
        match self.plain() {
            Value::List(list) => Some(&list.items),
            Value::Tuple(tuple) => Some(&tuple.members),
            _ => None,
        }
    }

    /// Returns the entries of a map.
    pub fn as_map(&self) -> Option<&[(Value, Value)]> {
        match self.plain() {
            Value::Map(map) => Some(&map.entries),
            _ => None,
        }
    }

    /// Returns the object.
    pub fn as_object(&self) -> Option<&ObjectValue> {
        match self.plain() {
            Value::Object(object) => Some(object),
            _ => None,
        }
    }

    /// Returns the value of a map under a string key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.as_map()?.iter().find(|(k, _)| k.as_str() == Some(key)).map(|(_, v)| v)
    }

    /// Returns the field of a struct by its name.
    pub fn field(&self, name: &str) -> Option<&Value> {
        let Value::Tuple(tuple) = self.plain() else { return None };
        let at = tuple.annotation.as_ref()?.fields().position(|field| field == name)?;
        tuple.members.get(at)
    }
}

/// Returns the integer that a float equals, if there is one.
#[allow(clippy::cast_possible_truncation)]
fn whole(x: f64) -> Option<i64> {
    // -2^63 is the lowest `i64`; 2^63 itself is out of range.
    (x.fract() == 0.0 && (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&x)).then_some(x as i64)
}

macro_rules! from {
    ($($from:ty => $to:ident),*) => {$(
        impl From<$from> for Value {
            fn from(x: $from) -> Value {
                Value::$to(x.into())
            }
        }
    )*};
}

from!(bool => Bool, i8 => I8, u8 => U8, i16 => I16, u16 => U16, i32 => I32, u32 => U32, i64 => I64, u64 => U64,
      f32 => F32, f64 => F64, &str => Str, String => Str, ObjectValue => Object);

impl From<()> for Value {
    fn from((): ()) -> Value {
        Value::Void
    }
}

impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(items: Vec<T>) -> Value {
        Value::list(items.into_iter().map(Into::into))
    }
}

impl<T: Into<Value> + Clone> From<&[T]> for Value {
    fn from(items: &[T]) -> Value {
        Value::list(items.iter().cloned().map(Into::into))
    }
}

/// Converts the arguments of a call to an array of [`Value`]s: `args![1, "two", 3.0]`.
#[macro_export]
macro_rules! args {
    ($($x:expr),* $(,)?) => { [$($crate::Value::from($x)),*] };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_small() {
        assert!(size_of::<Value>() <= 32, "{}", size_of::<Value>());
    }

    #[test]
    fn accessors_look_inside_dynamics() {
        let value = Value::from("x").dynamic();
        assert_eq!(value.as_str(), Some("x"));
        let twice = Value::Dynamic(Box::new(value));
        assert_eq!(twice.as_str(), Some("x"));
        assert_eq!(twice.into_plain(), Value::from("x"));
    }

    #[test]
    fn a_float_with_a_fraction_is_no_integer() {
        assert_eq!(Value::F64(3.0).as_i64(), Some(3));
        assert_eq!(Value::F64(3.5).as_i64(), None);
        assert_eq!(Value::F64(9.3e18).as_i64(), None);
        assert_eq!(Value::F64(f64::NAN).as_i64(), None);
        assert_eq!(Value::U64(u64::MAX).as_i64(), None);
        assert_eq!(Value::U64(u64::MAX).as_u64(), Some(u64::MAX));
    }
}
