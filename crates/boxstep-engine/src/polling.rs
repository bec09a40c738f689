//! In virtual time, handles scripts that wait by polling: by reading the clock or calling services repeatedly, or by
//! sleeping for no time. (The scheduler reads the clock with each call.) The clock moves for them, and polling has a
//! limit (`docs/reference/blocking.md`).

use crate::behaviors::Behaviors;
use crate::context::Context;
use crate::follow_up::FollowUp;
use crate::graph::Graph;
use crate::protocol::{Request, TaskId};
use crate::run_end::RunEnd;
use crate::runner::host::Runners;
use crate::tasks::{Task, Tasks};
use crate::trace::{EndReason, PathId};
use boxstep_types::Time;

/// The number of polls at one instant, of all scripts together, after which time passes for a script that polls.
const MANY: u32 = 1000;
/// A script that polls less often than this at an instant does not count as polling.
const FEW: u32 = 10;
/// The least time that passes for a poll.
const STEP: Time = Time::from_millis(1);
/// The time that passes for a poll is also at least this part (1 / `PART`) of how long the script has polled: one that
/// polls for minutes need not poll every millisecond.
const PART: i64 = 50;
/// The most time that passes for a poll: many scripts that poll by turns would be years apart otherwise.
const LONGEST: Time = Time::from_millis(10_000);
/// The number of polls for which a sleep of no time counts: such a sleep only serves to wait, and letting other scripts
/// run takes far longer.
const SLEEP: u32 = 10;
/// The number of polls, of all polling scripts together and without any other wait, after which a script gets an error.
const MOST: u64 = 500_000;

/// The polls of all scripts at one instant.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Polls {
    at: Time,
    count: u32,
    /// The place where a script has last got an error for polling.
    erring: Option<PathId>,
}

/// The kind of a poll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PollKind {
    /// The script reads the clock.
    Clock,
    /// The script sleeps for no time.
    Sleep,
}

impl PollKind {
    /// Returns how a request of a script polls; `None` if it does not.
    pub(crate) fn of(request: &Request, now: Time) -> Option<Self> {
        match request {
            Request::Now => Some(Self::Clock),
            Request::Block { until: Some(at), .. } if *at <= now => Some(Self::Sleep),
            _ => None,
        }
    }

    fn weight(self) -> u32 {
        match self {
            PollKind::Clock => 1,
            PollKind::Sleep => SLEEP,
        }
    }
}

/// The polls of a task.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Polling {
    /// The instant of the last poll, and the number of polls at it.
    last: Time,
    count: u32,
    /// The time until which the task waits between polls.
    until: Time,
    /// The beginning of the polling, and the polls since then.
    since: Time,
    all: u64,
    /// Whether the script gets errors. Scripts that poll together get them together, because one that ended alone would
    /// leave its share of polls to the others.
    gets_errors: bool,
}

/// The result of a poll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PollResult {
    /// The script continues.
    Free,
    /// The script must wait until this time.
    Wait(Time),
    /// The script polls without end.
    Over,
}

impl Polling {
    fn count(&mut self, now: Time, kind: PollKind) {
        if self.last != now {
            if self.all == 0 || self.until != now {
                // The task has waited in another way since.
                (self.since, self.all, self.gets_errors) = (now, 0, false);
            }
            (self.last, self.count) = (now, 0);
        }
        self.count += 1;
        self.all += u64::from(kind.weight());
    }

    /// Returns whether the script has got an error in its current polling.
    pub(crate) fn gets_errors(&self) -> bool {
        self.gets_errors
    }

    /// Returns whether the task polls at this instant, or waits for its next poll.
    fn goes_on(&self, now: Time) -> bool {
        self.all > 0 && (self.last == now || self.until >= now)
    }
}

impl Tasks {
    /// Notes that a task waits until this time before its next poll.
    pub(crate) fn polls_again_at(&mut self, task: TaskId, at: Time) {
        if let Some(t) = self.get_mut(task) {
            t.polling.until = at;
        }
    }

    /// The polls of all tasks that are polling now.
    fn all_polls(&self, cx: &Context) -> u64 {
        let now = cx.now();
        self.iter().map(|(_, t)| t.polling).filter(|p| p.goes_on(now)).map(|p| p.all).sum()
    }
}

