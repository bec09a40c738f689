//! `boxstep diff`

use super::common::OutputArgs;
use crate::terminal::Reader;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct DiffArgs {
    /// A behavior (as for `show`), or a recording
    #[arg(required_unless_present = "git")]
    pub(crate) old: Option<PathBuf>,
    /// The same, newer
    #[arg(required_unless_present = "git")]
    pub(crate) new: Option<PathBuf>,
    /// Which behavior, if there are several
    #[arg(long, value_name = "NAME")]
    pub(crate) behavior: Option<String>,
    /// How to tell it [default: from the file name of --output, else text]
    #[arg(long, value_enum, value_name = "NAME")]
    pub(crate) format: Option<DiffFormat>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    /// Tell nothing; the exit code says whether they differ
    #[arg(short, long, conflicts_with_all = ["format", "output"])]
    pub(crate) quiet: bool,
    /// As git's diff driver: what git says about the two files
    #[arg(
        long,
        value_name = "PATH",
        num_args = 1..=9,
        allow_hyphen_values = true,
        conflicts_with_all = ["old", "new", "behavior", "format", "output", "quiet"]
    )]
    pub(crate) git: Vec<PathBuf>,
}

/// How differences are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DiffFormat {
    /// For people
    Text,
    /// One JSON object
    Json,
    /// A page with both drawings side by side
    Html,
}

impl DiffFormat {
    pub(crate) fn reader(self) -> Reader {
        match self {
            DiffFormat::Text => Reader::People,
            DiffFormat::Json => Reader::Json,
            DiffFormat::Html => Reader::Program,
        }
    }
}
