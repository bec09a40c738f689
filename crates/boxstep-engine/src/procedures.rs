//! Load, start, stop and unload as procedures that can wait.
//!
//! Each is an entry in an arena: what it does, and its next step. It waits for a script call, for a
//! child procedure, or for its turn on the inside of a box; nothing is ever called nested, so a
//! stop can arrive in the middle of a load and unwind it from where it is.
//!
//! Order at load: construct every box of every level; per diagram `onLoad` of all its boxes → links
//! active → `onLoad` input. At unload: links broken → `onUnload`, a box's own script before its inside.

mod boxes;
mod insides;

use crate::Engine;
use crate::clock::Alarm;
use crate::context::Context;
use crate::event_loop::Work;
use crate::graph::Graph;
use crate::ids::{BehaviorId, BoxId, DiagramId, ProcId};
use crate::lifecycle::Step;
use crate::protocol::{ClassId, TaskId};
use crate::state_machine::Change;
use crate::tasks::Tasks;
use crate::trace::{EndReason, Kind};
use boxstep_types::Value;
use std::sync::Arc;

/// What a procedure does.
pub(crate) enum ProcKind {
    /// A step of a box's life; `port` is the input or output that asked for it.
    Box { id: BoxId, step: Step, stage: usize, port: u16, value: Value, life: u32, stops: u32 },
    /// An event input with a script: the script, then the inside if it is loaded.
    Event { id: BoxId, input: u16, value: Value, life: u32, called: bool },
    /// Load the inside of a box.
    Load { id: BoxId, layer: usize },
    /// Unload the inside of a box.
    Unload { id: BoxId, layer: usize, begun: bool },
    /// Change the keyframes of a timeline to those of a frame: first unload, then load.
    Switch { id: BoxId, frame: i64, change: Option<Change> },
    /// Change the state of a written state machine: first load, then unload, if the guard allows
    /// it when its turn comes.
    EnterState { id: BoxId, state: usize, before: Option<usize>, stage: u8, guard: Guard },
    /// Load a diagram.
    LoadDiagram { id: DiagramId, next: usize },
    /// Unload a diagram.
    UnloadDiagram { id: DiagramId, next: usize, begun: bool },
    /// Compile, construct, load and start a behavior.
    StartBehavior { id: BehaviorId, stage: usize, next: usize },
    /// Unload a behavior and destroy its boxes.
    StopBehavior { id: BehaviorId, stage: usize, next: usize },
    /// Take something that has changed while the box's behavior runs.
    Reload { id: BoxId, what: Reload },
}

/// On what condition a state is entered, looked at when its turn comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Guard {
    /// None.
    Free,
    /// No other state has been entered since.
    Serial(u32),
    /// This transition's state is current.
    Transition(usize),
}

/// What a procedure takes that has changed.
pub(crate) enum Reload {
    /// Modules are forgotten.
    Forget(Arc<[String]>),
    /// A new text is compiled.
    Compile(ClassId),
    /// The script of a box is changed: how far that is, the script before, and whether the new one was refused.
    Change { class: ClassId, stage: ReloadStage, before: ClassId, refused: bool },
}

/// The next thing to do in the change of a script.
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
    /// For functions that want to know.
    Told,
    Turn,
    Child,
    Resource,
    /// Until the stop is over that came before this start.
    Stopped,
    /// Until the robot stands.
    Robot,
    /// Until the box's script has been changed.
    Reload,
}

pub(crate) struct Proc {
    pub(crate) kind: ProcKind,
    parent: Option<ProcId>,
    pub(crate) waits: Waits,
    /// How the script call it waited for ended.
    pub(crate) result: Option<bool>,
    /// Who wants to know of the load or unload has been told.
    told: bool,
    cause: u64,
    /// A stop waits for what it does.
    pub(crate) hurried: bool,
    /// One of the stops of an interrupt.
    wind_down: bool,
}

impl Proc {
    /// One that has not begun, and that nobody waits for.
    const fn new(kind: ProcKind, cause: u64) -> Self {
        Self {
            kind,
            parent: None,
            waits: Waits::Nothing,
            result: None,
            told: false,
            cause,
            hurried: false,
            wind_down: false,
        }
    }
}

/// How a step ended.
pub(crate) enum StepResult {
    /// Come back when what it waits for has happened.
    Wait,
    /// Do this first.
    Child(ProcKind),
    /// Over.
    Done,
}

/// The arena.
#[derive(Default)]
pub(crate) struct Procs {
    slots: Vec<(u32, Option<Proc>)>,
    free: Vec<u32>,
}

impl Procs {
    /// A place for one that begins.
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

    fn take(&mut self, id: ProcId) -> Option<Proc> {
        self.slot(id)?.take()
    }

