//! The arguments of all commands. clap derives both the parser and the help from them.

mod behaviors;
mod common;
mod diff;
mod drawings;
mod edit;
mod files;
mod fleet;
mod keep;
mod packages;
mod qi;
mod recordings;
mod replay;
mod rescue;
mod retarget;
mod robot;
mod robots;
mod ros2;
mod run_spec;
mod talk;
mod test;
mod view;
mod why;

pub(crate) use behaviors::{ListArgs, SendArgs, StartArgs};
pub(crate) use common::{OutputArgs, Qi, Scripts};
pub(crate) use diff::{DiffArgs, DiffFormat};
pub(crate) use drawings::{PlotArgs, PlotFormat, ShowArgs, ShowFormat};
pub(crate) use edit::{BehaviorChange, DialogChange, EditArgs, EditCommand, FileListChange};
pub(crate) use files::{ConvertArgs, FmtArgs, Kind, MigrateArgs, MigrateFormat, PackArgs, UnpackArgs};
#[cfg(feature = "fleet")]
pub(crate) use fleet::{
    CodeArgs, FleetLsArgs, FleetPlayArgs, FleetStopArgs, FleetWatchArgs, JoinArgs, NetworkArgs, RouterArgs,
    ShowPageArgs,
};
pub(crate) use fleet::{FleetArgs, FleetCommand, Loss, RehearseArgs};
pub(crate) use keep::KeepArgs;
pub(crate) use packages::{InstallArgs, PullArgs, RobotFiles, UninstallArgs};
pub(crate) use qi::{CallArgs, InfoArgs, Member, PostArgs, QiArgs, QiCommand, RobotArgs, WatchArgs};
pub(crate) use recordings::{RecordedFiles, RecordingArgs, TraceBuffer};
pub(crate) use replay::ReplayArgs;
pub(crate) use rescue::RescueArgs;
pub(crate) use retarget::{RetargetArgs, RetargetFormat};
pub(crate) use robot::{Accept, AcceptArgs, RobotClock, RobotSimArgs};
pub(crate) use robots::{DoctorArgs, LeaveArgs, RobotsArgs, StopArgs};
pub(crate) use ros2::NodeArgs;
#[cfg(feature = "ros2")]
pub(crate) use ros2::Reach;
pub(crate) use run_spec::{RunSpec, wall_clock};
pub(crate) use talk::TalkArgs;
pub(crate) use test::{NewArgs, TestArgs, TestFormat, TestOneArgs};
pub(crate) use view::{OpenArgs, PageArgs, ViewArgs};
pub(crate) use why::{WhyArgs, WhyFormat};

use crate::character;
use crate::failure::{Failure, system_message};
use crate::help::group;
use crate::robot_address::{self, Access};
use crate::value_parsers::{Setting, Stimulus, TimedEvent, TimedText};
use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use common::{PLAYED, body_name};
use std::path::{Path, PathBuf};

