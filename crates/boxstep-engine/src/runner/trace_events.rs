//! Converts the events of a runner to events of its engine's trace.

use super::host::HostedRunner;
use super::{BehaviorId, By, End, Happened, What};
use crate::context::{Acts, Cause, Context};
use crate::trace::{Delegation, DelegationEnd, DelegationEvent, Kind, PathId};
use std::sync::Arc;

impl HostedRunner {
    /// Adds events of the runner to the trace, each with its cause.
    pub(super) fn trace(&mut self, cx: &mut Context, all: &[Happened]) {
        for happened in all {
            let cause = match self.number(happened.cause) {
                Cause::OUTSIDE => self.completion_event(happened),
                cause => cause,
            };
            let path = happened.of.map_or(PathId(0), |of| self.path(of.0));
            let mut event = Delegation::from(delegation(&self.names, happened));
            if let Some(of) = happened.of {
                let name = self.names.get(of.index()).filter(|name| ***name != *cx.paths.name(path));
                (event.name, event.earlier) = (name.cloned(), self.earlier.contains(&of.0).then_some(of.0));
            }
            let warning = match &event.event {
                DelegationEvent::Livelock { why, .. } => Some(why.clone()),
                _ => None,
            };
            let kind = Kind::Delegation(Box::new(event));
            let n = cx.tracer.add(cx.now(), cause, path, &cx.paths, kind);
            self.numbers.push(n);
            if self.deferred.is_some() || !self.claims.is_empty() {
                self.causes.learn(happened, n);
            }
            if let Some(text) = warning {
                cx.caused_by(n, |cx| cx.warn(path, text));
            }
        }
    }

    /// Returns the number of the trace event because of which a behavior ended by itself: the event that completed its
    /// deferred call or played behavior; for a leaf without deferred calls, its activation (it ended because time has
    /// passed). Returns no event if the cause is unknown.
    fn completion_event(&self, happened: &Happened) -> Cause {
        let (Some(of), What::Ended(_, End::Done(_) | End::Failed(_))) = (happened.of, &happened.what) else {
            return Cause::OUTSIDE;
        };
        let deferred_call = self.deferred.as_ref().map_or(Cause::OUTSIDE, |deferred| deferred.completion_event(of));
        let leaf = || self.leaves.get(of.index()).copied().unwrap_or(false);
        if deferred_call == Cause::OUTSIDE && leaf() { self.causes.activation(of.0) } else { deferred_call }
    }
}

fn delegation(names: &[Arc<str>], happened: &Happened) -> DelegationEvent {
    // A request may name a behavior of another runner.
    let name = |id: &BehaviorId| names.get(id.index()).cloned().unwrap_or_default();
    match &happened.what {
        What::Entering => DelegationEvent::Entering,
        What::Entered => DelegationEvent::Entered,
        What::Activated(ticket) => DelegationEvent::Activated { ticket: ticket.number() },
        What::Delegated(to, first) => {
            DelegationEvent::Delegated { to: to.iter().map(name).collect(), ticket: first.number() }
        }
        What::Waits(ticket) => DelegationEvent::Waits { ticket: ticket.number() },
        What::Refused(request, to, why) => {
            DelegationEvent::Refused { request: *request, to: to.iter().map(name).collect(), why: why.text().into() }
        }
        What::Restarts(ticket) => DelegationEvent::Restarts { ticket: ticket.number() },
        What::Ended(ticket, end) => DelegationEvent::Ended { ticket: ticket.number(), end: ended(names, end) },
        What::Stopping => DelegationEvent::Stopping,
        What::Deactivated => DelegationEvent::Deactivated,
        What::Forced => DelegationEvent::Forced,
        What::Leaving => DelegationEvent::Leaving,
        What::Left => DelegationEvent::Left,
        What::Livelock(one, other) => {
            let pair = [one, other].map(name);
            let why = format!("control goes round in no time: {}, {}", pair[0], pair[1]);
            DelegationEvent::Livelock { to: pair.into(), why: why.into() }
        }
        What::Stopped => DelegationEvent::Stopped,
        What::Told(told) => (**told).clone(),
    }
}

fn ended(names: &[Arc<str>], end: &End) -> DelegationEnd {
    match end {
        End::Done(value) => DelegationEnd::Done { value: value.clone() },
        End::Failed(why) => DelegationEnd::Failed { why: why.clone() },
        End::Cancelled(of) => DelegationEnd::Cancelled { why: by(names, *of) },
    }
}

/// Describes what cancelled a delegation.
pub(super) fn by(names: &[Arc<str>], of: By) -> Arc<str> {
    match of {
        By::Itself => "by itself".into(),
        By::Behavior(of) => format!("by {}", names.get(of.index()).map_or("", |name| name)).into(),
        By::Stop => "the runner was stopped".into(),
        By::Livelock => "control went round in no time".into(),
        By::Reload => "another version was taken".into(),
    }
}
