//! Words, names, and the ends of them.

use super::{Mode, Reader};
use crate::codes;
use crate::topic::ItemKind;
use crate::words::stands_alone;
use boxstep_types::Diagnostic;

/// Returns whether a character is part of the name of a concept or tag.
pub(super) fn is_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-')
}

/// Returns whether a character is part of the key of a variable or event. A dot or hyphen is, too, inside a key. Only
/// ASCII: in texts without blanks a word follows at once (`$food食べたい`).
pub(super) fn is_key(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '/')
}

impl Reader<'_> {
    /// Reads the key of a variable or event.
    pub(super) fn key(&mut self) -> &str {
        let rest = self.rest();
        let mut chars = rest.char_indices().peekable();
        let mut length = 0;
        while let Some((at, c)) = chars.next() {
            let inside = at > 0 && chars.peek().is_some_and(|(_, next)| is_key(*next));
            let sign_inside = inside && matches!(c, '.' | '-');
            if !is_key(c) && !sign_inside {
                break;
            }
            length = at + c.len_utf8();
        }
        self.skip(length);
        &rest[..length]
    }

    /// Reads a word, up to a blank or to a sign that begins another item.
    pub(super) fn text(&mut self, mode: Mode) -> ItemKind {
        let start = self.here();
        let rest = self.rest();
        // Plain letters end nothing and are no typographic signs.
        let length = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
        if length > 0 && matches!(rest.as_bytes().get(length), None | Some(b' ' | b'\n')) {
            self.skip(length);
            return ItemKind::Text(rest[..length].into());
        }
        let mut end = length;
        let mut before = rest[..length].chars().next_back();
        for (at, c) in rest[length..].char_indices() {
            let at = length + at;
            let after = rest[at + c.len_utf8()..].chars().next();
            if at > 0 && ends_text(c, before, after, mode) {
                break;
            }
            end = at + c.len_utf8();
            before = Some(c);
        }
        let length = end;
        self.skip(length);
        let word = &rest[..length];
        if !word.is_ascii()
            && let Some(sign) = word.chars().find(|c| is_typographic(*c, mode))
        {
            let (message, help) = if is_invisible(sign) {
                (
                    format!("an invisible sign (U+{:04X}) stands in the word", u32::from(sign)),
                    "delete the word, and type it",
                )
            } else {
                let message = "is a typographic sign, which the robot's dialog engine does not accept";
                (format!("`{sign}` {message}"), "write the plain sign")
            };
            self.problem(Diagnostic::warning(codes::TYPOGRAPHIC, message).help(help), self.since(start));
        }
        ItemKind::Text(word.into())
    }

    /// Reads the text of a value: up to a blank, a bracket or a sign that begins another item.
    pub(super) fn value_text(&mut self) -> &str {
        const ENDS: [char; 14] = ['[', ']', '{', '}', '(', ')', '"', '$', '^', '~', '\\', ',', '#', '*'];
        self.take_while(|c| !c.is_whitespace() && !ENDS.contains(&c))
    }

    /// Returns whether the quotation mark that comes next opens a phrase although one is open: a value is directly
    /// behind its sign, and text follows at once.
    pub(super) fn quote_opens(&self) -> bool {
        let behind = &self.rest()[1..];
        !behind.starts_with(char::is_whitespace) && !behind.starts_with([']', '}', ')'])
    }

    /// Skips an argument of a function: up to a comma or the bracket that closes the list. Returns whether either
    /// came.
    pub(super) fn skip_argument(&mut self) -> bool {
        let mut depth = 0usize;
        let mut quoted = false;
        while let Some(c) = self.peek() {
            match c {
                '"' => quoted = !quoted,
                '(' | '[' | '{' if !quoted => depth += 1,
                ')' | ',' if !quoted && depth == 0 => return true,
                ')' | ']' | '}' if !quoted => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.bump();
        }
        false
    }

    /// Tells of everything but blanks up to the end.
    pub(in super::super) fn nothing_more(&mut self) {
        self.skip_blanks();
        if !self.at_end() {
            let here = self.line_here();
            self.problem(Diagnostic::error(codes::NOT_A_RULE, "nothing can stand here"), here);
        }
    }
}

fn ends_text(c: char, before: Option<char>, after: Option<char>, mode: Mode) -> bool {
    let not_output = mode != Mode::Output;
    let begins = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || matches!(c, '"' | '[' | '{' | '~' | '*'));
    match c {
        '[' | ']' | '{' | '}' | '"' | '\\' | '#' => true,
        '(' | ')' | '*' => not_output,
        '~' => after.is_some_and(is_name),
        '$' => after.is_some_and(is_key),
        '^' => after.is_some_and(|c| c.is_ascii_alphabetic()),
        '%' => after.is_some_and(char::is_alphabetic) && !before.is_some_and(char::is_alphanumeric),
        '_' => not_output && before.is_some_and(stands_alone) && begins(after),
        _ => c.is_whitespace() || c == '\u{feff}',
    }
}

/// Returns whether a sign is one that the syntax page forbids: a typographic apostrophe, or a full-width digit where
/// words are compared; or one that nobody sees.
fn is_typographic(c: char, mode: Mode) -> bool {
    match c {
        '\u{2018}' | '\u{2019}' | '\u{201C}' | '\u{201D}' => true,
        '\u{FF10}'..='\u{FF19}' => mode != Mode::Output,
        _ => is_invisible(c) && mode != Mode::Output,
    }
}

/// Returns whether a sign has no width, and parts words: nobody sees why a rule does not match.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200B}' | '\u{2060}' | '\u{00AD}')
}
