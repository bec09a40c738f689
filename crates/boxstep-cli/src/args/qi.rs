//! The arguments of `boxstep qi`, which talks to a robot without playing anything.

use crate::robot_address::{ADDRESS, Access};
use boxstep_types::Time;
use clap::{Args, Subcommand, ValueHint};
use std::str::FromStr;

pub(super) const QI_EXAMPLES: &str = "\
Examples:
  boxstep qi info --robot nao.local
  boxstep qi info ALTextToSpeech --robot nao.local
  boxstep qi call ALTextToSpeech.say Hello --robot nao.local
  boxstep qi watch --memory FrontTactilTouched --robot nao.local
  BOXSTEP_ROBOT=nao.local boxstep qi call ALMotion.setAngles '[\"HeadYaw\"]' '[0.5]' 0.1

Exit codes: 0 done; 2 bad usage; 4 the robot cannot be reached, or the call failed; 5 no such service or member;
130 interrupted.";

#[derive(Debug, Args)]
pub(crate) struct QiArgs {
    #[command(subcommand)]
    pub(crate) command: QiCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum QiCommand {
    /// List the services of a robot, or the members of one service
    Info(InfoArgs),
    /// Call a method and print the result
    Call(CallArgs),
    /// Call a method without waiting for a result, or emit a signal
    Post(PostArgs),
    /// Print the events of a signal, or of a key of the robot's memory, as they arrive
    Watch(WatchArgs),
}

/// A member of a service, written `SERVICE.MEMBER`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Member {
    pub(crate) service: String,
    pub(crate) name: String,
}

impl FromStr for Member {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        match text.rsplit_once('.') {
            Some((service, name)) if !service.is_empty() && !name.is_empty() => {
                Ok(Member { service: service.to_owned(), name: name.to_owned() })
            }
            _ => Err("write SERVICE.MEMBER, such as ALTextToSpeech.say".to_owned()),
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct InfoArgs {
    /// List the members of this service
    #[arg(value_name = "SERVICE", num_args = 0..=2)]
    pub(crate) words: Vec<String>,
    #[command(flatten)]
    pub(crate) robot: RobotArgs,
    /// Include the members that every service has
    #[arg(long)]
    pub(crate) all: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// The robot of `boxstep qi`. It may also be the first of the words (`robot_word.rs`).
#[derive(Debug, Args)]
pub(crate) struct RobotArgs {
    /// The robot: a name, an IP address, host:port or a URL (tcp://, tcps://) [default: BOXSTEP_ROBOT]
    #[arg(long, value_name = ADDRESS, value_hint = ValueHint::Hostname, help_heading = "Robot")]
    pub(crate) robot: Option<String>,
    #[command(flatten)]
    pub(crate) access: Access,
}

#[derive(Debug, Args)]
pub(crate) struct CallArgs {
    /// The method
    #[arg(value_name = "SERVICE.METHOD")]
    pub(crate) method: String,
    /// Its arguments: JSON, or text if they are not valid JSON
    #[arg(value_name = "ARG", allow_negative_numbers = true)]
    pub(crate) args: Vec<String>,
    #[command(flatten)]
    pub(crate) robot: RobotArgs,
    /// Give up the call after this time
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, value_parser = crate::value_parsers::seconds)]
    pub(crate) timeout: Option<Time>,
    /// Print JSON even if the result is text
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct PostArgs {
    /// The method or signal
    #[arg(value_name = "SERVICE.METHOD")]
    pub(crate) member: String,
    /// Its arguments: JSON, or text if they are not valid JSON
    #[arg(value_name = "ARG", allow_negative_numbers = true)]
    pub(crate) args: Vec<String>,
    #[command(flatten)]
    pub(crate) robot: RobotArgs,
}

#[derive(Debug, Args)]
pub(crate) struct WatchArgs {
    /// The signal, or the property whose changes are printed
    #[arg(value_name = "SERVICE.SIGNAL", num_args = 0..=2, required_unless_present = "memory")]
    pub(crate) words: Vec<String>,
    #[command(flatten)]
    pub(crate) robot: RobotArgs,
    /// Watch a key of the robot's memory instead of a signal
    #[arg(long, value_name = "KEY")]
    pub(crate) memory: Option<String>,
    /// Exit after this many events
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true, value_parser = crate::value_parsers::whole::<std::num::NonZeroU64>)]
    pub(crate) count: Option<std::num::NonZeroU64>,
    /// Print one JSON object per line
    #[arg(long)]
    pub(crate) json: bool,
}
