//! Drives a run from outside of the scripts: timers in real time, patience with scripts in both clocks. Nothing in
//! here touches the interpreter but the interrupter, which has a thread of its own to wait for it.

use super::hub::{Posts, Worker};
use super::start::{GRACE, Seen, Start};
use super::{Interpreter, Target, WorkerPool};
use boxstep_engine::protocol::Scheduler;
use boxstep_engine::shared::{Host, Shared};
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError, mpsc};
use std::time::{Duration, Instant};

/// Between two looks at the scripts.
const TICK: Duration = Duration::from_millis(50);
/// The same once some script has lost its turn: then the next ones do so soon.
const SHORT_TICK: Duration = Duration::from_millis(10);
/// Processor time that a holder of the turn may use without asking the engine what is next.
const BUSY_PATIENCE: Duration = Duration::from_secs(1);
/// Time by the wall clock, once some script has lost its turn: it may spin for ever, and leaves little of the processor to others.
const PATIENCE_BESIDE_LOST: Duration = Duration::from_millis(200);
/// Time that a holder of the turn may sleep outside of our shims.
const ASLEEP_PATIENCE: Duration = Duration::from_secs(5);
/// The same, for both, once the run is being interrupted: nobody's onStop is to wait for a loop.
const STOP_PATIENCE: Duration = Duration::from_millis(150);
/// How long scripts have for their onStop and onUnload when a run is interrupted.
const STOP_BUDGET: Duration = Duration::from_millis(1500);
/// How long every thread that runs scripts may keep still before that counts as one that hinders all others.
const SILENCE: Duration = Duration::from_millis(500);
/// The same while a behavior is being stopped: once for all of its boxes, and a little less than one `onUnload` or `__del__`
/// is waited for (2 s), so that the behavior is still there to end by it.
const STOP_SILENCE: Duration = Duration::from_millis(1800);
/// Between two interrupts of the same script: a bare `except:` swallows one.
const AGAIN: Duration = Duration::from_millis(100);
/// How long interrupted scripts have to come to their end.
const LAST_BUDGET: Duration = Duration::from_secs(1);

