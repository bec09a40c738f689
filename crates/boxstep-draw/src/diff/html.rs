//! The page with all changes and both drawings side by side.

use super::{At, Change, Diff, Kind, Version, matching, text, timeline};
use crate::level::{Anchors, Level};
use crate::page;
use crate::scene::{DiagramPlace, Mark, Marks, Scene, Spot};
use crate::svg::{self, Sheet};
use crate::xml::Xml;
use boxstep_bodies::Body;
use boxstep_format::model::{BoxDef, Timeline};
use boxstep_format::paths::BoxAt;
use std::collections::{HashMap, HashSet};

impl Diff<'_> {
    /// Returns an HTML page. For each box with changes it lists them, and if the contents of the box changed it shows
    /// both drawings.
    pub fn html(&self, old: &str, new: &str, body: &'static Body) -> String {
        let mut xml = page::begin(&format!("{old} and {new}"));
        xml.tag("main").attr("id", "main").attr("class", "alone").open();
        xml.leaf("h1", "What changed");
        xml.tag("p").attr("class", "soft").text(&format!("from {old} to {new}"));
        let count = |kind: Kind| self.changes.iter().filter(|c| c.kind == kind).count();
        let sum =
            format!("{} added, {} removed, {} changed", count(Kind::Added), count(Kind::Removed), count(Kind::Changed));
        xml.leaf("p", if self.is_same() { "Nothing: the behaviors are the same." } else { &sum });
        let mut of_box: HashMap<At, Vec<&Change>> = HashMap::new();
        for change in &self.changes {
            of_box.entry(change.at).or_default().push(change);
        }
        let around = self.parents();
        let kept = (0..self.new.boxes.len()).map(|new| (self.matching.old_of(new), Some(new)));
        let gone =
            (0..self.old.boxes.len()).filter(|old| self.matching.new_of(*old).is_none()).map(|old| (Some(old), None));
        let mut sections = Vec::new();
        for at in kept.chain(gone) {
            let changes = of_box.remove(&at).unwrap_or_default();
            let drawn = around.contains(&at) || changes.iter().any(|c| is_seen(c));
            if drawn || !changes.is_empty() {
                sections.push(Section { at, changes, drawn });
            }
        }
        let boxes = sections.iter().enumerate().flat_map(|(i, s)| {
            let (old, new) = self.boxes_at(s.at);
            old.into_iter().chain(new).map(move |b| (b.def, i))
        });
        let anchors = Anchors::numbered(boxes);
        if sections.len() > 1 {
            self.contents(&mut xml, &sections);
        }
        for (i, section) in sections.iter().enumerate() {
            self.section(&mut xml, i, section, &anchors, body);
        }
        xml.finish() + "\n"
    }

    fn boxes_at(&self, at: At) -> (Option<&BoxAt<'_>>, Option<&BoxAt<'_>>) {
        (at.0.and_then(|i| self.old.boxes.get(i)), at.1.and_then(|i| self.new.boxes.get(i)))
    }

    fn contents(&self, xml: &mut Xml, sections: &[Section<'_>]) {
        xml.tag("nav").attr("aria-label", "Boxes").open();
        xml.tag("ul").open();
        for (i, section) in sections.iter().enumerate() {
            let (old, new) = self.boxes_at(section.at);
            let path = new.or(old).map(|b| b.path.to_string()).unwrap_or_default();
            xml.tag("li").open();
            xml.tag("a").attr("href", &format!("#b{i}")).text(&path);
            xml.close();
        }
        xml.close();
        xml.close();
        xml.line();
    }

    /// Returns the boxes in whose diagrams something changed.
    fn parents(&self) -> HashSet<At> {
        let parent = |side: &Version<'_>, at: Option<usize>| side.place(side.boxes.get(at?)?.parent?);
        let mut found = HashSet::new();
        for change in &self.changes {
            if let Some(old) = parent(&self.old, change.at.0) {
                found.insert((Some(old), self.matching.new_of(old)));
            }
            if let Some(new) = parent(&self.new, change.at.1) {
                found.insert((self.matching.old_of(new), Some(new)));
            }
        }
        found
    }

    fn section(&self, xml: &mut Xml, i: usize, section: &Section<'_>, anchors: &Anchors, body: &'static Body) {
        let Section { at, changes, drawn } = section;
        xml.tag("section").attr("id", &format!("b{i}")).open();
        let (old, new) = self.boxes_at(*at);
        let path = new.or(old).map(|b| b.path.to_string()).unwrap_or_default();
        xml.leaf("h2", &path);
        if let Some(was) = old.map(|b| b.path.to_string()).filter(|was| *was != path) {
            xml.tag("p").attr("class", "soft").text(&format!("was {was}"));
        }
        if !changes.is_empty() {
            xml.tag("ul").attr("class", "changes").open();
            for change in changes {
                item(xml, change);
            }
            xml.close();
        }
        if let (true, Some(old), Some(new)) = (*drawn, old, new) {
            let (before, after) = self.marks(*at, (old.def, new.def), body);
            xml.tag("div").attr("class", "pair").open();
            drawing(xml, "before", old, &before, anchors, body);
            drawing(xml, "after", new, &after, anchors, body);
            xml.close();
        }
        xml.close();
        xml.line();
    }

    /// Returns what is highlighted in both drawings of a matched box.
    fn marks<'a>(&self, at: At, (old, new): (&'a BoxDef, &'a BoxDef), body: &Body) -> (Marks<'a>, Marks<'a>) {
        let (mut before, mut after) = (Marks::default(), Marks::default());
        for change in self.changes.iter().filter(|c| c.at == at) {
            for (marks, spot) in [(&mut before, change.spots.0), (&mut after, change.spots.1)] {
                marks.spots.extend(spot.map(|s| (s, change.kind.mark())));
            }
        }
        mark_boxes(&mut before, old, |def| {
            let place = self.old.place(def)?;
            let stayed = self.matching.new_of(place).is_some();
            if stayed { self.old.touched.contains(&place).then_some(Mark::Changed) } else { Some(Mark::Removed) }
        });
        mark_boxes(&mut after, new, |def| {
            let place = self.new.place(def)?;
            let was = self.matching.old_of(place).is_some();
            if was { self.new.touched.contains(&place).then_some(Mark::Changed) } else { Some(Mark::Added) }
        });
        if let (Some(a), Some(b)) = (&old.timeline, &new.timeline) {
            for (from, to) in matching::diagrams(a, b) {
                let diagram = |t: &'a Timeline, (l, k): DiagramPlace| &t.layers[l].keyframes[k].diagram;
                let room = Scene::room(old, diagram(a, from)).around(&Scene::room(new, diagram(b, to)));
                before.rooms.insert(from, room);
                after.rooms.insert(to, room);
            }
            let frames = svg::frames(a, body).zip(svg::frames(b, body)).map(|(x, y)| (x.0.min(y.0), x.1.max(y.1)));
            (before.frames, after.frames) = (frames, frames);
            let is_changed = |i: usize| {
                let on_it = |s: &Spot| matches!(s, Spot::Curve(c) | Spot::Key(c, _) if *c == i);
                after.spots.keys().any(on_it)
            };
            let both = timeline::matched_curves(a, b).into_iter().filter_map(|(i, j)| i.zip(j));
            let is_gone = |i: usize| before.spots.keys().any(|s| matches!(s, Spot::Key(c, _) if *c == i));
            let changed: Vec<_> = both.filter(|(i, j)| is_changed(*j) || is_gone(*i)).collect();
            after.was = changed.into_iter().filter_map(|(i, j)| Some((j, timeline::curves(a).get(i)?))).collect();
        }
        (before, after)
    }
}

