//! Writes findings as text, JSON lines or SARIF, and computes the exit code.

use super::baselines::Old;
use super::statistics::Statistics;
use crate::args::{CheckArgs, CheckFormat};
use crate::exit;
use boxstep_check::Reported;
use boxstep_types::{Diagnostic, Severity, Sources};
use std::io::{self, Write};

/// Writes findings as they are found.
pub(super) struct Report<W> {
    out: W,
    format: CheckFormat,
    /// Text includes notes only with `--notes`; the other formats always include them.
    notes: bool,
    /// The findings of a SARIF log, which is one object and written at the end.
    kept: Vec<(Diagnostic, Sources, String)>,
    /// Counts the findings instead of writing them.
    statistics: Option<Statistics>,
    errors: usize,
    warnings: usize,
    silent_notes: usize,
    pub(super) behaviors: usize,
    pub(super) characters: usize,
    pub(super) topics: usize,
    pub(super) unreadable: usize,
}

impl<W: Write> Report<W> {
    pub(super) fn new(out: W, args: &CheckArgs) -> Self {
        Self {
            out,
            format: args.format,
            notes: args.notes,
            kept: Vec::new(),
            statistics: args.statistics.then(Statistics::default),
            errors: 0,
            warnings: 0,
            silent_notes: 0,
            behaviors: 0,
            characters: 0,
            topics: 0,
            unreadable: 0,
        }
    }

    /// Writes a finding, unless it is a note and notes are not shown. `file` is the file of findings without a span.
    pub(super) fn add(&mut self, finding: Diagnostic, sources: &Sources, file: &str) -> io::Result<()> {
        if finding.severity == Severity::Note && self.format == CheckFormat::Text && !self.notes {
            self.silent_notes += 1;
            return Ok(());
        }
        self.write(finding, sources, file)
    }

    /// Writes a finding.
    pub(super) fn write(&mut self, finding: Diagnostic, sources: &Sources, file: &str) -> io::Result<()> {
        match finding.severity {
            Severity::Error => self.errors += 1,
            Severity::Warning => self.warnings += 1,
            Severity::Note => {}
        }
        if let Some(statistics) = &mut self.statistics {
            statistics.add(&finding, sources, file);
            return Ok(());
        }
        match self.format {
            CheckFormat::Text => writeln!(self.out, "{}\n", boxstep_check::render_in(&finding, sources, file, true)),
            CheckFormat::Json => writeln!(self.out, "{}", boxstep_check::to_json(&finding, sources, file)),
            CheckFormat::Sarif => {
                self.kept.push((finding, sources.clone(), file.to_owned()));
                Ok(())
            }
        }
    }

    /// Writes the last line and returns the exit code.
    pub(super) fn finish(mut self, old: Old) -> io::Result<i32> {
        if let Some(statistics) = self.statistics.take() {
            statistics.write(self.format, &mut self.out)?;
        }
        match self.format {
            CheckFormat::Text => self.last_line(&old)?,
            CheckFormat::Json => {}
            CheckFormat::Sarif => {
                let found = self.kept.iter().map(|(finding, sources, file)| Reported { finding, sources, file });
                let log = boxstep_check::sarif(env!("CARGO_PKG_VERSION"), found);
                writeln!(self.out, "{log:#}")?;
            }
        }
        self.out.flush()?;
        Ok(match (self.unreadable, self.errors) {
            (1.., _) => exit::USAGE,
            (0, 1..) => exit::FINDINGS,
            (0, 0) => exit::OK,
        })
    }

    fn last_line(&mut self, old: &Old) -> io::Result<()> {
        let (errors, warnings) = (count(self.errors, "error"), count(self.warnings, "warning"));
        let all = [(self.behaviors, "behavior"), (self.characters, "character"), (self.topics, "topic")];
        let mut checked: Vec<String> = all.iter().filter(|(n, _)| *n > 0).map(|(n, what)| count(*n, what)).collect();
        let last = checked.pop().unwrap_or_else(|| count(0, "behavior"));
        let checked = match checked.is_empty() {
            true => last,
            false => format!("{} and {last}", checked.join(", ")),
        };
        write!(self.out, "{errors}, {warnings} in {checked}")?;
        if self.silent_notes > 0 {
            write!(self.out, "; {} (--notes shows them)", count(self.silent_notes, "note"))?;
        }
        match old {
            Old::Silent(0) => writeln!(self.out),
            Old::Silent(n) => writeln!(self.out, "; {} in the baseline", count(*n, "old finding")),
            Old::Written(files, n) => {
                let files: Vec<String> = files.iter().map(|f| f.display().to_string()).collect();
                writeln!(self.out, "; {} written to {}", count(*n, "finding"), files.join(", "))
            }
        }
    }
}

pub(super) fn count(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}
