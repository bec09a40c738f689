//! Runs a [`Program`] over the words of a sentence.
//!
//! All ways through the program are followed side by side, word by word; of two ways that come to the same step at the
//! same word only the better one is kept. So the time grows with words × steps, whatever the pattern is.

use super::index::{Book, ConceptItems};
use super::program::{Assignment, ConceptId, Edge, Op, Program};
use super::vocabulary::Sentence;
use crate::topic::Condition;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;

/// What patterns ask of the world beside the words.
pub(crate) trait Facts {
    fn condition(&self, condition: &Condition) -> bool;
    fn event(&self, key: &str) -> bool;
    fn tag(&self, name: &str) -> bool;
    fn variable(&self, key: &str) -> Option<String>;
}

/// Nothing is true but what is said, and no tag is off.
pub(crate) struct NoFacts;

impl Facts for NoFacts {
    fn condition(&self, _: &Condition) -> bool {
        false
    }

    fn event(&self, _: &str) -> bool {
        false
    }

    fn tag(&self, _: &str) -> bool {
        true
    }

    fn variable(&self, _: &str) -> Option<String> {
        None
    }
}

/// How a pattern matches.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    /// How many words literals and concepts cover.
    pub(crate) literal: u32,
    /// How many of these only match without their accents.
    pub(crate) plain: u32,
    /// How many words wildcards cover.
    pub(crate) wild: u32,
    /// The words that the pattern covers.
    pub(crate) words: (usize, usize),
    /// The words of each capture that took part, in the order of their beginnings.
    ///
    /// Decision: `$1` is the first capture that took part, not the first in the text of the rule, so that the
    /// alternatives of a choice can each have one (as files do).
    pub(crate) captures: Vec<(usize, usize)>,
    /// What the pattern sets, in order.
    pub(crate) sets: Vec<Arc<Assignment>>,
    /// Whether an event took part.
    pub(crate) event: bool,
}

impl Found {
    /// A match of nothing.
    pub(crate) fn nothing() -> Self {
        Self { literal: 0, plain: 0, wild: 0, words: (0, 0), captures: Vec::new(), sets: Vec::new(), event: false }
    }
}

/// A way through the program.
#[derive(Clone, Copy, Debug)]
struct Way {
    literal: u32,
    plain: u32,
    wild: u32,
    start: u32,
    /// The last thing to remember, in [`Table::saves`], counted from 1; 0 for none.
    saved: u32,
    /// Whether an event took part.
    event: bool,
}

impl Way {
    /// The order of ways: more words of the pattern, fewer accents wrong, an earlier start.
    fn rank(&self) -> (u32, Reverse<u32>, Reverse<u32>) {
        (self.literal, Reverse(self.plain), Reverse(self.start))
    }

    /// Whether this way is better than another to the same word: of two equal ones, the one with an event.
    fn is_better(&self, than: &Way) -> bool {
        (self.rank(), self.event) > (than.rank(), than.event)
    }
}

/// Something that a way remembers, and what it remembered before.
#[derive(Clone, Debug)]
struct Save {
    before: u32,
    what: Saved,
}

#[derive(Clone, Debug)]
enum Saved {
    Capture(Edge, usize),
    Set(Arc<Assignment>),
    Sets(Arc<[Arc<Assignment>]>),
}

/// What a concept can take at a place: up to which word, and how well.
#[derive(Clone, Debug)]
struct Taken {
    end: usize,
    literal: u32,
    plain: u32,
    wild: u32,
    event: bool,
    sets: Option<Arc<[Arc<Assignment>]>>,
}

type Ends = Arc<[Taken]>;

/// Memory that is used again and again; and what is known of concepts in the present sentence.
#[derive(Default)]
pub(crate) struct Scratch {
    ends: HashMap<(ConceptId, usize), Ends>,
    pool: Vec<Table>,
    /// How many steps were taken since the beginning.
    #[cfg(feature = "testing")]
    pub(crate) steps: u64,
}

/// The ways at each word, by the step that comes next.
#[derive(Default)]
struct Table {
    cells: Vec<(u32, Way)>,
    /// The number of the run that wrote a cell; older ones are empty.
    run: u32,
    /// The steps of the program: the cells of a word.
    width: usize,
    /// The steps reached at each word, in order.
    reached: Vec<Vec<u32>>,
    saves: Vec<Save>,
}

impl Scratch {
    /// Forgets what is known of the last sentence.
    pub(crate) fn clear(&mut self) {
        self.ends.clear();
    }

    /// Counts a step, for tests.
    fn count(&mut self) {
        #[cfg(feature = "testing")]
        {
            self.steps += 1;
        }
    }
}

/// A sentence, and what to match it with.
pub(crate) struct Machine<'a> {
    pub(crate) book: &'a Book,
    pub(crate) sentence: &'a Sentence,
    pub(crate) facts: &'a dyn Facts,
}

