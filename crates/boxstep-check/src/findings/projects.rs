//! Checks of a project or package apart from its behaviors: listed files, manifest, dialogs and translations.

use super::dialogs;
use super::files::Project;
use super::texts::{read_dialog, read_topic};
use super::topics::Topics;
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
    /// The texts that its spans refer to.
    pub sources: Sources,
    /// The file that a finding without a span is about.
    pub file: String,
}

impl Found {
    /// A finding about a file as a whole; `file` is its name in messages.
    pub(super) fn about(file: &str, finding: Diagnostic) -> Box<Self> {
        Box::new(Found { finding, sources: Sources::new(), file: file.to_owned() })
    }
}

/// Returns the findings about a project apart from its behaviors. `path` is what the user named, and `language` is the
/// language in which the texts are wanted, if any.
pub fn project(opened: &Opened, path: &Path, language: Option<&str>) -> Vec<Found> {
    let mut found = ProjectView { opened, path: path.to_string_lossy().into_owned(), found: Vec::new() };
    found.as_opened();
    found.behaviors_of_manifest();
    found.services_of_manifest();
    let contents = opened.contents(&Limits::default());
    found.dialogs(&contents);
    found.translations(&contents, language);
    found.files(&contents);
    for trajectory in &contents.trajectories {
        if found.content(trajectory).is_some_and(Option::is_none) {
            let message =
                format!("`{}` is not a trajectory, which consists of nested lists of movements", trajectory.path);
            found.listed(trajectory.listed, Diagnostic::warning(codes::BAD_CONTENT, message));
        }
    }
    for finding in unlisted(opened) {
        found.report(finding, Sources::new());
    }
    found.found
}

/// Like [`project`], but for one behavior that was named by itself: other files of the project are not checked.
pub fn project_of_behavior(opened: &Opened, path: &Path, language: Option<&str>) -> Vec<Found> {
    let mut found = ProjectView { opened, path: path.to_string_lossy().into_owned(), found: Vec::new() };
    found.as_opened();
    // The translations that a robot in this language would use must be readable.
    if let Some(Err(e)) = language.map(|l| opened.translations(l, &Limits::default())) {
        found.unreadable(&e);
    }
    found.found
}

/// Returns the dialogs and topics that a project lists, and the topics of these dialogs. They are checked with the
/// project, and not again with each box.
pub fn listed_dialogs(opened: &Opened) -> Vec<PathBuf> {
    let dialogs = opened.pml.iter().flat_map(|pml| pml.dialogs.iter().map(|dialog| &dialog.src));
    let topics = opened.pml.iter().flat_map(|pml| pml.topics.iter().map(|topic| &topic.src));
    let of_manifest = opened.manifest.iter().flat_map(|manifest| &manifest.dialogs).flat_map(|dialog| &dialog.topics);
    let entries = dialogs.chain(topics).chain(of_manifest.map(|topic| &topic.text));
    let files = entries.filter_map(|path| inside(&opened.folder, "", path).ok());
    files.flat_map(|file| dialogs::paths(&file)).collect()
}

/// The maximum number of missing files that are listed in addition to the first.
const MOST_NAMED: usize = 5;

struct ProjectView<'a> {
    opened: &'a Opened,
    path: String,
    found: Vec<Found>,
}

