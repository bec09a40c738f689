//! The part of a behavior that is shown, and the names of boxes in drawings.

use boxstep_format::model::{BoxDef, Project};
use boxstep_format::paths::{self, BoxAt, DiagramAt, FindError};
use boxstep_types::{BoxPath, PathError, Segment};
use std::collections::HashMap;
use std::fmt;

/// A box whose contents are to be shown: the root, or the box that a path names.
#[derive(Clone, Debug)]
pub struct Level<'a> {
    /// The box.
    pub at: BoxAt<'a>,
    /// The only diagram to show, if the path ends in `@Layer:Keyframe`.
    pub keyframe: Option<(usize, usize)>,
}

/// Why a path does not identify a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LevelError {
    /// The text is not a path.
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
    /// Selects the whole behavior.
    pub fn root(project: &'a Project) -> Self {
        let path = BoxPath::root(project.root.name.clone());
        let at = BoxAt { path, def: &project.root, parent: None, diagram: None, trail: Vec::new() };
        Self::of_box(at)
    }

    /// Selects all of a box.
    pub fn of_box(at: BoxAt<'a>) -> Self {
        Self { at, keyframe: None }
    }

    /// Selects the box with this path; `root/Dance/@steps:left` selects one keyframe's diagram.
    ///
    /// # Errors
    /// The text is not a path, or it names no box or several.
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

    /// Selects the box that a page shows, by its path in the shown run; without a path, the whole behavior. `root` is the
    /// path of the root in that run, if it differs from that in the file.
    ///
    /// # Errors
    /// As [`Level::find`].
    pub fn shown(project: &'a Project, path: &str, root: Option<&str>) -> Result<Self, LevelError> {
        if path.is_empty() {
            return Ok(Self::root(project));
        }
        let rest = root.and_then(|root| path.strip_prefix(root));
        match rest.filter(|rest| rest.is_empty() || rest.starts_with('/')) {
            Some(rest) => Self::find(project, &format!("{}{rest}", BoxPath::root(project.root.name.clone()))),
            None => Self::find(project, path),
        }
    }

    /// Returns every box with contents, the root first.
    pub fn all(project: &'a Project) -> impl Iterator<Item = Self> {
        paths::boxes(project).filter(|at| at.depth() == 0 || has_inside(at.def)).map(Self::of_box)
    }

    /// Returns the path of the level as messages print it.
    pub fn path(&self) -> BoxPath {
        let all = self.diagrams();
        match (self.keyframe, all.first()) {
            (Some(_), Some(diagram)) => diagram.path.clone(),
            _ => self.at.path.clone(),
        }
    }

    /// Returns the box and all boxes inside it; for one keyframe, only those in its diagram.
    pub(crate) fn boxes(&self, project: &'a Project) -> Vec<BoxAt<'a>> {
        let depth = self.at.trail.len();
        let is_in = |at: &BoxAt<'a>| {
            let below = at.trail.get(..depth) == Some(&self.at.trail[..]);
            let inner = at.trail.get(depth).map(|p| (p.layer, p.keyframe));
            below && (self.keyframe.is_none() || inner == self.keyframe)
        };
        paths::boxes(project).filter(is_in).collect()
    }

    /// Returns the diagrams to draw, in file order.
    pub(crate) fn diagrams(&self) -> Vec<DiagramAt<'a>> {
        let all = paths::diagrams(&self.at.path, self.at.def);
        all.into_iter().filter(|d| self.keyframe.is_none_or(|k| k == (d.layer, d.keyframe))).collect()
    }

    /// Returns a caption such as `steps: left, from frame 1`; `None` for the only diagram of a box without a clock.
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

/// Returns true if a box has contents that deserve a drawing of their own.
pub(crate) fn has_inside(def: &BoxDef) -> bool {
    def.timeline.as_ref().is_some_and(|t| {
        t.enabled
            || t.layers.iter().flat_map(|l| &l.keyframes).any(|k| !k.diagram.boxes.is_empty())
            || t.actuators.as_ref().is_some_and(|a| !a.curves.is_empty())
    })
}

/// The names of boxes in a drawing.
pub(crate) struct Anchors {
    names: HashMap<*const BoxDef, String>,
    /// The path of the root in the file, and in the shown run if that is another one.
    root: Option<(String, String)>,
    /// True if the names are box paths, by which a program highlights running boxes; false if they are targets of links
    /// within a page.
    pub(crate) live: bool,
}

impl Anchors {
    /// Numbers the boxes in file order.
    pub(crate) fn new(project: &Project) -> Self {
        Self::numbered(paths::boxes(project).enumerate().map(|(i, at)| (at.def, i)))
    }

    /// Assigns the given numbers to the given boxes.
    pub(crate) fn numbered<'a>(boxes: impl Iterator<Item = (&'a BoxDef, usize)>) -> Self {
        let names = boxes.map(|(def, i)| (std::ptr::from_ref(def), format!("b{i}")));
        Self { names: names.collect(), root: None, live: false }
    }

    /// Names the boxes by their paths. `root` is the path of the root in the shown run, if it differs from that in the
    /// file.
    pub(crate) fn paths(project: &Project, root: Option<&str>) -> Self {
        let own = BoxPath::root(project.root.name.clone()).to_string();
        let mut anchors = Self { names: HashMap::new(), root: root.map(|root| (own, root.to_owned())), live: true };
        let names = paths::boxes(project).map(|at| (std::ptr::from_ref(at.def), anchors.path_of(&at.path)));
        anchors.names = names.collect();
        anchors
    }

    /// Returns a path of the file as the shown run has it.
    pub(crate) fn path_of(&self, path: &BoxPath) -> String {
        let path = path.to_string();
        match self.root.as_ref().and_then(|(own, root)| Some((root, path.strip_prefix(own)?))) {
            Some((root, rest)) => format!("{root}{rest}"),
            None => path,
        }
    }

    /// Returns the name of a box, `b3` or `root/Say`; boxes of another file have none.
    pub(crate) fn name_of(&self, def: &BoxDef) -> Option<&str> {
        self.names.get(&std::ptr::from_ref(def)).map(String::as_str)
    }
}
