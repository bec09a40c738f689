//! Where the feet are while given steps are walked: the legs bring them there.

use super::joints::{self, Track};
use super::walk::Pose;
use crate::frames;
use crate::world::World;
use boxstep_dynamics::{Axes, Goal, Vector2};
use boxstep_motion::JointPath;
use boxstep_types::Time;

/// The corners of the left foot from its ankle, in metres; the right one is its mirror image ("Clip footsteps" of the
/// NAOqi documentation).
const FOOT: [[f64; 2]; 4] = [[0.11, 0.05], [0.11, -0.038], [-0.047, -0.038], [-0.047, 0.05]];

/// Returns where the feet are on the floor of the walk: the left one, and the right one.
pub(super) fn places(w: &World, now: Time) -> [Pose; 2] {
    const APART: f64 = 0.1;
    let here = w.motion.walk.at(now);
    let angles = joints::angles(w, now, false);
    let torso = frames::torso_over_floor(&w.body, &angles);
    let links = w.body.model().forward(&angles);
    match w.body.feet() {
        [left, right] => [left, right].map(|foot| here.then(Pose::of(&(torso * foot.end.pose(&links))))),
        _ => [APART / 2.0, -APART / 2.0].map(|y| here.then(Pose { x: 0.0, y, theta: 0.0 })),
    }
}

/// Moves the legs so that the feet are at these places of the robot's frame after so many seconds each.
pub(super) fn follow(w: &mut World, now: Time, ways: &[(f64, [Pose; 2])]) {
    let mut angles = joints::angles(w, now, false);
    let torso = frames::torso_over_floor(&w.body, &angles);
    let points = ways.iter().map(|(seconds, feet)| {
        angles = standing(w, &torso, &angles, *feet);
        (*seconds, angles.clone())
    });
    let points: Vec<(f64, Vec<f64>)> = points.collect();
    if w.motion.stance.is_none() {
        w.motion.stance = Some(legs(w).into_iter().map(|joint| (joint, joints::command(w, joint, now))).collect());
    }
    go(w, now, &points);
}

/// Brings the feet beside each other again, as they were before the first of given steps.
pub(super) fn gather(w: &mut World, now: Time, seconds: f64) {
    let Some(stance) = w.motion.stance.take() else { return };
    w.motion.planned = None;
    let mut angles = joints::angles(w, now, false);
    for (joint, to) in stance {
        if let Some(angle) = angles.get_mut(joint) {
            *angle = to;
        }
    }
    go(w, now, &[(seconds, angles)]);
}

/// Stops the legs in the middle of a step.
pub(super) fn freeze(w: &mut World, now: Time) {
    for (joint, _) in w.motion.stance.clone().unwrap_or_default() {
        let here = joints::command(w, joint, now);
        if let Some(joint) = w.motion.joints.get_mut(joint) {
            joint.command = Track::Still(here);
        }
    }
    w.motion.planned = None;
}

/// Returns the joints of the legs.
fn legs(w: &World) -> Vec<usize> {
    let model = w.body.model();
    let mut legs: Vec<usize> = w.body.feet().iter().flat_map(|foot| model.joints_to(&foot.end)).collect();
    legs.sort_unstable();
    legs.dedup();
    legs
}

/// Moves the joints of the legs through angles, unless a task holds one of them.
fn go(w: &mut World, now: Time, points: &[(f64, Vec<f64>)]) {
    let (legs, booked) = (legs(w), joints::booked(w));
    if legs.iter().any(|joint| booked.contains(joint)) {
        return;
    }
    for joint in legs {
        let values = points.iter().filter_map(|(seconds, angles)| Some((*seconds, *angles.get(joint)?)));
        let curve = JointPath::linear("", values).curve(joints::command(w, joint, now));
        if let (Some(joint), Ok(curve)) = (w.motion.joints.get_mut(joint), curve) {
            joint.command = Track::along(now, curve);
        }
    }
}

/// Returns angles with which the feet are at these places of the robot's frame, under a torso.
fn standing(w: &World, torso: &frames::Pose, angles: &[f64], places: [Pose; 2]) -> Vec<f64> {
    // About how far a joint that both legs share turns the feet from each other.
    const BOTH: f64 = 1.4;
    const ROUNDS: usize = 8;
    let model = w.body.model();
    let [left, right] = w.body.feet() else { return angles.to_vec() };
    let feet = [left, right].map(|foot| (foot.end, model.joints_to(&foot.end)));
    let shared: Vec<usize> = feet[0].1.iter().filter(|joint| feet[1].1.contains(joint)).copied().collect();
    let axes = Axes([true, true, true, true, true, shared.is_empty()]);
    let mut angles = angles.to_vec();
    for _ in 0..ROUNDS {
        for ((end, joints), place) in feet.iter().zip(places) {
            let own: Vec<usize> = joints.iter().filter(|joint| !shared.contains(joint)).copied().collect();
            let goal = Goal { end: *end, joints: &own, torso: *torso, place: place.in_space(), axes };
            angles = model.approach(&goal, &angles).angles;
        }
        let Some(both) = shared.first() else { break };
        let links = model.forward(&angles);
        let [is_left, is_right] = [0, 1].map(|foot| Pose::of(&(torso * feet[foot].0.pose(&links))).theta);
        let off = (is_left - is_right) - (places[0].theta - places[1].theta);
        if off.abs() < 1e-6 {
            break;
        }
        let turned = angles.get(*both).copied().unwrap_or(0.0) + off / BOTH;
        for joint in &shared {
            if let Some(angle) = angles.get_mut(*joint) {
                *angle = w.body.clip(*joint, turned);
            }
        }
    }
    angles
}

/// Returns whether a foot at this place of the other foot's frame would be in it.
pub(super) fn overlap(is_left: bool, place: Pose) -> bool {
    let side = if is_left { 1.0 } else { -1.0 };
    let other = FOOT.map(|[x, y]| Vector2::new(x, -side * y));
    let moved = FOOT.map(|[x, y]| {
        let corner = place.then(Pose { x, y: side * y, theta: 0.0 });
        Vector2::new(corner.x, corner.y)
    });
    // Two rectangles are apart if they are so along a side of one of them.
    let apart = |one: &[Vector2<f64>; 4], two: &[Vector2<f64>; 4]| {
        [0, 1].into_iter().any(|edge| {
            let axis = one[edge + 1] - one[edge];
            let extent = |of: &[Vector2<f64>; 4]| {
                let along = of.iter().map(|corner| axis.dot(corner));
                along.fold((f64::INFINITY, f64::NEG_INFINITY), |(min, max), x| (min.min(x), max.max(x)))
            };
            let ((a, b), (c, d)) = (extent(one), extent(two));
            b <= c || d <= a
        })
    };
    !apart(&other, &moved) && !apart(&moved, &other)
}
