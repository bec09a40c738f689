//! Reading of a whole `.xar` file: from bytes to text, raw view, model and findings.

use crate::error::{FormatError, Problem};
use crate::model::Project;
use crate::origin::Origin;
use crate::raw::{Doctype, RawTree, RawView, parse, patched};
use crate::read::Known;
use crate::write::{Edits, Splice, Touched, WriteError, spliced};
use crate::{Limits, codes, decode, read};
use boxstep_types::{Diagnostic, FileId, Sources, Span};
use std::ops::Range;
use std::sync::Arc;

/// A behavior file that could be read.
#[derive(Clone, Debug)]
pub struct XarFile {
    /// The decoded text, to show findings in.
    pub sources: Sources,
    /// The file's id in `sources`.
    pub file: FileId,
    /// The raw tree with everything the file contains.
    pub raw: RawTree,
    /// The typed model.
    pub project: Project,
    /// The problems that the reader has recovered from, in file order.
    pub findings: Vec<Diagnostic>,
    origin: Origin,
}

impl XarFile {
    /// The decoded text, which all spans refer to.
    pub fn text(&self) -> &str {
        self.sources.text(self.file)
    }

    /// The raw tree together with its text.
    pub fn raw(&self) -> RawView<'_> {
        self.raw.view(self.text())
    }

    /// Encodes the file. For a file that was read without edits, these are exactly the bytes that were read, with byte
    /// order mark, encoding and line ends.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.origin.bytes(self.text())
    }

    /// Creates an empty list of changes to this file; [`XarFile::edited`] applies them.
    pub fn edits(&self) -> Edits<'_> {
        Edits::new(self.file, self.raw())
    }

    /// Returns the file with these changes applied, parsed again. All other bytes stay the same, except that in a
    /// multi-byte encoding other than Unicode a character may be spelled in another way.
    ///
    /// # Errors
    /// Edits that contradict each other, a character that the encoding lacks, or a result that cannot be read.
    pub fn edited(&self, edits: Edits<'_>, limits: &Limits) -> Result<XarFile, WriteError> {
        self.spliced(&edits.splices()?, limits)
    }

    /// Returns the file with splices of its text applied, parsed again.
    ///
    /// # Errors
    /// As [`XarFile::edited`].
    pub fn spliced(&self, splices: &[Splice], limits: &Limits) -> Result<XarFile, WriteError> {
        self.spliced_with(splices, None, limits)
    }

    /// As [`XarFile::spliced`], with a copy of the model that is needed no more, and what has been changed in it: its
    /// other boxes become those of the new model.
    ///
    /// # Errors
    /// As [`XarFile::edited`].
    pub fn spliced_with(
        &self,
        splices: &[Splice],
        copy: Option<(Project, &Touched)>,
        limits: &Limits,
    ) -> Result<XarFile, WriteError> {
        let outside = || {
            let (start, end) = splices.first().map_or((0, 0), |s| (s.start, s.end));
            WriteError::Overlap(Span { file: self.file, start, end })
        };
        let text = Arc::new(spliced(self.text(), splices).ok_or_else(outside)?);
        match self.with_parts(&text, splices, copy, limits) {
            Some(file) => Ok(file),
            None => self.with_text(text, limits),
        }
    }

    /// Reads only what splices have changed, and takes the rest from what was read before. `None` if that could give
    /// another result than reading everything: then, or if the text cannot be read, the whole text has to be read.
    fn with_parts(
        &self,
        text: &Arc<String>,
        splices: &[Splice],
        copy: Option<(Project, &Touched)>,
        limits: &Limits,
    ) -> Option<XarFile> {
        let left_out = self.findings.last().is_some_and(|finding| finding.code == codes::MORE_FINDINGS);
        if self.origin.is_exact() || left_out {
            return None;
        }
        let (raw, moved) = patched(self.raw(), text, splices, limits)?;
        let mut sources = Sources::new();
        let file = sources.add_shared(self.sources.name(self.file), text.clone());
        let known = Known::new(self, &moved, copy);
        let (project, findings) = read::read_project(file, raw.view(text), limits, Some(&known)).ok()?;
        // Which findings are left out when there are too many depends on the order in which they are found.
        (findings.len() <= limits.findings).then(|| XarFile {
            sources,
            file,
            raw,
            project,
            findings,
            origin: self.origin.clone(),
        })
    }

    /// Writes the characters of splices that the file's encoding lacks as references, as the file has them when it is
    /// encoded. Returns whether there are any.
    pub fn refer(&self, splices: &mut [Splice]) -> bool {
        let mut any = false;
        for splice in splices {
            if let Some(text) = self.origin.referred(&splice.text) {
                (splice.text, any) = (text, true);
            }
        }
        any
    }

    /// Returns the file in canonical layout (see [`crate::write::canonical_layout`]), parsed again.
    pub fn formatted(&self, limits: &Limits) -> Result<XarFile, WriteError> {
        self.with_text(Arc::new(crate::write::canonical_layout(self.raw(), self.origin.label())?), limits)
    }

    /// Parses another text in the same encoding, under the same name.
    fn with_text(&self, text: Arc<String>, limits: &Limits) -> Result<XarFile, WriteError> {
        let mut sources = Sources::new();
        let file = sources.add_shared(self.sources.name(self.file), text.clone());
        let parsed = parse_text(sources, file, &text, limits, Doctype::Refused).map_err(WriteError::Unreadable)?;
        let origin = self.origin.encode(parsed.raw.view(&text), file)?;
        model_of(Parsed { origin, ..parsed }, limits).map_err(WriteError::Unreadable)
    }
}

/// Reads a `.xar` file, which may also be a box saved to a library.
///
/// `name` is the file name that messages print.
///
/// # Errors
/// The file yields no project. All lesser problems are in [`XarFile::findings`].
pub fn read_xar(name: &str, bytes: &[u8], limits: &Limits) -> Result<XarFile, FormatError> {
    model_of(parse_xml(name, bytes, limits, Doctype::Refused)?, limits)
}

fn model_of(parsed: Parsed, limits: &Limits) -> Result<XarFile, FormatError> {
    let Parsed { sources, file, raw, origin } = parsed;
    let read = read::read_project(file, raw.view(sources.text(file)), limits, None);
    match read {
        Ok((project, findings)) => Ok(XarFile { sources, file, raw, project, findings, origin }),
        Err((problem, (start, end))) => Err(FormatError::at(problem, Span { file, start, end }, sources)),
    }
}

/// An XML file of any kind, decoded and parsed.
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
    let text = Arc::new(text.into_owned());
    let file = sources.add_shared(name, text.clone());
    Ok(Parsed { origin, ..parse_text(sources, file, &text, limits, doctype)? })
}

pub(crate) fn parse_text(
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
