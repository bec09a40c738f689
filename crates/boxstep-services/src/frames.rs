//! Where the robot, its torso and its head are. Frames have x forward, y to the left, z up.

use crate::motion::joints;
use crate::physics;
use crate::surroundings::Vec3;
use crate::world::World;
use boxstep_dynamics::{Isometry3, Point3, Translation3, UnitQuaternion, Vector3};
use boxstep_types::Time;

/// A position and an orientation in another frame.
pub(crate) type Pose = Isometry3<f64>;

/// Returns the pose at a position, rotated about the fixed axes x, then y, then z.
pub(crate) fn pose([x, y, z, wx, wy, wz]: [f64; 6]) -> Pose {
    Pose::from_parts(Translation3::new(x, y, z), UnitQuaternion::from_euler_angles(wx, wy, wz))
}

/// Returns a pose as six numbers, as `ALMotion` writes positions: x, y, z, and the rotations about the fixed axes x,
/// then y, then z.
pub(crate) fn position6(pose: &Pose) -> [f64; 6] {
    let (wx, wy, wz) = pose.rotation.euler_angles();
    let [x, y, z] = pose.translation.vector.into();
    [x, y, z, wx, wy, wz]
}

/// Converts a point of a frame to the frame in which the pose is given.
pub(crate) fn outer(pose: &Pose, point: Vec3) -> Vec3 {
    (pose * Point3::from(point)).into()
}

/// Converts a point to the frame of the pose.
pub(crate) fn inner(pose: &Pose, point: Vec3) -> Vec3 {
    pose.inverse_transform_point(&Point3::from(point)).into()
}

/// Returns the pose of the robot's frame, on the floor under its torso, in the world.
pub(crate) fn robot_in_world(w: &World, now: Time) -> Pose {
    if let Some(torso) = physics::torso(w, now) {
        return physics::under(&torso);
    }
    let here = w.motion.walk.at(now);
    pose([here.x, here.y, 0.0, 0.0, 0.0, here.theta])
}

/// Returns the pose of the torso in the robot's frame: as high and as far bent as its lower foot or its base holds it,
/// straight over the robot's place on the floor; or as physics has it.
pub(crate) fn torso_in_robot(w: &World, now: Time) -> Pose {
    if let Some(torso) = physics::torso(w, now) {
        return physics::under(&torso).inverse() * torso;
    }
    torso_over_floor(w, &joints::angles(w, now, true))
}

/// The same for any angles of the joints.
pub(crate) fn torso_over_floor(w: &World, angles: &[f64]) -> Pose {
    let model = w.body.model();
    let upright = || pose([0.0, 0.0, w.body.build().torso_height, 0.0, 0.0, 0.0]);
    model.torso_over_floor(&model.forward(angles)).unwrap_or_else(upright)
}

/// Returns the pose of the head in the robot's frame.
pub(crate) fn head_in_robot(w: &World, now: Time) -> Pose {
    torso_in_robot(w, now) * head_in_torso(w, &joints::angles(w, now, true))
}

/// Returns the pose of the head in the torso's frame. Of a body without geometry only the height of the neck is known.
pub(crate) fn head_in_torso(w: &World, angles: &[f64]) -> Pose {
    let model = w.body.model();
    if let Some(head) = model.end("Head") {
        return head.pose(&model.forward(angles));
    }
    let angle = |name: &str| w.body.joint(name).and_then(|joint| angles.get(joint)).copied().unwrap_or(0.0);
    pose([0.0, 0.0, w.body.build().neck_height, 0.0, angle("HeadPitch"), angle("HeadYaw")])
}

/// Returns the axes of a frame in the outer one.
pub(crate) fn axes(pose: &Pose) -> [Vec3; 3] {
    [Vector3::x(), Vector3::y(), Vector3::z()].map(|axis| (pose.rotation * axis).into())
}
