//! Hot reload: scripts and modules that change while their behavior runs.
//!
//! One thing at a time: modules are forgotten and new texts compiled in the order in which they came; then each box that
//! has a new script is changed when it is at rest, or at its next start. Whatever else wants to begin a step of that box's
//! life waits until that is over. Rules and tests: `docs/reload.md`.

use crate::Engine;
use crate::behaviors::{BehaviorState, Behaviors};
use crate::context::Context;
use crate::event_loop::Work;
use crate::graph::{Body, Graph};
use crate::ids::{BehaviorId, BoxId, ProcId};
use crate::lifecycle::Phase;
use crate::procedures::{Proc, ProcKind, Reload, ReloadStage, StepResult, Waits};
use crate::protocol::{ClassId, ObjectId, Order, ScriptError, ScriptSource, TaskId};
use crate::scripts::ScriptTable;
use crate::tasks::{NewTask, Role, Tasks};
use crate::trace::{Kind, PathId, ReloadEvent, ReloadPhase};
use boxstep_types::{BoxPath, Value};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

/// A box that waits to be changed.
struct PendingChange {
    class: ClassId,
    /// Something that its script imports has changed: it is made anew although its own text may be the same.
    anew: bool,
    /// It has been said that it waits.
    told: bool,
}

/// What has changed and is not taken yet.
#[derive(Default)]
pub(crate) struct Reloads {
    queue: VecDeque<(BoxId, Reload)>,
    pending: BTreeMap<BoxId, PendingChange>,
    /// A procedure is at work.
    busy: bool,
    /// On this box, and these wait for it.
    changing: Option<BoxId>,
    waiting: Vec<ProcId>,
    /// Boxes that a change has left without a script: what they import may be in order the next time.
    lacking: BTreeSet<BoxId>,
    /// What the last call of the host came to.
    pub(crate) answer: Value,
    pub(crate) error: Option<ScriptError>,
    /// Is told of each script that is taken.
    told: Option<Box<ScriptListener>>,
}

/// Hears which box has which script from now on.
type ScriptListener = dyn Fn(&BoxPath, &ScriptSource) + Send;

impl Reloads {
    /// Is the script of this box being changed right now?
    pub(crate) fn changes(&self, b: BoxId) -> bool {
        self.changing == Some(b)
    }
}

impl Graph {
    /// Why the box cannot get another script while it runs, if it cannot.
    pub(crate) fn refuses_script(&self, b: BoxId, source: &ScriptSource) -> Option<&'static str> {
        match &self.boxes[b.index()].body {
            _ if source.text.trim().is_empty() => Some("the script is empty now"),
            Body::Script(_) => None,
            _ => Some("the box had no script that runs"),
        }
    }
}

impl Tasks {
    /// No script of the box runs or waits. What was given up has no effect any more, whatever it does.
    fn idle(&self, b: BoxId) -> bool {
        !self.iter().any(|(_, t)| t.place == Some(b) && !t.abandoned)
    }
}

impl Context {
    /// Tells what became of something that has changed.
    pub(crate) fn tell_reload(&mut self, at: PathId, phase: ReloadPhase, text: String, error: Option<ScriptError>) {
        // The files say what is there now, and not what was there when: nobody could play the same again.
        self.tracer.not_deterministic.get_or_insert_with(|| "the behavior was changed while it ran".to_owned());
        self.trace(at, Kind::Reload(Box::new(ReloadEvent { phase, text: text.into(), error })));
    }
}

impl ScriptTable {
    /// A box has another script text from now on.
    pub(crate) fn new_script(&mut self, graph: &mut Graph, b: BoxId, source: &Arc<ScriptSource>) {
        let class = *graph.class_of.entry(source.text.clone()).or_insert_with(|| {
            graph.classes.push(source.clone());
            ClassId(graph.classes.len() as u32 - 1)
        });
        self.reloads.queue.push_back((b, Reload::Compile(class)));
    }

    /// The procedure that changes a box now.
    fn change(&mut self, graph: &Graph, b: BoxId) -> Option<ProcKind> {
        let Body::Script(before) = graph.boxes[b.index()].body else { return None };
        let class = self.reloads.pending.remove(&b)?.class;
        self.reloads.busy = true;
        self.reloads.changing = Some(b);
        let what = Reload::Change { class, stage: ReloadStage::Unload, before, refused: false };
        Some(ProcKind::Reload { id: b, what })
    }

