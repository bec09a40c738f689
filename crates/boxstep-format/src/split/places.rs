//! A map from the bytes of an assembled text to their sources, and its application to a model.

use crate::model::{BoxDef, Project, Timeline};
use boxstep_types::{Diagnostic, Span};
use std::collections::HashMap;

/// The source of a range of bytes in the assembled text.
struct Piece {
    start: u32,
    end: u32,
    from: Span,
    /// True if the bytes are copied from `from`; otherwise all of them correspond to `from` as a whole.
    verbatim: bool,
}

/// A map from spans of an assembled text to spans of the files that it was assembled from.
#[derive(Default)]
pub(super) struct Places {
    pieces: Vec<Piece>,
    /// Elements that were assembled from several files, by their start: their end, and the span that represents them.
    elements: HashMap<u32, (u32, Span)>,
}

impl Places {
    pub(super) fn piece(&mut self, start: usize, end: usize, from: Span, verbatim: bool) {
        if start < end {
            self.pieces.push(Piece { start: start as u32, end: end as u32, from, verbatim });
        }
    }

    pub(super) fn element(&mut self, start: usize, end: usize, from: Span) {
        self.elements.insert(start as u32, (end as u32, from));
    }

    /// Returns the source of a span of the assembled text.
    pub(super) fn real(&self, span: Span) -> Span {
        if let Some((end, from)) = self.elements.get(&span.start)
            && *end == span.end
        {
            return *from;
        }
        let (Some(first), Some(last)) = (self.at(span.start), self.at(span.end.max(span.start + 1) - 1)) else {
            return Span::default();
        };
        let start = first.place(span.start);
        let end = if last.from.file == first.from.file { last.place_of_end(span.end) } else { first.from.end };
        Span { file: first.from.file, start, end: end.max(start) }
    }

    fn at(&self, byte: u32) -> Option<&Piece> {
        let next = self.pieces.partition_point(|p| p.start <= byte);
        self.pieces.get(next.max(1) - 1)
    }
}

impl Piece {
    fn place(&self, byte: u32) -> u32 {
        if self.verbatim {
            (self.from.start + byte.saturating_sub(self.start)).min(self.from.end)
        } else {
            self.from.start
        }
    }

    fn place_of_end(&self, byte: u32) -> u32 {
        if self.verbatim { self.place(byte.min(self.end)) } else { self.from.end }
    }
}

/// Replaces every span of a model.
pub(super) fn move_project(project: &mut Project, to: &dyn Fn(Span) -> Span) {
    project.span = to(project.span);
    for r in &mut project.resources {
        r.span = to(r.span);
    }
    move_box(&mut project.root, to);
}

fn move_box(def: &mut BoxDef, to: &dyn Fn(Span) -> Span) {
    def.span = to(def.span);
    def.plugin_content = def.plugin_content.map(to);
    if let Some(script) = &mut def.script {
        script.span = to(script.span);
        script.text_span = to(script.text_span);
    }
    let spans = def.inputs.iter_mut().map(|p| &mut p.span);
    let spans = spans.chain(def.outputs.iter_mut().map(|p| &mut p.span));
    for span in spans.chain(def.resources.iter_mut().map(|r| &mut r.span)) {
        *span = to(*span);
    }
    for p in &mut def.parameters {
        p.span = to(p.span);
        p.value_span = to(p.value_span);
    }
    if let Some(timeline) = &mut def.timeline {
        move_timeline(timeline, to);
    }
}

fn move_timeline(timeline: &mut Timeline, to: &dyn Fn(Span) -> Span) {
    timeline.span = to(timeline.span);
    if let Some(list) = &mut timeline.actuators {
        list.span = to(list.span);
        for curve in &mut list.curves {
            curve.span = to(curve.span);
            for key in &mut curve.keys {
                key.span = to(key.span);
                for tangent in key.left.iter_mut().chain(&mut key.right) {
                    tangent.span = to(tangent.span);
                }
            }
        }
    }
    for layer in &mut timeline.layers {
        layer.span = to(layer.span);
        for keyframe in &mut layer.keyframes {
            keyframe.span = to(keyframe.span);
            keyframe.diagram.span = to(keyframe.diagram.span);
            for link in &mut keyframe.diagram.links {
                link.span = to(link.span);
            }
            for def in &mut keyframe.diagram.boxes {
                move_box(def, to);
            }
        }
    }
    if let Some(machine) = &mut timeline.machine {
        machine.span = to(machine.span);
        let states = machine.states.iter_mut().map(|s| &mut s.span);
        for span in states.chain(machine.transitions.iter_mut().map(|t| &mut t.span)) {
            *span = to(*span);
        }
    }
}

/// Replaces the spans of a finding.
pub(super) fn move_finding(finding: &mut Diagnostic, to: &dyn Fn(Span) -> Span) {
    finding.span = finding.span.map(to);
    for note in &mut finding.notes {
        note.span = note.span.map(to);
    }
}
