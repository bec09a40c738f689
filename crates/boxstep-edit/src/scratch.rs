//! The model of a file while an operation changes it.

use crate::error::EditError;
use crate::op::Op;
use boxstep_format::model::{BoxDef, Diagram, Link, NO_ID, Project, Timeline};
use boxstep_format::paths::{self, FindError, Place, diagrams};
use boxstep_format::write::{Copies, Splice, Touched, WriteError};
use boxstep_format::{Limits, XarFile};
use boxstep_types::{BoxPath, Segment, Span};
use std::collections::HashSet;

/// What an operation works on: a copy of the model, and what the model cannot say.
pub(crate) struct Scratch<'a> {
    /// The file as it is.
    pub(crate) file: &'a XarFile,
    /// The model that there will be.
    pub(crate) project: Project,
    /// Files from which boxes are copied.
    pub(crate) others: Vec<XarFile>,
    /// Elements by their first bytes, with the texts that they get.
    pub(crate) texts: Vec<(u32, String)>,
    /// What has to be done when this is.
    pub(crate) then: Vec<Op>,
    /// What operations could change in the model: whatever they got to change.
    touched: Touched,
}

/// A diagram of a box.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DiagramPlace {
    pub(crate) of: Vec<Place>,
    layer: usize,
    keyframe: usize,
}

impl DiagramPlace {
    pub(crate) fn new(of: &[Place], layer: usize, keyframe: usize) -> Self {
        Self { of: of.to_vec(), layer, keyframe }
    }
}

impl<'a> Scratch<'a> {
    pub(crate) fn new(file: &'a XarFile) -> Self {
        let (others, texts, then, touched) = (Vec::new(), Vec::new(), Vec::new(), Touched::default());
        Self { file, project: file.project.clone(), others, texts, then, touched }
    }

    /// Returns the splices that make the file what the model says.
    pub(crate) fn splices(&self) -> Result<Vec<Splice>, EditError> {
        let copies = Copies::new(self.file, &self.others);
        let mut edits = self.file.edits().only(&self.touched);
        edits.set_box(&self.file.project.root, &self.project.root, &copies);
        for (start, text) in &self.texts {
            if let Some(element) = self.file.raw().starting_at(*start) {
                edits.set_text(element, text);
            }
        }
        Ok(edits.splices()?)
    }

    /// Returns the file with the splices that this model has led to.
    pub(crate) fn spliced(self, splices: &[Splice], limits: &Limits) -> Result<XarFile, WriteError> {
        self.file.spliced_with(splices, Some((self.project, &self.touched)), limits)
    }

    /// Notes that what has this span may change, with everything in it; what is new has none, and is in what changes.
    fn touch(&mut self, span: Span) {
        if span.end > 0 && span.file == self.file.file {
            self.touched.whole(span);
        }
    }

    /// Returns the place of a box.
    pub(crate) fn find(&self, path: &BoxPath) -> Result<Vec<Place>, EditError> {
        Ok(paths::find_by_end(&self.project, path)?.trail)
    }

    /// Returns the place of a box that is inside another one.
    pub(crate) fn find_inner(&self, path: &BoxPath) -> Result<(DiagramPlace, usize), EditError> {
        let trail = self.find(path)?;
        let Some((last, of)) = trail.split_last() else { return Err(EditError::Root(path.clone())) };
        Ok((DiagramPlace::new(of, last.layer, last.keyframe), last.index))
    }

    /// Returns the places of boxes that are in one diagram, in its order.
    pub(crate) fn find_beside(&self, boxes: &[BoxPath]) -> Result<(DiagramPlace, Vec<usize>), EditError> {
        let Some((first, others)) = boxes.split_first() else { return Err(EditError::Nothing) };
        let (diagram, index) = self.find_inner(first)?;
        let mut all = vec![index];
        for path in others {
            let (other, index) = self.find_inner(path)?;
            if other != diagram {
                return Err(EditError::Apart(first.clone(), path.clone()));
            }
            all.push(index);
        }
        all.sort_unstable();
        all.dedup();
        Ok((diagram, all))
    }

    /// The box at a place that was found in this model.
    pub(crate) fn def(&self, trail: &[Place]) -> &BoxDef {
        trail.iter().fold(&self.project.root, |at, place| child(at, place).unwrap_or(at))
    }

    /// The box at a place that was found in this model.
    pub(crate) fn def_mut(&mut self, trail: &[Place]) -> Result<&mut BoxDef, EditError> {
        self.touch(self.def(trail).span);
        paths::at_mut(&mut self.project, trail).ok_or(EditError::Nothing)
    }

    /// Returns a box, to change it.
    pub(crate) fn change(&mut self, path: &BoxPath) -> Result<&mut BoxDef, EditError> {
        let trail = self.find(path)?;
        self.def_mut(&trail)
    }

