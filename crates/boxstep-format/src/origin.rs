//! Encoding of a text back into its file's bytes.

use crate::raw::{RawKind, RawView};
use crate::write::WriteError;
use boxstep_types::{FileId, Span};
use encoding_rs::{EncoderResult, Encoding, UTF_8, UTF_16BE, UTF_16LE};
use std::fmt::Write as _;
use std::sync::Arc;

/// The encoding and byte order mark of a file.
#[derive(Clone, Debug)]
pub(crate) struct Origin {
    encoding: &'static Encoding,
    mark: bool,
    /// The bytes of the file, if encoding its text might not reproduce them. Shift_JIS, for example, can spell one
    /// character in two ways.
    exact: Option<Arc<[u8]>>,
}

impl Default for Origin {
    fn default() -> Self {
        Self { encoding: UTF_8, mark: false, exact: None }
    }
}

impl Origin {
    /// Creates the origin from what decoding has found.
    pub(crate) fn read(encoding: &'static Encoding, mark: bool, bytes: &[u8]) -> Self {
        let unicode = [UTF_8, UTF_16LE, UTF_16BE].contains(&encoding);
        Self { encoding, mark, exact: (!unicode).then(|| Arc::from(bytes)) }
    }

    /// Whether the bytes of the file are kept beside its text, and each change of the text has to be encoded anew.
    pub(crate) fn is_exact(&self) -> bool {
        self.exact.is_some()
    }

    /// The encoding's name, as an XML declaration writes it.
    pub(crate) fn label(&self) -> &'static str {
        if [UTF_16LE, UTF_16BE].contains(&self.encoding) { "UTF-16" } else { self.encoding.name() }
    }

    /// Encodes the text that was decoded with this origin.
    pub(crate) fn bytes(&self, text: &str) -> Vec<u8> {
        if let Some(exact) = &self.exact {
            return exact.to_vec();
        }
        let mark = if self.mark { "\u{FEFF}" } else { "" };
        let units = || mark.encode_utf16().chain(text.encode_utf16());
        if self.encoding == UTF_16LE {
            units().flat_map(u16::to_le_bytes).collect()
        } else if self.encoding == UTF_16BE {
            units().flat_map(u16::to_be_bytes).collect()
        } else {
            [mark.as_bytes(), text.as_bytes()].concat()
        }
    }

    /// Returns a text with references for the characters that the encoding lacks; `None` if it lacks none.
    pub(crate) fn referred(&self, text: &str) -> Option<String> {
        let lacks =
            |c: char| self.exact.is_some() && !c.is_ascii() && self.encoding.encode(c.encode_utf8(&mut [0; 4])).2;
        text.chars().any(lacks).then(|| {
            let reference = |c: char| if lacks(c) { format!("&#x{:X};", c as u32) } else { c.to_string() };
            text.chars().map(reference).collect()
        })
    }

    /// Returns the origin of another text in the same encoding. A character that the encoding lacks becomes a character
    /// reference where XML allows one; elsewhere it is an error.
    pub(crate) fn encode(&self, view: RawView<'_>, file: FileId) -> Result<Self, WriteError> {
        if self.exact.is_none() {
            return Ok(self.clone());
        }
        let text = view.text();
        let mut encoder = self.encoding.new_encoder();
        let mut bytes = Vec::with_capacity(text.len());
        let mut at = 0;
        while let Some(rest) = text.get(at..) {
            let room = encoder.max_buffer_length_from_utf8_without_replacement(rest.len()).unwrap_or(rest.len() * 4);
            bytes.reserve(room);
            let (result, read) = encoder.encode_from_utf8_to_vec_without_replacement(rest, &mut bytes, true);
            at += read;
            match result {
                EncoderResult::InputEmpty => break,
                EncoderResult::OutputFull => {}
                EncoderResult::Unmappable(c) => {
                    let (start, end) = ((at - c.len_utf8()) as u32, at as u32);
                    if !takes_references(view, start) {
                        let encoding = self.encoding.name();
                        return Err(WriteError::Unencodable { character: c, encoding, at: Span { file, start, end } });
                    }
                    let mut reference = String::new();
                    let _ = write!(reference, "&#x{:X};", c as u32);
                    // All encodings that are left here are supersets of ASCII, but ISO-2022-JP has to switch to it.
                    let _ = encoder.encode_from_utf8_to_vec_without_replacement(&reference, &mut bytes, false);
                }
            }
        }
        Ok(Self { exact: Some(Arc::from(bytes)), ..self.clone() })
    }
}

/// Returns true if `at` is inside an attribute's value or a text, where XML allows character references.
fn takes_references(view: RawView<'_>, at: u32) -> bool {
    let within = |(start, end): (u32, u32)| start <= at && at < end;
    view.all().filter(|n| within(n.range())).any(|n| match n.kind() {
        RawKind::Text => true,
        RawKind::Element => n.attributes().any(|a| within(a.value_range())),
        RawKind::CData | RawKind::Comment | RawKind::Instruction => false,
    })
}
