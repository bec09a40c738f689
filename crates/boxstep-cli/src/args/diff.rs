//! The arguments of `boxstep diff`.

use super::common::OutputArgs;
use crate::terminal::Reader;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

pub(super) const DIFF_EXAMPLES: &str = "\
Examples:
  boxstep diff examples/hello examples/touch
  boxstep diff old.xar new.xar -o changes.html
  boxstep diff monday.jsonl tuesday.jsonl

Exit codes: 0 the same; 1 different; 2 bad usage or file.";

#[derive(Debug, Args)]
pub(crate) struct DiffArgs {
    /// The old behavior (as for `show`) or recording
    #[arg(required_unless_present = "git", value_parser = crate::examples::or_path())]
    pub(crate) old: Option<PathBuf>,
    /// The new behavior or recording
    #[arg(required_unless_present = "git", value_parser = crate::examples::or_path())]
    pub(crate) new: Option<PathBuf>,
    /// The behavior to compare, if there are several
    #[arg(long, value_name = "NAME")]
    pub(crate) behavior: Option<String>,
    /// Output format [default: from the file name of --output, else text]
    #[arg(long, value_enum, value_name = "NAME")]
    pub(crate) format: Option<DiffFormat>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    /// Print nothing; the exit code tells whether they differ
    #[arg(short, long, conflicts_with_all = ["format", "output"])]
    pub(crate) quiet: bool,
    /// Run as git's diff driver, with the arguments that git passes
    #[arg(
        long,
        value_name = "PATH",
        num_args = 1..=9,
        allow_hyphen_values = true,
        conflicts_with_all = ["old", "new", "behavior", "format", "output", "quiet"]
    )]
    pub(crate) git: Vec<PathBuf>,
}

/// The output formats of `diff`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DiffFormat {
    /// Readable text
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
