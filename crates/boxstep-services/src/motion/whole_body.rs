//! Whole body control: the weight on a foot, feet that are held, commands that keep the balance, and ends that are led to
//! places.
//!
//! Source: the page "Whole Body control API" of the NAOqi documentation. (Ours: there is no balancer, which would move
//! the other joints. `wbGoToBalance` moves the legs so that the feet stay and the center of mass is over the foot. A command
//! ends where it would take the center of mass nearer than [`KEPT`] to the border of the area under the feet, or move a foot that is
//! held. An end that is led goes to its place as by `setPosition`, at half its speed, and the legs move the torso towards it
//! where an arm is too short.)

use super::interpolate::{bad_command, begin, begin_until, paths, set};
use super::{TaskEnd, TaskWork, joints, reach};
use crate::frames::Pose;
use crate::table::{Call, Reply, bad, done, failed, ok};
use crate::world::World;
use boxstep_dynamics::{Point3, Polygon, Vector2, Vector3};
use boxstep_engine::services::{ServiceCx, ServiceError};
use boxstep_motion::BezierCommand;
use boxstep_types::Value;
use std::collections::BTreeSet;

/// The fraction of its speed with which an end is led.
const LED: f64 = 0.5;
/// How far inside of the area under the feet the center of mass is kept, in metres.
const KEPT: f64 = 0.01;
/// How far a foot that is held may move, in metres and radians: joints that turn evenly move it a little on the way.
const SLIDES: f64 = 0.01;
const TILTS: f64 = 0.05;
/// A corner of a sole that is this low is on the floor, in metres.
const ON_FLOOR: f64 = 0.005;
/// The shortest shift of the weight, in seconds (documented).
const SHORTEST: f64 = 0.5;

/// How a foot is held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum FootState {
    #[default]
    Fixed,
    Plane,
    Free,
}

/// The settings of whole body control.
#[derive(Debug, Default)]
pub(super) struct WholeBody {
    is_enabled: bool,
    /// Of the left and the right foot.
    feet: [FootState; 2],
    /// The feet over which the balance is kept.
    balance: Option<&'static [usize]>,
    /// The ends that are led.
    led: BTreeSet<String>,
}

/// Refuses the call of a robot without legs.
fn legs(w: &World) -> Result<(), ServiceError> {
    if w.body.has_legs() { Ok(()) } else { failed("this robot has no legs, and so no whole body control") }
}

/// Returns the numbers of the feet of a support.
fn support(name: &str) -> Result<&'static [usize], ServiceError> {
    match name {
        "Legs" => Ok(&[0, 1]),
        "LLeg" => Ok(&[0]),
        "RLeg" => Ok(&[1]),
        other => bad(format!("the support is LLeg, RLeg or Legs, not `{other}`")),
    }
}

/// `wbEnable(enabled)`. Without it feet are not held, nothing keeps the balance and no end is led.
pub(super) fn enable(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let on = call.args.flag(0, "enabled")?;
    legs(w)?;
    if on != w.motion.whole_body.is_enabled {
        w.motion.whole_body = WholeBody { is_enabled: on, ..WholeBody::default() };
    }
    done()
}

pub(super) fn is_enabled(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(w.motion.whole_body.is_enabled)
}

/// `wbFootState(state, support)`.
pub(super) fn foot_state(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let state = match call.args.text(0, "state")? {
        "Fixed" => FootState::Fixed,
        "Plane" => FootState::Plane,
        "Free" => FootState::Free,
        other => return bad(format!("the state of a foot is Fixed, Plane or Free, not `{other}`")),
    };
    let feet = support(call.args.text(1, "support")?)?;
    legs(w)?;
    for (foot, held) in w.motion.whole_body.feet.iter_mut().enumerate() {
        if feet.contains(&foot) {
            *held = state;
        }
    }
    done()
}

/// `wbEnableBalanceConstraint(enabled, support)`.
pub(super) fn enable_balance(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let (on, feet) = (call.args.flag(0, "enabled")?, support(call.args.text(1, "support")?)?);
    legs(w)?;
    w.motion.whole_body.balance = on.then_some(feet);
    done()
}

