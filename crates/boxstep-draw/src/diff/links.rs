//! Links between boxes that are one, and the order of boxes and links.

use super::matching::{DiagramPlace, diagrams};
use super::{Diff, Kind, Notes, What};
use crate::scene::{Mark, Marks};
use crate::text::one_line;
use boxstep_format::model::{BoxDef, Diagram};
use boxstep_format::paths;
use boxstep_format::resolve::{End, Resolver};
use std::collections::HashMap;

/// More pairs of lost and new links than this are not looked through for moved ones.
const MANY: usize = 1_000_000;

/// Marks of links, by diagram.
#[derive(Default)]
pub(super) struct Marked(HashMap<*const Diagram, HashMap<usize, Mark>>);

impl Marked {
    fn mark(&mut self, diagram: &Diagram, link: usize, mark: Mark) {
        self.0.entry(std::ptr::from_ref(diagram)).or_default().insert(link, mark);
    }

    pub(super) fn of(&self, diagram: &Diagram) -> HashMap<usize, Mark> {
        self.0.get(&std::ptr::from_ref(diagram)).cloned().unwrap_or_default()
    }
}

/// One end: which box (numbers of the new behavior where it is in both), what port.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Place {
    Owner,
    Both(usize),
    Old(usize),
    /// A box id that is not there.
    Nowhere(i32),
}

type Ends = ((Place, String), (Place, String));

struct Wire {
    index: usize,
    ends: Ends,
    words: String,
}

impl Diff<'_> {
    /// The diagrams inside two boxes that are one.
    pub(super) fn insides(&mut self, old: usize, new: usize) {
        let (Some(a), Some(b)) = (self.old.boxes.get(old), self.new.boxes.get(new)) else { return };
        let (Some(x), Some(y)) = (&a.def.timeline, &b.def.timeline) else { return };
        let find = |def: &BoxDef, path, (l, k): DiagramPlace| {
            let all = paths::diagrams(path, def).into_iter();
            all.filter(|d| (d.layer, d.keyframe) == (l, k)).map(|d| d.path).next()
        };
        let mut notes = self.notes((Some(old), Some(new)));
        let mut marked = std::mem::take(&mut self.links);
        for (from, to) in diagrams(x, y) {
            let (Some(p), Some(q)) = (find(a.def, &a.path, from), find(b.def, &b.path, to)) else { continue };
            notes.was = (p != q).then(|| p.to_string());
            notes.path = q.to_string();
            let (d, e) = (&x.layers[from.0].keyframes[from.1].diagram, &y.layers[to.0].keyframes[to.1].diagram);
            self.diagram(&mut notes, (a.def, d), (b.def, e), &mut marked);
        }
        self.links = marked;
        let found = notes.found;
        self.changes.extend(found);
    }

    fn diagram(&self, notes: &mut Notes, old: (&BoxDef, &Diagram), new: (&BoxDef, &Diagram), marked: &mut Marked) {
        let old_place = |d: &BoxDef| match self.old.place(d) {
            Some(i) => self.matching.new_of(i).map_or(Place::Old(i), Place::Both),
            None => Place::Owner,
        };
        let new_place = |d: &BoxDef| self.new.place(d).map_or(Place::Owner, Place::Both);
        let order = |d: &Diagram, of: &dyn Fn(&BoxDef) -> Place| d.boxes.iter().map(of).collect::<Vec<_>>();
        let (x, y) = (order(old.1, &old_place), order(new.1, &new_place));
        if is_reordered(&x, &y) {
            notes.push(Kind::Changed, What::Order, "boxes", None, None);
        }
        let (before, after) = (wires(old.0, old.1, &old_place), wires(new.0, new.1, &new_place));
        let ends = |w: &[Wire]| w.iter().map(|w| w.ends.clone()).collect::<Vec<_>>();
        if is_reordered(&ends(&before), &ends(&after)) {
            notes.push(Kind::Changed, What::Order, "links", None, None);
        }
        let mut waiting: HashMap<Ends, Vec<&Wire>> = HashMap::new();
        for wire in &before {
            waiting.entry(wire.ends.clone()).or_default().push(wire);
        }
        let mut fresh: Vec<&Wire> =
            after.iter().filter(|w| waiting.get_mut(&w.ends).and_then(Vec::pop).is_none()).collect();
        let mut lost: Vec<&Wire> = waiting.into_values().flatten().collect();
        lost.sort_by_key(|w| w.index);
        // One end the same: the link was moved.
        let few = lost.len().saturating_mul(fresh.len()) <= MANY;
        lost.retain(|gone| {
            if !few {
                return true;
            }
            let near = |w: &&Wire| (w.ends.0 == gone.ends.0) != (w.ends.1 == gone.ends.1);
            let Some(at) = fresh.iter().position(near) else { return true };
            let come = fresh.remove(at);
            let words = Some(come.words.clone());
            notes.push(Kind::Changed, What::Link, "moved", Some(gone.words.clone()), words);
            marked.mark(old.1, gone.index, Mark::Changed);
            marked.mark(new.1, come.index, Mark::Changed);
            false
        });
        for wire in fresh {
            notes.push(Kind::Added, What::Link, wire.words.clone(), None, None);
            marked.mark(new.1, wire.index, Mark::Added);
        }
        for wire in lost {
            notes.push(Kind::Removed, What::Link, wire.words.clone(), None, None);
            marked.mark(old.1, wire.index, Mark::Removed);
        }
    }

    /// What is special in a diagram of either side.
    pub(super) fn marks(&self, diagram: &Diagram, is_old: bool) -> Marks {
        let side = if is_old { &self.old } else { &self.new };
        let mut boxes = HashMap::new();
        for (i, def) in diagram.boxes.iter().enumerate() {
            let Some(at) = side.place(def) else { continue };
            let other = if is_old { self.matching.new_of(at) } else { self.matching.old_of(at) };
            // A box is marked also for what changed inside it.
            let touched = side.touched.contains(&at);
            let mark = match other {
                None if is_old => Some(Mark::Removed),
                None => Some(Mark::Added),
                Some(_) => touched.then_some(Mark::Changed),
            };
            boxes.extend(mark.map(|m| (i, m)));
        }
        Marks { boxes, links: self.links.of(diagram) }
    }
}

