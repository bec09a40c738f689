//! What moves the robot: physics, or something that carries it. A walk and a change of posture on legs carry it, and so
//! does the floor under a robot that sits, because the shape of its seat is not known.

use super::fall::{self, Fall};
use super::under;
use crate::frames::{self, Pose};
use crate::motion::{joints, walk};
use crate::world::{World, after};
use boxstep_bodies::PostureFamily;
use boxstep_dynamics::{Balance, Isometry3, Physics, Start, Translation3, UnitQuaternion, Vector3};
use boxstep_engine::CallId;
use boxstep_engine::services::ServiceCx;
use boxstep_types::Time;
use std::f64::consts::FRAC_PI_2;

/// What moves the robot.
pub(super) enum Mover {
    Physics(Box<dyn Physics>),
    /// A walk. `origin` is the place in the world from which its odometry counts, and `velocity` that with which physics
    /// goes on, in the world.
    Walk {
        origin: Pose,
        velocity: Vector3<f64>,
    },
    /// A change of posture on its feet, by a task, at a place on the floor.
    Shift {
        call: CallId,
        place: Pose,
    },
    Rise(Rise),
    /// It sits, with its torso there.
    Seat(Pose),
}

/// A change of posture by a task.
pub(super) struct Rise {
    call: CallId,
    since: Time,
    until: Time,
    from: Pose,
    to: Pose,
    family: PostureFamily,
}

impl Rise {
    fn at(&self, now: Time) -> Pose {
        let whole = (self.until - self.since).as_secs_f64();
        let part = if whole > 0.0 { ((now - self.since).as_secs_f64() / whole).clamp(0.0, 1.0) } else { 1.0 };
        let part = part * part * (3.0 - 2.0 * part);
        let place = self.from.translation.vector.lerp(&self.to.translation.vector, part);
        let turn = self.from.rotation.try_slerp(&self.to.rotation, part, 1e-9).unwrap_or(self.to.rotation);
        Pose::from_parts(place.into(), turn)
    }
}

impl Mover {
    /// Returns the pose of the torso in the world.
    pub(super) fn torso(&self, w: &World, now: Time) -> Pose {
        match self {
            Mover::Physics(robot) => robot.torso(),
            Mover::Walk { origin, .. } => {
                origin * odometry(w, now) * frames::torso_over_floor(&w.body, &joints::angles(w, now, true))
            }
            Mover::Shift { place, .. } => place * frames::torso_over_floor(&w.body, &joints::angles(w, now, true)),
            Mover::Rise(rise) => rise.at(now),
            Mover::Seat(torso) => *torso,
        }
    }
}

/// Returns where the robot is, as it counts its steps.
fn odometry(w: &World, now: Time) -> Pose {
    w.motion.walk.at(now).in_space()
}

/// Returns where the robot is in the world once it has walked to a pose; `None` if it does not walk.
pub(crate) fn odometry_in_world(w: &World, now: Time, to: walk::Pose) -> Option<walk::Pose> {
    match w.physics.as_ref().map(|own| &own.mover) {
        None => {
            let robot = frames::robot_in_place(&w.body, &joints::angles(w, now, true));
            Some(walk::Pose::of(&(to.in_space() * robot)))
        }
        Some(Mover::Walk { origin, .. }) => Some(walk::Pose::of(&(origin * to.in_space()))),
        Some(_) => None,
    }
}

fn stands(family: PostureFamily) -> bool {
    matches!(family, PostureFamily::Standing | PostureFamily::Crouching)
}

/// Hands the robot over: to a walk that has begun, or to physics or a seat after what has carried it.
pub(super) fn attend(w: &mut World, cx: &mut ServiceCx<'_>) {
    let now = cx.now();
    let Some(own) = &w.physics else { return };
    let walks = w.motion.walk.moves();
    match &own.mover {
        Mover::Physics(_) | Mover::Seat(_) if walks => {
            let robot = frames::robot_under(&w.body, &own.mover.torso(w, now), &joints::angles(w, now, true));
            let origin = robot * odometry(w, now).inverse();
            set(w, Mover::Walk { origin, velocity: Vector3::zeros() });
        }
        Mover::Walk { velocity, .. } if !walks => begin(w, now, *velocity, Fall::OnFeet),
        Mover::Shift { call, .. } if !is_under_way(w, *call) => begin(w, now, Vector3::zeros(), Fall::OnFeet),
        Mover::Rise(rise) if !is_under_way(w, rise.call) => {
            let arrived = now >= rise.until;
            match rise.family {
                PostureFamily::Sitting | PostureFamily::SittingOnChair if arrived => {
                    let seat = Mover::Seat(rise.to);
                    set(w, seat);
                }
                family => {
                    begin(w, now, Vector3::zeros(), Fall::Down);
                    if arrived && stands(family) {
                        fall::up(w, cx);
                    }
                }
            }
        }
        _ => {}
    }
}

