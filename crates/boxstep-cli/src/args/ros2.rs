//! The arguments that make a run a node of ROS 2.

use clap::{Args, ValueEnum};

/// Who reaches a node of ROS 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Reach {
    /// Nodes on this machine
    Local,
    /// Nodes of the network, too: they can move the robot
    Network,
}

#[derive(Clone, Debug, Default, Args)]
pub(crate) struct NodeArgs {
    /// Be a node of ROS 2, in the domain ROS_DOMAIN_ID [default: 0]: publish joint states, transforms, speech, touches and the log,
    /// and take speech, speeds, joint angles and behaviors; real time only
    #[arg(long, value_enum, value_name = "WHERE", num_args = 0..=1, require_equals = true, default_missing_value = "local", help_heading = "Robot")]
    pub(crate) ros2: Option<Reach>,
    /// With --ros2: the name of the node
    #[arg(long, value_name = "NAME", default_value = "boxstep", requires = "ros2", help_heading = "Robot")]
    pub(crate) ros2_name: String,
}
