//! Every example plays as its golden trace says, byte by byte, and every time.
//!
//! After a change that is meant: `BOXSTEP_BLESS=1 cargo test -p boxstep --test tests examples::`.

use crate::common::{Temp, root, say};
use std::path::Path;

/// The examples, and what else they need.
const EXAMPLES: &[(&str, &[&str])] = &[
    ("hello", &[]),
    ("loop-counter", &[]),
    (
        "museum-talk",
        &[
            "--hear",
            "hello@6",
            "--hear",
            "Ann",
            "--hear",
            "where is the mask",
            "--hear",
            "can you dance",
            "--hear",
            "bye@40",
        ],
    ),
    ("nested-parameters", &[]),
    ("python2", &[]),
    ("say-and-wait", &[]),
    ("small-arm", &[]),
    ("timeline-layers", &[]),
    ("touch", &["--event", "FrontTactilTouched=1.0@4", "--event", "FrontTactilTouched=0.0@4.2"]),
];

/// Characters; most have no end of their own.
const CHARACTERS: &[(&str, &[&str])] = &[
    (
        "companion",
        &[
            "--for",
            "40",
            "--event",
            "FrontTactilTouched=1@4",
            "--event",
            "FrontTactilTouched=0@4.5",
            "--event",
            "MiddleTactilTouched=1@9",
            "--event",
            "MiddleTactilTouched=0@9.3",
            "--event",
            "LeftBumperPressed=1@12",
        ],
    ),
    ("guide", &["--for", "60", "--event", "Visitors=2@3", "--event", "Question=age@12", "--event", "Visitors=0@50"]),
    ("patrol", &["--for", "60"]),
];

fn trace(name: &str, options: &[&str]) -> String {
    let file = Temp::new("jsonl");
    let folder = format!("examples/{name}");
    let args = ["play", &folder, "--virtual-time", "-q", "--trace", file.arg()];
    let ends: &[&str] = if CHARACTERS.iter().any(|(n, _)| *n == name) { &[] } else { &["--must-end", "--for", "60"] };
    say(&[&args[..], ends, options].concat()).code(0);
    std::fs::read_to_string(&file.0).unwrap()
}

/// The same trace from a process for scripts, but for the word that names it.
fn matches_process(name: &str, options: &[&str], native: &str) {
    let process = trace(name, &[options, &["--scripts", "process"]].concat());
    let word = "\"scripts\":\"process\"";
    assert!(process.contains(word), "{process}");
    let process = process.replacen(word, "\"scripts\":\"native\"", 1);
    if let Some(difference) = boxstep_record::diff(native, &process) {
        panic!("examples/{name}: - native, + process: {difference}");
    }
}

fn matches_golden(name: &str) {
    let (_, options) = EXAMPLES.iter().chain(CHARACTERS).find(|(n, _)| *n == name).unwrap();
    let now = trace(name, options);
    matches_process(name, options, &now);
    let golden = root().join("examples").join(name).join("golden.jsonl");
    if std::env::var_os("BOXSTEP_BLESS").is_some() {
        std::fs::write(&golden, &now).unwrap();
    }
    let before = std::fs::read_to_string(&golden).unwrap_or_default();
    if let Some(difference) = boxstep_record::diff(&before, &now) {
        panic!("examples/{name}: - golden, + now: {difference}");
    }
    assert!(now.trim_end().ends_with("\"deterministic\":true}"), "{name}");
}

#[test]
fn companion() {
    matches_golden("companion");
}

#[test]
fn guide() {
    matches_golden("guide");
}

#[test]
fn museum_talk() {
    matches_golden("museum-talk");
}

#[test]
fn hello() {
    matches_golden("hello");
}

#[test]
fn loop_counter() {
    matches_golden("loop-counter");
}

#[test]
fn nested_parameters() {
    matches_golden("nested-parameters");
}

#[test]
fn patrol() {
    matches_golden("patrol");
}

#[test]
fn python2() {
    matches_golden("python2");
}

#[test]
fn say_and_wait() {
    matches_golden("say-and-wait");
}

#[test]
fn small_arm() {
    matches_golden("small-arm");
}

#[test]
fn timeline_layers() {
    matches_golden("timeline-layers");
}

#[test]
fn touch() {
    matches_golden("touch");
}

#[test]
fn every_example_is_tested_and_described() {
    let readme = std::fs::read_to_string(root().join("examples/README.md")).unwrap();
    let mut folders: Vec<String> = std::fs::read_dir(root().join("examples"))
        .unwrap()
        .map(|e| e.unwrap())
        .filter(|e| e.path().is_dir())
        .map(|e| e.file_name().into_string().unwrap())
        .collect();
    folders.sort();
    // What programs, bodies and shows do is in their own tests.
    let others = [("programs", &[][..]), ("bodies", &[][..]), ("chorus", &[][..])];
    let mut tested: Vec<&str> = EXAMPLES.iter().chain(CHARACTERS).chain(&others).map(|(name, _)| *name).collect();
    tested.sort_unstable();
    assert_eq!(folders, tested);
    for name in folders {
        assert!(readme.contains(&format!("[`{name}`]({name})")), "examples/README.md does not tell of {name}");
    }
}

#[test]
fn the_same_run_gives_the_same_trace_on_a_busy_machine() {
    // `cargo xtask determinism` does more of this.
    let runs: Vec<_> = (0..8).map(|_| std::thread::spawn(|| trace("say-and-wait", &[]))).collect();
    let traces: Vec<String> = runs.into_iter().map(|r| r.join().unwrap()).collect();
    for other in &traces {
        assert_eq!(boxstep_record::diff(&traces[0], other), None);
    }
}

#[test]
fn seeds_and_the_place_of_the_files_do_not_change_what_happens() {
    let elsewhere = std::env::temp_dir().join(format!("boxstep-moved-{}", std::process::id()));
    std::fs::create_dir_all(&elsewhere).unwrap();
    std::fs::copy(root().join("examples/hello/behavior.xar"), elsewhere.join("behavior.xar")).unwrap();
    let file = Temp::new("jsonl");
    let args = ["play", elsewhere.to_str().unwrap(), "--virtual", "-q", "--trace", file.arg()];
    say(&args).code(0);
    let moved = std::fs::read_to_string(&file.0).unwrap();
    std::fs::remove_dir_all(&elsewhere).unwrap();
    assert!(!moved.contains(Path::new(&elsewhere).to_str().unwrap()), "{moved}");
}
