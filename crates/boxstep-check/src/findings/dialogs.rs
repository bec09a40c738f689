//! Checks of dialogs: a `.dlg`, and the heads of the topics that it names. Their rules are checked in [`super::topics`].

use super::files::{Project, project_of};
use super::projects::Found;
use super::texts::{read_dialog, read_topic, shown_beside};
use crate::codes;
use boxstep_dialog::Topic;
use boxstep_dialog::topic::PartKind;
use boxstep_format::Problem;
use boxstep_format::project::{DialogFile, DialogTopic, Word, inside, known_language};
use boxstep_types::{Diagnostic, Span};
use std::path::{Path, PathBuf};

/// A dialog (`.dlg`) that was checked by itself.
#[derive(Clone, Debug)]
pub struct CheckedDialog {
    /// The findings about its own lines.
    pub findings: Vec<Found>,
    /// The topics that it names, which are not checked: their paths, and their names in messages.
    pub topics: Vec<(PathBuf, String)>,
}

/// Checks a dialog that was named by itself. `shown` is its name in messages.
///
/// # Errors
/// Why the file cannot be read.
pub fn dialog_file(path: &Path, shown: &str) -> Result<CheckedDialog, Box<Found>> {
    let read = read_dialog(path, shown)?;
    let project = project_of(folder_of(path));
    let findings = dialog(&read, &project).into_iter();
    let findings = findings.map(|finding| Found { finding, sources: read.sources.clone(), file: shown.to_owned() });
    let topics = topics(&read, &project).map(|(topic, file)| (file, shown_beside(shown, &topic.path.text)));
    Ok(CheckedDialog { findings: findings.collect(), topics: topics.collect() })
}

/// Returns the topics that a dialog names and that are there. `project` is that of the dialog's folder.
pub(super) fn topics<'a>(
    dialog: &'a DialogFile,
    project: &'a Project,
) -> impl Iterator<Item = (&'a DialogTopic, PathBuf)> {
    dialog.topics.iter().filter_map(|topic| {
        let file = inside(&project.root, &project.base, &topic.path.text).ok()?;
        file.is_file().then_some((topic, file))
    })
}

/// Returns the real paths of a dialog file, which may be a topic itself, and of the topics that it names.
pub(super) fn paths(file: &Path) -> Vec<PathBuf> {
    let project = project_of(folder_of(file));
    let read = if ends(file, "dlg") { read_dialog(file, "").ok() } else { None };
    let topics = read.iter().flat_map(|dialog| topics(dialog, &project).map(|(_, file)| file));
    [file.to_owned()].into_iter().chain(topics).filter_map(|file| file.canonicalize().ok()).collect()
}

/// Whether the name of a file has this extension.
pub(super) fn ends(file: &Path, with: &str) -> bool {
    file.extension().is_some_and(|e| e.eq_ignore_ascii_case(with))
}

/// The folder of a file.
pub(super) fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Returns the findings about a `.dlg` and the topics that it names, with spans in the `.dlg`. `project` is that of the
/// dialog's folder.
pub(super) fn dialog(dialog: &DialogFile, project: &Project) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let first_line = Span { end: dialog.span.start, ..dialog.span };
    if dialog.name.as_ref().is_none_or(|name| name.text.is_empty()) {
        let message = "the dialog does not begin with `multilanguage:` and its name";
        found.push(Diagnostic::warning(codes::BAD_CONTENT, message).at(first_line));
    }
    if dialog.topics.is_empty() {
        let finding = Diagnostic::error(codes::BAD_CONTENT, "the dialog names no topic").at(first_line);
        found.push(finding.help("a line for each language: `enu:hello_enu.top`"));
    }
    for strange in &dialog.strange {
        let message = "a line of a dialog is the code of a language, `:` and a topic file";
        found.push(Diagnostic::warning(codes::BAD_CONTENT, message).at(strange.span));
    }
    for topic in &dialog.topics {
        if known_language(&topic.language.text).is_none() {
            let message = format!("`{}` is not the code of a language", topic.language.text);
            let finding = Diagnostic::warning(codes::CONTENT_MISMATCH, message);
            found.push(finding.help("e.g. `enu`, `frf`, `jpj`").at(topic.language.span));
        }
        match inside(&project.root, &project.base, &topic.path.text) {
            Ok(_) if climbs(&topic.path.text) => {
                let message = format!("the path `{}` leads out of the dialog's folder", topic.path.text);
                let finding = Diagnostic::error(codes::PATH_ESCAPES, message).at(topic.path.span);
                found.push(finding.help("the topics of a dialog are in its folder or below it"));
            }
            Ok(full) if full.is_file() => found.extend(other_language(&topic.language, &full)),
            Ok(_) | Err(Problem::Unreadable(..)) => {
                let message = format!("the topic `{}` is not there", topic.path.text);
                let finding = Diagnostic::error(codes::MISSING_TOPIC, message).at(topic.path.span);
                found.push(finding.help("the robot does not respond in this language"));
            }
            Err(_) => {
                let message = format!("the path `{}` leads out of the project", topic.path.text);
                found.push(Diagnostic::error(codes::PATH_ESCAPES, message).at(topic.path.span));
            }
        }
    }
    found.sort_by_key(|finding| finding.span.map_or(0, |span| span.start));
    found
}

