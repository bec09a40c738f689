//! The services that the engine itself provides, with every robot: frame manager, the run's behaviors, resources, time
//! cursors, and memory callbacks by module name. All other calls pass to the robot.

use crate::Engine;
use crate::behaviors::Behaviors;
use crate::calls::{Calls, EngineAnswer, Subscriber};
use crate::config::Library;
use crate::context::Context;
use crate::event_loop::Work;
use crate::graph::Graph;
use crate::ids::{BehaviorId, BoxId};
use crate::protocol::{CallId, CallbackId, Frame, ScriptError, TimelineCommand};
use crate::services::{ServiceError, Topic};
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
        let running = self.all.iter().filter(|b| !b.closed() && !b.object);
        Value::list(running.map(|b| Value::Str(b.source.name.clone())))
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
            cx.push(Work::Event(Box::new((topic, value)), cx.cause));
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

impl Engine {
    /// Answers calls that the engine handles itself.
    pub(crate) fn front(&mut self, id: CallId, service: &str, method: &str, args: &[Value]) -> EngineAnswer {
        let answer = match service {
            "ALMemory" => self.memory_front(method, args),
            "ALFrameManager" => self.frame_manager(method, args),
            "ALBehaviorManager" => self.behavior_manager(id, method, args),
            "ALResourceManager" => self.resource_manager(id, method, args),
            "ALBoxstep" => self.own_service(id, method, args),
            _ => Ok(EngineAnswer::Pass),
        };
        answer.unwrap_or_else(|error| EngineAnswer::Ready(Err(error)))
    }

    // ---- ALMemory ------------------------------------------------------------------------------

    fn memory_front(&mut self, method: &str, args: &[Value]) -> Result<EngineAnswer, ServiceError> {
        match method {
            // A box's id is the memory key of the time cursor of its timeline.
            "getData" => {
                let key = text(args, 0)?;
                let named = self.graph.by_full_name(&self.cx.paths, &key);
                let cursor = named.filter(|b| self.graph.boxes[b.index()].inside.is_some());
                Ok(cursor.map_or(EngineAnswer::Pass, |b| ok(self.graph.cursor(&self.cx, b))))
            }
            "subscribeToEvent" | "subscribeToMicroEvent" => {
                let (key, module) = (text(args, 0)?, text(args, 1)?);
                // A micro-event has a message before the name of the method.
                let method = text(args, args.len().min(4) - 1)?;
                let topic = Topic::Memory(key);
                let (same, m) = (topic.clone(), module.clone());
                self.remove_subscribers(Some(&same), |_, s| s.is_of(&m));
                let subscriber = match (self.graph.module_box(&self.cx.paths, &module), self.calls.modules.get(&module))
                {
                    (Some(object), _) => Subscriber::Method { module, object, method },
                    (None, Some(&callback)) => Subscriber::Module { module, callback, method },
                    (None, None) => {
                        return Err(ServiceError::Failed(format!("there is no module {module} to call back")));
                    }
                };
                self.add_subscriber(topic, subscriber)?;
                Ok(done())
            }
            "unsubscribeToEvent" | "unsubscribeToMicroEvent" => {
                let (topic, module) = (Topic::Memory(text(args, 0)?), text(args, 1)?);
                self.remove_subscribers(Some(&topic), |_, s| s.is_of(&module));
                Ok(done())
            }
            "getSubscribers" => {
                let topic = Topic::Memory(text(args, 0)?);
                let of = |s: &Subscriber| s.module().map(|m| Value::Str(m.clone()));
                let names = self.calls.topics.get(&topic).into_iter().flatten().filter_map(of);
                Ok(EngineAnswer::Ready(Ok(Value::list(names))))
            }
            _ => Ok(EngineAnswer::Pass),
        }
    }

    // ---- ALFrameManager ------------------------------------------------------------------------

