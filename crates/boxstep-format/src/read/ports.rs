//! Reading of `Input`, `Output`, `Parameter` with its `Choice`s, and `Resource`.

use super::codes as table;
use super::context::Context;
use crate::model::{Input, InputNature, NO_ID, Output, OutputNature, Parameter, ParameterType, PortType, Resource};
use crate::raw::{RawAttribute, RawNode};
use std::sync::Arc;

/// The attributes that inputs and outputs share.
struct Port {
    name: Option<Arc<str>>,
    id: Option<i32>,
    port_type: Option<PortType>,
    type_size: i32,
    inner: bool,
    tooltip: String,
}

impl Port {
    fn new() -> Self {
        Self { name: None, id: None, port_type: None, type_size: 1, inner: false, tooltip: String::new() }
    }

    /// Reads an attribute; returns false if it is not one of the shared ones.
    fn take<'a>(&mut self, cx: &mut Context<'a>, a: RawAttribute<'a>) -> bool {
        match a.name() {
            "name" => self.name = Some(cx.intern(a.value())),
            "id" => self.id = Some(cx.int(a).unwrap_or(NO_ID)),
            "type" => {
                self.port_type = Some(cx.code(a, table::port_type, PortType::Unknown).unwrap_or(PortType::Dynamic))
            }
            "type_size" => self.type_size = cx.int(a).unwrap_or(1),
            "inner" => self.inner = cx.flag(a).unwrap_or(false),
            "tooltip" => self.tooltip = a.value().into_owned(),
            _ => return false,
        }
        true
    }

    fn report_missing<'a>(&self, cx: &mut Context<'a>, node: RawNode<'a>) {
        if self.name.is_none() {
            cx.missing(node, "name");
        }
        if self.id.is_none() {
            cx.missing(node, "id");
        }
        if self.port_type.is_none() {
            cx.missing(node, "type");
        }
    }
}

pub(super) fn read_input<'a>(cx: &mut Context<'a>, node: RawNode<'a>) -> Input {
    let mut port = Port::new();
    let mut nature = None;
    let mut memory_key = None;
    for a in node.attributes() {
        match a.name() {
            _ if port.take(cx, a) => {}
            "nature" => {
                nature = Some(cx.code(a, table::input_nature, InputNature::Unknown).unwrap_or(InputNature::OnEvent));
            }
            "stm_value_name" => memory_key = Some(a.value().into_owned()),
            _ => cx.unknown_attribute(node, a),
        }
    }
    port.report_missing(cx, node);
    if nature.is_none() {
        cx.missing(node, "nature");
    }
    cx.no_children(node);
    Input {
        name: port.name.unwrap_or_default(),
        id: port.id.unwrap_or(NO_ID),
        port_type: port.port_type.unwrap_or(PortType::Dynamic),
        type_size: port.type_size,
        nature: nature.unwrap_or(InputNature::OnEvent),
        inner: port.inner,
        memory_key,
        tooltip: port.tooltip,
        span: cx.node_span(node),
    }
}

pub(super) fn read_output<'a>(cx: &mut Context<'a>, node: RawNode<'a>) -> Output {
    let mut port = Port::new();
    let mut nature = None;
    for a in node.attributes() {
        match a.name() {
            _ if port.take(cx, a) => {}
            "nature" => {
                nature =
                    Some(cx.code(a, table::output_nature, OutputNature::Unknown).unwrap_or(OutputNature::Punctual));
            }
            _ => cx.unknown_attribute(node, a),
        }
    }
    port.report_missing(cx, node);
    if nature.is_none() {
        cx.missing(node, "nature");
    }
    cx.no_children(node);
    Output {
        name: port.name.unwrap_or_default(),
        id: port.id.unwrap_or(NO_ID),
        port_type: port.port_type.unwrap_or(PortType::Dynamic),
        type_size: port.type_size,
        nature: nature.unwrap_or(OutputNature::Punctual),
        inner: port.inner,
        tooltip: port.tooltip,
        span: cx.node_span(node),
    }
}

