//! What follows from the decision of a part. The part cannot do it by itself, because other parts take part in it: the
//! engine does it at once, in the order in which the part returns it.

use crate::Engine;
use crate::ids::BoxId;
use crate::procedures::ProcKind;
use crate::protocol::CallId;
use crate::services::ServiceError;
use crate::trace::EndReason;
use boxstep_types::Value;

/// Something that follows at once.
pub(crate) enum FollowUp {
    /// A procedure begins.
    Begin(ProcKind),
    /// A call is cancelled.
    StopCall(CallId),
    /// A call is complete.
    CompleteCall(CallId, Result<Value, ServiceError>),
    /// Every behavior stops, and the run ends for this reason.
    StopAll(EndReason),
    /// A timeline continues from its cursor's frame: the cursor moves, and the motion is sent.
    ContinueTimeline(BoxId),
    /// A timeline whose cursor has come to the end by itself lets its motion run out, and ends.
    RunOut(BoxId),
    /// A timeline ends.
    EndTimeline(BoxId),
    /// The robot takes the pose of the frame of a timeline that rests there.
    ShowPose(BoxId),
    /// The timer for the next frame of a timeline is set, with the event that made its cursor move as the cause.
    Arm(BoxId, u64),
}

impl From<ProcKind> for FollowUp {
    fn from(kind: ProcKind) -> Self {
        Self::Begin(kind)
    }
}

impl From<CallId> for FollowUp {
    fn from(call: CallId) -> Self {
        Self::StopCall(call)
    }
}

impl From<(CallId, Result<Value, ServiceError>)> for FollowUp {
    fn from((call, result): (CallId, Result<Value, ServiceError>)) -> Self {
        Self::CompleteCall(call, result)
    }
}

impl Engine {
    /// Does what follows, in order.
    pub(crate) fn follow_up<F: Into<FollowUp>>(&mut self, all: impl IntoIterator<Item = F>) {
        for next in all {
            match next.into() {
                FollowUp::Begin(kind) => drop(self.spawn(kind)),
                FollowUp::StopCall(call) => drop(self.stop_call(call)),
                FollowUp::CompleteCall(call, result) => self.complete_call(call, result),
                FollowUp::StopAll(reason) => self.stop_all(reason),
                FollowUp::ContinueTimeline(id) => self.continue_timeline(id),
                FollowUp::RunOut(id) => {
                    self.let_run_out(id);
                    self.end_timeline(id);
                }
                FollowUp::EndTimeline(id) => self.end_timeline(id),
                FollowUp::ShowPose(id) => self.show_pose(id),
                FollowUp::Arm(id, cause) => {
                    self.cx.cause = cause;
                    self.graph.arm(&mut self.cx, id);
                }
            }
        }
    }
}
