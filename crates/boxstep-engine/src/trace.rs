//! What happened: the events of a run, in order.
//!
//! Every event has a number `n`, a time, the number of the event that caused it, the box it
//! belongs to, and a [`Kind`]. Writers (`boxstep-record`, the live account) are [`Sink`]s; they get
//! events in batches, outside of the hot path. The JSON form is described in `docs/trace.md`; its
//! `schema` number changes when a field changes its meaning, not when one is added.

use crate::door::ScriptError;
use crate::pose::Pose;
use crate::services::Act;
use crate::stop::Busy;
use boxstep_types::{BoxPath, Segment, Time, Value};
use std::collections::HashMap;
use std::sync::Arc;

/// Version of the trace's form.
pub const SCHEMA: u32 = 1;

/// A box path known to the run, by number; 0 is "no box".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PathId(pub u32);

/// The name of an input, output or parameter, by number, so that the events of signals count no references.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PortId(u32);

/// The box paths of a run, and the names of ports.
///
/// Of a path only its last step is kept, and the number of the path before it: a million boxes deep inside of each other
/// would take more room for their paths than for all else.
#[derive(Clone, Debug, Default)]
pub struct Paths {
    paths: Vec<(PathId, Segment)>,
    ports: Vec<Arc<str>>,
    known_ports: HashMap<Arc<str>, PortId>,
}

impl Paths {
    /// Adds a path.
    pub fn add(&mut self, path: &BoxPath) -> PathId {
        path.segments().iter().fold(PathId(0), |parent, segment| self.add_child(parent, segment.clone()))
    }

    /// Adds the path that leads one step further; from "no box" it leads to a root.
    pub fn add_child(&mut self, parent: PathId, segment: Segment) -> PathId {
        self.paths.push((parent, segment));
        PathId(self.paths.len() as u32)
    }

    /// How many paths and names there are. The table only grows: one of the same size is the same.
    pub fn size(&self) -> (usize, usize) {
        (self.paths.len(), self.ports.len())
    }

    pub(crate) fn len(&self) -> usize {
        self.paths.len()
    }

    /// The path; `None` for "no box".
    pub fn get(&self, id: PathId) -> Option<BoxPath> {
        let mut segments: Vec<Segment> = self.steps(id).map(|(_, segment)| segment.clone()).collect();
        segments.reverse();
        BoxPath::of(segments)
    }

    /// Is it this path?
    pub(crate) fn is(&self, id: PathId, path: &BoxPath) -> bool {
        self.steps(id).map(|(_, segment)| segment).eq(path.segments().iter().rev())
    }

    /// The path as messages print it; empty for "no box".
    pub fn text(&self, id: PathId) -> String {
        self.get(id).map(|path| path.to_string()).unwrap_or_default()
    }

    /// The name of the path's last box; empty for "no box".
    pub(crate) fn name(&self, id: PathId) -> Arc<str> {
        let name = |(_, segment): &(PathId, Segment)| match segment {
            Segment::Box { name, .. } => Some(name.clone()),
            Segment::Keyframe { .. } => None,
        };
        self.steps(id).find_map(name).unwrap_or_default()
    }

    /// Adds the same path from another one on: `moved` says where paths have gone, and learns what is added.
    pub(crate) fn add_moved(&mut self, id: PathId, moved: &mut HashMap<PathId, PathId>) -> PathId {
        let (None, Some((parent, segment))) = (moved.get(&id), self.step(id).cloned()) else {
            return moved.get(&id).copied().unwrap_or(id);
        };
        let parent = self.add_moved(parent, moved);
        let new = self.add_child(parent, segment);
        moved.insert(id, new);
        new
    }

    fn step(&self, id: PathId) -> Option<&(PathId, Segment)> {
        self.paths.get((id.0 as usize).checked_sub(1)?)
    }

    /// The steps of a path, the last one first.
    fn steps(&self, id: PathId) -> impl Iterator<Item = &(PathId, Segment)> {
        std::iter::successors(self.step(id), |(parent, _)| self.step(*parent))
    }

    /// The number of a port's or parameter's name; the same for the same name.
    pub fn add_port(&mut self, name: &Arc<str>) -> PortId {
        if let Some(known) = self.known_ports.get(name) {
            return *known;
        }
        let id = PortId(self.ports.len() as u32);
        self.ports.push(name.clone());
        self.known_ports.insert(name.clone(), id);
        id
    }

