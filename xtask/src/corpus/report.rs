//! The summary of all files.

use super::File;
use super::play::End;
use super::tables::{class, is_excused, is_good};
use std::collections::BTreeMap;
use std::time::Duration;

/// The maximum length of a list.
const TOP: usize = 15;

/// Prints the table of outcomes, and the most frequent missing calls.
pub(crate) fn report(files: &[File], verbose: bool, took: Duration) {
    if verbose {
        files.iter().for_each(tell);
    }
    let mut classes: BTreeMap<&str, usize> = BTreeMap::new();
    for file in files {
        *classes.entry(class(file)).or_default() += 1;
    }
    println!("\n{} files in {:.1} s", files.len(), took.as_secs_f64());
    for (class, what) in MEANINGS {
        if let Some(n) = classes.get(class) {
            println!("  {n:>5}  {:>5.1}%  {class:<12} {what}", share(*n, files.len()));
        }
    }
    let scripts: usize = files.iter().map(|f| f.scripts).sum();
    let called: usize = files.iter().map(|f| f.played.called.len().min(f.scripts)).sum();
    println!("\nscripts executed: {called} of {scripts} ({:.1}%)", share(called, scripts));
    let repeatable = files.iter().filter(|f| f.played.deterministic).count();
    println!("repeatable runs: {repeatable} of {}", files.len());
    top("missing calls (files)", files, |f| f.played.missing.iter().map(|e| e.message.clone()).collect());
    top("exceptions not excused (files)", files, |f| {
        let own = f.played.errors.iter().filter(|e| !is_excused(&f.hash, e));
        own.map(|e| format!("{}: {}", e.kind, first_line(&e.message))).collect()
    });
    if let Some(slowest) = files.iter().max_by_key(|f| f.played.took) {
        println!("\nslowest: {:.1} s, {}", slowest.played.took.as_secs_f64(), slowest.name);
    }
}

const MEANINGS: &[(&str, &str)] = &[
    ("ended", "by itself"),
    ("waiting", "for an event, nothing wrong"),
    ("limit", "played for two minutes, nothing wrong"),
    ("excused", "failed as it does on the robot"),
    ("error", "a script raised"),
    ("unsupported", "a call that no service offers"),
    ("deadlock", "scripts wait for each other"),
    ("livelock", "signals without end in no time"),
    ("interrupted", "by a signal"),
    ("refused", "read, but cannot be run"),
    ("unread", "cannot be read"),
    ("hang", "no end in the wall clock's time"),
    ("crash", "panic, signal, or no end of the trace"),
];

fn tell(file: &File) {
    println!("{:<12} {:>6.2} s  {}", class(file), file.played.took.as_secs_f64(), file.name);
    if !file.played.why.is_empty() {
        println!("             {}", first_line(&file.played.why));
    }
    let mut missing = file.played.missing.clone();
    missing.dedup();
    for e in file.played.errors.iter().chain(&missing) {
        let excused = if is_excused(&file.hash, e) { " (excused)" } else { "" };
        println!("             {}:{} {}: {}{excused}", e.path, e.line, e.kind, first_line(&e.message));
    }
}

/// Prints the most frequent items, each counted once per file.
fn top(title: &str, files: &[File], items: impl Fn(&File) -> Vec<String>) {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for file in files {
        let mut of_file = items(file);
        of_file.sort();
        of_file.dedup();
        of_file.into_iter().for_each(|item| *counts.entry(item).or_default() += 1);
    }
    if counts.is_empty() {
        return;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    println!("\n{title}:");
    for (item, n) in counts.iter().take(TOP) {
        println!("  {n:>5}  {item}");
    }
    if counts.len() > TOP {
        println!("         and {} more", counts.len() - TOP);
    }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

pub(super) fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 100.0 } else { 100.0 * part as f64 / whole as f64 }
}

/// Checks the quality that every change has to reach.
pub(crate) fn bar(files: &[File], took: Duration) -> Result<(), String> {
    let count = |what: fn(&End) -> bool| files.iter().filter(|f| what(&f.played.end)).count();
    let read = files.len() - count(|e| *e == End::Unread);
    let good = files.iter().filter(|f| is_good(class(f))).count();
    let lines = [
        (format!("read {:.1}% (100%)", share(read, files.len())), read == files.len()),
        crashes(count(|e| *e == End::Crash), "crashes"),
        crashes(count(|e| *e == End::Hang), "hangs"),
        (format!("good {:.1}% (90%)", share(good, files.len())), share(good, files.len()) >= 90.0),
        (format!("took {:.0} s (300 s)", took.as_secs_f64()), took.as_secs() <= 300),
    ];
    println!();
    for (what, holds) in &lines {
        println!("  {} {what}", if *holds { "ok  " } else { "MISS" });
    }
    if lines.iter().all(|(_, holds)| *holds) { Ok(()) } else { Err("the bar is missed".to_owned()) }
}

pub(super) fn crashes(n: usize, what: &str) -> (String, bool) {
    (format!("{n} {what} (0)"), n == 0)
}
