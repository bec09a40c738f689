//! Stiffness, waking up and going to rest.
//!
//! The simulated robot starts awake, stiff, in its standing posture, so that behaviors can move it immediately.

use super::joints::{self, Task, Track};
use super::{TaskEnd, TaskWork};
use crate::posture;
use crate::table::{Answer, Call, Reply, bad, done, ok};
use crate::world::World;
use boxstep_engine::CallId;
use boxstep_engine::services::{ServiceCx, ServiceError};
use boxstep_motion::JointPath;
use boxstep_types::{Time, Value};

/// The fraction of the speed at which the robot takes the posture when it wakes up or goes to rest.
const CALM: f64 = 0.6;

pub(super) fn robot_is_wake_up(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(w.motion.awake)
}

pub(super) fn wake_up(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    if w.motion.awake {
        return done();
    }
    if crate::physics::is_down(w) && !w.body.has_legs() {
        cx.act(
            "posture",
            "does not wake up: the robot is not on its wheels",
            Value::map([("awake", Value::Bool(false))]),
        );
        return done();
    }
    cx.act("posture", "wakes up", Value::map([("awake", Value::Bool(true))]));
    set_stiffness(w, cx, &all(w), 1.0);
    w.motion.awake = true;
    posture::go(w, cx, call.id, w.body.awake_posture(), CALM, TaskEnd::Awake)
}

pub(super) fn rest(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    if !w.motion.awake {
        return done();
    }
    cx.act("posture", "goes to rest", Value::map([("awake", Value::Bool(false))]));
    super::walk::stop(w, cx);
    joints::kill(w, cx, None, |_| true);
    posture::go(w, cx, call.id, w.body.rest_posture(), CALM, TaskEnd::Rest)
}

pub(super) fn set_stiffnesses(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let names = w.body.joints_of(call.args, 0)?;
    let values = call.args.numbers(1, "stiffness")?;
    for (i, joint) in names.iter().enumerate() {
        let value = pick(&values, i, names.len())?;
        stiffness_in_range(value)?;
        set_stiffness(w, cx, &[*joint], value);
    }
    report_stiffness(w, cx, &names);
    done()
}

pub(super) fn stiffness_interpolation(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let args = call.args;
    let names = w.body.joints_of(args, 0)?;
    let (values, times) = (args.value(1, "stiffness")?, args.value(2, "times")?);
    let labels = Value::list(names.iter().map(|j| Value::Str(w.body.joint_name(*j))));
    let command = boxstep_motion::BezierCommand::from_angles(&labels, values, times, |name| vec![name.into()]);
    let command = command.map_err(|e| ServiceError::BadArguments(e.to_string()))?;
    let keys = command.joints.iter().flat_map(|p| &p.keys);
    for value in keys.map(|k| k.value) {
        stiffness_in_range(value)?;
    }
    let paths: Vec<(usize, JointPath)> = names.iter().copied().zip(command.joints).collect();
    let task = Task {
        call: call.id,
        name: "stiffnessInterpolation",
        joints: names,
        work: TaskWork::Stiffness(paths),
        ended: TaskEnd::Stiffness,
        running: false,
    };
    joints::add(w, cx, task);
    Ok(Answer::Later)
}

pub(super) fn get_stiffnesses(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let names = w.body.joints_of(call.args, 0)?;
    let now = cx.now();
    ok(names.into_iter().map(|j| stiffness(w, j, now)).collect::<Vec<f64>>())
}

/// Returns the value for an index, from one value for all or one value for each.
pub(super) fn pick(values: &[f64], i: usize, count: usize) -> Result<f64, ServiceError> {
    let one = match values {
        [one] => Some(*one),
        many if many.len() == count => many.get(i).copied(),
        _ => None,
    };
    one.ok_or_else(|| {
        ServiceError::BadArguments(format!("{} values for {count} joints: give one, or one for each", values.len()))
    })
}

fn stiffness_in_range(value: f64) -> Result<(), ServiceError> {
    if (-1.0..=1.0).contains(&value) { Ok(()) } else { bad(format!("stiffness must be from 0 to 1, not {value}")) }
}

fn all(w: &World) -> Vec<usize> {
    (0..w.motion.joints.len()).collect()
}

/// Returns the stiffness of a joint.
pub(crate) fn stiffness(w: &World, joint: usize, now: Time) -> f64 {
    w.motion.joints.get(joint).map_or(0.0, |j| j.stiffness.at(now).clamp(0.0, 1.0))
}

pub(super) fn set_stiffness(w: &mut World, cx: &mut ServiceCx<'_>, joints: &[usize], value: f64) {
    for joint in joints {
        if let Some(j) = w.motion.joints.get_mut(*joint) {
            j.stiffness = Track::Still(value.clamp(0.0, 1.0));
        }
    }
    settle(w, cx.now());
}

fn report_stiffness(w: &World, cx: &mut ServiceCx<'_>, joints: &[usize]) {
    let now = cx.now();
    let values = joints.iter().map(|j| (w.body.joint_name(*j), Value::Float(stiffness(w, *j, now))));
    let limp = joints.iter().filter(|j| stiffness(w, **j, now) == 0.0).count();
    let text = match limp {
        0 => format!("{} joints stiff", joints.len()),
        n => format!("{n} joints limp"),
    };
    cx.act("stiffness", text, Value::map(values));
}

/// Joints that have lost their stiffness stay at their current values; those that have regained it hold that value.
pub(super) fn settle(w: &mut World, now: Time) {
    for i in 0..w.motion.joints.len() {
        let (soft, value) = (stiffness(w, i, now) <= 0.0, joints::actual(w, i, now));
        let moving = w.motion.tasks.iter().any(|t| t.running && t.joints.contains(&i));
        let Some(joint) = w.motion.joints.get_mut(i) else { continue };
        match (soft, joint.limp) {
            (true, None) => joint.limp = Some(value),
            (false, Some(_)) => {
                joint.limp = None;
                if !moving {
                    joint.command = Track::Still(value);
                }
            }
            _ => {}
        }
    }
}

/// Turns all motors off at once; the robot is no longer awake.
pub(crate) fn let_go(w: &mut World, cx: &mut ServiceCx<'_>) {
    w.motion.awake = false;
    set_stiffness(w, cx, &all(w), 0.0);
}

/// Handles the end of waking up or going to rest.
pub(super) fn awake(w: &mut World, cx: &mut ServiceCx<'_>, call: Option<CallId>, awake: bool) {
    w.motion.awake = awake;
    if !awake {
        set_stiffness(w, cx, &all(w), 0.0);
    }
    posture::settled(w, cx);
    w.notice(cx, "robotIsWakeUp", awake);
    w.notice(cx, if awake { "ALMotion/Stiffness/wakeUpFinished" } else { "ALMotion/Stiffness/restFinished" }, true);
    if let Some(call) = call {
        cx.complete(call, Ok(Value::Null));
    }
}
