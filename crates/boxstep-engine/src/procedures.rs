//! Procedures: load, start, stop and unload as sequences of steps that can wait.
//!
//! Each procedure is an entry in an arena: its kind, and its next step. It can wait for a script call, for a child
//! procedure, or for its turn on the inside of a box. Procedures never nest on the call stack, so a stop can arrive in
//! the middle of a load and unwind it from there.
//!
//! Order at load: construct every box of every level; then, per diagram, `onLoad` of all its boxes → links active →
//! `onLoad` input. At unload: links inactive → `onUnload`, where a box's own script comes before its inside.

mod boxes;
mod insides;

use crate::Engine;
use crate::behaviors::Behaviors;
use crate::clock::Alarm;
use crate::context::{Cause, Context};
use crate::event_loop::Work;
use crate::follow_up::FollowUp;
use crate::graph::Graph;
use crate::ids::{BehaviorId, BoxId, DiagramId, ProcId};
use crate::lifecycle::Step;
use crate::protocol::{ClassId, TaskId};
use crate::reload::Replacement;
use crate::state_machine::Change;
use crate::tasks::Tasks;
use crate::trace::{EndReason, Kind};
use boxstep_types::Value;
use std::sync::Arc;

/// The kind of a procedure, with its progress.
pub(crate) enum ProcKind {
    /// A step in the lifecycle of a box; `port` is the input or output that triggered it.
    Box { id: BoxId, step: Step, stage: usize, port: u16, value: Value, life: u32, stops: u32 },
    /// Handle an event input with a script: call the script, then forward the event to the inside if that is loaded.
    Event { id: BoxId, input: u16, value: Value, life: u32, called: bool },
    /// Load the inside of a box.
    Load { id: BoxId, layer: usize },
    /// Unload the inside of a box.
    Unload { id: BoxId, layer: usize, begun: bool },
    /// Change the keyframes of a timeline to those of a frame: first unload, then load.
    Switch { id: BoxId, frame: i64, change: Option<Change> },
    /// Enter a state of a state machine with transitions: first load, then unload, if the guard allows it when the
    /// procedure gets its turn.
    EnterState { id: BoxId, state: usize, before: Option<usize>, stage: u8, guard: Guard },
    /// Load a diagram.
    LoadDiagram { id: DiagramId, next: usize },
    /// Unload a diagram.
    UnloadDiagram { id: DiagramId, next: usize, begun: bool },
    /// Compile, construct, load and start a behavior.
    StartBehavior { id: BehaviorId, stage: usize, next: usize },
    /// Unload a behavior and destroy its boxes.
    StopBehavior { id: BehaviorId, stage: usize, next: usize },
    /// Apply a change (hot reload) while the box's behavior runs.
    Reload { id: BoxId, what: Reload },
}

/// The condition for entering a state, checked when the procedure gets its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Guard {
    /// No condition.
    Free,
    /// No other state has been entered since this serial number.
    Serial(u32),
    /// The source state of this transition is current.
    Transition(usize),
}

/// The change that a hot reload applies.
pub(crate) enum Reload {
    /// Forget the modules that were imported from these files.
    Forget(Arc<[String]>),
    /// Compile a new script text.
    Compile(ClassId),
    /// Change the script of a box: the new class, the progress, the class before, and whether the new script was
    /// refused.
    Change { class: ClassId, stage: ReloadStage, before: ClassId, refused: bool },
    /// Replace the inside of a box.
    Inside(Box<Replacement>),
}

/// The next stage in the change of a script.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum ReloadStage {
    Unload,
    Drop,
    Construct,
    Constructed,
    Finish,
}

/// What a procedure waits for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Waits {
    #[default]
    Nothing,
    Script(TaskId),
    /// Until the listeners have been notified and have returned.
    Listeners,
    Turn,
    Child,
    Resource,
    /// Until the stop that precedes this start has finished.
    Stopped,
    /// Until the robot is at rest.
    Robot,
    /// Until the box's script has been changed.
    Reload,
}

