//! A tick: inputs are frozen; delegates that take time continue; active behaviors are updated from the root to the
//! leaves, then all others in scope, in the order of declaration. Every behavior is updated exactly once.

use super::state::NONE;
use super::{Control, Hook, Runner};
use boxstep_types::Time;

/// The order of updates in a tick in which nothing changes. Most ticks are such, and follow this list.
pub(super) struct UpdateOrder {
    turns: Vec<Turn>,
    /// The number of active behaviors, which come first.
    active: usize,
    /// The [`State::version`](super::state::State) for which the list was made.
    version: u64,
    /// For each behavior, the tick in which it was listed.
    listed: Vec<u64>,
}

#[derive(Clone, Copy)]
struct Turn {
    of: u32,
    active: bool,
    /// Whether the behavior has delegates, so that hooks of others can be called within its own hooks.
    nests: bool,
}

impl Default for UpdateOrder {
    /// An empty list, for no version.
    fn default() -> Self {
        Self { turns: Vec::new(), active: 0, version: u64::MAX, listed: Vec::new() }
    }
}

/// The behaviors, lent for the updates of those that cannot cause calls of others, so that they need not be taken out
/// one by one. They are returned even if one panics.
struct LentBehaviors<'r> {
    runner: &'r mut Runner,
    behaviors: super::Behaviors,
}

impl Drop for LentBehaviors<'_> {
    fn drop(&mut self) {
        std::mem::swap(&mut self.runner.behaviors, &mut self.behaviors);
    }
}

impl Runner {
    /// Runs one tick. The first one takes the roots into scope and gives control to the root.
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
        self.events.cause = 0;
        if self.order.version != self.state.version || !self.follow_order(0) {
            self.update_active();
            // Behaviors that are not active can change nothing, so the set of behaviors in scope stays the same.
            self.make_order();
            self.follow_order(self.order.active);
        }
        self.events.cause = 0;
    }

    /// Updates the behaviors on the list from an index on that had no update in this tick, as long as nothing changes.
    /// Returns false if something did.
    fn follow_order(&mut self, from: usize) -> bool {
        // If a behavior panics, no list must remain.
        let order = std::mem::take(&mut self.order);
        let version = self.state.version;
        let mut left = &order.turns[from..];
        while let [turn, after @ ..] = left
            && self.state.version == version
        {
            let mut of = turn.of;
            if !turn.nests {
                (of, left) = self.take_turns(left);
            } else {
                left = after;
                self.update(of, true);
            }
            if self.state.version != version {
                self.end_itself(of);
                if !self.settings.hand_over_next_tick {
                    self.hand_over_all();
                }
            }
        }
        self.order = order;
        self.state.version == version
    }

    /// Updates the behaviors at the front of the list that cannot cause calls of others, as long as nothing changes.
    /// Returns the last of them, and the rest of the list.
    fn take_turns<'t>(&mut self, turns: &'t [Turn]) -> (u32, &'t [Turn]) {
        let (version, tick) = (self.state.version, self.state.tick);
        let behaviors = std::mem::take(&mut self.behaviors);
        let mut lent = LentBehaviors { runner: self, behaviors };
        let LentBehaviors { runner, behaviors } = &mut lent;
        let mut cx = Control { runner, me: NONE, hook: Hook::Update, active: false };
        let mut left = turns;
        while let [turn, after @ ..] = left
            && !turn.nests
            && cx.runner.state.version == version
        {
            left = after;
            (cx.me, cx.active) = (turn.of, turn.active);
            let seen = &mut cx.runner.state.updated[turn.of as usize];
            if std::mem::replace(seen, tick) != tick
                && let Some(behavior) = &mut behaviors[turn.of as usize]
            {
                behavior.update(&mut cx);
            }
        }
        (cx.me, left)
    }

    fn make_order(&mut self) {
        let state = &self.state;
        let UpdateOrder { turns, active, version, listed } = &mut self.order;
        listed.resize(state.nodes.len(), 0);
        turns.clear();
        for of in state.active() {
            listed[of as usize] = state.tick;
            if !state.graph.quiet[of as usize] {
                turns.push(Turn { of, active: true, nests: !state.graph.edges(of).is_empty() });
            }
        }
        *active = turns.len();
        // While no behavior is entering or leaving, each delegate of an active behavior is in scope.
        let settled = state.slow.is_empty();
        let mut add = |of: u32| {
            let watches = !self.is_action[of as usize]
                && !state.graph.quiet[of as usize]
                && (settled || state.life(of).in_scope());
            if watches && std::mem::replace(&mut listed[of as usize], state.tick) != state.tick {
                turns.push(Turn { of, active: false, nests: false });
            }
        };
        if state.started && !state.over {
            self.roots.all().for_each(&mut add);
        }
        for of in state.active() {
            state.graph.of(of).iter().for_each(|to| add(to.0));
        }
        *version = if settled { state.version } else { u64::MAX };
    }

    fn update_active(&mut self) {
        let mut at = self.state.root;
        while at != NONE {
            if !self.state.graph.quiet[at as usize] && self.state.updated[at as usize] != self.state.tick {
                let version = self.state.version;
                self.events.cause = 0;
                self.update(at, true);
                if self.state.version != version {
                    self.end_itself(at);
                    if !self.settings.hand_over_next_tick {
                        self.hand_over_all();
                    }
                    // Behaviors that have become active are updated; those that were updated before are skipped.
                    at = self.state.root;
                    continue;
                }
            }
            at = self.state.after(at);
        }
        self.events.cause = 0;
    }

    /// Delivers notices of ended delegations until there are none left, or too many in one tick.
    fn hand_over_all(&mut self) {
        while !self.state.notices.is_empty() {
            self.hand_over(1);
        }
    }

    /// Delivers up to `count` notices of ended delegations.
    fn hand_over(&mut self, count: usize) {
        for _ in 0..count {
            let Some(notice) = self.state.notices.pop_front() else { return };
            let parent = notice.parent;
            if parent != NONE {
                let node = &self.state.nodes[parent as usize];
                // A cancel, or an end of the parent, has come in between: the notice is obsolete.
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
            self.events.cause = notice.cause;
            if parent == NONE {
                self.root_ended(notice.child);
            } else {
                let ticket = super::Ticket(notice.ticket);
                self.call_active(parent, Hook::DelegateEnded, |b, cx| b.on_delegate_ended(cx, ticket, &notice.end));
            }
        }
    }
}
