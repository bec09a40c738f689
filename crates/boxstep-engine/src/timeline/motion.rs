//! The motions of timelines: one command for all remaining keys, a pose, and the motion's end.
//!
//! Rules and tests: `docs/reference/semantics/timeline.md`, `docs/reference/semantics/stop.md`.

use super::TimelineRun;
use crate::calls::{CallStart, Calls};
use crate::clock::Alarm;
use crate::context::Context;
use crate::follow_up::FollowUp;
use crate::graph::Graph;
use crate::ids::{BehaviorId, BoxId};
use crate::protocol::CallId;
use crate::resources::Resources;
use crate::run_end::RunEnd;
use crate::services::{ServiceError, Services};
use crate::stop::Stops;
use boxstep_motion::BezierCommand;
use boxstep_types::{Time, Value};
use std::time::Duration;

/// The fraction of full speed at which joints move to the pose of a frame while the cursor is paused.
const POSE_SPEED: f64 = 0.25;

/// How long a behavior that has ended is kept for a motion that runs out. (Our own choice: longer than the answer of a
/// robot takes on a bad network.)
const RUN_OUT: Duration = Duration::from_secs(1);

/// A motion that its timeline has let run out at its end. The robot lags behind the cursor by the time that the command
/// took to reach it, and must still arrive at the last key.
pub(crate) struct RunOut {
    call: CallId,
    /// The timeline.
    pub(crate) of: BoxId,
    /// The time at which the cursor was at the end.
    pub(crate) since: Time,
}

impl TimelineRun {
    /// Returns whether the current motion goes beyond the timeline's end.
    fn moves_beyond_end(&self) -> bool {
        let last = self.curves.iter().filter(|c| !c.muted()).filter_map(|c| c.keys().last());
        last.into_iter().any(|key| key.time > self.end as f64)
    }
}

impl Graph {
    /// Takes the motion that is under way; it is to be stopped.
    pub(crate) fn take_motion(&mut self, id: BoxId) -> Option<CallId> {
        self.timeline_mut(id)?.motion.take()
    }

    /// Stops the cursor for an unload: no further frame is reached. Returns the motion, which is to be stopped too.
    pub(crate) fn stop_clock(&mut self, cx: &Context, id: BoxId) -> Option<CallId> {
        let now = cx.now();
        if let Some(t) = self.timeline_mut(id) {
            t.rebase(now);
            t.since = None;
            t.waiting = false;
        }
        self.take_motion(id)
    }

    /// Returns the motion command for all remaining keys; none if no keys remain.
    pub(crate) fn motion_args(&self, id: BoxId) -> Option<Vec<Value>> {
        let t = self.timeline(id)?;
        let command = BezierCommand::from_timeline(&t.curves, t.frame as f64, t.fps.into());
        (!command.is_empty()).then(|| command.to_args().into())
    }

    /// Leaves out, once, the curves of joints that the robot does not have: a robot refuses a whole motion for one
    /// unknown name, and a timeline for another body must still play what this one can. The timeline keeps its length.
    pub(crate) fn fit_to_robot(&mut self, cx: &mut Context, services: &mut dyn Services, id: BoxId) {
        if self.timeline(id).is_none_or(|t| t.fitted) {
            return;
        }
        let Some(joints) = services.joint_names(cx.now()) else { return };
        let Some(t) = self.timeline_mut(id) else { return };
        let unknown = t.take_unknown(&joints);
        let missed: Vec<&str> =
            unknown.iter().filter(|c| !c.muted() && !c.keys().is_empty()).map(|c| &**c.actuator()).collect();
        if !missed.is_empty() {
            let path = self.path_of(id);
            let text = format!("this robot has no {}: the timeline moves its other joints", missed.join(", "));
            cx.warn(path, text);
        }
    }
}

impl Stops {
    // ---- the end -------------------------------------------------------------------------------

