//! The joints that bring an end, or the torso, to places: straight from one to the next.
//!
//! Source: the page "Cartesian control" of the NAOqi documentation. (Ours: `boxstep-dynamics` finds the joints, within their
//! limits, as near to a place as they come; a robot finds others where there are many.)

use super::ends::Frame;
use super::joints;
use super::whole_body::keeps_balance;
use crate::body::Foot;
use crate::frames::{self, Pose, position6};
use crate::table::bad;
use crate::world::World;
use boxstep_dynamics::{Axes, End, Goal, Reached, UnitQuaternion, Vector3};
use boxstep_engine::services::{ServiceCx, ServiceError};
use boxstep_types::Time;

/// The time between two places on the way, in seconds, and the most of them in a command.
const PERIOD: f64 = 0.04;
const MOST: f64 = 500.0;
/// A joint that turns more than this between two places has another solution, in radians.
const JUMP: f64 = 0.5;

/// An end that is moved, or the torso, and the joints that move it.
#[derive(Clone)]
pub(super) struct Chain<'w> {
    w: &'w World,
    name: &'w str,
    moved: Moved<'w>,
    pub(super) joints: Vec<usize>,
    /// The pose of the torso in the frame of the places.
    torso: Pose,
    axes: Axes,
}

#[derive(Clone)]
enum Moved<'w> {
    End(End),
    /// The torso: the legs hold it, and the feet stay.
    Torso(Vec<Leg<'w>>),
}

#[derive(Clone)]
struct Leg<'w> {
    foot: &'w Foot,
    joints: Vec<usize>,
    /// Its place in the frame of the places.
    place: Pose,
}

/// The joints of a way.
pub(super) struct Way {
    /// When, in seconds, and the angles of the chain's joints then.
    pub(super) points: Vec<(f64, Vec<f64>)>,
    /// How far the end is from the worst of the places, in metres and radians.
    off: (f64, f64),
}

impl<'w> Chain<'w> {
    pub(super) fn new(w: &'w World, now: Time, name: &'w str, frame: i64, mask: i64) -> Result<Self, ServiceError> {
        let frame = Frame::of(frame)?;
        let movable = movable(w);
        if movable.is_empty() {
            return bad(format!("`{name}` cannot be moved to a place: the body has no geometry"));
        }
        if !movable.contains(&name) {
            return bad(format!("the ends that can be moved to places are {}, not `{name}`", movable.join(", ")));
        }
        let Some(axes) = Axes::of_mask(mask) else {
            return bad("the mask of axes is a sum of 1, 2, 4, 8, 16 and 32");
        };
        let angles = joints::angles(w, now, false);
        let torso = frame.torso(w, now, &angles);
        let model = w.body.model();
        let (moved, joints) = if name == "Torso" {
            let legs = legs(w, &angles, &torso);
            let joints = legs.iter().flat_map(|leg| leg.joints.iter().copied()).collect();
            (Moved::Torso(legs), joints)
        } else {
            let Some(end) = model.end(name) else {
                return bad(format!("the place of `{name}` is not known: the body has no geometry"));
            };
            (Moved::End(end), model.joints_to(&end))
        };
        Ok(Self { w, name, moved, joints, torso, axes })
    }

    /// Returns the place of the end now.
    fn here(&self, angles: &[f64]) -> Pose {
        match &self.moved {
            Moved::End(end) => self.torso * end.pose(&self.w.body.model().forward(angles)),
            Moved::Torso(_) => self.torso,
        }
    }

