//! Shows that processes play, which reach each other on this computer.

use crate::common::{Said, Temp, boxstep, in_order, root};
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A fleet of processes on this computer.
struct Processes {
    code: String,
    place: Temp,
}

/// A process that joined, and what it prints.
struct Joined {
    child: Child,
    out: BufReader<std::process::ChildStdout>,
}

impl Joined {
    /// Reads until a line has these words.
    fn wait_for(&mut self, words: &str) {
        let mut line = String::new();
        while !line.contains(words) {
            line.clear();
            assert_ne!(self.out.read_line(&mut line).unwrap(), 0, "it never said {words}");
        }
    }

    fn kill(&mut self, signal: &str) {
        assert!(Command::new("kill").arg(signal).arg(self.child.id().to_string()).status().unwrap().success());
    }
}

impl Drop for Joined {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Processes {
    fn new() -> Self {
        let place = Temp::new("fleet");
        fs::create_dir_all(&place.0).unwrap();
        let made = boxstep(&["fleet", "code", "--new"])
            .env("XDG_CONFIG_HOME", &place.0)
            .env_remove("BOXSTEP_FLEET_CODE")
            .output();
        let made = Said::from(made.unwrap()).code(0);
        Self { code: made.out.lines().next().unwrap().to_owned(), place }
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = boxstep(args);
        command.env("BOXSTEP_FLEET_CODE", &self.code).env("XDG_STATE_HOME", &self.place.0);
        command
    }