/// Plays Choregraphe robot behaviors on simulated and real robots, without Choregraphe
#[derive(Debug, Parser)]
#[command(
    name = "boxstep",
    bin_name = "boxstep",
    version,
    infer_long_args = true,
    subcommand_required = true,
    arg_required_else_help = true
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The commands, in the order of the help. `subcommand_help_heading` is the group of a command there (`help.rs`).
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Play a behavior or a character and report what happens
    #[command(subcommand_help_heading = group::PLAY, visible_alias = "run", after_help = PLAY_EXAMPLES)]
    Play(Box<PlayArgs>),
    /// List the examples that come with Boxstep: `boxstep play hello`
    #[command(subcommand_help_heading = group::PLAY, after_help = EXAMPLES_EXAMPLES)]
    Examples,
    /// Show the behaviors of a folder in a browser, and play them
    #[command(subcommand_help_heading = group::PLAY, after_help = view::OPEN_EXAMPLES)]
    Open(OpenArgs),
    /// Show the boxes, links and timelines of a behavior
    #[command(subcommand_help_heading = group::LOOK, after_help = drawings::SHOW_EXAMPLES)]
    Show(ShowArgs),
    /// Plot joint curves and the limits of the body
    #[command(subcommand_help_heading = group::LOOK, after_help = drawings::PLOT_EXAMPLES)]
    Plot(PlotArgs),
    /// Compare two behaviors, or two recordings
    #[command(subcommand_help_heading = group::LOOK, after_help = diff::DIFF_EXAMPLES)]
    Diff(DiffArgs),
    /// Show a recorded run in a browser
    #[command(subcommand_help_heading = group::LOOK, after_help = view::VIEW_EXAMPLES)]
    View(ViewArgs),
    /// Talk with a topic or a project's dialogs in the terminal
    #[command(subcommand_help_heading = group::PLAY, after_help = talk::TALK_EXAMPLES)]
    Talk(TalkArgs),
    /// Explain why the behavior of a recording stopped or does not run
    #[command(subcommand_help_heading = group::LOOK, after_help = why::WHY_EXAMPLES)]
    Why(WhyArgs),
    /// Create a folder with a playable behavior, its tests and a CI workflow
    #[command(subcommand_help_heading = group::CHANGE, after_help = test::NEW_EXAMPLES)]
    New(NewArgs),
    /// Format .xar files as Choregraphe does, and topics, in place
    #[command(subcommand_help_heading = group::CHANGE, after_help = files::FMT_EXAMPLES)]
    Fmt(FmtArgs),
    /// Convert Python 2 scripts to Python 3 and report what needs review
    #[command(subcommand_help_heading = group::CHANGE, after_help = files::MIGRATE_EXAMPLES)]
    Migrate(MigrateArgs),
    /// Change a behavior: values, links, boxes; every other line stays
    #[command(subcommand_help_heading = group::CHANGE, after_help = edit::EDIT_EXAMPLES)]
    Edit(EditArgs),
    /// Make the timelines of a behavior fit another robot
    #[command(subcommand_help_heading = group::CHANGE, after_help = retarget::RETARGET_EXAMPLES)]
    Retarget(RetargetArgs),
    /// Check files and report problems: where, why, and how to fix them
    #[command(subcommand_help_heading = group::TEST, after_help = CHECK_EXAMPLES)]
    Check(CheckArgs),
    /// Run the tests of behaviors and characters, in virtual time
    #[command(subcommand_help_heading = group::TEST, after_help = test::TEST_EXAMPLES)]
    Test(TestArgs),
    /// Run one test; `test` starts a process with this command for each test
    #[command(hide = true)]
    TestOne(TestOneArgs),
    /// Replay a recorded run in virtual time and compare the result
    #[command(subcommand_help_heading = group::TEST, after_help = replay::REPLAY_EXAMPLES)]
    Replay(ReplayArgs),
    /// Find the robots of the network, and ask them how they are
    #[command(subcommand_help_heading = group::ROBOTS, after_help = robots::ROBOTS_EXAMPLES)]
    Robots(RobotsArgs),
    /// Check whether a robot is ready for a behavior, and its health
    #[command(subcommand_help_heading = group::ROBOTS, after_help = robots::DOCTOR_EXAMPLES)]
    Doctor(DoctorArgs),
    /// Stop a behavior, or everything that a robot is doing
    #[command(subcommand_help_heading = group::ROBOTS, after_help = robots::STOP_EXAMPLES)]
    Stop(StopArgs),
    /// List the behaviors of a robot or another Boxstep
    #[command(subcommand_help_heading = group::ROBOTS, after_help = behaviors::LS_EXAMPLES)]
    Ls(ListArgs),
    /// List the behaviors that are running there
    #[command(subcommand_help_heading = group::ROBOTS, after_help = behaviors::PS_EXAMPLES)]
    Ps(ListArgs),
    /// Start a behavior there
    #[command(subcommand_help_heading = group::ROBOTS, after_help = behaviors::START_EXAMPLES)]
    Start(StartArgs),
    /// Send a behavior to another Boxstep, which plays it
    #[command(subcommand_help_heading = group::ROBOTS, after_help = behaviors::SEND_EXAMPLES)]
    Send(SendArgs),
    /// Serve a simulated robot to qi clients, like Python's
    #[command(subcommand_help_heading = group::ROBOTS, visible_alias = "sim", after_help = robot::ROBOT_EXAMPLES)]
    Robot(RobotSimArgs),
    /// Install a package on a robot
    #[command(subcommand_help_heading = group::ROBOTS, after_help = packages::INSTALL_EXAMPLES)]
    Install(InstallArgs),
    /// Remove a package from a robot
    #[command(subcommand_help_heading = group::ROBOTS, after_help = packages::UNINSTALL_EXAMPLES)]
    Uninstall(UninstallArgs),
    /// Bring a package of a robot to this computer
    #[command(subcommand_help_heading = group::ROBOTS, after_help = packages::PULL_EXAMPLES)]
    Pull(PullArgs),
    /// Report the health of robots every day, and what changes
    #[command(subcommand_help_heading = group::ROBOTS, after_help = keep::KEEP_EXAMPLES)]
    Keep(KeepArgs),
    /// Take home everything that a robot holds: files, packages, settings
    #[command(subcommand_help_heading = group::ROBOTS, after_help = rescue::RESCUE_EXAMPLES)]
    Rescue(RescueArgs),
    /// Play shows with several robots on several computers, in step
    #[command(subcommand_help_heading = group::ROBOTS, after_help = fleet::FLEET_EXAMPLES)]
    Fleet(FleetArgs),
    /// Talk to a robot: list its services, call methods, watch signals
    #[command(subcommand_help_heading = group::ROBOTS, after_help = qi::QI_EXAMPLES)]
    Qi(QiArgs),
    /// Convert between .xar, project, archive, split folder and character
    #[command(subcommand_help_heading = group::CONVERT, after_help = files::CONVERT_EXAMPLES)]
    Convert(ConvertArgs),
    /// Pack a project folder into an archive (.crg, .pkg, .cbl, .zip)
    #[command(subcommand_help_heading = group::CONVERT, after_help = files::PACK_EXAMPLES)]
    Pack(PackArgs),
    /// Unpack an archive (.crg, .pkg, .cbl, .zip) into a folder
    #[command(subcommand_help_heading = group::CONVERT, after_help = files::UNPACK_EXAMPLES)]
    Unpack(UnpackArgs),
    /// Print shell completions
    #[command(subcommand_help_heading = group::OTHER, after_help = COMPLETIONS_EXAMPLES)]
    Completions(CompletionsArgs),
    /// Print the manual page of Boxstep or of a command
    #[command(subcommand_help_heading = group::OTHER, after_help = MAN_EXAMPLES)]
    Man(ManArgs),
}

