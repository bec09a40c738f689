//! What a run is recorded to.

use clap::Args;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

#[derive(Clone, Debug, Default, Args)]
pub(crate) struct RecordingArgs {
    /// Write what happens as JSON lines
    #[arg(long, value_name = "FILE", value_parser = trace, help_heading = "Output")]
    pub(crate) trace: Option<PathBuf>,
    /// Write what happens as MCAP, which Foxglove opens
    #[arg(long, value_name = "FILE.mcap", value_parser = mcap, help_heading = "Output")]
    pub(crate) record: Option<PathBuf>,
    /// Where runs on real robots keep their last 15 minutes, or `off` [default: a folder of the user's]
    #[arg(long, value_name = "FOLDER", help_heading = "Output")]
    pub(crate) flight_recorder: Option<crate::flight::Wish>,
    /// A trace that is compared with another: nobody is told of the run.
    #[arg(skip)]
    pub(crate) kept: Option<TraceBuffer>,
}

/// A trace in memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct TraceBuffer(Arc<Mutex<Vec<u8>>>);

impl TraceBuffer {
    /// What has been written.
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

/// Is this the name of an MCAP file?
fn is_mcap(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("mcap"))
}

/// The name of a trace.
fn trace(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    if is_mcap(&path) {
        return Err("a trace is JSON lines; MCAP files are written by --record".to_owned());
    }
    Ok(path)
}

/// The name of an MCAP file.
fn mcap(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    if !is_mcap(&path) {
        return Err(
            "a recording is an MCAP file, and its name ends in .mcap; JSON lines are written by --trace".to_owned()
        );
    }
    Ok(path)
}
