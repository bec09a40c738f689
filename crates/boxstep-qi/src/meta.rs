//! Meta objects: descriptions of objects.

use crate::decode::{DecodeError, Decoder};
use crate::encode::{EncodeError, push_bytes, push_count};
use crate::signature::Signature;
use std::collections::BTreeMap;

/// The signature of a meta object on the wire.
pub const META_OBJECT: &str = "({I(Issss[(ss)<MetaMethodParameter,name,description>]s)<MetaMethod,uid,returnSignature,name,parametersSignature,description,parameters,returnDescription>}{I(Iss)<MetaSignal,uid,name,signature>}{I(Iss)<MetaProperty,uid,name,signature>}s)<MetaObject,methods,signals,properties,description>";

/// The first number of an object's own members; lower numbers are members that every object has.
pub const FIRST_OWN: u32 = 100;

/// The members of an object. Methods, signals and properties share one range of numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MetaObject {
    /// Methods by number.
    pub methods: BTreeMap<u32, MetaMethod>,
    /// Signals by number.
    pub signals: BTreeMap<u32, MetaSignal>,
    /// Properties by number; each has a signal of the same number, which is emitted when the value changes.
    pub properties: BTreeMap<u32, MetaProperty>,
    /// A description for people.
    pub description: String,
}

/// A method. Several methods may have the same name.
#[derive(Clone, Debug, PartialEq)]
pub struct MetaMethod {
    /// The name, without the signature.
    pub name: String,
    /// The type of all arguments: a tuple, or `m` for any number of them. [`Signature::Unknown`] if the peer's
    /// signature is invalid.
    pub parameters: Signature,
    /// The return type.
    pub returns: Signature,
    /// A description for people.
    pub description: String,
    /// The name and description of each parameter.
    pub parameter_names: Vec<(String, String)>,
    /// A description of the returned value, for people.
    pub return_description: String,
}

/// A signal.
#[derive(Clone, Debug, PartialEq)]
pub struct MetaSignal {
    /// The name, without the signature.
    pub name: String,
    /// The type of all its arguments: a tuple, or `m`.
    pub signature: Signature,
}

/// A property.
#[derive(Clone, Debug, PartialEq)]
pub struct MetaProperty {
    /// The name, without the signature.
    pub name: String,
    /// The type of its value.
    pub signature: Signature,
}

impl MetaObject {
    /// Returns the methods of this name, with their numbers.
    pub fn methods_named(&self, name: &str) -> impl Iterator<Item = (u32, &MetaMethod)> {
        self.methods.iter().filter(move |(_, m)| m.name == name).map(|(id, m)| (*id, m))
    }

    /// Returns the signal of this name, with its number.
    pub fn signal(&self, name: &str) -> Option<(u32, &MetaSignal)> {
        self.signals.iter().find(|(_, s)| s.name == name).map(|(id, s)| (*id, s))
    }

    /// Returns the property of this name, with its number.
    pub fn property(&self, name: &str) -> Option<(u32, &MetaProperty)> {
        self.properties.iter().find(|(_, p)| p.name == name).map(|(id, p)| (*id, p))
    }

    /// Reads a meta object at the decoder's position.
    pub(crate) fn read(from: &mut Decoder<'_>) -> Result<MetaObject, DecodeError> {
        // A member occupies the memory of several values, so it counts as that many.
        let mut meta = MetaObject::default();
        for _ in 0..from.elements(36, 8)? {
            let (key, _uid) = (from.u32()?, from.u32()?);
            let returns = signature(from)?;
            let name = text(from)?;
            let parameters = signature(from)?;
            let description = text(from)?;
            let mut parameter_names = Vec::new();
            for _ in 0..from.elements(8, 2)? {
                parameter_names.push((text(from)?, text(from)?));
            }
            let return_description = text(from)?;
            let method = MetaMethod { name, parameters, returns, description, parameter_names, return_description };
            meta.methods.insert(key, method);
        }
        for _ in 0..from.elements(16, 4)? {
            let (key, _uid) = (from.u32()?, from.u32()?);
            meta.signals.insert(key, MetaSignal { name: text(from)?, signature: signature(from)? });
        }
        for _ in 0..from.elements(16, 4)? {
            let (key, _uid) = (from.u32()?, from.u32()?);
            meta.properties.insert(key, MetaProperty { name: text(from)?, signature: signature(from)? });
        }
        meta.description = text(from)?;
        Ok(meta)
    }

