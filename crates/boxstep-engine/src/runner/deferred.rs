//! Calls that behaviors of a runner defer to the engine.
//!
//! A hook is called from within the engine's work, so it cannot call the engine. It leaves a deferred call; the engine runs all of them
//! when the tick is over, at the same instant, in the order in which they were left. Before each tick the engine notes how far each call
//! has come, and the values that conditions read: so every question of a tick is answered by the state at its beginning.

use super::causes::{Causes, Occasion};
use super::{BehaviorId, Progress};
use crate::Engine;
use crate::behaviors::BehaviorState;
use crate::calls::{Begun, Then};
use crate::config::BehaviorSource;
use crate::ids;
use crate::lifecycle::Phase;
use crate::objects::BoxId;
use crate::protocol::CallId;
use crate::trace::PathId;
use boxstep_format::model::OutputNature;
use boxstep_types::{Diagnostic, Value};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A call of a service that was left to the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DeferredCall(pub(super) u64);

/// The load state of a behavior that deferred calls are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Not loaded.
    Closed,
    /// On the way from one to the other, or about to be.
    Busy,
    /// Loaded; it may run.
    Loaded,
}

/// The queue in which deferred calls are left, with their answers. Copies share the queue. One queue is for one runner
/// ([`Engine::add_runner_with`]).
#[derive(Clone, Default)]
pub struct DeferredCalls {
    state: Arc<Mutex<DeferredState>>,
    /// The behavior whose calls this copy leaves.
    who: Option<BehaviorId>,
}

#[derive(Default)]
struct DeferredState {
    asked: Vec<(Option<BehaviorId>, DeferredRequest)>,
    made: u64,
    /// How often the engine has noted how things are: before each tick.
    round: u64,
    calls: HashMap<DeferredCall, CallState>,
    plays: BTreeMap<BoxId, Play>,
    memory: BTreeMap<Arc<str>, Option<Value>>,
    /// A value has changed, and nobody has asked since.
    changed: bool,
    /// What events have told of keys of the memory, for robots that cannot tell at once.
    heard: HashMap<Arc<str>, Value>,
    free: BTreeMap<Arc<str>, bool>,
    /// By behavior: the line of the trace by which what it did was over, and the round in which it was told so.
    overs: HashMap<BehaviorId, (u64, u64)>,
}

enum DeferredRequest {
    Call(DeferredCall, Arc<str>, Arc<str>, Vec<Value>),
    Cancel(DeferredCall),
    Load(BoxId),
    Start(BoxId, Vec<(Arc<str>, Value)>),
    Stop(BoxId),
}

enum CallState {
    /// The engine has not seen it.
    Left,
    Begun(CallId),
    /// With the line of the trace by which it was.
    Over(Progress, u64),
}

struct Play {
    standing: Standing,
    /// The start has been asked for, and the engine has seen to it.
    begun: bool,
    /// What its onStopped gave.
    stopped: Option<Value>,
    failed: Option<Arc<str>>,
    /// The line of the trace by which it was unloaded last.
    unloaded: u64,
    /// The behavior that plays it.
    leaf: Option<BehaviorId>,
}

impl DeferredCalls {
    /// Keeps an eye on these keys of the robot's memory and these resources.
    pub fn watching(keys: impl IntoIterator<Item = Arc<str>>, resources: impl IntoIterator<Item = Arc<str>>) -> Self {
        let state = DeferredState {
            memory: keys.into_iter().map(|key| (key, None)).collect(),
            free: resources.into_iter().map(|name| (name, true)).collect(),
            ..DeferredState::default()
        };
        Self { state: Arc::new(Mutex::new(state)), who: None }
    }

    /// The same queue for the calls of one behavior: they have its path in the trace, and its own last step as their cause.
    pub fn of(&self, who: BehaviorId) -> Self {
        Self { state: self.state.clone(), who: Some(who) }
    }

    /// Keeps an eye on these, too. What they are is noted when the next tick begins.
    pub fn watch(&self, keys: impl IntoIterator<Item = Arc<str>>, resources: impl IntoIterator<Item = Arc<str>>) {
        let mut state = self.state();
        for key in keys {
            state.memory.entry(key).or_default();
        }
        for name in resources {
            state.free.entry(name).or_insert(true);
        }
    }

