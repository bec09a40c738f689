//! Calls that behaviors of a runner defer to the engine.
//!
//! A hook runs within the engine's work, so it cannot call the engine. It queues a deferred call, and the engine runs
//! the queue when the tick is over, at the same instant, first in, first out. Before each tick the engine records the
//! progress of each call and the values that conditions read, so that every query in a tick sees the state at its
//! beginning.

use super::causes::{Causes, Occasion};
use super::{BehaviorId, Progress};
use crate::Engine;
use crate::behaviors::{BehaviorState, Behaviors};
use crate::calls::{CallStart, Then};
use crate::config::BehaviorSource;
use crate::context::{Cause, Context};
use crate::graph::Graph;
use crate::ids;
use crate::lifecycle::Phase;
use crate::objects::BoxId;
use crate::protocol::CallId;
use crate::resources::Resources;
use crate::runner::host::Runners;
use crate::services::Services;
use crate::trace::PathId;
use boxstep_format::model::OutputNature;
use boxstep_types::{Diagnostic, Time, Value};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A deferred call of a service.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DeferredCall(pub(super) u64);

/// The load state of a behavior that a runner's leaf plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoadState {
    /// Not loaded.
    Closed,
    /// Loading or unloading, or about to.
    Busy,
    /// Loaded, and possibly running.
    Loaded,
}

/// The queue of deferred calls, with their results. Clones share the queue. Each runner needs its own queue
/// ([`Engine::add_runner_with`]).
#[derive(Clone, Default)]
pub struct DeferredCalls {
    state: Arc<Mutex<DeferredState>>,
    /// The behavior that queues calls through this clone.
    who: Option<BehaviorId>,
}

#[derive(Default)]
struct DeferredState {
    asked: Vec<(Option<BehaviorId>, DeferredRequest)>,
    made: u64,
    /// How often the engine has recorded the state: once before each tick.
    round: u64,
    calls: HashMap<DeferredCall, CallState>,
    plays: BTreeMap<BoxId, Play>,
    memory: BTreeMap<Arc<str>, Option<Value>>,
    /// Whether a memory value has changed since the last query.
    changed: bool,
    /// The values of memory keys that events have reported, for robots that cannot be queried synchronously.
    heard: HashMap<Arc<str>, Value>,
    free: BTreeMap<Arc<str>, bool>,
    language: String,
    /// When the runner ticks first.
    begins: Time,
    /// By behavior: the number of the trace event that completed its call or played behavior, and the round in which
    /// the behavior learned that.
    overs: HashMap<BehaviorId, (Cause, u64)>,
}

enum DeferredRequest {
    Call(DeferredCall, Arc<str>, Arc<str>, Vec<Value>),
    Cancel(DeferredCall),
    Load(BoxId),
    Start(BoxId, Vec<(Arc<str>, Value)>),
    Stop(BoxId),
}

enum CallState {
    /// The engine has not processed the call yet.
    Left,
    Begun(CallId),
    /// The result, and the number of the trace event that completed the call.
    Over(Progress, Cause),
}

struct Play {
    load_state: LoadState,
    /// Whether the engine has processed the request to start the behavior.
    begun: bool,
    /// The value of its onStopped output.
    stopped: Option<Value>,
    failed: Option<Arc<str>>,
    /// The number of the trace event of its last unload.
    unloaded: Cause,
    /// The behavior of the runner that plays it.
    leaf: Option<BehaviorId>,
}

impl DeferredCalls {
    /// Creates a queue that also observes these keys of the robot's memory and these resources.
    pub fn watching(keys: impl IntoIterator<Item = Arc<str>>, resources: impl IntoIterator<Item = Arc<str>>) -> Self {
        let state = DeferredState {
            memory: keys.into_iter().map(|key| (key, None)).collect(),
            free: resources.into_iter().map(|name| (name, true)).collect(),
            ..DeferredState::default()
        };
        Self { state: Arc::new(Mutex::new(state)), who: None }
    }

