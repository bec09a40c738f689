//! All rules of the loaded topics of a language, found by the words that they need.

use super::compile::Compiler;
use super::machine::{Facts, Found, Machine, Scratch};
use super::program::{ConceptId, Op, Program};
use super::vocabulary::{Sentence, Vocabulary};
use crate::topic::{Item, ItemKind, Topic};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// A rule: the number of its topic, and its index in the topic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct RuleRef {
    pub(crate) topic: u32,
    pub(crate) rule: u32,
}

/// All rules and concepts of a language.
#[derive(Debug, Default)]
pub(crate) struct Book {
    pub(crate) vocabulary: Vocabulary,
    concepts: Concepts,
    programs: HashMap<RuleRef, Program>,
    /// The rules that need one of several words, of which this is one.
    by_word: HashMap<u32, Vec<RuleRef>>,
    /// The rules with an event of this key.
    by_event: HashMap<Arc<str>, Vec<RuleRef>>,
    /// The rules that need no certain word.
    loose: Vec<RuleRef>,
}

/// The concepts, by number.
#[derive(Debug, Default)]
pub(super) struct Concepts {
    numbers: HashMap<Arc<str>, ConceptId>,
    items: Vec<ConceptItems>,
}

/// The items of a concept.
#[derive(Debug, Default)]
pub(super) struct ConceptItems {
    pub(super) programs: Vec<Program>,
    /// The items that begin with a word, by the word.
    by_word: HashMap<u32, Vec<u32>>,
    /// The items that may begin with anything.
    loose: Vec<u32>,
    /// Whether the items are known, and stay as they are.
    fixed: bool,
}

impl ConceptItems {
    /// The items that may match where this word stands.
    pub(super) fn that_may_begin_with(&self, word: Option<u32>) -> impl Iterator<Item = u32> + '_ {
        let known = word.and_then(|word| self.by_word.get(&word)).map_or(&[][..], Vec::as_slice);
        known.iter().chain(&self.loose).copied()
    }

    fn fill(programs: Vec<Program>, fixed: bool) -> Self {
        let mut items = Self { programs, fixed, ..Self::default() };
        for (n, program) in items.programs.iter().enumerate() {
            match program.ops.first() {
                Some(Op::Word(word)) => items.by_word.entry(word.plain).or_default().push(n as u32),
                _ => items.loose.push(n as u32),
            }
        }
        items
    }
}

impl Concepts {
    pub(super) fn named(&mut self, name: &str) -> ConceptId {
        if let Some(id) = self.numbers.get(name) {
            return *id;
        }
        let id = self.new_id();
        self.numbers.insert(name.into(), id);
        id
    }

    fn new_id(&mut self) -> ConceptId {
        self.items.push(ConceptItems::default());
        self.items.len() as ConceptId - 1
    }

    /// Makes a concept of these items, without a name.
    pub(super) fn anonymous(&mut self, vocabulary: &mut Vocabulary, items: &[Item]) -> ConceptId {
        let id = self.new_id();
        self.fill(vocabulary, id, items, true);
        id
    }

    fn fill(&mut self, vocabulary: &mut Vocabulary, id: ConceptId, items: &[Item], fixed: bool) {
        let programs = items.iter().filter_map(|item| {
            let mut compiler = Compiler { vocabulary, concepts: self };
            compiler.pattern(std::slice::from_ref(item))
        });
        let programs = programs.collect();
        self.items[id as usize] = ConceptItems::fill(programs, fixed);
    }
}

