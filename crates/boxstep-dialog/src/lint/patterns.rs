//! Inputs that never match, and those that always do; quotation marks that probably stand at a wrong place.

use super::uses::{self, Uses, Where};
use super::{Known, any};
use crate::codes;
use crate::matching::{Book, LONGEST_PROGRAM};
use crate::topic::{Arguments, Call, Concept, Item, ItemKind, Rule, RuleKind, Topic};
use crate::words::{self, LONGEST_SENTENCE, stands_alone};
use boxstep_types::{Diagnostic, Span};
use smol_str::SmolStr;
use std::collections::BTreeSet;

pub(super) fn check(topic: &Topic, known: &Known, uses: &Uses, found: &mut Vec<Diagnostic>) {
    let without_items = empty_concepts(topic, known, uses);
    let empty = |name: &str| without_items.contains(name);
    for rule in &topic.rules {
        let is_heard = matches!(rule.kind, RuleKind::User | RuleKind::Sub(_) | RuleKind::Beside);
        let Some(input) = rule.input.as_ref().filter(|_| is_heard && !is_broken(topic, rule)) else { continue };
        if let Some(finding) = never(rule, input, &empty) {
            // A rule that only `^goto` leads to.
            if !uses.goes_to(topic, known, &uses::tags(&rule.output)) {
                found.push(finding.at(rule.head));
            }
        } else if input.iter().all(may_be_nothing) {
            let message =
                "all of this input is optional: a robot may answer any sentence by it, Boxstep one with these words";
            let finding = Diagnostic::warning(codes::ALWAYS_MATCHES, message);
            found.push(finding.help("a choice needs one of its items: `[a b]`; `u:(*)` takes any words").at(rule.head));
        }
    }
    // One mark at a wrong place moves the next ones.
    let mut lines = BTreeSet::new();
    uses::items(topic, &mut |item, at| match &item.kind {
        ItemKind::Choice(items) if at != Where::Output => {
            let option = |item: &&Item| matches!(&item.kind, ItemKind::Optional(_));
            if let Some(option) = items.iter().find(option) {
                let message = "a choice with an optional item needs none of its words, so it always matches";
                let finding = Diagnostic::warning(codes::ALWAYS_MATCHES, message);
                let help = "write `{a b}` for words that may be left out; `[\"{very} good\" fine]` for words within an \
                            alternative";
                found.push(finding.help(help).at(option.span));
            }
        }
        ItemKind::Phrase(_) => {
            if let Some((finding, at)) = misplaced_quote(topic, item)
                && lines.insert(topic.sources.line(topic.file, at))
            {
                found.push(finding.at(Span { start: at, end: at + 1, ..item.span }));
            }
        }
        _ => {}
    });
}

/// Whether an error stands in a rule: what it matches is not known then.
fn is_broken(topic: &Topic, rule: &Rule) -> bool {
    let inside = |span: Span| rule.span.start <= span.start && span.start < rule.span.end;
    topic.is_broken() && topic.problems.iter().any(|problem| problem.span.is_some_and(inside))
}

/// The concepts that are defined and have no items, and to which nothing can give any.
fn empty_concepts<'t>(topic: &'t Topic, known: &Known, uses: &Uses) -> BTreeSet<&'t str> {
    let is_empty = |concept: &&Concept| crate::concepts::alternatives(&concept.items).is_empty();
    let (empty, others): (Vec<&Concept>, Vec<&Concept>) = topic.concepts.iter().partition(is_empty);
    let mut names: BTreeSet<&str> = empty.into_iter().map(|concept| &*concept.name.text).collect();
    for filled in others.into_iter().map(|concept| &concept.name).chain(&topic.dynamics) {
        names.remove(&*filled.text);
    }
    names.retain(|name| !known.concepts.contains(*name) && !uses.filled.contains(*name));
    names
}

/// Returns the finding about an input that no sentence and no event can match.
fn never(rule: &Rule, input: &[Item], empty: &dyn Fn(&str) -> bool) -> Option<Diagnostic> {
    let finding = |message: String| Diagnostic::warning(codes::NEVER_MATCHES, message);
    if let Some(name) = input.iter().find_map(|item| needs_empty(item, empty)) {
        let message = format!("the rule never matches: it needs `~{name}`, a concept without items");
        return Some(finding(message).help(format!("give it items, or write `dynamic:{name}`")));
    }
    if let Some(word) = forbids_itself(input) {
        let message = format!("the rule never matches: it needs `{word}`, and `!` forbids it");
        return Some(finding(message).help("`!` concerns the whole sentence, wherever it stands"));
    }
    if let Some(why) = too_long(rule, input) {
        return Some(finding(format!("the rule never matches: {why}")).help("several rules may have parts of it"));
    }
    if input.iter().any(takes) {
        return None;
    }
    let has_condition = any(input, &|kind| matches!(kind, ItemKind::Condition(_)));
    let has_words = any(input, &|kind| matches!(kind, ItemKind::Not(_)));
    let keyword = rule.kind.keyword();
    Some(if has_condition {
        let message = "the rule never matches: a condition needs words or an event beside it";
        finding(message.to_owned()).help(format!("`{keyword}:(e:event $key==value)`"))
    } else if has_words {
        let message = "the rule never matches: `!` needs other words beside it";
        finding(message.to_owned()).help(format!("`{keyword}:(* !word)`"))
    } else {
        let message = "the rule never matches: its input has no words";
        finding(message.to_owned()).help("write the words, or a tag into the answer for `^goto`")
    })
}

