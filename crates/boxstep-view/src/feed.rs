//! An engine's events become lines of a story, on a thread of their own: the engine only hands them over.

use crate::story::Shelf;
use boxstep_engine::trace::{Event, Footer, Header, Paths, Sink};
use boxstep_record::{JsonLines, Normal, TraceFile};
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

/// How many batches may wait to become lines: about a million events. Whoever makes more for long, faster than they are read, waits then, for
/// otherwise its memory would be used up.
const WAITING: usize = 4096;

enum Told {
    Begin(Header),
    Events(Vec<Event>, Arc<Paths>),
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

    fn end(&mut self, footer: &Footer) {
        let _ = self.told.send(Told::End(footer.clone()));
    }
}

fn write(told: &Receiver<Told>, lines: Lines, normal: Normal) {
    let (mut writer, file): (JsonLines<Lines>, TraceFile<Lines>) = JsonLines::new(lines, normal);
    for told in told {
        match told {
            Told::Begin(header) => writer.begin(&header),
            Told::Events(events, paths) => writer.events(&events, &paths),
            Told::End(footer) => writer.end(&footer),
        }
        file.flush_now();
    }
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
