//! `ALNavigation`: moves without obstacles, for the simulated floor is empty.
//!
//! Page: ALNavigation API of the NAOqi documentation.

use super::args::numbers_of;
use super::motion::walk::{self, Pose};
use super::table::{Call, Const, Method, Reply, Service, bad, code, done, failed, get, ok, put, quiet, say, service};
use super::world::World;
use boxstep_engine::services::{ServiceCx, ServiceError};
use boxstep_types::Value;

const METHODS: &[Method] = &[
    code("moveAlong", 1, 2),
    code("moveTo", 3, 4),
    code("moveToward", 3, 4),
    code("navigateTo", 2, 4),
    code("findFreeZone", 2, 2),
    code("stopAndComputeFreeZone", 2, 2),
    code("explore", 1, 1),
    code("loadExploration", 1, 1),
    code("saveExploration", 0, 1),
    code("getMetricalMap", 0, 0),
    code("navigateToInMap", 1, 2),
    code("stopNavigateTo", 0, 0),
    code("stopExploration", 0, 0),
    get("getOrthogonalSecurityDistance", "orthogonal", 0, Const::Float(0.4)),
    get("getSecurityDistance", "security", 0, Const::Float(0.4)),
    get("getTangentialSecurityDistance", "tangential", 0, Const::Float(0.1)),
    put("setOrthogonalSecurityDistance", "orthogonal", 1),
    put("setSecurityDistance", "security", 1),
    put("setTangentialSecurityDistance", "tangential", 1),
    quiet("startFreeZoneUpdate", 0, 0),
    quiet("startLocalization", 0, 0),
    quiet("stopLocalization", 0, 0),
    quiet("resetSafetyDistances", 0, 0),
    say("getExplorationPath", 0, 0, Const::Empty),
    say("getRobotPositionInMap", 0, 0, Const::Empty),
    say("relocalizeInMap", 0, 1, Const::Empty),
];

pub(crate) static SERVICE: Service = Service {
    code: call,
    events: &[
        "Navigation/AvoidanceNavigator/AbsTargetModified",
        "Navigation/AvoidanceNavigator/MovingToGoal",
        "Navigation/AvoidanceNavigator/ObstacleDetected",
        "Navigation/AvoidanceNavigator/Status",
        "Navigation/MotionDetected",
        "Navigation/SafeNavigator/Status",
    ],
    ..service("ALNavigation", METHODS)
};

/// Trajectories within trajectories, at most.
const DEEPEST: usize = 20;
/// Points of a trajectory, at most.
const LONGEST: usize = 10_000;

fn call(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let args = call.args;
    let pace = walk::default_pace(w);
    match call.method {
        "moveTo" | "navigateTo" => {
            let theta = if call.method == "moveTo" { args.number(2, "theta")? } else { 0.0 };
            let goal = Pose { x: args.number(0, "x")?, y: args.number(1, "y")?, theta };
            walk::travel(w, cx, call, &[goal], pace, None)
        }
        "moveToward" => {
            let unit = |i, what| args.number(i, what).map(|x| x.clamp(-1.0, 1.0));
            let speed = pace.v;
            let v =
                Pose { x: unit(0, "x")? * speed.x, y: unit(1, "y")? * speed.y, theta: unit(2, "theta")? * speed.theta };
            walk::go(w, cx, walk::Pace { v, ..pace })
        }
        "moveAlong" => {
            let mut way = Vec::new();
            let mut seconds = 0.0;
            trajectory(args.value(0, "trajectory")?, 0, &mut way, &mut seconds)?;
            if way.is_empty() {
                return bad("the trajectory has no points");
            }
            walk::travel(w, cx, call, &way, pace, (seconds > 0.0).then_some(seconds))
        }
        "stopNavigateTo" => {
            walk::stop(w, cx);
            done()
        }
        // The whole floor is free.
        "findFreeZone" | "stopAndComputeFreeZone" => {
            let radius = args.number(0, "desired radius")?;
            ok(Value::list([Value::Int(0), radius.into(), Value::list([0.0, 0.0].map(Value::Float))]))
        }
        "stopExploration" => done(),
        _ => failed("the simulation makes no maps"),
    }
}

/// Reads a trajectory: `["Holonomic", path, final theta, seconds]` or `["Composed", trajectory, …]`.
fn trajectory(v: &Value, depth: usize, way: &mut Vec<Pose>, seconds: &mut f64) -> Result<(), ServiceError> {
    let items = v.as_list().unwrap_or_default();
    match (items.first().and_then(Value::as_str), items) {
        (Some("Composed"), [_, parts @ ..]) if depth < DEEPEST => {
            parts.iter().try_for_each(|part| trajectory(part, depth + 1, way, seconds))
        }
        (Some("Holonomic"), [_, line, theta, time]) => {
            let (theta, time) = (single(theta)?, single(time)?);
            let start = way.last().copied().unwrap_or_default();
            path(line, depth + 1, way)?;
            if let Some(last) = way.last_mut() {
                last.theta = start.theta + theta;
            }
            *seconds += time.max(0.0);
            Ok(())
        }
        _ => bad("a trajectory must be [\"Holonomic\", path, theta, seconds] or [\"Composed\", trajectory, …]"),
    }
}

/// Reads a path: `["Line", [x, y]]`, `["Circle", [x, y], angle]` or `["Composed", path, …]`.
fn path(v: &Value, depth: usize, way: &mut Vec<Pose>) -> Result<(), ServiceError> {
    let items = v.as_list().unwrap_or_default();
    let from = way.last().copied().unwrap_or_default();
    if way.len() >= LONGEST || depth > DEEPEST {
        return bad("the trajectory is too long");
    }
    match (items.first().and_then(Value::as_str), items) {
        (Some("Composed"), [_, parts @ ..]) => parts.iter().try_for_each(|part| path(part, depth + 1, way)),
        (Some("Line"), [_, to]) => match numbers_of(to, "a line")?.as_slice() {
            [x, y] => {
                way.push(Pose { x: from.x + x, y: from.y + y, theta: from.theta });
                Ok(())
            }
            _ => bad("a line must be [\"Line\", [x, y]]"),
        },
        (Some("Circle" | "CircularArc"), [_, center, angle]) => {
            let angle = single(angle)?;
            let center = numbers_of(center, "a circle's centre")?;
            let [cx, cy] = center.as_slice() else {
                return bad("a circle must be [\"Circle\", [x, y], angle]");
            };
            // A chord every 10 degrees, at most two turns.
            let angle = angle.clamp(-12.6, 12.6);
            let steps = ((angle.abs() / 0.1745).ceil() as usize).max(1);
            for i in 1..=steps {
                let (sin, cos) = (angle * i as f64 / steps as f64).sin_cos();
                let (rx, ry) = (-cx, -cy);
                let (x, y) = (cx + cos * rx - sin * ry, cy + sin * rx + cos * ry);
                way.push(Pose { x: from.x + x, y: from.y + y, theta: from.theta });
            }
            Ok(())
        }
        _ => bad("a path must be [\"Line\", [x, y]], [\"Circle\", [x, y], angle] or [\"Composed\", path, …]"),
    }
}

fn single(v: &Value) -> Result<f64, ServiceError> {
    match numbers_of(v, "theta or time")?.as_slice() {
        [x] => Ok(*x),
        _ => bad("theta and time of a trajectory must be numbers"),
    }
}
