//! Robots that are not there yet, go, and come back.

use crate::common::{LONG, child, free_address, probe_object};
use boxstep_qi::{Error, Kept, Lasting, Link, ObjectValue, Options, Pauses, Server, Value, args};
use std::net::SocketAddr;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

fn start(address: SocketAddr) -> (Server, std::sync::Arc<boxstep_qi::BuiltObject>) {
    let server = Server::listen(address).unwrap();
    let (object, _, _) = probe_object();
    server.register("Probe", object.clone()).unwrap();
    (server, object)
}

fn lasting(address: SocketAddr) -> (Lasting, Receiver<Link>) {
    let (tell, told) = channel();
    let pauses = Pauses { first: Duration::from_millis(1), longest: Duration::from_millis(20) };
    let watch = move |link: &Link| drop(tell.send(link.clone()));
    (Lasting::new(&address.to_string(), Options::default(), pauses, watch).unwrap(), told)
}

fn until(told: &Receiver<Link>, wanted: impl Fn(&Link) -> bool) {
    while !wanted(&told.recv_timeout(LONG).unwrap()) {}
}

#[test]
fn a_session_restores_all_subscriptions_after_three_reboots() {
    let address = free_address();
    let (lasting, links) = lasting(address);
    let (tell, told) = channel();
    let pings = tell.clone();
    let _pings: Kept = lasting.subscribe("Probe", "ping", move |args| pings.send(("ping", args[0].clone())).unwrap());
    // An object that the robot gave, and a local service.
    let _cries = lasting.keep(move |session| {
        let given = session.service("Probe")?.call("child", &[])?;
        let child = given.as_object().and_then(ObjectValue::remote).unwrap().clone();
        let tell = tell.clone();
        let listening = child.subscribe("age", move |args| tell.send(("age", args[0].clone())).unwrap())?;
        child.set_property("age", 4)?;
        Ok((listening, session.register("Mine", crate::lasting::child())?))
    });
    until(&links, |link| matches!(link, Link::Trying { error: Error::Refused { .. }, .. }));
    for round in 0..4 {
        let (server, object) = start(address);
        until(&links, |link| matches!(link, Link::Up));
        assert_eq!(told.recv_timeout(LONG).unwrap(), ("age", Value::I32(4)));
        object.emit("ping", &args![round, "x"]).unwrap();
        assert_eq!(told.recv_timeout(LONG).unwrap(), ("ping", Value::I32(round)));
        let mine = server.service("Mine").unwrap();
        assert_eq!(mine.call("name", &[]).unwrap().as_str(), Some("child"));
        let session = lasting.wait(LONG).unwrap();
        assert_eq!(session.service("Probe").unwrap().call("add", &args![round, 1]).unwrap(), Value::I32(round + 1));
        assert_eq!(object.emit("ping", &args![-round, "once"]).map_err(|e| e.to_string()), Ok(()));
        assert_eq!(
            told.recv_timeout(LONG).unwrap(),
            ("ping", Value::I32(-round)),
            "told once, not once for each round"
        );
        drop(server);
        until(&links, |link| matches!(link, Link::Down(_)));
    }
    assert!(told.try_recv().is_err());
}

#[test]
fn a_service_added_later_is_subscribed_to() {
    let address = free_address();
    let server = Server::listen(address).unwrap();
    let (lasting, links) = lasting(address);
    let (tell, told) = channel();
    let kept = lasting.subscribe("Later", "ping", move |args| tell.send(args[0].clone()).unwrap());
    until(&links, |link| matches!(link, Link::Up));
    let (object, _, _) = probe_object();
    let (ping, _) = boxstep_qi::Object::meta(&*object).signal("ping").map(|(id, s)| (id, s.clone())).unwrap();
    server.register("Later", object.clone()).unwrap();
    let signals = boxstep_qi::Object::signals(&*object);
    while signals.listeners(ping) == 0 {
        std::thread::yield_now();
    }
    object.emit("ping", &args![7, "x"]).unwrap();
    assert_eq!(told.recv_timeout(LONG).unwrap(), Value::I32(7));
    drop(kept);
    while signals.listeners(ping) > 0 {
        std::thread::yield_now();
    }
}

#[test]
fn permanent_errors_are_not_retried() {
    let guarded = Server::listen_guarded("127.0.0.1:0", Options::default(), |_| Err("not today".to_owned())).unwrap();
    let (lasting, links) = lasting(guarded.address());
    until(&links, |link| matches!(link, Link::Over(Error::Authentication { .. })));
    assert!(matches!(lasting.wait(LONG), Err(Error::Authentication { .. })));
    assert!(links.recv_timeout(LONG).is_err(), "its thread has ended");
}

#[test]
fn a_dropped_session_disconnects_and_stops_retrying() {
    let (server, _object) = start(free_address());
    let (kept, links) = lasting(server.address());
    until(&links, |link| matches!(link, Link::Up));
    assert_eq!(server.clients(), 1);
    drop(kept);
    while server.clients() > 0 {
        std::thread::yield_now();
    }
    assert!(links.recv_timeout(LONG).is_err(), "its thread has ended");
    let (nowhere, links) = lasting(free_address());
    until(&links, |link| matches!(link, Link::Trying { .. }));
    drop(nowhere);
    while links.recv_timeout(LONG).is_ok() {}
}
