//! Recordings as MCAP files, which Foxglove and other programs open, and the way back to the lines of a trace.
//!
//! The topic `/boxstep/events` has every line of the trace unchanged, and metadata records have the header and the
//! footer, so that nothing is lost. Other topics repeat data for programs that plot and filter: joints, keys of the
//! robot's memory, and text. `docs/guides/recording.md` lists all topics.

mod read;
mod schemas;

pub(crate) use read::McapLines;

use crate::{Form, Normal};
use ::mcap::records::{MessageHeader, Metadata};
use ::mcap::{McapError, WriteOptions, Writer};
use boxstep_trace::{ClockKind, Event, Footer, Header, Kind, LogLevel, PathTexts, Paths, ScriptError, Sink};
use boxstep_types::{Value, calendar};
use serde_json::json;
use std::collections::{BTreeMap, HashMap};
use std::io::{self, Seek, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

/// The first bytes of every MCAP file.
pub const MAGIC: &[u8] = ::mcap::MAGIC;

/// The topic of the lines of the trace.
const EVENTS: &str = "/boxstep/events";
/// The names of the metadata with the header and the footer, and of the field that holds the line.
const HEADER: &str = "boxstep.header";
const FOOTER: &str = "boxstep.footer";
const LINE: &str = "line";

/// How many keys of the robot's memory get their own topics; later keys are only among the events. An MCAP file has at
/// most 65,535 channels.
const KEYS: usize = 4096;
/// The size of a chunk, in bytes.
const CHUNK: u64 = 512 << 10;
/// How often a run in real time is flushed, so that a file that is cut off has all but the last moment.
const FLUSH: Duration = Duration::from_secs(1);

/// A [`Sink`] that writes MCAP. The first error is kept for [`McapFile`].
pub struct Mcap<W: Write + Seek + Send + 'static> {
    file: McapFile<W>,
    form: Form,
    paths: PathTexts,
    channels: Channels,
    /// The time at the beginning of the run, in nanoseconds since 1970.
    epoch: i64,
}

/// The file behind a [`Mcap`], for use after the run.
pub struct McapFile<W: Write + Seek>(Arc<Mutex<McapState<W>>>);

struct McapState<W: Write + Seek> {
    /// `None` once the file is finished.
    out: Option<Writer<W>>,
    error: Option<io::Error>,
}

#[derive(Default)]
struct Channels {
    events: u16,
    log: u16,
    joints: Option<u16>,
    memory: HashMap<Arc<str>, u16>,
}

impl<W: Write + Seek> Clone for McapFile<W> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<W: Write + Seek> McapFile<W> {
    fn lock(&self) -> MutexGuard<'_, McapState<W>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the first error, if there was one; nothing was written after it.
    pub fn take_error(&self) -> Option<io::Error> {
        self.lock().error.take()
    }

    /// Flushes the file, for a run that is cut off.
    pub fn flush_now(&self) {
        self.lock().run(Writer::flush);
    }
}

impl<W: Write + Seek> McapState<W> {
    /// Runs an action unless there has been an error, and keeps the first error.
    fn run(&mut self, what: impl FnOnce(&mut Writer<W>) -> Result<(), McapError>) {
        if let (None, Some(out)) = (&self.error, &mut self.out) {
            self.error = what(out).err().map(io_error);
        }
    }
}

fn io_error(error: McapError) -> io::Error {
    match error {
        McapError::Io(error) => error,
        other => io::Error::other(other.to_string()),
    }
}

impl<W: Write + Seek + Send + 'static> Mcap<W> {
    /// Creates a sink and its file.
    ///
    /// # Errors
    /// The beginning of the file cannot be written.
    pub fn new(out: W, normal: Normal) -> io::Result<(Self, McapFile<W>)> {
        let library = concat!("boxstep ", env!("CARGO_PKG_VERSION"));
        // Without seeking, each chunk is written in one piece when it is full, so a file that is cut off is readable up
        // to the cut.
        let options =
            WriteOptions::new().compression(None).chunk_size(Some(CHUNK)).library(library).disable_seeking(true);
        let out = options.create(out).map_err(io_error)?;
        let file = McapFile(Arc::new(Mutex::new(McapState { out: Some(out), error: None })));
        let sink = Self {
            file: file.clone(),
            form: Form(normal),
            paths: PathTexts::default(),
            channels: Channels::default(),
            epoch: 0,
        };
        Ok((sink, file))
    }
}

/// Flushes the file regularly as long as it is in use.
fn keep_flushing<W: Write + Seek + Send + 'static>(file: Weak<Mutex<McapState<W>>>) {
    let flush = move || {
        loop {
            std::thread::sleep(FLUSH);
            let Some(file) = file.upgrade() else { return };
            let mut state = file.lock().unwrap_or_else(PoisonError::into_inner);
            if state.out.is_none() || state.error.is_some() {
                return;
            }
            state.run(Writer::flush);
        }
    };
    // Without this thread the file is flushed when a chunk is full.
    let _ = std::thread::Builder::new().name("record".to_owned()).spawn(flush);
}

fn channel<W: Write + Seek>(out: &mut Writer<W>, topic: &str, name: &str, schema: &str) -> Result<u16, McapError> {
    let schema = out.add_schema(name, "jsonschema", schema.as_bytes())?;
    out.add_channel(schema, topic, "json", &BTreeMap::new())
}

