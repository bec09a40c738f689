//! Whole behaviors: construction, loading, start, stop and destruction.
//!
//! Public source: "Behavior" in "Loading, unloading, starting and stopping …" (Choregraphe reference).
//! A plain stop is an unload: it does not stimulate onStop inputs (`docs/reference/semantics/stop.md`).

use crate::Engine;
use crate::calls::Calls;
use crate::config::BehaviorSource;
use crate::context::{Cause, Context};
use crate::debugger::Debugger;
use crate::event_loop::Work;
use crate::follow_up::FollowUp;
use crate::graph::{Body, Graph};
use crate::held_controls::HeldControls;
use crate::ids::{BehaviorId, BoxId};
use crate::native::NativeFactory;
use crate::own_services::{CallResults, not_started};
use crate::procedures::{Proc, ProcKind, Procs, StepResult, Waits, enter, leave};
use crate::protocol::{BoxInfo, CallId, Order, ScriptError};
use crate::run_end::RunEnd;
use crate::scripts::ScriptTable;
use crate::services::Halt;
use crate::stop::Deadlines;
use crate::tasks::{NewTask, Role, Tasks};
use crate::trace::{BehaviorPhase, EndReason, Kind};
use boxstep_format::model::{InputNature, PortType};
use boxstep_types::{Time, Value};
use std::sync::Arc;

/// The state of a behavior.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BehaviorState {
    /// Opened but not loaded, or ended.
    Closed,
    /// Constructing, loading.
    Loading,
    /// Loaded and started.
    Running,
    /// Unloading, destroying.
    Stopping,
}

/// A behavior that has been opened.
pub(crate) struct Behavior {
    pub(crate) source: BehaviorSource,
    pub(crate) root: BoxId,
    /// The boxes, in the order of their creation.
    pub(crate) boxes: Vec<BoxId>,
    /// The value of `self.behaviorId`.
    pub(crate) id_text: Arc<str>,
    pub(crate) state: BehaviorState,
    /// The first uncaught exception of a script.
    pub(crate) failure: Option<ScriptError>,
    /// The reason of a stop that came while the behavior was loading or running.
    stop: Option<EndReason>,
    /// The load must go no further. (After a failure the rest of the level is still loaded.)
    load_aborted: bool,
    /// Calls of `runBehavior` that wait for the end of the behavior, and of `startBehavior` that wait for its start.
    pub(crate) end_calls: Vec<CallId>,
    pub(crate) start_calls: Vec<CallId>,
    /// Calls of `preloadBehavior` that wait until the behavior is loaded.
    pub(crate) load_calls: Vec<CallId>,
    /// Calls that came while the behavior was stopping, and whether they wait for its end. The behavior restarts once
    /// it is unloaded.
    pub(crate) restart: Vec<(CallId, bool)>,
    /// Whether the behavior was made in code, is the program of a service, or its files have been replaced, so that no
    /// script can start it by name.
    pub(crate) object: bool,
    /// The runner whose behavior plays this one: the runner's number, and the behavior's number there.
    pub(crate) leaf: Option<(u32, u32)>,
    /// The factory of its own native boxes.
    pub(crate) natives: Option<Box<dyn NativeFactory>>,
    /// Whether the behavior starts once it is loaded.
    pub(crate) start: bool,
    /// Whether the behavior has been started.
    pub(crate) started: bool,
    /// Whether an earlier run has left state in the behavior.
    pub(crate) used: bool,
    /// A request to load (or, if true, to start) that came while the behavior was stopping.
    pub(crate) again: Option<bool>,
    /// The time since which the behavior is being stopped, and whether the stop had to be forced.
    pub(crate) stops_since: Option<Time>,
    pub(crate) forced: bool,
    /// The number of the event by which the behavior was last unloaded.
    pub(crate) unloaded: Cause,
}

/// The behaviors of a run.
#[derive(Default)]
pub(crate) struct Behaviors {
    /// All behaviors, indexed by [`BehaviorId`].
    pub(crate) all: Vec<Behavior>,
    /// The first behavior that was played. Its end is the end of the run.
    pub(crate) played: Option<BehaviorId>,
    pub(crate) deadlines: Deadlines,
}

