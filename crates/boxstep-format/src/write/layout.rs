//! The canonical layout of a file: what it says stays, with unknown elements, attributes and comments in
//! place; how it is laid out becomes Choregraphe's.

use super::printer::{Printer, Style};
use super::{WriteError, order};
use crate::raw::{RawKind, RawNode, RawView};

/// The file in canonical layout: Choregraphe's indentation, attribute order, quotes and references.
///
/// Elements, comments and instructions keep their order. The inside of a CDATA section is not touched, nor an
/// element that mixes text and elements. `encoding` is what a declaration says that says none itself.
pub fn canonical_layout(view: RawView<'_>, encoding: &str) -> Result<String, WriteError> {
    let mut p = Printer::new(Style { newline: newline(view), ..Style::default() });
    let mut declared = false;
    for node in view.top_level() {
        match node.kind() {
            RawKind::Instruction if is_declaration(node) => {
                declared = true;
                p.source_line(&declaration(node, encoding));
            }
            _ => {
                if !std::mem::replace(&mut declared, true) {
                    p.source_line(&format!("<?xml version=\"1.0\" encoding=\"{encoding}\" ?>"));
                }
                print_node(&mut p, node, Position::default());
            }
        }
    }
    p.finish()
}

/// Where a node stands, as far as it matters for its layout.
#[derive(Clone, Copy, Default)]
struct Position {
    /// In an editor plugin's content or an unknown element: white space may be text, order may matter.
    opaque: bool,
}

/// Prints the plugin content of a box of another file as it would stand in canonical layout, without the prefix
/// that all elements of the other file may have.
pub(super) fn print_plugin_content(p: &mut Printer, node: RawNode<'_>) {
    print_named(p, node, "pluginContent", Position::default());
}

fn print_node(p: &mut Printer, node: RawNode<'_>, place: Position) {
    match node.kind() {
        RawKind::Element => print_element(p, node, place),
        RawKind::Text | RawKind::CData | RawKind::Comment | RawKind::Instruction => p.source_line(node.source()),
    }
}

fn print_element(p: &mut Printer, node: RawNode<'_>, place: Position) {
    print_named(p, node, node.name(), place);
}

fn print_named(p: &mut Printer, node: RawNode<'_>, name: &str, place: Position) {
    let local = name.rsplit(':').next().unwrap_or_default();
    p.start(name);
    let mut attributes: Vec<_> = node.attributes().collect();
    if !place.opaque {
        attributes.sort_by_key(|a| order::rank(local, a.name()));
    }
    for a in attributes {
        p.attribute(a.name(), &a.value());
    }
    let place = Position { opaque: place.opaque || !order::is_known(local) };
    print_inside(p, node, local, place);
    p.end();
}

fn print_inside(p: &mut Printer, node: RawNode<'_>, local: &str, place: Position) {
    let (start, end) = node.inside_range();
    let inside = node.view().slice(start, end);
    let kinds: Vec<RawKind> = node.children().map(|n| n.kind()).collect();
    let script = matches!(local, "content" | "Content");
    if kinds.is_empty() {
        // Where nothing is known, white space may be somebody's text; with a line end in it, it is layout.
        if place.opaque && !inside.is_empty() && !inside.contains('\n') {
            p.text(inside);
        }
    } else if kinds == [RawKind::Text] && !script {
        let text = node.content();
        let path = matches!(local, "bitmap" | "Bitmap" | "dialogFile");
        p.text(if path { text.trim() } else { &text });
    } else if kinds.iter().all(|k| *k == RawKind::CData) && adjoining(node) {
        let first = node.children().next().map_or(start, |n| n.range().0);
        let last = node.children().last().map_or(end, |n| n.range().1);
        p.source_sections(node.view().slice(first, last));
    } else if kinds.iter().any(|k| matches!(k, RawKind::Text | RawKind::CData)) {
        p.source_inside(inside);
    } else {
        for child in node.children() {
            print_node(p, child, place);
        }
    }
}

/// True if nothing stands between the children, as between the sections that a `]]>` was split into.
fn adjoining(node: RawNode<'_>) -> bool {
    let children: Vec<_> = node.children().collect();
    children.windows(2).all(|pair| matches!(pair, [a, b] if a.range().1 == b.range().0))
}

/// The line end of a file: that of its first line.
pub(super) fn newline(view: RawView<'_>) -> &'static str {
    let text = view.text();
    match text.find('\n') {
        Some(at) if text.as_bytes().get(at.wrapping_sub(1)) == Some(&b'\r') => "\r\n",
        _ => "\n",
    }
}

fn is_declaration(node: RawNode<'_>) -> bool {
    let rest = node.source().strip_prefix("<?xml");
    node.range().0 == 0 && rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_whitespace()))
}

/// The declaration as Choregraphe lays it out; one that says something else than version and encoding stays.
fn declaration(node: RawNode<'_>, encoding: &str) -> String {
    let source = node.source();
    let (version, encoding) = match said(source).as_deref() {
        Some([("version", version)]) => (*version, encoding),
        Some([("version", version), ("encoding", encoding)]) => (*version, *encoding),
        _ => return source.to_owned(),
    };
    format!("<?xml version=\"{version}\" encoding=\"{encoding}\" ?>")
}

/// Names and values of a declaration, if all of them are plain.
fn said(source: &str) -> Option<Vec<(&str, &str)>> {
    let mut rest = source.strip_prefix("<?xml")?.strip_suffix("?>")?.trim();
    let mut said = Vec::new();
    while !rest.is_empty() {
        let (name, after) = rest.split_once('=')?;
        let after = after.trim_start();
        let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let (value, after) = after.get(1..)?.split_once(quote)?;
        let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_' | b':');
        if !value.bytes().all(plain) {
            return None;
        }
        said.push((name.trim(), value));
        rest = after.trim_start();
    }
    Some(said)
}
