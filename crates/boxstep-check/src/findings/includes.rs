//! Checks of `include:` lines: what they name is there, and the player can load it.

use super::dialogs;
use super::texts::{read_topic, shown_beside};
use crate::codes;
use boxstep_dialog::codes::NO_INCLUDE;
use boxstep_dialog::topic::{Topic, Word};
use boxstep_dialog::{Known, problems};
use boxstep_types::{Diagnostic, Severity, Sources, Span, languages, meant};
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

/// The most topics that one topic brings.
const MOST_TOPICS: usize = 1_000;

/// Returns the findings about the `include:` lines of a topic, with the texts that they refer to. What the included
/// topics define is added to `known`.
pub(super) fn check(path: &Path, topic: &Topic, known: &mut Known) -> (Vec<Diagnostic>, Sources) {
    let mut sources = topic.sources.clone();
    let mut included = Included { known, seen: BTreeSet::from([real(path)]) };
    let mut found = Vec::new();
    for include in &topic.includes {
        let error = included.add(path, topic, include);
        if let Some(problem) = problem(topic, include) {
            found.push(not_read(path, topic, include, problem));
        } else if let Some((broken, error)) = error {
            found.push(not_loaded(include, &broken, error, &mut sources));
        }
    }
    (found, sources)
}

/// The topics that a topic includes, and that those include.
struct Included<'a> {
    known: &'a mut Known,
    seen: BTreeSet<PathBuf>,
}

impl Included<'_> {
    /// Adds what an `include:` line of a topic brings. Returns the first error of it that the player finds, and the
    /// topic that has the error.
    fn add(&mut self, path: &Path, topic: &Topic, include: &Word) -> Option<(Topic, Diagnostic)> {
        let file = inside(path, &include.text).filter(|file| problem(topic, include).is_none() && file.is_file());
        let Some(file) = file else {
            // A robot's lexicons have more than those of Boxstep.
            self.known.unread = true;
            return None;
        };
        if self.seen.len() >= MOST_TOPICS || !self.seen.insert(real(&file)) {
            return None;
        }
        let topic = read_topic(&file, &shown_beside(topic.sources.name(topic.file), &include.text)).ok()?;
        self.known.add(&topic);
        let mut inner = None;
        for include in &topic.includes {
            let error = self.add(&file, &topic, include);
            inner = inner.or(error);
        }
        match first_error(&topic) {
            Some(error) => Some((topic, error)),
            None => inner,
        }
    }
}

fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// Returns what the player says about an `include:` line that it does not follow.
fn problem<'a>(topic: &'a Topic, include: &Word) -> Option<&'a Diagnostic> {
    topic.problems.iter().find(|problem| problem.code == NO_INCLUDE && problem.span == Some(include.span))
}

/// Returns the first error for which the player does not load a topic.
fn first_error(topic: &Topic) -> Option<Diagnostic> {
    let all = problems(topic).into_iter().chain(dialogs::named(topic, ""));
    all.into_iter().find(|problem| problem.severity == Severity::Error)
}

/// Returns the path of an included file, as the player resolves it: in the folder of the topic `path` or below it.
/// `None` for any other path.
fn inside(path: &Path, name: &str) -> Option<PathBuf> {
    let name = name.replace('\\', "/");
    let parts = || Path::new(&name).components();
    let is_plain = !name.is_empty() && parts().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    is_plain.then(|| path.parent().unwrap_or(Path::new("")).join(&name))
}

/// Returns the finding about an included file with an error.
fn not_loaded(include: &Word, broken: &Topic, error: Diagnostic, sources: &mut Sources) -> Diagnostic {
    let name = broken.sources.name(broken.file);
    let file = sources.add(name, broken.text());
    let message = format!("the topic cannot be loaded, because the included `{}` has an error", include.text);
    let finding = Diagnostic::error(codes::BROKEN_INCLUDE, message).at(include.span);
    let finding = finding.with_note(error.span.map(|span| Span { file, ..span }), error.message);
    finding.help(format!("correct {name}: a topic and those that it includes are loaded together"))
}

/// Returns the finding about an `include:` line that the player does not follow.
fn not_read(path: &Path, topic: &Topic, include: &Word, problem: &Diagnostic) -> Diagnostic {
    let name = include.text.as_str();
    let warning = |message: String| Diagnostic::warning(NO_INCLUDE, message).at(include.span);
    let Some(file) = inside(path, name) else {
        if name.is_empty() {
            return warning("`include:` names no file".to_owned());
        }
        let message = format!("the included `{name}` is outside of the topic's folder, and Boxstep does not read it");
        return warning(message).help("put a copy into the folder of this topic or below it, and include that");
    };
    if file.is_file() {
        let refused = read_topic(&file, &shown_beside(topic.sources.name(topic.file), name)).err();
        let why = refused.map_or_else(|| problem.clone(), |refused| refused.finding);
        let finding = warning(format!("Boxstep does not read the included `{name}`: {}", why.message));
        return Diagnostic { help: why.help, ..finding };
    }
    warning(format!("the included topic `{name}` is not there")).help(advice(path, name))
}

/// Returns what to do about an included file that is not there.
fn advice(path: &Path, name: &str) -> String {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    if let Some(code) = file.strip_prefix("lexicon_").and_then(|rest| rest.strip_suffix(".top")) {
        return about_lexicon(file, code);
    }
    let plain = name.trim_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '\''));
    if plain != name {
        return "write the name of the file without quotation marks".to_owned();
    }
    if name.contains(['/', '\\']) {
        return "it is looked for in the folder of this topic and below it; topics of other applications are only on a \
                robot that has these"
            .to_owned();
    }
    let names = std::fs::read_dir(path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new(".")));
    let names = names.into_iter().flatten().flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let names: Vec<String> = names.filter(|name| name.ends_with(".top")).collect();
    let own = path.file_name().map(|own| own.to_string_lossy());
    let others = names.iter().map(String::as_str).filter(|name| own.as_deref() != Some(name));
    meant(name, others)
        .unwrap_or_else(|| "included topics are in the folder of the topic that includes them".to_owned())
}

/// Returns what to do about a lexicon that neither the topic's folder nor Boxstep has.
fn about_lexicon(file: &str, code: &str) -> String {
    let codes = || languages::language_names().filter_map(languages::topic_code);
    if codes().any(|known| known == code) {
        let language = languages::language_name(code).unwrap_or(code);
        return format!(
            "Boxstep has no lexicon in {language}, and plays the topic without it; a robot may have one. \
             A file of this name beside the topic is read"
        );
    }
    let lexicons: Vec<String> = codes().map(|code| format!("lexicon_{code}.top")).collect();
    let meant = meant(file, lexicons.iter().map(String::as_str));
    meant.unwrap_or_else(|| format!("`{code}` is not the code of a language; English is `lexicon_enu.top`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn includes_stay_in_the_folder() {
        let path = |name: &str| inside(Path::new("a/t.top"), name);
        assert_eq!(path("b\\./c.top"), Some(PathBuf::from("a/b/./c.top")));
        for outside in ["", "../c.top", "b/../c.top", "/c.top", "..\\c.top"] {
            assert_eq!(path(outside), None, "{outside}");
        }
    }

    #[test]
    fn lexicons_of_languages_that_boxstep_does_not_speak() {
        let advice = |name: &str| advice(Path::new("none/t.top"), name);
        assert!(advice("../x/lexicon_kok.top").starts_with("Boxstep has no lexicon in Korean"));
        assert_eq!(advice("lexicon_emu.top"), "did you mean `lexicon_enu.top`?");
        assert!(advice("lexicon_english.top").starts_with("`english` is not the code of a language"));
    }
}
