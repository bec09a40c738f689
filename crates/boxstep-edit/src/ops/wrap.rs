//! Boxes into a box with a diagram, and back.

use super::add::{empty, timeline};
use super::{new_name, scripts};
use crate::error::EditError;
use crate::fields::Kind;
use crate::scratch::{Scratch, free_box_id, free_name, free_port_id, is_own_id};
use boxstep_format::model::{
    BoxDef, Diagram, Input, InputNature, Link, Output, OutputNature, PortType, ScriptLanguage,
};
use boxstep_format::paths::segments;
use boxstep_types::{BoxPath, Segment, Span};
use std::collections::HashSet;

/// The place of the first box in a new diagram, in pixels.
const CORNER: (f64, f64) = (120.0, 60.0);

pub(super) fn wrap(to: &mut Scratch<'_>, boxes: &[BoxPath], name: &str) -> Result<(), EditError> {
    let (place, places) = to.find_beside(boxes)?;
    let path = to.path(&place.of);
    let name = new_name(&path, "box", name)?;
    if let Some(dead) = dead(to.diagram(&place)?.1, &places) {
        return Err(EditError::Wrap(path.join(dead), "it acts when it is loaded, and no link would load the new box"));
    }
    let (_, diagram) = to.diagram(&place)?;
    let has_links = |id: i32| diagram.links.iter().any(|link| [link.from_box, link.to_box].contains(&id));
    let is_shared = |def: &BoxDef| def.id != 0 && has_links(def.id) && !is_own_id(diagram, def.id);
    if let Some(shared) = places.iter().find(|at| diagram.boxes.get(**at).is_some_and(is_shared)) {
        let path = segments(diagram).into_iter().nth(*shared).map_or(path.clone(), |segment| path.join(segment));
        return Err(EditError::Wrap(path, "another box has its number in the file"));
    }
    let diagram = to.diagram_mut(&place)?;
    let others = diagram.boxes.iter().enumerate().filter(|(at, _)| !places.contains(at));
    if others.map(|(_, def)| &def.name).any(|other| **other == *name) {
        return Err(EditError::NameTaken { path, kind: "box", name: name.to_owned() });
    }
    let id = free_box_id(diagram);
    let (mut inside, outside): (Vec<_>, Vec<_>) =
        std::mem::take(&mut diagram.boxes).into_iter().enumerate().partition(|(at, _)| places.contains(at));
    let corner = |of: fn(&BoxDef) -> f64| inside.iter().map(|(_, def)| of(def)).reduce(f64::min).unwrap_or_default();
    let (x, y) = (corner(|def| def.x), corner(|def| def.y));
    for (_, def) in &mut inside {
        (def.x, def.y) = finite(&path, (def.x - x + CORNER.0, def.y - y + CORNER.1))?;
    }
    let inside: Vec<BoxDef> = inside.into_iter().map(|(_, def)| def).collect();
    let mut wrapper = BoxDef { name: name.into(), id, x, y, ..empty(Kind::Diagram) };
    // Its ports are those that links from and to outside need.
    wrapper.inputs.truncate(1);
    wrapper.outputs.clear();
    let links = std::mem::take(&mut diagram.links);
    let (inner, outer) = split(links, &inside, &mut wrapper);
    wrapper.timeline = Some(timeline(false));
    if let Some(of_wrapper) = only_diagram(&mut wrapper) {
        (of_wrapper.boxes, of_wrapper.links) = (inside, inner);
    }
    diagram.boxes = outside.into_iter().map(|(_, def)| def).collect();
    let first = places.first().copied().unwrap_or_default().min(diagram.boxes.len());
    diagram.boxes.insert(first, wrapper);
    diagram.links = outer;
    Ok(())
}

/// Returns a place that a file can say.
fn finite(path: &BoxPath, (x, y): (f64, f64)) -> Result<(f64, f64), EditError> {
    match [x, y].into_iter().find(|number| !number.is_finite()) {
        Some(number) => Err(EditError::Number(path.clone(), "a place", number)),
        None => Ok((x, y)),
    }
}

