//! The simulated robot by itself, and the commands for what a robot has.

use super::common::{Scripts, body_name};
use super::view;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

pub(super) const ROBOT_EXAMPLES: &str = "\
What a person may type, at a terminal or with --type:
  touch FrontTactilTouched      touch a sensor and let go; with 1 or 0 only that
  say hello                     a word is heard
  face Ann                      a face is seen
  battery 20                    per cent
  event NAME=VALUE              any memory event, as --event of play
  memory KEY=VALUE              a value without an event
  quit

Examples:
  boxstep robot
  boxstep robot --body pepper --listen 127.0.0.1:9560

Exit codes: 0 ended by quit or --for; 2 bad usage; 4 the address cannot be listened at; 130 interrupted.";

/// Whose clock the robot goes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RobotClock {
    /// The machine's
    Own,
    /// The client's, by the service BoxstepClock and no others: for tests
    Client,
}

/// From whom behaviors are taken that are sent with `boxstep send`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Accept {
    /// From this machine: if no other can reach the address
    Local,
    /// From everybody who reaches the address: they run programs here
    Always,
    /// From nobody
    Never,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct AcceptArgs {
    /// From whom behaviors are taken that others send; their scripts are programs, and run here
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Accept::Local, help_heading = "Robot")]
    pub(crate) accept_behaviors: Accept,
}

/// How scripts run if nothing is said. A robot is there without Python too, until somebody sends a script.
const ROBOT_SCRIPTS: Scripts = if cfg!(unix) { Scripts::Process } else { Scripts::Off };

#[derive(Debug, Args)]
pub(crate) struct RobotSimArgs {
    /// The body: nao, pepper, or a file of one's own (.toml, .urdf)
    #[arg(long, value_name = "BODY", value_parser = body_name, default_value = "nao")]
    pub(crate) body: String,
    /// Where to listen: an address and a port, 0 for any that is free. Everybody who reaches it can use the robot
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:9559")]
    pub(crate) listen: String,
    /// Its name [default: that of the body]
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Language of speech, recognition and dialog
    #[arg(long, value_name = "LANGUAGE", default_value = "English")]
    pub(crate) language: String,
    /// Seed of every random number
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Memory, events at their times and mocks, as a test file gives them
    #[arg(long, value_name = "FILE[#NAME]")]
    pub(crate) scenario: Option<PathBuf>,
    /// End after this many seconds
    #[arg(long = "for", value_name = "SECONDS", value_parser = crate::value_parsers::seconds)]
    pub(crate) limit: Option<boxstep_types::Time>,
    /// Read from standard input what a person does to the robot, also where it is no terminal
    #[arg(long = "type")]
    pub(crate) typed: bool,
    /// Whose clock it goes by
    #[arg(long, value_enum, value_name = "WHOSE", default_value_t = RobotClock::Own)]
    pub(crate) clock: RobotClock,
    #[command(flatten)]
    pub(crate) accept: AcceptArgs,
    /// How the scripts of behaviors that are sent run; a process is started for the first of them
    #[arg(long, value_enum, value_name = "HOW", default_value_t = ROBOT_SCRIPTS, help_heading = "Scripts")]
    pub(crate) scripts: Scripts,
    /// The Python to run them in [default: that of the environment]
    #[arg(long, value_name = "PROGRAM", help_heading = "Scripts")]
    pub(crate) python: Option<PathBuf>,
    /// Show what it says and does in a browser: prints the address of a page
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, require_equals = true, default_missing_value = view::ADDRESS)]
    pub(crate) view: Option<String>,
    /// With --view: the file whose first line is the page's token [default: another one at each start]
    #[arg(long, requires = "view", value_name = "FILE")]
    pub(crate) view_token: Option<PathBuf>,
    /// Tell only what goes wrong
    #[arg(short, long, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Tell every call as well
    #[arg(short, long)]
    pub(crate) verbose: bool,
}
