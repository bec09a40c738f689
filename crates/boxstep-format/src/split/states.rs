//! States without layers, as the original converter and people write them.
//!
//! States that follow the frames of a timeline are converted back to layers: a box that lasts from one state to another
//! belongs to a keyframe that begins and ends with them. What layers cannot express becomes an explicit state machine
//! in the model: transitions, boxes that end and begin again, and links that change while their boxes stay.

use super::files::Loaded;
use super::links::{Named, Owner, Ports};
use super::read::{Pool, Session, no_such_end};
use super::write::local_name;
use crate::codes;
use crate::error::FormatError;
use crate::model::NO_ID;
use crate::raw::RawNode;
use crate::read::LinkIndex;
use boxstep_types::Span;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

/// A state as its file describes it.
struct StateFile {
    /// The name of the file, without extension.
    file: String,
    /// The name of the state, which is that of its file unless the file gives another.
    name: String,
    at: Span,
    interval: Option<(i64, i64)>,
    labels: Vec<String>,
    objects: Vec<String>,
    links: Vec<Named>,
}

/// The model of a folder's states.
pub(super) enum Layout {
    Layers(Vec<Layer>),
    /// A state machine, and the diagram with all boxes and links of its states.
    Machine(Machine, SplitDiagram),
}

/// A layer derived from states.
#[derive(Default)]
pub(super) struct Layer {
    mute: bool,
    keyframes: Vec<Keyframe>,
    /// The index of the state at which the last keyframe's diagram ends; `None` if the last keyframe is empty.
    ends: Option<usize>,
}

struct Keyframe {
    name: String,
    index: i64,
    diagram: SplitDiagram,
    at: Span,
}

/// A diagram's boxes and links, by name.
#[derive(Clone, Default)]
pub(super) struct SplitDiagram {
    objects: Vec<String>,
    links: Vec<Named>,
}

/// A state machine that layers cannot express.
pub(super) struct Machine {
    states: Vec<StateFile>,
    file: Rc<Loaded>,
    at: Span,
}

/// The boxes in states, by the names of their files.
type BoxFiles = HashMap<String, Owner>;

/// Reads the states in a state machine's file. Boxes are only looked up; they are read later.
///
/// If `marked` is true, the timeline's file says that the states are not derived from layers.
pub(super) fn layout(
    session: &mut Session<'_>,
    machine: &Rc<Loaded>,
    parent: &Owner,
    marked: bool,
) -> Result<Layout, FormatError> {
    let found = machine_of(session, machine, parent)?;
    let needs_one = marked || machine.root().is_some_and(|r| r.elements().any(|n| local_name(n) == "Transition"));
    if !needs_one && let Some(layers) = layers(&found.states, &parent.name) {
        return Ok(Layout::Layers(layers));
    }
    let objects = once_each(found.states.iter().flat_map(|s| &s.objects));
    let links = once_each(found.states.iter().flat_map(|s| &s.links));
    Ok(Layout::Machine(found, SplitDiagram { objects, links }))
}

/// Reads the states in a state machine's file.
pub(super) fn machine_of(
    session: &mut Session<'_>,
    machine: &Rc<Loaded>,
    parent: &Owner,
) -> Result<Machine, FormatError> {
    let mut found = Machine { states: Vec::new(), file: machine.clone(), at: Span::default() };
    let Some(root) = machine.root() else { return Ok(found) };
    found.at = machine.span(root);
    let mut known = BoxFiles::default();
    let (mut files, mut names) = (HashSet::new(), HashSet::new());
    for node in root.elements().filter(|n| local_name(*n) == "State") {
        let file = node.attribute("Name").unwrap_or_default().into_owned();
        if !files.insert(file.clone()) {
            continue;
        }
        if let Some(mut state) = state(session, machine, node, &file, parent, &mut known)? {
            if !names.insert(state.name.clone()) {
                state.name.clone_from(&state.file);
                names.insert(file);
            }
            found.states.push(state);
        }
    }
    Ok(found)
}

