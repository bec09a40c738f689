//! The store of a run, shared between one writer and many readers.

use crate::protocol::DebuggerStatus;
use crate::store::TraceStore;
use boxstep_engine::debugger::{DebuggerState, Flow};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use tokio::sync::{broadcast, watch};

/// The most scripts that wait for a page that is slow.
const SCRIPTS: usize = 64;

/// A store that one thread writes and others read.
#[derive(Clone)]
pub struct SharedStore(Arc<SharedState>);

struct SharedState {
    store: Mutex<TraceStore>,
    /// Separate from the store, because the engine sets it and must not wait for readers of the store.
    debugger: Mutex<PublishedStatus>,
    changed: watch::Sender<()>,
    /// The scripts that the behavior runs in pages of the tablet.
    scripts: broadcast::Sender<Arc<str>>,
}

/// The debugger's state: whether the run is paused, and its speed. `status` is `None` if the run cannot be controlled.
#[derive(Clone, Default)]
pub(crate) struct PublishedStatus {
    /// How often it has been set.
    pub(crate) revision: u64,
    pub(crate) status: Option<Arc<DebuggerStatus>>,
    /// How the run's time has advanced since it was set last.
    flow: Option<(Flow, Instant)>,
    /// What the pages are told beside the run.
    pub(crate) notice: Option<Arc<str>>,
}

impl PublishedStatus {
    /// Returns the run's time in nanoseconds. While nothing happens, it is later than the time of the last entry.
    pub(crate) fn now(&self) -> i64 {
        self.flow.map_or(0, |(flow, since)| (flow.at + since.elapsed().mul_f64(flow.rate)).0)
    }
}

impl SharedStore {
    /// Creates a shared store.
    pub fn new(store: TraceStore) -> Self {
        Self(Arc::new(SharedState {
            store: Mutex::new(store),
            debugger: Mutex::default(),
            changed: watch::Sender::new(()),
            scripts: broadcast::Sender::new(SCRIPTS),
        }))
    }

    /// Locks the store. A poisoned lock is used as well, because no update can fail half way.
    pub(crate) fn lock(&self) -> MutexGuard<'_, TraceStore> {
        self.0.store.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether this is the same store.
    pub(crate) fn is(&self, other: &SharedStore) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Subscribes to changes.
    pub(crate) fn subscribe(&self) -> watch::Receiver<()> {
        self.0.changed.subscribe()
    }

    /// Runs a script in the pages of the tablet that are open.
    pub(crate) fn run_script(&self, script: &str) {
        // Without a page nobody receives it.
        let _ = self.0.scripts.send(script.into());
    }

    /// Returns the scripts that are run from now on.
    pub(crate) fn scripts(&self) -> broadcast::Receiver<Arc<str>> {
        self.0.scripts.subscribe()
    }

    /// Sets the debugger's state: the run is paused, resumes, or changes its speed.
    pub fn set_debugger(&self, state: &DebuggerState, flow: Flow) {
        let mut kept = self.0.debugger.lock().unwrap_or_else(PoisonError::into_inner);
        let status = Some(Arc::new(DebuggerStatus::new(state, flow.rate)));
        let (revision, flow) = (kept.revision + 1, Some((flow, Instant::now())));
        *kept = PublishedStatus { revision, status, flow, notice: kept.notice.take() };
        drop(kept);
        self.0.changed.send_replace(());
    }

    /// Returns the debugger's state.
    pub(crate) fn debugger(&self) -> PublishedStatus {
        self.0.debugger.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Begins another run: replaces the store by an empty one, and forgets the debugger's state.
    ///
    /// Returns the number of the run.
    pub(crate) fn renew(&self, mut store: TraceStore) -> u64 {
        let mut kept = self.lock();
        let run = kept.run + 1;
        store.run = run;
        *kept = store;
        drop(kept);
        let mut debugger = self.0.debugger.lock().unwrap_or_else(PoisonError::into_inner);
        *debugger = PublishedStatus { revision: debugger.revision + 1, ..PublishedStatus::default() };
        drop(debugger);
        self.0.changed.send_replace(());
        run
    }

    /// Sets what the pages are told beside the run; `None` if there is nothing.
    pub fn set_notice(&self, notice: Option<&str>) {
        let mut kept = self.0.debugger.lock().unwrap_or_else(PoisonError::into_inner);
        (kept.revision, kept.notice) = (kept.revision + 1, notice.map(Arc::from));
        drop(kept);
        self.0.changed.send_replace(());
    }

    /// Updates the store of a run and notifies the readers. Does nothing if another run has begun since.
    pub(crate) fn update(&self, run: u64, more: impl FnOnce(&mut TraceStore)) {
        let mut store = self.lock();
        if store.run != run {
            return;
        }
        more(&mut store);
        store.keep_within();
        drop(store);
        self.0.changed.send_replace(());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boxstep_types::Time;

    #[test]
    fn a_paused_engine_does_not_wait_for_readers() {
        let shared = SharedStore::new(TraceStore::new());
        let reader = shared.lock();
        let (told, heard) = std::sync::mpsc::channel();
        let engine = shared.clone();
        std::thread::spawn(move || {
            engine.set_debugger(&DebuggerState::default(), Flow { at: Time::ZERO, rate: 1.0 });
            told.send(engine.debugger().revision)
        });
        assert_eq!(heard.recv_timeout(std::time::Duration::from_secs(60)), Ok(1));
        drop(reader);
    }
}
