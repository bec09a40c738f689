//! Plans: behaviors by name, from which a runner is built.

use super::behavior::ActionBehavior;
use super::inputs::Inputs;
use super::state::State;
use super::validation::{Checker, Law};
use super::{Action, Behavior, BehaviorId, Delegates, Hook, Runner, events};
use boxstep_types::Random;
use boxstep_types::Time;
use std::collections::HashMap;
use std::sync::Arc;

/// What the runner does when its root ends by itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum RootPolicy {
    /// The root is activated again.
    Restart,
    /// The behavior of this name takes over; when that ends, the root is activated again.
    Idle(Arc<str>),
    /// The runner stops.
    #[default]
    Stop,
}

/// The settings of a plan.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The name of the behavior that is given control first. The runner does not ask it whether it wants to run.
    pub root: Arc<str>,
    /// What happens when the root ends.
    pub at_end: RootPolicy,
    /// The behavior that takes over after a livelock; when it ends, the root is activated again. If `None`, the idle
    /// behavior of [`RootPolicy::Idle`] takes over; if there is none, the runner stops.
    pub safe: Option<Arc<str>>,
    /// Whether the delegating behavior is notified of an end at the start of the next tick instead of in the same one.
    pub hand_over_next_tick: bool,
    /// The number of ends that may follow each other within a tick before this is a livelock.
    pub max_hops: u32,
    /// The time that a delegate may take to wind down or to leave scope before it is forced.
    pub settle_within: Time,
    /// The number of behaviors that may delegate to each other in a row: hooks of the last ones are called from within
    /// those of the first.
    pub max_depth: usize,
    /// The seed of [`super::Control::random`]. A runner on an engine's clock uses the engine's seed.
    pub seed: u64,
}

impl Settings {
    /// The default settings: the runner stops when the root ends, ends are notified in the same tick, with at most 100
    /// in one tick, 10 s to settle, and a depth of at most 256.
    pub fn new(root: impl Into<Arc<str>>) -> Self {
        Self {
            root: root.into(),
            at_end: RootPolicy::default(),
            safe: None,
            hand_over_next_tick: false,
            max_hops: 100,
            settle_within: Time::from_millis(10_000),
            max_depth: 256,
            seed: 0,
        }
    }
}

/// The resources by number, and those that each behavior locks.
#[derive(Default)]
pub(super) struct Locks {
    pub(super) names: Vec<Arc<str>>,
    /// The number of each name.
    pub(super) numbers: HashMap<Arc<str>, u32>,
    pub(super) starts: Vec<u32>,
    pub(super) locks: Vec<u32>,
}

impl Locks {
    pub(super) fn range(&self, of: u32) -> std::ops::Range<usize> {
        self.starts[of as usize] as usize..self.starts[of as usize + 1] as usize
    }

    pub(super) fn of(&self, of: u32) -> &[u32] {
        &self.locks[self.range(of)]
    }
}

/// The behaviors that the runner itself activates.
#[derive(Clone, Copy, Debug)]
pub(super) struct Roots {
    pub(super) root: u32,
    pub(super) idle: Option<u32>,
    pub(super) safe: Option<u32>,
}

impl Roots {
    /// Each root once, in the order in which they enter scope.
    pub(super) fn all(&self) -> impl Iterator<Item = u32> + use<> {
        let Self { root, idle, safe } = *self;
        let idle = idle.filter(|i| *i != root);
        let safe = safe.filter(|s| *s != root && Some(*s) != idle);
        std::iter::once(root).chain(idle).chain(safe)
    }
}

/// Behaviors from which a runner is built.
#[derive(Default)]
pub struct Plan {
    names: Vec<Arc<str>>,
    behaviors: super::Behaviors,
    /// Which behaviors are plain actions.
    is_action: Vec<bool>,
}

impl Plan {
    /// Creates an empty plan.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a behavior. If several others declare it, they share this instance.
    pub fn add(&mut self, name: impl Into<Arc<str>>, behavior: impl Behavior + 'static) -> BehaviorId {
        self.push(name.into(), Box::new(behavior), false)
    }

    /// Adds a plain action, to which behaviors delegate as to any behavior.
    pub fn action(&mut self, name: impl Into<Arc<str>>, action: impl Action + 'static) -> BehaviorId {
        self.push(name.into(), Box::new(ActionBehavior(action)), true)
    }

    fn push(&mut self, name: Arc<str>, behavior: Box<dyn Behavior>, is_action: bool) -> BehaviorId {
        let id = BehaviorId(self.names.len() as u32);
        self.names.push(name);
        self.behaviors.push(Some(behavior));
        self.is_action.push(is_action);
        id
    }

    /// Collects the declarations of all behaviors, checks them, and calls [`Behavior::init`] of each in the order in
    /// which they were added. No behavior is in scope before the first tick.
    ///
    /// # Errors
    /// Returns every [`Law`] that is broken, in the order of the behaviors that break it.
    pub fn build(self, settings: Settings) -> Result<Runner, Vec<Law>> {
        let declared: Vec<Delegates> = self.behaviors.iter().map(|b| declared(b.as_deref())).collect();
        let parts = Checker::new(&self.names, &declared, &self.is_action);
        let (by_name, checked) = parts.check(&settings);
        let (graph, roots, locks) = checked?;
        let count = self.names.len();
        let mut runner = Runner {
            behaviors: self.behaviors,
            is_action: self.is_action,
            names: self.names,
            by_name,
            state: State::new(graph, count, locks.names.len()),
            locks,
            host_resources: super::around::HostResources::default(),
            random: Random::new(settings.seed),
            settings,
            roots,
            inputs: Inputs::new(count),
            now: Time::ZERO,
            events: events::EventLog::default(),
            order: super::tick::UpdateOrder::default(),
            walking: false,
        };
        for of in 0..count as u32 {
            runner.call(of, Hook::Init, |b, cx| b.init(cx));
        }
        Ok(runner)
    }
}

/// The declarations of a behavior.
pub(super) fn declared(behavior: Option<&dyn Behavior>) -> Delegates {
    let mut all = Delegates::default();
    if let Some(behavior) = behavior {
        behavior.all_delegates(&mut all);
    }
    all
}
