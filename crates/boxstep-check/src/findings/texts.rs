//! Reading of topics and dialogs as the player reads them: what it refuses is an error here, too.

use super::projects::Found;
use boxstep_dialog::Topic;
use boxstep_dialog::encoding::{NotText, not_text};
use boxstep_dialog::files::{FileError, open_topic, topic_at};
use boxstep_format::codes::{BAD_ENCODING, LIMIT, UNREADABLE_FILE};
use boxstep_format::project::{self, DialogFile};
use boxstep_format::{FormatError, Limits};
use boxstep_types::{Diagnostic, Sources};
use std::path::Path;

/// Reads a topic. `shown` is its name in messages.
///
/// # Errors
/// Why the player cannot read it.
pub(super) fn read_topic(path: &Path, shown: &str) -> Result<Topic, Box<Found>> {
    match open_topic(path) {
        Ok(files) => Ok(named(files.topic, shown)),
        Err(why) => Err(Found::about(shown, refusal(shown, why))),
    }
}

/// Reads a topic whose file will have this text.
pub(super) fn topic_of_text(path: &Path, shown: &str, text: &str) -> Topic {
    named(topic_at(path, text).topic, shown)
}

fn named(mut topic: Topic, shown: &str) -> Topic {
    let mut sources = Sources::new();
    topic.file = sources.add(shown, topic.text());
    topic.sources = sources;
    topic
}

/// Reads a dialog (`.dlg`). `shown` is its name in messages.
///
/// # Errors
/// Why the player cannot read it.
pub(super) fn read_dialog(path: &Path, shown: &str) -> Result<DialogFile, Box<Found>> {
    let bytes = bytes(path).map_err(|why| Found::about(shown, unreadable(shown, &why)))?;
    if let Some(why) = not_text(&bytes) {
        return Err(Found::about(shown, not_utf_8(why)));
    }
    let refused = |e: FormatError| Found::about(shown, e.diagnostic());
    project::read_dialog(shown, &bytes, &Limits::default()).map_err(refused)
}

fn refusal(shown: &str, why: FileError) -> Diagnostic {
    match why {
        FileError::Unreadable(_, why) => unreadable(shown, &why),
        FileError::TooLarge(_) => Diagnostic::error(LIMIT, format!("cannot read {shown}: it is too large for a topic")),
        FileError::NotText(_, why) => not_utf_8(why),
        other => unreadable(shown, &other.to_string()),
    }
}

fn bytes(path: &Path) -> Result<Vec<u8>, String> {
    // Opening a pipe would block until its other end is opened.
    if !path.metadata().map_err(|e| e.to_string())?.is_file() {
        return Err("it is not a regular file".to_owned());
    }
    std::fs::read(path).map_err(|e| e.to_string())
}

fn unreadable(shown: &str, why: &str) -> Diagnostic {
    Diagnostic::error(UNREADABLE_FILE, format!("cannot read {shown}: {why}"))
}

/// Returns the finding about a topic or dialog that is not text in UTF-8.
fn not_utf_8(why: NotText) -> Diagnostic {
    let message = format!("{}, and dialogs and topics are read in UTF-8 only", why.why);
    Diagnostic::error(BAD_ENCODING, message).help(why.help)
}

/// Returns the name in messages of the file at `path`, which a file with the name `shown` names.
pub(super) fn shown_beside(shown: &str, path: &str) -> String {
    let mut parts: Vec<&str> = shown.split(std::path::is_separator).collect();
    parts.pop();
    for part in path.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| !matches!(*last, "" | "." | "..")) => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::shown_beside;

    #[test]
    fn names_in_messages_are_those_that_a_user_can_open() {
        for (shown, path, wanted) in [
            ("t.top", "more.top", "more.top"),
            ("b/behavior.xar", "../d/d.dlg", "d/d.dlg"),
            ("behavior.xar", "../d/d.dlg", "../d/d.dlg"),
            ("../behavior.xar", "../d.dlg", "../../d.dlg"),
            ("./b/behavior.xar", "./d\\d.dlg", "./b/d/d.dlg"),
            ("/a/b/behavior.xar", "../d.dlg", "/a/d.dlg"),
            ("a.crg/b/behavior.xar", "d.dlg", "a.crg/b/d.dlg"),
        ] {
            assert_eq!(shown_beside(shown, path), wanted);
        }
    }
}
