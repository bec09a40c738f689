//! Checks a plan before any of it runs, and finds all problems at once.

use super::plan::{Locks, RootPolicy, Roots, Settings};
use super::state::{Graph, NONE};
use super::{BehaviorId, Delegates};
use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::sync::Arc;

/// The limit of rings that are reported; more would not be read.
const MAX_RINGS: usize = 100;

/// The path to a behavior: the names from the root down, along the shortest way.
pub type Way = Vec<Arc<str>>;

/// A rule that a plan breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Law {
    /// There is no behavior of the name that [`Settings`] gives as `what`: root, idle or safe behavior.
    NoRoot {
        /// `root`, `idle` or `safe`.
        what: &'static str,
        /// The name.
        name: Arc<str>,
    },
    /// The root, idle or safe behavior is a plain action, which cannot decide anything.
    PlainRoot {
        /// `root`, `idle` or `safe`.
        what: &'static str,
        /// The name.
        name: Arc<str>,
    },
    /// Two behaviors have the same name.
    Duplicate {
        /// The path to the first of them; only its name if it is not reachable.
        way: Way,
    },
    /// A behavior declares a delegate that does not exist.
    Unknown {
        /// The path to the behavior that declares it.
        way: Way,
        /// The name of the delegate.
        name: Arc<str>,
    },
    /// A behavior runs one side by side with others that it has not declared as a delegate.
    Undeclared {
        /// The path to the behavior that runs it.
        way: Way,
        /// The name of the undeclared delegate.
        name: Arc<str>,
    },
    /// A behavior is its own descendant.
    Ring {
        /// The path to the behavior, and on to where it occurs again.
        way: Way,
    },
    /// A behavior is not reachable from the root.
    Unreachable {
        /// Its name.
        name: Arc<str>,
    },
    /// Two behaviors that run side by side lock the same resource.
    Contended {
        /// The path to the behavior that runs them.
        way: Way,
        /// One of the two.
        one: Arc<str>,
        /// The other one.
        other: Arc<str>,
        /// The resource that both lock.
        resource: Arc<str>,
    },
    /// More behaviors may delegate to each other in a row than [`Settings::max_depth`] allows.
    TooDeep {
        /// The path to the first behavior beyond the limit.
        way: Way,
        /// The limit.
        limit: usize,
    },
}

impl fmt::Display for Law {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let way = |way: &Way| way.join(" → ");
        match self {
            Law::NoRoot { what, name } => write!(f, "the {what} behavior {name} does not exist"),
            Law::PlainRoot { what, name } => write!(f, "the {what} behavior {name} is a plain action"),
            Law::Duplicate { way: at } => write!(f, "{}: another behavior has the same name", way(at)),
            Law::Unknown { way: at, name } => write!(f, "{}: its delegate {name} does not exist", way(at)),
            Law::Undeclared { way: at, name } => {
                write!(f, "{}: {name}, which it runs side by side with others, is not one of its delegates", way(at))
            }
            Law::Ring { way: at } => write!(f, "{}: a behavior is its own descendant", way(at)),
            Law::Unreachable { name } => write!(f, "{name}: not reachable from the root"),
            Law::Contended { way: at, one, other, resource } => {
                write!(f, "{}: {one} and {other} run side by side and both lock {resource}", way(at))
            }
            Law::TooDeep { way: at, limit } => {
                write!(f, "{}: more than {limit} behaviors in a row", way(at))
            }
        }
    }
}

impl std::error::Error for Law {}

/// Checks a plan by its declarations alone, without creating behaviors. Returns the behaviors by name and the laws that
/// are broken, in the order of [`Plan::build`](super::Plan::build).
pub fn outline(names: &[Arc<str>], declared: &[Delegates], settings: &Settings) -> (ByName, Vec<Law>) {
    let (by_name, checked) = Checker::new(names, declared, &vec![false; names.len()]).check(settings);
    (by_name, checked.err().unwrap_or_default())
}

/// Behaviors by name; the first one if several have the same name.
pub type ByName = HashMap<Arc<str>, BehaviorId>;

/// The result of the checks for a plan that breaks no law.
pub(super) type ValidPlan = (Graph, Roots, Locks);

/// The data of a plan that is being checked.
pub(super) struct Checker<'p> {
    names: &'p [Arc<str>],
    declared: &'p [Delegates],
    is_action: &'p [bool],
    by_name: ByName,
    duplicates: Vec<u32>,
    graph: Graph,
    /// The parent of each behavior on the shortest path; itself for roots, [`NONE`] if it is not reachable.
    parents: Vec<u32>,
    broken: Vec<Law>,
}

