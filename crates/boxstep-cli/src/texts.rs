//! Texts that pages edit: the topics and the character of what plays, and the tests of a folder.

use crate::playable::{Playable, Read};
use boxstep_check::{Found, TopicCheck, dialog_file, dialogs_of};
use boxstep_edit::{EditFinding, TextError, TextFile};
use boxstep_test::{ENDING, Suite, find};
use boxstep_types::{Diagnostic, Sources};
use boxstep_view::{TextEntry, TextRequest, TextState, Texts};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Texts of a folder. Only those that are listed can be read or written.
pub(crate) struct FolderTexts {
    folder: PathBuf,
    /// The files by their names; `None`: the tests that are in the folder now.
    files: Option<BTreeMap<String, PathBuf>>,
    open: Mutex<BTreeMap<String, TextFile>>,
}

impl FolderTexts {
    /// Returns the texts of what plays, if it has any: its topics, and its character.
    pub(crate) fn of_run(read: &Read) -> Option<Arc<Self>> {
        let playable = read.playable();
        let behaviors = playable.behaviors();
        // Files of an archive are unpacked elsewhere, and lost.
        let behaviors = behaviors.iter().filter(|chosen| chosen.archive().is_none());
        let mut all: Vec<PathBuf> = Vec::new();
        if let Playable::Character(loaded) = playable {
            all.push(loaded.path().to_owned());
        }
        for chosen in behaviors {
            all.extend(dialogs_of(&chosen.file, &chosen.behavior.folder));
        }
        let folder = playable.project_folder().canonicalize().ok()?;
        let named = all.into_iter().filter_map(|path| {
            let real = path.canonicalize().ok()?;
            let name = real.strip_prefix(&folder).ok()?.to_string_lossy().into_owned();
            kind(&name).map(|_| (name, real))
        });
        let files: BTreeMap<String, PathBuf> = named.collect();
        let is_some = !files.is_empty();
        is_some.then(|| Arc::new(Self { folder, files: Some(files), open: Mutex::default() }))
    }

    /// Returns the tests of a folder.
    pub(crate) fn of_tests(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), files: None, open: Mutex::default() }
    }

    /// Returns where a text is, if it is one of the list.
    fn path(&self, file: &str) -> Result<PathBuf, String> {
        let none = || format!("{file} is no text of this page");
        if let Some(files) = &self.files {
            return files.get(file).cloned().ok_or_else(none);
        }
        let is_listed = self.list().iter().any(|entry| entry.file == file);
        let real =
            self.folder.join(file).canonicalize().ok().filter(|real| is_listed && real.starts_with(&self.folder));
        real.ok_or_else(none)
    }

    fn with<T>(
        &self,
        file: &str,
        act: impl FnOnce(&mut TextFile) -> Result<T, TextError>,
    ) -> Result<Result<T, TextError>, String> {
        let path = self.path(file)?;
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if !open.contains_key(file) {
            let text = TextFile::open(&path).map_err(|e| self.said(&e))?;
            open.insert(file.to_owned(), text);
        }
        Ok(act(open.get_mut(file).ok_or("it is not open")?))
    }

    /// An error with the path as the page knows it.
    fn said(&self, why: &TextError) -> String {
        why.to_string().replace(&format!("{}{}", self.folder.display(), std::path::MAIN_SEPARATOR), "")
    }
}

/// What a file is, by its name.
fn kind(name: &str) -> Option<&'static str> {
    let lower = name.to_lowercase();
    if lower.ends_with(ENDING) {
        return Some("test");
    }
    match Path::new(&lower).extension()?.to_str()? {
        "top" => Some("topic"),
        "dlg" => Some("dialog"),
        "yaml" | "yml" | "json" => Some("character"),
        _ => None,
    }
}

fn shown(file: &str, text: &TextFile) -> TextState {
    TextState {
        file: file.to_owned(),
        text: text.text().to_owned(),
        version: text.version(),
        changed: text.is_changed(),
        kept: text.is_kept(),
        recovered: text.recovered(),
        conflict: None,
    }
}

impl Texts for FolderTexts {
    fn list(&self) -> Vec<TextEntry> {
        let names: Vec<String> = match &self.files {
            Some(files) => files.keys().cloned().collect(),
            None => {
                let found = find(&self.folder, true).unwrap_or_default();
                let name = |path: PathBuf| Some(path.strip_prefix(&self.folder).ok()?.to_string_lossy().into_owned());
                found.into_iter().filter_map(name).collect()
            }
        };
        names.into_iter().filter_map(|file| Some(TextEntry { kind: kind(&file)?, file })).collect()
    }

    fn state(&self, file: &str) -> Result<TextState, String> {
        self.with(file, |text| {
            text.follow();
            Ok(shown(file, text))
        })?
        .map_err(|e| self.said(&e))
    }

    fn perform(&self, file: &str, request: TextRequest) -> Result<TextState, String> {
        let done = self.with(file, |text| {
            let done = match request {
                TextRequest::Keep { version, text: new } => text.keep(version, &new),
                TextRequest::Save { version, text: new } => text.save(version, &new),
                TextRequest::Overwrite { version, text: new } => text.overwrite(version, &new),
                TextRequest::Discard => text.discard(),
            };
            match done {
                Ok(()) => Ok(shown(file, text)),
                Err(TextError::Changed(_, theirs)) => {
                    // As the text here: ends of lines are no difference that a person sees.
                    let theirs = theirs.replace("\r\n", "\n");
                    let diff = similar::TextDiff::from_lines(&theirs, text.text());
                    let conflict = diff.unified_diff().context_radius(2).header("on the disk", "here").to_string();
                    Ok(TextState { conflict: Some(conflict), ..shown(file, text) })
                }
                Err(e) => Err(e),
            }
        })?;
        done.map_err(|e| self.said(&e))
    }

    fn findings(&self, file: &str, text: &str) -> Result<Vec<EditFinding>, String> {
        let path = self.path(file)?;
        Ok(match kind(file) {
            Some("topic") => TopicCheck::default().text(&path, file, text).iter().map(of_found).collect(),
            // Its lines name files: it is checked as it was saved.
            Some("dialog") => match dialog_file(&path, file) {
                Ok(checked) => checked.findings.iter().map(of_found).collect(),
                Err(found) => vec![of_found(&found)],
            },
            Some("character") => {
                let mut sources = Sources::new();
                let id = sources.add(file, text);
                let (_, found) = boxstep_runner::examine(text, file, &[]);
                found.iter().map(|one| EditFinding::of_text(&one.diagnostic(id), &sources)).collect()
            }
            _ => match Suite::read(&path, text) {
                Ok(suite) => {
                    suite.behavior().err().map(|wrong| of_all(&wrong.found, &wrong.sources)).unwrap_or_default()
                }
                Err(wrong) => of_all(&wrong.found, &wrong.sources),
            },
        })
    }
}

fn of_found(found: &Found) -> EditFinding {
    EditFinding::of_text(&found.finding, &found.sources)
}

fn of_all(found: &[Diagnostic], sources: &Sources) -> Vec<EditFinding> {
    found.iter().map(|one| EditFinding::of_text(one, sources)).collect()
}
