//! Printing of elements in the layout of Choregraphe, which is that of TinyXML.

use super::{WriteError, order};
use crate::raw::is_xml_char;
use std::fmt::Write as _;

/// Prints elements one after another.
///
/// [`Printer::start`] begins an element; then come its attributes, then its content, and [`Printer::end`] ends it. The
/// first value that cannot be written is remembered, and is returned as the error when the text is requested.
#[derive(Debug)]
pub struct Printer {
    out: String,
    style: Style,
    /// What the elements of the format have before their names, with its colon; mostly nothing.
    prefix: String,
    open: Vec<Open>,
    fault: Option<WriteError>,
}

/// The layout of lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Style {
    /// The line end, `\n` or `\r\n`; empty if everything is on one line.
    pub(super) newline: &'static str,
    /// The white space before the outermost element.
    pub(super) indent: String,
    /// The additional white space for each level.
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
    /// Nothing yet: the start tag can still take attributes.
    Nothing,
    /// Child elements, each on its own lines.
    Elements,
    /// Text, which the end tag follows directly.
    Text,
}

impl Printer {
    pub(super) fn new(style: Style) -> Self {
        Self { out: String::new(), style, prefix: String::new(), open: Vec::new(), fault: None }
    }

    /// Gives elements of the format a prefix, as the file has it that they are inserted into.
    pub(super) fn with_prefix(self, prefix: &str) -> Self {
        Self { prefix: prefix.to_owned(), ..self }
    }

    /// Returns what `print` prints, in canonical layout.
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
        let name = if self.is_prefixed(name) { format!("{}{name}", self.prefix) } else { name.to_owned() };
        self.out.push('<');
        self.out.push_str(&name);
        self.open.push(Open { name, inside: Element::Nothing });
    }

    /// Whether an element gets the prefix: not one that has its own, nor what belongs to a plugin or is unknown.
    fn is_prefixed(&self, name: &str) -> bool {
        let is_known = |name: &str| order::is_known(name.strip_prefix(self.prefix.as_str()).unwrap_or(name));
        !self.prefix.is_empty()
            && (is_known(name) || name == "pluginContent")
            && !name.starts_with(&self.prefix)
            && self.open.iter().all(|open| is_known(&open.name))
    }

    /// Adds an attribute to the element that has just been begun.
    pub fn attribute(&mut self, name: &str, value: &str) {
        self.check(value, || format!("the attribute `{name}`"));
        push_attribute(&mut self.out, name, value);
    }

    /// Adds an attribute with a whole number.
    pub fn number(&mut self, name: &str, value: i32) {
        let _ = write!(self.out, " {name}=\"{value}\"");
    }

    /// Adds an attribute with a number, which must be finite.
    pub fn float(&mut self, name: &str, value: f64) {
        if let Some(text) = self.finite(name, value) {
            push_attribute(&mut self.out, name, &text);
        }
    }

    /// Returns a number as an attribute has it, which must be finite.
    pub(super) fn finite(&mut self, name: &str, value: f64) -> Option<String> {
        let text = super::number::float(value);
        if text.is_none() {
            self.fail(WriteError::NotFinite(format!("the attribute `{name}`")));
        }
        text
    }

    /// Adds an attribute with 0 or 1.
    pub fn flag(&mut self, name: &str, value: bool) {
        self.number(name, i32::from(value));
    }

    /// Adds text as the whole content of the element.
    pub fn text(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        self.check(text, || "a text".to_owned());
        self.begin_text();
        escape(&mut self.out, text);
    }

    /// Adds text as a CDATA section on a line of its own, unchanged. A `]]>` in the text is split over two sections.
    pub fn section(&mut self, text: &str) {
        self.check(text, || "a CDATA section".to_owned());
        self.begin_text();
        self.break_line();
        push_indent(&mut self.out, &self.style, self.open.len());
        push_section(&mut self.out, text);
        self.break_line();
    }

    /// Adds a comment on lines of its own.
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

    /// Adds an element that contains only text.
    pub fn text_element(&mut self, name: &str, text: &str) {
        self.start(name);
        self.text(text);
        self.end();
    }

    /// Adds source text unchanged, on a line of its own.
    pub(super) fn source_line(&mut self, source: &str) {
        self.line();
        self.out.push_str(source);
        self.end_line();
    }

    /// Adds source text unchanged, as the whole content of the element.
    pub(super) fn source_inside(&mut self, source: &str) {
        self.begin_text();
        self.out.push_str(source);
    }

    /// Adds CDATA sections unchanged, on a line of their own.
    pub(super) fn source_sections(&mut self, source: &str) {
        self.begin_text();
        self.break_line();
        push_indent(&mut self.out, &self.style, self.open.len());
        self.out.push_str(source);
        self.break_line();
    }

    /// Completes the start tag of the enclosing element, and indents for its next child.
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

/// Appends ` name="value"`, in single quotes if the value contains double ones.
pub(super) fn push_attribute(out: &mut String, name: &str, value: &str) {
    let quote = if value.contains('"') { '\'' } else { '"' };
    out.push(' ');
    out.push_str(name);
    out.push('=');
    out.push(quote);
    escape(out, value);
    out.push(quote);
}

/// Appends text, with references for all characters that markup or white space normalization would change.
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

/// Appends a CDATA section, or several if the text contains `]]>`.
pub(super) fn push_section(out: &mut String, text: &str) {
    out.push_str("<![CDATA[");
    out.push_str(&text.replace("]]>", "]]]]><![CDATA[>"));
    out.push_str("]]>");
}

/// Returns an error if a text contains a character that XML cannot represent.
pub(super) fn check(text: &str, place: &str) -> Result<(), WriteError> {
    match text.chars().find(|c| !is_xml_char(*c)) {
        Some(c) => Err(WriteError::Character(c, place.to_owned())),
        None => Ok(()),
    }
}
