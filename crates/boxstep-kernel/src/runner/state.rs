//! All mutable state of a runner, apart from the state inside behaviors.
//!
//! Behaviors are indices into arenas: a tick follows indices, and neither allocates nor looks anything up by name.

use super::{BehaviorId, End};
use crate::lifecycle::{Life, Phase};
use boxstep_types::{Time, Value};
use std::collections::VecDeque;

/// No behavior: the parent of a root.
pub const NONE: u32 = u32::MAX;

/// The declared delegates of each behavior.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Graph {
    /// The delegates of all behaviors, those of each in the order of declaration.
    pub(super) targets: Vec<BehaviorId>,
    /// The start of each behavior's delegates, and the end of the last ones: one entry more than behaviors.
    pub(super) starts: Vec<u32>,
    /// The same delegates sorted by number, each with its index in `targets`, for searches.
    pub(super) sorted: Vec<(u32, u32)>,
    /// Which behaviors need no updates.
    pub(super) quiet: Vec<bool>,
}

impl Graph {
    #[inline]
    pub(super) fn edges(&self, of: u32) -> std::ops::Range<usize> {
        let of = of as usize;
        self.starts[of] as usize..self.starts[of + 1] as usize
    }

    /// The delegates of a behavior.
    pub(super) fn of(&self, of: u32) -> &[BehaviorId] {
        if of as usize + 1 < self.starts.len() { &self.targets[self.edges(of)] } else { &[] }
    }

    /// The index of a delegate in `targets`, if it has been declared.
    pub(super) fn edge(&self, of: u32, to: BehaviorId) -> Option<u32> {
        let edges = self.edges(of);
        if edges.len() <= 8 {
            let at = self.targets[edges.clone()].iter().position(|target| *target == to)?;
            return Some((edges.start + at) as u32);
        }
        let sorted = &self.sorted[edges];
        sorted.binary_search_by_key(&to.0, |(target, _)| *target).ok().map(|at| sorted[at].1)
    }
}

/// The state of one behavior.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Node {
    pub(super) life: Life,
    /// While it is active: the behavior that delegated to it, the first of its own active delegates, and the next one
    /// beside it.
    pub(super) up: u32,
    pub(super) down: u32,
    pub(super) next: u32,
    /// The delegation by which the behavior is active, or was last.
    pub(super) ticket: u64,
    /// The number of behaviors that it, or one of its former delegates, has released and that still wind down: it
    /// activates no other before they have.
    pub(super) winding: u32,
    /// While it is still leaving scope: the number of parents that have taken it into scope again.
    pub(super) reentries: u32,
    /// Whether it has ended itself in the current call.
    pub(super) ending: bool,
    /// Whether it has been delegated to, and is activated once other behaviors have wound down.
    pub(super) waits: bool,
    /// Set while it is asked again after such a wait.
    pub(super) waited: bool,
    /// The number of its own delegations that wait.
    pub(super) waiting: u32,
}

impl Node {
    pub(super) fn new() -> Self {
        Self {
            life: Life::default(),
            up: NONE,
            down: NONE,
            next: NONE,
            ticket: 0,
            winding: 0,
            reentries: 0,
            ending: false,
            waits: false,
            waited: false,
            waiting: 0,
        }
    }
}

/// A step of a behavior that takes time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SlowStep {
    /// Entering scope.
    Enter,
    /// Winding down, counted for this behavior ([`NONE`]: for the runner).
    Stop(u32),
    /// Leaving scope.
    Leave,
}

/// A behavior that takes time for a step.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Slow {
    pub(super) of: u32,
    pub(super) step: SlowStep,
    /// The time at which the step is forced.
    pub(super) until: Time,
}

/// A delegation that waits for behaviors to wind down. Those of one request are adjacent.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Waiting {
    pub(super) parent: u32,
    pub(super) child: u32,
    pub(super) ticket: u64,
    pub(super) value: Value,
}

/// A pending notice to a behavior that a delegation has ended.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Notice {
    pub(super) parent: u32,
    /// The parent's activation that delegated. A later activation gets no notice.
    pub(super) of: u64,
    pub(super) child: u32,
    pub(super) ticket: u64,
    pub(super) end: End,
    pub(super) cause: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct State {
    pub(super) graph: Graph,
    pub(super) nodes: Vec<Node>,
    /// The tick in which each behavior was updated last.
    pub(super) updated: Vec<u64>,
    /// For each edge: twice the tick in which the delegate was asked, plus 1 if it said yes; 0 once the answer has been
    /// used.
    pub(super) asked: Vec<u64>,
    pub(super) tick: u64,
    /// The active root.
    pub(super) root: u32,
    /// The number of winding-down behaviors that are counted for the runner.
    pub(super) winding: u32,
    /// Changes with each activation and each end of one, when a behavior that took time has settled, and when the
    /// runner begins or stops.
    pub(super) version: u64,
    pub(super) tickets: u64,
    /// The ends of behaviors that have ended themselves in calls that are under way.
    pub(super) endings: Vec<(u32, End)>,
    pub(super) notices: VecDeque<Notice>,
    pub(super) slow: Vec<Slow>,
    pub(super) waiting: Vec<Waiting>,
    /// The holder of each resource.
    pub(super) holders: Vec<u32>,
    pub(super) started: bool,
    pub(super) over: bool,
    /// The time at which everything that takes time is forced in any case.
    pub(super) deadline: Time,
    /// The number of notices in this tick, and the last two behaviors that ended.
    pub(super) hops: u32,
    pub(super) last: (u32, u32),
    /// Whether a livelock was found in this tick.
    pub(super) livelocked: bool,
    /// The last livelock.
    pub(super) livelock: Option<(BehaviorId, BehaviorId)>,
}

