//! The arguments of the commands for the behaviors of a robot or of another Boxstep.

use crate::robot_address::{ADDRESS, Access};
use boxstep_types::Time;
use clap::{Args, ValueHint};
use std::path::PathBuf;

/// Ends the examples with what holds for `ls`, `ps` and `start`.
macro_rules! with_robots {
    ($examples:literal) => {
        concat!(
            $examples,
            "\n\nThe robot may be a NAO, a Pepper, a Boxstep that plays with --serve, or a `boxstep robot`. The default is a \
             Boxstep on this machine.\n\n\
             Exit codes: 0 done; 2 bad usage; 4 the robot cannot be reached, or refused; 130 interrupted."
        )
    };
}

pub(super) const LS_EXAMPLES: &str = with_robots!("Examples:\n  boxstep ls --robot nao.local\n  boxstep ls --json");
pub(super) const PS_EXAMPLES: &str = with_robots!("Examples:\n  boxstep ps --robot nao.local\n  boxstep ps --json");
pub(super) const START_EXAMPLES: &str =
    with_robots!("Examples:\n  boxstep start my_app/dance --robot nao.local\n  boxstep start my_app/dance --wait");

/// The robot that has the behaviors.
#[derive(Debug, Args)]
pub(crate) struct Whose {
    /// The robot: a name, an IP address, host:port or a URL [default: BOXSTEP_ROBOT, or this machine]
    #[arg(long, value_name = ADDRESS, value_hint = ValueHint::Hostname, help_heading = "Robot")]
    pub(crate) robot: Option<String>,
    #[command(flatten)]
    pub(crate) access: Access,
}

#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    #[command(flatten)]
    pub(crate) whose: Whose,
    /// With each behavior the version of its package, and whether it runs or starts with the robot; with packages that have none
    #[arg(short, long)]
    pub(crate) long: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct StartArgs {
    /// The behavior, as `boxstep ls` lists it
    pub(crate) name: String,
    #[command(flatten)]
    pub(crate) whose: Whose,
    /// Wait until it has ended
    #[arg(long)]
    pub(crate) wait: bool,
}

pub(super) const SEND_EXAMPLES: &str = "\
Examples:
  boxstep send my_app.pml --robot 127.0.0.1
  boxstep send dance.crg --robot 127.0.0.1:9560 --behavior dance --wait
  boxstep send my_app --robot 127.0.0.1 --no-start
  boxstep send examples/hello --box root/Wave --controller /arm_controller

The robot is a `boxstep robot`, or a Boxstep that plays with --serve. A NAO or Pepper does not accept behaviors this way.

Exit codes: 0 sent and started, with --wait: ended; 2 bad usage or file; 4 the robot cannot be reached or refused, or with --wait
the behavior failed; 5 it is not a Boxstep; 130 interrupted.";

#[derive(Debug, Args)]
pub(crate) struct SendArgs {
    #[arg(help = super::common::FILE, value_parser = crate::examples::or_path())]
    pub(crate) file: PathBuf,
    /// The robot, as before there was --robot
    #[arg(value_name = ADDRESS, hide = true, conflicts_with = "robot")]
    pub(crate) host: Option<String>,
    /// The Boxstep that plays it: a name, an IP address, host:port or a URL [default: BOXSTEP_ROBOT]
    #[arg(long, value_name = ADDRESS, value_hint = ValueHint::Hostname, help_heading = "Robot")]
    pub(crate) robot: Option<String>,
    #[command(flatten)]
    pub(crate) access: Access,
    /// The behavior to start, if there are several
    #[arg(long, value_name = "NAME")]
    pub(crate) behavior: Option<String>,
    /// Do not start a behavior
    #[arg(long, conflicts_with_all = ["wait", "behavior"])]
    pub(crate) no_start: bool,
    /// Wait until it has ended
    #[arg(long)]
    pub(crate) wait: bool,
    /// Send the timeline of the behavior to this trajectory controller of ROS 2, such as /arm_controller, and wait until it
    /// has followed it
    #[arg(long, value_name = "NAME", conflicts_with_all = ["host", "robot", "no_start", "wait"], help_heading = "ROS 2")]
    pub(crate) controller: Option<String>,
    /// With --controller: the box with the timeline [default: root]
    #[arg(long = "box", value_name = "PATH", requires = "controller", help_heading = "ROS 2")]
    pub(crate) timeline: Option<String>,
    /// With --controller: the body whose joints it has: nao, nao-v3.3, pepper, or a file (.toml, .urdf) [default: the one the
    /// files were made for]
    #[arg(long, value_name = "BODY", value_parser = super::common::body_name, requires = "controller", help_heading = "ROS 2")]
    pub(crate) body: Option<String>,
    /// With --controller: how long the robot may take to go to the first keys, in seconds
    #[arg(long, allow_negative_numbers = true, value_name = "SECONDS", value_parser = crate::value_parsers::seconds, default_value = "3", requires = "controller", help_heading = "ROS 2")]
    pub(crate) lead_in: Time,
    /// With --controller: look for it on other machines, too
    #[arg(long, requires = "controller", help_heading = "ROS 2")]
    pub(crate) network: bool,
}
