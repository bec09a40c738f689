//! `boxstep check`

use crate::args::{CheckArgs, CheckFormat};
use crate::exit;
use crate::failure::Failure;
use boxstep_format::project::Behavior;
use boxstep_format::{FormatError, Limits};
use boxstep_types::{Diagnostic, Severity, Sources};
use std::io::{self, Write};
use std::path::Path;

/// Checks files: all of them, whatever is wrong with one.
pub(crate) fn run(args: &CheckArgs) -> Result<i32, Failure> {
    let mut report = Report::new(anstream::stdout().lock(), args.format);
    for path in &args.files {
        report.path(path)?;
    }
    report.finish().map_err(Failure::from)
}

struct Report<W> {
    out: W,
    format: CheckFormat,
    errors: usize,
    warnings: usize,
    behaviors: usize,
    unreadable: usize,
}

impl<W: Write> Report<W> {
    fn new(out: W, format: CheckFormat) -> Self {
        Self { out, format, errors: 0, warnings: 0, behaviors: 0, unreadable: 0 }
    }

    /// Every behavior of what a path names.
    fn path(&mut self, path: &Path) -> io::Result<()> {
        let opened = match boxstep_format::open(path, &Limits::default()) {
            Ok(opened) => opened,
            Err(e) => return self.cannot_read(&e),
        };
        let none = Sources::new();
        let sources = opened.pml.as_ref().map_or(&none, |pml| &pml.sources);
        for finding in &opened.findings {
            self.tell(finding, sources)?;
        }
        opened.behaviors.iter().try_for_each(|b| self.behavior(b))
    }

    fn behavior(&mut self, behavior: &Behavior) -> io::Result<()> {
        let file = match behavior.read(&Limits::default()) {
            Ok(file) => file,
            Err(e) => return self.cannot_read(&e),
        };
        self.behaviors += 1;
        let mut findings = file.findings.clone();
        findings.extend(boxstep_check::check(&file, Some(&behavior.folder)));
        findings.sort_by_key(|d| d.span.map(|s| s.start));
        findings.iter().try_for_each(|finding| self.tell(finding, &file.sources))
    }

    fn cannot_read(&mut self, error: &FormatError) -> io::Result<()> {
        self.unreadable += 1;
        self.tell(&error.diagnostic(), error.sources())
    }

    fn tell(&mut self, finding: &Diagnostic, sources: &Sources) -> io::Result<()> {
        match finding.severity {
            Severity::Error => self.errors += 1,
            Severity::Warning => self.warnings += 1,
            Severity::Note => {}
        }
        match self.format {
            CheckFormat::Text => writeln!(self.out, "{}\n", boxstep_check::render(finding, sources, true)),
            CheckFormat::Json => writeln!(self.out, "{}", boxstep_check::to_json(finding, sources)),
        }
    }

    fn finish(mut self) -> io::Result<i32> {
        if self.format == CheckFormat::Text {
            let count = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
            let (errors, warnings) = (count(self.errors, "error"), count(self.warnings, "warning"));
            writeln!(self.out, "{errors}, {warnings} in {}", count(self.behaviors, "behavior"))?;
        }
        self.out.flush()?;
        Ok(match (self.unreadable, self.errors) {
            (1.., _) => exit::USAGE,
            (0, 1..) => exit::FINDINGS,
            (0, 0) => exit::OK,
        })
    }
}
