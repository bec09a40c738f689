//! `ALTracker`: looking and pointing move the body; what is tracked is told, for nothing is seen.
//!
//! The head turns to the point from the neck, the arm from the shoulder with the elbow straight: good
//! to a few degrees, not the robot's own inverse kinematics. Page: ALTracker API of the NAOqi
//! documentation.

use super::args::Args;
use super::motion::joints::{self, Task};
use super::motion::{Ended, Work};
use super::table::{
    Answer, Call, Const, Method, Reply, Service, bad, code, done, failed, get, ok, put, quiet, say, service,
};
use super::world::World;
use boxstep_engine::services::{ServiceCx, ServiceError};
use boxstep_types::{Time, Value};
use std::collections::BTreeMap;

/// What the tracker was told.
#[derive(Debug, Default)]
pub(crate) struct Tracker {
    targets: BTreeMap<String, Value>,
    active: Option<String>,
}

const METHODS: &[Method] = &[
    code("getActiveTarget", 0, 0),
    code("getManagedTargets", 0, 0),
    code("getRegisteredTargets", 0, 0),
    code("isActive", 0, 0),
    code("lookAt", 2, 4),
    code("pointAt", 3, 4),
    code("addTarget", 2, 2),
    code("registerTarget", 2, 2),
    code("removeAllTargets", 0, 0),
    code("removeTarget", 1, 1),
    code("stopTracker", 0, 0),
    code("track", 1, 1),
    code("trackEvent", 1, 1),
    code("unregisterAllTargets", 0, 0),
    code("unregisterTarget", 1, 1),
    code("unregisterTargets", 1, 1),
    get("getEffector", "effector", 0, Const::Str("None")),
    get("getExtractorPeriod", "period", 1, Const::Int(0)),
    get("getMaximumAcceleration", "acceleration", 0, Const::Float(0.0)),
    get("getMaximumDistanceDetection", "distance", 0, Const::Float(0.0)),
    get("getMaximumVelocity", "velocity", 0, Const::Float(0.0)),
    get("getMode", "mode", 0, Const::Str("Head")),
    get("getMoveConfig", "move", 0, Const::Empty),
    get("getRelativePosition", "relative", 0, Const::Empty),
    get("getTimeOut", "timeOut", 0, Const::Int(2000)),
    get("isSearchEnabled", "search", 0, Const::Bool(true)),
    put("addEffector", "effector", 1),
    put("setEffector", "effector", 1),
    put("setExtractorPeriod", "period", 2),
    put("setMaximumAcceleration", "acceleration", 1),
    put("setMaximumDistanceDetection", "distance", 1),
    put("setMaximumVelocity", "velocity", 1),
    put("setMode", "mode", 1),
    put("setMoveConfig", "move", 1),
    put("setRelativePosition", "relative", 1),
    put("setTimeOut", "timeOut", 1),
    put("toggleSearch", "search", 1),
    quiet("initialize", 0, 0),
    quiet("removeEffector", 1, 1),
    quiet("setTargetInfo", 0, 2),
    say("getAvailableModes", 0, 0, Const::Empty),
    say("getRobotPosition", 0, 0, Const::Empty),
    say("getSupportedTargets", 0, 0, Const::Empty),
    say("getTargetNames", 0, 0, Const::Empty),
    say("getTargetPosition", 0, 1, Const::Empty),
    say("isNewReady", 0, 0, Const::Bool(false)),
    say("isNewTargetDetected", 0, 0, Const::Bool(false)),
    say("isTargetLost", 0, 0, Const::Bool(true)),
];

pub(crate) static SERVICE: Service = Service {
    code: call,
    events: &[
        "ALTracker/ActiveTargetChanged",
        "ALTracker/BlobDetected",
        "ALTracker/CloseObjectDetected",
        "ALTracker/FastPersonTracking",
        "ALTracker/FindPersonHead",
        "ALTracker/TargetDetected",
        "ALTracker/TargetLost",
        "ALTracker/TargetReached",
    ],
    ..service("ALTracker", METHODS)
};

