//! Topics of dialogs: a tree of their rules, and the difference of two.

use crate::tree::{Item, print};
use boxstep_dialog::Topic;
use boxstep_dialog::topic::{PartKind, Rule, RuleKind};
use boxstep_types::Span;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write as _;

/// The longest answer that a line of the tree shows, in characters.
const LONGEST: usize = 60;

/// Formats a topic as a tree: what it includes and defines, then its rules with their lines; sub-rules stand below the
/// rule that opens them.
pub fn topic_tree(topic: &Topic) -> String {
    let language = topic.language.as_ref().map_or("no language", |word| &word.text);
    let properties: String = topic.properties.iter().map(|p| format!(" ^{}", p.text)).collect();
    let mut top = Item::new(format!("{}{properties}, {language}: {}", topic.name(), counts(topic)));
    let mut add = |text: String| top.children.push(Item::new(text));
    topic.includes.iter().for_each(|file| add(format!("include {}", file.text)));
    for concept in &topic.concepts {
        let text = flat(topic.sources.slice(concept.span));
        add(shortened(&text));
    }
    topic.dynamics.iter().for_each(|name| add(format!("dynamic:{}", name.text)));
    for definition in &topic.definitions {
        add(shortened(&flat(topic.sources.slice(definition.span))));
    }
    let mut recover: Option<Item> = None;
    for (n, rule) in topic.rules.iter().enumerate().filter(|(_, rule)| rule.parent.is_none()) {
        let item = rule_item(topic, n);
        if rule.recover {
            recover.get_or_insert_with(|| Item::new("recover:")).children.push(item);
        } else {
            top.children.push(item);
        }
    }
    top.children.extend(recover);
    print(&top)
}

fn rule_item(topic: &Topic, n: usize) -> Item {
    let rule = &topic.rules[n];
    let mut item = Item::new(format!("{}  {}  {}", topic.line(n), topic.head(n), shortened(&answer(topic, rule))));
    // A sub-rule stands behind its parent, so this comes to an end.
    item.children.extend(rule.children.iter().map(|child| rule_item(topic, *child)));
    item
}

fn counts(topic: &Topic) -> String {
    let count = |is: &dyn Fn(&Rule) -> bool| topic.rules.iter().filter(|rule| is(rule)).count();
    let numbers = [
        (count(&|rule| rule.kind == RuleKind::User), "rule"),
        (count(&|rule| rule.kind.level() > 0), "sub-rule"),
        (count(&|rule| rule.kind == RuleKind::Proposal), "proposal"),
        (topic.concepts.len() + topic.dynamics.len(), "concept"),
    ];
    let words = numbers.iter().filter(|(n, _)| *n > 0);
    let words: Vec<String> = words.map(|(n, what)| format!("{n} {what}{}", if *n == 1 { "" } else { "s" })).collect();
    if words.is_empty() { "no rules".to_owned() } else { words.join(", ") }
}

/// The answer of a rule, on one line.
fn answer(topic: &Topic, rule: &Rule) -> String {
    let (Some(first), Some(last)) = (rule.output.first(), rule.output.last()) else { return String::new() };
    let span = Span { end: last.span.end, ..first.span };
    flat(topic.sources.slice(span))
}

/// A text on one line, without comments.
fn flat(text: &str) -> String {
    let code = text.lines().map(|line| line.split('#').next().unwrap_or(line));
    code.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", text[..at].trim_end()),
        None => text.to_owned(),
    }
}

/// A statement of a topic: what it is known by, what it says, and its line.
struct Entry {
    key: String,
    text: String,
    line: u32,
    /// The statement above it among whose parts its place counts; `None` if its place has no meaning.
    within: Option<String>,
}

