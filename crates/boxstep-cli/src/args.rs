//! The command line: one table for parser and help.

mod behaviors;
mod common;
mod diff;
mod files;
mod qi;
mod recordings;
mod replay;
mod robot;
mod robots;
mod run_spec;
mod test;
mod view;
mod why;

pub(crate) use behaviors::{ListArgs, SendArgs, StartArgs};
pub(crate) use common::{OutputArgs, Qi, Scripts};
pub(crate) use diff::{DiffArgs, DiffFormat};
pub(crate) use files::{ConvertArgs, FmtArgs, Kind, MigrateArgs, MigrateFormat, PackArgs, UnpackArgs};
pub(crate) use qi::{CallArgs, InfoArgs, Member, PostArgs, QiArgs, QiCommand, RobotArgs, WatchArgs};
pub(crate) use recordings::{RecordingArgs, TraceBuffer};
pub(crate) use replay::ReplayArgs;
pub(crate) use robot::{Accept, AcceptArgs, RobotClock, RobotSimArgs};
pub(crate) use robots::{DoctorArgs, LeaveArgs, StopArgs};
pub(crate) use run_spec::RunSpec;
pub(crate) use test::{NewArgs, TestArgs, TestFormat, TestOneArgs};
pub(crate) use view::{OpenArgs, PageArgs, ViewArgs};
pub(crate) use why::{WhyArgs, WhyFormat};

use crate::character;
use crate::failure::{Failure, plain};
use crate::robot_address::{self, Access};
use crate::value_parsers::{Setting, Stimulus, TimedEvent};
use clap::{Args, Parser, Subcommand, ValueEnum};
use common::{FILE, PLAYED, body_name};
use std::path::{Path, PathBuf};

/// Plays Choregraphe robot behaviors, without Choregraphe, on simulated robots.
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

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Play a behavior or a character and tell what happens
    #[command(visible_alias = "run", after_help = PLAY_EXAMPLES)]
    Play(Box<PlayArgs>),
    /// Say what is wrong with files: where, why, and what to do
    #[command(after_help = CHECK_EXAMPLES)]
    Check(CheckArgs),
    /// Write the completions of a shell for this command line
    Completions(CompletionsArgs),
    /// Write a behavior or project in another form: xar, project, archive, split folder; a behavior tree as a character
    #[command(after_help = files::CONVERT_EXAMPLES)]
    Convert(ConvertArgs),
    /// Say what changed between two behaviors: boxes, links, parameters, keys, scripts
    #[command(after_help = "Exit codes: 0 the same; 1 different; 2 bad usage or file.")]
    Diff(DiffArgs),
    /// Say whether a robot is ready for a behavior, and what to do if it is not; nothing is played or changed
    #[command(after_help = robots::DOCTOR_EXAMPLES)]
    Doctor(DoctorArgs),
    /// Lay .xar files out as Choregraphe does, in place
    Fmt(FmtArgs),
    /// List the behaviors of a robot, or of another Boxstep
    #[command(after_help = behaviors::BEHAVIORS_EXAMPLES)]
    Ls(ListArgs),
    /// Write the manual page
    Man(ManArgs),
    /// Write Python 2 scripts as Python 3, with a report of what needs review
    #[command(after_help = files::MIGRATE_EXAMPLES)]
    Migrate(MigrateArgs),
    /// Make a folder with a behavior that plays, its test and the lines for CI
    #[command(after_help = test::NEW_EXAMPLES)]
    New(NewArgs),
    /// Make an archive (.crg, .pkg, .cbl) of a project's folder
    Pack(PackArgs),
    /// Plot joint curves with the limits of the body
    Plot(PlotArgs),
    /// List the behaviors that run on a robot, or in another Boxstep
    #[command(after_help = behaviors::BEHAVIORS_EXAMPLES)]
    Ps(ListArgs),
    /// Speak to a robot: list its services, call their methods, watch their signals
    #[command(after_help = qi::QI_EXAMPLES)]
    Qi(QiArgs),
    /// Play a recorded run again in virtual time, and compare what comes of it
    #[command(after_help = replay::REPLAY_EXAMPLES)]
    Replay(ReplayArgs),
    /// Serve a simulated robot to qi clients, such as Python's `qi`
    #[command(visible_alias = "sim", after_help = robot::ROBOT_EXAMPLES)]
    Robot(RobotSimArgs),
    /// Send a behavior to another Boxstep, which plays it
    #[command(after_help = behaviors::SEND_EXAMPLES)]
    Send(SendArgs),
    /// Start a behavior of a robot, or of another Boxstep
    #[command(after_help = behaviors::BEHAVIORS_EXAMPLES)]
    Start(StartArgs),
    /// Show the boxes, ports, links, timelines and resources of a behavior; of a character, who may give control to whom
    #[command(after_help = SHOW_EXAMPLES)]
    Show(ShowArgs),
    /// Stop a behavior, or all that a robot does: motion, behaviors, speech and sounds, whoever began them
    #[command(after_help = robots::STOP_EXAMPLES)]
    Stop(StopArgs),
    /// Show a recorded run in a browser
    View(ViewArgs),
    /// Show all behaviors below a folder in the browser, and play them from there
    Open(OpenArgs),
    /// Play behaviors and characters in virtual time and say whether they do as their tests expect
    #[command(after_help = test::TEST_EXAMPLES)]
    Test(TestArgs),
    /// One test, for `test`, which gives each a process of its own
    #[command(hide = true)]
    TestOne(TestOneArgs),
    /// Write the files of an archive (.crg, .pkg, .cbl) to a folder
    Unpack(UnpackArgs),
    /// Say why a behavior stopped, or why one of a character runs or not, from a recording
    #[command(after_help = why::WHY_EXAMPLES)]
    Why(WhyArgs),
}

