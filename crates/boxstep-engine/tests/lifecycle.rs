//! Load, start, stop, unload: the documented order (`docs/reference/semantics/lifecycle.md`).

use crate::support::*;
use boxstep_engine::trace::EndReason;
use boxstep_types::Value;

fn bang() -> Value {
    Value::Null
}

#[test]
fn loads_starts_ends_and_unloads_in_the_documented_order() {
    let xml = root(
        &(boxed("A", 1, "", "") + &boxed("B", 2, "", "") + &link(0, 2, 1, 2) + &link(1, 4, 2, 2) + &link(2, 4, 0, 4)),
    );
    let scripts = Scripts::from([
        (("A", "onLoad"), vec![Log("load")]),
        (("A", "onInput_onStart"), vec![Out("onStopped", bang())]),
        (("A", "onUnload"), vec![Log("unload")]),
        (("B", "onInput_onStart"), vec![Sleep(1.5), Out("onStopped", bang())]),
    ]);
    let (lines, footer) = Run::new(&xml, scripts).finish();
    assert_eq!(footer.reason, EndReason::Ended);
    assert_eq!(footer.deterministic, Ok(()));
    let expected = [
        "0.000 root behavior loading",
        "0.000 root constructed",
        "0.000 root/A constructed",
        "0.000 root/B constructed",
        "0.000 root loading",
        "0.000 root diagram loading",
        "0.000 root/A loading",
        "0.000 root/A call onLoad",
        "0.000 root/A log load",
        "0.000 root/A returned onLoad",
        "0.000 root/A loaded",
        "0.000 root/B loading",
        "0.000 root/B loaded",
        "0.000 root diagram loaded",
        "0.000 root loaded",
        "0.000 root behavior loaded",
        "0.000 root behavior started",
        "0.000 root > onStart null",
        "0.000 root starting",
        "0.000 root started",
        "0.000 root/A > onStart null",
        "0.000 root/A starting",
        "0.000 root/A call onInput_onStart",
        "0.000 root/A returned onInput_onStart",
        "0.000 root/A < onStopped null",
        "0.000 root/A stopped",
        "0.000 root/B > onStart null",
        "0.000 root/B starting",
        "0.000 root/B call onInput_onStart",
        "1.500 root/B returned onInput_onStart",
        "1.500 root/B < onStopped null",
        "1.500 root/B stopped",
        "1.500 root < onStopped null",
        "1.500 root stopping",
        "1.500 root diagram unloading",
        "1.500 root/A unloading",
        "1.500 root/A call onUnload",
        "1.500 root/A log unload",
        "1.500 root/A returned onUnload",
        "1.500 root/A unloaded",
        "1.500 root/B unloading",
        "1.500 root/B unloaded",
        "1.500 root diagram unloaded",
        "1.500 root stopped",
        "1.500 root behavior stopping",
        "1.500 root unloading",
        "1.500 root unloaded",
        "1.500 root destroyed",
        "1.500 root/A destroyed",
        "1.500 root/B destroyed",
        "1.500 root behavior unloaded",
    ];
    assert_eq!(lines, expected, "{lines:#?}");
}

#[test]
fn a_diagram_box_unloads_its_inside_before_it_transmits() {
    let inner = flow(&(boxed("In", 1, "", "") + &link(0, 2, 1, 2) + &link(1, 4, 0, 4)));
    let xml = root(&(boxed("D", 1, "", &inner) + &boxed("After", 2, "", "") + &link(0, 2, 1, 2) + &link(1, 4, 2, 2)));
    let scripts = Scripts::from([
        (("In", "onInput_onStart"), vec![Out("onStopped", bang())]),
        (("In", "onUnload"), vec![Sleep(0.5)]),
        (("After", "onInput_onStart"), vec![Log("after")]),
    ]);
    let (lines, footer) = Run::new(&xml, scripts).finish();
    assert_eq!(footer.reason, EndReason::Waiting);
    let seen = only(&lines, &["D stop", "D <", "In call onUnload", "In unloaded", "After >"]);
    let expected = [
        "0.000 root/D < onStopped null",
        "0.000 root/D stopping",
        "0.000 root/D/In call onUnload",
        "0.500 root/D/In unloaded",
        "0.500 root/D stopped",
        "0.500 root/After > onStart null",
    ];
    assert_eq!(seen, expected, "{lines:#?}");
}

