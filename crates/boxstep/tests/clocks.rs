//! The real clock keeps what virtual time promises: every test of the conformance suite and of the examples is played on
//! both, in both hosts, several at the same time, and each box must have the same story. Nothing is said of when; but where a script's `sleep` and a timer
//! of the engine are a few tenths of a second apart, a machine that holds a run up for longer decides which is first. A run that
//! was held up so long, and tells another story, is played again when nothing else runs.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod common;

use common::{boxstep, has_python, root};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Runs that are not played in real time, and why.
const NOT_PLAYED: [(&str, &str); 6] = [
    ("deadlock", "nobody but virtual time can know that nothing will ever happen"),
    ("livelock", "the same"),
    ("stop_within", "its scripts have two seconds, in which a busy machine may not have begun them"),
    ("timeline-layers", "whether a word is over before the next keyframe cuts it off is a matter of the clock"),
    ("bodies", "its tests name the behavior of another folder"),
    ("small-arm", "its robot is a file of its own, which a scenario does not name"),
];
/// In seconds of virtual time: longer ones are not played.
const LONGEST: f64 = 12.0;
/// In seconds: a run that came no later than this to any line has its story of its own.
const LATE: f64 = 0.1;
/// How often a run that the machine held up is played again.
const AGAIN: usize = 3;
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
        let endings = ["xar", "pml", "yaml", "xml", "py"].map(|ending| format!("{own}.{ending}"));
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
    /// Whose story, a line of it, and when it came.
    lines: Vec<(String, String, f64)>,
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
            self.seconds = seconds(event);
        }
        let story = story(event);
        self.steps += usize::from(self.ending.is_none() && (story.is_some() || is("kind", "returned")));
        if let Some((of, line)) = story {
            let path = event["path"].as_str().unwrap_or_default();
            self.lines.push((format!("{path} ({of})"), line, seconds(event)));
        }
    }

    fn ends_by_itself(&self) -> bool {
        ["ended", "failed"].contains(&&*self.reason)
    }

    /// What each box tells; of a run that waits, until somebody ends it: an interrupt does so in another way.
    fn stories(&self) -> BTreeMap<&str, Vec<(&str, f64)>> {
        let until = self.ending.filter(|_| !self.ends_by_itself()).unwrap_or(self.lines.len());
        let mut stories = BTreeMap::<&str, Vec<(&str, f64)>>::new();
        for (of, line, t) in &self.lines[..until] {
            stories.entry(of).or_default().push((line, *t));
        }
        stories
    }
}

fn seconds(event: &Value) -> f64 {
    event["t"].as_i64().unwrap() as f64 / 1e9
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

/// What a run of the real clock tells otherwise than virtual time.
#[derive(Default)]
struct Differences {
    told: Vec<String>,
    /// The most that a line of both came later on the real clock, in seconds.
    late: f64,
}

fn differences(ours: &Run, theirs: &Run) -> Differences {
    let [ours, theirs] = [ours.stories(), theirs.stories()];
    let paths = ours.keys().chain(theirs.keys()).collect::<BTreeSet<_>>();
    let nothing = Vec::new();
    let mut all = Differences::default();
    for path in paths {
        let [a, b] = [&ours, &theirs].map(|stories| stories.get(path).unwrap_or(&nothing));
        let same = a.iter().zip(b).take_while(|(a, b)| a.0 == b.0);
        let (at, late) = same.fold((0, 0.0), |(n, late), (a, b)| (n + 1, f64::max(late, b.1 - a.1)));
        all.late = all.late.max(late);
        if at < a.len().max(b.len()) {
            let around = |story: &[(&str, f64)]| {
                let near = &story[at.saturating_sub(2).min(story.len())..story.len().min(at + 3)];
                near.iter().map(|(line, _)| *line).collect::<Vec<_>>().join(" | ")
            };
            all.told.push(format!("{path} {at}: {}  ≠  {}", around(a), around(b)));
        }
    }
    all
}

/// A case on the real clock, in one host, beside how it was in virtual time.
struct Pair<'a> {
    case: &'a Case,
    host: &'static str,
    before: &'a Run,
}

impl Pair<'_> {
    fn differences(&self) -> Differences {
        let until = (!self.before.ends_by_itself()).then_some(self.before.steps);
        let after = play(self.case, &["--scripts", self.host], until);
        let mut found = differences(self.before, &after);
        for told in &mut found.told {
            *told =
                format!("{} in {}, {:.1} s late: {told}\n{}", self.case.scenario, self.host, found.late, after.said);
        }
        found
    }

    /// What is wrong when nothing else runs.
    fn alone(&self) -> Vec<String> {
        let mut found = self.differences();
        for _ in 1..AGAIN {
            if found.told.is_empty() || found.late <= LATE {
                break;
            }
            found = self.differences();
        }
        found.told
    }
}

/// Does something with each of many, several at a time.
fn each<'a, T: Sync, R: Send>(all: &'a [T], work: impl Fn(&'a T) -> R + Sync) -> Vec<R> {
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..AT_A_TIME {
            scope.spawn(|| {
                while let Some(one) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let result = work(one);
                    done.lock().unwrap().push(result);
                }
            });
        }
    });
    done.into_inner().unwrap()
}

#[test]
fn both_clocks_tell_the_same_story() {
    if !has_python() {
        return;
    }
    let cases = cases();
    assert!(cases.len() > 45, "{}", cases.len());
    let before = each(&cases, |case| (case, play(case, &["--virtual-time"], None)));
    let played =
        before.iter().filter(|(_, run)| run.seconds <= LONGEST && !["deadlock", "livelock"].contains(&&*run.reason));
    let pairs: Vec<_> =
        played.flat_map(|(case, before)| ["native", "process"].map(|host| Pair { case, host, before })).collect();
    let mut wrong = Vec::new();
    for (pair, found) in each(&pairs, |pair| (pair, pair.differences())) {
        wrong.extend(if found.late > LATE && !found.told.is_empty() { pair.alone() } else { found.told });
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
