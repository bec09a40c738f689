//! Why a command failed. It is printed once, at the end of the command.

use crate::{exit, near};
use anstyle::{AnsiColor, Style};
use boxstep_types::printable;
use std::fmt;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

const RED: Style = AnsiColor::Red.on_default().bold();

/// The error of a command.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The arguments do not fit together, or refer to something that does not exist.
    Usage(String),
    /// A file or folder cannot be used: its path, and why.
    File(PathBuf, String),
    /// A message that is already rendered, with source lines.
    Rendered(String),
    /// Standard output cannot be written.
    Stdout(io::ErrorKind),
    /// An error that the arguments did not cause.
    Run(String),
    /// The robot has no such service or member.
    NotThere(String),
    /// Ctrl-C at a prompt. Nothing is printed.
    Interrupted,
}

impl Failure {
    /// Creates the failure of a file or folder that cannot be read. If it does not exist, a similar name is suggested.
    pub(crate) fn io(path: &Path, error: &io::Error) -> Self {
        let meant = near::meant(path).filter(|_| error.kind() == io::ErrorKind::NotFound);
        let meant = meant.map(|meant| format!("; {meant}")).unwrap_or_default();
        Failure::File(path.to_owned(), system_message(error) + &meant)
    }

    /// Creates the failure of a result that could not be written. An existing file is the user's to decide about;
    /// anything else is not.
    pub(crate) fn unwritten(path: &Path, error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::AlreadyExists => Failure::io(path, error),
            _ => Failure::Run(format!("cannot write {}: {}", path.display(), system_message(error))),
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

    /// Prints the failure to standard error. Errors of printing are ignored.
    pub(crate) fn print(&self) {
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

/// Returns the system's error message without its number.
pub(crate) fn system_message(error: &io::Error) -> String {
    let text = error.to_string();
    match text.rfind(" (os error") {
        Some(cut) => text.get(..cut).unwrap_or_default().to_lowercase(),
        None => text,
    }
}