/// Returns the items without repetitions, in order of appearance.
fn once_each<'a, T: Clone + Eq + std::hash::Hash + 'a>(all: impl IntoIterator<Item = &'a T>) -> Vec<T> {
    let mut met = HashSet::new();
    all.into_iter().filter(|t| met.insert(*t)).cloned().collect()
}

fn objects_of(session: &mut Session<'_>, name: &str, known: &mut BoxFiles) -> Result<Option<Vec<String>>, FormatError> {
    let Some(file) = session.reader.xml(name)? else { return Ok(None) };
    let Some(root) = file.root() else { return Ok(None) };
    let mut objects: Vec<String> = Vec::new();
    let mut met = HashSet::new();
    for node in root.elements().filter(|n| local_name(*n) == "Object") {
        let name = node.attribute("Name").unwrap_or_default().into_owned();
        if !met.insert(name.clone()) {
            continue;
        }
        if !known.contains_key(&name) {
            let plain_name = super::files::is_plain(&name);
            let box_file = if plain_name { session.reader.xml(&name)? } else { None };
            let Some(box_root) = box_file.as_ref().and_then(|f| f.root()) else {
                session.report_error(codes::SPLIT_FILE, file.tag(node), format!("there is no {name}.xml"));
                continue;
            };
            known.insert(name.clone(), Owner::of_file(&name, box_root));
        }
        objects.push(name);
    }
    Ok(Some(objects))
}

fn state(
    session: &mut Session<'_>,
    machine: &Loaded,
    node: RawNode<'_>,
    name: &str,
    parent: &Owner,
    known: &mut BoxFiles,
) -> Result<Option<StateFile>, FormatError> {
    let file = if super::files::is_plain(name) { session.reader.xml(name)? } else { None };
    let Some(file) = file else {
        session.report_error(codes::SPLIT_FILE, machine.tag(node), format!("there is no {name}.xml"));
        return Ok(None);
    };
    let Some(root) = file.root() else { return Ok(None) };
    let objects = objects_of(session, name, known)?.unwrap_or_default();
    let mut found = StateFile {
        file: name.to_owned(),
        name: root.attribute("Name").map_or_else(|| name.to_owned(), |own| own.into_owned()),
        at: file.span(root),
        interval: None,
        labels: Vec::new(),
        objects,
        links: Vec::new(),
    };
    let number = |n: RawNode<'_>, name| n.attribute(name).and_then(|v| v.trim().parse::<i64>().ok());
    let mut ports = Ports::around(parent.clone());
    // Links are given by names here, so temporary ids will do; the final ids may be assigned later.
    for (owner, id) in found.objects.iter().filter_map(|o| known.get(o)).zip(1..) {
        ports.add(Owner { id, ..owner.clone() });
    }
    for child in root.elements() {
        match local_name(child) {
            "Interval" => found.interval = number(child, "begin").zip(number(child, "end")),
            "Label" => found.labels.extend(child.attribute("Name").map(|v| v.into_owned())),
            "Link" => {
                let Some(link) = session.named_link(&file, child) else { continue };
                match ports.resolve(&link) {
                    Ok(_) => found.links.push(link),
                    Err(end) => session.report_error(codes::SPLIT_LINK, file.tag(child), no_such_end(end)),
                }
            }
            _ => {}
        }
    }
    Ok(Some(found))
}

