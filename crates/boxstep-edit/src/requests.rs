//! What a page wants of a file that it edits, and what it is told: the same from a program and without one.

use crate::document::{Change, Document, Step};
use crate::op::Op;
use boxstep_format::{XarFile, paths};
use boxstep_types::{Diagnostic, Severity, Sources, Span};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// What a page wants to do to a file.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub enum EditRequest {
    /// Do operations, all or none.
    Apply {
        /// What they do together, for the list of changes.
        label: String,
        /// The gesture that they belong to: operations of one gesture are undone together.
        #[serde(default)]
        gesture: Option<String>,
        /// The operations.
        ops: Vec<Op>,
    },
    /// Undo the last change.
    Undo,
    /// Do again what was undone last.
    Redo,
    /// Write the file, if nobody else has.
    Save,
    /// Write the file, whatever another program has written.
    Overwrite,
    /// Read the file again, and do the changes once more.
    Merge,
    /// Forget the changes since the file was saved, and read it again.
    Discard,
}

/// The state of a file that is edited.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct EditState {
    /// The file, as the user named it.
    pub file: String,
    /// Counts the changes.
    pub version: u64,
    /// Whether it has changes that are not saved.
    pub changed: bool,
    /// The changes that can be undone, the oldest first; the last [`LABELS`] of them.
    pub undo: Vec<String>,
    /// The changes that can be redone, the next one last.
    pub redo: Vec<String>,
    /// The lines of the file that the request has changed, from 1.
    pub lines: Vec<Range<u32>>,
    /// What a run that goes on has taken of the change, or when it counts, in words; empty if nothing plays.
    pub counts: Vec<String>,
    /// The boxes whose new inside waits until it is loaded next.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub waits: Vec<String>,
    /// What was found of changes that were not saved, when the file was opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recovered: Option<String>,
    /// Why a crash would lose what is not saved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unkept: Option<String>,
    /// True if another program has changed the file since it was read: saving was refused, and this is the difference of
    /// its version to this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conflict: Option<String>,
}

/// How many changes a page lists.
pub const LABELS: usize = 200;

impl EditState {
    /// The state of a document, after these changes. `file` is the name that the user knows.
    pub fn of(document: &Document, file: &str, changes: &[Change]) -> Self {
        let labels = |steps: &[Step]| {
            let last = steps.len().saturating_sub(LABELS);
            steps.iter().skip(last).map(|step| step.label.clone()).collect()
        };
        Self {
            file: file.to_owned(),
            version: document.version(),
            changed: document.is_changed(),
            undo: labels(document.steps()),
            redo: labels(document.undone()),
            lines: changes.last().map(|change| change.lines.clone()).unwrap_or_default(),
            ..Self::default()
        }
    }
}

/// Something that is wrong with a file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EditFinding {
    /// The box, by its path in the file; empty for the whole file.
    #[serde(rename = "box")]
    pub path: String,
    /// The line of the box's script, or of a text that is no behavior, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// `error`, `warning` or `note`.
    pub severity: &'static str,
    /// The code, which docs/reference/codes explains.
    pub code: String,
    /// What is wrong, in a sentence.
    pub message: String,
    /// What can be done about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
}

impl EditFinding {
    /// A finding for a page: its line is that in the script of its box, if it is about one.
    pub fn of(finding: &Diagnostic, file: &XarFile) -> Self {
        let def = finding.path.as_ref().and_then(|path| paths::find(&file.project, path).ok()).map(|at| at.def);
        let script = def.and_then(|def| def.script.as_ref()).map(|script| script.text_span);
        let within = |inner: Span, outer: Span| outer.start <= inner.start && inner.start < outer.end;
        let line = finding.span.zip(script).filter(|(span, script)| within(*span, *script)).map(|(span, script)| {
            let line = |at: Span| file.sources.line(at.file, at.start);
            1 + line(span) - line(script)
        });
        let path = finding.path.as_ref().map(ToString::to_string).unwrap_or_default();
        Self { path, line, ..Self::of_text(finding, &file.sources) }
    }

    /// A finding about a text that is no behavior: its line is that in the file.
    pub fn of_text(finding: &Diagnostic, sources: &Sources) -> Self {
        Self {
            path: String::new(),
            line: finding.span.map(|span| sources.line(span.file, span.start)),
            severity: match finding.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Note => "note",
            },
            code: finding.code.to_string(),
            message: finding.message.clone(),
            help: finding.help.clone(),
        }
    }
}

/// A box that can be added.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct OfferedBox {
    name: &'static str,
    group: &'static str,
    about: &'static str,
    icon: &'static str,
    /// The path of the picture that files name for it; its drawing is the icon.
    picture: &'static str,
}

/// The boxes of the library, for a page.
pub fn offered() -> Vec<OfferedBox> {
    let all = boxstep_library::boxes().iter();
    let offered = |one: &boxstep_library::LibraryBox| OfferedBox {
        name: one.name,
        group: one.group,
        about: one.about,
        icon: one.icon,
        picture: one.picture(),
    };
    all.map(offered).collect()
}
