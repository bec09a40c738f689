//! The messages of a local server on the wire, one by one.

use crate::common;
use crate::common::raw::{Raw, at, bytes, read};
use crate::common::{probe, probe_object};
use boxstep_qi::{Address, Capabilities, Kind, MAGIC, Options, Server, Value, args};
use std::io::{Read, Write};
use std::time::Duration;

fn open(probe: &common::Probe) -> Raw {
    let mut raw = Raw::connect(probe.server.address());
    assert_eq!(raw.authenticate(&Capabilities::ours()).header.kind, Kind::Reply);
    raw
}

/// Returns the number of a member of the probe.
fn id(probe: &common::Probe, name: &str) -> u32 {
    let meta = boxstep_qi::Object::meta(&*probe.object);
    let method = meta.methods_named(name).map(|(id, _)| id).next();
    method.or_else(|| meta.signal(name).map(|(id, _)| id)).unwrap()
}

fn words(message: &boxstep_qi::Message) -> String {
    assert_eq!(message.header.kind, Kind::Error);
    read(message, "m").as_str().unwrap().to_owned()
}

#[test]
fn a_repeated_authentication_answers_only_the_state() {
    let probe = probe();
    let mut raw = Raw::connect(probe.server.address());
    let first = raw.authenticate(&Capabilities::default());
    let said = Capabilities::decode(&first.payload).unwrap();
    assert!(said.has("MessageFlags") && said.has("ClientServerSocket") && said.has("RemoteCancelableCalls"));
    assert!(!said.has("ObjectPtrUID") && !said.has("MetaObjectCache"));
    assert_eq!(said.get("__qi_auth_state"), Some(&Value::U32(3)));
    let second = raw.authenticate(&Capabilities::ours());
    assert_eq!(read(&second, "{sm}").as_map().unwrap().len(), 1);
}

#[test]
fn an_old_client_is_served_without_authentication() {
    let probe = probe();
    let mut raw = Raw::connect(probe.server.address());
    raw.send(1, Kind::Call, at(2, 1, id(&probe, "add")), &bytes(&Value::tuple(args![2, 3].to_vec()), "(ii)"));
    let said = raw.expect(Kind::Capability);
    assert!(Capabilities::decode(&said.payload).unwrap().has("MessageFlags"));
    assert_eq!(read(&raw.expect(Kind::Reply), "i"), Value::I32(5));
    // And a client that begins by announcing its capabilities.
    let mut raw = Raw::connect(probe.server.address());
    raw.send(1, Kind::Capability, Address::default(), &Capabilities::ours().encode().unwrap());
    raw.expect(Kind::Capability);
}

#[test]
fn failed_requests_are_answered_with_a_message() {
    let probe = probe();
    let mut raw = open(&probe);
    let add = at(2, 1, id(&probe, "add"));
    assert_eq!(words(&raw.call(5, at(2, 1, 999), &[])), "No such method {2.1.999, id:5}");
    assert_eq!(words(&raw.call(6, at(999, 1, 100), &[])), "The call request could not be handled.");
    assert_eq!(words(&raw.call(7, at(0, 0, 7), &[])), "The call request could not be handled.");
    let short = words(&raw.call(8, add, &[1, 0, 0, 0]));
    assert_eq!(short, "the arguments cannot be read: 4 bytes are needed and 0 are left (byte 4)");
    // Surplus bytes do no harm.
    assert_eq!(read(&raw.call(9, add, &[1, 0, 0, 0, 2, 0, 0, 0, 7, 7]), "i"), Value::I32(3));
}

#[test]
fn other_versions_and_unknown_kinds_are_ignored() {
    let probe = probe();
    let mut raw = open(&probe);
    let header = boxstep_qi::Header { id: 3, size: 0, version: 1, kind: Kind::Call, flags: 0, address: at(2, 1, 100) };
    raw.stream.write_all(&header.encode()).unwrap();
    assert!(words(&raw.next().unwrap()).starts_with("Cannot negotiate QiMessaging connection"));
    raw.send(4, Kind::Other(77), at(2, 1, 100), b"whatever");
    raw.send(5, Kind::Cancel, at(2, 1, 0), &12_345u32.to_le_bytes());
    raw.send(6, Kind::Cancel, at(2, 1, 0), b"x");
    raw.send(7, Kind::Reply, at(2, 1, 100), b"to nothing");
    raw.send(8, Kind::Post, at(77, 1, 100), b"to nobody");
    assert_eq!(raw.call(9, at(2, 1, id(&probe, "nothing")), &[]).payload, b"");
}

