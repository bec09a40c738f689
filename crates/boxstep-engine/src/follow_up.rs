//! What follows from the decision of a part. The part cannot do it by itself, because other parts take part in it: the
//! engine does it at once, in the order in which the part returns it.

use crate::Engine;
use crate::behaviors::Restart;
use crate::calls::CallStart;
use crate::clock::Alarm;
use crate::context::Cause;
use crate::ids::{BehaviorId, BoxId, ProcId};
use crate::procedures::ProcKind;
use crate::protocol::CallId;
use crate::resources::{Demand, Freed, Owner};
use crate::runner::{Go, NotHosted};
use crate::services::ServiceError;
use crate::trace::{EndReason, PathId, ResourcePhase};
use boxstep_types::{Time, Value};
use std::sync::Arc;

/// Something that follows at once.
pub(crate) enum FollowUp {
    /// A procedure begins.
    Begin(ProcKind),
    /// A call is cancelled.
    StopCall(CallId),
    /// A call is complete.
    CompleteCall(CallId, Result<Value, ServiceError>),
    /// The start of a box that has waited for its resources continues. If set, they have been granted.
    AnswerStart(ProcId, bool),
    /// A request for resources is withdrawn. If set, its owner waits for the result.
    Withdraw(u32, ResourcePhase, bool),
    /// The line of waiters is served, if one of them waits for this request, which has been withdrawn.
    ServeBehind(u32),
    /// The line of waiters is served.
    ServeClaims,
    /// A request reaches a holder, which reacts to it.
    Demand(Box<Demand>),
    /// An owner releases some of its resources.
    Release(Owner, Freed),
    /// Every behavior stops, and the run ends for this reason.
    StopAll(EndReason),
    /// A behavior stops for this reason.
    StopBehavior(BehaviorId, EndReason),
    /// Timers that would do nothing any more are dropped, if there are many. They would otherwise remain until their
    /// time, while thousands of behaviors may come and go.
    DropStaleTimers,
    /// A behavior that has been unloaded is loaded again, if calls have waited for this.
    Restart(BehaviorId),
    /// The robot's clients are told that other behaviors run now.
    BehaviorsChanged,
    /// The cursor of a timeline stops at its current frame, and the motion stops.
    PauseTimeline(BoxId),
    /// The state machine that a timeline drives resumes, if it is paused.
    ResumeDrivenMachine(BoxId),
    /// The same, but only if the box of the timeline has its resources.
    ResumeFreeMachine(BoxId),
    /// The state machine that a timeline drives pauses.
    PauseDrivenMachine(BoxId),
    /// A state machine resumes, if it is paused.
    ResumeMachine(BoxId),
    /// The timed transition of a state machine's current state is scheduled.
    TimeState(BoxId),
    /// A runner stops. Behaviors that need time to wind down have it until this time.
    StopRunner(u32, Time),
    /// A runner stops for which a stop came while it was on its thread.
    StopWaitingRunner(u32),
    /// A command goes to the thread of a runner.
    CommandRunner(u32, Go),
    /// A runner was told to stop: its events, claims and calls are taken over.
    RunnerStopped(u32),
    /// The same after a tick, and the next tick is scheduled.
    RunnerTicked(u32),
    /// A timeline continues from its cursor's frame: the cursor moves, and the motion is sent.
    ContinueTimeline(BoxId),
    /// The motion of a timeline whose joints are free is sent, and the cursor moves.
    SendMotion(BoxId),
    /// A timeline whose cursor has come to the end by itself lets its motion run out, and ends.
    RunOut(BoxId),
    /// The motion of a timeline runs out.
    LetRunOut(BoxId, CallId),
    /// A timeline ends.
    EndTimeline(BoxId),
    /// The robot takes the pose of the frame of a timeline that rests there.
    ShowPose(BoxId),
    /// A method of the robot's dialog engine is called for a box, with this argument.
    CallDialog(BoxId, &'static str, Arc<str>),
    /// Activates the topics of a behavior that has started.
    ReleaseDialogs(BehaviorId),
    /// The topic of a dialog box gets an event, with this value.
    DialogInput(BoxId, Arc<str>, Value),
    /// The timer for the next frame of a timeline is set, with the event that made its cursor move as the cause.
    Arm(BoxId, Cause),
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
                FollowUp::Begin(kind) => self.spawn(kind),
                FollowUp::StopCall(call) => drop(self.stop_call(call)),
                FollowUp::CompleteCall(call, result) => self.complete_call(call, result),
                FollowUp::AnswerStart(proc, granted) => self.procs.proc_resource(&mut self.cx, proc, granted),
                FollowUp::Withdraw(serial, what, reports) => {
                    let (others, real) = ((&self.behaviors, &self.runners), self.services.is_real());
                    let (cx, graph) = (&mut self.cx, &self.graph);
                    let result = self.resources.withdraw(cx, graph, others, &self.calls, real, (serial, what));
                    self.follow_up(result.filter(|_| reports));
                }
                FollowUp::ServeBehind(serial) if !self.resources.lets_continue(serial) => {}
                FollowUp::ServeBehind(_) | FollowUp::ServeClaims => self.serve(),
                FollowUp::Demand(demand) => self.demand(*demand),
                FollowUp::Release(owner, freed) => self.release_claims(&owner, &freed),
                FollowUp::StopAll(reason) => {
                    let next = self.end.stop_all(&self.cx, &self.behaviors, &self.runners, reason);
                    self.follow_up(next);
                }
                FollowUp::StopBehavior(id, reason) => {
                    let next = self.behaviors.stop(
                        &mut self.cx,
                        &mut self.graph,
                        &mut self.procs,
                        &self.tasks,
                        &self.end,
                        (id, reason),
                    );
                    self.follow_up(next);
                }
                FollowUp::DropStaleTimers if !self.cx.timers.crowded() => {}
                FollowUp::DropStaleTimers => {
                    let mut timers = std::mem::take(&mut self.cx.timers);
                    // The robot must get its own timers to forget them, and controls are due in any case.
                    timers.retain(|alarm| matches!(alarm, Alarm::Robot(_) | Alarm::Control(_)) || self.alive(alarm));
                    self.cx.timers = timers;
                }
                FollowUp::Restart(id) => {
                    self.no_longer_await(id);
                    match self.behaviors.take_restart(&self.end, id) {
                        Restart::No => {}
                        Restart::Refused(calls) => self.follow_up(calls),
                        Restart::Yes { start } => {
                            self.behaviors.reset(&self.cx, &mut self.graph, &mut self.fast_path, &mut self.factory, id);
                            let load = self.behaviors.load(&mut self.cx, &self.graph, id, start);
                            self.spawn(load);
                        }
                    }
                }
                FollowUp::BehaviorsChanged => self.calls.behaviors_changed(&mut self.cx, &self.behaviors),
                FollowUp::StopRunner(index, deadline) => {
                    let next = self.runners.stop(index, deadline);
                    self.follow_up(next);
                }
                FollowUp::StopWaitingRunner(index) => {
                    let deadline = self.runners.take_stop(index);
                    self.follow_up(deadline.map(|deadline| FollowUp::StopRunner(index, deadline)));
                }
                FollowUp::CommandRunner(index, go) => drop(self.command_thread(index, Some(go))),
                FollowUp::RunnerStopped(index) => {
                    self.runners.trace_runner(&mut self.cx, index);
                    self.serve_runner(index);
                    self.runners.catch_up(&mut self.cx, index);
                }
                FollowUp::RunnerTicked(index) => {
                    let due = self.runners.next_tick(&self.cx, index);
                    self.runners.trace_runner(&mut self.cx, index);
                    if let Err(NotHosted::NoTopic(topic, _)) = self.listen_runner(index) {
                        let text = format!("a behavior has subscribed to {topic}, which does not exist");
                        self.cx.warn(PathId(0), text);
                    }
                    self.serve_runner(index);
                    if self.runners.ticks(index) {
                        self.cx.alarm(due, Alarm::Tick(index));
                    }
                }
                FollowUp::PauseTimeline(id) => {
                    let motion = self.graph.pause_timeline(&mut self.cx, id);
                    self.follow_up(motion);
                }
                FollowUp::ResumeDrivenMachine(id) => {
                    let machine = self.graph.driven_machine(id);
                    self.follow_up(machine.map(FollowUp::ResumeMachine));
                }
                FollowUp::ResumeFreeMachine(id) if self.resources.paused(id) => {}
                FollowUp::ResumeFreeMachine(id) => self.follow_up([FollowUp::ResumeDrivenMachine(id)]),
                FollowUp::PauseDrivenMachine(id) => self.graph.pause_machine_of(&self.cx, id),
                FollowUp::ResumeMachine(id) => {
                    let next = self.graph.resume_machine(self.cx.now(), id);
                    self.follow_up(next);
                }
                FollowUp::TimeState(id) => self.graph.time_current_state(&mut self.cx, id),
                FollowUp::ContinueTimeline(id) => {
                    let motion = self.graph.take_motion(id);
                    self.follow_up(motion);
                    self.graph.fit_to_robot(&mut self.cx, &mut *self.services, id);
                    let Some(args) = self.graph.motion_args(id) else {
                        self.graph.arm(&mut self.cx, id);
                        continue;
                    };
                    let free = self.graph.asks_for_joints(id).is_none_or(|ask| {
                        let answer = self.call_for(id, "ALMotion", ask, args.get(..1).unwrap_or_default());
                        self.graph.joints_asked(&mut self.cx, &mut self.calls, id, answer)
                    });
                    self.follow_up(free.then_some(FollowUp::SendMotion(id)));
                }
                FollowUp::SendMotion(id) => {
                    if let Some(args) = self.graph.begin_motion(&mut self.cx, id) {
                        let (service, method) = ("ALMotion", "angleInterpolationBezier");
                        let begun = self.call_for(id, service, method, &args);
                        if let Err(error) = self.graph.motion_begun(id, begun) {
                            self.cx.warn(self.graph.path_of(id), error.message(service, method));
                        }
                    }
                    self.graph.arm(&mut self.cx, id);
                }
                FollowUp::RunOut(id) => {
                    let next = self.stops.release_motion(&mut self.graph, id);
                    self.follow_up(next);
                    self.follow_up([FollowUp::EndTimeline(id)]);
                }
                FollowUp::LetRunOut(id, call) => self.stops.let_run_out(&self.cx, &self.calls, id, call),
                FollowUp::EndTimeline(id) => {
                    let motion = self.graph.rest_at_end(&mut self.cx, id);
                    self.follow_up(motion);
                    self.graph.timeline_ended(&mut self.cx, &self.callbacks, id);
                }
                FollowUp::CallDialog(id, method, arg) => {
                    if let CallStart::Ready(Err(error)) = self.call_for(id, "ALDialog", method, &[Value::Str(arg)]) {
                        self.cx.warn(self.graph.path_of(id), error.message("ALDialog", method));
                    }
                }
                FollowUp::ReleaseDialogs(id) => {
                    let next = self.dialogs.release(&self.graph, id);
                    self.follow_up(next);
                }
                FollowUp::DialogInput(id, key, value) => match self.dialogs.connection(id) {
                    Some((topic, true)) => self.with_services(|s, cx| s.dialog_input(cx, &topic, &key, value)),
                    Some((_, false)) => self.with_services(|s, cx| s.raise(cx, &key, value)),
                    None => {}
                },
                // Without its resources the box does not move.
                FollowUp::ShowPose(id) if self.resources.paused(id) => {}
                FollowUp::ShowPose(id) => {
                    let motion = self.graph.take_motion(id);
                    self.follow_up(motion);
                    let late = self.stops.take_run_outs(|of| of == id);
                    self.follow_up(late);
                    self.graph.fit_to_robot(&mut self.cx, &mut *self.services, id);
                    if let Some(args) = self.graph.pose_args(id) {
                        let begun = self.call_for(id, "ALMotion", "angleInterpolationWithSpeed", &args);
                        // The trace already has the robot's refusal, and nothing depends on the pose.
                        let _ = self.graph.motion_begun(id, begun);
                    }
                }
                FollowUp::Arm(id, cause) => {
                    self.cx.begin(cause);
                    self.graph.arm(&mut self.cx, id);
                }
            }
        }
    }
}
