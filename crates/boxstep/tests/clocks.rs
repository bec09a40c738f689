//! The real clock keeps what virtual time promises: every test of the conformance suite and of the examples is played on
//! both, in both hosts, several at the same time, and each box must have the same story. Nothing is said of when.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod common;

use common::{boxstep, has_python, root};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::PathBuf;
use std::process::{Command, Stdio};
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

/// How a run ended, when, and what it told.
#[derive(Default)]
struct Run {
    reason: String,
    seconds: f64,
    /// Whose story, and a line of it.
    lines: Vec<(String, String)>,
    /// Lines, and calls that returned, before the run began to end.
    steps: usize,
    /// Lines before the run began to end.
    ending: Option<usize>,
    said: String,
}

impl Run {
    fn hear(&mut self, event: &Value) {
        let is = |field: &str, what: &str| event[field] == what;
        if is("kind", "behavior") && is("phase", "stopping") || is("kind", "control") && is("what", "interrupt") {
            self.ending.get_or_insert(self.lines.len());
        }
        if let (None, Some(reason)) = (event.get("kind"), event["reason"].as_str()) {
            reason.clone_into(&mut self.reason);
            self.seconds = event["t"].as_i64().unwrap() as f64 / 1e9;
        }
        let story = story(event);
        self.steps += usize::from(self.ending.is_none() && (story.is_some() || is("kind", "returned")));
        if let Some((of, line)) = story {
            let path = event["path"].as_str().unwrap_or_default();
            self.lines.push((format!("{path} ({of})"), line));
        }
    }

    fn ends_by_itself(&self) -> bool {
        ["ended", "failed"].contains(&&*self.reason)
    }

    /// What each box tells; of a run that waits, until somebody ends it: an interrupt does so in another way.
    fn stories(&self) -> BTreeMap<&str, Vec<&str>> {
        let until = self.ending.filter(|_| !self.ends_by_itself()).unwrap_or(self.lines.len());
        let mut stories = BTreeMap::<&str, Vec<&str>>::new();
        for (of, line) in &self.lines[..until] {
            stories.entry(of).or_default().push(line);
        }
        stories
    }
}

/// Plays a case. A run that waits does so for ever: it is interrupted after so many steps.
fn play(case: &Case, more: &[&str], until: Option<usize>) -> Run {
    let args = ["play", &case.behavior, "--scenario", &case.scenario, "--trace", "/dev/stderr", "--for", "120"];
    let args = if until.is_some() { &args[..] } else { &args[..6] };
    let mut command = boxstep(&[args, more].concat());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut out = child.stdout.take().unwrap();
    let account = thread::spawn(move || {
        let mut text = String::new();
        out.read_to_string(&mut text).unwrap();
        text
    });
    let mut run = Run::default();
    let mut errors = String::new();
    let mut interrupted = false;
    for line in BufReader::new(child.stderr.take().unwrap()).lines() {
        let line = line.unwrap();
        match serde_json::from_str(&line) {
            Ok(event) => run.hear(&event),
            Err(_) => errors += &(line + "\n"),
        }
        if !interrupted && until.is_some_and(|steps| run.steps >= steps) {
            interrupted = true;
            assert!(Command::new("kill").arg("-INT").arg(child.id().to_string()).status().unwrap().success());
        }
    }
    child.wait().unwrap();
    run.said = account.join().unwrap() + &errors;
    assert!(!run.reason.is_empty(), "{}: {}", case.scenario, run.said);
    run
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
    let [ours, theirs] = [ours.stories(), theirs.stories()];
    let paths = ours.keys().chain(theirs.keys()).collect::<std::collections::BTreeSet<_>>();
    let nothing = Vec::new();
    let mut all = Vec::new();
    for path in paths {
        let [a, b] = [&ours, &theirs].map(|stories| stories.get(path).unwrap_or(&nothing));
        if a != b {
            let at = a.iter().zip(b).position(|(a, b)| a != b).unwrap_or(a.len().min(b.len()));
            let around = |story: &Vec<&str>| story[at.saturating_sub(2)..story.len().min(at + 3)].join(" | ");
            all.push(format!("{path} {at}: {}  ≠  {}", around(a), around(b)));
        }
    }
    all
}

fn check(case: &Case) -> Vec<String> {
    let before = play(case, &["--virtual-time"], None);
    if before.seconds > LONGEST || ["deadlock", "livelock"].contains(&&*before.reason) {
        return Vec::new();
    }
    let until = (!before.ends_by_itself()).then_some(before.steps);
    let mut all = Vec::new();
    for host in ["native", "process"] {
        let after = play(case, &["--scripts", host], until);
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
