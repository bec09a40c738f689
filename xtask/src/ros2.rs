//! `cargo xtask ros2`: has programs that know nothing of Boxstep read what it writes for ROS 2. Their Python packages get
//! an environment of their own.

use crate::Outcome;
use crate::tools::{cargo, output, program, python_with, root, run, target};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Two readers of recordings, and two of robot descriptions.
const READERS: &str = "rosbags==0.11.9 mcap==1.6.0 mcap-ros2-support==0.6.0 yourdfpy==0.0.60 urdf-parser-py==0.0.4";

/// Another implementation of DDS.
const DDS: &str = "cyclonedds==11.0.1";

/// The runs that are recorded: a name, what is played (of the examples), with which options, and options of the
/// conversion.
const RUNS: [(&str, &str, &[&str], &[&str]); 6] = [
    ("nao", "hello", &[], &[]),
    ("pepper", "hello", &["--body", "pepper"], &[]),
    ("character", "companion", &["--for", "20", "--event", "FrontTactilTouched=1@4"], &[]),
    ("layers", "timeline-layers", &[], &[]),
    ("walk", "programs/square.py", &[], &[]),
    (
        "booster",
        "hello",
        &["--body", "examples/bodies/booster-t1.toml"],
        &["--body", "examples/bodies/booster-t1.toml"],
    ),
];

#[derive(Default, clap::Args)]
pub(crate) struct Options {
    /// A program that is already built
    #[arg(long)]
    binary: Option<PathBuf>,
}

/// Runs everything.
pub(crate) fn run_all(options: &Options) -> Outcome {
    let program = options.binary.clone().map_or_else(program, Ok)?;
    recordings(&program)?;
    node(&program)
}

/// Has another implementation of DDS talk to a node, and to a run of a program that has ROS 2.
fn node(boxstep: &Path) -> Outcome {
    let python = python_with(OsStr::new("python3"), "ros2", DDS, "cyclonedds")?;
    let example = ["--quiet", "--package", "boxstep-ros2", "--features", "ros2", "--example", "node"];
    run(&mut cargo(&["test", "--quiet", "--package", "boxstep-ros2", "--features", "ros2", "--test", "tests"]))?;
    run(cargo(&["build"]).args(example))?;
    let program = target().join("debug/examples").join(format!("node{}", std::env::consts::EXE_SUFFIX));
    run(Command::new(&python).arg(root().join("xtask/ros2/node.py")).arg(program))?;
    let help = output(Command::new(boxstep).args(["robot", "--ros2", "--for", "0", "--listen", "127.0.0.1:0"]));
    if help.is_err() {
        println!("left out: moving a run, because {} has no ROS 2 (--features ros2)", boxstep.display());
        return Ok(());
    }
    let folder = target().join("ros2").join("behaviors");
    run(Command::new(python).arg(root().join("xtask/ros2/robot.py")).arg(boxstep).arg(root()).arg(folder))
}

/// Records runs and has them read.
fn recordings(program: &Path) -> Outcome {
    let python = python_with(OsStr::new("python3"), "ros2", READERS, "rosbags, mcap_ros2, yourdfpy, urdf_parser_py")?;
    let folder = target().join("ros2").join("recordings");
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut check = Command::new(python);
    check.arg(root().join("xtask/ros2/recordings.py"));
    for (name, played, play, convert) in RUNS {
        let (trace, bag) = (folder.join(name).with_extension("jsonl"), folder.join(name).with_extension("mcap"));
        let boxstep = |command: &str| {
            let mut boxstep = Command::new(program);
            boxstep.arg(command).current_dir(root());
            boxstep
        };
        let more = ["--virtual-time", "--quiet", "--joints", "50", "--trace"];
        run(boxstep("play").arg(root().join("examples").join(played)).args(play).args(more).arg(&trace))?;
        run(boxstep("convert").arg(&trace).arg(&bag).args(["--ros2", "--force"]).args(convert))?;
        check.arg(trace).arg(bag);
    }
    run(&mut check)
}
