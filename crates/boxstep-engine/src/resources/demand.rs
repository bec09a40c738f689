//! Terms a holder reacts to the request of another owner: it keeps the resource, stops, pauses, or lets its script
//! decide.

use super::{Freed, OnDemand, Owner, ResourceNames, STARTED, Waiter, Who};
use crate::Engine;
use crate::context::{Acts, Cause, Context};
use crate::follow_up::FollowUp;
use crate::graph::{BoxNode, Graph};
use crate::ids::{BoxId, Kept};
use crate::lifecycle::{Phase, Step};
use crate::protocol::Args;
use crate::resources::Resources;
use crate::tasks::Tasks;
use crate::timeline::TimelineRun;
use crate::trace::ResourcePhase;
use boxstep_format::model::ResourceMode;
use boxstep_types::Value;
use std::sync::Arc;

/// The reaction of a holder to a request.
#[derive(Clone, Debug, PartialEq)]
enum Reaction {
    /// The holder keeps what it has.
    Never,
    /// The holder's script decides: this method is called.
    Perhaps(Arc<str>),
    /// The holder stops, and releases everything.
    Stops,
    /// The holder's timeline pauses, and the holder releases everything and waits.
    Pauses,
}

/// A request that reaches a holder.
pub(crate) struct Demand {
    holder: Holder,
    /// The serial number of the waiter.
    serial: u32,
    /// Who asks, for the trace.
    asker: Arc<str>,
}

/// A holder of a requested resource.
struct Holder {
    owner: Owner,
    /// The first requested resource that it holds.
    name: Arc<str>,
    reaction: Reaction,
    /// Whether this request has reached it before.
    asked: bool,
}

impl Graph {
    fn reaction(&self, owner: &Owner, on_demand: &OnDemand) -> Reaction {
        match (on_demand, owner) {
            (OnDemand::Call(method), _) => Reaction::Perhaps(method.clone()),
            (OnDemand::Mode, Owner::Box(id)) => mode(&self.boxes[id.index()]),
            (OnDemand::Keep | OnDemand::Mode, _) => Reaction::Never,
        }
    }
}

impl Resources {
    /// Returns the holders of these claims, each once. A box inside a box that will stop is left out, because it is
    /// stopped with it.
    fn holders(&self, graph: &Graph, way: &[usize], serial: u32) -> Vec<Holder> {
        let mut holders: Vec<Holder> = Vec::new();
        for held in way.iter().filter_map(|i| self.held.get(*i)) {
            let reaction = graph.reaction(&held.owner, &held.terms.on_demand);
            if !holders.iter().any(|h| h.owner == held.owner && h.reaction == reaction) {
                let asked = held.asked.contains(&serial);
                holders.push(Holder { owner: held.owner.clone(), name: held.name.clone(), reaction, asked });
            }
        }
        let stops = |b: BoxId| holders.iter().any(|h| h.owner == Owner::Box(b) && h.reaction == Reaction::Stops);
        let inside: Vec<bool> = holders
            .iter()
            .map(|h| matches!(h.owner, Owner::Box(id) if graph.ancestors(id).skip(1).any(stops)))
            .collect();
        let mut inside = inside.into_iter();
        holders.retain(|_| !inside.next().unwrap_or_default());
        holders
    }

    /// Asks the holders of a state to yield, because the state has been turned off.
    pub(super) fn ask_state_holders(&mut self, graph: &Graph, name: &str) -> Vec<FollowUp> {
        let serial = self.serial();
        let held = self.held.iter().enumerate();
        let way: Vec<usize> = held.filter(|(_, h)| *h.name == *name).map(|(i, _)| i).collect();
        let asks = |holder| FollowUp::Demand(Box::new(Demand { holder, serial, asker: "the robot".into() }));
        self.holders(graph, &way, serial).into_iter().map(asks).collect()
    }

    /// The resources that a box holds because it was started.
    fn started_with(&self, id: BoxId) -> ResourceNames {
        let owner = Owner::Box(id);
        self.held.iter().filter(|h| h.owner == owner && h.terms == STARTED).map(|h| h.name.clone()).collect()
    }

    /// Queues a paused box behind the request that has paused it. Then its timeline plays on if it has played before.
    fn wait_for_pause_end(&mut self, id: BoxId, names: ResourceNames, (after, plays): (u32, bool), cause: Cause) {
        let (serial, owner, optional) = (self.serial(), Owner::Box(id), ResourceNames::default());
        let who = Who::Paused { after, plays };
        self.queue.push(Waiter { serial, who, owner, names, optional, terms: STARTED, cause });
    }
}

