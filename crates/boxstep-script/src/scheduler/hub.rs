//! Who runs, who waits, who has the turn: plain data, and the decision what a thread with time on its hands does next.

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
    /// Its task, plus one; 0 if it has none. Above that, how many tasks it has had: engines use task numbers again.
    /// Written by the worker's own thread.
    task: AtomicU64,
    /// See [`super::cpu`].
    pub(crate) system_thread: AtomicU32,
    /// See [`super::Interpreter::thread`].
    pub(crate) script_thread: AtomicU64,
    /// It has the turn. Written with the hub locked.
    has_turn: AtomicBool,
    /// Since it got the turn, its script has been entered, or has gone on.
    pub(crate) entered: Arc<AtomicBool>,
    /// Its thread exists.
    pub(crate) started: AtomicBool,
    /// Its task was interrupted from outside and must not leave the interrupt to the next one.
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
            started: AtomicBool::new(false),
            interrupted: AtomicBool::new(false),
        }
    }

    pub(crate) fn task(&self) -> Option<TaskId> {
        self.stint().map(|(task, _)| task)
    }

    pub(crate) fn has_turn(&self) -> bool {
        self.has_turn.load(Ordering::Acquire)
    }

    /// Its task, and a number that no other task on this worker has.
    pub(crate) fn stint(&self) -> Option<(TaskId, u64)> {
        let stint = self.task.load(Ordering::Acquire);
        (stint as u32).checked_sub(1).map(|id| (TaskId(id), stint))
    }

    pub(crate) fn set_task(&self, task: Option<TaskId>) {
        let count = (self.task.load(Ordering::Relaxed) >> 32) + 1;
        self.task.store((count << 32) | task.map_or(0, |t| u64::from(t.0) + 1), Ordering::Release);
    }
}

/// What a worker is told.
#[derive(Debug)]
pub(crate) enum Mail {
    /// Run this, then see what else there is. Only to an empty stack.
    Run(Job),
    /// Its blocked task goes on.
    Resume(Wake),
    /// It has the turn: see what there is. Only to an empty stack.
    Drain,
    /// The run is over: let the thread end. Only to an empty stack.
    Leave,
}

/// What a thread that asked does next.
#[derive(Debug)]
pub(crate) enum Step {
    /// Runs this on its empty stack.
    Run(Job),
    /// Its blocked task goes on.
    Wake(Wake),
    /// Sends the posts, then waits for mail.
    Park,
}

/// Mail to be sent after the locks are free and the interpreter is let go.
pub(crate) type Posts = Vec<(Arc<Worker>, Mail)>;

/// The threads of a run.
#[derive(Default)]
pub(crate) struct Hub {
    workers: Vec<Arc<Worker>>,
    /// Strands with an empty stack that wait for mail; the last one in is the first one out.
    idle: Vec<Arc<Worker>>,
    /// Blocked tasks whose threads wait for mail.
    parked: BTreeMap<TaskId, Arc<Worker>>,
    /// The one whose script may begin, or go on; only it asks the engine what is next.
    turn: Option<Arc<Worker>>,
    /// Counts the turns that were given: one for each time somebody asked the engine what is next.
    pub(crate) turns: u64,
    /// Real time: what the engine wants to begin or go on, behind whoever has the turn. Jobs and resumes.
    pub(crate) line: VecDeque<Next>,
    /// Real time: when the dispatcher looks again by itself.
    pub(crate) alarm: Option<Time>,
    /// Virtual time: the engine has nothing to do but to wait for tasks that were revoked.
    pub(crate) waits: bool,
    /// The engine said so; what is still there is let go.
    pub(crate) ended: bool,
}

impl Hub {
    /// All that are in a task.
    pub(crate) fn running(&self) -> impl Iterator<Item = &Arc<Worker>> {
        self.workers.iter().filter(|s| s.task().is_some())
    }

    /// Nothing is left to let go.
    pub(crate) fn empty(&self) -> bool {
        self.ended && self.line.is_empty() && self.parked.is_empty() && self.running().next().is_none()
    }

    /// Nothing is left, and all threads wait for mail.
    #[cfg(loom)]
    pub(crate) fn all_rest(&self) -> bool {
        self.empty() && self.idle.len() == self.workers.len()
    }

    fn rested(&mut self) -> Arc<Worker> {
        self.idle.pop().unwrap_or_else(|| {
            let worker = Arc::new(Worker::new(self.workers.len() as u32));
            self.workers.push(worker.clone());
            worker
        })
    }

    /// Who has the turn.
    pub(crate) fn holder(&self) -> Option<&Arc<Worker>> {
        self.turn.as_ref()
    }

    /// Gives the turn to a worker. Most of the time it has it already.
    fn give(&mut self, worker: &Arc<Worker>) {
        worker.entered.store(false, Ordering::Relaxed);
        self.turns += 1;
        if !worker.has_turn() {
            self.take_turn();
            worker.has_turn.store(true, Ordering::Release);
            self.turn = Some(worker.clone());
        }
    }

