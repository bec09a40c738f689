//! Tests of the store.

use super::*;
use crate::index::Direction;
use boxstep_engine::trace::{BoxPhase, ScriptError};
use boxstep_record::Normal;
use boxstep_types::ObjectRef;
use serde_json::{Value as Json, json};
use std::path::Path;

fn store(lines: usize) -> TraceStore {
    let mut store = TraceStore::new();
    store.push(r#"{"schema":1,"product":"test"}"#).unwrap();
    for n in 1..=lines {
        let line = format!(
            r#"{{"n":{n},"t":{},"cause":0,"path":"root/{}","kind":"output","port":"p","value":{n}}}"#,
            n * 10,
            n % 7
        );
        store.push(&line).unwrap();
    }
    store
}

fn items(snapshot: &Snapshot) -> Vec<Json> {
    let mut all: Vec<Json> = snapshot.since(0).iter().map(|item| serde_json::to_value(item).unwrap()).collect();
    all.sort_by_key(ToString::to_string);
    all
}

#[test]
fn a_snapshot_at_any_time_is_that_of_the_lines_up_to_it() {
    let whole = store(150_000);
    assert!(whole.checkpoints.len() < CHECKPOINTS);
    for at in [0, 1, 6, 1023, 1024, 1025, 77_777, 150_000] {
        assert_eq!(items(&whole.at(at as i64 * 10 + 9)), items(&store(at).now), "{at}");
    }
}

#[test]
fn a_snapshot_that_is_advanced_is_that_of_its_time() {
    let mut whole = store(9_000);
    whole.push(r#"{"end":{"t":90000,"reason":"ended"}}"#).ok();
    let mut past = whole.past(0);
    for t in [15, 15, 70, 71, 5_000, 77_777, 90_000] {
        let before = whole.advance(&mut past, t).unwrap();
        assert_eq!(items(&past.snapshot), items(&whole.at(t)), "{t}");
        assert!(t > 15 || past.snapshot.since(before).len() < 2, "only what has changed");
    }
    assert!(whole.advance(&mut past, 5).is_none(), "not backwards");
    let mut far = store(30_000).past(0);
    assert!(store(30_000).advance(&mut far, 300_000).is_none(), "too far");
}

#[test]
fn events_and_their_lines_make_the_same_store() {
    let mut paths = Paths::default();
    let boxes = ["root/A", "root/B"].map(|path| paths.add(&path.parse().unwrap()));
    let ports = ["in", "out"].map(Name::new);
    let kinds = |n: u64| {
        let value = [Value::Null, Value::Int(n as i64), Value::Float(0.5), Value::Bool(n < 2500), "x".into()];
        match n % 6 {
            0 => Kind::Box { phase: [BoxPhase::Started, BoxPhase::Stopped][n as usize % 4 / 2] },
            1 => Kind::Call { method: "onInput_in".into() },
            2 => Kind::Returned { method: "onInput_in".into() },
            3 => {
                let [kind, message, traceback] = ["E", "no", ""].map(Arc::from);
                Kind::Raised {
                    method: "onInput_in".into(),
                    error: Box::new(ScriptError { kind, message, line: None, traceback }),
                }
            }
            4 => Kind::Input { port: ports[0], value: value[n as usize % 5].clone() },
            _ => Kind::Output { port: ports[n as usize % 2], value: value[n as usize % 5].clone() },
        }
    };
    let event = |n: u64| Event { n, t: Time(n as i64 * 10), cause: n - 1, path: boxes[n as usize % 2], kind: kinds(n) };
    let form = Form::default();
    let (mut live, mut read) = (TraceStore::live(form.clone()), TraceStore::new());
    for store in [&mut live, &mut read] {
        store.push(r#"{"schema":1}"#).unwrap();
    }
    let table = Arc::new(paths.clone());
    for n in 1..5000 {
        live.events(std::iter::once(event(n)), &table);
        read.push(&form.event(&event(n), Some(&paths.text(boxes[n as usize % 2])))).unwrap();
    }
    for at in [0, 10, 1234, 10_240, 33_333, 49_990] {
        assert_eq!(items(&live.at(at)), items(&read.at(at)), "{at}");
    }
    let lines = |store: &TraceStore| (0..5000).filter_map(|at| store.line(at)).collect::<Vec<_>>();
    assert_eq!(lines(&live), lines(&read));
    let output = read.now.find(About::Output, "root/B", "out").unwrap();
    assert_eq!(live.index.series(output, (0, 60_000), 9), read.index.series(output, (0, 60_000), 9));
    assert_eq!(live.index.change(output, 600, Direction::On), read.index.change(output, 600, Direction::On));
    live.shorten();
    assert_eq!(items(&live.at(40_000)), items(&read.at(40_000)));
}

#[test]
fn a_live_run_keeps_no_script_object_no_folder_and_no_invalid_angle() {
    let mut store = TraceStore::live(Form(Normal::new().folder(Path::new("/home/ann"), "home")));
    let alive = Arc::new(());
    let held = alive.clone();
    let object = Value::Object(ObjectRef::with_release(7, move |_| drop(held.clone())));
    let kinds = [
        Kind::Output { port: "out".into(), value: Value::list([object]) },
        Kind::event("/home/ann/Key", "/home/ann/x".into()),
        Kind::Joints { angles: [("HeadYaw".into(), f64::NAN), ("HeadPitch".into(), 0.5)].into(), torso: None },
    ];
    let event = |kind| Event { n: 1, t: Time::ZERO, cause: 0, path: Default::default(), kind };
    store.events(kinds.into_iter().map(event), &Arc::default());
    assert_eq!(Arc::strong_count(&alive), 1, "the object has ended");
    let angles = [("HeadYaw".into(), f64::INFINITY), ("HeadPitch".into(), 0.25)].to_vec();
    let commands = [("HeadYaw".into(), Some(f64::NAN)), ("HeadPitch".into(), None)].to_vec();
    store.pose(1, Time::ZERO, &Pose { angles, commands, torso: None });
    let values = |about: &str| -> Vec<Json> {
        items(&store.now).iter().filter(|item| item[0] == about).map(|item| json!([item[2], item[6]])).collect()
    };
    assert_eq!(values("memory"), [json!(["{home}/Key", "{home}/x"])]);
    assert_eq!(values("joint"), [json!(["HeadPitch", 0.25])]);
    assert_eq!(values("command"), [json!(["HeadPitch", null])]);
}

#[test]
fn a_run_without_end_keeps_its_later_half_and_what_could_be_seen_before() {
    let whole = store(10_001);
    let mut half = store(10_001);
    half.shorten();
    // A snapshot is kept each 1,024 lines.
    assert_eq!((half.entries.len(), half.begin(), half.end()), (10_001 - 5_120, 51_200, 100_010));
    for at in [5_120, 5_121, 6_145, 7_777, 10_001] {
        let t = at * 10;
        assert_eq!(items(&half.at(t)), items(&whole.at(t)), "{at}");
    }
    assert_eq!(items(&half.now), items(&whole.now));
    // What is earlier is as it was where it begins.
    assert_eq!(items(&half.at(5)), items(&whole.at(51_200)));
}

#[test]
fn the_log_has_the_numbers_that_it_had() {
    let mut whole = TraceStore::new();
    whole.push(r#"{"schema":1}"#).unwrap();
    for n in 1..=5000 {
        let print = format!(r#"{{"n":{},"t":{n},"kind":"print","text":"{n}"}}"#, 2 * n - 1);
        whole.push(&print).unwrap();
        whole
            .push(&format!(r#"{{"n":{},"t":{n},"path":"root","kind":"output","port":"p","value":1}}"#, 2 * n))
            .unwrap();
    }
    let last = |store: &TraceStore| store.log(4999).map(|entry| store.texts.line(entry, None));
    let before = (whole.log_len(), whole.log_len_at(4900), last(&whole));
    whole.shorten();
    whole.shorten();
    assert_eq!((whole.log_len(), whole.log_len_at(4900), last(&whole)), before);
    assert!(whole.log(0).is_none());
    // Two lines each, and a snapshot each 1,024 lines: first 5,120 lines are let go, then 3,072.
    assert_eq!(whole.log_dropped(), 4096);
}

#[test]
fn items_that_have_changed_come_in_the_order_of_their_changes() {
    let mut store = store(9);
    let seen = store.now.version;
    store.push(r#"{"n":10,"t":100,"cause":0,"path":"root/2","kind":"output","port":"p","value":"x"}"#).unwrap();
    let new: Vec<_> = store.now.since(seen).iter().map(|item| serde_json::to_string(item).unwrap()).collect();
    assert_eq!(new, [r#"["output","root/2","p",10,100,3,"x"]"#]);
}

#[test]
fn a_trace_that_was_cut_off_is_read_up_to_its_last_whole_line() {
    let text = "{\"schema\":1}\n{\"n\":1,\"t\":5,\"kind\":\"print\",\"text\":\"a\"}\n{\"n\":2,\"t\":6,\"ki";
    let store = TraceStore::read(text).unwrap();
    assert_eq!((store.now.n, store.log_len(), store.footer().is_none()), (1, 1, true));
    let bad = TraceStore::read("{\"schema\":1}\nnonsense\n").err().map(|bad| bad.line);
    assert_eq!(bad, Some(2));
    assert_eq!(TraceStore::read("hello\n").err().map(|bad| bad.line), Some(1));
}

#[test]
fn a_dialog_has_a_focus_open_rules_and_variables_at_any_time() {
    let mut store = TraceStore::new();
    store.push(r#"{"schema":1}"#).unwrap();
    let rule = r#"{"topic":"greet","line":4,"head":"u:(hello)"}"#;
    for line in [
        r#"{"n":1,"t":10,"path":"root/A","kind":"dialog","what":"focus","topic":"greet"}"#,
        &format!(r#"{{"n":2,"t":10,"path":"root/A","kind":"dialog","what":"scope","rule":{rule}}}"#),
        r#"{"n":3,"t":20,"path":"root/B","kind":"dialog","what":"variable","key":"name","value":"Ann"}"#,
        r#"{"n":4,"t":20,"path":"root/B","kind":"dialog","what":"scope"}"#,
        r#"{"n":5,"t":30,"path":"root/B","kind":"dialog","what":"focus"}"#,
    ] {
        store.push(line).unwrap();
    }
    let values = |t: i64| -> Vec<Json> {
        items(&store.at(t)).iter().map(|item| json!([item[0], item[1], item[2], item[6]])).collect()
    };
    let open: Json = serde_json::from_str(rule).unwrap();
    assert_eq!(values(15), [json!(["dialog", "", "focus", "greet"]), json!(["dialog", "", "scope", open])]);
    let [focus, variable] = [json!(["dialog", "", "focus", "greet"]), json!(["variable", "", "name", "Ann"])];
    assert_eq!(values(25), [focus, json!(["dialog", "", "scope", null]), variable.clone()]);
    assert_eq!(values(35)[0], json!(["dialog", "", "focus", null]));
}

#[test]
fn an_error_is_forgotten_when_its_box_begins_anew() {
    let raised = |n: u64, message: &str| {
        let error = format!(r#"{{"kind":"E","message":"{message}","line":null,"traceback":""}}"#);
        format!(r#"{{"n":{n},"t":{n},"path":"root/A","kind":"raised","method":"m","error":{error}}}"#)
    };
    let mut store = TraceStore::new();
    store.push(r#"{"schema":1}"#).unwrap();
    store.push(&raised(1, "x")).unwrap();
    assert_eq!(items(&store.now)[0][6]["message"], "x");
    store.push(r#"{"n":2,"t":1,"path":"root/A","kind":"box","phase":"loaded"}"#).unwrap();
    let error = |store: &TraceStore| items(&store.now).into_iter().find(|item| item[0] == "error").unwrap()[6].clone();
    assert_eq!(error(&store), Json::Null);
    // With another script it stays loaded; what it raises then is its own.
    for (line, message) in [
        (&*raised(3, "old"), "old".into()),
        (r#"{"n":4,"t":3,"path":"root/A","kind":"box","phase":"constructed"}"#, Json::Null),
        (&raised(5, "new"), "new".into()),
        (r#"{"n":6,"t":3,"path":"root/A","kind":"reload","phase":"taken","text":""}"#, "new".into()),
    ] {
        store.push(line).unwrap();
        assert_eq!(error(&store)["message"], message);
    }
}
