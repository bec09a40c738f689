//! Probes: readings of the robot's state at given times ([`Config::probes`](crate::config::Config::probes)).
//!
//! A probe changes nothing and does not keep a run alive. It reads the state after everything that happens at its time.

use crate::Engine;
use crate::config::{Probe, ProbeAt};
use crate::trace::{Kind, PathId};
use boxstep_types::Time;
use std::collections::VecDeque;

/// Sorts probes by time. Those without a time come last, and are taken at the end.
pub(crate) fn in_order(probes: &[Probe]) -> VecDeque<Probe> {
    let mut probes = probes.to_vec();
    probes.sort_by_key(|look| look.at.unwrap_or(Time::MAX));
    probes.into()
}

impl Engine {
    /// Takes the probes at times before this one: everything that happens at those times has happened.
    pub(crate) fn look_before(&mut self, until: Time) {
        while let Some(at) = self.probes.front().and_then(|look| look.at).filter(|at| *at < until) {
            let Some(look) = self.probes.pop_front() else { break };
            self.look(at, look.what);
        }
    }

    /// Takes the remaining probes at the end of the run.
    pub(crate) fn look_last(&mut self) {
        let now = self.cx.now();
        for look in std::mem::take(&mut self.probes) {
            self.look(now, look.what);
        }
    }

    fn look(&mut self, at: Time, what: ProbeAt) {
        let kind = match what {
            ProbeAt::Joints => match self.services.joints(at) {
                Some(angles) => Kind::Joints { angles: angles.into() },
                None => return,
            },
            ProbeAt::Memory(key) => {
                let value = self.services.memory(at, &key);
                Kind::Memory { key, value }
            }
        };
        self.cx.tracer.add(at, 0, PathId(0), &self.cx.paths, kind);
    }
}
