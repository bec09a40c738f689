//! A file of a folder that is edited: its draft, and saving.

use crate::document::{Change, Document};
use crate::draft::{self, Draft, Found, NoDraft};
use crate::error::EditError;
use crate::op::Op;
use boxstep_format::output::write_file;
use boxstep_format::{FormatError, Limits, read_xar};
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// A file that is edited. Its edits are written to a draft beside it as they happen, and to the file when it is saved.
#[derive(Debug)]
pub struct OpenFile {
    path: PathBuf,
    document: Document,
    /// The bytes of the file as they were read or written last.
    disk: Vec<u8>,
    draft: Result<Draft, NoDraft>,
    recovered: Recovered,
    /// The hash of the text of a version: what the draft says of each step, before and after it.
    hashed: Option<(u64, String)>,
}

/// What was found of edits that were not saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recovered {
    /// Nothing.
    Nothing,
    /// This many steps of a draft.
    Steps(usize),
    /// The file has changed since, or the draft is damaged. This many steps could be done again, and all are kept in a
    /// file.
    Again(usize, PathBuf),
}

/// Why a file cannot be opened.
#[derive(Debug)]
pub enum OpenError {
    /// The file cannot be read.
    Io(PathBuf, io::Error),
    /// The file is no behavior.
    Format(FormatError),
    /// Another program edits the file.
    InUse(PathBuf),
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
        let (mut draft, text) = match Draft::open(draft::path_of(&path)) {
            Ok((draft, text)) => (Ok(draft), text),
            Err(NoDraft::InUse) => return Err(OpenError::InUse(path)),
            Err(why) => (Err(why), String::new()),
        };
        let found = draft::found(&text, &file, &disk);
        let mut again = Vec::new();
        let mut document = Document::new(file);
        let mut recovered = Recovered::Nothing;
        let unsaved = |document: &Document| document.unsaved().unwrap_or(document.steps().len());
        let lost = |e| Err(NoDraft::Io(path.clone(), e));
        match found {
            Found::Nothing => {}
            Found::Document(known) => {
                document = *known;
                if document.is_changed() {
                    recovered = Recovered::Steps(unsaved(&document));
                }
            }
            // What cannot be kept is not replaced either.
            Found::Part(known, fitting) => {
                document = *known;
                match keep(&path, &text) {
                    Ok(kept) => {
                        recovered = Recovered::Again(unsaved(&document), kept);
                        draft = draft.and_then(|mut draft| draft.rewrite(&fitting).map(|()| draft).or_else(lost));
                    }
                    Err(e) => draft = lost(e),
                }
            }
            Found::OfAnother(steps) => match keep(&path, &text) {
                Ok(kept) => {
                    recovered = Recovered::Again(0, kept);
                    again = steps;
                }
                Err(e) => draft = lost(e),
            },
        }
        let is_new = document.steps().is_empty() && document.undone().is_empty();
        if is_new {
            draft = draft.and_then(|mut draft| draft.reset(&disk).map(|()| draft).or_else(lost));
        }
        let mut open = Self { path, document, disk, draft, recovered: Recovered::Nothing, hashed: None };
        let done = again.iter().take_while(|step| open.apply(&step.label, None, &step.ops).is_ok()).count();
        open.recovered = match recovered {
            Recovered::Again(known, kept) => Recovered::Again(known + done, kept),
            other => other,
        };
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

    /// Why changes are kept nowhere until they are saved; `None` if there is a draft.
    pub fn no_draft(&self) -> Option<&NoDraft> {
        self.draft.as_ref().err()
    }

    /// As [`Document::apply`], and writes the draft.
    ///
    /// # Errors
    /// The first operation that cannot be done.
    pub fn apply(&mut self, label: &str, gesture: Option<&str>, ops: &[Op]) -> Result<Change, EditError> {
        let (before, version, text) = (self.document.steps().len(), self.document.version(), self.hash());
        let (change, step) = self.document.apply_step(label, gesture, ops)?;
        if self.document.version() > version {
            let (more, texts) = (self.document.steps().len() == before, (text, self.hash()));
            self.write(|draft| draft.step(&step, more, texts));
        }
        Ok(change)
    }

    /// Returns the hash of the text as it is now; that after one step is the one before the next.
    fn hash(&mut self) -> String {
        let version = self.document.version();
        match &self.hashed {
            Some((of, hash)) if *of == version => hash.clone(),
            _ => {
                let hash = draft::hash(self.document.file().text().as_bytes());
                self.hashed = Some((version, hash.clone()));
                hash
            }
        }
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
        self.document.set_saved();
        self.write(|draft| draft.saved(&bytes));
        self.begin_draft_anew(&bytes);
        self.disk = bytes;
        Ok(())
    }

