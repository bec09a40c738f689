//! What is known of a file that was read before and has been changed since.

use crate::model::BoxDef;
use crate::raw::Moved;
use crate::{XarFile, codes};
use boxstep_types::{Diagnostic, FileId, Span};

/// The boxes and findings of a file as it was, for the parts that have not changed.
#[derive(Debug)]
pub(crate) struct Known<'a> {
    /// All boxes, in the order in which they begin.
    boxes: Vec<&'a BoxDef>,
    /// The findings, in the order in which they begin.
    findings: &'a [Diagnostic],
    moved: &'a Moved,
}

impl<'a> Known<'a> {
    pub(crate) fn new(file: &'a XarFile, moved: &'a Moved) -> Self {
        let mut boxes = Vec::new();
        collect(&file.project.root, &mut boxes);
        // A timeline that is written twice is read once, so the order is that of the file; this makes sure of it.
        boxes.sort_by_key(|def| def.span.start);
        Self { boxes, findings: &file.findings, moved }
    }

    /// Returns the box that has the bytes of this range, as one of the changed file, and what was found in it.
    pub(super) fn box_at(&self, file: FileId, range: (u32, u32)) -> Option<(BoxDef, Vec<Diagnostic>)> {
        let (start, end) = self.moved.before(range)?;
        let at = self.boxes.binary_search_by_key(&start, |def| def.span.start).ok()?;
        let def = self.boxes.get(at).filter(|def| def.span.end == end)?;
        let by = i64::from(range.0) - i64::from(start);
        let shift = |span: &mut Span| {
            let moved = |byte: u32| (i64::from(byte) + by) as u32;
            *span = Span { file, start: moved(span.start), end: moved(span.end) };
        };
        let mut def = BoxDef::clone(def);
        def.for_each_span(&mut |span| shift(span));
        def.for_each_plugin(&mut |span| shift(span));
        let first = self.findings.partition_point(|finding| finding.span.map_or(0, |span| span.start) < start);
        let inside = self.findings.get(first..).unwrap_or_default().iter();
        let inside = inside.take_while(|finding| finding.span.is_some_and(|span| span.start < end));
        let own = inside.filter(|finding| !is_of_the_diagram(finding, start));
        let moved = own.map(|finding| {
            let mut finding = finding.clone();
            finding.span.iter_mut().for_each(shift);
            finding.notes.iter_mut().filter_map(|note| note.span.as_mut()).for_each(shift);
            finding
        });
        Some((def, moved.collect()))
    }
}

/// Whether a finding at the first byte of a box compares the box with those beside it.
fn is_of_the_diagram(finding: &Diagnostic, start: u32) -> bool {
    finding.code == codes::DUPLICATE_ID && finding.span.is_some_and(|span| span.start == start)
}

fn collect<'a>(def: &'a BoxDef, boxes: &mut Vec<&'a BoxDef>) {
    boxes.push(def);
    let layers = def.timeline.iter().flat_map(|timeline| &timeline.layers);
    for keyframe in layers.flat_map(|layer| &layer.keyframes) {
        keyframe.diagram.boxes.iter().for_each(|def| collect(def, boxes));
    }
}
