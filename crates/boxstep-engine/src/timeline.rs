//! Timelines: the time cursor, behavior keyframes, and the motion command.
//!
//! Frame f is reached (f − start) / fps after play, the start frame at once. One clock drives the cursor and the
//! keyframes. The robot moves the joints: each play or goto sends one `ALMotion.angleInterpolationBezier` for all that
//! remains. Public source: "Timeline" in "Loading, unloading, starting and stopping …" and "The timeline panel"
//! (Choregraphe reference); rules and tests: `docs/reference/semantics/timeline.md`.

mod joints;
mod motion;

pub(crate) use motion::RunOut;

use crate::callbacks::{CallbackEvent, On};
use crate::clock::Alarm;
use crate::context::{Cause, Context};
use crate::event_loop::Work;
use crate::follow_up::FollowUp;
use crate::graph::{Graph, InsideState};
use crate::ids::BoxId;
use crate::lifecycle::{Phase, Step};
use crate::objects::calls::Listeners;
use crate::procedures::ProcKind;
use crate::protocol::{Answer, CallId, Frame, TimelineCommand};
use crate::resources::Resources;
use crate::state_machine::Change;
use crate::stop::Stops;
use crate::trace::{Kind, TimelinePhase};
use boxstep_format::model::{self, ResourceAcquisition};
use boxstep_motion::JointCurve;
use boxstep_types::{Time, Value};
use std::sync::Arc;

/// The speed in frames per second if the file has none.
const DEFAULT_FPS: i32 = 25;

/// A timeline's curves and its cursor.
pub(crate) struct TimelineRun {
    /// Whether the cursor moves. It never does in a flow diagram.
    pub(crate) clocked: bool,
    pub(crate) start: i64,
    /// The last frame; 0 if the timeline never ends.
    end: i64,
    curves: Vec<JointCurve>,
    /// Whether the curves of joints that the robot does not have have been removed.
    fitted: bool,

    fps: i32,
    /// The speed in the file.
    initial_fps: i32,
    /// The frame of the cursor at `since`, or while it rests; −1 while unloaded.
    frame: i64,
    /// The time at which the cursor was on `frame`; `None` while it rests.
    since: Option<Time>,
    /// The last frame whose keyframes were requested.
    reached: i64,
    /// Counts changes of the cursor, so that a timer can detect that it is stale.
    serial: u32,
    /// The event that made the cursor move as it does, which is the cause of every frame from then on.
    cause: Cause,
    /// The call of the motion that is under way.
    motion: Option<CallId>,

    /// What to do when another motion uses the joints.
    acquisition: ResourceAcquisition,
    /// Whether the cursor waits until the joints are free.
    waiting: bool,
}

impl TimelineRun {
    /// Creates a timeline from that of a file. Also returns the problems of its curves.
    pub(crate) fn new(def: &model::Timeline) -> (Self, Vec<String>) {
        let mut problems = Vec::new();
        let mut curves = Vec::new();
        for curve in def.actuators.iter().flat_map(|a| &a.curves) {
            match JointCurve::try_from(curve) {
                Ok(curve) => curves.push(curve),
                Err(error) => problems.push(format!("the curve of {} is not played: {error}", curve.actuator)),
            }
        }
        let keys = curves.iter().filter(|c| !c.muted()).filter_map(|c| c.keys().last());
        let last = keys.map(|k| k.time as i64).max().unwrap_or(0);
        let fps = def.fps.unwrap_or(DEFAULT_FPS);
        let timeline = Self {
            clocked: Self::clocked(def),
            start: def.start_frame.unwrap_or(1).into(),
            end: def.end_frame.map_or(last, i64::from),
            curves,
            fitted: false,
            fps: fps.max(1),
            initial_fps: fps.max(1),
            frame: -1,
            since: None,
            reached: -1,
            serial: 0,
            cause: Cause::OUTSIDE,
            motion: None,
            acquisition: def.acquisition,
            waiting: false,
        };
        (timeline, problems)
    }

    /// Returns whether the cursor rests, and no motion is under way.
    pub(crate) fn rests(&self) -> bool {
        self.since.is_none() && self.motion.is_none() && !self.waiting
    }