    /// The host has forgotten modules: those who had imported them are made anew.
    fn forgotten(&mut self, cx: &mut Context, graph: &Graph) {
        if let Some(error) = self.reloads.error.take() {
            cx.warn(PathId(0), format!("modules that have changed cannot be forgotten: {error}"));
            return;
        }
        let answer = std::mem::take(&mut self.reloads.answer);
        let part = |n: usize| answer.as_list().and_then(|l| l.get(n)?.as_list()).unwrap_or_default();
        let names: Vec<&str> = part(0).iter().filter_map(Value::as_str).collect();
        for why in part(2).iter().filter_map(Value::as_str) {
            cx.tell_reload(PathId(0), ReloadPhase::Refused, format!("{why}; the old modules go on"), None);
        }
        let objects = part(1).iter().filter_map(Value::as_i64).filter_map(|n| Some(ObjectId(u32::try_from(n).ok()?)));
        let mut again = std::mem::take(&mut self.reloads.lacking);
        again.extend(objects.filter_map(|object| self.box_of(object)));
        for b in again {
            let Body::Script(class) = graph.boxes[b.index()].body else { continue };
            let pending = self.reloads.pending.entry(b).or_insert(PendingChange { class, anew: true, told: false });
            pending.anew = true;
        }
        if names.is_empty() {
            return;
        }
        let (modules, have) = if names.len() == 1 { ("module", "has") } else { ("modules", "have") };
        let text = format!("{modules} {} {have} changed: imported anew", names.join(", "));
        cx.tell_reload(PathId(0), ReloadPhase::Modules, text, None);
    }

    /// A new script cannot be taken: says where and why.
    fn refuse(&mut self, cx: &mut Context, graph: &Graph, b: BoxId, class: ClassId, text: &str) {
        let error = self.reloads.error.take();
        let source = &graph.classes[class.0 as usize];
        let line = source.first_line + error.as_ref().and_then(|e| e.line).map_or(0, |line| line.saturating_sub(1));
        let why = error.as_ref().map(|e| format!(": {}: {}", e.kind, e.message)).unwrap_or_default();
        let text = format!("{}:{line}: {text}{why}", source.file);
        cx.tell_reload(graph.path_of(b), ReloadPhase::Refused, text, error);
    }
}

impl Behaviors {
    /// A new text is ready to be taken.
    fn compiled(&self, cx: &mut Context, graph: &Graph, scripts: &mut ScriptTable, b: BoxId, class: ClassId) {
        let node = &graph.boxes[b.index()];
        // Of a script that did not compile there is nothing yet.
        let lacks = node.object.is_none() && self.all[node.behavior.index()].state == BehaviorState::Running;
        let same = matches!(node.body, Body::Script(now) if now == class) && !lacks;
        let path = node.path;
        let waits = scripts.reloads.pending.get_mut(&b);
        match waits {
            Some(pending) if same && !pending.anew => {
                scripts.reloads.pending.remove(&b);
                cx.tell_reload(path, ReloadPhase::Withdrawn, "its script is again as it was".to_owned(), None);
            }
            Some(pending) => pending.class = class,
            None if same => {}
            None => {
                scripts.reloads.pending.insert(b, PendingChange { class, anew: false, told: false });
            }
        }
    }
}

impl Tasks {
    /// Has the script host do something for the reload.
    fn ask_host(&mut self, cx: &mut Context, graph: &Graph, me: ProcId, b: BoxId, what: &str, order: Order) -> TaskId {
        self.add_task(
            cx,
            graph,
            NewTask { role: Role::Reload, order, owner: Some(me), place: Some(b), life: 0, what: what.into() },
        )
    }
}

impl Graph {
    /// Nothing of the box runs, and it is not started.
    fn may_change(&self, tasks: &Tasks, behaviors: &Behaviors, b: BoxId) -> bool {
        let node = &self.boxes[b.index()];
        let state = behaviors.all[node.behavior.index()].state;
        matches!(state, BehaviorState::Running | BehaviorState::Closed)
            && matches!(node.life.phase(), Phase::Out | Phase::InScope)
            && tasks.idle(b)
    }
}

impl Engine {
    /// Has somebody told whenever a box has taken another script. They must not wait for the engine.
    pub fn on_script(&mut self, told: impl Fn(&BoxPath, &ScriptSource) + Send + 'static) {
        self.scripts.reloads.told = Some(Box::new(told));
    }

