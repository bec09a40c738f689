//! Encoding of values, and conversion from one type to another.

use crate::object::Objects;
use crate::signature::{MAX_DEPTH, Signature};
use crate::value::{List, Map, Optional, Tuple, Value};
use std::fmt;

/// Why a value cannot be encoded as a type.
#[derive(Clone, Debug, PartialEq)]
pub struct EncodeError {
    /// The position within the value: the index in each tuple, list or map, from the outermost to the innermost,
    /// counted from 0.
    pub path: Vec<usize>,
    /// What is wrong at that position.
    pub fault: EncodeFault,
}

/// What can be wrong with a value.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum EncodeFault {
    /// The value has another type and cannot be converted without loss.
    Type {
        /// The type of the value.
        is: Signature,
        /// The expected type.
        wanted: Signature,
    },
    /// There are more bytes or elements than the protocol can count (2^32 − 1).
    TooBig,
    /// Values are nested deeper than [`MAX_DEPTH`].
    TooDeep,
    /// The object cannot be sent here: it belongs to another connection or to none.
    Object,
}

impl EncodeError {
    fn new(fault: EncodeFault) -> EncodeError {
        EncodeError { path: Vec::new(), fault }
    }

    fn within(mut self, place: usize) -> EncodeError {
        self.path.insert(0, place);
        self
    }
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.fault {
            EncodeFault::Type { is, wanted } => write!(f, "a value of type {is} cannot be sent as {wanted}")?,
            EncodeFault::TooBig => write!(f, "the value is too long for the protocol")?,
            EncodeFault::TooDeep => write!(f, "values are nested more than {MAX_DEPTH} deep")?,
            EncodeFault::Object => write!(f, "this object cannot be sent on this connection")?,
        }
        let mut before = " (item ";
        for place in &self.path {
            write!(f, "{before}{}", place + 1)?;
            before = ", ";
        }
        if self.path.is_empty() { Ok(()) } else { write!(f, ")") }
    }
}

impl std::error::Error for EncodeError {}

/// Encodes a value as this type. Numbers may change their width, and the elements of lists, tuples and maps their
/// types, as long as nothing is lost; a 64-bit float may become a 32-bit one.
///
/// # Errors
/// The part of the value that does not have the type. `out` is then as it was before.
pub fn encode(
    value: &Value,
    signature: &Signature,
    objects: &dyn Objects,
    out: &mut Vec<u8>,
) -> Result<(), EncodeError> {
    let before = out.len();
    let done = Encoder { out, objects, depth: 0 }.value(value, signature);
    if done.is_err() {
        out.truncate(before);
    }
    done
}

/// Writes a length or count.
pub(crate) fn push_count(out: &mut Vec<u8>, count: usize) -> Result<(), EncodeError> {
    let count = u32::try_from(count).map_err(|_| EncodeError::new(EncodeFault::TooBig))?;
    out.extend_from_slice(&count.to_le_bytes());
    Ok(())
}

pub(crate) fn push_bytes(out: &mut Vec<u8>, bytes: &[u8]) -> Result<(), EncodeError> {
    push_count(out, bytes.len())?;
    out.extend_from_slice(bytes);
    Ok(())
}

struct Encoder<'a> {
    out: &'a mut Vec<u8>,
    objects: &'a dyn Objects,
    depth: usize,
}

