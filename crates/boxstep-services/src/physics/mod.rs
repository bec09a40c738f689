//! A robot that can fall: its weight, its motors and the floor move it, through a physics engine.
//!
//! Without an engine ([`SimOptions::physics`](crate::SimOptions)) nothing here happens: joints are where they are told
//! to be, and the robot keeps its balance. With one, joints follow their commands as motors do, and the robot leans,
//! falls and sags. Time goes on in steps of the engine, which are made when somebody looks: at calls, at the robot's
//! alarms, and when joints are sampled. The state after a step depends on commands only, not on who looks when.
//!
//! Decisions: a walk is not physical, because how NAOqi balances it is not known; the robot glides, until it is stopped
//! or pushed. Nor is the change to a posture on legs: crouching, getting up, sitting down, lying down. The floor is the only thing that it hits. A robot that stands still needs no steps, and lets a run in virtual
//! time end; one that moves without being told to does so for [`RESTLESS`].

mod carried;
mod fall;
mod sensors;

pub(crate) use carried::{change_posture, odometry_in_world, stopped_at_once};
pub(crate) use sensors::device;

use crate::alarm::Alarm;
use crate::frames::Pose;
use crate::motion::{joints, power};
use crate::world::World;
use boxstep_dynamics::{Isometry3, Physics, PhysicsEngine, STEP, Start, Vector3};
use boxstep_engine::services::{Effect, ServiceCx};
use boxstep_types::{Time, Value};
use carried::Mover;
use fall::Fall;

/// The event that pushes the robot: its value is the impulse in newton seconds, `[x, y, z]`, in the robot's frame;
/// a link's name may follow it, and without one the push is at the torso.
pub(crate) const PUSH: &str = "Boxstep/Push";

/// The engine's step, and the period in which the robot looks at itself: the cycle of `ALMotion`.
const ONE: Time = Time((STEP * 1e9) as i64);
const CYCLE: Time = Time::from_millis(20);
/// How long a robot that moves without being told to keeps a run alive.
const RESTLESS: Time = Time::from_millis(10_000);
/// A robot is still if this many steps were slower than this, in m/s and rad/s. What lies on the floor trembles more
/// than what stands, and cannot fall.
const STILL_STEPS: u32 = 125;
const STILL: f64 = 1e-3;
const LIES_STILL: f64 = 0.1;

/// The state of a robot that can fall.
pub(crate) struct Physical {
    engine: PhysicsEngine,
    mover: Mover,
    /// The time of the last step: a multiple of it.
    at: Time,
    /// The commands of the last step.
    targets: Vec<f64>,
    stiffness: Vec<f64>,
    /// Whether physics has not made a step yet since it has the robot.
    is_new: bool,
    /// For how many steps nothing has moved.
    still: u32,
    /// When the alarm that is set rings.
    armed: Option<Time>,
    /// When the robot was last told something, or pushed.
    stirred: Time,
    fall: Fall,
    feet: sensors::Contacts,
}

impl Physical {
    /// Puts a robot on its feet.
    pub(crate) fn new(engine: PhysicsEngine, body: &crate::body::SimBody) -> Self {
        let angles: Vec<f64> = (0..body.len()).map(|joint| body.start(joint)).collect();
        let torso = crate::frames::torso_over_floor(body, &angles);
        let robot = engine(body.model(), &Start { angles: &angles, torso, velocity: Vector3::zeros() });
        Self {
            engine,
            mover: Mover::Physics(robot),
            at: Time::ZERO,
            stiffness: vec![1.0; angles.len()],
            targets: angles,
            is_new: true,
            still: 0,
            armed: None,
            stirred: Time::ZERO,
            fall: Fall::default(),
            feet: sensors::Contacts::default(),
        }
    }

    /// Returns the value of a joint that the engine moves.
    pub(crate) fn angle(&self, joint: usize) -> Option<f64> {
        self.robot()?.angle(joint)
    }

    /// Returns the robot in the engine; `None` while something else carries it.
    fn robot(&self) -> Option<&dyn Physics> {
        match &self.mover {
            Mover::Physics(robot) => Some(&**robot),
            _ => None,
        }
    }

    /// Returns whether the robot and its commands have come to rest.
    fn rests(&self, w: &World) -> bool {
        let same = || {
            let (targets, stiffness) = self.commands(w, self.at);
            targets == self.targets && stiffness == self.stiffness
        };
        self.still >= STILL_STEPS && joints::settled(w) <= self.at && same()
    }

    fn commands(&self, w: &World, at: Time) -> (Vec<f64>, Vec<f64>) {
        let all = 0..w.body.len();
        let stiffness = |joint| power::stiffness(w, w.body.leader(joint), at);
        (all.clone().map(|joint| joints::command(w, joint, at)).collect(), all.map(stiffness).collect())
    }

    /// Makes one step.
    fn step(&mut self, w: &World) {
        self.at = self.at + ONE;
        let (targets, stiffness) = self.commands(w, self.at);
        let Mover::Physics(robot) = &mut self.mover else { return };
        robot.step(&targets, &stiffness);
        self.is_new = false;
        let same = targets == self.targets && stiffness == self.stiffness;
        (self.targets, self.stiffness) = (targets, stiffness);
        let slow = if self.fall == Fall::Down { LIES_STILL } else { STILL };
        self.still = if same && robot.speed() < slow { self.still.saturating_add(1) } else { 0 };
    }
}

