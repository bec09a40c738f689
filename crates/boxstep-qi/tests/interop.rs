//! Both directions with libqi itself. `BOXSTEP_QI_PYTHON` names a Python that can import its package `qi`. Without it
//! these tests report that they were skipped.

use crate::common::{LONG, child, probe_of};
use crate::peer::Peer;
use boxstep_qi::{Generation, ObjectValue, Session, Signature, Value, args};
use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::mpsc::channel;

/// Starts one of our programs on libqi. `None` if the test is skipped.
fn start(script: &str, args: &[&str], capabilities: &str) -> Option<Peer> {
    let Some(python) = std::env::var_os("BOXSTEP_QI_PYTHON") else {
        eprintln!("left out: BOXSTEP_QI_PYTHON names no Python with libqi");
        return None;
    };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/interop").join(script);
    let mut command = Command::new(python);
    Some(Peer::start(command.arg(script).args(args).env("QI_TRANSPORT_CAPABILITIES", capabilities)).unwrap())
}

/// The capabilities of libqi versions of different years.
const YEARS: [&str; 3] = [
    "",
    "+MetaObjectCache:-ObjectPtrUID:-RelativeEndpointURI",
    "+MetaObjectCache:-ObjectPtrUID:-RelativeEndpointURI:-RemoteCancelableCalls",
];

#[test]
fn libqi_uses_our_server() {
    let generations = Generation::ALL.into_iter().map(|generation| (Some(generation), YEARS[0]));
    let both = [(None, YEARS[0]), (None, YEARS[1]), (Some(Generation::Naoqi25), YEARS[1])];
    for (generation, year) in both.into_iter().chain(generations) {
        let probe = probe_of(generation);
        let address = format!("tcp://{}", probe.server.address());
        let old = generation == Some(Generation::Naoqi21);
        let more = if old { Some("old") } else { None };
        let offers = probe.session();
        offers.listen("127.0.0.1:0").unwrap();
        let _open = offers.register("Open", child()).unwrap();
        let args: Vec<&str> = [&*address].into_iter().chain(more).collect();
        let Some(mut peer) = start("client.py", &args, year) else { return };
        for wanted in [
            "services",
            "call",
            "values",
            "errors",
            "overloads",
            "signals",
            "properties",
            "object returned",
            "object passed",
            "cancel",
            "calls in a row",
            "client that listens",
            "passed on",
            "stats",
            "registered",
        ] {
            assert_eq!(peer.line().unwrap(), wanted, "{generation:?} {year}");
        }
        let mine = probe.server.service("Mine").unwrap();
        assert_eq!(mine.call("name", &[]).unwrap().as_str(), Some("mine"));
        writeln!(peer.input.as_mut().unwrap(), "go on").unwrap();
        assert_eq!((peer.line().unwrap(), peer.line().unwrap()), ("unregistered".to_owned(), "closed".to_owned()));
    }
}