/// Why no sentence is long enough for an input, or why it is not compared.
fn too_long(rule: &Rule, input: &[Item]) -> Option<String> {
    let words = input.iter().map(fewest_words).fold(0, usize::saturating_add);
    if words > LONGEST_SENTENCE {
        return Some(format!("it needs {words} words, and of a sentence {LONGEST_SENTENCE} are heard"));
    }
    // A step has a sign at least; `^repeat[…]` has up to ten for each.
    let may_be = (rule.head.end - rule.head.start) as usize > LONGEST_PROGRAM / 10;
    let is = may_be && Book::of_input(input, None).1.is_none();
    is.then(|| format!("its input has more than {LONGEST_PROGRAM} steps"))
}

/// The fewest words that an item takes.
fn fewest_words(item: &Item) -> usize {
    match &item.kind {
        ItemKind::Text(text) => words::words(text).len(),
        ItemKind::Phrase(items) => items.iter().map(fewest_words).fold(0, usize::saturating_add),
        ItemKind::Choice(items) => items.iter().map(fewest_words).min().unwrap_or(0),
        ItemKind::Capture(item) => fewest_words(item),
        ItemKind::Any | ItemKind::Concept(_) | ItemKind::Variable(_) => 1,
        _ => 0,
    }
}

/// A word that an input both needs and forbids.
fn forbids_itself(input: &[Item]) -> Option<SmolStr> {
    let mut needed = BTreeSet::new();
    let mut open: Vec<&Item> = input.iter().collect();
    let mut forbidden = Vec::new();
    while let Some(item) = open.pop() {
        match &item.kind {
            ItemKind::Text(text) => needed.extend(words::words(text).into_iter().map(|heard| heard.word)),
            ItemKind::Phrase(items) => open.extend(items),
            ItemKind::Capture(item) => open.push(item),
            ItemKind::Not(item) => forbidden.push(item),
            _ => {}
        }
    }
    // A phrase of several words is forbidden as a whole.
    let mut single = forbidden.into_iter().flat_map(|item| match &item.kind {
        ItemKind::Choice(items) => items.as_slice(),
        _ => std::slice::from_ref(&**item),
    });
    single.find_map(|item| match &item.kind {
        ItemKind::Text(text) => match words::words(text).as_slice() {
            [one] => needed.get(&one.word).cloned(),
            _ => None,
        },
        _ => None,
    })
}

/// The empty concept that an item cannot do without.
fn needs_empty<'i>(item: &'i Item, empty: &dyn Fn(&str) -> bool) -> Option<&'i str> {
    match &item.kind {
        ItemKind::Concept(name) => empty(name).then_some(name),
        ItemKind::Phrase(items) => items.iter().find_map(|item| needs_empty(item, empty)),
        ItemKind::Capture(item) => needs_empty(item, empty),
        ItemKind::Choice(items) => {
            let needs: Option<Vec<&str>> = items.iter().map(|item| needs_empty(item, empty)).collect();
            needs?.first().copied()
        }
        _ => None,
    }
}

/// Whether an item may take words or an event.
fn takes(item: &Item) -> bool {
    match &item.kind {
        ItemKind::Text(text) => !words::words(text).is_empty(),
        ItemKind::Any | ItemKind::Concept(_) | ItemKind::Variable(_) | ItemKind::Event(_) => true,
        ItemKind::Phrase(items) | ItemKind::Choice(items) | ItemKind::Optional(items) => items.iter().any(takes),
        ItemKind::Capture(item) => takes(item),
        ItemKind::Call(Call { arguments: Arguments::Items(items), .. }) => items.iter().any(takes),
        // `^empty`, and guards of which nothing is known.
        ItemKind::Call(call) => !matches!(call.lower().as_str(), "exact" | "lesspriority" | "empty"),
        _ => false,
    }
}

/// Whether an item is satisfied by nothing at all.
fn may_be_nothing(item: &Item) -> bool {
    match &item.kind {
        ItemKind::Optional(_) => true,
        ItemKind::Text(text) => words::words(text).is_empty(),
        ItemKind::Phrase(items) => items.iter().all(may_be_nothing),
        ItemKind::Capture(item) => may_be_nothing(item),
        _ => false,
    }
}

/// Returns the finding about a quotation mark directly beside a letter, and where it stands.
fn misplaced_quote(topic: &Topic, item: &Item) -> Option<(Diagnostic, u32)> {
    let text = topic.text();
    let (start, end) = (item.span.start as usize, item.span.end as usize);
    let inside = text.get(start..end)?;
    if !inside.starts_with('"') || !inside.ends_with('"') || inside.len() < 2 {
        return None;
    }
    let is_letter = |c: char| c.is_alphanumeric() && !stands_alone(c);
    let before = text[..start].chars().next_back().filter(|c| is_letter(*c));
    let after = text[end..].chars().next().filter(|c| is_letter(*c) || *c == '~');
    let (message, at) = match (before, after) {
        (Some(c), _) => (format!("a quotation mark opens directly behind `{c}`"), start as u32),
        (None, Some(c)) => (format!("a quotation mark closes directly before `{c}`"), end as u32 - 1),
        (None, None) => return None,
    };
    let finding = Diagnostic::warning(codes::UNBALANCED, message);
    let help = "a blank, or the other mark of a pair, is probably missing";
    Some((finding.help(help), at))
}