impl Behavior {
    pub(crate) fn new(
        source: BehaviorSource,
        root: BoxId,
        boxes: Vec<BoxId>,
        id_text: Arc<str>,
        natives: Option<Box<dyn NativeFactory>>,
    ) -> Self {
        Self {
            source,
            root,
            boxes,
            id_text,
            state: BehaviorState::Closed,
            failure: None,
            stop: None,
            load_aborted: false,
            end_calls: Vec::new(),
            start_calls: Vec::new(),
            load_calls: Vec::new(),
            restart: Vec::new(),
            object: false,
            leaf: None,
            natives,
            start: false,
            started: false,
            used: false,
            again: None,
            stops_since: None,
            forced: false,
            unloaded: Cause::OUTSIDE,
        }
    }

    pub(crate) fn closed(&self) -> bool {
        self.state == BehaviorState::Closed
    }

    /// Returns whether the behavior is loaded, or being loaded, without being started.
    pub(crate) fn only_loaded(&self) -> bool {
        !self.closed() && !self.start && !self.started
    }

    /// Stops the load from going further.
    pub(crate) fn abort_load(&mut self) {
        self.load_aborted |= self.state == BehaviorState::Loading;
    }

    /// Returns whether the behavior is not closed, but has received a stop.
    fn stopping(&self) -> bool {
        !self.closed() && self.stop.is_some()
    }

    /// Returns whether the load must go no further, so that nothing more begins.
    pub(crate) fn is_load_aborted(&self) -> bool {
        self.state == BehaviorState::Loading && self.load_aborted
    }
}

impl Behaviors {
    pub(crate) fn new(deadlines: Deadlines) -> Self {
        Self { deadlines, ..Self::default() }
    }

    /// The next box of a behavior, at or after an arena index.
    fn box_from(&self, id: BehaviorId, from: usize) -> Option<BoxId> {
        let boxes = &self.all[id.index()].boxes;
        boxes.get(boxes.partition_point(|b| b.index() < from)).copied()
    }

    /// Frees the model of a closed behavior that will not be loaded again. Its boxes are empty afterwards.
    pub(crate) fn empty_behavior(&mut self, graph: &mut Graph, id: BehaviorId) {
        let behavior = &mut self.all[id.index()];
        let project = Arc::make_mut(&mut behavior.source.project);
        (project.root.timeline, project.root.script) = (None, None);
        behavior.source.sources = Arc::default();
        behavior.natives = None;
        for b in behavior.boxes.clone() {
            let node = &mut graph.boxes[b.index()];
            (node.inside, node.sole) = (None, None);
            (node.params, node.targets) = Default::default();
        }
    }

    /// Returns whether any behavior is being stopped.
    pub(crate) fn any_is_stopped(&self) -> bool {
        self.all.iter().any(|b| b.stops_since.is_some() && !b.closed())
    }

    /// Returns whether the behavior is being stopped, or a stop is queued.
    pub(crate) fn stops(&self, cx: &Context, id: BehaviorId) -> bool {
        let asked = |w: &Work| matches!(w, Work::StopBehavior(of, ..) if *of == id);
        self.all[id.index()].stopping() || cx.work.iter().any(asked)
    }

    pub(crate) fn box_info(&self, cx: &Context, graph: &Graph, b: BoxId) -> BoxInfo {
        let node = &graph.boxes[b.index()];
        let behavior = &self.all[node.behavior.index()];
        let full_name = graph.full_name(&cx.paths, b);
        let parent_name = node.parent.map_or_else(|| "".into(), |p| graph.full_name(&cx.paths, p));
        let bang = |t: PortType| t == PortType::Bang;
        let source = &behavior.source;
        BoxInfo {
            path: cx.paths.get(node.path).unwrap_or_else(|| boxstep_types::BoxPath::root("root")),
            box_name: graph.name(&cx.paths, b),
            full_name: full_name.clone(),
            parent_name: parent_name.clone(),
            id: full_name,
            parent_id: parent_name,
            behavior_id: behavior.id_text.clone(),
            behavior_path: source.folder.to_string_lossy().trim_end_matches('/').into(),
            behavior_relative_path: source.relative_folder.as_str().into(),
            package_uid: source.package_uid.as_str().into(),
            inputs: node.kind.inputs.iter().map(|i| (i.name.clone(), bang(i.port_type))).collect(),
            outputs: node.kind.outputs.iter().map(|o| (o.name.clone(), bang(o.port_type))).collect(),
            parameters: node.params.iter().map(|p| p.name.clone()).collect(),
            has_timeline: node.inside.is_some(),
            has_parent_timeline: graph.timeline_around(b).is_some(),
            has_resources: !node.kind.resources.is_empty(),
        }
    }

