//! The list for people.

use super::row::Row;
use anstyle::{AnsiColor, Style};
use boxstep_robot::find::State;
use boxstep_robot::naoqi::preflight::Topic;
use boxstep_types::printable_line;
use std::fmt::Write as _;

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const GREEN: Style = AnsiColor::Green.on_default();
const YELLOW: Style = AnsiColor::Yellow.on_default();
const RED: Style = AnsiColor::Red.on_default();

/// What is said if there is no robot.
pub(super) const NOTHING: &str = "no robot is found. Robots announce themselves by mDNS (UDP, port 5353); firewalls and Wi-Fi that keeps its clients \
     apart do not let that through. A robot that is not announced is asked with --robot: boxstep robots --robot 10.0.0.2";

/// What is not known.
const UNKNOWN: &str = "–";
/// The most characters of a cell.
const WIDEST: usize = 40;
/// The titles of the columns.
const TITLES: [&str; 7] = ["NAME", "ADDRESS", "BODY", "NAOQI", "BATTERY", "STATE", "RUNS"];
/// The column that is in color.
const STATE: usize = 5;

/// Formats the list, with the reasons of robots that say nothing of themselves.
pub(super) fn text(rows: &[Row]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let cells: Vec<[String; 7]> = rows.iter().map(cells).collect();
    let width = |at: usize| {
        let texts = cells.iter().filter_map(|cells| cells.get(at)).map(String::as_str).chain(TITLES.get(at).copied());
        texts.map(|text| text.chars().count()).max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..TITLES.len()).map(width).collect();
    let mut text = String::new();
    line(&mut text, &TITLES.map(str::to_owned), &widths, |_| BOLD);
    for (row, cells) in rows.iter().zip(&cells) {
        line(&mut text, cells, &widths, |at| if at == STATE { style(&row.look.state) } else { Style::new() });
    }
    notes(&mut text, rows);
    text
}

fn line(text: &mut String, cells: &[String; 7], widths: &[usize], style: impl Fn(usize) -> Style) {
    for (at, (cell, width)) in cells.iter().zip(widths).enumerate() {
        let style = style(at);
        let pad = if at + 1 < cells.len() { width + 2 - cell.chars().count() } else { 0 };
        // Writing to a string cannot fail.
        let _ = write!(text, "{style}{cell}{style:#}{}", " ".repeat(pad));
    }
    text.push('\n');
}

fn cells(row: &Row) -> [String; 7] {
    let look = &row.look;
    let or_unknown = |text: Option<String>| text.unwrap_or_else(|| UNKNOWN.to_owned());
    let body = look.body.map(|body| body.to_string()).or_else(|| look.model.clone());
    let body = match (body, row.is_simulated()) {
        (Some(body), true) => Some(format!("{body}, simulated")),
        (None, true) => Some("simulated".to_owned()),
        (body, false) => body,
    };
    let runs = look.running.as_ref().map(|names| match names.as_slice() {
        [] => "nothing".to_owned(),
        names => names.join(", "),
    });
    let cells = [
        or_unknown(row.name().map(str::to_owned)),
        row.address(),
        or_unknown(body),
        or_unknown(look.version.clone()),
        or_unknown(look.battery.map(|charge| format!("{charge} %"))),
        words(&look.state),
        or_unknown(runs),
    ];
    cells.map(|cell| short(&printable_line(&cell)))
}

fn short(text: &str) -> String {
    if text.chars().count() <= WIDEST {
        return text.to_owned();
    }
    text.chars().take(WIDEST - 1).chain(['…']).collect()
}

fn words(state: &State) -> String {
    let one = |topic: &Topic| match topic {
        Topic::Awake => "rests",
        Topic::Life => "Autonomous Life on",
        Topic::Behaviors => "busy",
        Topic::Temperature => "hot",
        Topic::Stiffness => "limp",
        other => other.label(),
    };
    match state {
        State::Ready => "ready".to_owned(),
        State::NotReady(topics) => topics.iter().map(one).collect::<Vec<_>>().join(", "),
        State::Unknown => "unknown".to_owned(),
        State::NoRobot => "no robot".to_owned(),
        State::Password => "needs a password".to_owned(),
        State::Certificate => "certificate not accepted".to_owned(),
        State::Unreachable => "unreachable".to_owned(),
    }
}

