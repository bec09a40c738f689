//! Events of a runner, for traces and tests.

use super::{BehaviorId, Control, End, Refusal, Runner, Ticket};
use boxstep_trace::{DelegationEvent, Request};
use std::sync::Arc;

/// An event of a behavior.
#[derive(Clone, Debug, PartialEq)]
pub struct Happened {
    /// The behavior; `None` for the runner itself.
    pub of: Option<BehaviorId>,
    /// The kind of the event.
    pub what: What,
    /// The number of the event that caused it, counted from 1 in the batch returned together with it; 0 for the tick.
    pub cause: u32,
}

/// The kind of an event.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// It is entering scope, which takes time.
    Entering,
    /// It has entered scope.
    Entered,
    /// It was given control.
    Activated(Ticket),
    /// It delegated to these behaviors, side by side; their tickets count from the first.
    Delegated(Arc<[BehaviorId]>, Ticket),
    /// Its delegation waits until other behaviors have wound down.
    Waits(Ticket),
    /// Its request was refused: the request, the delegate, the reason.
    Refused(Request, Option<BehaviorId>, Refusal),
    /// Its delegation has ended.
    Ended(Ticket, End),
    /// It has ended, and is activated again under the same ticket ([`Runner::reload_by_force`]).
    Restarts(Ticket),
    /// It is winding down, which takes time.
    Stopping,
    /// It has lost control.
    Deactivated,
    /// It has not settled in time, and is regarded as settled.
    Forced,
    /// It is leaving scope, which takes time.
    Leaving,
    /// It has left scope.
    Left,
    /// There was a livelock; these are the last two behaviors that had control.
    Livelock(BehaviorId, BehaviorId),
    /// The runner has stopped.
    Stopped,
    /// An event that the behavior itself has traced with [`Control::tell`].
    Told(Box<DelegationEvent>),
}

impl Control<'_> {
    /// Returns whether events are recorded. If not, a behavior need not compute what it would trace.
    pub fn tells(&self) -> bool {
        self.runner.events.on
    }

    /// The events since the last call of this method, during a call of the behavior, and the cause of that call. They stay recorded.
    pub fn untold(&mut self) -> (Vec<Happened>, u32) {
        let events = &mut self.runner.events;
        let seen = std::mem::replace(&mut events.seen, events.all.len());
        (events.all.get(seen..).unwrap_or_default().to_vec(), events.cause)
    }

    /// Traces something about this behavior that the runner does not know, such as why it does not want to run. It has no other effect.
    /// The behavior must bound how much it traces.
    pub fn tell(&mut self, event: DelegationEvent) {
        self.runner.note(self.me, || What::Told(Box::new(event)));
    }
}

/// The events since they were last taken.
#[derive(Default)]
pub(super) struct EventLog {
    pub(super) on: bool,
    pub(super) all: Vec<Happened>,
    /// How many of them [`Control::untold`] has already returned.
    pub(super) seen: usize,
    /// The number of the event that causes the next ones.
    pub(super) cause: u32,
}

impl Runner {
    /// Switches recording of events on or off. While it is off it costs one comparison per event.
    pub fn keep_account(&mut self, on: bool) {
        self.events.on = on;
    }

    /// The events since the last call of this method, in order.
    pub fn take_account(&mut self) -> Vec<Happened> {
        (self.events.cause, self.events.seen) = (0, 0);
        // A notification in a later tick has a cause of that tick.
        for notice in &mut self.state.notices {
            notice.cause = 0;
        }
        std::mem::take(&mut self.events.all)
    }

    /// Records an event, and returns its number; 0 if recording is off.
    #[inline]
    pub(super) fn note(&mut self, of: u32, what: impl FnOnce() -> What) -> u32 {
        if !self.events.on {
            return 0;
        }
        let (cause, what) = (self.events.cause, what());
        let of = (of != super::state::NONE).then_some(BehaviorId(of));
        self.events.all.push(Happened { of, what, cause });
        self.events.all.len() as u32
    }

    /// The same, and makes it the cause of the next events; returns the previous cause.
    pub(super) fn note_cause(&mut self, of: u32, what: impl FnOnce() -> What) -> u32 {
        let number = self.note(of, what);
        if number == 0 { self.events.cause } else { std::mem::replace(&mut self.events.cause, number) }
    }
}
