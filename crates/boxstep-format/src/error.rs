//! Errors of files that cannot be read at all.

use crate::archive::ArchiveFault;
use crate::codes;
use boxstep_types::{Code, Diagnostic, Sources, Span};
use std::fmt;
use std::path::{Path, PathBuf};

/// A file that cannot be read: the problem, its place, and the text to show it in.
///
/// Problems that the reader can recover from are not errors but findings, see [`crate::XarFile::findings`].
#[derive(Clone, Debug)]
pub struct FormatError(Box<Inner>);

#[derive(Clone, Debug)]
struct Inner {
    problem: Problem,
    span: Option<Span>,
    sources: Sources,
}

/// The reason why a file cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// The file cannot be opened or read; the text is the system's reason.
    Unreadable(PathBuf, String),
    /// Byte `at` is not text in `encoding`.
    Encoding {
        /// The encoding that was declared or assumed.
        encoding: String,
        /// The first byte that does not fit, if it is known.
        at: Option<usize>,
    },
    /// The text is not well-formed XML; the field says why.
    NotXml(String),
    /// The file has a document type declaration.
    Doctype,
    /// The text has an entity that is not predefined.
    Entity(String),
    /// A limit is exceeded: the noun that is counted, and how many are allowed.
    Limit(&'static str, usize),
    /// The root element is a different one: its name, and the kind of file that was expected.
    WrongRoot(String, &'static str),
    /// The format version is not known: the version that the file declares.
    Version(String),
    /// The root element contains no `Box`.
    NoRootBox,
    /// The path is not a file or folder that can be opened; the text says what it is.
    NotAProject(PathBuf, &'static str),
    /// A path in the file leads out of the project's folder.
    Escapes(String),
    /// An archive, or a folder to be packed, is refused; if `entry` is set, because of that entry.
    Archive {
        /// The archive's name.
        archive: String,
        /// The entry's name, as the archive has it.
        entry: Option<String>,
        /// The reason.
        fault: ArchiveFault,
    },
    /// Files do not fit into an archive: the archive's name, and the reason.
    Unpackable(String, String),
}

impl FormatError {
    /// Creates the error of a problem with a path, not with a text.
    pub(crate) fn new(problem: Problem) -> Self {
        Self::nowhere(problem, Sources::new())
    }

    /// Creates the error of a file or folder that cannot be opened or read.
    pub(crate) fn unreadable(path: &Path, error: &std::io::Error) -> Self {
        Self::new(Problem::Unreadable(path.to_owned(), error.to_string()))
    }

    /// Replaces the name of the file at this path, because the file was unpacked from an archive and the user knows it
    /// by another name.
    pub(crate) fn in_file(mut self, path: &Path, shown: &str) -> Self {
        if let Problem::Unreadable(of, _) = &mut self.0.problem
            && of == path
        {
            *of = PathBuf::from(shown);
        }
        self
    }

    /// Creates the error of a file that could not be decoded; the sources have its name.
    pub(crate) fn nowhere(problem: Problem, sources: Sources) -> Self {
        Self(Box::new(Inner { problem, span: None, sources }))
    }

    /// Creates the error of a problem at a place in one of these texts.
    pub(crate) fn at(problem: Problem, span: Span, sources: Sources) -> Self {
        Self(Box::new(Inner { problem, span: Some(span), sources }))
    }

    /// The problem.
    pub fn problem(&self) -> &Problem {
        &self.0.problem
    }

    /// The place of the problem, if the file could be decoded far enough to have places.
    pub fn span(&self) -> Option<Span> {
        self.0.span
    }

    /// The texts that the span refers to.
    pub fn sources(&self) -> &Sources {
        &self.0.sources
    }

    /// The stable code.
    pub fn code(&self) -> Code {
        match &self.0.problem {
            Problem::Unreadable(..) => codes::UNREADABLE_FILE,
            Problem::Encoding { .. } => codes::BAD_ENCODING,
            Problem::NotXml(_) => codes::NOT_XML,
            Problem::Doctype => codes::DOCTYPE,
            Problem::Entity(_) => codes::UNKNOWN_ENTITY,
            Problem::Limit(..) => codes::LIMIT,
            Problem::WrongRoot(..) => codes::WRONG_ROOT,
            Problem::Version(_) => codes::UNSUPPORTED_VERSION,
            Problem::NoRootBox => codes::NO_ROOT_BOX,
            Problem::NotAProject(..) => codes::NOT_A_PROJECT,
            Problem::Escapes(_) => codes::PATH_ESCAPES,
            Problem::Archive { fault, .. } => fault.code(),
            Problem::Unpackable(..) => codes::ARCHIVE_ENTRY,
        }
    }

    /// Converts the error to a diagnostic for the user.
    pub fn diagnostic(&self) -> Diagnostic {
        // A diagnostic without a span has to name the file in its message.
        let message = if self.0.span.is_some() { self.0.problem.to_string() } else { self.to_string() };
        let mut d = Diagnostic::error(self.code(), message);
        d.span = self.0.span;
        d.help = self.0.problem.help().map(str::to_owned);
        d
    }
}

impl Problem {
    fn help(&self) -> Option<&'static str> {
        Some(match self {
            Problem::Encoding { .. } => "save the file as UTF-8, or declare its encoding in the first line",
            Problem::Entity(_) => "only &amp; &lt; &gt; &quot; &apos; and character references are known",
            Problem::WrongRoot(_, "a behavior") => {
                "a behavior begins with <ChoregrapheProject>, a saved box with <ChoregrapheBox>"
            }
            Problem::Version(_) => "only xar_version 3 is known; open and save the file in a newer Choregraphe",
            Problem::NotAProject(..) => {
                "give a .xar, a .pml, a .crg, .pkg, .cbl or .zip, a .dlg, .top or .py, or the folder of a behavior or project"
            }
            _ => return None,
        })
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Unreadable(path, why) => write!(f, "cannot read {}: {why}", path.display()),
            Problem::Encoding { encoding, at: Some(at) } => write!(f, "byte {at} is not {encoding} text"),
            Problem::Encoding { encoding, at: None } => write!(f, "this is not {encoding} text"),
            Problem::NotXml(why) => write!(f, "not well-formed XML: {why}"),
            Problem::Doctype => f.write_str("a document type declaration (<!DOCTYPE …>) is not read"),
            Problem::Entity(name) => write!(f, "unknown entity `&{name};`"),
            Problem::Limit(what, most) => write!(f, "too large: more than {most} {what}"),
            Problem::WrongRoot(name, want) => write!(f, "the root element <{name}> is not that of {want}"),
            Problem::Version(version) => write!(f, "version `{version}` is not known"),
            Problem::NoRootBox => f.write_str("there is no root box"),
            Problem::NotAProject(path, why) => write!(f, "{} is {why}", path.display()),
            Problem::Archive { archive, entry: Some(entry), fault } => {
                write!(f, "{archive}: the entry `{}`: {fault}", entry.escape_debug())
            }
            Problem::Archive { archive, entry: None, fault } => write!(f, "{archive}: {fault}"),
            Problem::Unpackable(name, why) => write!(f, "{name} cannot be packed: {why}"),
            Problem::Escapes(path) => write!(f, "the path `{path}` leads out of the project's folder"),
        }
    }
}

/// Formats as `file:line:col: problem`.
impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(span) = self.0.span {
            write!(f, "{}: ", self.0.sources.place(span))?;
        } else if let name = self.0.sources.name(boxstep_types::FileId(0))
            && !name.is_empty()
        {
            write!(f, "{name}: ")?;
        }
        self.0.problem.fmt(f)
    }
}

impl std::error::Error for FormatError {}
