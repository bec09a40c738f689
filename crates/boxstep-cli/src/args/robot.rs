//! The arguments of `boxstep robot`, the simulated robot.

use super::common::{Scripts, body_name};
use super::recordings::RecordedFiles;
use super::ros2::NodeArgs;
use super::view;
use crate::failure::Failure;
use crate::robot_address;
use boxstep_qi::{Credentials, Generation};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

pub(super) const ROBOT_EXAMPLES: &str = "\
Commands to type at a terminal, or with --type:
  touch FrontTactilTouched      touch and release a sensor; with 1 or 0, only one of the two
  say hello                     the robot hears a word
  face Ann                      the robot sees a face
  battery 20                    charge in percent
  event NAME=VALUE              raise a memory event, like play --event
  memory KEY=VALUE              set a memory value without an event
  quit

Examples:
  boxstep robot
  boxstep robot --body pepper --listen 127.0.0.1:9560
  boxstep robot --password secret.txt            with TLS and a login, as NAOqi 2.9
  boxstep robot --disk my-nao                    with packages, preferences and files
  boxstep robot --naoqi 2.1                      for programs of old robots

Exit codes: 0 ended by quit or --for; 2 bad usage; 4 cannot listen on the address; 130 interrupted.";

/// The clock that the robot follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RobotClock {
    /// The clock of the machine
    Own,
    /// The clock of the client; only the service BoxstepClock is offered, for tests
    Client,
}

/// Which clients may send behaviors with `boxstep send`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Accept {
    /// Clients on this machine, if no other machine can reach the address
    Local,
    /// Every client that reaches the address: they can run programs here
    Always,
    /// None
    Never,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct AcceptArgs {
    /// Which clients may send behaviors; their scripts run as programs on this machine
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Accept::Local, help_heading = "Robot")]
    pub(crate) accept_behaviors: Accept,
}

/// The default of `--scripts`. The robot starts without Python; a process for scripts starts when a client sends a
/// behavior.
const ROBOT_SCRIPTS: Scripts = if cfg!(unix) { Scripts::Process } else { Scripts::Off };

#[derive(Debug, Args)]
pub(crate) struct RobotSimArgs {
    /// The body: nao, nao-v3.3, pepper, or a file (.toml, .urdf)
    #[arg(long, value_name = "BODY", value_parser = body_name, default_value = "nao")]
    pub(crate) body: String,
    /// The address and port to listen on; port 0 picks a free one. Without --password, everyone who reaches it can use
    /// the robot [default: 127.0.0.1:9559; with --password, 127.0.0.1:9503]
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<String>,
    /// As NAOqi 2.9: listen with TLS (tcps), for clients with this password, the first line of a file; `-` for standard
    /// input
    #[arg(long, value_name = "FILE")]
    password: Option<PathBuf>,
    /// With --password: the user of clients [default: nao]
    #[arg(long, value_name = "NAME", requires = "password")]
    user: Option<String>,
    /// The generation of NAOqi that the robot speaks like, with the methods that it is known to have [default: all that
    /// Boxstep knows]
    #[arg(long, value_name = "2.1|2.4|2.5|2.8|2.9")]
    pub(crate) naoqi: Option<Generation>,
    /// The name of the robot [default: the name of the body]
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Language of speech, recognition and dialog
    #[arg(long, value_name = "LANGUAGE", value_parser = crate::value_parsers::language, default_value = "English")]
    pub(crate) language: String,
    /// What is around the robot: a world file (.toml) [default: an empty room]
    #[arg(long, value_name = "FILE")]
    pub(crate) world: Option<PathBuf>,
    /// Give the robot a disk, a folder: its packages are installed there, and what it remembers stays [default: no disk]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) disk: Option<PathBuf>,
    /// Let the robot fall: its weight, its motors and the floor move it
    #[arg(long)]
    pub(crate) physics: bool,
    /// Seed of all random numbers
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true, value_parser = crate::value_parsers::whole::<u64>, default_value_t = 0)]
    pub(crate) seed: u64,
    /// Memory, timed events and mocks from a test file
    #[arg(long, value_name = "FILE[#NAME]")]
    pub(crate) scenario: Option<PathBuf>,
    /// Exit after this many seconds
    #[arg(long = "for", value_name = "SECONDS", allow_negative_numbers = true, value_parser = crate::value_parsers::seconds)]
    pub(crate) limit: Option<boxstep_types::Time>,
    /// Read what a person does to the robot from standard input, even if it is not a terminal
    #[arg(long = "type")]
    pub(crate) typed: bool,
    /// The clock that the robot follows
    #[arg(long, value_enum, value_name = "WHOSE", default_value_t = RobotClock::Own)]
    pub(crate) clock: RobotClock,
    #[command(flatten)]
    pub(crate) accept: AcceptArgs,
    #[command(flatten)]
    pub(crate) node: NodeArgs,
    #[command(flatten)]
    pub(crate) recordings: RecordedFiles,
    /// How the scripts of received behaviors run; the process starts with the first of them
    #[arg(long, value_enum, value_name = "HOW", default_value_t = ROBOT_SCRIPTS, help_heading = "Scripts")]
    pub(crate) scripts: Scripts,
    /// The Python that runs scripts [default: the one of the environment]
    #[arg(long, value_name = "PROGRAM", help_heading = "Scripts")]
    pub(crate) python: Option<PathBuf>,
    /// Show the robot in a browser; prints the address of the page
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, require_equals = true, default_missing_value = view::ADDRESS)]
    pub(crate) view: Option<String>,
    /// With --view: a file whose first line is the token of the page [default: a new token at each start]
    #[arg(long, requires = "view", value_name = "FILE")]
    pub(crate) view_token: Option<PathBuf>,
    /// Print only problems
    #[arg(short, long, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Also print every call
    #[arg(short, long)]
    pub(crate) verbose: bool,
}

impl RobotSimArgs {
    /// The address to listen on.
    pub(crate) fn address(&self) -> &str {
        let usual = if self.password.is_some() { "127.0.0.1:9503" } else { "127.0.0.1:9559" };
        self.listen.as_deref().unwrap_or(usual)
    }

    /// The login that clients need; `None` if they need none.
    pub(crate) fn login(&self) -> Result<Option<Credentials>, Failure> {
        let wrong = match (self.naoqi, &self.password) {
            (Some(Generation::Naoqi21), Some(_)) => "--password: NAOqi 2.1 asks nobody for a password",
            (Some(Generation::Naoqi29), None) => {
                "--naoqi 2.9 needs --password FILE: NAOqi 2.9 speaks TLS, to clients that know its password"
            }
            _ => "",
        };
        if !wrong.is_empty() {
            return Err(Failure::Usage(wrong.to_owned()));
        }
        self.password.as_deref().map(|file| robot_address::login(self.user.as_deref(), file)).transpose()
    }
}