    /// Nobody is called while it is open, so nothing half done can be left in it.
    fn state(&self) -> MutexGuard<'_, DeferredState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn leave(&self, state: &mut DeferredState, asked: DeferredRequest) {
        state.asked.push((self.who, asked));
    }

    /// Opens a behavior that deferred calls may be about, without loading it. Each time it is a new instance, which scripts cannot start
    /// by its name.
    ///
    /// # Errors
    /// What in the model cannot be run at all.
    pub fn open(&self, engine: &mut Engine, source: BehaviorSource) -> Result<BoxId, Vec<Diagnostic>> {
        let id = engine.open_instance(source)?;
        let root = engine.behaviors.all[id.index()].root;
        let handle = engine.handle(root);
        let play =
            Play { standing: Standing::Closed, begun: false, stopped: None, failed: None, unloaded: 0, leaf: None };
        self.state().plays.insert(handle, play);
        let ends = |engine: &Engine, output: usize| {
            engine.graph.boxes[root.index()].kind.outputs[output].nature == OutputNature::OnStopped
        };
        for output in 0..engine.graph.boxes[root.index()].kind.outputs.len() {
            if ends(engine, output) {
                let deferred = self.clone();
                engine.hear_output(root, output as u16, move |value| {
                    if let Some(play) = deferred.state().plays.get_mut(&handle) {
                        play.stopped = Some(value.clone());
                    }
                });
            }
        }
        Ok(handle)
    }

    /// A behavior that was opened is played by a behavior of the runner, and by no other: its boxes are found under that one's
    /// path, and use the resources that it holds. To be said before the runner is added.
    pub fn plays(&self, leaf: BehaviorId, behavior: BoxId) {
        if let Some(play) = self.state().plays.get_mut(&behavior) {
            play.leaf = Some(leaf);
        }
    }

    /// Calls a service.
    pub fn call(&self, service: &Arc<str>, method: &Arc<str>, args: Vec<Value>) -> DeferredCall {
        let mut state = self.state();
        state.made += 1;
        let deferred_call = DeferredCall(state.made);
        state.calls.insert(deferred_call, CallState::Left);
        self.leave(&mut state, DeferredRequest::Call(deferred_call, service.clone(), method.clone(), args));
        deferred_call
    }

    /// How far a call has come. Once it is over, it is forgotten.
    pub fn answer(&self, deferred_call: DeferredCall) -> Progress {
        let mut state = self.state();
        match state.calls.get(&deferred_call) {
            Some(CallState::Over(..)) => {}
            Some(_) => return Progress::Running,
            None => return Progress::Failed("nobody has called".into()),
        }
        match state.calls.remove(&deferred_call) {
            Some(CallState::Over(progress, line)) => {
                self.told_over(&mut state, line);
                progress
            }
            _ => Progress::Running,
        }
    }

    fn told_over(&self, state: &mut DeferredState, line: u64) {
        if let Some(who) = self.who {
            let round = state.round;
            state.overs.insert(who, (line, round));
        }
    }

    /// The line of the trace from which it follows that a behavior ends in this tick: by which what it did was over. 0 if
    /// it was not told so in this tick.
    pub(super) fn over_by(&self, who: BehaviorId) -> u64 {
        let state = self.state();
        state.overs.get(&who).filter(|(_, round)| *round == state.round).map_or(0, |(line, _)| *line)
    }

    /// Gives a call up.
    pub fn cancel(&self, deferred_call: DeferredCall) {
        self.leave(&mut self.state(), DeferredRequest::Cancel(deferred_call));
    }

    /// Loads a behavior, so that it can start at once.
    pub fn load(&self, behavior: BoxId) {
        self.busy(behavior);
        self.leave(&mut self.state(), DeferredRequest::Load(behavior));
    }

    /// Starts a behavior, with values for parameters of its root; loads it before if it is not.
    pub fn start(&self, behavior: BoxId, parameters: Vec<(Arc<str>, Value)>) {
        let mut state = self.state();
        if let Some(play) = state.plays.get_mut(&behavior) {
            (play.begun, play.stopped, play.failed) = (false, None, None);
        }
        self.leave(&mut state, DeferredRequest::Start(behavior, parameters));
    }

    /// Stops a behavior and unloads it, as any stop does.
    pub fn stop(&self, behavior: BoxId) {
        if self.standing(behavior) != Standing::Closed {
            self.busy(behavior);
            self.leave(&mut self.state(), DeferredRequest::Stop(behavior));
        }
    }

    fn busy(&self, behavior: BoxId) {
        if let Some(play) = self.state().plays.get_mut(&behavior) {
            play.standing = Standing::Busy;
        }
    }

    /// Where a behavior was when the tick began; busy if something has been asked for since.
    pub fn standing(&self, behavior: BoxId) -> Standing {
        self.state().plays.get(&behavior).map_or(Standing::Closed, |play| play.standing)
    }

    /// How far a behavior has come that was started: done, with what its onStopped gave, once it is unloaded.
    pub fn progress(&self, behavior: BoxId) -> Progress {
        let mut state = self.state();
        let Some(play) = state.plays.get(&behavior) else {
            return Progress::Failed("there is no such behavior".into());
        };
        if !play.begun || play.standing != Standing::Closed {
            return Progress::Running;
        }
        let progress = match &play.failed {
            Some(why) => Progress::Failed(why.clone()),
            None => Progress::Done(play.stopped.clone().unwrap_or_default()),
        };
        let line = play.unloaded;
        self.told_over(&mut state, line);
        progress
    }

    /// Has a value of the robot's memory changed since this was asked last?
    pub fn memory_changed(&self) -> bool {
        std::mem::take(&mut self.state().changed)
    }

    /// An event has told a value of the robot's memory.
    pub(super) fn heard(&self, key: &Arc<str>, value: &Value) {
        let mut state = self.state();
        if state.memory.contains_key(key) {
            state.heard.insert(key.clone(), value.clone());
        }
    }

    /// The robot has answered with a value that a key had when the runner began; an event may have told a newer one.
    fn learnt(&self, key: Arc<str>, value: Value) {
        self.state().heard.entry(key).or_insert(value);
    }

    /// Which behaviors of a runner play which.
    pub(super) fn leaves(&self) -> Vec<(BehaviorId, BoxId)> {
        self.state().plays.iter().filter_map(|(behavior, play)| Some((play.leaf?, *behavior))).collect()
    }

    /// The resources that it keeps an eye on.
    pub(super) fn looked_at(&self) -> Vec<Arc<str>> {
        self.state().free.keys().cloned().collect()
    }

    /// Counts the ticks of the runner.
    pub fn round(&self) -> u64 {
        self.state().round
    }

    /// A value of the robot's memory, as it was when the tick began. `None` also for a key that nobody keeps an eye on.
    pub fn memory(&self, key: &str) -> Option<Value> {
        self.state().memory.get(key).cloned().flatten()
    }

    /// Had nobody this resource when the tick began?
    pub fn is_free(&self, resource: &str) -> bool {
        self.state().free.get(resource).copied().unwrap_or(true)
    }

    /// A call has ended, by this line of the trace.
    pub(crate) fn over(&self, deferred_call: DeferredCall, said: Result<Value, String>, line: u64) {
        if let Some(call) = self.state().calls.get_mut(&deferred_call) {
            *call = CallState::Over(said.map_or_else(|why| Progress::Failed(why.into()), Progress::Done), line);
        }
    }

    /// The same as a function, for what no line of the trace tells of.
    pub(crate) fn teller(self, deferred_call: DeferredCall) -> Box<dyn FnOnce(Result<Value, String>) + Send> {
        Box::new(move |said| self.over(deferred_call, said, 0))
    }
}

