//! `control_msgs`: the action of trajectory controllers, `FollowJointTrajectory`.

use super::builtin_interfaces::Duration;
use super::std_msgs::Header;
use super::trajectory_msgs::{JointTrajectory, JointTrajectoryPoint, MultiDofJointTrajectory};
use serde::{Deserialize, Serialize};

/// `control_msgs/msg/JointTolerance`
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JointTolerance {
    /// The joint.
    pub name: String,
    /// In radians.
    pub position: f64,
    /// In radians a second.
    pub velocity: f64,
    /// In radians a second, a second.
    pub acceleration: f64,
}

/// `control_msgs/msg/JointComponentTolerance`
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JointComponentTolerance {
    /// The joint.
    pub joint_name: String,
    /// Which of its components.
    pub component: u16,
    /// In metres or radians.
    pub position: f64,
    /// The same a second.
    pub velocity: f64,
    /// The same a second, a second.
    pub acceleration: f64,
}

/// The goal of `control_msgs/action/FollowJointTrajectory`
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FollowJointTrajectoryGoal {
    /// The way.
    pub trajectory: JointTrajectory,
    /// The way of joints with several degrees of freedom.
    pub multi_dof_trajectory: MultiDofJointTrajectory,
    /// How far joints may be off on the way; empty: as the controller has it.
    pub path_tolerance: Vec<JointTolerance>,
    /// The same for components.
    pub component_path_tolerance: Vec<JointComponentTolerance>,
    /// How far joints may be off at the end.
    pub goal_tolerance: Vec<JointTolerance>,
    /// The same for components.
    pub component_goal_tolerance: Vec<JointComponentTolerance>,
    /// How much later they may be there.
    pub goal_time_tolerance: Duration,
}

/// The result of `control_msgs/action/FollowJointTrajectory`
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FollowJointTrajectoryResult {
    /// 0 if all is well.
    pub error_code: i32,
    /// What is wrong.
    pub error_string: String,
}

impl FollowJointTrajectoryResult {
    /// Returns what the error code means.
    pub fn meaning(&self) -> &'static str {
        match self.error_code {
            0 => "successful",
            -1 => "invalid goal",
            -2 => "invalid joints",
            -3 => "old header timestamp",
            -4 => "path tolerance violated",
            -5 => "goal tolerance violated",
            _ => "unknown error",
        }
    }
}

/// The feedback of `control_msgs/action/FollowJointTrajectory`, without what later versions have after these fields.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FollowJointTrajectoryFeedback {
    /// When.
    pub header: Header,
    /// The joints.
    pub joint_names: Vec<String>,
    /// Where they should be.
    pub desired: JointTrajectoryPoint,
    /// Where they are.
    pub actual: JointTrajectoryPoint,
    /// The difference.
    pub error: JointTrajectoryPoint,
}