const EXAMPLES_EXAMPLES: &str = "\
Examples:
  boxstep examples
  boxstep play hello
  boxstep test examples";

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  boxstep completions bash > ~/.local/share/bash-completion/completions/boxstep
  boxstep completions fish > ~/.config/fish/completions/boxstep.fish";

const MAN_EXAMPLES: &str = "\
Examples:
  boxstep man | man -l -
  boxstep man play | man -l -
  boxstep man --all ~/.local/share/man/man1";

const CHECK_EXAMPLES: &str = "\
Examples:
  boxstep check my_app.pml
  boxstep check -r behaviors --deny warnings --format sarif > findings.sarif
  boxstep check -r behaviors --statistics
  boxstep check --explain BS0601

Exit codes: 0 no errors; 1 errors or denied findings; 2 bad usage or file.";

const PLAY_EXAMPLES: &str = "\
Playing a file runs its scripts with your rights, even in virtual time: docs/guides/trust.md.

Examples:
  boxstep play examples/hello
  boxstep play my_app.pml --behavior dance --virtual-time --for 600
  boxstep play examples/hello --box root/Wave
  boxstep play examples/touch --event 'FrontTactilTouched=1@2.5'
  boxstep play examples/hello --set 'root/Say/Text=\"Good morning\"'
  boxstep play examples/touch --replay run.jsonl --trace again.jsonl
  boxstep play examples/guide --watch

