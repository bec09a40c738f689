//! Changes of matched boxes, and descriptions of added and removed ones.

use super::notes::{Exact, Notes, Pair, or_none, pairs, rename};
use super::{Diff, Kind, What, matching, script};
use crate::level::has_inside;
use crate::scene::Spot;
use crate::text::{one_line, plural};
use crate::tree::content as words;
use boxstep_format::model::{BoxDef, Input, NO_ID, Output, Parameter, Resource, Script};
use boxstep_format::resolve::PortRef;

impl Diff<'_> {
    /// Reports a box that is in one behavior only. Boxes inside it are not reported again, unless they were moved from
    /// or to another box.
    pub(super) fn unmatched(&mut self, kind: Kind, at: (Option<usize>, Option<usize>)) {
        let side = if kind == Kind::Added { &self.new } else { &self.old };
        let Some(here) = at.0.or(at.1).and_then(|i| side.boxes.get(i)) else { return };
        let parent_alone = here.parent.is_some_and(|p| {
            let place = side.place(p);
            let other = |i: usize| if kind == Kind::Added { self.matching.old_of(i) } else { self.matching.new_of(i) };
            place.is_some_and(|i| other(i).is_none())
        });
        if parent_alone {
            return;
        }
        let (name, about) = (one_line(&here.def.name), about(here.def));
        let mut notes = self.notes(at);
        match kind {
            Kind::Added => notes.added(What::Box, &name, about),
            _ => notes.removed(What::Box, &name, about),
        }
        self.changes.extend(notes.found);
    }

    /// Reports the changes between two matched boxes.
    pub(super) fn compare_boxes(&mut self, old: usize, new: usize) {
        let (Some(a), Some(b)) = (self.old.boxes.get(old), self.new.boxes.get(new)) else { return };
        let mut notes = self.notes((Some(old), Some(new)));
        let place = |b: &boxstep_format::paths::BoxAt<'_>| b.path.parent().map_or_else(String::new, |p| p.to_string());
        if self.moved(old, new) {
            notes.text(What::Place, "diagram", &place(a), &place(b));
        }
        let (a, b) = (a.def, b.def);
        notes.text(What::Name, "name", &a.name, &b.name);
        let position = |d: &BoxDef| (Exact(d.x), Exact(d.y));
        notes.field(What::Position, "position", &position(a), &position(b), |(x, y)| format!("({}, {})", x.0, y.0));
        notes.details(a, b);
        let plugin =
            |side: &super::Version<'_>, d: &BoxDef| d.plugin_content.map(|s| side.file.sources.slice(s).to_owned());
        if plugin(&self.old, a) != plugin(&self.new, b) {
            notes.push(Kind::Changed, What::Detail, "data of the editor plugin", None, None);
        }
        notes.inputs(a, b);
        notes.outputs(a, b);
        notes.parameters(a, b);
        notes.resources("resources", &a.resources, &b.resources);
        notes.scripts(a.script.as_ref(), b.script.as_ref());
        notes.timelines(a, b);
        let found = std::mem::take(&mut notes.found);
        self.changes.extend(found);
        self.compare_diagrams(old, new);
    }

    /// Returns true if the box is in another diagram than before.
    fn moved(&self, old: usize, new: usize) -> bool {
        let (Some(a), Some(b)) = (self.old.boxes.get(old), self.new.boxes.get(new)) else { return false };
        let parent = |side: &super::Version<'_>, p: Option<&BoxDef>| p.and_then(|p| side.place(p));
        let (pa, pb) = (parent(&self.old, a.parent), parent(&self.new, b.parent));
        if pa.map(|p| self.matching.new_of(p)) != pb.map(Some) {
            return true;
        }
        let (Some(x), Some(y)) =
            (a.parent.and_then(|p| p.timeline.as_ref()), b.parent.and_then(|p| p.timeline.as_ref()))
        else {
            return false;
        };
        let at = |b: &boxstep_format::paths::BoxAt<'_>| b.trail.last().map(|p| (p.layer, p.keyframe));
        let (Some(from), Some(to)) = (at(a), at(b)) else { return false };
        !matching::diagrams(x, y).contains(&(from, to))
    }
}

/// Describes a box in a few words.
fn about(def: &BoxDef) -> String {
    let mut text = format!("{} box", crate::scene::kind(def).word());
    if has_inside(def) {
        let inner = |d: &BoxDef| {
            d.timeline
                .iter()
                .flat_map(|t| &t.layers)
                .flat_map(|l| &l.keyframes)
                .map(|k| k.diagram.boxes.len())
                .sum::<usize>()
        };
        match inner(def) {
            0 => {}
            1 => text.push_str(" with 1 box inside"),
            n => text.push_str(&format!(" with {n} boxes inside")),
        }
    }
    let script = def.script.as_ref().map_or(0, words::script_lines);
    if script > 0 {
        text.push_str(&format!(", {script} script line{}", plural(script)));
    }
    text
}

