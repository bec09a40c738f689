//! What is known of a file that was read before and has been changed since.

use crate::model::{BoxDef, Project};
use crate::raw::Moved;
use crate::write::Touched;
use crate::{XarFile, codes};
use boxstep_types::{Diagnostic, FileId, Span};
use std::cell::{OnceCell, RefCell};

/// The boxes and findings of a file as it was, for the parts that have not changed.
#[derive(Debug)]
pub(crate) struct Known<'a> {
    root: &'a BoxDef,
    /// All boxes, in the order in which they begin, once one is asked for that is not in `copies`.
    boxes: OnceCell<Vec<&'a BoxDef>>,
    /// Copies of boxes, in the order in which they begin, each until it is taken. They spare a second copy.
    copies: RefCell<Vec<Option<BoxDef>>>,
    /// Where the copies begin.
    starts: Vec<u32>,
    /// The findings, in the order in which they begin.
    findings: &'a [Diagnostic],
    moved: &'a Moved,
}

impl<'a> Known<'a> {
    /// What is known of a file. `copy` is one of its model that nobody needs any more, with what has changed in it.
    pub(crate) fn new(file: &'a XarFile, moved: &'a Moved, copy: Option<(Project, &Touched)>) -> Self {
        let mut copies = Vec::new();
        if let Some((copy, touched)) = copy {
            let is_known = |def: &BoxDef| {
                let span = def.span;
                span.file == file.file && touched.is_as_read(span) && moved.keeps((span.start, span.end))
            };
            take_apart(copy.root, &is_known, &mut copies);
        }
        copies.sort_by_key(|def| def.span.start);
        let starts = copies.iter().map(|def| def.span.start).collect();
        let copies = RefCell::new(copies.into_iter().map(Some).collect());
        let (root, boxes) = (&file.project.root, OnceCell::new());
        Self { root, boxes, copies, starts, findings: &file.findings, moved }
    }

    /// Returns the box that had these bytes.
    fn known(&self, start: u32, end: u32) -> Option<BoxDef> {
        if let Ok(at) = self.starts.binary_search(&start) {
            let mut copies = self.copies.borrow_mut();
            if let Some(copy) = copies.get_mut(at)?.take_if(|def| def.span.end == end) {
                return Some(copy);
            }
        }
        let boxes = self.boxes.get_or_init(|| {
            let mut boxes = Vec::new();
            collect(self.root, &mut boxes);
            // A timeline that is written twice is read once, so the order is that of the file; this makes sure of it.
            boxes.sort_by_key(|def| def.span.start);
            boxes
        });
        let at = boxes.binary_search_by_key(&start, |def| def.span.start).ok()?;
        boxes.get(at).filter(|def| def.span.end == end).map(|def| BoxDef::clone(def))
    }

    /// Returns the box that has the bytes of this range, as one of the changed file, and what was found in it.
    pub(super) fn box_at(&self, file: FileId, range: (u32, u32)) -> Option<(BoxDef, Vec<Diagnostic>)> {
        let (start, end) = self.moved.before(range)?;
        let mut def = self.known(start, end)?;
        let by = i64::from(range.0) - i64::from(start);
        let shift = |span: &mut Span| {
            let moved = |byte: u32| (i64::from(byte) + by) as u32;
            *span = Span { file, start: moved(span.start), end: moved(span.end) };
        };
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

/// Collects the boxes of a copy that are known whole, and of the others those that are known in them.
fn take_apart(def: BoxDef, is_known: &impl Fn(&BoxDef) -> bool, into: &mut Vec<BoxDef>) {
    if is_known(&def) {
        return into.push(def);
    }
    let layers = def.timeline.into_iter().flat_map(|timeline| timeline.layers);
    for def in layers.flat_map(|layer| layer.keyframes).flat_map(|keyframe| keyframe.diagram.boxes) {
        take_apart(def, is_known, into);
    }
}

fn collect<'a>(def: &'a BoxDef, boxes: &mut Vec<&'a BoxDef>) {
    boxes.push(def);
    let layers = def.timeline.iter().flat_map(|timeline| &timeline.layers);
    for keyframe in layers.flat_map(|layer| &layer.keyframes) {
        keyframe.diagram.boxes.iter().for_each(|def| collect(def, boxes));
    }
}
