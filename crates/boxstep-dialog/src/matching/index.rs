//! All rules of the loaded topics of a language, found by the words that they need.

use super::circles;
use super::compile::Compiler;
use super::machine::{Facts, Found, Machine, Scratch};
use super::nearby::{Nearby, Shared};
use super::needs::Needs;
use super::program::{ConceptId, Op, Program};
use super::vocabulary::{Sentence, Vocabulary};
use crate::topic::{Item, ItemKind, Topic};
use smol_str::SmolStr;
use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap};

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
    /// For each word the rules that need one of several words, of which it is one.
    by_word: Vec<Vec<RuleRef>>,
    /// The rules with an event of this key.
    by_event: HashMap<SmolStr, Vec<RuleRef>>,
    /// The rules that need no certain word.
    loose: Vec<RuleRef>,
    /// Made when a sentence is explained first.
    nearby: OnceCell<Nearby>,
}

/// The concepts, by number.
#[derive(Debug, Default)]
pub(super) struct Concepts {
    numbers: HashMap<SmolStr, ConceptId>,
    pub(super) items: Vec<ConceptItems>,
}

/// The items of a concept.
#[derive(Clone, Debug, Default)]
pub(super) struct ConceptItems {
    pub(super) programs: Vec<Program>,
    /// The items that begin with a word, by the word.
    by_word: HashMap<u32, Vec<u32>>,
    /// The items that may begin with anything.
    loose: Vec<u32>,
    /// Whether the items are known, and stay as they are.
    pub(super) fixed: bool,
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
    pub(super) fn get(&self, id: ConceptId) -> Option<&ConceptItems> {
        self.items.get(id as usize)
    }

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
    /// Compiles all rules of the topics, which are numbered in order. The items of the concepts that are dynamic are
    /// given later.
    pub(crate) fn new<'t>(
        topics: impl Iterator<Item = (u32, &'t Topic)> + Clone,
        is_dynamic: &dyn Fn(&str) -> bool,
    ) -> Self {
        let mut book = Self::default();
        for (_, topic) in topics.clone() {
            for concept in topic.concepts.iter().filter(|concept| !is_dynamic(&concept.name.text)) {
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
        circles::cut(&mut book.concepts);
        book.index(topics);
        book
    }

    /// Compiles an input that stands alone, with the concepts of a lexicon. The program is `None` if it is too large.
    pub(crate) fn of_input(input: &[Item], lexicon: Option<&Topic>) -> (Self, Option<Program>) {
        let mut book = Self::new(lexicon.map(|topic| (0, topic)).into_iter(), &|_| false);
        let mut compiler = Compiler { vocabulary: &mut book.vocabulary, concepts: &mut book.concepts };
        let program = compiler.pattern(input);
        (book, program)
    }

    /// Enters every rule under the words, of those that it needs, which the fewest rules have.
    fn index<'t>(&mut self, topics: impl Iterator<Item = (u32, &'t Topic)> + Clone) {
        let concepts = EventConcepts::new(topics.clone());
        let mut needs = Needs::new(&self.concepts, self.vocabulary.len(), self.programs.values());
        self.by_word = vec![Vec::new(); self.vocabulary.len()];
        for (number, topic) in topics {
            for (n, rule) in topic.rules.iter().enumerate() {
                let at = RuleRef { topic: number, rule: n as u32 };
                let (Some(input), Some(program)) = (&rule.input, self.programs.get(&at)) else { continue };
                for key in concepts.keys(input) {
                    self.by_event.entry(key).or_default().push(at);
                }
                match needs.of_rule(program) {
                    Some(need) => {
                        for word in &*need.words {
                            self.by_word[*word as usize].push(at);
                        }
                    }
                    None => self.loose.push(at),
                }
            }
        }
    }

    pub(super) fn concept(&self, id: ConceptId) -> Option<&ConceptItems> {
        self.concepts.get(id)
    }

