//! Statements that Python 3 spells differently: `print`, `exec`, `raise`, `except` and `def`.

use std::ops::Range;

use super::tokens::Kind;
use super::{EditKind, Rewriter};

const COMPOUND: [&str; 12] =
    ["if", "elif", "else", "while", "for", "try", "except", "finally", "with", "def", "class", "async"];

impl Rewriter<'_> {
    /// Visits every simple statement and every header of a compound statement.
    pub(super) fn statements(&mut self) {
        let mut start = 0;
        for (i, token) in self.tokens.iter().enumerate() {
            if token.kind == Kind::Newline {
                self.line(start..i);
                start = i + 1;
            }
        }
    }

    fn line(&mut self, mut rest: Range<usize>) {
        while !rest.is_empty() {
            let colon = self.header_end(rest.clone());
            let end = colon.or_else(|| self.find(rest.clone(), ";")).unwrap_or(rest.end);
            self.statement(rest.start..end);
            rest.start = end + 1;
        }
    }

    /// Returns the colon that ends the header of a compound statement, and not that of a lambda.
    fn header_end(&self, line: Range<usize>) -> Option<usize> {
        if !COMPOUND.contains(&self.text(line.start)) {
            return None;
        }
        let mut lambdas = 0;
        for i in line {
            match self.text(i) {
                ";" if self.depth(i) == 0 => return None,
                "lambda" if self.depth(i) == 0 => lambdas += 1,
                ":" if self.depth(i) == 0 && lambdas == 0 => return Some(i),
                ":" if self.depth(i) == 0 => lambdas -= 1,
                _ => {}
            }
        }
        None
    }

    fn depth(&self, index: usize) -> u32 {
        self.tokens.get(index).map_or(0, |t| t.depth)
    }

    fn statement(&mut self, span: Range<usize>) {
        match self.text(span.start) {
            "print" if !self.flags.print_function => self.print(span),
            "exec" => self.exec(span),
            "raise" => self.raise(span),
            "except" => self.except(span),
            "def" if self.text(span.start + 2) == "(" && self.people => self.def_for_people(span),
            "def" if self.text(span.start + 2) == "(" => self.def(span.start + 2),
            _ => {}
        }
    }

    /// Makes edits that a person should review.
    pub(super) fn in_doubt(&mut self, edit: impl FnOnce(&mut Self)) {
        self.doubt = true;
        edit(self);
        self.doubt = false;
    }

    /// Whether an expression can begin with this token; otherwise the keyword before it is used as a name.
    pub(super) fn begins_expression(&self, index: usize) -> bool {
        match self.tokens.get(index).map(|t| t.kind) {
            Some(Kind::Name) => !matches!(
                self.text(index),
                "in" | "is" | "and" | "or" | "if" | "else" | "for" | "as" | "import" | "from"
            ),
            Some(Kind::Number | Kind::Text { .. } | Kind::Open) => true,
            Some(Kind::Operator) => matches!(self.text(index), "+" | "-" | "~"),
            _ => false,
        }
    }

    /// Whether one pair of parentheses spans exactly these tokens.
    pub(super) fn is_parenthesised(&self, span: Range<usize>) -> bool {
        self.text(span.start) == "(" && self.tokens.get(span.start).and_then(|t| t.pair) == span.end.checked_sub(1)
    }

    fn print(&mut self, span: Range<usize>) {
        let (keyword, first, last) = (span.start, span.start + 1, span.end - 1);
        let Some(end) = self.tokens.get(last).map(|t| t.end) else { return };
        if first == span.end {
            return self.insert(end, "()", EditKind::Print);
        }
        if self.text(first) == ">>" {
            return if self.people { self.print_to_for_people(span) } else { self.print_to(span) };
        }
        if !self.begins_expression(first) || self.is_parenthesised(first..span.end) && self.is_single(first) {
            return;
        }
        self.fill_gap(keyword, first, "(", EditKind::Print);
        if self.text(last) == "," {
            self.in_doubt(|it| it.replace(end - 1..end, ", end=' ')", EditKind::Print));
        } else {
            self.insert(end, ")", EditKind::Print);
        }
    }

    /// Whether parentheses hold one expression, or arguments that only a call in Python 3 can have.
    pub(super) fn is_single(&self, open: usize) -> bool {
        let Some(close) = self.tokens.get(open).and_then(|t| t.pair) else { return true };
        let inside = open + 1..close;
        let call = matches!(self.text(open + 1), "*" | "**") || self.find(inside.clone(), "=").is_some();
        call || !inside.is_empty() && self.find(inside, ",").is_none()
    }

    /// Converts `print >>f, x` to `print(file=f, *(x,))`, which keeps all text on its line.
    fn print_to(&mut self, span: Range<usize>) {
        let (keyword, target, last) = (span.start, span.start + 2, span.end - 1);
        let comma = self.find(target..span.end, ",");
        let Some(end) = self.tokens.get(last).map(|t| t.end) else { return };
        if target >= span.end || comma == Some(last) || !self.begins_expression(target) {
            return;
        }
        self.fill_gap(keyword, keyword + 1, "(", EditKind::Print);
        let arrows = end_of(self, keyword + 1).saturating_sub(2)..end_of(self, keyword + 1);
        self.replace(arrows, "file=", EditKind::Print);
        let Some(start) = comma.and_then(|comma| self.tokens.get(comma + 1)).map(|t| t.start) else {
            return self.insert(end, ")", EditKind::Print);
        };
        self.insert(start, "*(", EditKind::Print);
        if self.text(last) == "," {
            self.replace(end - 1..end, ",), end=' ')", EditKind::Print);
        } else {
            self.insert(end, ",))", EditKind::Print);
        }
    }

    fn exec(&mut self, span: Range<usize>) {
        let (keyword, first) = (span.start, span.start + 1);
        if !self.begins_expression(first) || self.is_parenthesised(first..span.end) {
            return;
        }
        self.fill_gap(keyword, first, "(", EditKind::Exec);
        if let Some(word) = self.find(first..span.end, "in") {
            let word_end = end_of(self, word);
            let start = self.gap(word - 1, word).map_or(word_end - 2, |gap| gap.start);
            self.replace(start..word_end, ",", EditKind::Exec);
        }
        self.insert(end_of(self, span.end - 1), ")", EditKind::Exec);
    }

    fn raise(&mut self, span: Range<usize>) {
        let first = span.start + 1;
        let comma = self.find(first..span.end, ",");
        if comma.is_none_or(|comma| comma == first || comma + 1 == span.end) {
            return;
        }
        if self.people {
            return self.raise_for_people(span);
        }
        let glued = self.gap(span.start, first).is_some_and(|gap| gap.is_empty());
        let text = if glued { " __py2_raise__(" } else { "__py2_raise__(" };
        self.insert(start_of(self, first), text, EditKind::Raise);
        self.insert(end_of(self, span.end - 1), ")", EditKind::Raise);
    }

    fn except(&mut self, span: Range<usize>) {
        let first = span.start + 1;
        let Some(comma) = self.find(first..span.end, ",") else { return };
        if comma == first || comma + 1 == span.end || self.find(first..span.end, "as").is_some() {
            return;
        }
        let target = comma + 1;
        if target + 1 == span.end && self.tokens.get(target).is_some_and(|t| t.kind == Kind::Name) {
            let start = self.gap(comma - 1, comma).map_or(start_of(self, comma), |gap| gap.start);
            let end = self.gap(comma, target).map_or(end_of(self, comma), |gap| gap.end);
            return self.replace(start..end, " as ", EditKind::Except);
        }
        if self.people {
            return self.except_for_people(span, comma);
        }
        let glued = self.gap(span.start, first).is_some_and(|gap| gap.is_empty());
        let text = if glued { " __py2_except__[" } else { "__py2_except__[" };
        self.insert(start_of(self, first), text, EditKind::Except);
        self.insert(end_of(self, span.end - 1), "] as __py2_exc__", EditKind::Except);
    }
}

pub(super) fn start_of(rewriter: &Rewriter<'_>, index: usize) -> usize {
    rewriter.tokens.get(index).map_or(0, |t| t.start)
}

pub(super) fn end_of(rewriter: &Rewriter<'_>, index: usize) -> usize {
    rewriter.tokens.get(index).map_or(0, |t| t.end)
}
