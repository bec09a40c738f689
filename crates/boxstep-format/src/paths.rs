//! Box paths of a project: the names that messages print for boxes, and the lookup of a box by its name.
//!
//! A path consists of the names of a box and its parents. `#id` follows a name only if siblings share it or it is
//! empty. For a timeline with more than one behavior keyframe, a segment `@Layer:Keyframe` follows the box; if a
//! timeline repeats such a pair, the second one is `Keyframe~2` and so on.

use crate::model::{BoxDef, Diagram, Project, Timeline};
use boxstep_types::{BoxPath, Segment};
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

/// A box and its place in the project.
#[derive(Clone, Debug)]
pub struct BoxAt<'a> {
    /// The path by which messages name it.
    pub path: BoxPath,
    /// The box.
    pub def: &'a BoxDef,
    /// The box that contains it; `None` for the root.
    pub parent: Option<&'a BoxDef>,
    /// The diagram that contains it; `None` for the root.
    pub diagram: Option<&'a Diagram>,
    /// The indices that lead to it from the root; empty for the root.
    pub trail: Vec<Place>,
}

impl BoxAt<'_> {
    /// The number of enclosing boxes; 0 for the root.
    pub fn depth(&self) -> usize {
        self.trail.len()
    }
}

/// One level of a trail: `timeline.layers[layer].keyframes[keyframe].diagram.boxes[index]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Index into `Timeline::layers`.
    pub layer: usize,
    /// Index into `BehaviorLayer::keyframes`.
    pub keyframe: usize,
    /// Index into `Diagram::boxes`.
    pub index: usize,
}

/// A diagram in a box's timeline, and the path that its boxes' paths begin with.
#[derive(Clone, Debug)]
pub struct DiagramAt<'a> {
    /// Index into `Timeline::layers`.
    pub layer: usize,
    /// Index into `BehaviorLayer::keyframes`.
    pub keyframe: usize,
    /// The diagram.
    pub diagram: &'a Diagram,
    /// The containing box's path, with `@Layer:Keyframe` if the timeline has more than one keyframe.
    pub path: BoxPath,
}

/// Returns every box in file order, each before the boxes inside it.
pub fn boxes(project: &Project) -> impl Iterator<Item = BoxAt<'_>> {
    let root = BoxPath::root(project.root.name.clone());
    let mut waiting = vec![BoxAt { path: root, def: &project.root, parent: None, diagram: None, trail: Vec::new() }];
    std::iter::from_fn(move || {
        let next = waiting.pop()?;
        let from = waiting.len();
        for at in diagrams(&next.path, next.def) {
            waiting.extend(within(&next, &at));
        }
        waiting[from..].reverse();
        Some(next)
    })
}

/// Returns the boxes of a diagram inside the box `parent`.
fn within<'a>(parent: &BoxAt<'a>, at: &DiagramAt<'a>) -> Vec<BoxAt<'a>> {
    segments(at.diagram).into_iter().enumerate().map(|(index, segment)| member(parent, at, index, segment)).collect()
}

/// Returns one box of a diagram, by its index and the path segment that names it.
fn member<'a>(parent: &BoxAt<'a>, at: &DiagramAt<'a>, index: usize, segment: Segment) -> BoxAt<'a> {
    let diagram = at.diagram;
    let mut trail = parent.trail.clone();
    trail.push(Place { layer: at.layer, keyframe: at.keyframe, index });
    let (path, def) = (at.path.join(segment), &diagram.boxes[index]);
    BoxAt { path, def, parent: Some(parent.def), diagram: Some(diagram), trail }
}

/// Returns the boxes of a diagram for which `fits` is true. Path segments are computed only for these, because a
/// diagram may have very many boxes.
fn fitting<'a>(parent: &BoxAt<'a>, at: &DiagramAt<'a>, fits: impl Fn(&BoxDef) -> bool) -> Vec<BoxAt<'a>> {
    let boxes = &at.diagram.boxes;
    let hits = boxes.iter().enumerate().filter(|(_, b)| fits(b));
    hits.map(|(index, b)| {
        let shared = b.name.is_empty() || boxes.iter().filter(|other| other.name == b.name).nth(1).is_some();
        member(parent, at, index, Segment::Box { name: b.name.clone(), id: shared.then_some(b.id) })
    })
    .collect()
}

