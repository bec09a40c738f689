//! Inverse dynamics: the torques and the support that a motion needs (recursive Newton–Euler algorithm).

use crate::Model;
use nalgebra::{Isometry3, Matrix3, UnitQuaternion, Vector3};

/// The gravity on the floor, in m/s².
pub const GRAVITY: f64 = 9.81;

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

/// The motion of a link.
#[derive(Clone, Copy, Debug, PartialEq)]
struct LinkMotion {
    /// Its origin, and the acceleration there.
    at: Vector3<f64>,
    acceleration: Vector3<f64>,
    turning: Vector3<f64>,
    turning_faster: Vector3<f64>,
    /// What turning adds to the acceleration of a point: the matrix times the way from the origin to it.
    around: Matrix3<f64>,
}

impl LinkMotion {
    fn new(at: Vector3<f64>, motion: &RootMotion) -> Self {
        let RootMotion { acceleration, turning, turning_faster } = *motion;
        // α × p + ω × (ω × p) = ([α]× + ω ωᵀ − |ω|² 1) p
        let (x, y, z) = (turning.x, turning.y, turning.z);
        let (xx, yy, zz, xy, yz, zx) = (x * x, y * y, z * z, x * y, y * z, z * x);
        let a = turning_faster;
        let around = Matrix3::new(
            -yy - zz,
            xy - a.z,
            zx + a.y, //
            xy + a.z,
            -xx - zz,
            yz - a.x, //
            zx - a.y,
            yz + a.x,
            -xx - yy,
        );
        Self { at, acceleration, turning, turning_faster, around }
    }
}

/// The forces in a body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Forces {
    /// How each link moves.
    states: Vec<LinkMotion>,
    /// What each link's parent exerts on it, about the link's origin.
    pub(crate) wrenches: Vec<Wrench>,
    /// The axis of each link's joint, times the radians per unit of the joint.
    pub(crate) axes: Vec<Vector3<f64>>,
    /// The sum of the centers of mass of the links, times their masses.
    pub(crate) first_moment: Vector3<f64>,
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
        let up = Vector3::new(0.0, 0.0, GRAVITY);
        let torso = RootMotion { acceleration: motion.torso.acceleration + up, ..motion.torso };
        self.forces_in(&Motion { torso, ..*motion }, forces);
    }

    /// Calculates the forces that a motion needs, in any frame that does not move. The acceleration of the torso is that
    /// against free fall: gravity is a part of it.
    pub(crate) fn forces_in(&self, motion: &Motion<'_>, forces: &mut Forces) {
        let Forces { states, wrenches, axes, first_moment } = forces;
        states.clear();
        wrenches.clear();
        axes.clear();
        *first_moment = Vector3::zeros();
        for (link, pose) in self.links.iter().zip(motion.links) {
            let parent = link.parent.and_then(|parent| states.get(parent)).copied();
            let at = pose.translation.vector;
            let rotation = pose.rotation.to_rotation_matrix();
            let axis = rotation * (link.axis.into_inner() * link.scale);
            let mut state = motion.torso;
            if let Some(parent) = parent {
                let of = |all: &[f64]| link.joint.and_then(|joint| all.get(joint)).copied().unwrap_or(0.0);
                let spin = axis * of(motion.velocities);
                state = RootMotion {
                    acceleration: parent.acceleration + parent.around * (at - parent.at),
                    turning: parent.turning + spin,
                    turning_faster: parent.turning_faster
                        + axis * of(motion.accelerations)
                        + parent.turning.cross(&spin),
                };
            }
            let state = LinkMotion::new(at, &state);
            states.push(state);
            axes.push(axis);
            if link.mass == 0.0 {
                wrenches.push(Wrench::default());
                continue;
            }
            let arm = rotation * link.center;
            *first_moment += link.mass * (at + arm);
            let force = link.mass * (state.acceleration + state.around * arm);
            // In the link's frame its inertia does not change.
            let [own_w, own_dw] = [state.turning, state.turning_faster].map(|v| rotation.inverse_transform_vector(&v));
            let moment = rotation * (link.inertia * own_dw + own_w.cross(&(link.inertia * own_w)));
            wrenches.push(Wrench { force, moment: moment + arm.cross(&force) });
        }
        // Children come after their parents.
        for at in (1..wrenches.len()).rev() {
            let Some(parent) = self.links.get(at).and_then(|link| link.parent) else { continue };
            let (Some(Wrench { force, moment }), Some(here), Some(from)) =
                (wrenches.get(at).copied(), states.get(at), states.get(parent))
            else {
                continue;
            };
            if let Some(sum) = wrenches.get_mut(parent) {
                sum.force += force;
                sum.moment += moment + (here.at - from.at).cross(&force);
            }
        }
    }

    /// Returns the torque of each motor, in newton metres, given the forces of [`Model::forces`].
    pub fn torques(&self, forces: &Forces) -> Vec<f64> {
        let mut torques = Vec::new();
        self.torques_into(forces, &mut torques);
        torques
    }

    /// Calculates the torque of each motor, without allocating anew.
    pub(crate) fn torques_into(&self, forces: &Forces, torques: &mut Vec<f64>) {
        torques.clear();
        torques.resize(self.joints(), 0.0);
        for ((link, axis), wrench) in self.links.iter().zip(&forces.axes).zip(&forces.wrenches) {
            if let Some(torque) = link.joint.and_then(|joint| torques.get_mut(joint)) {
                *torque += axis.dot(&wrench.moment);
            }
        }
    }
}