impl State {
    pub(super) fn new(graph: Graph, behaviors: usize, locks: usize) -> Self {
        Self {
            nodes: vec![Node::new(); behaviors],
            updated: vec![0; behaviors],
            asked: vec![0; graph.targets.len()],
            tick: 0,
            root: NONE,
            winding: 0,
            version: 0,
            tickets: 0,
            endings: Vec::new(),
            notices: VecDeque::new(),
            slow: Vec::new(),
            waiting: Vec::new(),
            holders: vec![NONE; locks],
            started: false,
            over: false,
            deadline: Time::MAX,
            hops: 0,
            last: (NONE, NONE),
            livelocked: false,
            livelock: None,
            graph,
        }
    }

    #[inline]
    pub(super) fn node(&mut self, of: u32) -> &mut Node {
        &mut self.nodes[of as usize]
    }

    #[inline]
    pub(super) fn life(&self, of: u32) -> &Life {
        &self.nodes[of as usize].life
    }

    /// The next active behavior in the order root to leaf, one region after the other.
    #[inline]
    pub(super) fn after(&self, of: u32) -> u32 {
        let mut node = &self.nodes[of as usize];
        if node.down != NONE {
            return node.down;
        }
        loop {
            if node.next != NONE {
                return node.next;
            }
            if node.up == NONE {
                return NONE;
            }
            node = &self.nodes[node.up as usize];
        }
    }

    /// All active behaviors, root to leaf, one region after the other.
    pub(super) fn active(&self) -> impl Iterator<Item = u32> + '_ {
        let some = |of: u32| (of != NONE).then_some(of);
        std::iter::successors(some(self.root), move |of| some(self.after(*of)))
    }

    /// Returns whether the first behavior is the second, or on the path from the root to it.
    pub(super) fn leads_to(&self, one: u32, other: u32) -> bool {
        let mut at = other;
        while at != NONE {
            if at == one {
                return true;
            }
            at = self.nodes[at as usize].up;
        }
        false
    }

    /// Appends a behavior that is being activated to its parent's active delegates.
    pub(super) fn link(&mut self, parent: u32, child: u32) {
        self.version += 1;
        let node = self.node(child);
        (node.up, node.down, node.next) = (parent, NONE, NONE);
        if parent == NONE {
            self.root = child;
            return;
        }
        let mut at = self.nodes[parent as usize].down;
        if at == NONE {
            self.node(parent).down = child;
            return;
        }
        while self.nodes[at as usize].next != NONE {
            at = self.nodes[at as usize].next;
        }
        self.node(at).next = child;
    }

    /// Removes a behavior without active delegates from its parent's active delegates.
    pub(super) fn unlink(&mut self, child: u32) {
        self.version += 1;
        let (parent, next) = (self.nodes[child as usize].up, self.nodes[child as usize].next);
        let node = self.node(child);
        (node.up, node.next) = (NONE, NONE);
        if parent == NONE {
            self.root = NONE;
            return;
        }
        let mut at = self.nodes[parent as usize].down;
        if at == child {
            self.node(parent).down = next;
            return;
        }
        while at != NONE {
            let after = self.nodes[at as usize].next;
            if after == child {
                self.node(at).next = next;
                return;
            }
            at = after;
        }
    }

    /// Returns whether the behavior has delegated control to one that is active, or waits to be.
    #[inline]
    pub(super) fn delegated(&self, of: u32) -> bool {
        let node = &self.nodes[of as usize];
        node.down != NONE || node.waiting > 0
    }

    /// Returns whether this behavior is winding down.
    pub(super) fn winds_down(&self, of: u32) -> bool {
        self.slow.iter().any(|s| s.of == of && matches!(s.step, SlowStep::Stop(_)))
    }

    /// The number of winding-down behaviors that are counted for a behavior.
    pub(super) fn windings(&mut self, owner: u32) -> &mut u32 {
        if owner == NONE { &mut self.winding } else { &mut self.node(owner).winding }
    }
}

/// The state of a behavior, for tests, displays and debuggers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// The phase of its lifecycle.
    pub phase: Phase,
    /// The number of parents that keep it in scope: active behaviors that declare it, and the runner if it is a root.
    pub scopes: u32,
    /// Whether it is active or being activated: it has control, or has delegated it.
    pub active: bool,
    /// The behavior that delegated to it, while it is active; `None` for the root.
    pub parent: Option<BehaviorId>,
    /// Whether it has been delegated to, and waits for others to wind down.
    pub waits: bool,
    /// The tick in which it was updated last; 0 if never.
    pub updated: u64,
    /// The number of resources that it holds.
    pub holds: usize,
}

impl super::Runner {
    /// The state of a behavior.
    ///
    /// # Panics
    /// If the behavior belongs to another, larger runner.
    pub fn view(&self, id: BehaviorId) -> View {
        let node = &self.state.nodes[id.index()];
        let active = node.life.started();
        View {
            phase: node.life.phase(),
            scopes: node.life.scopes() + node.reentries,
            active,
            parent: (active && node.up != NONE).then_some(BehaviorId(node.up)),
            waits: node.waits,
            updated: self.state.updated[id.index()],
            holds: self.state.holders.iter().filter(|h| **h == id.0).count(),
        }
    }

    /// The active behaviors, root to leaf; those side by side one after the other.
    pub fn active(&self) -> Vec<BehaviorId> {
        self.state.active().map(BehaviorId).collect()
    }

    /// The state of control as text, which is equal if and only if nothing has changed. For tests.
    #[doc(hidden)]
    pub fn fingerprint(&self) -> String {
        format!("{:?}", self.state)
    }
}
