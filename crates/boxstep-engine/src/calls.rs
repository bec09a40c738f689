//! Service calls and subscriptions, which connect scripts, timelines and the robot.

mod subscriptions;

pub(crate) use subscriptions::Subscriber;

use crate::Engine;
use crate::clock::Alarm;
use crate::context::{Acts, Cause, Context};
use crate::event_loop::Work;
use crate::follow_up::FollowUp;
use crate::ids::{BoxId, Kept};
use crate::protocol::{Answer, BlockedOn, CallId, CallbackId, ObjectId, ServiceRequest, SubscriptionId, TaskId, Wake};
use crate::runner::{DeferredCall, DeferredCalls};
use crate::scripts::ScriptTable;
use crate::services::{AnswerListener, Ask, Effect, Outcome, ServiceCall, ServiceCx, ServiceError, Services, Topic};
use crate::tasks::Tasks;
use crate::trace::{CallEvent, Incoming, Kind, Outgoing, PathId, ReplyEvent, ResourcePhase};
use boxstep_types::{Time, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A call that has not ended.
struct Call {
    service: Arc<str>,
    method: Arc<str>,
    path: PathId,
    /// The line of the calling script.
    line: u32,
    cause: Cause,
    mock: bool,
    /// The waiting tasks, with their generation; true if the task takes the result itself.
    waiters: Vec<(TaskId, u32, bool)>,
    then: Option<Then>,
}

/// The continuation of a call: what to do when it has ended.
pub(crate) enum Then {
    /// Run a function that a script passed.
    Run(Kept),
    /// Tell a timeline whether its joints are free.
    Joints(BoxId, u32),
    /// Tell a dialog box that a topic of its own is loaded: the load of the box, and which topic.
    Topic(BoxId, u32, usize),
    /// Pass the result to a remote client or an embedder.
    Outside(AnswerListener),
    /// Pass the result to a behavior of a runner.
    DeferredCall(DeferredCalls, DeferredCall),
    /// Pass the result to the robot, which has asked for the call.
    Robot(u64),
}

/// The open calls, the subscriptions, and the modules that scripts have registered.
#[derive(Default)]
pub(crate) struct Calls {
    open: BTreeMap<CallId, Call>,
    made: u32,
    subscriptions: u32,
    pub(crate) topics: BTreeMap<Topic, Vec<Subscriber>>,
    pub(crate) modules: BTreeMap<Arc<str>, CallbackId>,
    /// The names of the services that scripts have registered, which the script host calls.
    pub(crate) of_scripts: BTreeSet<Arc<str>>,
    /// The topics that are ports of boxes, each with the number of the listener that reports their events.
    pub(crate) ports: BTreeMap<Topic, u32>,
}

/// How the engine handles a call before the robot gets it.
pub(crate) enum EngineAnswer {
    /// The engine answers the call itself, with this result.
    Ready(Result<Value, ServiceError>),
    /// The engine handles the call itself, and its result follows later.
    Pending,
    /// The call goes to the robot.
    Pass,
}

impl Calls {
    pub(crate) fn next_subscription(&mut self) -> SubscriptionId {
        self.subscriptions += 1;
        SubscriptionId(self.subscriptions)
    }

    pub(crate) fn next_id(&mut self) -> CallId {
        self.made += 1;
        CallId(self.made)
    }

    /// The id of the call that was begun last.
    pub(crate) fn last_id(&self) -> CallId {
        CallId(self.made)
    }

    pub(crate) fn running(&self, call: CallId) -> bool {
        self.open.contains_key(&call)
    }

    /// The name of an open call, for messages.
    pub(crate) fn name(&self, call: CallId) -> String {
        self.open.get(&call).map_or_else(|| "a call".to_owned(), |c| format!("{}.{}", c.service, c.method))
    }

    /// The open calls: the caller's path, and the name of the method.
    pub(crate) fn in_flight(&self) -> impl Iterator<Item = (PathId, String)> + '_ {
        self.open.values().map(|c| (c.path, format!("{}.{}", c.service, c.method)))
    }

    pub(crate) fn sizes(&self) -> (usize, usize) {
        (self.topics.values().map(Vec::len).sum(), self.open.len())
    }

    /// Sets the continuation of a call.
    pub(crate) fn then(&mut self, call: CallId, then: Then) {
        if let Some(open) = self.open.get_mut(&call) {
            open.then = Some(then);
        }
    }

    /// Takes the listeners outside the engine that wait for results which will not come any more.
    pub(crate) fn take_waiting_listeners(&mut self) -> Vec<AnswerListener> {
        let outside = |call: &mut Call| match call.then.take() {
            Some(Then::Outside(then)) => Some(then),
            Some(Then::DeferredCall(deferred, deferred_call)) => Some(deferred.into_listener(deferred_call)),
            other => {
                call.then = other;
                None
            }
        };
        self.open.values_mut().filter_map(outside).collect()
    }

    pub(crate) fn stop_waiting(&mut self, call: CallId, task: TaskId, generation: u32) {
        if let Some(open) = self.open.get_mut(&call) {
            open.waiters.retain(|w| (w.0, w.1) != (task, generation));
        }
    }
}