Exit codes: 0 ended, waiting or at --for; 2 bad usage or file; 3 not ended (with --must-end);
4 failed; 5 unsupported call met; 130 interrupted.";

#[derive(Clone, Debug, Args)]
pub(crate) struct PlayArgs {
    #[arg(help = PLAYED, value_parser = crate::examples::or_path())]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) spec: RunSpec,

    /// Play with the inputs of a test file; `FILE#NAME` selects one of its tests. Other options override it
    #[arg(long, value_name = "FILE")]
    pub(crate) scenario: Option<PathBuf>,
    /// Replay a run in virtual time, with the options and inputs of its trace
    #[arg(long, value_name = "TRACE", conflicts_with = "scenario")]
    pub(crate) replay: Option<PathBuf>,
    /// Set a parameter before the start; VALUE is JSON, or text if it is not valid JSON
    #[arg(long, value_name = "PATH/PARAMETER=VALUE")]
    pub(crate) set: Vec<Setting>,
    /// Raise a robot memory event; VALUE is JSON, or text if it is not valid JSON
    #[arg(long, value_name = "NAME=VALUE@SECONDS")]
    pub(crate) event: Vec<TimedEvent>,
    /// Say something to the robot. Without a time: one second after the start, or when it has answered
    #[arg(long, value_name = "TEXT[@SECONDS]")]
    pub(crate) hear: Vec<TimedText>,
    /// Say to the robot what is typed in the terminal, a line at a time; needs real time
    #[arg(long, conflicts_with_all = ["virtual_time", "replay"])]
    pub(crate) talk: bool,
    /// Stimulate an input of a box, like a double-click in the editor
    #[arg(long, value_name = "PATH:INPUT=VALUE@SECONDS")]
    pub(crate) stimulate: Vec<Stimulus>,

    /// Exit with 3 if the behavior has not ended by itself
    #[arg(long, help_heading = "Time")]
    pub(crate) must_end: bool,

    /// The robot to play on; repeat for several robots. A Python file defines a robot by its classes (robot.py)
    /// [default: BOXSTEP_ROBOT, or the simulation]
    #[arg(long, value_name = crate::robot_address::PLAYED_ON, value_hint = ValueHint::Hostname, help_heading = "Robot", verbatim_doc_comment)]
    pub(crate) robot: Vec<String>,
    #[command(flatten)]
    pub(crate) access: Access,
    #[command(flatten)]
    pub(crate) leave: LeaveArgs,
    /// Play again after the end; on-failure and always also wait for a robot that is not there yet
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Restart::Never, help_heading = "Robot")]
    pub(crate) restart: Restart,
    /// The robot of this process, one of several; `play` starts a process with this option for each robot
    #[arg(long, hide = true)]
    pub(crate) member: Option<String>,
    /// End as on Ctrl-C when standard input is closed, so that the run ends when its parent process is gone
    #[arg(long, hide = true)]
    pub(crate) ends_with_input: bool,
    /// Offer the boxes and services of the run to qi clients; real time only
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, require_equals = true, default_missing_value = "127.0.0.1:9559", conflicts_with = "virtual_time", help_heading = "Robot")]
    pub(crate) serve: Option<String>,
    #[command(flatten)]
    pub(crate) accept: AcceptArgs,
    #[command(flatten)]
    pub(crate) node: NodeArgs,
    #[command(flatten)]
    pub(crate) page: PageArgs,

    /// Reload scripts, or files of a character, that change during the run; real time only
    #[arg(long, help_heading = "Scripts")]
    pub(crate) watch: bool,

    #[command(flatten)]
    pub(crate) recordings: RecordingArgs,
    /// Print only problems and how the run ended
    #[arg(short, long, conflicts_with = "verbose", help_heading = "Output")]
    pub(crate) quiet: bool,
    /// Also print every call, input and service call
    #[arg(short, long, help_heading = "Output")]
    pub(crate) verbose: bool,
}

