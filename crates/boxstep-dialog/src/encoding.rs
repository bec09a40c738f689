//! Bytes that are not text in UTF-8: what they probably are, and how to make text of them.

use std::fmt;

/// Why bytes are not text in UTF-8.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotText {
    /// What is wrong with them.
    pub why: String,
    /// What to do about it.
    pub help: String,
}

impl fmt::Display for NotText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.why, self.help)
    }
}

/// Returns what is wrong with bytes that are not text in UTF-8; `None` if they are.
pub fn not_text(bytes: &[u8]) -> Option<NotText> {
    let at = match std::str::from_utf8(bytes) {
        // Text has no zeros; UTF-16 may be valid without a mark at its beginning.
        Ok(_) => bytes.iter().position(|byte| *byte == 0)?,
        Err(error) => error.valid_up_to(),
    };
    let (why, from) = match probable(bytes) {
        Some(Encoding::Utf16(name)) => ("the file is in UTF-16".to_owned(), name),
        Some(Encoding::Binary) => {
            let why = "the file is no text".to_owned();
            return Some(NotText { why, help: "a topic is a text that begins with `topic: ~name()`".to_owned() });
        }
        Some(Encoding::ShiftJis) => (format!("byte {at} of the file is not UTF-8 text"), "SHIFT_JIS"),
        None => (format!("byte {at} of the file is not UTF-8 text"), "LATIN1"),
    };
    let help = format!("save it as UTF-8 in an editor, or convert it: `iconv -f {from} -t UTF-8 OLD > NEW`");
    Some(NotText { why, help })
}

enum Encoding {
    Utf16(&'static str),
    ShiftJis,
    Binary,
}

/// What bytes probably are that are not UTF-8; `None` for the letters of western Europe.
fn probable(bytes: &[u8]) -> Option<Encoding> {
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return Some(Encoding::Utf16("UTF-16"));
    }
    // Half of the bytes of western text in UTF-16 are zeros.
    let zeros = |odd: usize| bytes.iter().skip(odd).step_by(2).filter(|byte| **byte == 0).count();
    let (even, odd) = (zeros(0), zeros(1));
    let many = bytes.len() / 8;
    match (even, odd) {
        (0, 0) => is_shift_jis(bytes).then_some(Encoding::ShiftJis),
        (0, odd) if odd > many => Some(Encoding::Utf16("UTF-16LE")),
        (even, 0) if even > many => Some(Encoding::Utf16("UTF-16BE")),
        _ => Some(Encoding::Binary),
    }
}

/// Whether all bytes beyond ASCII are pairs or half-width letters of Shift-JIS, and most of them Japanese syllables.
fn is_shift_jis(bytes: &[u8]) -> bool {
    let (mut syllables, mut others) = (0, 0);
    let mut rest = bytes.iter().copied();
    while let Some(first) = rest.next() {
        match first {
            0..=0x7f => {}
            0xa1..=0xdf => others += 1,
            0x81..=0x9f | 0xe0..=0xfc => match (first, rest.next()) {
                (0x82, Some(0x9f..=0xf1)) | (0x83, Some(0x40..=0x96)) => syllables += 1,
                (_, Some(0x40..=0x7e | 0x80..=0xfc)) => others += 1,
                _ => return false,
            },
            _ => return false,
        }
    }
    syllables * 3 > others
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "topic: ~t()\nu:(\u{e9}t\u{e9}) ok\n";

    fn utf_16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(bytes).collect()
    }

    #[test]
    fn advice_depends_on_what_the_bytes_probably_are() {
        let latin: Vec<u8> = TEXT.chars().map(|c| c as u8).collect();
        let marked = [&b"\xff\xfe"[..], &utf_16(TEXT, u16::to_le_bytes)].concat();
        let plain = TEXT.replace('\u{e9}', "e");
        for (bytes, help) in [
            (latin, "iconv -f LATIN1 "),
            (marked, "iconv -f UTF-16 "),
            (utf_16(TEXT, u16::to_le_bytes), "iconv -f UTF-16LE "),
            (utf_16(&plain, u16::to_le_bytes), "iconv -f UTF-16LE "),
            (utf_16(TEXT, u16::to_be_bytes), "iconv -f UTF-16BE "),
            (b"u:(\x82\xb1\x82\xf1\x82\xc9\x82\xbf\x82\xcd) \x93\xfa\n".to_vec(), "iconv -f SHIFT_JIS "),
            (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x02\0\0\0\x01\0".to_vec(), "begins with `topic: ~name()`"),
        ] {
            let help_of = not_text(&bytes).map(|found| found.help).unwrap_or_default();
            assert!(help_of.contains(help), "{help}: {help_of}");
        }
        assert_eq!(not_text(TEXT.as_bytes()), None);
        assert_eq!(not_text("u:(こんにちは) ok".as_bytes()), None);
    }
}
