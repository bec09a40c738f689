//! Laws for all values and all bytes.

use boxstep_qi::{
    Annotation, List, Map, ObjectLayout, Optional, Signature, Tuple, TupleType, Value, decode, encode, testing,
};
use proptest::prelude::*;

fn signature() -> impl Strategy<Value = Signature> {
    let letters = prop::sample::select("bcCwWiIlLfdsrmv".chars().collect::<Vec<_>>());
    let leaf = letters.prop_map(|c| Signature::parse(&c.to_string()).unwrap());
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            inner.clone().prop_map(Signature::list),
            (inner.clone(), inner.clone()).prop_map(|(k, v)| Signature::map(k, v)),
            (prop::collection::vec(inner.clone(), 0..4), any::<bool>()).prop_map(|(members, named)| {
                let annotation = if named { Annotation::new("T,a") } else { None };
                Signature::Tuple(TupleType { members, annotation }.into())
            }),
            inner.prop_map(|x| Signature::parse(&format!("+{x}")).unwrap()),
        ]
    })
}

fn value_of(signature: Signature) -> BoxedStrategy<Value> {
    match signature {
        Signature::Bool => any::<bool>().prop_map(Value::Bool).boxed(),
        Signature::I8 => any::<i8>().prop_map(Value::I8).boxed(),
        Signature::U8 => any::<u8>().prop_map(Value::U8).boxed(),
        Signature::I16 => any::<i16>().prop_map(Value::I16).boxed(),
        Signature::U16 => any::<u16>().prop_map(Value::U16).boxed(),
        Signature::I32 => any::<i32>().prop_map(Value::I32).boxed(),
        Signature::U32 => any::<u32>().prop_map(Value::U32).boxed(),
        Signature::I64 => any::<i64>().prop_map(Value::I64).boxed(),
        Signature::U64 => any::<u64>().prop_map(Value::U64).boxed(),
        Signature::F32 => any::<f32>().prop_map(Value::F32).boxed(),
        Signature::F64 => any::<f64>().prop_map(Value::F64).boxed(),
        Signature::Str => any::<Vec<u8>>().prop_map(Value::Str).boxed(),
        Signature::Raw => any::<Vec<u8>>().prop_map(Value::Raw).boxed(),
        Signature::Dynamic => prop_oneof![
            any::<String>().prop_map(|x| Value::from(x).dynamic()),
            any::<Vec<f64>>().prop_map(|x| Value::from(x).dynamic()),
            Just(Value::Unknown.dynamic()),
            Just(Value::Dynamic(Box::new(Value::F32(1.0).dynamic()))),
        ]
        .boxed(),
        Signature::List(element) => prop::collection::vec(value_of((*element).clone()), 0..4)
            .prop_map(move |items| Value::List(Box::new(List { element: (*element).clone(), items })))
            .boxed(),
        Signature::Map(types) => {
            let entry = (value_of(types.0.clone()), value_of(types.1.clone()));
            let map = move |entries| Map { key: types.0.clone(), value: types.1.clone(), entries };
            prop::collection::vec(entry, 0..4).prop_map(move |entries| Value::Map(Box::new(map(entries)))).boxed()
        }
        Signature::Tuple(tuple) => tuple
            .members
            .iter()
            .map(|member| value_of(member.clone()))
            .collect::<Vec<_>>()
            .prop_map(move |members| Value::Tuple(Box::new(Tuple { members, annotation: tuple.annotation.clone() })))
            .boxed(),
        Signature::Optional(inner) => prop::option::of(value_of((*inner).clone()))
            .prop_map(move |value| Value::Optional(Box::new(Optional { inner: (*inner).clone(), value })))
            .boxed(),
        _ => Just(Value::Void).boxed(),
    }
}

proptest! {
    #[test]
    fn a_value_is_read_as_it_was_written(value in signature().prop_flat_map(value_of)) {
        let layout = ObjectLayout::default();
        let signature = value.signature();
        // With its own type, and as a dynamic; NaNs are compared by their bytes.
        for signature in [signature, Signature::Dynamic] {
            let mut first = Vec::new();
            encode(&value, &signature, &layout, &mut first).unwrap();
            let read = decode(&first, &signature, &layout).unwrap();
            prop_assert_eq!(format!("{:?}", read.plain()), format!("{:?}", value.plain()));
            let mut second = Vec::new();
            encode(&read, &signature, &layout, &mut second).unwrap();
            prop_assert_eq!(first, second);
        }
    }

    #[test]
    fn a_value_converted_is_what_would_be_written(value in signature().prop_flat_map(value_of), to in signature()) {
        let layout = ObjectLayout::default();
        let mut direct = Vec::new();
        let written = encode(&value, &to, &layout, &mut direct);
        let converted = value.convert(&to);
        prop_assert_eq!(written.is_ok(), converted.is_ok());
        if let Ok(converted) = converted {
            let mut out = Vec::new();
            encode(&converted, &to, &layout, &mut out).unwrap();
            prop_assert_eq!(direct, out);
        }
    }

    #[test]
    fn no_bytes_break_anything(bytes in any::<Vec<u8>>()) {
        testing::law(&bytes);
    }

    #[test]
    fn no_damage_breaks_anything(
        value in signature().prop_flat_map(value_of),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
    ) {
        let signature = value.signature();
        let mut bytes = format!("{signature}\n").into_bytes();
        let start = bytes.len();
        encode(&value, &signature, &ObjectLayout::default(), &mut bytes).unwrap();
        let mut dynamic = Vec::new();
        encode(&value, &Signature::Dynamic, &ObjectLayout::default(), &mut dynamic).unwrap();
        for (at, byte) in damage {
            if bytes.len() > start {
                let at = start + at.index(bytes.len() - start);
                bytes[at] = byte;
            }
            let at = at.index(dynamic.len());
            dynamic[at] = byte;
        }
        testing::law(&bytes);
        testing::law(&dynamic);
    }
}

#[test]
fn the_seeds_of_the_fuzzer_and_damaged_copies_of_them_keep_the_laws() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/seeds/qi");
    let mut met = 0;
    for seed in std::fs::read_dir(folder).unwrap() {
        let bytes = std::fs::read(seed.unwrap().path()).unwrap();
        testing::law(&bytes);
        for at in 0..bytes.len() {
            testing::law(&bytes[..at]);
            for byte in [0, 1, 0x7f, 0xff, b'm', b'(', b'['] {
                let mut damaged = bytes.clone();
                damaged[at] = byte;
                testing::law(&damaged);
            }
        }
        met += 1;
    }
    assert!(met >= 10, "{met}");
}
