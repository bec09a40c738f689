//! Which box of a behavior is looked at, and the names of the others.

use boxstep_format::model::{BoxDef, Project};
use boxstep_format::paths::{self, BoxAt, DiagramAt, FindError};
use boxstep_types::{BoxPath, PathError, Segment};
use std::collections::HashMap;
use std::fmt;

/// A box whose inside is to be shown: the root, or the one that a path names.
#[derive(Clone, Debug)]
pub struct Level<'a> {
    /// The box.
    pub at: BoxAt<'a>,
    /// The only diagram that is meant, if the path ends in `@Layer:Keyframe`.
    pub keyframe: Option<(usize, usize)>,
}

/// A path that names no level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LevelError {
    /// It is no path at all.
    Path(PathError),
    /// There is no such box, or more than one.
    Find(FindError),
}

impl fmt::Display for LevelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LevelError::Path(e) => e.fmt(f),
            LevelError::Find(e) => e.fmt(f),
        }
    }
}

impl std::error::Error for LevelError {}

impl<'a> Level<'a> {
    /// The whole behavior.
    pub fn root(project: &'a Project) -> Self {
        let path = BoxPath::root(project.root.name.clone());
        let at = BoxAt { path, def: &project.root, parent: None, diagram: None, trail: Vec::new() };
        Self::of_box(at)
    }

    /// All of a box.
    pub fn of_box(at: BoxAt<'a>) -> Self {
        Self { at, keyframe: None }
    }

    /// The box of a path as messages print it; `root/Dance/@steps:left` is one keyframe's diagram.
    ///
    /// # Errors
    /// The text is no path, or names no box or several.
    pub fn find(project: &'a Project, path: &str) -> Result<Self, LevelError> {
        let path: BoxPath = path.parse().map_err(LevelError::Path)?;
        let at = paths::find(project, &path).map_err(LevelError::Find)?;
        let keyframe = match path.segments().last() {
            Some(last @ Segment::Keyframe { .. }) => {
                let mut all = paths::diagrams(&at.path, at.def).into_iter();
                all.find(|d| d.path.segments().last() == Some(last)).map(|d| (d.layer, d.keyframe))
            }
            _ => None,
        };
        Ok(Self { at, keyframe })
    }

    /// Every box that has something inside, the root first.
    pub fn all(project: &'a Project) -> impl Iterator<Item = Self> {
        paths::boxes(project).filter(|at| at.depth() == 0 || has_inside(at.def)).map(Self::of_box)
    }

    /// As messages print it.
    pub fn path(&self) -> BoxPath {
        let all = self.diagrams();
        match (self.keyframe, all.first()) {
            (Some(_), Some(diagram)) => diagram.path.clone(),
            _ => self.at.path.clone(),
        }
    }

    /// The box and all boxes inside it; of one keyframe only those of its diagram.
    pub(crate) fn boxes(&self, project: &'a Project) -> Vec<BoxAt<'a>> {
        let depth = self.at.trail.len();
        let is_in = |at: &BoxAt<'a>| {
            let below = at.trail.get(..depth) == Some(&self.at.trail[..]);
            let inner = at.trail.get(depth).map(|p| (p.layer, p.keyframe));
            below && (self.keyframe.is_none() || inner == self.keyframe)
        };
        paths::boxes(project).filter(is_in).collect()
    }

    /// The diagrams to draw, in file order.
    pub(crate) fn diagrams(&self) -> Vec<DiagramAt<'a>> {
        let all = paths::diagrams(&self.at.path, self.at.def);
        all.into_iter().filter(|d| self.keyframe.is_none_or(|k| k == (d.layer, d.keyframe))).collect()
    }

    /// `steps: left, frame 1`; `None` for the one diagram of a box without a clock.
    pub(crate) fn caption(&self, diagram: &DiagramAt<'_>) -> Option<String> {
        let timeline = self.at.def.timeline.as_ref()?;
        let layer = timeline.layers.get(diagram.layer)?;
        let keyframe = layer.keyframes.get(diagram.keyframe)?;
        if !timeline.enabled && paths::keyframe_segments(timeline).is_empty() {
            return None;
        }
        Some(format!("{}: {}, from frame {}", layer.name, keyframe.name, keyframe.index))
    }
}

/// Whether a box has something inside that is worth a drawing of its own.
pub(crate) fn has_inside(def: &BoxDef) -> bool {
    def.timeline.as_ref().is_some_and(|t| {
        t.enabled
            || t.layers.iter().flat_map(|l| &l.keyframes).any(|k| !k.diagram.boxes.is_empty())
            || t.actuators.as_ref().is_some_and(|a| !a.curves.is_empty())
    })
}

/// What boxes are called in a drawing.
pub(crate) struct Anchors {
    names: HashMap<*const BoxDef, String>,
    /// They are paths, to be found by a program that lights what runs; else they are what a page links to.
    pub(crate) live: bool,
}

impl Anchors {
    /// Numbers the boxes in file order.
    pub(crate) fn new(project: &Project) -> Self {
        Self::numbered(paths::boxes(project).enumerate().map(|(i, at)| (at.def, i)))
    }

    /// These boxes by these numbers.
    pub(crate) fn numbered<'a>(boxes: impl Iterator<Item = (&'a BoxDef, usize)>) -> Self {
        let names = boxes.map(|(def, i)| (std::ptr::from_ref(def), format!("b{i}")));
        Self { names: names.collect(), live: false }
    }

    /// The boxes by their paths. `root` is what the path of the root is in the run that is shown, if it is another than in the file.
    pub(crate) fn paths(project: &Project, root: Option<&str>) -> Self {
        let own = BoxPath::root(project.root.name.clone()).to_string();
        let path = |path: String| match (root, path.strip_prefix(&own)) {
            (Some(root), Some(rest)) => format!("{root}{rest}"),
            _ => path,
        };
        let names = paths::boxes(project).map(|at| (std::ptr::from_ref(at.def), path(at.path.to_string())));
        Self { names: names.collect(), live: true }
    }

    /// `b3`, or `root/Say`; boxes of another file have none.
    pub(crate) fn of(&self, def: &BoxDef) -> Option<&str> {
        self.names.get(&std::ptr::from_ref(def)).map(String::as_str)
    }
}