    /// Takes the curves, speed and frames of another version of the file; the cursor stays. Returns the problems of the
    /// curves.
    pub(crate) fn exchange(&mut self, def: &model::Timeline) -> Vec<String> {
        let (new, problems) = Self::new(def);
        let (frame, reached, serial) = (self.frame, self.reached, self.serial + 1);
        *self = Self { frame, reached, serial, ..new };
        problems
    }

    /// Returns whether the cursor of a file's timeline moves. If not, the box is a flow diagram.
    pub(crate) fn clocked(def: &model::Timeline) -> bool {
        def.enabled && def.fps.unwrap_or(DEFAULT_FPS) > 0
    }

    pub(crate) fn load(&mut self) {
        self.frame = self.start;
        self.reached = self.start;
        self.since = None;
        self.serial += 1;
    }

    pub(crate) fn unload(&mut self) {
        self.frame = -1;
        self.reached = -1;
        self.since = None;
        self.waiting = false;
        self.serial += 1;
    }

    /// Resets what scripts have changed to the file's values, because the behavior is opened again.
    pub(crate) fn reset(&mut self) {
        self.fps = self.initial_fps;
    }

    /// The frame whose keyframes are loaded first.
    pub(crate) fn load_frame(&self) -> i64 {
        if self.clocked { self.reached } else { self.start.max(1) }
    }

    fn cursor(&self, now: Time) -> i64 {
        let passed = self.since.map_or(0, |since| (now - since).whole_frames(self.fps));
        let frame = self.frame.saturating_add(passed);
        if self.ends() { frame.min(self.end.max(self.frame)) } else { frame }
    }

    /// The last frame whose keyframes were requested.
    pub(crate) fn reached(&self) -> i64 {
        self.reached
    }

    /// The first frame, the last frame (`None` if the timeline never ends), and the speed in frames per second.
    pub(crate) fn extent(&self) -> (i64, Option<i64>, i32) {
        (self.start, self.ends().then_some(self.end), self.fps)
    }

    /// Sets the speed that a reset restores.
    pub(crate) fn set_initial_fps(&mut self, fps: i32) {
        self.initial_fps = fps;
    }

    /// Keeps the curves of these joints, and returns the others.
    fn take_unknown(&mut self, joints: &[Arc<str>]) -> Vec<JointCurve> {
        self.fitted = true;
        let has = |c: &JointCurve| joints.iter().any(|joint| joint == c.actuator());
        let (known, unknown) = std::mem::take(&mut self.curves).into_iter().partition(has);
        self.curves = known;
        unknown
    }

    fn ends(&self) -> bool {
        self.end >= 1
    }

    /// Returns whether the timeline has been played, and not been paused since.
    pub(crate) fn playing(&self) -> bool {
        self.since.is_some() || self.waiting
    }

    /// Makes the current frame the base of later times.
    fn rebase(&mut self, now: Time) {
        self.frame = self.cursor(now);
        if self.since.is_some() {
            self.since = Some(now);
        }
        self.serial += 1;
    }
}

impl Graph {
    pub(crate) fn timeline(&self, id: BoxId) -> Option<&TimelineRun> {
        self.boxes[id.index()].inside.as_ref().map(|i| &i.timeline)
    }

    pub(crate) fn timeline_mut(&mut self, id: BoxId) -> Option<&mut TimelineRun> {
        self.boxes[id.index()].inside.as_mut().map(|i| &mut i.timeline)
    }

    /// The timeline around a box: the nearest parent whose cursor moves.
    pub(crate) fn timeline_around(&self, id: BoxId) -> Option<BoxId> {
        self.ancestors(id).skip(1).find(|b| self.timeline(*b).is_some_and(|t| t.clocked))
    }

    pub(crate) fn timeline_alive(&self, id: BoxId, serial: u32) -> bool {
        self.timeline(id).is_some_and(|t| t.serial == serial && t.since.is_some())
    }

    /// Sets the timer for the next frame at which something happens: a keyframe or the end.
    pub(crate) fn arm(&mut self, cx: &mut Context, id: BoxId) {
        let Some(inside) = &mut self.boxes[id.index()].inside else { return };
        let t = &mut inside.timeline;
        t.cause = cx.cause();
        let Some(since) = t.since else { return };
        let end = t.ends().then_some(t.end.max(t.reached));
        let next = inside.states.next_after(t.reached).into_iter().chain(end).min();
        if let Some(frame) = next {
            let at = since + Time::of_frames(frame.saturating_sub(t.frame), t.fps);
            cx.alarm(at, Alarm::Timeline(id, t.serial));
        }
    }

