//! Parsing of a text into the raw view. quick-xml finds the markup; this module checks what quick-xml does not.

use super::text::{bad_reference, is_xml_char};
use super::{AttributeData, NONE, NodeData, RawKind, RawTree};
use crate::{Limits, error::Problem};
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;
use std::ops::Range;

/// The maximum number of attributes of an element. It bounds the check for duplicates, which compares each attribute
/// with all before it.
const MAX_ATTRIBUTES: usize = 256;

/// The problem, and the bytes that cause it.
pub(crate) type Fault = (Problem, Range<usize>);

/// Whether a `<!DOCTYPE name>` before the root is accepted; one with more than a name is always refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Doctype {
    Refused,
    Bare,
}

/// Parses a whole file. `text` is at most `u32::MAX - 1` bytes long.
pub(crate) fn parse(text: &str, limits: &Limits, doctype: Doctype) -> Result<RawTree, Fault> {
    refuse_forbidden_characters(text)?;
    // quick-xml would skip a second byte order mark and count positions from after it.
    if text.starts_with('\u{FEFF}') {
        return Err(outside(0..'\u{FEFF}'.len_utf8()));
    }
    let mut p = Parser {
        text,
        limits,
        doctype,
        tree: RawTree::default(),
        open: Vec::new(),
        last_top: NONE,
        has_root: false,
        run_start: 0,
    };
    // Typical files have one node per 60 bytes and two attributes per node.
    p.tree.nodes.reserve(text.len() / 64);
    p.tree.attributes.reserve(text.len() / 32);
    let mut reader = Reader::from_str(text);
    loop {
        let start = reader.buffer_position() as usize;
        let event = match reader.read_event() {
            Ok(event) => event,
            Err(e) => {
                let at = text.floor_char_boundary(reader.error_position() as usize);
                return Err((Problem::NotXml(e.to_string()), at..text.ceil_char_boundary(at + 1)));
            }
        };
        let at = start..reader.buffer_position() as usize;
        if let Event::Eof = event {
            return p.finish();
        }
        p.event(event, at)?;
    }
}

/// Refuses the characters that XML 1.0, section 2.2, forbids: control characters except tab and line ends, U+FFFE and
/// U+FFFF.
fn refuse_forbidden_characters(text: &str) -> Result<(), Fault> {
    let control = |b: u8| b < 0x20 && !matches!(b, b'\t' | b'\n' | b'\r');
    // Checking blocks without an early exit lets the compiler use vector instructions.
    let mut blocks = text.as_bytes().chunks(1024);
    let at = match blocks.position(|block| block.iter().fold(false, |any, &b| any | control(b))) {
        Some(n) => text.bytes().skip(n * 1024).position(control).map(|i| n * 1024 + i),
        None => text.find('\u{FFFE}').or_else(|| text.find('\u{FFFF}')),
    };
    let found = at.and_then(|at| text.get(at..)?.chars().next().map(|c| (at, c)));
    match found {
        Some((at, c)) => {
            let why = format!("the character U+{:04X} is not allowed", c as u32);
            Err((Problem::NotXml(why), at..at + c.len_utf8()))
        }
        None => Ok(()),
    }
}

struct Parser<'a> {
    text: &'a str,
    limits: &'a Limits,
    doctype: Doctype,
    tree: RawTree,
    /// The open elements, each with its last child so far.
    open: Vec<(u32, u32)>,
    last_top: u32,
    has_root: bool,
    /// The offset at which the current run of character data began.
    run_start: usize,
}

