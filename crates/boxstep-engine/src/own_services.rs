//! The services that the engine itself provides, with every robot: frame manager, the run's behaviors, resources, time
//! cursors, and memory callbacks by module name. All other calls pass to the robot.

use crate::Engine;
use crate::behaviors::{BehaviorState, Behaviors};
use crate::calls::{Calls, EngineAnswer, Subscriber};
use crate::config::{BehaviorSource, Library};
use crate::context::Context;
use crate::event_loop::Work;
use crate::follow_up::FollowUp;
use crate::graph::Graph;
use crate::ids::{BehaviorId, BoxId};
use crate::protocol::{CallId, CallbackId, Frame, ObjectId, ScriptError, TimelineCommand};
use crate::resources::{Claim, Freed, Owner, ResourceStep};
use crate::run_end::RunEnd;
use crate::services::{ServiceError, Services, Topic};
use crate::trace::{EndReason, Paths};
use boxstep_types::{ENGINE_SERVICES, Value};
use std::sync::Arc;

/// Returns whether the engine provides the service, without a robot.
pub(crate) fn answers(service: &str) -> bool {
    ENGINE_SERVICES.contains(&service)
}

pub(crate) fn text(args: &[Value], index: usize) -> Result<Arc<str>, ServiceError> {
    match args.get(index) {
        Some(Value::Str(s)) => Ok(s.clone()),
        other => Err(ServiceError::BadArguments(format!(
            "argument {} must be a string, not {}",
            index + 1,
            other.map_or("missing", Value::kind)
        ))),
    }
}

pub(crate) fn ok(value: impl Into<Value>) -> EngineAnswer {
    EngineAnswer::Ready(Ok(value.into()))
}

pub(crate) fn done() -> EngineAnswer {
    EngineAnswer::Ready(Ok(Value::Null))
}

impl Graph {
    fn module_box(&self, paths: &Paths, module: &str) -> Option<crate::protocol::ObjectId> {
        self.boxes[self.by_full_name(paths, module)?.index()].object
    }
}

impl Behaviors {
    fn running(&self, name: &str) -> Option<BehaviorId> {
        let at = self.all.iter().position(|b| &*b.source.name == name && !b.closed() && !b.object);
        at.map(|i| BehaviorId(i as u32))
    }

    fn running_names(&self) -> Value {
        let running = self.all.iter().filter(|b| !b.closed() && !b.object && !b.only_loaded());
        Value::list(running.map(|b| Value::Str(b.source.name.clone())))
    }

    fn loaded_names(&self) -> Value {
        let loaded = self.all.iter().filter(|b| !b.closed() && !b.object);
        Value::list(loaded.map(|b| Value::Str(b.source.name.clone())))
    }

    /// Resolves a behavior's name: `package/behavior`, `behavior` and `./behavior` are the same behavior.
    fn own_behavior(&self, library: &dyn Library, name: &str) -> Option<String> {
        let trim = |s: &str| s.trim_start_matches("User/").trim_end_matches("/.").trim_matches('/').to_owned();
        let wanted = trim(name);
        let uid = self.all.iter().find(|b| !b.object).map(|b| b.source.package_uid.clone()).unwrap_or_default();
        let rest = wanted.strip_prefix(&format!("{uid}/")).unwrap_or(&wanted).to_owned();
        let mut names = library.names();
        names.extend(self.all.iter().filter(|b| !b.object).map(|b| b.source.name.to_string()));
        names.into_iter().find(|n| trim(n) == wanted || trim(n) == rest)
    }
}

impl Calls {
    /// Notifies the subscribers of a signal of ALBehaviorManager whose argument is a behavior's name.
    pub(crate) fn behavior_signal(&self, cx: &mut Context, signal: &str, name: Arc<str>) {
        if self.topics.is_empty() {
            return;
        }
        self.raise_if_awaited(
            cx,
            Topic::Signal("ALBehaviorManager".into(), signal.into()),
            Value::list([Value::Str(name)]),
        );
    }

    fn raise_if_awaited(&self, cx: &mut Context, topic: Topic, value: Value) {
        if self.topics.contains_key(&topic) {
            cx.push(Work::Event(Box::new((topic, value)), cx.cause()));
        }
    }

