//! The model of a character: behaviors by name; inline ones are named by their places.

use crate::tree::Place;
use boxstep_dialog::Pattern;
use boxstep_engine::runner::RootPolicy;
use boxstep_types::{Time, Value};
use std::collections::HashMap;
use std::sync::Arc;

/// How many ends of behaviors in one tick are allowed in the smallest character without counting as a livelock. A
/// behavior may have several places.
const HOPS: u32 = 100;

/// A character, as read from its file.
#[derive(Clone, Debug)]
pub struct Character {
    /// Its name.
    pub name: Arc<str>,
    /// The behavior that is given control first.
    pub root: Arc<str>,
    /// What happens when the root ends.
    pub at_end: RootPolicy,
    /// The behavior that takes over after a livelock.
    pub safe: Option<Arc<str>>,
    /// The Python files, as the character names them.
    pub scripts: Vec<Named>,
    /// The behaviors, each before its inline children. An inline child is named by its place: `main/2` is the second
    /// child of `main`, `guide/Idle` is the behavior of the state Idle of `guide`.
    pub behaviors: Vec<Node>,
    /// The positions of all names in the file, including those of behaviors that could not be read.
    pub(crate) named: HashMap<Arc<str>, Place>,
}

/// A behavior.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Its name.
    pub name: Arc<str>,
    /// The position in the file.
    pub at: Place,
    /// The condition under which the behavior wants to run.
    pub when: Option<Condition>,
    /// The resources that no other behavior may have while it runs.
    pub claims: Vec<Arc<str>>,
    /// The behaviors that do not run while it runs.
    pub silences: Vec<Named>,
    /// The timer that restarts when the behavior starts.
    pub timer_at_start: Option<Arc<str>>,
    /// The timer that restarts when the behavior has ended.
    pub timer_at_end: Option<Arc<str>>,
    /// The names outside of the file that a leaf refers to, with their positions: the behavior that it plays, or the
    /// animation, class or action; then the names of the behavior's parameters.
    pub named: Vec<Named>,
    /// The kind of the behavior, and its contents.
    pub kind: Kind,
}

/// A reference by name, and its position.
#[derive(Clone, Debug, PartialEq)]
pub struct Named {
    /// The name.
    pub name: Arc<str>,
    /// The position in the file.
    pub at: Place,
}

/// A reference to a child, with its parent's settings for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Child {
    /// The child's behavior.
    pub to: Named,
    /// The relative probability that the child is chosen.
    pub weight: f64,
    /// How long the child is not chosen again.
    pub cooldown: Option<Cooldown>,
}

/// The time in which a child is not chosen again.
#[derive(Clone, Debug, PartialEq)]
pub struct Cooldown {
    /// The duration in seconds.
    pub seconds: f64,
    /// The largest random deviation from the duration, in seconds.
    pub jitter: f64,
    /// Whether it starts at the start of the child, not at its end.
    pub from_start: bool,
    /// The named timer that counts, if it is not the child's own.
    pub timer: Option<Arc<str>>,
    /// Whether an activation of the parent resets it.
    pub reset: bool,
}

