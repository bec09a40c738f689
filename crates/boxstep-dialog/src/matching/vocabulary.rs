//! Words as numbers, so that comparing them is cheap.

use crate::words::{self, without_accents};
use std::collections::HashMap;
use std::ops::Range;

/// The numbers of a word: as written, and without accents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct WordId {
    pub(crate) exact: u32,
    pub(crate) plain: u32,
}

/// No word of the vocabulary.
const UNKNOWN: u32 = u32::MAX;

/// The words of all topics.
#[derive(Debug, Default)]
pub(crate) struct Vocabulary {
    numbers: HashMap<String, u32>,
}

impl Vocabulary {
    /// The number of a word of a topic.
    pub(super) fn add(&mut self, word: &str) -> WordId {
        let exact = self.number(word);
        let plain = without_accents(word);
        WordId { exact, plain: if plain == word { exact } else { self.number(&plain) } }
    }

    fn number(&mut self, word: &str) -> u32 {
        if let Some(number) = self.numbers.get(word) {
            return *number;
        }
        let number = self.numbers.len() as u32;
        self.numbers.insert(word.to_owned(), number);
        number
    }

    pub(super) fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Looks up the words of a sentence.
    pub(crate) fn sentence(&self, text: &str) -> Sentence {
        let number = |word: &str| self.numbers.get(word).copied().unwrap_or(UNKNOWN);
        let heard = words::words(text);
        let ids = heard.iter().map(|heard| {
            let exact = number(&heard.word);
            let plain = without_accents(&heard.word);
            WordId { exact, plain: if plain == *heard.word { exact } else { number(&plain) } }
        });
        let ids = ids.collect();
        Sentence { text: text.to_owned(), ids, places: heard.into_iter().map(|heard| heard.place).collect() }
    }
}

/// A sentence that was heard.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sentence {
    pub(crate) text: String,
    pub(crate) ids: Vec<WordId>,
    places: Vec<Range<usize>>,
}

impl Sentence {
    pub(crate) fn len(&self) -> usize {
        self.ids.len()
    }

    /// The words from one to another (not included), as they were said.
    pub(crate) fn said(&self, from: usize, to: usize) -> &str {
        match (self.places.get(from), to.checked_sub(1).and_then(|last| self.places.get(last))) {
            (Some(first), Some(last)) if from < to => &self.text[first.start..last.end],
            _ => "",
        }
    }
}