const SHOW_EXAMPLES: &str = "\
Examples:
  boxstep show examples/hello
  boxstep show my_app.pml --behavior dance -o dance.html
  boxstep show examples/timeline-layers --box root/Dance -o dance.svg
  boxstep show examples/hello --format dot | dot -Tpng > hello.png
  boxstep show examples/guide/character.yaml --stacks";

const CHECK_EXAMPLES: &str = "\
Examples:
  boxstep check my_app.pml
  boxstep check -r behaviors --deny warnings --format sarif > findings.sarif
  boxstep check --explain BS0601

Exit codes: 0 no errors; 1 errors or denied findings; 2 bad usage or file.";

const PLAY_EXAMPLES: &str = "\
Playing a file runs its scripts as programs with your rights, in virtual time, too: docs/trust.md.

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
    #[arg(help = PLAYED)]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) spec: RunSpec,

    /// Play with what a test file gives; `FILE#NAME` is one of its tests. Other options go before it
    #[arg(long, value_name = "FILE")]
    pub(crate) scenario: Option<PathBuf>,
    /// Play a run again, in virtual time: with the options of its trace, and what came from outside at its times
    #[arg(long, value_name = "TRACE", conflicts_with = "scenario")]
    pub(crate) replay: Option<PathBuf>,
    /// Set a parameter before the start; VALUE is JSON, or text if it is not JSON
    #[arg(long, value_name = "PATH/PARAMETER=VALUE")]
    pub(crate) set: Vec<Setting>,
    /// Raise a robot memory event; VALUE is JSON, or text if it is not JSON
    #[arg(long, value_name = "NAME=VALUE@SECONDS")]
    pub(crate) event: Vec<TimedEvent>,
    /// Stimulate an input of a box, as a double-click in the editor does
    #[arg(long, value_name = "PATH:INPUT=VALUE@SECONDS")]
    pub(crate) stimulate: Vec<Stimulus>,

    /// Exit with 3 if the behavior has not ended by itself
    #[arg(long, help_heading = "Time")]
    pub(crate) must_end: bool,

    /// The robot to play on, several times for several; or a Python file whose classes are its services (robot.py)
    /// [default: BOXSTEP_ROBOT, or the simulation]
    #[arg(long, value_name = crate::robot_address::PLAYED_ON, help_heading = "Robot", verbatim_doc_comment)]
    pub(crate) robot: Vec<String>,
    #[command(flatten)]
    pub(crate) access: Access,
    #[command(flatten)]
    pub(crate) leave: LeaveArgs,
    /// Play again when it is over; with on-failure or always, a robot that is not there yet is waited for
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Restart::Never, help_heading = "Robot")]
    pub(crate) restart: Restart,
    /// One of several robots, for `play`, which gives each a process of its own
    #[arg(long, hide = true)]
    pub(crate) member: Option<String>,
    /// End as by Ctrl-C once standard input is closed, for whoever starts it and may be gone before
    #[arg(long, hide = true)]
    pub(crate) ends_with_input: bool,
    /// Offer the boxes and the services of the run to qi clients; in real time
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, require_equals = true, default_missing_value = "127.0.0.1:9559", conflicts_with = "virtual_time", help_heading = "Robot")]
    pub(crate) serve: Option<String>,
    #[command(flatten)]
    pub(crate) accept: AcceptArgs,
    #[command(flatten)]
    pub(crate) page: PageArgs,

    /// Take scripts, or files of a character, that change while it plays; in real time
    #[arg(long, help_heading = "Scripts")]
    pub(crate) watch: bool,

    #[command(flatten)]
    pub(crate) recordings: RecordingArgs,
    /// Tell only what goes wrong, and how it ended
    #[arg(short, long, conflicts_with = "verbose", help_heading = "Output")]
    pub(crate) quiet: bool,
    /// Tell every call, input and service call as well
    #[arg(short, long, help_heading = "Output")]
    pub(crate) verbose: bool,
}

