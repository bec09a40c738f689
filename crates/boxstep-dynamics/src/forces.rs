//! Inverse dynamics: the torques and the support that a motion needs (recursive Newton–Euler algorithm).

use crate::Model;
use nalgebra::{Isometry3, UnitQuaternion, Vector3};

/// The gravity on the floor, in m/s².
pub(crate) const GRAVITY: f64 = 9.81;

/// How a robot moves at an instant. Vectors are in a frame that does not move, with z up.
#[derive(Clone, Copy, Debug)]
pub struct Motion<'a> {
    /// The poses of the links.
    pub links: &'a [Isometry3<f64>],
    /// The velocity of each joint, per second.
    pub velocities: &'a [f64],
    /// The acceleration of each joint, per second squared.
    pub accelerations: &'a [f64],
    /// How the torso moves.
    pub torso: RootMotion,
}

/// The motion of the torso.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RootMotion {
    /// The acceleration of its origin, m/s².
    pub acceleration: Vector3<f64>,
    /// Its angular velocity, rad/s.
    pub turning: Vector3<f64>,
    /// Its angular acceleration, rad/s².
    pub turning_faster: Vector3<f64>,
}

impl RootMotion {
    /// Returns the motion at the middle one of three poses that are `step` seconds apart.
    pub fn between(before: &Isometry3<f64>, now: &Isometry3<f64>, after: &Isometry3<f64>, step: f64) -> Self {
        let turn = |to: &Isometry3<f64>, from: &UnitQuaternion<f64>| (to.rotation * from.inverse()).scaled_axis();
        let [x, y, z] = [before, now, after].map(|pose| pose.translation.vector);
        Self {
            acceleration: (x - 2.0 * y + z) / (step * step),
            turning: turn(after, &before.rotation) / (2.0 * step),
            turning_faster: (turn(after, &now.rotation) + turn(before, &now.rotation)) / (step * step),
        }
    }
}

/// A force, and its moment about a point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wrench {
    /// In newton.
    pub force: Vector3<f64>,
    /// In newton metres.
    pub moment: Vector3<f64>,
}

/// The forces in a body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Forces {
    /// The motion and the place of each link.
    states: Vec<(RootMotion, Vector3<f64>)>,
    /// What each link's parent exerts on it, about the link's origin.
    pub(crate) wrenches: Vec<Wrench>,
}

impl Forces {
    /// Returns what the floor has to exert, about the origin of the torso.
    pub fn support(&self) -> Wrench {
        self.wrenches.first().copied().unwrap_or_default()
    }
}

impl Model {
    /// Calculates the forces that this motion needs under gravity. `forces` is the result, and keeps its memory.
    pub fn forces(&self, motion: &Motion<'_>, forces: &mut Forces) {
        let Forces { states, wrenches } = forces;
        states.clear();
        wrenches.clear();
        let first =
            RootMotion { acceleration: motion.torso.acceleration + Vector3::new(0.0, 0.0, GRAVITY), ..motion.torso };
        for (link, pose) in self.links.iter().zip(motion.links) {
            let parent = link.parent.and_then(|parent| states.get(parent)).copied();
            let at = pose.translation.vector;
            let mut state = first;
            if let Some((parent, from)) = parent {
                let way = at - from;
                let axis = pose.rotation * *link.axis * link.scale;
                let of = |all: &[f64]| link.joint.and_then(|joint| all.get(joint)).copied().unwrap_or(0.0);
                let spin = axis * of(motion.velocities);
                state = RootMotion {
                    acceleration: parent.acceleration
                        + parent.turning_faster.cross(&way)
                        + parent.turning.cross(&parent.turning.cross(&way)),
                    turning: parent.turning + spin,
                    turning_faster: parent.turning_faster
                        + axis * of(motion.accelerations)
                        + parent.turning.cross(&spin),
                };
            }
            states.push((state, at));
            let arm = pose.rotation * link.center;
            let RootMotion { acceleration, turning: w, turning_faster: dw } = state;
            let force = link.mass * (acceleration + dw.cross(&arm) + w.cross(&w.cross(&arm)));
            // In the link's frame its inertia does not change.
            let [own_w, own_dw] = [w, dw].map(|v| pose.rotation.inverse_transform_vector(&v));
            let moment = pose.rotation * (link.inertia * own_dw + own_w.cross(&(link.inertia * own_w)));
            wrenches.push(Wrench { force, moment: moment + arm.cross(&force) });
        }
        // Children come after their parents.
        for at in (1..wrenches.len()).rev() {
            let Some(parent) = self.links.get(at).and_then(|link| link.parent) else { continue };
            let (Some(Wrench { force, moment }), Some((_, here)), Some((_, from))) =
                (wrenches.get(at).copied(), states.get(at), states.get(parent))
            else {
                continue;
            };
            if let Some(sum) = wrenches.get_mut(parent) {
                sum.force += force;
                sum.moment += moment + (here - from).cross(&force);
            }
        }
    }

    /// Returns the torque of each motor, in newton metres, given the forces of [`Model::forces`].
    pub fn torques(&self, links: &[Isometry3<f64>], forces: &Forces) -> Vec<f64> {
        let mut torques = vec![0.0; self.joints()];
        for ((link, pose), wrench) in self.links.iter().zip(links).zip(&forces.wrenches) {
            if let Some(torque) = link.joint.and_then(|joint| torques.get_mut(joint)) {
                *torque += (pose.rotation * *link.axis * link.scale).dot(&wrench.moment);
            }
        }
        torques
    }
}
