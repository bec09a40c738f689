//! `--record`: a run as MCAP, and back.

use crate::common;
use crate::common::{Temp, boxstep, fixture, has_python, say};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::fs;
use std::process::Stdio;

/// The messages of a file by topic, as programs that know nothing of Boxstep read them: time and JSON.
fn messages(bytes: &[u8]) -> BTreeMap<String, Vec<(u64, Json)>> {
    let mut found: BTreeMap<String, Vec<(u64, Json)>> = BTreeMap::new();
    for message in mcap::MessageStream::new(bytes).unwrap() {
        let message = message.unwrap();
        assert_eq!(message.channel.message_encoding, "json");
        let schema = message.channel.schema.as_ref().unwrap();
        assert_eq!(schema.encoding, "jsonschema");
        let schema: Json = serde_json::from_slice(&schema.data).unwrap();
        let json: Json = serde_json::from_slice(&message.data).unwrap();
        conforms(&schema, &json);
        found.entry(message.channel.topic.clone()).or_default().push((message.log_time, json));
    }
    found
}

/// What is required is there, and what is described has its type.
fn conforms(schema: &Json, message: &Json) {
    for name in schema["required"].as_array().into_iter().flatten() {
        assert!(message.get(name.as_str().unwrap()).is_some(), "{name} is missing in {message}");
    }
    for (name, described) in schema["properties"].as_object().into_iter().flatten() {
        let Some(value) = message.get(name) else { continue };
        let fits = match described["type"].as_str() {
            Some("integer") => value.is_i64() || value.is_u64(),
            Some("number") => value.is_number(),
            Some("string") => value.is_string(),
            Some("object") => value.is_object(),
            Some("boolean") => value.is_boolean(),
            _ => true,
        };
        assert!(fits, "{name} is {value}, and {described} is promised");
    }
}

fn recorded(args: &[&str], code: i32) -> (Temp, Temp) {
    let (trace, record) = (Temp::new("jsonl"), Temp::new("mcap"));
    let more = ["--virtual-time", "--quiet", "--trace", trace.arg(), "--record", record.arg()];
    say(&[&["play"], args, &more].concat()).code(code);
    (trace, record)
}

/// What an MCAP file says as a trace.
fn lines(record: &Temp) -> String {
    let mut text = String::new();
    std::io::Read::read_to_string(&mut boxstep_record::open(&record.0).unwrap(), &mut text).unwrap();
    text
}

#[test]
fn a_recording_comes_back_as_the_trace_byte_for_byte() {
    let events = ["--event", "FrontTactilTouched=1@1", "--event", "Text=a@2", "--event", "FrontTactilTouched=0.5@3"];
    for (args, code) in [
        ([&["examples/touch", "--scripts", "off", "--joints", "10", "--for", "5"], &events[..]].concat(), 0),
        (vec!["examples/companion", "--scripts", "off", "--for", "10"], 0),
    ] {
        let (trace, record) = recorded(&args, code);
        assert_eq!(lines(&record), fs::read_to_string(&trace.0).unwrap());
    }
    if has_python() {
        let (trace, record) = recorded(&[&fixture("raises.xar")], 4);
        assert_eq!(lines(&record), fs::read_to_string(&trace.0).unwrap());
    }
}

#[test]
fn every_topic_is_json_that_keeps_its_schema_at_its_time() {
    let play = [
        "examples/timeline-layers",
        "--scripts",
        "off",
        "--joints",
        "10",
        "--event",
        "Charge=7@1",
        "--event",
        "Word=x@1.5",
    ];
    let (trace, record) = recorded(&play, 0);
    let bytes = fs::read(&record.0).unwrap();
    let found = messages(&bytes);
    let epoch = 1_577_836_800_000_000_000;
    assert_eq!(found["/boxstep/memory/Charge"], [(epoch + 1_000_000_000, serde_json::json!({ "value": 7 }))]);
    assert_eq!(found["/boxstep/memory/Word"][0].1["value"], "x");
    let joints = &found["/boxstep/joints"];
    assert!(joints.len() > 20 && joints.iter().all(|(_, angles)| angles["HeadYaw"].is_number()), "{joints:?}");
    assert_eq!(joints[1].0 - joints[0].0, 100_000_000);
    let text = fs::read_to_string(&trace.0).unwrap();
    assert_eq!(found["/boxstep/events"].len(), text.lines().count() - 2);
    // It has an index, so that programs need not read all of it.
    let summary = mcap::Summary::read(&bytes).unwrap().unwrap();
    assert!(!summary.chunk_indexes.is_empty() && summary.stats.unwrap().message_count > 40);
}

#[test]
fn what_is_said_is_a_log_that_foxglove_knows() {
    if !has_python() {
        return;
    }
    let (_, record) = recorded(&[&fixture("raises.xar")], 4);
    let found = messages(&fs::read(&record.0).unwrap());
    let error = found["/boxstep/log"].iter().find(|(_, log)| log["level"] == 4).unwrap();
    assert_eq!((&error.1["name"], &error.1["line"]), (&"root/Broken".into(), &8.into()));
    assert!(error.1["message"].as_str().unwrap().starts_with("ZeroDivisionError: "), "{}", error.1);
    assert_eq!(error.1["timestamp"]["sec"], 1_577_836_800);
}

