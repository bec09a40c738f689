//! Boxes, timelines, state machines, states and transitions, for Rust code to create, connect and drive.
//!
//! Handles ([`BoxId`], [`TimelineId`] …) are small and `Copy`; [`Engine::objects`] returns the objects, which borrow
//! the engine for as long as they are used. The same kernel runs objects that are created here and those of files, on
//! the same clock and into the same trace, and both kinds have this interface ([`Objects::open`], [`Objects::find`]).
//!
//! A call takes effect at once, as far as it does not have to wait. The engine calls callbacks later, as separate work,
//! in the order of their events: when [`Engine::run_until`] or a script host drives it.
//!
//! ```
//! use boxstep_engine::{Engine, config::Config};
//!
//! let mut engine = Engine::without_robot(Config::default());
//! let machine = engine.objects().new_state_machine("door")?;
//! let mut door = engine.objects().state_machine(machine)?;
//! let open = door.add_state("open", &[])?;
//! let closed = door.add_state("closed", &[])?;
//! let close = door.add_transition(open, closed)?;
//! door.run()?;
//! engine.objects().transition(close)?.trigger()?;
//! engine.settle();
//! assert_eq!(engine.objects().state_machine(machine)?.current_state(), Some(closed));
//! # Ok::<(), boxstep_engine::objects::Error>(())
//! ```
//!
//! A box with a timeline, whose end calls back:
//!
//! ```
//! use boxstep_engine::{Engine, config::Config, objects::Draft};
//! use boxstep_types::Time;
//!
//! let mut engine = Engine::without_robot(Config::default());
//! let music = engine.objects().new_box(Draft::new("music").timeline(10, 1, Some(101)))?;
//! let timeline = engine.objects().get_box(music)?.timeline().ok_or("no timeline")?;
//! let (sender, ends) = std::sync::mpsc::channel();
//! engine.objects().timeline(timeline)?.on_stopped(move |cx| {
//!     let _ = sender.send(cx.now());
//! });
//! engine.objects().timeline(timeline)?.play()?;
//! let end = engine.objects().timeline(timeline)?.wait(Time::MAX)?;
//! engine.settle();
//! assert_eq!((end, ends.try_recv()), (Time::from_millis(10_000), Ok(end)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A box loads its parts with itself:
//!
//! ```
//! use boxstep_engine::{Engine, config::Config, objects::Draft};
//!
//! let mut engine = Engine::without_robot(Config::default());
//! let whole = engine.objects().new_box(Draft::new("greeting").diagram(vec![Draft::new("wave")], &[]))?;
//! let part = engine.objects().get_box(whole)?.child("wave").ok_or("no part")?;
//! engine.objects().get_box(whole)?.load()?;
//! engine.settle();
//! let wave = engine.objects().get_box(part)?;
//! assert_eq!((wave.path().to_string(), wave.is_loaded()), ("greeting/wave".to_owned(), true));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod adopt;
mod boxes;
pub(crate) mod calls;
mod draft;
mod drive;
pub(crate) mod goal;
mod machines;
mod remote;
mod runners;
mod states;
mod timelines;

pub use crate::lifecycle::Phase;
pub use crate::machine::When;
pub use crate::protocol::{Frame, TimelineCommand};
pub use boxes::Box;
pub use draft::{Draft, Wire};
pub use drive::Undriven;
pub use goal::{Arrival, Goal};
pub use machines::StateMachine;
pub(crate) use remote::OperationCall;
pub use remote::operations;
pub use states::{State, Transition};
pub use timelines::Timeline;

use crate::Engine;
use crate::config::BehaviorSource;
use crate::graph::Graph;
use crate::ids;
use boxstep_format::model;
use boxstep_types::{BoxPath, Diagnostic, Time};
use std::fmt;
use std::sync::Arc;

macro_rules! handles {
    ($($(#[$doc:meta])* $name:ident)*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name {
            pub(crate) engine: u32,
            pub(crate) index: u32,
        }
    )* };
}
handles! {
    /// A box of an engine.
    BoxId
    /// The timeline of a box.
    TimelineId
    /// The state machine of a box.
    StateMachineId
    /// A registered callback.
    ListenerId
}

/// A state of a state machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateId {
    pub(crate) engine: u32,
    pub(crate) of: u32,
    pub(crate) index: u32,
}

/// A transition of a state machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TransitionId {
    pub(crate) engine: u32,
    pub(crate) of: u32,
    pub(crate) index: u32,
}

