//! The console: prints what happens in a run, one line per event, for people.
//!
//! The columns are seconds, box path, and event. Lines are formatted while the engine's lock is held, but another
//! thread writes them after it is released, so a slow terminal delays no motion.

mod closing;
mod excerpt;
mod outlet;
mod wake;
mod words;

pub(crate) use closing::{how_it_ended, played};
pub(crate) use excerpt::{around, how};
pub(crate) use outlet::{Outlet, Writer};

use anstyle::Style;
use boxstep_engine::trace::{Event, Footer, Header, Kind, Paths, Sink};
use boxstep_record::Normal;
use boxstep_types::{Time, printable_line};
use std::fmt::Write as _;
use words::{Volume, Words};

/// Which events the console prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Detail {
    /// Only problems.
    Quiet,
    /// What a spectator wants to know.
    Normal,
    /// Also every call, input and service call.
    Verbose,
}

impl Detail {
    /// Returns the level that `--quiet` and `--verbose` select.
    pub(crate) fn from_flags(quiet: bool, verbose: bool) -> Self {
        match (quiet, verbose) {
            (true, _) => Self::Quiet,
            (_, true) => Self::Verbose,
            _ => Self::Normal,
        }
    }
}

/// A [`Sink`] that prints events for people.
pub(crate) struct Console {
    detail: Detail,
    outlet: Outlet,
    words: Words,
    /// Whether joint samples are printed.
    joints: bool,
    /// Replaces the paths of temporary folders by the names of their archives.
    folders: Normal,
    /// The width of the path column. It grows with the paths, up to a limit.
    width: usize,
    /// The time of the last event, and the number of lines printed for it.
    instant: (Time, usize),
}

/// How many lines are printed for one instant; signals that loop without time passing would fill the screen for
/// minutes.
const MOST_AT_ONCE: usize = 1000;

const WIDEST: usize = 36;
const DIM: Style = Style::new().dimmed();

impl Console {
    /// Creates a console. `paths` are the paths of the behavior, so that the columns are aligned from the start.
    pub(crate) fn new(detail: Detail, outlet: Outlet, folders: Normal, paths: impl Iterator<Item = String>) -> Self {
        let width = paths.map(|p| p.chars().count()).filter(|w| *w <= WIDEST).max().unwrap_or(0);
        Self { detail, outlet, words: Words::default(), joints: true, folders, width, instant: (Time::ZERO, 0) }
    }

    /// Turns joint samples off. The flight recorder samples them even if the user has not asked for them.
    pub(crate) fn without_joints(self) -> Self {
        Self { joints: false, ..self }
    }

    fn line(&mut self, event: &Event, paths: &Paths) -> Option<String> {
        if !self.joints && matches!(event.kind, Kind::Joints { .. }) {
            return None;
        }
        let entry = self.words.line(&event.kind)?;
        let wanted = match entry.volume {
            Volume::Alarm => Detail::Quiet,
            Volume::Normal => Detail::Normal,
            Volume::Detail => Detail::Verbose,
        };
        if wanted > self.detail {
            return None;
        }
        let left_out = self.left_out(event.t);
        self.instant.1 += 1;
        if self.instant.1 > MOST_AT_ONCE && entry.volume != Volume::Alarm {
            return None;
        }
        let path = paths.text(event.path);
        let path = printable_line(&path);
        let length = path.chars().count();
        self.width = self.width.max(length.min(WIDEST));
        let pad = self.width.saturating_sub(length);
        let mut out = left_out.unwrap_or_default();
        let style = entry.style;
        let mut text = entry.text;
        self.folders.name_folders(&mut text);
        let mut texts = text.lines().map(printable_line);
        let first = texts.next().unwrap_or_default();
        let time = event.t.to_string();
        // Writing to a string cannot fail.
        let _ = write!(out, "{DIM}{time:>9}{DIM:#}  {path}{:pad$}  {style}{first}{style:#}", "");
        for more in texts {
            let _ = write!(out, "\n{:indent$}{DIM}{more}{DIM:#}", "", indent = 9 + 2 + self.width + 4);
        }
        out.push('\n');
        Some(out)
    }
}

impl Console {
    /// When time moves on from an instant with too many lines, returns a line with the number of lines left out.
    fn left_out(&mut self, now: Time) -> Option<String> {
        if now == self.instant.0 {
            return None;
        }
        let (then, lines) = std::mem::replace(&mut self.instant, (now, 0));
        let more = lines.checked_sub(MOST_AT_ONCE).filter(|more| *more > 0)?;
        Some(format!("{DIM}{:>9}  … and {more} more lines at this instant{DIM:#}\n", then.to_string()))
    }
}

impl Sink for Console {
    fn begin(&mut self, _: &Header) {}

    fn events(&mut self, events: &[Event], paths: &Paths) {
        let text: String = events.iter().filter_map(|e| self.line(e, paths)).collect();
        if !text.is_empty() {
            self.outlet.send(text);
        }
    }

