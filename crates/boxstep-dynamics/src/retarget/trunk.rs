//! The torso over the floor: two legs of one robot and the single leg of another do the same to it.

use super::roles::{Part, Role, Side, Turn};
use crate::{Axes, Balance, End, Goal, Model, Stance};
use nalgebra::{Isometry3, Point3, Translation3, UnitQuaternion, Vector3};

/// Rounds of moving the torso until the center of mass is where it is when the robot stands.
const ROUNDS: usize = 8;
/// Where the rounds end, in metres.
const NEAR: f64 = 1e-4;

/// Keys whose leans differ by less, in radians, move nothing, and so much beside the new robot's own lean is upright.
const STILL: f64 = 0.01;
const UPRIGHT: f64 = 0.035;

/// How the torso leans over the floor, in radians: forward, and to its right.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Lean {
    pub(super) pitch: f64,
    pub(super) roll: f64,
}

impl Lean {
    /// Returns how the torso leans at these angles. `None` if the body has no soles.
    pub(super) fn of(model: &Model, angles: &[f64]) -> Option<Self> {
        let (roll, pitch, _) = model.torso_over_floor(&model.forward(angles))?.rotation.euler_angles();
        Some(Self { pitch, roll })
    }

    fn beside(self, other: Self) -> f64 {
        (self.pitch - other.pitch).abs().max((self.roll - other.roll).abs())
    }
}

/// Returns whether a torso that leans so need not move, if it is `awake` otherwise.
pub(super) fn is_upright(leans: &[(i32, Lean)], awake: Lean) -> bool {
    let Some((_, first)) = leans.first() else { return true };
    first.beside(awake) < UPRIGHT && leans.iter().all(|(_, lean)| lean.beside(*first) < STILL)
}

/// What carries a torso.
#[derive(Debug)]
pub(super) enum Trunk<'m> {
    /// One leg, or a base: the joints that turn the torso about y and x.
    Column { model: &'m Model, pitch: usize, roll: Option<usize> },
    /// Two legs.
    Legs(Legs<'m>),
}

impl<'m> Trunk<'m> {
    /// Returns what carries the torso of a body. `None` if it is not known.
    pub(super) fn of(model: &'m Model) -> Option<Self> {
        let has = |turn: Turn| {
            let wanted = Role { side: Side::Middle, part: Part::Waist, turn };
            model.body.joints.iter().position(|joint| Role::of(joint.name) == Some(wanted))
        };
        match model.soles.len() {
            0 => None,
            1 => Some(Self::Column { model, pitch: has(Turn::Pitch)?, roll: has(Turn::Roll) }),
            _ => Legs::of(model).map(Self::Legs),
        }
    }

    /// Returns whether two legs carry it.
    pub(super) fn has_legs(&self) -> bool {
        matches!(self, Self::Legs(_))
    }

    /// Returns whether the robot stands, as far as that can be known. One that has no legs does.
    pub(super) fn stands(&self, angles: &[f64]) -> bool {
        let Self::Legs(legs) = self else { return true };
        let instant = Balance::new(legs.model).and_then(|balance| balance.at_rest(angles));
        instant.is_none_or(|instant| instant.stance != Stance::Off)
    }

    /// Returns the joints that turn the torso.
    pub(super) fn joints(&self) -> Vec<usize> {
        match self {
            Self::Column { pitch, roll, .. } => std::iter::once(*pitch).chain(*roll).collect(),
            Self::Legs(legs) => legs.sides.iter().flat_map(|side| side.joints.iter().copied()).collect(),
        }
    }

    /// Turns the joints so that the torso leans so; `angles` are those before.
    pub(super) fn follow(&self, lean: Lean, angles: &mut Vec<f64>) {
        match self {
            Self::Column { model, pitch, roll } => {
                let awake = model.awake();
                let own = Lean::of(model, &awake).unwrap_or_default();
                let roll = roll.map(|roll| (roll, lean.roll - own.roll));
                for (joint, by) in std::iter::once((*pitch, lean.pitch - own.pitch)).chain(roll) {
                    let sign = turns(model, joint, &awake);
                    if let (Some(angle), Some(awake)) = (angles.get_mut(joint), awake.get(joint)) {
                        *angle = awake + sign * by;
                    }
                }
            }
            Self::Legs(legs) => legs.follow(lean, angles),
        }
    }
}

/// Returns 1 if the torso leans more with the joint's angle, −1 if less.
fn turns(model: &Model, joint: usize, awake: &[f64]) -> f64 {
    let mut turned = awake.to_vec();
    if let Some(angle) = turned.get_mut(joint) {
        *angle += 0.01;
    }
    let leans = Lean::of(model, &turned).zip(Lean::of(model, awake));
    leans.map_or(1.0, |(turned, awake)| (turned.pitch + turned.roll - awake.pitch - awake.roll).signum())
}

/// Two legs, with feet that stay where they are when the robot has woken up.
#[derive(Debug)]
pub(super) struct Legs<'m> {
    model: &'m Model,
    sides: Vec<Leg>,
    /// The torso's pose over the floor when the robot stands, and the middle between its hips in the torso's frame.
    torso: Isometry3<f64>,
    hips: Vector3<f64>,
    /// Its center of mass there.
    center: Vector3<f64>,
}

