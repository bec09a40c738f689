//! Poses of the robot, for sinks that display it. They are not part of the trace: sampling affects neither the run nor
//! the numbers of its events.

use crate::config::Config;
use crate::context::Context;
use crate::run_end::RunEnd;
use crate::services::Services;
use boxstep_types::Time;
use std::collections::HashMap;
use std::sync::Arc;

pub use boxstep_trace::{Pose, TorsoPose};

/// The shortest period between samples; a display would not show more.
const LEAST: Time = Time::from_millis(10);
/// In virtual time, when nothing moves, the period grows up to this multiple.
const PATIENCE: i64 = 8;
/// The smallest change in radians that is reported.
const STEP: f64 = 1e-4;

/// The state of the sampling: the next time, and the last reported values.
#[derive(Default)]
pub(crate) struct Poses {
    /// The period between samples, if there are any.
    period: Option<Time>,
    next: Time,
    /// The number of periods until the next sample.
    wait: i64,
    seen: HashMap<Arc<str>, (f64, Option<f64>)>,
    torso: Option<TorsoPose>,
}

impl Poses {
    pub(crate) fn new(config: &Config) -> Self {
        let hz = config.pose_hz.filter(|hz| *hz > 0.0);
        Self { period: hz.map(|hz| Time::from_secs_f64(1.0 / hz).max(LEAST)), ..Self::default() }
    }

    /// The changes since the last sample.
    fn changed(
        &mut self,
        angles: Vec<(Arc<str>, f64)>,
        commands: &[(Arc<str>, f64)],
        torso: Option<TorsoPose>,
    ) -> Pose {
        let mut pose = Pose::default();
        if let Some(torso) = torso {
            let moved = |before: TorsoPose| before.iter().zip(&torso).any(|(one, other)| (one - other).abs() > STEP);
            if self.torso.is_none_or(moved) {
                self.torso = Some(torso);
                pose.torso = Some(torso);
            }
        }
        for (at, (joint, angle)) in angles.into_iter().enumerate() {
            // Both lists are in the robot's order.
            let wanted = commands.get(at).filter(|(of, _)| *of == joint).map(|(_, wanted)| *wanted);
            let wanted = wanted.filter(|wanted| (wanted - angle).abs() > STEP);
            let before = self.seen.get(&joint).copied();
            let (was, commanded) = before.unwrap_or((f64::INFINITY, None));
            let moves = (angle - was).abs() > STEP;
            let other = match (wanted, commanded) {
                (Some(one), Some(other)) => (one - other).abs() > STEP,
                (one, other) => one.is_some() != other.is_some(),
            };
            if moves || other {
                self.seen.insert(joint.clone(), (if moves { angle } else { was }, wanted));
            }
            if moves {
                pose.angles.push((joint.clone(), angle));
            }
            if other {
                pose.commands.push((joint, wanted));
            }
        }
        pose
    }

    /// The time of the next sample.
    pub(crate) fn next_sample(&self) -> Option<Time> {
        (self.period.is_some() && self.next < Time::MAX).then_some(self.next)
    }

    /// Samples the pose up to a time.
    pub(crate) fn sample(&mut self, cx: &mut Context, services: &mut dyn Services, end: &RunEnd, until: Time) {
        let Some(period) = self.period else { return };
        let real = !cx.clock.is_virtual();
        while self.next <= until && until < Time::MAX && !end.is_closed() {
            // In real time, past instants cannot be sampled any more.
            let at = if real { until } else { self.next };
            let Some(angles) = services.joints(at) else {
                self.next = Time::MAX;
                return;
            };
            let commands = services.joint_commands(at).unwrap_or_default();
            let torso = services.torso(at);
            let pose = self.changed(angles, &commands, torso);
            let rests = pose == Pose::default();
            if !rests {
                cx.tracer.pose(at, &pose, &cx.paths);
            }
            self.wait = if real || !rests { 1 } else { (self.wait * 2).clamp(1, PATIENCE) };
            self.next = at + Time(period.0.saturating_mul(self.wait));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sampled(poses: &mut Poses, angle: f64, command: f64) -> (Vec<f64>, Vec<Option<f64>>) {
        let joint: Arc<str> = "HeadYaw".into();
        let pose = poses.changed(vec![(joint.clone(), angle)], &[(joint, command)], None);
        (pose.angles.iter().map(|(_, a)| *a).collect(), pose.commands.iter().map(|(_, c)| *c).collect())
    }

    #[test]
    fn only_what_has_changed_is_told_and_a_command_only_of_a_joint_that_is_elsewhere() {
        let mut poses = Poses::default();
        assert_eq!(sampled(&mut poses, 0.0, 0.0), (vec![0.0], vec![]));
        assert_eq!(sampled(&mut poses, 0.0, 0.0), (vec![], vec![]));
        assert_eq!(sampled(&mut poses, 0.0, 0.5), (vec![], vec![Some(0.5)]));
        assert_eq!(sampled(&mut poses, 0.25, 0.5), (vec![0.25], vec![]));
        assert_eq!(sampled(&mut poses, 0.5, 0.5), (vec![0.5], vec![None]));
        // Steps that are each too small to be reported are reported once they add up.
        let steps: Vec<f64> = (1..=4)
            .flat_map(|n| sampled(&mut poses, 0.5 + f64::from(n) * 0.4e-4, 0.5 + f64::from(n) * 0.4e-4).0)
            .collect();
        assert_eq!(steps.len(), 1);
    }

    #[test]
    fn the_torso_is_told_when_it_has_moved() {
        let mut poses = Poses::default();
        let mut told =
            |z: f64| poses.changed(Vec::new(), &[], Some([0.0, 0.0, z, 0.0, 0.0, 0.0, 1.0])).torso.map(|pose| pose[2]);
        assert_eq!([0.3, 0.3, 0.30001, 0.2].map(&mut told), [Some(0.3), None, None, Some(0.2)]);
    }
}
