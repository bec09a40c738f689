//! A script's lines that changed.

use schemars::JsonSchema;
use serde::Serialize;
use similar::{Algorithm, ChangeTag, TextDiff};

/// Lines around a change.
const CONTEXT: usize = 3;
/// Beyond this many lines a better but slower way is not tried.
const LONG: usize = 20_000;

/// A line of a script's difference.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Line {
    /// ` ` in both, `-` only in the old one, `+` only in the new one, `@` for lines left out before it.
    pub tag: char,
    /// Number in the old script, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<usize>,
    /// Number in the new script, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<usize>,
    /// Without its line end; `\r` is kept.
    pub text: String,
}

/// The lines that differ, with some around them.
pub(super) fn lines(old: &str, new: &str) -> Vec<Line> {
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
        let found = lines(&old, &new);
        let tags: String = found.iter().map(|l| l.tag).collect();
        assert_eq!(tags, "@   -+   ");
        assert_eq!(found[4], Line { tag: '-', old: Some(10), new: None, text: "line 10".into() });
        assert_eq!(found[0].old, Some(7));
        assert_eq!(lines("a", "a\n").len(), 2, "a line end is a difference");
        assert!(lines("", "").is_empty());
    }
}