/// Returns layers that are cut into exactly these states; `None` if there are none.
fn layers(states: &[StateFile], parent: &str) -> Option<Vec<Layer>> {
    let mut played: Vec<(i64, Vec<String>, &StateFile)> = Vec::new();
    let mut sorted: Vec<(i64, &StateFile)> = states.iter().map(|s| Some((s.interval?.0, s))).collect::<Option<_>>()?;
    sorted.sort_by_key(|(begin, _)| *begin);
    let mut unplayed: Vec<&StateFile> = Vec::new();
    for (begin, s) in sorted {
        // If two states begin on one frame, the later one counts, as its flag did; but the labels of both lead to it.
        let mut labels = s.labels.clone();
        if let Some((last, _, _)) = played.last()
            && *last == begin
            && let Some((_, earlier, over)) = played.pop()
        {
            labels.splice(0..0, earlier.into_iter().filter(|l| !s.labels.contains(l)));
            unplayed.push(over);
        }
        played.push((begin, labels, s));
    }
    let groups = groups(&played, parent)?;
    let mut layers: Vec<Layer> = Vec::new();
    for (index, (begin, labels, s)) in played.iter().enumerate() {
        let mut begun: Vec<usize> = Vec::new();
        let order = |d: &SplitDiagram| d.objects.first().and_then(|o| s.objects.iter().position(|p| p == o));
        let mut here: Vec<_> = groups.range((index, 0)..(index + 1, 0)).collect();
        here.sort_by_cached_key(|(_, d)| order(d).unwrap_or(usize::MAX));
        for ((_, last), diagram) in here {
            let free =
                |wanted: &dyn Fn(&Layer) -> bool| (0..layers.len()).find(|l| !begun.contains(l) && wanted(&layers[*l]));
            let place =
                free(&|l| l.ends == Some(index)).or_else(|| free(&|l| l.ends.is_none())).unwrap_or(layers.len());
            if place == layers.len() {
                layers.push(Layer::default());
            }
            let keyframe = Keyframe { name: String::new(), index: *begin, diagram: diagram.clone(), at: s.at };
            layers[place].keyframes.push(keyframe);
            layers[place].ends = Some(*last + 1);
            begun.push(place);
        }
        for (n, layer) in layers.iter_mut().enumerate() {
            if layer.ends == Some(index) && !begun.contains(&n) {
                let keyframe =
                    Keyframe { name: String::new(), index: *begin, diagram: SplitDiagram::default(), at: s.at };
                layer.keyframes.push(keyframe);
                layer.ends = None;
                begun.push(n);
            }
        }
        begun.sort_unstable();
        let mut names = labels.iter();
        for layer in begun {
            if let (Some(k), Some(name)) = (layers[layer].keyframes.last_mut(), names.next()) {
                k.name.clone_from(name);
            }
        }
        for name in names {
            let keyframe = Keyframe { name: name.clone(), index: *begin, diagram: SplitDiagram::default(), at: s.at };
            layers.push(Layer { keyframes: vec![keyframe], ..Layer::default() });
        }
    }
    let met: HashSet<&String> = played.iter().flat_map(|(_, _, s)| &s.objects).collect();
    for s in unplayed {
        let objects: Vec<String> = s.objects.iter().filter(|o| !met.contains(o)).cloned().collect();
        if objects.is_empty() {
            continue;
        }
        let known: HashSet<&String> = objects.iter().collect();
        let own = |end: &(String, String)| end.0 == parent || known.contains(&end.0);
        let links = s.links.iter().filter(|l| own(&l.from) && own(&l.to)).cloned().collect();
        let begin = s.interval.map_or(1, |(begin, _)| begin);
        let keyframe =
            Keyframe { name: String::new(), index: begin, diagram: SplitDiagram { objects, links }, at: s.at };
        layers.push(Layer { mute: true, keyframes: vec![keyframe], ends: None });
    }
    name_the_rest(&mut layers);
    Some(layers)
}

/// Names the keyframes without a label. The names are unused ones, so that no goto finds these keyframes.
fn name_the_rest(layers: &mut [Layer]) {
    let used: HashSet<String> = layers.iter().flat_map(|l| &l.keyframes).map(|k| k.name.clone()).collect();
    let mut free = (1..).map(|n| format!("keyframe{n}")).filter(|n| !used.contains(n));
    for keyframe in layers.iter_mut().flat_map(|l| &mut l.keyframes).filter(|k| k.name.is_empty()) {
        keyframe.name = free.next().unwrap_or_default();
    }
}

/// Groups boxes and links into diagrams by the first and last state that they last through. Returns `None` if a box or
/// link begins twice, or if a link connects boxes that do not begin and end together.
fn groups(played: &[(i64, Vec<String>, &StateFile)], parent: &str) -> Option<BTreeMap<(usize, usize), SplitDiagram>> {
    let mut groups: BTreeMap<(usize, usize), SplitDiagram> = BTreeMap::new();
    let objects = runs(played.iter().map(|(_, _, s)| s.objects.as_slice()))?;
    let mut of: HashMap<&String, (usize, usize)> = HashMap::new();
    for (object, run) in objects {
        of.insert(object, run);
        groups.entry(run).or_default().objects.push(object.clone());
    }
    for (link, run) in runs(played.iter().map(|(_, _, s)| s.links.as_slice()))? {
        let ends = [&link.from.0, &link.to.0].into_iter().filter(|o| *o != parent);
        for end in ends {
            if of.get(end) != Some(&run) {
                return None;
            }
        }
        groups.entry(run).or_default().links.push(link.clone());
    }
    Some(groups)
}

