//! Which rules have words of a sentence in them, whether they match it or not.

use super::index::{Concepts, RuleRef};
use super::program::{ConceptId, Op, Program};
use super::vocabulary::Sentence;
use std::collections::HashMap;

/// The most words of a rule, with those of its concepts, by which it is found.
const MOST_WORDS: usize = 200;

/// The most rules whose words are counted for a sentence: those with its rarest words.
const MOST_RULES: usize = 100;

/// Rules by all the words in them.
#[derive(Debug)]
pub(super) struct Nearby {
    /// Each rule with its words, in order.
    rules: Vec<(RuleRef, Box<[u32]>)>,
    /// For each word the indices of the rules that have it.
    by_word: Vec<Vec<u32>>,
}

/// A rule that has words of a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shared {
    pub(crate) rule: RuleRef,
    /// How many of its words were said.
    pub(crate) said: usize,
    /// How many it has.
    pub(crate) words: usize,
}

impl Nearby {
    /// `words` is how many words there are.
    pub(super) fn new(programs: &HashMap<RuleRef, Program>, concepts: &Concepts, words: usize) -> Self {
        let mut nearby = Self { rules: Vec::new(), by_word: vec![Vec::new(); words] };
        let mut known: HashMap<ConceptId, Vec<u32>> = HashMap::new();
        let mut rules: Vec<RuleRef> = programs.keys().copied().collect();
        rules.sort_unstable();
        for rule in rules {
            let mut words = Vec::new();
            if let Some(program) = programs.get(&rule) {
                add_words(program, concepts, &mut known, &mut words);
            }
            words.sort_unstable();
            words.dedup();
            let index = nearby.rules.len() as u32;
            for word in &words {
                nearby.by_word[*word as usize].push(index);
            }
            nearby.rules.push((rule, words.into()));
        }
        nearby
    }

    /// The rules that share words with a sentence. Those with its rarest words are found first; where a word is in very
    /// many rules, not all of them are.
    pub(super) fn rules(&self, sentence: &Sentence) -> Vec<Shared> {
        let mut said: Vec<u32> = sentence.ids.iter().map(|word| word.plain).collect();
        said.sort_unstable();
        said.dedup();
        let mut lists: Vec<&Vec<u32>> = said.iter().filter_map(|word| self.by_word.get(*word as usize)).collect();
        lists.sort_by_key(|rules| rules.len());
        let mut found: Vec<u32> = lists.into_iter().flatten().copied().take(MOST_RULES).collect();
        found.sort_unstable();
        found.dedup();
        let shared = found.into_iter().filter_map(|index| {
            let (rule, words) = self.rules.get(index as usize)?;
            let count = said.iter().filter(|word| words.binary_search(word).is_ok()).count();
            Some(Shared { rule: *rule, said: count, words: words.len() })
        });
        shared.collect()
    }
}

/// Adds the words of a program, and those of its concepts. Concepts are in no circle.
fn add_words(program: &Program, concepts: &Concepts, known: &mut HashMap<ConceptId, Vec<u32>>, words: &mut Vec<u32>) {
    for op in &program.ops {
        if words.len() >= MOST_WORDS {
            return;
        }
        match op {
            Op::Word(word) => words.push(word.plain),
            Op::Concept(id) => {
                if !known.contains_key(id) {
                    let mut inner = Vec::new();
                    for program in concepts.get(*id).into_iter().flat_map(|items| &items.programs) {
                        add_words(program, concepts, known, &mut inner);
                    }
                    inner.truncate(MOST_WORDS);
                    known.insert(*id, inner);
                }
                words.extend(known.get(id).into_iter().flatten().take(MOST_WORDS - words.len()));
            }
            _ => {}
        }
    }
}
