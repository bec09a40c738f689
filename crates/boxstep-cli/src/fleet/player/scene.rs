//! A scene of a robot, and what the player has begun in it.

use crate::fleet::acting::Acting;
use boxstep_types::{BoxPath, Time};
use std::sync::Arc;

/// A behavior that is not unloaded.
pub(super) struct Loaded {
    pub(super) root: Option<BoxPath>,
    /// It is no longer being loaded.
    pub(super) ready: bool,
}

/// A call of the player that takes time.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Call {
    /// There is none, or it has ended.
    Over,
    /// The engine was told to begin it.
    Told,
    /// It goes on; the number is that of its event.
    Runs(u64),
}

/// The scene that a robot plays.
pub(super) struct Scene {
    pub(super) index: usize,
    pub(super) at: Time,
    /// The behavior and the sound that still play.
    pub(super) behavior: Option<Arc<str>>,
    pub(super) sound: Call,
    /// The behavior plays in the scene before, too: it is unloaded once before it starts.
    pub(super) again: bool,
    pub(super) begun: bool,
}

impl Scene {
    pub(super) fn is_over(&self, acting: &Acting) -> bool {
        self.behavior.is_none() && self.sound == Call::Over && !acting.plays(self.index)
    }
}