impl Encoder<'_> {
    fn value(&mut self, value: &Value, signature: &Signature) -> Result<(), EncodeError> {
        // This allows one level more than the decoder, because the decoder does not count the innermost value.
        if self.depth > MAX_DEPTH {
            return Err(EncodeError::new(EncodeFault::TooDeep));
        }
        self.depth += 1;
        let done = self.value_at_depth(value, signature);
        self.depth -= 1;
        done
    }

    fn value_at_depth(&mut self, value: &Value, signature: &Signature) -> Result<(), EncodeError> {
        let out = &mut *self.out;
        match (value, signature) {
            (Value::Dynamic(inner), Signature::Dynamic) => return self.dynamic(inner),
            (other, Signature::Dynamic) => return self.dynamic(other),
            (Value::Void, Signature::Void) => {}
            (Value::Bool(x), Signature::Bool) => out.push(u8::from(*x)),
            (Value::I8(x), Signature::I8) => out.extend_from_slice(&x.to_le_bytes()),
            (Value::U8(x), Signature::U8) => out.push(*x),
            (Value::I16(x), Signature::I16) => out.extend_from_slice(&x.to_le_bytes()),
            (Value::U16(x), Signature::U16) => out.extend_from_slice(&x.to_le_bytes()),
            (Value::I32(x), Signature::I32) => out.extend_from_slice(&x.to_le_bytes()),
            (Value::U32(x), Signature::U32) => out.extend_from_slice(&x.to_le_bytes()),
            (Value::I64(x), Signature::I64) => out.extend_from_slice(&x.to_le_bytes()),
            (Value::U64(x), Signature::U64) => out.extend_from_slice(&x.to_le_bytes()),
            (Value::F32(x), Signature::F32) => out.extend_from_slice(&x.to_le_bytes()),
            (Value::F64(x), Signature::F64) => out.extend_from_slice(&x.to_le_bytes()),
            (Value::Str(x) | Value::Raw(x), Signature::Str | Signature::Raw) => return push_bytes(out, x),
            (Value::List(list), Signature::List(element) | Signature::VarArgs(element)) => {
                return self.items(&list.items, element);
            }
            (Value::Tuple(tuple), Signature::List(element) | Signature::VarArgs(element)) => {
                return self.items(&tuple.members, element);
            }
            (Value::Map(map), Signature::Map(types)) => {
                push_count(out, map.entries.len())?;
                for (i, (key, value)) in map.entries.iter().enumerate() {
                    self.value(key, &types.0).map_err(|e| e.within(i))?;
                    self.value(value, &types.1).map_err(|e| e.within(i))?;
                }
            }
            (Value::Tuple(tuple), Signature::Tuple(to)) if tuple.members.len() == to.members.len() => {
                return self.members(&tuple.members, &to.members);
            }
            (Value::List(list), Signature::Tuple(to)) if list.items.len() == to.members.len() => {
                return self.members(&list.items, &to.members);
            }
            (Value::Optional(optional), Signature::Optional(inner)) => {
                out.push(u8::from(optional.value.is_some()));
                if let Some(value) = &optional.value {
                    return self.value(value, inner);
                }
            }
            (Value::Void, Signature::Optional(_)) => out.push(0),
            (Value::Object(object), Signature::Object) => {
                let layout = self.objects.layout();
                let wrong = || EncodeError::new(EncodeFault::Object);
                let reference = self.objects.leaving(object).ok_or_else(wrong)?;
                if layout.cache {
                    out.push(u8::from(reference.meta.is_some()));
                }
                match &reference.meta {
                    Some(meta) => meta.write(out)?,
                    None if layout.cache => {}
                    None => return Err(wrong()),
                }
                if layout.cache {
                    out.extend_from_slice(&reference.cache.to_le_bytes());
                }
                out.extend_from_slice(&reference.service.to_le_bytes());
                out.extend_from_slice(&reference.object.to_le_bytes());
                if layout.uid {
                    out.extend_from_slice(&reference.uid);
                }
            }
            (Value::Dynamic(inner), _) => return self.value(inner, signature),
            _ => match scalar(value, signature) {
                Some(converted) => return self.value(&converted, signature),
                None => return Err(mismatch(value, signature)),
            },
        }
        Ok(())
    }

    fn items(&mut self, items: &[Value], element: &Signature) -> Result<(), EncodeError> {
        push_count(self.out, items.len())?;
        for (i, item) in items.iter().enumerate() {
            self.value(item, element).map_err(|e| e.within(i))?;
        }
        Ok(())
    }

    fn members(&mut self, members: &[Value], types: &[Signature]) -> Result<(), EncodeError> {
        for (i, (member, signature)) in members.iter().zip(types).enumerate() {
            self.value(member, signature).map_err(|e| e.within(i))?;
        }
        Ok(())
    }

    /// Encodes a value preceded by its signature.
    fn dynamic(&mut self, value: &Value) -> Result<(), EncodeError> {
        if *value == Value::Unknown {
            return push_bytes(self.out, b"");
        }
        let signature = value.signature();
        push_bytes(self.out, signature.to_string().as_bytes())?;
        self.value(value, &signature)
    }
}

