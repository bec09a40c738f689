//! A tokenizer for Python 2 and 3. It knows strings, comments, numbers, brackets and line ends, but no grammar. It
//! accepts any text: an unknown character becomes an operator.

use std::ops::Range;

/// The kind of a token. Comments, white space, line continuations and line ends inside brackets do not become tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Name,
    Number,
    /// A string literal. `prefix` and `quote` are the lengths of its prefix and quote; `closed` is false when the
    /// closing quote is missing.
    Text {
        prefix: u8,
        quote: u8,
        closed: bool,
    },
    Operator,
    /// `(`, `[`, `{` or the first backtick of a pair.
    Open,
    /// The counterpart of [`Kind::Open`].
    Close,
    /// End of a logical line.
    Newline,
}

/// A token: its range of bytes, the number of brackets around it and, for a bracket, the index of its counterpart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) depth: u32,
    pub(super) pair: Option<usize>,
}

/// The tokens of a text, and its indentation with tabs.
#[derive(Debug, Default)]
pub(super) struct Tokens {
    pub(super) list: Vec<Token>,
    /// The leading white space of logical lines, where it has a tab.
    pub(super) tabbed_indents: Vec<Range<usize>>,
}

/// Tokenizes the whole text.
pub(super) fn tokenize(source: &str) -> Tokens {
    let mut reader = Reader { bytes: source.as_bytes(), at: 0, stack: Vec::new(), out: Tokens::default() };
    // A short box script has about one token for every four bytes.
    reader.out.list.reserve(source.len() / 4);
    reader.run();
    reader.out
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    /// The indices of the open brackets and backticks.
    stack: Vec<usize>,
    out: Tokens,
}