/// A procedure that is under way.
pub(crate) struct Proc {
    pub(crate) id: ProcId,
    pub(crate) kind: ProcKind,
    parent: Option<ProcId>,
    pub(crate) waits: Waits,
    /// Whether the script call that the procedure waited for succeeded.
    pub(crate) result: Option<bool>,
    /// Whether the listeners for this load or unload have been notified.
    notified: bool,
    cause: Cause,
    /// Whether a stop waits for this procedure.
    pub(crate) hurried: bool,
    /// Whether this is one of the stops of an interrupt.
    wind_down: bool,
}

impl Proc {
    /// A procedure that has not begun and has no parent.
    const fn new(id: ProcId, kind: ProcKind, cause: Cause) -> Self {
        Self {
            id,
            kind,
            parent: None,
            waits: Waits::Nothing,
            result: None,
            notified: false,
            cause,
            hurried: false,
            wind_down: false,
        }
    }
}

impl Proc {
    /// Waits for a script.
    pub(crate) fn wait_for(&mut self, task: TaskId) -> StepResult {
        self.wait(Waits::Script(task))
    }

    /// Waits for something else.
    pub(crate) fn wait(&mut self, on: Waits) -> StepResult {
        self.waits = on;
        StepResult::Wait
    }
}

/// The outcome of a step.
pub(crate) enum StepResult {
    /// Wait until the awaited event has happened.
    Wait,
    /// Run this child procedure first.
    Child(ProcKind),
    /// The procedure has finished.
    Done,
}

/// The arena of procedures.
#[derive(Default)]
pub(crate) struct Procs {
    slots: Vec<(u32, Option<Proc>)>,
    free: Vec<u32>,
    /// Starts that wait until a stop of their box has finished.
    behind_stops: Vec<(BoxId, ProcId)>,
}

impl Procs {
    /// Reserves a slot for a new procedure.
    fn reserve(&mut self) -> ProcId {
        let index = self.free.pop().unwrap_or_else(|| {
            self.slots.push((0, None));
            self.slots.len() as u32 - 1
        });
        ProcId { index, generation: self.slots[index as usize].0 }
    }

    fn slot(&mut self, id: ProcId) -> Option<&mut Option<Proc>> {
        self.slots.get_mut(id.index as usize).filter(|s| s.0 == id.generation).map(|s| &mut s.1)
    }

    pub(crate) fn take(&mut self, id: ProcId) -> Option<Proc> {
        self.slot(id)?.take()
    }

    fn put(&mut self, proc: Proc) {
        if let Some(slot) = self.slot(proc.id) {
            *slot = Some(proc);
        }
    }

    fn remove(&mut self, id: ProcId) {
        if let Some(slot) = self.slots.get_mut(id.index as usize).filter(|s| s.0 == id.generation) {
            *slot = (id.generation + 1, None);
            self.free.push(id.index);
        }
    }

    fn get(&self, id: ProcId) -> Option<&Proc> {
        self.slots.get(id.index as usize).filter(|s| s.0 == id.generation)?.1.as_ref()
    }

    pub(crate) fn len(&self) -> usize {
        self.slots.len() - self.free.len()
    }

    /// Returns whether this procedure waits for this script call.
    pub(crate) fn waits_for(&self, id: ProcId, task: TaskId) -> bool {
        self.get(id).is_some_and(|p| p.waits == Waits::Script(task))
    }

    /// Returns whether a lifecycle step or an event of one of these boxes is under way.
    pub(crate) fn work_for(&self, these: impl Fn(BoxId) -> bool) -> bool {
        let of = |p: &Proc| matches!(p.kind, ProcKind::Box { id, .. } | ProcKind::Event { id, .. } if these(id));
        self.slots.iter().any(|(_, p)| p.as_ref().is_some_and(of))
    }

    /// The procedures that end something and wait for a script, each with the script's task.
    pub(crate) fn that_end(&self) -> impl Iterator<Item = (ProcId, TaskId)> {
        self.slots.iter().enumerate().filter_map(|(index, (generation, proc))| {
            let Some(Proc { kind, waits: Waits::Script(task), hurried, wind_down, .. }) = proc else { return None };
            let ends =
                matches!(kind, ProcKind::Box { step: Step::Leave | Step::Yield, .. } | ProcKind::StopBehavior { .. });
            let id = ProcId { index: index as u32, generation: *generation };
            (ends || *hurried || *wind_down).then_some((id, *task))
        })
    }

