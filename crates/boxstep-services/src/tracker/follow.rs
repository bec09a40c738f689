//! Following a target that the robot sees: the head turns to it, and in the mode `Move` the robot goes there.
//!
//! Decision: the target counts as lost when it has not been seen for the time that `setTimeOut` gives; the robot goes in
//! steps of a quarter of its greatest speed.

use super::{NAME, aim};
use crate::frames::{inner, robot_in_world, torso_in_robot};
use crate::motion::{joints, walk};
use crate::senses::{around, ball_in_view, faces, floats, loudest, mark_in_view};
use crate::surroundings::Vec3;
use crate::world::World;
use boxstep_engine::services::ServiceCx;
use boxstep_types::{Time, Value};

/// The targets that it can follow.
pub(crate) const TARGETS: [&str; 6] = ["Face", "LandMark", "LandMarks", "People", "RedBall", "Sound"];

/// What the tracker last saw of its target.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sight {
    /// Where, in the world, and when.
    last: Option<(Vec3, Time)>,
    lost: bool,
    news: bool,
    reached: bool,
}

impl Sight {
    /// Returns whether the target was seen since the last time that somebody asked.
    pub(crate) fn take_news(&mut self) -> bool {
        std::mem::take(&mut self.news)
    }

    /// Returns whether the target is not seen.
    pub(crate) fn is_lost(&self) -> bool {
        self.lost || self.last.is_none()
    }
}

/// Returns where a target is, in the world, if the robot sees or hears it.
fn find(w: &World, now: Time, name: &str) -> Option<Vec3> {
    let around = around(w);
    let wanted = w.tracker.targets.get(name);
    let numbers = || {
        let ids = wanted.and_then(Value::as_list).and_then(|items| items.iter().find_map(Value::as_list));
        let ids = ids.or_else(|| wanted.and_then(Value::as_list)).unwrap_or_default();
        ids.iter().filter_map(Value::as_i64).collect::<Vec<_>>()
    };
    match name {
        "RedBall" => ball_in_view(w, now).map(|ball| ball.0),
        "LandMark" | "LandMarks" => mark_in_view(w, now, &numbers()),
        "Sound" => loudest(w, now),
        "People" | "Face" | "Person" => {
            let ids = numbers();
            let id = faces::in_front(w, now).filter(|id| name == "Face" || ids.is_empty() || ids.contains(id))?;
            around.person(id)?.face(now.as_secs_f64())
        }
        _ => None,
    }
}

pub(crate) fn work(w: &mut World, cx: &mut ServiceCx<'_>) {
    let Some(name) = w.tracker.active.clone() else { return };
    let now = cx.now();
    let Some(place) = find(w, now, &name) else { return lose(w, cx, &name) };
    let before = w.tracker.sight;
    w.tracker.sight = Sight { last: Some((place, now)), lost: false, news: true, ..before };
    if before.is_lost() {
        w.notice(cx, "ALTracker/TargetDetected", name.as_str());
    }
    turn_head(w, cx, place);
    point_arm(w, cx, place);
    if matches!(mode(w).as_str(), "Move" | "Navigate") {
        approach(w, cx, place, &name);
    }
}

fn mode(w: &World) -> String {
    w.setting(NAME, "mode").and_then(Value::as_str).unwrap_or("Head").to_owned()
}

/// Handles a moment at which the target is not seen.
fn lose(w: &mut World, cx: &mut ServiceCx<'_>, name: &str) {
    let patience = w.setting(NAME, "timeOut").and_then(Value::as_i64).unwrap_or(2000);
    let Some((_, seen)) = w.tracker.sight.last else { return };
    if !w.tracker.sight.lost && cx.now() - seen >= Time::from_millis(patience) {
        (w.tracker.sight.lost, w.tracker.sight.reached) = (true, false);
        w.notice(cx, "ALTracker/TargetLost", name);
        halt(w, cx);
    }
}

/// Stops a walk towards the target.
pub(crate) fn halt(w: &mut World, cx: &mut ServiceCx<'_>) {
    if matches!(mode(w).as_str(), "Move" | "Navigate") && w.options.world.is_described {
        walk::stop(w, cx);
    }
}

/// The fraction of its speed with which the head, or an arm, follows.
const HEAD_SPEED: f64 = 0.3;

/// Turns the head to a place in the world, unless a motion task holds it.
pub(crate) fn turn_head(w: &mut World, cx: &mut ServiceCx<'_>, place: Vec3) {
    let now = cx.now();
    let torso = robot_in_world(w, now) * torso_in_robot(w, now);
    let targets = aim::look(w, now, inner(&torso, place));
    turn(w, targets, now);
}

/// Points at a place in the world with the arm that `setEffector` has chosen; `Arms` is the nearer one.
fn point_arm(w: &mut World, cx: &mut ServiceCx<'_>, place: Vec3) {
    let now = cx.now();
    let place = inner(&(robot_in_world(w, now) * torso_in_robot(w, now)), place);
    let is_left = match w.setting(NAME, "effector").and_then(Value::as_str) {
        Some("LArm") => true,
        Some("RArm") => false,
        Some("Arms") => place[1] >= 0.0,
        _ => return,
    };
    let targets = aim::point(w, now, is_left, place);
    turn(w, targets, now);
}

fn turn(w: &mut World, targets: Vec<(usize, f64)>, now: Time) {
    let booked = joints::booked(w);
    for (joint, angle) in targets.into_iter().filter(|(joint, _)| !booked.contains(joint)) {
        joints::ramp(w, joint, angle, HEAD_SPEED, now);
    }
}

/// Goes towards the target until it is as far away as the relative position says.
fn approach(w: &mut World, cx: &mut ServiceCx<'_>, place: Vec3, name: &str) {
    let now = cx.now();
    let numbers = w.setting(NAME, "relative").and_then(Value::as_list).unwrap_or_default();
    let number = |i: usize, usual: f64| numbers.get(i).and_then(Value::as_f64).map_or(usual, f64::abs);
    let (wanted, near, facing) = (number(0, 0.3).hypot(number(1, 0.0)), number(3, 0.1), number(5, 0.3));
    let [x, y, _] = inner(&robot_in_world(w, now), place);
    let (missing, angle) = (x.hypot(y) - wanted, y.atan2(x));
    if missing.abs() <= near && angle.abs() <= facing {
        walk::stop(w, cx);
        if !std::mem::replace(&mut w.tracker.sight.reached, true) {
            w.notice(cx, "ALTracker/TargetReached", name);
        }
        return;
    }
    w.tracker.sight.reached = false;
    let pace = walk::default_pace(w);
    let quarters = |part: f64| (4.0 * part.clamp(-1.0, 1.0)).round() / 4.0;
    // It turns before it goes.
    let ahead = if angle.abs() > 2.0 * facing { 0.0 } else { quarters(missing / 0.4) };
    let v = walk::Pose { x: ahead * pace.v.x, y: 0.0, theta: quarters(angle / 0.6) * pace.v.theta };
    // Moving on never fails.
    let _ = walk::go(w, cx, walk::Pace { v, ..pace });
}

/// Returns where the target was last seen in a frame: 0 torso, 1 world, 2 robot; nothing if it was never seen.
pub(crate) fn position(w: &World, now: Time, frame: i64) -> Value {
    let Some((place, _)) = w.tracker.sight.last else { return Value::list([]) };
    let robot = robot_in_world(w, now);
    floats(match frame {
        1 => place,
        2 => inner(&robot, place),
        _ => inner(&(robot * torso_in_robot(w, now)), place),
    })
}
