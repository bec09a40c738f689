//! Whether a run came as a test expects it.

mod ends;
mod robot;
mod sequence;
mod signals;

pub(crate) use robot::target;
pub(crate) use sequence::speech;

use crate::expect::Expect;
use crate::words::{PathWord, Seconds};
use crate::{Suite, Test};
use boxstep_format::model::Project;
use boxstep_format::paths;
use boxstep_trace::{Event, Recording};
use boxstep_types::{BoxPath, Span, Time, Value};
use std::ops::Range;

/// How far from its time something may be if nothing is said: what is said with three decimals is met.
const WITHIN: Time = Time::from_millis(1);

/// Something that did not come as expected.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The expectation in the test file; the test's name for what every test expects.
    pub span: Span,
    /// What was expected.
    pub expected: String,
    /// What came instead.
    pub found: String,
    /// Where in the trace to look.
    pub focus: Focus,
}

/// A place in a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Focus {
    /// This event, by number.
    Event(u64),
    /// This time; nothing happened then that should have.
    Time(Time),
    /// The end.
    End,
}

/// A run and the test it was played for.
struct JudgedRun<'a> {
    suite: &'a Suite,
    test: &'a Test,
    project: Option<&'a Project>,
    run: &'a Recording,
}

/// All that did not come as the test expects it. `project` is that of the behavior that was played; `None` of a character.
pub fn judge(suite: &Suite, test: &Test, project: Option<&Project>, run: &Recording) -> Vec<Difference> {
    let case = JudgedRun { suite, test, project, run };
    let nothing = Expect::default();
    let expect = test.expect.as_ref().unwrap_or(&nothing);
    let mut found = Vec::new();
    case.errors(expect, &mut found);
    case.unsupported(expect, &mut found);
    case.forced(&mut found);
    // A script error that ends the run is told once.
    let told = !found.is_empty();
    case.ends(expect, told, &mut found);
    case.said(expect, &mut found);
    case.outputs(expect, &mut found);
    case.calls(expect, &mut found);
    case.order(expect, &mut found);
    case.joints(expect, &mut found);
    case.memory(expect, &mut found);
    case.logs(expect, &mut found);
    found
}

impl<'a> JudgedRun<'a> {
    fn events(&self) -> impl DoubleEndedIterator<Item = &'a Event> {
        self.run.events.iter()
    }

    /// A difference from an expectation.
    fn differs(&self, range: &Range<usize>, expected: String, found: String, focus: Focus) -> Difference {
        Difference { span: self.suite.span(range), expected, found, focus }
    }

    /// A difference from what every test expects.
    fn unexpected(&self, expected: &str, found: String, focus: Focus) -> Difference {
        Difference { span: self.test.span, expected: expected.to_owned(), found, focus }
    }

    /// The path as events have it; a keyframe may be left out in what people write.
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

    /// The latest event of a kind at a time of the run, or at its end.
    fn latest<T>(&self, at: Option<Seconds>, what: impl Fn(&'a Event) -> Option<T>) -> Option<(T, u64)> {
        let before = |e: &&Event| at.is_none_or(|at| e.t <= at.0);
        self.events().rev().filter(before).find_map(|e| Some((what(e)?, e.n)))
    }
}

/// Is this the path of the behavior of a character that is named? Names of behaviors may have `/`, as paths have.
fn is_of(path: &str, name: &PathWord) -> bool {
    path.parse::<BoxPath>().is_ok_and(|path| path.name() == name.0.to_string())
}

/// Did it come when it should?
fn in_time(event: &Event, at: Option<Seconds>, within: Option<Seconds>) -> bool {
    let off = |at: Seconds| Time((event.t.0 - at.0.0).abs());
    at.is_none_or(|at| off(at) <= within.map_or(WITHIN, |w| w.0))
}

/// ` at 1.5 s`
fn at_time(at: Option<Seconds>) -> String {
    at.map(|at| format!(" at {} s", at.0)).unwrap_or_default()
}

/// Where to look for what should have come at a time.
fn focus_of(at: Option<Seconds>) -> Focus {
    at.map_or(Focus::End, |at| Focus::Time(at.0))
}

/// Places to look at for people: how many values are shown.
const SHOWN: usize = 5;

/// `1 at 0.5 s, 2 at 0.7 s and 3 more`
fn listed(events: &[&Event], word: impl Fn(&Event) -> String) -> String {
    let mut text: Vec<String> =
        events.iter().take(SHOWN).map(|e| format!("{} at {} s", word(e), e.t).trim_start().to_owned()).collect();
    if events.len() > SHOWN {
        text.push(format!("{} more", events.len() - SHOWN));
    }
    text.join(", ")
}

/// ` 3`, or nothing for a bang.
fn given(value: &Value) -> String {
    if *value == Value::Null { String::new() } else { format!(" {value}") }
}
