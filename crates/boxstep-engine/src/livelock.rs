//! Signals that go round in no time: how many may follow each other before the engine looks up, and before it cuts them.
//!
//! On the real clock there are turns besides, so that boxes that signal each other without a pause do not keep timers, the robot
//! and clients outside waiting.

use crate::Engine;
use crate::config::SCRIPT_CALL;
use crate::event_loop::Work;
use crate::protocol::Next;
use crate::trace::PathId;

/// Signals in a turn: less than a millisecond for native boxes.
const TURN: u64 = 20_000;
/// Boxes that a warning of a livelock names at most.
const LONGEST_CYCLE: usize = 32;

/// Counts the signals that have been delivered since time passed last.
pub(crate) struct SignalBudget {
    count: u64,
    /// The count at which the engine looks up.
    limit: u64,
    /// More are a livelock.
    bound: u64,
    /// Signals in a turn; none in virtual time, where nothing else comes before the work is done.
    turn: Option<u64>,
    /// Boxes through which the signals go round.
    cycle: Vec<PathId>,
}

impl SignalBudget {
    pub(crate) fn new(bound: u64, is_virtual: bool) -> Self {
        let mut budget = Self { count: 0, limit: 0, bound, turn: (!is_virtual).then_some(TURN), cycle: Vec::new() };
        budget.next_turn();
        budget
    }

    /// Time has passed.
    pub(crate) fn restart(&mut self) {
        self.count = 0;
        self.next_turn();
    }

    /// The limit of the turn that begins now.
    fn next_turn(&mut self) {
        self.limit = self.turn.map_or(self.bound, |turn| self.bound.min(self.count.saturating_add(turn)));
    }

    /// Counts a signal as so many. False if that is more than the limit.
    #[inline]
    pub(crate) fn spend(&mut self, signals: u64) -> bool {
        self.count += signals;
        self.count <= self.limit
    }

    /// Is nothing left of the turn?
    #[inline]
    pub(crate) fn is_spent(&self) -> bool {
        self.count >= self.limit
    }

    /// Another turn begins, unless the bound is passed. False then.
    fn take_turn(&mut self) -> bool {
        let goes_on = self.count <= self.bound;
        if goes_on {
            self.next_turn();
        }
        goes_on
    }

    /// Beyond the bound: one more box of the cycle. False once the cycle is closed, or too long to be named.
    fn extend_cycle(&mut self, path: PathId) -> bool {
        let closed = self.cycle.first() == Some(&path);
        let extends = !closed && self.cycle.len() < LONGEST_CYCLE;
        if extends {
            self.cycle.push(path);
        }
        extends
    }
}

impl Engine {
    /// Counts a delivered signal as one, or as [`SCRIPT_CALL`] if a script is called for it; too many in no time are a
    /// livelock. False if it must not be delivered.
    #[inline]
    pub(crate) fn count_signal(&mut self, path: PathId, script: bool) -> bool {
        self.budget.spend(if script { SCRIPT_CALL } else { 1 }) || self.too_many(path)
    }

    /// More signals than the limit: a turn is over, or they go round for ever. False if this one must not be delivered.
    #[cold]
    fn too_many(&mut self, path: PathId) -> bool {
        if !self.budget.take_turn() {
            return self.livelock(path);
        }
        self.cx.push(Work::TurnOver);
        true
    }

    /// The bound is passed: look at some more signals to name the cycle, then cut it. True if this one is still delivered.
    fn livelock(&mut self, path: PathId) -> bool {
        if self.end.has_begun() {
            self.cx.tracer.dropped += 1;
            return false;
        }
        if self.budget.extend_cycle(path) {
            return true;
        }
        let names: Vec<String> = self.budget.cycle.iter().map(|p| self.cx.paths.text(*p)).collect();
        self.cut_livelock(path, &names.join(" → "));
        false
    }

    /// Releases the engine for a moment: the thread that drives it looks at the clock and comes back, and others may use it
    /// meanwhile.
    pub(crate) fn turn_over(&mut self) -> Next {
        Next::Wait(Some(self.cx.clock.refresh()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_virtual_time_only_the_bound_counts() {
        let mut budget = SignalBudget::new(100, true);
        assert!((0..100).all(|_| budget.spend(1)));
        assert!(budget.is_spent() && !budget.spend(1));
        assert!(!budget.take_turn());
        budget.restart();
        assert!(budget.spend(100));
    }

    #[test]
    fn on_the_real_clock_turns_end_before_the_bound() {
        let mut budget = SignalBudget::new(3 * TURN, false);
        assert!(budget.spend(TURN) && !budget.spend(1));
        assert!(budget.take_turn(), "the bound is not passed");
        assert!(budget.spend(TURN));
        assert!(!budget.spend(2 * TURN) && !budget.take_turn());
    }

    #[test]
    fn a_cycle_is_named_once_round_and_not_without_end() {
        let mut budget = SignalBudget::new(1, true);
        assert!(budget.extend_cycle(PathId(1)) && budget.extend_cycle(PathId(2)));
        assert!(!budget.extend_cycle(PathId(1)));
        let mut budget = SignalBudget::new(1, true);
        assert_eq!((1..100).filter(|n| budget.extend_cycle(PathId(*n))).count(), LONGEST_CYCLE);
    }
}
