//! `ALTracker`: looking and pointing move the body; tracking follows what the robot sees of a described world.
//!
//! Source: the page ALTracker API of the NAOqi documentation. `aim.rs` finds the angles.

mod aim;
mod follow;

pub(crate) use follow::{position, turn_head, work};

use super::args::Args;
use super::motion::joints::{self, Task};
use super::motion::position;
use super::motion::{TaskEnd, TaskWork};
use super::world::World;
use crate::frames::{commanded_torso_in_world, inner, torso_over_floor};
use crate::table::{
    Answer, Call, Const, Reply, Service, accepts, bad, done, failed, gets, nao6, ok, robot, runs, service, sets,
    unknown,
};
use boxstep_engine::services::{ServiceCx, ServiceError};
use boxstep_types::{Time, Value};
use std::collections::BTreeMap;

/// The name of the service.
pub(crate) const NAME: &str = "ALTracker";

pub(crate) static SERVICES: &[Service] = &[service(
    "ALTracker",
    "Looks, points and moves at targets",
    &[
        runs("track", "Follows a target", robot("(s)v"), track),
        runs("trackEvent", "Follows the position of an event", robot("(s)v"), track_event),
        runs("stopTracker", "Stops", robot("()v"), stop_tracker),
        runs("registerTarget", "Adds a target with its size", robot("(sm)v"), register_target),
        runs("unregisterTarget", "Removes a target", robot("(s)v"), unregister_target),
        runs("unregisterTargets", "Removes targets", robot("([s])v"), unregister_target),
        runs("unregisterAllTargets", "Removes every target", robot("()v"), unregister_all_targets),
        runs("setEffector", "Arms to point with: Arms, LArm, RArm, None", robot("(s)v"), set_effector),
        gets("getEffector", "Arms to point with", robot("()s"), "effector", Const::Str("None")),
        sets("setRelativePosition", "Where to stay from the target", robot("(m)v"), "relative"),
        gets("getRelativePosition", "Where to stay from the target", robot("()m"), "relative", Const::Empty),
        runs("setMode", "Head, WholeBody or Move", robot("(s)v"), set_mode),
        gets("getMode", "Head, WholeBody or Move", robot("()s"), "mode", Const::Str("Head")),
        runs("getAvailableModes", "Every mode", robot("()[s]"), get_available_modes),
        runs("getActiveTarget", "Target it follows", robot("()s"), get_active_target),
        runs("getRegisteredTargets", "Targets", robot("()[s]"), get_registered_targets),
        runs("getSupportedTargets", "Targets it can follow", robot("()[s]"), get_supported_targets),
        runs("getManagedTargets", "Targets", robot("()[s]"), get_registered_targets),
        runs("getTargetNames", "Targets it can follow", robot("()[s]"), get_supported_targets),
        runs("getTargetPosition", "Where the target is", robot("(i)[f] ()[f]"), get_target_position),
        runs("isActive", "Whether it follows", robot("()b"), is_active),
        runs("isNewTargetDetected", "Whether it has seen the target again", robot("()b"), is_new_target_detected),
        runs("isTargetLost", "Whether it lost the target", robot("()b"), is_target_lost),
        gets("isSearchEnabled", "Whether it searches", robot("()b"), "search", Const::Bool(true)),
        sets("toggleSearch", "Whether to search", robot("(b)v"), "search"),
        sets("setMaximumDistanceDetection", "How far it sees, metres", robot("(f)v"), "distance"),
        gets("getMaximumDistanceDetection", "How far it sees, metres", robot("()f"), "distance", Const::Float(0.0)),
        sets("setTimeOut", "Milliseconds until a target counts as lost", robot("(i)v"), "timeOut"),
        gets("getTimeOut", "Milliseconds until a target counts as lost", robot("()i"), "timeOut", Const::Int(2000)),
        sets("setMaximumVelocity", "Speed of the walk", nao6("(f)v"), "velocity"),
        sets("setMaximumAcceleration", "Acceleration of the walk", nao6("(f)v"), "acceleration"),
        runs("lookAt", "Looks at a point", robot("([f]ifb)v ([f]fb)v (mm)v"), look_at),
        runs("pointAt", "Points at a point", robot("(s[f]if)v (s[f]f)v"), point_at),
        runs("addEffector", "Adds an arm", robot("(s)v"), set_effector),
        runs("removeEffector", "Removes an arm", robot("(s)v"), remove_effector),
        runs("addTarget", "Old name of registerTarget", robot("(sm)v"), register_target),
        runs("removeTarget", "Old name of unregisterTarget", robot("(s)v"), unregister_target),
        runs("removeAllTargets", "Old name of unregisterAllTargets", robot("()v"), unregister_all_targets),
        sets("setExtractorPeriod", "Period of a target's extractor", robot("(si)v"), "period"),
        gets("getExtractorPeriod", "Period of a target's extractor", robot("(s)i"), "period", Const::Int(0)),
        gets("getMaximumAcceleration", "Greatest acceleration", unknown("()m"), "acceleration", Const::Float(0.0)),
        gets("getMaximumVelocity", "Greatest velocity", unknown("()m"), "velocity", Const::Float(0.0)),
        gets("getMoveConfig", "Settings of its steps", unknown("()m"), "move", Const::Empty),
        sets("setMoveConfig", "Settings of its steps", unknown("(m)m"), "move"),
        accepts("initialize", "Usual settings", unknown("()m")),
        accepts("setTargetInfo", "What is known of a target", unknown("()m (m)m (mm)m")),
        runs("getRobotPosition", "Where it stands", unknown("()m"), get_robot_position),
        runs("isNewReady", "Whether there is a new target position", unknown("()m"), is_new_target_detected),
    ],
)
.events(&[
    "ALTracker/ActiveTargetChanged",
    "ALTracker/BlobDetected",
    "ALTracker/CloseObjectDetected",
    "ALTracker/FastPersonTracking",
    "ALTracker/FindPersonHead",
    "ALTracker/TargetDetected",
    "ALTracker/TargetLost",
    "ALTracker/TargetReached",
])];

