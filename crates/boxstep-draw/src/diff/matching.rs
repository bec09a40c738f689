//! Matching of the boxes in the new behavior with those in the old one.
//!
//! Diagrams are matched from the root down. In each, boxes are matched first by id and name, then by name, then by id
//! if they are similar, then by similarity, and finally if only one box is left on each side. Unmatched boxes are then
//! compared across the whole file, because a box that was moved to another diagram is still the same box.

use super::notes::{Pair, pairs, rename};
use crate::level::has_inside;
use crate::scene::{DiagramPlace, Icon, kind};
use boxstep_format::model::{BoxDef, Timeline};
use boxstep_format::paths::BoxAt;
use std::collections::{HashMap, HashSet, VecDeque};

/// The minimum similarity of boxes that are matched: with the same id, and with different ids.
const SAME_ID: f64 = 0.5;
const OTHER_ID: f64 = 0.65;
/// The maximum number of candidates that are compared one by one.
const MANY: usize = 64;

/// A function that returns the properties in which two boxes must agree.
type MatchKey = fn(&BoxDef) -> (i32, String);

/// The matched boxes, by their indices in both lists.
#[derive(Default)]
pub(super) struct Matching {
    new_of: HashMap<usize, usize>,
    old_of: HashMap<usize, usize>,
}

impl Matching {
    pub(super) fn new(old: &[BoxAt<'_>], new: &[BoxAt<'_>]) -> Self {
        let mut work = Work { old: Tree::new(old), new: Tree::new(new), found: Self::default() };
        if !old.is_empty() && !new.is_empty() {
            work.found.join(0, 0);
            work.inside(0, 0);
            work.moved();
        }
        work.found
    }

    pub(super) fn new_of(&self, old: usize) -> Option<usize> {
        self.new_of.get(&old).copied()
    }

    pub(super) fn old_of(&self, new: usize) -> Option<usize> {
        self.old_of.get(&new).copied()
    }

    fn join(&mut self, old: usize, new: usize) {
        self.new_of.insert(old, new);
        self.old_of.insert(new, old);
    }
}

/// Boxes with the indices of their children, by layer and keyframe.
struct Tree<'a> {
    boxes: &'a [BoxAt<'a>],
    children: HashMap<(usize, usize, usize), Vec<usize>>,
    parents: HashMap<usize, usize>,
}

impl<'a> Tree<'a> {
    fn new(boxes: &'a [BoxAt<'a>]) -> Self {
        let by_def: HashMap<*const BoxDef, usize> =
            boxes.iter().enumerate().map(|(i, b)| (std::ptr::from_ref(b.def), i)).collect();
        let mut children: HashMap<_, Vec<usize>> = HashMap::new();
        let mut parents = HashMap::new();
        for (i, b) in boxes.iter().enumerate() {
            if let (Some(parent), Some(place)) =
                (b.parent.and_then(|p| by_def.get(&std::ptr::from_ref(p))), b.trail.last())
            {
                children.entry((*parent, place.layer, place.keyframe)).or_default().push(i);
                parents.insert(i, *parent);
            }
        }
        Self { boxes, children, parents }
    }

    fn def(&self, i: usize) -> &'a BoxDef {
        self.boxes[i].def
    }

    fn children_in(&self, parent: usize, (layer, keyframe): (usize, usize)) -> Vec<usize> {
        self.children.get(&(parent, layer, keyframe)).cloned().unwrap_or_default()
    }
}

struct Work<'a> {
    old: Tree<'a>,
    new: Tree<'a>,
    found: Matching,
}

