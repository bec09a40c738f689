//! The arguments of `boxstep retarget`.

use super::common::{FILE, body_name};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

pub(super) const RETARGET_EXAMPLES: &str = "\
Examples:
  boxstep retarget dance.xar --to pepper
  boxstep retarget my_app.pml --behavior dance --to t1.urdf -o dance-t1.xar
  boxstep retarget wave.xar --from pepper --to nao --format json > errors.json

The input is never changed. Exit codes: 0 written; 2 bad usage or file.";

#[derive(Debug, Args)]
pub(crate) struct RetargetArgs {
    #[arg(help = FILE, value_parser = crate::examples::or_path())]
    pub(crate) file: PathBuf,
    /// The body to fit the timelines to: nao, nao-v3.3, pepper, or your own file (.toml, .urdf)
    #[arg(long, value_name = "BODY", value_parser = body_name)]
    pub(crate) to: String,
    /// The body that the timelines were drawn for [default: the one that the files name]
    #[arg(long, value_name = "BODY", value_parser = body_name)]
    pub(crate) from: Option<String>,
    /// The behavior to retarget, if there are several
    #[arg(long, value_name = "NAME")]
    pub(crate) behavior: Option<String>,
    /// The .xar to write [default: FILE's name and the body's, beside FILE]
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
    /// Overwrite OUT
    #[arg(long)]
    pub(crate) force: bool,
    /// Report format: text, or one JSON object with every key
    #[arg(long, value_enum, default_value_t = RetargetFormat::Text, value_name = "FORMAT")]
    pub(crate) format: RetargetFormat,
}

/// The report formats of `retarget`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RetargetFormat {
    /// Readable text
    Text,
    /// One JSON object
    Json,
}
