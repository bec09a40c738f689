//! Controls that wait until the played behavior has started, however long its load takes: the times of controls count
//! from the start (`docs/reference/semantics/order.md`).

use crate::clock::Alarm;
use crate::config::{Config, Control};
use crate::context::Context;
use crate::graph::Graph;
use crate::tasks::{Role, Task, TaskState, Tasks};
use boxstep_types::Time;
use std::time::Duration;

/// Controls that are pending.
#[derive(Default)]
pub(crate) struct HeldControls {
    /// The pending controls, each with its delay after the start. `None` if no start is pending: then controls are
    /// timers.
    held: Option<Vec<(Duration, Control)>>,
    /// The delay of the run's limit after the start.
    limit: Option<Duration>,
    /// The time of the limit, once it is known.
    limit_at: Option<Time>,
}

impl HeldControls {
    /// Sets the time of the run's limit, which counts from the start of the behavior if that is pending.
    pub(crate) fn set_limit(&mut self, at: Time) {
        self.limit_at = Some(at);
    }

    /// Returns whether the run has reached its limit.
    pub(crate) fn limit_is_reached(&self, now: Time) -> bool {
        self.limit_at.is_some_and(|at| at <= now)
    }

    pub(crate) fn holds_controls(&self) -> bool {
        self.held.as_ref().is_some_and(|held| !held.is_empty())
    }

    pub(crate) fn is_loading(&self) -> bool {
        self.held.is_some()
    }

    /// Schedules a control at a time, which counts from the start of the behavior if that is pending.
    pub(crate) fn schedule(&mut self, cx: &mut Context, at: Time, what: Control) {
        let now = cx.now();
        match &mut self.held {
            Some(held) => held.push((at.since(now), what)),
            _ => cx.alarm(at, Alarm::Control(what)),
        }
    }

    /// Schedules the pending controls from now on, because the played behavior has started or never will.
    pub(crate) fn release_controls(&mut self, cx: &mut Context) {
        let HeldControls { held: Some(held), limit, .. } = std::mem::take(self) else { return };
        cx.timers.retain(|alarm| !matches!(alarm, Alarm::LongLoad));
        let now = cx.now();
        self.limit_at = limit.map(|after| now + after);
        for (after, control) in held {
            cx.alarm(now + after, Alarm::Control(control));
        }
    }

    /// Stops waiting for a load that takes so long that it may never end, and warns of the scripts that it waits for.
    pub(crate) fn long_load(&mut self, cx: &mut Context, graph: &Graph, tasks: &Tasks) {
        if !self.holds_controls() {
            return;
        }
        let loads = |(_, t): (_, &Task)| {
            (t.is_load() && t.state != TaskState::Queued).then(|| (t.place, graph.name_of_task(t.place, &t.what)))
        };
        let loading: Vec<_> = tasks.iter().filter_map(loads).collect();
        for (place, what) in loading {
            let times = "times relative to the start of the behavior count from now";
            cx.warn(graph.place_path(place), format!("{what} has not ended: {times}"));
        }
        self.release_controls(cx);
    }

    /// Holds controls while the played behavior loads: those already scheduled will count from its start.
    pub(crate) fn hold_controls(&mut self, cx: &mut Context, config: &Config) {
        let now = cx.now();
        let after = |at: Time| at.since(now);
        let limit = self.limit_at.take();
        let held = cx.timers.take_controls().into_iter().map(|(at, control)| (after(at), control)).collect();
        *self = HeldControls { held: Some(held), limit: limit.map(after), limit_at: None };
        cx.alarm(now + config.load_patience, Alarm::LongLoad);
    }
}

impl Task {
    /// Returns whether the task may be part of the load that the start of a behavior waits for.
    pub(crate) fn is_load(&self) -> bool {
        self.owner.is_some() && matches!(self.role, Role::Load | Role::Construct(_) | Role::Hook)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::ClockKind;
    use crate::tracer::Tracer;

    fn event(key: &str) -> Control {
        Control::Event { key: key.to_owned(), value: boxstep_types::Value::Null }
    }

    fn due(cx: &mut Context) -> Vec<(Time, String)> {
        let timers = std::iter::from_fn(|| cx.timers.pop());
        timers
            .filter_map(|(at, alarm)| match alarm {
                Alarm::Control(Control::Event { key, .. }) => Some((at, key)),
                _ => None,
            })
            .collect()
    }

    #[test]
    fn controls_and_the_limit_count_from_the_start_however_long_the_load_takes() {
        let seconds = |n: i64| Time::from_millis(n * 1000);
        let mut cx = Context::new(ClockKind::Virtual, Tracer::default());
        let mut controls = HeldControls::default();
        controls.set_limit(seconds(9));
        controls.schedule(&mut cx, seconds(2), event("before"));
        controls.hold_controls(&mut cx, &Config::default());
        assert!(controls.holds_controls() && !controls.limit_is_reached(seconds(99)));
        cx.clock.advance(seconds(5));
        controls.schedule(&mut cx, seconds(6), event("meanwhile"));
        controls.release_controls(&mut cx);
        assert!(!controls.is_loading());
        assert_eq!(due(&mut cx), [(seconds(6), "meanwhile".to_owned()), (seconds(7), "before".to_owned())]);
        assert!(!controls.limit_is_reached(seconds(13)) && controls.limit_is_reached(seconds(14)));
    }
}