impl Engine {
    /// Notes for a runner how far its deferred have come, and what its conditions look at.
    pub(super) fn answer_errands(&mut self, deferred: &DeferredCalls) {
        let now = self.cx.now();
        let mut guard = deferred.state();
        let state = &mut *guard;
        state.round += 1;
        for (behavior, play) in &mut state.plays {
            let Some(id) = self.played_by(*behavior) else { continue };
            let behavior = &self.behaviors.all[id.index()];
            play.standing = match behavior.state {
                BehaviorState::Closed if behavior.again.is_none() => Standing::Closed,
                BehaviorState::Running if !self.behaviors.stops(&self.cx, id) => Standing::Loaded,
                _ => Standing::Busy,
            };
            play.unloaded = behavior.unloaded;
            if let (Standing::Closed, Some(failure)) = (play.standing, &behavior.failure) {
                play.failed.get_or_insert_with(|| failure.to_string().into());
            }
        }
        let tells = !self.services.is_real();
        for (key, value) in &mut state.memory {
            let is = self.services.memory(now, key).or_else(|| state.heard.get(key).filter(|_| !tells).cloned());
            if is != *value {
                *value = is;
                state.changed = true;
            }
        }
        for (name, free) in &mut state.free {
            // A resource that is not the robot's is the behaviors' own.
            *free = self.resources.resource_named(name).is_none_or(|name| self.resources.are_free(&[name]));
        }
    }

