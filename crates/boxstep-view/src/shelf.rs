//! Where the story of a run stands: one writes it, others look at it.

use crate::protocol::ToldPace;
use crate::story::Story;
use boxstep_engine::pace::{Flow, Pace};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use tokio::sync::watch;

/// A story that one writes and others look at.
#[derive(Clone)]
pub struct Shelf(Arc<Place>);

struct Place {
    story: Mutex<Story>,
    /// Apart, for the engine sets it and must not wait for who looks at the story.
    pace: Mutex<Paced>,
    changed: watch::Sender<()>,
}

/// Whether a run goes on, if that can be changed.
#[derive(Clone, Default)]
pub(crate) struct Paced {
    /// How often it has been set.
    pub(crate) turns: u64,
    pub(crate) told: Option<Arc<ToldPace>>,
    /// How its time goes on since it was set last.
    flow: Option<(Flow, Instant)>,
}

impl Paced {
    /// The time of the run, nanoseconds: later than that of its last line if nothing happens.
    pub(crate) fn now(&self) -> i64 {
        self.flow.map_or(0, |(flow, since)| (flow.at + since.elapsed().mul_f64(flow.rate)).0)
    }
}

impl Shelf {
    /// Keeps a story.
    pub fn new(story: Story) -> Self {
        Self(Arc::new(Place { story: Mutex::new(story), pace: Mutex::default(), changed: watch::Sender::new(()) }))
    }

    /// To look at it. Nothing that holds it can fail half way.
    pub(crate) fn look(&self) -> MutexGuard<'_, Story> {
        self.0.story.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Hears of changes.
    pub(crate) fn watch(&self) -> watch::Receiver<()> {
        self.0.changed.subscribe()
    }

    /// The run is paused, goes on, or is as fast as this from now on.
    pub fn set_pace(&self, pace: &Pace, flow: Flow) {
        let mut kept = self.0.pace.lock().unwrap_or_else(PoisonError::into_inner);
        let told = Some(Arc::new(ToldPace::new(pace, flow.rate)));
        *kept = Paced { turns: kept.turns + 1, told, flow: Some((flow, Instant::now())) };
        drop(kept);
        self.0.changed.send_replace(());
    }

    /// Whether it goes on.
    pub(crate) fn pace(&self) -> Paced {
        self.0.pace.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Tells more of it.
    pub(crate) fn tell(&self, more: impl FnOnce(&mut Story)) {
        let mut story = self.look();
        more(&mut story);
        story.keep_within();
        drop(story);
        self.0.changed.send_replace(());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boxstep_types::Time;

    #[test]
    fn an_engine_that_is_paused_waits_for_nobody_who_reads() {
        let shelf = Shelf::new(Story::new());
        let reader = shelf.look();
        let (told, heard) = std::sync::mpsc::channel();
        let engine = shelf.clone();
        std::thread::spawn(move || {
            engine.set_pace(&Pace::default(), Flow { at: Time::ZERO, rate: 1.0 });
            told.send(engine.pace().turns)
        });
        assert_eq!(heard.recv_timeout(std::time::Duration::from_secs(60)), Ok(1));
        drop(reader);
    }
}
