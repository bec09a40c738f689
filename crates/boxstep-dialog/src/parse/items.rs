//! The items of inputs, outputs and concepts.

mod cursor;
mod text;

pub(super) use cursor::Reader;

use crate::codes;
use crate::functions::{self, Brackets};
use crate::topic::{Argument, Arguments, Call, Comparison, Condition, Item, ItemKind, Word};
use boxstep_types::{Diagnostic, Span};
use text::{is_key, is_name};

/// Where items stand: this decides what `*`, `!`, `_` and round brackets mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Input,
    Output,
    Concept,
}

/// How deep brackets, values and arguments may be nested.
const DEEPEST: usize = 60;

impl Reader<'_> {
    /// Reads items up to a closing sign, which is consumed, or to the end. `close` has the sign and the first byte of
    /// what it closes.
    pub(super) fn items(&mut self, mode: Mode, close: Option<(char, u32)>) -> Vec<Item> {
        let first = self.found.len();
        if let Some((sign, _)) = close {
            self.open.push(sign);
        }
        loop {
            let spaced = self.skip_blanks();
            let Some(c) = self.peek() else {
                if let Some((sign, start)) = close
                    && !self.gave_up
                {
                    let message = format!("`{}` is not closed", opener(sign));
                    let span = self.span(start, start + 1);
                    self.problem(Diagnostic::error(codes::UNBALANCED, message), span);
                }
                break;
            };
            if close.is_some_and(|(sign, _)| sign == c) {
                self.bump();
                break;
            }
            if self.closes_an_outer_one(c, close) {
                if let Some((sign, start)) = close {
                    let message = format!("`{}` is not closed before `{c}`", opener(sign));
                    let span = self.span(start, start + 1);
                    self.problem(Diagnostic::error(codes::UNBALANCED, message), span);
                }
                break;
            }
            if let Some(item) = self.item(mode, spaced) {
                self.found.push(item);
            }
        }
        if close.is_some() {
            self.open.pop();
        }
        self.found.drain(first..).collect()
    }

    /// Returns whether a sign closes a bracket further out than the innermost one. A quotation mark never does: it
    /// opens a phrase inside the innermost bracket.
    fn closes_an_outer_one(&self, c: char, close: Option<(char, u32)>) -> bool {
        c != '"' && close.is_some() && self.open.contains(&c)
    }

    /// Reads one item; `None` if there is none, and a problem was told.
    fn item(&mut self, mode: Mode, spaced: bool) -> Option<Item> {
        let start = self.here();
        let c = self.peek()?;
        let next = self.peek_second();
        let input = mode == Mode::Input;
        let kind = match c {
            '"' => ItemKind::Phrase(self.group(mode, '"')?),
            '[' => ItemKind::Choice(alternatives(mode, self.group(mode, ']')?)),
            '{' => ItemKind::Optional(alternatives(mode, self.group(mode, '}')?)),
            ']' | '}' => {
                self.bump();
                self.problem(Diagnostic::error(codes::UNBALANCED, format!("`{c}` closes nothing")), self.since(start));
                return None;
            }
            '(' | ')' if mode != Mode::Output => {
                self.bump();
                let message = format!("`{c}` has no meaning here");
                self.problem(Diagnostic::error(codes::UNBALANCED, message), self.since(start));
                return None;
            }
            '*' if mode != Mode::Output => {
                self.bump();
                ItemKind::Any
            }
            '!' if input && next.is_some_and(begins_item) => {
                self.bump();
                ItemKind::Not(Box::new(self.operand(mode, "!")?))
            }
            '_' if mode != Mode::Output && next.is_some_and(begins_item) => {
                self.bump();
                ItemKind::Capture(Box::new(self.operand(mode, "_")?))
            }
            '~' if next.is_some_and(is_name) => {
                self.bump();
                ItemKind::Concept(self.take_while(is_name).into())
            }
            '$' if next.is_some_and(is_key) => self.variable(mode),
            '%' if self.takes_word("%script") => self.script(start),
            '%' if next.is_some_and(char::is_alphabetic) || (next == Some('_')) => {
                self.bump();
                ItemKind::Tag(self.take_while(is_name).into())
            }
            '^' if next.is_some_and(|c| c.is_ascii_alphabetic()) => {
                self.bump();
                self.function(mode)
            }
            // `\"` in arguments that were quoted twice.
            '\\' if next == Some('"') => {
                self.bump();
                self.bump();
                ItemKind::Text("".into())
            }
            '\\' => self.voice(),
            'e' if input && next == Some(':') => {
                self.bump();
                self.bump();
                self.skip_blanks();
                let key = self.key();
                if key.is_empty() {
                    let message = "`e:` needs the name of an event";
                    self.problem(Diagnostic::error(codes::NOT_A_RULE, message), self.since(start));
                    return None;
                }
                ItemKind::Event(key.into())
            }
            _ => self.text(mode),
        };
        Some(Item { kind, span: self.since(start), spaced })
    }

    /// Reads what stands in brackets.
    fn group(&mut self, mode: Mode, close: char) -> Option<Vec<Item>> {
        let start = self.here();
        self.bump();
        if self.is_deepest() {
            let message = format!("brackets are nested more than {DEEPEST} deep");
            self.problem(Diagnostic::error(codes::UNBALANCED, message), self.since(start));
            self.give_up();
            return None;
        }
        Some(self.items(mode, Some((close, start))))
    }

    /// Reads the item behind `!`, `_` or `=`.
    fn operand(&mut self, mode: Mode, sign: &str) -> Option<Item> {
        let start = self.here();
        if self.is_deepest() {
            self.problem(Diagnostic::error(codes::UNBALANCED, format!("too many `{sign}`")), self.since(start));
            self.give_up();
            return None;
        }
        self.depth += 1;
        let item = self.item(mode, false);
        self.depth -= 1;
        item
    }

    fn is_deepest(&self) -> bool {
        self.open.len() + self.depth >= DEEPEST
    }

    fn variable(&mut self, mode: Mode) -> ItemKind {
        self.bump();
        let key = self.key().to_owned();
        let number = key.parse::<usize>().ok().filter(|_| key.bytes().all(|b| b.is_ascii_digit()));
        let behind_key = self.position();
        self.skip_spaces();
        if let Some(comparison) = self.comparison() {
            self.skip_spaces();
            return ItemKind::Condition(Condition { subject: key.into(), comparison, value: self.value(mode) });
        }
        if number.is_none() && self.peek() == Some('=') {
            let spaced = self.position() > behind_key;
            self.bump();
            if spaced {
                self.skip_spaces();
            }
            return ItemKind::Assign(key.into(), self.value(mode));
        }
        self.back_to(behind_key);
        match number {
            Some(number) => ItemKind::Captured(number),
            None => ItemKind::Variable(key.into()),
        }
    }

    fn comparison(&mut self) -> Option<Comparison> {
        const SIGNS: [(&str, Comparison); 7] = [
            ("==", Comparison::Equal),
            ("<>", Comparison::Unequal),
            ("!=", Comparison::Unequal),
            ("<=", Comparison::LessOrEqual),
            (">=", Comparison::GreaterOrEqual),
            ("<", Comparison::Less),
            (">", Comparison::Greater),
        ];
        SIGNS.iter().find(|(sign, _)| self.takes_word(sign)).map(|(_, comparison)| *comparison)
    }

    /// Reads the value behind a comparison or `=`: one item.
    fn value(&mut self, mode: Mode) -> Vec<Item> {
        let mode = if mode == Mode::Input { Mode::Input } else { Mode::Output };
        match self.peek() {
            None => Vec::new(),
            Some(c) if c.is_whitespace() || matches!(c, ']' | '}' | ')' | '#' | ',') => Vec::new(),
            // A phrase that ends here: `"you $x=" …`.
            Some('"') if self.open.last() == Some(&'"') && !self.quote_opens() => Vec::new(),
            Some('"' | '[' | '{' | '~' | '$' | '^') => self.operand(mode, "=").into_iter().collect(),
            Some(_) => {
                let start = self.here();
                let kind = ItemKind::Text(self.value_text().into());
                vec![Item { kind, span: self.since(start), spaced: false }]
            }
        }
    }

    fn function(&mut self, mode: Mode) -> ItemKind {
        let name = self.take_while(|c| c.is_ascii_alphanumeric() || c == '_').to_owned();
        let behind_name = self.position();
        // `^first` and its kin may stand on the line before their list; behind `^stayInScope` a bracket is an item of
        // its own.
        if functions::has_brackets(&name, Brackets::Square) {
            self.skip_blanks();
        }
        let alone = functions::has_brackets(&name, Brackets::No);
        let arguments = match self.peek() {
            Some('(') if !alone => Arguments::List(self.arguments()),
            Some('[') if !alone => match self.group(mode, ']') {
                Some(items) => Arguments::Items(alternatives(mode, items)),
                None => Arguments::None,
            },
            _ => {
                self.back_to(behind_name);
                // Decision: empty brackets behind a function that takes none are no text.
                if alone && self.rest().starts_with("()") {
                    self.skip(2);
                }
                Arguments::None
            }
        };
        ItemKind::Call(Call { name: name.into(), arguments })
    }

    /// Reads `(a, b)`.
    fn arguments(&mut self) -> Vec<Argument> {
        self.bump();
        self.arguments_to_bracket()
    }

    /// Reads `a, b)`.
    pub(super) fn arguments_to_bracket(&mut self) -> Vec<Argument> {
        let open = self.here().saturating_sub(1);
        let mut found = Vec::new();
        loop {
            let start = self.here();
            let ended = self.skip_argument();
            let text = self.trimmed(start, self.here());
            let closes = self.peek() == Some(')');
            if !(text.text.is_empty() && closes && found.is_empty()) {
                found.push(self.argument(text));
            }
            if !ended {
                let span = self.span(open, open + 1);
                self.problem(Diagnostic::error(codes::UNBALANCED, "`(` is not closed"), span);
                return found;
            }
            self.bump();
            if closes {
                return found;
            }
        }
    }

    fn argument(&mut self, text: Word) -> Argument {
        if self.is_deepest() {
            return Argument { text, items: Vec::new() };
        }
        let mut inner = self.part(text.span);
        inner.depth = self.open.len() + self.depth + 1;
        let items = inner.items(Mode::Output, None);
        self.problems.append(&mut inner.problems);
        Argument { text, items }
    }

    /// Reads `%script … %script`; the first one has been consumed.
    fn script(&mut self, start: u32) -> ItemKind {
        match self.take_until("%script") {
            Some(text) => ItemKind::Script(text.trim_matches(['\n', '\r']).into()),
            None => {
                let message = "`%script` is not closed by another `%script`";
                self.problem(Diagnostic::error(codes::UNBALANCED, message), self.span(start, start + 7));
                let text = self.rest().to_owned();
                self.skip_all();
                ItemKind::Script(text.into())
            }
        }
    }

    /// Reads `\pau=300\`.
    fn voice(&mut self) -> ItemKind {
        let start = self.here();
        self.bump();
        let rest = self.rest();
        let length = rest.find(['\\', '\n', '\r']).filter(|at| rest[*at..].starts_with('\\'));
        match length {
            Some(length) => {
                let text = rest[..length].trim().to_owned();
                self.skip(length + 1);
                ItemKind::Voice(text.into())
            }
            None => {
                let message = "`\\` is not closed by another one on its line";
                self.problem(Diagnostic::warning(codes::UNBALANCED, message), self.span(start, start + 1));
                ItemKind::Text("".into())
            }
        }
    }

    /// Returns the trimmed text between two bytes.
    fn trimmed(&self, start: u32, end: u32) -> Word {
        let text = self.between(start, end);
        let start = start + (text.len() - text.trim_start().len()) as u32;
        let text = text.trim();
        Word { text: text.into(), span: self.span(start, start + text.len() as u32) }
    }

    /// The span of the rest of the line.
    pub(super) fn line_here(&self) -> Span {
        let line = self.rest().lines().next().unwrap_or("").trim_end();
        self.span(self.here(), self.here() + line.len() as u32)
    }
}

