//! Decoding of values.

use crate::object::{ObjectRef, Objects};
use crate::signature::{MAX_DEPTH, Signature, SignatureError};
use crate::value::{List, Map, Optional, Tuple, Value};
use std::fmt;

/// The most values in one message. A value takes 32 bytes of memory.
pub const MAX_VALUES: usize = 8_000_000;

/// Returns the most values that a message of this many bytes may hold. A short message must not become a lot of memory:
/// a list of four billion `void`s is eight bytes long. Values in tuples in lists need at most three per byte.
fn most_values(bytes: usize) -> usize {
    MAX_VALUES.min(bytes.saturating_mul(4).saturating_add(1024))
}

/// Why bytes are not a value of the expected type.
#[derive(Clone, Debug, PartialEq)]
pub struct DecodeError {
    /// The offset in the payload, in bytes.
    pub at: usize,
    /// What is wrong at that offset.
    pub fault: DecodeFault,
}

/// What can be wrong with bytes.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum DecodeFault {
    /// The payload ends within a value.
    Ended {
        /// The number of bytes needed.
        wanted: usize,
        /// The number of bytes left.
        left: usize,
    },
    /// The signature of a dynamic is invalid.
    Signature(SignatureError),
    /// The signature of a dynamic is not UTF-8.
    SignatureText,
    /// No value of this type can be sent.
    NotSendable(Signature),
    /// Values are nested deeper than [`MAX_DEPTH`].
    TooDeep,
    /// An object refers to a meta object that the peer has not sent, or that was too large to keep.
    UnknownMeta {
        /// The number by which it refers to it.
        number: u32,
    },
    /// There are more values than this many bytes may hold, or than [`MAX_VALUES`].
    TooMany,
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.fault {
            DecodeFault::Ended { wanted, left } => {
                write!(f, "{wanted} bytes are needed and {left} are left")?;
            }
            DecodeFault::Signature(e) => write!(f, "a dynamic value has a wrong signature: {e}")?,
            DecodeFault::SignatureText => write!(f, "a dynamic value has a signature that is not text")?,
            DecodeFault::NotSendable(signature) => write!(f, "no value has the type {signature}")?,
            DecodeFault::TooDeep => write!(f, "values are nested more than {MAX_DEPTH} deep")?,
            DecodeFault::UnknownMeta { number } => {
                write!(f, "an object refers to the description {number}, which was not sent before")?;
            }
            DecodeFault::TooMany => {
                write!(f, "there are more values than this many bytes may hold, or than {MAX_VALUES}")?
            }
        }
        write!(f, " (byte {})", self.at)
    }
}

impl std::error::Error for DecodeError {}

/// Decodes a value of this type. Bytes after it are ignored, as the protocol demands.
///
/// # Errors
/// The position at which the bytes are not such a value, and the reason.
pub fn decode(bytes: &[u8], signature: &Signature, objects: &dyn Objects) -> Result<Value, DecodeError> {
    Decoder::new(bytes, objects).value(signature)
}

/// Decodes values one after another.
pub struct Decoder<'a> {
    bytes: &'a [u8],
    at: usize,
    depth: usize,
    values: usize,
    objects: &'a dyn Objects,
}

