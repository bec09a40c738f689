//! Holders and waiters: a group of resources is taken as a whole, and waiters are served in the order of their
//! requests.

use super::tree::Bar;
use super::{Claim, Held, OnDemand, Owner, Reply, ResourceNames, Resources, STARTED, Terms, Until, Waiter, Who};
use crate::Engine;
use crate::behaviors::Behaviors;
use crate::calls::Calls;
use crate::clock::Alarm;
use crate::context::{Acts, Cause, Context};
use crate::follow_up::FollowUp;
use crate::graph::Graph;
use crate::ids::{BoxId, ProcId};
use crate::protocol::{Args, CallId};
use crate::runner::host::Runners;
use crate::services::ServiceError;
use crate::tasks::Tasks;
use crate::trace::{BoxPhase, Kind, ResourcePhase};
use boxstep_types::{Time, Value};
use std::sync::Arc;

/// A request for a group of resources.
#[derive(Clone)]
pub(crate) struct ClaimRequest {
    pub(super) who: Who,
    pub(super) owner: Owner,
    pub(super) names: ResourceNames,
    pub(super) optional: ResourceNames,
    pub(super) terms: Terms,
}

impl Graph {
    /// Returns whether the owner's box is being unloaded, with what it is part of. Such a waiter gets no resources, and
    /// holders do not yield to it, because it will not be there to use them.
    pub(super) fn is_leaving(&self, owner: &Owner) -> bool {
        let Owner::Box(id) = owner else { return false };
        self.ancestors(*id).any(|b| {
            let node = &self.boxes[b.index()];
            node.life.leaving() || node.home.is_some_and(|d| !self.diagrams[d.index()].active())
        })
    }

    /// Handles that a box did not get its resources: calls `onResourceError`. If the box has no such method, returns the
    /// onStopped output, which is to be stimulated.
    pub(crate) fn resource_refused(&mut self, cx: &mut Context, tasks: &mut Tasks, id: BoxId) -> Option<u16> {
        let node = &mut self.boxes[id.index()];
        let (path, error_hook, stopped) = (node.path, node.hooks.on_resource_error, node.first_stopped());
        if node.life.stop().is_ok() && node.life.stopped().is_ok() {
            cx.note(path, Kind::Box { phase: BoxPhase::Stopped });
        }
        if error_hook {
            tasks.call_hook(cx, self, id, "onResourceError".into(), Args::Hook(Value::Null), None);
            return None;
        }
        stopped.map(|output| output as u16)
    }
}

impl Resources {
    /// The waiters are sorted by their serial numbers, that is, by the order of their requests.
    pub(super) fn waiter(&self, serial: u32) -> Option<&Waiter> {
        self.queue.get(self.position(serial)?)
    }

    pub(super) fn remove_waiter(&mut self, serial: u32) -> Option<Waiter> {
        let at = self.position(serial)?;
        Some(self.queue.remove(at))
    }

    /// Returns the answer to a script's call that has requested resources.
    pub(crate) fn answer(&self, ask: &ClaimRequest, reply: Reply, granted: bool) -> Result<Value, ServiceError> {
        self.reply(reply, &ask.owner, &ask.names, &ask.optional, granted)
    }

    /// Returns the answer to a script's call.
    fn reply(
        &self,
        reply: Reply,
        owner: &Owner,
        names: &[Arc<str>],
        optional: &[Arc<str>],
        granted: bool,
    ) -> Result<Value, ServiceError> {
        match (reply, granted) {
            (Reply::Flag, granted) => Ok(granted.into()),
            (Reply::Nothing, true) => Ok(Value::Null),
            (Reply::Optional, true) => Ok(Value::list(self.held_names(owner, optional).into_iter().map(Value::Str))),
            (_, false) => Err(ServiceError::Failed(format!("{} could not be acquired", names.join(", ")))),
        }
    }

