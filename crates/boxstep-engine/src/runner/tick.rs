//! A tick: inputs stand still; what takes time goes on; the active ones are updated from the root to the leaf, then whoever
//! else is in scope, in the order of declaration. Nobody is left out, nobody is updated twice.

use super::state::NONE;
use super::{Hook, Runner};
use boxstep_types::Time;

/// Who is updated in a tick in which nothing changes, in that order: most ticks are such ones, and follow a list.
pub(super) struct Order {
    all: Vec<u32>,
    /// The [`State::version`](super::state::State) that it is of.
    version: u64,
    /// The version when the last tick began: a list is made once one tick has changed nothing.
    last: u64,
    /// For each behavior the tick in which it was listed.
    listed: Vec<u64>,
}

impl Default for Order {
    /// None yet, whatever the version is.
    fn default() -> Self {
        Self { all: Vec::new(), version: u64::MAX, last: u64::MAX, listed: Vec::new() }
    }
}

impl Runner {
    /// One tick. The first one brings the roots into scope and gives control to the root.
    pub fn tick(&mut self, now: Time) {
        self.now = now;
        self.state.tick += 1;
        self.state.hops = 0;
        self.state.livelocked = false;
        self.inputs.freeze();
        let due = self.state.notices.len();
        if !self.state.slow.is_empty() || !self.state.waiting.is_empty() {
            self.settle();
        }
        if !self.state.started && !self.state.over {
            self.begin();
        }
        if self.settings.hand_over_next_tick {
            self.hand_over(due);
        } else {
            self.hand_over_all();
        }
        if !self.update_in_order() {
            self.update_active();
            self.update_in_scope();
        }
        self.account.cause = 0;
    }

    /// Follows the list as long as nothing changes. False if something did, or if there is no list: whoever had their turn
    /// are marked.
    fn update_in_order(&mut self) -> bool {
        let version = self.state.version;
        if self.order.version != version {
            let changed = std::mem::replace(&mut self.order.last, version) != version;
            if changed || !self.state.slow.is_empty() || self.state.over {
                return false;
            }
            self.make_order();
        }
        let tick = self.state.tick;
        self.account.cause = 0;
        for at in 0..self.order.all.len() {
            let of = self.order.all[at];
            self.state.seen[of as usize] = tick;
            self.call(of, Hook::Update, |b, cx| b.update(cx));
            if self.state.version != version {
                self.end_itself(of);
                if !self.settings.hand_over_next_tick {
                    self.hand_over_all();
                }
                return false;
            }
        }
        true
    }

    fn make_order(&mut self) {
        let state = &self.state;
        let order = &mut self.order;
        order.all.clear();
        order.listed.resize(state.nodes.len(), 0);
        let roots = self.roots.all().filter(|_| state.started);
        let delegates = state.active().flat_map(|of| state.graph.of(of).iter().map(|id| id.0));
        for of in state.active().chain(roots).chain(delegates) {
            if std::mem::replace(&mut order.listed[of as usize], state.tick) != state.tick {
                order.all.push(of);
            }
        }
        order.version = state.version;
    }

    fn update_active(&mut self) {
        let mut at = self.state.root;
        while at != NONE {
            if self.state.seen[at as usize] != self.state.tick {
                self.state.seen[at as usize] = self.state.tick;
                let version = self.state.version;
                self.account.cause = 0;
                self.call_active(at, Hook::Update, |b, cx| b.update(cx));
                if !self.state.notices.is_empty() && !self.settings.hand_over_next_tick {
                    self.hand_over_all();
                }
                if self.state.version != version {
                    // Whoever is new has its turn; those who had theirs are passed over.
                    at = self.state.root;
                    continue;
                }
            }
            at = self.state.after(at);
        }
    }

    /// Those who are not active can change nothing, so that what is in scope stays as it is.
    fn update_in_scope(&mut self) {
        // With nobody on the way in or out, each delegate of an active behavior is in scope.
        let settled = self.state.slow.is_empty();
        if self.state.started && !self.state.over {
            for root in self.roots.all() {
                self.update_one(root, settled);
            }
        }
        let mut at = self.state.root;
        while at != NONE {
            for edge in self.state.graph.edges(at) {
                self.update_one(self.state.graph.targets[edge].0, settled);
            }
            at = self.state.after(at);
        }
    }

    #[inline]
    fn update_one(&mut self, of: u32, settled: bool) {
        if self.state.seen[of as usize] == self.state.tick || !settled && !self.state.life(of).in_scope() {
            return;
        }
        self.state.seen[of as usize] = self.state.tick;
        self.call(of, Hook::Update, |b, cx| b.update(cx));
    }

    /// Tells of ends until there are none, or too many.
    fn hand_over_all(&mut self) {
        while !self.state.notices.is_empty() {
            self.hand_over(1);
        }
    }

    /// Tells of so many ends.
    fn hand_over(&mut self, count: usize) {
        for _ in 0..count {
            let Some(notice) = self.state.notices.pop_front() else { return };
            let parent = notice.parent;
            if parent != NONE {
                let node = &self.state.nodes[parent as usize];
                // A cancel, or an end of its own, has come in between: it is not told.
                if node.ticket != notice.of || !node.life.started() {
                    continue;
                }
            }
            self.state.last = (self.state.last.1, notice.child);
            self.state.hops += 1;
            if self.state.hops > self.settings.max_hops {
                self.livelock();
                return;
            }
            self.account.cause = notice.cause;
            if parent == NONE {
                self.root_ended(notice.child);
            } else {
                let ticket = super::Ticket(notice.ticket);
                self.call_active(parent, Hook::DelegateEnded, |b, cx| b.on_delegate_ended(cx, ticket, &notice.end));
            }
        }
    }
}