    /// Returns the timeline of a box, to change it.
    pub(crate) fn timeline(&mut self, path: &BoxPath) -> Result<&mut Timeline, EditError> {
        self.change(path)?.timeline.as_mut().ok_or_else(|| EditError::NoTimeline(path.clone()))
    }

    /// Returns the timeline of a box, to add what a clock plays; a flow diagram has none.
    pub(crate) fn clock(&mut self, path: &BoxPath) -> Result<&mut Timeline, EditError> {
        let of = self.timeline(path)?;
        if of.enabled { Ok(of) } else { Err(EditError::NoTimeline(path.clone())) }
    }

    /// Returns the diagram that a path names: that of a box, or that of one of its keyframes.
    pub(crate) fn diagram_at(&self, path: &BoxPath) -> Result<DiagramPlace, EditError> {
        let keyframe = matches!(path.segments().last(), Some(Segment::Keyframe { .. }));
        let owner = if keyframe { path.parent() } else { None };
        let owner = owner.as_ref().unwrap_or(path);
        let at = paths::find_by_end(&self.project, owner)?;
        let all = diagrams(&at.path, at.def);
        let place = |d: &paths::DiagramAt<'_>| DiagramPlace::new(&at.trail, d.layer, d.keyframe);
        if keyframe {
            let wanted = path.segments().last();
            let hit = all.iter().find(|d| d.path.segments().last() == wanted);
            let (whole, before) = (path.to_string(), owner.to_string());
            let segment = whole.strip_prefix(&before).unwrap_or(&whole).trim_start_matches('/').to_owned();
            let known = all.iter().map(|d| d.path.clone()).collect();
            return hit.map(place).ok_or(EditError::Box(FindError::NotFound { parent: Some(at.path), segment, known }));
        }
        match all.as_slice() {
            [] => Err(EditError::NoDiagram(at.path)),
            [only] => Ok(place(only)),
            several => Err(EditError::WhichDiagram(at.path, several.iter().map(|d| d.path.clone()).collect())),
        }
    }

    /// The box that contains a diagram, and the diagram.
    pub(crate) fn diagram(&self, at: &DiagramPlace) -> Result<(&BoxDef, &Diagram), EditError> {
        let parent = self.def(&at.of);
        let timeline = parent.timeline.as_ref().ok_or(EditError::Nothing)?;
        let keyframe = timeline.layers.get(at.layer).and_then(|layer| layer.keyframes.get(at.keyframe));
        Ok((parent, &keyframe.ok_or(EditError::Nothing)?.diagram))
    }

    /// Returns a diagram, to change its boxes or links.
    ///
    /// # Errors
    /// The states of its timeline are listed, and refer to both by number.
    pub(crate) fn diagram_mut(&mut self, at: &DiagramPlace) -> Result<&mut Diagram, EditError> {
        self.touch(self.def(&at.of).span);
        self.open_diagram(at)
    }

    /// Returns the links of a diagram, to add, remove or order them.
    ///
    /// # Errors
    /// As [`Scratch::diagram_mut`].
    pub(crate) fn links_mut(&mut self, at: &DiagramPlace) -> Result<&mut Vec<Link>, EditError> {
        let span = self.diagram(at)?.1.span;
        if span.end > 0 && span.file == self.file.file {
            self.touched.list(span);
        } else {
            // The diagram is new, as is what it is in.
            self.touch(self.def(&at.of).span);
        }
        Ok(&mut self.open_diagram(at)?.links)
    }

    fn open_diagram(&mut self, at: &DiagramPlace) -> Result<&mut Diagram, EditError> {
        if self.def(&at.of).timeline.as_ref().is_some_and(|timeline| timeline.machine.is_some()) {
            return Err(EditError::StateMachine(self.path(&at.of)));
        }
        let def = paths::at_mut(&mut self.project, &at.of).ok_or(EditError::Nothing)?;
        let timeline = def.timeline.as_mut().ok_or(EditError::Nothing)?;
        let keyframe = timeline.layers.get_mut(at.layer).and_then(|layer| layer.keyframes.get_mut(at.keyframe));
        Ok(&mut keyframe.ok_or(EditError::Nothing)?.diagram)
    }

    /// Returns the path of a box.
    pub(crate) fn path(&self, trail: &[Place]) -> BoxPath {
        let mut path = BoxPath::root(self.project.root.name.clone());
        let mut at = &self.project.root;
        for place in trail {
            let hit = diagrams(&path, at).into_iter().find(|d| (d.layer, d.keyframe) == (place.layer, place.keyframe));
            let Some(diagram) = hit else { break };
            let Some(segment) = paths::segments(diagram.diagram).into_iter().nth(place.index) else { break };
            path = diagram.path.join(segment);
            at = child(at, place).unwrap_or(at);
        }
        path
    }
}

