//! The rest of a run without scripts, after the interpreter has broken for good and all of its threads are lost.

use super::{Interpreter, WorkerPool, failure};
use boxstep_engine::TaskId;
use boxstep_engine::protocol::{Next, Request, Scheduler};
use boxstep_types::Value;
use std::sync::atomic::Ordering;

impl<S: Scheduler + 'static, I: Interpreter> WorkerPool<S, I> {
    /// Runs the native work to its end on the calling thread. Behaviors with scripts fail, and are unloaded without
    /// running their scripts.
    pub(super) fn run_without_scripts(&self, why: &str) {
        let lost = |task: TaskId| (task, Request::Raised(failure("ProcessEnded", why.to_owned())));
        let mut engine = self.0.engine.lock();
        self.0.without_scripts.store(true, Ordering::Relaxed);
        if self.hub().ended {
            return;
        }
        // From the engine's point of view these jobs run already.
        self.hub().queue.clear();
        // Blocked tasks do not fail: they are woken below.
        let running: Vec<TaskId> =
            engine.tasks().into_iter().filter(|(_, _, is_blocked)| !is_blocked).map(|(task, ..)| task).collect();
        engine.scripts_died(why);
        for task in running {
            let (task, raised) = lost(task);
            engine.request(task, raised);
        }
        drop(engine);
        loop {
            let seen = self.0.engine.pokes();
            let mut engine = self.0.engine.lock();
            match engine.next() {
                Next::Job(job) => {
                    let (task, raised) = lost(job.task);
                    engine.request(task, raised);
                }
                // The task was blocked, and is told to end.
                Next::Resume(task, _) => {
                    engine.request(task, Request::Returned(Value::Null));
                }
                // In virtual time this means to wait for a script, and no script runs any more.
                Next::Wait(_) if self.0.is_virtual => engine.give_up(),
                Next::Wait(until) => {
                    let timeout = until.map(|until| until.since(engine.now()));
                    drop(engine);
                    self.0.engine.wait(seen, timeout);
                }
                Next::Ended => break,
            }
        }
        self.hub().ended = true;
    }
}
