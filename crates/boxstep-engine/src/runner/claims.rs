//! What behaviors lock, as claims of the engine's resources: boxes and other runners see them, and they are seen.
//!
//! Within a runner its own table says who has what, and follows its stack. When a tick begins the engine says what others have;
//! when it is over, whoever has come to hold a resource in the table claims it from the engine, and whoever has let go gives it
//! back. Nothing else happens in the engine in between, so what was free is free still.

use super::causes::{Causes, Occasion};
use super::{DeferredCalls, NOBODY, Runner};
use crate::Engine;
use crate::resources::Resources;
use std::sync::Arc;

/// The engine's side of what a runner's behaviors lock.
#[derive(Default)]
pub(super) struct Claims {
    /// By lock: the engine's name for it; `None` if it is none of the robot's resources.
    names: Vec<Option<Arc<str>>>,
    /// By lock: for which behavior the engine holds it.
    held: Vec<u32>,
    /// By lock: who was told to lack it.
    lacks: Vec<u32>,
    /// The runner's version when all that it holds was held.
    version: Option<u64>,
    /// Which resources the robot had when names were looked up ([`Resources::resource_changes`]).
    changes: u64,
}

impl Claims {
    /// Is none of what behaviors lock a resource of the robot?
    pub(super) fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}

impl Resources {
    /// Looks up what a runner's behaviors lock, and what their conditions look at.
    pub(super) fn claims_of(&self, runner: &mut Runner, looked: &[Arc<str>]) -> Claims {
        let mut claims = Claims { changes: self.resource_changes(), ..Claims::default() };
        let names: Vec<_> = runner.resources().iter().map(|name| self.resource_named(name)).collect();
        let overlap = |one: &Option<Arc<str>>, other: &Option<Arc<str>>| match (one, other) {
            (Some(one), Some(other)) => self.resources_overlap(one, other),
            _ => false,
        };
        let near = |one: &Option<Arc<str>>| -> Vec<u32> {
            (0..).zip(&names).filter(|(_, other)| overlap(one, other)).map(|(number, _)| number).collect()
        };
        let looked = looked.iter().map(|name| (name.clone(), near(&self.resource_named(name)))).collect();
        let mut overlaps = Vec::new();
        // If none of it is the robot's, nothing has to be claimed.
        if names.iter().any(Option::is_some) {
            let others = |(number, one)| near(one).into_iter().filter(|other| *other != number).collect();
            overlaps = (0..).zip(&names).map(others).collect();
            claims.held.resize(names.len(), NOBODY);
            claims.lacks.resize(names.len(), NOBODY);
            claims.names = names;
        }
        runner.set_overlaps(overlaps, looked);
        claims
    }
}

impl Engine {
    /// Behaviors may lock more by another plan, or the robot has other resources than before. What they have locked before keeps its number.
    pub(super) fn renew_claims(&mut self, index: u32) {
        let hosted = &mut self.runners.all[index as usize];
        let looked = hosted.deferred.as_ref().map(DeferredCalls::looked_at).unwrap_or_default();
        let Some(mut runner) = hosted.runner.take() else { return };
        let mut claims = self.resources.claims_of(&mut runner, &looked);
        let before = std::mem::take(&mut self.runners.all[index as usize].claims);
        for (lock, (name, held)) in before.names.into_iter().zip(before.held).enumerate() {
            match name {
                Some(name) if held != NOBODY && claims.names.get(lock).and_then(Option::as_ref) == Some(&name) => {
                    claims.held[lock] = held;
                    claims.lacks[lock] = before.lacks[lock];
                }
                // The robot has it no more.
                Some(name) if held != NOBODY => self.release_for(index, held, &name),
                _ => {}
            }
        }
        let hosted = &mut self.runners.all[index as usize];
        (hosted.claims, hosted.runner) = (claims, Some(runner));
    }

    /// A tick begins: who else has what the runner's behaviors lock?
    pub(super) fn look_around(&mut self, index: u32) {
        if self.runners.all[index as usize].claims.changes != self.resources.resource_changes() {
            self.renew_claims(index);
        }
        let hosted = &self.runners.all[index as usize];
        if hosted.claims.is_empty() {
            return;
        }
        let users =
            |name: &Option<Arc<str>>| name.as_ref().map(|name| self.resource_users(name, index)).unwrap_or_default();
        let had = hosted.claims.names.iter().map(users).collect();
        if let Some(runner) = &mut self.runners.all[index as usize].runner {
            runner.set_taken(had);
        }
    }

    /// A tick is over: what the runner's behaviors hold by its table, they hold by the engine's.
    pub(super) fn settle_claims(&mut self, index: u32, causes: &Causes) {
        let hosted = &self.runners.all[index as usize];
        let Some(runner) = &hosted.runner else { return };
        let version = runner.version();
        if hosted.claims.is_empty() || hosted.claims.version == Some(version) {
            return;
        }
        let holders = runner.holders();
        let changed =
            |lock: &usize| hosted.claims.names[*lock].is_some() && hosted.claims.held[*lock] != holders[*lock];
        let changed: Vec<(usize, u32, u32)> =
            (0..holders.len()).filter(changed).map(|lock| (lock, hosted.claims.held[lock], holders[lock])).collect();
        let mut complete = true;
        // Who takes over has it before the other one gives it back: nobody comes in between.
        for &(lock, _, now) in changed.iter().filter(|(.., now)| *now != NOBODY) {
            self.cx.cause = causes.line(now, &[Occasion::Begins]);
            complete &= self.claim_for(index, lock, now);
        }
        for &(lock, before, _) in changed.iter().filter(|(_, before, _)| *before != NOBODY) {
            self.cx.cause = causes.line(before, &[Occasion::Ended]);
            if let Some(name) = self.runners.all[index as usize].claims.names[lock].clone() {
                self.release_for(index, before, &name);
            }
        }
        self.cx.cause = 0;
        let claims = &mut self.runners.all[index as usize].claims;
        for (lock, before, now) in changed {
            if claims.held[lock] == before && now == NOBODY {
                claims.held[lock] = NOBODY;
            }
        }
        claims.version = complete.then_some(version);
    }

    /// A behavior that was asked gets what it locks. A root is not asked: it runs without, until it can have it.
    fn claim_for(&mut self, index: u32, lock: usize, of: u32) -> bool {
        let Some(name) = self.runners.all[index as usize].claims.names[lock].clone() else { return true };
        let taken = self.take_for(index, of, &name);
        let hosted = &mut self.runners.all[index as usize];
        hosted.claims.held[lock] = if taken { of } else { NOBODY };
        let told = std::mem::replace(&mut hosted.claims.lacks[lock], if taken { NOBODY } else { of });
        if !taken && told != of {
            let path = hosted.path(of);
            self.cx.warn(path, format!("it runs without the resource {name}, which it cannot have yet"));
        }
        taken
    }
}
