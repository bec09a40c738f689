//! What several commands take: files, bodies, how scripts run, where a result goes.

use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// What every command that reads behaviors takes.
pub(super) const FILE: &str =
    "A .xar, the folder of a behavior, a split folder, a .pml project, or an archive of one (.crg, .pkg, .cbl)";

/// What is played, checked and shown.
pub(super) const PLAYED: &str = "A .xar, the folder of a behavior, a split folder, a .pml project, an archive of one (.crg, .pkg, .cbl), or a character (character.yaml)";

/// The bodies there are.
pub(super) const BODIES: [&str; 2] = ["nao", "pepper"];

/// `nao`, `pepper` or a file, which is read where it is needed.
pub(super) fn body_name(text: &str) -> Result<String, String> {
    boxstep_bodies::own::BodyName::parse(text).map(|_| text.to_owned())
}

/// Seconds that a script may compute while nothing else can happen, if nothing is said.
pub(super) const PATIENCE: &str = "30";

/// How box scripts run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Scripts {
    /// In the Python that runs this program
    Native,
    /// In a process of their own
    Process,
    /// Not at all: boxes are loaded and linked
    Off,
}

/// Which package `qi` scripts get.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Qi {
    /// Boxstep's: its services are those of the robot played on, its time is the run's
    Own,
    /// The one that is installed for the Python, whatever it connects to; the run is not repeatable then
    Installed,
}

impl Scripts {
    /// A program without the native module runs them in a process of their own.
    pub(crate) const DEFAULT: Self = if cfg!(feature = "native") { Scripts::Native } else { Scripts::Process };

    pub(crate) fn name(self) -> &'static str {
        match self {
            Scripts::Native => "native",
            Scripts::Process => "process",
            Scripts::Off => "off",
        }
    }
}

/// Where a result goes.
#[derive(Debug, Args)]
pub(crate) struct OutputArgs {
    /// Write to a file; its ending chooses the format
    #[arg(id = "output", short, long, value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// Replace the file if it is there
    #[arg(long, requires = "output")]
    pub(crate) force: bool,
}
