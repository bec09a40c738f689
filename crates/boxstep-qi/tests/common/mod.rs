//! A server with one service that can do everything, and helpers for tests with it.
#![allow(dead_code)]

pub(crate) mod raw;

use boxstep_qi::{BuiltObject, Generation, ObjectBuilder, ObjectValue, Options, Server, Session, Turns, Value};
use std::net::{SocketAddr, TcpListener};
use std::sync::atomic::{AtomicU16, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Longer than anything takes on the slowest machine; only a failing test waits this long.
pub(crate) const LONG: Duration = Duration::from_secs(60);

/// Returns how often to repeat what must never lose anything; `BOXSTEP_QI_MANY` raises the number.
pub(crate) fn many(usual: i64) -> i64 {
    std::env::var("BOXSTEP_QI_MANY").ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// Returns a port outside the range that systems give to clients, so that nobody takes it while nobody listens.
pub(crate) fn free_address() -> SocketAddr {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    let start = u16::try_from(std::process::id() % 10_000).unwrap() + 15_000;
    loop {
        let address = SocketAddr::from(([127, 0, 0, 1], start + NEXT.fetch_add(1, Ordering::Relaxed)));
        if TcpListener::bind(address).is_ok() {
            return address;
        }
    }
}

pub(crate) struct Probe {
    pub(crate) server: Server,
    pub(crate) object: Arc<BuiltObject>,
    /// The events of calls of `until_canceled`: `began`, `canceled`.
    pub(crate) canceled: Receiver<&'static str>,
    /// The arguments of posts.
    pub(crate) posted: Receiver<i64>,
}

pub(crate) fn child() -> Arc<BuiltObject> {
    ObjectBuilder::new("A child.")
        .method("name::()->s", |_| Ok("child".into()))
        .signal("cried", "(i)")
        .property("age", "i", 3)
        .build()
        .unwrap()
}

pub(crate) fn probe_object() -> (Arc<BuiltObject>, Receiver<&'static str>, Receiver<i64>) {
    let (tell_cancel, canceled) = channel();
    let (tell_post, posted) = channel();
    let tell_cancel = Mutex::new(tell_cancel);
    let tell_post = Mutex::new(tell_post);
    let object = ObjectBuilder::new("A service that can do everything.")
        .turns(Turns::SideBySide)
        .method("add::(ii)->i", |args| {
            let sum = args[0].as_i64().unwrap_or_default() + args[1].as_i64().unwrap_or_default();
            i32::try_from(sum).map(Value::from).map_err(|_| "too large".to_owned())
        })
        .method("echo::(m)->m", |args| Ok(args[0].clone()))
        .method("nothing::()->v", |_| Ok(Value::Void))
        .method("fail::(s)->i", |args| Err(args[0].as_str().unwrap_or_default().to_owned()))
        .method("count::m->i", |args| Ok(Value::from(args.len() as i64)))
        .method("over::(s)->s", |_| Ok("one text".into()))
        .method("over::(ss)->s", |_| Ok("two texts".into()))
        .method("over::(si)->s", |_| Ok("a text and a number".into()))
        .method("child::()->o", |_| Ok(Value::from(child() as Arc<dyn boxstep_qi::Object>)))
        .method("nameOf::(o)->s", |args| match args[0].as_object() {
            Some(ObjectValue::Remote(remote)) => remote.call("name", &[]).map_err(|e| e.to_string()),
            other => Err(format!("{other:?}")),
        })
        .method("note::(l)->v", move |args| {
            let sent = tell_post.lock().unwrap().send(args[0].as_i64().unwrap_or_default());
            sent.map(|()| Value::Void).map_err(|e| e.to_string())
        })
        .method_later("until_canceled::()->v", move |call| {
            let tell = tell_cancel.lock().unwrap().clone();
            // Only the cancel function keeps the reply.
            let kept = call.reply.clone();
            let canceled = tell.clone();
            call.reply.on_cancel(move |reply| {
                reply.canceled();
                drop(kept);
                canceled.send("canceled").unwrap();
            });
            tell.send("began").unwrap();
        })
        .signal("ping", "(is)")
        .signal("anything", "m")
        .property("volume", "i", 50)
        .property_with("limited", "f", 0.5, |new| {
            if new.as_f64() > Some(1.0) { Err("more than one is too much".to_owned()) } else { Ok(()) }
        })
        .build()
        .unwrap();
    (object, canceled, posted)
}

pub(crate) fn probe() -> Probe {
    probe_of(None)
}

pub(crate) fn probe_of(generation: Option<Generation>) -> Probe {
    let (object, canceled, posted) = probe_object();
    let server = Server::listen_with("127.0.0.1:0", Options { generation, ..Options::default() }).unwrap();
    server.register("Probe", object.clone()).unwrap();
    Probe { server, object, canceled, posted }
}

impl Probe {
    pub(crate) fn session(&self) -> Session {
        Session::connect(&self.server.address().to_string()).unwrap()
    }
}
