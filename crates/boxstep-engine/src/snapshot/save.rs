//! Writing a run down.

use super::parts::{BehaviorState, BoxState, Due, InsideOf, Native, TimerState};
use super::{Counts, SCHEMA, Snapshot, SnapshotError};
use crate::Engine;
use crate::calls::Subscriber;
use crate::clock::Alarm;
use crate::config::Control;
use crate::graph::{BehaviorId, BoxId, DiagramId, Inside};
use crate::services::Topic;
use boxstep_types::Time;

impl Engine {
    /// Writes the run down. It is left as it is, and can go on.
    ///
    /// Not in it, because whoever resumes gives them again: the robot, library, native boxes and writers of traces, functions
    /// that are told of something ([`crate::objects`]), options, and a time limit.
    ///
    /// # Errors
    /// Not a quiet point, or something that cannot be written down; see [`SnapshotError`] and
    /// [`Engine::run_until_quiet`].
    pub fn snapshot(&self) -> Result<Snapshot, SnapshotError> {
        self.may_save()?;
        let not_quiet = || SnapshotError::NotQuiet(Vec::new());
        let now = self.clock.now();
        Ok(Snapshot {
            schema: SCHEMA,
            product: format!("boxstep {}", env!("CARGO_PKG_VERSION")),
            t: now,
            seed: self.config.seed,
            random: self.random.clone(),
            scripts: self.config.scripts,
            counts: self.counts(),
            joints: self.config.joints_hz.map(|hz| (hz, self.next_joints)),
            mocks: self.config.mocks.iter().map(|m| m.times).collect(),
            held: self.held,
            played: self.played.map(BehaviorId::index),
            behaviors: (0..self.behaviors.len()).map(|i| self.behavior_state(i)).collect::<Result<_, _>>()?,
            diagrams: self.graph.diagrams.iter().map(|d| d.generation).collect(),
            timers: self.timer_states(),
            resources: self.resources.save(&self.procs).ok_or_else(not_quiet)?,
            topics: self.topics(),
            robot: self.services.save(now).map_err(SnapshotError::Robot)?,
        })
    }

    fn counts(&self) -> Counts {
        let tracer = &self.tracer;
        Counts {
            events: tracer.count(),
            cause: self.cause,
            signals: self.signals,
            happened: self.happened,
            calls: self.calls.made,
            forced: self.stops.forced,
            subscriptions: self.calls.subscriptions,
            errors: tracer.errors,
            unsupported: tracer.unsupported,
            dropped: tracer.dropped,
            warnings: tracer.warnings,
            broken: self.scripts.broken_classes.iter().map(|c| c.0).collect(),
            not_deterministic: tracer.not_deterministic.clone(),
        }
    }

    fn behavior_state(&self, index: usize) -> Result<BehaviorState, SnapshotError> {
        let behavior = &self.behaviors[index];
        Ok(BehaviorState {
            name: behavior.source.name.clone(),
            made_of: super::model::Fingerprint::of(&behavior.source.project),
            running: !behavior.closed(),
            start: behavior.start,
            started: behavior.started,
            used: behavior.used,
            failure: behavior.failure.clone(),
            boxes: behavior.boxes.iter().map(|b| self.box_state(*b)).collect::<Result<_, _>>()?,
        })
    }

    fn box_state(&self, id: BoxId) -> Result<BoxState, SnapshotError> {
        let node = &self.graph.boxes[id.index()];
        let behavior = &self.behaviors[node.behavior.index()];
        let open = !behavior.closed();
        // What is over begins anew with its file's values.
        let over = behavior.closed() && behavior.used;
        if let Some(param) = node.params.iter().find(|p| !over && p.value.holds_object()) {
            return Err(SnapshotError::Object(self.shown(id), param.name.to_string()));
        }
        let value = |p: &crate::graph::Param| if over { p.initial.clone() } else { p.value.clone() };
        let native = self.fast.look_at(id).filter(|_| open).and_then(|body| body.save());
        Ok(BoxState {
            path: self.shown(id),
            life: node.life,
            constructed: node.constructed,
            stops: node.stops,
            parameters: node.params.iter().map(value).collect(),
            home: node.home,
            native: native.map(|saved| Native { saved }),
            inside: node.inside.as_deref().map(inside),
        })
    }

    /// Those that may still do something. Dead ones do nothing, but for the robot's, which it forgets when they come. The
    /// limit is an option of whoever resumes.
    fn timer_states(&self) -> Vec<TimerState> {
        let limit = usize::from(self.config.limit.is_some());
        let all = self.timers.in_order();
        let is_limit = |(n, (t, alarm)): (usize, &(Time, &Alarm))| {
            n < limit && self.config.limit == Some(*t) && matches!(alarm, Alarm::Control(Control::Stop))
        };
        let kept = all.iter().enumerate().filter(|(n, timer)| !is_limit((*n, timer))).map(|(_, timer)| timer);
        let lives = |alarm: &Alarm| self.alive(alarm) || matches!(alarm, Alarm::Control(_) | Alarm::Robot(_));
        kept.filter(|(_, alarm)| lives(alarm))
            .filter_map(|(t, alarm)| Some(TimerState { t: *t, what: Due::of(alarm)? }))
            .collect()
    }

    fn topics(&self) -> Vec<(Topic, Vec<(DiagramId, u16)>)> {
        let input = |s: &Subscriber| match s {
            Subscriber::Input { diagram, input } => Some((*diagram, *input)),
            _ => None,
        };
        self.calls.topics.iter().map(|(t, all)| (t.clone(), all.iter().filter_map(input).collect())).collect()
    }
}

fn inside(inside: &Inside) -> InsideOf {
    InsideOf {
        state: inside.state,
        unwinding: inside.unwinding,
        current: inside.entered(),
        cursor: inside.timeline.save(),
        machine: inside.machine.as_ref().map(|m| m.save()),
        drives: inside.drives,
        driven_by: inside.driven_by,
        flags: inside.flags.clone(),
        flagged: inside.flagged,
    }
}
