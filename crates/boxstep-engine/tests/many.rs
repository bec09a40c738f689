//! What many boxes share, and what stays each one's own: ports of one look, names, paths; of behaviors that play at once, too.

use crate::support::*;
use boxstep_engine::config::{Config, Control};
use boxstep_engine::protocol::{Next, Order, Request, Scheduler as _};
use boxstep_types::{Time, Value};
use std::sync::Arc;

fn keyframe(name: &str, index: i32, content: &str) -> String {
    format!(r#"<BehaviorKeyframe name="{name}" index="{index}"><Diagram>{content}</Diagram></BehaviorKeyframe>"#)
}

fn layer(mute: i32, keyframes: &str) -> String {
    format!(r#"<BehaviorLayer name="l{mute}" mute="{mute}">{keyframes}</BehaviorLayer>"#)
}

/// A timeline of one muted layer, one that is empty, and one with two keyframes that have a box A, 1 each.
fn twins() -> String {
    let layers = layer(1, &keyframe("m", 1, &boxed("A", 1, "", "")))
        + &layer(0, "")
        + &layer(0, &(keyframe("a", 1, &boxed("A", 1, "", "")) + &keyframe("b", 500, &boxed("A", 1, "", ""))));
    let inside = format!(r#"<Timeline enable="1" fps="10" start_frame="1" end_frame="1000">{layers}</Timeline>"#);
    root(&(boxed("T", 1, "", &inside) + &link(0, 2, 1, 2)))
}

/// The full names and paths that constructors are given.
fn constructed(xml: &str) -> Vec<(Arc<str>, String)> {
    let mut engine = Run::with(xml, Scripts::new(), Robot::default(), Config::default()).engine;
    let mut seen = Vec::new();
    while let Next::Job(job) = engine.next() {
        if let Order::Construct { info, .. } = &job.order {
            seen.push((info.full_name.clone(), info.path.to_string()));
        }
        engine.request(job.task, Request::Returned(Value::list([])));
    }
    seen
}

#[test]
fn boxes_that_look_alike_handle_each_its_own_inputs() {
    let boxes = ["A", "B", "C"].iter().zip(1..).map(|(name, id)| boxed(name, id, "", "") + &link(0, 2, id, 2));
    let xml = root(&boxes.collect::<String>());
    let scripts = Scripts::from([(("A", "onInput_onStart"), vec![Log("a")]), (("C", "onLoad"), vec![Log("c")])]);
    let (lines, _) = Run::new(&xml, scripts).finish();
    assert_eq!(only(&lines, &["call"]), ["0.000 root/C call onLoad", "0.000 root/A call onInput_onStart"]);
}

#[test]
fn boxes_of_one_pattern_have_full_names_of_their_own_in_document_order() {
    let a = "_Behavior__1__root__T_1__A_1";
    let expected = [
        ("_Behavior__1__root".to_owned(), "root"),
        ("_Behavior__1__root__T_1".to_owned(), "root/T"),
        (a.to_owned(), "root/T/@l0:a/A"),
        (format!("{a}__2"), "root/T/@l0:b/A"),
    ];
    let seen = constructed(&twins());
    let seen: Vec<(String, &str)> = seen.iter().map(|(name, path)| (name.to_string(), path.as_str())).collect();
    assert_eq!(seen, expected);
}

#[test]
fn a_path_leads_to_the_box_of_its_keyframe_and_to_none_in_a_muted_layer() {
    let to =
        |path: &str| Control::Stimulate { path: path.parse().unwrap(), port: "onStart".to_owned(), value: Value::Null };
    let scripts = Scripts::from([(("A", "onInput_onStart"), vec![Log("a")])]);
    let run = Run::new(&twins(), scripts).control(1.0, to("root/T/@l0:a/A")).control(60.0, to("root/T/@l0:b/A"));
    let (lines, _) = run.finish();
    assert_eq!(only(&lines, &["log"]), ["1.000 root/T/@l0:a/A log a", "60.000 root/T/@l0:b/A log a"]);
    let mut run = Run::new(&twins(), Scripts::new());
    let refused = run.engine.control(boxstep_types::Time::ZERO, to("root/T/@l1:m/A")).unwrap_err();
    assert!(refused.contains("muted"), "{refused}");
}

/// An output of a box.
const PUT: &str = r#"<Output name="o" type="0" type_size="1" nature="2" inner="0" tooltip="" id="5"/>"#;

#[test]
fn boxes_of_behaviors_that_play_at_once_are_told_apart_by_the_name_of_the_later_one() {
    let other = root(&boxed("A", 1, PUT, ""));
    let two = boxed("A", 1, PUT, "") + &boxed("S", 2, "", "") + &link(0, 2, 2, 2);
    let scripts = Scripts::from([(
        ("S", "onInput_onStart"),
        vec![Call("ALBehaviorManager", "startBehavior", vec!["my/other".into()]), Log("started"), Sleep(1.0)],
    )]);
    let mut run = Run::among(&root(&two), &[("my/other", &other)], scripts, Robot::default(), Config::default());
    let poke = |path: &str, value: i64| Control::Stimulate {
        path: path.parse().unwrap(),
        port: "o".into(),
        value: Value::Int(value),
    };
    let why = run.engine.control(Time::ZERO, poke("my/other/root/A", 0)).unwrap_err();
    assert!(why.contains("my"), "{why}");
    // In a run that is repeated it is looked for when its time comes.
    for path in ["my/other/root/A", "my/another/root/A"] {
        run.engine.control_again(Time::from_millis(500), poke(path, 3)).unwrap();
    }
    assert!(run.engine.control_again(Time::from_millis(500), poke("root/B", 3)).is_err());
    while !run.seen().iter().any(|line| line.ends_with("log started")) {
        assert!(!run.step());
        run.engine.flush_trace();
    }
    run.engine.control(Time::ZERO, poke("root/A", 1)).unwrap();
    run.engine.control(Time::ZERO, poke("my/other/root/A", 2)).unwrap();
    assert!(run.engine.control(Time::ZERO, poke("my/other/root/B", 3)).is_err());
    let (lines, footer) = run.finish();
    let put_out = only(&lines, &["A < o", "dropped"]);
    assert_eq!(
        put_out,
        ["0.000 root/A < o 1", "0.000 my/other/root/A < o 2", "0.500 my/other/root/A < o 3"],
        "{lines:#?}"
    );
    assert_eq!(footer.warnings, 1, "{lines:#?}");
}
