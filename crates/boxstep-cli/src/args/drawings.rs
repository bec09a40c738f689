//! The arguments of `boxstep show` and `boxstep plot`.

use super::common::{FILE, OutputArgs, PLAYED, body_name};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

pub(super) const SHOW_EXAMPLES: &str = "\
Examples:
  boxstep show examples/hello
  boxstep show my_app.pml --behavior dance -o dance.html
  boxstep show examples/timeline-layers --box root/Dance -o dance.svg
  boxstep show examples/hello --format dot | dot -Tpng > hello.png
  boxstep show examples/guide/character.yaml --stacks";

pub(super) const PLOT_EXAMPLES: &str = "\
Examples:
  boxstep plot examples/hello
  boxstep plot examples/hello --joint HeadYaw,LArm -o arm.svg";

#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    #[arg(help = PLAYED, value_parser = crate::examples::or_path())]
    pub(crate) file: PathBuf,
    /// The behavior to show, if there are several
    #[arg(long, value_name = "NAME")]
    pub(crate) behavior: Option<String>,
    /// For a character: list every stack of behaviors that can be active, trying each without a robot
    #[arg(long, conflicts_with_all = ["behavior", "level", "body"])]
    pub(crate) stacks: bool,
    /// Show only this box and its contents; `root/Dance/@steps:left` is one keyframe
    #[arg(long = "box", value_name = "PATH")]
    pub(crate) level: Option<String>,
    /// The body whose limits are shown: nao, nao-v3.3, pepper, or a file (.toml, .urdf) [default: the one the files were made
    /// for]
    #[arg(long, value_name = "BODY", value_parser = body_name)]
    pub(crate) body: Option<String>,
    /// Output format [default: from the file name of --output, else tree]
    #[arg(long, value_enum, value_name = "NAME")]
    pub(crate) format: Option<ShowFormat>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// The output formats of `show`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ShowFormat {
    /// Text tree of all contents
    Tree,
    /// Graphviz graph of all contents
    Dot,
    /// Mermaid flowchart of all contents
    Mermaid,
    /// Drawing of the diagram, as in the editor
    Svg,
    /// One page with every level, its drawings, scripts, parameters and curves
    Html,
    /// Everything in the file, for other programs
    Json,
}

#[derive(Debug, Args)]
pub(crate) struct PlotArgs {
    #[arg(help = FILE, value_parser = crate::examples::or_path())]
    pub(crate) file: PathBuf,
    /// The behavior to plot, if there are several
    #[arg(long, value_name = "NAME")]
    pub(crate) behavior: Option<String>,
    /// Plot only the timelines of this box and its contents
    #[arg(long = "box", value_name = "PATH")]
    pub(crate) level: Option<String>,
    /// Plot only these joints, or the joints of a chain such as Head or LArm; `balance` is the margin of balance, `torque`
    /// the torques of all motors
    #[arg(long = "joint", value_name = "NAME", value_delimiter = ',')]
    pub(crate) joints: Vec<String>,
    /// The body whose limits are drawn: nao, nao-v3.3, pepper, or a file (.toml, .urdf) [default: the one the files were made
    /// for]
    #[arg(long, value_name = "BODY", value_parser = body_name)]
    pub(crate) body: Option<String>,
    /// Output format [default: from the file name of --output, else text]
    #[arg(long, value_enum, value_name = "NAME")]
    pub(crate) format: Option<PlotFormat>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// The output formats of `plot`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PlotFormat {
    /// For a terminal
    Text,
    /// A drawing
    Svg,
    /// A page with the drawing and a table
    Html,
}
