//! `boxstep doctor` and `boxstep stop`, with a server of ours in the place of a robot.

use crate::common;
use crate::common::{Said, boxstep, say};
use crate::support::Robot;
use boxstep_qi::Value;
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
    // Its health comes after that.
    assert_eq!(lines[12], "good     motors           3, the warmest has 41 °C (HeadPitch)");
    assert_eq!(lines[13], "good     battery          87 %");
    assert_eq!(lines.last(), Some(&&*format!("{}: nothing needs care", robot.address())));
    // The environment may name it.
    let by_environment = boxstep(&["doctor"]).env("BOXSTEP_ROBOT", robot.address()).output().unwrap();
    assert_eq!(Said::from(by_environment).code(0).out.lines().count(), lines.len());
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
    assert!(said.out.contains(": `play` would refuse a behavior: awake, Autonomous Life\n"), "{}", said.out);
    for off in ["disabled", "off"] {
        let said = to(&robot, "doctor", &["--wake", "--life", off]).code(0);
        assert!(said.out.contains("note     awake            no\n"), "{}", said.out);
    }
    let said = to(&robot, "doctor", &["--anyway"]).code(0);
    assert!(said.out.contains("would play a behavior all the same: awake, Autonomous Life\n"), "{}", said.out);
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
fn what_a_robot_needs_to_be_useful_again_is_told() {
    let robot = Robot::ready();
    for joint in ["HeadYaw", "HeadPitch", "LKneePitch"] {
        robot.remembers(&format!("Device/SubDeviceList/{joint}/Temperature/Sensor/Value"), 40.0);
    }
    robot.remembers("Device/SubDeviceList/LKneePitch/Temperature/Sensor/Status", 3);
    robot.offer("ALDiagnosis", &["getPassiveDiagnosis::()->m"]);
    let parts = Value::list(["Sonar", "Eye\u{1b}[2J"].map(Value::from));
    robot.says("ALDiagnosis.getPassiveDiagnosis", Value::list([Value::from(0), parts]));
    // The exit code says whether it is ready, as before.
    let said = to(&robot, "doctor", &[]).code(0);
    assert!(said.out.contains("\nbroken   motors           too hot: LKneePitch 40 °C\n"), "{}", said.out);
    assert!(said.out.contains("help: let the robot rest"), "{}", said.out);
    assert!(
        said.out.contains("look     parts            the robot reports as defective: Eye\\u{1b}[2J, Sonar"),
        "{}",
        said.out
    );
    assert!(said.out.ends_with(": 1 broken (motors), 1 to look at (parts)\n"), "{}", said.out);
    let json: Json = serde_json::from_str(&to(&robot, "doctor", &["--json"]).code(0).out).unwrap();
    assert_eq!(json["verdict"], "fine");
    assert_eq!((&json["health"][1]["about"], &json["health"][1]["severity"]), (&"motors".into(), &"broken".into()));
    assert_eq!(robot.commands(), [""; 0]);
}

#[cfg(unix)]
#[test]
fn the_disk_and_the_clock_are_asked_over_ssh() {
    let robot = Robot::ready();
    let folder = tempfile::tempdir().unwrap();
    let ssh = common::fake_ssh(folder.path());
    let address = robot.address();
    let doctor = |more: &[(&str, &str)]| {
        let mut command = boxstep(&["doctor", "--robot", &address, "--ssh", "nao@robot", "--ssh-program"]);
        command.arg(&ssh).env("ROBOT_DISK", folder.path()).envs(more.iter().copied()).env_remove("BOXSTEP_PASSWORD");
        Said::from(command.output().unwrap()).code(0).out
    };
    let out = doctor(&[("ROBOT_SPACE", "1000000 15000"), ("ROBOT_AHEAD", "-90000")]);
    assert!(out.contains("broken   disk             98 % full, 61 MB free"), "{out}");
    assert!(out.contains("look     clock            1 day behind"), "{out}");
    // A server that does not know the question is no error.
    let out = doctor(&[]);
    assert!(out.contains("unknown  disk             not known: the robot does not tell it"), "{out}");
    assert!(out.contains("good     clock            right"), "{out}");
    let out = doctor(&[("ROBOT_PASSWORD", "secret")]);
    assert!(out.contains("unknown  clock            not known: nao@robot: Permission denied"), "{out}");
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
    assert_eq!(units.len(), 8);
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
