//! Random topics, and what can be known of their answers without the real matcher.

use super::naive::{Heard, Pattern, SCRIPTS, Script};
use proptest::prelude::*;
use std::fmt::Write as _;

/// A rule.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    pub(super) level: usize,
    pub(super) private: bool,
    pub(super) recover: bool,
    pub(super) exact: bool,
    pub(super) less: bool,
    /// The value that `$x` must have.
    pub(super) condition: Option<i64>,
    /// Whether it has the tag `t`, which is off in some topics.
    pub(super) tag: bool,
    pub(super) pattern: Vec<Pattern>,
    /// What the answer has beside its words.
    pub(super) effect: &'static str,
}

/// A topic.
#[derive(Clone, Debug)]
pub(super) struct Topic {
    pub(super) name: String,
    pub(super) property: &'static str,
    pub(super) tag_off: bool,
    pub(super) rules: Vec<Rule>,
}

/// Topics, the concepts of the first one, and sentences.
#[derive(Clone, Debug)]
pub(super) struct Case {
    pub(super) script: usize,
    pub(super) topics: Vec<Topic>,
    pub(super) concepts: Vec<Vec<Pattern>>,
    pub(super) sentences: Vec<Sentence>,
    pub(super) seed: u64,
}

/// A sentence, and how it is written.
#[derive(Clone, Debug)]
pub(super) struct Sentence {
    /// Words of the script; its length stands for a word that no topic has.
    pub(super) words: Vec<usize>,
    pub(super) upper: bool,
    pub(super) mark: &'static str,
    /// The value that `$x` is given before.
    pub(super) x: Option<i64>,
}

pub(super) const CONCEPTS: usize = 3;

fn word() -> impl Strategy<Value = usize> {
    0..6_usize
}

/// A pattern; `concepts` is the first concept that may be named. Patterns of concepts have no captures.
fn pattern(concepts: usize, of_rule: bool) -> BoxedStrategy<Pattern> {
    let named = (concepts..CONCEPTS + 1).prop_map(Pattern::Concept);
    let leaf = prop_oneof![
        8 => word().prop_map(Pattern::Word),
        2 => Just(Pattern::Any),
        2 => named,
        u32::from(of_rule) => word().prop_map(Pattern::Not),
    ];
    leaf.prop_recursive(3, 24, 8, move |inner| {
        let list = |most| prop::collection::vec(inner.clone(), 1..most);
        prop_oneof![
            3 => list(9).prop_map(Pattern::Choice),
            2 => list(4).prop_map(Pattern::Optional),
            2 => list(4).prop_map(Pattern::Phrase),
            3 * u32::from(of_rule) => inner.clone().prop_map(|inner| Pattern::Capture(Box::new(inner))),
        ]
    })
    .boxed()
}

fn rule() -> impl Strategy<Value = Rule> {
    let flag = prop::bool::weighted;
    let flags = (flag(0.1), flag(0.05), flag(0.15), flag(0.1), flag(0.15));
    let condition = prop_oneof![6 => Just(None), 1 => (0..2_i64).prop_map(Some)];
    let effect = prop::sample::select(vec![
        "",
        "",
        "",
        "",
        " ^stayInScope",
        " {a b}",
        " [c d]",
        " ^rand[e f]",
        " $y=1",
        " ^nextProposal",
        " ^releaseFocus",
    ]);
    let literal = prop::collection::vec(word().prop_map(Pattern::Word), 1..4);
    let patterns = prop_oneof![1 => literal, 2 => prop::collection::vec(pattern(0, true), 1..4)];
    (0..3_usize, flags, condition, patterns, effect).prop_map(
        |(level, (private, recover, exact, less, tag), condition, pattern, effect)| Rule {
            level,
            private,
            recover,
            exact,
            less,
            condition,
            tag,
            pattern,
            effect,
        },
    )
}

fn topic() -> impl Strategy<Value = Topic> {
    let property = prop::sample::select(vec!["", "", "", "^noStay", "^fallback"]);
    (property, any::<bool>(), prop::collection::vec(rule(), 1..12)).prop_map(|(property, tag_off, mut rules)| {
        let (mut level, mut recover) = (0, false);
        for (n, rule) in rules.iter_mut().enumerate() {
            // The section behind `recover:` begins with a rule of its own.
            let begins = rule.recover && !recover;
            recover |= rule.recover;
            rule.recover = recover;
            let most = if n == 0 || begins { 0 } else { level + 1 };
            rule.level = rule.level.min(most);
            level = rule.level;
        }
        Topic { name: String::new(), property, tag_off, rules }
    })
}

