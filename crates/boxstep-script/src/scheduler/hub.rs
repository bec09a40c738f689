//! The state of the scheduler as plain data (which tasks run, which wait, which worker has the turn), and the decision
//! what a free thread does next.

use super::primitives::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use super::sync::Mailbox;
use boxstep_engine::TaskId;
use boxstep_engine::protocol::{Job, Next, Scheduler, Wake};
use boxstep_types::Time;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// A thread of the pool. It runs one task at a time, and keeps it while the task is blocked.
pub(crate) struct Worker {
    /// Counts from 0, in the order of creation.
    pub(crate) number: u32,
    pub(crate) mail: Mailbox<Mail>,
    /// The low half is the task's number plus one, or 0 without a task; the high half counts the worker's tasks,
    /// because engines reuse task numbers. Written by the worker's own thread.
    task: AtomicU64,
    /// See [`super::cpu`].
    pub(crate) system_thread: AtomicU32,
    /// See [`super::Interpreter::thread`].
    pub(crate) script_thread: AtomicU64,
    /// Whether it has the turn. Written with the hub locked.
    has_turn: AtomicBool,
    /// Whether its script has been entered, or has resumed, since the worker got the turn.
    pub(crate) entered: Arc<AtomicBool>,
    /// Whether it waits for the engine's lock.
    pub(crate) asks: AtomicBool,
    /// Whether its thread exists.
    pub(crate) started: AtomicBool,
    /// Whether its task was interrupted from outside. A pending interrupt must not reach the next task.
    pub(crate) interrupted: AtomicBool,
}

impl Worker {
    fn new(number: u32) -> Self {
        Self {
            number,
            mail: Mailbox::new(),
            task: AtomicU64::new(0),
            system_thread: AtomicU32::new(0),
            script_thread: AtomicU64::new(0),
            has_turn: AtomicBool::new(false),
            entered: Arc::default(),
            asks: AtomicBool::new(false),
            started: AtomicBool::new(false),
            interrupted: AtomicBool::new(false),
        }
    }

    pub(crate) fn task(&self) -> Option<TaskId> {
        self.task_serial().map(|(task, _)| task)
    }

    pub(crate) fn has_turn(&self) -> bool {
        self.has_turn.load(Ordering::Acquire)
    }

    /// Returns the task, and a serial number that no other task of this worker has.
    pub(crate) fn task_serial(&self) -> Option<(TaskId, u64)> {
        let task_serial = self.task.load(Ordering::Acquire);
        (task_serial as u32).checked_sub(1).map(|id| (TaskId(id), task_serial))
    }

    pub(crate) fn set_task(&self, task: Option<TaskId>) {
        let count = (self.task.load(Ordering::Relaxed) >> 32) + 1;
        self.task.store((count << 32) | task.map_or(0, |t| u64::from(t.0) + 1), Ordering::Release);
    }
}

/// A message to a worker.
#[derive(Debug)]
pub(crate) enum Mail {
    /// Run this job, then ask for the next step. Only for a worker with an empty stack.
    Run(Job),
    /// Resume the blocked task.
    Resume(Wake),
    /// The worker has the turn: ask for the next step. Only for a worker with an empty stack.
    Drain,
    /// The run is over: end the thread. Only for a worker with an empty stack.
    Leave,
}

/// The next step of a thread that has asked.
#[derive(Debug)]
pub(crate) enum Step {
    /// Run this job on the empty stack.
    Run(Job),
    /// Resume the blocked task.
    Wake(Wake),
    /// Send the posts, then wait for mail.
    Park,
}

/// Mail that is sent after the locks and the interpreter have been released.
pub(crate) type Posts = Vec<(Arc<Worker>, Mail)>;

/// The state of the workers of a run.
#[derive(Default)]
pub(crate) struct Hub {
    workers: Vec<Arc<Worker>>,
    /// Workers with an empty stack that wait for mail; last in, first out.
    idle: Vec<Arc<Worker>>,
    /// Blocked tasks whose threads wait for mail.
    parked: BTreeMap<TaskId, Arc<Worker>>,
    /// The worker whose script may begin or resume. Only this worker asks the engine for the next step.
    turn: Option<Arc<Worker>>,
    /// The number of turns given so far: one for each time that a worker asked the engine for the next step.
    pub(crate) turns: u64,
    /// Real time: jobs and resumes that the engine has issued while a worker had the turn.
    pub(crate) queue: VecDeque<Next>,
    /// Real time: when the dispatcher has to run again without being woken.
    pub(crate) alarm: Option<Time>,
    /// Virtual time: the engine can only wait for tasks that were revoked.
    pub(crate) waits: bool,
    /// The engine has ended the run; the remaining tasks are interrupted.
    pub(crate) ended: bool,
}

impl Hub {
    /// Returns the workers that have a task.
    pub(crate) fn running(&self) -> impl Iterator<Item = &Arc<Worker>> {
        self.workers.iter().filter(|s| s.task().is_some())
    }

    /// Whether the run has ended and no task is left.
    pub(crate) fn is_drained(&self) -> bool {
        self.ended && self.queue.is_empty() && self.parked.is_empty() && self.running().next().is_none()
    }

    /// Whether no task is left and all threads wait for mail.
    #[cfg(loom)]
    pub(crate) fn all_rest(&self) -> bool {
        self.is_drained() && self.idle.len() == self.workers.len()
    }

    fn idle_worker(&mut self) -> Arc<Worker> {
        self.idle.pop().unwrap_or_else(|| {
            let worker = Arc::new(Worker::new(self.workers.len() as u32));
            self.workers.push(worker.clone());
            worker
        })
    }

