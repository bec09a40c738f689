//! Makes boxes parts of other boxes, and renames them.

use super::{BoxId, Error};
use crate::behaviors::Behaviors;
use crate::context::Context;
use crate::fast_path::FastPath;
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

    /// Moves a root below another path.
    pub(crate) fn place_root(
        &self,
        cx: &mut Context,
        graph: &mut Graph,
        fast_path: &mut FastPath,
        behavior: BehaviorId,
        under: PathId,
    ) {
        self.keep_origins(cx, graph, behavior);
        graph.keep_full_names(&cx.paths);
        let root = self.all[behavior.index()].root;
        let (boxes, name) = (self.all[behavior.index()].boxes.clone(), graph.name(&cx.paths, root));
        graph.move_paths(cx, fast_path, &boxes, root, under, Segment::Box { name, id: None });
    }

    fn adopt_one(
        &mut self,
        cx: &mut Context,
        graph: &mut Graph,
        fast_path: &mut FastPath,
        owner: ids::BoxId,
        part: ids::BoxId,
    ) {
        graph.keep_full_names(&cx.paths);
        let (old, new) = (graph.boxes[part.index()].behavior, graph.boxes[owner.index()].behavior);
        let moved = std::mem::take(&mut self.all[old.index()].boxes);
        let loaded = !self.all[new.index()].closed();
        let node = &mut graph.boxes[part.index()];
        node.parent = Some(owner);
        node.policy = Policy::Box;
        let name = graph.name(&cx.paths, part);
        for b in &moved {
            let path = graph.path(cx, *b);
            let node = &mut graph.boxes[b.index()];
            node.behavior = new;
            node.made.get_or_insert(Box::new((old, path)));
            if loaded {
                graph.note_constructed(cx, *b);
            }
        }
        let twin = |b: &&graph::BoxNode| b.parent == Some(owner) && cx.paths.name(b.path) == name;
        let twins = graph.boxes.iter().filter(twin).count() > 1;
        // Siblings of one name are distinguished by a number, as in files.
        let step = Segment::Box { name, id: twins.then_some(part.0 as i32) };
        graph.move_paths(cx, fast_path, &moved, part, graph.path_of(owner), step);
        let boxes = &mut self.all[new.index()].boxes;
        boxes.extend(moved);
        boxes.sort_unstable();
    }

    /// Renames a root that was created in code.
    pub(super) fn rename(
        &mut self,
        cx: &mut Context,
        graph: &mut Graph,
        fast_path: &mut FastPath,
        id: ids::BoxId,
        name: &str,
    ) -> Result<(), Error> {
        let behavior = self.root_of(graph, id).filter(|b| self.all[b.index()].object).ok_or(Error::Part)?;
        if !self.all[behavior.index()].closed() {
            return Err(Error::Loaded);
        }
        self.keep_origins(cx, graph, behavior);
        graph.keep_full_names(&cx.paths);
        self.all[behavior.index()].source.name = name.into();
        let boxes = self.all[behavior.index()].boxes.clone();
        graph.move_paths(cx, fast_path, &boxes, id, PathId(0), Segment::Box { name: name.into(), id: None });
        Ok(())
    }

    /// Makes boxes parts of the box that owns a state machine: either all of them or none.
    pub(super) fn adopt(
        &mut self,
        cx: &mut Context,
        graph: &mut Graph,
        fast_path: &mut FastPath,
        owner: ids::BoxId,
        boxes: &[BoxId],
    ) -> Result<Vec<ids::BoxId>, Error> {
        let mut parts: Vec<ids::BoxId> = Vec::new();
        for id in boxes {
            let part = graph.own_box(*id)?;
            if !parts.contains(&part) {
                self.may_adopt(graph, owner, part)?;
                parts.push(part);
            }
        }
        for part in &parts {
            if graph.boxes[part.index()].parent != Some(owner) {
                self.adopt_one(cx, graph, fast_path, owner, *part);
            }
        }
        Ok(parts)
    }
}

impl Graph {
    fn path(&self, cx: &Context, id: ids::BoxId) -> BoxPath {
        cx.paths.get(self.path_of(id)).unwrap_or_else(|| BoxPath::root(self.name(&cx.paths, id)))
    }

    /// Gives boxes new paths: the first is one step below `to`, the others keep their places within it.
    fn move_paths(
        &mut self,
        cx: &mut Context,
        fast_path: &mut FastPath,
        boxes: &[ids::BoxId],
        first: ids::BoxId,
        to: PathId,
        step: Segment,
    ) {
        let mut moved = HashMap::from([(self.path_of(first), cx.paths.add_child(to, step))]);
        for b in boxes {
            let id = cx.paths.add_moved(self.path_of(*b), &mut moved);
            self.boxes[b.index()].path = id;
            fast_path.set_path(*b, id);
        }
    }
}
