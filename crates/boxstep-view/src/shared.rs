//! Where the store of a run stands: one writes it, others look at it.

use crate::protocol::PaceStatus;
use crate::store::TraceStore;
use boxstep_engine::debugger::{DebuggerState, Flow};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use tokio::sync::watch;

/// A store that one writes and others look at.
#[derive(Clone)]
pub struct SharedStore(Arc<SharedState>);

struct SharedState {
    store: Mutex<TraceStore>,
    /// Apart, for the engine sets it and must not wait for who looks at the store.
    pace: Mutex<Paced>,
    changed: watch::Sender<()>,
}

/// Whether a run goes on, if that can be changed.
#[derive(Clone, Default)]
pub(crate) struct Paced {
    /// How often it has been set.
    pub(crate) turns: u64,
    pub(crate) told: Option<Arc<PaceStatus>>,
    /// How its time goes on since it was set last.
    flow: Option<(Flow, Instant)>,
}

impl Paced {
    /// The time of the run, nanoseconds: later than that of its last line if nothing happens.
    pub(crate) fn now(&self) -> i64 {
        self.flow.map_or(0, |(flow, since)| (flow.at + since.elapsed().mul_f64(flow.rate)).0)
    }
}

impl SharedStore {
    /// Keeps a store.
    pub fn new(store: TraceStore) -> Self {
        Self(Arc::new(SharedState {
            store: Mutex::new(store),
            pace: Mutex::default(),
            changed: watch::Sender::new(()),
        }))
    }

    /// To look at it. Nothing that holds it can fail half way.
    pub(crate) fn look(&self) -> MutexGuard<'_, TraceStore> {
        self.0.store.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Hears of changes.
    pub(crate) fn watch(&self) -> watch::Receiver<()> {
        self.0.changed.subscribe()
    }

    /// The run is paused, goes on, or is as fast as this from now on.
    pub fn set_pace(&self, pace: &DebuggerState, flow: Flow) {
        let mut kept = self.0.pace.lock().unwrap_or_else(PoisonError::into_inner);
        let told = Some(Arc::new(PaceStatus::new(pace, flow.rate)));
        *kept = Paced { turns: kept.turns + 1, told, flow: Some((flow, Instant::now())) };
        drop(kept);
        self.0.changed.send_replace(());
    }

    /// Whether it goes on.
    pub(crate) fn pace(&self) -> Paced {
        self.0.pace.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Tells more of it.
    pub(crate) fn tell(&self, more: impl FnOnce(&mut TraceStore)) {
        let mut store = self.look();
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
    fn an_engine_that_is_paused_waits_for_nobody_who_reads() {
        let shared = SharedStore::new(TraceStore::new());
        let reader = shared.look();
        let (told, heard) = std::sync::mpsc::channel();
        let engine = shared.clone();
        std::thread::spawn(move || {
            engine.set_pace(&DebuggerState::default(), Flow { at: Time::ZERO, rate: 1.0 });
            told.send(engine.pace().turns)
        });
        assert_eq!(heard.recv_timeout(std::time::Duration::from_secs(60)), Ok(1));
        drop(reader);
    }
}
