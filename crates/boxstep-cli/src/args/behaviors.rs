//! The commands for the behaviors of a robot, or of another Boxstep.

use crate::robot_address::{ADDRESS, Access};
use clap::Args;

pub(super) const BEHAVIORS_EXAMPLES: &str = "\
The robot may be a NAO, a Pepper, or a Boxstep that plays with --serve or is a robot itself; without --robot and BOXSTEP_ROBOT it is
one on this machine.

Exit codes: 0 done; 2 bad usage; 4 the robot cannot be reached, or refused; 130 interrupted.";

/// Whose behaviors.
#[derive(Debug, Args)]
pub(crate) struct Whose {
    /// The robot: a name, an IP address, host:port or a URL [default: BOXSTEP_ROBOT, or this machine]
    #[arg(long, value_name = ADDRESS, help_heading = "Robot")]
    pub(crate) robot: Option<String>,
    #[command(flatten)]
    pub(crate) access: Access,
}

#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    #[command(flatten)]
    pub(crate) whose: Whose,
    /// For other programs
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct StartArgs {
    /// The behavior, as `boxstep ls` names it
    pub(crate) name: String,
    #[command(flatten)]
    pub(crate) whose: Whose,
    /// Wait until it has ended
    #[arg(long)]
    pub(crate) wait: bool,
}
