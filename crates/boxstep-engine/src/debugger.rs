//! The debugger of a run: pause, resume, single steps, speed, and breakpoints.
//!
//! The debugger does not affect the run. The clock stands still while the run is paused, and the trace says nothing of
//! it: in virtual time a run that was paused a hundred times has the same trace as one that was not (`docs/guides/view.md`).

use crate::Engine;
use crate::clock::Alarm;
use crate::context::Context;
use crate::protocol::Next;
use crate::run_end::RunEnd;
use crate::services::Services;
use crate::trace::{BehaviorPhase, BoxPhase, DelegationEvent, DiagramPhase, Event, Kind, Paths};
use boxstep_types::{BoxPath, Time};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

/// A condition on which a run pauses by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Breakpoint {
    /// A box starts, one of its inputs is stimulated, or a behavior of a runner with this path becomes active.
    Box(BoxPath),
    /// A signal arrives at an input or output of a box.
    Port(Port),
    /// A signal passes on the link from one port to another.
    Link(Port, Port),
    /// The state of a state machine, or the keyframe of a timeline, of this name is entered.
    State(BoxPath, Arc<str>),
    /// A behavior of this name starts.
    Behavior(Arc<str>),
    /// A script raises an exception.
    Error,
}

/// An input or output of a box: the path of the box, and the name of the port.
pub type Port = (BoxPath, Arc<str>);

/// How far a paused run advances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// To the next signal at an input or output.
    Signal,
    /// One frame: 40 ms, as timelines have 25 frames per second by default.
    Frame,
    /// To the next tick of a runner.
    Tick,
}

/// The duration of a frame.
const FRAME: Duration = Duration::from_millis(40);
/// The range of speeds. A slower run is better paused, and a faster one better played in virtual time.
const SPEEDS: std::ops::RangeInclusive<f64> = 0.01..=100.0;

/// The debugger's state, as clients see it.
#[derive(Clone, Debug, PartialEq)]
pub struct DebuggerState {
    /// Whether the run is paused.
    pub paused: bool,
    /// The breakpoint at which the run has paused, if there was one.
    pub hit: Option<Breakpoint>,
    /// Seconds of the run per second of the machine.
    pub speed: f64,
    /// The breakpoints.
    pub breaks: Vec<Breakpoint>,
}

impl Default for DebuggerState {
    fn default() -> Self {
        Self { paused: false, hit: None, speed: 1.0, breaks: Vec::new() }
    }
}

/// The run's time, and its rate from then on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flow {
    /// The time of the run.
    pub at: Time,
    /// Seconds of the run per second of the machine: 0 while the run is paused, and in virtual time, which has no rate.
    pub rate: f64,
}

/// Why a run cannot be paused, stepped or slowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotPaused {
    /// The run plays on a real robot, which cannot be paused.
    RealRobot,
    /// The run is over, or ending.
    Over,
    /// The speed is out of range, or the clock is virtual.
    Speed,
}

impl std::fmt::Display for NotPaused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::RealRobot => {
                "a real robot cannot be held, stepped or slowed: stop the behavior, or play it on the simulated one"
            }
            Self::Over => "the run is over, or ending",
            Self::Speed => "a speed is a number from 0.01 to 100; in virtual time there is none",
        })
    }
}

impl std::error::Error for NotPaused {}

/// A function that is called whenever the state changes.
type DebuggerListener = Box<dyn Fn(&DebuggerState, Flow) + Send>;

/// The debugger of a run.
#[derive(Default)]
pub(crate) struct Debugger {
    state: DebuggerState,
    step: Option<Step>,
    /// The time at which the current step ends.
    halt: Option<Time>,
    listener: Option<DebuggerListener>,
}

impl Debugger {
    /// Returns whether the run may have to pause between two pieces of work.
    #[inline]
    pub(crate) fn is_watching(&self) -> bool {
        self.step.is_some() || !self.state.breaks.is_empty()
    }
}

/// The limit of remembered signals on watched links; beyond it the oldest is forgotten.
const ON_THEIR_WAY: usize = 4096;

/// Checks every event of a run for breakpoints and steps.
#[derive(Default)]
pub(crate) struct Watch {
    breaks: Vec<Breakpoint>,
    /// The numbers of the last signals at the start of watched links.
    on_their_way: VecDeque<u64>,
    /// Whether any signal ends the current step.
    signal: bool,
    /// Set after a hit, with the breakpoint if it was one.
    hit: Option<Option<Breakpoint>>,
}

