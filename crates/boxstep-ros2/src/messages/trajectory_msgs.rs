//! `trajectory_msgs`: ways of joints.

use super::builtin_interfaces::Duration;
use super::geometry_msgs::{Transform, Twist};
use super::std_msgs::Header;
use serde::{Deserialize, Serialize};

/// `trajectory_msgs/msg/JointTrajectoryPoint`. A list that is empty says nothing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JointTrajectoryPoint {
    /// In radians.
    pub positions: Vec<f64>,
    /// In radians a second.
    pub velocities: Vec<f64>,
    /// In radians a second, a second.
    pub accelerations: Vec<f64>,
    /// In newton metres.
    pub effort: Vec<f64>,
    /// When, from the start.
    pub time_from_start: Duration,
}

/// `trajectory_msgs/msg/JointTrajectory`
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JointTrajectory {
    /// The time at which it begins; 0 is now.
    pub header: Header,
    /// The joints.
    pub joint_names: Vec<String>,
    /// Where they are at which time.
    pub points: Vec<JointTrajectoryPoint>,
}

/// `trajectory_msgs/msg/MultiDOFJointTrajectoryPoint`
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MultiDofJointTrajectoryPoint {
    /// Poses.
    pub transforms: Vec<Transform>,
    /// Speeds.
    pub velocities: Vec<Twist>,
    /// Accelerations.
    pub accelerations: Vec<Twist>,
    /// When, from the start.
    pub time_from_start: Duration,
}

/// `trajectory_msgs/msg/MultiDOFJointTrajectory`
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MultiDofJointTrajectory {
    /// The time at which it begins; 0 is now.
    pub header: Header,
    /// The joints.
    pub joint_names: Vec<String>,
    /// Where they are at which time.
    pub points: Vec<MultiDofJointTrajectoryPoint>,
}
