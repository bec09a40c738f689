//! Checks of dialogs: a `.dlg`, and the heads of the topics that it names. Their rules are checked in [`super::topics`].

use super::topics;
use crate::codes;
use boxstep_dialog::Topic;
use boxstep_format::Problem;
use boxstep_format::project::{DialogFile, Word, inside, known_language};
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
    let topic = topics::read(topic, &topic.to_string_lossy()).ok()?;
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
        let message = "the topic does not say its name: `topic: ~name()`";
        return Some(Diagnostic::warning(codes::BAD_CONTENT, message).at(topics::start(topic)));
    };
    let differ = !name.is_empty() && !own.text.is_empty() && *own.text != *name;
    let message = format!("the topic is called \"{}\" and listed as \"{name}\"", own.text);
    let finding = Diagnostic::warning(codes::CONTENT_MISMATCH, message);
    differ.then(|| finding.help("the dialog engine knows it by its own name").at(own.span))
}

fn of_language(topic: &Topic, language: &str) -> Option<Diagnostic> {
    let Some(own) = &topic.language else {
        let message = "the topic does not say its language: `language: enu`";
        return Some(Diagnostic::warning(codes::BAD_CONTENT, message).at(topics::start(topic)));
    };
    let differ = known_language(&own.text).zip(known_language(language)).is_some_and(|(a, b)| a != b);
    let message = format!("the topic says `language: {}` and is listed as {language}", own.text);
    differ.then(|| Diagnostic::warning(codes::CONTENT_MISMATCH, message).at(own.span))
}
