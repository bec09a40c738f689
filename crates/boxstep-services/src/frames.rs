//! Where the robot, its torso and its head are. Frames have x forward, y to the left, z up.
//!
//! The robot's frame is on the floor, midway between both feet, and turned as they are on average ("Cartesian control" of
//! the NAOqi documentation: the average of the positions of the feet, projected on a vertical axis); on wheels it is
//! under the base. The world's frame stays where the robot began: a foot that stands does not slide in it. (Ours: while
//! one foot is in the air, the other one stands where it does in the posture of waking up.)

use crate::body::{Foot, SimBody};
use crate::motion::joints;
use crate::physics;
use crate::surroundings::Vec3;
use crate::world::World;
use boxstep_dynamics::{Isometry3, Point3, Translation3, UnitQuaternion, Vector2, Vector3};
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

/// The robot's frame and the place where it stands, in the frame of a torso's pose. They differ while one of two feet is
/// in the air: the robot's frame follows both feet, and the other one stays where it stands.
struct Stand {
    robot: Pose,
    place: Pose,
}

/// How low the lowest corner of a foot that stands is, in metres.
const ON_FLOOR: f64 = 0.005;

/// Returns how a body stands whose torso has this pose over a floor.
fn stand(body: &SimBody, torso: &Pose, angles: &[f64]) -> Stand {
    let links = body.model().forward(angles);
    let feet: Vec<Pose> = body.feet().iter().map(|foot| torso * foot.end.pose(&links)).collect();
    let robot = midway(&feet).unwrap_or_else(|| physics::under(torso));
    let stands = |foot: &Foot| {
        let Some(link) = links.get(foot.link).map(|link| torso * link) else { return true };
        foot.outline.iter().any(|corner| (link * Point3::from(*corner)).z <= ON_FLOOR)
    };
    let mut standing = body.feet().iter().zip(&feet).filter(|(foot, _)| stands(foot));
    let place = match (standing.next(), standing.next()) {
        (Some((foot, at)), None) if feet.len() > 1 => on_floor(at).map(|at| at * foot.usual.inverse()),
        _ => None,
    };
    Stand { robot, place: place.unwrap_or(robot) }
}

/// Returns the frame on the floor under a foot; `None` if it points up or down.
fn on_floor(foot: &Pose) -> Option<Pose> {
    midway(std::slice::from_ref(foot))
}

/// Returns the frame on the floor that is midway between feet, and turned as they are on average. `None` if there are
/// none, or if they point up or down.
pub(crate) fn midway(feet: &[Pose]) -> Option<Pose> {
    // How far a foot points ahead at least.
    const AHEAD: f64 = 0.3;
    let place = feet.iter().map(|foot| foot.translation.vector).sum::<Vector3<f64>>() / feet.len() as f64;
    let ahead = feet.iter().map(|foot| (foot.rotation * Vector3::x()).xy()).filter(|ahead| ahead.norm() > AHEAD);
    let ahead = ahead.map(|ahead| ahead.normalize()).sum::<Vector2<f64>>();
    (ahead.norm() > AHEAD).then(|| pose([place.x, place.y, 0.0, 0.0, 0.0, ahead.y.atan2(ahead.x)]))
}

/// Returns the pose of the robot's frame under a torso in the world: on the floor, midway between the feet, or under the
/// base.
pub(crate) fn robot_under(body: &SimBody, torso: &Pose, angles: &[f64]) -> Pose {
    stand(body, torso, angles).robot
}

/// Returns the pose of the robot's frame in the world.
pub(crate) fn robot_in_world(w: &World, now: Time) -> Pose {
    let angles = joints::angles(w, now, true);
    match physics::torso(w, now) {
        Some(torso) => robot_under(&w.body, &torso, &angles),
        None => place_in_world(w, now) * robot_in_place(&w.body, &angles),
    }
}

/// Returns where the robot stands, as it has walked.
fn place_in_world(w: &World, now: Time) -> Pose {
    w.motion.walk.at(now).in_space()
}

/// Returns the robot's frame in that of the place where it stands.
pub(crate) fn robot_in_place(body: &SimBody, angles: &[f64]) -> Pose {
    let Some(torso) = body.model().torso_over_floor(&body.model().forward(angles)) else { return Pose::identity() };
    let Stand { robot, place } = stand(body, &torso, angles);
    if robot == place { Pose::identity() } else { place.inv_mul(&robot) }
}

/// Returns the pose of the torso in the robot's frame: as high and as far bent as its lower foot or its base holds it;
/// or as physics has it.
pub(crate) fn torso_in_robot(w: &World, now: Time) -> Pose {
    let angles = joints::angles(w, now, true);
    if let Some(torso) = physics::torso(w, now) {
        return robot_under(&w.body, &torso, &angles).inv_mul(&torso);
    }
    torso_over_floor(&w.body, &angles)
}

/// Returns the pose of the torso in the robot's frame, for any angles of the joints.
pub(crate) fn torso_over_floor(body: &SimBody, angles: &[f64]) -> Pose {
    let upright = || pose([0.0, 0.0, body.build().torso_height, 0.0, 0.0, 0.0]);
    let torso = body.model().torso_over_floor(&body.model().forward(angles));
    torso.map_or_else(upright, |torso| robot_under(body, &torso, angles).inv_mul(&torso))
}

/// Returns the pose of the torso in the world, as the joints are commanded.
pub(crate) fn commanded_torso_in_world(w: &World, now: Time, angles: &[f64]) -> Pose {
    let torso = torso_over_floor(&w.body, angles);
    if physics::torso(w, now).is_some() {
        return robot_in_world(w, now) * torso;
    }
    place_in_world(w, now) * robot_in_place(&w.body, angles) * torso
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
