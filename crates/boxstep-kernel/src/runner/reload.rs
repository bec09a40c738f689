//! Replaces the plan of a running runner between two ticks (`docs/reference/reload.md`).
//!
//! A plan is applied as a whole or not at all: each plan is valid, but half of one and half of another need not be. A
//! behavior that is kept ([`Exchange::keep`], [`Exchange::renew`]) stays the same instance in the same place, with its
//! scope and control. Every other behavior of the new plan is a new instance, even if the old plan has one of the same
//! name: the old instance leaves scope in the usual way, and may take time for it.

use super::behavior::ActionBehavior;
use super::plan::{Locks, Roots, Settings};
use super::state::{Graph, NONE, Node};
use super::validation::{Checker, Law};
use super::{Action, Behavior, BehaviorId, By, Delegates, End, Hook, Runner};
use crate::lifecycle::Phase;
use boxstep_types::{Time, Value};
use std::any::Any;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::Arc;

/// The changes for a behavior that is kept under a new plan.
pub type News = Box<dyn Any + Send>;

enum Part {
    New(Box<dyn Behavior>),
    Kept,
    Renewed(Delegates, News),
}

/// Behaviors by name that are to replace those of a runner.
pub struct Exchange {
    settings: Settings,
    names: Vec<Arc<str>>,
    parts: Vec<Part>,
    is_action: Vec<bool>,
}

impl Exchange {
    /// Creates an empty exchange with these settings, whose seed is not used.
    pub fn new(settings: Settings) -> Self {
        Self { settings, names: Vec::new(), parts: Vec::new(), is_action: Vec::new() }
    }

    /// Adds a new behavior. A running behavior of this name is replaced.
    pub fn add(&mut self, name: impl Into<Arc<str>>, behavior: impl Behavior + 'static) -> &mut Self {
        self.push(name.into(), Part::New(Box::new(behavior)), false)
    }

    /// Adds a new plain action.
    pub fn action(&mut self, name: impl Into<Arc<str>>, action: impl Action + 'static) -> &mut Self {
        self.push(name.into(), Part::New(Box::new(ActionBehavior(action))), true)
    }

    /// Keeps the behavior of this name as it is, with the same delegates by name.
    pub fn keep(&mut self, name: impl Into<Arc<str>>) -> &mut Self {
        self.push(name.into(), Part::Kept, false)
    }

    /// Keeps the behavior of this name, with these delegates and resources, and notifies it of other changes
    /// ([`Behavior::replanned`]), if it agrees to them ([`Behavior::may_renew`]).
    pub fn renew(&mut self, name: impl Into<Arc<str>>, all: Delegates, news: impl Any + Send) -> &mut Self {
        self.push(name.into(), Part::Renewed(all, Box::new(news)), false)
    }

    /// The new behaviors, with the ids that they get if the exchange is applied now.
    pub fn newcomers(&self, runner: &Runner) -> Vec<(Arc<str>, BehaviorId)> {
        let new = self.names.iter().zip(&self.parts).filter(|(_, part)| matches!(part, Part::New(_)));
        new.zip(runner.names.len() as u32..).map(|((name, _), number)| (name.clone(), BehaviorId(number))).collect()
    }

    fn push(&mut self, name: Arc<str>, part: Part, is_action: bool) -> &mut Self {
        self.names.push(name);
        self.parts.push(part);
        self.is_action.push(is_action);
        self
    }
}

/// The reason why a plan is not applied now. Nothing has been changed then.
#[derive(Clone, Debug, PartialEq)]
pub enum NotTaken {
    /// The plan breaks these laws.
    Broken(Vec<Law>),
    /// The exchange keeps a behavior that the runner does not have.
    Unknown(Arc<str>),
    /// These behaviors are active or wait to be, and would be replaced, removed, or changed in a way that they do not
    /// agree to. The plan can be applied when they are not active.
    Run(Vec<Arc<str>>),
    /// The runner has stopped.
    Over,
}

impl fmt::Display for NotTaken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotTaken::Broken(laws) => {
                let all: Vec<String> = laws.iter().map(Law::to_string).collect();
                f.write_str(&all.join("; "))
            }
            NotTaken::Unknown(name) => write!(f, "there is no behavior {name} to keep"),
            NotTaken::Run(names) => {
                let does = if names.len() == 1 { "runs" } else { "run" };
                write!(f, "{} {does}", names.join(", "))
            }
            NotTaken::Over => f.write_str("the runner has stopped"),
        }
    }
}