impl Engine {
    /// Asks the holders that are in the way of a waiter. No holder yields in vain: while one of them keeps its
    /// resource, the others are not asked; holders whose scripts decide are asked before those that stop or pause.
    pub(super) fn ask_holders(&mut self, serial: u32) {
        let Some(waiter) = self.resources.waiter(serial) else { return };
        let asks_nobody = matches!(waiter.who, Who::Free(..) | Who::Paused { .. });
        if asks_nobody || self.resources.tree.bar(&waiter.names).is_some() || self.graph.is_leaving(&waiter.owner) {
            return;
        }
        let asker = self.runners.owner_shown(&self.cx, &self.graph, &waiter.owner);
        let way = self.resources.in_the_way(&self.graph, &self.behaviors, &self.runners, &waiter.owner, &waiter.names);
        let holders = self.resources.holders(&self.graph, &way, serial);
        if holders.iter().any(|h| h.reaction == Reaction::Never) {
            return;
        }
        let undecided = holders.iter().any(|h| matches!(h.reaction, Reaction::Perhaps(_)));
        for holder in holders {
            // The reaction of the previous holder may have changed everything. An endless round of requests ends the
            // run.
            if self.resources.waiter(serial).is_none_or(|waiter| self.graph.is_leaving(&waiter.owner)) {
                break;
            }
            if !holder.asked && (!undecided || matches!(holder.reaction, Reaction::Perhaps(_))) {
                let asker = asker.clone();
                self.aside(|engine| engine.demand(Demand { holder, serial, asker }));
            }
        }
    }

    /// Makes a holder react to a request.
    pub(crate) fn demand(&mut self, demand: Demand) {
        let Demand { holder: Holder { owner, name, reaction, .. }, serial, asker } = &demand;
        for held in self.resources.held.iter_mut().filter(|h| h.owner == *owner) {
            held.asked.push(*serial);
        }
        let say = |engine: &mut Self, what| {
            let others = vec![asker.clone()];
            let (path, event) = engine.runners.claim_event(&engine.graph, owner, what, name.clone(), others);
            engine.cx.trace(path, event);
        };
        match (reaction, owner) {
            (Reaction::Stops, Owner::Box(id)) => {
                let node = &mut self.graph.boxes[id.index()];
                match node.life.phase() {
                    // The box releases its resources anyway when it has stopped, unless a start waits for that.
                    Phase::Stopping => {
                        node.stops += 1;
                        let _ = node.life.stop();
                    }
                    Phase::Leaving | Phase::Out => {}
                    _ => {
                        say(self, ResourcePhase::Lost);
                        let stop = self.graph.box_step(*id, Step::Yield, 0, Value::Null);
                        self.spawn(stop);
                    }
                }
            }
            (Reaction::Pauses, Owner::Box(id)) => {
                say(self, ResourcePhase::Paused);
                // The timeline and the motion pause where they are; the box releases its resources and waits for them.
                let names = self.resources.started_with(*id);
                let plays = self.graph.timeline(*id).is_some_and(TimelineRun::playing);
                let next = self.stops.pause_timeline(&mut self.resources, *id);
                self.follow_up(next);
                self.follow_up(plays.then_some(FollowUp::PauseDrivenMachine(*id)));
                self.resources.wait_for_pause_end(*id, names, (*serial, plays), self.cx.cause());
                self.release_claims(owner, &Freed::Started);
            }
            (Reaction::Perhaps(method), _) => {
                say(self, ResourcePhase::Asked);
                match owner {
                    // Two scripts that call each other again and again at one instant are a livelock.
                    Owner::Box(id) if self.count_signal(self.graph.path_of(*id), true) => {
                        self.tasks.call_holder(&mut self.cx, &self.graph, *id, method, name);
                    }
                    Owner::Box(_) | Owner::Behavior { .. } => {}
                    Owner::Other(module) => {
                        let Some(&callback) = self.calls.modules.get(module) else { return };
                        let args = [method, name, module].map(|text| Value::Str(text.clone()));
                        self.deliver(Kept::of_no_box(callback), args.into(), "callback");
                    }
                }
            }
            _ => {}
        }
    }
}

impl Tasks {
    /// Calls the method that a box has registered for requests of a resource that it holds.
    fn call_holder(&mut self, cx: &mut Context, graph: &Graph, id: BoxId, method: &Arc<str>, name: &Arc<str>) {
        let resource = Value::Str(name.clone());
        if &**method == "onResource" {
            self.call_hook(cx, graph, id, method.clone().into(), Args::Hook(resource), None);
        } else {
            let me = Value::Str(graph.full_name(&cx.paths, id));
            self.call_method(cx, graph, id, method.clone(), Args::UpTo(vec![resource, me]));
        }
    }
}

/// Returns how a box reacts to requests by the mode of its resources. The first resource's mode counts, because all are
/// one group.
fn mode(node: &BoxNode) -> Reaction {
    match node.kind.resources.first().map(|need| need.mode) {
        Some(ResourceMode::StopOnDemand) => Reaction::Stops,
        // Without a moving cursor there is nothing to pause.
        Some(ResourceMode::PauseOnDemand) if node.inside.as_ref().is_some_and(|i| i.timeline.clocked) => {
            Reaction::Pauses
        }
        Some(ResourceMode::CallbackOnDemand) if node.hooks.on_resource => Reaction::Perhaps("onResource".into()),
        _ => Reaction::Never,
    }
}
