//! What a run is recorded to: a trace, an MCAP file, and on a real robot the flight recorder.

use super::attachment::{Attachment, Run};
use crate::args::PlayArgs;
use crate::failure::{Failure, plain};
use crate::playable::Playable;
use crate::{flight, member};
use boxstep_engine::trace::Sink;
use boxstep_record::mcap::{MAGIC, Mcap, McapFile};
use boxstep_record::{JsonLines, TraceFile};
use boxstep_robot::naoqi::{NaoqiHandle, Watch};
use std::fs::File;
use std::io::{self, BufWriter, Read as _};
use std::path::{Path, PathBuf};

/// How every trace begins.
pub(super) const TRACE: &[u8] = b"{\"schema\":";

type Record = McapFile<BufWriter<File>>;

/// The recordings of a run.
pub(super) struct Recordings {
    sinks: Vec<Box<dyn Sink>>,
    /// The robot that is played on, if it is a real one; and what is heard of it.
    robot: Option<NaoqiHandle>,
    watched: Option<Watch>,
    trace: Option<(PathBuf, TraceFile<File>)>,
    record: Option<(PathBuf, Record)>,
    flight: Option<flight::Running>,
}

impl Recordings {
    /// Makes the files that are asked for; on a real robot, with its address, they are of the flight recorder, too.
    pub(super) fn new(
        args: &PlayArgs,
        piece: Playable<'_>,
        robot: Option<(&str, NaoqiHandle)>,
    ) -> Result<Self, Failure> {
        let wish = &args.recordings;
        let mut sinks: Vec<Box<dyn Sink>> = Vec::new();
        let (mut trace, mut record, mut flight) = (None, None, None);
        if let Some(path) = &wish.trace {
            let path = member::trace_of(path, args.one_of_several());
            let file = replace(&path, TRACE).map_err(|e| Failure::unwritten(&path, &e))?;
            let (sink, file) = JsonLines::new(file, piece.normal()?);
            sinks.push(Box::new(sink));
            trace = Some((path, file));
        }
        if let Some(kept) = &wish.kept {
            sinks.push(Box::new(JsonLines::new(kept.clone(), piece.normal()?).0));
        }
        if let Some(path) = &wish.record {
            let path = member::trace_of(path, args.one_of_several());
            let normal = piece.normal()?;
            let file = replace(&path, MAGIC).and_then(|file| Mcap::new(BufWriter::new(file), normal));
            let (sink, file) = file.map_err(|e| Failure::unwritten(&path, &e))?;
            sinks.push(Box::new(sink));
            record = Some((path, file));
        }
        if let Some((address, _)) = robot
            && let Some((sink, running)) = flight::start(wish.flight_recorder.as_ref(), address, piece.normal()?)
        {
            sinks.push(Box::new(sink));
            flight = Some(running);
        }
        Ok(Self { sinks, robot: robot.map(|(_, robot)| robot), watched: None, trace, record, flight })
    }

    /// For a process that is about to end.
    pub(super) fn last_words(&self) -> impl FnOnce() + Send + 'static {
        let trace = self.trace.as_ref().map(|(_, file)| file.clone());
        let record = self.record.as_ref().map(|(_, file)| file.clone());
        let flight = self.flight.as_ref().map(flight::Running::last_words);
        move || {
            if let Some(trace) = trace {
                trace.flush_now();
            }
            if let Some(record) = record {
                record.flush_now();
            }
            if let Some(flight) = flight {
                flight();
            }
        }
    }
}

impl Attachment for Recordings {
    fn sinks(&mut self) -> Vec<Box<dyn Sink>> {
        std::mem::take(&mut self.sinks)
    }

    /// What the robot tells of itself. Without it the behavior plays, and less is recorded.
    fn attach(&mut self, run: &Run<'_>) -> Result<(), Failure> {
        let robot = self.robot.as_ref().filter(|_| self.flight.is_some());
        self.watched = robot.and_then(|robot| robot.watch(run.args.spec.joints.is_none()).ok());
        Ok(())
    }

    fn detach(&mut self) {
        self.watched = None;
    }

    fn finish(&mut self) -> Result<(), Failure> {
        if let Some(flight) = self.flight.take() {
            flight.finish();
        }
        let trace = self.trace.take().and_then(|(path, file)| Some((path, file.take_error()?)));
        let record = self.record.take().and_then(|(path, file)| Some((path, file.take_error()?)));
        match (trace, record) {
            (None, None) => Ok(()),
            (Some((path, error)), _) => {
                Err(Failure::Run(format!("the trace is not complete: {}: {}", path.display(), plain(&error))))
            }
            (_, Some((path, error))) => {
                Err(Failure::Run(format!("the recording is not complete: {}: {}", path.display(), plain(&error))))
            }
        }
    }
}

/// Opens a file to write a recording to, which begins so. What is there already and is none is kept.
pub(super) fn replace(path: &Path, begins: &[u8]) -> io::Result<File> {
    let mut begin = Vec::new();
    if path.is_file() {
        File::open(path)?.take(begins.len() as u64).read_to_end(&mut begin)?;
    }
    if !begin.is_empty() && begin != begins {
        let what = if begins == TRACE { "trace" } else { "recording" };
        let why = format!("it is there already and is no {what}; it is not replaced");
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, why));
    }
    File::create(path)
}
