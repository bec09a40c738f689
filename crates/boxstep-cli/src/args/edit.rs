//! The arguments of `boxstep edit`.

use crate::value_parsers::{Member, ParameterText};
use boxstep_edit::project::Nature;
use boxstep_types::BoxPath;
use clap::{Args, Subcommand};
use std::path::PathBuf;

pub(super) const EDIT_EXAMPLES: &str = "\
Examples:
  boxstep edit dance.xar set 'root/Say/Text=Good morning' root/Wait/Seconds=2
  boxstep edit my_app.pml connect Say.onStopped Wave.onStart --dry-run
  boxstep edit dance.xar add root script --name Count --at 200,80
  boxstep edit dance.xar apply changes.json -o other.xar
  boxstep edit my_app.pml behavior rename first hello --dry-run
  boxstep edit my_app.pml dialog add talk English French
  boxstep edit my_app.pml manifest --version 1.2.0

Only the lines of a change change. Exit codes: 0 done; 2 bad usage or file, or a change that cannot be made.";

#[derive(Debug, Args)]
#[command(disable_help_subcommand = true)]
pub(crate) struct EditArgs {
    /// A .xar, the folder of a behavior, or a .pml project
    pub(crate) file: PathBuf,
    #[command(subcommand)]
    pub(crate) change: EditCommand,
    /// The behavior to change, if there are several
    #[arg(long, global = true, value_name = "NAME")]
    pub(crate) behavior: Option<String>,
    /// Print the change as a diff, and write nothing
    #[arg(long, global = true, conflicts_with = "output")]
    pub(crate) dry_run: bool,
    /// A folder with boxes of your own, besides `boxes` in the project and in your settings; repeatable
    #[arg(long = "boxes", global = true, value_name = "FOLDER", value_parser = crate::box_folders::folder)]
    pub(crate) own_boxes: Vec<PathBuf>,
    /// Write to another file, which must not exist
    #[arg(short, long, global = true, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
}

/// The changes that have words of their own; `apply` does every operation.
#[derive(Debug, Subcommand)]
pub(crate) enum EditCommand {
    /// Set parameters: root/Say/Text='Hello'
    Set {
        /// PATH/PARAMETER=VALUE
        #[arg(required = true, value_name = "SETTING")]
        values: Vec<ParameterText>,
    },
    /// Set what a box says or sends: its text, color or number
    Text {
        /// The box
        #[arg(value_name = "BOX")]
        path: BoxPath,
        /// The text, a color as #rrggbb, or a number
        #[arg(allow_hyphen_values = true)]
        text: String,
        /// The language of a box with several, such as French
        #[arg(long)]
        language: Option<String>,
    },
    /// Replace a script by the text of a file
    Script {
        /// The box
        #[arg(value_name = "BOX")]
        path: BoxPath,
        /// A Python file; `-` is standard input
        source: PathBuf,
    },
    /// Give a box another name
    Rename {
        /// The box
        #[arg(value_name = "BOX")]
        path: BoxPath,
        /// The new name
        name: String,
    },
    /// Draw a link: Say.onStopped Wave.onStart
    Connect {
        /// BOX.OUTPUT, or BOX.INPUT of the box that contains the other
        from: Member,
        /// BOX.INPUT or BOX.PARAMETER, or BOX.OUTPUT of the box that contains the other
        to: Member,
    },
    /// Remove a link
    Disconnect {
        /// BOX.OUTPUT
        from: Member,
        /// BOX.INPUT
        to: Member,
    },
    /// Add a box to a diagram
    Add {
        /// The box with the diagram
        #[arg(value_name = "BOX")]
        diagram: BoxPath,
        /// script, diagram, timeline, a box of the library or of your own folders, or the .xar of a box
        what: String,
        /// The name [default: the box's own]
        #[arg(long)]
        name: Option<String>,
        /// Horizontal and vertical place, in pixels
        #[arg(long, value_name = "X,Y", value_parser = place, default_value = "100,100", allow_hyphen_values = true)]
        at: (f64, f64),
    },
    /// Remove boxes, with their links
    Remove {
        /// The boxes
        #[arg(required = true, value_name = "BOX")]
        boxes: Vec<BoxPath>,
    },
    /// Swap a box for another one; links and values stay
    Replace {
        /// The box
        #[arg(value_name = "BOX")]
        path: BoxPath,
        /// A box of the library or of your own folders, or the .xar of a box [default: the one that replaces Choregraphe's]
        with: Option<String>,
    },
    /// Add, rename or remove a behavior of a project, or set its nature
    #[command(subcommand, disable_help_subcommand = true)]
    Behavior(BehaviorChange),
    /// Add or remove a dialog of a project, or its topics in some languages
    #[command(subcommand, disable_help_subcommand = true)]
    Dialog(DialogChange),
    /// List files in a project, or list them no longer
    #[command(subcommand, disable_help_subcommand = true)]
    File(FileListChange),
    /// Set what the manifest of a project says
    Manifest(ManifestChange),
    /// Translate a text of a project: French 'Good day' Bonjour
    Translate(TranslationChange),
    /// Do the operations of a JSON file, all or none
    Apply {
        /// A list of operations; `-` is standard input
        operations: PathBuf,
    },
}