#[test]
fn why_and_replay_take_it_as_they_take_a_trace() {
    let (trace, record) = recorded(&["examples/timeline-layers", "--scripts", "off"], 0);
    let of_record = say(&["why", record.arg()]).code(0).out;
    assert_eq!(of_record, say(&["why", trace.arg()]).code(0).out);
    assert!(of_record.starts_with("timeline-layers ended by itself at 2.960 s"), "{of_record}");
    let again = Temp::new("jsonl");
    say(&["play", "examples/timeline-layers", "--replay", record.arg(), "--trace", again.arg()]).code(0);
    assert_eq!(fs::read_to_string(&again.0).unwrap(), fs::read_to_string(&trace.0).unwrap());
}

#[test]
fn one_that_is_cut_off_anywhere_is_read_so_far() {
    let (trace, record) = recorded(&["examples/timeline-layers", "--scripts", "off", "--joints", "50"], 0);
    let (bytes, text) = (fs::read(&record.0).unwrap(), fs::read_to_string(&trace.0).unwrap());
    let cut = Temp::new("mcap");
    for at in (9..bytes.len()).step_by(bytes.len() / 60) {
        fs::write(&cut.0, &bytes[..at]).unwrap();
        let mut read = String::new();
        let done = std::io::Read::read_to_string(&mut boxstep_record::open(&cut.0).unwrap(), &mut read);
        assert!(text.starts_with(&read), "cut at {at}");
        // Without the first line it is no recording.
        assert_eq!(done.is_err(), read.is_empty(), "cut at {at}");
    }
}

#[test]
fn what_is_damaged_is_an_error_and_never_more() {
    let (_, record) = recorded(&["examples/timeline-layers", "--scripts", "off"], 0);
    let bytes = fs::read(&record.0).unwrap();
    let damaged = Temp::new("mcap");
    for at in (8..bytes.len()).step_by(bytes.len() / 80) {
        let mut bytes = bytes.clone();
        bytes[at] ^= 0xff;
        fs::write(&damaged.0, &bytes).unwrap();
        let mut read = Vec::new();
        // Whatever it is, it ends, and is no panic.
        let _ = std::io::Read::read_to_end(&mut boxstep_record::open(&damaged.0).unwrap(), &mut read);
    }
    fs::write(&damaged.0, &bytes[..8]).unwrap();
    assert!(say(&["why", damaged.arg()]).code(2).err.contains("an MCAP file, and no recording of Boxstep"));
}

#[test]
fn a_file_that_is_no_recording_is_not_replaced_and_the_name_says_the_form() {
    let file = Temp::new("mcap");
    fs::write(&file.0, "my notes").unwrap();
    let play = ["play", "examples/timeline-layers", "--scripts", "off", "--virtual-time", "--record"];
    let said = say(&[&play[..], &[file.arg()]].concat()).code(2);
    assert!(said.err.contains("it already exists and is not a recording; it is not replaced"), "{}", said.err);
    assert_eq!(fs::read_to_string(&file.0).unwrap(), "my notes");
    let said = say(&[&play[..], &["run.json"]].concat()).code(2);
    assert!(said.err.contains("its name ends in .mcap"), "{}", said.err);
}

#[cfg(unix)]
#[test]
fn a_disk_that_is_full_is_said_at_the_end() {
    let record = Temp::new("mcap");
    let (program, file) = (env!("CARGO_BIN_EXE_boxstep"), record.arg());
    let play = format!("{program} play examples/timeline-layers --scripts off --virtual-time -q --record {file}");
    // No file may be larger than a few blocks, and whoever writes more is told so and not killed.
    for blocks in [4, 24] {
        let order = format!("trap '' XFSZ; ulimit -f {blocks}; exec {play}");
        let output =
            std::process::Command::new("sh").args(["-c", &order]).current_dir(common::root()).output().unwrap();
        let said = common::Said::from(output).code(4);
        assert!(said.err.contains("the recording is not complete: ") && said.err.contains(file), "{}", said.err);
    }
}

#[cfg(unix)]
#[test]
fn a_run_in_real_time_that_is_killed_has_left_what_was_a_moment_ago() {
    let record = Temp::new("mcap");
    let play = ["play", "examples/touch", "--scripts", "off", "--for", "60", "--quiet", "--record", record.arg()];
    let mut child = boxstep(&play).stdout(Stdio::null()).spawn().unwrap();
    let until = std::time::Instant::now() + std::time::Duration::from_secs(30);
    while !fs::read(&record.0).is_ok_and(|bytes| bytes.windows(7).any(|window| window == b"started")) {
        assert!(std::time::Instant::now() < until && child.try_wait().unwrap().is_none(), "it was never written out");
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let said = say(&["why", record.arg()]).code(0).out;
    assert!(said.starts_with("touch has no end in this recording, which breaks off at "), "{said}");
}
