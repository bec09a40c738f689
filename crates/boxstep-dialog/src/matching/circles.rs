//! Concepts that name each other in circles, or too deep.
//!
//! Decision: where a concept leads back to itself it takes nothing, and so does what lies more than [`DEEPEST`] concepts
//! deep. This is decided once for all sentences: what a concept takes must not depend on which rule asks first. So each
//! concept of a circle gets copies of the others, in which the way back takes nothing.

use super::index::{ConceptItems, Concepts};
use super::program::{ConceptId, Op, Program};
use std::collections::BTreeMap;

/// How many concepts may be inside each other.
pub(crate) const DEEPEST: u32 = 24;

/// The most copies of a group of concepts that lead to each other. In a larger group none leads to another.
const MOST_COPIES: usize = 1_000;

/// The concept that takes nothing.
pub(super) const NOTHING: ConceptId = ConceptId::MAX;

/// A concept that is being visited.
struct Visit {
    id: ConceptId,
    inner: Vec<ConceptId>,
    /// How many of the inner ones were visited.
    done: usize,
}

/// Tarjan's algorithm: concepts that lead to each other are in one group.
struct Search<'a> {
    programs: &'a [&'a [Program]],
    /// When a concept was found, from 1; 0 for not yet.
    found: Vec<u32>,
    low: Vec<u32>,
    group: Vec<Option<u32>>,
    open: Vec<ConceptId>,
    clock: u32,
    /// The concepts, inner ones first.
    order: Vec<ConceptId>,
}

/// Lets concepts take nothing where they lead back to themselves, or too deep.
pub(super) fn cut(concepts: &mut Concepts) {
    unroll(concepts);
    let cut = too_deep(&programs(concepts));
    for (items, cut) in concepts.items.iter_mut().zip(cut) {
        for id in named_by(items) {
            if cut.binary_search(id).is_ok() {
                *id = NOTHING;
            }
        }
    }
}

fn programs(concepts: &Concepts) -> Vec<&[Program]> {
    concepts.items.iter().map(|items| items.programs.as_slice()).collect()
}

/// The places at which the items of a concept name others.
fn named_by(items: &mut ConceptItems) -> impl Iterator<Item = &mut ConceptId> {
    items.programs.iter_mut().flat_map(|program| &mut program.ops).filter_map(|op| match op {
        Op::Concept(id) => Some(id),
        _ => None,
    })
}

/// Gives each concept of a circle copies of the others.
fn unroll(concepts: &mut Concepts) {
    let group = Search::of(&programs(concepts)).group;
    let mut members: BTreeMap<u32, Vec<ConceptId>> = BTreeMap::new();
    for (id, group) in group.iter().enumerate() {
        members.entry(group.unwrap_or(NOTHING)).or_default().push(id as ConceptId);
    }
    for members in members.into_values().filter(|members| members.len() > 1) {
        let original = |id: &ConceptId| (*id, concepts.items[*id as usize].clone());
        let mut copies = Copies { original: members.iter().map(original).collect(), made: Vec::new() };
        let first = concepts.items.len();
        let own: Vec<ConceptItems> =
            members.iter().map_while(|id| copies.of(*id, &mut vec![*id], first as ConceptId)).collect();
        if own.len() == members.len() {
            concepts.items.append(&mut copies.made);
            for (id, items) in members.into_iter().zip(own) {
                concepts.items[id as usize] = items;
            }
        }
    }
}

/// The copies of a group.
struct Copies {
    original: BTreeMap<ConceptId, ConceptItems>,
    made: Vec<ConceptItems>,
}

impl Copies {
    /// Returns a concept as it is at the end of a path; `None` if that makes too many copies. `first` is the number of
    /// the first copy.
    fn of(&mut self, id: ConceptId, path: &mut Vec<ConceptId>, first: ConceptId) -> Option<ConceptItems> {
        let mut items = self.original.get(&id)?.clone();
        let mut known: BTreeMap<ConceptId, ConceptId> = BTreeMap::new();
        for inner in named_by(&mut items) {
            let copy = match known.get(inner) {
                _ if !self.original.contains_key(inner) => continue,
                Some(copy) => *copy,
                None if path.contains(inner) || path.len() >= DEEPEST as usize => NOTHING,
                None => {
                    path.push(*inner);
                    let items = self.of(*inner, path, first)?;
                    path.pop();
                    self.made.push(items);
                    first + self.made.len() as ConceptId - 1
                }
            };
            known.insert(*inner, copy);
            *inner = copy;
        }
        (self.made.len() <= MOST_COPIES).then_some(items)
    }
}

/// Returns the concepts that each concept must not look into.
fn too_deep(programs: &[&[Program]]) -> Vec<Vec<ConceptId>> {
    let count = programs.len();
    let search = Search::of(programs);
    let mut depth = vec![0; count];
    let mut cut = vec![Vec::new(); count];
    for id in search.order {
        let at = id as usize;
        for inner in named(programs[at]) {
            let below = inner as usize;
            if search.group[below] == search.group[at] || depth[below] + 1 >= DEEPEST {
                cut[at].push(inner);
            } else {
                depth[at] = depth[at].max(depth[below] + 1);
            }
        }
    }
    cut
}

/// The concepts in programs, each once.
fn named(programs: &[Program]) -> Vec<ConceptId> {
    let ops = programs.iter().flat_map(|program| &program.ops);
    let id = |op: &Op| match op {
        Op::Concept(id) | Op::Without(id) if *id != NOTHING => Some(*id),
        _ => None,
    };
    let mut found: Vec<ConceptId> = ops.filter_map(id).collect();
    found.sort_unstable();
    found.dedup();
    found
}

impl<'a> Search<'a> {
    fn of(programs: &'a [&'a [Program]]) -> Self {
        let count = programs.len();
        let mut search = Self {
            programs,
            found: vec![0; count],
            low: vec![0; count],
            group: vec![None; count],
            open: Vec::new(),
            clock: 0,
            order: Vec::new(),
        };
        (0..count as ConceptId).for_each(|id| search.visit(id));
        search
    }

    fn enter(&mut self, id: ConceptId) -> Visit {
        self.clock += 1;
        self.found[id as usize] = self.clock;
        self.low[id as usize] = self.clock;
        self.open.push(id);
        Visit { id, inner: named(self.programs[id as usize]), done: 0 }
    }

    fn visit(&mut self, first: ConceptId) {
        if self.found[first as usize] > 0 {
            return;
        }
        let mut path = vec![self.enter(first)];
        while let Some(visit) = path.last_mut() {
            let at = visit.id as usize;
            match visit.inner.get(visit.done).copied() {
                Some(inner) => {
                    visit.done += 1;
                    let below = inner as usize;
                    if self.found[below] == 0 {
                        let visit = self.enter(inner);
                        path.push(visit);
                    } else if self.group[below].is_none() {
                        self.low[at] = self.low[at].min(self.found[below]);
                    }
                }
                None => {
                    path.pop();
                    if let Some(outer) = path.last() {
                        let outer = outer.id as usize;
                        self.low[outer] = self.low[outer].min(self.low[at]);
                    }
                    if self.low[at] == self.found[at] {
                        self.close(at as ConceptId);
                    }
                }
            }
        }
    }

    /// The concepts that were found since this one are a group.
    fn close(&mut self, first: ConceptId) {
        while let Some(id) = self.open.pop() {
            self.group[id as usize] = Some(first);
            self.order.push(id);
            if id == first {
                return;
            }
        }
    }
}
