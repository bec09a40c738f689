//! The limits of one peer, on either side, and of all peers together; a peer that is disconnected is told why.

use crate::common::raw::{Raw, at, bytes, read};
use crate::common::{LONG, probe_object};
use boxstep_qi::{
    Capabilities, Error, FrameError, Gone, Header, Kind, MAX_FIRST_PAYLOAD, ObjectBuilder, Options, Server, Session,
    Value, args,
};
use std::io::Write;
use std::net::TcpListener;
use std::sync::Mutex;
use std::sync::mpsc::channel;
use std::time::Duration;

fn impatient() -> Options {
    Options { patience: Duration::from_millis(300), ..Options::default() }
}

fn header(size: u32) -> Header {
    Header { id: 7, size, version: 0, kind: Kind::Call, flags: 0, address: at(1, 1, 100) }
}

/// Returns the message with which the server closes the connection.
fn farewell(raw: &mut Raw) -> String {
    let words = read(&raw.expect(Kind::Error), "m").plain().as_str().unwrap().to_owned();
    assert!(raw.is_closed());
    words
}

#[test]
fn unauthenticated_clients_may_send_only_small_messages() {
    let server = Server::listen("127.0.0.1:0").unwrap();
    let mut raw = Raw::connect(server.address());
    raw.stream.write_all(&header(MAX_FIRST_PAYLOAD + 1).encode()).unwrap();
    let words = farewell(&mut raw);
    assert!(words.ends_with("the peer announced a message of 65537 bytes, and 65536 are accepted"), "{words}");
    let mut raw = Raw::connect(server.address());
    raw.authenticate(&Capabilities::ours());
    let call = [&header(MAX_FIRST_PAYLOAD + 1).encode()[..], &[0; 65537]].concat();
    raw.stream.write_all(&call).unwrap();
    assert_eq!(raw.next().unwrap().header.id, 7, "one who has may send more");
}

#[test]
fn a_client_that_stops_within_a_message_is_disconnected() {
    let server = Server::listen_with("127.0.0.1:0", impatient()).unwrap();
    for begun in [1, 4, 27, 28, 1000, 1_000_000] {
        let mut raw = Raw::connect(server.address());
        raw.authenticate(&Capabilities::ours());
        let message = [&header(64 << 20).encode()[..], &vec![0; begun]].concat();
        raw.stream.write_all(&message[..begun]).unwrap();
        let words = farewell(&mut raw);
        assert!(words.ends_with("the peer began a message and did not complete it"), "{begun}: {words}");
    }
}

#[test]
fn a_client_that_sends_too_slowly_is_disconnected() {
    let server = Server::listen_with("127.0.0.1:0", impatient()).unwrap();
    let mut raw = Raw::connect(server.address());
    raw.authenticate(&Capabilities::ours());
    raw.stream.write_all(&header(1 << 20).encode()).unwrap();
    // Read until a message arrives or the moment has passed.
    raw.stream.set_read_timeout(Some(Duration::from_millis(10))).unwrap();
    let mut sent = 0;
    let farewell = loop {
        let _ = raw.stream.write(&[0]);
        sent += 1;
        assert!(sent < 10_000, "a message that never ends");
        match raw.next() {
            Ok(message) => break message,
            Err(FrameError::Io(_)) => {}
            Err(e) => panic!("{e}"),
        }
    };
    let words = read(&farewell, "m");
    assert!(words.plain().as_str().unwrap().ends_with("did not complete it"), "{words:?}");
}

#[test]
fn the_shared_memory_budget_is_enforced_and_reported() {
    let (stop, stopped) = channel::<()>();
    let (begin, begun) = channel::<()>();
    let stopped = Mutex::new(stopped);
    let slow = ObjectBuilder::new("").method("note::(s)->v", move |_| {
        let _ = begin.send(());
        let _ = stopped.lock().unwrap().recv();
        Ok(Value::Void)
    });
    // One address gets half of it.
    let options = Options { most_in_all: 1 << 20, ..impatient() };
    let server = Server::listen_with("127.0.0.1:0", options).unwrap();
    server.register("Slow", slow.build().unwrap()).unwrap();
    let session = || Session::connect(&server.address().to_string()).unwrap();
    let (first, second, third) = (session(), session(), session());
    let (text, small) = ("x".repeat(400_000), "x".repeat(40_000));
    let note = |session: &Session, text: &str| session.service("Slow").unwrap().start("note", &args![text]).unwrap();
    let held = note(&first, &text);
    begun.recv_timeout(LONG).unwrap();
    let error = note(&second, &text).wait().unwrap_err();
    assert_eq!(error.to_string(), "the connection is closed: there is no memory left for what the peers send");
    let little = note(&third, &small);
    stop.send(()).unwrap();
    stop.send(()).unwrap();
    held.wait().unwrap();
    little.wait().unwrap();
    let again = note(&session(), &text);
    stop.send(()).unwrap();
    again.wait().unwrap();
}

