//! Every generation of NAOqi as server and as client, each with each; and peers that claim to be one and are not.

use crate::common::raw::{Raw, at, bytes, read};
use crate::common::{self, LONG, Probe, child, probe_object};
use boxstep_qi::{
    Capabilities, Error, FIRST_OWN, Generation, Identity, Kind, Lasting, Link, MetaMethod, MetaObject, OBJECT_PTR_UID,
    Object, ObjectLayout, ObjectRef, ObjectValue, Options, Pauses, RELATIVE_ENDPOINT_URI, REMOTE_CANCELABLE_CALLS,
    Server, Session, Signature, Trust, Value, args, encode,
};
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::thread::spawn;
use std::time::Duration;

fn options(generation: Option<Generation>) -> Options {
    Options { generation, trust: Trust::Anybody, ..Options::default() }
}

fn all() -> impl Iterator<Item = Option<Generation>> {
    Generation::ALL.into_iter().map(Some).chain([None])
}

fn served(generation: Option<Generation>, tls: bool) -> (Probe, String) {
    let server = if tls {
        let made = rcgen::generate_simple_self_signed(["nao.local".to_owned()]).unwrap();
        let (certificate, key) = (made.cert.pem(), made.signing_key.serialize_pem());
        let identity = Identity::from_pem(certificate.as_bytes(), key.as_bytes()).unwrap();
        Server::listen_tls("127.0.0.1:0", options(generation), identity, |_| Ok(())).unwrap()
    } else {
        Server::listen_with("127.0.0.1:0", options(generation)).unwrap()
    };
    let (object, canceled, posted) = probe_object();
    server.register("Probe", object.clone()).unwrap();
    let scheme = if tls { "tcps" } else { "tcp" };
    let address = format!("{scheme}://{}", server.address());
    (Probe { server, object, canceled, posted }, address)
}

/// Does what a program does with a robot.
fn use_it(probe: &Probe, session: &Session, old: bool) {
    let names: Vec<String> = session.services().unwrap().into_iter().map(|s| s.name).collect();
    assert_eq!(names, ["ServiceDirectory", "Probe"]);
    let service = session.service("Probe").unwrap();
    assert!(service.connection().is_same(session.connection()), "one process, one socket");
    assert_eq!(service.call("add", &args![2, 3]).unwrap(), Value::I32(5));
    assert_eq!(service.call("echo", &args!["dynamic"]).unwrap().into_plain(), Value::from("dynamic"));
    assert!(matches!(service.call("fail", &args!["no more"]), Err(Error::Remote { text }) if text == "no more"));

    let (tell, told) = channel();
    let listening = service.subscribe("ping", move |args| tell.send(args[0].clone()).unwrap()).unwrap();
    service.emit("ping", &args![7, "x"]).unwrap();
    assert_eq!(told.recv_timeout(LONG).unwrap(), Value::I32(7));
    drop(listening);

    // More than once, because a meta object may be referred to by number the second time.
    for age in 4..6 {
        let given = service.call("child", &[]).unwrap();
        let remote = given.as_object().and_then(ObjectValue::remote).unwrap();
        assert_eq!(remote.call("name", &[]).unwrap().as_str(), Some("child"));
        let (tell, told) = channel();
        let watching = remote.subscribe("age", move |args| tell.send(args[0].clone()).unwrap());
        remote.set_property("age", age).unwrap();
        assert_eq!(remote.property("age").unwrap().as_i64(), Some(age));
        match watching {
            Ok(_) if !old => assert_eq!(told.recv_timeout(LONG).unwrap().as_i64(), Some(age)),
            Err(Error::Remote { text }) if old => assert_eq!(text, "No such signal"),
            other => panic!("{other:?}"),
        }
        let ours = child() as Arc<dyn Object>;
        assert_eq!(service.call("nameOf", &[Value::from(ours)]).unwrap().as_str(), Some("child"));
    }

    let mine = session.register("Mine", child()).unwrap();
    let there = probe.server.service("Mine").unwrap();
    assert_eq!(there.call("name", &[]).unwrap().as_str(), Some("child"));
    mine.unregister().unwrap();
}