impl std::error::Error for NotTaken {}

/// A new plan, checked against the running one. Places are indices in the runner; new behaviors have none yet.
struct Checked {
    graph: Graph,
    roots: Roots,
    locks: Locks,
    /// The place where each behavior of the plan continues; [`NONE`] if it is new.
    places: Vec<u32>,
    /// Active behaviors that their parents release, each with its parent.
    lost: Vec<(u32, u32)>,
    /// The behaviors that prevent the reload.
    in_the_way: Vec<InTheWay>,
}

/// A behavior that prevents a reload.
#[derive(Clone, Copy)]
struct InTheWay {
    who: u32,
    /// The behavior that would have to restart: this one, or the first one nearer the root that both plans have in the same place.
    restart: u32,
}

impl Runner {
    /// Returns whether this plan could be applied now.
    ///
    /// # Errors
    /// [`NotTaken`]
    pub fn may_reload(&self, new: &Exchange) -> Result<(), NotTaken> {
        self.check(new).and_then(|checked| self.check_in_the_way(&checked))
    }

    /// The names of the behaviors that would restart if this plan were applied by force; empty if it can be applied
    /// without force.
    ///
    /// # Errors
    /// [`NotTaken`], but never [`NotTaken::Run`].
    pub fn would_restart(&self, new: &Exchange) -> Result<Vec<Arc<str>>, NotTaken> {
        let checked = self.check(new)?;
        let name = |of: u32| match of {
            NONE => new.settings.root.clone(),
            of => self.names[of as usize].clone(),
        };
        Ok(self.restarting(&checked).into_iter().map(name).collect())
    }

    /// Replaces the plan between two ticks: behaviors that are no longer a delegate of an active behavior leave scope,
    /// and behaviors that have become one enter scope. Active behaviors stay active, except those that their parents
    /// release.
    ///
    /// # Errors
    /// Returns [`NotTaken`], and the plan.
    pub fn reload(&mut self, new: Exchange, now: Time) -> Result<(), Box<(NotTaken, Exchange)>> {
        match self.check(&new).and_then(|checked| self.check_in_the_way(&checked).map(|()| checked)) {
            Ok(checked) => {
                self.now = self.now.max(now);
                self.apply(new, checked);
                Ok(())
            }
            Err(why) => Err(Box::new((why, new))),
        }
    }

    /// Like [`Runner::reload`], even if behaviors prevent it: for each of these, the nearest behavior that both plans
    /// have in the same place ends with all that is active inside it. It is given control again, under the same ticket
    /// and without a value, as soon as that has wound down. Its parent gets no notice. If there is no such behavior,
    /// the root restarts.
    ///
    /// # Errors
    /// Returns [`NotTaken`], but never [`NotTaken::Run`]; and the plan.
    pub fn reload_by_force(&mut self, new: Exchange, now: Time) -> Result<(), Box<(NotTaken, Exchange)>> {
        let checked = match self.check(&new) {
            Ok(checked) => checked,
            Err(why) => return Err(Box::new((why, new))),
        };
        self.now = self.now.max(now);
        self.events.cause = 0;
        let (mut again, mut root_begins) = (Vec::new(), false);
        for of in self.restarting(&checked) {
            if of == NONE {
                root_begins = true;
                self.forget_waiting(NONE, By::Reload);
                if self.state.root != NONE {
                    self.end(self.state.root, End::Cancelled(By::Reload), By::Behavior(BehaviorId(self.state.root)));
                }
            } else {
                again.push((self.state.nodes[of as usize].up, of, self.state.nodes[of as usize].ticket));
                self.end_to_restart(of);
            }
        }
        let taken = self.reload(new, now);
        for (parent, of, ticket) in again {
            self.start(parent, &[(of, ticket)], &Value::Null);
            self.sort_regions(parent);
        }
        if root_begins {
            self.start_root(self.roots.root);
        }
        taken
    }

    // ---- whether -------------------------------------------------------------------------------

