//! Why rules did not answer a sentence.

use super::Dialog;
use super::facts::View;
use super::search::parent_ref;
use crate::matching::{Facts as _, Op, Program, RuleRef, Scratch, Sentence, Shared};
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
    /// This condition is false; empty if it cannot be told which.
    Condition(SmolStr),
    /// This tag is off.
    TagOff(SmolStr),
    /// It also needs an event.
    Event,
    /// These words were not said where it needs them.
    Words(Vec<SmolStr>),
    /// It is `^exact`, and there were other words.
    Exact,
    /// It has `!` before these words, which were said.
    Forbidden(Vec<SmolStr>),
    /// A `*` in it got no word.
    Wildcard,
    /// It is `^lessPriority`, and another rule matches.
    LessPriority,
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
            Why::Condition(which) if which.is_empty() => write!(f, "a condition is false, or a tag is off"),
            Why::Condition(which) => write!(f, "`{which}` is false"),
            Why::TagOff(tag) => write!(f, "the tag `%{tag}` is off"),
            Why::Event => write!(f, "it needs an event, too"),
            Why::Words(words) if words.is_empty() => {
                write!(f, "the words are not in its order, or others stand between")
            }
            Why::Words(words) => write!(f, "it needs `{}`", words.join("`, `")),
            Why::Exact => write!(f, "it is ^exact, and other words were said"),
            Why::Forbidden(words) if words.is_empty() => write!(f, "a `!` in it forbids what was said"),
            Why::Forbidden(words) => write!(f, "it must not have `{}`", words.join("`, `")),
            Why::Wildcard => write!(f, "its `*` needs a word"),
            Why::LessPriority => write!(f, "it is ^lessPriority, and another rule matches"),
            Why::Weaker => write!(f, "another rule covers more words, or comes first"),
        }
    }
}

impl Dialog {
    /// The rules that come nearest to a sentence, the nearest first. Call it before the sentence is heard, because an
    /// answer opens and closes rules.
    pub fn explain(&mut self, world: &dyn World, text: &str, most: usize) -> Vec<Near> {
        self.refresh();
        let hits = self.search(world, &super::queue::Stimulus::Sentence(text.into()));
        let answers = [hits.before, hits.instead, hits.after, hits.beside].into_iter().flatten().chain(hits.main);
        let answers: Vec<RuleRef> = answers.map(|hit| hit.rule).collect();
        self.nearest(world, text, &answers, most)
    }

    /// The rules that came nearest to a sentence that none has answered, for a trace.
    pub(super) fn near_rules(&mut self, world: &dyn World, text: &str) -> Vec<NearRule> {
        const MOST: usize = 3;
        self.refresh();
        let near = self.nearest(world, text, &[], MOST).into_iter();
        near.map(|near| NearRule { rule: near.rule, why: near.why.to_string().into() }).collect()
    }

