//! Resources: who may use what of the robot.
//!
//! All resources of a box are one group: it gets all or none. A box may use what a box around it
//! holds; any other holder is in its way, unless the resource is a state such as Standing. Public sources:
//! "Resources" (Choregraphe reference), "ALResourceManager" (NAOqi); rules and tests: `docs/semantics/resources.md`.
//!
//! `tree.rs` says which names are one thing, `claims.rs` who holds and who waits, `demand.rs` what a holder does when
//! another asks, `manager.rs` what scripts may ask, `behaviors.rs` what behaviors of runners hold.

mod behaviors;
mod claims;
mod demand;
mod manager;
pub(crate) mod tree;

use crate::ids::{BoxId, ProcId};
use crate::protocol::CallId;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use tree::ResourceTree;
use tree::Tree;

/// ResourceNames of resources that are asked for together.
type ResourceNames = Arc<[Arc<str>]>;

/// Who holds or asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    /// A box.
    Box(BoxId),
    /// A behavior of a runner, by their numbers.
    Behavior { runner: u32, of: u32 },
    /// Anybody else, by the name a script gave.
    Other(Arc<str>),
}

/// Until when something is held, if nobody gives it back before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Until {
    /// Until the box is stopped.
    Stop,
    /// Until the box is unloaded, or the run ends if it is no box's.
    Unload,
}

/// What a holder does when another asks.
#[derive(Clone, Debug, PartialEq, Eq)]
enum OnDemand {
    /// What the mode of the box's resources says.
    Mode,
    /// Nothing.
    Keep,
    /// Its method is called: with the resource and the owner's name.
    Call(Arc<str>),
}

/// How something is held.
#[derive(Clone, Debug, PartialEq, Eq)]
struct How {
    until: Until,
    on_demand: OnDemand,
}

/// A box has taken its resources because it was started.
const STARTED: How = How { until: Until::Stop, on_demand: OnDemand::Mode };

/// A resource that somebody holds.
#[derive(Clone, Debug)]
struct Held {
    name: Arc<str>,
    owner: Owner,
    how: How,
    /// Waiters that have asked for it, so that each asks once.
    asked: Vec<u32>,
}

/// What a script is told of its asking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reply {
    /// Nothing; an error if it was refused.
    Nothing,
    /// Whether it was granted.
    Flag,
    /// Which of the optional ones it got; an error if it was refused.
    Optional,
}

/// What somebody in the line waits for, and who is told.
#[derive(Clone, Debug, PartialEq)]
enum Who {
    /// A box that is being started.
    Start(ProcId),
    /// A script that wants the resources.
    Script(CallId, Reply),
    /// A script that only wants to see them free.
    Free(CallId, Reply),
    /// A box whose timeline has been paused. It lets the one pass who asked for that; then the timeline plays on if
    /// it would be playing.
    Paused { after: u32, plays: bool },
}

/// Somebody in the line.
struct Waiter {
    serial: u32,
    who: Who,
    owner: Owner,
    names: ResourceNames,
    /// Taken too if they are free when the others are.
    optional: ResourceNames,
    how: How,
    /// The event that says that it waits.
    cause: u64,
}

/// Who holds what, in order of taking, and who waits, in order of asking.
pub(crate) struct Resources {
    tree: Tree,
    held: Vec<Held>,
    line: Vec<Waiter>,
    serials: u32,
    /// The line is being served; a release meanwhile is looked at afterwards.
    serving: bool,
    again: bool,
    /// Boxes that have asked for something since they were last unloaded: only of these has anybody to look for what
    /// they hold, among all that is held.
    users: BTreeSet<BoxId>,
    /// What scripts have set as their box's resources, and the timeout.
    own: BTreeMap<BoxId, (ResourceNames, f64)>,
}

/// The answer to somebody who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Claim {
    Granted,
    /// Others hold some of them; who asks is told when they are free or its time is up.
    Wait,
    /// Others hold some of them, and who asks does not wait.
    Refused,
}

impl Resources {
    pub(crate) fn new(tree: ResourceTree) -> Self {
        Self {
            tree: Tree::new(tree),
            held: Vec::new(),
            line: Vec::new(),
            serials: 0,
            serving: false,
            again: false,
            users: BTreeSet::new(),
            own: BTreeMap::new(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.held.len() + self.line.len() + self.own.len()
    }

    /// Does this waiter still wait?
    pub(crate) fn waiting(&self, serial: u32) -> bool {
        self.place(serial).is_some()
    }

    /// Where in the line somebody stands.
    fn place(&self, serial: u32) -> Option<usize> {
        self.line.binary_search_by_key(&serial, |w| w.serial).ok()
    }

    /// May this box hold or wait for anything?
    fn uses(&self, id: BoxId) -> bool {
        self.users.contains(&id)
    }

    /// Does this box hold or wait for anything that its stop gives back?
    pub(crate) fn concerns(&self, id: BoxId) -> bool {
        let me = Owner::Box(id);
        self.uses(id) && (self.held.iter().any(|h| h.owner == me) || self.line.iter().any(|w| w.owner == me))
    }

    /// A box is destroyed: what its script has set is as in the file again.
    pub(crate) fn forget_box(&mut self, id: BoxId) {
        self.own.remove(&id);
    }

    fn serial(&mut self) -> u32 {
        self.serials += 1;
        self.serials
    }
}
