//! The messages, each with the definition that recordings carry. They are plain structures: [`crate::cdr`] makes bytes
//! of them.

pub mod builtin_interfaces;
pub mod control_msgs;
pub mod geometry_msgs;
pub mod naoqi_bridge_msgs;
pub mod rcl_interfaces;
pub mod sensor_msgs;
pub mod std_msgs;
pub mod tf2_msgs;
pub mod trajectory_msgs;

use std::fmt::Write as _;

/// A message of ROS 2.
pub trait Message: serde::Serialize {
    /// The name of its type, such as `sensor_msgs/msg/JointState`.
    const TYPE: &'static str;
    /// Its fields, a line for each, as in a `.msg` file.
    const FIELDS: &'static str;
    /// The types that its fields name, and those that these name: each name without `msg`, and the fields.
    const PARTS: &'static [(&'static str, &'static str)] = &[];
}

/// Returns the definition of a message with all that it consists of, in the form `ros2msg` of recordings.
///
/// ```
/// use boxstep_ros2::messages::{definition, std_msgs::Header};
/// let header = definition::<Header>();
/// assert!(header.starts_with("builtin_interfaces/Time stamp\nstring frame_id\n====="));
/// ```
pub fn definition<M: Message>() -> String {
    let mut text = M::FIELDS.to_owned();
    for (name, fields) in M::PARTS {
        // Writing to a text cannot fail.
        let _ = write!(text, "{}\nMSG: {name}\n{fields}", "=".repeat(80));
    }
    text
}

/// Returns the names of a message's package and of the message in it.
pub fn names<M: Message>() -> (&'static str, &'static str) {
    let (package, rest) = M::TYPE.split_once('/').unwrap_or(("", M::TYPE));
    (package, rest.rsplit('/').next().unwrap_or(rest))
}
