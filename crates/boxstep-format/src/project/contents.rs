//! The files of a project other than behaviors: dialogs, topics, translations and others.

use super::dialogs::{DialogFile, TopicFile, read_dialog, read_topic, read_trajectory};
use super::open::read_file;
use super::opened::Opened;
use super::{Translations, inside, is_apple_double, normal, read_translations};
use crate::Limits;
use crate::error::{FormatError, Problem};
use boxstep_types::Span;
use std::collections::HashSet;
use std::path::Path;

/// The files of a project that are not behaviors. Each is parsed only as far as Boxstep uses it.
#[derive(Clone, Debug, Default)]
pub struct ProjectContents {
    /// Dialogs (`.dlg`).
    pub dialogs: Vec<Part<DialogFile>>,
    /// Topics (`.top`).
    pub topics: Vec<Part<TopicFile>>,
    /// Translations (`.ts`).
    pub translations: Vec<Part<Translations>>,
    /// Drawn trajectories of Pepper's base (`.pmt`): the number of movements, `None` if a file is not a trajectory.
    pub trajectories: Vec<Part<Option<usize>>>,
    /// Other files; only their existence is checked.
    pub files: Vec<Part<()>>,
}

/// A file that a project has or should have.
#[derive(Clone, Debug)]
pub struct Part<T> {
    /// The path as it is listed, or its path in the project.
    pub path: String,
    /// The language it is listed under, a locale; empty if none is given.
    pub language: String,
    /// The topic name it is listed under; empty if none is given.
    pub topic: String,
    /// Where it is listed as part of the project.
    pub listed: Listed,
    /// The content, or why it is unknown.
    pub content: Result<T, PartFault>,
}

/// Where a file is listed as part of a project.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listed {
    /// In the project file, at this place.
    Project(Span),
    /// In the manifest, at this place.
    Manifest(Span),
    /// Nowhere; the file is in a folder where such files are kept.
    Nobody,
}

/// Why the content of a file is unknown.
#[derive(Clone, Debug)]
pub enum PartFault {
    /// The file does not exist.
    Missing,
    /// The path leads out of the project.
    Outside,
    /// The file cannot be read.
    Unreadable(FormatError),
}

/// The folder where projects keep translations that are not listed.
const TRANSLATIONS: &str = "translations";

impl Opened {
    /// Returns the files of the project that are not behaviors, each once.
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

    /// Returns only the translations: [`ProjectContents::translations`].
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

    /// Returns the path, language and listing of each translation file: those of the project file, or, if it lists
    /// none, those in the folder `translations`.
    pub(super) fn translation_files(&self) -> Vec<(String, String, Listed)> {
        let listed = self.pml.iter().flat_map(|p| &p.translations);
        let listed: Vec<_> = listed.map(|t| (t.src.clone(), t.language.clone(), Listed::Project(t.span))).collect();
        if !listed.is_empty() {
            return listed;
        }
        // Links are followed here; `inside` later checks where each file really is.
        let items = std::fs::read_dir(self.folder.join(TRANSLATIONS)).into_iter().flatten().flatten();
        let named = items.map(|item| (item.file_name().to_string_lossy().into_owned(), item.path()));
        let found = named.filter(|(name, path)| ends(path, "ts") && !is_apple_double(name) && path.is_file());
        let mut names: Vec<String> = found.map(|(name, _)| name).collect();
        names.sort();
        names.into_iter().map(|n| (format!("{TRANSLATIONS}/{n}"), language_of_name(&n), Listed::Nobody)).collect()
    }
}

fn ends(path: &Path, with: &str) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case(with))
}

/// Returns the locale at the end of a file's name, `de_DE` for `translation_de_DE.ts`; empty if there is none.
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
    fn file_names_end_with_their_locale() {
        assert_eq!(language_of_name("translation_de_DE.ts"), "de_DE");
        assert_eq!(language_of_name("fr_FR.ts"), "fr_FR");
        for none in ["texts.ts", "de.ts", "é_DE.ts", ""] {
            assert_eq!(language_of_name(none), "", "{none}");
        }
    }
}
