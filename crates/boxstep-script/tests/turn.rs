//! Explores the orders in which threads pass on the turn in real time, for two or three calls and up to three
//! preemptions:
//! `RUSTFLAGS="--cfg loom" cargo test --release -p boxstep-script --test turn`
//!
//! Threads, interpreter lock and dispatcher follow the native host (`crates/boxstep/src/native`), reduced to the parts
//! that decide which call begins.
#![cfg(loom)]

mod primitives {
    pub(super) use loom::hint::spin_loop;
    pub(super) use loom::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
    pub(super) use loom::sync::{Mutex, MutexGuard};
    pub(super) use loom::thread::{Thread, current, park};

    pub(super) const SPIN: u32 = 1;

    pub(super) fn cores() -> usize {
        1
    }

    pub(super) fn park_timeout(_: std::time::Duration) {
        loom::thread::yield_now();
    }
}

#[path = "../src/scheduler/hub.rs"]
#[allow(dead_code)]
mod hub;
#[path = "../src/scheduler/sync.rs"]
#[allow(dead_code)]
mod sync;

use boxstep_engine::protocol::{Answer, Job, Next, ObjectId, Order, Request, Scheduler, TaskId, Wake};
use boxstep_types::Time;
use hub::{Hub, Mail, Posts, Step, Worker};
use loom::sync::{Condvar, Mutex};
use loom::thread;
use primitives::Ordering;
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

/// Queued calls, some of which block once: they are woken immediately and queued again.
struct Line {
    work: VecDeque<Next>,
    tasks: BTreeSet<u32>,
}

impl Line {
    fn of(calls: u32) -> Self {
        let job = |i| Next::Job(Job { task: TaskId(i), order: Order::Drop { object: ObjectId(i) } });
        Self { work: (0..calls).map(job).collect(), tasks: (0..calls).collect() }
    }
}

impl Scheduler for Line {
    fn next(&mut self) -> Next {
        match self.work.pop_front() {
            Some(next) => next,
            None if self.tasks.is_empty() => Next::Ended,
            None => Next::Wait(None),
        }
    }

    fn request(&mut self, task: TaskId, request: Request) -> Answer {
        match request {
            Request::Block { .. } => {
                self.work.push_back(Next::Resume(task, Wake::Notified));
                Answer::Blocked(0)
            }
            _ => {
                self.tasks.remove(&task.0);
                Answer::Done
            }
        }
    }

    fn now(&self) -> Time {
        Time::ZERO
    }

    fn is_virtual(&self) -> bool {
        false
    }

    fn interrupting(&self) -> bool {
        false
    }

    fn stopping(&self) -> bool {
        false
    }

    fn tasks(&self) -> Vec<(TaskId, String, bool)> {
        Vec::new()
    }

    fn revoke(&mut self, _: TaskId) {}
    fn pass_by(&mut self) {}
    fn give_up(&mut self) {}
    fn scripts_died(&mut self, _: &str) {}
}

struct Run {
    /// The engine and the hub, which are locked together for each decision about the next step.
    state: Mutex<(Line, Hub)>,
    interpreter: Mutex<()>,
    /// The calls in the order in which they began; with 100 added, the order in which they resumed.
    began: Mutex<Vec<u32>>,
    threads: Mutex<Vec<thread::JoinHandle<()>>>,
    all_rest: Condvar,
    /// The call that blocks once.
    waits: u32,
}

impl Run {
    fn send(self: &Arc<Self>, posts: Posts) {
        for (worker, mail) in posts {
            if !worker.started.swap(true, Ordering::AcqRel) {
                let (run, me) = (self.clone(), worker.clone());
                let thread = thread::spawn(move || run.live(&me));
                self.threads.lock().unwrap().push(thread);
            }
            worker.mail.post(mail);
        }
    }

    fn live(self: &Arc<Self>, me: &Arc<Worker>) {
        loop {
            let mail = me.mail.wait();
            let mut attached = Some(self.interpreter.lock().unwrap());
            let mut next = match mail {
                Mail::Run(job) => Some(job),
                Mail::Leave => return,
                other => panic!("{other:?}"),
            };
            while let Some(job) = next.take() {
                me.set_task(Some(job.task));
                me.entered.store(true, Ordering::Release);
                self.began.lock().unwrap().push(job.task.0);
                if job.task.0 == self.waits {
                    self.block(me, job.task, &mut attached);
                }
                me.set_task(None);
                let mut posts = Posts::new();
                let step = {
                    let (line, hub) = &mut *self.state.lock().unwrap();
                    line.request(job.task, Request::Returned(boxstep_types::Value::Null));
                    hub.step(line, me, None, &mut posts)
                };
                if let Step::Run(job) = step {
                    next = Some(job);
                } else {
                    attached = None;
                    self.send(posts);
                    self.all_rest.notify_one();
                }
            }
        }
    }

    fn block<'a>(
        self: &'a Arc<Self>,
        me: &Arc<Worker>,
        task: TaskId,
        attached: &mut Option<loom::sync::MutexGuard<'a, ()>>,
    ) {
        let mut posts = Posts::new();
        let step = {
            let (line, hub) = &mut *self.state.lock().unwrap();
            line.request(task, Request::Block { until: None, on: boxstep_engine::protocol::BlockedOn::Lock });
            hub.step(line, me, Some(task), &mut posts)
        };
        if matches!(step, Step::Park) {
            *attached = None;
            self.send(posts);
            assert!(matches!(me.mail.wait(), Mail::Resume(_)));
            *attached = Some(self.interpreter.lock().unwrap());
        }
        me.entered.store(true, Ordering::Release);
        self.began.lock().unwrap().push(100 + task.0);
    }

    /// One pass of the dispatcher. A script that was entered counts as started.
    fn look(self: &Arc<Self>) {
        let mut posts = Posts::new();
        {
            let (line, hub) = &mut *self.state.lock().unwrap();
            let turn = hub.turns;
            if hub.holder().is_some_and(|holder| holder.entered.load(Ordering::Acquire)) {
                hub.end_turn(turn);
            }
            hub.dispatch(line, true, &mut posts);
        }
        self.send(posts);
    }
}

fn check(calls: u32, waits: u32, looks: u32, expected: &'static [u32]) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(3);
    model.check(move || {
        let run = Arc::new(Run {
            state: Mutex::new((Line::of(calls), Hub::default())),
            interpreter: Mutex::new(()),
            began: Mutex::default(),
            threads: Mutex::default(),
            all_rest: Condvar::new(),
            waits,
        });
        for _ in 0..looks {
            run.look();
        }
        let mut state = run.state.lock().unwrap();
        while !state.1.all_rest() {
            state = run.all_rest.wait(state).unwrap();
        }
        let home = state.1.dismiss();
        drop(state);
        run.send(home);
        let threads = std::mem::take(&mut *run.threads.lock().unwrap());
        for thread in threads {
            thread.join().unwrap();
        }
        assert_eq!(*run.began.lock().unwrap(), expected);
    });
}

#[test]
fn calls_begin_in_the_order_of_the_line() {
    check(3, u32::MAX, 3, &[0, 1, 2]);
}

#[test]
fn one_that_waits_lets_the_next_begin_and_goes_on_behind_it() {
    check(2, 0, 3, &[0, 1, 100]);
}

#[test]
fn nobody_is_forgotten_without_a_dispatcher() {
    check(2, 1, 1, &[0, 1, 101]);
}
