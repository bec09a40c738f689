//! The files that a run is recorded to: a trace, and an MCAP file.

use super::attachment::{Attachment, LastWords};
use crate::args::{RecordedFiles, TraceBuffer};
use crate::failure::{Failure, system_message};
use crate::member;
use boxstep_engine::trace::Sink;
use boxstep_record::mcap::{MAGIC, Mcap, McapFile};
use boxstep_record::{JsonLines, Normal, TraceFile};
use std::fs::File;
use std::io::{self, BufWriter, Read as _};
use std::path::{Path, PathBuf};

/// The first bytes of every trace.
const TRACE: &[u8] = b"{\"schema\":";

type Record = McapFile<BufWriter<File>>;

/// The trace and the MCAP file of a run, as requested.
#[derive(Default)]
pub(crate) struct Recordings {
    sinks: Vec<Box<dyn Sink>>,
    trace: Option<(PathBuf, TraceFile<File>)>,
    record: Option<(PathBuf, Record)>,
}

impl Recordings {
    /// Creates the files. With several robots each robot has its own.
    pub(crate) fn new(wish: &RecordedFiles, one_of_several: Option<&str>, normal: &Normal) -> Result<Self, Failure> {
        let mut all = Self::default();
        if let Some(path) = &wish.trace {
            let path = member::trace_of(path, one_of_several);
            let file = replace(&path, TRACE).map_err(|e| Failure::unwritten(&path, &e))?;
            let (sink, file) = JsonLines::new(file, normal.clone());
            all.sinks.push(Box::new(sink));
            all.trace = Some((path, file));
        }
        if let Some(path) = &wish.record {
            let path = member::trace_of(path, one_of_several);
            let file = replace(&path, MAGIC).and_then(|file| Mcap::new(BufWriter::new(file), normal.clone()));
            let (sink, file) = file.map_err(|e| Failure::unwritten(&path, &e))?;
            all.sinks.push(Box::new(sink));
            all.record = Some((path, file));
        }
        Ok(all)
    }

    /// Also keeps the trace in memory.
    pub(crate) fn keep(&mut self, kept: &TraceBuffer, normal: &Normal) {
        self.sinks.push(Box::new(JsonLines::new(kept.clone(), normal.clone()).0));
    }
}

impl Attachment for Recordings {
    fn sinks(&mut self) -> Vec<Box<dyn Sink>> {
        std::mem::take(&mut self.sinks)
    }

    fn last_words(&mut self) -> Option<LastWords> {
        let trace = self.trace.as_ref().map(|(_, file)| file.clone());
        let record = self.record.as_ref().map(|(_, file)| file.clone());
        Some(Box::new(move || {
            if let Some(trace) = trace {
                trace.flush_now();
            }
            if let Some(record) = record {
                record.flush_now();
            }
        }))
    }

    fn finish(&mut self) -> Result<(), Failure> {
        let trace = self.trace.take().and_then(|(path, file)| Some((path, file.take_error()?)));
        let record = self.record.take().and_then(|(path, file)| Some((path, file.take_error()?)));
        match (trace, record) {
            (None, None) => Ok(()),
            (Some((path, error)), _) => {
                Err(Failure::Run(format!("the trace is not complete: {}: {}", path.display(), system_message(&error))))
            }
            (_, Some((path, error))) => Err(Failure::Run(format!(
                "the recording is not complete: {}: {}",
                path.display(),
                system_message(&error)
            ))),
        }
    }
}

/// Creates the file of a recording that starts with `begins`. An existing file is only replaced if it is such a
/// recording.
fn replace(path: &Path, begins: &[u8]) -> io::Result<File> {
    let mut begin = Vec::new();
    if path.is_file() {
        File::open(path)?.take(begins.len() as u64).read_to_end(&mut begin)?;
    }
    if !begin.is_empty() && begin != begins {
        let what = if begins == TRACE { "trace" } else { "recording" };
        let why = format!("it already exists and is not a {what}; it is not replaced");
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, why));
    }
    File::create(path)
}
