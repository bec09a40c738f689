//! A run of a program without ROS 2.

use super::attachment::Attachment;
use crate::args::NodeArgs;
use crate::console::Outlet;
use crate::failure::Failure;
use boxstep_bodies::Body;
use boxstep_robot::naoqi::NaoqiHandle;

/// How many times a second the robot's joints are published.
pub(crate) const HZ: f64 = 50.0;

/// There is none.
pub(crate) enum RosNode {}

impl RosNode {
    /// Prepares the node, if one is wanted.
    ///
    /// # Errors
    /// One is wanted.
    pub(crate) fn new(
        args: &NodeArgs,
        _: &'static Body,
        _: Option<NaoqiHandle>,
        _: Option<Outlet>,
    ) -> Result<Option<Self>, Failure> {
        let why = "--ros2: this program has no ROS 2: build it with `--features ros2`";
        args.ros2.map_or(Ok(None), |_| Err(Failure::Usage(why.to_owned())))
    }
}

impl Attachment for RosNode {}
