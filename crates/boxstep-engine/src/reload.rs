//! Hot reload: scripts and modules that change while their behavior runs. Structure is in [`parts`].
//!
//! Reloads run one at a time. Modules are forgotten and new texts compiled in the order of arrival; then each box that
//! has a new script is changed when it is at rest, or at its next start. Any lifecycle step of that box that begins
//! meanwhile waits for the change. Rules: `docs/guides/reload.md`.

mod parts;
mod replacement;

pub use parts::{PartChange, PartSource};
pub(crate) use replacement::Replacement;

use crate::Engine;
use crate::behaviors::{BehaviorState, Behaviors};
use crate::context::{Cause, Context};
use crate::event_loop::Work;
use crate::graph::{Body, Graph};
use crate::ids::{BehaviorId, BoxId, ProcId};
use crate::lifecycle::Phase;
use crate::procedures::{Proc, ProcKind, Reload, ReloadStage};
use crate::protocol::{ClassId, ObjectId, Order, ScriptError, ScriptSource, TaskId};
use crate::run_end::RunEnd;
use crate::scripts::ScriptTable;
use crate::tasks::{NewTask, Role, Tasks};
use crate::trace::{Kind, PathId, ReloadEvent, ReloadPhase};
use boxstep_types::{BoxPath, Value};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

/// A change of a box's script that is pending.
struct PendingChange {
    class: ClassId,
    /// Whether a module that the script imports has changed, so that the object must be constructed again even if its
    /// text is the same.
    anew: bool,
    /// Whether the trace has noted that the change waits.
    traced: bool,
}

/// The changes that are still to be applied.
#[derive(Default)]
pub(crate) struct Reloads {
    queue: VecDeque<(BoxId, Reload)>,
    pending: BTreeMap<BoxId, PendingChange>,
    parts: parts::PendingParts,
    /// Whether a reload procedure is at work.
    busy: bool,
    /// The box whose script is being changed, and the procedures that wait for this.
    changing: Option<BoxId>,
    waiting: Vec<ProcId>,
    /// Boxes that a change has left without a script object. Their imports may succeed the next time.
    lacking: BTreeSet<BoxId>,
    /// The result of the script host's last call.
    answer: Value,
    error: Option<ScriptError>,
    /// Notified of each change that is applied.
    listener: Option<Box<ReloadListener>>,
}

/// A change that plays from now on.
#[derive(Clone, Copy, Debug)]
pub enum Reloaded<'a> {
    /// A box has another script.
    Script(&'a BoxPath, &'a ScriptSource),
    /// A box has other links, curves or boxes inside.
    Part(&'a BoxPath),
}

type ReloadListener = dyn Fn(Reloaded<'_>) + Send;

impl Reloads {
    /// Keeps the result of the script host's call for the reload that waits for it.
    pub(crate) fn host_answered(&mut self, result: Result<Value, ScriptError>) {
        match result {
            Ok(answer) => self.answer = answer,
            Err(error) => self.error = Some(error),
        }
    }

    /// Forgets a box that is no more.
    fn forget_box(&mut self, b: BoxId) {
        self.pending.remove(&b);
        self.parts.forget_box(b);
        self.lacking.remove(&b);
        self.queue.retain(|(of, what)| *of != b || !matches!(what, Reload::Compile(_)));
    }

    /// Returns whether the script of this box is being changed now.
    pub(crate) fn changes(&self, b: BoxId) -> bool {
        self.changing == Some(b)
    }
}

impl Graph {
    /// The reason why a box cannot get another script while it runs, if there is one.
    pub(crate) fn refuses_script(&self, b: BoxId, source: &ScriptSource) -> Option<&'static str> {
        match &self.boxes[b.index()].body {
            _ if source.text.trim().is_empty() => Some("the script is empty now"),
            Body::Script(_) => None,
            _ => Some("the box had no script that runs"),
        }
    }
}

impl Tasks {
    /// Returns whether no script of the box runs or waits. An abandoned script has no effect any more.
    fn idle(&self, b: BoxId) -> bool {
        !self.iter().any(|(_, t)| t.place == Some(b) && !t.abandoned)
    }
}

impl Context {
    /// Traces the outcome of a change.
    pub(crate) fn trace_reload(&mut self, at: PathId, phase: ReloadPhase, text: String, error: Option<ScriptError>) {
        // The files now contain the new version only, so the same run cannot be played again.
        self.tracer.not_deterministic.get_or_insert_with(|| "the behavior was changed while it ran".to_owned());
        self.trace(at, Kind::Reload(Box::new(ReloadEvent { phase, text: text.into(), error })));
    }
}