/// Returns the first and last state of each item, in order of appearance. Returns `None` if an item ends and begins
/// again.
fn runs<'a, T: Eq + std::hash::Hash + 'a>(
    states: impl Iterator<Item = &'a [T]>,
) -> Option<Vec<(&'a T, (usize, usize))>> {
    let mut found: Vec<(&T, (usize, usize))> = Vec::new();
    let mut places: HashMap<&T, usize> = HashMap::new();
    for (index, things) in states.enumerate() {
        for thing in things {
            match places.get(thing) {
                None => {
                    places.insert(thing, found.len());
                    found.push((thing, (index, index)));
                }
                Some(&place) if found[place].1.1 + 1 >= index => found[place].1.1 = index,
                Some(_) => return None,
            }
        }
    }
    Some(found)
}

impl Layout {
    /// Appends the layers or the state machine to the assembled text.
    pub(super) fn put(&self, session: &mut Session<'_>, parent: &Owner, depth: usize) -> Result<(), FormatError> {
        let prefix = session.prefix.clone();
        match self {
            Layout::Layers(layers) => {
                for (n, layer) in layers.iter().enumerate() {
                    let at = layer.keyframes.first().map(|k| k.at).unwrap_or_default();
                    let start = session.out.begin(at);
                    session.out.generated(&format!("<{prefix}BehaviorLayer name=\"behavior_layer{}\"", n + 1), at);
                    if layer.mute {
                        session.out.new_attribute("mute", "1", at);
                    }
                    session.out.inside(at);
                    for k in &layer.keyframes {
                        keyframe(session, &k.name, k.index, &k.diagram, k.at, parent, depth)?;
                    }
                    session.out.end(&format!("{prefix}BehaviorLayer"), start, at);
                }
                Ok(())
            }
            Layout::Machine(machine, diagram) => {
                let at = machine.at;
                let start = session.out.begin(at);
                session.out.generated(&format!("<{prefix}BehaviorLayer name=\"behavior_layer1\""), at);
                session.out.inside(at);
                let pool = keyframe(session, "keyframe1", 1, diagram, at, parent, depth)?;
                session.out.end(&format!("{prefix}BehaviorLayer"), start, at);
                machine.put(session, &pool);
                Ok(())
            }
        }
    }
}