    /// Raises the memory event with the names of the running behaviors.
    pub(crate) fn behaviors_changed(&self, cx: &mut Context, behaviors: &Behaviors) {
        let names = behaviors.running_names();
        self.raise_if_awaited(cx, Topic::Memory("BehaviorsRun".into()), names);
    }

    pub(crate) fn behavior_failed_event(
        &self,
        cx: &mut Context,
        graph: &Graph,
        name: &Arc<str>,
        of: BoxId,
        error: &ScriptError,
    ) {
        let place = graph.full_name(&cx.paths, of);
        let value = Value::list([Value::Str(name.clone()), Value::Str(place), error.to_string().into()]);
        self.raise_if_awaited(cx, Topic::Signal("ALBehaviorManager".into(), "behaviorFailed".into()), value);
    }
}

/// What the engine does for a call of one of its own services.
enum OwnCall {
    /// Nothing more: this is the answer.
    Answer(EngineAnswer),
    /// Replaces the subscription of a module to a topic.
    Subscribe(Topic, Arc<str>, Option<Subscriber>),
    /// Removes the subscription of a module to a topic.
    Unsubscribe(Topic, Arc<str>),
    /// Queues the stops of behaviors, after everything that is due already.
    Stop(Vec<BehaviorId>),
    /// Starts a behavior by name. If set, the call waits for its end.
    Start(String, bool),
    /// Starts a behavior that is loaded, or is being loaded, in the same way.
    Begin(BehaviorId, bool),
    /// Loads a behavior by name without starting it.
    Load(String),
    /// Takes, waits for, or releases resources.
    Resources(ResourceStep),
    /// Releases the resources of a module that is gone.
    ReleaseModule(Arc<str>),
    /// A service is there, registered by the script of this object, if it is known.
    Registered(Option<ObjectId>),
    /// Tells the robot that a service written in Python has emitted this signal.
    Emitted(Arc<str>, Arc<str>),
    /// Ends the run, because the robot is lost for this reason.
    RobotLost(String),
}

impl OwnCall {
    fn ok(value: impl Into<Value>) -> Result<Self, ServiceError> {
        Ok(Self::Answer(ok(value)))
    }

    fn done() -> Result<Self, ServiceError> {
        Ok(Self::Answer(done()))
    }
}

impl Calls {
    // ---- ALMemory ------------------------------------------------------------------------------

    fn memory_call(&self, cx: &Context, graph: &Graph, method: &str, args: &[Value]) -> Result<OwnCall, ServiceError> {
        match method {
            // A box's id is the memory key of the time cursor of its timeline.
            "getData" => {
                let key = text(args, 0)?;
                let named = graph.by_full_name(&cx.paths, &key);
                let cursor = named.filter(|b| graph.boxes[b.index()].inside.is_some());
                Ok(OwnCall::Answer(cursor.map_or(EngineAnswer::Pass, |b| ok(graph.cursor(cx, b)))))
            }
            "subscribeToEvent" | "subscribeToMicroEvent" => {
                let (key, module) = (text(args, 0)?, text(args, 1)?);
                // A micro-event has a message before the name of the method.
                let method = text(args, args.len().min(4) - 1)?;
                let subscriber = match (graph.module_box(&cx.paths, &module), self.modules.get(&module)) {
                    (Some(object), _) => Some(Subscriber::Method { module: module.clone(), object, method }),
                    (None, Some(&callback)) => Some(Subscriber::Module { module: module.clone(), callback, method }),
                    (None, None) => None,
                };
                Ok(OwnCall::Subscribe(Topic::Memory(key), module, subscriber))
            }
            "unsubscribeToEvent" | "unsubscribeToMicroEvent" => {
                Ok(OwnCall::Unsubscribe(Topic::Memory(text(args, 0)?), text(args, 1)?))
            }
            "getSubscribers" => {
                let topic = Topic::Memory(text(args, 0)?);
                let of = |s: &Subscriber| s.module().map(|m| Value::Str(m.clone()));
                let names = self.topics.get(&topic).into_iter().flatten().filter_map(of);
                OwnCall::ok(Value::list(names))
            }
            _ => Ok(OwnCall::Answer(EngineAnswer::Pass)),
        }
    }

    // ---- our own -------------------------------------------------------------------------------

