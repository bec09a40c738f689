//! `boxstep test --bless`: writes expectations from what the tests do now.

use super::gather::{Found, Job};
use super::tell::Reporter;
use super::work::{self, TestOutcome};
use crate::Program;
use crate::args::TestArgs;
use crate::failure::{Failure, system_message};
use anstyle::{AnsiColor, Style};
use boxstep_format::output::write_file;
use boxstep_test::Suite;
use boxstep_test::observe::bless;
use boxstep_types::printable_line;
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

const CYAN: Style = AnsiColor::Cyan.on_default();

/// Writes expectations and plays those tests again: an expectation that differs from run to run stays a failure.
pub(super) fn run(
    found: &mut Found,
    played: &mut [TestOutcome],
    args: &TestArgs,
    program: &Program,
    report: &Reporter,
) -> Result<(), Failure> {
    let mut texts: BTreeMap<PathBuf, String> = BTreeMap::new();
    let mut again: Vec<usize> = Vec::new();
    for (i, (job, result)) in found.jobs.iter().zip(played.iter_mut()).enumerate() {
        let Some(test) = job.suite.tests.get(job.index) else { continue };
        let wanted = match &test.expect {
            // A test that fails by itself gets no expectation.
            None => result.passed(),
            Some(_) => args.force && result.error.is_none() && !result.passed(),
        };
        let Some(observed) = result.verdict.observed.take().filter(|_| wanted) else { continue };
        let path = &job.suite.path;
        let text = match texts.get(path) {
            Some(text) => text.clone(),
            None => std::fs::read_to_string(path).map_err(|e| Failure::io(path, &e))?,
        };
        let blessed = bless(&text, job.index, &observed)
            .map_err(|why| Failure::File(path.clone(), format!("`{}` cannot be written: {why}", test.name)))?;
        if !blessed.written.is_empty() {
            texts.insert(path.clone(), blessed.text);
            result.written = blessed.written;
            again.push(i);
        }
    }
    let mut suites: BTreeMap<PathBuf, Arc<Suite>> = BTreeMap::new();
    for (path, text) in &texts {
        // Never write a file that cannot be read again.
        let suite = Suite::read(path, text).map_err(|wrong| crate::scenario::failure(&wrong))?;
        suites.insert(path.clone(), Arc::new(suite));
        write_file(path, text.as_bytes(), true)
            .map_err(|e| Failure::Run(format!("cannot write {}: {}", path.display(), system_message(&e))))?;
    }
    let mut jobs: Vec<Job> = Vec::new();
    for i in &again {
        let Some(job) = found.jobs.get_mut(*i) else { continue };
        job.suite = suites.get(&job.suite.path).cloned().unwrap_or_else(|| job.suite.clone());
        jobs.push(Job { suite: job.suite.clone(), index: job.index });
        let mut err = crate::terminal::stderr();
        let written = played.get(*i).map(|p| p.written.join(", ")).unwrap_or_default();
        // A closed standard error is ignored; the file has the expectation.
        let _ = writeln!(err, "{CYAN}blessed{CYAN:#} {}: wrote {written}", printable_line(&job.title()));
    }
    for (i, mut new) in again.into_iter().zip(work::all(&jobs, args, program, &**report)?) {
        if let Some(old) = played.get_mut(i) {
            new.written = std::mem::take(&mut old.written);
            *old = new;
        }
    }
    Ok(())
}
