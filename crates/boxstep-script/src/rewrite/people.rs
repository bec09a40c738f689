//! A variant of the rewrite for people to read and keep: constructs that layer 1 only marks are written out, and lines
//! may move.

use std::ops::Range;

use super::statements::{end_of, start_of};
use super::tokens::{Kind, Tokens, tokenize};
use super::{EditKind, Rewriter, literals};

/// Python 3 text for people, before the changes that need a syntax tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForPeople {
    /// The text.
    pub text: String,
    /// The changes, in the order of the source; they do not overlap.
    pub changes: Vec<Change>,
}

/// One changed place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The bytes of the source that were replaced; empty for an insertion.
    pub span: Range<usize>,
    /// The new text.
    pub text: String,
    /// The reason of the change.
    pub kind: EditKind,
    /// Whether the new text certainly means what the old one meant; otherwise a person should review it.
    pub certain: bool,
}

/// Converts the syntax of a Python 2 module to Python 3, for people: there are no markers, and valid text stays as it
/// is.
///
/// The conversion never fails: text that cannot be read is left alone, and Python then reports the error.
///
/// ```
/// let done = boxstep_script::rewrite::python3("def f(a, (b, c)):\n    print >>a, b\n");
/// assert_eq!(done.text, "def f(a, b_c):\n    (b, c) = b_c\n    print(b, file=a)\n");
/// assert!(done.changes[0].certain && !done.changes[2].certain);
/// ```
pub fn python3(source: &str) -> ForPeople {
    let Tokens { list, tabbed_indents } = tokenize(source);
    let mut rewriter = Rewriter::new(source, &list);
    rewriter.people = true;
    if source.starts_with('\u{feff}') {
        rewriter.replace(0..3, "", EditKind::Mark);
    }
    if rewriter.has_unclear_tabs() {
        for space in tabbed_indents {
            let text = literals::indent(source.get(space.clone()).unwrap_or_default());
            rewriter.replace(space, text, EditKind::Indent);
        }
    }
    rewriter.tokens();
    rewriter.statements();
    let mut edits = std::mem::take(&mut rewriter.edits);
    edits.sort_by_key(|(edit, _)| (edit.span.start, edit.span.end));
    let (mut text, mut changes, mut copied) = (String::with_capacity(source.len() + 64), Vec::new(), 0);
    for (edit, replacement) in edits {
        let Some(before) = source.get(copied..edit.span.start) else { continue };
        text.push_str(before);
        text.push_str(&replacement);
        copied = edit.span.end;
        let certain = !rewriter.doubtful.contains(&edit.span.start);
        changes.push(Change { span: edit.span, text: replacement.into_owned(), kind: edit.kind, certain });
    }
    text.push_str(source.get(copied..).unwrap_or_default());
    ForPeople { text, changes }
}

