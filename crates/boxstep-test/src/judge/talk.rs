//! Judges conversations: what the robot answers to each sentence.

use super::sequence::speech;
use super::{Difference, Focus, JudgedRun};
use crate::expect::Exchange;
use boxstep_trace::{DialogEvent, Event, Kind};
use std::fmt::Write as _;
use toml::Spanned;

/// A sentence that was heard, and what came of it.
struct Turn<'a> {
    heard: &'a Event,
    text: &'a str,
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
            let Some(says) = &wanted.says else { continue };
            let said = if turn.by_topic { &turn.answers } else { &turn.said }.join(" ");
            if squeezed(&said) == squeezed(says) {
                continue;
            }
            let quoted = |text: &str| if text.is_empty() { "nothing".to_owned() } else { format!("“{text}”") };
            let expected = format!("answers {} to “{}”", quoted(says), wanted.hears);
            let came = format!("answers {} at {} s{}", quoted(&said), turn.heard.t, turn.why);
            found.push(self.differs(&exchange.span(), expected, came, Focus::Event(turn.heard.n)));
            // What follows depends on this answer.
            return;
        }
    }

    fn turns(&self) -> Vec<Turn<'_>> {
        let mut turns: Vec<Turn<'_>> = Vec::new();
        for event in self.events() {
            let told = match &event.kind {
                Kind::Dialog(told) => &**told,
                _ => {
                    if let (Some(turn), Some(text)) = (turns.last_mut(), speech(event)) {
                        turn.said.push(text);
                    }
                    continue;
                }
            };
            if let DialogEvent::Heard { text } = told {
                let (answers, said) = (Vec::new(), Vec::new());
                turns.push(Turn { heard: event, text, by_topic: false, answers, said, why: String::new() });
                continue;
            }
            let Some(turn) = turns.last_mut() else { continue };
            let taken = matches!(told, DialogEvent::Matched { .. } | DialogEvent::NotUnderstood { .. });
            // What a topic does later, it does by itself.
            turn.by_topic |= taken && event.t == turn.heard.t;
            // Writing to a string does not fail.
            let _ = match told {
                DialogEvent::Answer { text } => {
                    turn.answers.push(text);
                    Ok(())
                }
                DialogEvent::Matched { rule, .. } => write!(turn.why, "\n  answered by {rule}"),
                DialogEvent::Unsayable { rule } => write!(turn.why, "\n  nothing could be said for {rule}"),
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
