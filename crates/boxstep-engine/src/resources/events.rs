//! What the trace says of claims: who takes, waits for, and releases which resource.

use super::{Owner, Resources};
use crate::behaviors::Behaviors;
use crate::calls::Calls;
use crate::context::Context;
use crate::graph::Graph;
use crate::runner::host::Runners;
use crate::trace::{Kind, PathId, ResourceEvent, ResourcePhase};
use std::sync::Arc;

impl Runners {
    /// Returns the name of an owner for messages: for a box, its path.
    pub(super) fn owner_shown(&self, cx: &Context, graph: &Graph, owner: &Owner) -> Arc<str> {
        match owner {
            Owner::Box(id) => cx.paths.text(graph.path_of(*id)).into(),
            Owner::Behavior { runner, of } => cx.paths.text(self.path_of_behavior(*runner, *of)).into(),
            Owner::Other(name) => name.clone(),
        }
    }

    pub(super) fn owner_path(&self, graph: &Graph, owner: &Owner) -> PathId {
        match owner {
            Owner::Box(id) => graph.path_of(*id),
            Owner::Behavior { runner, of } => self.path_of_behavior(*runner, *of),
            Owner::Other(_) => PathId(0),
        }
    }

    /// Returns the trace event of a claim, and its path.
    pub(super) fn claim_event(
        &self,
        graph: &Graph,
        owner: &Owner,
        what: ResourcePhase,
        name: Arc<str>,
        others: Vec<Arc<str>>,
    ) -> (PathId, Kind) {
        let path = self.owner_path(graph, owner);
        let owner = match owner {
            Owner::Other(name) => Some(name.clone()),
            Owner::Box(_) | Owner::Behavior { .. } => None,
        };
        (path, Kind::Resource(Box::new(ResourceEvent { what, name, owner, others })))
    }
}

impl Resources {
    /// Adds a trace event about a waiter, with the first resource that it lacks and the holders of it.
    pub(super) fn note_waiter(
        &self,
        cx: &mut Context,
        graph: &Graph,
        behaviors: &Behaviors,
        runners: &Runners,
        serial: u32,
        what: ResourcePhase,
    ) {
        let Some(waiter) = self.waiter(serial) else { return };
        let way = self.in_the_way(graph, behaviors, runners, &waiter.owner, &waiter.names);
        let lacks = |name: &&Arc<str>| way.iter().any(|i| self.tree.overlap(name, &self.held[*i].name));
        let name = waiter.names.iter().find(lacks).or(waiter.names.first()).cloned().unwrap_or_else(|| "".into());
        let mut others: Vec<Arc<str>> = Vec::new();
        for shown in way.iter().map(|i| runners.owner_shown(cx, graph, &self.held[*i].owner)) {
            if !others.contains(&shown) {
                others.push(shown);
            }
        }
        if what == ResourcePhase::Dropped {
            let (path, event) = runners.claim_event(graph, &waiter.owner, what, name, Vec::new());
            cx.note(path, event);
        } else {
            let (path, event) = runners.claim_event(graph, &waiter.owner, what, name, others);
            cx.trace(path, event);
        }
    }

    /// Warns of the holders in the way of a refused waiter that wait for a call which a real robot has not answered,
    /// because the call may never return.
    pub(super) fn warn_of_calls(
        &self,
        cx: &mut Context,
        graph: &Graph,
        (behaviors, runners): (&Behaviors, &Runners),
        calls: &Calls,
        serial: u32,
    ) {
        let Some(waiter) = self.waiter(serial) else { return };
        let at = runners.owner_path(graph, &waiter.owner);
        let mut warnings: Vec<String> = Vec::new();
        let way = self.in_the_way(graph, behaviors, runners, &waiter.owner, &waiter.names);
        for held in way.iter().map(|i| &self.held[*i]) {
            let path = runners.owner_path(graph, &held.owner);
            for (_, call) in calls.in_flight().filter(|(at, _)| *at == path) {
                let (name, who) = (&held.name, runners.owner_shown(cx, graph, &held.owner));
                let text = format!("{name}: {who} waits for {call}, which the robot has not answered");
                if !warnings.contains(&text) {
                    warnings.push(text);
                }
            }
        }
        warnings.into_iter().for_each(|text| cx.warn(at, text));
    }
}