fn wires(owner: &BoxDef, diagram: &Diagram, place: &dyn Fn(&BoxDef) -> Place) -> Vec<Wire> {
    let resolver = Resolver::new(owner, diagram);
    let wire = |(index, link): (usize, &boxstep_format::model::Link)| {
        let Ok(route) = resolver.route(index, link) else {
            let raw = |owner: i32, port: i32| (Place::Nowhere(owner), port.to_string());
            let ends = (raw(link.from_box, link.from_port), raw(link.to_box, link.to_port));
            let words = format!("{}.{} → {}.{} (broken)", link.from_box, link.from_port, link.to_box, link.to_port);
            return Wire { index, ends, words };
        };
        let end = |end: End| match end {
            End::Parent(port) => {
                let (kind, name) = port.describe(owner);
                ((Place::Owner, format!("{kind} {name}")), one_line(name))
            }
            End::Box(i, port) => {
                let Some(def) = diagram.boxes.get(i) else { return ((Place::Owner, String::new()), String::new()) };
                let (kind, name) = port.describe(def);
                ((place(def), format!("{kind} {name}")), format!("{}.{}", one_line(&def.name), one_line(name)))
            }
        };
        let ((from, from_words), (to, to_words)) = (end(route.from), end(route.to));
        Wire { index, ends: (from, to), words: format!("{from_words} → {to_words}") }
    };
    diagram.links.iter().enumerate().map(wire).collect()
}

/// Whether what both have stands in another order.
fn is_reordered<T: PartialEq + Eq + std::hash::Hash>(old: &[T], new: &[T]) -> bool {
    let (in_old, in_new): (std::collections::HashSet<&T>, std::collections::HashSet<&T>) =
        (old.iter().collect(), new.iter().collect());
    let mut seen = std::collections::HashSet::new();
    let kept: Vec<&T> = old.iter().filter(|t| in_new.contains(t) && seen.insert(*t)).collect();
    let mut seen = std::collections::HashSet::new();
    let now: Vec<&T> = new.iter().filter(|t| in_old.contains(t) && seen.insert(*t)).collect();
    kept != now
}
