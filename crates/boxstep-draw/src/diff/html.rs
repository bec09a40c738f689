//! The changes with both drawings side by side.

use super::{Change, Diff, Kind, Side, text};
use crate::level::Level;
use crate::page;
use crate::svg::{self, Sheet};
use crate::xml::Xml;
use boxstep_bodies::Body;
use boxstep_format::paths::BoxAt;
use std::collections::{HashMap, HashSet};

/// A box' places in both lists.
type At = (Option<usize>, Option<usize>);

impl Diff<'_> {
    /// One page: for each box with changes what they are, and where its inside changed both drawings.
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
        for at in kept.chain(gone) {
            let changes = of_box.remove(&at).unwrap_or_default();
            let inside = around.contains(&at) || changes.iter().any(|c| is_seen(c));
            if inside || !changes.is_empty() {
                self.section(&mut xml, at, &changes, inside, body);
            }
        }
        xml.finish() + "\n"
    }

    /// The boxes in whose diagrams something changed.
    fn parents(&self) -> HashSet<At> {
        let parent = |side: &Side<'_>, at: Option<usize>| side.place(side.boxes.get(at?)?.parent?);
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

    fn section(&self, xml: &mut Xml, at: At, changes: &[&Change], drawn: bool, body: &'static Body) {
        xml.tag("section").open();
        let (old, new) = (at.0.and_then(|i| self.old.boxes.get(i)), at.1.and_then(|i| self.new.boxes.get(i)));
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
        if drawn && old.is_some() && new.is_some() {
            xml.tag("div").attr("class", "pair").open();
            self.drawing(xml, "before", old, true, body);
            self.drawing(xml, "after", new, false, body);
            xml.close();
        }
        xml.close();
        xml.line();
    }

    fn drawing(&self, xml: &mut Xml, caption: &str, at: Option<&BoxAt<'_>>, is_old: bool, body: &'static Body) {
        let Some(at) = at else { return };
        let level = Level { at: at.clone(), keyframe: None };
        let parts = svg::parts(&level, body, &|d| self.marks(d, is_old));
        xml.tag("div").open();
        xml.leaf("h4", caption);
        let title = format!("{}, {caption}", at.path);
        let tag = xml.tag("div").attr("class", "scroll draw").attr("tabindex", "0");
        tag.attr("role", "region").attr("aria-label", &title).open();
        svg::sheet(xml, &parts, &Sheet { title: &title, note: "", standalone: false, anchors: None });
        xml.close();
        xml.close();
    }
}

/// Whether the drawing of the box shows it.
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
