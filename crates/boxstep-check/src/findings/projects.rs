//! What is wrong with a project or package around its behaviors: the files that it lists, its manifest, its dialogs
//! and translations.

use super::dialogs;
use super::unlisted::unlisted;
use crate::codes;
use boxstep_format::project::{Listed, Part, PartFault, ProjectContents, inside, known_language, language_code};
use boxstep_format::split::ROOT;
use boxstep_format::{FormatError, Limits, Opened, Problem};
use boxstep_types::{Diagnostic, Sources};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A finding about a file of a project.
#[derive(Clone, Debug)]
pub struct Found {
    /// The finding.
    pub finding: Diagnostic,
    /// What its places point into.
    pub sources: Sources,
    /// The file, for a finding without a place.
    pub file: String,
}

/// What is wrong with a project around its behaviors. `path` is what the user named; `language` the one that its
/// texts are wanted in, if one is.
pub fn project(opened: &Opened, path: &Path, language: Option<&str>) -> Vec<Found> {
    let mut found = ProjectView { opened, path: path.to_string_lossy().into_owned(), found: Vec::new() };
    found.as_opened();
    found.behaviors_of_manifest();
    let contents = opened.contents(&Limits::default());
    found.dialogs(&contents);
    found.translations(&contents, language);
    found.files(&contents);
    for trajectory in &contents.trajectories {
        if found.content(trajectory).is_some_and(Option::is_none) {
            let message = format!("`{}` is no drawn way: nested lists of movements", trajectory.path);
            found.listed(trajectory.listed, Diagnostic::warning(codes::BAD_CONTENT, message));
        }
    }
    for finding in unlisted(opened) {
        found.tell(finding, Sources::new());
    }
    found.found
}

/// The same of one behavior that was named by itself: its neighbours are not asked for.
pub fn of_behavior(opened: &Opened, path: &Path, language: Option<&str>) -> Vec<Found> {
    let mut found = ProjectView { opened, path: path.to_string_lossy().into_owned(), found: Vec::new() };
    found.as_opened();
    // What a robot of that language would say, if it can be read.
    if let Some(Err(e)) = language.map(|l| opened.translations(l, &Limits::default())) {
        found.unreadable(&e);
    }
    found.found
}

/// The dialogs that a project lists: their topics are told with it, and not once more with each box.
pub fn listed_dialogs(opened: &Opened) -> Vec<PathBuf> {
    let entries = opened.pml.iter().flat_map(|pml| &pml.dialogs);
    let files = entries.filter_map(|d| inside(&opened.folder, "", &d.src).ok()?.canonicalize().ok());
    files.collect()
}

/// Missing files that are named beside the first.
const MOST_NAMED: usize = 5;

struct ProjectView<'a> {
    opened: &'a Opened,
    path: String,
    found: Vec<Found>,
}

