//! Falls, and the fall manager, which protects the robot.
//!
//! Source: the page "Fall manager" of the NAOqi documentation: it acts when the center of mass is no longer over the
//! area under the feet while a foot is on the floor; it ends all motion, brings the arms and the head between the robot
//! and the floor, and turns the motors off. `ALMotion/RobotIsFalling` and `robotHasFallen` are raised at the beginning
//! and at the end. Decisions: the angles of the arms and the time until the motors are off are ours; a robot that has
//! fallen is no longer awake.

use crate::motion::{joints, power, walk};
use crate::posture;
use crate::world::World;
use boxstep_dynamics::{GRAVITY, Point3, Polygon, Vector2, Vector3};
use boxstep_engine::services::ServiceCx;
use boxstep_types::{Time, Value};

/// Whether the robot is on its feet.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Fall {
    #[default]
    OnFeet,
    Falling {
        since: Time,
        /// Whether the fall manager still has to turn the motors off.
        protects: bool,
    },
    /// It sits, lies, or leans on something else than its feet.
    Down,
}

/// A corner of a sole that is this low is on the floor, in metres.
const NEAR: f64 = 0.005;
/// The part of the weight that the soles of a robot on its feet carry at least.
const CARRIED: f64 = 0.3;
/// After this time of a fall the motors are off.
const OFF: Time = Time::from_millis(300);
/// A fall is over when nothing is faster than this, in m/s and rad/s, or after this time.
const SLOW: f64 = 0.3;
const LONGEST: Time = Time::from_millis(3_000);

/// How the robot stands.
struct Standing {
    /// Whether a foot is on the floor.
    touches: bool,
    /// Whether the feet carry it.
    is_carried: bool,
    /// Whether the center of mass is over the area under the feet on the floor.
    is_over: bool,
    /// From the middle of that area to the center of mass, in the robot's frame.
    lean: Vector3<f64>,
    /// The direction of the floor, in the torso's frame.
    down: Vector3<f64>,
    speed: f64,
}

fn standing(w: &World, now: Time) -> Option<Standing> {
    let robot = w.physics.as_ref()?.robot()?;
    let model = w.body.model();
    let torso = robot.torso();
    let links = model.forward(&joints::angles(w, now, true));
    let center = torso * Point3::from(model.center_of_mass(&links)?);
    let forces = robot.soles();
    let soles = w.body.geometry().soles.iter().filter_map(|sole| {
        let link = model.links().iter().position(|link| link.name == sole.link)?;
        let pose = torso * links.get(link)?;
        Some(sole.outline.iter().map(|corner| (pose * Point3::from(*corner)).coords).collect::<Vec<_>>())
    });
    // A sole counts if a corner of it is on the floor: a foot that rocks has not left it.
    let on_floor = soles.filter(|sole| sole.iter().any(|corner| corner.z < NEAR));
    let corners: Vec<Vector2<f64>> = on_floor.flatten().map(|corner| corner.xy()).collect();
    let middle = corners.iter().sum::<Vector2<f64>>() / corners.len().max(1) as f64;
    let touches = !corners.is_empty();
    let over = Polygon::around(corners).margin(center.coords.xy());
    let toward = center.coords.xy() - middle;
    Some(Standing {
        touches,
        is_carried: forces.iter().map(|sole| sole.force).sum::<f64>() > CARRIED * GRAVITY * model.mass(),
        is_over: over.is_some_and(|(margin, _)| margin >= 0.0),
        lean: super::under(&torso).rotation.inverse() * Vector3::new(toward.x, toward.y, 0.0),
        down: torso.rotation.inverse() * -Vector3::z(),
        speed: robot.speed(),
    })
}

/// Looks how the robot stands, and acts on it.
pub(super) fn attend(w: &mut World, cx: &mut ServiceCx<'_>) {
    let now = cx.now();
    let Some(own) = &w.physics else { return };
    let (before, rests) = (own.fall, own.rests(w));
    let Some(stands) = standing(w, now) else { return };
    let after = match before {
        Fall::OnFeet if stands.touches && !stands.is_over => begin(w, cx, stands.lean),
        Fall::OnFeet if rests && !stands.is_carried => down(w, cx, &stands, false),
        Fall::Falling { since, protects: true } if now >= since + OFF => {
            let_go(w, cx);
            Fall::Falling { since, protects: false }
        }
        // Without protection it may come back.
        Fall::Falling { protects: false, .. } if stands.is_carried && stands.is_over && stands.speed < SLOW => {
            return up(w, cx);
        }
        Fall::Falling { since, protects: false } if now > since && (stands.speed < SLOW || now >= since + LONGEST) => {
            down(w, cx, &stands, true)
        }
        Fall::Down if stands.is_carried && stands.is_over && rests => return up(w, cx),
        same => same,
    };
    if let Some(own) = &mut w.physics {
        own.fall = after;
    }
}

