//! Runs the hooks of scripted behaviors as tasks: the engine's side of `scripted.rs`.
//!
//! A tick that calls such a hook continues when the script host has run the hook. Until then the engine does not have
//! the runner: robot events in the meantime are inputs of the next tick, and a stop waits. The engine abandons a hook
//! that takes too long, so that no tick lasts forever.

use super::scripted::{self, Came, Go, HookCall};
use super::{DeferredCalls, Runner};
use crate::Engine;
use crate::behaviors::Behaviors;
use crate::clock::Alarm;
use crate::context::Context;
use crate::event_loop::Work;
use crate::follow_up::FollowUp;
use crate::graph::Graph;
use crate::protocol::{Answer, BlockedOn, CallbackId, ObjectCall, Order, ScriptError, TaskId, Wake};
use crate::run_end::RunEnd;
use crate::runner::host::Runners;
use crate::tasks::{NewTask, Role, Task, TaskState, Tasks};
use crate::trace::{EndReason, Kind, PathId};
use boxstep_types::{Time, Value};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};

/// How long a hook may run between two requests, on the run's clock.
pub const HOOK_WITHIN: Time = Time::from_millis(5_000);

/// The script function that runs the hooks of a runner's behaviors.
#[derive(Clone, Debug, PartialEq)]
pub struct Scripts {
    /// The function that is called for each hook.
    pub callback: CallbackId,
    /// The arguments of the first call, before the first tick; `None` if everything is loaded already.
    pub load: Option<Vec<Value>>,
}

/// The thread of a runner, and its running hooks.
pub(crate) struct Thread {
    go: Sender<Go>,
    came: Receiver<Came>,
    callback: CallbackId,
    /// The running hooks, from the root to the leaf; all but the last wait for an answer.
    frames: Vec<RunningHook>,
    /// The number of the current stretch: the time in which a hook runs between two requests.
    stretch: u64,
    /// The behaviors of which a hook was abandoned. The hook may still run, so no other hook of them is called.
    given_up: Vec<u32>,
    /// Whether the current command is a stop and not a tick.
    stops: bool,
    /// Why the script host that ran the hooks is gone, if it is.
    lost: Option<Arc<str>>,
}

/// A running hook.
struct RunningHook {
    task: TaskId,
    /// The generation of its task at the start, which tells it apart from other tasks with the same number.
    born: u32,
    /// The number of its behavior among those of the runner; `None` for a condition and for the loading of scripts.
    number: Option<u32>,
    /// The path for what the hook prints and raises.
    path: PathId,
    what: Arc<str>,
    /// The generation of the task in which the hook is blocked by its request, if it is.
    waits: Option<u32>,
    /// The result, if the hook returned although its request is still under way.
    early_result: Option<Result<Value, ScriptError>>,
}

fn error(kind: &str, message: String) -> ScriptError {
    let traceback = format!("{kind}: {message}\n").into();
    ScriptError { kind: kind.into(), message: message.into(), line: None, traceback }
}

/// Converts the result of the host's function: `["value", …]`, or `["raised", kind, message, traceback]`.
pub(crate) fn hook_result(said: Result<Value, ScriptError>) -> Result<Value, ScriptError> {
    match said?.as_list() {
        Some([Value::Str(how), value]) if **how == *"value" => Ok(value.clone()),
        Some([Value::Str(how), Value::Str(kind), Value::Str(message), Value::Str(traceback)]) if **how == *"raised" => {
            Err(ScriptError { kind: kind.clone(), message: message.clone(), line: None, traceback: traceback.clone() })
        }
        _ => Err(error("RuntimeError", "it was ended with the run".to_owned())),
    }
}

impl Thread {
    /// Starts the thread of a runner.
    ///
    /// # Errors
    /// The system cannot create a thread.
    pub(super) fn start(scripts: Scripts, deferred: DeferredCalls) -> std::io::Result<Self> {
        let (go, came) = scripted::start(scripts.load, deferred)?;
        let callback = scripts.callback;
        let (frames, given_up) = (Vec::new(), Vec::new());
        Ok(Self { go, came, callback, frames, stretch: 0, given_up, stops: false, lost: None })
    }