    /// Returns those of the names that the owner holds.
    pub(super) fn held_names(&self, owner: &Owner, names: &[Arc<str>]) -> Vec<Arc<str>> {
        let held = |name: &Arc<str>| self.held.iter().any(|h| h.owner == *owner && h.name == *name);
        names.iter().filter(|name| held(name)).cloned().collect()
    }

    /// Returns the resources of a box and its timeout in seconds: those of the file, or those that its script has set.
    pub(super) fn needs(&self, graph: &Graph, id: BoxId) -> (ResourceNames, f64) {
        if let Some((names, timeout)) = self.own.get(&id) {
            return (names.clone(), *timeout);
        }
        let node = &graph.boxes[id.index()];
        (node.kind.resources.iter().map(|r| r.name.clone()).collect(), node.kind.resource_timeout)
    }

    fn warn_of_bar(&self, cx: &mut Context, graph: &Graph, id: BoxId, names: &[Arc<str>]) {
        let text = match self.tree.bar(names) {
            Some(Bar::Unknown(name)) => format!("no robot has the resource \"{name}\": the box cannot have it"),
            Some(Bar::Both(one, other)) => {
                format!("a robot is never \"{one}\" and \"{other}\" at once: the box cannot have them")
            }
            Some(Bar::Off(_)) | None => return,
        };
        let path = graph.path_of(id);
        cx.warn(path, text);
    }

    pub(super) fn hold(
        &mut self,
        cx: &mut Context,
        graph: &Graph,
        runners: &Runners,
        owner: &Owner,
        names: &[Arc<str>],
        terms: &Terms,
    ) {
        for name in names {
            let mine = |h: &&mut Held| h.owner == *owner && h.name == *name;
            let same = |h: &&mut Held| h.terms.until == terms.until;
            let had = self.held.iter_mut().any(|h| mine(&h));
            match self.held.iter_mut().filter(mine).find(same) {
                Some(held) => held.terms = terms.clone(),
                None => {
                    let held =
                        Held { name: name.clone(), owner: owner.clone(), terms: terms.clone(), asked: Vec::new() };
                    self.held.push(held);
                }
            }
            if !had {
                let taken = ResourcePhase::Taken;
                let (path, event) = runners.claim_event(graph, owner, taken, name.clone(), Vec::new());
                cx.note(path, event);
            }
        }
    }

    /// Describes which owners wait for which resources, for a run that ends waiting.
    pub(crate) fn awaited_resources(&self, cx: &Context, graph: &Graph, runners: &Runners) -> Vec<String> {
        let line = self.queue.iter().filter(|w| !matches!(w.who, Who::Paused { .. }));
        line.map(|w| {
            let names: Vec<&str> = w.names.iter().map(|n| &**n).collect();
            format!("{} for {}", names.join(", "), runners.owner_shown(cx, graph, &w.owner))
        })
        .collect()
    }
}

impl Resources {
    /// Takes a waiter out of the queue and gives it its resources, if all of them are free. `fresh`: the request was
    /// made just now.
    fn take(
        &mut self,
        cx: &mut Context,
        graph: &Graph,
        behaviors: &Behaviors,
        runners: &Runners,
        serial: u32,
        fresh: bool,
    ) -> Option<Waiter> {
        let waiter = self.waiter(serial)?;
        if !fresh && graph.is_leaving(&waiter.owner) {
            return None;
        }
        if matches!(waiter.who, Who::Paused { after, .. } if self.waiting(after)) {
            return None;
        }
        let is_free = |of: &Self, owner: &Owner, names: &ResourceNames| {
            of.tree.bar(names).is_none() && of.in_the_way(graph, behaviors, runners, owner, names).is_empty()
        };
        if !is_free(self, &waiter.owner, &waiter.names) {
            return None;
        }
        let waiter = self.remove_waiter(serial)?;
        if matches!(waiter.who, Who::Free(..)) {
            if let (false, Some(name)) = (fresh, waiter.names.first()) {
                let free = ResourcePhase::Free;
                let (path, event) = runners.claim_event(graph, &waiter.owner, free, name.clone(), Vec::new());
                cx.note(path, event);
            }
        } else {
            self.hold(cx, graph, runners, &waiter.owner, &waiter.names, &waiter.terms);
            for name in waiter.optional.iter() {
                let alone: ResourceNames = [name.clone()].into();
                if is_free(self, &waiter.owner, &alone) {
                    self.hold(cx, graph, runners, &waiter.owner, &alone, &waiter.terms);
                }
            }
        }
        Some(waiter)
    }

