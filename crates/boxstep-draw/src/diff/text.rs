//! Changes for people.

use super::{Change, Kind, Line, What};
use crate::text::one_line;
use std::fmt::Write as _;

const RED: &str = "\u{1b}[31m";
const GREEN: &str = "\u{1b}[32m";
const YELLOW: &str = "\u{1b}[33m";
const BOLD: &str = "\u{1b}[1m";
const PLAIN: &str = "\u{1b}[0m";

/// More changed keys than this of one curve are only counted.
const KEYS: usize = 12;
/// Longest value that is shown whole.
const VALUE: usize = 200;

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
    let _ = writeln!(out, "\n{n} change{}", if n == 1 { "" } else { "s" });
    out
}

fn sign(kind: Kind) -> (char, &'static str) {
    match kind {
        Kind::Added => ('+', GREEN),
        Kind::Removed => ('-', RED),
        Kind::Changed => ('~', YELLOW),
    }
}

/// One line about a change: `parameter Speed (%): 100 → 80`.
pub(super) fn words(change: &Change) -> String {
    let name = one_line(&change.name);
    let value = |v: &Option<String>| v.as_deref().map(quoted);
    let (before, after) = (value(&change.before), value(&change.after));
    let arrow = match (&before, &after) {
        (Some(before), Some(after)) => format!("{before} → {after}"),
        (Some(one), None) | (None, Some(one)) => one.clone(),
        (None, None) => String::new(),
    };
    match (change.what, change.kind) {
        (What::Name, _) => format!("box renamed: {arrow}"),
        (What::Place, _) => format!("box moved to another diagram: {arrow}"),
        (What::Position, _) => format!("box repositioned: {arrow}"),
        (What::Order, _) => format!("the {name} stand in another order"),
        (What::Link, Kind::Changed) => {
            format!("link moved: {}, now {}", before.unwrap_or_default(), after.unwrap_or_default())
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

/// A value on one line, whole if it is not long.
fn quoted(value: &str) -> String {
    let plain = if value.trim().is_empty() { "\"\"".to_owned() } else { one_line(value) };
    match plain.char_indices().nth(VALUE) {
        Some((end, _)) => format!("{}…", &plain[..end]),
        None => plain,
    }
}

/// A line of a script; what would move the cursor is not sent to a terminal.
pub(super) fn script_line(line: &Line) -> (String, &'static str) {
    let text: String = line.text.chars().map(|c| if c.is_control() && c != '\t' { '\u{fffd}' } else { c }).collect();
    match line.tag {
        '@' => (format!("… line {}", line.new.unwrap_or(1)), ""),
        '+' => (format!("+{text}"), GREEN),
        '-' => (format!("-{text}"), RED),
        _ => (format!(" {text}"), ""),
    }
}

/// How many changes from the first on are keys of the same curve.
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
