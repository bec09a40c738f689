//! Tuples among parameters: `def f(a, (b, c)):` and `lambda (k, v): v`.

use std::ops::Range;

use super::tokens::Kind;
use super::{EditKind, MAX_DEPTH, Rewriter};

impl Rewriter<'_> {
    /// Gives a tuple parameter a name, and makes the tuple its annotation, which the second layer unpacks.
    pub(super) fn def(&mut self, open: usize) {
        let Some(close) = self.tokens.get(open).and_then(|t| t.pair) else { return };
        for group in self.groups(open + 1..close) {
            let name = self.next_param();
            if let Some(token) = self.tokens.get(group) {
                self.insert(token.start, format!("{name}: "), EditKind::TupleParameter);
            }
        }
    }

    /// Converts a lambda, which has neither annotations nor statements: the unpacked names become parameters of a
    /// lambda inside the first, with one more lambda for each level of nesting.
    pub(super) fn lambda(&mut self, keyword: usize) {
        let Some(colon) = self.colon_of(keyword) else { return };
        let (mut groups, plain): (Vec<_>, Vec<_>) =
            self.groups(keyword + 1..colon).into_iter().partition(|&group| self.lone_name(group).is_none());
        // In `lambda (x): x` the parentheses enclose an ordinary parameter; Python 3 does not allow them.
        for group in plain {
            let Some((open, close)) = self.ends(group) else { continue };
            self.replace(open, "", EditKind::TupleParameter);
            self.replace(close, "", EditKind::TupleParameter);
        }
        if groups.is_empty() {
            return;
        }
        if self.people {
            return self.lambda_for_people(colon, &groups);
        }
        let Some(end) = self.tokens.get(colon).map(|t| t.end) else { return };
        let mut wholes = Vec::with_capacity(groups.len());
        let mut lines = String::new();
        for &group in &groups {
            let Some((first, last)) = self.ends(group) else { return };
            wholes.push(first.start..last.end);
            self.gaps(group, &mut lines);
        }
        for whole in wholes {
            let name = self.next_param();
            self.replace(whole, name, EditKind::TupleParameter);
        }
        let mut inner = String::new();
        while !groups.is_empty() {
            let (mut below, mut names) = (Vec::new(), Vec::new());
            for group in groups {
                self.elements(group, &mut names, &mut below);
            }
            // A tuple over several lines keeps its lines, inside the parentheses of a default that no caller can pass.
            if lines.contains(['\n', '\r']) {
                names.push(format!("*, __py2_lines__=({})", std::mem::take(&mut lines)));
            }
            inner += &format!(" lambda {}:", names.join(", "));
            groups = below;
        }
        self.insert(end, inner, EditKind::TupleParameter);
    }

    /// Appends the text between the tokens of a tuple parameter: blanks, line ends and comments.
    fn gaps(&self, group: usize, into: &mut String) {
        let Some(close) = self.tokens.get(group).and_then(|t| t.pair) else { return };
        let pairs = self.tokens.get(group..=close).unwrap_or_default().windows(2);
        for pair in pairs {
            if let [before, after] = pair {
                into.push_str(self.source.get(before.end..after.start).unwrap_or_default());
            }
        }
    }

    /// Collects the names in a tuple parameter; a nested tuple gets a generated name and is added to `below`.
    fn elements(&mut self, group: usize, names: &mut Vec<String>, below: &mut Vec<usize>) {
        let Some(close) = self.tokens.get(group).and_then(|t| t.pair) else { return };
        let depth = self.tokens.get(group).map_or(0, |t| t.depth) + 1;
        for i in group + 1..close {
            match self.tokens.get(i) {
                Some(t) if t.depth == depth && t.kind == Kind::Name => names.push(self.text(i).to_owned()),
                Some(t) if t.depth == depth && t.kind == Kind::Open => match self.lone_name(i) {
                    Some(name) => names.push(name.to_owned()),
                    None => {
                        names.push(self.next_param());
                        below.push(i);
                    }
                },
                _ => {}
            }
        }
    }

    /// Returns the name if the parentheses hold nothing else.
    pub(super) fn lone_name(&self, group: usize) -> Option<&str> {
        let alone = self.tokens.get(group)?.pair? == group + 2 && self.tokens.get(group + 1)?.kind == Kind::Name;
        alone.then(|| self.text(group + 1))
    }

    /// Returns the colon of a lambda, past those of lambdas among its defaults.
    fn colon_of(&self, keyword: usize) -> Option<usize> {
        let depth = self.tokens.get(keyword)?.depth;
        let mut inner = 0;
        for i in keyword + 1..self.tokens.len() {
            let token = self.tokens.get(i)?;
            match self.text(i) {
                _ if token.depth < depth || token.kind == Kind::Newline || inner > MAX_DEPTH => return None,
                _ if token.depth > depth => {}
                "lambda" => inner += 1,
                ":" if inner == 0 => return Some(i),
                ":" => inner -= 1,
                _ => {}
            }
        }
        None
    }

    /// Returns the opening parentheses at positions where a parameter begins.
    pub(super) fn groups(&self, params: Range<usize>) -> Vec<usize> {
        let Some(depth) = self.tokens.get(params.start).map(|t| t.depth) else { return Vec::new() };
        let (mut found, mut begins, mut lambdas) = (Vec::new(), true, 0);
        for i in params {
            if self.tokens.get(i).is_none_or(|t| t.depth != depth) {
                continue;
            }
            let text = self.text(i);
            if begins && text == "(" {
                found.push(i);
            }
            match text {
                "lambda" => lambdas += 1,
                ":" if lambdas > 0 => lambdas -= 1,
                _ => {}
            }
            begins = text == "," && lambdas == 0;
        }
        found
    }

    fn next_param(&mut self) -> String {
        self.params += 1;
        format!("__py2_arg{}__", self.params)
    }
}