/// Returns a chosen box that acts when it is loaded, and would not be, because no signal from outside reaches it.
fn dead(diagram: &Diagram, chosen: &[usize]) -> Option<Segment> {
    let of = |id: i32| chosen.iter().copied().find(|at| diagram.boxes.get(*at).is_some_and(|def| def.id == id));
    let from_outside = diagram.links.iter().filter(|link| of(link.from_box).is_none());
    let mut waiting: Vec<usize> = from_outside.filter_map(|link| of(link.to_box)).collect();
    let mut reached = HashSet::new();
    while let Some(at) = waiting.pop() {
        if reached.insert(at) {
            let id = diagram.boxes.get(at).map(|def| def.id);
            let next = diagram.links.iter().filter(|link| Some(link.from_box) == id);
            waiting.extend(next.filter_map(|link| of(link.to_box)));
        }
    }
    let acts = |def: &BoxDef| {
        let script = def.script.as_ref();
        def.dialog_file.is_some()
            || script.is_some_and(|s| s.language == ScriptLanguage::QiChat || scripts::acts_on_load(&s.text))
    };
    let is_dead = |at: &usize| !reached.contains(at) && diagram.boxes.get(*at).is_some_and(acts);
    let dead = chosen.iter().copied().find(is_dead)?;
    segments(diagram).into_iter().nth(dead)
}

/// Divides links into those of the new diagram and those around it, and gives the new box the ports that join them.
fn split(links: Vec<Link>, inside: &[BoxDef], wrapper: &mut BoxDef) -> (Vec<Link>, Vec<Link>) {
    let find = |id: i32| inside.iter().find(|def| id != 0 && def.id == id);
    let (mut inner, mut outer): (Vec<Link>, Vec<Link>) = (Vec::new(), Vec::new());
    let mut joined: Vec<((i32, i32, bool), i32)> = Vec::new();
    for link in links {
        match (find(link.from_box), find(link.to_box)) {
            (Some(_), Some(_)) => inner.push(Link { span: Span::default(), ..link }),
            (None, None) => outer.push(link),
            (None, Some(target)) => {
                let key = (link.to_box, link.to_port, true);
                let port = joined.iter().find(|(other, _)| *other == key).map(|(_, port)| *port);
                let port = port.unwrap_or_else(|| {
                    let port = add_input(wrapper, target, link.to_port);
                    joined.push((key, port));
                    inner.push(Link { from_box: 0, from_port: port, span: Span::default(), ..link.clone() });
                    port
                });
                outer.push(Link { to_box: wrapper.id, to_port: port, ..link });
            }
            (Some(source), None) => {
                let key = (link.from_box, link.from_port, false);
                let port = joined.iter().find(|(other, _)| *other == key).map(|(_, port)| *port);
                let port = port.unwrap_or_else(|| {
                    let port = add_output(wrapper, source, link.from_port);
                    joined.push((key, port));
                    inner.push(Link { to_box: 0, to_port: port, span: Span::default(), ..link.clone() });
                    port
                });
                outer.push(Link { from_box: wrapper.id, from_port: port, ..link });
            }
        }
    }
    // Links that are the same now say it once.
    let ends = |link: &Link| (link.from_box, link.from_port, link.to_box, link.to_port);
    let mut seen = HashSet::new();
    outer.retain(|link| seen.insert(ends(link)));
    (inner, outer)
}

/// Adds the input that leads to a port of a box inside, and returns its id.
fn add_input(wrapper: &mut BoxDef, target: &BoxDef, port: i32) -> i32 {
    let id = free_port_id(wrapper);
    let input = target.inputs.iter().find(|input| input.id == port);
    let parameter = target.parameters.iter().position(|parameter| parameter.id == port);
    let (name, port_type) = match (input, parameter) {
        (Some(input), _) => (input.name.to_string(), input.port_type),
        (None, Some(at)) => {
            let of = boxstep_format::resolve::PortRef::Parameter(at);
            (of.describe(target).1.to_owned(), of.port_type(target))
        }
        (None, None) => ("input".to_owned(), PortType::Dynamic),
    };
    // The first signal loads the new box. One that stops a box inside loads nothing.
    let stops = input.is_some_and(|input| input.nature == InputNature::OnStop);
    wrapper.inputs.push(Input {
        name: free_port_name(wrapper, &name, &target.name).into(),
        id,
        port_type,
        type_size: input.map_or(1, |input| input.type_size),
        nature: if stops { InputNature::OnEvent } else { InputNature::OnStart },
        inner: false,
        memory_key: None,
        tooltip: input.map(|input| input.tooltip.clone()).unwrap_or_default(),
        span: Span::default(),
    });
    id
}