/// Cancels a call where both can, and otherwise does not wait for it.
fn cancel(probe: &Probe, session: &Session, both: bool) {
    let service = session.service("Probe").unwrap();
    let pending = service.start("until_canceled", &[]).unwrap();
    assert_eq!(probe.canceled.recv_timeout(LONG).unwrap(), "began");
    pending.cancel();
    if both {
        assert_eq!(probe.canceled.recv_timeout(LONG).unwrap(), "canceled");
    }
    service.call("nothing", &[]).unwrap();
    assert!(probe.canceled.try_recv().is_err(), "the robot goes on, and so does the session");
}

#[test]
fn every_client_uses_every_server() {
    for server in all() {
        for client in all() {
            for tls in [false, true] {
                let old = server == Some(Generation::Naoqi21);
                // A server with TLS checks who its clients are, and the oldest do not say that.
                if tls && (old || client == Some(Generation::Naoqi21)) {
                    continue;
                }
                let (probe, address) = served(server, tls);
                let session = Session::connect_with(&address, options(client)).unwrap();
                use_it(&probe, &session, old);
                let cancels = |side: Option<Generation>| side != Some(Generation::Naoqi21);
                let both = cancels(server) && cancels(client);
                cancel(&probe, &session, both);
                let info = session.service_info("Probe").unwrap();
                let newest = Some(Generation::Naoqi29);
                let relative = server == newest && client == newest;
                let endpoints = relative.then(|| "qi:ServiceDirectory".to_owned()).into_iter().chain([address.clone()]);
                assert_eq!(info.endpoints, endpoints.collect::<Vec<_>>());
                assert_eq!(info.uid.len(), if server == newest { 20 } else { 0 }, "{server:?}");
                drop(session);
                if !both {
                    let ended = probe.canceled.recv_timeout(LONG).unwrap();
                    assert_eq!(ended, "canceled", "with its caller");
                }
            }
        }
    }
}

#[test]
fn a_session_with_every_generation_comes_back_after_the_link_is_lost() {
    for generation in all() {
        let start = |address: SocketAddr| {
            let server = Server::listen_with(address, options(generation)).unwrap();
            let (object, _, _) = probe_object();
            server.register("Probe", object.clone()).unwrap();
            (server, object)
        };
        let (server, _) = start(common::free_address());
        let address = server.address();
        let (tell, links) = channel();
        let pauses = Pauses { first: Duration::from_millis(1), longest: Duration::from_millis(20) };
        let watch = move |link: &Link| drop(tell.send(link.clone()));
        let lasting = Lasting::new(&address.to_string(), Options::default(), pauses, watch).unwrap();
        let until = |wanted: fn(&Link) -> bool| while !wanted(&links.recv_timeout(LONG).unwrap()) {};
        let (tell, told) = channel();
        let _kept = lasting.subscribe("Probe", "ping", move |args| drop(tell.send(args[0].clone())));
        until(|link| matches!(link, Link::Up));
        drop(server);
        until(|link| matches!(link, Link::Down(_)));
        let (_server, object) = start(address);
        until(|link| matches!(link, Link::Up));
        object.emit("ping", &args![1, "back"]).unwrap();
        assert_eq!(told.recv_timeout(LONG).unwrap(), Value::I32(1), "{generation:?}");
    }
}

