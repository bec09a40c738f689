//! What happens in a runner, to be told: in a trace, to tests.

use super::{BehaviorId, Control, End, Refusal, Runner, Ticket};
use boxstep_trace::{DelegationEvent, Request};
use std::sync::Arc;

/// One thing that happened to a behavior.
#[derive(Clone, Debug, PartialEq)]
pub struct Happened {
    /// Whom it happened to; `None` for the runner itself.
    pub of: Option<BehaviorId>,
    /// What.
    pub what: What,
    /// What caused it: counts what is taken together with it, from 1; 0 for the tick.
    pub cause: u32,
}

/// What happened.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// It is coming into scope, which takes time.
    Entering,
    /// It is in scope.
    Entered,
    /// It was given control.
    Activated(Ticket),
    /// It delegated to these, side by side; the tickets count from the first.
    Delegated(Arc<[BehaviorId]>, Ticket),
    /// What it delegated to waits until somebody has wound down.
    Waits(Ticket),
    /// A request of its was refused: which, to whom, why.
    Refused(Request, Option<BehaviorId>, Refusal),
    /// Its delegation has ended.
    Ended(Ticket, End),
    /// It has ended, and is activated again by the same delegation ([`Runner::reload_by_force`]).
    Restarts(Ticket),
    /// It is winding down, which takes time.
    Stopping,
    /// It has lost control.
    Deactivated,
    /// It was not settled in time, and is regarded as settled.
    Forced,
    /// It is leaving scope, which takes time.
    Leaving,
    /// It has left scope.
    Left,
    /// Control went round in no time; the last two that had it.
    Livelock(BehaviorId, BehaviorId),
    /// The runner has stopped.
    Stopped,
    /// What it tells of itself, and nobody has asked for: [`Control::tell`].
    Told(Box<DelegationEvent>),
}

impl Control<'_> {
    /// Does anybody read the account? If not, nothing that is told has to be found out.
    pub fn tells(&self) -> bool {
        self.runner.account.on
    }

    /// What has happened since this was asked last, in the midst of a call, and what caused the call: it stays in the account.
    pub fn untold(&mut self) -> (Vec<Happened>, u32) {
        let account = &mut self.runner.account;
        let told = std::mem::replace(&mut account.told, account.all.len());
        (account.all.get(told..).unwrap_or_default().to_vec(), account.cause)
    }

    /// Tells something of this behavior that the runner does not know, such as why it does not want to run, for whoever reads the
    /// trace. Nothing follows from it. How much is told is the behavior's to bound.
    pub fn tell(&mut self, told: DelegationEvent) {
        self.runner.note(self.me, || What::Told(Box::new(told)));
    }
}

/// What has happened since somebody took it.
#[derive(Default)]
pub(super) struct Account {
    pub(super) on: bool,
    pub(super) all: Vec<Happened>,
    /// How much of it has been told already ([`Control::untold`]).
    pub(super) told: usize,
    /// What is going on, as a cause of what happens.
    pub(super) cause: u32,
}

impl Runner {
    /// Keeps (or no longer keeps) an account of what happens. Off, that costs one question.
    pub fn keep_account(&mut self, on: bool) {
        self.account.on = on;
    }

    /// What has happened since this was asked last, in order.
    pub fn take_account(&mut self) -> Vec<Happened> {
        (self.account.cause, self.account.told) = (0, 0);
        // Who is told in a later tick is told for a cause of that tick.
        for notice in &mut self.state.notices {
            notice.cause = 0;
        }
        std::mem::take(&mut self.account.all)
    }

    /// Takes note of something, and gives its number; 0 if nobody wants to know.
    #[inline]
    pub(super) fn note(&mut self, of: u32, what: impl FnOnce() -> What) -> u32 {
        if !self.account.on {
            return 0;
        }
        let (cause, what) = (self.account.cause, what());
        let of = (of != super::state::NONE).then_some(BehaviorId(of));
        self.account.all.push(Happened { of, what, cause });
        self.account.all.len() as u32
    }

    /// The same, and what happens from now on follows from it; gives what had been the cause before.
    pub(super) fn note_cause(&mut self, of: u32, what: impl FnOnce() -> What) -> u32 {
        let number = self.note(of, what);
        if number == 0 { self.account.cause } else { std::mem::replace(&mut self.account.cause, number) }
    }
}