fn id(id: &i32) -> String {
    if *id == NO_ID { "none".to_owned() } else { id.to_string() }
}

/// Matches inputs by name, then by id.
pub(super) fn inputs(a: &BoxDef, b: &BoxDef) -> Vec<Pair> {
    let mut found = pairs(&a.inputs, &b.inputs, |p| p.name.clone());
    rename(&mut found, &a.inputs, &b.inputs, |p| p.id);
    found
}

/// Matches outputs by name, then by id.
pub(super) fn outputs(a: &BoxDef, b: &BoxDef) -> Vec<Pair> {
    let mut found = pairs(&a.outputs, &b.outputs, |p| p.name.clone());
    rename(&mut found, &a.outputs, &b.outputs, |p| p.id);
    found
}

/// Matches parameters by name, then by id.
pub(super) fn parameters(a: &BoxDef, b: &BoxDef) -> Vec<Pair> {
    let mut found = pairs(&a.parameters, &b.parameters, |p| p.name.clone());
    rename(&mut found, &a.parameters, &b.parameters, |p| p.id);
    found
}

impl Notes {
    fn details(&mut self, a: &BoxDef, b: &BoxDef) {
        self.field(What::Detail, "id", &a.id, &b.id, id);
        self.text(What::Detail, "tooltip", &a.tooltip, &b.tooltip);
        self.text(What::Detail, "editor plugin", &a.plugin, &b.plugin);
        self.field(What::Detail, "dialog file", &a.dialog_file, &b.dialog_file, or_none);
        self.field(What::Detail, "images", &a.bitmaps, &b.bitmaps, |all| all.join(", "));
        self.field(What::Detail, "localization", &a.localization, &b.localization, or_none);
        self.field(What::Detail, "robot", &a.robot, &b.robot, or_none);
        self.field(What::Detail, "image shown large", &a.bitmap_expanded, &b.bitmap_expanded, or_none);
    }

    fn inputs(&mut self, a: &BoxDef, b: &BoxDef) {
        let found = inputs(a, b);
        self.order("inputs", &found);
        for (i, j) in found {
            self.spots = (i.map(|i| Spot::Port(PortRef::Input(i))), j.map(|j| Spot::Port(PortRef::Input(j))));
            let (old, new) = (i.and_then(|i| a.inputs.get(i)), j.and_then(|j| b.inputs.get(j)));
            self.port(What::Input, old.map(ComparedPort::input), new.map(ComparedPort::input));
        }
        self.spots = (None, None);
    }

    fn outputs(&mut self, a: &BoxDef, b: &BoxDef) {
        let found = outputs(a, b);
        self.order("outputs", &found);
        for (i, j) in found {
            self.spots = (i.map(|i| Spot::Port(PortRef::Output(i))), j.map(|j| Spot::Port(PortRef::Output(j))));
            let (old, new) = (i.and_then(|i| a.outputs.get(i)), j.and_then(|j| b.outputs.get(j)));
            self.port(What::Output, old.map(ComparedPort::output), new.map(ComparedPort::output));
        }
        self.spots = (None, None);
    }

    fn port(&mut self, what: What, old: Option<ComparedPort<'_>>, new: Option<ComparedPort<'_>>) {
        match (old, new) {
            (None, Some(new)) => self.added(what, &one_line(new.name), new.about),
            (Some(old), None) => self.removed(what, &one_line(old.name), old.about),
            (Some(old), Some(new)) => {
                let name = one_line(new.name);
                self.text(what, &format!("{name}, name"), old.name, new.name);
                self.text(what, &name, &old.about, &new.about);
                self.field(what, &format!("{name}, memory key"), &old.key, &new.key, or_none);
                self.field(what, &format!("{name}, id"), &old.id, &new.id, id);
                self.flag(what, &format!("{name}, from inside only"), old.inner, new.inner);
                self.text(what, &format!("{name}, tooltip"), old.tooltip, new.tooltip);
            }
            (None, None) => {}
        }
    }

    fn parameters(&mut self, a: &BoxDef, b: &BoxDef) {
        let found = parameters(a, b);
        self.order("parameters", &found);
        for (i, j) in found {
            self.spots = (i.map(|i| Spot::Port(PortRef::Parameter(i))), j.map(|j| Spot::Port(PortRef::Parameter(j))));
            match (i.and_then(|i| a.parameters.get(i)), j.and_then(|j| b.parameters.get(j))) {
                (None, Some(new)) => self.added(What::Parameter, &one_line(&new.name), value(new)),
                (Some(old), None) => self.removed(What::Parameter, &one_line(&old.name), value(old)),
                (Some(old), Some(new)) => self.parameter(old, new),
                (None, None) => {}
            }
        }
        self.spots = (None, None);
    }

