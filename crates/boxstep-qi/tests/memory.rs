//! Memory stays bounded however much a peer sends, requests, connects and disconnects. This test is alone in its
//! process, whose peak memory the system counts.
#![allow(clippy::unwrap_used)]
#![cfg(target_os = "linux")]

mod common;

use boxstep_qi::{Capabilities, Error, Gone, Header, Kind, ObjectBuilder, Options, Server, Session, Value, args};
use common::raw::{Raw, at, bytes};
use common::{LONG, many, probe_object};
use std::io::Write;
use std::sync::mpsc::{channel, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Returns the peak memory of this process, in MiB.
fn peak() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() / 1024
}

fn within(most: usize, what: &str, run: impl FnOnce()) {
    let before = peak();
    run();
    let grown = peak() - before;
    eprintln!("{what}: {grown} MiB more at most");
    assert!(grown <= most, "{what}: {grown} MiB");
}

fn tight() -> Options {
    Options { patience: Duration::from_millis(50), most_waiting: 1 << 20, ..Options::default() }
}

#[test]
fn memory_stays_bounded() {
    within(32, "150 clients that announce 64 MiB and send a little of it", || {
        let server = Server::listen("127.0.0.1:0").unwrap();
        let clients: Vec<_> = (0..150)
            .map(|_| {
                let mut raw = Raw::connect(server.address());
                raw.authenticate(&Capabilities::ours());
                let call =
                    |size| Header { id: 2, size, version: 0, kind: Kind::Call, flags: 0, address: at(1, 1, 100) };
                raw.stream.write_all(&call(64 << 20).encode()).unwrap();
                raw.stream.write_all(&[0; 1000]).unwrap();
                raw
            })
            .collect();
        assert_eq!(server.clients(), clients.len());
    });
    within(16, "lists that say they are endless, of nothing", || {
        let server = Server::listen("127.0.0.1:0").unwrap();
        let (object, _canceled, _posted) = probe_object();
        let id = server.register("Probe", object.clone()).unwrap();
        let echo = boxstep_qi::Object::meta(&*object).methods_named("echo").next().unwrap().0;
        let mut raw = Raw::connect(server.address());
        raw.authenticate(&Capabilities::ours());
        for signature in ["[v]", "[()]", "[[v]]", "{vv}", "[m]", "([v][v][v])"] {
            let endless = [&bytes(&Value::from(signature), "s")[..], &u32::MAX.to_le_bytes()].concat();
            let answer = raw.call(7, at(id, 1, echo), &endless);
            assert_eq!(answer.header.kind, Kind::Error, "{signature}");
        }
    });
    within(32, "a service that gets done with nothing, and a client that sends on and on", || {
        let (stop, stopped) = channel::<()>();
        let stopped = Mutex::new(stopped);
        let slow = ObjectBuilder::new("").method("note::(s)->v", move |_| {
            let _ = stopped.lock().unwrap().recv();
            Ok(Value::Void)
        });
        let server = Server::listen_with("127.0.0.1:0", tight()).unwrap();
        server.register("Slow", slow.build().unwrap()).unwrap();
        let session = Session::connect_with(&server.address().to_string(), tight()).unwrap();
        let service = session.service("Slow").unwrap();
        let text = "x".repeat(100_000);
        let mut sent = 0;
        let error = loop {
            match service.post("note", &args![text.as_str()]) {
                Ok(()) => sent += 1,
                Err(e) => break e,
            }
            assert!(sent < 20_000, "two gigabytes that nobody is done with");
        };
        assert!(matches!(error, Error::Gone(_)), "{error}");
        drop(stop);
    });
    within(32, "a listener that is not done with the first event, and a service that tells on and on", || {
        let server = Server::listen_with("127.0.0.1:0", tight()).unwrap();
        let (object, _canceled, _posted) = probe_object();
        server.register("Probe", object.clone()).unwrap();
        let session = Session::connect_with(&server.address().to_string(), tight()).unwrap();
        let (hold, held) = sync_channel::<()>(0);
        let held = Arc::new(Mutex::new(held));
        let service = session.service("Probe").unwrap();
        let listening = service
            .subscribe("ping", move |_| {
                let _ = held.lock().unwrap().recv();
            })
            .unwrap();
        let (tell, told) = channel();
        session.connection().on_close(move |gone| tell.send(gone.clone()).unwrap());
        let text = "x".repeat(100_000);
        let mut sent = 0;
        let gone = loop {
            if let Ok(gone) = told.try_recv() {
                break gone;
            }
            object.emit("ping", &args![sent, text.as_str()]).unwrap();
            sent += 1;
            assert!(sent < 20_000, "two gigabytes that nobody hears");
        };
        assert!(matches!(gone, Gone::Overrun | Gone::Closed | Gone::Cut { .. }), "{gone}");
        drop((hold, listening));
    });
    let server = Server::listen("127.0.0.1:0").unwrap();
    let (object, _canceled, _posted) = probe_object();
    server.register("Probe", object.clone()).unwrap();
    let come_and_go = |times: i64| {
        for i in 0..times {
            let session = Session::connect(&server.address().to_string()).unwrap();
            let service = session.service("Probe").unwrap();
            let (tell, told) = channel();
            let listening = service
                .subscribe("ping", move |_| {
                    let _ = tell.send(());
                })
                .unwrap();
            object.emit("ping", &args![0, "x"]).unwrap();
            told.recv_timeout(LONG).unwrap();
            let child = service.call("child", &[]).unwrap();
            if i % 2 == 0 {
                // Some clients leave without releasing anything.
                drop(service.start("until_canceled", &[]).unwrap());
                session.close();
            }
            drop((listening, child, service, session));
            // Wait, so that the peak is not that of many clients at once.
            while server.clients() > 0 {
                std::thread::yield_now();
            }
        }
    };
    come_and_go(100);
    within(8, "sessions that come and go", || come_and_go(many(1000).min(20_000)));
}
