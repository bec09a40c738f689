//! Resources that boxes take when they start.
//!
//! All resources of a box are one group: it gets all or none. A box may use what a box around it
//! holds; any other holder is in its way, unless the resource is a state such as Standing. Public source:
//! "Resources" (Choregraphe reference); rules, and what is not refereed yet: `docs/semantics/resources.md`.

use crate::Engine;
use crate::clock::Alarm;
use crate::door::Args;
use crate::front::Front;
use crate::graph::BoxId;
use crate::lifecycle::Step;
use crate::procedures::ProcId;
use crate::services::ServiceError;
use crate::trace::Kind;
use boxstep_format::model::ResourceMode;
use boxstep_types::{Time, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The robot's resources, as the engine needs to know them.
#[derive(Clone, Debug, Default)]
pub struct ResourceTree {
    /// Name → parent: who takes the parent takes the child.
    pub parents: BTreeMap<String, String>,
    /// States such as Standing, which any number of boxes may hold.
    pub states: Vec<String>,
}

impl ResourceTree {
    /// Does taking one of them take the other?
    fn overlap(&self, a: &str, b: &str) -> bool {
        !self.states.iter().any(|s| s == a) && (self.within(a, b) || self.within(b, a))
    }

    fn within(&self, child: &str, parent: &str) -> bool {
        let up = |name: &&str| self.parents.get(*name).map(String::as_str);
        // Bounded, in case the tree is none.
        std::iter::successors(Some(child), up).take(32).any(|name| name == parent)
    }
}

/// Who holds what, in order of taking, and who waits.
#[derive(Default)]
pub(crate) struct Resources {
    held: Vec<(Arc<str>, BoxId)>,
    waiting: Vec<(ProcId, BoxId)>,
}

/// The answer to a claim for all resources of a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Claim {
    Granted,
    /// Others hold some of them; the procedure is told when they are free or its time is up.
    Wait,
    /// Others hold some of them, and the box does not wait.
    Refused,
}

impl Resources {
    pub(crate) fn len(&self) -> usize {
        self.held.len() + self.waiting.len()
    }

    pub(crate) fn waiting(&self, proc: ProcId) -> bool {
        self.waiting.iter().any(|w| w.0 == proc)
    }
}

impl Engine {
    /// Takes the resources of a box, or says what it has to wait for.
    pub(crate) fn claim(&mut self, proc: ProcId, id: BoxId) -> Claim {
        if self.take(id) {
            return Claim::Granted;
        }
        let cause = self.cause;
        for holder in self.in_the_way(id) {
            self.demand(holder);
            self.cause = cause;
        }
        if self.take(id) {
            return Claim::Granted;
        }
        let timeout = self.graph.boxes[id.index()].resource_timeout;
        if timeout == 0.0 {
            self.note_resource(id, "refused");
            return Claim::Refused;
        }
        self.note_resource(id, "waiting");
        self.resources.waiting.push((proc, id));
        if timeout > 0.0 {
            self.timers.add(self.clock.now() + Time::from_secs_f64(timeout), Alarm::Resource(proc));
        }
        Claim::Wait
    }

    fn note_resource(&mut self, id: BoxId, what: &'static str) {
        let node = &self.graph.boxes[id.index()];
        let (path, first) = (node.path, node.resources.first().map(|r| r.name.clone()));
        self.note(path, Kind::Resource(what, first.unwrap_or_else(|| "".into())));
    }

    /// Takes all resources of a box if nobody is in the way.
    fn take(&mut self, id: BoxId) -> bool {
        if self.graph.boxes[id.index()].resources.is_empty() {
            return true;
        }
        if !self.in_the_way(id).is_empty() {
            return false;
        }
        let node = &self.graph.boxes[id.index()];
        let path = node.path;
        let names: Vec<Arc<str>> = node.resources.iter().map(|r| r.name.clone()).collect();
        for name in names {
            if !self.resources.held.iter().any(|(n, h)| *n == name && *h == id) {
                self.resources.held.push((name.clone(), id));
                self.note(path, Kind::Resource("taken", name));
            }
        }
        true
    }

    /// The boxes that hold what a box wants, and are not around it or in it.
    fn in_the_way(&self, id: BoxId) -> Vec<BoxId> {
        let wants = &self.graph.boxes[id.index()].resources;
        let related = |h: BoxId| self.graph.ancestors(id).any(|a| a == h) || self.graph.ancestors(h).any(|a| a == id);
        let wanted = |name: &str| wants.iter().any(|w| self.config.resources.overlap(&w.name, name));
        let held = self.resources.held.iter();
        let mut holders: Vec<BoxId> = held.filter(|(name, h)| wanted(name) && !related(*h)).map(|(_, h)| *h).collect();
        holders.sort_unstable();
        holders.dedup();
        holders
    }