    /// Handles an uncaught exception: the behavior stops as failed, unless it is stopping already.
    pub(crate) fn fail_behavior(
        &mut self,
        cx: &mut Context,
        graph: &Graph,
        calls: &Calls,
        of: BoxId,
        error: ScriptError,
    ) {
        let id = graph.boxes[of.index()].behavior;
        let behavior = &mut self.all[id.index()];
        if matches!(behavior.state, BehaviorState::Closed | BehaviorState::Stopping) || behavior.failure.is_some() {
            return;
        }
        behavior.failure = Some(error.clone());
        let name = behavior.source.name.clone();
        let path = graph.path_of(of);
        cx.trace(path, Kind::BehaviorFailed { name: name.clone(), error: Box::new(error.clone()) });
        calls.behavior_failed_event(cx, graph, &name, of, &error);
        cx.push(Work::StopBehavior(id, EndReason::Failed, cx.cause()));
    }

    /// Handles a script that does not compile: its boxes are loaded without it, and the run counts as failed.
    fn script_broken(&self, cx: &mut Context, graph: &Graph, scripts: &mut ScriptTable, id: BehaviorId, index: usize) {
        if let Body::Script(class) = graph.boxes[index].body {
            scripts.set_broken(class);
            for b in self.all[id.index()].boxes.clone() {
                if matches!(graph.boxes[b.index()].body, Body::Script(c) if c == class) && b.index() != index {
                    let path = graph.path_of(b);
                    cx.warn(path, "the script does not compile and does not run");
                }
            }
        }
    }

    /// Keeps a behavior that is loading from beginning anything more, and limits the wait for what has begun to that of
    /// an onUnload.
    pub(crate) fn abort_load(
        &mut self,
        cx: &mut Context,
        graph: &mut Graph,
        procs: &mut Procs,
        tasks: &Tasks,
        id: BehaviorId,
    ) {
        let behavior = &mut self.all[id.index()];
        let root = behavior.root;
        if behavior.state == BehaviorState::Loading && !std::mem::replace(&mut behavior.load_aborted, true) {
            procs.unwind(cx, graph, tasks, self, root);
            procs.hurry_start(cx, graph, tasks, self, id);
        }
    }

    /// Starts a loaded behavior.
    pub(crate) fn begin_behavior(
        &mut self,
        cx: &mut Context,
        graph: &Graph,
        calls: &Calls,
        debugger: &Debugger,
        held_controls: &mut HeldControls,
        id: BehaviorId,
    ) -> FollowUp {
        let behavior = &mut self.all[id.index()];
        behavior.started = true;
        let (root, name) = (behavior.root, behavior.source.name.clone());
        debugger.start_clock(cx);
        if self.played == Some(id) {
            held_controls.release_controls(cx);
        }
        let path = graph.path_of(root);
        cx.trace(path, Kind::Behavior { phase: BehaviorPhase::Started, name: name.clone() });
        calls.behavior_signal(cx, "behaviorStarted", name);
        let node = &graph.boxes[root.index()];
        let (life, cause) = (node.life.generation(), cx.cause());
        let start = |i: &crate::graph::InputPort| i.nature == InputNature::OnStart;
        let named = node.kind.inputs.iter().position(|i| start(i) && &*i.name == "onStart");
        if let Some(input) = named.or_else(|| node.kind.inputs.iter().position(start)) {
            cx.push(Work::Input { to: root, input: input as u16, life, cause, value: Value::Null });
        }
        FollowUp::ReleaseDialogs(id)
    }
}

/// Whether a behavior that is unloaded is loaded again.
pub(crate) enum Restart {
    No,
    /// The run is ending: the calls that have waited fail.
    Refused(CallResults),
    /// It is loaded, and started after that if `start` is set.
    Yes {
        start: bool,
    },
}

impl Behaviors {
    /// Begins to load an opened behavior, which starts after that if `start` is set. Returns the procedure.
    pub(crate) fn load(&mut self, cx: &mut Context, graph: &Graph, id: BehaviorId, start: bool) -> ProcKind {
        let behavior = &mut self.all[id.index()];
        behavior.state = BehaviorState::Loading;
        behavior.start = start;
        behavior.started = false;
        behavior.used = true;
        behavior.failure = None;
        behavior.stop = None;
        behavior.load_aborted = false;
        (behavior.stops_since, behavior.forced) = (None, false);
        let name = behavior.source.name.clone();
        cx.trace(graph.path_of(behavior.root), Kind::Behavior { phase: BehaviorPhase::Loading, name });
        ProcKind::StartBehavior { id, stage: 0, next: 0 }
    }

