//! Readings of the robot's state: probes at given times ([`Config::probes`]), and samples of the joint angles at a rate
//! ([`Config::joints_hz`]).
//!
//! A reading changes nothing and does not keep a run alive. A probe reads the state after everything that happens at its
//! time.

use crate::config::{Config, Probe, ProbeAt};
use crate::context::{Cause, Context};
use crate::pose::Poses;
use crate::run_end::RunEnd;
use crate::services::Services;
use crate::trace::{Kind, PathId};
use boxstep_types::Time;
use std::collections::VecDeque;

/// The readings that are still to be taken.
pub(crate) struct Probes {
    /// Sorted by time. Those without a time come last, and are taken at the end.
    queue: VecDeque<Probe>,
    /// The period of the joint samples, if there are any.
    period: Option<Time>,
    /// The time of the next joint sample.
    next_joints: Time,
    /// Samples of the pose.
    poses: Poses,
}

impl Probes {
    pub(crate) fn new(config: &Config) -> Self {
        let mut queue = config.probes.clone();
        queue.sort_by_key(|probe| probe.at.unwrap_or(Time::MAX));
        let hz = config.joints_hz.filter(|hz| *hz > 0.0);
        let period = hz.map(|hz| Time::from_secs_f64(1.0 / hz).max(Time::from_millis(1)));
        Self { queue: queue.into(), period, next_joints: Time::ZERO, poses: Poses::new(config) }
    }

    /// The time of the next sample; [`Time::ZERO`] if the rate in the configuration is not positive.
    pub(crate) fn next_sample(&self, config: &Config) -> Option<Time> {
        let joints = config.joints_hz.is_some().then_some(self.next_joints);
        joints.into_iter().chain(self.poses.next_sample()).min()
    }

    /// Samples the joint angles and the pose up to a time.
    pub(crate) fn sample(&mut self, cx: &mut Context, services: &mut dyn Services, end: &RunEnd, until: Time) {
        self.sample_joints(cx, services, end, until);
        self.poses.sample(cx, services, end, until);
    }

    /// Samples the joint angles up to a time.
    fn sample_joints(&mut self, cx: &mut Context, services: &mut dyn Services, end: &RunEnd, until: Time) {
        let Some(period) = self.period else { return };
        while self.next_joints <= until && self.next_joints < Time::MAX && !end.is_closed() {
            if let Some(joints) = services.joints(self.next_joints) {
                let torso = services.torso(self.next_joints).map(Box::new);
                let kind = Kind::Joints { angles: joints.into(), torso };
                cx.tracer.add(self.next_joints, Cause::OUTSIDE, PathId(0), &cx.paths, kind);
            }
            self.next_joints = self.next_joints + period;
        }
    }

    /// Takes the probes at times before this one: everything that happens at those times has happened.
    pub(crate) fn take_before(&mut self, cx: &mut Context, services: &mut dyn Services, until: Time) {
        while let Some(at) = self.queue.front().and_then(|probe| probe.at).filter(|at| *at < until) {
            let Some(probe) = self.queue.pop_front() else { break };
            take(cx, services, at, probe.what);
        }
    }

    /// Takes the remaining probes at the end of the run.
    pub(crate) fn take_last(&mut self, cx: &mut Context, services: &mut dyn Services) {
        let now = cx.now();
        for probe in std::mem::take(&mut self.queue) {
            take(cx, services, now, probe.what);
        }
    }
}

/// Takes a probe.
fn take(cx: &mut Context, services: &mut dyn Services, at: Time, what: ProbeAt) {
    let kind = match what {
        ProbeAt::Joints => match services.joints(at) {
            Some(angles) => Kind::Joints { angles: angles.into(), torso: services.torso(at).map(Box::new) },
            None => return,
        },
        ProbeAt::Memory(key) => {
            let value = services.memory(at, &key);
            Kind::Memory { key, value }
        }
    };
    cx.tracer.add(at, Cause::OUTSIDE, PathId(0), &cx.paths, kind);
}
