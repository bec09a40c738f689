//! What scripts claim themselves: ALResourceManager, and what box scripts inherit (`docs/reference/semantics/resources.md`).

use crate::support::*;
use boxstep_engine::config::{Config, Control, ResourceTree};
use boxstep_engine::trace::EndReason;
use boxstep_types::Value;

fn names(names: &[&str]) -> Value {
    Value::list(names.iter().map(|n| Value::from(*n)))
}

/// `acquireResourcesTree(names, owner, callback, seconds)`
fn acquire(of: &[&str], owner: &str, callback: &str, seconds: i64) -> Do {
    Manage("acquireResourcesTree", vec![names(of), owner.into(), callback.into(), Value::Int(seconds)])
}

fn release(of: &[&str], owner: &str) -> Do {
    Manage("releaseResources", vec![names(of), owner.into()])
}

const SPEECH: &str = r#"<Resource name="Speech" type="Lock" timeout="0"/>"#;

/// A and B are started at once, B after A; each with what it needs.
fn both(of_a: &str, of_b: &str) -> String {
    root(&(boxed("A", 1, of_a, "") + &boxed("B", 2, of_b, "") + &link(0, 2, 1, 2) + &link(0, 2, 2, 2)))
}

fn seen(xml: &str, scripts: Scripts) -> Vec<String> {
    let (lines, _) = Run::new(xml, scripts).finish();
    only(&lines, &[" log ", "resource"])
}

#[test]
fn what_a_script_acquires_it_holds_until_it_releases_it() {
    let a = vec![acquire(&["Speech"], ME, "", 0), Sleep(2.0), release(&["Speech"], ME)];
    let b = vec![Sleep(0.5), acquire(&["Speech"], ME, "", 5), Log("B has it")];
    let lines = seen(&both("", ""), Scripts::from([(("A", "onInput_onStart"), a), (("B", "onInput_onStart"), b)]));
    let expected = [
        "0.000 root/A resource Speech taken",
        "0.000 root/A log acquireResourcesTree: null",
        "0.500 root/B resource Speech waiting (root/A)",
        "2.000 root/A resource Speech released",
        "2.000 root/B resource Speech taken",
        "2.000 root/A log releaseResources: null",
        "2.000 root/B log acquireResourcesTree: null",
        "2.000 root/B log B has it",
        "2.000 root/B resource Speech released",
    ];
    assert_eq!(lines, expected, "{lines:#?}");
}

