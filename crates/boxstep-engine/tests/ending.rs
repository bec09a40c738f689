//! How runs end that do not end by themselves (`docs/reference/blocking.md`, `docs/reference/semantics/stop.md`).

use crate::support::*;
use boxstep_engine::config::{Config, Control};
use boxstep_engine::protocol::{Next, Scheduler};
use boxstep_engine::trace::EndReason;
use boxstep_types::Time;

fn start(name: &'static str, actions: Vec<Do>) -> ((&'static str, &'static str), Vec<Do>) {
    ((name, "onInput_onStart"), actions)
}

/// A spins, B sleeps for two seconds and says so.
fn spinner() -> (String, Scripts) {
    let xml = root(&(boxed("A", 1, "", "") + &boxed("B", 2, "", "") + &link(0, 2, 1, 2) + &link(0, 2, 2, 2)));
    let scripts = Scripts::from([
        start("A", vec![Spin]),
        (("A", "onUnload"), vec![Log("unloaded")]),
        start("B", vec![Sleep(2.0), Log("goes on")]),
    ]);
    (xml, scripts)
}

#[test]
fn a_script_without_end_is_passed_by() {
    let (xml, scripts) = spinner();
    let (lines, footer) = Run::new(&xml, scripts).finish();
    assert_eq!(footer.reason, EndReason::Deadlock, "{lines:#?}");
    assert_eq!(only(&lines, &["log"]), ["2.000 root/B log goes on", "2.000 root/A log unloaded"]);
    let warnings = only(&lines, &["without end"]);
    assert!(warnings.len() == 1 && warnings[0].contains("root/A") && warnings[0].contains("onInput_onStart"));
    assert!(footer.deterministic.unwrap_err().contains("root/A onInput_onStart"));
}

#[test]
fn a_script_without_end_ends_at_the_limit() {
    let (xml, scripts) = spinner();
    let config = Config { limit: Some(Time::from_millis(5000)), ..Config::default() };
    let (lines, footer) = Run::with(&xml, scripts, Robot::default(), config).finish();
    assert_eq!((footer.reason, footer.t), (EndReason::Limit, Time::from_millis(5000)), "{lines:#?}");
    assert_eq!(only(&lines, &["log"]), ["2.000 root/B log goes on", "5.000 root/A log unloaded"]);
    assert_eq!(only(&lines, &["nothing else can happen"]), [""; 0], "the limit is no surprise");
}

#[test]
fn scripts_without_end_at_every_stage_of_a_stop_are_passed_by() {
    for method in ["__init__", "onLoad", "onInput_onStart", "onUnload"] {
        let xml = root(&(boxed("A", 1, "", "") + &link(0, 2, 1, 2)));
        let scripts = Scripts::from([(("A", method), vec![Spin])]);
        let config = Config { limit: Some(Time::from_millis(5000)), ..Config::default() };
        let (lines, footer) = Run::with(&xml, scripts, Robot::default(), config).finish();
        let reason = if method == "onUnload" { EndReason::Waiting } else { EndReason::Limit };
        assert_eq!(footer.reason, reason, "{method} {lines:#?}");
        assert!(lines.last().unwrap().contains("behavior unloaded"), "{method} {lines:#?}");
    }
}

#[test]
fn giving_up_ends_the_run_at_once_whatever_waits() {
    let xml = root(&(boxed("A", 1, "", "") + &boxed("B", 2, "", "") + &link(0, 2, 1, 2) + &link(0, 2, 2, 2)));
    let scripts = Scripts::from([start("A", vec![Hang]), start("B", vec![Sleep(1.0)])]);
    let mut run = Run::new(&xml, scripts);
    while run.engine.tasks().iter().filter(|t| t.2).count() < 2 {
        run.step();
    }
    run.engine.give_up();
    assert!(matches!(run.engine.next(), Next::Ended));
    assert_eq!(run.engine.outcome().unwrap().reason, EndReason::Interrupted);
    assert!(matches!(run.engine.next(), Next::Ended), "again, if asked again");
}

