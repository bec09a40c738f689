//! Exploring, maps, and the robot's place in them.
//!
//! Source: the page "Exploration" of ALNavigation API in the NAOqi documentation. Decision: the robot goes ahead and back
//! within the radius, and the map has every wall and box within the radius of where it began. Saved maps are kept in the
//! simulation, and in no file.

use super::go_as_far_as_possible;
use crate::frames::{self, robot_in_world};
use crate::motion::position;
use crate::motion::walk::{self, Pose};
use crate::senses::around;
use crate::surroundings::Scene;
use crate::table::{Call, Reply, bad, done, failed, ok};
use crate::world::World;
use boxstep_engine::services::{ServiceCx, ServiceError};
use boxstep_types::{Time, Value};
use std::collections::BTreeMap;
use std::f64::consts::{PI, TAU};

/// A map: where the robot began, and how far it reaches.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Map {
    origin: Pose,
    radius: f64,
}

/// The maps of the robot.
#[derive(Clone, Debug, Default)]
pub(crate) struct Maps {
    current: Option<Map>,
    saved: BTreeMap<String, Map>,
    localizes: bool,
    /// What was added to the robot's place when it was told where it is.
    shift: Pose,
}

/// The lengths of a map's cells, in metres.
const CELL: f64 = 0.05;
/// The largest radius of a map.
const WIDEST: f64 = 10.0;
/// The most saved maps.
const MOST: usize = 100;
/// The height at which things are in the way.
const HEIGHT: f64 = 0.15;
/// How far the robot keeps from walls while it explores.
const KEEP: f64 = 0.6;

/// Returns how far the way is free in a direction of the robot's frame.
pub(super) fn free(w: &World, now: Time, direction: f64) -> f64 {
    let robot = robot_in_world(w, now);
    let (from, to) =
        (frames::outer(&robot, [0.0, 0.0, HEIGHT]), frames::outer(&robot, [direction.cos(), direction.sin(), HEIGHT]));
    if !w.options.world.is_described {
        return f64::INFINITY;
    }
    let around = around(w);
    Scene::at(&around, now.as_secs_f64(), from).distance(from, [0, 1, 2].map(|i| to[i] - from[i]))
}

/// Returns how far the nearest thing is, in any direction.
pub(super) fn nearest(w: &World, now: Time) -> f64 {
    (0..72).map(|i| free(w, now, f64::from(i) * TAU / 72.0)).fold(f64::INFINITY, f64::min)
}

/// Goes ahead as far as the radius and the walls let it, and back; then there is a map.
pub(super) fn explore(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let radius = call.args.number(0, "radius")?;
    if !(radius > 0.0 && radius <= WIDEST) {
        return bad(format!("argument 1 (radius) must be above 0 and at most {WIDEST}, not {radius}"));
    }
    if !w.motion.awake {
        return failed("the robot is at rest");
    }
    let now = cx.now();
    w.maps.current = Some(Map { origin: position::here(w, now), radius });
    (w.maps.localizes, w.maps.shift) = (true, Pose::default());
    let ahead = (free(w, now, 0.0) - KEEP).clamp(0.0, radius);
    let there = Pose { x: ahead, y: 0.0, theta: 0.0 };
    let way = [
        there,
        Pose { theta: PI, ..there },
        Pose { x: 0.0, y: 0.0, theta: PI },
        Pose { theta: TAU, ..Pose::default() },
    ];
    let pace = walk::default_pace(w);
    // The documented code of success.
    walk::travel_saying(w, cx, call, &way, pace, [Value::Int(0), Value::Int(0)])
}

pub(super) fn stop_exploration(w: &mut World, cx: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    walk::stop(w, cx);
    done()
}

fn current(w: &World) -> Result<Map, ServiceError> {
    w.maps.current.map_or_else(|| failed("there is no map: explore, or load one"), Ok)
}

/// The folder in which a robot keeps its maps.
const FOLDER: &str = "/home/nao/.local/share/Explorer/";

pub(super) fn save_exploration(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let map = current(w)?;
    if w.maps.saved.len() >= MOST {
        return failed(format!("more than {MOST} maps are not kept"));
    }
    let seconds = w.options.epoch + cx.now().0 / 1_000_000_000;
    let name = match call.args.get(0).and_then(Value::as_str) {
        Some(name) => name.to_owned(),
        None => format!("{FOLDER}{seconds}_{}.explo", w.maps.saved.len()),
    };
    w.maps.saved.insert(name.clone(), map);
    ok(name)
}

pub(super) fn load_exploration(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let map = w.maps.saved.get(call.args.text(0, "map")?).copied();
    if map.is_some() {
        w.maps.current = map;
    }
    ok(map.is_some())
}