/// Makes the steps up to a time. Whatever changes a command calls this first.
pub(crate) fn catch_up(w: &mut World, now: Time) {
    let Some(mut own) = w.physics.take() else { return };
    let last = Time(now.0 - now.0.rem_euclid(ONE.0));
    while own.at < last && own.robot().is_some() && !own.rests(w) {
        own.step(w);
    }
    own.at = own.at.max(last);
    w.physics = Some(own);
}

/// Looks at the robot after whatever has happened, and sets the alarm for the next look.
pub(crate) fn attend(w: &mut World, cx: &mut ServiceCx<'_>, stirs: bool) {
    let Some(own) = &mut w.physics else { return };
    if stirs {
        own.stirred = cx.now();
    }
    if own.robot().is_some_and(|robot| !robot.torso().to_homogeneous().iter().all(|x| x.is_finite())) {
        w.physics = None;
        let why = "the masses or the motors of this body make it move without limits: it goes on without physics";
        return cx.effect(Effect::Warn(why.to_owned()));
    }
    carried::attend(w, cx);
    fall::attend(w, cx);
    sensors::attend(w, cx);
    arm(w, cx);
}

fn arm(w: &mut World, cx: &mut ServiceCx<'_>) {
    let Some(own) = w.physics.take() else { return };
    let next = Time((cx.now().0.div_euclid(CYCLE.0) + 1) * CYCLE.0);
    let needed = own.robot().is_some() && !own.rests(w) && own.armed.is_none();
    let own = w.physics.insert(own);
    if needed {
        own.armed = Some(next);
        w.alarm(cx, next, Alarm::Physics(next));
    }
}

/// Handles the alarm. One that comes before its time is given back to calls.
pub(crate) fn tick(w: &mut World, cx: &mut ServiceCx<'_>, at: Time) {
    let Some(own) = &mut w.physics else { return };
    if own.armed != Some(at) {
        return;
    }
    own.armed = None;
    if cx.now() >= at {
        attend(w, cx, false);
    }
}

/// Returns whether the alarm keeps a run alive.
pub(crate) fn is_alive(w: &World, at: Time) -> bool {
    let moves = || joints::settled(w) > at || !w.motion.tasks.is_empty();
    w.physics.as_ref().is_some_and(|own| own.armed == Some(at) && (moves() || at <= own.stirred + RESTLESS))
}

/// Pushes the robot. The value is that of the event [`PUSH`].
pub(crate) fn push(w: &mut World, cx: &mut ServiceCx<'_>, value: &Value) {
    let now = cx.now();
    let Some((impulse, link)) = read_push(w, value) else {
        let wanted = "[x, y, z] in newton seconds, and perhaps the name of a link";
        return cx.effect(Effect::Warn(format!("{PUSH} takes {wanted}, not {value}")));
    };
    if w.physics.is_none() {
        let why = format!("{PUSH} has no effect: this robot moves without physics (--physics)");
        return cx.effect(Effect::Warn(why));
    }
    carried::let_go(w, cx);
    let name = w.body.model().links().get(link).map_or("", |link| link.name);
    let newton_seconds = impulse.norm();
    cx.act(
        "push",
        format!("{name}, {newton_seconds:.2} N·s"),
        Value::map([("link", name.into()), ("impulse", Value::list([0, 1, 2].map(|i| Value::Float(impulse[i]))))]),
    );
    let heading = crate::frames::robot_in_world(w, now).rotation;
    if let Some(own) = &mut w.physics
        && let Mover::Physics(robot) = &mut own.mover
    {
        robot.push(link, heading * impulse);
        own.still = 0;
        own.stirred = now;
    }
}

/// The strongest push, in newton seconds.
const STRONGEST: f64 = 1e3;

fn read_push(w: &World, value: &Value) -> Option<(Vector3<f64>, usize)> {
    let Value::List(items) = value else { return None };
    let links = w.body.model().links();
    let (numbers, link) = match &**items {
        [x, y, z] => ([x, y, z], 0),
        [x, y, z, Value::Str(name)] => ([x, y, z], links.iter().position(|link| *link.name == **name)?),
        _ => return None,
    };
    let [x, y, z] = numbers.map(Value::as_f64);
    let impulse = Vector3::new(x?, y?, z?);
    (impulse.norm() <= STRONGEST).then_some((impulse, link))
}

/// Returns whether the robot has fallen, or sits or lies.
pub(crate) fn is_down(w: &World) -> bool {
    w.physics.as_ref().is_some_and(|own| own.fall == Fall::Down)
}

/// Returns the pose of the torso in the world; `None` if the robot moves without physics.
pub(crate) fn torso(w: &World, now: Time) -> Option<Pose> {
    Some(w.physics.as_ref()?.mover.torso(w, now))
}

/// Returns the frame on the floor under a torso, turned to where it looks. A torso that looks straight up or down
/// is turned to where its head or its feet are.
pub(crate) fn under(torso: &Isometry3<f64>) -> Pose {
    let ahead = torso.rotation * Vector3::x();
    let up = torso.rotation * Vector3::z();
    // On its belly a robot's head is ahead of it, and on its back its feet are.
    let toward = if ahead.xy().norm() > 0.3 { ahead } else { -ahead.z.signum() * up };
    let theta = toward.y.atan2(toward.x);
    crate::frames::pose([torso.translation.x, torso.translation.y, 0.0, 0.0, 0.0, theta])
}