    /// Ends the pause of a box that has its resources again. Returns whether its timeline plays on; `None` if the box
    /// is not paused.
    fn end_pause(&mut self, id: BoxId) -> Option<bool> {
        let paused = |w: &&Waiter| w.owner == Owner::Box(id) && matches!(w.who, Who::Paused { .. });
        let serial = self.queue.iter().find(paused).map(|w| w.serial)?;
        match self.remove_waiter(serial)?.who {
            Who::Paused { plays, .. } => Some(plays),
            _ => None,
        }
    }

    /// Returns whether a waiter that has left the queue without its resources lets a paused box continue, so that the
    /// queue must be served. The other waiters wait for holders, so nothing changes for them; checking all of them each
    /// time would take quadratic time where thousands of starts wait.
    pub(crate) fn lets_continue(&self, serial: u32) -> bool {
        self.queue.iter().any(|w| matches!(w.who, Who::Paused { after, .. } if after == serial))
    }

    /// The request of a box that is being started, with its timeout in seconds. `None` if the box needs no resources.
    pub(crate) fn start_request(
        &self,
        cx: &mut Context,
        graph: &Graph,
        proc: ProcId,
        id: BoxId,
    ) -> Option<(ClaimRequest, f64)> {
        if graph.boxes[id.index()].kind.resources.is_empty() && !self.own.contains_key(&id) {
            return None;
        }
        let (names, timeout) = self.needs(graph, id);
        if names.is_empty() {
            return None;
        }
        self.warn_of_bar(cx, graph, id, &names);
        let (owner, optional) = (Owner::Box(id), ResourceNames::default());
        Some((ClaimRequest { who: Who::Start(proc), owner, names, optional, terms: STARTED }, timeout))
    }

    /// The request of a call, by its serial number.
    pub(crate) fn request_of_call(&self, call: CallId) -> Option<u32> {
        let of = |w: &&Waiter| matches!(w.who, Who::Script(c, _) | Who::Free(c, _) if c == call);
        self.queue.iter().find(of).map(|w| w.serial)
    }

    /// The number of the trace event that says that a waiter waits.
    pub(crate) fn cause_of_wait(&self, serial: u32) -> Option<Cause> {
        self.waiter(serial).map(|w| w.cause)
    }

    /// The result of a request for its waiter.
    fn report(&self, waiter: &Waiter, granted: bool) -> Option<FollowUp> {
        match waiter.who {
            Who::Start(proc) => Some(FollowUp::AnswerStart(proc, granted)),
            Who::Script(call, reply) | Who::Free(call, reply) => {
                let answer = self.reply(reply, &waiter.owner, &waiter.names, &waiter.optional, granted);
                Some(FollowUp::CompleteCall(call, answer))
            }
            Who::Paused { .. } => None,
        }
    }

