//! Hostile inputs in bounded time: scripts, files, peers, archives, broken links to a robot, floods, interrupts, and
//! orders of signals. `docs/inside/torture.md` lists the cases.

mod files;
mod scripts;

use crate::tools::{program, run_tests};
use crate::{Outcome, interrupts};
use std::ffi::OsStr;
use std::path::Path;
use std::time::{Duration, Instant};

/// The parts, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Part {
    /// Scripts that misuse resources, with both hosts and both clocks
    Scripts,
    /// Files with more boxes, links and levels than any real one, read by every command
    Files,
    /// Names and texts with control sequences for a terminal
    Terminal,
    /// Ctrl-C at any time during a play on a robot
    Interrupts,
    /// Random behaviors beside busy processors: the order of signals is kept
    Orders,
    /// Peers of the qi protocol and of the page that send incomplete, excessive or invalid data, or nothing
    Peers,
    /// A link to a robot that drops after each message
    Cuts,
    /// Archives with paths outside of them, false sizes, and dangerous names
    Archives,
}

const ALL: [Part; 8] = [
    Part::Scripts,
    Part::Files,
    Part::Terminal,
    Part::Interrupts,
    Part::Orders,
    Part::Peers,
    Part::Cuts,
    Part::Archives,
];

#[derive(clap::Args)]
pub(crate) struct Options {
    /// The parts [default: all]
    parts: Vec<Part>,
    /// Continue with new cases for this many hours; without it each part runs once, in seconds
    #[arg(long)]
    hours: Option<f64>,
    /// The seed of the first cases
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Options {
    /// All parts, for an hour.
    pub(crate) fn long() -> Self {
        Self { parts: Vec::new(), hours: Some(1.0), seed: 1 }
    }
}

/// Runs the parts that are not tests, with a program that is built. The other parts are tests, which run a few cases
/// each time.
pub(crate) fn few(program: &Path) -> Outcome {
    scripts::play_all(program)?;
    files::read_all(program, files::FEW)
}

/// Runs the parts, repeatedly if there is time. The first round that fails is the last.
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
        Part::Files => files::read_all(program, files::MANY),
        Part::Terminal => tests(&["terminal::"], seed),
        Part::Interrupts => interrupts::interrupt(program, &interrupts::Options::of(seed)),
        Part::Orders => tests_of("order", &[], seed),
        Part::Peers => tests(&["budget::", "faults::", "laws::", "trouble::", "wire::"], seed),
        Part::Cuts => tests(&["cuts::", "preflight::"], seed),
        Part::Archives => tests(&["archives::", "hostile::", "formats::"], seed),
    }
}

/// Runs the tests of these modules, some of which generate their cases.
fn tests(modules: &[&str], seed: u64) -> Outcome {
    tests_of("tests", modules, seed)
}

fn tests_of(program: &str, modules: &[&str], seed: u64) -> Outcome {
    let seed = seed.to_string();
    let seed = OsStr::new(&seed);
    run_tests(&["--test", program], modules, &[("BOXSTEP_SEED", seed), ("PROPTEST_RNG_SEED", seed)])
}
