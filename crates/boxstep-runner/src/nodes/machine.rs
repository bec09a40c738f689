//! State machines.
//!
//! A state is entered at most once in a tick, so that transitions cannot form a loop without time passing: a transition
//! that would enter a state again is taken in the next tick.

use super::renew::Renewal;
use super::{ActiveNode, Answer, NodeLogic};
use crate::conditions::LiveCondition;
use crate::model::{Kind, Machine, Strength};
use crate::world::{Blackboard, SharedState};
use boxstep_engine::runner::{BehaviorRunner, Control, End, Ticket};
use boxstep_engine::trace::ConditionResult;
use boxstep_types::Value;
use std::sync::Arc;

pub(crate) struct States {
    states: Vec<MachineState>,
    transitions: Vec<MachineTransition>,
    /// The transitions that lead from all states.
    from_any: Vec<usize>,
    start: usize,
    current: usize,
    /// The transitions that lead out of the current state, in the order of the file.
    ways: Vec<usize>,
    child: ChildState,
    /// A transition that has fired, but leads to a state that was already entered in this tick.
    pending: Option<usize>,
}

struct MachineState {
    name: Arc<str>,
    /// The index of the state's child among all children.
    child: Option<usize>,
    ways: Vec<usize>,
    /// The tick in which the state was last entered.
    tick: u64,
}

struct MachineTransition {
    to: usize,
    when: LiveCondition,
    at: Strength,
    /// Whether the condition has been true since the state was entered.
    held: bool,
}

/// The progress of the state's child.
enum ChildState {
    /// The child was not activated yet.
    Waiting,
    Running,
    Ended,
}

impl States {
    pub(crate) fn new(machine: &Machine, shared: &mut SharedState) -> Self {
        let mut children = 0..;
        let mut states: Vec<MachineState> = machine
            .states
            .iter()
            .map(|state| MachineState {
                name: state.name.name.clone(),
                child: state.child.as_ref().and_then(|_| children.next()),
                ways: Vec::new(),
                tick: 0,
            })
            .collect();
        let mut from_any = Vec::new();
        for (number, transition) in machine.transitions.iter().enumerate() {
            match &transition.from {
                None => from_any.push(number),
                Some(from) => from.iter().for_each(|from| states[*from].ways.push(number)),
            }
        }
        let transitions = machine
            .transitions
            .iter()
            .map(|t| MachineTransition { to: t.to, when: LiveCondition::new(&t.when, shared), at: t.at, held: false })
            .collect();
        let (start, child) = (machine.start, ChildState::Waiting);
        Self { states, transitions, from_any, start, current: start, ways: Vec::new(), child, pending: None }
    }

    /// Enters a state, and offers control to its child.
    fn enter(&mut self, state: usize, node: &mut ActiveNode<'_, '_>) {
        self.switch_off();
        self.pending = None;
        self.current = state;
        self.states[state].tick = node.cx.tick();
        self.ways = self.ways_out_of(state);
        let mut shared = node.blackboard.lock();
        for &way in &self.ways {
            self.transitions[way].held = false;
            self.transitions[way].when.switch_on(node.cx, &mut shared);
        }
        drop(shared);
        self.child = ChildState::Waiting;
        match self.states[state].child {
            Some(_) => self.offer(node),
            None => self.child_ended(node, End::Done(Value::Null)),
        }
    }

    /// Returns the transitions that lead out of a state, in the order of the file.
    fn ways_out_of(&self, state: usize) -> Vec<usize> {
        let any = self.from_any.iter().copied().filter(|way| self.transitions[*way].to != state);
        let mut ways: Vec<usize> = self.states[state].ways.iter().copied().chain(any).collect();
        ways.sort_unstable();
        ways.dedup();
        ways
    }

    fn switch_off(&mut self) {
        for &way in &self.ways {
            self.transitions[way].when.switch_off();
        }
        self.ways.clear();
    }

    fn offer(&mut self, node: &mut ActiveNode<'_, '_>) {
        if let Some(child) = self.states[self.current].child
            && node.offer(child) == Answer::Yes
        {
            self.child = ChildState::Running;
        }
    }

    fn child_ended(&mut self, node: &mut ActiveNode<'_, '_>, end: End) {
        if self.ways.is_empty() {
            return node.end_as(&end);
        }
        self.child = ChildState::Ended;
        let mut shared = node.blackboard.lock();
        for &way in &self.ways {
            let transition = &mut self.transitions[way];
            transition.held |= transition.when.holds(node.cx, &mut shared);
        }
        drop(shared);
        self.fire_first(node, |transition, holds| match transition.at {
            Strength::Once => false,
            Strength::End => transition.held,
            Strength::Exit => holds,
        });
    }

    /// Takes the first transition that `may` allows, and returns whether there was one.
    fn fire_first(&mut self, node: &mut ActiveNode<'_, '_>, may: impl Fn(&MachineTransition, bool) -> bool) -> bool {
        let mut shared = node.blackboard.lock();
        let found = self.ways.iter().copied().find(|way| {
            let transition = &self.transitions[*way];
            may(transition, transition.when.holds(node.cx, &mut shared))
        });
        drop(shared);
        let Some(way) = found else { return false };
        self.take(way, node);
        true
    }

