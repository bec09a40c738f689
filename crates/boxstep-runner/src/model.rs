//! A character as it was read: behaviors by name, inline ones among them under the names of their places.

use crate::tree::Place;
use boxstep_engine::runner::RootPolicy;
use boxstep_types::{Time, Value};
use std::collections::HashMap;
use std::sync::Arc;

/// How many ends are no livelock in the smallest of characters: a behavior may stand in several places.
const HOPS: u32 = 100;

/// A character.
#[derive(Clone, Debug)]
pub struct Character {
    /// Its name.
    pub name: Arc<str>,
    /// The behavior that is given control first.
    pub root: Arc<str>,
    /// What follows when the root ends.
    pub at_end: RootPolicy,
    /// The behavior that takes over after a livelock.
    pub safe: Option<Arc<str>>,
    /// Python files, as the character names them.
    pub scripts: Vec<Named>,
    /// The behaviors, each before its inline children. One that stands in a list of children is named by its place: `main/2` is the
    /// second child of `main`, `guide/Idle` what the state Idle of `guide` does.
    pub behaviors: Vec<Node>,
    /// Names that the file gives, also to behaviors that could not be read, and where.
    pub(crate) named: HashMap<Arc<str>, Place>,
}

/// A behavior.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Its name.
    pub name: Arc<str>,
    /// Where it stands.
    pub at: Place,
    /// When it wants to run.
    pub when: Option<Condition>,
    /// What nobody else may have while it runs.
    pub claims: Vec<Arc<str>>,
    /// Who does not run while it runs.
    pub silences: Vec<Named>,
    /// The timer that begins when it starts.
    pub timer_at_start: Option<Arc<str>>,
    /// The timer that begins when it has ended.
    pub timer_at_end: Option<Arc<str>>,
    /// What a leaf names that is not in the file, and where: the behavior that it plays, or the animation, class or action; then the
    /// behavior's parameters.
    pub named: Vec<Named>,
    /// What it does.
    pub kind: Kind,
}

/// A name of something else, and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Named {
    /// The name.
    pub name: Arc<str>,
    /// Where it stands.
    pub at: Place,
}

/// A child, as its parent has it.
#[derive(Clone, Debug, PartialEq)]
pub struct Child {
    /// Which behavior.
    pub to: Named,
    /// How likely it is chosen, compared with others.
    pub weight: f64,
    /// How long it is not chosen again.
    pub cooldown: Option<Cooldown>,
}

/// How long a child is not chosen again.
#[derive(Clone, Debug, PartialEq)]
pub struct Cooldown {
    /// In seconds.
    pub seconds: f64,
    /// So much more or less, by chance.
    pub jitter: f64,
    /// Counted from the start, not from the end.
    pub from_start: bool,
    /// A named timer.
    pub timer: Option<Arc<str>>,
    /// Forgotten when the parent is activated.
    pub reset: bool,
}

/// What a behavior does.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// The first child that wants to.
    Priority {
        /// The children.
        children: Vec<Child>,
        /// May one take over from a later one?
        interrupt: bool,
    },
    /// The first that wants to, once.
    Selector(Vec<Child>),
    /// Each in its turn, without those that do not want to.
    Queue(Vec<Child>),
    /// One by chance.
    Random(Vec<Child>),
    /// One again and again.
    Repeat(Child, Option<u32>),
    /// One again and again until it is done, so many times at most.
    Retry(Child, Option<u32>),
    /// One, and what ends it.
    Pass {
        /// The child.
        child: Child,
        /// What ends it.
        until: Option<Condition>,
        /// Has it failed then?
        fails: bool,
    },
    /// One, and what its outcome counts as.
    Outcome(Child, As),
    /// One, once in the whole run, and what follows when it is given control again: as it ended, if nothing.
    Once(Child, Option<As>),
    /// One or another.
    If {
        /// Which.
        test: Condition,
        /// If it is true.
        then: Child,
        /// If not.
        otherwise: Option<Child>,
        /// In each tick, not only at first.
        watch: bool,
    },
    /// Done if it is true.
    Check(Condition),
    /// States.
    Machine(Machine),
    /// Each in its turn; all have to be done.
    Sequence {
        /// The children.
        children: Vec<Child>,
        /// After a failure it goes on where it was.
        resume: bool,
        /// So it does after it was stopped.
        resume_stopped: bool,
    },
    /// One after the other until one is done.
    Fallback(Vec<Child>),
    /// Side by side.
    Parallel {
        /// The children.
        children: Vec<Child>,
        /// How many have to be done.
        success: u32,
        /// How many have to fail.
        failure: u32,
        /// It ends only when all have ended.
        whole: bool,
    },
    /// Waits so many seconds.
    Wait {
        /// How long.
        seconds: f64,
        /// So much more or less.
        jitter: f64,
        /// Has it failed then?
        fails: bool,
    },
    /// Whatever the world does.
    Do(Do),
    /// An action in Rust, by name, and what it is told.
    Native(Arc<str>, Value),
    /// A Python class, what it is told, and whom it may delegate to.
    Script(Arc<str>, Value, Vec<Child>),
}