    /// Returns the same queue for the calls of one behavior: in the trace they have its path, and its own last step as
    /// their cause.
    pub fn of(&self, who: BehaviorId) -> Self {
        Self { state: self.state.clone(), who: Some(who) }
    }

    /// Also observes these keys and resources. Their state is recorded when the next tick begins.
    pub fn watch(&self, keys: impl IntoIterator<Item = Arc<str>>, resources: impl IntoIterator<Item = Arc<str>>) {
        let mut state = self.state();
        for key in keys {
            state.memory.entry(key).or_default();
        }
        for name in resources {
            state.free.entry(name).or_insert(true);
        }
    }

    /// Sets when the runner of these calls ticks first, if that is later than now. Must be called before the runner is
    /// added to the engine.
    pub fn begin_at(&self, at: Time) {
        self.state().begins = at;
    }

    pub(super) fn begins(&self) -> Time {
        self.state().begins
    }

    /// No caller's code runs under this lock, so a poisoned lock holds no half-done change.
    fn state(&self) -> MutexGuard<'_, DeferredState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn leave(&self, state: &mut DeferredState, asked: DeferredRequest) {
        state.asked.push((self.who, asked));
    }

    /// Opens a behavior that deferred calls can load and start, without loading it. Each call opens a new instance,
    /// which scripts cannot start by its name.
    ///
    /// # Errors
    /// The findings because of which the model cannot run at all.
    pub fn open(&self, engine: &mut Engine, source: BehaviorSource) -> Result<BoxId, Vec<Diagnostic>> {
        // A clone of the model, because `open` returns an open behavior of the same model again.
        let project = Arc::new((*source.project).clone());
        let id = engine.open(BehaviorSource { project, ..source }, None)?;
        engine.behaviors.all[id.index()].object = true;
        let root = engine.behaviors.all[id.index()].root;
        let handle = engine.graph.handle(root);
        let play = Play {
            load_state: LoadState::Closed,
            begun: false,
            stopped: None,
            failed: None,
            unloaded: Cause::OUTSIDE,
            leaf: None,
        };
        self.state().plays.insert(handle, play);
        let ends = |engine: &Engine, output: usize| {
            engine.graph.boxes[root.index()].kind.outputs[output].nature == OutputNature::OnStopped
        };
        for output in 0..engine.graph.boxes[root.index()].kind.outputs.len() {
            if ends(engine, output) {
                let deferred = self.clone();
                engine.callbacks.hear_output(&mut engine.fast_path, &engine.graph, root, output as u16, move |value| {
                    if let Some(play) = deferred.state().plays.get_mut(&handle) {
                        play.stopped = Some(value.clone());
                    }
                });
            }
        }
        Ok(handle)
    }

    /// Declares that only this behavior of the runner plays the opened behavior: its boxes have paths below that of the
    /// runner's behavior, and use the resources that it holds. Must be called before the runner is added to the engine.
    pub fn plays(&self, leaf: BehaviorId, behavior: BoxId) {
        if let Some(play) = self.state().plays.get_mut(&behavior) {
            play.leaf = Some(leaf);
        }
    }

    /// Queues a call of a service.
    pub fn call(&self, service: &Arc<str>, method: &Arc<str>, args: Vec<Value>) -> DeferredCall {
        let mut state = self.state();
        state.made += 1;
        let deferred_call = DeferredCall(state.made);
        state.calls.insert(deferred_call, CallState::Left);
        self.leave(&mut state, DeferredRequest::Call(deferred_call, service.clone(), method.clone(), args));
        deferred_call
    }

    /// Returns the progress of a call. A finished call is forgotten.
    pub fn answer(&self, deferred_call: DeferredCall) -> Progress {
        let mut state = self.state();
        match state.calls.get(&deferred_call) {
            Some(CallState::Over(..)) => {}
            Some(_) => return Progress::Running,
            None => return Progress::Failed("there is no such call".into()),
        }
        match state.calls.remove(&deferred_call) {
            Some(CallState::Over(progress, line)) => {
                self.note_completion(&mut state, line);
                progress
            }
            _ => Progress::Running,
        }
    }

    fn note_completion(&self, state: &mut DeferredState, line: Cause) {
        if let Some(who) = self.who {
            let round = state.round;
            state.overs.insert(who, (line, round));
        }
    }

    /// Returns the number of the trace event because of which a behavior ends in this tick, that is, which completed
    /// its call or played behavior. Returns no event if the behavior has not learned of a completion in this tick.
    pub(super) fn completion_event(&self, who: BehaviorId) -> Cause {
        let state = self.state();
        state.overs.get(&who).filter(|(_, round)| *round == state.round).map_or(Cause::OUTSIDE, |(line, _)| *line)
    }

    /// Queues the cancellation of a call.
    pub fn cancel(&self, deferred_call: DeferredCall) {
        self.leave(&mut self.state(), DeferredRequest::Cancel(deferred_call));
    }

    /// Queues the loading of a behavior, so that it can start without delay.
    pub fn load(&self, behavior: BoxId) {
        self.busy(behavior);
        self.leave(&mut self.state(), DeferredRequest::Load(behavior));
    }

    /// Queues the start of a behavior, with values for parameters of its root; the behavior is loaded first if it is
    /// not.
    pub fn start(&self, behavior: BoxId, parameters: Vec<(Arc<str>, Value)>) {
        let mut state = self.state();
        if let Some(play) = state.plays.get_mut(&behavior) {
            (play.begun, play.stopped, play.failed) = (false, None, None);
        }
        self.leave(&mut state, DeferredRequest::Start(behavior, parameters));
    }

    /// Queues the stop of a behavior, which also unloads it.
    pub fn stop(&self, behavior: BoxId) {
        if self.load_state(behavior) != LoadState::Closed {
            self.busy(behavior);
            self.leave(&mut self.state(), DeferredRequest::Stop(behavior));
        }
    }

    fn busy(&self, behavior: BoxId) {
        if let Some(play) = self.state().plays.get_mut(&behavior) {
            play.load_state = LoadState::Busy;
        }
    }

    /// Returns the load state of a behavior at the beginning of the tick; busy if a load or stop was queued since.
    pub fn load_state(&self, behavior: BoxId) -> LoadState {
        self.state().plays.get(&behavior).map_or(LoadState::Closed, |play| play.load_state)
    }

    /// Returns the progress of a started behavior: done, with the value of its onStopped, once it is unloaded.
    pub fn progress(&self, behavior: BoxId) -> Progress {
        let mut state = self.state();
        let Some(play) = state.plays.get(&behavior) else {
            return Progress::Failed("there is no such behavior".into());
        };
        if !play.begun || play.load_state != LoadState::Closed {
            return Progress::Running;
        }
        let progress = match &play.failed {
            Some(why) => Progress::Failed(why.clone()),
            None => Progress::Done(play.stopped.clone().unwrap_or_default()),
        };
        let line = play.unloaded;
        self.note_completion(&mut state, line);
        progress
    }

    /// Returns whether a value of the robot's memory has changed since the last call of this method.
    pub fn memory_changed(&self) -> bool {
        std::mem::take(&mut self.state().changed)
    }

    /// Records a value of the robot's memory that an event has reported.
    pub(super) fn heard(&self, key: &Arc<str>, value: &Value) {
        let mut state = self.state();
        if state.memory.contains_key(key) {
            state.heard.insert(key.clone(), value.clone());
        }
    }

    /// Records the value that a key had when the runner began, as the robot has answered; an event may have reported a
    /// newer one.
    fn learnt(&self, key: Arc<str>, value: Value) {
        self.state().heard.entry(key).or_insert(value);
    }

    /// Returns which behavior of the runner plays which opened behavior.
    pub(super) fn leaves(&self) -> Vec<(BehaviorId, BoxId)> {
        self.state().plays.iter().filter_map(|(behavior, play)| Some((play.leaf?, *behavior))).collect()
    }

    /// Returns the observed resources.
    pub(super) fn observed_resources(&self) -> Vec<Arc<str>> {
        self.state().free.keys().cloned().collect()
    }

    /// Returns the number of the runner's ticks.
    pub fn round(&self) -> u64 {
        self.state().round
    }

    /// Returns a value of the robot's memory at the beginning of the tick. `None` also for a key that is not observed.
    pub fn memory(&self, key: &str) -> Option<Value> {
        self.state().memory.get(key).cloned().flatten()
    }

    /// Returns the language of the robot's speech at the beginning of the tick.
    pub fn language(&self) -> String {
        self.state().language.clone()
    }

    /// Returns whether nobody held this resource at the beginning of the tick. True for a resource that is not
    /// observed.
    pub fn is_free(&self, resource: &str) -> bool {
        self.state().free.get(resource).copied().unwrap_or(true)
    }

    /// Records the result of a call, and the number of the trace event that completed it.
    pub(crate) fn complete(&self, deferred_call: DeferredCall, said: Result<Value, String>, line: Cause) {
        if let Some(call) = self.state().calls.get_mut(&deferred_call) {
            *call = CallState::Over(said.map_or_else(|why| Progress::Failed(why.into()), Progress::Done), line);
        }
    }

    /// Records the progress of the calls, and the state that its conditions read.
    pub(super) fn record_state(
        &self,
        cx: &Context,
        graph: &Graph,
        behaviors: &Behaviors,
        services: &mut dyn Services,
        resources: &Resources,
    ) {
        let now = cx.now();
        let mut guard = self.state();
        let state = &mut *guard;
        state.round += 1;
        for (behavior, play) in &mut state.plays {
            let Some(id) = behaviors.played_by(graph, *behavior) else { continue };
            let behavior = &behaviors.all[id.index()];
            play.load_state = match behavior.state {
                BehaviorState::Closed if behavior.again.is_none() => LoadState::Closed,
                BehaviorState::Running if !behaviors.stops(cx, id) => LoadState::Loaded,
                _ => LoadState::Busy,
            };
            play.unloaded = behavior.unloaded;
            if let (LoadState::Closed, Some(failure)) = (play.load_state, &behavior.failure) {
                play.failed.get_or_insert_with(|| failure.to_string().into());
            }
        }
        state.language = services.language();
        let tells = !services.is_real();
        for (key, value) in &mut state.memory {
            let is = services.memory(now, key).or_else(|| state.heard.get(key).filter(|_| !tells).cloned());
            if is != *value {
                *value = is;
                state.changed = true;
            }
        }
        for (name, free) in &mut state.free {
            // The behaviors' own resources, which are not the robot's, are free here.
            *free = resources.resource_named(name).is_none_or(|name| resources.are_free(&[name]));
        }
    }

    /// Returns [`Self::complete`] as a callback, for results that have no trace event.
    pub(crate) fn into_listener(self, deferred_call: DeferredCall) -> Box<dyn FnOnce(Result<Value, String>) + Send> {
        Box::new(move |said| self.complete(deferred_call, said, Cause::OUTSIDE))
    }
}

