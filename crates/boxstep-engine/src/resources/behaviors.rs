//! Claims of the behaviors of runners (`runner/claims.rs`).

use super::{OnDemand, Owner, Terms, Until};
use crate::Engine;
use crate::behaviors::Behaviors;
use crate::context::Context;
use crate::graph::Graph;
use crate::ids::BoxId;
use crate::resources::Resources;
use crate::runner::NOBODY;
use crate::runner::host::Runners;
use std::sync::Arc;

/// As for a box that locks: no other owner gets the resource before the behavior releases it.
const CLAIMED: Terms = Terms { until: Until::Unload, on_demand: OnDemand::Keep };

impl Resources {
    /// Returns the robot's resource with this name, ignoring case. `None` if the robot has none: then the name is the
    /// behaviors' own.
    pub(crate) fn resource_named(&self, name: &str) -> Option<Arc<str>> {
        let tree = &self.tree;
        if tree.known(name) {
            return Some(name.into());
        }
        tree.names().find(|known| known.eq_ignore_ascii_case(name)).map(Into::into)
    }

    /// Returns a number that changes whenever the robot's resources change.
    pub(crate) fn resource_changes(&self) -> u64 {
        self.tree.changes()
    }

    /// Returns whether the two are the same resource, or one is part of the other.
    pub(crate) fn resources_overlap(&self, one: &str, other: &str) -> bool {
        self.tree.overlap(one, other)
    }

    /// Returns who prevents a runner's behaviors from having a resource: the runner's behaviors whose boxes hold it,
    /// and [`NOBODY`] for all other owners. Locks of the runner's behaviors are left out, because the runner knows them
    /// itself.
    pub(crate) fn resource_users(
        &self,
        graph: &Graph,
        behaviors: &Behaviors,
        name: &Arc<str>,
        runner: u32,
    ) -> Vec<u32> {
        let mut users = Vec::new();
        if self.tree.bar(std::slice::from_ref(name)).is_some() {
            users.push(NOBODY);
        }
        for held in self.held.iter().filter(|held| self.tree.overlap(name, &held.name)) {
            let user = match &held.owner {
                Owner::Behavior { runner: of, .. } if *of == runner => continue,
                Owner::Box(id) => {
                    behaviors.leaf_of(graph, *id).filter(|(of, _)| *of == runner).map_or(NOBODY, |(_, leaf)| leaf)
                }
                Owner::Behavior { .. } | Owner::Other(_) => NOBODY,
            };
            if !users.contains(&user) {
                users.push(user);
            }
        }
        users
    }
}

impl Behaviors {
    /// Returns the behavior of a runner that plays the behavior of a box.
    pub(super) fn leaf_of(&self, graph: &Graph, id: BoxId) -> Option<(u32, u32)> {
        self.all[graph.boxes[id.index()].behavior.index()].leaf
    }
}

impl Resources {
    /// Takes a resource for a behavior of a runner, by their numbers. Returns false if another owner has it.
    pub(crate) fn take_for(
        &mut self,
        cx: &mut Context,
        graph: &Graph,
        behaviors: &Behaviors,
        runners: &Runners,
        (runner, of): (u32, u32),
        name: &Arc<str>,
    ) -> bool {
        let (owner, names) = (Owner::Behavior { runner, of }, std::slice::from_ref(name));
        let way = self.in_the_way(graph, behaviors, runners, &owner, names);
        let free = self.tree.bar(names).is_none() && way.is_empty();
        if free {
            self.hold(cx, graph, runners, &owner, names, &CLAIMED);
        }
        free
    }
}

impl Engine {
    /// Returns whether two behaviors that lock these resources exclude each other, because the two are the same
    /// resource, or one is part of the other. The names are the robot's, or else the behaviors' own.
    pub fn contended(&self, one: &str, other: &str) -> bool {
        self.resources.exclude_each_other(one, other)
    }
}
