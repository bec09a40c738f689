//! Writing of a `.xar` as the files of a folder.

use super::links::{Ports, written};
use super::names::{Names, names, state, unplayed};
use super::xml::{
    BOX_ATTRIBUTES, DIAGRAM_ATTRIBUTES, PORT_ATTRIBUTES, SCRIPT_PLACE, STATE_ELEMENTS, Sheet, TIMELINE_ELEMENTS, Tag,
    guarded, local,
};
use super::{Folder, MAIN, machine};
use crate::error::{FormatError, Problem};
use crate::model::{BoxDef, Diagram, Timeline};
use crate::raw::{RawKind, RawNode};
use crate::states::{Member, State, never_played, size, states};
use crate::{Limits, XarFile};
use std::collections::HashMap;

/// Returns the files of a split folder. The limit on bytes applies to all of them together, because a diagram is
/// repeated in every state that it lasts through.
pub fn write(file: &XarFile, limits: &Limits) -> Result<Folder, FormatError> {
    let view = file.raw.view(file.sources.text(file.file));
    let nowhere = |problem| FormatError::nowhere(problem, file.sources.clone());
    let root = view.root().ok_or_else(|| nowhere(Problem::NoRootBox))?;
    let prefix = root.name().rfind(':').map_or("", |i| &root.name()[..=i]);
    // Names and states come from the model. For a `.xar` it was read from this very text; for a split folder its spans
    // are in the folder's files, but its content is the same.
    let project = &file.project;
    let names = names(&project.root);
    let mut writer = Writer { prefix, folder: Folder::new(), bytes: 0, most: limits.bytes, too_many: false };
    let root_box = root.elements().find(|n| writer.is(*n, "Box")).ok_or_else(|| nowhere(Problem::NoRootBox))?;
    writer.project(view.top_level().collect(), root, root_box);
    writer.put("main.py".into(), MAIN.as_bytes().to_vec());
    writer.a_box(root_box, &project.root, &names);
    if writer.too_many {
        return Err(nowhere(Problem::Limit("bytes of a split folder", limits.bytes)));
    }
    Ok(writer.folder)
}

pub(super) struct Writer<'a> {
    prefix: &'a str,
    folder: Folder,
    bytes: usize,
    most: usize,
    too_many: bool,
}

/// The timeline that is being written.
pub(super) struct TimelineWriter<'a> {
    pub(super) of: &'a str,
    pub(super) def: &'a BoxDef,
    pub(super) timeline: &'a Timeline,
    pub(super) names: &'a Names,
    /// The `Diagram` elements, by keyframe.
    pub(super) diagrams: HashMap<Member, RawNode<'a>>,
}

impl<'a> TimelineWriter<'a> {
    pub(super) fn diagram(&self, m: Member) -> &'a Diagram {
        &self.timeline.layers[m.layer].keyframes[m.keyframe].diagram
    }

    pub(super) fn names_of(&self, m: Member) -> &'a [Names] {
        &self.names.inside[m.layer][m.keyframe]
    }
}

