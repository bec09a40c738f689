//! The arguments of `boxstep fleet`.

use super::common::body_name;
use super::robots::LeaveArgs;
use crate::robot_address::{Access, PLAYED_ON};
use clap::{Args, Subcommand, ValueHint};
use std::path::PathBuf;

pub(super) const FLEET_EXAMPLES: &str = "\
Examples:
  boxstep fleet rehearse examples/chorus/show.yaml
  boxstep fleet code --new                       on one computer; type the code on the others
  boxstep fleet join soprano --lan               on the computer of each robot
  boxstep fleet ls --lan
  boxstep fleet play show.yaml --lan
  boxstep fleet stop --lan                       everything stops, from any computer

Exit codes: 0 the show came to its end; 2 bad usage or show file; 4 it was called off or stopped; 130 interrupted.";

#[derive(Args, Debug)]
pub(crate) struct FleetArgs {
    #[command(subcommand)]
    pub(crate) command: FleetCommand,
}

#[derive(Subcommand, Debug)]
pub(crate) enum FleetCommand {
    /// Play a show with simulated robots, in virtual time, on a simulated network
    Rehearse(RehearseArgs),
    /// Show this computer's pairing code, make a new one, or take that of another computer
    Code(CodeArgs),
    /// Offer a robot to the shows of the fleet, until Ctrl-C
    Join(Box<JoinArgs>),
    /// List the robots of the fleet
    Ls(FleetLsArgs),
    /// Play a show with the robots of the fleet
    Play(FleetPlayArgs),
    /// Stop everything that the robots of the fleet are doing, at once
    Stop(FleetStopArgs),
    /// Print what the robots of the fleet are doing, as it changes
    Watch(FleetWatchArgs),
    /// Pass on the messages of computers that do not reach each other, until Ctrl-C
    Router(RouterArgs),
}

#[derive(Args, Debug)]
pub(crate) struct CodeArgs {
    /// Make the code of a new fleet
    #[arg(long, conflicts_with = "code")]
    pub(crate) new: bool,
    /// The code of another computer; `-` reads it from standard input
    #[arg(value_name = "CODE")]
    pub(crate) code: Option<String>,
}

/// How a command reaches the computers of the fleet.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct NetworkArgs {
    /// Reach the computers of the local network, which find each other [default: only this computer]
    #[arg(long, help_heading = "Network")]
    pub(crate) lan: bool,
    /// The address of a router or of another computer; repeatable
    #[arg(long, value_name = "HOST[:PORT]", help_heading = "Network")]
    pub(crate) connect: Vec<String>,
    /// The address and port to listen on [default: a free port]
    #[arg(long, value_name = "ADDRESS:PORT", help_heading = "Network")]
    pub(crate) listen: Option<String>,
}

#[derive(Args, Clone, Debug)]
pub(crate) struct JoinArgs {
    /// The name of the robot in shows [default: the name of this computer]
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// The robot [default: BOXSTEP_ROBOT, or the simulation]
    #[arg(long, value_name = PLAYED_ON, value_hint = ValueHint::Hostname, help_heading = "Robot")]
    pub(crate) robot: Option<String>,
    /// The body: nao, nao-v3.3, pepper, or a file (.toml, .urdf)
    #[arg(long, value_name = "BODY", value_parser = body_name, default_value = "nao", help_heading = "Robot")]
    pub(crate) body: String,
    #[command(flatten)]
    pub(crate) access: Access,
    #[command(flatten)]
    pub(crate) leave: LeaveArgs,
    #[command(flatten)]
    pub(crate) network: NetworkArgs,
    /// Show each run in a browser; prints the address of the page
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, require_equals = true, default_missing_value = super::view::ADDRESS, help_heading = "Output")]
    pub(crate) view: Option<String>,
    /// Write a trace of each performance into a folder
    #[arg(long, value_name = "FOLDER", help_heading = "Output")]
    pub(crate) trace: Option<PathBuf>,
    /// Leave out the scripts of boxes
    #[arg(long, help_heading = "Scripts")]
    pub(crate) no_scripts: bool,
    /// The Python that runs scripts [default: the one of the environment]
    #[arg(long, value_name = "PATH", help_heading = "Scripts")]
    pub(crate) python: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct FleetLsArgs {
    #[command(flatten)]
    pub(crate) network: NetworkArgs,
    /// Print as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// The page of a show.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct ShowPageArgs {
    /// Show a lane for each robot in a browser; prints the address of the page
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, require_equals = true, default_missing_value = super::view::ADDRESS, help_heading = "Output")]
    pub(crate) view: Option<String>,
    /// With --view: a file whose first line is the token of the page [default: a new token at each start]
    #[arg(long, requires = "view", value_name = "FILE", help_heading = "Output")]
    pub(crate) view_token: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct FleetPlayArgs {
    /// The show file (.yaml)
    #[arg(value_name = "SHOW.yaml", value_parser = crate::examples::or_path())]
    pub(crate) show: PathBuf,
    #[command(flatten)]
    pub(crate) network: NetworkArgs,
    /// How long all robots have to join and to be armed
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, value_parser = crate::value_parsers::seconds, default_value = "60")]
    pub(crate) within: boxstep_types::Time,
    #[command(flatten)]
    pub(crate) page: ShowPageArgs,
    /// Record the show into a folder: a trace of each robot, the account, and all of it together (show.jsonl)
    #[arg(long, value_name = "FOLDER", help_heading = "Output")]
    pub(crate) record: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct FleetStopArgs {
    #[command(flatten)]
    pub(crate) network: NetworkArgs,
}