    /// Writes the meta object in the layout of [`META_OBJECT`].
    pub(crate) fn write(&self, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        let number = |out: &mut Vec<u8>, id: u32| {
            out.extend_from_slice(&id.to_le_bytes()); // the key of the map
            out.extend_from_slice(&id.to_le_bytes()); // the member of the struct
        };
        push_count(out, self.methods.len())?;
        for (id, method) in &self.methods {
            number(out, *id);
            push_bytes(out, method.returns.to_string().as_bytes())?;
            push_bytes(out, method.name.as_bytes())?;
            push_bytes(out, method.parameters.to_string().as_bytes())?;
            push_bytes(out, method.description.as_bytes())?;
            push_count(out, method.parameter_names.len())?;
            for (name, description) in &method.parameter_names {
                push_bytes(out, name.as_bytes())?;
                push_bytes(out, description.as_bytes())?;
            }
            push_bytes(out, method.return_description.as_bytes())?;
        }
        push_count(out, self.signals.len())?;
        for (id, signal) in &self.signals {
            number(out, *id);
            push_bytes(out, signal.name.as_bytes())?;
            push_bytes(out, signal.signature.to_string().as_bytes())?;
        }
        push_count(out, self.properties.len())?;
        for (id, property) in &self.properties {
            number(out, *id);
            push_bytes(out, property.name.as_bytes())?;
            push_bytes(out, property.signature.to_string().as_bytes())?;
        }
        push_bytes(out, self.description.as_bytes())
    }

    /// Decodes a payload that is one meta object.
    ///
    /// # Errors
    /// The position at which the bytes are not a meta object.
    pub fn decode(bytes: &[u8]) -> Result<MetaObject, DecodeError> {
        MetaObject::read(&mut Decoder::new(bytes, &crate::object::ObjectLayout::default()))
    }

    /// Encodes the meta object as a payload.
    ///
    /// # Errors
    /// If it is longer than the protocol can count.
    pub fn encode(&self) -> Result<Vec<u8>, EncodeError> {
        let mut out = Vec::new();
        self.write(&mut out)?;
        Ok(out)
    }
}

/// Reads a text. It is only displayed and compared, so bytes that are not UTF-8 are replaced.
fn text(from: &mut Decoder<'_>) -> Result<String, DecodeError> {
    from.bytes().map(|bytes| String::from_utf8_lossy(bytes).into_owned())
}

/// Reads a signature. An invalid one becomes `Unknown`, so that one such member does not make the others unusable.
fn signature(from: &mut Decoder<'_>) -> Result<Signature, DecodeError> {
    let bytes = from.bytes()?;
    let parsed = std::str::from_utf8(bytes).ok().and_then(|text| Signature::parse(text).ok());
    Ok(parsed.unwrap_or(Signature::Unknown))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invalid_signature_affects_only_its_method() {
        let mut meta = MetaObject::default();
        for (id, name) in [(100, "odd"), (101, "good")] {
            let method = MetaMethod {
                name: name.to_owned(),
                parameters: Signature::tuple(vec![Signature::I32]),
                returns: Signature::Void,
                description: String::new(),
                parameter_names: vec![("x".to_owned(), "how far".to_owned())],
                return_description: String::new(),
            };
            meta.methods.insert(id, method);
        }
        let mut bytes = meta.encode().unwrap();
        let at = bytes.windows(3).position(|w| w == b"(i)").unwrap();
        bytes[at + 1] = b'?';
        let read = MetaObject::decode(&bytes).unwrap();
        assert_eq!(read.methods[&100].parameters, Signature::Unknown);
        assert_eq!(read.methods[&101], meta.methods[&101]);
    }
}
