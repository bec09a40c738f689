//! What is shown in the browser.

use clap::Args;
use std::path::PathBuf;

/// Where the page is if nothing is said: on this computer alone, at any free port.
pub(super) const ADDRESS: &str = "127.0.0.1:0";

/// The page of a run that is played.
#[derive(Clone, Debug, Args)]
pub(crate) struct PageArgs {
    /// Show the run in a browser: prints the address of a page; in real time
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, require_equals = true, default_missing_value = ADDRESS, help_heading = "Reporting")]
    pub(crate) view: Option<String>,
    /// With --view: the file whose first line is the page's token [default: another one at each start]
    #[arg(long, requires = "view", value_name = "FILE", help_heading = "Reporting")]
    pub(crate) view_token: Option<PathBuf>,
    /// With --view: draw the robot by one's own meshes, in files named as its links (.glb, .stl)
    #[arg(long, requires = "view", value_name = "FOLDER", help_heading = "Reporting")]
    pub(crate) meshes: Option<PathBuf>,
    /// With --view: begin paused, and go on from the page
    #[arg(long, requires = "view", help_heading = "Reporting")]
    pub(crate) paused: bool,
}

#[derive(Args, Debug)]
pub(crate) struct OpenArgs {
    /// Where behaviors are looked for
    #[arg(default_value = ".")]
    pub(crate) folder: PathBuf,
    /// Where the page is; whoever has the printed address sees it
    #[arg(long, value_name = "ADDRESS", default_value = ADDRESS)]
    pub(crate) listen: String,
    /// The file whose first line is the page's token [default: another one at each start]
    #[arg(long, value_name = "FILE")]
    pub(crate) view_token: Option<PathBuf>,
    /// A robot that the page can play on beside the simulated one; several times for several, the first is offered first
    #[arg(long, value_name = crate::robot_address::PLAYED_ON)]
    pub(crate) robot: Vec<String>,
}

#[derive(Args, Debug)]
pub(crate) struct ViewArgs {
    /// A recording: a trace, an MCAP file or a folder of flight recordings
    pub(crate) recording: PathBuf,
    /// What was played, to be drawn: a .xar, the folder of a behavior, a project, or an archive
    pub(crate) file: Option<PathBuf>,
    /// Which behavior, if there are several
    #[arg(long, value_name = "NAME", requires = "file")]
    pub(crate) behavior: Option<String>,
    /// Where the page is; whoever has the printed address sees it
    #[arg(long, value_name = "ADDRESS", default_value = ADDRESS)]
    pub(crate) listen: String,
    /// The file whose first line is the page's token [default: another one at each start]
    #[arg(long, value_name = "FILE")]
    pub(crate) view_token: Option<PathBuf>,
    /// Draw the robot by one's own meshes, in files named as its links (.glb, .stl)
    #[arg(long, value_name = "FOLDER")]
    pub(crate) meshes: Option<PathBuf>,
}