    // ---- what comes in ---------------------------------------------------------------------------

    /// Files have changed that may be modules.
    pub(crate) fn new_modules(&mut self, files: Vec<String>) {
        // Whose script it is that asks the host makes no difference.
        let root =
            self.behaviors.played.map_or_else(|| self.behaviors.all.first(), |id| self.behaviors.all.get(id.index()));
        let root = root.map(|behavior| behavior.root);
        if let Some(root) = root.filter(|_| !self.scripts.none_compiled()) {
            self.scripts.reloads.queue.push_back((root, Reload::Forget(files.into())));
        }
    }

    // ---- when --------------------------------------------------------------------------------------

    /// Begins what can begin now. Called when there is nothing else to do; false if there is nothing here either.
    pub(crate) fn reload(&mut self) -> bool {
        if self.scripts.reloads.busy || self.end.has_begun() {
            return false;
        }
        if let Some((id, what)) = self.scripts.reloads.queue.pop_front() {
            self.cx.cause = 0;
            self.scripts.reloads.busy = true;
            self.spawn(ProcKind::Reload { id, what });
            return true;
        }
        if self.scripts.reloads.pending.is_empty() {
            return false;
        }
        if let Some(b) = self
            .scripts
            .reloads
            .pending
            .keys()
            .copied()
            .find(|b| self.graph.may_change(&self.tasks, &self.behaviors, *b))
        {
            self.cx.cause = 0;
            let Some(kind) = self.scripts.change(&self.graph, b) else { return false };
            self.spawn(kind);
            return true;
        }
        let untold: Vec<BoxId> =
            self.scripts.reloads.pending.iter().filter(|(_, p)| !p.told).map(|(b, _)| *b).collect();
        for b in untold {
            self.cx.cause = 0;
            let text = "its new script waits until the box is not running, or for its next start";
            self.cx.tell_reload(self.graph.path_of(b), ReloadPhase::Waiting, text.to_owned(), None);
            if let Some(pending) = self.scripts.reloads.pending.get_mut(&b) {
                pending.told = true;
            }
        }
        false
    }

    /// The box is to be started: its next start is the time for a script that has waited for it to stop.
    pub(crate) fn reload_before_start(&mut self, b: BoxId, life: u32) -> Option<ProcKind> {
        if self.scripts.reloads.pending.is_empty() || self.scripts.reloads.busy || self.end.has_begun() {
            return None;
        }
        let now = self.graph.boxes[b.index()].life;
        let may =
            now.generation() == life && matches!(now.phase(), Phase::InScope | Phase::Active) && self.tasks.idle(b);
        if may { self.scripts.change(&self.graph, b) } else { None }
    }

    /// A step of a box's life waits while its script is being changed. True: come back when that is over.
    pub(crate) fn wait_for_reload(&mut self, me: ProcId, b: BoxId, leaves: bool) -> bool {
        let waits = self.scripts.reloads.changing == Some(b);
        if waits {
            self.scripts.reloads.waiting.push(me);
            if leaves {
                self.hurry_reload();
            }
        }
        waits
    }

    /// So does the end of its behavior.
    pub(crate) fn wait_for_reload_in(&mut self, me: ProcId, behavior: BehaviorId) -> bool {
        let changing = self.scripts.reloads.changing.filter(|b| self.graph.boxes[b.index()].behavior == behavior);
        changing.is_some_and(|b| self.wait_for_reload(me, b, true))
    }

    // ---- the procedures ------------------------------------------------------------------------------

