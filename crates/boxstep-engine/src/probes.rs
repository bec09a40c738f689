//! Looks at the robot at times that are known beforehand: [`Config::probes`](crate::config::Config::probes).
//!
//! A look changes nothing and keeps no run going. It sees what all that happens at its time has left behind.

use crate::Engine;
use crate::config::{Probe, ProbeAt};
use crate::trace::{Kind, PathId};
use boxstep_types::Time;
use std::collections::VecDeque;

/// In order of time; those without one are taken at the end.
pub(crate) fn in_order(probes: &[Probe]) -> VecDeque<Probe> {
    let mut probes = probes.to_vec();
    probes.sort_by_key(|look| look.at.unwrap_or(Time::MAX));
    probes.into()
}

impl Engine {
    /// Takes the probes at times before this one: whatever happens then has happened.
    pub(crate) fn look_before(&mut self, until: Time) {
        while let Some(at) = self.probes.front().and_then(|look| look.at).filter(|at| *at < until) {
            let Some(look) = self.probes.pop_front() else { break };
            self.look(at, look.what);
        }
    }

    /// Takes those that are left, when the run is over.
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
