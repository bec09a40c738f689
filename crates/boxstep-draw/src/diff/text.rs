//! Changes as text for users.

use super::{Change, Kind, Line, What};
use crate::text::{one_line, plural};
use std::fmt::Write as _;

const RED: &str = "\u{1b}[31m";
const GREEN: &str = "\u{1b}[32m";
const YELLOW: &str = "\u{1b}[33m";
const BOLD: &str = "\u{1b}[1m";
const PLAIN: &str = "\u{1b}[0m";

/// If more keys of one curve than this changed, they are only counted.
const KEYS: usize = 12;
/// The maximum length of a value that is shown completely.
const VALUE: usize = 200;
/// How many equal characters before a difference are shown if a value is shortened.
const BEFORE: usize = 40;

pub(super) fn text(changes: &[Change], old: &str, new: &str, color: bool) -> String {
    if changes.is_empty() {
        return String::new();
    }
    let paint = |style: &'static str, text: &str| {
        if color { format!("{style}{text}{PLAIN}") } else { text.to_owned() }
    };
    let mut out = format!(
        "{}\n{}\n",
        paint(RED, &format!("--- {}", one_line(old))),
        paint(GREEN, &format!("+++ {}", one_line(new)))
    );
    let mut place: Option<(&str, &Option<String>)> = None;
    let mut rest = changes;
    while let Some(change) = rest.first() {
        if place != Some((change.path.as_str(), &change.was)) {
            place = Some((change.path.as_str(), &change.was));
            let was = change.was.as_ref().map(|w| format!("  (was {})", one_line(w))).unwrap_or_default();
            let _ = writeln!(out, "\n{}{was}", paint(BOLD, &one_line(&change.path)));
        }
        let keys = keys_of_one_curve(rest);
        if keys > KEYS {
            let _ = writeln!(out, "  {}", paint(YELLOW, &format!("~ {}", many_keys(&rest[..keys]))));
            rest = &rest[keys..];
            continue;
        }
        let (sign, style) = sign(change.kind);
        let _ = writeln!(out, "  {}", paint(style, &format!("{sign} {}", words(change))));
        for line in &change.lines {
            let (text, style) = script_line(line);
            let _ = writeln!(out, "      {}", if style.is_empty() { text } else { paint(style, &text) });
        }
        rest = &rest[1..];
    }
    let n = changes.len();
    let _ = writeln!(out, "\n{n} change{}", plural(n));
    out
}

fn sign(kind: Kind) -> (char, &'static str) {
    match kind {
        Kind::Added => ('+', GREEN),
        Kind::Removed => ('-', RED),
        Kind::Changed => ('~', YELLOW),
    }
}

/// Describes a change in one line, e.g. `parameter Speed (%): 100 → 80`.
pub(super) fn words(change: &Change) -> String {
    let name = one_line(&change.name);
    let (before, after) = match (&change.before, &change.after) {
        (Some(before), Some(after)) => quoted_pair(before, after),
        (before, after) => (quoted(before.as_deref().unwrap_or("")), quoted(after.as_deref().unwrap_or(""))),
    };
    let arrow = match (&change.before, &change.after) {
        (Some(_), Some(_)) => format!("{before} → {after}"),
        (Some(_), None) => before.clone(),
        (None, Some(_)) => after.clone(),
        (None, None) => String::new(),
    };
    match (change.what, change.kind) {
        (What::Name, _) => format!("box renamed: {arrow}"),
        (What::Place, _) => format!("box moved to another diagram: {arrow}"),
        (What::Position, _) => format!("box repositioned: {arrow}"),
        (What::Order, _) => format!("the order of the {name} changed"),
        (What::Link, Kind::Changed) => {
            format!("link moved: {before}, now {after}")
        }
        (What::Detail, _) if arrow.is_empty() => format!("{name} changed"),
        (What::Detail, _) => format!("{name}: {arrow}"),
        (what, kind) => {
            let verb = match kind {
                Kind::Added => " added",
                Kind::Removed => " removed",
                Kind::Changed => "",
            };
            let tail = if arrow.is_empty() { String::new() } else { format!(": {arrow}") };
            let tail = if arrow.is_empty() && kind == Kind::Changed && what != What::Script {
                " changed".to_owned()
            } else {
                tail
            };
            format!("{} {name}{verb}{tail}", noun(what))
        }
    }
}

