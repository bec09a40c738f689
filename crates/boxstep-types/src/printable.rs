//! Escapes for foreign text: characters that would control a terminal or reorder text are written out when shown to
//! users.

use std::borrow::Cow;

/// Returns true if a character would control a terminal or reorder the text around it instead of being seen.
///
/// These are control characters other than tab and line feed (C0, DEL, C1), the marks that change the direction of
/// writing (Unicode's `Bidi_Control`), and the line and paragraph separators.
pub fn is_order(c: char) -> bool {
    match c {
        '\t' | '\n' => false,
        c => {
            let bidi = ['\u{61c}', '\u{200e}', '\u{200f}', '\u{2028}', '\u{2029}'].contains(&c)
                || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
            c.is_control() || bidi
        }
    }
}

/// Returns foreign text with every [control character](is_order) escaped as Rust escapes it: `\r`, `\u{1b}`,
/// `\u{202e}`. Line ends stay, including CR LF, which becomes a line feed.
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.contains(is_order) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\r' if chars.peek() == Some(&'\n') => {}
            c if is_order(c) => shown.extend(c.escape_default()),
            c => shown.push(c),
        }
    }
    Cow::Owned(shown)
}

/// Like [`printable`], but for text that must stay on one line, such as a name or a path: line feeds are escaped too.
pub fn printable_line(text: &str) -> Cow<'_, str> {
    let order = |c: char| c == '\n' || is_order(c);
    if !text.contains(order) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if order(c) { shown.extend(c.escape_default()) } else { shown.push(c) }
    }
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped_and_text_is_unchanged() {
        for plain in
            ["", "a\tb\nc", "Grüße, 日本語, שלום, 🤖", "e\u{301}", "👩\u{200d}🔬", "می\u{200c}خواهم", "❤\u{fe0f}"]
        {
            assert!(matches!(printable(plain), Cow::Borrowed(same) if same == plain), "{plain}");
        }
        for (order, shown) in [
            ("\u{1b}[31m", "\\u{1b}[31m"),
            ("\u{9b}2J", "\\u{9b}2J"),
            ("\u{7}\u{8}\u{7f}", "\\u{7}\\u{8}\\u{7f}"),
            ("a\rb\r\nc\r", "a\\rb\nc\\r"),
            ("\u{202e}\u{2066}\u{200f}", "\\u{202e}\\u{2066}\\u{200f}"),
            ("\u{2028}\u{61c}", "\\u{2028}\\u{61c}"),
        ] {
            assert_eq!(printable(order), shown);
        }
        assert_eq!(printable_line("a\r\nb\tc"), "a\\r\\nb\tc");
    }
}