    fn check(&self, new: &Exchange) -> Result<Checked, NotTaken> {
        if self.state.over || self.walking {
            return Err(NotTaken::Over);
        }
        let mut places = Vec::with_capacity(new.names.len());
        let mut declared = Vec::with_capacity(new.names.len());
        let mut is_action = new.is_action.clone();
        for (at, (name, part)) in new.names.iter().zip(&new.parts).enumerate() {
            let place = self.by_name.get(name).map_or(NONE, |id| id.0);
            let all = match part {
                Part::New(behavior) => {
                    places.push(NONE);
                    super::plan::declared(Some(&**behavior))
                }
                Part::Kept | Part::Renewed(..) if place == NONE => return Err(NotTaken::Unknown(name.clone())),
                Part::Kept | Part::Renewed(..) => {
                    places.push(place);
                    is_action[at] = self.is_action[place as usize];
                    match part {
                        Part::Renewed(all, _) => all.clone(),
                        _ => super::plan::declared(self.behaviors[place as usize].as_deref()),
                    }
                }
            };
            declared.push(all);
        }
        let parts = Checker::new(&new.names, &declared, &is_action);
        let (graph, roots, locks) = parts.check(&new.settings).1.map_err(NotTaken::Broken)?;
        let mut checked = Checked { graph, roots, locks, places, lost: Vec::new(), in_the_way: Vec::new() };
        self.find_in_the_way(new, &mut checked);
        Ok(checked)
    }

    fn check_in_the_way(&self, checked: &Checked) -> Result<(), NotTaken> {
        if checked.in_the_way.is_empty() {
            return Ok(());
        }
        let mut names: Vec<_> = checked.in_the_way.iter().map(|one| self.names[one.who as usize].clone()).collect();
        names.dedup();
        Err(NotTaken::Run(names))
    }

    /// The behaviors that restart if a plan is taken by force, none of them inside another; [`NONE`] is the root of the new plan.
    fn restarting(&self, checked: &Checked) -> Vec<u32> {
        let plan_index = plan_indices(&checked.places);
        let goes_on = |of: u32| {
            let Some(at) = plan_index.get(&of) else { return false };
            match self.state.nodes[of as usize].up {
                NONE => checked.roots.all().any(|root| root as usize == *at),
                up => plan_index
                    .get(&up)
                    .is_some_and(|up| checked.graph.edge(*up as u32, BehaviorId(*at as u32)).is_some()),
            }
        };
        let mut all: Vec<u32> = Vec::new();
        for one in &checked.in_the_way {
            let mut of = one.restart;
            while of != NONE && !goes_on(of) {
                of = self.state.nodes[of as usize].up;
            }
            if of == NONE {
                return vec![NONE];
            }
            if !all.iter().any(|other| self.state.leads_to(*other, of)) {
                all.retain(|other| !self.state.leads_to(of, *other));
                all.push(of);
            }
        }
        all
    }

    /// Finds the behaviors that prevent a plan from being applied now.
    fn find_in_the_way(&self, new: &Exchange, checked: &mut Checked) {
        let plan_index = plan_indices(&checked.places);
        let named: HashSet<&str> = new.names.iter().map(|name| &**name).collect();
        let mut run: Vec<InTheWay> = Vec::new();
        // Behaviors that are released, and everything that is active inside them, may be anything in the new plan.
        let mut gone: HashSet<u32> = HashSet::new();
        for of in self.state.active() {
            let up = self.state.nodes[of as usize].up;
            if gone.contains(&of) || gone.contains(&up) {
                gone.insert(of);
                continue;
            }
            let part = plan_index.get(&of).map(|at| (*at, &new.parts[*at]));
            let Some((at, part)) = part else {
                run.push(InTheWay { who: of, restart: up });
                gone.insert(of);
                continue;
            };
            if up == NONE && !checked.roots.all().any(|root| root as usize == at) {
                run.push(InTheWay { who: of, restart: of });
            }
            let Part::Renewed(_, news) = part else { continue };
            let stays = |child: u32| {
                plan_index.get(&child).is_some_and(|to| checked.graph.edge(at as u32, BehaviorId(*to as u32)).is_some())
            };
            let lost: Vec<u32> = self.children(of).filter(|child| !stays(*child)).collect();
            // A delegate that the plan has in another form is not released: the reload must wait for it.
            let replaced =
                |child: &&u32| !plan_index.contains_key(child) && named.contains(&*self.names[**child as usize]);
            let ids: Vec<BehaviorId> = lost.iter().copied().map(BehaviorId).collect();
            let agrees = || self.behaviors[of as usize].as_ref().is_none_or(|b| b.may_renew(&**news, &ids));
            if let Some(child) = lost.iter().find(replaced) {
                run.push(InTheWay { who: *child, restart: of });
                gone.insert(*child);
            } else if !self.locks_as(of, &checked.locks, at) || !agrees() {
                run.push(InTheWay { who: of, restart: of });
                gone.extend(lost);
            } else {
                gone.extend(lost.iter().copied());
                checked.lost.extend(lost.into_iter().map(|child| (of, child)));
            }
        }
        let declares = |parent: u32, child: u32| match (plan_index.get(&parent), plan_index.get(&child)) {
            (Some(parent), Some(child)) => checked.graph.edge(*parent as u32, BehaviorId(*child as u32)).is_some(),
            (None, Some(child)) => parent == NONE && checked.roots.all().any(|root| root as usize == *child),
            (_, None) => false,
        };
        let waiting = self.state.waiting.iter().filter(|w| !declares(w.parent, w.child));
        run.extend(waiting.map(|w| InTheWay { who: w.child, restart: w.parent }));
        // A behavior that winds down still holds its resources.
        let mut holders = self.state.holders.clone();
        holders.sort_unstable();
        holders.dedup();
        holders.retain(|of| *of != NONE && !run.iter().any(|one| one.who == *of));
        holders.retain(|of| plan_index.get(of).is_some_and(|at| !self.locks_as(*of, &checked.locks, *at)));
        run.extend(holders.into_iter().map(|who| InTheWay { who, restart: self.state.nodes[who as usize].up }));
        checked.in_the_way = run;
    }