    /// Begins to unload a behavior. If it is loading, the load unwinds first; otherwise returns the procedure.
    pub(crate) fn stop(
        &mut self,
        cx: &mut Context,
        graph: &mut Graph,
        procs: &mut Procs,
        tasks: &Tasks,
        end: &RunEnd,
        (id, reason): (BehaviorId, EndReason),
    ) -> Option<ProcKind> {
        let behavior = &mut self.all[id.index()];
        match behavior.state {
            BehaviorState::Closed | BehaviorState::Stopping => None,
            BehaviorState::Loading => {
                behavior.stop.get_or_insert(reason);
                self.begin_deadline(cx, id);
                // After a failure the rest of the level is still loaded, unless the run ends: the run's end does not
                // wait for it.
                if reason != EndReason::Failed || end.has_begun() {
                    self.abort_load(cx, graph, procs, tasks, id);
                }
                None
            }
            BehaviorState::Running => {
                behavior.state = BehaviorState::Stopping;
                behavior.stop = Some(reason);
                self.begin_deadline(cx, id);
                let behavior = &self.all[id.index()];
                let name = behavior.source.name.clone();
                cx.trace(graph.path_of(behavior.root), Kind::Behavior { phase: BehaviorPhase::Stopping, name });
                Some(ProcKind::StopBehavior { id, stage: 0, next: 0 })
            }
        }
    }

    /// Takes the next step of a start: compiles every script text once, constructs every box of every level, and lets
    /// the root enter scope.
    pub(crate) fn step_start(
        &mut self,
        cx: &mut Context,
        graph: &mut Graph,
        scripts: &mut ScriptTable,
        tasks: &mut Tasks,
        proc: &mut Proc,
    ) -> StepResult {
        let me = proc.id;
        let ProcKind::StartBehavior { id, ref mut stage, ref mut next } = proc.kind else { return StepResult::Done };
        let (root, aborted) = (self.all[id.index()].root, self.all[id.index()].load_aborted);
        if *stage == 0 {
            // This comes first because a script that does not compile must be reported even if a stop has come
            // meanwhile.
            if proc.result.take() == Some(false) {
                self.script_broken(cx, graph, scripts, id, *next - 1);
            }
            while let Some(b) = self.box_from(id, *next).filter(|_| !aborted) {
                *next = b.index() + 1;
                if let Body::Script(class) = graph.boxes[b.index()].body
                    && scripts.compile(class)
                {
                    let source = graph.classes[class.0 as usize].clone();
                    let (role, order, what) = (Role::Load, Order::Load { class, source }, "script".into());
                    let new = NewTask { role, order, owner: Some(me), place: Some(b), life: 0, what };
                    let task = tasks.add_task(cx, graph, new);
                    return proc.wait_for(task);
                }
            }
            (*stage, *next) = (1, 0);
        }
        if *stage == 1 {
            proc.result = None;
            while let Some(b) = self.box_from(id, *next).filter(|_| !aborted) {
                *next = b.index() + 1;
                if let Some(new) = scripts.construct(cx, graph, self, b, me, Role::Construct) {
                    let task = tasks.add_task(cx, graph, new);
                    return proc.wait_for(task);
                }
            }
            *stage = 2;
        }
        if std::mem::replace(stage, 3) == 2 && self.all[id.index()].stop.is_none() {
            return StepResult::Child(enter(root));
        }
        StepResult::Done
    }

    /// Ends a load: starts the behavior, unless a stop or a failure came meanwhile.
    pub(crate) fn loaded(
        &mut self,
        cx: &mut Context,
        graph: &Graph,
        calls: &Calls,
        debugger: &Debugger,
        held_controls: &mut HeldControls,
        id: BehaviorId,
    ) -> Vec<FollowUp> {
        let behavior = &mut self.all[id.index()];
        behavior.state = BehaviorState::Running;
        let (name, path) = (behavior.source.name.clone(), graph.path_of(behavior.root));
        let mut started = None;
        let last = match behavior.stop {
            Some(reason) => {
                if self.played == Some(id) {
                    held_controls.release_controls(cx);
                }
                FollowUp::StopBehavior(id, reason)
            }
            None => {
                cx.trace(path, Kind::Behavior { phase: BehaviorPhase::Loaded, name: name.clone() });
                calls.behavior_signal(cx, "behaviorLoaded", name);
                if self.all[id.index()].start {
                    started = Some(self.begin_behavior(cx, graph, calls, debugger, held_controls, id));
                }
                FollowUp::BehaviorsChanged
            }
        };
        self.take_start_calls(id).into_iter().map(FollowUp::from).chain(started).chain([last]).collect()
    }