#[test]
fn an_onstop_input_unloads_the_inside_and_emits_nothing() {
    let inner = flow(&(boxed("In", 1, "", "") + &link(0, 2, 1, 2)));
    let xml = root(
        &(boxed("D", 1, "", &inner)
            + &boxed("Stop", 2, "", "")
            + &link(0, 2, 1, 2)
            + &link(0, 2, 2, 2)
            + &link(2, 4, 1, 3)),
    );
    let scripts = Scripts::from([
        (("Stop", "onInput_onStart"), vec![Sleep(1.0), Out("onStopped", bang())]),
        (("D", "onInput_onStop"), vec![Log("stopping"), Sleep(0.25)]),
        (("In", "onUnload"), vec![Log("unload")]),
    ]);
    let (lines, _) = Run::new(&xml, scripts).finish();
    let seen = only(&lines, &["D <", "D > onStop", "log", "D stopped", "In unloaded"]);
    let expected = [
        "1.000 root/D > onStop null",
        "1.000 root/D log stopping",
        "1.250 root/D/In log unload",
        "1.250 root/D/In unloaded",
        "1.250 root/D stopped",
    ];
    assert_eq!(seen, expected, "{lines:#?}");
}

#[test]
fn a_start_whose_script_ends_the_box_does_not_load_the_inside() {
    let inner = flow(&boxed("In", 1, "", ""));
    let xml = root(&(boxed("D", 1, "", &inner) + &link(0, 2, 1, 2) + &link(1, 4, 0, 4)));
    let scripts = Scripts::from([(("D", "onInput_onStart"), vec![Out("onStopped", bang()), Sleep(1.0)])]);
    let (lines, footer) = Run::new(&xml, scripts).finish();
    assert_eq!(footer.reason, EndReason::Ended);
    assert!(only(&lines, &["root/D/In load"]).is_empty(), "{lines:#?}");
}

#[test]
fn onunload_is_awaited_two_seconds_then_given_up() {
    let xml = root(&(boxed("A", 1, "", "") + &link(0, 2, 1, 2) + &link(1, 4, 0, 4)));
    let scripts = Scripts::from([
        (("A", "onInput_onStart"), vec![Out("onStopped", bang())]),
        (("A", "onUnload"), vec![Sleep(30.0), Out("onStopped", bang())]),
    ]);
    let (lines, footer) = Run::new(&xml, scripts).finish();
    assert_eq!(footer.t.to_string(), "2.000");
    assert_eq!(only(&lines, &["abandoned"]), ["2.000 root/A abandoned onUnload"]);
}

#[test]
fn onunload_runs_while_the_start_is_still_blocked() {
    let xml = root(
        &(boxed("A", 1, "", "") + &boxed("B", 2, "", "") + &link(0, 2, 1, 2) + &link(0, 2, 2, 2) + &link(2, 4, 0, 4)),
    );
    let scripts = Scripts::from([
        (("A", "onInput_onStart"), vec![Sleep(5.0), Out("onStopped", bang())]),
        (("A", "onUnload"), vec![Log("unload")]),
        (("B", "onInput_onStart"), vec![Sleep(1.0), Out("onStopped", bang())]),
    ]);
    let (lines, footer) = Run::new(&xml, scripts).finish();
    assert_eq!(footer.reason, EndReason::Ended);
    assert_eq!(only(&lines, &["A log"]), ["1.000 root/A log unload"]);
    assert_eq!(footer.t.to_string(), "1.000", "what is left is interrupted, not awaited");
}

#[test]
fn two_starts_of_one_input_overlap() {
    let xml = root(
        &(boxed("A", 1, "", "") + &boxed("B", 2, "", "") + &link(0, 2, 1, 2) + &link(0, 2, 2, 2) + &link(2, 4, 1, 2)),
    );
    let scripts = Scripts::from([
        (("A", "onInput_onStart"), vec![Log("begin"), Sleep(2.0), Log("end")]),
        (("B", "onInput_onStart"), vec![Sleep(1.0), Out("onStopped", bang())]),
    ]);
    let (lines, _) = Run::new(&xml, scripts).finish();
    let expected = ["0.000 root/A log begin", "1.000 root/A log begin", "2.000 root/A log end", "3.000 root/A log end"];
    assert_eq!(only(&lines, &["A log"]), expected);
}

