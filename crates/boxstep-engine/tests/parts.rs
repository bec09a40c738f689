//! Structure that changes while it runs (`docs/guides/reload.md`): links, curves, and the insides of boxes.

use crate::support::*;
use boxstep_engine::config::{Config, Control, PartChange, PartSource};
use boxstep_engine::protocol::Scheduler as _;
use boxstep_engine::trace::{EndReason, Footer};
use boxstep_format::{Limits, paths, read_xar};
use boxstep_types::Value;
use std::sync::Arc;

const START: &str = "onInput_onStart";
const LINKS: PartChange = PartChange { links: true, curves: false, boxes: false };
const CURVES: PartChange = PartChange { links: false, curves: true, boxes: false };
const BOXES: PartChange = PartChange { links: false, curves: false, boxes: true };

/// From now on a box has the inside that it has in this file.
fn part(path: &str, change: PartChange, xml: &str) -> Control {
    let file = read_xar("new.xar", xml.as_bytes(), &Limits::default()).unwrap();
    let path = path.parse().unwrap();
    let inside = paths::find(&file.project, &path).unwrap().def.timeline.clone();
    Control::Part(Arc::new(PartSource { path, change, inside, sources: Arc::new(file.sources) }))
}

fn poke(path: &str, port: &str) -> Control {
    Control::Stimulate { path: path.parse().unwrap(), port: port.to_owned(), value: Value::Null }
}

fn restart(path: &str) -> Control {
    Control::RestartPart(path.parse().unwrap())
}

/// A root with a box around `inside`, and a timer, so that virtual time goes on.
fn around(inside: &str) -> String {
    root(&(boxed("Part", 1, "", &flow(inside)) + &boxed("Timer", 9, "", "") + &link(0, 2, 9, 2) + &link(0, 2, 1, 2)))
}

