//! Tasks: calls into scripts, from the job to its return.

use crate::context::Cause;
use crate::ids::{BoxId, ProcId};
use crate::polling::Polling;
use crate::protocol::{BlockedOn, CallId, CallbackId, Job, Next, ObjectId, Order, TaskId, Wake};
use boxstep_types::Time;
use std::collections::VecDeque;
use std::sync::Arc;

/// The state of a task.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum TaskState {
    /// The task's job has not been dispatched to the script host.
    Queued,
    Running,
    /// Blocked until a wake with the task's generation, or until the deadline.
    Blocked(BlockedOn, Option<Time>),
    /// Woken, but the host has not been notified yet.
    Ready(Wake),
    /// The host revoked the task's turn while it ran. The task may still return: if nothing else can happen, the run
    /// waits for it.
    Lost,
    /// Like `Lost`, but the run no longer waits for the task.
    PassedBy,
}

/// The purpose of a task, which decides how its return is handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Load,
    Construct(ObjectId),
    /// A request of a hot reload to the script host: an error is not an error of the run.
    Reload,
    /// Constructs the object that replaces another one in a hot reload; its errors count like those of `Reload`.
    Remake(ObjectId),
    /// A method that the engine calls: an uncaught exception fails the behavior.
    Hook,
    /// A method that a script asked the engine to call.
    Method,
    /// A function that a script or the run's embedder asked the engine to call.
    Callback(CallbackId),
    /// A method of a robot written in Python, with the robot's own number for the call ([`crate::services::Ask`]).
    Robot(u64),
    /// A method of a service that a script has registered, for this call.
    Service(CallId),
    /// A hook of a behavior of the runner with this number.
    Behavior(u32),
    Drop(ObjectId),
}

/// What a task runs, for display.
#[derive(Clone, Debug)]
pub(crate) enum What {
    /// The method of this input of its box: nearly every call is one, and needs no copy of a name.
    Input(u16),
    Named(Arc<str>),
}

impl<T: Into<Arc<str>>> From<T> for What {
    fn from(name: T) -> Self {
        Self::Named(name.into())
    }
}

/// A call into scripts.
pub(crate) struct Task {
    pub(crate) role: Role,
    pub(crate) state: TaskState,
    pub(crate) generation: u32,
    /// The generation with which the task began. No other task with this id has had it.
    pub(crate) born: u32,
    order: Option<Order>,
    /// The procedure to notify when the task has ended.
    pub(crate) owner: Option<ProcId>,
    pub(crate) place: Option<BoxId>,
    /// The lifecycle generation of the box when the task began; outputs from another generation are dropped. 0 is
    /// before the first.
    pub(crate) life: u32,
    /// Formatted by [`crate::graph::Graph::name_of_task`].
    pub(crate) what: What,
    pub(crate) cause: Cause,
    /// The time at which the task was queued.
    pub(crate) since: Time,
    pub(crate) abandoned: bool,
    pub(crate) polling: Polling,
    /// Real time: the script has begun. A job that was dispatched may still be waiting for a thread.
    pub(crate) has_begun: bool,
    /// The task has waited as long as it may for its box's stop.
    pub(crate) has_waited: bool,
}

/// What remains of a task after its end.
pub(crate) struct Ended {
    pub(crate) role: Role,
    pub(crate) born: u32,
    pub(crate) owner: Option<ProcId>,
    pub(crate) place: Option<BoxId>,
    pub(crate) life: u32,
    pub(crate) what: What,
    pub(crate) cause: Cause,
    pub(crate) abandoned: bool,
}

impl Task {
    /// The task runs, or is about to.
    fn at_work(&self) -> bool {
        matches!(self.state, TaskState::Queued | TaskState::Running | TaskState::Ready(_))
    }
}

/// The tasks of a run. An id is reused after its task has returned.
#[derive(Default)]
pub(crate) struct Tasks {
    slots: Vec<Option<Task>>,
    free: Vec<u32>,
    /// Generations continue across the tasks of a slot, so that an old wake never matches a new task.
    generations: Vec<u32>,
}

/// The properties of a new task.
pub(crate) struct NewTask {
    pub(crate) role: Role,
    pub(crate) order: Order,
    pub(crate) owner: Option<ProcId>,
    pub(crate) place: Option<BoxId>,
    pub(crate) life: u32,
    pub(crate) what: What,
}

impl Tasks {
    pub(crate) fn add(&mut self, new: NewTask, now: Time, cause: Cause) -> TaskId {
        let index = self.free.pop().unwrap_or_else(|| {
            self.slots.push(None);
            self.generations.push(0);
            self.slots.len() as u32 - 1
        });
        let NewTask { role, order, owner, place, life, what } = new;
        self.slots[index as usize] = Some(Task {
            role,
            state: TaskState::Queued,
            generation: self.generations[index as usize],
            born: self.generations[index as usize],
            order: Some(order),
            owner,
            place,
            life,
            what,
            cause,
            since: now,
            abandoned: false,
            polling: Polling::default(),
            has_begun: false,
            has_waited: false,
        });
        TaskId(index)
    }

    pub(crate) fn get(&self, id: TaskId) -> Option<&Task> {
        self.slots.get(id.0 as usize)?.as_ref()
    }

    pub(crate) fn get_mut(&mut self, id: TaskId) -> Option<&mut Task> {
        self.slots.get_mut(id.0 as usize)?.as_mut()
    }

    /// Returns whether the slot still holds the task that began with this generation.
    pub(crate) fn is(&self, id: TaskId, born: u32) -> bool {
        self.get(id).is_some_and(|t| t.born == born)
    }

    /// Takes the job of a queued task, to be dispatched.
    pub(crate) fn start(&mut self, id: TaskId) -> Option<Job> {
        let task = self.get_mut(id)?;
        let order = task.order.take()?;
        task.state = TaskState::Running;
        Some(Job { task: id, order })
    }

