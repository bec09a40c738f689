//! Formats the facts about a robot: a line each for people, with the reason and a hint below; JSON for programs.

use anstyle::{AnsiColor, Style};
use boxstep_robot::naoqi::preflight::{Fact, Report, Topic, Verdict};
use boxstep_types::printable;
use serde_json::{Value as Json, json};
use std::fmt::Write as _;

const DIM: Style = Style::new().dimmed();
const YELLOW: Style = AnsiColor::Yellow.on_default();
const RED: Style = AnsiColor::Red.on_default().bold();

/// Formats facts for people.
pub(crate) fn text<'a>(facts: impl Iterator<Item = &'a Fact>) -> String {
    let mut text = String::new();
    facts.for_each(|fact| line(&mut text, fact));
    text
}

fn line(text: &mut String, fact: &Fact) {
    let longest = Topic::Life.label().len();
    let (style, word) = match fact.verdict {
        Verdict::Fine => (DIM, "ok"),
        Verdict::Told => (YELLOW, "note"),
        Verdict::Refused => (RED, "refused"),
    };
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{style}{word:<7}{style:#}  {:<longest$}  {}", fact.topic.label(), printable(&fact.value));
    let margin = " ".repeat("refused".len() + 2 + longest + 2);
    if let Some(why) = &fact.why {
        let _ = writeln!(text, "{margin}{style}{}{style:#}", printable(why));
    }
    if let Some(help) = &fact.help {
        let _ = writeln!(text, "{margin}help: {}", printable(help));
    }
}

/// Formats the facts as JSON.
pub(crate) fn to_json(robot: &str, report: &Report) -> Json {
    let facts: Vec<Json> = report
        .facts
        .iter()
        .map(|fact| {
            json!({
                "fact": fact.topic.id(),
                "value": fact.value,
                "verdict": fact.verdict.id(),
                "why": fact.why,
                "help": fact.help,
            })
        })
        .collect();
    json!({"robot": robot, "verdict": report.verdict().id(), "facts": facts})
}

/// Returns the names of the refused facts, such as `awake, Autonomous Life`.
pub(crate) fn refused(report: &Report) -> String {
    report.refused().map(|fact| fact.topic.label()).collect::<Vec<_>>().join(", ")
}
