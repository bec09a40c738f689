//! Tasks: calls into scripts, from their job to their return.

use crate::ids::{BoxId, ProcId};
use crate::polling::Polling;
use crate::protocol::{BlockedOn, CallbackId, Job, Next, ObjectId, Order, TaskId, Wake};
use boxstep_types::Time;
use std::collections::VecDeque;
use std::sync::Arc;

/// Where a task is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum TaskState {
    /// Its job has not been handed out.
    Queued,
    Running,
    /// Until a wake with the task's generation.
    Blocked(BlockedOn, Option<Time>),
    /// Woken; the host has not been told yet.
    Ready(Wake),
    /// The host took its turn from it while it ran. It may still come back: if nothing else can happen, the run waits
    /// for it.
    Lost,
    /// The same, and the run waits for it no longer.
    PassedBy,
}

/// What a task does, for when it has returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Load,
    Construct(ObjectId),
    /// What a hot reload wants of the host: its error is no error of the run.
    Reload,
    /// The same for the object that takes the place of another.
    Remake(ObjectId),
    /// A method that the engine calls: an exception nobody caught fails the behavior.
    Hook,
    /// A method that a script wanted called.
    Method,
    /// A function that a script, or whoever drives the run, wanted called.
    Callback(CallbackId),
    /// A method of a robot that is written in Python; the number is the robot's ([`crate::services::Ask`]).
    Robot(u64),
    /// A hook of a behavior of this runner.
    Behavior(u32),
    Drop(ObjectId),
}

/// What a task runs, to be shown.
#[derive(Clone, Debug)]
pub(crate) enum What {
    /// The method of this input of its box: nearly every call, which so costs no copy of a name.
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
    /// The generation it began with: no other task of this id has had it.
    pub(crate) born: u32,
    order: Option<Order>,
    /// Told when the task has ended.
    pub(crate) owner: Option<ProcId>,
    pub(crate) place: Option<BoxId>,
    /// The life of the box it began in; what it puts out in another is dropped. 0: before the first.
    pub(crate) life: u32,
    /// [`crate::graph::Graph::name_of_task`] says it in words.
    pub(crate) what: What,
    pub(crate) cause: u64,
    /// When it was asked for.
    pub(crate) since: Time,
    pub(crate) abandoned: bool,
    pub(crate) polling: Polling,
    /// Real time: its script has begun. One that was handed out may still be in line.
    pub(crate) has_begun: bool,
    /// It has waited long enough for its box's stop.
    pub(crate) has_waited: bool,
}

/// What remains of a task that has ended.
pub(crate) struct Ended {
    pub(crate) role: Role,
    pub(crate) born: u32,
    pub(crate) owner: Option<ProcId>,
    pub(crate) place: Option<BoxId>,
    pub(crate) life: u32,
    pub(crate) what: What,
    pub(crate) cause: u64,
    pub(crate) abandoned: bool,
}

impl Task {
    /// It runs, or is about to.
    fn at_work(&self) -> bool {
        matches!(self.state, TaskState::Queued | TaskState::Running | TaskState::Ready(_))
    }
}

/// The tasks of a run. Ids are used again after a task has returned.
#[derive(Default)]
pub(crate) struct Tasks {
    slots: Vec<Option<Task>>,
    free: Vec<u32>,
    /// Generations go on across the tasks of a slot, so that an old wake never fits a new task.
    generations: Vec<u32>,
}

/// What a new task is made of.
pub(crate) struct NewTask {
    pub(crate) role: Role,
    pub(crate) order: Order,
    pub(crate) owner: Option<ProcId>,
    pub(crate) place: Option<BoxId>,
    pub(crate) life: u32,
    pub(crate) what: What,
}

impl Tasks {
    pub(crate) fn add(&mut self, new: NewTask, now: Time, cause: u64) -> TaskId {
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

    /// Is it still the task that was born in this generation?
    pub(crate) fn is(&self, id: TaskId, born: u32) -> bool {
        self.get(id).is_some_and(|t| t.born == born)
    }

    /// Hands a queued task's job out.
    pub(crate) fn start(&mut self, id: TaskId) -> Option<Job> {
        let task = self.get_mut(id)?;
        let order = task.order.take()?;
        task.state = TaskState::Running;
        Some(Job { task: id, order })
    }

    /// A job that was handed out has not begun, and is handed out again later.
    pub(crate) fn put_back(&mut self, job: Job) {
        if let Some(task) = self.get_mut(job.task) {
            task.state = TaskState::Queued;
            task.order = Some(job.order);
        }
    }

    /// Forgets a task that has returned.
    pub(crate) fn end(&mut self, id: TaskId) -> Option<Ended> {
        let Task { role, generation, born, owner, place, life, what, cause, abandoned, .. } =
            self.slots.get_mut(id.0 as usize)?.take()?;
        self.generations[id.0 as usize] = generation + 1;
        self.free.push(id.0);
        Some(Ended { role, born, owner, place, life, what, cause, abandoned })
    }

    /// Blocks a running task; gives the generation a wake must have.
    pub(crate) fn block(&mut self, id: TaskId, on: BlockedOn, until: Option<Time>) -> u32 {
        let Some(task) = self.get_mut(id) else { return 0 };
        task.generation += 1;
        task.state = TaskState::Blocked(on, until);
        task.generation
    }

    /// Is it still blocked in this generation?
    pub(crate) fn is_blocked(&self, id: TaskId, generation: u32) -> bool {
        self.get(id).is_some_and(|t| t.generation == generation && matches!(t.state, TaskState::Blocked(..)))
    }

    /// Wakes a blocked task. False if it is not blocked in this generation: the first wake counts.
    pub(crate) fn wake(&mut self, id: TaskId, generation: u32, wake: Wake) -> bool {
        if !self.is_blocked(id, generation) {
            return false;
        }
        if let Some(task) = self.get_mut(id) {
            task.state = TaskState::Ready(wake);
        }
        true
    }

    /// Takes the wake of a task that is ready.
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

    /// Some task is at work, or about to be.
    pub(crate) fn any_runs(&self) -> bool {
        self.iter().any(|(_, t)| t.at_work())
    }

    /// A function of whoever drives the run is called, or about to be.
    pub(crate) fn any_told(&self) -> bool {
        self.iter().any(|(_, t)| matches!(t.role, Role::Callback(called) if called.is_outside()) && t.at_work())
    }

    /// From now on nobody waits for what is lost.
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
