//! Playing in virtual time on a robot of another process that goes by this clock: the trace is that of a robot in this process, to the byte.

#![cfg(unix)]
use crate::common;
use crate::common::{Said, Temp, boxstep, fixture, has_python, say};
use boxstep_robot::naoqi::testing::StandIn;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, ChildStdout, Stdio};

/// A robot on its client's clock, whose process is gone when this is dropped.
struct Robot {
    child: Child,
    address: String,
    /// A robot whose output nobody reads any more ends.
    _output: BufReader<ChildStdout>,
}

impl Robot {
    fn start() -> Self {
        let mut child =
            boxstep(&["robot", "--clock", "client", "--listen", "127.0.0.1:0"]).stdout(Stdio::piped()).spawn().unwrap();
        let mut first = String::new();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        output.read_line(&mut first).unwrap();
        let address = first.split("tcp://").nth(1).unwrap().trim().to_owned();
        Self { child, address, _output: output }
    }

    fn end(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Robot {
    fn drop(&mut self) {
        self.end();
    }
}

/// The trace of a play in virtual time, what it said, and how it ended.
fn trace(file: &str, more: &[&str]) -> (String, Said) {
    let to = Temp::new("jsonl");
    let args = ["play", file, "--virtual-time", "--for", "60", "--trace", to.arg()];
    let said = say(&[&args[..], more].concat());
    (std::fs::read_to_string(&to.0).unwrap_or_default(), said)
}

#[test]
fn the_trace_is_that_of_a_robot_in_this_process() {
    if !has_python() {
        return;
    }
    let robot = Robot::start();
    let fixtures = ["legs.xar", "raises.xar", "unsupported.xar", "told.xar", "robot_calls.xar", "robot_dialog"];
    let touches = ["--event", "FrontTactilTouched=1.0@4", "--event", "FrontTactilTouched=0.0@4.2", "--joints", "5"];
    let examples =
        ["hello", "loop-counter", "nested-parameters", "python2", "say-and-wait", "timeline-layers", "touch"];
    let examples = examples.iter().map(|name| (format!("examples/{name}"), &touches[..]));
    let fixtures = fixtures.iter().map(|name| (fixture(name), &["--seed", "7"][..]));
    for (file, more) in examples.chain(fixtures) {
        let (here, said_here) = trace(&file, more);
        let (there, said_there) = trace(&file, &[more, &["--robot", &robot.address]].concat());
        assert!(here.lines().count() > 2, "{file}: {}", said_here.err);
        if let Some(difference) = boxstep_record::diff(&here, &there) {
            panic!("{file}: - here, + at the robot: {difference}\n{}", said_there.err);
        }
        assert_eq!(here, there, "{file}");
        assert_eq!(said_here.code, said_there.code, "{file}");
    }
}

#[test]
fn a_play_tells_which_robot_it_is() {
    let robot = Robot::start();
    let (_, said) = trace("examples/timeline-layers", &["--scripts", "off", "--robot", &robot.address]);
    let said = said.code(0);
    assert!(said.out.contains(&format!("robot: {}; virtual time", robot.address)), "{}", said.out);
}

#[test]
fn robots_that_move_in_real_time_are_refused_with_a_hint() {
    let stand_in = StandIn::start().unwrap();
    let address = stand_in.address().to_string();
    let said = say(&["play", "examples/hello", "--scripts", "off", "--virtual-time", "--robot", &address]).code(2);
    assert!(said.err.contains("BS0301") && said.err.contains(&format!("{address} moves in real time")), "{}", said.err);
    assert!(said.err.contains("boxstep robot --clock client"), "{}", said.err);
    assert!(stand_in.names().iter().all(|name| !name.starts_with("ALMotion")), "{:?}", stand_in.names());
    stand_in.close();
    let gone = say(&["play", "examples/hello", "--scripts", "off", "--virtual-time", "--robot", &address]).code(4);
    assert!(gone.err.contains("nothing listens at") && gone.err.contains("--clock client"), "{}", gone.err);
}

#[test]
fn a_body_of_ones_own_is_refused() {
    let robot = Robot::start();
    let (_, said) = trace("examples/small-arm", &["--scripts", "off", "--robot", &robot.address]);
    assert!(said.code(2).err.contains("a body of one's own"));
}

#[test]
fn a_robot_whose_process_ends_is_told_and_the_play_has_failed() {
    let robot = std::sync::Mutex::new(Robot::start());
    let address = robot.lock().unwrap().address.clone();
    // In virtual time it would be over before anybody could look: it is ended when its first word is out, and speaks for hours.
    let file = Temp::new("xar");
    let text = std::fs::read_to_string(common::root().join("examples/touch/behavior.xar")).unwrap();
    std::fs::write(&file.0, text).unwrap();
    let events: Vec<String> = (0..4000).map(|i| format!("FrontTactilTouched={}@{}", i % 2, 4 + i)).collect();
    let mut args = vec!["play", file.arg(), "--virtual-time", "--scripts", "off", "--verbose", "--robot", &address];
    for event in &events {
        args.extend(["--event", event]);
    }
    let mut playing = boxstep(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut out = BufReader::new(playing.stdout.take().unwrap());
    let mut said = String::new();
    // Nobody reads on until the robot is gone, so that the play cannot have ended: a run in virtual time waits for its reader.
    while !said.contains("started") {
        assert_ne!(out.read_line(&mut said).unwrap(), 0, "{said}");
    }
    robot.lock().unwrap().end();
    std::io::Read::read_to_string(&mut out, &mut said).unwrap();
    let ended: Said = playing.wait_with_output().unwrap().into();
    assert_eq!(ended.code, Some(4), "{}\n{}", ended.err, said.lines().rev().take(20).collect::<Vec<_>>().join("\n"));
    assert!(said.contains("the robot is gone:"), "{said}");
}
