//! The requests of scripts: ALResourceManager, and the functions that every box script inherits.

use super::claims::ClaimRequest;
use super::{Claim, How, OnDemand, Owner, Reply, ResourceNames, Resources, STARTED, Until, Who};
use crate::Engine;
use crate::calls::EngineAnswer;
use crate::context::Context;
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

impl Engine {
    /// Runs a method of ALResourceManager.
    pub(crate) fn resource_manager(
        &mut self,
        call: CallId,
        method: &str,
        args: &[Value],
    ) -> Result<EngineAnswer, ServiceError> {
        match method {
            "acquireResource" | "acquireResourcesTree" | "waitForResource" | "waitForResourcesTree" => {
                let names = names(args, 0)?;
                self.script_claims(call, args, names, ResourceNames::default(), Reply::Nothing)
            }
            "waitForOptionalResourcesTree" => {
                let (needed, optional) = (names(args, 0)?, names(args, 4)?);
                self.script_claims(call, args, needed, optional, Reply::Optional)
            }
            "releaseResource" | "releaseResources" => {
                let (names, owner) = (names(args, 0)?, self.graph.owner(&self.cx.paths, &text(args, 1)?));
                self.release_names(&owner, Some(&names));
                Ok(done())
            }
            "areResourcesFree" | "isResourceFree" => Ok(ok(self.resources.are_free(&names(args, 0)?))),
            "areResourcesOwnedBy" => {
                let (names, owner) = (names(args, 0)?, self.graph.owner(&self.cx.paths, &text(args, 1)?));
                Ok(ok(names.iter().all(|name| self.resources.owns(&owner, name))))
            }
            "createResource" | "createResourcesList" => {
                let (names, parent) = (names(args, 0)?, text(args, 1)?);
                for name in names.iter() {
                    self.resources.tree.create(name, &parent).map_err(failed)?;
                }
                self.serve();
                Ok(done())
            }
            "deleteResource" => {
                self.resources.tree.delete(&text(args, 0)?).map_err(failed)?;
                // A holder of a part may not be in the way any more.
                self.serve();
                Ok(done())
            }
            "enableStateResource" => {
                let (name, on) = (text(args, 0)?, args.get(1).is_some_and(Value::truthy));
                self.resources.tree.enable(&name, on).map_err(failed)?;
                if on {
                    self.serve()
                } else {
                    self.press_state(&name)
                }
                Ok(done())
            }
            "checkStateResourceFree" => Ok(ok(self.resources.tree.bar(&names(args, 0)?).is_none())),
            "isInGroup" => {
                let (group, name) = (text(args, 0)?, text(args, 1)?);
                Ok(ok(self.resources.tree.known(&name) && self.resources.tree.within(&name, &group)))
            }
            "getResources" => Ok(EngineAnswer::Ready(Ok(Value::list(self.resources.tree.names().map(Value::from))))),
            "ownersGet" => Ok(EngineAnswer::Ready(Ok(self.resources.owners(&self.cx, &self.graph, &self.runners)))),
            _ => Err(ServiceError::NoMethod),
        }
    }

    /// Runs a function that box scripts inherit, for the box's own resources; the first argument is its `getName()`.
    pub(crate) fn box_resources(
        &mut self,
        call: CallId,
        method: &str,
        args: &[Value],
    ) -> Result<EngineAnswer, ServiceError> {
        let owner = self.graph.owner(&self.cx.paths, &text(args, 0)?);
        let Owner::Box(id) = owner else { return Err(failed("there is no such box".to_owned())) };
        let (own, timeout) = self.resources.needs(&self.graph, id);
        match method {
            "waitResources" => self.box_asks(call, id, own, STARTED, timeout),
            "waitResourcesCallback" => {
                let how = Resources::how(Until::Stop, &text(args, 1)?);
                self.box_asks(call, id, own, how, timeout)
            }
            "waitFor" => {
                let (wanted, how) = (names(args, 1)?, Resources::how(Until::Stop, &text(args, 2)?));
                self.box_asks(call, id, wanted, how, seconds(args, 3)?)
            }
            "waitResourceFree" => {
                self.runners.must_be_loaded(&self.cx, &self.graph, id)?;
                let (who, optional) = (Who::Free(call, Reply::Flag), ResourceNames::default());
                let how = How { until: Until::Stop, on_demand: OnDemand::Keep };
                self.script_asks(ClaimRequest { who, owner, names: own, optional, how }, timeout, Reply::Flag)
            }
            "releaseResource" => {
                self.release(id);
                Ok(ok(true))
            }
            "setResources" => {
                let (names, timeout) = (names(args, 1)?, seconds(args, 2)?);
                self.resources.own.insert(id, (names, timeout));
                Ok(ok(true))
            }
            _ => Err(ServiceError::NoMethod),
        }
    }

    fn box_asks(
        &mut self,
        call: CallId,
        id: BoxId,
        names: ResourceNames,
        how: How,
        timeout: f64,
    ) -> Result<EngineAnswer, ServiceError> {
        self.runners.must_be_loaded(&self.cx, &self.graph, id)?;
        let (who, owner) = (Who::Script(call, Reply::Flag), Owner::Box(id));
        self.script_asks(
            ClaimRequest { who, owner, names, optional: ResourceNames::default(), how },
            timeout,
            Reply::Flag,
        )
    }

    /// Requests resources with the arguments `(names, owner, callback, seconds)`.
    fn script_claims(
        &mut self,
        call: CallId,
        args: &[Value],
        names: ResourceNames,
        optional: ResourceNames,
        reply: Reply,
    ) -> Result<EngineAnswer, ServiceError> {
        let (owner, callback, timeout) =
            (self.graph.owner(&self.cx.paths, &text(args, 1)?), text(args, 2)?, seconds(args, 3)?);
        if let Some(name) = names.iter().chain(optional.iter()).find(|n| !self.resources.tree.known(n)) {
            return Err(failed(format!("there is no resource {name}")));
        }
        if let Owner::Box(id) = owner {
            self.runners.must_be_loaded(&self.cx, &self.graph, id)?;
        }
        let (who, how) = (Who::Script(call, reply), Resources::how(Until::Unload, &callback));
        self.script_asks(ClaimRequest { who, owner, names, optional, how }, timeout, reply)
    }

    fn script_asks(&mut self, ask: ClaimRequest, timeout: f64, reply: Reply) -> Result<EngineAnswer, ServiceError> {
        let (owner, names, optional) = (ask.owner.clone(), ask.names.clone(), ask.optional.clone());
        let granted = match self.ask(ask, timeout) {
            Claim::Wait => return Ok(EngineAnswer::Pending),
            Claim::Granted => true,
            Claim::Refused => false,
        };
        Ok(EngineAnswer::Ready(self.resources.reply(reply, &owner, &names, &optional, granted)))
    }
}