/// The reason why an operation failed. The engine is unchanged then.
#[derive(Clone, Debug, PartialEq)]
pub enum Error {
    /// The handle belongs to another engine.
    Foreign,
    /// The state has been removed, or belongs to another state machine.
    UnknownState,
    /// No state has this name or label.
    NoSuchState(Arc<str>),
    /// The transition has been removed, or belongs to another state machine.
    UnknownTransition,
    /// No keyframe, state or label has this name.
    NoSuchLabel(Arc<str>),
    /// The timeline has no frame at which it enters that state.
    NoFrame(Arc<str>),
    /// There is no box with this path.
    NoSuchBox(String),
    /// The box has no input, output or parameter of this name.
    NoSuchPort(Arc<str>),
    /// The box has no timeline whose cursor moves.
    NoTimeline,
    /// The box has no state machine.
    NoStateMachine,
    /// The states follow from the keyframes of a timeline's layers, and cannot be changed.
    Derived,
    /// The object is not loaded, so there is nothing to pause, to move or to stimulate.
    NotLoaded,
    /// The object is loaded, and has to be unloaded first.
    Loaded,
    /// The box is part of a diagram or state, which loads and unloads it.
    Part,
    /// The box is already part of another box.
    Elsewhere,
    /// The state is current, and has to be left first.
    Current,
    /// The state that the transition leads from is not current.
    NotCurrent,
    /// Frames per second must be 1 or more.
    BadFps(i32),
    /// An interval, or a timeline, ends before it begins.
    BadInterval(i64, i64),
    /// The run is over, or is ending.
    Over,
    /// The object cannot be created, with the reason.
    Invalid(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Error::Foreign => "the handle belongs to another engine",
            Error::UnknownState => "the state machine has no such state any more",
            Error::NoSuchState(name) => return write!(f, "there is no state named {name}"),
            Error::UnknownTransition => "the state machine has no such transition any more",
            Error::NoSuchLabel(name) => return write!(f, "there is no keyframe, state or label named {name}"),
            Error::NoFrame(name) => return write!(f, "the timeline enters {name} at no frame"),
            Error::NoSuchBox(path) => return write!(f, "there is no box {path}"),
            Error::NoSuchPort(name) => return write!(f, "the box has no input, output or parameter named {name}"),
            Error::NoTimeline => "the box has no timeline whose cursor moves",
            Error::NoStateMachine => "the box has no state machine",
            Error::Derived => "the states follow from the timeline's keyframes and cannot be changed",
            Error::NotLoaded => "it is not loaded",
            Error::Loaded => "it is loaded and has to be unloaded first",
            Error::Part => "it is part of a diagram or state, which loads and unloads it",
            Error::Elsewhere => "the box is a part of another already",
            Error::Current => "the state is current and has to be left first",
            Error::NotCurrent => "the transition's state is not current",
            Error::BadFps(fps) => return write!(f, "frames per second must be 1 or more, not {fps}"),
            Error::BadInterval(begin, end) => {
                return write!(f, "an interval from {begin} to {end} ends before it begins");
            }
            Error::Over => "the run is over",
            Error::Invalid(why) => why,
        };
        f.write_str(text)
    }
}

impl std::error::Error for Error {}

/// The engine, as a callback sees it.
pub struct Cx<'e> {
    pub(crate) engine: &'e mut Engine,
}

impl Cx<'_> {
    /// Returns the engine's time.
    pub fn now(&self) -> Time {
        self.engine.cx.now()
    }

    /// Returns the objects of the engine.
    pub fn objects(&mut self) -> Objects<'_> {
        Objects { engine: self.engine }
    }
}

impl Graph {
    pub(crate) fn own_box(&self, id: BoxId) -> Result<ids::BoxId, Error> {
        let own = id.engine == self.number && (id.index as usize) < self.boxes.len();
        own.then_some(ids::BoxId(id.index)).ok_or(Error::Foreign)
    }
}

impl Engine {
    /// Returns the objects of this engine: to create new ones and to access existing ones.
    pub fn objects(&mut self) -> Objects<'_> {
        Objects { engine: self }
    }
}

/// The objects of an engine.
pub struct Objects<'e> {
    engine: &'e mut Engine,
}

impl<'e> Objects<'e> {
    /// Creates a box, with everything inside it.
    ///
    /// # Errors
    /// [`Error::Invalid`] if a link of the draft has a missing end; [`Error::Over`].
    pub fn new_box(&mut self, draft: Draft) -> Result<BoxId, Error> {
        if self.engine.end.has_begun() {
            return Err(Error::Over);
        }
        let (source, natives) = draft.finish()?;
        let id = self.engine.open(source, Some(std::boxed::Box::new(natives))).map_err(|d| invalid(&d))?;
        let behavior = &mut self.engine.behaviors.all[id.index()];
        behavior.object = true;
        let root = behavior.root;
        Ok(self.engine.graph.handle(root))
    }

