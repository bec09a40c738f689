//! Which box of the new behavior is which of the old one.
//!
//! Diagram by diagram, from the root: the same id and name, then the same name, then the same id if
//! the boxes are alike, then whatever is alike enough. What is left over on both sides is looked for in
//! the whole file: a box that was moved to another diagram is the same box.

use boxstep_format::model::{BoxDef, Timeline};
use boxstep_format::paths::BoxAt;
use std::collections::{HashMap, HashSet};

/// How much alike two boxes are that are taken for one: with the same id, and without.
const SAME_ID: f64 = 0.5;
const STRANGER: f64 = 0.65;
/// More candidates than this are not compared one by one.
const MANY: usize = 64;

/// What two boxes must both have.
type Key = fn(&BoxDef) -> (i32, String);

/// Pairs of boxes, by their places in both lists.
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

/// Boxes with the places of their children, by layer and keyframe.
struct Tree<'a> {
    boxes: &'a [BoxAt<'a>],
    children: HashMap<(usize, usize, usize), Vec<usize>>,
}

impl<'a> Tree<'a> {
    fn new(boxes: &'a [BoxAt<'a>]) -> Self {
        let by_def: HashMap<*const BoxDef, usize> =
            boxes.iter().enumerate().map(|(i, b)| (std::ptr::from_ref(b.def), i)).collect();
        let mut children: HashMap<_, Vec<usize>> = HashMap::new();
        for (i, b) in boxes.iter().enumerate() {
            if let (Some(parent), Some(place)) =
                (b.parent.and_then(|p| by_def.get(&std::ptr::from_ref(p))), b.trail.last())
            {
                children.entry((*parent, place.layer, place.keyframe)).or_default().push(i);
            }
        }
        Self { boxes, children }
    }

    fn def(&self, i: usize) -> &'a BoxDef {
        self.boxes[i].def
    }

    fn of(&self, parent: usize, (layer, keyframe): (usize, usize)) -> Vec<usize> {
        self.children.get(&(parent, layer, keyframe)).cloned().unwrap_or_default()
    }
}

struct Work<'a> {
    old: Tree<'a>,
    new: Tree<'a>,
    found: Matching,
}

impl Work<'_> {
    /// The boxes inside two that are one. Not recursive: files nest as deep as they like.
    fn inside(&mut self, old: usize, new: usize) {
        let mut waiting = vec![(old, new)];
        while let Some((old, new)) = waiting.pop() {
            let (a, b) = (self.old.def(old).timeline.as_ref(), self.new.def(new).timeline.as_ref());
            let (Some(a), Some(b)) = (a, b) else { continue };
            for (from, to) in diagrams(a, b) {
                let (left, right) = (self.old.of(old, from), self.new.of(new, to));
                waiting.extend(self.diagram(left, right));
            }
        }
    }

    fn diagram(&mut self, left: Vec<usize>, right: Vec<usize>) -> Vec<(usize, usize)> {
        let mut joined = Vec::new();
        let mut left: Vec<usize> = left.into_iter().filter(|i| self.found.new_of(*i).is_none()).collect();
        let mut right: Vec<usize> = right.into_iter().filter(|i| self.found.old_of(*i).is_none()).collect();
        let rules: [Key; 2] = [|b| (b.id, b.name.to_string()), |b| (0, b.name.to_string())];
        for rule in rules {
            self.by_key(&mut left, &mut right, &mut joined, rule);
        }
        let alike = |work: &Self, a: usize, b: usize| {
            let (a, b) = (work.old.def(a), work.new.def(b));
            let enough = if a.id == b.id { SAME_ID } else { STRANGER };
            let score = alike(a, b);
            (score >= enough).then_some(score + if a.id == b.id { 0.2 } else { 0.0 })
        };
        if left.len() <= MANY && right.len() <= MANY {
            let mut scores = Vec::new();
            for &a in &left {
                scores.extend(right.iter().filter_map(|&b| alike(self, a, b).map(|s| (s, a, b))));
            }
            self.best(scores, &mut joined);
        }
        joined
    }

    fn by_key(&mut self, left: &mut Vec<usize>, right: &mut Vec<usize>, joined: &mut Vec<(usize, usize)>, key: Key) {
        let mut places: HashMap<(i32, String), std::collections::VecDeque<usize>> = HashMap::new();
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

    /// Joins the best pairs first.
    fn best(&mut self, mut scores: Vec<(f64, usize, usize)>, joined: &mut Vec<(usize, usize)>) {
        scores.sort_by(|x, y| y.0.total_cmp(&x.0).then((x.1, x.2).cmp(&(y.1, y.2))));
        for (_, a, b) in scores {
            if self.found.new_of(a).is_none() && self.found.old_of(b).is_none() {
                self.found.join(a, b);
                joined.push((a, b));
            }
        }
    }

    /// Boxes that went to another diagram: of the same name or with the same script, and alike.
    fn moved(&mut self) {
        let lost: Vec<usize> = (0..self.old.boxes.len()).filter(|i| self.found.new_of(*i).is_none()).collect();
        let fresh: Vec<usize> = (0..self.new.boxes.len()).filter(|i| self.found.old_of(*i).is_none()).collect();
        let mut by_word: HashMap<&str, Vec<usize>> = HashMap::new();
        for &b in &fresh {
            for word in words(self.new.def(b)) {
                by_word.entry(word).or_default().push(b);
            }
        }
        let mut scores = Vec::new();
        for &a in &lost {
            let mut seen = HashSet::new();
            for word in words(self.old.def(a)) {
                for &b in by_word.get(word).into_iter().flatten().take(MANY) {
                    let score = alike(self.old.def(a), self.new.def(b));
                    if seen.insert(b) && score >= STRANGER {
                        // Parents before children, so that a whole part moves as one.
                        scores.push((score - self.old.boxes[a].depth() as f64 * 1e-6, a, b));
                    }
                }
            }
        }
        scores.sort_by(|x, y| y.0.total_cmp(&x.0).then((x.1, x.2).cmp(&(y.1, y.2))));
        for (_, a, b) in scores {
            if self.found.new_of(a).is_none() && self.found.old_of(b).is_none() {
                self.found.join(a, b);
                self.inside(a, b);
            }
        }
    }
}

