//! Real time: when a script that has the turn has had its start, so that the next one may begin.

use super::hub::Strand;
use super::{Interpreter, Usage};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// How long a running script has the turn, on the wall clock, before the dispatcher looks at it and sees to native work.
/// Most scripts return or block in a small part of it, and then a hop costs no change of threads at all.
pub(super) const GRACE: Duration = Duration::from_micros(200);
/// Time on the processor after which a script that was entered has had its start. It is not counted on the wall clock: on
/// a busy machine a script may have been entered long ago and not have got to its first line.
const START: Duration = Duration::from_millis(5);
/// How long a script that was entered and sleeps may wait for its turn in the interpreter; longer, and it waits for
/// something behind our back.
const ASLEEP: Duration = Duration::from_millis(5);
/// A start on the wall clock, where the system does not tell what a thread does.
const UNKNOWN: Duration = Duration::from_millis(20);

/// What there is to see of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seen {
    /// It was another one at the last look, or that was a moment ago.
    New,
    /// Its script has not had its start.
    Waits,
    /// Its script has.
    Had,
}

/// What the dispatcher remembers of the turn from look to look.
#[derive(Default)]
pub(super) struct Start {
    turn: u64,
    since: Option<Instant>,
    before: Option<Usage>,
    /// Asleep since then, whenever it was looked at.
    asleep: Option<Instant>,
}

impl Start {
    /// Looks at who has the turn: the strand, and the number of its turn.
    pub(super) fn look(
        &mut self,
        interpreter: &impl Interpreter,
        holder: &Arc<Strand>,
        turn: u64,
        now: Instant,
    ) -> Seen {
        let threads = (holder.script_thread.load(Ordering::Acquire), holder.system_thread.load(Ordering::Acquire));
        let usage = || interpreter.usage(threads.0, threads.1);
        let Some(since) = self.since.filter(|_| self.turn == turn) else {
            *self = Self { turn, since: Some(now), before: usage(), asleep: None };
            return Seen::New;
        };
        if now - since < GRACE {
            return Seen::New;
        }
        if !holder.entered.load(Ordering::Acquire) {
            interpreter.look_whether_entered(threads.0);
            return Seen::Waits;
        }
        let usage = usage();
        let had = match (usage, self.before) {
            (Some(usage), Some(before)) => {
                let asleep = usage.asleep.then(|| *self.asleep.get_or_insert(now));
                self.asleep = asleep;
                usage.busy.saturating_sub(before.busy) >= START || asleep.is_some_and(|since| now - since >= ASLEEP)
            }
            _ => {
                self.before = usage;
                now - since >= UNKNOWN
            }
        };
        if had { Seen::Had } else { Seen::Waits }
    }
}
