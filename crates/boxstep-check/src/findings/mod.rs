//! The rules, one family per file. Each checks one box. Nothing is run, and behaviors other than the given one are not
//! read.

mod balance;
pub(crate) mod dialog_boxes;
pub(crate) mod dialogs;
mod files;
mod includes;
mod links;
mod motion;
mod names;
mod parameters;
mod ports;
pub(crate) mod projects;
mod reach;
mod resources;
mod scripts;
#[cfg(not(target_arch = "wasm32"))]
mod services;
mod stops;
mod texts;
mod timelines;
pub(crate) mod topics;
mod unlisted;

use crate::scripts::{Facts, Reading, Scripts, lines};
use boxstep_bodies::Body;
use boxstep_dynamics::FrameBudget;
use boxstep_format::XarFile;
use boxstep_format::model::{BoxDef, ProjectKind, Script, ScriptLanguage};
use boxstep_format::paths::{self, BoxAt};
use boxstep_types::{Diagnostic, Span};
use dialog_boxes::Dialogs;
use projects::Found;
use std::path::{Path, PathBuf};

/// Additional information for a check. Rules that need information that is not given are skipped.
#[derive(Clone, Copy, Default)]
pub struct Context<'a> {
    /// The behavior's folder, in which attached files are looked up.
    pub folder: Option<&'a Path>,
    /// The robot that the behavior is to run on, if it is known.
    pub body: Option<&'static Body>,
    /// True if the user named the robot, false if it was derived from files.
    pub body_asked: bool,
    /// The results of parsing the scripts in this file and in those that belong to it.
    pub scripts: Option<&'a Scripts>,
    /// Services that the project provides: see [`Scripts::offers`].
    pub services: &'a [String],
    /// Dialogs and topics that are checked elsewhere, e.g. with the project: see [`crate::listed_dialogs`].
    pub dialogs: &'a [PathBuf],
}

/// The findings about a behavior.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// Those about its own file, in file order. Their spans refer to [`XarFile::sources`].
    pub behavior: Vec<Diagnostic>,
    /// Those about the dialogs and topics of its boxes.
    pub dialogs: Vec<Found>,
}

/// Returns the findings about a behavior.
///
/// Findings of the reader are in [`XarFile::findings`] and not repeated.
pub fn check(file: &XarFile, context: &Context<'_>) -> Findings {
    let mut found = Vec::new();
    let mut dialogs = Dialogs::default();
    let mut frames = FrameBudget::default();
    let project = context.folder.map(files::project_of);
    let reach = reach::Reach::new(file, context.scripts);
    for at in paths::boxes(&file.project) {
        let mut here = Here { at: &at, file, context, found: &mut found, dialogs: &mut dialogs, frames: &mut frames };
        names::check(&mut here);
        ports::check(&mut here);
        parameters::check(&mut here);
        resources::check(&mut here);
        timelines::check(&mut here);
        motion::check(&mut here);
        scripts::check(&mut here);
        #[cfg(not(target_arch = "wasm32"))]
        services::check(&mut here);
        for diagram in paths::diagrams(&at.path, at.def) {
            links::check(&mut here, diagram.diagram);
            names::diagram(&mut here, diagram.diagram);
            reach.check(&mut here, &diagram);
            stops::check(&mut here, &diagram, &reach);
        }
        if let Some(project) = &project {
            files::check(&mut here, project);
        }
    }
    found.sort_by_key(|d| d.span.map_or(0, |s| s.start));
    Findings { behavior: found, dialogs: dialogs.found }
}

/// The box that is being checked.
struct Here<'a> {
    at: &'a BoxAt<'a>,
    file: &'a XarFile,
    context: &'a Context<'a>,
    found: &'a mut Vec<Diagnostic>,
    dialogs: &'a mut Dialogs,
    /// How many postures of timelines may still be calculated.
    frames: &'a mut FrameBudget,
}

