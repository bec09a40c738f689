//! The scheduler of script threads: which thread runs which script, and when.
//!
//! Every call into scripts is a *task*, and a blocked task keeps its thread, a *worker* of an elastic pool. This
//! module does not depend on Python: the engine is any [`Scheduler`], the interpreter any [`Interpreter`].
//!
//! One worker has the *turn*. It asks the engine for the next step and runs jobs inline. When its task blocks, it
//! keeps the turn and continues to ask the engine from where it blocked. Only if the engine wants another script to
//! run does the turn pass to another worker, and a worker never starts a job on top of a blocked task. So scripts
//! begin, and resume after they were blocked, one after another, in an order that only the engine decides.
//!
//! The clocks differ in the handling of a script that neither ends nor blocks.
//!
//! **Virtual time.** The run waits for it. The supervisor takes the turn from a holder that makes no progress (a
//! script that waits for another one without the engine's knowledge); the run is not repeatable then.
//!
//! **Real time.** Once the script has been running for a moment (see [`start`]), the turn passes on and the script
//! continues beside the others. Until then only scripts wait for it: a dispatcher, which never enters the interpreter,
//! handles timers and native work, and queues the scripts that are to begin. `docs/reference/semantics/order.md` has the rule.
//!
//! Locks, in the order in which they may be taken: interpreter, waiters of a script lock, engine, hub. A thread that
//! holds one of the last three neither enters the interpreter nor drops a script object.

mod alone;
mod cpu;
mod hub;
mod primitives;
mod start;
mod supervisor;
mod sync;

#[doc(hidden)]
pub mod model;
#[cfg(test)]
mod tests;

pub use cpu::Usage;
pub(crate) use sync::Mailbox;

use boxstep_engine::protocol::{Answer, BlockedOn, Job, Order, Request, Scheduler, ScriptError, Wake};
use boxstep_engine::shared::Shared;
use boxstep_engine::{ObjectId, TaskId};
use boxstep_types::{Time, Value};
use hub::{Hub, Mail, Posts, Step, Worker};
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::Duration;

/// The interpreter of scripts, as the threads that enter it see it.
///
/// An *attached* thread holds the lock that lets one thread at a time run scripts (Python's interpreter lock).
pub trait Interpreter: Send + Sync + 'static {
    /// Attaches the calling thread while `body` runs. Called once in the lifetime of a worker.
    fn attach(&self, body: &mut dyn FnMut());

    /// Lets other threads run scripts while `body` runs. The calling thread is attached before and after.
    fn detached(&self, body: &mut (dyn FnMut() + Send));

    /// Runs an order on the calling, attached thread. When it returns, every script object that the order created and
    /// that nothing references any more has been dropped. `entered` becomes true before the order's function has any
    /// effect that others can see; each thread passes the same flag for all of its orders.
    ///
    /// # Errors
    /// The exception that the script did not catch. The stop exception is not an error.
    fn run(&self, order: Order, entered: &Arc<AtomicBool>) -> Result<Value, ScriptError>;

    /// Asks an interpreter in another process whether the function of the current order has been entered. `_thread` is
    /// from [`Interpreter::thread`]. The answer sets the flag that [`Interpreter::run`] got.
    fn look_whether_entered(&self, _thread: u64) {}

    /// Returns the interpreter's own id of the calling, attached thread.
    fn thread(&self) -> u64;

    /// Attaches the calling thread, then raises the stop exception in another thread if `still` returns true. May take
    /// long.
    fn interrupt(&self, thread: u64, still: &dyn Fn() -> bool);

    /// Cancels an interrupt of the calling, attached thread that has not been raised yet.
    fn clear_interrupt(&self);

    /// Returns how much processor time a script thread has used. `_thread` is from [`Interpreter::thread`],
    /// `system_thread` is the operating system's id of the attached thread.
    fn usage(&self, _thread: u64, system_thread: u32) -> Option<Usage> {
        Usage::of_thread(system_thread)
    }

    /// Returns how much processor time the other threads of the script process have used; `None` where the operating
    /// system does not report it.
    fn others(&self) -> Option<Duration> {
        Usage::of_others()
    }

    /// Reports, once, why scripts cannot run any more, if that is so. On return the report has been made.
    fn died(&self, _tell: &mut dyn FnMut(&str)) {}

    /// Returns why no thread that runs scripts will ever return, if that is so: the interpreter is broken, and only
    /// the end of the process can end it.
    fn lost(&self) -> Option<String> {
        None
    }

    /// Returns for how long the interpreter has not responded because a script keeps its lock. Zero if that is not
    /// known.
    fn silent(&self) -> Duration {
        Duration::ZERO
    }

    /// Returns the stack size of a worker in bytes. Scripts in this process recurse on it: it has room for the depth
    /// that `shim_process.MOST_RECURSION` allows, in every Python. Only the memory that is used is allocated, but a
    /// limited address space has no room for many such stacks.
    fn stack(&self) -> usize {
        32 << 20
    }

    /// Kills all processes or threads that run scripts. Returns false if that is not possible.
    fn kill(&self, _why: &str) -> bool {
        false
    }
}

