//! Whole body control: the weight on a foot, and ends that are led to places.
//!
//! Source: the page "Whole Body control API" of the NAOqi documentation. (Ours: there is no balancer. `wbGoToBalance` moves
//! the legs so that the feet stay and the center of mass is over the foot. An end that is led goes to its place as by
//! `setPosition`, at half its speed, and the legs do not help.)

use super::interpolate::{bad_command, begin, paths, set};
use super::{TaskWork, joints, reach};
use crate::table::{Call, Reply, bad, done, failed};
use crate::world::World;
use boxstep_engine::services::ServiceCx;
use boxstep_motion::BezierCommand;
use boxstep_types::Value;

/// The fraction of its speed with which an end is led.
const LED: f64 = 0.5;

/// `wbGoToBalance(support, seconds)`: returns when the weight is on the foot.
pub(super) fn go_to_balance(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let (support, seconds) = (call.args.text(0, "support")?, call.args.number(1, "duration")?);
    let onto: &[&str] = match support {
        "LLeg" => &["LFoot"],
        "RLeg" => &["RFoot"],
        "Legs" => &["LFoot", "RFoot"],
        other => return bad(format!("the support is LLeg, RLeg or Legs, not `{other}`")),
    };
    if !w.body.has_legs() {
        return failed("this robot has no legs");
    }
    let now = joints::angles(w, cx.now(), false);
    let Some(shifted) = w.body.model().shift_weight(&now, onto) else {
        return failed(format!("the legs do not reach so far that the weight is on {support}"));
    };
    let moved = (0..w.body.len()).filter(|joint| shifted.get(*joint) != now.get(*joint));
    let (names, angles): (Vec<Value>, Vec<Value>) = moved
        .filter_map(|joint| Some((Value::Str(w.body.joint_name(joint)), Value::Float(*shifted.get(joint)?))))
        .unzip();
    if names.is_empty() {
        return done();
    }
    let names = Value::List(names.into());
    let command = BezierCommand::from_angles(&names, &Value::List(angles.into()), &Value::Float(seconds), |name| {
        w.body.joint_names(name)
    });
    let work = TaskWork::Paths { paths: paths(w, command.map_err(bad_command)?), relative: false };
    begin(w, cx, call, work)
}

/// `wbEnableEffectorControl(end, enabled)`.
pub(super) fn enable_effector_control(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let (end, on) = (call.args.text(0, "end")?, call.args.flag(1, "enabled")?);
    if !matches!(end, "Head" | "LArm" | "RArm") {
        return bad(format!("the end is Head, LArm or RArm, not `{end}`"));
    }
    w.settings.insert(format!("ALMotion/led/{end}"), on.into());
    done()
}

/// `wbSetEffectorControl(end, place)`: the place is x, y, z in the robot's frame; of the head it is the rotation.
pub(super) fn set_effector_control(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let (end, place) = (call.args.text(0, "end")?, call.args.numbers(1, "place")?);
    if !w.setting("ALMotion", &format!("led/{end}")).is_some_and(Value::truthy) {
        return failed(format!("`{end}` is not led: call wbEnableEffectorControl first"));
    }
    let targets = reach::led(w, cx.now(), end, &place)?;
    set(w, cx, call, targets, LED, false)
}
