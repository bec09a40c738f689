//! A file of a folder that is edited: its draft, and saving.

use crate::document::{Change, Document};
use crate::draft::{self, Draft, Found};
use crate::error::EditError;
use crate::op::Op;
use boxstep_format::output::write_file;
use boxstep_format::{FormatError, Limits, read_xar};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// A file that is edited. Its edits are written to a draft beside it as they happen, and to the file when it is saved.
#[derive(Debug)]
pub struct OpenFile {
    path: PathBuf,
    document: Document,
    /// The bytes of the file as they were read or written last.
    disk: Vec<u8>,
    draft: Option<Draft>,
    recovered: Recovered,
}

/// What was found of edits that were not saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recovered {
    /// Nothing.
    Nothing,
    /// This many steps of a draft.
    Steps(usize),
    /// The file has changed since. This many steps of the draft could be done again, and all are kept in a file.
    Again(usize, PathBuf),
}

/// Why a file cannot be opened.
#[derive(Debug)]
pub enum OpenError {
    /// The file cannot be read.
    Io(PathBuf, io::Error),
    /// The file is no behavior.
    Format(FormatError),
}

/// Why a file cannot be saved.
#[derive(Debug)]
pub enum SaveError {
    /// Another program has changed the file since it was read: what it contains now.
    Changed(Vec<u8>),
    /// The file cannot be read or written.
    Io(PathBuf, io::Error),
}

impl OpenFile {
    /// Opens a file, with the edits of its draft.
    ///
    /// # Errors
    /// The file cannot be read, or is no behavior.
    pub fn open(path: &Path, shown: &str) -> Result<Self, OpenError> {
        // A symbolic link stays one: its target is what is edited.
        let path = path.canonicalize().map_err(|e| OpenError::Io(path.to_owned(), e))?;
        let disk = std::fs::read(&path).map_err(|e| OpenError::Io(path.clone(), e))?;
        let file = read_xar(shown, &disk, &Limits::default()).map_err(OpenError::Format)?;
        let draft = draft::path_of(&path);
        let found = draft::read(&draft, &file, &disk);
        let mut open = Self { document: Document::new(file), path, disk, draft: None, recovered: Recovered::Nothing };
        match found {
            Found::Nothing => {}
            Found::Document(document) => {
                let unsaved = document.unsaved();
                open.document = *document;
                open.draft = Draft::open(draft, &open.disk, false).ok();
                if unsaved > 0 {
                    open.recovered = Recovered::Steps(unsaved);
                }
            }
            Found::OfAnother(steps) => {
                let kept = free_name(&draft);
                // What cannot be kept is not replaced either.
                if std::fs::rename(&draft, &kept).is_ok() {
                    let again = steps.iter().take_while(|step| open.apply(&step.label, None, &step.ops).is_ok());
                    let again = again.count();
                    open.recovered = Recovered::Again(again, kept);
                }
            }
        }
        Ok(open)
    }

    /// The document.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What was found of edits that were not saved.
    pub fn recovered(&self) -> &Recovered {
        &self.recovered
    }

    /// As [`Document::apply`], and writes the draft.
    ///
    /// # Errors
    /// The first operation that cannot be done.
    pub fn apply(&mut self, label: &str, gesture: Option<&str>, ops: &[Op]) -> Result<Change, EditError> {
        let (before, version) = (self.document.steps().len(), self.document.version());
        let (change, step) = self.document.apply_step(label, gesture, ops)?;
        if self.document.version() > version {
            let more = self.document.steps().len() == before;
            self.write(|draft| draft.step(&step, more));
        }
        Ok(change)
    }

    /// As [`Document::undo`], and writes the draft.
    pub fn undo(&mut self) -> Option<Change> {
        let change = self.document.undo()?;
        self.write(Draft::undo);
        Some(change)
    }

    /// As [`Document::redo`], and writes the draft.
    pub fn redo(&mut self) -> Option<Change> {
        let change = self.document.redo()?;
        self.write(Draft::redo);
        Some(change)
    }

    /// Writes the file, completely or not at all, if it has changes.
    ///
    /// # Errors
    /// Another program has changed the file, or it cannot be written.
    pub fn save(&mut self) -> Result<(), SaveError> {
        if !self.document.is_changed() {
            return Ok(());
        }
        let there = std::fs::read(&self.path);
        match there {
            Ok(there) if there != self.disk => Err(SaveError::Changed(there)),
            Err(e) if e.kind() != io::ErrorKind::NotFound => Err(SaveError::Io(self.path.clone(), e)),
            _ => self.overwrite(),
        }
    }

