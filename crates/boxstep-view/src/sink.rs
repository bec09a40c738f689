//! Adds an engine's events to a store on a separate thread, so that the engine only has to send them.

use crate::shared::SharedStore;
use crate::store::TraceStore;
use crate::tablet::script_of;
use boxstep_engine::pose::Pose;
use boxstep_engine::trace::{Event, Footer, Header, Paths, Sink};
use boxstep_record::{Form, Normal};
use boxstep_types::Time;
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::Duration;

/// The capacity of the queue in batches: about a million events. An engine that emits events faster than they are
/// stored blocks when the queue is full, which bounds the memory.
const WAITING: usize = 4096;

enum SinkMessage {
    Begin(Header),
    Events(Vec<Event>, Arc<Paths>),
    Pose(Time, Pose),
    End(Footer),
}

/// How long batches are collected before they are stored.
const PAUSE: Duration = Duration::from_millis(4);
/// The maximum number of batches that are stored while the store is locked.
const AT_ONCE: usize = 64;
/// The maximum number of empty batches that are kept for reuse.
const SPENT: usize = 128;

/// The [`Sink`] of an engine whose run is shown.
pub struct ViewSink {
    queue: SyncSender<SinkMessage>,
    /// Batches whose events have been stored, for reuse: recently used memory is faster than new memory.
    spent: Receiver<Vec<Event>>,
    /// The paths as they were sent last.
    paths: Arc<Paths>,
}

impl ViewSink {
    /// Starts a thread that adds events to a store, and returns the sink and the store.
    ///
    /// # Errors
    /// No thread can be started.
    pub fn start(normal: Normal) -> io::Result<(Self, SharedStore)> {
        let shared = SharedStore::new(TraceStore::live(Form(normal)));
        Ok((Self::into_store(&shared, 0)?, shared))
    }

    /// Begins another run in a store, in place of the one that it has.
    ///
    /// # Errors
    /// No thread can be started.
    pub fn restart(shared: &SharedStore, normal: Normal) -> io::Result<Self> {
        Self::into_store(shared, shared.renew(TraceStore::live(Form(normal))))
    }

    fn into_store(shared: &SharedStore, run: u64) -> io::Result<Self> {
        let (sender, receiver) = sync_channel(WAITING);
        let (give, spent) = sync_channel(SPENT);
        let thread = std::thread::Builder::new().name("view: store".to_owned());
        let place = shared.clone();
        // The thread ends when the sink is dropped.
        thread.spawn(move || write(&receiver, &place, run, &give))?;
        Ok(Self { queue: sender, spent, paths: Arc::default() })
    }
}

impl Sink for ViewSink {
    fn begin(&mut self, header: &Header) {
        let _ = self.queue.send(SinkMessage::Begin(header.clone()));
    }

    fn events(&mut self, events: &[Event], paths: &Paths) {
        self.take(events.to_vec(), paths);
    }

    fn take(&mut self, events: Vec<Event>, paths: &Paths) -> Vec<Event> {
        if self.paths.len() != paths.len() {
            self.paths = Arc::new(paths.clone());
        }
        let _ = self.queue.send(SinkMessage::Events(events, self.paths.clone()));
        self.spent.try_recv().unwrap_or_default()
    }

    fn pose(&mut self, at: Time, pose: &Pose) {
        let _ = self.queue.send(SinkMessage::Pose(at, pose.clone()));
    }

    fn end(&mut self, footer: &Footer) {
        let _ = self.queue.send(SinkMessage::End(footer.clone()));
    }
}

fn write(receiver: &Receiver<SinkMessage>, shared: &SharedStore, run: u64, spent: &SyncSender<Vec<Event>>) {
    let mut n = 0;
    while let Ok(first) = receiver.recv() {
        // Waking this thread for each batch would slow down the sender.
        std::thread::sleep(PAUSE);
        shared.update(run, |store| {
            for message in std::iter::once(first).chain(receiver.try_iter().take(AT_ONCE)) {
                match message {
                    SinkMessage::Begin(header) => store.begin_with(&header),
                    SinkMessage::Events(mut events, paths) => {
                        n = events.last().map_or(n, |event| event.n);
                        events
                            .iter()
                            .filter_map(|event| script_of(&event.kind))
                            .for_each(|script| shared.run_script(script));
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