/// When a behavior is played again after its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Restart {
    /// Never; play once
    Never,
    /// After a failure or the loss of the robot
    OnFailure,
    /// Always, until interrupted
    Always,
}

#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// The command whose page is printed [default: the page of boxstep itself]
    pub(crate) command: Option<String>,
    /// Write the pages of all commands into this folder
    #[arg(long, value_name = "FOLDER", conflicts_with = "command")]
    pub(crate) all: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    #[arg(required_unless_present = "explain", value_name = "FILE", help = PLAYED, value_parser = crate::examples::or_path())]
    pub(crate) files: Vec<PathBuf>,
    /// Look for files in folders and their subfolders
    #[arg(short, long)]
    pub(crate) recursive: bool,
    /// Output format: text, one JSON object per finding, or SARIF 2.1.0
    #[arg(long, value_enum, value_name = "NAME", default_value_t = CheckFormat::Text)]
    pub(crate) format: CheckFormat,
    /// Show notes too; they never make the check fail
    #[arg(long)]
    pub(crate) notes: bool,
    /// Count the findings of each code instead of listing them
    #[arg(long)]
    pub(crate) statistics: bool,
    /// Treat a code as an error, or all warnings (`warnings`)
    #[arg(long, value_name = "CODE", value_delimiter = ',')]
    pub(crate) deny: Vec<String>,
    /// Ignore a code
    #[arg(long, value_name = "CODE", value_delimiter = ',')]
    pub(crate) allow: Vec<String>,
    /// The robot to check for: nao, nao-v3.3, pepper, or a body file (.toml, .urdf) [default: the one the files were made for]
    #[arg(long, value_name = "BODY", value_parser = body_name)]
    pub(crate) body: Option<String>,
    /// The Python that parses the scripts; it does not run them
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) python: Option<PathBuf>,
    /// The baseline file: its known findings are not reported
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    /// Write the current findings to the baseline file
    #[arg(long)]
    pub(crate) write_baseline: bool,
    /// Print the explanation of a code
    #[arg(long, value_name = "CODE", conflicts_with = "files")]
    pub(crate) explain: Vec<String>,
}

/// The output formats of `check`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckFormat {
    /// Text with the line and a caret
    Text,
    /// One JSON object per line
    Json,
    /// One SARIF 2.1.0 log
    Sarif,
}

impl PlayArgs {
    /// Returns why these options cannot be combined, if so.
    pub(crate) fn refused(&self) -> Option<String> {
        self.refused_together().or_else(|| self.refused_robot())
    }

    /// Returns why options cannot be combined that a test file or a recording may set, too, if so.
    pub(crate) fn refused_together(&self) -> Option<String> {
        self.refused_watch().or_else(|| self.refused_as_written()).or_else(|| self.refused_node())
    }

    /// Returns why `--ros2` cannot be combined with the other options, if so.
    fn refused_node(&self) -> Option<String> {
        let why = match self.node.ros2 {
            Some(_) if self.spec.virtual_time => "--ros2 is for real time: leave out --virtual-time",
            Some(_) if self.robot.len() > 1 => "--ros2 is for one robot: play on each of them with its own --ros2-name",
            _ => return None,
        };
        Some(why.to_owned())
    }

    /// Returns why `--watch` cannot be combined with the other options, if so.
    fn refused_watch(&self) -> Option<String> {
        let why = match self.spec.how() {
            _ if !self.watch => return None,
            Scripts::Off if self.character().is_none() => "--watch reloads scripts, and --scripts off runs none",
            _ if self.spec.virtual_time => {
                "--watch reloads files that change during the run, and a run in virtual time is over too soon for that: \
                 leave one of the two out"
            }
            _ => return None,
        };
        Some(why.to_owned())
    }

    /// Returns the file of the character to play, if a character is played.
    pub(crate) fn character(&self) -> Option<PathBuf> {
        character::file_of(&self.file).filter(|_| self.spec.behavior.is_none())
    }

    /// Returns the file of the robot, if the robot is written in Python.
    pub(crate) fn own_robot(&self) -> Option<&Path> {
        self.robot.iter().find(|robot| robot_address::is_file(robot)).map(Path::new)
    }