#[test]
fn each_registration_gets_its_own_event() {
    let probe = probe();
    let mut raw = open(&probe);
    let ping = id(&probe, "ping");
    let register = |link: u64| bytes(&Value::tuple(args![2u32, ping, link].to_vec()), "(IIL)");
    for link in [7, 8] {
        assert_eq!(read(&raw.call(2, at(2, 1, 0), &register(link)), "L"), Value::U64(link));
    }
    probe.object.emit("ping", &args![1, "x"]).unwrap();
    for _ in 0..2 {
        let event = raw.expect(Kind::Event);
        assert_eq!(event.header.address, at(2, 1, ping));
        assert_eq!(event.payload, bytes(&Value::tuple(args![1, "x"].to_vec()), "(is)"));
    }
    raw.call(3, at(2, 1, 1), &register(7));
    assert_eq!(words(&raw.call(4, at(2, 1, 1), &register(7))), "Unregister request failed for 7 1");
    probe.object.emit("ping", &args![2, "y"]).unwrap();
    raw.expect(Kind::Event);
    assert_eq!(raw.call(5, at(2, 1, id(&probe, "nothing")), &[]).header.kind, Kind::Reply);
}

#[test]
fn events_have_the_requested_signature() {
    let probe = probe();
    let mut raw = open(&probe);
    let ping = id(&probe, "ping");
    let args = args![2u32, ping, 7u64, "(ls)"];
    raw.call(2, at(2, 1, 8), &bytes(&Value::tuple(args.to_vec()), "(IILs)"));
    probe.object.emit("ping", &args![3, "z"]).unwrap();
    let event = raw.expect(Kind::Event);
    assert_eq!(event.header.flags, boxstep_qi::DYNAMIC);
    assert_eq!(read(&event, "m").into_plain(), Value::tuple(args![3i64, "z"].to_vec()));
}

#[test]
fn a_property_goes_by_number_and_by_name() {
    let probe = probe();
    let mut raw = open(&probe);
    for key in [Value::from("volume"), Value::U32(id(&probe, "volume"))] {
        let answer = raw.call(2, at(2, 1, 5), &bytes(&Value::tuple(vec![key]), "(m)"));
        assert_eq!(read(&answer, "m"), Value::I32(50).dynamic());
    }
    let names = read(&raw.call(3, at(2, 1, 7), &[]), "[s]");
    assert_eq!(names.as_slice().unwrap(), args!["volume", "limited"]);
}

#[test]
fn a_dynamic_payload_is_converted() {
    let probe = probe();
    let mut raw = open(&probe);
    let payload = bytes(&Value::tuple(vec![Value::F64(2.0).dynamic(), Value::I64(3).dynamic()]), "m");
    let size = u32::try_from(payload.len()).unwrap();
    let address = at(2, 1, id(&probe, "add"));
    for (flags, wanted) in [(1, 0), (3, 1)] {
        let header = boxstep_qi::Header { id: 3, size, version: 0, kind: Kind::Call, flags, address };
        raw.stream.write_all(&header.encode()).unwrap();
        raw.stream.write_all(&payload).unwrap();
        let reply = raw.expect(Kind::Reply);
        assert_eq!(reply.header.flags, wanted);
        assert_eq!(read(&reply, if wanted == 1 { "m" } else { "i" }).into_plain(), Value::I32(5));
    }
}

#[test]
fn a_client_without_canceling_gets_an_error() {
    let probe = probe();
    let mut raw = Raw::connect(probe.server.address());
    raw.authenticate(&Capabilities::default());
    let address = at(2, 1, id(&probe, "until_canceled"));
    raw.send(9, Kind::Call, address, &[]);
    assert_eq!(probe.canceled.recv_timeout(common::LONG), Ok("began"));
    raw.send(10, Kind::Cancel, at(2, 1, 0), &9u32.to_le_bytes());
    let answer = raw.next().unwrap();
    assert_eq!((answer.header.id, words(&answer).as_str()), (9, "Call has been canceled."));
}

#[test]
fn invalid_bytes_close_only_their_own_connection() {
    let probe = probe();
    let mut good = open(&probe);
    let huge =
        boxstep_qi::Header { id: 1, size: u32::MAX, version: 0, kind: Kind::Call, flags: 0, address: at(2, 1, 100) };
    for rubbish in [&b"GET / HTTP/1.0\r\n\r\n"[..], &[0; 100], &huge.encode(), &[&MAGIC[..], &[0xff; 200]].concat()] {
        let mut raw = Raw::connect(probe.server.address());
        raw.stream.write_all(rubbish).unwrap();
        let mut rest = Vec::new();
        // The socket was closed with unread data: the stream ends or is reset.
        let _ = raw.stream.read_to_end(&mut rest);
        assert!(rest.is_empty());
    }
    assert_eq!(good.call(2, at(2, 1, id(&probe, "nothing")), &[]).header.kind, Kind::Reply);
}

#[test]
fn damaged_payloads_never_close_the_connection() {
    let probe = probe();
    let mut raw = open(&probe);
    let good = bytes(&Value::tuple(vec![Value::from(vec![1, 2, 3])]), "(m)");
    let echo = at(2, 1, id(&probe, "echo"));
    for at in 0..good.len() {
        for byte in [0, 1, 0x7f, 0xff, b'(', b'm'] {
            let mut damaged = good.clone();
            damaged[at] = byte;
            let answer = raw.call(3, echo, &damaged);
            assert!(matches!(answer.header.kind, Kind::Reply | Kind::Error));
        }
    }
}

fn impatient() -> Options {
    Options { patience: Duration::from_millis(500), ..Options::default() }
}

