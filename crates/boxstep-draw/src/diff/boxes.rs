//! What differs between two boxes that are one, and what a box alone is.

use super::{Diff, Kind, Notes, What, matching, pairs, rename, script};
use crate::level::has_inside;
use crate::text::one_line;
use crate::tree::content as words;
use boxstep_format::model::{BoxDef, Input, NO_ID, Output, Parameter, Resource, Script};

impl Diff<'_> {
    /// A box that is in one behavior only. Boxes inside it are not told again, unless they came from or
    /// went to somewhere else.
    pub(super) fn alone(&mut self, kind: Kind, at: (Option<usize>, Option<usize>)) {
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

    /// Two boxes that are one.
    pub(super) fn pair(&mut self, old: usize, new: usize) {
        let (Some(a), Some(b)) = (self.old.boxes.get(old), self.new.boxes.get(new)) else { return };
        let mut notes = self.notes((Some(old), Some(new)));
        let place = |b: &boxstep_format::paths::BoxAt<'_>| b.path.parent().map_or_else(String::new, |p| p.to_string());
        if self.moved(old, new) {
            notes.field(What::Place, "diagram", place(a), place(b));
        }
        let (a, b) = (a.def, b.def);
        notes.field(What::Name, "name", one_line(&a.name), one_line(&b.name));
        let position = |d: &BoxDef| format!("({}, {})", d.x, d.y);
        notes.field(What::Position, "position", position(a), position(b));
        notes.details(a, b);
        let plugin =
            |side: &super::Side<'_>, d: &BoxDef| d.plugin_content.map(|s| side.file.sources.slice(s).to_owned());
        if plugin(&self.old, a) != plugin(&self.new, b) {
            notes.push(Kind::Changed, What::Detail, "data of the editor plugin", None, None);
        }
        notes.inputs(a, b);
        notes.outputs(a, b);
        notes.parameters(a, b);
        notes.resources(&a.resources, &b.resources);
        notes.scripts(a.script.as_ref(), b.script.as_ref());
        notes.timelines(a, b);
        let found = std::mem::take(&mut notes.found);
        self.changes.extend(found);
        self.insides(old, new);
    }

    /// Whether the box stands in another diagram than before.
    fn moved(&self, old: usize, new: usize) -> bool {
        let (Some(a), Some(b)) = (self.old.boxes.get(old), self.new.boxes.get(new)) else { return false };
        let parent = |side: &super::Side<'_>, p: Option<&BoxDef>| p.and_then(|p| side.place(p));
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

/// A box in a few words.
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
        text.push_str(&format!(", {script} script line{}", words::plural(script)));
    }
    text
}

fn id(id: i32) -> String {
    if id == NO_ID { "none".to_owned() } else { id.to_string() }
}

fn flag(on: bool) -> &'static str {
    if on { "yes" } else { "no" }
}

pub(super) fn or_none<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(|| "none".to_owned(), |v| v.to_string())
}

impl Notes {
    fn details(&mut self, a: &BoxDef, b: &BoxDef) {
        self.field(What::Detail, "id", id(a.id), id(b.id));
        self.field(What::Detail, "tooltip", one_line(&a.tooltip), one_line(&b.tooltip));
        self.field(What::Detail, "editor plugin", &*a.plugin, &*b.plugin);
        self.field(What::Detail, "dialog file", or_none(a.dialog_file.as_ref()), or_none(b.dialog_file.as_ref()));
        self.field(What::Detail, "images", a.bitmaps.join(", "), b.bitmaps.join(", "));
        self.field(What::Detail, "localization", or_none(a.localization), or_none(b.localization));
        self.field(What::Detail, "robot", or_none(a.robot.as_ref()), or_none(b.robot.as_ref()));
        self.field(What::Detail, "image shown large", or_none(a.bitmap_expanded), or_none(b.bitmap_expanded));
    }

    fn inputs(&mut self, a: &BoxDef, b: &BoxDef) {
        let mut found = pairs(&a.inputs, &b.inputs, |p| p.name.to_string());
        rename(&mut found, &a.inputs, &b.inputs, |p| p.id);
        for pair in found {
            let (old, new) = (pair.0.and_then(|i| a.inputs.get(i)), pair.1.and_then(|j| b.inputs.get(j)));
            self.port(What::Input, old.map(Port::input), new.map(Port::input));
        }
    }

    fn outputs(&mut self, a: &BoxDef, b: &BoxDef) {
        let mut found = pairs(&a.outputs, &b.outputs, |p| p.name.to_string());
        rename(&mut found, &a.outputs, &b.outputs, |p| p.id);
        for pair in found {
            let (old, new) = (pair.0.and_then(|i| a.outputs.get(i)), pair.1.and_then(|j| b.outputs.get(j)));
            self.port(What::Output, old.map(Port::output), new.map(Port::output));
        }
    }

    fn port(&mut self, what: What, old: Option<Port>, new: Option<Port>) {
        match (old, new) {
            (None, Some(new)) => self.added(what, &new.name, new.about),
            (Some(old), None) => self.removed(what, &old.name, old.about),
            (Some(old), Some(new)) => {
                let name = new.name.clone();
                self.field(what, &name, old.about, new.about);
                self.field(what, &format!("{name}, id"), old.id, new.id);
                self.field(what, &format!("{name}, from inside only"), old.inner, new.inner);
                self.field(what, &format!("{name}, tooltip"), old.tooltip, new.tooltip);
            }
            (None, None) => {}
        }
    }