/// Boxes that say that they load, start and unload.
fn saying(names: &[&'static str]) -> Scripts {
    let mut scripts = Scripts::from([(("Timer", START), vec![Every(1.0, 1.0)])]);
    for name in names {
        for method in ["onLoad", "onUnload", START] {
            let words = match method {
                "onLoad" => "loads",
                "onUnload" => "unloads",
                _ => "starts",
            };
            scripts.insert((name, method), vec![Log(words)]);
        }
    }
    scripts
}

/// What boxes say, and what is said of changes, until the tenth second.
fn told(run: Run) -> (Vec<String>, Footer) {
    let (lines, footer) = run.control(10.0, Control::Stop).finish();
    assert_eq!(footer.reason, EndReason::Ended, "{lines:#?}");
    let told = lines.iter().filter(|l| l.contains(" log ") || l.contains("reload ")).cloned().collect();
    (told, footer)
}

#[test]
fn a_link_counts_at_once_and_one_that_is_gone_no_longer() {
    let boxes = boxed("A", 1, "", "") + &boxed("B", 2, "", "");
    let old = around(&(boxes.clone() + &link(0, 2, 1, 2)));
    let new = around(&(boxes + &link(0, 2, 2, 2) + &link(2, 4, 1, 2)));
    let mut scripts = saying(&["A", "B"]);
    scripts.insert(("B", START), vec![Log("starts"), Out("onStopped", Value::Null)]);
    let run =
        Run::new(&old, scripts).control(1.0, part("root/Part", LINKS, &new)).control(2.0, poke("root/Part", "onStart"));
    let (told, footer) = told(run);
    let expected = [
        "0.000 root/Part/A log loads",
        "0.000 root/Part/B log loads",
        "0.000 root/Part/A log starts",
        "1.000 root/Part reload taken: has its new links",
        "2.000 root/Part/B log starts",
        "2.000 root/Part/A log starts",
        "10.000 root/Part/A log unloads",
        "10.000 root/Part/B log unloads",
    ];
    assert_eq!(told, expected);
    assert_eq!(footer.deterministic, Err("the behavior was changed while it ran".to_owned()));
}

#[test]
fn boxes_wait_for_the_next_load_of_what_is_around_them() {
    let old = around(&(boxed("A", 1, "", "") + &link(0, 2, 1, 2)));
    let new = around(&(boxed("B", 7, "", "") + &boxed("A", 1, "", "") + &link(0, 2, 1, 2) + &link(0, 2, 7, 2)));
    let run = Run::new(&old, saying(&["A", "B"]))
        .control(1.0, part("root/Part", BOXES, &new))
        .control(2.0, poke("root/Part", "onStop"))
        .control(3.0, poke("root/Part", "onStart"));
    let (told, footer) = told(run);
    let expected = [
        "0.000 root/Part/A log loads",
        "0.000 root/Part/A log starts",
        "1.000 root/Part reload waiting: what is new inside counts when it is loaded next",
        "2.000 root/Part/A log unloads",
        "2.000 root/Part reload taken: has its new inside",
        "3.000 root/Part/B log loads",
        "3.000 root/Part/A log loads",
        "3.000 root/Part/A log starts",
        "3.000 root/Part/B log starts",
        "10.000 root/Part/B log unloads",
        "10.000 root/Part/A log unloads",
    ];
    assert_eq!(told, expected);
    assert_eq!((footer.errors, footer.warnings), (0, 0));
}

#[test]
fn a_part_that_is_started_in_the_moment_of_its_stop_has_what_waited() {
    let old = around(&boxed("A", 1, "", ""));
    let new = around(&boxed("B", 7, "", ""));
    let run = Run::new(&old, saying(&["A", "B"]))
        .control(1.0, part("root/Part", BOXES, &new))
        .control(2.0, poke("root/Part", "onStop"))
        .control(2.0, poke("root/Part", "onStart"));
    let (told, _) = told(run);
    let at_two: Vec<_> = told.iter().filter(|l| l.starts_with("2.")).collect();
    let expected = [
        "2.000 root/Part/A log unloads",
        "2.000 root/Part reload taken: has its new inside",
        "2.000 root/Part/B log loads",
    ];
    assert_eq!(at_two, expected);
}

#[test]
fn a_restart_loads_a_part_anew_and_its_neighbours_hear_nothing() {
    let tail = boxed("Next", 5, "", "")
        + &boxed("Timer", 9, "", "")
        + &link(0, 2, 9, 2)
        + &link(0, 2, 1, 2)
        + &link(1, 4, 5, 2);
    let whole = |inside: &str| root(&(boxed("Part", 1, "", &flow(inside)) + &tail));
    let old = whole(&(boxed("A", 1, "", "") + &link(0, 2, 1, 2) + &link(1, 4, 0, 4)));
    let new = whole(&(boxed("B", 2, "", "") + &link(0, 2, 2, 2)));
    let mut scripts = saying(&["A", "B", "Next"]);
    scripts.insert(("A", "onUnload"), vec![Log("unloads"), Out("onStopped", Value::Null)]);
    let run = Run::new(&old, scripts)
        .control(1.0, restart("root/Part"))
        .control(2.0, part("root/Part", BOXES, &new))
        .control(3.0, restart("root/Part"));
    let (lines, footer) = run.control(10.0, Control::Stop).finish();
    let told: Vec<_> =
        lines.iter().filter(|l| (l.contains(" log ") || l.contains("reload ")) && !l.contains("Next")).collect();
    let expected = [
        "0.000 root/Part/A log loads",
        "0.000 root/Part/A log starts",
        "2.000 root/Part reload waiting: what is new inside counts when it is loaded next",
        "3.000 root/Part/A log unloads",
        "3.000 root/Part/B log loads",
        "3.000 root/Part reload taken: has its new inside, and begins again",
        "3.000 root/Part/B log starts",
        "10.000 root/Part/B log unloads",
    ];
    assert_eq!(told, expected);
    assert!(only(&lines, &["root/Next log starts"]).is_empty(), "{lines:#?}");
    assert_eq!(only(&lines, &["root/Part/A constructed", "root/Part/A destroyed"]).len(), 2, "{lines:#?}");
    assert_eq!(footer.errors, 0);
}

#[test]
fn the_whole_behavior_is_a_part_too() {
    let old = root(&(boxed("A", 1, "", "") + &link(0, 2, 1, 2)));
    let new = root(
        &(boxed("A", 1, "", "") + &boxed("B", 2, "", "") + &link(0, 2, 1, 2) + &link(1, 4, 2, 2) + &link(2, 4, 0, 4)),
    );
    let mut scripts = saying(&["A", "B"]);
    scripts.insert(("A", START), vec![Log("starts"), Sleep(2.0), Out("onStopped", Value::Null)]);
    scripts.insert(("B", START), vec![Log("starts"), Out("onStopped", Value::Null)]);
    let run = Run::new(&old, scripts).control(1.0, part("root", BOXES, &new)).control(1.5, restart("root"));
    let (lines, footer) = run.finish();
    let expected = [
        "0.000 root/A log loads",
        "0.000 root/A log starts",
        "1.500 root/A log unloads",
        "1.500 root/A log loads",
        "1.500 root/B log loads",
        "1.500 root/A log starts",
        "3.500 root/B log starts",
        "3.500 root/A log unloads",
        "3.500 root/B log unloads",
    ];
    assert_eq!(only(&lines, &[" log "]), expected);
    assert_eq!(footer.reason, EndReason::Ended);
}

#[test]
fn curves_wait_for_the_end_of_the_timeline_and_count_from_its_next_start() {
    let timed = |end: i32, value: f64| {
        let keys = format!(r#"<Key frame="1" value="0"/><Key frame="{end}" value="{value}"/>"#);
        let inside = format!(
            r#"<Timeline enable="1" fps="25" start_frame="1" end_frame="{end}"><ActuatorList model=""><ActuatorCurve name="value" actuator="HeadYaw" mute="0" unit="0">{keys}</ActuatorCurve></ActuatorList></Timeline>"#
        );
        root(&(boxed("Part", 1, "", &inside) + &boxed("Timer", 9, "", "") + &link(0, 2, 9, 2) + &link(0, 2, 1, 2)))
    };
    let run = Run::new(&timed(51, 10.0), saying(&[]))
        .control(1.0, part("root/Part", CURVES, &timed(26, 20.0)))
        .control(4.0, poke("root/Part", "onStart"));
    let (lines, _) = run.control(10.0, Control::Stop).finish();
    let expected = [
        "1.000 root/Part reload waiting: its new curves wait until the timeline rests",
        "2.000 root/Part reload taken: has its new curves",
    ];
    assert_eq!(only(&lines, &["reload "]), expected);
    assert_eq!(only(&lines, &["timeline end"]), ["2.000 root/Part timeline end 51", "5.000 root/Part timeline end 26"]);
}

#[test]
fn what_the_old_boxes_had_asked_for_is_gone_with_them() {
    let old = around(&(boxed("A", 1, "", "") + &link(0, 2, 1, 2)));
    let mut scripts = saying(&["A", "B"]);
    scripts.insert(("A", START), vec![Every(0.1, 1.0), Hear("Key", "heard")]);
    scripts.insert(("A", "heard"), vec![Log("heard")]);
    let run = Run::new(&old, scripts)
        .control(2.0, part("root/Part", BOXES, &around(&boxed("B", 2, "", ""))))
        .control(2.0, restart("root/Part"))
        .control(3.0, Control::Event { key: "Key".into(), value: Value::Null });
    let (lines, _) = run.control(10.0, Control::Stop).finish();
    assert!(!lines.iter().any(|l| l.contains("root/Part/A") && l.as_str() > "3"), "{lines:#?}");
}

#[test]
fn a_script_of_a_new_part_that_does_not_work_is_told_and_the_others_play() {
    let old = around(&boxed("A", 1, "", ""));
    let bad = boxed("broken", 1, "", "") + &boxed("raises", 2, "", "") + &boxed("B", 3, "", "") + &link(0, 2, 3, 2);
    let mut scripts = saying(&["A", "B"]);
    scripts.insert(("raises", "__init__"), vec![Raise]);
    scripts.insert(("A", "__del__"), vec![Raise]);
    let run = Run::new(&old, scripts)
        .control(1.0, part("root/Part", BOXES, &around(&bad)))
        .control(1.0, restart("root/Part"));
    let (told, footer) = told(run);
    let refused: Vec<_> = told.iter().filter(|l| l.contains("reload refused")).collect();
    assert_eq!(refused.len(), 2, "{told:#?}");
    assert!(refused[0].contains("root/Part/broken") && refused[0].contains("SyntaxError"), "{refused:?}");
    assert!(refused[1].contains("root/Part/raises"), "{refused:?}");
    assert!(told.iter().any(|l| l == "1.000 root/Part/B log starts"), "{told:#?}");
    assert!(footer.warnings + footer.errors > 0);
}

#[test]
fn a_box_may_get_an_inside_and_lose_it() {
    let plain = root(&(boxed("Part", 1, "", "") + &boxed("Timer", 9, "", "") + &link(0, 2, 9, 2) + &link(0, 2, 1, 2)));
    let full = around(&(boxed("A", 1, "", "") + &link(0, 2, 1, 2)));
    let run = Run::new(&plain, saying(&["A"]))
        .control(1.0, part("root/Part", BOXES, &full))
        .control(2.0, poke("root/Part", "onStop"))
        .control(3.0, poke("root/Part", "onStart"))
        .control(4.0, part("root/Part", BOXES, &plain))
        .control(5.0, restart("root/Part"));
    let (told, _) = told(run);
    let of_a: Vec<_> = told.iter().filter(|l| l.contains("/A log")).collect();
    assert_eq!(of_a, ["3.000 root/Part/A log loads", "3.000 root/Part/A log starts", "5.000 root/Part/A log unloads"]);
}

#[test]
fn a_stop_waits_for_a_change_that_is_under_way() {
    let old = around(&boxed("A", 1, "", ""));
    let mut scripts = saying(&["A", "B"]);
    scripts.insert(("B", "__init__"), vec![Sleep(0.5)]);
    let run = Run::new(&old, scripts)
        .control(1.0, part("root/Part", BOXES, &around(&boxed("B", 2, "", ""))))
        .control(1.0, restart("root/Part"))
        .control(1.2, Control::Stop);
    let (lines, footer) = run.finish();
    assert_eq!(footer.reason, EndReason::Ended, "{lines:#?}");
    assert_eq!(only(&lines, &["root/Part/B constructed", "root/Part/B destroyed"]).len(), 2, "{lines:#?}");
}

#[test]
fn no_part_changes_that_is_not_there() {
    let xml = around(&boxed("A", 1, "", ""));
    let mut run = Run::new(&xml, saying(&["A"]));
    let now = run.engine.now();
    let refused = run.engine.control(now, part_at("root/Other", &xml)).unwrap_err();
    assert!(refused.contains("no `Other` in root"), "{refused}");
    assert!(run.engine.control(now, restart("root/Other")).is_err());
}

/// A part whose path is another one than in its file.
fn part_at(path: &str, xml: &str) -> Control {
    let Control::Part(part) = part("root/Part", BOXES, xml) else { unreachable!() };
    Control::Part(Arc::new(PartSource { path: path.parse().unwrap(), ..(*part).clone() }))
}

/// A part that is restarted plays as it does from the start, however often it has changed before.
#[test]
fn what_plays_after_many_changes_is_what_the_file_says() {
    let inside = |n: i32| -> String {
        let boxes: String = (1..=n).map(|id| boxed(["A", "B", "C", "D"][id as usize - 1], id, "", "")).collect();
        let links: String = (1..n).map(|id| link(id, 4, id + 1, 2)).collect();
        boxes + &links + &link(0, 2, 1, 2)
    };
    let mut scripts = saying(&["A", "B", "C", "D"]);
    for name in ["A", "B", "C", "D"] {
        scripts.insert((name, START), vec![Log("starts"), Out("onStopped", Value::Null)]);
    }
    let mut run = Run::with(&around(&inside(1)), scripts.clone(), Robot::default(), Config::default());
    for (second, n) in [(1.0, 3), (2.0, 2), (3.0, 4), (4.0, 1), (5.0, 3)] {
        run = run.control(second, part("root/Part", BOXES, &around(&inside(n)))).control(second, restart("root/Part"));
    }
    let (told_after, _) = told(run);
    let (told_from_start, _) = told(Run::new(&around(&inside(3)), scripts));
    let words = |lines: &[String], from: &str| -> Vec<String> {
        let after = lines.iter().filter(|l| l.starts_with(from) && l.contains(" log ") && !l.contains("unloads"));
        after.filter_map(|l| l.split_once(' ')).map(|(_, words)| words.to_owned()).collect()
    };
    assert_eq!(words(&told_after, "5."), words(&told_from_start, "0."));
}

#[test]
fn what_is_undone_before_it_counts_changes_nothing() {
    let old = around(&(boxed("A", 1, "", "") + &link(0, 2, 1, 2)));
    let run = Run::new(&old, saying(&["A", "B"]))
        .control(1.0, part("root/Part", BOXES, &around(&boxed("B", 2, "", ""))))
        .control(2.0, part("root/Part", PartChange::default(), &old))
        .control(3.0, restart("root/Part"));
    let (told, _) = told(run);
    let expected = [
        "1.000 root/Part reload waiting: what is new inside counts when it is loaded next",
        "2.000 root/Part reload withdrawn: its inside is again as it was",
    ];
    assert_eq!(told.iter().filter(|l| l.contains("reload ")).collect::<Vec<_>>(), expected);
    assert!(!told.iter().any(|l| l.starts_with("3.")), "{told:#?}");
}
