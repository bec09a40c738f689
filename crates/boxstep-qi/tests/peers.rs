//! A client and a server of this library, over loopback.

use crate::common;
use crate::common::{LONG, child, many, probe};
use boxstep_qi::{Error, ObjectBuilder, ObjectValue, Options, Server, Session, Signature, Turns, Value, args};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::mpsc::{channel, sync_channel};
use std::sync::{Arc, Barrier};

#[test]
fn a_method_is_called_and_answers() {
    let probe = probe();
    let service = probe.session().service("Probe").unwrap();
    assert_eq!(service.call("add", &args![2, 3]).unwrap(), Value::I32(5));
    assert_eq!(service.call("add", &args![2i64, 3.0]).unwrap(), Value::I32(5), "numbers are converted");
    assert_eq!(service.call("nothing", &[]).unwrap(), Value::Void);
}

#[test]
fn every_value_survives_a_round_trip() {
    let probe = probe();
    let service = probe.session().service("Probe").unwrap();
    let texts = vec![Value::from("k"), Value::Str(vec![0xff, 0])];
    for value in [
        Value::Void,
        Value::Bool(true),
        Value::I8(-1),
        Value::U8(255),
        Value::I16(-2),
        Value::U16(65535),
        Value::I32(i32::MIN),
        Value::U32(u32::MAX),
        Value::I64(i64::MIN),
        Value::U64(u64::MAX),
        Value::F32(0.5),
        Value::F64(-1e300),
        Value::Raw(vec![0; 100_000]),
        Value::list_of(Signature::Str, texts.clone()),
        Value::from(vec![1, 2, 3]),
        Value::map_of(Signature::Str, Signature::I32, vec![(Value::from("a"), Value::I32(1))]),
        Value::map([(Value::from(1), Value::from("x"))]),
        Value::tuple(texts),
        Value::tuple(vec![]),
    ] {
        assert_eq!(service.call("echo", std::slice::from_ref(&value)).unwrap().into_plain(), value);
    }
}

#[test]
fn an_error_carries_the_message_of_the_method() {
    let probe = probe();
    let service = probe.session().service("Probe").unwrap();
    assert_eq!(service.call("fail", &args!["no more"]).unwrap_err().to_string(), "no more");
    assert!(matches!(service.call("add", &args![i32::MAX, 1]), Err(Error::Remote { text }) if text == "too large"));
    // The owner of the method decides about arguments that the client cannot convert.
    let error = service.call("add", &args!["x", 1]).unwrap_err().to_string();
    assert_eq!(error, "the arguments are not (ii): a value of type s cannot be sent as i (item 1)");
    let error = service.call("add", &args![1]).unwrap_err().to_string();
    assert_eq!(error, "add takes (ii)");
    assert_eq!(service.call("nope", &[]).unwrap_err().to_string(), "there is no method nope");
}

#[test]
fn of_several_methods_of_a_name_the_one_that_takes_the_arguments_is_called() {
    let probe = probe();
    let service = probe.session().service("Probe").unwrap();
    for (args, wanted) in [
        (args!["a"].to_vec(), "one text"),
        (args!["a", "b"].to_vec(), "two texts"),
        (args!["a", 1].to_vec(), "a text and a number"),
    ] {
        assert_eq!(service.call("over", &args).unwrap().as_str(), Some(wanted));
    }
    assert_eq!(service.call("count", &args![1, "b", 3.0]).unwrap(), Value::I32(3));
    assert_eq!(service.call("count", &[]).unwrap(), Value::I32(0));
}

#[test]
fn a_service_that_is_not_there_is_named() {
    let probe = probe();
    let session = probe.session();
    let error = session.service("ALMotion").unwrap_err();
    assert_eq!(error.to_string(), "there is no service ALMotion: Cannot find service 'ALMotion' in index");
    let names: Vec<String> = session.services().unwrap().into_iter().map(|s| s.name).collect();
    assert_eq!(names, ["ServiceDirectory", "Probe"]);
}

