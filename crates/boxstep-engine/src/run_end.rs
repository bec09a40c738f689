//! The progress of a run's end: the end is requested, behaviors stop, the remaining scripts are interrupted, and the
//! run is closed.
//!
//! This module only holds the state. `shutdown.rs` and `stop.rs` act on it.

use crate::trace::{EndReason, Footer};
use crate::waits::Wait;
use boxstep_types::Time;

/// The state of a run's end.
#[derive(Default)]
pub(crate) struct RunEnd {
    reason: Option<EndReason>,
    interrupted: Option<Time>,
    /// The number of stops of interrupted boxes that have not finished.
    winding_down: usize,
    given_up: bool,
    /// The time since which the remaining scripts are being interrupted.
    interrupting_since: Option<Time>,
    waiting: Option<Waiting>,
    outcome: Option<Footer>,
}

/// What a run waited for when nothing else could happen.
pub(crate) struct Waiting {
    /// The topics and resources.
    pub(crate) topics: Vec<String>,
    /// The waiting subscribers, by box.
    pub(crate) waits: Vec<Wait>,
}

impl RunEnd {
    /// Begins the end of the run. Only the first reason counts.
    pub(crate) fn begin(&mut self, reason: EndReason) {
        self.reason.get_or_insert(reason);
    }

    /// Returns whether the run is ending or has ended.
    pub(crate) fn has_begun(&self) -> bool {
        self.reason.is_some()
    }

    /// The reason of the end.
    pub(crate) fn reason(&self) -> Option<EndReason> {
        self.reason
    }

    /// Marks the run as interrupted. Returns false if it was interrupted before.
    pub(crate) fn interrupt(&mut self, now: Time) -> bool {
        let first = self.interrupted.is_none();
        self.interrupted.get_or_insert(now);
        first
    }

    /// The time of the interrupt.
    pub(crate) fn interrupted(&self) -> Option<Time> {
        self.interrupted
    }

    /// Counts one more stop for which the interrupt waits.
    pub(crate) fn wind_down(&mut self) {
        self.winding_down += 1;
    }

    /// Counts the end of one of these stops. Returns true if it was the last.
    pub(crate) fn wound_down(&mut self) -> bool {
        self.winding_down = self.winding_down.saturating_sub(1);
        self.winding_down == 0
    }

    /// Abandons everything that still runs. Returns false if that was done before.
    pub(crate) fn give_up(&mut self) -> bool {
        !std::mem::replace(&mut self.given_up, true)
    }

    /// Returns whether everything that still runs has been abandoned.
    pub(crate) fn given_up(&self) -> bool {
        self.given_up
    }

    /// Marks the remaining scripts as interrupted from now on.
    pub(crate) fn interrupt_scripts(&mut self, now: Time) {
        self.interrupting_since = Some(now);
    }

    /// The time since which the remaining scripts are being interrupted.
    pub(crate) fn scripts_interrupted(&self) -> Option<Time> {
        self.interrupting_since
    }

    /// Stores what the run waited for when nothing else could happen.
    pub(crate) fn remember(&mut self, waiting: Waiting) {
        self.waiting = Some(waiting);
    }

    /// What the run waited for then.
    pub(crate) fn waiting(&self) -> Option<&Waiting> {
        self.waiting.as_ref()
    }

    /// Closes the run.
    pub(crate) fn close(&mut self, outcome: Footer) {
        self.outcome = Some(outcome);
    }

    /// Returns whether the run is closed.
    pub(crate) fn is_closed(&self) -> bool {
        self.outcome.is_some()
    }

    /// The footer of a closed run.
    pub(crate) fn outcome(&self) -> Option<&Footer> {
        self.outcome.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_reason_counts() {
        let mut end = RunEnd::default();
        assert!(!end.has_begun());
        end.begin(EndReason::Waiting);
        end.begin(EndReason::Interrupted);
        assert_eq!(end.reason(), Some(EndReason::Waiting));
    }

    #[test]
    fn an_interrupt_counts_once_and_waits_for_the_last_stop() {
        let mut end = RunEnd::default();
        assert!(end.interrupt(Time::from_millis(1)));
        assert!(!end.interrupt(Time::from_millis(2)));
        assert_eq!(end.interrupted(), Some(Time::from_millis(1)));
        end.wind_down();
        end.wind_down();
        assert!(!end.wound_down());
        assert!(end.wound_down());
    }

    #[test]
    fn a_run_is_given_up_once() {
        let mut end = RunEnd::default();
        assert!(end.give_up());
        assert!(!end.give_up());
        assert!(end.given_up() && !end.has_begun(), "why it ends is for the engine to say");
    }
}
