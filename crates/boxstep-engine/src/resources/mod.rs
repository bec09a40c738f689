//! Resources: which box may use which part of the robot.
//!
//! All resources of a box are one group: the box gets all or none. A box may use what a box around it holds; any other
//! holder is in its way, unless the resource is a state such as Standing. Public sources: "Resources" (Choregraphe
//! reference), "ALResourceManager" (NAOqi); rules and tests: `docs/reference/semantics/resources.md`.
//!
//! `tree.rs` says which names overlap, `claims.rs` keeps holders and waiters, `release.rs` says what they lose,
//! `demand.rs` how a holder reacts to requests, `manager.rs` has the requests of scripts, `behaviors.rs` the claims of
//! behaviors of runners, `events.rs` what the trace says of it.

mod behaviors;
mod claims;
mod demand;
mod events;
mod manager;
mod release;
pub(crate) mod tree;

pub(crate) use demand::Demand;
pub(crate) use manager::ResourceStep;
pub(crate) use release::{Freed, Release};

use crate::context::Cause;
use crate::ids::{BoxId, ProcId};
use crate::protocol::CallId;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use tree::ResourceTree;
use tree::Tree;

/// Names of resources that are requested together.
pub(crate) type ResourceNames = Arc<[Arc<str>]>;

/// An owner of a claim or a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    /// A box.
    Box(BoxId),
    /// A behavior of a runner, by their numbers.
    Behavior { runner: u32, of: u32 },
    /// Any other owner, by the name that a script gave.
    Other(Arc<str>),
}

/// When a claim ends at the latest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Until {
    /// When the box is stopped.
    Stop,
    /// When the box is unloaded; at the end of the run if the owner is not a box.
    Unload,
}

/// Terms a holder reacts to a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum OnDemand {
    /// As the mode of the box's resources says.
    Mode,
    /// It keeps the resource.
    Keep,
    /// This method is called, with the resource and the owner's name.
    Call(Arc<str>),
}

/// The terms of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Terms {
    until: Until,
    on_demand: OnDemand,
}

/// The terms of a box that has taken its resources because it was started.
const STARTED: Terms = Terms { until: Until::Stop, on_demand: OnDemand::Mode };

/// A claim.
#[derive(Clone, Debug)]
struct Held {
    name: Arc<str>,
    owner: Owner,
    terms: Terms,
    /// The serial numbers of the waiters that have asked for it, so that each asks once.
    asked: Vec<u32>,
}

/// The form of the answer to a script's request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reply {
    /// Nothing; an error if it was refused.
    Nothing,
    /// Whether it was granted.
    Flag,
    /// Which of the optional resources it got; an error if the request was refused.
    Optional,
}

/// What a waiter wants, and where its answer goes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Who {
    /// A box that is being started.
    Start(ProcId),
    /// A script that requests the resources.
    Script(CallId, Reply),
    /// A script that waits until the resources are free, without taking them.
    Free(CallId, Reply),
    /// A box whose timeline has been paused. It waits for the request that paused it; then the timeline plays on if
    /// `plays` is set.
    Paused { after: u32, plays: bool },
}

/// A waiter in the queue.
struct Waiter {
    serial: u32,
    who: Who,
    owner: Owner,
    names: ResourceNames,
    /// Resources that are also taken if they are free when the others are.
    optional: ResourceNames,
    terms: Terms,
    /// The number of the trace event that says that it waits.
    cause: Cause,
}

/// The claims, in the order in which they were taken, and the waiters, in the order of their requests.
pub(crate) struct Resources {
    tree: Tree,
    held: Vec<Held>,
    queue: Vec<Waiter>,
    serials: u32,
    /// Whether the queue is being served; `again` records a release in the meantime, which is handled afterwards.
    serving: bool,
    again: bool,
    /// Boxes that have made a request since they were last unloaded: only their claims have to be looked for among all
    /// claims.
    users: BTreeSet<BoxId>,
    /// The resources and the timeout in seconds that scripts have set for their boxes.
    own: BTreeMap<BoxId, (ResourceNames, f64)>,
}

/// The answer to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Claim {
    Granted,
    /// Other owners hold some of the resources; the waiter is notified when they are free or its time is over.
    Wait,
    /// Other owners hold some of the resources, and the request does not wait.
    Refused,
}

impl Resources {
    pub(crate) fn new(tree: ResourceTree) -> Self {
        Self {
            tree: Tree::new(tree),
            held: Vec::new(),
            queue: Vec::new(),
            serials: 0,
            serving: false,
            again: false,
            users: BTreeSet::new(),
            own: BTreeMap::new(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.held.len() + self.queue.len() + self.own.len()
    }

    /// Returns whether this waiter still waits.
    pub(crate) fn waiting(&self, serial: u32) -> bool {
        self.position(serial).is_some()
    }

    /// Returns the position of a waiter in the queue.
    fn position(&self, serial: u32) -> Option<usize> {
        self.queue.binary_search_by_key(&serial, |w| w.serial).ok()
    }

    /// Returns whether this box can hold or wait for any resources.
    #[inline]
    pub(crate) fn uses(&self, id: BoxId) -> bool {
        self.users.contains(&id)
    }

    /// Returns whether this box holds or waits for resources that its stop releases.
    pub(crate) fn concerns(&self, id: BoxId) -> bool {
        let me = Owner::Box(id);
        self.uses(id) && (self.held.iter().any(|h| h.owner == me) || self.queue.iter().any(|w| w.owner == me))
    }

    /// Resets the resources of a destroyed box to those of the file.
    pub(crate) fn forget_box(&mut self, id: BoxId) {
        self.own.remove(&id);
    }

    fn serial(&mut self) -> u32 {
        self.serials += 1;
        self.serials
    }
}