/// When a behavior is played again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Restart {
    /// It is played once
    Never,
    /// When it has failed, or the robot was lost
    OnFailure,
    /// Until it is interrupted
    Always,
}

#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    #[arg(help = PLAYED)]
    pub(crate) file: PathBuf,
    /// Which behavior, if there are several
    #[arg(long, value_name = "NAME")]
    pub(crate) behavior: Option<String>,
    /// Of a character: every stack of behaviors that can be active, each tried out without a robot
    #[arg(long, conflicts_with_all = ["behavior", "level", "body"])]
    pub(crate) stacks: bool,
    /// Show only this box and what is inside; `root/Dance/@steps:left` is one keyframe
    #[arg(long = "box", value_name = "PATH")]
    pub(crate) level: Option<String>,
    /// The body whose limits are shown: nao, pepper, or a file (.toml, .urdf) [default: what the files were made for]
    #[arg(long, value_name = "BODY", value_parser = body_name)]
    pub(crate) body: Option<String>,
    /// How to show it [default: from the file name of --output, else tree]
    #[arg(long, value_enum, value_name = "NAME")]
    pub(crate) format: Option<ShowFormat>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// How a behavior is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ShowFormat {
    /// Text with branches, of everything inside
    Tree,
    /// Graphviz, of everything inside
    Dot,
    /// Mermaid flowchart, of everything inside
    Mermaid,
    /// A drawing of the diagram, as the editor shows it
    Svg,
    /// One page with every level, its drawings, scripts, parameters and curves
    Html,
    /// All that the file says, for other programs
    Json,
}

#[derive(Debug, Args)]
pub(crate) struct PlotArgs {
    #[arg(help = FILE)]
    pub(crate) file: PathBuf,
    /// Which behavior, if there are several
    #[arg(long, value_name = "NAME")]
    pub(crate) behavior: Option<String>,
    /// Only the timelines of this box and what is inside
    #[arg(long = "box", value_name = "PATH")]
    pub(crate) level: Option<String>,
    /// Only these joints, or those of a chain such as Head or LArm
    #[arg(long = "joint", value_name = "NAME", value_delimiter = ',')]
    pub(crate) joints: Vec<String>,
    /// The body whose limits are drawn: nao, pepper, or a file (.toml, .urdf) [default: what the files were made for]
    #[arg(long, value_name = "BODY", value_parser = body_name)]
    pub(crate) body: Option<String>,
    /// How to plot [default: from the file name of --output, else text]
    #[arg(long, value_enum, value_name = "NAME")]
    pub(crate) format: Option<PlotFormat>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// How curves are plotted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PlotFormat {
    /// For a terminal
    Text,
    /// A drawing
    Svg,
    /// A page with the drawing and a table
    Html,
}

