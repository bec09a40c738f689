//! The history of a file's edits, written as they happen, so that nothing is lost if the program is killed.
//!
//! A draft has one line of JSON for each step, undo, redo and save. A line that the program could not finish is ignored.
//! A save has the hash of the file; a draft continues from the last save that is the file on the disk. A step has the
//! hashes of the texts before and after it, so that none is done on another text. While a file is edited its draft is
//! locked, so that no other program edits it.

use crate::document::{Document, Step};
use crate::op::Op;
use crate::text_file;
use boxstep_format::write::{Splice, spliced};
use boxstep_format::{Limits, XarFile};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::ffi::OsString;
use std::fmt;
use std::fs::{File, Metadata, OpenOptions, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

/// Larger drafts are none of this program.
const LARGEST: u64 = 256 << 20;

/// A line of a draft.
#[derive(Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
enum Line {
    /// The file was saved, or read: the hash of its bytes.
    Saved(String),
    /// A step.
    Step(StepLine),
    /// More of the last step.
    More(StepLine),
    /// The last step was undone.
    Undo,
    /// The step that was undone last was done again.
    Redo,
}

#[derive(Deserialize, Serialize)]
struct StepLine {
    label: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    gesture: Option<String>,
    ops: Vec<Op>,
    forward: Vec<Vec<(u32, u32, String)>>,
    back: Vec<Vec<(u32, u32, String)>>,
    /// The hashes of the texts before and after the step.
    texts: (String, String),
}

/// The draft of a file, open and locked for writing.
#[derive(Debug)]
pub(crate) struct Draft {
    path: PathBuf,
    file: File,
}

/// Why there is no draft: a crash loses what was not saved.
#[derive(Debug)]
pub enum NoDraft {
    /// Another program has it open.
    InUse,
    /// It cannot be read or written.
    Io(PathBuf, io::Error),
    /// The file is no draft, or not one that this user has written.
    Foreign(PathBuf),
    /// It is too large, and was left as it is.
    TooLarge(PathBuf),
}

impl fmt::Display for NoDraft {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoDraft::InUse => f.write_str("another program has the draft open"),
            NoDraft::Io(path, e) => write!(f, "{}: {e}", path.display()),
            NoDraft::Foreign(path) => {
                write!(f, "{}: this is no draft of yours", path.display())
            }
            NoDraft::TooLarge(path) => write!(f, "{}: the draft is too large", path.display()),
        }
    }
}

impl std::error::Error for NoDraft {}

/// Returns where the draft of a file is: beside it, hidden.
pub(crate) fn path_of(file: &Path) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(file.file_name().unwrap_or_default());
    name.push(".draft");
    file.with_file_name(name)
}

/// Returns whether a file is a draft, by its name.
pub fn is_draft(name: &str) -> bool {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name).to_ascii_lowercase();
    let edited = ["xar", "top", "dlg", "yaml", "yml", "json", "toml"];
    let is_of =
        |ending: &&str| file.ends_with(&format!(".{ending}.draft")) || file.contains(&format!(".{ending}.draft-"));
    file.starts_with('.') && edited.iter().any(is_of)
}

/// Returns the hash of a file's bytes.
pub(crate) fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What a draft holds for a file.
pub(crate) enum Found {
    /// No draft, or none with anything in it.
    Nothing,
    /// The document as it was last.
    Document(Box<Document>),
    /// The document as it was before a line that does not fit, and the lines up to there.
    Part(Box<Document>, String),
    /// The file on the disk is none that the draft has saved. These steps were not saved.
    OfAnother(Vec<Step>),
}

