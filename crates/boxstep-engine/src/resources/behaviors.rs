//! What behaviors of runners claim (`runner/claims.rs`).

use super::{How, OnDemand, Owner, Until};
use crate::Engine;
use crate::behaviors::Behaviors;
use crate::graph::Graph;
use crate::ids::BoxId;
use crate::resources::Resources;
use crate::runner::NOBODY;
use std::sync::Arc;

/// As a box that locks: nobody is given it before the behavior lets go.
const CLAIMED: How = How { until: Until::Unload, on_demand: OnDemand::Keep };

impl Resources {
    /// The robot's resource of this name, whether it is written large or small. `None` if it has none: then the name is
    /// the behaviors' own.
    pub(crate) fn resource_named(&self, name: &str) -> Option<Arc<str>> {
        let tree = &self.tree;
        if tree.known(name) {
            return Some(name.into());
        }
        tree.names().find(|known| known.eq_ignore_ascii_case(name)).map(Into::into)
    }

    /// Another number than before: the robot has other resources.
    pub(crate) fn resource_changes(&self) -> u64 {
        self.tree.changes()
    }

    /// Are they one resource, or one a part of the other?
    pub(crate) fn resources_overlap(&self, one: &str, other: &str) -> bool {
        self.tree.overlap(one, other)
    }
}

impl Behaviors {
    /// The behavior of a runner that plays what a box is in.
    pub(super) fn leaf_of(&self, graph: &Graph, id: BoxId) -> Option<(u32, u32)> {
        self.all[graph.boxes[id.index()].behavior.index()].leaf
    }
}

impl Engine {
    /// Can only one of two behaviors run that lock these: are they one resource, or is one a part of the other? Names are the
    /// robot's, or else the behaviors' own.
    pub fn contended(&self, one: &str, other: &str) -> bool {
        match (self.resources.resource_named(one), self.resources.resource_named(other)) {
            (Some(one), Some(other)) => self.resources.resources_overlap(&one, &other),
            _ => one == other,
        }
    }

    /// Who keeps a runner's behaviors from a resource: behaviors of that runner whose boxes have it, [`NOBODY`] of them for all
    /// others. What its behaviors have themselves the runner knows.
    pub(crate) fn resource_users(&self, name: &Arc<str>, runner: u32) -> Vec<u32> {
        let mut users = Vec::new();
        if self.resources.tree.bar(std::slice::from_ref(name)).is_some() {
            users.push(NOBODY);
        }
        for held in self.resources.held.iter().filter(|held| self.resources.tree.overlap(name, &held.name)) {
            let user = match &held.owner {
                Owner::Behavior { runner: of, .. } if *of == runner => continue,
                Owner::Box(id) => self
                    .behaviors
                    .leaf_of(&self.graph, *id)
                    .filter(|(of, _)| *of == runner)
                    .map_or(NOBODY, |(_, leaf)| leaf),
                Owner::Behavior { .. } | Owner::Other(_) => NOBODY,
            };
            if !users.contains(&user) {
                users.push(user);
            }
        }
        users
    }

    /// Takes a resource for a behavior. False if somebody else has it.
    pub(crate) fn take_for(&mut self, runner: u32, of: u32, name: &Arc<str>) -> bool {
        let (owner, names) = (Owner::Behavior { runner, of }, std::slice::from_ref(name));
        let free = self.resources.tree.bar(names).is_none() && self.in_the_way(&owner, names).is_empty();
        if free {
            self.resources.hold(&mut self.cx, &self.graph, &self.runners, &owner, names, &CLAIMED);
        }
        free
    }

    /// Gives back what a behavior holds.
    pub(crate) fn release_for(&mut self, runner: u32, of: u32, name: &Arc<str>) {
        self.release_names(&Owner::Behavior { runner, of }, Some(std::slice::from_ref(name)));
    }
}