impl Machine {
    /// Appends the state machine to the assembled text, for a timeline whose only diagram has these boxes and links.
    pub(super) fn put(&self, session: &mut Session<'_>, pool: &Pool) {
        let prefix = session.prefix.clone();
        let one = |session: &mut Session<'_>, element: &str, attributes: &[(&str, &str)], at: Span| {
            let start = session.out.begin(at);
            session.out.generated(&format!("<{prefix}{element}"), at);
            attributes.iter().for_each(|(name, value)| session.out.new_attribute(name, value, at));
            session.out.end_empty(start, at);
        };
        let boxes: HashMap<&String, usize> = pool.boxes.iter().zip(0..).collect();
        let links = LinkIndex::new(pool.links.iter().copied());
        let start = session.out.begin(self.at);
        session.out.generated(&format!("<{prefix}StateMachine"), self.at);
        session.out.inside(self.at);
        for s in &self.states {
            let start = session.out.begin(s.at);
            session.out.generated(&format!("<{prefix}State"), s.at);
            session.out.new_attribute("Name", &s.name, s.at);
            if let Some((begin, end)) = s.interval {
                session.out.new_attribute("begin", &begin.to_string(), s.at);
                session.out.new_attribute("end", &end.to_string(), s.at);
            }
            session.out.inside(s.at);
            for label in &s.labels {
                one(session, "Label", &[("Name", label)], s.at);
            }
            for n in s.objects.iter().filter_map(|o| boxes.get(o)) {
                one(session, "Object", &[("number", &n.to_string())], s.at);
            }
            let mut taken = HashMap::new();
            let resolved = s.links.iter().filter_map(|l| pool.ports.resolve(l).ok());
            for n in resolved.filter_map(|l| links.next_place(l, &mut taken)) {
                one(session, "Link", &[("number", &n.to_string())], s.at);
            }
            session.out.end(&format!("{prefix}State"), start, s.at);
        }
        let own_names: HashMap<&str, &str> = self.states.iter().map(|s| (&*s.file, &*s.name)).collect();
        let own_name =
            |file: Cow<'_, str>| own_names.get(&*file).map_or_else(|| (*file).to_owned(), |n| (*n).to_owned());
        let wanted = |n: &RawNode<'_>| matches!(local_name(*n), "InitialState" | "FinalState" | "Transition");
        for node in self.file.root().iter().flat_map(|r| r.elements()).filter(wanted) {
            let attributes = node.attributes().map(|a| match a.name() {
                name @ ("Name" | "From" | "To") => (name, own_name(a.value())),
                name => (name, a.value().into_owned()),
            });
            let attributes: Vec<(&str, String)> = attributes.collect();
            let attributes: Vec<(&str, &str)> = attributes.iter().map(|(name, value)| (*name, &**value)).collect();
            one(session, local_name(node), &attributes, self.file.span(node));
        }
        session.out.end(&format!("{prefix}StateMachine"), start, self.at);
    }
}

/// Appends one keyframe with its diagram. Returns the boxes and links that could be read.
fn keyframe(
    session: &mut Session<'_>,
    name: &str,
    index: i64,
    diagram: &SplitDiagram,
    at: Span,
    parent: &Owner,
    depth: usize,
) -> Result<Pool, FormatError> {
    let prefix = session.prefix.clone();
    let owners = owners(session, diagram)?;
    let start = session.out.begin(at);
    session.out.generated(&format!("<{prefix}BehaviorKeyframe"), at);
    session.out.new_attribute("name", name, at);
    session.out.new_attribute("index", &index.to_string(), at);
    session.out.inside(at);
    let inner = session.out.begin(at);
    session.out.generated(&format!("<{prefix}Diagram"), at);
    session.out.inside(at);
    let mut ports = Ports::around(parent.clone());
    let mut boxes = Vec::new();
    for owner in owners {
        if session.object(&owner.name, depth + 1, at)? {
            boxes.push(owner.name.clone());
            ports.add(owner);
        }
    }
    let mut links = Vec::new();
    for link in &diagram.links {
        // All links have been resolved before; an end can be missing now only if its box is already in another diagram.
        match ports.resolve(link) {
            Ok(numbers) => {
                session.numbered_link(numbers, at);
                links.push(numbers);
            }
            Err(end) => session.report_error(codes::SPLIT_LINK, at, no_such_end(end)),
        }
    }
    session.out.end(&format!("{prefix}Diagram"), inner, at);
    session.out.end(&format!("{prefix}BehaviorKeyframe"), start, at);
    Ok(Pool { boxes, links, ports })
}

/// Returns the boxes of a diagram with unique ids. Links are given by names here, so the ids in a folder's files may
/// repeat or be missing.
fn owners(session: &mut Session<'_>, diagram: &SplitDiagram) -> Result<Vec<Owner>, FormatError> {
    let mut owners = Vec::new();
    for name in &diagram.objects {
        if let Some(file) = session.reader.xml(name)?
            && let Some(root) = file.root()
        {
            owners.push(Owner::of_file(name, root));
        }
    }
    let mut used = HashSet::from([0, NO_ID]);
    let again: Vec<bool> = owners.iter().map(|o| !used.insert(o.id)).collect();
    let mut free = (1..).filter(|id| !used.contains(id));
    for (owner, again) in owners.iter_mut().zip(again) {
        if again {
            owner.id = free.next().unwrap_or(NO_ID);
            session.ids.insert(owner.name.clone(), owner.id);
        }
    }
    Ok(owners)
}
