//! A file that is edited: its versions, and the way back.

use crate::error::EditError;
use crate::op::Op;
use crate::scratch::Scratch;
use crate::{lines, ops};
use boxstep_format::write::{Splice, inverse, spliced};
use boxstep_format::{FormatError, Limits, XarFile, read_xar};
use serde::Serialize;
use std::borrow::Cow;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

/// A behavior that is edited. Every change can be undone, back to the file that was read.
///
/// ```
/// use boxstep_edit::{Document, Op};
///
/// let xar = br#"<ChoregrapheProject xar_version="3"><Box name="root" id="-1" tooltip="old"/></ChoregrapheProject>"#;
/// let mut document = Document::read("behavior.xar", xar)?;
/// document.apply("set the hint", None, &[Op::SetTooltip { r#box: "root".parse()?, tooltip: "new".into() }])?;
/// assert!(document.file().text().contains(r#"tooltip="new""#));
/// document.undo();
/// assert_eq!(document.file().to_bytes(), xar);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Document {
    file: Arc<XarFile>,
    limits: Limits,
    version: u64,
    undo: Vec<Step>,
    redo: Vec<Step>,
    /// How many steps the saved file has; `None` if they have been undone and others made.
    saved: Option<usize>,
    /// Files of other states, by their numbers of steps; the latest last. They spare reading a large file again.
    states: VecDeque<(usize, Arc<XarFile>)>,
}

/// How many bytes of text are kept as files that have been read, and how many of these files.
const KEPT: (usize, usize) = (40 << 20, 32);

/// What one gesture of a user has changed.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// What it did, for a list of changes.
    pub label: String,
    /// The gesture that it belongs to; steps of one gesture are one.
    pub gesture: Option<String>,
    /// The operations.
    pub ops: Vec<Op>,
    /// The changes of the text, one after the other.
    pub(crate) forward: Vec<Vec<Splice>>,
    /// Their undoing, one after the other.
    pub(crate) back: Vec<Vec<Splice>>,
}

/// What has changed in a document.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    /// The version that there is now.
    pub version: u64,
    /// What was done or undone.
    pub label: String,
    /// The lines of the new text that are new or have changed, from 1.
    pub lines: Vec<Range<u32>>,
}

impl Document {
    /// Reads a document.
    ///
    /// # Errors
    /// The file yields no project.
    pub fn read(name: &str, bytes: &[u8]) -> Result<Self, FormatError> {
        let limits = Limits::default();
        Ok(Self::new(read_xar(name, bytes, &limits)?))
    }

    /// Makes a document of a file that has been read.
    pub fn new(file: XarFile) -> Self {
        let (limits, states) = (Limits::default(), VecDeque::new());
        let file = Arc::new(file);
        Self { file, limits, version: 0, undo: Vec::new(), redo: Vec::new(), saved: Some(0), states }
    }

    /// The file as it is now.
    pub fn file(&self) -> &XarFile {
        &self.file
    }

    /// The file as it is now, for whoever goes on with it while it changes.
    pub fn shared(&self) -> Arc<XarFile> {
        self.file.clone()
    }

    /// The number of changes, with those undone; each version has another one.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Whether the document differs from what was read or saved last.
    pub fn is_changed(&self) -> bool {
        self.saved != Some(self.undo.len())
    }

    /// Says that the document has been saved as it is.
    pub fn set_saved(&mut self) {
        self.saved = Some(self.undo.len());
    }

    /// The number of steps since the file was saved; `None` if steps that were saved have been undone.
    pub fn unsaved(&self) -> Option<usize> {
        self.undo.len().checked_sub(self.saved?)
    }

    /// Makes a document with a history.
    pub(crate) fn restored(file: XarFile, undo: Vec<Step>, redo: Vec<Step>, saved: Option<usize>) -> Self {
        Self { undo, redo, saved, ..Self::new(file) }
    }

    /// Forgets the steps, so that the document cannot be undone any more.
    pub(crate) fn forget_steps(&mut self) {
        let saved = if self.is_changed() { None } else { Some(0) };
        self.undo.clear();
        self.redo.clear();
        self.states.clear();
        self.saved = saved;
    }

    /// Makes versions later than those of another document.
    pub(crate) fn continue_from(&mut self, version: u64) {
        self.version += version + 1;
    }

    /// Forgets all changes, and goes on with the file as it was saved.
    ///
    /// # Errors
    /// The file yields no project; then nothing has changed.
    pub fn discard(&mut self, name: &str, saved: &[u8]) -> Result<(), FormatError> {
        let mut document = Self::read(name, saved)?;
        document.continue_from(self.version);
        *self = document;
        Ok(())
    }

    /// The steps that can be undone, the oldest first.
    pub fn steps(&self) -> &[Step] {
        &self.undo
    }

    /// The steps that can be redone, the next one last.
    pub fn undone(&self) -> &[Step] {
        &self.redo
    }

    /// Does operations as one step; all of them, or none. A step that has the gesture of the last one becomes a part of
    /// it.
    ///
    /// # Errors
    /// The first operation that cannot be done.
    pub fn apply(&mut self, label: &str, gesture: Option<&str>, ops: &[Op]) -> Result<Change, EditError> {
        Ok(self.apply_step(label, gesture, ops)?.0)
    }

