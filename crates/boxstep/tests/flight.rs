//! The flight recorder of runs on robots: kept whatever ends the run, read by `boxstep why`, and never in the way.

#![cfg(unix)]
use crate::common;
use crate::common::{Said, Temp, boxstep};
use boxstep_robot::naoqi::testing::StandIn;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// A run whose recordings are in a folder of its own.
struct Playing {
    child: Child,
    reader: BufReader<ChildStdout>,
    out: String,
}

impl Playing {
    fn start(state: &Path, args: &[&str]) -> Self {
        let mut command = boxstep(&["play"]);
        command.args(args).env("XDG_STATE_HOME", state).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let reader = BufReader::new(child.stdout.take().unwrap());
        Self { child, reader, out: String::new() }
    }

    fn until(&mut self, text: &str) {
        while !self.out.contains(text) {
            assert_ne!(self.reader.read_line(&mut self.out).unwrap(), 0, "it never said {text:?}:\n{}", self.out);
        }
    }

    fn signal(&self, name: &str) {
        assert!(Command::new("kill").arg(name).arg(self.child.id().to_string()).status().unwrap().success());
    }

    fn end(mut self) -> Said {
        self.reader.read_to_string(&mut self.out).unwrap();
        let mut said = Said::from(self.child.wait_with_output().unwrap());
        said.out = self.out;
        said
    }
}

fn why(state: &Path, args: &[&str]) -> String {
    let output = boxstep(&["why"]).args(args).env("XDG_STATE_HOME", state).output().unwrap();
    Said::from(output).code(0).out
}

/// The recordings of a folder's only robot.
fn recordings(state: &Path) -> Vec<PathBuf> {
    let robots = state.join("boxstep/flight");
    let Ok(entries) = fs::read_dir(robots) else { return Vec::new() };
    let robot = entries.map(|entry| entry.unwrap().path()).next().unwrap();
    let mut runs: Vec<PathBuf> = fs::read_dir(robot).unwrap().map(|entry| entry.unwrap().path()).collect();
    runs.sort();
    runs
}

/// Waits until the only recording has this in it.
fn until_recorded(state: &Path, wanted: &str) {
    let until = Instant::now() + Duration::from_secs(30);
    loop {
        let text =
            recordings(state).first().map(|run| fs::read_to_string(run.join("000001.jsonl")).unwrap_or_default());
        if text.as_ref().is_some_and(|text| text.contains(wanted)) {
            return;
        }
        assert!(Instant::now() < until, "{wanted} was never recorded:\n{text:?}");
        std::thread::yield_now();
    }
}

#[test]
fn what_the_robot_tells_is_recorded_and_why_reads_the_last_run() {
    let (stand_in, state) = (StandIn::start().unwrap(), Temp::new("state"));
    let robot = stand_in.address().to_string();
    let mut playing = Playing::start(&state.0, &["examples/touch", "--scripts", "off", "--robot", &robot, "-v"]);
    // It listens to one after the other.
    assert!(
        stand_in.until(|asked| asked.iter().any(|(_, args)| args.iter().any(|a| a.as_str() == Some("Boxstep/Stop"))))
    );
    assert!(stand_in.until(|asked| {
        let of = |key| asked.iter().any(|(_, args)| args.iter().any(|a| a.as_str() == Some(key)));
        of("HotDeviceDetected") && of("robotIsWakeUp")
    }));
    stand_in.raise("BatteryChargeChanged", 7);
    stand_in.raise("robotHasFallen", true);
    playing.until("memory robotHasFallen is true");
    playing.until("memory BatteryChargeChanged is 7");
    playing.signal("-INT");
    playing.end().code(130);
    let said = why(&state.0, &[]);
    let lines: Vec<&str> = said.lines().collect();
    assert!(lines[0].starts_with("touch was interrupted at "), "{said}");
    assert!(said.contains(" s before, the robot fell (robotHasFallen)\n"), "{said}");
    assert!(said.contains(" s before, the battery was at 7 % (BatteryChargeChanged)\n"), "{said}");
    // The folder may be named as well, and each recording.
    let runs = recordings(&state.0);
    assert_eq!(runs.len(), 1);
    assert_eq!(why(&state.0, &[runs[0].to_str().unwrap()]), said);
    assert_eq!(why(&state.0, &[state.0.join("boxstep/flight").to_str().unwrap()]), said);
}

#[test]
fn a_robot_that_is_lost_is_told_as_the_reason() {
    let (stand_in, state) = (StandIn::start().unwrap(), Temp::new("state"));
    let robot = stand_in.address().to_string();
    let mut playing = Playing::start(&state.0, &["examples/touch", "--scripts", "off", "--robot", &robot]);
    playing.until("behavior touch started");
    stand_in.close();
    playing.end().code(4);
    let said = why(&state.0, &[]);
    let begin = said.lines().next().unwrap();
    assert!(begin.starts_with("touch was stopped at ") && begin.contains(&format!("{robot} is lost: ")), "{said}");
    assert!(said.contains("s before, the link to the robot went down (Boxstep/Link)"), "{said}");
}

/// A simulated robot of another process.
struct Simulated(Child, String);

impl Simulated {
    fn start() -> Self {
        let mut command = boxstep(&["robot", "--listen", "127.0.0.1:0", "--type"]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut first = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut first).unwrap();
        let address = first.split("tcp://").nth(1).unwrap().trim().to_owned();
        Self(child, address)
    }

