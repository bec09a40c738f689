//! The arguments of the commands that find, inspect or stop robots.

use super::common::FILE;
use crate::robot_address::{ADDRESS, Access};
use crate::ssh_access::SshArgs;
use boxstep_robot::naoqi::preflight::{Life, Permissions};
use boxstep_types::Time;
use clap::{Args, ValueEnum, ValueHint};
use std::path::PathBuf;

pub(super) const DOCTOR_EXAMPLES: &str = "\
Examples:
  boxstep doctor --robot nao.local
  boxstep doctor my_app.pml --behavior dance --robot nao.local
  boxstep doctor my_app.pml --robot nao.local --wake --life disabled
  boxstep doctor --robot nao.local --ssh nao@nao.local
  BOXSTEP_ROBOT=nao.local boxstep doctor --json

Exit codes: 0 ready, whatever the robot's health; 1 `play` would refuse it; 2 bad usage or file; 4 the robot cannot be reached.";

pub(super) const STOP_EXAMPLES: &str = "\
Examples:
  boxstep stop --robot nao.local
  BOXSTEP_ROBOT=nao.local boxstep stop

Exit codes: 0 stopped; 2 bad usage; 4 the robot cannot be reached, or something may not have stopped.";

pub(super) const ROBOTS_EXAMPLES: &str = "\
Examples:
  boxstep robots
  boxstep robots --robot 10.0.0.2 --robot tcps://pepper.local --user nao
  boxstep robots --json --within 10

The robots that announce themselves by mDNS are listed, and a robot at the usual port of this machine.

Exit codes: 0 listed; 2 bad usage; 4 no robot is found, or one of --robot cannot be asked; 130 interrupted.";

/// What Boxstep may do if a robot is not ready.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct LeaveArgs {
    /// Wake the robot up if it rests, and let it rest again at the end
    #[arg(long, help_heading = "Robot")]
    pub(crate) wake: bool,
    /// Autonomous Life: switch it off during the run and on again at the end, or leave it on
    #[arg(long, value_enum, value_name = "HOW", help_heading = "Robot")]
    pub(crate) life: Option<LifeArg>,
    /// Play even if the robot is not ready
    #[arg(long, help_heading = "Robot")]
    pub(crate) anyway: bool,
}

/// What is done with Autonomous Life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LifeArg {
    /// Switch it off while the behavior plays
    #[value(alias = "off")]
    Disabled,
    /// Leave it as it is
    Keep,
}

impl LeaveArgs {
    pub(crate) fn leave(&self) -> Permissions {
        let life = self.life.map(|life| match life {
            LifeArg::Disabled => Life::Disabled,
            LifeArg::Keep => Life::Keep,
        });
        Permissions { wake: self.wake, life, anyway: self.anyway }
    }
}

#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    #[arg(help = "The behavior to check for; without it the robot is checked for any behavior")]
    #[arg(long_help = FILE)]
    pub(crate) file: Option<PathBuf>,
    /// The behavior to play, if there are several
    #[arg(long, value_name = "NAME", requires = "file")]
    pub(crate) behavior: Option<String>,
    /// The robot [default: BOXSTEP_ROBOT]
    #[arg(long, value_name = ADDRESS, value_hint = ValueHint::Hostname, help_heading = "Robot")]
    pub(crate) robot: Option<String>,
    #[command(flatten)]
    pub(crate) access: Access,
    /// Language of speech and of localized parameters [default: the robot's]
    #[arg(long, value_name = "LANGUAGE", value_parser = crate::value_parsers::language, requires = "file", help_heading = "Robot")]
    pub(crate) language: Option<String>,
    #[command(flatten)]
    pub(crate) leave: LeaveArgs,
    /// Also ask the robot's files how full its disk is, and for its clock, as this user at this host
    #[arg(long, value_name = "USER@HOST[:PORT]", help_heading = "Robot")]
    ssh: Option<String>,
    /// The program that reaches the files
    #[arg(long, value_name = "PROGRAM", default_value = "ssh", requires = "ssh", help_heading = "Robot")]
    ssh_program: PathBuf,
    /// The Python that parses the scripts; it does not run them
    #[arg(long, value_name = "PROGRAM", requires = "file")]
    pub(crate) python: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

impl DoctorArgs {
    /// Returns how the files of the robot are reached, if they are asked.
    pub(crate) fn ssh(&self) -> Option<SshArgs> {
        let ssh = self.ssh.clone()?;
        Some(SshArgs::new(ssh, self.ssh_program.clone()))
    }
}

#[derive(Debug, Args)]
pub(crate) struct StopArgs {
    /// The behavior to stop normally, as `boxstep ps` lists it [default: stop everything the robot is doing]
    pub(crate) name: Option<String>,
    /// The robot [default: BOXSTEP_ROBOT; for a behavior also this machine]
    #[arg(long, value_name = ADDRESS, value_hint = ValueHint::Hostname, help_heading = "Robot")]
    pub(crate) robot: Option<String>,
    #[command(flatten)]
    pub(crate) access: Access,
    /// How long to wait for the robot's confirmation after connecting
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, value_parser = crate::value_parsers::seconds, default_value = "5")]
    pub(crate) within: Time,
    /// Print JSON
    #[arg(long, conflicts_with = "name")]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct RobotsArgs {
    /// Also ask this robot, or whatever else speaks qi there; repeatable. Only these robots get the user and the password
    /// [default: BOXSTEP_ROBOT, if it is set]
    #[arg(long, value_name = ADDRESS, value_hint = ValueHint::Hostname, help_heading = "Robot")]
    pub(crate) robot: Vec<String>,
    #[command(flatten)]
    pub(crate) access: Access,
    /// How long to listen for announcements; with 0, only the robots of --robot and of this machine are asked
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, value_parser = crate::value_parsers::seconds, default_value = "3")]
    pub(crate) within: Time,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}
