//! The errors of a client whose peer misbehaves. No test here may hang.

use crate::common;
use crate::common::raw::{Raw, at, bytes, read};
use crate::common::{LONG, Probe, probe};
use boxstep_qi::{
    Capabilities, Credentials, Error, Gone, Kind, MetaMethod, MetaObject, Options, Session, Signature, Value, args,
    read_message,
};
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::mpsc::channel;
use std::thread::{JoinHandle, spawn};
use std::time::Duration;

/// Starts a server that runs the function with its first client, and returns the result.
fn server<T: Send + 'static>(run: impl FnOnce(Raw) -> T + Send + 'static) -> (String, JoinHandle<T>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    (address, spawn(move || run(Raw::of(listener.accept().unwrap().0))))
}

fn quick() -> Options {
    let short = Duration::from_millis(100);
    Options { answer_within: short, connect_within: Duration::from_secs(5), ..Options::default() }
}

#[test]
fn nothing_listens() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    drop(listener);
    let error = Session::connect(&address).unwrap_err();
    assert!(matches!(error, Error::Refused { .. }), "{error}");
    assert_eq!(error.to_string(), format!("nothing listens at tcp://{address}: connection refused"));
}

#[test]
fn an_unresolvable_host_name() {
    let error = Session::connect("no-such-robot.invalid").unwrap_err();
    assert!(matches!(&error, Error::Unresolved { host, .. } if host == "no-such-robot.invalid"), "{error}");
}

#[test]
fn something_that_does_not_speak_qi() {
    let (address, web) = server(|mut raw| {
        raw.next().unwrap();
        raw.stream.write_all(b"HTTP/1.0 400 Bad Request\r\n\r\n").unwrap();
    });
    let error = Session::connect(&address).unwrap_err();
    let too_old = ", as of a web server, or of a robot with NAOqi 1.14, which is too old";
    assert_eq!(error.to_string(), format!("the server does not speak qi: its answer begins with \"HTTP\"{too_old}"));
    assert!(error.is_web());
    web.join().unwrap();
    let (address, other) = server(|mut raw| {
        raw.next().unwrap();
        raw.stream.write_all(b"SSH-2.0-x\r\n").unwrap();
    });
    let error = Session::connect(&address).unwrap_err();
    assert_eq!(error.to_string(), "the server does not speak qi: its answer begins with \"SSH-\"");
    other.join().unwrap();
}

#[test]
fn a_robot_older_than_qi_is_known_by_its_web_server() {
    // It waits for the rest of a request, or hangs up, and answers one.
    for waits in [true, false] {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let robot = spawn(move || {
            let first = listener.accept().unwrap().0;
            let kept = waits.then_some(first);
            let (mut second, _) = listener.accept().unwrap();
            let mut asked = [0; 18];
            second.read_exact(&mut asked).unwrap();
            assert!(asked.starts_with(b"GET / HTTP/1.0"));
            second.write_all(b"<html><body>nao").unwrap();
            drop(kept);
        });
        let error = Session::connect_with(&address, quick()).unwrap_err();
        assert!(error.is_web(), "{error}");
        assert!(error.to_string().contains("begins with \"<htm\", as of a web server"), "{error}");
        robot.join().unwrap();
    }
}

#[test]
fn something_that_says_nothing() {
    let (done, until) = channel::<()>();
    let (address, silent) = server(move |_raw| until.recv().unwrap_err());
    let error = Session::connect_with(&address, quick()).unwrap_err();
    assert_eq!(error.to_string(), "no answer to authentication within 0.1 s");
    drop(done);
    silent.join().unwrap();
}

#[test]
fn something_that_hangs_up() {
    let (address, rude) = server(|mut raw| drop(raw.next()));
    let error = Session::connect(&address).unwrap_err();
    assert!(matches!(error, Error::Gone(Gone::Closed)), "{error}");
    rude.join().unwrap();
    let (address, cut) = server(|mut raw| {
        raw.next().unwrap();
        raw.stream.write_all(&[0x42, 0xde, 0xad, 0x42, 1, 0]).unwrap();
    });
    let error = Session::connect(&address).unwrap_err();
    assert!(matches!(error, Error::Gone(Gone::Cut { within: 6 })), "{error}");
    cut.join().unwrap();
}

