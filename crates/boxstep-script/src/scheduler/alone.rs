//! The rest of a run without scripts, after the interpreter has broken for good and all of its threads are lost.

use super::{Interpreter, WorkerPool, failure};
use boxstep_engine::TaskId;
use boxstep_engine::protocol::{Next, Request, Scheduler};
use boxstep_types::Value;
use std::sync::atomic::Ordering;

impl<S: Scheduler + 'static, I: Interpreter> WorkerPool<S, I> {
    /// Plays what is native to its end on the calling thread. Behaviors that have scripts fail, and are unloaded without.
    pub(super) fn go_on_alone(&self, why: &str) {
        let lost = |task: TaskId| (task, Request::Raised(failure("ProcessEnded", why.to_owned())));
        let mut engine = self.0.engine.lock();
        self.0.alone.store(true, Ordering::Relaxed);
        if self.hub().ended {
            return;
        }
        // To the engine these run already.
        self.hub().line.clear();
        // Who waits is not to blame, and is woken below.
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
                // It was blocked, and is told to end.
                Next::Resume(task, _) => {
                    engine.request(task, Request::Returned(Value::Null));
                }
                // In virtual time that is to wait for a script, and there is none.
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
