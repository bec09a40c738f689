//! Arms of another geometry: elbow and hand go to the same directions from the shoulder, as far as the arm is long.

use super::roles::{Part, Role, Side, Turn};
use crate::{Axes, End, Goal, Model, Reached};
use nalgebra::{Isometry3, Vector3};

/// A part of an arm shorter than this has no direction, in metres.
const SHORT: f64 = 0.02;
/// A hand that is farther than this from its place has lost its way, in metres.
const FAR: f64 = 0.05;
const THERE: f64 = 0.001;

/// An arm of a body.
#[derive(Debug)]
pub(super) struct Arm<'m> {
    model: &'m Model,
    shoulder: usize,
    elbow: usize,
    hand: End,
    /// The joints between torso and elbow, and all joints.
    upper: Vec<usize>,
    pub(super) joints: Vec<usize>,
    /// The shoulder in the torso's frame, and the lengths of upper arm and forearm.
    from: Vector3<f64>,
    lengths: [f64; 2],
}

/// The directions of upper arm and forearm.
pub(super) struct Directions([Vector3<f64>; 2]);

impl<'m> Arm<'m> {
    /// Returns the arm of a side, if the body's geometry and the names of its joints show one.
    pub(super) fn of(model: &'m Model, side: Side) -> Option<Self> {
        let role = |joint: usize| Role::of(model.body.joints.get(joint)?.name);
        let link_of = |joint: usize| model.links.iter().position(|link| link.joint == Some(joint));
        let arm = (0..model.joints()).filter(|joint| role(*joint).is_some_and(|role| role.is_arm(side)));
        let links: Vec<(usize, usize)> = arm.filter_map(|joint| Some((joint, link_of(joint)?))).collect();
        let last = links.iter().map(|(_, link)| *link).max_by_key(|link| model.path(*link).len())?;
        let path = model.path(last);
        let on_path = |part: Part| {
            let of_part = links.iter().filter(move |(joint, _)| role(*joint).is_some_and(|role| role.part == part));
            of_part.filter(|(_, link)| path.contains(link)).map(|(joint, link)| (*joint, *link))
        };
        let roll = on_path(Part::Shoulder).find(|(joint, _)| role(*joint).is_some_and(|role| role.turn == Turn::Roll));
        let (_, shoulder) = roll.or_else(|| on_path(Part::Shoulder).next())?;
        let (_, elbow) = on_path(Part::Elbow).min_by_key(|(_, link)| model.path(*link).len())?;
        let straight = model.forward(&vec![0.0; model.joints()]);
        let at = |link: usize| straight.get(link).map(|pose| pose.translation.vector);
        let hand = hand(model, last, &straight);
        let lengths = [at(elbow)? - at(shoulder)?, hand.pose(&straight).translation.vector - at(elbow)?];
        let lengths = lengths.map(|part| part.norm());
        if lengths.iter().any(|length| *length < SHORT) {
            return None;
        }
        let upper = on_path(Part::Shoulder).map(|(joint, _)| joint).collect();
        let joints = links.iter().filter(|(_, link)| path.contains(link)).map(|(joint, _)| *joint).collect();
        Some(Self { model, shoulder, elbow, hand, upper, joints, from: at(shoulder)?, lengths })
    }

    /// Returns the directions of its parts at these angles of all joints.
    pub(super) fn directions(&self, angles: &[f64]) -> Option<Directions> {
        let poses = self.model.forward(angles);
        let at = |link: usize| poses.get(link).map(|pose| pose.translation.vector);
        let (shoulder, elbow) = (at(self.shoulder)?, at(self.elbow)?);
        let hand = self.hand.pose(&poses).translation.vector;
        Some(Directions([(elbow - shoulder).try_normalize(1e-9)?, (hand - elbow).try_normalize(1e-9)?]))
    }

    /// Returns where the hand should be.
    fn places(&self, directions: &Directions) -> [Vector3<f64>; 2] {
        let elbow = self.from + directions.0[0] * self.lengths[0];
        [elbow, elbow + directions.0[1] * self.lengths[1]]
    }