/// The engine as running scripts see it, whatever its type.
pub trait EngineHandle: Send + Sync {
    /// Sends a request and waits if it blocks. The answer is never [`Answer::Blocked`]: a request that blocked returns
    /// `Value`, `Error` or `Interrupted` ([`Request::Call`]) or `Flag(timed out)` ([`Request::WaitCall`]).
    fn request(&self, request: Request) -> Answer;

    /// Blocks the calling task until it is woken, or `delay` nanoseconds have passed on the engine's clock.
    ///
    /// `enqueue` gets the task and the generation that a waker has to name. It is called before anything can wake the
    /// task.
    fn block(&self, delay: Option<i64>, on: BlockedOn, enqueue: &mut dyn FnMut(TaskId, u32)) -> Wake;

    /// Whether the clock is virtual.
    fn is_virtual(&self) -> bool;
}

/// The engine as a worker's own thread sees it.
trait OwnHandle: EngineHandle {
    /// Handles [`EngineHandle::request`] for this worker.
    fn request_by(&self, me: &Arc<Worker>, request: Request) -> Answer;

    /// Handles [`Scheduler::output`] for this worker's task.
    fn output_by(&self, me: &Worker, task: TaskId, object: ObjectId, name: &Arc<str>, value: Value) -> Answer;
}

struct Here {
    worker: Arc<Worker>,
    bridge: Arc<dyn OwnHandle>,
}

thread_local! {
    static HERE: RefCell<Option<Here>> = const { RefCell::new(None) };
}

/// Sends a request ([`EngineHandle::request`]) for the task that runs on the calling thread.
///
/// # Errors
/// Returns the request on a thread without a task.
pub fn request_here(request: Request) -> Result<Answer, Request> {
    HERE.with_borrow(|here| match here {
        Some(here) if here.worker.task().is_some() => Ok(here.bridge.request_by(&here.worker, request)),
        _ => Err(request),
    })
}

/// Sends a value to an output ([`Scheduler::output`]) for the task that runs on the calling thread.
///
/// # Errors
/// Returns the value on a thread without a task.
pub fn output_here(object: ObjectId, name: &Arc<str>, value: Value) -> Result<Answer, Value> {
    HERE.with_borrow(|here| match here.as_ref().and_then(|here| Some((here, here.worker.task()?))) {
        Some((here, task)) => Ok(here.bridge.output_by(&here.worker, task, object, name, value)),
        None => Err(value),
    })
}

/// Returns the engine of the task that runs on the calling thread; `None` on a thread without a task.
pub fn engine_here() -> Option<Arc<dyn EngineHandle>> {
    HERE.with_borrow(|here| {
        here.as_ref().filter(|h| h.worker.task().is_some()).map(|h| h.bridge.clone() as Arc<dyn EngineHandle>)
    })
}

/// Returns the number of the worker that the calling thread is; workers are numbered from 0 in a repeatable order.
pub fn worker_here() -> Option<u32> {
    HERE.with_borrow(|here| here.as_ref().map(|h| h.worker.number))
}

/// The threads that run the scripts of one run. Cheap to clone.
pub struct WorkerPool<S, I>(Arc<PoolInner<S, I>>);

impl<S, I> Clone for WorkerPool<S, I> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

struct PoolInner<S, I> {
    engine: Shared<S>,
    interpreter: I,
    patience: Duration,
    is_virtual: bool,
    hub: Mutex<Hub>,
    /// Real time: a running script has queued work that has not been dispatched yet.
    queued: AtomicBool,
    /// Scripts may run; before that, the host sets itself up.
    driving: AtomicBool,
    /// A thread that runs no task has sent a request.
    foreign_thread_seen: AtomicBool,
    interrupter: Mutex<Option<mpsc::Sender<Target>>>,
    /// The engine continues without scripts. Read and written with the engine locked: requests of script threads that
    /// return later are ignored.
    without_scripts: AtomicBool,
}

