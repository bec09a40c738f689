//! The requests of scripts: ALResourceManager, and the functions that every box script inherits.

use super::claims::ClaimRequest;
use super::{Freed, OnDemand, Owner, Release, Reply, ResourceNames, Resources, STARTED, Terms, Until, Who};
use crate::calls::EngineAnswer;
use crate::context::Context;
use crate::follow_up::FollowUp;
use crate::graph::Graph;
use crate::ids::BoxId;
use crate::lifecycle::Phase;
use crate::own_services::{done, ok, text};
use crate::protocol::CallId;
use crate::runner::host::Runners;
use crate::services::ServiceError;
use crate::trace::Paths;
use boxstep_types::Value;
use std::sync::Arc;

/// Parses an argument that is one name or a list of names.
fn names(args: &[Value], index: usize) -> Result<ResourceNames, ServiceError> {
    match args.get(index) {
        Some(Value::Str(name)) => Ok([name.clone()].into()),
        Some(Value::List(items)) if items.iter().all(|v| v.as_str().is_some()) => {
            Ok(items.iter().filter_map(|v| v.as_str().map(Into::into)).collect())
        }
        _ => {
            let which = index + 1;
            Err(ServiceError::BadArguments(format!(
                "argument {which} must be the name of a resource or a list of them"
            )))
        }
    }
}

/// Parses an argument in seconds.
fn seconds(args: &[Value], index: usize) -> Result<f64, ServiceError> {
    let given = args.get(index).and_then(Value::as_f64).filter(|s| !s.is_nan());
    given.ok_or_else(|| ServiceError::BadArguments(format!("argument {} must be a number of seconds", index + 1)))
}

fn failed(why: String) -> ServiceError {
    ServiceError::Failed(why)
}

impl Graph {
    /// Returns the box with this `getName()`, or another owner with this name.
    fn owner(&self, paths: &Paths, name: &Arc<str>) -> Owner {
        self.by_full_name(paths, name).map_or_else(|| Owner::Other(name.clone()), Owner::Box)
    }
}

impl Resources {
    pub(crate) fn are_free(&self, names: &[Arc<str>]) -> bool {
        let tree = &self.tree;
        tree.bar(names).is_none() && !names.iter().any(|name| self.held.iter().any(|h| tree.overlap(name, &h.name)))
    }

    /// Returns whether an owner holds a whole resource.
    fn owns(&self, owner: &Owner, name: &str) -> bool {
        self.held.iter().any(|h| h.owner == *owner && self.tree.within(name, &h.name))
    }
}

impl Runners {
    /// Checks that a box is loaded: an unloaded box would never release what it takes.
    fn must_be_loaded(&self, cx: &Context, graph: &Graph, id: BoxId) -> Result<(), ServiceError> {
        match graph.boxes[id.index()].life.phase() {
            Phase::Out | Phase::Leaving => {
                Err(failed(format!("{} is not loaded", self.owner_shown(cx, graph, &Owner::Box(id)))))
            }
            _ => Ok(()),
        }
    }
}

impl Resources {
    /// Returns `[[resource, [owner, …]], …]`, with the names that scripts use.
    fn owners(&self, cx: &Context, graph: &Graph, runners: &Runners) -> Value {
        let mut by_name: Vec<(Arc<str>, Vec<Arc<str>>)> = Vec::new();
        for held in &self.held {
            let owner = match &held.owner {
                Owner::Box(id) => graph.full_name(&cx.paths, *id),
                Owner::Other(name) => name.clone(),
                Owner::Behavior { .. } => runners.owner_shown(cx, graph, &held.owner),
            };
            match by_name.iter_mut().find(|(name, _)| *name == held.name) {
                Some((_, owners)) if owners.contains(&owner) => {}
                Some((_, owners)) => owners.push(owner),
                None => by_name.push((held.name.clone(), vec![owner])),
            }
        }
        let pair = |(name, owners): (Arc<str>, Vec<Arc<str>>)| {
            Value::list([Value::Str(name), Value::list(owners.into_iter().map(Value::Str))])
        };
        Value::list(by_name.into_iter().map(pair))
    }
}

/// What the engine does for a script's call that concerns resources.
pub(crate) enum ResourceStep {
    /// What follows, and then the answer.
    Answer(Vec<FollowUp>, EngineAnswer),
    /// Requests resources. The timeout is in seconds.
    Claim(ClaimRequest, f64, Reply),
}

impl ResourceStep {
    fn ok(value: impl Into<Value>) -> Result<Self, ServiceError> {
        Ok(Self::Answer(Vec::new(), ok(value)))
    }

    fn after(next: Vec<FollowUp>) -> Result<Self, ServiceError> {
        Ok(Self::Answer(next, done()))
    }
}

