//! Timelines: their settings, layers, keyframes and time.

use super::add::timeline;
use super::{missing, new_name};
use crate::error::EditError;
use crate::scratch::Scratch;
use boxstep_format::model::{BehaviorKeyframe, BehaviorLayer, Diagram, Timeline};
use boxstep_types::{BoxPath, Span};

pub(super) fn set(
    to: &mut Scratch<'_>,
    path: &BoxPath,
    [fps, start, end, size]: [Option<i32>; 4],
) -> Result<(), EditError> {
    let def = to.change(path)?;
    let of = def.timeline.get_or_insert_with(|| timeline(true));
    if !of.enabled {
        return Err(EditError::NoTimeline(path.clone()));
    }
    let number = |what, value: i32, least: i32| {
        if value >= least { Ok(value) } else { Err(EditError::Number(path.clone(), what, f64::from(value))) }
    };
    if let Some(fps) = fps {
        of.fps = Some(number("frames per second", fps, 1)?);
    }
    if let Some(start) = start {
        of.start_frame = Some(number("the first frame", start, 0)?);
    }
    if let Some(end) = end {
        of.end_frame = Some(number("the last frame", end, -1)?).filter(|end| *end >= 0);
    }
    if let Some(size) = size {
        of.size = Some(number("a size", size, 1)?);
    }
    Ok(())
}

pub(super) fn add_layer(to: &mut Scratch<'_>, path: &BoxPath, name: &str) -> Result<(), EditError> {
    to.clock(path)?;
    let of = states_free(to, path)?;
    let name = free_layer_name(of, path, name)?;
    of.layers.push(BehaviorLayer { name: name.into(), mute: false, keyframes: Vec::new(), span: Span::default() });
    Ok(())
}

pub(super) fn set_layer(
    to: &mut Scratch<'_>,
    path: &BoxPath,
    layer: &str,
    name: Option<&str>,
    mute: Option<bool>,
) -> Result<(), EditError> {
    let of = states_free(to, path)?;
    let at = layer_at(of, path, layer)?;
    if let Some(name) = name.filter(|name| *name != layer) {
        let name = free_layer_name(of, path, name)?;
        of.layers[at].name = name.into();
    }
    of.layers[at].mute = mute.unwrap_or(of.layers[at].mute);
    Ok(())
}

pub(super) fn remove_layer(to: &mut Scratch<'_>, path: &BoxPath, layer: &str) -> Result<(), EditError> {
    let of = states_free(to, path)?;
    let at = layer_at(of, path, layer)?;
    of.layers.remove(at);
    Ok(())
}

pub(super) fn add_keyframe(
    to: &mut Scratch<'_>,
    path: &BoxPath,
    layer: &str,
    name: &str,
    frame: i32,
) -> Result<(), EditError> {
    to.clock(path)?;
    let of = states_free(to, path)?;
    let at = layer_at(of, path, layer)?;
    let keyframes = &mut of.layers[at].keyframes;
    let name = new_name(path, "keyframe", name)?;
    free_keyframe(keyframes, path, layer, Some(name), Some(frame))?;
    let diagram = Diagram { scale: Some(100.0), boxes: Vec::new(), links: Vec::new(), span: Span::default() };
    let new = BehaviorKeyframe { name: name.into(), index: frame, bitmap: None, diagram, span: Span::default() };
    let place = keyframes.iter().position(|other| other.index > frame).unwrap_or(keyframes.len());
    keyframes.insert(place, new);
    Ok(())
}

pub(super) fn set_keyframe(
    to: &mut Scratch<'_>,
    path: &BoxPath,
    (layer, keyframe): (&str, &str),
    name: Option<&str>,
    frame: Option<i32>,
) -> Result<(), EditError> {
    let of = states_free(to, path)?;
    let at = layer_at(of, path, layer)?;
    let keyframes = &mut of.layers[at].keyframes;
    let place = keyframe_at(keyframes, path, keyframe)?;
    let mut changed = keyframes.remove(place);
    let name = name.filter(|name| *name != keyframe);
    let name = name.map(|name| new_name(path, "keyframe", name)).transpose()?;
    free_keyframe(keyframes, path, layer, name, frame)?;
    if let Some(name) = name {
        changed.name = name.into();
    }
    changed.index = frame.unwrap_or(changed.index);
    keyframes.insert(place, changed);
    Ok(())
}

pub(super) fn remove_keyframe(
    to: &mut Scratch<'_>,
    path: &BoxPath,
    (layer, keyframe): (&str, &str),
) -> Result<(), EditError> {
    let of = states_free(to, path)?;
    let at = layer_at(of, path, layer)?;
    let keyframes = &mut of.layers[at].keyframes;
    let place = keyframe_at(keyframes, path, keyframe)?;
    keyframes.remove(place);
    Ok(())
}

