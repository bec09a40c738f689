//! The commands that write files.

use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};

pub(super) const CONVERT_EXAMPLES: &str = "\
Examples:
  boxstep convert my_app.crg my_app.pkg
  boxstep convert my_app.crg dance.xar --behavior dance
  boxstep convert dance.xar dance/
  boxstep convert tree.xml character.yaml
  boxstep convert -r archives out --to xar";

#[derive(Debug, Args)]
pub(crate) struct ConvertArgs {
    /// A .xar file, a folder, a .pml project or an archive (.crg, .pkg, .cbl), or with -r a folder of them; a behavior
    /// tree of BehaviorTree.CPP (.xml)
    #[arg(value_name = "IN")]
    pub(crate) input: PathBuf,
    /// What to write: NAME.xar, NAME.crg, NAME.pkg, NAME.cbl, FOLDER/NAME.pml, or FOLDER for a split folder;
    /// NAME.yaml for the character that a behavior tree becomes
    #[arg(value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// What OUT is to be, if its name does not say it
    #[arg(long, value_enum, value_name = "KIND")]
    pub(crate) to: Option<Kind>,
    /// Which behavior, or which tree, if there are several and OUT holds one
    #[arg(long, value_name = "NAME", conflicts_with = "recursive")]
    pub(crate) behavior: Option<String>,
    /// Convert every file of a folder; OUT is a folder, and --to says what to write
    #[arg(short, long, requires = "to")]
    pub(crate) recursive: bool,
    /// Replace what is there
    #[arg(long)]
    pub(crate) force: bool,
}

/// What can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// One behavior as Choregraphe saves it
    Xar,
    /// One behavior, one XML and one Python file for each box
    Split,
    /// The files of the project
    Folder,
    /// The files of the project with a project file
    Pml,
    /// A project in one file
    Crg,
    /// A box library
    Cbl,
    /// A package for robots
    Pkg,
    /// The character that a behavior tree becomes
    Character,
}

impl Kind {
    /// What a path's name says. Without an ending it is that of a folder.
    pub(crate) fn of(path: &Path) -> Option<Self> {
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
            "yaml" | "yml" => Kind::Character,
            _ => return None,
        })
    }
}

#[derive(Debug, Args)]
pub(crate) struct FmtArgs {
    /// .xar files, behaviors' folders or .pml projects
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Change nothing; name the files that are laid out otherwise, and exit with 1 if there are any
    #[arg(long)]
    pub(crate) check: bool,
    /// Every .xar of these folders
    #[arg(short, long)]
    pub(crate) recursive: bool,
}

pub(crate) const MIGRATE_EXAMPLES: &str = "\
Examples:
  boxstep migrate dance.xar
  boxstep migrate my_app.pml --write
  boxstep migrate my_app -o my_app_3 --format json > report.jsonl

Without --write or -o nothing is changed. Exit codes: 0 all of it is certain; 1 something needs review, or with --check would change;
2 bad usage or file.";

#[derive(Debug, Args)]
pub(crate) struct MigrateArgs {
    /// .xar files, behaviors' folders, split folders or .pml projects; their own modules come with them
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Write the files anew; without it, what would change is told only
    #[arg(short, long, conflicts_with_all = ["check", "output"])]
    pub(crate) write: bool,
    /// Exit with 1 if anything would change
    #[arg(long)]
    pub(crate) check: bool,
    /// Leave the files as they are, and write here: a .xar for a .xar, a folder for all else
    #[arg(short, long = "output", value_name = "OUT", conflicts_with = "check")]
    pub(crate) output: Option<PathBuf>,
    /// Replace what is at OUT
    #[arg(long, requires = "output")]
    pub(crate) force: bool,
    /// Every behavior of these folders
    #[arg(short, long)]
    pub(crate) recursive: bool,
    /// The report: for people, or one JSON object per line
    #[arg(long, value_enum, default_value_t = MigrateFormat::Text, value_name = "FORMAT")]
    pub(crate) format: MigrateFormat,
    /// The Python 3 that reads the scripts; it does not run them
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) python: Option<PathBuf>,
}

/// How `migrate` reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum MigrateFormat {
    /// For people
    Text,
    /// One object per line
    Json,
}

#[derive(Debug, Args)]
pub(crate) struct PackArgs {
    /// The folder of a project or behavior, or its .pml
    #[arg(value_name = "FOLDER")]
    pub(crate) folder: PathBuf,
    /// NAME.crg, NAME.pkg or NAME.cbl
    #[arg(value_name = "ARCHIVE")]
    pub(crate) archive: PathBuf,
    /// Replace what is there
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Debug, Args)]
pub(crate) struct UnpackArgs {
    /// A .crg, .pkg or .cbl
    #[arg(value_name = "ARCHIVE")]
    pub(crate) archive: PathBuf,
    /// Where to [default: the archive's name without its ending, in the current folder]
    #[arg(value_name = "FOLDER")]
    pub(crate) folder: Option<PathBuf>,
    /// Replace what is there
    #[arg(long)]
    pub(crate) force: bool,
}