#[test]
fn posts_are_handled_in_order_and_never_answered() {
    let order = ObjectBuilder::new("");
    let (tell, told) = channel();
    let tell = std::sync::Mutex::new(tell);
    let object = order
        .method("note::(i)->v", move |args| {
            tell.lock().unwrap().send(args[0].as_i64()).unwrap();
            Err("nobody hears this".to_owned())
        })
        .build()
        .unwrap();
    let probe = probe();
    probe.server.register("Order", object).unwrap();
    let service = probe.session().service("Order").unwrap();
    for i in 0..many(10_000) {
        service.post("note", &args![i]).unwrap();
    }
    for i in 0..many(10_000) {
        assert_eq!(told.recv_timeout(LONG).unwrap(), Some(i));
    }
    // This call comes after all posts, because calls are handled one by one.
    assert!(service.call("note", &args![-1]).is_err());
    assert_eq!(told.try_iter().collect::<Vec<_>>(), [Some(-1)], "none was done twice");
}

#[test]
fn many_calls_wait_at_once_and_each_gets_its_own_answer() {
    let probe = probe();
    let done = Arc::new(AtomicI64::new(0));
    let count = Arc::clone(&done);
    let object = ObjectBuilder::new("").turns(Turns::SideBySide).method("add::(ii)->i", move |args| {
        count.fetch_add(1, Ordering::Relaxed);
        Ok(Value::from(args[0].as_i64().unwrap() + args[1].as_i64().unwrap()))
    });
    probe.server.register("Counted", object.build().unwrap()).unwrap();
    let service = probe.session().service("Counted").unwrap();
    let mut answered = 0;
    while answered < many(20_000) {
        let pending: Vec<_> = (0..10_000).map(|i| service.start("add", &args![i, i]).unwrap()).collect();
        for (i, pending) in pending.into_iter().enumerate() {
            assert_eq!(pending.wait().unwrap().as_i64(), Some(2 * i as i64));
            answered += 1;
        }
    }
    assert_eq!(done.load(Ordering::Relaxed), answered, "each was done once");
    let (tell, told) = channel();
    service.start("add", &args![1, 1]).unwrap().then(move |answer| tell.send(answer.unwrap()).unwrap());
    assert_eq!(told.recv_timeout(LONG).unwrap(), Value::I32(2));
}

#[test]
fn a_call_is_canceled_on_request() {
    let probe = probe();
    let service = probe.session().service("Probe").unwrap();
    let pending = service.start("until_canceled", &[]).unwrap();
    assert_eq!(probe.canceled.recv_timeout(LONG), Ok("began"));
    assert_eq!(service.call("add", &args![1, 1]).unwrap(), Value::I32(2), "the call is under way and blocks nothing");
    pending.cancel();
    assert!(matches!(pending.wait(), Err(Error::Canceled)));
    assert_eq!(probe.canceled.recv_timeout(LONG), Ok("canceled"));
}

#[test]
fn a_call_that_takes_too_long_is_canceled_and_reported() {
    let probe = probe();
    let service = probe.session().service("Probe").unwrap();
    let pending = service.start("until_canceled", &[]).unwrap();
    assert_eq!(probe.canceled.recv_timeout(LONG), Ok("began"));
    let error = pending.wait_for(std::time::Duration::from_millis(1)).unwrap_err();
    assert!(matches!(&error, Error::Slow { what, .. } if what == "until_canceled"), "{error}");
    assert_eq!(probe.canceled.recv_timeout(LONG), Ok("canceled"));
}

#[test]
fn a_queued_call_can_be_canceled() {
    let (go_on, wait) = channel::<()>();
    let (tell, told) = channel();
    let both = std::sync::Mutex::new((wait, tell));
    let object = ObjectBuilder::new("")
        .method("slow::()->v", move |_| {
            let both = both.lock().unwrap();
            both.1.send(()).unwrap();
            both.0.recv().map(|()| Value::Void).map_err(|e| e.to_string())
        })
        .build()
        .unwrap();
    let probe = probe();
    probe.server.register("Slow", object).unwrap();
    let service = probe.session().service("Slow").unwrap();
    let (first, second) = (service.start("slow", &[]).unwrap(), service.start("slow", &[]).unwrap());
    told.recv_timeout(LONG).unwrap();
    second.cancel();
    assert!(matches!(second.wait(), Err(Error::Canceled)));
    go_on.send(()).unwrap();
    first.wait().unwrap();
    // After both: the second has not begun.
    service.post("slow", &[]).unwrap();
    told.recv_timeout(LONG).unwrap();
    assert!(told.try_recv().is_err());
    go_on.send(()).unwrap();
}