/// Begins a fall.
fn begin(w: &mut World, cx: &mut ServiceCx<'_>, lean: Vector3<f64>) -> Fall {
    let side = side(lean);
    cx.act("fall", format!("falls {}", side.toward()), Value::map([("side", side.name().into())]));
    let is_protected = w.setting("ALMotion", "fallManager").is_none_or(Value::truthy);
    if is_protected {
        w.notice(cx, "ALMotion/RobotIsFalling", true);
        walk::halt_all(w, cx);
        for (joint, angle) in side.protection() {
            if let Some(joint) = w.body.joint(joint) {
                joints::ramp(w, joint, *angle, 1.0, cx.now());
            }
        }
    }
    Fall::Falling { since: cx.now(), protects: is_protected }
}

/// Turns the motors off.
fn let_go(w: &mut World, cx: &mut ServiceCx<'_>) {
    power::let_go(w, cx);
    w.notice(cx, "robotIsWakeUp", false);
}

/// Ends a fall, or notes that the robot is no longer on its feet.
fn down(w: &mut World, cx: &mut ServiceCx<'_>, stands: &Standing, has_fallen: bool) -> Fall {
    let (place, family) = match stands.down {
        down if down.x > 0.7 => ("lies on its front", Some("LyingBelly")),
        down if down.x < -0.7 => ("lies on its back", Some("LyingBack")),
        down if down.y > 0.7 => ("lies on its left side", None),
        down if down.y < -0.7 => ("lies on its right side", None),
        _ => ("is no longer on its feet", None),
    };
    cx.act("fall", place, Value::map([("down", Value::Bool(true))]));
    if has_fallen && w.setting("ALMotion", "fallManager").is_none_or(Value::truthy) {
        w.notice(cx, "robotHasFallen", true);
    }
    w.notice(cx, "PostureFamilyChanged", family.unwrap_or("Unknown"));
    Fall::Down
}

/// Notes that the robot is on its feet again.
pub(super) fn up(w: &mut World, cx: &mut ServiceCx<'_>) {
    cx.act("fall", "stands on its feet", Value::map([("down", Value::Bool(false))]));
    for key in ["ALMotion/RobotIsFalling", "robotHasFallen"] {
        if w.memory.get(key).is_some_and(Value::truthy) {
            w.notice(cx, key, false);
        }
    }
    posture::stands(w, cx);
    if let Some(own) = &mut w.physics {
        own.fall = Fall::OnFeet;
    }
}

/// To which side the robot falls.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Side {
    Front,
    Back,
    Left,
    Right,
}

fn side(lean: Vector3<f64>) -> Side {
    match lean {
        lean if lean.x.abs() >= lean.y.abs() => {
            if lean.x > 0.0 {
                Side::Front
            } else {
                Side::Back
            }
        }
        lean if lean.y > 0.0 => Side::Left,
        _ => Side::Right,
    }
}

impl Side {
    fn name(self) -> &'static str {
        match self {
            Side::Front => "front",
            Side::Back => "back",
            Side::Left => "left",
            Side::Right => "right",
        }
    }

    fn toward(self) -> &'static str {
        match self {
            Side::Front => "forward",
            Side::Back => "backward",
            Side::Left => "to its left",
            Side::Right => "to its right",
        }
    }

    /// Returns the angles that protect the robot, in radians.
    fn protection(self) -> &'static [(&'static str, f64)] {
        match self {
            Side::Front => &[
                ("HeadPitch", -0.3),
                ("LShoulderPitch", 0.3),
                ("RShoulderPitch", 0.3),
                ("LElbowRoll", -0.6),
                ("RElbowRoll", 0.6),
            ],
            Side::Back => &[
                ("HeadPitch", 0.3),
                ("LShoulderPitch", 2.0),
                ("RShoulderPitch", 2.0),
                ("LHipPitch", -0.6),
                ("RHipPitch", -0.6),
            ],
            Side::Left => &[("LShoulderPitch", 1.4), ("LShoulderRoll", 0.8), ("LElbowRoll", -0.6)],
            Side::Right => &[("RShoulderPitch", 1.4), ("RShoulderRoll", -0.8), ("RElbowRoll", 0.6)],
        }
    }
}
