//! `ALNavigation`: goes to places as far as the walls and boxes of the world let it, and makes maps of them.
//!
//! Source: the page ALNavigation API of the NAOqi documentation.

mod home;
mod maps;

pub(crate) use home::Home;
pub(crate) use maps::Maps;

use super::args::numbers_of;
use super::motion::walk::{self, Pose};
use super::world::World;
use crate::table::{
    Call, Const, Reply, Service, accepts, bad, done, gets, nao6, ok, robot, runs, service, sets, unknown,
};
use boxstep_engine::services::{ServiceCx, ServiceError};
use boxstep_types::Value;

pub(crate) static SERVICES: &[Service] = &[
    home::SERVICE,
    service(
        "ALNavigation",
        "Walks around obstacles",
        &[
            runs("navigateTo", "Goes to a place around obstacles", robot("(ff)b (ffm)b (fff)b (fffm)b"), navigate_to),
            runs("moveAlong", "Moves along a trajectory", robot("(m)b"), move_along),
            runs("moveTo", "Goes to a place", robot("(fff)v (fffm)v"), move_to),
            sets("setSecurityDistance", "Distance kept, metres", robot("(f)v"), "security"),
            gets("getSecurityDistance", "Distance kept, metres", robot("()f"), "security", Const::Float(0.4)),
            runs("navigateToInMap", "Goes to a place of the map", nao6("(ff)b (m)b"), maps::navigate_to_in_map),
            runs("explore", "Makes a map", nao6("(f)i"), maps::explore),
            runs("saveExploration", "Keeps the map", nao6("()s (m)s"), maps::save_exploration),
            runs("loadExploration", "Takes a map", nao6("(s)b"), maps::load_exploration),
            runs("stopExploration", "Ends making a map", nao6("()v"), maps::stop_exploration),
            runs("startLocalization", "Starts to know where it is", nao6("()v"), maps::start_localization),
            runs("stopLocalization", "Ends it", nao6("()v"), maps::stop_localization),
            runs("relocalizeInMap", "Says where it is", nao6("()v (m)v"), maps::relocalize_in_map),
            runs("getRobotPositionInMap", "Where it is in the map", nao6("()m"), maps::get_robot_position_in_map),
            runs("getMetricalMap", "The map", nao6("()m"), maps::get_metrical_map),
            runs("getExplorationPath", "Way of the exploration", nao6("()m"), maps::get_exploration_path),
            accepts("startFreeZoneUpdate", "Starts looking for free space", nao6("()v")),
            runs("stopAndComputeFreeZone", "Free space it found", nao6("(ff)m"), find_free_zone),
            runs("findFreeZone", "Looks for free space", nao6("(ff)m"), find_free_zone),
            runs(
                "moveToward",
                "Moves at parts of the greatest speed: x, y, theta",
                unknown("(mmm)m (mmmm)m"),
                move_toward,
            ),
            runs("stopNavigateTo", "Ends navigateTo", unknown("()m"), stop_navigate_to),
            gets(
                "getOrthogonalSecurityDistance",
                "Distance it keeps ahead, metres",
                unknown("()m"),
                "orthogonal",
                Const::Float(0.4),
            ),
            gets(
                "getTangentialSecurityDistance",
                "Distance it keeps beside, metres",
                unknown("()m"),
                "tangential",
                Const::Float(0.1),
            ),
            sets("setOrthogonalSecurityDistance", "Distance it keeps ahead, metres", unknown("(m)m"), "orthogonal"),
            sets("setTangentialSecurityDistance", "Distance it keeps beside, metres", unknown("(m)m"), "tangential"),
            accepts("resetSafetyDistances", "Usual distances", unknown("()m")),
        ],
    )
    .events(&[
        "Navigation/AvoidanceNavigator/AbsTargetModified",
        "Navigation/AvoidanceNavigator/MovingToGoal",
        "Navigation/AvoidanceNavigator/ObstacleDetected",
        "Navigation/AvoidanceNavigator/Status",
        "Navigation/MotionDetected",
        "Navigation/SafeNavigator/Status",
    ]),
];

/// The deepest nesting of trajectories.
const DEEPEST: usize = 20;
/// The most points of a trajectory.
const LONGEST: usize = 10_000;

/// Answers that the whole floor is free within the radius, unless something is nearer.
fn find_free_zone(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let radius = call.args.number(0, "desired radius")?;
    let nearest = maps::nearest(w, cx.now());
    let code = i64::from(nearest < radius);
    ok(Value::list([Value::Int(code), radius.min(nearest).into(), Value::list([0.0, 0.0].map(Value::Float))]))
}

fn move_to(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let theta = call.args.number(2, "theta")?;
    let pace = walk::default_pace(w);
    let goal = Pose { x: call.args.number(0, "x")?, y: call.args.number(1, "y")?, theta };
    walk::travel(w, cx, call, &[goal], pace, None)
}

/// Goes straight to a place; stops before a wall or box, and then answers that it has not arrived.
fn navigate_to(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let (x, y) = (call.args.number(0, "x")?, call.args.number(1, "y")?);
    let theta = match call.args.get(2) {
        Some(Value::Int(_) | Value::Float(_)) => call.args.number(2, "theta")?,
        _ => 0.0,
    };
    go_as_far_as_possible(w, cx, call, Pose { x, y, theta })
}

/// The event of an obstacle.
const OBSTACLE: &str = "Navigation/AvoidanceNavigator/ObstacleDetected";

/// Goes to a place in the robot's frame, as far as the way is free; answers whether it has arrived.
fn go_as_far_as_possible(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>, goal: Pose) -> Reply {
    let pace = walk::default_pace(w);
    let way = goal.x.hypot(goal.y);
    let keep = w.setting("ALNavigation", "security").and_then(Value::as_f64).unwrap_or(0.4);
    let free = (maps::free(w, cx.now(), goal.y.atan2(goal.x)) - keep).max(0.0);
    if way <= free {
        return walk::travel(w, cx, call, &[goal], pace, None);
    }
    let [x, y, _] = [goal.x, goal.y, 0.0].map(|x| x * free / way);
    w.notice(cx, OBSTACLE, Value::list([(x + keep * goal.x / way).into(), (y + keep * goal.y / way).into()]));
    if free == 0.0 || !w.motion.awake {
        return ok(false);
    }
    let before = Pose { x, y, theta: 0.0 };
    walk::travel_saying(w, cx, call, &[before], pace, [false.into(), false.into()])
}

fn move_toward(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let args = call.args;
    let pace = walk::default_pace(w);
    let unit = |i, what| args.number(i, what).map(|x| x.clamp(-1.0, 1.0));
    let speed = pace.v;
    let v = Pose { x: unit(0, "x")? * speed.x, y: unit(1, "y")? * speed.y, theta: unit(2, "theta")? * speed.theta };
    walk::go(w, cx, walk::Pace { v, ..pace })
}

fn move_along(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let args = call.args;
    let pace = walk::default_pace(w);
    let mut way = Vec::new();
    let mut seconds = 0.0;
    trajectory(args.value(0, "trajectory")?, 0, &mut way, &mut seconds)?;
    if way.is_empty() {
        return bad("the trajectory has no points");
    }
    walk::travel(w, cx, call, &way, pace, (seconds > 0.0).then_some(seconds))
}

fn stop_navigate_to(w: &mut World, cx: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    walk::stop(w, cx);
    done()
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
            // One chord per 10 degrees, at most two turns.
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