/// Returns whether an item can begin with this character, behind `!` or `_`.
fn begins_item(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '"' | '[' | '{' | '~' | '*' | '$' | '^' | '_')
}

/// Joins items that stand in a list without a blank between them: `[a b]s` is one alternative.
fn alternatives(mode: Mode, mut items: Vec<Item>) -> Vec<Item> {
    if mode != Mode::Output {
        without_separators(&mut items);
    }
    if items.iter().skip(1).all(|item| item.spaced) {
        return items;
    }
    let mut found: Vec<Item> = Vec::new();
    let is_phrase = |item: &Item| matches!(item.kind, ItemKind::Phrase(_));
    // Whether the last item was made here, of several.
    let mut joined = false;
    for item in items {
        match found.last_mut() {
            Some(last) if !item.spaced && (joined || !is_phrase(last) || !is_phrase(&item)) => {
                let span = Span { end: item.span.end, ..last.span };
                let spaced = last.spaced;
                match &mut last.kind {
                    ItemKind::Phrase(parts) if joined => parts.push(item),
                    _ => {
                        let empty = Item { kind: ItemKind::Phrase(Vec::new()), span, spaced };
                        let first = std::mem::replace(last, empty);
                        last.kind = ItemKind::Phrase(vec![first, item]);
                    }
                }
                last.span = span;
                joined = true;
            }
            _ => {
                found.push(item);
                joined = false;
            }
        }
    }
    found
}

/// Removes commas and semicolons between the items of a list: punctuation is no part of inputs and concepts.
fn without_separators(items: &mut Vec<Item>) {
    let mut parted = false;
    items.retain_mut(|item| {
        item.spaced |= std::mem::take(&mut parted);
        let ItemKind::Text(text) = &mut item.kind else { return true };
        let plain = text.trim_end_matches([',', ';']);
        if plain.len() == text.len() {
            return true;
        }
        parted = true;
        *text = plain.into();
        !text.is_empty()
    });
}

fn opener(close: char) -> char {
    match close {
        ']' => '[',
        '}' => '{',
        ')' => '(',
        other => other,
    }
}