impl ScriptTable {
    /// Queues the compilation of a new script for a box.
    pub(crate) fn new_script(&mut self, graph: &mut Graph, b: BoxId, source: &Arc<ScriptSource>) {
        let class = *graph.class_of.entry((source.text.clone(), source.args.clone())).or_insert_with(|| {
            graph.classes.push(source.clone());
            ClassId(graph.classes.len() as u32 - 1)
        });
        self.reloads.queue.push_back((b, Reload::Compile(class)));
    }

    /// The procedure that changes the script of a box now.
    fn change(&mut self, graph: &Graph, b: BoxId) -> Option<ProcKind> {
        let Body::Script(before) = graph.boxes[b.index()].body else { return None };
        let class = self.reloads.pending.remove(&b)?.class;
        self.reloads.busy = true;
        self.reloads.changing = Some(b);
        let what = Reload::Change { class, stage: ReloadStage::Unload, before, refused: false };
        Some(ProcKind::Reload { id: b, what })
    }

    /// Handles the host's answer after it has forgotten modules: the objects that had imported them must be constructed
    /// again.
    fn forgotten(&mut self, cx: &mut Context, graph: &Graph) {
        if let Some(error) = self.reloads.error.take() {
            cx.warn(PathId(0), format!("modules that have changed cannot be forgotten: {error}"));
            return;
        }
        let answer = std::mem::take(&mut self.reloads.answer);
        let part = |n: usize| answer.as_list().and_then(|l| l.get(n)?.as_list()).unwrap_or_default();
        let names: Vec<&str> = part(0).iter().filter_map(Value::as_str).collect();
        for why in part(2).iter().filter_map(Value::as_str) {
            cx.trace_reload(PathId(0), ReloadPhase::Refused, format!("{why}; the old modules go on"), None);
        }
        let objects = part(1).iter().filter_map(Value::as_i64).filter_map(|n| Some(ObjectId(u32::try_from(n).ok()?)));
        let mut again = std::mem::take(&mut self.reloads.lacking);
        again.extend(objects.filter_map(|object| self.box_of(object)));
        for b in again {
            let Body::Script(class) = graph.boxes[b.index()].body else { continue };
            let pending = self.reloads.pending.entry(b).or_insert(PendingChange { class, anew: true, traced: false });
            pending.anew = true;
        }
        if names.is_empty() {
            return;
        }
        let (modules, have) = if names.len() == 1 { ("module", "has") } else { ("modules", "have") };
        let text = format!("{modules} {} {have} changed: imported anew", names.join(", "));
        cx.trace_reload(PathId(0), ReloadPhase::Modules, text, None);
    }

    /// Traces that a new script was refused, with the position and the reason.
    fn refuse(&mut self, cx: &mut Context, graph: &Graph, b: BoxId, class: ClassId, text: &str) {
        let error = self.reloads.error.take();
        let source = &graph.classes[class.0 as usize];
        let line = source.first_line + error.as_ref().and_then(|e| e.line).map_or(0, |line| line.saturating_sub(1));
        let why = error.as_ref().map(|e| format!(": {}: {}", e.kind, e.message)).unwrap_or_default();
        let text = format!("{}:{line}: {text}{why}", source.file);
        cx.trace_reload(graph.path_of(b), ReloadPhase::Refused, text, error);
    }

    /// Changes the script of a box that is about to start, if a new script has waited for that.
    pub(crate) fn reload_before_start(
        &mut self,
        graph: &Graph,
        tasks: &Tasks,
        end: &RunEnd,
        b: BoxId,
        life: u32,
    ) -> Option<ProcKind> {
        if self.reloads.pending.is_empty() || self.reloads.busy || end.has_begun() {
            return None;
        }
        let now = graph.boxes[b.index()].life;
        let may = now.generation() == life && matches!(now.phase(), Phase::InScope | Phase::Active) && tasks.idle(b);
        if may { self.change(graph, b) } else { None }
    }

    /// Handles changed files that may be modules.
    pub(crate) fn new_modules(&mut self, behaviors: &Behaviors, files: Vec<String>) {
        // Any box will do as the place of this task.
        let root = behaviors.played.map_or_else(|| behaviors.all.first(), |id| behaviors.all.get(id.index()));
        let root = root.map(|behavior| behavior.root);
        if let Some(root) = root.filter(|_| !self.none_compiled()) {
            self.reloads.queue.push_back((root, Reload::Forget(files.into())));
        }
    }
}

