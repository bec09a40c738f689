//! `boxstep diff`

use crate::args::{DiffArgs, DiffFormat};
use crate::failure::Failure;
use crate::terminal::Reader;
use crate::topic_errors::tell_errors;
use crate::{exit, files, open, output, scenario};
use boxstep_api::play::body_of_files;
use boxstep_dialog::files::open_topic;
use boxstep_draw::diff::Diff;
use boxstep_format::{Limits, XarFile};
use boxstep_record::{Comparison, compare};
use std::path::Path;

/// Prints the differences. The exit code is 1 if there are any.
pub(crate) fn run(args: &DiffArgs) -> Result<i32, Failure> {
    let (Some(old_path), Some(new_path)) = (&args.old, &args.new) else { return driver(args) };
    let format = output::format(args.format, &args.output, ENDINGS, DiffFormat::Text)?;
    match (boxstep_record::is_recording(old_path), boxstep_record::is_recording(new_path)) {
        (true, true) => return recordings(args, old_path, new_path, format),
        (false, false) => {}
        (old, _) => {
            let (recording, other) = if old { (old_path, new_path) } else { (new_path, old_path) };
            let (recording, other) = (recording.display(), other.display());
            return Err(Failure::Usage(format!(
                "{recording} is a recording, and {other} is not: compare two recordings or two behaviors"
            )));
        }
    }
    if files::is_topic(old_path) && files::is_topic(new_path) {
        return topics(args, old_path, new_path, format);
    }
    let old = open::behavior(old_path, args.behavior.as_deref())?;
    let new = open::behavior(new_path, args.behavior.as_deref())?;
    let diff = Diff::new(&old.file, &new.file);
    let code = if diff.is_same() { exit::OK } else { exit::DIFFERENT };
    if args.quiet {
        return Ok(code);
    }
    let names = (old_path.display().to_string(), new_path.display().to_string());
    let text = match format {
        DiffFormat::Text => diff.text(&names.0, &names.1, args.output.file.is_none()),
        DiffFormat::Json => diff.json(&names.0, &names.1),
        DiffFormat::Html => {
            let kind = body_of_files(new.robots(), &new.file.project).0;
            diff.html(&names.0, &names.1, kind.body())
        }
    };
    output::write(&args.output, &text, format.reader())?;
    Ok(code)
}

/// Compares two topics of dialogs.
fn topics(args: &DiffArgs, old: &Path, new: &Path, format: DiffFormat) -> Result<i32, Failure> {
    if format != DiffFormat::Text {
        return Err(Failure::Usage("topics are compared as text: leave --format out".to_owned()));
    }
    let read = |path: &Path| open_topic(path).map_err(|why| Failure::Usage(why.to_string()));
    let (old, new) = (read(old)?.topic, read(new)?.topic);
    tell_errors([&old, &new])?;
    let text = boxstep_draw::topic_diff(&old, &new);
    let code = if text.is_empty() { exit::OK } else { exit::DIFFERENT };
    if !args.quiet {
        output::write(&args.output, &text, format.reader())?;
    }
    Ok(code)
}

/// Compares two recordings and prints where they differ first.
fn recordings(args: &DiffArgs, old: &Path, new: &Path, format: DiffFormat) -> Result<i32, Failure> {
    if args.behavior.is_some() {
        return Err(Failure::Usage("--behavior is for files of behaviors: a recording is of one run".to_owned()));
    }
    let found = recorded(&scenario::recording(old)?, &scenario::recording(new)?, old, new)?;
    if !args.quiet {
        output::write(&args.output, &rendered(&found, format)?, format.reader())?;
    }
    Ok(if found.parting.is_none() { exit::OK } else { exit::DIFFERENT })
}

/// Compares two recordings line by line.
pub(crate) fn recorded(left: &str, right: &str, old: &Path, new: &Path) -> Result<Comparison, Failure> {
    compare(left, right)
        .map_err(|wrong| Failure::File((if wrong.left { old } else { new }).to_owned(), wrong.to_string()))
}

/// Formats the result of a comparison.
pub(crate) fn rendered(found: &Comparison, format: DiffFormat) -> Result<String, Failure> {
    match format {
        DiffFormat::Text => Ok(found.to_string()),
        DiffFormat::Json => Ok(format!("{:#}\n", found.json())),
        DiffFormat::Html => Err(Failure::Usage("recordings are compared as text or json, and not as html".to_owned())),
    }
}

/// Runs as git's diff driver. Its arguments are: path, old file with its hash and mode, new file with its hash and
/// mode, and for a renamed file the new path and the similarity. Git takes any exit code but 0 for a crash and then
/// skips all further files, so a file that cannot be compared is reported in the output and is no failure.
fn driver(args: &DiffArgs) -> Result<i32, Failure> {
    let word = |i: usize| args.git.get(i).map(|p| p.display().to_string());
    let name = word(0).unwrap_or_default();
    let gone = |path: &Path| path.as_os_str() == "/dev/null" || path.as_os_str() == "nul";
    let text = match (args.git.get(1), args.git.get(4)) {
        (Some(old), _) if gone(old) => format!("{name}: added\n"),
        (_, Some(new)) if gone(new) => format!("{name}: removed\n"),
        (Some(old), Some(new)) => {
            let mut notes = Vec::new();
            notes.extend(word(7).map(|_| "renamed".to_owned()));
            let (old_mode, new_mode) = (word(3).unwrap_or_default(), word(6).unwrap_or_default());
            if old_mode != new_mode {
                notes.push(format!("mode {old_mode} → {new_mode}"));
            }
            let names = (format!("a/{name}"), format!("b/{}", word(7).unwrap_or_else(|| name.clone())));
            let text = compared(old, new, &names, &mut notes);
            let heading = if notes.is_empty() {
                String::new()
            } else {
                format!("{} → {}: {}\n", names.0, names.1, notes.join(", "))
            };
            heading + &text
        }
        _ => format!("{name}: unmerged\n"),
    };
    output::write(&args.output, &text, Reader::People)?;
    Ok(exit::OK)
}

/// Returns the differences of a file, as a behavior or else as lines of text. Short remarks are added to `notes`.
fn compared(old: &Path, new: &Path, names: &(String, String), notes: &mut Vec<String>) -> String {
    let (Ok(before), Ok(after)) = (std::fs::read(old), std::fs::read(new)) else {
        notes.push("cannot be compared: git's copies cannot be read".to_owned());
        return String::new();
    };
    match (read(old), read(new)) {
        (Ok(a), Ok(b)) => {
            let text = Diff::new(&a, &b).text(&names.0, &names.1, true);
            if text.is_empty() && before != after {
                notes.push("only the layout changed".to_owned());
            }
            text
        }
        (Err(why), _) | (_, Err(why)) => {
            notes.push(format!("cannot be compared: {why}"));
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            boxstep_draw::diff::lines(&text(&before), &text(&after), &names.0, &names.1)
        }
    }
}

/// Reads a behavior.
///
/// # Errors
/// The reason in one line.
fn read(path: &Path) -> Result<XarFile, String> {
    let limits = Limits::default();
    let opened = boxstep_format::open(path, &limits).map_err(|e| e.to_string())?;
    let behavior = opened.default_behavior().ok_or("it has several behaviors")?;
    behavior.read(&limits).map_err(|e| e.to_string())
}

pub(super) const ENDINGS: &[(&str, DiffFormat)] = &[
    ("txt", DiffFormat::Text),
    ("diff", DiffFormat::Text),
    ("json", DiffFormat::Json),
    ("html", DiffFormat::Html),
    ("htm", DiffFormat::Html),
];