    fn end(&mut self, _: &Footer) {
        if let Some(text) = self.left_out(Time::MAX) {
            self.outlet.send(text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boxstep_engine::trace::{Act, BoxPhase, CallEvent, LogLevel, Name, Outgoing, PathId, ScriptError};
    use boxstep_types::{BoxPath, Value};

    fn printed(detail: Detail, kinds: Vec<Kind>) -> String {
        let (outlet, lines) = Outlet::to_memory();
        let mut account = Console::new(detail, outlet, Normal::new(), std::iter::once("root/0123456".to_owned()));
        let mut paths = Paths::default();
        let path = paths.add(&BoxPath::root("root").child("Say", None));
        let events: Vec<Event> = kinds
            .into_iter()
            .enumerate()
            .map(|(i, kind)| {
                let box_event = !matches!(kind, Kind::Act(_) | Kind::Event { .. });
                Event {
                    n: i as u64 + 1,
                    t: Time::from_millis(1500),
                    cause: 0,
                    path: if box_event { path } else { PathId(0) },
                    kind,
                }
            })
            .collect();
        account.events(&events, &paths);
        drop(account);
        let text: String = lines
            .try_iter()
            .map(|m| match m {
                outlet::Message::Lines(lines) => lines,
                outlet::Message::End => String::new(),
            })
            .collect();
        anstream::adapter::strip_str(&text).to_string()
    }

    fn error() -> ScriptError {
        ScriptError {
            kind: "NameError".into(),
            message: "name 'x' is not defined".into(),
            line: Some(3),
            traceback: "Traceback (most recent call last):\n  File \"b.xar: root/Say\", line 3, in onLoad\nNameError: name 'x' is not defined\n".into(),
        }
    }

    #[test]
    fn columns_line_up() {
        let [count, stopped] = ["count", "onStopped"].map(Name::new);
        let text = printed(
            Detail::Normal,
            vec![
                Kind::Box { phase: BoxPhase::Starting },
                Kind::Output { port: count, value: Value::Int(3) },
                Kind::Output { port: stopped, value: Value::Null },
                Kind::Act(Box::new(Act { kind: "say".into(), text: "Hello".into(), data: Value::Null })),
                Kind::Log { level: LogLevel::Info, text: "ready".into(), line: 7 },
            ],
        );
        assert_eq!(
            text,
            "    1.500  root/Say      starts\n\
             \x20   1.500  root/Say      sends count 3\n\
             \x20   1.500  root/Say      sends onStopped\n\
             \x20   1.500                says “Hello”\n\
             \x20   1.500  root/Say      info: ready (line 7)\n"
        );
    }

    #[test]
    fn an_exception_is_told_with_its_traceback_even_quietly() {
        let text = printed(
            Detail::Quiet,
            vec![
                Kind::Box { phase: BoxPhase::Starting },
                Kind::Raised { method: "onLoad".into(), error: Box::new(error()) },
            ],
        );
        assert!(
            text.starts_with("    1.500  root/Say      onLoad raised NameError: name 'x' is not defined (line 3)\n"),
            "{text}"
        );
        assert!(text.contains("File \"b.xar: root/Say\", line 3, in onLoad\n"), "{text}");
    }

    #[test]
    fn an_instant_without_end_is_told_in_part() {
        let starts = (0..MOST_AT_ONCE + 5).map(|_| Kind::Box { phase: BoxPhase::Starting });
        let text = printed(Detail::Normal, starts.chain([Kind::Warning { text: "round and round".into() }]).collect());
        assert_eq!(text.lines().filter(|l| l.ends_with("starts")).count(), MOST_AT_ONCE);
        assert!(text.contains("warning: round and round"), "problems are always printed");
    }

    #[test]
    fn what_files_say_is_no_order_to_the_terminal() {
        let print = |text: &str| vec![Kind::Print { text: text.into(), stderr: false, line: 0 }];
        let text = printed(Detail::Normal, print("red \u{1b}[31m \u{9b}31m\nnext\r"));
        assert!(text.contains("prints red \\u{1b}[31m \\u{9b}31m\n"), "{text}");
        assert!(text.ends_with("next\n") && text.lines().count() == 2, "{text}");
        assert_eq!(printable_line("a\tb\nc"), "a\tb\\nc");
    }

    #[test]
    fn service_calls_are_for_the_curious() {
        let asked = || {
            let (service, method) = ("ALMotion".into(), "wakeUp".into());
            CallEvent { dir: Outgoing::Out, service, method, args: vec![Value::Int(1)], line: 4 }
        };
        let call = || vec![Kind::Service(Box::new(asked()))];
        assert_eq!(printed(Detail::Normal, call()), "");
        assert_eq!(printed(Detail::Verbose, call()), "    1.500  root/Say      calls ALMotion.wakeUp(1) (line 4)\n");
    }
}
