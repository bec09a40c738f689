//! Opens a recording in any form and reads it as the lines of a trace.

use crate::flight::{Segments, newest};
use crate::mcap::{MAGIC, McapLines};
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

/// Why a file cannot be read as a recording.
#[derive(Debug)]
pub enum OpenError {
    /// The file cannot be opened.
    Io(io::Error),
    /// The folder has no flight recording.
    Folder,
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpenError::Io(error) => error.fmt(f),
            OpenError::Folder => f.write_str("a folder, and there is no flight recording in it"),
        }
    }
}

impl std::error::Error for OpenError {}

/// Opens a recording: a trace, an MCAP file, or the folder of a flight recording or of several, of which the newest is
/// opened.
///
/// # Errors
/// [`OpenError`]. A file that is not a trace is only detected when its lines are read.
pub fn open(path: &Path) -> Result<Box<dyn BufRead>, OpenError> {
    if path.is_dir() {
        let recording = newest(path).ok_or(OpenError::Folder)?;
        return Ok(Box::new(Segments::open(&recording).map_err(OpenError::Io)?));
    }
    let file = BufReader::new(File::open(path).map_err(OpenError::Io)?);
    recording(file).map_err(OpenError::Io)
}

/// Returns the lines of a recording: a trace or an MCAP file.
///
/// # Errors
/// The beginning cannot be read.
pub fn recording<'a>(mut from: impl BufRead + 'a) -> io::Result<Box<dyn BufRead + 'a>> {
    match from.fill_buf()?.starts_with(MAGIC) {
        true => Ok(Box::new(McapLines::new(from))),
        false => Ok(Box::new(from)),
    }
}

/// The first bytes of a trace.
const TRACE: &[u8] = b"{\"schema\":";

/// Returns whether a path looks like a recording. It may still be damaged.
pub fn is_recording(path: &Path) -> bool {
    if path.is_dir() {
        return newest(path).is_some();
    }
    let Ok(file) = File::open(path) else { return false };
    // Reading from a pipe would consume its data.
    if !file.metadata().is_ok_and(|meta| meta.is_file()) {
        return false;
    }
    let begin = |mut file: BufReader<File>| Some(file.fill_buf().ok()?.to_owned());
    begin(BufReader::new(file)).is_some_and(|begin| begin.starts_with(MAGIC) || begin.starts_with(TRACE))
}