/// What a moved box is found by.
fn words(def: &BoxDef) -> Vec<&str> {
    let script = def.script.as_ref().map(|s| s.text.trim()).filter(|t| t.len() > 40);
    std::iter::once(def.name.trim()).filter(|n| !n.is_empty()).chain(script).collect()
}

/// Layer and keyframe of a diagram.
pub(super) type DiagramPlace = (usize, usize);

/// The diagrams of two timelines that are one.
pub(super) fn diagrams(a: &Timeline, b: &Timeline) -> Vec<(DiagramPlace, DiagramPlace)> {
    let mut found = Vec::new();
    for (l, m) in layers(a, b).into_iter().filter_map(|(l, m)| l.zip(m)) {
        for (k, j) in keyframes(a, b, l, m).into_iter().filter_map(|(k, j)| k.zip(j)) {
            found.push(((l, k), (m, j)));
        }
    }
    found
}

type Pairs = Vec<(Option<usize>, Option<usize>)>;

/// Layers by name; those that are left, in order.
pub(super) fn layers(a: &Timeline, b: &Timeline) -> Pairs {
    let mut found = super::pairs(&a.layers, &b.layers, |l| l.name.to_string());
    in_order(&mut found);
    found
}

/// Keyframes by name, then by frame; those that are left, in order.
pub(super) fn keyframes(a: &Timeline, b: &Timeline, l: usize, m: usize) -> Pairs {
    let (a, b) = (&a.layers[l].keyframes, &b.layers[m].keyframes);
    let mut found = super::pairs(a, b, |k| k.name.to_string());
    super::rename(&mut found, a, b, |k| k.index);
    if a.len() == b.len() {
        in_order(&mut found);
    }
    found
}

/// Joins what is left on both sides, the first with the first.
fn in_order(found: &mut Pairs) {
    let mut lost: std::collections::VecDeque<usize> =
        found.iter().filter(|p| p.1.is_none()).filter_map(|p| p.0).collect();
    found.retain(|p| p.1.is_some());
    for pair in found.iter_mut().filter(|p| p.0.is_none()) {
        pair.0 = lost.pop_front();
    }
    found.extend(lost.into_iter().map(|i| (Some(i), None)));
}

/// 0 to 1: how much two boxes have in common. What both lack says nothing.
pub(super) fn alike(a: &BoxDef, b: &BoxDef) -> f64 {
    let (mut got, mut of) = (0.0, 0.0);
    let mut say = |weight: f64, part: f64| {
        got += weight * part;
        of += weight;
    };
    say(0.3, if a.name == b.name { 1.0 } else { 0.0 });
    say(0.15, if crate::scene::kind(a) == crate::scene::kind(b) { 1.0 } else { 0.0 });
    let text = |d: &BoxDef| d.script.as_ref().map(|s| s.text.clone()).filter(|t| !t.trim().is_empty());
    match (text(a), text(b)) {
        (None, None) => {}
        (Some(a), Some(b)) => say(0.35, in_common(a.lines().map(str::trim), b.lines().map(str::trim))),
        _ => say(0.35, 0.0),
    }
    let ports = |d: &BoxDef| {
        d.inputs.iter().map(|p| p.name.clone()).chain(d.outputs.iter().map(|p| p.name.clone())).collect::<Vec<_>>()
    };
    say(0.1, in_common(ports(a).iter().map(|p| &**p), ports(b).iter().map(|p| &**p)));
    if !a.parameters.is_empty() || !b.parameters.is_empty() {
        say(0.1, in_common(a.parameters.iter().map(|p| &*p.name), b.parameters.iter().map(|p| &*p.name)));
    }
    let inner = |d: &BoxDef| -> Vec<String> {
        let layers = d.timeline.iter().flat_map(|t| &t.layers).flat_map(|l| &l.keyframes);
        let curves = d.timeline.iter().flat_map(|t| &t.actuators).flat_map(|l| &l.curves);
        let boxes = layers.flat_map(|k| &k.diagram.boxes).map(|b| b.name.to_string());
        boxes.chain(curves.map(|c| c.actuator.to_string())).collect()
    };
    let (x, y) = (inner(a), inner(b));
    if !x.is_empty() || !y.is_empty() {
        say(0.3, in_common(x.iter().map(String::as_str), y.iter().map(String::as_str)));
    }
    got / of
}

/// Parts of all different items that both have.
fn in_common<'a>(a: impl Iterator<Item = &'a str>, b: impl Iterator<Item = &'a str>) -> f64 {
    let (a, b): (HashSet<&str>, HashSet<&str>) = (a.collect(), b.collect());
    let all = a.union(&b).count();
    if all == 0 { 1.0 } else { a.intersection(&b).count() as f64 / all as f64 }
}
