//! One type for everything Boxstep has to say about a file or a run.

use crate::{BoxPath, Span};
use std::fmt;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// Probably not what was meant.
    Warning,
    /// Will not work.
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
/// Each crate declares its own as constants in a table named `CODES`; a number is never used again
/// for something else. Ranges: 1–199 format, 200–299 motion and bodies, 300–399 engine,
/// 400–499 scripts, 500–599 services and robots, 600–799 check, 800–899 command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Code {
    /// The number.
    pub number: u16,
    /// A few words with dashes, e.g. `dangling-link`.
    pub name: &'static str,
}

impl Code {
    /// A code; the registry test sees that numbers and names are used once.
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
    /// Where, if it has a place.
    pub span: Option<Span>,
    /// What.
    pub message: String,
}

/// Something to tell the user: what, where, how bad, and what to do.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// The stable code.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// Where in the file.
    pub span: Option<Span>,
    /// Which box.
    pub path: Option<BoxPath>,
    /// One sentence.
    pub message: String,
    /// What the user can do about it.
    pub help: Option<String>,
    /// Further places and facts.
    pub notes: Vec<Note>,
}

impl Diagnostic {
    /// An error without a place; add what is known with the other methods.
    pub fn error(code: Code, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, message)
    }

    /// A warning.
    pub fn warning(code: Code, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, message)
    }

    /// A note.
    pub fn note(code: Code, message: impl Into<String>) -> Self {
        Self::new(Severity::Note, code, message)
    }

    fn new(severity: Severity, code: Code, message: impl Into<String>) -> Self {
        Self { code, severity, span: None, path: None, message: message.into(), help: None, notes: Vec::new() }
    }

    /// Says where in the file.
    pub fn at(mut self, span: Span) -> Self {
        self.span = Some(span);
        self
    }

    /// Says which box.
    pub fn in_box(mut self, path: BoxPath) -> Self {
        self.path = Some(path);
        self
    }

    /// Says what to do.
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

/// Without the source line: `error BS0012 dangling-link: …`.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}: {}", self.severity, self.code, self.code.name, self.message)?;
        if let Some(path) = &self.path {
            write!(f, " (box {path})")?;
        }
        Ok(())
    }
}
