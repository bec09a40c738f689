//! The robot's position on the floor: walking and rolling.
//!
//! The pose is stored for one moment, and integrated exactly from there. Speeds: NAO takes steps (default gait of the
//! page "Locomotion control"), Pepper rolls (default velocities of the same page). A `moveTo` goes straight to its
//! goal, turning evenly on the way.
//!
//! A walk that is stopped continues to the end of the current step, and then the other foot is put beside; wheels slow
//! down. Until then the robot moves, and calls that wait for the end of the move wait. Only `killMove` and similar
//! methods end it at once. `docs/reference/simulation.md` has the numbers.

pub(crate) use super::pace::{Pace, default_pace};
use super::pace::{configured, seconds};
use super::{feet, joints};
use crate::alarm::Alarm;
use crate::args::numbers_of;
use crate::physics;
use crate::table::{Answer, Call, Reply, bad, done, ok};
use crate::world::{World, after, readable};
use boxstep_engine::CallId;
use boxstep_engine::services::{ServiceCx, ServiceError};
use boxstep_types::{Time, Value};
use std::f64::consts::PI;

/// A pose on the floor, in metres and radians.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Pose {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) theta: f64,
}

impl Pose {
    /// Returns the pose that is at `d` in the frame of this one.
    pub(crate) fn then(self, d: Pose) -> Pose {
        let (sin, cos) = self.theta.sin_cos();
        Pose { x: self.x + cos * d.x - sin * d.y, y: self.y + sin * d.x + cos * d.y, theta: self.theta + d.theta }
    }

    /// Returns the pose midway between two.
    pub(super) fn between(a: Self, b: Self) -> Self {
        Self { x: (a.x + b.x) / 2.0, y: (a.y + b.y) / 2.0, theta: (a.theta + b.theta) / 2.0 }
    }

    /// Returns another pose in the frame of this one.
    pub(super) fn inner(self, other: Self) -> Self {
        let (sin, cos) = self.theta.sin_cos();
        let (dx, dy) = (other.x - self.x, other.y - self.y);
        Self { x: cos * dx + sin * dy, y: cos * dy - sin * dx, theta: other.theta - self.theta }
    }

    /// Returns the place on the floor of a pose.
    pub(crate) fn of(pose: &crate::frames::Pose) -> Self {
        let (_, _, theta) = pose.rotation.euler_angles();
        Self { x: pose.translation.x, y: pose.translation.y, theta }
    }

    /// Returns the pose in space.
    pub(crate) fn in_space(self) -> crate::frames::Pose {
        crate::frames::pose([self.x, self.y, 0.0, 0.0, 0.0, self.theta])
    }

    /// Returns the pose for scripts, rounded to the nanometre, because smaller digits differ between machines.
    pub(crate) fn value(self) -> Value {
        Value::list([self.x, self.y, wrapped(self.theta)].map(|x| Value::Float((x * 1e9).round() / 1e9)))
    }
}

/// Returns the same angle in −π…π.
fn wrapped(theta: f64) -> f64 {
    let turned = (theta + PI).rem_euclid(2.0 * PI) - PI;
    if turned.is_finite() { turned } else { 0.0 }
}

/// How the robot moves on the floor.
#[derive(Clone, Debug, Default)]
pub(crate) enum Gait {
    #[default]
    Still,
    /// At a velocity in its own frame, until told otherwise.
    Velocity(Pose),
    /// Straight to each goal: the duration in seconds, and the pose.
    Path(Vec<(f64, Pose)>),
}

/// A move that is being stopped.
#[derive(Clone, Copy, Debug)]
struct Stopping {
    /// When the robot was told to stop.
    since: Time,
    /// For how many seconds it continues.
    goes_on: f64,
    /// Whether it slows down evenly; otherwise it keeps its speed for that time.
    brakes: bool,
    /// Whether it arrives at its goal by then.
    arrives: bool,
}

