//! Elements as text, in the layout of Choregraphe (which is that of TinyXML).

use super::WriteError;
use crate::raw::is_xml_char;
use std::fmt::Write as _;

/// Prints elements one after another.
///
/// An element is begun with [`Printer::start`], given its attributes, then its inside, and ended with
/// [`Printer::end`]. What cannot be written is remembered and told by whoever asks for the text.
#[derive(Debug)]
pub struct Printer {
    out: String,
    style: Style,
    open: Vec<Open>,
    fault: Option<WriteError>,
}

/// How lines are laid out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Style {
    /// `\n` or `\r\n`; empty for everything on one line.
    pub(super) newline: &'static str,
    /// White space before the outermost element.
    pub(super) indent: String,
    /// What each level adds.
    pub(super) unit: &'static str,
}

impl Default for Style {
    fn default() -> Self {
        Self { newline: "\n", indent: String::new(), unit: "    " }
    }
}

#[derive(Debug)]
struct Open {
    name: String,
    inside: Element,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Element {
    /// The start tag takes attributes.
    Nothing,
    /// Each on its own lines.
    Elements,
    /// The end tag follows at once.
    Text,
}

impl Printer {
    pub(super) fn new(style: Style) -> Self {
        Self { out: String::new(), style, open: Vec::new(), fault: None }
    }

    /// What `print` prints, in canonical layout.
    pub fn print(print: impl FnOnce(&mut Printer)) -> Result<String, WriteError> {
        let mut p = Printer::new(Style::default());
        print(&mut p);
        p.finish()
    }

    pub(super) fn finish(self) -> Result<String, WriteError> {
        match self.fault {
            Some(fault) => Err(fault),
            None => Ok(self.out),
        }
    }

    /// Begins an element.
    pub fn start(&mut self, name: &str) {
        self.line();
        self.out.push('<');
        self.out.push_str(name);
        self.open.push(Open { name: name.to_owned(), inside: Element::Nothing });
    }

    /// An attribute of the element that has just been begun.
    pub fn attribute(&mut self, name: &str, value: &str) {
        self.check(value, || format!("the attribute `{name}`"));
        push_attribute(&mut self.out, name, value);
    }

    /// An attribute with a whole number.
    pub fn number(&mut self, name: &str, value: i32) {
        let _ = write!(self.out, " {name}=\"{value}\"");
    }

    /// An attribute with a number.
    pub fn float(&mut self, name: &str, value: f64) {
        match super::number::float(value) {
            Some(text) => push_attribute(&mut self.out, name, &text),
            None => self.fail(WriteError::NotFinite(format!("the attribute `{name}`"))),
        }
    }

    /// An attribute with 0 or 1.
    pub fn flag(&mut self, name: &str, value: bool) {
        self.number(name, i32::from(value));
    }

    /// Text as all that is inside the element.
    pub fn text(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        self.check(text, || "a text".to_owned());
        self.begin_text();
        escape(&mut self.out, text);
    }

    /// Text as a CDATA section on a line of its own, to the character; `]]>` takes two sections.
    pub fn section(&mut self, text: &str) {
        self.check(text, || "a CDATA section".to_owned());
        self.begin_text();
        self.break_line();
        push_indent(&mut self.out, &self.style, self.open.len());
        push_section(&mut self.out, text);
        self.break_line();
    }

    /// A comment on lines of its own.
    pub fn comment(&mut self, text: &str) {
        if text.contains("--") || text.ends_with('-') {
            self.fail(WriteError::Comment);
        }
        self.check(text, || "a comment".to_owned());
        self.line();
        let _ = write!(self.out, "<!--{text}-->");
        self.end_line();
    }

    /// Ends the element that was begun last.
    pub fn end(&mut self) {
        let Some(Open { name, inside }) = self.open.pop() else { return };
        match inside {
            Element::Nothing => self.out.push_str(" />"),
            Element::Elements => {
                push_indent(&mut self.out, &self.style, self.open.len());
                let _ = write!(self.out, "</{name}>");
            }
            Element::Text => {
                let _ = write!(self.out, "</{name}>");
            }
        }
        self.end_line();
    }

    /// An element that has only text inside.
    pub fn text_element(&mut self, name: &str, text: &str) {
        self.start(name);
        self.text(text);
        self.end();
    }

    /// Source that is a line of its own as it stands.
    pub(super) fn source_line(&mut self, source: &str) {
        self.line();
        self.out.push_str(source);
        self.end_line();
    }

    /// Source that is all that is inside the element, as it stands.
    pub(super) fn source_inside(&mut self, source: &str) {
        self.begin_text();
        self.out.push_str(source);
    }

    /// CDATA sections as they stand in their file, on a line of their own.
    pub(super) fn source_sections(&mut self, source: &str) {
        self.begin_text();
        self.break_line();
        push_indent(&mut self.out, &self.style, self.open.len());
        self.out.push_str(source);
        self.break_line();
    }

    /// Closes the start tag around, and goes to where a child's first character belongs.
    fn line(&mut self) {
        if let Some(open) = self.open.last_mut()
            && std::mem::replace(&mut open.inside, Element::Elements) == Element::Nothing
        {
            self.out.push('>');
            self.out.push_str(self.style.newline);
        }
        push_indent(&mut self.out, &self.style, self.open.len());
    }

    fn begin_text(&mut self) {
        if let Some(open) = self.open.last_mut()
            && std::mem::replace(&mut open.inside, Element::Text) == Element::Nothing
        {
            self.out.push('>');
        }
    }

    fn break_line(&mut self) {
        self.out.push_str(self.style.newline);
    }

    fn end_line(&mut self) {
        self.out.push_str(self.style.newline);
    }

    fn check(&mut self, text: &str, place: impl FnOnce() -> String) {
        // Most text is ASCII without control characters.
        let plain = |b: u8| (b' '..=b'~').contains(&b);
        if !text.bytes().all(plain)
            && let Some(c) = text.chars().find(|c| !is_xml_char(*c))
        {
            self.fail(WriteError::Character(c, place()));
        }
    }

    fn fail(&mut self, fault: WriteError) {
        self.fault.get_or_insert(fault);
    }
}

fn push_indent(out: &mut String, style: &Style, depth: usize) {
    out.push_str(&style.indent);
    for _ in 0..depth {
        out.push_str(style.unit);
    }
}

/// ` name="value"`, in single quotes if the value has double ones.
pub(super) fn push_attribute(out: &mut String, name: &str, value: &str) {
    let quote = if value.contains('"') { '\'' } else { '"' };
    out.push(' ');
    out.push_str(name);
    out.push('=');
    out.push(quote);
    escape(out, value);
    out.push(quote);
}

/// With references for all that markup or white space normalisation would change.
pub(super) fn escape(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            '\0'..' ' => {
                let _ = write!(out, "&#x{:02X};", c as u32);
            }
            _ => out.push(c),
        }
    }
}

/// One CDATA section, or several where the text has the end of one inside.
pub(super) fn push_section(out: &mut String, text: &str) {
    out.push_str("<![CDATA[");
    out.push_str(&text.replace("]]>", "]]]]><![CDATA[>"));
    out.push_str("]]>");
}

/// Fails if XML cannot say a text.
pub(super) fn check(text: &str, place: &str) -> Result<(), WriteError> {
    match text.chars().find(|c| !is_xml_char(*c)) {
        Some(c) => Err(WriteError::Character(c, place.to_owned())),
        None => Ok(()),
    }
}
