//! Loads and unloads the inside of a box and its diagrams, and changes keyframes.

use super::{Proc, ProcId, ProcKind, StepResult, Waits, enter, leave};
use crate::Engine;
use crate::behaviors::Behaviors;
use crate::callbacks::On;
use crate::calls::Subscriber;
use crate::context::Context;
use crate::event_loop::Work;
use crate::graph::{Graph, InsideState};
use crate::ids::{BoxId, DiagramId};
use crate::lifecycle::{Phase, Step};
use crate::objects::calls::Listeners;
use crate::procedures::Procs;
use crate::services::Topic;
use crate::tasks::Tasks;
use crate::trace::{DiagramPhase, Kind, TimelinePhase};
use boxstep_format::model::InputNature;
use boxstep_types::Value;
use std::sync::Arc;

impl Graph {
    pub(crate) fn unwinding(&self, id: BoxId) -> bool {
        self.boxes[id.index()].inside.as_ref().is_some_and(|i| i.unwinding)
    }
}

impl Procs {
    fn parent_kind(&self, parent: Option<ProcId>) -> Option<&ProcKind> {
        Some(&self.get(parent?)?.kind)
    }

    /// Aborts a load that a stop waits for: the load ends at its next step, and its script calls get no more time than
    /// an onUnload.
    pub(crate) fn unwind(
        &mut self,
        cx: &mut Context,
        graph: &mut Graph,
        tasks: &Tasks,
        behaviors: &Behaviors,
        id: BoxId,
    ) {
        if let Some(inside) = &mut graph.boxes[id.index()].inside {
            inside.unwinding |= inside.owner.is_some();
        }
        // A root without an inside can also be loading.
        self.hurry(cx, graph, tasks, behaviors, |graph, kind| match kind {
            ProcKind::Box { id: b, step: Step::Enter, .. } => graph.ancestors(*b).any(|a| a == id),
            _ => false,
        });
    }
}

impl Graph {
    /// Takes the turn on an inside. Returns false if the procedure has to wait for it.
    pub(crate) fn take_turn(&mut self, proc: &mut Proc, id: BoxId) -> bool {
        let Some(inside) = &mut self.boxes[id.index()].inside else { return true };
        match inside.owner {
            None => {
                inside.owner = Some(proc.id);
                true
            }
            Some(owner) if owner == proc.id => true,
            Some(_) => {
                inside.waiting.push_back(proc.id);
                proc.waits = Waits::Turn;
                false
            }
        }
    }

    /// Gives the turn on an inside to the next procedure that waits for it.
    pub(crate) fn give_turn(&mut self, cx: &mut Context, id: BoxId) {
        let Some(inside) = &mut self.boxes[id.index()].inside else { return };
        inside.owner = inside.waiting.pop_front();
        if let Some(next) = inside.owner {
            cx.push(Work::Proc(next));
        }
    }

    /// The memory inputs of the box around a diagram, each with its key. They are subscribed while the diagram is loaded.
    fn memory_inputs(&self, id: DiagramId) -> Box<[(u16, Arc<str>)]> {
        let owner = self.diagrams[id.index()].owner;
        self.boxes[owner.index()].inside.as_ref().map(|inside| inside.memory.clone()).unwrap_or_default()
    }

    fn trace_diagram(&self, cx: &mut Context, id: DiagramId, phase: DiagramPhase) {
        if cx.tracer.on() {
            let diagram = &self.diagrams[id.index()];
            let (path, place) = (self.path_of(diagram.owner), diagram.place.clone());
            cx.trace(path, Kind::Diagram { phase, place });
        }
    }

    /// Returns whether, while a load waited for its turn, its box was stopped or is leaving, or its behavior stops.
    fn load_is_stale(&self, behaviors: &Behaviors, procs: &Procs, proc: &Proc, id: BoxId) -> bool {
        let node = &self.boxes[id.index()];
        if matches!(node.life.phase(), Phase::Out | Phase::Leaving) {
            return true;
        }
        // A load that has begun is only aborted by the unload of what it has loaded: see `unwind`.
        if node.inside.as_ref().is_none_or(|i| i.state != InsideState::Unloaded) {
            return false;
        }
        let overtaken = match procs.parent_kind(proc.parent) {
            Some(ProcKind::Box { step: Step::Activate, stops, .. }) => node.stops != *stops,
            _ => false,
        };
        overtaken || behaviors.all[node.behavior.index()].is_load_aborted()
    }

