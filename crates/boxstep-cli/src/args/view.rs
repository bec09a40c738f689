//! The arguments of the commands that show something in a browser.

use clap::{Args, ValueHint};
use std::path::PathBuf;

/// The default address of a page: reachable only from this machine, at any free port.
pub(super) const ADDRESS: &str = "127.0.0.1:0";

/// The page of a run that is played.
#[derive(Clone, Debug, Args)]
pub(crate) struct PageArgs {
    /// Show the run in a browser; prints the address of the page; real time only
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, require_equals = true, default_missing_value = ADDRESS, help_heading = "Reporting")]
    pub(crate) view: Option<String>,
    /// With --view: a file whose first line is the token of the page [default: a new token at each start]
    #[arg(long, requires = "view", value_name = "FILE", help_heading = "Reporting")]
    pub(crate) view_token: Option<PathBuf>,
    /// With --view: a folder with your own meshes of the robot, named after its links (.glb, .stl)
    #[arg(long, requires = "view", value_name = "FOLDER", help_heading = "Reporting")]
    pub(crate) meshes: Option<PathBuf>,
    /// With --view: start paused; resume from the page
    #[arg(long, requires = "view", help_heading = "Reporting")]
    pub(crate) paused: bool,
    /// With --view: the page can change the behavior, and save it
    #[arg(long, requires = "view", conflicts_with = "watch", help_heading = "Reporting")]
    pub(crate) edit: bool,
    /// With --edit: a folder with boxes of your own, besides `boxes` in the project and in your settings; repeatable
    #[arg(long, requires = "edit", value_name = "FOLDER", value_parser = crate::box_folders::folder, help_heading = "Reporting")]
    pub(crate) boxes: Vec<PathBuf>,
}

pub(super) const OPEN_EXAMPLES: &str = "\
Examples:
  boxstep open examples
  boxstep open --robot nao.local
  boxstep open behaviors --listen 127.0.0.1:8080 --no-browser";

pub(super) const VIEW_EXAMPLES: &str = "\
Examples:
  boxstep view run.jsonl examples/hello
  boxstep view run.mcap
  boxstep view FOLDER                            a show that `fleet rehearse --record FOLDER` has recorded";

#[derive(Args, Debug)]
pub(crate) struct OpenArgs {
    /// The folder to search for behaviors
    #[arg(default_value = ".", value_parser = crate::examples::or_path())]
    pub(crate) folder: PathBuf,
    /// The address of the page; everyone who has the printed URL can see it
    #[arg(long, value_name = "ADDRESS", default_value = ADDRESS)]
    pub(crate) listen: String,
    /// A file whose first line is the token of the page [default: a new token at each start]
    #[arg(long, value_name = "FILE")]
    pub(crate) view_token: Option<PathBuf>,
    /// A robot that the page can play on, besides the simulated one; repeat for several, the first is the default
    #[arg(long, value_name = crate::robot_address::PLAYED_ON, value_hint = ValueHint::Hostname)]
    pub(crate) robot: Vec<String>,
    /// Pages can change the behaviors that they show, and save them
    #[arg(long)]
    pub(crate) edit: bool,
    /// With --edit: a folder with boxes of your own, besides `boxes` in each project and in your settings; repeatable
    #[arg(long, requires = "edit", value_name = "FOLDER", value_parser = crate::box_folders::folder)]
    pub(crate) boxes: Vec<PathBuf>,
    /// Print the address of the page without opening a browser
    #[arg(long)]
    pub(crate) no_browser: bool,
}

#[derive(Args, Clone, Debug)]
pub(crate) struct ViewArgs {
    /// A recording: a trace, an MCAP file, a folder of flight recordings, or a recorded show
    pub(crate) recording: PathBuf,
    /// The file that was played, to draw it: a .xar, the folder of a behavior, a project, or an archive
    pub(crate) file: Option<PathBuf>,
    /// The behavior that was played, if there are several
    #[arg(long, value_name = "NAME", requires = "file")]
    pub(crate) behavior: Option<String>,
    /// The address of the page; everyone who has the printed URL can see it
    #[arg(long, value_name = "ADDRESS", default_value = ADDRESS)]
    pub(crate) listen: String,
    /// A file whose first line is the token of the page [default: a new token at each start]
    #[arg(long, value_name = "FILE")]
    pub(crate) view_token: Option<PathBuf>,
    /// A folder with your own meshes of the robot, named after its links (.glb, .stl)
    #[arg(long, value_name = "FOLDER")]
    pub(crate) meshes: Option<PathBuf>,
    /// Print the address of the page without opening a browser
    #[arg(long)]
    pub(crate) no_browser: bool,
}