    /// Returns angles with which the end is at a place, or near it; `anywhere` also looks for others than those near by.
    fn reach(&self, place: Pose, angles: &[f64], anywhere: bool) -> Reached {
        let model = self.w.body.model();
        let search = |goal: &Goal<'_>, angles: &[f64]| {
            if anywhere { model.reach(goal, angles) } else { model.approach(goal, angles) }
        };
        let legs = match &self.moved {
            Moved::End(end) => {
                let goal = Goal { end: *end, joints: &self.joints, torso: self.torso, place, axes: self.axes };
                return search(&goal, angles);
            }
            Moved::Torso(legs) => legs,
        };
        let torso = self.with_free_axes(place);
        let mut found = Reached { angles: angles.to_vec(), distance: 0.0, turn: 0.0 };
        for leg in legs {
            // A leg has five joints of its own, which cannot hold the direction of its foot, too.
            let axes = Axes([true, true, true, true, true, false]);
            let goal = Goal { end: leg.foot.end, joints: &leg.joints, torso, place: leg.place, axes };
            let reached = search(&goal, &found.angles);
            let foot = torso * leg.foot.end.pose(&model.forward(&reached.angles));
            let turned = if self.axes.0[5] { foot.rotation.angle_to(&leg.place.rotation) } else { reached.turn };
            found = Reached {
                angles: reached.angles,
                distance: found.distance.max(reached.distance),
                turn: found.turn.max(turned),
            };
        }
        found
    }

    /// Returns a place of the torso in which the axes that do not count are as they are.
    fn with_free_axes(&self, place: Pose) -> Pose {
        let (is, wanted) = (position6(&self.torso), position6(&place));
        frames::pose(std::array::from_fn(|axis| if self.axes.0[axis] { wanted[axis] } else { is[axis] }))
    }

    /// Returns the joints at each place of a path, in so many seconds each, and on the straight lines between them. A path
    /// that is not absolute starts where the end is.
    pub(super) fn along(&self, now: Time, path: &[Pose], seconds: &[f64], absolute: bool) -> Way {
        let mut angles = joints::angles(self.w, now, false);
        let from = self.here(&angles);
        let step = PERIOD.max(seconds.last().copied().unwrap_or(0.0) / MOST);
        let mut way = Way { points: Vec::new(), off: (0.0, 0.0) };
        let (mut before, mut at) = (from, 0.0);
        for (place, until) in path.iter().zip(seconds) {
            let place = if absolute { *place } else { moved_by(&from, place) };
            let parts = ((until - at) / step).ceil().max(1.0);
            let first = way.points.len();
            let start = angles.clone();
            for part in (1..parts as usize).map(|part| part as f64 / parts) {
                angles = self.reach(between(&before, &place, part), &angles, false).angles;
                way.points.push((at + part * (until - at), self.of(&angles)));
            }
            let found = self.reach(place, &angles, true);
            // The joints turn evenly to a solution that the straight way does not lead to.
            if self.joints.iter().any(|joint| difference(&found.angles, &angles, *joint) > JUMP) {
                way.points.truncate(first);
                angles = start;
                let other = self.reach(place, &angles, true);
                way.end(*until, self.of(&other.angles), &other);
                angles = other.angles;
            } else {
                way.end(*until, self.of(&found.angles), &found);
                angles = found.angles;
            }
            (before, at) = (place, *until);
        }
        way
    }

    /// Returns the angles of its joints.
    fn of(&self, angles: &[f64]) -> Vec<f64> {
        self.joints.iter().filter_map(|joint| angles.get(*joint).copied()).collect()
    }

    /// Returns its joints and their angles at a place.
    pub(super) fn at(&self, cx: &mut ServiceCx<'_>, place: Pose, absolute: bool) -> Vec<(usize, f64)> {
        let way = self.along(cx.now(), &[place], &[0.0], absolute);
        self.tell(cx, &way);
        self.joints
            .iter()
            .copied()
            .zip(way.points.into_iter().next_back().map(|point| point.1).unwrap_or_default())
            .collect()
    }

    /// Warns if the end does not come to its places.
    pub(super) fn tell(&self, cx: &mut ServiceCx<'_>, way: &Way) {
        use boxstep_engine::services::Effect;
        let (distance, turn) = way.off;
        let reached = Reached { angles: Vec::new(), distance, turn };
        if !reached.is_there() {
            let turned = if turn > 0.01 { format!(", and turned {turn:.2} rad from it") } else { String::new() };
            cx.effect(Effect::Warn(format!(
                "{} cannot come to its place: it ends {:.0} mm away{turned}",
                self.name,
                distance * 1e3
            )));
        }
    }
}

