//! The report of what was changed in which line, as text or JSON.

use super::text::{Note, Outcome};
use crate::args::{MigrateArgs, MigrateFormat};
use serde_json::json;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Writes the report as scripts are migrated.
pub(super) struct MigrateReport<W> {
    out: W,
    format: MigrateFormat,
    scripts: usize,
    lines: usize,
    /// The number of lines that need review.
    reviews: usize,
    left: usize,
}

impl<W: Write> MigrateReport<W> {
    pub(super) fn new(out: W, format: MigrateFormat) -> Self {
        Self { out, format, scripts: 0, lines: 0, reviews: 0, left: 0 }
    }

    /// Reports the outcome of a script: that of a box, by its path, or a module.
    pub(super) fn add(&mut self, file: &str, path: Option<&str>, outcome: &Outcome) -> io::Result<()> {
        match outcome {
            Outcome::Already => Ok(()),
            Outcome::Left { line, why } => {
                self.left += 1;
                match self.format {
                    MigrateFormat::Json => {
                        let object = json!({ "file": file, "path": path, "line": line, "left": why });
                        writeln!(self.out, "{object}")
                    }
                    MigrateFormat::Text => {
                        writeln!(self.out, "{}: left as it is: {why}\n", place(file, path, *line))
                    }
                }
            }
            Outcome::Done { notes, .. } => {
                self.scripts += 1;
                let mut by_line: BTreeMap<usize, Vec<&Note>> = BTreeMap::new();
                for note in notes {
                    by_line.entry(note.line).or_default().push(note);
                }
                self.lines += by_line.len();
                by_line.into_values().try_for_each(|notes| self.line(file, path, &notes))
            }
        }
    }

    fn line(&mut self, file: &str, path: Option<&str>, notes: &[&Note]) -> io::Result<()> {
        let Some(first) = notes.first() else { return Ok(()) };
        let certain = notes.iter().all(|note| note.certain);
        self.reviews += usize::from(!certain);
        if self.format == MigrateFormat::Json {
            return notes.iter().try_for_each(|note| {
                let object = json!({
                    "file": file, "path": path, "line": note.line, "new_line": note.new_line,
                    "certain": note.certain, "why": note.why, "old": note.old, "new": note.new,
                });
                writeln!(self.out, "{object}")
            });
        }
        let word = if certain { "certain" } else { "needs review" };
        // If the line needs review, only the reasons for that.
        let mut whys: Vec<&str> = notes.iter().filter(|n| n.certain == certain).map(|n| n.why.as_str()).collect();
        whys.dedup();
        writeln!(self.out, "{}: {word}: {}", place(file, path, first.line), whys.join("; "))?;
        if first.old == first.new {
            writeln!(self.out, "    {}\n", first.old)
        } else {
            let added: String = first.new.lines().map(|line| format!("  + {line}\n")).collect();
            writeln!(self.out, "  - {}\n{added}", first.old)
        }
    }

    /// Writes the last line in text format. Returns whether anything needs review.
    pub(super) fn finish(mut self, files: usize, args: &MigrateArgs) -> io::Result<bool> {
        if self.format == MigrateFormat::Text {
            let written = args.write || args.output.is_some();
            let verb = if written { "migrated" } else { "would be migrated" };
            let (scripts, files) = (count(self.scripts, "script"), count(files, "file"));
            let (certain, reviews) = (count(self.lines - self.reviews, "certain line"), self.reviews);
            let left = count(self.left, "script");
            writeln!(self.out, "{scripts} in {files} {verb}: {certain}, {reviews} to review; {left} left as written")?;
            if self.scripts > 0 {
                writeln!(self.out, "a robot whose scripts run in Python 2.7 may no longer run them")?;
            }
            if self.scripts > 0 && !written && !args.check {
                writeln!(self.out, "nothing is changed; --write changes the files")?;
            }
        }
        self.out.flush()?;
        Ok(self.reviews + self.left > 0)
    }
}

fn place(file: &str, path: Option<&str>, line: usize) -> String {
    match path {
        Some(path) => format!("{file}: {path}, line {line}"),
        None => format!("{file}, line {line}"),
    }
}

fn count(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}
