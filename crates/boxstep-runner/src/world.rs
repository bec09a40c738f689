//! What leaves and conditions need of whoever runs a character, and what the behaviors of a character share.

use crate::model::Do;
use boxstep_engine::runner::{Action, BehaviorId, Progress, Wants};
use boxstep_engine::trace::{ConditionResult, Plan};
use boxstep_types::{Time, Value};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Something that a [`World`] does, or could do: its own number for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Handle(pub u64);

/// Where a character acts: a robot, an engine, a test's double.
///
/// A leaf comes into scope ([`enter`](World::enter)), runs any number of times ([`start`](World::start), then
/// [`poll`](World::poll) once in each tick until it has ended, or [`stop`](World::stop)), and leaves scope
/// ([`leave`](World::leave)). No call may wait.
pub trait World: Send {
    /// A leaf may be asked to do this from now on: load what it needs. `of` is its number in the runner.
    fn enter(&mut self, of: BehaviorId, what: &Do) -> Handle;

    /// Could it begin now?
    fn wants(&mut self, of: Handle) -> bool {
        let _ = of;
        true
    }

    /// Begins, with what the one that delegates gave along. Of several texts to say, `what` has the one that was drawn.
    fn start(&mut self, of: Handle, what: &Do, value: &Value);

    /// How far has it come? Also in the tick in which it has begun.
    fn poll(&mut self, of: Handle) -> Progress;

    /// Leaves off: control was taken from it.
    fn stop(&mut self, of: Handle);

    /// No leaf asks for it any more.
    fn leave(&mut self, of: Handle);

    /// Is what the last of `enter`, `stop` and `leave` has begun over?
    fn settled(&mut self, of: Handle) -> bool {
        let _ = of;
        true
    }

    /// It was not over in time, and is regarded as if it were.
    fn forced(&mut self, of: Handle) {
        let _ = of;
    }

    /// A value of the robot's memory; `None` if there is none. Asked for each key that conditions look at when the first of them is
    /// asked in a tick: what is said then holds for all of that tick.
    fn memory(&mut self, key: &str) -> Option<Value>;

    /// May a value of the robot's memory have changed since this was asked last? If not, nothing is asked for.
    fn memory_changed(&mut self) -> bool {
        true
    }

    /// Has nobody this resource of the robot?
    fn is_free(&mut self, resource: &str) -> bool;

    /// A condition of the world's own; `None` if there is none of this name. Asking may change nothing.
    fn holds(&mut self, name: &str, args: &Value) -> Option<bool> {
        let _ = (name, args);
        None
    }

    /// What [`World::holds`] follows from, in words: for factors.
    fn why(&mut self, name: &str, args: &Value) -> Option<String> {
        let _ = (name, args);
        None
    }
}

/// Makes the action that a `native` leaf is, from what the file tells it.
pub type Native = Arc<dyn Fn(&Value) -> Box<dyn Action> + Send + Sync>;

/// Actions in Rust by the names that files know them by; and where Python files are.
#[derive(Clone, Default)]
pub struct Natives(pub(crate) HashMap<Arc<str>, Native>, pub(crate) Option<PathBuf>);

impl Natives {
    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// These and others, which count where both have a name.
    #[cfg(feature = "testing")]
    pub(crate) fn and(mut self, others: Natives) -> Self {
        self.0.extend(others.0);
        self
    }

    /// The folder with the Python files that a character names, absolute: the engine's scripts run their classes and conditions.
    #[must_use]
    pub fn scripts_in(mut self, folder: impl Into<PathBuf>) -> Self {
        self.1 = Some(folder.into());
        self
    }

    /// Binds a name.
    pub fn bind<A: Action + 'static>(
        mut self,
        name: impl Into<Arc<str>>,
        make: impl Fn(&Value) -> A + Send + Sync + 'static,
    ) -> Self {
        self.0.insert(name.into(), Arc::new(move |args| Box::new(make(args))));
        self
    }
}

/// What the behaviors of a character share: the world, named timers, who is silent, and why who wants to run or not.
#[derive(Clone)]
pub struct Blackboard(Arc<Mutex<Rooms>>);

pub(crate) struct Rooms {
    pub(crate) world: Box<dyn World>,
    names: HashMap<Arc<str>, usize>,
    /// The number of each behavior by name, for good: another version of the character may leave it out and bring it back.
    members: HashMap<Arc<str>, usize>,
    /// When each named timer began.
    pub(crate) timers: Vec<Option<Time>>,
    memory: Memory,
    /// By behavior: who silences it.
    pub(crate) silenced: Vec<Vec<Arc<str>>>,
    pub(crate) explains: bool,
    factors: HashMap<Arc<str>, ConditionResult>,
    watched: HashMap<Arc<str>, Vec<ConditionResult>>,
    /// Who is in the character, until that is told.
    pub(crate) plan: Option<Plan>,
    /// By behavior: how many lines have been told of it.
    pub(crate) lines: Vec<u64>,
    /// How each child answered who asked it, as far as that was told.
    pub(crate) answers: HashMap<(BehaviorId, BehaviorId), Wants>,
}