#[test]
fn in_an_interrupt_scripts_that_hang_leave_time_for_the_others() {
    let names = ["A", "B", "C", "D"];
    let boxes: String = (1..).zip(names).map(|(i, n)| boxed(n, i, "", "") + &link(0, 2, i, 2)).collect();
    let mut scripts = Scripts::from([(("D", "onUnload"), vec![Log("unloaded")])]);
    for name in &names[..3] {
        scripts.extend([((*name, "onUnload"), vec![Hang]), ((*name, "onInput_onStop"), vec![Hang])]);
        scripts.extend([start(name, vec![Hang])]);
    }
    let (lines, footer) = Run::new(&root(&boxes), scripts).control(1.0, Control::Interrupt).finish();
    assert_eq!(footer.reason, EndReason::Interrupted);
    let abandoned = only(&lines, &["abandoned onInput_onStop"]);
    assert!(
        abandoned.len() == 3 && abandoned.iter().all(|l| l.starts_with("1.750 ")),
        "they stop side by side: {lines:#?}"
    );
    let said = only(&lines, &["log"]);
    assert!(said.len() == 1 && said[0].as_str() < "2.500", "{said:?}");
    assert_eq!(only(&lines, &["behavior unloaded"]).len(), 1, "{lines:#?}");
}

#[test]
fn a_robots_timer_that_does_nothing_any_more_does_not_keep_a_run_going() {
    // The motion of ten seconds is stopped after one.
    let curve = r#"<ActuatorList model=""><ActuatorCurve name="value" actuator="HeadYaw" mute="0" unit="0"><Key frame="251" value="1"/></ActuatorCurve></ActuatorList>"#;
    let timeline = format!(r#"<Timeline enable="1" fps="25" start_frame="1" end_frame="251">{curve}</Timeline>"#);
    let boxes = boxed("T", 1, "", &timeline) + &boxed("Stops", 2, "", "");
    let xml = root(&(boxes + &link(0, 2, 1, 2) + &link(0, 2, 2, 2) + &link(2, 4, 1, 3)));
    let scripts = Scripts::from([start("Stops", vec![Sleep(1.0), Out("onStopped", boxstep_types::Value::Null)])]);
    let (lines, footer) = Run::new(&xml, scripts).finish();
    assert_eq!((footer.reason, footer.t), (EndReason::Waiting, Time::from_millis(1000)), "{lines:#?}");
}

#[test]
fn without_what_runs_scripts_the_behavior_fails_and_is_unloaded() {
    let xml = root(&(boxed("A", 1, "", "") + &boxed("B", 2, "", "") + &link(0, 2, 1, 2) + &link(0, 2, 2, 2)));
    let unloads = |name| ((name, "onUnload"), vec![Log("unloaded")]);
    let scripts = Scripts::from([start("A", vec![Hang]), start("B", vec![Sleep(1.0)]), unloads("A"), unloads("B")]);
    let mut run = Run::new(&xml, scripts);
    while run.engine.tasks().iter().filter(|t| t.2).count() < 2 {
        run.step();
    }
    run.engine.scripts_died("the scripts are gone");
    while !run.step() {}
    let (lines, footer) = (run.seen(), run.engine.outcome().unwrap().clone());
    assert_eq!(footer.reason, EndReason::Failed, "{lines:#?}");
    assert_eq!(only(&lines, &["Warning"]).len(), 1, "{lines:#?}");
    assert_eq!(only(&lines, &["the robot stops"]).len(), 1, "{lines:#?}");
    assert_eq!(only(&lines, &["log", "onUnload"]), [""; 0], "there is nobody to call: {lines:#?}");
    assert_eq!(only(&lines, &["behavior unloaded", "A destroyed", "B destroyed"]).len(), 3, "{lines:#?}");
}
