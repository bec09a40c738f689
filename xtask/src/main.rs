//! Project tasks. `cargo xtask --help` lists them.

mod bench_peers;
mod book;
mod ci;
mod corpus;
mod deps;
mod determinism;
mod dist;
mod documents;
mod gallery;
mod interop;
mod interrupts;
mod judge;
mod licenses;
mod nightly;
mod offline;
mod programs;
mod readme;
mod ros2;
mod rules;
mod static_build;
mod steps;
mod tools;
mod torture;
mod view;
mod wheel;
mod windows;

use clap::{Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Project tasks")]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Run all checks that must pass before a change is merged
    Ci {
        /// The steps [default: all]
        steps: Vec<String>,
    },
    /// Run the checks that take too long for each change: millions of cases, hours of torture, measurements
    Nightly {
        /// The steps [default: all]
        steps: Vec<String>,
    },
    /// Check that crates depend on each other only as ARCHITECTURE.md says
    Deps,
    /// Read and play every behavior of a folder, and compare with the expected results
    Corpus(corpus::Options),
    /// Run every Python program of a folder on the simulated robot, and tell why some fail
    Programs(programs::Options),
    /// Play the examples repeatedly on a busy machine: every trace must be the same
    Determinism {
        /// The number of runs of each example
        #[arg(long, default_value_t = 20)]
        runs: u32,
        /// The examples [default: all]
        examples: Vec<PathBuf>,
    },
    /// Make what a release consists of: wheels, archives, licenses, checksums
    Dist(dist::Options),
    /// Check that links between documents are valid
    Documents,
    /// Build the documentation as a book, with search, for reading offline
    Book,
    /// Draw the examples for docs/gallery
    Gallery,
    /// Build the Python package and test it in every Python, with its sources hidden
    Wheel(wheel::Options),
    /// Test the qi protocol with libqi itself, in both directions
    Interop,
    /// Interrupt plays on a robot at random times: it must stand, everything be unloaded, and the program end in time
    Interrupts(interrupts::Options),
    /// Compare kinematics and dynamics with Pinocchio's
    Judge,
    /// Have other programs read recordings for ROS 2, and talk to a node
    Ros2(ros2::Options),
    /// Measure side by side with peers
    BenchPeers {
        /// The part [default: all]
        part: Option<bench_peers::Part>,
    },
    /// Play hostile inputs in bounded time: docs/inside/torture.md lists them
    Torture(torture::Options),
    /// Build the page of the view, compare it with the committed one, and test it in a browser
    View(view::Options),
    /// Build the page that needs no program, and the extension for VS Code, and try them in a browser
    Offline(offline::Options),
    /// Build the program for the robot's own computer: one file that needs no library of the system
    Static,
    /// Build the program for Windows and try it with Wine
    Windows(windows::Options),
    /// Keep one core busy until the parent process has ended
    #[command(hide = true)]
    Spin,
}

/// The result of a task: an error says why it failed.
type Outcome = Result<(), String>;

fn main() -> ExitCode {
    let done = match Cli::parse().task {
        Task::Ci { steps } => steps::run(&ci::STEPS, &steps),
        Task::Nightly { steps } => steps::run(&nightly::STEPS, &steps),
        Task::Deps => deps::run(),
        Task::Corpus(options) => corpus::run(&options),
        Task::Programs(options) => programs::run(&options),
        Task::Determinism { runs, examples } => determinism::run(runs, &examples),
        Task::Dist(options) => dist::run_all(&options),
        Task::Documents => documents::run(),
        Task::Book => book::build(),
        Task::Gallery => gallery::run(),
        Task::Wheel(options) => wheel::run_all(&options, &tools::root()),
        Task::Interop => interop::all(),
        Task::Interrupts(options) => interrupts::run(&options),
        Task::Judge => judge::run_all(),
        Task::Ros2(options) => ros2::run_all(&options),
        Task::BenchPeers { part } => bench_peers::run_all(part),
        Task::Torture(options) => torture::run(&options),
        Task::View(options) => view::run_all(&options, None),
        Task::Offline(options) => offline::run_all(&options, None),
        Task::Windows(options) => windows::run_all(&options),
        Task::Static => static_build::run_all(),
        Task::Spin => determinism::spin(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::FAILURE
        }
    }
}