    /// Handles calls of the script runtime that are no service of NAOqi. `None` for those that concern resources.
    fn own_call(
        &mut self,
        (cx, graph): (&mut Context, &Graph),
        services: &mut dyn Services,
        behaviors: &Behaviors,
        method: &str,
        args: &[Value],
    ) -> Option<Result<OwnCall, ServiceError>> {
        match (method, args) {
            ("registerModule", [Value::Str(name), Value::Int(callback)]) => {
                let Ok(callback) = u32::try_from(*callback) else { return Some(Err(ServiceError::NoMethod)) };
                self.modules.insert(name.clone(), CallbackId(callback));
            }
            ("unregisterModule", [Value::Str(name)]) => {
                self.modules.remove(name);
                return Some(Ok(OwnCall::ReleaseModule(name.clone())));
            }
            ("registerService", [Value::Str(name), Value::Int(object)]) => {
                self.of_scripts.insert(name.clone());
                return Some(Ok(OwnCall::Registered(u32::try_from(*object).ok().map(ObjectId))));
            }
            ("unregisterService", [Value::Str(name)]) => {
                self.of_scripts.remove(name);
            }
            ("robotIs", [description]) => services.described(description),
            ("robotFails", [Value::Str(why)]) => return Some(Ok(OwnCall::RobotLost(why.to_string()))),
            ("emitted", [Value::Str(service), Value::Str(signal), Value::List(args)]) => {
                let topic = Topic::Signal(service.clone(), signal.clone());
                self.raise_if_awaited(cx, topic, Value::List(args.clone()));
                return Some(Ok(OwnCall::Emitted(service.clone(), signal.clone())));
            }
            ("describe", [Value::Str(name)]) => {
                let described = behaviors.describe_box(cx, graph, name);
                return Some(Ok(OwnCall::Answer(EngineAnswer::Ready(described))));
            }
            _ => return None,
        }
        Some(OwnCall::done())
    }
}

impl Behaviors {
    // ---- ALFrameManager ------------------------------------------------------------------------

    fn frame_manager(
        &self,
        cx: &mut Context,
        graph: &Graph,
        method: &str,
        args: &[Value],
    ) -> Result<OwnCall, ServiceError> {
        let behavior = |name: &str| {
            let by_id = self.all.iter().rposition(|b| &*b.id_text == name || &*b.source.name == name);
            by_id.map(|i| BehaviorId(i as u32))
        };
        match method {
            "getBehaviorPath" => {
                let name = text(args, 0)?;
                let Some(id) = behavior(&name) else {
                    return Err(ServiceError::Failed(format!("no behavior {name}")));
                };
                let folder = self.all[id.index()].source.folder.to_string_lossy().into_owned();
                OwnCall::ok(folder.trim_end_matches('/'))
            }
            "exitBehavior" => Ok(OwnCall::Stop(behavior(&text(args, 0)?).into_iter().collect())),
            "getTimelineFps" | "setTimelineFps" => {
                let name = text(args, 0)?;
                let Some(b) = graph.by_full_name(&cx.paths, &name) else {
                    return Err(ServiceError::Failed(format!("no box {name}")));
                };
                let command = match args.get(1).and_then(Value::as_i64) {
                    Some(fps) if method == "setTimelineFps" => {
                        TimelineCommand::SetFps(fps.clamp(i32::MIN.into(), i32::MAX.into()) as i32)
                    }
                    _ => TimelineCommand::GetFps,
                };
                match graph.timeline_query(cx, graph.commanded_timeline(b, false), &command) {
                    Some(fps) => OwnCall::ok(fps),
                    None => {
                        graph.signal_timeline(cx, b, false, command);
                        OwnCall::done()
                    }
                }
            }
            "gotoAndStop" | "gotoAndPlay" => {
                let (name, frame) = (text(args, 0)?, args.get(1).cloned().unwrap_or_default());
                let frame = match (&frame, frame.as_i64()) {
                    (Value::Str(name), _) => Frame::Name(name.clone()),
                    (_, Some(n)) => Frame::Number(n),
                    _ => return Err(ServiceError::BadArguments("a frame is a number or a name".to_owned())),
                };
                if let Some(b) = graph.by_full_name(&cx.paths, &name) {
                    let goto = TimelineCommand::GoTo(frame);
                    let commands = match method {
                        "gotoAndPlay" => [goto, TimelineCommand::Play],
                        _ => [TimelineCommand::Pause, goto],
                    };
                    commands.into_iter().for_each(|command| graph.signal_timeline(cx, b, false, command));
                }
                OwnCall::done()
            }
            _ => Err(ServiceError::NoMethod),
        }
    }

