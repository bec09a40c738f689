//! Why a command could not do its work, told once, at its end.

use crate::exit;
use anstyle::{AnsiColor, Style};
use boxstep_types::printable;
use std::fmt;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

const RED: Style = AnsiColor::Red.on_default().bold();

/// What ends a command early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The arguments do not fit together or ask for what is not there.
    Usage(String),
    /// A file or folder: which, and why.
    File(PathBuf, String),
    /// Already rendered, with the source lines.
    Rendered(String),
    /// Standard output is gone.
    Stdout(io::ErrorKind),
    /// Something that is no fault of the arguments.
    Run(String),
    /// What is not there at the robot: a service, or a member of one.
    NotThere(String),
    /// Ctrl-C where something was asked. There is nothing to tell.
    Interrupted,
}

impl Failure {
    pub(crate) fn io(path: &Path, error: &io::Error) -> Self {
        Failure::File(path.to_owned(), plain(error))
    }

    /// A result that could not be written. What is there already is for the user to decide; the rest is not.
    pub(crate) fn unwritten(path: &Path, error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::AlreadyExists => Failure::io(path, error),
            _ => Failure::Run(format!("cannot write {}: {}", path.display(), plain(error))),
        }
    }

    pub(crate) fn code(&self) -> i32 {
        match self {
            Failure::Usage(_) | Failure::File(..) | Failure::Rendered(_) => exit::USAGE,
            Failure::Stdout(_) | Failure::Run(_) => exit::FAILED,
            Failure::NotThere(_) => exit::UNSUPPORTED,
            Failure::Interrupted => exit::INTERRUPTED,
        }
    }

    /// Tells it on standard error. If that is gone too, there is nobody to tell.
    pub(crate) fn tell(&self) {
        let mut err = crate::terminal::stderr();
        let _ = match self {
            Failure::Interrupted => Ok(()),
            Failure::Rendered(text) => writeln!(err, "{}", text.trim_end()),
            other => writeln!(err, "{RED}error:{RED:#} {}", printable(&other.to_string())),
        };
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Usage(why) | Failure::Rendered(why) | Failure::Run(why) | Failure::NotThere(why) => {
                f.write_str(why)
            }
            Failure::Interrupted => f.write_str("interrupted"),
            Failure::File(path, why) => write!(f, "{}: {why}", path.display()),
            Failure::Stdout(kind) => write!(f, "cannot write to standard output: {kind}"),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Stdout(error.kind())
    }
}

/// The system's reason without its number.
pub(crate) fn plain(error: &io::Error) -> String {
    let text = error.to_string();
    match text.rfind(" (os error") {
        Some(cut) => text.get(..cut).unwrap_or_default().to_lowercase(),
        None => text,
    }
}
