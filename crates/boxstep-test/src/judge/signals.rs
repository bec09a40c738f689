//! Judges the outputs of boxes.

use super::{Difference, Focus, JudgedRun, at_time, focus_of, given, in_time, listed};
use crate::expect::{Expect, Output};
use boxstep_trace::{Event, Kind};
use boxstep_types::Value;

impl JudgedRun<'_> {
    pub(super) fn outputs(&self, expect: &Expect, found: &mut Vec<Difference>) {
        for wanted in &expect.outputs {
            let output = wanted.get_ref();
            // All events of the output, and those among them that match.
            let all: Vec<&Event> = self.events().filter(|e| self.is_output(output, e)).collect();
            let hits: Vec<&Event> = all.iter().copied().filter(|e| is_meant(output, e)).collect();
            let right = output.count.map_or(!hits.is_empty(), |n| hits.len() as u64 == n);
            if right {
                continue;
            }
            let value = output.value.as_ref().map(|v| given(&v.0)).unwrap_or_default();
            let times = match output.count {
                Some(0) => " never".to_owned(),
                Some(1) => " once".to_owned(),
                Some(n) => format!(" {n} times"),
                None => String::new(),
            };
            let expected = format!("{} sends {}{value}{}{times}", output.path.0, output.output, at_time(output.at));
            let show = |e: &Event| value_of(e).map(given).unwrap_or_default();
            let (came, focus) = match (output.count, hits.as_slice(), all.as_slice()) {
                (_, [], []) => ("it never does".to_owned(), focus_of(output.at)),
                (Some(n), [first, ..], _) => {
                    let odd = hits.get(usize::try_from(n).unwrap_or(usize::MAX)).or(hits.last()).unwrap_or(first);
                    (format!("{}: {}", count(hits.len()), listed(&hits, show)), Focus::Event(odd.n))
                }
                (_, _, others) => {
                    let nearest = others.iter().min_by_key(|e| output.at.map_or(0, |at| (e.t.0 - at.0.0).abs()));
                    let focus = nearest.map_or(Focus::End, |e| Focus::Event(e.n));
                    (format!("it sends {}", listed(others, show)), focus)
                }
            };
            found.push(self.differs(&wanted.span(), expected, came, focus));
        }
    }

    fn is_output(&self, output: &Output, event: &Event) -> bool {
        matches!(&event.kind, Kind::Output { port, .. } if **port == *output.output)
            && self.is_at(event, Some(&output.path))
    }
}

fn value_of(event: &Event) -> Option<&Value> {
    match &event.kind {
        Kind::Output { value, .. } => Some(value),
        _ => None,
    }
}

fn is_meant(output: &Output, event: &Event) -> bool {
    let wanted = if output.bang { Some(&Value::Null) } else { output.value.as_ref().map(|v| &v.0) };
    let right = wanted.is_none_or(|wanted| value_of(event).is_some_and(|found| wanted.alike(found)));
    right && in_time(event, output.at, output.within)
}

fn count(n: usize) -> String {
    if n == 1 { "once".to_owned() } else { format!("{n} times") }
}