fn child<'m>(at: &'m BoxDef, place: &Place) -> Option<&'m BoxDef> {
    let layer = at.timeline.as_ref()?.layers.get(place.layer)?;
    layer.keyframes.get(place.keyframe)?.diagram.boxes.get(place.index)
}

/// Returns an id that no box of a diagram has.
pub(crate) fn free_box_id(diagram: &Diagram) -> i32 {
    let used = diagram.boxes.iter().map(|def| def.id);
    after(used.chain(diagram.links.iter().flat_map(|link| [link.from_box, link.to_box])))
}

/// Returns an id that no port of a box has.
pub(crate) fn free_port_id(def: &BoxDef) -> i32 {
    let inputs = def.inputs.iter().map(|port| port.id);
    let ports = inputs.chain(def.outputs.iter().map(|port| port.id));
    after(ports.chain(def.parameters.iter().map(|port| port.id)))
}

/// Returns the number after the largest one, or the first free one if there is none.
fn after(used: impl Iterator<Item = i32>) -> i32 {
    let used: HashSet<i32> = used.filter(|id| *id > 0).collect();
    match used.iter().max().unwrap_or(&0).checked_add(1) {
        Some(next) => next,
        None => (1..i32::MAX).find(|id| !used.contains(id)).unwrap_or(NO_ID),
    }
}

/// Whether links with an id are those of one box: no other box has it, and it is not that of the containing box.
pub(crate) fn is_own_id(diagram: &Diagram, id: i32) -> bool {
    id != 0 && id != NO_ID && diagram.boxes.iter().filter(|def| def.id == id).count() <= 1
}

/// Returns a name that no box of a diagram has: this one, or with a number, as Choregraphe does.
pub(crate) fn free_name(diagram: &Diagram, wanted: &str) -> String {
    let taken = |name: &str| diagram.boxes.iter().any(|def| *def.name == *name);
    if !taken(wanted) {
        return wanted.to_owned();
    }
    let base = match wanted.rsplit_once(" (") {
        Some((base, number)) if number.strip_suffix(')').is_some_and(|n| n.parse::<u32>().is_ok()) => base,
        _ => wanted,
    };
    (1u32..).map(|n| format!("{base} ({n})")).find(|name| !taken(name)).unwrap_or_else(|| wanted.to_owned())
}

/// The width of a box in a drawing at most, in pixels of the file, and the height of its name, its value and its frame,
/// and of each row of ports: what `boxstep-draw` draws, which is at least as large as what Choregraphe draws.
const BOX: (f64, f64) = (110.0, 46.0);
const ROW: f64 = 11.0;
/// How far boxes stay from each other, in pixels of the file.
const GAP: f64 = 10.0;
/// How far a box goes at a time to find a free place, in pixels of the file, and how many steps at most in a direction.
const STEP: f64 = 10.0;
const MANY: i32 = 60;

/// Returns the width and height of a box in a drawing, in pixels of the file.
fn size(def: &BoxDef) -> (f64, f64) {
    let inputs = def.inputs.iter().filter(|port| !port.inner).count();
    let outputs = def.outputs.iter().filter(|port| !port.inner).count();
    (BOX.0, BOX.1 + ROW * inputs.max(outputs).max(1) as f64)
}

/// Returns the shift that lets boxes, which stand at places of their own, lie on no box of a diagram: the wanted one, or
/// the nearest. It is the wanted one if there is none near.
pub(crate) fn free_place(diagram: &Diagram, boxes: &[BoxDef], (dx, dy): (f64, f64)) -> (f64, f64) {
    let there: Vec<_> = diagram.boxes.iter().map(|def| ((def.x, def.y), size(def))).collect();
    let come: Vec<_> = boxes.iter().map(|def| ((def.x + dx, def.y + dy), size(def))).collect();
    let apart = |a: f64, of: f64, b: f64, other: f64| a >= b + other + GAP || b >= a + of + GAP;
    let is_free = |(right, down): (f64, f64)| {
        come.iter().all(|((x, y), (w, h))| {
            there.iter().all(|((a, b), (v, g))| apart(x + right, *w, *a, *v) || apart(y + down, *h, *b, *g))
        })
    };
    let steps = || (-MANY..=MANY).map(|step| f64::from(step) * STEP);
    if is_free((0.0, 0.0)) {
        return (dx, dy);
    }
    let mut near: Vec<(f64, f64)> = steps().flat_map(|right| steps().map(move |down| (right, down))).collect();
    // Of places that are as near, that below comes first, then that to the right.
    let rank = |(right, down): &(f64, f64)| (right.hypot(*down), -down, -right);
    near.sort_by(|a, b| rank(a).partial_cmp(&rank(b)).unwrap_or(std::cmp::Ordering::Equal));
    let (right, down) = near.into_iter().find(|by| is_free(*by)).unwrap_or_default();
    (dx + right, dy + down)
}