#[test]
fn a_message_longer_than_all_memory() {
    let (address, giant) = server(|mut raw| {
        let call = raw.next().unwrap().header;
        let header = boxstep_qi::Header { size: u32::MAX, kind: Kind::Reply, ..call };
        raw.stream.write_all(&header.encode()).unwrap();
        raw.is_closed()
    });
    let error = Session::connect(&address).unwrap_err();
    assert!(matches!(error, Error::Gone(Gone::TooBig { size: u32::MAX, .. })), "{error}");
    giant.join().unwrap();
}

fn credentials(token: &str) -> Options {
    Options { credentials: Some(Credentials { user: "nao".into(), token: token.into() }), ..Options::default() }
}

/// Answers an authentication with this state and these entries.
fn answer_state(raw: &mut Raw, state: Value, more: &[(&str, &str)]) -> Capabilities {
    let call = raw.expect(Kind::Call);
    assert_eq!(call.header.address, at(0, 0, 8));
    let mut map = Capabilities::ours();
    map.set("__qi_auth_state", state);
    for (name, value) in more {
        map.set(name, *value);
    }
    raw.send(call.header.id, Kind::Reply, at(0, 0, 8), &map.encode().unwrap());
    Capabilities::decode(&call.payload).unwrap()
}

#[test]
fn a_refused_authentication_reports_the_reason() {
    let (address, robot) = server(|mut raw| {
        let call = raw.next().unwrap();
        let words = Value::from("Authentication failed: invalid token [1.0]");
        raw.send(call.header.id, Kind::Error, at(0, 0, 8), &bytes(&words, "m"));
        raw.stream.shutdown(Shutdown::Both).unwrap();
        Capabilities::decode(&call.payload).unwrap()
    });
    let error = Session::connect_with(&address, credentials("x")).unwrap_err();
    assert!(matches!(&error, Error::Authentication { reason } if reason == "invalid token [1.0]"), "{error}");
    let said = robot.join().unwrap();
    assert_eq!(said.get("auth_user").and_then(Value::as_str), Some("nao"));
    assert_eq!(said.get("auth_token").and_then(Value::as_str), Some("x"));

    let (address, robot) =
        server(|mut raw| answer_state(&mut raw, Value::I32(1), &[("__qi_auth_err_reason", "not today")]));
    let error = Session::connect(&address).unwrap_err();
    assert_eq!(error.to_string(), "the peer rejects the credentials: not today");
    robot.join().unwrap();
}

#[test]
fn a_robot_that_gives_a_new_token_gets_it_back() {
    let (address, robot) = server(|mut raw| {
        answer_state(&mut raw, Value::U32(2), &[("auth_newToken", "fresh")]);
        let second = answer_state(&mut raw, Value::U32(3), &[]);
        (second, raw.is_closed())
    });
    drop(Session::connect_with(&address, credentials("old")).unwrap());
    let (second, closed) = robot.join().unwrap();
    assert!(closed, "a session that is dropped leaves");
    assert_eq!(second.get("auth_token").and_then(Value::as_str), Some("fresh"));
    assert_eq!(second.get("MessageFlags"), None, "the second time only what belongs to authentication");
}

#[test]
fn an_endless_authentication_is_given_up() {
    let (address, robot) = server(|mut raw| {
        for _ in 0..4 {
            answer_state(&mut raw, Value::U32(2), &[]);
        }
        raw.is_closed()
    });
    let error = Session::connect_with(&address, credentials("x")).unwrap_err();
    assert!(matches!(error, Error::Authentication { .. }), "{error}");
    assert!(robot.join().unwrap());
    let (address, robot) = server(|mut raw| answer_state(&mut raw, Value::U32(2), &[]));
    let error = Session::connect(&address).unwrap_err();
    assert_eq!(error.to_string(), "the peer rejects the credentials: it requires a user and a password");
    robot.join().unwrap();
}

fn method(name: &str, parameters: &str, returns: &str) -> MetaMethod {
    MetaMethod {
        name: name.into(),
        parameters: Signature::parse(parameters).unwrap(),
        returns: Signature::parse(returns).unwrap(),
        description: String::new(),
        parameter_names: Vec::new(),
        return_description: String::new(),
    }
}