#[test]
fn a_silent_client_is_disconnected() {
    let server = Server::listen_with("127.0.0.1:0", impatient()).unwrap();
    assert!(Raw::connect(server.address()).is_closed());
    let mut slow = Raw::connect(server.address());
    slow.stream.write_all(&MAGIC).unwrap();
    assert!(slow.is_closed());
    // A client that has authenticated may be silent for any time; the others show that the time has passed.
    let mut quiet = Raw::connect(server.address());
    quiet.authenticate(&Capabilities::ours());
    assert!(Raw::connect(server.address()).is_closed());
    assert_eq!(quiet.call(2, at(1, 1, 108), &[]).header.kind, Kind::Reply);
}

#[test]
fn a_client_that_does_not_read_is_disconnected_and_blocks_nobody() {
    let (object, _, _) = probe_object();
    let options = Options { most_waiting: 1 << 16, ..impatient() };
    let server = Server::listen_with("127.0.0.1:0", options).unwrap();
    server.register("Probe", object.clone()).unwrap();
    let mut raw = Raw::connect(server.address());
    raw.authenticate(&Capabilities::ours());
    let (ping, _) = boxstep_qi::Object::meta(&*object).signal("ping").map(|(id, s)| (id, s.clone())).unwrap();
    raw.call(2, at(2, 1, 0), &bytes(&Value::tuple(args![2u32, ping, 1u64].to_vec()), "(IIL)"));
    assert_eq!(server.clients(), 1);
    let text = "x".repeat(10_000);
    let mut sent = 0;
    while server.clients() > 0 {
        object.emit("ping", &args![1, text.as_str()]).unwrap();
        sent += 1;
        assert!(sent < 100_000, "what is sent to nobody must not pile up");
    }
    assert_eq!(boxstep_qi::Object::signals(&*object).listeners(ping), 0);
}

#[test]
fn the_number_of_clients_is_limited() {
    let server = Server::listen_with("127.0.0.1:0", Options { clients: 2, ..Options::default() }).unwrap();
    let mut two: Vec<Raw> = (0..2).map(|_| Raw::connect(server.address())).collect();
    for raw in &mut two {
        raw.authenticate(&Capabilities::ours());
    }
    assert!(Raw::connect(server.address()).is_closed());
    assert_eq!(two[0].call(2, at(1, 1, 108), &[]).header.kind, Kind::Reply);
}

#[test]
fn a_guarded_server_accepts_clients_with_the_password() {
    let check = |who: Option<&boxstep_qi::Credentials>| match who {
        Some(who) if (who.user.as_str(), who.token.as_str()) == ("nao", "secret") => Ok(()),
        _ => Err("wrong password".to_owned()),
    };
    let server = Server::listen_guarded("127.0.0.1:0", Options::default(), check).unwrap();
    let address = server.address().to_string();
    let with = |credentials: Option<(&str, &str)>| {
        let credentials = credentials.map(|(u, t)| boxstep_qi::Credentials { user: u.into(), token: t.into() });
        boxstep_qi::Session::connect_with(&address, Options { credentials, ..Options::default() })
    };
    assert_eq!(with(Some(("nao", "secret"))).unwrap().services().unwrap().len(), 1);
    for wrong in [None, Some(("nao", "nao"))] {
        let error = with(wrong).unwrap_err();
        assert_eq!(error.to_string(), "the peer rejects the credentials: wrong password");
    }
    let mut raw = Raw::connect(server.address());
    assert_eq!(words(&raw.call(1, at(1, 1, 108), &[])), "The call request could not be handled.");
    // A password that Python sent: a dynamic in a dynamic.
    let mut map = Capabilities::ours();
    map.set("auth_user", "nao");
    let entries = [("auth_user", "nao"), ("auth_token", "secret")];
    let entries = entries.map(|(k, v)| (Value::from(k), Value::Dynamic(Box::new(Value::from(v).dynamic()))));
    let payload =
        bytes(&Value::map_of(boxstep_qi::Signature::Str, boxstep_qi::Signature::Dynamic, entries.to_vec()), "{sm}");
    let mut raw = Raw::connect(server.address());
    assert_eq!(raw.call(1, at(0, 0, 8), &payload).header.kind, Kind::Reply);
}

#[test]
fn a_lent_object_is_addressable_until_it_is_released() {
    let probe = probe();
    let mut raw = open(&probe);
    let given = raw.call(2, at(2, 1, id(&probe, "child")), &[]);
    let Value::Object(boxstep_qi::ObjectValue::Ref(child)) = read(&given, "o") else { panic!() };
    assert_eq!((child.service, child.object), (2, 2));
    let name = child.meta.as_ref().unwrap().methods_named("name").next().unwrap().0;
    assert_eq!(read(&raw.call(3, at(2, 2, name), &[]), "s").as_str(), Some("child"));
    raw.send(4, Kind::Post, at(2, 2, 3), &2u32.to_le_bytes());
    assert_eq!(words(&raw.call(5, at(2, 2, name), &[])), "The call request could not be handled.");
}