#[test]
fn many_listeners_of_a_signal_are_one_registration() {
    let probe = probe();
    let service = probe.session().service("Probe").unwrap();
    let (ping, _) = service.meta().signal("ping").unwrap();
    let (tell, told) = channel();
    let listen = |name: &'static str| {
        let tell = tell.clone();
        service.subscribe("ping", move |args| tell.send((name, args.to_vec())).unwrap()).unwrap()
    };
    let (first, second) = (listen("first"), listen("second"));
    assert_eq!(boxstep_qi::Object::signals(&*probe.object).listeners(ping), 1);
    probe.object.emit("ping", &args![1, "a"]).unwrap();
    for name in ["first", "second"] {
        assert_eq!(told.recv_timeout(LONG).unwrap(), (name, args![1, "a"].to_vec()));
    }
    drop(first);
    probe.object.emit("ping", &args![2, "b"]).unwrap();
    assert_eq!(told.recv_timeout(LONG).unwrap(), ("second", args![2, "b"].to_vec()));
    drop(second);
    // This call comes after the unregistration on the same socket, so that is complete.
    service.call("nothing", &[]).unwrap();
    assert_eq!(boxstep_qi::Object::signals(&*probe.object).listeners(ping), 0);
}

#[test]
fn events_come_in_order_and_none_is_lost() {
    let probe = probe();
    let service = probe.session().service("Probe").unwrap();
    let (tell, told) = channel();
    let _listening = service.subscribe("ping", move |args| tell.send(args[0].as_i64().unwrap()).unwrap()).unwrap();
    let count = many(50_000);
    for i in 0..count {
        probe.object.emit("ping", &args![i as i32, "x"]).unwrap();
    }
    assert!((0..count).all(|i| told.recv_timeout(LONG).unwrap() == i));
    // The last event comes after any duplicate.
    probe.object.emit("ping", &args![-1, "x"]).unwrap();
    assert_eq!(told.recv_timeout(LONG).unwrap(), -1);
}

#[test]
fn a_listener_may_call_the_peer() {
    let probe = probe();
    let service = probe.session().service("Probe").unwrap();
    let (tell, told) = channel();
    let inside = service.clone();
    let _listening = service
        .subscribe("ping", move |args| tell.send(inside.call("add", &args![args[0].as_i64().unwrap(), 1])).unwrap())
        .unwrap();
    service.emit("ping", &args![41, "from the client"]).unwrap();
    assert_eq!(told.recv_timeout(LONG).unwrap().unwrap(), Value::I32(42));
}

#[test]
fn a_signal_may_have_any_arguments() {
    let probe = probe();
    let service = probe.session().service("Probe").unwrap();
    let (tell, told) = channel();
    let _listening = service.subscribe("anything", move |args| tell.send(args.to_vec()).unwrap()).unwrap();
    let sent = args![1, "b"].map(|x: Value| x);
    probe.object.emit("anything", &sent).unwrap();
    assert_eq!(told.recv_timeout(LONG).unwrap(), sent);
}

#[test]
fn a_property_is_read_set_refused_and_watched() {
    let probe = probe();
    let service = probe.session().service("Probe").unwrap();
    assert_eq!(service.property("volume").unwrap(), Value::I32(50));
    let (tell, told) = channel();
    let _listening = service.subscribe("volume", move |args| tell.send(args.to_vec()).unwrap()).unwrap();
    service.set_property("volume", 60i64).unwrap();
    assert_eq!(told.recv_timeout(LONG).unwrap(), [Value::I32(60)]);
    probe.object.set("volume", 70).unwrap();
    assert_eq!(told.recv_timeout(LONG).unwrap(), [Value::I32(70)]);
    assert_eq!(service.property("volume").unwrap(), Value::I32(70));
    assert_eq!(service.set_property("limited", 2.0).unwrap_err().to_string(), "more than one is too much");
    assert_eq!(service.property("limited").unwrap(), Value::F32(0.5));
    assert!(matches!(service.set_property("volume", "loud"), Err(Error::Encode(_))));
    assert!(matches!(service.property("nope"), Err(Error::NoMember { kind: "property", .. })));
}

