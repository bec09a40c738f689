//! Reading of `Box` and `script`.

use super::context::{Context, has_stray_text};
use super::{codes as table, ports, timeline};
use crate::codes;
use crate::model::{BoxDef, NO_ID, Script, ScriptLanguage};
use crate::raw::{RawKind, RawNode};
use boxstep_types::Span;
use std::sync::Arc;

pub(super) fn read_box<'a>(cx: &mut Context<'a>, node: RawNode<'a>) -> BoxDef {
    if let Some(known) = cx.known_box(node) {
        return known;
    }
    let mut def = BoxDef {
        name: Arc::default(),
        id: NO_ID,
        tooltip: String::new(),
        x: 0.0,
        y: 0.0,
        localization: None,
        plugin: String::new(),
        robot: None,
        bitmap_expanded: None,
        bitmaps: Vec::new(),
        script: None,
        inputs: Vec::new(),
        outputs: Vec::new(),
        parameters: Vec::new(),
        resources: Vec::new(),
        timeline: None,
        dialog_file: None,
        plugin_content: None,
        span: cx.node_span(node),
    };
    attributes(cx, node, &mut def);
    for child in node.elements() {
        content(cx, child, &mut def);
    }
    let ports = def.inputs.iter().map(|p| (p.id, p.span));
    let ports = ports.chain(def.outputs.iter().map(|p| (p.id, p.span)));
    cx.duplicate_ids("a port", ports.chain(def.parameters.iter().map(|p| (p.id, p.span))));
    def
}

fn attributes<'a>(cx: &mut Context<'a>, node: RawNode<'a>, def: &mut BoxDef) {
    let (mut has_name, mut has_id) = (false, false);
    for a in node.attributes() {
        match a.name() {
            "name" => {
                has_name = true;
                def.name = cx.intern(a.value());
            }
            "id" => {
                has_id = true;
                def.id = cx.int(a).unwrap_or(NO_ID);
            }
            "tooltip" => def.tooltip = a.value().into_owned(),
            "x" => def.x = cx.float(a).unwrap_or_default(),
            "y" => def.y = cx.float(a).unwrap_or_default(),
            "localization" => def.localization = cx.int(a),
            "plugin" => def.plugin = a.value().into_owned(),
            "robot" => def.robot = Some(a.value().into_owned()),
            "bitmap_expanded" => def.bitmap_expanded = cx.flag(a),
            _ => cx.unknown_attribute(node, a),
        }
    }
    if !has_name {
        cx.missing(node, "name");
    }
    if !has_id {
        cx.missing(node, "id");
    }
}

fn content<'a>(cx: &mut Context<'a>, child: RawNode<'a>, def: &mut BoxDef) {
    let name = cx.local(child);
    match name {
        "Input" => def.inputs.push(ports::read_input(cx, child)),
        "Output" => def.outputs.push(ports::read_output(cx, child)),
        "Parameter" => def.parameters.push(ports::read_parameter(cx, child)),
        "Resource" => def.resources.push(ports::read_resource(cx, child)),
        "bitmap" | "Bitmap" => {
            if name == "Bitmap" {
                cx.element_spelling(child, "bitmap");
            }
            for attribute in child.attributes() {
                cx.unknown_attribute(child, attribute);
            }
            let path = cx.trimmed_content(child);
            def.bitmaps.push(path);
        }
        "script" | "Script" => {
            if name == "Script" {
                cx.element_spelling(child, "script");
            }
            once(cx, child, &mut def.script, read_script);
        }
        "Timeline" => once(cx, child, &mut def.timeline, timeline::read_timeline),
        "dialogFile" => once(cx, child, &mut def.dialog_file, Context::trimmed_content),
        // This is the editor plugin's data; it is not interpreted, whatever names its elements have.
        "pluginContent" => once(cx, child, &mut def.plugin_content, |cx, node| cx.node_span(node)),
        _ => cx.unknown_element(child),
    }
}

/// Reads an element that may occur only once; reports any further one.
pub(super) fn once<'a, T>(
    cx: &mut Context<'a>,
    node: RawNode<'a>,
    slot: &mut Option<T>,
    read: impl FnOnce(&mut Context<'a>, RawNode<'a>) -> T,
) {
    if slot.is_some() {
        return cx.repeated(node);
    }
    *slot = Some(read(cx, node));
}

fn read_script<'a>(cx: &mut Context<'a>, node: RawNode<'a>) -> Script {
    let mut language = None;
    for a in node.attributes() {
        match a.name() {
            "language" | "Language" => {
                language = cx.code(a, table::language, ScriptLanguage::Unknown);
            }
            _ => cx.unknown_attribute(node, a),
        }
    }
    if language.is_none() {
        cx.missing(node, "language");
    }
    let mut content = None;
    for child in node.elements() {
        let name = cx.local(child);
        match name {
            "content" | "Content" => {
                if name == "Content" {
                    cx.element_spelling(child, "content");
                }
                once(cx, child, &mut content, script_text);
            }
            _ => cx.unknown_element(child),
        }
    }
    let end = node.range().1;
    let (text, text_span) = content.unwrap_or_else(|| (Arc::default(), cx.span((end, end))));
    let language = language.unwrap_or(ScriptLanguage::Python);
    Script { language, text, is_program: false, args: None, text_span, span: cx.node_span(node) }
}

/// Returns the script as its author wrote it. White space around a CDATA section is layout of the file; with it, Python
/// would see an indented first line.
fn script_text<'a>(cx: &mut Context<'a>, node: RawNode<'a>) -> (Arc<str>, Span) {
    cx.no_children(node);
    let mut sections = node.children().filter(|n| n.kind() == RawKind::CData);
    if let Some(first) = sections.next() {
        let (start, mut end) = first.inner_range();
        let mut text = first.text();
        for section in sections {
            end = section.inner_range().1;
            text.to_mut().push_str(&section.text());
        }
        if let Some(stray) = node.children().find(|n| n.kind() == RawKind::Text) {
            let at = cx.node_span(stray);
            cx.warn(codes::STRAY_TEXT, at, "text beside the CDATA section is not part of the script");
        }
        return (Arc::from(&*text), cx.span((start, end)));
    }
    let Some(text) = has_stray_text(node) else {
        let end = node.range().1;
        return (Arc::default(), cx.span((end, end)));
    };
    let (start, end) = text.range();
    let all = node.content();
    // The first text node begins with the white space of the layout.
    let source = text.text();
    let layout = (source.len() - source.trim_start().len()) as u32;
    let last = node.children().filter(|n| n.kind() == RawKind::Text).last().map_or(end, |n| n.range().1);
    (Arc::from(all.trim()), cx.span(((start + layout).min(last), last)))
}