    fn frame_manager(&mut self, method: &str, args: &[Value]) -> Result<EngineAnswer, ServiceError> {
        let behavior = |engine: &Self, name: &str| {
            let by_id = engine.behaviors.all.iter().rposition(|b| &*b.id_text == name || &*b.source.name == name);
            by_id.map(|i| BehaviorId(i as u32))
        };
        match method {
            "getBehaviorPath" => {
                let name = text(args, 0)?;
                let Some(id) = behavior(self, &name) else {
                    return Err(ServiceError::Failed(format!("no behavior {name}")));
                };
                let folder = self.behaviors.all[id.index()].source.folder.to_string_lossy().into_owned();
                Ok(ok(folder.trim_end_matches('/')))
            }
            "exitBehavior" => {
                if let Some(id) = behavior(self, &text(args, 0)?) {
                    self.ask_to_stop(id);
                }
                Ok(done())
            }
            "getTimelineFps" | "setTimelineFps" => {
                let name = text(args, 0)?;
                let Some(b) = self.graph.by_full_name(&self.cx.paths, &name) else {
                    return Err(ServiceError::Failed(format!("no box {name}")));
                };
                let command = match args.get(1).and_then(Value::as_i64) {
                    Some(fps) if method == "setTimelineFps" => {
                        TimelineCommand::SetFps(fps.clamp(i32::MIN.into(), i32::MAX.into()) as i32)
                    }
                    _ => TimelineCommand::GetFps,
                };
                if !command.asks() {
                    self.graph.signal_timeline(&mut self.cx, b, false, command);
                    return Ok(done());
                }
                Ok(match self.timeline_command(b, false, command) {
                    crate::protocol::Answer::Value(value) => ok(value),
                    _ => done(),
                })
            }
            "gotoAndStop" | "gotoAndPlay" => {
                let (name, frame) = (text(args, 0)?, args.get(1).cloned().unwrap_or_default());
                let frame = match (&frame, frame.as_i64()) {
                    (Value::Str(name), _) => Frame::Name(name.clone()),
                    (_, Some(n)) => Frame::Number(n),
                    _ => return Err(ServiceError::BadArguments("a frame is a number or a name".to_owned())),
                };
                if let Some(b) = self.graph.by_full_name(&self.cx.paths, &name) {
                    let goto = TimelineCommand::GoTo(frame);
                    let commands = match method {
                        "gotoAndPlay" => [goto, TimelineCommand::Play],
                        _ => [TimelineCommand::Pause, goto],
                    };
                    commands
                        .into_iter()
                        .for_each(|command| self.graph.signal_timeline(&mut self.cx, b, false, command));
                }
                Ok(done())
            }
            _ => Err(ServiceError::NoMethod),
        }
    }

    // ---- ALBehaviorManager ---------------------------------------------------------------------

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

