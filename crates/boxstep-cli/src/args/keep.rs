//! The arguments of `boxstep keep`.

use crate::robot_address::{ADDRESS, Access};
use clap::{Args, ValueHint};
use std::path::PathBuf;

pub(super) const KEEP_EXAMPLES: &str = "\
Examples:
  boxstep keep reports --robot nao.local
  boxstep keep reports --robot nao1.local --robot nao2.local --robot pepper.local

It runs once and ends; let the computer run it every day: docs/guides/health.md.
A robot that is off is a line of the report, and no error.

Exit codes: 0 done; 2 bad usage; 4 the report could not be written.";

#[derive(Debug, Args)]
pub(crate) struct KeepArgs {
    /// The folder of the reports
    #[arg(value_name = "FOLDER")]
    pub(crate) folder: PathBuf,
    /// A robot; repeat it for several [default: BOXSTEP_ROBOT]
    #[arg(long, value_name = ADDRESS, value_hint = ValueHint::Hostname, help_heading = "Robot")]
    pub(crate) robot: Vec<String>,
    #[command(flatten)]
    pub(crate) access: Access,
    /// The time of the report, in place of this computer's
    #[arg(long, hide = true, value_name = "TIME", allow_negative_numbers = true, value_parser = boxstep_types::calendar::parse_epoch)]
    pub(crate) at: Option<i64>,
}
