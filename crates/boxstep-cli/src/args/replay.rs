//! The arguments of `boxstep replay`.

use super::common::{OutputArgs, Scripts};
use super::diff::DiffFormat;
use clap::Args;
use std::path::PathBuf;

pub(super) const REPLAY_EXAMPLES: &str = "\
Examples:
  boxstep play dance.xar --virtual-time --record run.mcap
  boxstep replay run.mcap dance.xar
  boxstep replay run.jsonl --format json

Exit codes: 0 the runs are the same; 1 they differ; 2 bad usage or file; 4 the run could not be played.";

#[derive(Debug, Args)]
pub(crate) struct ReplayArgs {
    /// A recording: a trace, an MCAP file or a folder of flight recordings
    pub(crate) recording: PathBuf,
    /// The file that was played [default: the file that the recording names, in this folder or beside the recording]
    pub(crate) file: Option<PathBuf>,
    /// How box scripts run [default: as in play]
    #[arg(long, value_enum, value_name = "HOW")]
    pub(crate) scripts: Option<Scripts>,
    /// The Python that runs scripts
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) python: Option<PathBuf>,
    /// The robot's file, if the robot was written in Python
    #[arg(long, value_name = "FILE.py")]
    pub(crate) robot: Option<PathBuf>,
    /// The body file, if the body was neither nao nor pepper
    #[arg(long, value_name = "FILE")]
    pub(crate) body: Option<PathBuf>,
    /// Output format [default: from the file name of --output, else text]
    #[arg(long, value_enum, value_name = "NAME")]
    pub(crate) format: Option<DiffFormat>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    /// Print nothing; the exit code tells whether the runs are the same
    #[arg(short, long, conflicts_with_all = ["format", "output"])]
    pub(crate) quiet: bool,
}
