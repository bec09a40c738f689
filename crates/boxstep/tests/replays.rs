//! `boxstep replay` and `boxstep diff` of two recordings.

use crate::common;
use crate::common::{Temp, has_python, in_order, say};
use std::fs;

fn recorded(args: &[&str], ending: &str, code: i32) -> Temp {
    let file = Temp::new(ending);
    let how = if ending == "mcap" { "--record" } else { "--trace" };
    say(&[&["play"], args, &["--quiet", how, file.arg()]].concat()).code(code);
    file
}

const TOUCH: &[&str] =
    &["examples/touch", "--scripts", "off", "--virtual-time", "--event", "FrontTactilTouched=1@1", "--for", "5"];

#[test]
fn a_run_that_repeats_is_the_same_from_each_form() {
    for ending in ["jsonl", "mcap"] {
        let recording = recorded(TOUCH, ending, 0);
        let said = say(&["replay", recording.arg(), "examples/touch"]).code(0);
        assert!(said.out.starts_with("the same: ") && said.out.ends_with(" events\n"), "{}", said.out);
        assert_eq!(said.out.lines().count(), 1, "{}", said.out);
        assert_eq!(said.err, "");
    }
}

#[test]
fn what_was_played_is_found_by_the_recording_or_asked_for() {
    let temp = Temp::new("folder");
    let (behavior, runs) = (temp.0.join("some/where/touch"), temp.0.join("runs"));
    fs::create_dir_all(&behavior).unwrap();
    fs::create_dir(&runs).unwrap();
    fs::copy(common::root().join("examples/touch/behavior.xar"), behavior.join("behavior.xar")).unwrap();
    let said = |folder: &std::path::Path, args: &[&str]| {
        common::Said::from(common::boxstep(args).current_dir(folder).output().unwrap())
    };
    let mut play = vec!["play", "some/where/touch", "--trace", "runs/run.jsonl", "-q"];
    play.extend(&TOUCH[1..]);
    said(&temp.0, &play).code(0);
    // Below this folder, in this folder, beside the recording.
    for (folder, recording) in [(&temp.0, "runs/run.jsonl"), (&behavior, "../../../runs/run.jsonl")] {
        assert!(said(folder, &["replay", recording]).code(0).out.starts_with("the same: "));
    }
    fs::copy(runs.join("run.jsonl"), behavior.join("run.jsonl")).unwrap();
    assert!(said(&runs, &["replay", "../some/where/touch/run.jsonl"]).code(0).out.starts_with("the same: "));
    // One that has changed is still what is to be compared, if it is where it is looked for first.
    let text = fs::read_to_string(behavior.join("behavior.xar")).unwrap();
    fs::write(behavior.join("behavior.xar"), text.replace("FrontTactilTouched", "RearTactilTouched")).unwrap();
    let other = said(&behavior, &["replay", "run.jsonl"]).code(1);
    assert!(other.out.contains("behavior.xar"), "{}", other.out);
    let missing = said(&runs, &["replay", "run.jsonl"]).code(2);
    assert!(missing.err.contains("FILE is missing") && missing.err.contains("behavior.xar"), "{}", missing.err);
}

#[test]
fn scripts_run_again() {
    if !has_python() {
        return;
    }
    let recording = recorded(&["examples/hello", "--virtual-time"], "mcap", 0);
    assert!(say(&["replay", recording.arg(), "examples/hello"]).code(0).out.starts_with("the same: "));
    // A run that failed is the same if it fails again.
    let raises = common::fixture("raises.xar");
    let recording = recorded(&[&raises, "--virtual-time"], "jsonl", 4);
    assert!(say(&["replay", recording.arg(), &raises]).code(0).out.starts_with("the same: "));
}

const PHOTO: &str = r#"import base64, qi, sys
app = qi.Application(sys.argv)
app.start()
video = app.session.service("ALVideoDevice")
client = video.subscribeCamera("me", 0, 0, 0, 5)
picture = video.getImageRemote(client)
print("picture", base64.b64encode(bytes(picture[6])).decode())
"#;