    /// The name of a port or parameter.
    pub fn port(&self, id: PortId) -> &str {
        self.ports.get(id.0 as usize).map_or("", |name| name)
    }
}

/// One thing that happened.
#[derive(Clone, Debug)]
pub struct Event {
    /// Counts from 1.
    pub n: u64,
    /// When.
    pub t: Time,
    /// The event that caused it; 0 for the start of the run.
    pub cause: u64,
    /// Which box.
    pub path: PathId,
    /// What.
    pub kind: Kind,
}

/// Which way an event crosses the border of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dir {
    /// Comes from outside: all that a replay needs.
    In,
    /// Goes out to the robot.
    Out,
}

/// Which of the diagrams of a timeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Name of the behavior layer.
    pub layer: Arc<str>,
    /// Name of the keyframe.
    pub keyframe: Arc<str>,
}

/// A call of a service.
#[derive(Clone, Debug)]
pub struct Asked {
    /// e.g. `ALMotion`
    pub service: Arc<str>,
    /// e.g. `setAngles`
    pub method: Arc<str>,
    /// The arguments.
    pub args: Vec<Value>,
    /// Line of the box's script, from 1; 0 if not known.
    pub line: u32,
}

/// The end of a call of a service.
#[derive(Clone, Debug)]
pub struct Answered {
    /// e.g. `ALMotion`
    pub service: Arc<str>,
    /// e.g. `setAngles`
    pub method: Arc<str>,
    /// What it gave, or why it failed.
    pub result: Result<Value, String>,
    /// A mock answered, and no robot.
    pub mock: bool,
}

/// Something about a resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claimed {
    /// `taken`, `waiting`, `refused`, `dropped` (a wait that is over without either), `free` (that was all it waited
    /// for), `released`; and of who holds it, when another asks: `lost`, `paused`, `asked`.
    pub what: &'static str,
    /// The resource.
    pub name: Arc<str>,
    /// Who, if that is not the event's box: the name a script gave.
    pub owner: Option<Arc<str>>,
    /// The other side: of `waiting` and `refused` who holds it, of `lost`, `paused` and `asked` who asks.
    pub others: Vec<Arc<str>>,
}

/// What became of something that has changed while the run goes on (`docs/reload.md`).
#[derive(Clone, Debug, PartialEq)]
pub struct Reloaded {
    /// `waiting` (until the box is at rest), `forced` (it waits no longer), `taken`, `withdrawn` (it is again as it was), `refused` (it does not compile,
    /// or no object can be made of it: the old one goes on), `modules` (they are imported anew), `not_taken` (it needs a new
    /// start).
    pub phase: &'static str,
    /// The same in words, with file and line where there is one.
    pub text: Arc<str>,
    /// Of `refused`: why.
    pub error: Option<ScriptError>,
}

/// Something that happened to a behavior of a runner (`docs/runner.md`).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Delegation {
    /// `entering`, `entered`, `activated`, `delegated`, `waits`, `refused`, `ended`, `restarts`, `stopping`, `deactivated`, `forced`,
    /// `leaving`, `left`; of the runner itself `livelock`, `stopped`; what behaviors of characters tell of themselves: `plan`, `wants`,
    /// `watches`, `asked`, `cools`, `timer` (`docs/trace.md`).
    pub what: &'static str,
    /// Of `refused`: `ask`, `delegate`, `cancel_delegates`, `cancel_self`, `complete`, `fail`.
    pub request: Option<&'static str>,
    /// Of `delegated` to whom; of `refused` whom that was about; of `livelock` the last two that had control.
    pub to: Vec<Arc<str>>,
    /// Which delegation; of `delegated` to several the first of as many that follow each other. 0: none.
    pub ticket: u64,
    /// Of `ended`: `done`, `failed`, `cancelled`; of `wants` and `asked`: `yes`, `no`.
    pub how: Option<&'static str>,
    /// Why it was refused, has failed or was cancelled.
    pub why: Option<Arc<str>>,
    /// Of `ended` when done: what with. Of what behaviors tell of themselves: the rest of it.
    pub value: Option<Value>,
    /// The behavior's name, if the last step of its path is another one: `idle/4` in `companion/idle/4`.
    pub name: Option<Arc<str>>,
    /// Of a behavior of a plan that another one has taken the place of ([`crate::runner::Exchange`]), which may have one of the same name:
    /// its number, which no other one of the runner has.
    pub earlier: Option<u32>,
}