/// `wbEnableEffectorOptimization(effector, active)`: there is nothing to optimize without a balancer.
pub(super) fn enable_optimization(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    const KNOWN: [&str; 10] = ["All", "Arms", "Legs", "Head", "LArm", "RArm", "LLeg", "RLeg", "Torso", "Com"];
    let (effector, _) = (call.args.text(0, "effector")?, call.args.flag(1, "active")?);
    if !KNOWN.contains(&effector) {
        return bad(format!("the effector is one of {}, not `{effector}`", KNOWN.join(", ")));
    }
    legs(w)?;
    done()
}

/// Returns the joints that bring the weight over a support, and their angles.
fn shifted(w: &World, cx: &ServiceCx<'_>, name: &str) -> Result<Vec<(usize, f64)>, ServiceError> {
    support(name)?;
    legs(w)?;
    let onto: &[&str] = match name {
        "LLeg" => &["LFoot"],
        "RLeg" => &["RFoot"],
        _ => &["LFoot", "RFoot"],
    };
    let now = joints::angles(w, cx.now(), false);
    let Some(shifted) = w.body.model().shift_weight(&now, onto) else {
        return failed(format!("the legs do not reach so far that the weight is on {name}"));
    };
    Ok(shifted.into_iter().enumerate().filter(|(joint, angle)| now.get(*joint) != Some(angle)).collect())
}

/// `wbGoToBalance(support, seconds)`: returns when the weight is on the foot.
pub(super) fn go_to_balance(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let (support, seconds) = (call.args.text(0, "support")?, call.args.number(1, "duration")?);
    let shifted = shifted(w, cx, support)?;
    if seconds < SHORTEST {
        return bad(format!("argument 2 (duration) must be at least {SHORTEST} s, not {seconds}"));
    }
    if shifted.is_empty() {
        return done();
    }
    let (names, angles): (Vec<Value>, Vec<Value>) =
        shifted.into_iter().map(|(joint, angle)| (Value::Str(w.body.joint_name(joint)), Value::Float(angle))).unzip();
    let names = Value::List(names.into());
    let command = BezierCommand::from_angles(&names, &Value::List(angles.into()), &Value::Float(seconds), |name| {
        w.body.joint_names(name)
    });
    let work = TaskWork::Paths { paths: paths(w, command.map_err(bad_command)?), relative: false };
    begin(w, cx, call, work)
}

/// `wbGoToBalanceWithSpeed(support, fraction)`: returns whether the weight is on the foot.
pub(super) fn go_to_balance_with_speed(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let (support, fraction) = (call.args.text(0, "support")?, call.args.number(1, "fraction of the greatest speed")?);
    let targets = shifted(w, cx, support)?;
    if !(fraction > 0.0 && fraction <= 1.0) {
        return bad(format!(
            "argument 2 (fraction of the greatest speed) must be above 0 and at most 1, not {fraction}"
        ));
    }
    if targets.is_empty() {
        return ok(true);
    }
    begin_until(w, cx, call, TaskWork::Speed { targets, fraction }, TaskEnd::Balanced)
}

/// `wbEnableEffectorControl(end, enabled)`.
pub(super) fn enable_effector_control(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let (end, on) = (call.args.text(0, "end")?, call.args.flag(1, "enabled")?);
    if !matches!(end, "Head" | "LArm" | "RArm") {
        return bad(format!("the end is Head, LArm or RArm, not `{end}`"));
    }
    legs(w)?;
    if on {
        if !w.motion.whole_body.is_enabled {
            return failed("whole body control is off: call wbEnable first");
        }
        w.motion.whole_body.led.insert(end.to_owned());
    } else {
        w.motion.whole_body.led.remove(end);
    }
    done()
}

