//! Drives a run from outside of the scripts: timers in real time, and time limits for scripts on both clocks. Only the
//! interrupter enters the interpreter, on a thread of its own that may have to wait for it.

use super::hub::{Posts, Worker};
use super::start::{GRACE, StartWatch, TurnState};
use super::{Interpreter, Target, WorkerPool};
use boxstep_engine::protocol::Scheduler;
use boxstep_engine::shared::{Host, Shared};
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError, mpsc};
use std::time::{Duration, Instant};

/// The interval between two checks of the scripts.
const TICK: Duration = Duration::from_millis(50);
/// The interval after some script has lost its turn, because further scripts are likely to follow.
const SHORT_TICK: Duration = Duration::from_millis(10);
/// The processor time that a holder of the turn may use without asking the engine for the next step.
const BUSY_PATIENCE: Duration = Duration::from_secs(1);
/// The wall-clock time that a holder may take once some script has lost its turn: that script may spin for ever, and
/// leaves little of the processor to others.
const PATIENCE_BESIDE_LOST: Duration = Duration::from_millis(200);
/// The time that a holder of the turn may sleep outside of Boxstep's replacements of Python's waits.
const ASLEEP_PATIENCE: Duration = Duration::from_secs(5);
/// Replaces both limits once the run is being interrupted: a loop must not delay the `onStop` of other boxes.
const STOP_PATIENCE: Duration = Duration::from_millis(150);
/// How long scripts have for their `onStop` and `onUnload` when a run is interrupted.
const STOP_BUDGET: Duration = Duration::from_millis(1500);
/// How long the interpreter may be unresponsive before that counts as a script that blocks all others.
const SILENCE: Duration = Duration::from_millis(500);
/// The limit while a behavior is being stopped, once for all of its boxes. It is a little shorter than the time limit
/// of an `onUnload` or `__del__` (2 s), so that the behavior still exists and can be ended.
const STOP_SILENCE: Duration = Duration::from_millis(1800);
/// The interval between two interrupts of the same script: a bare `except:` swallows an interrupt.
const AGAIN: Duration = Duration::from_millis(100);
/// How long interrupted scripts have to end.
const LAST_BUDGET: Duration = Duration::from_secs(1);