/// A task whose job is done, and its result.
type Ended = (TaskId, Result<Value, ScriptError>);

/// A worker to interrupt, and the serial number of its task: a later task of the worker must not be interrupted.
type Target = (Arc<Worker>, u64);

impl<S: Scheduler + 'static, I: Interpreter> WorkerPool<S, I> {
    /// Creates the threads for the scripts of an engine; none is started before there is something to run. In virtual
    /// time `patience` is how long, in wall-clock time, a run with nothing else to do waits for a script that has lost
    /// its turn.
    pub fn new(engine: &Shared<S>, interpreter: I, patience: Duration) -> Self {
        let is_virtual = engine.lock().is_virtual();
        Self(Arc::new(PoolInner {
            engine: engine.clone(),
            interpreter,
            patience,
            is_virtual,
            hub: Mutex::default(),
            queued: AtomicBool::new(false),
            driving: AtomicBool::new(false),
            foreign_thread_seen: AtomicBool::new(false),
            interrupter: Mutex::new(None),
            without_scripts: AtomicBool::new(false),
        }))
    }

    fn hub(&self) -> MutexGuard<'_, Hub> {
        self.0.hub.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Determines the next step of the calling worker. The engine is locked.
    fn step(&self, engine: &mut S, me: &Arc<Worker>, blocked: Option<TaskId>, posts: &mut Posts) -> Step {
        let mut hub = self.hub();
        let alarm = hub.alarm;
        let step = hub.step(engine, me, blocked, posts);
        // The dispatcher sleeps until the alarm that it knows; it does not know what is queued behind this turn.
        let sooner = !self.0.is_virtual && hub.alarm.is_some_and(|new| alarm.is_none_or(|old| new < old));
        if sooner || hub.ended && hub.holder().is_none() {
            self.0.engine.wake();
        } else if !self.0.is_virtual && hub.holder().is_some() {
            self.dispatch_soon();
        }
        step
    }

    /// Real time: wakes the dispatcher soon.
    fn dispatch_soon(&self) {
        if !self.0.queued.swap(true, Ordering::AcqRel) {
            self.0.engine.wake();
        }
    }

    /// Posts mail, and starts the threads of workers that have none.
    fn send(&self, posts: &mut Posts) {
        for (worker, mail) in posts.drain(..) {
            if worker.started.swap(true, Ordering::AcqRel) {
                worker.mail.post(mail);
            } else {
                self.start(worker, mail);
            }
        }
    }

    fn start(&self, worker: Arc<Worker>, mail: Mail) {
        let pool = self.clone();
        let me = worker.clone();
        let task = match &mail {
            Mail::Run(job) => Some(job.task),
            Mail::Resume(_) | Mail::Drain | Mail::Leave => None,
        };
        let started = std::thread::Builder::new()
            .name(format!("script {}", worker.number))
            .stack_size(self.0.interpreter.stack())
            .spawn(move || pool.run_worker(&me, mail));
        if let Err(error) = started {
            worker.started.store(false, Ordering::Release);
            self.0.engine.poke(|engine| {
                if let Some(task) = task {
                    engine.request(
                        task,
                        Request::Raised(failure(
                            "RuntimeError",
                            format!("cannot start a thread for a script: {error}"),
                        )),
                    );
                }
                self.hub().take_turn_of(&worker);
            });
        }
    }

    /// The main function of a worker's thread.
    fn run_worker(&self, me: &Arc<Worker>, first: Mail) {
        HERE.set(Some(Here { worker: me.clone(), bridge: Arc::new(self.clone()) }));
        me.system_thread.store(cpu::this_thread(), Ordering::Release);
        let mut mail = Some(first);
        self.0.interpreter.attach(&mut || {
            me.script_thread.store(self.0.interpreter.thread(), Ordering::Release);
            while let Some(m) = mail.take() {
                let ended = match m {
                    Mail::Run(job) => Some(self.run(me, job)),
                    Mail::Resume(_) | Mail::Drain => None,
                    Mail::Leave => return,
                };
                mail = Some(self.work(me, ended));
            }
        });
    }

    /// Works with an empty stack until there is nothing more for this worker, then waits for mail.
    fn work(&self, me: &Arc<Worker>, mut ended: Option<Ended>) -> Mail {
        let mut posts = Vec::new();
        loop {
            let mut engine = self.0.engine.lock();
            if self.0.without_scripts.load(Ordering::Relaxed) {
                return Mail::Leave;
            }
            if let Some((task, result)) = ended.take() {
                engine.ended(task, result);
            }
            let step = self.step(&mut engine, me, None, &mut posts);
            drop(engine);
            match step {
                Step::Run(job) => {
                    self.send(&mut posts);
                    ended = Some(self.run(me, job));
                }
                Step::Wake(_) | Step::Park => return self.park(me, &mut posts),
            }
        }
    }

    /// Posts mail and waits with the interpreter released: a thread that is woken while the interpreter is taken would
    /// have to be woken twice.
    fn park(&self, me: &Worker, posts: &mut Posts) -> Mail {
        let mut mail = None;
        self.0.interpreter.detached(&mut || {
            self.send(posts);
            mail = Some(me.mail.wait());
        });
        mail.unwrap_or(Mail::Drain)
    }

    fn run(&self, me: &Worker, job: Job) -> Ended {
        me.set_task(Some(job.task));
        // A panic in the script host must not keep the turn.
        let result = catch_unwind(AssertUnwindSafe(|| self.0.interpreter.run(job.order, &me.entered)))
            .unwrap_or_else(|_| Err(failure("SystemError", "the script host panicked".to_owned())));
        // Reported before the task is cleared, so that the report can name it.
        self.report_death();
        me.set_task(None);
        if me.interrupted.load(Ordering::Acquire) && me.interrupted.swap(false, Ordering::AcqRel) {
            self.0.interpreter.clear_interrupt();
        }
        (job.task, result)
    }

    /// Tells the engine that scripts cannot run any more, if that is so.
    fn report_death(&self) {
        self.0.interpreter.died(&mut |why| self.0.engine.poke(|engine| engine.scripts_died(why)));
    }

    /// Parks the calling task, which the engine has just blocked, until it is woken.
    fn wait(&self, mut engine: MutexGuard<'_, S>, me: &Arc<Worker>, task: TaskId) -> Wake {
        let mut posts = Vec::new();
        let step = self.step(&mut engine, me, Some(task), &mut posts);
        drop(engine);
        let wake = match step {
            Step::Wake(wake) => wake,
            Step::Run(_) | Step::Park => match self.park(me, &mut posts) {
                Mail::Resume(wake) => wake,
                Mail::Run(_) | Mail::Drain | Mail::Leave => Wake::Interrupted,
            },
        };
        me.entered.store(true, Ordering::Release);
        wake
    }

    /// Handles a request of a worker, or of a thread that is not a worker.
    fn request_of(&self, me: Option<&Arc<Worker>>, request: Request) -> Answer {
        let task = me.and_then(|me| me.task());
        let queues_work = queues_work(&request);
        let is_wait = matches!(request, Request::WaitCall { .. });
        if task.is_none() && matches!(request, Request::Call(_) | Request::WaitCall { .. } | Request::Block { .. }) {
            return Answer::Error("this thread was not started by Python's threading: it cannot wait here".into());
        }
        let mut engine = self.lock_for(me.map(|me| &**me));
        if self.0.without_scripts.load(Ordering::Relaxed) {
            return Answer::Interrupted;
        }
        if task.is_none()
            && self.0.driving.load(Ordering::Acquire)
            && !self.0.foreign_thread_seen.swap(true, Ordering::AcqRel)
        {
            let why = "a thread that Python's threading did not start took part";
            engine.request(TaskId::FOREIGN, Request::NotDeterministic(why.into()));
        }
        if self.0.is_virtual
            && matches!(request, Request::Call(_) | Request::IsRunning(_))
            && let (Some(me), Some(task)) = (me, task)
        {
            // A script that asks a service again and again must see time pass, as one that reads the clock.
            engine = match self.let_time_pass(engine, me, task) {
                Ok(engine) => engine,
                Err(answer) => return answer,
            };
        }
        let answer = engine.request(task.unwrap_or(TaskId::FOREIGN), request);
        if let (Answer::Blocked(_), Some(me), Some(task)) = (&answer, me, task) {
            return match self.wait(engine, me, task) {
                Wake::Interrupted => Answer::Interrupted,
                Wake::Returned(value) => Answer::Value(value),
                Wake::Failed(why) => Answer::Error(why),
                wake @ (Wake::TimedOut | Wake::Notified) if is_wait => Answer::Flag(wake == Wake::TimedOut),
                Wake::TimedOut | Wake::Notified => Answer::Done,
            };
        }
        if queues_work {
            self.ensure_dispatch(me.map(|me| &**me), engine);
        }
        answer
    }

    /// Reads the clock for a task, and lets the task wait if it polls; returns the engine, locked.
    fn let_time_pass<'a>(
        &'a self,
        mut engine: MutexGuard<'a, S>,
        me: &Arc<Worker>,
        task: TaskId,
    ) -> Result<MutexGuard<'a, S>, Answer> {
        loop {
            match engine.request(task, Request::Now) {
                Answer::Yield => {}
                error @ Answer::Error(_) => return Err(error),
                _ => return Ok(engine),
            }
            let until = Some(engine.now());
            match engine.request(task, Request::Block { until, on: BlockedOn::Sleep }) {
                Answer::Blocked(_) => {}
                other => return Err(other),
            }
            match self.wait(engine, me, task) {
                Wake::Interrupted => return Err(Answer::Interrupted),
                Wake::Failed(why) => return Err(Answer::Error(why)),
                _ => engine = self.lock_for(Some(&**me)),
            }
        }
    }

    /// Locks the engine for a script. To wait for it is no sleep of the script.
    fn lock_for(&self, me: Option<&Worker>) -> MutexGuard<'_, S> {
        let asks = |asks| me.into_iter().for_each(|me| me.asks.store(asks, Ordering::Relaxed));
        asks(true);
        let engine = self.0.engine.lock();
        asks(false);
        engine
    }

    /// Makes sure, after a request that did not block, that the work it has queued is dispatched.
    fn ensure_dispatch(&self, me: Option<&Worker>, engine: MutexGuard<'_, S>) {
        drop(engine);
        if !self.0.is_virtual {
            self.dispatch_soon();
        } else if !me.is_some_and(|me| me.has_turn()) {
            // A holder of the turn asks the engine itself as soon as its task ends or blocks.
            self.0.engine.wake();
        }
    }
}

