//! Reading of a folder's files into the model of a `.xar`.
//!
//! The files are assembled to the text that a `.xar` would have, this text is read like every `.xar`, and then all
//! spans are mapped to the files that they came from. So a folder means exactly what its `.xar` means, and errors and
//! tracebacks name `l1_Say.py`.

use super::assemble::Assembly;
use super::converted::{is_converted, name_of_file, stands_for_nothing};
use super::files::{Files, Loaded, Reader, is_plain};
use super::links::{NUMBERS, Named, Owner, Ports, given_numbers, named, numbers};
use super::names::ROOT;
use super::places::{move_finding, move_project};
use super::stale;
use super::states::{layout, machine_of};
use super::write::{NAMESPACE, local_name};
use super::xml::{
    BOX_ATTRIBUTES, DIAGRAM_ATTRIBUTES, PORT_ATTRIBUTES, STATE_ELEMENTS, TIMELINE_ELEMENTS, keeps_layout, local,
    unguarded,
};
use crate::error::{FormatError, Problem};
use crate::raw::{RawAttribute, RawKind, RawNode};
use crate::{Limits, XarFile, codes, read_xar};
use boxstep_types::{Code, Diagnostic, Span};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Reads the files of a split folder that can be reached from its root file, see [`super::root`].
///
/// `shown` is the folder's path in messages. The result is that of [`read_xar`], with spans in the folder's files;
/// [`super::as_xar`] returns the text of its `.xar`.
pub fn read(shown: &str, files: &dyn Files, limits: &Limits) -> Result<XarFile, FormatError> {
    read_from(shown, &super::root(files).unwrap_or_else(|| ROOT.to_owned()), files, limits)
}

/// Like [`read`], but reads from the file named `root`, which is given without extension.
pub fn read_from(shown: &str, root: &str, files: &dyn Files, limits: &Limits) -> Result<XarFile, FormatError> {
    let mut session = Session {
        reader: Reader::new(files, shown, limits),
        limits,
        out: Assembly::default(),
        findings: Vec::new(),
        met: HashSet::new(),
        prefix: String::new(),
        ids: HashMap::new(),
    };
    session.project(root)?;
    let Session { mut reader, out, mut findings, .. } = session;
    let xar = match read_xar(shown, out.text.as_bytes(), limits) {
        Ok(xar) => xar,
        Err(e) => {
            let span = e.span().map(|s| out.places.real(s)).unwrap_or_default();
            return Err(FormatError::at(e.problem().clone(), span, reader.sources));
        }
    };
    let mut xar = xar;
    let real = |span| out.places.real(span);
    move_project(&mut xar.project, &real);
    xar.findings.iter_mut().for_each(|f| move_finding(f, &real));
    xar.findings.append(&mut findings);
    xar.findings.append(&mut stale::check(&xar.project, &mut reader)?);
    xar.sources = reader.sources;
    xar.file = xar.sources.add(shown, out.text);
    xar.findings.sort_by_key(|f| f.span.map_or((0, 0), |s| (s.file.0, s.start)));
    Ok(xar)
}

pub(super) struct Session<'a> {
    pub(super) reader: Reader<'a>,
    limits: &'a Limits,
    pub(super) out: Assembly,
    findings: Vec<Diagnostic>,
    /// The boxes read so far; each may be in only one place.
    met: HashSet<String>,
    /// The prefix of the `.xar`'s element names.
    pub(super) prefix: String,
    /// Ids assigned to boxes whose files have none or a repeated one, by file name.
    pub(super) ids: HashMap<String, i32>,
}

/// The boxes and links of a diagram that has been read, in order.
pub(super) struct Pool {
    /// The names of the boxes' files.
    pub(super) boxes: Vec<String>,
    pub(super) links: Vec<[i32; 4]>,
    pub(super) ports: Ports,
}

type Outcome = Result<(), FormatError>;

/// A box's file, with its place.
#[derive(Clone, Copy)]
pub(super) struct SplitBox<'n> {
    pub(super) name: &'n str,
    /// The number of enclosing boxes.
    pub(super) depth: usize,
}

