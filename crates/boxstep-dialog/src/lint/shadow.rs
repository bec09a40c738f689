//! Rules that never answer, because earlier ones match all that they match.
//!
//! Only what is certain is told. Either the inputs of two rules are the same; or the later one stands for a list of
//! sentences, and on each of them a rule that stands earlier, and that depends on nothing but words, covers every word.
//! Then it does so wherever the later rule matches, and of two rules that cover the same words the earlier one answers.

use super::uses::{self, Uses};
use super::{Known, any};
use crate::codes;
use crate::matching::{Book, NoFacts, Scratch};
use crate::topic::{Arguments, Call, Concept, Item, ItemKind, Rule, RuleKind, Topic};
use crate::words;
use boxstep_types::Diagnostic;
use smol_str::SmolStr;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A rule that stands for more sentences is not compared.
const MOST_SENTENCES: usize = 200;
/// How often rules of a topic are tried, and looked at.
const MOST_TRIALS: usize = 300_000;
const MOST_LOOKS: usize = 5_000_000;
/// How deep concepts may contain each other.
const DEEPEST: usize = 6;

pub(super) fn check(topic: &Topic, known: &Known, uses: &Uses, found: &mut Vec<Diagnostic>) {
    let mut shadows = Shadows::new(topic);
    for (n, rule) in topic.rules.iter().enumerate() {
        let Some(input) = rule.input.as_ref().filter(|_| answers(rule.kind)) else { continue };
        let Some(first) = shadows.earlier(n, rule, input) else { continue };
        // A rule that `^goto` leads to has a use.
        if uses.goes_to(topic, known, &uses::tags(&rule.output)) {
            continue;
        }
        let message = match first.as_slice() {
            [one] => {
                format!("the rule never answers: the one in line {} matches all that it matches", topic.line(*one))
            }
            more => {
                let lines: Vec<String> = more.iter().map(|rule| topic.line(*rule).to_string()).collect();
                format!("the rule never answers: those in lines {} match all that it matches", lines.join(", "))
            }
        };
        let mut finding = Diagnostic::warning(codes::SHADOWED, message);
        for rule in first.iter().take(3) {
            finding = finding.with_note(Some(topic.rules[*rule].head), "this rule comes first");
        }
        found.push(finding.help("of rules that cover the same words, the first one answers").at(rule.head));
    }
}

fn answers(kind: RuleKind) -> bool {
    matches!(kind, RuleKind::User | RuleKind::Sub(_) | RuleKind::Result(_))
}

/// Rules that are open at the same time and searched together. A private rule may be meant to come before one that is
/// not: real files have such pairs.
type Group = (RuleKind, Option<usize>, bool, bool);

fn group(rule: &Rule) -> Group {
    (rule.kind, rule.parent, rule.recover, rule.private)
}

struct Shadows<'t> {
    topic: &'t Topic,
    /// The concepts whose items are known for certain.
    concepts: BTreeMap<&'t str, &'t Concept>,
    /// The inputs so far, in a form that is the same for inputs that match the same, and the first rules with them.
    same: HashMap<(Group, String), usize>,
    book: Book,
    scratch: Scratch,
    /// The rules in the book.
    tried: BTreeSet<usize>,
    trials: usize,
    looks: usize,
}

impl<'t> Shadows<'t> {
    fn new(topic: &'t Topic) -> Self {
        let mut concepts: BTreeMap<&str, &Concept> = BTreeMap::new();
        let mut twice: BTreeSet<&str> = topic.dynamics.iter().map(|dynamic| &*dynamic.text).collect();
        for concept in &topic.concepts {
            if concepts.insert(&concept.name.text, concept).is_some() {
                twice.insert(&concept.name.text);
            }
        }
        concepts.retain(|name, concept| !twice.contains(name) && only_words(&concept.items));
        let (book, tried) = book(topic, &concepts);
        Self { topic, concepts, same: HashMap::new(), book, scratch: Scratch::default(), tried, trials: 0, looks: 0 }
    }

    /// The earlier rules that answer whenever this one would.
    fn earlier(&mut self, n: usize, rule: &Rule, input: &[Item]) -> Option<Vec<usize>> {
        let key = (group(rule), sequence(input));
        if key.1.is_empty() {
            return None;
        }
        let found = match self.same.get(&key) {
            Some(first) => Some(vec![*first]),
            None => self.by_sentences(n, rule, input),
        };
        self.same.entry(key).or_insert(n);
        found
    }

    fn by_sentences(&mut self, n: usize, rule: &Rule, input: &[Item]) -> Option<Vec<usize>> {
        if !only_words(input) || self.trials > MOST_TRIALS || self.looks > MOST_LOOKS {
            return None;
        }
        let mut sentences = self.sentences(input, 0)?;
        sentences.retain(|sentence| !sentence.is_empty());
        if sentences.is_empty() {
            return None;
        }
        let exact = has_call(input, "exact");
        let less = has_call(input, "lesspriority");
        let mut first = BTreeSet::new();
        for sentence in sentences {
            first.insert(self.first(n, rule, &sentence, exact, less)?);
        }
        Some(first.into_iter().collect())
    }