impl ProjectView<'_> {
    fn tell(&mut self, finding: Diagnostic, sources: Sources) {
        self.found.push(Found { finding, sources, file: self.path.clone() });
    }

    /// Where something is listed.
    fn listed(&mut self, listed: Listed, finding: Diagnostic) {
        let (sources, span) = match listed {
            Listed::Project(span) => (self.opened.pml.as_ref().map(|p| p.sources.clone()), Some(span)),
            Listed::Manifest(span) => (self.opened.manifest.as_ref().map(|m| m.sources.clone()), Some(span)),
            Listed::Nobody => (None, None),
        };
        let finding = Diagnostic { span, ..finding };
        self.tell(finding, sources.unwrap_or_default());
    }

    fn unreadable(&mut self, error: &FormatError) {
        let named = error.sources().name(boxstep_types::FileId(0));
        let file = if named.is_empty() { self.path.clone() } else { named.to_owned() };
        self.found.push(Found { finding: error.diagnostic(), sources: error.sources().clone(), file });
    }

    /// What was found when it was opened.
    fn as_opened(&mut self) {
        let sources = self.opened.pml.as_ref().map(|pml| pml.sources.clone()).unwrap_or_default();
        for finding in self.opened.findings.clone() {
            self.tell(finding, sources.clone());
        }
        if let Some(error) = &self.opened.manifest_error {
            self.unreadable(error);
        }
    }

    /// A manifest offers behaviors to the robot, by their folders.
    fn behaviors_of_manifest(&mut self) {
        let Some(manifest) = &self.opened.manifest else { return };
        for offered in &manifest.behaviors {
            let is_there = |xar: &str| inside(&self.opened.folder, &offered.path, xar).map(|full| full.is_file());
            let known = self.opened.behaviors.iter().any(|b| b.xar.is_file() && same(&b.name, &offered.path));
            let finding = match is_there("behavior.xar") {
                Ok(true) => continue,
                Err(Problem::Escapes(_)) => outside(&offered.path),
                _ if known || is_there(&format!("{ROOT}.xml")) == Ok(true) => continue,
                _ => {
                    let message = format!("the manifest offers the behavior `{}`, which is not there", offered.path);
                    Diagnostic::error(boxstep_format::codes::MISSING_FILE, message)
                }
            };
            self.listed(Listed::Manifest(offered.span), finding);
        }
    }

    /// Tells that a file is not there, or cannot be read; else gives what is in it.
    fn content<'p, T>(&mut self, part: &'p Part<T>) -> Option<&'p T> {
        match &part.content {
            Ok(content) => return Some(content),
            Err(PartFault::Unreadable(error)) => self.unreadable(error),
            Err(PartFault::Outside) => self.listed(part.listed, outside(&part.path)),
            // An entry without a path is told as such.
            Err(PartFault::Missing) if part.path.is_empty() => {}
            Err(PartFault::Missing) => {
                let code = boxstep_format::codes::MISSING_FILE;
                let finding = Diagnostic::warning(code, format!("the file `{}` is not there", part.path));
                self.listed(part.listed, finding);
            }
        }
        None
    }

    /// Of images, pages and libraries a project may have hundreds: those that are missing are one finding.
    fn files(&mut self, contents: &ProjectContents) {
        let missing = |f: &&Part<()>| matches!(f.content, Err(PartFault::Missing)) && !f.path.is_empty();
        let (missing, others): (Vec<_>, Vec<_>) = contents.files.iter().partition(missing);
        for file in others {
            self.content(file);
        }
        let [first, more @ ..] = missing.as_slice() else { return };
        let message = match more.len() {
            0 => format!("the file `{}` is not there", first.path),
            n => format!("the file `{}` and {n} more of the project are not there", first.path),
        };
        let mut finding = Diagnostic::warning(boxstep_format::codes::MISSING_FILE, message);
        for other in more.iter().take(MOST_NAMED) {
            finding = finding.with_note(None, format!("`{}`", other.path));
        }
        self.listed(first.listed, finding);
    }

    fn dialogs(&mut self, contents: &ProjectContents) {
        for part in &contents.dialogs {
            let Some(dialog) = self.content(part) else { continue };
            let base = part.path.rsplit_once(['/', '\\']).map_or("", |(folder, _)| folder);
            for finding in dialogs::dialog(dialog, &self.opened.folder, base) {
                self.tell(finding, dialog.sources.clone());
            }
        }
        for part in &contents.topics {
            let Some(topic) = self.content(part) else { continue };
            for finding in dialogs::topic(topic, &part.topic, &part.language) {
                self.tell(finding, topic.sources.clone());
            }
        }
    }

    fn translations(&mut self, contents: &ProjectContents, wanted: Option<&str>) {
        let mut there = BTreeSet::new();
        for part in &contents.translations {
            let Some(translations) = self.content(part) else { continue };
            let (said, own) = (language_code(&part.language), language_code(&translations.language));
            if !said.is_empty() && !own.is_empty() && said != own {
                let message = format!("`{}` is listed as {said} and says {own}", part.path);
                self.listed(part.listed, Diagnostic::warning(codes::CONTENT_MISMATCH, message));
            }
            there.insert(if said.is_empty() { own.to_owned() } else { said.to_owned() });
        }
        if there.is_empty() {
            return;
        }
        // What a project says of itself, and what its user wants.
        let spoken = self.opened.manifest.iter().flat_map(|m| &m.languages).map(String::as_str);
        let spoken: BTreeSet<&str> = spoken.chain(wanted).map(|l| known_language(l).unwrap_or(l)).collect();
        for language in spoken.into_iter().filter(|l| !there.contains(*l)) {
            let message = format!("the project's texts are not translated into {language}");
            let finding = Diagnostic::note(codes::MISSING_TRANSLATION, message);
            self.tell(finding.help("the robot says them as they stand in the boxes"), Sources::new());
        }
    }
}

fn outside(path: &str) -> Diagnostic {
    let message = format!("the path `{path}` leads out of the project's folder");
    Diagnostic::error(boxstep_format::codes::PATH_ESCAPES, message)
}

/// Whether a manifest and a project mean one folder.
fn same(name: &str, path: &str) -> bool {
    let plain = |p: &str| p.trim_matches('/').trim_start_matches("./").to_owned();
    plain(name) == plain(path) || (name == "." && plain(path).is_empty())
}
