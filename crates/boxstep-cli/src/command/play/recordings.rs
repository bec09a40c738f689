//! Records a run: as a trace, as an MCAP file, and on a real robot with the flight recorder.

use super::robot::Real;
use crate::args::{PlayArgs, RecordingArgs};
use crate::failure::{Failure, system_message};
use crate::flight::{self, ActiveRecording};
use crate::member;
use crate::playable::Playable;
use crate::run::{Attachment, LastWords, StartedRun};
use boxstep_engine::trace::Sink;
use boxstep_record::mcap::{MAGIC, Mcap, McapFile};
use boxstep_record::{JsonLines, TraceFile};
use boxstep_robot::naoqi::{NaoqiHandle, Watch};
use std::fs::File;
use std::io::{self, BufWriter, Read as _};
use std::path::{Path, PathBuf};

/// The first bytes of every trace.
const TRACE: &[u8] = b"{\"schema\":";

type Record = McapFile<BufWriter<File>>;

/// The trace and the MCAP file of a run, as requested.
#[derive(Default)]
pub(super) struct Recordings {
    sinks: Vec<Box<dyn Sink>>,
    trace: Option<(PathBuf, TraceFile<File>)>,
    record: Option<(PathBuf, Record)>,
}

impl Recordings {
    /// Creates the files. With several robots each robot has its own.
    pub(super) fn new(
        wish: &RecordingArgs,
        one_of_several: Option<&str>,
        playable: Playable<'_>,
    ) -> Result<Self, Failure> {
        let mut all = Self::default();
        if let Some(path) = &wish.trace {
            let path = member::trace_of(path, one_of_several);
            let file = replace(&path, TRACE).map_err(|e| Failure::unwritten(&path, &e))?;
            let (sink, file) = JsonLines::new(file, playable.normal()?);
            all.sinks.push(Box::new(sink));
            all.trace = Some((path, file));
        }
        if let Some(kept) = &wish.kept {
            all.sinks.push(Box::new(JsonLines::new(kept.clone(), playable.normal()?).0));
        }
        if let Some(path) = &wish.record {
            let path = member::trace_of(path, one_of_several);
            let normal = playable.normal()?;
            let file = replace(&path, MAGIC).and_then(|file| Mcap::new(BufWriter::new(file), normal));
            let (sink, file) = file.map_err(|e| Failure::unwritten(&path, &e))?;
            all.sinks.push(Box::new(sink));
            all.record = Some((path, file));
        }
        Ok(all)
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

/// The flight recording of a run on a real robot, with what the robot reports about itself.
pub(super) struct FlightRecording {
    robot: NaoqiHandle,
    /// The flight recorder samples the joints, because no option does.
    joints: bool,
    sink: Option<Box<dyn Sink>>,
    running: Option<ActiveRecording>,
    watched: Option<Watch>,
}

impl FlightRecording {
    /// Starts the flight recorder, unless it is switched off. If it cannot start, a warning is printed and the behavior
    /// plays without it.
    pub(super) fn new(robot: Real<'_>, args: &PlayArgs, playable: Playable<'_>) -> Result<Option<Self>, Failure> {
        let wish = args.recordings.flight_recorder.as_ref();
        Ok(flight::start(wish, robot.address, playable.normal()?).map(|(sink, running)| Self {
            robot: robot.handle.clone(),
            joints: args.spec.joints.is_none(),
            sink: Some(Box::new(sink)),
            running: Some(running),
            watched: None,
        }))
    }
}

impl Attachment for FlightRecording {
    fn sinks(&mut self) -> Vec<Box<dyn Sink>> {
        self.sink.take().into_iter().collect()
    }

    fn last_words(&mut self) -> Option<LastWords> {
        self.running.as_ref().map(|running| Box::new(running.last_words()) as LastWords)
    }

    /// If the robot's own reports cannot be subscribed to, the behavior plays and less is recorded.
    fn attach(&mut self, _: &StartedRun) -> Result<(), Failure> {
        self.watched = self.robot.watch(self.joints).ok();
        Ok(())
    }

    fn detach(&mut self) {
        self.watched = None;
    }

    fn finish(&mut self) -> Result<(), Failure> {
        if let Some(running) = self.running.take() {
            running.finish();
        }
        Ok(())
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