#[test]
fn a_robot_without_authentication_is_accepted() {
    // An old robot: no authentication, no flags, no canceling, and service descriptions of six fields.
    const INFO: &str = "(sIsI[s]s)<ServiceInfo,name,serviceId,machineId,processId,endpoints,sessionId>";
    let (address, robot) = server(|mut raw| {
        let own = raw.stream.local_addr().unwrap().to_string();
        let call = raw.expect(Kind::Call);
        raw.send(call.header.id, Kind::Error, call.header.address, &bytes(&"Can't find service: 0".into(), "m"));
        let said = raw.expect(Kind::Capability);
        assert!(Capabilities::decode(&said.payload).unwrap().has("ClientServerSocket"));
        let mut directory = MetaObject::default();
        directory.methods.insert(100, method("service", "(s)", INFO));
        let mut speech = MetaObject::default();
        speech.methods.insert(105, method("say", "(s)", "v"));
        let mut said = Vec::new();
        while let Ok(call) = raw.next() {
            let address = call.header.address;
            let payload = match (address.service, address.action) {
                (1, 2) => directory.encode().unwrap(),
                (2, 2) => speech.encode().unwrap(),
                (1, 100) => {
                    assert_eq!(read(&call, "(s)").as_slice().unwrap()[0].as_str(), Some("ALTextToSpeech"));
                    let endpoints = Value::list_of(Signature::Str, vec![format!("tcp://{own}").into()]);
                    let info = args!["ALTextToSpeech", 2u32, "m", 1u32, endpoints, "s"];
                    bytes(&Value::tuple(info.to_vec()), INFO)
                }
                _ => {
                    said.push(read(&call, "(s)").as_slice().unwrap()[0].as_str().unwrap().to_owned());
                    Vec::new()
                }
            };
            assert_eq!(call.header.flags, 0);
            raw.send(call.header.id, Kind::Reply, address, &payload);
        }
        said
    });
    let session = Session::connect(&address).unwrap();
    let speech = session.service("ALTextToSpeech").unwrap();
    speech.call("say", &args!["hello"]).unwrap();
    assert!(matches!(speech.call("say", &args![1]), Err(Error::Arguments { .. })), "dynamics are not for old robots");
    speech.start("say", &args!["still"]).unwrap().cancel();
    speech.call("say", &args!["here"]).unwrap();
    drop((speech, session));
    assert_eq!(robot.join().unwrap(), ["hello", "still", "here"]);
}

#[test]
fn a_call_in_progress_fails_when_the_robot_is_gone() {
    let probe = probe();
    let service = probe.session().service("Probe").unwrap();
    let pending: Vec<_> = (0..10).map(|_| service.start("until_canceled", &[]).unwrap()).collect();
    let (tell, told) = channel();
    service.connection().on_close(move |gone| tell.send(gone.to_string()).unwrap());
    service.call("nothing", &[]).unwrap();
    probe.server.close();
    for pending in pending {
        assert!(matches!(pending.wait(), Err(Error::Gone(Gone::Closed))));
    }
    assert_eq!(told.recv_timeout(LONG).unwrap(), "the peer closed the connection");
    assert!(matches!(service.call("nothing", &[]), Err(Error::Gone(_))));
    assert!(matches!(service.post("nothing", &[]), Err(Error::Gone(_))));
    assert!(matches!(service.subscribe("ping", |_| {}), Err(Error::Gone(_))));
}

/// Passes bytes on in both directions, and cuts both after this many messages from the server and this many bytes of
/// the next.
fn cutter(probe: &Probe, messages: usize, bytes: usize) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let server = probe.server.address();
    spawn(move || {
        let (client, _) = listener.accept().unwrap();
        let server = TcpStream::connect(server).unwrap();
        let (mut from, mut to) = (client.try_clone().unwrap(), server.try_clone().unwrap());
        let up = spawn(move || std::io::copy(&mut from, &mut to));
        let (mut from, mut to) = (server.try_clone().unwrap(), client.try_clone().unwrap());
        for _ in 0..messages {
            let Ok(message) = read_message(&mut from, 1 << 20) else { break };
            let whole = [&message.header.encode()[..], &message.payload].concat();
            if to.write_all(&whole).is_err() {
                break;
            }
        }
        if bytes > 0 {
            let mut some = vec![0; bytes];
            if from.read_exact(&mut some).is_ok() {
                let _ = to.write_all(&some);
            }
        }
        let _ = client.shutdown(Shutdown::Both);
        let _ = server.shutdown(Shutdown::Both);
        let _ = up.join();
    });
    address
}