#[test]
fn what_each_generation_announces() {
    let told = |generation: Generation, name: &str| generation.capabilities().get(name).and_then(Value::as_bool);
    for generation in Generation::ALL {
        for name in ["ClientServerSocket", "MessageFlags"] {
            assert_eq!(told(generation, name), Some(true));
        }
        let (probe, _) = served(Some(generation), false);
        let mut raw = Raw::connect(probe.server.address());
        let announced = if generation.authenticates() {
            raw.authenticate(&Capabilities::ours())
        } else {
            let announced = raw.expect(Kind::Capability);
            assert_eq!(announced.header.address, at(0, 0, 0));
            announced
        };
        let announced = Capabilities::decode(&announced.payload).unwrap();
        for name in ["MetaObjectCache", OBJECT_PTR_UID, RELATIVE_ENDPOINT_URI, REMOTE_CANCELABLE_CALLS] {
            assert_eq!(announced.get(name).and_then(Value::as_bool), told(generation, name), "{generation} {name}");
        }
    }
    assert_eq!(told(Generation::Naoqi21, "MetaObjectCache"), Some(true));
    assert_eq!(told(Generation::Naoqi25, "MetaObjectCache"), Some(true));
    assert_eq!(told(Generation::Naoqi29, "MetaObjectCache"), Some(false));
    assert_eq!(told(Generation::Naoqi21, REMOTE_CANCELABLE_CALLS), None);
    assert_eq!(told(Generation::Naoqi25, OBJECT_PTR_UID), None);
    assert_eq!(told(Generation::Naoqi28, OBJECT_PTR_UID), Some(true));
}

#[test]
fn the_oldest_knows_no_authentication_and_goes_on() {
    let (probe, _) = served(Some(Generation::Naoqi21), false);
    let mut raw = Raw::connect(probe.server.address());
    raw.expect(Kind::Capability);
    let refused = raw.authenticate(&Capabilities::ours());
    assert_eq!((refused.header.kind, refused.header.address), (Kind::Error, at(0, 0, 8)));
    assert_eq!(read(&refused, "m").into_plain().as_str(), Some("can't find service, address: {0.0.8, id:1}"));
    let meta = raw.call(2, at(1, 1, 2), &0u32.to_le_bytes());
    assert!(MetaObject::decode(&meta.payload).unwrap().methods_named("services").next().is_some());
    // A cancel is an unknown message to it.
    raw.send(3, Kind::Cancel, at(1, 1, 0), &2u32.to_le_bytes());
    assert_eq!(raw.call(4, at(1, 1, 108), &[]).header.kind, Kind::Reply);
}

#[test]
fn a_program_of_the_oldest_begins_with_a_call() {
    for server in all() {
        let (probe, _) = served(server, false);
        let mut raw = Raw::connect(probe.server.address());
        raw.send(1, Kind::Call, at(1, 1, 2), &0u32.to_le_bytes());
        let own = Generation::Naoqi21.capabilities().encode().unwrap();
        raw.send(2, Kind::Capability, at(0, 0, 0), &own);
        let both = [raw.next().unwrap(), raw.next().unwrap()];
        assert!(both.iter().any(|m| m.header.kind == Kind::Capability), "{server:?}");
        assert!(both.iter().any(|m| m.header.kind == Kind::Reply && m.header.id == 1), "{server:?}");
    }
}

#[test]
fn a_server_that_must_check_its_clients_cannot_be_one_without_authentication() {
    let oldest = options(Some(Generation::Naoqi21));
    let error = Server::listen_guarded("127.0.0.1:0", oldest, |_| Err("never".to_owned())).unwrap_err();
    assert_eq!(error.to_string(), "robots with NAOqi 2.1 authenticate nobody, so clients cannot be checked");
    let checked = options(Some(Generation::Naoqi25));
    let server = Server::listen_guarded("127.0.0.1:0", checked, |_| Err("never".to_owned())).unwrap();
    let refused = Session::connect(&server.address().to_string()).unwrap_err();
    assert!(matches!(refused, Error::Authentication { .. }), "{refused}");
}

