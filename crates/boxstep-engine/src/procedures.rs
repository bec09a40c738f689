//! Load, start, stop and unload as procedures that can wait.
//!
//! Each is an entry in an arena: what it does, and its next step. It waits for a script call, for a
//! child procedure, or for its turn on the inside of a box; nothing is ever called nested, so a
//! stop can arrive in the middle of a load and unwind it from where it is.
//!
//! Order at load: construct every box of every level; per diagram `onLoad` of all its boxes → links
//! active → `onLoad` input. At unload: links broken → `onUnload`, a box's own script before its inside.

use crate::Engine;
use crate::clock::Alarm;
use crate::door::{Args, TaskId};
use crate::engine::Work;
use crate::graph::{BehaviorId, Body, BoxId, DiagramId, InsideState};
use crate::lifecycle::{Entered, Left, Phase, Stage, Step, Stopped};
use crate::native::NativeCx;
use crate::resources::Claim;
use crate::trace::{EndReason, Kind, PathId};
use boxstep_format::model::InputNature;
use boxstep_types::Value;
use std::sync::Arc;

/// A procedure. The generation tells a stale id from the entry's next user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ProcId {
    index: u32,
    generation: u32,
}

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
    Switch { id: BoxId, frame: i64, layer: usize, loading: bool },
    /// Load a diagram.
    LoadDiagram { id: DiagramId, next: usize },
    /// Unload a diagram.
    UnloadDiagram { id: DiagramId, next: usize, begun: bool },
    /// Compile, construct, load and start a behavior.
    StartBehavior { id: BehaviorId, stage: usize, next: usize },
    /// Unload a behavior and destroy its boxes.
    StopBehavior { id: BehaviorId, stage: usize, next: usize },
}

/// What a procedure waits for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Waits {
    #[default]
    Nothing,
    Script(TaskId),
    Turn,
    Child,
    Resource,
}

struct Proc {
    kind: ProcKind,
    parent: Option<ProcId>,
    waits: Waits,
    /// How the script call it waited for ended.
    result: Option<bool>,
    cause: u64,
    /// One of the stops of an interrupt.
    wind_down: bool,
}

/// How a step ended.
enum Flow {
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
    fn add(&mut self, proc: Proc) -> ProcId {
        let index = self.free.pop().unwrap_or_else(|| {
            self.slots.push((0, None));
            self.slots.len() as u32 - 1
        });
        let slot = &mut self.slots[index as usize];
        slot.1 = Some(proc);
        ProcId { index, generation: slot.0 }
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

    /// Does this procedure wait for this script call?
    pub(crate) fn waits_for(&self, id: ProcId, task: TaskId) -> bool {
        self.get(id).is_some_and(|p| p.waits == Waits::Script(task))
    }

    pub(crate) fn any_waits_for_script(&self) -> bool {
        self.slots.iter().any(|(_, p)| matches!(p, Some(Proc { waits: Waits::Script(_), .. })))
    }
}

impl Engine {
    /// Begins a procedure now.
    pub(crate) fn spawn(&mut self, kind: ProcKind) -> ProcId {
        let proc =
            Proc { kind, parent: None, waits: Waits::Nothing, result: None, cause: self.cause, wind_down: false };
        let id = self.procs.add(proc);
        self.run_proc(id);
        id
    }