    /// Returns the worker that has the turn.
    pub(crate) fn holder(&self) -> Option<&Arc<Worker>> {
        self.turn.as_ref()
    }

    /// Gives the turn to a worker, which most of the time has it already.
    fn give_turn(&mut self, worker: &Arc<Worker>) {
        worker.entered.store(false, Ordering::Relaxed);
        self.turns += 1;
        if !worker.has_turn() {
            self.clear_turn();
            worker.has_turn.store(true, Ordering::Release);
            self.turn = Some(worker.clone());
        }
    }

    /// Takes the turn from its holder.
    fn clear_turn(&mut self) {
        if let Some(holder) = self.turn.take() {
            holder.has_turn.store(false, Ordering::Release);
        }
    }

    /// Takes the turn from this worker, if it has it.
    pub(crate) fn take_turn_of(&mut self, worker: &Worker) {
        if worker.has_turn() {
            self.clear_turn();
        }
    }

    /// Virtual time: gives the turn to an idle worker if no worker has it.
    pub(crate) fn appoint(&mut self) -> Posts {
        if self.turn.is_some() {
            return Vec::new();
        }
        let worker = self.idle_worker();
        self.give_turn(&worker);
        vec![(worker, Mail::Drain)]
    }

    /// Ends the turn with this number; its holder continues without the turn.
    pub(crate) fn end_turn(&mut self, turn: u64) {
        if self.turns == turn {
            self.clear_turn();
        }
    }

    /// Returns the next step: queued ones first, then those of the engine.
    fn next(&mut self, engine: &mut impl Scheduler) -> Next {
        loop {
            match self.queue.pop_front().unwrap_or_else(|| self.next_from_engine(engine)) {
                Next::Job(job) => {
                    if let Some(job) = engine.begins(job) {
                        return Next::Job(job);
                    }
                }
                next => return next,
            }
        }
    }

    /// Returns the engine's next step. After the engine has ended, the remaining tasks are interrupted one after
    /// another.
    fn next_from_engine(&mut self, engine: &mut impl Scheduler) -> Next {
        if !self.ended {
            let next = engine.next();
            if !matches!(next, Next::Ended) {
                return next;
            }
            self.ended = true;
            // From now on every request is answered with
            // [`Answer::Interrupted`](boxstep_engine::protocol::Answer::Interrupted).
            engine.give_up();
        }
        self.parked.keys().next().map_or(Next::Ended, |&task| Next::Resume(task, Wake::Interrupted))
    }

    /// Returns what `me` does next; `blocked` is the task on its stack, if it has one. Adds at most one post, whose
    /// receiver gets the turn.
    pub(crate) fn step(
        &mut self,
        engine: &mut impl Scheduler,
        me: &Arc<Worker>,
        blocked: Option<TaskId>,
        posts: &mut Posts,
    ) -> Step {
        if self.turn.is_some() && !me.has_turn() {
            // The turn has passed on while this worker was in its script.
            return self.park(me, blocked);
        }
        self.give_turn(me);
        loop {
            let next = self.next(engine);
            self.waits = matches!(next, Next::Wait(_));
            match next {
                Next::Resume(task, wake) if Some(task) == blocked => return Step::Wake(wake),
                Next::Resume(task, wake) => {
                    let Some(worker) = self.parked.remove(&task) else { continue };
                    self.give_turn(&worker);
                    posts.push((worker, Mail::Resume(wake)));
                    return self.park(me, blocked);
                }
                Next::Job(job) if blocked.is_none() => return Step::Run(job),
                // A job never runs on the stack of a blocked task: the task could not resume before the job is done.
                Next::Job(job) => {
                    let worker = self.idle_worker();
                    self.give_turn(&worker);
                    posts.push((worker, Mail::Run(job)));
                    return self.park(me, blocked);
                }
                Next::Ended if blocked.is_some() => return Step::Wake(Wake::Interrupted),
                Next::Wait(until) => {
                    self.alarm = until;
                    self.clear_turn();
                    return self.park(me, blocked);
                }
                Next::Ended => {
                    self.clear_turn();
                    return self.park(me, blocked);
                }
            }
        }
    }

    /// Real time: runs the engine's due work, and gives the turn to the next worker if no worker has it. If a worker
    /// has had it for too long (`overdue`), the engine's steps are queued behind it, so that only scripts wait for a
    /// script.
    pub(crate) fn dispatch(&mut self, engine: &mut impl Scheduler, overdue: bool, posts: &mut Posts) {
        if self.turn.is_some() {
            while overdue && !self.ended {
                match self.next_from_engine(engine) {
                    Next::Wait(until) => {
                        self.alarm = until;
                        return;
                    }
                    Next::Ended => return,
                    next => self.queue.push_back(next),
                }
            }
            return;
        }
        loop {
            match self.next(engine) {
                Next::Job(job) => {
                    let worker = self.idle_worker();
                    self.give_turn(&worker);
                    return posts.push((worker, Mail::Run(job)));
                }
                Next::Resume(task, wake) => {
                    let Some(worker) = self.parked.remove(&task) else { continue };
                    self.give_turn(&worker);
                    return posts.push((worker, Mail::Resume(wake)));
                }
                Next::Wait(until) => {
                    self.alarm = until;
                    return;
                }
                Next::Ended => return,
            }
        }
    }

    /// After the end: tells idle workers to end their threads.
    pub(crate) fn dismiss(&mut self) -> Posts {
        self.idle.drain(..).map(|worker| (worker, Mail::Leave)).collect()
    }

    fn park(&mut self, me: &Arc<Worker>, blocked: Option<TaskId>) -> Step {
        match blocked {
            Some(task) => {
                self.parked.insert(task, me.clone());
            }
            None => self.idle.push(me.clone()),
        }
        Step::Park
    }
}