/// What happened. The names in the JSON form are those of [`Kind::name`].
///
/// Most events of a run are inputs and outputs: what is larger and rare is boxed, so that those stay small.
#[derive(Clone, Debug)]
pub enum Kind {
    /// A behavior: `loading`, `loaded`, `started`, `stopping`, `unloaded`.
    Behavior(&'static str, Arc<str>),
    /// A behavior failed: name, box, error.
    BehaviorFailed(Arc<str>, Box<ScriptError>),
    /// A box entered a phase of its lifecycle: `constructed`, `loading`, `loaded`, `starting`,
    /// `started`, `stopping`, `stopped`, `unloading`, `unloaded`, `destroyed`.
    Box(&'static str),
    /// The inside of a box: `loading`, `loaded`, `unloading`, `unloaded`; layer and keyframe
    /// under a timeline.
    Diagram(&'static str, Option<Arc<Place>>),
    /// An input was stimulated.
    Input(PortId, Value),
    /// An output was stimulated.
    Output(PortId, Value),
    /// A stimulation that had no effect: port, value, why.
    Dropped(PortId, Value, &'static str),
    /// A typed port got a value of another type, which was passed on: port, value, wanted type.
    Mismatch(PortId, Value, &'static str),
    /// A parameter has a new value.
    Parameter(PortId, Value),
    /// A script method was called.
    Call(Arc<str>),
    /// A script method returned.
    Returned(Arc<str>),
    /// A script raised: in which method, what.
    Raised(Arc<str>, Box<ScriptError>),
    /// A script call was given up; what it does from now on has no effect.
    Abandoned(Arc<str>),
    /// A stop had taken too long and was ended by force: who was still busy.
    Forced(Arc<[Busy]>),
    /// Timeline: `play`, `pause`, `goto`, `fps`, `frame`, `end`, `unload`, `dropped`; frame.
    Timeline(&'static str, i64),
    /// A script called a service.
    Service(Box<Asked>),
    /// A service answered, after it had been pending, or failed.
    ServiceDone(Box<Answered>),
    /// A service or method that does not exist: service, method, line.
    Unsupported(Arc<str>, Arc<str>, u32),
    /// A robot memory event or service signal.
    Event(Arc<str>, Value),
    /// The robot did something a person would see or hear.
    Act(Box<Act>),
    /// Joint angles, radians (hands 0…1).
    Joints(Arc<[(Arc<str>, f64)]>),
    /// The value of a memory key when it was looked at, or as a real robot told it; `None` if there was none.
    Memory(Arc<str>, Option<Value>),
    /// A script logged: level, text, line.
    Log(&'static str, Arc<str>, u32),
    /// A script printed: text, to stderr, line.
    Print(Arc<str>, bool, u32),
    /// Control from outside: `event`, `memory`, `stimulate`, `set`, `stop`, `interrupt`, `limit`; details.
    Control(&'static str, Value),
    /// Somebody took, lost, asked for … a resource.
    Resource(Box<Claimed>),
    /// Something happened to a behavior of a runner, or to the runner.
    Delegation(Box<Delegation>),
    /// A script, or something else of the behavior, has changed.
    Reload(Box<Reloaded>),
    /// Something to tell the user that is not an error of a script.
    Warning(Arc<str>),
}

const _: () = assert!(size_of::<Event>() <= 80, "events of signals are written often");

impl Kind {
    /// Name in the JSON form.
    pub fn name(&self) -> &'static str {
        match self {
            Kind::Behavior(..) => "behavior",
            Kind::BehaviorFailed(..) => "behavior_failed",
            Kind::Box(..) => "box",
            Kind::Diagram(..) => "diagram",
            Kind::Input(..) => "input",
            Kind::Output(..) => "output",
            Kind::Dropped(..) => "dropped",
            Kind::Mismatch(..) => "mismatch",
            Kind::Parameter(..) => "parameter",
            Kind::Call(..) => "call",
            Kind::Returned(..) => "returned",
            Kind::Raised(..) => "raised",
            Kind::Abandoned(..) => "abandoned",
            Kind::Forced(..) => "forced",
            Kind::Timeline(..) => "timeline",
            Kind::Service(..) => "service",
            Kind::ServiceDone(..) => "service_done",
            Kind::Unsupported(..) => "unsupported",
            Kind::Event(..) => "event",
            Kind::Act(..) => "act",
            Kind::Joints(..) => "joints",
            Kind::Memory(..) => "memory",
            Kind::Log(..) => "log",
            Kind::Print(..) => "print",
            Kind::Control(..) => "control",
            Kind::Resource(..) => "resource",
            Kind::Delegation(..) => "delegation",
            Kind::Reload(..) => "reload",
            Kind::Warning(..) => "warning",
        }
    }

    /// Which way it crosses the border of the run, if it does.
    pub fn dir(&self) -> Option<Dir> {
        match self {
            Kind::ServiceDone(..) | Kind::Event(..) | Kind::Control(..) => Some(Dir::In),
            Kind::Service(..) => Some(Dir::Out),
            _ => None,
        }
    }
}

/// The first line of a trace.
#[derive(Clone, Debug)]
pub struct Header {
    /// e.g. `boxstep 0.1.0`
    pub product: String,
    /// Files of the behavior: name as given, SHA-256 in hex.
    pub files: Vec<(String, String)>,
    /// Body, e.g. `nao`.
    pub body: String,
    /// `virtual` or `real`.
    pub clock: &'static str,
    /// Random seed.
    pub seed: u64,
    /// What the virtual clock says at time zero: seconds since 1970, UTC.
    pub epoch: i64,
    /// Parameters set from outside: path and JSON value.
    pub parameters: Vec<(String, Value)>,
    /// Other options that change what happens.
    pub options: Vec<(String, Value)>,
    /// Wall-clock time of the start (RFC 3339); only in real time, because it would differ each run.
    pub started: Option<String>,
}

/// The last line of a trace.
#[derive(Clone, Debug, PartialEq)]
pub struct Footer {
    /// How the run ended.
    pub reason: EndReason,
    /// When.
    pub t: Time,
    /// Number of events.
    pub events: u64,
    /// Scripts that raised.
    pub errors: u64,
    /// Of those, scripts that do not compile: their boxes took no part.
    pub not_compiled: u64,
    /// Unsupported calls met.
    pub unsupported: u64,
    /// Stimulations dropped.
    pub dropped: u64,
    /// Warnings.
    pub warnings: u64,
    /// Stops that took too long and were ended by force.
    pub forced: u64,
    /// Whether the same run would give the same trace, and if not, why.
    pub deterministic: Result<(), String>,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndReason {
    /// The root box's onStopped was stimulated, or the behavior was stopped by a script.
    Ended,
    /// Nothing can happen any more unless an event comes from outside (virtual time only).
    Waiting,
    /// The time limit was reached.
    Limit,
    /// A script raised and nobody caught it.
    Failed,
    /// A signal.
    Interrupted,
    /// Scripts wait for each other, or one runs on without end, and nothing else can happen.
    Deadlock,
    /// Signals went round in no time, for ever.
    Livelock,
}

impl EndReason {
    /// As traces print it.
    pub fn name(self) -> &'static str {
        match self {
            EndReason::Ended => "ended",
            EndReason::Waiting => "waiting",
            EndReason::Limit => "limit",
            EndReason::Failed => "failed",
            EndReason::Interrupted => "interrupted",
            EndReason::Deadlock => "deadlock",
            EndReason::Livelock => "livelock",
        }
    }
}

/// Something that wants to know what happens.
///
/// Called with the engine's lock held: take note, and format elsewhere if that is slow.
pub trait Sink: Send {
    /// Once, first.
    fn begin(&mut self, header: &Header);
    /// Events in order, in batches of any size.
    fn events(&mut self, events: &[Event], paths: &Paths);
    /// The same, for who comes last: it may keep them, and gives back a list for the next ones, whatever is in it.
    fn take(&mut self, events: Vec<Event>, paths: &Paths) -> Vec<Event> {
        self.events(&events, paths);
        events
    }
    /// How the robot stands, after the events so far; if [`crate::config::Config::pose_hz`] says so. No part of the trace.
    fn pose(&mut self, at: Time, pose: &Pose) {
        let _ = (at, pose);
    }
    /// Once, last.
    fn end(&mut self, footer: &Footer);
}
