//! Project tasks. `cargo xtask --help` lists them.

mod bench_peers;
mod ci;
mod corpus;
mod deps;
mod determinism;
mod documents;
mod gallery;
mod interop;
mod interrupts;
mod nightly;
mod readme;
mod rules;
mod static_build;
mod steps;
mod tools;
mod torture;
mod view;
mod wheel;

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
    /// All that must hold before a change is merged
    Ci {
        /// Which steps [default: all]
        steps: Vec<String>,
    },
    /// What takes too long for each change: millions of cases, hours of torture, figures
    Nightly {
        /// Which steps [default: all]
        steps: Vec<String>,
    },
    /// Crates depend on each other only as the house's plan says
    Deps,
    /// Read and play every behavior of a folder, and compare with what is expected
    Corpus(corpus::Options),
    /// Play the examples again and again on a busy machine: every trace must be the same
    Determinism {
        /// How many runs of each example
        #[arg(long, default_value_t = 20)]
        runs: u32,
        /// Which examples [default: all]
        examples: Vec<PathBuf>,
    },
    /// Links between documents lead somewhere
    Documents,
    /// Draw the examples for docs/gallery
    Gallery,
    /// Make the Python package and try it out in every Python, where its sources are out of reach
    Wheel(wheel::Options),
    /// Try the qi protocol with libqi itself, both ways
    Interop,
    /// Interrupt plays on a robot at random instants: it stands, everything is unloaded, the program is gone in time
    Interrupts(interrupts::Options),
    /// Measure what has a peer, side by side with it
    BenchPeers {
        /// Which part [default: both]
        part: Option<bench_peers::Part>,
    },
    /// Play what is hostile, in bounded time: docs/torture.md says what
    Torture(torture::Options),
    /// Build the page of the view, compare it with the committed one, and try it in a browser
    View(view::Options),
    /// Build the program that runs on the robot itself: one file that needs no library of the system
    Static,
    /// Keep one core busy until the parent process is gone
    #[command(hide = true)]
    Spin,
}

/// What a task says when it fails.
type Outcome = Result<(), String>;

fn main() -> ExitCode {
    let done = match Cli::parse().task {
        Task::Ci { steps } => steps::run(&ci::STEPS, &steps),
        Task::Nightly { steps } => steps::run(&nightly::STEPS, &steps),
        Task::Deps => deps::run(),
        Task::Corpus(options) => corpus::run(&options),
        Task::Determinism { runs, examples } => determinism::run(runs, &examples),
        Task::Documents => documents::run(),
        Task::Gallery => gallery::run(),
        Task::Wheel(options) => wheel::run_all(&options, &tools::root()),
        Task::Interop => interop::all(),
        Task::Interrupts(options) => interrupts::run(&options),
        Task::BenchPeers { part } => bench_peers::run_all(part),
        Task::Torture(options) => torture::run(&options),
        Task::View(options) => view::run_all(&options, None),
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
