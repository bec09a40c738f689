//! Limits how often a child may be chosen: not while it cools down, and not twice in a tick.

use super::renew::Renewal;
use crate::model::{Child, Cooldown};
use crate::world::SharedState;
use boxstep_engine::runner::Control;
use boxstep_engine::trace::{CooldownEvent, DelegationEvent};
use boxstep_types::Time;
use std::sync::Arc;

/// The limits of one child.
pub(crate) struct Pace {
    pub(crate) weight: f64,
    cooldown: Option<Cooldown>,
    /// The number of the named timer that counts, if there is one.
    timer: Option<usize>,
    /// The name of the child.
    name: Arc<str>,
    /// When the cooldown started.
    began: Option<Time>,
    /// The length of the current cooldown, with jitter.
    length: Time,
    /// The tick in which the child was last activated. Without this limit, a child that ends at once would run again
    /// without time passing.
    tick: u64,
}

impl Pace {
    pub(crate) fn for_children(children: &[Child], shared: &mut SharedState) -> Vec<Pace> {
        let one = |child: &Child| {
            let cooldown = child.cooldown.clone();
            let timer = cooldown.as_ref().and_then(|c| c.timer.as_ref()).map(|name| shared.timer_number(name));
            let length = Time::from_secs_f64(cooldown.as_ref().map_or(0.0, |c| c.seconds));
            Pace { weight: child.weight, cooldown, timer, name: child.to.name.clone(), began: None, length, tick: 0 }
        };
        children.iter().map(one).collect()
    }

    /// Replaces the limits by those of another version of the character: children that are in both keep cooling down.
    pub(crate) fn renew(paces: &mut Vec<Pace>, children: &[Child], with: &Renewal, shared: &mut SharedState) {
        let old = std::mem::replace(paces, Pace::for_children(children, shared));
        for (old, at) in old.into_iter().zip(&with.moved) {
            let Some(new) = at.map(|at| &mut paces[at]) else { continue };
            (new.began, new.tick) = (old.began, old.tick);
            if new.cooldown == old.cooldown {
                new.length = old.length;
            }
        }
    }

    /// Resets the cooldown, if it is reset with each activation of the parent.
    pub(crate) fn parent_begins(&mut self) {
        if self.cooldown.as_ref().is_some_and(|cooldown| cooldown.reset && cooldown.timer.is_none()) {
            self.began = None;
        }
    }

    pub(crate) fn may_run(&self, cx: &Control<'_>, shared: &SharedState) -> bool {
        let began = self.timer.map_or(self.began, |timer| shared.timers[timer]);
        let cools = self.cooldown.is_some() && began.is_some_and(|began| cx.now().0 - began.0 < self.length.0);
        !cools && self.tick != cx.tick()
    }

    pub(crate) fn started(&mut self, cx: &mut Control<'_>, shared: &mut SharedState) {
        self.tick = cx.tick();
        self.cool(true, cx, shared);
    }

    pub(crate) fn ended(&mut self, cx: &mut Control<'_>, shared: &mut SharedState) {
        self.cool(false, cx, shared);
    }

    fn cool(&mut self, start: bool, cx: &mut Control<'_>, shared: &mut SharedState) {
        let Some(cooldown) = self.cooldown.as_ref().filter(|cooldown| cooldown.from_start == start) else { return };
        let more = match cooldown.jitter {
            0.0 => 0.0,
            jitter => jitter * (2.0 * cx.random() - 1.0),
        };
        self.length = Time::from_secs_f64((cooldown.seconds + more).max(0.0));
        self.began = Some(cx.now());
        if let Some(timer) = self.timer {
            shared.timers[timer] = self.began;
        }
        if cx.tells() {
            let (seconds, timer) = (self.length.as_secs_f64(), cooldown.timer.clone());
            let value = CooldownEvent { seconds, timer, reset: cooldown.reset };
            cx.tell(DelegationEvent::Cools { to: vec![self.name.clone()], value });
        }
    }
}
