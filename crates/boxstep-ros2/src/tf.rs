//! Postures as transforms.

use crate::frames::{self, Frame, Turn};
use crate::messages::builtin_interfaces::Time as Stamp;
use crate::messages::geometry_msgs::{Quaternion, Transform, TransformStamped, Vector3};
use crate::messages::std_msgs::Header;
use crate::posture::Posture;
use boxstep_dynamics::{Isometry3, Model, Point3, Translation3, UnitQuaternion, Vector3 as Ahead};

/// Returns the transforms of a posture: the body in the world, its place on the floor, and each frame that moves.
pub fn transforms(model: &Model, frames: &[Frame], posture: &Posture, stamp: Stamp) -> Vec<TransformStamped> {
    let root = frames::root(model.body());
    // A frame has one parent: an own body may have a link of such a name, which stays as it is.
    let is_own = |name: &str| name == root || frames.iter().any(|frame| frame.name == name);
    let mut all = Vec::new();
    if !is_own(frames::ODOM) {
        all.push(placed(stamp, frames::ODOM, &root, &posture.torso));
    }
    if !is_own(frames::FOOTPRINT) {
        all.extend(footprint(model, posture).map(|pose| placed(stamp, &root, frames::FOOTPRINT, &pose)));
    }
    let moving = frames.iter().filter(|frame| frame.turn != Turn::Fixed);
    all.extend(moving.map(|frame| placed(stamp, &frame.parent, &frame.name, &frame.pose(&posture.angles))));
    all
}

/// Returns the pose of [`frames::FOOTPRINT`] in the torso's frame: in the middle of the soles, as high as the lowest, and
/// turned to where the torso looks. `None` if the body has no soles.
fn footprint(model: &Model, posture: &Posture) -> Option<Isometry3<f64>> {
    let links = model.forward(&posture.angles);
    let soles: Vec<_> = model
        .body()
        .geometry
        .soles
        .iter()
        .filter_map(|sole| {
            let under = sole.outline.iter().map(|corner| corner[2]).fold(0.0, f64::min);
            let at = model.links().iter().position(|link| link.name == sole.link)?;
            Some((posture.torso * links.get(at)? * Point3::new(0.0, 0.0, under)).coords)
        })
        .collect();
    let sum = soles.iter().copied().reduce(|one, other| one + other)?;
    let low = soles.iter().map(|sole| sole.z).fold(f64::INFINITY, f64::min);
    let middle = Translation3::new(sum.x / soles.len() as f64, sum.y / soles.len() as f64, low);
    let ahead = posture.torso.rotation * Ahead::x();
    let yaw = UnitQuaternion::from_euler_angles(0.0, 0.0, ahead.y.atan2(ahead.x));
    Some(posture.torso.inverse() * Isometry3::from_parts(middle, yaw))
}

/// Returns the transform of a frame at a pose in another one.
pub fn placed(stamp: Stamp, parent: &str, name: &str, pose: &Isometry3<f64>) -> TransformStamped {
    let (at, turned) = (pose.translation.vector, pose.rotation.coords);
    TransformStamped {
        header: Header { stamp, frame_id: parent.to_owned() },
        child_frame_id: name.to_owned(),
        transform: Transform {
            translation: Vector3 { x: at.x, y: at.y, z: at.z },
            rotation: Quaternion { x: turned.x, y: turned.y, z: turned.z, w: turned.w },
        },
    }
}