impl Rewriter<'_> {
    /// Whether the depth of a line depends on the width of tabs, which Python 3 refuses.
    fn has_unclear_tabs(&self) -> bool {
        let mut stack = vec![(0, 0)];
        let mut begins = true;
        for token in self.tokens {
            if begins {
                let before = self.source.get(..token.start).unwrap_or_default();
                let white = before.get(before.trim_end_matches([' ', '\t', '\x0c']).len()..).unwrap_or_default();
                let wide = literals::indent(white).trim_start_matches('\x0c').len();
                let here = (wide, white.trim_start_matches('\x0c').len());
                while stack.last().is_some_and(|top| top.0 > here.0) {
                    stack.pop();
                }
                match stack.last() {
                    Some(top) if top.0 == here.0 && top.1 != here.1 => return true,
                    Some(top) if top.0 < here.0 && top.1 >= here.1 => return true,
                    Some(top) if top.0 == here.0 => {}
                    _ => stack.push(here),
                }
            }
            begins = token.kind == Kind::Newline;
        }
        false
    }

    pub(super) fn keyword_for_people(&mut self, index: usize, text: &str, attribute: bool) {
        let (start, end) = (start_of(self, index), end_of(self, index));
        let named_argument = self.text(index + 1) == "=" && self.tokens.get(index).is_some_and(|t| t.depth > 0);
        match text {
            "async" if attribute && index > 1 && self.text(index - 2) == "qi" && self.has_module_qi() => {
                self.replace(start..end, "runAsync", EditKind::Keyword);
            }
            "async" | "await" if self.flags.coroutines && !attribute => {}
            "nonlocal" if !attribute && self.tokens.get(index + 1).is_some_and(|t| t.kind == Kind::Name) => {}
            "True" | "False" if !attribute => {}
            _ if attribute || named_argument => {
                self.in_doubt(|it| it.replace(start..end, format!("{text}_"), EditKind::Keyword));
            }
            _ => self.replace(start..end, format!("{text}_"), EditKind::Keyword),
        }
    }

    /// Whether the script does not define a `qi` of its own.
    fn has_module_qi(&self) -> bool {
        let names = (0..self.tokens.len()).filter(|&i| self.text(i) == "qi");
        !{ names }.any(|i| self.text(i + 1) == "=" || i > 0 && matches!(self.text(i - 1), "def" | "class" | "for"))
    }

    /// `print >>f, x` → `print(x, file=f)`. A file that is not a text file would refuse the text.
    pub(super) fn print_to_for_people(&mut self, span: Range<usize>) {
        let (target, last) = (span.start + 2, span.end - 1);
        let comma = self.find(target..span.end, ",");
        if target >= span.end || comma == Some(last) || !self.begins_expression(target) {
            return;
        }
        let keyword = end_of(self, span.start);
        let file_end = end_of(self, comma.map_or(last, |comma| comma - 1));
        let Some(file) = self.source.get(start_of(self, target)..file_end) else { return };
        let Some(comma) = comma else {
            let end = end_of(self, last);
            return self.in_doubt(|it| it.replace(keyword..end, format!("(file={file})"), EditKind::Print));
        };
        let (start, end) = (start_of(self, comma + 1), end_of(self, last));
        let (from, close) = match self.text(last) {
            "," => (end - 1, format!(", end=' ', file={file})")),
            _ => (end, format!(", file={file})")),
        };
        self.in_doubt(|it| {
            it.replace(keyword..start, "(", EditKind::Print);
            it.replace(from..end, close, EditKind::Print);
        });
    }

    /// `raise E, v` → `raise E(v)`, `raise E, v, t` → `raise E(v).with_traceback(t)`. Whether that is right depends on
    /// `v`: Python 2 raises an exception instance unchanged, and unpacks a tuple.
    pub(super) fn raise_for_people(&mut self, span: Range<usize>) {
        let first = span.start + 1;
        let Some(comma) = self.find(first..span.end, ",") else { return };
        let second = self.find(comma + 1..span.end, ",");
        let value = comma + 1..second.unwrap_or(span.end);
        let literal = matches!(self.tokens.get(value.start).map(|t| t.kind), Some(Kind::Text { .. } | Kind::Number));
        let plain = literal && (value.len() == 1 || self.text(value.start + 1) == "%");
        let tuple = self.is_parenthesised(value.clone()) && !self.is_single(value.start);
        let certain = (plain || tuple) && second.is_none();
        let start = self.gap(comma - 1, comma).map_or(start_of(self, comma), |gap| gap.start);
        let end = start_of(self, value.start);
        let value_end = end_of(self, value.end - 1);
        let trace = second.and_then(|second| {
            let from = start_of(self, second + 1);
            self.source.get(from..end_of(self, span.end - 1)).map(|trace| format!(".with_traceback({trace})"))
        });
        if second.is_some() && self.text(value.start) == "None" && value.len() == 1 {
            let close = end_of(self, span.end - 1);
            let trace = trace.unwrap_or_default();
            return self.in_doubt(|it| it.replace(start..close, trace, EditKind::Raise));
        }
        if let (Some(trace), false, Some(value)) = (&trace, plain || tuple, self.source.get(end..value_end)) {
            // A value that is raised again with its traceback is an exception, and the class in front of it is its own
            // class.
            let (from, close) = (start_of(self, first), end_of(self, span.end - 1));
            let text = if value.contains(' ') { format!("({value}){trace}") } else { format!("{value}{trace}") };
            return self.in_doubt(|it| it.replace(from..close, text, EditKind::Raise));
        }
        let edit = |it: &mut Self| {
            it.replace(start..end, if tuple { "" } else { "(" }, EditKind::Raise);
            let close = if tuple { "" } else { ")" };
            let to = end_of(it, span.end - 1);
            it.replace(value_end..to, format!("{close}{}", trace.unwrap_or_default()), EditKind::Raise);
        };
        if certain { edit(self) } else { self.in_doubt(edit) }
    }

    /// `except E, (a, b):` → `except E as error:` and a line that unpacks it.
    pub(super) fn except_for_people(&mut self, span: Range<usize>, comma: usize) {
        let target = start_of(self, comma + 1)..end_of(self, span.end - 1);
        let Some(names) = self.source.get(target.clone()) else { return };
        let error = self.unused_name("error");
        let start = self.gap(comma - 1, comma).map_or(start_of(self, comma), |gap| gap.start);
        self.replace(start..target.end, format!(" as {error}"), EditKind::Except);
        // A target that is not a tuple is assigned the exception itself: `holder.error`.
        let part = if names.starts_with(['(', '[']) { ".args" } else { "" };
        self.first_in_body(span.end, &[format!("{names} = {error}{part}")], EditKind::Except);
    }

    /// `def f(a, (b, c)):` → `def f(a, b_c):` and a line that unpacks it.
    pub(super) fn def_for_people(&mut self, span: Range<usize>) {
        let open = span.start + 2;
        let Some(close) = self.tokens.get(open).and_then(|t| t.pair) else { return };
        let mut lines = Vec::new();
        for group in self.groups(open + 1..close) {
            let Some((first, last)) = self.ends(group) else { return };
            let whole = first.start..last.end;
            if let Some(name) = self.lone_name(group) {
                let name = name.to_owned();
                self.replace(whole, name, EditKind::TupleParameter);
                continue;
            }
            let name = self.joined_name(group);
            lines.push(format!("{} = {name}", self.source.get(whole.clone()).unwrap_or_default()));
            self.replace(whole, name, EditKind::TupleParameter);
        }
        if !lines.is_empty() {
            self.first_in_body(span.end, &lines, EditKind::TupleParameter);
        }
    }

    /// `lambda (k, v): x` → `lambda k_v: (lambda k, v: x)(*k_v)`: a lambda has no statement that could unpack it.
    pub(super) fn lambda_for_people(&mut self, colon: usize, groups: &[usize]) {
        let Some(end) = self.lambda_end(colon) else { return };
        let mut names = Vec::new();
        for &group in groups {
            let Some((first, last)) = self.ends(group) else { return };
            let name = self.joined_name(group);
            self.replace(first.start..last.end, name.clone(), EditKind::TupleParameter);
            names.push((group, name));
        }
        let (mut head, mut tail) = (String::new(), String::new());
        while !names.is_empty() {
            let (mut params, mut given, mut below) = (Vec::new(), Vec::new(), Vec::new());
            for (group, name) in names {
                self.parameters(group, &mut params, &mut below);
                given.push(format!("*{name}"));
            }
            head += &format!(" (lambda {}:", params.join(", "));
            tail = format!(")({}){tail}", given.join(", "));
            names = below;
        }
        self.insert(end_of(self, colon), head, EditKind::TupleParameter);
        self.insert(end_of(self, end), tail, EditKind::TupleParameter);
    }

    /// Collects the parameters that a tuple unpacks into; a nested tuple gets a name and is added to `below`.
    fn parameters(&mut self, group: usize, params: &mut Vec<String>, below: &mut Vec<(usize, String)>) {
        let Some(close) = self.tokens.get(group).and_then(|t| t.pair) else { return };
        let depth = self.tokens.get(group).map_or(0, |t| t.depth) + 1;
        for i in group + 1..close {
            match self.tokens.get(i) {
                Some(t) if t.depth == depth && t.kind == Kind::Name => params.push(self.text(i).to_owned()),
                Some(t) if t.depth == depth && t.kind == Kind::Open => match self.lone_name(i) {
                    Some(name) => params.push(name.to_owned()),
                    None => {
                        let name = self.joined_name(i);
                        params.push(name.clone());
                        below.push((i, name));
                    }
                },
                _ => {}
            }
        }
    }

    /// Returns the last token of a lambda's body.
    fn lambda_end(&self, colon: usize) -> Option<usize> {
        let depth = self.tokens.get(colon)?.depth;
        let mut lambdas = 0;
        for i in colon + 1..self.tokens.len() {
            let token = self.tokens.get(i)?;
            if token.depth < depth || token.kind == Kind::Newline {
                return Some(i - 1);
            }
            match self.text(i) {
                _ if token.depth > depth => {}
                "lambda" => lambdas += 1,
                ":" if lambdas > 0 => lambdas -= 1,
                "," if lambdas > 0 => {}
                "," | ";" | ":" | "for" | "=" => return Some(i - 1),
                _ => {}
            }
        }
        Some(self.tokens.len() - 1)
    }

    /// Inserts statements at the start of the body whose header ends with the token `colon`, after a docstring.
    fn first_in_body(&mut self, colon: usize, statements: &[String], kind: EditKind) {
        let Some(next) = self.tokens.get(colon + 1) else { return };
        if next.kind != Kind::Newline {
            let text = statements.iter().map(|s| format!(" {s};")).collect::<String>();
            return self.insert(end_of(self, colon), text, kind);
        }
        let first = colon + 2;
        let text = |t: usize| matches!(self.tokens.get(t).map(|t| t.kind), Some(Kind::Text { .. }));
        let documented = text(first) && self.tokens.get(first + 1).is_some_and(|t| t.kind == Kind::Newline);
        let at = start_of(self, if documented { first + 2 } else { first });
        let body = start_of(self, first);
        let before = self.source.get(..body).unwrap_or_default();
        let indent = before.get(before.trim_end_matches([' ', '\t']).len()..).unwrap_or_default();
        let line = if before.trim_end_matches([' ', '\t']).ends_with("\r\n") { "\r\n" } else { "\n" };
        let lines: String = statements.iter().map(|s| format!("{s}{line}{indent}")).collect();
        // A function that consists only of its docstring.
        let ends = documented
            && self.tokens.get(first + 2).is_none_or(|_| {
                let before = self.source.get(..at).unwrap_or_default();
                before.get(before.trim_end_matches([' ', '\t']).len()..) != Some(indent)
            });
        if ends {
            let lines: String = statements.iter().map(|s| format!("{line}{indent}{s}")).collect();
            return self.insert(end_of(self, first), lines, kind);
        }
        self.insert(at, lines, kind);
    }

    /// Returns an unused name for a tuple: `b_c` for `(b, c)`.
    fn joined_name(&mut self, group: usize) -> String {
        let close = self.tokens.get(group).and_then(|t| t.pair).unwrap_or(group);
        let names = (group..close).filter(|&i| self.tokens.get(i).is_some_and(|t| t.kind == Kind::Name));
        let name = names.map(|i| self.text(i)).collect::<Vec<_>>().join("_");
        self.unused_name(&name)
    }

    /// Returns `name`, or a variant of it that the script does not use.
    fn unused_name(&self, name: &str) -> String {
        let mut name = name.to_owned();
        while (0..self.tokens.len()).any(|i| self.text(i) == name) {
            name.push('_');
        }
        name
    }
}