/// The state of the tracker.
#[derive(Debug, Default)]
pub(crate) struct Tracker {
    targets: BTreeMap<String, Value>,
    active: Option<String>,
    pub(crate) sight: follow::Sight,
}

impl Tracker {
    /// Returns whether it follows a target.
    pub(crate) fn is_active(&self) -> bool {
        self.active.is_some()
    }
}

fn register_target(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let args = call.args;
    w.tracker.targets.insert(args.text(0, "target")?.to_owned(), args.value(1, "size")?.clone());
    done()
}

fn unregister_target(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    for name in call.args.texts(0, "target")? {
        w.tracker.targets.remove(name);
        if w.tracker.active.as_deref() == Some(name) {
            stop(w, cx);
        }
    }
    done()
}

fn unregister_all_targets(w: &mut World, cx: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    w.tracker.targets.clear();
    stop(w, cx);
    done()
}

fn track(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let name = call.args.text(0, "target")?;
    if !w.tracker.targets.contains_key(name) {
        return failed(format!("the target `{name}` was not registered"));
    }
    follow(w, cx, name)
}

fn track_event(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    follow(w, cx, call.args.text(0, "event")?)
}

/// Follows a target from now on.
pub(crate) fn follow(w: &mut World, cx: &mut ServiceCx<'_>, name: &str) -> Reply {
    let mode = w.setting("ALTracker", "mode").and_then(Value::as_str).unwrap_or("Head").to_owned();
    cx.act(
        "track",
        if w.options.world.is_described {
            format!("{name} with {mode}")
        } else {
            format!("{name} with {mode} (nothing is seen in an empty room)")
        },
        Value::map([("target", Value::from(name)), ("mode", mode.into())]),
    );
    w.tracker.active = Some(name.to_owned());
    w.tracker.sight = follow::Sight::default();
    w.notice(cx, "ALTracker/ActiveTargetChanged", name);
    done()
}

fn stop_tracker(w: &mut World, cx: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    stop(w, cx);
    done()
}

fn get_active_target(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(w.tracker.active.clone().unwrap_or_default())
}

fn is_active(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(w.tracker.active.is_some())
}

/// The modes, and the arms that point at a target.
const MODES: [&str; 5] = ["Head", "BodyRotation", "WholeBody", "Move", "Navigate"];
const EFFECTORS: [&str; 4] = ["Arms", "LArm", "RArm", "None"];

fn get_available_modes(_: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(MODES.map(String::from).to_vec())
}

/// Returns a text of an argument that is one of these.
fn one_of<'a>(call: &Call<'a>, what: &str, known: &[&str]) -> Result<&'a str, ServiceError> {
    let name = call.args.text(0, what)?;
    if known.contains(&name) {
        Ok(name)
    } else {
        bad(format!("the {what} is one of {}, not `{name}`", known.join(", ")))
    }
}

fn set_mode(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    w.settings.insert("ALTracker/mode".to_owned(), one_of(call, "mode", &MODES)?.into());
    done()
}

fn set_effector(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    w.settings.insert("ALTracker/effector".to_owned(), one_of(call, "effector", &EFFECTORS)?.into());
    done()
}