    fn parameters(&mut self, a: &BoxDef, b: &BoxDef) {
        let mut found = pairs(&a.parameters, &b.parameters, |p| p.name.to_string());
        rename(&mut found, &a.parameters, &b.parameters, |p| p.id);
        for (old, new) in found {
            match (old.and_then(|i| a.parameters.get(i)), new.and_then(|j| b.parameters.get(j))) {
                (None, Some(new)) => self.added(What::Parameter, &one_line(&new.name), value(new)),
                (Some(old), None) => self.removed(What::Parameter, &one_line(&old.name), value(old)),
                (Some(old), Some(new)) => self.parameter(old, new),
                (None, None) => {}
            }
        }
    }

    fn parameter(&mut self, a: &Parameter, b: &Parameter) {
        let name = one_line(&b.name);
        let hidden = a.password || b.password;
        if hidden && a.value != b.value {
            self.push(Kind::Changed, What::Parameter, format!("{name} (not shown)"), None, None);
        } else if !hidden {
            self.field(What::Parameter, &name, &*a.value, &*b.value);
        }
        if !hidden {
            self.field(What::Parameter, &format!("{name}, default"), &*a.default_value, &*b.default_value);
        } else if a.default_value != b.default_value {
            self.push(Kind::Changed, What::Parameter, format!("{name}, default (not shown)"), None, None);
        }
        let number = |v: Option<f64>| v.map_or_else(|| "none".to_owned(), |v| v.to_string());
        let kind = |p: &Parameter| words::parameter_type(p.content_type).to_owned();
        let rows: [(&str, String, String); 9] = [
            ("name", one_line(&a.name), name.clone()),
            ("id", id(a.id), id(b.id)),
            ("type", kind(a), kind(b)),
            ("min", number(a.min), number(b.min)),
            ("max", number(a.max), number(b.max)),
            ("from parent", flag(a.inherits_from_parent).to_owned(), flag(b.inherits_from_parent).to_owned()),
            ("own choice", flag(a.custom_choice).to_owned(), flag(b.custom_choice).to_owned()),
            ("hidden", flag(a.password).to_owned(), flag(b.password).to_owned()),
            ("choices", a.choices.join(", "), b.choices.join(", ")),
        ];
        for (property, before, after) in rows {
            self.field(What::Parameter, &format!("{name}, {property}"), before, after);
        }
        self.field(What::Parameter, &format!("{name}, tooltip"), &*a.tooltip, &*b.tooltip);
    }

    pub(super) fn resources(&mut self, a: &[Resource], b: &[Resource]) {
        let about = |r: &Resource| {
            let text = words::resource(r);
            text.split_once(": ").map_or(text.clone(), |(_, about)| about.to_owned())
        };
        for (old, new) in pairs(a, b, |r| r.name.to_string()) {
            match (old.and_then(|i| a.get(i)), new.and_then(|j| b.get(j))) {
                (None, Some(new)) => self.added(What::Resource, &one_line(&new.name), about(new)),
                (Some(old), None) => self.removed(What::Resource, &one_line(&old.name), about(old)),
                (Some(old), Some(new)) => self.field(What::Resource, &one_line(&new.name), about(old), about(new)),
                (None, None) => {}
            }
        }
    }

    fn scripts(&mut self, a: Option<&Script>, b: Option<&Script>) {
        let language = |s: Option<&Script>| s.map_or("none", |s| words::language(s.language)).to_owned();
        if a.is_some() && b.is_some() {
            self.field(What::Script, "language", language(a), language(b));
        }
        let text = |s: Option<&Script>| s.map(|s| s.text.to_string()).unwrap_or_default();
        let (old, new) = (text(a), text(b));
        if old == new {
            return;
        }
        let lines = script::lines(&old, &new);
        let count = |tag: char| lines.iter().filter(|l| l.tag == tag).count();
        let kind = match (old.is_empty(), new.is_empty()) {
            (true, false) => Kind::Added,
            (false, true) => Kind::Removed,
            _ => Kind::Changed,
        };
        let (plus, minus) = (count('+'), count('-'));
        let name = format!("{}, {plus} line{} added, {minus} removed", language(b.or(a)), words::plural(plus));
        self.push(kind, What::Script, name, None, None);
        if let Some(change) = self.found.last_mut() {
            change.lines = lines;
        }
    }
}

/// What there is to compare of a port.
struct Port {
    name: String,
    about: String,
    id: String,
    inner: &'static str,
    tooltip: String,
}

impl Port {
    fn input(p: &Input) -> Self {
        let about = words::input(p);
        Self { name: one_line(&p.name), about, id: id(p.id), inner: flag(p.inner), tooltip: one_line(&p.tooltip) }
    }

    fn output(p: &Output) -> Self {
        let about = words::output(p);
        Self { name: one_line(&p.name), about, id: id(p.id), inner: flag(p.inner), tooltip: one_line(&p.tooltip) }
    }
}

/// The value of a parameter, as far as it may be seen.
fn value(p: &Parameter) -> String {
    let value = if p.password { "…" } else { &*p.value };
    format!("{value} ({})", words::parameter_type(p.content_type))
}