fn failure(kind: &str, message: String) -> ScriptError {
    let traceback = format!("{kind}: {message}\n").into();
    ScriptError { kind: kind.into(), message: message.into(), line: None, traceback }
}

/// Whether a request can queue work.
fn queues_work(request: &Request) -> bool {
    !matches!(
        request,
        Request::Now
            | Request::GetParameter { .. }
            | Request::FindService { .. }
            | Request::IsRunning(_)
            | Request::Log { .. }
            | Request::Print { .. }
            | Request::NotDeterministic(_)
    )
}

impl<S: Scheduler + 'static, I: Interpreter> OwnHandle for WorkerPool<S, I> {
    fn request_by(&self, me: &Arc<Worker>, request: Request) -> Answer {
        self.request_of(Some(me), request)
    }

    fn output_by(&self, me: &Worker, task: TaskId, object: ObjectId, name: &Arc<str>, value: Value) -> Answer {
        let mut engine = self.lock_for(Some(me));
        if self.0.without_scripts.load(Ordering::Relaxed) {
            return Answer::Interrupted;
        }
        let answer = engine.output(task, object, name, value);
        self.ensure_dispatch(Some(me), engine);
        answer
    }
}

impl<S: Scheduler + 'static, I: Interpreter> EngineHandle for WorkerPool<S, I> {
    fn request(&self, request: Request) -> Answer {
        HERE.with_borrow(|here| self.request_of(here.as_ref().map(|h| &h.worker), request))
    }

    fn block(&self, delay: Option<i64>, on: BlockedOn, enqueue: &mut dyn FnMut(TaskId, u32)) -> Wake {
        let Some((me, task)) =
            HERE.with_borrow(|h| h.as_ref().and_then(|h| Some((h.worker.clone(), h.worker.task()?))))
        else {
            return Wake::Interrupted;
        };
        let mut engine = self.0.engine.lock();
        if self.0.without_scripts.load(Ordering::Relaxed) {
            return Wake::Interrupted;
        }
        let until = delay.map(|ns| engine.now() + Time(ns.max(0)));
        match engine.request(task, Request::Block { until, on }) {
            Answer::Blocked(generation) => {
                enqueue(task, generation);
                self.wait(engine, &me, task)
            }
            Answer::Error(why) => Wake::Failed(why),
            _ => Wake::Interrupted,
        }
    }

    fn is_virtual(&self) -> bool {
        self.0.is_virtual
    }
}
