//! Formats the health of a robot: a line each for people, with the reason and a hint below; JSON for programs.

use anstyle::{AnsiColor, Style};
use boxstep_robot::naoqi::health::{Finding, Severity};
use boxstep_robot::naoqi::preflight::Topic;
use boxstep_types::printable_line;
use serde_json::{Value as Json, json};
use std::fmt::Write as _;

const DIM: Style = Style::new().dimmed();
const YELLOW: Style = AnsiColor::Yellow.on_default();
const RED: Style = AnsiColor::Red.on_default().bold();

/// Formats findings for people, in the columns of the facts above them.
pub(crate) fn text(findings: &[Finding]) -> String {
    let mut text = String::new();
    let longest = Topic::Life.label().len();
    let margin = " ".repeat("refused".len() + 2 + longest + 2);
    for finding in findings {
        let style = match finding.severity {
            Severity::Good | Severity::Unknown => DIM,
            Severity::Look => YELLOW,
            Severity::Broken => RED,
        };
        let (word, label) = (finding.severity.id(), finding.topic.label());
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{style}{word:<7}{style:#}  {label:<longest$}  {}", printable_line(&finding.value));
        if let Some(why) = &finding.why {
            let _ = writeln!(text, "{margin}{style}{}{style:#}", printable_line(why));
        }
        if let Some(help) = &finding.help {
            let _ = writeln!(text, "{margin}help: {}", printable_line(help));
        }
    }
    text
}

/// Formats findings as JSON.
pub(crate) fn to_json(findings: &[Finding]) -> Json {
    let one = |finding: &Finding| {
        json!({
            "about": finding.topic.id(),
            "severity": finding.severity.id(),
            "value": finding.value,
            "why": finding.why,
            "help": finding.help,
        })
    };
    findings.iter().map(one).collect()
}

/// Says what needs care, such as `1 broken (motors), 2 to look at (battery, disk)`.
pub(crate) fn summary<'a>(findings: impl Iterator<Item = (Severity, &'a str)>) -> String {
    let findings: Vec<_> = findings.collect();
    let of = |severity: Severity, word: &str| {
        let labels: Vec<&str> = findings.iter().filter(|(s, _)| *s == severity).map(|(_, label)| *label).collect();
        (!labels.is_empty()).then(|| format!("{} {word} ({})", labels.len(), labels.join(", ")))
    };
    let parts: Vec<String> =
        [of(Severity::Broken, "broken"), of(Severity::Look, "to look at")].into_iter().flatten().collect();
    if !parts.is_empty() {
        parts.join(", ")
    } else if findings.iter().any(|(severity, _)| *severity == Severity::Good) {
        "nothing needs care".to_owned()
    } else {
        "its health is not known".to_owned()
    }
}