#[test]
fn a_client_without_room_gets_a_message() {
    let server = Server::listen_with("127.0.0.1:0", Options { clients: 2, ..Options::default() }).unwrap();
    let connect = || Session::connect(&server.address().to_string());
    let _two = (connect().unwrap(), connect().unwrap());
    let error = connect().unwrap_err();
    assert!(matches!(error, Error::Authentication { .. }), "{error}");
    assert_eq!(error.to_string(), "the peer rejects the credentials: there is no room: 2 clients are connected");
    // An old client does not authenticate.
    let mut raw = Raw::connect(server.address());
    raw.send(1, Kind::Call, at(1, 1, 108), &[]);
    assert_eq!(farewell(&mut raw), "there is no room: 2 clients are connected");
}

#[test]
fn every_client_without_room_gets_a_message_and_occupies_no_place() {
    let server = Server::listen_with("127.0.0.1:0", Options { clients: 8, ..Options::default() }).unwrap();
    let connect = || Session::connect(&server.address().to_string());
    let _six: Vec<_> = (0..6).map(|_| connect().unwrap()).collect();
    // All of them connect at once and send nothing.
    let mut silent: Vec<Raw> = (0..100).map(|_| Raw::connect(server.address())).collect();
    let error = connect().unwrap_err();
    assert!(matches!(error, Error::Authentication { .. }), "{error}");
    for raw in &mut silent {
        assert_eq!(farewell(raw), "there is no room: 6 clients from 127.0.0.1 are connected");
    }
}

#[test]
fn one_address_cannot_occupy_all_places() {
    let server = Server::listen_with("127.0.0.1:0", Options { clients: 8, ..Options::default() }).unwrap();
    let connect = || Session::connect(&server.address().to_string());
    let _six: Vec<_> = (0..6).map(|_| connect().unwrap()).collect();
    let error = connect().unwrap_err();
    assert!(error.to_string().ends_with("there is no room: 6 clients from 127.0.0.1 are connected"), "{error}");
}

#[test]
fn silent_clients_do_not_keep_others_out() {
    let options = Options { patience: LONG, ..Options::default() };
    let server = Server::listen_with("127.0.0.1:0", options).unwrap();
    let mut silent: Vec<Raw> = (0..64).map(|_| Raw::connect(server.address())).collect();
    while server.clients() < 64 {
        std::thread::yield_now();
    }
    let session = Session::connect(&server.address().to_string()).unwrap();
    assert_eq!(session.services().unwrap().len(), 1);
    let words = farewell(&mut silent[0]);
    assert!(words.ends_with("the peer did not authenticate, and its place was needed for others"), "{words}");
    assert_eq!(silent[63].authenticate(&Capabilities::ours()).header.kind, Kind::Reply);
}

#[test]
fn servers_may_send_only_small_messages_before_authentication_and_must_complete_them() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let hostile = std::thread::spawn(move || {
        let mut raw = Raw::of(listener.accept().unwrap().0);
        let id = raw.next().unwrap().header.id;
        let answer = Header { id, kind: Kind::Reply, address: at(0, 0, 8), ..header(MAX_FIRST_PAYLOAD + 1) };
        raw.stream.write_all(&answer.encode()).unwrap();
        assert!(raw.is_closed());
        let mut raw = Raw::of(listener.accept().unwrap().0);
        let call = raw.next().unwrap().header;
        raw.send(call.id, Kind::Reply, call.address, &Capabilities::ours().encode().unwrap());
        let call = raw.next().unwrap().header;
        raw.stream.write_all(&Header { kind: Kind::Reply, size: 1 << 20, ..call }.encode()).unwrap();
        raw.stream.write_all(&[0; 1000]).unwrap();
        assert!(raw.is_closed());
    });
    let error = Session::connect_with(&address, impatient()).unwrap_err();
    assert!(matches!(error, Error::Gone(Gone::TooBig { most: MAX_FIRST_PAYLOAD, .. })), "{error}");
    let session = Session::connect_with(&address, impatient()).unwrap();
    let error = session.services().unwrap_err();
    assert!(matches!(error, Error::Gone(Gone::Stalled)), "{error}");
    hostile.join().unwrap();
}

#[test]
fn a_message_that_comes_in_pieces_is_read() {
    let server = Server::listen("127.0.0.1:0").unwrap();
    let (object, _canceled, _posted) = probe_object();
    let id = server.register("Probe", object.clone()).unwrap();
    let echo = boxstep_qi::Object::meta(&*object).methods_named("echo").next().unwrap().0;
    let mut raw = Raw::connect(server.address());
    raw.authenticate(&Capabilities::ours());
    let value = Value::from("x".repeat(300_000));
    let payload = [bytes(&Value::from("s"), "s"), bytes(&value, "s")].concat();
    let call = Header { address: at(id, 1, echo), ..header(u32::try_from(payload.len()).unwrap()) };
    for piece in [&call.encode()[..], &payload].concat().chunks(10_007) {
        raw.stream.write_all(piece).unwrap();
    }
    assert_eq!(raw.expect(Kind::Reply).payload, payload);
}
