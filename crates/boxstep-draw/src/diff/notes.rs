//! The changes of one box while they are collected. Values are compared, not their displayed texts.

use super::{At, Change, Kind, What};
use crate::scene::Spot;
use std::collections::{HashMap, VecDeque};
use std::fmt::Debug;
use std::hash::Hash;

/// Indices of an item in the old and the new list.
pub(super) type Pair = (Option<usize>, Option<usize>);

/// A number that is compared bit by bit, so that NaN equals itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exact(pub(super) f64);

impl PartialEq for Exact {
    fn eq(&self, other: &Self) -> bool {
        self.0.to_bits() == other.0.to_bits()
    }
}

pub(super) struct Notes {
    pub(super) path: String,
    pub(super) was: Option<String>,
    pub(super) at: At,
    /// The element that the following changes concern, in both drawings.
    pub(super) spots: (Option<Spot>, Option<Spot>),
    pub(super) found: Vec<Change>,
}

impl Notes {
    pub(super) fn push(
        &mut self,
        kind: Kind,
        what: What,
        name: impl Into<String>,
        before: Option<String>,
        after: Option<String>,
    ) {
        self.found.push(Change {
            kind,
            what,
            path: self.path.clone(),
            was: self.was.clone(),
            name: name.into(),
            before,
            after,
            lines: Vec::new(),
            at: self.at,
            spots: self.spots,
        });
    }

    /// Adds a changed property if the values differ. If both have the same displayed text, their exact values are
    /// shown.
    pub(super) fn field<T: PartialEq + Debug + ?Sized>(
        &mut self,
        what: What,
        name: &str,
        before: &T,
        after: &T,
        say: impl Fn(&T) -> String,
    ) {
        if before == after {
            return;
        }
        let mut shown = (say(before), say(after));
        if shown.0 == shown.1 {
            shown = (format!("{before:?}"), format!("{after:?}"));
        }
        self.push(Kind::Changed, what, name, Some(shown.0), Some(shown.1));
    }

    /// Adds a changed text if the texts differ.
    pub(super) fn text(&mut self, what: What, name: &str, before: &str, after: &str) {
        self.field(what, name, before, after, str::to_owned);
    }

    /// Adds a changed flag if the flags differ.
    pub(super) fn flag(&mut self, what: What, name: &str, before: bool, after: bool) {
        self.field(what, name, &before, &after, |on| yes(*on).to_owned());
    }

    pub(super) fn added(&mut self, what: What, name: &str, after: String) {
        self.push(Kind::Added, what, name, None, Some(after));
    }

    pub(super) fn removed(&mut self, what: What, name: &str, before: String) {
        self.push(Kind::Removed, what, name, Some(before), None);
    }

    /// Adds a change of order if the matched items are in another order.
    pub(super) fn order(&mut self, list: &str, pairs: &[Pair]) {
        if !pairs.iter().filter_map(|p| p.1.and(p.0)).is_sorted() {
            self.push(Kind::Changed, What::Order, list, None, None);
        }
    }
}

pub(super) fn yes(on: bool) -> &'static str {
    if on { "yes" } else { "no" }
}

pub(super) fn or_none<T: ToString>(value: &Option<T>) -> String {
    value.as_ref().map_or_else(|| "none".to_owned(), T::to_string)
}

/// The maximum number of unmatched items for which renames are searched.
const MANY: usize = 500;

/// Matches items with the same name: the first with the first, the second with the second, and so on. Returns the pairs
/// in the order of the new list, then the old items without a counterpart.
pub(super) fn pairs<T, K: Hash + Eq>(old: &[T], new: &[T], name: impl Fn(&T) -> K) -> Vec<Pair> {
    let mut waiting: HashMap<K, VecDeque<usize>> = HashMap::new();
    for (i, thing) in old.iter().enumerate() {
        waiting.entry(name(thing)).or_default().push_back(i);
    }
    let mut found: Vec<Pair> = Vec::with_capacity(new.len());
    for (j, thing) in new.iter().enumerate() {
        found.push((waiting.get_mut(&name(thing)).and_then(|w| w.pop_front()), Some(j)));
    }
    let mut left: Vec<usize> = waiting.into_values().flatten().collect();
    left.sort_unstable();
    found.extend(left.into_iter().map(|i| (Some(i), None)));
    found
}

/// Joins unmatched items that have the same second key, because they were renamed. If very many are unmatched, they are
/// taken to be new instead.
pub(super) fn rename<T, K: PartialEq>(found: &mut Vec<Pair>, old: &[T], new: &[T], other: impl Fn(&T) -> K) {
    let lost: Vec<usize> = found.iter().filter(|p| p.1.is_none()).filter_map(|p| p.0).collect();
    if lost.len() > MANY {
        return;
    }
    for i in lost {
        let same = |j: usize| new.get(j).zip(old.get(i)).is_some_and(|(n, o)| other(n) == other(o));
        if let Some(pair) = found.iter_mut().find(|p| p.0.is_none() && p.1.is_some_and(same)) {
            pair.0 = Some(i);
            found.retain(|p| *p != (Some(i), None));
        }
    }
}