    pub(crate) fn any_waits_for_script(&self) -> bool {
        self.slots.iter().any(|(_, p)| matches!(p, Some(Proc { waits: Waits::Script(_), .. })))
    }

    /// Continues a procedure after its script call has ended.
    pub(crate) fn proc_called(&mut self, cx: &mut Context, graph: &Graph, id: ProcId, ok: bool) {
        if self.is_overtaken(graph, id) {
            return self.remove(id);
        }
        if let Some(Some(proc)) = self.slot(id) {
            proc.result = Some(ok);
            proc.waits = Waits::Nothing;
            cx.push(Work::Proc(id));
        }
    }

    /// Returns whether a start has been overtaken: its box has stopped meanwhile, so the start goes no further. A start
    /// inside a state machine must wait for its turn, because the machine observes when it ends; every other one need
    /// not.
    fn is_overtaken(&self, graph: &Graph, id: ProcId) -> bool {
        let Some(Proc { kind, parent: None, .. }) = self.get(id) else { return false };
        let ProcKind::Box { id, step: Step::Activate, stops, .. } = *kind else { return false };
        let node = &graph.boxes[id.index()];
        node.stops != stops && node.parent.is_none_or(|parent| graph.machine(parent).is_none())
    }

    /// The behavior to which a procedure belongs.
    pub(crate) fn proc_behavior(&self, graph: &Graph, id: ProcId) -> Option<BehaviorId> {
        let of = |b: BoxId| graph.boxes[b.index()].behavior;
        Some(match self.get(id)?.kind {
            ProcKind::Box { id, .. }
            | ProcKind::Event { id, .. }
            | ProcKind::Load { id, .. }
            | ProcKind::Unload { id, .. }
            | ProcKind::Switch { id, .. }
            | ProcKind::EnterState { id, .. }
            | ProcKind::Reload { id, .. } => of(id),
            ProcKind::LoadDiagram { id, .. } | ProcKind::UnloadDiagram { id, .. } => {
                of(graph.diagrams[id.index()].owner)
            }
            ProcKind::StartBehavior { id, .. } | ProcKind::StopBehavior { id, .. } => id,
        })
    }

    /// Continues a procedure that waited for a resource.
    pub(crate) fn proc_resource(&mut self, cx: &mut Context, id: ProcId, ok: bool) {
        if let Some(Some(proc)) = self.slot(id)
            && proc.waits == Waits::Resource
        {
            proc.result = Some(ok);
            proc.waits = Waits::Nothing;
            cx.push(Work::Proc(id));
        }
    }

    /// Continues without a script that takes too long. The script's later outputs are dropped.
    pub(crate) fn abandon_script(
        &mut self,
        cx: &mut Context,
        graph: &Graph,
        tasks: &mut Tasks,
        proc: ProcId,
        task: TaskId,
    ) {
        let Some(t) = tasks.get_mut(task) else { return };
        t.abandoned = true;
        t.owner = None;
        let (what, place) = (t.what.clone(), t.place);
        let (path, method) = (graph.place_path(place), graph.name_of_task(place, &what));
        cx.trace(path, Kind::Abandoned { method });
        self.proc_called(cx, graph, proc, true);
    }

    /// Limits how long the selected procedures wait for their scripts, because a stop waits for them.
    fn hurry(
        &mut self,
        cx: &mut Context,
        graph: &Graph,
        tasks: &Tasks,
        behaviors: &Behaviors,
        which: impl Fn(&Graph, &ProcKind) -> bool,
    ) {
        let waits = |(index, (generation, proc)): (usize, &(u32, Option<Proc>))| match proc {
            Some(Proc { kind, waits: Waits::Script(task), .. }) if which(graph, kind) => {
                Some((ProcId { index: index as u32, generation: *generation }, *task))
            }
            _ => None,
        };
        let waiting: Vec<_> = self.slots.iter().enumerate().filter_map(waits).collect();
        for (proc, task) in waiting {
            if let Some(Some(proc)) = self.slot(proc) {
                proc.hurried = true;
            }
            tasks.limit_wait(cx, graph, behaviors, proc, task);
        }
    }