/// Returns what a draft holds for a file that has just been read.
pub(crate) fn found(draft: &str, file: &XarFile, bytes: &[u8]) -> Found {
    let own = hash(bytes);
    let is_own = |line: &Line| matches!(line, Line::Saved(hash) if *hash == own);
    let read = |text| serde_json::from_str(text).ok().map(|line: Line| (text, line));
    let lines: Vec<(&str, Line)> = draft.lines().filter_map(read).collect();
    let mut stacks = Stacks::default();
    let Some(at) = lines.iter().rposition(|(_, line)| is_own(line)) else {
        let saved = lines.iter().rposition(|(_, line)| matches!(line, Line::Saved(_))).unwrap_or_default();
        lines.into_iter().skip(saved).for_each(|(_, line)| stacks.take(line));
        return if stacks.undo.is_empty() { Found::Nothing } else { Found::OfAnother(steps(stacks.undo)) };
    };
    let (mut fitting, mut fits) = (String::new(), true);
    let mut text = file.text().to_owned();
    let mut still_saved = None;
    for (number, (line_text, line)) in lines.into_iter().enumerate() {
        if number > at {
            let changed = match &line {
                Line::Saved(_) => Some(text.clone()),
                Line::Step(step) | Line::More(step) => Kept::from(step).forward(&text),
                Line::Undo => stacks.undo.last().and_then(|step| step.back(&text)),
                Line::Redo => stacks.redo.last().and_then(|step| step.forward(&text)),
            };
            let Some(changed) = changed else {
                fits = false;
                break;
            };
            text = changed;
            let is_new = matches!(line, Line::Step(_) | Line::More(_));
            if is_new && still_saved.is_some_and(|saved| saved > stacks.undo.len()) {
                still_saved = None;
            }
        }
        fitting.push_str(line_text);
        fitting.push('\n');
        stacks.take(line);
        if number == at {
            stacks.forget_undo(&text);
            still_saved = Some(stacks.undo.len());
        }
    }
    stacks.forget_redo(&text);
    let whole = Splice { start: 0, end: file.text().len() as u32, text };
    let Ok(now) = file.spliced(&[whole], &Limits::default()) else { return Found::OfAnother(steps(stacks.undo)) };
    let document = Document::restored(now, steps(stacks.undo), steps(stacks.redo), still_saved);
    match fits {
        true if document.steps().is_empty() && document.undone().is_empty() => Found::Nothing,
        true => Found::Document(Box::new(document)),
        false => Found::Part(Box::new(document), fitting),
    }
}

/// A step of a draft, and the hashes of the texts before and after it.
struct Kept {
    step: Step,
    texts: (String, String),
}

impl Kept {
    /// Returns the text after the step; `None` if it is not one of this text, or does not lead back.
    fn forward(&self, text: &str) -> Option<String> {
        let after = replayed(text, &self.step.forward)?;
        self.is_between(text, &after).then_some(after)
    }

    /// Returns the text before the step, by the rules of [`Kept::forward`].
    fn back(&self, text: &str) -> Option<String> {
        let before = replayed(text, &self.step.back)?;
        self.is_between(&before, text).then_some(before)
    }

    fn is_between(&self, before: &str, after: &str) -> bool {
        let hashes = || (hash(before.as_bytes()), hash(after.as_bytes())) == self.texts;
        replayed(before, &self.step.forward).is_some_and(|text| text == after)
            && replayed(after, &self.step.back).is_some_and(|text| text == before)
            && hashes()
    }
}

fn steps(kept: Vec<Kept>) -> Vec<Step> {
    kept.into_iter().map(|kept| kept.step).collect()
}

/// The steps that can be undone and redone after the lines so far.
#[derive(Default)]
struct Stacks {
    undo: Vec<Kept>,
    redo: Vec<Kept>,
}

impl Stacks {
    fn take(&mut self, line: Line) {
        match line {
            Line::Saved(_) => {}
            Line::Step(step) => {
                self.redo.clear();
                self.undo.push(Kept::from(&step));
            }
            Line::More(step) => {
                self.redo.clear();
                let more = Kept::from(&step);
                match self.undo.last_mut() {
                    Some(last) => {
                        last.step.join(more.step);
                        last.texts.1 = more.texts.1;
                    }
                    None => self.undo.push(more),
                }
            }
            Line::Undo => self.redo.extend(self.undo.pop()),
            Line::Redo => self.undo.extend(self.redo.pop()),
        }
    }