    pub(crate) fn step_reload(&mut self, me: ProcId, proc: &mut Proc, id: BoxId) -> StepResult {
        let done = proc.result.take();
        let ProcKind::Reload { what, .. } = &mut proc.kind else { return StepResult::Done };
        let task = match what {
            Reload::Forget(files) => {
                let files = files.clone();
                match done {
                    None => {
                        self.scripts.reloads.error = None;
                        let order = Order::Forget { files };
                        Some(self.tasks.ask_host(&mut self.cx, &self.graph, me, id, "modules", order))
                    }
                    Some(_) => {
                        self.scripts.forgotten(&mut self.cx, &self.graph);
                        None
                    }
                }
            }
            Reload::Compile(class) => {
                let class = *class;
                match done {
                    None if self.scripts.compile(class) || self.scripts.is_broken(class) => {
                        let source = self.graph.classes[class.0 as usize].clone();
                        self.scripts.reloads.error = None;
                        let order = Order::Load { class, source };
                        Some(self.tasks.ask_host(&mut self.cx, &self.graph, me, id, "script", order))
                    }
                    Some(false) => {
                        self.scripts.forget_text(class);
                        let text = "the new script does not compile; the old one goes on";
                        self.scripts.refuse(&mut self.cx, &self.graph, id, class, text);
                        None
                    }
                    None | Some(true) => {
                        self.behaviors.compiled(&mut self.cx, &self.graph, &mut self.scripts, id, class);
                        None
                    }
                }
            }
            Reload::Change { .. } => self.step_change(me, what, id, done),
        };
        let Some(task) = task else {
            self.scripts.reloads.busy = false;
            return StepResult::Done;
        };
        // A script that has to end has its time, as in an unload; so has everything if somebody waits to unload the box.
        let ends = matches!(what, Reload::Change { stage: ReloadStage::Drop | ReloadStage::Construct, .. });
        if ends || proc.hurried {
            self.be_patient(me, task);
        }
        proc.waits = Waits::Script(task);
        StepResult::Wait
    }

    /// Changes a script: the task to wait for, or `None` at the end.
    fn step_change(&mut self, me: ProcId, what: &mut Reload, b: BoxId, done: Option<bool>) -> Option<TaskId> {
        let Reload::Change { class, stage, before, refused } = what else { return None };
        let mut done = done;
        loop {
            let node = &self.graph.boxes[b.index()];
            let in_scope = node.life.in_scope();
            match *stage {
                ReloadStage::Unload => {
                    *stage = ReloadStage::Drop;
                    if in_scope && node.hooks.on_unload {
                        let task = self.tasks.call_for_reload(&mut self.cx, &self.graph, b, "onUnload", me);
                        if task.is_some() {
                            return task;
                        }
                    }
                }
                ReloadStage::Drop => {
                    *stage = ReloadStage::Construct;
                    // One whose script did not compile has nothing to let go of.
                    let there = self.graph.boxes[b.index()].object.is_some();
                    let task = there.then(|| self.tasks.destroy_box(&mut self.cx, &mut self.graph, me, b)).flatten();
                    if task.is_some() {
                        return task;
                    }
                }
                ReloadStage::Construct => {
                    *stage = ReloadStage::Constructed;
                    done = None;
                    let node = &mut self.graph.boxes[b.index()];
                    node.body = Body::Script(*class);
                    // A behavior that is not loaded constructs it when it is; one that stops needs it no more.
                    if self.behaviors.all[node.behavior.index()].state == BehaviorState::Running {
                        let task = self.construct(b, me, Role::Remake);
                        if task.is_some() {
                            return task;
                        }
                    }
                }
                ReloadStage::Constructed => {
                    *stage = ReloadStage::Finish;
                    if done == Some(false) {
                        let again = *class != *before && !self.scripts.is_broken(*before);
                        let text = if again {
                            "no object can be made of the new script; the old one begins anew"
                        } else {
                            "no object can be made of the script; the box goes on without one"
                        };
                        self.scripts.refuse(&mut self.cx, &self.graph, b, *class, text);
                        *refused = true;
                        if again {
                            (*class, *stage) = (*before, ReloadStage::Construct);
                        } else {
                            self.scripts.reloads.lacking.insert(b);
                        }
                    } else if in_scope && node.hooks.on_load && node.object.is_some() {
                        let task = self.tasks.call_for_reload(&mut self.cx, &self.graph, b, "onLoad", me);
                        if task.is_some() {
                            return task;
                        }
                    }
                }
                ReloadStage::Finish => {
                    self.scripts.reloads.changing = None;
                    for proc in std::mem::take(&mut self.scripts.reloads.waiting) {
                        self.cx.push(Work::Proc(proc));
                    }
                    let node = &self.graph.boxes[b.index()];
                    let ready = node.constructed || self.behaviors.all[node.behavior.index()].closed();
                    if ready && !*refused {
                        let text = if *class == *before { "made anew" } else { "has its new script" };
                        let reloads = &self.scripts.reloads;
                        if let (Some(told), Some(path)) = (&reloads.told, self.cx.paths.get(node.path)) {
                            told(&path, &self.graph.classes[class.0 as usize]);
                        }
                        self.cx.tell_reload(self.graph.path_of(b), ReloadPhase::Taken, text.to_owned(), None);
                    }
                    return None;
                }
            }
        }
    }
}