impl Machine<'_> {
    /// Matches a pattern anywhere in the sentence; from the first to the last word if the pattern is `^exact`.
    pub(crate) fn find(&self, scratch: &mut Scratch, program: &Program) -> Option<Found> {
        let starts = if program.exact { 0..1 } else { 0..self.sentence.len() + 1 };
        let mut best: Option<(Way, usize)> = None;
        let mut table = scratch.pool.pop().unwrap_or_default();
        self.run(scratch, &mut table, program, starts, &mut |way, end| {
            if program.exact && end < self.sentence.len() {
                return;
            }
            if best.is_none_or(|(old, old_end)| (way.rank(), end, way.event) > (old.rank(), old_end, old.event)) {
                best = Some((way, end));
            }
        });
        let found = best.map(|(way, end)| Found {
            literal: way.literal,
            plain: way.plain,
            wild: way.wild,
            words: (way.start as usize, end),
            captures: captures(&table.saves, way.saved),
            sets: sets(&table.saves, way.saved),
            event: way.event,
        });
        scratch.pool.push(table);
        found
    }

    /// Follows all ways from the given words on, and tells of each that reaches the end of the program.
    fn run(
        &self,
        scratch: &mut Scratch,
        table: &mut Table,
        program: &Program,
        starts: std::ops::Range<usize>,
        matched: &mut dyn FnMut(Way, usize),
    ) {
        let words = self.sentence.len();
        table.begin(words + 1, program.ops.len());
        let (first, last) = (starts.start, starts.end);
        for at in first..=words {
            if at < last {
                let way = Way { literal: 0, plain: 0, wild: 0, start: at as u32, saved: 0, event: false };
                self.add(scratch, table, program, at, 0, way);
            }
            let mut n = 0;
            while let Some(step) = table.reached[at].get(n).copied() {
                n += 1;
                let Some(way) = table.get(at, step) else { continue };
                self.take(scratch, table, program, at, step, way, matched);
            }
        }
    }

    /// Takes words from a place on.
    #[expect(clippy::too_many_arguments, reason = "the state of one step of the machine")]
    fn take(
        &self,
        scratch: &mut Scratch,
        table: &mut Table,
        program: &Program,
        at: usize,
        step: u32,
        way: Way,
        matched: &mut dyn FnMut(Way, usize),
    ) {
        match &program.ops[step as usize] {
            Op::Match => matched(way, at),
            Op::Word(word) => {
                let Some(heard) = self.sentence.ids.get(at) else { return };
                let exact = heard.exact == word.exact;
                if exact || heard.plain == word.plain {
                    let plain = way.plain + u32::from(!exact);
                    let way = Way { literal: way.literal + 1, plain, ..way };
                    self.add(scratch, table, program, at + 1, step + 1, way);
                }
            }
            Op::AnyWord if at < self.sentence.len() => {
                self.add(scratch, table, program, at + 1, step + 1, Way { wild: way.wild + 1, ..way });
            }
            Op::Concept(concept) => {
                for taken in self.ends(scratch, *concept, at).iter() {
                    let saved = match &taken.sets {
                        Some(sets) => table.save(way.saved, Saved::Sets(sets.clone())),
                        None => way.saved,
                    };
                    let way = Way {
                        literal: way.literal + taken.literal,
                        plain: way.plain + taken.plain,
                        wild: way.wild + taken.wild,
                        event: way.event || taken.event,
                        saved,
                        ..way
                    };
                    self.add(scratch, table, program, taken.end, step + 1, way);
                }
            }
            Op::Variable(key) => {
                let Some(value) = self.facts.variable(key) else { return };
                let value = self.book.vocabulary.sentence(&value);
                let taken = value.len();
                let heard = self.sentence.ids.get(at..at + taken);
                // Words that no topic has are compared as text.
                let same = |n: usize| {
                    let (a, b) = (value.ids[n], self.sentence.ids[at + n]);
                    if a.plain == u32::MAX {
                        value.said(n, n + 1).to_lowercase() == self.sentence.said(at + n, at + n + 1).to_lowercase()
                    } else {
                        a.plain == b.plain
                    }
                };
                if taken > 0 && heard.is_some() && (0..taken).all(same) {
                    let way = Way { literal: way.literal + taken as u32, ..way };
                    self.add(scratch, table, program, at + taken, step + 1, way);
                }
            }
            _ => {}
        }
    }

    /// Adds a way, and follows it over all steps that take no words.
    fn add(&self, scratch: &mut Scratch, table: &mut Table, program: &Program, at: usize, step: u32, way: Way) {
        let mut open = vec![(step, way)];
        while let Some((step, way)) = open.pop() {
            scratch.count();
            if !table.put(at, step, way) {
                continue;
            }
            match &program.ops[step as usize] {
                Op::Split(one, other) => open.extend([(*other, way), (*one, way)]),
                Op::Jump(to) => open.push((*to, way)),
                Op::Capture(edge) => {
                    let saved = table.save(way.saved, Saved::Capture(*edge, at));
                    open.push((step + 1, Way { saved, ..way }));
                }
                Op::Set(assignment) => {
                    let saved = table.save(way.saved, Saved::Set(assignment.clone()));
                    open.push((step + 1, Way { saved, ..way }));
                }
                Op::Without(concept) => {
                    let occurs = (0..self.sentence.len()).any(|at| !self.ends(scratch, *concept, at).is_empty());
                    if !occurs {
                        open.push((step + 1, way));
                    }
                }
                Op::If(condition) if self.facts.condition(condition) => open.push((step + 1, way)),
                Op::Event(key) if self.facts.event(key) => open.push((step + 1, Way { event: true, ..way })),
                Op::Tag(name) if self.facts.tag(name) => open.push((step + 1, way)),
                Op::Match | Op::Word(_) | Op::AnyWord | Op::Concept(_) | Op::Variable(_) => {
                    table.reached[at].push(step);
                }
                Op::If(_) | Op::Event(_) | Op::Tag(_) => {}
            }
        }
    }

    /// What a concept can take at a place.
    fn ends(&self, scratch: &mut Scratch, concept: ConceptId, at: usize) -> Ends {
        if let Some(ends) = scratch.ends.get(&(concept, at)) {
            return ends.clone();
        }
        let mut found: Vec<Taken> = Vec::new();
        if let Some(items) = self.book.concept(concept) {
            let first = self.sentence.ids.get(at).map(|word| word.plain);
            for item in items.that_may_begin_with(first) {
                self.run_item(scratch, items, item, at, &mut found);
            }
        }
        // The best way to each end; the longest first.
        let quality = |t: &Taken| (t.literal, Reverse(t.plain), Reverse(t.wild), t.event);
        found.sort_by_key(|taken| Reverse((taken.end, quality(taken))));
        found.dedup_by_key(|taken| taken.end);
        let ends: Ends = found.into();
        scratch.ends.insert((concept, at), ends.clone());
        ends
    }

    fn run_item(&self, scratch: &mut Scratch, items: &ConceptItems, item: u32, at: usize, found: &mut Vec<Taken>) {
        let Some(program) = items.programs.get(item as usize) else { return };
        let mut table = scratch.pool.pop().unwrap_or_default();
        let mut ways = Vec::new();
        self.run(scratch, &mut table, program, at..at + 1, &mut |way, end| ways.push((way, end)));
        for (way, end) in ways {
            let sets = sets(&table.saves, way.saved);
            // An item has to take words, an event or nothing but a condition and what it sets.
            if end > at || way.event || !sets.is_empty() {
                let Way { literal, plain, wild, event, .. } = way;
                let sets = (!sets.is_empty()).then(|| sets.into());
                found.push(Taken { end, literal, plain, wild, event, sets });
            }
        }
        scratch.pool.push(table);
    }
}

