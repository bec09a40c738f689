//! The expected results of files, and the errors that are a file's own.
//!
//! `expected.tsv`: SHA-256, class. `excused.tsv`: SHA-256, box path, script line, exception class, reason: errors that
//! the robot's own Python 2 would raise as well, each reviewed by a person. A service or method that the simulation
//! lacks is never excused.

use super::File;
use super::play::{End, Error};
use crate::tools;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::OnceLock;

/// Returns the class of a file, one word, as in `expected.tsv`.
pub(crate) fn class(file: &File) -> &str {
    match &file.played.end {
        End::Unread => "unread",
        End::Hang => "hang",
        End::Crash => "crash",
        End::Refused => "refused",
        End::Reason(_) if !file.played.missing.is_empty() => "unsupported",
        End::Reason(_) if file.played.errors.iter().any(|e| !is_excused(&file.hash, e)) => "error",
        End::Reason(reason) if reason == "failed" => "excused",
        End::Reason(reason) => reason,
    }
}

/// Whether a class counts as playing well.
pub(crate) fn is_good(class: &str) -> bool {
    matches!(class, "ended" | "waiting" | "limit" | "excused")
}

fn table(name: &str) -> PathBuf {
    tools::root().join("xtask").join("corpus").join(name)
}

/// Returns the rows of a table without comments; a missing table is empty.
fn rows(name: &str) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(table(name)).unwrap_or_default();
    text.lines()
        .filter(|l| !l.starts_with('#') && !l.trim().is_empty())
        .map(|l| l.split('\t').map(str::to_owned).collect())
        .collect()
}

/// Whether this error is in the reviewed table.
pub(crate) fn is_excused(hash: &str, error: &Error) -> bool {
    static EXCUSED: OnceLock<BTreeSet<Vec<String>>> = OnceLock::new();
    let excused = EXCUSED.get_or_init(|| {
        rows("excused.tsv").into_iter().filter(|r| r.len() == 5).map(|r| r.into_iter().take(4).collect()).collect()
    });
    let key = vec![hash.to_owned(), error.path.clone(), error.line.to_string(), error.kind.clone()];
    excused.contains(&key)
}

/// Shows improvements and regressions; returns an error for a regression that is not blessed.
pub(crate) fn compare(files: &[File], bless: bool, whole: bool) -> Result<(), String> {
    let expected: BTreeMap<String, String> =
        rows("expected.tsv").into_iter().filter_map(|r| <[String; 2]>::try_from(r).ok().map(Into::into)).collect();
    let mut worse = 0;
    let mut seen = BTreeMap::new();
    for file in files {
        let now = class(file);
        let before = expected.get(&file.hash);
        if seen.insert(&file.hash, now).is_some() {
            continue;
        }
        match before {
            Some(before) if before != now => {
                let what = match (is_good(before), is_good(now)) {
                    (false, true) => "gain",
                    (true, false) => "REGRESSION",
                    _ => "change",
                };
                worse += usize::from(what == "REGRESSION");
                println!("{what}: {before} → {now}: {}", file.name);
            }
            _ => {}
        }
    }
    let new = seen.keys().filter(|hash| !expected.contains_key(**hash)).count();
    if new > 0 && !expected.is_empty() {
        println!("{new} files have no expected outcome");
    }
    if bless {
        let mut all = if whole { BTreeMap::new() } else { expected };
        all.extend(seen.into_iter().map(|(hash, class)| (hash.clone(), class.to_owned())));
        let mut text =
            String::from("# SHA-256 of a file and what comes of playing it; written by `cargo xtask corpus --bless`\n");
        for (hash, class) in all {
            let _ = writeln!(text, "{hash}\t{class}");
        }
        let path = table("expected.tsv");
        return std::fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()));
    }
    if worse > 0 { Err(format!("{worse} regressions; if they are meant, --bless them")) } else { Ok(()) }
}