impl ProjectView<'_> {
    fn report(&mut self, finding: Diagnostic, sources: Sources) {
        self.found.push(Found { finding, sources, file: self.path.clone() });
    }

    /// Reports a finding at the place where a file is listed.
    fn listed(&mut self, listed: Listed, finding: Diagnostic) {
        let (sources, span) = match listed {
            Listed::Project(span) => (self.opened.pml.as_ref().map(|p| p.sources.clone()), Some(span)),
            Listed::Manifest(span) => (self.opened.manifest.as_ref().map(|m| m.sources.clone()), Some(span)),
            Listed::Nobody => (None, None),
        };
        let finding = Diagnostic { span, ..finding };
        self.report(finding, sources.unwrap_or_default());
    }

    fn unreadable(&mut self, error: &FormatError) {
        let named = error.sources().name(boxstep_types::FileId(0));
        let file = if named.is_empty() { self.path.clone() } else { named.to_owned() };
        self.found.push(Found { finding: error.diagnostic(), sources: error.sources().clone(), file });
    }

    /// Reports the findings of opening the project.
    fn as_opened(&mut self) {
        let sources = self.opened.pml.as_ref().map(|pml| pml.sources.clone()).unwrap_or_default();
        for finding in self.opened.findings.clone() {
            self.report(finding, sources.clone());
        }
        if let Some(error) = &self.opened.manifest_error {
            self.unreadable(error);
        }
    }

    /// Checks that the behaviors that the manifest offers exist in their folders.
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

    /// Checks that the programs of the services that the manifest starts are in the package.
    fn services_of_manifest(&mut self) {
        let services = || self.opened.manifest.iter().flat_map(|manifest| &manifest.services);
        let mut found = Vec::new();
        for (index, service) in services().enumerate() {
            let fault = match &*service.name {
                "" => "a service has no name".to_owned(),
                name if services().take(index).any(|other| other.name == name) => {
                    format!("the service {name} is declared twice")
                }
                _ => continue,
            };
            let help = "a robot starts only services with a name of their own";
            found.push((service.span, Diagnostic::warning(boxstep_format::codes::BAD_PROJECT_ENTRY, fault).help(help)));
        }
        for (service, (file, _)) in services().filter_map(|service| Some((service, service.python_program()?))) {
            let finding = match inside(&self.opened.folder, "", file) {
                Ok(path) if path.is_file() => continue,
                Err(Problem::Escapes(_)) => outside(file),
                _ => {
                    let message = format!("the service {} starts `{file}`, which is not there", service.name);
                    Diagnostic::warning(boxstep_format::codes::MISSING_FILE, message)
                }
            };
            found.push((service.span, finding));
        }
        for (span, finding) in found {
            self.listed(Listed::Manifest(span), finding);
        }
    }

    /// Returns the content of a file; reports it if it is missing or unreadable.
    fn content<'p, T>(&mut self, part: &'p Part<T>) -> Option<&'p T> {
        match &part.content {
            Ok(content) => return Some(content),
            Err(PartFault::Unreadable(error)) => self.unreadable(error),
            Err(PartFault::Outside) => self.listed(part.listed, outside(&part.path)),
            // An entry without a path is already reported by the reader of the project file.
            Err(PartFault::Missing) if part.path.is_empty() => {}
            Err(PartFault::Missing) => {
                let code = boxstep_format::codes::MISSING_FILE;
                let finding = Diagnostic::warning(code, format!("the file `{}` is not there", part.path));
                self.listed(part.listed, finding);
            }
        }
        None
    }

    /// Reports all missing files as one finding, because a project may list hundreds of images, pages and libraries.
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
        if contents.dialogs.is_empty() && contents.topics.is_empty() {
            return;
        }
        let around = Topics::of_project(&self.opened.folder);
        let mut seen = BTreeSet::new();
        for part in &contents.topics {
            if let Some(full) = self.file(part) {
                self.topic(&full, (&part.topic, &part.language), &around, &mut seen);
            }
        }
        for part in &contents.dialogs {
            let Some(full) = self.file(part) else { continue };
            let dialog = match read_dialog(&full, &self.opened.shown(&full)) {
                Ok(dialog) => dialog,
                Err(found) => {
                    self.found.push(*found);
                    continue;
                }
            };
            let base = part.path.rsplit_once(['/', '\\']).map_or("", |(folder, _)| folder);
            let project = Project { root: self.opened.folder.clone(), base: base.to_owned() };
            for finding in dialogs::dialog(&dialog, &project) {
                self.report(finding, dialog.sources.clone());
            }
            for (_, full) in dialogs::topics(&dialog, &project) {
                self.topic(&full, ("", ""), &around, &mut seen);
            }
        }
    }

    /// Returns the path of a file of the project that is there; reports it otherwise.
    fn file<T>(&mut self, part: &Part<T>) -> Option<PathBuf> {
        match &part.content {
            // Why it cannot be read is told when it is read.
            Ok(_) | Err(PartFault::Unreadable(_)) => inside(&self.opened.folder, "", &part.path).ok(),
            Err(_) => self.content(part).and(None),
        }
    }

    /// Reports the findings about a topic, unless it was checked before.
    fn topic(&mut self, full: &Path, listed: (&str, &str), around: &Topics, seen: &mut BTreeSet<PathBuf>) {
        if !seen.insert(full.canonicalize().unwrap_or_else(|_| full.to_owned())) {
            return;
        }
        match read_topic(full, &self.opened.shown(full)) {
            Ok(topic) => self.found.extend(around.findings(full, &topic, listed)),
            Err(found) => self.found.push(*found),
        }
    }

    fn translations(&mut self, contents: &ProjectContents, wanted: Option<&str>) {
        let mut there = BTreeSet::new();
        for part in &contents.translations {
            let Some(translations) = self.content(part) else { continue };
            let (listed, own) = (language_code(&part.language), language_code(&translations.language));
            if !listed.is_empty() && !own.is_empty() && listed != own {
                let message = format!("`{}` is listed as {listed} and says {own}", part.path);
                self.listed(part.listed, Diagnostic::warning(codes::CONTENT_MISMATCH, message));
            }
            there.insert(if listed.is_empty() { own.to_owned() } else { listed.to_owned() });
        }
        if there.is_empty() {
            return;
        }
        // The languages in the manifest, and the one that the user wants.
        let spoken = self.opened.manifest.iter().flat_map(|m| &m.languages).map(String::as_str);
        let spoken: BTreeSet<&str> = spoken.chain(wanted).map(|l| known_language(l).unwrap_or(l)).collect();
        for language in spoken.into_iter().filter(|l| !there.contains(*l)) {
            let message = format!("the project's texts are not translated into {language}");
            let finding = Diagnostic::note(codes::MISSING_TRANSLATION, message);
            self.report(finding.help("the robot says the texts in the boxes untranslated"), Sources::new());
        }
    }
}

fn outside(path: &str) -> Diagnostic {
    let message = format!("the path `{path}` leads out of the project's folder");
    Diagnostic::error(boxstep_format::codes::PATH_ESCAPES, message)
}

/// Returns true if a manifest and a project refer to the same folder.
fn same(name: &str, path: &str) -> bool {
    let plain = |p: &str| p.trim_matches('/').trim_start_matches("./").to_owned();
    plain(name) == plain(path) || (name == "." && plain(path).is_empty())
}
