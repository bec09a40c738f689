//! What is done from outside at a time of the run waits until the played behavior has started, however long its load takes:
//! times of controls count from the start (`docs/semantics/order.md`).

use crate::Engine;
use crate::clock::Alarm;
use crate::config::Control;
use crate::protocol::BlockedOn;
use crate::tasks::{Role, Task, TaskState};
use boxstep_types::Time;
use std::time::Duration;

/// Controls that are still to come.
#[derive(Default)]
pub(crate) struct HeldControls {
    /// How long after the start, and what. `None`: nobody waits for a start, and controls are timers.
    held: Option<Vec<(Duration, Control)>>,
    /// How long after the start the limit of the run comes.
    limit: Option<Duration>,
    /// When it comes, once that is known.
    pub(crate) limit_at: Option<Time>,
}

impl Engine {
    /// The played behavior begins to load: what is given until its start counts from then.
    pub(crate) fn hold_controls(&mut self) {
        let now = self.clock.now();
        let after = |at: Time| at.since(now);
        let limit = self.held_controls.limit_at.take();
        let mut held = Vec::new();
        for (at, control) in self.timers.take_controls() {
            if reaches_a_load(&control) && limit != Some(at) {
                self.timers.add(at, Alarm::Control(control));
            } else {
                held.push((after(at), control));
            }
        }
        self.held_controls = HeldControls { held: Some(held), limit: limit.map(after), limit_at: None };
    }

    /// Does something at a time, which counts from the start of the behavior if that is still to come.
    pub(crate) fn schedule(&mut self, at: Time, what: Control) {
        let now = self.clock.now();
        match &mut self.held_controls.held {
            Some(held) if !reaches_a_load(&what) => held.push((at.since(now), what)),
            _ => self.timers.add(at, Alarm::Control(what)),
        }
    }

    /// The played behavior has started, or never will: times of controls count from now.
    pub(crate) fn release_controls(&mut self) {
        let HeldControls { held: Some(held), limit, .. } = std::mem::take(&mut self.held_controls) else { return };
        let now = self.clock.now();
        self.held_controls.limit_at = limit.map(|after| now + after);
        for (after, control) in held {
            self.timers.add(now + after, Alarm::Control(control));
        }
    }

    pub(crate) fn holds_controls(&self) -> bool {
        self.held_controls.held.is_some()
    }

    /// A load that waits for somebody, and not for a time or a service, may wait for what a control does, and would wait for
    /// ever for one that is held. False if there is none.
    pub(crate) fn release_for_load(&mut self) -> bool {
        let waits = |(_, t): (_, &Task)| matches!(&t.state, TaskState::Blocked(BlockedOn::Lock, None));
        let release = self.holds_controls() && !self.tasks.is_empty() && self.tasks.iter().all(waits);
        if release {
            self.release_controls();
        }
        release
    }

    /// The scripts that the load of the played behavior waits for are named, if they take long.
    pub(crate) fn name_long_load(&mut self) {
        if !self.holds_controls() {
            return;
        }
        let loads =
            |(_, t): (_, &Task)| (t.is_load() && t.state == TaskState::Running).then(|| (t.place, t.what.clone()));
        let loading: Vec<_> = self.tasks.iter().filter_map(loads).collect();
        for (place, what) in loading {
            self.warn(self.place_path(place), format!("{what} takes long, and the behavior starts when it is done"));
        }
    }
}

/// Whoever stops a run, unless it is the limit, may do so while it loads.
fn reaches_a_load(control: &Control) -> bool {
    matches!(control, Control::Stop | Control::Interrupt)
}

impl Task {
    /// Something that the start of a behavior waits for may be part of its load.
    pub(crate) fn is_load(&self) -> bool {
        self.owner.is_some() && matches!(self.role, Role::Load | Role::Construct(_) | Role::Hook)
    }
}
