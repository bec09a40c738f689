//! The requests of behaviors, and their answers.

use super::{BehaviorId, BehaviorRunner, Control, End, Hook, Refusal, Runner, Ticket, Tickets, Wants, What, WhyNot};
use crate::lifecycle::Phase;
use boxstep_trace::Request;
use boxstep_types::{Time, Value};
use std::sync::Arc;

impl Control<'_> {
    /// The behavior whose hook is being called.
    pub fn id(&self) -> BehaviorId {
        BehaviorId(self.me)
    }

    /// The name of the behavior.
    pub fn name(&self) -> &str {
        self.runner.name(self.id())
    }

    /// The hook that is being called.
    pub fn hook(&self) -> Hook {
        self.hook
    }

    /// The runner, for queries such as names and active behaviors.
    pub fn runner(&self) -> &Runner {
        self.runner
    }

    /// The delegates that the behavior has declared, in that order.
    pub fn delegates(&self) -> &[BehaviorId] {
        self.runner.state.graph.of(self.me)
    }

    /// The behavior with this name.
    pub fn find(&self, name: &str) -> Option<BehaviorId> {
        self.runner.find(name)
    }

    /// The time, which does not change during a tick.
    pub fn now(&self) -> Time {
        self.runner.now
    }

    /// The number of the tick, from 1; 0 before the first.
    pub fn tick(&self) -> u64 {
        self.runner.state.tick
    }

    /// A random number in 0…1, excluding 1. Runs with the same seed get the same numbers.
    pub fn random(&mut self) -> f64 {
        self.runner.random.unit()
    }

    /// Returns whether the behavior is active: it has control, or has delegated it.
    #[inline]
    pub fn is_active(&self) -> bool {
        self.active
    }

    /// Returns whether the behavior is in scope.
    pub fn is_in_scope(&self) -> bool {
        self.runner.state.life(self.me).in_scope()
    }

    /// In `wants_to_be_activated`: returns whether the behavior was delegated to, said yes then, and had to wait until
    /// others had wound down. The reason for which it wanted to run may have passed meanwhile (an event), so it may
    /// keep its yes; a no makes the delegation fail.
    pub fn has_waited(&self) -> bool {
        self.runner.state.nodes[self.me as usize].waited
    }

    /// Completes the delegation: the behavior is deactivated, with all its delegates, as soon as this hook has
    /// returned, and the delegating behavior is notified of the value. Until then every further request is refused.
    ///
    /// # Errors
    /// As [`BehaviorRunner::cancel_self`].
    pub fn complete(&mut self, value: Value) -> Result<(), Refusal> {
        self.end(Request::Complete, End::Done(value))
    }

    /// Fails the delegation for this reason. Otherwise like [`Control::complete`].
    ///
    /// # Errors
    /// As [`BehaviorRunner::cancel_self`].
    pub fn fail(&mut self, why: impl Into<Arc<str>>) -> Result<(), Refusal> {
        self.end(Request::Fail, End::Failed(why.into()))
    }

    /// [`Runner::fingerprint`]
    #[doc(hidden)]
    pub fn fingerprint(&self) -> String {
        self.runner.fingerprint()
    }

    fn end(&mut self, request: Request, end: End) -> Result<(), Refusal> {
        let answer = self.runner.may_act(self.me, self.hook);
        match answer {
            Ok(()) => self.runner.begin_end(self.me, end),
            Err(why) => self.refused(request, None, why),
        }
        answer
    }

    /// Refuses a request that names a behavior which does not exist.
    pub fn unknown(&mut self, request: Request) -> Refusal {
        let why = self.runner.may_act(self.me, self.hook).err().unwrap_or(Refusal::NotDeclared);
        self.refused(request, None, why);
        why
    }

    fn refused(&mut self, request: Request, to: Option<BehaviorId>, why: Refusal) {
        self.runner.note(self.me, || What::Refused(request, to, why));
    }
}