/// Adds the output to which a port of a box inside leads, and returns its id.
fn add_output(wrapper: &mut BoxDef, source: &BoxDef, port: i32) -> i32 {
    let id = free_port_id(wrapper);
    let output = source.outputs.iter().find(|output| output.id == port);
    let name = output.map_or("output", |output| &output.name);
    wrapper.outputs.push(Output {
        name: free_port_name(wrapper, name, &source.name).into(),
        id,
        port_type: output.map_or(PortType::Dynamic, |output| output.port_type),
        type_size: output.map_or(1, |output| output.type_size),
        // The new box does not end with a box inside.
        nature: OutputNature::Punctual,
        inner: false,
        tooltip: output.map(|output| output.tooltip.clone()).unwrap_or_default(),
        span: Span::default(),
    });
    id
}

/// Returns a name that no port of a box has: this one, or with the name of the box inside, or with a number.
fn free_port_name(def: &BoxDef, name: &str, of: &str) -> String {
    let taken = |name: &str| {
        def.inputs.iter().any(|port| *port.name == *name) || def.outputs.iter().any(|port| *port.name == *name)
    };
    let named = [name.to_owned(), format!("{name}_{of}")];
    let numbered = (2u32..).map(|n| format!("{name}_{n}"));
    named.into_iter().chain(numbered).find(|name| !taken(name)).unwrap_or_else(|| name.to_owned())
}

fn only_diagram(def: &mut BoxDef) -> Option<&mut Diagram> {
    let layers = def.timeline.iter_mut().flat_map(|timeline| &mut timeline.layers);
    layers.flat_map(|layer| &mut layer.keyframes).map(|keyframe| &mut keyframe.diagram).next()
}

pub(super) fn unwrap(to: &mut Scratch<'_>, path: &BoxPath) -> Result<(), EditError> {
    let (place, index) = to.find_inner(path)?;
    let inside = to.diagram_at(path)?;
    let (def, inner) = to.diagram(&inside)?;
    let (def, inner) = (def.clone(), inner.clone());
    let refused = |why: &str| Err(EditError::Unwrap(path.clone(), why.to_owned()));
    if def.timeline.as_ref().is_some_and(|timeline| timeline.enabled || timeline.machine.is_some()) {
        return refused("a clock moves it");
    }
    if def.script.as_ref().is_some_and(|script| !script.text.trim().is_empty()) {
        return refused("its script would be lost");
    }
    if def.dialog_file.is_some() || def.plugin_content.is_some() {
        return refused("its dialog or form would be lost");
    }
    if !def.parameters.is_empty() || !def.resources.is_empty() {
        return refused("its parameters and resources would be lost");
    }
    let nature = |id: i32| def.inputs.iter().find(|input| input.id == id).map(|input| input.nature);
    if inner.links.iter().any(|link| link.from_box == 0 && nature(link.from_port) == Some(InputNature::OnLoad)) {
        return refused("boxes in it start when it is loaded");
    }
    if inner.links.iter().any(|link| link.from_box == 0 && nature(link.from_port) == Some(InputNature::Memory)) {
        return refused("boxes in it get events of the robot's memory through it");
    }
    let ends = |id: i32| def.outputs.iter().any(|out| out.id == id && out.nature == OutputNature::OnStopped);
    if inner.boxes.len() > 1 && inner.links.iter().any(|link| link.to_box == 0 && ends(link.to_port)) {
        return refused("its end stops all boxes in it");
    }
    let diagram = to.diagram_mut(&place)?;
    let stops = |link: &&Link| link.to_box == def.id && nature(link.to_port) == Some(InputNature::OnStop);
    if diagram.links.iter().any(|link| stops(&link)) {
        return refused("a link stops it, and with it all boxes in it");
    }
    if !is_own_id(diagram, def.id) {
        return refused("another box has its number in the file");
    }
    diagram.boxes.remove(index);
    // New ids, so that those inside are not those of boxes beside.
    let mut used = diagram.clone();
    let mut ids: Vec<(i32, i32)> = Vec::with_capacity(inner.boxes.len());
    for one in &inner.boxes {
        let id = free_box_id(&used);
        ids.push((one.id, id));
        used.links.push(joined((id, 0), (0, 0)));
    }
    let all = std::mem::take(&mut diagram.links);
    let around: Vec<Link> = all.iter().filter(|link| [link.from_box, link.to_box].contains(&def.id)).cloned().collect();
    diagram.links = Through { id: def.id, around: &around, inner: &inner.links, ids: &ids }.links(all);
    for (mut one, (_, id)) in inner.boxes.into_iter().zip(&ids) {
        let name = free_name(diagram, &one.name);
        (one.id, one.name) = (*id, name.into());
        (one.x, one.y) = finite(path, (one.x + def.x - CORNER.0, one.y + def.y - CORNER.1))?;
        diagram.boxes.push(one);
    }
    Ok(())
}