#[test]
fn objects_have_an_identity_of_their_own_where_they_carry_one() {
    let (probe, _) = served(Some(Generation::Naoqi28), false);
    let mut raw = Raw::connect(probe.server.address());
    raw.authenticate(&Generation::Naoqi28.capabilities());
    let child = probe.object.meta().methods_named("child").next().unwrap().0;
    let mut given = |id| {
        let reply = raw.call(id, at(2, 1, child), &[]);
        reply.payload[reply.payload.len() - 20..].to_vec()
    };
    let (first, second) = (given(2), given(3));
    assert!(first != second && first != [0; 20]);
}

fn object_bytes(reference: ObjectRef, layout: ObjectLayout) -> Vec<u8> {
    let (object, mut out) = (Value::Object(ObjectValue::Ref(Box::new(reference))), Vec::new());
    encode(&object, &Signature::Object, &layout, &mut out).unwrap();
    out
}

fn reference(meta: Option<MetaObject>, cache: u32) -> ObjectRef {
    ObjectRef { meta: meta.map(Arc::new), cache, service: 2, object: 1 << 31, uid: [0; 20] }
}

/// Calls `nameOf` with these bytes as a client that announces the capabilities of a generation.
fn pass(server: Generation, claims: Generation, objects: &[Vec<u8>]) -> Vec<String> {
    let (probe, _) = served(Some(server), false);
    let mut raw = Raw::connect(probe.server.address());
    raw.authenticate(&claims.capabilities());
    let name_of = probe.object.meta().methods_named("nameOf").next().unwrap().0;
    let mut said = Vec::new();
    for (id, object) in (10..).zip(objects) {
        raw.send(id, Kind::Call, at(2, 1, name_of), object);
        loop {
            let message = raw.next().unwrap();
            match message.header.kind {
                Kind::Call => {
                    let name = bytes(&"mine".into(), "s");
                    raw.send(message.header.id, Kind::Reply, message.header.address, &name);
                }
                Kind::Reply => break said.push(read(&message, "s").as_str().unwrap().to_owned()),
                Kind::Error => break said.push(read(&message, "m").into_plain().as_str().unwrap().to_owned()),
                _ => {}
            }
        }
    }
    // Whatever it was, the next call is answered.
    raw.send(99, Kind::Call, at(1, 1, 108), &[]);
    while raw.next().unwrap().header.id != 99 {}
    said
}

#[test]
fn a_meta_object_that_was_sent_once_is_referred_to_by_number() {
    let cache = ObjectLayout { uid: false, cache: true };
    let meta = MetaObject::clone(&child().meta());
    let objects = [
        object_bytes(reference(Some(meta), 5), cache),
        object_bytes(reference(None, 5), cache),
        object_bytes(reference(None, 6), cache),
    ];
    for generation in [Generation::Naoqi24, Generation::Naoqi25] {
        let said = pass(generation, generation, &objects);
        assert_eq!(said[..2], ["mine", "mine"]);
        assert!(said[2].contains("an object refers to the description 6, which was not sent before"), "{}", said[2]);
    }
}

#[test]
fn a_client_that_claims_what_it_does_not_do_is_told() {
    let meta = || Some(MetaObject::clone(&child().meta()));
    let plain = object_bytes(reference(meta(), 0), ObjectLayout::default());
    // It claims to send an identity, or the number of a description, and does not.
    for generation in [Generation::Naoqi28, Generation::Naoqi25] {
        let said = pass(generation, generation, std::slice::from_ref(&plain));
        assert!(said[0].contains("cannot be read"), "{generation}: {}", said[0]);
    }
    // What only one side announces is not used.
    assert_eq!(pass(Generation::Naoqi25, Generation::Naoqi28, std::slice::from_ref(&plain)), ["mine"]);
}

