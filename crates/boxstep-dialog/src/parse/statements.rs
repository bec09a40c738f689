//! Text → statements: a statement begins on a line that starts with a keyword, and goes on to the next one.

use crate::topic::RuleKind;
use boxstep_types::nearest;
use std::ops::Range;

/// What a statement begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keyword {
    Header(&'static str),
    Rule(RuleKind),
    Recover,
}

/// The bytes of a statement.
#[derive(Clone, Copy, Debug)]
pub(super) struct Statement {
    /// `None` for text before the first keyword.
    pub(super) keyword: Option<Keyword>,
    pub(super) start: usize,
    /// The first byte of the keyword.
    pub(super) keyword_start: usize,
    /// The first byte after the keyword's colon.
    pub(super) content: usize,
    pub(super) end: usize,
}

/// The headers that topics have.
const HEADERS: [&str; 9] =
    ["topic", "language", "include", "description", "overload", "concept", "dynamic", "pronunciation", "def"];

/// A header that files have, and no documentation: it is ignored.
const UNDOCUMENTED_HEADERS: [&str; 1] = ["model"];

/// Splits a text into statements, which follow each other without a gap; and returns the words that look like keywords
/// that somebody has mistyped.
pub(super) fn split(text: &str) -> (Vec<Statement>, Vec<Range<usize>>) {
    let mut found: Vec<Statement> = Vec::new();
    let mut mistyped = Vec::new();
    let mut in_script = false;
    let mut at = 0;
    while at < text.len() {
        let begin = at;
        let rest = &text[begin..];
        let length = rest.bytes().position(|byte| matches!(byte, b'\n' | b'\r')).map_or(rest.len(), |end| end + 1);
        let line = &rest[..length];
        at += length;
        if !in_script && let Some((keyword, start, content)) = keyword_of(line) {
            if let Some(last) = found.last_mut() {
                last.end = begin;
            } else if begin > 0 {
                found.push(Statement { keyword: None, start: 0, keyword_start: 0, content: 0, end: begin });
            }
            let (keyword_start, content) = (begin + start, begin + content);
            let keyword = Some(keyword);
            found.push(Statement { keyword, start: begin, keyword_start, content, end: text.len() });
        } else if !in_script
            && !found.is_empty()
            && let Some(word) = mistyped_keyword(line)
        {
            mistyped.push(begin + word.start..begin + word.end);
        }
        if line.as_bytes().contains(&b'%') {
            let code = if in_script { line } else { line.split('#').next().unwrap_or(line) };
            in_script ^= code.matches("%script").count() % 2 == 1;
        }
    }
    if found.is_empty() && !text.is_empty() {
        found.push(Statement { keyword: None, start: 0, keyword_start: 0, content: 0, end: text.len() });
    }
    (found, mistyped)
}

/// Returns the word at the beginning of a line that is probably meant as a keyword: it is nearly one, or has a bracket
/// behind its colon.
fn mistyped_keyword(line: &str) -> Option<Range<usize>> {
    let rest = line.trim_start();
    let length = rest.find(|c: char| !c.is_ascii_alphanumeric())?;
    let behind = rest[length..].strip_prefix(':')?.trim_start_matches([' ', '\t']);
    let begins = rest.starts_with(|c: char| c.is_ascii_alphabetic());
    let start = line.len() - rest.len();
    (begins && (behind.starts_with('(') || nearest_keyword(&rest[..length]).is_some())).then(|| start..start + length)
}

/// The keyword that a word is nearly.
pub(super) fn nearest_keyword(word: &str) -> Option<&'static str> {
    let long = HEADERS.into_iter().chain(["proposal", "recover"]).filter(|keyword| keyword.len() > 3);
    nearest(word, long)
}

/// Returns the keyword that a line begins with, where it starts, and the byte after its colon.
fn keyword_of(line: &str) -> Option<(Keyword, usize, usize)> {
    let start = line.len() - line.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}').len();
    let rest = &line[start..];
    let length = rest.find(|c: char| !c.is_ascii_alphanumeric())?;
    let word = &rest[..length];
    let behind = rest[length..].trim_start_matches([' ', '\t']);
    let colon = line.len() - behind.len();
    if !behind.starts_with(':') {
        return None;
    }
    Some((keyword(word)?, start, colon + 1))
}

fn keyword(word: &str) -> Option<Keyword> {
    // Most lines begin with the keyword of a rule.
    if word.len() > 2
        && let Some(header) = HEADERS.iter().chain(&UNDOCUMENTED_HEADERS).find(|h| h.eq_ignore_ascii_case(word))
    {
        return Some(Keyword::Header(header));
    }
    let word = word.to_ascii_lowercase();
    let level = || match word.as_bytes()[1..] {
        [digit @ b'1'..=b'9'] => Some(digit - b'0'),
        _ => None,
    };
    let rule = match word.as_str() {
        "recover" => return Some(Keyword::Recover),
        "u" => RuleKind::User,
        "l" => RuleKind::Beside,
        "s" => RuleKind::Skin,
        "proposal" => RuleKind::Proposal,
        _ => match word.chars().next()? {
            'u' => RuleKind::Sub(level()?),
            'c' => RuleKind::Result(level()?),
            'e' => RuleKind::Failure(level()?),
            _ => return None,
        },
    };
    Some(Keyword::Rule(rule))
}