/// The links through a box that goes: those around it and those inside, which its ports join.
struct Through<'a> {
    /// The id of the box.
    id: i32,
    around: &'a [Link],
    inner: &'a [Link],
    /// The ids of the boxes inside, and those that they get.
    ids: &'a [(i32, i32)],
}

impl Through<'_> {
    /// Returns the links of the diagram without the box: those from each box to each that a signal reaches without them,
    /// in the order in which it reaches them. A signal may leave the box, come back, and leave it again.
    fn links(&self, all: Vec<Link>) -> Vec<Link> {
        let mut found = Vec::new();
        for link in all {
            if link.from_box == self.id {
                continue;
            }
            if link.to_box == self.id {
                let ends = self.ends_of_input(link.to_port);
                found.extend(ends.into_iter().map(|end| joined((link.from_box, link.from_port), end)));
            } else {
                found.push(link);
            }
        }
        for link in self.inner.iter().filter(|link| link.from_box != 0) {
            if let Some(from) = self.own(link.from_box) {
                found.extend(self.ends(link).into_iter().map(|end| joined((from, link.from_port), end)));
            }
        }
        found
    }

    /// Returns where signals of an input of the box go.
    fn ends_of_input(&self, port: i32) -> Vec<(i32, i32)> {
        let inner = self.inner.iter().filter(|link| link.from_box == 0 && link.from_port == port);
        inner.flat_map(|link| self.ends(link)).collect()
    }

    /// Returns where a link inside leads, also outside.
    fn ends(&self, link: &Link) -> Vec<(i32, i32)> {
        let (mut ends, mut seen, mut waiting) = (Vec::new(), Vec::new(), vec![(link, true)]);
        while let Some((link, is_inside)) = waiting.pop() {
            if is_inside && link.to_box != 0 {
                ends.extend(self.own(link.to_box).map(|to| (to, link.to_port)));
            } else if !is_inside && link.to_box != self.id {
                ends.push((link.to_box, link.to_port));
            } else if is_inside {
                // A loop through the box alone leads nowhere.
                if !seen.contains(&link.to_port) {
                    seen.push(link.to_port);
                    let out = |out: &&Link| out.from_box == self.id && out.from_port == link.to_port;
                    waiting.extend(self.around.iter().filter(out).map(|link| (link, false)).rev());
                }
            } else {
                let into = |next: &&Link| next.from_box == 0 && next.from_port == link.to_port;
                waiting.extend(self.inner.iter().filter(into).map(|link| (link, true)).rev());
            }
        }
        ends
    }

    /// Returns the new id of a box inside; `None` for a link to no box.
    fn own(&self, id: i32) -> Option<i32> {
        self.ids.iter().find(|(old, _)| *old == id).map(|(_, new)| *new)
    }
}

fn joined((from_box, from_port): (i32, i32), (to_box, to_port): (i32, i32)) -> Link {
    Link { from_box, from_port, to_box, to_port, span: Span::default() }
}
