//! Behaviors by name, and the runner that they become.

use super::behavior::Plain;
use super::inputs::Inputs;
use super::state::State;
use super::validation::{Law, Parts};
use super::{Action, Behavior, BehaviorId, Delegates, Hook, Runner, events};
use boxstep_types::Random;
use boxstep_types::Time;
use std::collections::HashMap;
use std::sync::Arc;

/// What becomes of the run when its root ends by itself.
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

/// How a plan is run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The name of the behavior that is given control first. The runner does not ask it.
    pub root: Arc<str>,
    /// What follows when the root ends.
    pub at_end: RootPolicy,
    /// The behavior that takes over after a livelock; when it ends, the root is activated again. `None`: that of
    /// [`RootPolicy::Idle`]; if there is none, the runner stops.
    pub safe: Option<Arc<str>>,
    /// The delegating behavior is notified of an end at the start of the next tick, and not in the same one.
    pub hand_over_next_tick: bool,
    /// How many ends may follow each other within a tick before that is a livelock.
    pub max_hops: u32,
    /// How long a delegate that takes time may wind down or leave scope, before it is forced.
    pub settle_within: Time,
    /// How many behaviors may delegate to each other in a row: hooks of the last ones are called from within those of the first.
    pub max_depth: usize,
    /// Seed of [`super::Control::random`]. On an engine's clock the engine's seed is used.
    pub seed: u64,
}

impl Settings {
    /// A root that stops the runner when it ends, ends told in the same tick, at most 100 of them in one, 10 s to
    /// settle, a depth of at most 256.
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

/// Resources by number, and which each behavior locks.
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

/// Behaviors that the runner itself activates.
#[derive(Clone, Copy, Debug)]
pub(super) struct Roots {
    pub(super) root: u32,
    pub(super) idle: Option<u32>,
    pub(super) safe: Option<u32>,
}

impl Roots {
    /// Each once, in the order in which they come into scope.
    pub(super) fn all(&self) -> impl Iterator<Item = u32> + use<> {
        let Self { root, idle, safe } = *self;
        let idle = idle.filter(|i| *i != root);
        let safe = safe.filter(|s| *s != root && Some(*s) != idle);
        std::iter::once(root).chain(idle).chain(safe)
    }
}

/// Behaviors that are to become a runner.
#[derive(Default)]
pub struct Plan {
    names: Vec<Arc<str>>,
    behaviors: super::Behaviors,
    /// Which are plain actions.
    plain: Vec<bool>,
}

impl Plan {
    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a behavior. One that several others declare is one instance, shared by them.
    pub fn add(&mut self, name: impl Into<Arc<str>>, behavior: impl Behavior + 'static) -> BehaviorId {
        self.push(name.into(), Box::new(behavior), false)
    }

    /// Adds a plain action, which behaviors delegate to like to any behavior.
    pub fn action(&mut self, name: impl Into<Arc<str>>, action: impl Action + 'static) -> BehaviorId {
        self.push(name.into(), Box::new(Plain(action)), true)
    }

    fn push(&mut self, name: Arc<str>, behavior: Box<dyn Behavior>, plain: bool) -> BehaviorId {
        let id = BehaviorId(self.names.len() as u32);
        self.names.push(name);
        self.behaviors.push(Some(behavior));
        self.plain.push(plain);
        id
    }

    /// Asks all behaviors for their delegates, checks what they say, and calls [`Behavior::init`] of each in the
    /// order in which they were added. No behavior is in scope before the first tick.
    ///
    /// # Errors
    /// Every [`Law`] that is broken, in the order of the behaviors that break it.
    pub fn build(self, settings: Settings) -> Result<Runner, Vec<Law>> {
        let declared: Vec<Delegates> = self.behaviors.iter().map(|b| declared(b.as_deref())).collect();
        let parts = Parts::new(&self.names, &declared, &self.plain);
        let (by_name, checked) = parts.check(&settings);
        let (graph, roots, locks) = checked?;
        let count = self.names.len();
        let mut runner = Runner {
            behaviors: self.behaviors,
            plain: self.plain,
            names: self.names,
            by_name,
            state: State::new(graph, count, locks.names.len()),
            locks,
            around: super::around::Around::default(),
            random: Random::new(settings.seed),
            settings,
            roots,
            inputs: Inputs::new(count),
            now: Time::ZERO,
            events: events::EventLog::default(),
            order: super::tick::Order::default(),
            walking: false,
        };
        for of in 0..count as u32 {
            runner.call(of, Hook::Init, |b, cx| b.init(cx));
        }
        Ok(runner)
    }
}

/// What a behavior says of itself.
pub(super) fn declared(behavior: Option<&dyn Behavior>) -> Delegates {
    let mut all = Delegates::default();
    if let Some(behavior) = behavior {
        behavior.all_delegates(&mut all);
    }
    all
}
