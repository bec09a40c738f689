//! The history of a file's edits, written as they happen, so that nothing is lost if the program is killed.
//!
//! A draft has one line of JSON for each step, undo, redo and save. A line that the program could not finish is ignored.
//! A save has the hash of the file; a draft continues from the last save that is the file on the disk. While a file is
//! edited its draft is locked, so that no other program edits it.

use crate::document::{Document, Step};
use crate::op::Op;
use boxstep_format::write::{Splice, spliced};
use boxstep_format::{Limits, XarFile};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::fs::{File, OpenOptions, TryLockError};
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
    /// The length of the text after the step, in bytes: a step that leads to another text is of another one.
    length: usize,
}

/// The draft of a file, open and locked for writing.
#[derive(Debug)]
pub(crate) struct Draft {
    path: PathBuf,
    file: File,
}

/// Why there is no draft.
pub(crate) enum NoDraft {
    /// Another program has it open.
    InUse,
    /// It cannot be read or written.
    Unusable,
}

/// Returns where the draft of a file is: beside it, hidden.
pub(crate) fn path_of(file: &Path) -> PathBuf {
    let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    file.with_file_name(format!(".{name}.draft"))
}

/// Returns whether a file is a draft, by its name.
pub fn is_draft(name: &str) -> bool {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
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
    /// The file on the disk is none that the draft has saved. These steps were not saved.
    OfAnother(Vec<Step>),
}

/// Returns what a draft holds for a file that has just been read.
pub(crate) fn found(text: &str, file: &XarFile, bytes: &[u8]) -> Found {
    let lines: Vec<Line> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let own = hash(bytes);
    let is_own = |line: &Line| matches!(line, Line::Saved(hash) if *hash == own);
    let Some(at) = lines.iter().rposition(is_own) else {
        let saved = lines.iter().rposition(|line| matches!(line, Line::Saved(_))).unwrap_or_default();
        let mut stacks = Stacks::default();
        lines.into_iter().skip(saved).for_each(|line| stacks.take(line));
        return if stacks.undo.is_empty() { Found::Nothing } else { Found::OfAnother(stacks.undo) };
    };
    let mut stacks = Stacks::default();
    let mut lines = lines.into_iter();
    lines.by_ref().take(at + 1).for_each(|line| stacks.take(line));
    let saved = stacks.undo.len();
    let mut document = Document::restored(file.clone(), stacks.undo.clone(), stacks.redo.clone(), Some(saved));
    let mut text = file.text().to_owned();
    let mut still_saved = Some(saved);
    for line in lines {
        let changed = match &line {
            Line::Saved(_) => Some(text.clone()),
            Line::Step(step) | Line::More(step) => replayed(&text, &splices(&step.forward)),
            Line::Undo => stacks.undo.last().and_then(|step| replayed(&text, &step.back)),
            Line::Redo => stacks.redo.last().and_then(|step| replayed(&text, &step.forward)),
        };
        // What does not fit is not of this file.
        let fits = |changed: &String| match &line {
            Line::Step(step) | Line::More(step) => changed.len() == step.length,
            Line::Saved(_) | Line::Undo | Line::Redo => true,
        };
        let Some(changed) = changed.filter(fits) else { break };
        text = changed;
        if matches!(line, Line::Step(_) | Line::More(_)) && still_saved.is_some_and(|saved| saved > stacks.undo.len()) {
            still_saved = None;
        }
        stacks.take(line);
    }
    let whole = Splice { start: 0, end: file.text().len() as u32, text };
    if let Ok(now) = file.spliced(&[whole], &Limits::default()) {
        document = Document::restored(now, stacks.undo, stacks.redo, still_saved);
    }
    if document.steps().is_empty() && document.undone().is_empty() {
        return Found::Nothing;
    }
    Found::Document(Box::new(document))
}

/// The steps that can be undone and redone after the lines so far.
#[derive(Default)]
struct Stacks {
    undo: Vec<Step>,
    redo: Vec<Step>,
}

impl Stacks {
    fn take(&mut self, line: Line) {
        match line {
            Line::Saved(_) => {}
            Line::Step(step) => {
                self.redo.clear();
                self.undo.push(step.into());
            }
            Line::More(step) => match self.undo.last_mut() {
                Some(last) => last.join(step.into()),
                None => self.undo.push(step.into()),
            },
            Line::Undo => self.redo.extend(self.undo.pop()),
            Line::Redo => self.undo.extend(self.redo.pop()),
        }
    }
}

fn replayed(text: &str, edits: &[Vec<Splice>]) -> Option<String> {
    edits.iter().try_fold(text.to_owned(), |text, splices| spliced(&text, splices))
}

impl Draft {
    /// Opens and locks a draft, and returns what it contains.
    pub(crate) fn open(path: PathBuf) -> Result<(Self, String), NoDraft> {
        // A project of a stranger may have a link there, which leads anywhere.
        if path.symlink_metadata().is_ok_and(|there| !there.is_file()) {
            return Err(NoDraft::Unusable);
        }
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true);
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt as _;
            options.mode(0o600);
        }
        let unusable = |_| NoDraft::Unusable;
        let mut file = options.open(&path).map_err(unusable)?;
        // Some file systems have no locks.
        if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
            return Err(NoDraft::InUse);
        }
        if file.metadata().map_err(unusable)?.len() > LARGEST {
            return Err(NoDraft::Unusable);
        }
        let mut text = String::new();
        // What is no text is no draft, and is replaced.
        if file.read_to_string(&mut text).is_err() {
            text.clear();
        }
        // A line that was cut off must not spoil the next one.
        if !text.is_empty() && !text.ends_with('\n') {
            file.write_all(b"\n").map_err(unusable)?;
        }
        Ok((Self { path, file }, text))
    }

    /// Forgets everything, and begins with a file as it is on the disk.
    pub(crate) fn reset(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.set_len(0)?;
        self.saved(bytes)
    }

    pub(crate) fn step(&mut self, step: &Step, more: bool, length: usize) -> io::Result<()> {
        let line = StepLine::of(step, length);
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
    pub(crate) fn remove(self) -> io::Result<()> {
        std::fs::remove_file(&self.path)
    }

    fn write(&mut self, line: &Line) -> io::Result<()> {
        let mut text = serde_json::to_vec(line).map_err(io::Error::other)?;
        text.push(b'\n');
        // One write, so that a killed program leaves whole lines or a part of the last one.
        self.file.write_all(&text)
    }
}

impl StepLine {
    fn of(step: &Step, length: usize) -> Self {
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
            length,
        }
    }
}

impl From<StepLine> for Step {
    fn from(line: StepLine) -> Self {
        let (forward, back) = (splices(&line.forward), splices(&line.back));
        Self { label: line.label, gesture: line.gesture, ops: line.ops, forward, back }
    }
}

fn splices(plain: &[Vec<(u32, u32, String)>]) -> Vec<Vec<Splice>> {
    let whole = |(start, end, text): &(u32, u32, String)| Splice { start: *start, end: *end, text: text.clone() };
    plain.iter().map(|splices| splices.iter().map(whole).collect()).collect()
}
