//! The arguments of the commands for the packages of a robot.

use crate::robot_address::{ADDRESS, Access};
use crate::ssh_access::SshArgs;
use clap::{Args, ValueHint};
use std::path::PathBuf;

pub(super) const INSTALL_EXAMPLES: &str = "\
Examples:
  boxstep install my_app --robot nao.local
  boxstep install my_app.pkg --robot nao.local --replace --default my_app/welcome
  boxstep install lab-nao --robot new-nao.local          what `boxstep rescue lab-nao` took home

Exit codes: 0 installed; 1 `check` finds errors, it is made for other robots, another version is installed, or the question
was not answered with yes; 2 bad usage or file; 4 the robot cannot be reached, or has not installed it; 130 interrupted.";

pub(super) const UNINSTALL_EXAMPLES: &str = "\
Examples:
  boxstep uninstall my_app --robot nao.local
  boxstep uninstall my_app --robot nao.local --yes

Its behaviors do not start with the robot any more, either.

Exit codes: 0 removed; 1 the question was not answered with yes; 2 bad usage; 4 the robot cannot be reached, or refused; 5 it has no such package.";

pub(super) const PULL_EXAMPLES: &str = "\
Examples:
  boxstep pull my_app --robot nao.local
  boxstep pull my_app --robot nao.local -o my_app.pkg

Exit codes: 0 done; 2 bad usage; 4 the robot or its files cannot be reached; 5 it has no such package; 130 interrupted.";

/// A robot, and the way to its files.
#[derive(Debug, Args)]
pub(crate) struct RobotFiles {
    /// The robot [default: BOXSTEP_ROBOT]
    #[arg(long, value_name = ADDRESS, value_hint = ValueHint::Hostname, help_heading = "Robot")]
    pub(crate) robot: Option<String>,
    #[command(flatten)]
    pub(crate) access: Access,
    #[command(flatten)]
    pub(crate) ssh: SshArgs,
}

#[derive(Debug, Args)]
pub(crate) struct InstallArgs {
    /// A package (.pkg, .crg), or the folder or project file of one; or the folder of a rescue, to put back all of it
    #[arg(value_name = "PACKAGE|FOLDER")]
    pub(crate) package: PathBuf,
    #[command(flatten)]
    pub(crate) of: RobotFiles,
    /// Replace another version without a question
    #[arg(long)]
    pub(crate) replace: bool,
    /// Install it although `check` finds errors, or it is made for other robots
    #[arg(long)]
    pub(crate) anyway: bool,
    /// Put back what a rescue has taken home without a question
    #[arg(long)]
    pub(crate) yes: bool,
    /// Start this behavior of the package with the robot
    #[arg(long, value_name = "BEHAVIOR")]
    pub(crate) default: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct UninstallArgs {
    /// The package, as `boxstep ls --long` lists it
    pub(crate) package: String,
    /// Remove it without a question
    #[arg(long)]
    pub(crate) yes: bool,
    /// The robot [default: BOXSTEP_ROBOT]
    #[arg(long, value_name = ADDRESS, value_hint = ValueHint::Hostname, help_heading = "Robot")]
    pub(crate) robot: Option<String>,
    #[command(flatten)]
    pub(crate) access: Access,
}

#[derive(Debug, Args)]
pub(crate) struct PullArgs {
    /// The package, as `boxstep ls --long` lists it, or a behavior of it
    pub(crate) package: String,
    #[command(flatten)]
    pub(crate) of: RobotFiles,
    /// The folder, or the .pkg file, that gets it [default: a folder of its name]
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
    /// Overwrite OUT
    #[arg(long)]
    pub(crate) force: bool,
}