    /// Sets the timer again, because the frames at which something happens have changed.
    pub(crate) fn rearm(&mut self, cx: &mut Context, id: BoxId) {
        if let Some(t) = self.timeline_mut(id).filter(|t| t.since.is_some()) {
            t.serial += 1;
            self.arm(cx, id);
        }
    }

    pub(crate) fn trace_frame(&self, cx: &mut Context, id: BoxId, frame: i64) {
        let path = self.path_of(id);
        cx.trace(path, Kind::Timeline { command: TimelinePhase::Frame, frame });
    }

    /// The result of `ALMemory.getData(self.id)`: the frame, or −1 for a diagram or an unloaded timeline.
    pub(crate) fn cursor(&self, cx: &Context, id: BoxId) -> i64 {
        let now = cx.now();
        self.timeline(id).filter(|t| t.clocked).map_or(-1, |t| t.cursor(now))
    }

    // ---- playing -------------------------------------------------------------------------------

    /// Starts the cursor of a loaded timeline.
    pub(crate) fn play_timeline(
        &mut self,
        cx: &mut Context,
        resources: &mut Resources,
        id: BoxId,
    ) -> [Option<FollowUp>; 2] {
        let now = cx.now();
        if resources.hold_play(id, true) {
            return [None, None];
        }
        let loaded = self.boxes[id.index()].inside.as_ref().is_some_and(|i| i.state == InsideState::Loaded);
        let Some(t) = self.timeline_mut(id).filter(|t| loaded && t.clocked && !t.playing()) else {
            return [None, None];
        };
        // A timeline that rests at its end starts over.
        if t.ends() && t.frame >= t.end {
            t.frame = t.start;
        }
        t.since = Some(now);
        t.serial += 1;
        let frame = t.frame;
        let path = self.path_of(id);
        cx.trace(path, Kind::Timeline { command: TimelinePhase::Play, frame });
        self.reach_and(cx, id, frame, FollowUp::ContinueTimeline(id))
    }

    /// Continues the timeline at the cursor's frame when the box has its resources again, if it should be playing.
    pub(crate) fn play_on(
        &mut self,
        cx: &mut Context,
        resources: &mut Resources,
        id: BoxId,
        plays: bool,
    ) -> Vec<FollowUp> {
        let Some(t) = self.timeline(id).filter(|_| plays) else { return Vec::new() };
        let next = match t.ends() && t.frame >= t.end {
            true => [None, Some(FollowUp::EndTimeline(id))],
            false => self.play_timeline(cx, resources, id),
        };
        next.into_iter().flatten().chain([FollowUp::ResumeDrivenMachine(id)]).collect()
    }

    /// Stops the cursor at the current frame, if it plays. Returns the motion, which is to be stopped too.
    pub(crate) fn pause_timeline(&mut self, cx: &mut Context, id: BoxId) -> Option<CallId> {
        let now = cx.now();
        let t = self.timeline_mut(id).filter(|t| t.playing())?;
        t.rebase(now);
        t.since = None;
        t.waiting = false;
        let frame = t.frame;
        cx.trace(self.path_of(id), Kind::Timeline { command: TimelinePhase::Pause, frame });
        self.take_motion(id)
    }

    // ---- frames --------------------------------------------------------------------------------

    /// Handles a frame at which something happens.
    pub(crate) fn timeline_due(&mut self, cx: &mut Context, id: BoxId, serial: u32) -> [Option<FollowUp>; 2] {
        let now = cx.now();
        let alive = self.timeline_alive(id, serial);
        let Some(t) = self.timeline_mut(id).filter(|_| alive) else { return [None, None] };
        let frame = t.cursor(now);
        let ended = t.ends() && frame >= t.end;
        let cause = t.cause;
        cx.begin(cause);
        self.reach_and(cx, id, frame, if ended { FollowUp::RunOut(id) } else { FollowUp::Arm(id, cause) })
    }

