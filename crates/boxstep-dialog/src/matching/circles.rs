//! Concepts that name each other in circles, or too deep.
//!
//! Decision: where a concept leads back to itself it takes nothing, and so does what lies more than [`DEEPEST`] concepts
//! deep. This is decided once for all sentences: what a concept takes must not depend on which rule asks first.

use super::program::{ConceptId, Op, Program};

/// How many concepts may be inside each other.
const DEEPEST: u32 = 24;

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

/// Returns the concepts that each concept must not look into.
pub(super) fn circles(programs: &[&[Program]]) -> Vec<Vec<ConceptId>> {
    let count = programs.len();
    let mut search = Search {
        programs,
        found: vec![0; count],
        low: vec![0; count],
        group: vec![None; count],
        open: Vec::new(),
        clock: 0,
        order: Vec::new(),
    };
    (0..count as ConceptId).for_each(|id| search.visit(id));
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
        Op::Concept(id) | Op::Without(id) => Some(*id),
        _ => None,
    };
    let mut found: Vec<ConceptId> = ops.filter_map(id).collect();
    found.sort_unstable();
    found.dedup();
    found
}

impl Search<'_> {
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
