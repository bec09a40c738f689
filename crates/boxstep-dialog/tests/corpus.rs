//! Real topics, where they are at hand: every file is read without an error.

use boxstep_dialog::read_topic;
use boxstep_types::Severity;
use std::path::{Path, PathBuf};

fn topics(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if path.is_dir() {
            topics(&path, found);
        } else if path.extension().is_some_and(|e| e == "top") {
            found.push(path);
        }
    }
}

/// The folder that `BOXSTEP_CORPUS` names.
pub(crate) fn corpus() -> Vec<PathBuf> {
    let Some(folder) = std::env::var_os("BOXSTEP_CORPUS") else {
        println!("skipped: BOXSTEP_CORPUS names no folder");
        return Vec::new();
    };
    let mut found = Vec::new();
    topics(Path::new(&folder), &mut found);
    found.sort();
    found
}

#[test]
fn real_topics_are_read_without_errors() {
    let mut bad = 0;
    let mut warnings = std::collections::BTreeMap::<&str, usize>::new();
    for path in corpus() {
        let text = std::fs::read_to_string(&path).unwrap();
        let topic = read_topic(&path.to_string_lossy(), &text);
        let tiled: String = topic.parts.iter().map(|part| topic.sources.slice(part.span)).collect();
        assert_eq!(tiled, text);
        for problem in &topic.problems {
            *warnings.entry(problem.code.name).or_default() += 1;
            if problem.severity == Severity::Error {
                bad += 1;
                println!("{}: {}", topic.sources.place(problem.span.unwrap()), problem.message);
            }
        }
    }
    println!("{warnings:?}");
    assert_eq!(bad, 0);
}
