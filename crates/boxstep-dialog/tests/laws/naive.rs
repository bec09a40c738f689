//! A matcher as the language is explained: it tries everything, and knows nothing of the real one.

use std::collections::BTreeSet;

/// A pattern.
#[derive(Clone, Debug)]
pub(super) enum Pattern {
    Word(usize),
    Phrase(Vec<Pattern>),
    Choice(Vec<Pattern>),
    Optional(Vec<Pattern>),
    Any,
    Capture(Box<Pattern>),
    Concept(usize),
    Not(usize),
}

/// A script: words as they are written, and what is compared of them.
#[derive(Debug)]
pub(super) struct Script {
    pub(super) words: &'static [(&'static str, &'static [&'static str])],
    /// Whether words are written with blanks between them.
    pub(super) blanks: bool,
}

pub(super) const SCRIPTS: [Script; 4] = [
    Script {
        words: &[
            ("red", &["red"]),
            ("Blue", &["blue"]),
            ("what's", &["what's"]),
            ("go", &["go"]),
            ("3.5", &["3.5"]),
            ("home", &["home"]),
        ],
        blanks: true,
    },
    Script {
        words: &[
            ("été", &["ete"]),
            ("ete", &["ete"]),
            ("cœur", &["coeur"]),
            ("Straße", &["strasse"]),
            ("l'eau", &["l'eau"]),
            ("ÉTÉ", &["ete"]),
        ],
        blanks: true,
    },
    Script {
        words: &[
            ("東京", &["東", "京"]),
            ("京", &["京"]),
            ("へ", &["へ"]),
            ("行く", &["行", "く"]),
            ("ロボット", &["ロ", "ボ", "ッ", "ト"]),
            ("カメラ", &["カ", "メ", "ラ"]),
        ],
        blanks: false,
    },
    Script {
        words: &[
            ("مرحبا", &["مرحبا"]),
            ("صديق", &["صديق"]),
            ("يا", &["يا"]),
            ("كيف", &["كيف"]),
            ("حالك", &["حالك"]),
            ("٥", &["٥"]),
        ],
        blanks: true,
    },
];

impl Script {
    pub(super) fn written(&self, word: usize) -> &'static str {
        self.words[word % self.words.len()].0
    }

    /// What is compared of a word.
    pub(super) fn compared(&self, word: usize) -> &'static [&'static str] {
        self.words[word % self.words.len()].1
    }
}

/// A sentence to match with.
pub(super) struct Heard<'a> {
    pub(super) script: &'a Script,
    pub(super) words: &'a [&'a str],
    pub(super) concepts: &'a [Vec<Pattern>],
}

impl Heard<'_> {
    /// Where a pattern can end that begins at a place.
    fn ends(&self, pattern: &Pattern, at: usize) -> BTreeSet<usize> {
        let any = |patterns: &[Pattern]| patterns.iter().flat_map(|one| self.ends(one, at)).collect::<BTreeSet<_>>();
        match pattern {
            Pattern::Word(word) => {
                let parts = self.script.compared(*word);
                let same = self.words.get(at..at + parts.len()).is_some_and(|words| words == parts);
                same.then_some(at + parts.len()).into_iter().collect()
            }
            Pattern::Phrase(patterns) => self.sequence(patterns, at),
            Pattern::Choice(patterns) => any(patterns),
            Pattern::Optional(patterns) => any(patterns).into_iter().chain([at]).collect(),
            Pattern::Any => (at + 1..=self.words.len()).collect(),
            Pattern::Capture(inner) => self.ends(inner, at),
            Pattern::Concept(n) => {
                let items = self.concepts.get(*n).map_or(&[][..], Vec::as_slice);
                any(items).into_iter().filter(|end| *end > at).collect()
            }
            Pattern::Not(word) => {
                let said = (0..self.words.len()).any(|at| !self.ends(&Pattern::Word(*word), at).is_empty());
                (!said).then_some(at).into_iter().collect()
            }
        }
    }

    fn sequence(&self, patterns: &[Pattern], at: usize) -> BTreeSet<usize> {
        patterns.iter().fold(BTreeSet::from([at]), |places, pattern| {
            places.into_iter().flat_map(|at| self.ends(pattern, at)).collect()
        })
    }

    /// Whether a pattern takes words anywhere in the sentence; all of them if it is exact.
    pub(super) fn matches(&self, patterns: &[Pattern], exact: bool) -> bool {
        let all = self.words.len();
        (0..all).any(|start| {
            let ends = self.sequence(patterns, start);
            if exact { start == 0 && ends.contains(&all) } else { ends.into_iter().any(|end| end > start) }
        })
    }
}
