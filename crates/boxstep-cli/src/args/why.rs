//! The arguments of `boxstep why`.

use super::common::OutputArgs;
use boxstep_types::Time;
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};

pub(super) const WHY_EXAMPLES: &str = "\
Examples:
  boxstep why                         why the last behavior on a robot stopped
  boxstep why run.jsonl               why the behavior of a recording stopped
  boxstep why dance run.jsonl         why a behavior of a character runs or not
  boxstep why alto:wave show.jsonl    why a behavior of a robot in a show started
  boxstep why guide/idle run.jsonl --at 12.5 --format json

Exit codes: 0 answered; 2 bad usage or file, or the recording has no such behavior.";

#[derive(Debug, Args)]
pub(crate) struct WhyArgs {
    /// A behavior: its name, or its path in the recording; in a show ROBOT, ROBOT:BEHAVIOR or ROBOT:BOX [default: the last
    /// behavior, and why it stopped]
    #[arg(value_name = "NAME")]
    pub(crate) first: Option<PathBuf>,
    /// A trace (`boxstep play --trace`) or a folder of flight recordings, of a run that is over or still going on
    /// [default: the
    /// last run on a robot]
    #[arg(value_name = "RECORDING")]
    pub(crate) second: Option<PathBuf>,
    /// The time of the run to explain, in seconds [default: the end, or the state before the stop]
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, value_parser = crate::value_parsers::seconds)]
    pub(crate) at: Option<Time>,
    /// Output format [default: from the file name of --output, else text]
    #[arg(long, value_enum, value_name = "NAME")]
    pub(crate) format: Option<WhyFormat>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// The output formats of `why`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum WhyFormat {
    /// Readable text
    Text,
    /// One JSON object
    Json,
}

impl WhyArgs {
    /// Returns the name of the behavior, if one is given. A single positional argument is the recording.
    pub(crate) fn name(&self) -> Option<String> {
        let named = self.first.as_ref().filter(|_| self.second.is_some());
        named.map(|name| name.to_string_lossy().into_owned())
    }

    /// Returns the recording, if one is given.
    pub(crate) fn recording(&self) -> Option<&Path> {
        self.second.as_deref().or(self.first.as_deref())
    }
}