    /// Closes a behavior whose boxes are destroyed.
    fn unloaded(
        &mut self,
        cx: &mut Context,
        graph: &Graph,
        calls: &Calls,
        scripts: &ScriptTable,
        id: BehaviorId,
        ends_run: bool,
    ) -> Vec<FollowUp> {
        let behavior = &mut self.all[id.index()];
        behavior.state = BehaviorState::Closed;
        behavior.stops_since = None;
        behavior.started = false;
        let name = behavior.source.name.clone();
        let reason = behavior.stop.unwrap_or(EndReason::Ended);
        let path = graph.path_of(behavior.root);
        cx.note(path, Kind::Behavior { phase: BehaviorPhase::Unloaded, name: name.clone() });
        self.all[id.index()].unloaded = Cause::event(cx.tracer.count());
        calls.behavior_signal(cx, "behaviorStopped", name);
        let broken = reason == EndReason::Ended && scripts.broken() > 0;
        let end = ends_run.then_some(FollowUp::StopAll(if broken { EndReason::Failed } else { reason }));
        let ended = self.take_end_calls(id).into_iter().map(FollowUp::from);
        let first = [FollowUp::DropStaleTimers].into_iter().chain(ended).chain([FollowUp::BehaviorsChanged]);
        first.chain(end).chain([FollowUp::Restart(id)]).collect()
    }

    /// Decides whether an unloaded behavior is loaded again, for the calls that have waited for this.
    pub(crate) fn take_restart(&mut self, end: &RunEnd, id: BehaviorId) -> Restart {
        let behavior = &mut self.all[id.index()];
        let (calls, again) = (std::mem::take(&mut behavior.restart), behavior.again.take());
        if calls.is_empty() && again.is_none() {
            return Restart::No;
        }
        if end.has_begun() {
            let error = not_started(&behavior.source.name);
            return Restart::Refused(calls.into_iter().map(|(call, _)| (call, Err(error.clone()))).collect());
        }
        let start = again != Some(false) || !calls.is_empty();
        for (call, until_end) in calls {
            if until_end { behavior.end_calls.push(call) } else { behavior.start_calls.push(call) }
        }
        Restart::Yes { start }
    }
}

impl Engine {
    /// Takes the next step of a behavior's stop: the root leaves scope, the robot comes to rest, every box is destroyed.
    pub(crate) fn step_stop_behavior(&mut self, proc: &mut Proc, id: BehaviorId) -> StepResult {
        let me = proc.id;
        let ProcKind::StopBehavior { ref mut stage, ref mut next, .. } = proc.kind else { return StepResult::Done };
        if *stage == 0 {
            *stage = 1;
            return StepResult::Child(leave(self.behaviors.all[id.index()].root));
        }
        if *stage == 1 {
            *stage = 2;
            if self.end.has_begun() || self.behaviors.played == Some(id) {
                self.with_services(|s, cx| s.halt(cx, Halt::Walk));
            }
            let over = self.stops.await_run_outs(&mut self.cx, &self.graph, &self.end, id);
            self.follow_up(over);
            if self.stops.wait_for_robot(&self.cx, &self.graph, &self.behaviors, &*self.services, me, id) {
                return proc.wait(Waits::Robot);
            }
        }
        if self.scripts.wait_for_reload_in(&self.graph, me, id) {
            self.procs.hurry_reload(&mut self.cx, &self.graph, &self.tasks, &self.behaviors);
            return proc.wait(Waits::Reload);
        }
        proc.result = None;
        while let Some(b) = self.behaviors.box_from(id, *next) {
            *next = b.index() + 1;
            self.resources.forget_box(b);
            if let Some(task) = self.tasks.destroy_box(&mut self.cx, &mut self.graph, me, b) {
                self.tasks.limit_wait(&mut self.cx, &self.graph, &self.behaviors, me, task);
                return proc.wait_for(task);
            }
        }
        let of_it = self.calls.subscribers_of(&self.behaviors.all[id.index()].boxes, &self.scripts);
        self.remove_subscribers(None, of_it);
        self.scripts.drop_periods_of(&self.behaviors.all[id.index()].boxes);
        // The run is that of the first behavior; others that it has started end with it.
        let ends_run = self.behaviors.played == Some(id) && self.drive.goal.is_none();
        let next = self.behaviors.unloaded(&mut self.cx, &self.graph, &self.calls, &self.scripts, id, ends_run);
        self.follow_up(next);
        StepResult::Done
    }
}
