//! What is done from outside at a time of the run waits until the played behavior has started, however long its load takes:
//! times of controls count from the start (`docs/semantics/order.md`).

use crate::Engine;
use crate::clock::Alarm;
use crate::config::Control;
use crate::context::Context;
use crate::graph::Graph;
use crate::tasks::{Role, Task, TaskState, Tasks};
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

impl HeldControls {
    pub(crate) fn holds_controls(&self) -> bool {
        self.held.as_ref().is_some_and(|held| !held.is_empty())
    }

    pub(crate) fn is_loading(&self) -> bool {
        self.held.is_some()
    }

    /// Does something at a time, which counts from the start of the behavior if that is still to come.
    pub(crate) fn schedule(&mut self, cx: &mut Context, at: Time, what: Control) {
        let now = cx.now();
        match &mut self.held {
            Some(held) => held.push((at.since(now), what)),
            _ => cx.alarm(at, Alarm::Control(what)),
        }
    }

    /// The played behavior has started, or never will: times of controls count from now.
    pub(crate) fn release_controls(&mut self, cx: &mut Context) {
        let HeldControls { held: Some(held), limit, .. } = std::mem::take(self) else { return };
        cx.timers.retain(|alarm| !matches!(alarm, Alarm::LongLoad));
        let now = cx.now();
        self.limit_at = limit.map(|after| now + after);
        for (after, control) in held {
            cx.alarm(now + after, Alarm::Control(control));
        }
    }

    /// The load has taken so long that it may never end: it is waited for no more, and who it waits for is named.
    pub(crate) fn long_load(&mut self, cx: &mut Context, graph: &Graph, tasks: &Tasks) {
        if !self.holds_controls() {
            return;
        }
        let loads = |(_, t): (_, &Task)| {
            (t.is_load() && t.state != TaskState::Queued).then(|| (t.place, graph.name_of_task(t.place, &t.what)))
        };
        let loading: Vec<_> = tasks.iter().filter_map(loads).collect();
        for (place, what) in loading {
            let times = "times that count from the start of the behavior count from now";
            cx.warn(graph.place_path(place), format!("{what} has not ended: {times}"));
        }
        self.release_controls(cx);
    }
}

impl Engine {
    /// The played behavior begins to load: what is given until its start counts from then.
    pub(crate) fn hold_controls(&mut self) {
        let now = self.cx.now();
        let after = |at: Time| at.since(now);
        let limit = self.held_controls.limit_at.take();
        let held = self.cx.timers.take_controls().into_iter().map(|(at, control)| (after(at), control)).collect();
        self.held_controls = HeldControls { held: Some(held), limit: limit.map(after), limit_at: None };
        self.cx.alarm(now + self.config.load_patience, Alarm::LongLoad);
    }
}

impl Task {
    /// Something that the start of a behavior waits for may be part of its load.
    pub(crate) fn is_load(&self) -> bool {
        self.owner.is_some() && matches!(self.role, Role::Load | Role::Construct(_) | Role::Hook)
    }
}
