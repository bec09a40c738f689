//! Migrates one script from Python 2 to Python 3: the rewriter changes the syntax, and a Python program changes the
//! rest by the syntax tree.

use super::beside::Beside;
use super::patch::Patch;
use boxstep_check::{Python, lines, query_python};
use boxstep_script::dialect;
use boxstep_script::rewrite::{self, Change, EditKind};
use serde::Deserialize;
use serde_json::json;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

/// The program that Python runs; it never runs a script.
const PROGRAM: &str = concat!(
    include_str!("tables.py"),
    include_str!("tree.py"),
    include_str!("calls.py"),
    include_str!("statements.py"),
    include_str!("imports.py"),
    include_str!("answers.py")
);

/// The first line of a migrated script, which marks it as Python 3.
const FIRST_LINE: &str = "#!/usr/bin/env python3";

/// The outcome of migrating a text.
#[derive(Clone, Debug)]
pub(super) enum Outcome {
    /// The text is Python 3 already, means the same in both versions, or is empty.
    Already,
    /// The text has changed.
    Done { text: String, notes: Vec<Note> },
    /// The text cannot be parsed and stays as it is.
    Left { line: usize, why: String },
}

/// A line that changed, or that means something else in Python 3.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Note {
    /// The line of the author's script, from 1.
    pub(super) line: usize,
    /// The line of the new script, from 1.
    pub(super) new_line: usize,
    /// The new line does what the old one did in Python 2; otherwise it needs review.
    pub(super) certain: bool,
    pub(super) why: String,
    pub(super) old: String,
    /// It may have more than one line.
    pub(super) new: String,
}

/// A text to migrate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Given<'a> {
    pub(super) text: &'a str,
    /// The Python version, 2 or 3, if the first line of the text does not name one.
    pub(super) dialect: u8,
    pub(super) beside: &'a Beside,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Answer {
    Refused {
        /// Line, column and message of Python.
        error: (usize, usize, String),
    },
    Found {
        /// The edits apply to the author's text, not to the output of the rewriter.
        own: bool,
        passes: Vec<Vec<Edit>>,
        /// Line of the final text, and reason.
        notes: Vec<(usize, String)>,
    },
}

/// Splices (start, end, text), whether the edit is certain, and the reason.
#[derive(Deserialize)]
struct Edit(Vec<(usize, usize, String)>, bool, String);

/// Migrates texts.
///
/// # Errors
/// Why no Python could parse them.
pub(super) fn migrate(python: &Python, texts: &[Given<'_>]) -> Result<Vec<Outcome>, String> {
    let mut places: HashMap<(&str, &Beside), usize> = HashMap::new();
    let mut asked = Vec::new();
    for given in texts {
        let key = (given.text, given.beside);
        let two = dialect::of(given.text, given.dialect) == 2 && !given.text.trim().is_empty();
        if two && !places.contains_key(&key) {
            places.insert(key, asked.len());
            asked.push((key, rewrite::python3(given.text)));
        }
    }
    let questions = asked.iter().map(|((own, beside), done)| {
        let own = (*own != done.text).then_some(own);
        json!({ "text": done.text, "own": own, "beside": beside.names, "doubtful": beside.doubtful }).to_string()
    });
    let answers = query_python(python, PROGRAM, &questions.collect::<Vec<_>>())?;
    let done = asked.into_iter().zip(answers).map(|(((own, _), rewritten), answer)| outcome(own, rewritten, answer));
    let done: Vec<Outcome> = done.collect();
    let of = |given: &Given<'_>| match places.get(&(given.text, given.beside)) {
        Some(&place) if dialect::of(given.text, given.dialect) == 2 => {
            done.get(place).cloned().unwrap_or(Outcome::Already)
        }
        _ => Outcome::Already,
    };
    Ok(texts.iter().map(of).collect())
}

fn outcome(own: &str, rewritten: rewrite::ForPeople, answer: Result<String, &'static str>) -> Outcome {
    let pieces = rewritten.changes.iter().map(|c| (c.span.clone(), c.text.clone())).collect();
    let mut chain = Chain::new(own);
    chain.push(Patch::new(pieces));
    let found = answer.map(|line| serde_json::from_str::<Answer>(&line));
    let (own_taken, passes, line_notes) = match found {
        Err(why) => return Outcome::Left { line: 1, why: why.to_owned() },
        Ok(Err(_)) => return Outcome::Left { line: 1, why: "Python gave no answer".to_owned() },
        Ok(Ok(Answer::Refused { error: (line, _, why) })) => {
            return Outcome::Left { line: chain.line_of(1, chain.begin(1, line)), why };
        }
        Ok(Ok(Answer::Found { own, passes, notes })) => (own, passes, notes),
    };
    // Each change: the number of patches before it, its position in that text, whether it is certain, and the reason.
    let mut changes: Vec<(usize, usize, bool, String)> = Vec::new();
    if own_taken {
        chain = Chain::new(own);
    } else {
        changes.extend(rewritten.changes.iter().map(|c| (0, c.span.start, c.certain, why(c).to_owned())));
    }
    for edits in passes {
        let step = chain.patches.len();
        let mut pieces = Vec::new();
        for Edit(splices, certain, why) in edits {
            for (start, end, text) in splices {
                changes.push((step, start, certain, why.clone()));
                pieces.push((start..end, text));
            }
        }
        chain.push(Patch::new(pieces));
    }
    let last = chain.patches.len();
    changes.extend(line_notes.into_iter().map(|(line, why)| (last, chain.begin(last, line), false, why)));
    if changes.is_empty() && !dialect::is_said(own) {
        return Outcome::Already;
    }
    let (text, more) = marked(chain.texts.last().map_or("", String::as_str));
    let seen: BTreeSet<(usize, bool, String)> =
        changes.into_iter().map(|(step, at, certain, why)| (chain.line_of(step, at), certain, why)).collect();
    let notes = seen.into_iter().map(|(line, certain, why)| {
        let (old, new, new_line) = chain.line(line);
        Note { line, new_line: new_line + more, certain, why, old, new }
    });
    Outcome::Done { notes: notes.collect(), text }
}

