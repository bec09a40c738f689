//! The type of every message that Boxstep has for the user about a file or a run.

use crate::{BoxPath, Span};
use std::fmt;

/// How serious a diagnostic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The file or run works; the user may want to know this.
    Note,
    /// The file or run probably does something else than the user meant.
    Warning,
    /// The file or run will not work.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        })
    }
}

/// A stable code such as `BS0012`, with its short name.
///
/// Each crate declares its codes as constants in a table named `CODES`. A retired number is never reused for another
/// diagnostic. Ranges: 1–199 format, 200–299 motion and bodies, 300–399 engine,
/// 400–499 scripts, 500–599 services and robots, 600–799 check, 800–899 command line, 900–949 dialogs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Code {
    /// The number, without `BS`.
    pub number: u16,
    /// A short name with hyphens, e.g. `dangling-link`.
    pub name: &'static str,
}

impl Code {
    /// Creates a code; a test over all crates' tables checks that each number and name is used once.
    pub const fn new(number: u16, name: &'static str) -> Self {
        Self { number, name }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BS{:04}", self.number)
    }
}

/// A further place or fact that explains a diagnostic.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// Where the fact is in a file, if it has a place.
    pub span: Option<Span>,
    /// The text.
    pub message: String,
}

/// A message to the user: what is wrong, where, how serious it is, and what to do.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// The stable code.
    pub code: Code,
    /// How serious the diagnostic is.
    pub severity: Severity,
    /// Where in the file the cause is.
    pub span: Option<Span>,
    /// The box that the diagnostic is about.
    pub path: Option<BoxPath>,
    /// The text, one sentence.
    pub message: String,
    /// What the user can do about it.
    pub help: Option<String>,
    /// Further places and facts.
    pub notes: Vec<Note>,
}

impl Diagnostic {
    /// Creates an error without a place; the other methods add what is known.
    pub fn error(code: Code, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, message)
    }

    /// Creates a warning without a place.
    pub fn warning(code: Code, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, message)
    }

    /// Creates a note without a place.
    pub fn note(code: Code, message: impl Into<String>) -> Self {
        Self::new(Severity::Note, code, message)
    }

    fn new(severity: Severity, code: Code, message: impl Into<String>) -> Self {
        Self { code, severity, span: None, path: None, message: message.into(), help: None, notes: Vec::new() }
    }

    /// Sets the place in the file.
    pub fn at(mut self, span: Span) -> Self {
        self.span = Some(span);
        self
    }

    /// Sets the box.
    pub fn in_box(mut self, path: BoxPath) -> Self {
        self.path = Some(path);
        self
    }

    /// Sets the advice to the user.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds a further place or fact.
    pub fn with_note(mut self, span: Option<Span>, message: impl Into<String>) -> Self {
        self.notes.push(Note { span, message: message.into() });
        self
    }
}

/// Formats the diagnostic without its source line: `error BS0012 dangling-link: …`.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}: {}", self.severity, self.code, self.code.name, self.message)?;
        if let Some(path) = &self.path {
            write!(f, " (box {path})")?;
        }
        Ok(())
    }
}
