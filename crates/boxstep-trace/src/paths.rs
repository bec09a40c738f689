//! Box paths, by number.

use crate::Event;
use boxstep_types::{BoxPath, Segment};
use std::collections::HashMap;
use std::sync::Arc;

/// A box path known to the run, by number; 0 is "no box".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PathId(pub u32);

/// The box paths of a run.
///
/// Of a path only its last step is kept, and the number of the path before it: a million boxes deep inside of each other
/// would take more room for their paths than for all else.
#[derive(Clone, Debug, Default)]
pub struct Paths {
    paths: Vec<(PathId, Segment)>,
}

impl Paths {
    /// Adds a path.
    pub fn add(&mut self, path: &BoxPath) -> PathId {
        path.segments().iter().fold(PathId(0), |parent, segment| self.add_child(parent, segment.clone()))
    }

    /// Adds the path that leads one step further; from "no box" it leads to a root.
    pub fn add_child(&mut self, parent: PathId, segment: Segment) -> PathId {
        self.paths.push((parent, segment));
        PathId(self.paths.len() as u32)
    }

    /// How many paths there are. The table only grows: one of the same length is the same.
    pub fn len(&self) -> usize {
        self.paths.len()
    }

    /// There is none.
    pub fn is_empty(&self) -> bool {
        self.paths.is_empty()
    }

    /// The path; `None` for "no box".
    pub fn get(&self, id: PathId) -> Option<BoxPath> {
        let mut segments: Vec<Segment> = self.steps(id).map(|(_, segment)| segment.clone()).collect();
        segments.reverse();
        BoxPath::of(segments)
    }

    /// Is it this path?
    pub fn is(&self, id: PathId, path: &BoxPath) -> bool {
        self.steps(id).map(|(_, segment)| segment).eq(path.segments().iter().rev())
    }

    /// The path as messages print it; empty for "no box".
    pub fn text(&self, id: PathId) -> String {
        self.get(id).map(|path| path.to_string()).unwrap_or_default()
    }

    /// The name of the path's last box; empty for "no box".
    pub fn name(&self, id: PathId) -> Arc<str> {
        let name = |(_, segment): &(PathId, Segment)| match segment {
            Segment::Box { name, .. } => Some(name.clone()),
            Segment::Keyframe { .. } => None,
        };
        self.steps(id).find_map(name).unwrap_or_default()
    }

    /// Adds the same path from another one on: `moved` says where paths have gone, and learns what is added.
    pub fn add_moved(&mut self, id: PathId, moved: &mut HashMap<PathId, PathId>) -> PathId {
        let (None, Some((parent, segment))) = (moved.get(&id), self.step(id).cloned()) else {
            return moved.get(&id).copied().unwrap_or(id);
        };
        let parent = self.add_moved(parent, moved);
        let new = self.add_child(parent, segment);
        moved.insert(id, new);
        new
    }

    fn step(&self, id: PathId) -> Option<&(PathId, Segment)> {
        self.paths.get((id.0 as usize).checked_sub(1)?)
    }

    /// The steps of a path, the last one first.
    fn steps(&self, id: PathId) -> impl Iterator<Item = &(PathId, Segment)> {
        std::iter::successors(self.step(id), |(parent, _)| self.step(*parent))
    }
}

/// The texts of paths, made once each: most events name a path that was named before.
#[derive(Debug, Default)]
pub struct PathTexts(Vec<Option<Arc<str>>>);

impl PathTexts {
    /// The path of an event's box, if [`PathTexts::get`] has looked it up before.
    pub fn known(&self, event: &Event) -> Option<&str> {
        self.0.get(event.path.0 as usize)?.as_deref()
    }

    /// That of an event, if it has one.
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
