//! Converts Python 2 source to Python 3 source, token by token; each line stays where it is.
//!
//! In Python 2 `print` and `exec` are keywords, so their statements can be found without a grammar. The tokens
//! (strings, comments, brackets, line ends) are enough, and reading them is fast and never fails: text that cannot be
//! read is left alone, and Python then reports the author's own mistake.
//!
//! This is the first of three layers. Five constructs cannot be expressed in Python 3 on the same lines; they become
//! markers, which the second layer (`boxstep_runtime/py2ast.py`) converts:
//!
//! | Python 2 | after this layer |
//! |---|---|
//! | `except E, (a, b):` | `except __py2_except__[E, (a, b)] as __py2_exc__:` |
//! | `raise E, v, t` | `raise __py2_raise__(E, v, t)` |
//! | `def f(a, (b, c)):` | `def f(a, __py2_arg1__: (b, c)):` |
//! | `lambda (k, v): v` | `lambda __py2_arg1__: lambda k, v: v` |
//! | `qi.async(f)` | `qi.async_(f)` |
//!
//! `docs/reference/python2.md` lists everything that is and is not covered.

mod literals;
mod params;
mod people;
mod statements;
#[cfg(test)]
mod tests;
mod tokens;

use std::borrow::Cow;
use std::ops::Range;

pub use people::{Change, ForPeople, python3};
use tokens::{Kind, Token, Tokens, tokenize};

/// The Python 3 text of a Python 2 source, and the places that were changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rewritten {
    /// The text. It has as many lines as the source, and line n of it comes from line n of the source.
    pub text: String,
    /// The changes, in the order of the source.
    pub edits: Vec<Edit>,
}

/// One changed place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The bytes of the source that were replaced; empty for an insertion.
    pub span: Range<usize>,
    /// The reason of the change.
    pub kind: EditKind,
}

/// The Python 2 construct behind an [`Edit`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EditKind {
    /// A `print` statement.
    Print,
    /// An `exec` statement.
    Exec,
    /// Backticks.
    Repr,
    /// `except E, e:`.
    Except,
    /// `raise E, value`.
    Raise,
    /// `<>`.
    NotEqual,
    /// `0777` or `10L`.
    Number,
    /// `ur''`, or an escape that Python 3 reads differently.
    Literal,
    /// A name that is a keyword of Python 3, such as `async`.
    Keyword,
    /// Tabs in the indentation.
    Indent,
    /// A tuple among the parameters of a function or lambda.
    TupleParameter,
    /// `[x for x in 1, 2]`.
    Comprehension,
    /// A byte order mark.
    Mark,
}

/// Converts a Python 2 module to Python 3.
///
/// Line ends are never changed. Text that is valid Python 3 and means the same in Python 2 is returned unchanged;
/// where the two languages disagree about a text, it is read as Python 2: `print(1, 2)` prints a tuple.
///
/// ```
/// let done = boxstep_script::rewrite::python2("try:\n    print 'a', 1\nexcept IOError, e: pass\n");
/// assert_eq!(done.text, "try:\n    print('a', 1)\nexcept IOError as e: pass\n");
/// ```
///
/// ```
/// let rewritten = boxstep_script::rewrite::python2("print 'Hello', name\n");
/// assert_eq!(rewritten.text, "print('Hello', name)\n");
/// assert_eq!(rewritten.edits.len(), 2);
/// ```
pub fn python2(source: &str) -> Rewritten {
    let Tokens { list, tabbed_indents } = tokenize(source);
    let mut rewriter = Rewriter::new(source, &list);
    if source.starts_with('\u{feff}') {
        rewriter.replace(0..3, "", EditKind::Mark);
    }
    for space in tabbed_indents {
        let text = literals::indent(source.get(space.clone()).unwrap_or_default());
        rewriter.replace(space, text, EditKind::Indent);
    }
    rewriter.tokens();
    rewriter.statements();
    rewriter.finish()
}

/// The deepest nesting of brackets, or of lambdas in the defaults of lambdas, that is converted.
const MAX_DEPTH: u32 = 200;