/// The kind of a behavior.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// Runs the first child that wants to run, again and again.
    Priority {
        /// The children.
        children: Vec<Child>,
        /// Whether a child may take over from a later one that runs.
        interrupt: bool,
    },
    /// Runs the first child that wants to run, once.
    Selector(Vec<Child>),
    /// Runs the children in order, and skips those that do not want to run.
    Queue(Vec<Child>),
    /// Runs one child, chosen at random.
    Random(Vec<Child>),
    /// Repeats a child, this number of times or without end.
    Repeat(Child, Option<u32>),
    /// Repeats a child until it is done, at most this number of times.
    Retry(Child, Option<u32>),
    /// Runs one child, until a condition ends it.
    Pass {
        /// The child.
        child: Child,
        /// The condition that ends the child.
        until: Option<Condition>,
        /// Whether that end is a failure.
        fails: bool,
    },
    /// Runs one child, and changes its outcome.
    Outcome(Child, As),
    /// Runs one child to its end once in the whole run. The outcome of later activations; without one, as the child
    /// ended.
    Once(Child, Option<As>),
    /// Runs one of two children.
    If {
        /// The condition that decides.
        test: Condition,
        /// The child that runs if the condition is true.
        then: Child,
        /// The child that runs if it is false.
        otherwise: Option<Child>,
        /// Whether the condition is evaluated in each tick, and not only at the start.
        watch: bool,
    },
    /// Done if the condition is true, failed otherwise.
    Check(Condition),
    /// A state machine.
    Machine(Machine),
    /// Runs the children in order; all have to be done.
    Sequence {
        /// The children.
        children: Vec<Child>,
        /// Whether it resumes at the same child after a failure.
        resume: bool,
        /// Whether it resumes at the same child after it was stopped.
        resume_stopped: bool,
    },
    /// Runs the children in order until one is done.
    Fallback(Vec<Child>),
    /// Runs the children side by side.
    Parallel {
        /// The children.
        children: Vec<Child>,
        /// The number of children that have to be done for it to be done.
        success: u32,
        /// The number of children that have to fail for it to fail.
        failure: u32,
        /// Whether it ends only when all children have ended.
        whole: bool,
    },
    /// Waits for a time.
    Wait {
        /// The duration in seconds.
        seconds: f64,
        /// The largest random deviation, in seconds.
        jitter: f64,
        /// Whether it fails at the end of the wait.
        fails: bool,
    },
    /// Waits for a sentence that fits a pattern.
    Hear(Pattern),
    /// An action of the world.
    Do(Do),
    /// An action in Rust: its name and its arguments.
    Native(Arc<str>, Value),
    /// A Python class, its arguments, and the children to which it may delegate.
    Script(Arc<str>, Value, Vec<Child>),
}

/// How the outcome of a child is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum As {
    /// Failed if the child is done, done if it has failed.
    Opposite,
    /// Always done.
    Done,
    /// Always failed.
    Failed,
}

/// A state machine.
#[derive(Clone, Debug, PartialEq)]
pub struct Machine {
    /// The states.
    pub states: Vec<State>,
    /// The index of the initial state.
    pub start: usize,
    /// The transitions, in the order of the file.
    pub transitions: Vec<Transition>,
}

/// A state.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Its name.
    pub name: Named,
    /// The behavior that runs in the state.
    pub child: Option<Child>,
}

/// A transition between states.
#[derive(Clone, Debug, PartialEq)]
pub struct Transition {
    /// The states that it leads from; `None` for all states but its target.
    pub from: Option<Vec<usize>>,
    /// The state that it leads to.
    pub to: usize,
    /// The condition under which it fires.
    pub when: Condition,
    /// When it may fire.
    pub at: Strength,
    /// The position in the file.
    pub place: Place,
}

/// When a transition may fire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strength {
    /// In any tick.
    Once,
    /// When the state's behavior has ended, if the condition has been true since the state was entered.
    End,
    /// When the state's behavior ends, if the condition is true at that moment.
    Exit,
}

/// An action of a leaf in the world.
#[derive(Clone, Debug, PartialEq)]
pub enum Do {
    /// Play a behavior: a file, or an installed one, with parameters.
    Play(Arc<str>, Vec<(Arc<str>, Value)>),
    /// Talk by a topic: a `.top`, or a `.dlg` with a topic in each language.
    Talk(Arc<str>),
    /// Play an animation.
    Animation(Arc<str>),
    /// Say one of these texts, with or without gestures.
    Say(Vec<Arc<str>>, bool),
    /// Call a method of a service.
    Call(Arc<str>, Arc<str>, Vec<Value>),
    /// Run a class of a script, with these arguments.
    Script(Arc<str>, Value),
    /// Do this on another robot.
    On(Named, Box<Do>),
}

