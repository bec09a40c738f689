//! Makes boxes parts of other boxes, and renames them.

use super::{BoxId, Error};
use crate::Engine;
use crate::behaviors::Behaviors;
use crate::context::Context;
use crate::graph::{self, Body, Graph};
use crate::ids;
use crate::ids::BehaviorId;
use crate::lifecycle::{Phase, Policy};
use crate::trace::PathId;
use boxstep_types::{BoxPath, Segment};
use std::collections::HashMap;

impl Behaviors {
    fn may_adopt(&self, graph: &Graph, owner: ids::BoxId, part: ids::BoxId) -> Result<(), Error> {
        let node = &graph.boxes[part.index()];
        if node.parent == Some(owner) {
            return Ok(());
        }
        let behavior = &self.all[node.behavior.index()];
        let around = graph.ancestors(owner).any(|a| a == part);
        if node.parent.is_some() || behavior.root != part || !behavior.object || around {
            return Err(Error::Elsewhere);
        }
        if !behavior.closed() || node.life.phase() != Phase::Out {
            return Err(Error::Loaded);
        }
        // Scripts are constructed when their behavior is loaded.
        let scripted = |b: &ids::BoxId| matches!(graph.boxes[b.index()].body, Body::Script(_));
        let owning = &self.all[graph.boxes[owner.index()].behavior.index()];
        if !owning.closed() && behavior.boxes.iter().any(scripted) {
            return Err(Error::Invalid("a box with a script cannot become a part of what is loaded".to_owned()));
        }
        Ok(())
    }

    /// Records the paths with which boxes were created, because their definitions are found by these paths.
    fn keep_origins(&self, cx: &Context, graph: &mut Graph, behavior: BehaviorId) {
        for b in self.all[behavior.index()].boxes.clone() {
            let path = graph.path(cx, b);
            graph.boxes[b.index()].made.get_or_insert(Box::new((behavior, path)));
        }
    }
}

impl Graph {
    fn path(&self, cx: &Context, id: ids::BoxId) -> BoxPath {
        cx.paths.get(self.path_of(id)).unwrap_or_else(|| BoxPath::root(self.name(&cx.paths, id)))
    }
}

impl Engine {
    /// Makes boxes parts of the box that owns a state machine: either all of them or none.
    pub(super) fn adopt(&mut self, owner: ids::BoxId, boxes: &[BoxId]) -> Result<Vec<ids::BoxId>, Error> {
        let mut parts: Vec<ids::BoxId> = Vec::new();
        for id in boxes {
            let part = self.own_box(*id)?;
            if !parts.contains(&part) {
                self.behaviors.may_adopt(&self.graph, owner, part)?;
                parts.push(part);
            }
        }
        for part in &parts {
            if self.graph.boxes[part.index()].parent != Some(owner) {
                self.adopt_one(owner, *part);
            }
        }
        Ok(parts)
    }

    fn adopt_one(&mut self, owner: ids::BoxId, part: ids::BoxId) {
        self.graph.keep_full_names(&self.cx.paths);
        let (old, new) = (self.graph.boxes[part.index()].behavior, self.graph.boxes[owner.index()].behavior);
        let moved = std::mem::take(&mut self.behaviors.all[old.index()].boxes);
        let loaded = !self.behaviors.all[new.index()].closed();
        let node = &mut self.graph.boxes[part.index()];
        node.parent = Some(owner);
        node.policy = Policy::Box;
        let name = self.graph.name(&self.cx.paths, part);
        for b in &moved {
            let path = self.graph.path(&self.cx, *b);
            let node = &mut self.graph.boxes[b.index()];
            node.behavior = new;
            node.made.get_or_insert(Box::new((old, path)));
            if loaded {
                self.graph.note_constructed(&mut self.cx, *b);
            }
        }
        let twin = |b: &&graph::BoxNode| b.parent == Some(owner) && self.cx.paths.name(b.path) == name;
        let twins = self.graph.boxes.iter().filter(twin).count() > 1;
        // Siblings of one name are distinguished by a number, as in files.
        let step = Segment::Box { name, id: twins.then_some(part.0 as i32) };
        self.move_paths(&moved, part, self.graph.path_of(owner), step);
        let boxes = &mut self.behaviors.all[new.index()].boxes;
        boxes.extend(moved);
        boxes.sort_unstable();
    }

    /// Renames a root that was created in code.
    pub(super) fn rename(&mut self, id: ids::BoxId, name: &str) -> Result<(), Error> {
        let behavior = self
            .behaviors
            .root_of(&self.graph, id)
            .filter(|b| self.behaviors.all[b.index()].object)
            .ok_or(Error::Part)?;
        if !self.behaviors.all[behavior.index()].closed() {
            return Err(Error::Loaded);
        }
        self.behaviors.keep_origins(&self.cx, &mut self.graph, behavior);
        self.graph.keep_full_names(&self.cx.paths);
        self.behaviors.all[behavior.index()].source.name = name.into();
        let boxes = self.behaviors.all[behavior.index()].boxes.clone();
        self.move_paths(&boxes, id, PathId(0), Segment::Box { name: name.into(), id: None });
        Ok(())
    }

    /// Moves a root below another path.
    pub(crate) fn place_root(&mut self, behavior: BehaviorId, under: PathId) {
        self.behaviors.keep_origins(&self.cx, &mut self.graph, behavior);
        self.graph.keep_full_names(&self.cx.paths);
        let root = self.behaviors.all[behavior.index()].root;
        let (boxes, name) = (self.behaviors.all[behavior.index()].boxes.clone(), self.graph.name(&self.cx.paths, root));
        self.move_paths(&boxes, root, under, Segment::Box { name, id: None });
    }

    /// Gives boxes new paths: the first is one step below `to`, the others keep their places within it.
    fn move_paths(&mut self, boxes: &[ids::BoxId], first: ids::BoxId, to: PathId, step: Segment) {
        let mut moved = HashMap::from([(self.graph.path_of(first), self.cx.paths.add_child(to, step))]);
        for b in boxes {
            let id = self.cx.paths.add_moved(self.graph.path_of(*b), &mut moved);
            self.graph.boxes[b.index()].path = id;
            self.fast_path.set_path(*b, id);
        }
    }
}
