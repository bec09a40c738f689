//! Delegates that take time to enter scope (loading), to wind down or to leave scope, and delegations that wait for
//! them.
//!
//! No behavior is activated in the place of one that is still winding down, and none takes its resources: the
//! delegation is accepted, and waits. A wind-down is counted for the behavior that was left in control; if that one
//! ends meanwhile, it is counted for the next one.

use super::state::{NONE, Notice, Slow, SlowStep, Waiting};
use super::{BehaviorId, By, End, Hook, Runner, Ticket, Wants, What};
use crate::lifecycle::Phase;
use boxstep_types::Value;

impl Runner {
    /// Registers a step that takes time: the behavior is asked at the start of each tick whether it has settled.
    pub(super) fn begin_slow(&mut self, of: u32, step: SlowStep) {
        let until = (self.now + self.settings.settle_within).min(self.state.deadline);
        self.state.slow.push(Slow { of, step, until });
    }

    /// Counts the wind-downs of a behavior that ends for another one.
    pub(super) fn pass_on_windings(&mut self, from: u32, to: u32) {
        let count = std::mem::take(self.state.windings(from));
        if count == 0 {
            return;
        }
        *self.state.windings(to) += count;
        for slow in &mut self.state.slow {
            if slow.step == SlowStep::Stop(from) {
                slow.step = SlowStep::Stop(to);
            }
        }
    }

    /// Returns whether a behavior that is still winding down blocks these.
    pub(super) fn must_wait(&mut self, parent: u32, mut children: impl Iterator<Item = u32>) -> bool {
        if self.state.slow.is_empty() {
            return false;
        }
        let winds_down = |who: Option<u32>| who.is_some_and(|who| self.state.winds_down(who));
        let held = |of: u32| self.locks.of(of).iter().any(|lock| self.users(*lock).any(winds_down));
        let busy = |of: u32| self.state.life(of).phase() != Phase::InScope || held(of);
        children.any(busy) || *self.state.windings(parent) > 0
    }

    pub(super) fn wait(&mut self, parent: u32, all: &[(u32, u64)], value: &Value) {
        for &(child, ticket) in all {
            self.note(child, || What::Waits(Ticket(ticket)));
            self.state.node(child).waits = true;
            self.state.waiting.push(Waiting { parent, child, ticket, value: value.clone() });
        }
        if parent != NONE {
            self.state.node(parent).waiting += all.len() as u32;
        }
    }

    /// Removes and returns the waiting delegations of a behavior.
    fn take_waiting(&mut self, parent: u32) -> Vec<Waiting> {
        let state = &mut self.state;
        let taken: Vec<Waiting> = state.waiting.extract_if(.., |w| w.parent == parent).collect();
        for waiting in &taken {
            state.node(waiting.child).waits = false;
        }
        if parent != NONE {
            state.node(parent).waiting = 0;
        }
        taken
    }

    /// Cancels the waiting delegations of a behavior; returns how many there were.
    pub(super) fn forget_waiting(&mut self, parent: u32, by: By) -> usize {
        if self.state.waiting.is_empty() {
            return 0;
        }
        let taken = self.take_waiting(parent);
        for waiting in &taken {
            self.note(waiting.child, || What::Ended(Ticket(waiting.ticket), End::Cancelled(by)));
        }
        taken.len()
    }

    /// At the start of a tick, continues behaviors that have settled or whose time is over, and the delegations that
    /// waited for them.
    pub(super) fn settle(&mut self) {
        let (mut at, mut known) = (0, self.state.slow.len());
        while let Some(slow) = self.state.slow.get(at).cloned() {
            // A step that has begun in this call, at the end of the list, was checked then.
            let settled = known > 0 && self.settled(slow.of);
            known = known.saturating_sub(1);
            if !settled && self.now < slow.until {
                at += 1;
                continue;
            }
            if !settled {
                self.note(slow.of, || What::Forced);
                self.call(slow.of, Hook::Settled, |b, cx| b.forced(cx));
            }
            self.state.slow.remove(at);
            self.finish_slow(&slow);
        }
        self.serve_waiting();
    }

    fn finish_slow(&mut self, slow: &Slow) {
        self.state.version += 1;
        match slow.step {
            SlowStep::Enter => self.entered(slow.of),
            SlowStep::Stop(owner) => {
                *self.state.windings(owner) -= 1;
                self.release(slow.of);
                self.stopped(slow.of);
                if self.state.life(slow.of).phase() == Phase::Leaving {
                    self.run_leave(slow.of);
                }
            }
            SlowStep::Leave => self.left(slow.of),
        }
    }

    /// Asks a behavior that has waited whether it still wants to run. It said yes before, and may keep that answer
    /// ([`super::Control::has_waited`]).
    fn still_wants(&mut self, from: u32, of: u32) -> Wants {
        self.state.node(of).waited = true;
        let wants = self.wants(from, of);
        self.state.node(of).waited = false;
        wants
    }

    /// Starts the delegations that need not wait any longer, in the order in which they were made. Delegates were asked
    /// in an earlier tick, so they are asked again; roots are not asked.
    fn serve_waiting(&mut self) {
        let mut parents: Vec<u32> = self.state.waiting.iter().map(|w| w.parent).collect();
        parents.dedup();
        for parent in parents {
            let mine = |w: &&Waiting| w.parent == parent;
            let all: Vec<(u32, u64)> = self.state.waiting.iter().filter(mine).map(|w| (w.child, w.ticket)).collect();
            if all.is_empty() || self.must_wait(parent, all.iter().map(|(of, _)| *of)) {
                continue;
            }
            let taken = self.take_waiting(parent);
            let no = all.iter().find(|(of, _)| parent != NONE && self.still_wants(parent, *of) != Wants::Yes);
            let Some(no) = no.map(|(of, _)| BehaviorId(*of)) else {
                let value = taken.first().map_or(Value::Null, |w| w.value.clone());
                self.start(parent, &all, &value);
                continue;
            };
            let end = End::Failed(format!("{} no longer wants to run", self.name(no)).into());
            let of = self.state.nodes[parent as usize].ticket;
            for waiting in taken {
                let cause = self.note(waiting.child, || What::Ended(Ticket(waiting.ticket), end.clone()));
                let (child, ticket) = (waiting.child, waiting.ticket);
                self.state.notices.push_back(Notice { parent, of, child, ticket, end: end.clone(), cause });
            }
        }
    }
}
