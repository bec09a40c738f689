//! Captured messages of libqi, where they are available: each is decoded to what it was meant to be, and encoded to the
//! same bytes.

use boxstep_qi::{
    Capabilities, DYNAMIC, Decoder, HEADER, Kind, MetaObject, ObjectLayout, ObjectValue, Signature, Value, encode,
    read_message,
};
use serde_json::{Value as Json, json};
use std::path::PathBuf;

fn vectors() -> Vec<Json> {
    // The variable names a folder of golden files or one of its folders.
    let Some(golden) = std::env::var_os("BOXSTEP_GOLDEN").map(PathBuf::from) else {
        eprintln!("left out: BOXSTEP_GOLDEN names no folder with captures");
        return Vec::new();
    };
    let places = [golden.join("qi/messages.json"), golden.join("../qi/messages.json")];
    let Some(file) = places.iter().find(|p| p.exists()) else { return Vec::new() };
    let text = std::fs::read_to_string(file).unwrap();
    let all: Json = serde_json::from_str(&text).unwrap();
    all["vectors"].as_array().unwrap().clone()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

fn unhex(text: &str) -> Vec<u8> {
    (0..text.len() / 2).map(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).unwrap()).collect()
}

fn meta_json(meta: &MetaObject) -> Json {
    let method = |(id, m): (&u32, &boxstep_qi::MetaMethod)| {
        let names = m.parameter_names.iter().map(|(n, d)| json!({"name": n, "description": d}));
        json!([id, {"uid": id, "returnSignature": m.returns.to_string(), "name": m.name,
                    "parametersSignature": m.parameters.to_string(), "description": m.description,
                    "parameters": names.collect::<Vec<_>>(), "returnDescription": m.return_description}])
    };
    let entry =
        |id: &u32, name: &str, s: &Signature| json!([id, {"uid": id, "name": name, "signature": s.to_string()}]);
    json!({
        "methods": meta.methods.iter().map(method).collect::<Vec<_>>(),
        "signals": meta.signals.iter().map(|(id, s)| entry(id, &s.name, &s.signature)).collect::<Vec<_>>(),
        "properties": meta.properties.iter().map(|(id, p)| entry(id, &p.name, &p.signature)).collect::<Vec<_>>(),
        "description": meta.description,
    })
}

/// Converts a value to JSON in the file's conventions.
fn value_json(value: &Value, layout: ObjectLayout) -> Json {
    let each = |items: &[Value]| items.iter().map(|x| value_json(x, layout)).collect::<Vec<_>>();
    match value {
        Value::Void | Value::Unknown => Json::Null,
        Value::Bool(x) => json!(x),
        Value::F32(x) => json!(x),
        Value::F64(x) => json!(x),
        Value::Str(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => json!(text),
            Err(_) => json!({"bytes": hex(bytes)}),
        },
        Value::Raw(bytes) => json!({"raw": hex(bytes)}),
        Value::List(list) => json!(each(&list.items)),
        Value::Map(map) => {
            json!(map.entries.iter().map(|(k, v)| (value_json(k, layout), value_json(v, layout))).collect::<Vec<_>>())
        }
        Value::Tuple(tuple) => match &tuple.annotation {
            Some(names) => {
                assert_eq!(names.fields().count(), tuple.members.len());
                let fields = names.fields().map(str::to_owned).zip(each(&tuple.members));
                Json::Object(fields.collect())
            }
            None => json!(each(&tuple.members)),
        },
        Value::Optional(x) => x.value.as_ref().map_or(Json::Null, |x| value_json(x, layout)),
        Value::Dynamic(inner) => json!({"sig": inner.signature().to_string(), "value": value_json(inner, layout)}),
        Value::Object(ObjectValue::Ref(r)) => {
            let mut object = json!({"metaobject": r.meta.as_ref().map(|m| meta_json(m)),
                                    "serviceId": r.service, "objectId": r.object});
            if layout.cache {
                object["cacheId"] = json!(r.cache);
            }
            if layout.uid {
                object["uid"] = json!(hex(&r.uid));
            }
            object
        }
        number => match number {
            Value::U64(x) => json!(x),
            other => json!(other.as_i64().unwrap()),
        },
    }
}

#[test]
fn captured_messages_are_read_and_written_to_the_byte() {
    let vectors = vectors();
    for vector in &vectors {
        let name = vector["name"].as_str().unwrap();
        let bytes = unhex(vector["hex"].as_str().unwrap());
        let message = read_message(&mut &bytes[..], 1 << 20).unwrap();
        let header = message.header;
        assert_eq!(header.encode(), bytes[..HEADER], "{name}");
        let want = &vector["header"];
        let kind = format!("{:?}", header.kind).to_lowercase();
        assert_eq!(
            json!({"id": header.id, "size": header.size, "version": header.version, "type": kind, "flags": header.flags,
                   "service": header.address.service, "object": header.address.object, "action": header.address.action}),
            *want,
            "{name}"
        );
        let Some(signature) = vector["payload_signature"].as_str() else {
            assert!(message.payload.is_empty(), "{name}");
            continue;
        };
        let signature = Signature::parse(signature).unwrap();
        assert!(header.flags & DYNAMIC == 0 || signature == Signature::Dynamic, "{name}");
        let layout = match name {
            "object.returned.no-uid" => ObjectLayout::default(),
            "object.returned.metaobjectcache" => ObjectLayout { uid: true, cache: true },
            _ => ObjectLayout { uid: true, cache: false },
        };
        let mut decoder = Decoder::new(&message.payload, &layout);
        let value = decoder.value(&signature).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(decoder.position(), message.payload.len(), "{name}");
        if let Some(payload) = vector.get("payload") {
            assert_eq!(value_json(&value, layout), *payload, "{name}");
        }
        let mut out = Vec::new();
        encode(&value, &signature, &layout, &mut out).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(hex(&out), hex(&message.payload), "{name}");
        if signature.to_string() == boxstep_qi::META_OBJECT {
            let meta = MetaObject::decode(&message.payload).unwrap();
            assert_eq!(hex(&meta.encode().unwrap()), hex(&message.payload), "{name}");
            if let Some(digest) = vector.get("payload_digest") {
                assert_eq!(json!(meta.methods.len()), digest["methods"], "{name}");
                assert_eq!(json!(meta.signals.len()), digest["signals"], "{name}");
            }
        }
        if signature.to_string() == "{sm}" && header.kind != Kind::Reply {
            let map = Capabilities::decode(&message.payload).unwrap();
            assert!(map.has("MessageFlags") || name == "authenticate.continue.call", "{name}");
            if name.starts_with("authenticate.c") && name != "authenticate.call" {
                assert_eq!(map.get("auth_user").and_then(Value::as_str), Some("nao"), "{name}");
            }
        }
    }
    assert!(vectors.is_empty() || vectors.len() >= 90, "{}", vectors.len());
}
