//! Resources: groups, parents and siblings, modes, timeouts (`docs/semantics/resources.md`).

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod support;

use boxstep_types::Value;
use support::*;

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
        "1.000 root/B resource Speech waiting",
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
fn timeout_zero_gives_up_at_once_and_stimulates_onstopped_without_calling_the_script() {
    let lines = seen(&needs(&["Speech"], "Lock", 0), &needs(&["Speech"], "Lock", 0), scripts());
    assert!(lines.contains(&"1.000 root/B resource Speech refused".to_owned()), "{lines:?}");
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
    assert!(lines.contains(&"6.000 root/B resource Speech refused".to_owned()), "{lines:?}");
}

#[test]
fn stop_on_demand_stops_the_holder() {
    let lines = seen(&needs(&["Speech"], "Stop on demand", 0), &needs(&["Speech"], "Lock", 1), scripts());
    let expected = [
        "0.000 root/A resource Speech taken",
        "0.000 root/A log A runs",
        "1.000 root/A resource Speech lost",
        "1.000 root/A resource Speech released",
        "1.000 root/A < onStopped null",
        "1.000 root/B resource Speech taken",
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
        "1.000 root/A resource Speech lost",
        "1.000 root/B resource Speech waiting",
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
