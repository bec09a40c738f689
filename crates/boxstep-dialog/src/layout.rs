//! The canonical layout of a topic: only blanks and line ends change.
//!
//! A sub-rule is indented by four blanks a level; lines end with a line feed, without blanks before it; at most one
//! empty line separates two others. Comments and scripts stay as they are.

use crate::topic::{PartKind, Topic};

/// How far a sub-rule is indented below its parent, in blanks.
const INDENT: usize = 4;

/// Returns the text of a topic in its canonical layout.
///
/// ```
/// let topic = boxstep_dialog::read_topic("t.top", "topic: ~t()\r\n\r\n\r\nu:(hi) hello  \nu1 : (you) me");
/// assert_eq!(boxstep_dialog::formatted(&topic), "topic: ~t()\n\nu:(hi) hello\n    u1:(you) me\n");
/// ```
pub fn formatted(topic: &Topic) -> String {
    let mut lines: Vec<String> = Vec::new();
    for part in &topic.parts {
        let text = topic.sources.slice(part.span).replace("\r\n", "\n").replace('\r', "\n");
        let wanted = match part.kind {
            PartKind::Rule(n) => INDENT * usize::from(topic.rules.get(n).map_or(0, |rule| rule.kind.level())),
            _ => 0,
        };
        let is_rule = matches!(part.kind, PartKind::Rule(_));
        // Blanks at the beginning of a line mean something in Python.
        let has_script = text.contains("%script");
        let had = text.lines().next().map_or(0, indentation);
        let mut more = text.lines();
        if part.kind != PartKind::Preamble
            && let Some(first) = more.next()
        {
            lines.push(" ".repeat(wanted) + &head(first, is_rule));
        }
        for line in more {
            let comment = line.trim_start().starts_with('#');
            lines.push(match (has_script, comment) {
                (true, _) => line.to_owned(),
                (false, true) => line.trim_end().to_owned(),
                (false, false) => {
                    let indent = (indentation(line) + wanted).saturating_sub(had);
                    (" ".repeat(indent) + line.trim()).trim_end().to_owned()
                }
            });
        }
    }
    let mut out = String::new();
    let mut empty = true;
    for line in lines {
        if line.trim().is_empty() && std::mem::replace(&mut empty, true) {
            continue;
        }
        empty = line.trim().is_empty();
        out.push_str(&line);
        out.push('\n');
    }
    let end = out.trim_end_matches('\n').len();
    out.truncate(end);
    out.push('\n');
    out
}

/// The first line of a statement: its keyword stands right before the colon, and the input of a rule right behind.
fn head(line: &str, is_rule: bool) -> String {
    let line = line.trim().trim_start_matches('\u{feff}');
    let Some((keyword, rest)) = line.split_once(':') else { return line.to_owned() };
    let behind = rest.trim_start();
    let gap = if is_rule && behind.starts_with(['(', '^']) { "" } else { &rest[..rest.len() - behind.len()] };
    format!("{}:{gap}{behind}", keyword.trim_end())
}

/// How far a line is indented; a tab counts four.
fn indentation(line: &str) -> usize {
    let blanks = line.chars().take_while(|c| c.is_whitespace() && *c != '\n');
    blanks.map(|c| if c == '\t' { INDENT } else { 1 }).sum()
}