/// Whether a path goes up, which the player does not follow.
fn climbs(path: &str) -> bool {
    path.split(['/', '\\']).any(|part| part == "..")
}

/// Returns a finding if a topic declares another language than the dialog lists it under. Unreadable topics are
/// reported where the project lists them.
fn other_language(listed: &Word, topic: &Path) -> Option<Diagnostic> {
    let topic = read_topic(topic, &topic.to_string_lossy()).ok()?;
    let own = topic.language?;
    let (listed_as, is) = (known_language(&listed.text)?, known_language(&own.text)?);
    let message = format!("the topic is listed as `{}` and says `language: {}`", listed.text, own.text);
    (listed_as != is).then(|| Diagnostic::warning(codes::CONTENT_MISMATCH, message).at(listed.span))
}

/// Returns the findings about the head of a topic that is listed with this name and language, either of which may be
/// empty.
pub(super) fn topic(topic: &Topic, name: &str, language: &str) -> Vec<Diagnostic> {
    named(topic, name).into_iter().chain(of_language(topic, language)).collect()
}

/// Returns the finding about the name of a topic that is listed with this one.
pub(super) fn named(topic: &Topic, name: &str) -> Option<Diagnostic> {
    let Some(own) = &topic.name else {
        let is_its_line = |part: &PartKind| matches!(part, PartKind::Header(keyword) if keyword == "topic");
        // What is wrong with the line, the reader has told.
        let has_line = topic.parts.iter().any(|part| is_its_line(&part.kind));
        let message = "the topic does not say its name: `topic: ~name()`";
        let finding = Diagnostic::error(codes::BAD_CONTENT, message).at(start(topic));
        return (!has_line).then(|| finding.help("a file without this line is not loaded"));
    };
    let differ = !name.is_empty() && !own.text.is_empty() && *own.text != *name;
    let message = format!("the topic is called \"{}\" and listed as \"{name}\"", own.text);
    let finding = Diagnostic::warning(codes::CONTENT_MISMATCH, message);
    differ.then(|| finding.help("the dialog engine knows it by its own name").at(own.span))
}

fn of_language(topic: &Topic, language: &str) -> Option<Diagnostic> {
    // A file without anything lacks more than its language.
    if topic.text().trim().is_empty() {
        return None;
    }
    let Some(own) = &topic.language else {
        let message = "the topic does not say its language: `language: enu`";
        return Some(Diagnostic::warning(codes::BAD_CONTENT, message).at(start(topic)));
    };
    let differ = known_language(&own.text).zip(known_language(language)).is_some_and(|(a, b)| a != b);
    let message = format!("the topic says `language: {}` and is listed as {language}", own.text);
    differ.then(|| Diagnostic::warning(codes::CONTENT_MISMATCH, message).at(own.span))
}

/// The start of a topic, for findings about what it does not have.
fn start(topic: &Topic) -> Span {
    Span { file: topic.file, start: 0, end: 0 }
}