impl<S: Scheduler + 'static, I: Interpreter> WorkerPool<S, I> {
    /// Runs the engine to its end on the calling thread, which must not be attached to the interpreter.
    pub fn drive(&self) {
        self.0.driving.store(true, Ordering::Release);
        self.supervise();
        if !self.hub().ended {
            // No script thread could let the engine end any more.
            let mut engine = self.0.engine.lock();
            engine.give_up();
            engine.next();
        }
        let mut home = self.hub().dismiss();
        self.send(&mut home);
        *self.0.interrupter.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    fn supervise(&self) {
        let mut watch = Watch::default();
        let mut start = StartWatch::default();
        loop {
            let seen = self.0.engine.pokes();
            if !self.0.is_virtual && self.0.queued.load(Ordering::Acquire) {
                self.0.engine.wait(seen, Some(GRACE));
                self.0.queued.store(false, Ordering::Release);
            }
            let mut posts = Posts::new();
            let mut timeout = if watch.lost { SHORT_TICK } else { TICK };
            let overdue = !self.0.is_virtual && self.check_start(&mut start);
            {
                let mut engine = self.0.engine.lock();
                let mut hub = self.hub();
                if self.0.is_virtual {
                    if !hub.ended {
                        posts = hub.appoint();
                    }
                } else {
                    hub.dispatch(&mut *engine, overdue, &mut posts);
                    if let Some(alarm) = hub.alarm {
                        timeout = timeout.min(alarm.since(engine.now()));
                    }
                    if hub.holder().is_some() {
                        // Check again soon, until the script has ended, blocked or started.
                        timeout = GRACE;
                    }
                }
                if hub.is_drained() {
                    return;
                }
            }
            self.send(&mut posts);
            self.0.engine.wait(seen, Some(timeout));
            self.report_death();
            if let Some(why) = self.0.interpreter.lost() {
                return self.run_without_scripts(&why);
            }
            if watch.check(self, Instant::now()) == Patience::Over {
                if !self.0.interpreter.kill(watch.why()) {
                    if watch.silent {
                        self.run_without_scripts(watch.why());
                    }
                    return;
                }
                // With the scripts, the obstacle is gone: the engine continues.
                watch = Watch::default();
            }
        }
    }

    /// Real time: lets the turn pass on if its holder has started. Returns true if native work must not wait for it
    /// any longer.
    fn check_start(&self, start: &mut StartWatch) -> bool {
        let (holder, turn) = {
            let hub = self.hub();
            (hub.holder().cloned(), hub.turns)
        };
        let Some(holder) = holder else { return false };
        let state = start.observe(&self.0.interpreter, &holder, turn, Instant::now());
        if state == TurnState::Started {
            self.hub().end_turn(turn);
        }
        state == TurnState::Late
    }

    /// Asks the interrupter to raise the stop exception in the worker's task, if the task still runs by then.
    fn interrupt(&self, worker: &Arc<Worker>) {
        let Some((_, serial)) = worker.task_serial() else { return };
        let mut sender = self.0.interrupter.lock().unwrap_or_else(PoisonError::into_inner);
        if sender.is_none() {
            let (targets, receiver) = mpsc::channel::<Target>();
            let pool = self.clone();
            let interrupter = std::thread::Builder::new().name("interrupter".to_owned()).spawn(move || {
                for (worker, serial) in receiver {
                    let still = || {
                        let runs = worker.task_serial().is_some_and(|(_, now)| now == serial);
                        worker.interrupted.fetch_or(runs, Ordering::AcqRel);
                        runs
                    };
                    if still() {
                        pool.0.interpreter.interrupt(worker.script_thread.load(Ordering::Acquire), &still);
                    }
                }
            });
            // If no thread can be started now, the next attempt may succeed; the run also ends without interrupts.
            *sender = interrupter.ok().map(|_| targets);
        }
        if let Some(sender) = &*sender {
            let _ = sender.send((worker.clone(), serial));
        }
    }

    /// Takes the turn from its holder, unless the turn has changed since.
    fn revoke(&self, holder: &Arc<Worker>, turn: u64) {
        let mut engine = self.0.engine.lock();
        let mut hub = self.hub();
        if hub.turns == turn
            && holder.has_turn()
            && let Some(task) = holder.task()
        {
            engine.revoke(task);
            hub.end_turn(turn);
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Patience {
    Left,
    Over,
}

/// What the supervisor remembers between checks.
#[derive(Default)]
struct Watch {
    /// A script keeps the interpreter's lock, and thereby blocks all other scripts.
    silent: bool,
    holder: Option<Holder>,
    /// Some script has lost its turn.
    lost: bool,
    /// Since when the run waits only for scripts that have lost their turn.
    waiting: Option<Instant>,
    interrupting: Option<Instant>,
    giving_up: Option<Instant>,
    last_interrupt: Option<Instant>,
}

/// A holder of the turn that had the same turn in an earlier check.
struct Holder {
    /// The number of the turn.
    turn: u64,
    since: Instant,
    last: Instant,
    busy_before: Option<Duration>,
    asleep: Duration,
}

impl Watch {
    /// Returns why patience is over.
    fn why(&self) -> &'static str {
        if self.silent { "a script kept Python to itself" } else { "a script did not end" }
    }

    /// Checks for a script that blocks all other scripts, even those that only wait. The interpreter is not queried
    /// while all scripts make progress.
    fn check_silence<S: Scheduler + 'static, I: Interpreter>(
        &mut self,
        pool: &WorkerPool<S, I>,
        now: Instant,
    ) -> Patience {
        let moves = self.holder.as_ref().is_none_or(|h| now - h.since < SILENCE);
        let stopping = !pool.0.is_virtual && pool.0.engine.lock().stopping();
        let silence = if moves && !self.lost && self.interrupting.is_none() && !stopping {
            Duration::ZERO
        } else {
            pool.0.interpreter.silent()
        };
        self.silent = silence >= SILENCE;
        let most = match self.interrupting {
            Some(_) => SILENCE,
            None if stopping => STOP_SILENCE,
            None => pool.0.patience,
        };
        if self.silent && silence >= most { Patience::Over } else { Patience::Left }
    }

    fn check<S: Scheduler + 'static, I: Interpreter>(&mut self, pool: &WorkerPool<S, I>, now: Instant) -> Patience {
        let (interrupting, ended, waits, holder) = {
            let engine = pool.0.engine.lock();
            let hub = pool.hub();
            // In real time a script loses nothing but the turn, and the run does not wait for scripts without the
            // turn.
            let in_virtual = pool.0.is_virtual;
            (
                engine.interrupting(),
                hub.ended,
                hub.waits && in_virtual,
                hub.holder().filter(|_| in_virtual).map(|h| (h.clone(), hub.turns)),
            )
        };
        if !waits {
            self.waiting = None;
        } else if now - *self.waiting.get_or_insert(now) >= pool.0.patience {
            self.waiting = None;
            pool.0.engine.poke(Scheduler::pass_by);
        }
        if interrupting {
            self.interrupting.get_or_insert(now);
        }
        if ended {
            self.giving_up.get_or_insert(now);
        }
        if self.watch_holder(pool, holder, now) == Patience::Over || self.check_silence(pool, now) == Patience::Over {
            return Patience::Over;
        }
        if self.giving_up.is_none() && self.interrupting.is_some_and(|t| now - t >= STOP_BUDGET) {
            self.giving_up = Some(now);
            pool.0.engine.poke(Scheduler::give_up);
        }
        let Some(since) = self.giving_up else { return Patience::Left };
        if now - since >= LAST_BUDGET {
            return Patience::Over;
        }
        if now - self.last_interrupt.unwrap_or(since).max(since) >= AGAIN {
            self.last_interrupt = Some(now);
            let running: Vec<_> = pool.hub().running().cloned().collect();
            for worker in &running {
                pool.interrupt(worker);
            }
        }
        Patience::Left
    }

    fn watch_holder<S: Scheduler + 'static, I: Interpreter>(
        &mut self,
        pool: &WorkerPool<S, I>,
        holder: Option<(Arc<Worker>, u64)>,
        now: Instant,
    ) -> Patience {
        let Some((worker, turn)) = holder else {
            self.holder = None;
            return Patience::Left;
        };
        let threads = (worker.script_thread.load(Ordering::Acquire), worker.system_thread.load(Ordering::Acquire));
        let usage = pool.0.interpreter.usage(threads.0, threads.1);
        match &mut self.holder {
            Some(h) if h.turn == turn => {
                if usage.is_none_or(|u| u.asleep) && !self.silent {
                    h.asleep += now - h.last;
                }
                h.last = now;
                let busy = match (usage, h.busy_before) {
                    (Some(u), Some(before)) => u.busy.saturating_sub(before),
                    _ => Duration::ZERO,
                };
                let stopping = self.interrupting.is_some();
                if stopping && now - h.since >= STOP_PATIENCE && self.last_interrupt.is_none_or(|t| now - t >= AGAIN) {
                    self.last_interrupt = Some(now);
                    pool.interrupt(&worker);
                }
                // A script that ignores its interrupts loses the turn as well.
                let stuck = stopping && now - h.since >= 3 * STOP_PATIENCE;
                // A worker that has no script to run and still does not ask the engine is kept out of the interpreter
                // by a script that never releases it.
                if self.lost && worker.task().is_none() && now - h.since >= pool.0.patience {
                    return Patience::Over;
                }
                let has_script = worker.task().is_some();
                let beside_lost =
                    self.lost && has_script && busy > Duration::ZERO && now - h.since >= PATIENCE_BESIDE_LOST;
                let enough = beside_lost || busy >= BUSY_PATIENCE || h.asleep >= ASLEEP_PATIENCE;
                // A module that takes seconds to import does not count as a script without end.
                let loads = || {
                    let longest = busy.max(h.asleep);
                    longest < pool.0.patience && worker.task().is_some_and(|task| pool.0.engine.lock().loads(task))
                };
                if stuck || enough && !loads() {
                    pool.revoke(&worker, turn);
                    pool.0.engine.wake();
                    self.holder = None;
                    self.lost = true;
                }
            }
            _ => {
                self.holder = Some(Holder {
                    turn,
                    since: now,
                    last: now,
                    busy_before: usage.map(|u| u.busy),
                    asleep: Duration::ZERO,
                });
            }
        }
        Patience::Left
    }
}

impl<S: Scheduler + 'static, I: Interpreter> Host<S> for WorkerPool<S, I> {
    fn drive(&self, _engine: &Shared<S>) -> Result<(), String> {
        WorkerPool::drive(self);
        Ok(())
    }
}
