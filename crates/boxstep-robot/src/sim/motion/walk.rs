//! The robot's place on the floor: walking and rolling.
//!
//! The pose is known at a moment and integrated exactly from there; nothing is stepped. Speeds: NAO
//! takes steps (default gait of the page "Locomotion control"), Pepper rolls (default velocities of
//! the same page). A `moveTo` goes straight to its goal, turning evenly on the way.

use super::joints;
use crate::sim::alarm::Alarm;
use crate::sim::args::numbers_of;
use crate::sim::table::{Answer, Call, Reply, bad, done, ok};
use crate::sim::world::{World, after, readable};
use boxstep_engine::CallId;
use boxstep_engine::services::{ServiceCx, ServiceError};
use boxstep_types::{Time, Value};
use std::f64::consts::PI;

/// A place on the floor: metres, radians.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Pose {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) theta: f64,
}

impl Pose {
    /// The pose that lies at `d` as seen from this one.
    fn then(self, d: Pose) -> Pose {
        let (sin, cos) = self.theta.sin_cos();
        Pose { x: self.x + cos * d.x - sin * d.y, y: self.y + sin * d.x + cos * d.y, theta: self.theta + d.theta }
    }

    /// As scripts get it, to the nanometre: what lies below differs from machine to machine.
    pub(crate) fn value(self) -> Value {
        Value::list([self.x, self.y, wrapped(self.theta)].map(|x| Value::Float((x * 1e9).round() / 1e9)))
    }
}

/// The same angle in −π…π.
fn wrapped(theta: f64) -> f64 {
    let turned = (theta + PI).rem_euclid(2.0 * PI) - PI;
    if turned.is_finite() { turned } else { 0.0 }
}

/// How the robot goes.
#[derive(Clone, Debug, Default)]
pub(crate) enum Gait {
    #[default]
    Still,
    /// With a velocity in its own frame, until told otherwise.
    Velocity(Pose),
    /// Straight to each goal: seconds it takes and place.
    Path(Vec<(f64, Pose)>),
}

/// Where the robot is and goes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Walk {
    from: Pose,
    since: Time,
    gait: Gait,
    /// The call that ends on arrival.
    call: Option<CallId>,
    /// Calls of `waitUntilMoveIsFinished`.
    waiting: Vec<CallId>,
    /// Counts changes, so that an old alarm means nothing.
    generation: u32,
}

impl Walk {
    /// Where the robot is.
    pub(crate) fn at(&self, now: Time) -> Pose {
        let t = (now - self.since).as_secs_f64();
        match &self.gait {
            Gait::Still => self.from,
            Gait::Velocity(v) => self.from.then(arc(*v, t)),
            Gait::Path(goals) => {
                let (mut from, mut left) = (self.from, t);
                for (seconds, to) in goals {
                    if left < *seconds {
                        let part = left / seconds;
                        let mix = |a: f64, b: f64| a + (b - a) * part;
                        return Pose { x: mix(from.x, to.x), y: mix(from.y, to.y), theta: mix(from.theta, to.theta) };
                    }
                    left -= seconds;
                    from = *to;
                }
                from
            }
        }
    }

    /// Where the robot will be when it has done what it was told.
    fn goal(&self, now: Time) -> Pose {
        match &self.gait {
            Gait::Path(goals) => goals.last().map_or(self.from, |g| g.1),
            _ => self.at(now),
        }
    }

    pub(crate) fn moves(&self) -> bool {
        !matches!(self.gait, Gait::Still)
    }
}

/// The way along an arc at a constant velocity.
fn arc(v: Pose, t: f64) -> Pose {
    let theta = v.theta * t;
    if v.theta.abs() < 1e-9 {
        return Pose { x: v.x * t, y: v.y * t, theta };
    }
    let (sin, cos) = theta.sin_cos();
    Pose { x: (v.x * sin - v.y * (1.0 - cos)) / v.theta, y: (v.x * (1.0 - cos) + v.y * sin) / v.theta, theta }
}

/// Greatest default speeds: forward, sideways (m/s), turning (rad/s).
fn greatest(w: &World) -> Pose {
    if w.body.has_legs() {
        // Steps of 40 mm, 140 mm (every other step goes sideways) and 0.349 rad at 2.38 steps a second.
        Pose { x: 0.0952, y: 0.1666, theta: 0.4153 }
    } else {
        Pose { x: 0.35, y: 0.35, theta: 1.0 }
    }
}

/// No speed setting reaches beyond these (Pepper's documented maxima).
const UTMOST: Pose = Pose { x: 0.55, y: 0.55, theta: 2.0 };

