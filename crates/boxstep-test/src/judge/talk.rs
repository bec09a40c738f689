//! Judges conversations: what the robot answers to each sentence.

use super::sequence::speech;
use super::{Difference, Focus, JudgedRun};
use crate::expect::Exchange;
use boxstep_trace::{Control, DialogEvent, Event, Kind};
use std::fmt::Write as _;
use toml::Spanned;

/// A sentence, and what came of it.
struct Turn<'a> {
    /// When it was heard, or given if nobody has heard it.
    at: &'a Event,
    text: &'a str,
    /// Whether somebody has heard it.
    heard: bool,
    /// Whether a topic took the sentence: then its answers count. Otherwise all that the robot says does.
    by_topic: bool,
    answers: Vec<&'a str>,
    said: Vec<&'a str>,
    /// Which rules answered, or came near.
    why: String,
}

impl JudgedRun<'_> {
    pub(super) fn talk(&self, talk: &[Spanned<Exchange>], found: &mut Vec<Difference>) {
        let turns = self.turns();
        let mut rest = turns.as_slice();
        for exchange in talk {
            let wanted = exchange.get_ref();
            let Some(at) = rest.iter().position(|turn| turn.text == wanted.hears.trim()) else {
                let expected = format!("hears “{}”", wanted.hears);
                let came = "the run was over, or nothing listened".to_owned();
                found.push(self.differs(&exchange.span(), expected, came, Focus::End));
                return;
            };
            let turn = &rest[at];
            rest = &rest[at + 1..];
            if !turn.heard && wanted.says.as_deref() != Some("") {
                let expected = format!("hears “{}”", wanted.hears);
                let came = format!("nobody listened at {} s, or it was dropped", turn.at.t);
                found.push(self.differs(&exchange.span(), expected, came, Focus::Event(turn.at.n)));
                return;
            }
            let Some(says) = &wanted.says else { continue };
            let said = if turn.by_topic { &turn.answers } else { &turn.said }.join(" ");
            if squeezed(&said) == squeezed(says) {
                continue;
            }
            let quoted = |text: &str| if text.is_empty() { "nothing".to_owned() } else { format!("“{text}”") };
            let expected = format!("answers {} to “{}”", quoted(says), wanted.hears);
            let came = format!("answers {} at {} s{}", quoted(&said), turn.at.t, turn.why);
            found.push(self.differs(&exchange.span(), expected, came, Focus::Event(turn.at.n)));
            // What follows depends on this answer.
            return;
        }
    }

    fn turns(&self) -> Vec<Turn<'_>> {
        let turn = |at, text, heard| Turn {
            at,
            text,
            heard,
            by_topic: false,
            answers: Vec::new(),
            said: Vec::new(),
            why: String::new(),
        };
        let mut turns: Vec<Turn<'_>> = Vec::new();
        // The sentence that was heard last.
        let mut now: Option<usize> = None;
        for event in self.events() {
            let told = match &event.kind {
                Kind::Dialog(told) => &**told,
                Kind::Control { control, .. } => {
                    if let Control::Hear { text } = &**control {
                        turns.push(turn(event, text.trim(), false));
                    }
                    continue;
                }
                _ => {
                    if let (Some(now), Some(text)) = (now, speech(event)) {
                        turns[now].said.push(text);
                    }
                    continue;
                }
            };
            if let DialogEvent::Heard { text } = told {
                // A sentence that a program gives the dialog was given by nobody before.
                let waits = |turn: &Turn<'_>| !turn.heard && turn.text == &**text;
                let cause = turns.iter().position(|turn| waits(turn) && turn.at.n == event.cause);
                let given = cause.or_else(|| turns.iter().position(waits));
                now = Some(given.unwrap_or(turns.len()));
                match given {
                    Some(given) => (turns[given].heard, turns[given].at) = (true, event),
                    None => turns.push(turn(event, text, true)),
                }
                continue;
            }
            let Some(turn) = now.and_then(|now| turns.get_mut(now)) else { continue };
            let taken = matches!(told, DialogEvent::Matched { .. } | DialogEvent::NotUnderstood { .. });
            // What a topic does later, it does by itself.
            turn.by_topic |= taken && event.t == turn.at.t;
            // Writing to a string does not fail.
            let _ = match told {
                DialogEvent::Answer { text } => {
                    turn.answers.push(text);
                    Ok(())
                }
                DialogEvent::Matched { rule, .. } => write!(turn.why, "\n  answered by {rule}"),
                DialogEvent::Unsayable { rule } => write!(turn.why, "\n  nothing could be said for {rule}"),
                DialogEvent::Missed { .. } => write!(turn.why, "\n  {told}"),
                DialogEvent::NotUnderstood { near, .. } => {
                    if near.is_empty() {
                        turn.why.push_str("\n  no rule has any of these words");
                    }
                    near.iter().try_for_each(|near| write!(turn.why, "\n  not {}: {}", near.rule, near.why))
                }
                _ => Ok(()),
            };
        }
        turns
    }
}

/// The words of a text, with single blanks.
fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
