//! Box scripts, read but never run: one Python process looks at all scripts of all files.

mod facts;
mod process;
mod uses;

pub(crate) use facts::{Facts, UNKNOWN_COUNT};
pub use process::{Python, ask};
pub use uses::{Import, Source, Use, Uses, scripts_of};

use crate::codes;
use boxstep_format::{XarFile, paths};
use boxstep_types::Diagnostic;
use std::collections::HashMap;
use std::sync::Arc;

/// Reads Python 2 as Python 3, line by line. Whoever has such a thing gives it.
pub trait Rewriter {
    /// The Python 3 text, with as many lines as the source; and where the source is Python 2.
    fn rewrite(&self, source: &str) -> Rewritten;
}

/// What a [`Rewriter`] makes of a script.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rewritten {
    /// The text.
    pub text: String,
    /// What was changed: where in the source, and what stood there.
    pub edits: Vec<(usize, Remnant)>,
    /// It is Python 3 of its author's: `text` is the source, and nothing in it is a remnant.
    pub is_python_3: bool,
}

/// Something of Python 2 in a script.
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
    /// `ur''`, or an escape that is read otherwise
    Literal,
    /// A name that is a keyword today
    Keyword,
    /// Tabs in the indentation
    Tabs,
    /// `def f(a, (b, c))`
    TupleParameter,
    /// `[x for x in 1, 2]`
    Comprehension,
    /// `/` between what may be integers
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
    /// By the word that the reader has for it.
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

    /// What it is, and what it becomes.
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

/// What came of one script.
#[derive(Clone, Debug)]
pub(crate) enum Reading {
    /// It parses.
    Read { facts: Box<Facts>, remnants: Vec<Found> },
    /// It parses in neither Python; in Python 3 alone, if its author says that it is that.
    Broken { line: u32, column: u32, why: String, is_python_3: bool },
    /// Nobody looked, and why.
    NotChecked(Arc<str>),
}

/// A remnant: what, the first line, how often.
pub(crate) type Found = (Remnant, u32, u32);

/// The scripts of any number of files, each text once.
#[derive(Default)]
pub struct Scripts {
    texts: Vec<Arc<str>>,
    place: HashMap<Arc<str>, usize>,
    readings: Vec<Reading>,
    trouble: Option<String>,
}

impl Scripts {
    /// None yet.
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

    /// Whether there is none to look at.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// Looks at all that were added since, with one process.
    pub fn read(&mut self, python: &Python, rewriter: &dyn Rewriter) {
        let texts = self.texts.get(self.readings.len()..).unwrap_or_default();
        let rewritten: Vec<Rewritten> = texts.iter().map(|text| rewriter.rewrite(text)).collect();
        match process::read(python, texts, &rewritten) {
            Ok(readings) => self.readings.extend(readings),
            Err(why) => self.trouble = Some(why),
        }
    }

    /// Why Python could not be used at all, if so.
    pub fn trouble(&self) -> Option<&str> {
        self.trouble.as_deref()
    }

    /// If Python could not be used at all: a finding that says so and why.
    pub fn not_checked(&self) -> Option<Diagnostic> {
        let why = self.trouble.as_ref()?;
        let scripts = if self.texts.len() == 1 { "script was" } else { "scripts were" };
        let message = format!("{} {scripts} not checked: {why}", self.texts.len());
        let help = "name a Python 3 with --python; it reads the scripts and does not run them";
        Some(Diagnostic::note(codes::SCRIPTS_NOT_CHECKED, message).help(help))
    }

    /// What came of a script, if it was added and read.
    pub(crate) fn reading(&self, text: &str) -> Option<&Reading> {
        self.readings.get(*self.place.get(text)?)
    }

    /// The services and modules that the scripts of a file may offer to others.
    pub fn offers(&self, file: &XarFile) -> Vec<String> {
        let scripts = paths::boxes(&file.project).filter_map(|at| at.def.script.as_ref());
        let facts = scripts.filter_map(|s| match self.reading(&s.text)? {
            Reading::Read { facts, .. } => Some(&facts.offers),
            _ => None,
        });
        facts.flatten().cloned().collect()
    }
}

/// The byte ranges of a script's lines as Python counts them, without their ends.
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
