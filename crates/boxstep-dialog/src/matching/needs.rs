//! The words that a sentence must have for a rule to match.

use super::index::Concepts;
use super::program::{ConceptId, Op, Program};
use std::collections::HashMap;
use std::sync::Arc;

/// The most words of a concept that rules are found by.
const MOST_WORDS: usize = 2_000;

/// The most entries of all rules. Rules beyond are tried with every sentence.
const MOST_ENTRIES: usize = 4_000_000;

/// Words of which a sentence must have one.
#[derive(Clone, Debug)]
pub(super) struct Need {
    pub(super) words: Arc<[u32]>,
    /// How many rules have them: the fewer, the better.
    cost: u64,
}

/// Finds what programs need.
pub(super) struct Needs<'a> {
    concepts: &'a Concepts,
    /// How many rules have a word.
    frequency: Vec<u32>,
    known: HashMap<ConceptId, Option<Need>>,
    /// How many more entries there may be.
    left: usize,
}

impl<'a> Needs<'a> {
    /// `words` is how many words there are.
    pub(super) fn new<'p>(concepts: &'a Concepts, words: usize, programs: impl Iterator<Item = &'p Program>) -> Self {
        let mut frequency = vec![0; words];
        let mut uses: HashMap<ConceptId, u32> = HashMap::new();
        for op in programs.flat_map(|program| &program.ops) {
            match op {
                Op::Word(word) => frequency[word.plain as usize] += 1,
                Op::Concept(id) => *uses.entry(*id).or_default() += 1,
                _ => {}
            }
        }
        let mut needs = Self { concepts, frequency, known: HashMap::new(), left: MOST_ENTRIES };
        let mut more: Vec<(Arc<[u32]>, u32)> = Vec::new();
        for (id, uses) in uses {
            more.extend(needs.of_concept(id).map(|need| (need.words, uses)));
        }
        for (words, uses) in more {
            for word in &*words {
                let count = &mut needs.frequency[*word as usize];
                *count = count.saturating_add(uses);
            }
        }
        // What it costs to be found by a concept is known only now.
        needs.known.clear();
        needs.left = MOST_ENTRIES;
        needs
    }

    /// Returns words of which a sentence must have one for the program to match; `None` if it may match without, or is
    /// not to be found by words.
    pub(super) fn of_rule(&mut self, program: &Program) -> Option<Need> {
        let need = self.of_range(program, 0, program.ops.len())?;
        self.left = self.left.checked_sub(need.words.len())?;
        Some(need)
    }

    /// A step that every way passes is needed: there are none that jump over it.
    fn of_range(&mut self, program: &Program, from: usize, to: usize) -> Option<Need> {
        let mut best: Option<Need> = None;
        let mut at = from;
        while at < to {
            let (found, next) = self.of_step(program, at, to);
            if let Some(need) = found
                && best.as_ref().is_none_or(|old| need.cost < old.cost)
            {
                best = Some(need);
            }
            at = next;
        }
        best
    }

    fn need(&self, mut words: Vec<u32>) -> Need {
        words.sort_unstable();
        words.dedup();
        let cost = words.iter().map(|word| u64::from(self.frequency[*word as usize])).sum();
        Need { words: words.into(), cost }
    }

    /// What the step at a place needs, and the next step that all ways pass.
    fn of_step(&mut self, program: &Program, at: usize, end: usize) -> (Option<Need>, usize) {
        match &program.ops[at] {
            Op::Word(word) => (Some(self.need(vec![word.plain])), at + 1),
            Op::Concept(id) => (self.of_concept(*id), at + 1),
            Op::Split(one, other) if *one as usize == at + 1 => self.of_split(program, at, *other as usize, end),
            // The loop of a wildcard.
            _ => (None, at + 1),
        }
    }

    /// A choice is a row of alternatives, each behind a split and before a jump to the end; an option has no jump.
    fn of_split(&mut self, program: &Program, at: usize, other: usize, end: usize) -> (Option<Need>, usize) {
        let jump = other.checked_sub(1).and_then(|last| program.ops.get(last));
        let Some(Op::Jump(to)) = jump.filter(|_| other > at + 1) else { return (None, other.max(at + 1)) };
        let to = (*to as usize).min(end);
        let one = self.of_range(program, at + 1, other - 1);
        let rest = self.of_range(program, other, to);
        let both = one.zip(rest).map(|(one, rest)| self.need([&*one.words, &*rest.words].concat()));
        (both, to.max(at + 1))
    }

    /// Concepts are in no circle, so this ends.
    fn of_concept(&mut self, id: ConceptId) -> Option<Need> {
        if let Some(known) = self.known.get(&id) {
            return known.clone();
        }
        let need = self.of_items(id);
        self.known.insert(id, need.clone());
        need
    }

    fn of_items(&mut self, id: ConceptId) -> Option<Need> {
        let concepts = self.concepts;
        let Some(items) = concepts.get(id) else { return Some(self.need(Vec::new())) };
        if !items.fixed {
            return None;
        }
        let mut words = Vec::new();
        for program in &items.programs {
            // Where a concept begins with a word it is found by that, as its items are.
            let needs = match program.ops.first()? {
                Op::Word(word) => self.need(vec![word.plain]),
                _ => self.of_range(program, 0, program.ops.len())?,
            };
            words.extend_from_slice(&needs.words);
            if words.len() > MOST_WORDS {
                words.sort_unstable();
                words.dedup();
            }
            if words.len() > MOST_WORDS {
                return None;
            }
        }
        self.left = self.left.checked_sub(words.len())?;
        Some(self.need(words))
    }
}
