//! How a timeline handles joints that another motion uses: it sends its own motion anyway, waits, or ends the other
//! one.
//!
//! The conflict is between ALMotion's own tasks, not between the resources of boxes. Public source: "Resources
//! acquisition" in "The timeline panel" (Choregraphe reference, obsolete there); rules and tests:
//! `docs/reference/semantics/resources.md`.

use crate::calls::{CallStart, Calls, Then};
use crate::clock::Alarm;
use crate::context::Context;
use crate::follow_up::FollowUp;
use crate::graph::Graph;
use crate::ids::BoxId;
use crate::trace::{Kind, TimelinePhase};
use boxstep_format::model::ResourceAcquisition;
use boxstep_types::{Time, Value};

impl Graph {
    /// Returns when to check the joints again. In virtual time they cannot change before the next event, so this is the
    /// first frame after that.
    pub(crate) fn next_joint_check(&self, id: BoxId, at: Time, happens: Time) -> Time {
        let Some(t) = self.timeline(id) else { return at };
        let period = Time::of_frames(1, t.fps).0.max(1);
        let frames = (happens.0.saturating_sub(at.0)).max(0).saturating_add(period - 1) / period;
        Time(at.0.saturating_add(frames.saturating_mul(period)))
    }

    pub(crate) fn joints_awaited(&self, id: BoxId, serial: u32) -> bool {
        self.timeline(id).is_some_and(|t| t.serial == serial && t.waiting)
    }

    /// Keeps the cursor where it is until the joints are free.
    fn hold_cursor(&mut self, cx: &mut Context, id: BoxId) -> u32 {
        let (now, cause) = (cx.now(), cx.cause());
        let Some(t) = self.timeline_mut(id) else { return 0 };
        t.rebase(now);
        t.since = None;
        t.cause = cause;
        let (first, frame, serial) = (!std::mem::replace(&mut t.waiting, true), t.frame, t.serial);
        if first {
            let path = self.path_of(id);
            cx.note(path, Kind::Timeline { command: TimelinePhase::Wait, frame });
        }
        serial
    }

    /// Schedules the next check of the joints, one frame later.
    fn check_joints_later(&self, cx: &mut Context, id: BoxId, serial: u32) {
        let Some(t) = self.timeline(id) else { return };
        let at = cx.now() + Time::of_frames(1, t.fps);
        cx.alarm(at, Alarm::Joints(id, serial, cx.fired));
    }

    /// Checks the joints again, if a timeline still waits for them.
    pub(crate) fn joints_due(&self, cx: &mut Context, id: BoxId, serial: u32) -> Option<FollowUp> {
        let t = self.timeline(id).filter(|t| t.serial == serial && t.waiting)?;
        cx.begin(t.cause);
        Some(FollowUp::ContinueTimeline(id))
    }

    /// Handles an asynchronous answer of the robot, whether the joints are free. If not, they are checked again later.
    pub(crate) fn joints_answered(
        &self,
        cx: &mut Context,
        id: BoxId,
        serial: u32,
        answer: Result<Value, String>,
    ) -> Option<FollowUp> {
        let t = self.timeline(id).filter(|t| t.serial == serial && t.waiting)?;
        cx.begin(t.cause);
        if matches!(answer, Ok(answer) if busy(&answer)) {
            self.check_joints_later(cx, id, serial);
            return None;
        }
        Some(FollowUp::SendMotion(id))
    }
}

impl Graph {
    /// The method of ALMotion that asks for the joints of a motion before it is sent; none if the timeline does not ask.
    pub(crate) fn asks_for_joints(&self, id: BoxId) -> Option<&'static str> {
        match self.timeline(id)?.acquisition {
            ResourceAcquisition::Passive => None,
            ResourceAcquisition::Waiting => Some("areResourcesAvailable"),
            ResourceAcquisition::Aggressive => Some("killTasksUsingResources"),
        }
    }

    /// Handles the robot's answer to the request for the joints. Returns false if the cursor has to wait for them.
    pub(crate) fn joints_asked(&mut self, cx: &mut Context, calls: &mut Calls, id: BoxId, answer: CallStart) -> bool {
        let waits = self.timeline(id).is_some_and(|t| t.acquisition == ResourceAcquisition::Waiting);
        match answer {
            CallStart::Ready(Err(error)) => {
                let text = error.message("ALMotion", self.asks_for_joints(id).unwrap_or_default());
                cx.warn(self.path_of(id), format!("{text}: the motion is sent without asking for its joints"));
                true
            }
            CallStart::Ready(Ok(answer)) if waits && busy(&answer) => {
                let serial = self.hold_cursor(cx, id);
                self.check_joints_later(cx, id, serial);
                false
            }
            CallStart::Pending(call) if waits => {
                let serial = self.hold_cursor(cx, id);
                calls.then(call, Then::Joints(id, serial));
                false
            }
            CallStart::Ready(Ok(_)) | CallStart::Pending(_) => true,
        }
    }
}

/// Only an explicit "no" means that the joints are busy.
fn busy(answer: &Value) -> bool {
    matches!(answer, Value::Bool(false) | Value::Int(0))
}