/// A robot that announces these capabilities, describes its one service with the first signature, and answers with the
/// bytes.
fn liar(announced: Capabilities, info: &'static str, answer: Vec<u8>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    spawn(move || {
        let mut raw = Raw::of(listener.accept().unwrap().0);
        let mut directory = MetaObject::default();
        let method = MetaMethod {
            name: "service".to_owned(),
            parameters: Signature::parse("(s)").unwrap(),
            returns: Signature::parse(info).unwrap(),
            description: String::new(),
            parameter_names: Vec::new(),
            return_description: String::new(),
        };
        directory.methods.insert(FIRST_OWN, method);
        while let Ok(call) = raw.next() {
            let payload = match (call.header.address.service, call.header.address.action) {
                (0, _) => announced.encode().unwrap(),
                (_, 2) => directory.encode().unwrap(),
                _ => answer.clone(),
            };
            if call.header.kind == Kind::Call {
                raw.send(call.header.id, Kind::Reply, call.header.address, &payload);
            }
        }
    });
    address
}

const SIX: &str = "(sIsI[s]s)<ServiceInfo,name,serviceId,machineId,processId,endpoints,sessionId>";
const SEVEN: &str = "(sIsI[s]ss)<ServiceInfo,name,serviceId,machineId,processId,endpoints,sessionId,objectUid>";

#[test]
fn a_robot_that_claims_what_it_does_not_do_is_refused_in_words() {
    let info = |fields: usize| {
        let endpoints = Value::list_of(Signature::Str, Vec::new());
        let members = args!["Probe", 2u32, "m", 1u32, endpoints, "s", "twenty bytes"];
        bytes(&Value::tuple(members[..fields].to_vec()), if fields == 6 { SIX } else { SEVEN })
    };
    let error = |generation: Generation, described: &'static str, answer: Vec<u8>| {
        let session = Session::connect(&liar(generation.capabilities(), described, answer)).unwrap();
        session.service_info("Probe").map(|info| info.name).map_err(|e| e.to_string())
    };
    let short = error(Generation::Naoqi29, SEVEN, info(6)).unwrap_err();
    assert!(short.contains("cannot be read") && short.contains("bytes are needed"), "{short}");
    assert_eq!(error(Generation::Naoqi25, SIX, info(7)), Ok("Probe".to_owned()), "what follows is ignored");
    let strange = error(Generation::Naoqi25, "(sI)", bytes(&Value::tuple(args!["Probe", 2u32].to_vec()), "(sI)"));
    assert!(strange.unwrap_err().contains("the directory's description of it is not understood"));
    // An object with the identity that was not agreed on: what follows is ignored; one cut short is refused.
    let uid = ObjectLayout { uid: true, cache: false };
    let whole = object_bytes(reference(Some(MetaObject::default()), 0), uid);
    let given = |answer: Vec<u8>| {
        let session = Session::connect(&liar(Generation::Naoqi28.capabilities(), "o", answer)).unwrap();
        session.directory().unwrap().call("service", &args!["x"])
    };
    assert!(given(whole.clone()).is_ok());
    let cut = given(whole[..whole.len() - 22].to_vec()).unwrap_err();
    assert!(matches!(cut, Error::Decode { .. }), "{cut}");
    // Capabilities that are no booleans are none.
    let mut odd = Capabilities::ours();
    odd.set(REMOTE_CANCELABLE_CALLS, "yes");
    let session = Session::connect(&liar(odd, SIX, info(6))).unwrap();
    assert!(!session.connection().capabilities().has(REMOTE_CANCELABLE_CALLS));
    assert!(session.service_info("Probe").is_ok());
}

#[test]
fn the_first_message_of_the_oldest_to_the_byte() {
    let (probe, _) = served(Some(Generation::Naoqi21), false);
    let greeting = Raw::connect(probe.server.address()).expect(Kind::Capability);
    let mut wanted = Vec::new();
    wanted.extend(3u32.to_le_bytes());
    for name in ["ClientServerSocket", "MessageFlags", "MetaObjectCache"] {
        wanted.extend(u32::try_from(name.len()).unwrap().to_le_bytes());
        wanted.extend(name.bytes());
        wanted.extend([1, 0, 0, 0, b'b', 1]);
    }
    assert_eq!((greeting.payload, greeting.header.flags), (wanted, 0));
}