/// Parses `X,Y`.
fn place(text: &str) -> Result<(f64, f64), String> {
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    let place = text.split_once(',').and_then(|(x, y)| Some((number(x)?, number(y)?)));
    place.ok_or_else(|| format!("`{text}` is not a place: write X,Y"))
}

/// Changes of the behaviors of a project.
#[derive(Debug, Subcommand)]
pub(crate) enum BehaviorChange {
    /// Add an empty behavior in a folder of its own
    Add {
        /// The folder's name
        name: String,
    },
    /// Rename the folder of a behavior
    Rename {
        /// The folder
        folder: String,
        /// Its new name
        name: String,
    },
    /// Remove a behavior with its folder
    Remove {
        /// The folder
        folder: String,
    },
    /// Set what Autonomous Life may do with a behavior once the package is installed
    Nature {
        /// The folder
        folder: String,
        /// interactive: start it for people; solitary: start it when nobody is there; none: never start it
        #[arg(value_parser = nature)]
        nature: Nature,
    },
}

/// Parses the nature of a behavior.
fn nature(text: &str) -> Result<Nature, String> {
    match text {
        "interactive" => Ok(Nature::Interactive),
        "solitary" => Ok(Nature::Solitary),
        "none" => Ok(Nature::None),
        other => Err(format!("`{other}` is no nature: interactive, solitary, none")),
    }
}

/// Changes of the dialogs of a project.
#[derive(Debug, Subcommand)]
pub(crate) enum DialogChange {
    /// Add a dialog, or topics of more languages to one
    Add {
        /// The dialog's name
        name: String,
        /// English, enu or en_US
        #[arg(required = true, value_name = "LANGUAGE")]
        languages: Vec<String>,
    },
    /// Remove a dialog with its topics, or its topics in some languages
    Remove {
        /// The dialog's name
        name: String,
        /// The languages [default: all, and the dialog itself]
        #[arg(value_name = "LANGUAGE")]
        languages: Vec<String>,
    },
}

/// Changes of the files that a project lists.
#[derive(Debug, Subcommand)]
pub(crate) enum FileListChange {
    /// List files of the folder
    Add {
        /// The files, relative to the project's folder
        #[arg(required = true, value_name = "FILE")]
        files: Vec<String>,
    },
    /// List files no longer; they stay in the folder
    Remove {
        /// The files, relative to the project's folder
        #[arg(required = true, value_name = "FILE")]
        files: Vec<String>,
    },
}

/// What a manifest is to say.
#[derive(Args, Debug)]
#[group(required = true, multiple = true)]
pub(crate) struct ManifestChange {
    /// The version: numbers with points
    #[arg(long)]
    pub(crate) version: Option<String>,
    /// The package's name in a language: English='My app'
    #[arg(long, value_name = "LANGUAGE=NAME", value_parser = of_language)]
    pub(crate) name: Vec<(String, String)>,
    /// The package's description in a language
    #[arg(long, value_name = "LANGUAGE=TEXT", value_parser = of_language)]
    pub(crate) description: Vec<(String, String)>,
}

/// The translation of a text.
#[derive(Args, Debug)]
pub(crate) struct TranslationChange {
    /// French, frf or fr_FR
    pub(crate) language: String,
    /// The text in the file of the behavior
    pub(crate) source: String,
    /// The text in the language
    pub(crate) translation: String,
    /// The box that has the text [default: all that have it]: behavior_1/behavior.xar:/Say
    #[arg(long = "box", value_name = "CONTEXT")]
    pub(crate) context: Option<String>,
    /// The parameter that has the text
    #[arg(long, value_name = "NAME")]
    pub(crate) parameter: Option<String>,
}

/// Parses `LANGUAGE=TEXT`.
fn of_language(text: &str) -> Result<(String, String), String> {
    let parts = text.split_once('=').map(|(language, text)| (language.trim().to_owned(), text.to_owned()));
    parts.ok_or_else(|| format!("`{text}` has no language: write LANGUAGE=TEXT"))
}
