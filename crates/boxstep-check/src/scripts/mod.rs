//! Parsing of box scripts, which are never run: one Python process parses all scripts of all files.

mod facts;
mod process;
mod uses;

pub(crate) use facts::{Facts, UNKNOWN_COUNT};
pub use process::{Python, query_python};
pub use uses::{Import, Source, Use, Uses, scripts_of};

use crate::codes;
use boxstep_format::{XarFile, paths};
use boxstep_types::Diagnostic;
use std::collections::HashMap;
use std::sync::Arc;

/// Converts Python 2 to Python 3, line by line. The caller provides the implementation.
pub trait Rewriter {
    /// Returns the Python 3 text, with as many lines as the source, and the places of Python 2 in the source.
    fn rewrite(&self, source: &str) -> Rewritten;
}

/// The result of a [`Rewriter`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rewritten {
    /// The rewritten text.
    pub text: String,
    /// The edits: the offset in the source, and the remnant there.
    pub edits: Vec<(usize, Remnant)>,
    /// True if the script was already Python 3: `text` is the source, and no syntax counts as a remnant.
    pub is_python_3: bool,
}

/// A remnant of Python 2 in a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Remnant {
    /// `print x`
    Print,
    /// `exec code in space`
    Exec,
    /// `` `x` ``
    Backticks,
    /// `except E, e:`
    Except,
    /// `raise E, value`
    Raise,
    /// `<>`
    NotEqual,
    /// `0777`, `10L`
    Number,
    /// `ur''`, or an escape sequence with another meaning
    Literal,
    /// A name that is a keyword in Python 3
    Keyword,
    /// Tabs in the indentation
    Tabs,
    /// `def f(a, (b, c))`
    TupleParameter,
    /// `[x for x in 1, 2]`
    Comprehension,
    /// `/` between possible integers
    Division,
    /// `has_key`, `iteritems` …
    Dictionary,
    /// `x.next()`
    Next,
    /// `unicode`, `xrange` …
    Name,
    /// `import urllib2` …
    Module,
}

impl Remnant {
    /// Returns the remnant for the word that `reader.py` uses.
    fn from_word(word: &str) -> Option<Self> {
        Some(match word {
            "division" => Self::Division,
            "dictionary" => Self::Dictionary,
            "next" => Self::Next,
            "name" => Self::Name,
            "module" => Self::Module,
            _ => return None,
        })
    }

    /// Returns a description of the remnant, and of its replacement.
    pub(crate) const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Print => ("a print statement", "the function `print(…)`"),
            Self::Exec => ("an exec statement", "the function `exec(…)`"),
            Self::Backticks => ("backticks", "`repr(…)`"),
            Self::Except => ("`except E, e:`", "`except E as e:`"),
            Self::Raise => ("`raise E, value`", "`raise E(value)`"),
            Self::NotEqual => ("`<>`", "`!=`"),
            Self::Number => ("a number such as `0777` or `10L`", "`0o777`, `10`"),
            Self::Literal => ("a text literal that Python 3 reads otherwise", "the literal of the same text"),
            Self::Keyword => ("a name that is a keyword today", "another name"),
            Self::Tabs => ("tabs in the indentation", "blanks up to the next multiple of eight"),
            Self::TupleParameter => ("a tuple among the parameters", "one parameter that is taken apart"),
            Self::Comprehension => ("a bare tuple in a comprehension", "a tuple in parentheses"),
            Self::Division => ("`/` between what may be integers", "a division that floors between integers"),
            Self::Dictionary => ("`has_key`, `iteritems` or one like it", "what Python 2's dictionaries did"),
            Self::Next => ("`x.next()`", "`next(x)`"),
            Self::Name => ("a builtin that only Python 2 has", "that builtin, which Boxstep brings"),
            Self::Module => ("a module that only Python 2 has", "that module, which Boxstep brings"),
        }
    }
}