    /// Returns the position of the running hook of this task.
    fn frame(&self, task: TaskId, born: u32) -> Option<usize> {
        self.frames.iter().position(|frame| frame.task == task && frame.born == born)
    }
}

impl Runners {
    fn thread(&mut self, index: u32) -> Option<&mut Thread> {
        self.all.get_mut(index as usize)?.thread.as_mut()
    }

    /// Returns whether this stretch is still the current one.
    pub(crate) fn hook_runs(&self, index: u32, stretch: u64) -> bool {
        let thread = self.all.get(index as usize).and_then(|hosted| hosted.thread.as_ref());
        thread.is_some_and(|thread| thread.stretch == stretch && !thread.frames.is_empty())
    }

    /// Records that the script host is gone; no hook is called any more.
    pub(crate) fn lose_hooks(&mut self, why: &Arc<str>) {
        for hosted in &mut self.all {
            if let Some(thread) = &mut hosted.thread {
                thread.lost = Some(why.clone());
            }
        }
    }

    /// Has a runner tick, or stop, on its own thread.
    pub(super) fn send(&mut self, index: u32, go: Go) -> Option<FollowUp> {
        self.thread(index)?.stops = matches!(go, Go::Stop(..));
        Some(FollowUp::CommandRunner(index, go))
    }

    /// Takes a runner back from its thread, after a tick or a stop.
    fn take_back(
        &mut self,
        cx: &mut Context,
        behaviors: &Behaviors,
        end: &RunEnd,
        index: u32,
        runner: Box<Runner>,
        broken: Option<ScriptError>,
    ) -> Vec<FollowUp> {
        let Some(hosted) = self.all.get_mut(index as usize) else { return Vec::new() };
        let stopped = hosted.thread.as_ref().is_some_and(|thread| thread.stops);
        hosted.come_back(runner);
        if let Some(error) = broken {
            cx.warn(PathId(0), format!("behaviors in Python cannot be run: {error}"));
            return vec![match behaviors.played.is_none() && !end.has_begun() {
                true => FollowUp::StopAll(EndReason::Failed),
                false => FollowUp::StopRunner(index, Time::MAX),
            }];
        }
        let done = if stopped { FollowUp::RunnerStopped(index) } else { FollowUp::RunnerTicked(index) };
        vec![done, FollowUp::StopWaitingRunner(index)]
    }

    /// Starts a new stretch of a hook, with its timeout, because the hook begins or continues.
    fn begin_stretch(&mut self, cx: &mut Context, index: u32) {
        let at = cx.now() + HOOK_WITHIN;
        let Some(thread) = self.thread(index) else { return };
        thread.stretch += 1;
        let stretch = thread.stretch;
        cx.alarm(at, Alarm::Hook(index, stretch));
    }

    /// Traces what a runner has done up to the call of a hook, which becomes the current cause. Returns the path of the
    /// hook.
    ///
    /// # Errors
    /// No script host can run it.
    fn may_call(&mut self, cx: &mut Context, index: u32, call: &HookCall) -> Result<PathId, ScriptError> {
        let hosted = &mut self.all[index as usize];
        hosted.trace(cx, &call.events);
        cx.begin(hosted.number(call.cause));
        let Some(thread) = &hosted.thread else {
            return Err(error("RuntimeError", "the runner has no scripts".to_owned()));
        };
        if let Some(why) = &thread.lost {
            return Err(error("ProcessEnded", why.to_string()));
        }
        if call.of.is_some_and(|(_, number)| thread.given_up.contains(&number)) {
            return Err(error("TimeoutError", "one of its hooks was given up".to_owned()));
        }
        Ok(call.of.map_or(PathId(0), |(of, _)| hosted.path(of.0)))
    }

