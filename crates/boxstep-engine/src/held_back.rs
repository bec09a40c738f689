//! In real time, keeps the script of a start from beginning while the script of a stop of the same box still computes.
//! Both would set the state of the box, and the later call must be the last to do so (`docs/reference/semantics/order.md`).

use crate::clock::Alarm;
use crate::context::Context;
use crate::event_loop::Work;
use crate::graph::Graph;
use crate::ids::BoxId;
use crate::protocol::{Job, TaskId};
use crate::tasks::{Role, Task, TaskState, Tasks, What};
use boxstep_format::model::InputNature;
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

/// Calls that wait for a stop of their box.
#[derive(Default)]
pub(crate) struct HeldBack {
    /// The longest time that a call waits for a stop.
    patience: Duration,
    boxes: BTreeMap<BoxId, Waiting>,
    /// Counts waits, so that an old alarm does not end a new wait.
    serial: u32,
}

/// The waiting calls of a box, in order. The first one waits for the stop, or has been dispatched again; the others
/// wait for it.
struct Waiting {
    serial: u32,
    calls: VecDeque<TaskId>,
    dispatched: bool,
}

impl HeldBack {
    /// Makes calls wait for a stop no longer than this, which is how long an unload of the box would wait for a script.
    pub(crate) fn new(patience: Duration) -> Self {
        Self { patience, ..Self::default() }
    }

    pub(crate) fn waits(&self, of: BoxId, serial: u32) -> bool {
        self.boxes.get(&of).is_some_and(|own| own.serial == serial && !own.dispatched)
    }
}

impl Graph {
    /// Returns whether a task is the call of an input of this nature.
    fn is_call_of(&self, of: BoxId, task: &Task, nature: InputNature) -> bool {
        let called = matches!(task.role, Role::Hook | Role::Method);
        let inputs = &self.boxes[of.index()].kind.inputs;
        let is_it = match &task.what {
            What::Input(input) => inputs.get(usize::from(*input)).is_some_and(|i| i.nature == nature),
            What::Named(name) => inputs.iter().any(|i| i.nature == nature && i.method == *name),
        };
        called && is_it
    }
}

impl Tasks {
    fn stop_computes(&self, graph: &Graph, of: BoxId) -> bool {
        let computes = |t: &Task| t.place == Some(of) && t.has_begun && t.state == TaskState::Running && !t.abandoned;
        self.iter().any(|(_, t)| computes(t) && graph.is_call_of(of, t, InputNature::OnStop))
    }
}

impl HeldBack {
    /// Makes the first waiting call wait for the stop.
    fn wait_for_stop(&mut self, cx: &mut Context, of: BoxId) {
        self.serial += 1;
        let serial = self.serial;
        if let Some(own) = self.boxes.get_mut(&of) {
            (own.serial, own.dispatched) = (serial, false);
            cx.alarm(cx.now() + self.patience, Alarm::HeldBack(of, serial));
        }
    }

    /// Dispatches the first waiting call, unless that is done already; removes the entry if there is none.
    fn dispatch_first(&mut self, cx: &mut Context, of: BoxId) {
        let Some(own) = self.boxes.get_mut(&of) else { return };
        match own.calls.front() {
            Some(_) if own.dispatched => {}
            Some(first) => {
                cx.push(Work::Task(*first));
                own.dispatched = true;
            }
            None => drop(self.boxes.remove(&of)),
        }
    }

    /// Lets the waiting calls of a box begin, in order, if none of its stops computes; or (`at_once`) in any case.
    #[inline]
    pub(crate) fn let_begin(&mut self, cx: &mut Context, graph: &Graph, tasks: &mut Tasks, of: BoxId, at_once: bool) {
        let Some(own) = self.boxes.get(&of) else { return };
        if at_once {
            for id in &own.calls {
                if let Some(task) = tasks.get_mut(*id) {
                    task.has_waited = true;
                }
            }
        } else if tasks.stop_computes(graph, of) {
            return;
        }
        self.dispatch_first(cx, of);
    }

    /// Lets waiting calls begin when a script blocks, which may be the stop of their box.
    #[inline]
    pub(crate) fn stop_paused(&mut self, cx: &mut Context, graph: &Graph, tasks: &mut Tasks, task: TaskId) {
        if !self.boxes.is_empty()
            && let Some(of) = tasks.get(task).and_then(|t| t.place)
        {
            self.let_begin(cx, graph, tasks, of, false);
        }
    }

    fn in_its_turn(&mut self, cx: &mut Context, graph: &Graph, tasks: &mut Tasks, job: Job) -> Option<Job> {
        let Some(task) = tasks.get(job.task) else { return Some(job) };
        let (Some(of), Role::Hook | Role::Method | Role::Drop(_)) = (task.place, task.role) else { return Some(job) };
        let ends =
            matches!(&task.what, What::Named(name) if &**name == "onUnload") || matches!(task.role, Role::Drop(_));
        let is_start = graph.is_call_of(of, task, InputNature::OnStart);
        let waits = !task.has_waited && is_start && tasks.stop_computes(graph, of);
        let Some(own) = self.boxes.get_mut(&of) else {
            if !waits {
                return Some(job);
            }
            self.boxes.insert(of, Waiting { serial: 0, calls: [job.task].into(), dispatched: true });
            tasks.put_back(job);
            self.wait_for_stop(cx, of);
            return None;
        };
        let is_first = own.calls.front() == Some(&job.task);
        if is_first && !waits {
            own.calls.pop_front();
            own.dispatched = false;
            self.dispatch_first(cx, of);
            return Some(job);
        }
        if !own.calls.contains(&job.task) {
            own.calls.push_back(job.task);
        }
        tasks.put_back(job);
        if is_first {
            self.wait_for_stop(cx, of);
        } else if ends {
            self.let_begin(cx, graph, tasks, of, true);
        }
        None
    }

    /// Decides whether a dispatched job may begin. Returns `None` if it must wait until the stop of its box has
    /// returned or blocks. Later calls of the box keep their place behind it; the box's unload does not wait.
    pub(crate) fn hold_back(&mut self, cx: &mut Context, graph: &Graph, tasks: &mut Tasks, job: Job) -> Option<Job> {
        if cx.clock.is_virtual() {
            return Some(job);
        }
        let id = job.task;
        let begins = self.in_its_turn(cx, graph, tasks, job);
        if let (Some(_), Some(task)) = (&begins, tasks.get_mut(id)) {
            task.has_begun = true;
        }
        begins
    }
}
