//! What a project has beside its behaviors: dialogs, topics, translations, other files.

use super::dialogs::{DialogFile, TopicFile, read_dialog, read_topic, read_trajectory};
use super::open::{Opened, read_file};
use super::{Translations, inside, is_apples, normal, read_translations};
use crate::Limits;
use crate::error::{FormatError, Problem};
use boxstep_types::Span;
use std::collections::HashSet;
use std::path::Path;

/// The files of a project that are no behaviors, each read as far as it is used.
#[derive(Clone, Debug, Default)]
pub struct ProjectContents {
    /// Dialogs (`.dlg`).
    pub dialogs: Vec<Part<DialogFile>>,
    /// Topics (`.top`).
    pub topics: Vec<Part<TopicFile>>,
    /// Translations (`.ts`).
    pub translations: Vec<Part<Translations>>,
    /// Drawn ways of Pepper's base (`.pmt`): how many movements they have, `None` if they are none.
    pub trajectories: Vec<Part<Option<usize>>>,
    /// Other files; only whether they are there is looked at.
    pub files: Vec<Part<()>>,
}

/// A file that a project has or should have.
#[derive(Clone, Debug)]
pub struct Part<T> {
    /// Its path as it is listed, or in the project.
    pub path: String,
    /// Its language as it is listed, a locale; empty if that is not said.
    pub language: String,
    /// The name of its topic as it is listed; empty if that is not said.
    pub topic: String,
    /// Who says that it is part of the project.
    pub listed: Listed,
    /// What is in it, or why that is not known.
    pub content: Result<T, PartFault>,
}

/// Who says that a file is part of a project.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listed {
    /// The project file, there.
    Project(Span),
    /// The manifest, there.
    Manifest(Span),
    /// Nobody: it lies where such files do.
    Nobody,
}

/// Why it is not known what is in a file.
#[derive(Clone, Debug)]
pub enum PartFault {
    /// It is not there.
    Missing,
    /// Its path leads out of the project.
    Outside,
    /// It cannot be read.
    Unreadable(FormatError),
}

/// Where projects keep translations that nobody lists.
const TRANSLATIONS: &str = "translations";

impl Opened {
    /// The files of the project that are no behaviors, each once.
    pub fn contents(&self, limits: &Limits) -> ProjectContents {
        let mut contents = ProjectContents::default();
        if let Some(pml) = &self.pml {
            let part = |src: &str, span| (src.to_owned(), Listed::Project(span));
            for d in &pml.dialogs {
                contents.dialogs.push(self.part(part(&d.src, d.span), limits, read_dialog));
            }
            for t in &pml.topics {
                let read = self.part(part(&t.src, t.span), limits, read_topic);
                contents.topics.push(Part { language: t.language.clone(), topic: t.topic_name.clone(), ..read });
            }
            for f in &pml.files {
                if ends(Path::new(&f.src), "pmt") {
                    contents.trajectories.push(self.part(part(&f.src, f.span), limits, read_trajectory));
                    continue;
                }
                contents.files.push(self.part(part(&f.src, f.span), limits, |_, _, _| Ok(())));
            }
        }
        let mut known: HashSet<_> = contents.topics.iter().map(|topic| normal("", &topic.path)).collect();
        for dialog in self.manifest.iter().flat_map(|m| &m.dialogs) {
            for t in &dialog.topics {
                if !known.insert(normal("", &t.text)) {
                    continue;
                }
                let read = self.part((t.text.clone(), Listed::Manifest(dialog.span)), limits, read_topic);
                let (language, topic) = (t.language.clone(), dialog.topic_name.clone());
                contents.topics.push(Part { language, topic, ..read });
            }
        }
        contents.translations = self.read_translations(limits);
        contents
    }

    /// Its translations alone: [`ProjectContents::translations`].
    pub fn read_translations(&self, limits: &Limits) -> Vec<Part<Translations>> {
        let files = self.translation_files().into_iter();
        let read = |(path, language, listed)| Part { language, ..self.part((path, listed), limits, read_translations) };
        files.map(read).collect()
    }

    fn part<T>(
        &self,
        (path, listed): (String, Listed),
        limits: &Limits,
        read: impl Fn(&str, &[u8], &Limits) -> Result<T, FormatError>,
    ) -> Part<T> {
        let content = match inside(&self.folder, "", &path) {
            Err(Problem::Escapes(_)) => Err(PartFault::Outside),
            Ok(full) if full.is_file() => {
                let shown = self.shown(&full);
                let bytes = read_file(&full, limits).map_err(|e| e.in_file(&full, &shown));
                bytes.and_then(|bytes| read(&shown, &bytes, limits)).map_err(PartFault::Unreadable)
            }
            _ => Err(PartFault::Missing),
        };
        Part { path, language: String::new(), topic: String::new(), listed, content }
    }

    /// The translation files, with the languages that they are listed under: those of the project file, or, without
    /// any there, those in the folder `translations`.
    pub(super) fn translation_files(&self) -> Vec<(String, String, Listed)> {
        let listed = self.pml.iter().flat_map(|p| &p.translations);
        let listed: Vec<_> = listed.map(|t| (t.src.clone(), t.language.clone(), Listed::Project(t.span))).collect();
        if !listed.is_empty() {
            return listed;
        }
        // A link may lead anywhere; `inside` looks at each file.
        let items = std::fs::read_dir(self.folder.join(TRANSLATIONS)).into_iter().flatten().flatten();
        let named = items.map(|item| (item.file_name().to_string_lossy().into_owned(), item.path()));
        let found = named.filter(|(name, path)| ends(path, "ts") && !is_apples(name) && path.is_file());
        let mut names: Vec<String> = found.map(|(name, _)| name).collect();
        names.sort();
        names.into_iter().map(|n| (format!("{TRANSLATIONS}/{n}"), language_of_name(&n), Listed::Nobody)).collect()
    }
}

fn ends(path: &Path, with: &str) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case(with))
}

/// `translation_de_DE.ts` is in `de_DE`; empty if a name says nothing.
fn language_of_name(name: &str) -> String {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let end = stem.len().checked_sub(5).and_then(|at| stem.get(at..)).unwrap_or_default();
    let is_locale = matches!(end.as_bytes(), [a, b, b'_', c, d]
        if a.is_ascii_lowercase() && b.is_ascii_lowercase() && c.is_ascii_uppercase() && d.is_ascii_uppercase());
    if is_locale { end.to_owned() } else { String::new() }
}

#[cfg(test)]
mod tests {
    use super::language_of_name;

    #[test]
    fn names_tell_their_locale() {
        assert_eq!(language_of_name("translation_de_DE.ts"), "de_DE");
        assert_eq!(language_of_name("fr_FR.ts"), "fr_FR");
        for none in ["texts.ts", "de.ts", "é_DE.ts", ""] {
            assert_eq!(language_of_name(none), "", "{none}");
        }
    }
}