    /// Creates a timeline from the model of one in a file: curves, layers, its own state machine.
    ///
    /// # Errors
    /// [`Error::NoTimeline`] if its cursor never moves; [`Error::Over`].
    pub fn new_timeline(&mut self, name: &str, timeline: model::Timeline) -> Result<TimelineId, Error> {
        if !crate::timeline::TimelineRun::clocked(&timeline) {
            return Err(Error::NoTimeline);
        }
        let id = self.new_box(Draft::new(name).inside(timeline))?;
        Ok(TimelineId { engine: id.engine, index: id.index })
    }

    /// Creates a state machine without states.
    ///
    /// # Errors
    /// [`Error::Over`].
    pub fn new_state_machine(&mut self, name: &str) -> Result<StateMachineId, Error> {
        let id = self.new_box(Draft::new(name).state_machine())?;
        Ok(StateMachineId { engine: id.engine, index: id.index })
    }

    /// Opens a behavior without loading it and returns its root box. [`Engine::play`] opens and starts the behavior
    /// that the run plays.
    ///
    /// # Errors
    /// The findings because of which the model cannot run at all.
    pub fn open(&mut self, source: BehaviorSource) -> Result<BoxId, Vec<Diagnostic>> {
        let id = self.engine.open(source, None)?;
        Ok(self.engine.graph.handle(self.engine.behaviors.all[id.index()].root))
    }

    /// Finds the box with a path, e.g. `root/Dance/Say`, as messages print it: in the behavior that is played,
    /// otherwise in the last open behavior that has it, otherwise in the last behavior that had it.
    ///
    /// # Errors
    /// [`Error::NoSuchBox`].
    pub fn find(&self, path: &str) -> Result<BoxId, Error> {
        let unknown = || Error::NoSuchBox(path.to_owned());
        let wanted: BoxPath = path.parse().map_err(|_| unknown())?;
        self.engine
            .behaviors
            .at(&self.engine.cx, &self.engine.graph, &wanted)
            .map(|b| self.engine.graph.handle(b))
            .ok_or_else(unknown)
    }

    /// Returns a box.
    ///
    /// # Errors
    /// [`Error::Foreign`].
    pub fn get_box(self, id: BoxId) -> Result<Box<'e>, Error> {
        let id = self.engine.graph.own_box(id)?;
        Ok(Box { engine: self.engine, id })
    }

    /// Returns a timeline.
    ///
    /// # Errors
    /// [`Error::Foreign`].
    pub fn timeline(self, id: TimelineId) -> Result<Timeline<'e>, Error> {
        let id = self.engine.graph.own_box(BoxId { engine: id.engine, index: id.index })?;
        Ok(Timeline { engine: self.engine, id })
    }

    /// Returns a state machine.
    ///
    /// # Errors
    /// [`Error::Foreign`].
    pub fn state_machine(self, id: StateMachineId) -> Result<StateMachine<'e>, Error> {
        let id = self.engine.graph.own_box(BoxId { engine: id.engine, index: id.index })?;
        Ok(StateMachine { engine: self.engine, id })
    }

    /// Returns a state.
    ///
    /// # Errors
    /// [`Error::Foreign`], [`Error::UnknownState`].
    pub fn state(self, id: StateId) -> Result<State<'e>, Error> {
        let of = self.engine.graph.own_box(BoxId { engine: id.engine, index: id.of })?;
        let index = self.engine.graph.own_state(of, id)?;
        Ok(State { engine: self.engine, of, index })
    }

    /// Returns a transition.
    ///
    /// # Errors
    /// [`Error::Foreign`], [`Error::UnknownTransition`].
    pub fn transition(self, id: TransitionId) -> Result<Transition<'e>, Error> {
        let of = self.engine.graph.own_box(BoxId { engine: id.engine, index: id.of })?;
        let index = self.engine.graph.own_transition(of, id)?;
        Ok(Transition { engine: self.engine, of, index })
    }

    /// Removes a callback. Returns false if it was already removed.
    ///
    /// # Errors
    /// [`Error::Foreign`].
    pub fn forget(&mut self, listener: ListenerId) -> Result<bool, Error> {
        if listener.engine != self.engine.graph.number {
            return Err(Error::Foreign);
        }
        Ok(self.engine.callbacks.remove(listener.index))
    }
}

fn invalid(found: &[Diagnostic]) -> Error {
    Error::Invalid(found.first().map_or_else(String::new, ToString::to_string))
}
