//! The runner: a tree (or a graph without cycles) of behaviors that decide which of them has control, and delegate it
//! to each other.
//!
//! A [`Behavior`] declares once to which others it may delegate. A [`Plan`] of behaviors becomes a [`Runner`], or a
//! list of the [`Law`]s that it breaks. While it is active, a behavior asks its delegates whether they want to run and
//! gives control to one, or to several side by side, through [`Control`]. The runner calls hooks in the promised order,
//! refuses requests that are not allowed ([`Refusal`]), and notifies the delegating behavior of how the delegation has
//! ended ([`End`]), in the same tick.
//!
//! The phases of each behavior are those of the lifecycle kernel ([`crate::lifecycle`], [`Policy::Delegator`]): "in
//! scope" corresponds to a loaded box, "active" to a started one.
//!
//! Public source: "Behavior Lifecycle Overview" (K. Karol, 2017). `docs/reference/runner.md` decides what that leaves open, rule
//! by rule, each with its test.
//!
//! Files: [`behavior`](Behavior), the traits that users implement; `plan.rs` and `validation.rs`, from behaviors to a
//! checked graph; `state.rs`, all mutable state; `control.rs`, requests and their answers; `steps.rs`, entering,
//! starting, ending and leaving; `tick.rs`, the order of a tick; `slow.rs`, delegates that take time; `roots.rs`, the
//! end of the root; `inputs.rs`, subscriptions; `events.rs`, traced events; `around.rs`, resources in use outside the
//! runner; `reload.rs`, replacing the plan while it runs; `walk.rs`, a trial of every reachable path.
//!
//! [`Policy::Delegator`]: crate::lifecycle::Policy::Delegator

mod around;
mod behavior;
mod control;
mod events;
mod inputs;
mod plan;
mod reload;
mod roots;
mod slow;
mod state;
mod steps;
mod tick;
mod validation;
mod walk;

pub use behavior::{Action, Behavior, BehaviorRunner, Control, Delegates, Progress};
pub use events::{Happened, What};
pub use inputs::{Input, TopicId};
pub use plan::{Plan, RootPolicy, Settings};
pub use reload::{Exchange, News, NotTaken};
pub use state::{NONE as NOBODY, View};
pub use validation::{ByName, Law, Way, outline};
pub use walk::{Problem, Report, Visit, Wrong, walk};

use boxstep_types::{Random, Time, Value};
use inputs::Inputs;
use state::State;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

/// The id of a behavior in a runner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BehaviorId(pub u32);

impl BehaviorId {
    /// The index of the behavior: behaviors count from 0 in the order in which they were added to the plan.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The id of one delegation to one behavior. It is never reused, and identifies the delegation when it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ticket(u64);

impl Ticket {
    /// The number of the delegation within its runner.
    pub fn number(self) -> u64 {
        self.0
    }
}

impl fmt::Display for Ticket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

/// The tickets of one request, in the order in which the request named the behaviors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tickets {
    first: u64,
    count: u32,
}

impl Tickets {
    /// The first ticket.
    pub fn first(self) -> Ticket {
        Ticket(self.first)
    }

    /// All tickets.
    pub fn iter(self) -> impl Iterator<Item = Ticket> {
        (self.first..self.first + u64::from(self.count)).map(Ticket)
    }
}

/// The outcome of a delegation.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// It has completed, with this value.
    Done(Value),
    /// It has failed, for this reason.
    Failed(Arc<str>),
    /// It was cancelled: control was taken back.
    Cancelled(By),
}

/// The originator of a cancelled delegation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The behavior itself.
    Itself,
    /// A behavior nearer the root.
    Behavior(BehaviorId),
    /// The runner was stopped.
    Stop,
    /// Behaviors passed control around in no time ([`Settings::max_hops`]).
    Livelock,
    /// Another plan was applied by force ([`Runner::reload_by_force`]).
    Reload,
}

/// A behavior's answer to the question whether it wants to be activated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wants {
    /// It wants to be activated.
    Yes,
    /// It does not want to be activated, or cannot be, for this reason.
    No(WhyNot),
}

/// The reason why a behavior cannot be activated now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhyNot {
    /// The behavior itself says no.
    SaysNo,
    /// It is still entering scope: loading.
    Loading,
    /// It is already active, or waits to be.
    AlreadyActive,
    /// Another behavior holds this resource (its number in the plan), and is not on the path from the root to the
    /// requesting one.
    Taken(u32),
}

/// The reason why a request is refused. A refused request changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Refusal {
    /// The requesting behavior is not active.
    NotActive,
    /// The requesting behavior has delegated control, and must take it back first.
    NotInControl,
    /// The requesting behavior has not declared this delegate.
    NotDeclared,
    /// The requesting behavior has not asked this delegate in this tick, or has already used the answer.
    NotAsked,
    /// The delegate said no, or is still loading.
    SaidNo,
    /// The delegate is already active, waits to be, or was named twice.
    AlreadyActive,
    /// The requesting behavior is being deactivated, is leaving scope, or has ended itself in this call.
    Deactivating,
    /// A behavior cannot make requests while it answers whether it wants to run.
    Asking,
    /// Another behavior holds a resource that the delegate needs, or another delegate of the same request needs it too.
    Taken,
    /// No delegate was named.
    Nobody,
    /// A walk is trying out the plan ([`walk()`]) and makes all decisions.
    Walking,
}

