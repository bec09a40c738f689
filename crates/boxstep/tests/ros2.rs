//! `convert run.jsonl run.mcap`, with and without `--ros2`.

use crate::common::{Temp, has_python, root, say, xar};
use boxstep_ros2::cdr;
use boxstep_ros2::messages::sensor_msgs::JointState;
use boxstep_ros2::messages::tf2_msgs::TfMessage;
use boxstep_trace::{Kind, Recording};
use std::fs;

/// Returns the recording of a play with joint angles in its trace.
fn played(args: &[&str]) -> (Temp, Recording) {
    let trace = Temp::new("jsonl");
    let more = ["--virtual-time", "--quiet", "--joints", "50", "--trace", trace.arg()];
    say(&[&["play"], args, &more].concat()).code(0);
    let recording = Recording::read(fs::read(&trace.0).unwrap().as_slice()).unwrap();
    (trace, recording)
}

/// Returns the messages of a topic, each with its time since 1970 in nanoseconds.
fn messages<T: serde::de::DeserializeOwned>(file: &Temp, topic: &str) -> Vec<(u64, T)> {
    let bytes = fs::read(&file.0).unwrap();
    let all = mcap::MessageStream::new(&bytes).unwrap().map(|message| message.unwrap());
    let of_topic = all.filter(|message| message.channel.topic == topic);
    of_topic.map(|message| (message.log_time, cdr::decode(&message.data).unwrap())).collect()
}

fn example(name: &str) -> String {
    root().join("examples").join(name).to_str().unwrap().to_owned()
}

/// The trace has angles because they were asked for; the conversion does not look at them, but does the run's calls again.
#[test]
fn a_run_that_is_done_again_has_the_angles_of_the_run() {
    if !has_python() {
        return;
    }
    let arm = example("small-arm/arm.toml");
    let runs: [(&[&str], &[&str]); 4] = [
        (&[&example("hello")], &[]),
        (&[&example("hello"), "--body", "pepper"], &[]),
        (&[&example("companion"), "--for", "14", "--event", "FrontTactilTouched=1@2"], &[]),
        (&[&example("small-arm")], &["--body", &arm]),
    ];
    for (play, convert) in runs {
        let (trace, run) = played(play);
        let bag = Temp::new("mcap");
        say(&[&["convert", trace.arg(), bag.arg(), "--ros2", "--force"], convert].concat()).code(0);
        let states = messages::<JointState>(&bag, "/joint_states");
        let epoch = run.header.as_ref().unwrap().epoch * 1_000_000_000;
        let mut compared = 0;
        for event in &run.events {
            let Kind::Joints { angles, .. } = &event.kind else { continue };
            let at = (epoch + event.t.0) as u64;
            let (_, state) = states.iter().find(|(time, _)| *time == at).unwrap_or_else(|| panic!("{play:?}: {at}"));
            for (joint, angle) in angles.iter() {
                let index = state.name.iter().position(|name| **name == **joint).unwrap();
                let found = state.position[index];
                assert!((found - angle).abs() < 1e-9, "{play:?}: {joint} at {} s: {found}, {angle}", event.t);
                compared += 1;
            }
        }
        assert!(compared > 100, "{play:?}");
        assert_eq!(messages::<TfMessage>(&bag, "/tf").len(), states.len());
    }
}

#[test]
fn a_robot_that_walks_goes_through_the_world() {
    if !has_python() {
        return;
    }
    let (trace, _) = played(&[&example("programs/square.py")]);
    let bag = Temp::new("mcap");
    say(&["convert", trace.arg(), bag.arg(), "--ros2", "--force"]).code(0);
    let frames = messages::<TfMessage>(&bag, "/tf");
    let forward = frames.iter().map(|(_, frames)| frames.transforms[0].transform.translation.x).fold(0.0, f64::max);
    assert_eq!(frames[0].1.transforms[0].child_frame_id, "base_link");
    assert!(forward > 0.1, "{forward} m");
}

