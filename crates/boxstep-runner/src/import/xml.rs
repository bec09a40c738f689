//! Parses a BehaviorTree.CPP file to elements with positions. Files are untrusted input: their size, depth and number
//! of elements are bounded, and document types are rejected, so that there are no custom entities.

use crate::finding::{Finding, Rule};
use crate::tree::Place;
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;

/// The largest file that is read, in bytes.
const MAX_BYTES: usize = 8 << 20;
/// The largest number of elements, and their largest nesting depth.
const MAX_ELEMENTS: usize = 100_000;
const MAX_DEPTH: usize = 40;
/// The largest number of attributes of an element.
const MAX_ATTRIBUTES: usize = 100;

/// An element.
#[derive(Debug, Default)]
pub(super) struct Element {
    pub(super) tag: String,
    pub(super) attributes: Vec<(String, String)>,
    pub(super) children: Vec<Element>,
    pub(super) at: Place,
}

impl Element {
    pub(super) fn get(&self, key: &str) -> Option<&str> {
        self.attributes.iter().find(|(k, _)| k == key).map(|(_, value)| value.as_str())
    }
}

/// Converts byte offsets to lines, in one pass over the text.
struct Lines<'t> {
    text: &'t str,
    byte: usize,
    line: u32,
    begins: usize,
}

impl Lines<'_> {
    /// Returns the place of a range; ranges must come in the order of the text.
    fn place(&mut self, start: usize, end: usize) -> Place {
        let start = self.text.floor_char_boundary(start.min(self.text.len()));
        let end = self.text.ceil_char_boundary(end.clamp(start, self.text.len()));
        while let Some(at) = self.text.as_bytes()[self.byte..start.max(self.byte)].iter().position(|b| *b == b'\n') {
            (self.byte, self.line) = (self.byte + at + 1, self.line + 1);
            self.begins = self.byte;
        }
        self.byte = start.max(self.byte);
        let col = self.text.get(self.begins..start).map_or(0, |before| before.chars().take(1_000_000).count());
        Place { start: start as u32, end: end as u32, line: self.line, col: col as u32 + 1 }
    }
}

fn refused(at: Place, why: impl Into<String>) -> Finding {
    Finding::new(Rule::NotTree, at, why)
}

/// Parses a file.
///
/// # Errors
/// The text is not XML, or is too large.
pub(super) fn read(text: &str) -> Result<Element, Finding> {
    let mut lines = Lines { text, byte: 0, line: 1, begins: 0 };
    if text.len() > MAX_BYTES {
        let why = format!("the file has {} bytes; {MAX_BYTES} are read at most", text.len());
        return Err(Finding::new(Rule::TooMuch, lines.place(0, 0), why));
    }
    let mut reader = Reader::from_str(text);
    // The last element is open; the first is the parent of the root.
    let mut open = vec![Element::default()];
    let mut elements = 0;
    loop {
        let start = reader.buffer_position() as usize;
        let event = match reader.read_event() {
            Ok(event) => event,
            Err(error) => {
                let at = (reader.error_position() as usize).max(start);
                return Err(refused(lines.place(at, at + 1), format!("not XML: {error}")));
            }
        };
        let at = lines.place(start, reader.buffer_position() as usize);
        match event {
            Event::Start(ref tag) | Event::Empty(ref tag) => {
                elements += 1;
                if elements > MAX_ELEMENTS {
                    return Err(Finding::new(Rule::TooMuch, at, format!("more than {MAX_ELEMENTS} elements")));
                }
                if open.len() > MAX_DEPTH {
                    return Err(Finding::new(Rule::TooMuch, at, format!("more than {MAX_DEPTH} levels")));
                }
                if open.len() == 1 && !open[0].children.is_empty() {
                    return Err(refused(at, "a second element beside <root>"));
                }
                let element = element(tag, at)?;
                match event {
                    Event::Start(_) => open.push(element),
                    _ => open.last_mut().map_or((), |parent| parent.children.push(element)),
                }
            }
            Event::End(_) => {
                if let Some(element) = open.pop()
                    && let Some(parent) = open.last_mut()
                {
                    parent.children.push(element);
                }
            }
            Event::DocType(_) => return Err(refused(at, "a document type is not read")),
            Event::Eof if open.len() > 1 => return Err(refused(at, "it ends within an element")),
            Event::Eof => {
                let root = open.pop().and_then(|mut all| all.children.pop());
                return root.ok_or_else(|| refused(at, "there is no <root>"));
            }
            _ => {}
        }
    }
}

fn element(tag: &BytesStart<'_>, at: Place) -> Result<Element, Finding> {
    let mut element = Element { tag: tag.name().into_inner().to_owned(), at, ..Element::default() };
    for attribute in tag.attributes() {
        let wrong = |why: String| refused(at, format!("not XML: {why}"));
        let attribute = attribute.map_err(|e| wrong(e.to_string()))?;
        if element.attributes.len() >= MAX_ATTRIBUTES {
            return Err(Finding::new(Rule::TooMuch, at, format!("more than {MAX_ATTRIBUTES} attributes")));
        }
        let value = quick_xml::escape::unescape(&attribute.value).map_err(|e| wrong(e.to_string()))?;
        element.attributes.push((attribute.key.into_inner().to_owned(), value.into_owned()));
    }
    Ok(element)
}