impl Behaviors {
    /// Registers a compiled text as the pending script of a box.
    fn compiled(&self, cx: &mut Context, graph: &Graph, scripts: &mut ScriptTable, b: BoxId, class: ClassId) {
        let node = &graph.boxes[b.index()];
        // If the old script did not compile, the box has no object yet.
        let lacks = node.object.is_none() && self.all[node.behavior.index()].state == BehaviorState::Running;
        let same = matches!(node.body, Body::Script(now) if now == class) && !lacks;
        let path = node.path;
        let waits = scripts.reloads.pending.get_mut(&b);
        match waits {
            Some(pending) if same && !pending.anew => {
                scripts.reloads.pending.remove(&b);
                cx.trace_reload(path, ReloadPhase::Withdrawn, "its script is again as it was".to_owned(), None);
            }
            Some(pending) => pending.class = class,
            None if same => {}
            None => {
                scripts.reloads.pending.insert(b, PendingChange { class, anew: false, traced: false });
            }
        }
    }
}

impl Tasks {
    /// Queues a reload call to the script host.
    fn ask_host(&mut self, cx: &mut Context, graph: &Graph, me: ProcId, b: BoxId, what: &str, order: Order) -> TaskId {
        self.add_task(
            cx,
            graph,
            NewTask { role: Role::Reload, order, owner: Some(me), place: Some(b), life: 0, what: what.into() },
        )
    }
}

impl Graph {
    /// Returns whether the box's script may be changed: nothing of the box runs, and it is not started.
    fn may_change(&self, tasks: &Tasks, behaviors: &Behaviors, b: BoxId) -> bool {
        let node = &self.boxes[b.index()];
        let state = behaviors.all[node.behavior.index()].state;
        matches!(state, BehaviorState::Running | BehaviorState::Closed)
            && matches!(node.life.phase(), Phase::Out | Phase::InScope)
            && tasks.idle(b)
    }
}

impl ScriptTable {
    // ---- when --------------------------------------------------------------------------------------

    /// Takes the next reload that is possible now, to be begun. Called when there is no other work.
    pub(crate) fn next_reload(
        &mut self,
        cx: &mut Context,
        graph: &Graph,
        tasks: &Tasks,
        behaviors: &Behaviors,
        end: &RunEnd,
    ) -> Option<ProcKind> {
        if self.reloads.busy || end.has_begun() {
            return None;
        }
        if let Some((id, what)) = self.reloads.queue.pop_front() {
            cx.begin(Cause::OUTSIDE);
            self.reloads.busy = true;
            return Some(ProcKind::Reload { id, what });
        }
        if let Some(b) = self.reloads.pending.keys().copied().find(|b| graph.may_change(tasks, behaviors, *b)) {
            cx.begin(Cause::OUTSIDE);
            return self.change(graph, b);
        }
        for (b, pending) in self.reloads.pending.iter_mut().filter(|(_, p)| !p.traced) {
            cx.begin(Cause::OUTSIDE);
            let text = "its new script waits until the box is not running, or for its next start";
            cx.trace_reload(graph.path_of(*b), ReloadPhase::Waiting, text.to_owned(), None);
            pending.traced = true;
        }
        None
    }

    /// Makes a lifecycle step of a box wait while its script is being changed. Returns true if the step must wait.
    pub(crate) fn wait_for_reload(&mut self, me: ProcId, b: BoxId) -> bool {
        let waits = self.reloads.changing == Some(b);
        if waits {
            self.reloads.waiting.push(me);
        }
        waits
    }

    /// The same for the end of a behavior.
    pub(crate) fn wait_for_reload_in(&mut self, graph: &Graph, me: ProcId, behavior: BehaviorId) -> bool {
        let changing = self.reloads.changing.filter(|b| graph.boxes[b.index()].behavior == behavior);
        changing.is_some_and(|b| self.wait_for_reload(me, b))
    }

    // ---- the procedures ------------------------------------------------------------------------------

    /// Takes the next step of a reload. Returns the task to wait for, or `None` at the end. Also returns whether the
    /// wait is limited, as in an unload: a script that must end gets a limited time.
    pub(crate) fn step_reload(
        &mut self,
        cx: &mut Context,
        graph: &mut Graph,
        tasks: &mut Tasks,
        behaviors: &Behaviors,
        proc: &mut Proc,
    ) -> (Option<TaskId>, bool) {
        let ProcKind::Reload { id, what } = &mut proc.kind else { return (None, false) };
        let id = *id;
        let task = match what {
            Reload::Forget(files) => {
                let files = files.clone();
                match proc.result.take() {
                    None => {
                        self.reloads.error = None;
                        Some(tasks.ask_host(cx, graph, proc.id, id, "modules", Order::Forget { files }))
                    }
                    Some(_) => {
                        self.forgotten(cx, graph);
                        None
                    }
                }
            }
            Reload::Compile(class) => {
                let class = *class;
                match proc.result.take() {
                    None if self.compile(class) || self.is_broken(class) => {
                        let source = graph.classes[class.0 as usize].clone();
                        self.reloads.error = None;
                        Some(tasks.ask_host(cx, graph, proc.id, id, "script", Order::Load { class, source }))
                    }
                    Some(false) => {
                        self.forget_text(class);
                        let text = "the new script does not compile; the old one goes on";
                        self.refuse(cx, graph, id, class, text);
                        None
                    }
                    None | Some(true) => {
                        behaviors.compiled(cx, graph, self, id, class);
                        None
                    }
                }
            }
            Reload::Change { .. } => self.step_change(cx, graph, tasks, behaviors, proc),
            Reload::Inside(_) => None,
        };
        if task.is_none() {
            self.reloads.busy = false;
        }
        let stage = |proc: &Proc| match proc.kind {
            ProcKind::Reload { what: Reload::Change { stage, .. }, .. } => Some(stage),
            _ => None,
        };
        (task, matches!(stage(proc), Some(ReloadStage::Drop | ReloadStage::Construct)))
    }

