//! Represents the locks of a runner's behaviors as claims of the engine's resources, so that boxes and other runners
//! see them and the runner sees theirs.
//!
//! Within a runner, its own table says which behavior holds which lock, and follows the runner's stack. At the
//! beginning of a tick the engine tells the runner what others hold. After the tick, each behavior that has acquired a
//! lock in the table claims the resource from the engine, and each that has lost one releases it. The engine does no
//! other work in between, so a resource that was free is still free.

use super::causes::{Causes, Occasion};
use super::host::HostedRunner;
use super::{DeferredCalls, NOBODY, Runner};
use crate::Engine;
use crate::context::{Cause, Context};
use crate::resources::{Freed, Owner, Resources};
use std::sync::Arc;

/// The engine's side of the locks of a runner's behaviors.
#[derive(Default)]
pub(super) struct Claims {
    /// By lock: the engine's name of the resource; `None` if the lock is not a resource of the robot.
    names: Vec<Option<Arc<str>>>,
    /// By lock: the behavior for which the engine holds the resource.
    held: Vec<u32>,
    /// By lock: the behavior that was warned that it runs without the resource.
    lacks: Vec<u32>,
    /// The runner's version at which the engine held everything that the runner's table says.
    version: Option<u64>,
    /// The number of changes of the robot's resources when the names were observed up ([`Resources::resource_changes`]).
    changes: u64,
}

impl Claims {
    /// Returns whether none of the locks is a resource of the robot.
    pub(super) fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}

/// Returns the name of a resource of another robot, which a runner's behavior locks. The engine claims it from nobody,
/// but knows which resources of that robot are parts of others.
pub fn resource_of(robot: &str, resource: &str) -> Arc<str> {
    format!("{robot}:{resource}").into()
}

/// A resource of this robot, or of the other one that is named.
type Placed<'a> = Option<(Option<&'a str>, Arc<str>)>;

impl Resources {
    /// Looks up a resource of this robot, or of another one, which is expected to have the same.
    fn placed<'a>(&self, name: &'a str) -> Placed<'a> {
        if let Some(own) = self.resource_named(name) {
            return Some((None, own));
        }
        let (robot, resource) = name.rsplit_once(':')?;
        Some((Some(robot), self.resource_named(resource)?))
    }

    fn placed_overlap(&self, one: &Placed<'_>, other: &Placed<'_>) -> bool {
        match (one, other) {
            (Some((on, one)), Some((there, other))) => on == there && self.resources_overlap(one, other),
            _ => false,
        }
    }

    /// Returns whether behaviors that claim these two exclude each other.
    pub(crate) fn exclude_each_other(&self, one: &str, other: &str) -> bool {
        one == other || self.placed_overlap(&self.placed(one), &self.placed(other))
    }

    /// Looks up the resources that a runner's behaviors lock, and those that their conditions query.
    pub(super) fn claims_of(&self, runner: &mut Runner, observed: &[Arc<str>]) -> Claims {
        let mut claims = Claims { changes: self.resource_changes(), ..Claims::default() };
        let locks = runner.resources().to_vec();
        let names: Vec<_> = locks.iter().map(|name| self.resource_named(name)).collect();
        let places: Vec<Placed<'_>> = locks.iter().map(|name| self.placed(name)).collect();
        let near = |one: &Placed<'_>| -> Vec<u32> {
            (0..).zip(&places).filter(|(_, other)| self.placed_overlap(one, other)).map(|(number, _)| number).collect()
        };
        let observed = observed.iter().map(|name| (name.clone(), near(&self.placed(name)))).collect();
        let mut overlaps = Vec::new();
        if places.iter().any(Option::is_some) {
            let others = |(number, one)| near(one).into_iter().filter(|other| *other != number).collect();
            overlaps = (0..).zip(&places).map(others).collect();
        }
        // If no lock is a resource of the robot, there is nothing to claim.
        if names.iter().any(Option::is_some) {
            claims.held.resize(names.len(), NOBODY);
            claims.lacks.resize(names.len(), NOBODY);
            claims.names = names;
        }
        runner.set_overlaps(overlaps, observed);
        claims
    }
}

