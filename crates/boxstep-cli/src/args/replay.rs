//! `boxstep replay`

use super::recordings::TraceBuffer;
use super::{Cli, Command, DiffFormat, OutputArgs, PlayArgs, Scripts};
use clap::{Args, Parser as _};
use std::ffi::OsString;
use std::path::PathBuf;

pub(super) const REPLAY_EXAMPLES: &str = "\
Examples:
  boxstep play dance.xar --virtual-time --record run.mcap
  boxstep replay run.mcap dance.xar
  boxstep replay run.jsonl --format json

Exit codes: 0 the same came of it; 1 something else; 2 bad usage or file; 4 it could not be played.";

#[derive(Debug, Args)]
pub(crate) struct ReplayArgs {
    /// A recording: a trace, an MCAP file or a folder of flight recordings
    pub(crate) recording: PathBuf,
    /// What was played then [default: the file that the recording names, in this folder or beside the recording]
    pub(crate) file: Option<PathBuf>,
    /// How box scripts run [default: as play has it]
    #[arg(long, value_enum, value_name = "HOW")]
    scripts: Option<Scripts>,
    /// Which Python runs scripts
    #[arg(long, value_name = "PROGRAM")]
    python: Option<PathBuf>,
    /// The robot's file, if it was one that is written in Python
    #[arg(long, value_name = "FILE.py")]
    robot: Option<PathBuf>,
    /// The body, if it was one of one's own
    #[arg(long, value_name = "FILE")]
    body: Option<PathBuf>,
    /// How to tell it [default: from the file name of --output, else text]
    #[arg(long, value_enum, value_name = "NAME")]
    pub(crate) format: Option<DiffFormat>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    /// Tell nothing; the exit code says whether it was the same
    #[arg(short, long, conflicts_with_all = ["format", "output"])]
    pub(crate) quiet: bool,
}

impl ReplayArgs {
    /// The play that comes to the same, whose trace is kept and which tells nothing.
    pub(crate) fn play(&self) -> Result<PlayArgs, String> {
        let mut args: Vec<OsString> = ["boxstep", "play", "--quiet", "--replay"].map(Into::into).into();
        args.push(self.recording.clone().into());
        let scripts = self.scripts.map(|scripts| PathBuf::from(scripts.name()));
        let options =
            [("--scripts", &scripts), ("--python", &self.python), ("--robot", &self.robot), ("--body", &self.body)];
        for (name, value) in options {
            if let Some(value) = value {
                args.extend([name.into(), value.clone().into()]);
            }
        }
        let file = self.file.clone().map_or_else(|| crate::played::file(&self.recording), Ok)?;
        args.extend(["--".into(), file.into()]);
        match Cli::try_parse_from(args).map(|cli| cli.command) {
            Ok(Command::Play(mut play)) => {
                play.recordings.kept = Some(TraceBuffer::default());
                Ok(*play)
            }
            Ok(_) => Err("it cannot be played".to_owned()),
            Err(why) => Err(why.to_string()),
        }
    }
}