pub(super) fn start_localization(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    current(w)?;
    w.maps.localizes = true;
    done()
}

pub(super) fn stop_localization(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    w.maps.localizes = false;
    done()
}

/// Returns the robot's pose in the frame of the map, before it was told where it is.
fn in_map(w: &World, now: Time) -> Result<Pose, ServiceError> {
    let origin = current(w)?.origin;
    let here = position::here(w, now);
    let (sin, cos) = origin.theta.sin_cos();
    let (dx, dy) = (here.x - origin.x, here.y - origin.y);
    Ok(Pose { x: cos * dx + sin * dy, y: cos * dy - sin * dx, theta: here.theta - origin.theta })
}

pub(super) fn relocalize_in_map(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let place = in_map(w, cx.now())?;
    if call.args.len() == 0 {
        w.maps.shift = Pose::default();
        return done();
    }
    let told = call.args.numbers(0, "place")?;
    let [x, y, ..] = told.as_slice() else { return bad("argument 1 (place) must be [x, y, theta]") };
    let theta = told.get(2).copied().unwrap_or(place.theta);
    w.maps.shift = Pose { x: x - place.x, y: y - place.y, theta: theta - place.theta };
    done()
}

/// Answers the place, and how uncertain it is.
pub(super) fn get_robot_position_in_map(w: &mut World, cx: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    if !w.maps.localizes {
        return failed("the robot does not localize itself: startLocalization");
    }
    let (place, shift) = (in_map(w, cx.now())?, w.maps.shift);
    let place = Pose { x: place.x + shift.x, y: place.y + shift.y, theta: place.theta + shift.theta };
    ok(Value::list([place.value(), Value::list([0.0; 3].map(Value::Float))]))
}

/// Goes to a place of the map: `[x, y, theta]`, or x and y.
pub(super) fn navigate_to_in_map(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let goal = if call.args.len() == 1 {
        call.args.numbers(0, "place")?
    } else {
        vec![call.args.number(0, "x")?, call.args.number(1, "y")?]
    };
    let [x, y, ..] = goal.as_slice() else { return bad("argument 1 (place) must be [x, y, theta]") };
    let here = in_map(w, cx.now())?;
    let (dx, dy) = (x - w.maps.shift.x - here.x, y - w.maps.shift.y - here.y);
    let (sin, cos) = here.theta.sin_cos();
    let turn = goal.get(2).map_or(0.0, |theta| theta - w.maps.shift.theta - here.theta);
    let theta = (turn + PI).rem_euclid(TAU) - PI;
    go_as_far_as_possible(w, cx, call, Pose { x: cos * dx + sin * dy, y: cos * dy - sin * dx, theta })
}

/// Answers the way out and back, as points of the map.
pub(super) fn get_exploration_path(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    let map = current(w)?;
    let around = around(w);
    let from = [map.origin.x, map.origin.y, HEIGHT];
    let (sin, cos) = map.origin.theta.sin_cos();
    let free = Scene::at(&around, 0.0, from).distance(from, [cos, sin, 0.0]);
    let ahead = (free - KEEP).clamp(0.0, map.radius);
    let path = [0.0, ahead, 0.0].map(|x| Value::list([x, 0.0].map(Value::Float)));
    ok(Value::list(path))
}

/// Answers metres of a pixel, width, height, the place of the first pixel, and the pixels from 0, free, to 100, occupied;
/// 50 is unknown.
pub(super) fn get_metrical_map(w: &mut World, cx: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    let map = current(w)?;
    let around = around(w);
    let scene = Scene::at(&around, cx.now().as_secs_f64(), [map.origin.x, map.origin.y, HEIGHT]);
    let side = (2.0 * map.radius / CELL).ceil() as usize;
    let origin = pose(map.origin);
    let mut pixels = Vec::with_capacity(side * side);
    for row in 0..side {
        for column in 0..side {
            let place = |i: usize| (i as f64 + 0.5) * CELL - map.radius;
            let (x, y) = (place(column), -place(row));
            let pixel = if x.hypot(y) > map.radius {
                50
            } else {
                scene.occupancy(frames::outer(&origin, [x, y, HEIGHT]), CELL)
            };
            pixels.push(Value::Int(pixel));
        }
    }
    let size = Value::Int(side as i64);
    let offset = Value::list([-map.radius, map.radius].map(Value::Float));
    ok(Value::list([Value::Float(CELL), size.clone(), size, offset, Value::List(pixels.into())]))
}

fn pose(of: Pose) -> frames::Pose {
    frames::pose([of.x, of.y, 0.0, 0.0, 0.0, of.theta])
}
