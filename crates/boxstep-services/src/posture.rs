//! `ALRobotPosture`: the joints move straight from their current angles to the posture's.
//!
//! A real robot passes through other postures and may fail; here it always arrives unless it is stopped or without
//! stiffness. Source: the page ALRobotPosture API of the NAOqi documentation.

use super::motion::joints::{self, Task};
use super::motion::{TaskEnd, TaskWork, power};
use super::world::World;
use crate::table::{
    Answer, Call, Const, Reply, Service, accepts, answers, bad, described, done, ok, robot, runs, service, unknown,
};
use boxstep_engine::CallId;
use boxstep_engine::services::{Effect, ServiceCx};
use boxstep_motion::{JointPath, Key};
use boxstep_types::{Time, Value};
use std::sync::Arc;

pub(crate) static SERVICES: &[Service] = &[
    service(
        "ALRobotPosture",
        "Predefined postures",
        &[
            runs("goToPosture", "Goes to a posture; waits; whether it got there", robot("(sf)b"), go_to_posture),
            runs("applyPosture", "Moves the joints to a posture without planning", robot("(sf)b"), go_to_posture),
            runs("stopMove", "Stops going", robot("()v"), stop_move),
            runs("getPosture", "Posture it is in", robot("()s"), get_posture),
            runs("getPostureFamily", "Family of the posture it is in", robot("()s"), get_posture_family),
            runs("getPostureList", "Every posture", robot("()[s]"), get_posture_list),
            runs("getPostureFamilyList", "Every family", robot("()[s]"), get_posture_family_list),
            runs("setMaxTryNumber", "How often to try", robot("(i)v"), set_max_try_number),
        ],
    )
    .events(&[CHANGED, "PostureFamilyChanged", "ALRobotPosture/IsPostureStarted"]),
    service(
        "ALMotionRecorder",
        "Records poses into which somebody brings the robot; nobody does here",
        &[
            accepts("startInteractiveRecording", "Records a pose at each touch", described("([s]ibi)v")),
            accepts("startPeriodicRecording", "Records a pose at each period", described("([s]ibf[s]m)v")),
            answers("stopAndGetRecording", "Joints and their angles", described("()m"), Const::Empty),
        ],
    ),
    service(
        "ALRobotPose",
        "Postures, as NAOqi 1 names them",
        &[
            runs("getActualPoseAndTime", "Posture, and the seconds in it", unknown("()m"), get_actual_pose_and_time),
            runs("getPoseNames", "Every posture", unknown("()m"), get_posture_list),
        ],
    ),
];

/// The event from outside that sends the robot to a posture, which its value names.
pub(crate) const GO: &str = "Boxstep/Posture";
/// The call of a change of posture that no script waits for.
const NOBODY: CallId = CallId(u32::MAX);
/// The fraction of the usual speed of such a change.
const CALM: f64 = 0.5;

const CHANGED: &str = "PostureChanged";
/// The fraction of the motors' speed that a posture at speed 1 uses.
const EASE: f64 = 0.2;
/// The shortest change of posture, in seconds.
const QUICKEST: f64 = 0.5;
/// A joint that is this close to the posture's angle has reached it, in radians.
const NEAR: f64 = 0.1;

fn go_to_posture(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let args = call.args;
    let (name, speed) = (args.text(0, "posture")?, args.number(1, "speed")?);
    if !(speed > 0.0 && speed <= 1.0) {
        return bad(format!("argument 2 (speed) must be above 0 and at most 1, not {speed}"));
    }
    let Some(name) = w.body.posture_name(name) else {
        return bad(format!("there is no posture `{name}`: use {}", w.body.posture_names().join(", ")));
    };
    go(w, cx, call.id, name.clone(), speed, TaskEnd::Posture(name))
}

/// Goes to the posture of the event [`GO`]; what moves these joints now ends.
pub(crate) fn asked(w: &mut World, cx: &mut ServiceCx<'_>, value: &Value) {
    let Some(name) = value.as_str().and_then(|name| w.body.posture_name(name)) else {
        let names = w.body.posture_names().join(", ");
        return cx.effect(Effect::Warn(format!("{GO} takes the name of a posture, not {value}: {names}")));
    };
    let joints: Vec<usize> = w.body.posture(&name).into_iter().map(|target| target.0).collect();
    joints::kill(w, cx, None, |task| task.joints.iter().any(|joint| joints.contains(joint)));
    // Its end is told by the posture's events: there is nobody to answer.
    let _ = go(w, cx, NOBODY, name.clone(), CALM, TaskEnd::Posture(name));
}

fn stop_move(w: &mut World, cx: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    joints::kill(w, cx, None, |t| matches!(t.ended, TaskEnd::Posture(_)));
    done()
}

fn get_posture(w: &mut World, cx: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(current(w, cx.now()))
}

fn get_posture_family(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(family(w))
}