/// The source, its tokens and the replacements found so far.
struct Rewriter<'a> {
    source: &'a str,
    tokens: &'a [Token],
    edits: Vec<(Edit, Cow<'a, str>)>,
    /// The result is for people to read and keep ([`python3`]): lines may move, and there is no second layer.
    people: bool,
    /// While set, replacements are recorded as doubtful.
    doubt: bool,
    /// The start positions of edits that a person should review.
    doubtful: Vec<usize>,
    flags: Flags,
    /// The number of tuple parameters that have got a name.
    params: u32,
}

/// What a module imports from `__future__`, and whether it has coroutines of Python 3.
#[derive(Default)]
struct Flags {
    print_function: bool,
    unicode_literals: bool,
    coroutines: bool,
}

impl<'a> Rewriter<'a> {
    fn new(source: &'a str, tokens: &'a [Token]) -> Self {
        let mut new = Self {
            source,
            tokens,
            edits: Vec::new(),
            people: false,
            doubt: false,
            doubtful: Vec::new(),
            flags: Flags::default(),
            params: 0,
        };
        let mut future = false;
        for (i, token) in tokens.iter().enumerate() {
            match token.kind {
                Kind::Newline => future = false,
                Kind::Name => match new.text(i) {
                    "__future__" => future = true,
                    "print_function" if future => new.flags.print_function = true,
                    "unicode_literals" if future => new.flags.unicode_literals = true,
                    "async" if new.text(i + 1) == "def" => new.flags.coroutines = true,
                    _ => {}
                },
                _ => {}
            }
        }
        new
    }