    /// Takes back a dispatched job that has not begun; it is dispatched again later.
    pub(crate) fn put_back(&mut self, job: Job) {
        if let Some(task) = self.get_mut(job.task) {
            task.state = TaskState::Queued;
            task.order = Some(job.order);
        }
    }

    /// Removes a task that has returned.
    pub(crate) fn end(&mut self, id: TaskId) -> Option<Ended> {
        let Task { role, generation, born, owner, place, life, what, cause, abandoned, .. } =
            self.slots.get_mut(id.0 as usize)?.take()?;
        self.generations[id.0 as usize] = generation + 1;
        self.free.push(id.0);
        Some(Ended { role, born, owner, place, life, what, cause, abandoned })
    }

    /// Blocks a running task. Returns the generation that a wake must carry.
    pub(crate) fn block(&mut self, id: TaskId, on: BlockedOn, until: Option<Time>) -> u32 {
        let Some(task) = self.get_mut(id) else { return 0 };
        task.generation += 1;
        task.state = TaskState::Blocked(on, until);
        task.generation
    }

    /// Returns whether the task is still blocked in this generation.
    pub(crate) fn is_blocked(&self, id: TaskId, generation: u32) -> bool {
        self.get(id).is_some_and(|t| t.generation == generation && matches!(t.state, TaskState::Blocked(..)))
    }

    /// Wakes a blocked task. Returns false if the task is not blocked in this generation: only the first wake counts.
    pub(crate) fn wake(&mut self, id: TaskId, generation: u32, wake: Wake) -> bool {
        if !self.is_blocked(id, generation) {
            return false;
        }
        if let Some(task) = self.get_mut(id) {
            task.state = TaskState::Ready(wake);
        }
        true
    }

    /// Takes the wake of a ready task, and lets the task run.
    pub(crate) fn resume(&mut self, id: TaskId) -> Option<Next> {
        let task = self.get_mut(id)?;
        if !matches!(task.state, TaskState::Ready(_)) {
            return None;
        }
        let TaskState::Ready(wake) = std::mem::replace(&mut task.state, TaskState::Running) else { return None };
        Some(Next::Resume(id, wake))
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (TaskId, &Task)> {
        self.slots.iter().enumerate().filter_map(|(i, t)| Some((TaskId(i as u32), t.as_ref()?)))
    }

    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Task> {
        self.slots.iter_mut().flatten()
    }

    pub(crate) fn any(&self, state: &TaskState) -> bool {
        self.iter().any(|(_, t)| t.state == *state)
    }

    /// Returns whether any task runs, or is about to.
    pub(crate) fn any_runs(&self) -> bool {
        self.iter().any(|(_, t)| t.at_work())
    }

    /// Returns whether a function of the run's embedder runs, or is about to.
    pub(crate) fn any_embedder_callback_runs(&self) -> bool {
        self.iter().any(|(_, t)| matches!(t.role, Role::Callback(called) if called.is_outside()) && t.at_work())
    }

    /// Stops waiting for tasks whose turn was revoked.
    pub(crate) fn pass_by(&mut self) {
        for task in self.slots.iter_mut().flatten().filter(|t| t.state == TaskState::Lost) {
            task.state = TaskState::PassedBy;
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.free.len() == self.slots.len()
    }

    /// Every blocked task, with its generation.
    pub(crate) fn blocked(&self) -> VecDeque<(TaskId, u32)> {
        let blocked = |t: &Task| matches!(t.state, TaskState::Blocked(..));
        self.iter().filter(|(_, t)| blocked(t)).map(|(id, t)| (id, t.generation)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Args;
    use boxstep_types::Value;

    fn task(tasks: &mut Tasks) -> TaskId {
        let order = Order::Call { object: ObjectId(0), method: "onLoad".into(), args: Args::Hook(Value::Null) };
        let new = NewTask { role: Role::Hook, order, owner: None, place: None, life: 0, what: "onLoad".into() };
        tasks.add(new, Time::ZERO, crate::context::Cause::OUTSIDE)
    }

    #[test]
    fn only_the_first_wake_counts_and_none_of_an_earlier_wait() {
        let mut tasks = Tasks::default();
        let id = task(&mut tasks);
        assert!(tasks.start(id).is_some() && tasks.start(id).is_none(), "a job is dispatched once");
        let first = tasks.block(id, BlockedOn::Lock, None);
        assert!(tasks.wake(id, first, Wake::Notified) && !tasks.wake(id, first, Wake::TimedOut));
        assert!(matches!(tasks.resume(id), Some(Next::Resume(of, Wake::Notified)) if of == id));
        let second = tasks.block(id, BlockedOn::Sleep, None);
        assert!(!tasks.wake(id, first, Wake::TimedOut), "the timer of the first wait is late");
        assert!(tasks.resume(id).is_none());
        assert!(tasks.wake(id, second, Wake::TimedOut));
    }

    #[test]
    fn a_slot_that_is_used_again_has_another_task() {
        let mut tasks = Tasks::default();
        let id = task(&mut tasks);
        let born = tasks.get(id).map(|task| task.born);
        tasks.start(id);
        let wait = tasks.block(id, BlockedOn::Lock, None);
        assert!(tasks.end(id).is_some() && tasks.is_empty() && tasks.end(id).is_none());
        assert_eq!(task(&mut tasks), id);
        tasks.start(id);
        let again = tasks.block(id, BlockedOn::Lock, None);
        assert!(born.is_some_and(|born| !tasks.is(id, born)) && !tasks.wake(id, wait, Wake::Notified));
        assert_eq!(tasks.blocked(), [(id, again)]);
    }
}