/// A box that changed or contains changed boxes.
struct Section<'a> {
    at: At,
    changes: Vec<&'a Change>,
    drawn: bool,
}

impl Kind {
    fn mark(self) -> Mark {
        match self {
            Kind::Added => Mark::Added,
            Kind::Removed => Mark::Removed,
            Kind::Changed => Mark::Changed,
        }
    }
}

/// Marks the boxes in the diagrams of `def`, including those with changes only inside.
fn mark_boxes(marks: &mut Marks<'_>, def: &BoxDef, of: impl Fn(&BoxDef) -> Option<Mark>) {
    let layers = def.timeline.iter().flat_map(|t| &t.layers).enumerate();
    for (l, (k, keyframe)) in layers.flat_map(|(l, layer)| layer.keyframes.iter().enumerate().map(move |k| (l, k))) {
        for (i, inner) in keyframe.diagram.boxes.iter().enumerate() {
            marks.spots.extend(of(inner).map(|mark| (Spot::Box((l, k), i), mark)));
        }
    }
}

fn drawing(xml: &mut Xml, caption: &str, at: &BoxAt<'_>, marks: &Marks<'_>, anchors: &Anchors, body: &'static Body) {
    let level = Level::of_box(at.clone());
    let parts = svg::parts(&level, body, marks);
    xml.tag("div").open();
    xml.leaf("h4", caption);
    let title = format!("{}, {caption}", at.path);
    let tag = xml.tag("div").attr("class", "scroll draw").attr("tabindex", "0");
    tag.attr("role", "region").attr("aria-label", &title).open();
    let how = Sheet { title: &title, note: "", standalone: false, captioned: false, anchors: Some(anchors) };
    svg::sheet(xml, &parts, &how);
    xml.close();
    xml.close();
}

/// Returns true if the drawing of the box shows the change.
fn is_seen(change: &Change) -> bool {
    use super::What::{Curve, Input, Key, Keyframe, Layer, Link, Output, Timeline};
    matches!(change.what, Link | Input | Output | Layer | Keyframe | Timeline | Curve | Key)
}

fn item(xml: &mut Xml, change: &Change) {
    let class = match change.kind {
        Kind::Added => "added",
        Kind::Removed => "removed",
        Kind::Changed => "changed",
    };
    xml.tag("li").attr("class", class).open();
    xml.text(&text::words(change));
    if !change.lines.is_empty() {
        xml.tag("pre").attr("tabindex", "0").open();
        for line in &change.lines {
            let (words, _) = text::script_line(line);
            match line.tag {
                '+' => xml.tag("span").attr("class", "added").text(&words),
                '-' => xml.tag("span").attr("class", "removed").text(&words),
                _ => xml.text(&format!("{words}\n")),
            }
        }
        xml.close();
    }
    xml.close();
}