/// What conditions look at of the robot's memory.
#[derive(Default)]
struct Memory {
    names: HashMap<Arc<str>, usize>,
    values: Vec<(Arc<str>, Option<Value>)>,
    /// The tick that they are of; `None` if there is one that was never asked for.
    tick: Option<u64>,
}

impl Blackboard {
    pub(crate) fn new(world: Box<dyn World>, behaviors: usize) -> Self {
        Self(Arc::new(Mutex::new(Rooms {
            world,
            names: HashMap::new(),
            members: HashMap::with_capacity(behaviors),
            timers: Vec::new(),
            memory: Memory::default(),
            silenced: Vec::with_capacity(behaviors),
            explains: false,
            factors: HashMap::new(),
            watched: HashMap::new(),
            lines: Vec::with_capacity(behaviors),
            plan: None,
            answers: HashMap::new(),
        })))
    }

    /// A behavior that panicked while it was inside has left nothing half done that others read.
    pub(crate) fn open(&self) -> MutexGuard<'_, Rooms> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// From now on conditions say why they are true or not (or no longer).
    pub fn explain(&self, on: bool) {
        let mut rooms = self.open();
        rooms.explains = on;
        rooms.factors.clear();
        rooms.watched.clear();
    }

    /// Why a behavior wanted to run or not when it was last updated in scope. `None` if it has no condition, was not in scope since
    /// [`Blackboard::explain`] was called, or has left scope.
    pub fn factors(&self, behavior: &str) -> Option<ConditionResult> {
        self.open().factors.get(behavior).cloned()
    }

    /// What a running behavior watched when it was last updated, and what it found: its `until`, or the conditions of the transitions out of its
    /// state, each under a line that names where it leads. Empty if it watches nothing or does not run.
    pub fn watched(&self, behavior: &str) -> Vec<ConditionResult> {
        self.open().watched.get(behavior).cloned().unwrap_or_default()
    }

    /// Does nobody silence anything?
    #[cfg(feature = "testing")]
    pub(crate) fn is_still(&self) -> bool {
        self.open().silenced.iter().all(Vec::is_empty)
    }

    /// When a named timer began.
    pub fn timer(&self, name: &str) -> Option<Time> {
        let rooms = self.open();
        rooms.names.get(name).and_then(|number| rooms.timers[*number])
    }
}

impl Rooms {
    /// The number of a named timer.
    pub(crate) fn timer(&mut self, name: &Arc<str>) -> usize {
        let next = self.timers.len();
        let number = *self.names.entry(name.clone()).or_insert(next);
        if number == next {
            self.timers.push(None);
        }
        number
    }

    /// The number of a key of the robot's memory.
    pub(crate) fn key(&mut self, name: &Arc<str>) -> usize {
        let Memory { names, values, tick } = &mut self.memory;
        *names.entry(name.clone()).or_insert_with(|| {
            *tick = None;
            values.push((name.clone(), None));
            values.len() - 1
        })
    }

    /// The value of a key, as it is in this tick.
    pub(crate) fn memory(&mut self, key: usize, tick: u64) -> Option<&Value> {
        let Memory { values, tick: of, .. } = &mut self.memory;
        if *of != Some(tick) {
            // Asked always, so that a change is not told twice.
            let changed = self.world.memory_changed();
            if of.is_none() || changed {
                values.iter_mut().for_each(|(name, value)| *value = self.world.memory(name));
            }
            *of = Some(tick);
        }
        values[key].1.as_ref()
    }

    /// The number of a behavior that has one.
    pub(crate) fn known(&self, name: &str) -> Option<usize> {
        self.members.get(name).copied()
    }

    /// The number of a behavior.
    pub(crate) fn member(&mut self, name: &Arc<str>) -> usize {
        let next = self.silenced.len();
        let number = *self.members.entry(name.clone()).or_insert(next);
        if number == next {
            self.silenced.push(Vec::new());
            self.lines.push(0);
        }
        number
    }

    pub(crate) fn watches(&mut self, behavior: &Arc<str>, factors: Vec<ConditionResult>) {
        match factors.is_empty() {
            true => self.watched.remove(behavior),
            false => self.watched.insert(behavior.clone(), factors),
        };
    }

    pub(crate) fn explained(&mut self, behavior: &Arc<str>, factor: Option<ConditionResult>) {
        match factor {
            Some(factor) => self.factors.insert(behavior.clone(), factor),
            None => self.factors.remove(behavior),
        };
    }
}