    // ---- ALBehaviorManager ---------------------------------------------------------------------

    fn behavior_manager(
        &mut self,
        (cx, end): (&Context, &RunEnd),
        library: &dyn Library,
        id: CallId,
        method: &str,
        args: &[Value],
    ) -> Result<OwnCall, ServiceError> {
        match method {
            "getInstalledBehaviors" | "getBehaviorNames" | "getUserBehaviorNames" => {
                return OwnCall::ok(self.names(library));
            }
            "getRunningBehaviors" => return OwnCall::ok(self.running_names()),
            "getLoadedBehaviors" => return OwnCall::ok(self.loaded_names()),
            "getSystemBehaviorNames" => return OwnCall::ok(Value::list([])),
            "stopAllBehaviors" => {
                let all = self.all.iter().zip(0..).filter(|(b, _)| !b.object);
                return Ok(OwnCall::Stop(all.map(|(_, index)| BehaviorId(index)).collect()));
            }
            _ => {}
        }
        let by_name = matches!(
            method,
            "startBehavior"
                | "runBehavior"
                | "stopBehavior"
                | "preloadBehavior"
                | "isBehaviorInstalled"
                | "isBehaviorPresent"
                | "isBehaviorRunning"
                | "isBehaviorLoaded"
                | "resolveBehaviorName"
        );
        if !by_name {
            return Ok(OwnCall::Answer(EngineAnswer::Pass));
        }
        let Some(name) = self.own_behavior(library, &text(args, 0)?) else {
            return Ok(OwnCall::Answer(EngineAnswer::Pass));
        };
        let running = self.running(&name);
        match (method, running) {
            ("startBehavior" | "runBehavior", Some(b)) if self.stops(cx, b) && !end.has_begun() => {
                self.all[b.index()].restart.push((id, method == "runBehavior"));
                Ok(OwnCall::Answer(EngineAnswer::Pending))
            }
            ("startBehavior" | "runBehavior", Some(b)) if self.all[b.index()].only_loaded() => {
                Ok(OwnCall::Begin(b, method == "runBehavior"))
            }
            ("startBehavior" | "runBehavior", Some(_)) => {
                Err(ServiceError::Failed(format!("the behavior {name} is running already")))
            }
            ("startBehavior" | "runBehavior", None) => Ok(OwnCall::Start(name, method == "runBehavior")),
            ("stopBehavior", running) => Ok(OwnCall::Stop(running.into_iter().collect())),
            ("preloadBehavior", None) => Ok(OwnCall::Load(name)),
            ("preloadBehavior" | "isBehaviorInstalled" | "isBehaviorPresent", _) => OwnCall::ok(true),
            ("resolveBehaviorName", _) => OwnCall::ok(name),
            ("isBehaviorRunning", Some(b)) => OwnCall::ok(!self.all[b.index()].only_loaded()),
            (_, running) => OwnCall::ok(running.is_some()),
        }
    }

    /// The names of the behaviors of the library, and of those that are open.
    fn names(&self, library: &dyn Library) -> Value {
        let mut names = library.names();
        for b in self.all.iter().filter(|b| !b.object) {
            if !names.iter().any(|n| **n == *b.source.name) {
                names.push(b.source.name.to_string());
            }
        }
        Value::from(names)
    }

    /// A behavior that is to be started by name: one that is open, otherwise that of the library. `None` if there is
    /// none.
    fn to_start(&self, library: &mut dyn Library, name: &str) -> Option<Result<BehaviorSource, String>> {
        let known = self.all.iter().find(|b| &*b.source.name == name && !b.object).map(|b| b.source.clone());
        known.map_or_else(|| library.open(name), |source| Some(Ok(source)))
    }

    /// The calls that wait for the end of a behavior, or else for its start.
    fn calls_of(&mut self, id: BehaviorId, wait_for_end: bool) -> &mut Vec<CallId> {
        let behavior = &mut self.all[id.index()];
        if wait_for_end { &mut behavior.end_calls } else { &mut behavior.start_calls }
    }

    /// The outcome of a behavior for the calls that wait for it.
    fn outcome(&self, id: BehaviorId) -> Result<Value, ServiceError> {
        match &self.all[id.index()].failure {
            Some(error) => Err(ServiceError::Failed(error.to_string())),
            None => Ok(Value::Null),
        }
    }