fn sentence() -> impl Strategy<Value = Sentence> {
    let mark = prop::sample::select(vec!["", "", "?", "!", "…", "."]);
    let x = prop_oneof![3 => Just(None), 1 => (0..2_i64).prop_map(Some)];
    (prop::collection::vec(0..7_usize, 0..7), any::<bool>(), mark, x).prop_map(|(words, upper, mark, x)| Sentence {
        words,
        upper,
        mark,
        x,
    })
}

pub(super) fn case() -> impl Strategy<Value = Case> {
    let concepts: Vec<_> = (0..CONCEPTS).map(|n| prop::collection::vec(pattern(n + 1, false), 1..9)).collect();
    let talk = prop::collection::vec((sentence(), any::<prop::sample::Index>(), any::<bool>()), 1..16);
    (0..SCRIPTS.len(), prop::collection::vec(topic(), 1..4), concepts, talk, any::<u64>()).prop_map(
        |(script, mut topics, concepts, talk, seed)| {
            topics.iter_mut().enumerate().for_each(|(n, topic)| topic.name = format!("t{n}"));
            let rules: Vec<&Rule> = topics.iter().flat_map(|topic| &topic.rules).collect();
            let sentences = talk.into_iter().map(|(mut sentence, rule, fits)| {
                if fits {
                    // What the rule wants to hear, with the first word of noise before it, sometimes.
                    let noise = sentence.words.len();
                    let mut wanted = Vec::new();
                    want(&rule.get(&rules).pattern, &concepts, noise, &mut wanted);
                    sentence.words.truncate(noise % 3 / 2);
                    sentence.words.extend(wanted.into_iter().take(12));
                }
                sentence
            });
            let sentences = sentences.collect();
            Case { script, sentences, topics, concepts, seed }
        },
    )
}

/// Words that a pattern may take.
fn want(patterns: &[Pattern], concepts: &[Vec<Pattern>], pick: usize, found: &mut Vec<usize>) {
    let one = |list: &[Pattern], found: &mut Vec<usize>| {
        if let Some(item) = list.get(pick % list.len().max(1)) {
            want(std::slice::from_ref(item), concepts, pick, found);
        }
    };
    for pattern in patterns {
        match pattern {
            Pattern::Word(word) => found.push(*word),
            Pattern::Any => found.extend(std::iter::repeat_n(6, 1 + pick % 2)),
            Pattern::Not(_) => {}
            Pattern::Capture(inner) => want(std::slice::from_ref(inner), concepts, pick, found),
            Pattern::Phrase(list) => want(list, concepts, pick, found),
            Pattern::Choice(list) => one(list, found),
            Pattern::Optional(list) if pick.is_multiple_of(2) => one(list, found),
            Pattern::Optional(_) => {}
            Pattern::Concept(n) => one(concepts.get(*n).map_or(&[], Vec::as_slice), found),
        }
    }
}