    /// Begins a step of a box's life.
    pub(crate) fn spawn_box(&mut self, id: BoxId, step: Step, port: u16, value: Value) {
        let node = &mut self.graph.boxes[id.index()];
        if step == Step::Stop {
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
        let proc = Proc { kind, parent: None, waits: Waits::Nothing, result: None, cause: self.cause, wind_down: true };
        self.winding_down += 1;
        let id = self.procs.add(proc);
        self.run_proc(id);
    }

    /// The script call a procedure waited for has ended.
    pub(crate) fn proc_called(&mut self, id: ProcId, ok: bool) {
        if let Some(Some(proc)) = self.procs.slot(id) {
            proc.result = Some(ok);
            proc.waits = Waits::Nothing;
            self.work.push_back(Work::Proc(id));
        }
    }

    /// A procedure that waited for a resource may go on.
    pub(crate) fn proc_resource(&mut self, id: ProcId, ok: bool) {
        if let Some(Some(proc)) = self.procs.slot(id)
            && proc.waits == Waits::Resource
        {
            proc.result = Some(ok);
            proc.waits = Waits::Nothing;
            self.work.push_back(Work::Proc(id));
        }
    }

    /// Runs a procedure until it waits or is over, then whoever waited for it.
    pub(crate) fn run_proc(&mut self, id: ProcId) {
        let mut current = id;
        loop {
            let Some(mut proc) = self.procs.take(current) else { return };
            self.cause = proc.cause;
            proc.waits = Waits::Nothing;
            match self.step(current, &mut proc) {
                Flow::Wait => {
                    proc.cause = self.cause;
                    self.procs.put(current, proc);
                    return;
                }
                Flow::Child(kind) => {
                    proc.cause = self.cause;
                    proc.waits = Waits::Child;
                    self.procs.put(current, proc);
                    let child = Proc {
                        kind,
                        parent: Some(current),
                        waits: Waits::Nothing,
                        result: None,
                        cause: self.cause,
                        wind_down: false,
                    };
                    current = self.procs.add(child);
                }
                Flow::Done => {
                    self.procs.remove(current);
                    if proc.wind_down {
                        self.wound_down();
                    }
                    match proc.parent {
                        Some(parent) => current = parent,
                        None => return,
                    }
                }
            }
        }
    }

    fn step(&mut self, me: ProcId, proc: &mut Proc) -> Flow {
        match proc.kind {
            ProcKind::Box { .. } => self.step_box(me, proc),
            ProcKind::Event { .. } => self.step_event(me, proc),
            ProcKind::Load { id, .. } => self.step_load(me, proc, id),
            ProcKind::Unload { id, .. } => self.step_unload(me, proc, id),
            ProcKind::Switch { id, .. } => self.step_switch(me, proc, id),
            ProcKind::LoadDiagram { id, .. } => self.step_load_diagram(proc, id),
            ProcKind::UnloadDiagram { id, .. } => self.step_unload_diagram(proc, id),
            ProcKind::StartBehavior { id, ref mut stage, ref mut next } => {
                let (s, n, result) = (stage, next, &mut proc.result);
                match self.step_start_behavior(me, id, s, n, result) {
                    BehaviorFlow::Task(task) => {
                        proc.waits = Waits::Script(task);
                        Flow::Wait
                    }
                    BehaviorFlow::Child(kind) => Flow::Child(kind),
                    BehaviorFlow::Done => Flow::Done,
                }
            }
            ProcKind::StopBehavior { id, ref mut stage, ref mut next } => {
                let (s, n, result) = (stage, next, &mut proc.result);
                match self.step_stop_behavior(me, id, s, n, result) {
                    BehaviorFlow::Task(task) => {
                        proc.waits = Waits::Script(task);
                        self.be_patient(me, task);
                        Flow::Wait
                    }
                    BehaviorFlow::Child(kind) => Flow::Child(kind),
                    BehaviorFlow::Done => Flow::Done,
                }
            }
        }
    }

    // ---- boxes ---------------------------------------------------------------------------------

    fn step_box(&mut self, me: ProcId, proc: &mut Proc) -> Flow {
        let ProcKind::Box { id, step, ref mut stage, port, ref value, ref mut life, ref mut stops } = proc.kind else {
            return Flow::Done;
        };
        let policy = self.graph.boxes[id.index()].policy;
        if *stage == 0 && proc.result.is_none() && !self.begin_box(id, step, life) {
            return Flow::Done;
        }
        let stages = policy.stages(step);
        while let Some(&now) = stages.get(*stage) {
            let node = &self.graph.boxes[id.index()];
            if node.life.generation() != *life {
                return Flow::Done;
            }
            // A start that was overtaken by a stop or by the end of the box goes no further.
            if step == Step::Activate && (node.stops != *stops || !node.life.in_scope()) {
                return Flow::Done;
            }
            match now {
                Stage::Claim => {
                    if let Some(granted) = proc.result.take() {
                        if !granted {
                            self.resource_refused(id);
                            return Flow::Done;
                        }
                    } else {
                        match self.claim(me, id) {
                            Claim::Granted => {}
                            Claim::Wait => {
                                proc.waits = Waits::Resource;
                                return Flow::Wait;
                            }
                            Claim::Refused => {
                                self.resource_refused(id);
                                return Flow::Done;
                            }
                        }
                    }
                }
                Stage::Own => match proc.result.take() {
                    None => {
                        if let Some(task) = self.call_hook(me, id, step, port, value) {
                            proc.waits = Waits::Script(task);
                            if step == Step::Leave {
                                self.be_patient(me, task);
                            }
                            return Flow::Wait;
                        }
                    }
                    Some(false) if step == Step::Activate => {
                        self.release(id);
                        let node = &mut self.graph.boxes[id.index()];
                        if node.life.stop().is_ok() && node.life.stopped().is_ok() {
                            let path = node.path;
                            self.note(path, Kind::Box("stopped"));
                        }
                        return Flow::Done;
                    }
                    Some(_) => {}
                },
                Stage::Inside => {
                    *stage += 1;
                    if self.graph.boxes[id.index()].inside.is_none() {
                        continue;
                    }
                    return Flow::Child(match step {
                        Step::Enter | Step::Activate => ProcKind::Load { id, layer: 0 },
                        Step::Stop | Step::End | Step::Leave => ProcKind::Unload { id, layer: 0, begun: false },
                    });
                }
                Stage::Forward => {
                    let value = value.clone();
                    self.play_timeline(id);
                    self.forward(id, port, &value);
                }
                Stage::Release => self.release(id),
                Stage::Transmit => {
                    let value = value.clone();
                    self.box_stopped(id);
                    self.transmit(id, port, value);
                }
            }
            *stage += 1;
        }
        self.finish_box(id, step);
        Flow::Done
    }

    /// Takes the step in the kernel. False if there is nothing to do.
    fn begin_box(&mut self, id: BoxId, step: Step, life: &mut u32) -> bool {
        let node = &mut self.graph.boxes[id.index()];
        let path = node.path;
        match step {
            Step::Enter => match node.life.enter() {
                Ok(Entered::Begin) => {
                    *life = node.life.generation();
                    self.trace(path, Kind::Box("loading"));
                    true
                }
                _ => false,
            },
            Step::Activate => {
                if node.life.generation() != *life || !node.life.in_scope() {
                    return false;
                }
                // A box that is started already is started again: the signal goes in once more.
                if node.life.activate().is_ok() {
                    self.trace(path, Kind::Box("starting"));
                }
                true
            }
            Step::Stop | Step::End => {
                if node.life.generation() != *life || !node.life.in_scope() {
                    return false;
                }
                if node.life.stop().is_ok() {
                    self.trace(path, Kind::Box("stopping"));
                }
                true
            }
            Step::Leave => match node.life.leave() {
                Ok(Left::Begin) => {
                    node.stops += 1;
                    *life = node.life.generation();
                    self.trace(path, Kind::Box("unloading"));
                    true
                }
                _ => false,
            },
        }
    }

    fn finish_box(&mut self, id: BoxId, step: Step) {
        let node = &mut self.graph.boxes[id.index()];
        let path = node.path;
        match step {
            Step::Enter => {
                if node.life.entered().is_ok() {
                    self.note(path, Kind::Box("loaded"));
                }
            }
            Step::Activate => {
                if node.life.activated().is_ok() {
                    self.note(path, Kind::Box("started"));
                }
            }
            Step::Stop | Step::End => self.box_stopped(id),
            Step::Leave => {
                if node.life.left().is_ok() {
                    self.note(path, Kind::Box("unloaded"));
                }
            }
        }
    }

    /// The kernel learns that a stop is over; an activation that waited begins to count.
    fn box_stopped(&mut self, id: BoxId) {
        let node = &mut self.graph.boxes[id.index()];
        let path = node.path;
        match node.life.stopped() {
            Ok(Stopped::Done) => self.note(path, Kind::Box("stopped")),
            // Its own procedure has been running all along: scripts start again at once, and the
            // inside waits for its turn.
            Ok(Stopped::Again) => {
                self.note(path, Kind::Box("stopped"));
                self.note(path, Kind::Box("starting"));
            }
            Err(_) => {}
        }
    }

    /// Calls the hook of a step, if the box has one.
    fn call_hook(&mut self, me: ProcId, id: BoxId, step: Step, port: u16, value: &Value) -> Option<TaskId> {
        let node = &self.graph.boxes[id.index()];
        if matches!(node.body, Body::Native) {
            let mut outputs = std::mem::take(&mut self.native_outputs);
            let mut cx = NativeCx { now: self.clock.now(), outputs: &mut outputs, way: None };
            match (step, self.fast.body(id)) {
                (Step::Enter, Some(body)) => body.load(&mut cx),
                (Step::Leave, Some(body)) => body.unload(&mut cx),
                _ => {}
            }
            self.native_done(id, outputs);
            return None;
        }
        let (wanted, method): (bool, Arc<str>) = match step {
            Step::Enter => (node.hooks.on_load, "onLoad".into()),
            Step::Leave => (node.hooks.on_unload, "onUnload".into()),
            Step::Activate | Step::Stop => {
                let input = &node.inputs[usize::from(port)];
                (input.handled, input.method.clone())
            }
            Step::End => return None,
        };
        if !wanted {
            return None;
        }
        self.call_method(id, method, Args::Hook(value.clone()), Some(me))
    }

    fn step_event(&mut self, me: ProcId, proc: &mut Proc) -> Flow {
        let ProcKind::Event { id, input, ref value, life, ref mut called } = proc.kind else { return Flow::Done };
        if !*called {
            *called = true;
            let method = self.graph.boxes[id.index()].inputs[usize::from(input)].method.clone();
            if let Some(task) = self.call_method(id, method, Args::Hook(value.clone()), Some(me)) {
                proc.waits = Waits::Script(task);
                return Flow::Wait;
            }
        }
        if proc.result.take() != Some(false) && self.graph.boxes[id.index()].life.generation() == life {
            let value = value.clone();
            self.forward(id, input, &value);
        }
        Flow::Done
    }

    // ---- the inside of a box -------------------------------------------------------------------

    /// Takes the turn on an inside. False: wait for it.
    fn take_turn(&mut self, me: ProcId, proc: &mut Proc, id: BoxId, stopping: bool) -> bool {
        let Some(inside) = &mut self.graph.boxes[id.index()].inside else { return true };
        match inside.owner {
            None => {
                inside.owner = Some(me);
                true
            }
            Some(owner) if owner == me => true,
            Some(_) => {
                inside.waiting.push_back(me);
                proc.waits = Waits::Turn;
                if stopping {
                    self.unwind(id);
                }
                false
            }
        }
    }

    /// Gives the turn to the next.
    fn give_turn(&mut self, id: BoxId) {
        let Some(inside) = &mut self.graph.boxes[id.index()].inside else { return };
        inside.owner = inside.waiting.pop_front();
        if let Some(next) = inside.owner {
            self.work.push_back(Work::Proc(next));
        }
    }

    /// A stop waits behind a load: the load leaves off at its next step, and its script calls are not
    /// waited for any longer than an onUnload is.
    pub(crate) fn unwind(&mut self, id: BoxId) {
        let Some(inside) = &mut self.graph.boxes[id.index()].inside else { return };
        inside.unwinding |= inside.owner.is_some();
        let waiting: Vec<(ProcId, TaskId)> = self
            .procs
            .slots
            .iter()
            .enumerate()
            .filter_map(|(i, (generation, p))| match p {
                Some(Proc {
                    kind: ProcKind::Box { id: b, step: Step::Enter, .. }, waits: Waits::Script(task), ..
                }) if self.graph.ancestors(*b).any(|a| a == id) => {
                    Some((ProcId { index: i as u32, generation: *generation }, *task))
                }
                _ => None,
            })
            .collect();
        for (proc, task) in waiting {
            self.be_patient(proc, task);
        }
    }

    fn unwinding(&self, id: BoxId) -> bool {
        self.graph.boxes[id.index()].inside.as_ref().is_some_and(|i| i.unwinding)
    }

    fn step_load(&mut self, me: ProcId, proc: &mut Proc, id: BoxId) -> Flow {
        if !self.take_turn(me, proc, id, false) {
            return Flow::Wait;
        }
        let ProcKind::Load { ref mut layer, .. } = proc.kind else { return Flow::Done };
        if matches!(self.graph.boxes[id.index()].life.phase(), Phase::Out | Phase::Leaving) {
            self.give_turn(id);
            return Flow::Done;
        }
        let Some(inside) = &mut self.graph.boxes[id.index()].inside else { return Flow::Done };
        if *layer == 0 && inside.state == InsideState::Unloaded && !inside.unwinding {
            inside.state = InsideState::Loading;
            inside.timeline.load();
            let (clocked, frame) = (inside.timeline.clocked, inside.timeline.start);
            let path = self.path_of(id);
            if clocked {
                self.trace(path, Kind::Timeline("load", frame));
            }
        }
        while let Some(inside) = &mut self.graph.boxes[id.index()].inside {
            if inside.state != InsideState::Loading || inside.unwinding {
                break;
            }
            let frame = inside.timeline.load_frame();
            let Some(l) = inside.layers.get_mut(*layer) else {
                inside.state = InsideState::Loaded;
                break;
            };
            *layer += 1;
            let covering = l.at(frame).or((!inside.timeline.clocked && !l.keyframes.is_empty()).then_some(0));
            if let Some(k) = covering {
                l.current = Some(k);
                return Flow::Child(ProcKind::LoadDiagram { id: l.keyframes[k].diagram, next: 0 });
            }
        }
        self.give_turn(id);
        Flow::Done
    }

    fn step_unload(&mut self, me: ProcId, proc: &mut Proc, id: BoxId) -> Flow {
        if !self.take_turn(me, proc, id, true) {
            return Flow::Wait;
        }
        let ProcKind::Unload { ref mut layer, ref mut begun, .. } = proc.kind else { return Flow::Done };
        if !std::mem::replace(begun, true) {
            self.stop_clock(id);
        }
        while let Some(inside) = &mut self.graph.boxes[id.index()].inside {
            let Some(l) = inside.layers.get_mut(*layer) else {
                let was = inside.state != InsideState::Unloaded;
                inside.state = InsideState::Unloaded;
                inside.unwinding = false;
                inside.timeline.unload();
                if was && inside.timeline.clocked {
                    let path = self.path_of(id);
                    self.note(path, Kind::Timeline("unload", -1));
                }
                break;
            };
            *layer += 1;
            if let Some(k) = l.current.take() {
                return Flow::Child(ProcKind::UnloadDiagram { id: l.keyframes[k].diagram, next: 0, begun: false });
            }
        }
        self.give_turn(id);
        Flow::Done
    }

    fn step_switch(&mut self, me: ProcId, proc: &mut Proc, id: BoxId) -> Flow {
        if !self.take_turn(me, proc, id, false) {
            return Flow::Wait;
        }
        let ProcKind::Switch { frame, ref mut layer, ref mut loading, .. } = proc.kind else { return Flow::Done };
        while let Some(inside) = &mut self.graph.boxes[id.index()].inside {
            if inside.state != InsideState::Loaded || inside.unwinding {
                break;
            }
            let Some(l) = inside.layers.get_mut(*layer) else {
                if std::mem::replace(loading, true) {
                    break;
                }
                *layer = 0;
                continue;
            };
            *layer += 1;
            let covering = l.at(frame);
            if l.current == covering {
                continue;
            }
            if !*loading {
                if let Some(k) = l.current.take() {
                    return Flow::Child(ProcKind::UnloadDiagram { id: l.keyframes[k].diagram, next: 0, begun: false });
                }
            } else if let Some(k) = covering {
                l.current = Some(k);
                return Flow::Child(ProcKind::LoadDiagram { id: l.keyframes[k].diagram, next: 0 });
            }
        }
        self.give_turn(id);
        Flow::Done
    }

    // ---- diagrams ------------------------------------------------------------------------------

    fn step_load_diagram(&mut self, proc: &mut Proc, id: DiagramId) -> Flow {
        let ProcKind::LoadDiagram { ref mut next, .. } = proc.kind else { return Flow::Done };
        let owner = self.graph.diagrams[id.index()].owner;
        if *next == 0 {
            self.trace_diagram(id, "loading");
        }
        if self.unwinding(owner) {
            return Flow::Done;
        }
        if let Some(&child) = self.graph.diagrams[id.index()].boxes.get(*next) {
            *next += 1;
            return Flow::Child(enter(child));
        }
        self.graph.diagrams[id.index()].generation |= 1;
        self.listen(id, true);
        self.trace_diagram(id, "loaded");
        let on_load = |n: &InputNature| *n == InputNature::OnLoad;
        let input = self.graph.boxes[owner.index()].inputs.iter().position(|i| on_load(&i.nature));
        if let Some(input) = input {
            self.forward_into(id, input as u16, &Value::Null);
        }
        Flow::Done
    }

    fn step_unload_diagram(&mut self, proc: &mut Proc, id: DiagramId) -> Flow {
        let ProcKind::UnloadDiagram { ref mut next, ref mut begun, .. } = proc.kind else { return Flow::Done };
        if !std::mem::replace(begun, true) {
            let diagram = &mut self.graph.diagrams[id.index()];
            if diagram.active() {
                diagram.generation += 1;
                self.listen(id, false);
            }
            self.trace_diagram(id, "unloading");
        }
        if let Some(&child) = self.graph.diagrams[id.index()].boxes.get(*next) {
            *next += 1;
            return Flow::Child(leave(child));
        }
        self.trace_diagram(id, "unloaded");
        Flow::Done
    }

    fn trace_diagram(&mut self, id: DiagramId, what: &'static str) {
        if self.tracer.on() {
            let diagram = &self.graph.diagrams[id.index()];
            let (path, place) = (self.path_of(diagram.owner), diagram.place.clone());
            self.trace(path, Kind::Diagram(what, place));
        }
    }

    // ---- patience ------------------------------------------------------------------------------

    /// Waits no longer for a script than an onUnload is given.
    pub(crate) fn be_patient(&mut self, proc: ProcId, task: TaskId) {
        let at = self.clock.now() + self.config.unload_patience;
        self.timers.add(at, Alarm::Patience(proc, task));
    }

    /// Goes on without a script that takes too long. What it puts out from now on is dropped.
    pub(crate) fn lose_patience(&mut self, proc: ProcId, task: TaskId) {
        let Some(t) = self.tasks.get_mut(task) else { return };
        t.abandoned = true;
        t.owner = None;
        let (what, path) = (t.what.clone(), t.place.map_or(PathId(0), |b| self.graph.boxes[b.index()].path));
        self.trace(path, Kind::Abandoned(what));
        self.proc_called(proc, true);
    }

    /// One of the stops of an interrupt is over; after the last everything is unloaded.
    pub(crate) fn wound_down(&mut self) {
        self.winding_down -= 1;
        if self.winding_down == 0 {
            self.stop_all(EndReason::Interrupted);
        }
    }
}

/// How a step of a behavior's procedure ended.
pub(crate) enum BehaviorFlow {
    Task(TaskId),
    Child(ProcKind),
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
