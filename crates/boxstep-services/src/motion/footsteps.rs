//! Walks of given steps. Each step places a foot in the frame of the other one; the robot is midway between its feet.
//!
//! Source: the page "Locomotion control API" of the NAOqi documentation, and its example "Clip footsteps", by which a step
//! that is too large, or that would cross the other foot, is made smaller. Decisions: a step takes at least as long as at
//! the highest documented frequency; the legs turn evenly from step to step, with both feet on the floor; a walk
//! that follows brings them back.

use super::feet;
use super::pace::MAX_STEP;
use super::walk::{self, Pose};
use crate::args::numbers_of;
use crate::table::{Call, Reply, bad, done, failed, ok};
use crate::world::World;
use boxstep_engine::services::{ServiceCx, ServiceError};
use boxstep_types::{Time, Value};

/// The most steps of a call.
const MOST: usize = 1000;
/// The largest step ahead, back, to the side of the other foot, and turn; and the smallest distance to the side.
const AHEAD: f64 = MAX_STEP.x;
const BACK: f64 = -0.04;
const SIDE: f64 = MAX_STEP.y;
const TURN: f64 = MAX_STEP.theta;
const APART: f64 = 0.088;

/// A step that was asked for.
#[derive(Clone, Debug)]
pub(crate) struct FootStep {
    leg: &'static str,
    /// When the foot is down.
    at: Time,
    to: Pose,
}

/// `setFootSteps(legs, steps, times, clear)`: each time is when the foot is down, in seconds from now.
pub(super) fn set_foot_steps(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let (legs, steps) = steps(call)?;
    let times = call.args.numbers(2, "times")?;
    let rises = times.windows(2).all(|pair| pair.first() < pair.last());
    if times.len() != steps.len() || times.iter().any(|t| *t <= 0.0) || !rises {
        return bad("argument 3 (times) must have a later time above 0 for each step");
    }
    let clear = call.args.flag_or(3, "clear existing", true)?;
    go(w, cx, legs, steps, times, clear)
}

/// `setFootStepsWithSpeed(legs, steps, fractions, clear)`: the fractions are those of the greatest speed.
pub(super) fn set_foot_steps_with_speed(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let (legs, steps) = steps(call)?;
    let fractions = call.args.numbers(2, "fractions of the greatest speed")?;
    if fractions.len() != steps.len() || !fractions.iter().all(|f| *f > 0.0 && *f <= 1.0) {
        return bad("argument 3 (fractions) must have one above 0 and at most 1 for each step");
    }
    let step = walk::default_pace(w).step;
    let mut at = 0.0;
    let times = fractions.iter().map(|fraction| {
        at += step / fraction;
        at
    });
    let times = times.collect();
    let clear = call.args.flag_or(3, "clear existing", true)?;
    go(w, cx, legs, steps, times, clear)
}

/// Returns a step that NAO can make: within the largest steps, within an ellipse of them, and beside the other foot.
fn clipped(leg: &str, step: Pose) -> Pose {
    let side = if leg == "LLeg" { 1.0 } else { -1.0 };
    let (mut x, y) = (step.x.clamp(BACK, AHEAD), (side * step.y).clamp(APART, SIDE));
    let mut beside = y - APART;
    let most = if x >= 0.0 { AHEAD } else { BACK };
    let part = (x / most).hypot(beside / (SIDE - APART));
    if part > 1.0 {
        (x, beside) = (x / part, beside / part);
    }
    let mut step = Pose { x, y: side * (APART + beside), theta: step.theta.clamp(-TURN, TURN) };
    // Toes that would be in the other foot turn less.
    while step.theta.abs() > 1e-3 && feet::overlap(leg == "LLeg", step) {
        step.theta *= 0.9;
    }
    step
}

fn steps(call: &Call<'_>) -> Result<(Vec<&'static str>, Vec<Pose>), ServiceError> {
    let leg = |name: &str| match name {
        "LLeg" => Ok("LLeg"),
        "RLeg" => Ok("RLeg"),
        other => failed(format!("`{other}` is not a leg: use LLeg or RLeg")),
    };
    let legs = call.args.texts(0, "legs")?.into_iter().map(leg).collect::<Result<Vec<_>, _>>()?;
    let step = |value: &Value| match numbers_of(value, "a step")?.as_slice() {
        [x, y, theta] => Ok(Pose { x: *x, y: *y, theta: *theta }),
        _ => bad("each step must be [x, y, theta]"),
    };
    let given = call.args.list(1, "steps")?;
    let steps = if given.iter().any(|item| item.as_list().is_some()) {
        given.iter().map(step).collect::<Result<Vec<_>, _>>()?
    } else {
        vec![step(call.args.value(1, "steps")?)?]
    };
    if legs.len() != steps.len() || steps.len() > MOST {
        return bad(format!("there must be as many legs as steps, and at most {MOST}"));
    }
    Ok((legs, steps))
}

fn go(
    w: &mut World,
    cx: &mut ServiceCx<'_>,
    legs: Vec<&'static str>,
    steps: Vec<Pose>,
    times: Vec<f64>,
    clear: bool,
) -> Reply {
    if !w.body.has_legs() {
        return failed("this robot has no legs");
    }
    if !w.motion.awake {
        cx.act("move", "does not move: the robot is at rest", Value::map([("awake", Value::Bool(false))]));
        return done();
    }
    let now = cx.now();
    let waits = if clear { 0.0 } else { walk::left(w, now) };
    let planned = w.motion.planned.filter(|_| !clear && w.motion.walk.moves());
    let [mut left, mut right] = planned.unwrap_or_else(|| feet::places(w, now));
    let quickest = walk::default_pace(w).step;
    let (mut before, mut at) = (0.0, 0.0);
    let (mut path, mut ways) = (Vec::with_capacity(steps.len()), Vec::with_capacity(steps.len()));
    let mut smaller = 0;
    w.motion.steps.retain(|step| !clear && step.at > now);
    for ((leg, step), until) in legs.into_iter().zip(steps).zip(times) {
        let to = clipped(leg, step);
        smaller += usize::from(to != step);
        let takes = (until - before).max(quickest);
        (before, at) = (until, at + takes);
        if leg == "LLeg" {
            left = right.then(to);
        } else {
            right = left.then(to);
        }
        let middle = Pose::between(left, right);
        path.push((takes, middle));
        ways.push((waits + at, [left, right].map(|foot| middle.inner(foot))));
        w.motion.steps.push(FootStep { leg, at: crate::world::after(now, waits + at), to });
    }
    w.motion.planned = Some([left, right]);
    feet::follow(w, now, &ways);
    walk::follow(w, cx, path, clear, smaller);
    done()
}

/// Answers where the feet are, and the steps that are still to come: leg, seconds, step.
pub(super) fn get_foot_steps(w: &mut World, cx: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    if !w.body.has_legs() {
        return ok(Value::list([]));
    }
    let now = cx.now();
    let feet = feet::places(w, now).map(Pose::value);
    let left = w.motion.steps.iter().filter(|step| step.at > now && w.motion.walk.moves());
    let row = |s: &FootStep| Value::list([s.leg.into(), Value::Float((s.at - now).as_secs_f64()), s.to.value()]);
    let left = Value::list(left.map(row));
    ok(Value::list([Value::list(feet), Value::list([]), left]))
}

pub(super) fn clear_foot_steps(w: &mut World, cx: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    w.motion.steps.clear();
    walk::stop(w, cx);
    done()
}
