//! Angles of joints that point an end at a place: the camera of the head, or an arm.
//!
//! The end's x axis is to go through the place. A few joints are turned until it does, within their limits, by damped least
//! squares; what they do not reach they come near to. (Ours: a robot may find other angles of an arm. It looks with its
//! upper camera.)

use crate::frames::{self, Pose};
use crate::motion::{joints, keeps_balance};
use crate::surroundings::Vec3;
use crate::world::World;
use boxstep_dynamics::{End, Matrix3, Point3, Vector3};
use boxstep_types::Time;

/// The most steps of a search, and where it ends, in radians.
const STEPS: usize = 30;
const EXACT: f64 = 1e-6;
/// Where no other start or joint is tried, in radians: half a degree.
const GOOD: f64 = 0.0087;
/// By how much a joint is turned to see what that changes.
const SLIGHT: f64 = 1e-6;
/// How many times the turn of the hips is halved until the robot keeps its balance.
const HALVES: usize = 8;

/// A search for angles.
struct Aim<'w> {
    w: &'w World,
    end: End,
    /// The joints that are turned; those in one list turn together.
    free: Vec<Vec<usize>>,
    /// The place in the torso's frame, or, if the hips turn too, in the robot's.
    place: Vec3,
    by_hips: bool,
}

impl Aim<'_> {
    /// Returns the difference between where the end points and where it should, as vectors of length 1.
    fn off(&self, angles: &[f64]) -> Vector3<f64> {
        let torso = if self.by_hips { frames::torso_over_floor(&self.w.body, angles) } else { Pose::identity() };
        let end = torso * self.end.pose(&self.w.body.model().forward(angles));
        let way = Point3::from(self.place) - Point3::from(end.translation.vector);
        way.try_normalize(1e-9).map_or_else(Vector3::zeros, |way| end.rotation * Vector3::x() - way)
    }

    fn turned(&self, angles: &[f64], free: usize, by: f64) -> Vec<f64> {
        let mut angles = angles.to_vec();
        for joint in self.free.get(free).into_iter().flatten() {
            if let Some(angle) = angles.get_mut(*joint) {
                *angle += by;
            }
        }
        self.clamp(&mut angles);
        angles
    }

    fn clamp(&self, angles: &mut [f64]) {
        for joint in self.free.iter().flatten() {
            let wanted = angles.get(*joint).copied().unwrap_or(0.0);
            let clipped = self.w.body.clip_shell(*joint, wanted, |other| angles.get(other).copied().unwrap_or(0.0));
            if let Some(angle) = angles.get_mut(*joint) {
                *angle = clipped;
            }
        }
    }

    /// Searches from these angles; returns the angles and how far the end points beside the place, in radians.
    fn search(&self, mut angles: Vec<f64>) -> (Vec<f64>, f64) {
        self.clamp(&mut angles);
        let mut off = self.off(&angles);
        let mut damping = 1e-3;
        for _ in 0..STEPS {
            if off.norm() < EXACT || damping > 1e6 {
                break;
            }
            // Towards the inside of the limits, so that a joint at one of them is seen to turn.
            let slopes: Vec<Vector3<f64>> = (0..self.free.len())
                .map(|free| {
                    let ahead = (self.off(&self.turned(&angles, free, SLIGHT)) - off) / SLIGHT;
                    if ahead.norm() > 1e-9 {
                        ahead
                    } else {
                        (off - self.off(&self.turned(&angles, free, -SLIGHT))) / SLIGHT
                    }
                })
                .collect();
            // The smallest turns that take away the difference: three numbers, whatever the number of joints.
            let sum: Matrix3<f64> = slopes.iter().map(|slope| slope * slope.transpose()).sum();
            let Some(inverse) = (sum + Matrix3::identity() * damping).try_inverse() else { break };
            let pull = inverse * -off;
            let mut next = angles.clone();
            for (free, slope) in self.free.iter().zip(&slopes) {
                for joint in free {
                    if let Some(angle) = next.get_mut(*joint) {
                        *angle += slope.dot(&pull).clamp(-1.0, 1.0);
                    }
                }
            }
            self.clamp(&mut next);
            let left = self.off(&next);
            if left.norm() < off.norm() {
                (angles, off) = (next, left);
                damping = (damping * 0.1).max(1e-9);
            } else {
                damping *= 10.0;
            }
        }
        let off = 2.0 * (off.norm() / 2.0).min(1.0).asin();
        (angles, off)
    }

    /// Searches from these angles, and, where that ends beside the place, with the first joint at other angles.
    fn best(&self, angles: &[f64]) -> (Vec<f64>, f64) {
        let mut best = self.search(angles.to_vec());
        let Some(first) = self.free.first().and_then(|free| free.first()) else { return best };
        let (min, max) = self.w.body.limits(*first);
        for part in [0.1, 0.5, 0.9] {
            if best.1 <= GOOD {
                break;
            }
            let mut start = angles.to_vec();
            if let Some(angle) = start.get_mut(*first) {
                *angle = min + part * (max - min);
            }
            let found = self.search(start);
            if found.1 < best.1 - GOOD {
                best = found;
            }
        }
        best
    }
}

fn named(w: &World, names: &[&str]) -> Vec<Vec<usize>> {
    names.iter().filter_map(|name| w.body.joint(name)).map(|joint| vec![joint]).collect()
}

