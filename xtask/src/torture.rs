//! What is hostile, in bounded time: scripts, files, peers, archives, cuts of the link, floods, interrupts, and orders of signals.
//! `docs/torture.md` lists what is tried.

mod files;
mod scripts;

use crate::tools::{program, run_tests};
use crate::{Outcome, interrupts};
use std::ffi::OsStr;
use std::path::Path;
use std::time::{Duration, Instant};

/// What is tried, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Part {
    /// Scripts that take what they can get: played in both hosts, on both clocks
    Scripts,
    /// Files with more boxes, links and levels than anybody draws, read by every command
    Files,
    /// Names and texts that would give orders to a terminal
    Terminal,
    /// Ctrl-C at any instant of a play on a robot
    Interrupts,
    /// Random behaviors beside busy processors: each signal in its place
    Orders,
    /// Peers of the qi protocol and of the page that send half of it, too much, nonsense or nothing
    Peers,
    /// A link to a robot that drops after each message
    Cuts,
    /// Archives that climb out, that lie, and that name what a computer would obey
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
    scripts::play_all(program)?;
    files::read_all(program, files::FEW)
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
        Part::Files => files::read_all(program, files::MANY),
        Part::Terminal => tests(&["terminal::"], seed),
        Part::Interrupts => interrupts::interrupt(program, &interrupts::Options::of(seed)),
        Part::Orders => tests_of("order", &[], seed),
        Part::Peers => tests(&["budget::", "faults::", "laws::", "trouble::", "wire::"], seed),
        Part::Cuts => tests(&["cuts::", "preflight::"], seed),
        Part::Archives => tests(&["archives::", "hostile::", "formats::"], seed),
    }
}

/// Tests of these modules, of which some draw their cases.
fn tests(modules: &[&str], seed: u64) -> Outcome {
    tests_of("tests", modules, seed)
}

fn tests_of(program: &str, modules: &[&str], seed: u64) -> Outcome {
    let seed = seed.to_string();
    let seed = OsStr::new(&seed);
    run_tests(&["--test", program], modules, &[("BOXSTEP_SEED", seed), ("PROPTEST_RNG_SEED", seed)])
}
