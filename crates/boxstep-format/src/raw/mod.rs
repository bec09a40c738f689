//! The raw view: everything in an XML file, known or not, as spans into its text.
//!
//! Nodes and attributes are stored in two flat lists in document order, so that parsing needs only two growing
//! allocations, and dropping a tree never recurses. White space between elements is layout: it has no node, but it is
//! still in the text between the spans.

mod parse;
mod patch;
mod text;

pub(crate) use parse::{Doctype, parse};
pub(crate) use patch::{Moved, patched};
pub use text::decode_text;
pub(crate) use text::is_xml_char;

use std::borrow::Cow;

/// A parsed XML file without its text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RawTree {
    nodes: Vec<NodeData>,
    attributes: Vec<AttributeData>,
}

/// The kind of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RawKind {
    /// `<name …>…</name>` or `<name …/>`.
    Element,
    /// Character data with at least one character that is not white space.
    Text,
    /// `<![CDATA[…]]>`.
    CData,
    /// `<!--…-->`.
    Comment,
    /// `<?…?>`, including the XML declaration, or a bare `<!DOCTYPE name>`.
    Instruction,
}

const NONE: u32 = u32::MAX;

#[derive(Clone, Debug, PartialEq)]
struct NodeData {
    start: u32,
    end: u32,
    parent: u32,
    next: u32,
    /// Index of the first attribute; the attributes end where the next node's begin.
    attributes: u32,
    name_len: u16,
    kind: RawKind,
}

#[derive(Clone, Debug, PartialEq)]
struct AttributeData {
    name: u32,
    value: u32,
    value_end: u32,
    name_len: u16,
    /// True if the value has references, or white space that XML normalizes.
    encoded: bool,
}

impl RawTree {
    /// Returns the tree together with the text it was parsed from.
    pub fn view<'a>(&'a self, text: &'a str) -> RawView<'a> {
        RawView { tree: self, text }
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// True for a tree without nodes; a parsed file always has some.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
}

/// A [`RawTree`] with the text it was parsed from.
#[derive(Clone, Copy, Debug)]
pub struct RawView<'a> {
    tree: &'a RawTree,
    text: &'a str,
}

impl<'a> RawView<'a> {
    /// The root element.
    pub fn root(self) -> Option<RawNode<'a>> {
        self.top_level().find(|n| n.kind() == RawKind::Element)
    }

    /// Returns the root element and the nodes before and after it.
    pub fn top_level(self) -> Children<'a> {
        Children { view: self, next: if self.tree.nodes.is_empty() { NONE } else { 0 } }
    }

    /// Returns every node in document order.
    pub fn all(self) -> impl Iterator<Item = RawNode<'a>> {
        (0..self.tree.nodes.len() as u32).map(move |id| RawNode { view: self, id })
    }

    /// Returns the node that begins at this byte, e.g. at the start of a model item's span.
    pub fn starting_at(self, byte: u32) -> Option<RawNode<'a>> {
        let id = self.tree.nodes.binary_search_by_key(&byte, |n| n.start).ok()?;
        Some(RawNode { view: self, id: id as u32 })
    }

    /// The whole text.
    pub fn text(self) -> &'a str {
        self.text
    }

    /// A part of the text; empty if the range is not valid.
    pub fn slice(self, start: u32, end: u32) -> &'a str {
        self.text.get(start as usize..end as usize).unwrap_or("")
    }
}

/// One node of a [`RawView`].
#[derive(Clone, Copy, Debug)]
pub struct RawNode<'a> {
    view: RawView<'a>,
    id: u32,
}