/// A condition.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// Constant.
    Always(bool),
    /// All of these are true.
    All(Vec<Condition>),
    /// At least one of these is true.
    Any(Vec<Condition>),
    /// This is not true.
    Not(Box<Condition>),
    /// The time since the condition was switched on is in the range.
    Elapsed(Range),
    /// The time since a named timer started is in the range; the flag is the result if the timer never started.
    Timer(Arc<str>, Range, bool),
    /// This is true, and was not in the previous tick.
    Became(Box<Condition>),
    /// This is true, and the condition has not been true for this long.
    Dedup(Box<Condition>, Time),
    /// Comparisons of a value of the robot's memory.
    Memory(Arc<str>, Vec<Compare>),
    /// Comparisons of an event since the last tick.
    Event(Arc<str>, Vec<Compare>),
    /// A sentence that fits the pattern was heard since the last tick.
    Heard(Pattern),
    /// No behavior and no other user has this resource.
    Free(Arc<str>),
    /// A random result with this probability of being true, drawn anew after each such time.
    Chance(f64, Time),
    /// A condition of the world, with its arguments.
    Custom(Arc<str>, Value),
}

/// A half-open range of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// The beginning, included.
    pub from: Time,
    /// The end, not included.
    pub to: Time,
}

impl Range {
    /// Returns whether a time is in the range.
    pub fn has(self, t: Time) -> bool {
        self.from <= t && t < self.to
    }
}

/// A comparison.
#[derive(Clone, Debug, PartialEq)]
pub enum Compare {
    /// The value equals this one.
    Equals(Value),
    /// The value exists, and does not equal this one.
    NotEquals(Value),
    /// The value is less.
    Less(f64),
    /// The value is greater.
    More(f64),
    /// The value is at least this.
    AtLeast(f64),
    /// The value is at most this.
    AtMost(f64),
    /// Whether the value exists.
    Exists(bool),
}

impl Character {
    /// Returns the behaviors that leaves play: files, or installed ones.
    pub fn plays(&self) -> impl Iterator<Item = &Arc<str>> {
        self.behaviors.iter().filter_map(|node| node.kind.plays())
    }

    /// Returns how many behaviors may end in one tick. A child at one place runs at most once in a tick, so that more
    /// ends mean a livelock.
    pub(crate) fn most_hops(&self) -> u32 {
        let places: usize = self.behaviors.iter().map(|node| node.kind.children().len()).sum();
        u32::try_from(places).unwrap_or(u32::MAX).saturating_add(HOPS)
    }

    /// Returns the names of the conditions of the world, each once.
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

    /// Returns all conditions: of behaviors that want to run, of what ends them, and of transitions.
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

/// The children of a kind, in order; by shared or mutable reference.
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
            Kind::Check(_) | Kind::Wait { .. } | Kind::Hear(_) | Kind::Do(_) | Kind::Native(..) => Vec::new(),
        }
    };
}

impl Kind {
    /// Returns the behavior that a leaf plays on the character's own robot, as a file or by its installed name.
    pub fn plays(&self) -> Option<&Arc<str>> {
        match self {
            Kind::Do(what) => what.plays(),
            _ => None,
        }
    }

    /// Returns the children, in order.
    pub fn children(&self) -> Vec<&Child> {
        children!(self, iter, as_ref)
    }

    fn children_mut(&mut self) -> Vec<&mut Child> {
        children!(self, iter_mut, as_mut)
    }
}

impl Node {
    /// Returns a copy without positions, which equals the copy of a behavior that does the same.
    pub(crate) fn unplaced(&self) -> Node {
        let mut node = self.clone();
        node.at = Place::default();
        node.silences.iter_mut().chain(&mut node.named).for_each(|named| named.at = Place::default());
        node.kind.children_mut().into_iter().for_each(|child| child.to.at = Place::default());
        if let Kind::Do(Do::On(robot, _)) = &mut node.kind {
            robot.at = Place::default();
        }
        if let Kind::Machine(machine) = &mut node.kind {
            machine.states.iter_mut().for_each(|state| state.name.at = Place::default());
            machine.transitions.iter_mut().for_each(|transition| transition.place = Place::default());
        }
        node
    }
}
