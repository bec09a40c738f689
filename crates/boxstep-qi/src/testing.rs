//! Laws that hold for all bytes, shared by fuzzers and tests.

use crate::{Capabilities, MetaObject, ObjectLayout, Signature, decode, encode, read_message};

/// Decodes bytes as everything that a peer may send. Nothing may panic, and a decoded value must survive encoding and
/// decoding.
///
/// # Panics
/// If a law is broken.
pub fn law(bytes: &[u8]) {
    let _ = read_message(&mut &bytes[..], 1 << 20);
    let _ = Capabilities::decode(bytes);
    if let Ok(meta) = MetaObject::decode(bytes) {
        let written = meta.encode().unwrap_or_default();
        assert_eq!(MetaObject::decode(&written).ok(), Some(meta));
    }
    for (uid, cache) in [(false, false), (true, true)] {
        value(bytes, &Signature::Dynamic, ObjectLayout { uid, cache });
    }
    // A signature up to the end of the first line, and a payload after it.
    let mut parts = bytes.splitn(2, |b| *b == b'\n');
    let (Some(text), Some(payload)) = (parts.next(), parts.next()) else { return };
    let Some(signature) = std::str::from_utf8(text).ok().and_then(|text| Signature::parse(text).ok()) else { return };
    assert_eq!(signature.to_string().as_bytes(), text);
    value(payload, &signature, ObjectLayout::default());
}

/// Checks that a decoded value is encoded to bytes that decode and encode to the same bytes.
fn value(bytes: &[u8], signature: &Signature, layout: ObjectLayout) {
    let Ok(read) = decode(bytes, signature, &layout) else { return };
    let mut first = Vec::new();
    assert_eq!(encode(&read, signature, &layout, &mut first), Ok(()));
    // Padded to the original length, because the number of values allowed depends on the length of the payload.
    let padded = [&first[..], &vec![0; bytes.len().saturating_sub(first.len())]].concat();
    let again = decode(&padded, signature, &layout);
    let mut second = Vec::new();
    match &again {
        Ok(again) => assert_eq!(encode(again, signature, &layout, &mut second), Ok(())),
        Err(e) => panic!("{signature}: {e}"),
    }
    assert_eq!(first, second);
}