    /// Takes the calls that wait for the start of a behavior, or for its load, with their result.
    pub(crate) fn take_start_calls(&mut self, id: BehaviorId) -> CallResults {
        let outcome = self.outcome(id);
        let behavior = &mut self.all[id.index()];
        let loaded = Ok(Value::Bool(behavior.failure.is_none()));
        let loads = std::mem::take(&mut behavior.load_calls).into_iter().map(|c| (c, loaded.clone()));
        let starts = std::mem::take(&mut behavior.start_calls).into_iter().map(|c| (c, outcome.clone()));
        loads.chain(starts).collect()
    }

    /// Takes the calls that wait for the end of a behavior, with their result.
    pub(crate) fn take_end_calls(&mut self, id: BehaviorId) -> CallResults {
        let outcome = self.outcome(id);
        std::mem::take(&mut self.all[id.index()].end_calls).into_iter().map(|c| (c, outcome.clone())).collect()
    }

    /// Takes the calls that wait for the restart of a behavior, because a later stop overrides them.
    fn take_restart_calls(&mut self, id: BehaviorId) -> CallResults {
        let calls = std::mem::take(&mut self.all[id.index()].restart);
        calls.into_iter().map(|(call, _)| (call, Ok(Value::Null))).collect()
    }
}

/// Calls that are complete, with their results.
pub(crate) type CallResults = Vec<(CallId, Result<Value, ServiceError>)>;

impl Engine {
    /// Answers calls that the engine handles itself.
    pub(crate) fn answer_own(
        &mut self,
        id: CallId,
        service: &str,
        method: &str,
        args: &[Value],
    ) -> Result<EngineAnswer, ServiceError> {
        let (cx, graph) = (&mut self.cx, &self.graph);
        let next = match service {
            "ALMemory" => self.calls.memory_call(cx, graph, method, args),
            "ALFrameManager" => self.behaviors.frame_manager(cx, graph, method, args),
            "ALBehaviorManager" => self.behaviors.behavior_manager((cx, &self.end), &*self.library, id, method, args),
            "ALResourceManager" => {
                self.resources.manager_call(cx, graph, &self.runners, id, method, args).map(OwnCall::Resources)
            }
            "ALBoxstep" => match self.calls.own_call((cx, graph), &mut *self.services, &self.behaviors, method, args) {
                Some(next) => next,
                None => self.resources.box_call(cx, graph, &self.runners, id, method, args).map(OwnCall::Resources),
            },
            _ => Ok(OwnCall::Answer(EngineAnswer::Pass)),
        };
        match next? {
            OwnCall::Answer(answer) => return Ok(answer),
            OwnCall::Start(name, wait_for_end) => {
                let Some(behavior) = self.open_by_name(&name)? else { return Ok(EngineAnswer::Pass) };
                self.behaviors.calls_of(behavior, wait_for_end).push(id);
                let load = self.behaviors.load(&mut self.cx, &self.graph, behavior, true);
                self.spawn(load);
                // A behavior without scripts may have started, or even ended, already.
                return Ok(match self.behaviors.calls_of(behavior, wait_for_end).contains(&id) {
                    true => EngineAnswer::Pending,
                    false => EngineAnswer::Ready(self.behaviors.outcome(behavior)),
                });
            }
            OwnCall::Begin(behavior, wait_for_end) => {
                let loads = self.behaviors.all[behavior.index()].state == BehaviorState::Loading;
                if loads || wait_for_end {
                    self.behaviors.calls_of(behavior, wait_for_end).push(id);
                }
                let root = self.graph.handle(self.behaviors.all[behavior.index()].root);
                let started = self.objects().get_box(root).and_then(|mut root| root.start());
                started.map_err(|error| ServiceError::Failed(error.to_string()))?;
                return Ok(if loads || wait_for_end { EngineAnswer::Pending } else { done() });
            }
            OwnCall::Load(name) => {
                let Some(behavior) = self.open_by_name(&name)? else { return Ok(EngineAnswer::Pass) };
                self.behaviors.all[behavior.index()].load_calls.push(id);
                let load = self.behaviors.load(&mut self.cx, &self.graph, behavior, false);
                self.spawn(load);
                return Ok(match self.behaviors.all[behavior.index()].load_calls.contains(&id) {
                    true => EngineAnswer::Pending,
                    false => ok(self.behaviors.all[behavior.index()].failure.is_none()),
                });
            }
            OwnCall::Resources(ResourceStep::Answer(next, answer)) => {
                self.follow_up(next);
                return Ok(answer);
            }
            OwnCall::Resources(ResourceStep::Claim(ask, timeout, reply)) => {
                let granted = match self.request_resources(ask.clone(), timeout) {
                    Claim::Wait => return Ok(EngineAnswer::Pending),
                    Claim::Granted => true,
                    Claim::Refused => false,
                };
                return Ok(EngineAnswer::Ready(self.resources.answer(&ask, reply, granted)));
            }
            OwnCall::Subscribe(topic, module, subscriber) => {
                self.remove_subscribers(Some(&topic), |_, s| s.is_of(&module));
                let subscriber = subscriber
                    .ok_or_else(|| ServiceError::Failed(format!("there is no module {module} to call back")))?;
                self.add_subscriber(topic, subscriber)?;
            }
            OwnCall::Unsubscribe(topic, module) => {
                self.remove_subscribers(Some(&topic), |_, s| s.is_of(&module));
            }
            OwnCall::Stop(behaviors) => {
                for behavior in behaviors {
                    let calls = self.behaviors.take_restart_calls(behavior);
                    self.follow_up(calls);
                    self.cx.push(Work::StopBehavior(behavior, EndReason::Ended, self.cx.cause()));
                }
            }
            OwnCall::ReleaseModule(name) => {
                self.follow_up([FollowUp::Release(Owner::Other(name), Freed::All)]);
            }
            OwnCall::Registered(object) => {
                if let Some(of) = object.and_then(|object| self.scripts.box_of(object)) {
                    self.no_longer_await(self.graph.boxes[of.index()].behavior);
                }
            }
            OwnCall::Emitted(service, signal) => self.with_services(|s, cx| s.emitted(cx, &service, &signal)),
            OwnCall::RobotLost(why) => {
                let end = self.end.lose_robot(&mut self.cx, why);
                self.follow_up(end);
            }
        }
        Ok(done())
    }

