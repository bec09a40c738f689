//! Why rules did not answer a sentence.

use super::Dialog;
use super::search::parent_ref;
use crate::matching::{RuleRef, Shared};
use crate::topic::{Item, ItemKind, Rule, RuleKind};
use crate::words;
use crate::world::World;
use boxstep_trace::{NearRule, RulePlace};
use smol_str::SmolStr;
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// A rule that might have answered a sentence, and why it did not.
#[derive(Clone, Debug, PartialEq)]
pub struct Near {
    /// The rule.
    pub rule: RulePlace,
    /// Why it did not answer.
    pub why: Why,
}

/// Why a rule does not answer a sentence.
#[derive(Clone, Debug, PartialEq)]
pub enum Why {
    /// Its topic is not active.
    TopicInactive,
    /// It is a sub-rule, and the rule above did not answer just before.
    ScopeClosed(Option<RulePlace>),
    /// It is `^private`, and its topic does not have the focus.
    NotFocused,
    /// A condition is false, or a tag is off.
    Condition,
    /// It also needs an event.
    Event,
    /// These words were not said where it needs them.
    Words(Vec<SmolStr>),
    /// Another rule matches better, or comes first.
    Weaker,
}

impl std::fmt::Display for Why {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Why::TopicInactive => write!(f, "its topic is not active"),
            Why::ScopeClosed(Some(parent)) => {
                write!(f, "it is open only after line {}, {}", parent.line, parent.head)
            }
            Why::ScopeClosed(None) => write!(f, "it is a sub-rule of no rule"),
            Why::NotFocused => write!(f, "it is ^private, and its topic does not have the focus"),
            Why::Condition => write!(f, "a condition is false, or a tag is off"),
            Why::Event => write!(f, "it needs an event, too"),
            Why::Words(words) if words.is_empty() => {
                write!(f, "the words are not in its order, or others stand between")
            }
            Why::Words(words) => write!(f, "it needs `{}`", words.join("`, `")),
            Why::Weaker => write!(f, "another rule covers more words, or comes first"),
        }
    }
}

impl Dialog {
    /// The rules that come nearest to a sentence, the nearest first. Call it before the sentence is heard, because an
    /// answer opens and closes rules.
    pub fn explain(&mut self, world: &dyn World, text: &str, most: usize) -> Vec<Near> {
        self.refresh();
        let stimulus = super::queue::Stimulus::Sentence(text.into());
        let winner = self.search(world, &stimulus).main.map(|hit| hit.rule);
        self.nearest(world, text, winner, most)
    }

    /// The rules that came nearest to a sentence that none has answered, for a trace.
    pub(super) fn near_rules(&mut self, world: &dyn World, text: &str) -> Vec<NearRule> {
        const MOST: usize = 3;
        self.refresh();
        let near = self.nearest(world, text, None, MOST).into_iter();
        near.map(|near| NearRule { rule: near.rule, why: near.why.to_string().into() }).collect()
    }

