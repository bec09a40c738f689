//! Virtual time: scripts that wait by looking at the clock again and again, or by sleeping for nothing. The clock moves
//! for them, and there is an end to it (`docs/blocking.md`).

use crate::Engine;
use crate::context::Context;
use crate::ids::BoxId;
use crate::protocol::TaskId;
use crate::tasks::{Task, Tasks};
use crate::trace::{EndReason, PathId};
use boxstep_types::Time;

/// After so many looks at one instant, of all scripts together, time passes for who looks.
const LOOKS: u32 = 1000;
/// Who looks less often at an instant does not poll.
const FEW: u32 = 10;
/// How much time passes at least.
const STEP: Time = Time::from_millis(1);
/// The same as a part of how long it has polled: who polls for minutes does not look every millisecond.
const PART: i64 = 50;
/// How much passes at most: many that poll by turns would be years apart otherwise.
const LONGEST: Time = Time::from_millis(10_000);
/// As how many looks at the clock a sleep of no length counts: nobody needs that for anything but to wait, and to have others run
/// takes far longer.
const SLEEP: u32 = 10;
/// After so many looks without a wait of any other kind, of all that poll together, a script is told to leave off.
const MOST: u64 = 500_000;

/// The looks of all scripts at one instant.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Polls {
    at: Time,
    count: u32,
    /// Where somebody was told to leave off.
    told: Option<PathId>,
}

/// What a task does again and again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    /// It reads the clock.
    Clock,
    /// It sleeps for nothing.
    Sleep,
}

impl Look {
    fn weight(self) -> u32 {
        match self {
            Look::Clock => 1,
            Look::Sleep => SLEEP,
        }
    }
}

/// How a task polls.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Polling {
    /// When it last looked, and how often at that instant.
    last: Time,
    count: u32,
    /// Until when it waits between looks.
    until: Time,
    /// When it began, and its looks since.
    since: Time,
    all: u64,
    /// It is told to leave off: those that poll together end together, for each that ended alone would leave its looks to the others.
    told: bool,
}

/// What a look comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PollResult {
    /// The script goes on.
    Free,
    /// It has to wait until then.
    Wait(Time),
    /// It polls without end.
    Over,
}

impl Polling {
    fn look(&mut self, now: Time, look: Look) {
        if self.last != now {
            if self.all == 0 || self.until != now {
                // It has waited in another way meanwhile.
                (self.since, self.all, self.told) = (now, 0, false);
            }
            (self.last, self.count) = (now, 0);
        }
        self.count += 1;
        self.all += u64::from(look.weight());
    }

    /// Was it told to leave off, in this time that it polls?
    pub(crate) fn told(&self) -> bool {
        self.told
    }

    /// It looks at this instant, or waits to look again.
    fn goes_on(&self, now: Time) -> bool {
        self.all > 0 && (self.last == now || self.until >= now)
    }
}

impl Tasks {
    /// A task waits until then, to look again.
    pub(crate) fn looks_again(&mut self, task: TaskId, at: Time) {
        if let Some(t) = self.get_mut(task) {
            t.polling.until = at;
        }
    }

    /// The looks of all that poll now.
    fn all_looks(&self, cx: &Context) -> u64 {
        let now = cx.now();
        self.iter().map(|(_, t)| t.polling).filter(|p| p.goes_on(now)).map(|p| p.all).sum()
    }
}

impl Engine {
    /// A task looks at the clock, or sleeps for nothing.
    pub(crate) fn poll(&mut self, task: TaskId, look: Look) -> PollResult {
        let now = self.cx.now();
        if !self.cx.clock.is_virtual() {
            return PollResult::Free;
        }
        let Some(t) = self.tasks.get_mut(task) else { return PollResult::Free };
        if self.polls.at != now {
            self.polls = Polls { at: now, count: 0, ..self.polls };
        }
        self.polls.count = self.polls.count.saturating_add(look.weight());
        t.polling.look(now, look);
        let (polling, place) = (t.polling, t.place);
        if polling.told {
            return self.end_polling(task, place);
        }
        if self.polls.count < LOOKS || polling.count < FEW {
            return PollResult::Free;
        }
        if self.tasks.all_looks(&self.cx) > MOST {
            let now_polling = |t: &&mut Task| t.polling.goes_on(now);
            self.tasks.iter_mut().filter(now_polling).for_each(|t| t.polling.told = true);
            return self.end_polling(task, place);
        }
        let passes = Time((now - polling.since).0 / PART).min(LONGEST);
        PollResult::Wait(now + STEP.max(passes))
    }

    /// A task is told to leave off; the run ends if they go on all the same.
    fn end_polling(&mut self, task: TaskId, place: Option<BoxId>) -> PollResult {
        let path = self.runners.hook_path(&self.tasks, task).unwrap_or_else(|| self.graph.place_path(place));
        self.polls.told = Some(path);
        if !self.end.has_begun() && self.tasks.all_looks(&self.cx) > 2 * MOST {
            self.polls_without_end(path);
        }
        PollResult::Over
    }

    fn polls_without_end(&mut self, path: PathId) {
        self.cx.warn(path, "its script polls the clock without end");
        self.stop_all(EndReason::Livelock);
    }

    /// Nothing is left but to wait, and somebody was told to leave off whose error went nowhere: that is no success. False if nobody
    /// was.
    pub(crate) fn ends_polled(&mut self) -> bool {
        let told = self.polls.told.filter(|_| self.behaviors.all.iter().all(|b| b.failure.is_none()));
        if let Some(path) = told {
            self.polls_without_end(path);
        }
        told.is_some()
    }
}

/// What a script is told that polls without end.
pub(crate) fn told() -> String {
    format!(
        "{MOST} looks at the clock without a wait in between (a sleep of no length counts as {SLEEP}): in virtual time nothing \
         happens while a script polls. Sleep between the looks"
    )
}
