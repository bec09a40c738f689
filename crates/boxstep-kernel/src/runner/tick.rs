//! A tick: inputs stand still; what takes time goes on; active behaviors are updated from the root to the leaf, then all
//! others in scope, in the order of declaration. No behavior is left out, none is updated twice.

use super::state::NONE;
use super::{Control, Hook, Runner};
use boxstep_types::Time;

/// The behaviors that are updated in a tick in which nothing changes, in order: most ticks are such, and follow this list.
pub(super) struct Order {
    turns: Vec<Turn>,
    /// So many of them are active: the first.
    active: usize,
    /// The [`State::version`](super::state::State) that it is of.
    version: u64,
    /// For each behavior the tick in which it was listed.
    listed: Vec<u64>,
}

#[derive(Clone, Copy)]
struct Turn {
    of: u32,
    active: bool,
    /// It has delegates, so that hooks of others can be called from within its own.
    nests: bool,
}

impl Default for Order {
    /// None yet, whatever the version is.
    fn default() -> Self {
        Self { turns: Vec::new(), active: 0, version: u64::MAX, listed: Vec::new() }
    }
}

/// The behaviors, while those have their turns who cannot have others called: they need not be taken out one by one. They are given back
/// also if one panics.
struct Lent<'r> {
    runner: &'r mut Runner,
    behaviors: super::Behaviors,
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        std::mem::swap(&mut self.runner.behaviors, &mut self.behaviors);
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
        self.events.cause = 0;
        if self.order.version != self.state.version || !self.follow(0) {
            self.update_active();
            // Those who are not active can change nothing, so that what is in scope stays as it is.
            self.make_order();
            self.follow(self.order.active);
        }
        self.events.cause = 0;
    }

    /// Updates those of the list from this one on who had no turn in this tick, as long as nothing changes. False if something did.
    fn follow(&mut self, from: usize) -> bool {
        // A behavior that panics must leave no list behind.
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

    /// The turns of those in a row who cannot have others called, as long as nothing changes. Gives the last of them, and who comes then.
    fn take_turns<'t>(&mut self, turns: &'t [Turn]) -> (u32, &'t [Turn]) {
        let (version, tick) = (self.state.version, self.state.tick);
        let behaviors = std::mem::take(&mut self.behaviors);
        let mut lent = Lent { runner: self, behaviors };
        let Lent { runner, behaviors } = &mut lent;
        let mut cx = Control { runner, me: NONE, hook: Hook::Update, active: false };
        let mut left = turns;
        while let [turn, after @ ..] = left
            && !turn.nests
            && cx.runner.state.version == version
        {
            left = after;
            (cx.me, cx.active) = (turn.of, turn.active);
            let seen = &mut cx.runner.state.seen[turn.of as usize];
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
        let Order { turns, active, version, listed } = &mut self.order;
        listed.resize(state.nodes.len(), 0);
        turns.clear();
        for of in state.active() {
            listed[of as usize] = state.tick;
            if !state.graph.quiet[of as usize] {
                turns.push(Turn { of, active: true, nests: !state.graph.edges(of).is_empty() });
            }
        }
        *active = turns.len();
        // While no behavior enters or leaves, each delegate of an active behavior is in scope.
        let settled = state.slow.is_empty();
        let mut add = |of: u32| {
            let watches =
                !self.plain[of as usize] && !state.graph.quiet[of as usize] && (settled || state.life(of).in_scope());
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
            if !self.state.graph.quiet[at as usize] && self.state.seen[at as usize] != self.state.tick {
                let version = self.state.version;
                self.events.cause = 0;
                self.update(at, true);
                if self.state.version != version {
                    self.end_itself(at);
                    if !self.settings.hand_over_next_tick {
                        self.hand_over_all();
                    }
                    // A new behavior has its turn; those that had theirs are skipped.
                    at = self.state.root;
                    continue;
                }
            }
            at = self.state.after(at);
        }
        self.events.cause = 0;
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