    /// Rules that would match come first, then those that share most words.
    fn nearest(&mut self, world: &dyn World, text: &str, winner: Option<RuleRef>, most: usize) -> Vec<Near> {
        let sentence = self.index.book.vocabulary.sentence(text);
        // Only a rule that the index finds can match, whatever else is true.
        let candidates = self.index.book.candidates(&sentence);
        let mut rules = self.index.book.nearby(&sentence);
        let shares = |at: &RuleRef| rules.binary_search_by_key(at, |shared| shared.rule).is_ok();
        let others: Vec<RuleRef> = candidates.iter().copied().filter(|at| !shares(at)).collect();
        rules.extend(others.into_iter().map(|rule| Shared { rule, said: 0, words: 1 }));
        let mut scratch = std::mem::take(&mut self.index.scratch);
        let mut found = Vec::new();
        for Shared { rule: at, said, words } in rules {
            let Some(rule) = self.rule(at).filter(|_| Some(at) != winner) else { continue };
            let speaks_beside = self.loaded(at.topic).is_some_and(|loaded| super::search::speaks_beside(&loaded.topic));
            if speaks_beside || !matches!(rule.kind, RuleKind::User | RuleKind::Sub(_) | RuleKind::Beside) {
                continue;
            }
            scratch.clear();
            let lenient = candidates.binary_search(&at).is_ok()
                && self.try_rule(&mut scratch, world, at, &sentence, None, true).is_some();
            if lenient || said > 0 {
                found.push((Reverse((lenient, said * 1_000 / words, said)), at));
            }
        }
        found.sort_unstable();
        let words: BTreeSet<SmolStr> = words::words(&sentence.text).into_iter().map(|heard| heard.word).collect();
        let near = found.into_iter().filter_map(|(Reverse((lenient, ..)), at)| {
            let rule = self.rule(at)?;
            let why = if !lenient {
                self.missing(rule.input.as_deref()?, &words)
            } else if !self.active.contains(&at.topic) {
                Why::TopicInactive
            } else if rule.kind.level() > 0 && self.scope != rule.parent.map(|parent| parent_ref(at, parent)) {
                Why::ScopeClosed(rule.parent.and_then(|parent| self.place(parent_ref(at, parent))))
            } else if rule.private && self.focus != Some(at.topic) {
                Why::NotFocused
            } else {
                scratch.clear();
                match self.try_rule(&mut scratch, world, at, &sentence, None, false) {
                    Some(_) => Why::Weaker,
                    None => Why::Condition,
                }
            };
            Some(Near { rule: self.place(at)?, why })
        });
        let near = near.take(most).collect();
        self.index.scratch = scratch;
        near
    }

    fn rule(&self, at: RuleRef) -> Option<&Rule> {
        self.loaded(at.topic)?.topic.rules.get(at.rule as usize)
    }

    /// The words of an input, and those of the concepts that it names.
    fn literal_words(&self, input: &[Item]) -> BTreeSet<SmolStr> {
        let mut found = BTreeSet::new();
        crate::topic::walk(input, &mut |item| match &item.kind {
            ItemKind::Text(text) => found.extend(words::words(text).into_iter().map(|heard| heard.word)),
            ItemKind::Concept(name) => {
                for (_, item) in self.concept_items(name, 200) {
                    item.walk(&mut |item| {
                        if let ItemKind::Text(text) = &item.kind {
                            found.extend(words::words(text).into_iter().map(|heard| heard.word));
                        }
                    });
                }
            }
            _ => {}
        });
        found
    }

    /// The words that must be said, outside choices and options, and were not.
    fn missing(&self, input: &[Item], said: &BTreeSet<SmolStr>) -> Why {
        let mut missing: Vec<SmolStr> = Vec::new();
        let mut event = false;
        let mut open: Vec<&Item> = input.iter().rev().collect();
        while let Some(item) = open.pop() {
            match &item.kind {
                ItemKind::Text(text) => {
                    let words = words::words(text).into_iter().map(|heard| heard.word);
                    missing.extend(words.filter(|word| !said.contains(word)));
                }
                ItemKind::Phrase(items) => open.extend(items.iter().rev()),
                ItemKind::Capture(item) => open.push(item),
                ItemKind::Event(_) => event = true,
                ItemKind::Choice(items) => {
                    let any = self.literal_words(items).iter().any(|word| said.contains(word));
                    if !any {
                        missing.push(choice_text(items));
                    }
                }
                ItemKind::Concept(name) => {
                    let any = self.literal_words(std::slice::from_ref(item)).iter().any(|w| said.contains(w));
                    if !any {
                        missing.push(format!("~{name}").into());
                    }
                }
                _ => {}
            }
        }
        if missing.is_empty() && event { Why::Event } else { Why::Words(missing) }
    }
}

/// The first words of a choice, for people.
fn choice_text(items: &[Item]) -> SmolStr {
    let mut words = Vec::new();
    for item in items.iter().take(4) {
        let mut text = Vec::new();
        item.walk(&mut |item| match &item.kind {
            ItemKind::Text(word) => text.push(word.to_string()),
            ItemKind::Concept(name) => text.push(format!("~{name}")),
            _ => {}
        });
        words.push(text.join(" "));
    }
    if items.len() > 4 {
        words.push("…".into());
    }
    format!("[{}]", words.join(" | ")).into()
}
