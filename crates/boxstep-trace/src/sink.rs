//! Receivers of the events of a run.

use crate::{Event, Footer, Header, Paths};
use boxstep_types::Time;
use std::sync::Arc;

/// A receiver of the events of a run.
///
/// Its methods are called while the engine's lock is held: a sink with slow output queues the events and formats them
/// on another thread.
pub trait Sink: Send {
    /// Receives the header; called once, before all events.
    fn begin(&mut self, header: &Header);
    /// Receives events in order, in batches of any size.
    fn events(&mut self, events: &[Event], paths: &Paths);
    /// Like [`Sink::events`], for the last of several sinks: the sink may keep the list, and returns a list that the
    /// engine reuses for later events. The returned list may have any content.
    fn take(&mut self, events: Vec<Event>, paths: &Paths) -> Vec<Event> {
        self.events(&events, paths);
        events
    }
    /// Receives the changes of the robot's pose after the events so far, if the run is configured to report them.
    /// Poses are not part of the trace.
    fn pose(&mut self, at: Time, pose: &Pose) {
        let _ = (at, pose);
    }
    /// Receives the footer; called once, after all events.
    fn end(&mut self, footer: &Footer);
}

/// The pose of a robot's torso in the world: x, y and z in metres, with z up and 0 on the floor, and the x, y, z and w of
/// its rotation as a quaternion.
pub type TorsoPose = [f64; 7];

/// The changes of a robot's joints since the last pose, in radians; hands are 0…1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pose {
    /// Joints whose angle has changed.
    pub angles: Vec<(Arc<str>, f64)>,
    /// Commanded angles of joints that have not reached them yet; `None` for joints that have.
    pub commands: Vec<(Arc<str>, Option<f64>)>,
    /// Where the torso is, if physics moves the robot and it has moved.
    pub torso: Option<TorsoPose>,
}
