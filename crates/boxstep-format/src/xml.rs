//! An XML file of a project that is edited as text: `.pml`, `manifest.xml`, `.ts`.

use crate::Limits;
use crate::error::FormatError;
use crate::origin::Origin;
use crate::raw::{Doctype, RawTree, RawView};
use crate::write::{Edits, Splice, WriteError, spliced};
use crate::xar::{Parsed, parse_text, parse_xml};
use boxstep_types::{FileId, Sources, Span};
use std::sync::Arc;

/// An XML file, decoded and parsed, without a model of what it means.
#[derive(Clone, Debug)]
pub struct XmlFile {
    sources: Sources,
    file: FileId,
    raw: RawTree,
    origin: Origin,
}

impl XmlFile {
    /// Reads a file. `name` is the file name that messages print.
    ///
    /// # Errors
    /// The file is not well-formed, or too large.
    pub fn read(name: &str, bytes: &[u8], limits: &Limits) -> Result<Self, FormatError> {
        // Translation files begin with `<!DOCTYPE TS>`.
        let Parsed { sources, file, raw, origin } = parse_xml(name, bytes, limits, Doctype::Bare)?;
        Ok(Self { sources, file, raw, origin })
    }

    /// The decoded text.
    pub fn text(&self) -> &str {
        self.sources.text(self.file)
    }

    /// The raw tree together with its text.
    pub fn raw(&self) -> RawView<'_> {
        self.raw.view(self.text())
    }

    /// Encodes the file as it was read: with byte order mark, encoding and line ends.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.origin.bytes(self.text())
    }

    /// Creates an empty list of changes to this file; [`XmlFile::edited`] applies them.
    pub fn edits(&self) -> Edits<'_> {
        Edits::new(self.file, self.raw())
    }

    /// Returns the file with these changes applied, parsed again; all other bytes stay.
    ///
    /// # Errors
    /// As [`crate::XarFile::edited`].
    pub fn edited(&self, edits: Edits<'_>, limits: &Limits) -> Result<Self, WriteError> {
        let splices = edits.splices()?;
        let outside = || {
            let (start, end) = splices.first().map_or((0, 0), |s: &Splice| (s.start, s.end));
            WriteError::Overlap(Span { file: self.file, start, end })
        };
        let text = Arc::new(spliced(self.text(), &splices).ok_or_else(outside)?);
        let mut sources = Sources::new();
        let file = sources.add_shared(self.sources.name(self.file), text.clone());
        let parsed = parse_text(sources, file, &text, limits, Doctype::Bare).map_err(WriteError::Unreadable)?;
        let origin = self.origin.encode(parsed.raw.view(&text), file)?;
        let Parsed { sources, file, raw, .. } = parsed;
        Ok(Self { sources, file, raw, origin })
    }
}