impl<'a> Here<'a> {
    /// Reports a finding about this box.
    fn report(&mut self, finding: Diagnostic, span: Span) {
        let path = self.at.path.clone();
        self.found.push(finding.at(self.tag(span)).in_box(path));
    }

    /// Reports a finding about a line of the box's script, or about a word in it.
    fn report_line(&mut self, finding: Diagnostic, line: u32, word: &str) {
        let Some(script) = &self.at.def.script else { return };
        let path = self.at.path.clone();
        self.found.push(finding.at(script_span(self.file, script, line, word)).in_box(path));
    }

    /// The box's script, if it is Python and not empty.
    fn script(&self) -> Option<&'a Script> {
        python_script(self.at.def)
    }

    /// The result of parsing the box's script, if it was parsed.
    fn reading(&self) -> Option<&'a Reading> {
        self.context.scripts?.reading(&self.script()?.text)
    }

    /// The facts found in the box's script.
    fn facts(&self) -> Option<&'a Facts> {
        match self.reading()? {
            Reading::Read { facts, .. } => Some(facts),
            _ => None,
        }
    }

    /// The enclosing boxes, the root first. `None` for a box in a library, whose enclosing boxes are unknown.
    fn parents(&self) -> Option<Vec<&'a BoxDef>> {
        if self.file.project.kind == ProjectKind::LibraryBox {
            return None;
        }
        let mut def = &self.file.project.root;
        let mut found = Vec::new();
        for place in &self.at.trail {
            found.push(def);
            let layer = def.timeline.as_ref()?.layers.get(place.layer)?;
            def = layer.keyframes.get(place.keyframe)?.diagram.boxes.get(place.index)?;
        }
        Some(found)
    }

    /// Returns the span of an element's start tag, which messages refer to.
    fn tag(&self, span: Span) -> Span {
        let text = self.file.sources.slice(span);
        let mut quote = None;
        for (i, b) in text.bytes().enumerate() {
            match (b, quote) {
                (b'>', None) => return Span { end: span.start + i as u32 + 1, ..span },
                (b'"' | b'\'', None) => quote = Some(b),
                (b, Some(q)) if b == q => quote = None,
                _ => {}
            }
        }
        span
    }
}

/// Returns the script of a box if it is Python and not empty.
fn python_script(def: &BoxDef) -> Option<&Script> {
    def.script.as_ref().filter(|s| s.language == ScriptLanguage::Python && !s.text.trim().is_empty())
}

/// Returns the first occurrence of a word in a line of a script, or the line without its indentation.
fn script_span(file: &XarFile, script: &Script, line: u32, word: &str) -> Span {
    // Several CDATA sections are joined in `text`; then its lines are not those of the file.
    let text = file.sources.slice(script.text_span);
    let lines = lines(text);
    let index = (line.max(1) as usize - 1).min(lines.len().saturating_sub(1));
    let Some(range) = lines.get(index).cloned() else { return script.text_span };
    let shown = text.get(range.clone()).unwrap_or_default();
    let (from, length) = match shown.find(word).filter(|_| !word.is_empty()) {
        Some(at) => (at, word.len()),
        None => (shown.len() - shown.trim_start().len(), shown.trim().len()),
    };
    let start = script.text_span.start + (range.start + from) as u32;
    Span { start, end: start + length as u32, ..script.text_span }
}

/// Returns each item whose key occurred before, together with the first item with that key.
fn repeats<'a, T, K: std::hash::Hash + Eq>(
    items: impl IntoIterator<Item = &'a T>,
    key: impl Fn(&'a T) -> K,
) -> Vec<(&'a T, &'a T)> {
    let mut first = std::collections::HashMap::new();
    let mut found = Vec::new();
    for item in items {
        match first.entry(key(item)) {
            std::collections::hash_map::Entry::Occupied(e) => found.push((*e.get(), item)),
            std::collections::hash_map::Entry::Vacant(e) => {
                e.insert(item);
            }
        }
    }
    found
}

/// Formats a number with its noun: `1 place`, `3 places`.
fn count(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}