    /// Handles the end frame: the cursor rests. Returns the motion, which is to be stopped.
    pub(crate) fn rest_at_end(&mut self, cx: &mut Context, id: BoxId) -> Option<CallId> {
        let now = cx.now();
        if let Some(t) = self.timeline_mut(id) {
            t.rebase(now);
            t.since = None;
            t.waiting = false;
            t.frame = t.end.max(t.start);
        }
        let frame = self.timeline(id).map_or(0, |t| t.frame);
        cx.trace(self.path_of(id), Kind::Timeline { command: TimelinePhase::End, frame });
        self.take_motion(id)
    }

    /// Notifies of the end of a timeline. If there is an onStopped output, the first one is stimulated and the timeline
    /// is unloaded.
    pub(crate) fn timeline_ended(&self, cx: &mut Context, callbacks: &Listeners, id: BoxId) {
        callbacks.notify(cx, On::End(id), CallbackEvent::Plain);
        let node = &self.boxes[id.index()];
        if let Some(output) = node.first_stopped() {
            let (life, cause) = (node.life.generation(), cx.cause());
            let output = output as u16;
            cx.push(Work::Output { of: id, output, life, cause, value: Value::Null });
        }
    }

    /// Moves the cursor of a loaded timeline to the start of a frame, which becomes the base of later times.
    pub(crate) fn goto(&mut self, cx: &mut Context, id: BoxId, to: &Frame) -> [Option<FollowUp>; 2] {
        let Some(inside) = &self.boxes[id.index()].inside else { return [None, None] };
        let path = self.path_of(id);
        let refused = |cx: &mut Context, why: String| {
            cx.warn(path, why);
            [None, None]
        };
        let frame = match to {
            Frame::Number(frame) => *frame,
            Frame::Name(name) => match inside.states.labelled(name) {
                Some(frame) => frame,
                None => return refused(cx, format!("goto: there is no keyframe named {name}")),
            },
        };
        let leaving = inside.unwinding || inside.state == InsideState::Unloaded;
        if leaving || !inside.timeline.clocked {
            return refused(cx, format!("goto {frame}: the timeline is not loaded"));
        }
        cx.trace(path, Kind::Timeline { command: TimelinePhase::Goto, frame });
        let now = cx.now();
        let Some(t) = self.timeline_mut(id) else { return [None, None] };
        // A frame outside the range is never reached: the timeline ends instead.
        if frame < t.start || (t.ends() && frame > t.end) {
            let (ends, end) = (t.ends(), t.end.max(t.start));
            return match ends {
                true => self.reach_and(cx, id, end, FollowUp::EndTimeline(id)),
                false => [None, Some(FollowUp::EndTimeline(id))],
            };
        }
        t.rebase(now);
        t.frame = frame;
        let next = match (t.playing(), t.ends() && frame >= t.end) {
            (true, true) => FollowUp::EndTimeline(id),
            (true, false) => FollowUp::ContinueTimeline(id),
            (false, _) => FollowUp::ShowPose(id),
        };
        // An explicit state machine may have left the state of this frame.
        if let Some(inside) = &mut self.boxes[id.index()].inside {
            inside.flagged = None;
        }
        self.reach_and(cx, id, frame, next)
    }

    fn reach_and(&mut self, cx: &mut Context, id: BoxId, frame: i64, next: FollowUp) -> [Option<FollowUp>; 2] {
        [self.reach(cx, id, frame).map(FollowUp::Begin), Some(next)]
    }

    /// Handles that the cursor is at a frame. Returns the procedure that loads the keyframes of the frame and unloads
    /// the others, or that enters a state; `None` if nothing changes.
    fn reach(&mut self, cx: &mut Context, id: BoxId, frame: i64) -> Option<ProcKind> {
        self.boxes[id.index()].inside.as_mut()?.timeline.reached = frame;
        if let Some(entered) = self.reach_state(cx, id, frame) {
            return entered;
        }
        let inside = self.boxes[id.index()].inside.as_ref()?;
        // While another procedure works on the inside, the loaded keyframes may still change: the comparison happens
        // after it.
        let busy = inside.owner.is_some();
        if !busy && inside.states.change(&inside.entered(), frame) == Change::default() {
            return None;
        }
        self.trace_frame(cx, id, frame);
        Some(ProcKind::Switch { id, frame, change: None })
    }

    /// The timeline to which a box's command goes: its own, or the one around it.
    pub(crate) fn commanded_timeline(&self, of: BoxId, parent: bool) -> Option<BoxId> {
        if parent { self.timeline_around(of) } else { self.boxes[of.index()].inside.is_some().then_some(of) }
    }

