//! What enters, starts, ends and leaves, in the order of the kernel's stages.
//!
//! A delegator is started inside first: its delegates enter scope, then it is notified. It is stopped inside first, too: they
//! leave scope, then it is notified. Of those that end together the one farthest from the root goes first.

use super::state::{NONE, Notice, Slow, Taking};
use super::{Behavior, By, Control, End, Hook, Runner, Ticket, What};
use crate::lifecycle::{Activated, Entered, Left, Phase, Policy, Stage, Step};
use boxstep_types::Value;

const POLICY: Policy = Policy::Delegator;

impl Runner {
    /// Calls a hook of a behavior. `None` if a call of it is under way: no hook leads to one of a behavior nearer the
    /// root, so that is one whose hook has panicked, and others could be called from it.
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

    /// The same for one of which is known whether it is active.
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

    /// It has its turn in this tick.
    #[inline]
    pub(super) fn update(&mut self, of: u32, active: bool) {
        self.state.seen[of as usize] = self.state.tick;
        self.call_known(of, Hook::Update, active, |b, cx| b.update(cx));
    }

    /// Calls a hook in which a behavior may end itself, and has it end if it did.
    #[inline]
    pub(super) fn call_active(&mut self, of: u32, hook: Hook, f: impl FnOnce(&mut dyn Behavior, &mut Control<'_>)) {
        self.call(of, hook, f);
        if !self.state.endings.is_empty() {
            self.end_itself(of);
        }
    }

    /// An engine is about to have it tick for the first time.
    pub fn hosted(&mut self) {
        for of in 0..self.behaviors.len() as u32 {
            self.call(of, Hook::Init, |b, cx| b.hosted(cx));
        }
    }

    // ---- scope ---------------------------------------------------------------------------------

    /// One more has it in scope.
    pub(super) fn enter(&mut self, of: u32) {
        match self.state.node(of).life.enter() {
            Ok(Entered::Begin) => self.run_enter(of),
            Ok(Entered::Counted) => {}
            // It still leaves; then it comes in again.
            Err(_) => self.state.node(of).back += 1,
        }
    }

    pub(super) fn run_enter(&mut self, of: u32) {
        for stage in POLICY.stages(Step::Enter) {
            if *stage == Stage::Own && !self.plain[of as usize] {
                self.call(of, Hook::EnteredScope, |b, cx| b.entered_scope(cx));
            }
        }
        if self.settled(of) {
            self.entered(of);
        } else {
            self.note(of, || What::Entering);
            self.state.slow.push(Slow { of, what: Taking::Enter, until: boxstep_types::Time::MAX });
        }
    }

    pub(super) fn entered(&mut self, of: u32) {
        if self.state.node(of).life.entered().is_ok() {
            self.note(of, || What::Entered);
        }
    }

    /// One fewer has it in scope.
    pub(super) fn leave(&mut self, of: u32) {
        let node = self.state.node(of);
        let was = node.life.phase();
        if was == Phase::Leaving {
            node.back = node.back.saturating_sub(1);
            return;
        }
        if node.life.leave() != Ok(Left::Begin) {
            return;
        }
        if was == Phase::Stopping && self.state.winds_down(of) {
            // What it does to wind down comes first.
            return;
        }
        self.state.slow.retain(|s| s.of != of);
        self.run_leave(of);
    }

    pub(super) fn run_leave(&mut self, of: u32) {
        for stage in POLICY.stages(Step::Leave) {
            if *stage == Stage::Own && !self.plain[of as usize] {
                self.call(of, Hook::LeftScope, |b, cx| b.left_scope(cx));
            }
        }
        if self.settled(of) {
            self.left(of);
        } else {
            self.note(of, || What::Leaving);
            self.take_time(of, Taking::Leave);
        }
    }

    pub(super) fn left(&mut self, of: u32) {
        if self.state.node(of).life.left().is_err() {
            return;
        }
        self.note(of, || What::Left);
        for _ in 0..std::mem::take(&mut self.state.node(of).back) {
            self.enter(of);
        }
    }

    // ---- start ---------------------------------------------------------------------------------

    /// Gives control to some that may have it, side by side; or has them wait.
    pub(super) fn start(&mut self, parent: u32, all: &[(u32, u64)], value: &Value) {
        if self.must_wait(parent, all.iter().map(|(of, _)| *of)) {
            self.wait(parent, all, value);
            return;
        }
        // All of them first, so that what one does when it is notified cannot take from another what it needs.
        for &(of, ticket) in all {
            if self.state.node(of).life.activate() == Ok(Activated::Begin) {
                self.state.node(of).ticket = ticket;
                self.state.link(parent, of);
            }
        }
        for stage in POLICY.stages(Step::Activate) {
            match stage {
                Stage::Claim => all.iter().for_each(|(of, _)| self.claim(*of)),
                Stage::Own => all.iter().for_each(|(of, _)| self.open(*of, value)),
                // Of each in its turn, just before it is notified.
                _ => {}
            }
        }
    }

    fn open(&mut self, of: u32, value: &Value) {
        for edge in self.state.graph.edges(of) {
            // What was asked in an earlier activation was not asked.
            self.state.asked[edge] = 0;
            self.enter(self.state.graph.targets[edge].0);
        }
        let ticket = self.state.nodes[of as usize].ticket;
        let before = self.note_cause(of, || What::Activated(Ticket(ticket)));
        self.call(of, Hook::Activated, |b, cx| b.activated(cx, value));
        // Nothing has stopped it meanwhile: if it has ended itself, that comes next.
        let _ = self.state.node(of).life.activated();
        if !self.state.endings.is_empty() {
            self.end_itself(of);
        }
        self.events.cause = before;
    }

    /// A behavior uses what those on the way to it hold.
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

    /// A call of it has returned: it ends, if it has said so there.
    pub(super) fn end_itself(&mut self, of: u32) {
        if !self.state.nodes[of as usize].ending {
            return;
        }
        // Calls nest, so what the last call said is last.
        if let Some((_, end)) = self.state.endings.pop_if(|(who, _)| *who == of) {
            self.end(of, end, By::Behavior(super::BehaviorId(of)));
        }
    }

    /// Ends an active behavior and all it has delegated to, leaf first. Those end by `by`.
    pub(super) fn end(&mut self, top: u32, end: End, by: By) {
        self.end_inside(top, by);
        let owner = self.state.nodes[top as usize].up;
        let itself = self.state.nodes[top as usize].ending;
        self.state.node(top).ending = false;
        let what = |ticket| What::Ended(ticket, end.clone());
        self.finish(top, if itself { Step::End } else { Step::Stop }, &end, owner, what);
    }

    /// The same for one that is to be activated again under the same ticket.
    pub(super) fn end_to_restart(&mut self, top: u32) {
        self.end_inside(top, By::Behavior(super::BehaviorId(top)));
        let owner = self.state.nodes[top as usize].up;
        // What was still to be told it is no news for who begins anew.
        self.state.notices.retain(|notice| notice.parent != top);
        self.finish(top, Step::Stop, &End::Cancelled(By::Reload), owner, What::Restarts);
    }

    /// Ends all that a behavior has delegated to.
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

    /// Ends one that has no active delegates. The event is made only if events are recorded.
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
            self.take_time(of, Taking::Stop(owner));
        }
        self.events.cause = before;
    }

    /// It has wound down.
    pub(super) fn stopped(&mut self, of: u32) {
        // Refused if it has to leave scope, too: that comes next.
        let _ = self.state.node(of).life.stopped();
        self.note(of, || What::Deactivated);
    }

    /// Takes control back from all delegates of a behavior; gives how many there were.
    pub(super) fn cancel_delegates(&mut self, of: u32) -> usize {
        let by = By::Behavior(super::BehaviorId(of));
        let mut count = self.forget_waiting(of, by);
        // What has ended in this very call, and was still to be told, is no more news after a cancel.
        self.state.notices.retain(|n| n.parent != of);
        while self.state.nodes[of as usize].down != NONE {
            self.end(self.state.nodes[of as usize].down, End::Cancelled(by), by);
            count += 1;
        }
        count
    }

    /// Is what it does in the background over?
    pub(super) fn settled(&mut self, of: u32) -> bool {
        self.plain[of as usize] || self.call(of, Hook::Settled, |b, cx| b.settled(cx)).unwrap_or(true)
    }
}