/// Returns the joints of the found angles.
fn targets(free: &[Vec<usize>], angles: &[f64]) -> Vec<(usize, f64)> {
    free.iter().flatten().filter_map(|joint| Some((*joint, *angles.get(*joint)?))).collect()
}

const HEAD: [&str; 2] = ["HeadYaw", "HeadPitch"];

/// Returns angles of the head with which its camera looks at a place of the torso's frame.
pub(crate) fn look(w: &World, now: Time, place: Vec3) -> Vec<(usize, f64)> {
    let free = named(w, &HEAD);
    let model = w.body.model();
    let Some(end) = model.end("CameraTop").or_else(|| model.end("Head")) else { return look_from_neck(w, place) };
    let aim = Aim { w, end, free, place, by_hips: false };
    let (found, _) = aim.best(&joints::angles(w, now, false));
    targets(&aim.free, &found)
}

/// The same for a body of which only the height of the neck is known.
fn look_from_neck(w: &World, [x, y, z]: Vec3) -> Vec<(usize, f64)> {
    let z = z - w.body.build().neck_height;
    let angles = [y.atan2(x), (-z).atan2(x.hypot(y))];
    let joints = HEAD.iter().zip(angles);
    joints.filter_map(|(name, angle)| w.body.joint(name).map(|joint| (joint, w.body.clip(joint, angle)))).collect()
}

/// Returns angles of the head, and of the hips of a robot on legs where the head alone does not reach, as far as the robot
/// keeps its balance.
pub(crate) fn look_with_body(w: &World, now: Time, place: Vec3) -> Vec<(usize, f64)> {
    let start = joints::angles(w, now, false);
    let alone = look(w, now, place);
    let mut angles = with(&start, &alone);
    let Some(end) = w.body.model().end("CameraTop") else { return alone };
    let place: Vec3 = (frames::torso_over_floor(&w.body, &start) * Point3::from(place)).into();
    let hips: Vec<usize> = ["LHipPitch", "RHipPitch"].iter().filter_map(|name| w.body.joint(name)).collect();
    let mut free = named(w, &HEAD);
    free.push(hips.clone());
    let aim = Aim { w, end, free, place, by_hips: true };
    if aim.off(&angles).norm() <= GOOD {
        return alone;
    }
    let wanted = aim.search(angles.clone()).0;
    let mut part = 1.0;
    for _ in 0..HALVES {
        for hip in &hips {
            if let (Some(from), Some(to), Some(angle)) = (start.get(*hip), wanted.get(*hip), angles.get_mut(*hip)) {
                *angle = from + part * (to - from);
            }
        }
        let by_head = Aim { free: named(w, &HEAD), ..Aim { w, end, free: Vec::new(), place, by_hips: true } };
        let found = by_head.search(angles.clone()).0;
        if keeps_balance(w, &start, &found) {
            return targets(&aim.free, &found);
        }
        part /= 2.0;
    }
    alone
}

fn with(angles: &[f64], targets: &[(usize, f64)]) -> Vec<f64> {
    let mut angles = angles.to_vec();
    for (joint, to) in targets {
        if let Some(angle) = angles.get_mut(*joint) {
            *angle = *to;
        }
    }
    angles
}

/// Returns angles with which an arm points at a place of the torso's frame: straight, or bent where the shoulder alone does
/// not reach. Of a body without geometry only the shoulder is known.
pub(crate) fn point(w: &World, now: Time, is_left: bool, place: Vec3) -> Vec<(usize, f64)> {
    let side = |joint: &str| format!("{}{joint}", if is_left { "L" } else { "R" });
    let names = ["ShoulderPitch", "ShoulderRoll", "ElbowYaw", "ElbowRoll"].map(side);
    let joint = |at: usize| w.body.joint(&names[at]);
    let Some(end) = w.body.model().end(&side("Arm")) else { return point_from_shoulder(w, &names, is_left, place) };
    let mut angles = joints::angles(w, now, false);
    if let Some(elbow) = joint(3)
        && let Some(angle) = angles.get_mut(elbow)
    {
        *angle = w.body.clip(elbow, 0.0);
    }
    let free = |count: usize| (0..count).filter_map(joint).map(|joint| vec![joint]).collect::<Vec<_>>();
    let straight = Aim { w, end, free: free(2), place, by_hips: false };
    let (mut found, off) = straight.best(&angles);
    let bent = Aim { free: free(4), ..straight };
    if off > GOOD {
        let other = bent.best(&found);
        if other.1 < off - GOOD {
            found = other.0;
        }
    }
    targets(&bent.free, &found)
}

fn point_from_shoulder(w: &World, names: &[String; 4], is_left: bool, place: Vec3) -> Vec<(usize, f64)> {
    let [sx, sy, sz] = w.body.shoulder(is_left);
    let [x, y, z] = [place[0] - sx, place[1] - sy, place[2] - sz];
    let angles = [(&names[0], (-z).atan2(x)), (&names[1], y.atan2(x.hypot(z))), (&names[3], 0.0)];
    angles.into_iter().filter_map(|(name, angle)| w.body.joint(name).map(|j| (j, w.body.clip(j, angle)))).collect()
}
