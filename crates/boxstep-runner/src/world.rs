//! The interface of a character to its environment, and the state that its behaviors share.

use crate::ears::Ears;
use crate::model::Do;
use boxstep_engine::runner::{Action, BehaviorId, Progress, Wants};
use boxstep_engine::trace::{ConditionResult, Plan};
use boxstep_types::{Time, Value};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Identifies an action of a [`World`]; the world chooses the number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Handle(pub u64);

/// The environment in which a character acts: a robot, an engine, a test double.
///
/// A leaf enters scope ([`enter`](World::enter)), runs any number of times ([`start`](World::start), then
/// [`poll`](World::poll) once in each tick until it has ended, or [`stop`](World::stop)), and leaves scope
/// ([`leave`](World::leave)). No call may block.
pub trait World: Send {
    /// Prepares an action that a leaf may start from now on, e.g. loads what it needs. `of` is the leaf's number in the
    /// runner.
    fn enter(&mut self, of: BehaviorId, what: &Do) -> Handle;

    /// Returns whether the action could start now.
    fn wants(&mut self, of: Handle) -> bool {
        let _ = of;
        true
    }

    /// Returns why the robot that an action needs is not there, if it is not.
    fn absence(&mut self, of: Handle) -> Option<String> {
        let _ = of;
        None
    }

    /// Returns whether a character on another robot wants the action now; `None` if only its leaf decides that.
    fn wished(&mut self, of: Handle) -> Option<bool> {
        let _ = of;
        None
    }

    /// Starts an action, with the value that the delegating behavior passes. If the leaf has several texts to say,
    /// `what` has only the one that was drawn.
    fn start(&mut self, of: Handle, what: &Do, value: &Value);

    /// Returns the progress of an action. Also called in the tick in which it was started.
    fn poll(&mut self, of: Handle) -> Progress;

    /// Stops an action, because its leaf has lost control.
    fn stop(&mut self, of: Handle);

    /// Releases an action, because its leaf has left scope.
    fn leave(&mut self, of: Handle);

    /// Returns whether the work that the last `enter`, `stop` or `leave` began is complete.
    fn settled(&mut self, of: Handle) -> bool {
        let _ = of;
        true
    }

    /// Notifies the world that the work was not complete in time, and now counts as complete.
    fn forced(&mut self, of: Handle) {
        let _ = of;
    }

    /// Returns a value of the robot's memory; `None` if there is none. When the first condition reads the memory in a
    /// tick, this is called for each key that conditions read, and the values hold for the whole tick.
    fn memory(&mut self, key: &str) -> Option<Value>;

    /// Returns whether a value of the robot's memory may have changed since the last call of this method. If not, no
    /// values are requested.
    fn memory_changed(&mut self) -> bool {
        true
    }

    /// Returns whether nobody has this resource of the robot.
    fn is_free(&mut self, resource: &str) -> bool;

    /// Returns the language of what the robot hears, such as `English`: its lexicon has the concepts of patterns.
    fn language(&mut self) -> String {
        "English".to_owned()
    }

    /// Evaluates a condition of the world; `None` if there is none of this name. The call must not have side effects.
    fn holds(&mut self, name: &str, args: &Value) -> Option<bool> {
        let _ = (name, args);
        None
    }

    /// Explains the result of [`World::holds`], in words.
    fn why(&mut self, name: &str, args: &Value) -> Option<String> {
        let _ = (name, args);
        None
    }
}

/// Creates the action of a `native` leaf, from its arguments in the file.
pub type Native = Arc<dyn Fn(&Value) -> Box<dyn Action> + Send + Sync>;

/// Actions in Rust by the names that files use, and the folder of Python files.
#[derive(Clone, Default)]
pub struct Natives(pub(crate) HashMap<Arc<str>, Native>, pub(crate) Option<PathBuf>);

impl Natives {
    /// Creates an empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns this set extended by another, which takes precedence.
    #[cfg(feature = "testing")]
    pub(crate) fn and(mut self, others: Natives) -> Self {
        self.0.extend(others.0);
        self
    }

    /// Sets the absolute path of the folder of the Python files that a character names: the engine's script host runs
    /// their classes and conditions.
    #[must_use]
    pub fn scripts_in(mut self, folder: impl Into<PathBuf>) -> Self {
        self.1 = Some(folder.into());
        self
    }

    /// Binds an action to a name.
    pub fn bind<A: Action + 'static>(
        mut self,
        name: impl Into<Arc<str>>,
        make: impl Fn(&Value) -> A + Send + Sync + 'static,
    ) -> Self {
        self.0.insert(name.into(), Arc::new(move |args| Box::new(make(args))));
        self
    }
}

/// The state that the behaviors of a character share: the world, named timers, silenced behaviors, and the reasons why
/// behaviors want to run or not.
#[derive(Clone)]
pub struct Blackboard(Arc<Mutex<SharedState>>);

