//! The expectation that a run was blessed with is met by that run, and the rest of the file is unchanged.

use boxstep_bodies::BodyKind;
use boxstep_format::model::Project;
use boxstep_format::{Limits, read_xar};
use boxstep_test::observe::{Observed, bless};
use boxstep_test::{Suite, judge};
use boxstep_trace::{Act, CallEvent, EndReason, Event, Footer, Kind, Name, Outgoing, PathId, Paths, Recording};
use boxstep_types::{BoxPath, Time, Value};
use proptest::prelude::*;
use std::path::Path;

fn project() -> Project {
    let xar = r#"<ChoregrapheProject xar_version="3"><Box name="root" id="-1">
        <Output name="out" type="0" type_size="1" nature="2" inner="0" tooltip="" id="4"/></Box></ChoregrapheProject>"#;
    read_xar("behavior.xar", xar.as_bytes(), &Limits::default()).unwrap().project
}

#[derive(Clone, Debug)]
enum Thing {
    Say(String),
    Call(String),
    Output(Value),
}

fn run(things: &[(i64, Thing)], reason: EndReason) -> Recording {
    let mut paths = Paths::default();
    let root = paths.add(&BoxPath::root("root"));
    let out = Name::new("out");
    let mut t = 0;
    let mut events = Vec::new();
    for (i, (later, thing)) in things.iter().enumerate() {
        t += later;
        let (path, kind) = match thing {
            Thing::Say(text) => {
                (PathId(0), Kind::Act(Box::new(Act { kind: "say".into(), text: text.clone(), data: Value::Null })))
            }
            Thing::Call(method) => {
                let asked = CallEvent {
                    dir: Outgoing::Out,
                    service: "ALOne".into(),
                    method: method.as_str().into(),
                    args: Vec::new(),
                    line: 1,
                };
                (root, Kind::Service(Box::new(asked)))
            }
            Thing::Output(value) => (root, Kind::Output { port: out, value: value.clone() }),
        };
        events.push(Event { n: i as u64 + 1, t: Time(t), cause: 0, path, kind });
    }
    let footer = Footer {
        reason,
        t: Time(t),
        events: events.len() as u64,
        errors: 0,
        not_compiled: 0,
        unsupported: 0,
        dropped: 0,
        warnings: 0,
        forced: 0,
        deterministic: Ok(()),
    };
    Recording { header: None, events, paths, footer: Some(footer) }
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::Int),
        any::<f64>().prop_map(Value::Float),
        ".*".prop_map(Value::from),
        prop::collection::vec(any::<u8>(), 0..4).prop_map(|b| Value::Bytes(b.as_slice().into())),
    ];
    leaf.prop_recursive(2, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::list),
            prop::collection::btree_map(".{0,3}", inner, 0..4).prop_map(|m| Value::map(m.into_iter())),
        ]
    })
}

fn thing() -> impl Strategy<Value = Thing> {
    prop_oneof![".*".prop_map(Thing::Say), "[a-z]{1,5}".prop_map(Thing::Call), value().prop_map(Thing::Output),]
}

proptest! {
    #[test]
    fn what_a_run_is_blessed_with_is_met_by_it(
        things in prop::collection::vec((0..3_000_000_000i64, thing()), 0..8),
        ended in any::<bool>(),
    ) {
        let (path, project) = (Path::new("a.test.toml"), project());
        let run = run(&things, if ended { EndReason::Ended } else { EndReason::Waiting });
        let before = "# mine\n[[test]]\nname = \"a\" # as it is\n\n[[test]]\nname = \"b\"\n";
        let suite = Suite::read(path, before).map_err(|w| w.found).unwrap();
        let observed = Observed::new(&suite.tests[0], "root", &run);
        // The JSON is passed between processes.
        let observed: Observed = serde_json::from_str(&serde_json::to_string(&observed).unwrap()).unwrap();
        let text = bless(before, 0, &observed).unwrap().text;
        prop_assert!(text.starts_with("# mine\n[[test]]\nname = \"a\" # as it is\n"), "{}", text);
        prop_assert!(text.ends_with("\n[[test]]\nname = \"b\"\n"), "{}", text);
        let suite = Suite::read(path, &text).map_err(|w| format!("{:?}\n{text}", w.found)).unwrap();
        prop_assert_eq!(judge(&suite, &suite.tests[0], Some(&project), BodyKind::Nao.body(), &run), vec![], "{}", text);
        // A second blessing has nothing to write.
        prop_assert_eq!(bless(&text, 0, &observed).unwrap().written, Vec::<&str>::new(), "{}", text);
    }
}

#[test]
fn another_run_does_not_meet_it() {
    let (path, project) = (Path::new("a.test.toml"), project());
    let say = |text: &str| (0, Thing::Say(text.to_owned()));
    let call = |name: &str| (5_000_000, Thing::Call(name.to_owned()));
    let out = |n| (0, Thing::Output(Value::Int(n)));
    let first = run(&[say("a"), call("x"), call("y"), out(1)], EndReason::Ended);
    let file = "[[test]]\nname = \"a\"\n";
    let suite = Suite::read(path, file).unwrap();
    let text = bless(file, 0, &Observed::new(&suite.tests[0], "root", &first)).unwrap().text;
    let suite = Suite::read(path, &text).unwrap();
    let found = |things: &[(i64, Thing)], reason| {
        let all = judge(&suite, &suite.tests[0], Some(&project), BodyKind::Nao.body(), &run(things, reason));
        all.into_iter().map(|d| d.expected).collect::<Vec<_>>()
    };
    assert_eq!(found(&[say("a"), call("x"), call("y"), out(1)], EndReason::Ended), Vec::<String>::new());
    let one = |things: &[(i64, Thing)], words: &str| {
        let found = found(things, EndReason::Ended);
        assert!(matches!(&found[..], [only] if only.contains(words)), "{words}: {found:?}");
    };
    one(&[say("b"), call("x"), call("y"), out(1)], "says “a”");
    one(&[call("x"), call("y"), out(1)], "says “a”");
    one(&[say("a"), say("b"), call("x"), call("y"), out(1)], "nothing more is said");
    one(&[say("a"), call("y"), call("x"), out(1)], "ALOne.y after: ALOne.x");
    one(&[say("a"), call("x"), call("y"), out(2)], "root sends out 1 at 0.010 s");
    one(&[say("a"), call("x"), call("y")], "root sends out 1 at 0.010 s");
    let later = found(&[say("a"), call("x"), call("y"), call("z"), out(1)], EndReason::Waiting);
    assert_eq!(later, ["it ended by itself by 0.010 s", "root sends out 1 at 0.010 s"]);
}