impl BehaviorRunner for Control<'_> {
    fn ask(&mut self, delegate: BehaviorId) -> Result<Wants, Refusal> {
        let answer = self.runner.ask(self.me, self.hook, delegate);
        if let Err(why) = answer {
            self.refused(Request::Ask, Some(delegate), why);
        }
        answer
    }

    fn delegate(&mut self, to: &[BehaviorId], value: Value) -> Result<Tickets, Refusal> {
        match self.runner.may_delegate(self.me, self.hook, to) {
            Ok(()) => Ok(self.runner.delegate(self.me, to, value)),
            Err((to, why)) => {
                self.refused(Request::Delegate, to, why);
                Err(why)
            }
        }
    }

    fn cancel_delegates(&mut self) -> Result<usize, Refusal> {
        match self.runner.may_act(self.me, self.hook) {
            Ok(()) => Ok(self.runner.cancel_delegates(self.me)),
            Err(why) => {
                self.refused(Request::CancelDelegates, None, why);
                Err(why)
            }
        }
    }

    fn cancel_self(&mut self) -> Result<(), Refusal> {
        self.end(Request::CancelSelf, End::Cancelled(super::By::Itself))
    }

    fn is_control_delegated(&self) -> bool {
        self.is_active() && self.runner.state.delegated(self.me)
    }

    fn can_delegate(&self) -> bool {
        self.runner.may_act(self.me, self.hook).is_ok() && !self.runner.state.delegated(self.me)
    }
}

impl Runner {
    /// Checks whether a behavior may make requests from one of its hooks.
    pub(super) fn may_act(&self, me: u32, hook: Hook) -> Result<(), Refusal> {
        if hook == Hook::Wants {
            return Err(Refusal::Asking);
        }
        let node = &self.state.nodes[me as usize];
        match node.life.phase() {
            _ if node.ending => Err(Refusal::Deactivating),
            Phase::Stopping | Phase::Leaving => Err(Refusal::Deactivating),
            Phase::Out | Phase::Entering | Phase::InScope => Err(Refusal::NotActive),
            // The hooks that only report progress must not make decisions.
            Phase::Activating | Phase::Active if hook == Hook::Settled => Err(Refusal::NotActive),
            Phase::Activating | Phase::Active if self.walking => Err(Refusal::Walking),
            Phase::Activating | Phase::Active => Ok(()),
        }
    }

    pub(super) fn ask(&mut self, me: u32, hook: Hook, of: BehaviorId) -> Result<Wants, Refusal> {
        self.may_act(me, hook).map_err(|why| self.refusal_in_a_walk(me, &[of], why))?;
        let edge = self.state.graph.edge(me, of).ok_or(Refusal::NotDeclared)?;
        let wants = self.wants(me, of.0);
        self.state.asked[edge as usize] = self.state.tick << 1 | u64::from(wants == Wants::Yes);
        Ok(wants)
    }

    /// Asks a behavior whether it wants to take over from another one.
    pub(super) fn wants(&mut self, from: u32, of: u32) -> Wants {
        let node = &self.state.nodes[of as usize];
        if node.life.started() || node.waits {
            return Wants::No(WhyNot::AlreadyActive);
        }
        if !node.life.in_scope() {
            return Wants::No(WhyNot::Loading);
        }
        // The requesting behavior can first take back what its own delegates hold.
        if let Some(lock) =
            self.taken(of, |holder| self.state.leads_to(holder, from) || self.state.leads_to(from, holder))
        {
            return Wants::No(WhyNot::Taken(lock));
        }
        match self.call(of, Hook::Wants, |b, cx| b.wants_to_be_activated(cx)) {
            Some(true) => Wants::Yes,
            _ => Wants::No(WhyNot::SaysNo),
        }
    }

    /// A resource that a behavior needs, and that another one holds and does not share with it. Behaviors that are
    /// winding down do not count: the delegation waits for them.
    fn taken(&self, of: u32, leaves_it: impl Fn(u32) -> bool) -> Option<u32> {
        let keeps = |who: Option<u32>| who.is_none_or(|who| !leaves_it(who) && !self.state.winds_down(who));
        self.locks.of(of).iter().copied().find(|lock| self.users(*lock).any(keeps))
    }