impl<'a> Decoder<'a> {
    /// Makes a decoder that starts at the first byte.
    pub fn new(bytes: &'a [u8], objects: &'a dyn Objects) -> Decoder<'a> {
        Decoder { bytes, at: 0, depth: 0, values: 0, objects }
    }

    /// Returns the number of bytes that have been read.
    pub fn position(&self) -> usize {
        self.at
    }

    fn error(&self, fault: DecodeFault) -> DecodeError {
        DecodeError { at: self.at, fault }
    }

    fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    pub(crate) fn take(&mut self, count: usize) -> Result<&'a [u8], DecodeError> {
        match self.bytes.get(self.at..).and_then(|rest| rest.get(..count)) {
            Some(found) => {
                self.at += count;
                Ok(found)
            }
            None => Err(self.error(DecodeFault::Ended { wanted: count, left: self.left() })),
        }
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], DecodeError> {
        let mut found = [0; N];
        found.copy_from_slice(self.take(N)?);
        Ok(found)
    }

    pub(crate) fn u32(&mut self) -> Result<u32, DecodeError> {
        self.array().map(u32::from_le_bytes)
    }

    pub(crate) fn u8(&mut self) -> Result<u8, DecodeError> {
        self.array().map(|[x]| x)
    }

    /// Reads a length and that many bytes.
    pub(crate) fn bytes(&mut self) -> Result<&'a [u8], DecodeError> {
        let count = self.u32()? as usize;
        self.take(count)
    }

    /// Counts values before memory is allocated for them.
    pub(crate) fn count(&mut self, more: usize) -> Result<(), DecodeError> {
        self.values = self.values.saturating_add(more);
        if self.values > most_values(self.bytes.len()) { Err(self.error(DecodeFault::TooMany)) } else { Ok(()) }
    }

    /// Reads the number of elements that follow. The bytes that they need at least must be present.
    pub(crate) fn elements(&mut self, least: usize, values: usize) -> Result<usize, DecodeError> {
        let count = self.u32()? as usize;
        let wanted = count.saturating_mul(least);
        if wanted > self.left() {
            return Err(self.error(DecodeFault::Ended { wanted, left: self.left() }));
        }
        self.count(count.saturating_mul(values))?;
        Ok(count)
    }

    /// Decodes a value of this type.
    ///
    /// # Errors
    /// The position at which the bytes are not such a value, and the reason.
    pub fn value(&mut self, signature: &Signature) -> Result<Value, DecodeError> {
        Ok(match signature {
            Signature::Void => Value::Void,
            Signature::Bool => Value::Bool(self.u8()? != 0),
            Signature::I8 => Value::I8(i8::from_le_bytes(self.array()?)),
            Signature::U8 => Value::U8(self.u8()?),
            Signature::I16 => Value::I16(i16::from_le_bytes(self.array()?)),
            Signature::U16 => Value::U16(u16::from_le_bytes(self.array()?)),
            Signature::I32 => Value::I32(i32::from_le_bytes(self.array()?)),
            Signature::U32 => Value::U32(self.u32()?),
            Signature::I64 => Value::I64(i64::from_le_bytes(self.array()?)),
            Signature::U64 => Value::U64(u64::from_le_bytes(self.array()?)),
            Signature::F32 => Value::F32(f32::from_le_bytes(self.array()?)),
            Signature::F64 => Value::F64(f64::from_le_bytes(self.array()?)),
            Signature::Str => Value::Str(self.bytes()?.to_vec()),
            Signature::Raw => Value::Raw(self.bytes()?.to_vec()),
            Signature::Unknown | Signature::None | Signature::KwArgs(_) | Signature::Pointer(_) => {
                return Err(self.error(DecodeFault::NotSendable(signature.clone())));
            }
            _ => return self.deeper(signature),
        })
    }

    fn deeper(&mut self, signature: &Signature) -> Result<Value, DecodeError> {
        if self.depth >= MAX_DEPTH {
            return Err(self.error(DecodeFault::TooDeep));
        }
        self.depth += 1;
        let value = self.nested(signature);
        self.depth -= 1;
        value
    }

    fn nested(&mut self, signature: &Signature) -> Result<Value, DecodeError> {
        Ok(match signature {
            Signature::List(element) | Signature::VarArgs(element) => {
                let count = self.elements(element.least(), 1)?;
                let mut items = Vec::with_capacity(count);
                for _ in 0..count {
                    items.push(self.value(element)?);
                }
                Value::List(Box::new(List { element: (**element).clone(), items }))
            }
            Signature::Map(types) => {
                let (key, value) = &**types;
                let count = self.elements(key.least() + value.least(), 2)?;
                let mut entries = Vec::with_capacity(count);
                for _ in 0..count {
                    entries.push((self.value(key)?, self.value(value)?));
                }
                Value::Map(Box::new(Map { key: key.clone(), value: value.clone(), entries }))
            }
            Signature::Tuple(tuple) => {
                self.count(tuple.members.len())?;
                let mut members = Vec::with_capacity(tuple.members.len());
                for member in &tuple.members {
                    members.push(self.value(member)?);
                }
                Value::Tuple(Box::new(Tuple { members, annotation: tuple.annotation.clone() }))
            }
            Signature::Optional(inner) => {
                let value = if self.u8()? == 0 { None } else { Some(self.value(inner)?) };
                Value::Optional(Box::new(Optional { inner: (**inner).clone(), value }))
            }
            Signature::Dynamic => Value::Dynamic(Box::new(self.dynamic()?)),
            _ => self.object()?,
        })
    }

    fn dynamic(&mut self) -> Result<Value, DecodeError> {
        let start = self.at;
        self.count(1)?;
        let text = self.bytes()?;
        // Most signatures are one letter, which needs no parser.
        if let [letter] = text
            && let Some(simple) = Signature::from_letter(*letter)
        {
            return self.value(&simple);
        }
        if text.is_empty() {
            return Ok(Value::Unknown);
        }
        let wrong = |fault| DecodeError { at: start, fault };
        let text = std::str::from_utf8(text).map_err(|_| wrong(DecodeFault::SignatureText))?;
        let signature = Signature::parse(text).map_err(|e| wrong(DecodeFault::Signature(e)))?;
        self.value(&signature)
    }

    fn object(&mut self) -> Result<Value, DecodeError> {
        let start = self.at;
        let layout = self.objects.layout();
        let follows = !layout.cache || self.u8()? != 0;
        let meta = if follows { Some(crate::meta::MetaObject::read(self)?.into()) } else { None };
        let cache = if layout.cache { self.u32()? } else { 0 };
        let (service, object) = (self.u32()?, self.u32()?);
        let uid = if layout.uid { self.array()? } else { [0; 20] };
        let reference = ObjectRef { meta, cache, service, object, uid };
        let arrived = self.objects.arrived(reference).map_err(|fault| DecodeError { at: start, fault })?;
        Ok(Value::Object(arrived))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::ObjectLayout;

    fn fault(bytes: &[u8], signature: &str) -> (usize, DecodeFault) {
        let signature = Signature::parse(signature).unwrap();
        let e = decode(bytes, &signature, &ObjectLayout::default()).unwrap_err();
        (e.at, e.fault)
    }

    #[test]
    fn missing_bytes_are_reported_with_their_offset() {
        assert_eq!(fault(&[1, 0, 0], "i"), (0, DecodeFault::Ended { wanted: 4, left: 3 }));
        assert_eq!(fault(&[1, 0, 0, 0, 5], "(is)"), (4, DecodeFault::Ended { wanted: 4, left: 1 }));
        assert_eq!(fault(&[9, 0, 0, 0, b'x'], "s"), (4, DecodeFault::Ended { wanted: 9, left: 1 }));
    }

    #[test]
    fn a_huge_count_takes_no_memory() {
        let count = [255, 255, 255, 255];
        assert_eq!(fault(&count, "[i]"), (4, DecodeFault::Ended { wanted: 0xffff_ffff * 4, left: 0 }));
        assert_eq!(fault(&count, "[v]"), (4, DecodeFault::TooMany));
        assert_eq!(fault(&count, "{v()}"), (4, DecodeFault::TooMany));
        // A few bytes that announce "a tuple of a thousand voids" again and again.
        let tuples = format!("[({})]", "v".repeat(1000));
        assert_eq!(fault(&[0, 0, 1, 0], &tuples), (4, DecodeFault::TooMany));
        let (some, layout) = (Signature::parse("[v]").unwrap(), ObjectLayout::default());
        assert!(decode(&[0, 4, 0, 0], &some, &layout).is_ok(), "a thousand are no harm");
        assert_eq!(fault(&[0, 8, 0, 0], "[v]"), (4, DecodeFault::TooMany));
        let bytes = [&[0, 0, 16, 0][..], &[7; 1 << 20]].concat();
        assert!(decode(&bytes, &Signature::parse("[(((c)))]").unwrap(), &layout).is_ok());
    }

    #[test]
    fn the_nesting_of_dynamics_is_limited() {
        let bytes: Vec<u8> = [1, 0, 0, 0, b'm'].repeat(1000);
        assert_eq!(fault(&bytes, "m").1, DecodeFault::TooDeep);
    }

    #[test]
    fn unsendable_types_are_not_decoded() {
        for text in ["X", "_", "*i", "~i"] {
            assert!(matches!(fault(&[0; 32], text).1, DecodeFault::NotSendable(_)), "{text}");
        }
        assert!(matches!(fault(&[1, 0, 0, 0, b'q'], "m"), (0, DecodeFault::Signature(_))));
        assert_eq!(fault(&[2, 0, 0, 0, 0xff, 0xff], "m"), (0, DecodeFault::SignatureText));
    }
}
