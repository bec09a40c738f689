//! `boxstep test`: plays each test in its own process, so that nothing a script leaves behind affects the next test.

mod bless;
mod gather;
mod one;
mod tell;
mod work;

pub(crate) use one::run as one;

use crate::args::{TestArgs, TestFormat};
use crate::failure::Failure;
use crate::{Program, exit, output};
use boxstep_format::output::write_file;
use gather::{Found, gather};
use std::io::Write as _;
use std::path::Path;
use work::TestOutcome;

/// Plays the tests and reports the results.
pub(crate) fn run(args: &TestArgs, program: &Program) -> Result<i32, Failure> {
    let mut found = gather(args)?;
    for wrong in &found.wrong {
        wrong.print();
    }
    if args.list {
        let mut out = output::stdout();
        for job in &found.jobs {
            writeln!(out, "{}", job.title())?;
        }
        out.flush()?;
        return Ok(code(&found, &[]));
    }
    let report = if args.format == TestFormat::Text { tell::each(args.quiet) } else { tell::nothing() };
    let mut played = work::all(&found.jobs, args, program, &report)?;
    if args.bless {
        bless::run(&mut found, &mut played, args, program, &report)?;
    }
    if let Some(path) = &args.junit {
        let text = boxstep_test::junit::junit(&tell::cases(&found.jobs, &played)).map_err(Failure::Run)?;
        write_file(path, text.as_bytes(), is_results(path)).map_err(|e| Failure::unwritten(path, &e))?;
    }
    match args.format {
        TestFormat::Text => tell::summary(&played)?,
        TestFormat::Json => tell::json(&found.jobs, &played)?,
    }
    Ok(code(&found, &played))
}

/// Returns whether this is a file of JUnit results, which may be replaced.
fn is_results(path: &Path) -> bool {
    std::fs::read_to_string(path).is_ok_and(|text| text.contains("<testsuites"))
}

/// Returns the exit code. A file that cannot be used takes precedence over a failed test.
fn code(found: &Found, played: &[TestOutcome]) -> i32 {
    if !found.wrong.is_empty() || played.iter().any(|p| p.error.is_some()) {
        exit::USAGE
    } else if played.iter().any(|p| !p.passed()) {
        exit::FAILED
    } else {
        exit::OK
    }
}