fn entries(topic: &Topic) -> Vec<Entry> {
    let mut found: Vec<Entry> = Vec::new();
    let mut times: HashMap<String, usize> = HashMap::new();
    for part in &topic.parts {
        let mut text = flat(topic.sources.slice(part.span));
        let mut within = None;
        let key = match &part.kind {
            PartKind::Preamble => continue,
            PartKind::Rule(n) => {
                let rule = &topic.rules[*n];
                // Blanks around the input mean nothing.
                let answer = flat(topic.sources.slice(Span { start: rule.head.end, ..part.span }));
                text = format!("{} {answer}", topic.head(*n)).trim_end().to_owned();
                // A sub-rule is known by the rules above it, too.
                let mut heads = Vec::new();
                let mut above = rule.parent;
                while let Some(parent) = above {
                    heads.push(topic.head(parent));
                    above = topic.rules[parent].parent;
                }
                heads.reverse();
                within = Some(heads.join(" / "));
                heads.push(topic.head(*n));
                heads.join(" / ")
            }
            PartKind::Header(keyword) => {
                let (word, rest) = text.split_once(':').unwrap_or((&text, ""));
                text = format!("{}:{rest}", word.trim_end());
                match &**keyword {
                    "concept" => text.split(')').next().unwrap_or(&text).to_owned(),
                    keyword => keyword.to_owned(),
                }
            }
            PartKind::Recover => {
                within = Some(String::new());
                "recover".to_owned()
            }
        };
        // Equal keys are told apart by their order.
        let times = times.entry(key.clone()).or_default();
        *times += 1;
        let key = if *times > 1 { format!("{key} ({times})") } else { key };
        found.push(Entry { key, text, line: topic.sources.line(topic.file, part.span.start), within });
    }
    found
}

/// Formats the differences of two topics: statements that are gone (`-`), new (`+`) or changed (`~`), and rules that
/// stand before or behind others than they did (`>`): of two that match, the first one answers. Blanks, comments and the
/// order of other statements do not count. Empty if there are none.
pub fn topic_diff(old: &Topic, new: &Topic) -> String {
    let (before, after) = (entries(old), entries(new));
    let by_key = |entries: &[Entry]| -> HashMap<String, usize> {
        entries.iter().enumerate().map(|(n, entry)| (entry.key.clone(), n)).collect()
    };
    let (had, has) = (by_key(&before), by_key(&after));
    let moved = moved(&before, &after, &has);
    let mut out = String::new();
    for entry in &before {
        // Writing to a string does not fail.
        let _ = match has.get(&entry.key).map(|n| &after[*n]) {
            None => writeln!(out, "- {}: {}", entry.line, entry.text),
            Some(other) if other.text != entry.text => {
                writeln!(out, "~ {}: {}\n  {}: {}", entry.line, entry.text, other.line, other.text)
            }
            Some(other) if moved.contains(&entry.key) => {
                writeln!(out, "> {}: {}\n  {}: it stands here now", entry.line, entry.text, other.line)
            }
            Some(_) => Ok(()),
        };
    }
    for entry in after.iter().filter(|entry| !had.contains_key(&entry.key)) {
        let _ = writeln!(out, "+ {}: {}", entry.line, entry.text);
    }
    out
}

/// The statements that stand before or behind others than they did; as few as possible.
fn moved(before: &[Entry], after: &[Entry], has: &HashMap<String, usize>) -> HashSet<String> {
    let mut groups: BTreeMap<&String, Vec<(usize, &String)>> = BTreeMap::new();
    for entry in before {
        let Some(within) = &entry.within else { continue };
        let new = has.get(&entry.key).copied();
        if let Some(new) = new.filter(|new| after[*new].within.as_ref() == Some(within)) {
            groups.entry(within).or_default().push((new, &entry.key));
        }
    }
    let mut moved = HashSet::new();
    for group in groups.into_values() {
        let places: Vec<usize> = group.iter().map(|(new, _)| *new).collect();
        let stay = longest_rise(&places);
        moved.extend(group.into_iter().filter(|(new, _)| stay.binary_search(new).is_err()).map(|(_, key)| key.clone()));
    }
    moved
}

