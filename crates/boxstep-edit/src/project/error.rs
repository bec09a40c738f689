//! Why a project is not changed.

use crate::templates::NewError;
use boxstep_format::FormatError;
use boxstep_format::together::TogetherError;
use boxstep_format::write::WriteError;
use boxstep_types::meant;
use std::fmt;
use std::io;
use std::path::PathBuf;

/// Why an operation on a project cannot be done. Nothing has changed then.
#[derive(Debug)]
pub enum ProjectError {
    /// The folder has no project file, or several: their names.
    WhichProject(PathBuf, Vec<String>),
    /// The project does not list something of this name; what it lists.
    Missing(&'static str, String, Vec<String>),
    /// A box, as translation files name it, has no parameter of this name; those that it has.
    NoParameter(String, String, Vec<String>),
    /// Something of this name is there, or listed.
    Taken(String),
    /// The name cannot be one, and why.
    Name(NewError),
    /// The language is not known.
    Language(String),
    /// The text cannot be a version.
    Version(String),
    /// The behavior lies in the folder of the whole project.
    OwnFolder(String),
    /// The folder of a behavior also has something else that the project lists.
    Shared(String, String),
    /// A file has changes that were not saved.
    InUse(String),
    /// The project has no manifest.
    NoManifest(String),
    /// A text is not listed in the translations, and no box is named.
    NoText(String, String),
    /// A file cannot be read.
    Format(FormatError),
    /// A changed file cannot be written in its form.
    Write(String, WriteError),
    /// Files cannot be read or written.
    Together(TogetherError),
    /// A folder cannot be read.
    Io(PathBuf, io::Error),
}

impl fmt::Display for ProjectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProjectError::WhichProject(folder, known) if known.is_empty() => {
                write!(f, "{} has no project file (.pml)", folder.display())
            }
            ProjectError::WhichProject(folder, known) => {
                write!(f, "{} has several project files, name one: {}", folder.display(), known.join(", "))
            }
            ProjectError::Missing(kind, name, known) => {
                write!(f, "the project has no {kind} `{name}`")?;
                instead(f, name, known)
            }
            ProjectError::NoParameter(context, name, known) => {
                write!(f, "{context} has no parameter `{name}`")?;
                instead(f, name, known)
            }
            ProjectError::Taken(name) => write!(f, "{name} is there already"),
            ProjectError::Name(e) => e.fmt(f),
            ProjectError::Language(name) => {
                write!(f, "`{name}` is no language of robots; write English, enu or en_US, for instance")
            }
            ProjectError::Version(text) => write!(f, "`{text}` is no version: write numbers with points, 1.2.0"),
            ProjectError::OwnFolder(xar) => {
                write!(f, "{xar} lies in the folder of the whole project, which keeps its name and stays")
            }
            ProjectError::Shared(folder, other) => {
                write!(f, "{folder} also has {other}, which the project lists: remove that first")
            }
            ProjectError::InUse(file) => {
                write!(f, "{file} is being edited: save or discard what was changed there (boxstep open)")
            }
            ProjectError::NoManifest(name) => write!(f, "the project has no {name}"),
            ProjectError::NoText(source, language) => write!(
                f,
                "no text `{source}` is translated into {language} yet; name the box that has it, as in behavior_1/behavior.xar:/Say"
            ),
            ProjectError::Format(e) => e.fmt(f),
            ProjectError::Write(name, e) => write!(f, "{name}: {e}"),
            ProjectError::Together(e) => e.fmt(f),
            ProjectError::Io(path, e) => write!(f, "{}: {e}", path.display()),
        }
    }
}

/// Says what could be meant in place of a name that is not there.
fn instead(f: &mut fmt::Formatter<'_>, name: &str, known: &[String]) -> fmt::Result {
    match meant(name, known.iter().map(String::as_str)) {
        Some(meant) => write!(f, "; {meant}"),
        None if known.is_empty() => Ok(()),
        None => {
            let first: Vec<&str> = known.iter().take(8).map(String::as_str).collect();
            write!(f, ", only {}{}", first.join(", "), if known.len() > 8 { " …" } else { "" })
        }
    }
}

impl std::error::Error for ProjectError {}

impl From<TogetherError> for ProjectError {
    fn from(e: TogetherError) -> Self {
        ProjectError::Together(e)
    }
}

impl From<FormatError> for ProjectError {
    fn from(e: FormatError) -> Self {
        ProjectError::Format(e)
    }
}

impl From<NewError> for ProjectError {
    fn from(e: NewError) -> Self {
        ProjectError::Name(e)
    }
}
