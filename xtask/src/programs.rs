//! `cargo xtask programs`: runs every Python program of a folder on the simulated robot, in virtual time, and reports
//! which end, which wait for something from outside, and why the others fail.
//!
//! A program gets lines without text on standard input, as from a person who presses Enter, and no arguments. Programs
//! that need a package that is not installed are counted apart.

use crate::corpus::play::{self, End, Error, Played};
use crate::{Outcome, tools};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;
use walkdir::WalkDir;

#[derive(clap::Args)]
pub(crate) struct Options {
    /// The folder
    dir: PathBuf,
    /// Seconds of virtual time that a program gets
    #[arg(long = "for", value_name = "SECONDS", default_value_t = 120)]
    seconds: u32,
    /// Seconds of wall-clock time after which a program counts as hanging
    #[arg(long, default_value_t = 30)]
    patience: u64,
    /// Report each program
    #[arg(long, short)]
    verbose: bool,
    /// The program that plays [default: this tree's, built for release]
    #[arg(long)]
    binary: Option<PathBuf>,
}

/// How a program came out.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Result {
    /// It ended without an error.
    Ended,
    /// It was still doing its work when its time was over, or waits for something from outside.
    GoesOn,
    /// It needs a package that is not installed.
    Needs(String),
    /// It failed, for this reason.
    Failed(String),
}

pub(crate) fn run(options: &Options) -> Outcome {
    let binary = options.binary.clone().map_or_else(tools::release_binary, Ok)?;
    let mut all = Vec::new();
    for path in programs(&options.dir)? {
        let name = path.strip_prefix(&options.dir).unwrap_or(&path).to_string_lossy().into_owned();
        let result = one(&binary, &path, options)?;
        if options.verbose {
            println!("{name}: {}", result.words());
        }
        all.push((name, result));
    }
    report(&all);
    Ok(())
}

/// Returns every `.py` below a folder, sorted.
fn programs(dir: &Path) -> std::result::Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    for entry in WalkDir::new(dir).sort_by_file_name() {
        let entry = entry.map_err(|e| e.to_string())?;
        if entry.file_type().is_file() && entry.path().extension().is_some_and(|e| e == "py") {
            found.push(entry.into_path());
        }
    }
    if found.is_empty() { Err(format!("{} has no .py", dir.display())) } else { Ok(found) }
}

fn one(binary: &Path, path: &Path, options: &Options) -> std::result::Result<Result, String> {
    let place = tools::TempDir::new("programs")?;
    let input = place.path().join("input");
    std::fs::write(&input, "\n".repeat(1_000)).map_err(|e| format!("{}: {e}", input.display()))?;
    let seconds = options.seconds.to_string();
    let how = play::How {
        clock: &["--virtual-time", "--for", &seconds],
        input: Some(&input),
        patience: Duration::from_secs(options.patience),
    };
    let played = play::play_for(binary, path, &how, &[], &place.path().join("trace.jsonl"))?;
    Ok(result(&played))
}

fn result(played: &Played) -> Result {
    let failed = |why: String| Result::Failed(why);
    match &played.end {
        End::Hang => failed("hangs".to_owned()),
        End::Crash => failed(format!("crashes: {}", first_line(&played.why))),
        End::Unread | End::Refused => failed(format!("is not read: {}", first_line(&played.why))),
        End::Reason(reason) => match (played.errors.first(), played.missing.first()) {
            (_, Some(missing)) => failed(format!("calls {}, which is not simulated", missing.message)),
            (Some(error), None) => of_error(error),
            (None, None) if reason == "ended" => Result::Ended,
            (None, None) if matches!(reason.as_str(), "limit" | "waiting") => Result::GoesOn,
            (None, None) => failed(format!("run: {reason}")),
        },
    }
}

fn of_error(error: &Error) -> Result {
    let Error { kind, message, .. } = error;
    match kind.as_str() {
        "ModuleNotFoundError" | "ImportError" => match message.strip_prefix("No module named ") {
            Some(name) => Result::Needs(name.trim_matches('\'').split('.').next().unwrap_or_default().to_owned()),
            None => Result::Failed(format!("{kind}: {}", first_line(message))),
        },
        "SystemExit" => Result::Failed("leaves with an error, such as for missing arguments".to_owned()),
        "SyntaxError" | "IndentationError" | "TabError" => {
            Result::Failed(format!("does not compile: {}", first_line(message)))
        }
        _ => Result::Failed(format!("{kind}: {}", first_line(message))),
    }
}

fn first_line(text: &str) -> &str {
    text.trim().lines().next().unwrap_or_default()
}

impl Result {
    fn words(&self) -> String {
        match self {
            Result::Ended => "ended".to_owned(),
            Result::GoesOn => "goes on".to_owned(),
            Result::Needs(package) => format!("needs {package}"),
            Result::Failed(why) => format!("failed: {why}"),
        }
    }
}

fn report(all: &[(String, Result)]) {
    let count = |which: fn(&Result) -> bool| all.iter().filter(|(_, result)| which(result)).count();
    let ended = count(|result| *result == Result::Ended);
    let on = count(|result| *result == Result::GoesOn);
    let needs = count(|result| matches!(result, Result::Needs(_)));
    let mut causes: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (name, result) in all {
        if matches!(result, Result::Needs(_) | Result::Failed(_)) {
            causes.entry(result.words()).or_default().push(name);
        }
    }
    let mut causes: Vec<_> = causes.into_iter().collect();
    causes.sort_by_key(|(cause, names)| (std::cmp::Reverse(names.len()), cause.clone()));
    for (cause, names) in causes {
        println!("{:5}  {cause} ({}{})", names.len(), names[0], if names.len() > 1 { ", …" } else { "" });
    }
    let able = all.len() - needs;
    let share = 100.0 * (ended + on) as f64 / able.max(1) as f64;
    println!(
        "{} programs: {ended} ended, {on} go on, {} failed, {needs} need a package that is not installed; \
         of those that need none {share:.1} % end or go on",
        all.len(),
        able - ended - on,
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(reason: &str, errors: &[(&str, &str)], missing: &[&str]) -> Played {
        let error = |kind: &str, message: &str| Error {
            path: "root/a".to_owned(),
            line: 1,
            kind: kind.to_owned(),
            message: message.to_owned(),
        };
        Played {
            end: End::Reason(reason.to_owned()),
            errors: errors.iter().map(|(kind, message)| error(kind, message)).collect(),
            missing: missing.iter().map(|name| error("Unsupported", name)).collect(),
            ..Played::default()
        }
    }

    #[test]
    fn causes_are_told_apart() {
        assert_eq!(result(&played("ended", &[], &[])), Result::Ended);
        assert_eq!(result(&played("waiting", &[], &[])), Result::GoesOn);
        assert_eq!(result(&played("limit", &[], &[])), Result::GoesOn);
        let missing = [("ModuleNotFoundError", "No module named 'cv2.aruco'")];
        assert_eq!(result(&played("failed", &missing, &[])), Result::Needs("cv2".to_owned()));
        let words = |played: Played| result(&played).words();
        assert_eq!(words(played("failed", &[("KeyError", "'x'\nmore")], &[])), "failed: KeyError: 'x'");
        let unknown = played("failed", &[("AttributeError", "x")], &["ALX.y"]);
        assert_eq!(words(unknown), "failed: calls ALX.y, which is not simulated");
        assert_eq!(words(Played { end: End::Hang, ..Played::default() }), "failed: hangs");
        assert_eq!(words(played("deadlock", &[], &[])), "failed: run: deadlock");
    }
}