/// The longest row of numbers that stand in a list in rising order.
fn longest_rise(numbers: &[usize]) -> Vec<usize> {
    // For each length the index of the smallest number that ends such a row; and what stands before each number.
    let (mut ends, mut previous): (Vec<usize>, Vec<Option<usize>>) = (Vec::new(), Vec::new());
    for (n, number) in numbers.iter().enumerate() {
        let length = ends.partition_point(|end| numbers[*end] < *number);
        previous.push(length.checked_sub(1).map(|before| ends[before]));
        match ends.get_mut(length) {
            Some(end) => *end = n,
            None => ends.push(n),
        }
    }
    let mut row: Vec<usize> =
        std::iter::successors(ends.last().copied(), |n| previous[*n]).map(|n| numbers[n]).collect();
    row.reverse();
    row
}

#[cfg(test)]
mod tests {
    use super::*;
    use boxstep_dialog::read_topic;

    const GREET: &str = "topic: ~greet()\nlanguage: enu\ninclude: lexicon_enu.top\nconcept:(drink) [tea coffee]\n\
        u:(~hello) Hi! # polite\n  What is your name?\n    u1:(_*) Nice to meet you, $1.\nproposal: Ask me\nrecover:\nu:(*) pardon\n";

    #[test]
    fn a_topic_is_a_tree_of_its_rules_with_their_lines() {
        let wanted = "\
greet, enu: 2 rules, 1 sub-rule, 1 proposal, 1 concept
├─ include lexicon_enu.top
├─ concept:(drink) [tea coffee]
├─ 5  u:(~hello)  Hi! What is your name?
│  └─ 7  u1:(_*)  Nice to meet you, $1.
├─ 8  proposal:  Ask me
└─ recover:
   └─ 10  u:(*)  pardon
";
        assert_eq!(topic_tree(&read_topic("greet.top", GREET)), wanted);
    }

    #[test]
    fn topics_differ_by_statements_and_not_by_blanks_and_comments() {
        let old = read_topic("a.top", GREET);
        let same = GREET.replace(" # polite", "").replace("    u1:(_*)", "u1: (_*)").replace("concept:", "concept :");
        assert_eq!(topic_diff(&old, &read_topic("b.top", &same)), "");
        let new = GREET.replace("Nice to meet you", "Hello").replace("proposal: Ask me\n", "") + "u:(bye) see you\n";
        let wanted = "\
~ 7: u1:(_*) Nice to meet you, $1.
  7: u1:(_*) Hello, $1.
- 8: proposal: Ask me
+ 10: u:(bye) see you
";
        assert_eq!(topic_diff(&old, &read_topic("b.top", &new)), wanted);
    }

    #[test]
    fn rules_that_stand_before_others_than_they_did_are_told() {
        let diff = |old: &str, new: &str| topic_diff(&read_topic("a.top", old), &read_topic("b.top", new));
        let one = "topic: ~t()\nlanguage: enu\nu:(a) one\n  u1:(x) sub\nu:([a b]) two\nu:(c) three\n";
        let other = "topic: ~t()\nlanguage: enu\nu:([a b]) two\nu:(a) one\n  u1:(x) sub\nu:(c) three\n";
        assert_eq!(diff(one, other), "> 3: u:(a) one\n  4: it stands here now\n");
        assert_eq!(diff(one, one), "");
        // A rule that is new or gone moves no other one; concepts have no order.
        assert_eq!(diff(one, &one.replace("u:(a)", "u:(z) new\nu:(a)")), "+ 3: u:(z) new\n");
        assert_eq!(diff("concept:(a) b\nconcept:(c) d\n", "concept:(c) d\nconcept:(a) b\n"), "");
        let behind = one.replace("u:(c)", "recover:\nu:(c)");
        let before = one.replace("u:([a b])", "recover:\nu:([a b])");
        assert_eq!(diff(&behind, &before), "> 5: u:([a b]) two\n  6: it stands here now\n");
    }
}
