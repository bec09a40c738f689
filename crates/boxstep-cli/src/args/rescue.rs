//! The arguments of `boxstep rescue`.

use super::packages::RobotFiles;
use clap::Args;
use std::path::PathBuf;

pub(super) const RESCUE_EXAMPLES: &str = "\
Examples:
  boxstep rescue lab-nao --robot nao.local
  BOXSTEP_PASSWORD=… boxstep rescue lab-nao --robot nao.local
  boxstep rescue old-nao --from disk.img
  boxstep rescue lab-nao --report

What was cut goes on when the same command is given again. Nothing is changed on the robot.

Exit codes: 0 done; 2 bad usage; 4 the robot or its disk could not be read to the end; 130 interrupted.";

#[derive(Debug, Args)]
pub(crate) struct RescueArgs {
    /// The folder that gets everything; it may be one of an earlier rescue
    #[arg(value_name = "FOLDER")]
    pub(crate) folder: PathBuf,
    #[command(flatten)]
    pub(crate) of: RobotFiles,
    /// Read the disk of a robot that is not reached any more: an image of it, or a folder
    #[arg(long, value_name = "IMAGE|FOLDER", conflicts_with_all = ["robot", "ssh"])]
    pub(crate) from: Option<PathBuf>,
    /// Play the behaviors in simulation with their scripts, which run with your rights; without it scripts are left out
    #[arg(long)]
    pub(crate) scripts: bool,
    /// Print what an earlier rescue was like, for those who write Boxstep: numbers and versions, no names and no texts
    #[arg(long, conflicts_with_all = ["robot", "from", "ssh", "scripts"])]
    pub(crate) report: bool,
}