impl<'p> Checker<'p> {
    pub(super) fn new(names: &'p [Arc<str>], declared: &'p [Delegates], is_action: &'p [bool]) -> Self {
        let mut by_name = HashMap::with_capacity(names.len());
        let mut duplicates = Vec::new();
        for (index, name) in names.iter().enumerate() {
            let index = index as u32;
            if *by_name.entry(name.clone()).or_insert(BehaviorId(index)) != BehaviorId(index) {
                duplicates.push(index);
            }
        }
        let (graph, parents) = (Graph::default(), vec![NONE; names.len()]);
        Self { names, declared, is_action, by_name, duplicates, graph, parents, broken: Vec::new() }
    }

    pub(super) fn check(mut self, settings: &Settings) -> (ByName, Result<ValidPlan, Vec<Law>>) {
        let sound = self.run_checks(settings);
        let sound = sound.filter(|_| self.broken.is_empty());
        (self.by_name, sound.map(|(roots, locks)| (self.graph, roots, locks)).ok_or(self.broken))
    }

    /// Runs all checks, and collects broken laws. Returns `None` if there is no root to begin at.
    fn run_checks(&mut self, settings: &Settings) -> Option<(Roots, Locks)> {
        let unknown = self.link();
        let roots = self.roots(settings)?;
        self.find_paths(roots);
        for &of in &self.duplicates {
            let first = self.by_name[&*self.names[of as usize]];
            self.broken.push(Law::Duplicate { way: self.way(first.0) });
        }
        for (of, name) in unknown {
            self.broken.push(Law::Unknown { way: self.way(of), name });
        }
        let locks = self.locks();
        self.check_side_by_side();
        self.check_reachable();
        if let Some(order) = self.find_rings() {
            self.check_depth(&order, roots, settings.max_depth);
        }
        Some((roots, locks))
    }

    /// Resolves names to numbers; returns the names that no behavior has.
    fn link(&mut self) -> Vec<(u32, Arc<str>)> {
        let mut unknown = Vec::new();
        // For each behavior, the last one that declared it.
        let mut last = vec![NONE; self.names.len()];
        self.graph.starts.push(0);
        for (of, declared) in self.declared.iter().enumerate() {
            let begin = self.graph.targets.len();
            for name in &declared.names {
                match self.by_name.get(name) {
                    Some(to) if std::mem::replace(&mut last[to.index()], of as u32) != of as u32 => {
                        self.graph.targets.push(*to);
                    }
                    Some(_) => {}
                    None => unknown.push((of as u32, name.clone())),
                }
            }
            let targets = self.graph.targets[begin..].iter().enumerate();
            self.graph.sorted.extend(targets.map(|(at, to)| (to.0, (begin + at) as u32)));
            self.graph.sorted[begin..].sort_unstable();
            self.graph.starts.push(self.graph.targets.len() as u32);
            self.graph.quiet.push(declared.quiet);
        }
        unknown
    }

    fn roots(&mut self, settings: &Settings) -> Option<Roots> {
        let mut find = |what, name: &Arc<str>| {
            let found = self.by_name.get(name).map(|of| of.0);
            match found {
                None => self.broken.push(Law::NoRoot { what, name: name.clone() }),
                Some(of) if self.is_action[of as usize] => {
                    self.broken.push(Law::PlainRoot { what, name: name.clone() })
                }
                Some(_) => {}
            }
            found
        };
        let root = find("root", &settings.root);
        let idle = match &settings.at_end {
            RootPolicy::Idle(name) => find("idle", name),
            RootPolicy::Restart | RootPolicy::Stop => None,
        };
        let safe = settings.safe.as_ref().and_then(|name| find("safe", name)).or(idle);
        Some(Roots { root: root?, idle, safe })
    }

    fn find_paths(&mut self, roots: Roots) {
        let mut line: VecDeque<u32> = roots.all().collect();
        for &root in &line {
            self.parents[root as usize] = root;
        }
        while let Some(of) = line.pop_front() {
            for edge in self.graph.edges(of) {
                let to = self.graph.targets[edge].0;
                if self.parents[to as usize] == NONE {
                    self.parents[to as usize] = of;
                    line.push_back(to);
                }
            }
        }
    }

    /// The names from the root to a behavior; only its own name if it is not reachable.
    fn way(&self, of: u32) -> Way {
        let mut way = vec![self.names[of as usize].clone()];
        let (mut at, mut from) = (of, self.parents[of as usize]);
        while from != at && from != NONE {
            way.push(self.names[from as usize].clone());
            (at, from) = (from, self.parents[from as usize]);
        }
        way.reverse();
        way
    }