/// Does everything that a session can do once.
fn everything(address: &str, probe: &Probe) -> Result<(), Error> {
    let session = Session::connect(address)?;
    let service = session.service("Probe")?;
    service.call("add", &args![1, 2])?;
    let (tell, told) = channel();
    let gone = tell.clone();
    session.connection().on_close(move |why| drop(gone.send(Err(Error::Gone(why.clone())))));
    let listening = service.subscribe("ping", move |args| drop(tell.send(Ok(args.to_vec()))))?;
    // Notified by an event, or by the end of the connection.
    probe.object.emit("ping", &args![1, "x"]).unwrap();
    told.recv_timeout(LONG).unwrap()?;
    service.property("volume")?;
    service.set_property("volume", 3)?;
    let child = service.call("child", &[])?;
    let child = child.as_object().and_then(|o| o.remote()).unwrap().clone();
    child.call("name", &[])?;
    drop(listening);
    let mine = session.register("Mine", common::child())?;
    mine.unregister()?;
    session.services()?;
    Ok(())
}

#[test]
fn a_link_cut_after_any_message_is_an_error_and_never_a_hang() {
    let mut whole = None;
    for messages in 0..100 {
        for bytes in [0, 5, 28] {
            let probe = probe();
            match everything(&cutter(&probe, messages, bytes), &probe) {
                Ok(()) => whole = whole.or(Some(messages)),
                Err(e) => assert!(matches!(e, Error::Gone(_)), "after {messages} messages: {e:?}"),
            }
        }
        if whole.is_some() {
            break;
        }
    }
    let whole = whole.unwrap();
    assert!((14..40).contains(&whole), "a session has {whole} messages");
}

#[test]
fn a_robot_that_does_not_read_is_disconnected_and_memory_stays_bounded() {
    let (done, until) = channel::<()>();
    let (address, robot) = server(move |mut raw| {
        answer_state(&mut raw, Value::U32(3), &[]);
        let call = raw.expect(Kind::Call);
        let mut meta = MetaObject::default();
        meta.methods.insert(100, method("note", "(s)", "v"));
        raw.send(call.header.id, Kind::Reply, call.header.address, &meta.encode().unwrap());
        // From here on the client does not read.
        until.recv().unwrap_err();
    });
    let options = Options { patience: Duration::from_millis(50), most_waiting: 1 << 16, ..Options::default() };
    let session = Session::connect_with(&address, options).unwrap();
    let directory = session.directory().unwrap();
    let text = "x".repeat(10_000);
    let mut sent = 0;
    let error = loop {
        match directory.post("note", &args![text.as_str()]) {
            Ok(()) => sent += 1,
            Err(e) => break e,
        }
        assert!(sent < 100_000, "a gigabyte that nobody takes");
    };
    assert!(matches!(error, Error::Gone(Gone::NotReading)), "{error}");
    drop(done);
    robot.join().unwrap();
}

#[test]
fn messages_that_arrive_byte_by_byte_are_read() {
    let probe = probe();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let server = probe.server.address();
    spawn(move || {
        let (client, _) = listener.accept().unwrap();
        client.set_nodelay(true).unwrap();
        let server = TcpStream::connect(server).unwrap();
        let (mut from, mut to) = (client.try_clone().unwrap(), server.try_clone().unwrap());
        spawn(move || std::io::copy(&mut from, &mut to));
        let (from, mut to) = (server, client);
        for byte in std::io::BufReader::new(from).bytes() {
            let Ok(byte) = byte else { break };
            if to.write_all(&[byte]).is_err() {
                break;
            }
        }
    });
    let service = Session::connect(&address).unwrap().service("Probe").unwrap();
    assert_eq!(service.call("add", &args![1, 2]).unwrap(), Value::I32(3));
}
