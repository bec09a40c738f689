//! Timelines whose joints another motion uses (`docs/reference/semantics/resources.md`).

use crate::support::*;
use boxstep_engine::config::Config;
use boxstep_engine::protocol::TimelineCommand;
use boxstep_engine::trace::EndReason;
use boxstep_types::Value;

/// A moves something for a while; T, started half a second later, moves a joint from frame 0 to 10 at 10 fps.
fn behavior(acquisition: i32) -> String {
    let inside = format!(
        r#"<Timeline enable="1" fps="10" start_frame="0" end_frame="10" resources_acquisition="{acquisition}">
        <ActuatorList model=""><ActuatorCurve name="value" actuator="HeadYaw" mute="0" unit="0">
        <Key frame="10" value="1"/></ActuatorCurve></ActuatorList></Timeline>"#
    );
    root(
        &[
            boxed("A", 1, "", ""),
            boxed("T", 2, "", &inside),
            boxed("Later", 3, "", ""),
            boxed("C", 4, "", ""),
            link(0, 2, 1, 2),
            link(0, 2, 3, 2),
            link(3, 4, 2, 2),
            link(2, 4, 0, 4),
        ]
        .concat(),
    )
}

fn scripts() -> Scripts {
    Scripts::from([
        (("A", "onInput_onStart"), vec![Call("ALMotion", "move", vec![]), Log("A moved")]),
        (("Later", "onInput_onStart"), vec![Sleep(0.5), Out("onStopped", Value::Null)]),
    ])
}

fn run(acquisition: i32, robot: Robot) -> (Vec<String>, boxstep_engine::trace::Footer) {
    Run::with(&behavior(acquisition), scripts(), robot, Config::default()).finish()
}

fn slow(methods: &[(&'static str, f64)]) -> Robot {
    let mut robot = Robot::default();
    robot.slow.extend(methods.iter().copied());
    robot
}

fn story(lines: &[String]) -> Vec<String> {
    let lines = only(lines, &["T timeline", "log", "T ALMotion"]);
    lines.into_iter().filter(|l| !l.contains("areResourcesAvailable")).collect()
}

#[test]
fn passive_sends_the_motion_and_lets_the_robot_decide() {
    let (lines, _) = run(0, slow(&[("move", 2.02)]));
    assert!(lines.contains(&"0.500 root/T ALMotion.angleInterpolationBezier".to_owned()), "{lines:#?}");
    assert!(!lines.iter().any(|l| l.contains("Resources")), "{lines:#?}");
    assert!(lines.contains(&"1.500 root/T timeline end 10".to_owned()), "{lines:#?}");
}

#[test]
fn waiting_holds_the_cursor_until_the_joints_are_free() {
    let (lines, _) = run(1, slow(&[("move", 2.02)]));
    let expected = [
        "0.500 root/T timeline load 0",
        "0.500 root/T timeline play 0",
        "0.500 root/T timeline wait 0",
        "2.020 root/A log A moved",
        "2.100 root/T timeline play 0",
        "2.100 root/T ALMotion.angleInterpolationBezier",
        "3.100 root/T ALMotion.angleInterpolationBezier done",
        "3.100 root/T timeline end 10",
        "3.100 root/T timeline unload -1",
    ];
    assert_eq!(story(&lines), expected, "{lines:#?}");
    let asked = lines.iter().filter(|l| l.contains("areResourcesAvailable") && !l.contains("done")).count();
    assert_eq!(asked, 2, "at once, and when something had happened: on a frame");
}

#[test]
fn waiting_for_joints_that_never_come_free_ends_the_run() {
    // The motion never ends, A's script waits for it, and nothing else happens.
    let (lines, footer) = run(1, slow(&[("move", 1e12)]));
    assert_eq!(footer.reason, EndReason::Deadlock, "{lines:#?}");
    assert!(lines.len() < 100, "{}", lines.len());
}

#[test]
fn a_robot_that_takes_its_time_to_answer_is_waited_for() {
    let (lines, _) = run(1, slow(&[("move", 2.02), ("areResourcesAvailable", 0.3)]));
    let expected = [
        "0.500 root/T timeline wait 0",
        "0.800 root/T timeline play 0",
        "0.800 root/T ALMotion.angleInterpolationBezier",
        "1.800 root/T ALMotion.angleInterpolationBezier done",
        "1.800 root/T timeline end 10",
    ];
    assert_eq!(story(&lines)[2..7], expected, "{lines:#?}");
}

#[test]
fn aggressive_ends_the_other_motion() {
    let (lines, _) = run(2, slow(&[("move", 2.02)]));
    let expected = [
        "0.500 root/T ALMotion.killTasksUsingResources",
        "0.500 root/T ALMotion.killTasksUsingResources done",
        "0.500 root/T ALMotion.angleInterpolationBezier",
        "0.500 root/A log A moved",
        "1.500 root/T ALMotion.angleInterpolationBezier done",
        "1.500 root/T timeline end 10",
    ];
    assert_eq!(story(&lines)[2..8], expected, "{lines:#?}");
}

#[test]
fn pause_and_stop_end_the_waiting_for_joints() {
    for command in [TimelineCommand::Pause, TimelineCommand::Stop] {
        let mut scripts = scripts();
        scripts.insert(("T", "onInput_e"), vec![Timeline(false, command.clone())]);
        scripts.insert(("C", "onInput_onStart"), vec![Sleep(1.0), Out("onStopped", Value::Null)]);
        let event = r#"<Input name="e" type="1" type_size="1" nature="1" inner="0" tooltip="" id="7"/>"#;
        let xml = behavior(1)
            .replace("<![CDATA[T]]></content></script>", &format!("<![CDATA[T]]></content></script>{event}"));
        let xml = xml.replace("</Diagram>", &(link(0, 2, 4, 2) + &link(4, 4, 2, 7) + "</Diagram>"));
        let (lines, _) = Run::with(&xml, scripts, slow(&[("move", 2.02)]), Config::default()).finish();
        assert!(lines.contains(&"0.500 root/T timeline wait 0".to_owned()), "{lines:#?}");
        let told = if command == TimelineCommand::Pause { "timeline pause 0" } else { "timeline unload -1" };
        assert!(lines.contains(&format!("1.000 root/T {told}")), "{lines:#?}");
        assert!(!lines.iter().any(|l| l.contains("Bezier")), "{lines:#?}");
    }
}