impl Case {
    pub(super) fn script(&self) -> &'static Script {
        &SCRIPTS[self.script]
    }

    /// The text of a topic, and the line of each rule.
    pub(super) fn text(&self, n: usize) -> (String, Vec<u32>) {
        let topic = &self.topics[n];
        let mut text = format!("topic: ~{} {} ()\nlanguage: English\n", topic.name, topic.property);
        if n == 0 {
            for (n, items) in self.concepts.iter().enumerate() {
                writeln!(text, "concept:(k{n}) [{}]", self.written(items, false)).unwrap();
            }
        }
        let mut lines = Vec::new();
        let mut recover = false;
        for (n, rule) in topic.rules.iter().enumerate() {
            if rule.recover && !recover {
                text.push_str("recover:\n");
                recover = true;
            }
            lines.push(text.lines().count() as u32 + 1);
            let kind = if rule.level == 0 { "u".to_owned() } else { format!("u{}", rule.level) };
            let private = if rule.private { "^private" } else { "" };
            let mut input = self.written(&rule.pattern, false);
            for (has, sign) in [(rule.exact, "^exact"), (rule.less, "^lessPriority"), (rule.tag, "%t")] {
                if has {
                    write!(input, " {sign}").unwrap();
                }
            }
            if let Some(value) = rule.condition {
                write!(input, " $x=={value}").unwrap();
            }
            writeln!(text, "{kind}:{private}({input}) r{n}{}", rule.effect).unwrap();
        }
        text.push_str("proposal: more\nproposal: even more\n");
        (text, lines)
    }

    fn written(&self, patterns: &[Pattern], in_phrase: bool) -> String {
        patterns.iter().map(|pattern| self.written_one(pattern, in_phrase)).collect::<Vec<_>>().join(" ")
    }

    fn written_one(&self, pattern: &Pattern, in_phrase: bool) -> String {
        match pattern {
            Pattern::Word(word) => self.script().written(*word).to_owned(),
            // A quotation mark closes a phrase, so there is none directly in another.
            Pattern::Phrase(list) if in_phrase => format!("[\"{}\"]", self.written(list, true)),
            Pattern::Phrase(list) => format!("\"{}\"", self.written(list, true)),
            Pattern::Choice(list) => format!("[{}]", self.written(list, false)),
            Pattern::Optional(list) => format!("{{{}}}", self.written(list, false)),
            Pattern::Any => "*".to_owned(),
            // Nothing is captured of a word that is not said, and nothing twice.
            Pattern::Capture(inner) if matches!(**inner, Pattern::Not(_) | Pattern::Capture(_)) => {
                self.written_one(inner, in_phrase)
            }
            Pattern::Capture(inner) => format!("_{}", self.written_one(inner, in_phrase)),
            Pattern::Concept(n) => format!("~k{n}"),
            Pattern::Not(word) => format!("!\"{}\"", self.script().written(*word)),
        }
    }

    /// A sentence as it is said.
    pub(super) fn said(&self, sentence: &Sentence) -> String {
        let words: Vec<&str> = sentence.words.iter().map(|word| self.word(*word)).collect();
        let text = words.join(if self.script().blanks { " " } else { "" });
        // An upper-case ß is two letters, which is another word where accents count.
        let text = if sentence.upper && !text.contains('ß') { text.to_uppercase() } else { text };
        format!("{text}{}", sentence.mark)
    }

    fn word(&self, word: usize) -> &'static str {
        if word >= self.script().words.len() { "zzz" } else { self.script().written(word) }
    }

    /// The words of a sentence that are compared.
    pub(super) fn compared(&self, sentence: &Sentence) -> Vec<&'static str> {
        let unknown: &[&str] = &["zzz"];
        let parts = |word: &usize| {
            if *word >= self.script().words.len() { unknown } else { self.script().compared(*word) }
        };
        let mut words: Vec<&str> = Vec::new();
        let mut before = None;
        for word in &sentence.words {
            // Two unknown words without a blank between them are one.
            let joined = !self.script().blanks && *word >= self.script().words.len() && before == Some(*word);
            before = Some(*word);
            if joined {
                words.pop();
                words.push("zzzzzz");
            } else {
                words.extend(parts(word));
            }
        }
        words
    }

    /// Whether a rule matches a sentence, by the naive matcher.
    pub(super) fn matches(&self, topic: usize, rule: &Rule, words: &[&str], x: Option<i64>) -> bool {
        let heard = Heard { script: self.script(), words, concepts: &self.concepts };
        let condition = rule.condition.is_none_or(|wanted| x == Some(wanted));
        let tag = !(rule.tag && self.topics[topic].tag_off);
        condition && tag && heard.matches(&rule.pattern, rule.exact)
    }

    /// The rule above a sub-rule.
    pub(super) fn parent(&self, topic: usize, rule: usize) -> Option<usize> {
        let rules = &self.topics[topic].rules;
        let level = rules[rule].level;
        if level == 0 { None } else { rules[..rule].iter().rposition(|above| above.level == level - 1) }
    }

    /// How many words a rule takes that has nothing but words.
    pub(super) fn length(&self, rule: &Rule) -> Option<usize> {
        let length = |pattern: &Pattern| match pattern {
            Pattern::Word(word) => Some(self.script().compared(*word).len()),
            _ => None,
        };
        rule.pattern.iter().map(length).sum()
    }
}