impl Session<'_> {
    pub(super) fn report_error(&mut self, code: Code, at: Span, message: String) {
        if self.findings.len() < self.limits.findings {
            self.findings.push(Diagnostic::error(code, message).at(at));
        }
    }

    pub(super) fn report_warning(&mut self, code: Code, at: Span, message: String) {
        if self.findings.len() < self.limits.findings {
            self.findings.push(Diagnostic::warning(code, message).at(at));
        }
    }

    fn project(&mut self, name: &str) -> Outcome {
        let Some(root) = self.reader.xml(name)? else {
            return Err(FormatError::new(Problem::NotAProject(format!("{name}.xml").into(), "not in the folder")));
        };
        let around = self.reader.xml(&format!("{name}_project"))?;
        self.met.insert(name.to_owned());
        let place = SplitBox { name, depth: 0 };
        let at = Span { file: root.file, start: 0, end: 0 };
        self.out.generated("<?xml version=\"1.0\" encoding=\"UTF-8\" ?>\n", at);
        let Some(around) = around else {
            self.out.generated(&format!("<ChoregrapheProject xmlns=\"{NAMESPACE}\" xar_version=\"3\">\n"), at);
            self.a_box(&root, place)?;
            self.out.generated("</ChoregrapheProject>\n", at);
            return Ok(());
        };
        for node in around.top_level() {
            if node.kind() != RawKind::Element {
                if !node.source().starts_with("<?xml ") {
                    self.out.copy(&around, node, "");
                }
                continue;
            }
            let name = node.name();
            self.prefix = name.rfind(':').map_or("", |i| &name[..=i]).to_owned();
            let start = self.out.begin(around.span(node));
            self.out.tag(name, &around, node);
            for a in node.attributes() {
                self.out.attribute(a.name(), &around, a);
            }
            self.out.inside(around.tag(node));
            let mut has_box = false;
            for child in node.children() {
                let is_box = child.kind() == RawKind::Element && local_name(child) == "Box";
                if is_box && !std::mem::replace(&mut has_box, true) {
                    self.a_box(&root, place)?;
                } else {
                    self.out.copy(&around, child, child.name());
                }
            }
            if !has_box {
                self.a_box(&root, place)?;
            }
            self.out.end(name, start, around.span(node));
        }
        Ok(())
    }

    /// Reads a box of a diagram, by the name of its file. Returns false, after reporting it, if the box cannot be in
    /// this place.
    pub(super) fn object(&mut self, name: &str, depth: usize, at: Span) -> Result<bool, FormatError> {
        if !is_plain(name) {
            self.report_error(codes::SPLIT_FILE, at, format!("`{name}` is not the name of a file of this folder"));
            return Ok(false);
        }
        let Some(file) = self.reader.xml(name)? else {
            self.report_error(codes::SPLIT_FILE, at, format!("there is no {name}.xml"));
            return Ok(false);
        };
        if !self.met.insert(name.to_owned()) {
            self.report_error(codes::SPLIT_BOX_TWICE, at, format!("the box {name} is already in another diagram"));
            return Ok(false);
        }
        self.a_box(&file, SplitBox { name, depth })?;
        Ok(true)
    }

    fn a_box(&mut self, file: &Rc<Loaded>, place: SplitBox<'_>) -> Outcome {
        let Some(node) = file.root() else { return Ok(()) };
        if local_name(node) != "Box" {
            let problem = Problem::WrongRoot(node.name().chars().take(40).collect(), "a box's file");
            return Err(FormatError::at(problem, file.tag(node), self.reader.sources.clone()));
        }
        // Each level takes five nested elements of the assembled text.
        let most = self.limits.depth.min(Limits::MAX_DEPTH);
        if place.depth * 5 > most {
            let problem = Problem::Limit("elements inside each other", most);
            return Err(FormatError::at(problem, file.tag(node), self.reader.sources.clone()));
        }
        let element = file.span(node);
        let start = self.out.begin(element);
        self.out.tag(node.name(), file, node);
        let converted = is_converted(node);
        if converted {
            self.out.new_attribute("name", name_of_file(place.name), file.tag(node));
        }
        let given = self.ids.get(place.name).copied();
        let mut own = [None, None];
        for a in node.attributes() {
            if let Some(which) = BOX_ATTRIBUTES.iter().position(|n| *n == a.name()) {
                own[which] = Some(a);
            } else if !(converted && stands_for_nothing(a.name(), &a.value()) || a.name() == "id" && given.is_some()) {
                self.out.attribute(&unguarded(a.name(), BOX_ATTRIBUTES), file, a);
            }
        }
        if let Some(id) = given {
            self.out.new_attribute("id", &id.to_string(), file.tag(node));
        }
        self.out.inside(file.tag(node));
        let [content, bitmap] = own;
        let has_bitmap = node.elements().any(|n| matches!(local_name(n), "bitmap" | "Bitmap"));
        if let Some(a) = bitmap.filter(|a| !(has_bitmap || converted && stands_for_nothing("bitmap", &a.value()))) {
            let at = Span { file: file.file, start: a.value_range().0, end: a.value_range().1 };
            let path = super::xml::escape(&a.value());
            self.out.generated(&format!("<{0}bitmap>{path}</{0}bitmap>\n", self.prefix), at);
        }
        let script = self.script_of(file, node, place.name, content.map(|a| a.value().into_owned()))?;
        let mut script = script.as_ref();
        let is_script = |n: &RawNode<'_>| matches!(local_name(*n), "script" | "Script");
        if !node.elements().any(|n| is_script(&n)) {
            self.bare_script(file.tag(node), script);
            script = None;
        }
        let given = given_numbers(node);
        let (mut has_script, mut has_timeline) = (false, false);
        for child in node.children() {
            if child.kind() != RawKind::Element {
                self.out.copy(file, child, "");
            } else if is_script(&child) && !std::mem::replace(&mut has_script, true) {
                self.script(file, child, script);
            } else if local_name(child) == "Timeline" && !std::mem::replace(&mut has_timeline, true) {
                if child.children().next().is_some() {
                    self.out.copy(file, child, child.name());
                } else {
                    self.timeline(file, node, &place, Some(child))?;
                }
            } else if matches!(local_name(child), "Input" | "Output" | "Parameter") {
                self.port(file, child, given.get(&child.range().0).copied(), converted);
            } else if converted && (child.children().next().is_none() || !keeps_layout(child)) {
                self.copy_converted(file, child);
            } else {
                self.out.copy(file, child, child.name());
            }
        }
        if !has_timeline {
            self.timeline(file, node, &place, None)?;
        }
        self.out.end(node.name(), start, element);
        Ok(())
    }

    /// Copies a port or parameter; `id` is the id assigned to it, if any.
    fn port(&mut self, file: &Loaded, node: RawNode<'_>, id: Option<i32>, converted: bool) {
        let ours = |a: &RawAttribute<'_>| {
            id.is_some() && a.name() == "id"
                || PORT_ATTRIBUTES.contains(&a.name())
                || converted && stands_for_nothing(a.name(), &a.value())
        };
        let guarded = |a: RawAttribute<'_>| unguarded(a.name(), PORT_ATTRIBUTES) != a.name();
        if id.is_none() && !node.attributes().any(|a| ours(&a) || guarded(a)) {
            return self.out.copy(file, node, node.name());
        }
        let start = self.out.begin(file.span(node));
        self.out.tag(node.name(), file, node);
        for a in node.attributes().filter(|a| !ours(a)) {
            self.out.attribute(&unguarded(a.name(), PORT_ATTRIBUTES), file, a);
        }
        if let Some(id) = id {
            self.out.new_attribute("id", &id.to_string(), file.tag(node));
        }
        self.inside_of(file, node, start);
    }

    /// Copies a resource or curve of the original converter, without the attributes that it wrote for missing ones.
    fn copy_converted(&mut self, file: &Loaded, node: RawNode<'_>) {
        let start = self.out.begin(file.span(node));
        self.out.tag(node.name(), file, node);
        for a in node.attributes().filter(|a| !stands_for_nothing(a.name(), &a.value())) {
            self.out.attribute(a.name(), file, a);
        }
        self.inside_of(file, node, start);
    }

    /// Copies the content of an element that has been begun, and ends it.
    fn inside_of(&mut self, file: &Loaded, node: RawNode<'_>, start: usize) {
        if node.children().next().is_none() {
            return self.out.end_empty(start, file.span(node));
        }
        self.out.inside(file.tag(node));
        for child in node.children() {
            self.out.copy(file, child, child.name());
        }
        self.out.end(node.name(), start, file.span(node));
    }

    // ---- timelines -----------------------------------------------------------------------------

    fn timeline(
        &mut self,
        file: &Loaded,
        node: RawNode<'_>,
        place: &SplitBox<'_>,
        stands: Option<RawNode<'_>>,
    ) -> Outcome {
        let own = self.reader.xml(&format!("{}_timeline", place.name))?;
        let machine = self.reader.xml(&format!("{}_state_machine", place.name))?;
        let parent = Owner { id: 0, ..Owner::of_file(place.name, node) };
        let root = own.as_deref().and_then(|t| Some((t, t.root()?)));
        let has_layers = root.is_some_and(|(_, r)| r.elements().any(|n| local_name(n) == "BehaviorLayer"));
        // An empty `StateMachine` element marks states that are not derived from the layers.
        let mark = root.and_then(|(t, r)| Some((t, r.elements().find(|n| is_mark(*n))?)));
        if let (Some((timeline, mark)), None) = (mark, &machine) {
            self.report_error(
                codes::SPLIT_FILE,
                timeline.tag(mark),
                format!("there is no {}_state_machine.xml", place.name),
            );
        }
        let layout = match &machine {
            Some(machine) if !has_layers => Some(layout(self, machine, &parent, mark.is_some())?),
            _ => None,
        };
        let Some((own, root)) = root else {
            let at = stands.map_or_else(|| file.tag(node), |n| file.tag(n));
            match layout {
                Some(layout) => {
                    let start = self.out.begin(at);
                    self.out.generated(&format!("<{}Timeline enable=\"0\"", self.prefix), at);
                    self.out.inside(at);
                    layout.put(self, &parent, place.depth)?;
                    self.out.end(&format!("{}Timeline", self.prefix), start, at);
                }
                None => {
                    if let Some(stands) = stands {
                        self.report_error(codes::SPLIT_FILE, at, format!("there is no {}_timeline.xml", place.name));
                        self.out.copy(file, stands, stands.name());
                    }
                }
            }
            return Ok(());
        };
        let element = own.span(root);
        let start = self.out.begin(element);
        self.out.tag(root.name(), own, root);
        // The original converter's file of a flow diagram is recognized by the attributes that it wrote for missing
        // ones.
        let converted = is_converted(node);
        let nothing = |name: &str| converted && root.attribute(name).is_some_and(|v| stands_for_nothing(name, &v));
        let was_diagram = nothing("size") && nothing("scale");
        for a in root.attributes().filter(|a| !nothing(a.name())) {
            if !was_diagram {
                self.out.attribute(a.name(), own, a);
            }
        }
        if was_diagram {
            self.out.new_attribute("enable", "0", own.tag(root));
        }
        let empty = root.children().next().is_none() && layout.is_none();
        if empty {
            self.out.end_empty(start, element);
            return Ok(());
        }
        self.out.inside(own.tag(root));
        let mut layer = 0;
        let mut in_list = false;
        let mut pool = None;
        let own_machine = machine.as_ref().filter(|_| has_layers && mark.is_some());
        for child in root.children() {
            let name = if child.kind() == RawKind::Element { local_name(child) } else { "" };
            // Curves without an `ActuatorList` get one.
            let alone = name == "ActuatorCurve";
            if alone != in_list && (alone || !name.is_empty()) {
                let tag = if alone { "<" } else { "</" };
                self.out.generated(&format!("{tag}{}ActuatorList>\n", self.prefix), own.tag(root));
                in_list = alone;
            }
            match name {
                "Flag" => {}
                "BehaviorLayer" => {
                    let first = self.layer(own, child, layer, &parent, place.depth)?;
                    pool = pool.or(first);
                    layer += 1;
                }
                "StateMachine" if is_mark(child) => {}
                "" => self.out.copy(own, child, ""),
                "ActuatorCurve" if converted => self.copy_converted(own, child),
                _ => self.out.copy(own, child, &unguarded(child.name(), TIMELINE_ELEMENTS)),
            }
        }
        if in_list {
            self.out.generated(&format!("</{}ActuatorList>\n", self.prefix), own.tag(root));
        }
        if let Some(layout) = &layout {
            layout.put(self, &parent, place.depth)?;
        }
        if let Some(file) = own_machine {
            let none = || Pool { boxes: Vec::new(), links: Vec::new(), ports: Ports::around(parent.clone()) };
            machine_of(self, file, &parent)?.put(self, &pool.unwrap_or_else(none));
        }
        self.out.end(root.name(), start, element);
        Ok(())
    }

    /// Reads a layer, and returns the contents of the first diagram that is in a file of its own.
    fn layer(
        &mut self,
        file: &Loaded,
        node: RawNode<'_>,
        layer: usize,
        parent: &Owner,
        depth: usize,
    ) -> Result<Option<Pool>, FormatError> {
        let mut pool = None;
        let start = self.out.begin(file.span(node));
        self.open_like(file, node, &[]);
        let mut keyframe = 0;
        for child in node.children() {
            let is_keyframe = child.kind() == RawKind::Element
                && matches!(local_name(child), "BehaviorKeyframe" | "BehaviorKeyFrame");
            if !is_keyframe {
                self.out.copy(file, child, child.name());
                continue;
            }
            let start = self.out.begin(file.span(child));
            self.open_like(file, child, &[]);
            let mut has_diagram = false;
            for inner in child.children() {
                let is_diagram = inner.kind() == RawKind::Element && local_name(inner) == "Diagram";
                match inner.attribute("State") {
                    Some(state) if is_diagram && !std::mem::replace(&mut has_diagram, true) => {
                        let at = (layer, keyframe);
                        let found = self.diagram(file, inner, &state, at, parent, depth)?;
                        pool = pool.or(found);
                    }
                    _ => self.out.copy(file, inner, inner.name()),
                }
            }
            self.out.end(child.name(), start, file.span(child));
            keyframe += 1;
        }
        self.out.end(node.name(), start, file.span(node));
        Ok(pool)
    }

    fn open_like(&mut self, file: &Loaded, node: RawNode<'_>, ours: &[&str]) {
        self.out.tag(node.name(), file, node);
        for a in node.attributes().filter(|a| !ours.contains(&a.name())) {
            self.out.attribute(&unguarded(a.name(), ours), file, a);
        }
        self.out.inside(file.tag(node));
    }

    /// Reads a diagram from the file of the state in which it begins.
    fn diagram(
        &mut self,
        file: &Loaded,
        node: RawNode<'_>,
        state: &str,
        at: (usize, usize),
        parent: &Owner,
        depth: usize,
    ) -> Result<Option<Pool>, FormatError> {
        let mut home = None;
        if is_plain(state) {
            home = self.reader.xml(state)?;
        }
        let root = home.as_deref().and_then(|h| Some((h, h.root()?)));
        let start = self.out.begin(file.span(node));
        self.open_like(file, node, DIAGRAM_ATTRIBUTES);
        let Some((home, root)) = root else {
            self.report_error(
                codes::SPLIT_FILE,
                file.tag(node),
                format!("there is no {state}.xml: the diagram is empty"),
            );
            self.out.end(node.name(), start, file.span(node));
            return Ok(None);
        };
        let section = section(root, at);
        let mut ports = Ports::around(parent.clone());
        for object in section.iter().filter(|n| n.kind() == RawKind::Element && local_name(**n) == "Object") {
            let name = object.attribute("Name").unwrap_or_default();
            if is_plain(&name)
                && let Some(file) = self.reader.xml(&name)?
                && let Some(root) = file.root()
            {
                ports.add(Owner::of_file(&name, root));
            }
        }
        let (mut boxes, mut links) = (Vec::new(), Vec::new());
        for child in section {
            if child.kind() != RawKind::Element {
                self.out.copy(home, child, "");
                continue;
            }
            match local_name(child) {
                "Object" => {
                    let name = child.attribute("Name").unwrap_or_default();
                    if self.object(&name, depth + 1, home.tag(child))? {
                        boxes.push(name.into_owned());
                    }
                }
                "Link" => links.extend(self.link(&ports, home, child)),
                _ => {
                    let name = unguarded(child.name(), STATE_ELEMENTS);
                    // A link that names cannot express is written in the form of a `.xar`, but without the prefix.
                    if name == "Link" {
                        links.push(numbers(child));
                        self.out.copy(home, child, &format!("{}Link", self.prefix));
                    } else {
                        self.out.copy(home, child, &name);
                    }
                }
            }
        }
        self.out.end(node.name(), start, file.span(node));
        Ok(Some(Pool { boxes, links, ports }))
    }

    /// Reads a link by names, and returns its numbers.
    fn link(&mut self, ports: &Ports, file: &Loaded, node: RawNode<'_>) -> Option<[i32; 4]> {
        let link = self.named_link(file, node)?;
        match ports.resolve(&link) {
            Ok(numbers) => {
                self.numbered_link(numbers, file.span(node));
                Some(numbers)
            }
            Err(end) => {
                self.report_error(codes::SPLIT_LINK, file.tag(node), no_such_end(end));
                None
            }
        }
    }

    /// Returns the ends of a `Link` in the file of a state; reports a link that lacks one.
    pub(super) fn named_link(&mut self, file: &Loaded, node: RawNode<'_>) -> Option<Named> {
        let link = named(node);
        if link.is_none() {
            let message = "the link does not say which boxes and ports it connects".to_owned();
            self.report_error(codes::SPLIT_LINK, file.tag(node), message);
        }
        link
    }

    pub(super) fn numbered_link(&mut self, numbers: [i32; 4], from: Span) {
        let start = self.out.begin(from);
        self.out.generated(&format!("<{}Link", self.prefix), from);
        for (name, number) in NUMBERS.iter().zip(numbers) {
            self.out.new_attribute(name, &number.to_string(), from);
        }
        self.out.end_empty(start, from);
    }
}

