//! A recording, whatever its form: read as the lines of a trace.

use crate::flight::{Segments, newest};
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

/// Why a file is not read as a recording.
#[derive(Debug)]
pub enum OpenError {
    /// It cannot be opened.
    Io(io::Error),
    /// A folder without a flight recording.
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

/// Opens a recording: a trace, or the folder of a flight recording or of several, of which the newest counts.
///
/// # Errors
/// [`OpenError`]. What is no trace shows when its lines are read.
pub fn open(path: &Path) -> Result<Box<dyn BufRead>, OpenError> {
    if path.is_dir() {
        let recording = newest(path).ok_or(OpenError::Folder)?;
        return Ok(Box::new(Segments::open(&recording).map_err(OpenError::Io)?));
    }
    let file = File::open(path).map_err(OpenError::Io)?;
    Ok(Box::new(BufReader::new(file)))
}