#[derive(Args, Debug)]
pub(crate) struct FleetWatchArgs {
    #[command(flatten)]
    pub(crate) network: NetworkArgs,
    #[command(flatten)]
    pub(crate) page: ShowPageArgs,
}

#[derive(Args, Debug)]
pub(crate) struct RouterArgs {
    /// The address and port to listen on
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:7447")]
    pub(crate) listen: String,
}

#[derive(Args, Debug)]
pub(crate) struct RehearseArgs {
    /// The show file (.yaml)
    #[arg(value_name = "SHOW.yaml", value_parser = crate::examples::or_path())]
    pub(crate) show: PathBuf,
    /// Simulate a bad Wi-Fi: 1 to 80 ms, 5 % of messages lost, clocks that run apart
    #[arg(long)]
    pub(crate) wifi: bool,
    /// Switch a robot's computer off at a time of the show, and on again; repeatable
    #[arg(long, value_name = "ROBOT@SECONDS[-SECONDS]", value_parser = loss)]
    pub(crate) lose: Vec<Loss>,
    /// Seed of the simulated network and of all random numbers
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true, value_parser = crate::value_parsers::whole::<u64>, default_value_t = 0)]
    pub(crate) seed: u64,
    /// Record the show into a folder: a trace of each robot, the account, and all of it together (show.jsonl)
    #[arg(long, value_name = "FOLDER", help_heading = "Output")]
    pub(crate) record: Option<PathBuf>,
    /// Give up after this many seconds of the show
    #[arg(long = "for", value_name = "SECONDS", allow_negative_numbers = true, value_parser = crate::value_parsers::seconds)]
    pub(crate) limit: Option<boxstep_types::Time>,
    /// Leave out the scripts of boxes
    #[arg(long)]
    pub(crate) no_scripts: bool,
    /// The Python that runs scripts [default: the one of the environment]
    #[arg(long, value_name = "PATH", help_heading = "Scripts")]
    pub(crate) python: Option<PathBuf>,
}

/// A computer that is switched off for a while.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Loss {
    pub(crate) robot: String,
    /// Seconds from the beginning of the first scene.
    pub(crate) from: f64,
    /// When it is switched on again; never without.
    pub(crate) to: Option<f64>,
}

fn loss(text: &str) -> Result<Loss, String> {
    let wrong = || "a robot, and when it is lost and back: alto@12 or alto@12-20".to_owned();
    let (robot, times) = text.rsplit_once('@').ok_or_else(wrong)?;
    let seconds = |text: &str| text.parse().ok().filter(|s: &f64| s.is_finite() && *s >= 0.0).ok_or_else(wrong);
    let (from, to) = match times.split_once('-') {
        Some((from, to)) => (seconds(from)?, Some(seconds(to)?)),
        None => (seconds(times)?, None),
    };
    if robot.is_empty() || to.is_some_and(|to| to <= from) {
        return Err(wrong());
    }
    Ok(Loss { robot: robot.to_owned(), from, to })
}
