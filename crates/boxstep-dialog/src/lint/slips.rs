//! Signs that are usual elsewhere and mean something else in a topic.

use super::uses::{self, Where};
use crate::codes;
use crate::functions::function_named;
use crate::topic::{Condition, Item, ItemKind, Topic, walk};
use boxstep_types::{Code, Diagnostic, Span};

pub(super) fn check(topic: &Topic, found: &mut Vec<Diagnostic>) {
    for rule in &topic.rules {
        found.extend(
            rule.output.iter().enumerate().filter_map(|(n, item)| rule_in_answer(item, rule.output.get(n + 1))),
        );
    }
    uses::lists(topic, &mut |items, of, at| {
        found.extend(items.windows(2).filter_map(|pair| pair_of(&pair[0], &pair[1])));
        if let Some(list) = of.filter(|of| matches!(of.kind, ItemKind::Choice(_) | ItemKind::Optional(_))) {
            found.extend(single_quotes(items));
            found.extend(bar(topic, list));
            found.extend(items.iter().filter(|_| at == Where::Output).filter_map(comma));
        }
    });
    uses::items(topic, &mut |item, at| {
        if let ItemKind::Condition(condition) = &item.kind {
            found.extend(never_true(topic, item, condition, at));
        }
    });
}

fn warning(code: Code, at: Span, message: String, help: &str) -> Diagnostic {
    Diagnostic::warning(code, message).help(help).at(at)
}

fn text(item: &Item) -> Option<&str> {
    match &item.kind {
        ItemKind::Text(text) => Some(text),
        _ => None,
    }
}

/// `u:(hello) hi u1:(yes) good`
fn rule_in_answer(item: &Item, next: Option<&Item>) -> Option<Diagnostic> {
    let (keyword, behind) = text(item)?.split_once(':')?;
    let is_rule = matches!(keyword.as_bytes(), b"u" | [b'u' | b'c' | b'e', b'1'..=b'9']);
    let bracket = if behind.is_empty() { next.and_then(text)? } else { behind };
    (is_rule && bracket.starts_with('(')).then(|| {
        let message = format!("`{keyword}:(` stands in an answer, so the robot says it");
        warning(codes::NOT_A_RULE, item.span, message, "a rule begins on a line of its own")
    })
}

/// `e:key==1` and `^ first[…]`
fn pair_of(one: &Item, other: &Item) -> Option<Diagnostic> {
    let behind = text(other)?;
    let span = Span { end: other.span.end, ..one.span };
    match &one.kind {
        ItemKind::Event(key) if !other.spaced && behind.starts_with(['=', '<', '>', '!']) => {
            let message = format!("`e:{key}{behind}` is no condition: it needs the event, and then these words");
            let help = format!("a condition stands beside the event: `e:{key} ${key}{behind}`");
            Some(warning(codes::NEVER_MATCHES, span, message, &help))
        }
        ItemKind::Text(sign) if &**sign == "^" && other.spaced => {
            let name = function_named(behind)?.name;
            let message = format!("`^` stands alone: a blank is between it and `{name}`");
            Some(warning(codes::UNKNOWN_FUNCTION, span, message, &format!("write `^{name}`")))
        }
        _ => None,
    }
}

/// `['two words' more]`
fn single_quotes(items: &[Item]) -> Option<Diagnostic> {
    let is = |item: &Item, first: bool| {
        text(item).is_some_and(|text| text.starts_with('\'') == first && text.ends_with('\'') != first)
    };
    let first = items.iter().position(|item| is(item, true))?;
    let last = items.iter().skip(first).find(|item| is(item, false))?;
    let span = Span { end: last.span.end, ..items[first].span };
    let message = "`'` groups no words: each of these is an alternative".to_owned();
    Some(warning(codes::UNBALANCED, span, message, "words that belong together: `[\"two words\" more]`"))
}

/// `[one|other]`
fn bar(topic: &Topic, list: &Item) -> Option<Diagnostic> {
    let mut at: Option<Span> = None;
    walk(std::slice::from_ref(list), &mut |item| {
        if text(item).is_some_and(|text| text.contains('|') && !text.contains(":|")) {
            at.get_or_insert(item.span);
        }
    });
    // The innermost list tells of it.
    let is_inner = |item: &Item| matches!(item.kind, ItemKind::Choice(_) | ItemKind::Optional(_));
    let span = at?;
    let mut inner = 0;
    walk(list.inner(), &mut |item| {
        inner += usize::from(is_inner(item) && item.span.start <= span.start && span.end <= item.span.end);
    });
    let message = format!("`|` separates nothing in `{}`", topic.sources.slice(span));
    (inner == 0)
        .then(|| warning(codes::NOT_A_RULE, span, message, "a blank separates the items of a list: `[one other]`"))
}

/// `["one", "two"]` in an answer.
fn comma(item: &Item) -> Option<Diagnostic> {
    let is_comma =
        |item: &Item| text(item).is_some_and(|text| !text.is_empty() && text.chars().all(|c| matches!(c, ',' | ';')));
    let lone = match &item.kind {
        ItemKind::Phrase(items) => match items.as_slice() {
            [Item { kind: ItemKind::Phrase(_), .. }, last] if !last.spaced => last,
            _ => return None,
        },
        _ => item,
    };
    is_comma(lone).then(|| {
        let message = "the comma is a part of this answer: it separates no items".to_owned();
        warning(codes::NOT_A_RULE, lone.span, message, "a blank separates the items of a list: `[\"one\" \"two\"]`")
    })
}

/// `$name</b>`, `$1>`: only numbers are less or greater.
fn never_true(topic: &Topic, item: &Item, condition: &Condition, at: Where) -> Option<Diagnostic> {
    use crate::topic::Comparison::{Equal, Unequal};
    if matches!(condition.comparison, Equal | Unequal) {
        return None;
    }
    let mut value = String::new();
    for part in &condition.value {
        match &part.kind {
            ItemKind::Text(text) => value += text,
            ItemKind::Phrase(items) => value += items.iter().map(text).collect::<Option<Vec<_>>>()?.join(" ").as_str(),
            _ => return None,
        }
    }
    if value.trim().parse::<f64>().is_ok() {
        return None;
    }
    let message = format!(
        "`{}` is a condition that is never true: only numbers are less or greater",
        topic.sources.slice(item.span)
    );
    let help = match at {
        Where::Output => "in an answer, words must stand between a variable and `<` or `>`",
        _ => "compare with a number, or by `==` and `<>`",
    };
    Some(warning(codes::NEVER_MATCHES, item.span, message, help))
}