    /// Forgets the steps that do not lead back from a text, and those before them.
    fn forget_undo(&mut self, text: &str) {
        let mut text = text.to_owned();
        let does_not = |step: &Kept| step.back(&text).map(|before| text = before).is_none();
        let first = self.undo.iter().rev().position(does_not).map_or(0, |last| self.undo.len() - last);
        self.undo.drain(..first);
    }

    /// Forgets the steps that do not lead on from a text, and those after them.
    fn forget_redo(&mut self, text: &str) {
        let mut text = text.to_owned();
        let does_not = |step: &Kept| step.forward(&text).map(|after| text = after).is_none();
        let first = self.redo.iter().rev().position(does_not).map_or(0, |last| self.redo.len() - last);
        self.redo.drain(..first);
    }
}

fn replayed(text: &str, edits: &[Vec<Splice>]) -> Option<String> {
    edits.iter().try_fold(text.to_owned(), |text, splices| spliced(&text, splices))
}

impl Draft {
    /// Opens and locks a draft, and returns what it contains.
    pub(crate) fn open(path: PathBuf) -> Result<(Self, String), NoDraft> {
        let fault = |e| NoDraft::Io(path.clone(), e);
        let mut tries = 0;
        let mut file = loop {
            let file = opened(&path)?;
            // Some file systems have no locks.
            if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
                return Err(NoDraft::InUse);
            }
            // Whoever had it open may have removed it before this lock.
            tries += 1;
            if tries > 100 || is_there(&path, &file.metadata().map_err(fault)?) {
                break file;
            }
        };
        let about = file.metadata().map_err(fault)?;
        if !is_own(&about) {
            return Err(NoDraft::Foreign(path));
        }
        if about.len() > LARGEST {
            return Err(NoDraft::TooLarge(path));
        }
        let mut text = String::new();
        // What does not begin as a draft is none, and stays as it is.
        let is_text = file.read_to_string(&mut text).is_ok();
        let of_text = |line: &str| serde_json::from_str::<text_file::Line>(line).is_ok();
        let is_line = |line: &str| serde_json::from_str::<Line>(line).is_ok() || of_text(line);
        if !is_text || text.lines().next().is_some_and(|first| !is_line(first)) {
            return Err(NoDraft::Foreign(path));
        }
        // A line that was cut off must not spoil the next one.
        if !text.is_empty() && !text.ends_with('\n') {
            file.write_all(b"\n").map_err(fault)?;
        }
        Ok((Self { path, file }, text))
    }

    /// Replaces all lines.
    pub(crate) fn rewrite(&mut self, lines: &str) -> io::Result<()> {
        self.file.set_len(0)?;
        self.file.write_all(lines.as_bytes())
    }

    /// Whether the draft gets so large that it may not be read any more.
    pub(crate) fn is_large(&self) -> bool {
        self.file.metadata().is_ok_and(|about| about.len() > LARGEST / 2)
    }

    /// Forgets everything, and begins with a file as it is on the disk.
    pub(crate) fn reset(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.set_len(0)?;
        self.saved(bytes)
    }

    /// Writes a step, with the hashes of the texts before and after it.
    pub(crate) fn step(&mut self, step: &Step, more: bool, texts: (String, String)) -> io::Result<()> {
        let line = StepLine::of(step, texts);
        self.write(&if more { Line::More(line) } else { Line::Step(line) })
    }

    pub(crate) fn undo(&mut self) -> io::Result<()> {
        self.write(&Line::Undo)
    }

    pub(crate) fn redo(&mut self) -> io::Result<()> {
        self.write(&Line::Redo)
    }

    pub(crate) fn saved(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.write(&Line::Saved(hash(bytes)))
    }

    /// Adds a line; if the draft is longer than this, what was before is forgotten.
    pub(crate) fn text(&mut self, line: &str, longest: u64) -> io::Result<()> {
        if self.file.metadata()?.len() > longest {
            self.file.set_len(0)?;
        }
        self.file.write_all(format!("{line}\n").as_bytes())
    }

    /// Removes the draft.
    pub(crate) fn remove(&self) -> io::Result<()> {
        std::fs::remove_file(&self.path)
    }

    fn write(&mut self, line: &Line) -> io::Result<()> {
        let mut text = serde_json::to_vec(line).map_err(io::Error::other)?;
        text.push(b'\n');
        if self.file.metadata()?.len() + text.len() as u64 > LARGEST {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        // One write, so that a killed program leaves whole lines or a part of the last one.
        self.file.write_all(&text)
    }
}

