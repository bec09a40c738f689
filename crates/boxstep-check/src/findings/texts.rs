//! Reading of topics and dialogs as the player reads them: what it refuses is an error here, too.

use super::projects::Found;
use boxstep_dialog::Topic;
use boxstep_dialog::files::{FileError, open_topic};
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
    let mut topic = match open_topic(path) {
        Ok(files) => files.topic,
        Err(why) => return Err(Found::about(shown, refusal(path, shown, why))),
    };
    let mut sources = Sources::new();
    topic.file = sources.add(shown, topic.text());
    topic.sources = sources;
    Ok(topic)
}

/// Reads a dialog (`.dlg`). `shown` is its name in messages.
///
/// # Errors
/// Why the player cannot read it.
pub(super) fn read_dialog(path: &Path, shown: &str) -> Result<DialogFile, Box<Found>> {
    let bytes = bytes(path).map_err(|why| Found::about(shown, unreadable(shown, &why)))?;
    if let Some(finding) = not_utf_8(&bytes) {
        return Err(Found::about(shown, finding));
    }
    let refused = |e: FormatError| Found::about(shown, e.diagnostic());
    project::read_dialog(shown, &bytes, &Limits::default()).map_err(refused)
}

fn refusal(path: &Path, shown: &str, why: FileError) -> Diagnostic {
    match why {
        FileError::Unreadable(_, why) => unreadable(shown, &why),
        FileError::TooLarge(_) => Diagnostic::error(LIMIT, format!("cannot read {shown}: it is too large for a topic")),
        FileError::NotText(_) => {
            let finding = not_utf_8(&bytes(path).unwrap_or_default());
            finding.unwrap_or_else(|| unreadable(shown, "it is not text in UTF-8"))
        }
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

/// Returns a finding if the bytes of a topic or dialog are not UTF-8.
fn not_utf_8(bytes: &[u8]) -> Option<Diagnostic> {
    let at = std::str::from_utf8(bytes).err()?.valid_up_to();
    let is_utf_16 = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
    let (why, from) = match is_utf_16 {
        true => ("the file is in UTF-16".to_owned(), "UTF-16"),
        false => (format!("byte {at} of the file is not UTF-8 text"), "LATIN1"),
    };
    let message = format!("{why}, and dialogs and topics are read in UTF-8 only");
    let help = format!("save it as UTF-8 in an editor, or convert it: `iconv -f {from} -t UTF-8 OLD > NEW`");
    Some(Diagnostic::error(BAD_ENCODING, message).help(help))
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