    fn put(&mut self, id: ProcId, proc: Proc) {
        if let Some(slot) = self.slot(id) {
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

    /// Does this procedure wait for this script call?
    pub(crate) fn waits_for(&self, id: ProcId, task: TaskId) -> bool {
        self.get(id).is_some_and(|p| p.waits == Waits::Script(task))
    }

    /// Is a step of the life of one of these boxes, or an event, under way?
    pub(crate) fn work_for(&self, these: impl Fn(BoxId) -> bool) -> bool {
        let of = |p: &Proc| matches!(p.kind, ProcKind::Box { id, .. } | ProcKind::Event { id, .. } if these(id));
        self.slots.iter().any(|(_, p)| p.as_ref().is_some_and(of))
    }

    /// Procedures that end something and wait for a script, and that script.
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

    /// The script call a procedure waited for has ended.
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

    /// A start that its box has ended meanwhile goes no further, and only a state machine looks when that is: around all other
    /// boxes it need not wait for its turn.
    fn is_overtaken(&self, graph: &Graph, id: ProcId) -> bool {
        let Some(Proc { kind, parent: None, .. }) = self.get(id) else { return false };
        let ProcKind::Box { id, step: Step::Activate, stops, .. } = *kind else { return false };
        let node = &graph.boxes[id.index()];
        node.stops != stops && node.parent.is_none_or(|parent| graph.machine(parent).is_none())
    }

    /// The behavior that a procedure is part of.
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

    /// A procedure that waited for a resource may go on.
    pub(crate) fn proc_resource(&mut self, cx: &mut Context, id: ProcId, ok: bool) {
        if let Some(Some(proc)) = self.slot(id)
            && proc.waits == Waits::Resource
        {
            proc.result = Some(ok);
            proc.waits = Waits::Nothing;
            cx.push(Work::Proc(id));
        }
    }

    /// Goes on without a script that takes too long. What it puts out from now on is dropped.
    pub(crate) fn lose_patience(
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
}

impl Engine {
    /// Begins a procedure now.
    pub(crate) fn spawn(&mut self, kind: ProcKind) -> ProcId {
        let id = self.procs.reserve();
        self.run_taken(id, Proc::new(kind, self.cx.cause));
        id
    }

    /// Begins a step of a box's life.
    pub(crate) fn spawn_box(&mut self, id: BoxId, step: Step, port: u16, value: Value) {
        let node = &mut self.graph.boxes[id.index()];
        if matches!(step, Step::Stop | Step::Halt | Step::Yield) {
            node.stops += 1;
        }
        let (life, stops) = (node.life.generation(), node.stops);
        self.spawn(ProcKind::Box { id, step, stage: 0, port, value, life, stops });
    }

    /// Stops a box as part of an interrupt.
    pub(crate) fn spawn_wind_down(&mut self, id: BoxId, input: u16) {
        let node = &mut self.graph.boxes[id.index()];
        node.stops += 1;
        let (life, stops) = (node.life.generation(), node.stops);
        let kind = ProcKind::Box { id, step: Step::Stop, stage: 0, port: input, value: Value::Null, life, stops };
        let proc = Proc { wind_down: true, ..Proc::new(kind, self.cx.cause) };
        self.end.wind_down();
        let id = self.procs.reserve();
        self.run_taken(id, proc);
    }

    /// Runs a procedure until it waits or is over, then whoever waited for it.
    pub(crate) fn run_proc(&mut self, id: ProcId) {
        if let Some(proc) = self.procs.take(id) {
            self.run_taken(id, proc);
        }
    }

    /// The same for one that is not in its place.
    fn run_taken(&mut self, mut current: ProcId, mut proc: Proc) {
        loop {
            self.cx.cause = proc.cause;
            proc.waits = Waits::Nothing;
            match self.step(current, &mut proc) {
                StepResult::Wait => {
                    proc.cause = self.cx.cause;
                    self.procs.put(current, proc);
                    return;
                }
                StepResult::Child(kind) => {
                    proc.cause = self.cx.cause;
                    proc.waits = Waits::Child;
                    self.procs.put(current, proc);
                    proc = Proc { parent: Some(current), ..Proc::new(kind, self.cx.cause) };
                    current = self.procs.reserve();
                }
                StepResult::Done => {
                    self.procs.remove(current);
                    if proc.wind_down {
                        self.wound_down();
                    }
                    match proc.kind {
                        ProcKind::Box { id, step: Step::Activate | Step::Stop | Step::End, .. }
                        | ProcKind::Event { id, .. } => self.graph.box_worked(&mut self.cx, id),
                        _ => {}
                    }
                    let Some(parent) = proc.parent else { return };
                    let Some(waited) = self.procs.take(parent) else { return };
                    (current, proc) = (parent, waited);
                }
            }
        }
    }

    fn step(&mut self, me: ProcId, proc: &mut Proc) -> StepResult {
        match proc.kind {
            ProcKind::Box { .. } => self.step_box(me, proc),
            ProcKind::Event { .. } => self.step_event(me, proc),
            _ => self.step_other(me, proc),
        }
    }

    /// The rest. Kept apart, because the compiler would prepare all that they need for each step of a box, too.
    #[inline(never)]
    fn step_other(&mut self, me: ProcId, proc: &mut Proc) -> StepResult {
        match proc.kind {
            ProcKind::Box { .. } | ProcKind::Event { .. } => StepResult::Done,
            ProcKind::Load { id, .. } => self.step_load(me, proc, id),
            ProcKind::Unload { id, .. } => self.step_unload(me, proc, id),
            ProcKind::Switch { id, .. } => self.step_switch(me, proc, id),
            ProcKind::EnterState { id, .. } => self.step_enter_state(me, proc, id),
            ProcKind::LoadDiagram { id, .. } => self.step_load_diagram(me, proc, id),
            ProcKind::UnloadDiagram { id, .. } => self.step_unload_diagram(me, proc, id),
            ProcKind::StartBehavior { id, ref mut stage, ref mut next } => {
                let (s, n, result) = (stage, next, &mut proc.result);
                match self.step_start_behavior(me, id, s, n, result) {
                    BehaviorFlow::Task(task) => {
                        proc.waits = Waits::Script(task);
                        StepResult::Wait
                    }
                    BehaviorFlow::Child(kind) => StepResult::Child(kind),
                    BehaviorFlow::Waits(_) | BehaviorFlow::Done => StepResult::Done,
                }
            }
            ProcKind::StopBehavior { id, ref mut stage, ref mut next } => {
                let (s, n, result) = (stage, next, &mut proc.result);
                match self.step_stop_behavior(me, id, s, n, result) {
                    BehaviorFlow::Task(task) => {
                        proc.waits = Waits::Script(task);
                        self.be_patient(me, task);
                        StepResult::Wait
                    }
                    BehaviorFlow::Waits(on) => {
                        proc.waits = on;
                        StepResult::Wait
                    }
                    BehaviorFlow::Child(kind) => StepResult::Child(kind),
                    BehaviorFlow::Done => StepResult::Done,
                }
            }
            ProcKind::Reload { id, .. } => self.step_reload(me, proc, id),
        }
    }

    /// Waits no longer for a script than one that has to end is given.
    pub(crate) fn be_patient(&mut self, proc: ProcId, task: TaskId) {
        let at = self.cx.now()
            + self.behaviors.patience(&self.cx, &self.config, &self.end, self.tasks.task_behavior(&self.graph, task));
        let born = self.tasks.get(task).map_or(0, |t| t.born);
        self.cx.alarm(at, Alarm::Patience(proc, task, born));
    }

    /// Procedures that a stop waits for are patient with their scripts from now on.
    fn hurry(&mut self, which: impl Fn(&Self, &ProcKind) -> bool) {
        let waits = |(index, (generation, proc)): (usize, &(u32, Option<Proc>))| match proc {
            Some(Proc { kind, waits: Waits::Script(task), .. }) if which(self, kind) => {
                Some((ProcId { index: index as u32, generation: *generation }, *task))
            }
            _ => None,
        };
        let waiting: Vec<_> = self.procs.slots.iter().enumerate().filter_map(waits).collect();
        for (proc, task) in waiting {
            if let Some(Some(proc)) = self.procs.slot(proc) {
                proc.hurried = true;
            }
            self.be_patient(proc, task);
        }
    }

    /// A behavior is to stop while it compiles or constructs.
    pub(crate) fn hurry_start(&mut self, behavior: BehaviorId) {
        self.hurry(|_, kind| matches!(kind, ProcKind::StartBehavior { id, .. } if *id == behavior));
    }

    /// A box or behavior is to stop while a script is being changed.
    pub(crate) fn hurry_reload(&mut self) {
        self.hurry(|_, kind| matches!(kind, ProcKind::Reload { .. }));
    }

    /// One of the stops of an interrupt is over; after the last everything is unloaded.
    pub(crate) fn wound_down(&mut self) {
        if self.end.wound_down() {
            self.stop_all(EndReason::Interrupted);
        }
    }
}

/// How a step of a behavior's procedure ended.
pub(crate) enum BehaviorFlow {
    Task(TaskId),
    Child(ProcKind),
    /// Something else comes first.
    Waits(Waits),
    Done,
}

/// Takes a box into scope.
pub(crate) const fn enter(id: BoxId) -> ProcKind {
    ProcKind::Box { id, step: Step::Enter, stage: 0, port: 0, value: Value::Null, life: 0, stops: 0 }
}

/// Lets a box go out of scope.
pub(crate) const fn leave(id: BoxId) -> ProcKind {
    ProcKind::Box { id, step: Step::Leave, stage: 0, port: 0, value: Value::Null, life: 0, stops: 0 }
}