/// What an outcome counts as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum As {
    /// Failed if it is done, done if it has failed.
    Opposite,
    /// Done.
    Done,
    /// Failed.
    Failed,
}

/// A state machine.
#[derive(Clone, Debug, PartialEq)]
pub struct Machine {
    /// The states.
    pub states: Vec<State>,
    /// The first one.
    pub start: usize,
    /// In the order of the file.
    pub transitions: Vec<Transition>,
}

/// A state.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Its name.
    pub name: Named,
    /// What is done in it.
    pub child: Option<Child>,
}

/// What leads from state to state.
#[derive(Clone, Debug, PartialEq)]
pub struct Transition {
    /// From which states; `None`: from all but the one that it leads to.
    pub from: Option<Vec<usize>>,
    /// To which.
    pub to: usize,
    /// If this is true.
    pub when: Condition,
    /// When it may fire.
    pub at: Strength,
    /// Where it stands.
    pub place: Place,
}

/// When a transition may fire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strength {
    /// In each tick.
    Once,
    /// When the state's behavior has ended; its condition may have been true before.
    End,
    /// When the state's behavior ends, if its condition is true then.
    Exit,
}

/// What a leaf has the world do.
#[derive(Clone, Debug, PartialEq)]
pub enum Do {
    /// Play a behavior: a file, or an installed one, with parameters.
    Play(Arc<str>, Vec<(Arc<str>, Value)>),
    /// Play an animation.
    Animation(Arc<str>),
    /// Say one of these texts, with gestures or without.
    Say(Vec<Arc<str>>, bool),
    /// Call a method of a service.
    Call(Arc<str>, Arc<str>, Vec<Value>),
    /// Run a class of a script, and tell it this.
    Script(Arc<str>, Value),
}

/// When something is true.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// Always or never.
    Always(bool),
    /// All are.
    All(Vec<Condition>),
    /// One is.
    Any(Vec<Condition>),
    /// It is not.
    Not(Box<Condition>),
    /// Since it was switched on.
    Elapsed(Range),
    /// Since a named timer began; and what it is if it never did.
    Timer(Arc<str>, Range, bool),
    /// It is, and was not in the tick before.
    Became(Box<Condition>),
    /// It is, and this has not been for so long.
    Dedup(Box<Condition>, Time),
    /// A value of the robot's memory.
    Memory(Arc<str>, Vec<Compare>),
    /// An event since the last tick.
    Event(Arc<str>, Vec<Compare>),
    /// Nobody has this resource.
    Free(Arc<str>),
    /// By chance, drawn so often.
    Chance(f64, Time),
    /// Of whoever runs the character.
    Custom(Arc<str>, Value),
}

/// A range of time, the end not in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// From.
    pub from: Time,
    /// To.
    pub to: Time,
}

impl Range {
    /// Is a time in it?
    pub fn has(self, t: Time) -> bool {
        self.from <= t && t < self.to
    }
}

