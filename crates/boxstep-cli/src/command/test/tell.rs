//! Prints the results of tests.

use super::gather::Job;
use super::work::TestOutcome;
use crate::failure::Failure;
use crate::output;
use crate::terminal::Reader;
use anstyle::{AnsiColor, Style};
use boxstep_test::junit::Case;
use boxstep_types::printable_line;
use serde_json::json;
use std::io::{self, Write as _};

const DIM: Style = Style::new().dimmed();
const BOLD: Style = Style::new().bold();
const GREEN: Style = AnsiColor::Green.on_default();
const RED: Style = AnsiColor::Red.on_default().bold();

/// Reports a test when it has been played.
pub(super) type Reporter = Box<dyn Fn(&Job, &TestOutcome) -> io::Result<()>>;

pub(super) fn nothing() -> Reporter {
    Box::new(|_, _| Ok(()))
}

pub(super) fn each(quiet: bool) -> Reporter {
    Box::new(move |job, played| {
        let mut out = output::stdout();
        let title = job.title();
        let title = printable_line(&title);
        if let Some(error) = &played.error {
            writeln!(out, "{RED}ERROR{RED:#}  {BOLD}{title}{BOLD:#}\n{error}\n")?;
        } else if !played.passed() {
            writeln!(out, "{RED}FAILED{RED:#} {BOLD}{title}{BOLD:#}\n")?;
            for failure in &played.verdict.failures {
                writeln!(out, "{}", failure.text)?;
            }
        } else if !quiet {
            let time = format!("{:.1} s in {} ms", played.verdict.played, played.took.as_millis());
            writeln!(out, "{GREEN}ok{GREEN:#}     {title} {DIM}({time}){DIM:#}")?;
        }
        out.flush()
    })
}

/// Prints the last line.
pub(super) fn summary(played: &[TestOutcome]) -> Result<(), Failure> {
    let passed = played.iter().filter(|p| p.passed()).count();
    let mut out = output::stdout();
    writeln!(out, "{BOLD}{passed} passed, {} failed{BOLD:#}", played.len() - passed)?;
    Ok(out.flush()?)
}

fn without_styles(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
}

pub(super) fn json(jobs: &[Job], played: &[TestOutcome]) -> Result<(), Failure> {
    let test = |(job, played): (&Job, &TestOutcome)| {
        let failure = |f: &super::one::Mismatch| json!({ "expected": f.expected, "found": f.found, "line": f.line, "text": without_styles(&f.text) });
        json!({
            "file": job.file(),
            "name": job.name(),
            "passed": played.passed(),
            "played": played.verdict.played,
            "failures": played.verdict.failures.iter().map(failure).collect::<Vec<_>>(),
            "error": played.error.as_deref().map(without_styles),
        })
    };
    let passed = played.iter().filter(|p| p.passed()).count();
    let tests: Vec<_> = jobs.iter().zip(played).map(test).collect();
    let report = json!({ "schema": 1, "passed": passed, "failed": played.len() - passed, "tests": tests });
    let mut out = output::stdout_for(Reader::Json);
    writeln!(out, "{report}")?;
    Ok(out.flush()?)
}

/// Returns the results for JUnit.
pub(super) fn cases(jobs: &[Job], played: &[TestOutcome]) -> Vec<Case> {
    let case = |(job, played): (&Job, &TestOutcome)| {
        let failures = &played.verdict.failures;
        let text = || failures.iter().map(|f| without_styles(&f.text)).collect::<Vec<_>>().join("\n");
        let first = failures.first().map(|f| (format!("expected: {}; found: {}", f.expected, f.found), text()));
        Case {
            file: job.file(),
            name: job.name().to_owned(),
            took: played.took,
            failure: first,
            error: played.error.as_deref().map(without_styles),
        }
    };
    jobs.iter().zip(played).map(case).collect()
}
