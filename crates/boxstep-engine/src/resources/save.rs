//! Who holds and who waits, written down and taken up again.

use super::tree::Tree;
use super::{Held, How, Owner, Resources, Waiter, Who};
use crate::graph::BoxId;
use crate::procedures::{Procs, Start};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// All of it. Scripts that wait have a call in flight: there are none at a quiet point.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ResourcesState {
    tree: Tree,
    held: Vec<Held>,
    line: Vec<Waiting>,
    serials: u32,
}

/// Somebody in the line.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Waiting {
    serial: u32,
    who: Waits,
    owner: Owner,
    names: Vec<Arc<str>>,
    optional: Vec<Arc<str>>,
    how: How,
    cause: u64,
}

/// What for.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Waits {
    Start(Start),
    Paused { after: u32, plays: bool },
}

impl Resources {
    /// `None` if somebody in the line is not what a snapshot can hold.
    pub(crate) fn save(&self, procs: &Procs) -> Option<ResourcesState> {
        let waiting = |w: &Waiter| {
            let who = match w.who {
                Who::Start(proc) => Waits::Start(procs.start(proc)?),
                Who::Paused { after, plays } => Waits::Paused { after, plays },
                Who::Script(..) | Who::Free(..) => return None,
            };
            let (names, optional) = (w.names.to_vec(), w.optional.to_vec());
            let (owner, how) = (w.owner.clone(), w.how.clone());
            Some(Waiting { serial: w.serial, who, owner, names, optional, how, cause: w.cause })
        };
        Some(ResourcesState {
            tree: self.tree.clone(),
            held: self.held.clone(),
            line: self.line.iter().map(waiting).collect::<Option<_>>()?,
            serials: self.serials,
        })
    }

    /// The starts in the line wait anew in `procs`.
    pub(crate) fn restore(&mut self, saved: ResourcesState, procs: &mut Procs) {
        self.users = saved.boxes().map(|(id, _)| id).collect();
        (self.tree, self.held, self.serials) = (saved.tree, saved.held, saved.serials);
        let waiter = |w: Waiting| Waiter {
            serial: w.serial,
            who: match w.who {
                Waits::Start(start) => Who::Start(procs.wait_again(start)),
                Waits::Paused { after, plays } => Who::Paused { after, plays },
            },
            owner: w.owner,
            names: w.names.into(),
            optional: w.optional.into(),
            how: w.how,
            cause: w.cause,
        };
        self.line = saved.line.into_iter().map(waiter).collect();
    }
}

impl ResourcesState {
    /// The boxes that hold or wait, and of those that are to be started the inputs.
    pub(crate) fn boxes(&self) -> impl Iterator<Item = (BoxId, Option<u16>)> + '_ {
        let owner = |o: &Owner| match o {
            Owner::Box(id) => Some((*id, None)),
            Owner::Other(_) | Owner::Behavior { .. } => None,
        };
        let start = |w: &Waiting| match &w.who {
            Waits::Start(start) => Some((start.id, Some(start.input))),
            Waits::Paused { .. } => None,
        };
        let owners = self.held.iter().map(|h| &h.owner).chain(self.line.iter().map(|w| &w.owner));
        owners.filter_map(owner).chain(self.line.iter().filter_map(start))
    }

    /// The line is in order of asking, and nobody in it has a number that is still to come.
    pub(crate) fn is_in_order(&self) -> bool {
        self.line.is_sorted_by(|a, b| a.serial < b.serial) && self.line.iter().all(|w| w.serial <= self.serials)
    }
}