fn metadata<W: Write + Seek>(out: &mut Writer<W>, name: &str, line: String) -> Result<(), McapError> {
    out.write_metadata(&Metadata { name: name.to_owned(), metadata: BTreeMap::from([(LINE.to_owned(), line)]) })
}

impl<W: Write + Seek + Send + 'static> Sink for Mcap<W> {
    fn begin(&mut self, header: &Header) {
        let started = header.started.as_deref().and_then(|text| calendar::parse_epoch(text).ok());
        self.epoch = started.unwrap_or(header.epoch).saturating_mul(1_000_000_000);
        let (form, channels) = (&self.form, &mut self.channels);
        self.file.lock().run(|out| {
            metadata(out, HEADER, form.header(header))?;
            channels.events = channel(out, EVENTS, "boxstep.Event", schemas::EVENT)?;
            channels.log = channel(out, "/boxstep/log", "foxglove.Log", schemas::LOG)?;
            Ok(())
        });
        if header.clock == ClockKind::Real {
            keep_flushing(Arc::downgrade(&self.file.0));
        }
    }

    fn events(&mut self, events: &[Event], paths: &Paths) {
        let (form, channels, texts, epoch) = (&self.form, &mut self.channels, &mut self.paths, self.epoch);
        self.file.lock().run(|out| {
            for event in events {
                let time = u64::try_from(epoch.saturating_add(event.t.0)).unwrap_or(0);
                let write = |out: &mut Writer<W>, channel_id: u16, text: &str| {
                    let sequence = event.n as u32;
                    let header = MessageHeader { channel_id, sequence, log_time: time, publish_time: time };
                    out.write_to_known_channel(&header, text.as_bytes())
                };
                let path = texts.get(event, paths).map(|path| &**path);
                write(out, channels.events, &form.event(event, path))?;
                match &event.kind {
                    Kind::Joints { angles, .. } => {
                        let id = match channels.joints {
                            Some(id) => id,
                            None => {
                                let schema = schemas::joints(angles.iter().map(|(name, _)| &**name));
                                *channels.joints.insert(channel(out, "/boxstep/joints", "boxstep.Joints", &schema)?)
                            }
                        };
                        let angles: BTreeMap<&str, f64> = angles.iter().map(|(name, angle)| (&**name, *angle)).collect();
                        write(out, id, &form.line(&angles))?;
                    }
                    Kind::Event { key, value, .. } | Kind::Memory { key, value: Some(value) } => {
                        if let Some(id) = key_channel(out, channels, key, value)? {
                            write(out, id, &form.line(&json!({ "value": value })))?;
                        }
                    }
                    kind => {
                        if let Some((level, text, at)) = said(kind) {
                            let timestamp = json!({ "sec": time / 1_000_000_000, "nsec": time % 1_000_000_000 });
                            let path = path.unwrap_or_default();
                            let log = json!({ "timestamp": timestamp, "level": level, "message": text, "name": path, "file": path, "line": at });
                            write(out, channels.log, &form.line(&log))?;
                        }
                    }
                }
            }
            Ok(())
        });
    }

    fn end(&mut self, footer: &Footer) {
        let mut state = self.file.lock();
        let Some(mut out) = state.out.take().filter(|_| state.error.is_none()) else { return };
        let done = metadata(&mut out, FOOTER, self.form.footer(footer)).and_then(|()| out.finish());
        // Finished data may still be in a buffer.
        let done = done.map_err(io_error).and_then(|_| out.into_inner().flush());
        state.error = done.err();
    }
}

/// Returns the channel of a key of the robot's memory, creating it on first use; `None` if there are too many.
fn key_channel<W: Write + Seek>(
    out: &mut Writer<W>,
    channels: &mut Channels,
    key: &Arc<str>,
    value: &Value,
) -> Result<Option<u16>, McapError> {
    if let Some(id) = channels.memory.get(key) {
        return Ok(Some(*id));
    }
    if channels.memory.len() >= KEYS {
        return Ok(None);
    }
    let (name, schema) = schemas::memory(value);
    let id = channel(out, &format!("/boxstep/memory/{key}"), name, &schema)?;
    channels.memory.insert(key.clone(), id);
    Ok(Some(id))
}

/// Returns the text of an event for people, with Foxglove's log level (1 debug … 5 fatal) and the script's line.
fn said(kind: &Kind) -> Option<(u8, String, u32)> {
    let raised = |error: &ScriptError| (4, error.to_string(), error.line.unwrap_or_default());
    Some(match kind {
        Kind::Log { level, text, line } => {
            let level = match level {
                LogLevel::Debug => 1,
                LogLevel::Info => 2,
                LogLevel::Warning => 3,
                LogLevel::Error => 4,
                LogLevel::Fatal => 5,
            };
            (level, text.to_string(), *line)
        }
        Kind::Print { text, stderr, line } => (if *stderr { 3 } else { 2 }, text.to_string(), *line),
        Kind::Warning { text } => (3, text.to_string(), 0),
        Kind::Raised { error, .. } => raised(error),
        Kind::Dialog(event) => (2, event.to_string(), 0),
        Kind::Act(act) if act.kind == "say" => (2, format!("says “{}”", act.text), 0),
        Kind::Unsupported { service, method, line } => (3, format!("unsupported: {service}.{method}"), *line),
        _ => return None,
    })
}