    /// Does operations, and also returns the step that they are, or by which they lengthen the last one.
    pub(crate) fn apply_step(
        &mut self,
        label: &str,
        gesture: Option<&str>,
        ops: &[Op],
    ) -> Result<(Change, Step), EditError> {
        let mut file: Option<XarFile> = None;
        let (mut forward, mut back) = (Vec::new(), Vec::new());
        let mut waiting: Vec<Op> = ops.iter().rev().cloned().collect();
        while let Some(op) = waiting.pop() {
            let before: &XarFile = file.as_ref().unwrap_or(&self.file);
            let mut scratch = Scratch::new(before);
            ops::apply(&op, &mut scratch)?;
            waiting.extend(std::mem::take(&mut scratch.then).into_iter().rev());
            let mut splices = scratch.splices()?;
            if splices.is_empty() {
                continue;
            }
            let after = scratch.spliced(&splices, &self.limits)?;
            // The text is that of the bytes, so that it is the same when the file is read again.
            let after = if before.refer(&mut splices) { before.spliced(&splices, &self.limits)? } else { after };
            back.push(inverse(before.text(), &splices));
            forward.push(splices);
            file = Some(after);
        }
        back.reverse();
        let gesture = gesture.map(str::to_owned);
        let step = Step { label: label.to_owned(), gesture, ops: ops.to_vec(), forward, back };
        let Some(file) = file else { return Ok((self.changed(label, Vec::new()), step)) };
        let before = std::mem::replace(&mut self.file, Arc::new(file));
        self.version += 1;
        let change = self.changed(label, lines::changed(&self.file, &step.forward));
        self.keep(self.undo.len(), before);
        // States that had been undone are no more.
        let steps = self.undo.len();
        self.states.retain(|(of, _)| *of <= steps);
        // What was undone is gone, and the saved version with it if it was there.
        if self.saved.is_some_and(|saved| saved > self.undo.len()) {
            self.saved = None;
        }
        self.redo.clear();
        let is_saved = self.saved == Some(self.undo.len());
        match self.undo.last_mut() {
            // A saved step stays one of its own, so that undo leads back to it.
            Some(last) if gesture_is(last, &step) && !is_saved => {
                last.join(step.clone());
                self.states.retain(|(of, _)| *of < steps);
            }
            _ => self.undo.push(step.clone()),
        }
        Ok((change, step))
    }

    /// Undoes the last step; `None` if there is none.
    pub fn undo(&mut self) -> Option<Change> {
        let step = self.undo.pop()?;
        let change = self.replay(&step.label, &step.back, self.undo.len() + 1, self.undo.len());
        let stack = if change.is_some() { &mut self.redo } else { &mut self.undo };
        stack.push(step);
        change
    }

    /// Does again what was undone last; `None` if nothing was.
    pub fn redo(&mut self) -> Option<Change> {
        let step = self.redo.pop()?;
        let change = self.replay(&step.label, &step.forward, self.undo.len(), self.undo.len() + 1);
        let stack = if change.is_some() { &mut self.undo } else { &mut self.redo };
        stack.push(step);
        change
    }

    /// Goes from the state of so many steps to that of another number, by edits that were applied before to the same
    /// text.
    fn replay(&mut self, label: &str, edits: &[Vec<Splice>], from: usize, to: usize) -> Option<Change> {
        let known = self.states.iter().find(|(of, _)| *of == to).map(|(_, file)| file.clone());
        let file = known.or_else(|| self.replayed(edits).map(Arc::new))?;
        let before = std::mem::replace(&mut self.file, file);
        self.keep(from, before);
        self.version += 1;
        Some(self.changed(label, lines::changed(&self.file, edits)))
    }

    fn replayed(&self, edits: &[Vec<Splice>]) -> Option<XarFile> {
        let mut text = Cow::Borrowed(self.file.text());
        for splices in edits {
            text = Cow::Owned(spliced(&text, splices)?);
        }
        let end = self.file.text().len() as u32;
        let whole = Splice { start: 0, end, text: text.into_owned() };
        self.file.spliced(&[whole], &self.limits).ok()
    }

    /// Keeps a state, and forgets the oldest ones if they become too many.
    fn keep(&mut self, steps: usize, file: Arc<XarFile>) {
        self.states.retain(|(of, _)| *of != steps);
        self.states.push_back((steps, file));
        let bytes =
            |states: &VecDeque<(usize, Arc<XarFile>)>| states.iter().map(|(_, f)| f.text().len()).sum::<usize>();
        while self.states.len() > KEPT.1 || (self.states.len() > 1 && bytes(&self.states) > KEPT.0) {
            self.states.pop_front();
        }
    }

    fn changed(&self, label: &str, lines: Vec<Range<u32>>) -> Change {
        Change { version: self.version, label: label.to_owned(), lines }
    }
}

impl Step {
    /// Makes a later step of the same gesture a part of this one.
    pub(crate) fn join(&mut self, later: Step) {
        self.ops.extend(later.ops);
        self.forward.extend(later.forward);
        let before = std::mem::replace(&mut self.back, later.back);
        self.back.extend(before);
    }
}

fn gesture_is(last: &Step, step: &Step) -> bool {
    step.gesture.is_some() && last.gesture == step.gesture
}
