//! The release of resources: what an owner loses when it stops, is unloaded or gives something back.

use super::{Held, Owner, ResourceNames, Resources, STARTED, Until, Waiter, Who};
use crate::Engine;
use crate::context::Acts;
use crate::follow_up::FollowUp;
use crate::ids::BoxId;
use crate::trace::ResourcePhase;
use std::sync::Arc;

/// What an end of a box releases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Release {
    /// The request to continue its paused timeline, because the box is being stopped or unloaded.
    Pause,
    /// What it holds because it was started, and its requests of that kind.
    Start,
    /// Everything that the box and its script hold, and their requests, because the box is unloaded.
    All,
}

/// Which of its claims an owner loses.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Freed {
    /// All of them.
    All,
    /// Those of these resources.
    Names(ResourceNames),
    /// Those of a box that end at the latest when it is stopped.
    UntilStop,
    /// Those that a box has because it was started.
    Started,
}

impl Freed {
    fn includes(&self, held: &Held) -> bool {
        match self {
            Self::All => true,
            Self::Names(names) => names.contains(&held.name),
            Self::UntilStop => held.terms.until == Until::Stop,
            Self::Started => held.terms == STARTED,
        }
    }
}

impl Release {
    fn withdraws(self, who: &Who) -> bool {
        match self {
            Self::Pause => matches!(who, Who::Paused { .. }),
            Self::Start => matches!(who, Who::Start(_) | Who::Paused { .. }),
            Self::All => true,
        }
    }
}

impl Resources {
    /// Releases what a box holds, and withdraws its requests, as far as this end of the box concerns them.
    pub(crate) fn release(&mut self, id: BoxId, what: Release) -> Vec<FollowUp> {
        if !self.uses(id) {
            return Vec::new();
        }
        if what == Release::All {
            self.users.remove(&id);
        }
        let mine = |w: &&Waiter| w.owner == Owner::Box(id) && what.withdraws(&w.who);
        let dropped = |w: &Waiter| FollowUp::Withdraw(w.serial, ResourcePhase::Dropped, true);
        let mut next: Vec<FollowUp> = self.queue.iter().filter(mine).map(dropped).collect();
        if !next.is_empty() {
            next.push(FollowUp::ServeClaims);
        }
        match what {
            Release::Pause => {}
            Release::Start => next.push(FollowUp::Release(Owner::Box(id), Freed::UntilStop)),
            Release::All => next.push(FollowUp::Release(Owner::Box(id), Freed::All)),
        }
        next
    }
}

impl Engine {
    /// Releases these claims of an owner, and serves the queue.
    pub(crate) fn release_claims(&mut self, owner: &Owner, freed: &Freed) {
        let (mine, others): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.resources.held).into_iter().partition(|h| h.owner == *owner && freed.includes(h));
        self.resources.held = others;
        // A box may hold the same resource because it was started and because its script took it.
        let still = |name: &Arc<str>| self.resources.held.iter().any(|h| h.owner == *owner && h.name == *name);
        let freed = mine
            .iter()
            .enumerate()
            .filter(|(n, Held { name, .. })| !still(name) && !mine.iter().take(*n).any(|h| h.name == *name));
        let said = ResourcePhase::Released;
        let events: Vec<_> = freed
            .map(|(_, h)| self.runners.claim_event(&self.graph, owner, said, h.name.clone(), Vec::new()))
            .collect();
        if !mine.is_empty() {
            // The last of them is the cause of what the others get.
            self.aside(|engine| {
                engine.cx.trace_all(events);
                engine.serve();
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Reply, Terms};
    use super::*;
    use crate::context::Cause;
    use crate::ids::ProcId;
    use crate::protocol::CallId;

    fn waits(resources: &mut Resources, who: Who) -> u32 {
        let (serial, owner) = (resources.serial(), Owner::Box(BoxId(1)));
        let (names, optional) = (["Audio".into()].into(), ResourceNames::default());
        let (terms, cause) = (STARTED, Cause::OUTSIDE);
        resources.queue.push(Waiter { serial, who, owner, names, optional, terms, cause });
        resources.users.insert(BoxId(1));
        serial
    }

    #[test]
    fn a_stop_drops_the_requests_of_a_start_and_an_unload_drops_all() {
        let mut resources = Resources::new(crate::config::Config::default().resources);
        let start = waits(&mut resources, Who::Start(ProcId { index: 0, generation: 0 }));
        let script = waits(&mut resources, Who::Script(CallId(1), Reply::Flag));
        let dropped = |next: &[FollowUp]| -> Vec<u32> {
            let serial = |next: &FollowUp| match next {
                FollowUp::Withdraw(serial, ResourcePhase::Dropped, true) => Some(*serial),
                _ => None,
            };
            next.iter().filter_map(serial).collect()
        };
        assert!(resources.release(BoxId(2), Release::All).is_empty(), "it has never asked for anything");
        assert!(resources.release(BoxId(1), Release::Pause).is_empty(), "it is not paused");
        let stop = resources.release(BoxId(1), Release::Start);
        assert_eq!(dropped(&stop), [start]);
        assert!(matches!(stop[..], [_, FollowUp::ServeClaims, FollowUp::Release(_, Freed::UntilStop)]));
        let unload = resources.release(BoxId(1), Release::All);
        assert_eq!(dropped(&unload), [start, script]);
        assert!(resources.release(BoxId(1), Release::All).is_empty(), "nothing of it is left");
    }

    #[test]
    fn claims_end_by_their_terms_or_their_names() {
        let held = |name: &str, terms: Terms| Held {
            name: name.into(),
            owner: Owner::Box(BoxId(1)),
            terms,
            asked: Vec::new(),
        };
        let by_start = held("Audio", STARTED);
        let by_script = held("Speech", Resources::terms(Until::Stop, &"onAsk".into()));
        let to_unload = held("Audio", Resources::terms(Until::Unload, &"".into()));
        let freed = |freed: &Freed| [&by_start, &by_script, &to_unload].map(|held| freed.includes(held));
        assert_eq!(freed(&Freed::Started), [true, false, false]);
        assert_eq!(freed(&Freed::UntilStop), [true, true, false]);
        assert_eq!(freed(&Freed::Names(["Audio".into()].into())), [true, false, true]);
        assert_eq!(freed(&Freed::All), [true; 3]);
    }
}
