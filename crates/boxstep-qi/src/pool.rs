//! Threads that handle requests of peers, so that they never block a thread that reads a socket.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A unit of work.
pub(crate) type Job = Box<dyn FnOnce() + Send>;

/// Locks a mutex, even if a thread that held it has panicked.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How long a thread waits for work before it ends.
const IDLE: Duration = Duration::from_secs(5);

/// Threads that are started when there is work and end when there is none.
pub(crate) struct Pool {
    state: Mutex<PoolState>,
    work: Condvar,
    most: usize,
}

#[derive(Default)]
struct PoolState {
    jobs: VecDeque<Job>,
    threads: usize,
    idle: usize,
    /// Whether threads end as soon as there is no work.
    retired: bool,
}

impl Pool {
    /// Makes a pool of at most this many threads.
    pub(crate) fn new(most: usize) -> Arc<Pool> {
        Arc::new(Pool { state: Mutex::default(), work: Condvar::new(), most: most.max(1) })
    }

    /// Queues a job.
    pub(crate) fn run(self: &Arc<Self>, job: Job) {
        let mut state = lock(&self.state);
        state.jobs.push_back(job);
        if state.jobs.len() <= state.idle || state.threads >= self.most {
            drop(state);
            self.work.notify_one();
            return;
        }
        state.threads += 1;
        drop(state);
        let pool = Arc::clone(self);
        let spawned = std::thread::Builder::new().name("qi-work".to_owned()).spawn(move || pool.worker());
        if spawned.is_err() {
            // Other threads will run the job; if there are none, this thread must.
            let mut state = lock(&self.state);
            state.threads -= 1;
            if state.threads == 0
                && let Some(job) = state.jobs.pop_front()
            {
                drop(state);
                do_safely(job);
            }
        }
    }

    /// Lets idle threads end at once, because little work will come.
    pub(crate) fn retire(&self) {
        lock(&self.state).retired = true;
        self.work.notify_all();
    }

    fn worker(&self) {
        let mut state = lock(&self.state);
        loop {
            if let Some(job) = state.jobs.pop_front() {
                drop(state);
                do_safely(job);
                state = lock(&self.state);
                continue;
            }
            if state.retired {
                state.threads -= 1;
                return;
            }
            state.idle += 1;
            let (back, waited) = self.work.wait_timeout(state, IDLE).unwrap_or_else(PoisonError::into_inner);
            state = back;
            state.idle -= 1;
            if waited.timed_out() && state.jobs.is_empty() {
                state.threads -= 1;
                return;
            }
        }
    }
}

/// Runs a job and catches its panic: a panic in the code of one object must not end a thread that serves all.
pub(crate) fn do_safely(job: Job) {
    let _ = catch_unwind(AssertUnwindSafe(job));
}

/// A queue of jobs that run one after another, in order, on the threads of a pool.
pub(crate) struct JobQueue {
    pool: Arc<Pool>,
    state: Mutex<(VecDeque<Job>, bool)>,
}

/// How many jobs of one queue run before other queues get the thread.
const TURN: usize = 64;

impl JobQueue {
    pub(crate) fn new(pool: &Arc<Pool>) -> Arc<JobQueue> {
        Arc::new(JobQueue { pool: Arc::clone(pool), state: Mutex::default() })
    }

    /// Queues a job after all jobs that were queued before.
    pub(crate) fn run(self: &Arc<Self>, job: Job) {
        let mut state = lock(&self.state);
        state.0.push_back(job);
        if !std::mem::replace(&mut state.1, true) {
            drop(state);
            self.schedule();
        }
    }

    fn schedule(self: &Arc<Self>) {
        let queue = Arc::clone(self);
        self.pool.run(Box::new(move || {
            for _ in 0..TURN {
                let mut state = lock(&queue.state);
                let Some(job) = state.0.pop_front() else {
                    state.1 = false;
                    return;
                };
                drop(state);
                do_safely(job);
            }
            queue.schedule();
        }));
    }
}

/// Bounds how much work of one connection may be queued.
pub(crate) struct QueueLimit {
    state: Mutex<QueueSize>,
    room: Condvar,
    most: QueueSize,
}

#[derive(Clone, Copy, Default)]
pub(crate) struct QueueSize {
    pub(crate) jobs: usize,
    pub(crate) bytes: usize,
}

/// A place in the queue; dropping it gives the place back.
pub(crate) struct Ticket {
    gate: Arc<QueueLimit>,
    bytes: usize,
}

impl QueueLimit {
    pub(crate) fn new(most: QueueSize) -> Arc<QueueLimit> {
        Arc::new(QueueLimit { state: Mutex::default(), room: Condvar::new(), most })
    }

    /// Waits up to `patience` until there is room for one more job of this many bytes.
    pub(crate) fn enter(self: &Arc<Self>, bytes: usize, patience: Duration) -> Option<Ticket> {
        let mut state = lock(&self.state);
        let full = |state: &QueueSize| {
            state.jobs >= self.most.jobs || (state.jobs > 0 && state.bytes + bytes > self.most.bytes)
        };
        if full(&state) {
            let until = Instant::now() + patience;
            while full(&state) {
                let left = until.saturating_duration_since(Instant::now());
                if left.is_zero() {
                    return None;
                }
                state = self.room.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
            }
        }
        state.jobs += 1;
        state.bytes += bytes;
        Some(Ticket { gate: Arc::clone(self), bytes })
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let mut state = lock(&self.gate.state);
        state.jobs -= 1;
        state.bytes -= self.bytes;
        drop(state);
        self.gate.room.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn a_job_queue_keeps_the_order() {
        let pool = Pool::new(8);
        let queue = JobQueue::new(&pool);
        let (tell, told) = channel();
        for i in 0..10_000 {
            let tell = tell.clone();
            queue.run(Box::new(move || tell.send(i).unwrap()));
        }
        assert!((0..10_000).all(|i| told.recv().unwrap() == i));
    }

    #[test]
    fn a_panic_does_not_stop_the_pool() {
        let pool = Pool::new(1);
        let queue = JobQueue::new(&pool);
        let (tell, told) = channel();
        queue.run(Box::new(|| std::panic::resume_unwind(Box::new("on purpose"))));
        queue.run(Box::new(move || tell.send(()).unwrap()));
        assert!(told.recv().is_ok());
    }

    #[test]
    fn a_queue_limit_is_enforced() {
        let gate = QueueLimit::new(QueueSize { jobs: 2, bytes: 100 });
        let first = gate.enter(1000, Duration::ZERO);
        assert!(first.is_some(), "one may always, or it could never");
        assert!(gate.enter(1, Duration::ZERO).is_none());
        drop(first);
        let two = (gate.enter(1, Duration::ZERO), gate.enter(1, Duration::ZERO));
        assert!(two.0.is_some() && two.1.is_some());
        assert!(gate.enter(1, Duration::ZERO).is_none());
    }
}
