//! How far the end of a run has come: it is asked to end, its behaviors stop, what is left of scripts is interrupted, and it is
//! closed.
//!
//! Only the state. What has to be done at each step is in `shutdown.rs` and `stop.rs`.

use crate::trace::{EndReason, Footer};
use crate::waits::Wait;
use boxstep_types::Time;

/// The end of a run.
#[derive(Default)]
pub(crate) struct RunEnd {
    reason: Option<EndReason>,
    interrupted: Option<Time>,
    /// Interrupted boxes whose stop is not over.
    winding_down: usize,
    given_up: bool,
    /// Since when what is left of scripts is being interrupted.
    interrupting_since: Option<Time>,
    waiting: Option<Waiting>,
    outcome: Option<Footer>,
}

/// What a run waited for when nothing else could happen.
pub(crate) struct Waiting {
    /// Topics and resources.
    pub(crate) topics: Vec<String>,
    /// The same by box.
    pub(crate) waits: Vec<Wait>,
}

impl RunEnd {
    /// The run is to end. The first reason counts.
    pub(crate) fn begin(&mut self, reason: EndReason) {
        self.reason.get_or_insert(reason);
    }

    /// It ends, or has ended.
    pub(crate) fn has_begun(&self) -> bool {
        self.reason.is_some()
    }

    /// Why it ends.
    pub(crate) fn reason(&self) -> Option<EndReason> {
        self.reason
    }

    /// It is interrupted. False if it was before.
    pub(crate) fn interrupt(&mut self, now: Time) -> bool {
        let first = self.interrupted.is_none();
        self.interrupted.get_or_insert(now);
        first
    }

    /// When it was interrupted.
    pub(crate) fn interrupted(&self) -> Option<Time> {
        self.interrupted
    }

    /// One more stop that the interrupt waits for.
    pub(crate) fn wind_down(&mut self) {
        self.winding_down += 1;
    }

    /// One of these stops is over. True if it was the last.
    pub(crate) fn wound_down(&mut self) -> bool {
        self.winding_down = self.winding_down.saturating_sub(1);
        self.winding_down == 0
    }

    /// Everything is left as it is. False if it was before.
    pub(crate) fn give_up(&mut self) -> bool {
        !std::mem::replace(&mut self.given_up, true)
    }

    /// Everything is left as it is.
    pub(crate) fn given_up(&self) -> bool {
        self.given_up
    }

    /// What is left of scripts is interrupted from now on.
    pub(crate) fn interrupt_scripts(&mut self, now: Time) {
        self.interrupting_since = Some(now);
    }

    /// Since when what is left of scripts is interrupted.
    pub(crate) fn scripts_interrupted(&self) -> Option<Time> {
        self.interrupting_since
    }

    /// Nothing could happen any more but what it waits for.
    pub(crate) fn remember(&mut self, waiting: Waiting) {
        self.waiting = Some(waiting);
    }

    /// What it waited for then.
    pub(crate) fn waiting(&self) -> Option<&Waiting> {
        self.waiting.as_ref()
    }

    /// The run is over.
    pub(crate) fn close(&mut self, outcome: Footer) {
        self.outcome = Some(outcome);
    }

    /// The run is over.
    pub(crate) fn is_closed(&self) -> bool {
        self.outcome.is_some()
    }

    /// How it has ended.
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