    /// Another box asks for what this one holds.
    fn demand(&mut self, holder: BoxId) {
        let node = &mut self.graph.boxes[holder.index()];
        if node.resources.first().is_none_or(|need| need.mode != ResourceMode::StopOnDemand) {
            return;
        }
        if node.life.started() {
            self.note_resource(holder, "lost");
            self.spawn_box(holder, Step::Yield, 0, Value::Null);
        } else {
            // It gives them back anyway when it has stopped, unless a start waits for that.
            node.stops += 1;
            let _ = node.life.stop();
        }
    }

    /// Gives the resources of a box back; whoever waited for them may go on.
    pub(crate) fn release(&mut self, id: BoxId) {
        let path = self.path_of(id);
        let (mine, others): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.resources.held).into_iter().partition(|(_, holder)| *holder == id);
        self.resources.held = others;
        let given_back = !mine.is_empty();
        for (name, _) in mine {
            self.note(path, Kind::Resource("released", name));
        }
        // A box that is stopped does not wait any more.
        let (mine, others): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.resources.waiting).into_iter().partition(|(_, waiter)| *waiter == id);
        self.resources.waiting = others;
        for (proc, _) in mine {
            self.proc_resource(proc, false);
        }
        if given_back {
            for (proc, waiter) in std::mem::take(&mut self.resources.waiting) {
                // Where everything is being unloaded nobody starts any more.
                let home = self.graph.boxes[waiter.index()].home;
                let active = home.is_none_or(|d| self.graph.diagrams[d.index()].active());
                if active && self.take(waiter) {
                    self.proc_resource(proc, true);
                } else {
                    self.resources.waiting.push((proc, waiter));
                }
            }
        }
    }

    /// A box could not have its resources: `onResourceError`, else the onStopped output.
    pub(crate) fn resource_refused(&mut self, id: BoxId) {
        let node = &mut self.graph.boxes[id.index()];
        let (path, error_hook, stopped) = (node.path, node.hooks.on_resource_error, node.first_stopped());
        if node.life.stop().is_ok() && node.life.stopped().is_ok() {
            self.note(path, Kind::Box("stopped"));
        }
        if error_hook {
            self.call_hook(id, "onResourceError".into(), Args::Hook(Value::Null), None);
        } else if let Some(output) = stopped {
            self.output(id, output as u16, Value::Null);
        }
    }

    /// A box has waited long enough for its resources.
    pub(crate) fn resource_timeout(&mut self, proc: ProcId) {
        if let Some(at) = self.resources.waiting.iter().position(|w| w.0 == proc) {
            let (_, id) = self.resources.waiting.remove(at);
            self.note_resource(id, "refused");
            self.proc_resource(proc, false);
        }
    }

    /// Answers scripts that ask for resources themselves. They are told who holds what, and may hold
    /// nothing of their own yet.
    pub(crate) fn resource_manager(&mut self, method: &str, args: &[Value]) -> Result<Front, ServiceError> {
        let names = || -> Vec<Arc<str>> {
            match args.first() {
                Some(Value::Str(s)) => vec![s.clone()],
                Some(Value::List(items)) => items.iter().filter_map(|v| v.as_str().map(Into::into)).collect(),
                _ => Vec::new(),
            }
        };
        let held = |name: &str| {
            let overlaps = |h: &&(Arc<str>, BoxId)| self.config.resources.overlap(&h.0, name);
            self.resources.held.iter().filter(overlaps).map(|(_, holder)| *holder).collect::<Vec<_>>()
        };
        let owner_name = |b: &BoxId| self.graph.boxes[b.index()].full_name.clone();
        let owner = args.get(1).and_then(Value::as_str).unwrap_or_default();
        let pair = |(name, holder): &(Arc<str>, BoxId)| {
            Value::list([Value::Str(name.clone()), Value::list([Value::Str(owner_name(holder))])])
        };
        Ok(Front::Ready(Ok(match method {
            "areResourcesFree" => names().iter().all(|n| held(n).is_empty()).into(),
            "isResourceFree" => names().first().is_none_or(|n| held(n).is_empty()).into(),
            "areResourcesOwnedBy" => names().iter().all(|n| held(n).iter().any(|h| &*owner_name(h) == owner)).into(),
            "isInGroup" => names().first().is_some_and(|group| self.config.resources.within(owner, group)).into(),
            "getResources" => Value::list(self.config.resources.parents.keys().map(|n| Value::from(n.as_str()))),
            "ownersGet" => Value::list(self.resources.held.iter().map(pair)),
            "acquireResource"
            | "acquireResourcesTree"
            | "waitForResource"
            | "waitForResourcesTree"
            | "waitForOptionalResourcesTree"
            | "releaseResource"
            | "releaseResources"
            | "createResource"
            | "createResourcesList"
            | "deleteResource"
            | "enableStateResource" => Value::Null,
            _ => return Err(ServiceError::NoMethod),
        })))
    }
}
