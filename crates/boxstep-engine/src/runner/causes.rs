//! The trace events that cause deferred calls.

use super::{Happened, What};
use crate::context::Cause;
use std::collections::HashMap;

/// The point in its behavior's lifecycle at which a deferred call was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Occasion {
    /// The behavior entered scope.
    Enters,
    /// The behavior was activated.
    Begins,
    /// The behavior's delegation ended.
    Ends,
    /// The behavior finished winding down.
    Ended,
    /// The behavior left scope.
    Leaves,
}

/// The numbers of the trace events that cause the deferred calls of one tick, and for each behavior the number of its
/// last activation.
#[derive(Default)]
pub(super) struct Causes {
    lines: HashMap<(u32, Occasion), Cause>,
    active: HashMap<u32, Cause>,
}

impl Causes {
    /// Returns a behavior's event for the first of these occasions that occurred in this tick; otherwise
    /// the number of its last activation, or no event if there is none.
    pub(super) fn line(&self, behavior: u32, occasions: &[Occasion]) -> Cause {
        let mut lines = occasions.iter().filter_map(|occasion| self.lines.get(&(behavior, *occasion)));
        lines.next().or_else(|| self.active.get(&behavior)).copied().unwrap_or_default()
    }

    /// Returns the number of the trace event of a behavior's last activation, or no event if there is none.
    pub(super) fn activation(&self, behavior: u32) -> Cause {
        self.active.get(&behavior).copied().unwrap_or_default()
    }

    /// Ends the tick: only the activations are kept.
    pub(super) fn end_tick(&mut self) {
        self.lines.clear();
    }

    /// Records that this runner event has number `n` in the trace.
    pub(super) fn learn(&mut self, happened: &Happened, n: Cause) {
        let Some(of) = happened.of else { return };
        let occasion = match happened.what {
            What::Entering | What::Entered => Occasion::Enters,
            What::Activated(_) => Occasion::Begins,
            What::Ended(..) | What::Restarts(_) => Occasion::Ends,
            What::Deactivated => Occasion::Ended,
            What::Leaving | What::Left => Occasion::Leaves,
            _ => return,
        };
        if occasion == Occasion::Begins {
            self.active.insert(of.0, n);
        }
        self.lines.insert((of.0, occasion), n);
    }
}