/// Speeds as a move configuration changes them: `[["MaxVelXY", 0.2], …]`.
fn configured(w: &World, config: Option<&Value>) -> Result<Pose, ServiceError> {
    let mut v = greatest(w);
    let Some(config) = config else { return Ok(v) };
    let Some(items) = config.as_list() else {
        return bad("the move configuration must be a list of pairs [name, value]");
    };
    for item in items {
        let Some([name, value, ..]) = item.as_list() else {
            return bad("the move configuration must be a list of pairs [name, value]");
        };
        let (Some(name), Some(x)) = (name.as_str(), value.as_f64().filter(|x| x.is_finite())) else { continue };
        let x = x.abs();
        match name {
            "MaxVelXY" => (v.x, v.y) = (x.min(UTMOST.x), x.min(UTMOST.y)),
            "MaxVelTheta" => v.theta = x.min(UTMOST.theta),
            "MaxStepX" => v.x *= (x / 0.04).min(2.0),
            "MaxStepY" => v.y *= (x / 0.14).min(2.0),
            "MaxStepTheta" => v.theta *= (x / 0.349).min(2.0),
            // 0…1 stands for 1.67…2.38 steps a second.
            "MaxStepFrequency" | "Frequency" => {
                let f = (1.67 + 0.71 * x.min(1.0)) / 2.38;
                (v.x, v.y, v.theta) = (v.x * f, v.y * f, v.theta * f);
            }
            _ => {}
        }
    }
    Ok(Pose { x: v.x.max(1e-3), y: v.y.max(1e-3), theta: v.theta.max(1e-3) })
}

/// Seconds for a way in the robot's frame.
fn seconds(w: &World, way: Pose, v: Pose) -> f64 {
    let straight =
        if w.body.has_legs() { (way.x / v.x).abs().max((way.y / v.y).abs()) } else { way.x.hypot(way.y) / v.x };
    straight.max((way.theta / v.theta).abs())
}

pub(super) fn call(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let (args, now) = (call.args, cx.now());
    match call.method {
        "moveTo" | "walkTo" => move_to(w, cx, call),
        "move" | "moveToward" | "setWalkTargetVelocity" => {
            let given = Pose { x: args.number(0, "x")?, y: args.number(1, "y")?, theta: args.number(2, "theta")? };
            let config = args.get(3).filter(|v| v.as_list().is_some());
            let most = configured(w, config)?;
            let clip = |x: f64, most: f64| x.clamp(-most, most);
            let v = if call.method == "move" {
                Pose { x: clip(given.x, most.x), y: clip(given.y, most.y), theta: clip(given.theta, most.theta) }
            } else {
                let unit = |x: f64| x.clamp(-1.0, 1.0);
                Pose { x: unit(given.x) * most.x, y: unit(given.y) * most.y, theta: unit(given.theta) * most.theta }
            };
            go(w, cx, v)
        }
        "stopMove" | "stopWalk" | "killMove" | "killWalk" => {
            stop(w, cx);
            done()
        }
        "moveIsActive" | "walkIsActive" => ok(w.motion.walk.moves()),
        "waitUntilMoveIsFinished" | "waitUntilWalkIsFinished" => {
            if !w.motion.walk.moves() {
                return done();
            }
            w.motion.walk.waiting.push(call.id);
            Ok(Answer::Later)
        }
        "getRobotPosition" => ok(w.motion.walk.at(now).value()),
        "getNextRobotPosition" => ok(w.motion.walk.goal(now).value()),
        "getRobotVelocity" => ok(match &w.motion.walk.gait {
            Gait::Velocity(v) => Value::list([v.x, v.y, v.theta].map(Value::Float)),
            Gait::Path(_) => {
                // The speed of the next millisecond, in the robot's frame.
                let (a, b) = (w.motion.walk.at(now), w.motion.walk.at(now + Time::from_millis(1)));
                let (sin, cos) = a.theta.sin_cos();
                let (dx, dy) = (1e3 * (b.x - a.x), 1e3 * (b.y - a.y));
                Value::list([cos * dx + sin * dy, cos * dy - sin * dx, 1e3 * (b.theta - a.theta)].map(Value::Float))
            }
            Gait::Still => Value::list([0.0; 3].map(Value::Float)),
        }),
        "getMoveConfig" => {
            let which = args.text_or(0, "which", "Default")?;
            let part = match which {
                "Min" => 0.3,
                "Default" | "Max" => 1.0,
                _ => return bad(format!("argument 1 must be Max, Min or Default, not `{which}`")),
            };
            let v = greatest(w);
            let pairs: &[(&str, f64)] = if w.body.has_legs() {
                &[
                    ("MaxStepX", 0.04),
                    ("MaxStepY", 0.14),
                    ("MaxStepTheta", 0.349),
                    ("MaxStepFrequency", 1.0),
                    ("StepHeight", 0.02),
                    ("TorsoWx", 0.0),
                    ("TorsoWy", 0.0),
                ]
            } else {
                &[
                    ("MaxVelXY", v.x),
                    ("MaxVelTheta", v.theta),
                    ("MaxAccXY", 0.3),
                    ("MaxAccTheta", 0.75),
                    ("MaxJerkXY", 1.0),
                    ("MaxJerkTheta", 2.0),
                    ("TorsoWy", 0.0),
                ]
            };
            ok(Value::list(pairs.iter().map(|(k, x)| Value::list([Value::from(*k), (x * part).into()]))))
        }
        _ => Err(ServiceError::NoMethod),
    }
}