fn remove_effector(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let name = one_of(call, "effector", &EFFECTORS)?;
    if w.setting("ALTracker", "effector").and_then(Value::as_str) == Some(name) {
        w.settings.remove("ALTracker/effector");
    }
    done()
}

fn get_supported_targets(_: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(follow::TARGETS.map(String::from).to_vec())
}

fn get_target_position(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let frame = if call.args.len() == 0 { 0 } else { call.args.int(0, "frame")? };
    if !(0..=2).contains(&frame) {
        return bad(format!("the frame must be 0 (torso), 1 (world) or 2 (robot), not {frame}"));
    }
    ok(follow::position(w, cx.now(), frame))
}

fn is_new_target_detected(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(w.tracker.sight.take_news())
}

fn is_target_lost(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(w.tracker.sight.is_lost())
}

fn get_robot_position(w: &mut World, cx: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(position::here(w, cx.now()).value())
}

fn get_registered_targets(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(w.tracker.targets.keys().cloned().collect::<Vec<_>>())
}

fn look_at(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let args = call.args;
    let (point, fraction) = point(w, args, 0, cx.now())?;
    let with_body = (2..args.len()).rev().find(|i| matches!(args.get(*i), Some(Value::Bool(true)))).is_some();
    if with_body && !w.body.has_legs() {
        return failed("this robot has no legs: it looks with its head, and useWholeBody must be False");
    }
    let targets = if with_body { aim::look_with_body(w, cx.now(), point) } else { aim::look(w, cx.now(), point) };
    reach(w, cx, call, targets, fraction, "look", point)
}

fn point_at(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let args = call.args;
    let (point, fraction) = point(w, args, 1, cx.now())?;
    let left = match args.text(0, "effector")? {
        "LArm" => true,
        "RArm" => false,
        "Arms" => point[1] >= 0.0,
        other => return bad(format!("`{other}` is not an arm: use LArm, RArm or Arms")),
    };
    let targets = aim::point(w, cx.now(), left, point);
    reach(w, cx, call, targets, fraction, "point", point)
}

/// Follows nothing any more.
pub(crate) fn stop(w: &mut World, cx: &mut ServiceCx<'_>) {
    if let Some(name) = w.tracker.active.take() {
        follow::halt(w, cx);
        cx.act("track", format!("{name} no more"), Value::map([("target", Value::from(name.as_str()))]));
        w.notice(cx, "ALTracker/ActiveTargetChanged", "");
    }
}

/// Reads a point in the torso's frame, and the fraction of the speed. There are two forms: (point, frame, fraction, …),
/// and without the frame up to NAOqi 1.14: (point, fraction, …).
fn point(w: &World, args: Args<'_>, at: usize, now: Time) -> Result<([f64; 3], f64), ServiceError> {
    let numbers = args.numbers(at, "position")?;
    let [x, y, z] = numbers.as_slice() else {
        return bad("the position must be [x, y, z]");
    };
    let framed = args.get(at + 2).is_some_and(|v| !matches!(v, Value::Bool(_)));
    let (frame, fraction) = if framed {
        (args.int(at + 1, "frame")?, args.number(at + 2, "fraction of the greatest speed")?)
    } else {
        (0, args.number(at + 1, "fraction of the greatest speed")?)
    };
    if !(fraction > 0.0 && fraction <= 1.0) {
        return bad(format!("the fraction of the greatest speed must be above 0 and at most 1, not {fraction}"));
    }
    let angles = || joints::angles(w, now, false);
    let point = match frame {
        0 => [*x, *y, *z],
        1 => inner(&commanded_torso_in_world(w, now, &angles()), [*x, *y, *z]),
        2 => inner(&torso_over_floor(&w.body, &angles()), [*x, *y, *z]),
        _ => return bad(format!("the frame must be 0 (torso), 1 (world) or 2 (robot), not {frame}")),
    };
    Ok((point, fraction))
}

/// Moves joints to angles; the call returns when they are reached.
fn reach(
    w: &mut World,
    cx: &mut ServiceCx<'_>,
    call: &Call<'_>,
    targets: Vec<(usize, f64)>,
    fraction: f64,
    what: &'static str,
    point: [f64; 3],
) -> Reply {
    let [x, y, z] = point;
    cx.act(
        what,
        format!("{what} at {x:.2} m ahead, {y:.2} m to the left, {z:.2} m above the torso"),
        Value::map([("point", Value::list(point.map(Value::Float)))]),
    );
    let joints = targets.iter().map(|t| t.0).collect();
    let work = TaskWork::Speed { targets, fraction };
    joints::add(
        w,
        cx,
        Task { call: call.id, name: call.method.name, joints, work, ended: TaskEnd::Done, running: false },
    );
    Ok(Answer::Later)
}
