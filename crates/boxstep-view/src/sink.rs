//! An engine's events become a store, on a thread of their own: the engine only hands them over.

use crate::shared::SharedStore;
use crate::store::TraceStore;
use boxstep_engine::pose::Pose;
use boxstep_engine::trace::{Event, Footer, Header, Paths, Sink};
use boxstep_record::{Form, Normal};
use boxstep_types::Time;
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::Duration;

/// How many batches may wait: about a million events. Whoever makes more for long, faster than they are told, waits then, for
/// otherwise its memory would be used up.
const WAITING: usize = 4096;

enum SinkMessage {
    Begin(Header),
    Events(Vec<Event>, Arc<Paths>),
    Pose(Time, Pose),
    End(Footer),
}

/// How long batches are gathered before they are told.
const PAUSE: Duration = Duration::from_millis(4);
/// How many batches are told before a page may look.
const AT_ONCE: usize = 64;
/// How many spent batches are kept to be used again.
const SPENT: usize = 128;

/// A [`Sink`] for the engine whose run is shown.
pub struct ViewSink {
    told: SyncSender<SinkMessage>,
    /// Batches that have been told: new memory is slower than the one that was just used.
    spent: Receiver<Vec<Event>>,
    /// As they were when they were told last.
    paths: Arc<Paths>,
}

impl ViewSink {
    /// Begins to feed a store, on a thread of its own, and gives the place where it is told.
    ///
    /// # Errors
    /// If there can be no more threads.
    pub fn start(normal: Normal) -> io::Result<(Self, SharedStore)> {
        let (sender, told) = sync_channel(WAITING);
        let (give, spent) = sync_channel(SPENT);
        let shared = SharedStore::new(TraceStore::live(Form(normal)));
        let thread = std::thread::Builder::new().name("view: store".to_owned());
        let place = shared.clone();
        // It ends with whoever tells it.
        thread.spawn(move || write(&told, &place, &give))?;
        Ok((Self { told: sender, spent, paths: Arc::default() }, shared))
    }
}

impl Sink for ViewSink {
    fn begin(&mut self, header: &Header) {
        let _ = self.told.send(SinkMessage::Begin(header.clone()));
    }

    fn events(&mut self, events: &[Event], paths: &Paths) {
        self.take(events.to_vec(), paths);
    }

    fn take(&mut self, events: Vec<Event>, paths: &Paths) -> Vec<Event> {
        if self.paths.len() != paths.len() {
            self.paths = Arc::new(paths.clone());
        }
        let _ = self.told.send(SinkMessage::Events(events, self.paths.clone()));
        self.spent.try_recv().unwrap_or_default()
    }

    fn pose(&mut self, at: Time, pose: &Pose) {
        let _ = self.told.send(SinkMessage::Pose(at, pose.clone()));
    }

    fn end(&mut self, footer: &Footer) {
        let _ = self.told.send(SinkMessage::End(footer.clone()));
    }
}

fn write(told: &Receiver<SinkMessage>, shared: &SharedStore, spent: &SyncSender<Vec<Event>>) {
    let mut n = 0;
    while let Ok(first) = told.recv() {
        // To wake this thread for each batch would hold who sends them.
        std::thread::sleep(PAUSE);
        shared.tell(|store| {
            for told in std::iter::once(first).chain(told.try_iter().take(AT_ONCE)) {
                match told {
                    SinkMessage::Begin(header) => store.begin_with(&header),
                    SinkMessage::Events(mut events, paths) => {
                        n = events.last().map_or(n, |event| event.n);
                        store.events(events.drain(..), &paths);
                        // The producer needs space for more events.
                        let _ = spent.try_send(events);
                    }
                    SinkMessage::Pose(at, pose) => store.pose(n, at, &pose),
                    SinkMessage::End(footer) => store.end_with(&footer),
                }
            }
        });
    }
}