impl Polls {
    /// Counts a poll of a task. Has no effect in real time. If the task gets the error, and the scripts poll on
    /// nevertheless, the run ends.
    pub(crate) fn poll(
        &mut self,
        (cx, graph): (&mut Context, &Graph),
        tasks: &mut Tasks,
        runners: &Runners,
        end: &RunEnd,
        task: TaskId,
        kind: PollKind,
    ) -> (PollResult, Option<FollowUp>) {
        let result = self.count(cx, tasks, task, kind);
        if result != PollResult::Over {
            return (result, None);
        }
        let place = tasks.get(task).and_then(|t| t.place);
        let path = runners.hook_path(tasks, task).unwrap_or_else(|| graph.place_path(place));
        self.erring = Some(path);
        let ends = !end.has_begun() && tasks.all_polls(cx) > 2 * MOST;
        (result, ends.then(|| cx.polls_without_end(path)))
    }

    /// Counts a poll of a task. Has no effect in real time.
    fn count(&mut self, cx: &Context, tasks: &mut Tasks, task: TaskId, kind: PollKind) -> PollResult {
        let now = cx.now();
        if !cx.clock.is_virtual() {
            return PollResult::Free;
        }
        let Some(t) = tasks.get_mut(task) else { return PollResult::Free };
        if self.at != now {
            *self = Polls { at: now, count: 0, ..*self };
        }
        self.count = self.count.saturating_add(kind.weight());
        t.polling.count(now, kind);
        let polling = t.polling;
        if polling.gets_errors {
            return PollResult::Over;
        }
        if self.count < MANY || polling.count < FEW {
            return PollResult::Free;
        }
        if tasks.all_polls(cx) > MOST {
            let now_polling = |t: &&mut Task| t.polling.goes_on(now);
            tasks.iter_mut().filter(now_polling).for_each(|t| t.polling.gets_errors = true);
            return PollResult::Over;
        }
        let passes = Time((now - polling.since).0 / PART).min(LONGEST);
        PollResult::Wait(now + STEP.max(passes))
    }

    /// If the error of a polling script had no effect, returns the path of the script: a run in which nothing is left
    /// but to wait is no success then.
    pub(crate) fn error_without_effect(&self, behaviors: &Behaviors) -> Option<PathId> {
        self.erring.filter(|_| behaviors.all.iter().all(|b| b.failure.is_none()))
    }
}

impl Context {
    /// Ends the run because a script polls without end.
    pub(crate) fn polls_without_end(&mut self, path: PathId) -> FollowUp {
        self.warn(path, "its script polls without end");
        FollowUp::StopAll(EndReason::Livelock)
    }
}

/// The error message for a script that polls without end.
pub(crate) fn error_text() -> String {
    format!(
        "the clock was read or a service called {MOST} times without a wait in between (a sleep of no length counts as \
         {SLEEP}): in virtual time nothing happens while a script polls. Sleep between the reads"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::ClockKind;
    use crate::protocol::{CallbackId, Order};
    use crate::tasks::{NewTask, Role};
    use crate::tracer::Tracer;

    fn task(cx: &Context, tasks: &mut Tasks) -> TaskId {
        let callback = CallbackId(0);
        let (role, order) = (Role::Callback(callback), Order::Deliver { callback, args: Vec::new() });
        let new = NewTask { role, order, owner: None, place: None, life: 0, what: "thread".into() };
        tasks.add(new, cx.now(), cx.cause())
    }

    #[test]
    fn time_passes_for_a_script_that_polls_and_the_more_the_longer_it_has_polled() {
        let mut cx = Context::new(ClockKind::Virtual, Tracer::default());
        let (mut polls, mut tasks) = (Polls::default(), Tasks::default());
        let (one, other) = (task(&cx, &mut tasks), task(&cx, &mut tasks));
        let mut until_wait = |cx: &Context, tasks: &mut Tasks| {
            let mut reads = 0;
            loop {
                match polls.count(cx, tasks, one, PollKind::Clock) {
                    PollResult::Wait(at) => return (reads, at),
                    result => assert_eq!(result, PollResult::Free),
                }
                reads += 1;
            }
        };
        assert_eq!(until_wait(&cx, &mut tasks), (MANY - 1, STEP));
        let later = Time::from_millis(10_000);
        tasks.polls_again_at(one, later);
        cx.clock.advance(later);
        assert_eq!(until_wait(&cx, &mut tasks).1, later + Time(later.0 / PART));
        assert_eq!(polls.count(&cx, &mut tasks, other, PollKind::Clock), PollResult::Free, "it has only read once");
    }
}