    /// Returns the text of a token; empty past the last token, and for an end of line.
    fn text(&self, index: usize) -> &'a str {
        match self.tokens.get(index) {
            Some(t) if t.kind != Kind::Newline => self.source.get(t.start..t.end).unwrap_or_default(),
            _ => "",
        }
    }

    fn replace(&mut self, span: Range<usize>, text: impl Into<Cow<'a, str>>, kind: EditKind) {
        if self.doubt {
            self.doubtful.push(span.start);
        }
        self.edits.push((Edit { span, kind }, text.into()));
    }

    fn insert(&mut self, at: usize, text: impl Into<Cow<'a, str>>, kind: EditKind) {
        self.replace(at..at, text, kind);
    }

    /// Returns the bytes between two tokens, if there are only blanks, which a replacement may remove.
    fn gap(&self, before: usize, after: usize) -> Option<Range<usize>> {
        let span = self.tokens.get(before)?.end..self.tokens.get(after)?.start;
        let blank = self.source.get(span.clone())?.bytes().all(|b| b == b' ' || b == b'\t');
        blank.then_some(span)
    }

    /// Replaces the blanks between two tokens; if there is more than blanks, inserts the text in front of it.
    fn fill_gap(&mut self, before: usize, after: usize, text: impl Into<Cow<'a, str>>, kind: EditKind) {
        let at = self.tokens.get(before).map_or(0, |t| t.end);
        let span = self.gap(before, after).unwrap_or(at..at);
        self.replace(span, text, kind);
    }

    /// Makes the edits that depend only on a token and its neighbours.
    fn tokens(&mut self) {
        for (i, token) in self.tokens.iter().enumerate() {
            let span = token.start..token.end;
            let text = self.text(i);
            // No Python accepts brackets that are nested this deep, and examining each of them would take long.
            if token.kind == Kind::Open && token.depth > MAX_DEPTH {
                continue;
            }
            match token.kind {
                Kind::Operator if text == "<>" => self.replace(span, "!=", EditKind::NotEqual),
                Kind::Number => {
                    if let Some(text) = literals::number(text) {
                        // `7L.bit_length()` must not become a fraction.
                        let text = if self.text(i + 1) == "." { text + " " } else { text };
                        self.replace(span, text, EditKind::Number);
                    }
                }
                Kind::Text { prefix, quote, closed: true } => {
                    let unicode = self.flags.unicode_literals;
                    if let Some(text) = literals::string(text, prefix.into(), quote.into(), unicode, !self.people) {
                        self.replace(span, text, EditKind::Literal);
                    }
                }
                Kind::Name => self.name(i, text),
                Kind::Open if text == "`" => self.backticks(i),
                Kind::Open if text == "[" => self.comprehension(i),
                _ => {}
            }
        }
    }

    fn name(&mut self, index: usize, text: &str) {
        let attribute = index > 0 && self.text(index - 1) == ".";
        if self.people && matches!(text, "async" | "await" | "nonlocal" | "True" | "False") {
            return self.keyword_for_people(index, text, attribute);
        }
        let renamed = match text {
            "async" if attribute || !self.flags.coroutines => "async_",
            "await" if attribute || !self.flags.coroutines => "await_",
            // `nonlocal x` is a statement of Python 3.
            "nonlocal" if self.tokens.get(index + 1).is_none_or(|t| t.kind != Kind::Name) => "nonlocal_",
            "True" if attribute => "True_",
            "False" if attribute => "False_",
            "lambda" => return self.lambda(index),
            _ => return,
        };
        if let Some(token) = self.tokens.get(index) {
            self.replace(token.start..token.end, renamed, EditKind::Keyword);
        }
    }

    fn backticks(&mut self, open: usize) {
        let Some((first, last)) = self.ends(open) else { return };
        let Some(close) = self.tokens.get(open).and_then(|t| t.pair) else { return };
        let tuple = self.find(open + 1..close, ",").is_some();
        // In `` return`x` `` there is no blank between the keyword and the backtick.
        let glued = open > 0
            && self.gap(open - 1, open).is_some_and(|gap| gap.is_empty())
            && self.tokens.get(open - 1).is_some_and(|t| matches!(t.kind, Kind::Name | Kind::Number));
        let text = match (glued, tuple) {
            (false, false) => "repr(",
            (false, true) => "repr((",
            (true, false) => " repr(",
            (true, true) => " repr((",
        };
        self.replace(first, text, EditKind::Repr);
        self.replace(last, if tuple { "))" } else { ")" }, EditKind::Repr);
    }

    /// `[x for x in 1, 2]`: Python 3 requires parentheses around the tuple.
    fn comprehension(&mut self, open: usize) {
        let Some(close) = self.tokens.get(open).and_then(|t| t.pair) else { return };
        let mut at = open + 1;
        while let Some(word) = self.find(at..close, "for") {
            let Some(sequence) = self.find(word..close, "in").map(|i| i + 1) else { return };
            let depth = self.tokens.get(word).map(|t| t.depth);
            let ends =
                |i: &usize| matches!(self.text(*i), "for" | "if") && self.tokens.get(*i).map(|t| t.depth) == depth;
            at = (sequence..close).find(ends).unwrap_or(close);
            if self.find(sequence..at, ",").is_some()
                && let Some((first, last)) = self.tokens.get(sequence).zip(self.tokens.get(at - 1))
            {
                self.insert(first.start, "(", EditKind::Comprehension);
                self.insert(last.end, ")", EditKind::Comprehension);
            }
        }
    }

    /// Returns the byte ranges of a bracket and its counterpart.
    fn ends(&self, open: usize) -> Option<(Range<usize>, Range<usize>)> {
        let first = self.tokens.get(open)?;
        let last = self.tokens.get(first.pair?)?;
        Some((first.start..first.end, last.start..last.end))
    }

    /// Returns the first token with that text in `range` at the depth of the range's first token.
    fn find(&self, range: Range<usize>, text: &str) -> Option<usize> {
        let depth = self.tokens.get(range.start)?.depth;
        range.into_iter().find(|&i| self.tokens.get(i).is_some_and(|t| t.depth == depth) && self.text(i) == text)
    }

    fn finish(mut self) -> Rewritten {
        // The sort is stable: insertions at the same place keep their order.
        self.edits.sort_by_key(|(edit, _)| (edit.span.start, edit.span.end));
        let mut text = String::with_capacity(self.source.len() + 16 * self.edits.len());
        let mut copied = 0;
        let mut edits = Vec::with_capacity(self.edits.len());
        for (edit, replacement) in self.edits {
            // Two edits of one place can only come from text that no Python accepts: the first one wins.
            let Some(before) = self.source.get(copied..edit.span.start) else { continue };
            text.push_str(before);
            text.push_str(&replacement);
            copied = edit.span.end;
            edits.push(edit);
        }
        text.push_str(self.source.get(copied..).unwrap_or_default());
        Rewritten { text, edits }
    }
}
