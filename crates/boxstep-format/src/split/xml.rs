//! The XML layout of a split folder's files, and the names that reader and writer share.

use crate::raw::{RawKind, RawNode};
use std::borrow::Cow;
use std::fmt::Write as _;

/// The first line of every XML file of a folder.
pub(super) const DECLARATION: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" ?>\n";
/// The mark for the place of a script that is not the only content of its `content` element.
pub(super) const SCRIPT_PLACE: &str = "<?boxstep script?>";

/// Attributes of a box in a split folder that a box in a `.xar` does not have.
pub(super) const BOX_ATTRIBUTES: &[&str] = &["content", "bitmap"];
/// Attributes of a port or parameter in a split folder that one in a `.xar` does not have.
pub(super) const PORT_ATTRIBUTES: &[&str] = &["numbered"];
/// Attributes of a diagram in a split folder that one in a `.xar` does not have.
pub(super) const DIAGRAM_ATTRIBUTES: &[&str] = &["State"];
/// Elements of a timeline in a split folder that a timeline in a `.xar` does not have.
pub(super) const TIMELINE_ELEMENTS: &[&str] = &["Flag", "ActuatorCurve", "StateMachine"];
/// Elements of a state in a split folder that a diagram in a `.xar` does not have.
pub(super) const STATE_ELEMENTS: &[&str] = &["Interval", "Label", "Diagram", "Object", "Link"];

/// Distinguishes a name in the original file from a name of the split format: `content` becomes `_content`, and
/// `_content` becomes `__content`.
pub(super) fn guarded<'n>(name: &'n str, ours: &[&str]) -> Cow<'n, str> {
    let own = local(name);
    if !ours.contains(&own.trim_start_matches('_')) {
        return Cow::Borrowed(name);
    }
    Cow::Owned(format!("{}_{own}", &name[..name.len() - own.len()]))
}

/// Reverses [`guarded`].
pub(super) fn unguarded<'n>(name: &'n str, ours: &[&str]) -> Cow<'n, str> {
    let own = local(name);
    match own.strip_prefix('_') {
        Some(rest) if ours.contains(&rest.trim_start_matches('_')) => {
            Cow::Owned(format!("{}{rest}", &name[..name.len() - own.len()]))
        }
        _ => Cow::Borrowed(name),
    }
}

/// Escapes text for an attribute in double quotes. Line ends and tabs become references, so that they survive.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\r' | '\t' => {
                let _ = write!(out, "&#{};", c as u32);
            }
            _ => out.push(c),
        }
    }
    out
}

/// Returns true for an element that is copied unchanged: a plugin's data, or one with text inside or without content.
pub(super) fn keeps_layout(node: RawNode<'_>) -> bool {
    local(node.name()) == "pluginContent"
        || node.children().any(|c| matches!(c.kind(), RawKind::Text | RawKind::CData))
        || node.children().next().is_none()
}

/// Returns the source of a node that gets lines of its own, and its offset. White space around a text is removed; it is
/// layout, and would grow with every copy.
pub(super) fn trimmed(node: RawNode<'_>) -> (&str, u32) {
    let (source, start) = (node.source(), node.range().0);
    if node.kind() != RawKind::Text {
        return (source, start);
    }
    let space = [' ', '\t', '\r', '\n'];
    let text = source.trim_start_matches(space);
    (text.trim_end_matches(space), start + (source.len() - text.len()) as u32)
}

/// Returns a name without its prefix.
pub(super) fn local(name: &str) -> &str {
    name.rsplit_once(':').map_or(name, |(_, local)| local)
}

/// An XML file that is being written, indented with tabs.
pub(super) struct Sheet {
    text: String,
    depth: usize,
}

impl Sheet {
    pub(super) fn new() -> Self {
        Self { text: DECLARATION.to_owned(), depth: 0 }
    }

    /// Returns the bytes of the file.
    pub(super) fn finish(self) -> Vec<u8> {
        self.text.into_bytes()
    }

    fn indent(&mut self) {
        for _ in 0..self.depth {
            self.text.push('\t');
        }
    }

    /// Appends a line of unchanged source.
    pub(super) fn line(&mut self, source: &str) {
        self.indent();
        self.text.push_str(source);
        self.text.push('\n');
    }

    /// Appends a start tag, or with `empty` a self-closing one.
    pub(super) fn open(&mut self, tag: Tag, empty: bool) {
        self.line(&tag.finish(empty));
        self.depth += usize::from(!empty);
    }

    pub(super) fn close(&mut self, name: &str) {
        self.depth -= 1;
        self.line(&format!("</{name}>"));
    }

    /// Appends a node with everything inside it, in new layout where that changes nothing.
    pub(super) fn copy(&mut self, node: RawNode<'_>, name: &str) {
        if node.kind() != RawKind::Element || (keeps_layout(node) && name == node.name()) {
            return self.line(trimmed(node).0);
        }
        self.copy_as(node, name, Tag::new(name).all(node));
    }

    /// Appends the content of a node, under another start tag.
    pub(super) fn copy_as(&mut self, node: RawNode<'_>, name: &str, tag: Tag) {
        if keeps_layout(node) {
            let inside: String = node.children().map(|c| c.source()).collect();
            let line =
                if inside.is_empty() { tag.finish(true) } else { format!("{}{inside}</{name}>", tag.finish(false)) };
            return self.line(&line);
        }
        self.open(tag, false);
        for child in node.children() {
            self.copy(child, child.name());
        }
        self.close(name);
    }
}

/// A start tag that is being written.
pub(super) struct Tag(String);

impl Tag {
    pub(super) fn new(name: &str) -> Self {
        Self(format!("<{name}"))
    }

    /// Adds an attribute of the split format.
    pub(super) fn with(mut self, name: &str, value: &str) -> Self {
        let _ = write!(self.0, " {name}=\"{}\"", escape(value));
        self
    }

    /// Adds the attributes of an original element.
    pub(super) fn all(self, node: RawNode<'_>) -> Self {
        self.guarding(node, &[])
    }

    /// Adds the attributes of an original element, distinguished from those named in `ours`.
    pub(super) fn guarding(mut self, node: RawNode<'_>, ours: &[&str]) -> Self {
        for a in node.attributes() {
            let _ = write!(self.0, " {}={}", guarded(a.name(), ours), a.quoted());
        }
        self
    }

    pub(super) fn finish(self, empty: bool) -> String {
        self.0 + if empty { " />" } else { ">" }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_ours_and_the_authors_are_told_apart() {
        for name in ["content", "_content", "__content", "x", "_x", "c:content", "c:_content", "c:x"] {
            assert_eq!(unguarded(&guarded(name, BOX_ATTRIBUTES), BOX_ATTRIBUTES), name);
            assert!(!BOX_ATTRIBUTES.contains(&&*guarded(name, BOX_ATTRIBUTES)));
        }
        assert_eq!(guarded("content", &[]), "content");
    }

    #[test]
    fn what_is_escaped_reads_back() {
        assert_eq!(escape("a<b>&\"c\"\n'd'"), "a&lt;b&gt;&amp;&quot;c&quot;&#10;'d'");
    }
}
