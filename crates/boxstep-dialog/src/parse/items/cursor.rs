//! A position in the text of a statement.

use crate::topic::{Item, Word};
use boxstep_types::{Diagnostic, FileId, Span};
use std::ops::Range;

/// Reads a part of a text, from left to right.
pub(in super::super) struct Reader<'a> {
    text: &'a str,
    file: FileId,
    at: usize,
    end: usize,
    /// The signs that close the open brackets, innermost last.
    pub(super) open: Vec<char>,
    /// How deep arguments and operands are nested.
    pub(super) depth: usize,
    /// The items of the open brackets, the innermost last.
    pub(super) found: Vec<Item>,
    /// Whether the rest of the part was passed over: then it is not known what is closed.
    pub(super) gave_up: bool,
    pub(in super::super) problems: Vec<Diagnostic>,
}

impl<'a> Reader<'a> {
    pub(in super::super) fn new(text: &'a str, file: FileId, part: Range<usize>) -> Self {
        Self {
            text,
            file,
            at: part.start,
            end: part.end,
            open: Vec::new(),
            depth: 0,
            found: Vec::new(),
            gave_up: false,
            problems: Vec::new(),
        }
    }

    /// Goes on to another part of the same text.
    pub(in super::super) fn begin(&mut self, part: Range<usize>) {
        (self.at, self.end) = (part.start, part.end);
        self.open.clear();
        self.depth = 0;
        self.gave_up = false;
    }

    /// A reader of another part of the same text.
    pub(super) fn part(&self, span: Span) -> Reader<'a> {
        Reader::new(self.text, self.file, span.start as usize..span.end as usize)
    }

    pub(in super::super) fn rest(&self) -> &'a str {
        &self.text[self.at..self.end]
    }

    pub(in super::super) fn at_end(&self) -> bool {
        self.at >= self.end
    }

    pub(in super::super) fn here(&self) -> u32 {
        self.at as u32
    }

    pub(super) fn position(&self) -> usize {
        self.at
    }

    pub(super) fn back_to(&mut self, position: usize) {
        self.at = position;
    }

    pub(in super::super) fn peek(&self) -> Option<char> {
        match self.next_byte()? {
            byte if byte.is_ascii() => Some(char::from(byte)),
            _ => self.rest().chars().next(),
        }
    }

    fn next_byte(&self) -> Option<u8> {
        if self.at < self.end { self.text.as_bytes().get(self.at).copied() } else { None }
    }

    pub(super) fn peek_second(&self) -> Option<char> {
        match self.rest().as_bytes() {
            [first, second, ..] if first.is_ascii() && second.is_ascii() => Some(char::from(*second)),
            _ => self.rest().chars().nth(1),
        }
    }

    pub(in super::super) fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    pub(super) fn skip(&mut self, bytes: usize) {
        self.at = (self.at + bytes).min(self.end);
    }

    /// Passes over the rest, which is not understood.
    pub(super) fn give_up(&mut self) {
        self.gave_up = true;
        self.skip_all();
    }

    pub(super) fn skip_all(&mut self) {
        self.at = self.end;
    }

    /// Skips blanks, line ends and comments; returns whether there were any.
    pub(in super::super) fn skip_blanks(&mut self) -> bool {
        let start = self.at;
        loop {
            while self.next_byte() == Some(b' ') {
                self.at += 1;
            }
            // Most items begin here: letters and signs are no blanks.
            if self.next_byte().is_some_and(|byte| byte.is_ascii_graphic() && byte != b'#') {
                return self.at > start;
            }
            let rest = self.rest();
            let text = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
            self.at += rest.len() - text.len();
            if !text.starts_with('#') {
                return self.at > start;
            }
            self.at += text.find(['\n', '\r']).unwrap_or(text.len());
        }
    }

    /// Skips blanks on the same line.
    pub(super) fn skip_spaces(&mut self) {
        let rest = self.rest();
        let is_space = |c: char| c.is_whitespace() && c != '\n' && c != '\r';
        self.at += rest.len() - rest.trim_start_matches(is_space).len();
    }

    /// Consumes a word if it comes next, without regard to case.
    pub(in super::super) fn takes_word(&mut self, word: &str) -> bool {
        let begins = self.rest().get(..word.len()).is_some_and(|text| text.eq_ignore_ascii_case(word));
        if begins {
            self.at += word.len();
        }
        begins
    }

    pub(super) fn take_while(&mut self, is_part: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    /// Takes the text before a word, and consumes both; `None` if the word does not come.
    pub(super) fn take_until(&mut self, word: &str) -> Option<&'a str> {
        let rest = self.rest();
        let length = rest.find(word)?;
        self.at += length + word.len();
        Some(&rest[..length])
    }

    pub(super) fn between(&self, start: u32, end: u32) -> &'a str {
        &self.text[start as usize..end as usize]
    }

    pub(in super::super) fn span(&self, start: u32, end: u32) -> Span {
        Span { file: self.file, start, end: end.min(self.end as u32).max(start) }
    }

    pub(in super::super) fn since(&self, start: u32) -> Span {
        self.span(start, self.here())
    }

    /// Reads the rest of the line without its comment, trimmed.
    pub(in super::super) fn line(&mut self) -> Word {
        self.skip_spaces();
        let start = self.here();
        let rest = self.rest();
        let length = rest.find(['\n', '\r', '#']).unwrap_or(rest.len());
        self.at += length;
        let text = rest[..length].trim_end();
        Word { text: text.into(), span: self.span(start, start + text.len() as u32) }
    }

    pub(in super::super) fn problem(&mut self, problem: Diagnostic, at: Span) {
        self.problems.push(problem.at(at));
    }
}
