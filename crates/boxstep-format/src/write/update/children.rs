//! The order of an element's children: which ones go, which are new, and where.

use crate::raw::RawNode;
use crate::write::layout::print_copy;
use crate::write::{At, Edits, Printer, order};

/// The children of one kind.
pub(super) struct Slot<'m> {
    /// The name of their elements.
    name: &'static str,
    /// Where those of the file begin.
    old: Vec<u32>,
    /// Those that there will be, in order.
    pub(super) items: Vec<Item<'m>>,
}

pub(super) enum Item<'m> {
    /// A child of the file, by its number in [`Slot::old`].
    Old(usize),
    /// A new child.
    New(Box<dyn Fn(&mut Printer) + 'm>),
}

impl<'m> Slot<'m> {
    pub(super) fn new(name: &'static str, old: impl IntoIterator<Item = u32>) -> Self {
        Self { name, old: old.into_iter().collect(), items: Vec::new() }
    }

    /// Adds the children of another slot of the same kind.
    pub(super) fn join(&mut self, other: Slot<'m>) {
        let before = self.old.len();
        self.old.extend(other.old);
        self.items.extend(other.items.into_iter().map(|item| match item {
            Item::Old(at) => Item::Old(at + before),
            new => new,
        }));
    }

    fn staying(&self) -> Vec<usize> {
        staying(self.items.iter().filter_map(|item| if let Item::Old(at) = item { Some(*at) } else { None }))
    }

    fn start(&self, at: usize) -> u32 {
        self.old.get(at).copied().unwrap_or(u32::MAX)
    }
}

/// A position between children that stay.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Anchor {
    Start,
    After(u32),
    Before(u32),
}

impl<'a> Edits<'a> {
    /// Removes, inserts and moves the children of an element. The slots are in the order of their kinds. A child that
    /// moves is copied as it is in the file.
    pub(super) fn arrange(&mut self, parent: RawNode<'a>, slots: Vec<Slot<'_>>) {
        let staying: Vec<Vec<usize>> = slots.iter().map(Slot::staying).collect();
        let mut going = Vec::new();
        for (slot, staying) in slots.iter().zip(&staying) {
            if staying.len() == slot.old.len() {
                continue;
            }
            let goes = |at: &usize| staying.binary_search(at).is_err();
            going.extend((0..slot.old.len()).filter(goes).map(|at| slot.start(at)));
        }
        let mut groups: Vec<(Anchor, Vec<&Item<'_>>, &Slot<'_>)> = Vec::new();
        for (slot, staying) in slots.iter().zip(&staying) {
            if staying.len() == slot.items.len() {
                continue;
            }
            let mut anchor = match staying.first() {
                Some(first) => Anchor::Before(slot.start(*first)),
                None => last_up_to(parent, slot.name, &going),
            };
            for item in &slot.items {
                match item {
                    Item::Old(at) if staying.binary_search(at).is_ok() => anchor = Anchor::After(slot.start(*at)),
                    _ => match groups.last_mut() {
                        Some((last, items, of)) if *last == anchor && std::ptr::eq(*of, slot) => items.push(item),
                        _ => groups.push((anchor, vec![item], slot)),
                    },
                }
            }
        }
        for start in &going {
            if let Some(node) = self.view().starting_at(*start) {
                self.remove(node);
            }
        }
        self.insert_groups(parent, &groups);
    }

    fn insert_groups(&mut self, parent: RawNode<'a>, groups: &[(Anchor, Vec<&Item<'_>>, &Slot<'_>)]) {
        let view = self.view();
        let print = |p: &mut Printer, items: &[&Item<'_>], slot: &Slot<'_>| {
            for item in items {
                match item {
                    Item::New(print) => print(p),
                    Item::Old(at) => {
                        if let Some(node) = view.starting_at(slot.start(*at)) {
                            print_copy(p, node, node.name(), &[]);
                        }
                    }
                }
            }
        };
        // Everything at one position is inserted at once, because an empty element can be filled only once.
        let mut at = 0;
        while let Some((anchor, ..)) = groups.get(at) {
            let same = groups[at..].iter().take_while(|(other, ..)| other == anchor).count();
            let position = match anchor {
                Anchor::Start => Some(At::Start(parent)),
                Anchor::After(start) => view.starting_at(*start).map(At::After),
                Anchor::Before(start) => view.starting_at(*start).map(At::Before),
            };
            if let Some(position) = position {
                let groups = &groups[at..at + same];
                self.insert(position, |p| groups.iter().for_each(|(_, items, slot)| print(p, items, slot)));
            }
            at += same;
        }
    }
}

/// Returns the position of the first child of a kind: after the last child of this or an earlier kind that stays.
fn last_up_to(parent: RawNode<'_>, name: &str, going: &[u32]) -> Anchor {
    let wanted = order::child_rank(name).unwrap_or(usize::MAX);
    let local = |node: &RawNode<'_>| order::child_rank(node.name().rsplit(':').next().unwrap_or_default());
    let before = parent.elements().filter(|node| local(node).is_some_and(|rank| rank <= wanted));
    before.filter(|node| !going.contains(&node.range().0)).last().map_or(Anchor::Start, |n| Anchor::After(n.range().0))
}

/// Returns the children that stay where they are: as many as possible of those that there will still be, which are given
/// in their new order. The others move.
pub(super) fn staying(kept: impl Iterator<Item = usize>) -> Vec<usize> {
    let kept: Vec<usize> = kept.collect();
    if kept.is_sorted() { kept } else { longest_increasing(&kept) }
}

/// Returns a longest increasing part of a list of different numbers.
fn longest_increasing(list: &[usize]) -> Vec<usize> {
    // For each length, the place in the list of the smallest number that ends an increasing part of that length.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(list.len());
    for (at, number) in list.iter().enumerate() {
        let length = ends.partition_point(|end| list[*end] < *number);
        before.push(length.checked_sub(1).and_then(|shorter| ends.get(shorter).copied()));
        match ends.get_mut(length) {
            Some(end) => *end = at,
            None => ends.push(at),
        }
    }
    let mut found = Vec::with_capacity(ends.len());
    let mut at = ends.last().copied();
    while let Some(place) = at {
        found.push(list[place]);
        at = before[place];
    }
    found.reverse();
    found
}

#[cfg(test)]
mod tests {
    use super::longest_increasing;

    #[test]
    fn as_few_as_possible_move() {
        assert_eq!(longest_increasing(&[1, 2, 3, 0]), [1, 2, 3]);
        assert_eq!(longest_increasing(&[3, 0, 1, 2]), [0, 1, 2]);
        assert_eq!(longest_increasing(&[2, 1, 0]).len(), 1);
        assert_eq!(longest_increasing(&[0, 4, 1, 5, 2, 6, 3]), [0, 1, 2, 3]);
        assert_eq!(longest_increasing(&[]), [0; 0]);
    }
}
