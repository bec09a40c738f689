//! Concepts as lists: what a concept may say, one item after the other.

use crate::topic::{Arguments, Call, Item, ItemKind};

/// The alternatives of a concept: the items of the choice that it consists of; otherwise all its items in a row are the
/// only one.
pub(crate) fn alternatives(items: &[Item]) -> Vec<Item> {
    match items {
        [] => Vec::new(),
        [Item { kind: ItemKind::Choice(inner), .. }] => inner.clone(),
        [only] => vec![only.clone()],
        [first, ..] => {
            vec![Item { kind: ItemKind::Phrase(items.to_vec()), span: first.span, spaced: first.spaced }]
        }
    }
}

/// How many sentences an item stands for: every way through its choices and options.
pub(crate) fn ways(item: &Item, concept: &dyn Fn(&str) -> usize) -> usize {
    let sum = |items: &[Item]| items.iter().map(|item| ways(item, concept)).fold(0usize, usize::saturating_add);
    match &item.kind {
        ItemKind::Phrase(items) => items.iter().map(|item| ways(item, concept)).fold(1usize, usize::saturating_mul),
        ItemKind::Choice(items) => sum(items),
        ItemKind::Optional(items) => sum(items).saturating_add(1),
        ItemKind::Concept(name) => concept(name),
        ItemKind::Call(Call { arguments: Arguments::Items(items), .. }) => sum(items),
        _ => 1,
    }
}
