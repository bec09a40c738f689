//! Entering, starting, ending and leaving, in the order of the kernel's stages.
//!
//! A delegator starts inside first: its delegates enter scope, then it is notified. It stops inside first, too: its
//! delegates leave scope, then it is notified. Of behaviors that end together, the one farthest from the root goes
//! first.

use super::state::{NONE, Notice, Slow, SlowStep};
use super::{Behavior, By, Control, End, Hook, Runner, Ticket, What};
use crate::lifecycle::{Activated, Entered, Left, Phase, Policy, Stage, Step};
use boxstep_types::Value;

const POLICY: Policy = Policy::Delegator;

impl Runner {
    /// Calls a hook of a behavior. Returns `None` if a call of the behavior is under way: hooks never lead to one of a
    /// behavior nearer the root, so its hook has panicked, and another behavior could still call it.
    #[inline]
    pub(super) fn call<R>(
        &mut self,
        of: u32,
        hook: Hook,
        f: impl FnOnce(&mut dyn Behavior, &mut Control<'_>) -> R,
    ) -> Option<R> {
        let active = self.state.life(of).started();
        self.call_known(of, hook, active, f)
    }

    /// Like [`Self::call`], if it is known whether the behavior is active.
    #[inline]
    fn call_known<R>(
        &mut self,
        of: u32,
        hook: Hook,
        active: bool,
        f: impl FnOnce(&mut dyn Behavior, &mut Control<'_>) -> R,
    ) -> Option<R> {
        let mut behavior = self.behaviors[of as usize].take()?;
        let result = f(&mut *behavior, &mut Control { runner: self, me: of, hook, active });
        self.behaviors[of as usize] = Some(behavior);
        Some(result)
    }

    /// Updates a behavior in this tick.
    #[inline]
    pub(super) fn update(&mut self, of: u32, active: bool) {
        self.state.updated[of as usize] = self.state.tick;
        self.call_known(of, Hook::Update, active, |b, cx| b.update(cx));
    }

    /// Calls a hook in which a behavior may end itself, and ends it if it did.
    #[inline]
    pub(super) fn call_active(&mut self, of: u32, hook: Hook, f: impl FnOnce(&mut dyn Behavior, &mut Control<'_>)) {
        self.call(of, hook, f);
        if !self.state.endings.is_empty() {
            self.end_itself(of);
        }
    }

    /// Calls [`Behavior::hosted`] of all behaviors, before an engine runs the first tick.
    pub fn hosted(&mut self) {
        for of in 0..self.behaviors.len() as u32 {
            self.call(of, Hook::Init, |b, cx| b.hosted(cx));
        }
    }

    // ---- scope ---------------------------------------------------------------------------------

    /// Adds a parent that has the behavior in scope.
    pub(super) fn enter(&mut self, of: u32) {
        match self.state.node(of).life.enter() {
            Ok(Entered::Begin) => self.run_enter(of),
            Ok(Entered::Counted) => {}
            // The behavior is still leaving; it enters again after that.
            Err(_) => self.state.node(of).reentries += 1,
        }
    }

    pub(super) fn run_enter(&mut self, of: u32) {
        for stage in POLICY.stages(Step::Enter) {
            if *stage == Stage::Own && !self.is_action[of as usize] {
                self.call(of, Hook::EnteredScope, |b, cx| b.entered_scope(cx));
            }
        }
        if self.settled(of) {
            self.entered(of);
        } else {
            self.note(of, || What::Entering);
            self.state.slow.push(Slow { of, step: SlowStep::Enter, until: boxstep_types::Time::MAX });
        }
    }

    pub(super) fn entered(&mut self, of: u32) {
        if self.state.node(of).life.entered().is_ok() {
            self.note(of, || What::Entered);
        }
    }

    /// Removes a parent that has the behavior in scope.
    pub(super) fn leave(&mut self, of: u32) {
        let node = self.state.node(of);
        let was = node.life.phase();
        if was == Phase::Leaving {
            node.reentries = node.reentries.saturating_sub(1);
            return;
        }
        if node.life.leave() != Ok(Left::Begin) {
            return;
        }
        if was == Phase::Stopping && self.state.winds_down(of) {
            // The behavior leaves scope after it has wound down.
            return;
        }
        self.state.slow.retain(|s| s.of != of);
        self.run_leave(of);
    }

    pub(super) fn run_leave(&mut self, of: u32) {
        for stage in POLICY.stages(Step::Leave) {
            if *stage == Stage::Own && !self.is_action[of as usize] {
                self.call(of, Hook::LeftScope, |b, cx| b.left_scope(cx));
            }
        }
        if self.settled(of) {
            self.left(of);
        } else {
            self.note(of, || What::Leaving);
            self.begin_slow(of, SlowStep::Leave);
        }
    }

    pub(super) fn left(&mut self, of: u32) {
        if self.state.node(of).life.left().is_err() {
            return;
        }
        self.note(of, || What::Left);
        for _ in 0..std::mem::take(&mut self.state.node(of).reentries) {
            self.enter(of);
        }
    }

    // ---- start ---------------------------------------------------------------------------------

    /// Gives control to behaviors that may have it, side by side; or queues the delegation.
    pub(super) fn start(&mut self, parent: u32, all: &[(u32, u64)], value: &Value) {
        if self.must_wait(parent, all.iter().map(|(of, _)| *of)) {
            self.wait(parent, all, value);
            return;
        }
        // All behaviors are activated first, so that what one does in its hook cannot take from another what it needs.
        for &(of, ticket) in all {
            if self.state.node(of).life.activate() == Ok(Activated::Begin) {
                self.state.node(of).ticket = ticket;
                self.state.link(parent, of);
            }
        }
        for stage in POLICY.stages(Step::Activate) {
            match stage {
                Stage::Claim => all.iter().for_each(|(of, _)| self.claim(*of)),
                Stage::Own => all.iter().for_each(|(of, _)| self.activate_one(*of, value)),
                // The inside of each is started by `activate_one`, just before its hook is called.
                _ => {}
            }
        }
    }

    fn activate_one(&mut self, of: u32, value: &Value) {
        for edge in self.state.graph.edges(of) {
            // Answers from an earlier activation are not valid any more.
            self.state.asked[edge] = 0;
            self.enter(self.state.graph.targets[edge].0);
        }
        let ticket = self.state.nodes[of as usize].ticket;
        let before = self.note_cause(of, || What::Activated(Ticket(ticket)));
        self.call(of, Hook::Activated, |b, cx| b.activated(cx, value));
        // The behavior is still active: if it has ended itself in the hook, that is handled next.
        let _ = self.state.node(of).life.activated();
        if !self.state.endings.is_empty() {
            self.end_itself(of);
        }
        self.events.cause = before;
    }

    /// Claims the free resources of a behavior. It shares those that behaviors on its path hold.
    fn claim(&mut self, of: u32) {
        for at in self.locks.range(of) {
            let holder = &mut self.state.holders[self.locks.locks[at] as usize];
            if *holder == NONE {
                *holder = of;
            }
        }
    }

    pub(super) fn release(&mut self, of: u32) {
        for at in self.locks.range(of) {
            let holder = &mut self.state.holders[self.locks.locks[at] as usize];
            if *holder == of {
                *holder = NONE;
            }
        }
    }

    // ---- end -----------------------------------------------------------------------------------

    /// Ends a behavior after a call of it, if it has requested that there.
    pub(super) fn end_itself(&mut self, of: u32) {
        if !self.state.nodes[of as usize].ending {
            return;
        }
        // Calls nest, so the end requested by the last call is the last entry.
        if let Some((_, end)) = self.state.endings.pop_if(|(who, _)| *who == of) {
            self.end(of, end, By::Behavior(super::BehaviorId(of)));
        }
    }

    /// Ends an active behavior and all it has delegated to, leaf first. The delegates end by `by`.
    pub(super) fn end(&mut self, top: u32, end: End, by: By) {
        self.end_inside(top, by);
        let owner = self.state.nodes[top as usize].up;
        let itself = self.state.nodes[top as usize].ending;
        self.state.node(top).ending = false;
        let what = |ticket| What::Ended(ticket, end.clone());
        self.finish(top, if itself { Step::End } else { Step::Stop }, &end, owner, what);
    }

    /// Like [`Self::end`], for a behavior that is activated again under the same ticket.
    pub(super) fn end_to_restart(&mut self, top: u32) {
        self.end_inside(top, By::Behavior(super::BehaviorId(top)));
        let owner = self.state.nodes[top as usize].up;
        // Pending notices to the behavior are obsolete, because it starts afresh.
        self.state.notices.retain(|notice| notice.parent != top);
        self.finish(top, Step::Stop, &End::Cancelled(By::Reload), owner, What::Restarts);
    }

    /// Ends all active delegates of a behavior.
    fn end_inside(&mut self, top: u32, by: By) {
        let owner = self.state.nodes[top as usize].up;
        let mut at = top;
        loop {
            while self.state.nodes[at as usize].down != NONE {
                at = self.state.nodes[at as usize].down;
            }
            if at == top {
                break;
            }
            let parent = self.state.nodes[at as usize].up;
            let end = End::Cancelled(by);
            self.finish(at, Step::Stop, &end, owner, |ticket| What::Ended(ticket, end.clone()));
            at = parent;
        }
    }

    /// Ends a behavior that has no active delegates. The event is built only if events are recorded.
    fn finish(&mut self, of: u32, step: Step, end: &End, owner: u32, what: impl FnOnce(Ticket) -> What) {
        let node = self.state.node(of);
        let (parent, ticket) = (node.up, node.ticket);
        if node.life.stop().is_err() {
            return;
        }
        let before = self.note_cause(of, || what(Ticket(ticket)));
        let number = self.events.cause;
        if self.state.nodes[of as usize].waiting > 0 {
            self.forget_waiting(of, By::Behavior(super::BehaviorId(of)));
        }
        let mut settled = true;
        for stage in POLICY.stages(step) {
            match stage {
                Stage::Inside => {
                    for edge in self.state.graph.edges(of) {
                        self.leave(self.state.graph.targets[edge].0);
                    }
                }
                Stage::Own => {
                    self.call(of, Hook::Deactivated, |b, cx| b.deactivated(cx, end));
                    settled = self.settled(of);
                }
                Stage::Release if settled => self.release(of),
                Stage::Transmit => {
                    let activation = if parent == NONE { 0 } else { self.state.nodes[parent as usize].ticket };
                    self.state.notices.push_back(Notice {
                        parent,
                        of: activation,
                        child: of,
                        ticket,
                        end: end.clone(),
                        cause: number,
                    });
                }
                _ => {}
            }
        }
        self.state.unlink(of);
        self.pass_on_windings(of, owner);
        if settled {
            self.stopped(of);
        } else {
            self.note(of, || What::Stopping);
            *self.state.windings(owner) += 1;
            self.begin_slow(of, SlowStep::Stop(owner));
        }
        self.events.cause = before;
    }

    /// Handles the end of winding down.
    pub(super) fn stopped(&mut self, of: u32) {
        // Refused if the behavior must leave scope, too: that is handled next.
        let _ = self.state.node(of).life.stopped();
        self.note(of, || What::Deactivated);
    }

    /// Takes control back from all delegates of a behavior; returns how many there were.
    pub(super) fn cancel_delegates(&mut self, of: u32) -> usize {
        let by = By::Behavior(super::BehaviorId(of));
        let mut count = self.forget_waiting(of, by);
        // Notices of delegates that ended in this call are obsolete after a cancel.
        self.state.notices.retain(|n| n.parent != of);
        while self.state.nodes[of as usize].down != NONE {
            self.end(self.state.nodes[of as usize].down, End::Cancelled(by), by);
            count += 1;
        }
        count
    }

    /// Returns whether the behavior's work in the background is over.
    pub(super) fn settled(&mut self, of: u32) -> bool {
        self.is_action[of as usize] || self.call(of, Hook::Settled, |b, cx| b.settled(cx)).unwrap_or(true)
    }
}