impl Behaviors {
    fn played_by(&self, graph: &Graph, behavior: BoxId) -> Option<ids::BehaviorId> {
        self.root_of(graph, graph.own_box(behavior).ok()?)
    }

    /// Removes opened behaviors that only leaves of earlier plans played, once they are unloaded. Returns false when
    /// none of them is left.
    pub(super) fn retire_plays(&mut self, graph: &mut Graph, runners: &Runners, index: u32) -> bool {
        let hosted = &runners.all[index as usize];
        let (Some(deferred), Some(runner)) = (hosted.deferred.clone(), &hosted.runner) else { return false };
        let mut left = false;
        let mut over = Vec::new();
        for (leaf, behavior) in deferred.leaves().into_iter().filter(|(leaf, _)| hosted.earlier.contains(&leaf.0)) {
            let closed = |id: ids::BehaviorId| {
                let behavior = &self.all[id.index()];
                behavior.closed() && behavior.again.is_none()
            };
            match self.played_by(graph, behavior) {
                Some(id) if runner.view(leaf).phase == Phase::Out && closed(id) => over.push((id, behavior)),
                _ => left = true,
            }
        }
        for (id, behavior) in over {
            deferred.state().plays.remove(&behavior);
            self.empty_behavior(graph, id);
        }
        left
    }
}

