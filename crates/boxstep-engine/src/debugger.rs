//! How a run is looked at: whether it goes on, how fast, and where it stops by itself so that somebody can look.
//!
//! The run does not notice. Its clock stands while it is held, and nothing of this is in its trace: in virtual time the trace of a run that was
//! held a hundred times is that of one that was not (`docs/view.md`).

use crate::Engine;
use crate::clock::Alarm;
use crate::context::Context;
use crate::protocol::Next;
use crate::trace::{BehaviorPhase, BoxPhase, DelegationEvent, DiagramPhase, Event, Kind, Paths};
use boxstep_types::{BoxPath, Time};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

/// Where a run stops by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Breakpoint {
    /// A box starts, one of its inputs is stimulated, or a behavior of a runner with this path becomes active.
    Box(BoxPath),
    /// An input or output of a box: a signal comes there.
    Port(Port),
    /// From one port to another: a signal passes on the link between them.
    Link(Port, Port),
    /// The state of a state machine, or the keyframe of a timeline, of this name is entered.
    State(BoxPath, Arc<str>),
    /// A behavior of this name starts.
    Behavior(Arc<str>),
    /// A script raises.
    Error,
}

/// An input or output of a box, by its name.
pub type Port = (BoxPath, Arc<str>);

/// How far a held run goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// To the next signal at an input or output.
    Signal,
    /// For the time of one frame: 40 ms, as timelines have 25 in a second if nothing else is said.
    Frame,
    /// To the next tick of a runner.
    Tick,
}

/// The time of a frame.
const FRAME: Duration = Duration::from_millis(40);
/// What runs slower than this is better held, and faster better left to virtual time.
const SPEEDS: std::ops::RangeInclusive<f64> = 0.01..=100.0;

/// Whether a run goes on.
#[derive(Clone, Debug, PartialEq)]
pub struct Pace {
    /// It does not.
    pub paused: bool,
    /// Why, if it is held because of a break: which.
    pub hit: Option<Breakpoint>,
    /// Seconds of the run in a second of the machine.
    pub speed: f64,
    /// Where it stops by itself.
    pub breaks: Vec<Breakpoint>,
}

impl Default for Pace {
    fn default() -> Self {
        Self { paused: false, hit: None, speed: 1.0, breaks: Vec::new() }
    }
}

/// How the time of a run goes on from one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flow {
    /// Its time then.
    pub at: Time,
    /// Seconds of the run in one of the machine: 0 while it is held, and in virtual time, which takes none.
    pub rate: f64,
}

/// Why a run cannot be held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotPaused {
    /// What plays on a real robot goes on.
    RealRobot,
    /// It is over, or ending.
    Over,
    /// No speed that there is.
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

/// Called whenever the pace changes.
type PaceListener = Box<dyn Fn(&Pace, Flow) + Send>;

/// The debugger of a run.
#[derive(Default)]
pub(crate) struct Debugger {
    pace: Pace,
    step: Option<Step>,
    /// When the step is over.
    halt: Option<Time>,
    listener: Option<PaceListener>,
}

impl Debugger {
    /// The run may have to be held between two pieces of work.
    #[inline]
    pub(crate) fn is_watching(&self) -> bool {
        self.step.is_some() || !self.pace.breaks.is_empty()
    }
}

/// Signals on their way that are known of a link: of more than these the earliest is forgotten.
const ON_THEIR_WAY: usize = 4096;

/// What is looked for in the events of a run.
#[derive(Default)]
pub(crate) struct Watch {
    breaks: Vec<Breakpoint>,
    /// The last signals where links that are watched begin.
    on_their_way: VecDeque<u64>,
    /// Any signal will do.
    signal: bool,
    /// One was there; and which of the breaks, if it was one.
    hit: Option<Option<Breakpoint>>,
}

