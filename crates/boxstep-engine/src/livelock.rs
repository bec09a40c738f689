//! The budget of signals that may follow each other in no time, which detects livelocks.
//!
//! On the real clock the engine also yields regularly, so that boxes that signal each other without a pause do not
//! block timers, the robot and remote clients.

use crate::Engine;
use crate::config::SCRIPT_CALL;
use crate::context::Context;
use crate::event_loop::Work;
use crate::follow_up::FollowUp;
use crate::protocol::Next;
use crate::run_end::RunEnd;
use crate::trace::{EndReason, PathId};

/// The number of signals in a turn: less than a millisecond for native boxes.
const TURN: u64 = 20_000;
/// The most boxes that a warning of a livelock names.
const LONGEST_CYCLE: usize = 32;

/// Counts the signals that have been delivered since time last passed.
pub(crate) struct SignalBudget {
    count: u64,
    /// The count at which the turn ends.
    limit: u64,
    /// The count above which there is a livelock.
    signal_limit: u64,
    /// The number of signals in a turn; `None` in virtual time, where nothing else comes before the work is done.
    turn: Option<u64>,
    /// The boxes on the cycle.
    cycle: Vec<PathId>,
}

impl SignalBudget {
    pub(crate) fn new(signal_limit: u64, is_virtual: bool) -> Self {
        let mut budget =
            Self { count: 0, limit: 0, signal_limit, turn: (!is_virtual).then_some(TURN), cycle: Vec::new() };
        budget.next_turn();
        budget
    }

    /// Restarts the count because time has passed.
    pub(crate) fn restart(&mut self) {
        self.count = 0;
        self.next_turn();
    }

    /// Sets the limit of the turn that begins now.
    fn next_turn(&mut self) {
        self.limit = self.turn.map_or(self.signal_limit, |turn| self.signal_limit.min(self.count.saturating_add(turn)));
    }

    /// Counts signals. Returns false if the count exceeds the limit.
    #[inline]
    pub(crate) fn spend(&mut self, signals: u64) -> bool {
        self.count += signals;
        self.count <= self.limit
    }

    /// Returns whether the turn is used up.
    #[inline]
    pub(crate) fn is_spent(&self) -> bool {
        self.count >= self.limit
    }

    /// Begins another turn. Returns false if the signal_limit is exceeded.
    fn take_turn(&mut self) -> bool {
        let goes_on = self.count <= self.signal_limit;
        if goes_on {
            self.next_turn();
        }
        goes_on
    }

    /// Beyond the signal_limit, adds a box to the cycle. Returns false once the cycle is closed, or too long to be named.
    fn extend_cycle(&mut self, path: PathId) -> bool {
        let closed = self.cycle.first() == Some(&path);
        let extends = !closed && self.cycle.len() < LONGEST_CYCLE;
        if extends {
            self.cycle.push(path);
        }
        extends
    }

    /// Handles a count above the limit: the turn is over, or there is a livelock. A livelock is followed for some more
    /// signals, to name the cycle; then its signals are dropped. Returns whether the signal is delivered, and whether
    /// the run must end.
    #[cold]
    fn exceed(&mut self, cx: &mut Context, end: &RunEnd, path: PathId) -> (bool, Option<FollowUp>) {
        if self.take_turn() {
            cx.push(Work::TurnOver);
            return (true, None);
        }
        if end.has_begun() {
            cx.tracer.dropped += 1;
            return (false, None);
        }
        if self.extend_cycle(path) {
            return (true, None);
        }
        let names: Vec<String> = self.cycle.iter().map(|p| cx.paths.text(*p)).collect();
        cx.cut_livelock(path, &names.join(" → "));
        (false, Some(FollowUp::StopAll(EndReason::Livelock)))
    }
}

impl Context {
    /// Releases the engine for a moment: the thread that drives it reads the clock and returns, and other threads can
    /// use the engine meanwhile.
    pub(crate) fn turn_over(&mut self) -> Next {
        Next::Wait(Some(self.clock.refresh()))
    }
}

impl Engine {
    /// Counts a delivered signal as one, or as [`SCRIPT_CALL`] if a script is called for it. Too many in no time are a
    /// livelock. Returns false if the signal must not be delivered.
    #[inline]
    pub(crate) fn count_signal(&mut self, path: PathId, script: bool) -> bool {
        if self.budget.spend(if script { SCRIPT_CALL } else { 1 }) {
            return true;
        }
        let (delivers, end) = self.budget.exceed(&mut self.cx, &self.end, path);
        self.follow_up(end);
        delivers
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
        assert!(budget.take_turn(), "the signal_limit is not passed");
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