impl Book {
    /// Compiles all rules of the topics, which are numbered in order.
    pub(crate) fn new<'t>(topics: impl Iterator<Item = (u32, &'t Topic)> + Clone) -> Self {
        let mut book = Self::default();
        for (_, topic) in topics.clone() {
            for concept in &topic.concepts {
                let id = book.concepts.named(&concept.name.text);
                let items = crate::concepts::alternatives(&concept.items);
                book.concepts.fill(&mut book.vocabulary, id, &items, true);
            }
        }
        for (number, topic) in topics.clone() {
            for (n, rule) in topic.rules.iter().enumerate() {
                let Some(input) = &rule.input else { continue };
                let mut compiler = Compiler { vocabulary: &mut book.vocabulary, concepts: &mut book.concepts };
                if let Some(program) = compiler.pattern(input) {
                    book.programs.insert(RuleRef { topic: number, rule: n as u32 }, program);
                }
            }
        }
        book.index(topics);
        book
    }

    /// Enters every rule under the words, of those that it needs, which the fewest rules have.
    fn index<'t>(&mut self, topics: impl Iterator<Item = (u32, &'t Topic)> + Clone) {
        let mut frequency: Vec<u32> = vec![0; self.vocabulary.len()];
        for program in self.programs.values() {
            for op in &program.ops {
                if let Op::Word(word) = op {
                    frequency[word.plain as usize] += 1;
                }
            }
        }
        let concepts: HashMap<&str, &[Item]> = topics
            .clone()
            .flat_map(|(_, topic)| topic.concepts.iter().map(|c| (&*c.name.text, c.items.as_slice())))
            .collect();
        for (number, topic) in topics {
            for (n, rule) in topic.rules.iter().enumerate() {
                let at = RuleRef { topic: number, rule: n as u32 };
                let (Some(input), Some(program)) = (&rule.input, self.programs.get(&at)) else { continue };
                for key in events(input, &concepts) {
                    self.by_event.entry(key).or_default().push(at);
                }
                match self.needed(program, &frequency) {
                    Some(words) => {
                        for word in words {
                            self.by_word.entry(word).or_default().push(at);
                        }
                    }
                    None => self.loose.push(at),
                }
            }
        }
    }

    /// Returns words of which a sentence must have one for the program to match; `None` if it may match without.
    ///
    /// A step that every way passes is needed: there are none that jump over it.
    fn needed(&self, program: &Program, frequency: &[u32]) -> Option<BTreeSet<u32>> {
        let cost = |words: &BTreeSet<u32>| words.iter().map(|word| u64::from(frequency[*word as usize])).sum::<u64>();
        let mut best: Option<BTreeSet<u32>> = None;
        let mut at = 0;
        while at < program.ops.len() {
            let (found, next) = self.step_needs(program, at, program.ops.len());
            if let Some(words) = found
                && best.as_ref().is_none_or(|old| cost(&words) < cost(old))
            {
                best = Some(words);
            }
            at = next;
        }
        best
    }

    /// What the step at a place needs, and the next step that all ways pass.
    fn step_needs(&self, program: &Program, at: usize, end: usize) -> (Option<BTreeSet<u32>>, usize) {
        match &program.ops[at] {
            Op::Word(word) => (Some(BTreeSet::from([word.plain])), at + 1),
            Op::Concept(id) => (self.concept_needs(*id, 0), at + 1),
            Op::Split(one, other) if *one as usize == at + 1 => self.split_needs(program, at, *other as usize, end),
            // The loop of a wildcard.
            _ => (None, at + 1),
        }
    }

    /// A choice is a row of alternatives, each behind a split and before a jump to the end; an option has no jump.
    fn split_needs(&self, program: &Program, at: usize, other: usize, end: usize) -> (Option<BTreeSet<u32>>, usize) {
        let jump = other.checked_sub(1).and_then(|last| program.ops.get(last));
        let Some(Op::Jump(to)) = jump.filter(|_| other > at + 1) else { return (None, other.max(at + 1)) };
        let to = (*to as usize).min(end);
        let one = self.range_needs(program, at + 1, other - 1);
        let rest = self.range_needs(program, other, to);
        let both = one.zip(rest).map(|(mut one, rest)| {
            one.extend(rest);
            one
        });
        (both, to.max(at + 1))
    }

    fn range_needs(&self, program: &Program, from: usize, to: usize) -> Option<BTreeSet<u32>> {
        let mut best: Option<BTreeSet<u32>> = None;
        let mut at = from;
        while at < to {
            let (found, next) = self.step_needs(program, at, to);
            if let Some(words) = found
                && best.as_ref().is_none_or(|old| words.len() < old.len())
            {
                best = Some(words);
            }
            at = next;
        }
        best
    }

    fn concept_needs(&self, id: ConceptId, depth: u32) -> Option<BTreeSet<u32>> {
        let items = &self.concepts.items[id as usize];
        const MOST_WORDS: usize = 2_000;
        if !items.fixed || depth > 8 {
            return None;
        }
        let mut words = BTreeSet::new();
        for program in &items.programs {
            let needs = match program.ops.first()? {
                Op::Word(word) => Some(BTreeSet::from([word.plain])),
                Op::Concept(inner) => self.concept_needs(*inner, depth + 1),
                _ => self.range_needs(program, 0, program.ops.len()),
            };
            words.extend(needs?);
            if words.len() > MOST_WORDS {
                return None;
            }
        }
        Some(words)
    }

    pub(super) fn concept(&self, id: ConceptId) -> Option<&ConceptItems> {
        self.concepts.items.get(id as usize)
    }

    /// Gives a dynamic concept its items. Rules that use it are found by their other words.
    pub(crate) fn set_concept(&mut self, name: &str, items: &[Item]) {
        let id = self.concepts.named(name);
        self.concepts.fill(&mut self.vocabulary, id, items, false);
    }

    /// The program of a rule.
    pub(crate) fn program(&self, rule: RuleRef) -> Option<&Program> {
        self.programs.get(&rule)
    }

    /// The rules that may match a sentence, in order.
    pub(crate) fn candidates(&self, sentence: &Sentence) -> Vec<RuleRef> {
        let mut found = self.loose.clone();
        let mut words: Vec<u32> = sentence.ids.iter().map(|word| word.plain).collect();
        words.sort_unstable();
        words.dedup();
        for word in words {
            found.extend(self.by_word.get(&word).into_iter().flatten());
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The rules that an event of this key may match, in order.
    pub(crate) fn candidates_for_event(&self, key: &str) -> &[RuleRef] {
        self.by_event.get(key).map_or(&[], Vec::as_slice)
    }

    /// The keys of events that rules of these topics wait for.
    pub(crate) fn event_keys(&self) -> impl Iterator<Item = (&Arc<str>, &[RuleRef])> {
        self.by_event.iter().map(|(key, rules)| (key, rules.as_slice()))
    }

    /// Matches a program with a sentence.
    pub(crate) fn find(
        &self,
        scratch: &mut Scratch,
        program: &Program,
        sentence: &Sentence,
        facts: &dyn Facts,
    ) -> Option<Found> {
        Machine { book: self, sentence, facts }.find(scratch, program)
    }
}

/// The keys of the events in a pattern, and in the concepts that it names.
fn events(items: &[Item], concepts: &HashMap<&str, &[Item]>) -> BTreeSet<Arc<str>> {
    let mut keys = BTreeSet::new();
    let mut names: BTreeSet<Arc<str>> = BTreeSet::new();
    let mut open: Vec<&[Item]> = vec![items];
    while let Some(items) = open.pop() {
        crate::topic::walk(items, &mut |item| match &item.kind {
            ItemKind::Event(key) => {
                keys.insert(key.clone());
            }
            ItemKind::Concept(name) if names.insert(name.clone()) => {
                open.extend(concepts.get(&**name).copied());
            }
            _ => {}
        });
    }
    keys
}