    /// The answer to a query; `None` if the command is none.
    pub(crate) fn timeline_query(&self, cx: &Context, id: Option<BoxId>, command: &TimelineCommand) -> Option<Value> {
        let timeline = id.and_then(|id| self.timeline(id));
        Some(match command {
            TimelineCommand::Exists => Value::Bool(timeline.is_some()),
            TimelineCommand::GetSize => Value::Int(timeline.filter(|t| t.ends()).map_or(0, |t| t.end - t.start)),
            TimelineCommand::GetFps => Value::Int(timeline.map_or(0, |t| t.fps.into())),
            TimelineCommand::GetFrame => Value::Int(id.map_or(-1, |id| self.cursor(cx, id))),
            _ => return None,
        })
    }

    /// Changes the speed, from the current frame on. Returns whether the timeline plays.
    fn set_fps(&mut self, cx: &mut Context, id: BoxId, fps: i32) -> bool {
        let path = self.path_of(id);
        if fps <= 0 {
            cx.warn(path, format!("setFPS {fps}: frames per second must be 1 or more"));
            return false;
        }
        let now = cx.now();
        let Some(t) = self.timeline_mut(id) else { return false };
        t.rebase(now);
        t.fps = fps;
        let playing = t.playing();
        cx.trace(path, Kind::Timeline { command: TimelinePhase::Fps, frame: fps.into() });
        playing
    }

    /// Returns whether a command that was queued as a signal has an effect: only if the box that sent it is in the same
    /// lifecycle generation, and not being unloaded. If it has none, this is traced.
    pub(crate) fn takes_command(&self, cx: &mut Context, of: BoxId, life: u32, parent: bool) -> bool {
        let node = &self.boxes[of.index()];
        let takes = node.life.generation() == life && !matches!(node.life.phase(), Phase::Out | Phase::Leaving);
        if !takes && let Some(at) = if parent { self.timeline_around(of) } else { Some(of) } {
            let path = self.path_of(at);
            cx.note(path, Kind::Timeline { command: TimelinePhase::Dropped, frame: -1 });
        }
        takes
    }

    /// Starts the cursor of a timeline whose joints are free. Returns its motion.
    pub(crate) fn begin_motion(&mut self, cx: &mut Context, id: BoxId) -> Option<Vec<Value>> {
        let now = cx.now();
        let t = self.timeline_mut(id)?;
        if std::mem::take(&mut t.waiting) {
            t.since = Some(now);
            let frame = t.frame;
            cx.trace(self.path_of(id), Kind::Timeline { command: TimelinePhase::Play, frame });
        }
        self.motion_args(id)
    }

    /// Executes a command or query of a box to its own timeline, or to the one around it. Returns the answer, and what
    /// follows.
    pub(crate) fn timeline_command(
        &mut self,
        cx: &mut Context,
        resources: &mut Resources,
        stops: &mut Stops,
        (of, parent): (BoxId, bool),
        command: &TimelineCommand,
    ) -> (Answer, Vec<FollowUp>) {
        let id = self.commanded_timeline(of, parent);
        if let Some(value) = self.timeline_query(cx, id, command) {
            return (Answer::Value(value), Vec::new());
        }
        let Some(id) = id else { return (Answer::Value(Value::Null), Vec::new()) };
        let next = match command {
            TimelineCommand::Exists
            | TimelineCommand::GetSize
            | TimelineCommand::GetFps
            | TimelineCommand::GetFrame => Vec::new(),
            TimelineCommand::Play => {
                let next = self.play_timeline(cx, resources, id);
                next.into_iter().flatten().chain([FollowUp::ResumeFreeMachine(id)]).collect()
            }
            TimelineCommand::Pause => {
                let mut next = stops.pause_timeline(resources, id);
                next.push(FollowUp::PauseDrivenMachine(id));
                next
            }
            TimelineCommand::Stop => vec![FollowUp::Begin(self.box_step(id, Step::Halt, 0, Value::Null))],
            TimelineCommand::GoTo(frame) => self.goto(cx, id, frame).into_iter().flatten().collect(),
            TimelineCommand::SetFps(fps) => {
                let plays = self.set_fps(cx, id, *fps);
                plays.then_some(FollowUp::ContinueTimeline(id)).into_iter().collect()
            }
        };
        (Answer::Done, next)
    }
}
