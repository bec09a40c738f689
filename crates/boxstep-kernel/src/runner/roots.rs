//! The root: its start, what follows its end, and the recovery from a livelock.

use super::plan::RootPolicy;
use super::state::NONE;
use super::{BehaviorId, By, End, Runner, What};
use boxstep_types::{Time, Value};

impl Runner {
    /// Takes the roots into scope, and gives control to the root.
    pub(super) fn begin(&mut self) {
        self.state.started = true;
        self.state.version += 1;
        for root in self.roots.all() {
            self.enter(root);
        }
        self.start_root(self.roots.root);
    }

    pub(super) fn start_root(&mut self, root: u32) {
        self.state.tickets += 1;
        self.start(NONE, &[(root, self.state.tickets)], &Value::Null);
    }

    /// Handles the end of a root by itself.
    pub(super) fn root_ended(&mut self, ended: u32) {
        if self.state.over {
            return;
        }
        let next = match &self.settings.at_end {
            // The behavior that ran instead of the root returns control to it.
            _ if ended != self.roots.root => Some(self.roots.root),
            RootPolicy::Restart => Some(self.roots.root),
            RootPolicy::Idle(_) => self.roots.idle,
            RootPolicy::Stop => None,
        };
        match next {
            Some(root) => self.start_root(root),
            None => self.stop(),
        }
    }

    /// Handles a livelock, in which delegations end and begin without end in one tick: ends all active behaviors and
    /// starts the safe behavior; but not a second time in one tick.
    pub(super) fn livelock(&mut self) {
        let (one, other) = self.state.last;
        self.state.livelock = Some((BehaviorId(one), BehaviorId(other)));
        self.events.cause = 0;
        self.events.cause = self.note(NONE, || What::Livelock(BehaviorId(one), BehaviorId(other)));
        let again = std::mem::replace(&mut self.state.livelocked, true) || Some(self.state.root) == self.roots.safe;
        self.end_all(By::Livelock);
        self.state.hops = 0;
        match self.roots.safe {
            Some(safe) if !again => self.start_root(safe),
            _ => self.stop(),
        }
    }

    fn end_all(&mut self, by: By) {
        self.forget_waiting(NONE, by);
        if self.state.root != NONE {
            self.end(self.state.root, End::Cancelled(by), by);
        }
        self.state.notices.clear();
    }

    /// Ends all active behaviors and takes everything out of scope. Behaviors that take time to wind down do so in
    /// further ticks, until [`Runner::is_over`].
    pub fn stop(&mut self) {
        if std::mem::replace(&mut self.state.over, true) {
            return;
        }
        self.state.version += 1;
        self.end_all(By::Stop);
        if self.state.started {
            for root in self.roots.all() {
                self.leave(root);
            }
        }
        self.note(NONE, || What::Stopped);
    }

    /// Like [`Runner::stop`]. Whatever has not settled by the deadline is forced in the next tick.
    pub fn stop_by(&mut self, deadline: Time) {
        self.state.deadline = deadline.min(self.state.deadline);
        for slow in &mut self.state.slow {
            slow.until = slow.until.min(self.state.deadline);
        }
        self.stop();
    }

    /// The last two behaviors that had control in the last livelock, if there was one.
    pub fn livelock_pair(&self) -> Option<(BehaviorId, BehaviorId)> {
        self.state.livelock
    }
}