/// What a way remembers, first things first.
fn remembered(saves: &[Save], mut last: u32) -> Vec<&Saved> {
    let mut found = Vec::new();
    while let Some(save) = last.checked_sub(1).and_then(|at| saves.get(at as usize)) {
        found.push(&save.what);
        last = save.before;
    }
    found.reverse();
    found
}

fn captures(saves: &[Save], last: u32) -> Vec<(usize, usize)> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    let mut open = Vec::new();
    for saved in remembered(saves, last) {
        match saved {
            Saved::Capture(Edge::Start, at) => {
                open.push(found.len());
                found.push((*at, *at));
            }
            Saved::Capture(Edge::End, at) => {
                if let Some(capture) = open.pop().and_then(|n| found.get_mut(n)) {
                    capture.1 = *at;
                }
            }
            _ => {}
        }
    }
    found
}

fn sets(saves: &[Save], last: u32) -> Vec<Arc<Assignment>> {
    let mut found = Vec::new();
    for saved in remembered(saves, last) {
        match saved {
            Saved::Set(one) => found.push(one.clone()),
            Saved::Sets(several) => found.extend(several.iter().cloned()),
            Saved::Capture(..) => {}
        }
    }
    found
}

impl Table {
    fn begin(&mut self, places: usize, steps: usize) {
        let cells = places * steps;
        if self.cells.len() < cells || self.run == u32::MAX {
            self.cells.clear();
            self.cells.resize(cells, (0, Way { literal: 0, plain: 0, wild: 0, start: 0, saved: 0, event: false }));
            self.run = 0;
        }
        self.run += 1;
        self.width = steps;
        self.saves.clear();
        self.reached.iter_mut().for_each(Vec::clear);
        if self.reached.len() < places {
            self.reached.resize_with(places, Vec::new);
        }
    }

    /// Remembers something, beside what was remembered before; returns the number to go on with.
    fn save(&mut self, before: u32, what: Saved) -> u32 {
        self.saves.push(Save { before, what });
        self.saves.len() as u32
    }

    fn get(&self, at: usize, step: u32) -> Option<Way> {
        let (run, way) = self.cells[at * self.width + step as usize];
        (run == self.run).then_some(way)
    }

    /// Stores a way if it is the first or a better one at this step and word.
    fn put(&mut self, at: usize, step: u32, way: Way) -> bool {
        let run = self.run;
        let cell = &mut self.cells[at * self.width + step as usize];
        let better = cell.0 != run || way.is_better(&cell.1);
        if better {
            *cell = (run, way);
        }
        better
    }
}