impl<'a> RawNode<'a> {
    fn data(self) -> &'a NodeData {
        &self.view.tree.nodes[self.id as usize]
    }

    /// The kind of the node.
    pub fn kind(self) -> RawKind {
        self.data().kind
    }

    /// The node's first byte and the one past its last, markup included.
    pub fn range(self) -> (u32, u32) {
        (self.data().start, self.data().end)
    }

    /// The element's name as written, with its prefix; empty for other kinds.
    pub fn name(self) -> &'a str {
        let d = self.data();
        self.view.slice(d.start + 1, d.start + 1 + u32::from(d.name_len))
    }

    /// The containing element.
    pub fn parent(self) -> Option<RawNode<'a>> {
        let id = self.data().parent;
        (id != NONE).then_some(RawNode { view: self.view, id })
    }

    /// Returns the child nodes, including comments and instructions.
    pub fn children(self) -> Children<'a> {
        let first = self.id + 1;
        let has = self.view.tree.nodes.get(first as usize).is_some_and(|n| n.parent == self.id);
        Children { view: self.view, next: if has { first } else { NONE } }
    }

    /// Returns the child elements.
    pub fn elements(self) -> impl Iterator<Item = RawNode<'a>> {
        self.children().filter(|n| n.kind() == RawKind::Element)
    }

    /// The attributes, in file order.
    pub fn attributes(self) -> impl ExactSizeIterator<Item = RawAttribute<'a>> {
        let tree = self.view.tree;
        let start = self.data().attributes as usize;
        let end = tree.nodes.get(self.id as usize + 1).map_or(tree.attributes.len(), |n| n.attributes as usize);
        tree.attributes[start..end].iter().map(move |data| RawAttribute { view: self.view, data })
    }

    /// Returns the value of an attribute; `None` if the element does not have it.
    pub fn attribute(self, name: &str) -> Option<Cow<'a, str>> {
        self.attributes().find(|a| a.name() == name).map(|a| a.value())
    }

    /// Returns true for an element written as `<name …/>`.
    pub fn is_self_closing(self) -> bool {
        let (start, end) = self.range();
        self.kind() == RawKind::Element && self.view.slice(start, end).ends_with("/>")
    }

    /// The offset just after an element's start tag.
    pub fn start_tag_end(self) -> u32 {
        let (start, end) = self.range();
        if self.is_self_closing() {
            return end;
        }
        // After the last attribute there is only white space and the bracket.
        let from = self.attributes().last().map_or(start, |a| a.value_range().1);
        let rest = self.view.slice(from, end);
        rest.find('>').map_or(end, |i| from + i as u32 + 1)
    }

    /// The first byte of an element's content and the one past its last; both are the element's end if it has no end
    /// tag.
    pub fn inside_range(self) -> (u32, u32) {
        let end = self.range().1;
        if self.is_self_closing() {
            return (end, end);
        }
        let start = self.start_tag_end();
        let inside = self.view.slice(start, end);
        (start, inside.rfind("</").map_or(end, |i| start + i as u32))
    }

    /// The node's source text, unchanged.
    pub fn source(self) -> &'a str {
        let (start, end) = self.range();
        self.view.slice(start, end)
    }

    /// The view that the node belongs to.
    pub fn view(self) -> RawView<'a> {
        self.view
    }

    /// The first byte of a node's own characters and the one past the last: the inside of a CDATA section, comment or
    /// instruction; the whole node otherwise.
    pub fn inner_range(self) -> (u32, u32) {
        let d = self.data();
        match d.kind {
            RawKind::CData => (d.start + 9, d.end - 3),
            RawKind::Comment => (d.start + 4, d.end - 3),
            RawKind::Instruction => (d.start + 2, d.end - 2),
            RawKind::Text | RawKind::Element => (d.start, d.end),
        }
    }

    /// The characters of a text (with references resolved), CDATA section, comment or instruction; for an element, its
    /// source text.
    pub fn text(self) -> Cow<'a, str> {
        let (start, end) = self.inner_range();
        let source = self.view.slice(start, end);
        if self.kind() == RawKind::Text { decode_text(source) } else { Cow::Borrowed(source) }
    }

    /// Returns all text and CDATA directly inside the element, concatenated without comments.
    pub fn content(self) -> Cow<'a, str> {
        let mut parts = self.children().filter(|n| matches!(n.kind(), RawKind::Text | RawKind::CData));
        let Some(first) = parts.next() else { return Cow::Borrowed("") };
        let mut all = first.text();
        for part in parts {
            all.to_mut().push_str(&part.text());
        }
        all
    }
}

/// An iterator over siblings in document order.
#[derive(Clone, Debug)]
pub struct Children<'a> {
    view: RawView<'a>,
    next: u32,
}

impl<'a> Iterator for Children<'a> {
    type Item = RawNode<'a>;

    fn next(&mut self) -> Option<RawNode<'a>> {
        let data = self.view.tree.nodes.get(self.next as usize)?;
        let node = RawNode { view: self.view, id: self.next };
        self.next = data.next;
        Some(node)
    }
}

/// One attribute of a [`RawNode`].
#[derive(Clone, Copy, Debug)]
pub struct RawAttribute<'a> {
    view: RawView<'a>,
    data: &'a AttributeData,
}

impl<'a> RawAttribute<'a> {
    /// The name as written, including its prefix.
    pub fn name(self) -> &'a str {
        self.view.slice(self.data.name, self.data.name + u32::from(self.data.name_len))
    }

    /// The value, with references resolved and white space normalized as XML requires.
    pub fn value(self) -> Cow<'a, str> {
        let source = self.view.slice(self.data.value, self.data.value_end);
        if self.data.encoded { text::decode_attribute(source) } else { Cow::Borrowed(source) }
    }

    /// The value as written, including its quotes.
    pub fn quoted(self) -> &'a str {
        self.view.slice(self.data.value - 1, self.data.value_end + 1)
    }

    /// The first byte of the name.
    pub fn start(self) -> u32 {
        self.data.name
    }

    /// The first byte of the value and the one past its last, without the quotes.
    pub fn value_range(self) -> (u32, u32) {
        (self.data.value, self.data.value_end)
    }
}
