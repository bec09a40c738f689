//! The laws that hold for all bytes; fuzzers and tests share them.

use crate::{Capabilities, MetaObject, ObjectLayout, Signature, decode, encode, read_message};

/// Takes bytes as everything that a peer may send: nothing may panic, and what was read must be written so that it reads the same.
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
    // A signature up to the first line's end, and a payload behind it.
    let mut parts = bytes.splitn(2, |b| *b == b'\n');
    let (Some(text), Some(payload)) = (parts.next(), parts.next()) else { return };
    let Some(signature) = std::str::from_utf8(text).ok().and_then(|text| Signature::parse(text).ok()) else { return };
    assert_eq!(signature.to_string().as_bytes(), text);
    value(payload, &signature, ObjectLayout::default());
}

/// What one reads is written, and reads the same; written again, it is the same bytes.
fn value(bytes: &[u8], signature: &Signature, layout: ObjectLayout) {
    let Ok(read) = decode(bytes, signature, &layout) else { return };
    let mut first = Vec::new();
    assert_eq!(encode(&read, signature, &layout, &mut first), Ok(()));
    // With as many bytes behind it as there were: how many values are allowed goes by the length of the payload.
    let padded = [&first[..], &vec![0; bytes.len().saturating_sub(first.len())]].concat();
    let again = decode(&padded, signature, &layout);
    let mut second = Vec::new();
    match &again {
        Ok(again) => assert_eq!(encode(again, signature, &layout, &mut second), Ok(())),
        Err(e) => panic!("{signature}: {e}"),
    }
    assert_eq!(first, second);
}