#[test]
fn an_uncaught_exception_stops_the_behavior_as_failed() {
    let xml = root(&(boxed("A", 1, "", "") + &link(0, 2, 1, 2)));
    let scripts = Scripts::from([(("A", "onInput_onStart"), vec![Raise]), (("A", "onUnload"), vec![Log("unload")])]);
    let (lines, footer) = Run::new(&xml, scripts).finish();
    assert_eq!((footer.reason, footer.errors), (EndReason::Failed, 1));
    assert_eq!(only(&lines, &["failed", "log"]), ["0.000 root/A behavior failed", "0.000 root/A log unload"]);
}

#[test]
fn an_onerror_output_gets_the_exception_instead() {
    let error = r#"<Output name="onError" type="3" type_size="1" nature="2" inner="0" tooltip="" id="5"/>"#;
    let text = r#"<Input name="text" type="3" type_size="1" nature="1" inner="0" tooltip="" id="6"/>"#;
    let xml = root(&(boxed("A", 1, error, "") + &boxed("B", 2, text, "") + &link(0, 2, 1, 2) + &link(1, 5, 2, 6)));
    let scripts = Scripts::from([(("A", "onInput_onStart"), vec![Raise]), (("B", "onInput_text"), vec![LogValue])]);
    let (lines, footer) = Run::new(&xml, scripts).finish();
    assert_eq!(footer.reason, EndReason::Waiting);
    assert_eq!(only(&lines, &["B log"]), [r#"0.000 root/B log "_Behavior__1__root__A_1:x""#]);
}

#[test]
fn an_onerror_output_gets_the_exception_of_a_stop_too() {
    let text = r#"<Input name="text" type="3" type_size="1" nature="1" inner="0" tooltip="" id="6"/>"#;
    // Whatever the nature of the output: one that ends the box waits for the unload that the stop has begun.
    for nature in [1, 2] {
        let error = format!(r#"<Output name="onError" type="3" type_size="1" nature="{nature}" inner="0" id="5"/>"#);
        let boxes =
            boxed("A", 1, &error, &flow(&boxed("In", 1, "", ""))) + &boxed("B", 2, text, "") + &boxed("S", 3, "", "");
        let links = [link(0, 2, 1, 2), link(0, 2, 3, 2), link(3, 4, 1, 3), link(1, 5, 2, 6)].concat();
        let scripts = Scripts::from([
            on_start("S", vec![Sleep(1.0), Out("onStopped", Value::Null)]),
            (("A", "onInput_onStop"), vec![Raise]),
            (("In", "onUnload"), vec![Log("unload")]),
            (("B", "onInput_text"), vec![LogValue]),
        ]);
        let (lines, footer) = Run::new(&root(&(boxes + &links)), scripts).finish();
        assert_eq!((footer.reason, footer.errors), (EndReason::Waiting, 1));
        let mut told = only(&lines, &[" log ", " raised ", " failed", "root/A stopped"]);
        told.sort();
        let expected = [
            "1.000 root/A raised onInput_onStop",
            "1.000 root/A stopped",
            "1.000 root/A/In log unload",
            r#"1.000 root/B log "_Behavior__1__root__A_1:x""#,
        ];
        assert_eq!(told, expected, "{lines:#?}");
    }
}

#[test]
fn an_exception_in_onload_lets_the_level_load_and_then_fails() {
    let xml = root(&(boxed("A", 1, "", "") + &boxed("B", 2, "", "") + &link(0, 2, 1, 2)));
    let scripts = Scripts::from([
        (("A", "onLoad"), vec![Raise]),
        (("A", "onInput_onStart"), vec![Log("started")]),
        (("B", "onLoad"), vec![Log("loaded")]),
    ]);
    let (lines, footer) = Run::new(&xml, scripts).finish();
    assert_eq!(footer.reason, EndReason::Failed);
    assert_eq!(only(&lines, &["log"]), ["0.000 root/B log loaded"]);
}

#[test]
fn an_exception_at_stop_is_only_reported() {
    let xml = root(&(boxed("A", 1, "", "") + &link(0, 2, 1, 2) + &link(1, 4, 0, 4)));
    let scripts =
        Scripts::from([(("A", "onInput_onStart"), vec![Out("onStopped", bang())]), (("A", "onUnload"), vec![Raise])]);
    let (_, footer) = Run::new(&xml, scripts).finish();
    assert_eq!((footer.reason, footer.errors), (EndReason::Ended, 1));
    // The links of a box that is being unloaded are broken: its onError has nobody to tell.
    let error = r#"<Output name="onError" type="3" type_size="1" nature="2" inner="0" tooltip="" id="5"/>"#;
    let xml = root(&(boxed("A", 1, error, "") + &link(0, 2, 1, 2) + &link(1, 4, 0, 4)));
    let scripts =
        Scripts::from([(("A", "onInput_onStart"), vec![Out("onStopped", bang())]), (("A", "onUnload"), vec![Raise])]);
    let (lines, footer) = Run::new(&xml, scripts).finish();
    assert_eq!((footer.reason, footer.errors), (EndReason::Ended, 1));
    assert_eq!(only(&lines, &["onError"]), [""; 0]);
}

#[test]
fn an_interrupt_stops_the_robot_then_started_boxes_innermost_first_then_unloads() {
    let inner = flow(&(boxed("In", 1, "", "") + &link(0, 2, 1, 2)));
    let xml = root(&(boxed("D", 1, "", &inner) + &link(0, 2, 1, 2)));
    let hold = |name| ((name, "onInput_onStart"), vec![Log("start")]);
    let scripts = Scripts::from([
        hold("D"),
        (("In", "onInput_onStart"), vec![Sleep(60.0)]),
        (("In", "onInput_onStop"), vec![Log("in stop")]),
        (("D", "onInput_onStop"), vec![Log("outer stop")]),
        (("In", "onUnload"), vec![Log("unload")]),
    ]);
    let control = boxstep_engine::config::Control::Interrupt;
    let (lines, footer) = Run::new(&xml, scripts).control(3.0, control).finish();
    assert_eq!(footer.reason, EndReason::Interrupted);
    let seen = only(&lines, &["control", "halt", "log in", "log outer", "log unload"]);
    let expected = [
        "3.000  control interrupt",
        r#"3.000  Act(Act { kind: "halt", text: "the robot stops", data: Null })"#,
        "3.000 root/D/In log in stop",
        "3.000 root/D log outer stop",
        "3.000 root/D/In log unload",
    ];
    assert_eq!(seen, expected, "{lines:#?}");
}

#[test]
fn an_interrupt_unloads_when_every_onstop_has_returned_and_starts_nothing() {
    let xml = root(
        &(boxed("A", 1, "", "")
            + &boxed("B", 2, "", "")
            + &link(0, 2, 1, 2)
            + &link(1, 4, 2, 2)
            + &boxed("C", 3, "", "")
            + &link(0, 2, 3, 2)),
    );
    let scripts = Scripts::from([
        (("A", "onInput_onStart"), vec![Sleep(60.0)]),
        (("A", "onInput_onStop"), vec![Sleep(0.5), Out("onStopped", Value::Null), Log("stopped")]),
        (("B", "onInput_onStart"), vec![Log("never")]),
        (("A", "onUnload"), vec![Log("unload")]),
        (("C", "onInput_onStart"), vec![Sleep(60.0)]),
        (("C", "onInput_onStop"), vec![Sleep(60.0)]),
        (("C", "onUnload"), vec![Log("unload")]),
    ]);
    let control = boxstep_engine::config::Control::Interrupt;
    let (lines, _) = Run::new(&xml, scripts).control(3.0, control).finish();
    let seen = only(&lines, &[" log ", "abandoned", "dropped"]);
    // C never returns: it is awaited for 0.75 s.
    let expected = [
        "3.500 root/A log stopped",
        "3.500 root/B dropped onStart null: the run is being interrupted",
        "3.750 root/C abandoned onInput_onStop",
        "3.750 root/A log unload",
        "3.750 root/C log unload",
    ];
    assert_eq!(seen, expected, "{lines:#?}");
}

#[test]
fn a_plain_stop_unloads_and_stimulates_no_onstop() {
    let xml = root(&(boxed("A", 1, "", "") + &link(0, 2, 1, 2)));
    let scripts = Scripts::from([
        (("A", "onInput_onStart"), vec![Sleep(60.0)]),
        (("A", "onInput_onStop"), vec![Log("stop")]),
        (("A", "onUnload"), vec![Log("unload")]),
    ]);
    let control = boxstep_engine::config::Control::Stop;
    let (lines, footer) = Run::new(&xml, scripts).control(3.0, control).finish();
    assert_eq!(footer.reason, EndReason::Ended);
    assert_eq!(only(&lines, &["log"]), ["3.000 root/A log unload"]);
}

fn on_start(name: &'static str, actions: Vec<Do>) -> ((&'static str, &'static str), Vec<Do>) {
    ((name, "onInput_onStart"), actions)
}

/// A box without a script.
fn bare(name: &str, id: i32, inside: &str) -> String {
    boxed(name, id, "", inside).replace(&format!("<![CDATA[{name}]]>"), "")
}

#[test]
fn a_diagram_that_is_stopped_says_nothing_with_or_without_a_script() {
    let inside = flow(&(boxed("In", 1, "", "") + &link(0, 2, 1, 2)));
    for d in [bare("D", 1, &inside), boxed("D", 1, "", &inside)] {
        let boxes = d + &boxed("Stops", 2, "", "") + &boxed("Next", 3, "", "");
        let links = [link(0, 2, 1, 2), link(0, 2, 2, 2), link(2, 4, 1, 3), link(1, 4, 3, 2)].concat();
        let scripts = Scripts::from([
            on_start("Stops", vec![Sleep(1.0), Out("onStopped", Value::Null)]),
            on_start("In", vec![Log("in")]),
            (("In", "onUnload"), vec![Sleep(0.5), Log("unloaded")]),
            on_start("Next", vec![Log("next")]),
        ]);
        let (lines, _) = Run::new(&root(&(boxes + &links)), scripts).finish();
        let expected = ["0.000 root/D/In log in", "1.500 root/D/In log unloaded"];
        assert_eq!(only(&lines, &[" log ", "D <"]), expected, "{lines:#?}");
    }
}

#[test]
fn one_stop_for_two_diagrams_in_a_row_starts_neither() {
    // A → B, with the same stop on both: neither has been started, or A alone.
    let inside = flow(&(boxed("In", 1, "", "") + &link(0, 2, 1, 2)));
    for started in [false, true] {
        let boxes = bare("A", 1, &inside) + &bare("B", 2, &inside) + &boxed("Stops", 3, "", "");
        let mut links = vec![link(0, 2, 3, 2), link(3, 4, 1, 3), link(3, 4, 2, 3), link(1, 4, 2, 2)];
        links.extend(started.then(|| link(0, 2, 1, 2)));
        let scripts = Scripts::from([
            on_start("Stops", vec![Sleep(1.0), Out("onStopped", Value::Null)]),
            on_start("In", vec![Log("in")]),
        ]);
        let (lines, _) = Run::new(&root(&(boxes + &links.concat())), scripts).finish();
        let expected: &[&str] = if started { &["0.000 root/A/In log in"] } else { &[] };
        assert_eq!(only(&lines, &[" log ", "A <", "B <"]), expected, "{lines:#?}");
    }
}

#[test]
fn a_timeline_without_a_script_that_is_stopped_says_nothing() {
    // A loop made by a link from onStopped to onStart must come to an end when it is stopped.
    let timeline = r#"<Timeline enable="1" fps="25" start_frame="1" end_frame="26"></Timeline>"#;
    let boxes = bare("T", 1, timeline) + &boxed("Stops", 2, "", "");
    let links = [link(0, 2, 1, 2), link(1, 4, 1, 2), link(0, 2, 2, 2), link(2, 4, 1, 3)].concat();
    let scripts = Scripts::from([on_start("Stops", vec![Sleep(2.5), Out("onStopped", Value::Null)])]);
    let (lines, footer) = Run::new(&root(&(boxes + &links)), scripts).finish();
    assert_eq!(only(&lines, &["T <"]).len(), 2, "{lines:#?}");
    assert_eq!(footer.t.to_string(), "2.500");
}

#[test]
fn what_is_constructed_is_destroyed_once_with_and_without_a_script() {
    let broken = boxed("Broken", 2, "", "");
    let xml = root(&(bare("Bare", 1, &flow(&boxed("In", 1, "", ""))) + &broken));
    let scripts = Scripts::from([(("Broken", "__init__"), vec![Raise])]);
    let (lines, _) = Run::new(&xml, scripts).finish();
    let named = |what: &str| -> Vec<String> {
        let of = |l: &String| l.split(' ').nth(1).unwrap().to_owned();
        only(&lines, &[what]).iter().map(of).collect()
    };
    assert_eq!(named(" constructed"), ["root", "root/Bare", "root/Bare/In"], "{lines:#?}");
    assert_eq!(named(" destroyed"), named(" constructed"), "{lines:#?}");
}
