//! Timelines: cursor, keyframes, end, goto (`docs/reference/semantics/timeline.md`).

use crate::support::*;
use boxstep_engine::config::{Config, Control};
use boxstep_engine::protocol::TimelineCommand::{GoTo, Pause, Play, SetFps, Stop};
use boxstep_engine::trace::EndReason;
use boxstep_types::Value;

fn keyframe(name: &str, index: i32, content: &str) -> String {
    format!(r#"<BehaviorKeyframe name="{name}" index="{index}"><Diagram>{content}</Diagram></BehaviorKeyframe>"#)
}

fn layer(name: &str, keyframes: &str) -> String {
    format!(r#"<BehaviorLayer name="{name}">{keyframes}</BehaviorLayer>"#)
}

fn timeline(attributes: &str, content: &str) -> String {
    format!(r#"<Timeline enable="1" fps="25" {attributes}>{content}</Timeline>"#)
}

fn curve(joint: &str, mute: i32, keys: &[(i32, f64)]) -> String {
    let keys: String = keys.iter().map(|(f, v)| format!(r#"<Key frame="{f}" value="{v}"/>"#)).collect();
    format!(
        r#"<ActuatorList model=""><ActuatorCurve name="value" actuator="{joint}" mute="{mute}" unit="0">{keys}</ActuatorCurve></ActuatorList>"#
    )
}

/// A box in a keyframe that starts when its keyframe is loaded.
fn on_load(name: &str, id: i32) -> String {
    boxed(name, id, "", "") + &link(0, 1, id, 2)
}

fn in_root(inside: &str) -> String {
    root(&(boxed("T", 1, "", inside) + &link(0, 2, 1, 2) + &link(1, 4, 0, 4)))
}

fn says(name: &'static str) -> ((&'static str, &'static str), Vec<Do>) {
    ((name, "onInput_onStart"), vec![Log(name)])
}

#[test]
fn frame_f_is_reached_f_minus_start_periods_after_play() {
    let layers = layer("l", &(keyframe("a", 1, &on_load("A", 1)) + &keyframe("b", 26, &on_load("B", 1))));
    let xml = in_root(&timeline(r#"start_frame="1" end_frame="51""#, &layers));
    let (lines, footer) = Run::new(&xml, Scripts::from([says("A"), says("B")])).finish();
    assert_eq!(footer.reason, EndReason::Ended);
    assert_eq!(only(&lines, &["log"]), ["0.000 root/T/@l:a/A log A", "1.000 root/T/@l:b/B log B"]);
    assert_eq!(only(&lines, &["timeline end"]), ["2.000 root/T timeline end 51"]);
}

#[test]
fn a_keyframe_that_leaves_is_unloaded_before_the_next_is_loaded() {
    let layers = layer("l", &(keyframe("a", 1, &on_load("A", 1)) + &keyframe("b", 26, &on_load("B", 1))))
        + &layer("m", &keyframe("c", 1, &on_load("C", 1)));
    let xml = in_root(&timeline(r#"start_frame="1" end_frame="51""#, &layers));
    let (lines, _) = Run::new(&xml, Scripts::from([says("A"), says("B"), says("C")])).finish();
    let seen = only(&lines, &["diagram l:", "diagram m:"]);
    let expected = [
        "0.000 root/T diagram l:a loading",
        "0.000 root/T diagram l:a loaded",
        "0.000 root/T diagram m:c loading",
        "0.000 root/T diagram m:c loaded",
        "1.000 root/T diagram l:a unloading",
        "1.000 root/T diagram l:a unloaded",
        "1.000 root/T diagram l:b loading",
        "1.000 root/T diagram l:b loaded",
        "2.000 root/T diagram l:b unloading",
        "2.000 root/T diagram l:b unloaded",
        "2.000 root/T diagram m:c unloading",
        "2.000 root/T diagram m:c unloaded",
    ];
    assert_eq!(seen, expected, "{lines:#?}");
    // What goes on in the other layer hears nothing of the new keyframe.
    assert_eq!(only(&lines, &["log"]).iter().map(|l| &l[l.len() - 1..]).collect::<String>(), "ACB", "{lines:#?}");
}

#[test]
fn the_motion_is_sent_once_and_the_end_is_the_last_key() {
    let xml = in_root(&timeline(r#"start_frame="1" end_frame="-1""#, &curve("HeadYaw", 0, &[(26, 10.0), (51, 0.0)])));
    let (lines, footer) = Run::new(&xml, Scripts::new()).finish();
    assert_eq!(footer.reason, EndReason::Ended);
    let sent = only(&lines, &["ALMotion.angleInterpolationBezier", "timeline end"]);
    assert_eq!(sent.len(), 3, "{sent:?}");
    assert_eq!(sent[0], "0.000 root/T ALMotion.angleInterpolationBezier");
    assert_eq!(footer.t.to_string(), "2.000");
}

#[test]
fn end_frame_minus_one_does_not_count_muted_curves_and_without_motion_never_ends() {
    let muted = timeline(r#"start_frame="1" end_frame="-1""#, &curve("HeadYaw", 1, &[(26, 10.0)]));
    let (_, footer) = Run::new(&in_root(&muted), Scripts::new()).finish();
    assert_eq!(footer.reason, EndReason::Waiting);
}

#[test]
fn without_an_onstopped_output_the_end_leaves_the_timeline_loaded_and_play_starts_over() {
    let inside = timeline(r#"start_frame="1" end_frame="26""#, &layer("l", &keyframe("a", 1, &on_load("A", 1))));
    let silent = boxed("T", 1, "", &inside)
        .replace(r#"<Output name="onStopped" type="1" type_size="1" nature="1" inner="0" tooltip="" id="4"/>"#, "");
    let again = boxed("Again", 2, "", "");
    let xml = root(&(silent + &again + &link(0, 2, 1, 2) + &link(0, 2, 2, 2) + &link(2, 4, 1, 2)));
    let scripts =
        Scripts::from([says("A"), (("Again", "onInput_onStart"), vec![Sleep(5.0), Out("onStopped", Value::Null)])]);
    let (lines, _) = Run::new(&xml, scripts).finish();
    let expected = [
        "0.000 root/T timeline play 1",
        "1.000 root/T timeline end 26",
        "5.000 root/T timeline play 1",
        "6.000 root/T timeline end 26",
    ];
    assert_eq!(only(&lines, &["timeline play", "timeline end"]), expected, "{lines:#?}");
}

#[test]
fn goto_within_a_keyframe_keeps_it_loaded_and_moves_the_clock() {
    let script = ((("A"), ("onInput_onStart")), vec![Sleep(0.4), Timeline(true, GoTo(frame(41)))]);
    let layers = layer("l", &keyframe("a", 1, &on_load("A", 1)));
    let xml = in_root(&timeline(r#"start_frame="1" end_frame="51""#, &layers));
    let (lines, footer) = Run::new(&xml, Scripts::from([script])).finish();
    assert_eq!(only(&lines, &["A loading"]).len(), 1, "{lines:#?}");
    assert_eq!(footer.t.to_string(), "0.800");
}

#[test]
fn goto_outside_is_as_if_the_end_were_reached() {
    for target in [0, 500] {
        let script = (("A", "onInput_onStart"), vec![Sleep(0.4), Timeline(true, GoTo(frame(target)))]);
        let layers = layer("l", &keyframe("a", 1, &on_load("A", 1)));
        let xml = in_root(&timeline(r#"start_frame="1" end_frame="51""#, &layers));
        let (lines, footer) = Run::new(&xml, Scripts::from([script])).finish();
        assert_eq!(footer.reason, EndReason::Ended, "{lines:#?}");
        assert_eq!(footer.t.to_string(), "0.400");
    }
}

#[test]
fn pause_and_play_keep_the_frame() {
    let script = (("A", "onInput_onStart"), vec![Sleep(0.41), Timeline(true, Pause), Sleep(1.0), Timeline(true, Play)]);
    let layers = layer("l", &keyframe("a", 1, &on_load("A", 1)));
    let xml = in_root(&timeline(r#"start_frame="1" end_frame="51""#, &layers));
    let (lines, footer) = Run::new(&xml, Scripts::from([script])).finish();
    // 0.41 s is frame 11; 40 frames remain after 1.41 s.
    assert_eq!(only(&lines, &["timeline pause"]), ["0.410 root/T timeline pause 11"]);
    assert_eq!(footer.t.to_string(), "3.010", "{lines:#?}");
}

#[test]
fn setfps_before_play_holds_and_while_playing_starts_from_the_whole_frame() {
    let before = (("T", "onInput_onStart"), vec![Timeline(false, SetFps(50))]);
    let layers = layer("l", &keyframe("a", 1, &on_load("A", 1)));
    let xml = in_root(&timeline(r#"start_frame="1" end_frame="51""#, &layers));
    let (_, footer) = Run::new(&xml, Scripts::from([before.clone()])).finish();
    assert_eq!(footer.t.to_string(), "1.000");
    let during = (("A", "onInput_onStart"), vec![Sleep(0.5), Timeline(true, SetFps(5))]);
    let (_, footer) = Run::new(&xml, Scripts::from([before, during])).finish();
    assert_eq!(footer.t.to_string(), "5.500");
}

#[test]
fn a_root_timeline_is_loaded_with_the_behavior_and_plays_on_start() {
    let inside = timeline(r#"start_frame="1" end_frame="26""#, &layer("l", &keyframe("a", 1, &on_load("A", 1))));
    let xml = project(&boxed("root", -1, "", &inside));
    let scripts = Scripts::from([says("A"), (("root", "onInput_onStart"), vec![Timeline(false, SetFps(50))])]);
    let (lines, footer) = Run::new(&xml, scripts).finish();
    assert_eq!(footer.reason, EndReason::Ended, "{lines:#?}");
    assert_eq!(footer.t.to_string(), "0.500");
}

/// T holds a resource while it runs, and its own start does something to its timeline first; after a second B asks.
fn commanded(command: boxstep_engine::protocol::TimelineCommand) -> Vec<String> {
    let inside = timeline(r#"start_frame="1" end_frame="51""#, &layer("l", &keyframe("a", 1, &on_load("A", 1))));
    let lock = r#"<Resource name="Speech" type="Lock" timeout="0"/>"#;
    let boxes = boxed("T", 1, lock, &inside) + &boxed("Later", 2, "", "") + &boxed("B", 3, lock, "");
    let xml = root(&(boxes + &link(0, 2, 1, 2) + &link(0, 2, 2, 2) + &link(2, 4, 3, 2)));
    let scripts = Scripts::from([
        says("A"),
        says("B"),
        (("T", "onInput_onStart"), vec![Timeline(false, command)]),
        (("Later", "onInput_onStart"), vec![Sleep(1.0), Out("onStopped", Value::Null)]),
    ]);
    let (lines, _) = Run::new(&xml, scripts).finish();
    only(&lines, &["root/T st", "root/T timeline", "resource", "log"])
}

#[test]
fn a_box_that_stops_its_timeline_in_its_own_start_is_stopped() {
    let expected = [
        "0.000 root/T starting",
        "0.000 root/T resource Speech taken",
        "0.000 root/T stopping",
        "0.000 root/T resource Speech released",
        "0.000 root/T stopped",
        "1.000 root/B resource Speech taken",
        "1.000 root/B log B",
    ];
    assert_eq!(commanded(Stop)[..7], expected);
}

#[test]
fn a_timeline_paused_before_its_start_has_loaded_it_plays_all_the_same() {
    let lines = commanded(Pause);
    let expected = [
        "0.000 root/T starting",
        "0.000 root/T resource Speech taken",
        "0.000 root/T timeline load 1",
        "0.000 root/T timeline play 1",
        "0.000 root/T started",
        "0.000 root/T/A log A",
        "1.000 root/B resource Speech refused (root/T)",
    ];
    assert_eq!(lines[..7], expected, "{lines:#?}");
    assert!(lines.contains(&"2.000 root/T stopped".to_owned()), "{lines:#?}");
}

// ---- timelines controlled from inside -----------------------------------------------------------------

/// A timeline with a keyframe at the first frame and one a second later; `A` is in the first, `B` in the second.
fn two_keyframes() -> String {
    let keyframe = |name: &str, index: i32, content: &str| {
        format!(r#"<BehaviorKeyframe name="{name}" index="{index}"><Diagram>{content}</Diagram></BehaviorKeyframe>"#)
    };
    let on_load = |name: &str| boxed(name, 1, "", "") + &link(0, 1, 1, 2);
    let layer = format!(
        r#"<BehaviorLayer name="l">{}{}</BehaviorLayer>"#,
        keyframe("a", 1, &on_load("A")),
        keyframe("b", 26, &on_load("B"))
    );
    let inside = format!(r#"<Timeline enable="1" fps="25" start_frame="1" end_frame="51">{layer}</Timeline>"#);
    root(&(boxed("T", 1, "", &inside) + &link(0, 2, 1, 2) + &link(1, 4, 0, 4)))
}

/// A parent is controlled by signal: the script that sends one goes on, and what it puts out after that comes after it.
#[test]
fn a_script_that_sends_its_parents_timeline_elsewhere_goes_on_first() {
    use boxstep_engine::protocol::TimelineCommand::GoTo;
    let scripts = Scripts::from([
        (("A", "onInput_onStart"), vec![Timeline(true, GoTo(frame(26))), Log("goes on"), Log("and on")]),
        (("A", "onUnload"), vec![Log("unloaded")]),
        (("B", "onInput_onStart"), vec![Log("reached")]),
    ]);
    let (lines, _) = Run::new(&two_keyframes(), scripts).finish();
    let seen = only(&lines, &[" log ", "goto", "returned onInput_onStart"]);
    let wanted = [
        "root/T/@l:a/A log goes on",
        "root/T/@l:a/A log and on",
        "root/T/@l:a/A returned onInput_onStart",
        "root/T timeline goto 26",
        "root/T/@l:a/A log unloaded",
        "root/T/@l:b/B log reached",
        "root/T/@l:b/B returned onInput_onStart",
    ];
    assert_eq!(seen, wanted.map(|w| format!("0.000 {w}")), "{lines:#?}");
}

/// Several commands arrive in the order in which they were sent, each with the one before done.
#[test]
fn commands_to_a_parents_timeline_arrive_in_order() {
    use boxstep_engine::protocol::TimelineCommand::{GoTo, Pause, Play, SetFps};
    let sent = [Pause, SetFps(50), GoTo(frame(11)), Play];
    let scripts = Scripts::from([(("A", "onInput_onStart"), sent.into_iter().map(|c| Timeline(true, c)).collect())]);
    let (lines, footer) = Run::new(&two_keyframes(), scripts).finish();
    let seen = only(&lines, &["timeline"]);
    let at = |word: &str| seen.iter().position(|l| l.contains(word)).unwrap();
    assert!([at("pause"), at("fps 50"), at("goto 11")].is_sorted(), "{seen:#?}");
    // From frame 11 to 51 at 50 a second.
    assert_eq!(footer.t.to_string(), "0.800", "{seen:#?}");
}

/// What is asked right after a command is what holds until the command has arrived.
#[test]
fn a_question_is_answered_at_once_and_a_command_is_not() {
    use boxstep_engine::protocol::{Answer, Request, Scheduler as _, TimelineCommand};
    let scripts = Scripts::from([(("A", "onInput_onStart"), vec![Sleep(0.1)])]);
    let mut run = Run::new(&two_keyframes(), scripts);
    while run.engine.now() < boxstep_types::Time::from_millis(100) {
        run.step();
    }
    let (task, object) = (boxstep_engine::TaskId::FOREIGN, run.object("A"));
    let mut ask = |command| run.engine.request(task, Request::Timeline { object, parent: true, command });
    assert!(matches!(ask(TimelineCommand::SetFps(50)), Answer::Done));
    assert!(matches!(ask(TimelineCommand::GetFps), Answer::Value(v) if v == boxstep_types::Value::Int(25)));
    run.step();
    let mut ask = |command| run.engine.request(task, Request::Timeline { object, parent: true, command });
    assert!(matches!(ask(TimelineCommand::GetFps), Answer::Value(v) if v == boxstep_types::Value::Int(50)));
}

/// A box that is unloaded before its command arrives does not control anything any more.
#[test]
fn a_command_of_a_box_that_is_unloaded_first_is_dropped() {
    use boxstep_engine::protocol::TimelineCommand::{GoTo, Pause};
    let sent = vec![Timeline(true, GoTo(frame(26))), Timeline(true, Pause)];
    let scripts = Scripts::from([(("A", "onInput_onStart"), sent)]);
    let (lines, footer) = Run::new(&two_keyframes(), scripts).finish();
    assert_eq!(only(&lines, &["timeline pause"]), [""; 0], "{lines:#?}");
    assert_eq!(only(&lines, &["timeline dropped"]), ["0.000 root/T timeline dropped -1"]);
    assert_eq!(footer.t.to_string(), "1.000", "it plays on from frame 26");
}

/// A box may send its first command while it is being loaded.
#[test]
fn a_command_sent_in_onload_counts() {
    use boxstep_engine::protocol::TimelineCommand::SetFps;
    let scripts = Scripts::from([(("A", "onLoad"), vec![Timeline(true, SetFps(50))])]);
    let (_, footer) = Run::new(&two_keyframes(), scripts).finish();
    assert_eq!(footer.t.to_string(), "1.000");
}

// ---- the motion at the end -----------------------------------------------------------------------

/// A timeline of two seconds, its motion on a robot that is late or lasts too long.
fn played_slowly(xml: &str, scripts: Scripts, takes: f64) -> Run {
    let mut robot = Robot::default();
    robot.slow.insert("angleInterpolationBezier", takes);
    Run::with(xml, scripts, robot, Config::default())
}

fn moves(to: &str) -> String {
    timeline(&format!(r#"start_frame="1" end_frame="{to}""#), &curve("HeadYaw", 0, &[(26, 10.0), (51, 0.0)]))
}

const DONE: &str = "ALMotion.angleInterpolationBezier done";

#[test]
fn a_motion_comes_to_its_last_key_after_the_end_of_its_timeline() {
    for end in ["-1", "51", "60"] {
        let (lines, footer) = played_slowly(&in_root(&moves(end)), Scripts::new(), 2.5).finish();
        let at = if end == "60" { "2.360" } else { "2.000" };
        let ended = only(&lines, &["root/T < onStopped", DONE, "behavior unloaded"]);
        let wanted = [
            format!("{at} root/T < onStopped null"),
            format!("2.500 root/T {DONE}"),
            "2.500 root behavior unloaded".to_owned(),
        ];
        assert_eq!(ended, wanted, "{lines:#?}");
        assert_eq!((footer.reason, footer.t.to_string()), (EndReason::Ended, "2.500".to_owned()));
    }
}

#[test]
fn a_motion_with_keys_beyond_the_end_is_stopped_there() {
    let (lines, footer) = played_slowly(&in_root(&moves("26")), Scripts::new(), 2.0).finish();
    assert_eq!(only(&lines, &[DONE]), [format!("1.000 root/T {DONE}")], "{lines:#?}");
    assert_eq!(footer.t.to_string(), "1.000");
}

#[test]
fn the_end_of_a_behavior_waits_a_moment_for_its_last_motion_and_then_stops_it() {
    let mut run = played_slowly(&in_root(&moves("-1")), Scripts::new(), 60.0);
    let (lines, footer) = run.run_on();
    assert_eq!(only(&lines, &[DONE]), [format!("3.000 root/T {DONE}")], "{lines:#?}");
    assert_eq!((footer.reason, footer.t.to_string(), footer.forced), (EndReason::Ended, "3.000".to_owned(), 0));
    assert_eq!(run.engine.busy(), []);
}

#[test]
fn whoever_stops_a_box_stops_what_its_timeline_has_let_go() {
    let stops = || vec![Sleep(2.2), Out("onStopped", Value::Null)];
    let silent = boxed("T", 1, "", &moves("-1"))
        .replace(r#"<Output name="onStopped" type="1" type_size="1" nature="1" inner="0" tooltip="" id="4"/>"#, "");
    let xml = root(&(silent + &boxed("S", 2, "", "") + &link(0, 2, 1, 2) + &link(0, 2, 2, 2) + &link(2, 4, 1, 3)));
    let (lines, _) = played_slowly(&xml, Scripts::from([(("S", "onInput_onStart"), stops())]), 5.0).finish();
    assert_eq!(only(&lines, &[DONE]), [format!("2.200 root/T {DONE}")], "{lines:#?}");
}

#[test]
fn a_run_that_is_ended_does_not_wait_for_what_timelines_have_let_go() {
    for (control, at) in [(Control::Stop, "2.200"), (Control::Interrupt, "2.200")] {
        let xml = root(&(boxed("T", 1, "", &moves("-1")) + &link(0, 2, 1, 2)));
        let (_, footer) = played_slowly(&xml, Scripts::new(), 60.0).control(2.2, control).finish();
        assert_eq!(footer.t.to_string(), at);
    }
}

#[test]
fn a_timeline_in_a_loop_lets_each_motion_come_to_its_last_key() {
    let xml = root(&(boxed("T", 1, "", &moves("-1")) + &link(0, 2, 1, 2) + &link(1, 4, 1, 2)));
    let (lines, _) = played_slowly(&xml, Scripts::new(), 2.1).control(5.0, Control::Stop).finish();
    let done = [2.1, 4.1, 5.0].map(|t| format!("{t:.3} root/T {DONE}"));
    assert_eq!(only(&lines, &[DONE]), done, "{lines:#?}");
}

// ---- the end frame, and the signal that starts a timeline -----------------------------------------------

/// It would be cut off at once: so it is loaded, as the frame is reached, but nothing in it is started.
#[test]
fn a_keyframe_on_the_end_frame_is_loaded_and_starts_only_where_the_end_unloads_nothing() {
    let layers = layer("l", &(keyframe("a", 1, &on_load("A", 1)) + &keyframe("b", 26, &on_load("B", 1))));
    let inside = timeline(r#"start_frame="1" end_frame="26""#, &layers);
    let scripts = || {
        Scripts::from([
            (("B", "onLoad"), vec![Log("loaded")]),
            (("B", "onInput_onStart"), vec![Log("started")]),
            (("B", "onUnload"), vec![Log("unloaded")]),
        ])
    };
    let (lines, footer) = Run::new(&in_root(&inside), scripts()).finish();
    assert_eq!((footer.reason, footer.t.to_string().as_str()), (EndReason::Ended, "1.000"));
    let expected = [
        "1.000 root/T timeline end 26",
        "1.000 root/T/@l:b/B log loaded",
        "1.000 root/T < onStopped null",
        "1.000 root/T/@l:b/B log unloaded",
    ];
    assert_eq!(only(&lines, &["B log", "timeline end", "T <"]), expected, "{lines:#?}");
    // Without an onStopped it stays.
    let end = r#"<Output name="onStopped" type="1" type_size="1" nature="1" inner="0" tooltip="" id="4"/>"#;
    let silent = boxed("T", 1, "", &inside).replacen(end, "", 1);
    let (lines, footer) = Run::new(&root(&(silent + &link(0, 2, 1, 2))), scripts()).finish();
    assert_eq!(footer.reason, EndReason::Waiting);
    let expected = ["1.000 root/T/@l:b/B log loaded", "1.000 root/T/@l:b/B log started"];
    assert_eq!(only(&lines, &["B log"])[..2], expected, "{lines:#?}");
}

#[test]
fn the_signal_that_starts_a_timeline_goes_into_the_keyframes_that_are_loaded_then() {
    let started = |name: &str| boxed(name, 1, "", "") + &link(0, 2, 1, 2);
    for (first, start) in
        [(1, &["0.000 root/T/@l:a/A log A", "0.000 root/T/@m:c/C log C"][..]), (5, &["0.000 root/T/@m:c/C log C"])]
    {
        let layers = layer("l", &(keyframe("a", first, &started("A")) + &keyframe("b", 26, &started("B"))))
            + &layer("m", &keyframe("c", 1, &started("C")));
        let inside = timeline(r#"start_frame="1" end_frame="51""#, &layers);
        let again = boxed("S", 2, "", "") + &link(0, 2, 2, 2) + &link(2, 4, 1, 2);
        let boxes = boxed("T", 1, "", &inside) + &again + &link(0, 2, 1, 2) + &link(1, 4, 0, 4);
        let wait = (("S", "onInput_onStart"), vec![Sleep(1.5), Out("onStopped", Value::Null)]);
        let (lines, footer) = Run::new(&root(&boxes), Scripts::from([says("A"), says("B"), says("C"), wait])).finish();
        let mut expected = start.to_vec();
        // A keyframe that comes later has not heard of it; a second start is heard by those that are there.
        expected.extend(["1.500 root/T/@l:b/B log B", "1.500 root/T/@m:c/C log C"]);
        assert_eq!(only(&lines, &[" log "]), expected, "{lines:#?}");
        assert_eq!(footer.t.to_string(), "2.000", "the cursor goes on as it was");
    }
}
