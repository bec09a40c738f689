//! Inverse kinematics: angles that bring an end to a place.
//!
//! Damped least squares (Levenberg and Marquardt) within the limits of the joints. Where that ends beside the place,
//! the search starts again from other angles, always the same ones, so that the result is the same in every run.

use crate::model::{End, Model};
use nalgebra::{DMatrix, DVector, Isometry3, Vector3, Vector6};

/// The axes of a place that count: x, y, z, and the rotations about them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Axes(pub [bool; 6]);

impl Axes {
    /// The position.
    pub const POSITION: Self = Self([true, true, true, false, false, false]);
    /// The position and the orientation.
    pub const ALL: Self = Self([true; 6]);

    /// Returns the axes of NAOqi's mask: a sum of 1 (x), 2, 4, and 8 (about x), 16, 32. `None` if it is no such sum.
    pub fn of_mask(mask: i64) -> Option<Self> {
        (0..64).contains(&mask).then(|| Self([0, 1, 2, 3, 4, 5].map(|bit| mask & (1 << bit) != 0)))
    }
}

/// What an end should reach.
#[derive(Clone, Debug)]
pub struct Goal<'a> {
    /// The end.
    pub end: End,
    /// The joints that may move, by number.
    pub joints: &'a [usize],
    /// The pose of the torso in the frame of the place.
    pub torso: Isometry3<f64>,
    /// The place.
    pub place: Isometry3<f64>,
    /// The axes that count.
    pub axes: Axes,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Reached {
    /// The angles of all joints.
    pub angles: Vec<f64>,
    /// How far the end is from the place, in metres.
    pub distance: f64,
    /// How far it is turned from it, in radians.
    pub turn: f64,
}

impl Reached {
    /// Returns whether the end is at the place, to 1 mm and 0.01 rad.
    pub fn is_there(&self) -> bool {
        self.distance <= 1e-3 && self.turn <= 0.01
    }
}

/// The most steps from one start, and the most starts.
const STEPS: usize = 40;
const STARTS: usize = 24;
/// What one radian is worth, in metres: about the length of a forearm.
const RADIAN: f64 = 0.1;
/// Where a search ends.
const NEAR: f64 = 1e-9;
/// Where no other start is tried: 0.1 mm, 0.001 rad.
const GOOD: f64 = 1e-4;
const DAMPING: std::ops::Range<f64> = 1e-10..1e4;

impl Model {
    /// Searches for angles that bring an end to a place, from `start`. The result is within the limits of the joints,
    /// and as near to the place as the search came.
    pub fn reach(&self, goal: &Goal<'_>, start: &[f64]) -> Reached {
        let chain = Chain { model: self, goal, path: self.path(goal.end.link) };
        let mut best = chain.search(start.to_vec());
        let mut other = start.to_vec();
        for at in 1..STARTS {
            if best.1.norm() <= GOOD {
                break;
            }
            chain.another(at, &mut other);
            let found = chain.search(other.clone());
            if found.1.norm() < best.1.norm() {
                best = found;
            }
        }
        Reached::new(best)
    }

    /// Searches as [`Model::reach`] does, and stays near `start`: a motion does not jump to another solution.
    pub fn approach(&self, goal: &Goal<'_>, start: &[f64]) -> Reached {
        Reached::new(Chain { model: self, goal, path: self.path(goal.end.link) }.search(start.to_vec()))
    }
}

impl Reached {
    fn new((angles, off): (Vec<f64>, Vector6<f64>)) -> Self {
        Self { angles, distance: off.fixed_rows::<3>(0).norm(), turn: off.fixed_rows::<3>(3).norm() / RADIAN }
    }
}

struct Chain<'a> {
    model: &'a Model,
    goal: &'a Goal<'a>,
    path: Vec<usize>,
}

type Slopes = DMatrix<f64>;