    /// A robot that cannot tell at once what is in its memory is asked when a runner begins; later its events tell.
    pub(super) fn ask_memory(&mut self, deferred: &DeferredCalls) {
        if !self.services.is_real() {
            return;
        }
        let keys: Vec<Arc<str>> = deferred.state().memory.keys().cloned().collect();
        for key in keys {
            let asked =
                self.begin_call(PathId(0), 0, &"ALMemory".into(), &"getData".into(), &[Value::Str(key.clone())]);
            match asked {
                Begun::Ready(Ok(value)) => deferred.learnt(key, value),
                Begun::Ready(Err(_)) => {}
                Begun::Pending(id) => {
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

    /// What behaviors of earlier plans have played, and have unloaded, nobody plays any more: it goes. False once nothing is left of it.
    pub(super) fn retire_plays(&mut self, index: u32) -> bool {
        let hosted = &self.runners.all[index as usize];
        let (Some(deferred), Some(runner)) = (hosted.deferred.clone(), &hosted.runner) else { return false };
        let mut left = false;
        let mut over = Vec::new();
        for (leaf, behavior) in deferred.leaves().into_iter().filter(|(leaf, _)| hosted.earlier.contains(&leaf.0)) {
            let closed = |id: ids::BehaviorId| {
                let behavior = &self.behaviors.all[id.index()];
                behavior.closed() && behavior.again.is_none()
            };
            match self.played_by(behavior) {
                Some(id) if runner.view(leaf).phase == Phase::Out && closed(id) => over.push((id, behavior)),
                _ => left = true,
            }
        }
        for (id, behavior) in over {
            deferred.state().plays.remove(&behavior);
            self.behaviors.empty_behavior(&mut self.graph, id);
        }
        left
    }

    fn played_by(&self, behavior: BoxId) -> Option<ids::BehaviorId> {
        self.behaviors.root_of(&self.graph, self.own_box(behavior).ok()?)
    }

    /// Does what behaviors of a runner have left to be done.
    pub(super) fn run_deferred(&mut self, index: u32, deferred: &DeferredCalls, causes: &Causes) {
        let asked = std::mem::take(&mut deferred.state().asked);
        for (who, asked) in asked {
            let occasions: &[Occasion] = match asked {
                DeferredRequest::Load(_) => &[Occasion::Enters],
                DeferredRequest::Call(..) | DeferredRequest::Start(..) => &[Occasion::Begins],
                DeferredRequest::Cancel(_) | DeferredRequest::Stop(_) => &[Occasion::Ends, Occasion::Leaves],
            };
            self.cx.cause = who.map_or(0, |who| causes.line(who.index() as u32, occasions));
            match asked {
                DeferredRequest::Call(deferred_call, service, method, args) => {
                    let path = who.map_or(PathId(0), |who| self.runners.path_of_behavior(index, who.index() as u32));
                    self.run_call(deferred, deferred_call, path, (&service, &method, &args));
                }
                DeferredRequest::Cancel(deferred_call) => {
                    let call = deferred.state().calls.remove(&deferred_call);
                    if let Some(CallState::Begun(id)) = call {
                        self.stop_call(id);
                    }
                }
                DeferredRequest::Load(behavior) => {
                    // A run that ends loads nothing more, and nobody will start it.
                    let _ = self.own_box(behavior).and_then(|root| self.load_root(root, false));
                }
                DeferredRequest::Start(behavior, parameters) => {
                    let started = self.start_for_runner(behavior, parameters);
                    if let Some(play) = deferred.state().plays.get_mut(&behavior) {
                        play.begun = true;
                        play.standing = if started.is_ok() { Standing::Busy } else { Standing::Closed };
                        play.failed = started.err();
                    }
                }
                DeferredRequest::Stop(behavior) => {
                    // One that has ended meanwhile needs no stop.
                    let _ = self.own_box(behavior).and_then(|root| self.stop_box(root));
                }
            }
        }
        self.cx.cause = 0;
    }

    fn run_call(
        &mut self,
        deferred: &DeferredCalls,
        deferred_call: DeferredCall,
        path: PathId,
        (service, method, args): (&Arc<str>, &Arc<str>, &[Value]),
    ) {
        if self.end.is_closed() {
            return deferred.over(deferred_call, Err("the run is over".to_owned()), 0);
        }
        match self.begin_call(path, 0, service, method, args) {
            Begun::Ready(result) => {
                deferred.over(deferred_call, result.map_err(|e| e.message(service, method)), self.cx.cause)
            }
            Begun::Pending(id) => {
                deferred.state().calls.insert(deferred_call, CallState::Begun(id));
                self.calls.then(id, Then::DeferredCall(deferred.clone(), deferred_call));
            }
        }
    }

    /// Parameters are set before the start is delivered, which is work of its own.
    fn start_for_runner(&mut self, behavior: BoxId, parameters: Vec<(Arc<str>, Value)>) -> Result<(), Arc<str>> {
        let said = |e: crate::objects::Error| -> Arc<str> { e.to_string().into() };
        let root = self.own_box(behavior).map_err(said)?;
        self.load_root(root, true).map_err(said)?;
        for (name, value) in parameters {
            let param = self.graph.boxes[root.index()].param(&name);
            let param = param.ok_or_else(|| Arc::from(format!("the behavior has no parameter `{name}`")))?;
            self.set_parameter_by_link(root, param as u16, value);
        }
        Ok(())
    }
}
