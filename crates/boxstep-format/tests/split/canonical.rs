//! A file as a tree that does not depend on layout, order of attributes, and form of scripts.

use boxstep_format::XarFile;
use boxstep_format::model::{BoxDef, Project};
use boxstep_format::raw::{RawKind, RawNode};

/// Returns all content of a file, one line per node, with its depth.
pub(crate) fn canonical(file: &XarFile) -> Vec<String> {
    let mut lines = Vec::new();
    for node in file.raw.view(file.sources.text(file.file)).top_level() {
        if !node.source().starts_with("<?xml ") {
            tree(node, 0, &mut lines);
        }
    }
    lines
}

fn tree(node: RawNode<'_>, depth: usize, lines: &mut Vec<String>) {
    let indent = " ".repeat(depth);
    if node.kind() != RawKind::Element {
        let kind = if matches!(node.kind(), RawKind::Text | RawKind::CData) { "text" } else { "other" };
        lines.push(format!("{indent}{kind} {}", node.text().trim()));
        return;
    }
    let mut attributes: Vec<(&str, String)> = node.attributes().map(|a| (a.name(), a.value().into())).collect();
    attributes.sort();
    let own = node.attributes().map(|a| a.value().len()).sum::<usize>();
    lines.push(format!("{indent}<{} {attributes:?} {own}", node.name()));
    let local = node.name().rsplit(':').next().unwrap();
    if matches!(local, "content" | "Content") {
        return content(node, depth + 1, lines);
    }
    node.children().for_each(|c| tree(c, depth + 1, lines));
}

/// Adds the script: the content of CDATA sections, or else all text. Text beside CDATA sections is ignored.
fn content(node: RawNode<'_>, depth: usize, lines: &mut Vec<String>) {
    let indent = " ".repeat(depth);
    let sections: Vec<RawNode> = node.children().filter(|c| c.kind() == RawKind::CData).collect();
    let (script, kind) = if sections.is_empty() {
        (node.content().trim().to_owned(), RawKind::Text)
    } else {
        (sections.iter().map(|s| s.text().into_owned()).collect(), RawKind::CData)
    };
    lines.push(format!("{indent}script {script:?}"));
    let mut beside = String::new();
    for child in node.children().filter(|c| c.kind() != kind) {
        match child.kind() {
            RawKind::Text => beside.extend(child.text().chars().filter(|c| !c.is_whitespace())),
            RawKind::Element => tree(child, depth, lines),
            _ => lines.push(format!("{indent}other {}", child.text())),
        }
    }
    if !beside.is_empty() {
        lines.push(format!("{indent}beside {beside}"));
    }
}

/// Formats a model without its spans.
pub(crate) fn placeless(project: &Project) -> String {
    let text = format!("{project:#?}");
    let mut out = String::new();
    let mut skip = 0;
    for line in text.lines() {
        let bare = line.trim_start();
        if skip > 0 {
            skip += usize::from(bare.ends_with('{') || bare.ends_with('('));
            skip -= usize::from(bare.starts_with('}') || bare.starts_with(')'));
            continue;
        }
        let is_span = bare.contains("span: Span {") || bare == "plugin_content: Some(";
        if is_span {
            skip = 1;
        } else {
            out.push_str(bare);
            out.push('\n');
        }
    }
    out
}

/// Returns all boxes of a model, the root first.
pub(crate) fn boxes(def: &BoxDef) -> Vec<&BoxDef> {
    let inside = def.timeline.iter().flat_map(|t| &t.layers).flat_map(|l| &l.keyframes).flat_map(|k| &k.diagram.boxes);
    std::iter::once(def).chain(inside.flat_map(boxes)).collect()
}
