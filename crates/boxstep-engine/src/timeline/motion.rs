//! The motions of timelines: one command for all that remains, a pose, and what becomes of a motion at the end.
//!
//! Rules and tests: `docs/semantics/timeline.md`, `docs/semantics/stop.md`.

use super::TimelineRun;
use crate::Engine;
use crate::calls::Begun;
use crate::clock::Alarm;
use crate::graph::Graph;
use crate::ids::{BehaviorId, BoxId};
use crate::protocol::CallId;
use crate::stop::Stops;
use boxstep_motion::BezierCommand;
use boxstep_types::{Time, Value};
use std::sync::Arc;
use std::time::Duration;

/// Fraction of the full speed at which joints go to the pose of a frame while the cursor is paused.
const POSE_SPEED: f64 = 0.25;

/// How long a behavior that has ended is kept for a motion that runs out. (Ours: longer than a robot's answer takes on a bad network.)
const RUN_OUT: Duration = Duration::from_secs(1);

/// A motion that its timeline has let go at its end. The robot has it a moment later than the cursor, by the time that the
/// command took to get there, and shall come to the last key.
pub(crate) struct RunOut {
    call: CallId,
    /// The timeline.
    pub(crate) of: BoxId,
    /// When the cursor was at the end.
    pub(crate) since: Time,
}

impl TimelineRun {
    /// Does the motion that is under way go on beyond the end?
    fn moves_beyond_end(&self) -> bool {
        let last = self.curves.iter().filter(|c| !c.muted()).filter_map(|c| c.keys().last());
        last.into_iter().any(|key| key.time > self.end as f64)
    }
}

impl Graph {
    /// The motion for all that remains; none if nothing does.
    pub(super) fn motion_args(&self, id: BoxId) -> Option<Vec<Value>> {
        let t = self.timeline(id)?;
        let command = BezierCommand::from_timeline(&t.curves, t.frame as f64, t.fps.into());
        (!command.is_empty()).then(|| command.to_args().into())
    }
}

impl Stops {
    pub(crate) fn runs_out(&self, call: CallId) -> bool {
        self.run_outs.iter().any(|r| r.call == call)
    }

    pub(crate) fn run_outs_of(&self, graph: &Graph, id: BehaviorId) -> impl Iterator<Item = &RunOut> {
        self.run_outs.iter().filter(move |r| graph.boxes[r.of.index()].behavior == id)
    }
}

impl Engine {
    pub(super) fn stop_motion(&mut self, id: BoxId) {
        if let Some(call) = self.graph.timeline_mut(id).and_then(|t| t.motion.take()) {
            self.stop_call(call);
        }
    }

    // ---- the end -------------------------------------------------------------------------------

    /// The cursor has come to the end by itself: a motion whose keys lie before it is not cut off, only let go.
    pub(super) fn let_run_out(&mut self, of: BoxId) {
        let Some(t) = self.graph.timeline_mut(of).filter(|t| !t.moves_beyond_end()) else { return };
        let Some(call) = t.motion.take() else { return };
        // One that has not even ended by now is a whole play late.
        self.stop_run_outs(|late| late == of);
        if self.calls.running(call) {
            self.stops.run_outs.push(RunOut { call, of, since: self.cx.now() });
        }
    }

    /// Stops what runs out of some timelines.
    pub(crate) fn stop_run_outs(&mut self, which: impl Fn(BoxId) -> bool) {
        let all = std::mem::take(&mut self.stops.run_outs);
        let (stopped, kept) = all.into_iter().partition(|r: &RunOut| which(r.of));
        self.stops.run_outs = kept;
        let stopped: Vec<RunOut> = stopped;
        for run_out in stopped {
            self.stop_call(run_out.call);
        }
    }

    /// A call has ended.
    pub(crate) fn ran_out(&mut self, call: CallId) {
        let before = self.stops.run_outs.len();
        self.stops.run_outs.retain(|r| r.call != call);
        if self.stops.run_outs.len() < before {
            self.robot_rests();
        }
    }