    /// Gives a waiter its resources, if all of them are free, and returns what follows. `fresh`: the request was made
    /// just now, and the caller reports the result.
    fn grant(
        &mut self,
        cx: &mut Context,
        graph: &mut Graph,
        behaviors: &Behaviors,
        runners: &Runners,
        serial: u32,
        fresh: bool,
    ) -> Option<Vec<FollowUp>> {
        let waiter = self.take(cx, graph, behaviors, runners, serial, fresh)?;
        let mut next = Vec::new();
        if let Owner::Box(id) = waiter.owner {
            let plays = match waiter.who {
                Who::Paused { plays, .. } => Some(plays),
                // A paused box that is started again holds all its resources again.
                Who::Start(_) => self.end_pause(id),
                Who::Script(..) | Who::Free(..) => None,
            };
            if let Some(plays) = plays {
                next = graph.play_on(cx, self, id, plays);
            }
        }
        next.extend(self.report(&waiter, true).filter(|_| !fresh));
        Some(next)
    }

    /// Takes a waiter out of the queue, because its request is refused or its owner has dropped it. Returns its result.
    pub(crate) fn withdraw(
        &mut self,
        cx: &mut Context,
        graph: &Graph,
        others: (&Behaviors, &Runners),
        calls: &Calls,
        robot_is_real: bool,
        (serial, what): (u32, ResourcePhase),
    ) -> Option<FollowUp> {
        self.note_waiter(cx, graph, others.0, others.1, serial, what);
        if what == ResourcePhase::Refused && robot_is_real {
            self.warn_of_calls(cx, graph, others, calls, serial);
        }
        let waiter = self.remove_waiter(serial)?;
        self.report(&waiter, false)
    }

    /// At the end of the run, withdraws the requests of owners that are not boxes.
    pub(crate) fn withdraw_others(
        &mut self,
        cx: &mut Context,
        graph: &Graph,
        behaviors: &Behaviors,
        runners: &Runners,
    ) {
        let other = |w: &&Waiter| matches!(w.owner, Owner::Other(_));
        while let Some(serial) = self.queue.iter().find(other).map(|w| w.serial) {
            self.note_waiter(cx, graph, behaviors, runners, serial, ResourcePhase::Dropped);
            self.remove_waiter(serial);
        }
    }

    /// A holder that is not a box.
    pub(crate) fn other_holder(&self) -> Option<Owner> {
        self.held.iter().map(|h| &h.owner).find(|o| matches!(o, Owner::Other(_))).cloned()
    }
}

impl Engine {
    // ---- asking --------------------------------------------------------------------------------

    /// Takes a group if no holder is in the way; otherwise asks the holders to yield; otherwise waits in the queue.
    /// `timeout` is in seconds; 0 does not wait, and a negative one waits forever.
    pub(crate) fn request_resources(&mut self, ask: ClaimRequest, timeout: f64) -> Claim {
        let ClaimRequest { who, owner, names, optional, terms } = ask;
        if let Owner::Box(id) = owner {
            self.resources.users.insert(id);
        }
        let serial = self.resources.serial();
        let waiter = Waiter { serial, who, owner, names, optional, terms, cause: self.cx.cause() };
        // The waiter is queued before the holders are asked, because released resources go to the first waiter.
        self.resources.queue.push(waiter);
        let Engine { cx, graph, behaviors, runners, resources, .. } = &mut *self;
        if let Some(next) = resources.grant(cx, graph, behaviors, runners, serial, true) {
            self.follow_up(next);
            return Claim::Granted;
        }
        self.ask_holders(serial);
        // The request was granted if the holders have yielded and the waiter was first.
        if !self.resources.waiting(serial) {
            return Claim::Granted;
        }
        if timeout == 0.0 {
            self.follow_up([FollowUp::Withdraw(serial, ResourcePhase::Refused, false), FollowUp::ServeBehind(serial)]);
            return Claim::Refused;
        }
        self.resources.note_waiter(
            &mut self.cx,
            &self.graph,
            &self.behaviors,
            &self.runners,
            serial,
            ResourcePhase::Waiting,
        );
        if let Some(waiter) = self.resources.queue.iter_mut().find(|w| w.serial == serial) {
            waiter.cause = self.cx.cause();
        }
        if timeout > 0.0 {
            self.cx.alarm(self.cx.now() + Time::from_secs_f64(timeout), Alarm::Resource(serial));
        }
        Claim::Wait
    }

