//! Services of clients that listen, objects that are passed on, and the statistics and traces of objects.

use crate::common;
use crate::common::raw::Raw;
use crate::common::{LONG, child, probe};
use boxstep_qi::{Error, Object, ObjectBuilder, ObjectValue, Options, Remote, Server, Session, Turns, Value, args};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;

#[test]
fn a_service_of_a_listening_client_is_reachable_by_all() {
    let probe = probe();
    let (offers, uses) = (probe.session(), probe.session());
    let hidden = offers.register("Hidden", child()).unwrap();
    let error = uses.service("Hidden").unwrap_err();
    assert_eq!(error.to_string(), "the service Hidden has no endpoint: only the robot's own programs reach it");
    let address = offers.listen("0.0.0.0:0").unwrap();
    let object = child();
    let open = offers.register("Open", object.clone()).unwrap();
    // An unspecified address is announced as one that leads here.
    let info = uses.service_info("Open").unwrap();
    assert_eq!(info.endpoints, [format!("tcp://127.0.0.1:{}", address.port())]);
    let remote = uses.service("Open").unwrap();
    assert_eq!(remote.call("name", &[]).unwrap().as_str(), Some("child"));
    let (tell, told) = channel();
    let _listening = remote.subscribe("cried", move |args| tell.send(args[0].clone()).unwrap()).unwrap();
    object.emit("cried", &args![3]).unwrap();
    assert_eq!(told.recv_timeout(LONG).unwrap(), Value::I32(3));
    // The directory's process reaches it over the existing socket.
    assert_eq!(probe.server.service("Open").unwrap().call("name", &[]).unwrap().as_str(), Some("child"));
    // The listening socket closes with the session.
    let (tell, told) = channel();
    remote.connection().on_close(move |gone| tell.send(gone.to_string()).unwrap());
    offers.close();
    assert_eq!(told.recv_timeout(LONG).unwrap(), "the peer closed the connection");
    assert!(TcpStream::connect(("127.0.0.1", address.port())).is_err());
    drop((hidden, open));
}

/// A second server, whose service stores an object and passes it on.
fn shelf() -> Server {
    let kept = Arc::new(std::sync::Mutex::new(None));
    let put = Arc::clone(&kept);
    let shelf = ObjectBuilder::new("Keeps one object.")
        .turns(Turns::SideBySide)
        .method("put::(o)->v", move |args| {
            *put.lock().unwrap() = args[0].as_object().cloned();
            Ok(Value::Void)
        })
        .method("get::()->o", move |_| kept.lock().unwrap().clone().map(Value::Object).ok_or("empty".to_owned()))
        .build()
        .unwrap();
    let server = Server::listen("127.0.0.1:0").unwrap();
    server.register("Shelf", shelf).unwrap();
    server
}

fn given(value: &Value) -> Remote {
    value.as_object().and_then(ObjectValue::remote).unwrap().clone()
}

#[test]
fn encoding_an_object_for_a_closed_connection_reports_why_it_closed() {
    let probe = probe();
    let session = probe.session();
    let service = session.service("Probe").unwrap();
    session.close();
    let ours: Arc<dyn Object> = child();
    let refused = service.call("nameOf", &[Value::from(ours)]).unwrap_err();
    assert!(matches!(refused, Error::Gone(_)), "{refused:?}");
}