    /// The first rule before this one that covers a whole sentence.
    fn first(&mut self, n: usize, rule: &Rule, sentence: &[String], exact: bool, less: bool) -> Option<usize> {
        let sentence = self.book.vocabulary.sentence(&sentence.join(" "));
        let candidates = self.book.candidates(&sentence);
        self.looks += candidates.len();
        for at in candidates {
            let other = at.rule as usize;
            if other >= n {
                break;
            }
            let before = &self.topic.rules[other];
            if group(before) != group(rule) || !self.tried.contains(&other) {
                continue;
            }
            let Some(program) = self.book.program(at) else { continue };
            if (program.exact && !exact) || (program.less_priority && !less) {
                continue;
            }
            self.trials += 1;
            self.scratch.clear();
            let found = self.book.find(&mut self.scratch, program, &sentence, &NoFacts);
            if found.is_some_and(|found| found.literal as usize == sentence.len() && found.plain == 0) {
                return Some(other);
            }
        }
        None
    }

    /// The sentences that items stand for; `None` if they are too many.
    fn sentences(&self, items: &[Item], depth: usize) -> Option<Vec<Vec<String>>> {
        let mut all = vec![Vec::new()];
        for item in items {
            let ways = self.ways(item, depth)?;
            if all.len() * ways.len() > MOST_SENTENCES {
                return None;
            }
            if let [only] = ways.as_slice() {
                all.iter_mut().for_each(|sentence| sentence.extend_from_slice(only));
                continue;
            }
            let longer = |start: &Vec<String>| ways.iter().map(move |way| [start.as_slice(), way].concat()).collect();
            all = all.iter().flat_map::<Vec<Vec<String>>, _>(longer).collect();
        }
        Some(all)
    }

    fn ways(&self, item: &Item, depth: usize) -> Option<Vec<Vec<String>>> {
        let either = |items: &[Item]| -> Option<Vec<Vec<String>>> {
            let mut all = Vec::new();
            for item in items {
                all.extend(self.ways(item, depth)?);
            }
            (all.len() <= MOST_SENTENCES).then_some(all)
        };
        match &item.kind {
            ItemKind::Text(text) => Some(vec![words::words(text).into_iter().map(|heard| heard.word.into()).collect()]),
            ItemKind::Phrase(items) => self.sentences(items, depth),
            ItemKind::Choice(items) if items.is_empty() => Some(vec![Vec::new()]),
            ItemKind::Choice(items) => either(items),
            ItemKind::Optional(items) => {
                let mut all = either(items)?;
                all.push(Vec::new());
                Some(all)
            }
            ItemKind::Capture(item) => self.ways(item, depth),
            ItemKind::Concept(name) => match self.concepts.get(&**name) {
                Some(_) if depth >= DEEPEST => None,
                Some(concept) => {
                    let mut all = Vec::new();
                    for item in crate::concepts::alternatives(&concept.items) {
                        all.extend(self.ways(&item, depth + 1)?);
                    }
                    // An item has to take words.
                    all.retain(|way| !way.is_empty());
                    (all.len() <= MOST_SENTENCES).then_some(all)
                }
                None => Some(vec![vec![stand_in(name)]]),
            },
            ItemKind::Call(Call { arguments: Arguments::Items(items), .. }) => either(items),
            _ => Some(vec![Vec::new()]),
        }
    }
}

/// The rules that depend on nothing but words, compiled; concepts that are not known for certain are words.
fn book(topic: &Topic, concepts: &BTreeMap<&str, &Concept>) -> (Book, BTreeSet<usize>) {
    let known = |name: &str| concepts.contains_key(name);
    let mut copy = topic.clone();
    let mut tried = BTreeSet::new();
    copy.concepts.retain(|concept| known(&concept.name.text));
    for concept in &mut copy.concepts {
        concept.items = concept.items.iter().map(|item| plain(item, &known)).collect();
    }
    for (n, rule) in copy.rules.iter_mut().enumerate() {
        let input = rule.input.take().filter(|input| answers(rule.kind) && only_words(input));
        rule.input = input.map(|input| input.iter().map(|item| plain(item, &known)).collect());
        if rule.input.is_some() {
            tried.insert(n);
        }
    }
    (Book::new(std::iter::once((0, &copy)), &|_| false), tried)
}

/// A word that stands for a concept.
fn stand_in(name: &str) -> String {
    let letters: String =
        name.chars().map(|c| if c.is_alphanumeric() { c.to_string() } else { format!("x{:x}", c as u32) }).collect();
    words::words(&format!("boxstepconcept{letters}")).into_iter().map(|heard| String::from(heard.word)).collect()
}