/// A trace holds the digest of a picture; a replay gets the picture from the simulation again. Recordings of earlier
/// versions hold the picture.
#[test]
fn pictures_are_digests_in_a_trace_and_come_again_in_a_replay() {
    if !has_python() {
        return;
    }
    let folder = Temp::new("d");
    fs::create_dir_all(&folder.0).unwrap();
    let program = folder.0.join("photo.py");
    fs::write(&program, PHOTO).unwrap();
    let program = program.to_str().unwrap();
    let recording = recorded(&[program, "--virtual-time"], "jsonl", 0);
    let text = fs::read_to_string(&recording.0).unwrap();
    let answer = text.lines().find(|line| line.contains("service_done") && line.contains("getImageRemote")).unwrap();
    let digest = &answer[answer.find("{\"$digest\"").unwrap()..];
    let digest = &digest[..digest.find("}}").unwrap() + 2];
    assert!(digest.starts_with(r#"{"$digest":{"size":19200,"format":"raw","sha256":""#), "{digest}");
    assert!(say(&["replay", recording.arg(), program]).code(0).out.starts_with("the same: "));
    let printed = text.split("\"picture ").nth(1).unwrap().split('"').next().unwrap();
    let old = text.replace(digest, &format!(r#"{{"$bytes":"{printed}"}}"#));
    assert!(old.len() > text.len() + 19200, "the picture is whole");
    fs::write(&recording.0, &old).unwrap();
    assert!(say(&["replay", recording.arg(), program]).code(0).out.starts_with("the same: "));
    // Another picture is another one.
    fs::write(&recording.0, old.replacen(&format!("{{\"$bytes\":\"{}", &printed[..4]), "{\"$bytes\":\"AAAA", 1))
        .unwrap();
    let other = say(&["replay", recording.arg(), program]).code(1);
    assert!(other.out.contains("getImageRemote"), "{}", other.out);
}

#[test]
fn another_behavior_is_told_with_box_and_time() {
    let recording = recorded(&["examples/timeline-layers", "--scripts", "off", "--virtual-time"], "jsonl", 0);
    // It has played another frame rate since.
    let temp = Temp::new("folder");
    let folder = temp.0.join("timeline-layers");
    fs::create_dir_all(&folder).unwrap();
    let text = fs::read_to_string(common::root().join("examples/timeline-layers/behavior.xar")).unwrap();
    fs::write(folder.join("behavior.xar"), text.replacen("fps=\"25\"", "fps=\"20\"", 1)).unwrap();
    let args = ["replay", recording.arg(), folder.to_str().unwrap()];
    let said = say(&args).code(1);
    in_order(
        &said.out,
        &[
            "they were made with other options: files.behavior.xar",
            "they differ at ",
            " s, root/Dance, in ",
            "\n- {",
            "\n+ {",
        ],
    );
    let json: serde_json::Value =
        serde_json::from_str(&say(&[&args[..], &["--format", "json"]].concat()).code(1).out).unwrap();
    assert_eq!((&json["same"], &json["measure"]), (&false.into(), &"exactly".into()));
    assert!(json["parting"]["path"].as_str().unwrap().starts_with("root/Dance"), "{json}");
    assert_eq!(say(&[&args[..], &["--quiet"]].concat()).code(1).out, "");
}

#[test]
fn a_run_in_real_time_is_compared_box_by_box() {
    let recording = recorded(&["examples/timeline-layers", "--scripts", "off"], "mcap", 0);
    let said = say(&["replay", recording.arg(), "examples/timeline-layers"]).code(0);
    assert!(said.out.contains("the same: ") && said.out.contains("(compared box by box, "), "{}", said.out);
}

#[test]
fn two_recordings_are_compared_whatever_their_forms() {
    let (one, other) = (recorded(TOUCH, "jsonl", 0), recorded(TOUCH, "mcap", 0));
    assert!(say(&["diff", one.arg(), other.arg()]).code(0).out.starts_with("the same: "));
    let later: Vec<&str> =
        TOUCH.iter().map(|arg| if arg.contains('@') { "FrontTactilTouched=1@2" } else { arg }).collect();
    let later = recorded(&later, "mcap", 0);
    let said = say(&["diff", one.arg(), later.arg()]).code(1);
    in_order(&said.out, &["they differ at 1.000 s, in ", "- {", "\"t\":1000000000", "+ {", "\"t\":2000000000"]);
    assert!(say(&["diff", one.arg(), later.arg(), "--format", "html"]).code(2).err.contains("not as html"));
    assert_eq!(say(&["diff", one.arg(), later.arg(), "-q"]).code(1).out, "");
    let said = say(&["diff", one.arg(), "examples/touch"]).code(2);
    assert!(said.err.contains("is a recording, and examples/touch is not"), "{}", said.err);
}

#[test]
fn what_cannot_be_replayed_or_compared_is_said() {
    let recording = recorded(TOUCH, "jsonl", 0);
    assert!(
        say(&["replay", "README.md", "examples/touch"])
            .code(2)
            .err
            .contains("README.md: line 1: not the begin of a trace")
    );
    assert!(say(&["replay", "no-such-file", "examples/touch"]).code(2).err.contains("no-such-file"));
    assert!(say(&["replay", recording.arg(), "no-such-file"]).code(2).err.contains("no-such-file"));
    assert!(
        say(&["replay", "docs", "examples/touch"])
            .code(2)
            .err
            .contains("a folder, and there is no flight recording in it")
    );
    let damaged = Temp::new("jsonl");
    let mut text = fs::read_to_string(&recording.0).unwrap().replacen("\"kind\":\"box\"", "kind", 1);
    text = text.replace("\"deterministic\":true", "\"deterministic\":false");
    fs::write(&damaged.0, &text).unwrap();
    let said = say(&["diff", recording.arg(), damaged.arg()]).code(2);
    assert!(said.err.contains(" is not of a trace"), "{}", said.err);
    fs::write(&damaged.0, "").unwrap();
    assert!(say(&["replay", damaged.arg(), "examples/touch"]).code(2).err.contains("line 1"));
}
