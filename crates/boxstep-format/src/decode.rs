//! Decoding of a file's bytes into text. The byte order mark decides the encoding, else the XML declaration, else it is
//! UTF-8.

use crate::error::Problem;
use crate::origin::Origin;
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use std::borrow::Cow;

/// Returns the text without its byte order mark, and what is needed to encode it again. Line ends are not changed.
pub(crate) fn decode(bytes: &[u8]) -> Result<(Cow<'_, str>, Origin), Problem> {
    let (encoding, body) = match Encoding::for_bom(bytes) {
        Some((encoding, length)) => (encoding, &bytes[length..]),
        None => (without_bom(bytes)?, bytes),
    };
    let text = decode_as(encoding, body, bytes.len() - body.len())?;
    Ok((text, Origin::read(encoding, body.len() < bytes.len(), bytes)))
}

/// Decodes `body`. `before` is the number of bytes already read, which positions in errors count from.
fn decode_as<'a>(encoding: &'static Encoding, body: &'a [u8], before: usize) -> Result<Cow<'a, str>, Problem> {
    if encoding == UTF_8 {
        return match std::str::from_utf8(body) {
            Ok(text) => Ok(Cow::Borrowed(text)),
            Err(e) => {
                let at = before + e.valid_up_to();
                Err(Problem::Encoding { encoding: "UTF-8".into(), at: Some(at) })
            }
        };
    }
    encoding
        .decode_without_bom_handling_and_without_replacement(body)
        .ok_or_else(|| Problem::Encoding { encoding: encoding.name().into(), at: None })
}

fn without_bom(bytes: &[u8]) -> Result<&'static Encoding, Problem> {
    match bytes {
        [b'<', 0, ..] => return Ok(UTF_16LE),
        [0, b'<', ..] => return Ok(UTF_16BE),
        _ => {}
    }
    let Some(label) = declared(bytes) else { return Ok(UTF_8) };
    match Encoding::for_label(label) {
        // A declaration that was readable as ASCII cannot be in UTF-16, so this label is wrong.
        Some(e) if e == UTF_16LE || e == UTF_16BE => Ok(UTF_8),
        Some(e) => Ok(e),
        None => Err(Problem::Encoding { encoding: String::from_utf8_lossy(label).into_owned(), at: None }),
    }
}

/// Returns the value of `encoding` in `<?xml … ?>`.
fn declared(bytes: &[u8]) -> Option<&[u8]> {
    let head = bytes.strip_prefix(b"<?xml")?;
    let head = &head[..head.windows(2).position(|w| w == b"?>")?.min(200)];
    let after = &head[head.windows(8).position(|w| w == b"encoding")? + 8..];
    let after = after.trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let (quote, rest) = after.split_first()?;
    let end = rest.iter().position(|b| b == quote)?;
    matches!(quote, b'"' | b'\'').then_some(&rest[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, Problem> {
        super::decode(bytes).map(|(text, _)| text)
    }

    #[test]
    fn the_mark_wins_over_the_declaration() {
        assert_eq!(decode(b"\xEF\xBB\xBF<?xml encoding='latin1'?>\xC3\xA9").unwrap(), "<?xml encoding='latin1'?>é");
        let utf16: Vec<u8> = "\u{FEFF}<a>é</a>".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(decode(&utf16).unwrap(), "<a>é</a>");
        let utf16: Vec<u8> = "<a>é</a>".encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(decode(&utf16).unwrap(), "<a>é</a>");
    }

    #[test]
    fn the_declaration_is_believed() {
        let text = b"<?xml version=\"1.0\" encoding = 'ISO-8859-1' ?><a>\xE9</a>";
        assert!(decode(text).unwrap().ends_with("<a>é</a>"));
        assert_eq!(decode(b"<?xml encoding='UTF-16'?><a/>").unwrap(), "<?xml encoding='UTF-16'?><a/>");
        let unknown = decode(b"<?xml encoding='klingon'?><a/>").unwrap_err();
        assert_eq!(unknown, Problem::Encoding { encoding: "klingon".into(), at: None });
    }

    #[test]
    fn bytes_that_are_not_text_are_an_error_with_their_place() {
        assert_eq!(decode(b"<a>\xE9</a>"), Err(Problem::Encoding { encoding: "UTF-8".into(), at: Some(3) }));
        assert_eq!(decode(b"\xEF\xBB\xBFa\xFF"), Err(Problem::Encoding { encoding: "UTF-8".into(), at: Some(4) }));
    }
}