/// An item without captures, and with words for concepts.
fn plain(item: &Item, known: &dyn Fn(&str) -> bool) -> Item {
    let all = |items: &[Item]| items.iter().map(|item| plain(item, known)).collect::<Vec<_>>();
    let kind = match &item.kind {
        ItemKind::Capture(item) => return plain(item, known),
        ItemKind::Concept(name) if !known(name) => ItemKind::Text(stand_in(name).into()),
        ItemKind::Phrase(items) => ItemKind::Phrase(all(items)),
        ItemKind::Choice(items) => ItemKind::Choice(all(items)),
        ItemKind::Optional(items) => ItemKind::Optional(all(items)),
        ItemKind::Call(Call { name, arguments: Arguments::Items(items) }) => {
            ItemKind::Call(Call { name: name.clone(), arguments: Arguments::Items(all(items)) })
        }
        other => other.clone(),
    };
    Item { kind, span: item.span, spaced: item.spaced }
}

/// Whether a pattern depends on words alone, and has no wildcards.
fn only_words(items: &[Item]) -> bool {
    !any(items, &|kind| match kind {
        ItemKind::Text(_)
        | ItemKind::Phrase(_)
        | ItemKind::Choice(_)
        | ItemKind::Optional(_)
        | ItemKind::Capture(_)
        | ItemKind::Concept(_) => false,
        ItemKind::Call(call) => {
            !matches!(call.lower().as_str(), "exact" | "lesspriority" | "rand" | "first" | "firstoptional")
        }
        _ => true,
    })
}

fn has_call(items: &[Item], name: &str) -> bool {
    any(items, &|kind| matches!(kind, ItemKind::Call(call) if call.lower() == name))
}

/// A pattern as text: the same for patterns that match the same sentences for the same reasons.
fn sequence(items: &[Item]) -> String {
    // What takes no words may stand anywhere.
    let (loose, fixed): (Vec<&Item>, Vec<&Item>) = items.iter().partition(|item| {
        matches!(item.kind, ItemKind::Condition(_) | ItemKind::Tag(_) | ItemKind::Not(_) | ItemKind::Call(_))
            && !matches!(&item.kind, ItemKind::Call(Call { arguments: Arguments::Items(_), .. }))
    });
    let mut loose: Vec<String> = loose.into_iter().map(form).collect();
    loose.sort();
    let fixed: Vec<String> = fixed.into_iter().map(form).filter(|form| !form.is_empty()).collect();
    fixed.into_iter().chain(loose).collect::<Vec<_>>().join(" ")
}

fn form(item: &Item) -> String {
    let either = |items: &[Item]| {
        let all: BTreeSet<String> = items.iter().map(form).collect();
        all.into_iter().collect::<Vec<_>>().join("|")
    };
    let text = |name: &SmolStr| name.to_string();
    match &item.kind {
        ItemKind::Text(text) => words::words(text).into_iter().map(|heard| heard.word).collect::<Vec<_>>().join(" "),
        ItemKind::Phrase(items) => sequence(items),
        ItemKind::Choice(items) => format!("[{}]", either(items)),
        ItemKind::Optional(items) => format!("{{{}}}", either(items)),
        ItemKind::Any => "*".to_owned(),
        ItemKind::Not(item) => format!("!{}", form(item)),
        ItemKind::Capture(item) => form(item),
        ItemKind::Concept(name) => format!("~{}", text(name)),
        ItemKind::Event(key) => format!("e:{}", text(key)),
        ItemKind::Condition(condition) => {
            let value: Vec<String> = condition.value.iter().map(value).collect();
            format!("${}{}\"{}\"", condition.subject, condition.comparison.sign(), value.join(" "))
        }
        ItemKind::Assign(..) | ItemKind::Voice(_) | ItemKind::Script(_) | ItemKind::Captured(_) => String::new(),
        ItemKind::Variable(key) => format!("${}", text(key)),
        ItemKind::Tag(name) => format!("%{}", text(name)),
        ItemKind::Call(call) => match &call.arguments {
            Arguments::Items(items) => format!("^{}[{}]", call.lower(), either(items)),
            Arguments::List(list) => {
                let list: Vec<&str> = list.iter().map(|argument| &*argument.text.text).collect();
                format!("^{}({})", call.lower(), list.join(","))
            }
            Arguments::None => format!("^{}", call.lower()),
        },
    }
}

/// A value as it is written: case and punctuation matter in comparisons.
fn value(item: &Item) -> String {
    match &item.kind {
        ItemKind::Text(text) => text.to_string(),
        ItemKind::Phrase(items) => items.iter().map(value).collect::<Vec<_>>().join(" "),
        _ => form(item),
    }
}
