//! Checks of dialogs: a `.dlg` and the topics that it names. The rules in topics are not interpreted.

use crate::codes;
use boxstep_format::project::{DialogFile, TopicFile, Word, inside, known_language, read_topic};
use boxstep_format::{Limits, Problem};
use boxstep_types::{Diagnostic, Span};
use std::path::Path;

/// Returns the findings about a `.dlg` and the topics that it names, with spans in the `.dlg`. `base` is the folder of
/// the `.dlg`, relative to the project's folder `root`.
pub(super) fn dialog(dialog: &DialogFile, root: &Path, base: &str) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let first_line = Span { end: dialog.span.start, ..dialog.span };
    if dialog.name.as_ref().is_none_or(|name| name.text.is_empty()) {
        let message = "the dialog does not begin with `multilanguage:` and its name";
        found.push(Diagnostic::warning(codes::BAD_CONTENT, message).at(first_line));
    }
    if dialog.topics.is_empty() {
        found.push(Diagnostic::warning(codes::BAD_CONTENT, "the dialog names no topic").at(first_line));
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
        match inside(root, base, &topic.path.text) {
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
    found
}

/// Returns a finding if a topic declares another language than the dialog lists it under. Unreadable topics are
/// reported where the project lists them.
fn other_language(listed: &Word, topic: &Path) -> Option<Diagnostic> {
    let bytes = std::fs::read(topic).ok()?;
    let topic = read_topic(&topic.to_string_lossy(), &bytes, &Limits::default()).ok()?;
    let own = topic.language?;
    let (listed_as, is) = (known_language(&listed.text)?, known_language(&own.text)?);
    let message = format!("the topic is listed as `{}` and says `language: {}`", listed.text, own.text);
    (listed_as != is).then(|| Diagnostic::warning(codes::CONTENT_MISMATCH, message).at(listed.span))
}

/// Returns the findings about the head of a `.top` that is listed with this name and language, either of which may be
/// empty.
pub(super) fn topic(topic: &TopicFile, name: &str, language: &str) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let first_line = Span { end: topic.span.start, ..topic.span };
    match &topic.name {
        None => {
            let message = "the topic does not say its name: `topic: ~name()`";
            found.push(Diagnostic::warning(codes::BAD_CONTENT, message).at(first_line));
        }
        Some(own) if !name.is_empty() && own.text != name => {
            let message = format!("the topic is called \"{}\" and listed as \"{name}\"", own.text);
            let finding = Diagnostic::warning(codes::CONTENT_MISMATCH, message);
            found.push(finding.help("the dialog engine knows it by its own name").at(own.span));
        }
        Some(_) => {}
    }
    match &topic.language {
        None => {
            let message = "the topic does not say its language: `language: enu`";
            found.push(Diagnostic::warning(codes::BAD_CONTENT, message).at(first_line));
        }
        Some(own) => {
            let differ = known_language(&own.text).zip(known_language(language)).is_some_and(|(a, b)| a != b);
            if differ {
                let message = format!("the topic says `language: {}` and is listed as {language}", own.text);
                found.push(Diagnostic::warning(codes::CONTENT_MISMATCH, message).at(own.span));
            }
        }
    }
    found
}
