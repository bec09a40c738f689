//! Decoding of references and white space in character data. Only predefined entities and character references are
//! known.

use quick_xml::escape::{EscapeError, unescape};
use std::borrow::Cow;

/// Resolves the references in character data. An unknown reference is left as it is written; the parser refuses files
/// that contain one.
pub fn decode_text(source: &str) -> Cow<'_, str> {
    unescape(source).unwrap_or(Cow::Borrowed(source))
}

/// Decodes an attribute's value: line ends and tabs become spaces, then references are resolved, so that a `&#10;`
/// stays a line end. See XML 1.0, section 3.3.3.
pub(super) fn decode_attribute(source: &str) -> Cow<'_, str> {
    if !source.bytes().any(|b| matches!(b, b'\n' | b'\r' | b'\t')) {
        return decode_text(source);
    }
    let spaced = source.replace("\r\n", " ").replace(['\n', '\r', '\t'], " ");
    Cow::Owned(decode_text(&spaced).into_owned())
}

/// Returns the offset and name of the first reference that cannot be resolved.
pub(super) fn bad_reference(source: &str) -> Option<(usize, String)> {
    match unescape(source) {
        Ok(text) if text.chars().all(is_xml_char) => None,
        Err(EscapeError::UnrecognizedEntity(range, name)) => Some((range.start, name)),
        _ => {
            let at = source.find('&').unwrap_or(0);
            let rest = source.get(at..).unwrap_or("");
            let end = rest.find([';', ' ', '<']).unwrap_or(rest.len());
            Some((at, rest.get(1..end).unwrap_or("").chars().take(40).collect()))
        }
    }
}

/// Returns true for a character that XML 1.0, section 2.2, allows.
pub(crate) fn is_xml_char(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{10000}'..)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_normalised_as_xml_says() {
        assert_eq!(decode_attribute("a\r\nb\tc&#10;d&#x9;e"), "a b c\nd\te");
        assert_eq!(decode_text("1 &lt; 2 &amp;&#233;\r\n"), "1 < 2 &é\r\n");
    }

    #[test]
    fn only_predefined_entities() {
        assert_eq!(bad_reference("a &amp; &#65; &quot;"), None);
        assert_eq!(bad_reference("a &nbsp;"), Some((3, "nbsp".into())));
        assert!(bad_reference("a & b").is_some());
        assert!(bad_reference("&#0;").is_some());
        assert_eq!(bad_reference("a&#x1;"), Some((1, "#x1".into())));
        assert!(bad_reference("&#xD800;").is_some());
    }
}