impl Watch {
    pub(crate) fn look(&mut self, event: &Event, paths: &Paths) {
        if self.signal && matches!(event.kind, Kind::Input { .. } | Kind::Output { .. }) {
            self.hit.get_or_insert(None);
        }
        let found = self.breaks.iter().find(|at| at.is_at(event, paths, &self.on_their_way));
        if let Some(found) = found.filter(|_| !matches!(self.hit, Some(Some(_)))) {
            self.hit = Some(Some(found.clone()));
        }
        // Between a signal that starts or ends a box and the next there is the box's own phase.
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
    /// Is this when a step is over?
    pub(crate) fn halts_at(&self, at: Time) -> bool {
        self.halt == Some(at)
    }

    fn halt(&mut self, cx: &mut Context, hit: Option<Breakpoint>) {
        self.step = None;
        self.halt = None;
        cx.tracer.watch().signal = false;
        self.pace.paused = true;
        self.pace.hit = hit;
        cx.clock.refresh();
        cx.clock.halt(None);
        cx.clock.set_speed(0.0);
        self.update_watch(cx);
        self.notify_pace(cx);
    }

    /// Lets it go on, whatever it was held for.
    pub(crate) fn not_paused(&mut self, cx: &mut Context) {
        self.halt = None;
        cx.clock.halt(None);
        if self.pace.paused {
            self.pace.paused = false;
            self.pace.hit = None;
            cx.clock.set_speed(self.pace.speed);
            self.notify_pace(cx);
        }
    }

    /// Lets the clock go, unless it does already.
    pub(crate) fn start_clock(&self, cx: &mut Context) {
        if !cx.clock.started() {
            cx.clock.start();
            self.notify_pace(cx);
        }
    }

    fn notify_pace(&self, cx: &Context) {
        let Some(listener) = &self.listener else { return };
        let pace = &self.pace;
        let goes = !pace.paused && !cx.clock.is_virtual() && cx.clock.started();
        listener(pace, Flow { at: cx.clock.read(), rate: if goes { pace.speed } else { 0.0 } });
    }

    /// Events are looked at only while a step or a breakpoint needs it.
    fn update_watch(&self, cx: &mut Context) {
        if !self.is_watching() {
            cx.tracer.unwatch();
        }
    }

    /// The step is over in time.
    pub(crate) fn halt_due(&mut self, cx: &mut Context) {
        self.halt(cx, None);
    }

    /// A tick is over.
    pub(crate) fn tick_done(&mut self, cx: &mut Context) {
        if self.step == Some(Step::Tick) {
            self.halt(cx, None);
        }
    }

    /// When there is to be looked again, for one who waits by the machine's clock.
    pub(crate) fn at_pace(&self, cx: &Context, next: &mut Next) {
        if let Next::Wait(Some(until)) = next
            && self.pace.speed != 1.0
            && !self.pace.paused
        {
            let now = cx.now();
            *until = now + until.since(now).div_f64(self.pace.speed);
        }
    }
}

impl Engine {
    /// Sets a function that is called whenever the run is held, resumes or gets another speed. It must not wait for the engine.
    pub fn on_pace(&mut self, listener: impl Fn(&Pace, Flow) + Send + 'static) {
        self.debugger.listener = Some(Box::new(listener));
        self.debugger.notify_pace(&self.cx);
    }

    /// Whether it goes on.
    pub fn pace(&self) -> &Pace {
        &self.debugger.pace
    }

    /// Holds the run where it is: its clock stands, and what comes from outside waits.
    ///
    /// # Errors
    /// Why not.
    pub fn pause(&mut self) -> Result<(), NotPaused> {
        self.may_pause()?;
        self.debugger.halt(&mut self.cx, None);
        Ok(())
    }

    /// Lets a held run go on; then up to `step`, if that is said.
    ///
    /// # Errors
    /// Why there are no steps.
    pub fn unpause(&mut self, step: Option<Step>) -> Result<(), NotPaused> {
        if step.is_some() {
            self.may_pause()?;
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

    /// How fast the real clock goes, 1 as the machine's.
    ///
    /// # Errors
    /// Why not.
    pub fn set_speed(&mut self, speed: f64) -> Result<(), NotPaused> {
        if !SPEEDS.contains(&speed) || self.cx.clock.is_virtual() {
            return Err(NotPaused::Speed);
        }
        self.may_pause()?;
        self.debugger.pace.speed = speed;
        if !self.debugger.pace.paused {
            // Whoever asks may do so while the engine waits for something that takes long.
            self.cx.clock.refresh();
            self.cx.clock.set_speed(speed);
        }
        self.debugger.notify_pace(&self.cx);
        Ok(())
    }

    /// Where the run stops by itself from now on.
    ///
    /// # Errors
    /// Why not.
    pub fn set_breaks(&mut self, breaks: Vec<Breakpoint>) -> Result<(), NotPaused> {
        if !breaks.is_empty() {
            self.may_pause()?;
        }
        self.cx.tracer.watch().breaks.clone_from(&breaks);
        self.debugger.pace.breaks = breaks;
        self.debugger.update_watch(&mut self.cx);
        self.debugger.notify_pace(&self.cx);
        Ok(())
    }

    fn may_pause(&self) -> Result<(), NotPaused> {
        match () {
            () if self.services.is_real() => Err(NotPaused::RealRobot),
            () if self.end.has_begun() || self.end.is_closed() => Err(NotPaused::Over),
            () => Ok(()),
        }
    }

    /// Has the run come to where it is to be held? Nothing more is done now then.
    pub(crate) fn pauses(&mut self) -> bool {
        if self.end.has_begun() {
            // Somebody wants it to end.
            self.debugger.not_paused(&mut self.cx);
            return false;
        }
        if self.debugger.is_watching()
            && let Some(hit) = self.cx.tracer.watch().hit.take()
        {
            self.debugger.halt(&mut self.cx, hit);
        }
        self.debugger.pace.paused
    }

    /// What whoever drives the run does while it is held: waits for somebody outside.
    pub(crate) fn rest_paused(&mut self) -> Next {
        self.cx.flush();
        Next::Wait(None)
    }
}