    /// Rules beside those that answer: first those that would match by words of their own, then those that share most
    /// words, then those that would match by a wildcard.
    fn nearest(&mut self, world: &dyn World, text: &str, answers: &[RuleRef], most: usize) -> Vec<Near> {
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
            let Some(rule) = self.rule(at).filter(|_| !answers.contains(&at)) else { continue };
            let speaks_beside = self.loaded(at.topic).is_some_and(|loaded| super::search::speaks_beside(&loaded.topic));
            if speaks_beside || !matches!(rule.kind, RuleKind::User | RuleKind::Sub(_) | RuleKind::Beside) {
                continue;
            }
            scratch.clear();
            let lenient = candidates.binary_search(&at).is_ok()
                && self.try_rule(&mut scratch, world, at, &sentence, None, true).is_some();
            if lenient || said > 0 {
                found.push((Reverse((lenient && said > 0, said * 1_000 / words, said, lenient)), at));
            }
        }
        found.sort_unstable();
        let words: BTreeSet<SmolStr> = words::words(&sentence.text).into_iter().map(|heard| heard.word).collect();
        let near = found.into_iter().filter_map(|(Reverse((.., lenient)), at)| {
            let rule = self.rule(at)?;
            let input = rule.input.as_deref()?;
            let why = if !lenient {
                match self.missing(input, &words) {
                    Why::Words(missing) if missing.is_empty() => self.in_the_way(&mut scratch, world, at, &sentence),
                    why => why,
                }
            } else if !self.active.contains(&at.topic) {
                Why::TopicInactive
            } else if rule.kind.level() > 0 && self.scope != rule.parent.map(|parent| parent_ref(at, parent)) {
                Why::ScopeClosed(rule.parent.and_then(|parent| self.place(parent_ref(at, parent))))
            } else if rule.private && self.focus != Some(at.topic) {
                Why::NotFocused
            } else {
                scratch.clear();
                match self.try_rule(&mut scratch, world, at, &sentence, None, false) {
                    Some(_) if self.index.book.program(at).is_some_and(|program| program.less_priority) => {
                        Why::LessPriority
                    }
                    Some(_) => Why::Weaker,
                    None => self.false_fact(world, at, input),
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

    /// What keeps a rule from matching although all its words were said.
    fn in_the_way(&self, scratch: &mut Scratch, world: &dyn World, at: RuleRef, sentence: &Sentence) -> Why {
        let nothing = || Why::Words(Vec::new());
        let Some(program) = self.index.book.program(at) else { return nothing() };
        let view = View { dialog: self, world, topic: at.topic, event: None, lenient: true };
        let mut matches = |program: &Program| {
            scratch.clear();
            self.index.book.find(scratch, program, sentence, &view).is_some_and(|found| found.words.0 < found.words.1)
        };
        if program.exact && matches(&Program { exact: false, ..program.clone() }) {
            return Why::Exact;
        }
        let without = |skipped: fn(&Op) -> bool| {
            let skip = |(n, op): (usize, &Op)| if skipped(op) { Op::Jump(n as u32 + 1) } else { op.clone() };
            Program { ops: program.ops.iter().enumerate().map(skip).collect(), ..program.clone() }
        };
        if matches(&without(|op| matches!(op, Op::Without(_)))) {
            let input = self.rule(at).and_then(|rule| rule.input.as_deref()).unwrap_or_default();
            return Why::Forbidden(self.forbidden(input, sentence));
        }
        if matches(&without(|op| matches!(op, Op::AnyWord))) { Why::Wildcard } else { nothing() }
    }

    /// The words behind `!` that were said.
    fn forbidden(&self, input: &[Item], sentence: &Sentence) -> Vec<SmolStr> {
        let said: BTreeSet<SmolStr> = words::words(&sentence.text).into_iter().map(|heard| heard.word).collect();
        let mut found = BTreeSet::new();
        crate::topic::walk(input, &mut |item| {
            if let ItemKind::Not(item) = &item.kind {
                found.extend(self.literal_words(std::slice::from_ref(item)).intersection(&said).cloned());
            }
        });
        found.into_iter().collect()
    }

    /// The first condition of an input that is false, or tag that is off.
    fn false_fact(&self, world: &dyn World, at: RuleRef, input: &[Item]) -> Why {
        let view = View { dialog: self, world, topic: at.topic, event: None, lenient: false };
        let source = self.loaded(at.topic).map(|loaded| &loaded.topic.sources);
        let mut why = Why::Condition("".into());
        // Items of a choice may be false, as long as another one is true.
        let alone = input.iter().flat_map(|item| match &item.kind {
            ItemKind::Phrase(items) => items.as_slice(),
            _ => std::slice::from_ref(item),
        });
        for item in alone {
            match &item.kind {
                ItemKind::Condition(condition) if !view.condition(condition) => {
                    why = Why::Condition(source.map_or("", |source| source.slice(item.span).trim()).into());
                }
                ItemKind::Tag(name) if !view.tag(name) => why = Why::TagOff(name.clone()),
                _ => continue,
            }
            break;
        }
        why
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

    /// Whether all words that an item needs were said, wherever.
    fn may_be_said(&self, item: &Item, said: &BTreeSet<SmolStr>, depth: u32) -> bool {
        match &item.kind {
            ItemKind::Text(text) => words::words(text).iter().all(|heard| said.contains(&heard.word)),
            ItemKind::Phrase(items) => items.iter().all(|item| self.may_be_said(item, said, depth)),
            ItemKind::Choice(items) => items.iter().any(|item| self.may_be_said(item, said, depth)),
            ItemKind::Capture(item) => self.may_be_said(item, said, depth),
            ItemKind::Concept(name) if depth < 4 => {
                self.concept_items(name, 200).iter().any(|(_, item)| self.may_be_said(item, said, depth + 1))
            }
            _ => true,
        }
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
                // One that nothing was said of.
                ItemKind::Choice(items) if !self.may_be_said(item, said, 0) => missing.push(choice_text(items)),
                ItemKind::Concept(name) if !self.may_be_said(item, said, 0) => {
                    missing.push(format!("~{name}").into());
                }
                _ => {}
            }
        }
        if missing.is_empty() && event { Why::Event } else { Why::Words(missing) }
    }
}

/// The first words of a choice, for people.
fn choice_text(items: &[Item]) -> SmolStr {
    let mut words: Vec<String> = items.iter().take(4).map(item_text).collect();
    if items.len() > 4 {
        words.push("…".into());
    }
    format!("[{}]", words.join(" | ")).into()
}

/// The words of an item, for people: lists in their brackets.
fn item_text(item: &Item) -> String {
    let texts = |items: &[Item]| items.iter().map(item_text).filter(|text| !text.is_empty()).collect::<Vec<_>>();
    match &item.kind {
        ItemKind::Text(word) => word.to_string(),
        ItemKind::Concept(name) => format!("~{name}"),
        ItemKind::Any => "*".to_owned(),
        ItemKind::Phrase(items) => texts(items).join(" "),
        ItemKind::Choice(items) => format!("[{}]", texts(items).join(" | ")),
        ItemKind::Optional(items) => format!("{{{}}}", texts(items).join(" | ")),
        ItemKind::Capture(item) => item_text(item),
        _ => String::new(),
    }
}