impl fmt::Display for WhyNot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            WhyNot::SaysNo => "it says no",
            WhyNot::Loading => "it is loading",
            WhyNot::AlreadyActive => "it is active already",
            WhyNot::Taken(_) => "another one has a resource that it needs",
        })
    }
}

impl Refusal {
    /// The reason in words, for messages and traces.
    pub fn text(self) -> &'static str {
        match self {
            Refusal::NotActive => "it is not active",
            Refusal::NotInControl => "it has delegated control",
            Refusal::NotDeclared => "that is not a declared delegate",
            Refusal::NotAsked => "the delegate was not asked in this tick",
            Refusal::SaidNo => "the delegate said no",
            Refusal::AlreadyActive => "the delegate is already active",
            Refusal::Deactivating => "it is being deactivated",
            Refusal::Asking => "it cannot make requests while it is asked",
            Refusal::Taken => "another one has a resource that the delegate needs",
            Refusal::Nobody => "no delegate was named",
            Refusal::Walking => "the walk through the plan decides",
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl std::error::Error for Refusal {}

/// A hook of a behavior, from which a request can come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hook {
    /// [`Behavior::init`]
    Init,
    /// [`Behavior::entered_scope`]
    EnteredScope,
    /// [`Behavior::activated`]
    Activated,
    /// [`Behavior::deactivated`]
    Deactivated,
    /// [`Behavior::left_scope`]
    LeftScope,
    /// [`Behavior::wants_to_be_activated`]
    Wants,
    /// [`Behavior::update`]
    Update,
    /// [`Behavior::on_delegate_ended`]
    DelegateEnded,
    /// [`Behavior::settled`] and [`Behavior::forced`]
    Settled,
}

/// The behaviors by number; `None` while a call of the behavior is under way.
type Behaviors = Vec<Option<Box<dyn Behavior>>>;

/// Behaviors, and which of them has control. See the module's documentation.
pub struct Runner {
    behaviors: Behaviors,
    /// Which behaviors are plain actions. While such a behavior is not active, its only hook is the question whether it
    /// wants to run.
    is_action: Vec<bool>,
    names: Vec<Arc<str>>,
    by_name: HashMap<Arc<str>, BehaviorId>,
    locks: plan::Locks,
    host_resources: around::HostResources,
    settings: Settings,
    roots: plan::Roots,
    state: State,
    inputs: Inputs,
    random: Random,
    now: Time,
    events: events::EventLog,
    order: tick::UpdateOrder,
    walking: bool,
}

impl Runner {
    /// The behavior with this name.
    pub fn find(&self, name: &str) -> Option<BehaviorId> {
        self.by_name.get(name).copied()
    }

    /// The name of a behavior; empty if it belongs to another runner.
    pub fn name(&self, id: BehaviorId) -> &str {
        self.names.get(id.index()).map_or("", |name| name)
    }

    /// All behaviors in the order in which they were added, including those of earlier plans ([`Runner::reload`]).
    pub fn behaviors(&self) -> impl Iterator<Item = BehaviorId> + use<> {
        (0..self.names.len() as u32).map(BehaviorId)
    }

    /// The names of all behaviors, in the order in which they were added.
    pub fn names(&self) -> &[Arc<str>] {
        &self.names
    }

    /// The behaviors that can be the root: root, idle and safe behavior.
    pub fn roots(&self) -> impl Iterator<Item = BehaviorId> + '_ {
        self.roots.all().map(BehaviorId)
    }

    /// Returns whether a behavior has declared this delegate.
    pub fn is_delegate(&self, of: BehaviorId, to: BehaviorId) -> bool {
        self.state.graph.edge(of.0, to).is_some()
    }

    /// Restarts the random numbers from this seed.
    pub fn set_seed(&mut self, seed: u64) {
        self.random = Random::new(seed);
    }

    /// Sets the time before the first tick.
    pub fn set_now(&mut self, now: Time) {
        self.now = now;
    }

    /// The delegates that a behavior has declared, in that order.
    pub fn delegates(&self, id: BehaviorId) -> &[BehaviorId] {
        self.state.graph.of(id.0)
    }

    /// The time of the current tick, or of the last one.
    pub fn now(&self) -> Time {
        self.now
    }

    /// The name of a resource by its number in the plan ([`WhyNot::Taken`]); empty if there is none.
    pub fn resource(&self, number: u32) -> &str {
        self.locks.names.get(number as usize).map_or("", |name| name)
    }

    /// The behavior that holds a resource (or one that overlaps with it), so that a delegate of `asks` cannot have it.
    /// `None` if the resource is free, or if its user is not a behavior of this runner.
    pub fn holder(&self, resource: u32, asks: BehaviorId) -> Option<BehaviorId> {
        let shares = |who: u32| self.state.leads_to(who, asks.0) || self.state.leads_to(asks.0, who);
        self.users(resource).find(|who| who.is_none_or(|who| !shares(who))).flatten().map(BehaviorId)
    }

    /// The number of ticks so far.
    pub fn ticks(&self) -> u64 {
        self.state.tick
    }

    /// Returns whether the runner has stopped, and everything has wound down.
    pub fn is_over(&self) -> bool {
        self.state.over && self.state.slow.is_empty()
    }
}