fn noun(what: What) -> &'static str {
    match what {
        What::File => "file",
        What::Box | What::Name | What::Place | What::Position | What::Detail => "box",
        What::Order => "order",
        What::Input => "input",
        What::Output => "output",
        What::Parameter => "parameter",
        What::Resource => "resource",
        What::Link => "link",
        What::Script => "script",
        What::Timeline => "timeline",
        What::Curve => "curve",
        What::Key => "key",
        What::Layer => "layer",
        What::Keyframe => "keyframe",
    }
}

/// Formats a value on one line, shortened if it is long.
fn quoted(value: &str) -> String {
    cut(&visible(value), 0)
}

/// Formats two different values so that the difference is visible.
fn quoted_pair(before: &str, after: &str) -> (String, String) {
    let (mut x, mut y) = (visible(before), visible(after));
    if x == y {
        (x, y) = (format!("{before:?}"), format!("{after:?}"));
    }
    let same = x.chars().zip(y.chars()).take_while(|(a, b)| a == b).count();
    let long = x.chars().count().max(y.chars().count()) > VALUE;
    let from = if long { same.saturating_sub(BEFORE) } else { 0 };
    (cut(&x, from), cut(&y, from))
}

/// Cuts a text to at most [`VALUE`] characters from `from` on, with `…` in place of the rest.
fn cut(text: &str, from: usize) -> String {
    let part: String = text.chars().skip(from).take(VALUE).collect();
    let more = text.chars().count() > from + VALUE;
    format!("{}{part}{}", if from > 0 { "…" } else { "" }, if more { "…" } else { "" })
}

/// Formats a value on one line, with visible signs for invisible characters: `⏎` for a line end, `·` for a space at
/// either end.
fn visible(value: &str) -> String {
    if value.is_empty() {
        return "\"\"".to_owned();
    }
    let first = value.len() - value.trim_start_matches(' ').len();
    let last = value.trim_end_matches(' ').len();
    let sign = |(i, c): (usize, char)| match c {
        '\n' => '⏎',
        ' ' if i < first || i >= last => '·',
        c => control(c),
    };
    value.char_indices().map(sign).collect()
}

/// Replaces a control character, which could move the cursor of a terminal.
fn control(c: char) -> char {
    match c {
        '\u{0}'..='\u{1f}' => char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{fffd}'),
        '\u{7f}' => '␡',
        c if c.is_control() => '\u{fffd}',
        c => c,
    }
}

/// Returns a plain line difference of two texts, for files that are not behaviors.
pub fn lines(old: &str, new: &str, old_name: &str, new_name: &str) -> String {
    let diff = similar::TextDiff::from_lines(old, new);
    let text = diff.unified_diff().header(&one_line(old_name), &one_line(new_name)).to_string();
    text.chars().map(|c| if matches!(c, '\n' | '\t') { c } else { control(c) }).collect()
}

/// Formats a line of a script, with `·` for each space at the end of a changed line.
pub(super) fn script_line(line: &Line) -> (String, &'static str) {
    let last = line.text.trim_end_matches(' ').len();
    let changed = matches!(line.tag, '+' | '-');
    let sign = |(i, c): (usize, char)| match c {
        '\t' => c,
        ' ' if changed && i >= last => '·',
        c => control(c),
    };
    let text: String = line.text.char_indices().map(sign).collect();
    match line.tag {
        '@' => (format!("… line {}", line.new.unwrap_or(1)), ""),
        '+' => (format!("+{text}"), GREEN),
        '-' => (format!("-{text}"), RED),
        '\\' => ("\\ no line end at the end".to_owned(), ""),
        _ => (format!(" {text}"), ""),
    }
}

/// Returns the number of changes, from the first on, that are keys of the same curve.
fn keys_of_one_curve(changes: &[Change]) -> usize {
    let Some(first) = changes.first().filter(|c| c.what == What::Key) else { return 0 };
    let same = |c: &&Change| c.what == What::Key && c.path == first.path && joint(c) == joint(first);
    changes.iter().take_while(same).count()
}

fn joint(change: &Change) -> &str {
    change.name.split(" frame ").next().unwrap_or_default()
}

fn many_keys(changes: &[Change]) -> String {
    let count = |kind: Kind| changes.iter().filter(|c| c.kind == kind).count();
    let joint = changes.first().map_or("", joint);
    format!(
        "curve {}: {} key changes, {} keys added, {} removed (--format json lists them)",
        one_line(joint),
        count(Kind::Changed),
        count(Kind::Added),
        count(Kind::Removed)
    )
}
