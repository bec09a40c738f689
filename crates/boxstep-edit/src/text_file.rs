//! A text of a folder that is edited as a whole: a topic, a character, a test. Its edits are kept in a draft beside it,
//! and written to the file when it is saved.

use crate::draft::{self, Draft, NoDraft};
use boxstep_format::output::write_file;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Larger files are no texts that people write, in bytes.
const LARGEST: usize = 1 << 20;
/// Larger texts are not kept in a draft, in bytes.
const KEPT: usize = 256 << 10;
/// A draft that has become longer begins anew, in bytes.
const LONGEST: u64 = 4 << 20;

/// A text that is edited. Its lines end with `\n` here, whatever they end with in the file.
#[derive(Debug)]
pub struct TextFile {
    path: PathBuf,
    /// The bytes of the file as they were read or written last.
    disk: Vec<u8>,
    /// The hash of the bytes that the text was made of: not that of the disk if the file has changed since.
    base: String,
    text: String,
    version: u64,
    draft: Option<Draft>,
    recovered: bool,
}

/// Why a text cannot be opened.
#[derive(Debug)]
pub enum TextError {
    /// The file cannot be read or written.
    Io(PathBuf, io::Error),
    /// The file is not in UTF-8: the line of the first byte that is not.
    NotText(PathBuf, usize),
    /// The file is too large.
    TooLarge(PathBuf),
    /// Another program edits the file.
    InUse(PathBuf),
    /// Another page has changed the text since.
    Stale(PathBuf),
    /// Another program has changed the file since it was read: what it contains now.
    Changed(PathBuf, String),
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TextError::Io(path, e) => write!(f, "{}: {e}", path.display()),
            TextError::NotText(path, line) => {
                write!(f, "{}:{line}: this is not UTF-8; convert the file to UTF-8 first", path.display())
            }
            TextError::TooLarge(path) => write!(f, "{}: it is larger than 1 MiB", path.display()),
            TextError::InUse(path) => {
                write!(f, "{}: another Boxstep edits it: change it there, or close it", path.display())
            }
            TextError::Stale(path) => write!(f, "{}: another page has changed it; load this one again", path.display()),
            TextError::Changed(path, _) => {
                write!(f, "{}: another program has changed the file since it was opened", path.display())
            }
        }
    }
}

impl std::error::Error for TextError {}

/// A line of the draft.
#[derive(Deserialize, Serialize)]
pub(crate) struct Line {
    /// The hash of the file that was edited.
    base: String,
    /// The whole text.
    text: String,
}

impl TextFile {
    /// Opens a text, with what was written and not saved.
    ///
    /// # Errors
    /// It cannot be read, is no text, or another program edits it.
    pub fn open(path: &Path) -> Result<Self, TextError> {
        // A symbolic link stays one: its target is what is edited.
        let path = path.canonicalize().map_err(|e| TextError::Io(path.to_owned(), e))?;
        let disk = read(&path)?;
        let text = text_of(&path, &disk)?;
        let base = draft::hash(&disk);
        let (draft, before) = match Draft::open(draft::path_of(&path)) {
            Ok((draft, before)) => (Some(draft), before),
            Err(NoDraft::InUse) => return Err(TextError::InUse(path)),
            // As in a folder that cannot be written: a crash loses what was not saved.
            Err(_) => (None, String::new()),
        };
        let last = before.lines().rev().find_map(|line| serde_json::from_str::<Line>(line).ok());
        let mut open = Self { path, disk, base, text, version: 1, draft, recovered: false };
        if let Some(last) = last.filter(|last| last.text != open.text) {
            (open.base, open.text, open.recovered) = (last.base, last.text, true);
        }
        Ok(open)
    }

    /// The text as it is now.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Counts the changes.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Whether the text was found in a draft.
    pub fn recovered(&self) -> bool {
        self.recovered
    }

    /// Whether the text is another one than that of the file.
    pub fn is_changed(&self) -> bool {
        self.bytes() != self.disk
    }

    /// Whether a reload or a crash loses nothing of the text.
    pub fn is_kept(&self) -> bool {
        !self.is_changed() || (self.draft.is_some() && self.text.len() <= KEPT)
    }

    /// Takes a text and keeps it in the draft. `version` is the one that was changed.
    ///
    /// # Errors
    /// Another page has changed the text since.
    pub fn keep(&mut self, version: u64, text: &str) -> Result<(), TextError> {
        self.take(version, text)?;
        if self.text.len() <= KEPT {
            let line = serde_json::to_string(&Line { base: self.base.clone(), text: self.text.clone() });
            let written =
                line.map_err(io::Error::other).map(|line| self.draft.as_mut().map(|d| d.text(&line, LONGEST)));
            if matches!(written, Err(_) | Ok(Some(Err(_)))) {
                self.draft = None;
            }
        }
        Ok(())
    }

    /// Writes a text to the file, completely or not at all.
    ///
    /// # Errors
    /// Another page or program has changed it since, or it cannot be written.
    pub fn save(&mut self, version: u64, text: &str) -> Result<(), TextError> {
        self.keep(version, text)?;
        let there = match fs::read(&self.path) {
            Ok(there) => there,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return self.write(),
            Err(e) => return Err(TextError::Io(self.path.clone(), e)),
        };
        if draft::hash(&there) != self.base && there != self.bytes() {
            return Err(TextError::Changed(self.path.clone(), String::from_utf8_lossy(&there).into_owned()));
        }
        self.write()
    }

