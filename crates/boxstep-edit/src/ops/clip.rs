//! Copies of boxes, in their diagram and between files.

use super::add::{empty, foreign, timeline};
use crate::error::EditError;
use crate::fields::Kind;
use crate::scratch::{DiagramPlace, Scratch, free_box_id, free_name, free_place};
use boxstep_format::XarFile;
use boxstep_format::model::{BoxDef, Link, NO_ID};
use boxstep_format::write::{Copies, write_library_box};
use boxstep_types::{BoxPath, Span};
use std::collections::HashMap;

/// The name of the box in whose diagram copied boxes are.
const CLIP: &str = "Clipboard";

/// Returns boxes of a diagram, and the links between them, as the text of a library box whose diagram contains them.
///
/// # Errors
/// A box is not there, or they are not in one diagram.
pub fn copied(file: &XarFile, boxes: &[BoxPath]) -> Result<String, EditError> {
    let scratch = Scratch::new(file);
    let (place, places) = scratch.find_beside(boxes)?;
    let (_, diagram) = scratch.diagram(&place)?;
    let chosen: Vec<BoxDef> = places.iter().filter_map(|at| diagram.boxes.get(*at)).cloned().collect();
    let links = between(&chosen, &diagram.links);
    let mut clip = BoxDef { name: CLIP.into(), timeline: Some(timeline(false)), ..empty(Kind::Diagram) };
    clip.outputs.clear();
    if let Some(inside) = clip.timeline.iter_mut().flat_map(|t| &mut t.layers).flat_map(|l| &mut l.keyframes).next() {
        (inside.diagram.boxes, inside.diagram.links) = (chosen, links);
    }
    Ok(write_library_box(&clip, &Copies::new(file, &[]))?)
}

/// Returns a box as the text of a box of a library, under a name.
///
/// # Errors
/// The box is not there.
pub(crate) fn saved(file: &XarFile, path: &BoxPath, name: &str) -> Result<String, EditError> {
    let scratch = Scratch::new(file);
    let mut def = scratch.def(&scratch.find(path)?).clone();
    (def.name, def.x, def.y) = (name.into(), 0.0, 0.0);
    Ok(write_library_box(&def, &Copies::new(file, &[]))?)
}

/// Returns the links that both begin and end at one of these boxes.
fn between(boxes: &[BoxDef], links: &[Link]) -> Vec<Link> {
    let is_one = |id: i32| id != 0 && id != NO_ID && boxes.iter().any(|def| def.id == id);
    let inner = links.iter().filter(|link| is_one(link.from_box) && is_one(link.to_box));
    inner.map(|link| Link { span: Span::default(), ..link.clone() }).collect()
}

pub(super) fn duplicate(to: &mut Scratch<'_>, boxes: &[BoxPath], (dx, dy): (f64, f64)) -> Result<(), EditError> {
    let (place, places) = to.find_beside(boxes)?;
    let (_, diagram) = to.diagram(&place)?;
    let chosen: Vec<BoxDef> = places.iter().filter_map(|at| diagram.boxes.get(*at)).cloned().collect();
    let links = between(&chosen, &diagram.links);
    insert(to, &place, chosen, links, (dx, dy))
}

pub(super) fn paste(
    to: &mut Scratch<'_>,
    path: &BoxPath,
    clip: &str,
    (x, y): (Option<f64>, Option<f64>),
) -> Result<(), EditError> {
    let place = to.diagram_at(path)?;
    let root = foreign(to, clip)?;
    let layers = root.timeline.iter().flat_map(|timeline| &timeline.layers);
    let diagram = layers.flat_map(|layer| &layer.keyframes).map(|keyframe| &keyframe.diagram);
    // A box that was saved to a library may have a diagram of its own.
    let is_clip = *root.name == *CLIP && root.outputs.is_empty();
    let (boxes, links) = match diagram.clone().next().filter(|diagram| is_clip && !diagram.boxes.is_empty()) {
        Some(diagram) => (diagram.boxes.clone(), between(&diagram.boxes, &diagram.links)),
        None => (vec![root], Vec::new()),
    };
    let smallest = |of: fn(&BoxDef) -> f64| boxes.iter().map(of).reduce(f64::min).unwrap_or_default();
    let by = (x.map_or(0.0, |x| x - smallest(|def| def.x)), y.map_or(0.0, |y| y - smallest(|def| def.y)));
    insert(to, &place, boxes, links, by)
}

/// Adds boxes to a diagram, with ids and names that are free there, at other places; beside these, if others are there.
fn insert(
    to: &mut Scratch<'_>,
    place: &DiagramPlace,
    boxes: Vec<BoxDef>,
    links: Vec<Link>,
    (dx, dy): (f64, f64),
) -> Result<(), EditError> {
    let path = to.path(&place.of);
    let diagram = to.diagram_mut(place)?;
    let (dx, dy) = free_place(diagram, &boxes, (dx, dy));
    let mut ids: HashMap<i32, i32> = HashMap::new();
    for mut def in boxes {
        let (id, name) = (free_box_id(diagram), free_name(diagram, &def.name));
        ids.insert(def.id, id);
        (def.id, def.name) = (id, name.into());
        (def.x, def.y) = (def.x + dx, def.y + dy);
        if let Some(number) = [def.x, def.y].into_iter().find(|number| !number.is_finite()) {
            return Err(EditError::Number(path, "a place", number));
        }
        diagram.boxes.push(def);
    }
    let end = |id: i32| ids.get(&id).copied();
    diagram.links.extend(links.into_iter().filter_map(|link| {
        Some(Link { from_box: end(link.from_box)?, to_box: end(link.to_box)?, span: Span::default(), ..link })
    }));
    Ok(())
}
