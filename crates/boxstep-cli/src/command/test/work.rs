//! Plays tests in parallel, each in its own process.

use super::gather::{Job, not_started};
use super::one::Verdict;
use crate::Program;
use crate::args::TestArgs;
use crate::failure::Failure;
use std::io;
use std::process::Stdio;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

/// The result of a test process.
pub(super) struct TestOutcome {
    pub(super) verdict: Verdict,
    /// Why the test could not be played.
    pub(super) error: Option<String>,
    pub(super) took: Duration,
    /// The keys that `--bless` has written.
    pub(super) written: Vec<&'static str>,
}

impl TestOutcome {
    pub(super) fn passed(&self) -> bool {
        self.error.is_none() && self.verdict.failures.is_empty()
    }
}

/// Plays all tests and reports them in order, each as soon as it and those before it have been played.
pub(super) fn all(
    jobs: &[Job],
    args: &TestArgs,
    program: &Program,
    report: &dyn Fn(&Job, &TestOutcome) -> std::io::Result<()>,
) -> Result<Vec<TestOutcome>, Failure> {
    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get);
    let workers = args.jobs.map_or(processors, |n| n.get()).min(jobs.len());
    let next = AtomicUsize::new(0);
    let (sender, results) = channel();
    std::thread::scope(|scope| {
        for _ in 0..workers {
            let (next, sender) = (&next, sender.clone());
            scope.spawn(move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(job) = jobs.get(index) else { return };
                    // The receiver is gone when standard output is closed.
                    if sender.send((index, play(program, job, args))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting: Vec<Option<TestOutcome>> = jobs.iter().map(|_| None).collect();
        let mut played: Vec<TestOutcome> = Vec::new();
        for (index, result) in results {
            if let Some(slot) = waiting.get_mut(index) {
                *slot = Some(result);
            }
            while let Some(result) = waiting.get_mut(played.len()).and_then(Option::take) {
                if let Some(job) = jobs.get(played.len()) {
                    report(job, &result)?;
                }
                played.push(result);
            }
        }
        Ok(played)
    })
}

/// Plays one test.
fn play(program: &Program, job: &Job, args: &TestArgs) -> TestOutcome {
    let began = Instant::now();
    let mut command = program.command();
    command.arg("test-one").arg(&job.suite.path).arg(job.index.to_string());
    if args.bless {
        command.arg("--observe");
    }
    let output = args
        .spec()
        .to_args()
        .map_err(io::Error::other)
        .and_then(|spec| command.args(spec).stdin(Stdio::null()).env("CLICOLOR_FORCE", "1").output());
    let (verdict, error) = match output {
        Err(e) => (Verdict::default(), Some(not_started(&e).to_string())),
        Ok(output) => {
            let out = String::from_utf8_lossy(&output.stdout);
            match out.lines().next_back().and_then(|line| serde_json::from_str(line).ok()) {
                Some(verdict) if output.status.success() => (verdict, None),
                _ => {
                    let said = String::from_utf8_lossy(&output.stderr).trim_end().to_owned();
                    let how = format!("its process ended with {}", output.status);
                    (Verdict::default(), Some(if said.is_empty() { how } else { said }))
                }
            }
        }
    };
    TestOutcome { verdict, error, took: began.elapsed(), written: Vec::new() }
}