    fn parameter(&mut self, a: &Parameter, b: &Parameter) {
        const WHAT: What = What::Parameter;
        let name = one_line(&b.name);
        let own = |property: &str| format!("{name}, {property}");
        // For values that the editor hides, only the fact that they changed is reported.
        let hidden = a.password || b.password;
        let mut secret = |name: &str, same: bool| {
            if !same {
                self.push(Kind::Changed, WHAT, format!("{name} (not shown)"), None, None);
            }
        };
        if hidden {
            secret(&name, a.value == b.value);
            secret(&own("default"), a.default_value == b.default_value);
            secret(&own("choices"), a.choices == b.choices);
        } else {
            self.text(WHAT, &name, &a.value, &b.value);
            self.text(WHAT, &own("default"), &a.default_value, &b.default_value);
            self.field(WHAT, &own("choices"), &a.choices, &b.choices, |all| all.join(", "));
        }
        self.text(WHAT, &own("name"), &a.name, &b.name);
        self.field(WHAT, &own("id"), &a.id, &b.id, id);
        self.field(WHAT, &own("type"), &a.content_type, &b.content_type, |t| words::exact_parameter_type(*t));
        for (property, before, after) in [("min", a.min, b.min), ("max", a.max, b.max)] {
            let number = |v: &Option<Exact>| or_none(&v.map(|v| v.0));
            self.field(WHAT, &own(property), &before.map(Exact), &after.map(Exact), number);
        }
        self.flag(WHAT, &own("from parent"), a.inherits_from_parent, b.inherits_from_parent);
        self.flag(WHAT, &own("own choice"), a.custom_choice, b.custom_choice);
        self.flag(WHAT, &own("hidden"), a.password, b.password);
        self.text(WHAT, &own("tooltip"), &a.tooltip, &b.tooltip);
    }

    pub(super) fn resources(&mut self, list: &str, a: &[Resource], b: &[Resource]) {
        let found = pairs(a, b, |r| r.name.clone());
        self.order(list, &found);
        for (old, new) in found {
            match (old.and_then(|i| a.get(i)), new.and_then(|j| b.get(j))) {
                (None, Some(new)) => self.added(What::Resource, &one_line(&new.name), words::resource_about(new)),
                (Some(old), None) => self.removed(What::Resource, &one_line(&old.name), words::resource_about(old)),
                (Some(old), Some(new)) => {
                    let name = one_line(&new.name);
                    let wish = |r: &Resource| (r.mode, words::resource_mode(r).to_owned(), Exact(r.timeout));
                    self.field(What::Resource, &name, &wish(old), &wish(new), |(_, mode, timeout)| {
                        format!("{mode}, {}", words::resource_wait(timeout.0))
                    });
                    if old.mode.is_some() && old.mode == new.mode {
                        self.text(What::Resource, &format!("{name}, mode"), &old.mode_text, &new.mode_text);
                    }
                }
                (None, None) => {}
            }
        }
    }

    fn scripts(&mut self, a: Option<&Script>, b: Option<&Script>) {
        let say = |l: &Option<_>| l.map_or_else(|| "none".to_owned(), words::exact_language);
        let language = |s: Option<&Script>| s.map(|s| s.language);
        let text = |s: Option<&Script>| s.map(|s| s.text.clone()).unwrap_or_default();
        let (old, new) = (text(a), text(b));
        // The report of a script that was added or removed includes its language.
        if old == new || (a.is_some() && b.is_some()) {
            self.field(What::Script, "language", &language(a), &language(b), say);
        }
        if old == new {
            return;
        }
        let script_diff = script::compare(&old, &new);
        let kind = match (old.is_empty(), new.is_empty()) {
            (true, false) => Kind::Added,
            (false, true) => Kind::Removed,
            _ => Kind::Changed,
        };
        let name = [say(&language(b.or(a)))].into_iter().chain(script_diff.words).collect::<Vec<_>>().join(", ");
        self.push(kind, What::Script, name, None, None);
        if let Some(change) = self.found.last_mut() {
            change.lines = script_diff.lines;
        }
    }
}

/// The properties of a port that are compared.
struct ComparedPort<'a> {
    name: &'a str,
    about: String,
    key: Option<&'a str>,
    id: i32,
    inner: bool,
    tooltip: &'a str,
}

impl<'a> ComparedPort<'a> {
    fn input(p: &'a Input) -> Self {
        let about = words::exact_port(words::input_nature(p.nature), p.port_type, p.type_size);
        let key = p.memory_key.as_deref();
        Self { name: &p.name, about, key, id: p.id, inner: p.inner, tooltip: &p.tooltip }
    }

    fn output(p: &'a Output) -> Self {
        let about = words::exact_port(words::output_nature(p.nature), p.port_type, p.type_size);
        Self { name: &p.name, about, key: None, id: p.id, inner: p.inner, tooltip: &p.tooltip }
    }
}

/// Returns the value of a parameter, unless it is hidden, and its type.
fn value(p: &Parameter) -> String {
    let value = if p.password { "…" } else { &*p.value };
    format!("{value} ({})", words::parameter_type(p.content_type))
}
