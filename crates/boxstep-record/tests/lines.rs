//! The written form, line by line, against `docs/reference/trace.md`.

use boxstep_record::{JsonLines, Normal};
use boxstep_trace::*;
use boxstep_types::{BoxPath, Time, Value};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};

#[derive(Clone, Default)]
struct Buffer(Arc<Mutex<Vec<u8>>>);

impl Write for Buffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Buffer {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

/// A disk with no space left.
struct Full;

impl Write for Full {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::StorageFull.into())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn header() -> Header {
    Header {
        schema: Schema,
        product: "boxstep 0".into(),
        files: vec![("behavior.xar".into(), "00ff".into())],
        body: "nao".into(),
        clock: ClockKind::Virtual,
        seed: 0,
        epoch: 1_577_836_800,
        parameters: vec![("root/Say/Text".into(), Value::from("hi"))],
        options: vec![("language".into(), Value::from("English"))],
        started: None,
        show: None,
    }
}

fn footer(deterministic: Result<(), String>) -> Footer {
    Footer {
        reason: EndReason::Ended,
        t: Time::from_millis(1500),
        events: 2,
        errors: 0,
        not_compiled: 0,
        unsupported: 0,
        dropped: 1,
        warnings: 0,
        forced: 0,
        deterministic,
    }
}

fn busy(path: Option<&str>, does: &str, waits_for: &str) -> Busy {
    Busy {
        behavior: "hello".into(),
        path: path.map(|p| p.parse().unwrap()),
        does: does.into(),
        waits_for: waits_for.to_owned(),
        since: Time(7),
        given_up: path.is_some(),
    }
}

/// The fields of one event after `kind`.
fn written(kind: Kind) -> String {
    let out = Buffer::default();
    let (mut sink, file) = JsonLines::new(out.clone(), Normal::new().folder(Path::new("/b/hello"), "behavior"));
    let mut paths = Paths::default();
    let path = paths.add(&BoxPath::root("root").child("Say", None));
    sink.events(&[Event { n: 2, t: Time(5), cause: 1, path, kind }], &paths);
    file.flush_now();
    assert!(file.take_error().is_none());
    let text = out.text();
    let rest = text.strip_prefix("{\"n\":2,\"t\":5,\"cause\":1,\"path\":\"root/Say\",\"kind\":").unwrap();
    rest.strip_suffix("}\n").unwrap().to_owned()
}

#[test]
fn header_and_footer() {
    let out = Buffer::default();
    let (mut sink, file) = JsonLines::new(out.clone(), Normal::new());
    sink.begin(&header());
    sink.end(&footer(Err("network".into())));
    assert!(file.take_error().is_none());
    assert_eq!(
        out.text(),
        concat!(
            r#"{"schema":1,"product":"boxstep 0","files":{"behavior.xar":"00ff"},"body":"nao","clock":"virtual","seed":0,"#,
            r#""epoch":1577836800,"parameters":{"root/Say/Text":"hi"},"options":{"language":"English"}}"#,
            "\n",
            r#"{"reason":"ended","t":1500000000,"events":2,"errors":0,"unsupported":0,"dropped":1,"warnings":0,"#,
            r#""deterministic":false,"why":"network"}"#,
            "\n"
        )
    );
}

#[test]
fn every_kind_has_its_fields() {
    let error = || ScriptError {
        kind: "NameError".into(),
        message: "<x at 0x7f01>".into(),
        line: Some(3),
        traceback: "File \"/b/hello/behavior.xar\"".into(),
    };
    let error_json =
        r#"{"kind":"NameError","message":"<x at 0x0>","line":3,"traceback":"File \"{behavior}/behavior.xar\""}"#;
    let s = |t: &str| -> Arc<str> { t.into() };
    let claimed = |what, owner: Option<&str>, others: &[&str]| {
        let others = others.iter().map(|o| s(o)).collect();
        Kind::Resource(Box::new(ResourceEvent { what, name: s("Speech"), owner: owner.map(s), others }))
    };
    let delegation = |event: DelegationEvent| Kind::Delegation(Box::new(event.into()));
    let [on_start, x, p] = ["onStart", "x", "p"].map(Name::new);
    let done = |result| {
        Kind::ServiceDone(Box::new(ReplyEvent {
            dir: Incoming::In,
            service: s("A"),
            method: s("b"),
            result,
            mock: false,
        }))
    };
    let cases = [
        (
            Kind::Behavior { phase: BehaviorPhase::Loaded, name: s("hello") },
            r#""behavior","phase":"loaded","name":"hello""#.to_owned(),
        ),
        (
            Kind::BehaviorFailed { name: s("hello"), error: Box::new(error()) },
            format!(r#""behavior_failed","name":"hello","error":{error_json}"#),
        ),
        (Kind::Box { phase: BoxPhase::Started }, r#""box","phase":"started""#.to_owned()),
        (Kind::Diagram { phase: DiagramPhase::Loaded, place: None }, r#""diagram","phase":"loaded""#.to_owned()),
        (
            Kind::Diagram {
                phase: DiagramPhase::Loaded,
                place: Some(Arc::new(Place { layer: s("layer"), keyframe: s("left") })),
            },
            r#""diagram","phase":"loaded","layer":"layer","keyframe":"left""#.to_owned(),
        ),
        (Kind::Input { port: on_start, value: Value::Null }, r#""input","port":"onStart","value":null"#.to_owned()),
        (Kind::Output { port: x, value: Value::Float(1.0) }, r#""output","port":"x","value":1.0"#.to_owned()),
        (
            Kind::Dropped { port: x, value: Value::Int(1), why: DropReason::BoxNotLoaded },
            r#""dropped","port":"x","value":1,"why":"the box is not loaded""#.to_owned(),
        ),
        (
            Kind::Mismatch { port: x, value: Value::from("1"), wanted: ValueType::Number },
            r#""mismatch","port":"x","value":"1","wanted":"number""#.to_owned(),
        ),
        (Kind::Parameter { name: p, value: Value::Int(1) }, r#""parameter","name":"p","value":1"#.to_owned()),
        (Kind::Call { method: s("onLoad") }, r#""call","method":"onLoad""#.to_owned()),
        (Kind::Returned { method: s("onLoad") }, r#""returned","method":"onLoad""#.to_owned()),
        (Kind::Abandoned { method: s("onUnload") }, r#""abandoned","method":"onUnload""#.to_owned()),
        (
            Kind::Forced { busy: [busy(Some("root/Say"), "onUnload", "a lock"), busy(None, "walking", "")].into() },
            concat!(
                r#""forced","busy":[{"behavior":"hello","path":"root/Say","does":"onUnload","waits_for":"a lock","#,
                r#""since":7,"given_up":true},{"behavior":"hello","does":"walking","since":7}]"#
            )
            .to_owned(),
        ),
        (
            Kind::Raised { method: s("onLoad"), error: Box::new(error()) },
            format!(r#""raised","method":"onLoad","error":{error_json}"#),
        ),
        (
            Kind::Timeline { command: TimelinePhase::Play, frame: 1 },
            r#""timeline","command":"play","frame":1"#.to_owned(),
        ),
        (
            Kind::Service(Box::new(CallEvent {
                dir: Outgoing::Out,
                service: s("ALMotion"),
                method: s("wakeUp"),
                args: vec![Value::Bool(true)],
                line: 4,
            })),
            r#""service","dir":"out","service":"ALMotion","method":"wakeUp","args":[true],"line":4"#.to_owned(),
        ),
        (done(Ok(Value::Int(1))), r#""service_done","dir":"in","service":"A","method":"b","value":1"#.to_owned()),
        (done(Err("no".into())), r#""service_done","dir":"in","service":"A","method":"b","error":"no""#.to_owned()),
        (
            Kind::Unsupported { service: s("A"), method: s("b"), line: 7 },
            r#""unsupported","service":"A","method":"b","line":7"#.to_owned(),
        ),
        (Kind::event("K", Value::Int(1)), r#""event","dir":"in","key":"K","value":1"#.to_owned()),
        (
            Kind::Act(Box::new(Act {
                kind: "say".into(),
                text: "hi".into(),
                data: Value::map([("speed", Value::Int(1))]),
            })),
            r#""act","act":"say","text":"hi","data":{"speed":1}"#.to_owned(),
        ),
        (
            Kind::Joints { angles: [(s("HeadYaw"), 0.5)].as_slice().into(), torso: None },
            r#""joints","angles":{"HeadYaw":0.5}"#.to_owned(),
        ),
        (
            Kind::Log { level: LogLevel::Info, text: s("x"), line: 2 },
            r#""log","level":"info","text":"x","line":2"#.to_owned(),
        ),
        (
            Kind::Print { text: s("x"), stderr: true, line: 2 },
            r#""print","text":"x","stderr":true,"line":2"#.to_owned(),
        ),
        (Kind::control(Control::Stop(())), r#""control","dir":"in","what":"stop","details":null"#.to_owned()),
        (
            Kind::Reload(Box::new(ReloadEvent { phase: ReloadPhase::Taken, text: s("has it"), error: None })),
            r#""reload","phase":"taken","text":"has it""#.to_owned(),
        ),
        (
            Kind::Reload(Box::new(ReloadEvent { phase: ReloadPhase::Refused, text: s("no"), error: Some(error()) })),
            format!(r#""reload","phase":"refused","text":"no","error":{error_json}"#),
        ),
        (claimed(ResourcePhase::Taken, None, &[]), r#""resource","what":"taken","name":"Speech""#.to_owned()),
        (
            claimed(ResourcePhase::Waiting, Some("Module"), &["root/Say"]),
            r#""resource","what":"waiting","name":"Speech","owner":"Module","others":["root/Say"]"#.to_owned(),
        ),
        (
            delegation(DelegationEvent::Delegated { to: vec![s("wave"), s("say")], ticket: 4 }),
            r#""delegation","what":"delegated","to":["wave","say"],"ticket":4"#.to_owned(),
        ),
        (
            delegation(DelegationEvent::Refused { request: Request::Ask, to: Vec::new(), why: s("it is not active") }),
            r#""delegation","what":"refused","request":"ask","why":"it is not active""#.to_owned(),
        ),
        (
            delegation(DelegationEvent::Ended { ticket: 4, end: DelegationEnd::Done { value: Value::Int(1) } }),
            r#""delegation","what":"ended","ticket":4,"how":"done","value":1"#.to_owned(),
        ),
        (
            Kind::Delegation(Box::new(Delegation {
                event: DelegationEvent::Left,
                name: Some(s("idle/4")),
                earlier: Some(7),
            })),
            r#""delegation","what":"left","name":"idle/4","earlier":7"#.to_owned(),
        ),
        (Kind::Warning { text: s("hm") }, r#""warning","text":"hm""#.to_owned()),
    ];
    for (kind, json) in cases {
        assert_eq!(written(kind), json);
        // What is read is written back unchanged.
        let read: Kind = serde_json::from_str(&format!("{{\"kind\":{json}}}")).unwrap();
        assert_eq!(written(read), json);
    }
}

#[test]
fn an_event_without_a_box_has_no_path() {
    let out = Buffer::default();
    let (mut sink, file) = JsonLines::new(out.clone(), Normal::new());
    let event = Event { n: 1, t: Time::ZERO, cause: 0, path: PathId(0), kind: Kind::Warning { text: "w".into() } };
    sink.events(&[event], &Paths::default());
    file.flush_now();
    assert_eq!(out.text(), "{\"n\":1,\"t\":0,\"cause\":0,\"kind\":\"warning\",\"text\":\"w\"}\n");
}

#[test]
fn a_full_disk_is_kept_for_the_end() {
    let (mut sink, file) = JsonLines::new(Full, Normal::new());
    sink.begin(&header());
    sink.end(&footer(Ok(())));
    assert_eq!(file.take_error().map(|e| e.kind()), Some(io::ErrorKind::StorageFull));
}
