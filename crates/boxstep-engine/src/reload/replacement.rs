//! The replacement of what is inside a box, while its behavior runs.

use super::PartSource;
use super::parts::BOXES;
use crate::Engine;
use crate::behaviors::BehaviorState;
use crate::event_loop::Work;
use crate::graph::{Body, InsideState};
use crate::ids::{BoxId, ProcId};
use crate::lifecycle::Phase;
use crate::procedures::{Proc, ProcKind, Reload, StepResult};
use crate::protocol::{Order, TaskId};
use crate::tasks::Role;
use boxstep_format::model::InputNature;
use boxstep_format::paths::find;
use boxstep_types::Value;
use std::mem::take;
use std::sync::Arc;

/// The replacement of the inside of a box.
pub(crate) struct Replacement {
    source: Arc<PartSource>,
    stage: ReplacementStage,
    /// The next box of the list that the stage goes through.
    next: usize,
    /// The boxes that were inside, and those that are inside now.
    old: Vec<BoxId>,
    new: Vec<BoxId>,
    /// Whether the inside is loaded again after that, and started if the box runs.
    restart: bool,
}

#[derive(Clone, Copy)]
enum ReplacementStage {
    Unload,
    Destroy,
    Build,
    Compile,
    Construct,
    Load,
    Finish,
}

impl Engine {
    pub(super) fn replacement(&mut self, b: BoxId) -> Option<ProcKind> {
        let pending = self.scripts.reloads.parts.0.remove(&b)?;
        let state = self.graph.boxes[b.index()].inside.as_ref().map(|inside| inside.state);
        let restart = pending.restart && state.is_some_and(|state| state != InsideState::Unloaded);
        self.scripts.reloads.busy = true;
        self.scripts.reloads.changing = Some(b);
        let (stage, old) = (ReplacementStage::Unload, self.behaviors.inner_boxes(&self.graph, b));
        let replacement = Replacement { source: pending.source, stage, next: 0, old, new: Vec::new(), restart };
        Some(ProcKind::Reload { id: b, what: Reload::Inside(Box::new(replacement)) })
    }

    /// Takes the next step of the replacement of an inside.
    pub(crate) fn step_replacement(&mut self, proc: &mut Proc) -> StepResult {
        let (me, hurried, result) = (proc.id, proc.hurried, proc.result.take());
        let ProcKind::Reload { id, what: Reload::Inside(now) } = &mut proc.kind else { return StepResult::Done };
        let id = *id;
        let mut result = result;
        loop {
            match now.stage {
                ReplacementStage::Unload => {
                    now.stage = ReplacementStage::Destroy;
                    if now.restart {
                        return StepResult::Child(ProcKind::Unload { id, layer: 0, begun: false });
                    }
                }
                ReplacementStage::Destroy => {
                    while let Some(b) = now.old.get(now.next).copied() {
                        now.next += 1;
                        self.resources.forget_box(b);
                        self.scripts.reloads.forget_box(b);
                        if let Some(task) = self.tasks.destroy_box(&mut self.cx, &mut self.graph, me, b) {
                            return self.await_task(proc, task, true);
                        }
                    }
                    let of_them = self.calls.subscribers_of(&now.old, &self.scripts);
                    self.remove_subscribers(None, of_them);
                    self.scripts.drop_periods_of(&now.old);
                    now.stage = ReplacementStage::Build;
                }
                ReplacementStage::Build => {
                    now.new = self.exchange_inside(id, &now.source, &now.old);
                    // What came of the end of an old object is none of the new boxes'.
                    result = None;
                    (now.next, now.stage) = (0, ReplacementStage::Compile);
                }
                ReplacementStage::Compile => {
                    if result.take() == Some(false) {
                        self.script_lacks(now.new[now.next - 1], "the script does not compile; the box has none");
                    }
                    if let Some(task) = self.compile_next(me, now) {
                        return self.await_task(proc, task, hurried);
                    }
                    (now.next, now.stage) = (0, ReplacementStage::Construct);
                }
                ReplacementStage::Construct => {
                    if result.take() == Some(false) {
                        let b = now.new[now.next - 1];
                        self.script_lacks(b, "no object can be made of the script; the box goes on without one");
                        self.scripts.reloads.lacking.insert(b);
                    }
                    if let Some(task) = self.construct_next(me, now) {
                        return self.await_task(proc, task, true);
                    }
                    now.stage = ReplacementStage::Load;
                }
                ReplacementStage::Load => {
                    now.stage = ReplacementStage::Finish;
                    let is_here = self.graph.boxes[id.index()].life.in_scope();
                    if now.restart && is_here && !self.end.has_begun() {
                        return StepResult::Child(ProcKind::Load { id, layer: 0 });
                    }
                }
                ReplacementStage::Finish => {
                    let text = if now.restart { "has its new inside, and begins again" } else { "has its new inside" };
                    if now.restart {
                        self.start_inside(id);
                    }
                    self.finish_reload();
                    self.part_taken(id, text);
                    return StepResult::Done;
                }
            }
        }
    }

