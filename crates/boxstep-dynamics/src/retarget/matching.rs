//! Which joint of the new body a curve moves.

use super::arms::Arm;
use super::roles::{Role, Side, Turn};
use super::trunk::Trunk;
use crate::Model;
use boxstep_bodies::CurveRule;
use nalgebra::Vector3;

/// An axis of rotation may be so far from the one that its name says, as a cosine.
const ALONG: f64 = 0.7;

/// What becomes of a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Match {
    /// It moves one joint.
    Joint(CurveRule),
    /// It moves an arm of another geometry: the left one is 0, the right one 1.
    Arm(usize),
    /// It moves the torso.
    Trunk,
    /// Nothing corresponds.
    Nothing,
}

/// The correspondence between two bodies.
#[derive(Debug)]
pub(super) struct Matching<'m> {
    pub(super) from: &'m Model,
    pub(super) to: &'m Model,
    /// Left and right arms, if they are matched by place.
    pub(super) arms: [Option<[Arm<'m>; 2]>; 2],
    /// What carries the torsos, if that is different.
    pub(super) trunk: Option<[Trunk<'m>; 2]>,
}

impl<'m> Matching<'m> {
    pub(super) fn new(from: &'m Model, to: &'m Model) -> Self {
        let arms = [Side::Left, Side::Right].map(|side| {
            let arm = Arm::of(from, side)?;
            let name = |joint: &usize| from.body.joints.get(*joint).map(|joint| joint.name);
            let named = arm.joints.iter().filter_map(name).any(|name| to.body.curve(name).is_some());
            Arm::of(to, side).filter(|_| !named).map(|other| [arm, other])
        });
        let trunks = Trunk::of(from).zip(Trunk::of(to)).filter(|(a, b)| a.has_legs() != b.has_legs());
        Self { from, to, arms, trunk: trunks.map(|(a, b)| [a, b]) }
    }

    /// Returns what becomes of the curve of this name.
    pub(super) fn of(&self, actuator: &str) -> Match {
        if let Some(rule) = self.to.body.curve(actuator) {
            return Match::Joint(rule);
        }
        let Some(role) = Role::of(actuator) else { return Match::Nothing };
        let sides = [Side::Left, Side::Right]
            .into_iter()
            .zip(&self.arms)
            .position(|(side, arms)| arms.is_some() && role.is_arm(side));
        match sides {
            Some(side) => Match::Arm(side),
            None if self.trunk.is_some() && (role.is_leg() || role.is_column()) => Match::Trunk,
            None => self.by_role(actuator, role).map_or(Match::Nothing, Match::Joint),
        }
    }

    /// Returns the joint of the same kind and role. It turns the other way if its axis points there.
    fn by_role(&self, actuator: &str, role: Role) -> Option<CurveRule> {
        let same = |joint: &&boxstep_bodies::Joint| Role::of(joint.name) == Some(role);
        let other = self.to.body.joints.iter().find(same)?;
        let own = self.from.body.joint(actuator)?;
        let sign = direction(self.from, own.name, role.turn)? * direction(self.to, other.name, role.turn)?;
        (own.kind == other.kind).then(|| CurveRule { scale: sign, ..CurveRule::same(other.name) })
    }
}

/// Returns whether a joint turns about the axis that its role says (1), or its opposite (−1). `None` if it is another
/// axis. Where a body has no geometry, names are trusted.
fn direction(model: &Model, joint: &str, turn: Turn) -> Option<f64> {
    let expected = match turn {
        Turn::Roll => Vector3::x(),
        Turn::Pitch => Vector3::y(),
        Turn::Yaw => Vector3::z(),
        Turn::Other => return Some(1.0),
    };
    let index = model.body.joint_index(joint);
    let Some(link) = model.links.iter().position(|link| link.joint == index && index.is_some()) else {
        return Some(1.0);
    };
    let poses = model.forward(&vec![0.0; model.joints()]);
    let (pose, link) = (poses.get(link)?, model.links.get(link)?);
    let along = (pose.rotation * *link.axis * link.scale).dot(&expected);
    (along.abs() >= ALONG).then_some(along.signum())
}