    /// Hurries the start of a behavior that must stop while it compiles or constructs.
    pub(crate) fn hurry_start(
        &mut self,
        cx: &mut Context,
        graph: &Graph,
        tasks: &Tasks,
        behaviors: &Behaviors,
        behavior: BehaviorId,
    ) {
        self.hurry(
            cx,
            graph,
            tasks,
            behaviors,
            |_, kind| matches!(kind, ProcKind::StartBehavior { id, .. } if *id == behavior),
        );
    }

    /// Hurries script changes, because a box or behavior must stop meanwhile.
    pub(crate) fn hurry_reload(&mut self, cx: &mut Context, graph: &Graph, tasks: &Tasks, behaviors: &Behaviors) {
        self.hurry(cx, graph, tasks, behaviors, |_, kind| matches!(kind, ProcKind::Reload { .. }));
    }
}

impl Tasks {
    /// Limits how long a stop waits for a script.
    pub(crate) fn limit_wait(
        &self,
        cx: &mut Context,
        graph: &Graph,
        behaviors: &Behaviors,
        proc: ProcId,
        task: TaskId,
    ) {
        let at = cx.now() + behaviors.time_for_script(cx, self.task_behavior(graph, task));
        let born = self.get(task).map_or(0, |t| t.born);
        cx.alarm(at, Alarm::Patience(proc, task, born));
    }
}

impl Graph {
    /// The procedure of a step in the lifecycle of a box.
    #[inline]
    pub(crate) fn box_step(&mut self, id: BoxId, step: Step, port: u16, value: Value) -> ProcKind {
        let node = &mut self.boxes[id.index()];
        if matches!(step, Step::Stop | Step::Halt | Step::Yield) {
            node.stops += 1;
        }
        let (life, stops) = (node.life.generation(), node.stops);
        ProcKind::Box { id, step, stage: 0, port, value, life, stops }
    }
}

impl Procs {
    /// Begins the stop of a box as part of an interrupt. Returns the procedure, to be run.
    pub(crate) fn wind_down(&mut self, cx: &Context, graph: &mut Graph, id: BoxId, input: u16) -> Proc {
        let kind = graph.box_step(id, Step::Stop, input, Value::Null);
        Proc { wind_down: true, ..Proc::new(self.reserve(), kind, cx.cause()) }
    }
}

impl Engine {
    /// Begins a procedure at once.
    pub(crate) fn spawn(&mut self, kind: ProcKind) {
        let proc = Proc::new(self.procs.reserve(), kind, self.cx.cause());
        self.run_taken(proc);
    }

    /// Runs a procedure that is not in its slot, until it waits or finishes, and then the parents that waited for it.
    pub(crate) fn run_taken(&mut self, mut proc: Proc) {
        loop {
            self.cx.begin(proc.cause);
            proc.waits = Waits::Nothing;
            let step = match proc.kind {
                ProcKind::Box { .. } => self.step_box(&mut proc),
                ProcKind::Event { .. } => self.step_event(&mut proc),
                _ => self.step_other(&mut proc),
            };
            match step {
                StepResult::Wait => {
                    proc.cause = self.cx.cause();
                    return self.procs.put(proc);
                }
                StepResult::Child(kind) => {
                    proc.cause = self.cx.cause();
                    proc.waits = Waits::Child;
                    let parent = proc.id;
                    self.procs.put(proc);
                    let child = Proc::new(self.procs.reserve(), kind, self.cx.cause());
                    proc = Proc { parent: Some(parent), ..child };
                }
                StepResult::Done => {
                    self.procs.remove(proc.id);
                    // After the last stop of an interrupt, everything is unloaded.
                    if proc.wind_down && self.end.wound_down() {
                        self.follow_up([FollowUp::StopAll(EndReason::Interrupted)]);
                    }
                    match proc.kind {
                        ProcKind::Box { id, step: Step::Activate | Step::Stop | Step::End, .. }
                        | ProcKind::Event { id, .. } => self.graph.box_worked(&mut self.cx, id),
                        _ => {}
                    }
                    let Some(parent) = proc.parent.and_then(|parent| self.procs.take(parent)) else { return };
                    proc = parent;
                }
            }
        }
    }