/// Sets out at a velocity; none is a stop.
pub(crate) fn go(w: &mut World, cx: &mut ServiceCx<'_>, v: Pose) -> Reply {
    if v == Pose::default() {
        stop(w, cx);
        return done();
    }
    if !w.motion.awake {
        cx.act("move", "does not move: the robot is at rest", Value::map([("awake", Value::Bool(false))]));
        return done();
    }
    // The same velocity again, as scripts send it several times a second, is no news.
    if matches!(&w.motion.walk.gait, Gait::Velocity(before) if *before == v) {
        return done();
    }
    halt(w, cx);
    w.motion.walk.gait = Gait::Velocity(v);
    let text = format!("at {:.3} m/s, {:.3} m/s, {:.3} rad/s", v.x, v.y, v.theta);
    cx.act("move", text, Value::map([("x", v.x), ("y", v.y), ("theta", v.theta)].map(|(k, x)| (k, x.into()))));
    done()
}

/// `moveTo`: one goal or a list of them, seen from where the robot is.
fn move_to(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let args = call.args;
    let pose = |v: &[f64]| match v {
        [x, y, theta] => Ok(Pose { x: *x, y: *y, theta: *theta }),
        _ => bad("each control point must be [x, y, theta]"),
    };
    let (goals, config) = match args.value(0, "x, or control points")? {
        Value::List(points) if points.iter().any(|p| p.as_list().is_some()) => {
            let goals = points.iter().map(|p| pose(&numbers_of(p, "a control point")?)).collect::<Result<Vec<_>, _>>();
            (goals?, args.get(1))
        }
        Value::List(_) => (vec![pose(&args.numbers(0, "goal")?)?], args.get(1)),
        _ => {
            let goal = Pose { x: args.number(0, "x")?, y: args.number(1, "y")?, theta: args.number(2, "theta")? };
            (vec![goal], args.get(3))
        }
    };
    if goals.is_empty() {
        return bad("there are no control points");
    }
    // On Pepper the last argument may be the time the whole move shall take.
    let wanted = config.and_then(Value::as_f64);
    if wanted.is_some_and(|t| !(t.is_finite() && t > 0.0)) {
        return bad("the time of a move must be a number of seconds above 0");
    }
    let v = configured(w, config.filter(|c| c.as_f64().is_none()))?;
    travel(w, cx, call, &goals, v, wanted)
}

/// Sets out for goals seen from here; the call ends on arrival.
pub(crate) fn travel(
    w: &mut World,
    cx: &mut ServiceCx<'_>,
    call: &Call<'_>,
    goals: &[Pose],
    v: Pose,
    wanted: Option<f64>,
) -> Reply {
    if !w.motion.awake {
        cx.act("move", "does not move: the robot is at rest", Value::map([("awake", Value::Bool(false))]));
        return ok(false);
    }
    halt(w, cx);
    let (start, mut before) = (w.motion.walk.from, Pose::default());
    let mut legs = Vec::with_capacity(goals.len());
    for goal in goals {
        // The way is measured in the frame of the leg's start.
        let (sin, cos) = before.theta.sin_cos();
        let (dx, dy) = (goal.x - before.x, goal.y - before.y);
        let way = Pose { x: cos * dx + sin * dy, y: cos * dy - sin * dx, theta: goal.theta - before.theta };
        legs.push((seconds(w, way, v), start.then(*goal)));
        before = *goal;
    }
    let mut total: f64 = legs.iter().map(|l| l.0).sum();
    if let Some(wanted) = wanted.filter(|t| *t > total && total > 0.0) {
        legs.iter_mut().for_each(|l| l.0 *= wanted / total);
        total = wanted;
    }
    let last = goals.last().copied().unwrap_or_default();
    let via = if goals.len() > 1 { format!(" by way of {} points", goals.len() - 1) } else { String::new() };
    let text = format!(
        "{:.2} m ahead, {:.2} m to the left, turn {:.0}°{via}, {}",
        last.x,
        last.y,
        last.theta.to_degrees(),
        readable(total)
    );
    let data = [("x", last.x), ("y", last.y), ("theta", last.theta), ("seconds", (total * 1e6).round() / 1e6)];
    cx.act("move", text, Value::map(data.map(|(k, x)| (k, Value::Float(x)))));
    w.motion.walk.gait = Gait::Path(legs);
    w.motion.walk.call = Some(call.id);
    let (at, generation) = (after(cx.now(), total), w.motion.walk.generation);
    w.alarm(cx, at, Alarm::Move(generation));
    Ok(Answer::Later)
}

