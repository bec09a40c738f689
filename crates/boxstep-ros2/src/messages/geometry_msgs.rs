//! `geometry_msgs`: places and speeds.

use super::Message;
use super::builtin_interfaces::TIME;
use super::std_msgs::{HEADER, Header};
use serde::{Deserialize, Serialize};

/// `geometry_msgs/msg/Vector3`
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Vector3 {
    /// Forward.
    pub x: f64,
    /// To the left.
    pub y: f64,
    /// Up.
    pub z: f64,
}

/// `geometry_msgs/msg/Quaternion`
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Quaternion {
    /// The first imaginary part.
    pub x: f64,
    /// The second.
    pub y: f64,
    /// The third.
    pub z: f64,
    /// The real part.
    pub w: f64,
}

/// `geometry_msgs/msg/Transform`
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Transform {
    /// In metres.
    pub translation: Vector3,
    /// The rotation.
    pub rotation: Quaternion,
}

/// `geometry_msgs/msg/TransformStamped`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TransformStamped {
    /// When, and in which frame.
    pub header: Header,
    /// The frame whose place this is.
    pub child_frame_id: String,
    /// Where it is.
    pub transform: Transform,
}

impl Message for TransformStamped {
    const TYPE: &'static str = "geometry_msgs/msg/TransformStamped";
    const FIELDS: &'static str = "std_msgs/Header header\nstring child_frame_id\ngeometry_msgs/Transform transform\n";
    const PARTS: &'static [(&'static str, &'static str)] = &[HEADER, TIME, TRANSFORM, VECTOR3, QUATERNION];
}

/// The fields of the types that a transform consists of.
pub(super) const TRANSFORM: (&str, &str) =
    ("geometry_msgs/Transform", "geometry_msgs/Vector3 translation\ngeometry_msgs/Quaternion rotation\n");
pub(super) const VECTOR3: (&str, &str) = ("geometry_msgs/Vector3", "float64 x\nfloat64 y\nfloat64 z\n");
pub(super) const QUATERNION: (&str, &str) =
    ("geometry_msgs/Quaternion", "float64 x 0\nfloat64 y 0\nfloat64 z 0\nfloat64 w 1\n");

/// `geometry_msgs/msg/Twist`
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Twist {
    /// In metres a second.
    pub linear: Vector3,
    /// In radians a second.
    pub angular: Vector3,
}

impl Message for Twist {
    const TYPE: &'static str = "geometry_msgs/msg/Twist";
    const FIELDS: &'static str = "geometry_msgs/Vector3 linear\ngeometry_msgs/Vector3 angular\n";
    const PARTS: &'static [(&'static str, &'static str)] = &[VECTOR3];
}