    /// Queues a task that calls a hook.
    fn call_hook(
        &mut self,
        cx: &mut Context,
        graph: &Graph,
        tasks: &mut Tasks,
        index: u32,
        path: PathId,
        call: HookCall,
    ) {
        let HookCall { of, what, args, .. } = call;
        let Some(thread) = self.thread(index) else { return };
        let kind = if of.is_some() { "hook" } else { &what };
        let mut all = vec![Value::from(kind), Value::Int(index.into())];
        all.extend(args);
        let order = Order::Deliver { callback: thread.callback, args: all };
        let role = Role::Behavior(index);
        let new = NewTask { role, order, owner: None, place: None, life: 0, what: what.clone().into() };
        let task = tasks.add_task(cx, graph, new);
        let born = tasks.get(task).map_or(0, |task| task.born);
        let number = of.map(|(_, number)| number);
        thread.frames.push(RunningHook { task, born, number, path, what, waits: None, early_result: None });
        self.begin_stretch(cx, index);
    }

    /// Passes the answer to the last hook's request, so that the hook continues. `Err`: the hook has returned in the
    /// meantime.
    fn answered(
        &mut self,
        cx: &mut Context,
        tasks: &mut Tasks,
        index: u32,
        value: Value,
    ) -> Result<Option<Value>, Result<Value, ScriptError>> {
        let Some(thread) = self.thread(index) else { return Ok(None) };
        let Some(frame) = thread.frames.last_mut() else { return Ok(None) };
        if let Some(result) = frame.early_result.take() {
            thread.frames.pop();
            return Err(result);
        }
        // A hook that is not blocked receives the answer directly.
        let (task, Some(generation)) = (frame.task, frame.waits.take()) else { return Ok(Some(value)) };
        if tasks.wake(task, generation, Wake::Returned(value)) {
            cx.push(Work::Resume(task));
        }
        self.begin_stretch(cx, index);
        Ok(None)
    }

    /// Returns the path for the output of a task, if the task is a hook.
    pub(crate) fn hook_path(&self, tasks: &Tasks, task: TaskId) -> Option<PathId> {
        let task_here = tasks.get(task)?;
        let Role::Behavior(index) = task_here.role else { return None };
        let thread = self.all.get(index as usize)?.thread.as_ref()?;
        thread.frame(task, task_here.born).map(|at| thread.frames[at].path)
    }
}

/// A hook that is to be abandoned.
pub(crate) struct LateHook {
    pub(crate) index: u32,
    task: TaskId,
    born: u32,
    why: String,
}

impl Runners {
    /// The hook of a runner that has exceeded its time.
    pub(crate) fn late_hook(&mut self, index: u32) -> Option<LateHook> {
        let RunningHook { task, born, ref what, .. } = *self.thread(index)?.frames.last()?;
        Some(LateHook { index, task, born, why: format!("{what} took longer than {HOOK_WITHIN} s, and is given up") })
    }

    /// Checks a request of a running hook. Returns the number of its runner, and the
    /// generation of its task.
    ///
    /// # Errors
    /// Returns the answer if the request is refused.
    pub(crate) fn check_request(
        &mut self,
        tasks: &Tasks,
        task: TaskId,
        call: &ObjectCall,
    ) -> Result<(u32, u32), Answer> {
        let error = |why: &str| Err(Answer::Error(why.to_owned()));
        let Some(&Task { role: Role::Behavior(index), born, abandoned, .. }) = tasks.get(task) else {
            return error("a behavior can ask only in its own hooks");
        };
        if abandoned {
            return Err(Answer::Interrupted);
        }
        let Some(thread) = self.thread(index) else { return error("the run is over") };
        let [_, number] = call.handle[..] else { return error("this behavior has no runner") };
        let own = |frame: &RunningHook| frame.number.is_none_or(|own| own == number);
        match thread.frames.last().filter(|frame| frame.task == task && frame.born == born && own(frame)) {
            Some(_) => Ok((index, born)),
            None => error("a behavior can ask only in its own hooks"),
        }
    }