/// The result of parsing one script.
#[derive(Clone, Debug)]
pub(crate) enum Reading {
    /// The script parses.
    Read { facts: Box<Facts>, remnants: Vec<FoundRemnant> },
    /// The script parses neither as Python 2 nor as Python 3; if its author declares it as Python 3, only the latter
    /// was tried.
    Broken { line: u32, column: u32, why: String, is_python_3: bool },
    /// The script was not parsed, for this reason.
    NotChecked(Arc<str>),
}

/// A kind of remnant, its first line, and the number of occurrences.
pub(crate) type FoundRemnant = (Remnant, u32, u32);

/// The scripts of any number of files; equal texts are parsed once.
#[derive(Default)]
pub struct Scripts {
    texts: Vec<Arc<str>>,
    place: HashMap<Arc<str>, usize>,
    readings: Vec<Reading>,
    trouble: Option<String>,
}

impl Scripts {
    /// Creates an empty set of scripts.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the Python scripts of a file.
    pub fn add(&mut self, file: &XarFile) {
        scripts_of(file).into_iter().for_each(|source| self.add_text(source.text));
    }

    /// Adds the text of a script or of a file.
    pub fn add_text(&mut self, text: Arc<str>) {
        if !self.place.contains_key(&text) {
            self.place.insert(text.clone(), self.texts.len());
            self.texts.push(text);
        }
    }

    /// Returns true if there are no scripts.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// Parses all scripts that were added since the last call, in one process.
    pub fn read(&mut self, python: &Python, rewriter: &dyn Rewriter) {
        let texts = self.texts.get(self.readings.len()..).unwrap_or_default();
        let rewritten: Vec<Rewritten> = texts.iter().map(|text| rewriter.rewrite(text)).collect();
        match process::read(python, texts, &rewritten) {
            Ok(readings) => self.readings.extend(readings),
            Err(why) => self.trouble = Some(why),
        }
    }

    /// The reason why Python could not be used at all, if it could not.
    pub fn trouble(&self) -> Option<&str> {
        self.trouble.as_deref()
    }

    /// Returns a finding with the reason if Python could not be used at all.
    pub fn not_checked(&self) -> Option<Diagnostic> {
        let why = self.trouble.as_ref()?;
        let scripts = if self.texts.len() == 1 { "script was" } else { "scripts were" };
        let message = format!("{} {scripts} not checked: {why}", self.texts.len());
        let help = "name a Python 3 with --python; it reads the scripts and does not run them";
        Some(Diagnostic::note(codes::SCRIPTS_NOT_CHECKED, message).help(help))
    }

    /// Returns the result of parsing a script, if it was added and parsed.
    pub(crate) fn reading(&self, text: &str) -> Option<&Reading> {
        self.readings.get(*self.place.get(text)?)
    }

    /// Returns the services and modules that the scripts of a file may provide.
    pub fn offers(&self, file: &XarFile) -> Vec<String> {
        let scripts = paths::boxes(&file.project).filter_map(|at| at.def.script.as_ref());
        let facts = scripts.filter_map(|s| match self.reading(&s.text)? {
            Reading::Read { facts, .. } => Some(&facts.offers),
            _ => None,
        });
        facts.flatten().cloned().collect()
    }
}

/// Returns the byte ranges of a script's lines as Python counts them, without line ends.
pub fn lines(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    let bytes = text.as_bytes();
    for (i, byte) in bytes.iter().enumerate() {
        let ends = match byte {
            b'\n' => true,
            b'\r' => bytes.get(i + 1) != Some(&b'\n'),
            _ => false,
        };
        if ends {
            let end = if *byte == b'\n' && i > start && bytes.get(i - 1) == Some(&b'\r') { i - 1 } else { i };
            found.push(start..end);
            start = i + 1;
        }
    }
    found.push(start..bytes.len());
    found
}

#[cfg(test)]
mod tests {
    use super::lines;

    #[test]
    fn lines_end_as_python_ends_them() {
        assert_eq!(lines("a\r\nb\rc\n"), [0..1, 3..4, 5..6, 7..7]);
        assert_eq!(lines("\n\r\n"), [0..0, 1..1, 3..3]);
    }
}