/// Returns the joints and angles that bring an arm to a place of the robot's frame: those of the arm, and, where it is too
/// short, those of the legs, which move the torso towards the place as far as the robot keeps its balance.
pub(super) fn reach_with_legs(
    w: &World,
    cx: &mut ServiceCx<'_>,
    name: &str,
    place: Pose,
) -> Result<Vec<(usize, f64)>, ServiceError> {
    const POSITION: i64 = 7;
    const ROBOT: i64 = 2;
    /// How far the torso is moved at most, in metres, and how many times that is tried.
    const FARTHEST: f64 = 0.08;
    const TRIES: usize = 10;
    let start = joints::angles(w, cx.now(), false);
    let arm = Chain::new(w, cx.now(), name, ROBOT, POSITION)?;
    let legs = Chain::new(w, cx.now(), "Torso", ROBOT, POSITION)?;
    let mut best = arm.reach(place, &start, true);
    let (mut torso, mut shift, mut part) = (arm.torso, Vector3::zeros(), 1.0);
    for _ in 0..TRIES {
        if best.is_there() {
            break;
        }
        let end = Chain { torso, ..arm.clone() }.here(&best.angles);
        let missing = place.translation.vector - end.translation.vector;
        let tried = (shift + part * missing).cap_magnitude(FARTHEST);
        let moved = Pose::from_parts((arm.torso.translation.vector + tried).into(), arm.torso.rotation);
        let held = legs.reach(moved, &start, false);
        let found = Chain { torso: moved, ..arm.clone() }.reach(place, &held.angles, true);
        if held.distance > 1e-3 || found.distance >= best.distance || !keeps_balance(w, &start, &found.angles) {
            part /= 2.0;
            continue;
        }
        (best, torso, shift, part) = (found, moved, tried, 1.0);
    }
    arm.tell(cx, &Way { points: Vec::new(), off: (best.distance, best.turn) });
    let joints = arm.joints.iter().chain(&legs.joints);
    Ok(joints.filter_map(|joint| Some((*joint, *best.angles.get(*joint)?))).collect())
}

impl Way {
    fn end(&mut self, at: f64, angles: Vec<f64>, found: &Reached) {
        self.points.push((at, angles));
        self.off = (self.off.0.max(found.distance), self.off.1.max(found.turn));
    }
}

/// Returns the names of the ends of this body that can be moved.
fn movable(w: &World) -> Vec<&'static str> {
    let model = w.body.model();
    // The base of a robot on wheels stays on the floor.
    let is_base = |name: &str| {
        let joints = model.end(name).map(|end| model.joints_to(&end));
        !w.body.has_legs() && w.body.feet().iter().any(|foot| Some(model.joints_to(&foot.end)) == joints)
    };
    let chains = model.body().chains.iter().map(|chain| chain.name);
    let mut names: Vec<&str> = chains.filter(|name| model.end(name).is_some() && !is_base(name)).collect();
    if w.body.has_legs() && !w.body.feet().is_empty() {
        names.push("Torso");
    }
    names
}

/// Returns the legs under a torso. Joints that move several legs, such as NAO's `LHipYawPitch`, stay.
fn legs<'w>(w: &'w World, angles: &[f64], torso: &Pose) -> Vec<Leg<'w>> {
    let model = w.body.model();
    let links = model.forward(angles);
    let all: Vec<(&Foot, Vec<usize>)> = w.body.feet().iter().map(|foot| (foot, model.joints_to(&foot.end))).collect();
    let legs = all.iter().enumerate().map(|(number, (foot, joints))| {
        let is_own =
            |joint: &&usize| all.iter().enumerate().all(|(other, leg)| other == number || !leg.1.contains(joint));
        let joints = joints.iter().filter(is_own).copied().collect();
        Leg { foot, joints, place: torso * foot.end.pose(&links) }
    });
    legs.collect()
}

fn difference(one: &[f64], other: &[f64], joint: usize) -> f64 {
    one.get(joint).zip(other.get(joint)).map_or(0.0, |(one, other)| (one - other).abs())
}

/// Returns a place on the straight way between two.
fn between(from: &Pose, to: &Pose, part: f64) -> Pose {
    let rotation: UnitQuaternion<f64> = from.rotation.try_slerp(&to.rotation, part, 1e-9).unwrap_or(if part < 0.5 {
        from.rotation
    } else {
        to.rotation
    });
    Pose::from_parts(from.translation.vector.lerp(&to.translation.vector, part).into(), rotation)
}

/// Returns a place moved and turned by another.
fn moved_by(from: &Pose, by: &Pose) -> Pose {
    Pose::from_parts((from.translation.vector + by.translation.vector).into(), by.rotation * from.rotation)
}