fn mismatch(value: &Value, signature: &Signature) -> EncodeError {
    EncodeError::new(EncodeFault::Type { is: value.signature(), wanted: signature.clone() })
}

/// Converts a number or boolean to another type, if nothing is lost (except digits of a float).
#[allow(clippy::cast_possible_truncation)]
fn scalar(value: &Value, signature: &Signature) -> Option<Value> {
    let int = || value.as_i64();
    Some(match signature {
        Signature::Bool => Value::Bool(value.as_bool()?),
        Signature::I8 => Value::I8(int()?.try_into().ok()?),
        Signature::U8 => Value::U8(int()?.try_into().ok()?),
        Signature::I16 => Value::I16(int()?.try_into().ok()?),
        Signature::U16 => Value::U16(int()?.try_into().ok()?),
        Signature::I32 => Value::I32(int()?.try_into().ok()?),
        Signature::U32 => Value::U32(int()?.try_into().ok()?),
        Signature::I64 => Value::I64(int()?),
        Signature::U64 => Value::U64(value.as_u64()?),
        Signature::F32 => Value::F32(value.as_f64()? as f32),
        Signature::F64 => Value::F64(value.as_f64()?),
        Signature::Optional(inner) => {
            Value::Optional(Box::new(Optional { inner: (**inner).clone(), value: Some(value.convert(inner).ok()?) }))
        }
        _ => return None,
    })
}

impl Value {
    /// Converts this value to another type, under the rules of [`encode()`].
    ///
    /// # Errors
    /// The part of the value that cannot be converted.
    pub fn convert(&self, signature: &Signature) -> Result<Value, EncodeError> {
        convert(self, signature, 0)
    }
}