impl Engine {
    /// Requests the observed memory keys when a runner begins, from a robot that cannot be queried synchronously; later
    /// the robot's events report changes.
    pub(super) fn ask_memory(&mut self, deferred: &DeferredCalls) {
        if !self.services.is_real() {
            return;
        }
        let keys: Vec<Arc<str>> = deferred.state().memory.keys().cloned().collect();
        for key in keys {
            let asked =
                self.begin_call(PathId(0), 0, &"ALMemory".into(), &"getData".into(), &[Value::Str(key.clone())]);
            match asked {
                CallStart::Ready(Ok(value)) => deferred.learnt(key, value),
                CallStart::Ready(Err(_)) => {}
                CallStart::Pending(id) => {
                    let told = deferred.clone();
                    let then = move |said: Result<Value, String>| {
                        if let Ok(value) = said {
                            told.learnt(key, value);
                        }
                    };
                    self.calls.then(id, Then::Outside(Box::new(then)));
                }
            }
        }
    }

    /// Runs the deferred calls of a runner.
    pub(super) fn run_deferred(&mut self, index: u32, deferred: &DeferredCalls, causes: &Causes) {
        let asked = std::mem::take(&mut deferred.state().asked);
        for (who, asked) in asked {
            let occasions: &[Occasion] = match asked {
                DeferredRequest::Load(_) => &[Occasion::Enters],
                DeferredRequest::Call(..) | DeferredRequest::Start(..) => &[Occasion::Begins],
                DeferredRequest::Cancel(_) | DeferredRequest::Stop(_) => &[Occasion::Ends, Occasion::Leaves],
            };
            self.cx.begin(who.map_or(Cause::OUTSIDE, |who| causes.line(who.index() as u32, occasions)));
            match asked {
                DeferredRequest::Call(deferred_call, service, method, args) => {
                    let path = who.map_or(PathId(0), |who| self.runners.path_of_behavior(index, who.index() as u32));
                    if self.end.is_closed() {
                        deferred.complete(deferred_call, Err("the run is over".to_owned()), Cause::OUTSIDE);
                        continue;
                    }
                    match self.begin_call(path, 0, &service, &method, &args) {
                        CallStart::Ready(result) => {
                            let result = result.map_err(|e| e.message(&service, &method));
                            deferred.complete(deferred_call, result, self.cx.cause());
                        }
                        CallStart::Pending(id) => {
                            deferred.state().calls.insert(deferred_call, CallState::Begun(id));
                            self.calls.then(id, Then::DeferredCall(deferred.clone(), deferred_call));
                        }
                    }
                }
                DeferredRequest::Cancel(deferred_call) => {
                    let call = deferred.state().calls.remove(&deferred_call);
                    if let Some(CallState::Begun(id)) = call {
                        self.stop_call(id);
                    }
                }
                DeferredRequest::Load(behavior) => {
                    // A run that is ending loads nothing more, and no start follows.
                    let _ = self.objects().get_box(behavior).and_then(|mut root| root.load());
                }
                DeferredRequest::Start(behavior, parameters) => {
                    let root = self.objects().get_box(behavior).map_err(|e| Arc::from(e.to_string()));
                    let started: Result<(), Arc<str>> = root.and_then(|mut root| root.start_with(parameters));
                    if let Some(play) = deferred.state().plays.get_mut(&behavior) {
                        play.begun = true;
                        play.load_state = if started.is_ok() { LoadState::Busy } else { LoadState::Closed };
                        play.failed = started.err();
                    }
                }
                DeferredRequest::Stop(behavior) => {
                    // A behavior that has ended in the meantime needs no stop.
                    let _ = self.objects().get_box(behavior).and_then(|mut root| root.stop());
                }
            }
        }
        self.cx.begin(Cause::OUTSIDE);
    }
}