    /// A behavior is done but for its motions: they have a moment more if it has ended by itself, and none otherwise.
    pub(crate) fn await_run_outs(&mut self, id: BehaviorId) {
        if self.end.has_begun() {
            return self.stop_run_outs_of(id);
        }
        let at = self.cx.now() + RUN_OUT;
        for run_out in self.stops.run_outs.iter().filter(|r| self.graph.boxes[r.of.index()].behavior == id) {
            self.cx.alarm(at, Alarm::RunOut(run_out.call));
        }
    }

    /// Stops what runs out of a behavior's timelines.
    pub(crate) fn stop_run_outs_of(&mut self, id: BehaviorId) {
        let of: Vec<BoxId> = self.stops.run_outs_of(&self.graph, id).map(|r| r.of).collect();
        self.stop_run_outs(|b| of.contains(&b));
    }

    /// A motion has had its moment.
    pub(crate) fn run_out_due(&mut self, call: CallId) {
        if self.stops.runs_out(call) {
            self.stop_call(call);
        }
    }

    // ---- commands ------------------------------------------------------------------------------

    /// Leaves out, once, the curves of joints that the robot does not have: a robot refuses a whole motion for one
    /// unknown name, and a timeline drawn for another body shall play what this one can. Its length stays.
    pub(super) fn fit_to_robot(&mut self, id: BoxId) {
        if self.graph.timeline(id).is_none_or(|t| t.fitted) {
            return;
        }
        let Some(joints) = self.services.joint_names(self.cx.now()) else { return };
        let Some(t) = self.graph.timeline_mut(id) else { return };
        let unknown = t.leave_out(&joints);
        let missed: Vec<&str> =
            unknown.iter().filter(|c| !c.muted() && !c.keys().is_empty()).map(|c| &**c.actuator()).collect();
        if !missed.is_empty() {
            let path = self.graph.path_of(id);
            let text = format!("this robot has no {}: the timeline moves its other joints", missed.join(", "));
            self.cx.warn(path, text);
        }
    }

    pub(super) fn send_motion(&mut self, id: BoxId, args: &[Value]) {
        let path = self.graph.path_of(id);
        let cause = self.cx.cause;
        let (service, method): (Arc<str>, Arc<str>) = ("ALMotion".into(), "angleInterpolationBezier".into());
        match self.begin_call(path, 0, &service, &method, args) {
            Begun::Pending(call) => {
                if let Some(t) = self.graph.timeline_mut(id) {
                    t.motion = Some(call);
                }
            }
            Begun::Ready(Ok(_)) => {}
            Begun::Ready(Err(error)) => self.cx.warn(path, error.message(&service, &method)),
        }
        self.cx.cause = cause;
    }

    /// Moves the joints to the pose of a frame, for a goto while the cursor rests.
    pub(super) fn send_pose(&mut self, id: BoxId) {
        self.fit_to_robot(id);
        let Some(t) = self.graph.timeline(id) else { return };
        let mut names = Vec::new();
        let mut values = Vec::new();
        for curve in t.curves.iter().filter(|c| !c.muted()) {
            if let Some(baked) = curve.curve() {
                names.push(Value::Str(curve.actuator().clone()));
                values.push(Value::Float(baked.sample(t.frame as f64) * curve.unit().scale(curve.actuator())));
            }
        }
        if names.is_empty() {
            return;
        }
        let args = [Value::from(names), Value::from(values), Value::Float(POSE_SPEED)];
        let path = self.graph.path_of(id);
        let cause = self.cx.cause;
        if let Begun::Pending(call) =
            self.begin_call(path, 0, &"ALMotion".into(), &"angleInterpolationWithSpeed".into(), &args)
            && let Some(t) = self.graph.timeline_mut(id)
        {
            t.motion = Some(call);
        }
        self.cx.cause = cause;
    }
}
