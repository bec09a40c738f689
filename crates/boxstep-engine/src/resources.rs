//! Resources that boxes take when they start.
//!
//! Claims are recorded and released in the documented order; who holds what is known. Conflicts are
//! not refereed yet: every claim is granted (`docs/semantics/resources.md`).

use crate::Engine;
use crate::door::Args;
use crate::front::Front;
use crate::graph::BoxId;
use crate::procedures::ProcId;
use crate::services::ServiceError;
use crate::trace::Kind;
use boxstep_types::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Who holds what.
#[derive(Default)]
pub(crate) struct Resources {
    held: BTreeMap<Arc<str>, BTreeSet<BoxId>>,
    waiting: Vec<ProcId>,
}

/// The answer to a claim for all resources of a box: all or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Claim {
    Granted,
    /// Others hold some of them; the procedure is told when they are free.
    #[expect(dead_code, reason = "part of the claim's answer; nothing waits while every claim is granted")]
    Wait,
    /// Others hold some of them, and the box does not wait.
    #[expect(dead_code, reason = "part of the claim's answer; nothing is refused while every claim is granted")]
    Refused,
}

impl Resources {
    pub(crate) fn waiting(&self, proc: ProcId) -> bool {
        self.waiting.contains(&proc)
    }
}

impl Engine {
    /// Takes the resources of a box.
    pub(crate) fn claim(&mut self, _proc: ProcId, id: BoxId) -> Claim {
        let node = &self.graph.boxes[id.index()];
        let path = node.path;
        let names: Vec<Arc<str>> = node.resources.iter().map(|r| r.name.clone()).collect();
        for name in names {
            if self.resources.held.entry(name.clone()).or_default().insert(id) {
                self.note(path, Kind::Resource("taken", name));
            }
        }
        Claim::Granted
    }

    /// Gives the resources of a box back.
    pub(crate) fn release(&mut self, id: BoxId) {
        let node = &self.graph.boxes[id.index()];
        let path = node.path;
        let names: Vec<Arc<str>> = node.resources.iter().map(|r| r.name.clone()).collect();
        for name in names {
            if self.resources.held.get_mut(&name).is_some_and(|h| h.remove(&id)) {
                self.note(path, Kind::Resource("released", name));
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
            self.call_method(id, "onResourceError".into(), Args::Hook(Value::Null), None);
        } else if let Some(output) = stopped {
            self.output(id, output as u16, Value::Null);
        }
    }

    /// A box has waited long enough for its resources.
    pub(crate) fn resource_timeout(&mut self, proc: ProcId) {
        if self.resources.waiting(proc) {
            self.resources.waiting.retain(|p| *p != proc);
            self.proc_resource(proc, false);
        }
    }

    pub(crate) fn resource_manager(&mut self, method: &str, args: &[Value]) -> Result<Front, ServiceError> {
        let names = || -> Vec<Arc<str>> {
            match args.first() {
                Some(Value::Str(s)) => vec![s.clone()],
                Some(Value::List(items)) => items.iter().filter_map(|v| v.as_str().map(Into::into)).collect(),
                _ => Vec::new(),
            }
        };
        let free = |engine: &Self, name: &str| engine.resources.held.get(name).is_none_or(BTreeSet::is_empty);
        Ok(Front::Ready(Ok(match method {
            "areResourcesFree" => names().iter().all(|n| free(self, n)).into(),
            "isResourceFree" => names().first().is_none_or(|n| free(self, n)).into(),
            "getResources" => Value::list(self.resources.held.keys().cloned().map(Value::Str)),
            "ownersGet" => {
                Value::list(self.resources.held.iter().filter(|(_, h)| !h.is_empty()).map(|(name, holders)| {
                    let owners = holders.iter().map(|b| Value::Str(self.graph.boxes[b.index()].full_name.clone()));
                    Value::list([Value::Str(name.clone()), Value::list(owners)])
                }))
            }
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
            | "enableStateResource"
            | "checkStateResourceFree" => Value::Null,
            "areResourcesOwnedBy" | "isInGroup" => {
                let owner = args.get(1).and_then(Value::as_str).unwrap_or_default();
                let held = |n: &Arc<str>| {
                    let holders = self.resources.held.get(n).into_iter().flatten();
                    holders.into_iter().any(|b| &*self.graph.boxes[b.index()].full_name == owner)
                };
                names().iter().all(held).into()
            }
            _ => return Err(ServiceError::NoMethod),
        })))
    }
}