    /// Nobody has the turn.
    fn take_turn(&mut self) {
        if let Some(holder) = self.turn.take() {
            holder.has_turn.store(false, Ordering::Release);
        }
    }

    /// Takes the turn from this worker, if it has it.
    pub(crate) fn take_turn_of(&mut self, worker: &Worker) {
        if worker.has_turn() {
            self.take_turn();
        }
    }

    /// Virtual time: gives the turn to somebody if nobody has it.
    pub(crate) fn appoint(&mut self) -> Posts {
        if self.turn.is_some() {
            return Vec::new();
        }
        let worker = self.rested();
        self.give(&worker);
        vec![(worker, Mail::Drain)]
    }

    /// Whoever has had this turn goes on without it.
    pub(crate) fn pass(&mut self, turn: u64) {
        if self.turns == turn {
            self.take_turn();
        }
    }

    /// What is next: first what is in line.
    fn next(&mut self, engine: &mut impl Scheduler) -> Next {
        loop {
            match self.line.pop_front().unwrap_or_else(|| self.pull(engine)) {
                Next::Job(job) => {
                    if let Some(job) = engine.begins(job) {
                        return Next::Job(job);
                    }
                }
                next => return next,
            }
        }
    }

    /// The engine's next order. After its end the tasks that are left are let go, one after another.
    fn pull(&mut self, engine: &mut impl Scheduler) -> Next {
        if !self.ended {
            let next = engine.next();
            if !matches!(next, Next::Ended) {
                return next;
            }
            self.ended = true;
            // From now on every request tells its script that the run is over.
            engine.give_up();
        }
        self.parked.keys().next().map_or(Next::Ended, |&task| Next::Resume(task, Wake::Interrupted))
    }

    /// What `me` does next; `blocked` is the task on its stack, if it has one. At most one post, and the turn goes with it.
    pub(crate) fn step(
        &mut self,
        engine: &mut impl Scheduler,
        me: &Arc<Worker>,
        blocked: Option<TaskId>,
        posts: &mut Posts,
    ) -> Step {
        if self.turn.is_some() && !me.has_turn() {
            // It has passed on while we were in the script.
            return self.rest(me, blocked);
        }
        self.give(me);
        loop {
            let next = self.next(engine);
            self.waits = matches!(next, Next::Wait(_));
            match next {
                Next::Resume(task, wake) if Some(task) == blocked => return Step::Wake(wake),
                Next::Resume(task, wake) => {
                    let Some(worker) = self.parked.remove(&task) else { continue };
                    self.give(&worker);
                    posts.push((worker, Mail::Resume(wake)));
                    return self.rest(me, blocked);
                }
                Next::Job(job) if blocked.is_none() => return Step::Run(job),
                // Never on the stack of a blocked task: it could not go on before the job is done.
                Next::Job(job) => {
                    let worker = self.rested();
                    self.give(&worker);
                    posts.push((worker, Mail::Run(job)));
                    return self.rest(me, blocked);
                }
                Next::Ended if blocked.is_some() => return Step::Wake(Wake::Interrupted),
                Next::Wait(until) => {
                    self.alarm = until;
                    self.take_turn();
                    return self.rest(me, blocked);
                }
                Next::Ended => {
                    self.take_turn();
                    return self.rest(me, blocked);
                }
            }
        }
    }

    /// Real time: does what the engine has to do, and gives the turn to who is next if nobody has it. If somebody has it for
    /// too long (`overdue`) what is next gets in line behind, so that only scripts wait for a script.
    pub(crate) fn dispatch(&mut self, engine: &mut impl Scheduler, overdue: bool, posts: &mut Posts) {
        if self.turn.is_some() {
            while overdue && !self.ended {
                match self.pull(engine) {
                    Next::Wait(until) => {
                        self.alarm = until;
                        return;
                    }
                    Next::Ended => return,
                    next => self.line.push_back(next),
                }
            }
            return;
        }
        loop {
            match self.next(engine) {
                Next::Job(job) => {
                    let worker = self.rested();
                    self.give(&worker);
                    return posts.push((worker, Mail::Run(job)));
                }
                Next::Resume(task, wake) => {
                    let Some(worker) = self.parked.remove(&task) else { continue };
                    self.give(&worker);
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

    /// After the end: sends home who waits for nothing.
    pub(crate) fn dismiss(&mut self) -> Posts {
        self.idle.drain(..).map(|worker| (worker, Mail::Leave)).collect()
    }

    fn rest(&mut self, me: &Arc<Worker>, blocked: Option<TaskId>) -> Step {
        match blocked {
            Some(task) => {
                self.parked.insert(task, me.clone());
            }
            None => self.idle.push(me.clone()),
        }
        Step::Park
    }
}