    /// Checks a delegation. Returns the first delegate that is not allowed, with the reason.
    pub(super) fn may_delegate(
        &self,
        me: u32,
        hook: Hook,
        to: &[BehaviorId],
    ) -> Result<(), (Option<BehaviorId>, Refusal)> {
        self.may_act(me, hook).map_err(|why| (None, self.refusal_in_a_walk(me, to, why)))?;
        if self.state.delegated(me) {
            return Err((None, Refusal::NotInControl));
        }
        if to.is_empty() {
            return Err((None, Refusal::Nobody));
        }
        for (at, id) in to.iter().enumerate() {
            self.may_have(me, *id, &to[..at]).map_err(|why| (Some(*id), why))?;
        }
        Ok(())
    }

    /// A walk refuses every request, but reports requests that would always be refused.
    fn refusal_in_a_walk(&self, me: u32, to: &[BehaviorId], why: Refusal) -> Refusal {
        let declared = |id: &BehaviorId| self.state.graph.edge(me, *id).is_some();
        if why == Refusal::Walking && !to.iter().all(declared) { Refusal::NotDeclared } else { why }
    }

    fn may_have(&self, me: u32, id: BehaviorId, others: &[BehaviorId]) -> Result<(), Refusal> {
        let edge = self.state.graph.edge(me, id).ok_or(Refusal::NotDeclared)?;
        let node = &self.state.nodes[id.index()];
        if node.life.started() || node.waits || others.contains(&id) {
            return Err(Refusal::AlreadyActive);
        }
        match self.state.asked[edge as usize] {
            asked if asked >> 1 != self.state.tick || asked == 0 => return Err(Refusal::NotAsked),
            asked if asked & 1 == 0 => return Err(Refusal::SaidNo),
            _ => {}
        }
        let locks = self.locks.of(id.0);
        let lacks = |lock: &u32| locks.iter().any(|mine| mine == lock || self.host_resources.overlap(*mine, *lock));
        let contended = |other: &BehaviorId| self.locks.of(other.0).iter().any(lacks);
        if self.taken(id.0, |holder| self.state.leads_to(holder, me)).is_some() || others.iter().any(contended) {
            return Err(Refusal::Taken);
        }
        Ok(())
    }

    /// Delegates to behaviors that have been checked.
    fn delegate(&mut self, me: u32, to: &[BehaviorId], value: Value) -> Tickets {
        let tickets = Tickets { first: self.state.tickets + 1, count: to.len() as u32 };
        self.state.tickets += to.len() as u64;
        let before = self.note_cause(me, || What::Delegated(to.into(), tickets.first()));
        for id in to {
            if let Some(edge) = self.state.graph.edge(me, *id) {
                self.state.asked[edge as usize] = 0;
            }
        }
        if let &[one] = to {
            self.start(me, &[(one.0, tickets.first)], &value);
        } else {
            // Delegates start in the order of declaration; tickets are in that of the request.
            let mut all: Vec<(u32, u64)> = to.iter().map(|id| id.0).zip(tickets.first..).collect();
            all.sort_by_key(|(id, _)| self.state.graph.edge(me, BehaviorId(*id)));
            self.start(me, &all, &value);
        }
        self.events.cause = before;
        tickets
    }

    /// Ends a behavior by its own request: it is deactivated when the call has returned.
    fn begin_end(&mut self, me: u32, end: End) {
        self.state.version += 1;
        self.state.node(me).ending = true;
        self.state.endings.push((me, end));
    }

    /// Returns whether this delegation is under way: active, waiting, or about to end.
    pub fn runs(&self, ticket: Ticket) -> bool {
        let active = |of: u32| self.state.nodes[of as usize].ticket == ticket.0;
        self.state.active().any(active) || self.state.waiting.iter().any(|w| w.ticket == ticket.0)
    }
}
