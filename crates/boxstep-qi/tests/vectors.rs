//! Values and messages that libqi 2.1 and 4.0.5 have written, where they are available: each is read, and written to the
//! same bytes. `BOXSTEP_QI_VECTORS` names the folder; `cargo xtask interop` says where they come from.

use crate::common::raw::Raw;
use boxstep_qi::{
    AuthState, Capabilities, DYNAMIC, Decoder, Generation, HEADER, Kind, MetaObject, ObjectLayout, Session, Signature,
    encode, read_message,
};
use serde_json::Value as Json;
use std::io::Write;
use std::net::TcpListener;
use std::path::PathBuf;

/// Returns the lines of a file of the folder. `None` if the test is skipped.
fn rows(version: &str) -> Option<Vec<Json>> {
    let Some(folder) = std::env::var_os("BOXSTEP_QI_VECTORS").map(PathBuf::from) else {
        eprintln!("left out: BOXSTEP_QI_VECTORS names no folder with what libqi has written");
        return None;
    };
    let text = std::fs::read_to_string(folder.join(format!("libqi-{version}-values.jsonl"))).unwrap();
    Some(text.lines().filter(|line| !line.is_empty()).map(|line| serde_json::from_str(line).unwrap()).collect())
}

fn unhex(text: &str) -> Vec<u8> {
    (0..text.len() / 2).map(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).unwrap()).collect()
}

fn payload_of(row: &Json) -> Vec<u8> {
    unhex(row["hex"].as_str().unwrap())
}

fn named<'a>(rows: &'a [Json], name: &str) -> &'a Json {
    rows.iter().find(|row| row["name"] == name).unwrap()
}

/// Reads bytes as this type, and writes what was read.
fn both_ways(name: &str, bytes: &[u8], signature: &Signature, layout: ObjectLayout) {
    let mut decoder = Decoder::new(bytes, &layout);
    let value = decoder.value(signature).unwrap_or_else(|e| panic!("{name}: {e}"));
    assert_eq!(decoder.position(), bytes.len(), "{name}");
    let mut out = Vec::new();
    encode(&value, signature, &layout, &mut out).unwrap_or_else(|e| panic!("{name}: {e}"));
    assert_eq!(out, bytes, "{name}");
}

#[test]
fn what_libqi_has_written_is_read_and_written_to_the_byte() {
    for (version, least) in [("2.1", 60), ("4.0.5", 60)] {
        let Some(rows) = rows(version) else { return };
        assert!(rows.len() >= least, "{version}: {}", rows.len());
        for row in &rows {
            let name = format!("{version}: {}", row["name"].as_str().unwrap());
            let bytes = payload_of(row);
            if row["kind"] == "message" {
                let header = read_message(&mut &bytes[..], 1 << 20).unwrap().header;
                assert_eq!(header.encode(), bytes[..HEADER], "{name}");
                let field = |key: &str| row[key].as_u64().map(|n| u32::try_from(n).unwrap());
                assert_eq!(Some(header.id), field("id"), "{name}");
                assert_eq!(Some(header.size), field("payload_size"), "{name}");
                assert_eq!(Some(u32::from(header.flags)), field("flags"), "{name}");
                let address = header.address;
                let wanted = [field("service"), field("object"), field("action")];
                assert_eq!([address.service, address.object, address.action].map(Some), wanted, "{name}");
                let dynamic = header.flags & DYNAMIC != 0 || header.kind == Kind::Error;
                if dynamic {
                    both_ways(&name, &bytes[HEADER..], &Signature::Dynamic, ObjectLayout::default());
                } else if header.kind == Kind::Capability || address.service == 0 {
                    let map = Capabilities::decode(&bytes[HEADER..]).unwrap();
                    assert_eq!(map.encode().unwrap(), bytes[HEADER..], "{name}");
                }
                continue;
            }
            let signature = row["signature"].as_str().unwrap();
            let parsed = Signature::parse(signature).unwrap();
            assert_eq!(parsed.to_string(), signature, "{name}");
            let cache = name.contains("objectref_cached");
            both_ways(&name, &bytes, &parsed, ObjectLayout { uid: false, cache });
            if signature == boxstep_qi::META_OBJECT {
                assert_eq!(MetaObject::decode(&bytes).unwrap().encode().unwrap(), bytes, "{name}");
            }
        }
    }
}

#[test]
fn the_oldest_and_the_newest_announce_what_libqi_does() {
    for (version, generation) in [("2.1", Generation::Naoqi21), ("4.0.5", Generation::Naoqi29)] {
        let Some(rows) = rows(version) else { return };
        let theirs = payload_of(named(&rows, "capabilitymap_default"));
        let (theirs, ours) = (Capabilities::decode(&theirs).unwrap(), generation.capabilities());
        for name in [
            "ClientServerSocket",
            "MessageFlags",
            "MetaObjectCache",
            "ObjectPtrUID",
            "RelativeEndpointURI",
            "RemoteCancelableCalls",
        ] {
            assert_eq!(theirs.get(name), ours.get(name), "{version} {name}");
        }
    }
    let Some(rows) = rows("4.0.5") else { return };
    let done = Capabilities::decode(&payload_of(named(&rows, "capabilitymap_auth_state_done"))).unwrap();
    assert_eq!(AuthState::from_answer(&done), AuthState::Done);
}

#[test]
fn a_client_gets_on_with_the_first_bytes_of_libqi() {
    for version in ["2.1", "4.0.5"] {
        let Some(rows) = rows(version) else { return };
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let robot = std::thread::spawn(move || {
            let mut raw = Raw::of(listener.accept().unwrap().0);
            let old = version == "2.1";
            if old {
                raw.stream.write_all(&payload_of(named(&rows, "msg_capability_default"))).unwrap();
            }
            let call = raw.expect(Kind::Call);
            let answer = if old { "msg_error_cant_find_service" } else { "msg_reply_authenticate_with_caps" };
            let answer = payload_of(named(&rows, answer));
            raw.stream.write_all(&answer[..4]).unwrap();
            raw.stream.write_all(&call.header.id.to_le_bytes()).unwrap();
            raw.stream.write_all(&answer[8..]).unwrap();
            if old {
                raw.expect(Kind::Capability);
            }
            // A directory without anything, which is enough to see that the session is there.
            let call = raw.expect(Kind::Call);
            let empty = payload_of(named(&rows, "metaobject_empty"));
            raw.send(call.header.id, Kind::Reply, call.header.address, &empty);
        });
        let session = Session::connect(&address).unwrap();
        assert!(session.directory().unwrap().meta().methods.is_empty());
        let announced = session.connection().capabilities();
        assert_eq!(announced.has("MetaObjectCache"), version == "2.1");
        assert_eq!(announced.has("RemoteCancelableCalls"), version == "4.0.5");
        robot.join().unwrap();
    }
}