impl<'a> Writer<'a> {
    /// The element's name without the root's prefix.
    fn name(&self, node: RawNode<'a>) -> &'a str {
        let name = node.name();
        name.strip_prefix(self.prefix).unwrap_or(name)
    }

    pub(super) fn is(&self, node: RawNode<'a>, name: &str) -> bool {
        node.kind() == RawKind::Element && self.name(node) == name
    }

    pub(super) fn put(&mut self, name: String, bytes: Vec<u8>) {
        self.bytes = self.bytes.saturating_add(bytes.len());
        self.too_many |= self.bytes > self.most;
        if !self.too_many {
            self.folder.insert(name, bytes);
        }
    }

    /// Writes the file for everything around the root box, unless that is the usual root element.
    fn project(&mut self, top: Vec<RawNode<'a>>, root: RawNode<'a>, root_box: RawNode<'a>) {
        let around = top.into_iter().filter(|n| !n.source().starts_with("<?xml "));
        let around: Vec<RawNode<'a>> = around.collect();
        let mut attributes: Vec<(&str, String)> = root.attributes().map(|a| (a.name(), a.value().into())).collect();
        attributes.sort_unstable();
        let usual = around.len() == 1
            && root.name() == "ChoregrapheProject"
            && root.children().count() == 1
            && attributes == [("xar_version", "3".to_owned()), ("xmlns", NAMESPACE.to_owned())];
        if usual {
            return;
        }
        let mut sheet = Sheet::new();
        for node in around {
            if node.kind() != RawKind::Element {
                sheet.copy(node, node.name());
                continue;
            }
            sheet.open(Tag::new(root.name()).all(root), false);
            for child in root.children() {
                if child.range() == root_box.range() {
                    sheet.open(Tag::new(child.name()), true);
                } else {
                    sheet.copy(child, child.name());
                }
            }
            sheet.close(root.name());
        }
        self.put(format!("{}_project.xml", super::ROOT), sheet.finish());
    }

    fn a_box(&mut self, node: RawNode<'a>, def: &'a BoxDef, names: &'a Names) {
        if self.too_many {
            return;
        }
        let name = &names.name;
        let script = format!("{name}.py");
        let mut sheet = Sheet::new();
        let tag = Tag::new(node.name()).guarding(node, BOX_ATTRIBUTES).with("content", &script);
        let empty = node.children().next().is_none();
        sheet.open(tag, empty);
        let (mut has_script, mut timeline) = (false, None);
        for child in node.children() {
            let is_script = self.is(child, "script") || self.is(child, "Script");
            if is_script && !std::mem::replace(&mut has_script, true) {
                self.script(&mut sheet, child, def);
            } else if self.is(child, "Timeline") && timeline.is_none() {
                timeline = Some(child);
                sheet.open(Tag::new(child.name()), true);
            } else if ["Input", "Output", "Parameter"].iter().any(|name| self.is(child, name)) {
                port(&mut sheet, child);
            } else {
                sheet.copy(child, child.name());
            }
        }
        if !empty {
            sheet.close(node.name());
        }
        self.put(format!("{name}.xml"), sheet.finish());
        let text = def.script.as_ref().map_or("", |s| &s.text);
        // A reader strips one byte order mark. If the script begins with one, another is added, so that the script's
        // own survives.
        let mark = if text.starts_with('\u{FEFF}') { "\u{FEFF}" } else { "" };
        self.put(script, format!("{mark}{text}").into_bytes());
        if let (Some(node), Some(t)) = (timeline, &def.timeline) {
            self.timeline(node, def, t, names);
        }
    }

    /// Writes the `script` element without the script. Everything else in it stays in place.
    fn script(&mut self, sheet: &mut Sheet, node: RawNode<'a>, def: &BoxDef) {
        let tag = Tag::new(node.name()).all(node);
        let is_content = |n: &RawNode<'a>| self.is(*n, "content") || self.is(*n, "Content");
        let content = node.children().find(is_content);
        let has_text = def.script.as_ref().is_some_and(|s| !s.text.is_empty());
        let plain = content.is_none_or(|c| self.is(c, "content") && c.attributes().len() == 0 && only_script(c));
        if plain && has_text && node.children().count() == 1 {
            return sheet.open(tag, true);
        }
        let empty = node.children().next().is_none();
        sheet.open(tag, empty);
        for child in node.children() {
            if content.is_some_and(|c| c.range() == child.range()) {
                sheet.line(&content_frame(child));
            } else {
                sheet.copy(child, child.name());
            }
        }
        if !empty {
            sheet.close(node.name());
        }
    }

    fn timeline(&mut self, node: RawNode<'a>, def: &'a BoxDef, timeline: &'a Timeline, names: &'a Names) {
        let of = names.name.as_str();
        // A diagram is repeated in every state that it lasts through.
        if size(timeline).1 > self.most {
            self.too_many = true;
            return;
        }
        let cut = states(timeline);
        let kept = never_played(timeline);
        // The file with each keyframe's diagram: that of the state in which the keyframe begins.
        let mut homes: HashMap<Member, String> = HashMap::new();
        homes.extend(kept.iter().enumerate().map(|(n, m)| (*m, unplayed(of, n))));
        for (n, s) in cut.iter().enumerate() {
            for m in &s.active {
                homes.entry(*m).or_insert_with(|| state(of, n));
            }
        }
        let machine = timeline.machine.as_ref();
        if machine.is_some() {
            homes = HashMap::from([(machine::POOL, unplayed(of, 0))]);
        }
        let mut sheet = Sheet::new();
        let empty = node.children().next().is_none() && cut.len() < 2;
        sheet.open(Tag::new(node.name()).all(node), empty);
        let flags = if machine.is_some() { &[] } else { cut.as_slice() };
        for (index, s) in flags.iter().enumerate().filter(|(i, _)| State::has_flag(*i)) {
            let flag = Tag::new("Flag").with("state_name", &state(of, index));
            let flag = flag.with("begin_frame", &s.begin.to_string()).with("labels", &s.labels.join(";"));
            sheet.open(flag, true);
        }
        let mut diagrams = HashMap::new();
        let mut layer = 0;
        let mut has_machine = false;
        for child in node.children() {
            if self.is(child, "BehaviorLayer") {
                self.layer(&mut sheet, child, layer, &mut diagrams, &homes);
                layer += 1;
            } else if self.is(child, "StateMachine") && machine.is_some() && !has_machine {
                has_machine = true;
                sheet.open(Tag::new(child.name()), true);
            } else if child.kind() == RawKind::Element {
                sheet.copy(child, &guarded(child.name(), TIMELINE_ELEMENTS));
            } else {
                sheet.copy(child, "");
            }
        }
        if !empty {
            sheet.close(node.name());
        }
        self.put(format!("{of}_timeline.xml"), sheet.finish());
        let inside = TimelineWriter { of, def, timeline, names, diagrams };
        if let Some(machine) = machine {
            machine::write(self, &inside, machine);
        } else {
            self.states(&inside, &cut, &kept, &homes);
        }
        for (m, node) in &inside.diagrams {
            let boxes = node.elements().filter(|n| self.is(*n, "Box"));
            let boxes: Vec<RawNode<'a>> = boxes.collect();
            for ((child, def), names) in boxes.into_iter().zip(&inside.diagram(*m).boxes).zip(inside.names_of(*m)) {
                self.a_box(child, def, names);
            }
        }
    }

    fn layer(
        &mut self,
        sheet: &mut Sheet,
        node: RawNode<'a>,
        layer: usize,
        diagrams: &mut HashMap<Member, RawNode<'a>>,
        homes: &HashMap<Member, String>,
    ) {
        let empty = node.children().next().is_none();
        sheet.open(Tag::new(node.name()).all(node), empty);
        let mut keyframe = 0;
        for child in node.children() {
            if !self.is(child, "BehaviorKeyframe") && !self.is(child, "BehaviorKeyFrame") {
                sheet.copy(child, child.name());
                continue;
            }
            let m = Member { layer, keyframe };
            keyframe += 1;
            let bare = child.children().next().is_none();
            sheet.open(Tag::new(child.name()).all(child), bare);
            for inner in child.children() {
                if self.is(inner, "Diagram") && !diagrams.contains_key(&m) {
                    diagrams.insert(m, inner);
                    let tag = Tag::new(inner.name()).guarding(inner, DIAGRAM_ATTRIBUTES);
                    let home = homes.get(&m).map_or("", String::as_str);
                    sheet.open(tag.with("State", home), true);
                } else {
                    sheet.copy(inner, inner.name());
                }
            }
            if !bare {
                sheet.close(child.name());
            }
        }
        if !empty {
            sheet.close(node.name());
        }
    }

    fn states(&mut self, inside: &TimelineWriter<'a>, cut: &[State], kept: &[Member], homes: &HashMap<Member, String>) {
        let of = inside.of;
        for (index, s) in cut.iter().enumerate() {
            if self.too_many {
                return;
            }
            let own = state(of, index);
            let mut sheet = Sheet::new();
            sheet.open(Tag::new("State"), false);
            sheet.open(interval(s.begin, s.end), true);
            for label in &s.labels {
                sheet.open(Tag::new("Label").with("Name", label), true);
            }
            for m in &s.active {
                // Later states repeat only the boxes and links of the diagram.
                self.section(&mut sheet, inside, *m, homes.get(m) == Some(&own));
            }
            sheet.close("State");
            self.put(format!("{own}.xml"), sheet.finish());
        }
        for (index, m) in kept.iter().enumerate() {
            self.apart(inside, index, *m);
        }
        if !cut.is_empty() {
            let names: Vec<String> = (0..cut.len()).map(|n| state(of, n)).collect();
            let sheet = machine::head(&names, 0, &[cut.len() - 1]);
            self.put(format!("{of}_state_machine.xml"), machine::tail(sheet));
        }
    }

    /// Writes the file of a diagram that no state contains completely.
    pub(super) fn apart(&mut self, inside: &TimelineWriter<'a>, n: usize, m: Member) {
        let mut sheet = Sheet::new();
        sheet.open(Tag::new("State"), false);
        self.section(&mut sheet, inside, m, true);
        sheet.close("State");
        self.put(format!("{}.xml", unplayed(inside.of, n)), sheet.finish());
    }

    /// Writes the boxes and links of a diagram. With `whole`, comments and other nodes are included; that is the case
    /// where the keyframe begins.
    fn section(&mut self, sheet: &mut Sheet, inside: &TimelineWriter<'a>, m: Member, whole: bool) {
        let Some(&node) = inside.diagrams.get(&m) else { return };
        let marker = Tag::new("Diagram").with("Layer", &m.layer.to_string());
        sheet.open(marker.with("Keyframe", &m.keyframe.to_string()), true);
        let ports = Ports::new(inside.def, inside.of, inside.diagram(m), inside.names_of(m));
        let (mut object, mut link) = (0, 0);
        for child in node.children() {
            if self.is(child, "Box") {
                let name = inside.names_of(m).get(object).map_or("", |n| &n.name);
                sheet.open(Tag::new("Object").with("Name", name), true);
                object += 1;
            } else if self.is(child, "Link") {
                let parsed = inside.diagram(m).links.get(link);
                match parsed.and_then(|l| written(child, l, &ports)) {
                    Some(tag) => sheet.open(tag, true),
                    // A link that names cannot express is written in the form of a `.xar`.
                    None => sheet.copy(child, "_Link"),
                }
                link += 1;
            } else if whole {
                sheet.copy(child, &guarded(child.name(), STATE_ELEMENTS));
            }
        }
    }
}

pub(super) const NAMESPACE: &str = "http://www.aldebaran-robotics.com/schema/choregraphe/project.xsd";

pub(super) fn interval(begin: i64, end: i64) -> Tag {
    Tag::new("Interval").with("begin", &begin.to_string()).with("end", &end.to_string())
}

/// Writes a port or parameter. `numbered="0"` marks one without an id, because the reader would assign one.
fn port(sheet: &mut Sheet, node: RawNode<'_>) {
    let has_id = node.attribute("id").is_some();
    let theirs = node.attributes().all(|a| guarded(a.name(), PORT_ATTRIBUTES) == a.name());
    if has_id && theirs {
        return sheet.copy(node, node.name());
    }
    let tag = Tag::new(node.name()).guarding(node, PORT_ATTRIBUTES);
    sheet.copy_as(node, node.name(), if has_id { tag } else { tag.with("numbered", "0") });
}

/// Returns true if a `content` element contains the script and nothing else.
fn only_script(content: RawNode<'_>) -> bool {
    let mut kinds = content.children().map(|c| c.kind());
    match kinds.next() {
        None => true,
        Some(first @ (RawKind::CData | RawKind::Text)) => kinds.all(|k| k == first),
        Some(_) => false,
    }
}

/// Returns a `content` element with a mark in the place of the script.
fn content_frame(node: RawNode<'_>) -> String {
    let script = if node.children().any(|c| c.kind() == RawKind::CData) { RawKind::CData } else { RawKind::Text };
    let mut inside = String::new();
    if !only_script(node) {
        let mut marked = false;
        for child in node.children() {
            if child.kind() != script {
                inside += child.source();
            } else if !std::mem::replace(&mut marked, true) {
                inside += SCRIPT_PLACE;
            }
        }
    }
    let tag = Tag::new(node.name()).all(node);
    if inside.is_empty() {
        return tag.finish(true);
    }
    format!("{}{inside}</{}>", tag.finish(false), node.name())
}

/// The element's name without any prefix, as a folder's own files are matched.
pub(super) fn local_name(node: RawNode<'_>) -> &str {
    local(node.name())
}
