//! `boxstep send FILE --controller NAME` in a program without ROS 2.

use crate::args::SendArgs;
use crate::failure::Failure;

/// Says that there is no ROS 2.
pub(super) fn run(_: &SendArgs, _: &str) -> Result<i32, Failure> {
    let why = "--controller: this program has no ROS 2: build it with `--features ros2`";
    Err(Failure::Usage(why.to_owned()))
}