/// `wbSetEffectorControl(end, place)`: the place is x, y, z in the robot's frame; of the head it is the rotation.
pub(super) fn set_effector_control(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let (end, place) = (call.args.text(0, "end")?, call.args.numbers(1, "place")?);
    legs(w)?;
    if !w.motion.whole_body.is_enabled {
        return failed("whole body control is off: call wbEnable first");
    }
    if !w.motion.whole_body.led.contains(end) {
        return failed(format!("`{end}` is not led: call wbEnableEffectorControl first"));
    }
    let targets = reach::led(w, cx, end, &place)?;
    set(w, cx, call, targets, LED, false)
}

/// What commands may not do while whole body control is on.
#[derive(Debug)]
pub(super) struct Limits {
    /// The feet that carry the robot, and how far inside of their area the center of mass is at least.
    support: Option<(&'static [usize], f64)>,
    /// The pose of the right foot in the left one's frame, and whether it may slide.
    between: Option<(Pose, bool)>,
}

impl Limits {
    /// Returns the limits for a command that begins at these angles; `None` if there are none.
    pub(super) fn new(w: &World, angles: &[f64]) -> Option<Self> {
        let own = &w.motion.whole_body;
        if !own.is_enabled {
            return None;
        }
        // Ends are led with the balance kept (documented).
        let support = own.balance.or((!own.led.is_empty()).then_some(&[0, 1]));
        let support = support.map(|feet| (feet, margin(w, angles, feet).min(KEPT)));
        let held = !own.feet.contains(&FootState::Free);
        let between = held.then(|| Some((between(w, angles)?, own.feet.contains(&FootState::Plane)))).flatten();
        Some(Self { support, between })
    }

    /// Returns whether these angles are within the limits. What begins beyond a limit may go on, but not farther.
    pub(super) fn allow(&self, w: &World, angles: &[f64]) -> bool {
        const EXACT: f64 = 1e-9;
        self.support.is_none_or(|(feet, least)| margin(w, angles, feet) >= least - EXACT)
            && self.between.as_ref().is_none_or(|(was, slides)| {
                let Some(is) = between(w, angles) else { return true };
                let way = is.translation.vector - was.translation.vector;
                let up = (is.rotation * Vector3::z()).angle(&(was.rotation * Vector3::z()));
                let turn = was.rotation.angle_to(&is.rotation);
                match slides {
                    true => way.z.abs() <= SLIDES && up <= TILTS,
                    false => way.norm() <= SLIDES && turn <= TILTS,
                }
            })
    }
}

/// Returns whether a robot on both legs keeps its balance with these angles, or has it as it has with others.
pub(crate) fn keeps_balance(w: &World, before: &[f64], angles: &[f64]) -> bool {
    const FEET: &[usize] = &[0, 1];
    margin(w, angles, FEET) >= margin(w, before, FEET).min(KEPT)
}

/// Returns the pose of the right foot in the frame of the left one.
fn between(w: &World, angles: &[f64]) -> Option<Pose> {
    let links = w.body.model().forward(angles);
    let [left, right] = w.body.feet() else { return None };
    Some(left.end.pose(&links).inv_mul(&right.end.pose(&links)))
}

/// Returns how far the center of mass is inside of the area under these feet, as far as they are on the floor, in
/// metres; negative if it is outside.
fn margin(w: &World, angles: &[f64], feet: &[usize]) -> f64 {
    let model = w.body.model();
    let links = model.forward(angles);
    let (Some(torso), Some(center)) = (model.torso_over_floor(&links), model.center_of_mass(&links)) else {
        return f64::INFINITY;
    };
    let corners = feet.iter().filter_map(|foot| w.body.feet().get(*foot)).filter_map(|foot| {
        let pose = torso * links.get(foot.link)?;
        Some(foot.outline.iter().map(move |corner| pose * Point3::from(*corner)))
    });
    let on_floor: Vec<Vector2<f64>> =
        corners.flatten().filter(|corner| corner.z <= ON_FLOOR).map(|corner| corner.coords.xy()).collect();
    let center = (torso * Point3::from(center)).coords.xy();
    Polygon::around(on_floor).margin(center).map_or(f64::NEG_INFINITY, |(margin, _)| margin)
}