impl Watch {
    pub(crate) fn check(&mut self, event: &Event, paths: &Paths) {
        if self.signal && matches!(event.kind, Kind::Input { .. } | Kind::Output { .. }) {
            self.hit.get_or_insert(None);
        }
        let found = self.breaks.iter().find(|at| at.is_at(event, paths, &self.on_their_way));
        if let Some(found) = found.filter(|_| !matches!(self.hit, Some(Some(_)))) {
            self.hit = Some(Some(found.clone()));
        }
        // Between a signal that starts or ends a box and the next signal there is an event for the box's own phase.
        let follows = || matches!(event.kind, Kind::Box { .. }) && self.on_their_way.contains(&event.cause);
        let begins = |at: &Breakpoint| match at {
            Breakpoint::Link(from, _) => is_signal_at(event, from, paths) || paths.is(event.path, &from.0) && follows(),
            _ => false,
        };
        if self.breaks.iter().any(begins) {
            if self.on_their_way.len() >= ON_THEIR_WAY {
                self.on_their_way.pop_front();
            }
            self.on_their_way.push_back(event.n);
        }
    }
}

fn is_signal_at(event: &Event, (path, port): &Port, paths: &Paths) -> bool {
    match &event.kind {
        Kind::Input { port: id, .. } | Kind::Output { port: id, .. } => **id == **port && paths.is(event.path, path),
        _ => false,
    }
}

impl Breakpoint {
    fn is_at(&self, event: &Event, paths: &Paths, on_their_way: &VecDeque<u64>) -> bool {
        let at = |path: &BoxPath| paths.is(event.path, path);
        match (self, &event.kind) {
            (Breakpoint::Box(path), Kind::Box { phase: BoxPhase::Starting } | Kind::Input { .. }) => at(path),
            (Breakpoint::Box(path), Kind::Delegation(d)) => {
                matches!(d.event, DelegationEvent::Activated { .. }) && at(path)
            }
            (Breakpoint::Port(port), _) => is_signal_at(event, port, paths),
            (Breakpoint::Link(_, to), _) => is_signal_at(event, to, paths) && on_their_way.contains(&event.cause),
            (Breakpoint::State(path, name), Kind::Diagram { phase: DiagramPhase::Loaded, place: Some(place) }) => {
                *place.keyframe == **name && at(path)
            }
            (Breakpoint::Behavior(name), Kind::Behavior { phase: BehaviorPhase::Started, name: started }) => {
                started == name
            }
            (Breakpoint::Error, Kind::Raised { .. }) => true,
            _ => false,
        }
    }
}

impl Debugger {
    /// Returns whether the current step ends at this time.
    pub(crate) fn halts_at(&self, at: Time) -> bool {
        self.halt == Some(at)
    }

    fn halt(&mut self, cx: &mut Context, hit: Option<Breakpoint>) {
        self.step = None;
        self.halt = None;
        cx.tracer.watch().signal = false;
        self.state.paused = true;
        self.state.hit = hit;
        cx.clock.refresh();
        cx.clock.halt(None);
        cx.clock.set_speed(0.0);
        self.update_watch(cx);
        self.notify(cx);
    }

    /// Resumes the run, whatever the reason of the pause.
    pub(crate) fn not_paused(&mut self, cx: &mut Context) {
        self.halt = None;
        cx.clock.halt(None);
        if self.state.paused {
            self.state.paused = false;
            self.state.hit = None;
            cx.clock.set_speed(self.state.speed);
            self.notify(cx);
        }
    }

    /// Starts the clock, unless it has started already.
    pub(crate) fn start_clock(&self, cx: &mut Context) {
        if !cx.clock.started() {
            cx.clock.start();
            self.notify(cx);
        }
    }

    fn notify(&self, cx: &Context) {
        let Some(listener) = &self.listener else { return };
        let state = &self.state;
        let goes = !state.paused && !cx.clock.is_virtual() && cx.clock.started();
        listener(state, Flow { at: cx.clock.read(), rate: if goes { state.speed } else { 0.0 } });
    }

    /// Stops checking events unless a step or a breakpoint needs it.
    fn update_watch(&self, cx: &mut Context) {
        if !self.is_watching() {
            cx.tracer.unwatch();
        }
    }

    /// Ends a step by time.
    pub(crate) fn halt_due(&mut self, cx: &mut Context) {
        self.halt(cx, None);
    }

