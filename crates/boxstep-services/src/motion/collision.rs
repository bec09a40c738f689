//! Arms that run into the body: `isCollision` and the protection against it.
//!
//! Source: the page "Self-collision avoidance API" of the NAOqi documentation: chains are `Arms`, `LArm` and `RArm`; the
//! answers `none`, `near` and `collision`. The parts of the body are solids, as there. (Ours: an arm is near if the turn of
//! one of its joints by 0.1 rad would be a collision.)

use super::joints;
use crate::table::{Call, Reply, bad, ok};
use crate::world::World;
use boxstep_bodies::{Body, JointKind};
use boxstep_dynamics::{Collisions, Model};
use boxstep_engine::services::{ServiceCx, ServiceError};
use boxstep_types::Value;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// By how much a joint is turned to see whether an arm is near something, in radians.
const NEAR: f64 = 0.1;

/// An arm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arm {
    Left,
    Right,
}

/// Both arms.
pub(super) const ARMS: [Arm; 2] = [Arm::Left, Arm::Right];

impl Arm {
    pub(super) fn name(self) -> &'static str {
        match self {
            Arm::Left => "LArm",
            Arm::Right => "RArm",
        }
    }

    fn other(self) -> Self {
        match self {
            Arm::Left => Arm::Right,
            Arm::Right => Arm::Left,
        }
    }
}

/// Returns the arms of an argument.
fn arms(call: &Call<'_>) -> Result<&'static [Arm], ServiceError> {
    match call.args.text(0, "chain")? {
        "Arms" => Ok(&ARMS),
        "LArm" => Ok(&ARMS[..1]),
        "RArm" => Ok(&ARMS[1..]),
        other => bad(format!("the chain is Arms, LArm or RArm, not `{other}`")),
    }
}

/// Returns the joints of an arm, without its hand.
pub(super) fn joints(w: &World, arm: Arm) -> Vec<usize> {
    let joints = w.body.joint_names(arm.name()).into_iter().filter_map(|name| w.body.joint(&name));
    joints.filter(|joint| w.body.kind(*joint) == Some(JointKind::Angle)).collect()
}

fn key(arm: Arm) -> String {
    format!("ALMotion/collision/{}", arm.name())
}

/// Returns whether an arm is kept from running into the body.
pub(super) fn is_protected(w: &World, arm: Arm) -> bool {
    w.settings.get(&key(arm)).is_none_or(Value::truthy)
}

pub(super) fn set_protection(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let (arms, on) = (arms(call)?, call.args.flag(1, "enabled")?);
    for arm in arms {
        w.settings.insert(key(*arm), on.into());
    }
    ok(true)
}

pub(super) fn get_protection(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    ok(arms(call)?.iter().all(|arm| is_protected(w, *arm)))
}

pub(super) fn is_collision(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let arms = arms(call)?;
    let angles = joints::angles(w, cx.now(), true);
    let searches: Vec<Search<'_>> = arms.iter().filter_map(|arm| Search::new(w, *arm)).collect();
    if searches.iter().any(|search| search.collides(&angles)) {
        return ok("collision");
    }
    ok(if searches.iter().any(|search| search.is_near(&angles)) { "near" } else { "none" })
}

/// Finds what an arm runs into.
pub(super) struct Search<'w> {
    w: &'w World,
    collisions: &'static Collisions<'static>,
    links: Vec<&'static str>,
    own: Vec<usize>,
    /// The joints of the other arm, and where they are while the robot stands.
    other: Vec<(usize, f64)>,
}

impl<'w> Search<'w> {
    /// `None` if it is not known how thick the parts of the body are, or if it has no such arm.
    pub(super) fn new(w: &'w World, arm: Arm) -> Option<Self> {
        let own = joints(w, arm);
        let model = w.body.model();
        let end = model.end(arm.name()).filter(|_| !own.is_empty())?;
        let hand = model.joints_to(&end);
        let joint_names: Vec<&str> = own.iter().chain(&hand).filter_map(|joint| w.body.static_name(*joint)).collect();
        let links = w.body.geometry().links.iter().filter(|link| joint_names.contains(&link.joint)).map(|l| l.name);
        // What is fixed to the arm belongs to it, too.
        let mut all: Vec<&'static str> = links.collect();
        for link in w.body.geometry().links {
            if all.contains(&link.parent) && !all.contains(&link.name) {
                all.push(link.name);
            }
        }
        let collisions = known(model.body())?;
        let other = joints(w, arm.other()).into_iter().map(|joint| (joint, w.body.start(joint))).collect();
        Some(Self { w, collisions, links: all, own, other })
    }

    /// Returns whether the arm is in another part.
    pub(super) fn collides(&self, angles: &[f64]) -> bool {
        let of = |angles: Vec<f64>| {
            let found = self.collisions.over(&[angles]);
            found.map(|found| found.links.iter().any(|link| self.links.contains(link)))
        };
        match of(angles.to_vec()) {
            None => false,
            Some(true) => true,
            // The deepest collision is one of other parts, and hides that of this arm: mostly of the other arm.
            Some(false) => {
                let mut without = angles.to_vec();
                for (joint, angle) in &self.other {
                    if let Some(value) = without.get_mut(*joint) {
                        *value = *angle;
                    }
                }
                of(without) == Some(true)
            }
        }
    }

    fn is_near(&self, angles: &[f64]) -> bool {
        self.own.iter().any(|joint| {
            [-NEAR, NEAR].into_iter().any(|turn| {
                let mut turned = angles.to_vec();
                if let Some(angle) = turned.get_mut(*joint) {
                    *angle = self.w.body.clip(*joint, *angle + turn);
                }
                self.collides(&turned)
            })
        })
    }
}

/// Returns the search for the collisions of a body, which is made once in a program.
fn known(body: &'static Body) -> Option<&'static Collisions<'static>> {
    static KNOWN: Mutex<BTreeMap<usize, Option<&'static Collisions<'static>>>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    *known.entry(std::ptr::from_ref(body) as usize).or_insert_with(|| {
        let model: &'static Model = Box::leak(Box::new(Model::new(body)));
        Collisions::new(model).map(|collisions| &*Box::leak(Box::new(collisions)))
    })
}