    /// Blocks a hook whose request needs another hook to run first.
    pub(crate) fn block_hook(&mut self, tasks: &mut Tasks, index: u32, (task, born): (TaskId, u32)) -> Answer {
        let generation = tasks.block(task, BlockedOn::Lock, None);
        let frames = self.thread(index).map(|thread| &mut thread.frames).into_iter().flatten();
        if let Some(frame) = frames.into_iter().find(|f| f.task == task && f.born == born) {
            frame.waits = Some(generation);
        }
        Answer::Blocked(generation)
    }

    /// Handles the end of a hook. Returns the command that passes the result to the thread.
    pub(crate) fn end_hook(
        &mut self,
        cx: &mut Context,
        index: u32,
        task: TaskId,
        born: u32,
        result: Result<Value, ScriptError>,
    ) -> Option<Go> {
        let thread = self.thread(index)?;
        // An abandoned hook that returns has no frame any more.
        let at = thread.frame(task, born)?;
        let last = at + 1 == thread.frames.len();
        let frame = &mut thread.frames[at];
        if let Err(error) = &result {
            cx.trace(frame.path, Kind::Raised { method: frame.what.clone(), error: Box::new(error.clone()) });
        }
        if !last {
            frame.early_result = Some(result);
            return None;
        }
        thread.frames.pop();
        thread.stretch += 1;
        Some(Go::Returned(result))
    }

    /// Abandons a hook. Returns the command that passes the error to the thread.
    pub(crate) fn give_hook_up(&mut self, cx: &mut Context, tasks: &mut Tasks, late: LateHook) -> Option<Go> {
        let LateHook { index, task, born, why } = late;
        let thread = self.thread(index)?;
        let at = thread.frame(task, born)?;
        thread.given_up.extend(thread.frames[at].number);
        let given_up = tasks.get_mut(task)?;
        given_up.abandoned = true;
        let (generation, blocked) = (given_up.generation, matches!(given_up.state, TaskState::Blocked(..)));
        if blocked && tasks.wake(task, generation, Wake::Interrupted) {
            cx.push(Work::Resume(task));
        }
        self.end_hook(cx, index, task, born, Err(error("TimeoutError", why)))
    }
}

impl Tasks {
    /// The hook from which the host has revoked the turn, because it lets no other script run; `None` if the task is
    /// none.
    pub(crate) fn revoked_hook(&self, graph: &Graph, task: TaskId) -> Option<LateHook> {
        let Task { role: Role::Behavior(index), born, what, .. } = self.get(task)? else { return None };
        let what = graph.name_of_task(None, what);
        let why = format!("{what} does not come to an end, and is given up");
        Some(LateHook { index: *index, task, born: *born, why })
    }
}

impl Engine {
    /// Sends a command to the thread and handles its replies. Returns the answer for the hook that sent the request, if
    /// it is already known.
    pub(crate) fn command_thread(&mut self, index: u32, mut go: Option<Go>) -> Option<Value> {
        while let Some(command) = go.take() {
            let thread = self.runners.thread(index)?;
            // The thread ends only when the sender of its commands is dropped.
            let came = thread.go.send(command).ok().and_then(|()| thread.came.recv().ok())?;
            match came {
                Came::Call(call) => {
                    let called = self.runners.may_call(&mut self.cx, index, &call).and_then(|path| {
                        if self.end.is_interrupting() || !self.count_signal(path, true) {
                            return Err(error("RuntimeError", "the run is over".to_owned()));
                        }
                        self.runners.call_hook(&mut self.cx, &self.graph, &mut self.tasks, index, path, call);
                        Ok(())
                    });
                    go = called.err().map(|error| Go::Returned(Err(error)));
                }
                Came::Answer(value) => match self.runners.answered(&mut self.cx, &mut self.tasks, index, value) {
                    Ok(answer) => return answer,
                    Err(over) => go = Some(Go::Returned(over)),
                },
                Came::Over(runner, broken) => {
                    let (cx, behaviors) = (&mut self.cx, &self.behaviors);
                    let next = self.runners.take_back(cx, behaviors, &self.end, index, runner, broken);
                    self.follow_up(next);
                    return None;
                }
                Came::Panicked(panic) => std::panic::resume_unwind(panic),
            }
        }
        None
    }
}