    /// Runs a step of any other procedure. This is a separate function because the compiler would otherwise set up its
    /// stack frame for each step of a box too.
    #[inline(never)]
    fn step_other(&mut self, proc: &mut Proc) -> StepResult {
        match proc.kind {
            ProcKind::Box { .. } | ProcKind::Event { .. } => StepResult::Done,
            ProcKind::Load { id, .. } => self.step_load(proc, id),
            ProcKind::Unload { id, .. } => self.step_unload(proc, id),
            ProcKind::Switch { id, .. } => self.graph.step_switch(&mut self.cx, &self.callbacks, proc, id),
            ProcKind::EnterState { id, .. } => self.step_enter_state(proc, id),
            ProcKind::LoadDiagram { id, .. } => self.step_load_diagram(proc, id),
            ProcKind::UnloadDiagram { id, .. } => self.step_unload_diagram(proc, id),
            ProcKind::StartBehavior { id, .. } => {
                let (cx, graph, scripts, tasks) = (&mut self.cx, &mut self.graph, &mut self.scripts, &mut self.tasks);
                let step = self.behaviors.step_start(cx, graph, scripts, tasks, proc);
                if matches!(step, StepResult::Done) {
                    let next =
                        self.behaviors.loaded(cx, graph, &self.calls, &self.debugger, &mut self.held_controls, id);
                    self.follow_up(next);
                }
                step
            }
            ProcKind::StopBehavior { id, .. } => self.step_stop_behavior(proc, id),
            ProcKind::Reload { what: Reload::Inside(_), .. } => self.step_replacement(proc),
            ProcKind::Reload { .. } => {
                let (cx, graph, tasks, behaviors) = (&mut self.cx, &mut self.graph, &mut self.tasks, &self.behaviors);
                let (task, limited) = self.scripts.step_reload(cx, graph, tasks, behaviors, proc);
                let Some(task) = task else { return StepResult::Done };
                // So is every wait if an unload of the box waits for it.
                if limited || proc.hurried {
                    tasks.limit_wait(cx, graph, behaviors, proc.id, task);
                }
                proc.wait_for(task)
            }
        }
    }
}

/// The procedure that takes a box into scope.
pub(crate) const fn enter(id: BoxId) -> ProcKind {
    ProcKind::Box { id, step: Step::Enter, stage: 0, port: 0, value: Value::Null, life: 0, stops: 0 }
}

/// The procedure that takes a box out of scope.
pub(crate) const fn leave(id: BoxId) -> ProcKind {
    ProcKind::Box { id, step: Step::Leave, stage: 0, port: 0, value: Value::Null, life: 0, stops: 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_of_a_procedure_that_is_over_never_means_the_next_one_in_its_slot() {
        let mut procs = Procs::default();
        let first = procs.reserve();
        procs.put(Proc::new(first, enter(BoxId(0)), Cause::OUTSIDE));
        procs.remove(first);
        let second = procs.reserve();
        assert_eq!((first.index, procs.len()), (second.index, 1), "the slot is used again");
        procs.put(Proc::new(second, leave(BoxId(0)), Cause::OUTSIDE));
        assert!(procs.take(first).is_none());
        procs.remove(first);
        assert!(procs.take(second).is_some_and(|proc| proc.id == second));
    }

    #[test]
    fn a_grant_continues_only_a_procedure_that_waits_for_it() {
        let mut cx = Context::new(crate::config::ClockKind::Virtual, crate::tracer::Tracer::default());
        let mut procs = Procs::default();
        let id = procs.reserve();
        let mut proc = Proc::new(id, enter(BoxId(0)), Cause::OUTSIDE);
        proc.wait(Waits::Turn);
        procs.put(proc);
        procs.proc_resource(&mut cx, id, true);
        assert!(cx.work.is_empty() && procs.get(id).is_some_and(|proc| proc.result.is_none()));
        if let Some(Some(proc)) = procs.slot(id) {
            proc.wait(Waits::Resource);
        }
        procs.proc_resource(&mut cx, id, false);
        procs.proc_resource(&mut cx, id, true);
        assert_eq!(cx.work.len(), 1);
        assert!(procs.get(id).is_some_and(|proc| proc.result == Some(false)), "the first answer counts");
    }
}
