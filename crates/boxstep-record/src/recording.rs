//! A run kept in memory: its events, and the way from each back to its cause.

use boxstep_engine::trace::{Event, Footer, Header, Paths, Sink};
use std::sync::{Arc, Mutex, PoisonError};

/// What happened in a run.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    /// Every event, in order: event `n` is at index `n - 1`.
    pub events: Vec<Event>,
    /// What the numbers of boxes and ports in events mean.
    pub paths: Paths,
    /// How it ended; `None` if it did not.
    pub footer: Option<Footer>,
}

impl Recording {
    /// The event of this number.
    pub fn event(&self, n: u64) -> Option<&Event> {
        self.events.get(usize::try_from(n.checked_sub(1)?).ok()?)
    }

    /// The path of an event's box; empty if it belongs to none.
    pub fn path(&self, event: &Event) -> String {
        self.paths.text(event.path)
    }

    /// An event with all that led to it, the first cause first.
    pub fn chain(&self, n: u64) -> Vec<&Event> {
        let mut chain: Vec<&Event> = Vec::new();
        let mut next = self.event(n);
        while let Some(event) = next {
            chain.push(event);
            // A cause is always earlier; what is not would go round for ever.
            next = self.event(event.cause).filter(|cause| cause.n < event.n);
        }
        chain.reverse();
        chain
    }
}

/// A [`Sink`] that keeps everything.
pub struct Recorder(Arc<Mutex<Recording>>);

/// Where what a [`Recorder`] keeps can be taken after the run.
pub struct Recorded(Arc<Mutex<Recording>>);

impl Recorder {
    /// A recorder for an engine, and where its recording will be.
    pub fn new() -> (Self, Recorded) {
        let recording = Arc::new(Mutex::new(Recording::default()));
        (Self(recording.clone()), Recorded(recording))
    }
}

impl Recorded {
    /// What has been kept so far.
    pub fn take(&self) -> Recording {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Sink for Recorder {
    fn begin(&mut self, _: &Header) {}

    fn events(&mut self, events: &[Event], paths: &Paths) {
        let mut recording = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        recording.events.extend_from_slice(events);
        // Names are few, and every one that the events have is known by now.
        recording.paths = paths.clone();
    }

    fn end(&mut self, footer: &Footer) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).footer = Some(footer.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boxstep_engine::trace::{Kind, PathId};
    use boxstep_types::Time;

    #[test]
    fn a_chain_leads_from_the_first_cause_to_the_event() {
        let (mut recorder, recorded) = Recorder::new();
        let event = |n, cause| Event { n, t: Time::ZERO, cause, path: PathId(0), kind: Kind::Warning("x".into()) };
        recorder.events(&[event(1, 0), event(2, 0)], &Paths::default());
        recorder.events(&[event(3, 1), event(4, 3), event(5, 5)], &Paths::default());
        let recording = recorded.take();
        let chain = |n| recording.chain(n).iter().map(|e| e.n).collect::<Vec<_>>();
        assert_eq!(chain(4), [1, 3, 4]);
        assert_eq!(chain(2), [2]);
        assert_eq!(chain(5), [5]);
        assert_eq!(chain(9), [0u64; 0]);
    }
}