impl Work<'_> {
    /// Matches the boxes inside two matched boxes. It is not recursive, because files may be nested to any depth.
    fn inside(&mut self, old: usize, new: usize) {
        let mut waiting = vec![(old, new)];
        while let Some((old, new)) = waiting.pop() {
            let (a, b) = (self.old.def(old).timeline.as_ref(), self.new.def(new).timeline.as_ref());
            let (Some(a), Some(b)) = (a, b) else { continue };
            for (from, to) in diagrams(a, b) {
                let (left, right) = (self.old.children_in(old, from), self.new.children_in(new, to));
                waiting.extend(self.diagram(left, right));
            }
        }
    }

    fn diagram(&mut self, left: Vec<usize>, right: Vec<usize>) -> Vec<(usize, usize)> {
        let mut joined = Vec::new();
        let mut left: Vec<usize> = left.into_iter().filter(|i| self.found.new_of(*i).is_none()).collect();
        let mut right: Vec<usize> = right.into_iter().filter(|i| self.found.old_of(*i).is_none()).collect();
        let rules: [MatchKey; 2] = [|b| (b.id, b.name.to_string()), |b| (0, b.name.to_string())];
        for rule in rules {
            self.by_key(&mut left, &mut right, &mut joined, rule);
        }
        self.by_likeness(left, right, &mut joined);
        joined
    }

    /// Matches boxes that have no counterpart of the same name.
    fn by_likeness(&mut self, mut left: Vec<usize>, mut right: Vec<usize>, joined: &mut Vec<(usize, usize)>) {
        let old: HashMap<usize, Traits<'_>> = left.iter().map(|i| (*i, Traits::new(self.old.def(*i)))).collect();
        let new: HashMap<usize, Traits<'_>> = right.iter().map(|i| (*i, Traits::new(self.new.def(*i)))).collect();
        let score = |a: usize, b: usize| old.get(&a).zip(new.get(&b)).map_or(0.0, |(x, y)| x.alike(y));
        let mut by_id: HashMap<i32, VecDeque<usize>> = HashMap::new();
        for &b in &right {
            by_id.entry(self.new.def(b).id).or_default().push_back(b);
        }
        let same_id = |a: &usize| Some((*a, by_id.get_mut(&self.old.def(*a).id)?.pop_front()?));
        let same_id: Vec<_> = left.iter().filter_map(same_id).filter(|(a, b)| score(*a, *b) >= SAME_ID).collect();
        self.join_all(same_id, joined);
        self.drop_joined(&mut left, &mut right);
        if left.len() <= MANY && right.len() <= MANY {
            let each = left.iter().flat_map(|a| right.iter().map(|b| (score(*a, *b), *a, *b)));
            let strangers = best_first(each.filter(|s| s.0 >= OTHER_ID).collect());
            self.join_all(strangers, joined);
            self.drop_joined(&mut left, &mut right);
        }
        // A box with many parts is hardly ever replaced by an unrelated one, so the last box on each side was probably
        // reworked.
        if let ([a], [b]) = (left.as_slice(), right.as_slice()) {
            let (x, y) = (self.old.def(*a), self.new.def(*b));
            if has_inside(x) && has_inside(y) && kind(x) == kind(y) {
                self.join_all(vec![(*a, *b)], joined);
            }
        }
    }

    /// Joins the pairs of which neither box is matched yet.
    fn join_all(&mut self, pairs: Vec<(usize, usize)>, joined: &mut Vec<(usize, usize)>) {
        for (a, b) in pairs {
            if self.found.new_of(a).is_none() && self.found.old_of(b).is_none() {
                self.found.join(a, b);
                joined.push((a, b));
            }
        }
    }

    fn drop_joined(&self, left: &mut Vec<usize>, right: &mut Vec<usize>) {
        left.retain(|a| self.found.new_of(*a).is_none());
        right.retain(|b| self.found.old_of(*b).is_none());
    }

    fn by_key(
        &mut self,
        left: &mut Vec<usize>,
        right: &mut Vec<usize>,
        joined: &mut Vec<(usize, usize)>,
        key: MatchKey,
    ) {
        let mut places: HashMap<(i32, String), VecDeque<usize>> = HashMap::new();
        for &b in right.iter() {
            places.entry(key(self.new.def(b))).or_default().push_back(b);
        }
        left.retain(|&a| match places.get_mut(&key(self.old.def(a))).and_then(|p| p.pop_front()) {
            Some(b) => {
                self.found.join(a, b);
                joined.push((a, b));
                false
            }
            None => true,
        });
        right.retain(|b| self.found.old_of(*b).is_none());
    }

    /// Matches boxes that were moved to another diagram: similar ones with the same name or script. Boxes inside a
    /// moved box move with it.
    fn moved(&mut self) {
        let lost: Vec<usize> = (0..self.old.boxes.len()).filter(|i| self.found.new_of(*i).is_none()).collect();
        let fresh: Vec<usize> = (0..self.new.boxes.len()).filter(|i| self.found.old_of(*i).is_none()).collect();
        let new: HashMap<usize, Traits<'_>> = fresh.iter().map(|i| (*i, Traits::new(self.new.def(*i)))).collect();
        let mut by_word: HashMap<&str, Vec<usize>> = HashMap::new();
        for &b in &fresh {
            for word in words(self.new.def(b)) {
                by_word.entry(word).or_default().push(b);
            }
        }
        let mut scores = Vec::new();
        for &a in &lost {
            let traits = Traits::new(self.old.def(a));
            let mut seen = HashSet::new();
            for word in words(self.old.def(a)) {
                for &b in by_word.get(word).into_iter().flatten().take(MANY) {
                    let score = new.get(&b).map_or(0.0, |t| traits.alike(t));
                    if seen.insert(b) && score >= OTHER_ID {
                        // Parents come before children, so that a group of boxes moves as one.
                        scores.push((score - self.old.boxes[a].depth() as f64 * 1e-6, a, b));
                    }
                }
            }
        }
        for (a, b) in best_first(scores) {
            let free = self.found.new_of(a).is_none() && self.found.old_of(b).is_none();
            let stayed = self.old.parents.get(&a).is_some_and(|p| self.found.new_of(*p).is_some());
            let awaited = self.new.parents.get(&b).is_some_and(|p| self.found.old_of(*p).is_some());
            if free && (stayed || awaited) {
                self.found.join(a, b);
                self.inside(a, b);
            }
        }
    }
}

