//! The text of a `.xar` that is assembled from a folder's files, with the source of every byte.

use super::files::Loaded;
use super::places::Places;
use super::xml::{escape, keeps_layout, trimmed};
use crate::raw::{RawAttribute, RawKind, RawNode};
use boxstep_types::Span;

/// A `.xar` text that is being assembled, in Choregraphe's layout.
#[derive(Default)]
pub(super) struct Assembly {
    pub(super) text: String,
    pub(super) places: Places,
    depth: usize,
}

impl Assembly {
    /// Appends generated text that corresponds to the span `from` as a whole.
    pub(super) fn generated(&mut self, text: &str, from: Span) {
        let start = self.text.len();
        self.text.push_str(text);
        self.places.piece(start, self.text.len(), from, false);
    }

    /// Appends a part of a file unchanged.
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
        self.generated(&"    ".repeat(self.depth), from);
    }

    /// Begins an element, and returns its offset for [`Assembly::end`].
    pub(super) fn begin(&mut self, from: Span) -> usize {
        self.indent(Span { end: from.start, ..from });
        self.text.len()
    }

    /// Appends `<name`, copied from the file if its element has the same name.
    pub(super) fn tag(&mut self, name: &str, file: &Loaded, node: RawNode<'_>) {
        let start = node.range().0;
        if name == node.name() {
            self.verbatim(file, start, start + 1 + name.len() as u32);
        } else {
            self.generated(&format!("<{name}"), file.tag(node));
        }
    }

    /// Appends an attribute of a file, under the given name.
    pub(super) fn attribute(&mut self, name: &str, file: &Loaded, a: RawAttribute<'_>) {
        let (value, end) = a.value_range();
        let from = Span { file: file.file, start: a.start(), end: end + 1 };
        if name == a.name() {
            self.generated(" ", Span { end: from.start, ..from });
            self.verbatim(file, from.start, from.end);
        } else {
            self.generated(&format!(" {name}="), from);
            self.verbatim(file, value - 1, from.end);
        }
    }

    /// Appends an attribute that no file has in this form.
    pub(super) fn new_attribute(&mut self, name: &str, value: &str, from: Span) {
        self.generated(&format!(" {name}=\"{}\"", escape(value)), from);
    }

    /// Completes a start tag.
    pub(super) fn inside(&mut self, from: Span) {
        self.generated(">\n", from);
        self.depth += 1;
    }

    /// Appends an end tag, and records that the whole element corresponds to `element`, an element of a file.
    pub(super) fn end(&mut self, name: &str, start: usize, element: Span) {
        self.depth -= 1;
        self.indent(element);
        self.generated(&format!("</{name}>"), element);
        self.places.element(start, self.text.len(), element);
        self.generated("\n", Span { start: element.end, ..element });
    }

    /// Ends an element without content.
    pub(super) fn end_empty(&mut self, start: usize, element: Span) {
        self.generated(" />", element);
        self.places.element(start, self.text.len(), element);
        self.generated("\n", Span { start: element.end, ..element });
    }

    /// Appends a node of a file with everything inside it.
    pub(super) fn copy(&mut self, file: &Loaded, node: RawNode<'_>, name: &str) {
        let element = file.span(node);
        let start = self.begin(element);
        if node.kind() != RawKind::Element || (keeps_layout(node) && name == node.name()) {
            let (source, start) = trimmed(node);
            self.verbatim(file, start, start + source.len() as u32);
            return self.generated("\n", Span { start: element.end, ..element });
        }
        self.tag(name, file, node);
        for a in node.attributes() {
            self.attribute(a.name(), file, a);
        }
        if node.children().next().is_none() {
            return self.end_empty(start, element);
        }
        if keeps_layout(node) {
            self.generated(">", file.tag(node));
            for child in node.children() {
                self.verbatim(file, child.range().0, child.range().1);
            }
            self.generated(&format!("</{name}>"), element);
            self.places.element(start, self.text.len(), element);
            return self.generated("\n", Span { start: element.end, ..element });
        }
        self.inside(file.tag(node));
        for child in node.children() {
            self.copy(file, child, child.name());
        }
        self.end(name, start, element);
    }

    /// Appends a script as CDATA. A `]]>` is split over two sections.
    pub(super) fn script(&mut self, text: &str, from: Span) {
        let mut at = from;
        self.generated("<![CDATA[", Span { end: from.start, ..from });
        for (n, part) in text.split("]]>").enumerate() {
            if n > 0 {
                self.text_of("]]", Span { end: at.start + 2, ..at });
                self.generated("]]><![CDATA[", Span { start: at.start + 2, end: at.start + 2, ..at });
                self.text_of(">", Span { start: at.start + 2, end: at.start + 3, ..at });
                at.start += 3;
            }
            self.text_of(part, Span { end: at.start + part.len() as u32, ..at });
            at.start += part.len() as u32;
        }
        self.generated("]]>", Span { start: from.end, ..from });
    }

    /// Appends a script that differs from its file, line by line, so that the positions of lines stay right.
    pub(super) fn changed_script(&mut self, lines: &[(String, Span)]) {
        let first = lines.first().map(|(_, s)| Span { end: s.start, ..*s }).unwrap_or_default();
        self.generated("<![CDATA[", first);
        for (line, from) in lines {
            self.generated(&line.replace("]]>", "]]]]><![CDATA[>"), *from);
        }
        self.generated("]]>", first);
    }

    /// Appends a line break, which belongs to the preceding text.
    pub(super) fn newline(&mut self, from: Span) {
        self.generated("\n", Span { start: from.end, ..from });
    }
}