    /// Ends a step at the end of a tick.
    pub(crate) fn tick_done(&mut self, cx: &mut Context) {
        if self.step == Some(Step::Tick) {
            self.halt(cx, None);
        }
    }

    /// Converts a wait on the run's clock to one on the machine's clock, by which the host waits.
    pub(crate) fn scale_wait(&self, cx: &Context, next: &mut Next) {
        if let Next::Wait(Some(until)) = next
            && self.state.speed != 1.0
            && !self.state.paused
        {
            let now = cx.now();
            *until = now + until.since(now).div_f64(self.state.speed);
        }
    }

    /// Returns whether the run is paused, after checking for a hit. If so, nothing more must be done now.
    pub(crate) fn pauses(&mut self, cx: &mut Context, end: &RunEnd) -> bool {
        if end.has_begun() {
            // A run that is to end must not stay paused.
            self.not_paused(cx);
            return false;
        }
        if self.is_watching()
            && let Some(hit) = cx.tracer.watch().hit.take()
        {
            self.halt(cx, hit);
        }
        self.state.paused
    }
}

impl Context {
    /// The next action for the host while the run is paused: wait until woken.
    pub(crate) fn rest_paused(&mut self) -> Next {
        self.flush();
        Next::Wait(None)
    }
}

impl RunEnd {
    fn may_pause(&self, services: &dyn Services) -> Result<(), NotPaused> {
        match () {
            () if services.is_real() => Err(NotPaused::RealRobot),
            () if self.has_begun() || self.is_closed() => Err(NotPaused::Over),
            () => Ok(()),
        }
    }
}

impl Engine {
    /// Sets a listener that is called whenever the run pauses, resumes or changes its speed. It must not wait for the
    /// engine.
    pub fn on_debugger_change(&mut self, listener: impl Fn(&DebuggerState, Flow) + Send + 'static) {
        self.debugger.listener = Some(Box::new(listener));
        self.debugger.notify(&self.cx);
    }

    /// The state of the debugger.
    pub fn debugger_state(&self) -> &DebuggerState {
        &self.debugger.state
    }

    /// Pauses the run: its clock stands still, and controls from outside wait.
    ///
    /// # Errors
    /// Returns why the run cannot be paused.
    pub fn pause(&mut self) -> Result<(), NotPaused> {
        self.end.may_pause(&*self.services)?;
        self.debugger.halt(&mut self.cx, None);
        Ok(())
    }

    /// Resumes a paused run, up to the end of `step` if there is one.
    ///
    /// # Errors
    /// Returns why the run cannot be stepped.
    pub fn unpause(&mut self, step: Option<Step>) -> Result<(), NotPaused> {
        if step.is_some() {
            self.end.may_pause(&*self.services)?;
        }
        self.debugger.not_paused(&mut self.cx);
        self.debugger.step = step;
        self.cx.tracer.watch().signal = step == Some(Step::Signal);
        if step == Some(Step::Frame) || step == Some(Step::Tick) && !self.runners.any_ticks() {
            let at = self.cx.clock.refresh() + FRAME;
            self.debugger.halt = Some(at);
            self.cx.clock.halt(Some(at));
            self.cx.alarm(at, Alarm::Halt(at));
        }
        self.debugger.update_watch(&mut self.cx);
        Ok(())
    }

    /// Sets the speed of the real clock; 1 is that of the machine.
    ///
    /// # Errors
    /// Returns why the speed cannot be set.
    pub fn set_speed(&mut self, speed: f64) -> Result<(), NotPaused> {
        if !SPEEDS.contains(&speed) || self.cx.clock.is_virtual() {
            return Err(NotPaused::Speed);
        }
        self.end.may_pause(&*self.services)?;
        self.debugger.state.speed = speed;
        if !self.debugger.state.paused {
            // The call may come while the engine waits for a long time.
            self.cx.clock.refresh();
            self.cx.clock.set_speed(speed);
        }
        self.debugger.notify(&self.cx);
        Ok(())
    }

    /// Replaces the breakpoints.
    ///
    /// # Errors
    /// Returns why there can be no breakpoints.
    pub fn set_breaks(&mut self, breaks: Vec<Breakpoint>) -> Result<(), NotPaused> {
        if !breaks.is_empty() {
            self.end.may_pause(&*self.services)?;
        }
        self.cx.tracer.watch().breaks.clone_from(&breaks);
        self.debugger.state.breaks = breaks;
        self.debugger.update_watch(&mut self.cx);
        self.debugger.notify(&self.cx);
        Ok(())
    }
}