fn call(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let args = call.args;
    match call.method {
        "registerTarget" | "addTarget" => {
            w.tracker.targets.insert(args.text(0, "target")?.to_owned(), args.value(1, "size")?.clone());
            done()
        }
        "unregisterTarget" | "unregisterTargets" | "removeTarget" => {
            for name in args.texts(0, "target")? {
                w.tracker.targets.remove(name);
                if w.tracker.active.as_deref() == Some(name) {
                    stop(w, cx);
                }
            }
            done()
        }
        "unregisterAllTargets" | "removeAllTargets" => {
            w.tracker.targets.clear();
            stop(w, cx);
            done()
        }
        "track" | "trackEvent" => {
            let name = args.text(0, "target")?;
            if call.method == "track" && !w.tracker.targets.contains_key(name) {
                return failed(format!("the target `{name}` was not registered"));
            }
            let mode = w.setting("ALTracker", "mode").and_then(Value::as_str).unwrap_or("Head").to_owned();
            cx.act(
                "track",
                format!("{name} with {mode} (nothing is seen in the simulation)"),
                Value::map([("target", Value::from(name)), ("mode", mode.into())]),
            );
            w.tracker.active = Some(name.to_owned());
            w.notice(cx, "ALTracker/ActiveTargetChanged", name);
            done()
        }
        "stopTracker" => {
            stop(w, cx);
            done()
        }
        "getActiveTarget" => ok(w.tracker.active.clone().unwrap_or_default()),
        "isActive" => ok(w.tracker.active.is_some()),
        "getRegisteredTargets" | "getManagedTargets" => ok(w.tracker.targets.keys().cloned().collect::<Vec<_>>()),
        "lookAt" => {
            let (point, fraction) = point(w, args, 0, cx.now())?;
            let [x, y, z] = [point[0], point[1], point[2] - w.body.build().neck_height];
            let (yaw, pitch) = (y.atan2(x), -z.atan2(x.hypot(y)));
            reach(w, cx, call, &[("HeadYaw", yaw), ("HeadPitch", pitch)], fraction, "look", point)
        }
        "pointAt" => {
            let (point, fraction) = point(w, args, 1, cx.now())?;
            let left = match args.text(0, "effector")? {
                "LArm" => true,
                "RArm" => false,
                "Arms" => point[1] >= 0.0,
                other => return bad(format!("`{other}` is not an arm: use LArm, RArm or Arms")),
            };
            let [sx, sy, sz] = w.body.shoulder(left);
            let [x, y, z] = [point[0] - sx, point[1] - sy, point[2] - sz];
            let (pitch, roll) = ((-z).atan2(x), y.atan2(x.hypot(z)));
            let joints: [(&str, f64); 3] = if left {
                [("LShoulderPitch", pitch), ("LShoulderRoll", roll), ("LElbowRoll", 0.0)]
            } else {
                [("RShoulderPitch", pitch), ("RShoulderRoll", roll), ("RElbowRoll", 0.0)]
            };
            reach(w, cx, call, &joints, fraction, "point", point)
        }
        _ => Err(ServiceError::NoMethod),
    }
}

fn stop(w: &mut World, cx: &mut ServiceCx<'_>) {
    if let Some(name) = w.tracker.active.take() {
        cx.act("track", format!("{name} no more"), Value::map([("target", Value::from(name.as_str()))]));
        w.notice(cx, "ALTracker/ActiveTargetChanged", "");
    }
}

/// A point in the torso's frame, and the fraction of speed. Two forms: (point, frame, fraction, …),
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
    let height = w.body.build().torso_height;
    let point = match frame {
        0 => [*x, *y, *z],
        1 => {
            let here = w.motion.walk.at(now);
            let (sin, cos) = here.theta.sin_cos();
            let (dx, dy) = (x - here.x, y - here.y);
            [cos * dx + sin * dy, cos * dy - sin * dx, z - height]
        }
        2 => [*x, *y, z - height],
        _ => return bad(format!("the frame must be 0 (torso), 1 (world) or 2 (robot), not {frame}")),
    };
    Ok((point, fraction))
}

/// Moves joints to angles; the call ends when they are there.
fn reach(
    w: &mut World,
    cx: &mut ServiceCx<'_>,
    call: &Call<'_>,
    angles: &[(&str, f64)],
    fraction: f64,
    what: &'static str,
    point: [f64; 3],
) -> Reply {
    let targets: Vec<(usize, f64)> =
        angles.iter().filter_map(|(name, a)| w.body.joint(name).map(|j| (j, w.body.clip(j, *a)))).collect();
    let [x, y, z] = point;
    cx.act(
        what,
        format!("{what} at {x:.2} m ahead, {y:.2} m to the left, {z:.2} m above the torso"),
        Value::map([("point", Value::list(point.map(Value::Float)))]),
    );
    let joints = targets.iter().map(|t| t.0).collect();
    let work = Work::Speed { targets, fraction };
    joints::add(w, cx, Task { call: call.id, name: call.method, joints, work, ended: Ended::Done, running: false });
    Ok(Answer::Later)
}