/// Returns the diagrams inside a box, in file order. `path` is the path of the box.
pub fn diagrams<'a>(path: &BoxPath, def: &'a BoxDef) -> Vec<DiagramAt<'a>> {
    let Some(timeline) = &def.timeline else { return Vec::new() };
    let names = keyframe_segments(timeline);
    let mut found = Vec::new();
    for (layer, l) in timeline.layers.iter().enumerate() {
        for (keyframe, k) in l.keyframes.iter().enumerate() {
            let path = names.get(found.len()).map_or_else(|| path.clone(), |s| path.join(s.clone()));
            found.push(DiagramAt { layer, keyframe, diagram: &k.diagram, path });
        }
    }
    found
}

/// Returns the path segments of a diagram's boxes, in file order.
pub fn segments(diagram: &Diagram) -> Vec<Segment> {
    let mut count: HashMap<&str, usize> = HashMap::new();
    for b in &diagram.boxes {
        *count.entry(&b.name).or_default() += 1;
    }
    let shared = |name: &str| name.is_empty() || count.get(name).is_some_and(|n| *n > 1);
    diagram.boxes.iter().map(|b| Segment::Box { name: b.name.clone(), id: shared(&b.name).then_some(b.id) }).collect()
}

/// Returns the path segments of a timeline's keyframes, in file order; none if there is at most one keyframe.
pub fn keyframe_segments(timeline: &Timeline) -> Vec<Segment> {
    let pairs = timeline.layers.iter().flat_map(|l| l.keyframes.iter().map(|k| (&l.name, &k.name)));
    let pairs: Vec<(&Arc<str>, &Arc<str>)> = pairs.collect();
    if pairs.len() < 2 {
        return Vec::new();
    }
    let mut count: HashMap<(&str, &str), usize> = HashMap::new();
    let mut named = Vec::with_capacity(pairs.len());
    for (layer, keyframe) in pairs {
        let n = count.entry((layer, keyframe)).or_default();
        *n += 1;
        let keyframe = if *n > 1 { format!("{keyframe}~{n}").into() } else { keyframe.clone() };
        named.push(Segment::Keyframe { layer: layer.clone(), keyframe });
    }
    named
}

/// Why a path does not identify a box.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FindError {
    /// There is no box or keyframe of this name.
    NotFound {
        /// The existing part of the path; `None` if its first name is not the root's.
        parent: Option<BoxPath>,
        /// The segment that does not exist, as it is printed.
        segment: String,
        /// The paths that exist in its place.
        known: Vec<BoxPath>,
    },
    /// Several boxes fit the path; all are listed.
    Ambiguous(Vec<BoxPath>),
}

impl fmt::Display for FindError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, paths: &[BoxPath]| {
            for (i, path) in paths.iter().take(8).enumerate() {
                write!(f, "{}{path}", if i > 0 { ", " } else { "" })?;
            }
            if paths.len() > 8 { write!(f, " and {} more", paths.len() - 8) } else { Ok(()) }
        };
        match self {
            FindError::NotFound { parent: Some(parent), segment, known } if known.is_empty() => {
                write!(f, "{parent} has no boxes inside, so there is no `{segment}`")
            }
            FindError::NotFound { parent, segment, known } => {
                match parent {
                    Some(parent) => write!(f, "there is no `{segment}` in {parent}, only ")?,
                    None => write!(f, "the root is not called `{segment}` but ")?,
                }
                list(f, known)
            }
            FindError::Ambiguous(paths) => {
                f.write_str("more than one box is meant: ")?;
                list(f, paths)
            }
        }
    }
}

impl std::error::Error for FindError {}

/// Returns the box with this path.
///
/// Every path that [`boxes`] returns is found. `@Layer:Keyframe` may be left out if the names that follow are in only
/// one keyframe. If a broken file has several boxes of the same name and id, the first is returned.
///
/// # Errors
/// [`FindError::NotFound`] if there is no such box, [`FindError::Ambiguous`] if several fit.
pub fn find<'a>(project: &'a Project, path: &BoxPath) -> Result<BoxAt<'a>, FindError> {
    let (first, rest) = match path.segments() {
        [first, rest @ ..] => (first, rest),
        [] => return Err(FindError::Ambiguous(Vec::new())),
    };
    let root = BoxPath::root(project.root.name.clone());
    if !matches!(first, Segment::Box { name, .. } if *name == project.root.name) {
        return Err(FindError::NotFound { parent: None, segment: segment_text(first), known: vec![root] });
    }
    let mut at = BoxAt { path: root, def: &project.root, parent: None, diagram: None, trail: Vec::new() };
    // The keyframe selected by the last segment; it applies to the next box.
    let mut chosen: Option<DiagramAt<'a>> = None;
    for segment in rest {
        match segment {
            Segment::Keyframe { .. } => {
                let all = diagrams(&at.path, at.def);
                let known = all.iter().map(|d| d.path.clone()).collect();
                let hit = all.into_iter().find(|d| d.path.segments().last() == Some(segment));
                let missing =
                    || FindError::NotFound { parent: Some(at.path.clone()), segment: segment_text(segment), known };
                chosen = Some(hit.ok_or_else(missing)?);
            }
            Segment::Box { name, id } => at = child(&at, chosen.take(), name, *id, segment)?,
        }
    }
    Ok(at)
}

