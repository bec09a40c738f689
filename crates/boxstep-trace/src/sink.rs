//! Receivers of the events of a run.

use crate::{Event, Footer, Header, Paths};
use boxstep_types::Time;
use std::sync::Arc;

/// Something that receives what happens in a run.
///
/// It is called while the engine's lock is held: a sink whose output is slow queues the events and formats them elsewhere.
pub trait Sink: Send {
    /// Once, first.
    fn begin(&mut self, header: &Header);
    /// Events in order, in batches of any size.
    fn events(&mut self, events: &[Event], paths: &Paths);
    /// The same, for the last sink: it may keep the events, and gives back a list for the next ones, whatever is in it.
    fn take(&mut self, events: Vec<Event>, paths: &Paths) -> Vec<Event> {
        self.events(&events, paths);
        events
    }
    /// The robot's pose after the events so far, if the run is configured to report it. It is not part of the trace.
    fn pose(&mut self, at: Time, pose: &Pose) {
        let _ = (at, pose);
    }
    /// Once, last.
    fn end(&mut self, footer: &Footer);
}

/// What has changed of a robot's joints since the last pose; radians, hands 0…1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pose {
    /// Joints whose angle has changed.
    pub angles: Vec<(Arc<str>, f64)>,
    /// Commanded angles of joints that have not reached them; `None` for joints that have.
    pub commands: Vec<(Arc<str>, Option<f64>)>,
}
