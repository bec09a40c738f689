//! Arguments that several commands share: files, bodies, how scripts run, output files.

use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The help of `FILE` in commands that read behaviors.
pub(super) const FILE: &str =
    "A .xar, the folder of a behavior, a split folder, a .pml project, or an archive of one (.crg, .pkg, .cbl, .zip)";

/// The help of `FILE` in commands that also take characters.
pub(super) const PLAYED: &str = "A .xar, the folder of a behavior, a split folder, a .pml project, an archive of one (.crg, .pkg, .cbl, .zip), a dialog or topic (.dlg, .top), a Python program (.py), or a character (character.yaml)";

/// The names of the known bodies.
pub(super) const BODIES: [&str; 2] = ["nao", "pepper"];

/// Accepts `nao`, `nao-v3.3`, `pepper` or the name of a file, which is read later.
pub(super) fn body_name(text: &str) -> Result<String, String> {
    boxstep_bodies::own::BodyName::parse(text).map(|_| text.to_owned())
}

/// The default of `--patience` in seconds: how long a script may compute while nothing else can happen.
pub(super) const PATIENCE: &str = "30";

/// How box scripts run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Scripts {
    /// In the Python that runs this program
    Native,
    /// In a separate process
    Process,
    /// Not at all: boxes are only loaded and linked
    Off,
}

/// The `qi` package that scripts import.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Qi {
    /// Boxstep's own: its services are those of the robot, its clock is the run's
    Own,
    /// The one installed for the Python, which may connect anywhere; the run is not repeatable
    Installed,
}

impl Scripts {
    /// The default of `--scripts`. A program without the native module runs scripts in a separate process.
    pub(crate) const DEFAULT: Self = if cfg!(feature = "native") { Scripts::Native } else { Scripts::Process };

    pub(crate) fn name(self) -> &'static str {
        match self {
            Scripts::Native => "native",
            Scripts::Process => "process",
            Scripts::Off => "off",
        }
    }
}

/// Where a command writes its result.
#[derive(Debug, Args)]
pub(crate) struct OutputArgs {
    /// Write to a file; its extension selects the format
    #[arg(id = "output", short, long, value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// Overwrite an existing file
    #[arg(long, requires = "output")]
    pub(crate) force: bool,
}
