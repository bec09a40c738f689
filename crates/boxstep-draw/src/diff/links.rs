//! Changes of links in matched diagrams, and of the order of boxes and links.

use super::matching::diagrams;
use super::notes::{Notes, Pair, pairs};
use super::{Diff, Kind, What, boxes};
use crate::scene::{DiagramPlace, Spot};
use crate::text::one_line;
use boxstep_format::model::{BoxDef, Diagram, Link};
use boxstep_format::paths;
use boxstep_format::resolve::{End, PortRef, Resolver};
use std::collections::HashMap;

/// The maximum number of pairs of a removed and an added link that are searched for moved links.
const MANY: usize = 1_000_000;

/// The identity of a box: its index in the new behavior if it is in both.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Place {
    Owner,
    Both(usize),
    Old(usize),
    New(usize),
    /// A box id that does not exist.
    Nowhere(i32),
}

/// The identity of a port: its index in the new box if it is in both.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum MatchedPort {
    Both(PortRef),
    Old(PortRef),
    /// A port id of a link that cannot be resolved.
    Number(i32),
}

type EndKey = (Place, MatchedPort);

struct ComparedLink {
    index: usize,
    from: EndKey,
    to: EndKey,
    words: String,
}

/// A diagram with the box that contains it and its place there.
#[derive(Clone, Copy)]
struct Inside<'a> {
    owner: &'a BoxDef,
    diagram: &'a Diagram,
    place: DiagramPlace,
}

impl Diff<'_> {
    /// Reports the changes in the diagrams of two matched boxes.
    pub(super) fn compare_diagrams(&mut self, old: usize, new: usize) {
        let (Some(a), Some(b)) = (self.old.boxes.get(old), self.new.boxes.get(new)) else { return };
        let (Some(x), Some(y)) = (&a.def.timeline, &b.def.timeline) else { return };
        let find = |def: &BoxDef, path, (l, k): DiagramPlace| {
            let all = paths::diagrams(path, def).into_iter();
            all.filter(|d| (d.layer, d.keyframe) == (l, k)).map(|d| d.path).next()
        };
        let mut notes = self.notes((Some(old), Some(new)));
        for (from, to) in diagrams(x, y) {
            let (Some(p), Some(q)) = (find(a.def, &a.path, from), find(b.def, &b.path, to)) else { continue };
            notes.was = (p != q).then(|| p.to_string());
            notes.path = q.to_string();
            let (d, e) = (&x.layers[from.0].keyframes[from.1].diagram, &y.layers[to.0].keyframes[to.1].diagram);
            let before = Inside { owner: a.def, diagram: d, place: from };
            let after = Inside { owner: b.def, diagram: e, place: to };
            self.diagram(&mut notes, before, after);
        }
        let found = notes.found;
        self.changes.extend(found);
    }

    fn diagram(&self, notes: &mut Notes, old: Inside<'_>, new: Inside<'_>) {
        let old_place = |d: &BoxDef| match self.old.place(d) {
            Some(i) => self.matching.new_of(i).map_or(Place::Old(i), Place::Both),
            None => Place::Owner,
        };
        let new_place = |d: &BoxDef| match self.new.place(d) {
            Some(i) => self.matching.old_of(i).map_or(Place::New(i), |_| Place::Both(i)),
            None => Place::Owner,
        };
        let (x, y) = (&old.diagram.boxes, &new.diagram.boxes);
        let before: Vec<Place> = x.iter().map(old_place).collect();
        let after: Vec<Place> = y.iter().map(new_place).collect();
        notes.order("boxes", &pairs(&before, &after, |p| *p));

        // The ports of matched boxes are matched, so that links to a renamed port are not reported as changed.
        let of_owner = ports(old.owner, new.owner);
        let of_boxes: Vec<HashMap<PortRef, PortRef>> = x
            .iter()
            .zip(&before)
            .map(|(def, place)| match place {
                Place::Both(i) => self.new.boxes.get(*i).map(|b| ports(def, b.def)).unwrap_or_default(),
                _ => HashMap::new(),
            })
            .collect();
        let old_end = |at: Option<usize>, port: PortRef| {
            let (place, known) = match at {
                None => (Place::Owner, Some(&of_owner)),
                Some(i) => (before.get(i).copied().unwrap_or(Place::Owner), of_boxes.get(i)),
            };
            (place, known.and_then(|k| k.get(&port)).map_or(MatchedPort::Old(port), |p| MatchedPort::Both(*p)))
        };
        let new_end = |at: Option<usize>, port: PortRef| {
            let place = at.and_then(|i| after.get(i).copied()).unwrap_or(Place::Owner);
            (place, MatchedPort::Both(port))
        };
        let (before, after) = (wires(old, &old_end), wires(new, &new_end));
        let found = pairs(&before, &after, |w| (w.from, w.to));
        notes.order("links", &found);
        links(notes, (&before, old.place), (&after, new.place), &found);
    }
}

