//! Writes results to standard output, or atomically to a file.

use crate::args::OutputArgs;
use crate::failure::Failure;
use crate::terminal::{self, Reader, SafeWriter};
use anstream::AutoStream;
use boxstep_format::output::write_file;
use clap::ValueEnum;
use std::io::{self, ErrorKind, StdoutLock, Write};
use std::path::Path;

/// Returns standard output for a command. Output after the reader has closed the pipe (`boxstep … | head`) is dropped,
/// which is no failure.
pub(crate) fn stdout() -> UntilClosed<SafeWriter<AutoStream<StdoutLock<'static>>>> {
    UntilClosed { out: terminal::stdout(), closed: false }
}

/// Returns standard output for the given reader.
pub(crate) fn stdout_for(reader: Reader) -> UntilClosed<SafeWriter<AutoStream<StdoutLock<'static>>>> {
    UntilClosed { out: terminal::stdout_for(reader), closed: false }
}

/// Returns the error, unless the reader has closed the pipe.
pub(crate) fn unless_closed(error: io::Error) -> io::Result<()> {
    if error.kind() == ErrorKind::BrokenPipe { Ok(()) } else { Err(error) }
}

/// A writer that ignores a closed pipe.
pub(crate) struct UntilClosed<W> {
    out: W,
    closed: bool,
}

impl<W: Write> UntilClosed<W> {
    /// Returns whether the reader has closed the pipe.
    pub(crate) fn is_closed(&self) -> bool {
        self.closed
    }

    fn unless_closed<T>(&mut self, nothing: T, act: impl FnOnce(&mut W) -> io::Result<T>) -> io::Result<T> {
        if self.closed {
            return Ok(nothing);
        }
        match act(&mut self.out) {
            Ok(done) => Ok(done),
            Err(e) => {
                unless_closed(e)?;
                self.closed = true;
                Ok(nothing)
            }
        }
    }
}

impl<W: Write> Write for UntilClosed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.unless_closed(bytes.len(), |out| out.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.unless_closed((), W::flush)
    }
}

/// Writes a result. An existing file is only replaced with `--force`, and never seen incomplete: the result is written
/// to a temporary file, which is renamed. `reader` is the reader of standard output.
pub(crate) fn write(to: &OutputArgs, text: &str, reader: Reader) -> Result<(), Failure> {
    let Some(path) = to.file.as_deref().filter(|p| *p != Path::new("-")) else {
        let mut out = stdout_for(reader);
        out.write_all(text.as_bytes())?;
        return Ok(out.flush()?);
    };
    write_file(path, text.as_bytes(), to.force).map_err(|e| Failure::unwritten(path, &e))
}

/// Returns the format of `--format`, else that of the file's extension, else the default.
pub(crate) fn format<F: ValueEnum + Copy>(
    asked: Option<F>,
    to: &OutputArgs,
    endings: &[(&str, F)],
    default: F,
) -> Result<F, Failure> {
    let file = to.file.as_deref().filter(|p| *p != Path::new("-"));
    let (None, Some(path)) = (asked, file) else { return Ok(asked.unwrap_or(default)) };
    let ending = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    endings.iter().find(|(e, _)| *e == ending).map(|(_, format)| *format).ok_or_else(|| {
        let known = endings.iter().map(|(e, _)| format!(".{e}")).collect::<Vec<_>>().join(", ");
        Failure::Usage(format!(
            "the ending of {} does not say the format: use one of {known}, or --format",
            path.display()
        ))
    })
}
