//! What a robot written in Python hears of stops.

use super::{HOSTS, at, play, scene, spoken, words};
use crate::common::{Said, boxstep, has_python, say};
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

/// A run in real time, once its script has said that it begins.
struct Playing {
    child: Child,
    reader: BufReader<ChildStdout>,
    out: String,
}

impl Playing {
    fn begun(folder: &Path, more: &[&str]) -> Self {
        let robot = folder.join("robot.py");
        let args = ["play", folder.to_str().unwrap(), "--robot", robot.to_str().unwrap()];
        let mut child =
            boxstep(&[&args[..], more].concat()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let (mut reader, mut out) = (BufReader::new(child.stdout.take().unwrap()), String::new());
        while !out.contains("begins") {
            assert_ne!(reader.read_line(&mut out).unwrap(), 0, "{out}");
        }
        Self { child, reader, out }
    }

    fn end(mut self) -> Said {
        self.reader.read_to_string(&mut self.out).unwrap();
        let said = Said::from(self.child.wait_with_output().unwrap());
        Said { out: self.out, ..said }
    }
}

#[test]
fn a_call_that_is_stopped_is_told_to_its_class() {
    if !has_python() {
        return;
    }
    let robot = "\
import time
class Arm:
    def move(self):
        self.on = True
        while self.on:
            time.sleep(0.1)
        print('rests')
    def cancel(self, method):
        print('cancel ' + method)
        self.on = False
";
    let body = "    def onInput_onStart(self):\n        arm = ALProxy('Arm')\n        task = arm.post.move()\n        \
                time.sleep(1)\n        arm.stop(task)\n        time.sleep(1)\n        self.onStopped()\n";
    assert_eq!(spoken("cancel", robot, body, 0), [at(1000, "cancel move"), at(1100, "rests")]);
}

const HALTS: &str = "\
import time
class Arm:
    def move(self):
        try:
            time.sleep(100)
        finally:
            print('left move')
    def halt(self, how):
        print('halt ' + how)
        time.sleep(0.25)
        print('rests')
class Led:
    def halt(self):
        print('dark')
class Plain:
    pass
";

#[test]
fn a_run_ends_when_its_robot_has_come_to_rest() {
    if !has_python() {
        return;
    }
    let body = "    def onInput_onStart(self):\n        time.sleep(1)\n        self.onStopped()\n";
    assert_eq!(spoken("rests", HALTS, body, 0), [at(1000, "halt end"), at(1000, "dark"), at(1250, "rests")]);
}

#[test]
fn a_halt_that_hangs_is_named_and_ended_by_force() {
    if !has_python() {
        return;
    }
    let robot = "import time\nclass Arm:\n    def halt(self, how):\n        print(how)\n        time.sleep(1000)\n";
    let folder = scene("hangs", robot, "    def onInput_onStart(self):\n        self.onStopped()\n");
    for host in HOSTS {
        let (trace, said) = play(&folder, host, 4, &["--stop-within", "3"]);
        assert_eq!(words(&trace), [at(0, "end"), at(3000, "now")], "{}", said.out);
        assert!(said.out.contains("still busy: robot: halt (since 0.000)"), "{}", said.out);
        assert!(said.out.contains("warning: Arm.halt: it was ended with the run"), "{}", said.out);
    }
}

#[test]
fn a_limit_halts_the_robot_and_ends_what_still_runs() {
    if !has_python() {
        return;
    }
    let folder = scene("limit", HALTS, "    def onInput_onStart(self):\n        ALProxy('Arm').move()\n");
    for host in HOSTS {
        let (trace, _) = play(&folder, host, 0, &["--for", "1"]);
        let expected = [at(1000, "halt end"), at(1000, "dark"), at(1250, "rests"), at(1250, "left move")];
        assert_eq!(words(&trace), expected);
    }
}

#[test]
fn a_served_run_offers_its_boxes_and_is_stopped_with_its_robot() {
    if !has_python() {
        return;
    }
    let body = "    def onInput_onStart(self):\n        self.log('begins')\n        ALProxy('Arm').move()\n";
    let folder = scene("served", HALTS, body);
    let playing = Playing::begun(&folder, &["--serve=127.0.0.1:0"]);
    let address = playing.out.split("served at tcp://").nth(1).unwrap().lines().next().unwrap().to_owned();
    let offered = say(&["qi", "info", "--robot", &address]).code(0).out;
    assert!(offered.contains("ALBehaviorManager") && !offered.contains("Arm "), "{offered}");
    say(&["stop", "--robot", &address]).code(0);
    let said = playing.end().code(0);
    assert!(said.out.contains("prints halt end"), "{}", said.out);
}

#[test]
fn an_interrupt_halts_the_robot_in_real_time() {
    if !has_python() {
        return;
    }
    let body = "    def onInput_onStart(self):\n        self.log('begins')\n        ALProxy('Arm').move()\n    \
                def onUnload(self):\n        self.log('unloads')\n";
    let folder = scene("interrupt", HALTS, body);
    for host in HOSTS {
        let playing = Playing::begun(&folder, &["--scripts", host]);
        assert!(Command::new("kill").arg("-INT").arg(playing.child.id().to_string()).status().unwrap().success());
        let said = playing.end().code(130);
        // Both have begun when the method that runs on is ended; which of them speaks first is for their threads.
        let left = said.out.find("left move");
        for begun in ["halt stop", "unloads"] {
            assert!(said.out.find(begun) < left && said.out.contains(begun), "{}", said.out);
        }
        assert_eq!(said.out.matches("halt ").count(), 1, "{}", said.out);
        assert!(said.out.contains("prints rests"), "{}", said.out);
    }
}

#[test]
fn a_robot_that_takes_scripts_with_it_fails_the_behavior() {
    if !has_python() {
        return;
    }
    let robot = "import os\nclass Arm:\n    def crash(self):\n        os._exit(3)\n    def halt(self):\n        pass\n";
    let folder = scene("dies", robot, "    def onInput_onStart(self):\n        ALProxy('Arm').crash()\n");
    let (_, said) = play(&folder, "process", 4, &[]);
    let why = "ProcessEnded: the process for scripts ended with exit code 3 while Arm.crash ran";
    assert!(said.out.contains(why), "{}", said.out);
    assert!(said.out.contains("warning: Arm.halt: "), "{}", said.out);
}