/// Speeds of a robot that nobody configured.
pub(crate) fn default_speed(w: &World) -> Pose {
    greatest(w)
}

/// The alarm of a move has come.
pub(crate) fn arrived(w: &mut World, cx: &mut ServiceCx<'_>, generation: u32) {
    if goes(w, generation) {
        end(w, cx, true);
    }
}

/// Is the robot still on this way?
pub(crate) fn goes(w: &World, generation: u32) -> bool {
    w.motion.walk.generation == generation
}

/// Stops where the robot is, and says so if it moved.
pub(crate) fn stop(w: &mut World, cx: &mut ServiceCx<'_>) {
    if w.motion.walk.moves() {
        let pose = w.motion.walk.at(cx.now());
        cx.act("move", "stops", Value::map([("at", pose.value())]));
    }
    halt(w, cx);
}

/// Ends what the robot was doing; its call returns False.
fn halt(w: &mut World, cx: &mut ServiceCx<'_>) {
    end(w, cx, false);
}

fn end(w: &mut World, cx: &mut ServiceCx<'_>, arrived: bool) {
    let now = cx.now();
    let walk = &mut w.motion.walk;
    walk.from = walk.at(now);
    walk.since = now;
    walk.gait = Gait::Still;
    walk.generation += 1;
    let (call, waiting) = (walk.call.take(), std::mem::take(&mut walk.waiting));
    if let Some(call) = call {
        cx.complete(call, Ok(arrived.into()));
    }
    for call in waiting {
        cx.complete(call, Ok(Value::Null));
    }
}

/// A call was given up: the move it made stops.
pub(crate) fn cancel(w: &mut World, cx: &mut ServiceCx<'_>, call: CallId) {
    w.motion.walk.waiting.retain(|c| *c != call);
    if w.motion.walk.call == Some(call) {
        w.motion.walk.call = None;
        stop(w, cx);
    }
}

/// Kills the move if it is the task with this number.
pub(super) fn kill_task(w: &mut World, cx: &mut ServiceCx<'_>, id: i64) -> bool {
    let mine = w.motion.walk.call.is_some_and(|c| i64::from(c.0) == id);
    if mine {
        stop(w, cx);
    }
    mine
}

/// Stops everything that moves, when the robot is halted.
pub(crate) fn halt_all(w: &mut World, cx: &mut ServiceCx<'_>) {
    stop(w, cx);
    joints::kill(w, cx, None, |_| true);
    let now = cx.now();
    for i in 0..w.motion.joints.len() {
        let place = joints::command(w, i, now);
        if let Some(j) = w.motion.joints.get_mut(i) {
            j.command = joints::Track::Still(place);
            j.later = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arcs_close_circles() {
        let v = Pose { x: 0.1, y: 0.0, theta: 0.5 };
        let whole = arc(v, 2.0 * PI / 0.5);
        assert!(whole.x.abs() < 1e-9 && whole.y.abs() < 1e-9, "{whole:?}");
        let half = arc(v, PI / 0.5);
        assert!((half.y - 0.4).abs() < 1e-9 && half.x.abs() < 1e-9, "{half:?}");
    }

    #[test]
    fn poses_compose() {
        let p = Pose { x: 1.0, y: 2.0, theta: PI / 2.0 }.then(Pose { x: 1.0, y: 0.0, theta: PI });
        assert!((p.x - 1.0).abs() < 1e-12 && (p.y - 3.0).abs() < 1e-12);
        assert!((wrapped(p.theta) + PI / 2.0).abs() < 1e-12);
    }
}
