//! What went wrong in QiCore and must not here: one test for each (`docs/reference/semantics/qicore-defects.md`). Those of state
//! machines and timelines made in code are in `tests/objects`.

use crate::support::*;
use boxstep_engine::config::Config;
use boxstep_engine::protocol::TimelineCommand::{GoTo, Pause, SetFps};
use boxstep_engine::protocol::{Frame, TimelineCommand};
use boxstep_engine::trace::EndReason;
use boxstep_types::Value;

fn start(name: &'static str, actions: Vec<Do>) -> ((&'static str, &'static str), Vec<Do>) {
    ((name, "onInput_onStart"), actions)
}

fn parameter(name: &str, kind: i32, value: &str, inherits: i32, id: i32) -> String {
    format!(
        r#"<Parameter name="{name}" inherits_from_parent="{inherits}" content_type="{kind}" value="{value}" default_value="" custom_choice="0" tooltip="" id="{id}"/>"#
    )
}

fn keyframe(name: &str, index: i32, content: &str) -> String {
    format!(r#"<BehaviorKeyframe name="{name}" index="{index}"><Diagram>{content}</Diagram></BehaviorKeyframe>"#)
}

fn layer(mute: i32, keyframes: &str) -> String {
    format!(r#"<BehaviorLayer name="l{mute}" mute="{mute}">{keyframes}</BehaviorLayer>"#)
}

/// A box that is started when its keyframe is loaded.
fn on_load(name: &str, id: i32) -> String {
    boxed(name, id, "", "") + &link(0, 1, id, 2)
}

/// T in a root, started with it; when it ends, so does the root.
fn timeline(attributes: &str, layers: &str, extra: &str) -> String {
    let inside = format!(r#"<Timeline enable="1" {attributes}>{layers}</Timeline>"#);
    root(&(boxed("T", 1, extra, &inside) + &link(0, 2, 1, 2) + &link(1, 4, 0, 4)))
}

/// The lines of a run, and how it ended.
fn lines(xml: &str, scripts: Scripts) -> (Vec<String>, EndReason, String) {
    let (lines, footer) = Run::new(xml, scripts).finish();
    (lines, footer.reason, footer.t.to_string())
}

#[test]
fn bool_parameters_of_files_are_1_and_0() {
    let params = parameter("yes", 0, "1", 0, 5) + &parameter("no", 0, "0", 0, 6) + &parameter("old", 0, "True", 0, 7);
    let xml = root(&(boxed("A", 1, &params, "") + &link(0, 2, 1, 2)));
    let (lines, _, _) =
        lines(&xml, Scripts::from([start("A", vec![LogParameter("yes"), LogParameter("no"), LogParameter("old")])]));
    assert_eq!(only(&lines, &["log"]), ["0.000 root/A log true", "0.000 root/A log false", "0.000 root/A log true"]);
}

#[test]
fn parameters_are_inherited() {
    let inner = flow(&(boxed("In", 1, &parameter("speed", 1, "5", 1, 5), "") + &link(0, 2, 1, 2)));
    let xml = root(&(boxed("D", 1, &parameter("speed", 1, "7", 0, 5), &inner) + &link(0, 2, 1, 2)));
    let (lines, _, _) = lines(&xml, Scripts::from([start("In", vec![LogParameter("speed")])]));
    assert_eq!(only(&lines, &["log"]), ["0.000 root/D/In log 7"]);
}

#[test]
fn text_parameters_keep_every_character() {
    let text = "été 日本 \u{1F916}";
    let xml = root(&(boxed("A", 1, &parameter("text", 3, text, 0, 5), "") + &link(0, 2, 1, 2)));
    let (lines, _, _) = lines(&xml, Scripts::from([start("A", vec![LogParameter("text")])]));
    assert!(lines.iter().any(|l| l.contains(text)), "{lines:#?}");
}

#[test]
fn a_parameter_of_type_5_is_a_text() {
    let xml = root(&(boxed("A", 1, &parameter("text", 5, "Hello", 0, 5), "") + &link(0, 2, 1, 2)));
    let (lines, _, _) = lines(&xml, Scripts::from([start("A", vec![LogParameter("text")])]));
    assert_eq!(only(&lines, &["log"]).len(), 1);
    assert!(only(&lines, &["log"])[0].contains("Hello"));
}

#[test]
fn a_timeline_without_motion_keeps_its_speed_and_its_end() {
    // QiCore played it at 25 frames a second from frame 1, for ever.
    let layers = layer(0, &keyframe("a", 5, &on_load("A", 1)));
    let xml = timeline(r#"fps="10" start_frame="5" end_frame="25""#, &layers, "");
    let (lines, reason, t) = lines(&xml, Scripts::from([start("A", vec![Log("A")])]));
    assert_eq!((reason, t.as_str()), (EndReason::Ended, "2.000"), "{lines:#?}");
    assert_eq!(only(&lines, &["timeline play"]), ["0.000 root/T timeline play 5"]);
}

#[test]
fn muted_layers_are_not_played() {
    let layers = layer(0, &keyframe("a", 1, &on_load("A", 1))) + &layer(1, &keyframe("m", 1, &on_load("M", 1)));
    let xml = timeline(r#"fps="10" start_frame="1" end_frame="11""#, &layers, "");
    let (lines, _, _) = lines(&xml, Scripts::from([start("A", vec![Log("A")]), start("M", vec![Log("M")])]));
    assert_eq!(only(&lines, &["log"]).len(), 1, "{lines:#?}");
    assert_eq!(only(&lines, &["M loading"]), Vec::<String>::new());
}

/// What happens if a box in frame 1 does this after half a second.
fn amid(does: TimelineCommand) -> (Vec<String>, EndReason, String) {
    let keyframes = keyframe("a", 1, &on_load("A", 1)) + &keyframe("my frame", 51, &on_load("B", 1));
    let xml = timeline(r#"fps="10" start_frame="1" end_frame="101""#, &layer(0, &keyframes), "");
    lines(&xml, Scripts::from([start("A", vec![Sleep(0.5), Timeline(true, does)]), start("B", vec![Log("B")])]))
}

#[test]
fn a_label_is_the_name_of_the_keyframe_as_it_stands() {
    // QiCore looked for "my frame" where it had written "my_frame".
    let (lines, _, _) = amid(GoTo(Frame::Name("my frame".into())));
    assert_eq!(
        only(&lines, &["log B", "timeline goto"]),
        ["0.500 root/T timeline goto 51", "0.500 root/T/@l0:my frame/B log B"]
    );
}

#[test]
fn a_goto_is_to_the_very_frame() {
    // QiCore went to the first frame of the state: 51.
    let (lines, _, t) = amid(GoTo(Frame::Number(57)));
    assert_eq!(only(&lines, &["timeline goto"]), ["0.500 root/T timeline goto 57"]);
    assert_eq!(t, "4.900");
}

#[test]
fn an_unknown_label_moves_nothing_and_ends_nothing() {
    let (lines, reason, t) = amid(GoTo(Frame::Name("nowhere".into())));
    assert_eq!((reason, t.as_str()), (EndReason::Ended, "10.000"), "{lines:#?}");
    assert_eq!(only(&lines, &["timeline goto"]), Vec::<String>::new());
    assert_eq!(only(&lines, &["no keyframe named nowhere"]).len(), 1);
}

#[test]
fn the_speed_changes_cursor_and_keyframes_together() {
    // 0.5 s at 10 and 45 frames at 5 a second.
    let (lines, _, t) = amid(SetFps(5));
    assert_eq!(only(&lines, &["log B"]), ["9.500 root/T/@l0:my frame/B log B"]);
    assert_eq!(t, "19.500");
}

#[test]
fn twenty_four_frames_a_second_do_not_drift() {
    // QiCore's period was a whole number of milliseconds: 41.
    let xml = timeline(r#"fps="24" start_frame="1" end_frame="24001""#, "", "");
    let (_, reason, t) = lines(&xml, Scripts::new());
    assert_eq!((reason, t.as_str()), (EndReason::Ended, "1000.000"));
}

#[test]
fn no_frames_a_second_are_no_division() {
    let layers = layer(0, &keyframe("a", 1, &on_load("A", 1)));
    let xml = timeline(r#"fps="0" start_frame="1" end_frame="25""#, &layers, "");
    let (lines, reason, _) = lines(&xml, Scripts::from([start("A", vec![Log("A")])]));
    assert_eq!(reason, EndReason::Waiting);
    assert_eq!(only(&lines, &["log"]), ["0.000 root/T/A log A"], "{lines:#?}");
}

#[test]
fn an_event_input_does_no_harm_at_the_end_of_its_timeline() {
    // QiCore took inputs of nature 1 for outputs of nature 1.
    let event = r#"<Input name="ask" type="1" type_size="1" nature="1" inner="0" tooltip="" id="9"/>"#;
    let xml = timeline(r#"fps="10" start_frame="1" end_frame="11""#, "", event);
    let (lines, reason, t) = lines(&xml, Scripts::new());
    assert_eq!((reason, t.as_str()), (EndReason::Ended, "1.000"), "{lines:#?}");
}

#[test]
fn two_inputs_may_watch_one_key() {
    let watch = r#"<Input name="bumper" type="0" type_size="1" nature="4" stm_value_name="Bumper" inner="1" tooltip="" id="9"/>"#;
    let inner = flow(&(boxed("In", 1, "", "") + &link(0, 9, 1, 2)));
    let xml =
        root(&(boxed("A", 1, watch, &inner) + &boxed("B", 2, watch, &inner) + &link(0, 2, 1, 2) + &link(0, 2, 2, 2)));
    let run = Run::new(&xml, Scripts::from([start("In", vec![Log("hit")])]));
    let (lines, _) = run.event(1.0, "Bumper", Value::Int(1)).event(2.0, "Bumper", Value::Int(1)).finish();
    let expected =
        ["1.000 root/A/In log hit", "1.000 root/B/In log hit", "2.000 root/A/In log hit", "2.000 root/B/In log hit"];
    assert_eq!(only(&lines, &["log"]), expected);
}

#[test]
fn a_timeline_that_does_not_play_is_paused_at_once() {
    let layers = layer(0, &keyframe("a", 1, &on_load("A", 1)));
    let xml = timeline(r#"fps="10" start_frame="1" end_frame="51""#, &layers, "");
    let twice = vec![Timeline(true, Pause), Timeline(true, Pause), Log("goes on"), Sleep(1.0), Timeline(true, Pause)];
    let (lines, _, _) = lines(&xml, Scripts::from([start("A", twice)]));
    assert_eq!(only(&lines, &["log"]), ["0.000 root/T/@l0:a/A log goes on"].map(|l| l.replace("/@l0:a", "")));
}

#[test]
fn nine_scripts_that_block_do_not_keep_a_tenth_from_running() {
    // QiCore delivered all signals with eight threads.
    let blocked: String = (1..=9).map(|id| boxed(&format!("S{id}"), id, "", "") + &link(0, 2, id, 2)).collect();
    let xml = root(&(blocked + &boxed("Last", 10, "", "") + &link(0, 2, 10, 2)));
    let names = ["S1", "S2", "S3", "S4", "S5", "S6", "S7", "S8", "S9"];
    let mut scripts: Scripts = names.into_iter().map(|n| start(n, vec![Sleep(60.0)])).collect();
    scripts.extend([start("Last", vec![Log("here")])]);
    let (lines, _, _) = lines(&xml, scripts);
    assert_eq!(only(&lines, &["log"]), ["0.000 root/Last log here"]);
}

#[test]
fn a_state_at_frame_1_that_is_not_the_first_is_entered() {
    let keyframes = keyframe("zero", 0, &on_load("Z", 1)) + &keyframe("one", 1, &on_load("A", 1));
    for (first, expected) in [(0, vec!["0.000 Z", "0.100 A"]), (1, vec!["0.000 A"])] {
        let xml = timeline(&format!(r#"fps="10" start_frame="{first}" end_frame="11""#), &layer(0, &keyframes), "");
        let (lines, _, _) = lines(&xml, Scripts::from([start("Z", vec![Log("Z")]), start("A", vec![Log("A")])]));
        let seen = only(&lines, &["log"]);
        let seen: Vec<String> = seen.iter().map(|l| format!("{} {}", &l[..5], &l[l.len() - 1..])).collect();
        assert_eq!(seen, expected, "{lines:#?}");
    }
}

/// D holds a timeline with a box in it, and is stopped or unloaded after a second.
fn inner(does: &str) -> Vec<String> {
    let layers = layer(0, &(keyframe("a", 1, &on_load("A", 1)) + &keyframe("b", 31, &on_load("B", 1))));
    let running = format!(r#"<Timeline enable="1" fps="10" start_frame="1" end_frame="101">{layers}</Timeline>"#);
    let inside = flow(&(boxed("T", 1, "", &running) + &link(0, 2, 1, 2)));
    let stop = if does == "stop" { link(2, 4, 1, 3) } else { link(2, 4, 0, 4) };
    let later = boxed("Later", 2, "", "") + &link(0, 2, 2, 2);
    let xml = root(&(boxed("D", 1, "", &inside) + &later + &link(0, 2, 1, 2) + &stop));
    let scripts = Scripts::from([
        start("Later", vec![Sleep(1.0), Out("onStopped", Value::Null)]),
        start("A", vec![Log("A")]),
        start("B", vec![Log("B")]),
        (("A", "onUnload"), vec![Log("gone")]),
    ]);
    lines(&xml, scripts).0
}

#[test]
fn an_onstop_input_stops_the_inside() {
    let lines = inner("stop");
    assert_eq!(only(&lines, &["log"]), ["0.000 root/D/T/@l0:a/A log A", "1.000 root/D/T/@l0:a/A log gone"]);
    assert_eq!(only(&lines, &["timeline unload"]).len(), 1);
}

#[test]
fn an_unload_takes_the_timeline_inside_with_it() {
    let lines = inner("unload");
    assert_eq!(only(&lines, &["log"]), ["0.000 root/D/T/@l0:a/A log A", "1.000 root/D/T/@l0:a/A log gone"]);
    assert_eq!(only(&lines, &["timeline unload"]).len(), 1);
    assert_eq!(only(&lines, &["root/D/T unloaded"]).len(), 1);
}

#[test]
fn an_unload_takes_the_state_machine_inside_with_it() {
    let states =
        |name: &str, n: usize| format!(r#"<State Name="{name}"><Object number="{n}"/><Link number="{n}"/></State>"#);
    let machine = format!(
        r#"<StateMachine>{}{}<Transition From="s" To="t" TimeOut="2000"/></StateMachine>"#,
        states("s", 0),
        states("t", 1)
    );
    let boxes = boxed("A", 1, "", "") + &boxed("B", 2, "", "") + &link(0, 1, 1, 2) + &link(0, 1, 2, 2);
    let inside = format!(
        r#"<Timeline enable="0"><BehaviorLayer name="l"><BehaviorKeyframe name="k" index="1"><Diagram>{boxes}</Diagram></BehaviorKeyframe></BehaviorLayer>{machine}</Timeline>"#
    );
    let later = boxed("Later", 2, "", "") + &link(0, 2, 2, 2) + &link(2, 4, 1, 3);
    let xml = root(&(boxed("M", 1, "", &inside) + &later + &link(0, 2, 1, 2)));
    let scripts = Scripts::from([
        start("Later", vec![Sleep(1.0), Out("onStopped", Value::Null)]),
        start("B", vec![Log("B")]),
        (("A", "onUnload"), vec![Log("gone")]),
    ]);
    let (lines, _, t) = lines(&xml, scripts);
    assert_eq!(only(&lines, &["log"]), ["1.000 root/M/A log gone"]);
    assert_eq!(t, "1.000", "the time of its state counts no more");
}

#[test]
fn boxes_are_loaded_before_their_links_are_active() {
    // What A puts out in its onLoad is not delivered; QiCore connected first.
    let xml = root(&(boxed("A", 1, "", "") + &boxed("B", 2, "", "") + &link(1, 4, 2, 2)));
    let scripts = Scripts::from([(("A", "onLoad"), vec![Out("onStopped", Value::Null)]), start("B", vec![Log("B")])]);
    let (lines, _, _) = lines(&xml, scripts);
    assert_eq!(only(&lines, &["log"]), Vec::<String>::new());
    assert_eq!(only(&lines, &["dropped"]).len(), 1, "{lines:#?}");
}

#[test]
fn an_unload_is_told_once() {
    // QiCore called onUnload again for each unload too many.
    let xml = root(&(boxed("A", 1, "", "") + &link(0, 2, 1, 2) + &link(1, 4, 0, 4)));
    let scripts = Scripts::from([
        start("A", vec![Out("onStopped", Value::Null), Out("onStopped", Value::Null)]),
        (("A", "onUnload"), vec![Log("unload")]),
    ]);
    let (lines, _, _) = lines(&xml, scripts);
    assert_eq!(only(&lines, &["log"]), ["0.000 root/A log unload"]);
}

#[test]
fn a_script_that_ends_its_box_in_its_start_does_not_play_the_inside() {
    let inside = r#"<Timeline enable="1" fps="10" start_frame="1" end_frame="51"></Timeline>"#;
    let xml = root(&(boxed("T", 1, "", inside) + &link(0, 2, 1, 2)));
    let (lines, _, _) = lines(&xml, Scripts::from([start("T", vec![Out("onStopped", Value::Null)])]));
    assert_eq!(only(&lines, &["timeline"]), Vec::<String>::new(), "{lines:#?}");
}

#[test]
fn a_root_may_have_any_name() {
    let xml = project(&boxed("日本 1", -1, "", &flow(&(boxed("A", 1, "", "") + &link(0, 2, 1, 2)))));
    let (lines, _, _) = lines(&xml, Scripts::from([start("A", vec![Log("A")])]));
    assert_eq!(only(&lines, &["log"]), ["0.000 日本 1/A log A"]);
}

#[test]
fn states_that_are_idle_cost_nothing() {
    // QiCore woke a thread a thousand times a second for each: here no timer is left, so the run ends.
    let config = Config::default();
    let xml = root(&(boxed("A", 1, "", "") + &link(0, 2, 1, 2)));
    let (_, footer) = Run::with(&xml, Scripts::new(), Robot::default(), config).finish();
    assert_eq!((footer.reason, footer.t.to_string()), (EndReason::Waiting, "0.000".to_owned()));
}
