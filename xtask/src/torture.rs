//! What is hostile, in bounded time: scripts, peers, archives, cuts of the link, floods, and orders of signals. `docs/torture.md` lists what
//! is tried.

mod scripts;

use crate::Outcome;
use crate::tools::{cargo, program, run as run_program};
use std::path::Path;
use std::time::{Duration, Instant};

/// What is tried, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Part {
    /// Scripts that take what they can get: played in both hosts, on both clocks
    Scripts,
    /// Random behaviors beside busy processors: each signal in its place
    Orders,
    /// Peers of the qi protocol and of the page that send half of it, too much, nonsense or nothing
    Peers,
    /// A link to a robot that drops after each message
    Cuts,
    /// Archives that climb out, that lie, and that name what a computer would obey
    Archives,
}

const ALL: [Part; 5] = [Part::Scripts, Part::Orders, Part::Peers, Part::Cuts, Part::Archives];

#[derive(clap::Args)]
pub(crate) struct Options {
    /// Which parts [default: all]
    parts: Vec<Part>,
    /// Go on with new cases for so long; without it each part is gone through once, in seconds
    #[arg(long)]
    hours: Option<f64>,
    /// The first cases
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Options {
    /// All parts, for an hour.
    pub(crate) fn long() -> Self {
        Self { parts: Vec::new(), hours: Some(1.0), seed: 1 }
    }
}

/// What no test does, with a program that is built: the other parts are tests, which try a few cases whenever they run.
pub(crate) fn few(program: &Path) -> Outcome {
    scripts::play_all(program)
}

/// Tries the parts, again and again if there is time. The first round that fails is the last.
pub(crate) fn run(options: &Options) -> Outcome {
    let program = program()?;
    let parts = if options.parts.is_empty() { &ALL[..] } else { &options.parts };
    let time = Duration::from_secs_f64(options.hours.unwrap_or_default().max(0.0) * 3600.0);
    let began = Instant::now();
    for seed in options.seed.. {
        for part in parts {
            let begins = Instant::now();
            try_part(*part, &program, seed)?;
            println!("torture: {part:?}, seed {seed}: {:.1} s", begins.elapsed().as_secs_f64());
        }
        if began.elapsed() >= time {
            break;
        }
    }
    Ok(())
}

fn try_part(part: Part, program: &Path, seed: u64) -> Outcome {
    match part {
        Part::Scripts => scripts::play_all(program),
        Part::Orders => program_of_tests("boxstep", "order", &[], seed),
        Part::Peers => {
            tests("boxstep-qi", &["budget", "faults", "laws", "trouble", "wire"], seed)?;
            tests("boxstep-view", &["wire"], seed)
        }
        Part::Cuts => tests("boxstep-robot", &["cuts", "preflight"], seed),
        Part::Archives => tests("boxstep-format", &["archives", "hostile", "formats"], seed),
    }
}

/// Tests of these modules, of which some draw their cases.
fn tests(package: &str, modules: &[&str], seed: u64) -> Outcome {
    program_of_tests(package, "tests", modules, seed)
}

fn program_of_tests(package: &str, program: &str, modules: &[&str], seed: u64) -> Outcome {
    let seed = seed.to_string();
    let mut command = cargo(&["test", "--quiet", "--package", package, "--test", program, "--"]);
    command.args(modules.iter().map(|module| format!("{module}::")));
    run_program(command.env("BOXSTEP_SEED", &seed).env("PROPTEST_RNG_SEED", &seed))
}
