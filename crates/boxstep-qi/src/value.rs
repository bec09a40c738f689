//! Values: what the protocol can carry.

use crate::object::ObjectValue;
use crate::signature::{Annotation, Signature, TupleType};
use std::sync::Arc;

/// A value together with its type. What is read can be written back to the same bytes: widths, element types and names of
/// structs are kept.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(missing_docs)] // The names say it.
pub enum Value {
    #[default]
    Void,
    /// A dynamic that holds nothing at all, not even a type.
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
    /// Bytes, mostly UTF-8; see [`Value::as_str`].
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

/// A map, in the order in which its sender wrote it.
#[derive(Clone, Debug, PartialEq)]
pub struct Map {
    /// The type of the keys.
    pub key: Signature,
    /// The type of the values.
    pub value: Signature,
    /// Keys and values.
    pub entries: Vec<(Value, Value)>,
}

/// A tuple, or a struct if it has names.
#[derive(Clone, Debug)]
pub struct Tuple {
    /// The members.
    pub members: Vec<Value>,
    /// The names of the struct and its fields.
    pub annotation: Option<Annotation>,
}

impl PartialEq for Tuple {
    fn eq(&self, other: &Tuple) -> bool {
        self.members == other.members
    }
}

/// A value that may be missing.
#[derive(Clone, Debug, PartialEq)]
pub struct Optional {
    /// The type it has if it is there.
    pub inner: Signature,
    /// What is there.
    pub value: Option<Value>,
}

impl Value {
    /// A list of dynamics, as Python and NAOqi send lists.
    pub fn list(items: impl IntoIterator<Item = Value>) -> Value {
        let items = items.into_iter().map(Value::dynamic).collect();
        Value::List(Box::new(List { element: Signature::Dynamic, items }))
    }

    /// A list whose items all have this type.
    pub fn list_of(element: Signature, items: Vec<Value>) -> Value {
        Value::List(Box::new(List { element, items }))
    }

    /// A map of dynamics, as Python sends dictionaries.
    pub fn map(entries: impl IntoIterator<Item = (Value, Value)>) -> Value {
        let entries = entries.into_iter().map(|(k, v)| (k.dynamic(), v.dynamic())).collect();
        Value::Map(Box::new(Map { key: Signature::Dynamic, value: Signature::Dynamic, entries }))
    }

    /// A map with keys and values of these types.
    pub fn map_of(key: Signature, value: Signature, entries: Vec<(Value, Value)>) -> Value {
        Value::Map(Box::new(Map { key, value, entries }))
    }

    /// A tuple without names.
    pub fn tuple(members: Vec<Value>) -> Value {
        Value::Tuple(Box::new(Tuple { members, annotation: None }))
    }

    /// This value as a dynamic; one that is dynamic already stays as it is.
    #[must_use]
    pub fn dynamic(self) -> Value {
        match self {
            Value::Dynamic(_) => self,
            other => Value::Dynamic(Box::new(other)),
        }
    }

    /// What lies in a dynamic, or in a dynamic in a dynamic; and this value itself otherwise.
    pub fn plain(&self) -> &Value {
        let mut value = self;
        while let Value::Dynamic(inner) = value {
            value = inner;
        }
        value
    }

    /// [`Value::plain`], owned.
    #[must_use]
    pub fn into_plain(self) -> Value {
        let mut value = self;
        while let Value::Dynamic(inner) = value {
            value = *inner;
        }
        value
    }

    /// The type of this value.
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

    /// The number, if this is one that an `i64` can hold; a truth is 0 or 1, and a float counts if it has no fraction. Like all
    /// that begin with `as_`, it looks into dynamics.
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

    /// The number that a `u64` can hold.
    pub fn as_u64(&self) -> Option<u64> {
        match self.plain() {
            Value::U64(x) => Some(*x),
            other => u64::try_from(other.as_i64()?).ok(),
        }
    }

    /// The number that a `u32` can hold.
    pub fn as_u32(&self) -> Option<u32> {
        u32::try_from(self.as_i64()?).ok()
    }

    /// The number; large integers lose their last digits.
    #[allow(clippy::cast_precision_loss)]
    pub fn as_f64(&self) -> Option<f64> {
        match self.plain() {
            Value::F32(x) => Some(f64::from(*x)),
            Value::F64(x) => Some(*x),
            Value::U64(x) => Some(*x as f64),
            other => other.as_i64().map(|x| x as f64),
        }
    }

    /// The truth, or whether a number is 1 and not 0.
    pub fn as_bool(&self) -> Option<bool> {
        match self.as_i64() {
            Some(0) => Some(false),
            Some(1) => Some(true),
            _ => None,
        }
    }

    /// The text of a string that is UTF-8.
    pub fn as_str(&self) -> Option<&str> {
        match self.plain() {
            Value::Str(bytes) => std::str::from_utf8(bytes).ok(),
            _ => None,
        }
    }

    /// The bytes of a string or of raw data.
    pub fn as_bytes(&self) -> Option<&[u8]> {
        match self.plain() {
            Value::Str(bytes) | Value::Raw(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// The items of a list or the members of a tuple.
    pub fn as_slice(&self) -> Option<&[Value]> {
        match self.plain() {
            Value::List(list) => Some(&list.items),
            Value::Tuple(tuple) => Some(&tuple.members),
            _ => None,
        }
    }

    /// The entries of a map.
    pub fn as_map(&self) -> Option<&[(Value, Value)]> {
        match self.plain() {
            Value::Map(map) => Some(&map.entries),
            _ => None,
        }
    }

    /// The object.
    pub fn as_object(&self) -> Option<&ObjectValue> {
        match self.plain() {
            Value::Object(object) => Some(object),
            _ => None,
        }
    }

    /// The value of a map under a key that is a string.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.as_map()?.iter().find(|(k, _)| k.as_str() == Some(key)).map(|(_, v)| v)
    }

    /// The field of a struct by its name.
    pub fn field(&self, name: &str) -> Option<&Value> {
        let Value::Tuple(tuple) = self.plain() else { return None };
        let at = tuple.annotation.as_ref()?.fields().position(|field| field == name)?;
        tuple.members.get(at)
    }
}

/// The integer that a float is, if it is one.
#[allow(clippy::cast_possible_truncation)]
fn whole(x: f64) -> Option<i64> {
    // 2^63 itself is one too many, and -2^63 is the last.
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

/// Arguments of a call, each made a [`Value`]: `args![1, "two", 3.0]`.
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
    fn looks_go_through_dynamics() {
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