#[test]
fn a_returned_object_lives_until_it_is_released() {
    let (tell, told) = channel();
    let tell = std::sync::Mutex::new(tell);
    let object = ObjectBuilder::new("")
        .method("make::()->m", move |_| {
            let child = child();
            tell.lock().unwrap().send(Arc::downgrade(&child)).unwrap();
            Ok(Value::from(child as Arc<dyn boxstep_qi::Object>))
        })
        .build()
        .unwrap();
    let probe = probe();
    probe.server.register("Maker", object).unwrap();
    let maker = probe.session().service("Maker").unwrap();
    let made = maker.call("make", &[]).unwrap();
    let kept = told.recv_timeout(LONG).unwrap();
    let remote = made.as_object().and_then(ObjectValue::remote).unwrap().clone();
    drop(made);
    assert_eq!(remote.call("name", &[]).unwrap().as_str(), Some("child"));
    assert_eq!(remote.property("age").unwrap(), Value::I32(3));
    let (tell, cries) = channel();
    let listening = remote.subscribe("cried", move |args| tell.send(args[0].as_i64()).unwrap()).unwrap();
    kept.upgrade().unwrap().emit("cried", &args![5]).unwrap();
    assert_eq!(cries.recv_timeout(LONG).unwrap(), Some(5));
    drop(listening);
    drop(remote);
    // After the object's release on the same socket.
    let _ = maker.call("make", &[]).unwrap();
    assert!(kept.upgrade().is_none());
}

#[test]
fn an_object_that_is_passed_is_called_back() {
    let probe = probe();
    let service = probe.session().service("Probe").unwrap();
    let ours = child() as Arc<dyn boxstep_qi::Object>;
    let kept = Arc::downgrade(&ours);
    assert_eq!(service.call("nameOf", &[Value::from(ours)]).unwrap().as_str(), Some("child"));
    // An object that comes back is called through both relays, and released by both.
    let ours = child() as Arc<dyn boxstep_qi::Object>;
    let sent = Arc::downgrade(&ours);
    let echoed = service.call("echo", &[Value::from(ours)]).unwrap();
    let remote = echoed.as_object().and_then(ObjectValue::remote).unwrap();
    assert_eq!(remote.call("name", &[]).unwrap().as_str(), Some("child"));
    assert!(sent.upgrade().is_some());
    drop(echoed);
    // The server released the first one before it answered the second call, or just after.
    while kept.upgrade().is_some() || sent.upgrade().is_some() {
        service.call("nothing", &[]).unwrap();
    }
}

#[test]
fn objects_in_unsendable_arguments_are_taken_back() {
    let probe = probe();
    let service = probe.session().service("Probe").unwrap();
    let ours = child();
    let kept = Arc::downgrade(&ours);
    // The first value can be sent; the second cannot, because it is too deep.
    let second = (0..boxstep_qi::MAX_DEPTH + 1).fold(Value::Void, |inner, _| Value::list([inner]));
    let both = [Value::list([Value::from(ours as Arc<dyn boxstep_qi::Object>), second])];
    assert!(matches!(service.call("echo", &both), Err(Error::Arguments { .. })));
    drop(both);
    assert!(kept.upgrade().is_none());
}

#[test]
fn a_client_offers_a_service_that_the_server_calls_over_the_same_socket() {
    let probe = probe();
    let session = probe.session();
    let (tell, told) = channel();
    let added = tell.clone();
    let directory = session.directory().unwrap();
    let _added = directory.subscribe("serviceAdded", move |a| added.send(("added", a.to_vec())).unwrap()).unwrap();
    let _removed = directory.subscribe("serviceRemoved", move |a| tell.send(("removed", a.to_vec())).unwrap()).unwrap();
    let registered = session.register("Mine", child()).unwrap();
    let id = registered.id();
    assert_eq!(told.recv_timeout(LONG).unwrap(), ("added", args![id, "Mine"].to_vec()));
    let mine = probe.server.service("Mine").unwrap();
    assert_eq!(mine.call("name", &[]).unwrap().as_str(), Some("child"));
    assert!(matches!(session.register("Mine", child()), Err(Error::Remote { .. })));
    registered.unregister().unwrap();
    assert_eq!(told.recv_timeout(LONG).unwrap(), ("removed", args![id, "Mine"].to_vec()));
    assert!(matches!(probe.server.service("Mine"), Err(Error::NoService { .. })));
}

