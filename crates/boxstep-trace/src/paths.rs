//! Box paths, identified by number.

use crate::Event;
use boxstep_types::{BoxPath, Segment};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// The number of a box path within a run; 0 means "no box".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PathId(pub u32);

/// The table of the box paths of a run.
///
/// Each entry stores only the last step of its path and the number of its parent path: for a million nested boxes,
/// full paths would take more memory than everything else.
#[derive(Clone, Debug, Default)]
pub struct Paths {
    paths: Vec<(PathId, Segment)>,
    /// In the recording of a show: the entries that stand for robots. The paths of a robot's boxes begin below its entry.
    robots: BTreeSet<u32>,
}

impl Paths {
    /// Adds a path and returns its number.
    pub fn add(&mut self, path: &BoxPath) -> PathId {
        path.segments().iter().fold(PathId(0), |parent, segment| self.add_child(parent, segment.clone()))
    }

    /// Adds the path that extends `parent` by one step; a child of "no box" is a root.
    pub fn add_child(&mut self, parent: PathId, segment: Segment) -> PathId {
        self.paths.push((parent, segment));
        PathId(self.paths.len() as u32)
    }

    /// Adds a robot, of whose boxes paths are added as its children.
    pub fn add_robot(&mut self, name: &str) -> PathId {
        let id = self.add_child(PathId(0), Segment::Box { name: name.into(), id: None });
        self.robots.insert(id.0);
        id
    }

    /// Returns the robot of a path, in the recording of a show.
    pub fn robot(&self, id: PathId) -> Option<&Arc<str>> {
        if self.robots.is_empty() {
            return None;
        }
        let ids = std::iter::successors(Some(id), |id| self.step(*id).map(|(parent, _)| *parent));
        let robot = ids.take_while(|id| id.0 > 0).find(|id| self.robots.contains(&id.0))?;
        match self.step(robot) {
            Some((_, Segment::Box { name, .. })) => Some(name),
            _ => None,
        }
    }

    /// Returns the path as messages about a whole show print it, `alto: root/Say`; the robot alone for no box.
    pub fn place(&self, id: PathId) -> String {
        match (self.robot(id), self.get(id)) {
            (Some(robot), Some(path)) => format!("{robot}: {path}"),
            (Some(robot), None) => robot.to_string(),
            (None, path) => path.map(|path| path.to_string()).unwrap_or_default(),
        }
    }

    /// The number of paths. The table only grows, so two versions of one table with the same length are equal.
    pub fn len(&self) -> usize {
        self.paths.len()
    }

    /// Whether the table has no paths.
    pub fn is_empty(&self) -> bool {
        self.paths.is_empty()
    }

    /// Returns the path; `None` for "no box".
    pub fn get(&self, id: PathId) -> Option<BoxPath> {
        let mut segments: Vec<Segment> = self.steps(id).map(|(_, segment)| segment.clone()).collect();
        segments.reverse();
        BoxPath::of(segments)
    }

    /// Whether `id` is the number of `path`.
    pub fn is(&self, id: PathId, path: &BoxPath) -> bool {
        self.steps(id).map(|(_, segment)| segment).eq(path.segments().iter().rev())
    }

    /// Returns the path as messages print it; empty for "no box".
    pub fn text(&self, id: PathId) -> String {
        self.get(id).map(|path| path.to_string()).unwrap_or_default()
    }

    /// Returns the name of the path's last box; empty for "no box".
    pub fn name(&self, id: PathId) -> Arc<str> {
        let name = |(_, segment): &(PathId, Segment)| match segment {
            Segment::Box { name, .. } => Some(name.clone()),
            Segment::Keyframe { .. } => None,
        };
        self.steps(id).find_map(name).unwrap_or_default()
    }

    /// Adds a copy of path `id` below the new numbers of its parents. `moved` maps old numbers to new ones, and is
    /// extended with the paths that are added.
    pub fn add_moved(&mut self, id: PathId, moved: &mut HashMap<PathId, PathId>) -> PathId {
        let (None, Some((parent, segment))) = (moved.get(&id), self.step(id).cloned()) else {
            return moved.get(&id).copied().unwrap_or(id);
        };
        let parent = self.add_moved(parent, moved);
        let new = self.add_child(parent, segment);
        moved.insert(id, new);
        new
    }

    /// Returns the last step of a path; `None` for that of a robot.
    fn box_step(&self, id: PathId) -> Option<&(PathId, Segment)> {
        self.step(id).filter(|_| self.robots.is_empty() || !self.robots.contains(&id.0))
    }

    fn step(&self, id: PathId) -> Option<&(PathId, Segment)> {
        self.paths.get((id.0 as usize).checked_sub(1)?)
    }

    /// Iterates over the steps of a path, the last step first.
    fn steps(&self, id: PathId) -> impl Iterator<Item = &(PathId, Segment)> {
        std::iter::successors(self.box_step(id), |(parent, _)| self.box_step(*parent))
    }
}

/// A cache of the texts of paths: most events name a path that an earlier event has named.
#[derive(Debug, Default)]
pub struct PathTexts(Vec<Option<Arc<str>>>);

impl PathTexts {
    /// Returns the path of the event's box if [`PathTexts::get`] has already created its text.
    pub fn known(&self, event: &Event) -> Option<&str> {
        self.0.get(event.path.0 as usize)?.as_deref()
    }

    /// Returns the path of the event's box, and creates its text if needed; `None` if the event has no box.
    pub fn get(&mut self, event: &Event, paths: &Paths) -> Option<&Arc<str>> {
        let index = event.path.0 as usize;
        if self.0.len() <= index {
            self.0.resize(index + 1, None);
        }
        let slot = self.0.get_mut(index)?;
        if slot.is_none() {
            *slot = Some(paths.get(event.path)?.to_string().into());
        }
        slot.as_ref()
    }
}
