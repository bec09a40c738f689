//! The only module that writes SVG and HTML. It closes elements in order, and escapes every text.

use std::fmt::Write as _;

/// The largest coordinate. Some viewers stop drawing at larger ones, and nothing that far away would be visible.
const FARTHEST: f64 = 1e6;

/// A document that is well-formed XML and also HTML.
#[derive(Debug, Default)]
pub(crate) struct Xml {
    out: String,
    open: Vec<&'static str>,
}

/// An element whose attributes are being written.
#[must_use]
pub(crate) struct Tag<'a> {
    xml: &'a mut Xml,
    name: &'static str,
}

impl Xml {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Begins an element, which one of [`Tag`]'s methods must end.
    pub(crate) fn tag(&mut self, name: &'static str) -> Tag<'_> {
        self.out.push('<');
        self.out.push_str(name);
        Tag { xml: self, name }
    }

    /// Writes an element without attributes that contains a text.
    pub(crate) fn leaf(&mut self, name: &'static str, text: &str) {
        self.tag(name).text(text);
    }

    /// Writes a text, escaped.
    pub(crate) fn text(&mut self, text: &str) {
        escape(&mut self.out, text);
    }

    /// Writes markup unescaped: a doctype, a style sheet, or another [`Xml`].
    pub(crate) fn raw(&mut self, markup: &str) {
        self.out.push_str(markup);
    }

    /// Closes the element that was opened last.
    pub(crate) fn close(&mut self) {
        if let Some(name) = self.open.pop() {
            let _ = write!(self.out, "</{name}>");
        }
    }

    /// Writes a line end, for readers of the source.
    pub(crate) fn line(&mut self) {
        self.out.push('\n');
    }

    /// Closes all open elements and returns the document.
    pub(crate) fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.close();
        }
        self.out
    }
}

impl Tag<'_> {
    /// Writes an attribute with any text.
    pub(crate) fn attr(self, name: &str, value: &str) -> Self {
        let _ = write!(self.xml.out, " {name}=\"");
        escape(&mut self.xml.out, value);
        self.xml.out.push('"');
        self
    }

    /// Writes an attribute if it has a value.
    pub(crate) fn maybe(self, name: &str, value: Option<&str>) -> Self {
        match value {
            Some(value) => self.attr(name, value),
            None => self,
        }
    }

    /// Writes an attribute with a coordinate.
    pub(crate) fn num(self, name: &str, value: f64) -> Self {
        let value = number(value);
        self.attr(name, &value)
    }

    /// Ends an element without content.
    pub(crate) fn empty(self) {
        self.xml.out.push_str("/>");
    }

    /// Ends the start tag and leaves the element open.
    pub(crate) fn open(self) {
        self.xml.out.push('>');
        self.xml.open.push(self.name);
    }

    /// Ends an element that contains a text.
    pub(crate) fn text(self, text: &str) {
        let (name, xml) = (self.name, self.xml);
        xml.out.push('>');
        escape(&mut xml.out, text);
        let _ = write!(xml.out, "</{name}>");
    }
}

/// Formats a coordinate to tenths of a pixel; a number that is not finite becomes 0.
pub(crate) fn number(value: f64) -> String {
    let value = if value.is_finite() { value.clamp(-FARTHEST, FARTHEST) } else { 0.0 };
    let tenths = (value * 10.0).round() as i64;
    let sign = if tenths < 0 { "-" } else { "" };
    let (whole, tenth) = (tenths.unsigned_abs() / 10, tenths.unsigned_abs() % 10);
    if tenth == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.{tenth}") }
}

fn escape(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // XML cannot represent these characters.
            c if !is_xml(c) => out.push('\u{fffd}'),
            // These characters would reverse the text that follows them.
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
}

fn is_xml(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{7e}' | '\u{85}' | '\u{a0}'..='\u{fffd}' | '\u{10000}'..)
        && !matches!(c as u32 & 0xffff, 0xfffe | 0xffff)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parsed(text: &str) -> Vec<(String, String)> {
        let mut reader = quick_xml::Reader::from_str(text);
        let mut found = Vec::new();
        loop {
            match reader.read_event().unwrap() {
                quick_xml::events::Event::Eof => return found,
                quick_xml::events::Event::Empty(e) => {
                    for a in e.attributes() {
                        let a = a.unwrap();
                        let value = quick_xml::escape::unescape(&a.value).unwrap().into_owned();
                        found.push((a.key.as_ref().to_owned(), value));
                    }
                }
                _ => {}
            }
        }
    }

    #[test]
    fn numbers_are_short_and_always_places() {
        for (value, text) in [
            (1.0, "1"),
            (-0.04, "0"),
            (0.25, "0.3"),
            (-12.34, "-12.3"),
            (f64::NAN, "0"),
            (f64::INFINITY, "0"),
            (1e300, "1000000"),
            (-1e300, "-1000000"),
        ] {
            assert_eq!(number(value), text, "{value}");
        }
    }

    #[test]
    fn elements_close_in_order() {
        let mut xml = Xml::new();
        xml.tag("svg").num("width", 3.0).open();
        xml.tag("g").open();
        xml.leaf("title", "<&>");
        xml.tag("path").attr("d", "M0 0").empty();
        assert_eq!(xml.finish(), r#"<svg width="3"><g><title>&lt;&amp;&gt;</title><path d="M0 0"/></g></svg>"#);
    }

    proptest! {
        #[test]
        fn any_text_stays_inside_its_attribute(text in any::<String>()) {
            let mut xml = Xml::new();
            xml.tag("a").attr("b", &text).empty();
            let found = parsed(&xml.finish());
            prop_assert_eq!(found.len(), 1);
            prop_assert_eq!(found[0].1.chars().count(), text.chars().count());
            let kept = found[0].1.chars().zip(text.chars()).all(|(a, b)| a == b || a == '\u{fffd}');
            prop_assert!(kept, "{:?} {:?}", found[0].1, text);
        }

        #[test]
        fn any_number_is_a_place(value in any::<f64>()) {
            let back: f64 = number(value).parse().unwrap();
            prop_assert!(back.abs() <= FARTHEST);
            if value.abs() < FARTHEST {
                prop_assert!((back - value).abs() <= 0.051);
            }
        }
    }
}