#[test]
fn an_object_of_one_peer_is_relayed_to_another() {
    let (probe, shelf) = (probe(), shelf());
    // The object is the robot's, the shelf belongs to another process, and this process relays between them.
    let between = probe.session().service("Probe").unwrap();
    let to_shelf = Session::connect(&shelf.address().to_string()).unwrap().service("Shelf").unwrap();
    to_shelf.call("put", &[Value::Object(ObjectValue::Remote(between.clone()))]).unwrap();
    // Another client takes it from the shelf: now there are two relays.
    let taker = Session::connect(&shelf.address().to_string()).unwrap().service("Shelf").unwrap();
    let object = given(&taker.call("get", &[]).unwrap());
    assert_eq!(object.call("add", &args![2, 3]).unwrap(), Value::I32(5));
    assert_eq!(object.call("count", &args![1, "b"]).unwrap(), Value::I32(2));
    assert_eq!(object.call("fail", &args!["no more"]).unwrap_err().to_string(), "no more");
    object.post("note", &args![7]).unwrap();
    assert_eq!(probe.posted.recv_timeout(LONG).unwrap(), 7);
    // Objects that it returns or is given are relayed as well.
    let born = given(&object.call("child", &[]).unwrap());
    assert_eq!(born.call("name", &[]).unwrap().as_str(), Some("child"));
    let mine: Arc<dyn Object> = child();
    assert_eq!(object.call("nameOf", &[Value::from(mine)]).unwrap().as_str(), Some("child"));
    // Signals arrive from the first moment after the answer to the registration, and once.
    let (tell, told) = channel();
    let listening = object.subscribe("ping", move |args| tell.send(args[0].clone()).unwrap()).unwrap();
    for i in 0..100 {
        probe.object.emit("ping", &args![i, "x"]).unwrap();
    }
    for i in 0..100 {
        assert_eq!(told.recv_timeout(LONG).unwrap(), Value::I32(i));
    }
    object.emit("ping", &args![100, "from the far end"]).unwrap();
    assert_eq!(told.recv_timeout(LONG).unwrap(), Value::I32(100));
    object.set_property("volume", 7).unwrap();
    assert_eq!(probe.object.get("volume"), Some(Value::I32(7)));
    assert_eq!(object.property("volume").unwrap(), Value::I32(7));
    // A call is canceled across all relays.
    let pending = object.start("until_canceled", &[]).unwrap();
    assert_eq!(probe.canceled.recv_timeout(LONG).unwrap(), "began");
    pending.cancel();
    assert!(matches!(pending.wait(), Err(Error::Canceled)));
    // The registration with the owner ends with the last listener.
    let (ping, _) = probe.object.meta().signal("ping").map(|(id, s)| (id, s.clone())).unwrap();
    assert_eq!(probe.object.signals().listeners(ping), 1);
    drop(listening);
    while probe.object.signals().listeners(ping) > 0 {
        std::thread::yield_now();
    }
    assert!(told.try_recv().is_err(), "each was told once");
}

#[test]
fn calls_of_a_relayed_object_fail_when_its_owner_is_gone() {
    let (probe, shelf) = (probe(), shelf());
    let between = probe.session().service("Probe").unwrap();
    let to_shelf = Session::connect(&shelf.address().to_string()).unwrap().service("Shelf").unwrap();
    to_shelf.call("put", &[Value::Object(ObjectValue::Remote(between.clone()))]).unwrap();
    let object = given(&to_shelf.call("get", &[]).unwrap());
    let (tell, told) = channel();
    between.connection().on_close(move |_| tell.send(()).unwrap());
    drop(probe);
    told.recv_timeout(LONG).unwrap();
    let error = object.call("add", &args![1, 2]).unwrap_err();
    assert_eq!(error.to_string(), "the peer closed the connection");
    assert!(object.property("volume").is_err());
}

#[test]
fn objects_record_call_statistics_when_enabled() {
    let probe = probe();
    let service = probe.session().service("Probe").unwrap();
    assert_eq!(service.call("isStatsEnabled", &[]).unwrap(), Value::Bool(false));
    service.call("add", &args![1, 2]).unwrap();
    assert_eq!(service.call("stats", &[]).unwrap().as_map().unwrap().len(), 0);
    service.call("enableStats", &args![true]).unwrap();
    assert_eq!(service.call("isStatsEnabled", &[]).unwrap(), Value::Bool(true));
    for i in 0..3 {
        service.call("add", &args![i, 2]).unwrap();
    }
    let _ = service.call("fail", &args!["x"]).unwrap_err();
    let stats = service.call("stats", &[]).unwrap();
    let add = service.meta().methods_named("add").next().unwrap().0;
    let of_add = &stats.as_map().unwrap().iter().find(|(id, _)| id.as_u32() == Some(add)).unwrap().1;
    assert_eq!(of_add.field("count").and_then(Value::as_u32), Some(3));
    let wall = of_add.field("wall").unwrap();
    let time = |name: &str| wall.field(name).and_then(Value::as_f64).unwrap();
    assert!(time("minValue") <= time("maxValue") && time("maxValue") <= time("cumulatedValue"), "{wall:?}");
    assert_eq!(stats.as_map().unwrap().len(), 2, "what every object has is not counted");
    service.call("clearStats", &[]).unwrap();
    assert_eq!(service.call("stats", &[]).unwrap().as_map().unwrap().len(), 0);
}