/// Returns the box that a person means: like [`find`], but a path that does not begin at the root may also be the end
/// of a box's path, `Wave` or `Dance/Wave`. Keyframes may be left out.
///
/// # Errors
/// As [`find`]; [`FindError::Ambiguous`] also if the paths of several boxes end so.
pub fn find_by_end<'a>(project: &'a Project, path: &BoxPath) -> Result<BoxAt<'a>, FindError> {
    let missing = match find(project, path) {
        Err(missing @ FindError::NotFound { parent: None, .. }) => missing,
        other => return other,
    };
    let mut hits: Vec<BoxAt<'a>> = boxes(project).filter(|at| ends_with(&at.path, path)).collect();
    match hits.len() {
        0 => Err(missing),
        1 => hits.pop().ok_or(missing),
        _ => Err(FindError::Ambiguous(hits.into_iter().map(|at| at.path).collect())),
    }
}

fn ends_with(path: &BoxPath, end: &BoxPath) -> bool {
    let mut segments = path.segments().iter().rev();
    end.segments().iter().rev().all(|wanted| {
        let is_box = matches!(wanted, Segment::Box { .. });
        let next = segments.find(|own| !is_box || matches!(own, Segment::Box { .. }));
        next.is_some_and(|own| match (own, wanted) {
            (Segment::Box { name, id }, Segment::Box { name: wanted, id: number }) => {
                name == wanted && (number.is_none() || id == number)
            }
            (own, wanted) => own == wanted,
        })
    })
}

/// Returns the box at the end of a trail, mutably; `None` if the trail leads to no box.
pub fn at_mut<'a>(project: &'a mut Project, trail: &[Place]) -> Option<&'a mut BoxDef> {
    trail.iter().try_fold(&mut project.root, |at, place| {
        let layer = at.timeline.as_mut()?.layers.get_mut(place.layer)?;
        layer.keyframes.get_mut(place.keyframe)?.diagram.boxes.get_mut(place.index)
    })
}

fn child<'a>(
    at: &BoxAt<'a>,
    chosen: Option<DiagramAt<'a>>,
    name: &str,
    id: Option<i32>,
    segment: &Segment,
) -> Result<BoxAt<'a>, FindError> {
    let chosen = match chosen {
        Some(diagram) => vec![diagram],
        None => diagrams(&at.path, at.def),
    };
    let fits = |b: &BoxDef| *b.name == *name && id.is_none_or(|id| id == b.id);
    let mut hits: Vec<BoxAt<'a>> = chosen.iter().flat_map(|d| fitting(at, d, fits)).collect();
    if hits.is_empty()
        && let Some(unnamed) = id_alone(name, id)
    {
        // A segment that is only `#3` is parsed as a name.
        let fits = |b: &BoxDef| b.name.is_empty() && b.id == unnamed;
        hits = chosen.iter().flat_map(|d| fitting(at, d, fits)).collect();
    }
    match hits.as_slice() {
        [] => Err(FindError::NotFound {
            parent: Some(at.path.clone()),
            segment: segment_text(segment),
            known: chosen.iter().flat_map(|d| within(at, d)).map(|b| b.path).collect(),
        }),
        [first, others @ ..] if others.iter().all(|o| o.path == first.path) => Ok(first.clone()),
        _ => Err(FindError::Ambiguous(hits.into_iter().map(|b| b.path).collect())),
    }
}

fn id_alone(name: &str, id: Option<i32>) -> Option<i32> {
    if id.is_some() { None } else { name.strip_prefix('#')?.parse().ok() }
}

/// Formats a segment as it appears in a path.
fn segment_text(segment: &Segment) -> String {
    BoxPath::root("").join(segment.clone()).to_string().split_off(1)
}