    fn join(&self, name: &str) -> Joined {
        let mut command = self.command(&["fleet", "join", name, "--no-scripts"]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn().unwrap();
        let mut joined = Joined { out: BufReader::new(child.stdout.take().unwrap()), child };
        joined.wait_for("takes part");
        joined
    }

    /// A show in which each robot waves, many times.
    fn show(&self, robots: &[&str], scenes: usize, lost: &str) -> String {
        let wave = root().join("examples/chorus/wave.xar");
        let names = robots.join(": , ");
        let scene = format!("  - {{ name: Wave, play: {{ all: {} }}, at_most: 20 }}\n", wave.display());
        let text = format!(
            "show: Waves\nrobots: {{ {names}: }}\ngroups: {{ all: [{}] }}\nlost: {lost}\nscenes:\n{}",
            robots.join(", "),
            scene.repeat(scenes)
        );
        let file = self.place.0.join(format!("{lost}.yaml"));
        fs::write(&file, text).unwrap();
        file.to_str().unwrap().to_owned()
    }
}

#[test]
fn processes_play_a_show_that_only_who_has_the_code_can_play() {
    let fleet = Processes::new();
    let mut robots = ["one", "two", "three"].map(|name| fleet.join(name));
    let show = fleet.show(&["one", "two", "three"], 1, "go-on");
    let played = Said::from(fleet.command(&["fleet", "play", &show]).output().unwrap()).code(0);
    in_order(&played.out, &["is armed", "“Wave” is announced", "the show is over"]);
    robots.iter_mut().for_each(|robot| robot.wait_for("is free"));
    // A stranger sees no robot, and cannot play; nor can somebody without any code.
    let other = Processes::new();
    let seen = Said::from(other.command(&["fleet", "ls", "--json"]).output().unwrap()).code(0);
    assert_eq!(seen.out.trim(), "[]");
    let called_off = Said::from(other.command(&["fleet", "play", &show, "--within", "2"]).output().unwrap()).code(4);
    assert!(called_off.err.contains("no member of this name is there"), "{}", called_off.err);
    let mut nobody = boxstep(&["fleet", "ls"]);
    nobody.env_remove("BOXSTEP_FLEET_CODE").env("XDG_CONFIG_HOME", fleet.place.0.join("nowhere"));
    assert!(Said::from(nobody.output().unwrap()).code(2).err.contains("code"));
    // Its own people see all of them.
    let seen = Said::from(fleet.command(&["fleet", "ls"]).output().unwrap()).code(0);
    in_order(&seen.out, &["one: is free", "three: is free", "two: is free"]);
}

#[test]
#[cfg(target_os = "linux")]
fn a_show_goes_on_if_its_account_cannot_be_printed() {
    let fleet = Processes::new();
    let mut one = fleet.join("one");
    let show = fleet.show(&["one"], 1, "go-on");
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    Said::from(fleet.command(&["fleet", "play", &show]).stdout(full).output().unwrap()).code(0);
    one.wait_for("plays");
    one.wait_for("is free");
}

#[test]
fn a_robot_whose_process_is_killed_is_missed_and_a_stop_reaches_the_others() {
    let fleet = Processes::new();
    let (mut one, mut two) = (fleet.join("one"), fleet.join("two"));
    let show = fleet.show(&["one", "two"], 40, "go-on");
    let mut leader = fleet.command(&["fleet", "play", &show]);
    let mut child = leader.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut leader = Joined { out: BufReader::new(child.stdout.take().unwrap()), child };
    leader.wait_for("two: plays");
    two.kill("-KILL");
    leader.wait_for("two: is lost");
    // The other one goes on.
    leader.wait_for("one: plays");
    drop(two);
    let mut again = fleet.join("two");
    leader.wait_for("two: is back");
    leader.wait_for("two: plays");
    Said::from(fleet.command(&["fleet", "stop"]).output().unwrap()).code(0);
    one.wait_for("was stopped by boxstep fleet stop");
    again.wait_for("was stopped by boxstep fleet stop");
    let mut out = String::new();
    leader.out.read_to_string(&mut out).unwrap();
    assert!(out.contains("everything was stopped by boxstep fleet stop"), "{out}");
    assert_eq!(leader.child.wait().unwrap().code(), Some(4));
}

#[test]
fn ctrl_c_at_a_robot_stops_this_robot_and_the_show_says_so() {
    let fleet = Processes::new();
    let (mut one, two) = (fleet.join("one"), fleet.join("two"));
    let show = fleet.show(&["one", "two"], 40, "stop");
    let mut leader = fleet.command(&["fleet", "play", &show]);
    let mut child = leader.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut leader = Joined { out: BufReader::new(child.stdout.take().unwrap()), child };
    leader.wait_for("one: plays");
    one.kill("-INT");
    assert_eq!(one.child.wait().unwrap().code(), Some(130));
    let mut out = String::new();
    leader.out.read_to_string(&mut out).unwrap();
    assert!(out.contains("everything was stopped by the show, because one was lost"), "{out}");
    assert_eq!(leader.child.wait().unwrap().code(), Some(4));
    drop(two);
    assert!(Path::new(&show).exists());
}

#[test]
#[cfg(unix)]
fn ctrl_c_at_the_leader_waits_for_a_robot_that_is_silent_and_names_it() {
    let fleet = Processes::new();
    let (one, mut two) = (fleet.join("one"), fleet.join("two"));
    let show = fleet.show(&["one", "two"], 40, "go-on");
    let record = fleet.place.0.join("record");
    let mut leader = fleet.command(&["fleet", "play", &show, "--record", record.to_str().unwrap()]);
    let mut child = leader.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut said = BufReader::new(child.stderr.take().unwrap());
    let mut leader = Joined { out: BufReader::new(child.stdout.take().unwrap()), child };
    leader.wait_for("two: plays");
    two.kill("-STOP");
    leader.wait_for("two: is lost");
    leader.kill("-INT");
    let mut line = String::new();
    said.read_line(&mut line).unwrap();
    assert!(line.starts_with("not confirmed yet by two"), "{line}");
    two.kill("-CONT");
    two.wait_for("was stopped by a person at the leader's computer");
    assert_eq!(leader.child.wait().unwrap().code(), Some(130));
    // The trace of the robot that was stopped at once is there, and the account.
    let whole = [
        ("one.jsonl", r#""what":"interrupt""#),
        ("account.jsonl", r#"{"stopped":"#),
        ("show.jsonl", r#""robot":"one""#),
    ];
    for (file, words) in whole {
        let text = fs::read_to_string(record.join(file)).unwrap();
        assert!(text.contains(words), "{text}");
    }
    drop(one);
}

#[test]
#[cfg(unix)]
fn a_second_ctrl_c_at_the_leader_ends_the_wait_and_keeps_what_is_there() {
    let fleet = Processes::new();
    let (one, mut two) = (fleet.join("one"), fleet.join("two"));
    let (show, record) = (fleet.show(&["one", "two"], 40, "go-on"), fleet.place.0.join("record"));
    let mut leader = fleet.command(&["fleet", "play", &show, "--record", record.to_str().unwrap()]);
    let mut child = leader.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut said = BufReader::new(child.stderr.take().unwrap());
    let mut leader = Joined { out: BufReader::new(child.stdout.take().unwrap()), child };
    leader.wait_for("two: plays");
    two.kill("-STOP");
    leader.wait_for("two: is lost");
    leader.kill("-INT");
    let mut line = String::new();
    said.read_line(&mut line).unwrap();
    assert!(line.starts_with("not confirmed yet by two"), "{line}");
    leader.kill("-INT");
    let mut rest = String::new();
    said.read_to_string(&mut rest).unwrap();
    assert_eq!(leader.child.wait().unwrap().code(), Some(130));
    in_order(&rest, &["the stop was not confirmed by two: look after the robot", "two: its recording is missing"]);
    let text = fs::read_to_string(record.join("show.jsonl")).unwrap();
    assert!(text.contains(r#""robot":"one""#), "{text}");
    drop((one, two));
}

#[test]
#[cfg(unix)]
fn a_character_acts_on_another_process_and_goes_on_when_that_is_killed_or_stopped() {
    for (signal, gone, why) in [
        ("-KILL", "two: is lost", "two: it is not heard any more"),
        ("-INT", "two: was stopped by", "two: it was stopped by a person at the robot's computer"),
    ] {
        a_character_acts_on_another_process(signal, gone, why);
    }
}

fn a_character_acts_on_another_process(signal: &str, gone: &str, why: &str) {
    let fleet = Processes::new();
    let (one, mut two) = (fleet.join("one"), fleet.join("two"));
    let place = &fleet.place.0;
    fs::copy(root().join("examples/chorus/wave.xar"), place.join("wave.xar")).unwrap();
    let behaviors = "  main:\n    queue:\n      - { name: waves, play: wave.xar, on: two }\n      \
                     - { call: ALMemory.raiseEvent, args: [Waved, 1] }\n      \
                     - { name: again, repeat: { name: more, play: wave.xar, on: two } }\n      - { say: Good bye }\n";
    fs::write(place.join("host.yaml"), format!("character: Host\nbehaviors:\n{behaviors}")).unwrap();
    let rest = "scenes:\n  - { name: A, play: { one: host.yaml }, at_most: 60 }\n\
                cues:\n  - { from: one, event: Waved, to: two, raise: Seen }\n";
    fs::write(place.join("show.yaml"), format!("show: Host\nrobots: {{ one: , two: }}\n{rest}")).unwrap();
    let (show, record) = (place.join("show.yaml"), place.join("record"));
    let mut leader = fleet.command(&["fleet", "play", show.to_str().unwrap(), "--record", record.to_str().unwrap()]);
    let mut child = leader.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut leader = Joined { out: BufReader::new(child.stdout.take().unwrap()), child };
    // The other robot has waved.
    leader.wait_for("one: gives a signal to two");
    two.kill(signal);
    leader.wait_for(gone);
    leader.wait_for("one: has ended “A”");
    leader.wait_for("the show is over");
    assert_eq!(leader.child.wait().unwrap().code(), Some(0));
    let trace = fs::read_to_string(record.join("one.jsonl")).unwrap();
    in_order(&trace, &["main/waves", "Waved", why, "Good bye"]);
    drop((one, two));
}
