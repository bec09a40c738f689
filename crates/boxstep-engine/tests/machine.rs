//! State machines that somebody has written: transitions, shared boxes, frames (`docs/reference/semantics/states.md`).

use crate::support::*;
use boxstep_engine::config::Config;
use boxstep_engine::protocol::{Frame, TimelineCommand};
use boxstep_engine::trace::EndReason;
use boxstep_types::{Time, Value};

/// States as name, attributes, boxes and links by their places.
fn machine(states: &[(&str, &str, &[usize], &[usize])], more: &str) -> String {
    let numbers =
        |tag: &str, all: &[usize]| -> String { all.iter().map(|n| format!("<{tag} number=\"{n}\"/>")).collect() };
    let one = |(name, attributes, boxes, links): &(&str, &str, &[usize], &[usize])| {
        format!(
            "<State Name=\"{name}\" {attributes}><Label Name=\"to {name}\"/>{}{}</State>",
            numbers("Object", boxes),
            numbers("Link", links)
        )
    };
    format!("<StateMachine>{}{more}</StateMachine>", states.iter().map(one).collect::<String>())
}

fn transition(from: &str, to: &str, timeout: Option<i32>) -> String {
    let timeout = timeout.map(|ms| format!("TimeOut=\"{ms}\"")).unwrap_or_default();
    format!("<Transition From=\"{from}\" To=\"{to}\" {timeout}/>")
}

/// A root whose states share out these boxes and links.
fn in_root(enable: &str, content: &str, machine: &str) -> String {
    project(&boxed(
        "root",
        -1,
        "",
        &format!(
            r#"<Timeline {enable}><BehaviorLayer name="l"><BehaviorKeyframe name="k" index="1"><Diagram>{content}</Diagram></BehaviorKeyframe></BehaviorLayer>{machine}</Timeline>"#
        ),
    ))
}

/// Boxes A, B and C with the ids 1, 2 and 3, each started by the root's onLoad: links 0, 1 and 2.
fn abc() -> String {
    let boxes: String = ["A", "B", "C"].iter().zip(1..).map(|(n, id)| boxed(n, id, "", "")).collect();
    boxes + &(1..4).map(|id| link(0, 1, id, 2)).collect::<String>()
}

fn run(xml: &str, scripts: Scripts, seconds: f64) -> (Vec<String>, EndReason) {
    let config = Config { limit: Some(Time::from_secs_f64(seconds)), ..Config::default() };
    let (lines, footer) = Run::with(xml, scripts, Robot::default(), config).finish();
    (lines, footer.reason)
}

fn says(name: &'static str) -> ((&'static str, &'static str), Vec<Do>) {
    ((name, "onInput_onStart"), vec![Log(name)])
}

#[test]
fn the_next_state_is_loaded_before_the_last_is_unloaded_and_shared_boxes_stay() {
    let states: [(&str, &str, &[usize], &[usize]); 2] = [("s", "", &[0, 1], &[0, 1]), ("t", "", &[1, 2], &[1, 2])];
    let xml = in_root("enable=\"0\"", &abc(), &machine(&states, &transition("s", "t", Some(1500))));
    let (lines, _) = run(&xml, Scripts::from([says("A"), says("B"), says("C")]), 3.0);
    let seen: Vec<String> =
        only(&lines, &["1.500 "]).into_iter().filter(|l| !l.contains("call") && !l.contains("returned")).collect();
    let expected = [
        "1.500 root diagram l:t loading",
        "1.500 root/C loading",
        "1.500 root/C loaded",
        "1.500 root diagram l:t loaded",
        "1.500 root diagram l:s unloading",
        "1.500 root/A unloading",
        "1.500 root/A unloaded",
        "1.500 root diagram l:s unloaded",
        "1.500 root/C > onStart Null",
        "1.500 root/C starting",
        "1.500 root/C log C",
        "1.500 root/C started",
    ];
    let shown: Vec<String> = seen.iter().map(|l| l.replace("null", "Null")).collect();
    assert_eq!(shown[..expected.len()], expected);
    // B was started once, when its first state was entered.
    assert_eq!(only(&lines, &["log"]), ["0.000 root/A log A", "0.000 root/B log B", "1.500 root/C log C"]);
}

