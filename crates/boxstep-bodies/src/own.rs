//! Custom bodies, read from a file (`docs/reference/body-file.md`), checked, and converted to the same tables as those of
//! the built-in robots.

mod checks;
mod file;
mod tables;
mod urdf;

pub use tables::EVERY_ROBOT;

use crate::body::version;
use crate::{Body, BodyKind};
use boxstep_types::{Code, Diagnostic, Sources, Span};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// A body file that cannot be used.
pub const BAD_BODY: Code = Code::new(250, "bad-body-file");

/// Every code of this crate.
pub const CODES: &[Code] = &[BAD_BODY];

/// The largest body file, in bytes.
pub const LONGEST: u64 = 1 << 20;

/// The name of a body: a built-in robot, or a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BodyName {
    /// A built-in robot.
    Known(BodyKind),
    /// A file with a custom body.
    File(PathBuf),
}

impl BodyName {
    /// Parses the value of `--body` and `body = …`: `nao`, `nao-v3.3`, `pepper`, or a file that ends in `.toml` or
    /// `.urdf`.
    ///
    /// # Errors
    /// A sentence without a full stop.
    pub fn parse(text: &str) -> Result<Self, String> {
        let is_file = [".toml", ".urdf"].iter().any(|ending| text.len() > ending.len() && text.ends_with(ending));
        // `nao6` is a model; another word that begins so is a mistake.
        let is_name = text.contains(|c: char| c.is_ascii_digit())
            || ["nao", "pepper", "juliette"].iter().any(|name| name.eq_ignore_ascii_case(text));
        // Version 3.2 has other arms than later ones.
        let is_older = ["32", "3"].contains(&&*version(text));
        match BodyKind::from_name(text).filter(|_| !is_file && is_name && !is_older) {
            _ if is_file => Ok(Self::File(text.into())),
            Some(kind) => Ok(Self::Known(kind)),
            None => Err(format!("there is no body `{text}`: nao, nao-v3.3, pepper, or your own file (.toml or .urdf)")),
        }
    }

    /// Returns the same name with its file relative to a folder.
    pub fn within(self, folder: &Path) -> Self {
        match self {
            Self::File(path) => Self::File(folder.join(path)),
            known => known,
        }
    }

    /// Returns the body; `services` are the names of all services that a file can list.
    ///
    /// # Errors
    /// What is wrong with the file.
    pub fn body(&self, services: &[&str]) -> Result<&'static Body, Box<BodyFileError>> {
        match self {
            Self::Known(kind) => Ok(kind.body()),
            Self::File(path) => open(path, services),
        }
    }
}

/// What is wrong with a body file, and the text that it refers to.
#[derive(Clone, Debug)]
pub struct BodyFileError {
    /// What is wrong.
    pub finding: Diagnostic,
    /// The text of the file.
    pub sources: Sources,
}

impl std::fmt::Display for BodyFileError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.finding.fmt(f)
    }
}

impl std::error::Error for BodyFileError {}

/// Reads a body file. The body lives as long as the program; if the same text was read before, that body is returned.
///
/// # Errors
/// What is wrong with the file, with its line.
pub fn open(path: &Path, services: &[&str]) -> Result<&'static Body, Box<BodyFileError>> {
    let text = text_of(path).map_err(|why| {
        let finding = Diagnostic::error(BAD_BODY, format!("the body {} cannot be read: {why}", path.display()));
        Box::new(BodyFileError { finding, sources: Sources::new() })
    })?;
    let folder = path.parent().unwrap_or(Path::new(""));
    read(&path.to_string_lossy(), &text, services, |name| text_of(&folder.join(name)))
}

fn text_of(path: &Path) -> Result<String, String> {
    use std::io::Read as _;
    let mut text = String::new();
    let file = std::fs::File::open(path).map_err(|e| e.to_string())?;
    file.take(LONGEST + 1).read_to_string(&mut text).map_err(|e| e.to_string())?;
    if text.len() as u64 > LONGEST { Err(format!("it is longer than {LONGEST} bytes")) } else { Ok(text) }
}

/// The bodies read so far, by their texts.
static READ: Mutex<BTreeMap<(String, String), &'static Body>> = Mutex::new(BTreeMap::new());

/// Parses the text of a body file. `name` is its name in messages, `services` are the names of all services that it can
/// list, and `beside` reads a file that it names.
///
/// # Errors
/// What is wrong with the file.
pub fn read(
    name: &str,
    text: &str,
    services: &[&str],
    beside: impl FnOnce(&str) -> Result<String, String>,
) -> Result<&'static Body, Box<BodyFileError>> {
    let draft = draft(name, text, services, beside)?;
    let source = format!("{text}{}", if text == draft.urdf { "" } else { &draft.urdf });
    let key = (text.to_owned(), draft.urdf.clone());
    let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(read.entry(key).or_insert_with(|| tables::body(draft, &source)))
}

/// Checks the text as [`read`] does, without keeping a body.
///
/// # Errors
/// What is wrong with the file.
pub fn check(
    name: &str,
    text: &str,
    services: &[&str],
    beside: impl FnOnce(&str) -> Result<String, String>,
) -> Result<(), Box<BodyFileError>> {
    draft(name, text, services, beside).map(|_| ())
}

/// A fault: the message, a hint, and its range in the text.
type Fault = (String, Option<String>, Option<Range<usize>>);

fn draft(
    name: &str,
    text: &str,
    services: &[&str],
    beside: impl FnOnce(&str) -> Result<String, String>,
) -> Result<file::Draft, Box<BodyFileError>> {
    let wrong = |name: &str, text: &str, (message, help, range): Fault| {
        let mut sources = Sources::new();
        let file = sources.add(name, text);
        let mut finding = Diagnostic::error(BAD_BODY, message);
        if let Some(range) = range {
            finding = finding.at(Span { file, start: range.start as u32, end: range.end as u32 });
        }
        if let Some(help) = help {
            finding = finding.help(help);
        }
        Box::new(BodyFileError { finding, sources })
    };
    let here = |fault: Fault| wrong(name, text, fault);
    if name.ends_with(".urdf") {
        let robot = urdf::read(text).map_err(|(why, range)| here((why, None, Some(range))))?;
        let draft = file::Draft::of_urdf(robot, text);
        return checks::check(&draft, services).map(|()| draft).map_err(here);
    }
    let mut draft = file::read(text).map_err(here)?;
    if let Some(beside_it) = draft.file.urdf.clone() {
        let at = beside_it.span();
        let path = beside_it.into_inner();
        let inner =
            beside(&path).map_err(|why| here((format!("{path} cannot be read: {why}"), None, Some(at.clone()))))?;
        let robot = urdf::read(&inner).map_err(|(why, range)| wrong(&path, &inner, (why, None, Some(range))))?;
        draft.add(robot, &inner, at);
    }
    checks::check(&draft, services).map_err(here)?;
    Ok(draft)
}
