//! Where the robot is in the world: `getRobotPosition` and its like.
//!
//! Source: the page "Locomotion control API" of the NAOqi documentation.

use super::walk::{Gait, Pose};
use crate::frames;
use crate::physics;
use crate::table::{Call, Reply, ok};
use crate::world::World;
use boxstep_engine::services::ServiceCx;
use boxstep_types::{Time, Value};

/// Returns the robot's place on the floor of the world: where it has walked to, or where physics has it.
pub(crate) fn here(w: &World, now: Time) -> Pose {
    Pose::of(&frames::robot_in_world(w, now))
}

/// Returns where the robot will be in the world at the end of its command.
fn next(w: &World, now: Time) -> Pose {
    let walk = &w.motion.walk;
    match &walk.gait {
        Gait::Path(_) => physics::odometry_in_world(w, now, walk.goal(now)).unwrap_or_else(|| here(w, now)),
        Gait::Still | Gait::Velocity(_) => here(w, now),
    }
}

pub(super) fn get_robot_position(w: &mut World, cx: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(here(w, cx.now()).value())
}

pub(super) fn get_next_robot_position(w: &mut World, cx: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(next(w, cx.now()).value())
}

pub(super) fn get_robot_velocity(w: &mut World, cx: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    let v = w.motion.walk.velocity(cx.now());
    ok(Value::list([v.x, v.y, v.theta].map(Value::Float)))
}
