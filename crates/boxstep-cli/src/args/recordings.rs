//! The arguments that say where a run is recorded.

use clap::Args;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

#[derive(Clone, Debug, Default, Args)]
pub(crate) struct RecordedFiles {
    /// Write a trace of the run as JSON lines
    #[arg(long, value_name = "FILE", value_parser = trace, help_heading = "Output")]
    pub(crate) trace: Option<PathBuf>,
    /// Record the run as MCAP, which Foxglove opens
    #[arg(long, value_name = "FILE.mcap", value_parser = mcap, help_heading = "Output")]
    pub(crate) record: Option<PathBuf>,
}

#[derive(Clone, Debug, Default, Args)]
pub(crate) struct RecordingArgs {
    #[command(flatten)]
    pub(crate) files: RecordedFiles,
    /// Where runs on real robots keep their last 15 minutes, or `off` [default: a folder in your home]
    #[arg(long, value_name = "FOLDER", help_heading = "Output")]
    pub(crate) flight_recorder: Option<crate::flight::FlightOption>,
    /// Set by `replay`: the trace is kept in memory to compare it, and nothing is printed.
    #[arg(skip)]
    pub(crate) kept: Option<TraceBuffer>,
}

/// A trace in memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct TraceBuffer(Arc<Mutex<Vec<u8>>>);

impl TraceBuffer {
    /// Returns the text written so far.
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().unwrap_or_else(PoisonError::into_inner)).into_owned()
    }
}

impl Write for TraceBuffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns whether a path has the extension of an MCAP file.
fn is_mcap(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("mcap"))
}

/// Parses the name of a trace file.
fn trace(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    if is_mcap(&path) {
        return Err("a trace is JSON lines; MCAP files are written by --record".to_owned());
    }
    Ok(path)
}

/// Parses the name of an MCAP file.
fn mcap(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    if !is_mcap(&path) {
        return Err(
            "a recording is an MCAP file, and its name ends in .mcap; JSON lines are written by --trace".to_owned()
        );
    }
    Ok(path)
}