impl Resources {
    /// Runs a method of ALResourceManager.
    pub(crate) fn manager_call(
        &mut self,
        cx: &Context,
        graph: &Graph,
        runners: &Runners,
        call: CallId,
        method: &str,
        args: &[Value],
    ) -> Result<ResourceStep, ServiceError> {
        match method {
            "acquireResource" | "acquireResourcesTree" | "waitForResource" | "waitForResourcesTree" => {
                let groups = (names(args, 0)?, ResourceNames::default());
                self.script_claims(cx, graph, runners, (call, Reply::Nothing), args, groups)
            }
            "waitForOptionalResourcesTree" => {
                let groups = (names(args, 0)?, names(args, 4)?);
                self.script_claims(cx, graph, runners, (call, Reply::Optional), args, groups)
            }
            "releaseResource" | "releaseResources" => {
                let (names, owner) = (names(args, 0)?, graph.owner(&cx.paths, &text(args, 1)?));
                ResourceStep::after(vec![FollowUp::Release(owner, Freed::Names(names))])
            }
            "areResourcesFree" | "isResourceFree" => ResourceStep::ok(self.are_free(&names(args, 0)?)),
            "areResourcesOwnedBy" => {
                let (names, owner) = (names(args, 0)?, graph.owner(&cx.paths, &text(args, 1)?));
                ResourceStep::ok(names.iter().all(|name| self.owns(&owner, name)))
            }
            "createResource" | "createResourcesList" => {
                let (names, parent) = (names(args, 0)?, text(args, 1)?);
                for name in names.iter() {
                    self.tree.create(name, &parent).map_err(failed)?;
                }
                ResourceStep::after(vec![FollowUp::ServeClaims])
            }
            "deleteResource" => {
                self.tree.delete(&text(args, 0)?).map_err(failed)?;
                // A holder of a part may not be in the way any more.
                ResourceStep::after(vec![FollowUp::ServeClaims])
            }
            "enableStateResource" => {
                let (name, on) = (text(args, 0)?, args.get(1).is_some_and(Value::truthy));
                self.tree.enable(&name, on).map_err(failed)?;
                ResourceStep::after(if on { vec![FollowUp::ServeClaims] } else { self.ask_state_holders(graph, &name) })
            }
            "checkStateResourceFree" => ResourceStep::ok(self.tree.bar(&names(args, 0)?).is_none()),
            "isInGroup" => {
                let (group, name) = (text(args, 0)?, text(args, 1)?);
                ResourceStep::ok(self.tree.known(&name) && self.tree.within(&name, &group))
            }
            "getResources" => ResourceStep::ok(Value::list(self.tree.names().map(Value::from))),
            "ownersGet" => ResourceStep::ok(self.owners(cx, graph, runners)),
            _ => Err(ServiceError::NoMethod),
        }
    }

    /// Runs a function that box scripts inherit, for the box's own resources; the first argument is its `getName()`.
    pub(crate) fn box_call(
        &mut self,
        cx: &Context,
        graph: &Graph,
        runners: &Runners,
        call: CallId,
        method: &str,
        args: &[Value],
    ) -> Result<ResourceStep, ServiceError> {
        let Owner::Box(id) = graph.owner(&cx.paths, &text(args, 0)?) else {
            return Err(failed("there is no such box".to_owned()));
        };
        let (own, timeout) = self.needs(graph, id);
        let claim =
            |who: Who, names: ResourceNames, terms: Terms, timeout: f64| -> Result<ResourceStep, ServiceError> {
                runners.must_be_loaded(cx, graph, id)?;
                let ask = ClaimRequest { who, owner: Owner::Box(id), names, optional: ResourceNames::default(), terms };
                Ok(ResourceStep::Claim(ask, timeout, Reply::Flag))
            };
        let script = Who::Script(call, Reply::Flag);
        match method {
            "waitResources" => claim(script, own, STARTED, timeout),
            "waitResourcesCallback" => claim(script, own, Self::terms(Until::Stop, &text(args, 1)?), timeout),
            "waitFor" => {
                let (wanted, terms) = (names(args, 1)?, Self::terms(Until::Stop, &text(args, 2)?));
                claim(script, wanted, terms, seconds(args, 3)?)
            }
            "waitResourceFree" => {
                let terms = Terms { until: Until::Stop, on_demand: OnDemand::Keep };
                claim(Who::Free(call, Reply::Flag), own, terms, timeout)
            }
            "releaseResource" => Ok(ResourceStep::Answer(self.release(id, Release::Start), ok(true))),
            "setResources" => {
                let (names, timeout) = (names(args, 1)?, seconds(args, 2)?);
                self.own.insert(id, (names, timeout));
                ResourceStep::ok(true)
            }
            _ => Err(ServiceError::NoMethod),
        }
    }

    /// Requests resources with the arguments `(names, owner, callback, seconds)`.
    fn script_claims(
        &self,
        cx: &Context,
        graph: &Graph,
        runners: &Runners,
        (call, reply): (CallId, Reply),
        args: &[Value],
        (names, optional): (ResourceNames, ResourceNames),
    ) -> Result<ResourceStep, ServiceError> {
        let (owner, callback, timeout) = (graph.owner(&cx.paths, &text(args, 1)?), text(args, 2)?, seconds(args, 3)?);
        if let Some(name) = names.iter().chain(optional.iter()).find(|n| !self.tree.known(n)) {
            return Err(failed(format!("there is no resource {name}")));
        }
        if let Owner::Box(id) = owner {
            runners.must_be_loaded(cx, graph, id)?;
        }
        let (who, terms) = (Who::Script(call, reply), Self::terms(Until::Unload, &callback));
        Ok(ResourceStep::Claim(ClaimRequest { who, owner, names, optional, terms }, timeout, reply))
    }
}
