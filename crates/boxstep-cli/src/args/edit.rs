//! The arguments of `boxstep edit`.

use crate::value_parsers::{Member, ParameterText};
use boxstep_types::BoxPath;
use clap::{Args, Subcommand};
use std::path::PathBuf;

pub(super) const EDIT_EXAMPLES: &str = "\
Examples:
  boxstep edit dance.xar set 'root/Say/Text=Good morning' root/Wait/Seconds=2
  boxstep edit my_app.pml connect Say.onStopped Wave.onStart --dry-run
  boxstep edit dance.xar add root script --name Count --at 200,80
  boxstep edit dance.xar apply changes.json -o other.xar

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
    #[arg(long = "boxes", global = true, value_name = "FOLDER", value_parser = crate::shelves::folder)]
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
    /// Swap a box for another one; links and values stay where the new one has a place for them
    Replace {
        /// The box
        #[arg(value_name = "BOX")]
        path: BoxPath,
        /// A box of the library or of your own folders, or the .xar of a box [default: the one that replaces Choregraphe's]
        with: Option<String>,
    },
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
