//! Resources as reported by the host of a runner: which of them overlap, and which are in use outside the runner.

use super::state::NONE;
use super::{BehaviorId, Runner};
use std::collections::HashMap;
use std::sync::Arc;

/// The host's report on resources.
#[derive(Default)]
pub(super) struct HostResources {
    /// By resource, the resources that cannot be held beside it: one of the two is a part of the other, or both are the
    /// same.
    overlapping: Vec<Vec<u32>>,
    /// By resource, the users that the host reports: a behavior whose boxes hold it, or [`NONE`] for a user outside the
    /// runner.
    users: Vec<Vec<u32>>,
    /// By resource name in conditions, the resources that it refers to: the same by another name, parts of it, or a
    /// whole it is part of.
    by_condition_name: HashMap<Arc<str>, Vec<u32>>,
}

impl HostResources {
    /// Returns whether two different resources cannot be held at the same time by different behaviors.
    pub(super) fn overlap(&self, one: u32, other: u32) -> bool {
        self.overlapping.get(one as usize).is_some_and(|overlapping| overlapping.contains(&other))
    }
}

impl Runner {
    /// The names of the resources that behaviors lock, by number.
    pub fn resources(&self) -> &[Arc<str>] {
        &self.locks.names
    }

    /// Sets, for each resource, the others that cannot be held beside it (no lists at all if none of the resources is the host's),
    /// and for each name in conditions the resources that it refers to. All are free outside the runner until
    /// [`Runner::set_taken`].
    pub fn set_overlaps(&mut self, overlaps: Vec<Vec<u32>>, looked_at: HashMap<Arc<str>, Vec<u32>>) {
        let users = vec![Vec::new(); overlaps.len()];
        self.host_resources = HostResources { overlapping: overlaps, users, by_condition_name: looked_at };
    }

    /// Sets, for each resource, its users as reported by the host: a behavior of this runner whose boxes hold it, or
    /// [`NOBODY`](super::NOBODY) for a user outside the runner.
    pub fn set_taken(&mut self, taken: Vec<Vec<u32>>) {
        self.host_resources.users = taken;
    }

    /// A number that changes whenever the holders of resources change ([`Runner::holders`]).
    pub fn version(&self) -> u64 {
        self.state.version
    }

    /// For each resource, the behavior that holds it; [`NOBODY`](super::NOBODY) if it is free.
    pub fn holders(&self) -> &[u32] {
        &self.state.holders
    }

    /// The users of a resource, of a part of it, or of a whole that it is part of. `None` is a user outside the runner.
    pub(super) fn users(&self, lock: u32) -> impl Iterator<Item = Option<u32>> + '_ {
        let overlapping = self.host_resources.overlapping.get(lock as usize).into_iter().flatten();
        let locks = std::iter::once(lock).chain(overlapping.copied());
        let own = locks.map(|lock| self.state.holders[lock as usize]).filter(|holder| *holder != NONE).map(Some);
        let users = self.host_resources.users.get(lock as usize).into_iter().flatten();
        own.chain(users.map(|who| (*who != NONE).then_some(*who)))
    }

    /// Returns whether a behavior of this runner holds a resource, a part of it, or a whole it is part of. A behavior
    /// holds its resources until it has wound down. Names in conditions are resolved as the host does
    /// ([`Runner::set_overlaps`]).
    pub fn is_claimed(&self, resource: &str) -> bool {
        let held = |lock: &u32| self.state.holders[*lock as usize] != NONE;
        self.locks.numbers.get(resource).is_some_and(held)
            || self.host_resources.by_condition_name.get(resource).is_some_and(|locks| locks.iter().any(held))
    }

    /// Returns whether the first behavior is the second, or on the path from the root to it.
    pub fn leads_to(&self, one: BehaviorId, other: BehaviorId) -> bool {
        self.state.leads_to(one.0, other.0)
    }
}