    fn behavior_manager(&mut self, id: CallId, method: &str, args: &[Value]) -> Result<EngineAnswer, ServiceError> {
        let names = |engine: &Self| {
            let mut names = engine.library.names();
            for b in engine.behaviors.all.iter().filter(|b| !b.object) {
                if !names.iter().any(|n| **n == *b.source.name) {
                    names.push(b.source.name.to_string());
                }
            }
            Value::from(names)
        };
        match method {
            "getInstalledBehaviors" | "getBehaviorNames" | "getUserBehaviorNames" => return Ok(ok(names(self))),
            "getRunningBehaviors" | "getLoadedBehaviors" => return Ok(ok(self.behaviors.running_names())),
            "getSystemBehaviorNames" | "getDefaultBehaviors" => return Ok(ok(Value::list([]))),
            "stopAllBehaviors" => {
                for index in
                    (0..self.behaviors.all.len()).filter(|i| !self.behaviors.all[*i].object).collect::<Vec<_>>()
                {
                    self.ask_to_stop(BehaviorId(index as u32));
                }
                return Ok(done());
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
            return Ok(EngineAnswer::Pass);
        }
        let Some(name) = self.behaviors.own_behavior(&*self.library, &text(args, 0)?) else {
            return Ok(EngineAnswer::Pass);
        };
        let running = self.behaviors.running(&name);
        match (method, running) {
            ("startBehavior" | "runBehavior", Some(b))
                if self.behaviors.stops(&self.cx, b) && !self.end.has_begun() =>
            {
                self.behaviors.all[b.index()].restart.push((id, method == "runBehavior"));
                Ok(EngineAnswer::Pending)
            }
            ("startBehavior" | "runBehavior", Some(_)) => {
                Err(ServiceError::Failed(format!("the behavior {name} is running already")))
            }
            ("startBehavior" | "runBehavior", None) => self.start_own(id, &name, method == "runBehavior"),
            ("stopBehavior", Some(b)) => {
                self.ask_to_stop(b);
                Ok(done())
            }
            ("stopBehavior", None) => Ok(done()),
            ("preloadBehavior" | "isBehaviorInstalled" | "isBehaviorPresent", _) => Ok(ok(true)),
            ("resolveBehaviorName", _) => Ok(ok(name)),
            (_, running) => Ok(ok(running.is_some())),
        }
    }

    /// Queues the stop of a behavior, after everything that is due already.
    fn ask_to_stop(&mut self, id: BehaviorId) {
        self.forget_restart(id);
        self.cx.push(Work::StopBehavior(id, EndReason::Ended, self.cx.cause));
    }

    fn start_own(&mut self, call: CallId, name: &str, wait_for_end: bool) -> Result<EngineAnswer, ServiceError> {
        if self.end.has_begun() {
            return Err(not_started(name));
        }
        let known = self.behaviors.all.iter().find(|b| &*b.source.name == name && !b.object).map(|b| b.source.clone());
        let source = match known {
            Some(source) => source,
            None => match self.library.open(name) {
                Some(Ok(source)) => source,
                Some(Err(why)) => return Err(ServiceError::Failed(why)),
                None => return Ok(EngineAnswer::Pass),
            },
        };
        let refused = |found: Vec<boxstep_types::Diagnostic>| {
            ServiceError::Failed(found.first().map_or_else(String::new, ToString::to_string))
        };
        let id = self.open(source).map_err(refused)?;
        let behavior = &mut self.behaviors.all[id.index()];
        if wait_for_end {
            behavior.end_calls.push(call)
        } else {
            behavior.start_calls.push(call)
        }
        self.start_behavior(id);
        // A behavior without scripts may have started, or even ended, already.
        let behavior = &self.behaviors.all[id.index()];
        let calls = if wait_for_end { &behavior.end_calls } else { &behavior.start_calls };
        if calls.contains(&call) {
            return Ok(EngineAnswer::Pending);
        }
        Ok(EngineAnswer::Ready(outcome(behavior.failure.as_ref())))
    }

    pub(crate) fn complete_start_calls(&mut self, id: BehaviorId) {
        let failure = self.behaviors.all[id.index()].failure.clone();
        for call in std::mem::take(&mut self.behaviors.all[id.index()].start_calls) {
            self.complete_call(call, outcome(failure.as_ref()));
        }
    }

    pub(crate) fn complete_end_calls(&mut self, id: BehaviorId) {
        let failure = self.behaviors.all[id.index()].failure.clone();
        for call in std::mem::take(&mut self.behaviors.all[id.index()].end_calls) {
            self.complete_call(call, outcome(failure.as_ref()));
        }
    }

    // ---- our own -------------------------------------------------------------------------------

    /// Handles calls of the script runtime that are no service of NAOqi.
    fn own_service(&mut self, id: CallId, method: &str, args: &[Value]) -> Result<EngineAnswer, ServiceError> {
        match (method, args) {
            ("registerModule", [Value::Str(name), Value::Int(callback)]) => {
                let callback = u32::try_from(*callback).map_err(|_| ServiceError::NoMethod)?;
                self.calls.modules.insert(name.clone(), CallbackId(callback));
                Ok(done())
            }
            ("unregisterModule", [Value::Str(name)]) => {
                self.calls.modules.remove(name);
                self.release_module(name);
                Ok(done())
            }
            ("robotIs", [description]) => {
                self.services.described(description);
                Ok(done())
            }
            ("robotFails", [Value::Str(why)]) => {
                self.lose_robot(why.to_string());
                Ok(done())
            }
            ("emitted", [Value::Str(service), Value::Str(signal), Value::List(args)]) => {
                let topic = Topic::Signal(service.clone(), signal.clone());
                self.calls.raise_if_awaited(&mut self.cx, topic, Value::List(args.clone()));
                Ok(done())
            }
            ("describe", [Value::Str(name)]) => {
                Ok(EngineAnswer::Ready(self.behaviors.describe_box(&self.cx, &self.graph, name)))
            }
            _ => self.box_resources(id, method, args),
        }
    }
}

pub(crate) fn not_started(name: &str) -> ServiceError {
    ServiceError::Failed(format!("the behavior {name} is not started: the run is ending"))
}

fn outcome(failure: Option<&ScriptError>) -> Result<Value, ServiceError> {
    match failure {
        Some(error) => Err(ServiceError::Failed(error.to_string())),
        None => Ok(Value::Null),
    }
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
