//! Script objects, and the engine's handling of requests from running scripts.

use crate::Engine;
use crate::calls::Subscriber;
use crate::clock::Alarm;
use crate::context::{Cause, Context};
use crate::event_loop::Work;
use crate::graph::Graph;
use crate::held_back::HeldBack;
use crate::ids::{BoxId, Kept, ProcId};
use crate::objects::OperationCall;
use crate::polling::{self, PollKind, PollResult};
use crate::protocol::{Answer, Args, BlockedOn, Caller, ClassId, ObjectId, Order, Request, TaskId, TimerId};
use crate::reload::Reloads;
use crate::runner::Go;
use crate::runner::host::Runners;
use crate::services::{ServiceError, Topic};
use crate::tasks::{NewTask, Role, Tasks, What};
use crate::trace::{DropReason, Kind, PathId};
use boxstep_types::{Time, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The script objects, compiled texts and timers of a run.
#[derive(Default)]
pub(crate) struct ScriptTable {
    objects: BTreeMap<ObjectId, BoxId>,
    constructed: u32,
    compiled: BTreeSet<ClassId>,
    broken_classes: BTreeSet<ClassId>,
    timers: BTreeMap<TimerId, ScriptTimer>,
    /// The changes that are still to be applied.
    pub(crate) reloads: Reloads,
    made: u32,
}

struct ScriptTimer {
    kept: Kept,
    period: Option<i64>,
    due: Time,
    cause: Cause,
}

impl ScriptTable {
    /// Registers a text for compilation. Returns true the first time: the text must be compiled.
    pub(crate) fn compile(&mut self, class: ClassId) -> bool {
        self.compiled.insert(class)
    }

    /// Forgets a text that did not compile, so that it is compiled again at its next use.
    pub(crate) fn forget_text(&mut self, class: ClassId) {
        self.compiled.remove(&class);
    }

    /// Returns whether nothing has been compiled yet: there are no scripts, or none that run.
    pub(crate) fn none_compiled(&self) -> bool {
        self.compiled.is_empty()
    }

    /// Forgets every compiled text.
    pub(crate) fn forget_texts(&mut self) {
        self.compiled.clear();
    }

    pub(crate) fn set_broken(&mut self, class: ClassId) {
        self.broken_classes.insert(class);
    }

    /// The number of scripts that did not compile.
    pub(crate) fn broken(&self) -> u64 {
        self.broken_classes.len() as u64
    }

    pub(crate) fn is_broken(&self, class: ClassId) -> bool {
        self.broken_classes.contains(&class)
    }

    pub(crate) fn add_object(&mut self, of: BoxId) -> ObjectId {
        let object = ObjectId(self.constructed);
        self.constructed += 1;
        self.objects.insert(object, of);
        object
    }

    pub(crate) fn box_of(&self, object: ObjectId) -> Option<BoxId> {
        self.objects.get(&object).copied()
    }

    pub(crate) fn forget_object(&mut self, object: ObjectId) -> Option<BoxId> {
        self.objects.remove(&object)
    }

    /// Removes the periodic timers of boxes that are destroyed.
    pub(crate) fn drop_periods_of(&mut self, boxes: &[BoxId]) {
        self.timers.retain(|_, t| t.period.is_none() || t.kept.place.is_none_or(|b| boxes.binary_search(&b).is_err()));
    }

    pub(crate) fn sizes(&self) -> (usize, usize) {
        (self.objects.len(), self.timers.len())
    }

    /// Sets a timer for a script, with its delay and its period in nanoseconds.
    fn add_timer(&mut self, cx: &mut Context, kept: Kept, (delay, period): (i64, Option<i64>)) -> TimerId {
        self.made += 1;
        let timer = TimerId(self.made);
        let due = cx.now() + Time(delay.max(0));
        let period = period.map(|p| p.max(1_000));
        self.timers.insert(timer, ScriptTimer { kept, period, due, cause: cx.cause() });
        cx.alarm(due, Alarm::Script(timer));
        timer
    }

    /// Fires a timer: returns its function.
    pub(crate) fn fire_timer(&mut self, cx: &mut Context, id: TimerId) -> Option<Kept> {
        let timer = self.timers.get_mut(&id)?;
        let kept = timer.kept;
        cx.begin(timer.cause);
        match timer.period {
            // The period counts from the time the timer was due, so that it never drifts.
            Some(period) => {
                timer.due = (timer.due + Time(period)).max(cx.now());
                cx.alarm(timer.due, Alarm::Script(id));
            }
            None => drop(self.timers.remove(&id)),
        }
        Some(kept)
    }

    /// Traces that a script uses a service or a member of one that does not exist.
    pub(crate) fn note_missing(
        &self,
        cx: &mut Context,
        graph: &Graph,
        from: Caller,
        service: &Arc<str>,
        method: impl Into<Arc<str>>,
    ) {
        let path = self.caller_path(graph, from);
        cx.note(path, Kind::Unsupported { service: service.clone(), method: method.into(), line: from.line });
    }

    /// Handles an output called by a script. The output is queued, so that the call returns before anything else runs.
    pub(crate) fn output(
        &self,
        cx: &mut Context,
        graph: &mut Graph,
        tasks: &Tasks,
        (task, object): (TaskId, ObjectId),
        name: &str,
        value: Value,
    ) -> Answer {
        let task = tasks.get(task);
        // The object nearly always belongs to the task's own box.
        let own = task.and_then(|t| t.place).filter(|b| graph.boxes[b.index()].object == Some(object));
        let Some(of) = own.or_else(|| self.box_of(object)) else { return Answer::Done };
        let node = &mut graph.boxes[of.index()];
        let Some(output) = node.output(name) else { return Answer::Error(format!("no output named {name}")) };
        let late = match task {
            _ if self.reloads.changes(of) => Some(DropReason::ScriptChanges),
            Some(t) if t.abandoned => Some(DropReason::GivenUp),
            Some(t) if t.place == Some(of) && t.life != 0 && t.life != node.life.generation() => {
                Some(DropReason::BoxUnloaded)
            }
            _ => None,
        };
        if let Some(why) = late {
            let (path, port) = (node.path, node.kind.outputs[output].id);
            cx.note(path, Kind::Dropped { port, value, why });
            return Answer::Done;
        }
        // The stop counts from this moment: a start that returns later goes no further.
        if node.kind.outputs[output].nature == boxstep_format::model::OutputNature::OnStopped {
            node.stops += 1;
        }
        let (life, cause) = (node.life.generation(), cx.cause());
        cx.push(Work::Output { of, output: output as u16, life, cause, value });
        Answer::Done
    }

    /// The answer to a script whose subscription failed.
    fn refuse_subscription(
        &self,
        cx: &mut Context,
        graph: &Graph,
        from: Caller,
        topic: Topic,
        error: &ServiceError,
    ) -> Answer {
        let (service, signal): (Arc<str>, Arc<str>) = match topic {
            Topic::Memory(key) => ("ALMemory".into(), key),
            Topic::Signal(service, signal) => (service, signal),
        };
        if error.is_unsupported() {
            self.note_missing(cx, graph, from, &service, signal.clone());
        }
        Answer::Error(error.message(&service, &signal))
    }

    pub(crate) fn has_timer(&self, timer: TimerId) -> bool {
        self.timers.contains_key(&timer)
    }
}

impl Graph {
    /// The name of what a task runs: that of the method, or another description.
    pub(crate) fn name_of_task(&self, place: Option<BoxId>, what: &What) -> Arc<str> {
        match what {
            What::Named(name) => name.clone(),
            What::Input(input) => {
                let input = |b: BoxId| self.boxes[b.index()].kind.inputs.get(usize::from(*input));
                place.and_then(input).map_or_else(Arc::default, |input| input.method.clone())
            }
        }
    }
}

/// A call of a box's method.
struct ScriptCall {
    role: Role,
    method: What,
    args: Args,
    /// The procedure that waits for the call.
    owner: Option<ProcId>,
}

impl Tasks {
    /// Queues a task.
    pub(crate) fn add_task(&mut self, cx: &mut Context, graph: &Graph, mut new: NewTask) -> TaskId {
        // An object without `__del__` gets no warning that `__del__` takes too long: another script causes the delay.
        let has_del = |b: BoxId| graph.boxes[b.index()].hooks.del;
        if matches!(new.role, Role::Drop(_)) && !new.place.is_some_and(has_del) {
            new.what = "destruction".into();
        }
        let id = self.add(new, cx.now(), cx.cause());
        cx.push(Work::Task(id));
        id
    }

    /// Queues a call of a lifecycle hook or an input method. `None` if the box has no script object.
    pub(crate) fn call_hook(
        &mut self,
        cx: &mut Context,
        graph: &Graph,
        of: BoxId,
        method: What,
        args: Args,
        owner: Option<ProcId>,
    ) -> Option<TaskId> {
        self.call(cx, graph, of, ScriptCall { role: Role::Hook, method, args, owner })
    }

    /// Queues a method call that a script requested.
    pub(crate) fn call_method(&mut self, cx: &mut Context, graph: &Graph, of: BoxId, method: Arc<str>, args: Args) {
        self.call(cx, graph, of, ScriptCall { role: Role::Method, method: method.into(), args, owner: None });
    }

    /// Queues a method call for a change of the box's script. An exception is reported, and fails nothing.
    pub(crate) fn call_for_reload(
        &mut self,
        cx: &mut Context,
        graph: &Graph,
        of: BoxId,
        method: &str,
        owner: ProcId,
    ) -> Option<TaskId> {
        let (method, args) = (method.into(), Args::Hook(Value::Null));
        self.call(cx, graph, of, ScriptCall { role: Role::Method, method, args, owner: Some(owner) })
    }

    fn call(&mut self, cx: &mut Context, graph: &Graph, of: BoxId, call: ScriptCall) -> Option<TaskId> {
        let ScriptCall { role, method: what, args, owner } = call;
        let node = &graph.boxes[of.index()];
        let (object, life, path) = (node.object?, node.life.generation(), node.path);
        let method = graph.name_of_task(Some(of), &what);
        if cx.tracer.on() {
            cx.trace(path, Kind::Call { method: method.clone() });
        }
        let order = Order::Call { object, method, args };
        Some(self.add_task(cx, graph, NewTask { role, order, owner, place: Some(of), life, what }))
    }

    pub(crate) fn call_set_parameter(
        &mut self,
        cx: &mut Context,
        graph: &Graph,
        of: BoxId,
        name: Arc<str>,
        value: Value,
    ) {
        self.call_hook(cx, graph, of, "setParameter".into(), Args::UpTo(vec![Value::Str(name), value]), None);
    }

    /// Blocks a script until something wakes it, or until a time.
    fn park(
        &mut self,
        cx: &mut Context,
        graph: &Graph,
        held_back: &mut HeldBack,
        task: TaskId,
        on: BlockedOn,
        until: Option<Time>,
    ) -> Answer {
        let generation = self.block(task, on, until);
        held_back.stop_paused(cx, graph, self, task);
        match until {
            Some(at) if at <= cx.now() => {
                self.wake(task, generation, crate::protocol::Wake::TimedOut);
                cx.push(Work::Resume(task));
            }
            Some(at) => cx.alarm(at, Alarm::Task(task, generation)),
            None => {}
        }
        Answer::Blocked(generation)
    }

    /// Returns the box and the lifecycle generation of the task that sends a request, and sets the current cause to
    /// that of the task. `None` if the task has ended.
    pub(crate) fn begin_request(&self, cx: &mut Context, task: TaskId) -> Option<(Option<BoxId>, u32)> {
        let (cause, place, life) = match self.get(task) {
            Some(t) => (t.cause, t.place, t.life),
            None if task == TaskId::FOREIGN => (Cause::OUTSIDE, None, 0),
            None => return None,
        };
        cx.begin(cause);
        Some((place, life))
    }
}

impl ScriptTable {
    pub(crate) fn caller_path(&self, graph: &Graph, from: Caller) -> PathId {
        from.object.and_then(|o| self.box_of(o)).map_or(PathId(0), |b| graph.path_of(b))
    }
}

impl Runners {
    /// The source of a log message: a box, or the behavior of a runner whose hook runs.
    pub(crate) fn speaker(
        &self,
        graph: &Graph,
        scripts: &ScriptTable,
        tasks: &Tasks,
        task: TaskId,
        from: Caller,
    ) -> PathId {
        match from.object {
            Some(_) => scripts.caller_path(graph, from),
            None => self.hook_path(tasks, task).unwrap_or(PathId(0)),
        }
    }
}

impl Engine {
    /// Queues a call of a function that the host keeps.
    pub(crate) fn deliver(&mut self, kept: Kept, args: Vec<Value>, what: &str) {
        let Kept { callback, place, life } = kept;
        if !self.count_signal(self.graph.place_path(place), true) {
            return;
        }
        let (role, order) = (Role::Callback(callback), Order::Deliver { callback, args });
        let new = NewTask { role, order, owner: None, place, life, what: what.into() };
        self.tasks.add_task(&mut self.cx, &self.graph, new);
    }

    /// Answers a request of a running task.
    pub(crate) fn script_request(&mut self, task: TaskId, request: Request) -> Answer {
        let Some((place, life)) = self.tasks.begin_request(&mut self.cx, task) else { return Answer::Interrupted };
        match request {
            // A thread that Boxstep did not start may log, but has no task to park.
            Request::Block { .. } | Request::Call(_) | Request::WaitCall { .. } if task == TaskId::FOREIGN => {
                return Answer::Error("a thread that Boxstep did not start cannot wait for the engine".to_owned());
            }
            Request::Returned(value) => {
                self.returned(task, Ok(value));
                return Answer::Done;
            }
            Request::Raised(error) => {
                self.returned(task, Err(error));
                return Answer::Done;
            }
            // What a script logs while it is being interrupted is still worth reporting.
            Request::Log { .. } | Request::Print { .. } | Request::Uncaught { .. } | Request::Unblock { .. } => {}
            Request::Now if self.end.is_interrupting() => return Answer::Time(self.cx.now()),
            Request::Object(ref call) if self.end.is_closed() && call.asks() => {}
            _ if self.end.is_interrupting() => return Answer::Interrupted,
            _ => {}
        }
        let mut poll = PollResult::Free;
        if let Some(kind) = PollKind::of(&request, self.cx.now()) {
            let (cx, tasks) = ((&mut self.cx, &self.graph), &mut self.tasks);
            let end;
            (poll, end) = self.polls.poll(cx, tasks, &self.runners, &self.end, task, kind);
            self.follow_up(end);
            if poll == PollResult::Over {
                return Answer::Error(polling::error_text());
            }
        }
        match request {
            Request::Block { mut until, on } => {
                // A script that polls waits until its next poll instead.
                if let PollResult::Wait(at) = poll {
                    self.tasks.polls_again_at(task, at);
                    until = Some(at);
                }
                self.tasks.park(&mut self.cx, &self.graph, &mut self.held_back, task, on, until)
            }
            Request::Unblock { task, generation } => {
                let woken = self.tasks.wake(task, generation, crate::protocol::Wake::Notified);
                if woken {
                    self.cx.push(Work::Resume(task));
                }
                Answer::Flag(woken)
            }
            Request::Spawn { callback } => {
                self.deliver(Kept { callback, place, life }, Vec::new(), "thread");
                Answer::Done
            }
            Request::After { callback, delay, period } => {
                Answer::Timer(self.scripts.add_timer(&mut self.cx, Kept { callback, place, life }, (delay, period)))
            }
            Request::CancelTimer(timer) => Answer::Flag(self.scripts.timers.remove(&timer).is_some()),
            Request::Now if matches!(poll, PollResult::Wait(_)) => Answer::Yield,
            Request::Now => Answer::Time(self.cx.now()),
            Request::Output { object, name, value } => {
                self.scripts.output(&mut self.cx, &mut self.graph, &self.tasks, (task, object), &name, value)
            }
            Request::Stimulate { object, name, value } => match self.scripts.box_of(object) {
                Some(b) if self.graph.stimulate(&mut self.cx, b, &name, value) => Answer::Done,
                _ => Answer::Error(format!("no input or output named {name}")),
            },
            Request::GetParameter { object, name } => {
                let found = self.scripts.box_of(object).and_then(|b| self.graph.parameter(b, &name).cloned());
                found.map_or_else(|| Answer::Error(format!("no parameter named {name}")), Answer::Value)
            }
            Request::SetParameter { object, name, value } => {
                let stored = self.scripts.box_of(object).and_then(|b| {
                    let param = self.graph.boxes[b.index()].param(&name)?;
                    self.graph.store_parameter(&mut self.cx, b, param, value);
                    Some(Answer::Done)
                });
                stored.unwrap_or_else(|| Answer::Error(format!("no parameter named {name}")))
            }
            Request::Timeline { object, parent, command } => match self.scripts.box_of(object) {
                // A box's script does not control the timeline around the box directly: a command is queued as a
                // signal.
                Some(b) if parent && !command.asks() => {
                    self.graph.signal_timeline(&mut self.cx, b, true, command);
                    Answer::Done
                }
                Some(b) => {
                    let (resources, stops) = (&mut self.resources, &mut self.stops);
                    let (answer, next) =
                        self.graph.timeline_command(&mut self.cx, resources, stops, (b, parent), &command);
                    self.follow_up(next);
                    answer
                }
                None => Answer::Value(Value::Null),
            },
            Request::FindService { .. }
            | Request::Call(_)
            | Request::Post(_)
            | Request::CallThen(..)
            | Request::WaitCall { .. }
            | Request::StopCall(_)
            | Request::IsRunning(_)
            | Request::Subscribe { .. }
            | Request::Unsubscribe(_) => self.service_request(task, request, place, life),
            Request::Log { from, level, text } => {
                let path = self.runners.speaker(&self.graph, &self.scripts, &self.tasks, task, from);
                self.cx.note(path, Kind::Log { level, text: text.clone(), line: from.line });
                let category = self.cx.paths.get(path).map(|path| path.to_string()).unwrap_or_default();
                self.with_services(|robot, cx| robot.logged(cx, level, &category, &text));
                Answer::Done
            }
            Request::Print { from, text, error } => {
                let path = match from.object {
                    // Text printed past the runtime, which knows the boxes, is attributed to the box whose call this
                    // is.
                    None => self.runners.hook_path(&self.tasks, task).unwrap_or_else(|| self.graph.place_path(place)),
                    Some(_) => self.scripts.caller_path(&self.graph, from),
                };
                self.cx.note(path, Kind::Print { text, stderr: error, line: from.line });
                Answer::Done
            }
            Request::Uncaught { from, error } => {
                let path = self.runners.speaker(&self.graph, &self.scripts, &self.tasks, task, from);
                self.cx.note(path, Kind::Raised { method: "thread".into(), error: Box::new(error.clone()) });
                // An error in a thread normally concerns that thread only, but this one was ended by the run.
                if let (Some(b), true) = (place, self.tasks.get(task).is_some_and(|t| t.polling.gets_errors())) {
                    self.behaviors.fail_behavior(&mut self.cx, &self.graph, &self.calls, b, error);
                }
                Answer::Done
            }
            Request::NotDeterministic(why) => {
                self.cx.tracer.not_deterministic.get_or_insert_with(|| why.to_string());
                Answer::Done
            }
            Request::Object(call) if &*call.kind == "behavior" => {
                match self.runners.check_request(&self.tasks, task, &call) {
                    Err(refused) => refused,
                    Ok((index, born)) => match self.command_thread(index, Some(Go::Ask(call.operation, call.args))) {
                        Some(value) => Answer::Value(value),
                        None => self.runners.block_hook(&mut self.tasks, index, (task, born)),
                    },
                }
            }
            Request::Object(call) => match OperationCall::new(self, &call, place, life).carry_out() {
                Ok(value) => Answer::Value(value),
                Err(why) => Answer::Error(why),
            },
            Request::Returned(_) | Request::Raised(_) => Answer::Done,
        }
    }

    /// Answers a request of a running task that concerns services: calls and subscriptions.
    fn service_request(&mut self, task: TaskId, request: Request, place: Option<BoxId>, life: u32) -> Answer {
        match request {
            Request::FindService { from, service } => {
                let known = self.offers(&service) || self.calls.modules.contains_key(&service);
                if !known {
                    self.scripts.note_missing(&mut self.cx, &self.graph, from, &service, "");
                }
                Answer::Flag(known)
            }
            Request::Call(call) => {
                let path = self.runners.speaker(&self.graph, &self.scripts, &self.tasks, task, call.from);
                let begun = self.begin_call(path, call.from.line, &call.service, &call.method, &call.args);
                self.tasks.await_result(&mut self.calls, task, &call, begun)
            }
            Request::Post(call) => self.script_post(task, call, None),
            Request::CallThen(call, callback) => self.script_post(task, call, Some(Kept { callback, place, life })),
            Request::WaitCall { call, timeout } => {
                self.tasks.wait_call(&mut self.cx, &mut self.calls, task, call, timeout)
            }
            Request::StopCall(call) => Answer::Flag(self.stop_call(call)),
            Request::IsRunning(call) => Answer::Flag(self.calls.running(call)),
            Request::Subscribe { from, topic, callback } => {
                let id = self.calls.next_subscription();
                match self
                    .add_subscriber(topic.clone(), Subscriber::Callback { id, kept: Kept { callback, place, life } })
                {
                    Ok(()) => Answer::Subscription(id),
                    Err(error) => self.scripts.refuse_subscription(&mut self.cx, &self.graph, from, topic, &error),
                }
            }
            Request::Unsubscribe(id) => {
                let own = |_: &_, s: &Subscriber| matches!(s, Subscriber::Callback { id: i, .. } if *i == id);
                Answer::Flag(self.remove_subscribers(None, own))
            }
            _ => Answer::Done,
        }
    }
}
