//! Decides whether a run met the expectations of a test.

mod balance;
mod ends;
mod robot;
mod sequence;
mod signals;
mod talk;

pub(crate) use robot::target;
pub(crate) use sequence::speech;

use crate::expect::Expect;
use crate::words::{PathWord, Seconds};
use crate::{Suite, Test};
use boxstep_bodies::Body;
use boxstep_format::model::Project;
use boxstep_format::paths;
use boxstep_trace::{Event, Recording};
use boxstep_types::{BoxPath, Span, Time, Value};
use std::ops::Range;

/// The default of `within`: a time that is written with three decimals is met.
const WITHIN: Time = Time::from_millis(1);

/// An expectation that was not met.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The expectation in the test file; the name of the test for what every test expects.
    pub span: Span,
    /// What was expected.
    pub expected: String,
    /// What happened instead.
    pub found: String,
    /// The place in the trace to show.
    pub focus: Focus,
}

/// A place in a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Focus {
    /// An event, by number.
    Event(u64),
    /// A time at which something should have happened.
    Time(Time),
    /// The end.
    End,
}

/// A run and the test it was played for.
struct JudgedRun<'a> {
    suite: &'a Suite,
    test: &'a Test,
    project: Option<&'a Project>,
    body: &'static Body,
    run: &'a Recording,
}

/// Returns all expectations that were not met. `project` is that of the behavior that was played; `None` for a
/// character. `body` is that of the robot.
pub fn judge(
    suite: &Suite,
    test: &Test,
    project: Option<&Project>,
    body: &'static Body,
    run: &Recording,
) -> Vec<Difference> {
    let case = JudgedRun { suite, test, project, body, run };
    let nothing = Expect::default();
    let expect = test.expect.as_ref().unwrap_or(&nothing);
    let mut found = Vec::new();
    case.errors(expect, &mut found);
    case.unsupported(expect, &mut found);
    case.forced(&mut found);
    // A script error that ends the run is reported only once.
    let told = !found.is_empty();
    case.ends(expect, told, &mut found);
    case.said(expect, &mut found);
    case.talk(&test.talk, &mut found);
    case.outputs(expect, &mut found);
    case.calls(expect, &mut found);
    case.order(expect, &mut found);
    case.joints(expect, &mut found);
    case.memory(expect, &mut found);
    case.balance(expect, &mut found);
    case.logs(expect, &mut found);
    found
}

impl<'a> JudgedRun<'a> {
    fn events(&self) -> impl DoubleEndedIterator<Item = &'a Event> {
        self.run.events.iter()
    }

    /// Creates a difference from an expectation.
    fn differs(&self, range: &Range<usize>, expected: String, found: String, focus: Focus) -> Difference {
        Difference { span: self.suite.span(range), expected, found, focus }
    }

    /// Creates a difference from what every test expects.
    fn unexpected(&self, expected: &str, found: String, focus: Focus) -> Difference {
        Difference { span: self.test.span, expected: expected.to_owned(), found, focus }
    }

    /// Returns the path as events have it; test files may omit keyframes.
    fn path(&self, path: &PathWord) -> String {
        let found = self.project.and_then(|project| paths::find(project, &path.0).ok());
        found.map_or_else(|| path.0.to_string(), |at| at.path.to_string())
    }

    fn is_at(&self, event: &Event, path: Option<&PathWord>) -> bool {
        path.is_none_or(|path| {
            let at = self.run.path(event);
            at == self.path(path) || self.project.is_none() && is_of(&at, path)
        })
    }

    /// Returns the latest event of a kind at a time of the run, or at its end.
    fn latest<T>(&self, at: Option<Seconds>, what: impl Fn(&'a Event) -> Option<T>) -> Option<(T, u64)> {
        let before = |e: &&Event| at.is_none_or(|at| e.t <= at.0);
        self.events().rev().filter(before).find_map(|e| Some((what(e)?, e.n)))
    }
}

/// Returns whether a path is that of the given behavior of a character. Names of behaviors may contain `/`, like paths.
fn is_of(path: &str, name: &PathWord) -> bool {
    path.parse::<BoxPath>().is_ok_and(|path| path.name() == name.0.to_string())
}

/// Returns whether an event came at the expected time.
fn in_time(event: &Event, at: Option<Seconds>, within: Option<Seconds>) -> bool {
    let off = |at: Seconds| Time((event.t.0 - at.0.0).abs());
    at.is_none_or(|at| off(at) <= within.map_or(WITHIN, |w| w.0))
}

/// Returns ` at 1.5 s`, or nothing.
fn at_time(at: Option<Seconds>) -> String {
    at.map(|at| format!(" at {} s", at.0)).unwrap_or_default()
}

/// Returns the place to show for something that should have happened at a time.
fn focus_of(at: Option<Seconds>) -> Focus {
    at.map_or(Focus::End, |at| Focus::Time(at.0))
}

/// How many values are listed.
const SHOWN: usize = 5;

/// Lists values, such as `1 at 0.5 s, 2 at 0.7 s and 3 more`.
fn listed(events: &[&Event], word: impl Fn(&Event) -> String) -> String {
    let mut text: Vec<String> =
        events.iter().take(SHOWN).map(|e| format!("{} at {} s", word(e), e.t).trim_start().to_owned()).collect();
    if events.len() > SHOWN {
        text.push(format!("{} more", events.len() - SHOWN));
    }
    text.join(", ")
}

/// Returns ` 3`, or nothing for a bang.
fn given(value: &Value) -> String {
    if *value == Value::Null { String::new() } else { format!(" {value}") }
}
