//! Measuring and fitting of texts.
//!
//! No font is available when a drawing is laid out. The widths here are those of common sans-serif fonts, slightly
//! enlarged, so that a text is rather too short than too long.

/// Returns the width of a text in pixels at a font size.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    text.chars().map(advance).sum::<f64>() * size
}

/// Returns the width of a bold text.
pub(crate) fn bold_width(text: &str, size: f64) -> f64 {
    width(text, size) * BOLD
}

/// The ratio of the widths of bold and normal letters.
pub(crate) const BOLD: f64 = 1.16;

/// Returns the width of a character, relative to the font size.
fn advance(c: char) -> f64 {
    match c {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '|' | '!' | '\'' => 0.29,
        'f' | 't' | 'r' | ' ' | '(' | ')' | '[' | ']' | '/' | '-' => 0.36,
        'm' | 'w' | 'M' | 'W' | '%' | '@' => 0.9,
        'A'..='Z' | '&' => 0.7,
        // Scripts with square characters.
        '\u{1100}'..='\u{11ff}' | '\u{2e80}'..='\u{d7ff}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ff60}' => 1.05,
        '\u{1f000}'.. => 1.2,
        _ => 0.6,
    }
}

/// Returns the text on one line without control characters and at most `limit` pixels wide; `…` replaces the rest.
pub(crate) fn fit(text: &str, size: f64, limit: f64) -> String {
    let plain = one_line(text);
    if width(&plain, size) <= limit {
        return plain;
    }
    let mut room = limit - size * 0.9;
    let mut end = 0;
    for (i, c) in plain.char_indices() {
        room -= advance(c) * size;
        if room < 0.0 {
            break;
        }
        end = i + c.len_utf8();
    }
    format!("{}…", plain[..end].trim_end())
}

/// Breaks a text into at most two lines, at a space or after a `_` if there is one that fits.
pub(crate) fn two_lines(text: &str, size: f64, limit: f64) -> Vec<String> {
    let plain = one_line(text);
    if width(&plain, size) <= limit {
        return vec![plain];
    }
    let breaks = plain.char_indices().filter(|(_, c)| *c == ' ' || *c == '_');
    let fits = breaks.map(|(i, _)| i + 1).take_while(|i| width(plain[..*i].trim_end(), size) <= limit);
    match fits.last() {
        Some(at) => vec![plain[..at].trim_end().to_owned(), fit(&plain[at..], size, limit)],
        None => vec![fit(&plain, size, limit)],
    }
}

/// Replaces control characters and line ends by spaces, and trims the text.
pub(crate) fn one_line(text: &str) -> String {
    text.trim().chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Returns the plural ending for this number.
pub(crate) fn plural(n: usize) -> &'static str {
    if n == 1 { "" } else { "s" }
}

/// Formats a number with at most three decimals, without trailing zeros and without `-0`.
pub(crate) fn format_number(value: f64) -> String {
    if !value.is_finite() {
        return "?".to_owned();
    }
    if value.abs() >= 1e9 {
        return format!("{value:e}");
    }
    let text = format!("{value:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_long_ends_in_an_ellipsis_and_fits() {
        for text in ["a short one", "WWWWWWWWWWWWWWWWWWWWWWWWW", "日本語の長い長い長い長い名前", "a\nb\u{7}c"]
        {
            let fitted = fit(text, 10.0, 90.0);
            assert!(width(&fitted, 10.0) <= 90.0, "{fitted}");
            assert!(!fitted.chars().any(char::is_control));
        }
        assert_eq!(fit("Say", 10.0, 90.0), "Say");
        assert_eq!(fit("Say", 10.0, -5.0), "…");
    }

    #[test]
    fn titles_break_at_a_space() {
        assert_eq!(two_lines("Wait For Signals", 12.0, 70.0), ["Wait For", "Signals"]);
        assert_eq!(two_lines("Say", 12.0, 70.0), ["Say"]);
        assert_eq!(two_lines("Antidisestablishment", 12.0, 70.0).len(), 1);
    }

    #[test]
    fn numbers_read_well() {
        for (value, text) in [(1.0, "1"), (0.5, "0.5"), (-0.0001, "0"), (33.333_333, "33.333"), (f64::NAN, "?")] {
            assert_eq!(format_number(value), text);
        }
        assert_eq!(format_number(1e300), "1e300");
    }
}