impl<'a> Parser<'a> {
    fn event(&mut self, event: Event<'a>, at: Range<usize>) -> Result<(), Fault> {
        match event {
            Event::Start(tag) => {
                let id = self.element(&tag, at.clone())?;
                if self.open.len() >= self.limits.depth.min(Limits::MAX_DEPTH) {
                    return Err((Problem::Limit("elements inside each other", self.open.len()), at));
                }
                self.open.push((id, NONE));
            }
            Event::Empty(tag) => {
                self.element(&tag, at.clone())?;
            }
            Event::End(_) => {
                if let Some((id, _)) = self.open.pop()
                    && let Some(node) = self.tree.nodes.get_mut(id as usize)
                {
                    node.end = at.end as u32;
                }
            }
            Event::Text(text) => return self.characters(&text, at),
            Event::GeneralRef(name) => return self.reference(&name, at),
            Event::CData(_) if self.open.is_empty() => return Err(outside(at)),
            Event::CData(_) => self.leaf(RawKind::CData, at.clone())?,
            Event::Comment(_) => self.leaf(RawKind::Comment, at.clone())?,
            Event::PI(_) => self.leaf(RawKind::Instruction, at.clone())?,
            Event::Decl(_) if at.start > 0 => {
                return Err((Problem::NotXml("an XML declaration belongs at the very beginning".into()), at));
            }
            Event::Decl(declaration) if declaration.version().is_err() => {
                return Err((Problem::NotXml("the XML declaration does not begin with a version".into()), at));
            }
            Event::Decl(_) => self.leaf(RawKind::Instruction, at.clone())?,
            // A document type declaration that has only the root's name declares nothing.
            Event::DocType(name)
                if self.doctype == Doctype::Bare && !self.has_root && name_length(name.trim()).is_some() =>
            {
                self.leaf(RawKind::Instruction, at.clone())?;
            }
            Event::DocType(_) => return Err((Problem::Doctype, at)),
            Event::Eof => {}
        }
        self.run_start = at.end;
        Ok(())
    }

    fn finish(self) -> Result<RawTree, Fault> {
        let end = self.text.len();
        if let Some(&(id, _)) = self.open.last() {
            let start = self.tree.nodes.get(id as usize).map_or(0, |n| n.start as usize);
            let len = self.tree.nodes.get(id as usize).map_or(0, |n| usize::from(n.name_len));
            let name = self.text.get(start + 1..start + 1 + len).unwrap_or("");
            return Err((Problem::NotXml(format!("<{name}> is never closed")), start..start + 1 + len));
        }
        if !self.has_root {
            return Err((Problem::NotXml("there is no element".into()), end..end));
        }
        Ok(self.tree)
    }

    fn push(&mut self, kind: RawKind, at: Range<usize>, name_len: u16) -> Result<u32, Fault> {
        if self.tree.nodes.len() >= self.limits.nodes {
            return Err((Problem::Limit("elements", self.limits.nodes), at));
        }
        let id = self.tree.nodes.len() as u32;
        let (parent, last) = match self.open.last_mut() {
            Some((parent, last)) => (*parent, last),
            None => (NONE, &mut self.last_top),
        };
        let before = std::mem::replace(last, id);
        if let Some(node) = self.tree.nodes.get_mut(before as usize) {
            node.next = id;
        }
        self.tree.nodes.push(NodeData {
            start: at.start as u32,
            end: at.end as u32,
            parent,
            next: NONE,
            attributes: self.tree.attributes.len() as u32,
            name_len,
            kind,
        });
        Ok(id)
    }

    fn leaf(&mut self, kind: RawKind, at: Range<usize>) -> Result<(), Fault> {
        self.push(kind, at, 0).map(|_| ())
    }

    fn element(&mut self, tag: &BytesStart<'a>, at: Range<usize>) -> Result<u32, Fault> {
        if self.open.is_empty() && std::mem::replace(&mut self.has_root, true) {
            return Err((Problem::NotXml("there is a second root element".into()), at));
        }
        let name = tag.name().into_inner();
        let name_len = name_length(name).ok_or_else(|| bad_name(name, at.start + 1))?;
        let id = self.push(RawKind::Element, at.clone(), name_len)?;
        let first = self.tree.attributes.len();
        let mut gap = at.start + 1 + name.len();
        for attribute in tag.attributes().with_checks(false) {
            let attribute = attribute.map_err(|e| (Problem::NotXml(e.to_string()), at.clone()))?;
            let key = attribute.key.into_inner();
            let start = at.start + 1 + offset_in(tag, key);
            if start == gap {
                let end = self.text.ceil_char_boundary(start + 1);
                return Err((Problem::NotXml("white space is missing before the attribute".into()), start..end));
            }
            let value = at.start + 1 + offset_in(tag, &attribute.value);
            gap = value + attribute.value.len() + 1;
            let name_len = name_length(key).ok_or_else(|| bad_name(key, start))?;
            if self.tree.attributes.len() - first >= MAX_ATTRIBUTES {
                return Err((Problem::Limit("attributes of one element", MAX_ATTRIBUTES), start..start + key.len()));
            }
            for other in &self.tree.attributes[first..] {
                let other = self.text.get(other.name as usize..other.name as usize + usize::from(other.name_len));
                if other == Some(key) {
                    return Err((Problem::NotXml(format!("two attributes `{key}`")), start..start + key.len()));
                }
            }
            let encoded = self.check_value(&attribute.value, value)?;
            self.tree.attributes.push(AttributeData {
                name: start as u32,
                value: value as u32,
                value_end: (value + attribute.value.len()) as u32,
                name_len,
                encoded,
            });
        }
        Ok(id)
    }