/// A comparison.
#[derive(Clone, Debug, PartialEq)]
pub enum Compare {
    /// It is this.
    Equals(Value),
    /// It is there, and is not this.
    NotEquals(Value),
    /// It is less.
    Less(f64),
    /// It is more.
    More(f64),
    /// It is not less.
    AtLeast(f64),
    /// It is not more.
    AtMost(f64),
    /// It is there, or not.
    Exists(bool),
}

impl Character {
    /// The behaviors that leaves play: files, or installed ones.
    pub fn plays(&self) -> impl Iterator<Item = &Arc<str>> {
        self.behaviors.iter().filter_map(|node| match &node.kind {
            Kind::Do(Do::Play(name, _)) => Some(name),
            _ => None,
        })
    }

    /// How many ends there may be in one tick. A place for a child has one turn in a tick, so that more of them go round.
    pub(crate) fn most_hops(&self) -> u32 {
        let places: usize = self.behaviors.iter().map(|node| node.kind.children().len()).sum();
        u32::try_from(places).unwrap_or(u32::MAX).saturating_add(HOPS)
    }

    /// The names of conditions that are not the format's own, each once.
    pub fn customs(&self) -> Vec<&Arc<str>> {
        fn named<'c>(condition: &'c Condition, all: &mut Vec<&'c Arc<str>>) {
            match condition {
                Condition::Custom(name, _) if !all.contains(&name) => all.push(name),
                Condition::All(parts) | Condition::Any(parts) => parts.iter().for_each(|part| named(part, all)),
                Condition::Not(inner) | Condition::Became(inner) | Condition::Dedup(inner, _) => named(inner, all),
                _ => {}
            }
        }
        let mut all = Vec::new();
        self.conditions().for_each(|condition| named(condition, &mut all));
        all
    }

    /// All conditions: when behaviors want to run, what ends them, what leads from state to state.
    pub fn conditions(&self) -> impl Iterator<Item = &Condition> {
        self.behaviors.iter().flat_map(|node| {
            let inside: Vec<&Condition> = match &node.kind {
                Kind::Pass { until, .. } => until.iter().collect(),
                Kind::If { test, .. } | Kind::Check(test) => vec![test],
                Kind::Machine(machine) => machine.transitions.iter().map(|transition| &transition.when).collect(),
                _ => Vec::new(),
            };
            node.when.iter().chain(inside)
        })
    }
}

/// The children of a kind, in order; shared or to be changed.
macro_rules! children {
    ($kind:expr, $iter:ident, $option:ident) => {
        match $kind {
            Kind::Priority { children, .. }
            | Kind::Selector(children)
            | Kind::Queue(children)
            | Kind::Random(children)
            | Kind::Sequence { children, .. }
            | Kind::Fallback(children)
            | Kind::Script(_, _, children)
            | Kind::Parallel { children, .. } => children.$iter().collect(),
            Kind::Repeat(child, _)
            | Kind::Retry(child, _)
            | Kind::Pass { child, .. }
            | Kind::Outcome(child, _)
            | Kind::Once(child, _) => vec![child],
            Kind::If { then, otherwise, .. } => std::iter::once(then).chain(otherwise).collect(),
            Kind::Machine(machine) => machine.states.$iter().filter_map(|state| state.child.$option()).collect(),
            Kind::Check(_) | Kind::Wait { .. } | Kind::Do(_) | Kind::Native(..) => Vec::new(),
        }
    };
}

impl Kind {
    /// The children, in order.
    pub fn children(&self) -> Vec<&Child> {
        children!(self, iter, as_ref)
    }

    fn children_mut(&mut self) -> Vec<&mut Child> {
        children!(self, iter_mut, as_mut)
    }
}

impl Node {
    /// The same, wherever it stands: equal if it does the same.
    pub(crate) fn unplaced(&self) -> Node {
        let mut node = self.clone();
        node.at = Place::default();
        node.silences.iter_mut().chain(&mut node.named).for_each(|named| named.at = Place::default());
        node.kind.children_mut().into_iter().for_each(|child| child.to.at = Place::default());
        if let Kind::Machine(machine) = &mut node.kind {
            machine.states.iter_mut().for_each(|state| state.name.at = Place::default());
            machine.transitions.iter_mut().for_each(|transition| transition.place = Place::default());
        }
        node
    }
}