#[test]
fn services_of_a_client_are_removed_when_it_disconnects() {
    let probe = probe();
    let watcher = probe.session();
    let (tell, told) = channel();
    let directory = watcher.directory().unwrap();
    let _removed = directory.subscribe("serviceRemoved", move |a| tell.send(a[1].clone()).unwrap()).unwrap();
    let session = probe.session();
    let registered = session.register("Mine", child()).unwrap();
    session.connection().close();
    assert_eq!(told.recv_timeout(LONG).unwrap().as_str(), Some("Mine"));
    drop(registered);
    let info = watcher.services().unwrap();
    assert!(info.iter().all(|s| s.name != "Mine"));
}

#[test]
fn a_call_that_is_called_back_does_not_block_anything() {
    // The server's method calls the client, whose object calls the server again.
    let probe = probe();
    let session = probe.session();
    let service = session.service("Probe").unwrap();
    let back = service.clone();
    let ours = ObjectBuilder::new("")
        .turns(Turns::SideBySide)
        .method("name::()->s", move |_| back.call("over", &args!["x"]).map_err(|e| e.to_string()))
        .build()
        .unwrap();
    let answer = service.call("nameOf", &[Value::from(ours as Arc<dyn boxstep_qi::Object>)]).unwrap();
    assert_eq!(answer.as_str(), Some("one text"));
}

#[test]
fn threads_that_share_a_socket_get_their_own_answers() {
    let probe = probe();
    let service = probe.session().service("Probe").unwrap();
    let (tell, told) = channel();
    let _listening = service.subscribe("ping", move |args| tell.send(args[0].as_i64().unwrap()).unwrap()).unwrap();
    // One call that is never answered until the end, and four threads that call, some with a timeout, while events
    // arrive.
    let long = service.start("until_canceled", &[]).unwrap();
    std::thread::scope(|scope| {
        for t in 0..4i64 {
            let service = &service;
            scope.spawn(move || {
                for i in 0..2000 {
                    let sum = if (i + t) % 5 == 0 {
                        service.call_within("add", &args![t * 10_000, i], LONG)
                    } else {
                        service.call("add", &args![t * 10_000, i])
                    };
                    assert_eq!(sum.unwrap().as_i64(), Some(t * 10_000 + i));
                }
            });
        }
        for i in 0..2000 {
            probe.object.emit("ping", &args![i, "x"]).unwrap();
        }
    });
    assert!((0..2000).all(|i| told.recv_timeout(LONG).unwrap() == i));
    long.cancel();
    assert!(matches!(long.wait(), Err(Error::Canceled)));
}

#[test]
fn a_hundred_clients_call_and_listen() {
    let probe = probe();
    let heard = Arc::new(AtomicI64::new(0));
    let (ready, start) = (Arc::new(Barrier::new(101)), Arc::new(Barrier::new(101)));
    let (done, all_heard) = sync_channel(100);
    let address = probe.server.address().to_string();
    let threads: Vec<_> = (0..100)
        .map(|i: i64| {
            let (ready, start, heard, done) = (ready.clone(), start.clone(), heard.clone(), done.clone());
            let address = address.clone();
            std::thread::spawn(move || {
                let service = Session::connect(&address).unwrap().service("Probe").unwrap();
                let listener = move |args: &[Value]| {
                    heard.fetch_add(args[0].as_i64().unwrap(), Ordering::Relaxed);
                    if args[0].as_i64() == Some(10) {
                        done.send(()).unwrap();
                    }
                };
                let listening = service.subscribe("ping", listener).unwrap();
                ready.wait();
                for k in 0..50i64 {
                    assert_eq!(service.call("add", &args![i, k]).unwrap().as_i64(), Some(i + k));
                }
                start.wait();
                (service, listening)
            })
        })
        .collect();
    ready.wait();
    assert_eq!(probe.server.clients(), 100);
    for k in 1..=10 {
        probe.object.emit("ping", &args![k, "to all"]).unwrap();
    }
    for _ in 0..100 {
        all_heard.recv_timeout(LONG).unwrap();
    }
    start.wait();
    let _clients: Vec<_> = threads.into_iter().map(|t| t.join().unwrap()).collect();
    assert_eq!(heard.load(Ordering::Relaxed), 100 * 55);
}