impl Chain<'_> {
    /// Returns how far the end is from the place, and how each joint changes its pose.
    fn off(&self, angles: &[f64], slopes: Option<&mut Slopes>) -> Vector6<f64> {
        let goal = self.goal;
        let mut pose = goal.torso;
        let mut axes = Vec::with_capacity(self.path.len());
        for link in self.path.iter().filter_map(|at| self.model.links.get(*at)) {
            pose *= link.local(angles);
            let column = link.joint.and_then(|joint| goal.joints.iter().position(|free| *free == joint));
            axes.extend(column.map(|at| (at, pose.rotation * *link.axis * link.scale, pose.translation.vector)));
        }
        pose *= goal.end.tool;
        let way = goal.place.translation.vector - pose.translation.vector;
        let turn = (goal.place.rotation * pose.rotation.inverse()).scaled_axis();
        if let Some(slopes) = slopes {
            slopes.fill(0.0);
            for (at, axis, from) in axes {
                let moved = axis.cross(&(pose.translation.vector - from));
                let column = self.masked(moved, axis);
                slopes.column_mut(at).zip_apply(&column, |sum, x| *sum += x);
            }
        }
        self.masked(way, turn)
    }

    fn masked(&self, way: Vector3<f64>, turn: Vector3<f64>) -> Vector6<f64> {
        let all = Vector6::new(way.x, way.y, way.z, turn.x * RADIAN, turn.y * RADIAN, turn.z * RADIAN);
        all.zip_map(&Vector6::from(self.goal.axes.0.map(f64::from)), |x, counts| x * counts)
    }

    /// Searches from these angles; returns the angles and how far the end is off.
    fn search(&self, mut angles: Vec<f64>) -> (Vec<f64>, Vector6<f64>) {
        let joints = self.goal.joints;
        let mut slopes = Slopes::zeros(6, joints.len());
        self.clamp(&mut angles);
        let mut off = self.off(&angles, Some(&mut slopes));
        let mut damping = 1e-3;
        let mut next = angles.clone();
        for _ in 0..STEPS {
            if off.norm() <= NEAR || damping >= DAMPING.end {
                break;
            }
            let Some(step) = self.step(&slopes, &off, damping, &angles) else { break };
            next.clone_from(&angles);
            for (joint, change) in joints.iter().zip(step.iter()) {
                if let Some(angle) = next.get_mut(*joint) {
                    *angle += change;
                }
            }
            self.clamp(&mut next);
            let left = self.off(&next, None);
            if left.norm() < off.norm() {
                std::mem::swap(&mut angles, &mut next);
                off = self.off(&angles, Some(&mut slopes));
                damping = (damping * 0.1).max(DAMPING.start);
            } else {
                damping *= 8.0;
            }
        }
        (angles, off)
    }

    /// Returns the change of each free joint. A joint at its limit that would go beyond it stays.
    fn step(&self, slopes: &Slopes, off: &Vector6<f64>, damping: f64, angles: &[f64]) -> Option<DVector<f64>> {
        let mut slopes = slopes.clone();
        let whole = slopes.tr_mul(off);
        for (at, joint) in self.goal.joints.iter().enumerate() {
            let (min, max) = self.model.range(*joint, angles);
            let (angle, pull) = (angles.get(*joint).copied().unwrap_or(0.0), whole[at]);
            if (angle <= min && pull < 0.0) || (angle >= max && pull > 0.0) {
                slopes.column_mut(at).fill(0.0);
            }
        }
        let mut normal = slopes.tr_mul(&slopes);
        for at in 0..normal.nrows() {
            normal[(at, at)] += damping;
        }
        Some(normal.cholesky()?.solve(&slopes.tr_mul(off)))
    }

    fn clamp(&self, angles: &mut [f64]) {
        for joint in self.goal.joints {
            let (min, max) = self.model.range(*joint, angles);
            if let Some(angle) = angles.get_mut(*joint) {
                // The limits of a shell may leave no room.
                *angle = angle.max(min).min(max);
            }
        }
    }

    /// Sets the joints to the next start: a sequence that fills the space of angles evenly (Halton).
    fn another(&self, at: usize, angles: &mut [f64]) {
        const BASES: [usize; 8] = [2, 3, 5, 7, 11, 13, 17, 19];
        for (joint, base) in self.goal.joints.iter().zip(BASES.into_iter().cycle()) {
            let (min, max) = self.model.range(*joint, angles);
            let (mut rest, mut part, mut sum) = (at, 1.0, 0.0);
            while rest > 0 {
                part /= base as f64;
                sum += part * (rest % base) as f64;
                rest /= base;
            }
            if let Some(angle) = angles.get_mut(*joint).filter(|_| (max - min).is_finite()) {
                *angle = min + sum * (max - min);
            }
        }
    }
}