pub(super) fn stretch(to: &mut Scratch<'_>, path: &BoxPath, from: i32, factor: f64, by: i32) -> Result<(), EditError> {
    if !(factor.is_finite() && factor > 0.0) {
        return Err(EditError::Number(path.clone(), "a factor", factor));
    }
    let of = to.timeline(path)?;
    let moved = |frame: i32| {
        if frame < from {
            return Ok(frame);
        }
        let later = f64::from(from) + (f64::from(frame) - f64::from(from)) * factor + f64::from(by);
        let (later, none) = (later.round(), EditError::Number(path.clone(), "a frame", later.round()));
        if (0.0..=f64::from(i32::MAX)).contains(&later) { Ok(later as i32) } else { Err(none) }
    };
    for curve in of.actuators.iter_mut().flat_map(|list| &mut list.curves) {
        let mut frames = Vec::with_capacity(curve.keys.len());
        for key in &mut curve.keys {
            if key.frame >= from {
                let sides = key.left.iter_mut().chain(&mut key.right);
                sides.for_each(|tangent| tangent.abscissa *= factor);
            }
            let now = moved(key.frame)?;
            frames.push((std::mem::replace(&mut key.frame, now), now));
        }
        in_order(path, &curve.actuator, frames)?;
    }
    for layer in &mut of.layers {
        let mut frames = Vec::with_capacity(layer.keyframes.len());
        for keyframe in &mut layer.keyframes {
            let now = moved(keyframe.index)?;
            frames.push((std::mem::replace(&mut keyframe.index, now), now));
        }
        in_order(path, &layer.name, frames)?;
    }
    for state in of.machine.iter_mut().flat_map(|machine| &mut machine.states) {
        (state.begin, state.end) = (state.begin.map(moved).transpose()?, state.end.map(moved).transpose()?);
    }
    of.end_frame = of.end_frame.map(moved).transpose()?;
    if let Some(size) = of.size {
        of.size = Some(size.max(moved(size).unwrap_or(size)));
    }
    Ok(())
}

/// Checks that frames, each with where it was, have the order in which they were.
fn in_order(path: &BoxPath, what: &str, mut frames: Vec<(i32, i32)>) -> Result<(), EditError> {
    frames.sort_unstable();
    for pair in frames.windows(2) {
        match pair {
            [(was, before), (is, after)] if was < is && before == after => {
                return Err(EditError::FrameTaken(path.clone(), what.to_owned(), *after));
            }
            [(_, before), (_, after)] if before > after => {
                return Err(EditError::Passes(path.clone(), what.to_owned(), *after, *before));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Returns the timeline of a box whose layers may change: those of one with listed states may not.
fn states_free<'s>(to: &'s mut Scratch<'_>, path: &BoxPath) -> Result<&'s mut Timeline, EditError> {
    let of = to.timeline(path)?;
    if of.machine.is_some() { Err(EditError::StateMachine(path.clone())) } else { Ok(of) }
}

fn layer_at(of: &Timeline, path: &BoxPath, layer: &str) -> Result<usize, EditError> {
    let known = || of.layers.iter().map(|other| &*other.name);
    known().position(|name| name == layer).ok_or_else(|| missing(path, "layer", layer, known()))
}

fn free_layer_name<'n>(of: &Timeline, path: &BoxPath, name: &'n str) -> Result<&'n str, EditError> {
    let name = new_name(path, "layer", name)?;
    if of.layers.iter().any(|layer| *layer.name == *name) {
        return Err(EditError::NameTaken { path: path.clone(), kind: "layer", name: name.to_owned() });
    }
    Ok(name)
}

fn keyframe_at(keyframes: &[BehaviorKeyframe], path: &BoxPath, name: &str) -> Result<usize, EditError> {
    let known = || keyframes.iter().map(|keyframe| &*keyframe.name);
    known().position(|other| other == name).ok_or_else(|| missing(path, "keyframe", name, known()))
}

fn free_keyframe(
    others: &[BehaviorKeyframe],
    path: &BoxPath,
    layer: &str,
    name: Option<&str>,
    frame: Option<i32>,
) -> Result<(), EditError> {
    if let Some(name) = name.filter(|name| others.iter().any(|other| *other.name == **name)) {
        return Err(EditError::NameTaken { path: path.clone(), kind: "keyframe", name: name.to_owned() });
    }
    match frame {
        Some(frame) if frame < 0 => Err(EditError::Number(path.clone(), "a frame", f64::from(frame))),
        Some(frame) if others.iter().any(|other| other.index == frame) => {
            Err(EditError::FrameTaken(path.clone(), layer.to_owned(), frame))
        }
        _ => Ok(()),
    }
}