/// Returns the pairs in order of descending score.
fn best_first(mut scores: Vec<(f64, usize, usize)>) -> Vec<(usize, usize)> {
    scores.sort_by(|x, y| y.0.total_cmp(&x.0).then((x.1, x.2).cmp(&(y.1, y.2))));
    scores.into_iter().map(|s| (s.1, s.2)).collect()
}

/// Returns the texts by which a moved box is looked up: its name, and its script if that is long enough.
fn words(def: &BoxDef) -> Vec<&str> {
    let script = def.script.as_ref().map(|s| s.text.trim()).filter(|t| t.len() > 40);
    std::iter::once(def.name.trim()).filter(|n| !n.is_empty()).chain(script).collect()
}

/// Returns the matched diagrams of two timelines.
pub(super) fn diagrams(a: &Timeline, b: &Timeline) -> Vec<(DiagramPlace, DiagramPlace)> {
    let mut found = Vec::new();
    for (l, m) in layers(a, b).into_iter().filter_map(|(l, m)| l.zip(m)) {
        for (k, j) in keyframes(a, b, l, m).into_iter().filter_map(|(k, j)| k.zip(j)) {
            found.push(((l, k), (m, j)));
        }
    }
    found
}

/// Matches layers by name, and the rest in order.
pub(super) fn layers(a: &Timeline, b: &Timeline) -> Vec<Pair> {
    let mut found = pairs(&a.layers, &b.layers, |l| l.name.clone());
    in_order(&mut found);
    found
}

/// Matches keyframes by name, then by frame, and the rest in order.
pub(super) fn keyframes(a: &Timeline, b: &Timeline, l: usize, m: usize) -> Vec<Pair> {
    let (a, b) = (&a.layers[l].keyframes, &b.layers[m].keyframes);
    let mut found = pairs(a, b, |k| k.name.clone());
    rename(&mut found, a, b, |k| k.index);
    if a.len() == b.len() {
        in_order(&mut found);
    }
    found
}

/// Joins the unmatched items of both sides in order.
fn in_order(found: &mut Vec<Pair>) {
    let mut lost: VecDeque<usize> = found.iter().filter(|p| p.1.is_none()).filter_map(|p| p.0).collect();
    found.retain(|p| p.1.is_some());
    for pair in found.iter_mut().filter(|p| p.0.is_none()) {
        pair.0 = lost.pop_front();
    }
    found.extend(lost.into_iter().map(|i| (Some(i), None)));
}

/// The properties by which boxes are compared.
struct Traits<'a> {
    name: &'a str,
    kind: Icon,
    /// The lines of the script; `None` without a script.
    lines: Option<HashSet<&'a str>>,
    ports: HashSet<&'a str>,
    parameters: HashSet<&'a str>,
    inside: HashSet<&'a str>,
}

impl<'a> Traits<'a> {
    fn new(def: &'a BoxDef) -> Self {
        let script = def.script.as_ref().map(|s| &*s.text).filter(|t| !t.trim().is_empty());
        let inputs = def.inputs.iter().map(|p| &*p.name);
        let keyframes = def.timeline.iter().flat_map(|t| &t.layers).flat_map(|l| &l.keyframes);
        let curves = def.timeline.iter().flat_map(|t| &t.actuators).flat_map(|l| &l.curves);
        let boxes = keyframes.flat_map(|k| &k.diagram.boxes).map(|b| &*b.name);
        Self {
            name: &def.name,
            kind: kind(def),
            lines: script.map(|s| s.lines().map(str::trim).collect()),
            ports: inputs.chain(def.outputs.iter().map(|p| &*p.name)).collect(),
            parameters: def.parameters.iter().map(|p| &*p.name).collect(),
            inside: boxes.chain(curves.map(|c| &*c.actuator)).collect(),
        }
    }

    /// Returns the similarity of two boxes, from 0 to 1. Properties that both lack do not count.
    fn alike(&self, other: &Self) -> f64 {
        let (mut got, mut of) = (0.0, 0.0);
        let mut say = |weight: f64, part: f64| {
            got += weight * part;
            of += weight;
        };
        say(0.3, if self.name == other.name { 1.0 } else { 0.0 });
        say(0.15, if self.kind == other.kind { 1.0 } else { 0.0 });
        match (&self.lines, &other.lines) {
            (None, None) => {}
            (Some(a), Some(b)) => say(0.35, in_common(a, b)),
            _ => say(0.35, 0.0),
        }
        say(0.1, in_common(&self.ports, &other.ports));
        for (weight, a, b) in [(0.1, &self.parameters, &other.parameters), (0.3, &self.inside, &other.inside)] {
            if !a.is_empty() || !b.is_empty() {
                say(weight, in_common(a, b));
            }
        }
        got / of
    }
}

/// Returns the proportion of all items that are in both sets.
fn in_common(a: &HashSet<&str>, b: &HashSet<&str>) -> f64 {
    let both = a.intersection(b).count();
    let all = a.len() + b.len() - both;
    if all == 0 { 1.0 } else { both as f64 / all as f64 }
}
