//! Turns on the real clock: boxes that signal each other without a pause do not keep timers, the robot and who is
//! outside waiting.

use crate::Engine;
use crate::event_loop::Work;
use crate::protocol::Next;
use crate::trace::PathId;

/// Signals in a turn: less than a millisecond for native boxes.
const TURN: u64 = 20_000;

impl Engine {
    /// Time has passed: signals are counted anew.
    pub(crate) fn count_anew(&mut self) {
        self.signals = 0;
        self.signal_limit = self.turn_end();
    }

    /// The count at which it has to be looked up what else there is. In virtual time nothing else comes before the work
    /// is done, and it is the bound of a loop.
    pub(crate) fn turn_end(&self) -> u64 {
        let most = self.config.livelock_bound;
        if self.clock.is_virtual() { most } else { most.min(self.signals.saturating_add(TURN)) }
    }

    /// More signals than the bound: a turn is over, or they go round for ever. False if this one must not be delivered.
    #[cold]
    pub(crate) fn too_many(&mut self, path: PathId) -> bool {
        if self.signals > self.config.livelock_bound {
            return self.livelock(path);
        }
        self.signal_limit = self.turn_end();
        self.work.push_back(Work::TurnOver);
        true
    }

    /// Lets go of the engine for a moment: whoever drives it looks at the clock and comes back, and others may have it
    /// meanwhile.
    pub(crate) fn turn_over(&mut self) -> Next {
        Next::Wait(Some(self.clock.refresh()))
    }
}