    /// Checks an attribute value, and returns true if it has to be decoded.
    fn check_value(&self, value: &str, at: usize) -> Result<bool, Fault> {
        let (mut white, mut reference) = (false, false);
        for (i, b) in value.bytes().enumerate() {
            match b {
                b'<' => return Err((Problem::NotXml("`<` in an attribute value".into()), at + i..at + i + 1)),
                b'&' => reference = true,
                b'\n' | b'\r' | b'\t' => white = true,
                _ => {}
            }
        }
        if reference && let Some((i, name)) = bad_reference(value) {
            return Err((Problem::Entity(name), at + i..at + value.len()));
        }
        Ok(white || reference)
    }

    fn characters(&mut self, text: &str, at: Range<usize>) -> Result<(), Fault> {
        if text.bytes().all(|b| b.is_ascii_whitespace()) {
            // This is layout, or the end of a text that began before a reference.
            self.extend_text(at.end);
            return Ok(());
        }
        if self.open.is_empty() {
            return Err(outside(at));
        }
        if let Some(i) = text.find("]]>") {
            let i = at.start + i;
            return Err((Problem::NotXml("`]]>` outside a CDATA section".into()), i..i + 3));
        }
        self.text_up_to(at.end)
    }

    fn reference(&mut self, name: &str, at: Range<usize>) -> Result<(), Fault> {
        if self.open.is_empty() {
            return Err(outside(at));
        }
        let known = match name.strip_prefix('#') {
            Some(digits) => character(digits).is_some_and(is_xml_char),
            None => matches!(name, "amp" | "lt" | "gt" | "quot" | "apos"),
        };
        if !known {
            return Err((Problem::Entity(name.chars().take(40).collect()), at));
        }
        self.text_up_to(at.end)
    }

    fn text_up_to(&mut self, end: usize) -> Result<(), Fault> {
        if self.extend_text(end) { Ok(()) } else { self.leaf(RawKind::Text, self.run_start..end) }
    }

    /// Extends the text node of the current run to `end`, if there is one. Character data arrives in pieces around
    /// references. Returns false if there is no such node.
    fn extend_text(&mut self, end: usize) -> bool {
        match self.tree.nodes.last_mut() {
            Some(n) if n.kind == RawKind::Text && n.start as usize == self.run_start => {
                n.end = end as u32;
                true
            }
            _ => false,
        }
    }
}

fn outside(at: Range<usize>) -> Fault {
    (Problem::NotXml("there is text outside the root element".into()), at)
}

fn bad_name(name: &str, at: usize) -> Fault {
    let shown: String = name.chars().take(40).collect();
    (Problem::NotXml(format!("`{shown}` is not a name")), at..at + name.len())
}

/// Returns the length of an XML name, `None` if it is not one. All characters beyond ASCII are accepted.
fn name_length(name: &str) -> Option<u16> {
    let (&first, rest) = name.as_bytes().split_first()?;
    let starts = |b: u8| b.is_ascii_alphabetic() || matches!(b, b'_' | b':') || b >= 0x80;
    let goes_on = |b: &u8| starts(*b) || b.is_ascii_digit() || matches!(b, b'-' | b'.');
    if starts(first) && rest.iter().all(goes_on) { u16::try_from(name.len()).ok() } else { None }
}

fn character(digits: &str) -> Option<char> {
    let code = match digits.strip_prefix('x') {
        Some(hex) if hex.bytes().all(|b| b.is_ascii_hexdigit()) => u32::from_str_radix(hex, 16).ok()?,
        None if digits.bytes().all(|b| b.is_ascii_digit()) => digits.parse().ok()?,
        _ => return None,
    };
    char::from_u32(code)
}

/// Returns the offset of `part` in `whole`; both must be slices of the same text.
fn offset_in(whole: &str, part: &str) -> usize {
    (part.as_ptr() as usize).wrapping_sub(whole.as_ptr() as usize)
}
