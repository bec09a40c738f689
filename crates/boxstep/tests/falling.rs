//! A simulated robot that can fall, as a user plays it.

use crate::common::{self, has_python, in_order, say, xar};
use std::fs;
use std::path::{Path, PathBuf};

/// A program that stands until it has fallen, and then gets up.
const PROGRAM: &str = r#"
import time
from naoqi import ALProxy
memory = ALProxy("ALMemory", "127.0.0.1", 9559)
while not memory.getData("robotHasFallen"):
    time.sleep(0.1)
print("fallen, front bumper %s" % memory.getData("Device/SubDeviceList/LFoot/Bumper/Left/Sensor/Value"))
ALProxy("ALMotion", "127.0.0.1", 9559).wakeUp()
print("up %s" % memory.getData("robotHasFallen"))
"#;

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("falling").join(name);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn program(name: &str) -> PathBuf {
    let file = folder(name).join("program.py");
    fs::write(&file, PROGRAM).unwrap();
    file
}

fn play(file: &Path, more: &[&str]) -> common::Said {
    let push = "Boxstep/Push=[4, 0, 0]@1";
    let mut args = vec!["run", file.to_str().unwrap(), "--physics", "--event", push];
    args.extend(more);
    say(&args)
}

#[test]
fn a_program_notices_the_fall_and_gets_up_on_both_clocks_and_hosts() {
    if !has_python() {
        return;
    }
    let file = program("both");
    let wanted = [
        "push: Torso, 4.00 N·s",
        "fall: falls forward",
        "fall: lies on its front",
        "fallen, front bumper 1.0",
        "stands on its feet",
        "up False",
    ];
    for scripts in ["native", "process"] {
        for clock in [&["--virtual-time"][..], &[]] {
            let mut more = vec!["--scripts", scripts];
            more.extend(clock);
            in_order(&play(&file, &more).code(0).out, &wanted);
        }
    }
}

#[test]
fn a_fall_is_the_same_every_time_and_its_recording_is_replayed() {
    if !has_python() {
        return;
    }
    let file = program("again");
    let traces = ["one", "two"].map(|name| file.with_file_name(name).with_extension("jsonl"));
    for trace in &traces {
        play(&file, &["--virtual-time", "--joints", "20", "--trace", trace.to_str().unwrap()]).code(0);
    }
    let [one, two] = traces.each_ref().map(|trace| fs::read_to_string(trace).unwrap());
    assert_eq!(one, two);
    assert!(one.lines().next().unwrap().contains("\"physics\":true"));
    say(&["replay", traces[0].to_str().unwrap()]).code(0);
}

#[test]
fn a_test_file_has_a_robot_that_can_fall() {
    let file = folder("test").join("still.test.toml");
    fs::write(file.with_file_name("still.xar"), xar::behavior(&xar::ports(), &xar::flow(""))).unwrap();
    let expect = |physics: bool| {
        format!(
            "[[test]]\nname = \"falls\"\n[test.given]\nphysics = {physics}\nfor = 6\n\
             events = [{{ name = \"Boxstep/Push\", value = [-4.0, 0.0, 0.0], at = 1 }}]\n\
             [test.expect]\nmemory = [{{ key = \"robotHasFallen\", value = {physics}, at = 5 }}]\n"
        )
    };
    for physics in [true, false] {
        fs::write(&file, expect(physics)).unwrap();
        say(&["test", file.to_str().unwrap()]).code(0);
    }
}

#[test]
fn a_body_that_cannot_fall_is_refused() {
    let body = folder("body").join("arm.toml");
    fs::write(&body, "name = \"arm\"\n[[joints]]\nname = \"Elbow\"\nmin = 0.0\nmax = 1.0\nspeed = 1.0\n").unwrap();
    let said = say(&["play", "examples/hello", "--physics", "--body", body.to_str().unwrap()]).code(2);
    assert!(said.err.contains("the masses of arm, or what it stands on, are not known"), "{}", said.err);
}