    /// Turns the joints so that elbow and hand are in these directions; `angles` are those before. Returns how far the
    /// hand is from its place, in metres.
    pub(super) fn follow(&self, directions: &Directions, angles: &mut Vec<f64>, anywhere: bool) -> f64 {
        let (near, off) = self.search(directions, angles, |goal, from| self.model.approach(goal, from));
        // Only the first posture may be far from the one before, or one that has lost its way.
        let limit = if anywhere { THERE } else { FAR };
        let other = (off > limit).then(|| self.search(directions, angles, |goal, from| self.model.reach(goal, from)));
        let (found, off) = other.filter(|(_, other)| *other < off / 2.0).unwrap_or((near, off));
        *angles = found;
        off
    }

    /// Brings the elbow to its place, then the hand by the joints that leave the elbow, then what is left by all.
    fn search(
        &self,
        directions: &Directions,
        from: &[f64],
        reach: impl Fn(&Goal<'_>, &[f64]) -> Reached,
    ) -> (Vec<f64>, f64) {
        let [elbow, hand] = self.places(directions);
        let elbow_end = End { link: self.elbow, tool: Isometry3::identity() };
        let goal = |end, joints, place: Vector3<f64>| {
            let place = Isometry3::translation(place.x, place.y, place.z);
            Goal { end, joints, torso: Isometry3::identity(), place, axes: Axes::POSITION }
        };
        let angles = reach(&goal(elbow_end, &self.upper, elbow), from).angles;
        let distal: Vec<usize> =
            self.joints.iter().copied().filter(|joint| !self.moves_elbow(*joint, &angles)).collect();
        let angles = reach(&goal(self.hand, &distal, hand), &angles).angles;
        let last = self.model.approach(&goal(self.hand, &self.joints, hand), &angles);
        (last.angles, last.distance)
    }

    fn moves_elbow(&self, joint: usize, angles: &[f64]) -> bool {
        let place = |by: f64| {
            let mut angles = angles.to_vec();
            *angles.get_mut(joint)? += by;
            Some(self.model.forward(&angles).get(self.elbow)?.translation.vector)
        };
        place(0.0).zip(place(0.1)).is_some_and(|(one, other)| (one - other).norm() > 0.1 * 0.1 * self.lengths[0])
    }
}

/// Returns the hand of an arm: the end of its chain, if that is beyond the last joint, else what is fixed farthest from
/// that joint, else twice as far as the center of mass.
fn hand(model: &Model, last: usize, straight: &[Isometry3<f64>]) -> End {
    let link = |link: usize| End { link, tool: Isometry3::identity() };
    let joint = model.links.get(last).and_then(|link| model.body.joints.get(link.joint?));
    let mut chains = model.body.chains.iter();
    let chain = joint.and_then(|joint| chains.find(|chain| chain.joints.contains(&joint.name)));
    let at = |link: usize| straight.get(link).map_or_else(Vector3::zeros, |pose| pose.translation.vector);
    if let Some(end) = chain.and_then(|chain| model.end(chain.name))
        && (end.pose(straight).translation.vector - at(last)).norm() > SHORT
    {
        return end;
    }
    let far = |link: &usize| (at(*link) - at(last)).norm();
    let fixed = (0..model.links.len()).filter(|link| {
        let path = model.path(*link);
        let beyond = path.iter().skip_while(|on| **on != last).skip(1);
        path.contains(&last) && beyond.into_iter().all(|on| model.links.get(*on).is_some_and(|on| on.joint.is_none()))
    });
    let fixed = fixed.max_by(|a, b| far(a).total_cmp(&far(b))).filter(|link| far(link) > SHORT);
    let center = model.links.get(last).map_or_else(Vector3::zeros, |link| link.center);
    fixed.map_or_else(|| End { link: last, tool: Isometry3::from(2.0 * center) }, link)
}
