//! Line differences of scripts.

use crate::text::plural;
use schemars::JsonSchema;
use serde::Serialize;
use similar::{Algorithm, ChangeTag, TextDiff};

/// The number of unchanged lines shown around a change.
const CONTEXT: usize = 3;
/// The maximum number of lines for which the better but slower algorithm is used.
const LONG: usize = 20_000;

/// A line of a script's difference.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Line {
    /// ` ` in both, `-` only in the old one, `+` only in the new one, `@` for lines left out before it,
    /// `\\` if the line before it, the script's last, has no line end.
    pub tag: char,
    /// Number in the old script, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<usize>,
    /// Number in the new script, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<usize>,
    /// The text without its line end; a `\r` is kept, unless all lines gained or lost it.
    pub text: String,
}

/// The difference between two scripts.
pub(super) struct ScriptDiff {
    /// What changed, in a few words.
    pub(super) words: Vec<String>,
    /// The changed lines, with some unchanged ones around them.
    pub(super) lines: Vec<Line>,
}

/// Compares two different scripts.
pub(super) fn compare(old: &str, new: &str) -> ScriptDiff {
    let mut words = Vec::new();
    // A change of all line ends is reported once, not as a change of every line.
    let (before, after) = (Ends::detect(old), Ends::detect(new));
    let lines = match (before, after) {
        (Ends::Lf, Ends::CrLf) | (Ends::CrLf, Ends::Lf) => {
            words.push(format!("line ends: {} → {}", before.word(), after.word()));
            lines(&old.replace("\r\n", "\n"), &new.replace("\r\n", "\n"))
        }
        _ => lines(old, new),
    };
    let count = |tag: char| lines.iter().filter(|l| l.tag == tag).count();
    let (plus, minus) = (count('+'), count('-'));
    if plus + minus > 0 {
        words.push(format!("{plus} line{} added, {minus} removed", plural(plus)));
    }
    ScriptDiff { words, lines }
}

/// The line ends of a script.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ends {
    /// There are none, or they are mixed.
    Other,
    Lf,
    CrLf,
}

impl Ends {
    fn detect(text: &str) -> Self {
        let (all, crlf) = (text.matches('\n').count(), text.matches("\r\n").count());
        match all - crlf {
            0 if crlf > 0 => Ends::CrLf,
            left if left > 0 && crlf == 0 => Ends::Lf,
            _ => Ends::Other,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Ends::Other => "mixed",
            Ends::Lf => "LF",
            Ends::CrLf => "CRLF",
        }
    }
}

fn lines(old: &str, new: &str) -> Vec<Line> {
    let long = old.lines().count().max(new.lines().count()) > LONG;
    let algorithm = if long { Algorithm::Patience } else { Algorithm::Myers };
    let diff = TextDiff::configure().algorithm(algorithm).diff_lines(old, new);
    let mut found = Vec::new();
    let mut reached = (0, 0);
    for group in diff.grouped_ops(CONTEXT) {
        if let Some(first) = group.first() {
            let at = (first.old_range().start, first.new_range().start);
            if at != reached {
                found.push(Line { tag: '@', old: Some(at.0 + 1), new: Some(at.1 + 1), text: String::new() });
            }
        }
        for op in &group {
            reached = (op.old_range().end, op.new_range().end);
            for change in diff.iter_changes(op) {
                let tag = match change.tag() {
                    ChangeTag::Equal => ' ',
                    ChangeTag::Delete => '-',
                    ChangeTag::Insert => '+',
                };
                let line = |i: Option<usize>| i.map(|i| i + 1);
                let value = change.value();
                let text = value.strip_suffix('\n').unwrap_or(value).to_owned();
                found.push(Line { tag, old: line(change.old_index()), new: line(change.new_index()), text });
                if !value.ends_with('\n') && tag != ' ' {
                    found.push(Line { tag: '\\', old: None, new: None, text: String::new() });
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_changed_and_what_is_around_it() {
        let old: String = (1..=20).map(|i| format!("line {i}\n")).collect();
        let new = old.replace("line 10\n", "line ten\n");
        let found = compare(&old, &new).lines;
        let tags: String = found.iter().map(|l| l.tag).collect();
        assert_eq!(tags, "@   -+   ");
        assert_eq!(found[4], Line { tag: '-', old: Some(10), new: None, text: "line 10".into() });
        assert_eq!(found[0].old, Some(7));
        assert!(lines("", "").is_empty());
    }

    #[test]
    fn a_changed_last_line_end_is_marked() {
        let tags = |old, new| compare(old, new).lines.iter().map(|l| l.tag).collect::<String>();
        assert_eq!(tags("a\nb", "a\nb\n"), " -\\+");
        assert_eq!(tags("a\nb\n", "a\nb"), " -+\\");
    }

    #[test]
    fn other_line_ends_are_one_change() {
        let found = compare("a\nb\n", "a\r\nb\r\n");
        assert_eq!((found.words, found.lines), (vec!["line ends: LF → CRLF".to_owned()], vec![]));
        let found = compare("a\r\nb\r\n", "a\nc\n");
        assert_eq!(found.words, ["line ends: CRLF → LF", "1 line added, 1 removed"]);
        // A changed line end of a single line is a change of that line.
        assert_eq!(compare("a\nb\n", "a\r\nb\n").words, ["1 line added, 1 removed"]);
    }
}
