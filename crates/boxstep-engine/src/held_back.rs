//! Real time: the script of a start does not begin beside the script of a stop of the same box that still computes. Both would set what
//! the box remembers, and the later one has to be the last to do so (`docs/semantics/order.md`).

use crate::Engine;
use crate::clock::Alarm;
use crate::event_loop::Work;
use crate::ids::BoxId;
use crate::protocol::{Job, TaskId};
use crate::tasks::{Role, Task, TaskState};
use boxstep_format::model::InputNature;
use std::collections::BTreeMap;

/// Calls that wait for a stop of their box, in their order.
#[derive(Default)]
pub(crate) struct HeldBack {
    boxes: BTreeMap<BoxId, (u32, Vec<TaskId>)>,
    /// Counts the stretches of waiting, so that an old alarm ends no new one.
    serial: u32,
}

impl HeldBack {
    pub(crate) fn waits(&self, of: BoxId, serial: u32) -> bool {
        self.boxes.get(&of).is_some_and(|(own, _)| *own == serial)
    }
}

impl Engine {
    /// A job is about to begin: `None` if it is kept until the stop of its box has returned or waits. What comes for the box meanwhile
    /// keeps its place behind it; its unload waits for nobody.
    pub(crate) fn hold_back(&mut self, job: Job) -> Option<Job> {
        if self.clock.is_virtual() {
            return Some(job);
        }
        let Some(task) = self.tasks.get(job.task).filter(|task| !task.has_waited) else { return Some(job) };
        let (Some(of), Role::Hook | Role::Method | Role::Drop(_)) = (task.place, task.role) else { return Some(job) };
        let is_held = self.held_back.boxes.contains_key(&of);
        if !is_held && !(self.is_call_of(of, task, InputNature::OnStart) && self.stop_computes(of)) {
            return Some(job);
        }
        let unloads = &*task.what == "onUnload" || matches!(task.role, Role::Drop(_));
        let id = job.task;
        self.tasks.put_back(job);
        if !is_held {
            self.held_back.serial += 1;
            let serial = self.held_back.serial;
            self.held_back.boxes.insert(of, (serial, Vec::new()));
            // No longer than the stop itself would be waited for if the box were unloaded.
            self.timers.add(self.clock.now() + self.config.unload_patience, Alarm::HeldBack(of, serial));
        }
        if let Some((_, calls)) = self.held_back.boxes.get_mut(&of) {
            calls.push(id);
        }
        if unloads {
            self.let_begin(of, true);
        }
        None
    }

    /// A script waits, perhaps one that stops its box: then who is behind it may begin.
    pub(crate) fn stop_paused(&mut self, task: TaskId) {
        if !self.held_back.boxes.is_empty()
            && let Some(of) = self.tasks.get(task).and_then(|t| t.place)
        {
            self.let_begin(of, false);
        }
    }

    /// Calls of a box begin, in their order, if none of its stops computes; or (`at_once`) whatever they do.
    pub(crate) fn let_begin(&mut self, of: BoxId, at_once: bool) {
        if !self.held_back.boxes.contains_key(&of) || !at_once && self.stop_computes(of) {
            return;
        }
        let Some((_, calls)) = self.held_back.boxes.remove(&of) else { return };
        for id in calls {
            if let Some(task) = self.tasks.get_mut(id) {
                task.has_waited |= at_once;
                self.work.push_back(Work::Task(id));
            }
        }
    }

    fn stop_computes(&self, of: BoxId) -> bool {
        let computes = |t: &Task| t.place == Some(of) && t.state == TaskState::Running && !t.abandoned;
        self.tasks.iter().any(|(_, t)| computes(t) && self.is_call_of(of, t, InputNature::OnStop))
    }

    /// Is it the call of an input of this nature?
    fn is_call_of(&self, of: BoxId, task: &Task, nature: InputNature) -> bool {
        let called = matches!(task.role, Role::Hook | Role::Method);
        called && self.graph.boxes[of.index()].kind.inputs.iter().any(|i| i.nature == nature && i.method == task.what)
    }
}