    /// Opens a behavior that is to be started or loaded by name. `None` if there is none.
    fn open_by_name(&mut self, name: &str) -> Result<Option<BehaviorId>, ServiceError> {
        if self.end.has_begun() {
            return Err(not_started(name));
        }
        let Some(source) = self.behaviors.to_start(&mut *self.library, name) else { return Ok(None) };
        let refused = |found: Vec<boxstep_types::Diagnostic>| {
            ServiceError::Failed(found.first().map_or_else(String::new, ToString::to_string))
        };
        self.open(source.map_err(ServiceError::Failed)?, None).map(Some).map_err(refused)
    }

    /// Makes the engine read behaviors from the library again at their next start, because their files have been
    /// replaced. A behavior that was never started is read then anyway.
    ///
    /// # Errors
    /// Returns the first of them that is running; then nothing is changed.
    pub fn forget_behaviors<'n>(&mut self, names: &'n [String]) -> Result<(), &'n str> {
        if let Some(name) = names.iter().find(|name| self.behaviors.running(name).is_some()) {
            return Err(name);
        }
        for behavior in self.behaviors.all.iter_mut().filter(|b| names.iter().any(|name| **name == *b.source.name)) {
            behavior.object = true;
        }
        Ok(())
    }

    /// As [`Engine::forget_behaviors`]; those that run are as they were until they have ended, and at their next start.
    pub(crate) fn replaced(&mut self, names: &[Arc<str>]) {
        for behavior in self.behaviors.all.iter_mut().filter(|b| b.closed() && names.contains(&b.source.name)) {
            behavior.object = true;
        }
    }
}

pub(crate) fn not_started(name: &str) -> ServiceError {
    ServiceError::Failed(format!("the behavior {name} is not started: the run is ending"))
}

impl Subscriber {
    fn module(&self) -> Option<&Arc<str>> {
        match self {
            Subscriber::Method { module, .. } | Subscriber::Module { module, .. } => Some(module),
            Subscriber::Input { .. }
            | Subscriber::Dialog { .. }
            | Subscriber::Callback { .. }
            | Subscriber::Runner { .. }
            | Subscriber::Outside { .. } => None,
        }
    }

    fn is_of(&self, module: &str) -> bool {
        self.module().is_some_and(|m| **m == *module)
    }
}
