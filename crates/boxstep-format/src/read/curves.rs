//! Reading of `ActuatorList`, `ActuatorCurve`, `Key` and `Tangent`.

use super::codes as table;
use super::context::Context;
use crate::codes;
use crate::model::{ActuatorCurve, ActuatorList, CurveUnit, Key, Tangent};
use crate::raw::RawNode;

pub(super) fn read_actuators<'a>(cx: &mut Context<'a>, node: RawNode<'a>) -> ActuatorList {
    let mut list = ActuatorList { model: String::new(), curves: Vec::new(), span: cx.node_span(node) };
    for a in node.attributes() {
        match a.name() {
            "model" => list.model = a.value().into_owned(),
            _ => cx.unknown_attribute(node, a),
        }
    }
    for child in node.elements() {
        match cx.local(child) {
            "ActuatorCurve" => list.curves.push(read_curve(cx, child)),
            _ => cx.unknown_element(child),
        }
    }
    list
}

fn read_curve<'a>(cx: &mut Context<'a>, node: RawNode<'a>) -> ActuatorCurve {
    let mut name = String::new();
    let mut actuator = None;
    let (mut recordable, mut mute, mut always_visible) = (None, false, None);
    let mut unit = CurveUnit::Unspecified;
    for a in node.attributes() {
        match a.name() {
            "name" => name = a.value().into_owned(),
            "actuator" => actuator = Some(cx.intern(a.value())),
            "recordable" => recordable = cx.flag(a),
            "mute" => mute = cx.flag(a).unwrap_or(false),
            "alwaysVisible" => always_visible = cx.flag(a),
            "unit" => unit = cx.code(a, table::unit, CurveUnit::Unknown).unwrap_or(CurveUnit::Unspecified),
            _ => cx.unknown_attribute(node, a),
        }
    }
    if actuator.is_none() {
        cx.missing(node, "actuator");
    }
    let mut keys = Vec::with_capacity(node.elements().count());
    for child in node.elements() {
        match cx.local(child) {
            "Key" => keys.extend(read_key(cx, child)),
            _ => cx.unknown_element(child),
        }
    }
    ActuatorCurve {
        name,
        actuator: actuator.unwrap_or_default(),
        recordable,
        mute,
        always_visible,
        unit,
        keys,
        span: cx.node_span(node),
    }
}

/// Reads a key. One without a frame or value is reported and left out, because a guessed key would move a joint.
fn read_key<'a>(cx: &mut Context<'a>, node: RawNode<'a>) -> Option<Key> {
    let (mut frame, mut value) = (None, None);
    let (mut smooth, mut symmetrical) = (None, None);
    for a in node.attributes() {
        match a.name() {
            "frame" => frame = Some(cx.int(a)),
            "value" => value = Some(cx.float(a)),
            "smooth" => smooth = cx.flag(a),
            "symmetrical" => symmetrical = cx.flag(a),
            _ => cx.unknown_attribute(node, a),
        }
    }
    if frame.is_none() {
        cx.missing(node, "frame");
    }
    if value.is_none() {
        cx.missing(node, "value");
    }
    let (left, right) = read_tangents(cx, node);
    Some(Key { frame: frame??, value: value??, smooth, symmetrical, left, right, span: cx.node_span(node) })
}

fn read_tangents<'a>(cx: &mut Context<'a>, key: RawNode<'a>) -> (Option<Tangent>, Option<Tangent>) {
    let (mut left, mut right) = (None, None);
    let mut sides = [false; 2];
    for child in key.elements() {
        if cx.local(child) != "Tangent" {
            cx.unknown_element(child);
            continue;
        }
        let (side, tangent) = read_tangent(cx, child);
        let Some(is_right) = side else { continue };
        if std::mem::replace(&mut sides[usize::from(is_right)], true) {
            cx.repeated(child);
        } else if is_right {
            right = tangent;
        } else {
            left = tangent;
        }
    }
    if sides[0] != sides[1] {
        let missing = if sides[0] { "right" } else { "left" };
        let at = cx.tag_span(key);
        cx.warn(codes::LONE_TANGENT, at, format!("the key has no {missing} tangent; that side is automatic"));
    }
    (left, right)
}

/// Returns the side (true is right) and the tangent; an invalid tangent becomes an automatic one.
fn read_tangent<'a>(cx: &mut Context<'a>, node: RawNode<'a>) -> (Option<bool>, Option<Tangent>) {
    let (mut side, mut interpolation) = (None, None);
    let (mut abscissa, mut ordinate) = (None, None);
    for a in node.attributes() {
        match a.name() {
            "side" => match &*a.value() {
                "left" => side = Some(false),
                "right" => side = Some(true),
                other => cx.unknown_code(a, other),
            },
            "interpType" => {
                let word = a.value();
                interpolation = table::interpolation(&word);
                if interpolation.is_none() {
                    cx.unknown_code(a, &word);
                }
            }
            "abscissaParam" => abscissa = cx.float(a),
            "ordinateParam" => ordinate = cx.float(a),
            _ => cx.unknown_attribute(node, a),
        }
    }
    for name in ["side", "interpType", "abscissaParam", "ordinateParam"] {
        if !node.attributes().any(|a| a.name() == name) {
            cx.missing(node, name);
        }
    }
    cx.no_children(node);
    let span = cx.node_span(node);
    let tangent = || Some(Tangent { interpolation: interpolation?, abscissa: abscissa?, ordinate: ordinate?, span });
    (side, tangent())
}