    /// Writes the file, whatever another program has written.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn overwrite(&mut self) -> Result<(), SaveError> {
        let bytes = self.document.file().to_bytes();
        write_file(&self.path, &bytes, true).map_err(|e| SaveError::Io(self.path.clone(), e))?;
        self.disk = bytes;
        self.document.set_saved();
        let disk = std::mem::take(&mut self.disk);
        self.write(|draft| draft.saved(&disk));
        self.disk = disk;
        Ok(())
    }

    /// Reads the file again, and does the edits that were not saved once more on what another program has written.
    ///
    /// # Errors
    /// The file cannot be read, or an edit does not fit it; then nothing has changed.
    pub fn merge(&mut self) -> Result<Vec<Change>, MergeError> {
        let there = std::fs::read(&self.path).map_err(|e| MergeError::Io(self.path.clone(), e))?;
        let name = self.document.file().sources.name(self.document.file().file).to_owned();
        let mut document = Document::read(&name, &there).map_err(MergeError::Format)?;
        let mut changes = Vec::new();
        let mut steps = Vec::new();
        for step in self.document.steps().iter().rev().take(self.document.unsaved()).rev() {
            let (change, done) = document.apply_step(&step.label, step.gesture.as_deref(), &step.ops)?;
            changes.push(change);
            steps.push(done);
        }
        document.continue_from(self.document.version());
        self.document = document;
        self.disk = there;
        self.draft = None;
        self.renew_draft();
        for step in steps {
            self.write(|draft| draft.step(&step, false));
        }
        Ok(changes)
    }

    /// Forgets all edits that were not saved, and the draft.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn discard(&mut self) -> Result<(), MergeError> {
        let there = std::fs::read(&self.path).map_err(|e| MergeError::Io(self.path.clone(), e))?;
        let name = self.document.file().sources.name(self.document.file().file).to_owned();
        let mut document = Document::read(&name, &there).map_err(MergeError::Format)?;
        document.continue_from(self.document.version());
        self.document = document;
        self.disk = there;
        self.forget_draft();
        Ok(())
    }

    /// Removes the draft, if nothing would be lost.
    pub fn close(mut self) {
        if !self.document.is_changed() {
            self.forget_draft();
        }
    }

    fn forget_draft(&mut self) {
        if let Some(draft) = self.draft.take() {
            // A draft that stays is of no file that it has saved.
            let _ = draft.discard();
        }
    }

    fn renew_draft(&mut self) {
        self.draft = Draft::open(draft::path_of(&self.path), &self.disk, true).ok();
    }

    /// Writes to the draft. A folder that cannot be written has none: then a crash loses what was not saved.
    fn write(&mut self, line: impl FnOnce(&mut Draft) -> io::Result<()>) {
        if self.draft.is_none() {
            self.renew_draft();
        }
        if self.draft.as_mut().is_some_and(|draft| line(draft).is_err()) {
            self.draft = None;
        }
    }
}

/// Why edits could not be done once more.
#[derive(Debug)]
pub enum MergeError {
    /// The file cannot be read.
    Io(PathBuf, io::Error),
    /// The file is no behavior any more.
    Format(FormatError),
    /// An edit does not fit.
    Edit(EditError),
}

impl From<EditError> for MergeError {
    fn from(e: EditError) -> Self {
        MergeError::Edit(e)
    }
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpenError::Io(path, e) => write!(f, "{}: {e}", path.display()),
            OpenError::Format(e) => e.fmt(f),
        }
    }
}

impl fmt::Display for SaveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SaveError::Changed(_) => f.write_str("another program has changed the file since it was opened"),
            SaveError::Io(path, e) => write!(f, "{}: {e}", path.display()),
        }
    }
}

impl fmt::Display for MergeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MergeError::Io(path, e) => write!(f, "{}: {e}", path.display()),
            MergeError::Format(e) => e.fmt(f),
            MergeError::Edit(e) => e.fmt(f),
        }
    }
}

impl std::error::Error for OpenError {}
impl std::error::Error for SaveError {}
impl std::error::Error for MergeError {}

/// Returns a name for a draft that is kept, which no file has.
fn free_name(draft: &Path) -> PathBuf {
    let numbered = (1u32..).map(|n| draft.with_extension(format!("draft-{n}")));
    numbered.into_iter().find(|path| path.symlink_metadata().is_err()).unwrap_or_else(|| draft.with_extension("kept"))
}
