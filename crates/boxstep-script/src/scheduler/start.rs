//! Real time: decides when the script that has the turn has started, so that the next script may begin.
//!
//! A script has *started* once its function has been entered and has got its share of the processor.

use super::hub::Worker;
use super::{Interpreter, Usage};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Real time: the interval between two observations of the script that has the turn; also how long a script without
/// the turn has to let the engine dispatch the work that it has queued, before the dispatcher does. Most scripts
/// return or block in a small part of this time, so that a hop between scripts costs no change of threads.
pub(super) const GRACE: Duration = Duration::from_micros(200);
/// The processor time after which an entered script counts as started. It is not wall-clock time: on a busy machine a
/// script may have been entered long ago without reaching its first line. A script that computes without a break
/// delays each call between two of its steps by this much, or by a multiple of it on a processor that many threads
/// share.
const START: Duration = Duration::from_millis(10);
/// How long an entered script may sleep without a break, other than for the engine's lock; a longer sleep means that it
/// waits for something unknown to the engine. A thread that waits for Python's lock wakes up every half millisecond to
/// ask for it, except while the hypervisor gives this machine's processor to another one.
const ASLEEP: Duration = Duration::from_millis(20);
/// The wall-clock time after which an entered script counts as started in any case. On a busy machine other threads
/// take the processor, or Python's lock, for a surprisingly long time.
const LONGEST: Duration = Duration::from_secs(1);
/// The same limit where the system does not report processor time; also how long native work waits for a script that
/// has not started, if another script keeps it out of the interpreter.
const LATE: Duration = Duration::from_millis(20);
/// How much processor time the other threads must have used by then, for the conclusion that they keep the script out.
const OTHERS: Duration = Duration::from_millis(10);
/// How long native work waits for a script in any case.
const PATIENCE: Duration = Duration::from_millis(60);

/// The state of a turn, as observed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TurnState {
    /// The script has not started.
    NotStarted,
    /// The script has not started, and native work has waited long enough.
    Late,
    /// The script has started.
    Started,
}

/// What the dispatcher remembers of the turn between observations.
#[derive(Default)]
pub(super) struct StartWatch {
    turn: u64,
    since: Option<Instant>,
    before: Option<Usage>,
    /// The processor time of the other threads at the start of the turn.
    others: Option<Duration>,
    /// Since when the thread has been asleep, and its processor time then.
    asleep: Option<(Instant, Duration)>,
}

impl StartWatch {
    /// Observes the holder of the turn with number `turn`.
    pub(super) fn observe(
        &mut self,
        interpreter: &impl Interpreter,
        holder: &Arc<Worker>,
        turn: u64,
        now: Instant,
    ) -> TurnState {
        let others = || interpreter.others();
        let threads = (holder.script_thread.load(Ordering::Acquire), holder.system_thread.load(Ordering::Acquire));
        let usage = || interpreter.usage(threads.0, threads.1);
        let Some(since) = self.since.filter(|_| self.turn == turn) else {
            *self = Self { turn, since: Some(now), before: usage(), others: others(), asleep: None };
            return TurnState::NotStarted;
        };
        if now - since < GRACE {
            return TurnState::NotStarted;
        }
        let kept_out = || match (others(), self.others) {
            (Some(now), Some(before)) => now.saturating_sub(before) >= OTHERS,
            _ => true,
        };
        let late = now - since >= PATIENCE || now - since >= LATE && kept_out();
        let waits = if late { TurnState::Late } else { TurnState::NotStarted };
        if !holder.entered.load(Ordering::Acquire) {
            interpreter.look_whether_entered(threads.0);
            return waits;
        }
        let usage = usage();
        let had = match (usage, self.before) {
            (Some(usage), Some(before)) => {
                self.asleep = match self.asleep {
                    _ if !usage.asleep || holder.asks.load(Ordering::Relaxed) => None,
                    Some(asleep) if asleep.1 == usage.busy => Some(asleep),
                    _ => Some((now, usage.busy)),
                };
                usage.computed_since(&before) >= START
                    || self.asleep.is_some_and(|(since, _)| now - since >= ASLEEP)
                    || now - since >= LONGEST
            }
            // The thread of a new worker began after the turn. It counts from here.
            (Some(_), None) => {
                self.before = usage;
                false
            }
            (None, _) => now - since >= LATE,
        };
        if had { TurnState::Started } else { waits }
    }
}

#[cfg(test)]
mod tests {
    use super::super::hub::Hub;
    use super::*;
    use boxstep_engine::protocol::{Order, ScriptError};
    use boxstep_types::Value;
    use std::sync::Mutex;
    use std::sync::atomic::AtomicBool;

    /// An interpreter that says of every thread what a test has set.
    struct Told(Mutex<Option<Usage>>);

    impl Told {
        fn says(&self, ms: u64, slices: u64, asleep: bool) {
            *self.0.lock().unwrap() = Some(Usage { busy: Duration::from_millis(ms), slices, asleep });
        }
    }

    impl Interpreter for Told {
        fn attach(&self, _: &mut dyn FnMut()) {}
        fn detached(&self, _: &mut (dyn FnMut() + Send)) {}
        fn run(&self, _: Order, _: &Arc<AtomicBool>) -> Result<Value, ScriptError> {
            Ok(Value::Null)
        }
        fn thread(&self) -> u64 {
            0
        }
        fn interrupt(&self, _: u64, _: &dyn Fn() -> bool) {}
        fn clear_interrupt(&self) {}
        fn usage(&self, _: u64, _: u32) -> Option<Usage> {
            *self.0.lock().unwrap()
        }
        fn others(&self) -> Option<Duration> {
            None
        }
    }

    #[test]
    fn a_script_has_started_once_it_has_computed_or_sleeps_for_something_unknown() {
        let told = Told(Mutex::new(None));
        let worker = Hub::default().appoint().remove(0).0;
        let (mut watch, begin) = (StartWatch::default(), Instant::now());
        let mut at = |ms| watch.observe(&told, &worker, 1, begin + Duration::from_millis(ms)) == TurnState::Started;
        // The thread begins long after the turn, and has done nothing yet.
        assert!(!at(0));
        worker.entered.store(true, Ordering::Release);
        told.says(3, 5, false);
        assert!(!at(100));
        // It asks for the interpreter's lock again and again.
        told.says(15, 1_000, true);
        assert!(!at(300));
        // It waits for the engine's lock, and is not blamed for it.
        worker.asks.store(true, Ordering::Relaxed);
        assert!(!at(400) && !at(450));
        worker.asks.store(false, Ordering::Relaxed);
        assert!(!at(460) && at(480));
        told.says(35, 1_100, false);
        assert!(at(490));
    }
}