fn get_posture_list(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(w.body.posture_names())
}

fn get_posture_family_list(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(w.body.posture_families())
}

/// Decision: the names are those of `ALRobotPosture`, and the seconds of a posture that nobody has noticed are 0.
fn get_actual_pose_and_time(w: &mut World, cx: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    let name = current(w, cx.now());
    let since = w.memory.changed(CHANGED).filter(|(posture, _)| posture.as_str().is_none_or(|posture| posture == name));
    let seconds = since.map_or(0.0, |(_, at)| (cx.now() - at).as_secs_f64());
    ok(Value::list([name.into(), Value::Float(seconds)]))
}

fn set_max_try_number(_: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    call.args.int(0, "number")?;
    done()
}

/// Moves the body to a posture; the call returns when it is reached.
pub(crate) fn go(
    w: &mut World,
    cx: &mut ServiceCx<'_>,
    call: CallId,
    name: Arc<str>,
    speed: f64,
    ended: TaskEnd,
) -> Reply {
    let now = cx.now();
    let targets = w.body.posture(&name);
    let slowest = |w: &World| {
        let way = |(j, to): &(usize, f64)| (to - joints::command(w, *j, now)).abs() / w.body.speed(*j).max(1e-6);
        targets.iter().map(way).fold(0.0, f64::max)
    };
    let seconds = slowest(w) / (EASE * speed);
    let seconds = if seconds > 0.0 { seconds.max(QUICKEST) } else { 0.0 };
    cx.act(
        "posture",
        format!("{name} at speed {speed}"),
        Value::map([("posture", Value::Str(name.clone())), ("speed", speed.into())]),
    );
    let joints = targets.iter().map(|t| t.0).collect();
    let paths =
        targets.into_iter().map(|(j, to)| (j, JointPath { joint: "".into(), keys: vec![Key::new(seconds, to)] }));
    let work = TaskWork::Paths { paths: paths.collect(), relative: false };
    w.notice(cx, "ALRobotPosture/IsPostureStarted", true);
    joints::add(w, cx, Task { call, name: "goToPosture", joints, work, ended, running: false });
    Ok(Answer::Later)
}

/// Handles the end of a change of posture.
pub(crate) fn ended(w: &mut World, cx: &mut ServiceCx<'_>, name: &str, call: Option<CallId>, reached: bool) {
    let now = cx.now();
    let stands = w.body.posture(name).iter().all(|(j, to)| (joints::actual(w, *j, now) - to).abs() < NEAR);
    let stiff = w.body.posture(name).iter().any(|(j, _)| power::stiffness(w, *j, now) > 0.0);
    let reached = reached && stands && stiff;
    if reached {
        changed(w, cx, name);
    }
    if let Some(call) = call {
        cx.complete(call, Ok(reached.into()));
    }
}

/// Raises the events of a changed posture.
pub(crate) fn changed(w: &mut World, cx: &mut ServiceCx<'_>, name: &str) {
    let family = w.body.posture_family(name);
    w.notice(cx, CHANGED, name);
    if w.memory.get("PostureFamilyChanged").and_then(Value::as_str) != Some(family) {
        w.notice(cx, "PostureFamilyChanged", family);
    }
}

/// Raises the events of the posture in which the robot is, if they have another one.
pub(crate) fn settled(w: &mut World, cx: &mut ServiceCx<'_>) {
    let name = current(w, cx.now());
    if w.body.posture_name(&name).is_some() && w.memory.get(CHANGED).and_then(Value::as_str) != Some(&name) {
        changed(w, cx, &name);
    }
}

/// Raises them for a robot that is on its feet again.
pub(crate) fn stands(w: &mut World, cx: &mut ServiceCx<'_>) {
    let family = match w.body.posture_family(&current(w, cx.now())) {
        "Unknown" => "Standing",
        family => family,
    };
    settled(w, cx);
    if w.memory.get("PostureFamilyChanged").and_then(Value::as_str) != Some(family) {
        w.notice(cx, "PostureFamilyChanged", family);
    }
}

/// Returns the current posture: the one whose worst joint is nearest, if that is near enough.
fn current(w: &World, now: Time) -> String {
    let worst = |name: &str| {
        let far = |(j, to): &(usize, f64)| (joints::actual(w, *j, now) - to).abs();
        w.body.posture(name).iter().map(far).fold(0.0, f64::max)
    };
    let names = w.body.posture_names();
    let near = names.into_iter().map(|n| (worst(&n), n)).filter(|(d, _)| *d < NEAR).min_by(|a, b| a.0.total_cmp(&b.0));
    near.map_or_else(|| "Unknown".to_owned(), |(_, name)| name)
}

/// Returns the family of the posture that was reached last.
fn family(w: &World) -> Value {
    w.memory.get("PostureFamilyChanged").cloned().unwrap_or_else(|| "Standing".into())
}