fn is_under_way(w: &World, call: CallId) -> bool {
    w.motion.tasks.iter().any(|task| task.call == call)
}

fn set(w: &mut World, mover: Mover) {
    if let Some(own) = &mut w.physics {
        own.mover = mover;
    }
}

/// Gives the robot to physics.
fn begin(w: &mut World, now: Time, velocity: Vector3<f64>, fall: Fall) {
    let angles = joints::angles(w, now, true);
    let Some(own) = &w.physics else { return };
    let start = Start { angles: &angles, torso: own.mover.torso(w, now), velocity };
    let robot = (own.engine)(w.body.model(), &start);
    if let Some(own) = &mut w.physics {
        (own.mover, own.fall) = (Mover::Physics(robot), fall);
        (own.is_new, own.still) = (true, 0);
    }
}

/// Ends what carries the robot, because somebody pushes it.
pub(super) fn let_go(w: &mut World, cx: &mut ServiceCx<'_>) {
    walk::kill(w, cx);
    if let Some(Mover::Rise(Rise { call, .. }) | Mover::Shift { call, .. }) = w.physics.as_ref().map(|own| &own.mover) {
        let call = *call;
        joints::kill(w, cx, None, |task| task.call == call);
    }
    attend(w, cx);
    if let Some(Mover::Seat(_)) = w.physics.as_ref().map(|own| &own.mover) {
        begin(w, cx.now(), Vector3::zeros(), Fall::Down);
    }
}

/// Notes that a walk is ending in the middle of a step: the robot goes on at its velocity.
pub(crate) fn stopped_at_once(w: &mut World, now: Time) {
    let (here, speed) = (frames::robot_in_world(w, now), w.motion.walk.velocity(now));
    if let Some(own) = &mut w.physics
        && let Mover::Walk { velocity, .. } = &mut own.mover
    {
        *velocity = here.rotation * Vector3::new(speed.x, speed.y, 0.0);
    }
}

/// Begins a change of posture by a task. Physics makes it only on wheels: how NAOqi keeps the balance on legs meanwhile
/// is not known.
pub(crate) fn change_posture(w: &mut World, call: CallId, name: &str, seconds: f64, now: Time) {
    let Some(family) = w.body.known_posture(name).map(|posture| posture.family) else { return };
    let Some(own) = &w.physics else { return };
    // Nobody but people can put a robot on its wheels again.
    let reaches = w.body.has_legs() && joints::is_stiff(w, now);
    if !reaches {
        return;
    }
    let (from, on_feet, walks) = (own.mover.torso(w, now), own.fall == Fall::OnFeet, w.motion.walk.moves());
    let place = frames::robot_under(&w.body, &from, &joints::angles(w, now, true));
    joints::hold(w, now);
    if on_feet && stands(family) {
        if !walks {
            set(w, Mover::Shift { call, place });
        }
        return;
    }
    let mut angles = joints::angles(w, now, false);
    for (joint, value) in w.body.posture(name) {
        if let Some(angle) = angles.get_mut(joint) {
            *angle = value;
        }
    }
    let to = under(&from) * resting(w, family, &angles);
    set(w, Mover::Rise(Rise { call, since: now, until: after(now, seconds), from, to, family }));
    if let Some(own) = &mut w.physics {
        own.fall = Fall::Down;
    }
}

/// Returns the pose of the torso of a robot that rests in a posture, in the robot's frame.
fn resting(w: &World, family: PostureFamily, angles: &[f64]) -> Pose {
    let model = w.body.model();
    let links = model.forward(angles);
    let pitched = |pitch: f64| {
        let turn = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), pitch);
        Isometry3::from_parts(Translation3::identity(), turn)
    };
    let Some(balance) = Balance::new(model) else { return frames::torso_over_floor(&w.body, angles) };
    let turned = match family {
        PostureFamily::Standing | PostureFamily::Crouching => return frames::torso_over_floor(&w.body, angles),
        PostureFamily::LyingBelly => pitched(FRAC_PI_2),
        PostureFamily::LyingBack => pitched(-FRAC_PI_2),
        // As it would be most stable.
        PostureFamily::Sitting | PostureFamily::SittingOnChair => {
            let all = (-40..=20).map(|step| pitched(0.02 * f64::from(step)));
            let stable = |torso: &Pose| balance.resting(&links, torso).1;
            all.max_by(|a, b| stable(a).total_cmp(&stable(b))).unwrap_or_else(Pose::identity)
        }
    };
    Translation3::new(0.0, 0.0, -balance.resting(&links, &turned).0) * turned
}
