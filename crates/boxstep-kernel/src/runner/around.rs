//! What the host of a runner reports about its resources: which of them overlap, and which are in use outside the runner.

use super::state::NONE;
use super::{BehaviorId, Runner};
use std::collections::HashMap;
use std::sync::Arc;

/// The resources in use outside the runner, as its host reports them.
#[derive(Default)]
pub(super) struct Around {
    /// By lock, the locks that cannot be had beside it: of these two one is a part of the other, or both are one resource.
    near: Vec<Vec<u32>>,
    /// By lock, who has it: a behavior whose boxes do, [`NONE`] for anybody outside.
    had: Vec<Vec<u32>>,
    /// By name of a resource that conditions look at: the locks that are that resource by other names, parts of it, or what it is a part of.
    looked: HashMap<Arc<str>, Vec<u32>>,
}

impl Around {
    /// Can these two be had by one only, although they are two locks?
    pub(super) fn overlap(&self, one: u32, other: u32) -> bool {
        self.near.get(one as usize).is_some_and(|near| near.contains(&other))
    }
}

impl Runner {
    /// The resources that behaviors lock, by their numbers.
    pub fn resources(&self) -> &[Arc<str>] {
        &self.locks.names
    }

    /// For each resource which others cannot be had beside it (nothing at all if none is the host's), and for each name that conditions look
    /// at which resources it stands for. All of them are free outside the runner until [`Runner::set_taken`].
    pub fn set_overlaps(&mut self, overlaps: Vec<Vec<u32>>, looked_at: HashMap<Arc<str>, Vec<u32>>) {
        let had = vec![Vec::new(); overlaps.len()];
        self.around = Around { near: overlaps, had, looked: looked_at };
    }

    /// For each resource who has it by the host's word: a behavior of this runner, whose boxes do, or [`NOBODY`](super::NOBODY) for anybody
    /// outside of it.
    pub fn set_taken(&mut self, taken: Vec<Vec<u32>>) {
        self.around.had = taken;
    }

    /// Counts the changes of who has what ([`Runner::holders`]).
    pub fn version(&self) -> u64 {
        self.state.version
    }

    /// For each resource the behavior that has it; [`NOBODY`](super::NOBODY) if it is free.
    pub fn holders(&self) -> &[u32] {
        &self.state.holders
    }

    /// The users of a resource, a part of it, or a whole that it is part of; `None` is a user outside the runner.
    pub(super) fn users(&self, lock: u32) -> impl Iterator<Item = Option<u32>> + '_ {
        let near = self.around.near.get(lock as usize).into_iter().flatten();
        let locks = std::iter::once(lock).chain(near.copied());
        let own = locks.map(|lock| self.state.holders[lock as usize]).filter(|holder| *holder != NONE).map(Some);
        let had = self.around.had.get(lock as usize).into_iter().flatten();
        own.chain(had.map(|who| (*who != NONE).then_some(*who)))
    }

    /// Has a behavior of this runner a resource, a part of it, or what it is a part of? It has it until it has wound down. Names that
    /// conditions look at are compared as the host does ([`Runner::set_overlaps`]).
    pub fn is_claimed(&self, resource: &str) -> bool {
        let held = |lock: &u32| self.state.holders[*lock as usize] != NONE;
        self.locks.numbers.get(resource).is_some_and(held)
            || self.around.looked.get(resource).is_some_and(|locks| locks.iter().any(held))
    }

    /// Is one behavior the other, or on the way from the root to it?
    pub fn leads_to(&self, one: BehaviorId, other: BehaviorId) -> bool {
        self.state.leads_to(one.0, other.0)
    }
}
