//! Corners: cases that once went wrong, each where two rules meet.

use crate::support::*;
use boxstep_engine::config::{Config, Control};
use boxstep_engine::native::{NativeBox, NativeCx, NativeFactory};
use boxstep_engine::protocol::TimelineCommand::{GetFrame, GoTo, Play, SetFps};
use boxstep_engine::trace::EndReason;
use boxstep_format::model::BoxDef;
use boxstep_types::{Time, Value};

const STOP: &str = "onStopped";

fn start(name: &'static str, actions: Vec<Do>) -> ((&'static str, &'static str), Vec<Do>) {
    ((name, "onInput_onStart"), actions)
}

fn end() -> Do {
    Out(STOP, Value::Null)
}

fn output(name: &str, id: i32) -> String {
    format!(r#"<Output name="{name}" type="0" type_size="1" nature="2" inner="0" tooltip="" id="{id}"/>"#)
}

fn parameter(name: &str, id: i32) -> String {
    format!(
        r#"<Parameter name="{name}" inherits_from_parent="0" content_type="1" value="1" default_value="" custom_choice="0" tooltip="" id="{id}"/>"#
    )
}

fn lock(name: &str, timeout: i32) -> String {
    format!(r#"<Resource name="{name}" type="Lock" timeout="{timeout}"/>"#)
}

fn timeline(attributes: &str, content: &str) -> String {
    format!(r#"<Timeline enable="1" fps="25" {attributes}>{content}</Timeline>"#)
}

fn keyframe(name: &str, index: i32, content: &str) -> String {
    format!(r#"<BehaviorKeyframe name="{name}" index="{index}"><Diagram>{content}</Diagram></BehaviorKeyframe>"#)
}

fn layer(name: &str, keyframes: &str) -> String {
    format!(r#"<BehaviorLayer name="{name}">{keyframes}</BehaviorLayer>"#)
}

fn bounded(bound: u64) -> Config {
    Config { livelock_bound: bound, limit: Some(Time::from_millis(1_000_000)), ..Config::default() }
}

/// Box 1 stops D (box 2) and starts it, by its outputs `go` and `stop`.
fn driver(of_d: &str, inside_d: &str, more: &str) -> String {
    let from = boxed("From", 1, &(output("go", 5) + &output("stop", 6) + &output("other", 7)), "");
    root(&(from + &boxed("D", 2, of_d, inside_d) + &link(0, 2, 1, 2) + &link(1, 5, 2, 2) + &link(1, 6, 2, 3) + more))
}

fn go() -> Do {
    Out("go", Value::Null)
}

fn stop() -> Do {
    Out("stop", Value::Null)
}

// ---- loops in no time ---------------------------------------------------------------------------------

#[test]
fn a_timeline_without_length_that_starts_itself_again_is_a_loop() {
    let t = boxed("T", 1, "", &timeline(r#"start_frame="1" end_frame="1""#, ""));
    let xml = root(&(t + &link(0, 2, 1, 2) + &link(1, 4, 1, 2)));
    let (_, footer) = Run::with(&xml, Scripts::new(), Robot::default(), bounded(100)).finish();
    assert_eq!(footer.reason, EndReason::Livelock);
}

#[test]
fn a_loop_through_a_call_that_takes_no_time_is_a_loop() {
    let xml = root(&(boxed("A", 1, "", "") + &link(0, 2, 1, 2) + &link(1, 4, 1, 2)));
    let scripts = Scripts::from([start("A", vec![Call("ALMotion", "move", vec![]), end()])]);
    let mut robot = Robot::default();
    robot.slow.insert("move", 0.0);
    let (_, footer) = Run::with(&xml, scripts, robot, bounded(100)).finish();
    assert_eq!(footer.reason, EndReason::Livelock);
}

#[test]
fn a_loop_through_a_parameter_is_a_loop() {
    let xml =
        root(&(boxed("A", 1, &(output("o", 5) + &parameter("P", 6)), "") + &link(0, 2, 1, 2) + &link(1, 5, 1, 6)));
    let out = || vec![Out("o", Value::Int(1))];
    let scripts = Scripts::from([start("A", out()), (("A", "setParameter"), out())]);
    let (_, footer) = Run::with(&xml, scripts, Robot::default(), bounded(100)).finish();
    assert_eq!(footer.reason, EndReason::Livelock);
}

#[test]
fn a_loop_through_memory_events_is_a_loop() {
    let xml = root(&(boxed("A", 1, "", "") + &link(0, 2, 1, 2)));
    let raise = || Call("ALMemory", "raiseEvent", vec!["Key".into(), Value::Int(1)]);
    let scripts = Scripts::from([start("A", vec![Hear("Key", "heard"), raise()]), (("A", "heard"), vec![raise()])]);
    let (_, footer) = Run::with(&xml, scripts, Robot::default(), bounded(100)).finish();
    assert_eq!(footer.reason, EndReason::Livelock);
}

#[test]
fn cutting_a_loop_leaves_no_load_behind() {
    let inner: String = (1..60).map(|i| boxed("In", i, "", "")).collect();
    let (d, a) = (boxed("D", 1, "", &flow(&inner)), boxed("A", 2, "", ""));
    let xml = root(&(d + &a + &link(0, 2, 1, 2) + &link(0, 2, 2, 2) + &link(2, 4, 2, 2) + &link(2, 4, 2, 2)));
    let scripts = Scripts::from([start("A", vec![end()]), (("In", "onLoad"), vec![]), (("In", "onUnload"), vec![])]);
    for bound in [30, 31, 32, 33, 34, 35, 36, 50] {
        let (lines, footer) = Run::with(&xml, scripts.clone(), Robot::default(), bounded(bound)).finish();
        assert_eq!(footer.reason, EndReason::Livelock);
        assert!(lines.last().unwrap().contains("behavior unloaded"), "{bound}: {:#?}", &lines[lines.len() - 20..]);
        assert_eq!(only(&lines, &["root/D unloaded"]).len(), 1, "{bound}");
    }
}

// ---- stop and load ------------------------------------------------------------------------------------

#[test]
fn a_stop_during_a_load_after_a_failure_ends_the_load() {
    let xml = root(&(boxed("A", 1, "", "") + &boxed("B", 2, "", "")));
    let scripts = Scripts::from([(("A", "onLoad"), vec![Raise]), (("B", "onLoad"), vec![Sleep(500.0)])]);
    let (_, footer) = Run::new(&xml, scripts).control_by_clock(5.0, Control::Stop).finish();
    assert_eq!(footer.t.to_string(), "7.000");
}

#[test]
fn a_stop_while_boxes_are_constructed_does_not_wait_for_ever() {
    let xml = root(&(boxed("A", 1, "", "") + &boxed("B", 2, "", "")));
    let scripts = Scripts::from([(("A", "__init__"), vec![Sleep(500.0)]), (("B", "onLoad"), vec![Log("loaded")])]);
    let (lines, footer) = Run::new(&xml, scripts).control_by_clock(10.0, Control::Stop).finish();
    assert_eq!(footer.t.to_string(), "12.000", "{lines:#?}");
    assert!(only(&lines, &["log loaded"]).is_empty());
}

#[test]
fn a_stop_while_the_root_loads_loads_nothing_more() {
    let xml = root(&boxed("A", 1, "", ""));
    let scripts = Scripts::from([(("root", "onLoad"), vec![Sleep(5.0)]), (("A", "onLoad"), vec![Log("loaded")])]);
    let (lines, footer) = Run::new(&xml, scripts).control_by_clock(4.0, Control::Stop).finish();
    assert!(only(&lines, &["log loaded"]).is_empty(), "{lines:#?}");
    assert_eq!(footer.t.to_string(), "5.000");
}

#[test]
fn a_start_that_waits_behind_a_stop_and_is_stopped_too_loads_nothing() {
    let inner = boxed("In", 1, "", "");
    let scripts = Scripts::from([
        start("From", vec![go(), Sleep(1.0), stop(), go(), Sleep(0.1), stop()]),
        (("In", "onLoad"), vec![]),
        (("In", "onUnload"), vec![Sleep(1.0)]),
    ]);
    let (lines, _) = Run::new(&driver("", &flow(&inner), ""), scripts).finish();
    assert_eq!(only(&lines, &["call onLoad"]).len(), 1, "{lines:#?}");
}

#[test]
fn a_box_is_stimulated_from_outside_only_while_it_is_loaded() {
    let inner = boxed("In", 1, "", "");
    let scripts = Scripts::from([
        start("From", vec![go(), Sleep(1.0), stop()]),
        (("In", "onInput_onStart"), vec![Log("started")]),
        (("In", "onInput_poke"), vec![Log("poked")]),
    ]);
    let poke = r#"<Input name="poke" type="0" type_size="1" nature="1" inner="0" tooltip="" id="9"/>"#;
    let xml = driver("", &flow(&inner.replace("<Output", &format!("{poke}<Output"))), "");
    let path = "root/D/In".parse().unwrap();
    let poke = Control::Stimulate { path, port: "poke".to_owned(), value: Value::Null };
    // The stimulation waits in line behind the signal that unloads the box.
    let (lines, _) = Run::new(&xml, scripts).control(1.0, poke).finish();
    let unloading = lines.iter().position(|l| l.contains("In unloading")).unwrap();
    let called = lines.iter().position(|l| l.contains("In call onInput_poke"));
    assert!(called.is_none_or(|c| c < unloading), "{lines:#?}");
}

/// An onStopped that does not come from the script counts as well while the script still runs.
#[test]
fn a_box_that_ends_while_its_start_still_runs_does_not_load_its_inside() {
    let xml = driver("", &flow(&boxed("In", 1, "", "")), "");
    let scripts = || Scripts::from([start("From", vec![go()]), (("D", "onInput_onStart"), vec![Sleep(1.0)])]);
    let loads = |lines: &[String]| lines.iter().any(|line| line.contains("root/D/In loading"));
    let (lines, _) = Run::new(&xml, scripts()).finish();
    assert!(loads(&lines), "{lines:#?}");
    let ends = Control::Stimulate { path: "root/D".parse().unwrap(), port: "onStopped".to_owned(), value: Value::Null };
    let (lines, _) = Run::new(&xml, scripts()).control(0.5, ends).finish();
    assert!(!loads(&lines), "{lines:#?}");
}

// ---- resources ------------------------------------------------------------------------------------------

#[test]
fn a_box_started_again_while_it_stops_keeps_its_resources() {
    let b = boxed("B", 3, &lock("Legs", 0), "");
    let more = b + &link(1, 7, 3, 2);
    let scripts = Scripts::from([
        start("From", vec![go(), Sleep(1.0), stop(), Sleep(0.1), go(), Sleep(5.0), Out("other", Value::Null)]),
        (("D", "onInput_onStop"), vec![Sleep(1.0)]),
        start("B", vec![Log("b runs")]),
    ]);
    let (lines, _) = Run::new(&driver(&lock("Legs", 0), "", &more), scripts).finish();
    assert!(only(&lines, &["b runs"]).is_empty(), "{lines:#?}");
}

// ---- timelines ------------------------------------------------------------------------------------------

#[test]
fn frames_of_any_size_do_no_harm() {
    let layers = layer("l", &keyframe("a", 1, &(boxed("A", 1, "", "") + &link(0, 1, 1, 2))));
    for attributes in [
        r#"start_frame="1""#,
        r#"start_frame="2147483647" end_frame="2147483647""#,
        r#"start_frame="-2147483648" end_frame="2147483647""#,
        r#"start_frame="2147483647" end_frame="-2147483648""#,
        r#"start_frame="50" end_frame="16""#,
    ] {
        for to in [i64::MAX, i64::MIN, i64::from(i32::MAX), 0] {
            for fps in [i32::MAX, i32::MIN, 0, 1] {
                let script = vec![
                    Sleep(0.01),
                    Timeline(true, SetFps(fps)),
                    Timeline(true, GoTo(frame(to))),
                    Sleep(1.0),
                    Timeline(true, GetFrame),
                    Timeline(true, SetFps(fps)),
                    Sleep(1e300),
                    Timeline(true, GetFrame),
                ];
                let t = boxed("T", 1, "", &timeline(attributes, &layers));
                let xml = root(&(t + &link(0, 2, 1, 2) + &link(1, 4, 0, 4)));
                Run::with(&xml, Scripts::from([start("A", script)]), Robot::default(), bounded(1000)).finish();
            }
        }
    }
}

#[test]
fn a_sleep_without_end_is_no_time_to_go_to() {
    let xml = root(&(boxed("A", 1, "", "") + &link(0, 2, 1, 2)));
    for script in [vec![Sleep(f64::INFINITY)], vec![Every(f64::INFINITY, 1.0)], vec![Every(1.0, f64::INFINITY)]] {
        let (_, footer) = Run::new(&xml, Scripts::from([start("A", script.clone())])).finish();
        assert!(footer.t <= Time::from_millis(1000), "{script:?} {}", footer.t.0);
    }
}

#[test]
fn joints_are_sampled_at_any_rate_without_harm() {
    let xml = root(&(boxed("A", 1, "", "") + &link(0, 2, 1, 2)));
    for hz in [f64::NAN, f64::INFINITY, 1e300, 1e-300, -1.0, 0.0] {
        let config = Config { joints_hz: Some(hz), pose_hz: Some(hz), ..Config::default() };
        let scripts = Scripts::from([start("A", vec![Sleep(1e-6)])]);
        Run::with(&xml, scripts, Robot::default(), config).finish();
    }
}

#[test]
fn goto_outside_loads_the_keyframes_of_the_end() {
    let on_load = |name, id| boxed(name, id, "", "") + &link(0, 1, id, 2);
    let layers = layer("l", &(keyframe("a", 1, &on_load("A", 1)) + &keyframe("b", 26, &on_load("B", 1))));
    let silent = boxed("T", 1, "", &timeline(r#"start_frame="1" end_frame="51""#, &layers)).replacen(
        r#"<Output name="onStopped" type="1" type_size="1" nature="1" inner="0" tooltip="" id="4"/>"#,
        "",
        1,
    );
    let xml = root(&(silent + &link(0, 2, 1, 2)));
    let scripts = Scripts::from([start("A", vec![Timeline(true, GoTo(frame(500)))]), start("B", vec![Log("b")])]);
    let (lines, _) = Run::new(&xml, scripts).finish();
    assert_eq!(only(&lines, &["log b"]), ["0.000 root/T/@l:b/B log b"], "{lines:#?}");
}

#[test]
fn a_timeline_that_is_being_unloaded_moves_no_more() {
    let curve = r#"<ActuatorList model=""><ActuatorCurve name="value" actuator="HeadYaw" mute="0" unit="0"><Key frame="500" value="1"/></ActuatorCurve></ActuatorList>"#;
    let layers = layer("l", &keyframe("a", 1, &boxed("A", 1, "", "")));
    let inside = timeline(r#"start_frame="1" end_frame="500""#, &(curve.to_owned() + &layers));
    for command in [Play, GoTo(frame(10)), GoTo(frame(1000))] {
        let scripts = Scripts::from([
            start("From", vec![go(), Sleep(1.0), stop()]),
            (("A", "onUnload"), vec![Timeline(true, command.clone())]),
        ]);
        let (lines, _) = Run::new(&driver("", &inside, ""), scripts).finish();
        let sent = only(&lines, &["ALMotion.angleInterpolationBezier", "ALMotion.angleInterpolationWithSpeed"]);
        assert_eq!(
            sent,
            ["0.000 root/D ALMotion.angleInterpolationBezier", "1.000 root/D ALMotion.angleInterpolationBezier done"],
            "{lines:#?}"
        );
        assert!(only(&lines, &["D <"]).is_empty(), "{lines:#?}");
    }
}

// ---- behaviors ------------------------------------------------------------------------------------------

fn call(method: &'static str) -> Do {
    Call("ALBehaviorManager", method, vec!["other".into()])
}

#[test]
fn a_callback_that_raises_is_only_reported() {
    // Also if its name is like those that the engine calls.
    for name in ["heard", "onInput_heard", "onLoaded"] {
        let xml = root(&(boxed("A", 1, "", "") + &link(0, 2, 1, 2)));
        let scripts = Scripts::from([start("A", vec![Hear("Key", name)]), (("A", name), vec![Raise])]);
        let (lines, footer) = Run::new(&xml, scripts).event(1.0, "Key", Value::Int(1)).finish();
        assert_eq!(only(&lines, &[&format!("raised {name}")]).len(), 1, "{lines:#?}");
        assert_eq!(footer.reason, EndReason::Waiting, "{lines:#?}");
    }
}

/// Behavior "other" says when it starts, ends after three seconds, and takes one to unload.
fn restarted(script: Vec<Do>) -> (Vec<String>, Vec<String>) {
    let other = root(&(boxed("O", 1, "", "") + &link(0, 2, 1, 2) + &link(1, 4, 0, 4)));
    let xml = root(&(boxed("A", 1, "", "") + &link(0, 2, 1, 2) + &link(1, 4, 0, 4)));
    let scripts = Scripts::from([
        start("A", script),
        start("O", vec![Log("starts"), Sleep(3.0), end()]),
        (("O", "onUnload"), vec![Sleep(1.0), Log("unloaded")]),
    ]);
    let (lines, footer) = Run::among(&xml, &[("other", &other)], scripts, Robot::default(), Config::default()).finish();
    assert_eq!(footer.reason, EndReason::Ended, "{lines:#?}");
    (only(&lines, &["log"]), lines)
}

#[test]
fn a_behavior_started_while_it_stops_starts_once_it_is_unloaded() {
    let stop_and_start =
        vec![call("startBehavior"), Sleep(1.0), call("stopBehavior"), call("startBehavior"), Log("started"), end()];
    let (said, lines) = restarted(stop_and_start);
    let expected = [
        "0.000 other/root/O log starts",
        "2.000 other/root/O log unloaded",
        "2.000 root/A log started",
        "2.000 other/root/O log starts",
        "3.000 other/root/O log unloaded",
    ];
    assert_eq!(said, expected, "{lines:#?}");
    // The same while the stop is under way, and for a call that waits for the end.
    let later = vec![
        call("startBehavior"),
        Sleep(1.0),
        call("stopBehavior"),
        Sleep(0.5),
        call("runBehavior"),
        Log("over"),
        end(),
    ];
    let (said, lines) = restarted(later);
    let expected = [
        "0.000 other/root/O log starts",
        "2.000 other/root/O log unloaded",
        "2.000 other/root/O log starts",
        "6.000 other/root/O log unloaded",
        "6.000 root/A log over",
    ];
    assert_eq!(said, expected, "{lines:#?}");
}

#[test]
fn a_stop_forgets_the_start_that_waits_for_the_stop_before() {
    let other = root(&(boxed("O", 1, "", "") + &link(0, 2, 1, 2)));
    let two = boxed("A", 1, "", "") + &boxed("B", 2, "", "") + &link(0, 2, 1, 2) + &link(0, 2, 2, 2);
    let scripts = Scripts::from([
        start("A", vec![call("startBehavior"), call("stopBehavior"), Sleep(0.5), call("startBehavior"), Log("told")]),
        start("B", vec![Sleep(0.7), call("stopBehavior")]),
        start("O", vec![Log("starts")]),
        (("O", "onUnload"), vec![Sleep(1.0)]),
    ]);
    let run = Run::among(&root(&two), &[("other", &other)], scripts, Robot::default(), Config::default());
    let (lines, _) = run.finish();
    assert_eq!(only(&lines, &["log"]), ["0.000 other/root/O log starts", "0.700 root/A log told"], "{lines:#?}");
}

#[test]
fn a_start_that_waits_for_a_stop_ends_with_the_run() {
    let other = root(&(boxed("O", 1, "", "") + &link(0, 2, 1, 2)));
    let two =
        boxed("A", 1, "", "") + &boxed("B", 2, "", "") + &link(0, 2, 1, 2) + &link(0, 2, 2, 2) + &link(2, 4, 0, 4);
    let scripts = Scripts::from([
        start("A", vec![call("startBehavior"), call("stopBehavior"), call("startBehavior")]),
        start("B", vec![Sleep(0.5), end()]),
        start("O", vec![Log("starts")]),
        (("O", "onUnload"), vec![Sleep(1.0)]),
    ]);
    let run = Run::among(&root(&two), &[("other", &other)], scripts, Robot::default(), Config::default());
    let (lines, footer) = run.finish();
    assert_eq!((footer.reason, footer.t), (EndReason::Ended, Time::from_millis(1000)), "{lines:#?}");
    assert_eq!(only(&lines, &["log"]).len(), 1, "{lines:#?}");
}

/// Counts what comes in, and puts the count out.
struct Counts(i64);

impl NativeBox for Counts {
    fn input(&mut self, cx: &mut NativeCx<'_>, _: usize, _: &Value) {
        self.0 += 1;
        cx.output(1, Value::Int(self.0));
    }
}

struct Counters;

impl NativeFactory for Counters {
    fn make(&mut self, definition: &BoxDef) -> Option<Box<dyn NativeBox>> {
        (&*definition.name == "N").then(|| Box::new(Counts(0)) as Box<dyn NativeBox>)
    }
}

#[test]
fn native_boxes_of_a_behavior_started_again_are_made_anew() {
    let boxes = boxed("N", 1, &output("o", 5), "") + &boxed("L", 2, &output("o", 5), "");
    let other = root(&(boxes + &link(0, 2, 1, 2) + &link(1, 5, 2, 2) + &link(2, 4, 0, 4)));
    let other = other.replace(r#"name="onStart" type="1""#, r#"name="onStart" type="0""#);
    let xml = root(&(boxed("A", 1, "", "") + &link(0, 2, 1, 2) + &link(1, 4, 0, 4)));
    let scripts = Scripts::from([
        start("A", vec![call("runBehavior"), call("runBehavior"), end()]),
        start("L", vec![LogValue, end()]),
    ]);
    let mut run = Run::among(&xml, &[("other", &other)], scripts, Robot::default(), Config::default());
    run.engine.set_natives(Box::new(Counters));
    let (lines, _) = run.finish();
    assert_eq!(only(&lines, &["log"]), ["0.000 other/root/L log 1"; 2], "{lines:#?}");
}

#[test]
fn timers_of_a_behavior_end_with_it() {
    let other = root(&(boxed("O", 1, "", "") + &link(0, 2, 1, 2)));
    let xml = root(&(boxed("A", 1, "", "") + &link(0, 2, 1, 2)));
    let scripts = Scripts::from([
        start("A", vec![call("startBehavior"), Sleep(1.0), call("stopBehavior"), Sleep(1.0)]),
        start("O", vec![Every(0.5, 0.5)]),
    ]);
    let run = Run::among(&xml, &[("other", &other)], scripts, Robot::default(), Config::default());
    let (lines, footer) = run.finish();
    assert_eq!(footer.t.to_string(), "2.000", "{lines:#?}");
}

#[test]
fn a_behavior_that_is_started_while_the_run_ends_does_not_keep_it_going() {
    let other = root(&(boxed("O", 1, "", "") + &link(0, 2, 1, 2)));
    let third = root(&(boxed("P", 1, "", "") + &link(0, 2, 1, 2)));
    let xml = root(&(boxed("A", 1, "", "") + &link(0, 2, 1, 2) + &link(1, 4, 0, 4)));
    let scripts = Scripts::from([
        start("A", vec![call("startBehavior"), Sleep(1.0), end()]),
        (("O", "onUnload"), vec![Sleep(1.0), Call("ALBehaviorManager", "startBehavior", vec!["third".into()])]),
        start("P", vec![Every(1.0, 1.0)]),
    ]);
    let others = [("other", &*other), ("third", &*third)];
    let (lines, footer) = Run::among(&xml, &others, scripts, Robot::default(), Config::default()).finish();
    assert_eq!(footer.reason, EndReason::Ended);
    assert!(footer.t <= Time::from_millis(3000), "{lines:#?}");
}

#[test]
fn a_behavior_started_again_has_its_files_frames_per_second() {
    let t = timeline(r#"start_frame="1" end_frame="26""#, "");
    let other = project(&boxed("O", -1, "", &t));
    let xml = root(&(boxed("A", 1, "", "") + &link(0, 2, 1, 2) + &link(1, 4, 0, 4)));
    let scripts = Scripts::from([
        start("A", vec![call("runBehavior"), call("runBehavior"), end()]),
        (("O", "onLoad"), vec![Timeline(false, SetFps(1)), Sleep(0.0)]),
        // Once only: the second time the file's number holds.
    ]);
    let mut run = Run::among(&xml, &[("other", &other)], scripts, Robot::default(), Config::default());
    run.once = Some(("O", "onLoad"));
    let (lines, footer) = run.finish();
    assert_eq!(footer.t.to_string(), "26.000", "{lines:#?}");
}

#[test]
fn boxes_of_the_same_name_in_two_keyframes_hear_their_own_events() {
    let layers = layer(
        "l",
        &(keyframe("a", 1, &boxed("A", 1, "", "")) + &keyframe("b", 26, &(boxed("A", 1, "", "") + &link(0, 1, 1, 2)))),
    );
    let t = boxed("T", 1, "", &timeline(r#"start_frame="1" end_frame="500""#, &layers));
    let xml = root(&(t + &link(0, 2, 1, 2)));
    let scripts = Scripts::from([start("A", vec![Hear("Key", "heard")]), (("A", "heard"), vec![Log("heard")])]);
    let (lines, _) = Run::new(&xml, scripts).event(2.0, "Key", Value::Int(1)).finish();
    assert_eq!(only(&lines, &["log heard"]), ["2.000 root/T/@l:b/A log heard"]);
}

#[test]
fn a_behavior_started_and_stopped_ten_thousand_times_leaves_nothing_behind() {
    let inner = boxed("In", 1, &lock("Legs", -1), "") + &link(0, 1, 1, 2) + &link(1, 4, 0, 4);
    let t = timeline(r#"start_frame="1" end_frame="26""#, &layer("l", &keyframe("a", 1, &inner)));
    let memory =
        r#"<Input name="m" type="0" type_size="1" nature="4" inner="1" tooltip="" id="8" stm_value_name="Key"/>"#;
    let other = root(
        &(boxed("O", 1, memory, &t) + &boxed("Q", 2, &lock("Legs", 5), "") + &link(0, 2, 1, 2) + &link(0, 2, 2, 2)),
    );
    let xml = root(&(boxed("A", 1, "", "") + &link(0, 2, 1, 2)));
    let run = |cycles: usize| {
        let cycle = [call("startBehavior"), Sleep(0.1), call("stopBehavior"), Sleep(1.0)];
        let mut actions: Vec<Do> = cycle.iter().cloned().cycle().take(4 * cycles).collect();
        actions.push(Sleep(5.0));
        let scripts = Scripts::from([
            start("A", actions),
            start("In", vec![Hear("Key", "heard"), Sleep(0.2)]),
            (("In", "onUnload"), vec![Sleep(0.01)]),
            (("O", "onLoad"), vec![Every(1.0, 1.0)]),
            start("Q", vec![Sleep(0.5)]),
        ]);
        let mut run = Run::among(&xml, &[("other", &other)], scripts, Robot::default(), Config::default());
        run.steps = 10_000_000;
        let (lines, footer) = run.run_on();
        assert_eq!(footer.errors, 0);
        assert_eq!(only(&lines, &["In destroyed"]).len(), cycles);
        run.engine.sizes()
    };
    assert_eq!(run(10_000), run(2));
}

#[test]
fn of_two_starts_that_wait_for_a_resource_only_the_one_after_the_stop_runs() {
    let b = boxed("B", 3, &lock("Legs", 0), "");
    let more = b + &link(1, 7, 3, 2);
    let scripts = Scripts::from([
        start(
            "From",
            vec![Out("other", Value::Null), Sleep(0.1), go(), Sleep(0.1), stop(), Sleep(0.1), go(), Sleep(5.0)],
        ),
        start("B", vec![Sleep(2.0), Out("onStopped", Value::Null)]),
        start("D", vec![Log("d runs")]),
        (("D", "onInput_onStop"), vec![Sleep(0.5)]),
    ]);
    let (lines, _) = Run::new(&driver(&lock("Legs", -1), "", &more), scripts).finish();
    assert_eq!(only(&lines, &["d runs"]), ["2.000 root/D log d runs"], "{lines:#?}");
}

#[test]
fn a_behavior_without_an_inside_that_hangs_while_it_loads_is_given_up() {
    let xml = project(&boxed("root", -1, "", ""));
    let scripts = Scripts::from([(("root", "onLoad"), vec![Hang])]);
    let (lines, footer) = Run::new(&xml, scripts).finish();
    assert_eq!((footer.reason, footer.t), (EndReason::Deadlock, Time::from_millis(2_000)), "{lines:#?}");
    assert!(lines.contains(&"2.000 root abandoned onLoad".to_owned()), "{lines:#?}");
    assert!(lines.contains(&"2.000 root destroyed".to_owned()), "{lines:#?}");
}

#[test]
fn a_box_that_is_started_while_it_is_stopped_is_told_as_started_once() {
    let xml = driver("", "", "");
    let scripts = Scripts::from([
        start("From", vec![go(), Sleep(0.5), stop(), Sleep(0.1), go()]),
        (("D", "onInput_onStop"), vec![Sleep(1.0)]),
    ]);
    let (lines, _) = Run::new(&xml, scripts).finish();
    let lives = only(&lines, &["D starting", "D started", "D stopping", "D stopped"]);
    let of_d: Vec<&str> = lives.iter().filter_map(|l| l.rsplit(' ').next()).collect();
    assert_eq!(of_d, ["starting", "started", "stopping", "stopped", "starting", "started"], "{lines:#?}");
}

#[test]
fn when_a_failure_ends_the_run_a_behavior_that_hangs_while_it_loads_is_given_up() {
    let other = root(&boxed("O", 1, "", ""));
    let xml = root(&(boxed("A", 1, "", "") + &link(0, 2, 1, 2) + &boxed("B", 2, "", "") + &link(0, 2, 2, 2)));
    let scripts = Scripts::from([
        start("A", vec![call("startBehavior")]),
        start("B", vec![Sleep(1.0), Raise]),
        (("O", "onLoad"), vec![Hang]),
    ]);
    let (lines, footer) = Run::among(&xml, &[("other", &other)], scripts, Robot::default(), Config::default()).finish();
    assert_eq!(footer.reason, EndReason::Failed, "{lines:#?}");
    assert_eq!(only(&lines, &["behavior unloaded", "O destroyed", "O abandoned"]).len(), 4, "{lines:#?}");
}

#[test]
fn a_constructor_that_returns_after_its_box_was_destroyed_makes_nothing() {
    let xml = project(&boxed("root", -1, "", ""));
    let scripts = Scripts::from([(("root", "__init__"), vec![Sleep(3.0), Sleep(0.0)])]);
    let (lines, _) = Run::new(&xml, scripts).control_by_clock(1.0, Control::Stop).finish();
    assert!(lines.contains(&"3.000 root destroyed".to_owned()), "{lines:#?}");
    assert!(!lines.contains(&"3.000 root constructed".to_owned()), "{lines:#?}");
}
