//! Judges what must happen in order, with other events in between: calls, starts, logs and speech.

use super::{Difference, Focus, JudgedRun, at_time, focus_of, in_time};
use crate::expect::{Call, Expect, Log, Start};
use boxstep_trace::{BoxPhase, CallEvent, DelegationEvent, Event, Kind};
use boxstep_types::Value;
use std::ops::Range;
use toml::Spanned;

/// A step of a sequence.
struct Step<'a, T> {
    wanted: &'a Spanned<T>,
    /// A description of the step.
    words: String,
    /// The place to show if the step is missing.
    otherwise: Focus,
}

impl JudgedRun<'_> {
    pub(super) fn calls(&self, expect: &Expect, found: &mut Vec<Difference>) {
        let steps = expect.calls.iter().map(|wanted| {
            let call = wanted.get_ref();
            Step { wanted, words: call_words(call), otherwise: focus_of(call.at) }
        });
        let same_method = |call: &Call, e: &Event| match &e.kind {
            Kind::Service(asked) if call.call.is(asked) => Some(asked_words(asked)),
            _ => None,
        };
        self.in_order(steps, |call, e| self.is_call(call, e), same_method, found);
        for wanted in &expect.not_called {
            let call = wanted.get_ref();
            if let Some(event) = self.events().find(|e| self.is_call(call, e)) {
                let came = match &event.kind {
                    Kind::Service(asked) => format!("{} at {} s", asked_words(asked), event.t),
                    _ => String::new(),
                };
                let expected = format!("no call of {}", call_words(call));
                found.push(self.differs(&wanted.span(), expected, came, Focus::Event(event.n)));
            }
        }
    }

    fn is_call(&self, call: &Call, event: &Event) -> bool {
        let Kind::Service(asked) = &event.kind else { return false };
        let fits = |(wanted, found): (&crate::words::Arg, &Value)| wanted.0.as_ref().is_none_or(|w| w.alike(found));
        call.call.is(asked)
            && call.args.len() <= asked.args.len()
            && call.args.iter().zip(&asked.args).all(fits)
            && self.is_at(event, call.path.as_ref())
            && in_time(event, call.at, call.within)
    }

    pub(super) fn order(&self, expect: &Expect, found: &mut Vec<Difference>) {
        let steps = expect.order.iter().map(|wanted| {
            let start = wanted.get_ref();
            let words = match &start.input {
                Some(input) => format!("{} gets {input}{}", start.path.0, at_time(start.at)),
                None => format!("{} starts{}", start.path.0, at_time(start.at)),
            };
            Step { wanted, words, otherwise: focus_of(start.at) }
        });
        let comes = |start: &Start, e: &Event| {
            let kind = match (&e.kind, &start.input) {
                (Kind::Box { phase: BoxPhase::Starting }, None) => true,
                (Kind::Delegation(told), None) => matches!(told.event, DelegationEvent::Activated { .. }),
                (Kind::Input { port, .. }, Some(input)) => **port == **input,
                _ => false,
            };
            // A behavior's name is not always the last segment of its path.
            let named = |e: &Event| matches!(&e.kind, Kind::Delegation(told) if told.name.as_deref().is_some_and(|name| start.path.0.to_string() == name));
            kind && (named(e) || self.is_at(e, Some(&start.path)))
        };
        let words = |start: &Start, e: &Event| {
            comes(start, e).then(|| if start.input.is_some() { "it does" } else { "it starts" }.to_owned())
        };
        self.in_order(steps, |s, e| comes(s, e) && in_time(e, s.at, s.within), words, found);
    }

    pub(super) fn logs(&self, expect: &Expect, found: &mut Vec<Difference>) {
        let steps = expect.logs.iter().map(|wanted| {
            let log = wanted.get_ref();
            Step { wanted, words: log_words(log), otherwise: focus_of(log.at) }
        });
        let is_it = |log: &Log, e: &Event| self.is_line(log, e) && in_time(e, log.at, log.within);
        self.in_order(steps, is_it, |log, e| self.is_line(log, e).then(|| "it comes".to_owned()), found);
        for wanted in &expect.not_logged {
            if let Some(event) = self.events().find(|e| is_it(wanted.get_ref(), e)) {
                let expected = format!("never {}", log_words(wanted.get_ref()));
                let came = format!("it comes at {} s", event.t);
                found.push(self.differs(&wanted.span(), expected, came, Focus::Event(event.n)));
            }
        }
    }

    fn is_line(&self, log: &Log, event: &Event) -> bool {
        let (level, text) = match &event.kind {
            Kind::Log { level, text, .. } => (level.name(), text),
            Kind::Print { text, .. } => ("print", text),
            _ => return false,
        };
        let right = log.level.is_none_or(|l| l.name() == level) && text.contains(&log.contains);
        right && self.is_at(event, log.path.as_ref())
    }

    /// Finds each step after the previous one. Only the first missing step is reported, because the others follow from
    /// it.
    fn in_order<'t, T: 't>(
        &self,
        steps: impl Iterator<Item = Step<'t, T>>,
        is_it: impl Fn(&T, &Event) -> bool,
        nearly: impl Fn(&T, &Event) -> Option<String>,
        found: &mut Vec<Difference>,
    ) {
        let events = &self.run.events;
        let mut from = 0;
        let mut before: Option<String> = None;
        for step in steps {
            let rest = events.get(from..).unwrap_or_default();
            if let Some(index) = rest.iter().position(|e| is_it(step.wanted.get_ref(), e)) {
                from += index + 1;
                before = Some(step.words);
                continue;
            }
            let wanted = step.wanted.get_ref();
            let near = |events: &[Event]| events.iter().find_map(|e| Some((nearly(wanted, e)?, e.n, e.t)));
            let after = before.map(|b| format!(" after: {b}")).unwrap_or_default();
            let earlier = events.get(..from).unwrap_or_default().iter().rev().find(|e| is_it(wanted, e));
            let (came, focus) = match (near(rest), earlier) {
                (Some((words, n, t)), _) => (format!("{words} at {t} s"), Focus::Event(n)),
                (None, Some(e)) => (format!("only before that, at {} s", e.t), Focus::Event(e.n)),
                (None, None) => match near(events) {
                    Some((words, n, t)) => (format!("{words} at {t} s, before that"), Focus::Event(n)),
                    None => ("nothing of the kind".to_owned(), step.otherwise),
                },
            };
            found.push(self.differs(&step.wanted.span(), format!("{}{after}", step.words), came, focus));
            return;
        }
    }

    // ---- speech --------------------------------------------------------------------------------

    pub(super) fn said(&self, expect: &Expect, found: &mut Vec<Difference>) {
        let spoken: Vec<(&Event, &str)> = self.events().filter_map(|e| Some((e, speech(e)?))).collect();
        if let Some(wanted) = &expect.said {
            self.said_exactly(wanted.get_ref(), &wanted.span(), &spoken, found);
        }
        let mut from = 0;
        for part in &expect.said_contains {
            let rest = spoken.get(from..).unwrap_or_default();
            if let Some(index) = rest.iter().position(|(_, text)| text.contains(part.get_ref())) {
                from += index + 1;
                continue;
            }
            let (came, focus) = match rest.first() {
                Some((e, text)) => (format!("“{text}” at {} s", e.t), Focus::Event(e.n)),
                None if spoken.is_empty() => ("nothing was said".to_owned(), Focus::End),
                None => ("nothing more was said".to_owned(), Focus::End),
            };
            found.push(self.differs(&part.span(), format!("speech with “{}”", part.get_ref()), came, focus));
            return;
        }
    }

    fn said_exactly(
        &self,
        wanted: &[String],
        range: &Range<usize>,
        spoken: &[(&Event, &str)],
        found: &mut Vec<Difference>,
    ) {
        for i in 0..wanted.len().max(spoken.len()) {
            let (w, s) = (wanted.get(i), spoken.get(i));
            if w.map(String::as_str) == s.map(|s| s.1) {
                continue;
            }
            let expected = w.map_or_else(|| "nothing more is said".to_owned(), |w| format!("says “{w}”"));
            let came =
                s.map_or_else(|| "nothing more was said".to_owned(), |(e, text)| format!("says “{text}” at {} s", e.t));
            let focus = s.map_or(Focus::End, |(e, _)| Focus::Event(e.n));
            let expected = format!("{expected} ({} of what is said)", nth(i + 1));
            found.push(self.differs(range, expected, came, focus));
            return;
        }
    }
}