impl HostedRunner {
    /// Records whether a behavior has got a locked resource. A delegate got the lock when it was asked; a root is not
    /// asked, and runs without the resource until it is available.
    fn claimed(&mut self, cx: &mut Context, lock: usize, of: u32, name: &str, taken: bool) {
        self.claims.held[lock] = if taken { of } else { NOBODY };
        let warned = std::mem::replace(&mut self.claims.lacks[lock], if taken { NOBODY } else { of });
        if !taken && warned != of {
            cx.warn(self.path(of), format!("it runs without the resource {name}, which is not available yet"));
        }
    }
}

impl Engine {
    /// Looks up the locks again, because a new plan may have more of them, or the robot's resources have changed.
    /// Earlier locks keep their numbers.
    pub(super) fn renew_claims(&mut self, index: u32) {
        let hosted = &mut self.runners.all[index as usize];
        let observed = hosted.deferred.as_ref().map(DeferredCalls::observed_resources).unwrap_or_default();
        let Some(mut runner) = hosted.runner.take() else { return };
        let mut claims = self.resources.claims_of(&mut runner, &observed);
        let before = std::mem::take(&mut self.runners.all[index as usize].claims);
        for (lock, (name, held)) in before.names.into_iter().zip(before.held).enumerate() {
            match name {
                Some(name) if held != NOBODY && claims.names.get(lock).and_then(Option::as_ref) == Some(&name) => {
                    claims.held[lock] = held;
                    claims.lacks[lock] = before.lacks[lock];
                }
                // The robot does not have this resource any more.
                Some(name) if held != NOBODY => {
                    self.release_claims(&Owner::Behavior { runner: index, of: held }, &Freed::Names([name].into()));
                }
                _ => {}
            }
        }
        let hosted = &mut self.runners.all[index as usize];
        (hosted.claims, hosted.runner) = (claims, Some(runner));
    }

    /// Tells a runner, at the beginning of its tick, who else uses the resources that its behaviors lock.
    pub(super) fn report_other_users(&mut self, index: u32) {
        if self.runners.all[index as usize].claims.changes != self.resources.resource_changes() {
            self.renew_claims(index);
        }
        let hosted = &self.runners.all[index as usize];
        if hosted.claims.is_empty() {
            return;
        }
        let users = |name: &Option<Arc<str>>| {
            name.as_ref()
                .map(|name| self.resources.resource_users(&self.graph, &self.behaviors, name, index))
                .unwrap_or_default()
        };
        let had = hosted.claims.names.iter().map(users).collect();
        if let Some(runner) = &mut self.runners.all[index as usize].runner {
            runner.set_taken(had);
        }
    }

    /// Brings the engine's claims in line with the runner's table of locks, after a tick.
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
        // The new holder claims the resource before the old one releases it, so that no other user can claim it in
        // between.
        for &(lock, _, now) in changed.iter().filter(|(.., now)| *now != NOBODY) {
            self.cx.begin(causes.line(now, &[Occasion::Begins]));
            let Some(name) = self.runners.all[index as usize].claims.names[lock].clone() else { continue };
            let taken =
                self.resources.take_for(&mut self.cx, &self.graph, &self.behaviors, &self.runners, (index, now), &name);
            self.runners.all[index as usize].claimed(&mut self.cx, lock, now, &name, taken);
            complete &= taken;
        }
        for &(lock, before, _) in changed.iter().filter(|(_, before, _)| *before != NOBODY) {
            self.cx.begin(causes.line(before, &[Occasion::Ended]));
            if let Some(name) = self.runners.all[index as usize].claims.names[lock].clone() {
                self.release_claims(&Owner::Behavior { runner: index, of: before }, &Freed::Names([name].into()));
            }
        }
        self.cx.begin(Cause::OUTSIDE);
        let claims = &mut self.runners.all[index as usize].claims;
        for (lock, before, now) in changed {
            if claims.held[lock] == before && now == NOBODY {
                claims.held[lock] = NOBODY;
            }
        }
        claims.version = complete.then_some(version);
    }
}