    /// Takes the motion of a timeline, which runs out instead of being cut off, if all its keys lie before the end.
    pub(crate) fn release_motion(&mut self, graph: &mut Graph, of: BoxId) -> Vec<FollowUp> {
        let Some(t) = graph.timeline_mut(of).filter(|t| !t.moves_beyond_end()) else { return Vec::new() };
        let Some(call) = t.motion.take() else { return Vec::new() };
        // A motion that still runs out from the previous play is late by a whole play.
        let late = self.take_run_outs(|timeline| timeline == of).into_iter().map(FollowUp::StopCall);
        late.chain([FollowUp::LetRunOut(of, call)]).collect()
    }

    /// Lets a motion run out, unless it has ended.
    pub(crate) fn let_run_out(&mut self, cx: &Context, calls: &Calls, of: BoxId, call: CallId) {
        if calls.running(call) {
            self.run_outs.push(RunOut { call, of, since: cx.now() });
        }
    }

    /// Pauses a timeline, and stops what runs out of its earlier motions.
    pub(crate) fn pause_timeline(&mut self, resources: &mut Resources, id: BoxId) -> Vec<FollowUp> {
        resources.hold_play(id, false);
        let late = self.take_run_outs(|of| of == id).into_iter().map(FollowUp::StopCall);
        late.chain([FollowUp::PauseTimeline(id)]).collect()
    }

    /// Takes out the motions that run out for some timelines; they are to be stopped.
    pub(crate) fn take_run_outs(&mut self, which: impl Fn(BoxId) -> bool) -> Vec<CallId> {
        self.run_outs.extract_if(.., |r| which(r.of)).map(|r| r.call).collect()
    }

    /// Handles the end of a call. Returns whether the call was a motion that runs out.
    pub(crate) fn forget_run_out(&mut self, call: CallId) -> bool {
        let before = self.run_outs.len();
        self.run_outs.retain(|r| r.call != call);
        self.run_outs.len() < before
    }

    /// Limits the time of motions that run out when everything else of their behavior is done: a moment if the behavior
    /// has ended by itself. Otherwise they are taken out, to be stopped.
    pub(crate) fn await_run_outs(
        &mut self,
        cx: &mut Context,
        graph: &Graph,
        end: &RunEnd,
        id: BehaviorId,
    ) -> Vec<CallId> {
        let own = |timeline: BoxId| graph.boxes[timeline.index()].behavior == id;
        if end.has_begun() {
            return self.take_run_outs(own);
        }
        let at = cx.now() + RUN_OUT;
        for run_out in self.run_outs.iter().filter(|r| own(r.of)) {
            cx.alarm(at, Alarm::RunOut(run_out.call));
        }
        Vec::new()
    }

    pub(crate) fn runs_out(&self, call: CallId) -> bool {
        self.run_outs.iter().any(|r| r.call == call)
    }

    pub(crate) fn run_outs_of(&self, graph: &Graph, id: BehaviorId) -> impl Iterator<Item = &RunOut> {
        self.run_outs.iter().filter(move |r| graph.boxes[r.of.index()].behavior == id)
    }
}

impl Graph {
    // ---- commands ------------------------------------------------------------------------------

    /// Keeps the call of a motion that the robot has begun, so that it can be stopped.
    ///
    /// # Errors
    /// Returns why the robot refuses the motion.
    pub(crate) fn motion_begun(&mut self, id: BoxId, begun: CallStart) -> Result<(), ServiceError> {
        match begun {
            CallStart::Pending(call) => {
                if let Some(t) = self.timeline_mut(id) {
                    t.motion = Some(call);
                }
                Ok(())
            }
            CallStart::Ready(result) => result.map(drop),
        }
    }

    /// Returns the command that moves the joints to the pose of the cursor's frame; none if the timeline has no curves.
    pub(crate) fn pose_args(&self, id: BoxId) -> Option<[Value; 3]> {
        let t = self.timeline(id)?;
        let mut names = Vec::new();
        let mut values = Vec::new();
        for curve in t.curves.iter().filter(|c| !c.muted()) {
            if let Some(baked) = curve.curve() {
                names.push(Value::Str(curve.actuator().clone()));
                values.push(Value::Float(baked.sample(t.frame as f64) * curve.unit().scale(curve.actuator())));
            }
        }
        (!names.is_empty()).then(|| [Value::from(names), Value::from(values), Value::Float(POSE_SPEED)])
    }
}