    // ---- the line ------------------------------------------------------------------------------

    /// Grants free resources to waiters, in order. A waiter that still misses some asks the current holders.
    pub(crate) fn serve(&mut self) {
        if std::mem::replace(&mut self.resources.serving, true) {
            self.resources.again = true;
            return;
        }
        loop {
            self.resources.again = false;
            let line: Vec<u32> = self.resources.queue.iter().map(|w| w.serial).collect();
            for serial in line {
                self.aside(|engine| {
                    let Engine { cx, graph, behaviors, runners, resources, .. } = &mut *engine;
                    match resources.grant(cx, graph, behaviors, runners, serial, false) {
                        Some(next) => engine.follow_up(next),
                        None => engine.ask_holders(serial),
                    }
                });
                // A holder has yielded at once: the queue is served again from the first waiter.
                if self.resources.again {
                    break;
                }
            }
            if !self.resources.again {
                break;
            }
        }
        self.resources.serving = false;
    }
}

impl Resources {
    /// Records whether the timeline of a paused box plays when the pause is over. Returns false if the box is not
    /// paused.
    pub(crate) fn hold_play(&mut self, id: BoxId, playing: bool) -> bool {
        let paused = |w: &&mut Waiter| w.owner == Owner::Box(id) && matches!(w.who, Who::Paused { .. });
        match self.queue.iter_mut().find(paused).map(|w| &mut w.who) {
            Some(Who::Paused { plays, .. }) => {
                *plays = playing;
                true
            }
            _ => false,
        }
    }

    /// Returns whether the timeline of this box is paused because another owner wants its resources.
    pub(crate) fn paused(&self, id: BoxId) -> bool {
        self.queue.iter().any(|w| w.owner == Owner::Box(id) && matches!(w.who, Who::Paused { .. }))
    }

    /// Returns how a box's script holds a resource: on demand, this method of the script is called; if the name is
    /// empty, none is.
    pub(super) fn terms(until: Until, callback: &Arc<str>) -> Terms {
        let on_demand = if callback.is_empty() { OnDemand::Keep } else { OnDemand::Call(callback.clone()) };
        Terms { until, on_demand }
    }

    /// Returns whether each of the two owners may use what the other holds.
    pub(super) fn related(
        &self,
        graph: &Graph,
        behaviors: &Behaviors,
        runners: &Runners,
        a: &Owner,
        b: &Owner,
    ) -> bool {
        match (a, b) {
            (Owner::Box(a), Owner::Box(b)) => {
                graph.ancestors(*a).any(|x| x == *b) || graph.ancestors(*b).any(|x| x == *a)
            }
            // Within a runner, the runner itself decides which behavior holds what.
            (Owner::Behavior { runner: a, .. }, Owner::Behavior { runner: b, .. }) => a == b,
            (Owner::Behavior { runner, of }, Owner::Box(id)) | (Owner::Box(id), Owner::Behavior { runner, of }) => {
                behaviors
                    .leaf_of(graph, *id)
                    .is_some_and(|(by, leaf)| by == *runner && runners.behavior_leads_to(*runner, *of, leaf))
            }
            _ => a == b,
        }
    }

    /// Returns the indices in `held` of the claims that prevent an owner from taking a group.
    pub(super) fn in_the_way(
        &self,
        graph: &Graph,
        behaviors: &Behaviors,
        runners: &Runners,
        owner: &Owner,
        names: &[Arc<str>],
    ) -> Vec<usize> {
        let tree = &self.tree;
        let wanted = |h: &Held| names.iter().any(|name| tree.overlap(name, &h.name));
        let held = self.held.iter().enumerate();
        held.filter(|(_, h)| wanted(h) && !self.related(graph, behaviors, runners, owner, &h.owner))
            .map(|(i, _)| i)
            .collect()
    }
}