/// The immediate outcome of beginning a call.
pub(crate) enum CallStart {
    Ready(Result<Value, ServiceError>),
    Pending(CallId),
}

impl Calls {
    fn open_call(
        &mut self,
        cx: &Context,
        id: CallId,
        (path, line): (PathId, u32),
        service: &Arc<str>,
        method: &Arc<str>,
        mock: bool,
    ) -> CallStart {
        let (service, method) = (service.clone(), method.clone());
        let call = Call { service, method, path, line, cause: cx.cause(), mock, waiters: Vec::new(), then: None };
        self.open.insert(id, call);
        CallStart::Pending(id)
    }

    /// Returns a function that selects the subscriptions of boxes that are no more.
    pub(crate) fn subscribers_of(
        &self,
        boxes: &[BoxId],
        scripts: &ScriptTable,
    ) -> impl Fn(&Topic, &Subscriber) -> bool + use<> {
        let boxes = boxes.to_vec();
        let methods = self.topics.values().flatten().filter_map(|s| match s {
            Subscriber::Method { object, .. } => Some(*object),
            _ => None,
        });
        let objects: Vec<ObjectId> = methods.filter(|o| scripts.box_of(*o).is_none()).collect();
        move |_, s| match s {
            Subscriber::Callback { kept, .. } => kept.place.is_some_and(|b| boxes.binary_search(&b).is_ok()),
            Subscriber::Method { object, .. } => objects.contains(object),
            _ => false,
        }
    }
}

/// The arguments of a function that receives the result of a call: whether the call succeeded, and its value or the
/// text of its error.
fn callback_args(result: Result<Value, String>) -> Vec<Value> {
    match result {
        Ok(value) => vec![Value::Bool(true), value],
        Err(text) => vec![Value::Bool(false), text.into()],
    }
}

impl Tasks {
    /// The answer to a script that calls a service: it waits if the result is not ready.
    pub(crate) fn await_result(
        &mut self,
        calls: &mut Calls,
        task: TaskId,
        call: &ServiceRequest,
        begun: CallStart,
    ) -> Answer {
        match begun {
            CallStart::Ready(Ok(value)) => Answer::Value(value),
            CallStart::Ready(Err(error)) => Answer::Error(error.message(&call.service, &call.method)),
            CallStart::Pending(id) => {
                let generation = self.block(task, BlockedOn::Call(id), None);
                if let Some(open) = calls.open.get_mut(&id) {
                    open.waiters.push((task, generation, true));
                }
                Answer::Blocked(generation)
            }
        }
    }