    /// Changes the keyframes of a timeline, when it is the procedure's turn.
    pub(super) fn step_switch(
        &mut self,
        cx: &mut Context,
        callbacks: &Listeners,
        proc: &mut Proc,
        id: BoxId,
    ) -> StepResult {
        if !self.take_turn(proc, id) {
            return StepResult::Wait;
        }
        let ProcKind::Switch { frame, ref mut change, .. } = proc.kind else { return StepResult::Done };
        if let Some(inside) = &mut self.boxes[id.index()].inside
            && inside.state == InsideState::Loaded
            && !inside.unwinding
        {
            let change = change.get_or_insert_with(|| {
                let mut change = inside.states.change(&inside.entered(), frame);
                change.leaves.reverse();
                change.enters.reverse();
                change
            });
            if let Some(m) = change.leaves.pop() {
                let layer = &mut inside.layers[m.layer];
                layer.current = None;
                let id = layer.keyframes[m.keyframe].diagram;
                return StepResult::Child(ProcKind::UnloadDiagram { id, next: 0, begun: false });
            }
            if let Some(m) = change.enters.pop() {
                let layer = &mut inside.layers[m.layer];
                layer.current = Some(m.keyframe);
                return StepResult::Child(ProcKind::LoadDiagram { id: layer.keyframes[m.keyframe].diagram, next: 0 });
            }
            self.layers_changed(cx, callbacks, id);
        }
        self.give_turn(cx, id);
        StepResult::Done
    }
}

impl Engine {
    pub(super) fn step_load(&mut self, proc: &mut Proc, id: BoxId) -> StepResult {
        if !self.graph.take_turn(proc, id) {
            return StepResult::Wait;
        }
        if self.graph.load_is_stale(&self.behaviors, &self.procs, proc, id) {
            self.graph.give_turn(&mut self.cx, id);
            return StepResult::Done;
        }
        let ProcKind::Load { ref mut layer, .. } = proc.kind else { return StepResult::Done };
        let Some(inside) = &mut self.graph.boxes[id.index()].inside else { return StepResult::Done };
        if *layer == 0 && inside.state == InsideState::Unloaded && !inside.unwinding {
            inside.state = InsideState::Loading;
            inside.timeline.load();
            let (clocked, frame) = (inside.timeline.clocked, inside.timeline.start);
            let path = self.graph.path_of(id);
            if clocked {
                self.cx.trace(path, Kind::Timeline { command: TimelinePhase::Load, frame });
            }
        }
        while let Some(inside) = &mut self.graph.boxes[id.index()].inside {
            if inside.state != InsideState::Loading || inside.unwinding {
                break;
            }
            let frame = inside.timeline.load_frame();
            let written = inside.machine.is_some();
            let Some(l) = inside.layers.get_mut(*layer) else {
                inside.state = InsideState::Loaded;
                let next = self.graph.machine_loaded(&mut self.cx, &self.callbacks, id);
                self.follow_up(next);
                self.graph.layers_changed(&mut self.cx, &self.callbacks, id);
                break;
            };
            if written {
                *layer += 1;
                let first = self.graph.first_state(id, frame);
                let Some(inside) = &mut self.graph.boxes[id.index()].inside else { break };
                if let (Some(k), Some(l)) = (first, inside.layers.first_mut()) {
                    l.current = Some(k);
                    return StepResult::Child(ProcKind::LoadDiagram { id: l.keyframes[k].diagram, next: 0 });
                }
                continue;
            }
            let first = (!inside.timeline.clocked && !l.keyframes.is_empty()).then_some(0);
            let covering = inside.states.keyframe(*layer, frame).or(first);
            *layer += 1;
            if let Some(k) = covering {
                l.current = Some(k);
                return StepResult::Child(ProcKind::LoadDiagram { id: l.keyframes[k].diagram, next: 0 });
            }
        }
        self.graph.give_turn(&mut self.cx, id);
        StepResult::Done
    }