impl<S: Scheduler + 'static, I: Interpreter> WorkerPool<S, I> {
    /// Runs the engine to its end on the calling thread, which must not be attached to the interpreter.
    pub fn drive(&self) {
        self.0.driving.store(true, Ordering::Release);
        self.supervise();
        if !self.hub().ended {
            // Nobody could ask the engine any more.
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
        let mut start = Start::default();
        loop {
            let seen = self.0.engine.pokes();
            if !self.0.is_virtual && self.0.queued.load(Ordering::Acquire) {
                self.0.engine.wait(seen, Some(GRACE));
                self.0.queued.store(false, Ordering::Release);
            }
            let mut posts = Posts::new();
            let mut timeout = if watch.lost { SHORT_TICK } else { TICK };
            let overdue = !self.0.is_virtual && self.look_at_start(&mut start);
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
                        // Until it has ended, blocked or had its start.
                        timeout = GRACE;
                    }
                }
                if hub.empty() {
                    return;
                }
            }
            self.send(&mut posts);
            self.0.engine.wait(seen, Some(timeout));
            self.tell_of_death();
            if let Some(why) = self.0.interpreter.lost() {
                return self.go_on_alone(&why);
            }
            if watch.look(self, Instant::now()) == Patience::Over {
                if !self.0.interpreter.kill(watch.why()) {
                    if watch.silent {
                        self.go_on_alone(watch.why());
                    }
                    return;
                }
                // With the scripts goes what was in the way; the engine goes on.
                watch = Watch::default();
            }
        }
    }

    /// Real time: lets the turn pass on if who has it has had its start. True if native work is not to wait for it any more.
    fn look_at_start(&self, start: &mut Start) -> bool {
        let (holder, turn) = {
            let hub = self.hub();
            (hub.holder().cloned(), hub.turns)
        };
        let Some(holder) = holder else { return false };
        let seen = start.look(&self.0.interpreter, &holder, turn, Instant::now());
        if seen == Seen::Had {
            self.hub().pass(turn);
        }
        seen == Seen::Late
    }

    /// Asks the interrupter to raise the stop exception in a task, if it still runs by then.
    fn interrupt(&self, worker: &Arc<Worker>) {
        let Some((_, stint)) = worker.stint() else { return };
        let mut sender = self.0.interrupter.lock().unwrap_or_else(PoisonError::into_inner);
        if sender.is_none() {
            let (told, receiver) = mpsc::channel::<Target>();
            let pool = self.clone();
            let interrupter = std::thread::Builder::new().name("interrupter".to_owned()).spawn(move || {
                for (worker, stint) in receiver {
                    let still = || {
                        let runs = worker.stint().is_some_and(|(_, now)| now == stint);
                        worker.interrupted.fetch_or(runs, Ordering::AcqRel);
                        runs
                    };
                    if still() {
                        pool.0.interpreter.interrupt(worker.script_thread.load(Ordering::Acquire), &still);
                    }
                }
            });
            // If there is no room for a thread there may be at the next try; the run ends without, too.
            *sender = interrupter.ok().map(|_| told);
        }
        if let Some(sender) = &*sender {
            let _ = sender.send((worker.clone(), stint));
        }
    }

    /// Takes the turn from its holder, unless it has moved since.
    fn revoke(&self, holder: &Arc<Worker>, turn: u64) {
        let mut engine = self.0.engine.lock();
        let mut hub = self.hub();
        if hub.turns == turn
            && holder.has_turn()
            && let Some(task) = holder.task()
        {
            engine.revoke(task);
            hub.pass(turn);
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Patience {
    Left,
    Over,
}

/// What the supervisor remembers from look to look.
#[derive(Default)]
struct Watch {
    /// A script keeps the interpreter to itself, and all others with it.
    silent: bool,
    holder: Option<Holder>,
    /// Some script has lost its turn.
    lost: bool,
    /// Since when only scripts are left that lost their turn.
    waiting: Option<Instant>,
    interrupting: Option<Instant>,
    letting_go: Option<Instant>,
    last_interrupt: Option<Instant>,
}

/// A holder of the turn that has not moved since an earlier look.
struct Holder {
    /// Which turn it has.
    turn: u64,
    since: Instant,
    last: Instant,
    busy_before: Option<Duration>,
    asleep: Duration,
}

impl Watch {
    /// Why patience is over.
    fn why(&self) -> &'static str {
        if self.silent { "a script kept Python to itself" } else { "a script did not end" }
    }

    /// Looks for a script that lets no other script do anything, not even wait. Nobody has to answer while all is well.
    fn listen<S: Scheduler + 'static, I: Interpreter>(&mut self, pool: &WorkerPool<S, I>, now: Instant) -> Patience {
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

    fn look<S: Scheduler + 'static, I: Interpreter>(&mut self, pool: &WorkerPool<S, I>, now: Instant) -> Patience {
        let (interrupting, ended, waits, holder) = {
            let engine = pool.0.engine.lock();
            let hub = pool.hub();
            // In real time nobody loses more than the turn, and nobody waits for who was revoked.
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
            self.letting_go.get_or_insert(now);
        }
        if self.watch_holder(pool, holder, now) == Patience::Over || self.listen(pool, now) == Patience::Over {
            return Patience::Over;
        }
        if self.letting_go.is_none() && self.interrupting.is_some_and(|t| now - t >= STOP_BUDGET) {
            self.letting_go = Some(now);
            pool.0.engine.poke(Scheduler::give_up);
        }
        let Some(since) = self.letting_go else { return Patience::Left };
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
                // What does not heed its interrupts loses the baton all the same.
                let stuck = stopping && now - h.since >= 3 * STOP_PATIENCE;
                // Who has no script to run and still does not get to ask is kept out of the interpreter by a script
                // that never lets it go.
                if self.lost && worker.task().is_none() && now - h.since >= pool.0.patience {
                    return Patience::Over;
                }
                let has_script = worker.task().is_some();
                let beside_lost =
                    self.lost && has_script && busy > Duration::ZERO && now - h.since >= PATIENCE_BESIDE_LOST;
                let enough = beside_lost || busy >= BUSY_PATIENCE || h.asleep >= ASLEEP_PATIENCE;
                // A module that takes seconds to come up is no script that does not end.
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