    /// Restores the order of declaration among active delegates after one of them has restarted.
    fn sort_regions(&mut self, of: u32) {
        if of == NONE {
            return;
        }
        let mut all: Vec<u32> = self.children(of).collect();
        all.sort_by_key(|child| self.state.graph.edge(of, BehaviorId(*child)));
        let mut next = NONE;
        for child in all.into_iter().rev() {
            self.state.node(child).next = next;
            next = child;
        }
        self.state.node(of).down = next;
    }

    /// Returns whether a behavior locks the same resources in a new plan.
    fn locks_as(&self, of: u32, new: &Locks, at: usize) -> bool {
        let before = self.locks.of(of).iter().map(|lock| &self.locks.names[*lock as usize]);
        before.eq(new.of(at as u32).iter().map(|lock| &new.names[*lock as usize]))
    }

    /// The active delegates of a behavior.
    fn children(&self, of: u32) -> impl Iterator<Item = u32> + '_ {
        let some = |of: u32| (of != NONE).then_some(of);
        std::iter::successors(some(self.state.nodes[of as usize].down), move |child| {
            some(self.state.nodes[*child as usize].next)
        })
    }

    // ---- how -----------------------------------------------------------------------------------

    fn apply(&mut self, new: Exchange, checked: Checked) {
        self.events.cause = 0;
        // Instances that have left scope are dropped.
        let gone: Vec<u32> = self.earlier().filter(|of| self.state.life(*of).phase() == Phase::Out).collect();
        for of in gone {
            self.behaviors[of as usize] = None;
        }
        let Checked { graph, roots, locks, mut places, lost, .. } = checked;
        for (parent, child) in lost {
            let by = By::Behavior(BehaviorId(parent));
            self.end(child, End::Cancelled(by), by);
        }
        let first = self.make_places(&mut places, &new);
        let graph = self.graph_by_place(&graph, &places);
        let place = |of: u32| places[of as usize];
        let roots = Roots { root: place(roots.root), idle: roots.idle.map(place), safe: roots.safe.map(place) };
        // First behaviors leave scope, then others enter, each in the order of declaration.
        let (mut leave, mut enter) = (Vec::new(), Vec::new());
        if self.state.started {
            let (before, after): (Vec<u32>, Vec<u32>) = (self.roots.all().collect(), roots.all().collect());
            diff(&before, &after, &mut leave, &mut enter);
        }
        for of in self.state.active() {
            let ids = |all: &[BehaviorId]| all.iter().map(|id| id.0).collect::<Vec<_>>();
            diff(&ids(self.state.graph.of(of)), &ids(graph.of(of)), &mut leave, &mut enter);
        }
        for of in leave {
            self.leave(of);
        }
        self.relock(&locks, &places);
        self.state.asked = vec![0; graph.targets.len()];
        self.state.graph = graph;
        self.roots = roots;
        self.settings = Settings { seed: self.settings.seed, ..new.settings };
        self.by_name = new.names.iter().cloned().zip(places.iter().copied().map(BehaviorId)).collect();
        self.state.version += 1;
        let live: HashSet<u32> = places.iter().copied().collect();
        self.forget_subscribers(|of| live.contains(&of));
        let mut parts: Vec<(u32, Part)> = places.iter().copied().zip(new.parts).collect();
        for (of, part) in &mut parts {
            if let Part::New(_) = part
                && let Part::New(behavior) = std::mem::replace(part, Part::Kept)
            {
                self.behaviors[*of as usize] = Some(behavior);
                self.call(*of, Hook::Init, |b, cx| b.init(cx));
            }
        }
        for (of, part) in parts.into_iter().filter(|(of, _)| *of < first) {
            let news = match part {
                Part::Renewed(_, news) => Some(news),
                _ => None,
            };
            self.call(of, Hook::Settled, |b, cx| b.replanned(cx, news));
        }
        for of in enter {
            self.enter(of);
        }
    }

    /// Adds a place for each behavior that has none; returns the first new place.
    fn make_places(&mut self, places: &mut [u32], new: &Exchange) -> u32 {
        let first = self.names.len() as u32;
        for (at, place) in places.iter_mut().enumerate().filter(|(_, place)| **place == NONE) {
            *place = self.names.len() as u32;
            self.names.push(new.names[at].clone());
            self.behaviors.push(None);
            self.is_action.push(new.is_action[at]);
            self.state.nodes.push(Node::new());
            self.state.updated.push(0);
        }
        self.inputs.make_room(self.names.len());
        first
    }

    /// Converts a graph of the new plan to the places of the runner. A behavior without a place in the plan has no
    /// delegates.
    fn graph_by_place(&self, graph: &Graph, places: &[u32]) -> Graph {
        let mut plan_index = vec![NONE; self.names.len()];
        for (at, place) in places.iter().enumerate() {
            plan_index[*place as usize] = at as u32;
        }
        let mut placed = Graph { starts: vec![0], ..Graph::default() };
        for at in plan_index {
            let begin = placed.targets.len();
            if at != NONE {
                placed.targets.extend(graph.of(at).iter().map(|to| BehaviorId(places[to.index()])));
            }
            let mine = placed.targets[begin..].iter().enumerate();
            let mut sorted: Vec<(u32, u32)> = mine.map(|(at, to)| (to.0, (begin + at) as u32)).collect();
            sorted.sort_unstable();
            placed.sorted.extend(sorted);
            placed.starts.push(placed.targets.len() as u32);
            placed.quiet.push(at != NONE && graph.quiet[at as usize]);
        }
        placed
    }

    /// Updates the resources. They keep their numbers, since behaviors may hold them; removed behaviors keep theirs
    /// until they have wound down.
    fn relock(&mut self, locks: &Locks, places: &[u32]) {
        let mut names = std::mem::take(&mut self.locks.names);
        let mut numbers = std::mem::take(&mut self.locks.numbers);
        let mut locks_of_place: HashMap<u32, Vec<u32>> = HashMap::new();
        for (at, place) in places.iter().enumerate() {
            let mut number = |lock: &u32| {
                let name = &locks.names[*lock as usize];
                *numbers.entry(name.clone()).or_insert_with(|| {
                    names.push(name.clone());
                    names.len() as u32 - 1
                })
            };
            locks_of_place.insert(*place, locks.of(at as u32).iter().map(&mut number).collect());
        }
        let mut all = Locks { names, numbers, starts: vec![0], locks: Vec::new() };
        for place in 0..self.names.len() as u32 {
            match locks_of_place.get(&place) {
                Some(mine) => all.locks.extend(mine),
                None if (place as usize) + 1 < self.locks.starts.len() => all.locks.extend(self.locks.of(place)),
                None => {}
            }
            all.starts.push(all.locks.len() as u32);
        }
        self.state.holders.resize(all.names.len(), NONE);
        self.locks = all;
    }

    /// The behaviors of earlier plans.
    pub fn earlier(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.names.len() as u32).filter(|of| self.by_name.get(&self.names[*of as usize]) != Some(&BehaviorId(*of)))
    }
}

/// Inverts the places: for each place in the runner, the index in the plan.
fn plan_indices(places: &[u32]) -> HashMap<u32, usize> {
    places.iter().enumerate().filter(|(_, place)| **place != NONE).map(|(at, place)| (*place, at)).collect()
}

/// Collects the items that are in only one of two lists.
fn diff(before: &[u32], after: &[u32], leave: &mut Vec<u32>, enter: &mut Vec<u32>) {
    if before == after {
        return;
    }
    let is_in = |list: &[u32]| list.iter().copied().collect::<HashSet<u32>>();
    let (old, new) = (is_in(before), is_in(after));
    leave.extend(before.iter().copied().filter(|of| !new.contains(of)));
    enter.extend(after.iter().copied().filter(|of| !old.contains(of)));
}