    /// Gives a dynamic concept its items. Rules that use it are found by their other words. Returns whether that was
    /// possible: a concept with items that topics define is part of the index.
    pub(crate) fn set_concept(&mut self, name: &str, items: &[Item]) -> bool {
        let id = self.concepts.named(name);
        let is_dynamic = self.concepts.get(id).is_some_and(|items| !items.fixed);
        if is_dynamic {
            self.concepts.fill(&mut self.vocabulary, id, items, false);
        }
        is_dynamic
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
            found.extend(self.by_word.get(word as usize).into_iter().flatten());
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Rules that have words of a sentence in them, whether they match it or not.
    pub(crate) fn nearby(&self, sentence: &Sentence) -> Vec<Shared> {
        self.nearby.get_or_init(|| Nearby::new(&self.programs, &self.concepts, self.vocabulary.len())).rules(sentence)
    }

    /// All rules, in order.
    #[cfg(feature = "testing")]
    pub(crate) fn all_rules(&self) -> Vec<RuleRef> {
        let mut found: Vec<RuleRef> = self.programs.keys().copied().collect();
        found.sort_unstable();
        found
    }

    /// The rules that an event of this key may match, in order.
    pub(crate) fn candidates_for_event(&self, key: &str) -> &[RuleRef] {
        self.by_event.get(key).map_or(&[], Vec::as_slice)
    }

    /// The keys of events that rules of these topics wait for.
    pub(crate) fn event_keys(&self) -> impl Iterator<Item = (&SmolStr, &[RuleRef])> {
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

/// The events and concepts that items name.
#[derive(Default)]
struct Named {
    events: Vec<SmolStr>,
    concepts: Vec<SmolStr>,
}

impl Named {
    fn add(&mut self, items: &[Item]) {
        crate::topic::walk(items, &mut |item| match &item.kind {
            ItemKind::Event(key) => self.events.push(key.clone()),
            ItemKind::Concept(name) => self.concepts.push(name.clone()),
            _ => {}
        });
    }
}

/// The concepts that lead to an event, by name.
struct EventConcepts<'t>(HashMap<&'t str, Named>);

impl<'t> EventConcepts<'t> {
    fn new(topics: impl Iterator<Item = (u32, &'t Topic)>) -> Self {
        let mut concepts: HashMap<&str, Named> = HashMap::new();
        for concept in topics.flat_map(|(_, topic)| &topic.concepts) {
            let mut named = Named::default();
            named.add(&concept.items);
            concepts.insert(&concept.name.text, named);
        }
        let mut outer: HashMap<&str, Vec<&str>> = HashMap::new();
        for (name, named) in &concepts {
            named.concepts.iter().for_each(|inner| outer.entry(&**inner).or_default().push(*name));
        }
        let with_event = concepts.iter().filter(|(_, named)| !named.events.is_empty());
        let mut open: Vec<&str> = with_event.map(|(name, _)| *name).collect();
        let mut leads: BTreeSet<String> = open.iter().map(|name| (*name).to_owned()).collect();
        while let Some(name) = open.pop() {
            for outer in outer.get(name).into_iter().flatten() {
                if leads.insert((*outer).to_owned()) {
                    open.push(outer);
                }
            }
        }
        concepts.retain(|name, _| leads.contains(*name));
        Self(concepts)
    }

    /// The keys of the events in a pattern, and in the concepts that it names.
    fn keys(&self, items: &[Item]) -> BTreeSet<SmolStr> {
        let mut found = Named::default();
        found.add(items);
        let mut keys: BTreeSet<SmolStr> = found.events.into_iter().collect();
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        let mut open: Vec<&str> = found.concepts.iter().map(|name| &**name).collect();
        while let Some(name) = open.pop() {
            if let Some((name, named)) = self.0.get_key_value(name)
                && seen.insert(*name)
            {
                keys.extend(named.events.iter().cloned());
                open.extend(named.concepts.iter().map(|name| &**name));
            }
        }
        keys
    }
}