fn style(state: &State) -> Style {
    match state {
        State::Ready => GREEN,
        State::NotReady(_) | State::Unknown | State::Password | State::Certificate => YELLOW,
        State::NoRobot => DIM,
        State::Unreachable => RED,
    }
}

/// Adds why robots say nothing, and what to do.
fn notes(text: &mut String, rows: &[Row]) {
    let mut notes = Vec::new();
    for row in rows {
        let address = row.address();
        let who = row.name().unwrap_or(&address);
        let why = row.look.why.as_deref().unwrap_or_default();
        match row.look.state {
            State::Ready | State::NotReady(_) | State::NoRobot => {}
            State::Password => {
                notes.push(format!("{who}: {why}; log in with --robot {address} --user nao --password FILE"));
            }
            State::Unknown | State::Certificate | State::Unreachable => notes.push(format!("{who}: {why}")),
        }
    }
    if let Some(row) = rows.iter().find(|row| matches!(row.look.state, State::NotReady(_))) {
        notes.push(format!("`boxstep doctor --robot {}` says why it is not ready, and what to do", row.address()));
    }
    if !notes.is_empty() {
        text.push('\n');
    }
    for note in notes {
        let _ = writeln!(text, "{DIM}{}{DIM:#}", printable_line(&note));
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::row::merged;
    use super::super::row::tests::{neighbor, row};
    use super::*;
    use boxstep_bodies::BodyKind;
    use boxstep_qi::Endpoint;

    fn plain(rows: Vec<Row>) -> String {
        anstream::adapter::strip_str(&text(&merged(rows))).to_string()
    }

    #[test]
    fn the_columns_stand_in_line() {
        let announced = |name, address, boxstep| Row::announced(neighbor(name, address, boxstep)).unwrap();
        let mut nao = row(announced("nao", "10.0.0.7:9559", None), State::NotReady(vec![Topic::Awake]), None);
        nao.look.body = Some(BodyKind::Nao);
        nao.look.version = Some("2.1.4.13".to_owned());
        nao.look.battery = Some(7);
        nao.look.running = Some(vec!["a/b".to_owned(), "c".to_owned()]);
        let mut simulated = row(announced("Ann", "10.0.0.2:9560", Some("0.1.0")), State::Ready, None);
        simulated.look.body = Some(BodyKind::Pepper);
        simulated.look.running = Some(Vec::new());
        let locked = row(announced("pepper", "10.0.0.9:9559", None), State::Password, None);
        let text = plain(vec![nao, simulated, locked]);
        let expected = "\
NAME    ADDRESS        BODY               NAOQI     BATTERY  STATE             RUNS
Ann     10.0.0.2:9560  pepper, simulated  –         –        ready             nothing
nao     10.0.0.7       nao                2.1.4.13  7 %      rests             a/b, c
pepper  10.0.0.9       –                  –         –        needs a password  –

pepper: it has not answered in time; log in with --robot 10.0.0.9 --user nao --password FILE
`boxstep doctor --robot 10.0.0.7` says why it is not ready, and what to do
";
        assert_eq!(text, expected);
    }

    #[test]
    fn what_strangers_say_cannot_break_the_list() {
        let endpoint = Endpoint::parse("10.0.0.2").unwrap();
        let mut wild = row(Row::named("10.0.0.2", endpoint), State::Ready, None);
        wild.look.name = Some(format!("\u{1b}[2J\r\n{}", "x".repeat(500)));
        wild.look.running = Some(vec!["y".repeat(500); 100]);
        let text = plain(vec![wild]);
        assert_eq!(text.lines().count(), 2, "{text}");
        assert!(text.lines().all(|line| line.chars().count() < 200 && !line.contains(char::is_control)), "{text}");
    }
}