impl StepLine {
    fn of(step: &Step, texts: (String, String)) -> Self {
        let plain = |edits: &[Vec<Splice>]| {
            let plain = |splices: &Vec<Splice>| splices.iter().map(|s| (s.start, s.end, s.text.clone())).collect();
            edits.iter().map(plain).collect()
        };
        Self {
            label: step.label.clone(),
            gesture: step.gesture.clone(),
            ops: step.ops.clone(),
            forward: plain(&step.forward),
            back: plain(&step.back),
            texts,
        }
    }
}

impl From<&StepLine> for Kept {
    fn from(line: &StepLine) -> Self {
        let (forward, back) = (splices(&line.forward), splices(&line.back));
        let (label, gesture, ops) = (line.label.clone(), line.gesture.clone(), line.ops.clone());
        Self { step: Step { label, gesture, ops, forward, back }, texts: line.texts.clone() }
    }
}

/// Opens the file of a draft, and makes it if it is not there. A project of a stranger may have a link there, which leads
/// anywhere.
fn opened(path: &Path) -> Result<File, NoDraft> {
    if path.symlink_metadata().is_ok_and(|there| !there.is_file()) {
        return Err(NoDraft::Foreign(path.to_owned()));
    }
    let mut options = OpenOptions::new();
    options.read(true).append(true).create(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600).custom_flags(rustix::fs::OFlags::NOFOLLOW.bits() as i32);
    }
    options.open(path).map_err(|e| NoDraft::Io(path.to_owned(), e))
}

/// Whether a file that is open is still the one at its path.
#[cfg(unix)]
fn is_there(path: &Path, open: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    path.symlink_metadata().is_ok_and(|there| (there.dev(), there.ino()) == (open.dev(), open.ino()))
}

#[cfg(not(unix))]
fn is_there(path: &Path, _: &Metadata) -> bool {
    path.exists()
}

/// Whether this user alone has written what a file contains: a project of a stranger brings none of these.
#[cfg(unix)]
fn is_own(about: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let is_private = about.len() == 0 || about.mode() & 0o077 == 0;
    about.nlink() == 1 && about.uid() == rustix::process::geteuid().as_raw() && is_private
}

#[cfg(not(unix))]
fn is_own(_: &Metadata) -> bool {
    true
}

fn splices(plain: &[Vec<(u32, u32, String)>]) -> Vec<Vec<Splice>> {
    let whole = |(start, end, text): &(u32, u32, String)| Splice { start: *start, end: *end, text: text.clone() };
    plain.iter().map(|splices| splices.iter().map(whole).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draft_is_known_by_its_name() {
        for name in [".a.xar.draft", "b/.a.xar.draft-1", ".behavior.XAR.draft"] {
            assert!(is_draft(name), "{name}");
        }
        assert!(!is_draft("a.xar.draft") && !is_draft(".a.xar"));
    }

    #[cfg(unix)]
    #[test]
    fn a_draft_that_was_removed_is_not_the_one_that_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(".a.xar.draft");
        let open = opened(&path).ok().unwrap().metadata().unwrap();
        assert!(is_there(&path, &open));
        // The number of a removed file can be given again.
        std::fs::rename(&path, folder.path().join("gone")).unwrap();
        assert!(!is_there(&path, &open));
        opened(&path).ok().unwrap();
        assert!(!is_there(&path, &open));
    }
}