    /// Blocks a script until a posted call has ended.
    pub(crate) fn wait_call(
        &mut self,
        cx: &mut Context,
        calls: &mut Calls,
        task: TaskId,
        call: CallId,
        timeout: Option<i64>,
    ) -> Answer {
        let at = timeout.map(|t| cx.now() + Time(t.max(0)));
        let Some(open) = calls.open.get_mut(&call) else { return Answer::Flag(false) };
        let generation = self.block(task, BlockedOn::Call(call), at);
        open.waiters.push((task, generation, false));
        if let Some(at) = at {
            cx.alarm(at, Alarm::Call(call, task, generation));
        }
        Answer::Blocked(generation)
    }
}

impl Call {
    /// Ends a call: traces the result, and wakes the scripts that wait for it. Returns the result as scripts see it, and
    /// the continuation.
    fn end(
        self,
        cx: &mut Context,
        tasks: &mut Tasks,
        result: Result<Value, ServiceError>,
    ) -> (Result<Value, String>, Option<Then>) {
        let Self { service, method, path, line, mock, waiters, then, .. } = self;
        if let Err(error) = &result {
            if error.is_unsupported() {
                cx.note(path, Kind::Unsupported { service: service.clone(), method: method.clone(), line });
            } else if waiters.is_empty() && then.is_none() {
                // Otherwise the error would go unnoticed.
                cx.warn(path, error.message(&service, &method));
            }
        }
        let said = result.map_err(|e| e.message(&service, &method));
        if cx.tracer.on() {
            let answered = ReplyEvent { dir: Incoming::In, service, method, result: said.clone(), mock };
            cx.trace(path, Kind::ServiceDone(Box::new(answered)));
        }
        for (task, generation, wants_answer) in waiters {
            let wake = match (&said, wants_answer) {
                (_, false) => Wake::Notified,
                (Ok(value), true) => Wake::Returned(value.clone()),
                (Err(text), true) => Wake::Failed(text.clone()),
            };
            if tasks.wake(task, generation, wake) {
                cx.push(Work::Resume(task));
            }
        }
        (said, then)
    }
}

