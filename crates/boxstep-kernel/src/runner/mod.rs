//! Behaviors that decide who has control: a tree (or a graph without cycles) of behaviors that delegate to each other.
//!
//! A [`Behavior`] says once which others it may ever delegate to; a [`Plan`] of them becomes a [`Runner`], or a list of
//! [`Law`]s that it breaks. While it is active, a behavior asks its delegates whether they want to run and gives control to
//! one, or to several side by side, through [`Control`]. The runner sees to it that hooks come in the promised order,
//! refuses requests that are not allowed ([`Refusal`]), and notifies the delegating behavior how the delegation has ended ([`End`]), in the
//! same tick.
//!
//! The phases of each behavior are those of the one lifecycle kernel ([`crate::lifecycle`], [`Policy::Delegator`]): "in
//! scope" is what loaded is for a box, "active" what started is.
//!
//! Public source: "Behavior Lifecycle Overview" (K. Karol, 2017). What it leaves open is decided, rule by rule and with
//! the test that holds each, in `docs/runner.md`.
//!
//! Files: [`behavior`](Behavior) what users write; `plan.rs`, `validation.rs` from behaviors to a checked graph; `state.rs` all
//! that can change; `control.rs` requests and their answers; `steps.rs` what enters, starts, ends and leaves; `tick.rs` the order of a
//! tick; `slow.rs` delegates that take time; `roots.rs` what becomes of the root; `inputs.rs` subscriptions; `events.rs` what is
//! traced; `around.rs` resources in use outside the runner; `reload.rs` another plan while it runs; `walk.rs` every reachable path, tried out.
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

/// A behavior of a runner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BehaviorId(pub u32);

impl BehaviorId {
    /// Counts behaviors in the order in which they were added to the plan, from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One delegation to one behavior, never used again: what ends is the ticket.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ticket(u64);

impl Ticket {
    /// Counts the delegations of a runner.
    pub fn number(self) -> u64 {
        self.0
    }
}

impl fmt::Display for Ticket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

/// The tickets of one request, in the order in which it named the behaviors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tickets {
    first: u64,
    count: u32,
}

impl Tickets {
    /// The ticket of the first.
    pub fn first(self) -> Ticket {
        Ticket(self.first)
    }

    /// All of them.
    pub fn iter(self) -> impl Iterator<Item = Ticket> {
        (self.first..self.first + u64::from(self.count)).map(Ticket)
    }
}

/// How a delegation has ended.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// It has done what it was for.
    Done(Value),
    /// It could not: why.
    Failed(Arc<str>),
    /// Control was taken back.
    Cancelled(By),
}

/// The reason for a cancelled delegation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The behavior itself.
    Itself,
    /// A behavior nearer the root.
    Behavior(BehaviorId),
    /// The runner was stopped.
    Stop,
    /// Behaviors handed control round in no time ([`Settings::max_hops`]).
    Livelock,
    /// Another plan was taken by force ([`Runner::reload_by_force`]).
    Reload,
}

/// What a behavior answered when it was asked whether it wants to be activated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wants {
    /// It wants to.
    Yes,
    /// It does not, or cannot: why.
    No(WhyNot),
}

/// Why a behavior cannot be activated now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhyNot {
    /// It said so.
    SaysNo,
    /// It is still coming into scope: loading.
    Loading,
    /// It is active already, or waits to be.
    AlreadyActive,
    /// Another behavior has this resource (its number in the plan), and is not on the path from the root to the requesting one.
    Taken(u32),
}

/// Why a request is refused. A refused request changes nothing.
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
    /// The delegate is active already, or waits to be, or was named twice.
    AlreadyActive,
    /// The requesting behavior is being deactivated, is leaving scope, or has ended itself in this call.
    Deactivating,
    /// A behavior that answers whether it wants to run cannot act.
    Asking,
    /// Another behavior has a resource that the delegate, or another delegate of the same request, needs.
    Taken,
    /// No delegate was named.
    Nobody,
    /// A walk is trying out the plan ([`walk()`]): it alone decides.
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
    /// In words, for messages and traces.
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

/// A hook of a behavior: from where a request is made.
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

/// By number; `None` while a call of it is under way.
type Behaviors = Vec<Option<Box<dyn Behavior>>>;

/// Behaviors, and who of them has control. See the module's documentation.
pub struct Runner {
    behaviors: Behaviors,
    /// Which are plain actions: while they are not active there is nothing to call them for but to ask them.
    plain: Vec<bool>,
    names: Vec<Arc<str>>,
    by_name: HashMap<Arc<str>, BehaviorId>,
    locks: plan::Locks,
    around: around::Around,
    settings: Settings,
    roots: plan::Roots,
    state: State,
    inputs: Inputs,
    random: Random,
    now: Time,
    events: events::EventLog,
    order: tick::Order,
    walking: bool,
}

impl Runner {
    /// A behavior by its name.
    pub fn find(&self, name: &str) -> Option<BehaviorId> {
        self.by_name.get(name).copied()
    }

    /// The name of a behavior; empty if it is of another runner.
    pub fn name(&self, id: BehaviorId) -> &str {
        self.names.get(id.index()).map_or("", |name| name)
    }

    /// All behaviors, in the order in which they were added; those of earlier plans among them ([`Runner::reload`]).
    pub fn behaviors(&self) -> impl Iterator<Item = BehaviorId> + use<> {
        (0..self.names.len() as u32).map(BehaviorId)
    }

    /// The names of all behaviors, in the order in which they were added.
    pub fn names(&self) -> &[Arc<str>] {
        &self.names
    }

    /// The behaviors that can be the root.
    pub fn roots(&self) -> impl Iterator<Item = BehaviorId> + '_ {
        self.roots.all().map(BehaviorId)
    }

    /// Has a behavior declared this delegate?
    pub fn is_delegate(&self, of: BehaviorId, to: BehaviorId) -> bool {
        self.state.graph.edge(of.0, to).is_some()
    }

    /// Random numbers begin anew, from this seed.
    pub fn set_seed(&mut self, seed: u64) {
        self.random = Random::new(seed);
    }

    /// The time, before there has been a tick.
    pub fn set_now(&mut self, now: Time) {
        self.now = now;
    }

    /// The delegates that a behavior has declared, in that order.
    pub fn delegates(&self, id: BehaviorId) -> &[BehaviorId] {
        self.state.graph.of(id.0)
    }

    /// The time of the tick that is under way, or of the last one.
    pub fn now(&self) -> Time {
        self.now
    }

    /// The name of a resource by its number in the plan ([`WhyNot::Taken`]); empty if there is none.
    pub fn resource(&self, number: u32) -> &str {
        self.locks.names.get(number as usize).map_or("", |name| name)
    }

    /// The behavior that has a resource, by its number in the plan, or another one that overlaps with it, so that a delegate of this
    /// one cannot have it. `None` if it is free, or if its owner is not a behavior of this runner.
    pub fn holder(&self, resource: u32, asks: BehaviorId) -> Option<BehaviorId> {
        let shares = |who: u32| self.state.leads_to(who, asks.0) || self.state.leads_to(asks.0, who);
        self.users(resource).find(|who| who.is_none_or(|who| !shares(who))).flatten().map(BehaviorId)
    }

    /// How many ticks there have been.
    pub fn ticks(&self) -> u64 {
        self.state.tick
    }

    /// Has the runner stopped, and everything wound down?
    pub fn is_over(&self) -> bool {
        self.state.over && self.state.slow.is_empty()
    }
}