#[test]
fn a_script_is_refused_after_its_seconds_and_at_once_with_none() {
    let a = vec![acquire(&["Speech"], ME, "", -1), Sleep(9.0)];
    let b = vec![acquire(&["Speech"], ME, "", 0), acquire(&["Speech", "Legs"], ME, "", 2), Log("on")];
    let lines = seen(&both("", ""), Scripts::from([(("A", "onInput_onStart"), a), (("B", "onInput_onStart"), b)]));
    let said = only(&lines, &["B"]);
    assert!(
        said[1].contains(r#"Error("ALResourceManager.acquireResourcesTree: Speech could not be acquired")"#),
        "{said:#?}"
    );
    assert_eq!(said[3], "2.000 root/B resource Speech refused (root/A)", "{said:#?}");
    assert!(said[4].starts_with("2.000") && said[4].contains("could not be acquired"), "{said:#?}");
    assert_eq!(said[5], "2.000 root/B log on");
    assert!(!said.iter().any(|l| l.contains("taken")), "no part of a group: {said:#?}");
}

#[test]
fn a_box_that_is_started_waits_for_what_a_script_holds_and_asks_it() {
    // A's script is told, under the name of its own method, and gives the resource back.
    let a = vec![acquire(&["Speech"], ME, "wanted", 0), Sleep(9.0)];
    let told = vec![LogValue, release(&["Speech"], ME)];
    let b = r#"<Resource name="Speech" type="Lock" timeout="5"/>"#;
    let later = boxed("Later", 3, "", "") + &link(0, 2, 3, 2) + &link(3, 4, 2, 2);
    let xml = both("", b).replace(&link(0, 2, 2, 2), &later);
    let scripts = Scripts::from([
        (("A", "onInput_onStart"), a),
        (("A", "wanted"), told),
        (("Later", "onInput_onStart"), vec![Sleep(1.0), Out("onStopped", Value::Null)]),
        (("B", "onInput_onStart"), vec![Log("B runs")]),
    ]);
    let lines = seen(&xml, scripts);
    let expected = [
        "1.000 root/A resource Speech asked (root/B)",
        "1.000 root/B resource Speech waiting (root/A)",
        r#"1.000 root/A log ["Speech","_Behavior__1__root__A_1"]"#,
        "1.000 root/A resource Speech released",
        "1.000 root/B resource Speech taken",
        "1.000 root/A log releaseResources: null",
        "1.000 root/B log B runs",
    ];
    assert_eq!(lines[2..9], expected, "{lines:#?}");
}

#[test]
fn what_a_box_s_script_holds_is_given_back_when_the_box_is_unloaded_not_when_it_is_stopped() {
    let inner = flow(&(boxed("In", 1, "", "") + &link(0, 2, 1, 2)));
    let xml = root(
        &(boxed("D", 1, "", &inner)
            + &boxed("Later", 2, "", "")
            + &link(0, 2, 1, 2)
            + &link(0, 2, 2, 2)
            + &link(2, 4, 1, 3)),
    );
    let scripts = Scripts::from([
        (("In", "onInput_onStart"), vec![acquire(&["Speech"], ME, "", 0), Out("onStopped", Value::Null)]),
        (("In", "onUnload"), vec![Log("unloads")]),
        (("Later", "onInput_onStart"), vec![Sleep(1.0), Out("onStopped", Value::Null)]),
    ]);
    let lines = seen(&xml, scripts);
    assert_eq!(lines[2..], ["1.000 root/D/In resource Speech released", "1.000 root/D/In log unloads"], "{lines:#?}");
}

#[test]
fn another_name_holds_until_the_end_of_the_run() {
    let a = vec![acquire(&["Speech"], "MyModule", "", 0), Out("onStopped", Value::Null)];
    let xml = root(&(boxed("A", 1, "", "") + &link(0, 2, 1, 2) + &link(1, 4, 0, 4)));
    let lines = seen(&xml, Scripts::from([(("A", "onInput_onStart"), a)]));
    let expected = [
        "0.000  resource Speech taken by MyModule",
        "0.000 root/A log acquireResourcesTree: null",
        "0.000  resource Speech released by MyModule",
    ];
    assert_eq!(lines, expected, "{lines:#?}");
}

#[test]
fn a_box_uses_what_a_script_holds_in_the_name_of_a_box_around_it() {
    let inner = flow(&(boxed("In", 1, SPEECH, "") + &link(0, 2, 1, 2)));
    let xml = root(&(boxed("D", 1, "", &inner) + &link(0, 2, 1, 2)));
    let d = vec![acquire(&["Speech"], ME, "", 0)];
    let lines =
        seen(&xml, Scripts::from([(("D", "onInput_onStart"), d), (("In", "onInput_onStart"), vec![Log("in")])]));
    assert!(lines.contains(&"0.000 root/D/In log in".to_owned()), "{lines:#?}");
}

#[test]
fn a_script_that_waits_for_a_resource_when_its_box_is_unloaded_waits_no_more() {
    let a = vec![acquire(&["Speech"], ME, "", 0), Sleep(60.0)];
    let b = vec![acquire(&["Speech"], ME, "", -1), Log("told"), acquire(&["Legs"], ME, "", 0)];
    let scripts = Scripts::from([(("A", "onInput_onStart"), a), (("B", "onInput_onStart"), b)]);
    let (lines, footer) = Run::new(&both("", ""), scripts).control(3.0, Control::Stop).finish();
    assert!(lines.contains(&"3.000 root/B resource Speech dropped".to_owned()), "{lines:#?}");
    assert!(lines.contains(&"3.000 root/B log told".to_owned()), "{lines:#?}");
    assert!(!lines.iter().any(|l| l.contains("B resource") && l.contains("taken")), "{lines:#?}");
    assert_eq!(footer.t.to_string(), "3.000");
}

#[test]
fn a_run_that_waits_for_a_resource_for_ever_ends_and_says_so() {
    let b = r#"<Resource name="Speech" type="Lock" timeout="-1"/>"#;
    let mut run = Run::new(&both(SPEECH, b), Scripts::new());
    let (_, footer) = run.run_on();
    assert_eq!(footer.reason, EndReason::Waiting);
    assert_eq!(run.engine.waiting_for(), ["Speech for root/B"]);
}

#[test]
fn questions_are_answered() {
    let ask = |method, args: Vec<Value>| Manage(method, args);
    let a = vec![
        acquire(&["Head"], ME, "", 0),
        acquire(&["Legs"], "MyModule", "", 0),
        ask("isResourceFree", vec!["HeadYaw".into()]),
        ask("areResourcesFree", vec![names(&["Speech"])]),
        ask("areResourcesFree", vec![names(&["Speech", "All motors"])]),
        ask("areResourcesOwnedBy", vec![names(&["Head", "HeadYaw"]), ME.into()]),
        ask("areResourcesOwnedBy", vec![names(&["Head", "Legs"]), ME.into()]),
        ask("isInGroup", vec!["All motors".into(), "HeadYaw".into()]),
        ask("enableStateResource", vec!["Standing".into(), false.into()]),
        ask("checkStateResourceFree", vec![names(&["Standing"])]),
        ask("isInGroup", vec!["Head".into(), "Legs".into()]),
        ask("ownersGet", vec![]),
        ask("getResources", vec![]),
        ask("acquireResource", vec!["Tail".into(), ME.into(), "".into(), Value::Int(-1)]),
        ask("createResource", vec!["Tail".into(), "All motors".into()]),
        ask("acquireResource", vec!["Tail".into(), ME.into(), "".into(), Value::Int(0)]),
        ask("isInGroup", vec!["All motors".into(), "Tail".into()]),
        ask("deleteResource", vec!["Tail".into()]),
        ask("isResourceFree", vec!["Tail".into()]),
        ask("createResourcesList", vec![names(&["Ear", "Nose"]), "Tail".into()]),
    ];
    let (lines, _) =
        Run::with(&both("", ""), Scripts::from([(("A", "onInput_onStart"), a)]), Robot::default(), tree()).finish();
    let said: Vec<_> = only(&lines, &["log"]).iter().map(|l| l.replacen("0.000 root/A log ", "", 1)).collect();
    let expected = [
        "acquireResourcesTree: null",
        "acquireResourcesTree: null",
        "isResourceFree: false",
        "areResourcesFree: true",
        "areResourcesFree: false",
        "areResourcesOwnedBy: true",
        "areResourcesOwnedBy: false",
        "isInGroup: true",
        "enableStateResource: null",
        "checkStateResourceFree: false",
        "isInGroup: false",
        r#"ownersGet: [["Head",["_Behavior__1__root__A_1"]],["Legs",["MyModule"]]]"#,
        r#"getResources: ["All motors","Head","HeadYaw","Legs","Speech","Standing","Sitting"]"#,
        r#"acquireResource: Error("ALResourceManager.acquireResource: there is no resource Tail")"#,
        "createResource: null",
        "acquireResource: null",
        "isInGroup: true",
        "deleteResource: null",
        "isResourceFree: false",
        r#"createResourcesList: Error("ALResourceManager.createResourcesList: there is no resource Tail to put Ear into")"#,
    ];
    assert_eq!(said, expected, "{said:#?}");
}

fn tree() -> Config {
    let motors = Some("All motors".to_owned());
    let parents = [
        ("All motors".to_owned(), None),
        ("Head".to_owned(), motors.clone()),
        ("HeadYaw".to_owned(), Some("Head".to_owned())),
        ("Legs".to_owned(), motors),
        ("Speech".to_owned(), None),
    ];
    let states = vec!["Standing".to_owned(), "Sitting".to_owned()];
    Config { resources: ResourceTree { parents: parents.into(), states }, ..Config::default() }
}

#[test]
fn optional_resources_are_taken_as_far_as_they_are_free() {
    let a = vec![acquire(&["Legs"], ME, "", 0), Sleep(9.0)];
    let optional = vec![names(&["Speech"]), ME.into(), "".into(), Value::Int(0), names(&["Legs", "Head"])];
    let b = vec![Manage("waitForOptionalResourcesTree", optional)];
    let lines = seen(&both("", ""), Scripts::from([(("A", "onInput_onStart"), a), (("B", "onInput_onStart"), b)]));
    assert!(lines.contains(&r#"0.000 root/B log waitForOptionalResourcesTree: ["Head"]"#.to_owned()), "{lines:#?}");
    assert!(lines.contains(&"0.000 root/B resource Speech taken".to_owned()), "{lines:#?}");
}

#[test]
fn a_state_that_is_turned_off_is_lost_and_cannot_be_had_until_it_is_turned_on() {
    let on = |on: bool| Manage("enableStateResource", vec!["Standing".into(), on.into()]);
    let stand = |mode, timeout| format!(r#"<Resource name="Standing" type="{mode}" timeout="{timeout}"/>"#);
    let xml = root(
        &[
            boxed("A", 1, &stand("Stop on demand", 0), ""),
            boxed("B", 2, &stand("Lock", -1), ""),
            boxed("C", 3, &stand("Lock", 0), ""),
            boxed("S", 4, "", ""),
            boxed("Later", 5, "", ""),
            link(0, 2, 1, 2),
            link(0, 2, 3, 2),
            link(0, 2, 4, 2),
            link(0, 2, 5, 2),
            link(5, 4, 2, 2),
        ]
        .concat(),
    );
    let scripts = Scripts::from([
        (("S", "onInput_onStart"), vec![Sleep(1.0), on(false), Sleep(2.0), on(true)]),
        (("Later", "onInput_onStart"), vec![Sleep(2.0), Out("onStopped", Value::Null)]),
    ]);
    let (lines, _) = Run::with(&xml, scripts, Robot::default(), tree()).finish();
    let expected = [
        "0.000 root/A resource Standing taken",
        "0.000 root/C resource Standing taken",
        "1.000 root/A resource Standing lost (the robot)",
        "1.000 root/A resource Standing released",
        "2.000 root/B resource Standing waiting",
        "3.000 root/B resource Standing taken",
    ];
    assert_eq!(only(&lines, &["resource"])[..6], expected, "{lines:#?}");
}

// ---- what box scripts inherit -----------------------------------------------------------------------------

#[test]
fn a_script_gives_its_box_s_resources_back_and_takes_them_again() {
    let a = vec![Own("releaseResource", vec![]), Sleep(1.0), Own("waitResources", vec![]), Log("again"), Sleep(5.0)];
    let b = vec![Sleep(3.0), Out("onStopped", Value::Null)];
    let timed = r#"<Resource name="Speech" type="Lock" timeout="5"/>"#;
    let lines =
        seen(&both(timed, timed), Scripts::from([(("A", "onInput_onStart"), a), (("B", "onInput_onStart"), b)]));
    let expected = [
        "0.000 root/A resource Speech taken",
        "0.000 root/B resource Speech waiting (root/A)",
        "0.000 root/A resource Speech released",
        "0.000 root/B resource Speech taken",
        "0.000 root/A log releaseResource: true",
        "1.000 root/A resource Speech waiting (root/B)",
        "3.000 root/B resource Speech released",
        "3.000 root/A resource Speech taken",
        "3.000 root/A log waitResources: true",
        "3.000 root/A log again",
        "8.000 root/A resource Speech released",
    ];
    assert_eq!(lines, expected, "{lines:#?}");
}

#[test]
fn waiting_until_it_is_free_takes_nothing() {
    let a = vec![Sleep(2.0), Out("onStopped", Value::Null)];
    let b = vec![
        Own("setResources", vec![names(&["Speech"]), Value::Int(5)]),
        Own("waitResourceFree", vec![]),
        Own("setResources", vec![names(&["Speech"]), Value::Int(0)]),
        Own("waitResourceFree", vec![]),
    ];
    let lines = seen(&both(SPEECH, ""), Scripts::from([(("A", "onInput_onStart"), a), (("B", "onInput_onStart"), b)]));
    assert!(lines.contains(&"2.000 root/B log waitResourceFree: true".to_owned()), "{lines:#?}");
    assert!(!lines.iter().any(|l| l.contains("B resource Speech taken")), "{lines:#?}");
}

#[test]
fn waitfor_takes_other_resources_until_the_box_is_stopped_and_tells_a_method() {
    let wait = vec![names(&["Legs"]), "wanted".into(), Value::Int(0), Value::Null];
    let a = vec![Own("waitFor", wait), Sleep(9.0)];
    let b = vec![Sleep(1.0), acquire(&["Legs"], ME, "", 1)];
    let scripts = Scripts::from([
        (("A", "onInput_onStart"), a),
        (("A", "wanted"), vec![LogValue, Out("onStopped", Value::Null)]),
        (("B", "onInput_onStart"), b),
    ]);
    let lines = seen(&both("", ""), scripts);
    let expected = [
        "0.000 root/A resource Legs taken",
        "0.000 root/A log waitFor: true",
        "1.000 root/A resource Legs asked (root/B)",
        "1.000 root/B resource Legs waiting (root/A)",
        r#"1.000 root/A log ["Legs","_Behavior__1__root__A_1"]"#,
        "1.000 root/A resource Legs released",
        "1.000 root/B resource Legs taken",
        "1.000 root/B log acquireResourcesTree: null",
        "9.000 root/B resource Legs released",
    ];
    assert_eq!(lines, expected, "{lines:#?}");
}

#[test]
fn a_box_that_is_not_loaded_claims_nothing() {
    let a = vec![acquire(&["Speech"], ME, "", 0), Own("waitResourceFree", vec![])];
    let lines = seen(&both("", ""), Scripts::from([(("A", "onUnload"), a)]));
    assert_eq!(lines.len(), 2, "{lines:#?}");
    assert!(lines.iter().all(|l| l.contains("root/A is not loaded")), "{lines:#?}");
}
