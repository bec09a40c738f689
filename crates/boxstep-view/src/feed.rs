//! An engine's events become lines of a story, on a thread of their own: the engine only hands them over.

use crate::story::Shelf;
use boxstep_engine::pose::Pose;
use boxstep_engine::trace::{Event, Footer, Header, Paths, Sink};
use boxstep_record::{JsonLines, Normal, TraceFile};
use boxstep_types::Time;
use serde_json::{Value as Json, json};
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

/// How many batches may wait to become lines: about a million events. Whoever makes more for long, faster than they are read, waits then, for
/// otherwise its memory would be used up.
const WAITING: usize = 4096;

enum Told {
    Begin(Header),
    Events(Vec<Event>, Arc<Paths>),
    Pose(Time, Pose),
    End(Footer),
}

/// A [`Sink`] for the engine whose run is shown.
pub struct Feed {
    told: SyncSender<Told>,
    /// As they were when they were told last.
    paths: Arc<Paths>,
}

impl Feed {
    /// Begins to feed a story, on a thread of its own.
    ///
    /// # Errors
    /// If there can be no more threads.
    pub fn start(shelf: Shelf, normal: Normal) -> io::Result<Self> {
        let (sender, told) = sync_channel(WAITING);
        let thread = std::thread::Builder::new().name("view: lines".to_owned());
        // It ends with whoever tells it.
        thread.spawn(move || write(&told, Lines { shelf, rest: Vec::new() }, normal))?;
        Ok(Self { told: sender, paths: Arc::default() })
    }
}

impl Sink for Feed {
    fn begin(&mut self, header: &Header) {
        let _ = self.told.send(Told::Begin(header.clone()));
    }

    fn events(&mut self, events: &[Event], paths: &Paths) {
        if self.paths.size() != paths.size() {
            self.paths = Arc::new(paths.clone());
        }
        let _ = self.told.send(Told::Events(events.to_vec(), self.paths.clone()));
    }

    fn pose(&mut self, at: Time, pose: &Pose) {
        let _ = self.told.send(Told::Pose(at, pose.clone()));
    }

    fn end(&mut self, footer: &Footer) {
        let _ = self.told.send(Told::End(footer.clone()));
    }
}

fn write(told: &Receiver<Told>, lines: Lines, normal: Normal) {
    let shelf = lines.shelf.clone();
    let mut n = 0;
    let (mut writer, file): (JsonLines<Lines>, TraceFile<Lines>) = JsonLines::new(lines, normal);
    for told in told {
        match told {
            Told::Begin(header) => writer.begin(&header),
            Told::Events(events, paths) => {
                n = events.last().map_or(n, |event| event.n);
                writer.events(&events, &paths);
            }
            // All before it has been written out.
            Told::Pose(at, pose) => shelf.add([&*line(n, at, &pose)].into_iter()),
            Told::End(footer) => writer.end(&footer),
        }
        file.flush_now();
    }
}

/// How the robot stands, as a line after the event `n`. A trace has none such.
fn line(n: u64, at: Time, pose: &Pose) -> String {
    // As near as anybody can see.
    let round = |x: f64| Json::from((x * 1e4).round() / 1e4);
    let angles: serde_json::Map<_, _> =
        pose.angles.iter().map(|(joint, angle)| (joint.to_string(), round(*angle))).collect();
    let commands: serde_json::Map<_, _> =
        pose.commands.iter().map(|(joint, wanted)| (joint.to_string(), wanted.map_or(Json::Null, round))).collect();
    json!({"n": n, "t": at.0, "cause": 0, "kind": "joints", "angles": angles, "commands": commands}).to_string()
}

/// Puts whole lines into a story.
struct Lines {
    shelf: Shelf,
    rest: Vec<u8>,
}

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.rest.extend_from_slice(bytes);
        if let Some(end) = self.rest.iter().rposition(|byte| *byte == b'\n') {
            let rest = self.rest.split_off(end + 1);
            let whole = std::mem::replace(&mut self.rest, rest);
            self.shelf.add(String::from_utf8_lossy(&whole).lines());
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
