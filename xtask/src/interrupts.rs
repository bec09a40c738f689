//! Ctrl-C at any time during a play on a robot: the robot must stand, everything be unloaded or reported, and the
//! program end in time.

use crate::Outcome;
use crate::tools::{program, root};
use boxstep_robot::naoqi::testing::StandIn;
use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How soon the program has to end.
const WITHIN: Duration = Duration::from_secs(2);
/// What is interrupted, in turns. Both run for longer than the latest interrupt: questions of the first get no answer.
const PLAYED: [&str; 2] = ["examples/hello", "crates/boxstep/tests/fixtures/spins.py"];
/// The latest time of an interrupt, in milliseconds after the program's first output.
const LATEST: u64 = 3000;

#[derive(clap::Args)]
pub(crate) struct Options {
    /// The number of interrupts
    #[arg(long, default_value_t = 200)]
    times: u32,
    /// The seed of their times
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Options {
    /// The number of interrupts for the nightly checks.
    pub(crate) fn often() -> Self {
        Self { times: 200, seed: 7 }
    }

    /// A few other times for each seed.
    pub(crate) fn of(seed: u64) -> Self {
        Self { times: 20, seed }
    }
}

/// Runs a few interrupts, with a program that is built.
pub(crate) fn few(program: &Path) -> Outcome {
    interrupt(program, &Options::of(1))
}

/// Interrupts plays at random times, of `examples/hello` and of a program with a thread that spins.
pub(crate) fn run(options: &Options) -> Outcome {
    interrupt(&program()?, options)
}

pub(crate) fn interrupt(binary: &Path, options: &Options) -> Outcome {
    let mut state = options.seed;
    let (mut wrong, mut slowest) = (Vec::new(), Duration::ZERO);
    for number in 0..options.times {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let instant = Duration::from_millis((state >> 33) % LATEST);
        let played = PLAYED[number as usize % PLAYED.len()];
        match once(binary, played, instant) {
            Ok(took) => slowest = slowest.max(took),
            Err(why) => wrong.push(format!("{number}: {played} interrupted after {} ms: {why}", instant.as_millis())),
        }
    }
    println!(
        "interrupts: {} of {} are as they should be; the slowest was gone after {} ms",
        options.times as usize - wrong.len(),
        options.times,
        slowest.as_millis()
    );
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

fn once(binary: &Path, played: &str, instant: Duration) -> Result<Duration, String> {
    let failed = |e: &dyn std::fmt::Display| e.to_string();
    let stand_in = StandIn::start().map_err(|e| failed(&e))?;
    let robot = stand_in.address().to_string();
    let mut child = Command::new(binary)
        .args(["play", played, "--verbose", "--anyway", "--robot", &robot])
        .current_dir(root())
        .env_remove("BOXSTEP_PYTHON")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|e| failed(&e))?;
    let mut lines = BufReader::new(child.stdout.take().ok_or("no output")?).lines();
    let first = lines.next().ok_or("it said nothing")?.map_err(|e| failed(&e))?;
    // The program continues meanwhile, so its output has to be read.
    let rest = std::thread::spawn(move || lines.map_while(Result::ok).collect::<Vec<_>>());
    std::thread::sleep(instant);
    let began = Instant::now();
    let sent = Command::new("kill").arg("-INT").arg(child.id().to_string()).status().map_err(|e| failed(&e))?;
    let status = child.wait_with_output().map_err(|e| failed(&e))?;
    let took = began.elapsed();
    let mut out = rest.join().map_err(|_| "its output could not be read")?;
    out.insert(0, first);
    let out = out.join("\n");
    if !sent.success() || status.status.code() != Some(130) {
        return Err(format!("it ended with {}\n{out}\n{}", status.status, String::from_utf8_lossy(&status.stderr)));
    }
    if took > WITHIN {
        return Err(format!("it was gone after {} ms\n{out}", took.as_millis()));
    }
    let moves = stand_in.open();
    if !moves.is_empty() && !out.contains("the robot may still move") {
        return Err(format!("the robot goes on with {moves:?}\n{out}"));
    }
    unloaded(&out).map(|()| took).map_err(|path| format!("{path} was loaded and neither unloaded nor reported\n{out}"))
}

/// Checks that every box that was loaded has been unloaded, or that it is reported otherwise.
fn unloaded(out: &str) -> Result<(), String> {
    if out.contains("stopped by force") {
        return Ok(());
    }
    let boxes = |word: &str| -> BTreeSet<String> {
        let line = |line: &str| {
            let (path, what) = line.get(9..)?.trim_start().rsplit_once("  ")?;
            (what.trim() == word && path.starts_with("root")).then(|| path.trim().to_owned())
        };
        out.lines().filter_map(line).collect()
    };
    let left: Vec<String> = boxes("loaded").difference(&boxes("unloaded")).cloned().collect();
    left.first().map_or(Ok(()), |path| Err(path.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_that_was_not_unloaded_is_found() {
        let loaded =
            "    0.179  root/Say      loaded\n    0.179  root/Say bye  loaded\n    4.581  root/Say      unloaded\n";
        assert_eq!(unloaded(loaded), Err("root/Say bye".to_owned()));
        assert_eq!(unloaded(&format!("{loaded}    4.581  root/Say bye  unloaded\n")), Ok(()));
        assert_eq!(
            unloaded(&format!("{loaded}  1.5  root  not stopped after 1.3 s, and stopped by force now\n")),
            Ok(())
        );
    }
}