impl Engine {
    /// Runs a function on the robot, then applies the effects that it requests.
    pub(crate) fn with_services<R>(&mut self, f: impl FnOnce(&mut dyn Services, &mut ServiceCx<'_>) -> R) -> R {
        let mut cx = ServiceCx::new(self.cx.now(), &mut self.random, &mut self.effects);
        let result = f(&mut *self.services, &mut cx);
        self.apply_effects();
        self.stops.robot_rests(&mut self.cx, &self.graph, &self.procs, &self.behaviors, &*self.services);
        result
    }

    /// Applies the effects that services have requested, in order.
    pub(crate) fn apply_effects(&mut self) {
        while !self.effects.is_empty() {
            for effect in std::mem::take(&mut self.effects) {
                match effect {
                    Effect::Complete(call, result) => self.complete_call(call, result),
                    Effect::Timer(at, token) => self.cx.alarm(at, Alarm::Robot(token)),
                    Effect::Event(topic, value) => {
                        let cause = self.cx.cause();
                        self.cx.push(Work::Event(Box::new((topic, value)), cause));
                    }
                    // If scripts no longer run, or a livelock was found, the run ends without an answer.
                    Effect::Ask(ask) => {
                        if !self.end.is_interrupting() && self.count_signal(PathId(0), true) {
                            match self.config.scripts {
                                true => self.tasks.call_robot(&mut self.cx, &self.graph, *ask),
                                false => self.cx.push(Work::NoScript(ask.number)),
                            }
                        }
                    }
                    Effect::Call(ask) => {
                        if !self.end.is_interrupting() && self.count_signal(PathId(0), true) {
                            self.call_for_robot(*ask);
                        }
                    }
                    Effect::Dialog(event) => {
                        let path = event.topic().and_then(|topic| self.dialogs.box_of(topic));
                        let path = path.map_or(PathId(0), |id| self.graph.path_of(id));
                        self.cx.note(path, Kind::Dialog(Box::new(event)));
                    }
                    Effect::Act(act) => self.cx.note(PathId(0), Kind::Act(Box::new(act))),
                    Effect::Memory(key, value) => self.cx.note(PathId(0), Kind::Memory { key, value: Some(value) }),
                    Effect::Joints(angles) => self.cx.note(PathId(0), Kind::Joints { angles, torso: None }),
                    Effect::Replaced(names) => self.replaced(&names),
                    Effect::Warn(text) => self.cx.warn(PathId(0), text),
                    Effect::Lost(why) => {
                        let end = self.end.lose_robot(&mut self.cx, why);
                        self.follow_up(end);
                    }
                }
            }
        }
    }

    // ---- calls ---------------------------------------------------------------------------------

    /// Calls a method for the robot itself, as its dialog does.
    fn call_for_robot(&mut self, ask: Ask) {
        if self.is_of_script(&ask.service) {
            let number = ask.number;
            let call = self.aside(|engine| engine.call_script_service(ask));
            return self.calls.then(call, Then::Robot(number));
        }
        let Ask { number, service, method, args } = ask;
        match self.aside(|engine| engine.begin_call(PathId(0), 0, &service, &method, &args)) {
            CallStart::Pending(call) => self.calls.then(call, Then::Robot(number)),
            CallStart::Ready(result) => {
                let result = result.map_err(|error| ServiceError::Failed(error.message(&service, &method)));
                self.with_services(|s, cx| s.answered(cx, number, result));
            }
        }
    }

    /// Returns whether a script has registered this service, and nobody else has one of this name.
    pub(crate) fn is_of_script(&self, service: &str) -> bool {
        self.calls.of_scripts.contains(service) && !self.offers(service)
    }

    /// Calls a method of a service that a script has registered, for somebody else.
    pub(crate) fn call_script_service(&mut self, ask: Ask) -> CallId {
        let (service, method) = (ask.service.clone(), ask.method.clone());
        if self.cx.tracer.on() {
            let (service, method, args) = (service.clone(), method.clone(), ask.args.clone());
            let call = CallEvent { dir: Outgoing::Out, service, method, args, line: 0 };
            self.cx.trace(PathId(0), Kind::Service(Box::new(call)));
        }
        let id = self.calls.next_id();
        self.calls.open_call(&self.cx, id, (PathId(0), 0), &service, &method, false);
        self.tasks.call_script_service(&mut self.cx, &self.graph, id, ask);
        id
    }

    /// Begins a call, for a script or for the engine itself.
    pub(crate) fn begin_call(
        &mut self,
        path: PathId,
        line: u32,
        service: &Arc<str>,
        method: &Arc<str>,
        args: &[Value],
    ) -> CallStart {
        if self.cx.tracer.on() {
            let (service, method) = (service.clone(), method.clone());
            self.cx.trace(
                path,
                Kind::Service(Box::new(CallEvent { dir: Outgoing::Out, service, method, args: args.to_vec(), line })),
            );
        }
        let id = self.calls.next_id();
        let mock = self.config.mock(&mut self.cx, id, service, method, args);
        let is_mock = mock.is_some();
        let result = match mock.map_or_else(|| self.answer_own(id, service, method, args), Ok) {
            Err(error) => Err(error),
            Ok(EngineAnswer::Ready(result)) => result,
            Ok(EngineAnswer::Pending) => {
                return self.calls.open_call(&self.cx, id, (path, line), service, method, is_mock);
            }
            Ok(EngineAnswer::Pass) => {
                let call = ServiceCall { id, service, method, args };
                match self.with_services(|s, cx| s.call(cx, &call)) {
                    Outcome::Ready(result) => result,
                    Outcome::Pending => {
                        return self.calls.open_call(&self.cx, id, (path, line), service, method, false);
                    }
                }
            }
        };
        if let Err(error) = &result
            && error.is_unsupported()
        {
            self.cx.note(path, Kind::Unsupported { service: service.clone(), method: method.clone(), line });
        } else if self.cx.tracer.on() {
            let result = result.as_ref().map_err(|e| e.message(service, method)).cloned();
            let (service, method) = (service.clone(), method.clone());
            let answered = ReplyEvent { dir: Incoming::In, service, method, result, mock: is_mock };
            self.cx.note(path, Kind::ServiceDone(Box::new(answered)));
        }
        CallStart::Ready(result)
    }

    /// Begins a call for a box, beside what follows.
    pub(crate) fn call_for(&mut self, of: BoxId, service: &str, method: &str, args: &[Value]) -> CallStart {
        let path = self.graph.path_of(of);
        self.aside(|engine| engine.begin_call(path, 0, &service.into(), &method.into(), args))
    }

    /// Completes a call, and wakes or notifies whatever waits for it.
    pub(crate) fn complete_call(&mut self, id: CallId, result: Result<Value, ServiceError>) {
        let Some(call) = self.calls.open.remove(&id) else { return };
        self.caused_by(call.cause, |engine| {
            let (said, then) = call.end(&mut engine.cx, &mut engine.tasks, result);
            match then {
                Some(Then::Run(kept)) => engine.deliver(kept, callback_args(said), "callback"),
                Some(Then::Joints(id, serial)) => {
                    let next = engine.graph.joints_answered(&mut engine.cx, id, serial, said);
                    engine.follow_up(next);
                }
                Some(Then::Topic(id, serial, n)) => {
                    let next = engine.dialogs.topic_loaded(&mut engine.cx, &engine.graph, (id, serial, n), said);
                    engine.follow_up(next);
                }
                Some(Then::Outside(then)) => then(said),
                Some(Then::Robot(number)) => {
                    let result = said.map_err(ServiceError::Failed);
                    engine.with_services(|s, cx| s.answered(cx, number, result));
                }
                Some(Then::DeferredCall(deferred, deferred_call)) => {
                    deferred.complete(deferred_call, said, engine.cx.cause())
                }
                None => {}
            }
            engine.clients.notify_clients(id);
            if engine.stops.forget_run_out(id) {
                engine.stops.robot_rests(
                    &mut engine.cx,
                    &engine.graph,
                    &engine.procs,
                    &engine.behaviors,
                    &*engine.services,
                );
            }
        });
    }

    /// Calls a service for a script that does not wait.
    pub(crate) fn script_post(&mut self, task: TaskId, call: ServiceRequest, then: Option<Kept>) -> Answer {
        let path = self.runners.speaker(&self.graph, &self.scripts, &self.tasks, task, call.from);
        match self.begin_call(path, call.from.line, &call.service, &call.method, &call.args) {
            CallStart::Ready(result) => {
                let said = result.map_err(|e| (e.is_unsupported(), e.message(&call.service, &call.method)));
                match (then, said) {
                    (Some(kept), said) => self.deliver(kept, callback_args(said.map_err(|e| e.1)), "callback"),
                    (None, Err((true, text))) => return Answer::Error(text),
                    (None, Err((false, text))) => self.cx.warn(path, text),
                    (None, Ok(_)) => {}
                }
                Answer::Value(Value::Int(self.calls.last_id().0.into()))
            }
            CallStart::Pending(id) => {
                if let Some(kept) = then {
                    self.calls.then(id, Then::Run(kept));
                }
                Answer::Value(Value::Int(id.0.into()))
            }
        }
    }

    /// Cancels a call: the tasks that wait for it continue, and the robot stops what the call began.
    pub(crate) fn stop_call(&mut self, call: CallId) -> bool {
        if !self.calls.running(call) {
            return false;
        }
        if let Some(serial) = self.resources.request_of_call(call) {
            self.follow_up([FollowUp::Withdraw(serial, ResourcePhase::Dropped, false), FollowUp::ServeBehind(serial)]);
        }
        self.with_services(|s, cx| s.cancel(cx, call));
        self.complete_call(call, Ok(Value::Null));
        true
    }
}