#[test]
fn our_client_uses_libqi() {
    for year in YEARS {
        let Some(mut peer) = start("serve.py", &[], year) else { return };
        let session = Session::connect(&peer.line().unwrap()).unwrap();
        let service = session.service("Probe").unwrap();
        assert!(service.connection().is_same(session.connection()), "one process, one socket");
        assert_eq!(service.call("add", &args![2, 3]).unwrap(), Value::I32(5));
        assert_eq!(service.call("nothing", &[]).unwrap().into_plain(), Value::Void);
        for value in [
            Value::Void,
            Value::Bool(true),
            Value::I64(7),
            Value::F64(-1.5),
            Value::from("h\u{e9}"),
            Value::list([Value::I64(1), Value::from("a"), Value::list([])]),
            Value::map([(Value::from("k"), Value::F64(2.0))]),
            Value::tuple(vec![Value::I64(1).dynamic(), Value::from("t").dynamic()]),
        ] {
            assert_eq!(service.call("echo", std::slice::from_ref(&value)).unwrap().into_plain(), value);
        }
        let floats = vec![Value::F32(0.5), Value::F32(-1.0)];
        let floats = Value::list_of(Signature::F32, floats);
        assert_eq!(service.call("floats", &args![vec![0.5, -1.0]]).unwrap(), floats);
        let table = service.call("table", &[Value::map([("a".into(), 1.into())])]).unwrap();
        assert_eq!(table.get("a"), Some(&Value::I32(1)));
        let error = service.call("fail", &args!["no more"]).unwrap_err().to_string();
        assert!(error.starts_with("RuntimeError: no more"), "{error}");
        assert!(service.call("add", &args!["x", 3]).is_err());
        assert_eq!(service.call("over", &args![1, "b", 3.0]).unwrap().as_i64(), Some(3));

        let (tell, told) = channel();
        let listening = service.subscribe("ping", move |args| tell.send(args[0].as_i64().unwrap()).unwrap()).unwrap();
        service.post("emit", &args![1000]).unwrap();
        // libqi does not guarantee an order.
        let mut heard: Vec<i64> = (0..1000).map(|_| told.recv_timeout(LONG).unwrap()).collect();
        heard.sort_unstable();
        assert!(heard.into_iter().eq(0..1000));
        service.emit("ping", &args![-1, "ours"]).unwrap();
        assert_eq!(told.recv_timeout(LONG).unwrap(), -1);
        drop(listening);

        assert_eq!(service.property("volume").unwrap().as_i64(), Some(50));
        let (tell, told) = channel();
        let _watching = service.subscribe("volume", move |args| tell.send(args[0].as_i64()).unwrap()).unwrap();
        service.set_property("volume", 60).unwrap();
        assert_eq!(told.recv_timeout(LONG).unwrap(), Some(60));

        let given = service.call("child", &[]).unwrap();
        let remote = given.as_object().and_then(ObjectValue::remote).unwrap();
        assert_eq!(remote.call("name", &[]).unwrap().as_str(), Some("child"));
        let (tell, told) = channel();
        let cries = remote.subscribe("cried", move |args| tell.send(args[0].as_i64()).unwrap()).unwrap();
        remote.call("cry", &args![9]).unwrap();
        assert_eq!(told.recv_timeout(LONG).unwrap(), Some(9));
        drop(cries);
        let ours = child() as Arc<dyn boxstep_qi::Object>;
        assert_eq!(service.call("nameOf", &[Value::from(ours)]).unwrap().as_str(), Some("child"));

        let sums = boxstep_qi::ObjectBuilder::new("")
            .method("sum::(ll)->l", |args| {
                Ok(Value::from(args[0].as_i64().unwrap_or(0) + args[1].as_i64().unwrap_or(0)))
            })
            .build()
            .unwrap();
        let registered = session.register("Sums", sums).unwrap();
        assert_eq!(service.call("sumOf", &args!["Sums", 40, 2]).unwrap().as_i64(), Some(42));
        assert!(session.services().unwrap().iter().any(|s| s.name == "Sums" && s.id == registered.id()));
        registered.unregister().unwrap();
        assert!(session.services().unwrap().iter().all(|s| s.name != "Sums"));
        let (tell, told) = channel();
        let directory = session.directory().unwrap();
        let _leaving = directory.subscribe("serviceRemoved", move |args| tell.send(args[1].clone()).unwrap()).unwrap();
        drop(session.register("Sums", child()).unwrap());
        assert_eq!(told.recv_timeout(LONG).unwrap().as_str(), Some("Sums"), "dropped is taken away as well");

        for i in 0..1000 {
            service.post("note", &args![i]).unwrap();
        }
        // libqi handles posts one after another, so all of them come before the call.
        let noted = service.call("noted", &[]).unwrap();
        let noted: Vec<i64> = noted.as_slice().unwrap().iter().map(|x| x.as_i64().unwrap()).collect();
        assert!(noted.into_iter().eq(0..1000));
    }
}