    fn locks(&mut self) -> Locks {
        let mut locks = Locks { starts: vec![0], ..Locks::default() };
        for declared in self.declared {
            let begin = locks.locks.len();
            for name in &declared.locks {
                let number = *locks.numbers.entry(name.clone()).or_insert_with(|| {
                    locks.names.push(name.clone());
                    (locks.names.len() - 1) as u32
                });
                if !locks.locks[begin..].contains(&number) {
                    locks.locks.push(number);
                }
            }
            locks.starts.push(locks.locks.len() as u32);
        }
        locks
    }

    fn check_side_by_side(&mut self) {
        for (of, declared) in self.declared.iter().enumerate() {
            for group in &declared.together {
                let mut holders: HashMap<&str, &Arc<str>> = HashMap::new();
                for name in group {
                    let to = self.by_name.get(name).filter(|to| self.graph.edge(of as u32, **to).is_some());
                    let Some(to) = to else {
                        self.broken.push(Law::Undeclared { way: self.way(of as u32), name: name.clone() });
                        continue;
                    };
                    for resource in &self.declared[to.index()].locks {
                        match holders.insert(resource, name) {
                            Some(one) if one != name => self.broken.push(Law::Contended {
                                way: self.way(of as u32),
                                one: one.clone(),
                                other: name.clone(),
                                resource: resource.clone(),
                            }),
                            _ => {}
                        }
                    }
                }
            }
        }
    }

    fn check_reachable(&mut self) {
        for (of, name) in self.names.iter().enumerate() {
            if self.parents[of] == NONE && !self.duplicates.contains(&(of as u32)) {
                self.broken.push(Law::Unreachable { name: name.clone() });
            }
        }
    }

    /// Searches for rings. If there are none, returns all behaviors in topological order, each before its delegates.
    fn find_rings(&mut self) -> Option<Vec<u32>> {
        #[derive(Clone, Copy, PartialEq)]
        enum Mark {
            New,
            Open,
            Done,
        }
        let count = self.names.len();
        let mut marks = vec![Mark::New; count];
        let mut order = Vec::with_capacity(count);
        let mut rings = 0;
        // The path that is being followed, each behavior with the index of its next delegate to visit.
        let mut way: Vec<(u32, usize)> = Vec::new();
        for first in 0..count as u32 {
            if marks[first as usize] != Mark::New {
                continue;
            }
            marks[first as usize] = Mark::Open;
            way.push((first, self.graph.edges(first).start));
            while let Some((of, next)) = way.last_mut() {
                let of = *of;
                if *next == self.graph.edges(of).end {
                    marks[of as usize] = Mark::Done;
                    order.push(of);
                    way.pop();
                    continue;
                }
                let to = self.graph.targets[*next].0;
                *next += 1;
                match marks[to as usize] {
                    Mark::New => {
                        marks[to as usize] = Mark::Open;
                        way.push((to, self.graph.edges(to).start));
                    }
                    Mark::Done => {}
                    Mark::Open => {
                        rings += 1;
                        if rings <= MAX_RINGS {
                            let mut shown = self.way(to);
                            let round = way.iter().skip_while(|(of, _)| *of != to).skip(1);
                            shown.extend(round.map(|(of, _)| self.names[*of as usize].clone()));
                            shown.push(self.names[to as usize].clone());
                            self.broken.push(Law::Ring { way: shown });
                        }
                    }
                }
            }
        }
        order.reverse();
        (rings == 0).then_some(order)
    }

    /// Checks the depth of delegation; `order` has each behavior before its delegates.
    fn check_depth(&mut self, order: &[u32], roots: Roots, limit: usize) {
        let mut depth = vec![0; self.names.len()];
        let mut before = vec![NONE; self.names.len()];
        for root in roots.all() {
            depth[root as usize] = 1;
        }
        for &of in order {
            let mine: usize = depth[of as usize];
            if mine == 0 {
                continue;
            }
            if mine > limit {
                let mut way = vec![self.names[of as usize].clone()];
                let mut at = before[of as usize];
                while at != NONE {
                    way.push(self.names[at as usize].clone());
                    at = before[at as usize];
                }
                way.reverse();
                self.broken.push(Law::TooDeep { way, limit });
                return;
            }
            for edge in self.graph.edges(of) {
                let to = self.graph.targets[edge].0 as usize;
                if mine + 1 > depth[to] {
                    depth[to] = mine + 1;
                    before[to] = of;
                }
            }
        }
    }
}
