//! Excerpts of a run in the console's format: what happened around a place, and what led to it.

use super::words::{Volume, Words};
use anstyle::{AnsiColor, Style};
use boxstep_engine::trace::{Event, Kind, Recording};
use boxstep_test::Focus;
use boxstep_types::printable_line;
use std::mem::discriminant;

const DIM: Style = Style::new().dimmed();
const BOLD: Style = Style::new().bold();
const MARK: Style = AnsiColor::Red.on_default().bold();

/// The number of lines before and after the place.
const BEFORE: usize = 5;
const AFTER: usize = 3;
/// The number of lines at the beginning and at the end of a long chain of causes.
const FIRST: usize = 3;
const LAST: usize = 12;

/// Returns the lines around a place; the event itself is marked.
pub(crate) fn around(run: &Recording, focus: Focus) -> String {
    let event = match focus {
        Focus::Event(n) => run.event(n),
        Focus::Time(_) | Focus::End => None,
    };
    // Include the lines that the console prints by default, and events of the same kind as the marked one.
    let mut words = Words::default();
    let mut lines: Vec<(&Event, String)> = Vec::new();
    for e in &run.events {
        // Samples that a test requested did not happen by themselves.
        let looked = matches!(e.kind, Kind::Joints { .. } | Kind::Memory { .. });
        if looked && event.is_none_or(|event| event.n != e.n) {
            continue;
        }
        if looked {
            lines.push((e, "the test looks".to_owned()));
            continue;
        }
        let Some(console_line) = words.line(&e.kind) else { continue };
        let like = event.is_some_and(|event| event.n == e.n || discriminant(&event.kind) == discriminant(&e.kind));
        if console_line.volume != Volume::Detail
            || (like && !matches!(e.kind, Kind::Box { .. } | Kind::Input { .. }))
            || event.is_some_and(|x| x.n == e.n)
        {
            lines.push((e, console_line.text));
        }
    }
    let at = match focus {
        Focus::Event(n) => lines.iter().position(|(e, _)| e.n >= n).unwrap_or(lines.len()),
        Focus::Time(t) => lines.iter().position(|(e, _)| e.t > t).unwrap_or(lines.len()),
        Focus::End => lines.len(),
    };
    let range = at.saturating_sub(BEFORE)..(at + AFTER + 1).min(lines.len());
    let shown = lines.get(range.clone()).unwrap_or_default();
    let mut text = String::new();
    if range.start > 0 {
        text.push_str(&format!("{DIM}         …{DIM:#}\n"));
    }
    for (e, words) in shown {
        text.push_str(&line(run, e, words, event.is_some_and(|event| event.n == e.n)));
    }
    if range.end < lines.len() {
        text.push_str(&format!("{DIM}         …{DIM:#}\n"));
    }
    text
}

/// Returns what led to a place, starting with the first cause; empty if nothing happened at the place.
pub(crate) fn how(run: &Recording, focus: Focus) -> String {
    let event = match focus {
        Focus::Event(n) => run.event(n).filter(|e| !matches!(e.kind, Kind::Joints { .. } | Kind::Memory { .. })),
        Focus::End => run.events.last(),
        Focus::Time(_) => None,
    };
    let Some(event) = event else { return String::new() };
    let mut words = Words::default();
    let line_of = |words: &mut Words, e: &Event| words.line(&e.kind).map(|line| line.text);
    let chain: Vec<(&Event, String)> =
        run.chain(event).events.into_iter().rev().filter_map(|e| Some((e, line_of(&mut words, e)?))).collect();
    let cut = chain.len() > FIRST + LAST + 1;
    let mut text = String::new();
    for (i, (e, words)) in chain.iter().enumerate() {
        let skipped = cut && i >= FIRST && i < chain.len() - LAST;
        match (skipped, i == FIRST) {
            (true, true) => {
                text.push_str(&format!("{DIM}         … {} steps …{DIM:#}\n", chain.len() - FIRST - LAST));
            }
            (true, false) => {}
            // Only the first line: a traceback is shown where the exception happened.
            (false, _) => text.push_str(&line(run, e, words.lines().next().unwrap_or_default(), e.n == event.n)),
        }
    }
    text
}

fn line(run: &Recording, event: &Event, words: &str, marked: bool) -> String {
    let (mark, style) = if marked { (format!("{MARK}>{MARK:#}"), BOLD) } else { (" ".to_owned(), Style::new()) };
    let path = printable_line(&run.path(event)).into_owned();
    let path = if path.is_empty() { path } else { format!("{path}  ") };
    let mut words = words.lines().map(printable_line);
    let first = words.next().unwrap_or_default();
    let mut text = format!("  {mark} {DIM}{:>9}{DIM:#}  {path}{style}{first}{style:#}\n", event.t.to_string());
    for more in words {
        text.push_str(&format!("{:17}{DIM}{more}{DIM:#}\n", ""));
    }
    text
}
