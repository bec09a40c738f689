//! A whole `.xar` file: from bytes to text, raw view, model and findings.

use crate::error::{FormatError, Problem};
use crate::model::Project;
use crate::origin::Origin;
use crate::raw::{Doctype, RawTree, RawView, parse};
use crate::write::{Edits, WriteError};
use crate::{Limits, decode, read};
use boxstep_types::{Diagnostic, FileId, Sources, Span};
use std::ops::Range;
use std::sync::Arc;

/// A behavior file that could be read.
#[derive(Clone, Debug)]
pub struct XarFile {
    /// The decoded text, for messages.
    pub sources: Sources,
    /// The file's id in `sources`.
    pub file: FileId,
    /// All that the file says.
    pub raw: RawTree,
    /// What it means.
    pub project: Project,
    /// What could be read around, in file order.
    pub findings: Vec<Diagnostic>,
    origin: Origin,
}

impl XarFile {
    /// The decoded text; spans are ranges of it.
    pub fn text(&self) -> &str {
        self.sources.text(self.file)
    }

    /// The raw view.
    pub fn raw(&self) -> RawView<'_> {
        self.raw.view(self.text())
    }

    /// The file as bytes. A file that was read is, to the byte, what was read: with its byte order mark, its
    /// encoding and its line ends.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.origin.bytes(self.text())
    }

    /// A list of changes to this file, empty so far; [`XarFile::edited`] makes them.
    pub fn edits(&self) -> Edits<'_> {
        Edits::new(self.raw())
    }

    /// The file with these changes made, read anew. What they do not touch stays as it is to the byte, except
    /// that a file in a multi-byte encoding other than Unicode may spell a character in another way.
    pub fn edited(&self, edits: Edits<'_>, limits: &Limits) -> Result<XarFile, WriteError> {
        self.with_text(edits.apply(self.file)?, limits)
    }

    /// The file in canonical layout (see [`crate::write::canonical_layout`]), read anew.
    pub fn formatted(&self, limits: &Limits) -> Result<XarFile, WriteError> {
        self.with_text(crate::write::canonical_layout(self.raw(), self.origin.label())?, limits)
    }

    /// Another text in the same encoding, under the same name.
    fn with_text(&self, text: String, limits: &Limits) -> Result<XarFile, WriteError> {
        let mut sources = Sources::new();
        let text: Arc<str> = Arc::from(text);
        let file = sources.add(self.sources.name(self.file), text.clone());
        let parsed = parse_text(sources, file, &text, limits, Doctype::Refused).map_err(WriteError::Unreadable)?;
        let origin = self.origin.encode(parsed.raw.view(&text), file)?;
        model_of(Parsed { origin, ..parsed }, limits).map_err(WriteError::Unreadable)
    }
}

/// Reads a `.xar` file, also a box that was saved to a library.
///
/// `name` is what messages print. An error means that there is no project to be had; everything else
/// that is wrong is in [`XarFile::findings`].
pub fn read_xar(name: &str, bytes: &[u8], limits: &Limits) -> Result<XarFile, FormatError> {
    model_of(parse_xml(name, bytes, limits, Doctype::Refused)?, limits)
}

fn model_of(parsed: Parsed, limits: &Limits) -> Result<XarFile, FormatError> {
    let Parsed { sources, file, raw, origin } = parsed;
    let read = read::read_project(file, raw.view(sources.text(file)), limits);
    match read {
        Ok((project, findings)) => Ok(XarFile { sources, file, raw, project, findings, origin }),
        Err((problem, (start, end))) => Err(FormatError::at(problem, Span { file, start, end }, sources)),
    }
}

/// Any of the XML files, decoded and parsed.
pub(crate) struct Parsed {
    pub(crate) sources: Sources,
    pub(crate) file: FileId,
    pub(crate) raw: RawTree,
    pub(crate) origin: Origin,
}

pub(crate) fn parse_xml(name: &str, bytes: &[u8], limits: &Limits, doctype: Doctype) -> Result<Parsed, FormatError> {
    let mut sources = Sources::new();
    let at_most = limits.bytes.min(u32::MAX as usize - 1);
    let text = if bytes.len() > at_most {
        Err(Problem::Limit("bytes", at_most))
    } else {
        decode::decode(bytes)
            .and_then(|t| if t.0.len() > at_most { Err(Problem::Limit("bytes", at_most)) } else { Ok(t) })
    };
    let (text, origin) = match text {
        Ok(text) => text,
        Err(problem) => {
            sources.add(name, "");
            return Err(FormatError::nowhere(problem, sources));
        }
    };
    let text: Arc<str> = Arc::from(text);
    let file = sources.add(name, text.clone());
    Ok(Parsed { origin, ..parse_text(sources, file, &text, limits, doctype)? })
}

fn parse_text(
    sources: Sources,
    file: FileId,
    text: &str,
    limits: &Limits,
    doctype: Doctype,
) -> Result<Parsed, FormatError> {
    match parse(text, limits, doctype) {
        Ok(raw) => Ok(Parsed { sources, file, raw, origin: Origin::default() }),
        Err((problem, Range { start, end })) => {
            let span = Span { file, start: start as u32, end: end as u32 };
            Err(FormatError::at(problem, span, sources))
        }
    }
}