/// The call that walks is cancelled with its box, so that the trace has no call that ends the walk.
#[test]
fn a_walk_that_is_cut_short_ends_where_it_did() {
    if !has_python() {
        return;
    }
    let script =
        |line: &str| format!("class MyClass(GeneratedClass):\n    def onInput_onStart(self):\n        {line}\n");
    let walks = script("ALProxy('ALMotion').moveTo(1.0, 0.0, 0.0)");
    let ends = script("import time; time.sleep(2); self.onStopped()");
    let boxes = [xar::a_box(1, "Walk", &walks, &xar::ports(), ""), xar::a_box(2, "Wait", &ends, &xar::ports(), "")];
    let links = [xar::link((0, 2), (1, 2)), xar::link((0, 2), (2, 2)), xar::link((2, 4), (0, 4))];
    let inside = xar::flow(&(boxes.concat() + &links.concat()));
    let folder = xar::written("ros2", "cut-short", &xar::behavior(&xar::ports(), &inside));
    let (trace, run) = played(&[folder.to_str().unwrap()]);
    let stopped = run.events.iter().rev().find_map(|event| match &event.kind {
        Kind::Act(act) => act.data.get("at")?.as_list()?.first()?.as_f64(),
        _ => None,
    });
    let bag = Temp::new("mcap");
    say(&["convert", trace.arg(), bag.arg(), "--ros2", "--force"]).code(0);
    let frames = messages::<TfMessage>(&bag, "/tf");
    let x = |at: usize| frames[at].1.transforms[0].transform.translation.x;
    let (walked, stopped) = (x(frames.len() - 1) - x(0), stopped.unwrap());
    assert!(stopped > 0.05 && (walked - stopped).abs() < 0.005, "{walked} m, {stopped} m");
}

#[test]
fn without_ros2_it_is_what_record_writes() {
    let golden = root().join("examples/hello/golden.jsonl");
    let record = Temp::new("mcap");
    say(&["convert", golden.to_str().unwrap(), record.arg(), "--force"]).code(0);
    let mut lines = String::new();
    std::io::Read::read_to_string(&mut boxstep_record::open(&record.0).unwrap(), &mut lines).unwrap();
    assert_eq!(lines, fs::read_to_string(golden).unwrap());
}

#[test]
fn what_cannot_be_converted_is_said_with_its_file_and_line() {
    let hello = example("hello/golden.jsonl");
    let refused = |args: &[&str], why: &str| {
        let said = say(&[&["convert"], args].concat()).code(2);
        assert!(said.err.contains(why), "{args:?}: {}", said.err);
    };
    let bag = Temp::new("mcap");
    let (to, xar) = (bag.arg(), example("hello/behavior.xar"));
    refused(&[&xar, to, "--ros2", "--force"], "hello/behavior.xar: it is no recording of a run");
    refused(&[&hello, "out.xar", "--ros2"], "--ros2 writes a recording: out.xar must end in .mcap");
    refused(&["nowhere.jsonl", to, "--ros2", "--force"], "nowhere.jsonl");
    refused(&[&example("small-arm/golden.jsonl"), to, "--ros2", "--force"], "its body is `small-arm`: name the file");
    refused(&[&hello, to, "--body", "nao"], "--ros2");
    let damaged = Temp::new("jsonl");
    fs::write(&damaged.0, "{\"schema\":1,\"body\":\"nao\"}\n{\"n\":1,\"t\":\n").unwrap();
    refused(&[damaged.arg(), to, "--ros2", "--force"], "line 2 is not of a trace");
    fs::write(&damaged.0, "{\"schema\":9,\"body\":\"nao\"}\n").unwrap();
    refused(&[damaged.arg(), to, "--ros2", "--force"], "the trace has the schema 9, and this version reads 1");
    // A file that is there is only replaced if that was asked for, and only by a whole one.
    say(&["convert", &hello, to, "--ros2", "--force"]).code(0);
    refused(&[&hello, to, "--ros2"], "mcap");
    let before = fs::read(&bag.0).unwrap();
    let late = r#"{"n":1,"t":9000000000000000000,"cause":0,"kind":"joints","angles":{}}"#;
    fs::write(&damaged.0, format!("{{\"schema\":1,\"body\":\"nao\"}}\n{late}\n")).unwrap();
    refused(&[damaged.arg(), to, "--ros2", "--force"], "line 2: its time is 9000000000");
    assert!(fs::read(&bag.0).unwrap() == before);
}

#[test]
fn runs_of_other_robots_have_the_angles_of_their_trace_or_none() {
    let (trace, bag) = (Temp::new("jsonl"), Temp::new("mcap"));
    let header =
        r#"{"schema":1,"body":"nao","clock":"real","options":{"robot":"nao.local"},"started":"2026-01-01T00:00:00Z"}"#;
    let joints = r#"{"n":1,"t":0,"cause":0,"kind":"joints","angles":{"HeadYaw":0.3}}"#;
    fs::write(&trace.0, format!("{header}\n{joints}\n")).unwrap();
    say(&["convert", trace.arg(), bag.arg(), "--ros2", "--force"]).code(0);
    let states = messages::<JointState>(&bag, "/joint_states");
    assert_eq!((states.len(), states[0].1.position[0], states[0].0), (1, 0.3, 1_767_225_600_000_000_000));
    fs::write(&trace.0, format!("{header}\n")).unwrap();
    let said = say(&["convert", trace.arg(), bag.arg(), "--ros2", "--force"]).code(0);
    assert!(said.err.contains("no joint angle of this run is known"), "{}", said.err);
    assert!(messages::<JointState>(&bag, "/joint_states").is_empty());
}