pub(super) fn read_parameter<'a>(cx: &mut Context<'a>, node: RawNode<'a>) -> Parameter {
    let mut p = Parameter {
        name: Arc::default(),
        id: NO_ID,
        content_type: ParameterType::String,
        value: Arc::default(),
        default_value: Arc::default(),
        min: None,
        max: None,
        inherits_from_parent: false,
        custom_choice: false,
        password: false,
        choices: Vec::new(),
        tooltip: String::new(),
        value_span: cx.tag_span(node),
        span: cx.node_span(node),
    };
    let (mut has_name, mut has_id, mut has_type, mut has_value) = (false, false, false, false);
    for a in node.attributes() {
        match a.name() {
            "name" => {
                has_name = true;
                p.name = cx.intern(a.value());
            }
            "id" => {
                has_id = true;
                p.id = cx.int(a).unwrap_or(NO_ID);
            }
            "content_type" => {
                has_type = true;
                let code = cx.code(a, table::parameter_type, ParameterType::Unknown);
                p.content_type = code.unwrap_or(ParameterType::String);
            }
            "value" => {
                has_value = true;
                p.value = cx.intern(a.value());
                p.value_span = cx.value_span(a);
            }
            "default_value" => p.default_value = cx.intern(a.value()),
            // Some files have text parameters with an empty range.
            "min" if !a.value().is_empty() => p.min = cx.float(a),
            "max" if !a.value().is_empty() => p.max = cx.float(a),
            "min" | "max" => {}
            "inherits_from_parent" => p.inherits_from_parent = cx.flag(a).unwrap_or(false),
            "custom_choice" => p.custom_choice = cx.flag(a).unwrap_or(false),
            "password" => p.password = cx.flag(a).unwrap_or(false),
            "tooltip" => p.tooltip = a.value().into_owned(),
            _ => cx.unknown_attribute(node, a),
        }
    }
    for (has, name) in [(has_name, "name"), (has_id, "id"), (has_type, "content_type"), (has_value, "value")] {
        if !has {
            cx.missing(node, name);
        }
    }
    for child in node.elements() {
        if cx.local(child) == "Choice" {
            p.choices.push(read_choice(cx, child));
        } else {
            cx.unknown_element(child);
        }
    }
    p
}

fn read_choice<'a>(cx: &mut Context<'a>, node: RawNode<'a>) -> String {
    let mut value = None;
    for a in node.attributes() {
        match a.name() {
            "value" => value = Some(a.value().into_owned()),
            _ => cx.unknown_attribute(node, a),
        }
    }
    if value.is_none() {
        cx.missing(node, "value");
    }
    cx.no_children(node);
    value.unwrap_or_default()
}

pub(super) fn read_resource<'a>(cx: &mut Context<'a>, node: RawNode<'a>) -> Resource {
    let mut r =
        Resource { name: Arc::default(), mode: None, mode_text: String::new(), timeout: 0.0, span: cx.node_span(node) };
    let (mut has_name, mut has_type, mut has_timeout) = (false, false, false);
    for a in node.attributes() {
        match a.name() {
            "name" => {
                has_name = true;
                r.name = cx.intern(a.value());
            }
            "type" => {
                has_type = true;
                r.mode_text = a.value().into_owned();
                r.mode = table::resource_mode(&r.mode_text);
                if r.mode.is_none() {
                    cx.unknown_code(a, &r.mode_text);
                }
            }
            "timeout" => {
                has_timeout = true;
                r.timeout = cx.float(a).unwrap_or_default();
            }
            _ => cx.unknown_attribute(node, a),
        }
    }
    for (has, name) in [(has_name, "name"), (has_type, "type"), (has_timeout, "timeout")] {
        if !has {
            cx.missing(node, name);
        }
    }
    cx.no_children(node);
    r
}