#[test]
fn objects_trace_their_calls_when_enabled() {
    let probe = probe();
    let service = probe.session().service("Probe").unwrap();
    let (tell, told) = channel();
    let _listening = service.subscribe("traceObject", move |args| tell.send(args[0].clone()).unwrap()).unwrap();
    service.call("add", &args![1, 2]).unwrap();
    service.call("enableTrace", &args![true]).unwrap();
    assert_eq!(service.call("isTraceEnabled", &[]).unwrap(), Value::Bool(true));
    service.call("add", &args![3, 4]).unwrap();
    let _ = service.call("fail", &args!["on purpose"]).unwrap_err();
    service.call("child", &[]).unwrap();
    let pending = service.start("until_canceled", &[]).unwrap();
    assert_eq!(probe.canceled.recv_timeout(LONG).unwrap(), "began");
    pending.cancel();
    assert!(matches!(pending.wait(), Err(Error::Canceled)), "a call that is traced is given up all the same");
    let mut seen = Vec::new();
    while seen.len() < 8 {
        let event = told.recv_timeout(LONG).unwrap();
        let field = |name: &str| event.field(name).unwrap().clone();
        let slot = field("slotId").as_u32().unwrap();
        let name = service.meta().methods[&slot].name.clone();
        seen.push((name, field("kind").as_i64().unwrap(), field("arguments").into_plain()));
    }
    let of = |name: &str| seen.iter().filter(|(n, ..)| n == name).map(|(_, k, a)| (*k, a.clone())).collect::<Vec<_>>();
    assert_eq!(of("add"), [(1, Value::tuple(args![3, 4].to_vec())), (2, Value::I32(7))]);
    assert_eq!(of("fail"), [(1, Value::tuple(args!["on purpose"].to_vec())), (3, "on purpose".into())]);
    assert_eq!(of("child")[1], (2, "(an object)".into()), "whoever looks on is lent nothing");
    assert_eq!(of("until_canceled")[1], (3, "canceled".into()));
}

#[test]
fn a_client_that_sends_bytes_slowly_is_disconnected_at_the_deadline() {
    let options = Options { patience: Duration::from_millis(200), ..Options::default() };
    let server = Server::listen_with("127.0.0.1:0", options).unwrap();
    let mut client = TcpStream::connect(server.address()).unwrap();
    client.set_nodelay(true).unwrap();
    client.set_read_timeout(Some(Duration::from_millis(10))).unwrap();
    // A message that is announced and arrives one byte at a time, each within the server's patience for a single byte.
    let hello = boxstep_qi::Capabilities::ours().encode().unwrap();
    let header = boxstep_qi::Header {
        id: 1,
        size: u32::try_from(hello.len()).unwrap(),
        version: 0,
        kind: boxstep_qi::Kind::Call,
        flags: 0,
        address: common::raw::at(0, 0, 8),
    };
    let message = [&header.encode()[..], &hello].concat();
    let mut sent = 0;
    let mut answer = [0; 1];
    let ended = loop {
        match client.read(&mut answer) {
            Ok(0) => break true,
            Ok(_) => break false,
            Err(e) if matches!(e.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut) => {}
            Err(_) => break true,
        }
        // The last byte is never sent.
        if sent + 1 < message.len() {
            sent += usize::from(client.write_all(&message[sent..=sent]).is_ok());
        }
    };
    assert!(ended, "it was answered before it had said who it is");
    assert!(sent > 1, "it was left after its first byte");
    // Other clients can connect all the same.
    let mut raw = Raw::connect(server.address());
    raw.authenticate(&boxstep_qi::Capabilities::ours());
}

/// A wait ends when it is told to, whether this thread reads the socket or another one does; the connection goes on.
#[test]
fn a_wait_ends_when_it_is_told_to() {
    use std::sync::atomic::{AtomicU32, Ordering};
    let waiting = std::sync::Mutex::new(Vec::new());
    let object = ObjectBuilder::new("")
        .method("echo::(m)->m", |args| Ok(args[0].clone()))
        .method_later("never::()->v", move |call| waiting.lock().unwrap().push(call.reply))
        .build()
        .unwrap();
    let server = Server::listen("127.0.0.1:0").unwrap();
    server.register("Echo", object).unwrap();
    let session = Session::connect(&server.address().to_string()).unwrap();
    let echo = session.service("Echo").unwrap();
    for round in 0..4 {
        // After some calls, this thread reads the socket itself.
        for _ in 0..round * 10 {
            assert_eq!(echo.call("echo", &args![round]).unwrap().as_i64(), Some(i64::from(round)));
        }
        let asked = AtomicU32::new(0);
        let stops = || asked.fetch_add(1, Ordering::Relaxed) >= 2;
        let ended = echo.start("never", &[]).unwrap().wait_unless(stops);
        assert!(matches!(ended, Err(Error::Canceled)), "{ended:?}");
        assert!(asked.into_inner() >= 3);
        let answer = echo.start("echo", &args!["on"]).unwrap().wait_unless(|| false);
        assert_eq!(answer.unwrap().as_str(), Some("on"));
    }
}