pub(crate) struct SharedState {
    pub(crate) world: Box<dyn World>,
    names: HashMap<Arc<str>, usize>,
    /// The number of each behavior by name. Numbers are permanent, because a version of the character may leave a
    /// behavior out and a later one may bring it back.
    members: HashMap<Arc<str>, usize>,
    /// By timer: when it started.
    pub(crate) timers: Vec<Option<Time>>,
    memory: Memory,
    pub(crate) ears: Ears,
    /// By behavior: the names of the behaviors that silence it.
    pub(crate) silenced: Vec<Vec<Arc<str>>>,
    pub(crate) explains: bool,
    factors: HashMap<Arc<str>, ConditionResult>,
    watched: HashMap<Arc<str>, Vec<ConditionResult>>,
    /// The description of the behaviors, until it is emitted.
    pub(crate) plan: Option<Plan>,
    /// By behavior: the number of events that it has emitted.
    pub(crate) lines: Vec<u64>,
    /// The last answer of each child to each parent that was emitted.
    pub(crate) answers: HashMap<(BehaviorId, BehaviorId), Wants>,
}

/// The values of the robot's memory that conditions read.
#[derive(Default)]
struct Memory {
    names: HashMap<Arc<str>, usize>,
    values: Vec<(Arc<str>, Option<Value>)>,
    /// The tick of the values; `None` if a key has no value yet.
    tick: Option<u64>,
}

impl Blackboard {
    pub(crate) fn new(world: Box<dyn World>, behaviors: usize) -> Self {
        Self(Arc::new(Mutex::new(SharedState {
            world,
            names: HashMap::new(),
            members: HashMap::with_capacity(behaviors),
            timers: Vec::new(),
            memory: Memory::default(),
            ears: Ears::default(),
            silenced: Vec::with_capacity(behaviors),
            explains: false,
            factors: HashMap::new(),
            watched: HashMap::new(),
            lines: Vec::with_capacity(behaviors),
            plan: None,
            answers: HashMap::new(),
        })))
    }

    /// Locks the state. A behavior that panicked while it held the lock has left no half-done change that others read.
    pub(crate) fn lock(&self) -> MutexGuard<'_, SharedState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Switches on or off whether conditions record why they are true or not.
    pub fn explain(&self, on: bool) {
        let mut shared = self.lock();
        shared.explains = on;
        shared.factors.clear();
        shared.watched.clear();
    }

    /// Returns why a behavior wanted to run or not when it was last updated in scope. `None` if it has no condition,
    /// was not in scope since [`Blackboard::explain`] was called, or has left scope.
    pub fn factors(&self, behavior: &str) -> Option<ConditionResult> {
        self.lock().factors.get(behavior).cloned()
    }

    /// Returns the conditions that a running behavior watched when it was last updated, with their results: its
    /// `until`, or the conditions of the transitions out of its state, each below an entry that names the two states.
    /// Empty if it watches nothing or does not run.
    pub fn watched(&self, behavior: &str) -> Vec<ConditionResult> {
        self.lock().watched.get(behavior).cloned().unwrap_or_default()
    }

    /// Returns whether no behavior is silenced.
    #[cfg(feature = "testing")]
    pub(crate) fn is_still(&self) -> bool {
        self.lock().silenced.iter().all(Vec::is_empty)
    }

    /// Returns when a named timer started.
    pub fn timer(&self, name: &str) -> Option<Time> {
        let shared = self.lock();
        shared.names.get(name).and_then(|number| shared.timers[*number])
    }
}

impl SharedState {
    /// Returns the number of a named timer.
    pub(crate) fn timer_number(&mut self, name: &Arc<str>) -> usize {
        let next = self.timers.len();
        let number = *self.names.entry(name.clone()).or_insert(next);
        if number == next {
            self.timers.push(None);
        }
        number
    }

    /// Returns the number of a key of the robot's memory.
    pub(crate) fn key_number(&mut self, name: &Arc<str>) -> usize {
        let Memory { names, values, tick } = &mut self.memory;
        *names.entry(name.clone()).or_insert_with(|| {
            *tick = None;
            values.push((name.clone(), None));
            values.len() - 1
        })
    }

    /// Returns the value of a key in this tick.
    pub(crate) fn memory(&mut self, key: usize, tick: u64) -> Option<&Value> {
        let Memory { values, tick: of, .. } = &mut self.memory;
        if *of != Some(tick) {
            // Always called, so that a change is not reported twice.
            let changed = self.world.memory_changed();
            if of.is_none() || changed {
                values.iter_mut().for_each(|(name, value)| *value = self.world.memory(name));
            }
            *of = Some(tick);
        }
        values[key].1.as_ref()
    }

    /// Returns the number of a behavior, if it has one.
    pub(crate) fn find_member(&self, name: &str) -> Option<usize> {
        self.members.get(name).copied()
    }

    /// Returns the number of a behavior, and assigns one if it has none.
    pub(crate) fn member_number(&mut self, name: &Arc<str>) -> usize {
        let next = self.silenced.len();
        let number = *self.members.entry(name.clone()).or_insert(next);
        if number == next {
            self.silenced.push(Vec::new());
            self.lines.push(0);
        }
        number
    }

    pub(crate) fn set_watched(&mut self, behavior: &Arc<str>, factors: Vec<ConditionResult>) {
        match factors.is_empty() {
            true => self.watched.remove(behavior),
            false => self.watched.insert(behavior.clone(), factors),
        };
    }

    pub(crate) fn set_factors(&mut self, behavior: &Arc<str>, factor: Option<ConditionResult>) {
        match factor {
            Some(factor) => self.factors.insert(behavior.clone(), factor),
            None => self.factors.remove(behavior),
        };
    }
}
