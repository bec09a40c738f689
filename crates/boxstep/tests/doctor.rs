//! `boxstep doctor` and `boxstep stop`, with a server of ours in the place of a robot.

use crate::common;
use crate::common::{Said, boxstep, say};
use crate::support::Robot;
use serde_json::Value as Json;
use std::net::TcpListener;

fn to(robot: &Robot, command: &str, args: &[&str]) -> Said {
    let mut all = vec![command];
    all.extend(args);
    let address = robot.address();
    all.extend(["--robot", &address]);
    say(&all)
}

/// An address where nothing listens.
fn nowhere() -> String {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string()
}

#[test]
fn a_robot_that_is_ready_is_told_line_by_line() {
    let robot = Robot::ready();
    let said = to(&robot, "doctor", &[]).code(0);
    let lines: Vec<&str> = said.out.lines().collect();
    assert_eq!(lines[0], "ok       NAOqi            2.5.7.1");
    assert_eq!(lines[6], "ok       Autonomous Life  disabled");
    assert_eq!(lines[10], format!("{}: ready for a behavior", robot.address()));
    // The environment may name it.
    let by_environment = boxstep(&["doctor"]).env("BOXSTEP_ROBOT", robot.address()).output().unwrap();
    assert_eq!(Said::from(by_environment).code(0).out.lines().count(), 11);
    assert_eq!(robot.commands(), [""; 0]);
}

#[test]
fn what_play_would_refuse_is_told_with_why_and_what_to_do() {
    let robot = Robot::ready();
    robot.says("ALMotion.robotIsWakeUp", false);
    robot.says("ALAutonomousLife.getState", "solitary");
    let said = to(&robot, "doctor", &[]).code(1);
    assert!(said.out.contains("refused  awake            no\n"), "{}", said.out);
    assert!(said.out.contains("help: --wake wakes it up"), "{}", said.out);
    assert!(said.out.ends_with("`play` would refuse a behavior: awake, Autonomous Life\n"), "{}", said.out);
    for off in ["disabled", "off"] {
        let said = to(&robot, "doctor", &["--wake", "--life", off]).code(0);
        assert!(said.out.contains("note     awake            no\n"), "{}", said.out);
    }
    let said = to(&robot, "doctor", &["--anyway"]).code(0);
    assert!(said.out.ends_with("would play a behavior all the same: awake, Autonomous Life\n"), "{}", said.out);
    assert_eq!(robot.commands(), [""; 0]);
}

#[test]
fn a_behavior_needs_what_its_curves_and_scripts_show() {
    let robot = Robot::ready();
    robot.says("ALMotion.robotIsWakeUp", false);
    // It speaks and moves nothing.
    let said = to(&robot, "doctor", &["examples/say-and-wait"]).code(0);
    assert!(said.out.contains("no, and nothing is moved"), "{}", said.out);
    assert!(said.out.contains("that the scripts call"), "{}", said.out);
    // It moves joints that this robot has not.
    let said = to(&robot, "doctor", &["examples/hello"]).code(1);
    assert!(said.out.contains("which this robot lacks"), "{}", said.out);
}

#[test]
fn programs_get_it_as_json() {
    let robot = Robot::ready();
    robot.says("ALBattery.getBatteryCharge", 7);
    robot.fails("ALSystem.systemVersion", "no such file\n\nAt:\n  version.py(3): systemVersion");
    let json: Json = serde_json::from_str(&to(&robot, "doctor", &["--json"]).code(0).out).unwrap();
    assert_eq!(json["verdict"], "told");
    assert_eq!(json["robot"], robot.address());
    let battery = &json["facts"][2];
    assert_eq!((&battery["fact"], &battery["value"]), (&"battery".into(), &"7 %".into()));
    assert_eq!((&battery["verdict"], &battery["help"]), (&"told".into(), &"plug it in".into()));
    assert_eq!(json["facts"][0]["why"], "ALSystem.systemVersion: no such file");
}

#[test]
fn without_a_robot_or_with_a_bad_file_it_says_so() {
    let said = say(&["doctor"]).code(2);
    assert!(said.err.contains("no robot is named, neither by --robot nor by BOXSTEP_ROBOT"), "{}", said.err);
    say(&["doctor", "no-such-file", "--robot", &nowhere()]).code(2);
    say(&["doctor", "--robot", "http://nao.local"]).code(2);
    for command in ["doctor", "stop"] {
        let address = nowhere();
        let said = say(&[command, "--robot", &address]).code(4);
        assert!(said.err.contains(&format!("{address}: nothing listens at")), "{}", said.err);
    }
}

#[test]
fn stop_stops_and_says_what() {
    let robot = Robot::ready();
    // With so much time, motion has a head start that no slow machine uses up.
    let said = to(&robot, "stop", &["--within", "600"]).code(0);
    assert!(
        said.out
            .starts_with("motion: stopped\nBoxstep: told to stop, whichever plays on this robot\nbehaviors: stopped\n"),
        "{}",
        said.out
    );
    assert!(said.out.ends_with(&format!("{}: stopped\n", robot.address())), "{}", said.out);
    assert_eq!(robot.commands().first().map(String::as_str), Some("ALMotion.stopMove"));
}

#[test]
fn what_is_not_sure_to_have_stopped_is_told_and_fails() {
    let robot = Robot::ready();
    robot.hangs("ALTextToSpeech.stopAll");
    robot.says("ALAutonomousLife.getState", "interactive");
    let said = to(&robot, "stop", &["--within", "1"]).code(4);
    assert!(said.out.contains("speech: requested, and not yet confirmed"), "{}", said.out);
    assert!(said.out.contains("Autonomous Life is on (interactive)"), "{}", said.out);
    let json: Json = serde_json::from_str(&to(&robot, "stop", &["--within", "1", "--json"]).code(4).out).unwrap();
    assert_eq!((&json["sure"], &json["life"]), (&false.into(), &"interactive".into()));
    assert_eq!(json["stopped"][0]["outcome"], "stopped");
}

#[test]
fn the_units_for_all_day_are_sound() {
    let folder = std::env::temp_dir().join(format!("boxstep-units-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut units = Vec::new();
    for unit in std::fs::read_dir(common::root().join("dist/systemd")).unwrap() {
        let unit = unit.unwrap();
        // The program is not where its user will have it.
        let text = std::fs::read_to_string(unit.path()).unwrap();
        let text = text.replace("%h/.local/bin/boxstep", env!("CARGO_BIN_EXE_boxstep"));
        units.push(folder.join(unit.file_name()));
        std::fs::write(units.last().unwrap(), text).unwrap();
    }
    assert_eq!(units.len(), 6);
    let verify = std::process::Command::new("systemd-analyze")
        .args(["--user", "--man=no", "verify"])
        .args(&units)
        .env("XDG_RUNTIME_DIR", &folder)
        .output();
    match verify {
        Err(_) => eprintln!("left out: there is no systemd-analyze"),
        Ok(said) => {
            let said = Said::from(said).code(0);
            assert_eq!(said.err, "");
        }
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