#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// Only the page of this command
    pub(crate) command: Option<String>,
    /// Write the page of every command into this folder
    #[arg(long, value_name = "FOLDER", conflicts_with = "command")]
    pub(crate) all: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    #[arg(required_unless_present = "explain", value_name = "FILE", help = PLAYED)]
    pub(crate) files: Vec<PathBuf>,
    /// Look for files in folders, and in folders inside them
    #[arg(short, long)]
    pub(crate) recursive: bool,
    /// For people, one JSON object per finding, or SARIF 2.1.0
    #[arg(long, value_enum, value_name = "NAME", default_value_t = CheckFormat::Text)]
    pub(crate) format: CheckFormat,
    /// Show notes, too: what is worth knowing and fails nothing
    #[arg(long)]
    pub(crate) notes: bool,
    /// Count a code as an error, or every warning (`warnings`)
    #[arg(long, value_name = "CODE", value_delimiter = ',')]
    pub(crate) deny: Vec<String>,
    /// Do not tell a code
    #[arg(long, value_name = "CODE", value_delimiter = ',')]
    pub(crate) allow: Vec<String>,
    /// The robot it is to run on: nao, pepper, or a body file (.toml, .urdf) [default: what the files were made for]
    #[arg(long, value_name = "BODY", value_parser = body_name)]
    pub(crate) body: Option<String>,
    /// Which Python looks at scripts; it runs none of them
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) python: Option<PathBuf>,
    /// The file of old findings, which are not told
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    /// Write what is found now as the old findings
    #[arg(long)]
    pub(crate) write_baseline: bool,
    /// Print the page of a code
    #[arg(long, value_name = "CODE", conflicts_with = "files")]
    pub(crate) explain: Vec<String>,
}

/// How findings are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckFormat {
    /// With the line and a caret
    Text,
    /// One JSON object per line
    Json,
    /// One SARIF 2.1.0 log
    Sarif,
}

impl PlayArgs {
    /// What this version cannot do, if it is asked for.
    pub(crate) fn refused(&self) -> Option<String> {
        self.refused_watch().or_else(|| self.refused_robot())
    }

    /// Why files cannot be watched, if they are to be.
    pub(crate) fn refused_watch(&self) -> Option<String> {
        let why = match self.spec.how() {
            _ if !self.watch => return None,
            Scripts::Off if self.character().is_none() => {
                "--watch takes scripts that change, and --scripts off runs none"
            }
            _ if self.spec.virtual_time => {
                "--watch takes files that somebody changes while it plays, and in virtual time it has played before \
                 anybody could: leave one of the two out"
            }
            _ => return None,
        };
        Some(why.to_owned())
    }

    /// The file of the character to play, if it is one.
    pub(crate) fn character(&self) -> Option<PathBuf> {
        character::file_of(&self.file).filter(|_| self.spec.behavior.is_none())
    }

    /// The file of a robot that is written in Python.
    pub(crate) fn own_robot(&self) -> Option<&Path> {
        self.robot.iter().find(|robot| robot_address::is_file(robot)).map(Path::new)
    }

    /// The robots to play on, as they were named; none: the simulation, or a robot that is written in Python.
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

    /// The robot that this process plays on, if others play the same on others.
    pub(crate) fn one_of_several(&self) -> Option<&str> {
        self.member.as_deref().filter(|_| self.robot.len() > 1)
    }

    /// Others play, each in a process of its own, and this one looks after them.
    pub(crate) fn leads(&self) -> bool {
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
                    Err(error) => Some(format!("--robot {shown}: {}", plain(&error))),
                };
            }
        };
        Some(format!("--robot {shown} {why}"))
    }
}