    /// Takes a transition now, or in the next tick if its state was already entered in this one.
    fn take(&mut self, way: usize, node: &mut ActiveNode<'_, '_>) {
        let to = self.transitions[way].to;
        if self.states[to].tick == node.cx.tick() {
            self.pending = Some(way);
            return;
        }
        if node.cx.is_control_delegated() {
            // The request is refused only if the behavior is ending.
            let _ = node.cx.cancel_delegates();
        }
        self.enter(to, node);
    }
}

impl NodeLogic for States {
    fn init(&mut self, cx: &mut Control<'_>) {
        self.transitions.iter_mut().for_each(|transition| transition.when.init(cx));
    }

    fn begin(&mut self, node: &mut ActiveNode<'_, '_>, _: &Value) {
        self.states.iter_mut().for_each(|state| state.tick = 0);
        self.enter(self.start, node);
    }

    fn update(&mut self, node: &mut ActiveNode<'_, '_>) {
        let mut shared = node.blackboard.lock();
        for &way in &self.ways {
            let transition = &mut self.transitions[way];
            transition.when.update(node.cx, &mut shared);
            transition.held |= transition.when.holds(node.cx, &mut shared);
        }
        drop(shared);
        if let Some(way) = self.pending.take() {
            return self.take(way, node);
        }
        let ended = matches!(self.child, ChildState::Ended);
        // The initial state is entered just before the update of the same tick.
        let fresh = self.states[self.current].tick == node.cx.tick();
        let fired = self.fire_first(node, |transition, holds| match transition.at {
            Strength::Once => holds && !fresh,
            Strength::End => ended && transition.held,
            Strength::Exit => false,
        });
        if !fired && matches!(self.child, ChildState::Waiting) {
            self.offer(node);
        }
    }

    fn watched(&self, cx: &Control<'_>, shared: &mut SharedState) -> Vec<ConditionResult> {
        let one = |way: &usize| {
            let MachineTransition { to, when, at, .. } = &self.transitions[*way];
            let factor = when.result(cx, shared);
            let (from, to) = (&self.states[self.current].name, &self.states[*to].name);
            let found = format!("{at:?}").to_lowercase();
            ConditionResult { what: format!("{from} → {to}"), found, holds: factor.holds, parts: vec![factor] }
        };
        self.ways.iter().map(one).collect()
    }

    fn ended(&mut self, node: &mut ActiveNode<'_, '_>, _: Ticket, end: &End) {
        self.child_ended(node, end.clone());
    }

    fn over(&mut self, _: &mut Control<'_>, _: &Blackboard, _: &End) {
        self.switch_off();
    }

    /// The new version must have the current state, with the same child.
    fn may_renew(&self, with: &Renewal, lost: bool) -> bool {
        let (Kind::Machine(old), Kind::Machine(new)) = (&with.old.kind, &with.new.kind) else { return false };
        let now = &old.states[self.current];
        let child = |state: &crate::model::State| state.child.as_ref().map(|child| child.to.name.clone());
        let stays = new.states.iter().any(|state| state.name.name == now.name.name && child(state) == child(now));
        stays && !lost && self.pending.is_none()
    }

    /// Transitions that are in both versions keep their state; the others that lead out of the current state are
    /// switched on.
    fn renew(&mut self, cx: &mut Control<'_>, blackboard: &Blackboard, with: &Renewal) {
        let (Kind::Machine(old), Kind::Machine(new)) = (&with.old.kind, &with.new.kind) else { return };
        let before = std::mem::replace(self, States::new(new, &mut blackboard.lock()));
        let current = &old.states[before.current].name.name;
        self.current = new.states.iter().position(|state| state.name.name == *current).unwrap_or(new.start);
        for state in &mut self.states {
            let was = before.states.iter().find(|was| was.name == state.name);
            state.tick = was.map_or(0, |was| was.tick);
        }
        self.child = before.child;
        let active = cx.is_active();
        if active {
            self.ways = self.ways_out_of(self.current);
        }
        let mut gone: Vec<Option<MachineTransition>> = before.transitions.into_iter().map(Some).collect();
        for (at, transition) in self.transitions.iter_mut().enumerate() {
            let same = |was: &crate::model::Transition| same_transition((old, was), (new, &new.transitions[at]));
            let was = old.transitions.iter().zip(&mut gone).find(|(was, live)| live.is_some() && same(was));
            if let Some(known) = was.and_then(|(_, live)| live.take()) {
                (transition.when, transition.held) = (known.when, known.held);
                continue;
            }
            transition.when.init(cx);
            if self.ways.contains(&at) {
                transition.when.switch_on(cx, &mut blackboard.lock());
            }
        }
    }
}

/// Returns whether two transitions of two versions of a machine do the same.
fn same_transition(
    (old, was): (&Machine, &crate::model::Transition),
    (new, is): (&Machine, &crate::model::Transition),
) -> bool {
    let name = |machine: &Machine, state: usize| machine.states[state].name.name.clone();
    let from = |machine: &Machine, transition: &crate::model::Transition| {
        transition.from.as_ref().map(|from| from.iter().map(|state| name(machine, *state)).collect::<Vec<_>>())
    };
    was.when == is.when && was.at == is.at && name(old, was.to) == name(new, is.to) && from(old, was) == from(new, is)
}
