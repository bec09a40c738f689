//! A whole `.xar` file: from bytes to text, raw view, model and findings.

use crate::error::{FormatError, Problem};
use crate::model::Project;
use crate::raw::{Doctype, RawTree, RawView, parse};
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
}

/// Reads a `.xar` file, also a box that was saved to a library.
///
/// `name` is what messages print. An error means that there is no project to be had; everything else
/// that is wrong is in [`XarFile::findings`].
pub fn read_xar(name: &str, bytes: &[u8], limits: &Limits) -> Result<XarFile, FormatError> {
    let Parsed { sources, file, raw } = parse_xml(name, bytes, limits, Doctype::Refused)?;
    let read = read::read_project(file, raw.view(sources.text(file)), limits);
    match read {
        Ok((project, findings)) => Ok(XarFile { sources, file, raw, project, findings }),
        Err((problem, (start, end))) => Err(FormatError::at(problem, Span { file, start, end }, sources)),
    }
}

/// Any of the XML files, decoded and parsed.
pub(crate) struct Parsed {
    pub(crate) sources: Sources,
    pub(crate) file: FileId,
    pub(crate) raw: RawTree,
}

pub(crate) fn parse_xml(name: &str, bytes: &[u8], limits: &Limits, doctype: Doctype) -> Result<Parsed, FormatError> {
    let mut sources = Sources::new();
    let at_most = limits.bytes.min(u32::MAX as usize - 1);
    let text = if bytes.len() > at_most {
        Err(Problem::Limit("bytes", at_most))
    } else {
        decode::decode(bytes)
            .and_then(|t| if t.len() > at_most { Err(Problem::Limit("bytes", at_most)) } else { Ok(t) })
    };
    let text = match text {
        Ok(text) => text,
        Err(problem) => {
            sources.add(name, "");
            return Err(FormatError::nowhere(problem, sources));
        }
    };
    let text: Arc<str> = Arc::from(text);
    let file = sources.add(name, text.clone());
    match parse(&text, limits, doctype) {
        Ok(raw) => Ok(Parsed { sources, file, raw }),
        Err((problem, Range { start, end })) => {
            let span = Span { file, start: start as u32, end: end as u32 };
            Err(FormatError::at(problem, span, sources))
        }
    }
}
