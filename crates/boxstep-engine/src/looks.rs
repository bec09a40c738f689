//! Looks at the robot at times that are known beforehand: [`Config::looks`](crate::config::Config::looks).
//!
//! A look changes nothing and keeps no run going. It sees what all that happens at its time has left behind.

use crate::Engine;
use crate::config::{Look, LookAt};
use crate::trace::{Kind, PathId};
use boxstep_types::Time;
use std::collections::VecDeque;

/// In order of time; those without one are taken at the end.
pub(crate) fn in_order(looks: &[Look]) -> VecDeque<Look> {
    let mut looks = looks.to_vec();
    looks.sort_by_key(|look| look.at.unwrap_or(Time::MAX));
    looks.into()
}

impl Engine {
    /// Takes the looks at times before this one: whatever happens then has happened.
    pub(crate) fn look_before(&mut self, until: Time) {
        while let Some(at) = self.looks.front().and_then(|look| look.at).filter(|at| *at < until) {
            let Some(look) = self.looks.pop_front() else { break };
            self.look(at, look.what);
        }
    }

    /// Takes those that are left, when the run is over.
    pub(crate) fn look_last(&mut self) {
        let now = self.clock.now();
        for look in std::mem::take(&mut self.looks) {
            self.look(now, look.what);
        }
    }

    fn look(&mut self, at: Time, what: LookAt) {
        let kind = match what {
            LookAt::Joints => match self.services.joints(at) {
                Some(angles) => Kind::Joints { angles: angles.into() },
                None => return,
            },
            LookAt::Memory(key) => {
                let value = self.services.memory(at, &key);
                Kind::Memory { key, value }
            }
        };
        self.tracer.add(at, 0, PathId(0), &self.graph.paths, kind);
    }
}