fn is_mark(node: RawNode<'_>) -> bool {
    local_name(node) == "StateMachine" && node.children().next().is_none()
}

/// Returns the message about an end of a link that does not exist.
pub(super) fn no_such_end((object, port): &(String, String)) -> String {
    format!("this state has no box `{object}` with a port `{port}` for this end of the link, so the link is left out")
}

/// Returns the nodes in the file of a state that belong to one keyframe's diagram: those after the diagram's mark, or
/// all of them if the file has no marks.
pub(super) fn section(root: RawNode<'_>, (layer, keyframe): (usize, usize)) -> Vec<RawNode<'_>> {
    let own = |n: &RawNode<'_>| n.kind() == RawKind::Element && matches!(local(n.name()), "Interval" | "Label");
    let is_mark = |n: &RawNode<'_>| n.kind() == RawKind::Element && local(n.name()) == "Diagram";
    let marks = root.children().any(|n| is_mark(&n));
    let mut inside = !marks;
    let mut found = Vec::new();
    for node in root.children() {
        if is_mark(&node) {
            let number = |name| node.attribute(name).and_then(|v| v.trim().parse::<usize>().ok());
            inside = number("Layer") == Some(layer) && number("Keyframe") == Some(keyframe);
        } else if inside && !own(&node) {
            found.push(node);
        }
    }
    found
}