#[derive(Debug)]
struct Leg {
    joints: Vec<usize>,
    foot: End,
    /// The place of the foot on the floor.
    place: Isometry3<f64>,
}

impl<'m> Legs<'m> {
    fn of(model: &'m Model) -> Option<Self> {
        let awake = model.awake();
        let poses = model.forward(&awake);
        let torso = model.torso_over_floor(&poses)?;
        let role = |joint: usize| Role::of(model.body.joints.get(joint)?.name);
        let sides = model.soles.iter().map(|sole| {
            let foot = End { link: sole.link, tool: Isometry3::identity() };
            // A joint that turns both legs stays: it would turn the feet.
            let own = |joint: &usize| role(*joint).is_some_and(|role| role.is_leg() && role.turn != Turn::Other);
            let joints = model.joints_to(&foot).into_iter().filter(own).collect();
            Leg { joints, foot, place: torso * foot.pose(&poses) }
        });
        let sides: Vec<Leg> = sides.collect();
        let hip = |leg: &Leg| {
            let first = model.path(leg.foot.link).into_iter().nth(1)?;
            poses.get(first).map(|pose| pose.translation.vector)
        };
        let hips: Vec<Vector3<f64>> = sides.iter().filter_map(hip).collect();
        let hips = hips.iter().sum::<Vector3<f64>>() / hips.len().max(1) as f64;
        let center = (torso * Point3::from(model.center_of_mass(&poses)?)).coords;
        Some(Self { model, sides, torso, hips, center })
    }

    /// Bends the legs: the torso turns about the middle between its hips, the feet stay flat, and the hips move so that
    /// the center of mass stays over the same point.
    fn follow(&self, lean: Lean, angles: &mut Vec<f64>) {
        let (_, _, yaw) = self.torso.rotation.euler_angles();
        let turned = UnitQuaternion::from_euler_angles(lean.roll, lean.pitch, yaw);
        let mut hips = self.torso * Point3::from(self.hips);
        for _ in 0..ROUNDS {
            let origin = hips.coords - turned * self.hips;
            let torso = Isometry3::from_parts(Translation3::from(origin), turned);
            for leg in &self.sides {
                let axes = Axes([true, true, true, true, true, false]);
                let goal = Goal { end: leg.foot, joints: &leg.joints, torso, place: leg.place, axes };
                *angles = self.model.approach(&goal, angles).angles;
            }
            let Some(center) = self.model.center_of_mass(&self.model.forward(angles)) else { return };
            let off = (torso * Point3::from(center)).coords - self.center;
            if off.xy().norm() < NEAR {
                return;
            }
            (hips.x, hips.y) = (hips.x - off.x, hips.y - off.y);
        }
    }
}