    /// Reads the file again, and does the edits that were not saved once more on what another program has written.
    ///
    /// # Errors
    /// The file cannot be read, or an edit does not fit it; then nothing has changed.
    pub fn merge(&mut self) -> Result<Vec<Change>, MergeError> {
        let unsaved = self.document.unsaved().ok_or(MergeError::Undone)?;
        let (mut document, there) = self.read_again()?;
        let (mut changes, mut steps) = (Vec::new(), Vec::new());
        let before = self.document.steps();
        for step in before.iter().skip(before.len() - unsaved) {
            let (text, version) = (hash(&document), document.version());
            let (change, done) = document.apply_step(&step.label, None, &step.ops)?;
            changes.push(change);
            // The other program may have done the same.
            if document.version() > version {
                steps.push((done, (text, hash(&document))));
            }
        }
        self.begin_with(document, there);
        for (step, texts) in steps {
            self.write(|draft| draft.step(&step, false, texts));
        }
        Ok(changes)
    }

    /// Forgets all edits, and reads the file again.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn discard(&mut self) -> Result<(), MergeError> {
        let (document, there) = self.read_again()?;
        self.begin_with(document, there);
        Ok(())
    }

    /// Takes what another program has written, if nothing here would be lost. Returns whether there was something.
    ///
    /// # Errors
    /// The file cannot be read; then nothing has changed.
    pub fn follow(&mut self) -> Result<bool, MergeError> {
        let other = |there: Vec<u8>| there != self.disk;
        if self.document.is_changed() || !std::fs::read(&self.path).is_ok_and(other) {
            return Ok(false);
        }
        self.discard().map(|()| true)
    }

    fn read_again(&self) -> Result<(Document, Vec<u8>), MergeError> {
        let there = std::fs::read(&self.path).map_err(|e| MergeError::Io(self.path.clone(), e))?;
        let file = self.document.file();
        Ok((Document::read(file.sources.name(file.file), &there).map_err(MergeError::Format)?, there))
    }

    /// Goes on with another document of the file as it is on the disk.
    fn begin_with(&mut self, mut document: Document, disk: Vec<u8>) {
        document.continue_from(self.document.version());
        self.document = document;
        self.write(|draft| draft.reset(&disk));
        self.disk = disk;
    }

    /// Begins a draft anew after a save, if it has become large or could not be written. Only the way back behind the save
    /// is lost.
    fn begin_draft_anew(&mut self, bytes: &[u8]) {
        match &mut self.draft {
            Ok(draft) if !draft.is_large() => return,
            Ok(_) => {}
            missing @ Err(_) => match Draft::open(draft::path_of(&self.path)) {
                Ok((draft, _)) => *missing = Ok(draft),
                Err(_) => return,
            },
        }
        self.document.forget_steps();
        self.write(|draft| draft.reset(bytes));
    }

    /// Writes to the draft. One that cannot be written is left as it is: a crash loses what comes later.
    fn write(&mut self, line: impl FnOnce(&mut Draft) -> io::Result<()>) {
        // Whoever goes on has seen what was found.
        self.recovered = Recovered::Nothing;
        if let Ok(draft) = &mut self.draft
            && let Err(e) = line(draft)
        {
            self.draft = Err(NoDraft::Io(self.path.clone(), e));
        }
    }
}

/// Without changes that are not saved, nothing is left beside the file.
impl Drop for OpenFile {
    fn drop(&mut self) {
        if let Ok(draft) = &self.draft
            && !self.document.is_changed()
        {
            // A draft that stays has no changes of this file.
            let _ = draft.remove();
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
    /// Edits that were saved have been undone, so the others are none of the file on the disk.
    Undone,
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
            OpenError::InUse(path) => {
                write!(f, "{}: another Boxstep edits it: change it there, or close it", path.display())
            }
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
            MergeError::Undone => f.write_str("changes that were saved have been undone since"),
        }
    }
}

impl std::error::Error for OpenError {}
impl std::error::Error for SaveError {}
impl std::error::Error for MergeError {}

/// Keeps a draft of another version of the file in a file of its own.
fn keep(file: &Path, text: &str) -> io::Result<PathBuf> {
    let draft = draft::path_of(file);
    for n in 1u32.. {
        let kept = draft.with_extension(format!("draft-{n}"));
        match private(&kept) {
            Ok(mut new) => return new.write_all(text.as_bytes()).map(|()| kept),
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
            Err(e) => return Err(e),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// Makes a file that no other user can read.
fn private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    options.open(path)
}

fn hash(document: &Document) -> String {
    draft::hash(document.file().text().as_bytes())
}