/// The description of a service that another process offers at these addresses.
fn elsewhere(endpoints: Vec<Value>) -> Value {
    Value::tuple(vec![
        "Elsewhere".into(),
        Value::U32(0),
        "machine".into(),
        Value::U32(1),
        Value::list_of(Signature::Str, endpoints),
        "session".into(),
        "".into(),
    ])
}

#[test]
fn the_password_goes_to_the_host_that_was_named_and_not_to_the_address_of_a_service_elsewhere() {
    let probe = probe();
    let (heard, logins) = channel();
    let check = move |who: Option<&boxstep_qi::Credentials>| {
        heard.send(who.map(|who| who.token.clone())).unwrap();
        Ok(())
    };
    // Another host, if this machine has an address that looks like one.
    let Ok(other) = Server::listen_guarded("127.0.0.2:0", Options::default(), check) else { return };
    let (own, _, _) = common::probe_object();
    other.register("Own", own).unwrap();
    let credentials = Some(boxstep_qi::Credentials { user: "nao".into(), token: "secret".into() });
    let options = Options { credentials, ..Options::default() };
    let session = Session::connect_with(&probe.server.address().to_string(), options).unwrap();
    let directory = session.directory().unwrap();
    let endpoint = Value::from(format!("tcp://{}", other.address()).as_str());
    let id = directory.call("registerService", &[elsewhere(vec![endpoint])]).unwrap();
    directory.call("serviceReady", &[id]).unwrap();
    // Whether it has such an object does not matter here.
    let _ = session.service("Elsewhere");
    assert_eq!(logins.recv_timeout(LONG).unwrap(), None);
    assert!(logins.try_iter().all(|login| login.is_none()));
}

#[test]
fn of_very_many_addresses_only_some_are_tried() {
    let probe = probe();
    let session = probe.session();
    let directory = session.directory().unwrap();
    // Nothing listens at any of them.
    let endpoints = (1..=20_000_u16).map(|n| Value::from(format!("tcp://0.0.0.{}:{n}", 1 + n % 200).as_str()));
    let id = directory.call("registerService", &[elsewhere(endpoints.collect())]).unwrap();
    directory.call("serviceReady", &[id]).unwrap();
    let Err(Error::NoEndpoint { tried, .. }) = session.service("Elsewhere") else { panic!("it is reached") };
    assert!(tried.len() <= 96, "{}", tried.len());
    assert!(session.service_info("Elsewhere").unwrap().endpoints.len() <= 32);
}

#[test]
fn a_server_with_two_addresses_in_its_directory_is_reached_at_the_one_that_works() {
    // The directory names a service of another process, at an address that leads nowhere and at one that works.
    let other = probe();
    let probe = probe();
    let session = probe.session();
    let directory = session.directory().unwrap();
    let info = |endpoint: String| elsewhere(vec![Value::from("tcp://0.0.0.1:1"), Value::Str(endpoint.into_bytes())]);
    // The number in the other process has to be the same: there, Probe is 2, and here the next one is 3.
    let (third, _, _) = common::probe_object();
    other.server.register("Third", third).unwrap();
    let id = directory.call("registerService", &[info(format!("tcp://{}", other.server.address()))]).unwrap();
    directory.call("serviceReady", &[id]).unwrap();
    let found = session.service("Elsewhere").unwrap();
    assert_eq!(found.connection().peer(), other.server.address().to_string());
    assert_eq!(found.call("add", &args![1, 2]).unwrap(), Value::I32(3));
}