    fn types(&mut self, line: &str) {
        writeln!(self.0.stdin.as_mut().unwrap(), "{line}").unwrap();
    }
}

impl Drop for Simulated {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_process_that_is_killed_leaves_a_recording_that_is_whole() {
    let (mut robot, state) = (Simulated::start(), Temp::new("state"));
    let address = robot.1.clone();
    let mut playing =
        Playing::start(&state.0, &["examples/touch", "--scripts", "off", "--robot", &address, "--anyway"]);
    playing.until("behavior touch started");
    until_recorded(&state.0, "\"kind\":\"joints\",\"angles\":{\"HeadYaw\":");
    robot.types("battery 4");
    until_recorded(&state.0, "\"key\":\"BatteryChargeChanged\",\"value\":4}\n");
    playing.child.kill().unwrap();
    let _ = playing.child.wait();
    let said = why(&state.0, &[]);
    assert!(said.starts_with("touch has no end in this recording, which breaks off at "), "{said}");
    assert!(said.contains("the battery was at 4 % (BatteryChargeChanged)"), "{said}");
    // Its joints are in the recording, and nobody was told of them.
    assert!(!playing.out.contains("HeadYaw"), "{}", playing.out);
}

#[test]
fn a_run_on_a_robot_is_played_again_with_what_the_robot_told() {
    let (mut robot, state) = (Simulated::start(), Temp::new("state"));
    let address = robot.1.clone();
    let mut playing =
        Playing::start(&state.0, &["examples/touch", "--scripts", "off", "--robot", &address, "--anyway"]);
    playing.until("behavior touch started");
    robot.types("touch FrontTactilTouched");
    until_recorded(&state.0, "\"kind\":\"event\",\"dir\":\"in\",\"key\":\"FrontTactilTouched\",\"value\":0");
    playing.signal("-INT");
    playing.end().code(130);
    let run = recordings(&state.0).pop().unwrap();
    let said = common::say(&["replay", run.to_str().unwrap(), "examples/touch"]).code(0);
    assert!(
        said.out.contains("they were made with other options: clock, ") && said.out.contains("options.robot"),
        "{}",
        said.out
    );
    assert!(said.out.contains("\nthe same: "), "{}", said.out);
    // The same without what the robot told is another run.
    let text = fs::read_to_string(run.join("000001.jsonl")).unwrap();
    let deaf: String =
        text.lines().filter(|line| !line.contains("\"kind\":\"event\"")).map(|line| format!("{line}\n")).collect();
    let other = Temp::new("jsonl");
    fs::write(&other.0, deaf).unwrap();
    let said = common::say(&["replay", other.arg(), "examples/touch"]).code(1);
    assert!(said.out.contains("they differ at ") && said.out.contains("FrontTactilTouched"), "{}", said.out);
}

#[test]
fn each_run_has_a_recording_and_off_has_none() {
    let (robot, state) = (Simulated::start(), Temp::new("state"));
    let play = ["examples/timeline-layers", "--scripts", "off", "--robot", &robot.1, "--anyway", "--quiet"];
    Playing::start(&state.0, &[&play[..], &["--flight-recorder", "off"]].concat()).end().code(0);
    assert!(recordings(&state.0).is_empty());
    let none = boxstep(&["why"]).env("XDG_STATE_HOME", &state.0).output().unwrap();
    assert!(Said::from(none).code(2).err.contains("no run on a robot has been recorded in "));
    Playing::start(&state.0, &play).end().code(0);
    Playing::start(&state.0, &play).end().code(0);
    assert_eq!(recordings(&state.0).len(), 2);
    assert!(why(&state.0, &[]).starts_with("timeline-layers ended by itself at "));
}

#[test]
fn a_folder_that_cannot_be_written_is_a_warning_and_the_behavior_plays() {
    let (robot, state) = (Simulated::start(), Temp::new("state"));
    fs::write(&state.0, "a file").unwrap();
    let play = ["examples/timeline-layers", "--scripts", "off", "--robot", &robot.1, "--anyway"];
    let said = Playing::start(&state.0, &[&play[..], &["--flight-recorder", state.arg()]].concat()).end().code(0);
    assert!(
        said.err.contains("warning: there is no flight recorder: ") && said.err.contains(state.arg()),
        "{}",
        said.err
    );
    assert!(said.out.contains("behavior timeline-layers unloaded"), "{}", said.out);
}

#[test]
fn a_disk_that_is_full_is_a_warning_and_the_behavior_plays() {
    let (robot, state) = (Simulated::start(), Temp::new("state"));
    // No file may be larger than a few blocks, and whoever writes more is told so and not killed.
    let program = env!("CARGO_BIN_EXE_boxstep");
    let order = format!(
        "trap '' XFSZ; ulimit -f 4; exec {program} play examples/hello --scripts off --robot {} --anyway -q --for 2",
        robot.1
    );
    let output =
        Command::new("sh").args(["-c", &order]).env("XDG_STATE_HOME", &state.0).current_dir(common::root()).output();
    let said = Said::from(output.unwrap()).code(0);
    assert!(said.err.contains("warning: the flight recording is not complete: "), "{}", said.err);
    // What there is of it can be read.
    assert!(why(&state.0, &[]).starts_with("hello has no end in this recording"), "{}", why(&state.0, &[]));
}
