//! Resources: groups, parents and siblings, modes, timeouts (`docs/reference/semantics/resources.md`).

use crate::support::*;
use boxstep_engine::config::{Config, ResourceTree};
use boxstep_types::Value;

fn needs(names: &[&str], mode: &str, timeout: i32) -> String {
    names.iter().map(|n| format!(r#"<Resource name="{n}" type="{mode}" timeout="{timeout}"/>"#)).collect()
}

/// A holds the resource for two seconds; B asks after one.
fn two(of_a: &str, of_b: &str) -> String {
    let later = boxed("Later", 3, "", "");
    root(
        &(boxed("A", 1, of_a, "")
            + &boxed("B", 2, of_b, "")
            + &later
            + &link(0, 2, 1, 2)
            + &link(0, 2, 3, 2)
            + &link(3, 4, 2, 2)),
    )
}

fn scripts() -> Scripts {
    Scripts::from([
        (("A", "onInput_onStart"), vec![Log("A runs"), Sleep(2.0), Out("onStopped", Value::Null)]),
        (("Later", "onInput_onStart"), vec![Sleep(1.0), Out("onStopped", Value::Null)]),
        (("B", "onInput_onStart"), vec![Log("B runs"), Out("onStopped", Value::Null)]),
    ])
}

fn seen(of_a: &str, of_b: &str, scripts: Scripts) -> Vec<String> {
    let (lines, _) = Run::new(&two(of_a, of_b), scripts).finish();
    only(&lines, &[" log ", "resource", "A <", "B <"])
}

#[test]
fn a_lock_makes_others_wait_until_it_is_given_back() {
    let lines = seen(&needs(&["Speech"], "Lock", 0), &needs(&["Speech"], "Lock", 5), scripts());
    let expected = [
        "0.000 root/A resource Speech taken",
        "0.000 root/A log A runs",
        "1.000 root/B resource Speech waiting (root/A)",
        "2.000 root/A < onStopped null",
        "2.000 root/A resource Speech released",
        "2.000 root/B resource Speech taken",
        "2.000 root/B log B runs",
        "2.000 root/B < onStopped null",
        "2.000 root/B resource Speech released",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn the_trace_links_who_waits_to_what_it_waits_for() {
    let lock = |timeout| needs(&["Speech"], "Lock", timeout);
    let mut run = Run::new(&two(&lock(0), &lock(5)), scripts());
    run.run_on();
    let expected = [
        ("1.000 root/B resource Speech waiting (root/A)", "1.000 root/B starting"),
        ("2.000 root/B resource Speech taken", "2.000 root/A resource Speech released"),
        ("2.000 root/B call onInput_onStart", "1.000 root/B resource Speech waiting (root/A)"),
    ];
    for (line, cause) in expected {
        assert_eq!(run.cause_of(line).as_deref(), Some(cause), "{line}");
    }
    let mut run = Run::new(&two(&needs(&["Speech"], "Stop on demand", 0), &lock(0)), scripts());
    run.run_on();
    let lost = "1.000 root/A resource Speech lost (root/B)";
    assert_eq!(run.cause_of(lost).as_deref(), Some("1.000 root/B starting"));
    assert_eq!(run.cause_of("1.000 root/A resource Speech released").as_deref(), Some("1.000 root/A stopping"));
    assert_eq!(run.cause_of("1.000 root/A stopping").as_deref(), Some(lost));
}

#[test]
fn timeout_zero_gives_up_at_once_and_stimulates_onstopped_without_calling_the_script() {
    let lines = seen(&needs(&["Speech"], "Lock", 0), &needs(&["Speech"], "Lock", 0), scripts());
    assert!(lines.contains(&"1.000 root/B resource Speech refused (root/A)".to_owned()), "{lines:?}");
    assert!(lines.contains(&"1.000 root/B < onStopped null".to_owned()), "{lines:?}");
    assert!(!lines.iter().any(|l| l.contains("B runs")), "{lines:?}");
}

#[test]
fn onresourceerror_is_called_instead_of_onstopped() {
    let mut scripts = scripts();
    scripts.insert(("B", "onResourceError"), vec![Log("B refused")]);
    let lines = seen(&needs(&["Speech"], "Lock", 0), &needs(&["Speech"], "Lock", 0), scripts);
    assert!(lines.contains(&"1.000 root/B log B refused".to_owned()), "{lines:?}");
    assert!(!lines.iter().any(|l| l.contains("B <")), "{lines:?}");
}

#[test]
fn a_timeout_is_in_seconds() {
    let mut scripts = scripts();
    scripts.insert(("A", "onInput_onStart"), vec![Sleep(60.0)]);
    let lines = seen(&needs(&["Speech"], "Lock", 0), &needs(&["Speech"], "Lock", 5), scripts);
    assert!(lines.contains(&"6.000 root/B resource Speech refused (root/A)".to_owned()), "{lines:?}");
}

#[test]
fn stop_on_demand_stops_the_holder() {
    let lines = seen(&needs(&["Speech"], "Stop on demand", 0), &needs(&["Speech"], "Lock", 1), scripts());
    let expected = [
        "0.000 root/A resource Speech taken",
        "0.000 root/A log A runs",
        "1.000 root/A resource Speech lost (root/B)",
        "1.000 root/A resource Speech released",
        "1.000 root/B resource Speech taken",
        "1.000 root/A < onStopped null",
        "1.000 root/B log B runs",
    ];
    assert_eq!(&lines[..7], expected);
}

#[test]
fn a_group_is_taken_whole_or_not_at_all() {
    let lines = seen(&needs(&["Speech"], "Lock", 0), &needs(&["Legs", "Speech"], "Lock", 0), scripts());
    assert!(!lines.iter().any(|l| l.contains("Legs taken")), "{lines:?}");
}

#[test]
fn a_child_uses_what_its_parent_holds() {
    let inner = flow(&(boxed("In", 1, &needs(&["Speech"], "Lock", 0), "") + &link(0, 2, 1, 2)));
    let xml = root(&(boxed("D", 1, &needs(&["Speech"], "Lock", 0), &inner) + &link(0, 2, 1, 2)));
    let (lines, _) = Run::new(&xml, Scripts::from([(("In", "onInput_onStart"), vec![Log("in")])])).finish();
    assert_eq!(only(&lines, &["log"]), ["0.000 root/D/In log in"]);
}

#[test]
fn a_stopped_box_does_not_wait_any_more_and_holds_nothing_after_unload() {
    let mut scripts = scripts();
    scripts.insert(("A", "onInput_onStart"), vec![Sleep(60.0)]);
    let control = boxstep_engine::config::Control::Stop;
    let xml = two(&needs(&["Speech"], "Lock", 0), &needs(&["Speech"], "Lock", -1));
    let (lines, _) = Run::new(&xml, scripts).control(3.0, control).finish();
    assert!(lines.contains(&"3.000 root/A resource Speech released".to_owned()), "{lines:#?}");
    assert!(!lines.iter().any(|l| l.contains("B runs") || l.contains("B resource Speech taken")), "{lines:#?}");
}

#[test]
fn who_asks_gets_the_resource_after_the_inside_of_the_holder_is_unloaded() {
    let inside = flow(&(boxed("In", 1, "", "") + &link(0, 2, 1, 2)));
    let (a, b) = (needs(&["Speech"], "Stop on demand", 0), needs(&["Speech"], "Lock", 5));
    let xml = two(&a, &b).replacen(&boxed("A", 1, &a, ""), &boxed("A", 1, &a, &inside), 1);
    let mut scripts = scripts();
    scripts.insert(("A", "onInput_onStart"), vec![Log("A runs")]);
    scripts.insert(("In", "onUnload"), vec![Sleep(0.5), Log("In is unloaded")]);
    let (lines, _) = Run::new(&xml, scripts).finish();
    let seen = only(&lines, &[" log ", "resource", "A <"]);
    let expected = [
        "0.000 root/A resource Speech taken",
        "0.000 root/A log A runs",
        "1.000 root/A resource Speech lost (root/B)",
        "1.000 root/B resource Speech waiting (root/A)",
        "1.500 root/A/In log In is unloaded",
        "1.500 root/A resource Speech released",
        "1.500 root/B resource Speech taken",
        "1.500 root/A < onStopped null",
        "1.500 root/B log B runs",
    ];
    assert_eq!(seen[..9], expected, "{lines:#?}");
}

#[test]
fn an_onresourcelost_that_hangs_is_not_waited_for_longer_than_an_onunload() {
    let mut scripts = scripts();
    scripts.insert(("A", "onInput_onStart"), vec![Log("A runs")]);
    scripts.insert(("A", "onResourceLost"), vec![Hang]);
    let lines = seen(&needs(&["Speech"], "Stop on demand", 0), &needs(&["Speech"], "Lock", 5), scripts);
    assert!(lines.contains(&"3.000 root/A resource Speech released".to_owned()), "{lines:?}");
    assert!(lines.contains(&"3.000 root/B log B runs".to_owned()), "{lines:?}");
    assert!(!lines.iter().any(|l| l.contains("A <")), "onResourceLost stands for onStopped: {lines:?}");
}

#[test]
fn a_holder_that_is_stopping_anyway_gives_its_resources_to_who_asks() {
    // A is stopped at 0.5 s, takes a second for that, and is started again meanwhile: B asks and comes first.
    let mut scripts = scripts();
    scripts.insert(("A", "onInput_onStop"), vec![Sleep(1.0)]);
    scripts.insert(("A", "onInput_onStart"), vec![Log("A runs")]);
    scripts.insert(("Stops", "onInput_onStart"), vec![Sleep(0.5), Out("onStopped", Value::Null)]);
    scripts.insert(("Again", "onInput_onStart"), vec![Sleep(0.7), Out("onStopped", Value::Null)]);
    let more = boxed("Stops", 4, "", "")
        + &boxed("Again", 5, "", "")
        + &[link(0, 2, 4, 2), link(0, 2, 5, 2), link(4, 4, 1, 3), link(5, 4, 1, 2)].concat();
    let (a, b) = (needs(&["Speech"], "Stop on demand", 0), needs(&["Speech"], "Lock", 5));
    let xml = two(&a, &b).replacen("</Diagram>", &(more + "</Diagram>"), 1);
    let (lines, _) = Run::new(&xml, scripts).finish();
    assert!(lines.contains(&"1.500 root/B log B runs".to_owned()), "{lines:#?}");
}

// ---- several holders, groups ------------------------------------------------------------------------------

/// Boxes with what they need, all but the last started at 0; the last at 1 s.
fn several(boxes: &[(&str, String, String)], scripts: Scripts) -> Vec<String> {
    let mut content = boxed("Later", 99, "", "") + &link(0, 2, 99, 2);
    for (i, (name, extra, inside)) in boxes.iter().enumerate() {
        let id = i as i32 + 1;
        content += &boxed(name, id, extra, inside);
        content += &if id as usize == boxes.len() { link(99, 4, id, 2) } else { link(0, 2, id, 2) };
    }
    let mut scripts = scripts;
    scripts.insert(("Later", "onInput_onStart"), vec![Sleep(1.0), Out("onStopped", Value::Null)]);
    let (lines, _) = Run::new(&root(&content), scripts).finish();
    only(&lines, &[" log ", "resource", "timeline", "root/A <", "root/B <", "root/C <"])
}

#[test]
fn a_holder_loses_its_group_as_a_whole() {
    let a = needs(&["Speech", "Legs"], "Stop on demand", 0);
    let lines = several(&[("A", a, String::new()), ("B", needs(&["Legs"], "Lock", 0), String::new())], scripts());
    let expected = [
        "1.000 root/A resource Legs lost (root/B)",
        "1.000 root/A resource Speech released",
        "1.000 root/A resource Legs released",
        "1.000 root/B resource Legs taken",
        "1.000 root/A < onStopped null",
    ];
    assert_eq!(lines[3..8], expected, "{lines:#?}");
}

#[test]
fn several_holders_are_all_asked() {
    let (a, b) = (needs(&["Speech"], "Stop on demand", 0), needs(&["Legs"], "Stop on demand", 0));
    let c = needs(&["Speech", "Legs"], "Lock", 0);
    let lines = several(&[("A", a, String::new()), ("B", b, String::new()), ("C", c, String::new())], Scripts::new());
    let expected = [
        "1.000 root/A resource Speech lost (root/C)",
        "1.000 root/A resource Speech released",
        "1.000 root/A < onStopped null",
        "1.000 root/B resource Legs lost (root/C)",
        "1.000 root/B resource Legs released",
        "1.000 root/B < onStopped null",
        "1.000 root/C resource Speech taken",
        "1.000 root/C resource Legs taken",
    ];
    let mut seen = lines[2..10].to_vec();
    let mut wanted = expected.map(str::to_owned).to_vec();
    // Both are asked before either's onStopped has got anywhere.
    seen.sort();
    wanted.sort();
    assert_eq!(seen, wanted, "{lines:#?}");
}

#[test]
fn nobody_stops_in_vain() {
    // B keeps Legs for 3 s: A is left alone until C can have both.
    let (a, b) = (needs(&["Speech"], "Stop on demand", 0), needs(&["Legs"], "Lock", 0));
    let mut scripts = Scripts::new();
    scripts.insert(("B", "onInput_onStart"), vec![Sleep(3.0), Out("onStopped", Value::Null)]);
    let c = needs(&["Speech", "Legs"], "Lock", 10);
    let lines = several(
        &[("A", a.clone(), String::new()), ("B", b.clone(), String::new()), ("C", c, String::new())],
        scripts.clone(),
    );
    let expected = [
        "1.000 root/C resource Speech waiting (root/A, root/B)",
        "3.000 root/B < onStopped null",
        "3.000 root/B resource Legs released",
        "3.000 root/A resource Speech lost (root/C)",
        "3.000 root/A resource Speech released",
        "3.000 root/A < onStopped null",
        "3.000 root/C resource Speech taken",
        "3.000 root/C resource Legs taken",
    ];
    assert_eq!(lines[2..10], expected, "{lines:#?}");
    // With timeout 0 it is refused, and A runs on.
    let c = needs(&["Speech", "Legs"], "Lock", 0);
    let lines = several(&[("A", a, String::new()), ("B", b, String::new()), ("C", c, String::new())], scripts);
    assert!(lines.contains(&"1.000 root/C resource Speech refused (root/A, root/B)".to_owned()), "{lines:#?}");
    assert!(!lines.iter().any(|l| l.contains("lost")), "{lines:#?}");
}

#[test]
fn timeout_zero_is_too_late_for_a_holder_that_takes_its_time() {
    let mut scripts = scripts();
    scripts.insert(("A", "onResourceLost"), vec![Sleep(0.1)]);
    let lines = seen(&needs(&["Speech"], "Stop on demand", 0), &needs(&["Speech"], "Lock", 0), scripts);
    let expected = [
        "1.000 root/A resource Speech lost (root/B)",
        "1.000 root/B resource Speech refused (root/A)",
        "1.000 root/B < onStopped null",
        "1.100 root/A resource Speech released",
    ];
    assert_eq!(lines[2..6], expected, "{lines:#?}");
}

#[test]
fn who_waits_is_served_in_order_of_asking() {
    let lock = |t| needs(&["Speech"], "Lock", t);
    let mut scripts = Scripts::new();
    for name in ["A", "B", "C"] {
        scripts.insert((name, "onInput_onStart"), vec![Sleep(2.0), Out("onStopped", Value::Null)]);
    }
    let lines = several(
        &[("A", lock(0), String::new()), ("B", lock(-1), String::new()), ("C", lock(-1), String::new())],
        scripts,
    );
    let taken: Vec<_> = lines.iter().filter(|l| l.contains("taken")).collect();
    assert_eq!(
        taken,
        [
            "0.000 root/A resource Speech taken",
            "2.000 root/B resource Speech taken",
            "4.000 root/C resource Speech taken"
        ]
    );
}

#[test]
fn siblings_conflict_although_their_parent_holds_the_resource() {
    let lock = |t| needs(&["Speech"], "Lock", t);
    let inside =
        flow(&[boxed("A", 1, &lock(0), ""), boxed("B", 2, &lock(0), ""), link(0, 2, 1, 2), link(0, 2, 2, 2)].concat());
    let xml = root(&(boxed("D", 1, &lock(0), &inside) + &link(0, 2, 1, 2)));
    let (lines, _) = Run::new(&xml, Scripts::from([(("A", "onInput_onStart"), vec![Hang])])).finish();
    let expected = [
        "0.000 root/D resource Speech taken",
        "0.000 root/D/A resource Speech taken",
        "0.000 root/D/B resource Speech refused (root/D/A)",
    ];
    assert_eq!(only(&lines, &["resource"])[..3], expected);
}

#[test]
fn a_box_in_one_that_stops_on_demand_is_stopped_with_it() {
    let inside = flow(&(boxed("In", 1, &needs(&["Legs"], "Lock", 0), "") + &link(0, 2, 1, 2)));
    let a = needs(&["Legs"], "Stop on demand", 0);
    let lines = several(&[("A", a, inside), ("B", needs(&["Legs"], "Lock", 0), String::new())], Scripts::new());
    let expected = [
        "1.000 root/A resource Legs lost (root/B)",
        "1.000 root/A/In resource Legs released",
        "1.000 root/A resource Legs released",
        "1.000 root/A < onStopped null",
        "1.000 root/B resource Legs taken",
    ];
    let mut seen = lines[2..7].to_vec();
    seen.sort();
    let mut wanted = expected.map(str::to_owned).to_vec();
    wanted.sort();
    assert_eq!(seen, wanted, "{lines:#?}");
}

// ---- the tree ---------------------------------------------------------------------------------------------

fn tree() -> Config {
    let parents = [("All motors", ""), ("Head", "All motors"), ("HeadYaw", "Head"), ("Legs", "All motors")];
    let parents = parents.into_iter().map(|(n, p)| (n.to_owned(), (!p.is_empty()).then(|| p.to_owned())));
    let states = vec!["Standing".to_owned(), "Sitting".to_owned()];
    Config { resources: ResourceTree { parents: parents.collect(), states }, ..Config::default() }
}

fn in_tree(of_a: &str, of_b: &str) -> Vec<String> {
    let (lines, _) = Run::with(&two(of_a, of_b), scripts(), Robot::default(), tree()).finish();
    only(&lines, &["resource", "A runs", "B runs", "Warning"])
}

#[test]
fn who_takes_a_parent_takes_its_children() {
    let (a, b) = (needs(&["Head"], "Lock", 0), needs(&["HeadYaw"], "Lock", 0));
    assert_eq!(in_tree(&a, &b)[2], "1.000 root/B resource HeadYaw refused (root/A)");
    assert_eq!(in_tree(&b, &a)[2], "1.000 root/B resource Head refused (root/A)");
    assert_eq!(in_tree(&a, &needs(&["Legs"], "Lock", 0))[2], "1.000 root/B resource Legs taken");
}

#[test]
fn any_number_of_boxes_hold_a_state() {
    let standing = needs(&["Standing"], "Stop on demand", 0);
    let lines = in_tree(&standing, &standing);
    assert!(lines.contains(&"1.000 root/B resource Standing taken".to_owned()), "{lines:#?}");
    assert!(!lines.iter().any(|l| l.contains("lost")), "{lines:#?}");
}

#[test]
fn what_no_robot_has_cannot_be_had() {
    let lines = in_tree(&needs(&["Tail"], "Lock", 0), &needs(&["Tail"], "Lock", 3));
    assert!(lines[0].contains("no robot has the resource"), "{lines:#?}");
    assert_eq!(lines[1], "0.000 root/A resource Tail refused");
    assert!(lines.contains(&"4.000 root/B resource Tail refused".to_owned()), "{lines:#?}");
    assert!(!lines.iter().any(|l| l.contains("runs")), "{lines:#?}");
}

#[test]
fn two_states_at_once_cannot_be_had() {
    let lines = in_tree(&needs(&["Standing", "Sitting"], "Lock", 0), "");
    assert!(lines[0].contains("never") && lines[1].contains("refused"), "{lines:#?}");
}

// ---- pause ------------------------------------------------------------------------------------------------

/// A timeline of 50 frames at 10 fps that moves a joint.
fn dance() -> String {
    r#"<Timeline enable="1" fps="10" start_frame="0" end_frame="50"><ActuatorList model=""><ActuatorCurve name="value"
    actuator="HeadYaw" mute="0" unit="0"><Key frame="50" value="1"/></ActuatorCurve></ActuatorList></Timeline>"#
        .to_owned()
}

#[test]
fn pause_on_demand_pauses_the_timeline_and_plays_on_from_the_frame() {
    let a = needs(&["Legs"], "Pause on demand", 0);
    let mut scripts = Scripts::new();
    scripts.insert(("B", "onInput_onStart"), vec![Sleep(2.0), Out("onStopped", Value::Null)]);
    let lines = several(&[("A", a, dance()), ("B", needs(&["Legs"], "Lock", 0), String::new())], scripts);
    let expected = [
        "0.000 root/A resource Legs taken",
        "0.000 root/A timeline load 0",
        "0.000 root/A timeline play 0",
        "1.000 root/A resource Legs paused (root/B)",
        "1.000 root/A timeline pause 10",
        "1.000 root/A resource Legs released",
        "1.000 root/B resource Legs taken",
        "3.000 root/B < onStopped null",
        "3.000 root/B resource Legs released",
        "3.000 root/A resource Legs taken",
        "3.000 root/A timeline play 10",
        "7.000 root/A timeline end 50",
        "7.000 root/A < onStopped null",
        "7.000 root/A resource Legs released",
        "7.000 root/A timeline unload -1",
    ];
    assert_eq!(lines, expected, "{lines:#?}");
}

#[test]
fn pause_on_demand_pauses_the_state_machine_with_its_timeline() {
    // B has the legs from 1 s to 3 s; the time of state s is 2 s.
    let a = needs(&["Legs"], "Pause on demand", 0);
    let state =
        |name: &str, n: usize| format!(r#"<State Name="{name}"><Object number="{n}"/><Link number="{n}"/></State>"#);
    let boxes = boxed("S", 1, "", "") + &boxed("T", 2, "", "") + &link(0, 1, 1, 2) + &link(0, 1, 2, 2);
    let inside = format!(
        r#"<Timeline enable="1" fps="10" start_frame="0" end_frame="50"><BehaviorLayer name="l"><BehaviorKeyframe name="k" index="0"><Diagram>{boxes}</Diagram></BehaviorKeyframe></BehaviorLayer><StateMachine>{}{}<Transition From="s" To="t" TimeOut="2000"/></StateMachine></Timeline>"#,
        state("s", 0),
        state("t", 1)
    );
    let mut scripts = Scripts::new();
    scripts.insert(("B", "onInput_onStart"), vec![Sleep(2.0), Out("onStopped", Value::Null)]);
    scripts.insert(("T", "onInput_onStart"), vec![Log("t")]);
    let content = [
        boxed("A", 1, &a, &inside),
        boxed("B", 2, &needs(&["Legs"], "Lock", 0), ""),
        boxed("Later", 3, "", ""),
        link(0, 2, 1, 2),
        link(0, 2, 3, 2),
        link(3, 4, 2, 2),
    ];
    scripts.insert(("Later", "onInput_onStart"), vec![Sleep(1.0), Out("onStopped", Value::Null)]);
    let (lines, _) = Run::new(&root(&content.concat()), scripts).finish();
    assert_eq!(
        only(&lines, &["log", "A timeline play"])[..3],
        ["0.000 root/A timeline play 0", "3.000 root/A timeline play 10", "4.000 root/A/T log t",]
    );
}

#[test]
fn a_paused_box_that_is_stopped_waits_no_more() {
    let a = needs(&["Legs"], "Pause on demand", 0);
    let mut scripts = Scripts::new();
    scripts.insert(("B", "onInput_onStart"), vec![Sleep(2.0), Out("onStopped", Value::Null)]);
    scripts.insert(("C", "onInput_onStart"), vec![Sleep(2.0), Out("onStopped", Value::Null)]);
    let content = [
        boxed("A", 1, &a, &dance()),
        boxed("B", 2, &needs(&["Legs"], "Lock", 0), ""),
        boxed("C", 3, "", ""),
        boxed("Later", 4, "", ""),
        link(0, 2, 1, 2),
        link(0, 2, 3, 2),
        link(0, 2, 4, 2),
        link(4, 4, 2, 2),
        link(3, 4, 1, 3),
    ];
    scripts.insert(("Later", "onInput_onStart"), vec![Sleep(1.0), Out("onStopped", Value::Null)]);
    let (lines, footer) = Run::new(&root(&content.concat()), scripts).finish();
    let seen = only(&lines, &["A resource", "A timeline"]);
    let expected = [
        "1.000 root/A resource Legs released",
        "2.000 root/A resource Legs dropped",
        "2.000 root/A timeline unload -1",
    ];
    assert_eq!(seen[5..], expected, "{seen:#?}");
    assert_eq!(footer.t.to_string(), "3.000");
}

#[test]
fn what_a_script_wants_of_a_paused_timeline_counts_when_it_plays_on() {
    // B paused it; A's script meanwhile goes to frame 40 and pauses and plays again: joints rest until B is done.
    let a = needs(&["Legs"], "Pause on demand", 0);
    let mut scripts = Scripts::new();
    use boxstep_engine::protocol::TimelineCommand::{GoTo, Pause, Play};
    let own = |c| Timeline(false, c);
    scripts.insert(("B", "onInput_onStart"), vec![Sleep(2.0), Out("onStopped", Value::Null)]);
    scripts.insert(("A", "onInput_e"), vec![own(Pause), own(GoTo(frame(40))), own(Play)]);
    let event = r#"<Input name="e" type="1" type_size="1" nature="1" inner="0" tooltip="" id="7"/>"#;
    let content = [
        boxed("A", 1, &(a + event), &dance()),
        boxed("B", 2, &needs(&["Legs"], "Lock", 0), ""),
        boxed("C", 3, "", ""),
        boxed("Later", 4, "", ""),
        link(0, 2, 1, 2),
        link(0, 2, 3, 2),
        link(0, 2, 4, 2),
        link(4, 4, 2, 2),
        link(3, 4, 1, 7),
    ];
    scripts.insert(("Later", "onInput_onStart"), vec![Sleep(1.0), Out("onStopped", Value::Null)]);
    scripts.insert(("C", "onInput_onStart"), vec![Sleep(2.0), Out("onStopped", Value::Null)]);
    let (lines, _) = Run::new(&root(&content.concat()), scripts).finish();
    let seen = only(&lines, &["A timeline", "ALMotion"]);
    let expected = [
        "1.000 root/A timeline pause 10",
        "1.000 root/A ALMotion.angleInterpolationBezier done",
        "2.000 root/A timeline goto 40",
        "3.000 root/A timeline play 40",
        "3.000 root/A ALMotion.angleInterpolationBezier",
        "4.000 root/A ALMotion.angleInterpolationBezier done",
        "4.000 root/A timeline end 50",
    ];
    assert_eq!(seen[3..10], expected, "{seen:#?}");
}

#[test]
fn what_runs_inside_a_paused_timeline_goes_on() {
    let layer = format!(
        r#"<BehaviorLayer name="l"><BehaviorKeyframe name="k" index="0"><Diagram>{}</Diagram></BehaviorKeyframe></BehaviorLayer>"#,
        boxed("In", 1, "", "") + &link(0, 2, 1, 2)
    );
    let inside = dance().replace("</Timeline>", &(layer + "</Timeline>"));
    let mut scripts = Scripts::new();
    scripts.insert(("In", "onInput_onStart"), vec![Sleep(1.5), Log("goes on")]);
    scripts.insert(("B", "onInput_onStart"), vec![Sleep(2.0), Out("onStopped", Value::Null)]);
    let a = needs(&["Legs"], "Pause on demand", 0);
    let lines = several(&[("A", a, inside), ("B", needs(&["Legs"], "Lock", 0), String::new())], scripts);
    assert!(lines.contains(&"1.000 root/A timeline pause 10".to_owned()), "{lines:#?}");
    assert!(lines.contains(&"1.500 root/A/In log goes on".to_owned()), "{lines:#?}");
}

#[test]
fn a_box_without_a_timeline_has_nothing_to_pause_and_keeps_what_it_has() {
    let lines = seen(&needs(&["Speech"], "Pause on demand", 0), &needs(&["Speech"], "Lock", 0), scripts());
    assert_eq!(lines[2], "1.000 root/B resource Speech refused (root/A)");
}

// ---- callback ---------------------------------------------------------------------------------------------

#[test]
fn callback_on_demand_asks_the_script_which_may_give_the_resource_back() {
    let mut scripts = scripts();
    scripts.insert(("A", "onResource"), vec![LogValue, Sleep(0.5), Own("releaseResource", vec![])]);
    let lines = seen(&needs(&["Speech"], "Callback on demand", 0), &needs(&["Speech"], "Lock", 1), scripts);
    let expected = [
        "1.000 root/A resource Speech asked (root/B)",
        "1.000 root/B resource Speech waiting (root/A)",
        r#"1.000 root/A log "Speech""#,
        "1.500 root/A resource Speech released",
        "1.500 root/B resource Speech taken",
        "1.500 root/A log releaseResource: true",
        "1.500 root/B log B runs",
    ];
    assert_eq!(lines[2..9], expected, "{lines:#?}");
}

#[test]
fn a_callback_that_stops_its_box_gives_the_resource_too() {
    let mut scripts = scripts();
    scripts.insert(("A", "onResource"), vec![Out("onStopped", Value::Null)]);
    let lines = seen(&needs(&["Speech"], "Callback on demand", 0), &needs(&["Speech"], "Lock", 1), scripts);
    assert!(lines.contains(&"1.000 root/B log B runs".to_owned()), "{lines:#?}");
}

#[test]
fn a_callback_that_does_nothing_lets_who_asks_wait_in_vain() {
    let mut scripts = scripts();
    scripts.insert(("A", "onInput_onStart"), vec![Sleep(60.0)]);
    scripts.insert(("A", "onResource"), vec![Log("no")]);
    let lines = seen(&needs(&["Speech"], "Callback on demand", 0), &needs(&["Speech"], "Lock", 1), scripts);
    assert!(lines.contains(&"1.000 root/A log no".to_owned()), "{lines:#?}");
    assert!(lines.contains(&"2.000 root/B resource Speech refused (root/A)".to_owned()), "{lines:#?}");
}

#[test]
fn callback_on_demand_without_the_method_is_a_lock() {
    let lines = seen(&needs(&["Speech"], "Callback on demand", 0), &needs(&["Speech"], "Lock", 0), scripts());
    assert_eq!(lines[2], "1.000 root/B resource Speech refused (root/A)");
}
