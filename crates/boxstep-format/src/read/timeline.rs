//! Reading of `Timeline`, its layers and keyframes, `Diagram` and `Link`.

use super::boxes::{once, read_box};
use super::codes as table;
use super::context::Context;
use super::curves::read_actuators;
use super::machine::read_machine;
use crate::model::{BehaviorKeyframe, BehaviorLayer, Diagram, Link, NO_ID, Timeline};
use crate::raw::RawNode;
use std::sync::Arc;

pub(super) fn read_timeline<'a>(cx: &mut Context<'a>, node: RawNode<'a>) -> Timeline {
    let mut t = Timeline {
        enabled: false,
        fps: None,
        start_frame: None,
        end_frame: None,
        size: None,
        acquisition: Default::default(),
        scale: None,
        actuators: None,
        layers: Vec::new(),
        machine: None,
        span: cx.node_span(node),
    };
    let mut has_enable = false;
    for a in node.attributes() {
        match a.name() {
            "enable" => {
                has_enable = true;
                t.enabled = cx.flag(a).unwrap_or(false);
            }
            "fps" => t.fps = cx.int(a),
            "start_frame" => t.start_frame = cx.int(a),
            "end_frame" => t.end_frame = cx.int(a).filter(|f| *f != -1),
            "size" => t.size = cx.int(a),
            "scale" => t.scale = cx.int(a),
            // If both spellings occur, the usual one counts.
            name @ ("resources_acquisition" | "resource_acquisition")
                if name == "resources_acquisition" || node.attribute("resources_acquisition").is_none() =>
            {
                if name == "resource_acquisition" {
                    let at = cx.span((a.start(), a.start() + name.len() as u32));
                    cx.other_spelling(at, name, "resources_acquisition");
                }
                if let Some(number) = cx.int(a) {
                    match table::acquisition(number) {
                        Some(known) => t.acquisition = known,
                        None => cx.unknown_code(a, &number.to_string()),
                    }
                }
            }
            // Only the published description has this attribute, and nothing depends on it.
            "name" => {}
            _ => cx.unknown_attribute(node, a),
        }
    }
    if !has_enable {
        cx.missing(node, "enable");
    }
    let mut machine = None;
    for child in node.elements() {
        match cx.local(child) {
            "BehaviorLayer" => t.layers.push(read_layer(cx, child)),
            "ActuatorList" => once(cx, child, &mut t.actuators, read_actuators),
            "StateMachine" => machine = machine.or(Some(child)),
            // This is the editor's list of watched memory keys; in every known file it is empty.
            "watches" => {}
            _ => cx.unknown_element(child),
        }
    }
    t.machine = machine.and_then(|node| read_machine(cx, node, &t.layers));
    t
}

fn read_layer<'a>(cx: &mut Context<'a>, node: RawNode<'a>) -> BehaviorLayer {
    let mut name = None;
    let mut mute = false;
    for a in node.attributes() {
        match a.name() {
            "name" => name = Some(cx.intern(a.value())),
            "mute" => mute = cx.flag(a).unwrap_or(false),
            _ => cx.unknown_attribute(node, a),
        }
    }
    if name.is_none() {
        cx.missing(node, "name");
    }
    let mut keyframes = Vec::new();
    for child in node.elements() {
        match cx.local(child) {
            "BehaviorKeyframe" => keyframes.push(read_keyframe(cx, child)),
            "BehaviorKeyFrame" => {
                cx.element_spelling(child, "BehaviorKeyframe");
                keyframes.push(read_keyframe(cx, child));
            }
            _ => cx.unknown_element(child),
        }
    }
    BehaviorLayer { name: name.unwrap_or_default(), mute, keyframes, span: cx.node_span(node) }
}

fn read_keyframe<'a>(cx: &mut Context<'a>, node: RawNode<'a>) -> BehaviorKeyframe {
    let mut name: Option<Arc<str>> = None;
    let mut index = None;
    let mut bitmap = None;
    for a in node.attributes() {
        match a.name() {
            "name" => name = Some(cx.intern(a.value())),
            "index" => index = Some(cx.int(a).unwrap_or(1)),
            "bitmap" => bitmap = Some(a.value().into_owned()),
            _ => cx.unknown_attribute(node, a),
        }
    }
    if name.is_none() {
        cx.missing(node, "name");
    }
    if index.is_none() {
        cx.missing(node, "index");
    }
    let mut diagram = None;
    for child in node.elements() {
        match cx.local(child) {
            "Diagram" => once(cx, child, &mut diagram, read_diagram),
            _ => cx.unknown_element(child),
        }
    }
    let span = cx.node_span(node);
    BehaviorKeyframe {
        name: name.unwrap_or_default(),
        index: index.unwrap_or(1),
        bitmap,
        diagram: diagram.unwrap_or_else(|| Diagram { span, ..Diagram::default() }),
        span,
    }
}

fn read_diagram<'a>(cx: &mut Context<'a>, node: RawNode<'a>) -> Diagram {
    let mut diagram = Diagram { span: cx.node_span(node), ..Diagram::default() };
    for a in node.attributes() {
        match a.name() {
            "scale" => diagram.scale = cx.float(a),
            _ => cx.unknown_attribute(node, a),
        }
    }
    for child in node.elements() {
        match cx.local(child) {
            "Box" => diagram.boxes.push(read_box(cx, child)),
            "Link" => diagram.links.push(read_link(cx, child)),
            _ => cx.unknown_element(child),
        }
    }
    cx.duplicate_ids("a box of this diagram", diagram.boxes.iter().map(|b| (b.id, b.span)));
    diagram
}

fn read_link<'a>(cx: &mut Context<'a>, node: RawNode<'a>) -> Link {
    let [mut from_box, mut from_port, mut to_box, mut to_port] = [None; 4];
    for a in node.attributes() {
        match a.name() {
            "inputowner" => to_box = Some(cx.int(a).unwrap_or(NO_ID)),
            "indexofinput" => to_port = Some(cx.int(a).unwrap_or(NO_ID)),
            "outputowner" => from_box = Some(cx.int(a).unwrap_or(NO_ID)),
            // If both spellings occur, the usual one counts.
            "outputower" if node.attribute("outputowner").is_none() => {
                let at = cx.span((a.start(), a.start() + a.name().len() as u32));
                cx.other_spelling(at, "outputower", "outputowner");
                from_box = Some(cx.int(a).unwrap_or(NO_ID));
            }
            "indexofoutput" => from_port = Some(cx.int(a).unwrap_or(NO_ID)),
            _ => cx.unknown_attribute(node, a),
        }
    }
    let all =
        [(to_box, "inputowner"), (to_port, "indexofinput"), (from_box, "outputowner"), (from_port, "indexofoutput")];
    for (value, name) in all {
        if value.is_none() {
            cx.missing(node, name);
        }
    }
    cx.no_children(node);
    Link {
        from_box: from_box.unwrap_or(NO_ID),
        from_port: from_port.unwrap_or(NO_ID),
        to_box: to_box.unwrap_or(NO_ID),
        to_port: to_port.unwrap_or(NO_ID),
        span: cx.node_span(node),
    }
}