    /// Takes the next step in the change of a script. Returns the task to wait for, or `None` at the end.
    fn step_change(
        &mut self,
        cx: &mut Context,
        graph: &mut Graph,
        tasks: &mut Tasks,
        behaviors: &Behaviors,
        proc: &mut Proc,
    ) -> Option<TaskId> {
        let (me, mut done) = (proc.id, proc.result.take());
        let ProcKind::Reload { id: b, what: Reload::Change { class, stage, before, refused } } = &mut proc.kind else {
            return None;
        };
        let b = *b;
        loop {
            let node = &graph.boxes[b.index()];
            let in_scope = node.life.in_scope();
            match *stage {
                ReloadStage::Unload => {
                    *stage = ReloadStage::Drop;
                    if in_scope && node.hooks.on_unload {
                        let task = tasks.call_for_reload(cx, graph, b, "onUnload", me);
                        if task.is_some() {
                            return task;
                        }
                    }
                }
                ReloadStage::Drop => {
                    *stage = ReloadStage::Construct;
                    // A box whose script did not compile has no object to release.
                    let there = graph.boxes[b.index()].object.is_some();
                    let task = there.then(|| tasks.destroy_box(cx, graph, me, b)).flatten();
                    if task.is_some() {
                        return task;
                    }
                }
                ReloadStage::Construct => {
                    *stage = ReloadStage::Constructed;
                    done = None;
                    let node = &mut graph.boxes[b.index()];
                    node.body = Body::Script(*class);
                    // A behavior that is not loaded constructs the object at its next load; one that stops does not
                    // need it.
                    if behaviors.all[node.behavior.index()].state == BehaviorState::Running {
                        let new = self.construct(cx, graph, behaviors, b, me, Role::Remake);
                        if let Some(new) = new {
                            return Some(tasks.add_task(cx, graph, new));
                        }
                    }
                }
                ReloadStage::Constructed => {
                    *stage = ReloadStage::Finish;
                    if done == Some(false) {
                        let again = *class != *before && !self.is_broken(*before);
                        let text = if again {
                            "no object can be made of the new script; the old one begins anew"
                        } else {
                            "no object can be made of the script; the box goes on without one"
                        };
                        self.refuse(cx, graph, b, *class, text);
                        *refused = true;
                        if again {
                            (*class, *stage) = (*before, ReloadStage::Construct);
                        } else {
                            self.reloads.lacking.insert(b);
                        }
                    } else if in_scope && node.hooks.on_load && node.object.is_some() {
                        let task = tasks.call_for_reload(cx, graph, b, "onLoad", me);
                        if task.is_some() {
                            return task;
                        }
                    }
                }
                ReloadStage::Finish => {
                    self.reloads.changing = None;
                    for proc in std::mem::take(&mut self.reloads.waiting) {
                        cx.push(Work::Proc(proc));
                    }
                    let node = &graph.boxes[b.index()];
                    let ready = node.constructed || behaviors.all[node.behavior.index()].closed();
                    if ready && !*refused {
                        let text = if *class == *before { "made anew" } else { "has its new script" };
                        let reloads = &self.reloads;
                        if let (Some(listener), Some(path)) = (&reloads.listener, cx.paths.get(node.path)) {
                            listener(Reloaded::Script(&path, &graph.classes[class.0 as usize]));
                        }
                        cx.trace_reload(graph.path_of(b), ReloadPhase::Taken, text.to_owned(), None);
                    }
                    return None;
                }
            }
        }
    }
}

impl Engine {
    /// Sets a listener that is called for each change that plays from now on. It must not wait for the engine.
    pub fn on_reload(&mut self, listener: impl Fn(Reloaded<'_>) + Send + 'static) {
        self.scripts.reloads.listener = Some(Box::new(listener));
    }
}