impl Reader<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn run(&mut self) {
        if self.bytes.starts_with("\u{feff}".as_bytes()) {
            self.at = 3;
        }
        self.indent();
        while self.at < self.bytes.len() {
            let start = self.at;
            match self.peek(0) {
                b' ' | b'\t' | b'\x0c' => self.at += 1,
                b'#' => self.skip_while(|b| b != b'\n' && b != b'\r'),
                b'\n' | b'\r' => {
                    self.at += line_end(self.bytes, self.at);
                    if !self.in_brackets() {
                        self.end_line(start);
                        self.indent();
                    }
                }
                b'\\' if line_end(self.bytes, self.at + 1) > 0 => self.at += 1 + line_end(self.bytes, self.at + 1),
                b'0'..=b'9' => self.number(),
                b'.' if self.peek(1).is_ascii_digit() => self.number(),
                b'"' | b'\'' => self.text(0),
                b if is_name(b) => self.name(),
                _ => self.operator(),
            }
        }
        self.end_line(self.at);
    }

    /// An open bracket continues a line, an open backtick does not.
    fn in_brackets(&self) -> bool {
        self.stack.iter().any(|&i| !self.is_backtick(i))
    }

    fn is_backtick(&self, index: usize) -> bool {
        self.out.list.get(index).is_some_and(|t| self.bytes.get(t.start) == Some(&b'`'))
    }

    fn skip_while(&mut self, keep: impl Fn(u8) -> bool) {
        while self.bytes.get(self.at).is_some_and(|&b| keep(b)) {
            self.at += 1;
        }
    }

    fn indent(&mut self) {
        let start = self.at;
        self.skip_while(|b| matches!(b, b' ' | b'\t' | b'\x0c'));
        if self.bytes.get(start..self.at).is_some_and(|space| space.contains(&b'\t')) {
            self.out.tabbed_indents.push(start..self.at);
        }
    }

    fn push(&mut self, kind: Kind, start: usize) {
        let depth = self.stack.len() as u32;
        self.out.list.push(Token { kind, start, end: self.at, depth, pair: None });
    }

    fn end_line(&mut self, start: usize) {
        self.stack.clear();
        if self.out.list.last().is_some_and(|t| t.kind != Kind::Newline) {
            self.out.list.push(Token { kind: Kind::Newline, start, end: self.at, depth: 0, pair: None });
        }
    }

    fn name(&mut self) {
        let start = self.at;
        self.skip_while(|b| is_name(b) || b.is_ascii_digit());
        let length = self.at - start;
        let quoted = matches!(self.peek(0), b'"' | b'\'');
        let word = self.bytes.get(start..self.at).unwrap_or_default();
        if quoted && length <= 2 && word.iter().all(|b| b"uUbBrRfFtT".contains(b)) {
            self.at = start;
            self.text(length as u8);
        } else {
            self.push(Kind::Name, start);
        }
    }

    fn number(&mut self) {
        let start = self.at;
        let radix = self.peek(0) == b'0' && matches!(self.peek(1), b'x' | b'X' | b'o' | b'O' | b'b' | b'B');
        if radix {
            let hex = matches!(self.peek(1), b'x' | b'X');
            self.at += 2;
            self.skip_while(|b| b == b'_' || if hex { b.is_ascii_hexdigit() } else { b.is_ascii_digit() });
        } else {
            self.skip_while(|b| b == b'_' || b.is_ascii_digit());
            if self.peek(0) == b'.' {
                self.at += 1;
                self.skip_while(|b| b == b'_' || b.is_ascii_digit());
            }
            if matches!(self.peek(0), b'e' | b'E') {
                let sign = usize::from(matches!(self.peek(1), b'+' | b'-'));
                if self.peek(1 + sign).is_ascii_digit() {
                    self.at += 1 + sign;
                    self.skip_while(|b| b == b'_' || b.is_ascii_digit());
                }
            }
        }
        if matches!(self.peek(0), b'j' | b'J' | b'l' | b'L') {
            self.at += 1;
        }
        self.push(Kind::Number, start);
    }

    fn text(&mut self, prefix: u8) {
        let start = self.at;
        self.at += usize::from(prefix);
        let mark = self.peek(0);
        let triple = self.peek(1) == mark && self.peek(2) == mark;
        let quote = if triple { 3 } else { 1 };
        self.at += usize::from(quote);
        let mut closed = false;
        while let Some(&b) = self.bytes.get(self.at) {
            if b == b'\\' {
                // CR LF is one line end, also after a backslash.
                self.at += 1 + line_end(self.bytes, self.at + 1).max(1);
            } else if b == mark && (!triple || (self.peek(1) == mark && self.peek(2) == mark)) {
                self.at += usize::from(quote);
                closed = true;
                break;
            } else if !triple && (b == b'\n' || b == b'\r') {
                break;
            } else {
                self.at += 1;
            }
        }
        self.at = self.at.min(self.bytes.len());
        self.push(Kind::Text { prefix, quote, closed }, start);
    }

    fn operator(&mut self) {
        const LONG: [&[u8]; 25] = [
            b"**=", b"//=", b">>=", b"<<=", b"...", b"<>", b"==", b"!=", b"<=", b">=", b"->", b"+=", b"-=", b"*=",
            b"/=", b"%=", b"&=", b"|=", b"^=", b"@=", b":=", b"**", b"//", b">>", b"<<",
        ];
        let start = self.at;
        let rest = self.bytes.get(start..).unwrap_or_default();
        match self.peek(0) {
            b'(' | b'[' | b'{' => self.open(),
            b')' | b']' | b'}' => {
                while self.stack.last().is_some_and(|&i| self.is_backtick(i)) {
                    self.stack.pop();
                }
                self.close();
            }
            b'`' if self.stack.last().is_some_and(|&i| self.is_backtick(i)) => self.close(),
            b'`' => self.open(),
            _ => {
                self.at += LONG.iter().find(|op| rest.starts_with(op)).map_or(1, |op| op.len());
                self.push(Kind::Operator, start);
            }
        }
    }

    fn open(&mut self) {
        self.at += 1;
        self.push(Kind::Open, self.at - 1);
        self.stack.push(self.out.list.len() - 1);
    }

    fn close(&mut self) {
        self.at += 1;
        let pair = self.stack.pop();
        self.push(Kind::Close, self.at - 1);
        let here = self.out.list.len() - 1;
        if let Some(open) = pair.and_then(|open| self.out.list.get_mut(open)) {
            open.pair = Some(here);
            if let Some(close) = self.out.list.last_mut() {
                close.pair = pair;
            }
        }
    }
}

/// Whether a byte belongs to a name: letters, the underscore and everything beyond ASCII (Python decides whether that
/// is valid).
fn is_name(b: u8) -> bool {
    b == b'_' || b.is_ascii_alphabetic() || b >= 0x80
}

/// Returns the length of the line end at `at`: 2 for CR LF, 1 for LF or a lone CR, 0 if there is none.
pub(super) fn line_end(bytes: &[u8], at: usize) -> usize {
    match (bytes.get(at), bytes.get(at + 1)) {
        (Some(b'\r'), Some(b'\n')) => 2,
        (Some(b'\r' | b'\n'), _) => 1,
        _ => 0,
    }
}