    pub(super) fn step_unload(&mut self, proc: &mut Proc, id: BoxId) -> StepResult {
        if !self.graph.take_turn(proc, id) {
            self.procs.unwind(&mut self.cx, &mut self.graph, &self.tasks, &self.behaviors, id);
            return StepResult::Wait;
        }
        let parent = proc.parent;
        let ProcKind::Unload { ref mut layer, ref mut begun, .. } = proc.kind else { return StepResult::Done };
        if !std::mem::replace(begun, true) {
            let motion = self.graph.stop_clock(&self.cx, id);
            self.follow_up(motion);
            // The motions that the timeline has let run out are stopped by a stop of the box, but not when the box
            // leaves scope.
            if let Some(ProcKind::Box { step: Step::Stop | Step::Halt | Step::Yield, .. }) =
                self.procs.parent_kind(parent)
            {
                let late = self.stops.take_run_outs(|of| of == id);
                self.follow_up(late);
            }
            // From now on no command of a script moves the cursor.
            if let Some(inside) = &mut self.graph.boxes[id.index()].inside {
                inside.unwinding = true;
                if inside.state == InsideState::Loaded {
                    inside.state = InsideState::Loading;
                }
            }
        }
        while let Some(inside) = &mut self.graph.boxes[id.index()].inside {
            let Some(l) = inside.layers.get_mut(*layer) else {
                let was = inside.state != InsideState::Unloaded;
                inside.state = InsideState::Unloaded;
                inside.unwinding = false;
                inside.timeline.unload();
                let clocked = inside.timeline.clocked;
                self.graph.machine_unloaded(id);
                if was && clocked {
                    let path = self.graph.path_of(id);
                    self.cx.note(path, Kind::Timeline { command: TimelinePhase::Unload, frame: -1 });
                }
                break;
            };
            *layer += 1;
            if let Some(k) = l.current.take() {
                return StepResult::Child(ProcKind::UnloadDiagram {
                    id: l.keyframes[k].diagram,
                    next: 0,
                    begun: false,
                });
            }
        }
        self.graph.give_turn(&mut self.cx, id);
        StepResult::Done
    }

    pub(super) fn step_load_diagram(&mut self, proc: &mut Proc, id: DiagramId) -> StepResult {
        let ProcKind::LoadDiagram { ref mut next, .. } = proc.kind else { return StepResult::Done };
        let owner = self.graph.diagrams[id.index()].owner;
        if *next == 0 {
            self.graph.trace_diagram(&mut self.cx, id, DiagramPhase::Loading);
        }
        if self.graph.unwinding(owner) {
            return StepResult::Done;
        }
        if let Some(&child) = self.graph.diagrams[id.index()].boxes.get(*next) {
            *next += 1;
            return StepResult::Child(enter(child));
        }
        if !proc.notified {
            self.graph.diagrams[id.index()].generation |= 1;
            self.graph.connect_state(id);
            for (input, key) in self.graph.memory_inputs(id) {
                // A subscription to a memory key always succeeds.
                let _ = self.add_subscriber(Topic::Memory(key), Subscriber::Input { diagram: id, input });
            }
            self.graph.trace_diagram(&mut self.cx, id, DiagramPhase::Loaded);
            proc.notified = true;
            if self.callbacks.notify_and_wait(&mut self.cx, On::DiagramLoad(id), proc.id) {
                return proc.wait(Waits::Listeners);
            }
        }
        if self.graph.defers_on_load(owner) {
            return StepResult::Done;
        }
        let on_load = |n: &InputNature| *n == InputNature::OnLoad;
        let input = self.graph.boxes[owner.index()].kind.inputs.iter().position(|i| on_load(&i.nature));
        if let Some(input) = input {
            self.graph.forward_into(&mut self.cx, &self.config, id, input as u16, &Value::Null);
        }
        StepResult::Done
    }

    pub(super) fn step_unload_diagram(&mut self, proc: &mut Proc, id: DiagramId) -> StepResult {
        let ProcKind::UnloadDiagram { ref mut next, ref mut begun, .. } = proc.kind else { return StepResult::Done };
        if !std::mem::replace(begun, true) {
            let diagram = &mut self.graph.diagrams[id.index()];
            if diagram.active() {
                diagram.generation += 1;
                let here = |_: &Topic, s: &Subscriber| matches!(s, Subscriber::Input { diagram, .. } if *diagram == id);
                for (_, key) in self.graph.memory_inputs(id) {
                    self.remove_subscribers(Some(&Topic::Memory(key)), here);
                }
            }
            self.graph.trace_diagram(&mut self.cx, id, DiagramPhase::Unloading);
            if self.callbacks.notify_and_wait(&mut self.cx, On::DiagramUnload(id), proc.id) {
                return proc.wait(Waits::Listeners);
            }
        }
        if let Some(&child) = self.graph.diagrams[id.index()].boxes.get(*next) {
            *next += 1;
            return StepResult::Child(leave(child));
        }
        self.graph.trace_diagram(&mut self.cx, id, DiagramPhase::Unloaded);
        StepResult::Done
    }
}
