//! The arguments of the commands that write files.

use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};

pub(super) const CONVERT_EXAMPLES: &str = "\
Examples:
  boxstep convert my_app.crg my_app.pkg
  boxstep convert my_app.crg dance.xar --behavior dance
  boxstep convert dance.xar dance/
  boxstep convert tree.xml character.yaml
  boxstep convert run.jsonl run.mcap --ros2
  boxstep convert recorded_show show.jsonl
  boxstep convert -r archives out --to xar";

#[derive(Debug, Args)]
pub(crate) struct ConvertArgs {
    /// A .xar file, a folder, a .pml project, an archive (.crg, .pkg, .cbl, .zip), or with -r a folder of them; a tree of
    /// BehaviorTree.CPP (.xml); a recording, or the folder of a recorded show
    #[arg(value_name = "IN", value_parser = crate::examples::or_path())]
    pub(crate) input: PathBuf,
    /// What to write: NAME.xar, NAME.crg, NAME.pkg, NAME.cbl, NAME.zip, FOLDER/NAME.pml, FOLDER for a split folder,
    /// NAME.yaml for a tree, NAME.mcap for a recording, NAME.jsonl for a show
    #[arg(value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// The format of OUT [default: from its name]
    #[arg(long, value_enum, value_name = "KIND")]
    pub(crate) to: Option<Kind>,
    /// The behavior or tree to convert, if there are several and OUT holds one
    #[arg(long, value_name = "NAME", conflicts_with = "recursive")]
    pub(crate) behavior: Option<String>,
    /// Convert every file in a folder; OUT is a folder, and --to selects the format
    #[arg(short, long, requires = "to")]
    pub(crate) recursive: bool,
    /// Write messages of ROS 2 into NAME.mcap, for `ros2 bag play`: joint states, transforms, speech, touches, the log
    #[arg(long, conflicts_with = "recursive")]
    pub(crate) ros2: bool,
    /// With --ros2: the body that the run had, if it was neither nao nor pepper: a file (.toml, .urdf)
    #[arg(long, value_name = "BODY", value_parser = super::common::body_name, requires = "ros2")]
    pub(crate) body: Option<String>,
    /// Overwrite existing files
    #[arg(long)]
    pub(crate) force: bool,
}

/// The formats that `convert` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// One behavior as Choregraphe saves it
    Xar,
    /// One behavior as a split folder: one XML and one Python file per box
    Split,
    /// The files of the project
    Folder,
    /// The files of the project, with a project file
    Pml,
    /// A project archive
    Crg,
    /// A box library
    Cbl,
    /// A package for robots
    Pkg,
    /// The files of the project in a zip
    Zip,
    /// The character made from a behavior tree
    Character,
    /// A recording of a run, for Foxglove or ROS 2
    Mcap,
    /// The recordings of a show's robots as one
    Jsonl,
}

impl Kind {
    /// Returns the format that a path stands for. A path without an extension stands for a folder.
    pub(crate) fn from_path(path: &Path) -> Option<Self> {
        let text = path.to_string_lossy();
        if text.ends_with(['/', std::path::MAIN_SEPARATOR]) || path.is_dir() {
            return Some(Kind::Split);
        }
        let Some(ending) = path.extension() else { return Some(Kind::Split) };
        let ending = ending.to_string_lossy().to_ascii_lowercase();
        Some(match ending.as_str() {
            "xar" => Kind::Xar,
            "pml" => Kind::Pml,
            "crg" => Kind::Crg,
            "cbl" => Kind::Cbl,
            "pkg" => Kind::Pkg,
            "zip" => Kind::Zip,
            "yaml" | "yml" => Kind::Character,
            "mcap" => Kind::Mcap,
            "jsonl" => Kind::Jsonl,
            _ => return None,
        })
    }
}

pub(super) const FMT_EXAMPLES: &str = "\
Examples:
  boxstep fmt dance.xar
  boxstep fmt greet.top
  boxstep fmt --check -r behaviors

Exit codes: 0 done, or nothing to do; 1 with --check: files would change; 2 bad usage or file.";

#[derive(Debug, Args)]
pub(crate) struct FmtArgs {
    /// .xar files, folders of behaviors, .pml projects, or topics (.top)
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Change nothing; list the files that would be reformatted, and exit with 1 if there are any
    #[arg(long)]
    pub(crate) check: bool,
    /// Format every .xar and .top below these folders
    #[arg(short, long)]
    pub(crate) recursive: bool,
}

pub(crate) const MIGRATE_EXAMPLES: &str = "\
Examples:
  boxstep migrate dance.xar
  boxstep migrate my_app.pml --write
  boxstep migrate my_app -o my_app_3 --format json > report.jsonl

Without --write or -o nothing is changed. Exit codes: 0 all changes are certain; 1 something needs review, or with --check would change;
2 bad usage or file.";

#[derive(Debug, Args)]
pub(crate) struct MigrateArgs {
    /// .xar files, folders of behaviors, split folders or .pml projects; the modules they import are included
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Write the changes to the files; without it they are only reported
    #[arg(short, long, conflicts_with_all = ["check", "output"])]
    pub(crate) write: bool,
    /// Exit with 1 if anything would change
    #[arg(long)]
    pub(crate) check: bool,
    /// Write the result to OUT and leave the files unchanged: a .xar for a .xar, a folder for anything else
    #[arg(short, long = "output", value_name = "OUT", conflicts_with = "check")]
    pub(crate) output: Option<PathBuf>,
    /// Overwrite OUT
    #[arg(long, requires = "output")]
    pub(crate) force: bool,
    /// Migrate every behavior below these folders
    #[arg(short, long)]
    pub(crate) recursive: bool,
    /// Report format: text, or one JSON object per line
    #[arg(long, value_enum, default_value_t = MigrateFormat::Text, value_name = "FORMAT")]
    pub(crate) format: MigrateFormat,
    /// The Python 3 that parses the scripts; it does not run them
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) python: Option<PathBuf>,
}

/// The report formats of `migrate`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum MigrateFormat {
    /// Readable text
    Text,
    /// One JSON object per line
    Json,
}

pub(super) const PACK_EXAMPLES: &str = "\
Examples:
  boxstep pack examples/hello hello.crg
  boxstep pack my_app my_app.pkg";

pub(super) const UNPACK_EXAMPLES: &str = "\
Examples:
  boxstep unpack hello.crg
  boxstep unpack my_app.pkg my_app --force";

#[derive(Debug, Args)]
pub(crate) struct PackArgs {
    /// The folder of a project or behavior, or its .pml
    #[arg(value_name = "FOLDER", value_parser = crate::examples::or_path())]
    pub(crate) folder: PathBuf,
    /// NAME.crg, NAME.pkg, NAME.cbl or NAME.zip
    #[arg(value_name = "ARCHIVE")]
    pub(crate) archive: PathBuf,
    /// Overwrite an existing archive
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Debug, Args)]
pub(crate) struct UnpackArgs {
    /// A .crg, .pkg, .cbl or .zip
    #[arg(value_name = "ARCHIVE")]
    pub(crate) archive: PathBuf,
    /// The folder to write to [default: the archive's name without its extension, in the current folder]
    #[arg(value_name = "FOLDER")]
    pub(crate) folder: Option<PathBuf>,
    /// Overwrite an existing folder
    #[arg(long)]
    pub(crate) force: bool,
}