/// Reports added, removed and moved links.
fn links(
    notes: &mut Notes,
    old: (&[ComparedLink], DiagramPlace),
    new: (&[ComparedLink], DiagramPlace),
    found: &[Pair],
) {
    let lost = found.iter().filter(|p| p.1.is_none()).filter_map(|p| old.0.get(p.0?));
    let fresh = found.iter().filter(|p| p.0.is_none()).filter_map(|p| new.0.get(p.1?));
    let (mut lost, mut fresh): (Vec<&ComparedLink>, Vec<&ComparedLink>) = (lost.collect(), fresh.collect());
    let few = lost.len().saturating_mul(fresh.len()) <= MANY;
    lost.retain(|gone| {
        let Some(at) = few.then(|| fresh.iter().position(|come| is_moved(gone, come))).flatten() else { return true };
        let come = fresh.remove(at);
        notes.spots = (Some(Spot::Link(old.1, gone.index)), Some(Spot::Link(new.1, come.index)));
        let (before, after) = (Some(gone.words.clone()), Some(come.words.clone()));
        notes.push(Kind::Changed, What::Link, come.words.clone(), before, after);
        false
    });
    for wire in fresh {
        notes.spots = (None, Some(Spot::Link(new.1, wire.index)));
        notes.push(Kind::Added, What::Link, wire.words.clone(), None, None);
    }
    for wire in lost {
        notes.spots = (Some(Spot::Link(old.1, wire.index)), None);
        notes.push(Kind::Removed, What::Link, wire.words.clone(), None, None);
    }
    notes.spots = (None, None);
}

/// Returns true if one end of the link is the same. A link of an added box is never a moved link of a removed box.
fn is_moved(gone: &ComparedLink, come: &ComparedLink) -> bool {
    let (before, after) = match (gone.from == come.from, gone.to == come.to) {
        (true, false) => (gone.to, come.to),
        (false, true) => (gone.from, come.from),
        _ => return false,
    };
    !matches!((before.0, after.0), (Place::Old(_), Place::New(_)))
}

/// Returns the matched ports of two matched boxes.
fn ports(old: &BoxDef, new: &BoxDef) -> HashMap<PortRef, PortRef> {
    let known = |pairs: Vec<Pair>, make: fn(usize) -> PortRef| {
        pairs.into_iter().filter_map(move |(i, j)| Some((make(i?), make(j?))))
    };
    let inputs = known(boxes::inputs(old, new), PortRef::Input);
    let outputs = known(boxes::outputs(old, new), PortRef::Output);
    inputs.chain(outputs).chain(known(boxes::parameters(old, new), PortRef::Parameter)).collect()
}

fn wires(inside: Inside<'_>, key: &dyn Fn(Option<usize>, PortRef) -> EndKey) -> Vec<ComparedLink> {
    let Inside { owner, diagram, .. } = inside;
    let resolver = Resolver::new(owner, diagram);
    let wire = |(index, link): (usize, &Link)| {
        let Ok(route) = resolver.route(index, link) else {
            let raw = |owner: i32, port: i32| (Place::Nowhere(owner), MatchedPort::Number(port));
            let (from, to) = (raw(link.from_box, link.from_port), raw(link.to_box, link.to_port));
            let words = format!("{}.{} → {}.{} (broken)", link.from_box, link.from_port, link.to_box, link.to_port);
            return ComparedLink { index, from, to, words };
        };
        let end = |end: End| match end {
            End::Parent(port) => (key(None, port), one_line(port.describe(owner).1)),
            End::Box(i, port) => {
                let words = diagram.boxes.get(i).map(|b| (one_line(&b.name), one_line(port.describe(b).1)));
                let (name, port_name) = words.unwrap_or_default();
                (key(Some(i), port), format!("{name}.{port_name}"))
            }
        };
        let ((from, from_words), (to, to_words)) = (end(route.from), end(route.to));
        ComparedLink { index, from, to, words: format!("{from_words} → {to_words}") }
    };
    diagram.links.iter().enumerate().map(wire).collect()
}
