//! The real clock keeps what virtual time promises: every test of the conformance suite and of the examples is played on
//! both, in both hosts, several at the same time, and each box must have the same story. Nothing is said of when.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod common;

use common::{Temp, has_python, root, say};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Runs that are not played in real time, and why.
const NOT_PLAYED: [(&str, &str); 5] = [
    ("deadlock", "nobody but virtual time can know that nothing will ever happen"),
    ("livelock", "the same"),
    ("stop_within", "its scripts have two seconds, in which a busy machine may not have begun them"),
    ("timeline-layers", "whether a word is over before the next keyframe cuts it off is a matter of the clock"),
    ("small-arm", "its robot is a file of its own, which a scenario does not name"),
];
/// In seconds of virtual time: longer ones are not played.
const LONGEST: f64 = 12.0;
/// Processes at a time: more than there are processors.
const AT_A_TIME: usize = 4;

/// A behavior and a test of it.
#[derive(Clone)]
struct Case {
    behavior: String,
    scenario: String,
}

fn cases() -> Vec<Case> {
    let mut files: Vec<PathBuf> = Vec::new();
    for folder in ["crates/boxstep/tests/conformance", "examples"] {
        let mut open = vec![root().join(folder)];
        while let Some(folder) = open.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                match path.to_str().unwrap() {
                    _ if path.is_dir() => open.push(path),
                    name if name.ends_with(".test.toml") => files.push(path),
                    _ => {}
                }
            }
        }
    }
    files.sort();
    let mut cases = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let relative = file.strip_prefix(root()).unwrap().to_str().unwrap().to_owned();
        if NOT_PLAYED.iter().any(|(name, _)| relative.contains(name)) {
            continue;
        }
        let own = relative.trim_end_matches(".test.toml");
        let endings = ["xar", "pml", "yaml", "xml"].map(|ending| format!("{own}.{ending}"));
        let folder = file.parent().unwrap().strip_prefix(root()).unwrap().to_str().unwrap().to_owned();
        let behavior = endings.into_iter().find(|file| root().join(file).is_file()).unwrap_or(folder);
        for name in text.lines().filter_map(|line| line.strip_prefix("name = ")) {
            let scenario = format!("{relative}#{}", name.trim_matches('"'));
            cases.push(Case { behavior: behavior.clone(), scenario });
        }
    }
    cases
}

/// How a run ended, when, and the story of each box.
struct Run {
    reason: String,
    seconds: f64,
    /// By box, and by what is told: what a script says and what reaches its box meanwhile are two stories.
    stories: BTreeMap<String, Vec<String>>,
    said: String,
}

fn play(case: &Case, more: &[&str]) -> Run {
    let trace = Temp::new("jsonl");
    let args = ["play", &case.behavior, "--scenario", &case.scenario, "--trace", trace.arg()];
    let said = say(&[&args[..], more].concat());
    let text = std::fs::read_to_string(&trace.0).unwrap_or_else(|_| panic!("{}: {}", case.scenario, said.err));
    let mut events: Vec<Value> = text.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect();
    let last = events.pop().unwrap();
    let mut stories: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for event in &events {
        if let Some((of, line)) = story(event) {
            let path = event["path"].as_str().unwrap_or_default();
            stories.entry(format!("{path} ({of})")).or_default().push(line);
        }
    }
    Run {
        reason: last["reason"].as_str().unwrap().to_owned(),
        seconds: last["t"].as_i64().unwrap() as f64 / 1e9,
        stories,
        said: said.out,
    }
}

/// Which story an event belongs to, and what it is there.
fn story(event: &Value) -> Option<(&'static str, String)> {
    let text = |field: &str| event[field].as_str().unwrap_or_default();
    Some(match text("kind") {
        "input" => ("in", format!("{} {}", text("port"), event["value"])),
        "call" => ("in", format!("calls {}", text("method"))),
        "parameter" => ("in", format!("{} {}", text("name"), event["value"])),
        "output" => ("out", format!("{} {}", text("port"), event["value"])),
        "log" => ("out", timeless(text("text"))),
        "raised" => ("out", event["error"]["kind"].to_string()),
        "box" => ("life", text("phase").to_owned()),
        "diagram" => ("inside", text("phase").to_owned()),
        "behavior" => ("behavior", text("phase").to_owned()),
        // At which frame a clock that moves on comes to a keyframe says when.
        "timeline" if text("command") == "frame" => ("timeline", "frame".to_owned()),
        "timeline" => ("timeline", format!("{} {}", text("command"), event["frame"])),
        _ => return None,
    })
}

/// What a script says of a frame that a clock moves on says when.
fn timeless(text: &str) -> String {
    match text.split_once("frame ") {
        Some((before, after)) => format!("{before}frame{}", after.trim_start_matches(|c: char| c.is_ascii_digit())),
        None => text.to_owned(),
    }
}

/// What is different between what a run of the real clock tells and what virtual time does.
fn differences(ours: &Run, theirs: &Run) -> Vec<String> {
    let paths = ours.stories.keys().chain(theirs.stories.keys()).collect::<std::collections::BTreeSet<_>>();
    let nothing = Vec::new();
    let mut all = Vec::new();
    for path in paths {
        let [a, b] = [ours, theirs].map(|run| run.stories.get(path).unwrap_or(&nothing));
        if a != b {
            let at = a.iter().zip(b).position(|(a, b)| a != b).unwrap_or(a.len().min(b.len()));
            let around = |story: &Vec<String>| story[at.saturating_sub(2)..story.len().min(at + 3)].join(" | ");
            all.push(format!("{path} {at}: {}  ≠  {}", around(a), around(b)));
        }
    }
    all
}

fn check(case: &Case) -> Vec<String> {
    let before = play(case, &["--virtual-time"]);
    if before.seconds > LONGEST || ["deadlock", "livelock"].contains(&&*before.reason) {
        return Vec::new();
    }
    // A run that waits does so for ever.
    let limit = format!("{}", before.seconds + 0.5);
    let more = if before.reason == "ended" || before.reason == "failed" { vec![] } else { vec!["--for", &limit] };
    let mut all = Vec::new();
    for host in ["native", "process"] {
        let after = play(case, &[&["--scripts", host], &more[..]].concat());
        for different in differences(&before, &after) {
            all.push(format!("{} in {host}: {different}\n{}", case.scenario, after.said));
        }
    }
    all
}

#[test]
fn both_clocks_tell_the_same_story() {
    if !has_python() {
        return;
    }
    let cases = cases();
    assert!(cases.len() > 45, "{}", cases.len());
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..AT_A_TIME {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let found = check(case);
                    wrong.lock().unwrap().extend(found);
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
