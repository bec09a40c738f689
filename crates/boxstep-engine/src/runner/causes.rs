//! Which line of the trace a deferred call follows from.

use super::{Happened, What};
use std::collections::HashMap;

/// The point in the life of its behavior at which a deferred call was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Occasion {
    /// The behavior came into scope.
    Enters,
    /// It was given control.
    Begins,
    /// Its delegation has ended.
    Ends,
    /// It has wound down.
    Ended,
    /// It left scope.
    Leaves,
}

/// The lines of the trace that the deferred calls of a tick follow from, and for each behavior the line by which it was last
/// given control.
#[derive(Default)]
pub(super) struct Causes {
    lines: HashMap<(u32, Occasion), u64>,
    active: HashMap<u32, u64>,
}

impl Causes {
    /// The line of a behavior for the first of these that happened in this tick; else the line by which it was given control.
    /// 0 if there is none.
    pub(super) fn line(&self, behavior: u32, occasions: &[Occasion]) -> u64 {
        let mut lines = occasions.iter().filter_map(|occasion| self.lines.get(&(behavior, *occasion)));
        lines.next().or_else(|| self.active.get(&behavior)).copied().unwrap_or(0)
    }

    /// The line by which a behavior was last given control. 0 if there is none.
    pub(super) fn activation(&self, behavior: u32) -> u64 {
        self.active.get(&behavior).copied().unwrap_or(0)
    }

    /// The tick is over: only who has control is remembered.
    pub(super) fn end_tick(&mut self) {
        self.lines.clear();
    }

    /// Something has happened, and stands in this line of the trace.
    pub(super) fn learn(&mut self, happened: &Happened, n: u64) {
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
