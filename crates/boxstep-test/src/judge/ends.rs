//! Judges how the run ended, and what no run should do unless a test expects it.

use super::{Difference, Focus, JudgedRun};
use crate::expect::{Expect, Unsupported};
use boxstep_trace::{DelegationEvent, EndReason, Event, Kind};
use boxstep_types::Time;

/// The tolerance of a time that was rounded to three decimals.
const ROUNDING: Time = Time(500_000);

impl JudgedRun<'_> {
    pub(super) fn ends(&self, expect: &Expect, told: bool, found: &mut Vec<Difference>) {
        let Some(footer) = &self.run.footer else {
            found.push(self.unexpected("a run that ends", "it was cut off".to_owned(), Focus::End));
            return;
        };
        let how = format!("{} at {} s", in_words(footer.reason), footer.t);
        let mut differs = |range, expected: String| found.push(self.differs(&range, expected, how.clone(), Focus::End));
        let ended = footer.reason == EndReason::Ended;
        let mut said = false;
        if let Some(reason) = &expect.reason {
            said = true;
            if reason.get_ref().engine() != footer.reason {
                differs(reason.span(), in_words(reason.get_ref().engine()).to_owned());
            }
        }
        if let Some(wanted) = &expect.ended {
            said |= *wanted.get_ref();
            if *wanted.get_ref() != ended {
                let words = if *wanted.get_ref() { "it ended by itself" } else { "it did not end by itself" };
                differs(wanted.span(), words.to_owned());
            }
        }
        if let Some(by) = &expect.ends_by {
            said = true;
            if !ended || footer.t > by.get_ref().0 + ROUNDING {
                differs(by.span(), format!("it ended by itself by {} s", by.get_ref().0));
            }
        }
        let failed = matches!(
            footer.reason,
            EndReason::Failed | EndReason::Deadlock | EndReason::Livelock | EndReason::Interrupted
        );
        // A test that expects an error also expects its consequences.
        let by_error = footer.reason == EndReason::Failed && (told || !expect.errors.is_empty());
        if failed && !said && !by_error {
            found.push(self.unexpected("the behavior does not fail", how, Focus::End));
        }
        if let (Err(why), false) = (&footer.deterministic, self.test.given.network == Some(true)) {
            let found_words = format!("it is not repeatable: {why}");
            found.push(self.unexpected("a run that can be repeated", found_words, Focus::End));
        }
    }

    pub(super) fn errors(&self, expect: &Expect, found: &mut Vec<Difference>) {
        let raised: Vec<(&Event, String)> = self.events().filter_map(|e| Some((e, error_text(e)?))).collect();
        for (event, text) in &raised {
            let is_expected = expect.errors.iter().any(|x| {
                let x = x.get_ref();
                self.is_at(event, x.path.as_ref()) && text.contains(&x.contains)
            });
            if !is_expected {
                let words = format!("{} {text}", self.run.path(event));
                found.push(self.unexpected("no script error", words, Focus::Event(event.n)));
            }
        }
        for wanted in &expect.errors {
            let x = wanted.get_ref();
            if !raised.iter().any(|(e, text)| self.is_at(e, x.path.as_ref()) && text.contains(&x.contains)) {
                let place = x.path.as_ref().map(|p| format!(" in {}", p.0)).unwrap_or_default();
                let instead = match raised.first() {
                    None => "no script error".to_owned(),
                    Some((e, text)) => format!("{} {text}", self.run.path(e)),
                };
                let focus = raised.first().map_or(Focus::End, |(e, _)| Focus::Event(e.n));
                let expected = format!("a script error with `{}`{place}", x.contains);
                found.push(self.differs(&wanted.span(), expected, instead, focus));
            }
        }
    }

    /// A forced stop has left something undone.
    pub(super) fn forced(&self, found: &mut Vec<Difference>) {
        for event in self.events() {
            if let Kind::Forced { busy } = &event.kind {
                let who = busy.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
                let words = format!("it is stopped by force at {} s; still busy: {who}", event.t);
                found.push(self.unexpected("stops in time", words, Focus::Event(event.n)));
            }
            // The same for behaviors of a character, and for control that went round without time passing.
            let Kind::Delegation(told) = &event.kind else { continue };
            let (expected, words) = match &told.event {
                DelegationEvent::Forced => {
                    ("stops in time", format!("{} took too long at {} s", self.run.path(event), event.t))
                }
                DelegationEvent::Livelock { to, .. } => {
                    let pair = to.join(" and ");
                    ("control that does not go round", format!("it goes round with {pair} at {} s", event.t))
                }
                _ => continue,
            };
            found.push(self.unexpected(expected, words, Focus::Event(event.n)));
        }
    }

    pub(super) fn unsupported(&self, expect: &Expect, found: &mut Vec<Difference>) {
        let mut told: Vec<String> = Vec::new();
        for event in self.events() {
            let Kind::Unsupported { service, method, line } = &event.kind else { continue };
            let allowed = match &expect.unsupported {
                Unsupported::All(all) => *all,
                Unsupported::Only(these) => {
                    these.iter().any(|m| m.service == **service && (m.method == **method || method.is_empty()))
                }
            };
            let name = if method.is_empty() {
                format!("there is no service {service}")
            } else {
                format!("{service}.{method}")
            };
            if allowed || told.contains(&name) {
                continue;
            }
            told.push(name.clone());
            let words = format!("{name} (line {line} of {})", self.run.path(event));
            found.push(self.unexpected("no unsupported call", words, Focus::Event(event.n)));
        }
    }
}

/// Formats an error, such as `onLoad raised NameError: … (line 3)`.
fn error_text(event: &Event) -> Option<String> {
    match &event.kind {
        Kind::Raised { method, error } => Some(format!("{method} raised {error}")),
        _ => None,
    }
}

fn in_words(reason: EndReason) -> &'static str {
    match reason {
        EndReason::Ended => "it ended by itself",
        EndReason::Waiting => "it waits, and nothing can happen any more",
        EndReason::Limit => "it was stopped by the time limit (`for`)",
        EndReason::Failed => "it failed",
        EndReason::Interrupted => "it was interrupted",
        EndReason::Deadlock => "its scripts wait for each other or run on without end",
        EndReason::Livelock => "its signals went round without time passing",
    }
}