/// The robot's position and movement.
#[derive(Clone, Debug, Default)]
pub(crate) struct Walk {
    from: Pose,
    since: Time,
    pub(super) gait: Gait,
    /// When the first step of the walk began, and the duration of a step in seconds.
    steps: Option<(Time, f64)>,
    stopping: Option<Stopping>,
    /// The call that returns on arrival.
    call: Option<CallId>,
    /// What it answers on arrival, and when the robot was stopped; without it True and False.
    says: Option<[Value; 2]>,
    /// The calls of `waitUntilMoveIsFinished`.
    waiting: Vec<CallId>,
    /// Counts changes, so that outdated alarms are ignored.
    generation: u32,
}

impl Walk {
    /// Returns the robot's pose.
    pub(crate) fn at(&self, now: Time) -> Pose {
        let t = match self.stopping {
            None => (now - self.since).as_secs_f64(),
            // The time in which it would have come as far without the stop.
            Some(stop) => {
                let s = (now - stop.since).as_secs_f64().min(stop.goes_on);
                let slower = if stop.brakes && stop.goes_on > 0.0 { s * s / (2.0 * stop.goes_on) } else { 0.0 };
                (stop.since - self.since).as_secs_f64() + s - slower
            }
        };
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

    /// Returns the pose that the robot will have reached at the end of its current command.
    pub(super) fn goal(&self, now: Time) -> Pose {
        match &self.gait {
            Gait::Path(goals) => goals.last().map_or(self.from, |g| g.1),
            _ => self.at(now),
        }
    }

    /// Returns the seconds until the current step ends.
    fn step_left(&self, now: Time) -> f64 {
        let Some((first, period)) = self.steps else { return 0.0 };
        let into = (now - first).as_secs_f64().rem_euclid(period);
        if into < ROUNDING || period - into < ROUNDING { 0.0 } else { period - into }
    }

    /// Returns its velocity in its own frame, in metres and radians per second.
    pub(crate) fn velocity(&self, now: Time) -> Pose {
        match &self.gait {
            Gait::Velocity(v) if self.stopping.is_none() => *v,
            Gait::Still => Pose::default(),
            // The movement in the next millisecond.
            Gait::Velocity(_) | Gait::Path(_) => {
                let (a, b) = (self.at(now), self.at(now + Time::from_millis(1)));
                let (sin, cos) = a.theta.sin_cos();
                let (dx, dy) = (1e3 * (b.x - a.x), 1e3 * (b.y - a.y));
                Pose { x: cos * dx + sin * dy, y: cos * dy - sin * dx, theta: 1e3 * (b.theta - a.theta) }
            }
        }
    }

    /// Returns what the robot is still doing after a stop command, and since when.
    pub(crate) fn coming_to_rest(&self, legs: bool) -> Option<(&'static str, Time)> {
        self.stopping.map(|stop| (if legs { "walking until both feet are down" } else { "slowing down" }, stop.since))
    }

    pub(crate) fn moves(&self) -> bool {
        !matches!(self.gait, Gait::Still)
    }
}

/// What the trace says of a robot that ends its step and then stands.
pub const COMES_TO_STAND: &str = "comes to stand";

/// Times that differ by fewer seconds are equal: the clock counts nanoseconds.
const ROUNDING: f64 = 1e-6;

/// Returns the displacement along an arc at a constant velocity.
fn arc(v: Pose, t: f64) -> Pose {
    let theta = v.theta * t;
    if v.theta.abs() < 1e-9 {
        return Pose { x: v.x * t, y: v.y * t, theta };
    }
    let (sin, cos) = theta.sin_cos();
    Pose { x: (v.x * sin - v.y * (1.0 - cos)) / v.theta, y: (v.x * (1.0 - cos) + v.y * sin) / v.theta, theta }
}

/// Pepper's deceleration in m/s² and rad/s² (documented `MaxAccXY`, `MaxAccTheta`).
const BRAKES: (f64, f64) = (0.3, 0.75);

/// Reads a velocity and the configuration of the steps.
fn velocity(w: &World, call: &Call<'_>) -> Result<(Pose, Pace), ServiceError> {
    let args = call.args;
    let given = Pose { x: args.number(0, "x")?, y: args.number(1, "y")?, theta: args.number(2, "theta")? };
    let config = args.get(3).filter(|v| v.as_list().is_some());
    Ok((given, configured(w, config)?))
}

/// `move`: a velocity in metres and radians per second.
pub(super) fn move_at(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let (given, pace) = velocity(w, call)?;
    let most = pace.v;
    let clip = |x: f64, most: f64| x.clamp(-most, most);
    let v = Pose { x: clip(given.x, most.x), y: clip(given.y, most.y), theta: clip(given.theta, most.theta) };
    go(w, cx, Pace { v, ..pace })
}

/// `moveToward`: a velocity as a fraction of the largest speed.
pub(super) fn move_toward(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let (given, pace) = velocity(w, call)?;
    let most = pace.v;
    let unit = |x: f64| x.clamp(-1.0, 1.0);
    let v = Pose { x: unit(given.x) * most.x, y: unit(given.y) * most.y, theta: unit(given.theta) * most.theta };
    go(w, cx, Pace { v, ..pace })
}

pub(super) fn stop_move(w: &mut World, cx: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    stop(w, cx);
    done()
}

pub(super) fn kill_move(w: &mut World, cx: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    kill(w, cx);
    done()
}

pub(super) fn move_is_active(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(w.motion.walk.moves())
}

pub(super) fn wait_until_move_is_finished(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    if !w.motion.walk.moves() {
        return done();
    }
    w.motion.walk.waiting.push(call.id);
    Ok(Answer::Later)
}

/// Starts to move at a velocity; a velocity of zero is a stop.
pub(crate) fn go(w: &mut World, cx: &mut ServiceCx<'_>, pace: Pace) -> Reply {
    let v = pace.v;
    if v == Pose::default() {
        stop(w, cx);
        return done();
    }
    if !w.motion.awake {
        cx.act("move", "does not move: the robot is at rest", Value::map([("awake", Value::Bool(false))]));
        return done();
    }
    // Scripts send the same velocity several times per second; repeating it changes nothing.
    if w.motion.walk.stopping.is_none() && matches!(&w.motion.walk.gait, Gait::Velocity(before) if *before == v) {
        return done();
    }
    begin(w, cx, pace.step);
    feet::gather(w, cx.now(), pace.step);
    w.motion.walk.gait = Gait::Velocity(v);
    let text = format!("at {:.3} m/s, {:.3} m/s, {:.3} rad/s", v.x, v.y, v.theta);
    cx.act("move", text, Value::map([("x", v.x), ("y", v.y), ("theta", v.theta)].map(|(k, x)| (k, x.into()))));
    done()
}

/// `moveTo`: one goal or a list of them, in the robot's frame.
pub(super) fn move_to(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
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
    // On Pepper the last argument may be the duration of the whole move.
    let wanted = config.and_then(Value::as_f64);
    if wanted.is_some_and(|t| !(t.is_finite() && t > 0.0)) {
        return bad("the time of a move must be a number of seconds above 0");
    }
    let v = configured(w, config.filter(|c| c.as_f64().is_none()))?;
    travel(w, cx, call, &goals, v, wanted)
}

/// Starts to move to goals in the robot's frame; the call returns on arrival.
pub(crate) fn travel(
    w: &mut World,
    cx: &mut ServiceCx<'_>,
    call: &Call<'_>,
    goals: &[Pose],
    pace: Pace,
    wanted: Option<f64>,
) -> Reply {
    if !w.motion.awake {
        cx.act("move", "does not move: the robot is at rest", Value::map([("awake", Value::Bool(false))]));
        return ok(false);
    }
    // The current step ends first; the goals refer to the pose at its end.
    let left = if w.motion.walk.moves() { w.motion.walk.step_left(cx.now()) } else { 0.0 };
    let start = w.motion.walk.at(after(cx.now(), left));
    begin(w, cx, pace.step);
    feet::gather(w, cx.now(), pace.step);
    let mut before = Pose::default();
    let mut legs = Vec::with_capacity(goals.len() + 1);
    for goal in goals {
        // The displacement is measured in the frame at the start of the leg.
        legs.push((seconds(w, before.inner(*goal), pace.v), start.then(*goal)));
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
    if left > 0.0 {
        legs.insert(0, (left, start));
        total += left;
    }
    w.motion.walk.gait = Gait::Path(legs);
    w.motion.walk.call = Some(call.id);
    let (at, generation) = (after(cx.now(), total), w.motion.walk.generation);
    w.alarm(cx, at, Alarm::Move(generation));
    Ok(Answer::Later)
}

/// Returns the seconds until the robot arrives; 0 if it has no goal.
pub(crate) fn left(w: &World, now: Time) -> f64 {
    let walk = &w.motion.walk;
    match &walk.gait {
        Gait::Path(goals) => (goals.iter().map(|g| g.0).sum::<f64>() - (now - walk.since).as_secs_f64()).max(0.0),
        Gait::Still | Gait::Velocity(_) => 0.0,
    }
}

/// Goes straight to each pose of the world, in so many seconds each; at once, or after the goals that there are.
/// `smaller` of the steps are smaller than they were asked for.
pub(super) fn follow(w: &mut World, cx: &mut ServiceCx<'_>, path: Vec<(f64, Pose)>, at_once: bool, smaller: usize) {
    let now = cx.now();
    let mut before = Vec::new();
    if let Gait::Path(goals) = &w.motion.walk.gait
        && !at_once
    {
        let mut gone = (now - w.motion.walk.since).as_secs_f64();
        for (seconds, to) in goals {
            if gone < *seconds {
                before.push((seconds - gone.max(0.0), *to));
            }
            gone -= seconds;
        }
    }
    let steps = path.len();
    before.extend(path);
    let total: f64 = before.iter().map(|leg| leg.0).sum();
    let pace = default_pace(w);
    begin(w, cx, pace.step);
    let clipped = if smaller > 0 { format!("; {smaller} smaller than asked for") } else { String::new() };
    let mut data = vec![("seconds", rounded(total))];
    data.extend((smaller > 0).then(|| ("clipped", Value::Int(smaller as i64))));
    cx.act("move", format!("{steps} steps, {}{clipped}", readable(total)), Value::map(data));
    w.motion.walk.gait = Gait::Path(before);
    let generation = w.motion.walk.generation;
    w.alarm(cx, after(now, total), Alarm::Move(generation));
}

/// Like [`travel`], with other answers than True on arrival and False when the robot was stopped.
pub(crate) fn travel_saying(
    w: &mut World,
    cx: &mut ServiceCx<'_>,
    call: &Call<'_>,
    goals: &[Pose],
    pace: Pace,
    says: [Value; 2],
) -> Reply {
    match travel(w, cx, call, goals, pace, None)? {
        Answer::Later => {
            w.motion.walk.says = Some(says);
            Ok(Answer::Later)
        }
        Answer::Now(_) => ok(says[1].clone()),
    }
}

/// Handles the alarm of a move: the robot has arrived, or has stopped.
pub(crate) fn arrived(w: &mut World, cx: &mut ServiceCx<'_>, generation: u32) {
    if !is_current(w, generation) {
        return;
    }
    match w.motion.walk.stopping {
        Some(stop) if !stop.arrives => {
            mark_standing(w, cx);
            feet::gather(w, cx.now(), default_pace(w).step);
        }
        _ => end(w, cx, true),
    }
}

/// Returns whether the robot is still making this move.
pub(crate) fn is_current(w: &World, generation: u32) -> bool {
    w.motion.walk.generation == generation
}

/// Stops safely: the current step ends and the other foot is put beside it; wheels slow down. If the robot arrives
/// sooner, it arrives.
pub(crate) fn stop(w: &mut World, cx: &mut ServiceCx<'_>) {
    let (now, legs) = (cx.now(), w.body.has_legs());
    let walk = &mut w.motion.walk;
    if !walk.moves() || walk.stopping.is_some() {
        return;
    }
    let (goes_on, then) = if legs {
        (walk.step_left(now), walk.steps.map_or(0.0, |s| s.1))
    } else {
        let v = walk.velocity(now);
        ((v.x.hypot(v.y) / BRAKES.0).max(v.theta.abs() / BRAKES.1), 0.0)
    };
    let left = match &walk.gait {
        Gait::Path(goals) => goals.iter().map(|g| g.0).sum::<f64>() - (now - walk.since).as_secs_f64(),
        Gait::Still | Gait::Velocity(_) => f64::INFINITY,
    };
    let stopping = if left <= goes_on {
        Stopping { since: now, goes_on: left.max(0.0), brakes: false, arrives: true }
    } else {
        Stopping { since: now, goes_on, brakes: !legs, arrives: false }
    };
    walk.stopping = Some(stopping);
    walk.generation += 1;
    let generation = walk.generation;
    let takes = if stopping.arrives { stopping.goes_on } else { goes_on + then };
    cx.act("move", COMES_TO_STAND, Value::map([("seconds", rounded(takes))]));
    let at = after(now, takes);
    w.alarm(cx, at, Alarm::Move(generation));
}

/// Stops immediately, in the middle of a step or with the wheels blocked.
pub(crate) fn kill(w: &mut World, cx: &mut ServiceCx<'_>) {
    if w.motion.walk.moves() {
        physics::stopped_at_once(w, cx.now());
        feet::freeze(w, cx.now());
        mark_standing(w, cx);
    }
}

/// Marks the robot as standing, and records that in the trace.
fn mark_standing(w: &mut World, cx: &mut ServiceCx<'_>) {
    let pose = w.motion.walk.at(cx.now());
    cx.act("move", "stops", Value::map([("at", pose.value())]));
    end(w, cx, false);
}

/// Rounds seconds to the microsecond, because smaller digits differ between machines.
fn rounded(seconds: f64) -> Value {
    Value::Float((seconds * 1e6).round() / 1e6)
}

/// Begins another move: the one before ends, and its call returns False. A robot that walks keeps its step, and calls
/// that wait until the robot stands continue to wait.
fn begin(w: &mut World, cx: &mut ServiceCx<'_>, step: f64) {
    let before = w.motion.walk.steps.filter(|s| w.motion.walk.moves() && s.1 == step);
    let waiting = std::mem::take(&mut w.motion.walk.waiting);
    end(w, cx, false);
    w.motion.walk.waiting = waiting;
    w.motion.walk.steps = w.body.has_legs().then(|| before.unwrap_or((cx.now(), step)));
}

fn end(w: &mut World, cx: &mut ServiceCx<'_>, arrived: bool) {
    let now = cx.now();
    let walk = &mut w.motion.walk;
    walk.from = walk.at(now);
    walk.since = now;
    walk.gait = Gait::Still;
    walk.stopping = None;
    walk.generation += 1;
    let (call, waiting) = (walk.call.take(), std::mem::take(&mut walk.waiting));
    let [on_arrival, when_stopped] = walk.says.take().unwrap_or([true.into(), false.into()]);
    if let Some(call) = call {
        cx.complete(call, Ok(if arrived { on_arrival } else { when_stopped }));
    }
    for call in waiting {
        cx.complete(call, Ok(Value::Null));
    }
}

/// Handles the cancellation of a call: the move that it made stops.
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
        kill(w, cx);
    }
    mine
}

/// Stops all movement, when the robot is halted.
pub(crate) fn halt_all(w: &mut World, cx: &mut ServiceCx<'_>) {
    kill(w, cx);
    halt_joints(w, cx);
}

/// Stops the joints at their current angles.
pub(crate) fn halt_joints(w: &mut World, cx: &mut ServiceCx<'_>) {
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