/// Returns the text with the first line that marks Python 3, and how many lines were added.
fn marked(text: &str) -> (String, usize) {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let first = text.split(['\n', '\r']).next().unwrap_or_default();
    if first.starts_with("#!") && first.contains("python") {
        return (format!("{FIRST_LINE}{}", text.get(first.len()..).unwrap_or_default()), 0);
    }
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    (format!("{FIRST_LINE}{end}{text}"), 1)
}

/// The author's text and what became of it in each step.
struct Chain {
    texts: Vec<String>,
    /// The line spans of each text.
    lines: Vec<Vec<Range<usize>>>,
    patches: Vec<Patch>,
}

impl Chain {
    fn new(own: &str) -> Self {
        Self { texts: vec![own.to_owned()], lines: vec![lines(own)], patches: Vec::new() }
    }

    fn push(&mut self, patch: Patch) {
        let new = patch.apply(self.text(self.patches.len()));
        self.lines.push(lines(&new));
        self.texts.push(new);
        self.patches.push(patch);
    }

    fn lines(&self, step: usize) -> &[Range<usize>] {
        self.lines.get(step).map_or(&[], Vec::as_slice)
    }

    fn text(&self, step: usize) -> &str {
        self.texts.get(step).map_or("", String::as_str)
    }

    /// Returns the position of the first character of a line (from 1) that is not white space.
    fn begin(&self, step: usize, line: usize) -> usize {
        let text = self.text(step);
        let span = self.lines(step).get(line.saturating_sub(1)).cloned().unwrap_or_default();
        let within = text.get(span.clone()).unwrap_or_default();
        span.start + within.len() - within.trim_start().len()
    }

    /// Returns the line (from 1) of the author's text that a position comes from.
    fn line_of(&self, step: usize, at: usize) -> usize {
        let at = self.patches.iter().take(step).rev().fold(at, |at, patch| patch.back(at));
        self.lines(0).partition_point(|line| line.start <= at).max(1)
    }

    /// Returns a line of the author's text, what it became, and the first line number of the result.
    fn line(&self, line: usize) -> (String, String, usize) {
        let old = self.lines(0).get(line - 1).cloned().unwrap_or_default();
        let forward = |at, behind| self.patches.iter().fold(at, |at, patch| patch.forward(at, behind));
        let new = forward(old.start, false)..forward(old.end, true);
        let text = self.text(self.patches.len());
        let number = self.lines(self.patches.len()).partition_point(|l| l.start <= new.start).max(1);
        (shown(self.text(0), old), shown(text, new), number)
    }
}

/// Returns lines without their common indentation.
fn shown(text: &str, span: Range<usize>) -> String {
    let text = text.get(span).unwrap_or_default();
    let filled = || text.lines().filter(|line| !line.trim().is_empty());
    let indent = filled().map(|l| l.len() - l.trim_start().len()).min().unwrap_or_default();
    let lines: Vec<&str> = filled().map(|line| line.get(indent..).unwrap_or_default().trim_end()).collect();
    lines.join("\n")
}

fn why(change: &Change) -> &'static str {
    if !change.certain {
        match change.kind {
            EditKind::Print if change.text.contains("file=") => return "the file has to be one of text",
            EditKind::Print => return "Python 2 writes the blank only if something follows on the line",
            EditKind::Raise => return "Python 2 raises an exception as it is, and takes a tuple apart",
            EditKind::Keyword => return "the name is a keyword; other code may still use the old name",
            _ => {}
        }
    }
    match change.kind {
        EditKind::Print => "print is a function",
        EditKind::Exec => "exec is a function",
        EditKind::Repr => "backticks are repr",
        EditKind::Except => "a caught exception has a name",
        EditKind::Raise => "an exception is raised with its value",
        EditKind::NotEqual => "<> is !=",
        EditKind::Number => "numbers are written differently",
        EditKind::Literal => "a string that Python 3 would read differently",
        EditKind::Keyword => "the name is a keyword",
        EditKind::Indent => "tabs whose width would matter",
        EditKind::TupleParameter => "a parameter is taken apart in a statement",
        EditKind::Comprehension => "a tuple in a comprehension has parentheses",
        EditKind::Mark => "a byte order mark is no part of a text",
        _ => "syntax",
    }
}
