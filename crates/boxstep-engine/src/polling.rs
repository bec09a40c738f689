//! Virtual time: scripts that wait by looking at the clock again and again, or by sleeping for nothing. The clock moves
//! for them, and there is an end to it (`docs/blocking.md`).

use crate::Engine;
use crate::protocol::TaskId;
use crate::trace::EndReason;
use boxstep_types::Time;

/// After so many looks at one instant, of all scripts together, time passes for who looks.
const LOOKS: u32 = 1000;
/// Who looks less often at an instant does not poll.
const FEW: u32 = 10;
/// How much time passes at least.
const STEP: Time = Time::from_millis(1);
/// The same as a part of how long it has polled: who polls for minutes does not look every millisecond.
const PART: i64 = 50;
/// After so many looks without a wait of any other kind, of all that poll together, a script is told to leave off.
const MOST: u64 = 500_000;

/// The looks of all scripts at one instant.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Polls {
    at: Time,
    count: u32,
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
    fn look(&mut self, now: Time) {
        if self.last != now {
            if self.all == 0 || self.until != now {
                // It has waited in another way meanwhile.
                (self.since, self.all) = (now, 0);
            }
            (self.last, self.count) = (now, 0);
        }
        self.count += 1;
        self.all += 1;
    }

    /// It looks at this instant, or waits to look again.
    fn goes_on(&self, now: Time) -> bool {
        self.all > 0 && (self.last == now || self.until >= now)
    }
}

impl Engine {
    /// A task looks at the clock, or sleeps for nothing.
    pub(crate) fn poll(&mut self, task: TaskId) -> PollResult {
        let now = self.clock.now();
        if !self.clock.is_virtual() {
            return PollResult::Free;
        }
        let Some(t) = self.tasks.get_mut(task) else { return PollResult::Free };
        if self.polls.at != now {
            self.polls = Polls { at: now, count: 0 };
        }
        self.polls.count = self.polls.count.saturating_add(1);
        t.polling.look(now);
        let (polling, place) = (t.polling, t.place);
        if self.polls.count < LOOKS || polling.count < FEW {
            return PollResult::Free;
        }
        let all: u64 = self.tasks.iter().map(|(_, t)| t.polling).filter(|p| p.goes_on(now)).map(|p| p.all).sum();
        if all > 2 * MOST && !self.end.has_begun() {
            // It does not want to hear.
            let path = self.hook_path(task).unwrap_or_else(|| self.place_path(place));
            self.warn(path, "its script polls the clock without end");
            self.stop_all(EndReason::Livelock);
        }
        if all > MOST {
            return PollResult::Over;
        }
        PollResult::Wait(now + STEP.max(Time((now - polling.since).0 / PART)))
    }

    /// A task waits until then, to look again.
    pub(crate) fn looks_again(&mut self, task: TaskId, at: Time) {
        if let Some(t) = self.tasks.get_mut(task) {
            t.polling.until = at;
        }
    }
}

/// What a script is told that polls without end.
pub(crate) fn told() -> String {
    format!(
        "{MOST} looks at the clock without a wait in between: in virtual time nothing happens while a script polls. \
         Sleep between the looks"
    )
}
