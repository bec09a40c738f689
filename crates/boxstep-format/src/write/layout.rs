//! The canonical layout of a file. The content stays, including unknown elements, attributes and comments; the layout
//! becomes that of Choregraphe.

use super::printer::{Printer, Style};
use super::{WriteError, order};
use crate::raw::{RawKind, RawNode, RawView};
use std::borrow::Cow;

/// Returns the file in canonical layout: with Choregraphe's indentation, attribute order, quotes and references.
///
/// Elements, comments and instructions keep their order. CDATA sections, and elements that mix text and elements, are
/// not changed inside. `encoding` is used for an XML declaration that names no encoding.
pub fn canonical_layout(view: RawView<'_>, encoding: &str) -> Result<String, WriteError> {
    let mut p = Printer::new(Style { newline: newline(view), ..Style::default() }).with_prefix(prefix(view));
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

/// The context of a node that affects its layout.
#[derive(Clone, Copy, Default)]
struct Position {
    /// True inside an editor plugin's content or an unknown element, where white space may be text and the order of
    /// attributes may matter.
    opaque: bool,
}

/// Prints the plugin content of a box of another file in canonical layout, without the prefix that the other file's
/// elements may have.
pub(super) fn print_plugin_content(p: &mut Printer, node: RawNode<'_>) {
    print_named(p, node, "pluginContent", Position::default());
}

/// Prints a copy of an element in canonical layout, with some attributes of its own; `None` is an attribute that the
/// copy does not have.
pub(super) fn print_copy(p: &mut Printer, node: RawNode<'_>, name: &str, own: &[(&str, Option<String>)]) {
    let of_node = node.attributes().filter(|a| own.iter().all(|(name, _)| *name != a.name()));
    let mut attributes: Vec<(&str, Cow<'_, str>)> = of_node.map(|a| (a.name(), a.value())).collect();
    attributes.extend(own.iter().filter_map(|(name, value)| Some((*name, Cow::Borrowed(value.as_deref()?)))));
    attributes.sort_by_key(|(attribute, _)| order::rank(name, attribute));
    p.start(name);
    for (name, value) in &attributes {
        p.attribute(name, value);
    }
    print_inside(p, node, name, Position::default());
    p.end();
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
    // An element of the format gets the prefix of the file that it goes to.
    let is_own = !place.opaque && (order::is_known(local) || local == "pluginContent");
    p.start(if is_own { name.strip_prefix(prefix(node.view())).unwrap_or(name) } else { name });
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
        // In an unknown element, white space may be text; if it contains a line end, it is layout.
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

/// Returns what the elements of a file have before their names, with its colon.
pub(super) fn prefix(view: RawView<'_>) -> &str {
    let root = view.root().map_or("", |root| root.name());
    root.rfind(':').map_or("", |colon| root.get(..=colon).unwrap_or_default())
}

/// Returns true if there is nothing between the children. This is the case for the CDATA sections that a `]]>` was
/// split into.
fn adjoining(node: RawNode<'_>) -> bool {
    let children: Vec<_> = node.children().collect();
    children.windows(2).all(|pair| matches!(pair, [a, b] if a.range().1 == b.range().0))
}

/// Returns the line end of a file, which is that of its first line.
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

/// Returns the declaration in Choregraphe's layout. A declaration with more than version and encoding is returned
/// unchanged.
fn declaration(node: RawNode<'_>, encoding: &str) -> String {
    let source = node.source();
    let (version, encoding) = match declared_values(source).as_deref() {
        Some([("version", version)]) => (*version, encoding),
        Some([("version", version), ("encoding", encoding)]) => (*version, *encoding),
        _ => return source.to_owned(),
    };
    format!("<?xml version=\"{version}\" encoding=\"{encoding}\" ?>")
}

/// Returns the names and values in a declaration; `None` if one of them needs more than simple characters.
fn declared_values(source: &str) -> Option<Vec<(&str, &str)>> {
    let mut rest = source.strip_prefix("<?xml")?.strip_suffix("?>")?.trim();
    let mut values = Vec::new();
    while !rest.is_empty() {
        let (name, after) = rest.split_once('=')?;
        let after = after.trim_start();
        let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let (value, after) = after.get(1..)?.split_once(quote)?;
        let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_' | b':');
        if !value.bytes().all(plain) {
            return None;
        }
        values.push((name.trim(), value));
        rest = after.trim_start();
    }
    Some(values)
}