/// The state is left before its first signal arrives, and one of its boxes takes its time to be unloaded.
#[test]
fn a_signal_does_not_reach_a_box_that_is_about_to_be_unloaded_with_its_state() {
    for stays in [false, true] {
        let next: &[usize] = if stays { &[1] } else { &[] };
        let states = [("s0", "", next, &[][..]), ("s1", "", &[0, 1], &[1])];
        let more = transition("s0", "s1", Some(100)) + &transition("s1", "s0", Some(0));
        let scripts = [(("A", "onUnload"), vec![Sleep(0.5)]), says("B")].into();
        let (lines, _) = run(&in_root(r#"enable="0""#, &abc(), &machine(&states, &more)), scripts, 0.3);
        let told = |what: &str| lines.iter().any(|l| l == what);
        assert_eq!(told("0.100 root/B > onStart null"), stays, "{lines:#?}");
        assert_eq!(told("0.100 root/B dropped onStart null: the diagram is not loaded any more"), !stays, "{lines:#?}");
    }
}

/// QiCore counted links to the same end.
#[test]
fn a_link_of_two_states_carries_each_signal_once_and_ends_with_the_second() {
    let content = abc() + &link(1, 4, 2, 2);
    let states: [(&str, &str, &[usize], &[usize]); 3] =
        [("s", "", &[0, 1], &[0, 3]), ("t", "", &[0, 1], &[3]), ("u", "", &[0, 1], &[])];
    let more = transition("s", "t", Some(500)) + &transition("t", "u", Some(1000));
    let out = || Out("onStopped", Value::Null);
    // In each of the states once.
    let speaks = (("A", "onInput_onStart"), vec![Sleep(0.2), out(), Sleep(0.8), out(), Sleep(1.0), out()]);
    let (lines, _) = run(&in_root("enable=\"0\"", &content, &machine(&states, &more)), [speaks, says("B")].into(), 3.0);
    assert_eq!(only(&lines, &["root/A < onStopped"]).len(), 3, "{lines:#?}");
    assert_eq!(only(&lines, &["log"]), ["0.200 root/B log B", "1.000 root/B log B"], "{lines:#?}");
}

#[test]
fn without_a_time_a_transition_is_taken_when_the_work_of_its_state_is_done() {
    // A starts B when it ends, and B is the last to work.
    let content = abc() + &link(1, 4, 2, 2);
    let states: [(&str, &str, &[usize], &[usize]); 2] = [("s", "", &[0, 1], &[0, 3]), ("t", "", &[2], &[2])];
    let xml = in_root("enable=\"0\"", &content, &machine(&states, &transition("s", "t", None)));
    let ends = |seconds| vec![Sleep(seconds), Out("onStopped", Value::Null)];
    let scripts =
        Scripts::from([(("A", "onInput_onStart"), ends(1.0)), (("B", "onInput_onStart"), ends(2.0)), says("C")]);
    let (lines, _) = run(&xml, scripts, 10.0);
    assert_eq!(only(&lines, &["diagram l:t loading", "log"]), ["3.000 root diagram l:t loading", "3.000 root/C log C"]);
}

#[test]
fn a_minus_one_is_no_time_and_a_state_nobody_works_in_stays() {
    let states: [(&str, &str, &[usize], &[usize]); 2] = [("s", "", &[0], &[]), ("t", "", &[2], &[2])];
    let xml = in_root("enable=\"0\"", &abc(), &machine(&states, &transition("s", "t", Some(-1))));
    let (lines, _) = run(&xml, Scripts::from([says("C")]), 5.0);
    assert_eq!(only(&lines, &["l:t", "log"]), Vec::<String>::new());
    // A box that never says that it has ended is at work for ever.
    let states: [(&str, &str, &[usize], &[usize]); 2] = [("s", "", &[0], &[0]), ("t", "", &[2], &[2])];
    let xml = in_root("enable=\"0\"", &abc(), &machine(&states, &transition("s", "t", None)));
    let (lines, _) = run(&xml, Scripts::from([says("A"), says("C")]), 5.0);
    assert_eq!(only(&lines, &["log"]), ["0.000 root/A log A"]);
}

#[test]
fn times_go_round_and_begin_anew_with_each_state() {
    let states: [(&str, &str, &[usize], &[usize]); 2] = [("s", "", &[0], &[0]), ("t", "", &[1], &[1])];
    let both = transition("s", "t", Some(1000)) + &transition("t", "s", Some(500)) + &transition("t", "t", Some(700));
    let xml = in_root("enable=\"0\"", &abc(), &machine(&states, &both));
    let (lines, _) = run(&xml, Scripts::from([says("A"), says("B")]), 3.2);
    let times: Vec<String> = only(&lines, &["log"]);
    assert_eq!(
        times,
        ["0.000 root/A log A", "1.000 root/B log B", "1.500 root/A log A", "2.500 root/B log B", "3.000 root/A log A"]
    );
}

#[test]
fn the_initial_state_is_the_one_that_is_named() {
    let states: [(&str, &str, &[usize], &[usize]); 2] = [("s", "", &[0], &[0]), ("t", "", &[1], &[1])];
    let xml = in_root("enable=\"0\"", &abc(), &machine(&states, "<InitialState Name=\"t\"/><FinalState Name=\"t\"/>"));
    let (lines, _) = run(&xml, Scripts::from([says("A"), says("B")]), 1.0);
    assert_eq!(only(&lines, &["log"]), ["0.000 root/B log B"]);
}

#[test]
fn a_cursor_enters_states_at_their_frames_and_by_their_labels() {
    let states: [(&str, &str, &[usize], &[usize]); 3] = [
        ("s", "begin=\"1\" end=\"26\"", &[0], &[0]),
        ("t", "begin=\"26\" end=\"51\"", &[1], &[1]),
        ("u", "begin=\"51\" end=\"76\"", &[2], &[2]),
    ];
    let enable = "enable=\"1\" fps=\"25\" start_frame=\"1\" end_frame=\"76\"";
    let xml = in_root(enable, &abc(), &machine(&states, ""));
    let (lines, reason) = run(&xml, Scripts::from([says("A"), says("B"), says("C")]), 60.0);
    assert_eq!(only(&lines, &["log"]), ["0.000 root/A log A", "1.000 root/B log B", "2.000 root/C log C"]);
    assert_eq!(reason, EndReason::Ended);
    let jump = vec![Log("A"), Timeline(true, TimelineCommand::GoTo(Frame::Name("to u".into())))];
    let scripts = Scripts::from([(("A", "onInput_onStart"), jump), says("B"), says("C")]);
    let (lines, _) = run(&xml, scripts, 60.0);
    assert_eq!(
        only(&lines, &["log", "timeline end"]),
        ["0.000 root/A log A", "0.000 root/C log C", "1.000 root timeline end 76"]
    );
}

#[test]
fn a_transition_may_leave_the_state_of_a_frame_until_the_next_flag() {
    let states: [(&str, &str, &[usize], &[usize]); 3] = [
        ("s", "begin=\"1\" end=\"51\"", &[0], &[0]),
        ("t", "begin=\"51\" end=\"76\"", &[1], &[1]),
        ("u", "", &[2], &[2]),
    ];
    let enable = "enable=\"1\" fps=\"25\" start_frame=\"1\" end_frame=\"76\"";
    let xml = in_root(enable, &abc(), &machine(&states, &transition("s", "u", Some(400))));
    let (lines, _) = run(&xml, Scripts::from([says("A"), says("B"), says("C")]), 60.0);
    assert_eq!(only(&lines, &["log"]), ["0.000 root/A log A", "0.400 root/C log C", "2.000 root/B log B"]);
}

#[test]
fn states_without_boxes_that_follow_each_other_in_no_time_are_cut() {
    let states: [(&str, &str, &[usize], &[usize]); 2] = [("s", "", &[], &[]), ("t", "", &[], &[])];
    let both = transition("s", "t", None) + &transition("t", "s", None);
    let xml = in_root("enable=\"0\"", &abc(), &machine(&states, &both));
    let config = Config { livelock_bound: 1000, ..Config::default() };
    let (_, footer) = Run::with(&xml, Scripts::new(), Robot::default(), config).finish();
    assert_eq!(footer.reason, EndReason::Livelock);
}

#[test]
fn the_machine_begins_anew_when_its_box_is_started_again() {
    let states: [(&str, &str, &[usize], &[usize]); 2] = [("s", "", &[0], &[0]), ("t", "", &[1], &[1, 3])];
    let content = abc() + &link(2, 4, 0, 4);
    let both = transition("s", "t", Some(300));
    let inside = format!(
        r#"<Timeline enable="0"><BehaviorLayer name="l"><BehaviorKeyframe name="k" index="1"><Diagram>{content}</Diagram></BehaviorKeyframe></BehaviorLayer>{}</Timeline>"#,
        machine(&states, &both)
    );
    // M ends through its second state and starts itself once more.
    let xml = root(&(boxed("M", 1, "", &inside) + &link(0, 2, 1, 2) + &link(1, 4, 1, 2)));
    let scripts = Scripts::from([says("A"), (("B", "onInput_onStart"), vec![Log("B"), Out("onStopped", Value::Null)])]);
    let (lines, _) = run(&xml, scripts, 0.7);
    let expected = [
        "0.000 root/M/A log A",
        "0.300 root/M/B log B",
        "0.300 root/M/A log A",
        "0.600 root/M/B log B",
        "0.600 root/M/A log A",
    ];
    assert_eq!(only(&lines, &["log"]), expected);
}
