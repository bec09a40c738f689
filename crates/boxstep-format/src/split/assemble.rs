//! The text of a `.xar` as it is put together from a folder's files, with the place of every byte.

use super::files::Loaded;
use super::places::Places;
use super::xml::{escape, keeps_layout, trimmed};
use crate::raw::{RawAttribute, RawKind, RawNode};
use boxstep_types::Span;

/// A `.xar` that is being put together, in Choregraphe's layout.
#[derive(Default)]
pub(super) struct Assembly {
    pub(super) text: String,
    pub(super) places: Places,
    depth: usize,
}

impl Assembly {
    /// Text of ours that stands for something.
    pub(super) fn made(&mut self, text: &str, from: Span) {
        let start = self.text.len();
        self.text.push_str(text);
        self.places.piece(start, self.text.len(), from, false);
    }

    /// A part of a file as it stands.
    pub(super) fn verbatim(&mut self, file: &Loaded, start: u32, end: u32) {
        let part = file.text.get(start as usize..end as usize).unwrap_or("");
        self.text_of(part, Span { file: file.file, start, end });
    }

    fn text_of(&mut self, part: &str, from: Span) {
        let start = self.text.len();
        self.text.push_str(part);
        self.places.piece(start, self.text.len(), from, true);
    }

    fn indent(&mut self, from: Span) {
        self.made(&"    ".repeat(self.depth), from);
    }

    /// Where the next element begins, for [`Assembly::end`].
    pub(super) fn begin(&mut self, from: Span) -> usize {
        self.indent(Span { end: from.start, ..from });
        self.text.len()
    }

    /// `<name`, as in the file where it is the same.
    pub(super) fn tag(&mut self, name: &str, file: &Loaded, node: RawNode<'_>) {
        let start = node.range().0;
        if name == node.name() {
            self.verbatim(file, start, start + 1 + name.len() as u32);
        } else {
            self.made(&format!("<{name}"), file.tag(node));
        }
    }

    /// An attribute of a file, under a name.
    pub(super) fn attribute(&mut self, name: &str, file: &Loaded, a: RawAttribute<'_>) {
        let (value, end) = a.value_range();
        let from = Span { file: file.file, start: a.start(), end: end + 1 };
        if name == a.name() {
            self.made(" ", Span { end: from.start, ..from });
            self.verbatim(file, from.start, from.end);
        } else {
            self.made(&format!(" {name}="), from);
            self.verbatim(file, value - 1, from.end);
        }
    }

    /// An attribute that no file has in this form.
    pub(super) fn new_attribute(&mut self, name: &str, value: &str, from: Span) {
        self.made(&format!(" {name}=\"{}\"", escape(value)), from);
    }

    /// Closes a start tag.
    pub(super) fn inside(&mut self, from: Span) {
        self.made(">\n", from);
        self.depth += 1;
    }

    /// An end tag, and the end of an element that stands for one of a file.
    pub(super) fn end(&mut self, name: &str, start: usize, element: Span) {
        self.depth -= 1;
        self.indent(element);
        self.made(&format!("</{name}>"), element);
        self.places.element(start, self.text.len(), element);
        self.made("\n", Span { start: element.end, ..element });
    }

    /// An element without anything inside.
    pub(super) fn end_empty(&mut self, start: usize, element: Span) {
        self.made(" />", element);
        self.places.element(start, self.text.len(), element);
        self.made("\n", Span { start: element.end, ..element });
    }

    /// A node of a file with all that is inside it.
    pub(super) fn copy(&mut self, file: &Loaded, node: RawNode<'_>, name: &str) {
        let element = file.span(node);
        let start = self.begin(element);
        if node.kind() != RawKind::Element || (keeps_layout(node) && name == node.name()) {
            let (source, start) = trimmed(node);
            self.verbatim(file, start, start + source.len() as u32);
            return self.made("\n", Span { start: element.end, ..element });
        }
        self.tag(name, file, node);
        for a in node.attributes() {
            self.attribute(a.name(), file, a);
        }
        if node.children().next().is_none() {
            return self.end_empty(start, element);
        }
        if keeps_layout(node) {
            self.made(">", file.tag(node));
            for child in node.children() {
                self.verbatim(file, child.range().0, child.range().1);
            }
            self.made(&format!("</{name}>"), element);
            self.places.element(start, self.text.len(), element);
            return self.made("\n", Span { start: element.end, ..element });
        }
        self.inside(file.tag(node));
        for child in node.children() {
            self.copy(file, child, child.name());
        }
        self.end(name, start, element);
    }

    /// A script as CDATA. What cannot stand in one section is spread over two.
    pub(super) fn script(&mut self, text: &str, from: Span) {
        let mut at = from;
        self.made("<![CDATA[", Span { end: from.start, ..from });
        for (n, part) in text.split("]]>").enumerate() {
            if n > 0 {
                self.text_of("]]", Span { end: at.start + 2, ..at });
                self.made("]]><![CDATA[", Span { start: at.start + 2, end: at.start + 2, ..at });
                self.text_of(">", Span { start: at.start + 2, end: at.start + 3, ..at });
                at.start += 3;
            }
            self.text_of(part, Span { end: at.start + part.len() as u32, ..at });
            at.start += part.len() as u32;
        }
        self.made("]]>", Span { start: from.end, ..from });
    }

    /// A script that is not what its file has, line by line: the places of its lines are right.
    pub(super) fn changed_script(&mut self, lines: &[(String, Span)]) {
        let first = lines.first().map(|(_, s)| Span { end: s.start, ..*s }).unwrap_or_default();
        self.made("<![CDATA[", first);
        for (line, from) in lines {
            self.made(&line.replace("]]>", "]]]]><![CDATA[>"), *from);
        }
        self.made("]]>", first);
    }

    /// A line break that belongs to what came before.
    pub(super) fn newline(&mut self, from: Span) {
        self.made("\n", Span { start: from.end, ..from });
    }
}
