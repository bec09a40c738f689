//! Real time: when a script that has the turn has had its start, so that the next one may begin.

use super::hub::Worker;
use super::{Interpreter, Usage};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Real time: between two looks at a script that has the turn; and how long one that goes on without it has to hand out what it
/// has queued before the dispatcher does. Most scripts return or block in a small part of it, and then a hop costs no
/// change of threads at all.
pub(super) const GRACE: Duration = Duration::from_micros(200);
/// Time on the processor after which a script that was entered has had its start. It is not counted on the wall clock: on
/// a busy machine a script may have been entered long ago and not have got to its first line. Who computes on and on has each call
/// between two of its steps wait so long: on a processor that many share, a multiple of it.
const START: Duration = Duration::from_millis(10);
/// How long a script that was entered may sleep without a break; longer, and it waits for something behind our back. Who waits
/// for Python's lock wakes up to ask for it every half millisecond; but not while the computer that this one is a part of has its
/// processor do something else.
const ASLEEP: Duration = Duration::from_millis(20);
/// A start on the wall clock, for who does neither. On a busy machine others take the processor, or Python's lock, for longer than
/// one would think.
const LONGEST: Duration = Duration::from_secs(1);
/// The same where the system does not tell what a thread does; and how long native work waits for a script that has not had
/// its start, if another one keeps it out of the interpreter.
const LATE: Duration = Duration::from_millis(20);
/// How long others have been on a processor by then, if it is they who keep it out.
const OTHERS: Duration = Duration::from_millis(10);
/// How long native work waits for a script whatever may be the reason.
const PATIENCE: Duration = Duration::from_millis(60);

/// What there is to see of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seen {
    /// Its script has not had its start.
    Waits,
    /// Nor has it, and native work has waited long enough.
    Late,
    /// Its script has.
    Had,
}

/// What the dispatcher remembers of the turn from look to look.
#[derive(Default)]
pub(super) struct Start {
    turn: u64,
    since: Option<Instant>,
    before: Option<Usage>,
    /// What others had been on a processor by then.
    others: Option<Duration>,
    /// Asleep since then, with so much time on the processor.
    asleep: Option<(Instant, Duration)>,
}

impl Start {
    /// Looks at who has the turn: the worker, and the number of its turn.
    pub(super) fn look(
        &mut self,
        interpreter: &impl Interpreter,
        holder: &Arc<Worker>,
        turn: u64,
        now: Instant,
    ) -> Seen {
        let others = || interpreter.others();
        let threads = (holder.script_thread.load(Ordering::Acquire), holder.system_thread.load(Ordering::Acquire));
        let usage = || interpreter.usage(threads.0, threads.1);
        let Some(since) = self.since.filter(|_| self.turn == turn) else {
            *self = Self { turn, since: Some(now), before: usage(), others: others(), asleep: None };
            return Seen::Waits;
        };
        if now - since < GRACE {
            return Seen::Waits;
        }
        let kept_out = || match (others(), self.others) {
            (Some(now), Some(before)) => now.saturating_sub(before) >= OTHERS,
            _ => true,
        };
        let late = now - since >= PATIENCE || now - since >= LATE && kept_out();
        let waits = if late { Seen::Late } else { Seen::Waits };
        if !holder.entered.load(Ordering::Acquire) {
            interpreter.look_whether_entered(threads.0);
            return waits;
        }
        let usage = usage();
        let had = match (usage, self.before) {
            (Some(usage), Some(before)) => {
                self.asleep = match self.asleep {
                    _ if !usage.asleep => None,
                    Some(asleep) if asleep.1 == usage.busy => Some(asleep),
                    _ => Some((now, usage.busy)),
                };
                usage.busy.saturating_sub(before.busy) >= START
                    || self.asleep.is_some_and(|(since, _)| now - since >= ASLEEP)
                    || now - since >= LONGEST
            }
            _ => {
                self.before = usage;
                now - since >= LATE
            }
        };
        if had { Seen::Had } else { waits }
    }
}