    /// Writes a text to the file, whatever another program has written.
    ///
    /// # Errors
    /// Another page has changed it since, or it cannot be written.
    pub fn overwrite(&mut self, version: u64, text: &str) -> Result<(), TextError> {
        self.keep(version, text)?;
        self.write()
    }

    /// Forgets what was not saved, and reads the file again.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn discard(&mut self) -> Result<(), TextError> {
        let disk = read(&self.path)?;
        self.text = text_of(&self.path, &disk)?;
        self.settled(disk);
        Ok(())
    }

    /// Reads the file again if another program has written it, and nothing is lost by that.
    pub fn follow(&mut self) {
        if !self.is_changed() && fs::read(&self.path).is_ok_and(|there| there != self.disk) {
            // One that cannot be read any more stays as it was, and saving says so.
            let _ = self.discard();
        }
    }

    fn take(&mut self, version: u64, text: &str) -> Result<(), TextError> {
        if version != self.version {
            return Err(TextError::Stale(self.path.clone()));
        }
        if text.len() > LARGEST {
            return Err(TextError::TooLarge(self.path.clone()));
        }
        self.text = text.replace("\r\n", "\n").replace('\r', "\n");
        self.version += 1;
        self.recovered = false;
        Ok(())
    }

    fn write(&mut self) -> Result<(), TextError> {
        let bytes = self.bytes();
        write_file(&self.path, &bytes, true).map_err(|e| TextError::Io(self.path.clone(), e))?;
        self.settled(bytes);
        Ok(())
    }

    fn settled(&mut self, disk: Vec<u8>) {
        self.base = draft::hash(&disk);
        self.disk = disk;
        self.recovered = false;
        self.version += 1;
        let base = self.disk.clone();
        if self.draft.as_mut().is_some_and(|draft| draft.reset(&base).is_err()) {
            self.draft = None;
        }
    }

    /// The bytes that the file will have: lines that are those of the file keep their ends, and others get the usual
    /// one.
    fn bytes(&self) -> Vec<u8> {
        let disk = String::from_utf8_lossy(&self.disk);
        let (mark, disk) = match disk.strip_prefix('\u{feff}') {
            Some(rest) => ("\u{feff}", rest),
            None => ("", &*disk),
        };
        let old = lines(disk);
        let new: Vec<&str> = self.text.split('\n').collect();
        let same = |pair: &(&(&str, &str), &&str)| pair.0.0 == *pair.1;
        let before = old.iter().zip(&new).take_while(same).count();
        let most = old.len().min(new.len()) - before;
        let after = old.iter().rev().zip(new.iter().rev()).take(most).take_while(same).count();
        let ends = |end: &str| old.iter().filter(|(_, own)| *own == end).count();
        let usual = if ends("\r\n") > ends("\n") { "\r\n" } else { "\n" };
        let mut text = mark.to_owned();
        for (n, line) in new.iter().enumerate() {
            text.push_str(line);
            if n + 1 == new.len() {
                break;
            }
            let own = match n {
                n if n < before => old.get(n),
                n if n >= new.len() - after => old.get(n + old.len() - new.len()),
                _ => None,
            };
            // The last line of a file may have no end.
            text.push_str(own.map(|(_, end)| *end).filter(|end| !end.is_empty()).unwrap_or(usual));
        }
        text.into_bytes()
    }
}

/// Without changes that are not saved, nothing is left beside the file.
impl Drop for TextFile {
    fn drop(&mut self) {
        if !self.is_changed()
            && let Some(draft) = self.draft.take()
        {
            // A draft that stays has no changes of this file.
            let _ = draft.remove();
        }
    }
}

/// The lines of a text, each with its end; the last one has none, and may be empty.
fn lines(text: &str) -> Vec<(&str, &str)> {
    let mut all = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['\n', '\r']) {
        let end = if rest[at..].starts_with("\r\n") { 2 } else { 1 };
        all.push((&rest[..at], &rest[at..at + end]));
        rest = &rest[at + end..];
    }
    all.push((rest, ""));
    all
}

fn read(path: &Path) -> Result<Vec<u8>, TextError> {
    let io = |e| TextError::Io(path.to_owned(), e);
    let data = path.metadata().map_err(io)?;
    if !data.is_file() {
        return Err(io(io::Error::other("it is no file")));
    }
    if data.len() > LARGEST as u64 {
        return Err(TextError::TooLarge(path.to_owned()));
    }
    fs::read(path).map_err(io)
}

fn text_of(path: &Path, bytes: &[u8]) -> Result<String, TextError> {
    let text = std::str::from_utf8(bytes).map_err(|e| {
        let before = bytes.get(..e.valid_up_to()).unwrap_or_default();
        TextError::NotText(path.to_owned(), 1 + before.iter().filter(|byte| **byte == b'\n').count())
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    Ok(text.replace("\r\n", "\n").replace('\r', "\n"))
}