fn convert(value: &Value, signature: &Signature, depth: usize) -> Result<Value, EncodeError> {
    if depth > MAX_DEPTH {
        return Err(EncodeError::new(EncodeFault::TooDeep));
    }
    let each = |items: &[Value], element: &Signature| -> Result<Vec<Value>, EncodeError> {
        items.iter().enumerate().map(|(i, x)| convert(x, element, depth + 1).map_err(|e| e.within(i))).collect()
    };
    let both = |items: &[Value], types: &[Signature]| -> Result<Vec<Value>, EncodeError> {
        let pairs = items.iter().zip(types).enumerate();
        pairs.map(|(i, (x, to))| convert(x, to, depth + 1).map_err(|e| e.within(i))).collect()
    };
    Ok(match (value, signature) {
        (_, Signature::Dynamic) => value.clone().dynamic(),
        (Value::Dynamic(inner), _) => convert(inner, signature, depth + 1)?,
        (Value::Void, Signature::Void) => Value::Void,
        (Value::Str(x) | Value::Raw(x), Signature::Str) => Value::Str(x.clone()),
        (Value::Str(x) | Value::Raw(x), Signature::Raw) => Value::Raw(x.clone()),
        (Value::Object(x), Signature::Object) => Value::Object(x.clone()),
        (Value::List(_) | Value::Tuple(_), Signature::List(element) | Signature::VarArgs(element)) => {
            let items = each(value.as_slice().unwrap_or_default(), element)?;
            Value::List(Box::new(List { element: (**element).clone(), items }))
        }
        (Value::List(_) | Value::Tuple(_), Signature::Tuple(to)) => {
            let from = value.as_slice().unwrap_or_default();
            if from.len() != to.members.len() {
                return Err(mismatch(value, signature));
            }
            let members = both(from, &to.members)?;
            Value::Tuple(Box::new(Tuple { members, annotation: to.annotation.clone() }))
        }
        (Value::Map(map), Signature::Map(types)) => {
            let mut entries = Vec::with_capacity(map.entries.len());
            for (i, (k, v)) in map.entries.iter().enumerate() {
                let entry = convert(k, &types.0, depth + 1).and_then(|k| Ok((k, convert(v, &types.1, depth + 1)?)));
                entries.push(entry.map_err(|e| e.within(i))?);
            }
            Value::Map(Box::new(Map { key: types.0.clone(), value: types.1.clone(), entries }))
        }
        (Value::Optional(optional), Signature::Optional(inner)) => {
            let value = optional.value.as_ref().map(|x| convert(x, inner, depth + 1)).transpose()?;
            Value::Optional(Box::new(Optional { inner: (**inner).clone(), value }))
        }
        (Value::Void, Signature::Optional(inner)) => {
            Value::Optional(Box::new(Optional { inner: (**inner).clone(), value: None }))
        }
        _ => scalar(value, signature).ok_or_else(|| mismatch(value, signature))?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::ObjectLayout;

    fn bytes(value: &Value, signature: &str) -> Result<Vec<u8>, EncodeError> {
        let mut out = Vec::new();
        encode(value, &Signature::parse(signature).unwrap(), &ObjectLayout::default(), &mut out)?;
        Ok(out)
    }

    #[test]
    fn numbers_change_their_width() {
        assert_eq!(bytes(&Value::I64(3), "f").unwrap(), 3f32.to_le_bytes());
        assert_eq!(bytes(&Value::I64(3).dynamic(), "C").unwrap(), [3]);
        assert_eq!(bytes(&Value::F64(1.0), "i").unwrap(), [1, 0, 0, 0]);
        assert_eq!(bytes(&Value::Bool(true), "i").unwrap(), [1, 0, 0, 0]);
        assert_eq!(bytes(&Value::from(vec![1i64, 2]), "(cf)").unwrap(), [1, 0, 0, 0, 64]);
        assert_eq!(bytes(&Value::I32(7), "+l").unwrap(), [1, 7, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(bytes(&Value::Void, "+l").unwrap(), [0]);
    }

    #[test]
    fn lossy_conversions_are_rejected() {
        let error = bytes(&Value::tuple(vec![Value::from("x"), Value::from(vec![1i64, 300])]), "(s[C])").unwrap_err();
        assert_eq!(error.path, [1, 1]);
        assert_eq!(error.to_string(), "a value of type l cannot be sent as C (item 2, 2)");
        assert!(bytes(&Value::F64(1.5), "i").is_err());
        assert!(bytes(&Value::from("1"), "i").is_err());
        assert!(bytes(&Value::from(vec![1i64]), "(ii)").is_err());
    }

    #[test]
    fn a_failed_encoding_leaves_no_bytes() {
        let mut out = vec![7];
        let value = Value::from(vec![Value::I64(1), Value::from("x")]);
        assert!(encode(&value, &Signature::parse("[i]").unwrap(), &ObjectLayout::default(), &mut out).is_err());
        assert_eq!(out, [7]);
    }

    #[test]
    fn a_value_that_is_too_deep_is_refused() {
        let deep = |levels| (0..levels).fold(Value::I32(1), |inner, _| Value::Dynamic(Box::new(inner)));
        assert!(bytes(&deep(MAX_DEPTH - 2), "m").is_ok());
        assert_eq!(bytes(&deep(MAX_DEPTH + 1), "m").unwrap_err().fault, EncodeFault::TooDeep);
        assert_eq!(deep(MAX_DEPTH + 1).convert(&Signature::I32).unwrap_err().fault, EncodeFault::TooDeep);
    }
}