    /// Returns the addresses of the robots to play on. The list is empty for the simulation and for a robot that is
    /// written in Python.
    pub(crate) fn robots(&self) -> Result<Vec<String>, Failure> {
        if self.own_robot().is_some() {
            return Ok(Vec::new());
        }
        if let Some(member) = &self.member {
            return Ok(vec![member.clone()]);
        }
        for robot in &self.robot {
            robot_address::parse(robot).map_err(|why| Failure::Usage(format!("--robot: {why}")))?;
        }
        if !self.robot.is_empty() {
            return Ok(self.robot.clone());
        }
        Ok(robot_address::of_environment()?.map(|endpoint| endpoint.to_string()).into_iter().collect())
    }

    /// Returns the robot of this process, if other processes play the same on other robots.
    pub(crate) fn one_of_several(&self) -> Option<&str> {
        self.member.as_deref().filter(|_| self.robot.len() > 1)
    }

    /// Returns whether this process supervises others, each of which plays on one robot.
    pub(crate) fn is_supervisor(&self) -> bool {
        let robots = self.robots().map_or(0, |robots| robots.len());
        self.member.is_none() && (robots > 1 || (robots == 1 && self.restart != Restart::Never))
    }

    fn refused_robot(&self) -> Option<String> {
        if let Some(file) = self.own_robot() {
            return self.refused_own_robot(file);
        }
        let robots = match self.robots() {
            Ok(robots) => robots,
            Err(failure) => return Some(failure.to_string()),
        };
        let Some(first) = robots.first() else {
            let wanted = self.restart != Restart::Never;
            return wanted.then(|| "--restart is for robots: name one with --robot".to_owned());
        };
        if self.replay.is_some() {
            return Some(format!(
                "--replay plays on the simulation, and not on {first}: leave it out, or --robot and BOXSTEP_ROBOT"
            ));
        }
        if self.spec.virtual_time && (robots.len() > 1 || self.restart != Restart::Never || self.member.is_some()) {
            return Some(format!(
                "several robots, and --restart, are for real time, in which {first} moves: leave out --virtual-time"
            ));
        }
        let mut sorted = robots.clone();
        sorted.sort_unstable();
        let twice = sorted.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| &pair[0]);
        twice.map(|robot| format!("--robot names {robot} twice"))
    }

    /// Returns why `--as-written` cannot be combined with the other options, if so.
    fn refused_as_written(&self) -> Option<String> {
        let why = match self.spec.how() {
            _ if !self.spec.as_written => return None,
            _ if self.replay.is_some() => {
                "--as-written: the robots that a program has named are not in its recording, so --replay cannot play it again"
            }
            _ if self.spec.virtual_time => {
                "--as-written connects to robots, and their time is real: leave one of --as-written and --virtual-time out"
            }
            _ if !matches!(self.robots().as_deref(), Ok([])) || self.own_robot().is_some() => {
                "--as-written leaves the choice of the robot to the program: leave it out, or --robot and BOXSTEP_ROBOT"
            }
            Scripts::Native => return None,
            Scripts::Process | Scripts::Off => {
                "--as-written connects from Boxstep's own Python, so it needs --scripts native"
            }
        };
        Some(why.to_owned())
    }

    fn refused_own_robot(&self, file: &Path) -> Option<String> {
        let shown = file.display();
        let why = match self.spec.how() {
            _ if self.robot.len() > 1 => "plays alone: leave the other robots out",
            _ if self.restart != Restart::Never => "is a file, and --restart is for robots on the network",
            Scripts::Off => "is Python, and --scripts off runs none",
            _ => {
                let read = std::fs::File::open(file).and_then(|file| file.metadata());
                return match read {
                    Ok(found) if found.is_file() => None,
                    Ok(_) => Some(format!("--robot {shown}: not a file")),
                    Err(error) => Some(format!("--robot {shown}: {}", system_message(&error))),
                };
            }
        };
        Some(format!("--robot {shown} {why}"))
    }
}