    fn await_task(&mut self, proc: &mut Proc, task: TaskId, limited: bool) -> StepResult {
        if limited {
            self.tasks.limit_wait(&mut self.cx, &self.graph, &self.behaviors, proc.id, task);
        }
        proc.wait_for(task)
    }

    /// Ends a change: those that have waited for it go on.
    fn finish_reload(&mut self) {
        self.scripts.reloads.busy = false;
        self.scripts.reloads.changing = None;
        for proc in take(&mut self.scripts.reloads.waiting) {
            self.cx.push(Work::Proc(proc));
        }
    }

    fn script_lacks(&mut self, b: BoxId, text: &str) {
        if let Body::Script(class) = self.graph.boxes[b.index()].body {
            if text.contains("compile") {
                self.scripts.set_broken(class);
            }
            self.scripts.refuse(&mut self.cx, &self.graph, b, class, text);
        }
    }

    /// A behavior that is not loaded compiles and constructs at its next load.
    fn constructs(&self, now: &Replacement) -> bool {
        let behavior = now.new.first().map(|b| self.graph.boxes[b.index()].behavior);
        behavior.is_some_and(|of| self.behaviors.all[of.index()].state == BehaviorState::Running)
    }

    fn compile_next(&mut self, me: ProcId, now: &mut Replacement) -> Option<TaskId> {
        if !self.constructs(now) {
            return None;
        }
        while let Some(b) = now.new.get(now.next).copied() {
            now.next += 1;
            if let Body::Script(class) = self.graph.boxes[b.index()].body
                && self.scripts.compile(class)
            {
                let source = self.graph.classes[class.0 as usize].clone();
                self.scripts.reloads.error = None;
                let order = Order::Load { class, source };
                return Some(self.tasks.ask_host(&mut self.cx, &self.graph, me, b, "script", order));
            }
        }
        None
    }

    fn construct_next(&mut self, me: ProcId, now: &mut Replacement) -> Option<TaskId> {
        if !self.constructs(now) {
            return None;
        }
        while let Some(b) = now.new.get(now.next).copied() {
            now.next += 1;
            let (cx, graph) = (&mut self.cx, &mut self.graph);
            if let Some(new) = self.scripts.construct(cx, graph, &self.behaviors, b, me, Role::Remake) {
                return Some(self.tasks.add_task(cx, graph, new));
            }
        }
        None
    }

    /// Plays the inside of a box that runs, as its start does.
    fn start_inside(&mut self, id: BoxId) {
        let node = &self.graph.boxes[id.index()];
        let loaded = node.inside.as_ref().is_some_and(|inside| inside.state == InsideState::Loaded);
        if !loaded || node.life.phase() != Phase::Active {
            return;
        }
        let start = node.kind.inputs.iter().position(|input| input.nature == InputNature::OnStart);
        let next = self.graph.play_timeline(&mut self.cx, &mut self.resources, id);
        self.follow_up(next.into_iter().flatten());
        if let Some(input) = start {
            self.graph.forward(&mut self.cx, &self.config, id, input as u16, &Value::Null);
        }
    }

    /// Replaces the boxes inside a box. Returns the new ones.
    fn exchange_inside(&mut self, b: BoxId, part: &PartSource, old: &[BoxId]) -> Vec<BoxId> {
        let of = self.graph.boxes[b.index()].behavior;
        for gone in old.iter().copied().chain([b]) {
            let node = &mut self.graph.boxes[gone.index()];
            (node.inside, node.sole) = (None, None);
            if gone != b {
                (node.params, node.targets) = Default::default();
            }
        }
        let boxes = &mut self.behaviors.all[of.index()].boxes;
        boxes.retain(|is| old.binary_search(is).is_err());
        let first = self.graph.boxes.len() as u32;
        let Some(source) = self.graft(b, part, BOXES) else { return Vec::new() };
        let project = source.project.clone();
        if let Ok(at) = find(&project, &part.path) {
            self.opening(of, &source, |opening| opening.insides(b, at.def));
        }
        let new: Vec<BoxId> = (first..self.graph.boxes.len() as u32).map(BoxId).collect();
        self.behaviors.all[of.index()].boxes.extend(&new);
        new
    }
}
