//! `boxstep why`

use super::OutputArgs;
use boxstep_types::Time;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

pub(super) const WHY_EXAMPLES: &str = "\
Examples:
  boxstep play character.yaml --trace run.jsonl
  boxstep why dance run.jsonl
  boxstep why guide/idle run.jsonl --at 12.5 --format json

Exit codes: 0 there is an answer; 2 bad usage or file, or no behavior of this name in it.";

#[derive(Debug, Args)]
pub(crate) struct WhyArgs {
    /// The behavior: its name, or its path in the trace
    pub(crate) name: String,
    /// A trace (`boxstep play --trace`), of a run that is over or still goes on
    pub(crate) recording: PathBuf,
    /// At this time of the run, in seconds [default: the end, or what was before it was stopped]
    #[arg(long, value_name = "SECONDS", value_parser = crate::grammar::seconds)]
    pub(crate) at: Option<Time>,
    /// How to tell it [default: from the file name of --output, else text]
    #[arg(long, value_enum, value_name = "NAME")]
    pub(crate) format: Option<WhyFormat>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// How a reason is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum WhyFormat {
    /// For people
    Text,
    /// One JSON object
    Json,
}