/// Returns the text that the robot says in an event.
pub(crate) fn speech(event: &Event) -> Option<&str> {
    match &event.kind {
        Kind::Act(act) if act.kind == "say" => Some(&act.text),
        _ => None,
    }
}

impl crate::words::Method {
    fn is(&self, asked: &CallEvent) -> bool {
        self.service == *asked.service && self.method == *asked.method
    }
}

fn log_words(log: &Log) -> String {
    let level = log.level.map(|l| format!("{}: ", l.name())).unwrap_or_default();
    let place = log.path.as_ref().map(|p| format!(" from {}", p.0)).unwrap_or_default();
    format!("a line `{level}{}`{place}{}", log.contains, at_time(log.at))
}

fn call_words(call: &Call) -> String {
    let args = call.args.iter().map(|a| a.0.as_ref().map_or("…".to_owned(), Value::to_string)).collect::<Vec<_>>();
    let args = if args.is_empty() { String::new() } else { format!("({})", args.join(", ")) };
    let place = call.path.as_ref().map(|p| format!(" from {}", p.0)).unwrap_or_default();
    format!("{}{args}{place}{}", call.call, at_time(call.at))
}

fn asked_words(asked: &CallEvent) -> String {
    let args = asked.args.iter().map(Value::to_string).collect::<Vec<_>>().join(", ");
    format!("{}.{}({args})", asked.service, asked.method)
}

/// Returns an ordinal, such as `1st`, `2nd`, `13th`.
fn nth(n: usize) -> String {
    let ending = match (n % 10, n % 100) {
        (1, tens) if tens != 11 => "st",
        (2, tens) if tens != 12 => "nd",
        (3, tens) if tens != 13 => "rd",
        _ => "th",
    };
    format!("{n}{ending}")
}

#[cfg(test)]
mod tests {
    #[test]
    fn counting() {
        let all = [1, 2, 3, 4, 11, 12, 13, 21, 102, 111].map(super::nth).join(" ");
        assert_eq!(all, "1st 2nd 3rd 4th 11th 12th 13th 21st 102nd 111th");
    }
}
